//! Conditions made minimal and readable, without changing what they mean.
//!
//! **Idea.** A condition is a disjunction of conjunctions of literals ([`Dnf`]), such as the conditions of paths are. The
//! solver says which literals a conjunction can do without as long as it implies the whole (it becomes a *prime
//! implicant*), which bounds can be weakened to those of another disjunct (so that neighbours become one range), and
//! which disjuncts the others cover. Variables that nobody knows are eliminated where that is exact.
//!
//! **Papers.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007),
//! Section 4, asks for such a library. Prime implicants and irredundant covers: "The Problem of Simplifying Truth
//! Functions" (Quine, American Mathematical Monthly, 1952), with a solver in place of truth tables.
//!
//! **Deviations.**
//! 1. Not all prime implicants are computed, only those that shrinking the given conjunctions leads to. The result is
//!    irredundant, not always the shortest.
//! 2. Literals are over theories, so weakening a bound is a step of its own between keeping and dropping a literal.
//!
//! **Direction of error.** None: every result is compared with what was given by the solver, both ways, and what
//! is not proved equivalent is thrown away, but for theorems of arithmetic (`arithmetic.rs`, `ranges.rs`). A solver that gives up, and the limit on questions, only cost brevity.
//! Elimination says of itself whether it was exact.
//!
//! | idea | file |
//! |---|---|
//! | disjunctions of conjunctions | `dnf.rs` |
//! | comparisons with constants | `bound.rs` |
//! | questions to the solver | `ask.rs` |
//! | prime implicants, irredundant covers | `minimise.rs` |
//! | variables that nobody knows | `eliminate.rs` |
//! | ranges of one number, joined | `ranges.rs` |
//! | what can only be one of a few: pointers | `choices.rs` |
//! | comparisons of two numbers | `relations.rs` |
//! | overflows as comparisons | `idiom.rs` |
//! | checks of indices | `index.rs` |
//! | sums with constants and products as comparisons | `arithmetic.rs` |
//! | as text | `print.rs` |

mod arithmetic;
mod ask;
mod bound;
mod choices;
mod dnf;
mod eliminate;
mod idiom;
mod index;
mod minimise;
mod print;
mod ranges;
mod relations;

pub use ask::Simplifier;
pub use bound::{Bound, Form, Relation};
pub use dnf::{Cube, Dnf};
pub use eliminate::Eliminated;
pub use print::{Dialect, Plain, Printed, order, print, print_negated};

/// How much is done to make a condition short. No effort changes what it means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Effort {
    /// Nothing: the disjunction as it is.
    None,
    /// What can be seen without a solver: equal literals, disjuncts that contain another one.
    Syntactic,
    /// Prime implicants and an irredundant cover, from one order of trying literals.
    #[default]
    Prime,
    /// The shortest result of several orders.
    Thorough,
}

impl Effort {
    /// All efforts.
    pub const ALL: [Effort; 4] = [Effort::None, Effort::Syntactic, Effort::Prime, Effort::Thorough];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Effort::None => "none",
            Effort::Syntactic => "syntactic",
            Effort::Prime => "prime",
            Effort::Thorough => "thorough",
        }
    }

    /// The effort of that name.
    pub fn parse(name: &str) -> Option<Effort> {
        Effort::ALL.into_iter().find(|e| e.name() == name)
    }
}
