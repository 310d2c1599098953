//! Attacks from within, and what confined programs must still be able to do.

mod attacks;
mod programs;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that another user can enter, with the launcher in it.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("footpath-jail-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_footpath-jail"), folder.join("footpath-jail")).unwrap();
    folder
}

/// Compiles C in a folder.
fn compile(folder: &Path, text: &str, flags: &[&str]) -> PathBuf {
    let (source, program) = (folder.join("program.c"), folder.join("program"));
    std::fs::write(&source, text).unwrap();
    let done = Command::new("clang").args(["-w"]).args(flags).arg(&source).arg("-o").arg(&program).output();
    let done = done.unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    program
}
