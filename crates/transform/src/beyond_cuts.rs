//! Reachability beyond the unwinding bound: a graph that over-approximates what could follow a cut.
//!
//! **Idea.** The graph is the body before unwinding. A block that is cut at a call gets edges to the callee's blocks
//! and to the block after the call, so recursion becomes a cycle of the graph. The callee's blocks are those of one
//! of its activations; a procedure that has no activation because of the limit on blocks gets one copy of its bodies.
//! The blocks that can be reached from the target of a cut are then a superset of the origins that a run could pass
//! if it continued.
//!
//! **Example.** If a recursive call of `f` is cut at the bound, the cut block leads to the entry of the copy of `f`
//! that is in the graph already, and to the block after the call.
//!
//! **Direction of error.** The graph has more paths than the program: a callee that is entered from one call may
//! return to another.

use footpath_ir::{BlockId, Body, ProcId, Program, StatementKind, TerminatorKind};
use footpath_term::Terms;
use rustc_hash::FxHashMap;

use crate::inline::{NotFollowed, Unfollowed};
use crate::objective::call_in;
use crate::prepare::{Role, prepare};

/// Gives the cut calls of `body` successors. `entries` has the entry blocks of procedures that are in the body
/// already.
pub(crate) fn connect_cut_calls(
    program: &Program,
    terms: &mut Terms,
    body: &mut Body,
    unfollowed: &[Unfollowed],
    mut entries: FxHashMap<ProcId, Vec<BlockId>>,
) {
    let mut calls: Vec<Unfollowed> = unfollowed.to_vec();
    while let Some(call) = calls.pop() {
        let known = entries.entry(call.callee).or_insert_with(|| {
            let bodies = 0..program[call.callee].bodies.len() as u32;
            let mut copy = |index| {
                let prepared = prepare(program, terms, call.callee, index, Role::Callee);
                append(body, prepared, &mut calls)
            };
            bodies.map(&mut copy).collect()
        });
        let mut targets = known.clone();
        targets.push(call.next);
        body[call.block].terminator.kind = TerminatorKind::Goto(targets);
    }
}

/// Appends a copy of a body for its graph alone. Its calls are added to `calls`, to be connected later; its returns
/// get no successors, since each call has an edge to the block after it.
fn append(body: &mut Body, prepared: Body, calls: &mut Vec<Unfollowed>) -> BlockId {
    let shift = body.blocks.len() as u32;
    for mut block in prepared.blocks {
        for target in block.terminator.successors_mut() {
            target.0 += shift;
        }
        if block.terminator.kind == TerminatorKind::Return {
            block.terminator.kind = TerminatorKind::Goto(Vec::new());
        }
        if let Some(StatementKind::Call { callee, .. }) = call_in(&block).map(|s| s.kind.clone()) {
            let next = block.terminator.successors()[0];
            calls.push(Unfollowed {
                block: BlockId(body.blocks.len() as u32),
                callee,
                next,
                why: NotFollowed::Recursion,
            });
            block.statements.pop();
        }
        block.name = format!("{}$behind{}", block.name, body.blocks.len()).into();
        body.blocks.push(block);
    }
    BlockId(shift)
}
