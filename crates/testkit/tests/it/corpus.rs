//! The corpus, through everything that has an opinion about it. `CORPUS=part-of-a-path` selects programs.

use std::time::Duration;

use footpath_cover::{Algorithm, CoverOptions, Criterion, Encoding};
use footpath_testkit::{check_file, check_truth, for_each_program};

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

fn no_contradiction(algorithm: Algorithm, encoding: Encoding) {
    let options = options(Criterion::Statement, algorithm, encoding);
    for_each_program(|path| check_truth(path, &options, false));
}

#[test]
fn every_file_prints_what_it_expects() {
    for_each_program(check_file);
}

#[test]
fn the_defaults_decide_the_corpus() {
    for_each_program(|path| check_truth(path, &quick(), true));
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
    for_each_program(|path| check_truth(path, &options, false));
}

#[test]
fn neither_the_bound_nor_the_seed_changes_what_is_true() {
    for unwind in [0, 1, 2, 7] {
        let seed = u64::from(unwind) + 1;
        let random_runs = if unwind == 1 { 0 } else { 50 };
        let options = CoverOptions { unwind, seed, random_runs, ..quick() };
        for_each_program(|path| check_truth(path, &options, false));
    }
}
