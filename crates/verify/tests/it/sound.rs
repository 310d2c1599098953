//! No verdict is contradicted by a run.
//!
//! Random programs, their assumptions included, are verified with nothing assumed and with everything. Then
//! they are run, on random inputs and on those that a concolic search finds, which looks for failures. With `--sound` no
//! check reported verified may fail in any run; with assumptions, every run that fails at a check that was verified under a
//! premise has to violate the premise, which is evaluated on the run itself ([`RunOracle`]).
//!
//! `FOOTPATH_PROGRAMS` says how many programs there are, `FOOTPATH_SEED` asks for a single one.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::programs::Writer;
use footpath_concolic as concolic;
use footpath_concolic::{Bounds, Keep};
use footpath_ir::interp::{Limits, Outcome, RandomOracle, Replay, Script, run};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{Origin, Place, ProcId, Program};
use footpath_verify::{
    AssumptionKind, Calls, Entry, Options, RunClass, RunOracle, Verdict, Verification, verify,
};

fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("random.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}\n{text}");
    program.expect("a program")
}

/// Verifies both procedures; with many partitions or few, callees or contracts, a solver or none, as the seed says.
fn verified(program: &Program, assume: BTreeSet<AssumptionKind>, seed: u64) -> Verification {
    let entry = |_: &mut footpath_term::Terms, _| Entry {
        allocation_fails: program.procedure_named("fails"),
        ..Entry::default()
    };
    let plain = Options::default();
    let calls = if seed.is_multiple_of(2) { Calls::Contracts } else { plain.calls };
    let effort = footpath_verify::Effort { partitions: 1 + (seed % 4) as usize, ..plain.effort };
    let solver = seed.is_multiple_of(10).then_some(Duration::from_secs(2));
    let rounds = 1 + (seed % 3) as u32;
    let options = Options { assume, rounds, calls, effort, solver, runs: 30, ..plain };
    let procedures = ["P", "Q"].map(|name| program.procedure_named(name).expect("a procedure"));
    verify(program, &procedures, &entry, &options, &AtomicBool::new(false), &|_| ())
}

#[derive(Default)]
struct Count {
    verified: usize,
    under: usize,
    open: usize,
    /// Runs that fail at a check that is open, or verified under a premise that they violate.
    failed: usize,
    /// Of those, at one that is verified under a premise.
    violated: usize,
    runs: usize,
}

/// Inputs that lead into failures, as far as a short search finds them.
fn searched(program: &Program, id: ProcId, seed: u64) -> Vec<Script> {
    let bounds = Bounds { runs: 40, nodes: 2_000, steps: 2_000, ..Bounds::default() };
    let options = concolic::Options { bounds, seed, keep: Keep::All, ..concolic::Options::default() };
    let found = concolic::explore(program, id, 0, &options, &AtomicBool::new(false), &|_| {});
    found.map(|f| f.tests.into_iter().map(|t| t.script).collect()).unwrap_or_default()
}

fn check_program(seed: u64, count: &mut Count) {
    let text = Writer::with_assumptions(seed);
    let program = read(&text);
    let id = program.procedure_named("P").expect("P");
    let mut random = RandomOracle::new(&program, seed);
    let limits = Limits { steps: 1_000, ..Limits::default() };
    let mut scripts: Vec<Script> = (0..20)
        .map(|_| {
            run(&program, id, 0, &mut random, &limits);
            random.take_script()
        })
        .collect();
    if seed.is_multiple_of(20) {
        scripts.extend(searched(&program, id, seed));
    }
    let sound = verified(&program, BTreeSet::new(), seed);
    assert!(sound.bodies.iter().all(|b| b.assumptions.is_empty()), "seed {seed}: something is assumed");
    let all = verified(&program, AssumptionKind::ALL.iter().copied().collect(), seed);
    for check in all.bodies.iter().flat_map(|b| &b.checks) {
        *match check.verdict {
            Verdict::Verified => &mut count.verified,
            Verdict::VerifiedUnder(_) => &mut count.under,
            _ => &mut count.open,
        } += 1;
    }
    let oracles = [RunOracle::new(&sound), RunOracle::new(&all)];
    let interpreters = oracles.each_ref().map(RunOracle::interpreter);
    for script in &scripts {
        count.runs += 1;
        let plain = run(&program, id, 0, &mut Replay::new(script), &limits);
        let mut failures = Vec::new();
        if let Outcome::Failed { at, .. } = plain.outcome {
            failures.push(at);
        }
        for step in &plain.path {
            if program[step.procedure].bodies[0].mark(step.block).is_some() {
                let place = Place::Segment { block: step.block, first: 0 };
                failures.push(Origin { procedure: step.procedure, body: 0, place });
            }
        }
        count.failed += usize::from(!failures.is_empty());
        for (found, how) in [(&sound, "sound"), (&all, "with assumptions")] {
            let checks = found.bodies.iter().flat_map(|b| &b.checks);
            for check in checks.filter(|c| failures.contains(&c.origin)) {
                assert_ne!(
                    check.verdict,
                    Verdict::Verified,
                    "seed {seed}, {how}: {:?} fails\n{text}\n{script:?}",
                    check.origin
                );
                count.violated += usize::from(matches!(check.verdict, Verdict::VerifiedUnder(_)));
            }
        }
        for (oracle, interpreter) in oracles.iter().zip(&interpreters) {
            let found =
                oracle.classify(interpreter, (id, 0), script, &Limits { steps: 4_000, ..limits }, &[]);
            assert_ne!(
                found.class,
                RunClass::Contradiction,
                "seed {seed}: a check fails although its premise holds\n{text}\n{script:?}\n{}",
                footpath_ir::print(&all.annotated)
            );
            let ended = !matches!(plain.outcome, Outcome::OutOfSteps | Outcome::Stuck { .. });
            assert!(
                !ended || failures.is_empty() == (found.class != RunClass::Failing),
                "seed {seed}: {:?} for {failures:?}\n{text}\n{script:?}",
                found.class
            );
        }
    }
}

#[test]
fn no_verified_check_fails_and_failing_runs_violate_premises() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    let seeds = match number("FOOTPATH_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("FOOTPATH_PROGRAMS").unwrap_or(100),
    };
    let mut count = Count::default();
    let many = seeds.end - seeds.start >= 100;
    for seed in seeds {
        check_program(seed, &mut count);
    }
    let Count { verified, under, open, failed, violated, runs } = count;
    assert!(
        !many || (verified > 80 && under > 15 && open > 100 && failed > 300 && violated > 10),
        "too little happens: {verified} verified, {under} under premises, {open} open; {failed} of {runs} runs fail, \
         {violated} at a check that is verified under a premise"
    );
}
