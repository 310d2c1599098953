//! Constants of LLVM as terms: the scalars that they consist of, including addresses and constant expressions.

use footpath_term::{Op, SortId, TermId};

use crate::llvm::ast::{ConstId, ConstKind, InstKind, LocalName, Name, Predicate, TypeId, Value};

use super::super::Unsupported;
use super::super::facts::link::Target;
use super::context::{Context, Pointer};
use super::scalars;
use super::scalars::{Leaf, Scalar, Step};

impl Context<'_, '_> {
    /// The components of a constant.
    pub(crate) fn constant(&mut self, module: u32, c: ConstId) -> Result<Vec<TermId>, Unsupported> {
        let m = self.module(module);
        let constant = m.constant(c);
        let ty = constant.ty;
        match &constant.kind {
            ConstKind::Int(n) => Ok(vec![match m.types.int_bits(ty) {
                Some(1) => self.terms.bool(n & 1 != 0),
                Some(bits) => self.bv(bits, *n),
                None => return Err(Unsupported::new("an integer constant of a non-integer type")),
            }]),
            ConstKind::BigInt(n) => {
                let bits = m.types.int_bits(ty).unwrap_or(64);
                let modulus = num_bigint::BigInt::from(1) << bits;
                let value = ((&**n % &modulus) + &modulus) % &modulus;
                Ok(vec![self.terms.bit_vec(bits, value)])
            }
            ConstKind::Float(value) => {
                let parts = self.leaves(module, ty)?;
                let Some(Leaf { scalar: Scalar::Float(bits) | Scalar::Int(bits), .. }) =
                    parts.first().copied()
                else {
                    return Err(Unsupported::new("a floating-point number of an unusual type"));
                };
                Ok(vec![self.terms.bit_vec(bits, num_bigint::BigInt::from(*value))])
            }
            ConstKind::Null | ConstKind::Zero | ConstKind::Undef | ConstKind::Poison | ConstKind::None => {
                self.zero(module, ty)
            }
            ConstKind::Aggregate(parts) => {
                let mut all = Vec::new();
                for &part in parts {
                    all.extend(self.constant(module, part)?);
                }
                Ok(all)
            }
            ConstKind::Splat(part) => {
                let count = self.sorts(module, ty)?.len();
                let part = self.constant(module, *part)?;
                Ok(part.iter().copied().cycle().take(count).collect())
            }
            ConstKind::Bytes(bytes) => Ok(bytes.iter().map(|&b| self.bv(8, i64::from(b))).collect()),
            ConstKind::Global(name) | ConstKind::Equivalent(name) => {
                let target = self.linked.resolve(module, *name);
                match target.and_then(|t| Some((t, self.objects.get(&t).copied()?))) {
                    Some((target, number)) => {
                        let p = self.linked_address(target, number);
                        Ok(vec![p.object, p.offset])
                    }
                    None => Err(Unsupported::new(format!("the address of `{}`", m.text(*name)))),
                }
            }
            ConstKind::BlockAddress { function, block } => {
                let p = self.block_address(module, *function, *block)?;
                Ok(vec![p.object, p.offset])
            }
            ConstKind::Expr(inst) => self.constant_expression(module, inst),
            _ => Err(Unsupported::new("a constant of an unusual kind")),
        }
    }

    /// The address of a block: in the object of its function, at the block's number plus one.
    fn block_address(
        &mut self,
        module: u32,
        function: Name,
        block: LocalName,
    ) -> Result<Pointer, Unsupported> {
        let target = self.linked.resolve(module, function);
        let Some(Target::Function(f)) = target else {
            return Err(Unsupported::new("the address of a block"));
        };
        let code = self.linked.function(f).body.code();
        let number = code.and_then(|code| code.blocks.iter().position(|b| b.name == block));
        match (number, self.objects.get(&Target::Function(f)).copied()) {
            (Some(number), Some(object)) => Ok(self.pointer(object, number as i64 + 1)),
            _ => Err(Unsupported::new("the address of a block")),
        }
    }

    /// Zero in every component.
    pub(crate) fn zero(&mut self, module: u32, ty: TypeId) -> Result<Vec<TermId>, Unsupported> {
        let sorts = self.sorts(module, ty)?;
        Ok(sorts.into_iter().map(|s| self.zero_of(s)).collect())
    }

    pub(crate) fn zero_of(&mut self, sort: SortId) -> TermId {
        match self.terms.width(sort) {
            Some(bits) => self.bv(bits, 0),
            None => self.terms.bool(false),
        }
    }

    fn constant_operand(&mut self, module: u32, value: Value) -> Result<Vec<TermId>, Unsupported> {
        match value {
            Value::Const(c) => self.constant(module, c),
            Value::Local(_) => Err(Unsupported::new("a constant expression over a register")),
        }
    }

    fn constant_expression(&mut self, module: u32, inst: &InstKind) -> Result<Vec<TermId>, Unsupported> {
        let value = self.constant_as_compiled(module, inst)?;
        Ok(self.unless_computed_from_address(module, inst, value))
    }

    fn constant_as_compiled(&mut self, module: u32, inst: &InstKind) -> Result<Vec<TermId>, Unsupported> {
        match inst {
            InstKind::Gep(gep) => {
                let base = self.constant_operand(module, gep.base.value)?;
                let steps = scalars::gep_steps(self.module(module), gep)
                    .ok_or_else(|| Unsupported::new("an address in a type without a layout"))?;
                let mut p = Pointer { object: base[0], offset: base[1] };
                for step in steps {
                    match step {
                        Step::Constant(bytes) => {
                            let bytes = self.offset(bytes);
                            p = self.add_offset(p, bytes);
                        }
                        Step::Scaled(index, stride) => {
                            let index = self.constant_operand(module, index.value)?[0];
                            p = self.scaled(p, index, stride);
                        }
                    }
                }
                Ok(vec![p.object, p.offset])
            }
            InstKind::Cast { op, value, to, .. } => {
                let parts = self.constant_operand(module, value.value)?;
                match super::float::cast(self, module, *op, &parts, *value, *to) {
                    Some(result) => result,
                    None => self.cast(module, *op, &parts, *value, *to),
                }
            }
            InstKind::Compare { predicate: Predicate::Int(p), left, right, .. } => {
                let a = self.constant_operand(module, left.value)?;
                let b = self.constant_operand(module, *right)?;
                Ok(vec![match (&a[..], &b[..]) {
                    (&[p_object, p_offset], &[q_object, q_offset]) => {
                        let left = Pointer { object: p_object, offset: p_offset };
                        let right = Pointer { object: q_object, offset: q_offset };
                        self.compare_constants(*p, left, right)
                    }
                    _ if self.is_address_number(module, left.value)
                        || self.is_address_number(module, *right) =>
                    {
                        let (left, right) = (self.unpack(a[0]), self.unpack(b[0]));
                        self.compare_constants(*p, left, right)
                    }
                    _ => self.int_compare(*p, a[0], b[0]),
                }])
            }
            InstKind::Binary { op, left, right, .. } => {
                let a = self.constant_operand(module, left.value)?;
                let b = self.constant_operand(module, *right)?;
                Ok(vec![super::arith::binary(self, *op, a[0], b[0])?])
            }
            InstKind::Select { condition, then, otherwise } => {
                let c = self.constant_operand(module, condition.value)?[0];
                let a = self.constant_operand(module, then.value)?;
                let b = self.constant_operand(module, otherwise.value)?;
                Ok(a.iter().zip(&b).map(|(&a, &b)| self.app(Op::Ite, &[c, a, b])).collect())
            }
            _ => Err(Unsupported::new("a constant expression of an unusual kind")),
        }
    }
}
