//! Necessary conditions of failures for loops without a fixpoint, by abstraction of all iterations but one.
//!
//! **Idea.** A run that fails in a loop or after it fails in some iteration, or after the last one. When that
//! iteration begins, the variables that the loop does not change are as they were when the loop was entered, and the
//! invariants of the head hold. So the condition of one iteration, "fails, or leaves the loop and fails after it",
//! with all variables forgotten that the loop changes, must hold where the loop is entered. One iteration stands for
//! all, as in proofs by invariants.
//!
//! Example: for `for (i = 0; i < n; i++) assert(a[i] < limit);` an iteration fails if `i < n && a[i] >= limit`; with
//! `i` forgotten, and `i >= 0` known at the head, `n > 0` is necessary.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, 2007), Section 3.2, gives such
//! loops up.
//!
//! **Deviations.**
//! 1. Comparisons that mention variables which cannot be eliminated exactly are dropped with them.
//!
//! **Direction of error.** It may hold where nothing fails. That it is false only where no run fails needs
//! explorations that left nothing open, which the caller checks.

use footpath_ir::analysis::wto::ComponentId;
use footpath_simplify::{Cube, Dnf};
use footpath_term::SymbolId;

use crate::backward::Hoist;
use crate::result::Error;

impl Hoist<'_> {
    /// Summarises a loop's head by a necessary condition of failures.
    pub(crate) fn must_hold(&mut self, component: ComponentId) -> Result<(), Error> {
        let head = self.cut.wto[component].head;
        self.summaries.insert(head, Dnf::never());
        self.solve(Some(component))?;
        let mut round = self.explore(head)?;
        let known = self.known.get(&head).cloned().unwrap_or_default();
        round.cubes.iter_mut().for_each(|cube| cube.extend(&known));
        let changed = self.changed(component);
        let mut must = Dnf::never();
        for cube in round.cubes {
            must.cubes.extend(self.forget(&cube, &changed));
        }
        let context = self.enter(head);
        let must = self.tools.simplifier.simplify(&mut self.tools.terms, &must);
        self.tools.simplifier.assume(context);
        self.summaries.insert(head, must);
        // Other edges into the loop lead to its head, like all iterations.
        self.solve(Some(component))
    }

    /// Projects variables out of a conjunction; the result is implied by it.
    fn forget(&mut self, cube: &Cube, symbols: &[SymbolId]) -> Vec<Cube> {
        let whole = Dnf { cubes: vec![cube.clone()] };
        let found = self.tools.simplifier.eliminate(&mut self.tools.terms, &whole, symbols);
        if found.exact {
            return found.condition.cubes;
        }
        let terms = &self.tools.terms;
        let speaks = |l| terms.free_symbols(&[l]).iter().any(|s| symbols.contains(s));
        vec![cube.iter().copied().filter(|&l| !speaks(l)).collect()]
    }

    /// The variables that a loop changes.
    fn changed(&self, component: ComponentId) -> Vec<SymbolId> {
        let body = &self.cut.body;
        let blocks = body.block_ids().filter(|&b| self.cut.wto.contains(component, b));
        let statements = blocks.flat_map(|b| &body[b].statements);
        let mut changed: Vec<SymbolId> = statements.flat_map(|s| s.kind.sets()).collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}
