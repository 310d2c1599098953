//! Exceptional returns: a check in a model of the C library is one at the call that the user wrote.
//!
//! The user sees `strcpy(b, s)` and no line of its model, so a failure in there has to be one of the call. Models are called from
//! many places, and one assertion in a model cannot be an objective of each. So failures of models are exceptions, and these
//! are lowered as compilers do without unwinding: a procedure that may raise one has a further result, the *status*. It is 0,
//! or says which kind of check failed. Example, with `assert` as the program form has it:
//!
//! ```text
//! strlen(s): …                      strlen(s) returns (…, status): status := 0; …
//!   assert s != null   {null}   ~>    if s == null { status := 5; return }
//! user: n := call strlen(s)     ~>  user: n, called := call strlen(s); assert called != 5 {null}
//! ```
//!
//! Models that call models hand on what these raise. A check that does not stop a program sets the status and goes on, and
//! at the user's call there is one of its kind. Every engine sees an ordinary assertion of the user's function, at the span of the
//! call; that needs no word in any of them.
//!
//! **Direction of error.** None: a run fails where it failed before, told at another place. Only `exit` and what else ends a
//! program on purpose stay in the models.

use std::collections::BTreeSet;

use footpath_ir::source::Span;
use footpath_ir::{
    AssertKind, Attribute, AttributeArg, Block, BlockId, Body, Origin, Place, ProcId, Procedure, Statement,
    StatementKind, Terminator, TerminatorKind, Variable,
};
use footpath_term::{Op, SymbolId, TermId};
use rustc_hash::FxHashMap;

use super::super::LoweredFunction;
use super::context::Context;
use super::function::BlockRole;

/// Bits of a status.
const BITS: u32 = 8;
/// Statuses from here on are of checks that do not stop a program.
const GOES_ON: i64 = 64;

/// The kinds of checks that a procedure may raise.
#[derive(Clone, PartialEq, Eq, Default)]
struct Raised {
    /// Those that end a run.
    ending: BTreeSet<AssertKind>,
    /// Those behind which it goes on.
    going_on: BTreeSet<AssertKind>,
}

impl Raised {
    fn is_empty(&self) -> bool {
        self.ending.is_empty() && self.going_on.is_empty()
    }

    /// Adds what another raises; whether that is new.
    fn add(&mut self, other: &Raised) -> bool {
        let before = self.ending.len() + self.going_on.len();
        self.ending.extend(&other.ending);
        self.going_on.extend(&other.going_on);
        before < self.ending.len() + self.going_on.len()
    }
}

/// Makes the checks in models of libraries those of the calls in the user's functions.
pub(crate) fn raise_checks_of_models(
    cx: &mut Context<'_, '_>,
    procedures: &mut [Procedure],
    functions: &mut [LoweredFunction],
) {
    let own = cx.options.user_modules;
    let (user, models): (Vec<usize>, Vec<usize>) =
        (0..functions.len()).partition(|&i| (functions[i].function.module as usize) < own);
    let of = |list: &[usize]| -> Vec<ProcId> { list.iter().map(|&i| functions[i].procedure).collect() };
    let raised = raised(procedures, &of(&models));
    for (is_model, list) in [(true, models), (false, user)] {
        for i in list {
            let function = &mut functions[i];
            let procedure = &mut procedures[function.procedure.index()];
            let status = raised.get(&function.procedure).filter(|_| is_model).map(|_| {
                let sort = cx.terms.bit_vec_sort(BITS);
                let status = Variable::new(cx.terms.fresh_symbol("status", sort), procedure.span);
                procedure.results.push(status.clone());
                status
            });
            if let Some(body) = procedure.bodies.first_mut() {
                let place = Origin { procedure: function.procedure, body: 0, place: Place::Entry };
                Rewriting { cx, raised: &raised, body, roles: &mut function.roles, place, status }.run();
            }
        }
    }
}

/// Whether a failure of this kind is one of the call; else the program was to end.
fn is_raised(kind: AssertKind) -> bool {
    !matches!(kind, AssertKind::Exit | AssertKind::Abort | AssertKind::Assert | AssertKind::Unreachable)
}

/// What the models raise, those left out that raise nothing.
fn raised(procedures: &[Procedure], models: &[ProcId]) -> FxHashMap<ProcId, Raised> {
    let mut all: FxHashMap<ProcId, Raised> = models.iter().map(|&p| (p, Raised::default())).collect();
    let bodies = || models.iter().filter_map(|&p| Some((p, procedures[p.index()].bodies.first()?)));
    for (p, body) in bodies() {
        let own = all.entry(p).or_default();
        for statement in body.blocks.iter().flat_map(|b| &b.statements) {
            if let Some(kind) = statement.marks() {
                own.going_on.insert(kind);
            } else if let StatementKind::Assert { kind, .. } = statement.kind
                && is_raised(kind)
            {
                own.ending.insert(kind);
            }
        }
    }
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for (p, body) in bodies() {
            for callee in body.calls() {
                if let Some(handed_on) = all.get(&callee).cloned() {
                    is_new |= all.entry(p).or_default().add(&handed_on);
                }
            }
        }
    }
    all.retain(|_, raised| !raised.is_empty());
    all
}

/// One body under way.
struct Rewriting<'r, 'c, 'a, 'm> {
    cx: &'c mut Context<'a, 'm>,
    raised: &'r FxHashMap<ProcId, Raised>,
    body: &'r mut Body,
    roles: &'r mut Vec<BlockRole>,
    /// The procedure and the number of the body.
    place: Origin,
    /// In a model that raises something, its status.
    status: Option<Variable>,
}

impl Rewriting<'_, '_, '_, '_> {
    fn run(mut self) {
        let mut called = None;
        let mut ways_out = FxHashMap::default();
        for block in self.body.block_ids() {
            self.block(block, &mut called, &mut ways_out);
        }
        if let Some(status) = self.status.take() {
            let none = self.code(0);
            let start = Statement::new(StatementKind::Assign(vec![(status.symbol, none)]), status.span);
            self.body.blocks[0].statements.insert(0, start);
            self.body.results.push(status);
        }
    }

    /// Goes through a block, which is split where a run may leave it. `called` holds the status of the latest call; for each
    /// status that is returned there is one block.
    fn block(
        &mut self,
        mut at: BlockId,
        called: &mut Option<SymbolId>,
        ways_out: &mut FxHashMap<TermId, BlockId>,
    ) {
        let (raised, status) = (self.raised, self.status.as_ref().map(|s| s.symbol));
        for mut statement in std::mem::take(&mut self.body[at].statements) {
            let span = statement.span;
            if let (Some(status), Some(kind)) = (status, statement.marks()) {
                let code = self.code(GOES_ON + number(kind));
                let set = StatementKind::Assign(vec![(status, code)]);
                self.body[at].statements.push(Statement::new(set, span));
                continue;
            }
            match &mut statement.kind {
                StatementKind::Assert { condition, kind, .. } if status.is_some() && is_raised(*kind) => {
                    let (condition, code) = (*condition, self.code(number(*kind)));
                    let out = self.way_out(code, span, ways_out);
                    at = self.leave_unless(at, condition, out, span);
                }
                StatementKind::Call { callee, results, .. } if raised.contains_key(callee) => {
                    let raised = &raised[callee];
                    let variable = *called.get_or_insert_with(|| {
                        let sort = self.cx.terms.bit_vec_sort(BITS);
                        let symbol = self.cx.terms.fresh_symbol("called", sort);
                        self.body.locals.push(Variable::new(symbol, span));
                        symbol
                    });
                    results.push(Some(variable));
                    self.body[at].statements.push(statement);
                    let got = self.cx.terms.var(variable);
                    at = match status {
                        Some(status) => self.hand_on(at, raised, (got, status), span, ways_out),
                        None => self.check(at, raised, got, span),
                    };
                }
                _ => self.body[at].statements.push(statement),
            }
        }
    }

    /// Behind a call in a model: what was raised there is raised here.
    fn hand_on(
        &mut self,
        at: BlockId,
        raised: &Raised,
        (got, status): (TermId, SymbolId),
        span: Span,
        ways_out: &mut FxHashMap<TermId, BlockId>,
    ) -> BlockId {
        let none = self.code(0);
        let mut passes = self.cx.app(Op::Eq, &[got, none]);
        if !raised.going_on.is_empty() {
            let had = self.cx.terms.var(status);
            let now = self.cx.app(Op::Ite, &[passes, had, got]);
            self.body[at].statements.push(Statement::new(StatementKind::Assign(vec![(status, now)]), span));
            let least = self.code(GOES_ON);
            let goes_on = self.cx.app(Op::BvUle, &[least, got]);
            passes = self.cx.app(Op::Or, &[passes, goes_on]);
        }
        if raised.ending.is_empty() {
            return at;
        }
        let out = self.way_out(got, span, ways_out);
        self.leave_unless(at, passes, out, span)
    }

    /// Behind a call that the user wrote: what was raised there fails here.
    fn check(&mut self, mut at: BlockId, raised: &Raised, got: TermId, span: Span) -> BlockId {
        for &kind in &raised.ending {
            let code = self.code(number(kind));
            let failed = self.cx.app(Op::Eq, &[got, code]);
            let holds = self.cx.not(failed);
            let check = Statement::new(StatementKind::assert(holds, kind), span);
            self.body[at].statements.push(check);
        }
        for &kind in &raised.going_on {
            let code = self.code(GOES_ON + number(kind));
            let failed = self.cx.app(Op::Eq, &[got, code]);
            let holds = self.cx.not(failed);
            let truth = self.cx.terms.bool(true);
            let note = Attribute { name: "fails".into(), args: vec![AttributeArg::Text(kind.name().into())] };
            let note = Statement { kind: StatementKind::Assume(truth), span, attributes: vec![note] };
            let marker = self.add(at, kind.name(), vec![note], TerminatorKind::Goto(Vec::new()), span);
            self.roles[marker.index()] = BlockRole::Check(kind);
            at = self.leave_unless(at, holds, marker, span);
            self.body[marker].terminator.kind = TerminatorKind::Goto(vec![at]);
        }
        at
    }

    /// The block that returns with a status.
    fn way_out(&mut self, code: TermId, span: Span, ways_out: &mut FxHashMap<TermId, BlockId>) -> BlockId {
        if let Some(&known) = ways_out.get(&code) {
            return known;
        }
        let results: Vec<SymbolId> = self.body.results.iter().map(|v| v.symbol).collect();
        let mut values: Vec<(SymbolId, TermId)> = self.status.iter().map(|s| (s.symbol, code)).collect();
        for symbol in results {
            // Nobody looks at them.
            let sort = self.cx.terms.symbol(symbol).sort;
            values.push((symbol, self.cx.zero_of(sort)));
        }
        let raise = Statement::new(StatementKind::Assign(values), span);
        let out = self.add(Body::ENTRY, "raises", vec![raise], TerminatorKind::Return, span);
        ways_out.insert(code, out);
        out
    }

    /// Ends a block: where the condition holds, a run goes on in a new one, which gets the terminator.
    fn leave_unless(&mut self, at: BlockId, condition: TermId, out: BlockId, span: Span) -> BlockId {
        let next = self.add(at, "passes", Vec::new(), TerminatorKind::Return, span);
        let kind = TerminatorKind::Branch { condition, then_to: next, else_to: out };
        let terminator = std::mem::replace(&mut self.body[at].terminator, Terminator { kind, span });
        self.body[next].terminator = terminator;
        next
    }

    /// Adds a block behind another.
    fn add(
        &mut self,
        behind: BlockId,
        what: &str,
        statements: Vec<Statement>,
        terminator: TerminatorKind,
        span: Span,
    ) -> BlockId {
        let block = BlockId(self.body.blocks.len() as u32);
        let base = self.body[behind].name.split('.').next().unwrap_or("B").to_owned();
        self.body.blocks.push(Block {
            name: format!("{base}.{what}{}", block.0).into(),
            statements,
            terminator: Terminator { kind: terminator, span },
            span,
            origin: Origin { place: Place::Segment { block, first: 0 }, ..self.place },
        });
        self.roles.push(BlockRole::Glue);
        block
    }

    fn code(&mut self, status: i64) -> TermId {
        self.cx.bv(BITS, status)
    }
}

/// The status of a kind.
fn number(kind: AssertKind) -> i64 {
    AssertKind::ALL.iter().position(|&k| k == kind).map_or(0, |at| at as i64 + 1)
}
