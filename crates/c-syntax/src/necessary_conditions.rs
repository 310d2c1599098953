//! A printer of necessary conditions in C syntax.
//!
//! The condition is about a function's parameters, memory at entry, and iteration counts of loops (`rounds`).
//! Parameters have their names, what they point to is `*p`, `p[i]`, `p->next->size`, and quantified counters are
//! printed as "for every `before < rounds`" and "for some".
//!
//! That accesses on the path stay in their objects, and that counters fit into machine integers, is part of the
//! condition but not printed, and neither is what has no form in C: the text is implied by the condition, and so is necessary as well.
//! A pointer that points to no object is called null.
//!
//! **Direction of error.** Towards a weaker condition, which is still necessary.

use std::sync::Arc;

use footpath_frontend::c::source::c_types::{CField, CType, CTypeId, CTypes};
use footpath_frontend::c::{Lowered, LoweredFunction, PointerShape};
use footpath_ir::ProcId;
use footpath_loop_summaries::Say;
use footpath_simplify::{Dialect, Dnf, Printed, print};
use footpath_term::{Binder, BinderKind, Op, Sort, SymbolId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::failure_conditions::{integer, quoted};
use crate::names::{is_internal, of_variable, returned_by};

/// Constants from here on limit counters for technical reasons only.
const TECHNICAL: u64 = 1 << 40;

/// How conditions over the parameters of a procedure of a lowered program are said, which is that of a function.
pub fn say(types: &CTypes, lowered: &Lowered, procedure: ProcId, function: &LoweredFunction) -> Say {
    let program = &lowered.program;
    let mut words = CSyntax {
        types: types.clone(),
        shape: lowered.shape,
        pointers: FxHashMap::default(),
        offsets: FxHashMap::default(),
        numbers: FxHashMap::default(),
        variables: FxHashMap::default(),
    };
    let harness = function.harness.as_ref().ok();
    let variables = harness.into_iter().flat_map(|harness| {
        let settings = harness.settings.iter().map(|s| (&s.name, s.ty));
        settings.chain(harness.tables.iter().map(|t| (&t.name, t.element)))
    });
    for (name, ty) in variables {
        let number = lowered.variables.iter().find(|(_, known)| *known == name);
        words.variables.extend(number.map(|(&number, _)| (u64::from(number), (name.clone(), ty))));
    }
    let params: Vec<SymbolId> = program[procedure].params.iter().map(|p| p.symbol).collect();
    let name = |s: SymbolId| &*program.terms.symbol(s).name;
    for input in harness.into_iter().flat_map(|harness| &harness.params) {
        let Some(at) = params.iter().position(|&s| name(s) == input.name) else { continue };
        if let CType::Pointer(to) = types.resolved(input.ty) {
            words.pointers.insert(params[at], (input.name.clone(), *to));
            words.offsets.extend(params.get(at + 1).map(|&offset| (offset, params[at])));
        } else {
            words.numbers.insert(params[at], (input.name.clone(), input.ty));
        }
    }
    Say(Arc::new(move |_, terms, condition| {
        let saying = Saying { words: &words, terms };
        saying.weakened(condition, &[]).map_or_else(|| "true".to_owned(), |said| said.text)
    }))
}

/// See the module.
struct CSyntax {
    types: CTypes,
    shape: PointerShape,
    /// Parameters that hold the object of a pointer: its name, and what it points to.
    pointers: FxHashMap<SymbolId, (String, CTypeId)>,
    /// Parameters that hold the offset of a pointer, with those that hold its object.
    offsets: FxHashMap<SymbolId, SymbolId>,
    numbers: FxHashMap<SymbolId, (String, CTypeId)>,
    /// Variables in memory by the numbers that they have as objects.
    variables: FxHashMap<u64, (String, CTypeId)>,
}

/// A pointer in C: its text, what it points to, and where its offset is.
struct Pointer {
    text: String,
    to: CTypeId,
    offset: Offset,
}

/// Where the offset of a pointer is.
enum Offset {
    /// In a parameter.
    Parameter(SymbolId),
    /// In the low bytes of a pointer in memory.
    Low(Read),
}

/// Bytes that are read from an object: from `start` on, after the sum of the indices.
#[derive(Clone)]
struct Read {
    map: TermId,
    object: TermId,
    indices: Vec<TermId>,
    start: u64,
    bytes: u64,
}

/// A place in memory.
struct Place {
    text: String,
    ty: CTypeId,
    /// The terms in the text.
    indices: Vec<TermId>,
}

impl Read {
    /// Whether other bytes are at a known distance from these.
    fn is_beside(&self, other: &Read) -> bool {
        (self.map, self.object, &self.indices) == (other.map, other.object, &other.indices)
    }
}

struct Saying<'a> {
    words: &'a CSyntax,
    terms: &'a Terms,
}

impl Saying<'_> {
    /// A condition that follows from this one where `known` holds, without technical parts; `None` if nothing is
    /// left.
    fn weakened(&self, t: TermId, known: &[String]) -> Option<Printed> {
        let term = self.terms.term(t);
        match &term.op {
            Op::And if self.null(t).is_none() => self.all(&term.args, known),
            Op::Or => self.any(&term.args, known),
            Op::Bind(binder) if binder.kind != BinderKind::Lambda => self.quantified(t, binder, known),
            Op::Literal(Value::Bool(true)) => None,
            _ if self.is_technical(t) || !self.has_text(t) => None,
            _ => Some(self.literal(t)).filter(|said| !known.contains(&said.text)),
        }
    }

    /// A conjunction. Its literals are known when the rest is printed.
    fn all(&self, parts: &[TermId], known: &[String]) -> Option<Printed> {
        let is_literal = |t: &TermId| {
            let op = &self.terms.term(*t).op;
            !matches!(op, Op::And | Op::Or | Op::Bind(_)) || self.null(*t).is_some()
        };
        let mut parts = self.flat(parts);
        let bytes = self.take_bytes(&mut parts);
        let mut texts: Vec<Option<String>> = vec![None; parts.len()];
        let mut known = [known, &bytes].concat();
        for literals in [true, false] {
            for (i, part) in parts.iter().enumerate().filter(|(_, t)| is_literal(t) == literals) {
                if let Some(said) = self.weakened(*part, &known) {
                    let text = within(&said, 2);
                    if !known.contains(&text) {
                        known.push(text.clone());
                        texts[i] = Some(text);
                    }
                }
            }
        }
        let texts: Vec<String> = texts.into_iter().flatten().chain(bytes).collect();
        let level = if texts.len() == 1 { 2 } else { 1 };
        (!texts.is_empty()).then(|| Printed::new(texts.join(" && "), level))
    }

    /// The parts of a conjunction, those of conjunctions among them too.
    fn flat(&self, parts: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        for &part in parts {
            let term = self.terms.term(part);
            if term.op == Op::And && self.null(part).is_none() {
                found.extend(self.flat(&term.args));
            } else {
                found.push(part);
            }
        }
        found
    }

    /// Removes from a conjunction the equations of single bytes of a number or a pointer; returns the equations of
    /// the whole value.
    fn take_bytes(&self, parts: &mut Vec<TermId>) -> Vec<String> {
        let byte = |&part: &TermId| {
            let (term, value) = self.is_constant(part)?;
            let read = self.read(&[term]).filter(|read| read.bytes == 1)?;
            Some((part, read, value))
        };
        let mut bytes: Vec<(TermId, Read, u64)> = parts.iter().filter_map(byte).collect();
        bytes.sort_by_key(|(_, read, _)| (read.map, read.object, read.indices.clone(), read.start));
        let mut said = Vec::new();
        for (first, (_, start, _)) in bytes.iter().enumerate() {
            for size in [8, 4, 2] {
                let Some(run) = bytes.get(first..first + size) else { continue };
                let follows = |(i, (_, read, _)): (usize, &(TermId, Read, u64))| {
                    read.is_beside(start) && read.start == start.start.wrapping_add(i as u64)
                };
                let value = run.iter().rev().fold(0u64, |value, (_, _, byte)| value << 8 | byte);
                let whole = Read { bytes: size as u64, ..start.clone() };
                let Some(place) = self.named(&whole).filter(|_| run.iter().enumerate().all(follows)) else {
                    continue;
                };
                let unused = 64 - 8 * size as u32;
                let value = match self.words.types.resolved(place.ty) {
                    CType::Pointer(_) if value == 0 => "NULL".to_owned(),
                    CType::Int { .. } if self.unsigned(place.ty) => value.to_string(),
                    CType::Int { .. } => (((value << unused) as i64) >> unused).to_string(),
                    _ => continue,
                };
                parts.retain(|part| !run.iter().any(|(used, ..)| used == part));
                said.push(format!("{} == {value}", place.text));
                break;
            }
        }
        said
    }

    /// A disjunction. If an equation is one of its parts, its negation is known in the others.
    fn any(&self, parts: &[TermId], known: &[String]) -> Option<Printed> {
        let is_equation = |t: &TermId| self.terms.term(*t).op == Op::Eq;
        let otherwise = parts.iter().filter(|t| is_equation(t) && self.has_text(**t));
        let otherwise = otherwise.map(|&t| self.literal(t).text);
        let otherwise: Vec<String> = otherwise.map(|text| text.replacen(" == ", " != ", 1)).collect();
        let known_otherwise = [known, &otherwise].concat();
        let mut texts = Vec::new();
        for part in parts {
            let known = if is_equation(part) { known } else { &known_otherwise[..] };
            let text = within(&self.weakened(*part, known)?, 1);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        Some(Printed::new(texts.join(" || "), if texts.len() == 1 { 1 } else { 0 }))
    }

    fn quantified(&self, t: TermId, binder: &Binder, known: &[String]) -> Option<Printed> {
        let whole = self.terms.term(t).args[0];
        let body = self.terms.term(whole);
        let (range, rest): (Option<TermId>, Vec<TermId>) = match (binder.kind, &body.op) {
            (BinderKind::Forall, Op::Implies) => (Some(body.args[0]), vec![body.args[1]]),
            (BinderKind::Exists, Op::And) => {
                let range = body.args.iter().find(|t| self.is_range(**t, &binder.vars)).copied();
                (range, body.args.iter().copied().filter(|t| Some(*t) != range).collect())
            }
            _ => (None, vec![whole]),
        };
        // What holds in a range need not hold everywhere.
        if binder.kind == BinderKind::Forall && range.is_some_and(|range| !self.has_text(range)) {
            return None;
        }
        let said = self.all(&rest, known)?;
        let range = match range.filter(|&range| self.has_text(range)) {
            Some(range) => self.literal(range).text,
            None => {
                let names = binder.vars.iter().filter_map(|s| of_variable(&self.terms.symbol(*s).name));
                names.filter(|name| said.text.contains(&**name)).collect::<Vec<String>>().join(", ")
            }
        };
        // The text names none of the variables.
        if range.is_empty() {
            return Some(said);
        }
        let word = if binder.kind == BinderKind::Forall { "every" } else { "some" };
        Some(Printed::new(format!("(for {word} {range}: {})", said.text), 12))
    }

    /// Whether a term limits one of some variables from above.
    fn is_range(&self, t: TermId, vars: &[SymbolId]) -> bool {
        let term = self.terms.term(t);
        let is_var = |t: TermId| matches!(self.terms.term(t).op, Op::Var(s) if vars.contains(&s));
        matches!(term.op, Op::BvUle | Op::BvUlt | Op::Le | Op::Lt) && is_var(term.args[0])
    }

    /// Whether a condition only says that an access is within its object, or that a counter fits into a machine
    /// integer.
    fn is_technical(&self, t: TermId) -> bool {
        let term = self.terms.term(t);
        let is_limit =
            |t: TermId| self.terms.literal(t).and_then(Value::as_u64).is_some_and(|n| n >= TECHNICAL);
        match (&term.op, term.args.as_slice()) {
            (Op::BvUle, &[_, limit]) if is_limit(limit) => return true,
            (Op::Eq, &[a, b]) if self.is_narrowed(a, b) => return true,
            _ => {}
        }
        if self.is_carried(t) {
            return true;
        }
        let mut names = self.terms.free_symbols(&[t]).into_iter().map(|s| &*self.terms.symbol(s).name);
        if self.can_say(self.terms, t) {
            names.any(|name| matches!(name, "$size" | "$alive" | "$ended" | "$automatic" | "$next"))
        } else {
            names.any(is_internal)
        }
    }

    /// Whether a condition only says that a variable is the same in two iterations, or behind a loop.
    fn is_carried(&self, t: TermId) -> bool {
        let term = self.terms.term(t);
        let name = |t: TermId| match self.terms.term(t).op {
            Op::Var(s) => Some(&self.terms.symbol(s).name),
            _ => None,
        };
        matches!((&term.op, term.args.as_slice()), (Op::Eq, &[a, b]) if name(a).is_some() && name(a) == name(b))
    }

    /// Whether two terms differ only in the widths with which they are computed.
    fn is_narrowed(&self, a: TermId, b: TermId) -> bool {
        let extends = |t: TermId| matches!(self.terms.term(t).op, Op::SignExtend(_) | Op::ZeroExtend(_));
        (extends(a) || extends(b))
            && [a, b].iter().all(|&t| self.can_say(self.terms, t))
            && self.said(a).text == self.said(b).text
    }

    /// Whether a condition can be said in C.
    fn has_text(&self, t: TermId) -> bool {
        self.null(t).is_some() || self.can_say(self.terms, t)
    }

    /// A condition that can be said in C.
    fn literal(&self, t: TermId) -> Printed {
        if let Some(said) = self.null(t) {
            return said;
        }
        let text = print(self.terms, &Dnf { cubes: vec![vec![t]] }, self);
        let is_list = text.contains(" && ") || text.contains(" || ") || text.contains(" ? ");
        Printed::new(text, if is_list { 0 } else { 4 })
    }

    /// A condition that a pointer is null, or is not.
    fn null(&self, t: TermId) -> Option<Printed> {
        let term = self.terms.term(t);
        match (&term.op, term.args.as_slice()) {
            (Op::Not, &[of]) => {
                let said = self.null(of)?.text;
                Some(Printed::new(said.replace(" == NULL", " != NULL"), 4))
            }
            // Its number is 0, or that and its offset, byte by byte if need be.
            (Op::And, parts) => {
                let zero: Option<Vec<TermId>> = parts.iter().map(|&part| self.is_zero(part)).collect();
                let zero = zero?;
                let pointer = zero.iter().find_map(|&t| self.pointer(t)).or_else(|| {
                    let number = u64::from(self.words.shape.object);
                    let read = self.read(&zero).filter(|read| 8 * read.bytes >= number)?;
                    self.pointer_of(&read)
                })?;
                let others = zero.iter().all(|&t| {
                    self.pointer(t).is_some_and(|p| p.text == pointer.text)
                        || self.is_offset_of(t, &pointer)
                        || self.read(&[t]).is_some_and(|read| self.is_in(&read, &pointer))
                });
                others.then(|| Printed::new(format!("{} == NULL", pointer.text), 4))
            }
            _ => {
                let pointer = self.pointer(self.is_zero(t)?)?;
                Some(Printed::new(format!("{} == NULL", pointer.text), 4))
            }
        }
    }

    /// The term that is compared with 0.
    fn is_zero(&self, t: TermId) -> Option<TermId> {
        self.is_constant(t).filter(|(_, value)| *value == 0).map(|(term, _)| term)
    }

    /// The term that is compared with a constant, and the constant.
    fn is_constant(&self, t: TermId) -> Option<(TermId, u64)> {
        let term = self.terms.term(t);
        let (Op::Eq, &[a, b]) = (&term.op, term.args.as_slice()) else { return None };
        let value = |t: TermId| self.terms.literal(t).and_then(Value::as_u64);
        value(b).map(|n| (a, n)).or_else(|| value(a).map(|n| (b, n)))
    }

    /// The pointer of whose object a term is the number.
    fn pointer(&self, object: TermId) -> Option<Pointer> {
        let term = self.terms.term(object);
        match (&term.op, term.args.as_slice()) {
            (Op::Var(s), _) => {
                let (text, to) = self.words.pointers.get(s)?.clone();
                let (&offset, _) = self.words.offsets.iter().find(|(_, object)| *object == s)?;
                Some(Pointer { text, to, offset: Offset::Parameter(offset) })
            }
            (&Op::Extract(high, low), &[cell])
                if (high + 1, low) == (self.words.shape.bits, self.words.shape.packed_offset()) =>
            {
                self.pointer_of(&self.read(&[cell])?)
            }
            _ => {
                let read = self.read(&[object])?;
                (8 * read.bytes == u64::from(self.words.shape.object)).then(|| self.pointer_of(&read))?
            }
        }
    }

    /// The pointer whose bytes some are, if the one with the highest bits of its object is among them.
    fn pointer_of(&self, read: &Read) -> Option<Pointer> {
        let end = read.start + read.bytes;
        let bytes = self.pointer_bytes();
        let whole = Read { start: end.checked_sub(bytes)?, bytes, ..read.clone() };
        let place = self.named(&whole)?;
        let CType::Pointer(to) = self.words.types.resolved(place.ty) else { return None };
        Some(Pointer { text: place.text, to: *to, offset: Offset::Low(whole) })
    }

    /// Whether bytes belong to a pointer in memory.
    fn is_in(&self, read: &Read, pointer: &Pointer) -> bool {
        let Offset::Low(whole) = &pointer.offset else { return false };
        let inside = whole.start <= read.start && read.start + read.bytes <= whole.start + whole.bytes;
        inside && read.is_beside(whole)
    }

    /// Whether a term is the offset of a pointer.
    fn is_offset_of(&self, t: TermId, pointer: &Pointer) -> bool {
        let term = self.terms.term(t);
        match (&pointer.offset, &term.op) {
            (Offset::Parameter(s), op) => *op == Op::Var(*s),
            (Offset::Low(_), Op::SignExtend(_)) => {
                let low = self.terms.term(term.args[0]);
                let cell = match low.op {
                    Op::Extract(high, 0) if high + 1 == self.words.shape.packed_offset() => low.args[0],
                    _ => term.args[0],
                };
                self.read(&[cell]).is_some_and(|read| self.is_in(&read, pointer))
            }
            _ => false,
        }
    }

    /// What is read by terms that are side by side, the highest bytes first.
    fn read(&self, parts: &[TermId]) -> Option<Read> {
        let mut whole: Option<Read> = None;
        for &part in parts {
            let term = self.terms.term(part);
            let read = match (&term.op, term.args.as_slice()) {
                (Op::Concat, parts) => self.read(parts)?,
                (Op::Select, &[map, object, offset]) if matches!(self.terms.term(map).op, Op::Var(_)) => {
                    let bytes = u64::from(self.terms.width(term.sort)?) / 8;
                    let (mut indices, mut start) = (self.summands(offset), 0u64);
                    indices.retain(|&i| match self.terms.literal(i).and_then(Value::as_u64) {
                        Some(n) => {
                            start = start.wrapping_add(n);
                            false
                        }
                        None => true,
                    });
                    Read { map, object, indices, start, bytes }
                }
                _ => return None,
            };
            whole = Some(match whole {
                None => read,
                Some(high) => {
                    let follows = read.start.wrapping_add(read.bytes) == high.start;
                    (follows && read.is_beside(&high))
                        .then(|| Read { bytes: read.bytes + high.bytes, ..read })?
                }
            });
        }
        whole
    }

    /// The summands of a sum, those of sums among them too.
    fn summands(&self, t: TermId) -> Vec<TermId> {
        let term = self.terms.term(t);
        if term.op == Op::BvAdd {
            term.args.iter().flat_map(|&a| self.summands(a)).collect()
        } else {
            vec![t]
        }
    }

    /// The place in memory that a term reads.
    fn place(&self, t: TermId) -> Option<Place> {
        self.named(&self.read(&[t])?)
    }

    /// The C expression for some bytes.
    fn named(&self, read: &Read) -> Option<Place> {
        let mut indices = read.indices.clone();
        let (text, to, is_variable) = match self.terms.literal(read.object).and_then(Value::as_u64) {
            Some(number) => {
                let (name, ty) = self.words.variables.get(&number)?.clone();
                (name, ty, true)
            }
            None => {
                let pointer = self.pointer(read.object)?;
                let start = indices.iter().position(|&s| self.is_offset_of(s, &pointer))?;
                indices.remove(start);
                (pointer.text, pointer.to, false)
            }
        };
        let types = &self.words.types;
        // The elements of a variable that is an array are counted, too.
        let element = match types.resolved(to) {
            CType::Array { element, .. } if is_variable => Some(*element),
            _ if is_variable => None,
            _ => Some(to),
        };
        let Some(element) = element else {
            let (members, ty) = self.member(to, read.start)?;
            let dot = if members.is_empty() || members.starts_with('[') { "" } else { "." };
            return self.fitting(read, format!("{text}{dot}{members}"), ty, indices);
        };
        let size = types.size(element, self.pointer_bytes()).max(1);
        let scaled: Option<Vec<TermId>> = indices.iter().map(|&i| self.scaled(i, size)).collect();
        let indices = scaled?;
        let start = read.start as i64;
        let (number, inside) = (start.div_euclid(size as i64), start.rem_euclid(size as i64) as u64);
        let mut index: Vec<String> = indices.iter().map(|&i| within(&self.said(i), 6)).collect();
        if number != 0 || is_variable && index.is_empty() {
            index.push(number.to_string());
        }
        let index = index.join(" + ").replace(" + -", " - ");
        let (members, ty) = self.member(element, inside)?;
        let is_record = matches!(types.resolved(element), CType::Record { .. });
        let text = match (index.is_empty(), is_record) {
            (true, true) => format!("{text}->{members}"),
            (true, false) if members.is_empty() => format!("*{text}"),
            (true, false) => format!("(*{text}){members}"),
            (false, true) => format!("{text}[{index}].{members}"),
            (false, false) => format!("{text}[{index}]{members}"),
        };
        self.fitting(read, text, ty, indices)
    }

    /// A place, if its type is as wide as what is read.
    fn fitting(&self, read: &Read, text: String, ty: CTypeId, indices: Vec<TermId>) -> Option<Place> {
        let fits = self.words.types.size(ty, self.pointer_bytes()) == read.bytes;
        fits.then_some(Place { text, ty, indices })
    }

    /// The members of a record that lead to a byte of it, and the type of what is there.
    fn member(&self, mut ty: CTypeId, mut inside: u64) -> Option<(String, CTypeId)> {
        let types = &self.words.types;
        let mut text = String::new();
        loop {
            match types.resolved(ty) {
                CType::Record { fields, is_union: false, .. } => {
                    let fits = |f: &&CField| {
                        f.bit_field.is_none() && !f.name.is_empty() && f.offset_bits / 8 <= inside
                    };
                    let field = fields.iter().rev().find(fits)?;
                    let dot = if text.is_empty() { "" } else { "." };
                    text = format!("{text}{dot}{}", field.name);
                    inside -= field.offset_bits / 8;
                    ty = field.ty;
                }
                CType::Array { element, .. } => {
                    let size = types.size(*element, self.pointer_bytes()).max(1);
                    text = format!("{text}[{}]", inside / size);
                    inside %= size;
                    ty = *element;
                }
                CType::Record { .. } => return None,
                _ => return (inside == 0).then_some((text, ty)),
            }
        }
    }

    /// A term divided by a size that it is a multiple of.
    fn scaled(&self, t: TermId, size: u64) -> Option<TermId> {
        if size == 1 {
            return Some(t);
        }
        let term = self.terms.term(t);
        let is = |t: TermId, n: u64| self.terms.literal(t).and_then(Value::as_u64) == Some(n);
        match (&term.op, term.args.as_slice()) {
            (Op::BvMul, &[a, b]) if is(a, size) => Some(b),
            (Op::BvMul, &[a, b]) if is(b, size) => Some(a),
            (Op::BvShl, &[a, b]) if is(b, u64::from(size.trailing_zeros())) && size.is_power_of_two() => {
                Some(a)
            }
            _ => None,
        }
    }

    /// A number in C syntax.
    fn said(&self, t: TermId) -> Printed {
        let text = print(self.terms, &Dnf { cubes: vec![vec![t]] }, self);
        let level = if text.contains(' ') { 6 } else { 12 };
        Printed::new(text, level)
    }

    /// Whether a term consists of counters and constants only.
    fn counts(&self, t: TermId) -> bool {
        self.terms.post_order(&[t]).iter().all(|&part| match self.terms.term(part).op {
            Op::Var(s) => self.is_counter(s),
            Op::Select | Op::Apply(_) => false,
            _ => true,
        })
    }

    /// Whether a symbol is the iteration count of a loop, or the number of an iteration.
    fn is_counter(&self, s: SymbolId) -> bool {
        let name = &*self.terms.symbol(s).name;
        name.starts_with("rounds") || name.starts_with("before")
    }

    fn pointer_bytes(&self) -> u64 {
        u64::from(self.words.shape.bits / 8)
    }

    fn unsigned(&self, ty: CTypeId) -> bool {
        match self.words.types.resolved(ty) {
            CType::Int { signed, .. } => !signed,
            CType::Bool | CType::Pointer(_) => true,
            _ => false,
        }
    }

    /// A parameter that is a number, or what an external function returns, with its type.
    fn number(&self, symbol: SymbolId) -> Option<(String, CTypeId)> {
        self.words.numbers.get(&symbol).cloned().or_else(|| {
            let symbol = self.terms.symbol(symbol);
            let function = returned_by(&symbol.name)?;
            let ty = self.words.types.signed_integer(self.terms.width(symbol.sort)?)?;
            Some((format!("{function}()"), ty))
        })
    }

    fn type_of(&self, t: TermId) -> Option<CTypeId> {
        match self.terms.term(t).op {
            Op::Var(s) => self.number(s).map(|(_, ty)| ty),
            Op::Select | Op::Concat => self.place(t).map(|place| place.ty),
            _ => None,
        }
    }
}

/// A text as a part of one that binds as tightly as a level.
fn within(part: &Printed, level: u8) -> String {
    if part.level < level { format!("({})", part.text) } else { part.text.clone() }
}

impl Dialect for Saying<'_> {
    fn term(&self, terms: &Terms, t: TermId, inner: &dyn Fn(TermId) -> Printed) -> Option<Printed> {
        let term = terms.term(t);
        match &term.op {
            Op::Var(s) => self.number(*s).map(|(name, _)| Printed::atom(name)),
            Op::Select | Op::Concat => self.place(t).map(|place| Printed::atom(place.text)),
            Op::Eq | Op::Not => self.null(t),
            // Counters are no larger than the numbers of the machine.
            Op::Extract(_, 0) if self.counts(term.args[0]) => Some(inner(term.args[0])),
            Op::SignExtend(_) | Op::ZeroExtend(_) => Some(inner(term.args[0])),
            Op::Extract(high @ (7 | 15 | 31), 0) => {
                let part = within(&inner(term.args[0]), 10);
                Some(Printed::new(format!("({}){part}", self.integer(high + 1, false)), 10))
            }
            _ => None,
        }
    }

    fn constant(&self, _: &Terms, n: &BigInt, beside: TermId) -> Option<Printed> {
        let is_char = |ty| matches!(self.words.types.resolved(ty), CType::Int { is_char: true, .. });
        let text = quoted(n.to_u8()?)?;
        self.type_of(beside).is_some_and(is_char).then(|| Printed::atom(text))
    }

    /// What is added to counters may be negative.
    fn number(&self, n: &BigInt, bits: u32, unsigned: bool) -> Option<Printed> {
        let all = BigInt::from(1) << bits;
        let is_negative = unsigned && bits == 64 && n >= &(&all >> 1);
        is_negative.then(|| Printed::new((n - all).to_string(), 10))
    }

    fn integer(&self, bits: u32, unsigned: bool) -> String {
        integer(bits, unsigned, self.words.shape.bits == 64).to_owned()
    }

    fn can_say(&self, terms: &Terms, t: TermId) -> bool {
        let term = terms.term(t);
        let all = |these: &[TermId]| these.iter().all(|&a| self.can_say(terms, a));
        match &term.op {
            Op::Literal(value) => !matches!(value, Value::Map(_)),
            Op::Var(s) => self.number(*s).is_some() || self.is_counter(*s),
            Op::Select | Op::Concat => self.place(t).is_some_and(|place| all(&place.indices)),
            Op::Extract(high, low) => *low == 0 && matches!(high, 7 | 15 | 31) && all(&term.args),
            Op::Eq | Op::Not if self.null(t).is_some() => true,
            Op::Apply(_) | Op::Store | Op::ConstMap | Op::Bind(_) => false,
            _ => {
                !matches!(terms.sort_of(term.sort), Sort::Float { .. } | Sort::Map { .. }) && all(&term.args)
            }
        }
    }

    fn is_unsigned(&self, terms: &Terms, t: TermId) -> Option<bool> {
        let term = terms.term(t);
        match term.op {
            _ if self.counts(t) => Some(terms.width(term.sort) == Some(64)),
            Op::Var(_) | Op::Select | Op::Concat => self.type_of(t).map(|ty| self.unsigned(ty)),
            // What C computes with both kinds is unsigned.
            Op::BvAdd | Op::BvSub | Op::BvMul => {
                let parts = term.args.iter().filter(|&&a| terms.literal(a).is_none());
                let all: Option<Vec<bool>> = parts.map(|&a| self.is_unsigned(terms, a)).collect();
                Some(all?.contains(&true))
            }
            _ => None,
        }
    }

    fn is_small(&self, terms: &Terms, t: TermId) -> bool {
        matches!(terms.term(t).op, Op::ZeroExtend(by) if by > 0) || self.counts(t)
    }
}
