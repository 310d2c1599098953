//! Source mapping of instrumentation: the original places of the statements of a program into which others were
//! inserted.

use footpath_ir::{BlockId, Body, Origin, Place, ProcId};
use rustc_hash::FxHashMap;

/// For blocks into which statements were put: for each statement, and for the end, the number of the first statement
/// from there on that was there before.
#[derive(Clone, Default, Debug)]
pub struct Places(FxHashMap<(ProcId, u32, BlockId), Vec<u32>>);

impl Places {
    /// Records that statements were inserted into a body for the first time; `moved` says where each old one is now.
    pub(crate) fn moved(
        &mut self,
        (procedure, index): (ProcId, u32),
        body: &Body,
        moved: &FxHashMap<(BlockId, usize), usize>,
    ) {
        for block in body.block_ids() {
            let mut was = Vec::new();
            let mut old = 0;
            while let Some(&now) = moved.get(&(block, old)) {
                was.resize(now + 1, old as u32);
                old += 1;
            }
            let count = body[block].statements.len();
            was.resize(count + 1, old as u32);
            if old != count {
                self.0.insert((procedure, index, block), was);
            }
        }
    }

    /// Records that `new` statements were inserted before statement number `at` of a block that had `count`.
    pub(crate) fn inserted(&mut self, block: (ProcId, u32, BlockId), at: usize, new: usize, count: usize) {
        let was = self.0.entry(block).or_insert_with(|| (0..=count as u32).collect());
        let here = was[at];
        was.splice(at..at, std::iter::repeat_n(here, new));
    }

    /// The place in the original program.
    pub fn original(&self, origin: Origin) -> Origin {
        let was = |block, number: u32| {
            let block = self.0.get(&(origin.procedure, origin.body, block));
            block.and_then(|was| was.get(number as usize)).copied().unwrap_or(number)
        };
        let place = match origin.place {
            Place::Segment { block, first } => Place::Segment { block, first: was(block, first) },
            Place::Failure { block, statement, clause } => {
                Place::Failure { block, statement: was(block, statement), clause }
            }
            other => other,
        };
        Origin { place, ..origin }
    }
}
