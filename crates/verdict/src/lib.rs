//! Evidence and verdicts: what is claimed of a goal, by which method, and on which premises.
//!
//! **Idea.** Every method says what it found as [`Evidence`]: a claim, and the premises that the claim rests on. A
//! [`Ledger`] joins the evidence on each goal and is the only place where it becomes a [`Verdict`]. The join is monotone:
//! evidence never takes away what other evidence gave, and the order in which methods report does not matter.
//!
//! Example: an exhaustive search says that no input reaches a block, within the sizes of test inputs; later abstract
//! interpretation says the same without a premise. The verdict is *unreachable*, with the second one's explanation.
//!
//! | idea | file |
//! |---|---|
//! | why nothing is claimed: a closed list | `reason.rs` |
//! | claims, methods, premises | `evidence.rs` |
//! | the join, and contradictions | `ledger.rs` |
//!
//! **Direction of error.** None here: a verdict is as wrong as the evidence. A run against a proof that rests on nothing
//! is a [`Contradiction`], which the caller must report as an internal error.

mod evidence;
mod ledger;
mod reason;

pub use evidence::{Claim, Evidence, Method, Premise};
pub use ledger::{Contradiction, GoalId, Ledger};
pub use reason::{Code, Reason, page};

use std::fmt;

/// The verdict on a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A run that was replayed covers it.
    Covered,
    /// It is reached, but every execution through it fails or blocks.
    Doomed,
    /// No execution reaches it, however long.
    Unreachable,
    /// No execution within the bound reaches it.
    UnreachableWithin(Bound),
    /// Nothing is claimed.
    Unknown(Reason),
}

impl Verdict {
    /// The stable name, as it stands in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Covered => "covered",
            Verdict::Doomed => "doomed",
            Verdict::Unreachable => "unreachable",
            Verdict::UnreachableWithin(_) => "unreachable_within_bound",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// Whether it says that no execution covers the goal (within the bound).
    pub fn is_infeasible(&self) -> bool {
        matches!(self, Verdict::Doomed | Verdict::Unreachable | Verdict::UnreachableWithin(_))
    }
}

/// What bounds the executions that a claim is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    /// So many iterations of each loop.
    Iterations(u32),
    /// The same, where the source has no loop: those that copy, fill or search memory in library functions do it all.
    LibraryIterations(u32),
    /// So many calls of a function that are open at once, in a program whose loops are not cut short.
    OpenCalls(u32),
    /// The inputs that tests of a function use: their sizes, and what pointers share.
    InputSizes,
    /// The first call of a function, before which static variables have their initial values.
    FirstCall,
    /// What tests assume of external functions and memory, and proofs do not.
    TestAssumptions,
    /// The inputs that tests of a whole program use.
    ProgramInputs,
}

impl Bound {
    const NAMED: [(Bound, &'static str); 4] = [
        (Bound::InputSizes, "input_sizes"),
        (Bound::FirstCall, "first_call"),
        (Bound::TestAssumptions, "test_assumptions"),
        (Bound::ProgramInputs, "program_inputs"),
    ];

    /// The stable name, as it stands in JSON.
    pub fn name(self) -> &'static str {
        let known = Bound::NAMED.into_iter().find(|(bound, _)| *bound == self);
        let counted = match self {
            Bound::OpenCalls(_) => "open_calls",
            Bound::LibraryIterations(_) => "library_iterations",
            _ => "iterations",
        };
        known.map_or(counted, |(_, name)| name)
    }

    /// The number of iterations, if that is what is bounded.
    pub fn iterations(self) -> Option<u32> {
        match self {
            Bound::Iterations(k) | Bound::LibraryIterations(k) => Some(k),
            _ => None,
        }
    }

    /// What the user can do where nothing is found within it.
    pub fn advice(self) -> &'static str {
        match self {
            Bound::Iterations(_) | Bound::LibraryIterations(_) => "Raise `--unwind`.",
            Bound::OpenCalls(_) => "Raise `--recursion`, which `cover` and `reach` have.",
            Bound::InputSizes => "Raise `--array-length` and `--pointer-depth`.",
            Bound::FirstCall => "Test the whole program with `--entry`.",
            Bound::TestAssumptions => "Give external functions a body, or write a test by hand.",
            Bound::ProgramInputs => "Raise `--arguments`.",
        }
    }

    /// The number of what is counted: iterations or calls.
    pub fn number(self) -> Option<u32> {
        match self {
            Bound::Iterations(k) | Bound::LibraryIterations(k) | Bound::OpenCalls(k) => Some(k),
            _ => None,
        }
    }

    /// The bound of this name that these words are about, the inverse of writing it out.
    pub fn in_words(name: &str, words: &str) -> Option<Bound> {
        let number = words.split(' ').next()?;
        let number = if number == "one" { Some(1) } else { number.parse().ok() };
        Bound::named(name, number).filter(|bound| bound.to_string() == words)
    }

    /// The bound of this name, with the [`number`](Bound::number) of what is counted, if anything is.
    pub fn named(name: &str, number: Option<u32>) -> Option<Bound> {
        match name {
            "iterations" => number.map(Bound::Iterations),
            "library_iterations" => number.map(Bound::LibraryIterations),
            "open_calls" => number.map(Bound::OpenCalls),
            _ => Bound::NAMED.into_iter().find(|(_, n)| *n == name).map(|(bound, _)| bound),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Iterations(1) => "1 iteration of each loop",
            Bound::Iterations(k) => return write!(f, "{k} iterations of each loop"),
            Bound::LibraryIterations(1) => "1 iteration of each loop in library functions, such as memcpy",
            Bound::LibraryIterations(k) => {
                return write!(f, "{k} iterations of each loop in library functions, such as memcpy");
            }
            Bound::OpenCalls(1) => "one open call of each recursive function",
            Bound::OpenCalls(k) => return write!(f, "{k} open calls of each recursive function"),
            Bound::InputSizes => {
                "the inputs that tests make (--array-length, --pointer-depth, pointers to objects of their own)"
            },
            Bound::FirstCall => "a first call, before which its static variables have their initial values",
            Bound::TestAssumptions => "what tests assume of external functions and memory",
            Bound::ProgramInputs => {
                "a few arguments of the command line (--arguments), and memory that is zero until it is written"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_is_read_back_from_its_words() {
        let counted =
            [1, 4].map(|k| [Bound::Iterations(k), Bound::LibraryIterations(k), Bound::OpenCalls(k)]);
        for bound in Bound::NAMED.into_iter().map(|(bound, _)| bound).chain(counted.into_iter().flatten()) {
            assert_eq!(Bound::in_words(bound.name(), &bound.to_string()), Some(bound));
        }
        assert_eq!(Bound::in_words("iterations", "many iterations of each loop"), None);
    }
}
