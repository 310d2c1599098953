//! The examples, against the truth that is written in them. `CORPUS=part-of-a-path` selects some.

use std::path::Path;

use footpath_testkit::{Engine, Language, check_engine, for_each};

#[test]
fn the_examples_are_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    for_each(&Language::C.programs_of(&folder), |path| check_engine(Engine::Test, path, &scratch).map(drop));
}

/// Those with loops that take a minute to understand are left to whoever asks for all of them by `FOOTPATH_ALL_EXAMPLES`.
#[test]
fn conditions_of_the_examples_are_c_and_hold_just_where_tests_fail() {
    const QUICK: [&str; 5] = ["average", "deposit", "ini", "search", "utf8"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conditions");
    let mut programs = Language::C.programs_of(&folder);
    if std::env::var_os("FOOTPATH_ALL_EXAMPLES").is_none() {
        programs.retain(|p| p.file_stem().is_some_and(|stem| QUICK.iter().any(|quick| stem == *quick)));
    }
    for_each(&programs, |path| check_engine(Engine::Failures, path, &scratch).map(drop));
}
