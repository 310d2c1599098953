//! The compiler from the program form to register code (`code.rs`), for the statements and the control flow of a
//! body.
//!
//! A body becomes a [`Unit`] with two entries: one for runs that start there, where preconditions are assumed, and
//! one for calls, where they are checked. A procedure without a body becomes a unit that consists of its contract.
//! What is assumed and checked comes in the order of the reference interpreter.
//!
//! **Direction of error.** None; the semantics is that of `footpath_ir::interp`, with which every test is compared.

use footpath_ir::analysis::wto::{Component, Wto};
use footpath_ir::{
    AssertKind, BlockId, Body, Contract, Origin, Place, ProcId, Procedure, Program, StatementKind,
    TerminatorKind, Variable,
};
use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::FxHashSet;

use super::code::{Argument, CALLER, CallSite, Choice, Code, GLOBAL, Globals, Ins, Piece, Site, Slot, Unit};
use super::lower::Lowering;
use super::prepared::{Prepared, body_roots};
use super::state_merging::find_diamonds;
use super::value::Class;

/// Compiles a piece.
pub(super) fn compile(code: &Code<'_>, piece: &Piece, terms: &mut Terms) -> Unit {
    let (prepared, procedure) = (code.prepared, &code.prepared.program()[piece.procedure]);
    let unit = Unit {
        procedure: piece.procedure.0,
        body: piece.body,
        polymorphic: !procedure.type_params.is_empty(),
        first_site: piece.first_site,
        ..Unit::default()
    };
    let program = prepared.program();
    let low = Lowering::new(prepared.theory(), &code.globals, terms, unit);
    let mut compiler =
        Compiler { program, prepared, code, first: piece.first_block, loop_heads: Vec::new(), low };
    compiler.declare(procedure, piece.body);
    match piece.body {
        Some(number) => compiler.body(piece.procedure, number),
        None => compiler.contract(piece.procedure),
    }
    let mut unit = compiler.low.finish();
    assert_eq!(
        unit.sites.len(),
        prepared.facts(piece.procedure, piece.body).sites as usize,
        "sites as counted"
    );
    find_diamonds(&mut unit, &code.globals);
    unit
}

/// How many sites a body has, or a contract.
pub(super) fn count_sites(procedure: &Procedure, body: Option<&Body>) -> u32 {
    let checks = |contracts: &[Contract]| contracts.iter().filter(|c| !c.free).count();
    let mut sites = checks(&procedure.requires);
    for block in body.iter().flat_map(|b| &b.blocks) {
        let is_site =
            |s: &StatementKind| matches!(s, StatementKind::Assert { .. } | StatementKind::Call { .. });
        sites += block.statements.iter().filter(|s| is_site(&s.kind)).count();
        sites += match &block.terminator.kind {
            TerminatorKind::Goto(targets) => usize::from(targets.len() > 1),
            TerminatorKind::Branch { .. } => 1,
            TerminatorKind::Return => checks(&procedure.ensures),
            TerminatorKind::Fail | TerminatorKind::Cut => 0,
        };
    }
    sites as u32
}

/// The registers of a program's constants and globals.
pub(super) fn globals(program: &Program, terms: &Terms) -> Globals {
    let mut globals = Globals::default();
    let constants = program.constants.iter().map(|c| (c.symbol, false));
    let variables = program
        .globals
        .iter()
        .map(|g| (g.variable.symbol, g.variable.attributes.iter().any(|a| &*a.name == "by_object")));
    for (symbol, by_object) in constants.chain(variables) {
        let sort = terms.symbol(symbol).sort;
        let mut class = Class::of(terms, sort);
        let next = match &mut class {
            Class::Word(_) => &mut globals.words,
            Class::Memory(shape) => {
                shape.by_object = by_object;
                &mut globals.memories
            }
            Class::General => &mut globals.generals,
        };
        let slot = Slot { class, reg: GLOBAL | *next, symbol: Some(symbol), sort };
        *next += 1;
        match class {
            Class::Word(_) => globals.word_owners.push(slot),
            Class::Memory(_) => globals.memory_owners.push(slot),
            Class::General => {}
        }
        globals.variables.insert(symbol, slot);
    }
    globals
}

/// For each loop the numbers of those inside it.
fn inner_loops(loops: &[Component]) -> Vec<Vec<u32>> {
    let mut inner = vec![Vec::new(); loops.len()];
    for (number, one) in loops.iter().enumerate() {
        let mut around = one.parent;
        while let Some(outer) = around {
            inner[outer.0 as usize].push(number as u32);
            around = loops[outer.0 as usize].parent;
        }
    }
    inner
}

struct Compiler<'a, 't> {
    program: &'a Program,
    prepared: &'a Prepared<'a>,
    code: &'a Code<'a>,
    /// The number of the first block.
    first: u32,
    /// The heads of the body's loops, if iterations are counted.
    loop_heads: Vec<BlockId>,
    low: Lowering<'a, 't>,
}

impl Compiler<'_, '_> {
    // ---- units ----

    /// The old symbols that occur below `roots`, with their globals.
    fn olds(&self, roots: &[TermId]) -> Vec<(SymbolId, SymbolId)> {
        let order = self.low.terms.post_order(roots);
        let used = order.into_iter().filter_map(|t| match self.low.terms.term(t).op {
            Op::Var(s) => self.prepared.old_symbols.get(&s).map(|&g| (s, g)),
            _ => None,
        });
        used.collect()
    }

    fn declare(&mut self, procedure: &Procedure, body: Option<u32>) {
        let mut roots: Vec<TermId> = procedure.ensures.iter().map(|c| c.condition).collect();
        let (params, results, locals): (&[Variable], &[Variable], &[Variable]) = match body {
            Some(b) => {
                let body = &procedure.bodies[b as usize];
                body_roots(body, &mut roots);
                (&body.params, &body.results, &body.locals)
            }
            None => (&procedure.params, &procedure.results, &[]),
        };
        for v in params {
            let slot = self.low.declare(v.symbol);
            self.low.unit.params.push(slot);
        }
        for v in results {
            let slot = self.low.declare(v.symbol);
            self.low.unit.results.push(slot);
        }
        for v in locals {
            self.low.declare(v.symbol);
        }
        for (theirs, own) in
            procedure.params.iter().chain(&procedure.results).zip(params.iter().chain(results))
        {
            let slot = self.low.unit.variables[&own.symbol];
            self.low.unit.variables.insert(theirs.symbol, slot);
        }
        for (old, global) in self.olds(&roots) {
            let slot = self.low.declare(old);
            let global = self.code.globals.variables[&global];
            self.low.unit.olds.push((slot, global));
        }
        self.low.end_of_variables();
    }

    fn body(&mut self, id: ProcId, number: u32) {
        let procedure = &self.program[id];
        let body = &procedure.bodies[number as usize];
        let here = |place| Origin { procedure: id, body: number, place };
        let entry = self.low.place(here(Place::Entry));
        let mut jumps = Vec::new();
        for root in [true, false] {
            let pc = self.low.pc();
            if root {
                self.low.unit.root_entry = pc;
                self.assumptions(body, true, entry);
                for g in &self.program.globals {
                    self.assume(g.variable.where_clause, entry);
                }
            } else {
                self.low.unit.entry = pc;
                self.check_requires(procedure);
                self.assumptions(body, false, entry);
            }
            self.keep_olds();
            for v in body.params.iter().chain(&body.results).chain(&body.locals) {
                self.assume(self.prepared.wheres.get(&v.symbol).copied(), entry);
            }
            for c in procedure.requires.iter().filter(|_| root) {
                self.assume(Some(c.condition), entry);
            }
            jumps.push(self.low.emit(Ins::Jump { to: 0 }));
        }
        let mut patches = Patches::default();
        for jump in jumps {
            patches.list.push((jump, 0, 0));
        }
        if self.code.counts_iterations {
            let loops = Wto::of(body).components;
            self.loop_heads = loops.iter().map(|l| l.head).collect();
            self.low.unit.loops = inner_loops(&loops);
        }
        for block in body.block_ids() {
            self.block(id, number, block, &mut patches);
        }
        patches.apply(&mut self.low.unit);
    }

    /// Assumption variables are true where they begin.
    fn assumptions(&mut self, body: &Body, start: bool, at: u32) {
        let yes = self.low.terms.bool(true);
        for symbol in self.program.assumptions(body, start) {
            self.low.assign(&[(symbol, yes)], at);
            self.low.end_of_statement();
        }
    }

    fn keep_olds(&mut self) {
        for old in 0..self.low.unit.olds.len() as u32 {
            self.low.emit(Ins::KeepOld { old });
        }
    }

    fn check_requires(&mut self, procedure: &Procedure) {
        for (i, c) in procedure.requires.iter().enumerate().filter(|(_, c)| !c.free) {
            let site = self.site(vec![None, None], None);
            let condition = self.low.condition(c.condition, CALLER);
            let kind = AssertKind::Requires;
            self.low.emit(Ins::Assert { condition, kind, site, fails: CALLER, clause: i as u32 });
            self.low.end_of_statement();
        }
    }

    fn assume(&mut self, condition: Option<TermId>, at: u32) {
        if let Some(condition) = condition {
            let condition = self.low.condition(condition, at);
            self.low.emit(Ins::Assume { condition, at });
            self.low.end_of_statement();
        }
    }

    fn contract(&mut self, id: ProcId) {
        let procedure = &self.program[id];
        let entry = self.low.pc();
        self.low.unit.entry = entry;
        self.check_requires(procedure);
        self.keep_olds();
        self.low.emit(Ins::Contract);
        let symbols = procedure.results.iter().map(|v| v.symbol).chain(procedure.modifies.iter().copied());
        let wheres: Vec<TermId> = symbols.filter_map(|s| self.prepared.wheres.get(&s).copied()).collect();
        let ensures = procedure.ensures.iter().map(|c: &Contract| c.condition);
        for condition in wheres.into_iter().chain(ensures) {
            self.assume(Some(condition), CALLER);
        }
        self.low.emit(Ins::Return { at: CALLER });
    }

    /// A site that was just made.
    fn site_mut(&mut self, number: u32) -> &mut Site {
        let unit = &mut self.low.unit;
        &mut unit.sites[(number - unit.first_site) as usize]
    }

    fn site(&mut self, arms: Vec<Option<u32>>, failure: Option<u32>) -> u32 {
        let unit = &mut self.low.unit;
        unit.sites.push(Site { arms, failure, edges: Vec::new(), far: None, diamond: None });
        unit.first_site + unit.sites.len() as u32 - 1
    }

    // ---- blocks ----

    fn reach(&mut self, origin: Origin) -> bool {
        let Some(goal) = self.code.goal_at(origin) else { return false };
        self.low.emit(Ins::Reach { goal });
        true
    }

    fn block(&mut self, id: ProcId, number: u32, block: BlockId, patches: &mut Patches) {
        let body = &self.program[id].bodies[number as usize];
        let first = self.first;
        let global = first + block.0;
        let pc = self.low.pc();
        patches.blocks.push(pc);
        let statements = &body[block].statements;
        self.low.emit(Ins::Enter { block: global, steps: statements.len() as u32 + 1 });
        if let Some(number) = self.loop_heads.iter().position(|head| *head == block) {
            self.low.emit(Ins::Lap { number: number as u32 });
        }
        let given = self.given(body, block);
        for (i, statement) in statements.iter().enumerate() {
            let at = Origin { procedure: id, body: number, place: Place::Segment { block, first: i as u32 } };
            self.reach(at);
            let checks = match statement.kind {
                StatementKind::Assert { kind, .. } => kind != AssertKind::Exit,
                StatementKind::Call { callee, .. } => self.program[callee].requires.iter().any(|c| !c.free),
                _ => false,
            };
            if checks {
                self.met(statement.premise(), at);
            }
            if statement.marks().is_some() {
                self.low.emit(Ins::Marked);
            }
            if let Some(&Some(condition)) = given.get(i)
                && let Some(term) = self.low.as_words(condition)
            {
                self.low.emit(Ins::Given { term });
            }
            self.statement(&statement.kind, at, global);
        }
        let end = Place::Segment { block, first: statements.len() as u32 };
        let at = Origin { procedure: id, body: number, place: end };
        self.reach(at);
        self.terminator(id, number, block, global, at, patches);
    }

    /// For each of the assumptions with which a body begins, its condition if that is one on initial values.
    fn given(&self, body: &Body, block: BlockId) -> Vec<Option<TermId>> {
        if block != Body::ENTRY || !body.predecessors()[block.index()].is_empty() {
            return Vec::new();
        }
        let globals = self.program.globals.iter().map(|g| g.variable.symbol);
        let constants = self.program.constants.iter().map(|c| c.symbol);
        let inputs: FxHashSet<SymbolId> =
            body.params.iter().map(|v| v.symbol).chain(globals).chain(constants).collect();
        let conditions = body[block].statements.iter().map_while(|s| match s.kind {
            StatementKind::Assume(condition) => Some(condition),
            _ => None,
        });
        let terms: &Terms = &self.program.terms;
        conditions.map(|c| terms.free_symbols(&[c]).iter().all(|s| inputs.contains(s)).then_some(c)).collect()
    }

    /// A check is met that was proved under a premise, or was not.
    fn met(&mut self, premise: Option<TermId>, at: Origin) {
        if self.code.annotated {
            let place = self.low.place(at);
            let premise = premise.map(|p| self.low.condition(p, place));
            self.low.emit(Ins::Unverified { premise });
        }
    }

    fn statement(&mut self, kind: &StatementKind, at: Origin, block: u32) {
        let place = self.low.place(at);
        match kind {
            StatementKind::Assign(pairs) => self.low.assign(pairs, place),
            StatementKind::Havoc(symbols) => {
                let slots = symbols.iter().map(|&s| self.low.slot(s)).collect();
                let number = self.low.unit.havocs.len() as u32;
                self.low.unit.havocs.push(slots);
                self.low.emit(Ins::Havoc { number, at: place });
                for symbol in symbols {
                    self.assume(self.prepared.wheres.get(symbol).copied(), place);
                }
            }
            StatementKind::Assume(condition) => self.assume(Some(*condition), place),
            StatementKind::TryFirst(condition) => {
                let condition = self.low.condition(*condition, place);
                self.low.emit(Ins::Prefer { condition });
            }
            StatementKind::Assert { condition, kind, premise } => {
                let Place::Segment { block: b, first } = at.place else { return };
                let failure =
                    Origin { place: Place::Failure { block: b, statement: first, clause: 0 }, ..at };
                let goal = self.code.goal_at(failure);
                let site = self.site(vec![None, Some(block)], goal);
                let fails = self.low.place(failure);
                // `assume premise ==> condition; assert condition` fails where neither holds, and blocks where only the
                // premise does.
                let unless = premise.map(|p| self.low.terms.app(Op::Or, [*condition, p]));
                let tested = unless.unwrap_or(*condition);
                let checked = self.low.condition(tested, place);
                let far = self.low.far(tested);
                self.site_mut(site).far = far;
                self.low.emit(Ins::Assert { condition: checked, kind: *kind, site, fails, clause: 0 });
                if unless.is_some() {
                    let condition = self.low.condition(*condition, place);
                    self.low.emit(Ins::Assume { condition, at: place });
                }
            }
            StatementKind::Call { callee, args, results } => self.call(*callee, args, results, at),
        }
        self.low.end_of_statement();
    }

    fn call(&mut self, callee: ProcId, args: &[Option<TermId>], results: &[Option<SymbolId>], at: Origin) {
        let procedure = &self.program[callee];
        let mut sorts = Vec::new();
        let mut list = Vec::new();
        for (arg, param) in args.iter().zip(&procedure.params) {
            let param_sort = param.sort(self.low.terms);
            let class = Class::of(self.low.terms, param_sort);
            sorts.push(arg.map_or(param_sort, |t| self.low.terms.sort(t)));
            list.push(match arg {
                Some(term) => self.low.argument(*term, class),
                None => Argument::Arbitrary,
            });
        }
        let results = results.iter().map(|r| r.map(|s| self.low.slot(s))).collect();
        let positions = 0..procedure.bodies.len().max(1) as u32;
        let pieces: Vec<usize> = positions.filter_map(|b| self.code.position(callee, b)).collect();
        let is_body = |p: &&usize| self.code.pieces[**p].body.is_some();
        let firsts = pieces.iter().filter(is_body).map(|&p| Some(self.code.pieces[p].first_block)).collect();
        let site = self.site(firsts, None);
        let number = self.low.unit.calls.len() as u32;
        self.low.unit.calls.push(CallSite { pieces, args: list, arg_sorts: sorts, results, at, site });
        self.low.emit(Ins::Call { number });
    }

    fn terminator(
        &mut self,
        id: ProcId,
        number: u32,
        block: BlockId,
        global: u32,
        at: Origin,
        patches: &mut Patches,
    ) {
        let body = &self.program[id].bodies[number as usize];
        let first = self.first;
        let place = self.low.place(at);
        let terminator = &body[block].terminator.kind;
        for mark in body.marks_behind(block) {
            self.met(mark.premise(), at);
        }
        // For each successor with a goal on its edge, the instruction and the arm that lead to it.
        let mut edges: Vec<(u32, u32, BlockId)> = Vec::new();
        let mut decided = None;
        match terminator {
            TerminatorKind::Goto(targets) => match targets[..] {
                [] => {
                    self.low.emit(Ins::Blocked { at: place });
                }
                [target] => {
                    let jump = self.low.emit(Ins::Jump { to: 0 });
                    edges.push((jump, 0, target));
                }
                _ => {
                    let arms = targets.iter().map(|t| Some(first + t.0)).collect();
                    let site = self.site(arms, None);
                    decided = Some(site);
                    let number = self.low.unit.choices.len() as u32;
                    self.low.unit.choices.push(Choice { site, targets: vec![0; targets.len()] });
                    let choose = self.low.emit(Ins::Choose { number });
                    edges.extend(targets.iter().enumerate().map(|(i, &t)| (choose, i as u32, t)));
                }
            },
            TerminatorKind::Branch { condition, then_to, else_to } => {
                let site = self.site(vec![Some(first + else_to.0), Some(first + then_to.0)], None);
                decided = Some(site);
                let tested = *condition;
                let condition = self.low.condition(tested, place);
                let far = self.low.far(tested);
                self.site_mut(site).far = far;
                let branch = self.low.emit(Ins::Branch { condition, site, then_to: 0, else_to: 0 });
                edges.push((branch, 0, *then_to));
                edges.push((branch, 1, *else_to));
            }
            TerminatorKind::Return => self.ret(id, number, global),
            TerminatorKind::Fail => {
                self.low.emit(Ins::Fail { at: place });
            }
            TerminatorKind::Cut => {
                self.low.emit(Ins::Blocked { at: place });
            }
        }
        for (i, (ins, arm, target)) in edges.into_iter().enumerate() {
            let edge = Place::Edge { block, successor: i as u32 };
            if let (Some(site), Some(goal)) = (decided, self.code.goal_at(Origin { place: edge, ..at })) {
                // The first arm of a branch is that of a condition that does not hold.
                let is_branch = matches!(terminator, TerminatorKind::Branch { .. });
                let number = if is_branch { 1 - i as u32 } else { i as u32 };
                self.site_mut(site).edges.push((number, goal));
            }
            let pc = self.low.pc();
            if self.reach(Origin { place: edge, ..at }) {
                patches.direct.push((ins, arm, pc));
                let jump = self.low.emit(Ins::Jump { to: 0 });
                patches.list.push((jump, 0, target.0));
            } else {
                patches.list.push((ins, arm, target.0));
            }
        }
        self.low.end_of_statement();
    }

    fn ret(&mut self, id: ProcId, number: u32, global: u32) {
        let procedure = &self.program[id];
        let exit = Origin { procedure: id, body: number, place: Place::Exit };
        self.reach(exit);
        let here = self.low.place(exit);
        if procedure.ensures.iter().any(|c| !c.free) {
            self.met(procedure.bodies[number as usize].exit_premise(), exit);
        }
        for (i, c) in procedure.ensures.iter().enumerate().filter(|(_, c)| !c.free) {
            let failure = Origin { place: Place::EnsuresFailure { clause: i as u32 }, ..exit };
            let goal = self.code.goal_at(failure);
            let site = self.site(vec![None, Some(global)], goal);
            let fails = self.low.place(failure);
            let condition = self.low.condition(c.condition, here);
            self.low.emit(Ins::Assert { condition, kind: AssertKind::Ensures, site, fails, clause: 0 });
        }
        self.low.emit(Ins::RootReturn);
        for c in procedure.ensures.iter().filter(|c| c.free) {
            self.assume(Some(c.condition), CALLER);
        }
        self.low.emit(Ins::Return { at: here });
    }
}

/// Jumps whose targets are not known yet.
#[derive(Default)]
struct Patches {
    /// Instruction, arm, block of the body.
    list: Vec<(u32, u32, u32)>,
    /// Instruction, arm, target.
    direct: Vec<(u32, u32, u32)>,
    /// Where each block of the body starts.
    blocks: Vec<u32>,
}

impl Patches {
    fn apply(self, code: &mut Unit) {
        let blocks = self.blocks;
        let by_block = self.list.into_iter().map(|(ins, arm, block)| (ins, arm, blocks[block as usize]));
        for (ins, arm, target) in by_block.chain(self.direct) {
            match &mut code.ins[ins as usize] {
                Ins::Jump { to } => *to = target,
                Ins::Branch { then_to, .. } if arm == 0 => *then_to = target,
                Ins::Branch { else_to, .. } => *else_to = target,
                Ins::Choose { number } => {
                    code.choices[*number as usize].targets[arm as usize] = target;
                }
                _ => {}
            }
        }
    }
}
