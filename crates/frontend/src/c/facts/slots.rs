//! Promotion of memory to registers (LLVM's `mem2reg` with scalar replacement of aggregates): which locals live in
//! variables instead of memory. The file also collects where registers are used and the source names of locals.
//!
//! **Idea.** A local lives in variables, one for each of its scalars, if its address is only used to load and store
//! whole scalars of it, at constant offsets. Example: `struct { int x, y; } p; p.x = 1; p.y = n;` gives two
//! variables; with `g(&p)` in the same function the address escapes, and `p` stays in memory.
//!
//! **Direction of error.** None: a local whose address is used in any other way, or that is accessed as `volatile`,
//! stays in memory.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::ast::{
    Body, Code, ConstId, ConstKind, DebugKind, DebugValue, Inst, InstKind, LocalId, NodeId, Operand, TypeId,
    Value,
};

use super::super::lower::function::{Lowering, Register, Slot};
use super::super::lower::scalars::{Leaf, Step, gep_steps};
use super::super::operands;
use super::link::{GlobalRef, Linked, Target};

/// The locals of the source, by their addresses, with their nodes in the debug information.
pub(crate) fn declared_locals(code: &Code) -> impl Iterator<Item = (LocalId, NodeId)> {
    code.insts.iter().filter_map(|inst| match &inst.kind {
        InstKind::Debug(record) if record.kind == DebugKind::Declare => match record.value {
            DebugValue::Operand(Operand { value: Value::Local(local), .. }) => {
                Some((local, record.variable?))
            }
            _ => None,
        },
        _ => None,
    })
}

impl Lowering<'_, '_, '_> {
    /// What an address or a converted value was computed from is asked for where that is used: pointers for their difference as integers,
    /// an index for whether it is beyond its array.
    fn keep_what_is_looked_through(&mut self) {
        for inst in self.code.insts.iter().rev() {
            let (InstKind::Cast { .. } | InstKind::Gep(_), Some(result)) = (&inst.kind, inst.result) else {
                continue;
            };
            let (last_use, crosses) = (self.last_use[result.index()], self.crosses[result.index()]);
            for operand in operands(&inst.kind) {
                if let Value::Local(local) = operand.value {
                    let at = local.index();
                    self.last_use[at] = self.last_use[at].max(last_use);
                    self.crosses[at] |= crosses;
                }
            }
        }
    }

    pub(crate) fn find_uses(&mut self) {
        let mut defined_in = vec![u32::MAX; self.code.locals.len()];
        for ix in self.code.block_ids() {
            for to in self.code.terminator(ix).kind.successors() {
                self.predecessors[to.index()].push(ix);
            }
            let block = &self.code.blocks[ix.index()];
            for number in block.first..block.end {
                if let Some(result) = self.code.insts[number as usize].result {
                    defined_in[result.index()] = ix.0;
                }
            }
        }
        for ix in self.code.block_ids() {
            let block = &self.code.blocks[ix.index()];
            for number in block.first..block.end {
                let inst = &self.code.insts[number as usize];
                let mut used = |local: LocalId, crosses: bool| {
                    self.users[local.index()].push(number);
                    self.last_use[local.index()] = number;
                    self.crosses[local.index()] |= crosses;
                };
                if let InstKind::Phi { incoming, .. } = &inst.kind {
                    for (value, from) in incoming {
                        if let Value::Local(local) = value {
                            self.users[local.index()].push(number);
                            // It is read at the end of the block it comes from.
                            let end = self.code.blocks[from.index()].end;
                            let here = defined_in[local.index()] == from.0;
                            self.crosses[local.index()] |= !here;
                            self.last_use[local.index()] = self.last_use[local.index()].max(end);
                        }
                    }
                    continue;
                }
                for operand in operands(&inst.kind) {
                    if let Value::Local(local) = operand.value {
                        used(local, defined_in[local.index()] != ix.0);
                    }
                }
            }
        }
        self.keep_what_is_looked_through();
        for (crosses, &block) in self.crosses.iter_mut().zip(&defined_in) {
            // Parameters are variables already.
            *crosses &= block != u32::MAX;
        }
    }

    pub(crate) fn find_variable_names(&mut self) {
        for (local, variable) in declared_locals(self.code) {
            if let Some(name) = self.module.node(variable).with(&self.module.names).string("name") {
                self.variable_names.entry(local).or_insert_with(|| name.to_owned());
            }
        }
    }

    /// Finds the locals whose address is only used to load and store whole parts.
    pub(crate) fn find_slots(&mut self) {
        let mut parts: FxHashMap<LocalId, Vec<Leaf>> = FxHashMap::default();
        // Addresses of parts of locals: which local, and the offset.
        let mut addresses: FxHashMap<LocalId, (LocalId, u64)> = FxHashMap::default();
        let mut escaped: FxHashSet<LocalId> = FxHashSet::default();
        for inst in &self.code.insts {
            match &inst.kind {
                InstKind::Alloca { ty, count: None, .. } => {
                    if let (Some(result), Ok(leaves)) = (inst.result, self.cx.leaves(self.f.module, *ty))
                        && !leaves.is_empty()
                        && leaves.len() <= 32
                    {
                        parts.insert(result, leaves);
                        addresses.insert(result, (result, 0));
                    }
                }
                InstKind::Gep(gep) => {
                    let Value::Local(base) = gep.base.value else { continue };
                    let Some(&(slot, offset)) = addresses.get(&base) else { continue };
                    match gep_steps(self.module, gep).as_deref() {
                        Some([Step::Constant(bytes)]) if *bytes >= 0 && inst.result.is_some() => {
                            let result = inst.result.expect("just checked");
                            addresses.insert(result, (slot, offset + bytes.unsigned_abs()));
                        }
                        _ => {
                            escaped.insert(slot);
                        }
                    }
                    for index in &gep.indices {
                        escape(&addresses, &mut escaped, index.value);
                    }
                }
                InstKind::Cast { value, .. } if self.only_for_lifetime(inst) => {
                    if let (Value::Local(base), Some(result)) = (value.value, inst.result)
                        && let Some(&address) = addresses.get(&base)
                    {
                        addresses.insert(result, address);
                    }
                }
                InstKind::Load(load) => {
                    self.check_slot_access(
                        &parts,
                        &addresses,
                        &mut escaped,
                        load.pointer.value,
                        load.ty,
                        load.volatile,
                    );
                }
                InstKind::Store(store) => {
                    escape(&addresses, &mut escaped, store.value.value);
                    let (pointer, ty) = (store.pointer.value, store.value.ty);
                    self.check_slot_access(&parts, &addresses, &mut escaped, pointer, ty, store.volatile);
                }
                InstKind::Debug(_) => {}
                kind => {
                    if super::super::lower::calls::is_lifetime(self.module, kind) {
                        continue;
                    }
                    for operand in operands(kind) {
                        escape(&addresses, &mut escaped, operand.value);
                    }
                    if let InstKind::Phi { incoming, .. } = kind {
                        for (value, _) in incoming {
                            escape(&addresses, &mut escaped, *value);
                        }
                    }
                }
            }
        }
        for (local, leaves) in parts {
            if escaped.contains(&local) {
                continue;
            }
            let name = self.local_name(local);
            let symbols = self.cx.fresh_components(&name, &leaves);
            self.declare_all(&symbols);
            let mut symbols = symbols.into_iter();
            let parts = leaves
                .into_iter()
                .map(|leaf| {
                    let count = self.cx.component_sorts(leaf.scalar).len();
                    (leaf, symbols.by_ref().take(count).collect())
                })
                .collect();
            self.slots.insert(local, Slot { parts });
        }
        for (address, (slot, offset)) in addresses {
            if self.slots.contains_key(&slot) {
                self.registers[address.index()] = Some(Register::Slot(slot, offset));
            }
        }
    }

    fn only_for_lifetime(&self, cast: &Inst) -> bool {
        let Some(result) = cast.result else { return false };
        let users = self.users[result.index()].iter().map(|&user| &self.code.insts[user as usize].kind);
        let mut used = users.filter(|kind| !matches!(kind, InstKind::Debug(_)));
        used.all(|kind| super::super::lower::calls::is_lifetime(self.module, kind))
    }

    fn check_slot_access(
        &self,
        parts: &FxHashMap<LocalId, Vec<Leaf>>,
        addresses: &FxHashMap<LocalId, (LocalId, u64)>,
        escaped: &mut FxHashSet<LocalId>,
        pointer: Value,
        ty: TypeId,
        volatile: bool,
    ) {
        let Value::Local(local) = pointer else { return };
        let Some(&(slot, offset)) = addresses.get(&local) else { return };
        let fits = self.cx.leaves(self.f.module, ty).is_ok_and(|wanted| {
            wanted
                .iter()
                .all(|w| parts[&slot].iter().any(|l| l.offset == offset + w.offset && l.scalar == w.scalar))
        });
        if !fits || volatile {
            escaped.insert(slot);
        }
    }
}

/// Notes that the address of a local escapes, so that it does not live in variables.
fn escape(addresses: &FxHashMap<LocalId, (LocalId, u64)>, escaped: &mut FxHashSet<LocalId>, value: Value) {
    if let Value::Local(local) = value
        && let Some(&(slot, _)) = addresses.get(&local)
    {
        escaped.insert(slot);
    }
}

/// Variables whose address is used other than to load and store them as a whole.
pub(crate) fn with_address(linked: &Linked<'_>) -> FxHashSet<GlobalRef> {
    let mut found = FxHashSet::default();
    let mention = |module: u32, c: ConstId, found: &mut FxHashSet<GlobalRef>| {
        let mut todo = vec![(c, 0)];
        while let Some((c, depth)) = todo.pop() {
            let m = &linked.modules[module as usize];
            match &m.constant(c).kind {
                ConstKind::Global(name) | ConstKind::Equivalent(name) => {
                    if let Some(Target::Global(g)) = linked.resolve(module, *name) {
                        found.insert(g);
                    }
                }
                ConstKind::Aggregate(parts) if depth < 64 => {
                    todo.extend(parts.iter().map(|&p| (p, depth + 1)));
                }
                ConstKind::Expr(inst) if depth < 64 => {
                    for operand in operands(inst) {
                        if let Value::Const(inner) = operand.value {
                            todo.push((inner, depth + 1));
                        }
                    }
                }
                _ => {}
            }
        }
    };
    for (g, global) in linked.globals() {
        if let Some(init) = global.init {
            mention(g.module, init, &mut found);
        }
        if global.thread_local {
            found.insert(g);
        }
    }
    for (f, function) in linked.functions() {
        let Body::Defined(code) = &function.body else { continue };
        let whole = |pointer: Operand, ty: TypeId| match pointer.value {
            Value::Const(c) => match linked.modules[f.module as usize].constant(c).kind {
                ConstKind::Global(name) => match linked.resolve(f.module, name) {
                    Some(Target::Global(g)) => g.module == f.module && linked.global(g).ty == ty,
                    _ => false,
                },
                _ => false,
            },
            Value::Local(_) => false,
        };
        for inst in &code.insts {
            match &inst.kind {
                InstKind::Load(load) if whole(load.pointer, load.ty) && !load.is_shared() => {}
                InstKind::Store(store) if whole(store.pointer, store.value.ty) && !store.volatile => {
                    if let Value::Const(c) = store.value.value {
                        mention(f.module, c, &mut found);
                    }
                }
                InstKind::Debug(_) => {}
                kind => {
                    if let InstKind::Phi { incoming, .. } = kind {
                        for (value, _) in incoming {
                            if let Value::Const(c) = value {
                                mention(f.module, *c, &mut found);
                            }
                        }
                    }
                    for operand in operands(kind) {
                        if let Value::Const(c) = operand.value {
                            mention(f.module, c, &mut found);
                        }
                    }
                }
            }
        }
    }
    found
}
