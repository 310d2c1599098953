//! Reports against the texts that are expected.

mod coverage_reports;
mod json;
mod objection;
mod sample;
mod suite;
mod text;
