//! The pipelines: which strategies are tried on a job, in which order, and how much of the time each may take.
//!
//! A strategy looks at the job and returns evidence; the pipeline records it in the job's ledger. So a new prover is a file in
//! `strategy/` and a line here.
//!
//! | strategy | file |
//! |---|---|
//! | search: tests, by dynamic symbolic execution | `search.rs`, `replay.rs`, `native_execution.rs` |
//! | greybox fuzzing: inputs that a search begins with, from very many compiled runs | `greybox_fuzzing.rs` |
//! | seeds: inputs that other tools found | `seeds.rs` |
//! | sampling: external functions that are executed for their results | `sampling.rs` |
//! | determinism: whether a test depends on values that no test can set | `determinism.rs` |
//! | sanitizers: a second opinion on failing checks | `sanitizers.rs` |
//! | invariants: unreachable for any number of loop iterations, by abstract interpretation | `invariants.rs` |
//! | loop summaries: deep runs, and unreachable for any number of loop iterations | `loop_summaries.rs`, `whole_program_loops.rs` |
//! | bounded proof: unreachable with loops unwound, or outright if the bound is not met | `bounded_proof.rs` |
//! | out of bounds: which verdicts rest on memory safety | `out_of_bounds.rs` |
//! | call graph: functions that a whole program never calls | `call_graph.rs` |
//! | loop summaries that guide a search | `loop_guide.rs` |
//! | partial verification that guides a search | `verification_guide.rs` |
//!
//! **Direction of error.** *Covered* is decided by a compiled test only, *unreachable* by a proof only; a strategy
//! that gives up leaves an objective unknown.

use std::time::{Duration, Instant};

use footpath_verdict::{Claim, Evidence, GoalId, Ledger};

use crate::context::Context;
use crate::function::FunctionJob;
use crate::library::LibraryJob;
use crate::program::ProgramJob;
use crate::result::Spent;
use crate::strategy::greybox_fuzzing;

/// What a strategy found out.
pub(crate) type Found = Vec<(GoalId, Evidence)>;

/// A technique in a pipeline.
pub(crate) struct Strategy<J> {
    /// Its name, as the statistics have it.
    pub(crate) name: &'static str,
    /// Part of the job's time that it may take, at most.
    pub(crate) share: f64,
    /// Whether it proves, so that an exploration leaves it out.
    pub(crate) proves: bool,
    /// Runs it for so long at most.
    pub(crate) run: fn(&mut J, Duration) -> Found,
}

/// Something that strategies work on.
pub(crate) trait Job {
    /// What all jobs share, among it the options.
    fn context(&self) -> &Context<'_>;
    /// When its time began.
    fn started(&self) -> Instant;
    /// Where the evidence goes.
    fn ledger(&mut self) -> &mut Ledger;
    /// Counts what a strategy cost and gave.
    fn count(&mut self, spent: Spent);

    /// The time for all strategies, and what is left of it.
    fn time(&self) -> (Duration, Duration) {
        let all = self.context().options.timeout;
        (all, all.saturating_sub(self.started().elapsed()))
    }

    /// Time that proofs leave to others.
    fn reserved(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether it is explored only.
    fn explores(&self) -> bool {
        self.context().options.exploration.is_some()
    }

    /// Records evidence.
    fn record(&mut self, found: Found) {
        self.ledger().record_all(found);
    }
}

/// Tries each strategy of a pipeline in turn.
pub(crate) fn run<J: Job>(strategies: &[Strategy<J>], job: &mut J) {
    for strategy in strategies {
        if strategy.proves && job.explores() {
            continue;
        }
        let (all, mut left) = job.time();
        if strategy.proves {
            left = left.saturating_sub(job.reserved());
        }
        let started = Instant::now();
        let found = (strategy.run)(job, left.min(all.mul_f64(strategy.share)));
        let claims = found.iter().filter(|(_, e)| !matches!(e.claim, Claim::Open(_))).count();
        job.count(Spent { strategy: strategy.name.into(), time: started.elapsed(), claims });
        job.record(found);
    }
}

/// The strategies for a C function that is called by itself, until its tests can be built: with those of other functions in one
/// program, as a compiler starts as long as it compiles.
pub(crate) fn c_function_search<'a>() -> [Strategy<FunctionJob<'a>>; 8] {
    [
        // Costs nothing without seeds.
        Strategy { name: "seeds", share: 0.1, proves: false, run: FunctionJob::seeds },
        // What is proved before the search need not be searched for: checks that hold are most of what no test covers.
        Strategy { name: "invariants", share: 0.1, proves: true, run: FunctionJob::invariants },
        // Is enough for small functions, so that nothing else is built for them.
        Strategy { name: "first search", share: 0.15, proves: false, run: FunctionJob::first_search },
        // Takes a question or two for what a search comes to after thousands of loop iterations.
        Strategy { name: "deep runs", share: 0.1, proves: false, run: FunctionJob::deep_runs },
        // Goes deep where solvers are slow; what it finds is where the search goes on.
        Strategy {
            name: "greybox fuzzing",
            share: greybox_fuzzing::SHARE,
            proves: false,
            run: FunctionJob::greybox_fuzzing,
        },
        // Finds most of what can be found. It sets time aside for what follows itself.
        Strategy { name: "search", share: 1.0, proves: false, run: FunctionJob::search },
        // Finds what else is many iterations away, and proves the rest of what the search came close to.
        Strategy { name: "loop summaries", share: 0.3, proves: true, run: FunctionJob::loop_summaries },
        // As few tests of both as show what they found.
        Strategy { name: "selection", share: 1.0, proves: false, run: FunctionJob::select },
    ]
}

/// The strategies that follow.
pub(crate) fn c_function_replay<'a>() -> [Strategy<FunctionJob<'a>>; 3] {
    [
        // Runs the tests; what they pass is asked no prover.
        Strategy { name: "replay", share: 1.0, proves: false, run: FunctionJob::replay },
        // Exact up to the bound, with explanations; behind the search, which leaves little to it.
        Strategy { name: "bounded proof", share: 0.4, proves: true, run: FunctionJob::bounded_proof },
        // Asks about verdicts, so it comes last.
        Strategy { name: "out of bounds", share: 0.4, proves: true, run: FunctionJob::out_of_bounds },
    ]
}

/// The strategies for a C library, from its entries.
pub(crate) fn c_library<'a>() -> [Strategy<LibraryJob<'a>>; 7] {
    [
        // Costs nothing, and keeps functions that are never called out of all that follows.
        Strategy { name: "call graph", share: 1.0, proves: false, run: LibraryJob::call_graph },
        // What is proved before the searches need not be searched for.
        Strategy { name: "invariants", share: 0.1, proves: true, run: LibraryJob::invariants },
        // Takes what it may take for each entry.
        Strategy { name: "search", share: 1.0, proves: false, run: LibraryJob::search },
        // Runs the tests; what they pass is asked no prover.
        Strategy { name: "replay", share: 1.0, proves: false, run: LibraryJob::replay },
        // Function by function and from any state: exact up to the bound.
        Strategy { name: "bounded proof", share: 0.4, proves: true, run: LibraryJob::bounded_proofs },
        // Again, as proofs leave callers out.
        Strategy { name: "call graph", share: 1.0, proves: true, run: LibraryJob::call_graph },
        // Asks about verdicts, so it comes last.
        Strategy { name: "out of bounds", share: 1.0, proves: true, run: LibraryJob::out_of_bounds },
    ]
}

/// The strategies for a whole C program, from its entry.
pub(crate) fn c_program<'a>() -> [Strategy<ProgramJob<'a>>; 11] {
    [
        // Costs nothing, and keeps functions that are never called out of all that follows.
        Strategy { name: "call graph", share: 1.0, proves: false, run: ProgramJob::call_graph },
        // Finds what is easy to find, and is all that an exploration does.
        Strategy { name: "first search", share: 0.1, proves: false, run: ProgramJob::first_search },
        // Goes deep where solvers are slow; what it finds is where the search goes on.
        Strategy {
            name: "greybox fuzzing",
            share: greybox_fuzzing::SHARE,
            proves: false,
            run: ProgramJob::greybox_fuzzing,
        },
        // Goes on from there, so that proofs are asked for the rest only.
        Strategy { name: "search", share: 0.4, proves: false, run: ProgramJob::search },
        // Quick for all places at once.
        Strategy { name: "invariants", share: 0.1, proves: true, run: ProgramJob::invariants },
        // Function by function and from any state: slower, and exact up to the bound.
        Strategy { name: "bounded proof", share: 0.15, proves: true, run: ProgramJob::bounded_proofs },
        // From the start of the program, place by place: what depends on callers and initial values.
        Strategy { name: "loop summaries", share: 0.1, proves: true, run: ProgramJob::loop_summaries },
        // Again, as proofs leave callers out.
        Strategy { name: "call graph", share: 1.0, proves: true, run: ProgramJob::call_graph },
        // Takes what is left of the time for what may still be reached.
        Strategy { name: "last search", share: 1.0, proves: false, run: ProgramJob::last_search },
        // Runs the tests.
        Strategy { name: "replay", share: 1.0, proves: false, run: ProgramJob::replay },
        // Asks about verdicts, so it comes last.
        Strategy { name: "out of bounds", share: 0.2, proves: true, run: ProgramJob::out_of_bounds },
    ]
}
