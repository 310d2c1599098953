//! What the concolic engine costs: `cargo run --release -p footpath-bench --example concolic [WHAT [DIAMONDS]]`.
//!
//! `speed` runs loops over words and memory with nothing symbolic in them and prints instructions of the program (steps)
//! for each second; `paths` finds all paths of the generated programs of RVC, section 7, with this engine and with the
//! path cover, which must be equally many.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use footpath_bench::generate;
use footpath_concolic as concolic;
use footpath_concolic::{Bounds, Keep, Options, Strategy};
use footpath_cover::{CoverOptions, Criterion, cover};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{ProcId, Program};

const BUILTINS: &str = r#"
function {:bvbuiltin "bvadd"} add(bv64, bv64): bv64;
function {:bvbuiltin "bvmul"} mul(bv64, bv64): bv64;
function {:bvbuiltin "bvxor"} xor(bv64, bv64): bv64;
function {:bvbuiltin "bvand"} and(bv64, bv64): bv64;
function {:bvbuiltin "bvlshr"} shr(bv64, bv64): bv64;
function {:bvbuiltin "bvult"} ult(bv64, bv64): bool;
var M: [bv64]bv64;
"#;

/// A loop over words: a dozen operators in each round.
const WORDS: &str = r#"
procedure P() returns (h: bv64) {
  var i: bv64;
  i := 0bv64; h := 1bv64;
  while (ult(i, 2000000bv64)) {
    h := xor(mul(h, 6364136223846793005bv64), shr(h, 29bv64));
    h := add(h, i);
    if (and(h, 7bv64) == 3bv64) { h := add(h, 11bv64); } else { h := xor(h, 5bv64); }
    i := add(i, 1bv64);
  }
}
"#;

/// A loop that writes and reads a memory, through calls.
const MEMORY: &str = r#"
procedure Put(p: bv64, v: bv64) modifies M; { M[p] := v; }
procedure P() returns (h: bv64) modifies M; {
  var i: bv64;
  i := 0bv64; h := 1bv64;
  while (ult(i, 1024bv64)) { M[i] := i; i := add(i, 1bv64); }
  i := 0bv64;
  while (ult(i, 500000bv64)) {
    call Put(and(i, 1023bv64), h);
    h := add(M[and(shr(h, 3bv64), 1023bv64)], i);
    M[and(h, 1023bv64)] := i;
    i := add(i, 1bv64);
  }
}
"#;

fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("example.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
    program.expect("a program without errors is read")
}

fn explore(program: &Program, root: ProcId, options: &Options) -> concolic::Exploration {
    concolic::explore(program, root, 0, options, &AtomicBool::new(false), &|_| ()).expect("an exploration")
}

fn speed() {
    for (name, text) in [("words", WORDS), ("memory", MEMORY)] {
        let program = read(&format!("{BUILTINS}{text}"));
        let root = program.procedure_named("P").expect("P");
        let bounds = Bounds { steps: u64::MAX / 4, time: None, ..Bounds::default() };
        let options = Options { bounds, random_runs: 2, keep: Keep::New, ..Options::default() };
        let started = Instant::now();
        let stopping = Options { stop_when_covered: false, ..options };
        let e = explore_unreplayed(&program, root, &stopping);
        println!(
            "{name}: {} steps, {:.1} million a second in runs with symbolic values ({:.2} s in all, {} nodes)",
            e.statistics.steps,
            e.statistics.run_steps as f64 / e.statistics.run_time.as_secs_f64() / 1e6,
            started.elapsed().as_secs_f64(),
            e.statistics.nodes,
        );
    }
}

fn explore_unreplayed(program: &Program, root: ProcId, options: &Options) -> concolic::Exploration {
    let options = Options { replay: false, ..options.clone() };
    explore(program, root, &options)
}

fn paths(per_size: u64, most: u32) {
    let mut totals = [(0u64, Duration::ZERO, 0u64), (0, Duration::ZERO, 0)];
    let (mut solver, mut in_runs) = (Duration::ZERO, Duration::ZERO);
    for diamonds in 2..=most {
        let before = totals;
        for seed in 0..per_size {
            let program = generate::diamonds(diamonds, seed);
            let started = Instant::now();
            let cover_options = CoverOptions {
                criterion: Criterion::Path,
                explain: false,
                random_runs: 0,
                jobs: 1,
                timeout: None,
                ..CoverOptions::default()
            };
            let covers = cover(&program, &[ProcId(0)], &cover_options, &AtomicBool::new(false), &|_| ());
            let covers = covers.expect("a cover");
            totals[0].0 += covers[0].statistics.queries;
            totals[0].1 += started.elapsed();
            totals[0].2 += covers[0].tests.len() as u64;
            let started = Instant::now();
            let options = Options {
                strategy: Strategy::Dfs,
                bounds: Bounds { runs: u64::MAX, time: None, query: None, ..Bounds::default() },
                random_runs: 0,
                stop_when_covered: false,
                ..Options::default()
            };
            let e = explore(&program, ProcId(0), &options);
            assert!(e.exhausted, "{diamonds} diamonds, seed {seed}: {:?} {:?}", e.notes, e.statistics);
            totals[1].0 += e.statistics.queries;
            totals[1].1 += started.elapsed();
            totals[1].2 += e.statistics.paths - e.statistics.classes.aborted;
            solver += e.statistics.solver_time;
            in_runs += e.statistics.run_time;
            let (theirs, ours) =
                (covers[0].tests.len() as u64, e.statistics.paths - e.statistics.classes.aborted);
            if theirs != ours {
                println!("{diamonds} diamonds, seed {seed}: {theirs} paths by the cover, {ours} by runs");
            }
        }
        let cost = |i: usize| (totals[i].0 - before[i].0, (totals[i].1 - before[i].1).as_secs_f64());
        println!("{diamonds} diamonds: cover {:?}, runs {:?}", cost(0), cost(1));
    }
    for (name, (queries, time, paths)) in ["path cover", "concolic, dfs"].iter().zip(totals) {
        println!("{name}: {paths} paths, {queries} questions, {:.2} s", time.as_secs_f64());
    }
    println!(
        "  of the latter, {:.2} s in the solver, {:.2} s in runs",
        solver.as_secs_f64(),
        in_runs.as_secs_f64()
    );
}

fn main() {
    let what = std::env::args().nth(1);
    let wanted = |name: &str| what.as_deref().is_none_or(|w| w == name);
    if wanted("speed") {
        speed();
    }
    if wanted("paths") {
        paths(10, std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(9));
    }
}
