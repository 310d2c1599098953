//! References and reachability in the call graph: which functions and variables a function mentions, and which
//! functions may run when it is called.
//!
//! Whatever is mentioned counts, called or not, and a call through a pointer may reach every function whose address
//! is taken. The initial values of the variables that are mentioned count as well. Example:
//! `int f(void) { return g() + limit; }` mentions `g` and `limit`; if `g` calls through a pointer, every function whose address is taken
//! anywhere may run, too.
//!
//! **Direction of error.** Towards too many: a function in the result may never be called.

use std::collections::BTreeSet;
use std::rc::Rc;

use footpath_ir::AssertKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::lower::calls::ending;
use super::super::operands;
use super::link::{FnRef, GlobalRef, Linked, Target};
use super::points_to::Regions;
use crate::llvm::ast::{Body, Callee, ConstId, ConstKind, InstKind, Value};

/// The references of functions, as far as they were computed.
pub(crate) type Known = FxHashMap<FnRef, Rc<Mentions>>;

/// The functions and variables that the instructions of a function mention.
pub(crate) struct Mentions {
    pub(crate) functions: Vec<FnRef>,
    pub(crate) globals: Vec<GlobalRef>,
    /// Whether it calls through a pointer.
    pub(crate) calls_pointers: bool,
    /// Whether one of them is mentioned by a weak alias.
    pub(crate) weak_aliases: bool,
}

/// The functions that may run when a function is called, including itself, and the variables that they mention.
pub(crate) fn running(
    linked: &Linked<'_>,
    regions: &Regions,
    known: &mut Known,
    f: FnRef,
) -> (FxHashSet<FnRef>, BTreeSet<GlobalRef>) {
    let mut globals = BTreeSet::new();
    let mut seen: FxHashSet<FnRef> = std::iter::once(f).collect();
    let mut queue = vec![f];
    let mut any_pointer = false;
    while let Some(f) = queue.pop() {
        let mentions = of(linked, known, f);
        globals.extend(mentions.globals.iter().copied());
        queue.extend(mentions.functions.iter().copied().filter(|&callee| seen.insert(callee)));
        if mentions.calls_pointers && !any_pointer {
            any_pointer = true;
            queue.extend(regions.address_taken.iter().copied().filter(|&callee| seen.insert(callee)));
        }
    }
    (seen, globals)
}

/// The references of a function, computed once.
pub(crate) fn of(linked: &Linked<'_>, known: &mut Known, f: FnRef) -> Rc<Mentions> {
    Rc::clone(known.entry(f).or_insert_with(|| Rc::new(mentions(linked, f))))
}

/// Whether an instruction calls the library's function for an assertion that does not hold. What that is passed, its text and the name
/// of the file, it prints; it is lowered to a failure, without its arguments.
pub(crate) fn is_failed_assertion(linked: &Linked<'_>, module: u32, kind: &InstKind) -> bool {
    let Some(Callee::Named(name)) = kind.as_call().map(|call| call.callee) else { return false };
    match linked.resolve(module, name) {
        Some(Target::Function(f)) => {
            linked.function(f).body.code().is_none()
                && ending(linked.function_name(f)) == Some(AssertKind::Assert)
        }
        _ => false,
    }
}

/// What the instructions of a function mention, and what the initial values of these variables mention.
fn mentions(linked: &Linked<'_>, f: FnRef) -> Mentions {
    let (mut globals, mut functions) = (BTreeSet::new(), BTreeSet::new());
    let (mut calls_pointers, mut weak_aliases) = (false, false);
    let mut constants: Vec<(u32, ConstId, u32)> = Vec::new();
    let insts = match &linked.function(f).body {
        Body::Defined(code) => &code.insts[..],
        _ => &[],
    };
    for inst in insts {
        if let Some(call) = inst.kind.as_call() {
            match call.callee {
                Callee::Named(name) => {
                    weak_aliases |= linked.is_weak_alias(f.module, name);
                    if let Some(Target::Function(callee)) = linked.resolve(f.module, name) {
                        functions.insert(callee);
                    }
                }
                Callee::Value(_) => calls_pointers = true,
                Callee::Asm(_) => {}
            }
        }
        if is_failed_assertion(linked, f.module, &inst.kind) {
            continue;
        }
        let mut values: Vec<Value> = operands(&inst.kind).into_iter().map(|o| o.value).collect();
        if let InstKind::Phi { incoming, .. } = &inst.kind {
            values.extend(incoming.iter().map(|(v, _)| *v));
        }
        constants.extend(values.into_iter().filter_map(|v| match v {
            Value::Const(c) => Some((f.module, c, 0)),
            Value::Local(_) => None,
        }));
    }
    while let Some((module, c, depth)) = constants.pop() {
        match &linked.modules[module as usize].constant(c).kind {
            ConstKind::Global(name) | ConstKind::Equivalent(name) => {
                weak_aliases |= linked.is_weak_alias(module, *name);
                match linked.resolve(module, *name) {
                    Some(Target::Global(g)) => {
                        if globals.insert(g)
                            && let Some(init) = linked.global(g).init
                        {
                            constants.push((g.module, init, depth + 1));
                        }
                    }
                    Some(Target::Function(callee)) => {
                        functions.insert(callee);
                    }
                    None => {}
                }
            }
            ConstKind::Aggregate(parts) if depth < 64 => {
                constants.extend(parts.iter().map(|&p| (module, p, depth + 1)));
            }
            ConstKind::Expr(inst) if depth < 64 => {
                for operand in operands(inst) {
                    if let Value::Const(inner) = operand.value {
                        constants.push((module, inner, depth + 1));
                    }
                }
            }
            _ => {}
        }
    }
    let (functions, globals) = (functions.into_iter().collect(), globals.into_iter().collect());
    Mentions { functions, globals, calls_pointers, weak_aliases }
}
