//! Conditional constant propagation: whether a state can lead to a target, as far as constants tell.
//!
//! **Idea.** After a search loop a flag often says whether something was found, and the target is behind a test of
//! the flag. On a path on which it was not found, the loops that follow need not be summarised. That saves a lot:
//! with n searches in a row, summaries are computed n times instead of once for each path into each loop, which is 3ⁿ
//! times. Constants are propagated from the state through the graph, along those arms of branches only that they do
//! not exclude.
//!
//! Example: on the path with `found == 0`, the arm `found != 0` of a later `if (found) { … target … }` is excluded,
//! and the loops before that branch are not summarised.
//!
//! **Paper.** G. Kildall, "A unified approach to global program optimization" (POPL 1973).
//!
//! **Direction of error.** In one direction: an excluded state leads to no target.

use footpath_ir::{BlockId, Body, StatementKind, TerminatorKind};
use footpath_term::{Substitution, TermId, Terms};
use footpath_transform::state::State;
use rustc_hash::FxHashMap;

/// Whether a run may get from the start of a block to a target.
pub(crate) fn may_lead(
    terms: &mut Terms,
    body: &Body,
    targets: &[bool],
    from: BlockId,
    state: &State,
) -> bool {
    let mut known: FxHashMap<BlockId, Substitution> = FxHashMap::default();
    known.insert(from, state.literals(terms));
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if targets[at.index()] {
            return true;
        }
        let mut here = known[&at].clone();
        for next in execute(terms, body, at, &mut here) {
            let Some(there) = known.get_mut(&next) else {
                known.insert(next, here.clone());
                work.push(next);
                continue;
            };
            let before = there.len();
            there.retain(|symbol, value| here.get(symbol) == Some(value));
            if there.len() < before {
                work.push(next);
            }
        }
    }
    false
}

/// Transfer function of a block: updates the constants that are known; returns the successors that they do not
/// exclude.
fn execute(terms: &mut Terms, body: &Body, at: BlockId, known: &mut Substitution) -> Vec<BlockId> {
    let value = |terms: &mut Terms, t: TermId, known: &Substitution| terms.substitute(t, known);
    for statement in &body[at].statements {
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                let values: Vec<TermId> = pairs.iter().map(|&(_, t)| value(terms, t, known)).collect();
                for (&(symbol, _), value) in pairs.iter().zip(values) {
                    if terms.literal(value).is_some() {
                        known.insert(symbol, value);
                    } else {
                        known.remove(&symbol);
                    }
                }
            }
            StatementKind::Havoc(symbols) => symbols.iter().for_each(|symbol| {
                known.remove(symbol);
            }),
            StatementKind::Assume(condition) => {
                let condition = value(terms, *condition, known);
                if terms.as_bool(condition) == Some(false) {
                    return Vec::new();
                }
            }
            // Nothing is known of what they change; bodies here have none of them.
            StatementKind::Assert { .. } | StatementKind::Call { .. } | StatementKind::TryFirst(_) => {
                known.clear();
            }
        }
    }
    match &body[at].terminator.kind {
        TerminatorKind::Goto(targets) => targets.clone(),
        TerminatorKind::Branch { condition, then_to, else_to } => {
            let condition = value(terms, *condition, known);
            match terms.as_bool(condition) {
                Some(true) => vec![*then_to],
                Some(false) => vec![*else_to],
                None => vec![*then_to, *else_to],
            }
        }
        TerminatorKind::Return | TerminatorKind::Fail | TerminatorKind::Cut => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use footpath_frontend::boogie;
    use footpath_ir::source::{SourceFile, SourceMap};

    use super::*;
    use crate::find;

    /// Whether the target may be reached from the label `from` with a value of `h`, where `rest` stands between them.
    fn leads(h: Option<i64>, rest: &str) -> bool {
        let text = format!(
            "procedure main(n: int) {{\n  var h, k: int;\n  from: k := n;\n  {rest}\n  \
             if (h == 1) {{ target: assert true; }}\n}}\n"
        );
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("test.bpl", &*text));
        let (program, diagnostics) = boogie::read(&[file], &sources);
        let program = program.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"));
        let start = find(&program, &sources, "from", None).expect("a start").spot.block;
        let target = find(&program, &sources, "target", None).expect("a target");
        let body = &target.program[target.spot.procedure].bodies[0];
        let mut terms = Terms::layer(Arc::clone(&target.program.terms));
        let mut state = State::default();
        if let Some(h) = h {
            let symbol =
                body.locals.iter().map(|local| local.symbol).find(|&s| &*terms.symbol(s).name == "h");
            let value = terms.int(h);
            state.set(symbol.expect("the variable"), value);
        }
        let mut targets = vec![false; body.blocks.len()];
        targets[target.spot.block.index()] = true;
        may_lead(&mut terms, body, &targets, start, &state)
    }

    #[test]
    fn a_flag_that_nothing_changes_rules_the_target_out() {
        let search = "while (k > 0) { if (k == 7) { break; } k := k - 1; }";
        assert!(!leads(Some(0), search));
        assert!(leads(Some(1), search) && leads(None, search));
        assert!(!leads(Some(1), "assume h != 1;"));
        assert!(!leads(None, "h := 2; while (k > 0) { k := k - h; }"));
    }

    #[test]
    fn what_may_change_the_flag_rules_nothing_out() {
        for rest in [
            "while (k > 0) { if (k == 7) { h := 1; } k := k - 1; }",
            "while (k > 0) { h := h + 1; }",
            "if (k > 5) { havoc h; }",
            "h := k;",
            "if (k > 0) { h := 0; } else { h := 1; }",
        ] {
            assert!(leads(Some(0), rest), "{rest}");
        }
    }
}
