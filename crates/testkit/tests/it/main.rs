//! The corpora: programs with their truth, file tests, round trips.

mod corpus;
mod examples;
mod fuzzing;
mod native_runs;
mod random_c;
mod round_trip;
