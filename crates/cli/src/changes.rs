//! What changed: the lines of a unified diff, or those since a commit of a git repository.
//!
//! **Idea.** The lines that a diff adds are the ones that changed. Where it only removes lines, nothing is left to point at: the line
//! before them stands for them. Files that git does not track are new as a whole.
//!
//! git is asked as a process, so that its own rules hold (renames, ignored files, line ends). It gets no pager, no external diff, no
//! text conversion and no hooks, which a repository could bring along.
//!
//! **Direction of error.** More lines may be called changed than are: the line before a removal.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use footpath_driver::{LineSet, SourceLines};

use crate::coverage_from::text;

/// Larger diffs are refused.
const MAX_BYTES: u64 = 256 << 20;

/// The lines that changed by a diff in a file.
///
/// # Errors
/// If it cannot be read, or is none; with the place.
pub fn of_diff(path: &Path) -> Result<SourceLines> {
    let text = text(path, MAX_BYTES)?;
    let files = changed(&text).map_err(|(line, why)| anyhow::anyhow!("{}:{line}: {why}", path.display()))?;
    Ok(SourceLines { from: path.display().to_string(), files })
}

/// The lines that changed since a commit, in the repository of the working folder.
///
/// # Errors
/// If git does not run, this is no repository, or there is no such commit.
pub fn since(reference: &str) -> Result<SourceLines> {
    let said = |args: &[&str]| -> Result<Option<String>> {
        let output = git(Path::new(".")).args(args).output().context("git cannot be started")?;
        let text = String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned();
        Ok(output.status.success().then_some(text))
    };
    let root = said(&["rev-parse", "--show-toplevel"])?;
    let root =
        PathBuf::from(root.context("--since needs a git repository, and the working folder is in none")?);
    let commit = format!("{reference}^{{commit}}");
    let commit = said(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?
        .with_context(|| format!("--since: `{reference}` is no commit of this repository"))?;
    let diff = [
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--unified=0",
        "--find-renames",
        "--ignore-submodules",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        &commit,
        "--",
    ];
    let diff = bounded(git(&root).args(diff))?;
    let from = format!("git diff {reference}");
    let files = changed(&diff).map_err(|(line, why)| anyhow::anyhow!("line {line} of `{from}`: {why}"))?;
    let mut files: BTreeMap<PathBuf, LineSet> =
        files.into_iter().map(|(path, lines)| (root.join(path), lines)).collect();
    let new = bounded(git(&root).args(["ls-files", "--others", "--exclude-standard", "-z"]))?;
    let new = new.split('\0').filter(|path| !path.is_empty());
    files.extend(new.map(|path| (root.join(path), LineSet::all())));
    Ok(SourceLines { from, files })
}

/// git in a folder, with nothing that a repository could make it start.
fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(folder).stdin(Stdio::null());
    git.args(["--no-pager", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false"]);
    git.args(["-c", "core.hooksPath=/dev/null"]);
    git.env_remove("GIT_EXTERNAL_DIFF").env_remove("GIT_DIFF_OPTS").env_remove("GIT_PAGER");
    git.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
    git
}

/// What a command prints, up to a limit.
fn bounded(command: &mut Command) -> Result<String> {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("git cannot be started")?;
    let mut bytes = Vec::new();
    let read = match child.stdout.take() {
        Some(out) => out.take(MAX_BYTES + 1).read_to_end(&mut bytes),
        None => Ok(0),
    };
    let is_whole = bytes.len() as u64 <= MAX_BYTES && read.is_ok();
    if !is_whole {
        // It may be over already.
        let _ = child.kill();
    }
    let status = child.wait().context("git cannot be waited for")?;
    ensure!(is_whole, "git prints more than {} MiB", MAX_BYTES >> 20);
    ensure!(status.success(), "git failed ({status}); `git diff` says why");
    // Names and texts in other encodings are not those of sources that can be read.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The lines that a unified diff adds, or before which it removes lines, by files.
///
/// # Errors
/// The number of a line, and what is wrong with it.
fn changed(text: &str) -> Result<BTreeMap<PathBuf, LineSet>, (usize, String)> {
    let mut files: BTreeMap<PathBuf, Vec<(u32, u32)>> = BTreeMap::new();
    let mut file: Option<PathBuf> = None;
    let mut is_diff = text.trim().is_empty();
    let mut lines = text.split('\n').enumerate().peekable();
    while let Some((i, line)) = lines.next() {
        if let Some(name) = line.strip_prefix("+++ ") {
            is_diff = true;
            file = new_name(name);
            if let Some(file) = &file {
                files.entry(file.clone()).or_default();
            }
        } else if line.starts_with("@@@") {
            return Err((i + 1, "this is the diff of a merge; make one against one commit".to_owned()));
        } else if line.starts_with("@@ ") {
            let [mut old, mut next, mut new] =
                hunk(line).ok_or_else(|| (i + 1, "this line does not say which lines follow".to_owned()))?;
            let mut ranges = Vec::new();
            // Whether lines were removed, and none added in their place so far.
            let mut removed = false;
            // Where nothing is left, git gives the line before.
            next += u32::from(new == 0);
            while old > 0 || new > 0 {
                let (at, line) =
                    lines.next().ok_or_else(|| (i + 1, "the diff ends within this piece".to_owned()))?;
                let (is_old, is_new) = match line.as_bytes().first() {
                    Some(b'-') => (true, false),
                    Some(b'+') => (false, true),
                    Some(b' ' | b'\r') | None => (true, true),
                    Some(b'\\') => continue,
                    Some(_) => return Err((at + 1, "this is no line of a diff".to_owned())),
                };
                if is_new && !is_old {
                    ranges.push((next, next));
                } else if is_new && removed {
                    ranges.push(before(next));
                }
                removed = !is_new;
                old = old.saturating_sub(u32::from(is_old));
                new = new.saturating_sub(u32::from(is_new));
                next = next.saturating_add(u32::from(is_new));
            }
            if removed {
                ranges.push(before(next));
            }
            if let Some(file) = &file {
                files.entry(file.clone()).or_default().append(&mut ranges);
            }
        } else if line.starts_with("diff ") {
            (is_diff, file) = (true, None);
        }
    }
    if !is_diff {
        return Err((1, "this is no unified diff: it names no file (`+++ FILE`)".to_owned()));
    }
    Ok(files.into_iter().map(|(file, ranges)| (file, LineSet::of(ranges))).collect())
}

/// The line before another one.
fn before(line: u32) -> (u32, u32) {
    let line = line.saturating_sub(1).max(1);
    (line, line)
}

/// Of `@@ -A,B +C,D @@`, B, C and D.
fn hunk(line: &str) -> Option<[u32; 3]> {
    let mut words = line.split(' ').skip(1);
    let range = |word: &str, sign| -> Option<(u32, u32)> {
        let (first, count) = word.strip_prefix(sign)?.split_once(',').unwrap_or((&word[1..], "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    let (_, old) = range(words.next()?, '-')?;
    let (first, new) = range(words.next()?, '+')?;
    (words.next()? == "@@").then_some([old, first, new])
}

/// The name of a file after a change; nothing if it is gone.
fn new_name(text: &str) -> Option<PathBuf> {
    let text = text.trim_end_matches('\r');
    let name = match text.strip_prefix('"') {
        Some(quoted) => unquoted(quoted),
        // A time may follow.
        None => text.split('\t').next().unwrap_or_default().to_owned(),
    };
    if name == "/dev/null" || name.is_empty() {
        return None;
    }
    Some(PathBuf::from(name.strip_prefix("b/").unwrap_or(&name)))
}

/// A name as git quotes it, behind the first quote.
fn unquoted(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => break,
            b'\\' => {
                let mut code = 0_u32;
                let mut digits = 0;
                while let Some(digit) = rest.next_if(|b| digits < 3 && (b'0'..=b'7').contains(b)) {
                    code = code * 8 + u32::from(digit - b'0');
                    digits += 1;
                }
                bytes.push(match digits {
                    0 => match rest.next() {
                        Some(b't') => b'\t',
                        Some(b'n') => b'\n',
                        Some(other) => other,
                        None => break,
                    },
                    _ => code as u8,
                });
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The lines that flags ask for, if any do.
///
/// # Errors
/// As of [`since`] and [`of_diff`].
pub fn selected(since: Option<&str>, diff: Option<&Path>) -> Result<Option<SourceLines>> {
    match (since, diff) {
        (Some(_), Some(_)) => bail!("--since and --diff exclude each other"),
        (Some(reference), None) => self::since(reference).map(Some),
        (None, Some(path)) => of_diff(path).map(Some),
        (None, None) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(String, Vec<u32>)> {
        let files = changed(text).expect("a diff");
        let lines = |set: &LineSet| (1..40).filter(|&line| set.contains(line)).collect();
        files.iter().map(|(path, set)| (path.display().to_string(), lines(set))).collect()
    }

    #[test]
    fn added_lines_and_the_ones_before_removed_lines_changed() {
        let text = "diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -3,2 +3 @@ int f(void)\n-a\n-b\n+c\n@@ -9,2 +8,0 @@\n-d\n-e\n\
                    @@ -20,4 +17,5 @@\n context\n+new\n+new\n-old\n context\n context\n\\ No newline at end of file\n\
                    --- a/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ \"b/t\\303\\244.c\"\n@@ -0,0 +1,2 @@\n+x\n+y\n";
        let expected = [("tä.c".to_owned(), vec![1, 2]), ("x.c".to_owned(), vec![3, 8, 18, 19])];
        assert_eq!(lines(text), expected);
        assert_eq!(lines(""), []);
    }

    #[test]
    fn removed_lines_between_others_are_the_line_before_them() {
        let text = "--- x.c\t2026-01-01\n+++ x.c\t2026-01-02\n@@ -5,3 +5,2 @@\n before\n-removed\n behind\n";
        assert_eq!(lines(text), [("x.c".to_owned(), vec![5])]);
    }

    #[test]
    fn what_is_no_diff_is_located() {
        for (text, line, words) in [
            ("int x;\n", 1, "no unified diff"),
            ("--- a\n+++ b\n@@ -1 @@\n", 3, "which lines follow"),
            ("--- a\n+++ b\n@@ -1,x +1 @@\n", 3, "which lines follow"),
            ("--- a\n+++ b\n@@ -1 +1 @@\n-a\n?\n", 5, "no line of a diff"),
            ("--- a\n+++ b\n@@ -1,4294967295 +4294967295,4294967295 @@\n-a", 3, "ends within"),
            ("--- a\n+++ b\n@@@ -1 -1 +1 @@@\n", 3, "a merge"),
        ] {
            let (at, why) = changed(text).expect_err(text);
            assert_eq!(at, line, "{text}: {why}");
            assert!(why.contains(words), "{text}: {why}");
        }
    }
}
