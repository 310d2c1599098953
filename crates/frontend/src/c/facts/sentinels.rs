//! Sentinel values: numbers that stand in pointers for something that is no object.
//!
//! **Idea.** A pointer is null or leads to an object, but programs also give it numbers that no address is, and compare it with
//! them: `(void *)-1` for an empty slot, a failed `mmap` or the end of a list, `(void *)1` for a slot whose item is gone. The numbers
//! that pointers from a place are compared with are collected as the structures are that they are indexed as (`opaque_types.rs`),
//! through locals and calls. A harness lets such pointers be these numbers as well.
//!
//! Example: in `while (t->slots[i].key != (void *)-1) i++;` the member `key` is compared with -1, so tests have slots whose key is.
//!
//! Numbers on the first and on the last page count, where no object ever is. A comparison by order (`(unsigned long)p >= -4095UL`, as
//! Linux asks for errors) has its own number and the last one.
//!
//! **Direction of error.** The numbers are hints for what a harness makes: others, and those that pointers are compared with after
//! they pass through memory of other types, are left out of tests, and code behind them is not reached.

use rustc_hash::FxHashSet;

use super::super::lower::context::PointerShape;
use super::link::FnRef;
use super::opaque_types::{Hidden, Spot, Use};
use super::points_to::PAGE;
use crate::llvm::ast::{
    CastOp, ConstId, ConstKind, InstKind, IntPredicate, Module, Operand, Predicate, Value,
};

/// The most numbers that a pointer in a harness may be.
const MOST: usize = 4;

impl Hidden {
    /// The numbers that functions in `running`, or any if that is `None`, compare pointers from a place with.
    pub(crate) fn sentinels(&self, place: &Spot, running: Option<&FxHashSet<FnRef>>) -> Vec<u64> {
        let is_here = |f: &FnRef| running.is_none_or(|running| running.contains(f));
        let here = self.uses(place).filter(|(_, users)| users.iter().any(is_here));
        here.filter_map(|(used, _)| match used {
            Use::Compared(number) => Some(*number),
            Use::Indexed(_) => None,
        })
        .take(MOST)
        .collect()
    }
}

/// The sentinel values in a comparison of a pointer, or of a number that may be one, with a constant.
pub(super) fn sentinels(module: &Module, predicate: Predicate, left: &Operand, right: Value) -> Vec<u64> {
    let Predicate::Int(predicate) = predicate else { return Vec::new() };
    let shape = PointerShape::of(module.data_layout.pointer_bits());
    let is_wide = module.types.is_pointer(left.ty) || module.types.int_bits(left.ty) == Some(shape.bits);
    let Value::Const(constant) = right else { return Vec::new() };
    let Some(number) = number(module, constant).filter(|_| is_wide) else { return Vec::new() };
    let last = u64::MAX >> (64 - shape.bits);
    let number = number & last;
    if !shape.is_sentinel(number) {
        return Vec::new();
    }
    match predicate {
        IntPredicate::Eq | IntPredicate::Ne => vec![number],
        _ if (PAGE..last).contains(&number) => vec![number, last],
        _ => vec![number],
    }
}

/// The number that a constant is, also as an address.
fn number(module: &Module, constant: ConstId) -> Option<u64> {
    match &module.constant(constant).kind {
        ConstKind::Int(number) => Some(*number as u64),
        ConstKind::Expr(inst) => match inst.as_ref() {
            InstKind::Cast { op: CastOp::IntToPtr, value, .. } => match value.value {
                Value::Const(inner) => number(module, inner),
                Value::Local(_) => None,
            },
            _ => None,
        },
        _ => None,
    }
}
