//! Link-time constants: what only the linker decides about addresses, as unknown constants of a program for proofs.
//!
//! | what | constant |
//! |---|---|
//! | whether a weak name without a definition is null (`facts/interposition.rs`) | `name$is_null` |
//! | where a name lies that the linker or the assembler defines (`facts/linker_symbols.rs`) | `name$object`, `name$offset` |
//! | whether two constant addresses of different objects meet (`addresses.rs`), also as numbers | `meet` |
//! | what else is computed from constant addresses as numbers | `computed` |
//!
//! Example: `left + 4 == right` with `int left[4], right[4]` is one constant wherever it is written, and a proof must hold
//! for either value of it.
//!
//! **Direction of error.** Each of these is unknown by itself, so a proof must hold for combinations that no linker makes.

use std::rc::Rc;

use footpath_term::{Op, SortId, SymbolId, TermId};

use crate::llvm::ast::{BinaryOp, CastOp, ConstKind, InstKind, IntPredicate, Value};

use super::super::TestAssumption;
use super::super::facts::interposition;
use super::super::facts::link::{GlobalRef, Target};
use super::super::facts::merged_literals::{is_literal, merged_literals};
use super::super::facts::points_to::Region;
use super::context::{Context, Pointer};

/// Of more literals, an object is told apart by the range of their numbers, which has other objects in it.
const FEW_LITERALS: usize = 8;

/// Something that the linker decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LinkTime {
    IsNull(Target),
    Object(Target),
    Offset(Target),
    Meet(Pointer, Pointer),
    /// The so-manieth number that is computed from addresses.
    Computed(usize),
}

/// What a constant is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Made {
    /// Numbers alone, or what was already taken to be unknown.
    Number,
    /// An address, as a number of as many bits or as a pointer, and numbers that are added to it.
    Address,
    /// An address in another way: its low bits, its difference from another one.
    Otherwise,
}

impl Context<'_, '_> {
    fn decided(&mut self, what: LinkTime, name: &str, sort: SortId) -> TermId {
        let symbol: SymbolId = match self.link_time.get(&what) {
            Some(&known) => known,
            None => {
                let symbol = self.terms.fresh_symbol(name.to_owned(), sort);
                self.link_time.insert(what, symbol);
                symbol
            }
        };
        self.terms.var(symbol)
    }

    /// The address of a variable or function, which is object number `number`.
    pub(crate) fn linked_address(&mut self, target: Target, number: u32) -> Pointer {
        let p = self.pointer(number, 0);
        if !self.options.conservative_externals {
            return p;
        }
        let linked = self.linked;
        let name = match target {
            Target::Function(f) => linked.function_name(f),
            Target::Global(g) => linked.global_name(g),
        };
        if matches!(target, Target::Global(g) if self.linker_symbols.placed.contains(&g)) {
            let sorts = [self.shape.object, self.shape.offset].map(|bits| self.terms.bit_vec_sort(bits));
            let object = self.decided(LinkTime::Object(target), &format!("{name}$object"), sorts[0]);
            let offset = self.decided(LinkTime::Offset(target), &format!("{name}$offset"), sorts[1]);
            return Pointer { object, offset };
        }
        if !interposition::may_be_null(linked, target) {
            return p;
        }
        let is_null = self.decided(LinkTime::IsNull(target), &format!("{name}$is_null"), SortId::BOOL);
        let null = self.bv(self.shape.object, 0);
        Pointer { object: self.app(Op::Ite, &[is_null, null, p.object]), offset: p.offset }
    }

    /// A comparison of constant addresses.
    pub(crate) fn compare_constants(&mut self, predicate: IntPredicate, p: Pointer, q: Pointer) -> TermId {
        let value = self.compare_in_numbers(predicate, p, q);
        let null = self.object(0);
        let known = [[p.object, q.object], [p.object, null], [q.object, null]];
        let mut known = known.map(|[a, b]| self.app(Op::Eq, &[a, b])).to_vec();
        let is_merged = self.is_merged_literal(p.object, None);
        if self.terms.as_bool(is_merged) == Some(true) {
            known[0] = self.terms.bool(false);
        }
        if matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
            let mut apart = [p, q].map(|address| self.is_in_object(address, None)).to_vec();
            let is_literal = |cx: &Self, object| cx.is_literal_constant(object);
            if is_literal(self, p.object) && is_literal(self, q.object) {
                apart.push(self.terms.bool(false));
            }
            known.push(self.app(Op::And, &apart));
        }
        let known = self.app(Op::Or, &known);
        if self.terms.as_bool(known) == Some(true) {
            return value;
        }
        if !self.options.conservative_externals {
            self.test_assumptions.extend(self.lowering.map(|p| (p, TestAssumption::Apart)));
            return value;
        }
        let any = match predicate {
            IntPredicate::Eq => self.decided(LinkTime::Meet(p, q), "meet", SortId::BOOL),
            IntPredicate::Ne => {
                let meet = self.decided(LinkTime::Meet(p, q), "meet", SortId::BOOL);
                self.not(meet)
            }
            _ => {
                let sum = self.decided(LinkTime::Meet(q, p), "order", SortId::BOOL);
                self.app(Op::Eq, &[sum, value])
            }
        };
        self.app(Op::Ite, &[known, value, any])
    }

    /// What a constant is made of.
    fn made_of(&mut self, module: u32, value: Value, depth: u32) -> Made {
        let Value::Const(c) = value else { return Made::Number };
        let linked = self.linked;
        match &linked.modules[module as usize].constant(c).kind {
            ConstKind::Global(_) | ConstKind::Equivalent(_) | ConstKind::BlockAddress { .. } => Made::Address,
            ConstKind::Expr(inst) if depth < 32 => match self.computed_as(module, inst, depth) {
                // Where it becomes that, it is taken to be unknown.
                Made::Otherwise => Made::Number,
                made => made,
            },
            _ => Made::Number,
        }
    }

    fn computed_as(&mut self, module: u32, inst: &InstKind, depth: u32) -> Made {
        let mut of = |value: Value| self.made_of(module, value, depth + 1);
        match inst {
            InstKind::Gep(gep) => of(gep.base.value),
            InstKind::Cast { op, value, to, .. } => match (of(value.value), op) {
                (Made::Number, _) => Made::Number,
                (made, CastOp::PtrToInt | CastOp::PtrToAddr)
                    if self.module(module).types.int_bits(*to) == Some(self.shape.bits) =>
                {
                    made
                }
                (made, CastOp::IntToPtr | CastOp::Bitcast | CastOp::AddrSpaceCast) => made,
                _ => Made::Otherwise,
            },
            InstKind::Binary { op, left, right, .. } => match (of(left.value), of(*right), op) {
                (Made::Number, Made::Number, _) => Made::Number,
                (Made::Address, Made::Number, BinaryOp::Add | BinaryOp::Sub)
                | (Made::Number, Made::Address, BinaryOp::Add) => Made::Address,
                _ => Made::Otherwise,
            },
            InstKind::Select { then, otherwise, .. } => match (of(then.value), of(otherwise.value)) {
                (Made::Number, Made::Number) => Made::Number,
                _ => Made::Address,
            },
            _ => Made::Number,
        }
    }

    /// Whether a constant number is an address and numbers that are added to it.
    pub(crate) fn is_address_number(&mut self, module: u32, value: Value) -> bool {
        self.made_of(module, value, 0) == Made::Address
    }

    /// The value of a constant expression; unknown for proofs where it is computed from addresses as no linker need do it.
    pub(crate) fn unless_computed_from_address(
        &mut self,
        module: u32,
        inst: &InstKind,
        value: Vec<TermId>,
    ) -> Vec<TermId> {
        if !matches!(inst, InstKind::Cast { .. } | InstKind::Binary { .. })
            || self.computed_as(module, inst, 0) != Made::Otherwise
            || self.is_distance_within(module, inst)
        {
            return value;
        }
        if !self.options.conservative_externals {
            self.test_assumptions.extend(self.lowering.map(|p| (p, TestAssumption::Apart)));
            return value;
        }
        let unknown = |cx: &mut Self, part: TermId| {
            let (sort, number) = (cx.terms.sort(part), cx.link_time.len());
            cx.decided(LinkTime::Computed(number), "computed", sort)
        };
        value.into_iter().map(|part| unknown(self, part)).collect()
    }

    /// Whether an expression is the distance of two addresses in one object.
    fn is_distance_within(&mut self, module: u32, inst: &InstKind) -> bool {
        let InstKind::Binary { op: BinaryOp::Sub, left, right, .. } = inst else { return false };
        if ![left.value, *right].into_iter().all(|value| self.is_address_number(module, value)) {
            return false;
        }
        let [a, b] = [left.value, *right].map(|value| match value {
            Value::Const(c) => self.constant(module, c).ok().map(|number| self.unpack(number[0]).object),
            Value::Local(_) => None,
        });
        let (Some(a), Some(b)) = (a, b) else { return false };
        let is_merged = self.is_merged_literal(a, None);
        a == b && self.terms.as_bool(is_merged) == Some(false)
    }

    /// Whether an object is a constant without a name, which may share its memory with another one.
    pub(crate) fn is_literal_constant(&self, object: TermId) -> bool {
        self.variable(object).is_some_and(|g| is_literal(self.linked.global(g)))
    }

    /// The variable that an object is known to be.
    fn variable(&self, object: TermId) -> Option<GlobalRef> {
        let number = self.terms.literal(object).and_then(footpath_term::Value::as_u64)?;
        match self.objects.get_index(usize::try_from(number).ok()?.checked_sub(1)?) {
            Some((Target::Global(g), _)) => Some(*g),
            _ => None,
        }
    }

    /// Whether an object is a constant that stands for several string literals, of those in `region` if that is known.
    pub(crate) fn is_merged_literal(&mut self, object: TermId, region: Option<Region>) -> TermId {
        let merged = match &self.merged_literals {
            Some(known) => Rc::clone(known),
            None => Rc::clone(self.merged_literals.insert(Rc::new(merged_literals(self.linked)))),
        };
        if self.terms.literal(object).is_some() {
            let is_merged = self.variable(object).is_some_and(|g| merged.contains(&g));
            return self.terms.bool(is_merged);
        }
        let objects: Vec<(Target, u32)> =
            self.objects.iter().map(|(&target, &number)| (target, number)).collect();
        let mut numbers = Vec::new();
        for (target, number) in objects {
            let Target::Global(global) = target else { continue };
            let own = self.regions.global(global).map(|own| self.regions.find(own));
            let is_apart = own.zip(region).is_some_and(|(own, other)| own != self.regions.find(other));
            if merged.contains(&global) && !is_apart {
                numbers.push(number);
            }
        }
        if let (Some(&least), Some(&most)) = (numbers.iter().min(), numbers.iter().max())
            && numbers.len() > FEW_LITERALS
        {
            let [least, most] = [least, most].map(|number| self.object(number));
            let is_behind = self.app(Op::BvUle, &[least, object]);
            let is_before = self.app(Op::BvUle, &[object, most]);
            return self.app(Op::And, &[is_behind, is_before]);
        }
        let is_one: Vec<TermId> = numbers
            .into_iter()
            .map(|number| {
                let number = self.object(number);
                self.app(Op::Eq, &[object, number])
            })
            .collect();
        self.app(Op::Or, &is_one)
    }
}
