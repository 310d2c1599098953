//! Random programs over small domains, where every run can be tried: no algorithm and no encoding may
//! contradict what the runs show.
//!
//! The programs have parameters of a few bits, nested branches, loops, gotos, havocs, assumptions,
//! assertions and calls. `FOOTPATH_PROGRAMS` sets how many are tried, `FOOTPATH_SEED` the first one.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::common::{Truth, Writer, read, seeds, try_all};
use footpath_cover::{
    Algorithm, CoverOptions, Criterion, Encoding, Objective, ObjectiveKind, ProcedureCover, Verdict, cover,
};
use footpath_ir::Place;

/// What contradicts the truth in a verdict.
fn contradiction(objective: &Objective, truth: &Truth, complete: bool) -> Option<String> {
    let claim = &objective.verdict;
    let (covered, reached) = match (objective.kind, objective.origin.place) {
        (ObjectiveKind::Failure(_), _) => {
            let fails = truth.failed.contains(&objective.origin);
            (fails, fails)
        }
        (_, Place::Segment { block, first }) => {
            (truth.returned.contains(&block), first == 0 && truth.visited.contains(&block))
        }
        (_, Place::Edge { block, successor }) => {
            let edge = (block, successor);
            (truth.returned_by.contains(&edge), truth.taken.contains(&edge))
        }
        _ => return None,
    };
    let wrong = match claim {
        Verdict::Covered => complete && !covered,
        Verdict::Unreachable => covered || reached,
        Verdict::Doomed => covered,
        Verdict::UnreachableWithin(_) => complete && covered,
        Verdict::Unknown(_) => false,
    };
    wrong.then(|| format!("{} at {:?} is {}", objective.name, objective.origin.place, claim.name()))
}

fn configurations() -> Vec<CoverOptions> {
    let base =
        CoverOptions { jobs: 1, unwind: 3, query_timeout: None, timeout: None, ..CoverOptions::default() };
    let mut all = vec![base.clone(), CoverOptions { random_runs: 0, ..base.clone() }];
    for algorithm in [Algorithm::Statement, Algorithm::WorstCase, Algorithm::QueryOptimal, Algorithm::Path] {
        for encoding in [Encoding::Merged, Encoding::Paper] {
            all.push(CoverOptions { algorithm, encoding, explain: false, ..base.clone() });
        }
    }
    for (algorithm, jobs) in [
        (Algorithm::States, 1),
        (Algorithm::States, 2),
        (Algorithm::States, 4),
        (Algorithm::Alone, 1),
        (Algorithm::Alone, 3),
    ] {
        all.push(CoverOptions { algorithm, jobs, explain: false, ..base.clone() });
    }
    // What is not decided at once is asked about in parts.
    let hurried = Some(Duration::from_millis(1));
    for (algorithm, jobs) in [(Algorithm::Alone, 1), (Algorithm::States, 3)] {
        all.push(CoverOptions { algorithm, jobs, query_timeout: hurried, explain: false, ..base.clone() });
    }
    all.push(CoverOptions { criterion: Criterion::Path, explain: false, ..base });
    all
}

fn check(seed: u64, loops: bool) {
    let text = Writer::program(seed, loops);
    let program = read(&text);
    let procedure = program.procedure_named("P").expect("the program has P");
    let truth = try_all(&program, procedure);
    // Havocs and choices beyond the third are not tried, and neither are endless runs.
    let complete = !loops
        && !truth.endless
        && text.matches("havoc").count() <= 3
        && text.matches("goto A").count() + text.matches("(*)").count() <= 3;
    let mut paths: Option<usize> = None;
    for options in configurations() {
        let result = cover(&program, &[procedure], &options, &AtomicBool::new(false), &|_| ());
        let covers: Vec<ProcedureCover> = result.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        for objective in &covers[0].objectives {
            if let Some(wrong) = contradiction(objective, &truth, complete) {
                panic!("seed {seed}, {:?} {:?}: {wrong}\n{text}", options.algorithm, options.encoding);
            }
            assert!(
                !matches!(objective.verdict, Verdict::Unknown(_)) || loops || options.query_timeout.is_some(),
                "seed {seed}, {:?} {:?}: {} is {:?}\n{text}",
                options.algorithm,
                options.encoding,
                objective.name,
                objective.verdict
            );
        }
        if options.criterion == Criterion::Path {
            let tests = covers[0].tests.len();
            assert_eq!(*paths.get_or_insert(tests), tests, "seed {seed}: path covers differ\n{text}");
        }
    }
}

#[test]
fn no_verdict_on_a_program_without_loops_contradicts_its_runs() {
    for seed in seeds(60) {
        check(seed, false);
    }
}

#[test]
fn no_verdict_on_a_program_with_loops_contradicts_its_runs() {
    for seed in seeds(30) {
        check(seed + 1_000_000, true);
    }
}
