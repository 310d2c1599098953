//! Covers against all runs of random programs.

mod brute_force;
mod common;
mod generic;
mod integers;
mod portfolio;
