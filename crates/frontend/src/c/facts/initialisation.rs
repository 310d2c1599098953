//! Definite-initialisation analysis, and taint analysis behind it: where a value may lie that nobody has written.
//!
//! **Idea.** The first part is Java's *definite assignment*: on all paths to a read of a local something was written to all of
//! what it reads. Bytes are looked at scalar by scalar, and forwards through the graph, where paths meet only what is written on
//! both. A local whose address is used otherwise has to be written whole before. Example: in `int x; if (c) x = 1; if (c) f(x);`
//! the read of `x` is not preceded by a write on all paths, so `x` has to be followed; `int y = 0;` need not be.
//!
//! The second part says how far what is not written may get: from such locals and from `malloc` through registers, stores,
//! copies, results and parameters, each region of the points-to analysis as one. Where nothing gets, reads need no shadow
//! (`lower/shadow.rs`).
//!
//! **Paper.** Definite assignment is in chapter 16 of the Java language specification (Gosling et al.).
//!
//! **Direction of error.** Towards too many places, but for addresses that go through numbers. What comes from outside, such as
//! the objects of a harness and what external functions return, is taken to be written.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::ast::{
    AttrsId, BlockIx, Call, Callee, Code, Inst, InstKind, LocalId, Module, Operand, Value,
};

use super::super::lower::scalars::{Leaf, Step, gep_steps, leaves};
use super::super::operands;
use super::block_scopes::declares;
use super::link::{FnRef, Linked};
use super::points_to::{Region, Regions, callee};

/// Where values may be that nobody has written.
#[derive(Clone, Default, Debug)]
pub(crate) struct Unwritten {
    /// The regions of memory; those of locals that live in variables, too.
    pub(crate) regions: FxHashSet<Region>,
    /// The registers and parameters.
    pub(crate) locals: FxHashSet<(FnRef, LocalId)>,
    /// The functions whose result may be one.
    pub(crate) results: FxHashSet<FnRef>,
}

/// Whether a value is promised to be written, so that passing one that is not is undefined.
pub(crate) fn must_be_written(module: &Module, attrs: AttrsId) -> bool {
    module.attr(attrs, "noundef").is_some()
}

/// The name of a function of LLVM's that is called, without `llvm.`.
pub(crate) fn intrinsic<'m>(module: &'m Module, call: &Call) -> Option<&'m str> {
    match call.callee {
        Callee::Named(name) => module.text(name).strip_prefix("llvm."),
        _ => None,
    }
}

impl Unwritten {
    /// Analyses all functions.
    pub(crate) fn of(linked: &Linked<'_>, regions: &Regions) -> Unwritten {
        let mut found = Unwritten::default();
        for (f, function) in linked.functions() {
            let Some(code) = function.body.code() else { continue };
            let module = &linked.modules[f.module as usize];
            for local in read_before_written(module, code) {
                found.regions.extend(regions.local(f, local).map(|r| regions.find(r)));
            }
            for inst in &code.insts {
                let Some(call) = inst.kind.as_call() else { continue };
                let name = callee(linked, f.module, call).map(|f| linked.function_name(f));
                if matches!(name, Some("malloc" | "realloc")) {
                    let region = inst.result.and_then(|result| regions.local(f, result));
                    found.regions.extend(region.map(|r| regions.find(r)));
                }
            }
        }
        while !found.regions.is_empty() {
            let before = (found.regions.len(), found.locals.len(), found.results.len());
            for (f, function) in linked.functions() {
                let Some(code) = function.body.code() else { continue };
                let mut walk = Walk { linked, regions, f, found: &mut found };
                code.insts.iter().for_each(|inst| walk.instruction(inst));
            }
            if before == (found.regions.len(), found.locals.len(), found.results.len()) {
                break;
            }
        }
        found
    }
}

/// A step of the taint analysis in one function.
struct Walk<'a, 'm> {
    linked: &'a Linked<'m>,
    regions: &'a Regions,
    f: FnRef,
    found: &'a mut Unwritten,
}

impl Walk<'_, '_> {
    fn is_tainted(&self, value: Value) -> bool {
        matches!(value, Value::Local(local) if self.found.locals.contains(&(self.f, local)))
    }

    fn region(&self, address: Value) -> Option<Region> {
        let region = self.regions.operand(self.linked, self.f, address)?;
        Some(self.regions.find(region))
    }

    fn instruction(&mut self, inst: &Inst) {
        let module = &self.linked.modules[self.f.module as usize];
        let is_tainted = match &inst.kind {
            InstKind::Debug(_) | InstKind::Alloca { .. } | InstKind::Freeze(_) => false,
            InstKind::Load(load) => {
                self.region(load.pointer.value).is_some_and(|r| self.found.regions.contains(&r))
            }
            InstKind::Store(store) => {
                if self.is_tainted(store.value.value) {
                    self.found.regions.extend(self.region(store.pointer.value));
                }
                false
            }
            InstKind::Ret(Some(value)) => {
                let function = self.linked.function(self.f);
                if self.is_tainted(value.value) && !must_be_written(module, function.ret_attrs) {
                    self.found.results.insert(self.f);
                }
                false
            }
            InstKind::Phi { incoming, .. } => incoming.iter().any(|(value, _)| self.is_tainted(*value)),
            InstKind::Call(call) => self.call(module, call),
            kind => operands(kind).iter().any(|operand| self.is_tainted(operand.value)),
        };
        if let Some(result) = inst.result.filter(|_| is_tainted) {
            self.found.locals.insert((self.f, result));
        }
    }

    /// Passes taint to a callee; whether the result is tainted.
    fn call(&mut self, module: &Module, call: &Call) -> bool {
        if let Some(name) = intrinsic(module, call) {
            if let ("memcpy" | "memmove", [(to, _), (from, _), ..]) =
                (name.split('.').next().unwrap_or(name), &call.args[..])
            {
                if self.region(from.value).is_some_and(|r| self.found.regions.contains(&r)) {
                    self.found.regions.extend(self.region(to.value));
                }
                return false;
            }
            return call.args.iter().any(|(arg, _)| self.is_tainted(arg.value));
        }
        let known = callee(self.linked, self.f.module, call);
        let targets = known.map_or_else(|| self.regions.address_taken.clone(), |f| vec![f]);
        for (i, (arg, attrs)) in call.args.iter().enumerate() {
            if self.is_tainted(arg.value) && !must_be_written(module, *attrs) {
                for &target in &targets {
                    if i < self.linked.function(target).params.len() {
                        self.found.locals.insert((target, LocalId(i as u32)));
                    }
                }
            }
        }
        targets.iter().any(|target| self.found.results.contains(target))
    }
}

/// A local with the scalars it consists of, and where its own begin in the list of all.
struct Object {
    leaves: Vec<Leaf>,
    first: usize,
}

/// The dataflow analysis of a function.
struct Definite<'m> {
    module: &'m Module,
    objects: FxHashMap<LocalId, Object>,
    /// Addresses of parts of locals: which local, and the offset.
    addresses: FxHashMap<LocalId, (LocalId, u64)>,
    /// Locals that were found to be read before they are written.
    found: FxHashSet<LocalId>,
}

/// The locals of a function that may be read before they are written.
fn read_before_written(module: &Module, code: &Code) -> FxHashSet<LocalId> {
    let mut objects = FxHashMap::default();
    let mut count = 0;
    let mut found = FxHashSet::default();
    for inst in &code.insts {
        let (InstKind::Alloca { ty, count: number, .. }, Some(result)) = (&inst.kind, inst.result) else {
            continue;
        };
        let whole = module
            .layouts
            .size(*ty)
            .map(|size| vec![Leaf { offset: 0, size, scalar: super::super::lower::scalars::Scalar::Int(8) }]);
        match leaves(module, *ty).or(whole).filter(|_| number.is_none()) {
            Some(leaves) => {
                let first = count;
                count += leaves.len();
                objects.insert(result, Object { leaves, first });
            }
            None => {
                found.insert(result);
            }
        }
    }
    let mut definite = Definite { module, objects, addresses: FxHashMap::default(), found };
    definite.find_addresses(code);
    definite.run(code, count);
    definite.found
}

impl Definite<'_> {
    fn find_addresses(&mut self, code: &Code) {
        self.addresses.extend(self.objects.keys().map(|&local| (local, (local, 0))));
        for inst in &code.insts {
            let Some(result) = inst.result else { continue };
            let address = match &inst.kind {
                InstKind::Gep(gep) => {
                    let base = self.address(gep.base.value);
                    match (base, gep_steps(self.module, gep).as_deref()) {
                        (Some((local, at)), Some([Step::Constant(bytes)])) => {
                            at.checked_add_signed(*bytes).map(|at| (local, at))
                        }
                        _ => None,
                    }
                }
                InstKind::Cast { value, to, .. } if self.module.types.is_pointer(*to) => {
                    self.address(value.value)
                }
                _ => None,
            };
            self.addresses.extend(address.map(|address| (result, address)));
        }
    }

    fn address(&self, value: Value) -> Option<(LocalId, u64)> {
        match value {
            Value::Local(local) => self.addresses.get(&local).copied(),
            Value::Const(_) => None,
        }
    }

    /// The places in the list of all scalars that a range of a local has a part in; `whole` ones only, if asked.
    fn places(&self, (local, at): (LocalId, u64), bytes: u64, whole: bool) -> Vec<usize> {
        let object = &self.objects[&local];
        let end = at.saturating_add(bytes);
        let is_met = |leaf: &Leaf| {
            let leaf_end = leaf.offset + leaf.size;
            if whole { at <= leaf.offset && leaf_end <= end } else { leaf.offset < end && at < leaf_end }
        };
        let all = object.leaves.iter().enumerate();
        all.filter(|(_, leaf)| is_met(leaf)).map(|(i, _)| object.first + i).collect()
    }

    /// Goes through the graph until nothing changes. A block that was not come to yet has everything written.
    fn run(&mut self, code: &Code, count: usize) {
        let mut at_start: Vec<Option<Vec<bool>>> = vec![None; code.blocks.len()];
        let Some(entry) = at_start.first_mut() else { return };
        *entry = Some(vec![false; count]);
        let mut todo = vec![BlockIx(0)];
        while let Some(ix) = todo.pop() {
            let Some(mut state) = at_start[ix.index()].clone() else { continue };
            for inst in code.insts_of(ix) {
                self.instruction(inst, &mut state);
            }
            for to in code.terminator(ix).kind.successors() {
                let old = &mut at_start[to.index()];
                let new = match old {
                    None => state.clone(),
                    Some(old) => old.iter().zip(&state).map(|(&a, &b)| a && b).collect(),
                };
                if old.as_ref() != Some(&new) {
                    *old = Some(new);
                    todo.push(to);
                }
            }
        }
    }

    fn read(&mut self, address: (LocalId, u64), bytes: u64, state: &[bool]) {
        if !self.places(address, bytes, false).into_iter().all(|place| state[place]) {
            self.found.insert(address.0);
        }
    }

    fn write(&self, address: (LocalId, u64), bytes: u64, state: &mut [bool]) {
        for place in self.places(address, bytes, true) {
            state[place] = true;
        }
    }

    /// An address is used in a way that is not followed: what it leads to has to be written.
    fn escape(&mut self, value: Value, state: &[bool]) {
        if let Some((local, _)) = self.address(value) {
            self.read((local, 0), u64::MAX, state);
        }
    }

    fn size(&self, ty: crate::llvm::ast::TypeId) -> u64 {
        self.module.layouts.get(ty).map_or(0, |layout| layout.store_size)
    }

    fn instruction(&mut self, inst: &Inst, state: &mut [bool]) {
        match &inst.kind {
            InstKind::Debug(_) => {
                if let Some(local) =
                    declares(self.module, &inst.kind).filter(|l| self.objects.contains_key(l))
                {
                    self.places((local, 0), u64::MAX, false)
                        .into_iter()
                        .for_each(|place| state[place] = false);
                }
            }
            InstKind::Alloca { .. } => {
                if let Some(address) = inst.result.and_then(|result| self.address(Value::Local(result))) {
                    self.places(address, u64::MAX, false).into_iter().for_each(|place| state[place] = false);
                }
            }
            InstKind::Load(load) => {
                if let Some(address) = self.address(load.pointer.value) {
                    self.read(address, self.size(load.ty), state);
                }
            }
            InstKind::Store(store) => {
                self.escape(store.value.value, state);
                if let Some(address) = self.address(store.pointer.value) {
                    self.write(address, self.size(store.value.ty), state);
                }
            }
            InstKind::Gep(_) | InstKind::Cast { .. }
                if inst.result.is_some_and(|result| self.addresses.contains_key(&result)) => {}
            InstKind::Call(call) => self.call(call, state),
            InstKind::Phi { incoming, .. } => {
                incoming.iter().for_each(|(value, _)| self.escape(*value, state));
            }
            kind => operands(kind).iter().for_each(|operand| self.escape(operand.value, state)),
        }
    }

    fn call(&mut self, call: &Call, state: &mut [bool]) {
        let name = intrinsic(self.module, call).unwrap_or("");
        let number = |operand: &Operand| match operand.value {
            Value::Const(c) => match self.module.constant(c).kind {
                crate::llvm::ast::ConstKind::Int(n) => u64::try_from(n).ok(),
                _ => None,
            },
            Value::Local(_) => None,
        };
        let operands: Vec<Operand> = call.args.iter().map(|(operand, _)| *operand).collect();
        match (name.split('.').next().unwrap_or(name), &operands[..]) {
            ("lifetime", [.., pointer]) => {
                if let Some((local, _)) = self.address(pointer.value).filter(|_| name.contains(".start")) {
                    let all = self.places((local, 0), u64::MAX, false);
                    all.into_iter().for_each(|place| state[place] = false);
                }
            }
            ("memcpy" | "memmove" | "memset", [to, from, bytes, ..]) => {
                let bytes = number(bytes);
                if let (false, Some(address)) = (name.starts_with("memset"), self.address(from.value)) {
                    self.read(address, bytes.unwrap_or(u64::MAX), state);
                }
                match (self.address(to.value), bytes) {
                    (Some(address), Some(bytes)) => self.write(address, bytes, state),
                    _ => self.escape(to.value, state),
                }
            }
            ("va_start" | "va_copy", [list, rest @ ..]) => {
                rest.iter().for_each(|operand| self.escape(operand.value, state));
                if let Some(address) = self.address(list.value) {
                    self.write(address, u64::MAX, state);
                }
            }
            ("va_end" | "dbg", _) => {}
            (_, all) => all.iter().for_each(|operand| self.escape(operand.value, state)),
        }
    }
}
