//! The Python package on clusters: Ray and Dask, and what checks Python.
//!
//! **Idea.** That no result is lost when machines go away is only seen when they do. So both schedulers run with four processes on this
//! machine, which are killed at random while work units run, and the report has to be that of one process. Neither is part of
//! `./check`, as they are large and come from a package index; here they are installed into an environment of their own.
//!
//! **Direction of error.** Processes that are killed say nothing of networks that fail, or of machines whose files differ.

use std::path::Path;
use std::process::Command;

use crate::Outcome;

const USAGE: &str = "\
usage: cargo xtask cluster [PYTHON]

Tests the Python package with Ray and Dask on clusters of four local processes, which are killed at random; checks its types and
its form (scripts/check-python), and runs the tests that need no cluster, too. PYTHON is by default python3. What is needed is installed into
target/cluster-tools. Exit code 1 if a test fails.
";
/// What is installed, by name in an index of Python packages; what checks Python as in `scripts/setup`.
const PACKAGES: [&str; 5] =
    ["dask>=2024.1", "distributed>=2024.1", "ray>=2.9", "mypy==2.4.1", "ruff==0.17.6"];

/// Runs the tests.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    let python = match *args {
        [] => "python3",
        [python] if !python.starts_with('-') => python,
        ["--help" | "-h"] => {
            print!("{USAGE}");
            return Ok(true);
        }
        _ => return Err(USAGE.to_owned()),
    };
    let tools = root.join("target/cluster-tools");
    let bin = tools.join("bin");
    if !bin.join("ruff").is_file() {
        succeeds(Command::new(python).args(["-m", "venv"]).arg(&tools))?;
        succeeds(Command::new(bin.join("pip")).args(["install", "--quiet"]).args(PACKAGES))?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    succeeds(Command::new(cargo).args(["build", "--quiet", "-p", "footpath-cli"]).current_dir(root))?;
    let is_good = [
        // With both packages all has types.
        Command::new(root.join("scripts/check-python")).arg(bin.join("python3")),
        // Workers import the package from where they are started.
        Command::new(bin.join("python3"))
            .args(["-m", "unittest", "discover", "-s", "python/tests"])
            .env("PYTHONPATH", root.join("python"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("FOOTPATH", root.join("target/debug/footpath"))
            .current_dir(root),
    ]
    .map(|command| succeeds(command).map_err(|why| println!("{why}")).is_ok());
    Ok(is_good.iter().all(|is_good| *is_good))
}

/// Runs a command, which says itself what it finds.
fn succeeds(command: &mut Command) -> Result<(), String> {
    let status = command
        .status()
        .map_err(|e| format!("{} cannot be started: {e}", command.get_program().display()))?;
    status
        .success()
        .then_some(())
        .ok_or_else(|| format!("{} failed ({status})", command.get_program().display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_there_are_not_are_refused() {
        assert!(run(Path::new("/no/such/folder"), &["--fast"]).unwrap_err().starts_with("usage"));
        assert!(run(Path::new("/no/such/folder"), &["python3", "ray"]).is_err());
    }
}
