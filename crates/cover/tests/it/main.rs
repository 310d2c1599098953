//! Covers against all runs of random programs.

mod brute_force;
mod builtins;
mod common;
mod generic;
mod integers;
mod portfolio;
