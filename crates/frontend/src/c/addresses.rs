//! Addresses in numbers: which of two is the lower, and how far apart they are.
//!
//! C gives both a meaning only within one object. In the program form an address is the number of an object and an
//! offset, so that all objects would lie in the order of their numbers, far apart; a machine puts them where it likes.
//! So what is asked of two different objects is arbitrary: nothing is proved from an order that no machine has, and no
//! test rests on one. Null and small numbers cast to pointers lie below all objects.
//!
//! Comparing addresses of different objects is common (`memmove`), subtracting them is not: where tests are looked for,
//! that is taken not to happen, so that the search finds tests in which it does not; proofs know nothing of the result.

use footpath_ir::StatementKind;
use footpath_term::{Op, SortId, TermId};

use crate::llvm::ast::{IntPredicate, Value};

use super::context::Pointer;
use super::function::Lowering;

impl Lowering<'_, '_, '_> {
    /// `p < q` and its kin.
    pub(super) fn compare_addresses(&mut self, predicate: IntPredicate, p: Pointer, q: Pointer) -> TermId {
        let (left, right) = ([p.object, p.offset], [q.object, q.offset]);
        let in_numbers = self.cx.int_compare(predicate, true, &left, &right);
        if p.object == q.object || matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
            return in_numbers;
        }
        let null = self.cx.object(0);
        let same = self.cx.app(Op::Eq, &[p.object, q.object]);
        let without = [p.object, q.object].map(|object| self.cx.app(Op::Eq, &[object, null]));
        let known = self.cx.app(Op::Or, &[same, without[0], without[1]]);
        self.where_known(known, in_numbers, SortId::BOOL)
    }

    /// The difference of two addresses as numbers; `None` if the operands are something else.
    pub(super) fn subtract_addresses(
        &mut self,
        left: Value,
        right: Value,
        difference: TermId,
        numbers: [TermId; 2],
    ) -> Option<TermId> {
        let is_address = |value| matches!(value, Value::Local(l) if self.addresses.contains(&l));
        if !is_address(left) || !is_address(right) {
            return None;
        }
        let [p, q] = numbers.map(|number| self.cx.unpack(number).object);
        let same = self.cx.app(Op::Eq, &[p, q]);
        if self.cx.options.unknown_writes {
            let sort = self.cx.terms.sort(difference);
            return Some(self.where_known(same, difference, sort));
        }
        if self.cx.terms.as_bool(same) != Some(true) {
            self.cx.opaque = true;
            self.statement(StatementKind::Assume(same));
        }
        Some(difference)
    }

    /// A value where a condition holds, and anything elsewhere.
    fn where_known(&mut self, known: TermId, value: TermId, sort: SortId) -> TermId {
        if self.cx.terms.as_bool(known) == Some(true) {
            return value;
        }
        let any = self.arbitrary(&[sort])[0];
        self.cx.app(Op::Ite, &[known, value, any])
    }
}
