//! Logic minimisation modulo theories: conditions become short and readable, without changing what they mean.
//!
//! **Idea.** A condition is a disjunction of conjunctions of literals ([`Dnf`]), as path conditions are. A solver
//! decides which literals a conjunction can drop and still imply the whole (it becomes a *prime implicant*), which
//! bounds can be weakened to those of another disjunct (so that neighbours become one range), and which disjuncts the
//! others cover. Existentially quantified variables are eliminated where that is exact.
//!
//! **Example.** `x < 5 && y > 0 || x < 5 && y <= 0` becomes `x < 5`: from the first conjunction `y > 0` can be
//! dropped, as `x < 5` alone implies the whole, and then the second one is covered.
//!
//! **Papers.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007),
//! Section 4, asks for such a library. Prime implicants and irredundant covers: "The Problem of Simplifying Truth
//! Functions" (Quine, American Mathematical Monthly, 1952), with a solver in place of truth tables.
//!
//! **Deviations.**
//! 1. Not all prime implicants are computed, only those that shrinking the given conjunctions leads to. The result is
//!    irredundant, not always the shortest.
//! 2. Literals are over theories, so weakening a bound is a separate step between keeping and dropping a literal.
//!
//! **Direction of error.** None: the solver compares every result with the given condition, in both directions, and a
//! result that is not proved equivalent is dropped, except for rewriting by theorems of arithmetic (`arithmetic.rs`,
//! `ranges.rs`). A solver that gives up, and the limit on questions, only cost brevity. Elimination reports whether
//! it was exact.
//!
//! | technique | file |
//! |---|---|
//! | disjunctive normal form | `dnf.rs` |
//! | bounds: comparisons with constants | `bound.rs` |
//! | solver queries with limits and a cache | `ask.rs` |
//! | prime implicants, irredundant covers | `minimise.rs` |
//! | quantifier elimination | `eliminate.rs` |
//! | joining of intervals | `ranges.rs` |
//! | finite choices: null or one of a few objects | `choices.rs` |
//! | guessing of relations between two numbers | `relations.rs` |
//! | overflow idioms as comparisons | `idiom.rs` |
//! | array bounds checks | `index.rs` |
//! | bit-vector arithmetic as bounds | `arithmetic.rs` |
//! | pretty printer | `print.rs` |

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

/// How much work is done to make a condition short. No effort changes the meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Effort {
    /// None: the disjunction stays as it is.
    None,
    /// Simplifications without a solver: duplicate literals, disjuncts that contain all literals of another one.
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
