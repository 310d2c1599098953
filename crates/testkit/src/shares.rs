//! Test sampling: with `CORPUS_SHARE=N`, each engine is asked about one program in N, so that the checks of a change take minutes.
//!
//! **Idea.** The commit chooses. Whoever repeats the checks of a commit asks the same, and the next commits ask about the rest: after
//! 2N of them some 7 in 8 of all pairs of engine and program were asked about. Without the variable all are.
//!
//! Example: with `CORPUS_SHARE=3`, `half.c` is verified, and not explored, at one commit, and only explored at the next.
//!
//! **Direction of error.** What an engine says wrong of a program may be found some commits later than it came in.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;

/// Those of the programs that an engine of this name is asked about. `CORPUS` selects programs whatever the share is.
///
/// # Panics
/// If `CORPUS_SHARE` is no positive number.
pub fn share(engine: &str, mut programs: Vec<PathBuf>) -> Vec<PathBuf> {
    let Ok(wanted) = std::env::var("CORPUS_SHARE") else { return programs };
    let parts: u64 = wanted.parse().ok().filter(|&n| n > 0).expect("CORPUS_SHARE is a positive number");
    if std::env::var_os("CORPUS").is_none() {
        let commit = commit();
        programs.retain(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            is_in_share(&commit, engine, &name, parts)
        });
    }
    programs
}

fn is_in_share(commit: &str, engine: &str, program: &str, parts: u64) -> bool {
    let mut hasher = DefaultHasher::new();
    (commit, engine, program).hash(&mut hasher);
    hasher.finish().is_multiple_of(parts)
}

/// The name of the commit; nothing where there is no repository.
fn commit() -> String {
    let said =
        Command::new("git").args(["rev-parse", "HEAD"]).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::is_in_share;

    #[test]
    fn some_commit_asks_about_each_program_and_none_about_all() {
        let programs: Vec<String> = (0..60).map(|n| format!("program{n}.c")).collect();
        let asked = |commit: &str| programs.iter().filter(|p| is_in_share(commit, "Test", p, 3)).count();
        for commit in ["first", "second", "third"] {
            assert!((8..40).contains(&asked(commit)), "{} of 60", asked(commit));
        }
        let commits: Vec<String> = (0..40).map(|n| format!("commit{n}")).collect();
        assert!(programs.iter().all(|p| commits.iter().any(|c| is_in_share(c, "Test", p, 3))));
        assert!(programs.iter().all(|p| is_in_share("any", "Test", p, 1)));
    }
}
