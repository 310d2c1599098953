//! Coverage instrumentation of LLVM's text: every block counts its entries, every conditional branch the arms that it
//! takes, and every decision the ways in which it is evaluated.
//!
//! **Idea.** The calls are inserted into the text itself, before the first instruction of a block that is no phi, and
//! before a branch. A decision whose ways come together keeps the number of the way in a variable, as `decisions.rs` of the front
//! end says; its counter is that of the number where evaluation ends. So exactly the code is counted that was analysed. Counters live in a file that the process maps
//! into its memory, so that nothing is lost when it crashes.
//!
//! **Direction of error.** None: what was counted was executed.

use footpath_frontend::llvm::ast::{BlockIx, Body, Code, InstKind, Module, Operand, Value};
use footpath_frontend::llvm::decisions::{Decision, Next, Place, decisions};
use rustc_hash::FxHashMap;

use crate::execution::RENAMED;

/// A place that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Point {
    /// A block of a function was entered.
    Block(u32),
    /// The branch at the end of a block went to its first (`true`) or second target.
    Branch(u32, bool),
    /// The decision with this position was evaluated in the way of this number.
    Evaluation(u32, u32),
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
        for (number, decision) in decisions(module, code).iter().enumerate() {
            let first = count;
            for k in 0..decision.evaluations.len() {
                points.insert(Point::Evaluation(number as u32, k as u32), count);
                count += 1;
            }
            // Arms behind which evaluation goes on count where nobody looks.
            count += 1;
            insertions.extend(evaluation_counters(text, code, number, decision, first));
        }
    }
    let declarations =
        "\ndeclare void @footpath_count(i32)\ndeclare void @footpath_count_branch(i32, i1 zeroext)\n";
    let text = splice(text, insertions) + declarations;
    Instrumented { text, counters, count }
}

/// The code that counts the evaluations of a decision, from a counter on; the one behind them is not looked at.
fn evaluation_counters(
    text: &str,
    code: &Code,
    number: usize,
    decision: &Decision,
    first: usize,
) -> Vec<(u32, String)> {
    let evaluations = decision.evaluations.len();
    if evaluations == 0 {
        return Vec::new();
    }
    let way = decision.has_joins().then(|| format!("%footpath.way.{number}"));
    let mut insertions = Vec::new();
    let pointer = pointer(text);
    if let Some(way) = &way {
        let entry = &code.insts_of(BlockIx(0))[0];
        insertions.push((entry.start, format!("{way} = alloca i32\n  ")));
    }
    for (i, condition) in decision.conditions.iter().enumerate() {
        let at = match condition.place {
            Place::Branch(block) | Place::Jump(block) => code.terminator(block).start,
            Place::Behind(instruction) => code.insts[instruction as usize + 1].start,
        };
        let Some(value) = value_text(text, code, condition.value) else { return Vec::new() };
        let name = |what: &str| format!("%footpath.{what}.{number}.{i}");
        let weight = decision.weights[i];
        let mut lines = Vec::new();
        let ends = [false, true].map(|v| matches!(condition.next[usize::from(v)], Next::Outcome(_)));
        let unseen = first + evaluations;
        let counter = if let Some(way) = &way {
            let (step, sum) = (name("step"), name("sum"));
            let before = if i == 0 {
                "0".to_owned()
            } else {
                lines.push(format!("{} = load i32, {pointer} {way}", name("before")));
                name("before")
            };
            lines.push(format!("{step} = select i1 {value}, i32 {weight}, i32 0"));
            lines.push(format!("{sum} = add i32 {before}, {step}"));
            lines.push(format!("store i32 {sum}, {pointer} {way}"));
            lines.push(format!("{} = add i32 {sum}, {first}", name("number")));
            ends.map(|ends| if ends { name("number") } else { unseen.to_string() })
        } else {
            [false, true].map(|v| decision.ending(i, v).first().map_or(unseen, |k| first + k).to_string())
        };
        let [no, yes] = counter;
        lines.push(format!("{} = select i1 {value}, i32 {yes}, i32 {no}", name("counter")));
        lines.push(format!("call void @footpath_count(i32 {})", name("counter")));
        insertions.push((at, lines.iter().map(|line| format!("{line}\n  ")).collect()));
    }
    insertions
}

/// The type of a pointer to a number of 32 bits, in the dialect of a text.
fn pointer(text: &str) -> &'static str {
    let is_access = |line: &&str| line.trim_start().starts_with("store ") || line.contains(" = load ");
    let is_opaque = text.lines().find(is_access).is_none_or(|line| line.contains(", ptr "));
    if is_opaque { "ptr" } else { "i32*" }
}

/// A value as it is written.
fn value_text(text: &str, code: &Code, value: Value) -> Option<String> {
    let Value::Local(local) = value else { return None };
    let definition = code.local(local).def.map(|def| &code.insts[def as usize])?;
    let written = &text[definition.start as usize..definition.end as usize];
    Some(written.split_once('=')?.0.trim().to_owned())
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

/// The condition of `br i1 %c, …` as it is written; nothing for one that is neither a register nor a constant.
fn operand_text(text: &str, start: u32, end: u32, operand: &Operand) -> Option<String> {
    let inst = &text[start as usize..end as usize];
    let rest = &inst[inst.find("i1 ")? + 3..];
    let written = rest[..first_comma(rest)?].trim();
    // The address of a weak name, which a linker may know, is compared by a constant expression.
    let is_constant = matches!(written, "true" | "false") || written.ends_with(')');
    (is_constant || matches!(operand.value, Value::Local(_))).then(|| written.to_owned())
}

/// The position of the first comma that is in no parentheses and in no quoted name.
fn first_comma(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}
