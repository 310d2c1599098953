//! `long double`, the 80-bit extended precision of x86: values are moved and stored bit by bit, and results of
//! arithmetic are arbitrary.
//!
//! Results of arithmetic, comparisons and conversions are unconstrained. The sign is a bit, so negation is exact.
//!
//! **Direction of error.** Towards more behaviours than any machine has: what is proved holds, and no test promises
//! an outcome that only such a value decides.

use crate::llvm::ast::{CastOp, FloatKind, Inst, InstKind, TypeId, TypeKind};

use super::super::{TestAssumption, Unsupported};
use super::function::Lowering;

/// Bits of a number; in memory it takes 16 bytes, or 12 on 32 bits.
pub(crate) const BITS: u32 = 80;

impl Lowering<'_, '_, '_> {
    pub(crate) fn is_long_double(&self, ty: TypeId) -> bool {
        matches!(self.module.types.resolved(ty), TypeKind::Float(FloatKind::X86Fp80))
    }

    /// Lowers an instruction that computes with such numbers; whether it is one.
    pub(crate) fn computes_with_long_double(&mut self, inst: &Inst) -> Result<bool, Unsupported> {
        let sorts = match &inst.kind {
            InstKind::Binary { left, .. } if self.is_long_double(left.ty) => {
                self.cx.sorts(self.f.module, left.ty)?
            }
            InstKind::Compare { left, .. } if self.is_long_double(left.ty) => {
                vec![footpath_term::SortId::BOOL]
            }
            InstKind::Cast { op, value, to, .. } if *op != CastOp::Bitcast => {
                if !self.is_long_double(value.ty) && !self.is_long_double(*to) {
                    return Ok(false);
                }
                self.cx.sorts(self.f.module, *to)?
            }
            _ => return Ok(false),
        };
        if !self.cx.options.conservative_externals {
            self.cx.test_assumptions.insert((self.proc, TestAssumption::LongDoubles));
        }
        let any = self.arbitrary(&sorts);
        self.define(inst, any);
        Ok(true)
    }
}
