//! The experiments, small.

mod experiment;
