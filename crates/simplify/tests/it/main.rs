//! The simplifier of conditions.

mod equivalence;
