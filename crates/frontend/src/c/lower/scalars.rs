//! Type layout: the types of LLVM as lists of scalars at offsets, which is how the program form represents values.
//!
//! Example: `{ i32, [2 x ptr] }` on 64 bits is an integer of 32 bits at offset 0 and pointers at offsets 8 and 16.

use super::long_double::BITS;
use crate::llvm::ast::{ConstKind, FloatKind, Gep, Module, Operand, TypeId, TypeKind, Value};

/// A value that fits a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// `i1`.
    Bool,
    /// An integer of another width, in bits.
    Int(u32),
    /// An IEEE number of 32 or 64 bits, kept as its bits.
    Float(u32),
    /// A pointer: the number of an object and an offset.
    Pointer,
}

/// A scalar within a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Where it begins, in bytes.
    pub offset: u64,
    /// How many bytes it takes in memory.
    pub size: u64,
    /// What it is.
    pub scalar: Scalar,
}

/// More parts than this are not taken apart.
const MAX_LEAVES: usize = 256;

/// The scalars that a type consists of, in order; `None` if it is too large, has no size, or is of a kind that is
/// not supported.
pub fn leaves(module: &Module, ty: TypeId) -> Option<Vec<Leaf>> {
    leaves_before(module, ty, u64::MAX)
}

/// Those that begin before an offset.
pub(crate) fn leaves_before(module: &Module, ty: TypeId, end: u64) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    collect(module, ty, [0, end], &mut found, 0)?;
    Some(found)
}

fn collect(
    module: &Module,
    ty: TypeId,
    [offset, end]: [u64; 2],
    found: &mut Vec<Leaf>,
    depth: u32,
) -> Option<()> {
    if offset >= end {
        return Some(());
    }
    if found.len() >= MAX_LEAVES || depth > 64 {
        return None;
    }
    let size = module.layouts.get(ty).map_or(0, |l| l.store_size);
    let leaf = |scalar| Leaf { offset, size, scalar };
    match module.types.resolved(ty) {
        TypeKind::Void => {}
        TypeKind::Int(1) => found.push(leaf(Scalar::Bool)),
        TypeKind::Int(bits) if *bits <= 512 => found.push(leaf(Scalar::Int(*bits))),
        TypeKind::Float(FloatKind::Float) => found.push(leaf(Scalar::Float(32))),
        TypeKind::Float(FloatKind::Double) => found.push(leaf(Scalar::Float(64))),
        TypeKind::Float(FloatKind::X86Fp80) => found.push(leaf(Scalar::Int(BITS))),
        TypeKind::Ptr { addrspace: 0, .. } => found.push(leaf(Scalar::Pointer)),
        TypeKind::Array(len, element) => {
            let step = module.layouts.size(*element)?;
            let len = if step == 0 { *len } else { (*len).min((end - offset).div_ceil(step)) };
            if len > MAX_LEAVES as u64 {
                return None;
            }
            for i in 0..len {
                collect(module, *element, [offset + i * step, end], found, depth + 1)?;
            }
        }
        TypeKind::Vector { len, element, scalable: false } => {
            let step = module.layouts.get(*element)?.store_size;
            // A vector of bits is packed in memory; as values its elements are like others.
            for i in 0..u64::from(*len) {
                collect(module, *element, [offset + i * step, end], found, depth + 1)?;
            }
        }
        TypeKind::Struct { fields, .. } => {
            let offsets = &module.layouts.get(ty)?.offsets;
            for (&field, &at) in fields.iter().zip(offsets.iter()) {
                collect(module, field, [offset + at, end], found, depth + 1)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// A summand of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// So many bytes.
    Constant(i64),
    /// An operand times so many bytes.
    Scaled(Operand, u64),
}

/// The offset that a `getelementptr` adds, as summands; `None` if a type has no layout or the result is a vector.
pub fn gep_steps(module: &Module, gep: &Gep) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut constant: i64 = 0;
    let mut ty = gep.source;
    for (position, index) in gep.indices.iter().enumerate() {
        if matches!(module.types.resolved(index.ty), TypeKind::Vector { .. }) {
            return None;
        }
        let number = match index.value {
            Value::Const(c) => match module.constant(c).kind {
                ConstKind::Int(n) => Some(n),
                ConstKind::Zero => Some(0),
                _ => None,
            },
            Value::Local(_) => None,
        };
        let stride = if position == 0 {
            module.layouts.size(ty)?
        } else {
            match module.types.resolved(ty) {
                TypeKind::Struct { fields, .. } => {
                    let field = usize::try_from(number?).ok()?;
                    let offset = *module.layouts.get(ty)?.offsets.get(field)?;
                    constant = constant.checked_add(i64::try_from(offset).ok()?)?;
                    ty = *fields.get(field)?;
                    continue;
                }
                TypeKind::Array(_, element) | TypeKind::Vector { element, .. } => {
                    ty = *element;
                    module.layouts.size(ty)?
                }
                _ => return None,
            }
        };
        match number {
            Some(n) => constant = constant.checked_add(n.checked_mul(i64::try_from(stride).ok()?)?)?,
            None => steps.push(Step::Scaled(*index, stride)),
        }
    }
    if constant != 0 || steps.is_empty() {
        steps.push(Step::Constant(constant));
    }
    Some(steps)
}
