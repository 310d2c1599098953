//! Tests of a whole program in the exchange format of Test-Comp: `metadata.xml`, and for each test a `testcase-N.xml`
//! with what the functions `__VERIFIER_nondet_*` return, call by call.
//!
//! Which type a value is written as is said by the function's name, as the rules of the competition have it. The time
//! in the metadata is that of the environment variable `SOURCE_DATE_EPOCH`, if it is set; else it is now.

use std::fmt::Write;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use footpath_driver::{FunctionResult, Returned, ReturnedValue, Run, Test};
use sha2::{Digest, Sha256};

/// Functions whose results are inputs.
const INPUT: &str = "__VERIFIER_nondet_";

/// The files of the suite: names and texts.
///
/// # Errors
/// If the program can no longer be read.
pub fn files(run: &Run) -> io::Result<Vec<(String, String)>> {
    let mut files = vec![("metadata.xml".to_owned(), metadata(run)?)];
    let tests = run.functions.iter().flat_map(|f| &f.tests);
    files.extend(tests.enumerate().map(|(i, t)| (format!("testcase-{}.xml", i + 1), test_case(t))));
    Ok(files)
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

fn metadata(run: &Run) -> io::Result<String> {
    let with_tests = |f: &&FunctionResult| !f.tests.is_empty();
    let entry = run.functions.iter().find(with_tests).map_or("main", |f| f.name.as_str());
    let (mut file, mut hash) = (String::new(), String::new());
    if let Some((path, _)) = run.files.first() {
        file = path.display().to_string();
        for byte in Sha256::digest(std::fs::read(path)?) {
            let _ = write!(hash, "{byte:02x}");
        }
    }
    let wide = !run.files.iter().any(|(_, flags)| flags.iter().any(|f| f == "-m32"));
    let fields = [
        ("sourcecodelang", "C".to_owned()),
        ("producer", format!("Footpath {}", crate::json::version())),
        ("specification", format!("COVER( init({entry}()), FQL(COVER EDGES(@DECISIONEDGE)) )")),
        ("programfile", file),
        ("programhash", hash),
        ("entryfunction", entry.to_owned()),
        ("architecture", if wide { "64bit" } else { "32bit" }.to_owned()),
        ("creationtime", time_text(now())),
    ];
    let mut out = format!(
        "{HEAD}<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n"
    );
    for (name, value) in fields {
        let _ = writeln!(out, "  <{name}>{}</{name}>", escape(&value));
    }
    out.push_str("</test-metadata>\n");
    Ok(out)
}

fn test_case(test: &Test) -> String {
    let mut out = format!(
        "{HEAD}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n"
    );
    for call in &test.returned {
        let Some(ty) = call.function.strip_prefix(INPUT) else { continue };
        let _ = writeln!(out, "  <input type=\"{}\">{}</input>", escape(c_type(ty)), value_text(ty, call));
    }
    out.push_str("</testcase>\n");
    out
}

/// The C type that a function is named for.
fn c_type(name: &str) -> &str {
    match name {
        "uchar" => "unsigned char",
        "ushort" => "unsigned short",
        "uint" | "unsigned" | "u32" => "unsigned int",
        "ulong" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" => "unsigned long long",
        "bool" => "_Bool",
        "pointer" => "void *",
        other => other,
    }
}

fn value_text(ty: &str, call: &Returned) -> String {
    match call.value {
        ReturnedValue::Int { bits, value } => {
            let unsigned = ty.starts_with('u') || matches!(ty, "bool" | "size_t" | "sector_t" | "pthread_t");
            let sign = if bits == 0 { 0 } else { 1u128 << (bits.min(128) - 1) };
            if unsigned || bits <= 1 || value & sign == 0 {
                value.to_string()
            } else {
                (value as i128).wrapping_sub(if bits >= 128 { 0 } else { 1i128 << bits }).to_string()
            }
        }
        ReturnedValue::Float(x) if x.is_nan() => "nan".to_owned(),
        ReturnedValue::Float(x) => format!("{x:?}"),
        ReturnedValue::Pointer { .. } => "0".to_owned(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn now() -> u64 {
    let said = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse().ok());
    said.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()))
}

/// Seconds since 1970 as date and time of ISO 8601, in universal time.
fn time_text(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from 1 March 0000, where the leap day is the last of its year (Hinnant, chrono-compatible
    // low-level date algorithms, 2013).
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let in_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let in_month = in_year - (153 * month + 2) / 5 + 1;
    let (month, year) =
        if month < 10 { (month + 3, year + 400 * era) } else { (month - 9, year + 400 * era + 1) };
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{in_month:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(function: &str, bits: u32, value: u128) -> Returned {
        Returned { function: format!("{INPUT}{function}"), value: ReturnedValue::Int { bits, value } }
    }

    #[test]
    fn values_are_written_with_the_sign_that_the_function_s_name_says() {
        assert_eq!(value_text("int", &call("int", 32, 0xffff_ffff)), "-1");
        assert_eq!(value_text("uint", &call("uint", 32, 0xffff_ffff)), "4294967295");
        assert_eq!(value_text("char", &call("char", 8, 0x80)), "-128");
        assert_eq!(value_text("bool", &call("bool", 1, 1)), "1");
        assert_eq!(value_text("longlong", &call("longlong", 64, 1 << 63)), "-9223372036854775808");
    }

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(time_text(0), "1970-01-01T00:00:00Z");
        assert_eq!(time_text(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(time_text(1_704_067_199), "2023-12-31T23:59:59Z");
    }
}
