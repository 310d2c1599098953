//! Lifetimes of objects: the lifetime of locals ends when their function returns, that of allocated objects at
//! `free`; a use after that fails.
//!
//! **Idea.** The map `$alive` says of every object whether it is alive as far as this program decides: `free` ends
//! the lifetime of an object, and so does the end of the activation whose local it was. Accesses to an object that is
//! not alive fail, where anything in the program frees, or where the address of a local may outlive it
//! (`outliving_addresses.rs`).
//!
//! Example: after `q = p; free(p);` the entry of `$alive` for the object of `p` is false, so `*q` fails as a use
//! after free.
//!
//! Code outside the program can end lifetimes as well: external functions those of the objects that have escaped to
//! them (`escape.rs`), and a library function that of its argument, if its name says so. For proofs, the map `$ended`
//! says whether that happened, with an arbitrary value after each such call; it only matters for objects that
//! external code can reach, and not for variables of the program. The external functions of tests free nothing. After
//! its lifetime, another object may be placed where an object was (`addresses.rs`).
//!
//! The lifetime of a local of an inner block ends with that block, where its address may be used afterwards
//! (`block_scopes.rs`): at the first instruction of the source outside. Each time that it is declared it is a new object, so that a
//! pointer to the one of the iteration before leads nowhere.
//!
//! The map `$automatic` says of every object whether it is the storage of a local, which must not be freed.
//!
//! **Direction of error.** A library function without a model that frees its argument is recognised by its name only
//! ([`ends`]). In programs that never call `free`, `realloc` or `fclose` only locals die, whatever external code does.

use footpath_ir::{AssertKind, StatementKind};
use footpath_term::{Op, SymbolId, TermId};

use crate::llvm::ast::{Body, Inst, InstKind, LocalId, Value};

use super::super::Unsupported;
use super::super::facts::block_scopes::{BlockLocal, block_of, blocks_around, saved_at};
use super::super::facts::escape::Changes;
use super::super::facts::link::Linked;
use super::super::source::library_models::CLOSE;
use super::context::{Context, Pointer};
use super::function::Lowering;

/// The functions whose calls are lowered here.
const OWN: [&str; 5] = [CLOSE, "cfree", "free", "realloc", "reallocarray"];

/// Whether the program can end the lifetime of an object other than by a local's going out of scope.
pub(crate) fn objects_die(linked: &Linked<'_>) -> bool {
    linked.functions().any(|(r, f)| {
        let name = linked.function_name(r);
        matches!(f.body, Body::Declared) && OWN.contains(&name)
    })
}

/// Whether a library function without a model may free its arguments, judged by its name.
pub(crate) fn ends(name: &str) -> bool {
    let words = ["free", "realloc", "close", "destroy", "delete"];
    !OWN.contains(&name) && words.iter().any(|word| name.contains(word))
}

/// What an object is the storage of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// Of a local, a parameter, or variable arguments: nobody may free it.
    Automatic,
    /// Of what was allocated.
    Allocated,
}

impl Context<'_, '_> {
    /// The object number of the last variable: larger numbers may be heap objects.
    fn last_variable(&mut self) -> TermId {
        let last = self.passed_object() - 1;
        self.object(last)
    }

    /// That nothing is the storage of a local yet, where a harness begins.
    pub(crate) fn none_automatic(&mut self) -> Option<(SymbolId, TermId)> {
        let automatic = self.automatic?;
        let no = self.terms.bool(false);
        let sort = self.terms.symbol(automatic).sort;
        Some((automatic, self.terms.mk(Op::ConstMap, [no], sort)))
    }

    /// The map `$ended` and its initial value in a harness: external code has freed nothing yet.
    pub(crate) fn none_ended(&mut self) -> Option<(SymbolId, TermId)> {
        let ended = self.ended?;
        let no = self.terms.bool(false);
        let sort = self.terms.symbol(ended).sort;
        Some((ended, self.terms.mk(Op::ConstMap, [no], sort)))
    }
}

impl Lowering<'_, '_, '_> {
    /// Whether the object that an address points to is alive.
    pub(crate) fn lives(&mut self, address: Value, object: TermId) -> TermId {
        let alive = self.cx.terms.var(self.cx.alive);
        let alive = self.cx.app(Op::Select, &[alive, object]);
        let others_end = self.others_end(address, object);
        let Some(ended) = self.cx.ended.filter(|_| others_end) else { return alive };
        let ended = self.cx.terms.var(ended);
        let ended = self.cx.app(Op::Select, &[ended, object]);
        let not_ended = self.cx.not(ended);
        self.cx.app(Op::And, &[alive, not_ended])
    }

    /// Whether external code may free the object that an address points to, in a program in which it frees any. In one in
    /// which it frees nothing, as tests have it, that is noted.
    pub(crate) fn others_end(&mut self, address: Value, object: TermId) -> bool {
        let ends = self.others_may_end(address, object);
        if ends && self.cx.ended.is_none() {
            self.cx.external_effects.asks_for_lives(self.cx.procs[&self.f]);
        }
        ends && self.cx.ended.is_some()
    }

    fn others_may_end(&mut self, address: Value, object: TermId) -> bool {
        let known = self.cx.terms.literal(object).and_then(footpath_term::Value::as_u64);
        if known.is_some_and(|number| number < u64::from(self.cx.passed_object())) {
            return false;
        }
        let region = self.cx.regions.operand(self.cx.linked, self.f, address);
        let (changes, regions) = (Changes::of(self.cx), self.cx.regions);
        region.is_none_or(|region| changes.may_end(regions.find(region)))
    }

    /// Frees an object on the heap; freeing null has no effect.
    pub(crate) fn free(&mut self, address: Value, p: Pointer) {
        self.cx.freeing.insert(self.cx.procs[&self.f]);
        let null = self.cx.object(0);
        let is_null = self.cx.app(Op::Eq, &[p.object, null]);
        let alive = self.lives(address, p.object);
        let zero = self.cx.offset(0);
        let start = self.cx.app(Op::Eq, &[p.offset, zero]);
        let last = self.cx.last_variable();
        let behind = self.cx.app(Op::BvUlt, &[last, p.object]);
        let mut parts = vec![alive, start, behind];
        if let Some(automatic) = self.cx.automatic {
            let automatic = self.cx.terms.var(automatic);
            let is_automatic = self.cx.app(Op::Select, &[automatic, p.object]);
            parts.push(self.cx.not(is_automatic));
        }
        let valid = self.cx.app(Op::And, &parts);
        let fine = self.cx.app(Op::Or, &[is_null, valid]);
        self.check(AssertKind::Free, fine);
        let (lives, no) = (self.cx.terms.var(self.cx.alive), self.cx.terms.bool(false));
        let dead = self.cx.app(Op::Store, &[lives, p.object, no]);
        let dead = self.cx.app(Op::Ite, &[is_null, lives, dead]);
        let symbol = self.cx.alive;
        self.assign(vec![(symbol, dead)]);
    }

    /// Checks that a stream was not closed. Nothing is ever read from one, so it need not be larger than nothing.
    pub(crate) fn check_open(&mut self, address: Value, p: Pointer) {
        if self.cx.objects_die {
            let lives = self.lives(address, p.object);
            self.check(AssertKind::ClosedStream, lives);
        }
    }

    /// Ends the life of a stream. That it is one, whoever closes it has checked.
    pub(crate) fn close(&mut self, p: Pointer) {
        self.cx.freeing.insert(self.cx.procs[&self.f]);
        self.end_lives(&[p.object]);
    }

    /// Whether an address may be that of a local whose activation has ended.
    pub(crate) fn may_outlive(&self, address: Value) -> bool {
        let region = self.cx.regions.operand(self.cx.linked, self.f, address);
        region.is_some_and(|region| self.cx.outliving.contains(&self.cx.regions.find(region)))
    }

    /// Ends the lifetime of the objects of this activation whose address may have escaped.
    pub(crate) fn end_of_stack_objects(&mut self) {
        self.end_lives(&self.leaving.clone());
    }

    /// Ends the lifetimes of objects.
    fn end_lives(&mut self, objects: &[TermId]) {
        if objects.is_empty() {
            return;
        }
        let (symbol, no) = (self.cx.alive, self.cx.terms.bool(false));
        let start = self.cx.terms.var(symbol);
        let alive = objects.iter().fold(start, |alive, &object| self.cx.app(Op::Store, &[alive, object, no]));
        self.assign(vec![(symbol, alive)]);
    }

    /// Ends the lifetimes of the locals whose blocks an instruction is not in.
    pub(crate) fn end_blocks(&mut self, inst: &Inst) -> Result<(), Unsupported> {
        if inst.kind.is_terminator() || matches!(inst.kind, InstKind::Debug(_) | InstKind::Phi { .. }) {
            return Ok(());
        }
        let Some(locals) = self.cx.block_locals.of.get(&self.f).cloned() else { return Ok(()) };
        let Some(here) = block_of(self.module, inst.dbg).filter(|&here| self.scope != Some(here)) else {
            return Ok(());
        };
        let before = self.scope.map(|scope| blocks_around(self.module, scope));
        let around = blocks_around(self.module, here);
        self.scope = Some(here);
        let mut ended = Vec::new();
        for BlockLocal { local, scope, .. } in locals {
            let was_inside = before.as_ref().is_none_or(|before| before.contains(&scope));
            if !was_inside || around.contains(&scope) || self.slot(Value::Local(local)).is_some() {
                continue;
            }
            let Ok(p) = self.pointer(Value::Local(local)) else { continue };
            ended.push(p.object);
        }
        self.end_lives(&ended);
        Ok(())
    }

    /// Makes a local of an inner block a new object where it is declared, and a literal where it is used first.
    pub(crate) fn begin_block_locals(&mut self) -> Result<(), Unsupported> {
        let Some(locals) = self.cx.block_locals.of.get(&self.f) else { return Ok(()) };
        let begins: Vec<LocalId> = locals.iter().filter(|l| l.begins == self.at).map(|l| l.local).collect();
        begins.into_iter().try_for_each(|local| self.renew(local))
    }

    /// Declares what variable-length arrays are objects of: none before they begin.
    pub(crate) fn declare_variable_arrays(&mut self) {
        let Some(arrays) = self.cx.block_locals.arrays.get(&self.f).cloned() else { return };
        for (local, at) in arrays {
            let sort = self.cx.terms.bit_vec_sort(self.cx.shape.object);
            let symbol = self.new_local("array$object", sort);
            let null = self.cx.object(0);
            self.assign(vec![(symbol, null)]);
            self.arrays.push((local, at, symbol));
        }
    }

    /// Ends the lifetimes of the variable-length arrays that began since the stack was saved that is restored now.
    pub(crate) fn restore_stack(&mut self, saved: Value) {
        let Some(saved) = saved_at(self.module, self.code, saved) else { return };
        let ended = self.arrays.iter().filter(|(_, at, _)| *at > saved);
        let ended: Vec<TermId> = ended.map(|(.., symbol)| self.cx.terms.var(*symbol)).collect();
        self.end_lives(&ended);
    }

    /// Makes the object of a local a new one.
    fn renew(&mut self, local: LocalId) -> Result<(), Unsupported> {
        if self.slot(Value::Local(local)).is_some() {
            return Ok(());
        }
        let Ok(p) = self.pointer(Value::Local(local)) else { return Ok(()) };
        let (Some(&size), Op::Var(symbol)) =
            (self.stack.get(&p.object), self.cx.terms.term(p.object).op.clone())
        else {
            return Ok(());
        };
        let bytes = self.cx.offset(size as i64);
        self.begin_object(symbol, bytes, Storage::Automatic);
        Ok(())
    }

    /// Makes an object of so many bytes and returns its number, which is a variable.
    pub(crate) fn new_object(&mut self, bytes: TermId, storage: Storage, name: &str) -> TermId {
        let sort = self.cx.terms.bit_vec_sort(self.cx.shape.object);
        let symbol = self.new_local(&format!("{name}$object"), sort);
        self.begin_object(symbol, bytes, storage)
    }

    /// Makes an object of so many bytes, whose number a variable gets.
    pub(crate) fn begin_object(&mut self, symbol: SymbolId, bytes: TermId, storage: Storage) -> TermId {
        let next = self.cx.terms.var(self.cx.next);
        self.assign(vec![(symbol, next)]);
        let object = self.cx.terms.var(symbol);
        // Proofs begin in any state, but numbers of variables are always taken, and there is always a next one.
        let last = self.cx.last_variable();
        let behind = self.cx.app(Op::BvUlt, &[last, object]);
        let greatest = self.cx.bv(self.cx.shape.object, -1);
        let before = self.cx.app(Op::BvUlt, &[object, greatest]);
        self.statement(StatementKind::Assume(behind));
        self.statement(StatementKind::Assume(before));
        let one = self.cx.bv(self.cx.shape.object, 1);
        let following = self.cx.app(Op::BvAdd, &[object, one]);
        let (yes, no) = (self.cx.terms.bool(true), self.cx.terms.bool(false));
        let mut maps = vec![(self.cx.size, bytes), (self.cx.alive, yes)];
        maps.extend(self.cx.ended.map(|ended| (ended, no)));
        let is_automatic = if storage == Storage::Automatic { yes } else { no };
        maps.extend(self.cx.automatic.map(|automatic| (automatic, is_automatic)));
        let mut pairs = vec![(self.cx.next, following)];
        for (map, value) in maps {
            let before = self.cx.terms.var(map);
            pairs.push((map, self.cx.app(Op::Store, &[before, object, value])));
        }
        self.assign(pairs);
        object
    }
}
