//! The flags of `footpath verify`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::ValueEnum;
use footpath_verify::{AssumptionKind, Calls, Effort, Guide, Options};

use super::{Color, CompilerArgs, Format, Seconds, heading, jobs, seconds, usual_jobs};

/// Flags of `footpath verify`.
#[derive(Clone, Debug, clap::Args)]
pub struct VerifyArgs {
    /// The files: C files, or Boogie programs (.bpl), which are read as one program
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Verify only the function or procedure of this name; may be given several times
    #[arg(long, visible_alias = "procedure", value_name = "NAME", help_heading = heading::WHAT)]
    pub function: Vec<String>,

    /// What may be assumed: `all`, `none`, or a list of few-rounds, no-overflow, allocation-succeeds,
    /// parameter-lengths, valid-parameters, valid-pointers, terminated-strings, distinct-parameters and callees-keep
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = assumptions, help_heading = heading::WHAT)]
    pub assume: Assumed,

    /// Assume nothing
    #[arg(long, conflicts_with = "assume", help_heading = heading::WHAT)]
    pub sound: bool,

    /// The most iterations of a loop under the assumption few-rounds
    #[arg(long, value_name = "N", default_value_t = 1000, alias = "rounds", help_heading = heading::LIMITS)]
    pub iterations: u32,

    /// Take callees by their contracts, even if they have bodies
    #[arg(long, help_heading = heading::CALLS)]
    pub modular: bool,

    /// Time limit for each function, in seconds; what is not proved by then is unverified; 0 for none [default: 20, or twice
    /// --solver-timeout if that is more]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = heading::LIMITS)]
    pub timeout: Option<Seconds>,

    /// Time limit for all functions together, in seconds; functions that were not begun by then are left out; 0 for
    /// none
    #[arg(long, value_name = "S", default_value = "0", value_parser = seconds, help_heading = heading::LIMITS)]
    pub total_timeout: Seconds,

    /// How many functions are analysed at the same time; by default one for each core
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = heading::LIMITS)]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// Time limit for proving, by a solver, what abstract interpretation leaves open, in seconds for each function: a part of
    /// --timeout, at most half; a tenth of it is for induction over loops; 0 to ask no solver
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds, alias = "solver-seconds", help_heading = heading::LIMITS)]
    pub solver_timeout: Seconds,

    /// The most abstract states that are kept apart at a point where paths join
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = heading::LIMITS)]
    pub partitions: usize,

    /// What other tools found: SARIF, or a correctness witness of SV-COMP (YAML 2.0, GraphML). Their verdicts are shown
    /// as theirs, and their invariants are used if they can be proved; may be given several times
    #[arg(long, value_name = "FILE", help_heading = heading::WHAT)]
    pub results: Vec<PathBuf>,

    /// How the annotated program guides a search for tests
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub guide: GuideName,

    /// How results are printed; schema/verify.schema.json describes the JSON
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub format: Format,

    /// Write the annotated program to this file, as Boogie
    #[arg(short, long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub output: Option<PathBuf>,

    /// Write all verdicts to this file, as SARIF: a verified check is `pass`, others are `review`, `open` or `fail`
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub sarif: Option<PathBuf>,

    /// Write a page for a browser to this file: the source with verdicts and assumptions below its lines
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub html: Option<PathBuf>,

    /// End with exit code 1 if one of these verdicts is found
    #[arg(long, value_enum, value_name = "VERDICT", value_delimiter = ',', help_heading = heading::OUTPUT)]
    pub deny: Vec<DenyVerify>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub color: Color,

    /// Print all there is to say, instead of what fits on a screen
    #[arg(long, help_heading = heading::OUTPUT)]
    pub verbose: bool,

    /// How C files are compiled
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

/// What may be assumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumed(pub BTreeSet<AssumptionKind>);

fn assumptions(text: &str) -> Result<Assumed, String> {
    let mut chosen = BTreeSet::new();
    for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        match (word, AssumptionKind::ALL.iter().find(|k| k.name() == word)) {
            ("all", _) => chosen.extend(AssumptionKind::ALL),
            ("none", _) => {}
            (_, Some(&kind)) => {
                chosen.insert(kind);
            }
            (_, None) => {
                let names: Vec<&str> = AssumptionKind::ALL.iter().map(|k| k.name()).collect();
                return Err(format!("`{word}` is not one of all, none, {}", names.join(", ")));
            }
        }
    }
    Ok(Assumed(chosen))
}

/// How the annotated program guides a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum GuideName {
    /// Not at all
    None,
    /// By what was proved of each check
    #[default]
    Annotations,
    /// Also by giving up executions in which everything is verified
    May,
    /// Also by preferring executions in which nothing is verified
    Must,
    /// By both of these
    MayMust,
}

impl GuideName {
    /// What it stands for.
    pub fn guide(self) -> Guide {
        match self {
            GuideName::None => Guide::None,
            GuideName::Annotations => Guide::Annotations,
            GuideName::May => Guide::May,
            GuideName::Must => Guide::Must,
            GuideName::MayMust => Guide::MayMust,
        }
    }
}

/// Verdicts that can be denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DenyVerify {
    /// Checks that fail whenever they are reached
    Failing,
    /// Checks about which nothing was found out, and which no other tool says are verified
    Unverified,
    /// Checks that hold under assumptions only
    Assumed,
}

impl VerifyArgs {
    /// What may be assumed.
    pub fn allowed(&self) -> BTreeSet<AssumptionKind> {
        if self.sound { BTreeSet::new() } else { self.assume.0.clone() }
    }

    /// Options of the verification, but for what other tools say.
    pub fn options(&self) -> Options {
        let plain = Options::default();
        let calls = if self.modular { Calls::Contracts } else { plain.calls };
        let effort = Effort { partitions: self.partitions.max(1), ..plain.effort };
        let solver = self.solver_timeout.0;
        let usual = plain.time.map(|time| time.max(2 * solver.unwrap_or_default()));
        Options {
            time: self.timeout.map_or(usual, |timeout| timeout.0),
            total: self.total_timeout.0,
            assume: self.allowed(),
            rounds: self.iterations,
            calls,
            effort,
            solver,
            jobs: self.jobs.map_or_else(usual_jobs, usize::from),
            ..plain
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_chosen_by_name_and_strangers_are_refused() {
        assert_eq!(assumptions("all").map(|a| a.0.len()), Ok(AssumptionKind::ALL.len()));
        assert_eq!(assumptions("none").map(|a| a.0.len()), Ok(0));
        let chosen = assumptions("no-overflow, callees-keep").map(|a| a.0.into_iter().collect::<Vec<_>>());
        assert_eq!(chosen, Ok(vec![AssumptionKind::NoOverflow, AssumptionKind::CalleesKeep]));
        assert!(
            assumptions("no-worries")
                .is_err_and(|why| why.contains("no-worries") && why.contains("no-overflow"))
        );
    }
}
