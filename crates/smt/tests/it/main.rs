//! Solvers against known answers and each other.

mod behaviour;
mod common;
mod float;
mod polymorphism;
mod problems;
mod random;
mod tables;
