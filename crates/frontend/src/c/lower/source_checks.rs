//! Checks of the source that LLVM's instructions do not show, as the compiler's sanitizer of undefined behaviour makes them
//! (`llvm/sanitizer_checks.rs`): shifts of numbers with a sign, indices into parts of objects, alignment, arguments that may not be
//! null, values of `_Bool`, and operations on constants, which the compiler computes itself.
//!
//! **Idea.** None of these ends a compiled program, so runs go on behind them. Example: for `struct { int a[4], b; } *p`, the access
//! `p->a[i]` with `i == 4` is one to `p->b` when it is compiled, which is within the object, and a failure of the kind
//! `subobject`. Where an array is the whole object, the check of the access says the same, so there is no other.
//!
//! A left shift of a number with a sign is one of C11: the number may not be negative, nor a bit be lost, the sign's included.
//! With `-fwrapv` the compiler asks for none.
//!
//! What a library function is passed, its model checks; but for copies of no bytes, which are none.
//!
//! **Direction of error.** Towards too few checks: an array that ends a structure is taken to be of any length, as by the compiler,
//! unless it is told otherwise (`-fstrict-flex-arrays`).

use footpath_ir::AssertKind;
use footpath_term::{Op, SortId, TermId};

use crate::llvm::ast::{Callee, CastOp, Inst, InstKind, LocalId, TypeKind, Value};
use crate::llvm::{Limit, SourceCheck, SourceCheckKind, WrongConstants};

use super::super::facts::initialisation::intrinsic;
use super::super::facts::link::Target;
use super::super::{TestAssumption, Unsupported};
use super::function::Lowering;

impl Lowering<'_, '_, '_> {
    /// What is checked before the instruction under way.
    fn source_checks_here(&self) -> Vec<SourceCheck> {
        let checks = &self.code.checks;
        let from = checks.partition_point(|check| check.before < self.at);
        checks[from..].iter().take_while(|check| check.before == self.at).copied().collect()
    }

    /// Makes the checks of the source before an instruction.
    pub(crate) fn make_source_checks(&mut self, inst: &Inst) -> Result<(), Unsupported> {
        for check in self.source_checks_here() {
            match check.kind {
                // It is part of the check of the amount.
                SourceCheckKind::ShiftBase => {}
                SourceCheckKind::Index(limit) => self.check_index(limit)?,
                SourceCheckKind::NonNull(value) => self.check_nonnull(inst, value)?,
                SourceCheckKind::Aligned(address, bytes) => self.check_alignment(address, bytes)?,
                SourceCheckKind::Bool(value) => {
                    if let [number] = self.value_of(value)?[..] {
                        let one = self.cx.bv(self.cx.width(number), 1);
                        let violated = self.cx.app(Op::BvUlt, &[one, number]);
                        self.soft_check(AssertKind::Bool, violated);
                    }
                }
                SourceCheckKind::Wrong(what) => {
                    let kind = match what {
                        WrongConstants::Division => AssertKind::Division,
                        WrongConstants::Shift => AssertKind::Shift,
                        WrongConstants::Overflow => AssertKind::Overflow,
                        WrongConstants::FloatCast => AssertKind::FloatCast,
                    };
                    let here = self.span;
                    if let Some((line, column)) = check.place {
                        self.span = self.debug.beside(here, line, column);
                    }
                    let truth = self.cx.terms.bool(true);
                    self.soft_check(kind, truth);
                    self.span = here;
                }
            }
        }
        Ok(())
    }

    fn check_index(&mut self, limit: Option<Limit>) -> Result<(), Unsupported> {
        if let Some(element) = self.element_of_whole_object() {
            // It is part of the check of an access there.
            self.limits.extend(limit.map(|limit| (element, limit)));
            return Ok(());
        }
        let violated = match limit {
            None => self.cx.terms.bool(true),
            Some(limit) => match self.value_of(limit.index)?[..] {
                [index] => self.is_beyond(index, limit),
                _ => return Ok(()),
            },
        };
        self.soft_check(AssertKind::Subobject, violated);
        Ok(())
    }

    fn is_beyond(&mut self, index: TermId, limit: Limit) -> TermId {
        let bits = self.cx.width(index).max(u64::BITS);
        let index = self.cx.resize(index, bits, limit.is_signed);
        let end = self.cx.terms.bit_vec(bits, num_bigint::BigInt::from(limit.end));
        self.cx.app(Op::BvUle, &[end, index])
    }

    /// Whether an address is that of an element, or of a part of one, whose index is beyond the end of its array. Only of an index of
    /// 64 bits or more the offset of the address does not tell, as it may have wrapped.
    pub(crate) fn is_beyond_array(&mut self, address: Value) -> Option<TermId> {
        let mut address = address;
        let limit = loop {
            let Value::Local(part) = address else { return None };
            match (self.limits.get(&part), self.code.definition(address).map(|inst| &inst.kind)) {
                (Some(limit), _) => break *limit,
                (None, Some(InstKind::Gep(gep))) => address = gep.base.value,
                (None, Some(InstKind::Cast { op: CastOp::Bitcast, value, .. })) => address = value.value,
                _ => return None,
            }
        };
        match self.value_of(limit.index).ok()?[..] {
            [index] if self.cx.width(index) >= u64::BITS => Some(self.is_beyond(index, limit)),
            _ => None,
        }
    }

    /// Checks that an address is a multiple of a power of two. An address of the program form is an object and an offset, and
    /// the offset decides where the object is aligned enough. Elsewhere it shows only some addresses that are misaligned;
    /// others depend on where the object lies, so proofs take them to be misaligned or not, and tests assume they are not.
    fn check_alignment(&mut self, address: Value, bytes: u64) -> Result<(), Unsupported> {
        let known = self.cx.alignments.value(self.cx.linked, self.f, address);
        if known.address >= bytes || !self.cx.options.checks.contains(&AssertKind::Alignment) {
            return Ok(());
        }
        let p = self.pointer(address)?;
        let mask = self.cx.offset(known.object.min(bytes) as i64 - 1);
        let low = self.cx.app(Op::BvAnd, &[p.offset, mask]);
        let zero = self.cx.offset(0);
        let is_aligned = self.cx.app(Op::Eq, &[low, zero]);
        let mut violated = self.cx.not(is_aligned);
        if known.object >= bytes {
            self.soft_check(AssertKind::Alignment, violated);
            return Ok(());
        }
        if self.cx.options.conservative_externals {
            let may_be = self.arbitrary(&[SortId::BOOL])[0];
            violated = self.cx.app(Op::Or, &[violated, may_be]);
        } else {
            self.cx.test_assumptions.insert((self.proc, TestAssumption::AlignedObjects));
        }
        self.note_failure(AssertKind::Alignment, violated);
        Ok(())
    }

    /// The address that the next step leads to, if it is in an array that is a whole local or variable.
    fn element_of_whole_object(&self) -> Option<LocalId> {
        let rest = &self.code.insts[self.at as usize..];
        let (gep, element) = rest.iter().find_map(|inst| match &inst.kind {
            InstKind::Gep(gep) => Some((gep, inst.result?)),
            _ => None,
        })?;
        if gep.indices.len() > 2 || !matches!(self.module.types.resolved(gep.source), TypeKind::Array(..)) {
            return None;
        }
        let is_whole = match gep.base.value {
            Value::Local(_) => self
                .code
                .definition(gep.base.value)
                .is_some_and(|inst| matches!(inst.kind, InstKind::Alloca { ty, .. } if ty == gep.source)),
            Value::Const(c) => match self.cx.linked.named_by(self.f.module, c) {
                Some(Target::Global(g)) => {
                    g.module == self.f.module && self.cx.linked.global(g).ty == gep.source
                }
                _ => false,
            },
        };
        is_whole.then_some(element)
    }

    /// Checks that a value is no null pointer; `None` is one that the compiler knows to be.
    fn check_nonnull(&mut self, inst: &Inst, value: Option<Value>) -> Result<(), Unsupported> {
        let mut parts = Vec::new();
        if let InstKind::Call(call) = &inst.kind {
            if intrinsic(self.module, call).is_some() {
                let Some((bytes, _)) = call.args.get(2) else { return Ok(()) };
                let bytes = self.value(*bytes)?[0];
                let zero = self.cx.bv(self.cx.width(bytes), 0);
                parts.push(self.cx.app(Op::Eq, &[bytes, zero]));
            } else if let Callee::Named(name) = call.callee
                && self.cx.options.library.contains(self.module.text(name))
            {
                return Ok(());
            }
        }
        if let Some(value) = value {
            let p = self.pointer(value)?;
            let null = self.cx.object(0);
            let zero = self.cx.offset(0);
            parts.push(self.cx.app(Op::Eq, &[p.object, null]));
            parts.push(self.cx.app(Op::Eq, &[p.offset, zero]));
        }
        let violated = self.cx.app(Op::And, &parts);
        self.soft_check(AssertKind::Nonnull, violated);
        Ok(())
    }

    /// When the amount of a shift is out of range. Where the source's amount is wider than the number, the compiler takes its low bits,
    /// at the place of the shift itself, where a conversion that the source has is at its own.
    pub(crate) fn is_shifted_too_far(
        &mut self,
        shift: &Inst,
        right: Value,
        amount: TermId,
    ) -> Result<TermId, Unsupported> {
        let narrowed = match right {
            Value::Local(_) => self.code.definition(right),
            Value::Const(_) => None,
        };
        let narrowed = narrowed.filter(|inst| inst.dbg.is_some() && inst.dbg == shift.dbg);
        let whole = match narrowed.map(|inst| &inst.kind) {
            Some(InstKind::Cast { op: CastOp::Trunc, value, .. }) => self.value(*value)?.first().copied(),
            _ => None,
        };
        let whole = whole.unwrap_or(amount);
        let bound = self.cx.bv(self.cx.width(whole), i64::from(self.cx.width(amount)));
        Ok(self.cx.app(Op::BvUle, &[bound, whole]))
    }

    /// When a shift to the left is undefined though its amount is not: the number has a sign, and bits are lost.
    pub(crate) fn loses_bits(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        if !self.source_checks_here().iter().any(|check| check.kind == SourceCheckKind::ShiftBase) {
            return None;
        }
        let width = self.cx.width(x);
        let most = self.cx.bv(width, i64::from(width) - 1);
        let fits = self.cx.app(Op::BvUle, &[y, most]);
        let back = self.cx.app(Op::BvSub, &[most, y]);
        let lost = self.cx.app(Op::BvLshr, &[x, back]);
        let zero = self.cx.bv(width, 0);
        let none = self.cx.app(Op::Eq, &[lost, zero]);
        let some = self.cx.not(none);
        Some(self.cx.app(Op::And, &[fits, some]))
    }
}
