//! Looks for wrong claims about C: every command is asked about random functions, which are run natively beside.
//!
//! The test `crates/testkit/tests/it/random_c.rs` does that for a few programs; this runs it for many. What it compares
//! stands in `crates/testkit/src/random_c.rs`. Programs with a contradiction stay in `target/tmp/random_c`, with what
//! runs showed at the ends of their lines, as files of the corpus have it.

use std::path::Path;
use std::process::Command;

use crate::Outcome;

const USAGE: &str = "\
usage: cargo xtask random-c [OPTION]…

Asks every command about random C functions, and compares what it says with native runs on random inputs.

  --count N    how many programs, of four functions each (default: 100)
  --seed S     the seed of the first one; the others follow (default: 1)
  --minutes N  begin no further program after so many minutes
  --jobs N     how many at a time (default: one for each core)

How much was compared is printed behind each program, so that a run can be ended at any time. Needs clang. Exit code 1 if anything was found.
";

/// Runs the test.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    let mut set = vec![("FOOTPATH_CASES", "100"), ("FOOTPATH_SEED", "1")];
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        let name = match arg {
            "--help" | "-h" => {
                print!("{USAGE}");
                return Ok(true);
            }
            "--count" => "FOOTPATH_CASES",
            "--seed" => "FOOTPATH_SEED",
            "--minutes" => "FOOTPATH_MINUTES",
            "--jobs" => "FOOTPATH_JOBS",
            _ => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
        };
        let value = args.next().copied().filter(|text| text.parse::<u64>().is_ok());
        set.push((name, value.ok_or_else(|| format!("{arg} wants a number\n\n{USAGE}"))?));
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "test",
            "--quiet",
            "-p",
            "footpath-testkit",
            "--test",
            "it",
            "random_c::",
            "--",
            "--nocapture",
        ])
        .envs(set)
        .current_dir(root)
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    Ok(status.success())
}
