//! Shadow memory for reads of what was never written, as the memory sanitizer defines them.
//!
//! **Idea.** Beside a value stands its *shadow*, in which a bit is set if nobody has written that bit of the value. Copying a value
//! copies the shadow, operations compute theirs from those of their operands. A check of the kind `uninitialised` is violated
//! where a bit that nobody has written decides something: a branch, a switch, an address, a divisor, what is passed to
//! a function, or what the function returns that a test calls. Example: in `struct { int a, b; } s, t; s.a = 1; t = s; if (t.b) …` the copy is fine, the branch is not.
//!
//! Only values that may be such have a shadow (`facts/initialisation.rs`), so programs that write before they read are lowered
//! as without the check. A register's shadow is a variable that is assigned where the register is; that of a local in
//! variables are further variables. Memory of a region has a second map with a bit set for each bit that *was* written:
//! so a new object needs no loop that clears it. Objects from before the run, up to the number `$first`, are all written.
//!
//! **Paper.** MemorySanitizer (Stepanov, Serebryany, CGO 2015). As there, the shadow of a sum is that of either operand, bit by
//! bit, `and`, `or` and shifts by known amounts are exact, and two values that differ in written bits are different. An
//! argument that the callee is promised (`noundef`) is checked at the call, as newer versions do. The condition of `c ? 1 : 2`
//! is checked though the compiler makes no branch of it; there the sanitizer reports a use of the result.
//!
//! **Direction of error.** Comparisons other than `==`, floating-point operations and vectors take a result to be unwritten
//! if any bit of an operand is. A byte with which `memset` fills is taken to be written, and so is what inline assembly
//! yields, what goes through atomic operations and variable arguments that are passed in registers.

use footpath_ir::{AssertKind, ProcId, StatementKind};
use footpath_term::{Op, SortId, SymbolId, TermId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::llvm::ast::{BinaryOp, Call, Callee, ConstKind, Inst, InstKind, LocalId, TypeId, TypeKind, Value};

use super::super::Unsupported;
use super::super::facts::block_scopes::declares;
use super::super::facts::initialisation::{Unwritten, intrinsic, must_be_written};
use super::super::facts::link::{FnRef, GlobalRef, Target};
use super::super::facts::points_to::callee;
use super::context::{Context, Memory, Pointer};
use super::function::{Lowering, Slot};
use super::scalars::{Leaf, Scalar};

/// A value that is shadowed by program variables all functions share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Holder {
    /// A parameter, from the call to the entry.
    Param(FnRef, u32),
    /// A result, from the return to behind the call.
    Result(FnRef),
    /// A variable without an address.
    Global(GlobalRef),
}

/// The shadows of a program.
#[derive(Default)]
pub(crate) struct Shadows {
    /// Where values may be that nobody has written.
    pub(crate) unwritten: Unwritten,
    /// From the map of a region to the map of what was written.
    pub(crate) written: IndexMap<SymbolId, SymbolId>,
    /// The variables for what functions share.
    pub(crate) shared: IndexMap<Holder, Vec<SymbolId>>,
    /// The number of the first object that is made during the run.
    pub(crate) first: Option<SymbolId>,
    /// The number of the procedure that a harness calls, until it is entered.
    pub(crate) entry: Option<SymbolId>,
}

/// Bits of the number of a procedure.
const ENTRY_BITS: u32 = 32;

/// The shadows in one function.
#[derive(Default)]
pub(crate) struct OwnShadows {
    registers: FxHashMap<LocalId, Vec<SymbolId>>,
    slots: FxHashMap<LocalId, Slot>,
    /// Whether a harness called this activation, so that its result is used outside.
    is_outermost: Option<SymbolId>,
}

impl Shadows {
    /// The program variables of all shadows.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = SymbolId> + '_ {
        let maps = self.written.values().chain(self.shared.values().flatten()).copied();
        maps.chain(self.first).chain(self.entry)
    }

    /// The program variables of those in memory, which change where memory does.
    pub(crate) fn in_memory(&self) -> impl Iterator<Item = SymbolId> + '_ {
        let globals = self.shared.iter().filter(|(holder, _)| matches!(holder, Holder::Global(_)));
        self.written.values().chain(globals.flat_map(|(_, symbols)| symbols)).copied()
    }
}

impl Context<'_, '_> {
    /// Finds what may be unwritten, if that is asked for.
    pub(crate) fn follow_unwritten(&mut self) {
        if !self.options.checks.contains(&AssertKind::Uninitialised) {
            return;
        }
        let unwritten = Unwritten::of(self.linked, self.regions);
        if unwritten.regions.is_empty() {
            return;
        }
        let object = self.terms.bit_vec_sort(self.shape.object);
        self.shadows.first = Some(self.terms.fresh_symbol("$first", object));
        let number = self.terms.bit_vec_sort(ENTRY_BITS);
        self.shadows.entry = Some(self.terms.fresh_symbol("$entry", number));
        self.shadows.unwritten = unwritten;
    }

    /// The shadow of what functions share, if it may be unwritten.
    pub(crate) fn shared_shadow(&mut self, holder: Holder, sorts: &[SortId]) -> Vec<SymbolId> {
        if let Some(known) = self.shadows.shared.get(&holder) {
            return known.clone();
        }
        let name = format!("$shadow.{}", self.shadows.shared.len());
        let symbols: Vec<SymbolId> =
            sorts.iter().map(|&sort| self.terms.fresh_symbol(name.clone(), sort)).collect();
        self.shadows.shared.insert(holder, symbols.clone());
        symbols
    }

    /// The initial values of shadows where a harness begins whose objects end before a number.
    pub(crate) fn none_unwritten(&mut self, first: TermId) -> Vec<(SymbolId, TermId)> {
        let mut pairs = Vec::new();
        for symbol in self.shadows.symbols().collect::<Vec<_>>() {
            if Some(symbol) == self.shadows.entry {
                continue;
            }
            if Some(symbol) == self.shadows.first {
                pairs.push((symbol, first));
                continue;
            }
            let sort = self.terms.symbol(symbol).sort;
            let clean = self.none_set(sort);
            pairs.push((symbol, clean));
        }
        pairs
    }

    /// The assignment with which a harness says which procedure it calls.
    pub(crate) fn enters(&mut self, procedure: ProcId) -> Option<(SymbolId, TermId)> {
        let entry = self.shadows.entry?;
        Some((entry, self.bv(ENTRY_BITS, i64::from(procedure.0) + 1)))
    }

    /// No bit set: of a number, of a truth value, or of all cells of a map.
    pub(crate) fn none_set(&mut self, sort: SortId) -> TermId {
        if sort == SortId::BOOL {
            return self.terms.bool(false);
        }
        if let Some(bits) = self.terms.width(sort) {
            return self.bv(bits, 0);
        }
        let cells: Vec<u32> = self
            .memory
            .values()
            .filter(|m| self.terms.symbol(m.symbol).sort == sort)
            .map(|m| 8 * m.grain as u32)
            .collect();
        let zero = self.bv(cells.first().copied().unwrap_or(8), 0);
        self.terms.mk(Op::ConstMap, [zero], sort)
    }

    pub(crate) fn all_set(&mut self, sort: SortId) -> TermId {
        match self.terms.width(sort) {
            Some(bits) => self.bv(bits, -1),
            None => self.terms.bool(true),
        }
    }

    /// Whether any bit is set.
    pub(crate) fn any_set(&mut self, shadow: &[TermId]) -> TermId {
        let parts: Vec<TermId> = shadow
            .iter()
            .map(|&part| {
                let sort = self.terms.sort(part);
                if sort == SortId::BOOL {
                    return part;
                }
                let zero = self.none_set(sort);
                let none = self.app(Op::Eq, &[part, zero]);
                self.not(none)
            })
            .collect();
        match parts[..] {
            [] => self.terms.bool(false),
            [one] => one,
            _ => self.app(Op::Or, &parts),
        }
    }
}

impl Lowering<'_, '_, '_> {
    pub(crate) fn has_shadows(&self) -> bool {
        self.cx.shadows.first.is_some()
    }

    /// The shadow of a value; nothing if all of it was written.
    pub(crate) fn shadow(&mut self, value: Value) -> Option<Vec<TermId>> {
        let Value::Local(local) = value else { return None };
        let symbols = self.own_shadows.registers.get(&local)?.clone();
        Some(symbols.into_iter().map(|s| self.cx.terms.var(s)).collect())
    }

    pub(crate) fn may_be_unwritten(&self, local: LocalId) -> bool {
        self.cx.shadows.unwritten.locals.contains(&(self.f, local))
    }

    pub(crate) fn is_region_followed(&self, address: Value) -> bool {
        let region = self.cx.regions.operand(self.cx.linked, self.f, address);
        region.is_some_and(|r| self.cx.shadows.unwritten.regions.contains(&self.cx.regions.find(r)))
    }

    /// Gives a register a shadow.
    pub(crate) fn keep_shadow(&mut self, local: LocalId, shadow: Vec<TermId>) {
        let mut pairs = Vec::with_capacity(shadow.len());
        let mut symbols = Vec::with_capacity(shadow.len());
        for part in shadow {
            let sort = self.cx.terms.sort(part);
            let symbol = self.new_local("shadow", sort);
            pairs.push((symbol, part));
            symbols.push(symbol);
        }
        self.assign(pairs);
        self.own_shadows.registers.insert(local, symbols);
    }

    /// Checks that a value that decides something was written.
    fn check_written(&mut self, value: Value) {
        let Some(shadow) = self.shadow(value) else { return };
        let violated = self.cx.any_set(&shadow);
        self.fail_if_unwritten(violated);
    }

    /// Fails if a condition holds. What a model does with values that nobody has written is no use to anybody, so that it ends.
    fn fail_if_unwritten(&mut self, violated: TermId) {
        if (self.f.module as usize) < self.cx.options.user_modules {
            self.soft_check(AssertKind::Uninitialised, violated);
        } else {
            let holds = self.cx.not(violated);
            self.check(AssertKind::Uninitialised, holds);
        }
    }

    // ---- Where a function begins and ends

    /// Takes over the shadows of what was passed.
    pub(crate) fn enter_shadows(&mut self) -> Result<(), Unsupported> {
        if !self.has_shadows() {
            return Ok(());
        }
        let linked = self.cx.linked;
        for (i, param) in linked.function(self.f).params.iter().enumerate() {
            let (i, ty) = (i as u32, param.ty);
            if !self.may_be_unwritten(LocalId(i)) {
                continue;
            }
            let sorts = self.cx.sorts(self.f.module, ty)?;
            let symbols = self.cx.shared_shadow(Holder::Param(self.f, i), &sorts);
            let shadow = symbols.into_iter().map(|s| self.cx.terms.var(s)).collect();
            self.keep_shadow(LocalId(i), shadow);
        }
        if let (true, Some(entry)) =
            (self.cx.shadows.unwritten.results.contains(&self.f), self.cx.shadows.entry)
        {
            let called = self.cx.terms.var(entry);
            let own = self.cx.bv(ENTRY_BITS, i64::from(self.proc.0) + 1);
            let is_outermost = self.cx.app(Op::Eq, &[called, own]);
            let symbol = self.new_local("is_outermost", SortId::BOOL);
            let none = self.cx.bv(ENTRY_BITS, 0);
            self.assign(vec![(symbol, is_outermost), (entry, none)]);
            self.own_shadows.is_outermost = Some(symbol);
        }
        Ok(())
    }

    fn hand_over(&mut self, holder: Holder, value: Value, sorts: &[SortId]) {
        let symbols = self.cx.shared_shadow(holder, sorts);
        let shadow = self.shadow(value);
        let pairs = symbols.into_iter().enumerate().map(|(i, symbol)| {
            let sort = self.cx.terms.symbol(symbol).sort;
            let given = shadow.as_ref().and_then(|s| s.get(i)).copied();
            let given = given.filter(|&part| self.cx.terms.sort(part) == sort);
            (symbol, given.unwrap_or_else(|| self.cx.none_set(sort)))
        });
        let pairs: Vec<(SymbolId, TermId)> = pairs.collect();
        self.assign(pairs);
    }

    // ---- Before an instruction

    /// Checks what an instruction decides by, and shadows what it writes.
    pub(crate) fn before_instruction(&mut self, inst: &Inst) -> Result<(), Unsupported> {
        if !self.has_shadows() {
            return Ok(());
        }
        match &inst.kind {
            InstKind::CondBr { condition: value, .. }
            | InstKind::Switch { value, .. }
            | InstKind::IndirectBr { address: value, .. } => self.check_written(value.value),
            InstKind::Load(load) => self.check_written(load.pointer.value),
            InstKind::Store(store) => {
                self.check_written(store.pointer.value);
                let shadow = self.shadow(store.value.value);
                self.store_shadow(store.pointer.value, store.value.ty, shadow.as_deref())?;
            }
            InstKind::CmpXchg { pointer, new, .. } => {
                self.check_written(pointer.value);
                self.store_shadow(pointer.value, new.ty, None)?;
            }
            InstKind::AtomicRmw { pointer, value, .. } => {
                self.check_written(pointer.value);
                self.store_shadow(pointer.value, value.ty, None)?;
            }
            InstKind::Binary { op, right, .. } => {
                use BinaryOp::{SDiv, SRem, UDiv, URem};
                if matches!(op, UDiv | SDiv | URem | SRem) {
                    self.check_written(*right);
                }
            }
            InstKind::Ret(Some(value)) => {
                let function = self.cx.linked.function(self.f);
                if must_be_written(self.module, function.ret_attrs) {
                    self.check_written(value.value);
                } else if self.cx.shadows.unwritten.results.contains(&self.f) {
                    self.check_result(value.value);
                    let sorts = self.cx.sorts(self.f.module, value.ty)?;
                    self.hand_over(Holder::Result(self.f), value.value, &sorts);
                }
            }
            InstKind::Debug(_) => {
                if let Some(local) = declares(self.module, &inst.kind) {
                    self.forget_written(Value::Local(local))?;
                }
            }
            InstKind::Select { condition, .. } => self.check_written(condition.value),
            InstKind::Call(call) => self.before_shadowed_call(call)?,
            _ => {}
        }
        Ok(())
    }

    /// Checks a result that is used outside. Structures may have padding.
    fn check_result(&mut self, value: Value) {
        let (Some(is_outermost), Some(shadow)) = (self.own_shadows.is_outermost, self.shadow(value)) else {
            return;
        };
        if self.is_part_of_structure(value) {
            return;
        }
        let is_outermost = self.cx.terms.var(is_outermost);
        let any = self.cx.any_set(&shadow);
        let violated = self.cx.app(Op::And, &[is_outermost, any]);
        self.fail_if_unwritten(violated);
    }

    /// Whether a value is read from a local that is a structure, or an array, as a whole.
    fn is_part_of_structure(&self, value: Value) -> bool {
        let Some(InstKind::Load(load)) = self.code.definition(value).map(|inst| &inst.kind) else {
            return self.code.definition(value).is_none();
        };
        let mut address = load.pointer.value;
        loop {
            match self.code.definition(address).map(|inst| &inst.kind) {
                Some(InstKind::Cast { value, .. }) => address = value.value,
                Some(InstKind::Gep(gep)) => address = gep.base.value,
                Some(InstKind::Alloca { ty, .. }) => {
                    let kind = self.module.types.resolved(*ty);
                    return matches!(kind, TypeKind::Struct { .. } | TypeKind::Array(..));
                }
                _ => return false,
            }
        }
    }

    fn before_shadowed_call(&mut self, call: &Call) -> Result<(), Unsupported> {
        if let Some(name) = intrinsic(self.module, call) {
            if let (true, Some((pointer, _))) = (name.starts_with("lifetime.start"), call.args.last()) {
                self.forget_written(pointer.value)?;
            }
            return Ok(());
        }
        if let Callee::Value(value) = call.callee {
            self.check_written(value);
        }
        let known = callee(self.cx.linked, self.f.module, call);
        let targets = known.map_or_else(|| self.cx.regions.address_taken.clone(), |f| vec![f]);
        for (i, (arg, attrs)) in call.args.iter().enumerate() {
            if must_be_written(self.module, *attrs) {
                self.check_written(arg.value);
            }
            for &target in &targets {
                if self.cx.shadows.unwritten.locals.contains(&(target, LocalId(i as u32)))
                    && let Some(param) = self.cx.linked.function(target).params.get(i)
                {
                    let sorts = self.cx.sorts(target.module, param.ty)?;
                    self.hand_over(Holder::Param(target, i as u32), arg.value, &sorts);
                }
            }
        }
        Ok(())
    }

    /// The bits of a scalar in memory that were written, by the shadow of its components.
    fn written_bits(&mut self, leaf: Leaf, shadow: Option<&[TermId]>) -> TermId {
        let bits = 8 * leaf.size as u32;
        let all = self.cx.bv(bits, -1);
        let Some(shadow) = shadow else { return all };
        match leaf.scalar {
            Scalar::Int(_) | Scalar::Float(_) => {
                let unwritten = self.cx.resize(shadow[0], bits, false);
                self.cx.app(Op::BvNot, &[unwritten])
            }
            Scalar::Bool | Scalar::Pointer => {
                let any = self.cx.any_set(shadow);
                let none = self.cx.bv(bits, 0);
                self.cx.app(Op::Ite, &[any, none, all])
            }
        }
    }

    fn store_shadow(
        &mut self,
        address: Value,
        ty: TypeId,
        shadow: Option<&[TermId]>,
    ) -> Result<(), Unsupported> {
        if !self.is_region_followed(address) {
            return Ok(());
        }
        let leaves = self.cx.leaves(self.f.module, ty)?;
        let symbols = match self.slot(address) {
            Some((slot, offset)) => Some(self.slot_shadow(slot, offset, &leaves)),
            None => self.global_shadow(address, &leaves),
        };
        if let Some(symbols) = symbols {
            let pairs = symbols.into_iter().enumerate().map(|(i, symbol)| {
                let sort = self.cx.terms.symbol(symbol).sort;
                let part = shadow.and_then(|s| s.get(i)).copied();
                (symbol, part.unwrap_or_else(|| self.cx.none_set(sort)))
            });
            let pairs: Vec<(SymbolId, TermId)> = pairs.collect();
            self.assign(pairs);
            return Ok(());
        }
        let p = self.pointer(address)?;
        let region = self.region(address)?;
        let memory = self.cx.memory_of(region);
        let Some(&written) = self.cx.shadows.written.get(&memory.symbol) else { return Ok(()) };
        let mut map = self.cx.terms.var(written);
        let mut at = 0;
        for leaf in leaves {
            let count = self.cx.component_sorts(leaf.scalar).len();
            let part = shadow.and_then(|s| s.get(at..at + count));
            at += count;
            let bits = self.written_bits(leaf, part);
            let place = self.cx.add_bytes(p, leaf.offset);
            map = self.cx.write_bytes(map, memory.grain, place, bits);
        }
        self.assign(vec![(written, map)]);
        Ok(())
    }

    /// The variables of the shadow of a local that lives in variables; none if it is always written.
    fn slot_shadow(&mut self, slot: LocalId, offset: u64, wanted: &[Leaf]) -> Vec<SymbolId> {
        let Some(shadow) = self.own_shadows.slots.get(&slot) else { return Vec::new() };
        let of = |w: &Leaf| {
            let found =
                shadow.parts.iter().find(|(l, _)| l.offset == offset + w.offset && l.scalar == w.scalar);
            found.map(|(_, symbols)| symbols.clone()).unwrap_or_default()
        };
        wanted.iter().flat_map(of).collect()
    }

    /// The same of a variable without an address.
    fn global_shadow(&mut self, address: Value, leaves: &[Leaf]) -> Option<Vec<SymbolId>> {
        let Value::Const(c) = address else { return None };
        let ConstKind::Global(name) = self.module.constant(c).kind else { return None };
        let Some(Target::Global(g)) = self.cx.linked.resolve(self.f.module, name) else { return None };
        self.cx.scalars.get(&g)?;
        let sorts: Vec<SortId> = leaves.iter().flat_map(|l| self.cx.component_sorts(l.scalar)).collect();
        Some(self.cx.shared_shadow(Holder::Global(g), &sorts))
    }

    /// A local begins to exist: nothing of it is written.
    fn forget_written(&mut self, address: Value) -> Result<(), Unsupported> {
        if !self.is_region_followed(address) {
            return Ok(());
        }
        if let Some((slot, _)) = self.slot(address) {
            self.begin_slot(slot);
            return Ok(());
        }
        let p = self.pointer(address)?;
        let region = self.region(address)?;
        let memory = self.cx.memory_of(region);
        let (Some(&size), Some(&written)) =
            (self.stack.get(&p.object), self.cx.shadows.written.get(&memory.symbol))
        else {
            return Ok(());
        };
        let bytes = self.cx.offset(size as i64);
        let none = self.cx.bv(8, 0);
        self.fill(Memory { symbol: written, grain: memory.grain }, p, none, bytes)
    }

    pub(crate) fn begin_slot(&mut self, slot: LocalId) {
        if !self.own_shadows.slots.contains_key(&slot) {
            let leaves: Vec<Leaf> = self.slots[&slot].parts.iter().map(|(leaf, _)| *leaf).collect();
            let mut parts = Vec::with_capacity(leaves.len());
            for leaf in leaves {
                let sorts = self.cx.component_sorts(leaf.scalar);
                parts.push((leaf, sorts.into_iter().map(|sort| self.new_local("shadow", sort)).collect()));
            }
            self.own_shadows.slots.insert(slot, Slot { parts });
        }
        let symbols: Vec<SymbolId> =
            self.own_shadows.slots[&slot].parts.iter().flat_map(|(_, symbols)| symbols.clone()).collect();
        let pairs = symbols.into_iter().map(|symbol| {
            let sort = self.cx.terms.symbol(symbol).sort;
            (symbol, self.cx.all_set(sort))
        });
        let pairs: Vec<(SymbolId, TermId)> = pairs.collect();
        self.assign(pairs);
    }

    // ---- Memory

    pub(crate) fn load_shadow(
        &mut self,
        address: Value,
        ty: TypeId,
    ) -> Result<Option<Vec<TermId>>, Unsupported> {
        if !self.is_region_followed(address) {
            return Ok(None);
        }
        let leaves = self.cx.leaves(self.f.module, ty)?;
        let symbols = match self.slot(address) {
            Some((slot, offset)) => Some(self.slot_shadow(slot, offset, &leaves)),
            None => self.global_shadow(address, &leaves),
        };
        if let Some(symbols) = symbols {
            let shadow: Vec<TermId> = symbols.into_iter().map(|s| self.cx.terms.var(s)).collect();
            return Ok((!shadow.is_empty()).then_some(shadow));
        }
        let p = self.pointer(address)?;
        let region = self.region(address)?;
        let memory = self.cx.memory_of(region);
        let mut shadow = Vec::new();
        for leaf in leaves {
            let at = self.cx.add_bytes(p, leaf.offset);
            let written = self.read_written(memory, at, leaf.size);
            let unwritten = self.cx.app(Op::BvNot, &[written]);
            match leaf.scalar {
                Scalar::Bool => {
                    let bit = self.cx.resize(unwritten, 1, false);
                    shadow.push(self.cx.any_set(&[bit]));
                }
                Scalar::Int(bits) | Scalar::Float(bits) => {
                    shadow.push(self.cx.resize(unwritten, bits, false));
                }
                Scalar::Pointer => {
                    let any = self.cx.any_set(&[unwritten]);
                    for sort in self.cx.component_sorts(leaf.scalar) {
                        let (all, none) = (self.cx.all_set(sort), self.cx.none_set(sort));
                        shadow.push(self.cx.app(Op::Ite, &[any, all, none]));
                    }
                }
            }
        }
        Ok(Some(shadow))
    }

    /// Which bits of some bytes were written.
    fn read_written(&mut self, memory: Memory, p: Pointer, bytes: u64) -> TermId {
        let Some(&written) = self.cx.shadows.written.get(&memory.symbol) else {
            let bits = 8 * (bytes.div_ceil(memory.grain) * memory.grain) as u32;
            return self.cx.bv(bits, -1);
        };
        let map = self.cx.terms.var(written);
        self.written_in(map, memory.grain, p, bytes)
    }

    fn written_in(&mut self, map: TermId, grain: u64, p: Pointer, bytes: u64) -> TermId {
        let bits = self.cx.read_bytes(map, grain, p, bytes);
        let (Some(first), false) = (self.cx.shadows.first, self.stack.contains_key(&p.object)) else {
            return bits;
        };
        let first = self.cx.terms.var(first);
        let is_older = self.cx.app(Op::BvUlt, &[p.object, first]);
        let all = self.cx.all_set(self.cx.terms.sort(bits));
        self.cx.app(Op::Ite, &[is_older, all, bits])
    }

    // ---- Edges, copies and others

    /// The assignments to the shadow of a phi, for the value that comes from one side.
    pub(crate) fn phi_shadow(
        &mut self,
        result: LocalId,
        symbols: &[SymbolId],
        value: Value,
    ) -> Vec<(SymbolId, TermId)> {
        if !self.has_shadows() || !self.may_be_unwritten(result) {
            return Vec::new();
        }
        if !self.own_shadows.registers.contains_key(&result) {
            let sorts: Vec<SortId> = symbols.iter().map(|&s| self.cx.terms.symbol(s).sort).collect();
            let own = sorts.into_iter().map(|sort| self.new_local("shadow", sort)).collect();
            self.own_shadows.registers.insert(result, own);
        }
        let own = self.own_shadows.registers[&result].clone();
        let shadow = self.shadow(value);
        let pairs = own.into_iter().enumerate().map(|(i, symbol)| {
            let sort = self.cx.terms.symbol(symbol).sort;
            (symbol, shadow.as_ref().map_or_else(|| self.cx.none_set(sort), |s| s[i]))
        });
        pairs.collect()
    }

    /// A range of bytes was written by something else than a store.
    pub(crate) fn note_written(
        &mut self,
        memory: Memory,
        p: Pointer,
        bytes: TermId,
    ) -> Result<(), Unsupported> {
        let Some(&written) = self.cx.shadows.written.get(&memory.symbol) else { return Ok(()) };
        let all = self.cx.bv(8, -1);
        self.fill(Memory { symbol: written, grain: memory.grain }, p, all, bytes)
    }

    /// The map of what was written in a region, as it is now, if it has one.
    pub(crate) fn written_before(&mut self, memory: Memory) -> Option<TermId> {
        let &written = self.cx.shadows.written.get(&memory.symbol)?;
        let sort = self.cx.terms.symbol(written).sort;
        let before = self.new_local("copied", sort);
        let now = self.cx.terms.var(written);
        self.statement(StatementKind::Assign(vec![(before, now)]));
        Some(self.cx.terms.var(before))
    }

    /// One cell of a copy: what was written in the source is written in the target.
    pub(crate) fn copy_written(
        &mut self,
        to: (Memory, Pointer),
        from: (Memory, Pointer, Option<TermId>),
        bytes: u64,
    ) {
        let (memory, target) = to;
        let Some(&written) = self.cx.shadows.written.get(&memory.symbol) else { return };
        let (source_memory, source, before) = from;
        let bits = match before {
            Some(before) => self.written_in(before, source_memory.grain, source, bytes),
            None => self.cx.bv(8 * bytes as u32, -1),
        };
        let map = self.cx.terms.var(written);
        let map = self.cx.write_bytes(map, memory.grain, target, bits);
        self.assign(vec![(written, map)]);
    }
}
