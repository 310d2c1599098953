//! Well-definedness of reads: what has to hold before C may evaluate the text of a term.
//!
//! The program form reads any cell of any object. In C `p->next->value` is only evaluated where `p` and `p->next` lead to the
//! objects that are meant, `s[2]` where the array has three elements, and `length(s)` where there is an array. These
//! requirements are terms again, so that a solver can say whether what stands before a read implies them. Example: `s[2]` requires
//! `s != NULL` and `length(s) > 2`.
//!
//! What lies in objects to which no pointer leads does not matter: no run reads it, whatever it is. So conditions are compared where
//! it is zero (`unreached_zero`).
//!
//! **Paper.** "Well Defined B" (Behm, Burdy, Meynadier, B 1998): a formula is well defined if each of its parts is, under what
//! stands before it.
//!
//! **Direction of error.** An object of which the harness does not say by an equation when a pointer leads to it has no
//! requirement, and its contents are not taken to be zero.

use footpath_frontend::c::InputObject;
use footpath_frontend::c::source::c_types::CType;
use footpath_term::{Op, SortId, SymbolId, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use super::places::scaled;
use super::{CSyntax, Named};

/// The most ways to an object that are told apart.
const LARGEST: u32 = 200;

/// How pointers come to lead to an object.
#[derive(Default)]
pub(super) struct Ways {
    /// The pointer of which the object has its name.
    own: Option<Way>,
    /// Other pointers.
    others: Vec<Way>,
}

/// When a pointer leads to an object.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// If a parameter of the procedure does not say that the pointer is null; and if another one has a value, where the pointer has
    /// a choice of objects.
    Parameter { null: SymbolId, choice: Option<(SymbolId, u64)> },
    /// If a cell of memory or a variable, which is the pointer or holds the number of its object, has a value.
    Cell(TermId, u64),
    /// If this holds.
    If(TermId),
}

/// What the harness assumes of a pointer: its text, the number of an object, and when it leads there.
pub(super) type Led = (String, u64, Way);

impl Way {
    fn term(self, terms: &mut Terms) -> TermId {
        match self {
            Way::If(term) => term,
            Way::Cell(cell, value) => {
                let width = terms.width(terms.sort(cell)).unwrap_or(64);
                let value = terms.bit_vec(width, value);
                terms.app(Op::Eq, [cell, value])
            }
            Way::Parameter { null, choice } => {
                let null = terms.var(null);
                let there = terms.app(Op::Not, [null]);
                let Some((into, value)) = choice else { return there };
                let into = terms.var(into);
                let Some(width) = terms.width(terms.sort(into)) else { return there };
                let value = terms.bit_vec(width, value);
                let chosen = terms.app(Op::Eq, [into, value]);
                terms.app(Op::And, [there, chosen])
            }
        }
    }
}

impl CSyntax<'_> {
    /// The ways to the harness's objects: through parameters, and through pointers in memory of which `led` says what is
    /// assumed of them, with the text of each and the number of the object.
    pub(super) fn find_ways(&self, led: &[Led]) -> FxHashMap<u64, Ways> {
        let mut ways: FxHashMap<u64, Ways> = FxHashMap::default();
        let objects: &[InputObject] = &self.harness.objects;
        let number = |i: usize| u64::from(objects[i].number);
        for param in self.harness.params.iter().filter(|param| self.nulls.contains_key(&param.symbol)) {
            let null = param.symbol;
            match &param.sharing {
                None => {
                    let way = Way::Parameter { null, choice: None };
                    param.object.into_iter().for_each(|i| ways.entry(number(i)).or_default().own = Some(way));
                }
                Some(sharing) => {
                    for (k, &i) in sharing.objects.iter().enumerate() {
                        let way = Way::Parameter { null, choice: Some((sharing.into, k as u64)) };
                        let entry = ways.entry(number(i)).or_default();
                        match k {
                            0 => entry.own = Some(way),
                            _ => entry.others.push(way),
                        }
                    }
                }
            }
        }
        for (text, number, way) in led {
            let entry = ways.entry(*number).or_default();
            let is_own = self.objects.get(number).is_some_and(|object| object.name == *text);
            match entry.own {
                None if is_own => entry.own = Some(*way),
                _ => entry.others.push(*way),
            }
        }
        ways
    }

    /// What has to hold before the text of a term is evaluated, in the order in which it has to be asked.
    pub(crate) fn requirements(&self, terms: &mut Terms, t: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.require(terms, t, &mut found);
        found
    }

    fn require(&self, terms: &mut Terms, t: TermId, found: &mut Vec<TermId>) {
        for part in terms.post_order(&[t]) {
            let looked_up = self.calls.borrow().get(&part).copied().flatten().filter(|call| call.looks_up);
            found.extend(looked_up.into_iter().flat_map(|call| is_in_table(terms, call.argument)));
            let term = terms.term(part);
            match (&term.op, term.args.as_slice()) {
                (Op::Var(s), _) => {
                    let counted = self.harness.objects.iter().find(|object| object.count == Some(*s));
                    if let Some(object) = counted {
                        self.require_object(terms, u64::from(object.number), found);
                    }
                }
                (Op::Select, &[map, object, offset]) => {
                    let Some(named) = self.object(terms, map, object) else { continue };
                    let number = terms.literal(object).and_then(Value::as_u64);
                    number.into_iter().for_each(|number| self.require_object(terms, number, found));
                    found.extend(self.bound(terms, named, offset));
                }
                (Op::Eq, &[a, b]) => {
                    let (pointer, value) = if terms.literal(a).is_some() { (b, a) } else { (a, b) };
                    let value = terms.literal(value).and_then(Value::as_u64);
                    if let (Some(value), Some(cell)) = (value, self.pointer_cell(terms, pointer))
                        && cell.part.is_none()
                        && self.objects.get(&(value >> cell.shift)).is_some_and(|to| to.name != cell.text)
                    {
                        self.require_object(terms, value >> cell.shift, found);
                    }
                }
                _ => {}
            }
        }
    }

    /// That the pointer leads to an object of which the object has its name, and so on up to a parameter or variable.
    fn require_object(&self, terms: &mut Terms, number: u64, found: &mut Vec<TermId>) {
        let Some(way) = self.ways.get(&number).and_then(|ways| ways.own) else { return };
        let term = way.term(terms);
        if found.contains(&term) {
            return;
        }
        self.require(terms, term, found);
        found.push(term);
    }

    /// That the element at an offset is one of the array.
    fn bound(&self, terms: &mut Terms, object: &Named, offset: TermId) -> Option<TermId> {
        let element = self.indexed(object)?;
        let size = self.size(element).max(1);
        let width = terms.width(terms.sort(offset))?;
        let index = match terms.literal(offset).and_then(Value::as_u64) {
            Some(_) if object.is_variable => return None,
            Some(offset) => terms.bit_vec(width, offset / size),
            None => scaled(terms, offset, size)?.0,
        };
        let count = match object.count {
            Some(count) => terms.var(count),
            None if !object.is_variable => terms.bit_vec(width, 1),
            None => {
                let CType::Array { count: Some(count), .. } = self.lowered.types.resolved(object.ty) else {
                    return None;
                };
                terms.bit_vec(width, *count)
            }
        };
        let within = terms.app(Op::BvUlt, [index, count]);
        (terms.as_bool(within) != Some(true)).then_some(within)
    }

    /// For each object that is read in a term and of which all ways are known: that a pointer leads to it, and the
    /// cells of it that are read.
    pub(crate) fn reads_of_objects(&self, terms: &mut Terms, t: TermId) -> Vec<(u64, TermId, Vec<TermId>)> {
        let mut reads: Vec<(u64, Vec<TermId>)> = Vec::new();
        for part in terms.post_order(&[t]) {
            let term = terms.term(part);
            let (Op::Select, &[map, object, _]) = (&term.op, term.args.as_slice()) else { continue };
            let Op::Var(_) = terms.term(map).op else { continue };
            let Some(number) = terms.literal(object).and_then(Value::as_u64) else { continue };
            match reads.iter_mut().find(|(known, _)| *known == number) {
                Some((_, cells)) => cells.push(part),
                None => reads.push((number, vec![part])),
            }
        }
        let mut found = Vec::new();
        for (number, cells) in reads {
            if self.ways.get(&number).is_some_and(|ways| ways.own.is_some()) {
                let mut left = LARGEST;
                found.push((number, self.reached(terms, number, &mut Vec::new(), &mut left), cells));
            }
        }
        found
    }

    /// That pointers lead to an object from a parameter or variable on, by ways that are not through the objects that were passed. If
    /// that is too long to be said, that any pointer leads there.
    fn reached(&self, terms: &mut Terms, number: u64, passed: &mut Vec<u64>, left: &mut u32) -> TermId {
        let Some(ways) = self.ways.get(&number) else { return terms.bool(true) };
        let mut all = Vec::new();
        passed.push(number);
        for way in ways.own.iter().chain(&ways.others) {
            let holds = way.term(terms);
            let mut parts = vec![holds];
            let is_long = *left == 0;
            *left = left.saturating_sub(1);
            let from = if is_long { Vec::new() } else { objects_in(terms, holds) };
            for object in from {
                let is_round = passed.contains(&object);
                parts.push(match is_round {
                    true => terms.bool(false),
                    false => self.reached(terms, object, passed, left),
                });
            }
            all.push(terms.app(Op::And, parts));
        }
        passed.pop();
        terms.app(Op::Or, all)
    }
}

/// The numbers of the objects that are read in a term.
fn objects_in(terms: &Terms, t: TermId) -> Vec<u64> {
    let mut found = Vec::new();
    for part in terms.post_order(&[t]) {
        let term = terms.term(part);
        if let (Op::Select, &[_, object, _]) = (&term.op, term.args.as_slice()) {
            found.extend(terms.literal(object).and_then(Value::as_u64));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// That cells of memory hold zero.
pub(crate) fn zero(terms: &mut Terms, cells: &[TermId]) -> Vec<TermId> {
    let mut facts = Vec::new();
    for &cell in cells {
        let sort = terms.sort(cell);
        facts.extend(match terms.width(sort) {
            Some(width) => {
                let zero = terms.bit_vec(width, 0);
                Some(terms.app(Op::Eq, [cell, zero]))
            }
            None if sort == SortId::BOOL => Some(terms.app(Op::Not, [cell])),
            None => None,
        });
    }
    facts
}

/// Whether a term has operators, beside those in indices, of which C leaves open what they do with some numbers.
pub(super) fn computes(terms: &Terms, t: TermId) -> bool {
    let mut todo = vec![t];
    while let Some(t) = todo.pop() {
        let term = terms.term(t);
        let outside = if term.op == Op::Select { &term.args[..2] } else { &term.args[..] };
        // Cells that are one number are joined by no operator of C.
        let is_read = term.op == Op::Concat && term.args.iter().all(|&a| is_cells(terms, a));
        if is_open_in_c(&term.op) && !is_read {
            return true;
        }
        todo.extend(outside);
    }
    false
}

/// Whether it is a read of memory, or several of them together.
fn is_cells(terms: &Terms, t: TermId) -> bool {
    let term = terms.term(t);
    match term.op {
        Op::Concat => term.args.iter().all(|&a| is_cells(terms, a)),
        _ => term.op == Op::Select,
    }
}

/// Whether C leaves open what an operator does with some numbers.
fn is_open_in_c(op: &Op) -> bool {
    matches!(
        op,
        Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvNeg
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::Concat
            | Op::Extract(..)
            | Op::SignExtend(_)
            | Op::ZeroExtend(_)
    )
}

/// That the library's tables of characters have an entry for a number.
fn is_in_table(terms: &mut Terms, number: TermId) -> [TermId; 2] {
    let [first, last] = [-128, 255].map(|n| terms.bit_vec(32, n));
    [terms.app(Op::BvSle, [first, number]), terms.app(Op::BvSle, [number, last])]
}
