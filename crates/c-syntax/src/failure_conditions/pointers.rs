//! Pointer conditions in C syntax: which object a pointer points to.
//!
//! A pointer in memory is the number of an object and an offset, side by side; with smaller cells, the high one has
//! the number. Among the inputs a pointer is null, points to an object of its own, which is named by the access path
//! to it, or to an object that has another name, or is a sentinel value: a number that the program compares it with.
//! Example: the condition that the object of `p->next` is number 4, which is that of `head`, is printed as
//! `p->next == head`.

use footpath_ir::StatementKind;
use footpath_simplify::Printed;
use footpath_term::{Op, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use footpath_frontend::c::PointerShape;

use super::CSyntax;
use super::well_definedness::{Led, Way};

/// A pointer among the inputs, or the half of one that holds its object.
pub(super) struct PointerCell {
    /// The pointer in C.
    pub(super) text: String,
    /// By how many bits the number of the object is shifted.
    pub(super) shift: u32,
    /// If only a part of the number is in it: from which bit on, and how many.
    pub(super) part: Option<(u32, u32)>,
}

/// The pointers that may point to several objects, with the numbers of these.
pub(super) type Targets = FxHashMap<String, Vec<u64>>;

/// A sentinel value as a pointer in C.
pub(super) fn sentinel(shape: PointerShape, value: u64) -> Option<String> {
    let unused = 64 - shape.bits;
    shape.is_sentinel(value).then(|| format!("(void *){}", ((value << unused) as i64) >> unused))
}

impl CSyntax<'_> {
    /// Where pointers may lead besides their own objects: what the harness assumes of each. Also all equations that make a
    /// pointer lead to an object.
    pub(super) fn find_targets(&self) -> (Targets, Vec<Led>) {
        let program = &self.lowered.program;
        let terms = &program.terms;
        let (mut targets, mut led) = (Targets::default(), Vec::new());
        let is_sentinel = |value: u64| self.lowered.shape.is_sentinel(value);
        let blocks = &program[self.harness.procedure].bodies[0].blocks;
        let statements = blocks.iter().flat_map(|block| &block.statements);
        let assumed = statements.filter_map(|s| match s.kind {
            StatementKind::Assume(t) => Some(t),
            _ => None,
        });
        for t in terms.post_order(&assumed.collect::<Vec<_>>()) {
            let term = terms.term(t);
            let (Op::Eq, &[a, b]) = (&term.op, term.args.as_slice()) else { continue };
            let (pointer, value) = if terms.literal(a).is_some() { (b, a) } else { (a, b) };
            let Some(value) = terms.literal(value).and_then(Value::as_u64) else {
                // A place in an object that depends on another input.
                let address = terms.term(value);
                let number = address.args.first().and_then(|&n| terms.literal(n)).and_then(Value::as_u64);
                let is_address = address.op == Op::Concat;
                led.extend(number.filter(|_| is_address).map(|number| (String::new(), number, Way::If(t))));
                continue;
            };
            if is_sentinel(value) && terms.width(terms.sort(pointer)) == Some(self.lowered.shape.bits) {
                continue;
            }
            // A pointer whose cells are smaller stands as all of them.
            if let Some((text, Some(ty))) = self.joined_cells(terms, pointer, false, None)
                && self.is_pointer(ty)
            {
                let number = value >> self.lowered.shape.packed_offset();
                // Of the cells the one with the number is enough, as conditions have it.
                let mut high = pointer;
                while terms.term(high).op == Op::Concat {
                    high = terms.term(high).args[0];
                }
                let cell = self.pointer_cell(terms, high).filter(|cell| cell.part.is_none());
                let way = cell.map_or(Way::If(t), |cell| Way::Cell(high, number << cell.shift));
                led.push((text.clone(), number, way));
                targets.entry(text).or_default().push(number);
            } else if let Some(PointerCell { text, shift, part: None }) = self.pointer_cell(terms, pointer) {
                led.push((text.clone(), value >> shift, Way::Cell(pointer, value)));
                targets.entry(text).or_default().push(value >> shift);
            }
        }
        (targets, led)
    }

    /// The pointer whose object a term is the number of, or has it in its high bits.
    pub(super) fn pointer_cell(&self, terms: &Terms, t: TermId) -> Option<PointerCell> {
        let term = terms.term(t);
        if let Op::Var(s) = term.op {
            let (name, ty) = self.names.get(&s)?;
            let is_pointer = ty.is_some_and(|ty| self.is_pointer(ty));
            return is_pointer.then(|| PointerCell { text: name.clone(), shift: 0, part: None });
        }
        let (Op::Select, &[map, number, offset]) = (&term.op, term.args.as_slice()) else { return None };
        let object = self.object(terms, map, number)?;
        let (grain, bytes) = (object.grain?, u64::from(self.lowered.shape.bits / 8));
        let offset = terms.literal(offset)?.as_u64()?;
        // The number of the object stands in the high bits, which lie behind the low ones.
        let low = 8 * offset.checked_rem(bytes)? as u32;
        let shift = self.lowered.shape.packed_offset();
        let is_high = u64::from(low / 8) + grain == bytes && low <= shift;
        let (text, ty) = self.place(object, offset - offset % bytes, bytes);
        if !ty.is_some_and(|ty| self.is_pointer(ty)) {
            return None;
        }
        match is_high {
            true => Some(PointerCell { text, shift: shift - low, part: None }),
            false => {
                let part = Some((low.checked_sub(shift)?, 8 * grain as u32));
                Some(PointerCell { text, shift: 0, part })
            }
        }
    }

    /// A condition on the object of a pointer: `p == NULL`, `p == q`, or `p != NULL` if it points to an object of its
    /// own.
    pub(super) fn leads(&self, terms: &Terms, equation: TermId, positive: bool) -> Option<Printed> {
        let term = terms.term(equation);
        let (Op::Eq, &[a, b]) = (&term.op, term.args.as_slice()) else { return None };
        let (cell, value) = if terms.literal(a).is_some() { (b, a) } else { (a, b) };
        let value = terms.literal(value)?.as_u64()?;
        let PointerCell { text, shift, part } = self.pointer_cell(terms, cell)?;
        let compared = |same: bool, to: &str| format!("{text} {} {to}", if same { "==" } else { "!=" });
        let shape = self.lowered.shape;
        let is_whole = part.is_none() && terms.width(terms.sort(cell)) == Some(shape.bits);
        if let Some(number) = sentinel(shape, value).filter(|_| is_whole) {
            return Some(Printed::new(compared(positive, &number), 4));
        }
        let sentinels = self.sentinels.get(&text);
        if sentinels.is_some() && !is_whole {
            return None;
        }
        let number = match part {
            None => value >> shift,
            // The only target that has this part.
            Some((from, bits)) => {
                let all = self.targets.get(&text).into_iter().flatten().copied().chain([0]);
                let has = |n: &u64| n >> from & ((1 << bits) - 1) == value;
                let mut having: Vec<u64> = all.filter(has).collect();
                having.sort_unstable();
                having.dedup();
                let &[only] = having.as_slice() else { return None };
                only
            }
        };
        let value = if part.is_some() { number << shift } else { value };
        if number << shift != value {
            return None;
        }
        if number == 0 {
            return Some(Printed::new(compared(positive, "NULL"), 4));
        }
        let Some(object) = self.objects.get(&number).filter(|object| !object.is_variable) else {
            return self.target(number).map(|name| Printed::new(compared(positive, &name), 4));
        };
        if object.name != text {
            return Some(Printed::new(compared(positive, &object.name), 4));
        }
        // Its own object is what is left when all others are not meant.
        let others = self.targets.get(&text).into_iter().flatten().filter(|other| **other != number);
        let names = others.filter_map(|other| self.objects.get(other).map(|named| named.name.as_str()));
        let mut others: Vec<String> = names.map(str::to_owned).collect();
        others.extend(sentinels.into_iter().flatten().filter_map(|&number| sentinel(shape, number)));
        others.sort_unstable();
        others.dedup();
        let all = std::iter::once("NULL".to_owned()).chain(others);
        let parts: Vec<String> = all.map(|other| compared(!positive, &other)).collect();
        let level = if parts.len() == 1 { 4 } else { u8::from(positive) };
        Some(Printed::new(parts.join(if positive { " && " } else { " || " }), level))
    }
}
