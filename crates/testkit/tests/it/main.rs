//! The corpora: programs with their truth, file tests, round trips.

mod corpus;
mod examples;
mod infeasible;
mod round_trip;
