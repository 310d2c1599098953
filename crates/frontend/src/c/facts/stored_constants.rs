//! Constant propagation for static variables: a variable that only this program can change, and that it only sets to
//! constants, has one of these constants or its initial value.
//!
//! Example: `static enum { IDLE, BUSY } state;` that is only ever set to `IDLE` and `BUSY` is never 7, so the
//! `default:` of a `switch` over it is dead.
//!
//! **Direction of error.** None: only variables with internal linkage whose address is never taken are considered,
//! which are variables of the program form, so the stores that are seen are the only changes.

use crate::llvm::ast::{ConstId, ConstKind, InstKind, Value};

use crate::c::facts::link::{GlobalRef, Target};
use crate::c::lower::context::Context;

use footpath_term::{Op, SymbolId, TermId};
use rustc_hash::FxHashMap;

/// For each static variable that the program only sets to constants, the condition that it has one of these values or
/// its initial one. So a state machine is never in a state that no store puts it into.
pub(crate) fn possible_values(cx: &mut Context) -> FxHashMap<SymbolId, TermId> {
    let candidates: Vec<(GlobalRef, SymbolId)> = cx
        .scalars
        .iter()
        .filter(|(g, symbols)| symbols.len() == 1 && cx.linked.global(**g).linkage.is_local())
        .map(|(g, symbols)| (*g, symbols[0]))
        .collect();
    let mut stored = stored_constants(cx);
    let mut possible = FxHashMap::default();
    for (g, symbol) in candidates {
        let (Some(first), Some(mut values)) =
            (cx.linked.global(g).init, stored.remove(&g).unwrap_or_else(|| Some(Vec::new())))
        else {
            continue;
        };
        values.insert(0, first);
        let variable = cx.terms.var(symbol);
        let mut choices = Vec::new();
        for c in values {
            match cx.constant(g.module, c) {
                Ok(value) if value.len() == 1 => {
                    choices.push(cx.app(Op::Eq, &[variable, value[0]]));
                }
                _ => {
                    choices.clear();
                    break;
                }
            }
        }
        if !choices.is_empty() && choices.len() <= 64 {
            possible.insert(symbol, cx.app(Op::Or, &choices));
        }
    }
    possible
}

/// The constants that variables are set to; `None` for those that are set to anything else.
fn stored_constants(cx: &Context) -> FxHashMap<GlobalRef, Option<Vec<ConstId>>> {
    let mut stored: FxHashMap<GlobalRef, Option<Vec<ConstId>>> = FxHashMap::default();
    for (f, function) in cx.linked.functions() {
        let module = cx.module(f.module);
        for inst in function.body.code().map_or(&[][..], |code| &code.insts) {
            let InstKind::Store(store) = &inst.kind else { continue };
            let Value::Const(pointer) = store.pointer.value else { continue };
            let ConstKind::Global(name) = module.constant(pointer).kind else { continue };
            let Some(Target::Global(g)) = cx.linked.resolve(f.module, name) else { continue };
            let values = stored.entry(g).or_insert_with(|| Some(Vec::new()));
            match (store.value.value, &mut *values) {
                (Value::Const(c), Some(values)) => values.push(c),
                _ => *values = None,
            }
        }
    }
    stored
}
