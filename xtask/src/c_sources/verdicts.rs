//! Regression of verdicts: what `footpath test` decides about each library, compared with an earlier run.
//!
//! Each file of a library is tested with a limit for each function and one for the whole file, and its objectives are counted by
//! verdict. The counts are a table, one row for each library and verdict:
//!
//! ```text
//! zlib covered 2310
//! zlib unknown 812
//! ```
//!
//! A later run reads the table and says where it decides less: where fewer objectives are covered, or fewer are unreachable.
//!
//! **Direction of error.** Counts are compared, not objectives: one verdict lost and another one won go unseen. Limits are times,
//! so a busy machine decides less; a difference is a reason to look, no proof of a fault.

use super::Library;
use footpath_report::suite::compare::count_verdicts;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Seconds for each function, and for each file.
const LIMITS: [&str; 4] = ["--timeout", "1", "--total-timeout", "30"];

/// What is not worth a finding where there is less of it.
const OPEN: &str = "unknown";

/// How many objectives have a verdict, by library and verdict.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdicts(BTreeMap<(String, String), u64>);

impl Verdicts {
    /// Tests all files of a library; those that do not compile are left out.
    pub fn add_library(&mut self, library: &Library, footpath: &Path, into: &Path) -> Result<(), String> {
        for file in &library.files {
            let output = Command::new(footpath)
                .arg("test")
                .arg(file)
                .args(LIMITS)
                .args(["--no-store", "--format", "json", "-o"])
                .arg(into.join("tests"))
                .arg("--")
                .args(&library.flags)
                .stdin(Stdio::null())
                .stderr(Stdio::null())
                .output()
                .map_err(|error| format!("cannot run {}: {error}", footpath.display()))?;
            match output.status.code() {
                Some(0) => self.add_report(&library.name, &String::from_utf8_lossy(&output.stdout))?,
                // It does not compile.
                Some(2) => {}
                _ => return Err(format!("footpath test ends with {} on {}", output.status, file.display())),
            }
        }
        Ok(())
    }

    fn add_report(&mut self, library: &str, report: &str) -> Result<(), String> {
        for (verdict, count) in count_verdicts(report).map_err(|error| format!("{library}: {error}"))? {
            *self.0.entry((library.to_owned(), verdict)).or_default() += count;
        }
        Ok(())
    }

    /// The table.
    pub fn table(&self) -> String {
        self.0.iter().map(|((library, verdict), count)| format!("{library} {verdict} {count}\n")).collect()
    }

    /// Reads a table.
    pub fn read(table: &str) -> Result<Verdicts, String> {
        let row = |line: &str| {
            let mut words = line.split_whitespace();
            let key = (words.next()?.to_owned(), words.next()?.to_owned());
            let count = words.next()?.parse().ok()?;
            words.next().is_none().then_some((key, count))
        };
        let rows =
            table.lines().map(|line| row(line).ok_or_else(|| format!("this is no row of verdicts: {line}")));
        Ok(Verdicts(rows.collect::<Result<_, _>>()?))
    }

    /// Where this run decides less than an earlier one did, of the libraries of this run.
    pub fn losses(&self, earlier: &Verdicts) -> Vec<String> {
        let is_here = |library: &str| self.0.keys().any(|(l, _)| l == library);
        let mut losses = Vec::new();
        for ((library, verdict), before) in &earlier.0 {
            let now = self.0.get(&(library.clone(), verdict.clone())).copied().unwrap_or(0);
            if is_here(library) && verdict != OPEN && now < *before {
                losses.push(format!("{library}: {now} objectives are {verdict}, which were {before}"));
            }
        }
        losses
    }
}

/// Builds the program that is tried; where it is.
pub fn build_footpath(root: &Path) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let arguments = ["build", "--release", "--quiet", "-p", "footpath-cli"];
    super::packages::run(Command::new(cargo).args(arguments).current_dir(root))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(root.join(target).join("release/footpath"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_read_back_and_losses_are_said() {
        let before =
            Verdicts::read("zlib covered 9\nzlib unknown 4\nlua covered 5\nxz unreachable 1\n").unwrap();
        assert_eq!(Verdicts::read(&before.table()).unwrap(), before);
        let now = Verdicts::read("zlib covered 8\nzlib unknown 2\nlua covered 6\n").unwrap();
        assert_eq!(now.losses(&before), ["zlib: 8 objectives are covered, which were 9"]);
        assert!(before.losses(&now).iter().any(|l| l.starts_with("lua: 5")));
        assert!(Verdicts::read("zlib covered many\n").is_err());
    }

    #[test]
    fn objectives_of_reports_are_added_up() {
        let objective = |verdict: &str| format!(r#"{{"id": "L1", "kind": "block", "verdict": "{verdict}"}}"#);
        let objectives = [objective("covered"), objective("covered"), objective("unknown")].join(",");
        let function =
            format!(r#"{{"name": "f", "file": "f.c", "objectives": [{objectives}], "tests": []}}"#);
        let report = format!(r#"{{"command": [], "functions": [{function}]}}"#);
        let mut verdicts = Verdicts::default();
        verdicts.add_report("zlib", &report).unwrap();
        verdicts.add_report("zlib", &report).unwrap();
        assert_eq!(verdicts.table(), "zlib covered 4\nzlib unknown 2\n");
        assert!(verdicts.add_report("zlib", "{").is_err());
    }
}
