//! Programs without inputs, of which a native run shows what is true. `FOOTPATH_PROGRAMS` names a folder of them, instead of those of the
//! front end's tests; `FOOTPATH_CASES` says how many, from the one that `FOOTPATH_SEED` names by its number; and `FOOTPATH_FLAGS` how they
//! are compiled. `cargo xtask verdicts` and `cargo xtask csmith --commands` run many.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use footpath_testkit::{Fared, check_native_run};

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn programs() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend/tests/run");
    let folder = std::env::var_os("FOOTPATH_PROGRAMS").map_or(own, PathBuf::from);
    let listed = std::fs::read_dir(&folder).expect("the folder of programs is there");
    let paths = listed.filter_map(|entry| Some(entry.ok()?.path()));
    let mut programs: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    programs.sort();
    let (first, count) = (number("FOOTPATH_SEED", 0), number("FOOTPATH_CASES", programs.len()));
    programs.into_iter().skip(first).take(count).collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is what a long run is for")]
fn no_claim_about_a_program_without_inputs_contradicts_its_run() {
    let programs = programs();
    let flags = std::env::var("FOOTPATH_FLAGS").unwrap_or_default();
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native_runs");
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let check = |program: &PathBuf| {
        let folder = scratch.join(program.file_stem().unwrap_or_default());
        let fared = check_native_run(program, &flags, &folder).unwrap_or_else(Fared::Wrong);
        if !matches!(fared, Fared::Wrong(_)) {
            let _ = std::fs::remove_dir_all(&folder);
        }
        fared
    };
    let fared = footpath_parallel::in_parallel(&programs, jobs, &AtomicBool::new(false), &check);
    let (mut right, mut unknown, mut refused, mut skipped) = (0, 0, 0, 0);
    let (mut found, mut of) = (0, 0);
    let mut wrong = Vec::new();
    for (program, fared) in programs.iter().zip(fared) {
        match fared.expect("nobody ends the comparison") {
            Fared::Right(lines) | Fared::Unknown(lines) if lines.of == 0 => skipped += 1,
            Fared::Right(lines) => {
                right += 1;
                (found, of) = (found + lines.out, of + lines.of);
            }
            Fared::Unknown(lines) => {
                unknown += 1;
                (found, of) = (found + lines.out, of + lines.of);
            }
            Fared::Wrong(why) => wrong.push(format!("{}\n{why}", program.display())),
            Fared::Refused(_) => refused += 1,
            Fared::Skipped(_) => skipped += 1,
        }
    }
    println!("right {right}, wrong {}, unknown {unknown}, refused {refused}; skipped {skipped}", wrong.len());
    println!("of {of} lines that runs execute, commands find out {found}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Else nothing was compared.
    assert!(right + unknown > 0 && found > 0);
}
