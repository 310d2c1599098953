//! Conversions and comparisons of scalars: what needs no check, as it is defined for every value.
//!
//! A pointer becomes an integer as it is packed in memory, and back; a truth becomes a number of any width, 0 or 1, or with
//! its sign 0 or -1. Example: `sext i1 %b to i32` is `if b then -1 else 0`. Conversions of floating-point numbers, which
//! may be undefined, are in `float.rs`.
//!
//! **Direction of error.** None; conversions between kinds of numbers that are not handled are refused.

use footpath_term::{Op, SortId, TermId};

use crate::llvm::ast::{CastOp, IntPredicate, Operand, TypeId};

use super::super::Unsupported;
use super::context::{Context, Pointer};
use super::scalars::Scalar;
use super::vectors;

impl Context<'_, '_> {
    /// A conversion that needs no check.
    pub(crate) fn cast(
        &mut self,
        module: u32,
        op: CastOp,
        parts: &[TermId],
        from: Operand,
        to: TypeId,
    ) -> Result<Vec<TermId>, Unsupported> {
        let m = self.module(module);
        let (source, target) = (self.leaves(module, from.ty)?, self.leaves(module, to)?);
        match op {
            CastOp::Bitcast | CastOp::AddrSpaceCast => {
                let same = source.len() == target.len()
                    && source.iter().zip(&target).all(|(a, b)| a.scalar == b.scalar);
                if same {
                    return Ok(parts.to_vec());
                }
                match (source.as_slice(), target.as_slice()) {
                    // Between numbers of one width only the reading changes.
                    ([a], [b])
                        if a.size == b.size && a.scalar != Scalar::Pointer && b.scalar != Scalar::Pointer =>
                    {
                        Ok(parts.to_vec())
                    }
                    _ => vectors::bit_cast(self, parts, &source, &target),
                }
            }
            CastOp::PtrToInt | CastOp::PtrToAddr => {
                let bits = m.types.int_bits(to).ok_or_else(|| Unsupported::new("a vector of addresses"))?;
                let packed = self.pack(Pointer { object: parts[0], offset: parts[1] });
                Ok(vec![self.resize(packed, bits, false)])
            }
            CastOp::IntToPtr => {
                let p = self.unpack(parts[0]);
                Ok(vec![p.object, p.offset])
            }
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt => {
                let mut all = Vec::with_capacity(parts.len());
                for (&part, leaf) in parts.iter().zip(&target) {
                    all.push(self.resize_scalar(part, leaf.scalar, op == CastOp::SExt)?);
                }
                Ok(all)
            }
            _ => Err(Unsupported::new(format!("a conversion `{}`", op.word()))),
        }
    }

    fn resize_scalar(&mut self, part: TermId, to: Scalar, signed: bool) -> Result<TermId, Unsupported> {
        let is_bool = self.terms.sort(part) == SortId::BOOL;
        Ok(match (is_bool, to) {
            (true, Scalar::Bool) => part,
            (true, Scalar::Int(bits)) if signed => {
                let (ones, zero) = (self.bv(bits, -1), self.bv(bits, 0));
                self.app(Op::Ite, &[part, ones, zero])
            }
            (true, Scalar::Int(bits)) => self.bool_to_bv(part, bits),
            (false, Scalar::Bool) => {
                let bit = self.app(Op::Extract(0, 0), &[part]);
                let one = self.bv(1, 1);
                self.app(Op::Eq, &[bit, one])
            }
            (false, Scalar::Int(bits)) => self.resize(part, bits, signed),
            _ => return Err(Unsupported::new("a conversion between kinds of numbers")),
        })
    }

    /// A comparison of integers.
    pub(crate) fn int_compare(&mut self, predicate: IntPredicate, a: TermId, b: TermId) -> TermId {
        match predicate {
            IntPredicate::Eq => self.app(Op::Eq, &[a, b]),
            IntPredicate::Ne => {
                let same = self.app(Op::Eq, &[a, b]);
                self.not(same)
            }
            _ => {
                let is_bool = self.terms.sort(a) == SortId::BOOL;
                let (x, y) = if is_bool { (self.bool_to_bv(a, 1), self.bool_to_bv(b, 1)) } else { (a, b) };
                let (op, x, y) = match predicate {
                    IntPredicate::Ugt => (Op::BvUlt, y, x),
                    IntPredicate::Uge => (Op::BvUle, y, x),
                    IntPredicate::Ult => (Op::BvUlt, x, y),
                    IntPredicate::Ule => (Op::BvUle, x, y),
                    IntPredicate::Sgt => (Op::BvSlt, y, x),
                    IntPredicate::Sge => (Op::BvSle, y, x),
                    IntPredicate::Slt => (Op::BvSlt, x, y),
                    _ => (Op::BvSle, x, y),
                };
                self.app(op, &[x, y])
            }
        }
    }
}
