//! Points-to analysis by unification (Steensgaard's): memory is divided into regions such that every pointer points
//! into one region only.
//!
//! **Idea.** Every value points into at most one *region*, and the pointers stored in a region all point into one
//! region, its content; an assignment unifies the regions of its two sides. One pass over all instructions suffices,
//! in almost linear time. Every region becomes a separate map of the program form, so that a write to one leaves the
//! others unchanged.
//!
//! Example: after `p = &x; q = p; r = &y;` the pointers `p` and `q` point into the region of `x`, and `r` into that
//! of `y`; so `*r = 1` cannot change `*p`. A later `q = r` would unify the two regions.
//!
//! For each region the *grain* is computed: the greatest power of two that divides the size of every access and every
//! distance between addresses that are computed in it. Cells of that many bytes are never accessed in part, wherever
//! an access begins; so a region of `int`s has cells of 32 bits, and one with mixed contents has cells of one byte.
//!
//! Addresses that are compared or subtracted belong to one object in most programs (`while (p < end)`). The regions
//! that they point into are therefore unified as well, and marked as *compared*: pointers into such a region that a
//! harness makes may share an object.
//!
//! **Paper.** B. Steensgaard, "Points-to analysis in almost linear time" (POPL 1996).
//!
//! **Deviations.** Integers as wide as a pointer count as pointers, and so do narrower ones that are loaded and
//! stored unchanged, so that casts and copies are followed.
//!
//! **Direction of error.** A pointer that is taken apart and reassembled from pieces smaller than a pointer is lost.
//! Memory that belongs to one region is then split into two maps, and a proof may miss a write.

mod calls;
mod numbers;
mod punning;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::ast::{
    BinaryOp, Body, Call, Callee, CastOp, Code, ConstId, ConstKind, Gep, InstKind, IntPredicate, LocalId,
    Module, Operand, Predicate, TypeId, TypeKind, Value,
};

use super::super::lower::scalars::{Step, gep_steps};
use super::super::lower::varargs::is_in_registers;
use super::link::{FnRef, GlobalRef, Linked, Target};

use calls::gets_structures;
use numbers::number;
use punning::Accesses;

pub(in crate::c) use numbers::PAGE;

pub(in crate::c) use calls::{called_constant, callee};

/// Names a region, possibly one that was unified into another; [`Regions::find`] returns the region that it became.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Region(u32);

/// What points into a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Holder {
    /// A parameter or result of an instruction.
    Local(FnRef, LocalId),
    /// What a function returns.
    Return(FnRef),
    /// The variable arguments of a function.
    Varargs(FnRef),
    /// Where a function finds its variable arguments.
    List(FnRef),
    /// Where structures are stored that a function receives in registers.
    Passed(FnRef),
    /// The address of a variable.
    Global(GlobalRef),
    /// The address of a function.
    Function(FnRef),
    /// Addresses that the source gives as numbers, as those of registers of devices, where they are accessed as constants.
    Numbers,
    /// Those numbers that the program form has for addresses in objects.
    FarNumbers,
}

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    content: Option<u32>,
    grain: u64,
    /// Whether addresses in it are compared or subtracted.
    compared: bool,
    /// Whether addresses in it are ordered, subtracted, or moved on by whole elements.
    stepped: bool,
    /// Whether addresses of elements of arrays are computed in it.
    indexed: bool,
    /// Whether the program accesses anything in it.
    accessed: bool,
    /// Whether it holds objects that the program makes: variables, allocated memory, what external functions return.
    made: bool,
    /// Whether the program changes anything in it.
    written: bool,
    /// Whether the program frees objects in it.
    freed: bool,
    /// Whether addresses in it may be numbers.
    numbered: bool,
}

/// The regions of a program.
#[derive(Clone)]
pub struct Regions {
    nodes: Vec<Node>,
    holders: FxHashMap<Holder, u32>,
    /// Functions whose address is taken.
    pub address_taken: Vec<FnRef>,
    /// Those whose address is cast to that of a function of another type.
    pub cast_functions: FxHashSet<FnRef>,
    /// Variables that pointers from outside may point to.
    pub shared: FxHashSet<GlobalRef>,
    /// By node, the one that it was unified into by this analysis alone, before types unify others, and whether addresses are
    /// compared there.
    by_flow: Vec<(u32, bool)>,
}

/// Grain of a region that is never accessed.
const WIDEST: u64 = 8;

impl Regions {
    /// Analyses all functions and initialisers.
    pub fn of(linked: &Linked<'_>) -> Regions {
        let regions = Regions {
            nodes: Vec::new(),
            holders: FxHashMap::default(),
            address_taken: Vec::new(),
            cast_functions: FxHashSet::default(),
            shared: FxHashSet::default(),
            by_flow: Vec::new(),
        };
        let mut work = Work { linked, regions, accesses: Accesses::of(linked) };
        for (g, global) in linked.globals() {
            if let Some(init) = global.init {
                let here = work.holder(Holder::Global(g));
                work.initialiser(g.module, here, init, 0);
                work.initial_numbers(g, here, init, global.ty);
            }
        }
        let mut indirect = Vec::new();
        for (f, function) in linked.functions() {
            if let Body::Defined(code) = &function.body {
                work.passed(f);
                work.function(f, code, &mut indirect);
            }
        }
        work.regions.address_taken.sort_unstable();
        work.regions.address_taken.dedup();
        work.indirect_calls(&indirect);
        work.indirect_results();
        work.objects_of_the_program();
        work.numbers();
        work.punned();
        let mut regions = work.regions;
        let nodes = 0..regions.nodes.len() as u32;
        let roots = nodes.map(|node| regions.root(node));
        regions.by_flow = roots.map(|root| (root, regions.nodes[root as usize].compared)).collect();
        regions
    }

    /// Whether the program may compare the addresses that two locals of a function hold: both point into one region by its own
    /// assignments and comparisons, and addresses are compared there. That their types are the same does not suffice.
    pub fn may_meet(&self, f: FnRef, a: LocalId, b: LocalId) -> bool {
        let flow = |local| self.by_flow.get(*self.holders.get(&Holder::Local(f, local))? as usize);
        matches!((flow(a), flow(b)), (Some((a, true)), Some((b, _))) if a == b)
    }

    /// The region that a region was unified into.
    pub fn find(&self, region: Region) -> Region {
        Region(self.root(region.0))
    }

    /// Whether the program compares or subtracts addresses in a region.
    pub fn is_compared(&self, region: Region) -> bool {
        self.nodes[self.root(region.0) as usize].compared
    }

    /// Whether the program orders or subtracts addresses in a region, or steps by whole elements: only there a
    /// pointer just past the end of an object matters.
    pub fn is_stepped(&self, region: Region) -> bool {
        self.nodes[self.root(region.0) as usize].stepped
    }

    /// Whether the program computes addresses of elements of arrays in a region.
    pub fn is_indexed(&self, region: Region) -> bool {
        self.nodes[self.root(region.0) as usize].indexed
    }

    /// Whether the program accesses anything in a region.
    pub fn is_accessed(&self, region: Region) -> bool {
        self.nodes[self.root(region.0) as usize].accessed
    }

    /// Whether the program writes to a region or frees objects in it, so that it matters whether two pointers alias
    /// there.
    pub fn is_changed(&self, region: Region) -> bool {
        let node = &self.nodes[self.root(region.0) as usize];
        node.written || node.freed
    }

    /// Unifies two regions, and the regions that pointers in them point into.
    pub fn unite(&mut self, a: Region, b: Region) {
        self.unify(a.0, b.0);
    }

    /// Whether the program frees objects in a region.
    pub fn is_freed(&self, region: Region) -> bool {
        self.nodes[self.root(region.0) as usize].freed
    }

    /// Whether all objects in a region come from outside the program.
    pub fn is_given(&self, region: Region) -> bool {
        !self.nodes[self.root(region.0) as usize].made
    }

    /// The region a local points into.
    pub fn local(&self, f: FnRef, local: LocalId) -> Option<Region> {
        self.holders.get(&Holder::Local(f, local)).map(|&n| Region(self.root(n)))
    }

    /// The region that a variable is in.
    pub fn global(&self, g: GlobalRef) -> Option<Region> {
        self.holders.get(&Holder::Global(g)).map(|&n| Region(self.root(n)))
    }

    /// The region that pointers to a function point into.
    pub fn function(&self, f: FnRef) -> Option<Region> {
        self.holders.get(&Holder::Function(f)).map(|&n| Region(self.root(n)))
    }

    /// The region a function's result points into.
    pub fn result(&self, f: FnRef) -> Option<Region> {
        self.holders.get(&Holder::Return(f)).map(|&n| Region(self.root(n)))
    }

    /// The region where a function finds its variable arguments.
    pub fn list(&self, f: FnRef) -> Option<Region> {
        self.holders.get(&Holder::List(f)).map(|&n| Region(self.root(n)))
    }

    /// The region that the variable arguments of a function point into.
    pub fn varargs(&self, f: FnRef) -> Option<Region> {
        self.holders.get(&Holder::Varargs(f)).map(|&n| Region(self.root(n)))
    }

    /// The region that holds the structures which a function receives in registers.
    pub fn passed(&self, f: FnRef) -> Option<Region> {
        self.holders.get(&Holder::Passed(f)).map(|&n| Region(self.root(n)))
    }

    /// The region that results of functions called through pointers point into.
    pub fn unknown_result(&self) -> Option<Region> {
        self.result(FnRef { module: u32::MAX, index: u32::MAX })
    }

    /// The region that pointers stored in a region point into.
    pub fn content(&self, region: Region) -> Option<Region> {
        self.nodes[self.root(region.0) as usize].content.map(|n| Region(self.root(n)))
    }

    /// The size in bytes of a cell of a region.
    pub fn grain(&self, region: Region) -> u64 {
        self.nodes[self.root(region.0) as usize].grain
    }

    /// The region an operand of a function points into.
    pub fn operand(&self, linked: &Linked<'_>, f: FnRef, value: Value) -> Option<Region> {
        match value {
            Value::Local(local) => self.local(f, local),
            Value::Const(c) => self.constant(linked, f.module, c, 0),
        }
    }

    fn constant(&self, linked: &Linked<'_>, module: u32, c: ConstId, depth: u32) -> Option<Region> {
        match &linked.modules[module as usize].constant(c).kind {
            ConstKind::Global(name) | ConstKind::Equivalent(name) => match linked.resolve(module, *name)? {
                Target::Global(g) => self.global(g),
                Target::Function(f) => self.function(f),
            },
            ConstKind::Expr(inst) if depth < 32 => match number(&linked.modules[module as usize], inst) {
                Some(number) => self.numbers(number),
                None => constant_operands(inst)
                    .into_iter()
                    .find_map(|inner| self.constant(linked, module, inner, depth + 1)),
            },
            _ => None,
        }
    }

    fn root(&self, mut node: u32) -> u32 {
        while self.nodes[node as usize].parent != node {
            node = self.nodes[node as usize].parent;
        }
        node
    }

    /// The node that a node was unified into.
    fn node(&mut self, node: u32) -> &mut Node {
        let root = self.root(node);
        &mut self.nodes[root as usize]
    }

    fn fresh(&mut self) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node {
            parent: id,
            content: None,
            grain: WIDEST,
            compared: false,
            stepped: false,
            indexed: false,
            accessed: false,
            made: false,
            written: false,
            freed: false,
            numbered: false,
        });
        id
    }

    /// Unifies two regions, and the regions that pointers in them point into.
    fn unify(&mut self, a: u32, b: u32) {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.root(a), self.root(b));
            if a == b {
                continue;
            }
            let (keep, gone) = (a.min(b), a.max(b));
            let Node {
                content,
                grain,
                compared,
                stepped,
                indexed,
                accessed,
                made,
                written,
                freed,
                numbered,
                ..
            } = self.nodes[gone as usize].clone();
            self.nodes[gone as usize].parent = keep;
            let kept = &mut self.nodes[keep as usize];
            kept.grain = kept.grain.min(grain);
            kept.compared |= compared;
            kept.stepped |= stepped;
            kept.indexed |= indexed;
            kept.accessed |= accessed;
            kept.made |= made;
            kept.written |= written;
            kept.freed |= freed;
            kept.numbered |= numbered;
            match (kept.content, content) {
                (Some(x), Some(y)) => todo.push((x, y)),
                (None, other) => kept.content = other,
                (Some(_), None) => {}
            }
        }
    }
}

/// Whether a value is an address that was cast to an integer.
fn is_address(code: &Code, value: Value) -> bool {
    code.definition(value).is_some_and(|inst| {
        matches!(inst.kind, InstKind::Cast { op: CastOp::PtrToInt | CastOp::PtrToAddr, .. })
    })
}

/// The constants that a constant expression is made of.
fn constant_operands(inst: &InstKind) -> Vec<ConstId> {
    let of = |value: Value| match value {
        Value::Const(c) => Some(c),
        Value::Local(_) => None,
    };
    let values: Vec<Value> = match inst {
        InstKind::Gep(gep) => vec![gep.base.value],
        InstKind::Cast { value, .. } => vec![value.value],
        InstKind::Select { then, otherwise, .. } => vec![then.value, otherwise.value],
        InstKind::Binary { left, right, .. } => vec![left.value, *right],
        _ => Vec::new(),
    };
    values.into_iter().filter_map(of).collect()
}

struct Work<'a, 'm> {
    linked: &'a Linked<'m>,
    regions: Regions,
    accesses: Accesses,
}

impl Work<'_, '_> {
    fn holder(&mut self, holder: Holder) -> u32 {
        if let Some(&node) = self.regions.holders.get(&holder) {
            return node;
        }
        let node = self.regions.fresh();
        self.regions.holders.insert(holder, node);
        node
    }

    fn content(&mut self, node: u32) -> u32 {
        let root = self.regions.root(node);
        if let Some(content) = self.regions.nodes[root as usize].content {
            return content;
        }
        let content = self.regions.fresh();
        self.regions.nodes[root as usize].content = Some(content);
        content
    }

    fn limit_grain(&mut self, node: u32, bytes: u64) {
        let node = self.regions.node(node);
        node.accessed = true;
        if bytes != 0 {
            node.grain = node.grain.min(1 << bytes.trailing_zeros().min(3));
        }
    }

    fn module(&self, f: FnRef) -> &Module {
        &self.linked.modules[f.module as usize]
    }

    fn size(&self, module: u32, ty: TypeId) -> u64 {
        self.linked.modules[module as usize].layouts.get(ty).map_or(1, |l| l.store_size)
    }

    /// Whether values of a type can carry a pointer.
    fn carries(&self, module: u32, ty: TypeId) -> bool {
        let module = &self.linked.modules[module as usize];
        match module.types.resolved(ty) {
            TypeKind::Ptr { .. } | TypeKind::Array(..) | TypeKind::Struct { .. } => true,
            TypeKind::Vector { element, .. } => module.types.is_pointer(*element),
            TypeKind::Int(bits) => *bits == module.data_layout.pointer_bits(),
            _ => false,
        }
    }

    /// The region of an operand; `None` if it cannot point anywhere.
    fn value(&mut self, f: FnRef, value: Value) -> Option<u32> {
        match value {
            Value::Local(local) => Some(self.holder(Holder::Local(f, local))),
            Value::Const(c) => self.constant(f.module, c, 0),
        }
    }

    fn constant(&mut self, module: u32, c: ConstId, depth: u32) -> Option<u32> {
        let linked = self.linked;
        match &linked.modules[module as usize].constant(c).kind {
            ConstKind::Global(name) | ConstKind::Equivalent(name) => match linked.resolve(module, *name)? {
                Target::Global(g) => Some(self.holder(Holder::Global(g))),
                Target::Function(f) => {
                    self.regions.address_taken.push(f);
                    Some(self.holder(Holder::Function(f)))
                }
            },
            ConstKind::Expr(inst) if depth < 32 => {
                if let Some(number) = number(&linked.modules[module as usize], inst) {
                    return Some(self.number(number));
                }
                self.note_cast(module, inst);
                let mut all: Option<u32> = None;
                for inner in constant_operands(inst) {
                    if let Some(node) = self.constant(module, inner, depth + 1) {
                        if let Some(other) = all {
                            self.regions.unify(node, other);
                        }
                        all = Some(node);
                    }
                }
                if let (InstKind::Gep(gep), Some(node)) = (&**inst, all) {
                    self.strides(module, None, node, gep);
                }
                all
            }
            ConstKind::Aggregate(parts) => {
                let mut all: Option<u32> = None;
                for &part in parts {
                    if let Some(node) = self.constant(module, part, depth + 1) {
                        if let Some(other) = all {
                            self.regions.unify(node, other);
                        }
                        all = Some(node);
                    }
                }
                all
            }
            _ => None,
        }
    }

    fn initialiser(&mut self, module: u32, here: u32, c: ConstId, depth: u32) {
        let linked = self.linked;
        let constant = linked.modules[module as usize].constant(c);
        match &constant.kind {
            ConstKind::Aggregate(parts) if depth < 64 => {
                for &part in parts {
                    self.initialiser(module, here, part, depth + 1);
                }
            }
            ConstKind::Global(_) | ConstKind::Equivalent(_) | ConstKind::Expr(_) => {
                if let Some(to) = self.constant(module, c, 0) {
                    let content = self.content(here);
                    self.regions.unify(content, to);
                }
            }
            _ => {}
        }
    }

    fn unify_values(&mut self, f: FnRef, a: Value, b: Value) {
        if let (Some(a), Some(b)) = (self.value(f, a), self.value(f, b)) {
            self.regions.unify(a, b);
        }
    }

    /// Notes two addresses whose equality, order or distance the program computes.
    fn compared(&mut self, f: FnRef, a: Value, b: Value, is_order: bool) {
        let variable = |value| matches!(value, Value::Local(_));
        if !variable(a) || !variable(b) {
            return;
        }
        if let (Some(a), Some(b)) = (self.value(f, a), self.value(f, b)) {
            self.regions.unify(a, b);
            let node = self.regions.node(a);
            node.compared = true;
            node.stepped |= is_order;
        }
    }

    /// `code` is there unless the address is a constant.
    fn strides(&mut self, module: u32, code: Option<&Code>, node: u32, gep: &Gep) {
        let linked = self.linked;
        let module = &linked.modules[module as usize];
        let is_zero = |value| matches!(value, Value::Const(c) if matches!(module.constant(c).kind, ConstKind::Int(0) | ConstKind::Zero));
        let in_array = matches!(module.types.resolved(gep.source), TypeKind::Array(..));
        let moves = gep.indices.first().is_some_and(|index| !is_zero(index.value));
        self.regions.node(node).indexed |= in_array || moves;
        let Some(steps) = gep_steps(module, gep) else {
            self.regions.node(node).indexed = true;
            return self.limit_grain(node, 1);
        };
        self.regions.node(node).indexed |= steps.iter().any(|step| matches!(step, Step::Scaled(..)));
        for step in steps {
            match step {
                Step::Scaled(at, 1) if code.is_some_and(|code| is_in_registers(module, code, at.value)) => {
                    self.limit_grain(node, 8);
                }
                Step::Constant(bytes) => self.limit_grain(node, bytes.unsigned_abs()),
                Step::Scaled(_, bytes) => self.limit_grain(node, bytes),
            }
        }
    }

    fn access(&mut self, f: FnRef, pointer: Value, ty: TypeId) -> Option<u32> {
        let node = self.value(f, pointer)?;
        let size = self.size(f.module, ty);
        self.limit_grain(node, size);
        // The parts of an aggregate are accessed one by one.
        self.limit_parts(f.module, node, ty, 0);
        Some(node)
    }

    fn limit_parts(&mut self, module: u32, node: u32, ty: TypeId, depth: u32) {
        let linked = self.linked;
        let m = &linked.modules[module as usize];
        match m.types.resolved(ty) {
            TypeKind::Struct { fields, .. } if depth < 16 => {
                let offsets = m.layouts.get(ty).map(|l| l.offsets.clone()).unwrap_or_default();
                for (&field, &offset) in fields.iter().zip(offsets.iter()) {
                    self.limit_grain(node, offset);
                    self.limit_parts(module, node, field, depth + 1);
                }
            }
            TypeKind::Array(_, element) if depth < 16 => self.limit_parts(module, node, *element, depth + 1),
            TypeKind::Vector { element, .. } if depth < 16 => {
                self.limit_parts(module, node, *element, depth + 1);
            }
            _ => {
                let size = self.size(module, ty);
                self.limit_grain(node, size);
            }
        }
    }

    /// Pointers in structures that a function receives in registers point where these parameters do.
    fn passed(&mut self, f: FnRef) {
        let (linked, function) = (self.linked, self.linked.function(f));
        if !gets_structures(&linked.modules[f.module as usize], function) {
            return;
        }
        let here = self.holder(Holder::Passed(f));
        self.limit_grain(here, 1);
        for (i, param) in function.params.iter().enumerate() {
            if self.carries(f.module, param.ty) {
                let (content, own) = (self.content(here), self.holder(Holder::Local(f, LocalId(i as u32))));
                self.regions.unify(content, own);
            }
        }
    }

    fn function(&mut self, f: FnRef, code: &Code, indirect: &mut Vec<(FnRef, Call)>) {
        for inst in &code.insts {
            let result = inst.result.map(Value::Local);
            match &inst.kind {
                InstKind::Ret(Some(value)) => {
                    if let Some(node) = self.value(f, value.value) {
                        let ret = self.holder(Holder::Return(f));
                        self.regions.unify(node, ret);
                    }
                }
                InstKind::Load(load) => {
                    if let (Some(node), Some(result)) = (self.access(f, load.pointer.value, load.ty), result)
                    {
                        let content = self.content(node);
                        self.unify_to(f, result, content);
                        self.pointers_read(f, code, load.pointer.value, load.ty);
                    }
                }
                InstKind::Store(store) => {
                    if let Some(node) = self.access(f, store.pointer.value, store.value.ty) {
                        self.regions.node(node).written = true;
                        self.numbers_written(f, code, store.pointer.value, store.value);
                        if let Some(value) = self.stored(f, code, store.value) {
                            let content = self.content(node);
                            self.regions.unify(content, value);
                        }
                    }
                }
                InstKind::Gep(gep) => {
                    if let (Some(node), Some(result)) = (self.value(f, gep.base.value), result) {
                        self.strides(f.module, Some(code), node, gep);
                        let is_zero = |c| {
                            matches!(self.module(f).constant(c).kind, ConstKind::Int(0) | ConstKind::Zero)
                        };
                        let first = gep.indices.first().map(|index| index.value);
                        if !matches!(first, Some(Value::Const(c)) if is_zero(c)) {
                            self.regions.node(node).stepped = true;
                        }
                        self.unify_to(f, result, node);
                    }
                }
                InstKind::Cast { op, value, to, .. } => {
                    let pointer = matches!(op, CastOp::PtrToInt | CastOp::IntToPtr | CastOp::PtrToAddr);
                    if let Some(result) = result
                        && (pointer || self.carries(f.module, *to) || self.carries(f.module, value.ty))
                    {
                        self.unify_values(f, result, value.value);
                    }
                    if let (CastOp::IntToPtr, Some(node)) = (op, self.value(f, value.value)) {
                        self.limit_grain(node, 1);
                        self.regions.node(node).numbered = true;
                    }
                }
                InstKind::Compare { predicate, left, right, .. }
                    if self.module(f).types.is_pointer(left.ty) =>
                {
                    let is_order = !matches!(predicate, Predicate::Int(IntPredicate::Eq | IntPredicate::Ne));
                    self.compared(f, left.value, *right, is_order);
                }
                InstKind::Binary { op, left, right, .. } if self.carries(f.module, left.ty) => {
                    if *op == BinaryOp::Sub && is_address(code, left.value) && is_address(code, *right) {
                        self.compared(f, left.value, *right, true);
                    }
                    let address = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::And | BinaryOp::Or);
                    if let (Some(result), true) = (result, address) {
                        self.unify_values(f, result, left.value);
                        self.unify_values(f, result, *right);
                    }
                }
                InstKind::Select { then, otherwise, .. } => {
                    if let Some(result) = result
                        && self.carries(f.module, then.ty)
                    {
                        self.unify_values(f, result, then.value);
                        self.unify_values(f, result, otherwise.value);
                    }
                }
                InstKind::Phi { ty, incoming } => {
                    if let Some(result) = result
                        && self.carries(f.module, *ty)
                    {
                        for (value, _) in incoming {
                            self.unify_values(f, result, *value);
                        }
                    }
                }
                InstKind::Freeze(value) => self.flow(f, result, &[value.value]),
                InstKind::ExtractValue { aggregate, .. } => self.flow(f, result, &[aggregate.value]),
                InstKind::InsertValue { aggregate, element, .. } => {
                    self.flow(f, result, &[aggregate.value, element.value]);
                }
                InstKind::ExtractElement { vector, .. } => self.flow(f, result, &[vector.value]),
                InstKind::InsertElement { vector, element, .. } => {
                    self.flow(f, result, &[vector.value, element.value]);
                }
                InstKind::ShuffleVector { left, right, .. } => {
                    self.flow(f, result, &[left.value, right.value]);
                }
                InstKind::CmpXchg { pointer, new, .. } => {
                    if let Some(node) = self.access(f, pointer.value, new.ty) {
                        self.regions.node(node).written = true;
                        self.numbers_written(f, code, pointer.value, *new);
                        self.pointers_read(f, code, pointer.value, new.ty);
                        let content = self.content(node);
                        if let Some(value) = self.stored(f, code, *new) {
                            self.regions.unify(content, value);
                        }
                        if let Some(result) = result {
                            self.unify_to(f, result, content);
                        }
                    }
                }
                InstKind::AtomicRmw { pointer, value, .. } => {
                    if let Some(node) = self.access(f, pointer.value, value.ty) {
                        self.regions.node(node).written = true;
                        self.numbers_written(f, code, pointer.value, *value);
                        self.pointers_read(f, code, pointer.value, value.ty);
                        let content = self.content(node);
                        if let Some(value) = self.stored(f, code, *value) {
                            self.regions.unify(content, value);
                        }
                        if let Some(result) = result {
                            self.unify_to(f, result, content);
                        }
                    }
                }
                InstKind::VaArg { .. } => {
                    let extra = self.holder(Holder::Varargs(f));
                    if let Some(result) = result {
                        self.unify_to(f, result, extra);
                    }
                }
                kind => {
                    if let Some(call) = kind.as_call() {
                        self.any_call(f, call, inst.result, indirect);
                    }
                }
            }
        }
    }

    /// Marks the regions in which the program makes objects.
    fn objects_of_the_program(&mut self) {
        let linked = self.linked;
        let mut made: Vec<Holder> = Vec::new();
        for holder in self.regions.holders.keys() {
            if let Holder::Global(_) | Holder::List(_) | Holder::Passed(_) = holder {
                made.push(*holder);
            }
        }
        for (f, function) in linked.functions() {
            for inst in function.body.code().into_iter().flat_map(|code| &code.insts) {
                let Some(result) = inst.result else { continue };
                let has_body = |call: &Call| match call.callee {
                    Callee::Named(name) => match linked.resolve(f.module, name) {
                        Some(Target::Function(callee)) => linked.function(callee).body.code().is_some(),
                        _ => false,
                    },
                    _ => false,
                };
                let makes = matches!(inst.kind, InstKind::Alloca { .. })
                    || inst.kind.as_call().is_some_and(|call| !has_body(call));
                if makes {
                    made.push(Holder::Local(f, result));
                }
            }
        }
        for holder in made {
            if let Some(&node) = self.regions.holders.get(&holder) {
                self.regions.node(node).made = true;
            }
        }
    }

    fn flow(&mut self, f: FnRef, result: Option<Value>, from: &[Value]) {
        if let Some(result) = result {
            for &value in from {
                self.unify_values(f, result, value);
            }
        }
    }

    fn unify_to(&mut self, f: FnRef, value: Value, node: u32) {
        if let Some(own) = self.value(f, value) {
            self.regions.unify(own, node);
        }
    }

    /// The region of a value that is stored, if it may carry a pointer: by its type, or as it was just loaded.
    fn stored(&mut self, f: FnRef, code: &Code, value: Operand) -> Option<u32> {
        let loaded = code.definition(value.value).is_some_and(|inst| matches!(inst.kind, InstKind::Load(_)));
        if loaded || self.carries(f.module, value.ty) { self.value(f, value.value) } else { None }
    }
}
