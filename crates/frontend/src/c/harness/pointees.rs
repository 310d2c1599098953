//! The objects and functions that a harness's pointers may point to, by the types of the source.
//!
//! Example: a parameter of type `int (*)(int)` may be null, a stub that stands for an unknown callback of that type,
//! or one of the user's functions of that type whose address is taken and that the test can name.

use std::rc::Rc;

use footpath_term::SortId;
use rustc_hash::FxHashMap;

use super::super::facts::link::{FnRef, Target};
use super::super::facts::opaque_types::Spot;
use super::super::facts::points_to::Region;
use super::super::lower::context::{Context, Signature};
use super::super::lower::long_double::BITS;
use super::super::lower::scalars::Scalar;
use super::super::source::c_types::{CType, CTypeId};
use super::{Builder, LINKS};

/// The structure behind a `FILE *` in glibc.
const STREAM: &str = "_IO_FILE";

impl Builder<'_, '_, '_> {
    /// What a pointer points to; for other types nothing.
    pub(super) fn pointee(&self, ty: CTypeId) -> Option<CTypeId> {
        match self.types.resolved(ty) {
            CType::Pointer(to) => Some(*to),
            CType::Array { element, .. } => Some(*element),
            CType::Function { .. } => Some(ty),
            _ => None,
        }
    }

    /// The numbers of the functions that a pointer to a type of function can point to.
    pub(super) fn functions_of(&mut self, ty: CTypeId) -> Rc<[u32]> {
        if let Some(known) = self.cx.shared.functions.get(&(ty, self.module)) {
            return Rc::clone(known);
        }
        let numbers: Rc<[u32]> = self.functions_of_type(ty).into();
        self.cx.shared.functions.insert((ty, self.module), Rc::clone(&numbers));
        numbers
    }

    fn functions_of_type(&mut self, ty: CTypeId) -> Vec<u32> {
        let CType::Function { ret, params, .. } = self.types.resolved(ty).clone() else { return Vec::new() };
        let Some(ret) = self.value_sorts(ret) else { return Vec::new() };
        let params: Option<Vec<Vec<SortId>>> = params.into_iter().map(|p| self.value_sorts(p)).collect();
        let Some(params) = params else { return Vec::new() };
        let signature = (params, ret);
        let mut numbers: Vec<u32> = self.cx.callbacks.get(&signature).map(|c| c.number).into_iter().collect();
        for f in callable(self.cx, &signature) {
            if self.can_name(Target::Function(f)) {
                numbers.extend(self.cx.objects.get(&Target::Function(f)).copied());
            }
        }
        numbers.truncate(8);
        numbers
    }

    /// Whether a test in the function's file can name a function or variable: it is defined or declared there, and
    /// its name was not made by the compiler, with a dot in it.
    pub(super) fn can_name(&self, target: Target) -> bool {
        let (linked, here) = (self.cx.linked, self.cx.module(self.module));
        match target {
            Target::Function(f) if f.module == self.module => !linked.function_name(f).starts_with("llvm."),
            Target::Function(f) => {
                !linked.function(f).linkage.is_local()
                    && here.function_named(linked.function_name(f)).is_some()
            }
            Target::Global(g) if linked.global_name(g).contains('.') => false,
            Target::Global(g) => {
                g.module == self.module
                    || !linked.global(g).linkage.is_local()
                        && here.names.find(linked.global_name(g)).is_some_and(|n| here.global(n).is_some())
            }
        }
    }

    /// The components of a value of a type, as functions pass it; `None` if it is passed in another way.
    fn value_sorts(&mut self, ty: CTypeId) -> Option<Vec<SortId>> {
        let scalar = match self.types.resolved(ty) {
            CType::Void => return Some(Vec::new()),
            CType::Bool => Scalar::Bool,
            CType::Int { bits, .. } | CType::Enum { bits, .. } => Scalar::Int(*bits),
            CType::Float { bits, .. } if *bits <= 64 => Scalar::Float(*bits),
            CType::Float { .. } => Scalar::Int(BITS),
            CType::Pointer(_) | CType::Array { .. } | CType::Function { .. } => Scalar::Pointer,
            _ => return None,
        };
        Some(self.cx.component_sorts(scalar))
    }

    /// Structures of a type that were made earlier in the region that a link points into: the link may lead back to
    /// them.
    pub(super) fn earlier(&self, ty: CTypeId, region: Option<Region>) -> Vec<usize> {
        let ty = self.types.bare(ty);
        if !matches!(self.types.get(ty), CType::Record { .. }) {
            return Vec::new();
        }
        let is_there = |i: usize| region.is_none() || self.regions[i] == region;
        let same = |(i, element): &(usize, &CTypeId)| self.types.bare(**element) == ty && is_there(*i);
        self.elements.iter().enumerate().filter(same).map(|(i, _)| i).take(LINKS).collect()
    }

    /// Whether it is the structure behind a `FILE *` and no function looks into it, as the models of streams do not. What its
    /// pointers lead to then does not matter.
    pub(super) fn is_stream(&self, ty: CTypeId) -> bool {
        self.types.record_name(ty).is_some_and(|name| name == STREAM && !self.hidden.is_indexed(name))
    }

    /// Whether a pointer stands at the start of a type.
    pub(super) fn starts_with_pointer(&self, ty: CTypeId) -> bool {
        match self.types.resolved(ty) {
            CType::Pointer(_) => true,
            CType::Array { element, .. } => self.starts_with_pointer(*element),
            CType::Record { fields, .. } => {
                fields.iter().any(|f| f.offset_bits == 0 && self.starts_with_pointer(f.ty))
            }
            _ => false,
        }
    }

    pub(super) fn contains_pointer(&self, ty: CTypeId, depth: u32) -> bool {
        if depth > 16 {
            return true;
        }
        match self.types.resolved(ty) {
            CType::Pointer(_) => true,
            CType::Array { element, .. } => self.contains_pointer(*element, depth + 1),
            CType::Record { fields, .. } => fields.iter().any(|f| self.contains_pointer(f.ty, depth + 1)),
            _ => false,
        }
    }

    /// The type of the object behind a pointer: the structures that it is used as, if they are larger than the declared
    /// type, or the declared type is opaque; or of such a type a pointer to a structure.
    pub(super) fn used_as(&mut self, declared: CTypeId, place: Option<&Spot>) -> CTypeId {
        let bytes = u64::from(self.cx.shape.bits / 8);
        let is_open = matches!(
            self.types.resolved(declared),
            CType::Void | CType::Unknown | CType::Record { is_union: false, .. }
        );
        let hidden = Rc::clone(&self.hidden);
        let Some(place) = place.filter(|_| is_open) else { return declared };
        let least = self.types.size(declared, bytes);
        let mut larger = Vec::new();
        for name in hidden.types(place, &self.running) {
            if let Some(ty) = self.record(name).filter(|&ty| self.types.size(ty, bytes) > least) {
                larger.push((name.to_owned(), ty));
            }
        }
        let is_opaque = matches!(self.types.resolved(declared), CType::Void | CType::Unknown);
        let used = self.union_of(&larger);
        used.or_else(|| self.pointer_used_as(place).filter(|_| is_opaque)).unwrap_or(declared)
    }

    /// The type of a pointer to a structure that the pointer from a place leads to, if it is used so.
    fn pointer_used_as(&mut self, place: &Spot) -> Option<CTypeId> {
        let (hidden, behind) = (Rc::clone(&self.hidden), place.clone().behind()?);
        let name = *hidden.types(&behind, &self.running).first()?;
        let key = format!("{name} *");
        if let Some(&known) = self.records.get(&key) {
            return known;
        }
        let pointer = self.record(name).map(|to| self.types.add(CType::Pointer(to)));
        self.records.insert(key, pointer);
        pointer
    }

    /// The structure type of a name.
    fn record(&mut self, name: &str) -> Option<CTypeId> {
        if let Some(&known) = self.records.get(name) {
            return known;
        }
        let modules = self.cx.linked.modules;
        let found = self.cx.shared.record(modules, self.module, name).and_then(|(m, node)| {
            let ty = self.types.read(m, &modules[m as usize], Some(node));
            matches!(self.types.resolved(ty), CType::Record { size: 1.., .. }).then_some(ty)
        });
        self.records.insert(name.to_owned(), found);
        found
    }
}

/// The user's functions of a type whose addresses the program takes.
fn callable(cx: &mut Context, signature: &Signature) -> Vec<FnRef> {
    if let Some(all) = &cx.shared.callable {
        return all.get(signature).cloned().unwrap_or_default();
    }
    let mut all: FxHashMap<Signature, Vec<FnRef>> = FxHashMap::default();
    for &f in &cx.regions.address_taken {
        let function = cx.linked.function(f);
        if function.body.code().is_none() || (f.module as usize) >= cx.options.user_modules {
            continue;
        }
        let params = function.params.iter().map(|p| cx.sorts(f.module, p.ty)).collect::<Result<_, _>>();
        if let (Ok(params), Ok(ret)) = (params, cx.sorts(f.module, function.ret)) {
            all.entry((params, ret)).or_default().push(f);
        }
    }
    let found = all.get(signature).cloned().unwrap_or_default();
    cx.shared.callable = Some(all);
    found
}
