//! The strategies of the driver: each is one technique to settle objectives, in a file of its own. Which are tried on a job, and
//! in which order, is in `pipeline.rs`.

pub(crate) mod bounded_proof;
pub(crate) mod call_graph;
pub(crate) mod changed_pointers;
pub(crate) mod compared_sizes;
pub(crate) mod determinism;
pub(crate) mod distinct_values;
pub(crate) mod greybox_fuzzing;
pub(crate) mod input_reduction;
pub(crate) mod input_scalars;
pub(crate) mod invariants;
pub(crate) mod latent_failures;
pub(crate) mod loop_guide;
pub(crate) mod loop_summaries;
pub(crate) mod native_execution;
pub(crate) mod out_of_bounds;
pub(crate) mod overlapping_inputs;
pub(crate) mod replay;
pub(crate) mod sampling;
pub(crate) mod sanitizers;
pub(crate) mod search;
pub(crate) mod seeds;
pub(crate) mod verification_guide;
pub(crate) mod whole_program_loops;
