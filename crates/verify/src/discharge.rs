//! Discharging the assumptions of callees at their call sites, by what the callers know or assume.
//!
//! **Idea.** That a parameter points to a living object, or to a terminated string, is assumed where a function
//! starts. A caller often shows it: it passes the address of a variable, or its own parameter of which it assumed the
//! same. So before each call the analyser is asked under which assumptions of the caller those of the callee hold. If
//! a search enters a callee on known calls only, the callee's assumption is replaced by these, and in the end by
//! assumptions about the inputs; and a run can be given up before a call in which nothing is left to be found.
//!
//! Example: `g` assumes that its parameter `s` is a terminated string. In `void f(char *t) { g(t); g("x"); }` the
//! second call shows it, and the first one shows it under `f`'s own assumption about `t`.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016) is modular: assumptions of callees are not related to
//! those of callers.
//!
//! **Direction of error.** What replaces an assumption implies it: the assumptions of all callers are required, and
//! those of the actual caller held at the call.

use std::collections::{BTreeMap, BTreeSet};

use footpath_ir::{BlockId, Body, ProcId, Program, StatementKind};
use footpath_term::{Op, SortId, Substitution, SymbolId, TermId, Terms};

use crate::analysis::{Assumption, Verification, VerifiedBody};
use crate::assumption::{AssumptionKind, Entry};

/// An assumption with which a callee starts, before a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passed {
    /// The call: the block and the number of the statement, in the program as the front end made it.
    pub at: (BlockId, usize),
    /// The callee.
    pub callee: ProcId,
    /// What the callee assumes, over its own parameters.
    pub predicate: TermId,
    /// The assumptions of the body under which it holds before the call; none if that was not proved.
    pub premise: Option<Vec<usize>>,
}

/// Such an assumption as a query to the analyser.
pub(crate) struct Question {
    /// The assumption that the query is about.
    pub(crate) passed: Passed,
    /// The assumption over the variables of the caller.
    pub(crate) condition: TermId,
    /// A variable of its own.
    pub(crate) symbol: SymbolId,
}

/// The queries about the calls of procedures with one body. An assumption of a callee about constants only may be
/// made by its caller at its own start as well, and so on: these are added to `entries`.
pub(crate) fn questions(
    terms: &mut Terms,
    program: &Program,
    entries: &mut BTreeMap<ProcId, Entry>,
    allowed: &dyn Fn(AssumptionKind) -> bool,
) -> BTreeMap<ProcId, Vec<Question>> {
    let globals: BTreeSet<SymbolId> = program.globals.iter().map(|g| g.variable.symbol).collect();
    let procedures: Vec<ProcId> = entries.keys().copied().collect();
    let mut all = BTreeMap::new();
    // Callees come first.
    for p in program.components_below(&procedures).into_iter().flatten() {
        let [body] = program[p].bodies.as_slice() else { continue };
        let found = asked_by(terms, program, body, entries, allowed);
        let Some(entry) = entries.get_mut(&p) else { continue };
        for (question, kind, words) in &found {
            let symbols = terms.free_symbols(&[question.condition]);
            let is_about_constants = symbols.iter().all(|s| globals.contains(s));
            let is_known = entry.assumptions.iter().any(|a| a.1 == question.condition);
            if *kind == AssumptionKind::TerminatedStrings && is_about_constants && !is_known {
                entry.assumptions.push((*kind, question.condition, words.clone()));
            }
        }
        all.insert(p, found.into_iter().map(|q| q.0).collect());
    }
    all
}

/// The queries about the calls of a body, each with the kind of the assumption and its text.
fn asked_by(
    terms: &mut Terms,
    program: &Program,
    body: &Body,
    entries: &BTreeMap<ProcId, Entry>,
    allowed: &dyn Fn(AssumptionKind) -> bool,
) -> Vec<(Question, AssumptionKind, String)> {
    let mut found = Vec::new();
    for block in body.block_ids() {
        for (i, statement) in body[block].statements.iter().enumerate() {
            let StatementKind::Call { callee, args, .. } = &statement.kind else { continue };
            let (Some(entry), [body]) = (entries.get(callee), program[*callee].bodies.as_slice()) else {
                continue;
            };
            let passed = body.params.iter().zip(args).filter_map(|(p, arg)| Some((p.symbol, (*arg)?)));
            let passed: Substitution = passed.collect();
            if passed.len() != args.len() || !is_entered_once(body) {
                continue;
            }
            for (kind, predicate, words) in entry.assumptions.iter().filter(|a| allowed(a.0)) {
                let condition = terms.substitute(*predicate, &passed);
                let symbol = terms.fresh_symbol("asked", SortId::BOOL);
                let passed = Passed { at: (block, i), callee: *callee, predicate: *predicate, premise: None };
                found.push((Question { passed, condition, symbol }, *kind, words.clone()));
            }
        }
    }
    found
}

/// Whether no loop leads back to the start of a body.
pub(crate) fn is_entered_once(body: &Body) -> bool {
    body.predecessors()[Body::ENTRY.index()].is_empty()
}

/// Replaces the entry assumptions of the procedures `through` by assumptions of their callers. They are entered only
/// by calls from `root` and each other, and are listed callers before callees. The program is the annotated one;
/// assumption variables of all these have to become global.
pub(crate) fn discharge(program: &mut Program, found: &Verification, root: ProcId, through: &[ProcId]) {
    let mut terms = Terms::layer(program.terms.clone());
    let mut known = Substitution::default();
    let callers: Vec<ProcId> = std::iter::once(root).chain(through.iter().copied()).collect();
    for &p in through {
        let Some(own) = verified(found, p) else { continue };
        for assumption in own.assumptions.iter().filter(|a| is_at_start(a)) {
            let predicate = assumption.site.predicate;
            if let Some(parts) =
                before_all_calls(&mut terms, program, found, &known, &callers, (p, predicate))
            {
                let all = terms.app(Op::And, parts);
                known.insert(assumption.symbol, all);
            }
        }
        for body in &mut program[p].bodies {
            let premise = body.exit_premise().map(|t| terms.substitute(t, &known));
            body.set_exit_premise(premise);
            for statement in body.blocks.iter_mut().flat_map(|b| &mut b.statements) {
                let premise = statement.premise().map(|t| terms.substitute(t, &known));
                statement.set_premise(premise);
            }
        }
    }
    program.terms = terms.into();
}

/// The assumptions under which a predicate about the parameters of a procedure holds before all calls of it; `None`
/// if that is not known.
fn before_all_calls(
    terms: &mut Terms,
    program: &Program,
    found: &Verification,
    known: &Substitution,
    callers: &[ProcId],
    (callee, predicate): (ProcId, TermId),
) -> Option<Vec<TermId>> {
    let mut parts = Vec::new();
    for &q in callers {
        let calls = program.calls(q).filter(|c| *c == callee).count();
        if calls == 0 {
            continue;
        }
        let caller = verified(found, q)?;
        let is_it = |p: &&Passed| p.callee == callee && p.predicate == predicate;
        let passed: Vec<&Passed> = caller.passed.iter().filter(is_it).collect();
        // Variables of a body that starts anew while it runs are its own.
        let is_shared = program[q].bodies.iter().all(is_entered_once);
        if passed.len() != calls || !is_shared {
            return None;
        }
        for passed in passed {
            for &i in passed.premise.as_ref()? {
                let symbol = caller.assumptions[i].symbol;
                let part = known.get(&symbol).copied();
                parts.push(part.unwrap_or_else(|| terms.var(symbol)));
            }
        }
    }
    Some(parts)
}

/// The results for the only body of a procedure.
fn verified(found: &Verification, procedure: ProcId) -> Option<&VerifiedBody> {
    let mut bodies = found.bodies.iter().filter(|b| b.procedure == procedure);
    bodies.next().filter(|_| bodies.next().is_none())
}

/// Whether an assumption is made at the start of its body, about its parameters.
fn is_at_start(assumption: &Assumption) -> bool {
    let site = &assumption.site;
    site.block == Body::ENTRY && site.before == 0 && site.copies.is_empty() && site.rounds.is_none()
}
