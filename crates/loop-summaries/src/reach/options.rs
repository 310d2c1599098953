//! The options of a search for runs and proofs.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use footpath_ir::Program;
#[cfg(doc)]
use footpath_smt::SolverSpec;
use footpath_term::{TermId, Terms};

/// Options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Time in all.
    pub timeout: Option<Duration>,
    /// The solver, in the syntax of [`SolverSpec::parse`].
    pub solver: String,
    /// A second solver that answers every query again.
    pub cross_check: Option<String>,
    /// The folder to which every query is written as SMT-LIB 2.
    pub dump_smt: Option<PathBuf>,
    /// The largest recursion depth before a call is cut off.
    pub recursion: u32,
    /// The largest number of blocks of a procedure after inlining.
    pub max_blocks: usize,
    /// The largest number of iterations of a loop that are unfolded.
    pub max_unfold: u64,
    /// The seed of the solver's random choices.
    pub seed: u32,
    /// Whether tests are looked for; if not, only proofs.
    pub tests: bool,
    /// Whether time is spent on proofs before and after the search for runs; if false, only the query for runs may
    /// show that there is none.
    pub proofs: bool,
    /// Whether [`super::necessary()`] searches loops for invariants, which is not worth the time if there is a run.
    pub invariants: bool,
    /// Whether proofs by induction are tried; false if it is known that there is none.
    pub induction: bool,
    /// Whether the backbone tree is wanted, also of targets that are decided without it.
    pub tree: bool,
    /// The printer of the necessary condition; `None` for Boogie syntax.
    pub say: Option<Say>,
}

/// Says a condition over the terms of a program.
type Saying = dyn Fn(&Program, &Terms, TermId) -> String + Send + Sync;

/// A printer for conditions over the terms of a program.
#[derive(Clone)]
pub struct Say(pub Arc<Saying>);

impl fmt::Debug for Say {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Say")
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            timeout: Some(Duration::from_secs(60)),
            solver: "z3".to_owned(),
            cross_check: None,
            dump_smt: None,
            recursion: 1,
            max_blocks: 5_000,
            max_unfold: 200,
            seed: 0,
            tests: true,
            proofs: true,
            invariants: false,
            induction: true,
            tree: false,
            say: None,
        }
    }
}
