//! The line table of a function: on which lines of the source each of its blocks has code.
//!
//! **Idea.** A coverage tool counts a line when an instruction that stands on it is executed, so the lines of a block are those of
//! its instructions, not all between the first and the last one: the jump back at the end of a loop's body stands at the head of the
//! loop. The line that a function begins on belongs to its first block, as passing parameters has no place of its own.
//!
//! Example: of `if (a` / `    && b)` on two lines, the block that evaluates `b` has code on the second line, and on the first one
//! if its branch stands there.
//!
//! **Direction of error.** Lines may be missing, of instructions without a place.

use std::collections::{BTreeMap, BTreeSet};

use footpath_ir::source::{FileId, Span};

use crate::llvm::ast::{BlockIx, Code, InstKind, Module};

use super::debug_info::DebugInfo;

/// The lines of each block of a function. A line is given with its file, and counted from 1.
pub type LineTable = BTreeMap<BlockIx, BTreeSet<(FileId, u32)>>;

/// The line table of a function of module number `m` whose name stands at `name`.
pub(crate) fn line_table(
    debug: &mut DebugInfo,
    (m, module): (u32, &Module),
    code: &Code,
    name: Span,
) -> LineTable {
    let mut table = LineTable::new();
    for block in code.block_ids() {
        let lines = table.entry(block).or_default();
        if block.index() == 0 {
            lines.insert((name.file, debug.line(name)));
        }
        for inst in code.insts_of(block) {
            if matches!(inst.kind, InstKind::Debug(_) | InstKind::Phi { .. }) {
                continue;
            }
            if let Some(span) = debug.span(m, module, inst.dbg) {
                lines.insert((span.file, debug.line(span)));
            }
        }
    }
    table
}
