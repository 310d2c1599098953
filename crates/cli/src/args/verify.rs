//! The flags of `footpath verify`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::ValueEnum;
use footpath_verify::{AssumptionKind, Calls, Effort, Guide, Options};

use super::{Color, Format, Seconds, seconds};

/// Flags of `footpath verify`.
#[derive(Clone, Debug, clap::Args)]
pub struct VerifyArgs {
    /// The files: C files, or Boogie 2 files (.bpl), which are read as one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Verify only the function or procedure of this name; may be given several times
    #[arg(long, visible_alias = "procedure", value_name = "NAME")]
    pub function: Vec<String>,

    /// What may be assumed: a list of few-rounds, no-overflow, allocation-succeeds, parameter-lengths, valid-parameters,
    /// valid-pointers, terminated-strings, distinct-parameters, callees-keep; or all, or none
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = assumptions)]
    pub assume: Assumed,

    /// Assume nothing
    #[arg(long, conflicts_with = "assume")]
    pub sound: bool,

    /// How often a loop iterates at most under few-rounds
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub rounds: u32,

    /// Take callees by their contracts, even if they have bodies
    #[arg(long)]
    pub modular: bool,

    /// Seconds for a solver, for each function, to prove what the analyser leaves open, a tenth of them by induction over loops;
    /// 0 to ask none
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    pub solver_seconds: Seconds,

    /// How many states a point of the program has side by side, where paths meet
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub partitions: usize,

    /// What other tools found out, as SARIF or as a correctness witness of SV-COMP (YAML 2.0, GraphML); what they say is
    /// shown as theirs, and invariants are used if they can be proved; may be given several times
    #[arg(long, value_name = "FILE")]
    pub results: Vec<PathBuf>,

    /// How the annotated program guides a search for tests
    #[arg(long, value_enum, default_value_t)]
    pub guide: GuideName,

    /// The compiler for C; without this flag the newest clang there is
    #[arg(long, value_name = "PROGRAM")]
    pub clang: Option<String>,

    /// How results are printed; schema/verify.schema.json describes the JSON
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// Write the annotated program to this file, as Boogie
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write all verdicts to this file, as SARIF: verified checks pass, others are open, or fail
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write a page for a browser to this file: the source with verdicts and assumptions below its lines
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// End with exit code 1 if a verdict of these kinds is found
    #[arg(long, value_enum, value_name = "VERDICT", value_delimiter = ',')]
    pub deny: Vec<DenyVerify>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,

    /// Flags for the compiler
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
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
    /// And by giving up executions that are verified throughout
    May,
    /// Or by preferring executions that are unverified throughout
    Must,
    /// By both
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
    /// Checks of which nothing could be found out, and no one else says that they are verified
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
        Options {
            assume: self.allowed(),
            rounds: self.rounds,
            calls,
            effort,
            solver: self.solver_seconds.0,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
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
