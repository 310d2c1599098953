//! The Python package, by its own tests, with this program. They need a python3 and a clang.

use std::path::Path;
use std::process::Command;

#[test]
fn the_python_package_passes_its_tests() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python");
    let mut tests = Command::new("python3");
    tests.args(["-m", "unittest", "discover", "-s", "tests", "-p", "test_core.py"]).current_dir(&package);
    tests.env("PYTHONPATH", &package).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = tests.env("FOOTPATH", env!("CARGO_BIN_EXE_footpath")).output().expect("python3 starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("Ran ") && !said.contains("skipped"), "{said}");
}
