//! SIMD vectors: the elements of a vector are components like those of a structure.

use footpath_term::{Op, TermId, Value as Number};

use crate::llvm::ast::{Inst, Operand, TypeId, TypeKind};

use super::super::Unsupported;
use super::context::Context;
use super::function::Lowering;
use super::scalars::{Leaf, Scalar};

impl Lowering<'_, '_, '_> {
    /// How many elements a vector has, and how many components each.
    fn shape_of(&mut self, ty: TypeId) -> Result<(usize, usize), Unsupported> {
        let TypeKind::Vector { len, element, scalable: false } = *self.module.types.resolved(ty) else {
            return Err(Unsupported::new("a vector of unknown length"));
        };
        Ok((len as usize, self.cx.sorts(self.f.module, element)?.len()))
    }

    /// `extractelement`. Beyond the end of a vector its result means nothing.
    pub(crate) fn extract_element(
        &mut self,
        inst: &Inst,
        vector: Operand,
        index: Operand,
    ) -> Result<(), Unsupported> {
        let (len, each) = self.shape_of(vector.ty)?;
        let (value, index) = (self.value(vector)?, self.value(index)?[0]);
        let mut result = value[..each].to_vec();
        for i in 1..len {
            let here = self.is_number(index, i);
            for (k, part) in result.iter_mut().enumerate() {
                *part = self.cx.app(Op::Ite, &[here, value[i * each + k], *part]);
            }
        }
        self.define(inst, result);
        Ok(())
    }

    /// `insertelement`.
    pub(crate) fn insert_element(
        &mut self,
        inst: &Inst,
        vector: Operand,
        element: Operand,
        index: Operand,
    ) -> Result<(), Unsupported> {
        let (len, each) = self.shape_of(vector.ty)?;
        let (mut value, element) = (self.value(vector)?, self.value(element)?);
        let index = self.value(index)?[0];
        for i in 0..len {
            let here = self.is_number(index, i);
            for (k, &part) in element.iter().enumerate() {
                value[i * each + k] = self.cx.app(Op::Ite, &[here, part, value[i * each + k]]);
            }
        }
        self.define(inst, value);
        Ok(())
    }

    /// `shufflevector`: elements of two vectors in the order that the mask says.
    pub(crate) fn shuffle(
        &mut self,
        inst: &Inst,
        left: Operand,
        right: Operand,
        mask: Operand,
    ) -> Result<(), Unsupported> {
        let (_, each) = self.shape_of(left.ty)?;
        let mut both = self.value(left)?;
        both.extend(self.value(right)?);
        let mut result = Vec::new();
        for number in self.value(mask)? {
            let number = self.cx.terms.literal(number).and_then(Number::as_u64);
            let first = number.and_then(|n| usize::try_from(n).ok()).map(|n| n * each);
            let part = first.and_then(|first| both.get(first..first + each));
            result.extend(part.ok_or_else(|| Unsupported::new("a vector in an order that is computed"))?);
        }
        self.define(inst, result);
        Ok(())
    }

    fn is_number(&mut self, index: TermId, number: usize) -> TermId {
        let number = self.cx.bv(self.cx.width(index), number as i64);
        self.cx.app(Op::Eq, &[index, number])
    }
}

/// A bit cast between types without pointers: the bits of all parts, the first one lowest, are dealt out anew.
pub(crate) fn bit_cast(
    cx: &mut Context<'_, '_>,
    parts: &[TermId],
    from: &[Leaf],
    to: &[Leaf],
) -> Result<Vec<TermId>, Unsupported> {
    let bits = |leaf: &Leaf| match leaf.scalar {
        Scalar::Bool => Some(1),
        Scalar::Int(bits) | Scalar::Float(bits) => Some(bits),
        Scalar::Pointer => None,
    };
    let total = |leaves: &[Leaf]| leaves.iter().map(bits).sum::<Option<u32>>();
    if parts.len() != from.len() || total(from).is_none() || total(from) != total(to) {
        return Err(Unsupported::new("a bit cast of pointers"));
    }
    let mut whole: Option<TermId> = None;
    for &part in parts {
        let part = if cx.terms.width(cx.terms.sort(part)).is_none() { cx.bool_to_bv(part, 1) } else { part };
        whole = Some(match whole {
            None => part,
            Some(low) => cx.app(Op::Concat, &[part, low]),
        });
    }
    let Some(whole) = whole else { return Ok(Vec::new()) };
    let mut result = Vec::with_capacity(to.len());
    let mut low = 0;
    for leaf in to {
        let width = bits(leaf).unwrap_or(1);
        let part = cx.app(Op::Extract(low + width - 1, low), &[whole]);
        low += width;
        result.push(if leaf.scalar == Scalar::Bool {
            let one = cx.bv(1, 1);
            cx.app(Op::Eq, &[part, one])
        } else {
            part
        });
    }
    Ok(result)
}
