//! Function inlining: calls are replaced by the callees' bodies, or by their contracts.
//!
//! **Idea.** A call of a procedure with bodies becomes a copy of the body's prepared blocks, over fresh symbols for
//! parameters, results, locals and the globals' old values. A call of a procedure without bodies becomes its
//! contract: its preconditions are checked, results and modified globals get arbitrary values, its postconditions are
//! assumed. Copies contain calls again; they are replaced in breadth-first order until none is left, each procedure
//! at most `recursion + 1` times in a chain of activations.
//!
//! The shape of a replaced call, where `b` is the piece that it ends and `n` the next one:
//!
//! ```text
//! b:  …; p' := arguments      →  checks of `requires`, each with its failure block
//!     old' := g; havoc results', locals'      →  (free choice among) the bodies' entry blocks
//!     …the body…  exit: assume free ensures; targets := results'      →  n
//! ```
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 3 ("to inline a
//! procedure, we split the block at the location of the procedure call …").
//!
//! **Deviations.**
//! 1. Calls are replaced breadth-first instead of in calling order, so that a limit on blocks cuts the deepest calls.
//! 2. Beyond the bound the paper leaves the call's effect open; here the run ends in a [cut](TerminatorKind::Cut),
//!    after the preconditions have been checked.
//! 3. Pieces of the call that belong to the caller have the origin of the piece with the call.
//! 4. A procedure with a stand-in ([`Standins`]) is replaced by that instead of its bodies.
//!
//! **Direction of error.** None within the bounds; runs beyond them end in cuts. A body that never returns is no
//! contradiction: what follows its call is simply not reached.

use std::rc::Rc;

use footpath_ir::source::Span;
use footpath_ir::{
    Block, BlockId, Body, Contract, Origin, Place, ProcId, Program, Statement, StatementKind, Terminator,
    TerminatorKind, Variable,
};
use footpath_term::{Substitution, SymbolId, TermId, Terms, TypeSubstitution};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Bounds;
use crate::critical_edges::Names;
use crate::objective::{call_in, call_place};
use crate::prepare::{Role, assume_clause, prepare};

/// A body without calls.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The body. Its locals are the root's and those of all activations.
    pub body: Body,
    /// For each block, its call depth: how many activations of callees it is inside.
    pub depths: Vec<u32>,
    /// The calls that were not followed.
    pub unfollowed: Vec<Unfollowed>,
    /// For each procedure that was inlined somewhere (or is the root), the entry blocks of one activation.
    pub entries: FxHashMap<ProcId, Vec<BlockId>>,
    /// The results and locals of activations.
    pub activation_locals: FxHashMap<SymbolId, ActivationLocal>,
    /// Messages about what the limit on blocks left out.
    pub notes: Vec<String>,
}

/// A result or local of an activation. It is havocked just before the activation is entered.
#[derive(Clone, Debug)]
pub struct ActivationLocal {
    /// The variables of the source that it stands for; several if the procedure has several bodies.
    pub sources: Vec<SymbolId>,
    /// The call depth of the activation's blocks.
    pub depth: u32,
}

/// A call that was not followed.
#[derive(Clone, Copy, Debug)]
pub struct Unfollowed {
    /// The block that ends in a cut for it.
    pub block: BlockId,
    /// The procedure called.
    pub callee: ProcId,
    /// Where control would have returned to.
    pub next: BlockId,
    /// Why it was not followed.
    pub why: NotFollowed,
}

/// Why a call was not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotFollowed {
    /// There would have been one open call of its procedure too many.
    Recursion,
    /// There would have been too many blocks.
    BlockLimit,
    /// Its summary leaves runs out, for a bound of its own.
    Summary,
}

/// Bodies that replace procedures at calls instead of their own bodies, such as summaries. A stand-in is shaped like
/// a prepared body over the formals that the procedure declares, and has no calls; a [`TerminatorKind::Cut`] in it is
/// a call that was not followed.
#[derive(Clone, Debug, Default)]
pub struct Standins(pub FxHashMap<ProcId, Standin>);

/// One of the [`Standins`].
#[derive(Clone, Debug)]
pub struct Standin {
    /// The body that runs instead of the procedure.
    pub body: Body,
    /// Whether the procedure may call the procedure at the root again.
    pub recursive: bool,
    /// Those of its blocks that end in a cut because a call would have been one more open call of its procedure.
    pub open_calls: Vec<BlockId>,
}

/// Inlines all calls in the prepared body `root`.
pub fn inline(
    program: &Program,
    terms: &mut Terms,
    procedure: ProcId,
    root: Body,
    bounds: Bounds,
    standins: &Standins,
) -> Inlined {
    let names = Names::of(&root.blocks);
    let mut inliner = Inliner {
        program,
        terms,
        bounds,
        standins,
        names,
        depths: vec![0; root.blocks.len()],
        activations: vec![Activation { procedure, caller: None, depth: 0 }],
        queue: Vec::new(),
        body: root,
        prepared: FxHashMap::default(),
        unfollowed: Vec::new(),
        entries: FxHashMap::default(),
        activation_locals: FxHashMap::default(),
        too_many: Vec::new(),
    };
    if program[procedure].bodies.len() == 1 {
        inliner.entries.insert(procedure, vec![Body::ENTRY]);
    }
    inliner.enqueue_calls(0, 0);
    let mut next = 0;
    while let Some(&(block, activation)) = inliner.queue.get(next) {
        next += 1;
        inliner.expand(block, activation);
    }
    inliner.finish()
}

/// One call of one procedure; `caller` leads to the activation it was made in.
struct Activation {
    procedure: ProcId,
    caller: Option<u32>,
    depth: u32,
}

/// A callee's body, ready to be copied.
struct Prepared {
    body: Body,
    /// Old symbols in it and the globals they belong to.
    olds: Vec<(SymbolId, SymbolId)>,
}

struct Inliner<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    bounds: Bounds,
    standins: &'a Standins,
    names: Names,
    body: Body,
    depths: Vec<u32>,
    activations: Vec<Activation>,
    /// Blocks that end in a call, with the activation they belong to.
    queue: Vec<(BlockId, u32)>,
    prepared: FxHashMap<ProcId, Rc<Vec<Prepared>>>,
    unfollowed: Vec<Unfollowed>,
    entries: FxHashMap<ProcId, Vec<BlockId>>,
    activation_locals: FxHashMap<SymbolId, ActivationLocal>,
    too_many: Vec<ProcId>,
}

/// A call while it is replaced.
struct Call {
    /// The block that is being added to; at first the piece that the call ends.
    block: BlockId,
    callee: ProcId,
    span: Span,
    depth: u32,
    /// The call statement, by block and number in the source.
    place: (BlockId, u32),
    /// Names the piece with the call, and is the origin of what is added.
    origin: Origin,
    /// The piece that follows.
    next: BlockId,
    /// The prefix of the names of the activation's blocks and variables.
    prefix: String,
    types: TypeSubstitution,
    /// From the procedure's formals to fresh symbols.
    formals: Substitution,
    params: Vec<SymbolId>,
    results: Vec<SymbolId>,
    /// The variables that take the results.
    targets: Vec<Option<SymbolId>>,
}

impl Inliner<'_> {
    fn enqueue_calls(&mut self, from: usize, activation: u32) {
        for i in from..self.body.blocks.len() {
            if call_in(&self.body.blocks[i]).is_some() {
                self.queue.push((BlockId(i as u32), activation));
            }
        }
    }

    fn expand(&mut self, block: BlockId, activation: u32) {
        let mut call = self.take_call(block, activation);
        let program = self.program;
        self.check_requires(&mut call);
        let callee = &program[call.callee];
        if callee.bodies.is_empty() {
            self.contract(call);
            return;
        }
        let mut occurrences = 0;
        let mut chain = Some(activation);
        while let Some(a) = chain.map(|a| &self.activations[a as usize]) {
            occurrences += u32::from(a.procedure == call.callee);
            chain = a.caller;
        }
        if occurrences > self.bounds.recursion {
            self.cut(&call, NotFollowed::Recursion);
            return;
        }
        let bodies = self.prepared(call.callee);
        let size: usize = bodies.iter().map(|b| b.body.blocks.len()).sum();
        if self.body.blocks.len() + size > self.bounds.max_blocks {
            if !self.too_many.contains(&call.callee) {
                self.too_many.push(call.callee);
            }
            self.cut(&call, NotFollowed::BlockLimit);
            return;
        }
        let (procedure, depth) = (call.callee, call.depth + 1);
        self.activations.push(Activation { procedure, caller: Some(activation), depth });
        self.bodies(&call, &bodies);
    }

    /// Takes the call out of its block and assigns the arguments.
    fn take_call(&mut self, block: BlockId, activation: u32) -> Call {
        let program = self.program;
        let next = self.body[block].terminator.successors()[0];
        let place = call_place(&self.body[block], &self.body[next]);
        let origin = self.body[block].origin;
        let statement = self.body[block].statements.pop().expect("the block ends in a call");
        let StatementKind::Call { callee, args, results: targets } = statement.kind else {
            unreachable!("the block ends in a call")
        };
        let span = statement.span;
        let procedure = &program[callee];
        let prefix = format!("{}${}$", procedure.name, self.activations.len());
        let given: Vec<_> = args.iter().map(|a| a.map(|a| self.terms.sort(a))).collect();
        let taking: Vec<_> = targets.iter().map(|t| t.map(|t| self.terms.symbol(t).sort)).collect();
        let types = program.type_arguments(self.terms, callee, &given, &taking);
        let params = self.fresh_all(&procedure.params, &prefix, &types);
        let results = self.fresh_all(&procedure.results, &prefix, &types);
        let mut formals = Substitution::default();
        for (formal, &fresh) in
            procedure.params.iter().chain(&procedure.results).zip(params.iter().chain(&results))
        {
            formals.insert(formal.symbol, self.terms.var(fresh));
        }
        let given = params.iter().zip(&args).filter_map(|(&p, a)| a.map(|a| (p, a))).collect::<Vec<_>>();
        let arbitrary =
            params.iter().zip(&args).filter(|(_, a)| a.is_none()).map(|(&p, _)| p).collect::<Vec<_>>();
        let depth = self.activations[activation as usize].depth;
        let call = Call {
            block,
            callee,
            span,
            depth,
            place,
            origin,
            next,
            prefix,
            types,
            formals,
            params,
            results,
            targets,
        };
        self.assign(&call, given);
        self.havoc(&call, arbitrary);
        call
    }

    /// Fresh symbols for variables, declared as locals. Their where-clauses are assumed where they hold, so the
    /// declaration has none.
    fn fresh_all(&mut self, variables: &[Variable], prefix: &str, types: &TypeSubstitution) -> Vec<SymbolId> {
        variables.iter().map(|v| self.fresh(v.symbol, v, prefix, types)).collect()
    }

    fn fresh(&mut self, like: SymbolId, at: &Variable, prefix: &str, types: &TypeSubstitution) -> SymbolId {
        let symbol = self.terms.symbol(like).clone();
        let sort = self.terms.substitute_sort(symbol.sort, types);
        let fresh = self.terms.fresh_symbol(format!("{prefix}{}", symbol.name), sort);
        let attributes = at.attributes.clone();
        self.body.locals.push(Variable { symbol: fresh, where_clause: None, span: at.span, attributes });
        fresh
    }

    fn assign(&mut self, call: &Call, pairs: Vec<(SymbolId, TermId)>) {
        if !pairs.is_empty() {
            self.push_statement(call, StatementKind::Assign(pairs));
        }
    }

    fn havoc(&mut self, call: &Call, symbols: Vec<SymbolId>) {
        if !symbols.is_empty() {
            self.push_statement(call, StatementKind::Havoc(symbols));
        }
    }

    fn push_statement(&mut self, call: &Call, kind: StatementKind) {
        self.body[call.block].statements.push(Statement::new(kind, call.span));
    }

    fn set_terminator(&mut self, call: &Call, kind: TerminatorKind) {
        self.body[call.block].terminator = Terminator { kind, span: call.span };
    }

    fn push_block(&mut self, call: &Call, name: String, kind: TerminatorKind, origin: Origin) -> BlockId {
        let id = BlockId(self.body.blocks.len() as u32);
        let terminator = Terminator { kind, span: call.span };
        let name = self.names.fresh(name);
        self.body.blocks.push(Block { name, statements: Vec::new(), terminator, span: call.span, origin });
        self.depths.push(call.depth);
        id
    }

    /// Goes on in a new block of the caller that `call.block` is to lead to.
    fn continue_in_new_block(&mut self, call: &Call) -> BlockId {
        let name = format!("{}.call", self.body[call.block].name);
        self.push_block(call, name, TerminatorKind::Goto(Vec::new()), call.origin)
    }

    /// Branches to failures where a precondition does not hold. Free preconditions are ignored.
    fn check_requires(&mut self, call: &mut Call) {
        let clauses = &self.program[call.callee].requires;
        let mut map = call.formals.clone();
        for global in &self.program.globals {
            map.insert(global.old, self.terms.var(global.variable.symbol));
        }
        for (i, clause) in clauses.iter().enumerate().filter(|(_, c)| !c.free) {
            let condition = self.terms.substitute_all(&[clause.condition], &map, &call.types)[0];
            let (block, statement) = call.place;
            let place = Place::Failure { block, statement, clause: i as u32 };
            let name = format!("{}.fails", self.body[call.block].name);
            let else_to = self.push_block(call, name, TerminatorKind::Fail, Origin { place, ..call.origin });
            let then_to = self.continue_in_new_block(call);
            self.set_terminator(call, TerminatorKind::Branch { condition, then_to, else_to });
            call.block = then_to;
        }
    }

    fn cut(&mut self, call: &Call, why: NotFollowed) {
        self.set_terminator(call, TerminatorKind::Cut);
        let Call { block, callee, next, .. } = *call;
        self.unfollowed.push(Unfollowed { block, callee, next, why });
    }

    /// Keeps the values that the callee's old symbols stand for in fresh symbols.
    fn remember(&mut self, call: &Call, olds: &[(SymbolId, SymbolId)]) -> Substitution {
        let program = self.program;
        let mut map = Substitution::default();
        let mut pairs = Vec::new();
        for &(old, global) in olds {
            let declared = program.globals.iter().find(|g| g.old == old).expect("an old symbol has a global");
            let prefix = format!("{}old$", call.prefix);
            let fresh = self.fresh(global, &declared.variable, &prefix, &TypeSubstitution::default());
            pairs.push((fresh, self.terms.var(global)));
            map.insert(old, self.terms.var(fresh));
        }
        self.assign(call, pairs);
        map
    }

    /// The call of a procedure of which only the contract is known.
    fn contract(&mut self, call: Call) {
        let program = self.program;
        let callee = &program[call.callee];
        let conditions: Vec<TermId> = callee.ensures.iter().map(|c| c.condition).collect();
        let olds = olds_in(program, self.terms, &conditions);
        let (changed, kept): (Vec<_>, Vec<_>) =
            olds.into_iter().partition(|(_, g)| callee.modifies.contains(g));
        let mut map = self.remember(&call, &changed);
        map.extend(kept.into_iter().map(|(old, g)| (old, self.terms.var(g))));
        map.extend(call.formals.iter().map(|(&s, &t)| (s, t)));
        let arbitrary = call.results.iter().chain(&callee.modifies).copied().collect::<Vec<_>>();
        self.havoc(&call, arbitrary);

        let modified =
            program.globals.iter().map(|g| &g.variable).filter(|v| callee.modifies.contains(&v.symbol));
        let wheres =
            callee.results.iter().chain(modified).filter_map(|v| v.where_clause.map(|c| (v.span, c)));
        let (spans, wheres): (Vec<Span>, Vec<TermId>) = wheres.unzip();
        let wheres = self.terms.substitute_all(&wheres, &map, &call.types);
        let assumed =
            wheres.into_iter().zip(spans).map(|(c, span)| Statement::new(StatementKind::Assume(c), span));
        let mut assumed: Vec<Statement> = assumed.collect();
        let conditions = self.terms.substitute_all(&conditions, &map, &call.types);
        assumed.extend(callee.ensures.iter().zip(conditions).map(|(clause, c)| assume_clause(clause, c)));

        if !assumed.is_empty() {
            let after = self.continue_in_new_block(&call);
            self.set_terminator(&call, TerminatorKind::Goto(vec![after]));
            self.body[after].statements = assumed;
            let call = Call { block: after, ..call };
            self.give_results(&call);
        } else {
            self.give_results(&call);
        }
    }

    /// Assigns the results and continues after the call.
    fn give_results(&mut self, call: &Call) {
        let pairs = self.result_pairs(call);
        self.assign(call, pairs);
        self.set_terminator(call, TerminatorKind::Goto(vec![call.next]));
    }

    fn result_pairs(&mut self, call: &Call) -> Vec<(SymbolId, TermId)> {
        let taken = call.targets.iter().zip(&call.results);
        taken.filter_map(|(t, &r)| t.map(|t| (t, r))).map(|(t, r)| (t, self.terms.var(r))).collect()
    }

    fn prepared(&mut self, procedure: ProcId) -> Rc<Vec<Prepared>> {
        if let Some(known) = self.prepared.get(&procedure) {
            return known.clone();
        }
        if let Some(standin) = self.standins.0.get(&procedure) {
            let roots: Vec<TermId> =
                self.program[procedure].ensures.iter().filter(|c| c.free).map(|c| c.condition).collect();
            let olds = olds_in(self.program, self.terms, &roots);
            let bodies = Rc::new(vec![Prepared { olds, body: standin.body.clone() }]);
            self.prepared.insert(procedure, bodies.clone());
            return bodies;
        }
        let count = self.program[procedure].bodies.len() as u32;
        let mut bodies = Vec::new();
        for index in 0..count {
            let body = prepare(self.program, self.terms, procedure, index, Role::Callee);
            let mut roots: Vec<TermId> = body.blocks.iter().flat_map(Block::terms).collect();
            roots.extend(self.program[procedure].ensures.iter().map(|c| c.condition));
            bodies.push(Prepared { olds: olds_in(self.program, self.terms, &roots), body });
        }
        let bodies = Rc::new(bodies);
        self.prepared.insert(procedure, bodies.clone());
        bodies
    }

    /// The call of a procedure with bodies: one of them runs.
    fn bodies(&mut self, call: &Call, bodies: &[Prepared]) {
        let program = self.program;
        let callee = &program[call.callee];
        let mut olds: Vec<(SymbolId, SymbolId)> =
            bodies.iter().flat_map(|b| b.olds.iter().copied()).collect();
        olds.sort_unstable();
        olds.dedup();
        let olds = self.remember(call, &olds);
        // Each time round a loop the variables are arbitrary again.
        let mut arbitrary = call.results.clone();
        let mut entries = Vec::new();
        let activation = self.activations.len() as u32 - 1;
        let first = self.body.blocks.len();
        for (index, prepared) in bodies.iter().enumerate() {
            let prefix = match bodies.len() {
                1 => call.prefix.clone(),
                _ => format!("{}{index}$", call.prefix),
            };
            let locals = self.fresh_all(&prepared.body.locals, &prefix, &call.types);
            arbitrary.extend(&locals);
            let mut map = olds.clone();
            map.extend(call.formals.iter().map(|(&s, &t)| (s, t)));
            let own = [&prepared.body.params, &prepared.body.results, &prepared.body.locals];
            let fresh = [&call.params, &call.results, &locals];
            for (v, &symbol) in own.into_iter().flatten().zip(fresh.into_iter().flatten()) {
                map.insert(v.symbol, self.terms.var(symbol));
            }
            let variables = prepared.body.results.iter().chain(&prepared.body.locals);
            for (v, &symbol) in variables.zip(call.results.iter().chain(&locals)) {
                let none = ActivationLocal { sources: Vec::new(), depth: call.depth + 1 };
                self.activation_locals.entry(symbol).or_insert(none).sources.push(v.symbol);
            }
            entries.push(BlockId(self.body.blocks.len() as u32));
            self.copy_body(call, &prepared.body, &prefix, &map, &callee.ensures);
        }
        self.havoc(call, arbitrary);
        match self.standins.0.get(&call.callee) {
            None => {
                self.entries.entry(call.callee).or_insert_with(|| entries.clone());
            }
            Some(standin) => self.note_cuts(call, first, standin),
        }
        self.set_terminator(call, TerminatorKind::Goto(entries));
        self.enqueue_calls(first, activation);
    }

    /// Registers the cuts of a stand-in, whose blocks begin with number `first`. What follows them in the callee
    /// matters only where that may be the root's own code.
    fn note_cuts(&mut self, call: &Call, first: usize, standin: &Standin) {
        if !standin.recursive {
            self.entries.entry(call.callee).or_default();
        }
        for i in first..self.body.blocks.len() {
            if self.body.blocks[i].terminator.kind == TerminatorKind::Cut {
                let block = BlockId(i as u32);
                let own = BlockId((i - first) as u32);
                let why = match standin.open_calls.contains(&own) {
                    true => NotFollowed::Recursion,
                    false => NotFollowed::Summary,
                };
                self.unfollowed.push(Unfollowed { block, callee: call.callee, next: call.next, why });
            }
        }
    }

    fn copy_body(
        &mut self,
        call: &Call,
        body: &Body,
        prefix: &str,
        map: &Substitution,
        ensures: &[Contract],
    ) {
        let shift = self.body.blocks.len() as u32;
        let mut roots: Vec<TermId> = body.blocks.iter().flat_map(Block::terms).collect();
        let free: Vec<&Contract> = ensures.iter().filter(|c| c.free).collect();
        roots.extend(free.iter().map(|c| c.condition));
        let mut replaced = self.terms.substitute_all(&roots, map, &call.types).into_iter();
        // Assigned symbols are variables of the activation, or globals, which stay.
        let renamed: FxHashMap<SymbolId, SymbolId> = map
            .iter()
            .filter_map(|(&s, &t)| match self.terms.term(t).op {
                footpath_term::Op::Var(v) => Some((s, v)),
                _ => None,
            })
            .collect();
        let mut returns = None;
        for source in &body.blocks {
            let mut block = source.clone();
            block.name = self.names.fresh(format!("{prefix}{}", source.name));
            for term in terms_in_mut(&mut block) {
                *term = replaced.next().expect("a replacement for each term");
            }
            for symbol in symbols_in_mut(&mut block) {
                *symbol = renamed.get(symbol).copied().unwrap_or(*symbol);
            }
            for target in block.terminator.successors_mut() {
                target.0 += shift;
            }
            if block.terminator.kind == TerminatorKind::Return {
                returns = Some(BlockId(self.body.blocks.len() as u32));
            }
            self.body.blocks.push(block);
            self.depths.push(call.depth + 1);
        }
        let returns = returns.expect("a prepared body has a block that returns");
        let assumed =
            free.iter().map(|clause| assume_clause(clause, replaced.next().expect("one for each clause")));
        let assumed: Vec<Statement> = assumed.collect();
        let results = self.result_pairs(call);
        let block = &mut self.body[returns];
        block.statements.extend(assumed);
        if !results.is_empty() {
            block.statements.push(Statement::new(StatementKind::Assign(results), call.span));
        }
        block.terminator.kind = TerminatorKind::Goto(vec![call.next]);
    }

    fn finish(self) -> Inlined {
        let mut notes = Vec::new();
        if !self.too_many.is_empty() {
            let names: Vec<String> =
                self.too_many.iter().map(|&p| format!("`{}`", self.program[p].name)).collect();
            let limit = self.bounds.max_blocks;
            notes.push(format!("some calls of {} were cut: more than {limit} blocks", names.join(", ")));
        }
        let Inliner { body, depths, unfollowed, entries, activation_locals, .. } = self;
        Inlined { body, depths, unfollowed, entries, activation_locals, notes }
    }
}

/// The old symbols that occur in terms, with their globals.
fn olds_in(program: &Program, terms: &Terms, roots: &[TermId]) -> Vec<(SymbolId, SymbolId)> {
    let used: FxHashSet<SymbolId> = terms.free_symbols(roots).into_iter().collect();
    let olds = program.globals.iter().filter(|g| used.contains(&g.old));
    olds.map(|g| (g.old, g.variable.symbol)).collect()
}

/// All terms in a block, in the order of [`Block::terms`].
fn terms_in_mut(block: &mut Block) -> Vec<&mut TermId> {
    let mut found = Vec::new();
    for statement in &mut block.statements {
        match &mut statement.kind {
            StatementKind::Assign(pairs) => found.extend(pairs.iter_mut().map(|(_, t)| t)),
            StatementKind::Assume(c) | StatementKind::TryFirst(c) => found.push(c),
            StatementKind::Assert { condition, premise, .. } => {
                found.push(condition);
                found.extend(premise);
            }
            StatementKind::Call { args, .. } => found.extend(args.iter_mut().flatten()),
            StatementKind::Havoc(_) => {}
        }
    }
    if let TerminatorKind::Branch { condition, .. } = &mut block.terminator.kind {
        found.push(condition);
    }
    found
}

/// All symbols that a block assigns or forgets.
fn symbols_in_mut(block: &mut Block) -> Vec<&mut SymbolId> {
    let mut found = Vec::new();
    for statement in &mut block.statements {
        match &mut statement.kind {
            StatementKind::Assign(pairs) => found.extend(pairs.iter_mut().map(|(s, _)| s)),
            StatementKind::Havoc(symbols) => found.extend(symbols.iter_mut()),
            StatementKind::Call { results, .. } => found.extend(results.iter_mut().flatten()),
            StatementKind::Assume(_) | StatementKind::Assert { .. } | StatementKind::TryFirst(_) => {}
        }
    }
    found
}
