//! Prints the program that an `.ll` file becomes: `cargo run --example lower FILE.ll [FUNCTION]`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use footpath_frontend::{c, llvm};
use footpath_ir::source::{SourceFile, SourceMap};

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a file");
    let wanted = args.next();
    let text = std::fs::read_to_string(&file).expect("a readable file");
    let mut sources = SourceMap::new();
    let id = sources.add(SourceFile::new(file, text));
    let started = std::time::Instant::now();
    let (module, diagnostics) = llvm::read(id, &sources);
    eprintln!("read in {:?}", started.elapsed());
    let options = c::Options::default();
    let (lowered, sources, more) =
        c::lower(&[module], sources, &options, &|name| wanted.as_deref().is_none_or(|w| w == name));
    eprintln!("lowered in {:?}", started.elapsed());
    for d in diagnostics.iter().chain(&more) {
        eprintln!("{}: {}", d.span.map_or_else(String::new, |s| sources.describe(s)), d.message);
    }
    let broken = footpath_ir::validate::validate(&lowered.program);
    for b in broken.iter().take(20) {
        eprintln!("invalid: {b:?}");
    }
    let degraded = lowered.functions.iter().filter(|f| f.degraded.is_some()).count();
    let harnesses = lowered.functions.iter().filter(|f| f.harness.is_ok()).count();
    eprintln!("{} functions, {degraded} degraded, {harnesses} with a harness", lowered.functions.len());
    println!("{}", footpath_ir::print::print(&lowered.program));
}
