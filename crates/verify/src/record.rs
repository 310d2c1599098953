//! The annotated program: verdicts are written into the program as assumption variables and premises.
//!
//! **Idea.** An assumption that some premise needs becomes a variable, `a := a && P` at its place; a check gets its
//! premise as an attribute: that of the verdict, or that of a tool whose claim is accepted. Example: a check of
//! `p->x` that was proved under `valid-parameters` gets the premise `a`, and `a := a && <p is valid>` is put at the
//! start.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.1.
//!
//! **Direction of error.** None: it states what the verdicts state.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use footpath_ir::source::Span;
use footpath_ir::{Attribute, BlockId, Body, Place, Program, Variable};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};

use crate::analysis::{Assumption, Check, Verdict, VerifiedBody};
use crate::assumption::{Form, Site, place};
use crate::places::Places;

/// Writes the results for a body into the annotated program, and keeps those assumptions that were needed.
pub(crate) fn record(
    terms: &mut Terms,
    (annotated, places): (&mut Program, &mut Places),
    found: &mut VerifiedBody,
    sites: &[Site],
    numbers: &mut usize,
) {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for check in &found.checks {
        if let Verdict::VerifiedUnder(premise) = &check.verdict {
            used.extend(premise);
        }
        used.extend(check.claims.iter().flat_map(|c| &c.premise));
    }
    used.extend(found.passed.iter().filter_map(|p| p.premise.as_ref()).flatten());
    let position: Vec<usize> = used.iter().copied().collect();
    let renumber = |premise: &mut Vec<usize>| {
        premise.iter_mut().for_each(|i| *i = position.binary_search(i).unwrap_or_default());
    };
    found.passed.iter_mut().filter_map(|p| p.premise.as_mut()).for_each(renumber);
    for check in &mut found.checks {
        let claims = check.claims.iter_mut().map(|c| &mut c.premise);
        let own = match &mut check.verdict {
            Verdict::VerifiedUnder(premise) => Some(premise),
            _ => None,
        };
        own.into_iter().chain(claims).for_each(renumber);
    }
    let body = &mut annotated[found.procedure].bodies[found.body as usize];
    for i in used {
        *numbers += 1;
        let id: Arc<str> = format!("a{numbers}").into();
        let symbol = assumption_variable(terms, body, &id, sites[i].span);
        found.assumptions.push(Assumption { symbol, id, site: sites[i].clone() });
    }
    let symbols: Vec<SymbolId> = found.assumptions.iter().map(|a| a.symbol).collect();
    let kept: Vec<Site> = found.assumptions.iter().map(|a| a.site.clone()).collect();
    let tools = tools(terms, body, &found.checks);
    let proved = premises_by_place(terms, body, &found.checks, &symbols, &tools);
    let moved = place(terms, body, &kept, &Form::Record(&symbols));
    for (checked, premise) in proved {
        match checked {
            Some(at) => {
                let Some(now) = moved.get(&at) else { continue };
                let statement = &mut body.blocks[at.0.index()].statements[*now];
                let old = statement.premise();
                statement.set_premise(Some(old.map_or(premise, |old| terms.app(Op::Or, [old, premise]))));
            }
            // Assumption variables mean nothing outside the body, where its attributes stand.
            None if terms.as_bool(premise) == Some(true) => body.set_exit_premise(Some(premise)),
            None => {}
        }
    }
    places.moved((found.procedure, found.body), body, &moved);
}

/// A new variable of a body that says whether an assumption held so far.
fn assumption_variable(terms: &mut Terms, body: &mut Body, id: &str, span: Span) -> SymbolId {
    let symbol = terms.fresh_symbol(id, SortId::BOOL);
    let mut variable = Variable::new(symbol, span);
    variable.attributes.push(Attribute { name: "assumption".into(), args: Vec::new() });
    body.locals.push(variable);
    symbol
}

/// A variable for each tool whose claims are accepted in a body.
fn tools(terms: &mut Terms, body: &mut Body, checks: &[Check]) -> BTreeMap<Arc<str>, SymbolId> {
    let claims = checks.iter().flat_map(|c| &c.claims).filter(|c| c.guides);
    let names: BTreeSet<Arc<str>> = claims.filter_map(|c| c.by.clone()).collect();
    let mut variables = BTreeMap::new();
    for name in names {
        let plain = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let symbol = assumption_variable(terms, body, &format!("by.{plain}"), body.span);
        variables.insert(name, symbol);
    }
    variables
}

/// A statement of a body as it was, or its end.
type CheckedAt = Option<(BlockId, usize)>;

/// The premise under which everything that is checked at a place was proved, for the places where that was possible.
fn premises_by_place(
    terms: &mut Terms,
    body: &Body,
    checks: &[Check],
    symbols: &[SymbolId],
    tools: &BTreeMap<Arc<str>, SymbolId>,
) -> BTreeMap<CheckedAt, TermId> {
    let mut all: BTreeMap<CheckedAt, Vec<Option<TermId>>> = BTreeMap::new();
    for check in checks {
        let place = match check.origin.place {
            Place::Failure { block, statement, .. } => Some((block, statement as usize)),
            Place::Segment { block, .. } => {
                let mark = body[block].statements.iter().position(|s| s.marks().is_some());
                let Some(mark) = mark else { continue };
                Some((block, mark))
            }
            Place::EnsuresFailure { .. } => None,
            _ => continue,
        };
        all.entry(place).or_default().push(premise_of(terms, check, symbols, tools));
    }
    let mut known = BTreeMap::new();
    for (place, premises) in all {
        if let Some(parts) = premises.into_iter().collect::<Option<Vec<TermId>>>() {
            known.insert(place, terms.app(Op::And, parts));
        }
    }
    known
}

/// The premise of a check as a formula, by the verdict or by a claim; `None` if it was not verified.
fn premise_of(
    terms: &mut Terms,
    check: &Check,
    symbols: &[SymbolId],
    tools: &BTreeMap<Arc<str>, SymbolId>,
) -> Option<TermId> {
    let mut ways: Vec<TermId> = Vec::new();
    let mut all = |terms: &mut Terms, premise: &[usize], tool: Option<SymbolId>| {
        let parts = premise.iter().map(|i| symbols[*i]).chain(tool);
        let parts: Vec<TermId> = parts.map(|s| terms.var(s)).collect();
        ways.push(terms.app(Op::And, parts));
    };
    match &check.verdict {
        Verdict::Verified => all(terms, &[], None),
        Verdict::VerifiedUnder(premise) => all(terms, premise, None),
        Verdict::Unverified(_) | Verdict::Failing => {}
    }
    for claim in check.claims.iter().filter(|c| c.guides) {
        if let Some(tool) = claim.by.as_ref().and_then(|name| tools.get(name)) {
            all(terms, &claim.premise, Some(*tool));
        }
    }
    (!ways.is_empty()).then(|| terms.app(Op::Or, ways))
}
