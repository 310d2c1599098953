//! Coverage instrumentation of LLVM's text: every block counts its entries, every conditional branch the arms that it
//! takes.
//!
//! **Idea.** The calls are inserted into the text itself, before the first instruction of a block that is no phi, and
//! before a branch. So exactly the code is counted that was analysed. Counters live in a file that the process maps
//! into its memory, so that nothing is lost when it crashes.
//!
//! **Direction of error.** None: what was counted was executed.

use footpath_frontend::llvm::ast::{Body, InstKind, Module, Operand, Value};
use rustc_hash::FxHashMap;

use crate::execution::RENAMED;

/// A place that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Point {
    /// A block of a function was entered.
    Block(u32),
    /// The branch at the end of a block went to its first (`true`) or second target.
    Branch(u32, bool),
}

/// Instrumented text, with the meaning of its counters.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The text.
    pub text: String,
    /// For each function and point the number of its counter.
    pub counters: FxHashMap<String, FxHashMap<Point, usize>>,
    /// How many counters there are.
    pub count: usize,
}

/// Inserts counters into the functions that `wanted` names.
pub fn instrument(module: &Module, text: &str, wanted: &dyn Fn(&str) -> bool) -> Instrumented {
    let mut insertions: Vec<(u32, String)> = Vec::new();
    let mut counters: FxHashMap<String, FxHashMap<Point, usize>> = FxHashMap::default();
    let mut count = 0;
    for function in &module.functions {
        let Body::Defined(code) = &function.body else { continue };
        // In a test file `main` is the test's, and the source's has another name.
        let name = match module.text(function.name) {
            "main" => continue,
            RENAMED => "main",
            name => name,
        };
        if !wanted(name) {
            continue;
        }
        let points = counters.entry(name.to_owned()).or_default();
        for ix in code.block_ids() {
            let insts = code.insts_of(ix);
            let first =
                insts.iter().find(|i| !matches!(i.kind, InstKind::Phi { .. } | InstKind::LandingPad { .. }));
            let Some(first) = first else { continue };
            points.insert(Point::Block(ix.0), count);
            insertions.push((first.start, format!("call void @footpath_count(i32 {count})\n  ")));
            count += 1;
            let last = code.terminator(ix);
            if let InstKind::CondBr { condition, .. } = &last.kind
                && let Some(condition) = operand_text(text, last.start, last.end, condition)
            {
                points.insert(Point::Branch(ix.0, true), count);
                points.insert(Point::Branch(ix.0, false), count + 1);
                let call =
                    format!("call void @footpath_count_branch(i32 {count}, i1 zeroext {condition})\n  ");
                insertions.push((last.start, call));
                count += 2;
            }
        }
    }
    let declarations =
        "\ndeclare void @footpath_count(i32)\ndeclare void @footpath_count_branch(i32, i1 zeroext)\n";
    let text = splice(text, insertions) + declarations;
    Instrumented { text, counters, count }
}

/// A text with others inserted, each before the byte of a number. Those before the same byte stay in their order.
pub(crate) fn splice(text: &str, mut insertions: Vec<(u32, String)>) -> String {
    insertions.sort_by_key(|(at, _)| *at);
    let inserted: usize = insertions.iter().map(|(_, insertion)| insertion.len()).sum();
    let mut out = String::with_capacity(text.len() + inserted);
    let mut done = 0;
    for (at, insertion) in insertions {
        out.push_str(&text[done..at as usize]);
        out.push_str(&insertion);
        done = at as usize;
    }
    out.push_str(&text[done..]);
    out
}

/// The condition of `br i1 %c, …` as it is written; nothing for constant expressions, which have commas of their own.
fn operand_text(text: &str, start: u32, end: u32, operand: &Operand) -> Option<String> {
    let inst = &text[start as usize..end as usize];
    let rest = &inst[inst.find("i1 ")? + 3..];
    let written = rest[..rest.find(',')?].trim();
    let is_plain = matches!(operand.value, Value::Local(_)) || matches!(written, "true" | "false");
    is_plain.then(|| written.to_owned())
}
