//! Reading the text of LLVM modules.

mod compilers;
mod constructs;
mod metadata;
mod robustness;

use footpath_frontend::llvm::{self, ast::*};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{SourceFile, SourceMap};

/// Reads `text` and checks what holds of every result.
fn read(text: &str) -> (Module, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("input.ll", text));
    let (module, diagnostics) = llvm::read(file, &sources);
    for diagnostic in &diagnostics {
        let span = diagnostic.span.expect("every diagnostic has a place");
        let range = span.start as usize..span.end as usize;
        assert!(text.get(range).is_some(), "{} lies outside or within a character", diagnostic.message);
    }
    let unreadable = module.functions.iter().filter(|f| matches!(f.body, Body::Unreadable(_))).count();
    assert!(unreadable <= diagnostics.len(), "an unreadable function without a diagnostic");
    for code in module.functions.iter().filter_map(|function| function.body.code()) {
        check_code(&module, code);
    }
    (module, diagnostics)
}

/// Blocks are not empty and end with their only terminator; indices fit.
fn check_code(module: &Module, code: &Code) {
    assert!(!code.blocks.is_empty());
    for block in code.block_ids() {
        let insts = code.insts_of(block);
        let (last, others) = insts.split_last().expect("no block is empty");
        assert!(last.kind.is_terminator());
        assert!(others.iter().all(|inst| !inst.kind.is_terminator()));
        assert!(last.kind.successors().iter().all(|to| to.index() < code.blocks.len()));
    }
    for (index, inst) in code.insts.iter().enumerate() {
        inst.kind.for_each_operand(|operand| match operand.value {
            Value::Local(local) => assert!(local.index() < code.locals.len()),
            Value::Const(id) => drop(module.constant(id).clone()),
        });
        if let Some(result) = inst.result {
            assert_eq!(code.local(result).def, Some(index as u32));
        }
    }
}

/// Reads `text` without a diagnostic, and with every local used at the type it has.
#[track_caller]
fn check_reads(text: &str) -> Module {
    let (module, diagnostics) = read(text);
    let first = diagnostics.first().map(|d| {
        let span = d.span.expect("every diagnostic has a place");
        (&d.message, text[..span.start as usize].lines().count(), text[span.start as usize..].lines().next())
    });
    assert!(first.is_none(), "{first:?}");
    for function in &module.functions {
        let Some(code) = function.body.code() else { continue };
        for inst in &code.insts {
            let computed = inst.kind.as_call().map(|call| call.callee);
            inst.kind.for_each_operand(|operand| {
                let Value::Local(local) = operand.value else { return };
                let same = code.local(local).ty == operand.ty;
                assert!(same || computed == Some(Callee::Value(operand.value)), "{inst:?}");
            });
        }
    }
    module
}

/// Reads the lines as the body of a function `@f`.
#[track_caller]
fn check_body(head: &str, lines: &str) -> (Module, Code) {
    let text = format!("{head}\n{{\n{lines}\n}}\n");
    let module = check_reads(&text);
    let function = module.function_named("f").expect("@f is there");
    let code = function.body.code().expect("@f has a body").clone();
    (module, code)
}

/// Checks that `text` is read with just the diagnostic `expected`, in the line with this number.
#[track_caller]
fn check_error(text: &str, line: usize, expected: &str) -> Module {
    let (module, diagnostics) = read(text);
    let found: Vec<&str> = diagnostics.iter().map(|d| &*d.message).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(expected), "{found:?}");
    let start = diagnostics[0].span.expect("every diagnostic has a place").start as usize;
    assert_eq!(text[..start].matches('\n').count() + 1, line, "{found:?}");
    module
}
