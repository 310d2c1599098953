//! Model extraction: values in Z3's models as values of terms.
//!
//! A map is returned as stores on a constant array, as a function of the model (`as-array`), or as a lambda; the last
//! two are read as far as they are finite case distinctions on the indices. Elements of uninterpreted sorts get
//! numbers: an element that some term mentions keeps its number, all others get the smallest numbers that are free,
//! in the order in which they are found. A number means the same element as long as the model lasts, also in terms
//! whose value is asked for ([`Numbering::universe`]).
//!
//! **Example.** The lambda over `i` with the body `(ite (= i 3) 7 0)` is the map with 7 at 3 and 0 elsewhere.
//!
//! **Direction of error.** What cannot be read (an irrational number, a map by a formula) is `None`, never an
//! approximation. There is one NaN value, the quiet positive one.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use footpath_term::{MapValue, RoundingMode, Sort as TermSort, SortId, Terms, Value};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ffi::{Ast, Context, Decl, Sort, View, kind, sort_kind};
use super::translate::Translator;

const MODES: [RoundingMode; 5] = [
    RoundingMode::NearestEven,
    RoundingMode::NearestAway,
    RoundingMode::TowardPositive,
    RoundingMode::TowardNegative,
    RoundingMode::TowardZero,
];

/// The numbers of the elements of one model.
#[derive(Default)]
pub(super) struct Numbering {
    numbers: FxHashMap<usize, u32>,
    used: FxHashMap<SortId, FxHashSet<u32>>,
    universe: FxHashMap<(SortId, u32), Ast>,
}

impl Numbering {
    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.used.clear();
        self.universe.clear();
    }

    /// How many elements have numbers.
    pub(super) fn len(&self) -> usize {
        self.universe.len()
    }

    /// The model's own constant for an element that [`decode`] numbered.
    pub(super) fn universe(&self, sort: SortId, number: u32) -> Option<Ast> {
        self.universe.get(&(sort, number)).copied()
    }

    fn note(&mut self, ctx: &Context, sort: SortId, number: u32, a: Ast) {
        self.numbers.insert(ctx.key(a), number);
        self.used.entry(sort).or_default().insert(number);
        self.universe.insert((sort, number), a);
    }
}

pub(super) struct Decoder<'a> {
    pub(super) ctx: &'a mut Context,
    pub(super) translator: &'a Translator,
    pub(super) terms: &'a Terms,
    pub(super) numbering: &'a mut Numbering,
}

impl Decoder<'_> {
    /// The value that an expression without variables denotes; `sort` where it is known.
    pub(super) fn decode(&mut self, a: Ast, sort: Option<SortId>) -> Option<Value> {
        if let Some(id) = sort
            && let TermSort::Map { params: 0, domain, range } = self.terms.sort_of(id)
            && domain.is_empty()
        {
            let element = self.decode(a, Some(*range))?;
            return Some(Value::Map(Arc::new(MapValue::constant(id, element))));
        }
        let z3_sort = self.ctx.sort_of(a).ok()?;
        match self.ctx.sort_kind(z3_sort) {
            sort_kind::BOOL => match self.ctx.view(a).ok()? {
                View::App { kind: kind::TRUE, .. } => Some(Value::Bool(true)),
                View::App { kind: kind::FALSE, .. } => Some(Value::Bool(false)),
                _ => None,
            },
            sort_kind::INT => Some(Value::Int(self.ctx.numeral_text(a)?.parse().ok()?)),
            sort_kind::REAL => Some(Value::Real(rational(&self.ctx.numeral_text(a)?)?)),
            sort_kind::BV => {
                let bits = self.ctx.numeral_text(a)?.parse().ok()?;
                Some(Value::BitVec { width: self.ctx.bv_width(z3_sort), bits })
            }
            sort_kind::FLOAT => self.float(a, z3_sort),
            sort_kind::ROUNDING_MODE => match self.ctx.view(a).ok()? {
                View::App { kind: k @ kind::RNE..=kind::RTZ, .. } => {
                    Some(Value::RoundingMode(MODES[(k - kind::RNE) as usize]))
                }
                _ => None,
            },
            sort_kind::SEQ => Some(Value::String(self.ctx.string_text(a)?.into())),
            sort_kind::UNINTERPRETED => {
                let sort = self.translator.sort_id(z3_sort)?;
                Some(Value::Element { sort, number: self.element(a, sort)? })
            }
            sort_kind::DATATYPE if self.translator.is_unit(z3_sort) => {
                Some(Value::BitVec { width: 0, bits: BigUint::ZERO })
            }
            sort_kind::DATATYPE => {
                let View::App { decl, kind: kind::DT_CONSTRUCTOR, args } = self.ctx.view(a).ok()? else {
                    return None;
                };
                let f = self.translator.constructor_of(decl)?;
                let sort = sort.or_else(|| self.translator.sort_id(z3_sort))?;
                let sorts = self.terms.field_sorts(f, sort)?;
                let fields = args.into_iter().zip(sorts).map(|(a, sort)| self.decode(a, Some(sort)));
                Some(Value::Datatype(f, fields.collect::<Option<_>>()?))
            }
            sort_kind::ARRAY => {
                let id = sort.or_else(|| self.translator.sort_id(z3_sort))?;
                Some(Value::Map(Arc::new(self.array(a, id)?)))
            }
            _ => None,
        }
    }

    fn float(&mut self, a: Ast, sort: Sort) -> Option<Value> {
        let (exponent, significand) = self.ctx.float_format(sort);
        let bits = match self.ctx.float_bits(a).ok()? {
            Some(bits) => self.ctx.numeral_text(bits)?.parse().ok()?,
            None => ((BigUint::from(1u32) << (exponent + 1)) - 1u32) << (significand - 2),
        };
        Some(Value::Float { exponent, significand, bits })
    }

    fn element(&mut self, a: Ast, sort: SortId) -> Option<u32> {
        if let Entry::Vacant(used) = self.numbering.used.entry(sort) {
            used.insert(FxHashSet::default());
            for &(number, constant) in self.translator.elements(sort) {
                let universe = self.ctx.eval(constant).ok()?;
                self.numbering.note(self.ctx, sort, number, universe);
            }
        }
        if let Some(&n) = self.numbering.numbers.get(&self.ctx.key(a)) {
            return Some(n);
        }
        // Only the model's own constants are values.
        if !matches!(self.ctx.view(a).ok()?, View::App { args, .. } if args.is_empty()) {
            return None;
        }
        let used = &self.numbering.used[&sort];
        let number = (0..).find(|n| !used.contains(n))?;
        self.numbering.note(self.ctx, sort, number, a);
        Some(number)
    }

    fn array(&mut self, mut a: Ast, sort: SortId) -> Option<MapValue> {
        let TermSort::Map { domain, range, .. } = self.terms.sort_of(sort) else { return None };
        let mut stores: Vec<(Vec<Value>, Value)> = Vec::new();
        let mut map = loop {
            match self.ctx.view(a).ok()? {
                View::App { kind: kind::STORE, args, .. } => {
                    let (&element, rest) = args.split_last()?;
                    let (&array, index) = rest.split_first()?;
                    stores.push((self.index(index, domain)?, self.decode(element, Some(*range))?));
                    a = array;
                }
                View::App { kind: kind::CONST_ARRAY, args, .. } => {
                    break MapValue::constant(sort, self.decode(args[0], Some(*range))?);
                }
                View::App { kind: kind::AS_ARRAY, .. } => {
                    let f = self.ctx.as_array_function(a).ok()?;
                    break self.function(f, sort, domain, *range)?;
                }
                View::Lambda { vars, body } => {
                    // The innermost variable is the last index.
                    let position = |i: u32| vars.checked_sub(i + 1).map(|p| p as usize);
                    break self.cases(body, sort, domain, *range, &position)?;
                }
                _ => return None,
            }
        };
        for (index, element) in stores.into_iter().rev() {
            map.set(index, element);
        }
        Some(map)
    }

    fn index(&mut self, index: &[Ast], domain: &[SortId]) -> Option<Vec<Value>> {
        index.iter().zip(domain).map(|(&i, &d)| self.decode(i, Some(d))).collect()
    }

    fn function(&mut self, f: Decl, sort: SortId, domain: &[SortId], range: SortId) -> Option<MapValue> {
        let found = self.ctx.interpretation(f).ok()?;
        let mut map = self.cases(found.otherwise?, sort, domain, range, &|i| Some(i as usize))?;
        for (index, element) in found.entries {
            let index = self.index(&index, domain)?;
            let element = self.decode(element, Some(range))?;
            map.set(index, element);
        }
        Some(map)
    }

    /// The map given by nested `ite`s whose conditions determine indices.
    fn cases(
        &mut self,
        mut body: Ast,
        sort: SortId,
        domain: &[SortId],
        range: SortId,
        position: &dyn Fn(u32) -> Option<usize>,
    ) -> Option<MapValue> {
        let mut cases = Vec::new();
        while let View::App { kind: kind::ITE, args, .. } = self.ctx.view(body).ok()? {
            let mut condition = args[0];
            let (mut then, mut otherwise) = (args[1], args[2]);
            while let View::App { kind: kind::NOT, args, .. } = self.ctx.view(condition).ok()? {
                condition = args[0];
                std::mem::swap(&mut then, &mut otherwise);
            }
            let element = self.decode(then, Some(range))?;
            for index in self.indices(condition, domain, position)? {
                cases.push((index, element.clone()));
            }
            body = otherwise;
        }
        let mut map = MapValue::constant(sort, self.decode(body, Some(range))?);
        for (index, element) in cases.into_iter().rev() {
            map.set(index, element);
        }
        Some(map)
    }

    /// The indices that satisfy a disjunction of conjunctions of equations `variable = value`.
    fn indices(
        &mut self,
        condition: Ast,
        domain: &[SortId],
        position: &dyn Fn(u32) -> Option<usize>,
    ) -> Option<Vec<Vec<Value>>> {
        if let View::App { kind: kind::OR, args, .. } = self.ctx.view(condition).ok()? {
            let each =
                args.into_iter().map(|a| self.indices(a, domain, position)).collect::<Option<Vec<_>>>()?;
            return Some(each.concat());
        }
        let mut found: Vec<Option<Value>> = vec![None; domain.len()];
        let mut stack = vec![condition];
        while let Some(c) = stack.pop() {
            match self.ctx.view(c).ok()? {
                View::App { kind: kind::AND, args, .. } => stack.extend(args),
                View::App { kind: kind::EQ, args, .. } => {
                    let (var, value) = match (self.ctx.view(args[0]).ok()?, self.ctx.view(args[1]).ok()?) {
                        (View::Bound(i), _) => (i, args[1]),
                        (_, View::Bound(i)) => (i, args[0]),
                        _ => return None,
                    };
                    let place = position(var)?;
                    let value = self.decode(value, Some(*domain.get(place)?))?;
                    if found[place].as_ref().is_some_and(|v| *v != value) {
                        return Some(vec![]);
                    }
                    found[place] = Some(value);
                }
                View::Bound(i) => {
                    let place = position(i)?;
                    if domain.get(place) != Some(&SortId::BOOL) {
                        return None;
                    }
                    found[place] = Some(Value::Bool(true));
                }
                _ => return None,
            }
        }
        Some(vec![found.into_iter().collect::<Option<Vec<_>>>()?])
    }
}

/// Reads `5`, `-5/3` or `0.5`.
pub(crate) fn rational(text: &str) -> Option<BigRational> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let whole = |s: &str| s.trim().parse::<BigInt>().ok();
    let denominator = whole(denominator)?;
    if denominator == BigInt::ZERO {
        return None;
    }
    Some(BigRational::new(whole(numerator)?, denominator))
}
