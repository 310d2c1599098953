//! Runs C programs from `main` in the program form, each beside what it is compiled to:
//! `run_main [--clang NAME] [--steps N] FILE.c [FLAG]…` prints how the run ended, the checks that failed, and the
//! functions that could not be lowered, a line each.

#![allow(clippy::print_stdout)]

#[path = "../tests/it/support/run_c.rs"]
mod run_c;

use std::path::Path;

/// Evaluation recurses on deep terms.
const STACK: usize = 256 << 20;

fn main() {
    let work = std::thread::Builder::new().stack_size(STACK).spawn(run);
    work.expect("a thread can be started").join().expect("a run does not panic");
}

fn run() {
    let mut args = std::env::args().skip(1).peekable();
    let (mut clang, mut steps) = ("clang".to_owned(), 10_000_000);
    while let Some(option) = args.next_if(|a| a.starts_with("--")) {
        let value = args.next().expect("an option with a value");
        match option.as_str() {
            "--clang" => clang = value,
            "--steps" => steps = value.parse().expect("a number of steps"),
            _ => panic!("unknown option {option}"),
        }
    }
    let file = args.next().expect("a C file");
    let flags: Vec<String> = args.collect();
    let folder = Path::new(&file).with_extension("footpath");
    std::fs::create_dir_all(&folder).expect("a folder beside the file");
    let ready = match run_c::lower(&clang, Path::new(&file), &flags, &folder, Some("main")) {
        Ok(ready) => ready,
        Err(why) => return println!("error: {why}"),
    };
    for f in ready.lowered.functions.iter().filter(|f| f.degraded.is_some()) {
        println!("degraded: {}: {}", f.name, f.degraded.as_deref().unwrap_or_default());
    }
    match run_c::run_whole(&ready, "main", steps) {
        Ok((end, checks)) => {
            for (kind, place) in checks {
                println!("check: {} at {place}", kind.name());
            }
            match end {
                run_c::End::Returned(value) => println!("returned: {}", value.unwrap_or_default()),
                other => println!("ended: {other:?}"),
            }
        }
        Err(why) => println!("error: {why}"),
    }
}
