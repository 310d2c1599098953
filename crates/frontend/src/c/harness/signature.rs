//! Calling convention: the parameters of a function as the source declares them, and in which of LLVM's parameters
//! each one arrives.
//!
//! A structure arrives in memory (`byval`), or its bytes arrive in registers, eight at a time; a returned structure
//! may be written to memory whose address is one more parameter (`sret`), as the calling convention says (System V
//! ABI, AMD64 supplement, 3.2.3). Example: `double f(struct { int x, y; double z; } s)` has one parameter in C, and
//! two in LLVM, an `i64` with `x` and `y`, and a `double`.

use std::collections::BTreeMap;

use crate::llvm::ast::{FloatKind, Function, InstKind, Module, TypeId, TypeKind};

use super::super::facts::link::FnRef;
use super::super::source::c_types::{CType, CTypeId, CTypes};

/// How a function is called.
pub(in super::super) struct Signature {
    /// The source's type of the result.
    pub(in super::super) ret: CTypeId,
    /// The type of the object that the result is written to, whose address is LLVM's first parameter.
    pub(in super::super) written: Option<TypeId>,
    /// The parameters of the source.
    pub(in super::super) params: Vec<Param>,
}

/// A parameter of the source.
pub(in super::super) struct Param {
    /// Its type.
    pub(in super::super) ty: CTypeId,
    /// The first of LLVM's parameters that it arrives in.
    pub(in super::super) first: usize,
    /// How it arrives.
    pub(in super::super) way: Way,
}

/// How a parameter arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Way {
    /// As a number or an address.
    Scalar,
    /// A structure in memory.
    Memory,
    /// A structure in so many of LLVM's parameters.
    Registers(usize),
}

/// How a function is called, or the reason why that is not known.
pub(in super::super) fn signature(
    types: &mut CTypes,
    f: FnRef,
    module: &Module,
    function: &Function,
) -> Result<Signature, String> {
    let subprogram = function.dbg.ok_or("there is no debug information for it")?;
    let ty = module.node(subprogram).with(&module.names).node("type").ok_or("its type is not known")?;
    let id = types.read(f.module, module, Some(ty));
    let CType::Function { ret, params, .. } = types.get(id).clone() else {
        return Err("its type is not known".to_owned());
    };
    // Without a prototype the parameters are only declared as variables.
    let params = if params.is_empty() && !function.params.is_empty() {
        declared_params(types, f, module, function)
    } else {
        params
    };
    let written = function.params.first().and_then(|p| passed_type(module, p.ty, p.attrs, "sret"));
    let mut next = usize::from(written.is_some());
    let mut found = Vec::with_capacity(params.len());
    for ty in params {
        let (way, taken) = way(types, module, function, ty, next)?;
        found.push(Param { ty, first: next, way });
        next += taken;
    }
    if next != function.params.len() {
        return Err("its parameters are passed in an unusual way".to_owned());
    }
    Ok(Signature { ret, written, params: found })
}

/// How a parameter arrives, and in how many of LLVM's parameters.
fn way(
    types: &CTypes,
    module: &Module,
    function: &Function,
    ty: CTypeId,
    next: usize,
) -> Result<(Way, usize), String> {
    let unusual = || "a parameter is of an unusual type".to_owned();
    if let CType::Record { size, .. } = *types.resolved(ty) {
        if size == 0 {
            return Ok((Way::Registers(0), 0));
        }
        let first = function.params.get(next).ok_or_else(unusual)?;
        if passed_type(module, first.ty, first.attrs, "byval").is_some() {
            return Ok((Way::Memory, 1));
        }
        let bytes = |ty| module.layouts.get(ty).map_or(0, |l| l.store_size);
        let taken = if size > 8 && bytes(first.ty) <= 8 { 2 } else { 1 };
        let parts = function.params.get(next..next + taken).ok_or_else(unusual)?;
        let fits = size <= 16
            && !module.types.is_pointer(first.ty) | (size == 8 || taken == 2)
            && parts.iter().all(|p| matches!(bytes(p.ty), 1..=16));
        return if fits { Ok((Way::Registers(taken), taken)) } else { Err(unusual()) };
    }
    let llvm = function.params.get(next).ok_or_else(unusual)?;
    let fits = match types.resolved(ty) {
        CType::Pointer(_) | CType::Array { .. } | CType::Function { .. } => module.types.is_pointer(llvm.ty),
        CType::Int { bits, .. } | CType::Enum { bits, .. } => {
            module.types.int_bits(llvm.ty).is_some_and(|width| width >= *bits)
        }
        CType::Bool => module.types.int_bits(llvm.ty).is_some(),
        CType::Float { bits, .. } => {
            let is_this = |k: FloatKind| match k {
                FloatKind::X86Fp80 => *bits > 64,
                _ => k.bits() == *bits && *bits <= 64,
            };
            matches!(module.types.resolved(llvm.ty), TypeKind::Float(k) if is_this(*k))
        }
        _ => false,
    };
    if fits { Ok((Way::Scalar, 1)) } else { Err(unusual()) }
}

/// The type of what a pointer with an attribute such as `byval` points to.
fn passed_type(
    module: &Module,
    pointer: TypeId,
    attrs: crate::llvm::ast::AttrsId,
    attribute: &str,
) -> Option<TypeId> {
    match module.attr(attrs, attribute)? {
        crate::llvm::ast::AttrValue::Type(ty) => Some(*ty),
        _ => match module.types.kind(pointer) {
            TypeKind::Ptr { pointee, .. } => *pointee,
            _ => None,
        },
    }
}

fn declared_params(types: &mut CTypes, f: FnRef, module: &Module, function: &Function) -> Vec<CTypeId> {
    let mut found: BTreeMap<u64, CTypeId> = BTreeMap::new();
    for inst in function.body.code().map_or(&[][..], |c| &c.insts) {
        if let InstKind::Debug(record) = &inst.kind
            && let Some(variable) = record.variable
        {
            let view = module.node(variable).with(&module.names);
            if let Some(arg) = view.u64("arg") {
                let ty = types.read(f.module, module, view.node("type"));
                found.insert(arg, ty);
            }
        }
    }
    found.into_values().collect()
}
