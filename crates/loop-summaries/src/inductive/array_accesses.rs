//! Places of array accesses in a canonical form: an array is an object of a map with one way of numbering its elements.
//!
//! **Idea.** In C, `a[i]` is the element of the memory at the object `a` and the offset `4·sext(i)`. Of the offset only `i` is
//! interesting; the layers around it, an extension and a product with the element's size, are the same for all accesses. So an
//! access is an array and a number, and two accesses with the same layers meet if and only if the numbers are equal, provided that
//! the layers are injective.
//!
//! Example: `a[i - 1]` and `a[k]` are elements of the array (memory, object `a`, sign extension, times 4), with the
//! numbers `i - 1` and `k`.
//!
//! **Direction of error.** None: where layers are not injective or differ, the indices themselves are compared.

use footpath_term::{Op, Sort, SymbolId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::Zero;

use super::segments::{Segment, Segments};

/// What is done to the number of an element to get an index of the map.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Layer {
    Extend(Op),
    Times(TermId),
    Plus(TermId),
}

/// An object in a map, and how its elements are numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Array {
    pub(super) map: SymbolId,
    /// All indices but the last one.
    pub(super) object: Vec<TermId>,
    /// Innermost first.
    layers: Vec<Layer>,
}

/// An element that is read or written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Access {
    pub(super) array: Array,
    /// The number of the element.
    pub(super) number: TermId,
}

impl Access {
    /// The access to a map at some indices; `None` if it has none.
    pub(super) fn of(terms: &mut Terms, map: SymbolId, indices: &[TermId]) -> Option<Access> {
        let (&last, object) = indices.split_last()?;
        let (layers, number) = layers(terms, last);
        Some(Access { array: Array { map, object: object.to_vec(), layers }, number })
    }

    /// The condition under which two accesses to the same map meet, as parts of a conjunction.
    pub(super) fn meets(&self, terms: &mut Terms, other: &Access) -> Vec<TermId> {
        let objects = self.array.object.iter().zip(&other.array.object);
        let mut parts: Vec<TermId> = objects.map(|(&a, &b)| terms.app(Op::Eq, [a, b])).collect();
        let sides = self.numbers(terms, other).or_else(|| other.numbers(terms, self));
        let sides =
            sides.unwrap_or_else(|| [self, other].map(|access| access.array.index(terms, access.number)));
        parts.push(terms.app(Op::Eq, sides));
        parts
    }

    /// The numbers that are equal if and only if the last indices are; `None` if nothing is known of that.
    fn numbers(&self, terms: &mut Terms, other: &Access) -> Option<[TermId; 2]> {
        if !self.array.is_injective(terms, self.number) {
            return None;
        }
        if self.array.layers == other.array.layers {
            return Some([self.number, other.number]);
        }
        let index = other.array.index(terms, other.number);
        let number = self.array.number_at(terms, self.number, index)?;
        Some([self.number, number])
    }

    /// The element, as a term over the map's symbol.
    pub(super) fn element(&self, terms: &mut Terms) -> TermId {
        let map = terms.var(self.array.map);
        self.of_map(terms, map)
    }

    /// The element of a value of the map.
    pub(super) fn of_map(&self, terms: &mut Terms, map: TermId) -> TermId {
        let index = self.array.index(terms, self.number);
        let args: Vec<TermId> =
            std::iter::once(map).chain(self.array.object.iter().copied()).chain([index]).collect();
        terms.app(Op::Select, args)
    }
}

impl Array {
    /// The index of the element with a number.
    fn index(&self, terms: &mut Terms, number: TermId) -> TermId {
        self.layers.iter().fold(number, |inner, layer| match layer {
            Layer::Extend(op) => terms.app(op.clone(), [inner]),
            Layer::Times(by) => terms.app(Op::BvMul, [inner, *by]),
            Layer::Plus(by) => terms.app(Op::BvAdd, [inner, *by]),
        })
    }

    /// The number of the element at an index that is a constant, if there is one; numbers have the sort of `like`.
    fn number_at(&self, terms: &mut Terms, like: TermId, index: TermId) -> Option<TermId> {
        let mut at = signed(terms, index)?;
        for layer in self.layers.iter().rev() {
            match layer {
                Layer::Extend(_) => {}
                Layer::Times(by) => at /= signed(terms, *by).filter(|by| !by.is_zero())?,
                Layer::Plus(by) => at -= signed(terms, *by)?,
            }
        }
        let number = terms.bit_vec(terms.width(terms.sort(like))?, at);
        (self.index(terms, number) == index).then_some(number)
    }

    /// Whether elements with different numbers have different indices.
    fn is_injective(&self, terms: &Terms, number: TermId) -> bool {
        let Some(width) = terms.width(terms.sort(number)) else { return true };
        let mut room = 0;
        self.layers.iter().all(|layer| match layer {
            Layer::Extend(Op::SignExtend(by) | Op::ZeroExtend(by)) => {
                room += by;
                true
            }
            Layer::Extend(_) => false,
            Layer::Plus(_) => true,
            // A number that fits into n bits, times one that fits into the bits added, does not wrap.
            Layer::Times(by) => bits(terms, *by).is_some_and(|by| {
                let fits = by.bits() <= u64::from(room) && !by.is_zero();
                room = 0;
                width > 0 && (fits || by.bit(0))
            }),
        })
    }

    /// Whether numbers are compared as signed ones, as far as the layers tell.
    pub(super) fn is_signed(&self) -> Option<bool> {
        self.layers.iter().find_map(|layer| match layer {
            Layer::Extend(Op::SignExtend(_)) => Some(true),
            Layer::Extend(_) => Some(false),
            _ => None,
        })
    }
}

/// The symbol under the stores of a map.
pub(super) fn base(terms: &Terms, mut map: TermId) -> Option<SymbolId> {
    loop {
        let term = terms.term(map);
        match term.op {
            Op::Store => map = term.args[0],
            Op::Var(symbol) => return is_array(terms, symbol).then_some(symbol),
            _ => return None,
        }
    }
}

/// Whether a symbol is a map with scalar elements.
fn is_array(terms: &Terms, symbol: SymbolId) -> bool {
    let Sort::Map { params: 0, range, .. } = *terms.sort_of(terms.symbol(symbol).sort) else { return false };
    matches!(terms.sort_of(range), Sort::Bool | Sort::Int | Sort::BitVec(_))
}

/// What loops write.
pub(super) struct Written(Vec<Access>);

impl Written {
    pub(super) fn of(terms: &mut Terms, segments: &Segments) -> Written {
        let between = segments.segments.iter().filter(|segment| segment.from.is_some());
        Written(between.flat_map(|segment| writes(terms, segment)).collect())
    }

    /// Whether an array is written.
    pub(super) fn contains(&self, access: &Access) -> bool {
        let is_it = |w: &Access| w.array.map == access.array.map && w.array.object == access.array.object;
        self.0.iter().any(is_it)
    }
}

/// The reads of a segment.
pub(super) fn reads(terms: &mut Terms, segment: &Segment) -> Vec<Access> {
    let mut roots = segment.conditions.clone();
    roots.extend(segment.state.entries().into_iter().map(|(_, value)| value));
    accesses(terms, &roots, &Op::Select)
}

/// The writes of a segment.
pub(super) fn writes(terms: &mut Terms, segment: &Segment) -> Vec<Access> {
    let roots: Vec<TermId> = segment.state.entries().into_iter().map(|(_, value)| value).collect();
    accesses(terms, &roots, &Op::Store)
}

/// The accesses below some terms, by reads or by writes.
pub(super) fn accesses(terms: &mut Terms, roots: &[TermId], op: &Op) -> Vec<Access> {
    let mut found: Vec<Access> = Vec::new();
    let order = terms.post_order(roots);
    // What a binder's variable is the index of is no one element.
    let mut bound: Vec<SymbolId> = Vec::new();
    for &t in &order {
        if let Op::Bind(binder) = &terms.term(t).op {
            bound.extend(&binder.vars);
        }
    }
    for t in order {
        let term = terms.term(t).clone();
        let Some(map) = (term.op == *op).then(|| base(terms, term.args[0])).flatten() else { continue };
        let end = term.args.len() - usize::from(term.op == Op::Store);
        let is_bound = terms.free_symbols(&term.args[1..end]).iter().any(|symbol| bound.contains(symbol));
        if let Some(access) = Access::of(terms, map, &term.args[1..end])
            && !is_bound
            && !found.contains(&access)
        {
            found.push(access);
        }
    }
    found
}

/// The layers of an index, and the number in them.
fn layers(terms: &mut Terms, index: TermId) -> (Vec<Layer>, TermId) {
    let term = terms.term(index).clone();
    match (&term.op, &term.args[..]) {
        (Op::SignExtend(_) | Op::ZeroExtend(_), &[inner]) => (vec![Layer::Extend(term.op)], inner),
        (Op::BvMul | Op::BvAdd, &[a, b]) => {
            let (inner, by) = match (terms.literal(a).is_some(), terms.literal(b).is_some()) {
                (false, true) => (a, b),
                (true, false) => (b, a),
                _ => return (Vec::new(), index),
            };
            let (mut outer, number) = layers(terms, inner);
            if term.op == Op::BvMul {
                outer.push(Layer::Times(by));
                return (outer, number);
            }
            match &outer[..] {
                // There is nothing to tell the summand from the number.
                [] => return (Vec::new(), index),
                [Layer::Times(size)] => {
                    if let Some(number) = carried(terms, number, by, *size) {
                        return (outer, number);
                    }
                }
                _ => {}
            }
            outer.push(Layer::Plus(by));
            (outer, number)
        }
        _ => (Vec::new(), index),
    }
}

/// The number that is `by / size` more, if the division has no remainder: `4·i - 4` is `4·(i - 1)`.
fn carried(terms: &mut Terms, number: TermId, by: TermId, size: TermId) -> Option<TermId> {
    let width = terms.width(terms.sort(number))?;
    let (by, size) = (signed(terms, by)?, signed(terms, size).filter(|size| !size.is_zero())?);
    let quotient = (&by % &size).is_zero().then(|| by / size)?;
    let more = terms.bit_vec(width, quotient);
    Some(terms.app(Op::BvAdd, [number, more]))
}

/// A literal as a signed number.
fn signed(terms: &Terms, literal: TermId) -> Option<BigInt> {
    let width = terms.width(terms.sort(literal))?;
    let bits = bits(terms, literal)?;
    let is_negative = width > 0 && bits.bit(u64::from(width) - 1);
    Some(if is_negative { bits - (BigInt::from(1) << width) } else { bits })
}

fn bits(terms: &Terms, literal: TermId) -> Option<BigInt> {
    match terms.literal(literal)? {
        Value::BitVec { bits, .. } => Some(BigInt::from(bits.clone())),
        _ => None,
    }
}
