//! Program transformations: the passes from a procedure as the front end made it to the loop-free form that the
//! covers encode.
//!
//! The pipeline:
//!
//! 1. `prepare`: contracts and where-clauses become statements, assertions become branches to failure blocks, blocks
//!    are cut into segments, critical edges are split. It is first, because all later passes then need only four
//!    kinds of statement.
//! 2. `inline`: calls of procedures with bodies are replaced by the bodies, recursion up to a bound; calls of
//!    procedures without bodies are replaced by the contract. It comes before unwinding, so that a loop in a callee
//!    is unwound like any other.
//! 3. `critical_edges`: critical edges are split once more, because a callee that never returns makes the loop around
//!    its call smaller.
//! 4. `unwind`: loops are unwound up to a bound, over a weak topological order, so that irreducible graphs need no
//!    special treatment.
//! 5. `slice`: statements that no branch, assumption or assertion depends on are dropped. It is last, because only
//!    then all conditions are known.
//!
//! Every block keeps its [`Origin`] through all of them.
//!
//! | technique | file |
//! |---|---|
//! | desugaring of contracts, assertions and where-clauses into control flow | `prepare.rs` |
//! | coverage objectives | `objective.rs` |
//! | function inlining | `inline.rs` |
//! | splitting of critical edges | `critical_edges.rs` |
//! | loop unwinding | `unwind.rs` |
//! | reachability beyond the unwinding bound | `beyond_cuts.rs` |
//! | program slicing | `slice.rs` |
//! | invariants of the loop-free form | `check.rs` |
//! | symbolic states | `state.rs` |
//! | axiom selection and expansion of function definitions | `theory.rs` |
//!
//! **Invariant:** nothing here knows solvers, front ends or engines.

mod beyond_cuts;
mod check;
mod critical_edges;
pub mod inline;
mod objective;
pub mod prepare;
pub mod slice;
pub mod state;
pub mod theory;
pub mod unwind;

pub use inline::{ActivationLocal, Standin, Standins};
pub use objective::{LoneBranches, Objective, What, objectives};

use footpath_ir::{BlockId, Body, Origin, Place, ProcId, Program, TerminatorKind};
use footpath_term::{SymbolId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::critical_edges::Names;
use crate::inline::NotFollowed;
use crate::prepare::Role;

/// A procedure without loops and calls, ready to be encoded.
///
/// **Invariants** ([`LoopFree::check`]): the blocks stand in topological order; the entry is first, and all
/// blocks are reachable from it in the graph; statements are assignments, havocs and assumptions only, and
/// within a block no assumption follows an assignment or havoc; terminators are `Goto`, `Branch`, `Return`,
/// `Fail`, `Cut`; at most one block returns (none if no path gets there); no edge leads from a block with
/// several successors to a block with several predecessors.
///
/// A run ends well where it returns or fails; at a `Goto` without targets it blocks. The root's old symbols
/// ([`Global::old`](footpath_ir::Global::old)) are never assigned: they are the globals' values at the entry.
#[derive(Clone, Debug)]
pub struct LoopFree {
    /// A layer over the program's terms.
    pub terms: Terms,
    /// The procedure.
    pub procedure: ProcId,
    /// Which of its bodies.
    pub body_index: u32,
    /// The loop-free body. Parameters and results are those of the source body; its locals, too, and those of
    /// all activations of callees.
    pub body: Body,
    /// For each block, its call depth: how many activations of callees it is inside; 0 for the procedure's own
    /// blocks.
    pub depths: Vec<u32>,
    /// For each block that ends in [`Cut`](footpath_ir::TerminatorKind::Cut): the blocks of `cyclic` that would
    /// have come next, one pair for each. At a loop that is one block; at a call that was not followed, the
    /// callee's entries and the block after the call.
    pub cuts: Vec<(BlockId, BlockId)>,
    /// Those of the blocks that end in a cut because the body would have become too large, sorted. What lies behind them is
    /// left open by a limit of effort, not by a bound.
    pub limited: Vec<BlockId>,
    /// Those of the blocks that end in a cut because a call would have been one more open call of its procedure, sorted.
    pub recursive: Vec<BlockId>,
    /// The body before unwinding, unreachable blocks included. Calls that were not followed lead to the callee and to
    /// the block after the call, so the blocks that can be reached in this graph from a cut's next block are a
    /// superset of those that a longer run could reach.
    pub cyclic: Body,
    /// The results and locals of activations of callees.
    pub activation_locals: FxHashMap<SymbolId, ActivationLocal>,
    /// Messages for the user about what the passes had to leave out; each omission also ends in a cut.
    pub notes: Vec<String>,
}

/// The bounds on loops and calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How often each loop may return to its head, for each time it is entered.
    pub unwind: u32,
    /// How often a procedure may call itself, directly or through others.
    pub recursion: u32,
    /// How many blocks a loop-free body may have; a loop or call that would exceed it is cut. The blocks of cuts are
    /// not counted.
    pub max_blocks: usize,
}

/// A place between two passes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// After `prepare`.
    Prepared,
    /// After `inline`.
    Inlined,
    /// After critical edges were split once more.
    Split,
    /// After `unwind`.
    Unwound,
    /// After `slice`: the loop-free form that is encoded.
    Sliced,
}

/// A callback that is given the body at each stage.
pub type Watch<'w> = dyn FnMut(Stage, &Terms, &Body) + 'w;

/// Runs the pipeline on one body of one procedure.
pub fn loop_free(program: &Program, procedure: ProcId, body_index: u32, bounds: Bounds) -> LoopFree {
    watched(program, procedure, body_index, bounds, &mut |_, _, _| {})
}

/// Like [`loop_free`], with a callback for the bodies between the passes.
pub fn watched(
    program: &Program,
    procedure: ProcId,
    body_index: u32,
    bounds: Bounds,
    watch: &mut Watch<'_>,
) -> LoopFree {
    let terms = Terms::layer(program.terms.clone());
    let mut result =
        all_but_slice(program, terms, (procedure, body_index), bounds, &Standins::default(), watch);
    slice::slice(&result.terms, &mut result.body);
    result.expect_valid();
    watch(Stage::Sliced, &result.terms, &result.body);
    result
}

/// The pipeline without its last step: all assignments are present, so that the final values of all variables can be
/// read from it.
pub fn unrolled(program: &Program, procedure: ProcId, body_index: u32, bounds: Bounds) -> LoopFree {
    let terms = Terms::layer(program.terms.clone());
    all_but_slice(program, terms, (procedure, body_index), bounds, &Standins::default(), &mut |_, _, _| {})
}

/// Like [`loop_free`], with stand-ins for some of the procedures that are called. `terms`, a layer over the program's,
/// is the arena of the stand-ins.
pub fn loop_free_with(
    program: &Program,
    terms: Terms,
    root: (ProcId, u32),
    bounds: Bounds,
    standins: &Standins,
) -> LoopFree {
    let mut result = all_but_slice(program, terms, root, bounds, standins, &mut |_, _, _| {});
    slice::slice(&result.terms, &mut result.body);
    result.expect_valid();
    result
}

fn all_but_slice(
    program: &Program,
    mut terms: Terms,
    (procedure, body_index): (ProcId, u32),
    bounds: Bounds,
    standins: &Standins,
    watch: &mut Watch<'_>,
) -> LoopFree {
    let prepared = prepare::prepare(program, &mut terms, procedure, body_index, Role::Root);
    watch(Stage::Prepared, &terms, &prepared);

    let mut inlined = inline::inline(program, &mut terms, procedure, prepared, bounds, standins);
    watch(Stage::Inlined, &terms, &inlined.body);

    let mut names = Names::of(&inlined.body.blocks);
    let split = critical_edges::split(&mut inlined.body, &mut names, critical_edges::Stage::Inlined);
    let depths = split.iter().map(|from| inlined.depths[from.index()]).collect::<Vec<_>>();
    inlined.depths.extend(depths);
    watch(Stage::Split, &terms, &inlined.body);

    let unwound = unwind::unwind(&inlined.body, bounds.unwind, bounds.max_blocks);
    watch(Stage::Unwound, &terms, &unwound.body);

    let mut cyclic = inlined.body;
    beyond_cuts::connect_cut_calls(program, &mut terms, &mut cyclic, &inlined.unfollowed, inlined.entries);
    let cut_calls: FxHashSet<BlockId> = inlined.unfollowed.iter().map(|call| call.block).collect();
    let whys: FxHashMap<BlockId, NotFollowed> =
        inlined.unfollowed.iter().map(|call| (call.block, call.why)).collect();
    let (mut cuts, mut limited, mut recursive) = (unwound.cuts, unwound.limited, Vec::new());
    for (&source, block) in unwound.copies.iter().zip(unwound.body.block_ids()) {
        let ends_here = unwound.body[block].terminator.kind == TerminatorKind::Cut;
        if ends_here && unwound.body[block].origin == cyclic[source].origin && cut_calls.contains(&source) {
            cuts.extend(cyclic[source].terminator.successors().iter().map(|&next| (block, next)));
            match whys.get(&source) {
                Some(NotFollowed::BlockLimit) => limited.push(block),
                Some(NotFollowed::Recursion) => recursive.push(block),
                Some(NotFollowed::Summary) | None => {}
            }
        }
    }
    cuts.sort_unstable();
    limited.sort_unstable();
    recursive.sort_unstable();
    let depths = unwound.copies.iter().map(|source| inlined.depths[source.index()]).collect();
    let notes = [inlined.notes, unwound.notes].concat();
    let result = LoopFree {
        terms,
        procedure,
        body_index,
        body: unwound.body,
        depths,
        cuts,
        limited,
        recursive,
        cyclic,
        activation_locals: inlined.activation_locals,
        notes,
    };
    result.expect_valid();
    result
}

impl LoopFree {
    /// [`source_choice`] in this body.
    pub fn source_choice(&self, program: &Program, block: BlockId, successor: usize) -> Option<usize> {
        source_choice(program, &self.body, block, successor)
    }

    fn expect_valid(&self) {
        if cfg!(debug_assertions) {
            let broken = self.check();
            assert!(broken.is_empty(), "a pass broke the loop-free form: {broken:?}");
        }
    }
}

/// The position among the targets of a source `goto` that a run chooses when it leaves `block` of a prepared body by
/// its successor number `successor`; `None` where the source has no choice. A choice of the source is not always a
/// `Goto` in the prepared body: between opposite assumptions it became a branch, but an interpreter of the source
/// still asks for it.
pub fn source_choice(program: &Program, body: &Body, block: BlockId, successor: usize) -> Option<usize> {
    let Origin { procedure, body: number, place: Place::Segment { block: source, .. } } = body[block].origin
    else {
        return None;
    };
    let source = &program[procedure].bodies[number as usize][source].terminator.kind;
    let choices = matches!(source, TerminatorKind::Goto(targets) if targets.len() > 1);
    let successors = body[block].terminator.successors();
    // Checks lead to failures, the choice among a callee's bodies to entries.
    let other = |s: &BlockId| {
        let place = body[*s].origin.place;
        matches!(place, Place::Failure { .. } | Place::EnsuresFailure { .. } | Place::Entry)
    };
    (choices && successors.len() > 1 && !successors.iter().any(other)).then_some(successor)
}
