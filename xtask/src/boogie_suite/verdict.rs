//! What Boogie and Footpath say about a program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Seconds that either may take for one program.
const LIMIT: &str = "20";
/// How `timeout` says that the limit ran out.
const TIMED_OUT: i32 = 124;

/// Whether a program is well-formed, according to somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Accepts,
    /// With the first message.
    Rejects(String),
    /// With the reason: out of time, or broken.
    None(String),
}

impl Verdict {
    /// Asks Boogie.
    pub fn of_boogie(flags: &[String], files: &[PathBuf]) -> Self {
        let mut command = boogie();
        command.args(flags).args(files);
        judge(command, |output| boogie_verdict(&String::from_utf8_lossy(&output.stdout)))
    }

    /// Asks Footpath.
    pub fn of_footpath(tool: &Path, files: &[PathBuf]) -> Self {
        let mut command = limited(tool);
        command.arg("check").args(files);
        judge(command, |output| {
            let said = format!(
                "{}{}",
                String::from_utf8_lossy(&output.stderr),
                String::from_utf8_lossy(&output.stdout)
            );
            let message = said.lines().find(|line| line.contains("error")).or(said.lines().next());
            let message = message.unwrap_or_default().trim().to_owned();
            match output.status.code() {
                Some(0) => Self::Accepts,
                Some(2) => Self::Rejects(message),
                code => Self::None(format!("exit code {code:?}: {message}")),
            }
        })
    }

    /// Runs the tool once, so that a launcher builds before the clock ticks.
    pub fn builds(tool: &Path) -> Result<(), String> {
        match Command::new(tool).arg("--version").output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(format!("{}: {}", tool.display(), String::from_utf8_lossy(&output.stderr))),
            Err(error) => Err(format!("cannot run {}: {error}", tool.display())),
        }
    }

    pub fn word(&self) -> &'static str {
        match self {
            Self::Accepts => "accepts",
            Self::Rejects(_) => "rejects",
            Self::None(_) => "none",
        }
    }

    pub fn message(&self) -> &str {
        match self {
            Self::Accepts => "",
            Self::Rejects(message) | Self::None(message) => message,
        }
    }
}

/// The program as Footpath prints it, or its first message.
pub fn print_back(tool: &Path, files: &[PathBuf]) -> Result<String, String> {
    let mut command = limited(tool);
    command.args(["check", "--print"]).args(files);
    let output = command.output().map_err(|error| format!("cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let message = said.lines().find(|line| line.contains("error")).or(said.lines().next());
        return Err(message.unwrap_or("ends without a word, or too late").to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Boogie without verification.
pub fn boogie() -> Command {
    let mut command = verifying_boogie();
    command.arg("/noVerify");
    command
}

/// Boogie with verification.
pub fn verifying_boogie() -> Command {
    let mut command = limited(Path::new("boogie"));
    command.arg("/nologo");
    command
}

fn limited(program: &Path) -> Command {
    let mut command = Command::new("timeout");
    command.arg(LIMIT).arg(program);
    command
}

fn judge(mut command: Command, verdict: impl FnOnce(&Output) -> Verdict) -> Verdict {
    match command.output() {
        Err(error) => Verdict::None(format!("cannot be run: {error}")),
        Ok(output) if output.status.code() == Some(TIMED_OUT) => Verdict::None(format!("over {LIMIT} s")),
        Ok(output) => verdict(&output),
    }
}

/// Boogie's exit code is 0 whatever it finds, so what it says must do.
fn boogie_verdict(said: &str) -> Verdict {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let counts_errors = |line: &str| {
        ["parse", "name resolution", "type checking"]
            .iter()
            .any(|kind| line.contains(&format!("{kind} errors detected")))
    };
    // Some checks come after type checking and are not counted.
    let is_error = |line: &str| line.to_lowercase().contains("error:");
    let first = lines().find(|line| is_error(line)).unwrap_or_default();
    if lines().any(counts_errors) {
        Verdict::Rejects(first.to_owned())
    } else if lines().any(|line| line.contains("program verifier finished")) {
        Verdict::Accepts
    } else if first.is_empty() {
        Verdict::None(lines().next().unwrap_or("says nothing").to_owned())
    } else {
        Verdict::Rejects(first.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boogie_accepts_what_it_finishes_without_counting_errors() {
        let said =
            "a.bpl(1,2): Warning: unused\n\nBoogie program verifier finished with 0 verified, 0 errors\n";
        assert_eq!(boogie_verdict(said), Verdict::Accepts);
    }

    #[test]
    fn boogie_rejects_with_its_first_error() {
        let said =
            "b.bpl(1,16): Error: undeclared identifier: x\n1 name resolution errors detected in b.bpl\n";
        assert_eq!(
            boogie_verdict(said),
            Verdict::Rejects("b.bpl(1,16): Error: undeclared identifier: x".to_owned())
        );
    }

    #[test]
    fn a_broken_boogie_gives_no_verdict() {
        assert_eq!(
            boogie_verdict("Unhandled exception\n at x\n"),
            Verdict::None("Unhandled exception".to_owned())
        );
        assert_eq!(boogie_verdict(""), Verdict::None("says nothing".to_owned()));
    }
}
