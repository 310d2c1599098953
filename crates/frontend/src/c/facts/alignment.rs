//! Alignment analysis: of which powers of two addresses are multiples.
//!
//! **Idea.** A value analysis over powers of two, ordered by divisibility (as LLVM's `computeKnownBits` has it for the low bits
//! of pointers). Of each address two powers are known: one that divides the beginnings of all objects that it may be in, and one
//! that divides the address itself. An object has the alignment of its `alloca`, of its variable, or of what `malloc` gives;
//! each step of an address keeps what divides its constant and its strides; where values meet, the lesser one counts. Locals at
//! which addresses are stored, parameters and results are followed through all functions until nothing changes. Example: in
//!
//! ```text
//! int a[4];  char *p = (char *)a + 1;  *(int *)p = 0;
//! ```
//!
//! `p` is in an object at a multiple of 4, and itself a multiple of 1 only, so the access has to be checked. That it
//! is misaligned is then seen from its offset, which is all of an address that the program form has.
//!
//! **Direction of error.** Towards too few checks: what is read from memory other than a local's own, what external functions
//! return, and what comes through `void *` or a number is taken to be aligned for whatever is done with it, though of
//! its object nothing is known. Parameters of other types are at multiples of what these demand, as far as no caller is seen to
//! pass less; calls through pointers are not looked at.

use rustc_hash::FxHashMap;

use crate::llvm::ast::{Call, Code, ConstKind, Function, Gep, Inst, InstKind, LocalId, Module, Value};

use crate::llvm::{SourceCheck, SourceCheckKind};

use super::super::harness::signature::{Way, signature};
use super::super::lower::scalars::{Step, gep_steps};
use super::super::source::c_types::{CType, CTypeId, CTypes};
use super::link::{FnRef, Linked, Target};
use super::points_to::callee;

/// The functions that return new objects, and what their addresses are multiples of on all machines with 64-bit addresses.
const ALLOCATIONS: [&str; 8] =
    ["malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "strdup", "strndup"];
const ALLOCATED: u64 = 16;

/// More than anything demands.
const ANY: u64 = 1 << 32;

/// Powers of two that divide an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Alignment {
    /// One that divides where the objects begin that the address may be in.
    pub(crate) object: u64,
    /// One that divides the address.
    pub(crate) address: u64,
}

impl Alignment {
    /// Of what no address was seen to be.
    const NONE: Alignment = Alignment { object: ANY, address: ANY };
    /// Of an address of which it is taken that it fits.
    const TRUSTED: Alignment = Alignment { object: 1, address: ANY };

    /// Of the beginning of an object; where no alignment is said, it is taken to fit.
    fn of_object(align: u64) -> Alignment {
        if align == 0 { Alignment::TRUSTED } else { Alignment { object: align, address: align } }
    }

    fn meet(self, other: Alignment) -> Alignment {
        Alignment { object: self.object.min(other.object), address: self.address.min(other.address) }
    }
}

/// The power of two that divides a number.
fn divides(number: u64) -> u64 {
    if number == 0 { ANY } else { 1 << number.trailing_zeros() }
}

/// The alignments of all addresses.
#[derive(Default, Debug)]
pub(crate) struct Alignments {
    /// Of registers and parameters.
    locals: FxHashMap<(FnRef, LocalId), Alignment>,
    /// Of the addresses that are stored at locals.
    stored: FxHashMap<(FnRef, LocalId), Alignment>,
    /// Of results.
    results: FxHashMap<FnRef, Alignment>,
    changed: bool,
}

impl Alignments {
    /// Analyses all functions, if anything is checked.
    pub(crate) fn where_checked(linked: &Linked<'_>) -> Alignments {
        let is_about = |check: &SourceCheck| matches!(check.kind, SourceCheckKind::Aligned(..));
        let mut code = linked.functions().filter_map(|(_, function)| function.body.code());
        if code.any(|code| code.checks.iter().any(is_about)) {
            Alignments::of(linked)
        } else {
            Alignments::default()
        }
    }

    /// Analyses all functions.
    fn of(linked: &Linked<'_>) -> Alignments {
        let mut found = Alignments::default();
        let mut types = CTypes::default();
        for (f, function) in linked.functions() {
            let Some(code) = function.body.code() else { continue };
            let module = &linked.modules[f.module as usize];
            found.parameters(&mut types, f, module, function);
            for inst in &code.insts {
                if let InstKind::Store(store) = &inst.kind
                    && let Some(to) = slot(code, store.pointer.value)
                    && module.types.is_pointer(store.value.ty)
                {
                    found.stored.insert((f, to), Alignment::NONE);
                }
            }
        }
        loop {
            found.changed = false;
            for (f, function) in linked.functions() {
                let Some(code) = function.body.code() else { continue };
                for inst in &code.insts {
                    found.instruction(linked, f, code, inst);
                }
            }
            if !found.changed {
                return found;
            }
        }
    }

    /// What is known of parameters by their types.
    fn parameters(&mut self, types: &mut CTypes, f: FnRef, module: &Module, function: &Function) {
        let mut known = vec![Alignment::TRUSTED; function.params.len()];
        if let Ok(signature) = signature(types, f, module, function) {
            for param in signature.params.iter().filter(|param| param.way == Way::Scalar) {
                if let CType::Pointer(to) = *types.resolved(param.ty) {
                    let align = type_alignment(types, to, u64::from(module.data_layout.pointer_bits() / 8));
                    known[param.first] = Alignment::of_object(align);
                }
            }
        }
        for (i, known) in known.into_iter().enumerate() {
            self.lower_local(f, LocalId(i as u32), known);
        }
    }

    /// What is known of a value of a function.
    pub(crate) fn value(&self, linked: &Linked<'_>, f: FnRef, value: Value) -> Alignment {
        let c = match value {
            Value::Local(local) => {
                return self.locals.get(&(f, local)).copied().unwrap_or(Alignment::NONE);
            }
            Value::Const(c) => c,
        };
        let module = &linked.modules[f.module as usize];
        match &module.constant(c).kind {
            ConstKind::Global(name) => match linked.resolve(f.module, *name) {
                Some(Target::Global(g)) => Alignment::of_object(u64::from(linked.global(g).align)),
                _ => Alignment::TRUSTED,
            },
            ConstKind::Expr(inst) => match &**inst {
                InstKind::Gep(gep) => self.step(linked, f, module, gep),
                InstKind::Cast { value, to, .. } if module.types.is_pointer(*to) => {
                    self.value(linked, f, value.value)
                }
                _ => Alignment::TRUSTED,
            },
            ConstKind::Null | ConstKind::Undef | ConstKind::Poison => Alignment::NONE,
            _ => Alignment::TRUSTED,
        }
    }

    fn step(&self, linked: &Linked<'_>, f: FnRef, module: &Module, gep: &Gep) -> Alignment {
        let base = self.value(linked, f, gep.base.value);
        let Some(steps) = gep_steps(module, gep) else { return Alignment::TRUSTED };
        let kept = steps.iter().map(|step| match step {
            Step::Constant(bytes) => divides(bytes.unsigned_abs()),
            Step::Scaled(_, stride) => divides(*stride),
        });
        Alignment { object: base.object, address: kept.fold(base.address, u64::min) }
    }

    fn lower_local(&mut self, f: FnRef, local: LocalId, to: Alignment) {
        self.changed |= lower(self.locals.entry((f, local)).or_insert(Alignment::NONE), to);
    }

    fn instruction(&mut self, linked: &Linked<'_>, f: FnRef, code: &Code, inst: &Inst) {
        let module = &linked.modules[f.module as usize];
        let is_pointer = |ty| module.types.is_pointer(ty);
        let of = |this: &Self, value: Value| this.value(linked, f, value);
        match &inst.kind {
            InstKind::Store(store) => {
                if let Some(to) = slot(code, store.pointer.value)
                    && let stored = of(self, store.value.value)
                    && let Some(known) = self.stored.get_mut(&(f, to))
                {
                    self.changed |= lower(known, stored);
                }
            }
            InstKind::Ret(Some(value)) => {
                let returned = of(self, value.value);
                self.changed |= lower(self.results.entry(f).or_insert(Alignment::NONE), returned);
            }
            kind => {
                if let Some(call) = kind.as_call() {
                    self.pass(linked, f, call);
                }
            }
        }
        let Some(result) = inst.result.filter(|&result| is_pointer(code.local(result).ty)) else { return };
        let known = match &inst.kind {
            InstKind::Alloca { align, .. } => Alignment::of_object(u64::from(*align)),
            InstKind::Gep(gep) => self.step(linked, f, module, gep),
            InstKind::Cast { value, .. } if is_pointer(value.ty) => of(self, value.value),
            InstKind::Freeze(value) => of(self, value.value),
            InstKind::Select { then, otherwise, .. } => of(self, then.value).meet(of(self, otherwise.value)),
            InstKind::Phi { incoming, .. } => {
                incoming.iter().map(|(value, _)| of(self, *value)).fold(Alignment::NONE, Alignment::meet)
            }
            InstKind::Load(load) => {
                let slot = slot(code, load.pointer.value);
                slot.and_then(|slot| self.stored.get(&(f, slot))).copied().unwrap_or(Alignment::TRUSTED)
            }
            kind => match kind.as_call().and_then(|call| callee(linked, f.module, call)) {
                Some(callee) if ALLOCATIONS.contains(&linked.function_name(callee)) => {
                    Alignment::of_object(ALLOCATED)
                }
                Some(callee) if linked.function(callee).body.code().is_some() => {
                    self.results.get(&callee).copied().unwrap_or(Alignment::NONE)
                }
                _ => Alignment::TRUSTED,
            },
        };
        self.lower_local(f, result, known);
    }

    /// Notes what a callee is passed.
    fn pass(&mut self, linked: &Linked<'_>, f: FnRef, call: &Call) {
        let Some(callee) = callee(linked, f.module, call) else { return };
        let count = linked.function(callee).params.len();
        for (i, (arg, _)) in call.args.iter().enumerate().take(count) {
            let passed = self.value(linked, f, arg.value);
            self.lower_local(callee, LocalId(i as u32), passed);
        }
    }
}

/// The local of the source that an address is all of.
fn slot(code: &Code, address: Value) -> Option<LocalId> {
    code.definition(address).filter(|inst| matches!(inst.kind, InstKind::Alloca { .. }))?.result
}

/// Lowers a known alignment to one that may be met, too; whether that changes it.
fn lower(known: &mut Alignment, to: Alignment) -> bool {
    let met = known.meet(to);
    std::mem::replace(known, met) != met
}

/// What objects of a type are aligned to; 0 if that is not known. A structure whose members are not where they belong is packed.
fn type_alignment(types: &CTypes, ty: CTypeId, pointer_bytes: u64) -> u64 {
    match types.resolved(ty) {
        CType::Bool => 1,
        CType::Int { bits, .. } | CType::Float { bits, .. } | CType::Enum { bits, .. } => {
            divides(u64::from(*bits).div_ceil(8))
        }
        CType::Pointer(_) => pointer_bytes,
        CType::Array { element, .. } => type_alignment(types, *element, pointer_bytes),
        CType::Record { size, fields, .. } => {
            let of = |ty| type_alignment(types, ty, pointer_bytes);
            let is_placed = |(offset, align): (u64, u64)| align != 0 && offset % (8 * align) == 0;
            let whole = fields.iter().filter(|field| field.bit_field.is_none());
            let placed: Vec<(u64, u64)> = whole.map(|field| (field.offset_bits, of(field.ty))).collect();
            let align = placed.iter().map(|(_, align)| *align).max().unwrap_or(0);
            let is_packed = !placed.iter().copied().all(is_placed) || align != 0 && size % align != 0;
            if is_packed { 1 } else { align }
        }
        CType::Void
        | CType::Function { .. }
        | CType::Typedef { .. }
        | CType::Qualified { .. }
        | CType::Unknown => 0,
    }
}
