//! A visitor for the operands of instructions, whatever the instruction.

use super::{Callee, Clause, DebugValue, InstKind, Operand, TypeId, Value};

impl InstKind {
    /// Calls `f` on every operand, in the order of the text: values with their types, also constants. A callee
    /// that is computed counts, with the type `ptr`; one that is named does not, and neither do blocks.
    pub fn for_each_operand(&self, mut f: impl FnMut(Operand)) {
        let of = |ty: TypeId, value: Value| Operand { ty, value };
        match self {
            InstKind::Br(_) | InstKind::Unreachable | InstKind::Fence(_) => {}
            InstKind::Ret(value) => value.iter().copied().for_each(f),
            InstKind::CondBr { condition: value, .. }
            | InstKind::IndirectBr { address: value, .. }
            | InstKind::Resume(value)
            | InstKind::CleanupRet { from: value, .. }
            | InstKind::CatchRet { from: value, .. }
            | InstKind::FNeg { value, .. }
            | InstKind::Cast { value, .. }
            | InstKind::Freeze(value)
            | InstKind::ExtractValue { aggregate: value, .. }
            | InstKind::VaArg { list: value, .. } => f(*value),
            InstKind::Switch { value, cases, .. } => {
                f(*value);
                cases.iter().for_each(|(case, _)| f(of(value.ty, Value::Const(*case))));
            }
            InstKind::Binary { left, right, .. } | InstKind::Compare { left, right, .. } => {
                f(*left);
                f(of(left.ty, *right));
            }
            InstKind::Select { condition: a, then: b, otherwise: c }
            | InstKind::InsertElement { vector: a, element: b, index: c }
            | InstKind::ShuffleVector { left: a, right: b, mask: c }
            | InstKind::CmpXchg { pointer: a, expected: b, new: c, .. } => {
                [*a, *b, *c].into_iter().for_each(f);
            }
            InstKind::ExtractElement { vector: a, index: b }
            | InstKind::InsertValue { aggregate: a, element: b, .. }
            | InstKind::AtomicRmw { pointer: a, value: b, .. } => [*a, *b].into_iter().for_each(f),
            InstKind::Phi { ty, incoming } => incoming.iter().for_each(|(value, _)| f(of(*ty, *value))),
            InstKind::Alloca { count, .. } => count.iter().copied().for_each(f),
            InstKind::Load(load) => f(load.pointer),
            InstKind::Store(store) => [store.value, store.pointer].into_iter().for_each(f),
            InstKind::Gep(gep) => {
                f(gep.base);
                gep.indices.iter().copied().for_each(f);
            }
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr { .. } => {
                let Some(call) = self.as_call() else { return };
                if let Callee::Value(value) = call.callee {
                    f(of(TypeId::PTR, value));
                }
                call.args.iter().for_each(|(arg, _)| f(*arg));
                call.bundles.iter().flat_map(|bundle| bundle.args.iter().copied()).for_each(f);
            }
            InstKind::LandingPad { clauses, .. } => clauses.iter().for_each(|clause| match clause {
                Clause::Catch(value) | Clause::Filter(value) => f(*value),
            }),
            InstKind::CatchSwitch { within, .. } => within.iter().copied().for_each(f),
            InstKind::CatchPad { within, args } => {
                f(*within);
                args.iter().copied().for_each(f);
            }
            InstKind::CleanupPad { within, args } => {
                within.iter().chain(args).copied().for_each(f);
            }
            InstKind::Debug(record) => match &record.value {
                DebugValue::None => {}
                DebugValue::Operand(value) => f(*value),
                DebugValue::List(values) => values.iter().copied().for_each(f),
            },
        }
    }
}
