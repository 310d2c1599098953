//! Runs the main job on C files and prints what was found: `cargo run --example run FILE.c… [:FUNCTION…]`.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn main() {
    let (functions, files): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with(':'));
    let options = footpath_conductor::Options {
        files: files.into_iter().map(Into::into).collect(),
        flags: Vec::new(),
        clang: None,
        functions: functions.into_iter().map(|f| f[1..].to_owned()).collect(),
        timeout: Duration::from_secs(10),
        jobs: 2,
        out: std::env::temp_dir().join("footpath-run"),
        lowering: footpath_frontend::c::Options::default(),
        unwind: 4,
        seed: 0,
    };
    let run = match footpath_conductor::run(&options, &AtomicBool::new(false), &|e| eprintln!("{e:?}")) {
        Ok(run) => run,
        Err(e) => {
            eprintln!("{e}");
            return;
        }
    };
    for d in &run.diagnostics {
        println!("{}: {}", d.span.map_or_else(String::new, |s| run.sources.describe(s)), d.message);
    }
    for f in &run.functions {
        println!("{} {:?} {:?} {:?}", f.name, f.status, f.statistics, f.notes);
        for o in &f.objectives {
            println!("  {} {:?} {:?} {} {:?} {:?}", o.id, o.kind, o.class, run.sources.describe(o.span), o.verdict, o.tests);
        }
        for (i, t) in f.tests.iter().enumerate() {
            println!("  test {}: {:?} diverges {:?}", i + 1, t.outcome, t.divergence);
        }
    }
}
