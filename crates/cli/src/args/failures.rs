//! Flags of `footpath failures`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use footpath_driver::preconditions::{Calls, Effort, Options, Partition};

use super::{CArgs, Color, Format, Seconds, seconds, solver};

/// Flags of `footpath failures`.
#[derive(Clone, Debug, clap::Args)]
pub struct FailuresArgs {
    /// The files, all of one language: Boogie 2 (.bpl), read as one program, or C (.c)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Analyse only the procedure or function of this name; may be given several times
    #[arg(long, value_name = "NAME", visible_alias = "procedure")]
    pub function: Vec<String>,

    /// Where a function is cut into segments: branch, at joins behind which something is still decided; loop, at loops
    /// only; a number, at joins after so many branches; none, nowhere, so that whole paths are run; auto, as branch where
    /// whole paths take more than a small part of the time
    #[arg(long, value_name = "WHERE", default_value = "auto", value_parser = partition)]
    pub segments: Partition,

    /// How much is done to make conditions short; it changes no meaning
    #[arg(long, value_enum, default_value_t)]
    pub effort: EffortName,

    /// Rounds of a loop after which its conditions are given up
    #[arg(long, value_name = "K", default_value_t = 12)]
    pub rounds: u32,

    /// What stands for a call of a function that is called often or calls itself
    #[arg(long, value_enum, default_value_t)]
    pub calls: CallsName,

    /// How often a function that is inlined calls itself at most, directly or through others
    #[arg(long, value_name = "K", default_value_t = 2)]
    pub recursion: u32,

    /// Runs of each segment; beyond them the condition is only sufficient
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub runs: u64,

    /// Seconds for each function; 0 for no limit
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    pub timeout: Seconds,

    /// Seconds for each question to the solver; 0 for no limit
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    pub query_timeout: Seconds,

    /// The solver: z3, or cmd: and the command line of any SMT-LIB 2 solver
    #[arg(long, value_name = "SPEC", default_value = "z3", value_parser = solver)]
    pub solver: String,

    /// How results are printed; schema/failures.schema.json describes the JSON
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// Complete modifies clauses that leave globals out, as Boogie does when called with /inferModifies
    #[arg(long)]
    pub infer_modifies: bool,

    /// How C is compiled, checked and called
    #[command(flatten)]
    pub c: CArgs,

    /// For C: keep the tests in this folder
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,

    /// For C: flags for the compiler
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}

/// What stands for a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum CallsName {
    /// The condition under which it fails, if that is exact, and what its runs do that somebody may read
    #[default]
    Instantiated,
    /// Its body
    Inlined,
}

/// How much is done to make conditions short.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum EffortName {
    /// Nothing
    None,
    /// What can be seen without a solver
    Syntactic,
    /// No literal and no disjunct can be left out
    #[default]
    Prime,
    /// The shortest of several such results
    Thorough,
}

fn partition(text: &str) -> Result<Partition, String> {
    match text {
        "auto" => Ok(Partition::Auto),
        "branch" => Ok(Partition::Branch),
        "loop" => Ok(Partition::Loop),
        "none" => Ok(Partition::None),
        number => {
            match number.parse() {
                Ok(n) if n > 0 => Ok(Partition::Branches(n)),
                _ => Err("expected auto, branch, loop, none, or a number of branches that is at least 1"
                    .to_owned()),
            }
        }
    }
}

impl FailuresArgs {
    /// The engine's options.
    pub fn options(&self) -> Options {
        Options {
            partition: self.segments,
            effort: match self.effort {
                EffortName::None => Effort::None,
                EffortName::Syntactic => Effort::Syntactic,
                EffortName::Prime => Effort::Prime,
                EffortName::Thorough => Effort::Thorough,
            },
            rounds: self.rounds,
            calls: match self.calls {
                CallsName::Instantiated => Calls::Instantiated,
                CallsName::Inlined => Calls::Inlined,
            },
            recursion: self.recursion,
            runs: self.runs,
            time: self.timeout.0,
            query: self.query_timeout.0,
            solver: self.solver.clone(),
            ..Options::default()
        }
    }

    /// The conductor's options for C; temporary files go to `out`.
    pub fn c_options(&self, flags: Vec<String>, out: PathBuf) -> footpath_driver::Options {
        // Conditions speak of each pointer by itself.
        let mut lowering = self.c.lowering();
        lowering.harness.sharing = false;
        footpath_driver::Options {
            files: self.files.clone(),
            flags,
            clang: self.c.clang.clone(),
            functions: self.function.clone(),
            timeout: self.timeout.0.unwrap_or(Duration::from_secs(3_000_000_000)),
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            out,
            lowering,
            unwind: 0,
            ..footpath_driver::Options::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_named_or_counted() {
        assert_eq!(partition("loop"), Ok(Partition::Loop));
        assert_eq!(partition("3"), Ok(Partition::Branches(3)));
        assert!(partition("0").is_err() && partition("all").is_err());
    }
}
