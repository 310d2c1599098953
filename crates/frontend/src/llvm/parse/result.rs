//! Result types of instructions, which LLVM's text mostly leaves implicit.

use super::super::ast::*;
use super::Parser;

impl Parser<'_> {
    /// The type of what an instruction computes; `None` if it computes nothing.
    pub(super) fn result_type(&mut self, kind: &InstKind) -> Option<TypeId> {
        Some(match kind {
            InstKind::Load(load) => load.ty,
            InstKind::Binary { left, .. } => left.ty,
            InstKind::Cast { to, .. } => *to,
            InstKind::Alloca { pointer, .. } => *pointer,
            InstKind::Gep(gep) => self.gep_type(gep),
            InstKind::Compare { left, .. } => self.like(left.ty, TypeId::I1),
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr { .. } => {
                return kind.as_call().map(|call| call.ret).filter(|ret| *ret != TypeId::VOID);
            }
            InstKind::Phi { ty, .. } | InstKind::LandingPad { ty, .. } | InstKind::VaArg { ty, .. } => *ty,
            InstKind::Select { then, .. } => then.ty,
            InstKind::Freeze(value) | InstKind::FNeg { value, .. } => value.ty,
            InstKind::AtomicRmw { value, .. } => value.ty,
            InstKind::CmpXchg { expected, .. } => {
                let fields = Box::new([expected.ty, TypeId::I1]);
                self.module.types.add(TypeKind::Struct { fields, packed: false })
            }
            InstKind::ExtractElement { vector, .. } => self.part(vector.ty, &[0]),
            InstKind::InsertElement { vector, .. } => vector.ty,
            InstKind::ShuffleVector { left, mask, .. } => {
                let element = self.part(left.ty, &[0]);
                self.like(mask.ty, element)
            }
            InstKind::ExtractValue { aggregate, path } => self.part(aggregate.ty, path),
            InstKind::InsertValue { aggregate, .. } => aggregate.ty,
            InstKind::CatchSwitch { .. } | InstKind::CatchPad { .. } | InstKind::CleanupPad { .. } => {
                TypeId::TOKEN
            }
            InstKind::Ret(_)
            | InstKind::Br(_)
            | InstKind::CondBr { .. }
            | InstKind::Switch { .. }
            | InstKind::IndirectBr { .. }
            | InstKind::Resume(_)
            | InstKind::Unreachable
            | InstKind::CleanupRet { .. }
            | InstKind::CatchRet { .. }
            | InstKind::Store(_)
            | InstKind::Fence(_)
            | InstKind::Debug(_) => return None,
        })
    }

    /// `element`, or a vector of it if `shape` is a vector.
    fn like(&mut self, shape: TypeId, element: TypeId) -> TypeId {
        match *self.module.types.resolved(shape) {
            TypeKind::Vector { len, scalable, .. } => {
                self.module.types.add(TypeKind::Vector { len, element, scalable })
            }
            _ => element,
        }
    }

    /// The part of an aggregate at the end of a path; `void` if there is none.
    fn part(&self, aggregate: TypeId, path: &[u32]) -> TypeId {
        let step = |ty, index: &u32| self.module.types.element(ty, u64::from(*index));
        path.iter().try_fold(aggregate, step).unwrap_or(TypeId::VOID)
    }

    fn gep_type(&mut self, gep: &Gep) -> TypeId {
        let base = gep.base.ty;
        let scalar = match *self.module.types.resolved(base) {
            TypeKind::Vector { element, .. } => element,
            _ => base,
        };
        let pointer = match *self.module.types.kind(scalar) {
            TypeKind::Ptr { addrspace, pointee: Some(_) } => {
                let mut pointee = gep.source;
                for index in gep.indices.iter().skip(1) {
                    let field = self.constant_index(index).unwrap_or(0);
                    pointee = self.module.types.element(pointee, field).unwrap_or(TypeId::VOID);
                }
                self.module.types.add(TypeKind::Ptr { addrspace, pointee: Some(pointee) })
            }
            _ => scalar,
        };
        let is_vector = |ty: TypeId| matches!(self.module.types.resolved(ty), TypeKind::Vector { .. });
        let shape =
            std::iter::once(base).chain(gep.indices.iter().map(|index| index.ty)).find(|ty| is_vector(*ty));
        shape.map_or(pointer, |shape| self.like(shape, pointer))
    }

    /// The value of a constant index; of a vector of them, that of all elements.
    fn constant_index(&self, index: &Operand) -> Option<u64> {
        let Value::Const(mut id) = index.value else { return None };
        loop {
            match &self.module.constants.get(id).kind {
                ConstKind::Int(value) => return u64::try_from(*value).ok(),
                ConstKind::Aggregate(elements) => id = *elements.first()?,
                ConstKind::Splat(element) => id = *element,
                _ => return None,
            }
        }
    }
}
