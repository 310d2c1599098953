//! Pointers that a function is passed or reads from memory, and what it takes them for.
//!
//! Where such a pointer leads nobody says who writes the function alone. Its instructions show what it is taken for: the types
//! in which it is followed, whether it is compared with null, and whether a text is read behind it (`c_strings.rs`). A verifier
//! may assume that it is that.
//!
//! **Direction of error.** Nothing holds because of it: it says what may be assumed, and each assumption stands for itself.

use footpath_term::{SymbolId, TermId};

use crate::llvm::ast::{Call, Code, ConstKind, InstKind, LocalId, Module, Value};

use super::super::lower::function::Lowering;
use super::points_to::callee;

/// What a pointer is taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerUse {
    /// The offset in the object that it leads to.
    pub offset: TermId,
    /// How many bytes there are from there on, at least; 0 if it is not followed.
    pub bytes: u64,
    /// Whether it is compared with null.
    pub nullable: bool,
    /// If a text is read behind it, the map with the bytes.
    pub text: Option<SymbolId>,
}

impl Lowering<'_, '_, '_> {
    /// Notes what the pointer is taken for that an instruction reads from memory.
    pub(crate) fn note_loaded(&mut self, result: LocalId, address: Value, value: &[TermId]) {
        let &[object, offset] = value else { return };
        if self.slot(address).is_some() || self.cx.terms.literal(object).is_some() {
            return;
        }
        let taken = self.taken_for(result, offset);
        let found = self.loaded.entry(object).or_insert(taken);
        found.bytes = found.bytes.max(taken.bytes);
        found.nullable |= taken.nullable;
        found.text = found.text.or(taken.text);
    }

    /// Notes what the pointers are taken for that are passed.
    pub(crate) fn note_passed(&mut self, params: &[Vec<SymbolId>]) {
        for (i, param) in self.cx.linked.function(self.f).params.iter().enumerate() {
            if let (Some(&[object, offset]), true) =
                (params.get(i).map(Vec::as_slice), self.module.types.is_pointer(param.ty))
            {
                let (object, offset) = (self.cx.terms.var(object), self.cx.terms.var(offset));
                let taken = self.taken_for(LocalId(i as u32), offset);
                self.passed.insert(object, taken);
            }
        }
    }

    /// What a pointer is taken for.
    fn taken_for(&mut self, pointer: LocalId, offset: TermId) -> PointerUse {
        let (bytes, nullable) = self.followed(pointer);
        let region = self.cx.regions.local(self.f, pointer);
        let region = region.filter(|_| self.cx.texts.contains(self.f, pointer));
        let memory = region.map(|region| self.cx.memory_of(region));
        let text = memory.filter(|m| m.grain == 1).map(|m| m.symbol);
        PointerUse { offset, bytes: bytes.max(u64::from(text.is_some())), nullable, text }
    }

    /// How many bytes behind a pointer are followed in one type, if it is, and whether it is compared with null.
    fn followed(&self, pointer: LocalId) -> (u64, bool) {
        let (module, code) = (self.module, self.code);
        let (mut bytes, mut nullable) = (0, false);
        let mut same = vec![pointer];
        let mut next = 0;
        while let Some(&local) = same.get(next) {
            next += 1;
            let me = Value::Local(local);
            for &user in &self.users[local.index()] {
                let inst = &code.insts[user as usize];
                match &inst.kind {
                    InstKind::Compare { left, right, .. } => {
                        let other = if left.value == me { *right } else { left.value };
                        nullable |= is_null(module, other);
                    }
                    InstKind::Store(store) if store.value.value == me => {
                        same.extend(
                            self.read_back(code, store.pointer.value)
                                .filter(|l| !same.contains(l))
                                .collect::<Vec<_>>(),
                        );
                    }
                    InstKind::Gep(gep) if gep.base.value == me => {
                        let is_start = gep.indices.first().is_some_and(|i| module.is_zero(i.value));
                        let followed = is_start || inst.result.is_some_and(|r| self.is_followed(r));
                        let size = module.layouts.size(gep.source).filter(|_| followed);
                        bytes = bytes.max(size.unwrap_or(0));
                    }
                    _ => bytes = bytes.max(self.accessed(user, me)),
                }
            }
        }
        (bytes, nullable)
    }

    /// The registers into which a variable without an address is read.
    fn read_back<'c>(&self, code: &'c Code, place: Value) -> impl Iterator<Item = LocalId> + 'c {
        let is_slot = self.slot(place).is_some();
        let loads = code.insts.iter().filter(move |inst| match &inst.kind {
            InstKind::Load(load) => is_slot && load.pointer.value == place,
            _ => false,
        });
        loads.filter_map(|inst| inst.result)
    }

    /// Whether an address is followed.
    fn is_followed(&self, address: LocalId) -> bool {
        let me = Value::Local(address);
        self.users[address.index()].iter().any(|&user| {
            let is_base =
                matches!(&self.code.insts[user as usize].kind, InstKind::Gep(gep) if gep.base.value == me);
            is_base || self.accessed(user, me) > 0
        })
    }

    /// How many bytes an instruction reads or writes at an address, at least as a rule.
    fn accessed(&self, number: u32, address: Value) -> u64 {
        let size = |ty| self.module.layouts.get(ty).map_or(0, |l| l.store_size);
        match &self.code.insts[number as usize].kind {
            InstKind::Load(load) if load.pointer.value == address => size(load.ty),
            InstKind::Store(store) if store.pointer.value == address => size(store.value.ty),
            kind => u64::from(kind.as_call().is_some_and(|call| self.is_copied(call, address))),
        }
    }

    /// Whether a call copies or fills bytes at an address.
    fn is_copied(&self, call: &Call, address: Value) -> bool {
        let Some(callee) = callee(self.cx.linked, self.f.module, call) else { return false };
        let name = self.cx.linked.function_name(callee);
        let moves = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|n| name.starts_with(n));
        moves && call.args.iter().any(|(arg, _)| arg.value == address)
    }
}

fn is_null(module: &Module, value: Value) -> bool {
    matches!(value, Value::Const(c) if matches!(module.constant(c).kind, ConstKind::Null))
}
