//! Terms, their rules and their values.

mod bit_vectors;
mod properties;
mod rules;
