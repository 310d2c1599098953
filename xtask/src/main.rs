//! House-keeping of the workspace, run as `cargo xtask TASK`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool prints")]

mod agree;
mod boogie_suite;
mod c_sources;
mod cluster;
mod csmith;
mod dist;
mod fuzz;
mod generated;
mod licences;
mod mutants;
mod mutate_semantics;
mod random_c;
mod runs;
mod scale;
mod tidy;
mod verdicts;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  tidy            what the compiler cannot check: crate arrows, named paths, left-overs
  gen [--check]   writes the generated files, or says which are out of date
  dist            builds the packages and tries each in an empty folder; see --help
  agree           asks all commands about C files, and compares what they say; see --help
  cluster         tests the Python package with Ray and Dask, whose workers are killed; see --help
  licences        where dependencies come from, and under which licences
  boogie-suite    compares our Boogie front end with Boogie itself; see --help
  c-sources       tries our front end for C on C libraries; see --help
  csmith          compares our front end for C with native runs of random programs; see --help
  random-c        looks for wrong claims of any command about random C functions; see --help
  fuzz            gives every reader of files changed ones; see --help
  mutants         counts which small changes of C functions their emitted tests notice; see --help
  mutate-semantics  breaks rules of our own semantics, and counts which the tests notice; see --help
  runs            compares reports of `footpath test` on the same sources; see --help
  scale           simulates clusters of up to 10 000 workers; see --help
  verdicts        compares our verdicts with known ones, on torture tests of compilers; see --help
";

/// A task either finds everything in order, finds fault, or cannot run at all (with the reason).
type Outcome = Result<bool, String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        ["tidy"] => tidy::run(&root()),
        ["gen"] => generated::run(&root(), false),
        ["gen", "--check"] => generated::run(&root(), true),
        ["agree", ref rest @ ..] => agree::run(&root(), rest),
        ["cluster", ref rest @ ..] => cluster::run(&root(), rest),
        ["licences"] => licences::run(&root()),
        ["dist", ref rest @ ..] => dist::run(&root(), rest),
        ["boogie-suite", ref rest @ ..] => boogie_suite::run(&root(), rest),
        ["c-sources", ref rest @ ..] => c_sources::run(&root(), rest),
        ["csmith", ref rest @ ..] => csmith::run(&root(), rest),
        ["random-c", ref rest @ ..] => random_c::run(&root(), rest),
        ["fuzz", ref rest @ ..] => fuzz::run(&root(), rest),
        ["mutants", ref rest @ ..] => mutants::run(&root(), rest),
        ["mutate-semantics", ref rest @ ..] => mutate_semantics::run(&root(), rest),
        ["runs", ref rest @ ..] => runs::run(rest),
        ["scale", ref rest @ ..] => scale::run(&root(), rest),
        ["verdicts", ref rest @ ..] => verdicts::run(&root(), rest),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(true)
        }
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::from(2)
        }
    }
}

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}
