//! Preparation of a program: what all explorations of one program share, computed once.
//!
//! This includes the program's theory, its where-clauses, and for each body the facts that must be known before a run
//! reaches it. The latter are computed when an exploration first needs them, so a small function of a large program
//! costs no more than what it can reach. Code is compiled by each exploration, as it depends on what is to be
//! covered, and only for what a run reaches (`code.rs`).
//!
//! **Direction of error.** None.

use std::sync::{Arc, OnceLock};

use footpath_ir::interp::Interpreter;
use footpath_ir::{Body, ProcId, Program, StatementKind, TerminatorKind, Variable};
use footpath_term::{FuncId, FuncKind, Op, Sort, SortId, SymbolId, TermId, Terms};
use footpath_transform::theory::{Relevant, Theory};
use rustc_hash::{FxHashMap, FxHashSet};

use super::compile::count_sites;
use super::lower::is_open;
use footpath_smt::is_polymorphic;

/// See the module.
pub struct Prepared<'a> {
    interpreter: Interpreter<'a>,
    theory: Theory<'a>,
    /// By old symbol, the global.
    pub(super) old_symbols: FxHashMap<SymbolId, SymbolId>,
    /// All where-clauses, as the reference interpreter finds them.
    pub(super) wheres: FxHashMap<SymbolId, TermId>,
    /// Positions of the functions that have a definition.
    pub(super) definitions: FxHashMap<FuncId, usize>,
    /// Those of them whose definitions mention nothing that is an input.
    pub(super) closed: FxHashSet<FuncId>,
    /// The terms that where-clauses of globals mention.
    of_globals: Mentioned,
    /// By procedure and body; a contract counts as body 0.
    facts: Vec<Vec<OnceLock<Facts>>>,
}

/// The facts about a body, or a contract, that are needed before it is compiled.
#[derive(Debug)]
pub(super) struct Facts {
    /// The procedures that it calls, ascending.
    callees: Vec<ProcId>,
    /// How many sites it has.
    pub(super) sites: u32,
    /// Whether something in it was proved under a premise.
    annotated: bool,
    mentioned: Mentioned,
}

/// What terms mention, after inlining of function definitions.
#[derive(Default, Debug)]
struct Mentioned {
    /// A sort with type variables.
    polymorphic: bool,
    /// The partial order `<:`.
    subtype: bool,
    /// Functions of which a solver may choose the values.
    functions: FxHashSet<FuncId>,
    /// Other operators that their arguments may leave open.
    operators: bool,
}

impl<'a> Prepared<'a> {
    /// Prepares a program.
    pub fn new(program: &'a Program) -> Prepared<'a> {
        let defined = program.functions.iter().enumerate().filter(|(_, f)| f.body.is_some());
        let definitions: FxHashMap<FuncId, usize> = defined.map(|(i, f)| (f.id, i)).collect();
        let facts =
            |p: &footpath_ir::Procedure| (0..p.bodies.len().max(1)).map(|_| OnceLock::new()).collect();
        let theory = Theory::new(program);
        let wheres: Vec<TermId> = program.globals.iter().filter_map(|g| g.variable.where_clause).collect();
        Prepared {
            interpreter: Interpreter::new(program),
            of_globals: Mentioned::of(program, &theory, &wheres),
            theory,
            old_symbols: program.old_symbols(),
            wheres: where_clauses(program),
            closed: closed_functions(program, &definitions),
            definitions,
            facts: program.procedures.iter().map(facts).collect(),
        }
    }

    /// The reference interpreter.
    pub fn interpreter(&self) -> &Interpreter<'a> {
        &self.interpreter
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        self.interpreter.program()
    }

    pub(super) fn theory(&self) -> &Theory<'a> {
        &self.theory
    }

    pub(super) fn facts(&self, procedure: ProcId, body: Option<u32>) -> &Facts {
        let place = &self.facts[procedure.index()][body.unwrap_or_default() as usize];
        place.get_or_init(|| Facts::of(self.program(), &self.theory, procedure, body))
    }
}

impl Facts {
    fn of(program: &Program, theory: &Theory<'_>, id: ProcId, body: Option<u32>) -> Facts {
        let procedure = &program[id];
        let body = body.map(|b| &procedure.bodies[b as usize]);
        let mut callees: Vec<ProcId> = body.into_iter().flat_map(Body::calls).collect();
        callees.sort_unstable();
        callees.dedup();
        let mut roots = Vec::new();
        procedure_roots(program, id, &mut roots);
        body.inspect(|b| body_roots(b, &mut roots));
        Facts {
            callees,
            sites: count_sites(procedure, body),
            annotated: body.is_some_and(is_annotated),
            mentioned: Mentioned::of(program, theory, &roots),
        }
    }
}

impl Mentioned {
    fn of(program: &Program, theory: &Theory<'_>, roots: &[TermId]) -> Mentioned {
        let mut terms = Terms::layer(Arc::clone(&program.terms));
        let roots = theory.expand(&mut terms, roots);
        let mut mentioned = Mentioned { polymorphic: is_polymorphic(&terms, &roots), ..Mentioned::default() };
        for t in terms.post_order(&roots) {
            let op = &terms.term(t).op;
            mentioned.subtype |= *op == Op::Subtype;
            if !is_open(&terms, t) {
                continue;
            }
            match op {
                Op::Apply(f) if is_arithmetic(&terms.function(*f).kind) => {}
                Op::Apply(f) => {
                    mentioned.functions.insert(*f);
                }
                _ => mentioned.operators = true,
            }
        }
        mentioned
    }
}

/// The bodies, and the contracts of procedures without one, that runs from a root can reach.
pub(super) struct Reachable {
    /// The root first, then ascending.
    pub(super) bodies: Vec<(ProcId, u32)>,
    pub(super) contracts: Vec<ProcId>,
}

impl Reachable {
    /// From a root.
    pub(super) fn from(prepared: &Prepared<'_>, root: (ProcId, u32)) -> Reachable {
        let mut bodies = vec![root];
        let mut contracts = FxHashSet::default();
        let mut seen: FxHashSet<(ProcId, u32)> = FxHashSet::from_iter([root]);
        let mut next = 0;
        while let Some(&(procedure, body)) = bodies.get(next) {
            next += 1;
            for &callee in &prepared.facts(procedure, Some(body)).callees {
                let count = prepared.program()[callee].bodies.len() as u32;
                if count == 0 {
                    contracts.insert(callee);
                }
                bodies.extend((0..count).map(|b| (callee, b)).filter(|b| seen.insert(*b)));
            }
        }
        bodies[1..].sort_unstable();
        let mut contracts = Vec::from_iter(contracts);
        contracts.sort_unstable();
        Reachable { bodies, contracts }
    }

    /// Bodies, then contracts.
    pub(super) fn all(&self) -> impl Iterator<Item = (ProcId, Option<u32>)> {
        let bodies = self.bodies.iter().map(|&(p, b)| (p, Some(b)));
        bodies.chain(self.contracts.iter().map(|&p| (p, None)))
    }

    /// Whether something there was proved under a premise.
    pub(super) fn annotated(&self, prepared: &Prepared<'_>) -> bool {
        self.all().any(|(p, b)| prepared.facts(p, b).annotated)
    }

    fn mentioned<'p>(&self, prepared: &'p Prepared<'_>) -> impl Iterator<Item = &'p Mentioned> {
        let places = self.all().map(|(p, b)| &prepared.facts(p, b).mentioned);
        places.chain([&prepared.of_globals])
    }

    /// Whether a sort with type variables is mentioned there.
    pub(super) fn polymorphic(&self, prepared: &Prepared<'_>) -> bool {
        self.mentioned(prepared).any(|m| m.polymorphic)
    }

    /// The part of the program's axioms that is relevant for these runs; see [`Theory::relevant`].
    pub(super) fn relevant(&self, prepared: &Prepared<'_>, terms: &mut Terms) -> Relevant {
        if prepared.theory.says_nothing() && !self.mentioned(prepared).any(|m| m.subtype) {
            return Relevant::default();
        }
        let roots = self.roots(prepared.program());
        let roots = prepared.theory.expand(terms, &roots);
        prepared.theory.relevant(terms, &roots)
    }

    /// Formulas that always hold and mention the terms that runs evaluate, but for those with type variables. Variables of quantifiers
    /// are any values there.
    pub(super) fn mentions(&self, prepared: &Prepared<'_>, terms: &mut Terms) -> Vec<TermId> {
        let mut todo = prepared.theory.expand(terms, &self.roots(prepared.program()));
        let (mut seen, mut formulas) = (FxHashSet::default(), Vec::new());
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            let (sort, order) = (terms.sort(t), terms.post_order(&[t]));
            // Whether maps of any type are equal is no question that the solver is asked.
            if matches!(terms.sort_of(sort), Sort::Map { params: 1.., .. })
                || order.iter().any(|&t| matches!(terms.term(t).op, Op::Bind(_)))
            {
                todo.extend(&terms.term(t).args);
            } else if !order.iter().any(|&t| terms.has_type_vars(terms.sort(t))) {
                let any = terms.fresh_symbol("any", sort);
                let any = terms.var(any);
                formulas.push(terms.app(if sort == SortId::BOOL { Op::Or } else { Op::Eq }, [any, t]));
            }
        }
        formulas
    }

    /// What a solver may choose the values of, but for `native` functions, which are run. Floating-point arithmetic
    /// is not either, though it leaves things open (the bits of a NaN, integers out of range): programs rarely ask
    /// for them. If one does, a run on the solver's model goes another way and its arm is lost, which is counted.
    pub(super) fn open(&self, prepared: &Prepared<'_>, native: &FxHashSet<FuncId>) -> Open {
        let terms: &Terms = &prepared.program().terms;
        let mut open = Open::Nothing;
        for mentioned in self.mentioned(prepared) {
            let functions = mentioned.functions.iter().filter(|f| !native.contains(f));
            let builtin = functions.map(|&f| matches!(terms.function(f).kind, FuncKind::Builtin(_)));
            for is_builtin in builtin.chain(mentioned.operators.then_some(false)) {
                open = open.max(if is_builtin { Open::Builtin } else { Open::Other });
            }
        }
        open
    }

    /// Every condition and right-hand side that runs can evaluate.
    fn roots(&self, program: &Program) -> Vec<TermId> {
        let mut roots = Vec::new();
        roots.extend(program.globals.iter().filter_map(|g| g.variable.where_clause));
        for (procedure, body) in self.all() {
            procedure_roots(program, procedure, &mut roots);
            body.inspect(|&b| body_roots(&program[procedure].bodies[b as usize], &mut roots));
        }
        roots.sort_unstable();
        roots.dedup();
        roots
    }
}

/// Which operators in a program are not determined by their arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Open {
    Nothing,
    /// Functions of the solver's theories (floating point) only. What such a run decides on does not depend on what a
    /// source says of functions.
    Builtin,
    Other,
}

/// Whether a body has annotations about what was proved.
fn is_annotated(body: &Body) -> bool {
    let mut statements = body.blocks.iter().flat_map(|b| &b.statements);
    body.exit_premise().is_some() || statements.any(|s| s.premise().is_some())
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

/// The functions whose definitions mention nothing that is an input.
fn closed_functions(program: &Program, definitions: &FxHashMap<FuncId, usize>) -> FxHashSet<FuncId> {
    let terms: &Terms = &program.terms;
    let mut closed: FxHashSet<FuncId> = definitions.keys().copied().collect();
    loop {
        let before = closed.len();
        let list: Vec<FuncId> = closed.iter().copied().collect();
        for f in list {
            let function = &program.functions[definitions[&f]];
            let Some(body) = function.body else { continue };
            let open = terms.free_symbols(&[body]).iter().any(|s| !function.params.contains(s))
                || terms.post_order(&[body]).into_iter().any(|t| match terms.term(t).op {
                    Op::Apply(g) => match terms.function(g).kind {
                        FuncKind::Uninterpreted => !closed.contains(&g),
                        FuncKind::Builtin(_) | FuncKind::Selector { .. } => true,
                        _ => false,
                    },
                    _ => is_open(terms, t),
                });
            if open {
                closed.remove(&f);
            }
        }
        if closed.len() == before {
            return closed;
        }
    }
}

/// Whether a function is one of floating-point arithmetic, but for those that may give either zero.
fn is_arithmetic(kind: &FuncKind) -> bool {
    let FuncKind::Builtin(text) = kind else { return false };
    let text = text.trim_start_matches("(_ ");
    let is_loose = ["fp.min", "fp.max", "fp.rem"].iter().any(|loose| text.starts_with(loose));
    (text.starts_with("fp.") || text.starts_with("to_fp")) && !is_loose
}

/// The terms of a procedure's contract.
fn procedure_roots(program: &Program, id: ProcId, roots: &mut Vec<TermId>) {
    let procedure = &program[id];
    roots.extend(procedure.requires.iter().chain(&procedure.ensures).map(|c| c.condition));
    roots.extend(procedure.params.iter().chain(&procedure.results).filter_map(|v| v.where_clause));
}

/// The terms of a body that mention variables.
pub(super) fn body_roots(body: &Body, roots: &mut Vec<TermId>) {
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
