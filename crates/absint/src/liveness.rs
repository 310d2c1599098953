//! Liveness of variables: a backward data-flow analysis that finds the variables whose values may still be read.
//!
//! **Idea.** A fact about a variable that is never read again helps no proof, but it is carried along, joined and
//! compared at every block. Inlined calls leave many such variables behind. A variable is live where a block is
//! entered if some path from there reads it before assigning it; what is known of other variables is dropped.
//!
//! **Example.** In `y := x + 1; assert y > 0; y := 2;` the variable `x` is dead after the first assignment, and `y`
//! is dead between the assertion and its next assignment.
//!
//! **Paper.** Kildall, "A unified approach to global program optimization", POPL 1973.
//!
//! **Direction of error.** A variable that is reported dead is not read before it is assigned; a variable that is
//! reported live may be dead.

use std::rc::Rc;

use footpath_ir::{BlockId, Body, StatementKind, TerminatorKind};
use footpath_term::{SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A cache of the free symbols of terms.
#[derive(Default)]
pub struct FreeSymbols(FxHashMap<TermId, Rc<[SymbolId]>>);

impl FreeSymbols {
    /// The free symbols of a term.
    pub fn of(&mut self, terms: &Terms, t: TermId) -> Rc<[SymbolId]> {
        Rc::clone(self.0.entry(t).or_insert_with(|| terms.free_symbols(&[t]).into()))
    }
}

/// The result of the analysis for one body.
pub struct Live {
    /// The variables that may be reported dead: those that are invisible to callers.
    locals: FxHashSet<SymbolId>,
    /// Further terms that are read where blocks are entered.
    asked: FxHashMap<BlockId, Vec<TermId>>,
    /// For each block, the variables that are live where it is entered.
    entered: Vec<FxHashSet<SymbolId>>,
}

impl Live {
    /// Analyses a body; `order` has its reachable blocks in reverse postorder.
    pub fn of(terms: &Terms, free: &mut FreeSymbols, body: &Body, order: &[BlockId]) -> Live {
        Live::asked(terms, free, body, order, &[])
    }

    /// As [`Live::of`], if further terms are read in blocks.
    pub fn asked(
        terms: &Terms,
        free: &mut FreeSymbols,
        body: &Body,
        order: &[BlockId],
        asked: &[(BlockId, TermId)],
    ) -> Live {
        let locals = body.locals.iter().map(|v| v.symbol).collect();
        let entered = vec![FxHashSet::default(); body.blocks.len()];
        let mut live = Live { locals, asked: FxHashMap::default(), entered };
        for &(block, term) in asked {
            live.asked.entry(block).or_default().push(term);
        }
        loop {
            let mut changed = false;
            for &block in order.iter().rev() {
                let new = live.before(terms, free, body, (block, 0));
                changed |= new.len() > live.entered[block.index()].len();
                live.entered[block.index()] = new;
            }
            if !changed {
                return live;
            }
        }
    }

    /// Whether a variable may be reported dead at all.
    pub fn is_local(&self, symbol: SymbolId) -> bool {
        self.locals.contains(&symbol)
    }

    /// Whether the value of a variable where a block is entered does not matter.
    pub fn is_dead(&self, symbol: SymbolId, block: BlockId) -> bool {
        self.locals.contains(&symbol) && !self.entered[block.index()].contains(&symbol)
    }

    /// The locals that are live before statement number `at` of a block, given those that are live where its
    /// successors are entered.
    pub fn before(
        &self,
        terms: &Terms,
        free: &mut FreeSymbols,
        body: &Body,
        (block, at): (BlockId, usize),
    ) -> FxHashSet<SymbolId> {
        let mut live = FxHashSet::default();
        let mut read = |live: &mut FxHashSet<SymbolId>, t: TermId| {
            live.extend(free.of(terms, t).iter().filter(|s| self.locals.contains(s)));
        };
        let asked = self.asked.get(&block).into_iter().flatten();
        let block = &body[block];
        for next in block.terminator.successors() {
            live.extend(&self.entered[next.index()]);
        }
        if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
            read(&mut live, condition);
        }
        for statement in block.statements[at..].iter().rev() {
            match &statement.kind {
                StatementKind::Assign(values) => {
                    live.retain(|s| values.iter().all(|(target, _)| target != s));
                    values.iter().for_each(|(_, value)| read(&mut live, *value));
                }
                StatementKind::Havoc(targets) => live.retain(|s| !targets.contains(s)),
                StatementKind::Assume(t) | StatementKind::TryFirst(t) => read(&mut live, *t),
                StatementKind::Assert { condition, .. } => read(&mut live, *condition),
                StatementKind::Call { args, results, .. } => {
                    live.retain(|s| !results.contains(&Some(*s)));
                    args.iter().flatten().for_each(|value| read(&mut live, *value));
                }
            }
        }
        asked.for_each(|t| read(&mut live, *t));
        live
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixpoint::reverse_postorder;
    use footpath_ir::Program;
    use footpath_ir::source::{SourceFile, SourceMap};

    fn analysed(text: &str) -> (Program, Live) {
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("test.bpl", text));
        let (program, _) = footpath_frontend::boogie::read(&[file], &sources);
        let program = program.expect("a program");
        let body = &program.procedures[0].bodies[0];
        let mut free = FreeSymbols::default();
        let live = Live::of(&program.terms, &mut free, body, &reverse_postorder(body));
        (program, live)
    }

    #[test]
    fn a_variable_is_dead_between_its_last_reading_and_its_next_value() {
        let text = "procedure P(n: int) { var i, t, u: int;
            A: i := 0; t := n;
            B: assume t > 0; u := i; i := u + 1;
               goto B, C;
            C: t := i; assume t > n; }";
        let (program, live) = analysed(text);
        let body = &program.procedures[0].bodies[0];
        let symbol = |name: &str| {
            let local = body.locals.iter().find(|v| &*program.terms.symbol(v.symbol).name == name);
            local.expect("a local").symbol
        };
        let dead =
            |name: &str| -> Vec<bool> { body.block_ids().map(|b| live.is_dead(symbol(name), b)).collect() };
        let blocks = body.blocks.len();
        assert!(dead("u").iter().all(|d| *d), "read where it is assigned only");
        assert_eq!(dead("t").iter().filter(|d| !**d).count(), 1, "the round: {blocks} blocks");
        assert_eq!(
            dead("i").iter().filter(|d| !**d).count(),
            2,
            "the round and what is behind: {blocks} blocks"
        );
    }

    #[test]
    fn several_variables_that_are_assigned_at_once_are_all_dead_before() {
        let text = "procedure P(n: int) { var i, j, k: int;
            A: k := n;
            B: i, j := k, n; assume i < j; }";
        let (program, live) = analysed(text);
        let body = &program.procedures[0].bodies[0];
        let last = body.block_ids().last().expect("a block");
        let dead: Vec<bool> = body.locals.iter().map(|v| live.is_dead(v.symbol, last)).collect();
        assert_eq!(dead, [true, true, false], "i and j get values, k is read");
    }
}
