//! Tests of C functions as C files, and what they cover when they really run.
//!
//! | idea | file |
//! |---|---|
//! | what a test's inputs are, from a run of the program form | `inputs.rs` |
//! | types and values as C | `declare.rs`, `value.rs` |
//! | a test file, functions that nobody has | `emit.rs`, `stubs.rs` |
//! | flags of the user's, and which are for what | `flags.rs` |
//! | files that build all tests | `build_files.rs` |
//! | the world that tests see | `library_world.rs` |
//! | leaving out what tests cannot reach | `dead_code.rs` |
//! | counting blocks and branches in LLVM's text | `instrument.rs` |
//! | running the compiler and the tests | `execution.rs` |
//! | what a process that runs a test may not do | `confine.c` |
//! | what all tests share, compiled once | `runtime.rs` |
//! | running tests with sanitizers | `sanitize.rs` |
//! | running functions that nobody has the source of | `sampler.rs`, `sampler.c` |
//!
//! **Invariant.** What counts as covered is what the compiled test did, block by block: the promise of an engine
//! counts for nothing.

mod build_files;
mod dead_code;
mod declare;
mod emit;
mod execution;
mod flags;
mod inputs;
mod instrument;
mod library_world;
mod runtime;
mod sampler;
mod sanitize;
mod stubs;
mod value;

pub use build_files::{Program, Source, cmake_lists, makefile, test_text};
pub use declare::declaration;
pub use emit::{Case, HEADER, TestFile, emit, support_files};
pub use execution::{
    Compiler, Ended, Limits, NativeError, Observed, TEXT_FLAGS, library, macros, run_tests, wait, words,
};
pub use flags::{absolute_flags, source_flags};
pub use inputs::{Inputs, StubResult, inputs};
pub use instrument::{Instrumented, Point, instrument};
pub use library_world::{REPLACED_FILE, replaced_functions};
pub use runtime::{Preparation, support_texts};
pub use sampler::{Failure, Native, Sampler};
pub use sanitize::{Sighting, run_sanitized};
