//! Preconditions that attributes state: what they promise of parameters is kept by tests and harnesses.
//!
//! Example: for `int f(int a[static 3])` and with `__attribute__((nonnull))` no test passes a null pointer, and for the former none
//! passes an array of two elements. A call in the program that breaks a promise fails there (`lower/source_checks.rs`).
//!
//! **Direction of error.** That callers keep the promises is an assumption, see
//! [`TestAssumption::KeptPromises`](super::super::TestAssumption::KeptPromises). What `align` and `alloc_size` promise is not looked at.

use footpath_term::Op;

use super::super::TestAssumption;
use super::super::facts::link::FnRef;
use super::Builder;
use crate::llvm::ast::AttrValue;

impl Builder<'_, '_, '_> {
    /// How many bytes an attribute promises behind a parameter that is no null pointer (`nonnull`, `a[static 3]`); nothing
    /// without such an attribute. That it is kept is what tests and harnesses assume.
    pub(super) fn promised(&mut self, f: FnRef, index: usize) -> Option<u64> {
        let attrs = self.cx.linked.function(f).params[index].attrs;
        let module = self.cx.module(f.module);
        let bytes = match module.attr(attrs, "dereferenceable") {
            Some(AttrValue::Int(bytes)) => Some(*bytes),
            _ => None,
        };
        let found = bytes.or_else(|| module.attr(attrs, "nonnull").map(|_| 0))?;
        self.cx.test_assumptions.insert((self.cx.procs[&f], TestAssumption::KeptPromises));
        Some(found)
    }

    /// Assumes of the object behind a parameter that it is as long as promised.
    pub(super) fn assume_promised(&mut self, object: Option<usize>, promised: Option<u64>) {
        let (Some(own), Some(bytes)) = (object, promised) else { return };
        let least = self.cx.offset(bytes as i64);
        let (this, element) = (self.cx.object(self.objects[own].number), self.objects[own].element);
        let size = self.sizes.iter().find(|(object, _)| *object == this).map(|(_, size)| *size);
        let most = self.types.size(element, u64::from(self.cx.shape.bits / 8)).max(1);
        if let Some(size) = size.filter(|_| self.objects[own].count.is_some() || bytes <= most) {
            let is_long = self.cx.app(Op::BvUle, &[least, size]);
            self.assumptions.push(is_long);
        }
    }
}
