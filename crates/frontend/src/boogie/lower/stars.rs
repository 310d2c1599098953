//! Wildcards in calls: variables that stand for `*` are replaced by it.
//!
//! Boogie no longer has `*` among arguments and results, so the printer of the program form writes a variable that is
//! havocked right before the call:
//!
//! ```text
//! var {:star} star: int;
//! havoc star;
//! call x := P(star);
//! ```
//!
//! Here it becomes the `*` again. That is done only if it makes no difference, whoever wrote the program: the
//! variable has no where-clause and occurs nowhere else.

use footpath_ir::program::{AttributeArg, Block, StatementKind, TerminatorKind, Variable};
use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces the variables that stand for `*` by it, and removes them.
pub(super) fn restore(terms: &Terms, locals: &mut Vec<Variable>, blocks: &mut [Block]) {
    let marked = |v: &&Variable| {
        v.where_clause.is_none() && v.attributes.len() == 1 && &*v.attributes[0].name == "star"
    };
    let mut stars: FxHashSet<SymbolId> = locals.iter().filter(marked).map(|v| v.symbol).collect();
    if stars.is_empty() {
        return;
    }
    let uses = Uses::of(terms, locals, blocks);
    stars.retain(|star| uses.others.get(star) == Some(&1));
    for block in blocks.iter_mut() {
        let gone = in_block(terms, block, &stars, &uses);
        locals.retain(|v| !gone.contains(&v.symbol));
    }
}

/// How often each symbol occurs in a body.
#[derive(Default)]
struct Uses {
    havocs: FxHashMap<SymbolId, usize>,
    others: FxHashMap<SymbolId, usize>,
}

impl Uses {
    fn of(terms: &Terms, locals: &[Variable], blocks: &[Block]) -> Uses {
        let mut roots: Vec<TermId> = locals.iter().filter_map(|v| v.where_clause).collect();
        let mut uses = Uses::default();
        for block in blocks {
            for statement in &block.statements {
                roots.extend(statement.attributes.iter().flat_map(|a| &a.args).filter_map(|arg| match arg {
                    AttributeArg::Term(term) => Some(*term),
                    AttributeArg::Text(_) => None,
                }));
                uses.count(&statement.kind, &mut roots);
            }
            if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
                roots.push(condition);
            }
        }
        for root in roots {
            for symbol in terms.free_symbols(&[root]) {
                *uses.others.entry(symbol).or_default() += 1;
            }
        }
        uses
    }

    /// Counts the variables of a statement; its terms are added to `roots`.
    fn count(&mut self, kind: &StatementKind, roots: &mut Vec<TermId>) {
        match kind {
            StatementKind::Assign(pairs) => {
                pairs.iter().for_each(|(symbol, _)| *self.others.entry(*symbol).or_default() += 1);
                roots.extend(pairs.iter().map(|(_, value)| *value));
            }
            StatementKind::Havoc(symbols) => {
                symbols.iter().for_each(|symbol| *self.havocs.entry(*symbol).or_default() += 1);
            }
            StatementKind::Assume(condition) | StatementKind::TryFirst(condition) => roots.push(*condition),
            StatementKind::Assert { condition, premise, .. } => {
                roots.push(*condition);
                roots.extend(premise);
            }
            StatementKind::Call { args, results, .. } => {
                results.iter().flatten().for_each(|symbol| *self.others.entry(*symbol).or_default() += 1);
                roots.extend(args.iter().flatten());
            }
        }
    }
}

/// Inserts `*` into the calls of a block; returns the variables that were replaced.
fn in_block(
    terms: &Terms,
    block: &mut Block,
    stars: &FxHashSet<SymbolId>,
    uses: &Uses,
) -> FxHashSet<SymbolId> {
    let mut gone = FxHashSet::default();
    // Where the stars of the havocs right before a statement are havocked.
    let mut havocked: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let mut dead = FxHashSet::default();
    for (number, statement) in block.statements.iter_mut().enumerate() {
        match &mut statement.kind {
            StatementKind::Havoc(symbols) if matches!(symbols[..], [star] if stars.contains(&star)) => {
                havocked.insert(symbols[0], number);
                continue;
            }
            StatementKind::Call { args, results, .. } => {
                for arg in args {
                    let Some(Op::Var(star)) = arg.map(|term| &terms.term(term).op) else { continue };
                    if let Some(havoc) = havocked.get(star).filter(|_| uses.havocs[star] == 1) {
                        (*arg, _) = (None, dead.insert(*havoc));
                        gone.insert(*star);
                    }
                }
                for result in results {
                    let is_star = |star: &SymbolId| stars.contains(star) && !uses.havocs.contains_key(star);
                    if let Some(star) = result.filter(is_star) {
                        *result = None;
                        gone.insert(star);
                    }
                }
            }
            _ => {}
        }
        havocked.clear();
    }
    let mut number = 0;
    block.statements.retain(|_| {
        number += 1;
        !dead.contains(&(number - 1))
    });
    gone
}
