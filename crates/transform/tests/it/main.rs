//! Tests of the passes against programs run directly.

mod build;
mod generate;
mod inlining;
mod machine;
mod preparing;
mod random;
mod reference;
mod slicing;
mod unwinding;
