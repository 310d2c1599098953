//! Documentation tests: every command of a page is run, and has to print what the page says.
//!
//! A page of the book is a Markdown file, and its fenced blocks are read by their first line:
//!
//! | first line | meaning |
//! |---|---|
//! | ```` ```console ```` | commands behind `$ `, each followed by what it prints |
//! | ```` ```c deposit.c ```` | a file, which the commands behind it find in their folder |
//! | any other | text; a line that begins with `$ ` is a mistake there |
//!
//! A page has a folder of its own, in which its commands run one after the other, by the shell: so a page may redirect,
//! look at what was written, and ask for `$?`. The folder holds the program as `footpath` and the folder of examples as
//! `examples`; Python finds the package `footpath`. For example, this page passes if the file of three lines can be read and type-checked:
//!
//! ````text
//! ```boogie zero.bpl
//! procedure Zero() returns (r: int) { r := 0; }
//! ```
//!
//! ```console
//! $ footpath check zero.bpl
//! …
//! ```
//! ````
//!
//! Output has to agree line by line, but for measured times, which are compared as if they were equal, and for what the
//! page leaves out: a line `…` stands for any number of lines, `[..]` for anything within a line. A command that does not
//! end with code 0 is a complaint, unless the next command of its block is `echo $?`. `BLESS=1` writes what was
//! printed into the page, in the place of what does not fit; what is to be left out has to be taken out by hand.
//!
//! Other commands of a page are patterns (`footpath cover FILE`), and are only read: each flag in them, and each flag that
//! the text names, has to be one that [`footpath_cli::flags_page`] describes.
//!
//! Other runners of documentation (trycmd, snapbox) take a command's files from a folder beside the page, so that the
//! program that a reader sees is not the one that is run; and they run no shell.
//!
//! **Direction of error.** A page can pass and be wrong only in what it leaves out: times, wildcards and prose.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::filetest::{difference, normalise};

/// What stands for any number of lines, alone on its line.
const ANY_LINES: &str = "…";
/// What stands for any text within a line.
const ANY_TEXT: &str = "[..]";

/// A command of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Step {
    /// The text behind `$ `, for the shell.
    command: String,
    /// The index of the line behind it.
    first: usize,
    /// The lines that it is expected to print.
    expected: Vec<String>,
}

/// A fenced block of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Block {
    /// A file with its name and text.
    File(String, String),
    /// Commands that are run one after the other.
    Commands(Vec<Step>),
}

/// Runs the commands of a page in the folder, which is emptied first, with the program under its name `footpath`.
/// `examples` is the folder that commands know by this name. The error lists all that differs, or, with `BLESS` set, what
/// cannot be written.
pub fn check_page(page: &Path, program: &Path, examples: &Path, folder: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(page).map_err(|e| e.to_string())?;
    let lines: Vec<&str> = text.lines().collect();
    let folder = prepare(program, examples, folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut complaints = String::new();
    let mut blessed: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for block in blocks(&lines)? {
        match block {
            Block::File(name, text) => {
                std::fs::write(folder.join(&name), text).map_err(|e| format!("{name}: {e}"))?;
            }
            Block::Commands(steps) => {
                let mut code = 0;
                for (i, step) in steps.iter().enumerate() {
                    let (printed, now) = run(&step.command, code, &folder)?;
                    code = now;
                    let asked = steps.get(i + 1).is_some_and(|next| next.command == "echo $?");
                    if code != 0 && !asked {
                        let _ = writeln!(complaints, "$ {}\n  ends with code {code}", step.command);
                    }
                    if !fits(&normalised(&step.expected), &normalised(&printed)) {
                        let expected = step.expected.join("\n");
                        let _ = writeln!(complaints, "line {}: $ {}", step.first, step.command);
                        complaints.push_str(&difference(&expected, &printed.join("\n")));
                        blessed.push((step.first, step.expected.len(), printed));
                    }
                }
            }
        }
    }
    if complaints.is_empty() {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        return std::fs::write(page, bless(&lines, &blessed)).map_err(|e| e.to_string());
    }
    Err(format!("{complaints}BLESS=1 accepts the new output"))
}

/// Complains about flags that no command has: in the patterns of commands that the page shows, and alone in its text.
/// `flags` is the page that describes them all.
pub fn check_flags(page: &Path, flags: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(page).map_err(|e| e.to_string())?;
    let known = flags_by_command(flags);
    let all: BTreeSet<&str> = known.values().flatten().copied().collect();
    let mut complaints = String::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let spans: Vec<&str> = if fenced { vec![line] } else { line.split('`').skip(1).step_by(2).collect() };
        for span in spans {
            // What stands in quotes is another program's.
            let unquoted: Vec<&str> = span.split('\'').step_by(2).collect();
            let unquoted = unquoted.join(" ");
            let words: Vec<&str> = unquoted.split_whitespace().filter(|&w| w != "$").collect();
            let of = match words.as_slice() {
                ["footpath" | "./footpath", command, ..] if !command.starts_with('-') => {
                    let Some(flags) = known.get(command) else {
                        // A synopsis has a word in capitals in the place of the command.
                        if command.chars().all(|c| c.is_ascii_lowercase()) {
                            let _ = writeln!(complaints, "line {}: no command `{command}`", number + 1);
                        }
                        continue;
                    };
                    flags
                }
                [flag, ..] if !fenced && flag.starts_with("--") => &all,
                _ => continue,
            };
            let ours = words.iter().take_while(|&&w| w != "--" && w != "|" && w != "#");
            for flag in ours.filter_map(|w| flag_name(w)) {
                if !of.contains(flag) && !matches!(flag, "--help" | "--version") {
                    let _ = writeln!(complaints, "line {}: no flag {flag} in `{}`", number + 1, span.trim());
                }
            }
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

/// The long flags of each command, by the headings and the tables of the page that describes them.
fn flags_by_command(page: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut known: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut command = "";
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("## `footpath ").and_then(|rest| rest.strip_suffix('`')) {
            command = name;
            known.entry(command).or_default();
        } else if let Some(row) = line.strip_prefix("| ") {
            let cell = row.split(" | ").next().unwrap_or_default();
            let words = cell.split(|c: char| c.is_whitespace() || matches!(c, '`' | ',' | '['));
            known.entry(command).or_default().extend(words.filter_map(flag_name));
        }
    }
    known
}

/// The long flag that a word begins with, such as `--unwind` in `--unwind=8,`.
fn flag_name(word: &str) -> Option<&str> {
    let rest = word.strip_prefix("--")?;
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
    (length > 0).then(|| &word[..length + 2])
}

/// Empties the folder and puts the program and the examples into it.
fn prepare(program: &Path, examples: &Path, folder: &Path) -> std::io::Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let folder = folder.canonicalize()?;
    std::os::unix::fs::symlink(program.canonicalize()?, folder.join("footpath"))?;
    std::os::unix::fs::symlink(examples.canonicalize()?, folder.join("examples"))?;
    Ok(folder)
}

/// The blocks of a page that say what to do. The error is a line that looks like a command and would not be run.
fn blocks(lines: &[&str]) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut rest = lines.iter().enumerate();
    while let Some((start, line)) = rest.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let fence = line.len() - line.trim_start_matches('`').len();
        let body: Vec<&str> =
            rest.by_ref().map(|(_, l)| *l).take_while(|l| *l != "`".repeat(fence)).collect();
        let words: Vec<&str> = info.split_whitespace().collect();
        match words.as_slice() {
            ["console"] => blocks.push(Block::Commands(steps(&body, start + 1)?)),
            [_, name] => blocks.push(Block::File((*name).to_owned(), body.join("\n") + "\n")),
            _ => {
                if let Some(i) = body.iter().position(|l| l.starts_with("$ ")) {
                    return Err(format!("line {}: only blocks of kind `console` are run", start + i + 2));
                }
            }
        }
    }
    Ok(blocks)
}

/// The commands of a block of which `first` is the index of the first line.
fn steps(body: &[&str], first: usize) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for (i, line) in body.iter().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            let command = command.trim().to_owned();
            steps.push(Step { command, first: first + i + 1, expected: Vec::new() });
        } else {
            let last = steps
                .last_mut()
                .ok_or_else(|| format!("line {}: output without a command", first + i + 1))?;
            last.expected.push((*line).to_owned());
        }
    }
    for step in &mut steps {
        // Empty lines in front of the next command are for the reader.
        while step.expected.last().is_some_and(String::is_empty) {
            step.expected.pop();
        }
    }
    Ok(steps)
}

/// What a command prints, and its exit code. `$?` is the code of the command before.
fn run(command: &str, before: i32, folder: &Path) -> Result<(Vec<String>, i32), String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("exec 2>&1; (exit {before})\n{command}"))
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("LC_ALL", "C.UTF-8")
        .env("PYTHONPATH", concat!(env!("CARGO_MANIFEST_DIR"), "/../../python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("{command}: {e}"))?;
    let code = output.status.code().ok_or_else(|| format!("{command}: ended by a signal"))?;
    let text = String::from_utf8_lossy(&output.stdout).replace(&format!("{}/", folder.display()), "");
    let mut printed: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    while printed.last().is_some_and(String::is_empty) {
        printed.pop();
    }
    Ok((printed, code))
}

fn normalised(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| normalise(line.trim_end())).collect()
}

/// Whether the lines are those that are expected, up to wildcards.
fn fits(expected: &[String], actual: &[String]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((first, rest)) if first == ANY_LINES => (0..=actual.len()).any(|n| fits(rest, &actual[n..])),
        Some((first, rest)) => {
            actual.split_first().is_some_and(|(line, behind)| fits_line(first, line) && fits(rest, behind))
        }
    }
}

/// Whether the line is the one that is expected, up to wildcards.
fn fits_line(expected: &str, actual: &str) -> bool {
    match expected.split_once(ANY_TEXT) {
        None => expected == actual,
        Some((start, rest)) => actual.strip_prefix(start).is_some_and(|behind| {
            behind.char_indices().any(|(i, _)| fits_line(rest, &behind[i..])) || fits_line(rest, "")
        }),
    }
}

/// The page with what was printed in the place of what was expected: index of a line, number of lines, new lines.
fn bless(lines: &[&str], changes: &[(usize, usize, Vec<String>)]) -> String {
    let mut text = String::new();
    let mut next = 0;
    for (first, count, printed) in changes {
        for line in lines[next..*first].iter().copied().chain(printed.iter().map(String::as_str)) {
            let _ = writeln!(text, "{line}");
        }
        next = first + count;
    }
    for line in &lines[next..] {
        let _ = writeln!(text, "{line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "# Page\n```c a.c\nint x;\n```\n```console\n$ cat a.c\nint x;\n\n$ exit 3\n$ echo $?\n3\n```\n";

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_page_is_files_and_commands_with_output() {
        let found = blocks(&PAGE.lines().collect::<Vec<_>>()).expect("well formed");
        let step = |command: &str, first, expected: &[&str]| Step {
            command: command.to_owned(),
            first,
            expected: expected.iter().map(|&l| l.to_owned()).collect(),
        };
        let steps =
            vec![step("cat a.c", 6, &["int x;"]), step("exit 3", 9, &[]), step("echo $?", 10, &["3"])];
        assert_eq!(found, [Block::File("a.c".to_owned(), "int x;\n".to_owned()), Block::Commands(steps)]);
        let text = blocks(&["```text", "$ footpath check a.c", "```"]);
        assert!(text.is_err(), "a command that nobody runs is a mistake");
    }

    #[test]
    fn wildcards_stand_for_lines_and_for_parts_of_lines() {
        let actual = lines("a\nb 17\nc\nd");
        assert!(fits(&lines("a\n…\nd"), &actual));
        assert!(fits(&lines("a\nb [..]\n…"), &actual));
        assert!(fits(&lines("a\nb 17\nc\nd\n…"), &actual), "no line is a number of lines");
        assert!(!fits(&lines("a\n…\nc"), &actual));
        assert!(!fits(&lines("a\nb [..]8\nc\nd"), &actual));
        assert!(fits_line("[..]x[..]", "x"));
    }

    #[test]
    fn a_page_is_run_and_blessed() {
        let root = std::env::temp_dir().join(format!("footpath-book-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("a folder");
        let page = root.join("page.md");
        let check = |text: &str| {
            std::fs::write(&page, text).expect("written");
            check_page(&page, Path::new("/bin/true"), &root, &root.join("run"))
        };
        assert_eq!(check(PAGE), Ok(()));
        let other = check(&PAGE.replace("\nint x;\n\n", "\nint y;\n\n")).expect_err("the output differs");
        assert!(other.contains("- int y;") && other.contains("+ int x;"), "{other}");
        let code = check(&PAGE.replace("$ echo $?\n3\n", "")).expect_err("code 3 goes unsaid");
        assert!(code.contains("ends with code 3"), "{code}");
        let page: Vec<&str> = PAGE.lines().collect();
        let blessed = bless(&page, &[(6, 1, lines("1\n2"))]);
        assert_eq!(blessed, PAGE.replace("\nint x;\n\n", "\n1\n2\n\n"));
        std::fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn flags_are_those_of_the_command() {
        let flags = "## `footpath cover`\n| `FILE…` | --none |\n| `-o, --output DIR` | a |\n## `footpath test`\n| `--unwind K` | b |\n";
        let root = std::env::temp_dir().join(format!("footpath-flags-{}.md", std::process::id()));
        let check = |text: &str| {
            std::fs::write(&root, text).expect("written");
            check_flags(&root, flags)
        };
        assert_eq!(
            check("`--unwind=3` and `footpath cover --output 'a --b' -- --flag` and `cc --other`"),
            Ok(())
        );
        assert!(check("`footpath cover --unwind 3`").is_err(), "a flag of another command");
        assert!(check("`--none`").is_err(), "named in a description only");
        assert!(check("```sh\n./footpath cove FILE\n```").is_err(), "no such command");
        std::fs::remove_file(root).expect("removed");
    }
}
