//! The graph that tells what could lie behind a cut.
//!
//! **Idea.** Take the body before unwinding, and let a block that is cut for a call lead to where the call would
//! have gone: to the callee's blocks, and to the piece after the call. Recursion is then a cycle of the graph. The
//! callee's blocks are those of some activation of it; a procedure that has none, for the limit on blocks,
//! gets one copy of its bodies here. What can be reached from the target of a cut is then a superset of the origins
//! that runs going on behind it could pass.
//!
//! **Direction of error.** In one direction only: it has more paths than the program, for a callee entered
//! from one call may return to another.

use footpath_ir::{BlockId, Body, ProcId, Program, StatementKind, TerminatorKind};
use footpath_term::Terms;
use rustc_hash::FxHashMap;

use crate::inline::Unfollowed;
use crate::objective::call_in;
use crate::prepare::{Role, prepare};

/// Makes the cut calls of `body` lead on. `entries` names entry blocks of procedures that are in it.
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

/// Appends a copy for its graph alone: its calls are left to be connected, its return leads nowhere, since each
/// call leads to what follows it as well.
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
            calls.push(Unfollowed { block: BlockId(body.blocks.len() as u32), callee, next, limited: false });
            block.statements.pop();
        }
        block.name = format!("{}$behind{}", block.name, body.blocks.len()).into();
        body.blocks.push(block);
    }
    BlockId(shift)
}
