//! Verification conditions: a loop-free procedure as a formula whose models are its runs.
//!
//! Both encodings answer the same question: which runs are there, and which blocks does each pass? A model of
//! [`Vc::constraints`] is a run, and [`Vc::reach`] says which blocks are on its path. In every model the blocks with
//! a true `reach` are exactly one path from the entry: free choices are given variables, so that a model takes one of
//! them only.
//!
//! The initial value of a variable is the variable's symbol; a havocked value is a fresh symbol, listed in
//! [`Vc::havocs`].
//!
//! * `vc/merged.rs`: strongest postconditions as a graph of terms. The default.
//! * `vc/paper.rs`: incarnations and the two variables `T` and `R` for each block, as in RVC, section 4.
//!
//! Either can be weakened to a formula over reals, which is easier to refute (`vc/real_relaxation.rs`), and either
//! can be extended by what its equations imply for the low bits of numbers (`vc/low_bits.rs`).
//!
//! Symbolic states, and the selection of axioms and definitions, are shared with other engines
//! (`footpath_transform::{state, theory}`).
//!
//! **Direction of error.** None: both encodings have exactly the runs of the loop-free procedure as models, under the
//! selected axioms.

pub mod low_bits;
pub mod merged;
pub mod paper;
pub mod real_relaxation;

use footpath_ir::{BlockId, TerminatorKind};
use footpath_term::{SymbolId, TermId, Terms};
use footpath_transform::LoopFree;

/// A loop-free procedure as a formula over its terms.
#[derive(Debug, Default)]
pub struct Vc {
    /// The conditions that hold in every run; to be asserted once.
    pub constraints: Vec<TermId>,
    /// For each block, that it is on the path. A symbol or a literal.
    pub reach: Vec<TermId>,
    /// For each block that ends in a free choice: for each successor, that it is chosen.
    pub choices: Vec<Vec<TermId>>,
    /// For each block: the havocked variables in order, with the symbol of the value each takes.
    pub havocs: Vec<Vec<(SymbolId, TermId)>>,
}

impl Vc {
    fn new(blocks: usize) -> Vc {
        Vc {
            constraints: Vec::new(),
            reach: Vec::with_capacity(blocks),
            choices: vec![Vec::new(); blocks],
            havocs: vec![Vec::new(); blocks],
        }
    }

    /// Adds `symbol ⇔ definition` for a fresh symbol and returns the symbol; a literal or symbol as definition is
    /// returned as it is.
    pub(crate) fn name(&mut self, terms: &mut Terms, name: String, definition: TermId) -> TermId {
        use footpath_term::{Op, SortId};
        if matches!(terms.term(definition).op, Op::Literal(_) | Op::Var(_)) {
            return definition;
        }
        let symbol = terms.fresh_var(name, SortId::BOOL);
        let equivalence = terms.raw(Op::Eq, [symbol, definition]);
        self.constraints.push(equivalence);
        symbol
    }
}

/// Whether a terminator is a free choice between several targets, which the state does not decide.
fn is_free_choice(kind: &TerminatorKind) -> bool {
    matches!(kind, TerminatorKind::Goto(targets) if targets.len() > 1)
}

/// The block that returns.
pub fn exit_block(unit: &LoopFree) -> Option<BlockId> {
    unit.body.block_ids().find(|&b| unit.body[b].terminator.kind == TerminatorKind::Return)
}
