//! Shadow propagation: what of the result of an operation nobody has written, by what of its operands nobody has.
//!
//! Example: in `x & 6` only the bits 1 and 2 can be unwritten, whatever `x` is. The rules are those of `shadow.rs`, which says what a
//! shadow is.
//!
//! **Direction of error.** As there: towards too much that is unwritten for comparisons, floating-point operations and vectors.

use footpath_term::{Op, SortId, TermId};

use crate::llvm::ast::{BinaryOp, Call, CastOp, Inst, InstKind, IntPredicate, Predicate, TypeId, Value};

use super::super::Unsupported;
use super::super::facts::initialisation::intrinsic;
use super::super::facts::points_to::callee;
use super::function::Lowering;
use super::scalars::Scalar;
use super::shadow::Holder;

impl Lowering<'_, '_, '_> {
    // ---- Behind an instruction

    /// Computes the shadow of what an instruction resulted in.
    pub(crate) fn behind_instruction(&mut self, inst: &Inst) -> Result<(), Unsupported> {
        let Some(result) = inst.result.filter(|_| self.has_shadows()) else { return Ok(()) };
        if matches!(inst.kind, InstKind::Alloca { .. }) {
            if self.slot(Value::Local(result)).is_some() && self.is_region_followed(Value::Local(result)) {
                self.begin_slot(result);
            }
            return Ok(());
        }
        if !self.may_be_unwritten(result) || matches!(inst.kind, InstKind::Phi { .. }) {
            return Ok(());
        }
        if let Some(shadow) = self.shadow_of_result(inst)? {
            self.keep_shadow(result, shadow);
        }
        Ok(())
    }

    fn shadow_of_result(&mut self, inst: &Inst) -> Result<Option<Vec<TermId>>, Unsupported> {
        let Some(ty) = inst.result_type(self.code) else { return Ok(None) };
        match &inst.kind {
            InstKind::Load(load) => return self.load_shadow(load.pointer.value, load.ty),
            InstKind::Call(call) if intrinsic(self.module, call).is_none() => {
                return self.shadow_of_call(call, ty);
            }
            InstKind::Binary { op, left, right, .. } => {
                let (a, b) = (self.value(*left)?, self.value_of(*right)?);
                if a.len() == 1 && self.cx.leaves(self.f.module, ty)?.iter().all(|l| is_whole(l.scalar)) {
                    let (s, t) = (self.shadow(left.value), self.shadow(*right));
                    if s.is_none() && t.is_none() {
                        return Ok(None);
                    }
                    let clean = self.cx.none_set(self.cx.terms.sort(a[0]));
                    let (s, t) = (s.map_or(clean, |s| s[0]), t.map_or(clean, |t| t[0]));
                    return Ok(Some(vec![self.shadow_of_binary(*op, [a[0], b[0]], [s, t])]));
                }
            }
            InstKind::Compare { predicate: Predicate::Int(p), left, right, .. } => {
                let (a, b) = (self.value(*left)?, self.value_of(*right)?);
                let (s, t) = (self.shadow(left.value), self.shadow(*right));
                if a.len() == 1 && b.len() == 1 && matches!(p, IntPredicate::Eq | IntPredicate::Ne) {
                    let clean = self.cx.none_set(self.cx.terms.sort(a[0]));
                    let shadows = [s.map_or(clean, |s| s[0]), t.map_or(clean, |t| t[0])];
                    return Ok(Some(vec![self.shadow_of_equality([a[0], b[0]], shadows)]));
                }
            }
            InstKind::Cast { op, value, to, .. } => {
                let Some(shadow) = self.shadow(value.value) else { return Ok(None) };
                if matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::Bitcast)
                    && let Ok(parts) = self.cx.cast(self.f.module, *op, &shadow, *value, *to)
                {
                    return Ok(Some(parts));
                }
            }
            InstKind::Select { condition, then, otherwise } => {
                let c = self.value(*condition)?;
                let asked = self.shadow(condition.value).map(|s| self.cx.any_set(&s));
                let (a, b) = (self.shadow(then.value), self.shadow(otherwise.value));
                if let (&[c], None) = (&c[..], asked) {
                    let sorts = self.cx.sorts(self.f.module, ty)?;
                    let parts = sorts.into_iter().enumerate().map(|(i, sort)| {
                        let clean = self.cx.none_set(sort);
                        let part = |s: &Option<Vec<TermId>>| s.as_ref().map_or(clean, |s| s[i]);
                        self.cx.app(Op::Ite, &[c, part(&a), part(&b)])
                    });
                    return Ok(Some(parts.collect()));
                }
            }
            InstKind::ExtractValue { aggregate, path } => {
                let Some(shadow) = self.shadow(aggregate.value) else { return Ok(None) };
                let (first, count) = self.part(aggregate.ty, path)?;
                return Ok(Some(shadow[first..first + count].to_vec()));
            }
            InstKind::InsertValue { aggregate, element, path } => {
                let (first, count) = self.part(aggregate.ty, path)?;
                let sorts = self.cx.sorts(self.f.module, ty)?;
                let clean: Vec<TermId> = sorts.iter().map(|&sort| self.cx.none_set(sort)).collect();
                let mut whole = self.shadow(aggregate.value).unwrap_or_else(|| clean.clone());
                let part = self.shadow(element.value).unwrap_or_else(|| clean[first..first + count].to_vec());
                whole.splice(first..first + count, part);
                return Ok(Some(whole));
            }
            _ => {}
        }
        self.shadow_of_all(inst, ty)
    }

    /// All of a result is unwritten if any bit of an operand is.
    fn shadow_of_all(&mut self, inst: &Inst, ty: TypeId) -> Result<Option<Vec<TermId>>, Unsupported> {
        let mut all = Vec::new();
        for operand in super::super::operands(&inst.kind) {
            all.extend(self.shadow(operand.value).unwrap_or_default());
        }
        if all.is_empty() {
            return Ok(None);
        }
        let any = self.cx.any_set(&all);
        let sorts = self.cx.sorts(self.f.module, ty)?;
        let parts = sorts.into_iter().map(|sort| {
            let (set, clean) = (self.cx.all_set(sort), self.cx.none_set(sort));
            self.cx.app(Op::Ite, &[any, set, clean])
        });
        Ok(Some(parts.collect()))
    }

    fn shadow_of_call(&mut self, call: &Call, ty: TypeId) -> Result<Option<Vec<TermId>>, Unsupported> {
        let known = callee(self.cx.linked, self.f.module, call);
        let targets = known.map_or_else(|| self.cx.regions.address_taken.clone(), |f| vec![f]);
        let sorts = self.cx.sorts(self.f.module, ty)?;
        for target in targets {
            if self.cx.shadows.unwritten.results.contains(&target) {
                let symbols = self.cx.shared_shadow(Holder::Result(target), &sorts);
                let fits = symbols.iter().map(|&s| self.cx.terms.symbol(s).sort).eq(sorts.iter().copied());
                if fits && known.is_some() {
                    return Ok(Some(symbols.into_iter().map(|s| self.cx.terms.var(s)).collect()));
                }
            }
        }
        // Which function a pointer leads to is known behind the call no more.
        if known.is_none() && self.cx.options.conservative_externals {
            return Ok(Some(self.arbitrary(&sorts)));
        }
        Ok(None)
    }

    /// The shadow of an operation on numbers, as the memory sanitizer has it.
    fn shadow_of_binary(&mut self, op: BinaryOp, [a, b]: [TermId; 2], [s, t]: [TermId; 2]) -> TermId {
        if self.cx.terms.sort(a) == SortId::BOOL {
            return self.cx.app(Op::Or, &[s, t]);
        }
        let either = self.cx.app(Op::BvOr, &[s, t]);
        match op {
            BinaryOp::And | BinaryOp::Or => {
                // A written bit that decides the result makes it written.
                let [x, y] =
                    [a, b].map(|v| if op == BinaryOp::And { v } else { self.cx.app(Op::BvNot, &[v]) });
                let both = self.cx.app(Op::BvAnd, &[s, t]);
                let left = self.cx.app(Op::BvAnd, &[s, y]);
                let right = self.cx.app(Op::BvAnd, &[x, t]);
                let one = self.cx.app(Op::BvOr, &[left, right]);
                self.cx.app(Op::BvOr, &[both, one])
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let shifted = super::arith::binary(self.cx, op, s, b).unwrap_or(s);
                let any = self.cx.any_set(&[t]);
                let all = self.cx.all_set(self.cx.terms.sort(s));
                self.cx.app(Op::Ite, &[any, all, shifted])
            }
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => s,
            _ => either,
        }
    }

    /// Values are different if written bits of them are; else an unwritten bit decides.
    fn shadow_of_equality(&mut self, [a, b]: [TermId; 2], [s, t]: [TermId; 2]) -> TermId {
        if self.cx.terms.sort(a) == SortId::BOOL {
            return self.cx.app(Op::Or, &[s, t]);
        }
        let unwritten = self.cx.app(Op::BvOr, &[s, t]);
        let written = self.cx.app(Op::BvNot, &[unwritten]);
        let differ = self.cx.app(Op::BvXor, &[a, b]);
        let differ = self.cx.app(Op::BvAnd, &[differ, written]);
        let differ = self.cx.any_set(&[differ]);
        let same = self.cx.not(differ);
        let any = self.cx.any_set(&[unwritten]);
        self.cx.app(Op::And, &[any, same])
    }
}

/// Whether operations on a scalar work bit by bit or on whole numbers.
fn is_whole(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Bool | Scalar::Int(_))
}
