//! Programs as text.

#![allow(dead_code, reason = "each test uses some of it")]

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use footpath_frontend::boogie;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{ProcId, Program};
use footpath_loop_summaries::{Options, Reach, find, reach};

/// Reads a program that has no errors.
pub fn read(text: &str) -> (Program, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("test.bpl", text));
    let (program, diagnostics) = boogie::read(&[file], &sources);
    assert!(
        !diagnostics.iter().any(footpath_ir::diagnostic::Diagnostic::is_error),
        "{diagnostics:?}\n{text}"
    );
    (program.expect("a program"), sources)
}

/// Asks about a target of the procedure `main`.
pub fn reach_in(text: &str, target: &str) -> Reach {
    reach_with(text, target, &Options { timeout: Some(Duration::from_secs(200)), ..Options::default() })
}

/// The same with options.
pub fn reach_with(text: &str, target: &str, options: &Options) -> Reach {
    let (program, sources) = read(text);
    let main = program.procedure_named("main").unwrap_or(ProcId(0));
    let target = find(&program, &sources, target, Some(main)).expect("a target");
    reach(&target.program, main, 0, target.spot, options, &AtomicBool::new(false)).expect("an answer")
}

/// The verdict on the label `target`.
pub fn check(text: &str, verdict: &str) {
    let found = reach_in(text, "target");
    assert_eq!(found.verdict.name(), verdict, "{found:#?}\n{text}");
}

/// The number that a variable of the environment gives.
fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|v| v.parse().ok())
}

/// The random programs to be tried: so many, or what the environment says.
pub fn seeds(default: u64) -> Range<u64> {
    let first = from_environment("FOOTPATH_LOOP_SEED").unwrap_or(0);
    first..first + from_environment("FOOTPATH_LOOP_PROGRAMS").unwrap_or(default)
}

/// Whether somebody asked for many programs, and waits for them.
pub fn is_thorough() -> bool {
    from_environment("FOOTPATH_LOOP_PROGRAMS").is_some()
}

/// Does something with each seed, on all processors.
pub fn in_parallel<T: Send>(seeds: Range<u64>, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(seeds.start);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let one = || {
        let mine = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed < seeds.end);
        std::iter::from_fn(mine).map(&work).collect::<Vec<T>>()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        let done = threads.into_iter().map(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e)));
        done.flatten().collect()
    })
}

#[expect(clippy::print_stderr, reason = "asked for by a variable")]
pub fn report(line: &str) {
    eprintln!("{line}");
}
