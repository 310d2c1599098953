//! Places in C syntax: what a read of memory, or several cells of memory together, is called in the source.
//!
//! Memory of the program form is a map from objects and offsets to cells, which may be smaller than the numbers of the source. A
//! place is an object with an offset and a size: the member, element or variable there, or else a cell behind a cast.
//! Example: four cells of one byte from offset 4 on of an object of type `struct { int a, b; }` behind `p` are `p->b`.
//!
//! **Direction of error.** Cells inside of pointers have no name, as machines have other bits there.

use footpath_frontend::c::source::c_types::{CField, CType, CTypeId};
use footpath_simplify::{Dialect, Printed};
use footpath_term::{MapValue, Op, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::{CSyntax, Contents, Named};

impl CSyntax<'_> {
    /// The place at a byte of an object, in C, and the type of what is there, if that is one of the source's.
    pub(super) fn place(&self, object: &Named, offset: u64, grain: u64) -> (String, Option<CTypeId>) {
        self.place_as(object, offset, grain, false)
    }

    /// As [`Self::place`]; of the members of a union one that is a floating-point number, or one that is not, if there is one.
    pub(super) fn place_as(
        &self,
        object: &Named,
        offset: u64,
        grain: u64,
        float: bool,
    ) -> (String, Option<CTypeId>) {
        let types = &self.lowered.types;
        let name = &*object.indexable();
        let size = self.size(object.ty).max(1);
        let (index, rest) = if object.is_variable { (0, offset) } else { (offset / size, offset % size) };
        let single = object.count.is_none();
        let (whole, mut ty, mut inner) = match (object.is_variable, single, offset < size) {
            (true, ..) => (name.to_owned(), object.ty, rest),
            (false, true, true) => (format!("*{name}"), object.ty, rest),
            _ => (format!("{name}[{index}]"), object.ty, rest),
        };
        let mut text = whole.clone();
        let mut first = index == 0 && !object.is_variable;
        let mut element = self.size(ty);
        loop {
            match types.resolved(ty) {
                CType::Record { fields, is_union, .. } => {
                    let fits = |f: &&CField| {
                        f.bit_field.is_none() && !f.name.is_empty() && f.offset_bits / 8 <= inner
                    };
                    let suits =
                        |f: &&CField| fits(f) && self.size(f.ty) == grain && self.is_float(f.ty) == float;
                    let view = fields.iter().find(|f| *is_union && suits(f));
                    let Some(field) = view.or_else(|| fields.iter().rev().find(fits)) else { break };
                    text = match std::mem::take(&mut first) {
                        true => format!("{name}->{}", field.name),
                        false => format!("{text}.{}", field.name),
                    };
                    inner -= field.offset_bits / 8;
                    ty = field.ty;
                    element = self.size(ty);
                }
                CType::Array { element: of, .. } => {
                    element = self.size(*of).max(1);
                    text = format!("{text}[{}]", inner / element);
                    first = false;
                    inner %= element;
                    ty = *of;
                }
                _ => break,
            }
        }
        if inner == 0 && element == grain {
            return (text, Some(ty));
        }
        // The low part of a number is what a conversion leaves.
        let cell = self.integer(8 * grain as u32, true);
        if inner == 0 && element > grain && matches!(types.resolved(ty), CType::Int { .. }) {
            return (format!("({cell}){text}"), None);
        }
        // Another part of it, or more than it.
        let base = if index == 0 && !object.is_variable { object.name.clone() } else { format!("&{whole}") };
        (format!("(({cell} *){base})[{}]", (if index == 0 { offset } else { rest }) / grain.max(1)), None)
    }

    /// The object that a map holds at a number, as it is at entry.
    pub(super) fn object(&self, terms: &Terms, map: TermId, number: TermId) -> Option<&Named> {
        let number = terms.literal(number)?.as_u64()?;
        if let Op::Var(_) = terms.term(map).op {
            return self.objects.get(&number);
        }
        let (table, initial) = self.tables.get(&number)?;
        (contents(terms, map)?.get(&number)? == initial).then_some(table)
    }

    /// The C expression and type of a read at a known place of an object.
    pub(super) fn read(&self, terms: &Terms, t: TermId) -> Option<(String, Option<CTypeId>)> {
        let term = terms.term(t);
        let (Op::Select, &[map, number, offset]) = (&term.op, term.args.as_slice()) else { return None };
        let object = self.object(terms, map, number)?;
        let grain = object.grain?;
        match terms.literal(offset).and_then(Value::as_u64) {
            Some(offset) => {
                let (text, ty) = self.place(object, offset, grain);
                (ty.is_some() || !self.is_in_pointer(object, offset)).then_some((text, ty))
            }
            None => Some((String::new(), Some(self.element(terms, &term.args, grain, false)?.ty))),
        }
    }

    /// Whether a cell is a part of a pointer, of which the program form has other bits than machines.
    pub(super) fn is_in_pointer(&self, object: &Named, offset: u64) -> bool {
        let bytes = u64::from(self.lowered.shape.bits / 8);
        let (_, ty) = self.place(object, offset - offset % bytes, bytes);
        ty.is_some_and(|ty| self.is_pointer(ty))
    }

    /// An element of an array at an index that is not known, or a member of it of so many bytes.
    fn element(&self, terms: &Terms, args: &[TermId], bytes: u64, float: bool) -> Option<Element> {
        let &[map, number, offset] = args else { return None };
        let object = self.object(terms, map, number)?;
        let size = self.size(self.indexed(object)?).max(1);
        let (index, member) = scaled(terms, offset, size)?;
        let index = match terms.term(index).op {
            Op::SignExtend(_) => terms.term(index).args[0],
            _ => index,
        };
        // All elements are named alike.
        let (text, ty) = self.place_as(object, size + member, bytes, float);
        let before = format!("{}[", object.indexable());
        let behind = text.strip_prefix(&before)?.strip_prefix('1')?.to_owned();
        let ty = ty.filter(|ty| member == 0 || !self.is_pointer(*ty))?;
        Some(Element { before, index, behind, ty })
    }

    /// The type of `name[i]`.
    pub(super) fn indexed(&self, object: &Named) -> Option<CTypeId> {
        match self.lowered.types.resolved(object.ty) {
            _ if !object.is_variable => Some(object.ty),
            CType::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// The number of the source that a smaller cell is a part of: its place, its type and its value.
    pub(super) fn whole_number(
        &self,
        object: &Named,
        number: &Value,
        offset: u64,
        map: &MapValue,
    ) -> Option<(String, CTypeId, Value)> {
        let grain = object.grain?;
        [2u64, 4, 8].into_iter().filter(|bytes| *bytes > grain).find_map(|bytes| {
            let first = offset - offset % bytes;
            let (place, ty) = self.place(object, first, bytes);
            let ty = ty.filter(|ty| !self.is_pointer(*ty))?;
            let mut all = BigInt::from(0);
            for at in (0..bytes / grain).rev().map(|i| first + i * grain) {
                let at = Value::bit_vec(self.lowered.shape.offset, &at.into());
                let Value::BitVec { width, bits } = map.get(&[number.clone(), at]) else { return None };
                all = (all << width) | BigInt::from(bits.clone());
            }
            Some((place, ty, Value::bit_vec(8 * bytes as u32, &all)))
        })
    }

    /// A variable, or what is read from a place that has a name.
    pub(super) fn named(
        &self,
        terms: &Terms,
        t: TermId,
        inner: &dyn Fn(TermId) -> Printed,
    ) -> Option<Printed> {
        let term = terms.term(t);
        let (text, ty) = match term.op {
            Op::Var(s) => {
                let (name, ty) = self.names.get(&s)?;
                (Printed::atom(name.clone()), *ty)
            }
            _ => {
                let (text, ty) = self.read(terms, t)?;
                let text = match text.is_empty() {
                    false => Printed::new(text, if ty.is_some() { 12 } else { 11 }),
                    true => {
                        let grain = self.object(terms, term.args[0], term.args[1])?.grain?;
                        let Element { before, index, behind, .. } =
                            self.element(terms, &term.args, grain, false)?;
                        Printed::atom(format!("{before}{}{behind}", inner(index).text))
                    }
                };
                (text, ty)
            }
        };
        // A length is a number with a sign, a cell of memory without a type is one without.
        let unsigned = ty.map_or(!matches!(term.op, Op::Var(_)), |ty| self.unsigned(ty));
        if !ty.is_some_and(|ty| self.is_pointer(ty) || self.is_float(ty)) {
            self.atoms.borrow_mut().note(&text.text, t, unsigned);
        }
        Some(text)
    }

    /// A number that has a name, and whether C reads it without a sign: a variable, what is read from memory, several cells
    /// of memory that are one number, or the bits of a floating-point number.
    pub(crate) fn number_as_named(
        &self,
        terms: &Terms,
        t: TermId,
        inner: &dyn Fn(TermId) -> Printed,
    ) -> Option<(Printed, bool)> {
        let term = terms.term(t);
        let (text, ty) = match term.op {
            Op::Concat => {
                let (text, ty) = self.joined_cells(terms, t, false, Some(inner))?;
                (Printed::atom(text), ty)
            }
            Op::Var(s) => (self.named(terms, t, inner)?, self.names.get(&s)?.1),
            Op::Select => (self.named(terms, t, inner)?, self.read(terms, t)?.1),
            _ => return None,
        };
        if ty.is_some_and(|ty| self.is_pointer(ty)) {
            return None;
        }
        let (text, unsigned) = match ty {
            Some(ty) if self.is_float(ty) => {
                let (float, bits) = match terms.width(term.sort)? {
                    32 => ("float", self.integer(32, true)),
                    _ => ("double", self.integer(64, true)),
                };
                let text = format!("((union {{ {float} number; {bits} bits; }}){{ {} }}).bits", text.text);
                (Printed::atom(text), true)
            }
            Some(ty) => (text, self.unsigned(ty)),
            None => (text, !matches!(term.op, Op::Var(_))),
        };
        self.atoms.borrow_mut().note(&text.text, t, unsigned);
        Some((text, unsigned))
    }

    /// The place of cells of memory that are put together as one number; at an index that is not known only with `inner`, the text
    /// of that.
    pub(crate) fn joined_cells(
        &self,
        terms: &Terms,
        t: TermId,
        float: bool,
        inner: Option<&dyn Fn(TermId) -> Printed>,
    ) -> Option<(String, Option<CTypeId>)> {
        let mut cells = Vec::new();
        let mut todo = vec![t];
        while let Some(part) = todo.pop() {
            let term = terms.term(part);
            match term.op {
                Op::Concat => todo.extend(term.args.iter().rev()),
                Op::Select => cells.push(part),
                _ => return None,
            }
        }
        let cell = |t: TermId| {
            let &[map, number, offset] = terms.term(t).args.as_slice() else { return None };
            let (from, bytes) = parted(terms, offset);
            Some((map, number, from, bytes))
        };
        // The low ones last, as machines have the low bytes first.
        let lowest = *cells.last()?;
        let (map, number, from, first) = cell(lowest)?;
        let object = self.object(terms, map, number)?;
        let grain = object.grain?;
        for (i, &part) in cells.iter().rev().enumerate() {
            if cell(part)? != (map, number, from, first + i as u64 * grain) {
                return None;
            }
        }
        let bytes = grain * cells.len() as u64;
        if from.is_some() {
            let inner = inner?;
            let Element { before, index, behind, ty } =
                self.element(terms, &terms.term(lowest).args, bytes, float)?;
            return Some((format!("{before}{}{behind}", inner(index).text), Some(ty)));
        }
        let (text, ty) = self.place_as(object, first, bytes, float);
        // Bytes of an object without a type are joined as the source joins them, by a pointer of another type.
        (ty.is_some() || object.is_bytes() && !float).then_some((text, ty))
    }
}

/// The contents of each object in a map, if all writes to it are known.
pub(super) fn contents(terms: &Terms, mut map: TermId) -> Option<FxHashMap<u64, Contents>> {
    let mut all: FxHashMap<u64, Contents> = FxHashMap::default();
    loop {
        let term = terms.term(map);
        match (&term.op, term.args.as_slice()) {
            (Op::Var(_), _) => return Some(all),
            (Op::Store, &[before, number, offset, value]) => {
                let [number, offset] = [number, offset].map(|t| terms.literal(t).and_then(Value::as_u64));
                // What was written last is there.
                let cells = all.entry(number?).or_default();
                cells.entry(offset?).or_insert(terms.literal(value)?.clone());
                map = before;
            }
            _ => return None,
        }
    }
}

/// An element at an index that is not known, or a member of it.
struct Element {
    /// The text before the index, and the one behind it.
    before: String,
    behind: String,
    index: TermId,
    ty: CTypeId,
}

/// The index behind an offset that is a multiple of a size and a number that is smaller, and that number.
pub(super) fn scaled(terms: &Terms, offset: TermId, size: u64) -> Option<(TermId, u64)> {
    if size == 1 {
        return Some((offset, 0));
    }
    let (multiple, rest) = parted(terms, offset);
    let index = multiple.filter(|_| rest < size)?;
    Some((factor(terms, index, size)?, rest))
}

/// What an offset is beside a number, and the number.
fn parted(terms: &Terms, offset: TermId) -> (Option<TermId>, u64) {
    let value = |t: TermId| terms.literal(t).and_then(Value::as_u64);
    let term = terms.term(offset);
    match (&term.op, term.args.as_slice()) {
        (Op::BvAdd, &[a, b]) => match (value(a), value(b)) {
            (Some(n), None) => (Some(b), n),
            (None, Some(n)) => (Some(a), n),
            _ => (Some(offset), 0),
        },
        _ => value(offset).map_or((Some(offset), 0), |n| (None, n)),
    }
}

/// What a term is so many times.
fn factor(terms: &Terms, product: TermId, size: u64) -> Option<TermId> {
    let term = terms.term(product);
    let value = |t: TermId| terms.literal(t).and_then(Value::as_u64).and_then(|n| n.to_u64());
    match term.op {
        Op::BvMul if term.args.len() == 2 && value(term.args[0]) == Some(size) => Some(term.args[1]),
        Op::BvMul if term.args.len() == 2 && value(term.args[1]) == Some(size) => Some(term.args[0]),
        Op::BvShl if value(term.args[1]).is_some_and(|n| n < 63 && 1 << n == size) => Some(term.args[0]),
        _ => None,
    }
}
