//! Replay of tests: tests of C functions as C files, and what they cover when they are compiled and run.
//!
//! | technique | file |
//! |---|---|
//! | inputs of a test, from a run of the program form | `inputs.rs` |
//! | types and values in C syntax | `declare.rs`, `value.rs` |
//! | test emission, stubs of external functions | `emit.rs`, `stubs.rs` |
//! | names of tests | `test_names.rs` |
//! | regression oracles: what tests check besides results | `regression_oracle.rs` |
//! | inline definitions of C99 that the compiler loses | `inline_definitions.rs` |
//! | compiler flags: which of the user's are used for what | `flags.rs` |
//! | build files for all tests | `build_files.rs`, `meson.rs` |
//! | test frameworks: runners for GoogleTest, Unity, cmocka and Check | `frameworks.rs` |
//! | quoting for the shell, make, CMake and C | `quoting.rs` |
//! | the environment that tests run in: models of system functions | `library_world.rs` |
//! | dead-code elimination in LLVM's text | `dead_code.rs` |
//! | coverage instrumentation of LLVM's text | `instrument.rs` |
//! | test execution: running the compiler and the tests | `execution.rs` |
//! | the runtime that all tests share, compiled once; the cache of its objects | `runtime.rs`, `object_cache.rs` |
//! | symbol tables of objects and libraries | `symbols.rs` |
//! | running tests with sanitizers | `sanitize.rs` |
//! | greybox fuzzing: inputs that reach new code, from many runs in one process | `greybox_fuzzing.rs` |
//! | corpora of fuzzers and of KLEE, read and written; harnesses for libFuzzer | `greybox_fuzzing/{corpus,ktest,libfuzzer}.rs`, `fuzz_build.rs` |
//! | sampling: running external functions for their results | `sampler.rs`, `sampler.c` |
//!
//! **Invariant.** Covered is what the compiled test passed, block by block; the promise of an engine does not count.

mod build_files;
mod dead_code;
mod declare;
mod emit;
mod execution;
mod flags;
mod frameworks;
mod fuzz_build;
mod greybox_fuzzing;
mod image;
mod inline_definitions;
mod inputs;
mod instrument;
mod library_world;
mod meson;
mod object_cache;
mod quoting;
mod regression_oracle;
mod runtime;
mod sampler;
mod sanitize;
mod stubs;
mod symbols;
mod test_names;
mod value;

pub use build_files::{Program, Source, cmake_lists, makefile, test_text};
pub use declare::declaration;
pub use emit::{Case, FunctionTests, HEADER, TestFile, emit, support_files};
pub use execution::{
    Build, Compiler, Ended, Limits, NativeError, Observed, TEXT_FLAGS, TestProgram, build_tests,
    compiler_version, compiles, library, macros, words,
};
pub use flags::{absolute_flags, source_flags, with_header_paths};
pub use frameworks::Framework;
pub use fuzz_build::{FuzzProgram, fuzz_makefile};
pub use greybox_fuzzing::{
    CorpusFormat, FuzzError, FuzzHarness, FuzzOptions, Fuzzed, Fuzzer, KTestObject, Proposals, Seed, Target,
    Unit, fuzz_support_files, is_ktest, read_ktest,
};
pub use inputs::{Effects, Inputs, StubResult, inputs};
pub use instrument::{Instrumented, Point, instrument};
pub use library_world::{NEXT_BYTE, REPLACED_FILE, replaced_functions};
pub use meson::meson_build;
pub use quoting::{is_expressible, plain_name, shell_word};
pub use regression_oracle::Check;
pub use runtime::{Preparation, support_texts};
pub use sampler::{Failure, Native, Sampler};
pub use sanitize::{Sanitized, Sanitizers, Sighting, run_sanitized};
pub use test_names::{Subject, line_ranges, test_names};
pub use value::double;
