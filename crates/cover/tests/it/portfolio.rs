//! Searches side by side on one procedure end when they should. That their verdicts are right is tried by
//! `brute_force.rs`.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::common::read;
use fastrand::Rng;
use footpath_cover::{Algorithm, CoverOptions, ProcedureCover, Verdict, cover};

/// How long after its end a search may go on: the machine may be busy.
const GRACE: Duration = Duration::from_secs(10);

/// A program with a block of which nobody knows soon whether it is feasible: sums of some of many numbers are to be two
/// numbers. Nothing is forgotten on the way.
fn hard() -> String {
    let mut rng = Rng::with_seed(1);
    let params: Vec<String> = (0..40).map(|i| format!("x{i}: int")).collect();
    let mut text = format!("procedure P({}) returns (r: int)\n{{\n  var s, t: int;\n", params.join(", "));
    text.push_str("  s := 0; t := 0;\n");
    let mut halves = (0, 0);
    for i in 0..40 {
        let (a, b) = (rng.u32(1..100_000), rng.u32(1..100_000));
        halves = (halves.0 + a / 2, halves.1 + b / 2);
        let _ = writeln!(text, "  if (x{i} > 0) {{ s := s + {a}; t := t + {b}; }}");
    }
    let _ = writeln!(text, "  r := 0;\n  if (s == {} && t == {}) {{ r := 1; }}\n}}", halves.0, halves.1);
    text
}

fn search(options: &CoverOptions, stop: &AtomicBool) -> ProcedureCover {
    let program = read(&hard());
    let procedure = program.procedure_named("P").expect("the program has P");
    let mut covers = cover(&program, &[procedure], options, stop, &|_| ()).expect("a cover");
    covers.remove(0)
}

fn is_open(cover: &ProcedureCover) -> bool {
    cover.objectives.iter().any(|o| matches!(o.verdict, Verdict::Unknown(_)))
}

#[test]
fn searches_side_by_side_end_with_the_time() {
    for algorithm in [Algorithm::Auto, Algorithm::States, Algorithm::Alone] {
        let timeout = Duration::from_secs(3);
        let options = CoverOptions { algorithm, jobs: 3, timeout: Some(timeout), ..CoverOptions::default() };
        let begun = Instant::now();
        let found = search(&options, &AtomicBool::new(false));
        assert!(begun.elapsed() < timeout + GRACE, "{algorithm:?}: {:?}", begun.elapsed());
        assert!(is_open(&found), "{algorithm:?}");
    }
}

#[test]
fn searches_side_by_side_end_when_they_are_stopped() {
    let options = CoverOptions { jobs: 3, timeout: None, query_timeout: None, ..CoverOptions::default() };
    let stop = AtomicBool::new(false);
    let wait = Duration::from_secs(4);
    let begun = Instant::now();
    let found = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(wait);
            stop.store(true, Ordering::Relaxed);
        });
        search(&options, &stop)
    });
    assert!(begun.elapsed() < wait + GRACE, "{:?}", begun.elapsed());
    assert!(is_open(&found));
}
