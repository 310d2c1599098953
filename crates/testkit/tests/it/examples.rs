//! The examples, against the truth that is written in them. `CORPUS=part-of-a-path` selects some.

use std::path::Path;

use footpath_testkit::{Engine, Language, check_engine, for_each};

#[test]
fn the_examples_are_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    for_each(&Language::C.programs_of(&folder), |path| check_engine(Engine::Test, path, &scratch).map(drop));
}
