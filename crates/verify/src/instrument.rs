//! Instrumentation for guided testing: the conditions of unverified executions as `assume` and `tryfirst` statements.
//!
//! **Idea.** `assume c` is inserted where an execution may be unverified only under `c`: a run that meets it with `c`
//! false is of no use, and neither are others that take the same path. `tryfirst c` is inserted where every execution
//! is unverified under `c`: such runs come first.
//!
//! Example: before `assert P verified a` as the last check of a body, `assume !a` is inserted: runs in which the
//! assumption `a` holds are given up there.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Sections 3.2 to 3.4, with its rules of placement:
//!
//! * `assume c` where `c` is not trivially true and differs from the condition at the previous point; no `assume
//!   false` at the very end.
//! * `tryfirst c` where constant propagation leaves `c` neither true nor false, and it differs likewise.
//! * Both: `tryfirst` first; without it where the two conditions are equivalent.
//!
//! **Deviations.** The first point of a block has several previous points. A condition to assume differs if it
//! differs from that at any of them, so that no verified execution is kept. A condition to try first differs if it
//! differs from those at all of them: if it is the same at one, the search has been sent there already. Conditions to
//! try first are compared after constant propagation. If checks do not stop the program (overflow in C), an execution
//! on which one failed is not given up: a variable records it, and where nothing lies ahead its negation is assumed
//! instead of `false`.
//!
//! **Direction of error.** With `assume`, runs are lost that meet no check except those proved under premises that
//! hold in them. Engines that look for blocks, not for failing checks, must not use the instrumented program.

use std::collections::BTreeMap;
use std::sync::Arc;

use footpath_ir::{BlockId, Body, ProcId, Program, Statement, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, Terms};
use rustc_hash::FxHashMap;

use crate::conditions::{
    BodyId, Calls, Conditions, Point, conditions, conditions_everywhere, conditions_through,
};
use crate::cubes::Cubes;
use crate::guidance_variables::{record_failures, share_assumptions};
use crate::places::Places;
use crate::premises::Premises;
use crate::wp_hoist::{Placed, hoist};

/// The mode in which verification results guide a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guide {
    /// Not at all: annotations are dropped.
    None,
    /// By the annotations alone: a check whose premise holds does not fail.
    Annotations,
    /// Also by `assume` statements for executions that may be unverified.
    May,
    /// By annotations and `tryfirst` statements for executions that must be unverified.
    Must,
    /// By both.
    MayMust,
}

impl Guide {
    /// All of them, in the order of the paper's configurations.
    pub const ALL: [Guide; 5] = [Guide::None, Guide::Annotations, Guide::May, Guide::Must, Guide::MayMust];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Guide::None => "none",
            Guide::Annotations => "annotations",
            Guide::May => "may",
            Guide::Must => "must",
            Guide::MayMust => "may-must",
        }
    }

    /// The same, but no execution is given up.
    pub(crate) fn without_pruning(self) -> Guide {
        match self {
            Guide::May => Guide::Annotations,
            Guide::MayMust => Guide::Must,
            other => other,
        }
    }

    pub(crate) fn prunes(self) -> bool {
        matches!(self, Guide::May | Guide::MayMust)
    }

    pub(crate) fn orders(self) -> bool {
        matches!(self, Guide::Must | Guide::MayMust)
    }
}

/// The guidance at a point, `tryfirst` before `assume`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guidance {
    /// Where.
    pub point: Point,
    /// The condition of `tryfirst`.
    pub try_first: Option<Cubes>,
    /// The condition of `assume`.
    pub assume: Option<Cubes>,
}

/// Instruments one body with guidance.
pub fn instrument(
    program: &Program,
    procedure: ProcId,
    body_index: u32,
    premises: &Premises,
    calls: Calls,
    guide: Guide,
) -> Program {
    let how = How { calls, guide, early: false, through: &[] };
    instrument_with(program.clone(), (procedure, body_index), premises, how, &mut Places::default()).0
}

/// Instruments bodies of a program whose runs may start in any procedure, such as one that is written to a file. A run is given up
/// where nothing unverified lies ahead in the body, in what it calls, and in whatever it may return to.
pub fn instrument_everywhere(
    program: &Program,
    bodies: &[(ProcId, u32)],
    premises: &Premises,
    guide: Guide,
) -> Program {
    let mut program = program.clone();
    if guide == Guide::None {
        drop_premises(&mut program);
    }
    if !guide.prunes() && !guide.orders() {
        return program;
    }
    let places = &mut Places::default();
    if guide.prunes() {
        record_failures(&mut program, places);
    }
    let premises = premises.with_globals(&program);
    let mut terms = Terms::layer(program.terms.clone());
    let mut all = Vec::new();
    for (body, found) in conditions_everywhere(&program, &premises) {
        if bodies.contains(&body) {
            let placed = placed_in(&program, body, false, &found, &premises, guide);
            all.push((body, as_terms(&mut terms, placed)));
        }
    }
    for (body, placed) in all {
        put(&mut program, body, placed, places);
    }
    program.terms = Arc::new(terms);
    program
}

/// Guidance as terms, by its points.
fn as_terms(terms: &mut Terms, guidance: Vec<Guidance>) -> BTreeMap<Point, Placed> {
    let mut placed = BTreeMap::new();
    for g in guidance {
        let try_first = g.try_first.map(|c| c.to_term(terms));
        let assume = g.assume.map(|c| c.to_term(terms));
        placed.insert(g.point, Placed { try_first, assume });
    }
    placed
}

/// The options of instrumentation.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    pub(crate) calls: Calls,
    pub(crate) guide: Guide,
    /// Whether assumptions are hoisted (`wp_hoist.rs`).
    pub(crate) early: bool,
    /// The procedures that are instrumented as well: those entered only by calls from the body, callers before
    /// callees.
    pub(crate) through: &'a [ProcId],
}

/// The same; returns the places of statements, and whether some executions are given up.
pub(crate) fn instrument_with(
    mut program: Program,
    root: BodyId,
    premises: &Premises,
    how: How<'_>,
    places: &mut Places,
) -> (Program, bool) {
    let How { calls, guide, early, through } = how;
    if guide == Guide::None {
        drop_premises(&mut program);
    }
    if !guide.prunes() && !guide.orders() {
        return (program, false);
    }
    if guide.prunes() {
        record_failures(&mut program, places);
    }
    if !through.is_empty() {
        let all: Vec<ProcId> = std::iter::once(root.0).chain(through.iter().copied()).collect();
        share_assumptions(&mut program, &all, places);
    }
    let premises = premises.with_globals(&program);
    let mut terms = Terms::layer(program.terms.clone());
    let mut all = Vec::new();
    for (body, found) in conditions_through(&program, root, through, &premises, calls) {
        let guidance = placed_in(&program, body, body == root, &found, &premises, guide);
        let mut placed = as_terms(&mut terms, guidance);
        if early {
            hoist(&mut terms, &program[body.0].bodies[body.1 as usize], &mut placed);
        }
        all.push((body, placed));
    }
    let prunes = all.iter().any(|(_, placed)| placed.values().any(|p| p.assume.is_some()));
    for (body, placed) in all {
        put(&mut program, body, placed, places);
    }
    program.terms = Arc::new(terms);
    (program, prunes)
}

/// Puts statements into a body.
fn put(program: &mut Program, id: BodyId, placed: BTreeMap<Point, Placed>, places: &mut Places) {
    let body = &mut program[id.0].bodies[id.1 as usize];
    // Later points first, so that the numbers of earlier ones stay.
    for (point, put) in placed.into_iter().rev() {
        let block = &mut body.blocks[point.block.index()];
        let next = block.statements.get(point.statement);
        let span = next.map_or(block.terminator.span, |s| s.span);
        let kinds = [put.try_first.map(StatementKind::TryFirst), put.assume.map(StatementKind::Assume)];
        let mut new: Vec<Statement> = kinds.into_iter().flatten().map(|k| Statement::new(k, span)).collect();
        // A condition to try first excludes nothing.
        let assumes = new.iter_mut().filter(|s| matches!(s.kind, StatementKind::Assume(_)));
        assumes.for_each(Statement::mark_as_guidance);
        let (at, count) = (point.statement, block.statements.len());
        places.inserted((id.0, id.1, point.block), at, new.len(), count);
        block.statements.splice(at..at, new);
    }
}

/// Removes all premises.
pub(crate) fn drop_premises(program: &mut Program) {
    for body in program.procedures.iter_mut().flat_map(|p| &mut p.bodies) {
        body.set_exit_premise(None);
        body.blocks.iter_mut().flat_map(|b| &mut b.statements).for_each(|s| s.set_premise(None));
    }
}

/// The guidance of a body, in the order of points.
pub fn guidance(
    program: &Program,
    procedure: ProcId,
    body_index: u32,
    premises: &Premises,
    calls: Calls,
    guide: Guide,
) -> Vec<Guidance> {
    let found = conditions(program, procedure, body_index, premises, calls);
    placed_in(program, (procedure, body_index), true, &found, premises, guide)
}

/// The same for a body of which the conditions are known; `is_root` if runs begin and end there.
fn placed_in(
    program: &Program,
    (procedure, body_index): BodyId,
    is_root: bool,
    found: &Conditions,
    premises: &Premises,
    guide: Guide,
) -> Vec<Guidance> {
    let body = &program[procedure].bodies[body_index as usize];
    let constants = constants(program, body, is_root, premises);
    let ends = if is_root { nothing_left(program, procedure, body) } else { vec![false; body.blocks.len()] };
    let predecessors = body.predecessors();
    // What is assumed where no check lies ahead.
    let over = premises.unfailed().map_or(Cubes::constant(false), |s| Cubes::variable(s).not());
    let mut placed = Vec::new();
    for block in body.block_ids() {
        for statement in 0..=body[block].statements.len() {
            let point = Point { block, statement };
            let previous: Vec<Point> = match statement.checked_sub(1) {
                Some(statement) => vec![Point { block, statement }],
                None => predecessors[block.index()]
                    .iter()
                    .map(|p| Point { block: *p, statement: body[*p].statements.len() })
                    .collect(),
            };
            let apply = |p: Point| {
                constants.get(&p).map_or_else(|| found.must(p).clone(), |c| c.apply(found.must(p)))
            };
            let differs = previous.is_empty() || previous.iter().any(|p| found.may(*p) != found.may(point));
            let (may, must) = (found.may(point), found.must(point));
            let at_end = *may == over && statement == body[block].statements.len() && ends[block.index()];
            let assume = guide.prunes() && !may.is_true() && differs && !at_end;
            let known = apply(point);
            let is_decided = known.is_true() || known.is_false();
            let is_known = previous.iter().any(|p| apply(*p) == known);
            let is_assumed = guide.prunes() && may == must;
            let try_first = guide.orders() && !(is_decided || is_known || is_assumed);
            if assume || try_first {
                placed.push(Guidance {
                    point,
                    try_first: try_first.then(|| must.clone()),
                    assume: assume.then(|| may.clone()),
                });
            }
        }
    }
    placed
}

/// For each block, whether nothing is executed after its last statement.
fn nothing_left(program: &Program, procedure: ProcId, body: &Body) -> Vec<bool> {
    let checks_exit = program[procedure].ensures.iter().any(|c| !c.free);
    let mut left = vec![false; body.blocks.len()];
    loop {
        let mut changed = false;
        for block in body.block_ids() {
            let empty = |b: &BlockId| body[*b].statements.is_empty() && left[b.index()];
            let now = match &body[block].terminator.kind {
                TerminatorKind::Return => !checks_exit,
                TerminatorKind::Goto(_) | TerminatorKind::Branch { .. } => {
                    let successors = body[block].terminator.successors();
                    !successors.is_empty() && successors.iter().all(empty)
                }
                TerminatorKind::Fail | TerminatorKind::Cut => false,
            };
            changed |= now != left[block.index()];
            left[block.index()] = now;
        }
        if !changed {
            return left;
        }
    }
}

/// The values that assumption variables are known to have.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Known(FxHashMap<SymbolId, bool>);

impl Known {
    fn apply(&self, cubes: &Cubes) -> Cubes {
        self.0.iter().fold(cubes.clone(), |c, (s, v)| c.with(*s, *v))
    }

    fn join(&mut self, other: &Known) {
        self.0.retain(|s, v| other.0.get(s) == Some(v));
    }

    fn forget(&mut self, symbols: &[SymbolId]) {
        self.0.retain(|s, _| !symbols.contains(s));
    }

    fn after(&mut self, program: &Program, premises: &Premises, statement: &StatementKind) {
        match statement {
            StatementKind::Assign(values) => {
                for (symbol, value) in values {
                    let terms = &program.terms;
                    let term = terms.term(*value);
                    let own = |t| matches!(terms.term(t).op, Op::Var(s) if s == *symbol);
                    let only_falls = own(*value) || (term.op == Op::And && term.args.iter().any(|a| own(*a)));
                    match terms.as_bool(*value) {
                        Some(truth) if premises.is_assumption(*symbol) => {
                            self.0.insert(*symbol, truth);
                        }
                        _ if only_falls && self.0.get(symbol) == Some(&false) => {}
                        _ => self.forget(&[*symbol]),
                    }
                }
            }
            StatementKind::Havoc(symbols) => self.forget(symbols),
            StatementKind::Call { callee, .. } => self.forget(&program[*callee].modifies),
            StatementKind::Assume(_) | StatementKind::Assert { .. } | StatementKind::TryFirst(_) => {}
        }
    }
}

/// Constant propagation of assumption variables, which are true at the start: of a body its own, of a run all.
fn constants(program: &Program, body: &Body, is_root: bool, premises: &Premises) -> FxHashMap<Point, Known> {
    let all = program.assumptions(body, is_root).filter(|s| premises.is_assumption(*s));
    let mut entered: FxHashMap<BlockId, Known> = FxHashMap::default();
    entered.insert(Body::ENTRY, Known(all.map(|s| (s, true)).collect()));
    let mut points = FxHashMap::default();
    let mut todo = vec![Body::ENTRY];
    while let Some(block) = todo.pop() {
        let mut known = entered[&block].clone();
        points.insert(Point { block, statement: 0 }, known.clone());
        for (i, s) in body[block].statements.iter().enumerate() {
            known.after(program, premises, &s.kind);
            points.insert(Point { block, statement: i + 1 }, known.clone());
        }
        for next in body[block].terminator.successors() {
            let joined = match entered.get(&next) {
                None => known.clone(),
                Some(old) => {
                    let mut joined = old.clone();
                    joined.join(&known);
                    joined
                }
            };
            if entered.get(&next) != Some(&joined) {
                entered.insert(next, joined);
                todo.push(next);
            }
        }
    }
    points
}
