//! Random programs, loops and calls included: no run of the reference interpreter contradicts the analysis.
//!
//! What is said to hold when a block is entered is put there as an assertion, `false` where a block is said not to be
//! entered; an assertion that is said to fail gets its opposite before it. None of these may fail in any run, and
//! no check that is said to hold.

use super::common::{read, seeds, with_claims};
use super::programs::Writer;
use footpath_absint::{Calls, Effort, Proof, analyse, never_entered, never_entered_alone};
use footpath_ir::interp::{Limits, Outcome, RandomOracle, run};
use footpath_ir::{AssertKind, Origin, Place};

#[derive(Default)]
struct Count {
    proved: usize,
    failing: usize,
    open: usize,
    ended: usize,
    failed: usize,
    dead: usize,
}

fn check_program(seed: u64, count: &mut Count) {
    let text = Writer::program(seed);
    let program = read(&text);
    let id = program.procedure_named("P").expect("P is there");
    // Few blocks are enough for some callees and too few for others.
    let blocks = [20, 40, 80, 400][(seed / 2 % 4) as usize];
    let calls = if seed.is_multiple_of(2) { Calls::Contracts } else { Calls::Bodies(blocks) };
    let effort = Effort { partitions: 1 + (seed % 5) as usize, ..Effort::default() };
    let analysis = analyse(&program, id, 0, calls, &[], &[], effort);
    assert!(!analysis.gave_up, "seed {seed} takes too long\n{text}");
    for check in &analysis.checks {
        *match check.proof {
            Proof::Holds | Proof::Unreached => &mut count.proved,
            Proof::Fails => &mut count.failing,
            Proof::Open => &mut count.open,
        } += 1;
    }
    let mut dead = never_entered(&program, id, blocks, effort).unwrap_or_default();
    dead.extend(never_entered_alone(&program, id, calls, effort).unwrap_or_default());
    count.dead += dead.len();
    let claims = with_claims(&program, id, &analysis);
    let limits = Limits { steps: 1_000, ..Limits::default() };
    for (program, claims) in [(&program, false), (&claims, true)] {
        let mut oracle = RandomOracle::new(program, seed);
        for _ in 0..25 {
            let found = run(program, id, 0, &mut oracle, &limits);
            let script = oracle.take_script();
            for step in found.path.iter().filter(|_| !claims) {
                let place = Place::Segment { block: step.block, first: 0 };
                let at = Origin { procedure: step.procedure, body: step.body, place };
                assert!(!dead.contains(&at), "seed {seed}: {at:?} is entered\n{text}\n{script:?}");
            }
            let Outcome::Failed { at, kind } = found.outcome else {
                count.ended += usize::from(found.outcome == Outcome::Returned);
                continue;
            };
            if claims {
                let wrong = matches!(kind, AssertKind::Abort | AssertKind::Exit);
                assert!(
                    !wrong,
                    "seed {seed}: a claim fails at {at:?}: {kind}\n{text}\n{script:?}\n{}",
                    footpath_ir::print(program)
                );
                continue;
            }
            count.failed += 1;
            assert!(!dead.contains(&at), "seed {seed}: {at:?} fails\n{text}\n{script:?}");
            let check = analysis.checks.iter().find(|c| c.origin == at);
            if at.procedure == id {
                let check = check.expect("a check that failed is listed");
                assert!(
                    matches!(check.proof, Proof::Open | Proof::Fails),
                    "seed {seed}: {:?} {:?} fails\n{text}\n{script:?}",
                    check.origin,
                    check.proof
                );
            }
        }
    }
}

#[test]
fn no_run_contradicts_what_was_found_out() {
    let mut count = Count::default();
    let seeds = seeds(250);
    let many = seeds.end - seeds.start >= 250;
    for seed in seeds {
        check_program(seed, &mut count);
    }
    let Count { proved, failing, open, ended, failed, dead } = count;
    assert!(
        !many || (proved > 50 && failing > 10 && open > 100 && ended > 3_000 && failed > 500 && dead > 100),
        "too little happens: {proved} proved, {failing} failing, {open} open; {ended} runs end, {failed} fail; {dead} places are dead"
    );
}
