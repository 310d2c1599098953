//! Instrumentation variables of guidance that are visible in all bodies.
//!
//! **Idea.** Which checks of a run are still to come after a call depends on what was assumed before it. For a callee
//! to be guided by that, the assumption variables of its callers have to be visible there: they become global, and
//! are set to true where their body is entered. Another global variable says whether a check failed that does not
//! stop the program.
//!
//! Example: `f` assumes `a` and calls `g`. With `a` global, a run in which `a` still holds can be given up at the end
//! of `g`'s last unverified check, if all that follows in `f` is verified under `a`.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016) has assumption variables that are local to a method, as it
//! guides each method by itself.
//!
//! **Direction of error.** None: no body is entered while it is already running, and a variable keeps the values that
//! it had.

use std::sync::Arc;

use footpath_ir::{Attribute, Body, Global, ProcId, Program, Statement, StatementKind, Variable};
use footpath_term::{SortId, SymbolId, Terms};

use crate::discharge::is_entered_once;
use crate::places::Places;
use crate::premises::{Premises, UNFAILED};

/// Adds a variable that becomes false where a check fails that does not stop the program; does nothing if there is
/// such a variable, or no such check.
pub(crate) fn record_failures(program: &mut Program, places: &mut Places) {
    let marks = |p: &ProcId| {
        let statements = program[*p].bodies.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.statements);
        statements.into_iter().any(|s| s.marks().is_some())
    };
    let marked: Vec<ProcId> = program.ids().filter(marks).collect();
    if marked.is_empty() || Premises::of(program).unfailed().is_some() {
        return;
    }
    let mut terms = Terms::layer(program.terms.clone());
    let symbol = terms.fresh_symbol("unfailed", SortId::BOOL);
    let mut variable = Variable::new(symbol, program[marked[0]].span);
    for name in ["assumption", UNFAILED] {
        variable.attributes.push(Attribute { name: name.into(), args: Vec::new() });
    }
    declare(program, &mut terms, vec![variable], &marked);
    let no = terms.bool(false);
    for p in program.ids() {
        for (index, body) in program[p].bodies.iter_mut().enumerate() {
            for block in body.block_ids() {
                let statements = &mut body.blocks[block.index()].statements;
                let Some(at) = statements.iter().position(|s| s.marks().is_some()) else { continue };
                let span = statements[at].span;
                places.inserted((p, index as u32, block), at + 1, 1, statements.len());
                let fails = Statement::new(StatementKind::Assign(vec![(symbol, no)]), span);
                statements.insert(at + 1, fails);
            }
        }
    }
    program.terms = Arc::new(terms);
}

/// Makes the assumption variables of some non-recursive procedures global; those of bodies whose start is in a loop
/// stay local.
pub(crate) fn share_assumptions(program: &mut Program, procedures: &[ProcId], places: &mut Places) {
    let mut terms = Terms::layer(program.terms.clone());
    let yes = terms.bool(true);
    for &p in procedures {
        for index in 0..program[p].bodies.len() {
            let body = &mut program[p].bodies[index];
            if !is_entered_once(body) {
                continue;
            }
            let (own, others) =
                std::mem::take(&mut body.locals).into_iter().partition(Variable::is_assumption);
            body.locals = others;
            let own: Vec<Variable> = own;
            if own.is_empty() {
                continue;
            }
            let start = &mut body.blocks[Body::ENTRY.index()].statements;
            places.inserted((p, index as u32, Body::ENTRY), 0, 1, start.len());
            let values: Vec<(SymbolId, _)> = own.iter().map(|v| (v.symbol, yes)).collect();
            start.insert(0, Statement::new(StatementKind::Assign(values), body.span));
            declare(program, &mut terms, own, &[p]);
        }
    }
    program.terms = Arc::new(terms);
}

/// Adds global variables that some procedures write.
fn declare(program: &mut Program, terms: &mut Terms, variables: Vec<Variable>, writers: &[ProcId]) {
    let writes = |p: &ProcId| program.reachable(&[*p]).iter().any(|q| writers.contains(q));
    let writing: Vec<ProcId> = program.ids().filter(writes).collect();
    for p in writing {
        program[p].modifies.extend(variables.iter().map(|v| v.symbol));
    }
    for variable in variables {
        let symbol = terms.symbol(variable.symbol);
        let (name, sort) = (format!("old {}", symbol.name), symbol.sort);
        program.globals.push(Global { variable, old: terms.fresh_symbol(name, sort) });
    }
}
