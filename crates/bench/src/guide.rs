//! The experiment of PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 4.2: what guidance by partial verification
//! saves.
//!
//! Each function is explored in five configurations: *UV*, the program as it is; *PV*, the program with what was verified;
//! *MAY*, *MUST* and *MAY×MUST*, with guidance on top. A test is a run on a path of its own that ends; it is classified
//! by running it once more, in the reference interpreter, on the program with what was verified
//! ([`footpath_verify::RunOracle`]), for all configurations alike. Runs that guidance aborts are counted apart, and
//! counted as tests in all sums, as in the paper's Figure 6. Interrupted runs come again and are not counted.
//!
//! **Deviation.** The paper's tool keeps a test only if it covers a new branch, and counts tests that are not redundant.
//! Here each path is a test, so that there are many that differ only behind the last check that was not verified, where
//! nothing is left to be found. An *unverified execution* is therefore the way to that check, counted once. How many tests
//! the paper's tool would keep is counted beside them ([`Tests::kept`]).
//!
//! There is no concrete phase: it would make tests before guidance has a say. Times and their limit are processor time of the
//! thread that explores, where the system tells it, so that other work on the machine counts little; the order of configurations
//! changes from function to function.

mod figures;
mod tables;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_concolic as concolic;
use footpath_concolic::{Bound, Bounds, Event, Exploration, GoalScope, Hits, Keep, Options, TestClass};
use footpath_ir::interp::{Interpreter, Limits, Outcome, Replay, Run, Step};
use footpath_ir::{BlockId, Origin, ProcId, Program};
use footpath_parallel::{TICK, ThreadTime, in_parallel, with_clock};
use footpath_verify::{Guide, RunClass, RunOracle, Verdict, Verification, guide};
use rustc_hash::FxHashSet;

/// A program and what is explored in it.
pub struct Subject {
    /// Its name.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The functions.
    pub functions: Vec<Function>,
    /// What was verified in it.
    pub found: Verification,
}

/// A function to be explored.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The procedure that runs start in.
    pub root: ProcId,
    /// The procedure whose checks it is about.
    pub procedure: ProcId,
}

/// How far each exploration goes.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Processor time for each function and configuration; time on the clock where the system does not tell it.
    pub timeout: Duration,
    /// Runs.
    pub runs: u64,
    /// Seed of all random choices.
    pub seed: u64,
}

/// The tests of an exploration, by class.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tests {
    /// A check fails that was not verified under a premise that holds.
    pub failing: u64,
    /// Some check was not verified under a premise that holds.
    pub successful: u64,
    /// All checks were.
    pub redundant: u64,
    /// Guidance ended them, before or behind all checks that were not verified.
    pub aborted: u64,
    /// Unverified executions: different ways to checks that were not verified under a premise that holds, and what
    /// becomes of it; aborted tests included.
    pub unverified: u64,
    /// Of those, the ones that end in a failure.
    pub failures: u64,
    /// Tests, aborted ones included, in which a block follows another for the first time, or that end in a new place, in
    /// the program that was explored.
    pub kept: u64,
}

impl Tests {
    /// All, aborted ones included.
    pub fn all(&self) -> u64 {
        self.failing + self.successful + self.redundant + self.aborted
    }
}

/// One exploration.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The tests.
    pub tests: Tests,
    /// Runs that were interrupted.
    pub interrupted: u64,
    /// How often each bound was hit.
    pub bounds: Hits,
    /// Questions to the solver.
    pub queries: u64,
    /// Time in the solver.
    pub solver: Duration,
    /// Statements and jumps of all runs.
    pub steps: u64,
    /// Processor time.
    pub time: Duration,
    /// Whether every path was run or refuted.
    pub exhausted: bool,
}

/// A function in all configurations.
pub struct Row {
    /// The program and the function.
    pub name: String,
    /// How many checks there are in it and what it calls.
    pub checks: usize,
    /// How many were verified.
    pub verified: usize,
    /// How many were verified under assumptions.
    pub under: usize,
    /// In the order of [`Guide::ALL`].
    pub measured: Vec<Measured>,
}

/// The whole experiment.
#[derive(Default)]
pub struct Experiment {
    /// In the order of the programs.
    pub rows: Vec<Row>,
    /// What contradicts something else: explorations that failed, tests that contradict the verification.
    pub problems: Vec<String>,
    /// Tests that contradict the verification where a person or another tool says in the program that something is verified.
    pub refuted: Vec<String>,
}

/// Steps of a run: enough for what ends.
const STEPS: u64 = 200_000;

/// Measures, so many functions at a time. `event` is told the name of each function before it is explored.
pub fn run(
    subjects: &[Subject],
    effort: &Effort,
    jobs: usize,
    stop: &AtomicBool,
    event: &(dyn Fn(&str) + Sync),
) -> Experiment {
    let oracles: Vec<RunOracle> = subjects.iter().map(|s| RunOracle::new(&s.found)).collect();
    let mut all: Vec<(usize, (&Subject, &RunOracle, &Function))> = Vec::new();
    for (subject, oracle) in subjects.iter().zip(&oracles) {
        for function in &subject.functions {
            all.push((all.len(), (subject, oracle, function)));
        }
    }
    let rows = in_parallel(&all, jobs, stop, &|&(number, (subject, oracle, function))| {
        event(&format!("{} {}", subject.name, function.name));
        row(subject, oracle, function, number % Guide::ALL.len(), effort, stop)
    });
    let mut experiment = Experiment::default();
    for (row, problems, refuted) in rows.into_iter().flatten() {
        experiment.rows.extend(row);
        experiment.problems.extend(problems);
        experiment.refuted.extend(refuted);
    }
    experiment
}

/// Explores a function in all configurations, beginning with number `first`. Without a row if some exploration failed or was
/// stopped; also says what is wrong, and what refutes claims that stand in the program.
fn row(
    subject: &Subject,
    oracle: &RunOracle,
    function: &Function,
    first: usize,
    effort: &Effort,
    stop: &AtomicBool,
) -> (Option<Row>, Vec<String>, Vec<String>) {
    let name = format!("{} {}", subject.name, function.name);
    let behind = subject.program.reachable(&[function.procedure]);
    let bodies = subject.found.bodies.iter().filter(|b| behind.contains(&b.procedure));
    let verdicts: Vec<&Verdict> = bodies.flat_map(|b| &b.checks).map(|c| &c.verdict).collect();
    let mut measured: Vec<Option<Measured>> = vec![None; Guide::ALL.len()];
    let statements = behind.iter().flat_map(|p| &subject.program[*p].bodies).flat_map(|body| &body.blocks);
    let has_claims = statements.flat_map(|block| &block.statements).any(|s| s.premise().is_some());
    let (mut problems, mut refuted) = (Vec::new(), Vec::new());
    for i in 0..Guide::ALL.len() {
        let number = (first + i) % Guide::ALL.len();
        match measure(subject, function, oracle, Guide::ALL[number], effort, stop) {
            Ok((found, wrong)) => {
                measured[number] = Some(found);
                let told = wrong.into_iter().map(|w| format!("{name}: {w}"));
                if has_claims {
                    refuted.extend(told.map(|told| format!("claim refuted: {told}")));
                } else {
                    problems.extend(told);
                }
            }
            Err(e) => problems.push(format!("{name}: {e}")),
        }
    }
    let measured: Option<Vec<Measured>> = measured.into_iter().collect();
    let row = measured.filter(|_| !stop.load(Ordering::Relaxed)).map(|measured| Row {
        name,
        checks: verdicts.len(),
        verified: verdicts.iter().filter(|v| ***v == Verdict::Verified).count(),
        under: verdicts.iter().filter(|v| matches!(v, Verdict::VerifiedUnder(_))).count(),
        measured,
    });
    (row, problems, refuted)
}

/// Explores a function in a configuration. Also says what contradicts the verification.
fn measure(
    subject: &Subject,
    function: &Function,
    oracle: &RunOracle,
    how: Guide,
    effort: &Effort,
    stop: &AtomicBool,
) -> Result<(Measured, Option<String>), concolic::ExploreError> {
    let plain;
    let known = if how == Guide::None {
        plain = Verification::nothing(&subject.program);
        &plain
    } else {
        &subject.found
    };
    let guided = guide(known, function.root, (function.procedure, 0), how);
    let bounds = Bounds {
        time: ThreadTime::of_this().is_none().then_some(effort.timeout),
        runs: effort.runs,
        steps: STEPS,
        query: Some(Duration::from_secs(1)),
        ..Bounds::default()
    };
    let options = Options {
        bounds,
        seed: effort.seed,
        random_runs: 0,
        stop_when_covered: false,
        goals_in: GoalScope::Procedures(vec![function.root, function.procedure]),
        unverified_first: guided.orders,
        prunes: guided.prunes,
        keep: Keep::All,
        keep_aborted: true,
        ..Options::default()
    };
    let wall = Instant::now();
    // Of the thread that explores, and what it was at the end.
    let (clock, spent) = (OnceLock::new(), OnceLock::new());
    let so_far = || clock.get().and_then(ThreadTime::so_far);
    let event = |event| match event {
        Event::Started(_) => {
            let _ = ThreadTime::of_this().map(|own| clock.set(own));
        }
        Event::Finished => {
            let _ = so_far().map(|time| spent.set(time));
        }
        _ => {}
    };
    let over = AtomicBool::new(false);
    let look = || {
        if so_far().is_some_and(|time| time >= effort.timeout) || stop.load(Ordering::Relaxed) {
            over.store(true, Ordering::Relaxed);
        }
    };
    let mut found = with_clock(TICK, &look, || {
        concolic::explore(&guided.program, function.root, 0, &options, &over, &event)
    })?;
    let time = spent.get().copied().unwrap_or_else(|| wall.elapsed());
    if over.load(Ordering::Relaxed) {
        found.bounds_hit.hit(Bound::Time);
    }
    let (tests, problem) = classified(function, oracle, &guided.program, &found, stop);
    let wrong = problem.map(|what| format!("a test ({}) {what}", how.name()));
    let measured = Measured {
        tests,
        interrupted: found.statistics.classes.interrupted,
        bounds: found.bounds_hit,
        queries: found.statistics.queries,
        solver: found.statistics.solver_time,
        steps: found.statistics.run_steps,
        time,
        exhausted: found.exhausted,
    };
    Ok((measured, wrong))
}

/// The tests by class, as they run in the program with what was verified; not all of them if it is stopped. Also what
/// contradicts the verification.
fn classified(
    function: &Function,
    oracle: &RunOracle,
    explored: &Program,
    found: &Exploration,
    stop: &AtomicBool,
) -> (Tests, Option<&'static str>) {
    let mut tests = Tests::default();
    let mut branches = Branches::default();
    let explored = Interpreter::new(explored);
    let mut wrong = None;
    let (mut unverified, mut failures) = (FxHashSet::default(), FxHashSet::default());
    let interpreter = oracle.interpreter();
    let limits = Limits { steps: 3 * STEPS, ..Limits::default() };
    for test in found.tests.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
        let root = (function.root, 0);
        let run = oracle.classify(&interpreter, root, &test.script, &limits, &found.axioms);
        let aborted = test.class == TestClass::Aborted;
        match run.class {
            // What the program itself assumes is no test in any configuration.
            RunClass::Unknown => continue,
            _ if aborted && run.blocked => continue,
            RunClass::Failing if aborted => wrong = Some("was aborted, but fails"),
            RunClass::Contradiction => wrong = Some("fails at a check whose premise holds"),
            _ => {}
        }
        match run.class {
            _ if aborted => tests.aborted += 1,
            RunClass::Failing => tests.failing += 1,
            RunClass::Successful => tests.successful += 1,
            _ => tests.redundant += 1,
        }
        let in_explored =
            explored.run_under(root.0, root.1, &mut Replay::new(&test.script), &limits, &found.axioms);
        tests.kept += u64::from(branches.grow_by(&in_explored));
        let fails = run.class == RunClass::Failing;
        let mut way = DefaultHasher::new();
        let mut at = 0;
        for n in run.met.into_iter().filter(|n| *n <= run.shows.len()) {
            run.shows[at..n].iter().for_each(|step| step.hash(&mut way));
            at = n;
            if !(fails && n == run.shows.len()) {
                unverified.insert((false, way.finish()));
            }
        }
        if fails {
            run.shows[at..].iter().for_each(|step| step.hash(&mut way));
            unverified.insert((true, way.finish()));
            failures.insert(run.shows);
        }
    }
    tests.unverified = unverified.len() as u64;
    tests.failures = failures.len() as u64;
    (tests, wrong)
}

/// What tests have covered so far.
#[derive(Default)]
struct Branches {
    /// Blocks, and those that followed them; nothing follows where a run ends.
    edges: FxHashSet<(Block, Option<Block>)>,
    /// Places where runs failed or were given up.
    ends: FxHashSet<Origin>,
}

/// A block of a program.
type Block = (ProcId, u32, BlockId);

impl Branches {
    /// Adds a run; whether it covers something new.
    fn grow_by(&mut self, run: &Run) -> bool {
        let before = self.edges.len() + self.ends.len();
        let block = |step: &Step| (step.procedure, step.body, step.block);
        for (at, step) in run.path.iter().enumerate() {
            self.edges.insert((block(step), run.path.get(at + 1).map(block)));
        }
        if let Outcome::Failed { at, .. } | Outcome::Blocked { at } = run.outcome {
            self.ends.insert(at);
        }
        self.edges.len() + self.ends.len() > before
    }
}

#[cfg(test)]
mod tests {
    use footpath_ir::source::{SourceFile, SourceMap};
    use footpath_verify::{Entry, Options as VerifyOptions, verify};

    use super::*;

    /// Two checks that hold and one that may fail, behind different ways in.
    const TEXT: &str = "procedure P(x: int, y: int) {\n  var z: int;\n\
        if (x > 10) { z := x; if (y > 0) { z := z + 1; } assert z > 3; }\n\
        else if (x > 5) { z := 2 * x; assert z > 9; }\n\
        else { assert y != 7; if (y > 20) { z := 1; } else { z := 2; } assert z > 0; }\n}\n";

    #[test]
    fn guidance_makes_fewer_tests_and_covers_the_same_unverified_executions() {
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("p.bpl", TEXT));
        let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
        let program = program.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let id = program.procedure_named("P").expect("P");
        let found = verify(
            &program,
            &[id],
            &|_, _| Entry::default(),
            &VerifyOptions::default(),
            &AtomicBool::new(false),
            &|_| (),
        );
        let functions = vec![Function { name: "P".to_owned(), root: id, procedure: id }];
        let subject = Subject { name: "p".to_owned(), program, functions, found };
        let effort = Effort { timeout: Duration::from_secs(20), runs: 100, seed: 0 };
        let experiment = run(&[subject], &effort, 1, &AtomicBool::new(false), &|_| ());
        assert!(experiment.problems.is_empty(), "{:?}", experiment.problems);
        let row = &experiment.rows[0];
        assert_eq!((row.checks, row.verified, row.under), (4, 3, 0));
        let tests: Vec<Tests> = row.measured.iter().map(|m| m.tests).collect();
        let [uv, pv, may, must, both] = tests[..] else { panic!("{tests:?}") };
        for known in [uv, pv, must] {
            assert_eq!((known.failing, known.successful, known.redundant), (1, 2, 3), "{known:?}");
        }
        for pruned in [may, both] {
            assert_eq!((pruned.failing, pruned.redundant), (1, 0), "{pruned:?}");
            assert!(pruned.all() < pv.all(), "{pruned:?}");
        }
        assert!(tests.iter().all(|t| (t.unverified, t.failures) == (2, 1)), "{tests:?}");
        // Each path has an edge of its own.
        assert!(tests.iter().all(|t| t.kept == t.all()), "{tests:?}");
    }
}
