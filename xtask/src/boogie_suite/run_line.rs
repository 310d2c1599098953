//! The comment in a test that says how Boogie is run on it.
//!
//! Boogie's tests are driven by LLVM's lit: `// RUN: %boogie -doModSetAnalysis "%S/lib.bpl" "%s" > "%t"`.

use std::path::{Path, PathBuf};

/// Flags that change what is well-formed and that Footpath does by itself.
///
/// Left out on purpose: flags about proving, printing and limits.
const RELEVANT: &[&str] = &["useArrayTheory", "lib"];

/// Flags that change what is well-formed, and have no counterpart here.
const WITHOUT_COUNTERPART: &[&str] = &[
    "doModSetAnalysis",
    "inferModifies",
    "overlookTypeErrors",
    "noResolve",
    "noTypecheck",
    "useUnsatCoreForContractInfer",
];

/// How Boogie is run on a test.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RunLine {
    /// Whether there is such a line at all.
    pub is_run: bool,
    /// The files of the program in order, the test included; none if no line says.
    pub files: Vec<PathBuf>,
    pub flags: Vec<String>,
    /// A flag that makes the comparison meaningless.
    pub without_counterpart: Option<String>,
}

impl RunLine {
    /// The files besides the test itself, which comes last.
    pub fn other_files(&self) -> &[PathBuf] {
        self.files.split_last().map_or(&[], |(_, others)| others)
    }
}

/// Reads the first line that runs Boogie on the test.
pub fn read(text: &str, test: &Path) -> RunLine {
    let commands = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("//")?.trim_start().strip_prefix("RUN:"));
    for command in commands {
        let mut words = command.split_whitespace().map(|word| word.trim_matches('"'));
        if !words.next().is_some_and(|program| matches!(program, "%boogie" | "%parallel-boogie")) {
            continue;
        }
        let folder = test.parent().unwrap_or(Path::new("."));
        let mut run = RunLine { is_run: true, ..RunLine::default() };
        for word in
            words.take_while(|word| !word.starts_with(['>', '|', '&', ';']) && !word.starts_with("2>"))
        {
            if let Some(flag) = word.strip_prefix(['-', '/']) {
                let name = flag.split(':').next().unwrap_or(flag);
                if WITHOUT_COUNTERPART.contains(&name) {
                    run.without_counterpart.get_or_insert_with(|| word.to_owned());
                } else if RELEVANT.contains(&name) {
                    run.flags.push(format!("/{flag}"));
                }
            } else if let Some(name) = word.strip_prefix("%S/") {
                run.files.push(folder.join(name));
            } else if word.ends_with(".bpl") {
                run.files.push(folder.join(word));
            }
        }
        // The test comes last, whatever the order in the line: the order of declarations means nothing.
        run.files.retain(|file| file != test);
        run.files.push(test.to_owned());
        return run;
    }
    RunLine::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> RunLine {
        read(text, Path::new("t/a.bpl"))
    }

    #[test]
    fn a_file_without_a_line_is_not_run() {
        assert_eq!(check("procedure p();\n// RUN: %diff x y\n"), RunLine::default());
    }

    #[test]
    fn relevant_flags_and_further_files_are_kept_and_output_is_not() {
        let run =
            check("// RUN: %parallel-boogie -useArrayTheory /errorTrace:0 \"%S/lib.bpl\" \"%s\" > \"%t\"\n");
        assert_eq!(run.flags, ["/useArrayTheory"]);
        assert_eq!(run.files, [Path::new("t/lib.bpl"), Path::new("t/a.bpl")]);
        assert_eq!(run.other_files(), [Path::new("t/lib.bpl")]);
        assert_eq!(run.without_counterpart, None);
    }

    #[test]
    fn a_flag_without_counterpart_is_named() {
        let run = check("// RUN: %boogie -noVerify -doModSetAnalysis \"%s\" | %OutputCheck \"%s\"\n");
        assert_eq!(run.without_counterpart.as_deref(), Some("-doModSetAnalysis"));
        assert_eq!(run.files, [Path::new("t/a.bpl")]);
    }
}
