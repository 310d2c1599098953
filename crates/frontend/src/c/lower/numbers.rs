//! Accesses at addresses that are numbers (memory-mapped registers, marks): only the machine knows what is there.
//!
//! **Idea.** Which pointers may be numbers is known of each region (`facts/points_to/numbers.rs`). An access through such a pointer asks
//! whether it is one: an offset from null that is not on the first or last page, or in an object that does not exist. There, for
//! proofs, it may fail or not, what is read is anything, and what is written may change all memory. Tests assume that it does not happen.
//!
//! Example: in `s == (struct e *)0xdeadbeef ? 0 : s->key` the search goes on behind the comparison with all but the mark, and a
//! proof that `s` is not null needs no more than without the mark.
//!
//! **Direction of error.** That a read of a register changes memory is not seen, nor that a number is the address of a local.
//! A number in a variable, so great that its upper bits are those of an object that there is, is taken to point into it.

use footpath_ir::StatementKind;
use footpath_term::{Op, SortId, TermId};

use crate::llvm::ast::Value;

use super::super::TestAssumption;
use super::super::facts::points_to::PAGE;
use super::context::Pointer;
use super::function::Lowering;

/// An address that may be a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere {
    /// Whether it is one.
    pub(crate) is_number: TermId,
    /// Whether the machine has something there, which nobody knows.
    is_accessible: TermId,
}

impl Lowering<'_, '_, '_> {
    /// Whether the value of an address is a number at which there may be something, if that is possible. For tests it is assumed not to be one.
    pub(crate) fn at_number(&mut self, address: Value, p: Pointer) -> Option<Elsewhere> {
        let from_null = self.far_from_null(address, p)?;
        if self.cx.terms.literal(p.object).is_some() {
            return self.unless_test(from_null);
        }
        let next = self.cx.terms.var(self.cx.next);
        let in_none = self.cx.app(Op::BvUle, &[next, p.object]);
        let is_number = self.cx.app(Op::Or, &[from_null, in_none]);
        self.unless_test(is_number)
    }

    /// The same of a function that is called. Those that are not in the program have numbers of their own.
    pub(crate) fn calls_number(&mut self, callee: Value, p: Pointer) -> Option<Elsewhere> {
        let from_null = self.far_from_null(callee, p)?;
        self.unless_test(from_null)
    }

    /// Whether an address is an offset from null and on none of the pages where nothing is.
    fn far_from_null(&mut self, address: Value, p: Pointer) -> Option<TermId> {
        let region = self.cx.regions.operand(self.cx.linked, self.f, address)?;
        if !self.cx.regions.has_numbers(region) || self.stack.contains_key(&p.object) {
            return None;
        }
        let null = self.cx.object(0);
        let is_null = self.cx.app(Op::Eq, &[p.object, null]);
        let (first, last) = (self.cx.offset(PAGE as i64), self.cx.offset(-(PAGE as i64) - 1));
        let behind_first = self.cx.app(Op::BvUle, &[first, p.offset]);
        let before_last = self.cx.app(Op::BvUle, &[p.offset, last]);
        Some(self.cx.app(Op::And, &[is_null, behind_first, before_last]))
    }

    fn unless_test(&mut self, is_number: TermId) -> Option<Elsewhere> {
        if self.cx.terms.as_bool(is_number) == Some(false) {
            return None;
        }
        if self.cx.options.conservative_externals {
            let is_accessible = self.arbitrary(&[SortId::BOOL])[0];
            return Some(Elsewhere { is_number, is_accessible });
        }
        self.cx.test_assumptions.insert((self.proc, TestAssumption::InObjects));
        let is_address = self.cx.not(is_number);
        self.statement(StatementKind::Assume(is_address));
        None
    }

    /// The condition of a check. It holds or not, as the machine has it, where an address is a number.
    pub(crate) fn or_elsewhere(&mut self, condition: TermId, elsewhere: Option<Elsewhere>) -> TermId {
        let Some(Elsewhere { is_number, is_accessible }) = elsewhere else { return condition };
        let there = self.cx.app(Op::And, &[is_number, is_accessible]);
        self.cx.app(Op::Or, &[condition, there])
    }
}
