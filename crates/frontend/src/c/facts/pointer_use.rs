//! Pointer uses: how a function uses the pointers that it is passed or reads from memory, as evidence of what they
//! point to.
//!
//! **Idea.** A function by itself does not say what its callers' pointers point to. Its instructions show how it uses
//! them: with which types each pointer is dereferenced, whether it is compared with null, and whether a string is
//! read behind it (`c_strings.rs`). A verifier may assume that the pointer is valid for that use.
//!
//! Example: `if (p != NULL) total += p->price;` shows that `p` may be null, and otherwise points to at least the
//! bytes of the structure up to the end of `price`.
//!
//! **Direction of error.** No verdict follows from this analysis: it proposes assumptions, and every proof that uses
//! one names it as its premise.

use footpath_term::{SymbolId, TermId};

use crate::llvm::ast::{Call, Code, ConstKind, InstKind, LocalId, Module, Value};

use super::super::lower::function::Lowering;
use super::points_to::callee;

/// How a function uses a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerUse {
    /// The offset in the object that it points to.
    pub offset: TermId,
    /// How many bytes from there on are accessed, at least; 0 if the pointer is not dereferenced.
    pub bytes: u64,
    /// Whether it is compared with null.
    pub nullable: bool,
    /// If a string is read behind it, the map that holds its bytes.
    pub text: Option<SymbolId>,
}

impl Lowering<'_, '_, '_> {
    /// Notes how the pointer is used that an instruction reads from memory.
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

    /// Notes how the pointers are used that are passed as parameters.
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

    /// How a function uses a pointer.
    fn taken_for(&mut self, pointer: LocalId, offset: TermId) -> PointerUse {
        let (bytes, nullable) = self.followed(pointer);
        let region = self.cx.regions.local(self.f, pointer);
        let region = region.filter(|_| self.cx.texts.contains(self.f, pointer));
        let memory = region.map(|region| self.cx.memory_of(region));
        let text = memory.filter(|m| m.grain == 1).map(|m| m.symbol);
        PointerUse { offset, bytes: bytes.max(u64::from(text.is_some())), nullable, text }
    }

    /// How many bytes behind a pointer are accessed with one type, if it is dereferenced, and whether it is compared
    /// with null.
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

    /// Whether an address is dereferenced.
    fn is_followed(&self, address: LocalId) -> bool {
        let me = Value::Local(address);
        self.users[address.index()].iter().any(|&user| {
            let is_base =
                matches!(&self.code.insts[user as usize].kind, InstKind::Gep(gep) if gep.base.value == me);
            is_base || self.accessed(user, me) > 0
        })
    }

    /// A lower bound, as a rule, of how many bytes an instruction reads or writes at an address.
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
