//! Differential testing with programs that have no input: their only run is known, so a good part of the right verdicts is.
//!
//! Torture tests of compilers and the programs of Csmith end with `abort` if anything went wrong. Natively, nothing does. One
//! run of a program with block counters (gcov) shows which lines are executed as a whole, and one with sanitizers that no operation
//! is undefined. From that, truths are written behind its lines, and [`check_native_run`] asks for them:
//!
//! | truth | where | asked by |
//! |---|---|---|
//! | `covered?` | a line, all of whose blocks the native run executed | `test`, function by function, and `test --entry main` |
//! | `holds? assertion` | in `footpath_abort`, which the program calls for `abort` | `test --entry main` |
//! | `holds?` of other kinds | the executed lines, where sanitizers have nothing to say | `test --entry main` |
//!
//! ```text
//! if (f(3) != 1)          //@ covered?, holds? overflow, …
//!     abort();
//! …
//! void footpath_abort(void) { assert(!"abort"); }      //@ holds? assertion
//! ```
//!
//! `volatile` is left out when programs are compiled, as reads of volatile variables are inputs for us.
//!
//! (McKeeman, Differential Testing for Software, 1998; the programs that this is for: GCC's torture tests, and those of Yang, Chen, Eide,
//! Regehr: Finding and Understanding Bugs in C Compilers, PLDI 2011.)
//!
//! What a `for` does first, its condition and its step get lines of their own before that, since a compiler leaves out a step behind a
//! body that always leaves its loop, and the beginning of a loop that is entered in its middle by `goto`. Behind a condition that
//! always holds gcc has no block, and clang has one if a label follows, so lines with such a condition are not judged in functions with
//! labels.
//!
//! **Direction of error.** What gcc runs counts as what the program does, so a program that leans on what C leaves open is blamed on
//! Footpath; a reader has to tell. Nothing is concluded about lines that were not executed, but that `abort` is not called.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::answers::list;
use crate::engines::{ask, judge};
use crate::job_slots::in_slot;
use crate::truth::{Claim, truths};

/// Before the program, as old ones declare no function.
const DECLARATION: &str = "void footpath_abort(void);";

/// Behind the program: what it calls for `abort`.
const ABORT: &str = "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));\n\
     void footpath_abort(void) { __assert_fail(\"abort\", \"\", 0, \"\"); }";

/// Kinds of checks of which sanitizers say if one failed, besides null pointers.
const SANITIZED: &str = "holds? bounds, holds? overflow, holds? division, holds? shift, holds? float_cast";

/// Flags that a program may ask for in a comment such as `{ dg-options "-fwrapv" }`, as compilers' test suites do.
const FLAGS: &[&str] = &[
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fgnu89-inline",
    "-funsigned-char",
    "-fsigned-char",
    "-fno-common",
    "-std=gnu89",
    "-std=gnu99",
    "-std=gnu11",
    "-std=c99",
];

/// How a program fared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fared {
    /// It ends well, and that is proved.
    Right(Found),
    /// Nothing wrong is said, but not that it ends well.
    Unknown(Found),
    /// What is said that is wrong.
    Wrong(String),
    /// Footpath does not take it, for this reason.
    Refused(String),
    /// Natively it does not end well here, so nothing is known.
    Skipped(&'static str),
}

/// How many of the truths about lines were found out, of how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// By either command.
    pub out: usize,
    /// What both were asked for.
    pub of: usize,
}

/// Compares what is said of a program with its native run, in a folder of its own.
///
/// # Errors
/// If a compiler or a file does not do what it should.
pub fn check_native_run(program: &Path, more: &[&str], folder: &Path) -> Result<Fared, String> {
    in_slot("native run", &program.display().to_string(), || compare(program, more, folder))
}

fn compare(program: &Path, more: &[&str], folder: &Path) -> Result<Fared, String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    // Old programs are not always UTF-8.
    let bytes = std::fs::read(program).map_err(|e| format!("{}: {e}", program.display()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let body = loops_on_lines(text.trim_end());
    let source = format!("{DECLARATION}\n{}\n{ABORT}\n", body.replace("//@ ", "// "));
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).map_err(|e| format!("{name} cannot be written: {e}"))
    };
    write("program.c", &source)?;
    let flags = [&["-w", "-Dvolatile=", "-Dabort=footpath_abort"], &asked_flags(&text)[..], more].concat();
    let Some((code, executed)) = executed_lines(&flags, folder)? else {
        return Ok(Fared::Skipped("natively it does not end by itself, or uses what gcc lacks"));
    };
    let is_clean = is_sanitized(&flags, folder, code)?;
    let abort = source.lines().count();
    let annotated = |of_line: &str, of_abort: &str, question: &str| {
        let mut result = String::new();
        for (i, line) in source.lines().enumerate() {
            let truth = match i + 1 {
                line if line == abort => of_abort,
                line if executed.contains(&line) && line < abort - 1 => of_line,
                _ => "",
            };
            // A truth stands neither in a text that goes on nor behind a comment; and which of its two places `va_arg` reads,
            // gcov does not say.
            let has_room = !line.ends_with('\\') && !line.contains("//") && !line.contains("va_arg");
            match truth {
                truth if truth.is_empty() || !has_room => _ = writeln!(result, "{line}"),
                truth => _ = writeln!(result, "{line} //@ {truth}"),
            }
        }
        (result, format!("{question} -- {}", flags.join(" ")))
    };
    // An allocation may fail, though in this run none did.
    let allocates = text.contains("alloc");
    let of_run = match is_clean {
        true if allocates => format!("covered?, {SANITIZED}"),
        true => format!("covered?, holds? null, {SANITIZED}"),
        false => "covered?".to_owned(),
    };
    let questions = [
        annotated(&of_run, "holds? assertion", "test --entry main --timeout 5 --jobs 1"),
        annotated("covered?", "", "test --timeout 1 --total-timeout 10 --jobs 1"),
    ];
    let (mut wrong, mut found, mut ends_well) = (String::new(), Found::default(), false);
    for (text, command) in questions {
        write("program.c", &text)?;
        let truths = truths(&text)?;
        let said = match ask(command.as_str(), &folder.join("program.c"), &folder.join("work"), &[]) {
            Ok((_, said)) => said,
            Err(why) if why.contains("ends with code 2") => return Ok(Fared::Refused(why)),
            Err(why) => return Ok(Fared::Wrong(why)),
        };
        let mut out = vec![false; truths.len()];
        wrong.push_str(&judge(&command, &truths, &said, &mut out));
        for (truth, out) in truths.iter().zip(out) {
            match truth.claim {
                Claim::Covered => {
                    found.of += 1;
                    found.out += usize::from(out);
                }
                _ if truth.line as usize == abort => ends_well = out,
                _ => {}
            }
        }
    }
    Ok(match ends_well {
        _ if !wrong.is_empty() => Fared::Wrong(wrong),
        true => Fared::Right(found),
        false => Fared::Unknown(found),
    })
}

/// The text with each part of the head of a loop on a line of its own, of those that have all of it on one line. Where compilers
/// have no code for one part, the line of the rest would not show it.
fn loops_on_lines(text: &str) -> String {
    let mut result = String::new();
    let mut continues = false;
    for line in text.lines() {
        let is_macro = continues || line.trim_start().starts_with('#');
        continues = line.ends_with('\\');
        let mut rest = line;
        while let Some(parts) = (!is_macro && !continues).then(|| parts_of_loop(rest)).flatten() {
            let mut from = 0;
            for part in parts {
                if !rest[from..part].trim_matches([' ', ';']).is_empty() {
                    let _ = writeln!(result, "{}", &rest[from..part]);
                    from = part;
                }
            }
            rest = &rest[from..];
        }
        let _ = writeln!(result, "{rest}");
    }
    result
}

/// Where the parts of the head of a line's first loop begin: behind the parenthesis, and behind each semicolon up to the one that
/// closes it.
fn parts_of_loop(line: &str) -> Option<[usize; 3]> {
    let (mut depth, mut quote, mut is_escaped) = (0, None, false);
    // The parentheses around the place where the head begins, if it has begun, and the parts that have.
    let mut head: Option<(i32, Vec<usize>)> = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '/') if line[at..].starts_with("//") => return None,
            (None, '(') => {
                let before = line[..at].trim_end().strip_suffix("for");
                let is_word = |text: &str| text.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                if head.is_none() && before.is_some_and(|text| !is_word(text)) {
                    head = Some((depth, vec![at + 1]));
                }
                depth += 1;
            }
            (None, ')') => {
                depth -= 1;
                head = head.filter(|(around, _)| *around != depth);
            }
            (None, ';') => {
                if let Some((_, parts)) = head.as_mut().filter(|(around, _)| depth == around + 1) {
                    parts.push(at + 1);
                    if let Ok(parts) = parts[..].try_into() {
                        return Some(parts);
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// What a comment of a test suite says about flags, as far as both compilers know them.
fn asked_flags(text: &str) -> Vec<&'static str> {
    let lines = text.lines().filter(|l| l.contains("dg-options") || l.contains("dg-additional-options"));
    let words: Vec<&str> = lines.flat_map(|l| l.split(['"', ' '])).collect();
    FLAGS.iter().copied().filter(|flag| words.contains(flag)).collect()
}

/// What `timeout` ends with at the limit; behind it, for signals.
const NO_END: i32 = 124;

/// Runs a command of the folder with a limit of time.
fn limited(folder: &Path, program: &str, arguments: &[&str]) -> Result<Output, String> {
    Command::new("timeout")
        .args(["20", program])
        .args(arguments)
        .envs([("ASAN_OPTIONS", "exitcode=77"), ("UBSAN_OPTIONS", "exitcode=77")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("timeout cannot be started: {e}"))
}

/// With which code the native run ends, and the lines, all of whose blocks it executes; `None` if it is ended by a signal.
fn executed_lines(flags: &[&str], folder: &Path) -> Result<Option<(i32, Vec<usize>)>, String> {
    let compile = [&["-O0", "--coverage", "-o", "native", "program.c", "-lm"], flags].concat();
    if !limited(folder, "gcc", &compile)?.status.success() {
        return Ok(None);
    }
    let code = limited(folder, "./native", &[])?.status.code().filter(|code| *code < NO_END);
    let Some(code) = code else { return Ok(None) };
    let wanted = ["--json-format", "--branch-probabilities", "--stdout", "native-program.gcda"];
    let counted = limited(folder, "gcov", &wanted)?;
    let report: Value =
        serde_json::from_slice(&counted.stdout).map_err(|e| format!("gcov writes no report: {e}"))?;
    let text = std::fs::read_to_string(folder.join("program.c")).map_err(|e| format!("program.c: {e}"))?;
    let labels: Vec<usize> =
        text.lines().enumerate().filter(|(_, line)| is_label(line)).map(|(i, _)| i + 1).collect();
    let mut lines: BTreeMap<usize, bool> = BTreeMap::new();
    for file in list(&report["files"]).iter().filter(|file| file["file"] == "program.c") {
        let place = |of: &Value| of.as_u64().unwrap_or_default() as usize;
        let with_labels: Vec<(usize, usize)> = list(&file["functions"])
            .iter()
            .map(|function| (place(&function["start_line"]), place(&function["end_line"])))
            .filter(|(start, end)| labels.iter().any(|label| (start..=end).contains(&label)))
            .collect();
        for line in list(&file["lines"]) {
            let number = place(&line["line_number"]);
            let has_labels = with_labels.iter().any(|(start, end)| (start..=end).contains(&&number));
            let is_decided = list(&line["branches"]).iter().any(|branch| branch["count"] == 0);
            let is_executed =
                line["count"] != 0 && line["unexecuted_block"] == false && !(has_labels && is_decided);
            *lines.entry(number).or_insert(true) &= is_executed;
        }
        // Code without a place in the text stands where its function does.
        for function in list(&file["functions"]) {
            lines.remove(&place(&function["start_line"]));
        }
    }
    lines.retain(|_, is_executed| *is_executed);
    Ok(Some((code, lines.into_keys().collect())))
}

/// Whether a line begins with a label for `goto`.
fn is_label(line: &str) -> bool {
    let Some((name, _)) = line.trim_start().split_once(':') else { return false };
    let is_name = name.trim_end().chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name && !name.is_empty() && name.trim_end() != "default"
}

/// Whether a run with sanitizers ends with the same code.
fn is_sanitized(flags: &[&str], folder: &Path, code: i32) -> Result<bool, String> {
    let sanitizers = ["-O0", "-fsanitize=undefined,address,float-cast-overflow", "-fno-sanitize-recover=all"];
    let compile = [&sanitizers[..], &["-o", "sanitized", "program.c", "-lm"], flags].concat();
    Ok(limited(folder, "clang", &compile)?.status.success()
        && limited(folder, "./sanitized", &[])?.status.code() == Some(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_loops_stand_on_their_own_lines() {
        let of = loops_on_lines;
        assert_eq!(
            of("for (i = 0; i < f(2, 3); i++) { a; b; }"),
            "for (\ni = 0;\n i < f(2, 3);\n i++) { a; b; }\n"
        );
        assert_eq!(of("for (; i < 3; i++) a;"), "for (\n; i < 3;\n i++) a;\n");
        let two = "for (;;) for (int j = ';'; j < (3); g(\";\")) h();";
        assert_eq!(of(two), "for (\n;;) for (\nint j = ';';\n j < (3);\n g(\";\")) h();\n");
        for same in
            ["therefor(a; b; c)", "s = \"for (a; b; c)\";", "x; // for (a; b; c)", "#define E for (;;)"]
        {
            assert_eq!(of(same), format!("{same}\n"));
        }
        let of_a_macro = "#define L \\\n  for (a; b; c) \\\n  d;\ne;\n";
        assert_eq!(of(of_a_macro), of_a_macro);
    }

    #[test]
    fn labels_are_those_of_goto() {
        assert!(["inside:", "  lbl_1: x = 3;"].into_iter().all(is_label));
        assert!(!["default:", "case 3:", "x ? y : z", ":", "x = 3;"].into_iter().any(is_label));
    }

    #[test]
    fn only_flags_that_both_compilers_know_are_taken_from_comments() {
        let text = "/* { dg-additional-options \"-fwrapv -fmodulo-sched\" } */\nint x = \"-fgnu89-inline\";";
        assert_eq!(asked_flags(text), ["-fwrapv"]);
    }
}
