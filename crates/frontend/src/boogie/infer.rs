//! Type inference by unification of sorts, within one expression, assignment or call.
//!
//! **Idea.** The unknown types of an expression are type variables like any others, except that [`Inference`] knows
//! them and may give them a value. All other type variables are rigid: the type parameters of the declaration that is
//! checked. Sorts with unknowns exist only until [`Inference::settle`] has given every unknown a value.
//!
//! Of an unknown that is indexed or concatenated a [`Shape`] is known, and each such use is recorded until the
//! unknown gets a value, which has to permit them all. A map may be polymorphic, so uses of one map at different
//! types do not contradict each other, and nothing is concluded from one use alone.
//!
//! Example: in `f(nil()) == 1` with `function f<a>(x: List a): a` and `function nil<a>(): List a`, the unknown of
//! `nil` is unified with that of `f`, and both with `int`.
//!
//! Polymorphic maps unify if their bodies do with their parameters matched by position. That suffices, since the
//! parameters are numbered in the order in which they occur, not in which they were declared.
//!
//! Unification uses a worklist instead of recursion, as a chain of a hundred thousand `++` is as deep as it is long.

use footpath_term::{Sort, SortId, Terms, TypeVarId};
use rustc_hash::FxHashMap;

/// What is known of an unknown type besides its uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// Nothing.
    Any,
    /// It is a map with so many indices.
    Map(usize),
    /// It is a bit-vector with at least so many bits.
    BitVec(u32),
}

impl Shape {
    /// What is known if both are.
    fn and(self, other: Shape) -> Option<Shape> {
        match (self, other) {
            (Shape::Any, shape) | (shape, Shape::Any) => Some(shape),
            (Shape::BitVec(m), Shape::BitVec(n)) => Some(Shape::BitVec(m.max(n))),
            _ => (self == other).then_some(self),
        }
    }
}

/// What an unknown of some shape was used for: a map was indexed, or a bit-vector made by concatenation.
#[derive(Clone, Debug)]
struct Use {
    /// The indices; or the two parts, the higher bits first.
    parts: Vec<SortId>,
    /// The element; or the whole.
    result: SortId,
}

#[derive(Clone, Debug)]
struct Unknown {
    value: Option<SortId>,
    shape: Shape,
    uses: Vec<Use>,
}

/// A change that can be undone.
enum Step {
    /// The variable got a value; if it is rigid, it is none of the unknowns.
    Value { variable: TypeVarId, rigid: bool },
    /// More became known of an unknown without a value. This was known before, with so many uses.
    Shape { variable: TypeVarId, before: Shape, uses: usize },
}

/// The unknown types and what is known of them.
#[derive(Default)]
pub(super) struct Inference {
    unknowns: FxHashMap<TypeVarId, Unknown>,
    trail: Vec<Step>,
    /// Whether rigid variables count as unknowns for now.
    all_unknown: bool,
}

impl Inference {
    /// A new unknown, called `name` in messages; without a name, no message speaks of it.
    pub fn fresh(&mut self, terms: &mut Terms, name: &str) -> SortId {
        let variable = terms.fresh_type_var(name);
        self.unknowns.insert(variable, Unknown { value: None, shape: Shape::Any, uses: Vec::new() });
        terms.mk_sort(Sort::Var(variable))
    }

    /// Forgets all unknowns.
    pub fn clear(&mut self) {
        self.unknowns.clear();
        self.trail.clear();
    }

    /// Unifies `a` and `b` if possible; returns whether it was. If not, nothing changes.
    pub fn unify(&mut self, terms: &mut Terms, a: SortId, b: SortId) -> bool {
        let mark = self.trail.len();
        let done = self.unify_all(terms, vec![(a, b)]);
        if !done {
            self.undo(mark);
        }
        done
    }

    /// Whether `a` and `b` could be made equal if rigid variables were unknowns too. Changes nothing.
    pub fn could_be_equal(&mut self, terms: &mut Terms, a: SortId, b: SortId) -> bool {
        let mark = self.trail.len();
        self.all_unknown = true;
        let possible = self.unify_all(terms, vec![(a, b)]);
        self.undo(mark);
        self.all_unknown = false;
        possible
    }

    fn undo(&mut self, mark: usize) {
        for step in self.trail.drain(mark..).rev() {
            match step {
                Step::Value { variable, rigid: true } => _ = self.unknowns.remove(&variable),
                Step::Value { variable, rigid: false } => {
                    self.unknowns.entry(variable).and_modify(|u| u.value = None);
                }
                Step::Shape { variable, before, uses } => {
                    self.unknowns.entry(variable).and_modify(|u| {
                        u.shape = before;
                        u.uses.truncate(uses);
                    });
                }
            }
        }
    }

    // ---- Uses of unknowns.

    /// Whether `sort` has or, being an unknown, may have the shape. Then it has from now on.
    pub fn narrow(&mut self, terms: &Terms, sort: SortId, shape: Shape) -> bool {
        let sort = self.resolve(terms, sort);
        match terms.sort_of(sort) {
            Sort::Var(v) if self.is_unknown(*v) => self.learn(*v, shape, Vec::new()),
            Sort::Map { domain, .. } => shape == Shape::Map(domain.len()),
            Sort::BitVec(width) => matches!(shape, Shape::BitVec(least) if least <= *width),
            _ => false,
        }
    }

    /// The element of an unknown map, which [`Inference::narrow`] was told, at indices of the given types.
    pub fn element(&mut self, terms: &mut Terms, map: SortId, indices: Vec<SortId>) -> SortId {
        let result = self.fresh(terms, "res");
        let arity = indices.len();
        self.record(terms, map, Shape::Map(arity), Use { parts: indices, result });
        result
    }

    /// The concatenation of two bit-vectors; `None` if they are none, or too wide together.
    pub fn concatenation(&mut self, terms: &mut Terms, high: SortId, low: SortId) -> Option<SortId> {
        if ![high, low].iter().all(|&part| self.narrow(terms, part, Shape::BitVec(0))) {
            return None;
        }
        let least = self.least_width(terms, high).checked_add(self.least_width(terms, low))?;
        let is_known = |sort: SortId| terms.width(self.resolve(terms, sort)).is_some();
        if is_known(high) && is_known(low) {
            return Some(terms.bit_vec_sort(least));
        }
        let whole = self.fresh(terms, "");
        self.record(terms, whole, Shape::BitVec(least), Use { parts: vec![high, low], result: whole });
        Some(whole)
    }

    fn record(&mut self, terms: &Terms, sort: SortId, shape: Shape, what: Use) {
        if let Sort::Var(variable) = terms.sort_of(self.resolve(terms, sort)) {
            self.learn(*variable, shape, vec![what]);
        }
    }

    /// Adds to what is known of an unknown without a value.
    fn learn(&mut self, variable: TypeVarId, shape: Shape, uses: Vec<Use>) -> bool {
        // A rigid variable that counts as unknown is one that nothing is known of.
        let Some(unknown) = self.unknowns.get_mut(&variable) else { return false };
        let Some(both) = unknown.shape.and(shape) else { return false };
        self.trail.push(Step::Shape { variable, before: unknown.shape, uses: unknown.uses.len() });
        unknown.shape = both;
        unknown.uses.extend(uses);
        true
    }

    /// How many bits a bit-vector has at least.
    fn least_width(&self, terms: &Terms, sort: SortId) -> u32 {
        match terms.sort_of(self.resolve(terms, sort)) {
            Sort::BitVec(width) => *width,
            Sort::Var(v) => match self.unknowns.get(v).map(|u| u.shape) {
                Some(Shape::BitVec(least)) => least,
                _ => 0,
            },
            _ => 0,
        }
    }

    // ---- Unification.

    fn is_unknown(&self, variable: TypeVarId) -> bool {
        self.all_unknown || self.unknowns.contains_key(&variable)
    }

    /// The sort itself, or what it is known to be if it is an unknown.
    pub fn resolve(&self, terms: &Terms, mut sort: SortId) -> SortId {
        while let Sort::Var(variable) = terms.sort_of(sort) {
            match self.unknowns.get(variable).and_then(|u| u.value) {
                Some(value) => sort = value,
                None => break,
            }
        }
        sort
    }

    /// Makes the sorts of every pair equal; on failure, some changes may have been made.
    fn unify_all(&mut self, terms: &mut Terms, mut pairs: Vec<(SortId, SortId)>) -> bool {
        while let Some((a, b)) = pairs.pop() {
            let (a, b) = (self.resolve(terms, a), self.resolve(terms, b));
            if a == b {
                continue;
            }
            let same = match (terms.sort_of(a).clone(), terms.sort_of(b).clone()) {
                (Sort::Var(v), Sort::Var(w)) if self.is_unknown(v) && self.is_unknown(w) => {
                    self.merge(terms, v, w)
                }
                (Sort::Var(v), _) if self.is_unknown(v) => self.bind(terms, v, b, &mut pairs),
                (_, Sort::Var(v)) if self.is_unknown(v) => self.bind(terms, v, a, &mut pairs),
                (Sort::Ctor(c, xs), Sort::Ctor(d, ys)) => {
                    pairs.extend(xs.into_iter().zip(ys).rev());
                    c == d
                }
                (
                    Sort::Map { params: m, domain: xs, range: x },
                    Sort::Map { params: n, domain: ys, range: y },
                ) => {
                    let same = m == n && xs.len() == ys.len();
                    pairs.push((x, y));
                    pairs.extend(xs.into_iter().zip(ys).rev());
                    same
                }
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }

    /// Makes two unknowns one: `v` if only of it something is known, or only it has a name; otherwise `w`.
    fn merge(&mut self, terms: &mut Terms, v: TypeVarId, w: TypeVarId) -> bool {
        let known = |x: &TypeVarId| self.unknowns.get(x).map_or((Shape::Any, 0), |u| (u.shape, u.uses.len()));
        let rank = |x: &TypeVarId| (known(x).0 != Shape::Any, !terms.type_var(*x).is_empty());
        let (gone, kept) = if rank(&v) > rank(&w) { (w, v) } else { (v, w) };
        let (shape, uses) = known(&gone);
        if shape != Shape::Any {
            let uses = if uses == 0 { Vec::new() } else { self.unknowns[&gone].uses.clone() };
            if !self.learn(kept, shape, uses) {
                return false;
            }
        }
        let kept = terms.mk_sort(Sort::Var(kept));
        self.set(gone, kept);
        true
    }

    fn set(&mut self, variable: TypeVarId, value: SortId) {
        let rigid = !self.unknowns.contains_key(&variable);
        let unknown = self.unknowns.entry(variable).or_insert(Unknown {
            value: None,
            shape: Shape::Any,
            uses: Vec::new(),
        });
        unknown.value = Some(value);
        self.trail.push(Step::Value { variable, rigid });
    }

    /// Assigns an unknown a value that is no unknown. The pairs that its uses require to be equal are added to
    /// `pairs`.
    fn bind(
        &mut self,
        terms: &mut Terms,
        variable: TypeVarId,
        value: SortId,
        pairs: &mut Vec<(SortId, SortId)>,
    ) -> bool {
        let shape = self.unknowns.get(&variable).map_or(Shape::Any, |u| u.shape);
        let fits = shape == Shape::Any || self.narrow(terms, value, shape);
        if !fits || !self.may_be(terms, variable, value, 0) {
            return false;
        }
        self.set(variable, value);
        let count = self.unknowns[&variable].uses.len();
        // The values of unknowns are not asked for their uses again, but undoing may take the value back.
        (0..count).rev().all(|number| {
            let Use { parts, result } = self.unknowns[&variable].uses[number].clone();
            match terms.sort_of(value).clone() {
                Sort::Map { params, domain, range } => {
                    let params: Vec<SortId> =
                        (0..params).map(|_| self.fresh(terms, "parameter of the map")).collect();
                    let mut instance = |sort| match params.is_empty() {
                        true => sort,
                        false => terms.instantiate_bound(sort, 0, &params),
                    };
                    pairs.push((instance(range), result));
                    pairs.extend(domain.into_iter().map(&mut instance).zip(parts).rev());
                    true
                }
                Sort::BitVec(width) => self.distribute(terms, width, parts[0], parts[1], pairs),
                _ => false,
            }
        })
    }

    /// Gives the parts of a concatenation their widths: the lower one as little as possible, as Boogie does.
    fn distribute(
        &self,
        terms: &mut Terms,
        width: u32,
        high: SortId,
        low: SortId,
        pairs: &mut Vec<(SortId, SortId)>,
    ) -> bool {
        let for_high = match terms.width(self.resolve(terms, high)) {
            Some(high) => Some(high),
            None => width.checked_sub(self.least_width(terms, low)),
        };
        let Some((for_high, for_low)) = for_high.and_then(|h| Some((h, width.checked_sub(h)?))) else {
            return false;
        };
        pairs.push((low, terms.bit_vec_sort(for_low)));
        pairs.push((high, terms.bit_vec_sort(for_high)));
        true
    }

    /// Whether `value` contains neither `variable` nor a parameter of a map around it.
    fn may_be(&self, terms: &Terms, variable: TypeVarId, value: SortId, depth: u32) -> bool {
        match terms.sort_of(self.resolve(terms, value)) {
            Sort::Var(v) => *v != variable,
            Sort::Bound { depth: d, .. } => *d < depth,
            Sort::Ctor(_, args) => args.iter().all(|&a| self.may_be(terms, variable, a, depth)),
            Sort::Map { params, domain, range } => {
                let inner = depth + u32::from(*params > 0);
                domain.iter().chain([range]).all(|&s| self.may_be(terms, variable, s, inner))
            }
            _ => true,
        }
    }

    /// Whether there are no unknowns.
    pub fn is_empty(&self) -> bool {
        self.unknowns.is_empty()
    }

    /// `sort` with every unknown replaced by what is known of it.
    pub fn known(&self, terms: &mut Terms, sort: SortId) -> SortId {
        if self.unknowns.is_empty() || !terms.has_type_vars(sort) {
            return sort;
        }
        let sort = self.resolve(terms, sort);
        match terms.sort_of(sort).clone() {
            Sort::Ctor(ctor, args) => {
                let args = args.into_iter().map(|a| self.known(terms, a)).collect();
                terms.mk_sort(Sort::Ctor(ctor, args))
            }
            Sort::Map { params, domain, range } => {
                let domain = domain.into_iter().map(|a| self.known(terms, a)).collect();
                let range = self.known(terms, range);
                terms.mk_sort(Sort::Map { params, domain, range })
            }
            _ => sort,
        }
    }

    // ---- Values for unknowns that nothing determines.

    /// Gives the unknowns in `sorts`, in which operands come first, values, as far as they have none: the most general
    /// map, as few bits as possible, `int`. Returns for each where it occurs first in `sorts`, its name and its value;
    /// `None` if bit-vectors cannot be as wide as their parts are together.
    pub fn settle(&mut self, terms: &mut Terms, sorts: &[SortId]) -> Option<Vec<(usize, String, SortId)>> {
        let mut open: Vec<(usize, TypeVarId)> = Vec::new();
        let mut last: FxHashMap<TypeVarId, usize> = FxHashMap::default();
        for (position, &sort) in sorts.iter().enumerate() {
            if !terms.has_type_vars(sort) {
                continue;
            }
            let mut found = Vec::new();
            let known = self.known(terms, sort);
            self.unknowns_of(terms, known, &mut found);
            for variable in found {
                if last.insert(variable, position).is_none() {
                    open.push((position, variable));
                }
            }
        }
        for &(_, variable) in &open {
            self.widen(terms, variable);
        }
        // A whole comes before its parts, which get their widths from it; it stands behind them.
        let mut order: Vec<TypeVarId> = open.iter().map(|&(_, variable)| variable).collect();
        order.sort_by_key(|variable| std::cmp::Reverse(last[variable]));
        for variable in order {
            let unknown = terms.mk_sort(Sort::Var(variable));
            if self.resolve(terms, unknown) != unknown {
                continue;
            }
            let value = match self.unknowns[&variable].shape {
                Shape::Any => SortId::INT,
                Shape::BitVec(least) => terms.bit_vec_sort(least),
                Shape::Map(arity) => {
                    let vars: Vec<TypeVarId> = (0..=arity).map(|_| terms.fresh_type_var("")).collect();
                    let sorts: Vec<SortId> = vars.iter().map(|&v| terms.mk_sort(Sort::Var(v))).collect();
                    terms.abstract_map_sort(&vars, &sorts[..arity], sorts[arity])
                }
            };
            if !self.unify(terms, unknown, value) {
                return None;
            }
        }
        let mut values = Vec::new();
        for (position, variable) in open {
            let unknown = terms.mk_sort(Sort::Var(variable));
            let value = self.known(terms, unknown);
            values.push((position, terms.type_var(variable).to_string(), value));
        }
        Some(values)
    }

    /// Makes an unknown bit-vector as wide as its parts, if these became wider.
    fn widen(&mut self, terms: &Terms, variable: TypeVarId) {
        let Unknown { shape: Shape::BitVec(least), uses, .. } = &self.unknowns[&variable] else { return };
        let together =
            |u: &Use| u.parts.iter().fold(0_u32, |sum, &p| sum.saturating_add(self.least_width(terms, p)));
        let least = uses.iter().map(together).fold(*least, u32::max);
        self.learn(variable, Shape::BitVec(least), Vec::new());
    }

    /// Adds the unknowns in a sort, once each.
    fn unknowns_of(&self, terms: &Terms, sort: SortId, found: &mut Vec<TypeVarId>) {
        match terms.sort_of(sort) {
            Sort::Var(v) if self.unknowns.contains_key(v) && !found.contains(v) => found.push(*v),
            Sort::Ctor(_, args) => args.iter().for_each(|&a| self.unknowns_of(terms, a, found)),
            Sort::Map { domain, range, .. } => {
                domain.iter().chain([range]).for_each(|&s| self.unknowns_of(terms, s, found));
            }
            _ => {}
        }
    }
}
