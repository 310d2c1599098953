//! Type-based alias analysis: which memory that comes from outside the program may be the same, although no
//! instruction says so.
//!
//! **Idea.** The regions of the points-to analysis (`points_to.rs`) follow what this program itself does with
//! addresses. A caller outside the program may pass one address twice, or the address of a variable with external
//! linkage; an external function may return a pointer that it was given before. For a run that begins with a call
//! from outside, the *roots* are:
//!
//! * what the parameters point to, and the parameters of functions that external code may call back;
//! * variables with external linkage or whose address was passed out, and what variables point to if it may have come
//!   from outside;
//! * what external functions are passed and return, and what was returned to callers before;
//! * and everything that is reachable from there through pointers in memory.
//!
//! Two roots may be one object if their types allow it by the rule of C (C17 6.5, 7): the types are the same except
//! for signs and qualifiers, one is a part of the other, or one is a character type. Memory behind `void *`, or of an
//! unknown type, may be any object. The regions of such roots are unified for proofs. For tests only structures of
//! one type are unified, to which links may lead back, and, if the harness makes aliasing inputs, what parameters of
//! one type point to: a test shows what it shows by running, and claims nothing about objects that it does not make.
//!
//! Example: in `int f(int *a, unsigned *b, double *d) { *a = 1; *b = 2; … }` the caller may pass one object for `a`
//! and `b`, so a proof treats both as one region and `*a` may be 2 afterwards; `d` stays in a region of its own.
//!
//! A function of the C library that has no model returns what it was given, or an object of its own.
//!
//! Where the compiler is told that programs break C's rule (`-fno-strict-aliasing`, the attribute `may_alias`), any two roots may
//! be one object.
//!
//! **Direction of error.** Code outside the program that breaks C's rule without saying so, by writing an object through a pointer
//! of an unrelated type, is not accounted for: a proof may then be wrong.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::ast::{Body, Call, Callee, Code, InstKind, LocalId, Module, NodeId, Operand, Value};

use super::super::Options;
use super::super::harness::{Way, signature};
use super::super::source::c_types::{CType, CTypeId, CTypes};
use super::link::{FnRef, GlobalRef, Linked, Target};
use super::points_to::{Region, Regions, callee};
use super::references::{Known, running};
use super::slots::declared_locals;

/// Members of members are looked at down to here; deeper ones may be anything.
const DEPTH: u32 = 16;
/// With more roots than these all of them are one.
const ROOTS: usize = 400;

/// Which roots are unified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Same {
    /// All that may alias.
    All,
    /// Those of one type: structures, and what parameters point to.
    OfOneType,
}

/// Unifies the regions of roots that may alias; returns the functions that may run when there were any. A whole program is
/// entered at the function that is `wanted`.
pub(crate) fn unify(
    linked: &Linked<'_>,
    regions: &mut Regions,
    same: Same,
    options: &Options,
    wanted: &dyn Fn(&str) -> bool,
    mentions: &mut Known,
) -> BTreeSet<FnRef> {
    let mut given = Given { same, linked, options, types: CTypes::default(), parts: FxHashMap::default() };
    let entries = given.entries(regions, wanted);
    let mut passed: FxHashMap<FnRef, Rc<Roots>> = FxHashMap::default();
    let mut outside: Vec<Entered> = Vec::new();
    let mut returned = Roots::new();
    let before = regions.clone();
    let mut aliased = BTreeSet::new();
    match same {
        Same::All => aliased = given.library_results(regions),
        Same::OfOneType if options.harness.sharing => {
            entries.iter().for_each(|&entry| given.unite_parameters(regions, entry));
        }
        Same::OfOneType => {}
    }
    for entry in entries {
        returned.extend(given.result(regions, entry));
        let (functions, globals) = running(linked, regions, mentions, entry);
        let mut roots = given.params(regions, entry);
        for &f in &functions {
            let found = passed.entry(f).or_insert_with(|| Rc::new(given.of_calls(regions, f)));
            roots.extend(found.iter().copied());
            if regions.address_taken.contains(&f) {
                roots.extend(given.params(regions, f));
            }
        }
        for &g in globals.iter().filter(|&&g| is_seen(linked, g)) {
            roots.extend(regions.global(g).map(|region| (region, given.type_of(g))));
        }
        outside.push(Entered { functions, globals, roots });
    }
    // A static variable may have been given away, and what it holds may have come from outside, if it lies where such
    // things lie.
    let from_outside: FxHashSet<Region> = outside
        .iter()
        .map(|entered| &entered.roots)
        .chain([&returned])
        .flat_map(|roots| given.closure(regions, roots))
        .map(|(region, _)| region)
        .collect();
    for Entered { globals, roots, .. } in &mut outside {
        for &g in globals.iter().filter(|&&g| !linked.global(g).is_constant) {
            let Some(region) = regions.global(g) else { continue };
            let ty = given.type_of(g);
            if from_outside.contains(&region) {
                roots.push((region, ty));
            }
            if let Some(holds) = regions.content(region).filter(|holds| from_outside.contains(holds)) {
                roots.extend(given.pointees(ty).into_iter().map(|to| (holds, to)));
            }
        }
    }
    let mut unified = BTreeSet::new();
    for Entered { functions, globals, roots } in outside {
        let apart = given.closure(&before, &roots);
        if given.alias_in(&before, &apart) || functions.iter().any(|f| aliased.contains(f)) {
            unified.extend(functions);
        }
        let reached = given.closure(regions, &roots);
        let seen: Vec<(GlobalRef, Region)> = globals
            .iter()
            .filter(|&&g| is_seen(linked, g))
            .filter_map(|&g| Some((g, regions.global(g)?)))
            .collect();
        let same = given.unify(regions, &reached);
        regions.shared.extend(seen.iter().filter(|(_, region)| same.contains(region)).map(|(g, _)| g));
    }
    unified
}

/// What may run when the program is entered from outside, and what it is given.
struct Entered {
    functions: FxHashSet<FnRef>,
    globals: BTreeSet<GlobalRef>,
    roots: Roots,
}

/// Whether a variable is visible to other files, which may pass its address.
fn is_seen(linked: &Linked<'_>, g: GlobalRef) -> bool {
    let global = linked.global(g);
    !global.linkage.is_local() && !global.is_constant
}

/// Regions, with the types of objects in them; none is a type that is not known.
type Roots = Vec<(Region, Option<CTypeId>)>;

/// What is compared of types to decide whether objects of them may alias.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Key {
    Int(u32),
    Float(u32),
    Pointer,
    Record(String),
}

/// What an object of a type may be accessed as.
#[derive(Clone, Default)]
struct Parts {
    /// Whether it may be accessed as anything.
    any: bool,
    own: BTreeSet<Key>,
    inside: BTreeSet<Key>,
    /// The types that pointers in it point to.
    pointees: BTreeSet<CTypeId>,
}

impl Parts {
    fn may_be(&self, other: &Parts) -> bool {
        self.any || other.any || !self.own.is_disjoint(&other.inside) || !self.inside.is_disjoint(&other.own)
    }

    /// Whether both can be structures of one type.
    fn is_alike(&self, other: &Parts) -> bool {
        self.own.intersection(&other.own).any(|key| matches!(key, Key::Record(_)))
    }

    /// Whether both may be of one type; two that may be anything are.
    fn is_of_one_type(&self, other: &Parts) -> bool {
        self.any && other.any || !self.own.is_disjoint(&other.own)
    }

    fn extend(&mut self, other: &Parts) {
        self.any |= other.any;
        self.own.extend(other.own.iter().cloned());
        self.inside.extend(other.inside.iter().cloned());
        self.pointees.extend(other.pointees.iter().copied());
    }
}

struct Given<'a, 'm> {
    same: Same,
    linked: &'a Linked<'m>,
    options: &'a Options,
    types: CTypes,
    parts: FxHashMap<CTypeId, Rc<Parts>>,
}

impl Given<'_, '_> {
    fn module(&self, f: FnRef) -> &Module {
        &self.linked.modules[f.module as usize]
    }

    /// The functions that may be called from outside: those that are visible to other files, whose address is taken,
    /// or that have no caller. Of a whole program it is only the entry, if there is no other code.
    fn entries(&self, regions: &Regions, wanted: &dyn Fn(&str) -> bool) -> Vec<FnRef> {
        let of_the_user = |f: &FnRef| (f.module as usize) < self.options.user_modules;
        let with_code: Vec<FnRef> = self
            .linked
            .functions()
            .filter(|(f, function)| of_the_user(f) && function.body.code().is_some())
            .map(|(f, _)| f)
            .collect();
        let calls = |f: FnRef| {
            let insts = self.linked.function(f).body.code().map_or(&[][..], |code| &code.insts);
            insts.iter().filter_map(move |inst| Some((f, inst.kind.as_call()?)))
        };
        let calls = with_code.iter().flat_map(|&f| calls(f));
        if self.options.harness.whole_program && !calls.clone().any(|(f, call)| self.is_unknown(f, call)) {
            let is_wanted = |f: &FnRef| wanted(self.linked.function_name(*f));
            return with_code.iter().copied().filter(is_wanted).collect();
        }
        let mut called: FxHashSet<FnRef> = FxHashSet::default();
        calls.for_each(|(f, call)| called.extend(callee(self.linked, f.module, call)));
        let is_entry = |f: &FnRef| {
            !self.linked.function(*f).linkage.is_local()
                || regions.address_taken.contains(f)
                || !called.contains(f)
        };
        with_code.iter().copied().filter(is_entry).collect()
    }

    /// What the parameters of a function point to.
    fn params(&mut self, regions: &Regions, f: FnRef) -> Roots {
        let (module, function) = (&self.linked.modules[f.module as usize], self.linked.function(f));
        let mut roots = Roots::new();
        let local = |i: usize| regions.local(f, LocalId(i as u32));
        match signature(&mut self.types, f, module, function) {
            Ok(signature) => {
                for param in signature.params {
                    let region = match param.way {
                        Way::Scalar => {
                            if let Some(to) = self.pointee(param.ty) {
                                roots.extend(local(param.first).map(|region| (region, to)));
                            }
                            continue;
                        }
                        Way::Memory => local(param.first),
                        Way::Registers(_) => regions.passed(f),
                    };
                    let holds = region.and_then(|region| regions.content(region));
                    let to = self.pointees(Some(param.ty));
                    roots.extend(to.into_iter().filter_map(|to| Some((holds?, to))));
                }
            }
            Err(_) => roots.extend((0..function.params.len()).filter_map(local).map(|region| (region, None))),
        }
        roots.extend(regions.varargs(f).map(|region| (region, None)));
        roots
    }

    /// Unifies what parameters of one type point to, where the program changes it.
    fn unite_parameters(&mut self, regions: &mut Regions, f: FnRef) {
        let roots = self.params(regions, f);
        let parts = |given: &mut Self, ty: Option<CTypeId>| match ty {
            Some(ty) => given.parts(ty),
            None => Rc::new(Parts { any: true, ..Parts::default() }),
        };
        for (i, &(a, of_a)) in roots.iter().enumerate() {
            for &(b, of_b) in &roots[..i] {
                let is_changed = regions.is_changed(a) || regions.is_changed(b);
                if is_changed && parts(self, of_a).is_of_one_type(&parts(self, of_b)) {
                    regions.unite(a, b);
                }
            }
        }
    }

    /// What the result of a function points to.
    fn result(&mut self, regions: &Regions, f: FnRef) -> Roots {
        let (module, function) = (&self.linked.modules[f.module as usize], self.linked.function(f));
        let Some(region) = regions.result(f) else { return Roots::new() };
        let to = match signature(&mut self.types, f, module, function) {
            Ok(signature) => match self.pointee(signature.ret) {
                Some(to) => to,
                // A structure, whose pointers lead there.
                None if matches!(self.types.resolved(signature.ret), CType::Record { .. }) => None,
                None => return Roots::new(),
            },
            Err(_) => None,
        };
        vec![(region, to)]
    }

    /// Unifies what library functions without a model return with what they are passed; returns who calls them.
    fn library_results(&self, regions: &mut Regions) -> BTreeSet<FnRef> {
        let mut callers = BTreeSet::new();
        for (f, function) in self.linked.functions() {
            for inst in function.body.code().map_or(&[][..], |code| &code.insts) {
                let Some(call) = inst.kind.as_call() else { continue };
                let is_of_the_library = callee(self.linked, f.module, call).is_some_and(|callee| {
                    let name = self.linked.function_name(callee);
                    self.linked.function(callee).body.code().is_none() && self.options.library.contains(name)
                });
                let result = inst.result.and_then(|result| regions.local(f, result));
                let Some(result) = result.filter(|&r| is_of_the_library && regions.is_accessed(r)) else {
                    continue;
                };
                for (arg, _) in &call.args {
                    if self.module(f).types.is_pointer(arg.ty)
                        && let Some(given) = regions.operand(self.linked, f, arg.value)
                    {
                        regions.unite(result, given);
                        callers.insert(f);
                    }
                }
            }
        }
        callers
    }

    /// What a function passes to external functions, and receives from them.
    fn of_calls(&mut self, regions: &Regions, f: FnRef) -> Roots {
        let linked = self.linked;
        let Body::Defined(code) = &linked.function(f).body else { return Roots::new() };
        let mut roots = Roots::new();
        let mut variables: Option<FxHashMap<LocalId, NodeId>> = None;
        for inst in &code.insts {
            let Some(call) = inst.kind.as_call().filter(|call| self.is_unknown(f, call)) else { continue };
            let variables = variables.get_or_insert_with(|| variables_of(self.module(f), code));
            for (arg, _) in &call.args {
                let Some(region) = regions.operand(linked, f, arg.value) else { continue };
                if !self.module(f).types.is_pointer(arg.ty) {
                    continue;
                }
                let ty = self.argument(f, code, variables, arg);
                roots.push((region, ty));
            }
            let result = inst.result.and_then(|result| regions.local(f, result));
            roots.extend(result.map(|region| (region, None)));
        }
        roots
    }

    /// Whether a call is one of an external function that is not in the C library either.
    fn is_unknown(&self, f: FnRef, call: &Call) -> bool {
        let Some(callee) = callee(self.linked, f.module, call) else {
            return !matches!(call.callee, Callee::Asm(_));
        };
        let name = self.linked.function_name(callee);
        let has_body = self.linked.function(callee).body.code().is_some();
        !has_body
            && !name.starts_with("llvm.")
            && !super::super::source::library_models::gives_input(name)
            && !self.options.library.contains(name)
    }

    /// The type of what an argument points to, if the argument is the address of a variable, or the value of one.
    fn argument(
        &mut self,
        f: FnRef,
        code: &Code,
        variables: &FxHashMap<LocalId, NodeId>,
        arg: &Operand,
    ) -> Option<CTypeId> {
        let module = &self.linked.modules[f.module as usize];
        match arg.value {
            Value::Const(c) => match self.linked.named_by(f.module, c)? {
                Target::Global(g) => self.type_of(g),
                Target::Function(_) => None,
            },
            Value::Local(local) => {
                if let Some(&ty) = variables.get(&local) {
                    return Some(self.types.read(f.module, module, Some(ty)));
                }
                let InstKind::Load(load) = &code.definition(arg.value)?.kind else { return None };
                let Value::Local(from) = load.pointer.value else { return None };
                let ty = self.types.read(f.module, module, Some(*variables.get(&from)?));
                self.pointee(ty)?
            }
        }
    }

    /// The type of a variable.
    fn type_of(&mut self, g: GlobalRef) -> Option<CTypeId> {
        let module = &self.linked.modules[g.module as usize];
        let ty = module.node(self.linked.variable(g)?).with(&module.names).node("type")?;
        Some(self.types.read(g.module, module, Some(ty)))
    }

    /// What a pointer type points to; `None` if it is no pointer, or one to a function.
    fn pointee(&mut self, ty: CTypeId) -> Option<Option<CTypeId>> {
        match *self.types.resolved(ty) {
            CType::Pointer(to) => match self.types.resolved(to) {
                CType::Function { .. } => None,
                CType::Void | CType::Unknown => Some(None),
                _ => Some(Some(to)),
            },
            CType::Array { element, .. } => Some(Some(element)),
            // A number as wide as an address may be one.
            CType::Int { bits: 64, .. } => Some(None),
            CType::Unknown => Some(None),
            _ => None,
        }
    }

    /// What pointers in an object of a type point to.
    fn pointees(&mut self, ty: Option<CTypeId>) -> Vec<Option<CTypeId>> {
        let Some(ty) = ty else { return vec![None] };
        let parts = self.parts(ty);
        let mut found: Vec<Option<CTypeId>> = parts.pointees.iter().copied().map(Some).collect();
        found.extend(parts.any.then_some(None));
        found
    }

    /// What an object of a type may be accessed as.
    fn parts(&mut self, ty: CTypeId) -> Rc<Parts> {
        if let Some(known) = self.parts.get(&ty) {
            return Rc::clone(known);
        }
        let mut parts = Parts::default();
        self.add(ty, &mut parts, true, 0);
        let parts = Rc::new(parts);
        self.parts.insert(ty, Rc::clone(&parts));
        parts
    }

    fn add(&mut self, ty: CTypeId, parts: &mut Parts, is_whole: bool, depth: u32) {
        let name = self.types.record_name(ty).map(str::to_owned);
        let ty = self.types.bare(ty);
        let key = match self.types.get(ty).clone() {
            CType::Int { bits: 8, .. } => return parts.any |= is_whole,
            CType::Int { bits, .. } | CType::Enum { bits, .. } => Key::Int(bits),
            CType::Bool => Key::Int(1),
            CType::Float { bits, .. } => Key::Float(bits),
            CType::Pointer(to) => {
                match self.types.resolved(to) {
                    CType::Function { .. } => {}
                    // What is behind it is accessed as what it is cast to.
                    _ => parts.pointees.extend([to]),
                }
                Key::Pointer
            }
            CType::Array { element, .. } => return self.add(element, parts, is_whole, depth + 1),
            CType::Record { fields, .. } => {
                if depth >= DEPTH {
                    return parts.any = true;
                }
                for field in fields {
                    self.add(field.ty, parts, false, depth + 1);
                }
                Key::Record(name.unwrap_or_else(|| format!("{ty:?}")))
            }
            CType::Void | CType::Unknown => return parts.any = true,
            CType::Function { .. } | CType::Typedef { .. } | CType::Qualified { .. } => return,
        };
        if is_whole {
            parts.own.insert(key.clone());
        }
        parts.inside.insert(key);
    }

    /// Some roots and all that can be reached from them through pointers.
    fn closure(&mut self, regions: &Regions, from: &Roots) -> Roots {
        let mut seen: FxHashSet<(Region, Option<CTypeId>)> = FxHashSet::default();
        let mut todo = from.clone();
        let mut reached = Roots::new();
        while let Some((region, ty)) = todo.pop() {
            let region = regions.find(region);
            if !regions.is_accessed(region) || !seen.insert((region, ty)) {
                continue;
            }
            reached.push((region, ty));
            if let Some(content) = regions.content(region) {
                todo.extend(self.pointees(ty).into_iter().map(|to| (content, to)));
            }
        }
        reached
    }

    /// The roots by their regions.
    fn by_region(&mut self, regions: &Regions, roots: &Roots) -> Vec<(Region, Parts)> {
        let mut all: Vec<(Region, Parts)> = Vec::new();
        let mut places: FxHashMap<Region, usize> = FxHashMap::default();
        for &(region, ty) in roots {
            let region = regions.find(region);
            let place = *places.entry(region).or_insert_with(|| {
                all.push((region, Parts::default()));
                all.len() - 1
            });
            match ty {
                Some(ty) => {
                    let parts = self.parts(ty);
                    all[place].1.extend(&parts);
                }
                None => all[place].1.any = true,
            }
        }
        all
    }

    /// Whether two of some roots may be one object.
    fn may_be(&self, all: &[(Region, Parts)], i: usize, j: usize) -> bool {
        match self.same {
            Same::All => all.len() > ROOTS || !self.options.strict_aliasing || all[i].1.may_be(&all[j].1),
            Same::OfOneType => all[i].1.is_alike(&all[j].1),
        }
    }

    /// Whether any of some roots in different regions may be one object.
    fn alias_in(&mut self, regions: &Regions, roots: &Roots) -> bool {
        let all = self.by_region(regions, roots);
        (1..all.len()).any(|i| (0..i).any(|j| self.may_be(&all, i, j)))
    }

    /// Unifies the roots that may alias; returns their regions.
    fn unify(&mut self, regions: &mut Regions, roots: &Roots) -> FxHashSet<Region> {
        let all = self.by_region(regions, roots);
        let mut same = FxHashSet::default();
        for i in 1..all.len() {
            for j in 0..i {
                if self.may_be(&all, i, j) {
                    regions.unite(all[i].0, all[j].0);
                    same.extend([all[i].0, all[j].0]);
                }
            }
        }
        same
    }
}

/// The types of local variables, by their addresses.
fn variables_of(module: &Module, code: &Code) -> FxHashMap<LocalId, NodeId> {
    let mut found = FxHashMap::default();
    for (local, variable) in declared_locals(code) {
        if let Some(ty) = module.node(variable).with(&module.names).node("type") {
            found.entry(local).or_insert(ty);
        }
    }
    found
}
