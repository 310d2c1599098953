//! The experiment end to end, on a few small programs.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_bench::rvc::{self, CONFIGURATIONS, Event, Experiment, Plan};
use footpath_bench::{csv, generate};
use footpath_ir::source::{SourceFile, SourceMap};

fn tiny() -> Plan {
    Plan {
        seed: 3,
        diamonds: 2..=3,
        per_size: 2,
        timeout: Some(Duration::from_secs(300)),
        published_timeout: None,
        algorithms: CONFIGURATIONS.iter().collect(),
        jobs: 2,
        threads: 1,
    }
}

fn measure(plan: Plan) -> Experiment {
    rvc::run(plan, &AtomicBool::new(false), &|_| ())
}

#[test]
fn all_algorithms_agree_on_small_programs_and_everything_is_written() {
    let started = Mutex::new(Vec::new());
    let finished = Mutex::new(0);
    let experiment = rvc::run(tiny(), &AtomicBool::new(false), &|event| match event {
        Event::Planned(n) => assert_eq!(n, 4 * CONFIGURATIONS.len()),
        Event::Started(sample, c) => {
            started.lock().expect("alive").push((sample.diamonds, sample.seed, c.name));
        }
        Event::Finished(..) => *finished.lock().expect("alive") += 1,
    });
    assert_eq!(experiment.problems, []);
    assert!(!experiment.stopped);
    assert_eq!(*finished.lock().expect("alive"), 4 * CONFIGURATIONS.len());
    let mut started = started.into_inner().expect("alive");
    started.sort_unstable();
    started.dedup();
    assert_eq!(started.len(), 4 * CONFIGURATIONS.len());

    for program in &experiment.programs {
        let optimum = program.optimum.expect("all paths are known");
        for (c, run) in CONFIGURATIONS.iter().zip(&program.runs) {
            let run = run.as_ref().expect("every algorithm gave a result");
            assert_eq!(run.cut_short, None, "{}", c.name);
            assert_eq!(run.paths.is_some(), c.is_path_cover());
            assert!(run.kept >= optimum.at_least, "{} needs fewer tests than the optimum", c.name);
        }
    }

    let folder = std::env::temp_dir().join(format!("footpath-bench-{}-experiment", std::process::id()));
    let files = rvc::write(&experiment, &folder).expect("written");
    assert_eq!(files.len(), 10);
    for file in files {
        let text = fs::read_to_string(&file).expect("there");
        match file.extension().and_then(|e| e.to_str()) {
            Some("csv") => {
                let rows = csv::read(&text).unwrap_or_else(|| panic!("{} is no csv", file.display()));
                assert!(rows.len() > 1, "{} has no rows", file.display());
                assert!(rows.iter().all(|r| r.len() == rows[0].len()), "{} is ragged", file.display());
            }
            Some("svg") => assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n")),
            _ => assert!(text.contains("All algorithms agree."), "{text}"),
        }
    }
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_run_without_time_decides_little_and_contradicts_nothing() {
    let plan =
        Plan { timeout: Some(Duration::from_millis(1)), diamonds: 6..=6, per_size: 1, jobs: 1, ..tiny() };
    let experiment = measure(plan);
    assert_eq!(experiment.problems, []);
    let text = rvc::text(&experiment);
    assert!(text.contains("Not done:"), "{text}");
    assert!(text.contains("ran out"), "the reason is given: {text}");
}

#[test]
fn published_algorithms_have_a_limit_of_their_own() {
    let algorithms = rvc::select("statement-paper,statement-auto").expect("their names");
    let published_timeout = Some(Duration::from_millis(1));
    let plan = Plan { published_timeout, diamonds: 6..=6, per_size: 1, jobs: 1, algorithms, ..tiny() };
    let experiment = measure(plan);
    let done: Vec<bool> =
        experiment.programs[0].runs.iter().map(|r| r.as_ref().is_some_and(rvc::Run::is_complete)).collect();
    assert_eq!(done, [false, true]);
    let text = rvc::text(&experiment);
    assert!(text.contains("algorithm: 300 s, of the published ones 0.001 s;"), "{text}");
}

#[test]
fn a_stopped_run_leaves_out_what_was_not_measured() {
    let experiment = rvc::run(tiny(), &AtomicBool::new(true), &|_| ());
    assert!(experiment.stopped && experiment.programs.is_empty());
    assert!(rvc::text(&experiment).contains("stopped early"));
}

#[test]
fn written_programs_read_back_as_the_same_program() {
    for (count, seed) in [(2, 0), (9, 1)] {
        let text = rvc::program_text(count, seed);
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("generated.bpl", text));
        let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
        assert_eq!(diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>(), Vec::<&String>::new());
        let printed = footpath_ir::print(&program.expect("it reads"));
        assert_eq!(printed, footpath_ir::print(&generate::diamonds(count, seed)));
    }
}
