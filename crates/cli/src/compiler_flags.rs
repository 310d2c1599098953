//! Response files: flags for the compiler that stand in a file, and what is passed through to the preprocessor.
//!
//! Compilers take `@FILE` for the flags in that file, and `-Wp,A,B` for the flags `A` and `B` of the preprocessor. Both say what a
//! source means as much as flags on the command line do: with `-DSIZE=8` in `flags.rsp`, `cc @flags.rsp -Wp,-DFAST x.c` means
//! `cc -DSIZE=8 -DFAST x.c`. They are written out before anything looks for macros, folders or the language among the flags.
//! Words are taken apart by the crate `shlex`, as a POSIX shell does; GNU's rule for response files differs from that only in
//! backslashes between single quotes.
//!
//! A compilation database may come from elsewhere, so only regular files are read, and no more than a limit in all: a file that
//! names itself twice would double with each level.
//!
//! **Direction of error.** A response file that cannot be read stays as it is, as in GCC, so that the compiler complains of it.

use std::path::Path;

use anyhow::{Context, Result};
use footpath_replay::absolute_flags;

/// How deep response files may name each other.
const MAX_DEPTH: usize = 10;
/// Bytes of all response files that are read for a command.
const MOST: u64 = 4 << 20;

/// The flags that a user gives behind `--`, relative to the current folder.
pub fn from_user(flags: &[String]) -> Result<Vec<String>> {
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    Ok(absolute_flags(&written_out(flags, &here), &here))
}

/// The flags with response files, named from `folder`, and flags of the preprocessor in place.
pub fn written_out(flags: &[String], folder: &Path) -> Vec<String> {
    let (mut out, mut left) = (Vec::new(), MOST);
    write_out(flags, folder, 0, &mut left, &mut out);
    out
}

fn write_out(flags: &[String], folder: &Path, depth: usize, left: &mut u64, out: &mut Vec<String>) {
    for flag in flags {
        let response = flag.strip_prefix('@').filter(|_| depth < MAX_DEPTH);
        let response = response.and_then(|file| response_file(&folder.join(file), left));
        if let Some(words) = response.as_deref().and_then(shlex::split) {
            write_out(&words, folder, depth + 1, left, out);
        } else if let Some(passed) = flag.strip_prefix("-Wp,") {
            out.extend(passed.split(',').map(str::to_owned));
        } else {
            out.push(flag.clone());
        }
    }
}

/// The text of a regular file, if it is within what is `left` to be read.
fn response_file(path: &Path, left: &mut u64) -> Option<String> {
    let found = std::fs::metadata(path).ok().filter(|found| found.is_file() && found.len() <= *left)?;
    // An empty one costs something, too.
    *left -= found.len().max(1).min(*left);
    std::fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn response_files_and_flags_of_the_preprocessor_are_written_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
        write("a.rsp", "-DA \"-DB=x y\"\n@b.rsp\n");
        write("b.rsp", "-DC=\\\"c\\\"");
        write("loop.rsp", "@loop.rsp -DL");
        let flags = strings(&["@a.rsp", "-Wp,-DD,-UE", "@gone.rsp", "-Wall"]);
        let expected = ["-DA", "-DB=x y", "-DC=\"c\"", "-DD", "-UE", "@gone.rsp", "-Wall"];
        assert_eq!(written_out(&flags, folder.path()), expected);
        let endless = written_out(&strings(&["@loop.rsp"]), folder.path());
        assert_eq!(endless.iter().filter(|flag| *flag == "-DL").count(), MAX_DEPTH);
        write("bomb.rsp", &"@bomb.rsp ".repeat(1000));
        assert!(written_out(&strings(&["@bomb.rsp"]), folder.path()).len() < 1_000_000);
        assert_eq!(written_out(&strings(&["@/dev/zero"]), folder.path()), ["@/dev/zero"]);
    }
}
