//! Block copy and fill (`memcpy`, `memmove`, `memset`): cell by cell if the size is a small constant, in a loop
//! otherwise.
//!
//! Example: `memcpy(to, from, 8)` between regions with cells of 4 bytes becomes two reads and two writes; with a size
//! that is not constant it becomes a loop over the cells.

use footpath_ir::{AssertKind, StatementKind, TerminatorKind};
use footpath_term::{Op, TermId};

use crate::llvm::ast::{Operand, Value};

use super::super::Unsupported;
use super::context::{Memory, Pointer};
use super::function::{BlockRole, Lowering};

/// Constant sizes up to this many cells are copied cell by cell.
const UNROLLED_CELLS: u64 = 64;

impl Lowering<'_, '_, '_> {
    /// Copies a range to another one, which may overlap or not.
    pub(crate) fn memory_copy(&mut self, operands: &[Operand], may_overlap: bool) -> Result<(), Unsupported> {
        let (to, from) = (self.pointer(operands[0].value)?, self.pointer(operands[1].value)?);
        let bytes = self.value(operands[2])?[0];
        let bytes = self.cx.resize(bytes, self.cx.shape.offset, false);
        if self.is_literally_zero(bytes) {
            return Ok(());
        }
        let (to, from) = (self.before_stray_pointer(to), self.before_stray_pointer(from));
        let bytes = self.before_stray(bytes);
        let (a, b) = (self.region(operands[0].value)?, self.region(operands[1].value)?);
        self.assume_passed(b, from, bytes);
        self.assume_constant(b, from, bytes);
        self.check_range(operands[1].value, from, bytes, Self::check_passed_on);
        self.check_range(operands[0].value, to, bytes, Self::check_write);
        if !may_overlap {
            self.check_apart(to, from, bytes);
        }
        let (a, b) = (self.cx.memory_of(a), self.cx.memory_of(b));
        self.copy(a, to, b, from, bytes)
    }

    pub(crate) fn memory_fill(&mut self, operands: &[Operand]) -> Result<(), Unsupported> {
        let to = self.pointer(operands[0].value)?;
        let byte = self.value(operands[1])?[0];
        let bytes = self.value(operands[2])?[0];
        let bytes = self.cx.resize(bytes, self.cx.shape.offset, false);
        if self.is_literally_zero(bytes) {
            return Ok(());
        }
        let (to, byte) = (self.before_stray_pointer(to), self.before_stray(byte));
        let bytes = self.before_stray(bytes);
        self.check_range(operands[0].value, to, bytes, Self::check_write);
        let region = self.region(operands[0].value)?;
        let memory = self.cx.memory_of(region);
        self.note_written(memory, to, bytes)?;
        self.fill(memory, to, byte, bytes)
    }

    fn is_literally_zero(&mut self, t: TermId) -> bool {
        let zero = self.cx.bv(self.cx.width(t), 0);
        t == zero
    }

    /// Checks that ranges do not overlap. They may be the same: so structures are assigned to themselves.
    fn check_apart(&mut self, to: Pointer, from: Pointer, bytes: TermId) {
        let elsewhere = self.cx.app(Op::Eq, &[to.object, from.object]);
        let elsewhere = self.cx.not(elsewhere);
        let the_same = self.cx.app(Op::Eq, &[to.offset, from.offset]);
        let ways = [[to.offset, from.offset], [from.offset, to.offset]];
        let behind = ways.map(|[low, high]| {
            let distance = self.cx.app(Op::BvSub, &[high, low]);
            let is_behind = self.cx.app(Op::BvSle, &[low, high]);
            let is_far = self.cx.app(Op::BvUle, &[bytes, distance]);
            self.cx.app(Op::And, &[is_behind, is_far])
        });
        let [below, above] = behind;
        let apart = self.cx.app(Op::Or, &[elsewhere, the_same, below, above]);
        self.check(AssertKind::Overlap, apart);
    }

    /// Makes a check of a range, but nothing is accessed if there are no bytes.
    fn check_range(
        &mut self,
        address: Value,
        p: Pointer,
        bytes: TermId,
        access: fn(&mut Self, Value, Pointer, TermId),
    ) {
        if self.cx.terms.literal(bytes).is_some() {
            access(self, address, p, bytes);
            return;
        }
        // Without bytes nothing is kept that a check keeps.
        self.before_change(&|_| true);
        let zero = self.cx.offset(0);
        let some = self.cx.app(Op::Eq, &[bytes, zero]);
        let check = self.add_block("range", BlockRole::Glue);
        let next = self.add_block("then", BlockRole::Glue);
        self.terminate(TerminatorKind::Branch { condition: some, then_to: next, else_to: check });
        self.continue_in(check);
        access(self, address, p, bytes);
        self.terminate(TerminatorKind::Goto(vec![next]));
        self.continue_in(next);
        self.forget_facts();
    }

    /// Writes one byte into every byte of a range.
    pub(crate) fn fill(
        &mut self,
        memory: Memory,
        to: Pointer,
        byte: TermId,
        bytes: TermId,
    ) -> Result<(), Unsupported> {
        let (to, byte, bytes) = (self.stable_pointer(to), self.stable(byte), self.stable(bytes));
        let mut cell = byte;
        for _ in 1..memory.grain {
            cell = self.cx.app(Op::Concat, &[cell, byte]);
        }
        self.for_cells(memory.grain, bytes, |this, at| {
            let p = this.cx.add_offset(to, at);
            let map = this.cx.terms.var(memory.symbol);
            let written = this.cx.app(Op::Store, &[map, p.object, p.offset, cell]);
            this.assign(vec![(memory.symbol, written)]);
        });
        Ok(())
    }

    /// Copies a range. The source is read as it was before.
    pub(crate) fn copy(
        &mut self,
        to_memory: Memory,
        to: Pointer,
        from_memory: Memory,
        from: Pointer,
        bytes: TermId,
    ) -> Result<(), Unsupported> {
        let grain = to_memory.grain.max(from_memory.grain);
        let (to, from) = (self.stable_pointer(to), self.stable_pointer(from));
        let bytes = self.stable(bytes);
        let sort = self.cx.terms.symbol(from_memory.symbol).sort;
        let before = self.new_local("copied", sort);
        let now = self.cx.terms.var(from_memory.symbol);
        self.statement(StatementKind::Assign(vec![(before, now)]));
        let before = self.cx.terms.var(before);
        let written = self.written_before(from_memory);
        self.for_cells(grain, bytes, |this, at| {
            let source = this.cx.add_offset(from, at);
            let target = this.cx.add_offset(to, at);
            let value = this.cx.read_bytes(before, from_memory.grain, source, grain);
            let map = this.cx.terms.var(to_memory.symbol);
            let changed = this.cx.write_bytes(map, to_memory.grain, target, value);
            this.assign(vec![(to_memory.symbol, changed)]);
            this.copy_written((to_memory, target), (from_memory, source, written), grain);
        });
        Ok(())
    }

    /// Does something for every cell of a range: one after the other if there are few, in a loop otherwise.
    fn for_cells(&mut self, grain: u64, bytes: TermId, mut step: impl FnMut(&mut Self, TermId)) {
        if let Some(known) = self.cx.terms.literal(bytes).and_then(footpath_term::Value::as_u64)
            && known.div_ceil(grain) <= UNROLLED_CELLS
        {
            for i in 0..known / grain {
                let at = self.cx.offset((i * grain) as i64);
                step(self, at);
            }
            return;
        }
        let sort = self.cx.terms.bit_vec_sort(self.cx.shape.offset);
        let counter = self.new_local("at", sort);
        let end = self.new_local("end", sort);
        let zero = self.cx.offset(0);
        self.assign(vec![(counter, zero), (end, bytes)]);
        // Everything that is computed from memory must be kept over the loop.
        self.before_change(&|_| true);
        let head = self.add_block("copy", BlockRole::Copy);
        let body = self.add_block("copy", BlockRole::Glue);
        let next = self.add_block("copied", BlockRole::Glue);
        self.terminate(TerminatorKind::Goto(vec![head]));
        self.continue_in(head);
        let (at, end) = (self.cx.terms.var(counter), self.cx.terms.var(end));
        let more = self.cx.app(Op::BvUlt, &[at, end]);
        self.terminate(TerminatorKind::Branch { condition: more, then_to: body, else_to: next });
        self.continue_in(body);
        step(self, at);
        let size = self.cx.offset(grain as i64);
        let following = self.cx.app(Op::BvAdd, &[at, size]);
        self.assign(vec![(counter, following)]);
        self.terminate(TerminatorKind::Goto(vec![head]));
        self.continue_in(next);
        self.forget_facts();
    }
}
