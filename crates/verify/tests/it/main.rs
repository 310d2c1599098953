//! Partial verification against runs.

mod c;
mod deposit;
mod induction;
#[path = "../../../loop-summaries/tests/it/programs.rs"]
mod loop_programs;
mod polymorphism;
#[path = "../../../absint/tests/it/programs.rs"]
mod programs;
mod random;
mod sound;
mod sound_c;
mod sound_harness;
mod sound_whole;
mod support;
mod whole_program;
