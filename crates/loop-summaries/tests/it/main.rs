//! Loop summaries against the paper and against runs.

mod arrays;
mod common;
mod induction;
mod paper;
mod programs;
mod soundness;
mod tables;
