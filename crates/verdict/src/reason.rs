//! Why nothing is claimed of a goal: a closed list, each reason with a stable code, a sentence, and what the user can do.
//!
//! The codes are ordered from the least to the most specific: of several reasons for one goal, the last one in the list is
//! told. The page of the book about them is made from this list.

use std::fmt::{self, Write};

use footpath_smt::Unknown;

/// Why nothing is claimed of a goal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reason {
    /// Which reason it is.
    pub code: Code,
    /// What the sentence of the code leaves open, such as a number.
    pub detail: String,
}

impl From<Code> for Reason {
    fn from(code: Code) -> Reason {
        Reason { code, detail: String::new() }
    }
}

impl From<&Unknown> for Reason {
    fn from(why: &Unknown) -> Reason {
        match why {
            Unknown::Timeout => Code::QueryTime.into(),
            Unknown::Interrupted => Code::SolverInterrupted.into(),
            Unknown::Memory => Code::SolverMemory.into(),
            Unknown::Incomplete(why) => Code::SolverIncomplete.with(why),
            Unknown::Unsupported(what) => Code::SolverUnsupported.with(what),
            Unknown::Failed(how) => Code::SolverFailed.with(how),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code.sentence().replace("{}", &self.detail))
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident, $code:literal, $sentence:literal, $advice:literal;)*) => {
        /// Which reason it is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All of them, from the least to the most specific.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The stable name, as it stands in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// The sentence; `{}` stands for the detail.
            pub fn sentence(self) -> &'static str {
                match self { $(Code::$name => $sentence,)* }
            }

            /// What the user can do.
            pub fn advice(self) -> &'static str {
                match self { $(Code::$name => $advice,)* }
            }
        }
    };
}

reasons! {
    /// Nothing is known.
    NotReached, "not-reached", "it was not reached, and no proof excludes it",
        "Raise `--timeout`; where larger inputs are needed, `--array-length` and `--pointer-depth`; where longer loops are, `--unwind`.";
    /// The necessary condition does not exclude it.
    NoRunFound, "no-run-found", "the necessary condition may be satisfiable, but no run was found",
        "Raise `--timeout`; `--show-condition` prints the condition, and what is lost in loops is told below it.";
    /// Its function is not lowered.
    NotLowered, "not-lowered", "{}",
        "Leave the construct out of the function, or write a test by hand.";
    /// Inputs of the sizes of tests do not lead there.
    InputSizes, "input-sizes",
        "no input of the sizes that tests use reaches it, which proves nothing about others; --array-length raises the sizes",
        "Raise `--array-length` and `--pointer-depth`.";
    /// The search ended before anybody asked.
    NotAnalysed, "not-analysed", "the search ended before it was analysed",
        "Raise `--timeout`.";
    /// The user or the limit for all functions ended the run.
    Interrupted, "interrupted", "the run was interrupted",
        "Run it again, or raise `--total-timeout`.";
    /// The same while a function was analysed.
    RunEnded, "run-ended", "it was not reached before the run was interrupted or --total-timeout ended it",
        "Run it again, or raise `--total-timeout`.";
    /// The time limit of a function.
    TimeLimit, "time-limit", "it was not reached within {}; --timeout raises the limit",
        "Raise `--timeout`, or analyse the function alone with `--function`.";
    /// The time limit for all functions.
    TotalTime, "total-time", "it was not reached within the {} that --total-timeout left for the function",
        "Raise `--total-timeout`, or analyse fewer functions with `--function`.";
    /// The time limit of a procedure.
    ProcedureTime, "procedure-time", "the time for the procedure ran out; --timeout raises the limit",
        "Raise `--timeout`, or analyse the procedure alone with `--procedure`.";
    /// The time limit of a target.
    TargetTime, "target-time", "the time for the target ran out; --timeout raises the limit",
        "Raise `--timeout`, or ask about fewer targets.";
    /// The time limit of a query.
    QueryTime, "query-time", "the solver ran out of time; --query-timeout raises the limit",
        "Raise `--query-timeout`.";
    /// A limit of the exploration.
    ExplorationLimit, "exploration-limit", "{}",
        "Raise the limit that the message names.";
    /// The limit on tests.
    MaxTests, "max-tests", "the limit of {} tests was reached; --max-tests raises it",
        "Raise `--max-tests`, or use an algorithm that does not enumerate paths.";
    /// The time for the proof of a check.
    ProofTime, "proof-time", "the time for its proof ran out; --solver-timeout raises the limit",
        "Raise `--solver-timeout`; `footpath test`, or `cover` for Boogie, looks for an input that makes it fail.";
    /// The analyser's limit, and no solver.
    AnalysisLimit, "analysis-limit",
        "abstract interpretation reached its limit before it was decided, and no solver was to be asked",
        "Give `--solver-timeout` a time above 0, or `--modular` for smaller bodies.";
    /// No solver was asked.
    NoSolver, "no-solver", "abstract interpretation leaves it open, and no solver was to be asked",
        "Give `--solver-timeout` a time above 0.";
    /// Loops that have no invariant.
    LoopForm, "loop-form",
        "no invariants were found for the loops of the function, as their analysis reached its limit or a jump enters one past its head",
        "Use `--modular`, which analyses smaller bodies, or raise `--timeout`; where a jump enters a loop past its head, write it without.";
    /// What stands for loops and calls is too weak.
    WeakInvariants, "weak-invariants",
        "what is known of loops, calls and memory on the way does not exclude a failure",
        "State what holds there with `assert`, in a loop before each iteration, or pass invariants with `--results`; `footpath test`, or `cover` for Boogie, looks for an input that makes it fail.";
    /// The states in which a function may be called.
    CallerState, "caller-state",
        "it may fail in a state in which the function may be called, as far as is known",
        "State what callers guarantee with `assert` where the function begins (`requires` in Boogie); `footpath test`, or `cover` for Boogie, looks for an input that makes it fail.";
    /// The loop-free form is too large.
    BlockLimit, "block-limit", "the loop-free form would have more than {} blocks",
        "Lower `--unwind` or `--recursion`, so that more of the procedure fits, or let `--calls` use summaries; for `verify`, `--modular`.";
    /// The tree of paths to the target is too large.
    TooManyPaths, "too-many-paths", "there are too many paths to the target",
        "Ask from a function nearer to the target, with `--function`.";
    /// A decision that is not looked at.
    DecisionForm, "decision-form",
        "its decision is not looked at, as it can be evaluated in more than {} ways, or has `?:` or statements as a condition",
        "Split the decision: give a part of it a name.";
    /// No run returns within the bound.
    NoReturnWithinBound, "no-return-within-bound",
        "runs reach it, but none of them returns within {}",
        "Raise `--unwind`, and `--recursion` where the procedure is recursive.";
    /// The solver cannot decide it.
    SolverIncomplete, "solver-incomplete", "the solver could not decide it ({})",
        "Simplify quantifiers or arithmetic on the way to the place, or give triggers.";
    /// The solver does not know a construct.
    SolverUnsupported, "solver-unsupported", "the solver does not support {}",
        "Use another solver with `--solver`, or leave the construct out.";
    /// The solver was interrupted.
    SolverInterrupted, "solver-interrupted", "the solver was interrupted",
        "Run it again.";
    /// The solver ran out of memory.
    SolverMemory, "solver-memory", "the solver ran out of memory",
        "Raise `--memory`, or lower `--unwind`.";
    /// The solver failed.
    SolverFailed, "solver-failed", "the solver failed: {}",
        "Use another solver with `--solver`, and report the failure.";
    /// Type variables of axioms.
    AxiomInstances, "axiom-instances",
        "a model was found, but not all axioms with type variables could be instantiated: {}",
        "Give the axioms for the types that are used.";
    /// A model that is no run.
    ModelNotReplayed, "model-not-replayed", "{}",
        "Report it if the program has no axioms and no functions without a body; such models need not be runs.";
    /// A path without inputs.
    NoInputs, "no-inputs", "a path to the target was found, but no inputs for it",
        "Raise `--timeout`; arithmetic on the way to the place may be too hard for the solver.";
    /// Verified runs are left out.
    PrunedByVerification, "pruned-by-verification",
        "it was not reached, and runs on which all checks are verified were left out; --guide none includes them",
        "Use `--guide none`.";
    /// Nothing but somebody's claim excludes it.
    RestsOnClaims, "rests-on-claims", "{}",
        "Check the claims (`{:verified …}`); no test refuted them, and no proof was found.";
    /// What tests leave out.
    LeftOutByTests, "left-out-by-tests", "no test reaches it unless {}, which tests leave out",
        "Write a test by hand, or give the external function a body.";
    /// The time for running tests.
    NoTimeForTest, "no-time-for-test", "there was no time to run the test that was found; --timeout raises the limit",
        "Raise `--timeout`.";
    /// A test that does not compile.
    TestNotBuilt, "test-not-built", "the test that was found could not be built{}",
        "See the compiler's message among the notes; the flags of the compiler stand behind `--`.";
    /// Values out of a test's reach.
    NotSettable, "not-settable", "the runs that come there need values that a test cannot set, such as uninitialised memory",
        "Initialise the memory, or accept that no test can show it.";
    /// A test that takes another path.
    Diverged, "diverged", "the test that was found takes another path when it is compiled and run",
        "See the test; external functions, or undefined behaviour before the place, may act otherwise in the compiled program.";
    /// Undefined behaviour before the place.
    BehindUndefined, "behind-undefined",
        "the tests that come there have come to undefined behaviour before, behind which a program may do anything",
        "See the failing check of the test; where the behaviour is meant, say so to the compiler, as `-fwrapv` does of overflows.";
    /// A place without a counter.
    NotRecorded, "not-recorded", "a test was found, but a compiled test does not record whether it reaches the place",
        "Ask about a statement of the same block.";
    /// A function that tests cannot call.
    NoHarness, "no-harness", "no tests are made, because {}",
        "Ask from a function that calls it, with `--function`.";
    /// A place that the analysed program does not have.
    PlaceAbsent, "place-absent", "the place does not exist in the program as it is analysed",
        "Ask about another line; the compiler leaves out code that it knows to be dead.";
    /// Functions that run beside the program.
    Asynchronous, "asynchronous",
        "it may be called asynchronously (by a thread, a signal or at exit), which is not analysed",
        "Test the function by itself, with `--function`.";
    /// Contradictory axioms.
    NothingRuns, "nothing-runs", "no state satisfies the axioms and definitions, so nothing can run",
        "Take back one of the declarations that the warning names.";
}

impl Code {
    /// The reason with its detail.
    pub fn with(self, detail: impl Into<String>) -> Reason {
        Reason { code: self, detail: detail.into() }
    }

    /// The code of this name.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl Reason {
    /// The reason as one line of a cache.
    pub fn to_line(&self) -> String {
        format!("{} {}", self.code.name(), self.detail.replace('\n', " "))
    }

    /// The reason with this code and sentence, the inverse of writing it out.
    pub fn in_words(code: &str, words: &str) -> Option<Reason> {
        let code = Code::named(code)?;
        let detail = match code.sentence().split_once("{}") {
            Some((before, behind)) => words.strip_prefix(before)?.strip_suffix(behind)?,
            None => "",
        };
        Some(code.with(detail)).filter(|reason| reason.to_string() == words)
    }

    /// The inverse of [`Reason::to_line`].
    pub fn of_line(line: &str) -> Option<Reason> {
        let (name, detail) = line.split_once(' ')?;
        Some(Code::named(name)?.with(detail))
    }
}

/// The page of the book about reasons.
pub fn page() -> String {
    let mut text = String::from(
        "# Reasons\n\n\
         Where nothing is claimed of a place, the reports say why: as a sentence, and as a code in brackets, which is `reason_code` in JSON. \
         These are all the codes, from the least to the most specific; of several reasons for one place, the last one is told.\n\n\
         | code | sentence | what you can do |\n|---|---|---|\n",
    );
    for code in Code::ALL {
        let sentence = code.sentence().replace("{}", "…");
        let _ = writeln!(text, "| `{}` | {sentence} | {} |", code.name(), code.advice());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_read_back_from_its_words() {
        for &code in Code::ALL {
            for detail in
                ["", "10 s", "f; g"].into_iter().filter(|d| d.is_empty() || code.sentence().contains("{}"))
            {
                let reason = code.with(detail);
                assert_eq!(Reason::in_words(code.name(), &reason.to_string()), Some(reason));
            }
        }
        assert_eq!(Reason::in_words("time-limit", "it was not reached"), None);
        assert_eq!(Reason::in_words("no-such-code", "it was not reached"), None);
    }
}
