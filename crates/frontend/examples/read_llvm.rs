//! Reads LLVM modules and says, a line each with tabs: the file, the functions with a body, those of them that could
//! not be read, the bytes of text, and the milliseconds it took. What is wrong follows, indented.

#![allow(clippy::print_stdout)]

use footpath_frontend::llvm::{self, ast::Body};
use footpath_ir::source::{SourceFile, SourceMap};
use std::time::Instant;

fn main() {
    for name in std::env::args().skip(1) {
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
        println!("{name}\t{defined}\t{unreadable}\t{size}\t{time:.1}");
        for diagnostic in &diagnostics {
            let place = diagnostic.span.map_or(String::new(), |span| sources.describe(span));
            println!("  {place}: {:?}: {}", diagnostic.severity, diagnostic.message);
        }
        for function in &module.functions {
            check_types(&module, function, &sources);
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
