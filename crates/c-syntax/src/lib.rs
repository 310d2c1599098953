//! C syntax: conditions of the program form, printed as a C programmer would write them.
//!
//! An engine's condition speaks of bit-vectors, of maps that are memory and of numbers of objects. Here it is given the names of
//! the source: of `mem[q + 8] == 0bv32 && q_object == 0bv32` what remains is `p != NULL && p->count == 0`.
//!
//! | conditions | file |
//! |---|---|
//! | under which a function fails, over its inputs | `failure_conditions.rs` |
//! | the same as expressions that are defined for all inputs | `total_expressions.rs` |
//! | an order in which each part is defined by what stands before it | `definedness_order.rs` |
//! | the choice between the two: a text is used if it is proved | `wording.rs`, `translation_validation.rs` |
//! | disjuncts for each index as one condition | `families.rs` |
//! | disjuncts that grow as a condition on every index | `universal_families.rs` |
//! | names of the program form | `names.rs` |
//! | that are necessary for a target behind loops, with counts of iterations | `necessary_conditions.rs` |
//!
//! **Direction of error.** None for failure conditions: each text is read back as C and proved; what C has no words for is not
//! printed. A necessary condition may be told weaker than it is, never stronger.

mod definedness_order;
pub mod failure_conditions;
pub mod families;
mod library_calls;
pub mod names;
pub mod necessary_conditions;
mod total_expressions;
mod translation_validation;
mod universal_families;
pub mod wording;
