//! String literals that the compiler has merged: constants without a name that are mentioned more than once.
//!
//! Whether equal string literals are one object is unspecified (C11 6.4.5, paragraph 7), and compilers make one of those in a
//! file. Example: `const char *p = "abc", *q = "abc";` mentions one constant of LLVM twice, and `p == q` must be taken for either.
//!
//! **Direction of error.** Towards too many: one literal may be mentioned more than once in LLVM, and `__func__` is one object.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::operands;
use super::link::{GlobalRef, Linked, Target};
use super::references::is_failed_assertion;
use crate::llvm::ast::{Body, ConstId, ConstKind, Global, Inst, InstKind, Value};

/// Whether a variable is a constant without a name, which may share its memory with another one.
pub(crate) fn is_literal(global: &Global) -> bool {
    global.is_constant && global.unnamed_addr && global.linkage.is_local()
}

/// The constants without a name that are mentioned more than once.
pub(crate) fn merged_literals(linked: &Linked<'_>) -> FxHashSet<GlobalRef> {
    mentions(linked, true).into_iter().filter(|(_, count)| *count > 1).map(|(global, _)| global).collect()
}

/// The constants without a name that nothing mentions but calls that say that an assertion does not hold.
pub(crate) fn printed_literals(linked: &Linked<'_>) -> FxHashSet<GlobalRef> {
    let others = mentions(linked, false);
    mentions(linked, true).into_keys().filter(|literal| !others.contains_key(literal)).collect()
}

/// How often constants without a name are mentioned, with or without what failed assertions print.
fn mentions(linked: &Linked<'_>, with_assertions: bool) -> FxHashMap<GlobalRef, u32> {
    let mut mentions: FxHashMap<GlobalRef, u32> = FxHashMap::default();
    for (m, module) in linked.modules.iter().enumerate() {
        let m = m as u32;
        for code in module.functions.iter().filter_map(|f| match &f.body {
            Body::Defined(code) => Some(code),
            _ => None,
        }) {
            let counts = |inst: &&Inst| with_assertions || !is_failed_assertion(linked, m, &inst.kind);
            for inst in code.insts.iter().filter(counts) {
                for operand in operands(&inst.kind) {
                    count(linked, m, operand.value, 0, &mut mentions);
                }
                if let InstKind::Phi { incoming, .. } = &inst.kind {
                    for (value, _) in incoming {
                        count(linked, m, *value, 0, &mut mentions);
                    }
                }
            }
        }
        for init in module.globals.iter().filter_map(|global| global.init) {
            count_in(linked, m, init, 0, &mut mentions);
        }
    }
    mentions
}

fn count(
    linked: &Linked<'_>,
    module: u32,
    value: Value,
    depth: u32,
    mentions: &mut FxHashMap<GlobalRef, u32>,
) {
    if let Value::Const(constant) = value {
        count_in(linked, module, constant, depth, mentions);
    }
}

fn count_in(
    linked: &Linked<'_>,
    module: u32,
    constant: ConstId,
    depth: u32,
    mentions: &mut FxHashMap<GlobalRef, u32>,
) {
    match &linked.modules[module as usize].constant(constant).kind {
        ConstKind::Global(name) => {
            if let Some(Target::Global(global)) = linked.resolve(module, *name)
                && is_literal(linked.global(global))
            {
                *mentions.entry(global).or_default() += 1;
            }
        }
        ConstKind::Aggregate(parts) if depth < 64 => {
            for &part in parts {
                count_in(linked, module, part, depth + 1, mentions);
            }
        }
        ConstKind::Expr(inst) if depth < 64 => {
            for operand in operands(inst) {
                count(linked, module, operand.value, depth + 1, mentions);
            }
        }
        _ => {}
    }
}
