//! Reports against the texts that are expected.

mod json;
mod objection;
mod sample;
mod suite;
mod text;
