//! Pointer comparison and subtraction: which of two addresses is the lower one, and how far apart they are.
//!
//! **Idea.** C defines both only for pointers into one object. In the program form an address is the number of an
//! object and an offset, so all objects would lie in the order of their numbers, far apart; a real machine places
//! them as it likes. The order and the distance of addresses of different objects are therefore arbitrary: nothing is
//! proved from an order that no machine guarantees, and no test depends on one. Where all objects are inputs, and
//! pointers may share them (`harness/sharing.rs`), tests compare addresses within one object only. Null and small
//! numbers that are cast to pointers lie below all objects, addresses before null (`(char *)0 - 1`) above all.
//!
//! Example: in `p < end`, if both point into one array, the offsets are compared. If they point to two different
//! locals, the result is arbitrary, and a proof must hold for either.
//!
//! After the lifetime of an object, another object may be placed where it was: whether an address of the old one
//! equals an address of a new one is arbitrary. For proofs the same is true of the address just past the end of an
//! object, where another object may begin, and of addresses beyond that; in tests none does. Equal constants without names, such
//! as the texts of string literals, may share their memory, and need not where the compiler has merged them
//! (`facts/merged_literals.rs`).
//!
//! Comparing addresses of different objects is common (`memmove`), subtracting them is not. In the program for tests,
//! subtraction of addresses of different objects is assumed not to happen, so that the search finds tests without it;
//! proofs know nothing about its result.
//!
//! As an integer, an address has the number of the object above the offset, so that it can be cast back. Sums of such
//! integers and small numbers are followed through registers and locals of a function. Anything else that is computed
//! from one (remainders, masks, their order as numbers) is arbitrary for proofs unless the address is null. Integers
//! that pass through other memory or through calls are, as in tests, those of the program form.
//!
//! In the same way, tests do not store or compare addresses that are further from their object than the offset in
//! memory has bits for (2^39 bytes), to which C gives no meaning. For proofs, an address that is stored is read back
//! as a nearer one or is assumed to be one; addresses that are compared are not restricted.
//!
//! **Direction of error.** The assumptions above restrict tests, not proofs, except where a proof stores an address
//! so far from its object, or where an integer made of an address passes through other memory or a call: there a
//! proof relies on the layout of the program form.

use std::rc::Rc;

use footpath_ir::StatementKind;
use footpath_term::{Op, TermId};

use rustc_hash::FxHashSet;

use crate::llvm::ast::{BinaryOp, CastOp, ConstKind, InstKind, IntPredicate, LocalId, Value};

use super::super::facts::link::Target;
use super::super::facts::points_to::Region;
use super::super::{TestAssumption, Unsupported};
use super::context::{Context, Pointer};
use super::function::Lowering;

impl Context<'_, '_> {
    /// A comparison of addresses, with objects in the order of their numbers.
    pub(crate) fn compare_in_numbers(&mut self, predicate: IntPredicate, p: Pointer, q: Pointer) -> TermId {
        match predicate {
            IntPredicate::Eq | IntPredicate::Ne => {
                let objects = self.app(Op::Eq, &[p.object, q.object]);
                let offsets = self.app(Op::Eq, &[p.offset, q.offset]);
                let same = self.app(Op::And, &[objects, offsets]);
                if predicate == IntPredicate::Eq { same } else { self.not(same) }
            }
            IntPredicate::Ugt | IntPredicate::Sgt => self.is_lower(q, p),
            IntPredicate::Ult | IntPredicate::Slt => self.is_lower(p, q),
            IntPredicate::Uge | IntPredicate::Sge => {
                let lower = self.is_lower(p, q);
                self.not(lower)
            }
            IntPredicate::Ule | IntPredicate::Sle => {
                let lower = self.is_lower(q, p);
                self.not(lower)
            }
        }
    }

    /// Whether an address lies in its object, at its beginning at least; on the stack, objects have known sizes.
    pub(crate) fn is_in_object(&mut self, p: Pointer, stack: Option<u64>) -> TermId {
        let known = stack.or_else(|| self.known_size(p.object));
        let start = self.offset(0);
        if p.offset == start || known == Some(0) {
            return self.terms.bool(known != Some(0));
        }
        let size = match known {
            Some(bytes) => self.offset(bytes as i64),
            None => {
                let sizes = self.terms.var(self.size);
                self.app(Op::Select, &[sizes, p.object])
            }
        };
        let is_start = self.app(Op::Eq, &[p.offset, start]);
        let is_inside = self.app(Op::BvUlt, &[p.offset, size]);
        self.app(Op::Or, &[is_start, is_inside])
    }

    /// The regions of constants that may share their memory with others.
    fn literal_regions(&mut self) -> Rc<FxHashSet<Region>> {
        if let Some(known) = &self.literal_regions {
            return Rc::clone(known);
        }
        let objects: Vec<(Target, u32)> =
            self.objects.iter().map(|(&target, &number)| (target, number)).collect();
        let mut found = FxHashSet::default();
        for (target, number) in objects {
            let object = self.object(number);
            if let Target::Global(g) = target
                && self.is_literal_constant(object)
            {
                found.extend(self.regions.global(g).map(|region| self.regions.find(region)));
            }
        }
        let found = Rc::new(found);
        self.literal_regions = Some(Rc::clone(&found));
        found
    }

    /// Whether `p` lies below `q`. Offsets from null are numbers without a sign, those from an object may be
    /// negative; below null is above all.
    fn is_lower(&mut self, p: Pointer, q: Pointer) -> TermId {
        let (null, start) = (self.object(0), self.offset(0));
        let [p_is_null, q_is_null] = [p, q].map(|pointer| self.app(Op::Eq, &[pointer.object, null]));
        let in_object = self.app(Op::BvSlt, &[p.offset, q.offset]);
        let as_numbers = self.app(Op::BvUlt, &[p.offset, q.offset]);
        let within = self.app(Op::Ite, &[p_is_null, as_numbers, in_object]);
        if p.object == q.object {
            return within;
        }
        let [p_is_before, q_is_before] = [p, q].map(|pointer| self.app(Op::BvSlt, &[pointer.offset, start]));
        let p_is_behind = self.not(p_is_before);
        let in_order = self.app(Op::BvUlt, &[p.object, q.object]);
        let with_null = self.app(Op::Ite, &[q_is_null, q_is_before, in_order]);
        let apart = self.app(Op::Ite, &[p_is_null, p_is_behind, with_null]);
        let same = self.app(Op::Eq, &[p.object, q.object]);
        self.app(Op::Ite, &[same, within, apart])
    }
}

impl Lowering<'_, '_, '_> {
    /// `p < q` and its kin.
    pub(crate) fn compare_addresses(
        &mut self,
        predicate: IntPredicate,
        left: Value,
        right: Value,
    ) -> Result<TermId, Unsupported> {
        let value = self.compare_as_linked(predicate, left, right)?;
        match predicate {
            IntPredicate::Eq | IntPredicate::Ne => self.unless_merged([left, right], value),
            _ => Ok(value),
        }
    }

    /// Whether two addresses are equal, as they are by the objects that the compiler has made. It is arbitrary where they are one address of
    /// a constant that stands for several string literals.
    fn unless_merged(&mut self, operands: [Value; 2], value: TermId) -> Result<TermId, Unsupported> {
        if self.is_read_twice(operands) || !operands.into_iter().all(|operand| self.may_be_literal(operand)) {
            return Ok(value);
        }
        let [p, q] = [self.pointer(operands[0])?, self.pointer(operands[1])?];
        let region = self.cx.regions.operand(self.cx.linked, self.f, operands[0]);
        Ok(self.unless_merged_in(region, [p, q], value))
    }

    /// The same of addresses in a region, if it is known.
    fn unless_merged_in(&mut self, region: Option<Region>, [p, q]: [Pointer; 2], value: TermId) -> TermId {
        let is_merged = self.cx.is_merged_literal(p.object, region);
        let same = self.cx.compare_in_numbers(IntPredicate::Eq, p, q);
        let both = self.cx.app(Op::And, &[same, is_merged]);
        let known = self.cx.not(both);
        if self.cx.options.conservative_externals {
            return self.where_known(known, value);
        }
        if self.cx.terms.as_bool(known) != Some(true) {
            self.cx.test_assumptions.insert((self.proc, TestAssumption::Apart));
        }
        value
    }

    /// Whether two operands of the instruction under way are one value, as in `p == p`.
    fn is_read_twice(&self, [left, right]: [Value; 2]) -> bool {
        let read = |value: Value| match value {
            Value::Local(local) => self.code.local(local).def,
            Value::Const(_) => None,
        };
        let (Some(first), Some(second)) = (read(left), read(right)) else { return false };
        if first == second {
            return true;
        }
        let insts = &self.code.insts;
        let from = |at: u32| match &insts[at as usize].kind {
            InstKind::Load(load) => Some(load.pointer.value),
            _ => None,
        };
        let between = &insts[first.min(second) as usize..=first.max(second) as usize];
        from(first).is_some()
            && from(first) == from(second)
            && between.iter().all(|inst| matches!(inst.kind, InstKind::Load(_)))
    }

    /// The comparison with each constant as the compiler has made it.
    fn compare_as_linked(
        &mut self,
        predicate: IntPredicate,
        left: Value,
        right: Value,
    ) -> Result<TermId, Unsupported> {
        let (p, q) = (self.pointer(left)?, self.pointer(right)?);
        if !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
            for offset in [p.offset, q.offset] {
                if self.keep_near(offset) {
                    self.cx.test_assumptions.insert((self.cx.procs[&self.f], TestAssumption::OneObject));
                }
            }
        }
        let in_numbers = self.cx.compare_in_numbers(predicate, p, q);
        if p.object == q.object {
            return Ok(in_numbers);
        }
        let null = self.cx.object(0);
        let same = self.cx.app(Op::Eq, &[p.object, q.object]);
        let without = [p.object, q.object].map(|object| self.cx.app(Op::Eq, &[object, null]));
        if matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
            let without = self.cx.app(Op::Or, &[same, without[0], without[1]]);
            if self.cx.terms.as_bool(without) == Some(true) {
                return Ok(in_numbers);
            }
            let mut apart = self.are_alive(left, p, q);
            let in_objects = self.are_in_objects([left, right], p, q);
            if self.cx.options.conservative_externals {
                apart.extend(in_objects);
            } else if !in_objects.is_empty() && [left, right].into_iter().any(|v| self.may_be_an_end(v)) {
                self.cx.test_assumptions.insert((self.proc, TestAssumption::Apart));
            }
            let are_apart = self.cx.app(Op::And, &apart);
            let known = self.cx.app(Op::Or, &[without, are_apart]);
            return Ok(self.where_known(known, in_numbers));
        }
        let known = self.cx.app(Op::Or, &[same, without[0], without[1]]);
        if self.are_inputs(left) && !self.cx.options.conservative_externals {
            if self.cx.terms.as_bool(known) != Some(true) {
                self.cx.test_assumptions.insert((self.cx.procs[&self.f], TestAssumption::OneObject));
                self.statement(StatementKind::Assume(known));
            }
            return Ok(in_numbers);
        }
        Ok(self.where_known(known, in_numbers))
    }

    /// Finds the registers that hold addresses as integers, or sums of these and numbers.
    pub(crate) fn find_addresses(&mut self) {
        let code = self.code;
        let bits = self.cx.shape.bits;
        let mut slots: FxHashSet<LocalId> = FxHashSet::default();
        loop {
            let before = (self.addresses.len(), slots.len());
            for inst in &code.insts {
                let is = |value: &Value| self.is_address(*value);
                let holds = match &inst.kind {
                    InstKind::Cast { op: CastOp::PtrToInt | CastOp::PtrToAddr, to, .. } => {
                        self.module.types.int_bits(*to) == Some(bits)
                    }
                    InstKind::Binary { op: BinaryOp::Add, left, right, .. } => is(&left.value) != is(right),
                    InstKind::Binary { op: BinaryOp::Sub, left, right, .. } => is(&left.value) && !is(right),
                    InstKind::Select { then, otherwise, .. } => is(&then.value) || is(&otherwise.value),
                    InstKind::Phi { incoming, .. } => incoming.iter().any(|(value, _)| is(value)),
                    InstKind::Load(load) => {
                        matches!(load.pointer.value, Value::Local(l) if slots.contains(&l))
                    }
                    InstKind::Store(store) => {
                        if let (true, Value::Local(to)) = (is(&store.value.value), store.pointer.value) {
                            slots.insert(to);
                        }
                        false
                    }
                    _ => false,
                };
                if holds {
                    self.addresses.extend(inst.result);
                }
            }
            if before == (self.addresses.len(), slots.len()) {
                break;
            }
        }
    }

    fn is_address(&self, value: Value) -> bool {
        match value {
            Value::Local(local) => self.addresses.contains(&local),
            Value::Const(c) => match &self.module.constant(c).kind {
                ConstKind::Expr(inst) => match **inst {
                    InstKind::Cast { op, .. } => matches!(op, CastOp::PtrToInt | CastOp::PtrToAddr),
                    InstKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right, .. } => {
                        self.is_address(left.value) != self.is_address(right)
                    }
                    _ => false,
                },
                _ => false,
            },
        }
    }

    /// The result of integer arithmetic other than sums on an address: it is arbitrary unless the address is null.
    pub(crate) fn of_address(&mut self, address: Value, number: TermId, value: TermId) -> TermId {
        if !self.is_address(address) || self.cx.width(number) != self.cx.shape.bits {
            return value;
        }
        let object = self.cx.unpack(number).object;
        let null = self.cx.object(0);
        let is_null = self.cx.app(Op::Eq, &[object, null]);
        if !self.cx.options.conservative_externals && self.cx.terms.as_bool(is_null) != Some(true) {
            self.cx.test_assumptions.insert((self.proc, TestAssumption::AddressBits));
        }
        self.where_proved(is_null, value)
    }

    /// The order of numbers, of which some may be addresses.
    pub(crate) fn compare_numbers(
        &mut self,
        predicate: IntPredicate,
        operands: [Value; 2],
        numbers: [TermId; 2],
    ) -> TermId {
        let [x, y] = numbers;
        let value = self.cx.int_compare(predicate, x, y);
        let are = operands.map(|operand| self.is_address(operand));
        if are == [false, false] || self.cx.width(x) != self.cx.shape.bits {
            return value;
        }
        let is_equation = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        let whole = self.cast_from(operands[0]).zip(self.cast_from(operands[1]));
        let value = match whole {
            Some((p, q)) if is_equation => self.unless_merged([p, q], value).unwrap_or(value),
            None if is_equation && are == [true, true] && !self.is_read_twice(operands) => {
                let addresses = numbers.map(|number| self.cx.unpack(number));
                self.unless_merged_in(None, addresses, value)
            }
            _ => value,
        };
        let [p, q] = numbers.map(|number| self.cx.unpack(number).object);
        let null = self.cx.object(0);
        let same = self.cx.app(Op::Eq, &[p, q]);
        let p_is_null = self.cx.app(Op::Eq, &[p, null]);
        let q_is_null = self.cx.app(Op::Eq, &[q, null]);
        let known = match are {
            // No object lies where null and small numbers do.
            _ if is_equation => self.cx.app(Op::Or, &[same, p_is_null, q_is_null]),
            [true, true] => same,
            _ => self.cx.app(Op::And, &[p_is_null, q_is_null]),
        };
        self.where_proved(known, value)
    }

    /// A value where a condition holds, and, for proofs, arbitrary elsewhere.
    fn where_proved(&mut self, known: TermId, value: TermId) -> TermId {
        if self.cx.terms.as_bool(known) == Some(true) {
            return value;
        }
        if !self.cx.options.conservative_externals {
            self.cx.opaque.insert(self.proc);
            return value;
        }
        self.where_known(known, value)
    }

    /// The conditions that the objects of two addresses are alive, as other objects may be placed there later.
    fn are_alive(&mut self, address: Value, p: Pointer, q: Pointer) -> Vec<TermId> {
        let region = self.cx.regions.operand(self.cx.linked, self.f, address);
        let is_freed = region.is_some_and(|r| self.cx.regions.is_freed(r));
        if !is_freed
            && !self.may_outlive(address)
            && ![p, q].into_iter().any(|pointer| self.others_end(address, pointer.object))
        {
            return Vec::new();
        }
        [p.object, q.object].map(|object| self.lives(address, object)).to_vec()
    }

    /// The conditions that both addresses lie in their objects, and not where others may begin, and that these are no constants
    /// that may share their memory.
    fn are_in_objects(&mut self, operands: [Value; 2], p: Pointer, q: Pointer) -> Vec<TermId> {
        let mut inside = Vec::new();
        for address in [p, q] {
            let stack = self.stack.get(&address.object).copied();
            inside.push(self.cx.is_in_object(address, stack));
        }
        if operands.into_iter().all(|operand| self.may_be_literal(operand)) {
            inside.push(self.cx.terms.bool(false));
        }
        inside.retain(|&condition| self.cx.terms.as_bool(condition) != Some(true));
        inside
    }

    /// Whether an address may be that of a constant without a name, such as the text of a string literal.
    fn may_be_literal(&mut self, address: Value) -> bool {
        match self.pointer(address) {
            Ok(p) if self.cx.terms.literal(p.object).is_some() => self.cx.is_literal_constant(p.object),
            Ok(p) if self.stack.contains_key(&p.object) => false,
            _ => {
                let region = self.cx.regions.operand(self.cx.linked, self.f, address);
                region.is_some_and(|region| self.cx.literal_regions().contains(&self.cx.regions.find(region)))
            }
        }
    }

    /// Whether an address may be one that is computed: others that tests have are beginnings of objects.
    fn may_be_an_end(&self, address: Value) -> bool {
        let region = self.cx.regions.operand(self.cx.linked, self.f, address);
        matches!(address, Value::Const(_)) || region.is_none_or(|region| self.cx.regions.is_indexed(region))
    }

    /// Whether an address can only be one of an object that a harness makes and that pointers may share.
    fn are_inputs(&self, address: Value) -> bool {
        // Models of libraries are called with any objects.
        if self.f.module as usize >= self.cx.options.user_modules {
            return false;
        }
        let options = &self.cx.options.harness;
        let region = self.cx.regions.operand(self.cx.linked, self.f, address);
        options.sharing
            && !options.whole_program
            && region.is_some_and(|r| self.cx.regions.is_given(r) && self.cx.regions.is_compared(r))
    }

    /// The difference of two addresses as numbers; `None` if the operands are something else.
    pub(crate) fn subtract_addresses(
        &mut self,
        left: Value,
        right: Value,
        difference: TermId,
        numbers: [TermId; 2],
    ) -> Option<TermId> {
        if !self.is_address(left) || !self.is_address(right) {
            return None;
        }
        let [p, q] = [(left, numbers[0]), (right, numbers[1])].map(|(value, number)| {
            let whole = self.cast_from(value).and_then(|address| self.pointer(address).ok());
            whole.unwrap_or_else(|| self.cx.unpack(number))
        });
        let same = self.cx.app(Op::Eq, &[p.object, q.object]);
        // Numbers have room for near offsets only, and none for signs.
        let offsets = self.cx.app(Op::BvSub, &[p.offset, q.offset]);
        let offsets = self.cx.resize(offsets, self.cx.width(difference), true);
        let difference = if self.cx.terms.as_bool(same) == Some(true) {
            offsets
        } else {
            self.cx.app(Op::Ite, &[same, offsets, difference])
        };
        if self.cx.options.conservative_externals {
            return Some(self.where_known(same, difference));
        }
        if self.cx.terms.as_bool(same) != Some(true) {
            self.cx.test_assumptions.insert((self.cx.procs[&self.f], TestAssumption::OneObject));
            self.statement(StatementKind::Assume(same));
        }
        Some(difference)
    }

    /// The address that an integer was cast from.
    fn cast_from(&self, number: Value) -> Option<Value> {
        match &self.code.definition(number)?.kind {
            InstKind::Cast { op: CastOp::PtrToInt | CastOp::PtrToAddr, value, .. } => Some(value.value),
            _ => None,
        }
    }

    /// Assumes of an address that is stored or compared that its offset fits the packed form in memory; returns
    /// whether that is assumed here.
    pub(crate) fn keep_near(&mut self, offset: TermId) -> bool {
        if self.cx.options.conservative_externals {
            return false;
        }
        let shape = self.cx.shape;
        let stored = self.cx.resize(offset, shape.packed_offset(), true);
        let back = self.cx.resize(stored, shape.offset, true);
        let near = self.cx.app(Op::Eq, &[back, offset]);
        if self.cx.terms.as_bool(near) != Some(true) {
            self.statement(StatementKind::Assume(near));
            return true;
        }
        false
    }

    /// A value where a condition holds, and arbitrary elsewhere.
    pub(crate) fn where_known(&mut self, known: TermId, value: TermId) -> TermId {
        if self.cx.terms.as_bool(known) == Some(true) {
            return value;
        }
        let sort = self.cx.terms.sort(value);
        let any = self.arbitrary(&[sort])[0];
        self.cx.app(Op::Ite, &[known, value, any])
    }
}
