//! Nothing that is called infeasible ever runs: random functions, run natively with all inputs of a small domain.
//!
//! `FOOTPATH_CASES` says how many programs, `FOOTPATH_SEED` which is the first; `cargo xtask infeasible` runs many.

mod generator;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_driver::{ObjectiveKind, Options, Run, Verdict};

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The marks that native runs pass.
fn passed(source: &Path, folder: &Path) -> Vec<usize> {
    let program = folder.join("native");
    let built = Command::new("clang")
        .args(["-O0", "-w", "-fwrapv", "-DNATIVE", "-o"])
        .args([program.as_path(), source])
        .status()
        .expect("clang runs");
    assert!(built.success(), "{} does not compile", source.display());
    let output = Command::new(&program).output().expect("the program runs");
    assert!(output.status.success(), "{} does not end well", source.display());
    String::from_utf8_lossy(&output.stdout).lines().map(|l| l.parse().expect("a number")).collect()
}

fn analysed(source: &Path, folder: &Path) -> Run {
    let options = Options {
        files: vec![source.to_owned()],
        functions: ["f0", "f1", "f2"].map(str::to_owned).to_vec(),
        timeout: Duration::from_secs(3),
        out: folder.join("tests"),
        ..Options::default()
    };
    footpath_driver::run(&options, &AtomicBool::new(false), &|_| {}).expect("the program compiles")
}

#[test]
fn nothing_that_is_called_infeasible_runs_with_any_input() {
    let (mut claims, mut runs) = (0, 0);
    let first = number("FOOTPATH_SEED", 1);
    for seed in first..first + number("FOOTPATH_CASES", 2) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("infeasible").join(seed.to_string());
        std::fs::create_dir_all(&folder).expect("a folder for the program");
        let program = generator::program(seed);
        let source = folder.join("program.c");
        std::fs::write(&source, &program.text).expect("a file for the program");
        let passed = passed(&source, &folder);
        let run = analysed(&source, &folder);
        runs += passed.len();
        for objective in run.functions.iter().flat_map(|f| &f.objectives) {
            if objective.kind != ObjectiveKind::Block || objective.verdict != Verdict::Unreachable {
                continue;
            }
            // A mark is the first statement of its block.
            let line = run.sources.range(objective.span).0.line;
            let ran = passed.iter().find(|&&n| program.marks[n] == line);
            claims += u64::from(program.marks.contains(&line));
            assert_eq!(ran, None, "{}: {} is called infeasible", source.display(), objective.id);
        }
    }
    // Else nothing was compared.
    assert!(claims > 0 && runs > 0, "{claims} claims, {runs} marks passed");
}
