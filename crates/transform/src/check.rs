//! A validator of the loop-free form: the invariants of [`LoopFree`], checked after the passes in debug builds.
//!
//! **Direction of error.** An invariant that is not listed in [`LoopFree`] is not checked.

use footpath_ir::{BlockId, Body, StatementKind, TerminatorKind};
use rustc_hash::FxHashSet;

use crate::LoopFree;

impl LoopFree {
    /// A message for each invariant that does not hold; there are none unless a pass has a bug.
    pub fn check(&self) -> Vec<String> {
        let mut broken = check_body(&self.body);
        let count = self.body.blocks.len();
        if self.depths.len() != count {
            broken.push(format!("{} depths for {count} blocks", self.depths.len()));
        }
        let cut: FxHashSet<BlockId> = self.cuts.iter().map(|c| c.0).collect();
        for block in self.body.block_ids() {
            let is_cut = self.body[block].terminator.kind == TerminatorKind::Cut;
            if is_cut != cut.contains(&block) {
                broken.push(format!("{}: listed as a cut, or one, but not both", self.body[block].name));
            }
        }
        for (_, next) in &self.cuts {
            if next.index() >= self.cyclic.blocks.len() {
                broken.push(format!("{next}: behind a cut, but not in the cyclic body"));
            }
        }
        broken
    }
}

/// Messages for the invariants of a loop-free body that do not hold; slices have the same invariants, except for
/// reachability.
pub(crate) fn check_body(body: &Body) -> Vec<String> {
    let mut broken = Vec::new();
    if body.blocks.is_empty() {
        return vec!["no entry block".to_owned()];
    }
    let predecessors = body.predecessors();
    let mut names = FxHashSet::default();
    let mut returns = 0;
    for id in body.block_ids() {
        let block = &body[id];
        let name = &block.name;
        if !names.insert(name.clone()) {
            broken.push(format!("{name}: a name of two blocks"));
        }
        if predecessors[id.index()].is_empty() != (id == Body::ENTRY) {
            broken.push(format!("{name}: must have a predecessor if and only if it is not the entry"));
        }
        let successors = block.terminator.successors();
        for to in &successors {
            if *to <= id {
                broken.push(format!("{name}: leads backwards to {}", body[*to].name));
            }
            if successors.len() > 1 && predecessors[to.index()].len() > 1 {
                broken.push(format!("{name}: its edge to {} is critical", body[*to].name));
            }
        }
        returns += usize::from(block.terminator.kind == TerminatorKind::Return);
        let mut changed = false;
        for statement in &block.statements {
            match statement.kind {
                StatementKind::Assume(_) if changed => {
                    broken.push(format!("{name}: an assumption in the middle"));
                }
                StatementKind::Assume(_) => {}
                StatementKind::Assign(_) | StatementKind::Havoc(_) => changed = true,
                StatementKind::Assert { .. } | StatementKind::Call { .. } | StatementKind::TryFirst(_) => {
                    broken.push(format!("{name}: an assertion, a call or a preference"));
                }
            }
        }
    }
    if returns > 1 {
        broken.push(format!("{returns} blocks return"));
    }
    broken
}
