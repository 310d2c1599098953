//! From the program form to register code.
//!
//! Only what runs from the root can get to is compiled. Each body becomes a [`Unit`] with two entries, one for runs that
//! start there, where preconditions are assumed, and one for calls, where they are checked. A procedure without a body
//! becomes a unit that is its contract. The order of what is assumed and checked is that of the reference interpreter.

use footpath_ir::{
    AssertKind, BlockId, Body, Contract, Origin, Place, ProcId, Procedure, Program, StatementKind,
    TerminatorKind, Variable,
};
use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Argument, BlockInfo, CALLER, CallSite, Choice, Code, GLOBAL, Ins, Site, Slot, Unit};
use super::goals::Goals;
use super::lower::Lowering;
use super::merge::find_diamonds;
use super::value::{Class, Word};
use footpath_transform::theory::Theory;

/// What calls from `root` can get to: bodies, and procedures without one.
pub(super) fn reachable(program: &Program, root: (ProcId, u32)) -> (Vec<(ProcId, u32)>, Vec<ProcId>) {
    let mut bodies = vec![root];
    let mut contracts = Vec::new();
    let mut seen: FxHashSet<(ProcId, u32)> = FxHashSet::from_iter([root]);
    let mut next = 0;
    while let Some(&(procedure, body)) = bodies.get(next) {
        next += 1;
        for callee in program[procedure].bodies[body as usize].calls() {
            let count = program[callee].bodies.len() as u32;
            if count == 0 && !contracts.contains(&callee) {
                contracts.push(callee);
            }
            bodies.extend((0..count).map(|b| (callee, b)).filter(|b| seen.insert(*b)));
        }
    }
    bodies[1..].sort_unstable();
    contracts.sort_unstable();
    (bodies, contracts)
}

/// Compiles what runs from `root` can get to. The root's unit is the first.
pub(super) fn compile(
    program: &Program,
    theory: &Theory,
    terms: &mut Terms,
    bodies: &[(ProcId, u32)],
    contracts: &[ProcId],
    goals: &Goals,
) -> Code {
    let mut compiler = Compiler {
        program,
        goals,
        old_symbols: program.old_symbols(),
        wheres: where_clauses(program),
        annotated: is_annotated(program, bodies),
        low: Lowering::new(theory, terms),
    };
    compiler.globals();
    for &(procedure, body) in bodies {
        compiler.number_blocks(procedure, body);
    }
    for &(procedure, body) in bodies {
        compiler.body(procedure, body);
    }
    for &procedure in contracts {
        compiler.contract(procedure);
    }
    let mut code = compiler.low.code;
    find_diamonds(&mut code);
    code
}

/// Whether some of these bodies say what was proved.
pub(super) fn is_annotated(program: &Program, bodies: &[(ProcId, u32)]) -> bool {
    let mut bodies = bodies.iter().map(|&(p, b)| &program[p].bodies[b as usize]);
    bodies.any(|body| {
        let mut statements = body.blocks.iter().flat_map(|b| &b.statements);
        body.exit_premise().is_some() || statements.any(|s| s.premise().is_some())
    })
}

/// All where-clauses, as the reference interpreter finds them.
fn where_clauses(program: &Program) -> FxHashMap<SymbolId, TermId> {
    let mut wheres = FxHashMap::default();
    let mut add = |v: &Variable| {
        wheres.extend(v.where_clause.map(|w| (v.symbol, w)));
    };
    program.globals.iter().for_each(|g| add(&g.variable));
    for p in &program.procedures {
        p.params.iter().chain(&p.results).for_each(&mut add);
        for body in &p.bodies {
            body.params.iter().chain(&body.results).chain(&body.locals).for_each(&mut add);
        }
    }
    for p in &program.procedures {
        for body in &p.bodies {
            let declared = p.params.iter().chain(&p.results);
            for (theirs, own) in declared.zip(body.params.iter().chain(&body.results)) {
                if let Some(w) = theirs.where_clause {
                    wheres.entry(own.symbol).or_insert(w);
                }
            }
        }
    }
    wheres
}

struct Compiler<'a, 't> {
    program: &'a Program,
    goals: &'a Goals,
    old_symbols: FxHashMap<SymbolId, SymbolId>,
    wheres: FxHashMap<SymbolId, TermId>,
    /// Whether any assertion was proved under a premise.
    annotated: bool,
    low: Lowering<'a, 't>,
}

impl Compiler<'_, '_> {
    fn globals(&mut self) {
        let constants = self.program.constants.iter().map(|c| c.symbol);
        let by_object: FxHashSet<SymbolId> = self
            .program
            .globals
            .iter()
            .filter(|g| g.variable.attributes.iter().any(|a| &*a.name == "by_object"))
            .map(|g| g.variable.symbol)
            .collect();
        let symbols: Vec<SymbolId> =
            constants.chain(self.program.globals.iter().map(|g| g.variable.symbol)).collect();
        for symbol in symbols {
            let sort = self.low.terms.symbol(symbol).sort;
            let mut class = Class::of(self.low.terms, sort);
            if let Class::Memory(shape) = &mut class {
                shape.by_object = by_object.contains(&symbol);
            }
            let code = &mut self.low.code;
            let mut slot = Slot { class, reg: GLOBAL, symbol: Some(symbol), sort };
            match class {
                Class::Word(_) => {
                    slot.reg |= code.global_words.len() as u32;
                    code.global_words.push(Word::UNSET);
                    code.word_owners.push(slot);
                }
                Class::Memory(_) => {
                    slot.reg |= code.global_memories;
                    code.global_memories += 1;
                    code.memory_owners.push(slot);
                }
                Class::General => {
                    slot.reg |= code.global_generals;
                    code.global_generals += 1;
                }
            }
            code.globals.insert(symbol, slot);
        }
    }

    fn number_blocks(&mut self, procedure: ProcId, number: u32) {
        let first = self.low.code.blocks.len() as u32;
        self.low.code.first_blocks.insert((procedure, number), first);
        let body = &self.program[procedure].bodies[number as usize];
        for block in body.block_ids() {
            let successors = body[block].terminator.successors().iter().map(|s| first + s.0).collect();
            let returns = body[block].terminator.kind == TerminatorKind::Return;
            let info = BlockInfo { successors, returns, entry: first, ..BlockInfo::default() };
            self.low.code.blocks.push(info);
        }
        for (i, goal) in self.goals.list.iter().enumerate() {
            if (goal.origin.procedure, goal.origin.body) != (procedure, number) {
                continue;
            }
            match goal.origin.place {
                Place::Segment { block, .. } | Place::Edge { block, .. } | Place::Failure { block, .. } => {
                    self.low.code.blocks[(first + block.0) as usize].goals.push(i as u32);
                }
                _ => {
                    for block in body.block_ids() {
                        if body[block].terminator.kind == TerminatorKind::Return {
                            self.low.code.blocks[(first + block.0) as usize].goals.push(i as u32);
                        }
                    }
                }
            }
        }
    }

    // ---- units ----

    /// The old symbols that occur below `roots`, with their globals.
    fn olds(&self, roots: &[TermId]) -> Vec<(SymbolId, SymbolId)> {
        let order = self.low.terms.post_order(roots);
        let used = order.into_iter().filter_map(|t| match self.low.terms.term(t).op {
            Op::Var(s) => self.old_symbols.get(&s).map(|&g| (s, g)),
            _ => None,
        });
        used.collect()
    }

    fn begin(&mut self, id: ProcId, body: Option<u32>) {
        let procedure = &self.program[id];
        let unit = Unit {
            procedure: id.0,
            body,
            start: self.low.pc(),
            polymorphic: !procedure.type_params.is_empty(),
            ..Unit::default()
        };
        let number = self.low.begin(unit);
        self.low.code.by_procedure.entry(id).or_default().push(number);
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
            self.low.unit().params.push(slot);
        }
        for v in results {
            let slot = self.low.declare(v.symbol);
            self.low.unit().results.push(slot);
        }
        for v in locals {
            self.low.declare(v.symbol);
        }
        for (theirs, own) in
            procedure.params.iter().chain(&procedure.results).zip(params.iter().chain(results))
        {
            let slot = self.low.unit().variables[&own.symbol];
            self.low.unit().variables.insert(theirs.symbol, slot);
        }
        for (old, global) in self.olds(&roots) {
            let slot = self.low.declare(old);
            let global = self.low.code.globals[&global];
            self.low.unit().olds.push((slot, global));
        }
        self.low.end_of_variables();
    }

    fn body(&mut self, id: ProcId, number: u32) {
        self.begin(id, Some(number));
        let procedure = &self.program[id];
        let body = &procedure.bodies[number as usize];
        let here = |place| Origin { procedure: id, body: number, place };
        let entry = self.low.place(here(Place::Entry));
        let mut jumps = Vec::new();
        for root in [true, false] {
            let pc = self.low.pc();
            if root {
                self.low.unit().root_entry = pc;
                self.assumptions(body, true, entry);
                for g in &self.program.globals {
                    self.assume(g.variable.where_clause, entry);
                }
            } else {
                self.low.unit().entry = pc;
                self.check_requires(procedure);
                self.assumptions(body, false, entry);
            }
            self.keep_olds();
            for v in body.params.iter().chain(&body.results).chain(&body.locals) {
                self.assume(self.wheres.get(&v.symbol).copied(), entry);
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
        for block in body.block_ids() {
            self.block(id, number, block, &mut patches);
        }
        patches.apply(&mut self.low.code);
        self.low.finish();
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
        for pair in self.low.unit().olds.clone() {
            let old = self.low.code.olds.len() as u32;
            self.low.code.olds.push(pair);
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
        self.begin(id, None);
        let procedure = &self.program[id];
        let entry = self.low.pc();
        self.low.unit().entry = entry;
        self.check_requires(procedure);
        self.keep_olds();
        self.low.emit(Ins::Contract);
        let symbols = procedure.results.iter().map(|v| v.symbol).chain(procedure.modifies.iter().copied());
        let wheres: Vec<TermId> = symbols.filter_map(|s| self.wheres.get(&s).copied()).collect();
        let ensures = procedure.ensures.iter().map(|c: &Contract| c.condition);
        for condition in wheres.into_iter().chain(ensures) {
            self.assume(Some(condition), CALLER);
        }
        self.low.emit(Ins::Return { at: CALLER });
        self.low.finish();
    }

    fn site(&mut self, arms: Vec<Option<u32>>, failure: Option<u32>) -> u32 {
        self.low.code.sites.push(Site { arms, failure, edges: Vec::new(), far: None, diamond: None });
        self.low.code.sites.len() as u32 - 1
    }

    // ---- blocks ----

    fn reach(&mut self, origin: Origin) -> bool {
        let Some(goal) = self.goals.at(origin) else { return false };
        self.low.emit(Ins::Reach { goal });
        true
    }

    fn block(&mut self, id: ProcId, number: u32, block: BlockId, patches: &mut Patches) {
        let body = &self.program[id].bodies[number as usize];
        let first = self.low.code.first_blocks[&(id, number)];
        let global = first + block.0;
        let pc = self.low.pc();
        patches.blocks.push(pc);
        let statements = &body[block].statements;
        self.low.emit(Ins::Enter { block: global, steps: statements.len() as u32 + 1 });
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
        if self.annotated {
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
                let number = self.low.code.havocs.len() as u32;
                self.low.code.havocs.push(slots);
                self.low.emit(Ins::Havoc { number, at: place });
                for symbol in symbols {
                    self.assume(self.wheres.get(symbol).copied(), place);
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
                let goal = self.goals.at(failure);
                let site = self.site(vec![None, Some(block)], goal);
                let fails = self.low.place(failure);
                // `assume premise ==> condition; assert condition` fails where neither holds, and blocks where only the
                // premise does.
                let unless = premise.map(|p| self.low.terms.app(Op::Or, [*condition, p]));
                let tested = unless.unwrap_or(*condition);
                let checked = self.low.condition(tested, place);
                self.low.code.sites[site as usize].far = self.low.far(tested);
                self.low.emit(Ins::Assert { condition: checked, kind: *kind, site, fails, clause: 0 });
                if unless.is_some() {
                    let condition = self.low.condition(*condition, place);
                    self.low.emit(Ins::Assume { condition, at: place });
                }
            }
            StatementKind::Call { callee, args, results } => self.call(*callee, args, results, at, block),
        }
        self.low.end_of_statement();
    }

    fn call(
        &mut self,
        callee: ProcId,
        args: &[Option<TermId>],
        results: &[Option<SymbolId>],
        at: Origin,
        block: u32,
    ) {
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
        let bodies = procedure.bodies.len() as u32;
        let firsts: Vec<u32> = (0..bodies).map(|b| self.low.code.first_blocks[&(callee, b)]).collect();
        self.low.code.blocks[block as usize].callees.extend(&firsts);
        let site = self.site(firsts.into_iter().map(Some).collect(), None);
        let number = self.low.code.calls.len() as u32;
        self.low.code.calls.push(CallSite { callee, args: list, arg_sorts: sorts, results, at, site });
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
        let first = self.low.code.first_blocks[&(id, number)];
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
                    let number = self.low.code.choices.len() as u32;
                    self.low.code.choices.push(Choice { site, targets: vec![0; targets.len()] });
                    let choose = self.low.emit(Ins::Choose { number });
                    edges.extend(targets.iter().enumerate().map(|(i, &t)| (choose, i as u32, t)));
                }
            },
            TerminatorKind::Branch { condition, then_to, else_to } => {
                let site = self.site(vec![Some(first + else_to.0), Some(first + then_to.0)], None);
                decided = Some(site);
                let tested = *condition;
                let condition = self.low.condition(tested, place);
                self.low.code.sites[site as usize].far = self.low.far(tested);
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
            if let (Some(site), Some(goal)) = (decided, self.goals.at(Origin { place: edge, ..at })) {
                // The first arm of a branch is that of a condition that does not hold.
                let is_branch = matches!(terminator, TerminatorKind::Branch { .. });
                let number = if is_branch { 1 - i as u32 } else { i as u32 };
                self.low.code.sites[site as usize].edges.push((number, goal));
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
            let goal = self.goals.at(failure);
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
    fn apply(self, code: &mut Code) {
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

/// The terms of a body that mention variables.
fn body_roots(body: &Body, roots: &mut Vec<TermId>) {
    let variables = body.params.iter().chain(&body.results).chain(&body.locals);
    roots.extend(variables.filter_map(|v| v.where_clause));
    for block in &body.blocks {
        for s in &block.statements {
            roots.extend(s.premise());
            match &s.kind {
                StatementKind::Assign(pairs) => roots.extend(pairs.iter().map(|&(_, value)| value)),
                StatementKind::Havoc(_) => {}
                StatementKind::Assume(condition) | StatementKind::TryFirst(condition) => {
                    roots.push(*condition);
                }
                StatementKind::Assert { condition, .. } => roots.push(*condition),
                StatementKind::Call { args, .. } => roots.extend(args.iter().flatten()),
            }
        }
        if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
            roots.push(condition);
        }
    }
}

/// Every condition and right-hand side that runs can come by.
pub(super) fn all_roots(program: &Program, bodies: &[(ProcId, u32)], contracts: &[ProcId]) -> Vec<TermId> {
    let mut roots = Vec::new();
    roots.extend(program.globals.iter().filter_map(|g| g.variable.where_clause));
    let procedures = bodies.iter().map(|(p, _)| p).chain(contracts);
    for &procedure in procedures {
        let p = &program[procedure];
        roots.extend(p.requires.iter().chain(&p.ensures).map(|c| c.condition));
        roots.extend(p.params.iter().chain(&p.results).filter_map(|v| v.where_clause));
    }
    for &(procedure, body) in bodies {
        body_roots(&program[procedure].bodies[body as usize], &mut roots);
    }
    roots.sort_unstable();
    roots.dedup();
    roots
}
