//! Random programs: the runs of the loop-free form are the runs of the source within the bounds.

use std::sync::atomic::{AtomicUsize, Ordering};

use footpath_ir::{Place, ProcId};
use footpath_transform::{Bounds, LoopFree, loop_free, objectives, unrolled};
use rustc_hash::FxHashSet;

use crate::generate::{self, Random};
use crate::machine::{DOMAIN, End, Flat, Found, Source, Values, follow, wander};

const PROGRAMS: u64 = 3000;
const RUNS: u64 = 8;

#[derive(Default)]
struct Count {
    compared: AtomicUsize,
    cut: AtomicUsize,
    back: AtomicUsize,
}

fn check_program(seed: u64, count: &Count) {
    let program = generate::program(seed);
    let r = &mut Random::new(!seed);
    let bounds = Bounds {
        unwind: r.below(4) as u32,
        recursion: r.below(3) as u32,
        max_blocks: r.pick(&[30, 300, 300, 300]),
    };
    let root = ProcId(0);
    let whole = unrolled(&program, root, 0, bounds);
    let sliced = loop_free(&program, root, 0, bounds);
    for form in [&whole, &sliced] {
        assert_eq!(form.check(), Vec::<String>::new(), "seed {seed}");
    }
    own_blocks_are_objectives(seed, &program, &whole);
    let behind = behind(&whole);
    let here: FxHashSet<_> = whole.body.blocks.iter().map(|b| b.origin).collect();

    let source = Source::new(&program);
    let (flat, flat_sliced) = (Flat { form: &whole }, Flat { form: &sliced });
    let p = &program[root];
    let outputs = [p.results[0].symbol, program.globals[0].variable.symbol];
    for run in 0..RUNS {
        let g = &program.globals[0];
        let value = r.pick(&DOMAIN);
        let inputs =
            Values::from([(g.variable.symbol, value), (g.old, value), (p.params[0].symbol, r.pick(&DOMAIN))]);
        let below = |n: usize| r.below(n as u64) as usize;
        if let Some(finished) = wander(&source, source.start(&inputs), below, 150) {
            let within = finished.last.most_visits <= bounds.unwind + 1
                && finished.last.most_nested <= bounds.recursion;
            let finals = outputs.map(|s| (s, crate::machine::Machine::value(&source, &finished.last, s)));
            for (machine, finals) in [(&flat, &finals[..]), (&flat_sliced, &[])] {
                let found = follow(machine, machine.start(&inputs), &finished.events, &finished.end, finals);
                match found {
                    Found::Same => count.compared.fetch_add(1, Ordering::Relaxed),
                    Found::Cut if !within || !whole.notes.is_empty() => {
                        for (_, origin) in &finished.events {
                            let known = here.contains(origin) || behind.contains(origin);
                            assert!(known, "seed {seed}, run {run}: {origin:?} is not behind a cut");
                        }
                        count.cut.fetch_add(1, Ordering::Relaxed)
                    }
                    found => panic!(
                        "seed {seed}, run {run}, {bounds:?}: {found:?} for a run of the source: {:?} {:?}",
                        finished.events, finished.end
                    ),
                };
            }
        }
        let below = |n: usize| r.below(n as u64) as usize;
        if let Some(finished) = wander(&flat, flat.start(&inputs), below, 400)
            && finished.end != End::Cut
        {
            let finals = outputs.map(|s| (s, crate::machine::Machine::value(&flat, &finished.last, s)));
            let found = follow(&source, source.start(&inputs), &finished.events, &finished.end, &finals);
            assert_eq!(
                found,
                Found::Same,
                "seed {seed}, run {run}, {bounds:?}: the source has no run {:?} {:?}",
                finished.events,
                finished.end
            );
            count.back.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn own_blocks_are_objectives(seed: u64, program: &footpath_ir::Program, form: &LoopFree) {
    let listed: FxHashSet<_> = objectives(program, form.procedure, 0).iter().map(|o| o.origin).collect();
    for (block, _) in form.body.blocks.iter().zip(&form.depths).filter(|(_, d)| **d == 0) {
        let counted = !matches!(block.origin.place, Place::Entry | Place::Cut { .. });
        assert!(!counted || listed.contains(&block.origin), "seed {seed}: {} is no objective", block.name);
    }
}

/// The origins that may lie behind a cut.
fn behind(form: &LoopFree) -> FxHashSet<footpath_ir::Origin> {
    let mut seen = vec![false; form.cyclic.blocks.len()];
    let mut stack: Vec<_> = form.cuts.iter().map(|c| c.1).collect();
    let mut found = FxHashSet::default();
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            found.insert(form.cyclic[block].origin);
            stack.extend(form.cyclic[block].terminator.successors());
        }
    }
    found
}

#[test]
fn runs_of_the_loop_free_form_are_the_runs_of_the_source_within_the_bounds() {
    let count = Count::default();
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    // A failure names its seed; the other variable is for long nights.
    let (from, to) = match number("FOOTPATH_SEED") {
        Some(seed) => (seed, seed + 1),
        None => (0, number("FOOTPATH_PROGRAMS").unwrap_or(PROGRAMS)),
    };
    for seed in from..to {
        check_program(seed, &count);
    }
    if to - from >= PROGRAMS {
        let (compared, cut, back) =
            (count.compared.into_inner(), count.cut.into_inner(), count.back.into_inner());
        assert!(
            compared > 8000 && cut > 100 && back > 4000,
            "too few runs end to say much: {compared} {cut} {back}"
        );
    }
}
