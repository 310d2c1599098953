//! Hash consing: an arena in which equal terms have equal indices, in layers.
//!
//! [`Terms`] owns sorts, symbols, function declarations and terms, each named by a small index; a term or sort that
//! exists already is found by its hash and not stored again. An arena may be a layer on a frozen one
//! ([`Terms::layer`]): indices below the boundary belong to the base, so a procedure can be analysed on a separate
//! thread without copying what the whole program shares, and all terms that the analysis built are dropped with its
//! layer.
//!
//! **Example.** `x + 1` that is built twice has one [`TermId`], so comparing two terms is comparing two numbers, and
//! a term is a graph with shared subterms.
//!
//! [`Terms::mk`] builds a term as it is; [`Terms::app`](crate::Terms::app) builds it simplified.
//!
//! **Direction of error.** None. [`Terms::mk`] trusts the sort that its caller gives.

use std::sync::Arc;

use indexmap::IndexSet;
use num_bigint::BigInt;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::{Binder, BinderKind, Op, Sort, SortCtor, SortCtorId, SortId, TypeVarId, Value};

/// The id of a term in [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(u32);

/// The id of a variable: of the program, an incarnation of one, or bound by a quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(u32);

/// The id of a function declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncId(pub u32);

impl TermId {
    /// The position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SymbolId {
    /// The position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The arguments of a term.
pub type Args = SmallVec<[TermId; 3]>;

/// An operator applied to arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// The head.
    pub op: Op,
    /// The arguments.
    pub args: Args,
    /// The sort of the whole.
    pub sort: SortId,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name, for messages; it need not be unique.
    pub name: Arc<str>,
    /// Its sort.
    pub sort: SortId,
}

/// The kind of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FuncKind {
    /// An uninterpreted function, described only by axioms; if it has a definition, the program keeps it.
    Uninterpreted,
    /// A symbol of a solver's theory that [`Op`] does not have, by its SMT-LIB text (`fp.add`, `(_ repeat 2)`).
    Builtin(Arc<str>),
    /// Constructor of a datatype.
    Constructor,
    /// Selects field number `field` of a value built by `constructor`; any value for other constructors.
    Selector {
        /// The constructor.
        constructor: FuncId,
        /// The field, from 0.
        field: u32,
    },
    /// Whether a value was built by `constructor`.
    Tester {
        /// The constructor.
        constructor: FuncId,
    },
}

/// A declared function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuncDecl {
    /// The name in the source.
    pub name: Arc<str>,
    /// Type parameters; each occurs in `params` or `result`.
    pub type_params: Vec<TypeVarId>,
    /// Sorts of the parameters.
    pub params: Vec<SortId>,
    /// Sort of the result.
    pub result: SortId,
    /// The kind of function.
    pub kind: FuncKind,
}

/// The arena of sorts, symbols, functions and terms.
#[derive(Clone, Default)]
pub struct Terms {
    base: Option<Arc<Terms>>,
    sorts: Layer<IndexSet<Sort, FxBuildHasher>>,
    terms: Layer<IndexSet<Term, FxBuildHasher>>,
    /// The extent of each term of this layer.
    extents: Vec<Extent>,
    symbols: Layer<Vec<Symbol>>,
    functions: Layer<Vec<FuncDecl>>,
    ctors: Layer<Vec<SortCtor>>,
    type_vars: Layer<Vec<Arc<str>>>,
    symbol_terms: FxHashMap<SymbolId, TermId>,
}

/// Terms with more nodes than this (shared ones counted each time) are not evaluated by recursion.
const MOST_NODES: u32 = 2_000;
/// Terms that nest deeper than this are not evaluated by recursion.
const MOST_DEPTH: u32 = 200;

/// The size of a term as a tree; a binder counts as one node.
#[derive(Clone, Copy)]
struct Extent {
    nodes: u32,
    depth: u32,
}

/// The items of one layer; the first of them has the index `start`.
#[derive(Clone, Default)]
struct Layer<C> {
    start: u32,
    items: C,
}

impl Terms {
    /// An arena with the sorts `bool`, `int` and `real` only.
    pub fn new() -> Terms {
        let mut terms = Terms::default();
        for sort in [Sort::Bool, Sort::Int, Sort::Real] {
            terms.mk_sort(sort);
        }
        terms
    }

    /// An arena that starts with all that `base` holds.
    pub fn layer(base: Arc<Terms>) -> Terms {
        let mut terms = Terms::default();
        terms.sorts.start = base.sorts.start + base.sorts.items.len() as u32;
        terms.terms.start = base.terms.start + base.terms.items.len() as u32;
        terms.symbols.start = base.symbols.start + base.symbols.items.len() as u32;
        terms.functions.start = base.functions.start + base.functions.items.len() as u32;
        terms.ctors.start = base.ctors.start + base.ctors.items.len() as u32;
        terms.type_vars.start = base.type_vars.start + base.type_vars.items.len() as u32;
        terms.base = Some(base);
        terms
    }

    /// The term with an id.
    pub fn term(&self, id: TermId) -> &Term {
        let mut layer = self;
        while id.0 < layer.terms.start {
            layer = layer.below();
        }
        &layer.terms.items[(id.0 - layer.terms.start) as usize]
    }

    /// Whether a term should not be evaluated by recursion: it is deep, or it has so much sharing that subterms would
    /// be evaluated again and again. The body of a binder does not count, as binders are evaluated as a whole.
    pub fn is_large(&self, id: TermId) -> bool {
        let Extent { nodes, depth } = self.extent(id);
        nodes > MOST_NODES || depth > MOST_DEPTH
    }

    fn extent(&self, id: TermId) -> Extent {
        let mut layer = self;
        while id.0 < layer.terms.start {
            layer = layer.below();
        }
        layer.extents[(id.0 - layer.terms.start) as usize]
    }

    fn measured(&self, term: &Term) -> Extent {
        let mut all = Extent { nodes: 1, depth: 1 };
        for &a in term.args.iter().filter(|_| !matches!(term.op, Op::Bind(_))) {
            let part = self.extent(a);
            all.nodes = all.nodes.saturating_add(part.nodes);
            all.depth = all.depth.max(part.depth.saturating_add(1));
        }
        all
    }

    /// The term of a symbol, if it was built before.
    pub fn find_var(&self, symbol: SymbolId) -> Option<TermId> {
        self.find(&Term { op: Op::Var(symbol), args: Args::new(), sort: self.symbol(symbol).sort })
    }

    fn find(&self, term: &Term) -> Option<TermId> {
        let mut layer = Some(self);
        while let Some(here) = layer {
            if let Some(i) = here.terms.items.get_index_of(term) {
                return Some(TermId(here.terms.start + i as u32));
            }
            layer = here.base.as_deref();
        }
        None
    }

    /// The sort with an id.
    pub fn sort_of(&self, id: SortId) -> &Sort {
        let mut layer = self;
        while id.0 < layer.sorts.start {
            layer = layer.below();
        }
        &layer.sorts.items[(id.0 - layer.sorts.start) as usize]
    }

    /// The symbol with an id.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        let mut layer = self;
        while id.0 < layer.symbols.start {
            layer = layer.below();
        }
        &layer.symbols.items[(id.0 - layer.symbols.start) as usize]
    }

    /// The declaration of a function.
    pub fn function(&self, id: FuncId) -> &FuncDecl {
        let mut layer = self;
        while id.0 < layer.functions.start {
            layer = layer.below();
        }
        &layer.functions.items[(id.0 - layer.functions.start) as usize]
    }

    /// The declaration of a type constructor.
    pub fn ctor(&self, id: SortCtorId) -> &SortCtor {
        let mut layer = self;
        while id.0 < layer.ctors.start {
            layer = layer.below();
        }
        &layer.ctors.items[(id.0 - layer.ctors.start) as usize]
    }

    /// The name of a type variable.
    pub fn type_var(&self, id: TypeVarId) -> &str {
        let mut layer = self;
        while id.0 < layer.type_vars.start {
            layer = layer.below();
        }
        &layer.type_vars.items[(id.0 - layer.type_vars.start) as usize]
    }

    fn below(&self) -> &Terms {
        self.base.as_deref().expect("a layer that does not start at 0 has a base")
    }

    /// The sort of a term.
    pub fn sort(&self, id: TermId) -> SortId {
        self.term(id).sort
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.start as usize + self.terms.items.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many sorts there are.
    pub(crate) fn sort_count(&self) -> u32 {
        self.sorts.start + self.sorts.items.len() as u32
    }

    /// How many symbols there are.
    pub(crate) fn symbol_count(&self) -> u32 {
        self.symbols.start + self.symbols.items.len() as u32
    }

    /// All functions declared so far.
    pub fn functions(&self) -> impl Iterator<Item = FuncId> + use<> {
        (0..self.functions.start + self.functions.items.len() as u32).map(FuncId)
    }

    /// All type constructors declared so far.
    pub fn ctors(&self) -> impl Iterator<Item = SortCtorId> + use<> {
        (0..self.ctors.start + self.ctors.items.len() as u32).map(SortCtorId)
    }

    // ---- declaring ----

    /// The id of a sort, which is created if it does not exist.
    pub fn mk_sort(&mut self, sort: Sort) -> SortId {
        self.find_sort(&sort).unwrap_or_else(|| {
            let (i, _) = self.sorts.items.insert_full(sort);
            SortId(self.sorts.start + i as u32)
        })
    }

    /// The id of a sort, if it exists.
    pub fn find_sort(&self, sort: &Sort) -> Option<SortId> {
        let mut layer = Some(self);
        while let Some(here) = layer {
            if let Some(i) = here.sorts.items.get_index_of(sort) {
                return Some(SortId(here.sorts.start + i as u32));
            }
            layer = here.base.as_deref();
        }
        None
    }

    /// The sort of bit-vectors of `width` bits.
    pub fn bit_vec_sort(&mut self, width: u32) -> SortId {
        self.mk_sort(Sort::BitVec(width))
    }

    /// The sort of maps without type parameters.
    pub fn map_sort(&mut self, domain: Vec<SortId>, range: SortId) -> SortId {
        self.mk_sort(Sort::Map { params: 0, domain, range })
    }

    /// Declares a type constructor.
    pub fn declare_ctor(&mut self, name: impl Into<Arc<str>>, arity: u32) -> SortCtorId {
        self.ctors.items.push(SortCtor { name: name.into(), arity, constructors: Vec::new() });
        SortCtorId(self.ctors.start + self.ctors.items.len() as u32 - 1)
    }

    /// Makes a type constructor of this layer an algebraic datatype.
    ///
    /// # Panics
    /// If `id` was declared in a frozen layer.
    pub fn set_constructors(&mut self, id: SortCtorId, constructors: Vec<FuncId>) {
        self.ctors.items[(id.0 - self.ctors.start) as usize].constructors = constructors;
    }

    /// Declares a type variable, different from all others.
    pub fn fresh_type_var(&mut self, name: impl Into<Arc<str>>) -> TypeVarId {
        self.type_vars.items.push(name.into());
        TypeVarId(self.type_vars.start + self.type_vars.items.len() as u32 - 1)
    }

    /// Declares a function.
    pub fn declare_function(&mut self, decl: FuncDecl) -> FuncId {
        self.functions.items.push(decl);
        FuncId(self.functions.start + self.functions.items.len() as u32 - 1)
    }

    /// Declares a symbol, different from all others, whatever its name.
    pub fn fresh_symbol(&mut self, name: impl Into<Arc<str>>, sort: SortId) -> SymbolId {
        self.symbols.items.push(Symbol { name: name.into(), sort });
        SymbolId(self.symbols.start + self.symbols.items.len() as u32 - 1)
    }

    // ---- building, as it is ----

    /// The term `op(args)` of sort `sort`, without simplification. The caller is responsible for the sort; the other
    /// methods compute it.
    pub fn mk(&mut self, op: Op, args: impl IntoIterator<Item = TermId>, sort: SortId) -> TermId {
        self.intern(Term { op, args: args.into_iter().collect(), sort })
    }

    fn intern(&mut self, term: Term) -> TermId {
        if let Some(known) = self.base.as_deref().and_then(|base| base.find(&term)) {
            return known;
        }
        let (i, is_new) = self.terms.items.insert_full(term);
        if is_new {
            let extent = self.measured(&self.terms.items[i]);
            self.extents.push(extent);
        }
        TermId(self.terms.start + i as u32)
    }

    /// The term of a symbol.
    pub fn var(&mut self, symbol: SymbolId) -> TermId {
        if let Some(&t) = self.symbol_terms.get(&symbol) {
            return t;
        }
        let sort = self.symbol(symbol).sort;
        let t = self.mk(Op::Var(symbol), [], sort);
        self.symbol_terms.insert(symbol, t);
        t
    }

    /// A fresh symbol as a term.
    pub fn fresh_var(&mut self, name: impl Into<Arc<str>>, sort: SortId) -> TermId {
        let symbol = self.fresh_symbol(name, sort);
        self.var(symbol)
    }

    /// `true` or `false`.
    pub fn bool(&mut self, b: bool) -> TermId {
        self.mk(Op::Literal(Value::Bool(b)), [], SortId::BOOL)
    }

    /// An integer literal.
    pub fn int(&mut self, n: impl Into<BigInt>) -> TermId {
        self.mk(Op::Literal(Value::Int(n.into())), [], SortId::INT)
    }

    /// The bit-vector literal `n` modulo `2^width`.
    pub fn bit_vec(&mut self, width: u32, n: impl Into<BigInt>) -> TermId {
        self.value(&Value::bit_vec(width, &n.into()))
    }

    /// A bit-vector extended to `width` bits, which is no less than its own width.
    pub fn extend(&mut self, t: TermId, width: u32, signed: bool) -> TermId {
        match width - self.width(self.sort(t)).unwrap_or(width) {
            0 => t,
            more if signed => self.app(Op::SignExtend(more), [t]),
            more => self.app(Op::ZeroExtend(more), [t]),
        }
    }

    /// A value as a term. A map becomes stores on a constant map; an element of an uninterpreted sort, and
    /// everything else, a literal.
    pub fn value(&mut self, value: &Value) -> TermId {
        match value {
            Value::Map(m) => {
                let default = self.value(&m.default);
                let mut map = self.mk(Op::ConstMap, [default], m.sort);
                for (index, element) in &m.entries {
                    let mut args = Args::from_elem(map, 1);
                    for i in index {
                        args.push(self.value(i));
                    }
                    args.push(self.value(element));
                    map = self.mk(Op::Store, args, m.sort);
                }
                map
            }
            Value::Lambda(map) => {
                let captured =
                    map.captured.iter().map(|(symbol, value)| (*symbol, self.value(value))).collect();
                let mut term = self.substitute(map.term, &captured);
                for (index, value) in &map.entries {
                    let parts = index.iter().chain([value]);
                    let args: Args = std::iter::once(term).chain(parts.map(|v| self.value(v))).collect();
                    term = self.mk(Op::Store, args, map.sort);
                }
                term
            }
            Value::Datatype(constructor, fields) => {
                let args: Args = fields.iter().map(|f| self.value(f)).collect();
                let sorts: Vec<SortId> = args.iter().map(|&a| self.sort(a)).collect();
                let sort =
                    self.apply_sort(*constructor, &sorts).unwrap_or(self.function(*constructor).result);
                self.mk(Op::Apply(*constructor), args, sort)
            }
            _ => {
                let sort = self.value_sort(value);
                self.mk(Op::Literal(value.clone()), [], sort)
            }
        }
    }

    /// The sort of a value that is not of a datatype.
    fn value_sort(&mut self, value: &Value) -> SortId {
        match value {
            Value::Bool(_) => SortId::BOOL,
            Value::Int(_) => SortId::INT,
            Value::Real(_) => SortId::REAL,
            Value::BitVec { width, .. } => self.bit_vec_sort(*width),
            Value::Float { exponent, significand, .. } => {
                self.mk_sort(Sort::Float { exponent: *exponent, significand: *significand })
            }
            Value::RoundingMode(_) => self.mk_sort(Sort::RoundingMode),
            Value::String(_) => self.mk_sort(Sort::String),
            Value::Element { sort, .. } => *sort,
            Value::Map(m) => m.sort,
            Value::Lambda(m) => m.sort,
            Value::Datatype(c, _) => self.function(*c).result,
        }
    }

    /// The term `op(args)` with the sort that the operator gives it. For [`Op::Literal`], [`Op::Apply`] of a
    /// function whose result does not follow from its arguments, [`Op::Bind`] of a lambda and
    /// [`Op::ConstMap`] use [`Terms::mk`].
    pub fn raw(&mut self, op: Op, args: impl IntoIterator<Item = TermId>) -> TermId {
        let args: Args = args.into_iter().collect();
        let sort = self.result_sort(&op, &args);
        self.intern(Term { op, args, sort })
    }

    /// A quantifier over `body`. `triggers` and `nopats` as [`Binder`] counts them.
    pub fn bind(
        &mut self,
        mut binder: Binder,
        body: TermId,
        triggers: &[Vec<TermId>],
        nopats: &[TermId],
    ) -> TermId {
        binder.triggers = triggers.iter().map(|t| t.len() as u32).collect();
        binder.nopats = nopats.len() as u32;
        let sort = match binder.kind {
            BinderKind::Forall | BinderKind::Exists => SortId::BOOL,
            BinderKind::Lambda => self.lambda_sort(&binder, body),
        };
        let mut args = Args::from_elem(body, 1);
        args.extend(triggers.iter().flatten().copied());
        args.extend(nopats.iter().copied());
        self.mk(Op::Bind(Arc::new(binder)), args, sort)
    }

    fn lambda_sort(&mut self, binder: &Binder, body: TermId) -> SortId {
        let domain: Vec<SortId> = binder.vars.iter().map(|&v| self.symbol(v).sort).collect();
        let range = self.sort(body);
        self.abstract_map_sort(&binder.type_vars, &domain, range)
    }

    /// The sort of maps `<vars>[domain]range`, where `vars` occur as [`Sort::Var`].
    pub fn abstract_map_sort(&mut self, vars: &[TypeVarId], domain: &[SortId], range: SortId) -> SortId {
        let domain = domain.iter().map(|&s| self.bind_sort_vars(s, vars, 0)).collect();
        let range = self.bind_sort_vars(range, vars, 0);
        self.mk_sort(Sort::Map { params: vars.len() as u32, domain, range })
    }

    fn bind_sort_vars(&mut self, sort: SortId, vars: &[TypeVarId], depth: u32) -> SortId {
        if vars.is_empty() {
            return sort;
        }
        self.rebuild_sort(sort, depth, &mut |_, s, depth| match s {
            Sort::Var(v) => {
                let index = vars.iter().position(|w| w == v)?;
                Some(Sort::Bound { depth, index: index as u32 })
            }
            _ => None,
        })
    }

    /// Rebuilds a sort bottom-up; `leaf` may replace any part, given the number of map binders around it.
    pub(crate) fn rebuild_sort(
        &mut self,
        sort: SortId,
        depth: u32,
        leaf: &mut impl FnMut(&mut Terms, &Sort, u32) -> Option<Sort>,
    ) -> SortId {
        let s = self.sort_of(sort).clone();
        if let Some(replaced) = leaf(self, &s, depth) {
            return self.mk_sort(replaced);
        }
        match s {
            Sort::Ctor(c, args) if !args.is_empty() => {
                let args = args.into_iter().map(|a| self.rebuild_sort(a, depth, leaf)).collect();
                self.mk_sort(Sort::Ctor(c, args))
            }
            Sort::Map { params, domain, range } => {
                let inner = depth + u32::from(params > 0);
                let domain = domain.into_iter().map(|a| self.rebuild_sort(a, inner, leaf)).collect();
                let range = self.rebuild_sort(range, inner, leaf);
                self.mk_sort(Sort::Map { params, domain, range })
            }
            _ => sort,
        }
    }

    /// Replaces the parameters of the binder `depth` levels out by `arguments`.
    pub fn instantiate_bound(&mut self, sort: SortId, depth: u32, arguments: &[SortId]) -> SortId {
        let arguments = arguments.to_vec();
        self.rebuild_sort(sort, depth, &mut |terms, s, depth| match s {
            Sort::Bound { depth: d, index } if *d == depth => {
                Some(terms.sort_of(arguments[*index as usize]).clone())
            }
            _ => None,
        })
    }

    /// The result sort of a function for arguments of the given sorts; `None` if they do not fit, or do not determine
    /// the result.
    pub fn apply_sort(&mut self, function: FuncId, args: &[SortId]) -> Option<SortId> {
        let decl = self.function(function);
        if decl.type_params.is_empty() {
            return (decl.params == args).then_some(decl.result);
        }
        let (params, result) = (decl.params.clone(), decl.result);
        let mut found = FxHashMap::default();
        for (&p, &a) in params.iter().zip(args) {
            if !self.match_sort(p, a, &mut found) {
                return None;
            }
        }
        let sort = self.substitute_sort(result, &found);
        Some(sort)
    }

    /// Matches `pattern` with `actual` and records the sorts of the pattern's type variables; a variable that was
    /// matched before must match the same sort.
    pub fn match_sort(
        &self,
        pattern: SortId,
        actual: SortId,
        found: &mut FxHashMap<TypeVarId, SortId>,
    ) -> bool {
        match (self.sort_of(pattern), self.sort_of(actual)) {
            (Sort::Var(v), _) => *found.entry(*v).or_insert(actual) == actual,
            (Sort::Ctor(c, ps), Sort::Ctor(d, actuals)) => {
                c == d && ps.iter().zip(actuals).all(|(&p, &a)| self.match_sort(p, a, found))
            }
            (
                Sort::Map { params: m, domain: pd, range: pr },
                Sort::Map { params: n, domain: ad, range: ar },
            ) => {
                m == n
                    && pd.len() == ad.len()
                    && pd.iter().zip(ad).all(|(&p, &a)| self.match_sort(p, a, found))
                    && self.match_sort(*pr, *ar, found)
            }
            _ => pattern == actual,
        }
    }

    /// Whether a sort mentions a type variable.
    pub fn has_type_vars(&self, sort: SortId) -> bool {
        match self.sort_of(sort) {
            Sort::Var(_) => true,
            Sort::Ctor(_, args) => args.iter().any(|&a| self.has_type_vars(a)),
            Sort::Map { domain, range, .. } => {
                domain.iter().any(|&a| self.has_type_vars(a)) || self.has_type_vars(*range)
            }
            _ => false,
        }
    }

    /// The width of a bit-vector sort.
    pub fn width(&self, sort: SortId) -> Option<u32> {
        match self.sort_of(sort) {
            Sort::BitVec(w) => Some(*w),
            _ => None,
        }
    }

    /// The value of a literal.
    pub fn literal(&self, id: TermId) -> Option<&Value> {
        match &self.term(id).op {
            Op::Literal(v) => Some(v),
            _ => None,
        }
    }

    /// The truth value of a boolean literal.
    pub fn as_bool(&self, id: TermId) -> Option<bool> {
        self.literal(id).and_then(Value::as_bool)
    }

    /// The sort of `op(args)`.
    ///
    /// # Panics
    /// If the arguments do not fit the operator: terms from users are checked by the front ends.
    pub fn result_sort(&mut self, op: &Op, args: &[TermId]) -> SortId {
        let arg = |i: usize| self.sort(args[i]);
        match op {
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Eq | Op::Distinct => SortId::BOOL,
            Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Subtype => SortId::BOOL,
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => SortId::BOOL,
            Op::Ite => arg(1),
            Op::Neg | Op::Add | Op::Sub | Op::Mul => arg(0),
            Op::IntDiv | Op::Mod | Op::ToInt | Op::BvToInt => SortId::INT,
            Op::RealDiv | Op::Pow | Op::ToReal => SortId::REAL,
            Op::BvNot | Op::BvNeg | Op::BvAnd | Op::BvOr | Op::BvXor => arg(0),
            Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvUdiv | Op::BvUrem => arg(0),
            Op::BvSdiv | Op::BvSrem | Op::BvSmod | Op::BvShl | Op::BvLshr | Op::BvAshr => arg(0),
            Op::RotateLeft(_) | Op::RotateRight(_) => arg(0),
            Op::Concat => {
                let width = args.iter().map(|&a| self.width(self.sort(a)).expect("a bit-vector")).sum();
                self.bit_vec_sort(width)
            }
            // Boogie's `x[i:i]` has width 0.
            Op::Extract(hi, lo) => self.bit_vec_sort((hi + 1).saturating_sub(*lo)),
            Op::ZeroExtend(n) | Op::SignExtend(n) => {
                let width = self.width(arg(0)).expect("a bit-vector") + n;
                self.bit_vec_sort(width)
            }
            Op::IntToBv(n) => self.bit_vec_sort(*n),
            Op::Select => {
                let indices: Vec<SortId> = args[1..].iter().map(|&a| self.sort(a)).collect();
                let map = arg(0);
                self.element_sort(map, &indices).expect("a map and its indices")
            }
            Op::Store => arg(0),
            Op::Var(s) => self.symbol(*s).sort,
            Op::Literal(v) => self.value_sort(&v.clone()),
            Op::Apply(f) => {
                let sorts: Vec<SortId> = args.iter().map(|&a| self.sort(a)).collect();
                self.apply_sort(*f, &sorts).expect("arguments that fit the function")
            }
            Op::Bind(b) => match b.kind {
                BinderKind::Lambda => self.lambda_sort(&b.clone(), args[0]),
                _ => SortId::BOOL,
            },
            Op::ConstMap => panic!("the sort of a constant map does not follow from its element"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_have_equal_indices_across_layers() {
        let mut base = Terms::new();
        let x = base.fresh_var("x", SortId::INT);
        let one = base.int(1);
        let sum = base.raw(Op::Add, [x, one]);
        let mut upper = Terms::layer(Arc::new(base));
        let again = upper.int(1);
        assert_eq!(one, again);
        assert_eq!(sum, upper.raw(Op::Add, [x, again]));
        let two = upper.int(2);
        let new = upper.raw(Op::Add, [x, two]);
        assert_eq!(upper.display(new).to_string(), "(+ x 2)");
        assert_eq!(upper.sort(new), SortId::INT);
    }
}
