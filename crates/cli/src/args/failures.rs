//! Flags of `footpath failures`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use footpath_driver::preconditions::{Calls, Effort, Options, Partition};

use super::{CArgs, Color, CompilerArgs, Format, Seconds, heading, jobs, seconds, solver, usual_jobs};

/// Flags of `footpath failures`.
#[derive(Clone, Debug, clap::Args)]
pub struct FailuresArgs {
    /// The files, all in one language: Boogie programs (.bpl), which are read as one program, or C files
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Analyse only the function or procedure of this name; may be given several times
    #[arg(long, value_name = "NAME", visible_alias = "procedure", help_heading = heading::WHAT)]
    pub function: Vec<String>,

    /// Where a function is cut into segments: `branch`, at joins behind which there is still a branch; `loop`, at loops
    /// only; a number, at joins after that many branches; `none`, nowhere, so that whole paths are run; `auto`, as
    /// `branch` where whole paths take more than a small part of the time
    #[arg(long, value_name = "WHERE", default_value = "auto", value_parser = partition, help_heading = heading::SEARCH)]
    pub segments: Partition,

    /// How much is done to make conditions short; it does not change their meaning
    #[arg(long, value_enum, default_value_t, help_heading = heading::SEARCH)]
    pub effort: EffortName,

    /// The most iterations of a loop after which its conditions are given up
    #[arg(long, value_name = "K", default_value_t = 12, alias = "rounds", help_heading = heading::LIMITS)]
    pub iterations: u32,

    /// What stands for a call of a function that is called often or calls itself
    #[arg(long, value_enum, default_value_t, help_heading = heading::CALLS)]
    pub calls: CallsName,

    /// The most times that an inlined function calls itself, directly or through others
    #[arg(long, value_name = "K", default_value_t = 2, help_heading = heading::LIMITS)]
    pub recursion: u32,

    /// The most runs of each segment; beyond that the condition is sufficient, but not necessary
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = heading::LIMITS)]
    pub runs: u64,

    /// Time limit for each function, in seconds; 0 for none
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, help_heading = heading::LIMITS)]
    pub timeout: Seconds,

    /// How many C functions are analysed at the same time; by default one for each core
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = heading::LIMITS)]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// Time limit for each question to the solver, in seconds; 0 for none
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds, help_heading = heading::LIMITS)]
    pub query_timeout: Seconds,

    /// The solver: `z3`, or `cmd:` and the command line of any SMT-LIB 2 solver, such as 'cmd:cvc5 --incremental'
    #[arg(long, value_name = "SPEC", default_value = "z3", value_parser = solver, help_heading = heading::SOLVER)]
    pub solver: String,

    /// How results are printed; schema/failures.schema.json describes the JSON
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub format: Format,

    /// Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies
    #[arg(long, help_heading = heading::FOR_BOOGIE)]
    pub infer_modifies: bool,

    /// How C is compiled, checked and called
    #[command(flatten)]
    pub c: CArgs,

    /// Keep the tests of C functions in this folder
    #[arg(short, long, value_name = "DIR", help_heading = heading::OUTPUT)]
    pub output: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub color: Color,

    /// How C files are compiled
    #[command(flatten)]
    pub compiler: CompilerArgs,
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
            rounds: self.iterations,
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

    /// The conductor's options for C, without the files; temporary files go to `out`.
    pub fn c_options(&self, out: PathBuf) -> footpath_driver::Options {
        // Conditions speak of each pointer by itself.
        let mut lowering = self.c.lowering();
        lowering.harness.sharing = false;
        footpath_driver::Options {
            functions: self.function.clone(),
            timeout: self.timeout.0.unwrap_or(Duration::from_secs(3_000_000_000)),
            jobs: self.jobs.map_or_else(usual_jobs, usize::from),
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
