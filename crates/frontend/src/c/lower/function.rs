//! Lowering of one function: from LLVM's instructions to a body of the program form.
//!
//! **Idea.** Locals whose address does not escape become variables under their source names, field by field
//! (`facts/slots.rs`); all other locals live in memory. A register is the term that computes it, substituted where it
//! is used. It becomes a variable only if another block uses it, or if something that it was computed from changes
//! before its last use. Example: `x = x + 1`, which is a load, an addition and a store in LLVM, stays the single
//! assignment `x := x + 1`.
//!
//! Blocks keep the numbers that they have in LLVM; blocks for edges, arms of a `switch` and checks follow
//! ([`BlockRole`] says what each is).
//!
//! **Direction of error.** An uninitialised local has an arbitrary value that is the same at every read; by the rules
//! of C and LLVM it may differ from read to read.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use footpath_ir::source::Span;
use footpath_ir::{
    AssertKind, Attribute, AttributeArg, Block, BlockId, Body, Origin, Place, ProcId, Statement,
    StatementKind, Terminator, TerminatorKind, Variable,
};
use footpath_term::{SortId, SymbolId, TermId};

use crate::llvm::ast::{
    BlockIx, Code, ConstId, ConstKind, DebugKind, Inst, InstKind, LocalId, LocalName, Module, NodeId,
    Operand, Value,
};

use crate::llvm::Limit;

use super::super::Unsupported;
use super::super::facts::link::FnRef;
use super::super::facts::pointer_use::PointerUse;
use super::super::source::debug_info::DebugInfo;
use super::char_table::{LookUps, Table};
use super::context::{Context, Pointer};
use super::evaluations::{Evaluations, LoweredDecision};
use super::scalars::Leaf;
use super::shadow::OwnShadows;

/// What a block of a lowered function is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockRole {
    /// The beginning of a block of LLVM's.
    Source(BlockIx),
    /// An edge of LLVM's graph: from this block to the successor with this position.
    Edge(BlockIx, u32),
    /// A check that does not stop the program fails.
    Check(AssertKind),
    /// The head of a loop that copies or fills memory, which the source has not.
    Copy,
    /// Made by the lowering.
    Glue,
}

/// A lowered body and what its blocks are.
pub(crate) struct LoweredBody {
    pub(crate) body: Body,
    pub(crate) roles: Vec<BlockRole>,
    /// The arms of LLVM's conditional branches.
    pub(crate) arms: Vec<Arm>,
    /// The blocks that only the `default` of a switch leads to.
    pub(crate) defaults: Vec<BlockIx>,
    /// The decisions, with the blocks of their evaluations.
    pub(crate) decisions: Vec<LoweredDecision>,
    /// The pointers that are read from memory, by the terms of the objects that they point to.
    pub(crate) loaded: BTreeMap<TermId, PointerUse>,
    /// The pointers that are passed, likewise.
    pub(crate) passed: BTreeMap<TermId, PointerUse>,
}

/// An arm of a conditional branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arm {
    /// The block that ends with the branch.
    pub from: BlockIx,
    /// Whether it is the arm for a true condition.
    pub taken: bool,
    /// Whether it is the arm where the condition in the source holds: the compiler exchanges the arms of `!x`.
    pub holds: bool,
    /// The block that is entered exactly by this arm.
    pub to: BlockId,
    /// Where the compiler places the branch.
    pub span: Span,
    /// Where its condition stands.
    pub condition: Span,
    /// The place of a macro call of which the branch may be a part, in the file of the branch.
    pub macro_use: Option<u32>,
    /// Whether the compiler knows which arm is taken.
    pub is_constant: bool,
    /// Whether the branch is the compiler's own, with no condition in the source.
    pub is_added: bool,
}

/// A local that lives in variables: its parts, each with its components.
pub(crate) struct Slot {
    pub(crate) parts: Vec<(Leaf, Vec<SymbolId>)>,
}

/// What a register is.
#[derive(Clone)]
pub(crate) enum Register {
    /// The components of its value.
    Value(Vec<TermId>),
    /// The address of a part of a local that lives in variables.
    Slot(LocalId, u64),
}

pub(crate) struct Building {
    pub(crate) name: Arc<str>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) terminator: Option<Terminator>,
    pub(crate) span: Option<Span>,
    pub(crate) role: BlockRole,
}

/// See the module.
pub(crate) struct Lowering<'c, 'a, 'm> {
    pub(crate) cx: &'c mut Context<'a, 'm>,
    pub(crate) debug: &'c mut DebugInfo,
    pub(crate) f: FnRef,
    pub(crate) module: &'m Module,
    pub(crate) code: &'m Code,
    pub(crate) proc: ProcId,
    pub(crate) locals: Vec<Variable>,
    /// The symbols of the parameters and of locals, and how many locals have been added so far.
    own: (FxHashSet<SymbolId>, usize),
    pub(crate) blocks: Vec<Building>,
    pub(crate) current: usize,
    pub(crate) names: FxHashMap<String, u32>,
    pub(crate) registers: Vec<Option<Register>>,
    /// Registers of the current block that are terms over variables and are still used.
    pub(crate) pending: Vec<LocalId>,
    pub(crate) last_use: Vec<u32>,
    /// For each register the instructions that use it, phis included.
    pub(crate) users: Vec<Vec<u32>>,
    /// For each of LLVM's blocks where its edges come from, in order.
    pub(crate) predecessors: Vec<Vec<BlockIx>>,
    pub(crate) crosses: Vec<bool>,
    pub(crate) slots: FxHashMap<LocalId, Slot>,
    /// Of addresses of elements of whole objects the index, and what it has to be less than.
    pub(crate) limits: FxHashMap<LocalId, Limit>,
    pub(crate) arms: Vec<Arm>,
    pub(crate) defaults: Vec<BlockIx>,
    pub(crate) evaluations: Evaluations,
    pub(crate) loaded: BTreeMap<TermId, PointerUse>,
    pub(crate) passed: BTreeMap<TermId, PointerUse>,
    pub(crate) results: Vec<SymbolId>,
    pub(crate) params: Vec<Variable>,
    /// Checks that were made on every path to this point and still hold.
    pub(crate) facts: Vec<TermId>,
    /// Registers that hold addresses as integers, or sums of these and numbers.
    pub(crate) addresses: FxHashSet<LocalId>,
    /// For each of LLVM's blocks that is done: what holds at its end.
    pub(crate) facts_at_end: FxHashMap<BlockIx, Vec<TermId>>,
    pub(crate) mentions: FxHashMap<TermId, std::rc::Rc<FxHashSet<SymbolId>>>,
    /// The number of the instruction under way.
    pub(crate) at: u32,
    pub(crate) span: Span,
    pub(crate) variable_names: FxHashMap<LocalId, String>,
    /// Sizes of stack objects of this activation, by the symbol of their number.
    pub(crate) stack: FxHashMap<TermId, u64>,
    /// The object with the variable arguments.
    pub(crate) list: Option<TermId>,
    pub(crate) look_ups: LookUps,
    /// Stack objects whose address may outlive the activation.
    pub(crate) leaving: Vec<TermId>,
    /// The objects of variable-length arrays whose lifetime may end before that; null until they begin.
    pub(crate) arrays: Vec<(LocalId, u32, SymbolId)>,
    /// The block of the source that is under way, if any local's lifetime ends with one.
    pub(crate) scope: Option<NodeId>,
    /// The shadows of registers and locals.
    pub(crate) own_shadows: OwnShadows,
}

/// Lowers the body of a function.
pub(crate) fn lower(
    cx: &mut Context,
    debug: &mut DebugInfo,
    f: FnRef,
    proc: ProcId,
    params: &[Vec<SymbolId>],
    results: Vec<SymbolId>,
) -> Result<LoweredBody, (Unsupported, Span)> {
    let module = cx.module(f.module);
    let function = cx.linked.function(f);
    let code = function.body.code().expect("only functions with instructions are lowered");
    let span = debug.function_span(f.module, module, function);
    if module.attr(function.attrs, "naked").is_some() {
        return Err((Unsupported::new("a function of nothing but assembly (`naked`)"), span));
    }
    cx.lowering = Some(proc);
    let evaluations = Evaluations::of(cx, f, code, span);
    let mut lowering = Lowering {
        cx,
        debug,
        f,
        module,
        code,
        proc,
        locals: Vec::new(),
        own: (params.iter().flatten().copied().collect(), 0),
        blocks: Vec::new(),
        current: 0,
        names: FxHashMap::default(),
        registers: vec![None; code.locals.len()],
        pending: Vec::new(),
        last_use: vec![0; code.locals.len()],
        users: vec![Vec::new(); code.locals.len()],
        predecessors: vec![Vec::new(); code.blocks.len()],
        crosses: vec![false; code.locals.len()],
        slots: FxHashMap::default(),
        limits: FxHashMap::default(),
        arms: Vec::new(),
        defaults: Vec::new(),
        evaluations,
        loaded: BTreeMap::new(),
        passed: BTreeMap::new(),
        results,
        params: params.iter().flatten().map(|&s| Variable::new(s, span)).collect(),
        facts: Vec::new(),
        addresses: FxHashSet::default(),
        facts_at_end: FxHashMap::default(),
        mentions: FxHashMap::default(),
        at: 0,
        span,
        variable_names: FxHashMap::default(),
        stack: FxHashMap::default(),
        list: None,
        look_ups: LookUps::find(module, code),
        leaving: Vec::new(),
        arrays: Vec::new(),
        scope: None,
        own_shadows: OwnShadows::default(),
    };
    match lowering.run(params, span) {
        Ok(()) => Ok(lowering.finish(span)),
        Err(unsupported) => Err((unsupported, lowering.span)),
    }
}

impl<'m> Lowering<'_, '_, 'm> {
    fn run(&mut self, params: &[Vec<SymbolId>], span: Span) -> Result<(), Unsupported> {
        for ix in self.code.block_ids() {
            let span = self.block_span(ix);
            let name = self.block_name(span, ix);
            self.blocks.push(Building {
                name,
                statements: Vec::new(),
                terminator: None,
                span,
                role: BlockRole::Source(ix),
            });
        }
        self.find_uses();
        self.find_variable_names();
        self.find_addresses();
        self.find_slots();
        let named = self.cx.linked.function(self.f).params.len();
        self.list = params.get(named).map(|list| self.cx.terms.var(list[0]));
        for (i, symbols) in params.iter().take(named).enumerate() {
            let value = symbols.iter().map(|&s| self.cx.terms.var(s)).collect();
            self.registers[i] = Some(Register::Value(value));
        }
        self.note_passed(params);
        self.span = span;
        self.enter_shadows()?;
        self.copy_byval_params()?;
        self.declare_variable_arrays();
        self.declare_all(&self.evaluations.variables());
        for ix in self.reverse_postorder() {
            self.start_block(ix);
            let block = &self.code.blocks[ix.index()];
            for number in block.first..block.end {
                self.at = number;
                let inst = &self.code.insts[number as usize];
                if let Some(span) = self.debug.span(self.f.module, self.module, inst.dbg) {
                    self.span = span;
                }
                self.end_blocks(inst)?;
                self.begin_block_locals()?;
                self.before_instruction(inst)?;
                self.make_source_checks(inst)?;
                self.instruction(ix, inst)?;
                self.behind_instruction(inst)?;
                self.behind_condition(number)?;
            }
            self.facts_at_end.insert(ix, std::mem::take(&mut self.facts));
        }
        self.all_have_ends()
    }

    /// Each block that can be entered says what follows: to say nothing is to say that no execution gets there.
    fn all_have_ends(&self) -> Result<(), Unsupported> {
        let (mut todo, mut entered) = (vec![BlockId(0)], vec![false; self.blocks.len()]);
        while let Some(id) = todo.pop() {
            if !std::mem::replace(&mut entered[id.index()], true) {
                let end = self.blocks[id.index()].terminator.as_ref();
                let end = end.ok_or_else(|| Unsupported::new("a block that does not say what follows it"))?;
                todo.extend(end.successors());
            }
        }
        Ok(())
    }

    fn finish(mut self, span: Span) -> LoweredBody {
        let proc = self.proc;
        let mut roles = Vec::with_capacity(self.blocks.len());
        let mut blocks = Vec::with_capacity(self.blocks.len());
        for (i, b) in std::mem::take(&mut self.blocks).into_iter().enumerate() {
            let terminator =
                b.terminator.unwrap_or(Terminator { kind: TerminatorKind::Goto(Vec::new()), span });
            let place = Place::Segment { block: BlockId(i as u32), first: 0 };
            roles.push(b.role);
            blocks.push(Block {
                name: b.name,
                statements: b.statements,
                terminator,
                span: b.span.unwrap_or(span.at_start()),
                origin: Origin { procedure: proc, body: 0, place },
            });
        }
        let results = self.results.iter().map(|&s| Variable::new(s, span)).collect();
        let body =
            Body { params: self.params, results, locals: self.locals, blocks, span, attributes: Vec::new() };
        let decisions = self.evaluations.finish();
        LoweredBody {
            body,
            roles,
            arms: self.arms,
            defaults: self.defaults,
            decisions,
            loaded: self.loaded,
            passed: self.passed,
        }
    }

    pub(crate) fn local_name(&self, local: LocalId) -> String {
        if let Some(name) = self.variable_names.get(&local) {
            return name.clone();
        }
        match self.code.local(local).name {
            LocalName::Named(name) => self.module.text(name).to_owned(),
            LocalName::Number(n) => format!("r{n}"),
        }
    }

    /// The range of a block: that of its instructions. A jump back counts if there is nothing else, as the one at the end
    /// of a loop's body stands where the loop does.
    pub(crate) fn block_span(&mut self, ix: BlockIx) -> Option<Span> {
        let (mut whole, mut jump): (Option<Span>, Option<Span>) = (None, None);
        for inst in self.code.insts_of(ix) {
            if matches!(inst.kind, InstKind::Debug(_) | InstKind::Phi { .. }) {
                continue;
            }
            let Some(span) = self.debug.span(self.f.module, self.module, inst.dbg) else { continue };
            match inst.kind {
                InstKind::Br(to) if to.0 <= ix.0 => jump = Some(span),
                // The last operand of a condition over several lines ends in a jump that stands at the first of them.
                InstKind::CondBr { .. }
                    if whole.is_some_and(|w| self.debug.line(span) < self.debug.line(w)) => {}
                _ => whole = Some(whole.map_or(span, |w| w.to(span))),
            }
        }
        whole.or(jump)
    }

    /// The label that stands before a block in the source, or else its line.
    fn block_name(&mut self, span: Option<Span>, ix: BlockIx) -> Arc<str> {
        let base = match (self.label(ix), span) {
            (Some(label), _) => label.to_owned(),
            (None, Some(span)) => format!("L{}", self.debug.line(span)),
            (None, None) => format!("B{}", ix.0),
        };
        self.unique(base)
    }

    fn label(&self, ix: BlockIx) -> Option<&'m str> {
        let module = self.module;
        self.code.insts_of(ix).iter().find_map(|inst| match &inst.kind {
            InstKind::Debug(record) if record.kind == DebugKind::Label => {
                module.node(record.variable?).with(&module.names).string("name")
            }
            _ => None,
        })
    }

    fn unique(&mut self, base: String) -> Arc<str> {
        let count = self.names.entry(base.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { base.into() } else { format!("{base}.{count}").into() }
    }

    // ---- Blocks and statements

    pub(crate) fn add_block(&mut self, suffix: &str, role: BlockRole) -> BlockId {
        let base = self.blocks[self.current].name.split('.').next().unwrap_or("B").to_owned();
        let name = self.unique(format!("{base}.{suffix}"));
        self.blocks.push(Building {
            name,
            statements: Vec::new(),
            terminator: None,
            span: Some(self.span),
            role,
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn start_block(&mut self, ix: BlockIx) {
        // The first one continues what copies parameters, which may be a loop.
        if ix != BlockIx(0) {
            self.current = ix.index();
        }
        self.pending.clear();
        self.scope = None;
        // Where there is one way to get here, what was checked before it still holds.
        let before = &self.predecessors[ix.index()];
        let only = before.first().copied().filter(|first| before.iter().all(|from| from == first));
        let has_phi = self.code.insts_of(ix).iter().any(|i| matches!(i.kind, InstKind::Phi { .. }));
        self.facts = match only.and_then(|from| self.facts_at_end.get(&from)) {
            Some(facts) if !has_phi => facts.clone(),
            _ => Vec::new(),
        };
    }

    /// Goes on in a new block, in which everything known here is still known.
    pub(crate) fn continue_in(&mut self, block: BlockId) {
        self.current = block.index();
    }

    pub(crate) fn statement(&mut self, kind: StatementKind) {
        let statement = Statement::new(kind, self.span);
        self.blocks[self.current].statements.push(statement);
    }

    pub(crate) fn terminate(&mut self, kind: TerminatorKind) {
        let span = self.span;
        let block = &mut self.blocks[self.current];
        if block.terminator.is_none() {
            block.terminator = Some(Terminator { kind, span });
        }
    }

    fn mentions(&mut self, t: TermId) -> std::rc::Rc<FxHashSet<SymbolId>> {
        if let Some(known) = self.mentions.get(&t) {
            return known.clone();
        }
        let symbols: FxHashSet<SymbolId> = self.cx.terms.free_symbols(&[t]).into_iter().collect();
        let symbols = std::rc::Rc::new(symbols);
        self.mentions.insert(t, symbols.clone());
        symbols
    }

    /// Before some variables change: registers that are terms over them get their values now.
    pub(crate) fn before_change(&mut self, of: &dyn Fn(SymbolId) -> bool) {
        let at = self.at;
        let mut keep = Vec::new();
        for local in std::mem::take(&mut self.pending) {
            if self.last_use[local.index()] <= at {
                continue;
            }
            let Some(Register::Value(value)) = self.registers[local.index()].clone() else { continue };
            let touched = value.iter().any(|&t| self.mentions(t).iter().any(|&s| of(s)));
            if touched {
                self.settle(local, &value);
            } else {
                keep.push(local);
            }
        }
        self.pending = keep;
        let facts = std::mem::take(&mut self.facts);
        for fact in facts {
            if !self.mentions(fact).iter().any(|&s| of(s)) {
                self.facts.push(fact);
            }
        }
    }

    /// Gives a register variables of its own.
    fn settle(&mut self, local: LocalId, value: &[TermId]) {
        let name = self.local_name(local);
        let mut pairs = Vec::with_capacity(value.len());
        let mut own = Vec::with_capacity(value.len());
        for (i, &t) in value.iter().enumerate() {
            let name = if i == 0 { name.clone() } else { format!("{name}.{i}") };
            let sort = self.cx.terms.sort(t);
            let symbol = self.new_local(&name, sort);
            pairs.push((symbol, t));
            own.push(self.cx.terms.var(symbol));
        }
        if !pairs.is_empty() {
            self.statement(StatementKind::Assign(pairs));
        }
        self.registers[local.index()] = Some(Register::Value(own));
    }

    pub(crate) fn replace_register(&mut self, local: LocalId, register: Register) {
        self.registers[local.index()] = Some(register);
    }

    pub(crate) fn declare_all(&mut self, symbols: &[SymbolId]) {
        self.locals.extend(symbols.iter().map(|&s| Variable::new(s, self.span)));
    }

    /// Prepares for a call, which may change everything but the locals of this activation.
    pub(crate) fn before_call(&mut self) {
        let (mut own, counted) = std::mem::take(&mut self.own);
        own.extend(self.locals[counted..].iter().map(|v| v.symbol));
        self.own.1 = self.locals.len();
        self.before_change(&|s| !own.contains(&s));
        self.own.0 = own;
    }

    /// The value of a term as it is now, whatever changes: the term itself if nothing in it can change.
    pub(crate) fn stable(&mut self, t: TermId) -> TermId {
        if self.mentions(t).is_empty() {
            return t;
        }
        let sort = self.cx.terms.sort(t);
        let symbol = self.new_local("kept", sort);
        self.statement(StatementKind::Assign(vec![(symbol, t)]));
        self.cx.terms.var(symbol)
    }

    pub(crate) fn stable_pointer(&mut self, p: Pointer) -> Pointer {
        Pointer { object: self.stable(p.object), offset: self.stable(p.offset) }
    }

    /// Forgets the checks that were made: at a join, what was checked on one path need not hold on the others.
    pub(crate) fn forget_facts(&mut self) {
        self.facts.clear();
    }

    pub(crate) fn new_local(&mut self, name: &str, sort: SortId) -> SymbolId {
        let symbol = self.cx.terms.fresh_symbol(name, sort);
        self.locals.push(Variable::new(symbol, self.span));
        symbol
    }

    /// Assigns variables; registers that depend on them are settled first.
    pub(crate) fn assign(&mut self, pairs: Vec<(SymbolId, TermId)>) {
        let changed: FxHashSet<SymbolId> = pairs.iter().map(|p| p.0).collect();
        self.before_change(&|s| changed.contains(&s));
        self.statement(StatementKind::Assign(pairs));
    }

    /// Sets the result of the instruction under way.
    pub(crate) fn define(&mut self, inst: &Inst, value: Vec<TermId>) {
        let Some(result) = inst.result else { return };
        if self.crosses[result.index()] {
            self.settle(result, &value);
        } else {
            let constant = value.iter().all(|&t| self.cx.terms.literal(t).is_some());
            self.registers[result.index()] = Some(Register::Value(value));
            if !constant {
                self.pending.push(result);
            }
        }
    }

    // ---- Operands

    pub(crate) fn value(&mut self, operand: Operand) -> Result<Vec<TermId>, Unsupported> {
        self.value_of(operand.value)
    }

    pub(crate) fn value_of(&mut self, value: Value) -> Result<Vec<TermId>, Unsupported> {
        match value {
            Value::Const(c) => self.constant(c),
            Value::Local(local) => match &self.registers[local.index()] {
                Some(Register::Value(value)) => Ok(value.clone()),
                Some(Register::Slot(..)) => {
                    Err(Unsupported::new("the address of a local variable (an internal error)"))
                }
                None => Err(Unsupported::new("a register that has no value yet")),
            },
        }
    }

    /// The components of a constant. A number or an address that LLVM leaves open is anything: a compiler makes `poison` of
    /// `(int)1e10`. Structures and vectors that are open are filled part by part, so nobody sees what was there before.
    fn constant(&mut self, c: ConstId) -> Result<Vec<TermId>, Unsupported> {
        let constant = self.module.constant(c);
        if matches!(constant.kind, ConstKind::Undef | ConstKind::Poison)
            && let leaves = self.cx.leaves(self.f.module, constant.ty)?
            && leaves.len() == 1
        {
            let symbols = self.cx.fresh_components("open", &leaves);
            self.declare_all(&symbols);
            self.statement(StatementKind::Havoc(symbols.clone()));
            return Ok(self.variables(&symbols));
        }
        self.cx.constant(self.f.module, c)
    }

    /// The table of characters that a register holds, or holds the place of.
    pub(crate) fn table(&self, local: LocalId) -> Option<Table> {
        self.look_ups.tables.iter().find(|(l, _)| *l == local).map(|(_, t)| *t)
    }

    /// The table of characters that a register holds the place of an entry of.
    pub(crate) fn table_entry(&self, local: LocalId) -> Option<Table> {
        self.look_ups.entries.iter().find(|(l, _)| *l == local).map(|(_, t)| *t)
    }

    pub(crate) fn pointer(&mut self, value: Value) -> Result<Pointer, Unsupported> {
        let parts = self.value_of(value)?;
        match parts[..] {
            [object, offset] => Ok(Pointer { object, offset }),
            _ => Err(Unsupported::new("a vector of addresses")),
        }
    }

    /// The slot that an address means, if it does.
    pub(crate) fn slot(&self, value: Value) -> Option<(LocalId, u64)> {
        match value {
            Value::Local(local) => match self.registers[local.index()] {
                Some(Register::Slot(slot, offset)) => Some((slot, offset)),
                _ => None,
            },
            Value::Const(_) => None,
        }
    }

    /// The variables of the parts of a slot that a type at an offset means.
    pub(crate) fn slot_symbols(&self, slot: LocalId, offset: u64, wanted: &[Leaf]) -> Vec<SymbolId> {
        let parts = &self.slots[&slot].parts;
        wanted
            .iter()
            .flat_map(|w| {
                let found = parts.iter().find(|(l, _)| l.offset == offset + w.offset && l.scalar == w.scalar);
                found.map(|(_, symbols)| symbols.clone()).unwrap_or_default()
            })
            .collect()
    }

    // ---- Checks

    /// Adds a check that fails if `condition` is false. Kinds of checks that were not asked for are added too: the
    /// behaviour after such a failure is undefined, so nothing is claimed about it.
    pub(crate) fn check(&mut self, kind: AssertKind, condition: TermId) {
        if self.cx.terms.as_bool(condition) == Some(true) || self.facts.contains(&condition) {
            return;
        }
        self.statement(StatementKind::assert(condition, kind));
        if self.facts.len() < 64 {
            self.facts.push(condition);
        }
    }

    /// Notes that `violated` holds here, if it does, and goes on: for checks whose failure does not stop a program.
    pub(crate) fn soft_check(&mut self, kind: AssertKind, violated: TermId) {
        if !self.cx.options.checks.contains(&kind) || self.cx.terms.as_bool(violated) == Some(false) {
            return;
        }
        self.note_failure(kind, violated);
    }

    /// As [`Self::soft_check`], also where `violated` is known not to hold: so that other lowerings have this check, too.
    pub(crate) fn note_failure(&mut self, kind: AssertKind, violated: TermId) {
        let marker = self.add_block(kind.name(), BlockRole::Check(kind));
        let next = self.add_block("then", BlockRole::Glue);
        self.terminate(TerminatorKind::Branch { condition: violated, then_to: marker, else_to: next });
        let truth = self.cx.terms.bool(true);
        let note = Attribute { name: "fails".into(), args: vec![AttributeArg::Text(kind.name().into())] };
        let statement =
            Statement { kind: StatementKind::Assume(truth), span: self.span, attributes: vec![note] };
        let goto = Terminator { kind: TerminatorKind::Goto(vec![next]), span: self.span };
        let block = &mut self.blocks[marker.index()];
        block.statements.push(statement);
        block.terminator = Some(goto);
        self.continue_in(next);
    }
}
