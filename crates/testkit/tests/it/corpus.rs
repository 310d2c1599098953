//! The corpus, through everything that has an opinion about it. `CORPUS=part-of-a-path` selects programs, and `CORPUS_SHARE=N` one in N for
//! each engine, chosen by the commit.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use footpath_cover::{Algorithm, CoverOptions, Criterion, Encoding};
use footpath_testkit::{Engine, Language, check_boogie, check_engine, check_file, for_each, share};

/// A folder for what commands write, of this process alone, as someone may run the same test beside it. It is removed
/// unless the test fails.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Scratch {
        let own = format!("{test}-{}", std::process::id());
        Scratch(Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus").join(own))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // There is none if nothing was asked.
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// Asks an engine about its share of both corpora; which part of the truths it found out.
fn ask(engine: Engine) -> f64 {
    let all = [Language::Boogie.programs(), Language::C.programs()].concat();
    let programs = share(&format!("{engine:?}"), all);
    let scratch = Scratch::new(&format!("{engine:?}"));
    let (found, all) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for_each(&programs, |path| {
        let (of_these, many) = check_engine(engine, path, &scratch.0)?;
        found.fetch_add(of_these, Ordering::Relaxed);
        all.fetch_add(many, Ordering::Relaxed);
        Ok(())
    });
    found.into_inner() as f64 / all.into_inner().max(1) as f64
}

#[test]
fn testing_finds_the_truth_about_c() {
    ask(Engine::Test);
}

#[test]
fn exploring_contradicts_no_truth_and_finds_most_of_it() {
    let part = ask(Engine::Explore);
    let is_part = ["CORPUS", "CORPUS_SHARE"].iter().any(|name| std::env::var_os(name).is_some());
    assert!(part > 0.7 || is_part, "only {part} of the truths were found out");
}

#[test]
fn verifying_contradicts_no_truth() {
    ask(Engine::Verify);
}

#[test]
fn verifying_without_assumptions_contradicts_no_truth() {
    ask(Engine::VerifySound);
}

#[test]
fn reaching_each_line_contradicts_no_truth() {
    ask(Engine::Reach);
}

#[test]
fn conditions_of_failure_contradict_no_truth_and_can_be_read() {
    ask(Engine::Failures);
}

/// Options for small programs: those tested side by side have one thread each, and what takes seconds is unknown.
fn quick() -> CoverOptions {
    CoverOptions {
        jobs: 1,
        timeout: Some(Duration::from_secs(10)),
        query_timeout: Some(Duration::from_secs(2)),
        ..CoverOptions::default()
    }
}

fn options(criterion: Criterion, algorithm: Algorithm, encoding: Encoding) -> CoverOptions {
    CoverOptions { criterion, algorithm, encoding, explain: false, ..quick() }
}

/// What the default does not use has less time: most of what it decides it decides in a second, and it is slow by design on the rest.
const BASELINE: Duration = Duration::from_secs(3);

fn no_contradiction(algorithm: Algorithm, encoding: Encoding) {
    let mut options = options(Criterion::Statement, algorithm, encoding);
    if encoding == Encoding::Paper || matches!(algorithm, Algorithm::WorstCase | Algorithm::QueryOptimal) {
        options.timeout = Some(BASELINE);
    }
    for_each(&Language::Boogie.programs(), |path| check_boogie(path, &options, false));
}

#[test]
fn every_file_prints_what_it_expects() {
    let scratch = Scratch::new("runs");
    for_each(&[Language::Boogie.programs(), Language::C.programs()].concat(), |path| {
        check_file(path, &scratch.0)
    });
}

#[test]
fn the_defaults_decide_the_corpus() {
    for_each(&Language::Boogie.programs(), |path| check_boogie(path, &quick(), true));
}

#[test]
fn statement_cover_contradicts_no_truth() {
    no_contradiction(Algorithm::Statement, Encoding::Merged);
}

#[test]
fn statement_cover_in_the_papers_encoding_contradicts_no_truth() {
    no_contradiction(Algorithm::Statement, Encoding::Paper);
}

#[test]
fn path_cover_contradicts_no_truth() {
    no_contradiction(Algorithm::Path, Encoding::Merged);
}

#[test]
fn path_cover_in_the_papers_encoding_contradicts_no_truth() {
    no_contradiction(Algorithm::Path, Encoding::Paper);
}

#[test]
fn the_worst_case_optimal_baseline_contradicts_no_truth() {
    no_contradiction(Algorithm::WorstCase, Encoding::Merged);
    no_contradiction(Algorithm::WorstCase, Encoding::Paper);
}

#[test]
fn the_query_optimal_baseline_contradicts_no_truth() {
    no_contradiction(Algorithm::QueryOptimal, Encoding::Merged);
    no_contradiction(Algorithm::QueryOptimal, Encoding::Paper);
}

#[test]
fn exploring_states_contradicts_no_truth() {
    no_contradiction(Algorithm::States, Encoding::Merged);
}

#[test]
fn asking_about_each_goal_alone_contradicts_no_truth() {
    no_contradiction(Algorithm::Alone, Encoding::Merged);
}

#[test]
fn covering_all_paths_contradicts_no_truth() {
    let options = options(Criterion::Path, Algorithm::Auto, Encoding::Merged);
    for_each(&Language::Boogie.programs(), |path| check_boogie(path, &options, false));
}

#[test]
fn neither_the_bound_nor_the_seed_changes_what_is_true() {
    for unwind in [0, 1, 2, 7] {
        let seed = u64::from(unwind) + 1;
        let random_runs = if unwind == 1 { 0 } else { 50 };
        let options = CoverOptions { unwind, seed, random_runs, ..quick() };
        for_each(&Language::Boogie.programs(), |path| check_boogie(path, &options, false));
    }
}
