//! Inference of the types behind opaque pointers: which structures `void *` and pointers to incomplete types are used
//! as.
//!
//! **Idea.** C hides types behind `void *`, or behind a structure that is only declared. Code that knows the type
//! reveals it by indexing into a structure. Each place that a pointer comes from (a parameter, a member of a
//! structure, a variable, a result of a call) collects the structure types with which pointers from there are indexed, through locals,
//! into calls and out of them, together with the functions that do so, since one member may mean different types to different
//! functions.
//!
//! Example: `void push(void *list) { struct list *l = list; l->length++; }` indexes its parameter as `struct list`,
//! so the harness of `push` makes an object of that type. A comparator for `qsort` begins with `struct list *x = *(struct list **)a;`:
//! what is behind its parameter is a pointer to such an object. So does that of `pop` where it calls
//! `struct list *list_of(void *list) { return list; }`, as a structure that begins with another one is often reached.
//!
//! **Direction of error.** The types are hints for what a harness makes. Pointers that pass through memory of other
//! types are not followed; the object then has its declared type, and tests that need another type are not found.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::lower::scalars::{Step, gep_steps};
use super::link::{FnRef, GlobalRef, Linked, Target};
use super::points_to::callee;
use super::sentinels::sentinels;
use crate::llvm::ast::{Code, ConstKind, Gep, Inst, InstKind, LocalId, Module, TypeId, TypeKind, Value};

/// A place that a pointer comes from.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Spot {
    /// A parameter, by position.
    Param(FnRef, u32),
    /// A member of a structure of this name, at this offset in bytes.
    Field(String, u64),
    /// A variable.
    Global(GlobalRef),
    /// What a function returns.
    Result(FnRef),
    /// What a pointer from a place leads to, where that is a pointer again.
    Behind(Box<Spot>),
}

impl Spot {
    /// What pointers from there lead to, where that is a pointer; of one level only.
    pub(crate) fn behind(self) -> Option<Spot> {
        (!matches!(self, Spot::Behind(_))).then(|| Spot::Behind(Box::new(self)))
    }
}

/// How a pointer is used.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Use {
    /// It is indexed as a structure of this name.
    Indexed(String),
    /// It is compared with this number.
    Compared(u64),
}

/// How pointers from a place are used, and the functions that do so.
type Uses = BTreeMap<Use, BTreeSet<FnRef>>;

/// How pointers from places are used.
#[derive(Default)]
pub(crate) struct Hidden {
    uses: BTreeMap<Spot, Uses>,
    /// The structure types that anything is indexed with.
    indexed: BTreeSet<String>,
}

impl Hidden {
    /// Analyses all functions.
    pub(crate) fn of(linked: &Linked<'_>) -> Hidden {
        let mut uses: BTreeMap<Spot, Uses> = BTreeMap::new();
        let mut flows: BTreeSet<(Spot, Spot)> = BTreeSet::new();
        let mut indexed = BTreeSet::new();
        for (f, function) in linked.functions() {
            if let Some(code) = function.body.code() {
                let mut walk = Walk {
                    linked,
                    f,
                    module: &linked.modules[f.module as usize],
                    params: function.params.len() as u32,
                    values: FxHashMap::default(),
                    slots: FxHashMap::default(),
                    addresses: FxHashMap::default(),
                };
                walk.function(code, &mut uses, &mut flows);
                indexed.extend(walk.indexed(code));
            }
        }
        let behind = |(from, to): &(Spot, Spot)| Some((from.clone().behind()?, to.clone().behind()?));
        let of_contents: Vec<(Spot, Spot)> = flows.iter().filter_map(behind).collect();
        flows.extend(of_contents);
        loop {
            let mut changed = false;
            for (from, to) in &flows {
                let Some(more) = uses.get(to).cloned() else { continue };
                let known = uses.entry(from.clone()).or_default();
                for (used, users) in more {
                    let known = known.entry(used).or_default();
                    let before = known.len();
                    known.extend(users);
                    changed |= known.len() > before;
                }
            }
            if !changed {
                return Hidden { uses, indexed };
            }
        }
    }

    /// Whether any function looks into a structure type of this name.
    pub(crate) fn is_indexed(&self, name: &str) -> bool {
        self.indexed.contains(name)
    }

    /// The types with which functions in `running` use pointers from a place; if there are none, those of all
    /// functions.
    pub(crate) fn types(&self, place: &Spot, running: &FxHashSet<FnRef>) -> Vec<&str> {
        let names = |wanted: &dyn Fn(&BTreeSet<FnRef>) -> bool| -> Vec<&str> {
            let indexed = self.uses(place).filter(|(_, users)| wanted(users));
            indexed
                .filter_map(|(used, _)| match used {
                    Use::Indexed(name) => Some(name.as_str()),
                    Use::Compared(_) => None,
                })
                .collect()
        };
        let here = names(&|users| users.iter().any(|f| running.contains(f)));
        if here.is_empty() { names(&|_| true) } else { here }
    }
}

impl Hidden {
    /// How pointers from a place are used, and the functions that do so.
    pub(super) fn uses(&self, place: &Spot) -> impl Iterator<Item = (&Use, &BTreeSet<FnRef>)> {
        self.uses.get(place).into_iter().flatten()
    }
}

/// A walk through a function.
struct Walk<'a, 'm> {
    linked: &'a Linked<'m>,
    f: FnRef,
    module: &'m Module,
    params: u32,
    /// Where values come from.
    values: FxHashMap<LocalId, BTreeSet<Spot>>,
    /// Where the values come from that are stored in local variables.
    slots: FxHashMap<LocalId, BTreeSet<Spot>>,
    /// Members whose address a value is.
    addresses: FxHashMap<LocalId, Spot>,
}

impl Walk<'_, '_> {
    /// The structure types that a function indexes with.
    fn indexed(&self, code: &Code) -> Vec<String> {
        let source = |inst: &Inst| match &inst.kind {
            InstKind::Gep(gep) => struct_name(self.module, gep.source),
            _ => None,
        };
        code.insts.iter().filter_map(source).collect()
    }

    fn function(&mut self, code: &Code, uses: &mut BTreeMap<Spot, Uses>, flows: &mut BTreeSet<(Spot, Spot)>) {
        // What is stored at the end of a loop is loaded at its start.
        for _ in 0..2 {
            for inst in &code.insts {
                self.follow(inst);
            }
        }
        for inst in &code.insts {
            let used = match &inst.kind {
                InstKind::Gep(gep) => struct_name(self.module, gep.source)
                    .map(|name| (gep.base.value, vec![Use::Indexed(name)])),
                InstKind::Compare { predicate, left, right, .. } => {
                    let numbers = sentinels(self.module, *predicate, left, *right);
                    Some((left.value, numbers.into_iter().map(Use::Compared).collect()))
                }
                _ => None,
            };
            if let Some((pointer, used)) = used.filter(|(_, used)| !used.is_empty()) {
                for place in self.places(pointer) {
                    let known = uses.entry(place).or_default();
                    for used in &used {
                        known.entry(used.clone()).or_default().insert(self.f);
                    }
                }
            }
            if let InstKind::Ret(Some(value)) = &inst.kind {
                let to = Spot::Result(self.f);
                flows.extend(self.places(value.value).into_iter().map(|from| (from, to.clone())));
            }
            let Some(call) = inst.kind.as_call() else { continue };
            let Some(callee) = callee(self.linked, self.f.module, call) else { continue };
            for (i, (operand, _)) in call.args.iter().enumerate() {
                let to = Spot::Param(callee, i as u32);
                flows.extend(self.places(operand.value).into_iter().map(|from| (from, to.clone())));
            }
        }
    }

    fn places(&self, value: Value) -> BTreeSet<Spot> {
        match value {
            Value::Local(local) if local.0 < self.params => BTreeSet::from([Spot::Param(self.f, local.0)]),
            Value::Local(local) => self.values.get(&local).cloned().unwrap_or_default(),
            Value::Const(_) => BTreeSet::new(),
        }
    }

    fn follow(&mut self, inst: &Inst) {
        if let (Some(call), Some(result)) = (inst.kind.as_call(), inst.result)
            && let Some(callee) = callee(self.linked, self.f.module, call)
        {
            self.values.entry(result).or_default().insert(Spot::Result(callee));
        }
        match (&inst.kind, inst.result) {
            (InstKind::Store(store), _) => {
                if let Value::Local(slot) = store.pointer.value {
                    let stored = self.places(store.value.value);
                    self.slots.entry(slot).or_default().extend(stored);
                }
            }
            (InstKind::Load(load), Some(result)) if self.module.types.is_pointer(load.ty) => {
                let loaded = match load.pointer.value {
                    Value::Local(from) => match self.addresses.get(&from) {
                        Some(member) => BTreeSet::from([member.clone()]),
                        None => match self.slots.get(&from) {
                            Some(stored) => stored.clone(),
                            None => {
                                self.places(load.pointer.value).into_iter().filter_map(Spot::behind).collect()
                            }
                        },
                    },
                    Value::Const(c) => match self.module.constant(c).kind {
                        ConstKind::Global(name) => match self.linked.resolve(self.f.module, name) {
                            Some(Target::Global(g)) => BTreeSet::from([Spot::Global(g)]),
                            _ => BTreeSet::new(),
                        },
                        _ => BTreeSet::new(),
                    },
                };
                self.values.entry(result).or_default().extend(loaded);
            }
            (InstKind::Cast { value, .. }, Some(result)) => {
                let same = self.places(value.value);
                self.values.entry(result).or_default().extend(same);
                if let Value::Local(from) = value.value
                    && let Some(address) = self.addresses.get(&from).cloned()
                {
                    self.addresses.insert(result, address);
                }
            }
            (InstKind::Gep(gep), Some(result)) => {
                if let Some(address) = self.member(gep) {
                    self.addresses.insert(result, address);
                }
            }
            _ => {}
        }
    }

    /// The member whose address is computed; of an element of a member that is an array, the member.
    fn member(&self, gep: &Gep) -> Option<Spot> {
        let Some(name) = struct_name(self.module, gep.source) else {
            let Value::Local(base) = gep.base.value else { return None };
            return self.addresses.get(&base).cloned();
        };
        let steps = gep_steps(self.module, gep)?;
        let size = self.module.layouts.size(gep.source)?.max(1);
        let constant = steps.iter().find_map(|s| match s {
            Step::Constant(bytes) => u64::try_from(*bytes).ok(),
            Step::Scaled(..) => None,
        });
        Some(Spot::Field(name, constant.unwrap_or(0) % size))
    }
}

/// The name of a structure type in the source.
fn struct_name(module: &Module, ty: TypeId) -> Option<String> {
    let TypeKind::Named(id) = module.types.kind(ty) else { return None };
    let name = module.text(module.types.named(*id).name);
    let name = name.strip_prefix("struct.").or_else(|| name.strip_prefix("union."))?;
    let numbered = name.rsplit_once('.').filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
    Some(numbered.map_or(name, |(name, _)| name).to_owned())
}
