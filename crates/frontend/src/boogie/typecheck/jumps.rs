//! Labels and jumps: every `goto` must have a target, every `break` a loop or block that it leaves.

use rustc_hash::{FxHashMap, FxHashSet};

use footpath_ir::source::Span;

use super::super::ast::{self, Name, StmtKind};
use super::super::checker::*;

impl Checker<'_> {
    /// Checks the labels of a body. A label is visible in the whole body, wherever it stands.
    pub(super) fn check_jumps(&mut self, block: &ast::Block) -> Checked<()> {
        let mut labels = FxHashMap::default();
        let mut outcome = self.collect_labels(block, &mut labels);
        let labels: FxHashSet<Name> = labels.into_keys().collect();
        if self.check_targets(block, &labels, &mut Vec::new(), 0).is_err() {
            outcome = Err(Failed);
        }
        outcome
    }

    fn collect_labels(&mut self, block: &ast::Block, labels: &mut FxHashMap<Name, Span>) -> Checked<()> {
        let mut outcome = Ok(());
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Label(label) => {
                    if let Some(&first) = labels.get(&label.name) {
                        outcome = Err(self.duplicate(label, "label", Some(first)));
                    }
                    labels.insert(label.name.clone(), label.span);
                }
                StmtKind::If(arms, otherwise) => {
                    for block in arms.iter().map(|(_, block)| block).chain(otherwise) {
                        outcome = outcome.and(self.collect_labels(block, labels));
                    }
                }
                StmtKind::While(_, _, body) => outcome = outcome.and(self.collect_labels(body, labels)),
                _ => {}
            }
        }
        outcome
    }

    /// Checks `goto` and `break`. `enclosing` holds the labels right before the statements around this block,
    /// `loops` counts the loops among these.
    fn check_targets(
        &mut self,
        block: &ast::Block,
        labels: &FxHashSet<Name>,
        enclosing: &mut Vec<Name>,
        loops: usize,
    ) -> Checked<()> {
        let mut outcome = Ok(());
        let mut label: Option<&Name> = None;
        for stmt in &block.stmts {
            let depth = enclosing.len();
            match &stmt.kind {
                StmtKind::Label(l) => {
                    label = Some(&l.name);
                    continue;
                }
                StmtKind::Goto(targets) => {
                    for target in targets.iter().filter(|t| !labels.contains(&t.name)) {
                        let message = format!("the label `{}` is undefined", target.name);
                        outcome = Err(self.error(target.span, "boogie::label", message));
                    }
                }
                StmtKind::Break(None) if loops == 0 => {
                    outcome = Err(self.error(stmt.span, "boogie::label", "this break is not inside a loop"));
                }
                StmtKind::Break(Some(target)) if !enclosing.contains(&target.name) => {
                    let message =
                        format!("the label `{}` is not that of an enclosing statement", target.name);
                    outcome = Err(self.error(target.span, "boogie::label", message));
                }
                StmtKind::If(arms, otherwise) => {
                    enclosing.extend(label.cloned());
                    for block in arms.iter().map(|(_, block)| block).chain(otherwise) {
                        outcome = outcome.and(self.check_targets(block, labels, enclosing, loops));
                    }
                }
                StmtKind::While(_, _, body) => {
                    enclosing.extend(label.cloned());
                    outcome = outcome.and(self.check_targets(body, labels, enclosing, loops + 1));
                }
                _ => {}
            }
            enclosing.truncate(depth);
            label = None;
        }
        outcome
    }
}
