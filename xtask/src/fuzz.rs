//! Gives every reader of files changed ones, for a while.
//!
//! The test `crates/testkit/tests/it/fuzzing.rs` does that for a few seconds; this runs it for minutes or hours, with a limit
//! on memory. How mutants are made stands in `crates/testkit/src/fuzzing.rs`. Findings stay in `target/tmp/fuzz`; so does
//! the text that was being read if reading it ended the process.

use std::path::Path;
use std::process::Command;

use crate::Outcome;

const USAGE: &str = "\
usage: cargo xtask fuzz [OPTION]…

Gives every reader of files mutants of a small corpus, and looks for panics, ends of the process, and reading without end.

  --minutes N    for how long, shared by the readers (default: 10)
  --seed S       the seed of the mutants (default: 1)
  --reader NAME  only this one: boogie, llvm, sarif, witness, report, cbmc, baseline, compile-commands, store

Needs clang. Exit code 1 if anything was found.
";

/// Kilobytes of address space; most of it are stacks that are not used.
const MEMORY: u64 = 8 << 20;

/// Runs the test.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")).arg(cargo);
    command.args(["test", "-p", "footpath-testkit", "--test", "it", "fuzzing::", "--", "--nocapture"]);
    command.env("FOOTPATH_MINUTES", "10");
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        let variable = match arg {
            "--help" | "-h" => {
                print!("{USAGE}");
                return Ok(true);
            }
            "--minutes" => "FOOTPATH_MINUTES",
            "--seed" => "FOOTPATH_SEED",
            "--reader" => "FOOTPATH_READER",
            _ => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
        };
        let value = args.next().copied().filter(|v| arg == "--reader" || v.parse::<u64>().is_ok());
        command.env(variable, value.ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"))?);
    }
    let status = command.current_dir(root).status().map_err(|error| format!("cannot run cargo: {error}"))?;
    Ok(status.success())
}
