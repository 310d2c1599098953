//! Scopes of blocks: the locals of inner blocks whose address may be used when their block has ended.
//!
//! **Idea.** The debug information has a tree of blocks, with the block in which each local is declared and that of each
//! instruction. A local's lifetime ends where control leaves its block (`lower/lifetimes.rs`). That matters only if its address may
//! be somewhere that lives longer: in a local of a block around it, in a parameter's memory, in a variable. By points-to analysis
//! the local is such if its region is one that pointers there lead to. Example: in `int *p; { int x = 1; p = &x; } return *p;`
//! pointers in `p` lead to the region of `x`, and the block of `p` is around that of `x`.
//!
//! Compound literals have no declaration; they belong to the block of the first instruction that uses them.
//!
//! A variable-length array lives until its block is left or its declaration is gone back to. The compiler gives its memory back in
//! both cases: it restores the stack as it was saved before the array began.
//!
//! **Direction of error.** Without debug information no block ends. Memory of `alloca` lives until its function returns, and so does a local
//! into whose block a jump leads past its declaration.
//! Regions hold more than one object, so a local may be one of these without need, which costs checks.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::ast::{
    BlockIx, Code, DebugKind, DebugValue, Inst, InstKind, LocalId, Module, NodeId, Operand, Value,
};

use super::super::operands;
use super::initialisation::intrinsic;
use super::link::{FnRef, Linked};
use super::outliving_addresses::held_by;
use super::points_to::{Region, Regions};
use super::slots::declared_locals;

/// A local of an inner block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockLocal {
    /// The local.
    pub(crate) local: LocalId,
    /// Its block.
    pub(crate) scope: NodeId,
    /// The instruction with which it begins to exist.
    pub(crate) begins: u32,
}

/// The locals of inner blocks whose address may be used when their block has ended.
#[derive(Clone, Default, Debug)]
pub(crate) struct BlockLocals {
    /// Those of each function.
    pub(crate) of: FxHashMap<FnRef, Vec<BlockLocal>>,
    /// The variable-length arrays of each function with the number of the instruction that makes them.
    pub(crate) arrays: FxHashMap<FnRef, Vec<(LocalId, u32)>>,
    /// The regions of both.
    pub(crate) regions: FxHashSet<Region>,
}

/// The local that an instruction declares, if it is no parameter.
pub(crate) fn declares(module: &Module, kind: &InstKind) -> Option<LocalId> {
    let InstKind::Debug(record) = kind else { return None };
    if record.kind != DebugKind::Declare {
        return None;
    }
    let DebugValue::Operand(Operand { value: Value::Local(local), .. }) = record.value else { return None };
    let variable = module.node(record.variable?).with(&module.names);
    variable.u64("arg").is_none_or(|n| n == 0).then_some(local)
}

/// The blocks around a place in the debug information, itself included, from the inside out.
pub(crate) fn blocks_around(module: &Module, from: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut next = Some(from);
    while let Some(node) = next.filter(|_| found.len() < 256) {
        let view = module.node(node).with(&module.names);
        if view.kind() != "DILexicalBlockFile" {
            found.push(node);
        }
        next = if view.kind() == "DISubprogram" { None } else { view.node("scope") };
    }
    found
}

/// The block of an instruction.
pub(crate) fn block_of(module: &Module, dbg: Option<NodeId>) -> Option<NodeId> {
    let scope = module.node(dbg?).with(&module.names).node("scope")?;
    blocks_around(module, scope).first().copied()
}

impl BlockLocals {
    /// Looks at all functions. `outliving` are the regions of locals whose address may be known behind their activation.
    pub(crate) fn of(linked: &Linked<'_>, regions: &Regions, outliving: &FxHashSet<Region>) -> BlockLocals {
        let mut found = BlockLocals::default();
        for (f, function) in linked.functions() {
            let Some(code) = function.body.code() else { continue };
            let module = &linked.modules[f.module as usize];
            let scopes = scopes(module, code);
            let region = |local| regions.local(f, local).map(|r| regions.find(r));
            let mut own = Vec::new();
            for inner in &scopes {
                let around = blocks_around(module, inner.scope);
                // The function's own block ends with the activation.
                if around.len() < 2 || is_of_variable_size(code, inner.local) {
                    continue;
                }
                let Some(lies_in) = region(inner.local) else { continue };
                let is_held = scopes.iter().any(|outer| {
                    let mut held = FxHashSet::default();
                    if outer.scope != inner.scope && around.contains(&outer.scope) {
                        held_by(regions, regions.local(f, outer.local), &mut held);
                    }
                    held.contains(&lies_in)
                });
                if (is_held || outliving.contains(&lies_in)) && !is_entered_past(module, code, inner) {
                    own.push(*inner);
                    found.regions.insert(lies_in);
                }
            }
            if !own.is_empty() {
                found.of.insert(f, own);
            }
            for (array, at) in variable_arrays(code) {
                let Some(lies_in) = region(array) else { continue };
                let is_held = scopes.iter().any(|other| {
                    let mut held = FxHashSet::default();
                    if other.local != array {
                        held_by(regions, regions.local(f, other.local), &mut held);
                    }
                    held.contains(&lies_in)
                });
                if is_held || outliving.contains(&lies_in) {
                    found.arrays.entry(f).or_default().push((array, at));
                    found.regions.insert(lies_in);
                }
            }
        }
        found
    }
}

fn is_of_variable_size(code: &Code, local: LocalId) -> bool {
    let definition = code.definition(Value::Local(local)).map(|inst| &inst.kind);
    !matches!(definition, Some(InstKind::Alloca { count: None, .. }))
}

/// The variable-length arrays of a function that are declared, with the numbers of the instructions that make them.
fn variable_arrays(code: &Code) -> Vec<(LocalId, u32)> {
    let declared: FxHashSet<LocalId> = declared_locals(code).map(|(local, _)| local).collect();
    let is_array = |inst: &Inst| matches!(inst.kind, InstKind::Alloca { count: Some(_), .. });
    let made = code.insts.iter().enumerate().filter(|(_, inst)| is_array(inst));
    let arrays = made.filter_map(|(at, inst)| Some((inst.result?, at as u32)));
    arrays.filter(|(local, _)| declared.contains(local)).collect()
}

/// The number of the instruction that saved what a pointer to the stack was loaded from.
pub(crate) fn saved_at(module: &Module, code: &Code, restored: Value) -> Option<u32> {
    let InstKind::Load(load) = &code.definition(restored)?.kind else { return None };
    let is_saved = |value: Value| match code.definition(value).map(|inst| &inst.kind) {
        Some(InstKind::Call(call)) => {
            intrinsic(module, call).is_some_and(|name| name.starts_with("stacksave"))
        }
        _ => false,
    };
    let stores = code.insts.iter().position(|inst| match &inst.kind {
        InstKind::Store(store) => store.pointer.value == load.pointer.value && is_saved(store.value.value),
        _ => false,
    });
    stores.map(|at| at as u32)
}

/// The locals of a function with their blocks.
fn scopes(module: &Module, code: &Code) -> Vec<BlockLocal> {
    let mut found: Vec<BlockLocal> = Vec::new();
    for (local, variable) in declared_locals(code) {
        let Some(scope) = module.node(variable).with(&module.names).node("scope") else { continue };
        let Some(&scope) = blocks_around(module, scope).first() else { continue };
        let begins = code.insts.iter().position(|inst| declares(module, &inst.kind) == Some(local));
        found.push(BlockLocal { local, scope, begins: begins.map_or(u32::MAX, |at| at as u32) });
    }
    let mut rest: FxHashSet<LocalId> = code
        .insts
        .iter()
        .filter(|inst| matches!(inst.kind, InstKind::Alloca { .. }))
        .filter_map(|inst| inst.result)
        .filter(|local| found.iter().all(|known| known.local != *local))
        .collect();
    for (at, inst) in code.insts.iter().enumerate() {
        if rest.is_empty() {
            break;
        }
        for operand in operands(&inst.kind) {
            if let Value::Local(local) = operand.value
                && rest.contains(&local)
                && let Some(scope) = block_of(module, inst.dbg)
            {
                rest.remove(&local);
                found.push(BlockLocal { local, scope, begins: at as u32 });
            }
        }
    }
    found
}

/// Whether a jump may lead into the block of a local behind the place where it begins, as in `switch (x) { int k; case 0: … }`: then
/// nothing says when it begins to exist.
fn is_entered_past(module: &Module, code: &Code, inner: &BlockLocal) -> bool {
    let mut before: Vec<Vec<BlockIx>> = vec![Vec::new(); code.blocks.len()];
    for ix in code.block_ids() {
        for to in code.terminator(ix).kind.successors() {
            before[to.index()].push(ix);
        }
    }
    let is_outside = |inst: &Inst| {
        let says_nothing =
            inst.kind.is_terminator() || matches!(inst.kind, InstKind::Debug(_) | InstKind::Phi { .. });
        let here = block_of(module, inst.dbg).filter(|_| !says_nothing);
        here.is_some_and(|here| !blocks_around(module, here).contains(&inner.scope))
    };
    let uses = |inst: &Inst| {
        operands(&inst.kind).into_iter().any(|operand| operand.value == Value::Local(inner.local))
    };
    // Backwards from each use to where it begins.
    let used = code.block_ids().filter_map(|ix| {
        let block = &code.blocks[ix.index()];
        let last = (block.first..block.end).rev().find(|&number| uses(&code.insts[number as usize]))?;
        Some((ix, last))
    });
    let mut todo: Vec<(BlockIx, u32)> = used.collect();
    let mut seen = FxHashSet::default();
    while let Some((ix, from)) = todo.pop() {
        let first = code.blocks[ix.index()].first;
        let mut rest = (first..=from).rev();
        let end = rest.find(|&number| number == inner.begins || is_outside(&code.insts[number as usize]));
        match end {
            Some(number) if number == inner.begins => continue,
            Some(_) => return true,
            None if ix == BlockIx(0) => return true,
            None => {}
        }
        for &other in &before[ix.index()] {
            if seen.insert(other) {
                todo.push((other, code.blocks[other.index()].end - 1));
            }
        }
    }
    false
}
