//! Rules about a file's text alone.

use super::{File, Finding};

/// Crates hold no markers of unfinished work, no debugging output and no test that does not run.
pub fn no_left_overs(files: &[File]) -> Vec<Finding> {
    const WORDS: &[&str] = &["todo!", "unimplemented!", "dbg!", "FIXME", "XXX", "#[ignore"];
    let sources = files.iter().filter(|file| file.is_in("crates") && file.has_extension("rs"));
    sources
        .flat_map(|file| {
            file.lines().flat_map(move |(line, text)| {
                let found = WORDS.iter().filter(move |word| contains_word(text, word));
                found.map(move |word| file.finding(line, format!("`{word}` is left over")))
            })
        })
        .collect()
}

/// Whether the word stands in the text, and not as part of a longer one.
fn contains_word(text: &str, word: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !joins(before) && !joins(after)
    })
}

/// A module of some length says first what it is about.
pub fn long_modules_open_with_documentation(files: &[File]) -> Vec<Finding> {
    const LONG: usize = 120;
    let long = files.iter().filter(|file| file.has_extension("rs") && file.lines().count() > LONG);
    long.filter(|file| !file.text.starts_with("//!"))
        .map(|file| file.finding(1, format!("over {LONG} lines, and does not open with `//!`")))
        .collect()
}

/// No source file grows past what can be read.
pub fn files_stay_readable(files: &[File]) -> Vec<Finding> {
    const WARN: usize = 800;
    const FAIL: usize = 1200;
    let sources = files.iter().filter(|file| file.has_extension("rs"));
    sources
        .map(|file| (file, file.lines().count()))
        .filter(|(_, lines)| *lines > WARN)
        .map(|(file, lines)| {
            let message = format!("{lines} lines: ask what it is two of (at most {FAIL})");
            Finding { is_warning: lines <= FAIL, ..file.finding(0, message) }
        })
        .collect()
}

/// No file names the host of a package registry or a forge: what is fetched is fetched by a package
/// manager, from wherever that one is told to. Cargo writes a registry into its lock file itself.
pub fn no_hosts_are_named(files: &[File]) -> Vec<Finding> {
    let hosts: Vec<String> = HOSTS.iter().map(|(name, domain)| format!("{name}.{domain}")).collect();
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.path != "Cargo.lock") {
        for (line, text) in file.lines() {
            let text = text.to_lowercase();
            let named = hosts.iter().filter(|host| text.contains(*host));
            findings.extend(named.map(|host| file.finding(line, format!("names the host {host}"))));
        }
    }
    findings
}

/// In pieces, as the rule reads this file too.
const HOSTS: &[(&str, &str)] = &[
    ("crates", "io"),
    ("pypi", "org"),
    ("pythonhosted", "org"),
    ("npmjs", "org"),
    ("npmjs", "com"),
    ("debian", "org"),
    ("ubuntu", "com"),
    ("rubygems", "org"),
    ("golang", "org"),
    ("maven", "org"),
    ("nuget", "org"),
    ("docker", "io"),
    ("github", "com"),
    ("githubusercontent", "com"),
    ("github", "io"),
    ("gitlab", "com"),
    ("bitbucket", "org"),
    ("codeberg", "org"),
    ("sourceforge", "net"),
];

/// No tabs, and nothing invisible at the end of a line.
pub fn white_space_is_plain(files: &[File]) -> Vec<Finding> {
    let read = files.iter().filter(|file| file.has_extension("rs") || file.has_extension("md"));
    let mut findings = Vec::new();
    for file in read {
        for (line, text) in file.lines() {
            if text.ends_with(char::is_whitespace) {
                findings.push(file.finding(line, "white space at the end of the line"));
            }
            if text.contains('\t') {
                findings.push(file.finding(line, "a tab"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::{file, findings};
    use super::*;

    #[test]
    fn left_overs_in_crates_are_found_each_with_its_line() {
        let text = "fn f() {\n    todo!()\n}\n#[ignore = \"slow\"]\n// FIXME: and XXX\n";
        let found = findings(no_left_overs, &[file("crates/a/src/lib.rs", text)]);
        let lines = ["2: `todo!`", "4: `#[ignore`", "5: `FIXME`", "5: `XXX`"];
        assert_eq!(found, lines.map(|line| format!("crates/a/src/lib.rs:{line} is left over")));
    }

    #[test]
    fn longer_words_and_other_folders_hold_no_left_overs() {
        let text = "mkstemp(\"fXXXXXX\"); my_todo!(); // todo later\n";
        assert!(findings(no_left_overs, &[file("crates/a/src/lib.rs", text)]).is_empty());
        assert!(findings(no_left_overs, &[file("xtask/src/main.rs", "todo!()")]).is_empty());
    }

    #[test]
    fn only_long_modules_must_open_with_documentation() {
        let check =
            |text: String| findings(long_modules_open_with_documentation, &[file("a.rs", &text)]).len();
        assert_eq!(check("x\n".repeat(120)), 0);
        assert_eq!(check("x\n".repeat(121)), 1);
        assert_eq!(check(format!("//! About.\n{}", "x\n".repeat(200))), 0);
    }

    #[test]
    fn a_large_file_is_a_warning_and_a_huge_one_a_failure() {
        let check = |lines: usize| {
            let found = files_stay_readable(&[file("a.rs", &"x\n".repeat(lines))]);
            found.first().map(|finding| finding.is_warning)
        };
        assert_eq!([800, 801, 1200, 1201].map(check), [None, Some(true), Some(true), Some(false)]);
    }

    #[test]
    fn hosts_are_found_in_any_file_but_the_lock_file() {
        let text = format!("fine\nfetch https://Static.{}.{}/x\n", "crates", "io");
        let found = findings(no_hosts_are_named, &[file("a.toml", &text), file("Cargo.lock", &text)]);
        assert_eq!(found, [format!("a.toml:2: names the host {}.{}", "crates", "io")]);
    }

    #[test]
    fn tabs_and_trailing_white_space_are_found_in_sources_and_prose() {
        let text = "a \n\tb\nc\n";
        let expected = ["a.md:1: white space at the end of the line", "a.md:2: a tab"];
        assert_eq!(findings(white_space_is_plain, &[file("a.md", text)]), expected);
        assert!(findings(white_space_is_plain, &[file("a.bpl", text)]).is_empty());
    }
}
