//! Detection of C strings: behind which pointers a function reads bytes up to a terminating zero.
//!
//! **Idea.** A declaration `char *` does not say whether the pointer leads to a string. The instructions do: a byte
//! is read there and compared with zero, or with a byte of another string, or the pointer is passed to a function
//! that does so. From that byte the pointer is followed backwards, through steps from byte to byte and through local
//! variables, to where it comes from: a parameter, or a load from memory.
//!
//! Example: in `while (*s) s++;` the byte behind `s` is compared with zero and `s` moves on by one, so the parameter
//! that `s` comes from is used as a string.
//!
//! **Direction of error.** No verdict follows from this analysis: it only says for which pointers a verifier may
//! assume that the string is terminated, and that assumption is reported like any other.

use rustc_hash::{FxHashMap, FxHashSet};

use super::link::{FnRef, Linked};
use super::points_to::callee;
use crate::llvm::ast::{Code, InstKind, LocalId, Module, Value};

/// See the module.
#[derive(Default)]
pub(crate) struct Texts(FxHashSet<(FnRef, LocalId)>);

impl Texts {
    /// Of all functions.
    pub(crate) fn of(linked: &Linked<'_>) -> Texts {
        let mut callers: FxHashMap<FnRef, FxHashSet<FnRef>> = FxHashMap::default();
        let mut todo = Vec::new();
        for (f, function) in linked.functions() {
            let Some(code) = function.body.code() else { continue };
            todo.push(f);
            for call in code.insts.iter().filter_map(|inst| inst.kind.as_call()) {
                if let Some(callee) = callee(linked, f.module, call) {
                    callers.entry(callee).or_default().insert(f);
                }
            }
        }
        let mut texts = Texts::default();
        while let Some(f) = todo.pop() {
            let function = linked.function(f);
            let Some(code) = function.body.code() else { continue };
            let params = function.params.len() as u32;
            let module = &linked.modules[f.module as usize];
            let found = Walk::of(module, code).followed(linked, &texts, f);
            let mut more = false;
            for local in found {
                more |= texts.0.insert((f, local)) && local.0 < params;
            }
            if more {
                todo.extend(callers.get(&f).into_iter().flatten());
            }
        }
        texts
    }

    /// Whether a function reads a string behind a pointer that is a parameter, or that was read from memory.
    pub(crate) fn contains(&self, f: FnRef, pointer: LocalId) -> bool {
        self.0.contains(&(f, pointer))
    }
}

/// What a register is known to be used as.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    /// It is compared with zero.
    Compared,
    /// A string is read behind it.
    Text,
}

/// A walk through a function, from where registers are used to where they come from.
struct Walk<'a> {
    module: &'a Module,
    code: &'a Code,
    /// The values that are stored in local variables.
    stored: FxHashMap<LocalId, Vec<Value>>,
}

impl<'a> Walk<'a> {
    fn of(module: &'a Module, code: &'a Code) -> Walk<'a> {
        let mut stored: FxHashMap<LocalId, Vec<Value>> = FxHashMap::default();
        for inst in &code.insts {
            if let InstKind::Store(store) = &inst.kind
                && let Value::Local(slot) = store.pointer.value
            {
                stored.entry(slot).or_default().push(store.value.value);
            }
        }
        Walk { module, code, stored }
    }

    /// How instructions use values: which are compared with zero or passed as strings, and which are compared with
    /// each other.
    fn uses(&self, linked: &Linked<'_>, texts: &Texts, f: FnRef) -> (Vec<(Value, Use)>, Vec<[Value; 2]>) {
        let (mut uses, mut compared) = (Vec::new(), Vec::new());
        for inst in &self.code.insts {
            match &inst.kind {
                InstKind::Compare { left, right, .. } if self.module.is_zero(*right) => {
                    uses.push((left.value, Use::Compared));
                }
                InstKind::Compare { left, right, .. } => compared.push([left.value, *right]),
                InstKind::Switch { value, cases, .. }
                    if cases.iter().any(|(case, _)| self.module.is_zero(Value::Const(*case))) =>
                {
                    uses.push((value.value, Use::Compared));
                }
                kind => {
                    let Some(call) = kind.as_call() else { continue };
                    let Some(callee) = callee(linked, f.module, call) else { continue };
                    for (i, (arg, _)) in call.args.iter().enumerate() {
                        if texts.contains(callee, LocalId(i as u32)) {
                            uses.push((arg.value, Use::Text));
                        }
                    }
                }
            }
        }
        (uses, compared)
    }

    /// The registers behind which strings are read, given the strings that are known of the callees.
    fn followed(&self, linked: &Linked<'_>, texts: &Texts, f: FnRef) -> FxHashSet<LocalId> {
        let (uses, compared) = self.uses(linked, texts, f);
        let mut found = FxHashSet::default();
        self.follow(uses, &mut found);
        let bytes = compared.into_iter().map(|sides| {
            sides.map(|side| {
                let mut behind = FxHashSet::default();
                self.follow(vec![(side, Use::Compared)], &mut behind);
                behind
            })
        });
        let mut open: Vec<[FxHashSet<LocalId>; 2]> =
            bytes.filter(|sides| sides.iter().all(|s| !s.is_empty())).collect();
        loop {
            let before = found.len();
            open.retain(|sides| {
                let is_text = sides.iter().any(|side| !side.is_disjoint(&found));
                if is_text {
                    found.extend(sides.iter().flatten());
                }
                !is_text
            });
            if found.len() == before {
                return found;
            }
        }
    }

    /// Adds the registers behind which strings are read if values are used in this way.
    fn follow(&self, mut todo: Vec<(Value, Use)>, found: &mut FxHashSet<LocalId>) {
        let mut seen: FxHashSet<(LocalId, Use)> = FxHashSet::default();
        while let Some((value, used)) = todo.pop() {
            let Value::Local(local) = value else { continue };
            if !seen.insert((local, used)) {
                continue;
            }
            if used == Use::Text {
                found.insert(local);
            }
            let Some(inst) = self.code.definition(value) else { continue };
            let size = |ty| self.module.layouts.size(ty);
            match &inst.kind {
                InstKind::Cast { value, .. } | InstKind::Freeze(value) => todo.push((value.value, used)),
                InstKind::Phi { incoming, .. } => todo.extend(incoming.iter().map(|(v, _)| (*v, used))),
                InstKind::Select { then, otherwise, .. } => {
                    todo.extend([(then.value, used), (otherwise.value, used)]);
                }
                InstKind::Load(load) if self.is_variable(load.pointer.value) => {
                    let Value::Local(slot) = load.pointer.value else { continue };
                    todo.extend(self.stored.get(&slot).into_iter().flatten().map(|v| (*v, used)));
                }
                InstKind::Load(load) if used == Use::Compared && size(load.ty) == Some(1) => {
                    todo.push((load.pointer.value, Use::Text));
                }
                InstKind::Gep(gep) if used == Use::Text && size(gep.source) == Some(1) => {
                    todo.push((gep.base.value, Use::Text));
                }
                _ => {}
            }
        }
    }

    /// Whether an address is that of a local variable.
    fn is_variable(&self, address: Value) -> bool {
        self.code.definition(address).is_some_and(|inst| matches!(inst.kind, InstKind::Alloca { .. }))
    }
}
