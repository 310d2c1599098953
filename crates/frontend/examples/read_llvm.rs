//! Reads and lowers LLVM modules and says, a line each with tabs: the file, the functions with a body, those of them
//! that could not be read, those that could not be lowered, those that no harness can call, the bytes of text, and the
//! milliseconds that reading and lowering took. What is wrong follows, indented; a line that begins with `-` is a
//! function that was left out, and why. With `--no-harness` as an argument, functions are lowered and not called.

#![allow(clippy::print_stdout)]

use footpath_frontend::c;
use footpath_frontend::llvm::{self, ast::Body};
use footpath_ir::source::{SourceFile, SourceMap};
use std::time::Instant;

/// An option: nothing is asked about calling the functions.
const NO_HARNESS: &str = "--no-harness";

fn main() {
    let harnesses = !std::env::args().any(|a| a == NO_HARNESS);
    for name in std::env::args().skip(1).filter(|a| a != NO_HARNESS) {
        let text = String::from_utf8_lossy(&std::fs::read(&name).unwrap_or_default()).into_owned();
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new(&name, text));
        let start = Instant::now();
        let (module, diagnostics) = llvm::read(file, &sources);
        let time = start.elapsed().as_secs_f64() * 1000.0;
        let bodies = module.functions.iter().map(|function| &function.body);
        let defined = bodies.clone().filter(|body| !matches!(body, Body::Declared)).count();
        let unreadable = bodies.filter(|body| matches!(body, Body::Unreadable(_))).count();
        let size = sources.file(file).text.len();
        for diagnostic in &diagnostics {
            let place = diagnostic.span.map_or(String::new(), |span| sources.describe(span));
            println!("  {place}: {:?}: {}", diagnostic.severity, diagnostic.message);
        }
        for function in &module.functions {
            check_types(&module, function, &sources);
        }
        let start = Instant::now();
        let options = c::Options { user_modules: 1, ..c::Options::default() };
        let (lowered, sources, _) = c::lower(&[module], sources, &options, &|_| harnesses);
        let lowering = start.elapsed().as_secs_f64() * 1000.0;
        let functions = &lowered.functions;
        let degraded = functions.iter().filter(|f| f.degraded.is_some()).count() - unreadable;
        let uncalled = functions.iter().filter(|f| f.degraded.is_none() && f.harness.is_err()).count();
        println!("{name}\t{defined}\t{unreadable}\t{degraded}\t{uncalled}\t{size}\t{time:.1}\t{lowering:.1}");
        for f in functions {
            let place = sources.describe(f.span);
            match (&f.degraded, &f.harness) {
                (Some(why), _) => println!("- {place}: {}: not lowered: {why}", f.name),
                (None, Err(why)) if harnesses => println!("- {place}: {}: not called: {why}", f.name),
                _ => {}
            }
        }
        if let Some(broken) = footpath_ir::validate(&lowered.program).first() {
            println!("  {name}: the lowered program is not valid: {broken:?}");
        }
    }
}

/// Says where a local is used with another type than it has: the reader computes most types of results itself.
fn check_types(module: &llvm::ast::Module, function: &llvm::ast::Function, sources: &SourceMap) {
    let Some(code) = function.body.code() else { return };
    for inst in &code.insts {
        let computed_callee = match inst.kind.as_call().map(|call| call.callee) {
            Some(llvm::ast::Callee::Value(value)) => Some(value),
            _ => None,
        };
        inst.kind.for_each_operand(|operand| {
            let llvm::ast::Value::Local(local) = operand.value else { return };
            if code.local(local).ty != operand.ty && computed_callee != Some(operand.value) {
                let place = sources.describe(module.span(inst.start, inst.end));
                println!("  {place}: a local is used with another type than it has");
            }
        });
    }
}
