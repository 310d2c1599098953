//! Reads Boogie files, each as a program of its own, says whether Boogie would accept it, and prints what is wrong.
//! With `--print`, writes the program form; with `--infer-modifies`, completes `modifies` clauses.

#![allow(clippy::print_stdout)]

use footpath_frontend::boogie;
use footpath_ir::source::{SourceFile, SourceMap};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let print = arguments.iter().any(|a| a == "--print");
    let options = boogie::Options {
        infer_modifies: arguments.iter().any(|a| a == "--infer-modifies"),
        ..Default::default()
    };
    for name in arguments.iter().filter(|a| !a.starts_with("--")) {
        let text = String::from_utf8_lossy(&std::fs::read(name).unwrap_or_default()).into_owned();
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new(name, text));
        let (program, diagnostics) = boogie::read_with(&[file], &sources, options);
        let ours = ["boogie::unsupported", "boogie::concurrency"];
        let rejected = diagnostics.iter().any(|d| d.is_error() && !ours.contains(&d.code));
        println!("{name}: {}", if rejected { "reject" } else { "accept" });
        for d in &diagnostics {
            let place = d.span.map_or(String::new(), |s| sources.describe(s));
            println!("  {place}: {:?}: {}", d.severity, d.message);
        }
        let Some(program) = program else { continue };
        for violation in footpath_ir::validate(&program) {
            println!("  VIOLATION: {violation}");
        }
        let sizes = (program.procedures.len(), program.functions.len(), program.axioms.len());
        println!("  {} procedures, {} functions, {} axioms", sizes.0, sizes.1, sizes.2);
        if print {
            println!("{}", footpath_ir::print(&program));
        }
    }
}
