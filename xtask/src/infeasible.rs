//! Looks for wrong verdicts about C: code that is called infeasible and runs.
//!
//! The test `crates/testkit/tests/it/infeasible/mod.rs` does that for two random programs; this runs it for many. It
//! analyses functions over few inputs and runs them natively with all of these.

use std::path::Path;
use std::process::Command;

use crate::Outcome;

const USAGE: &str = "\
usage: cargo xtask infeasible [OPTION]…

Analyses random C programs and runs them natively with all inputs: nothing that is called infeasible may run.

  --count N   how many programs (default: 200)
  --seed S    the seed of the first one; the others follow (default: 1)

Needs clang. Exit code 1 if anything was found.
";

/// Runs the test.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    let (mut count, mut seed) = ("200", "1");
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        let to = match arg {
            "--help" | "-h" => {
                print!("{USAGE}");
                return Ok(true);
            }
            "--count" => &mut count,
            "--seed" => &mut seed,
            _ => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
        };
        let value = args.next().copied().filter(|text| text.parse::<u64>().is_ok());
        *to = value.ok_or_else(|| format!("{arg} wants a number\n\n{USAGE}"))?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--release", "-p", "footpath-testkit", "--test", "it", "infeasible::"])
        .env("FOOTPATH_CASES", count)
        .env("FOOTPATH_SEED", seed)
        .current_dir(root)
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    Ok(status.success())
}
