//! Translation of terms and sorts to Z3.
//!
//! Terms are graphs, nested as deep as programs are long, so the traversal is iterative and every term is translated
//! once; translations are kept when levels of assertions are opened and closed. Declarations belong to the context
//! and not to a level.
//!
//! What has no counterpart in Z3:
//!
//! - A bit-vector of no bits is the only value of a datatype with one constant. Every term of that sort is that
//!   constant.
//! - A map over several indices is a Z3 array over several indices; one over no index is its element.
//! - An element of an uninterpreted sort is a constant. That different elements differ is an assertion that belongs
//!   to no level: it is kept in `side`, and so are the definitions of the literals that represent assumptions.
//! - A function of a solver's theory that is known by its text only is parsed once, applied to constants, and then
//!   instantiated: `(_ to_fp 8 24) RNE` works as well as `fp.add`.
//!
//! **Direction of error.** A trigger that Z3 rejects is dropped, with all others of its quantifier: that changes no
//! meaning, only what Z3 finds. Type variables and polymorphic maps are refused.

use footpath_term::{
    Binder, BinderKind, FuncId, FuncKind, Op, RoundingMode, Sort as TermSort, SortCtorId, SortId, SymbolId,
    TermId, Terms, TypeVarId, Value,
};
use rustc_hash::FxHashMap;

use super::ffi::{self, Ast, Constructor, ConstructorSpec, Context, Decl, Sort, View};
use super::tables::Table;
use crate::groups::groups;
use crate::solver::Unsupported;

type Result<T> = std::result::Result<T, Unsupported>;
type Instance = (FuncId, Vec<Sort>, Sort);

/// A family of datatypes with more instances than this is treated as infinite.
const DATATYPES: usize = 1000;

impl From<ffi::Error> for Unsupported {
    fn from(e: ffi::Error) -> Unsupported {
        Unsupported(format!("this (Z3 says: {})", e.0.trim()))
    }
}

pub(super) struct DatatypeConstructor {
    make: Decl,
    test: Decl,
    fields: Vec<Decl>,
    field_sorts: Vec<Sort>,
}

#[derive(Default)]
pub(super) struct Translator {
    terms: Vec<Option<Ast>>,
    symbols: FxHashMap<SymbolId, Ast>,
    sorts: FxHashMap<SortId, Sort>,
    /// The sort ids, by Z3's sorts.
    sort_ids: FxHashMap<Sort, SortId>,
    ctor_sorts: FxHashMap<(SortCtorId, Vec<Sort>), Sort>,
    unit: Option<(Sort, Ast)>,
    /// Datatypes that were named and are not declared yet.
    pending: Vec<(SortCtorId, Vec<Sort>, String)>,
    declaring: bool,
    /// The datatypes that were mentioned while others are declared.
    mentioned: Vec<Sort>,
    /// For each sort that occurs as the argument of a datatype, the datatypes that it mentions: a field of that sort
    /// mentions them, too.
    inside: FxHashMap<Sort, Vec<Sort>>,
    constructors: FxHashMap<(FuncId, Sort), DatatypeConstructor>,
    constructor_ids: FxHashMap<Decl, FuncId>,
    functions: FxHashMap<FuncId, Decl>,
    instances: FxHashMap<Instance, Decl>,
    templates: FxHashMap<Instance, (Ast, Vec<Ast>)>,
    constant_arrays: FxHashMap<Sort, Decl>,
    subtypes: FxHashMap<Sort, Decl>,
    elements: FxHashMap<SortId, Vec<(u32, Ast)>>,
    stand_ins: FxHashMap<TermId, Ast>,
    /// Reads of tables that are being translated.
    tables: FxHashMap<TermId, Table>,
    /// Assertions that belong to no level.
    pub(super) side: Vec<Ast>,
    floats: bool,
    names: u32,
}

impl Translator {
    fn name(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}!{}", self.names)
    }

    // ---- sorts ----

    pub(super) fn sort(&mut self, ctx: &mut Context, terms: &Terms, id: SortId) -> Result<Sort> {
        self.sort_with(ctx, terms, id, &FxHashMap::default())
    }

    /// The sort id of one of Z3's sorts, if it was translated.
    pub(super) fn sort_id(&self, sort: Sort) -> Option<SortId> {
        self.sort_ids.get(&sort).copied()
    }

    pub(super) fn is_unit(&self, sort: Sort) -> bool {
        self.unit.is_some_and(|(s, _)| s == sort)
    }

    pub(super) fn constructor_of(&self, decl: Decl) -> Option<FuncId> {
        self.constructor_ids.get(&decl).copied()
    }

    /// The elements of an uninterpreted sort that terms mention.
    pub(super) fn elements(&self, sort: SortId) -> &[(u32, Ast)] {
        self.elements.get(&sort).map_or(&[], Vec::as_slice)
    }

    pub(super) fn element_count(&self) -> usize {
        self.elements.values().map(Vec::len).sum()
    }

    pub(super) fn all_elements(&self) -> impl Iterator<Item = (SortId, u32, Ast)> + '_ {
        self.elements.iter().flat_map(|(&s, list)| list.iter().map(move |&(n, a)| (s, n, a)))
    }

    fn sort_with(
        &mut self,
        ctx: &mut Context,
        terms: &Terms,
        id: SortId,
        types: &FxHashMap<TypeVarId, Sort>,
    ) -> Result<Sort> {
        // A declaration must hear of the datatypes in the sort.
        if let Some(&s) = self.sorts.get(&id).filter(|_| !self.declaring) {
            return Ok(s);
        }
        let sort = match terms.sort_of(id) {
            TermSort::BitVec(0) => self.unit(ctx)?.0,
            TermSort::Ctor(c, args) => {
                let argument = |&a| {
                    let before = self.mentioned.len();
                    let sort = self.sort_with(ctx, terms, a, types)?;
                    self.inside.insert(sort, self.mentioned.split_off(before));
                    Ok(sort)
                };
                let args = args.iter().map(argument).collect::<Result<_>>()?;
                let sort = self.ctor_sort(ctx, terms, *c, args)?;
                if self.declaring {
                    self.mentioned.push(sort);
                }
                sort
            }
            TermSort::Map { params: 0, domain, range } => {
                let domain = domain
                    .iter()
                    .map(|&d| self.sort_with(ctx, terms, d, types))
                    .collect::<Result<Vec<_>>>()?;
                let range = self.sort_with(ctx, terms, *range, types)?;
                if domain.is_empty() { range } else { ctx.array_sort(&domain, range)? }
            }
            TermSort::Var(v) if types.contains_key(v) => {
                self.mentioned.extend(self.inside.get(&types[v]).into_iter().flatten());
                return Ok(types[v]);
            }
            TermSort::Map { .. } | TermSort::Var(_) | TermSort::Bound { .. } => {
                return Err(Unsupported(format!("the polymorphic type {}", terms.display_sort(id))));
            }
            basic => {
                self.floats |= matches!(basic, TermSort::Float { .. });
                ctx.basic_sort(basic)?
            }
        };
        if !terms.has_type_vars(id) {
            if !self.declaring {
                self.sorts.insert(id, sort);
            }
            let shadow = matches!(terms.sort_of(id), TermSort::Map { domain, .. } if domain.is_empty());
            if !shadow {
                self.sort_ids.entry(sort).or_insert(id);
            }
        }
        Ok(sort)
    }

    fn unit(&mut self, ctx: &mut Context) -> Result<(Sort, Ast)> {
        if let Some(unit) = self.unit {
            return Ok(unit);
        }
        let spec = ConstructorSpec { name: "bv0!value".to_owned(), fields: vec![] };
        let (sort, constructors) = ctx.datatypes(&[("bv0!sort".to_owned(), vec![spec])])?.remove(0);
        let value = ctx.apply(constructors[0].make, &[])?;
        self.unit = Some((sort, value));
        Ok((sort, value))
    }

    fn ctor_sort(
        &mut self,
        ctx: &mut Context,
        terms: &Terms,
        ctor: SortCtorId,
        args: Vec<Sort>,
    ) -> Result<Sort> {
        let key = (ctor, args);
        if let Some(&s) = self.ctor_sorts.get(&key) {
            return Ok(s);
        }
        let name = self.name(&terms.ctor(ctor).name);
        if terms.ctor(ctor).constructors.is_empty() {
            let sort = ctx.uninterpreted_sort(&name)?;
            self.ctor_sorts.insert(key, sort);
            return Ok(sort);
        }
        let sort = ctx.forward_sort(&name)?;
        self.ctor_sorts.insert(key.clone(), sort);
        self.pending.push((key.0, key.1, name));
        if !self.declaring {
            self.declaring = true;
            let declared = self.declare_datatypes(ctx, terms);
            self.declaring = false;
            let pending = std::mem::take(&mut self.pending);
            if let Err(e) = declared {
                for (c, args, _) in pending {
                    let first = terms.ctor(c).constructors[0];
                    let key = (c, args);
                    if !self.constructors.contains_key(&(first, self.ctor_sorts[&key])) {
                        self.ctor_sorts.remove(&key);
                    }
                }
                return Err(e);
            }
        }
        Ok(sort)
    }

    /// Declares all pending datatypes; their fields make more pending.
    fn declare_datatypes(&mut self, ctx: &mut Context, terms: &Terms) -> Result<()> {
        let mut specs = Vec::new();
        let mut field_sorts = Vec::new();
        let mut mentions = Vec::new();
        let mut next = 0;
        while next < self.pending.len() {
            if next > DATATYPES {
                return Err(Unsupported("a datatype with infinitely many instances".to_owned()));
            }
            let (ctor, args, name) = self.pending[next].clone();
            next += 1;
            self.mentioned.clear();
            let (mut constructors, mut fields_of) = (Vec::new(), Vec::new());
            for &f in &terms.ctor(ctor).constructors {
                let decl = terms.function(f);
                let mut types = FxHashMap::default();
                if let TermSort::Ctor(_, params) = terms.sort_of(decl.result) {
                    for (&p, &a) in params.iter().zip(&args) {
                        if let TermSort::Var(v) = terms.sort_of(p) {
                            types.insert(*v, a);
                        }
                    }
                }
                let sorts = decl
                    .params
                    .iter()
                    .map(|&p| self.sort_with(ctx, terms, p, &types))
                    .collect::<Result<Vec<_>>>()?;
                let constructor = self.name(&decl.name);
                let fields =
                    sorts.iter().enumerate().map(|(i, &s)| (format!("{constructor}.{i}"), s)).collect();
                constructors.push(ConstructorSpec { name: constructor, fields });
                fields_of.push(sorts);
            }
            specs.push((name, constructors));
            field_sorts.push(fields_of);
            mentions.push(std::mem::take(&mut self.mentioned));
        }
        let sorts: Vec<Sort> =
            self.pending.iter().map(|(ctor, args, _)| self.ctor_sorts[&(*ctor, args.clone())]).collect();
        let at = |sort: &Sort| sorts.iter().position(|s| s == sort);
        let needs: Vec<Vec<usize>> = mentions.iter().map(|m| m.iter().filter_map(at).collect()).collect();
        for group in groups(&needs) {
            let together: Vec<_> = group.iter().map(|&i| specs[i].clone()).collect();
            for (&i, (sort, constructors)) in group.iter().zip(ctx.datatypes(&together)?) {
                if sort != sorts[i] {
                    return Err(Unsupported("mutually recursive datatypes".to_owned()));
                }
                let ctor = self.pending[i].0;
                self.declared(terms, ctor, sort, constructors, std::mem::take(&mut field_sorts[i]));
            }
        }
        Ok(())
    }

    /// Records the constructors of a datatype that was declared, and the sorts of their fields.
    fn declared(
        &mut self,
        terms: &Terms,
        ctor: SortCtorId,
        sort: Sort,
        constructors: Vec<Constructor>,
        field_sorts: Vec<Vec<Sort>>,
    ) {
        let functions = &terms.ctor(ctor).constructors;
        for ((made, field_sorts), &f) in constructors.into_iter().zip(field_sorts).zip(functions) {
            self.constructor_ids.insert(made.make, f);
            let Constructor { make, test, fields } = made;
            self.constructors.insert((f, sort), DatatypeConstructor { make, test, fields, field_sorts });
        }
    }

    fn constructor(&self, terms: &Terms, f: FuncId, sort: Sort) -> Result<&DatatypeConstructor> {
        self.constructors
            .get(&(f, sort))
            .ok_or_else(|| Unsupported(format!("the constructor {} at this type", terms.function(f).name)))
    }

    // ---- terms ----

    /// Whether any translated term involved floating-point numbers.
    pub(super) fn has_floats(&self) -> bool {
        self.floats
    }

    /// The translation of a term that was translated before, alone or as part of another.
    pub(super) fn done(&self, t: TermId) -> Option<Ast> {
        self.terms.get(t.index()).copied().flatten()
    }

    pub(super) fn translate(&mut self, ctx: &mut Context, terms: &Terms, root: TermId) -> Result<Ast> {
        if let Some(a) = self.done(root) {
            return Ok(a);
        }
        if self.terms.len() < terms.len() {
            self.terms.resize(terms.len(), None);
        }
        let mut stack = vec![(root, false)];
        let mut args: Vec<Ast> = Vec::new();
        while let Some((t, expanded)) = stack.pop() {
            if self.done(t).is_some() {
                continue;
            }
            let term = terms.term(t);
            if let Some(table) = self.tables.remove(&t) {
                self.terms[t.index()] = Some(self.table(ctx, terms, t, &table)?);
            } else if expanded || term.args.is_empty() {
                args.clear();
                args.extend(term.args.iter().map(|&a| self.done(a).expect("arguments come first")));
                let ast = self.build(ctx, terms, t, &args)?;
                self.terms[t.index()] = Some(ast);
            } else if let Some(table) = (term.op == Op::Select).then(|| Table::of(terms, t)).flatten() {
                stack.push((t, true));
                stack.extend(table.terms().map(|a| (a, false)));
                stack.extend(term.args[1..].iter().map(|&a| (a, false)));
                self.tables.insert(t, table);
            } else {
                stack.push((t, true));
                stack.extend(term.args.iter().rev().map(|&a| (a, false)));
            }
        }
        Ok(self.done(root).expect("the walk ends with the root"))
    }

    /// The result of a `select` in a table.
    fn table(&mut self, ctx: &mut Context, terms: &Terms, t: TermId, table: &Table) -> Result<Ast> {
        let done = |t: TermId| self.done(t).expect("its terms come first");
        let indices = &terms.term(t).args[1..];
        let mut args = vec![done(table.rest)];
        args.extend(indices.iter().map(|&index| done(index)));
        let below = ctx.operator(&Op::Select, &args)?;
        let last = indices[indices.len() - 1];
        let width = terms.width(terms.sort(last)).expect("an index of a table is a bit-vector");
        Ok(table.read(ctx, done(last), width, below, &done)?)
    }

    fn build(&mut self, ctx: &mut Context, terms: &Terms, t: TermId, args: &[Ast]) -> Result<Ast> {
        let term = terms.term(t);
        let width = |t: TermId| terms.width(terms.sort(t));
        if width(t) == Some(0) {
            return Ok(self.unit(ctx)?.1);
        }
        let no_bits = term.args.first().is_some_and(|&a| width(a) == Some(0));
        match &term.op {
            Op::Literal(v) => {
                let sort = self.sort(ctx, terms, term.sort)?;
                self.literal(ctx, terms, v, sort)
            }
            Op::Var(s) => self.symbol(ctx, terms, *s),
            Op::Apply(f) => self.apply(ctx, terms, t, *f, args),
            Op::Bind(b) => self.bind(ctx, terms, b, args, term.args[0]),
            Op::And | Op::Or if args.is_empty() => Ok(ctx.boolean(term.op == Op::And)?),
            Op::Distinct if args.len() < 2 => Ok(ctx.boolean(true)?),
            Op::Add | Op::Mul if args.is_empty() => {
                let sort = self.sort(ctx, terms, term.sort)?;
                Ok(ctx.numeral(if term.op == Op::Add { "0" } else { "1" }, sort)?)
            }
            Op::Eq if term.args.windows(2).any(|p| terms.sort(p[0]) != terms.sort(p[1])) => {
                Err(Unsupported("an equation between values of different types".to_owned()))
            }
            Op::Eq if args.len() != 2 => {
                let pairs =
                    args.windows(2).map(|p| ctx.operator(&Op::Eq, p)).collect::<ffi::Result<Vec<_>>>()?;
                if pairs.is_empty() { Ok(ctx.boolean(true)?) } else { Ok(ctx.operator(&Op::And, &pairs)?) }
            }
            Op::Concat => {
                let some: Vec<Ast> = args
                    .iter()
                    .zip(&term.args)
                    .filter(|&(_, &a)| width(a) != Some(0))
                    .map(|(&a, _)| a)
                    .collect();
                fold(ctx, &Op::Concat, &some)
            }
            Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul => fold(ctx, &term.op, args),
            Op::BvUlt | Op::BvSlt if no_bits => Ok(ctx.boolean(false)?),
            Op::BvUle | Op::BvSle if no_bits => Ok(ctx.boolean(true)?),
            Op::ZeroExtend(_) | Op::SignExtend(_) | Op::BvToInt if no_bits => {
                let sort = self.sort(ctx, terms, term.sort)?;
                Ok(ctx.numeral("0", sort)?)
            }
            Op::Select if args.len() == 1 => Ok(args[0]),
            Op::Store if args.len() == 2 => Ok(args[1]),
            Op::ConstMap => self.constant_map(ctx, terms, term.sort, args[0]),
            Op::Subtype => {
                let sort = self.sort(ctx, terms, terms.sort(term.args[0]))?;
                let decl = match self.subtypes.get(&sort) {
                    Some(&d) => d,
                    None => {
                        let boolean = ctx.basic_sort(&TermSort::Bool)?;
                        let name = self.name("<:");
                        let d = ctx.function(&name, &[sort, sort], boolean)?;
                        self.subtypes.insert(sort, d);
                        d
                    }
                };
                Ok(ctx.apply(decl, args)?)
            }
            op => Ok(ctx.operator(op, args)?),
        }
    }

    pub(super) fn symbol(&mut self, ctx: &mut Context, terms: &Terms, s: SymbolId) -> Result<Ast> {
        if let Some(&a) = self.symbols.get(&s) {
            return Ok(a);
        }
        let symbol = terms.symbol(s);
        let sort = self.sort(ctx, terms, symbol.sort)?;
        let a = ctx.constant(&format!("{}#{}", symbol.name, s.index()), sort)?;
        self.symbols.insert(s, a);
        Ok(a)
    }

    /// A value as an expression of the given sort.
    fn literal(&mut self, ctx: &mut Context, terms: &Terms, value: &Value, sort: Sort) -> Result<Ast> {
        Ok(match value {
            Value::Bool(b) => ctx.boolean(*b)?,
            Value::Int(n) => ctx.numeral(&n.to_string(), sort)?,
            Value::Real(r) => ctx.numeral(&format!("{}/{}", r.numer(), r.denom()), sort)?,
            Value::BitVec { width: 0, .. } => self.unit(ctx)?.1,
            Value::BitVec { bits, .. } => ctx.numeral(&bits.to_string(), sort)?,
            Value::Float { exponent, significand, bits } => {
                let bv = ctx.basic_sort(&TermSort::BitVec(exponent + significand))?;
                let bits = ctx.numeral(&bits.to_string(), bv)?;
                ctx.float_of_bits(bits, sort)?
            }
            Value::RoundingMode(m) => self.rounding_mode(ctx, *m)?,
            Value::String(s) => {
                if let Some(c) = s.chars().find(|&c| u32::from(c) > 0x2ffff) {
                    return Err(Unsupported(format!("the character {c:?} in strings")));
                }
                ctx.string(s)?
            }
            Value::Element { sort, number } => self.element(ctx, terms, *sort, *number)?,
            Value::Datatype(f, fields) => {
                let constructor = self.constructor(terms, *f, sort)?;
                let (make, sorts) = (constructor.make, constructor.field_sorts.clone());
                let fields = fields
                    .iter()
                    .zip(sorts)
                    .map(|(v, s)| self.literal(ctx, terms, v, s))
                    .collect::<Result<Vec<_>>>()?;
                ctx.apply(make, &fields)?
            }
            Value::Lambda(_) => return Err(Unsupported("a map by a formula as a value".to_owned())),
            Value::Map(m) => {
                let TermSort::Map { domain, range, .. } = terms.sort_of(m.sort) else {
                    return Err(Unsupported("a map that has no map type".to_owned()));
                };
                self.sort(ctx, terms, m.sort)?;
                let element = self.sort(ctx, terms, *range)?;
                if domain.is_empty() {
                    return self.literal(ctx, terms, m.get(&[]), element);
                }
                let default = self.literal(ctx, terms, &m.default, element)?;
                let mut map = self.constant_map(ctx, terms, m.sort, default)?;
                for (index, v) in &m.entries {
                    let mut args = vec![map];
                    for (i, &d) in index.iter().zip(domain) {
                        let sort = self.sort(ctx, terms, d)?;
                        args.push(self.literal(ctx, terms, i, sort)?);
                    }
                    args.push(self.literal(ctx, terms, v, element)?);
                    map = ctx.operator(&Op::Store, &args)?;
                }
                map
            }
        })
    }

    fn rounding_mode(&mut self, ctx: &mut Context, mode: RoundingMode) -> Result<Ast> {
        Ok(ctx.rounding_mode(mode)?)
    }

    fn element(&mut self, ctx: &mut Context, terms: &Terms, sort: SortId, number: u32) -> Result<Ast> {
        let known = self.elements.entry(sort).or_default();
        if let Some(&(_, a)) = known.iter().find(|(n, _)| *n == number) {
            return Ok(a);
        }
        let others: Vec<Ast> = known.iter().map(|&(_, a)| a).collect();
        let z3_sort = self.sort(ctx, terms, sort)?;
        let a = ctx.constant(&format!("element!{}!{number}", sort.index()), z3_sort)?;
        for other in others {
            let distinct = ctx.operator(&Op::Distinct, &[a, other])?;
            self.side.push(distinct);
        }
        self.elements.entry(sort).or_default().push((number, a));
        Ok(a)
    }

    /// An operator or function without type parameters on values.
    pub(super) fn apply_to_values(
        &mut self,
        ctx: &mut Context,
        terms: &Terms,
        op: &Op,
        values: &[Value],
    ) -> Result<Ast> {
        let sorts: Vec<SortId> = match op {
            Op::Apply(f) if terms.function(*f).type_params.is_empty() => terms.function(*f).params.clone(),
            Op::IntDiv | Op::Mod => vec![SortId::INT; 2],
            Op::RealDiv | Op::Pow => vec![SortId::REAL; 2],
            _ => return Err(Unsupported(format!("{op:?} on values"))),
        };
        let mut args = Vec::new();
        let mut params = Vec::new();
        for (v, s) in values.iter().zip(sorts) {
            let sort = self.sort(ctx, terms, s)?;
            params.push(sort);
            args.push(self.literal(ctx, terms, v, sort)?);
        }
        let Op::Apply(f) = op else { return Ok(ctx.operator(op, &args)?) };
        let decl = terms.function(*f);
        let result = self.sort(ctx, terms, decl.result)?;
        let instance = (*f, params, result);
        match &decl.kind {
            FuncKind::Uninterpreted => {
                let decl = self.function(ctx, terms, instance)?;
                Ok(ctx.apply(decl, &args)?)
            }
            FuncKind::Builtin(text) => self.builtin(ctx, text, &instance, &args),
            FuncKind::Selector { constructor, field } => {
                let select = self.constructor(terms, *constructor, instance.1[0])?.fields[*field as usize];
                Ok(ctx.apply(select, &args)?)
            }
            FuncKind::Constructor | FuncKind::Tester { .. } => {
                Err(Unsupported("what values determine".to_owned()))
            }
        }
    }

    fn constant_map(&mut self, ctx: &mut Context, terms: &Terms, map: SortId, element: Ast) -> Result<Ast> {
        let TermSort::Map { params: 0, domain, range } = terms.sort_of(map) else {
            return Err(Unsupported(format!("the polymorphic type {}", terms.display_sort(map))));
        };
        match domain.as_slice() {
            [] => Ok(element),
            &[one] => {
                let one = self.sort(ctx, terms, one)?;
                Ok(ctx.constant_array(one, element)?)
            }
            many => {
                let sort = self.sort(ctx, terms, map)?;
                if let Some(&decl) = self.constant_arrays.get(&sort) {
                    return Ok(ctx.apply(decl, &[element])?);
                }
                // The C interface makes arrays over one index only; the parser makes all.
                let mut sorts = Vec::new();
                for (i, &d) in many.iter().chain([range]).enumerate() {
                    sorts.push((format!("s{i}"), self.sort(ctx, terms, d)?));
                }
                let names: Vec<&str> = sorts.iter().map(|(n, _)| n.as_str()).collect();
                let text = format!("((as const (Array {})) a0)", names.join(" "));
                let element_sort = sorts[many.len()].1;
                let (constant, _) = self.parse(ctx, &text, &sorts, &[element_sort], sort)?;
                let decl = ctx.head(constant)?;
                self.constant_arrays.insert(sort, decl);
                Ok(ctx.apply(decl, &[element])?)
            }
        }
    }

    /// Parses a term over constants `a0`, `a1`, … of the given sorts; the term and those constants.
    fn parse(
        &mut self,
        ctx: &mut Context,
        text: &str,
        sorts: &[(String, Sort)],
        params: &[Sort],
        result: Sort,
    ) -> Result<(Ast, Vec<Ast>)> {
        let boolean = ctx.basic_sort(&TermSort::Bool)?;
        let wrap = self.name("wrap");
        let mut decls = vec![("wrap".to_owned(), ctx.function(&wrap, &[result], boolean)?)];
        let mut consts = Vec::new();
        for (i, &p) in params.iter().enumerate() {
            let name = self.name("parameter");
            let decl = ctx.function(&name, &[], p)?;
            consts.push(ctx.apply(decl, &[])?);
            decls.push((format!("a{i}"), decl));
        }
        let parsed = ctx.parse(&format!("(assert (wrap {text}))"), sorts, &decls)?;
        let View::App { args, .. } = ctx.view(parsed[0])? else {
            return Err(Unsupported(format!("the builtin {text}")));
        };
        Ok((args[0], consts))
    }

    fn apply(&mut self, ctx: &mut Context, terms: &Terms, t: TermId, f: FuncId, args: &[Ast]) -> Result<Ast> {
        let term = terms.term(t);
        let decl = terms.function(f);
        match &decl.kind {
            FuncKind::Constructor => {
                let sort = self.sort(ctx, terms, term.sort)?;
                let make = self.constructor(terms, f, sort)?.make;
                Ok(ctx.apply(make, args)?)
            }
            FuncKind::Selector { constructor, field } => {
                let sort = self.sort(ctx, terms, terms.sort(term.args[0]))?;
                let select = self.constructor(terms, *constructor, sort)?.fields[*field as usize];
                Ok(ctx.apply(select, args)?)
            }
            FuncKind::Tester { constructor } => {
                let sort = self.sort(ctx, terms, terms.sort(term.args[0]))?;
                let test = self.constructor(terms, *constructor, sort)?.test;
                Ok(ctx.apply(test, args)?)
            }
            FuncKind::Uninterpreted => {
                if let Some(&decl) = self.functions.get(&f) {
                    return Ok(ctx.apply(decl, args)?);
                }
                let instance = self.instance(ctx, terms, t, f)?;
                let decl = self.function(ctx, terms, instance)?;
                Ok(ctx.apply(decl, args)?)
            }
            FuncKind::Builtin(text) => {
                let instance = self.instance(ctx, terms, t, f)?;
                self.builtin(ctx, text, &instance, args)
            }
        }
    }

    fn function(&mut self, ctx: &mut Context, terms: &Terms, instance: Instance) -> Result<Decl> {
        if let Some(&d) = self.instances.get(&instance) {
            return Ok(d);
        }
        let decl = terms.function(instance.0);
        let name = self.name(&decl.name);
        let made = ctx.function(&name, &instance.1, instance.2)?;
        if decl.type_params.is_empty() {
            self.functions.insert(instance.0, made);
        }
        self.instances.insert(instance, made);
        Ok(made)
    }

    fn builtin(&mut self, ctx: &mut Context, text: &str, instance: &Instance, args: &[Ast]) -> Result<Ast> {
        if !self.templates.contains_key(instance) {
            let mut call = text.to_owned();
            if !args.is_empty() {
                let names: Vec<String> = (0..args.len()).map(|i| format!("a{i}")).collect();
                call = format!("({text} {})", names.join(" "));
            }
            let made = self
                .parse(ctx, &call, &[], &instance.1, instance.2)
                .map_err(|e| Unsupported(format!("the builtin {text}: {e}")))?;
            self.templates.insert(instance.clone(), made);
        }
        let (template, params) = &self.templates[instance];
        Ok(ctx.substitute(*template, params, args)?)
    }

    fn instance(&mut self, ctx: &mut Context, terms: &Terms, t: TermId, f: FuncId) -> Result<Instance> {
        let term = terms.term(t);
        let params =
            term.args.iter().map(|&a| self.sort(ctx, terms, terms.sort(a))).collect::<Result<Vec<_>>>()?;
        Ok((f, params, self.sort(ctx, terms, term.sort)?))
    }

    fn bind(
        &mut self,
        ctx: &mut Context,
        terms: &Terms,
        b: &Binder,
        args: &[Ast],
        body_term: TermId,
    ) -> Result<Ast> {
        if let Some(&v) = b.type_vars.first() {
            return Err(Unsupported(format!("the type variable {}", terms.type_var(v))));
        }
        let body = args[0];
        if b.vars.is_empty() {
            return Ok(body);
        }
        let bound = b.vars.iter().map(|&v| self.symbol(ctx, terms, v)).collect::<Result<Vec<_>>>()?;
        if b.kind == BinderKind::Lambda {
            return Ok(ctx.lambda(&bound, body)?);
        }
        let mut rest = &args[1..];
        let mut patterns = Vec::new();
        for &n in &b.triggers {
            let (pattern, after) = rest.split_at(n as usize);
            patterns.push(pattern.to_vec());
            rest = after;
        }
        let nopats = if patterns.is_empty() { rest } else { &[] };
        let forall = b.kind == BinderKind::Forall;
        let body = if forall { self.weak_bounds(ctx, terms, body_term)? } else { body };
        let weight = b.weight.unwrap_or(1);
        ctx.quantifier(forall, weight, &bound, &patterns, nopats, body)
            .or_else(|_| ctx.quantifier(forall, weight, &bound, &[], &[], body))
            .map_err(Unsupported::from)
    }

    /// The conclusion of a quantifier, with `a < b` over the integers written as `a + 1 <= b`. From `x + 1 <= f(x)`
    /// Z3's model finder takes `f(x) = x + 1` as a candidate; from `x < f(x)` it takes none, and tries one table for
    /// `f` after the other.
    fn weak_bounds(&mut self, ctx: &mut Context, terms: &Terms, t: TermId) -> Result<Ast> {
        let term = terms.term(t);
        let (less, more) = match (&term.op, &term.args[..]) {
            (Op::Lt, &[a, b]) | (Op::Gt, &[b, a]) => (a, b),
            (Op::Implies, &[premise, conclusion]) => {
                let premise = self.translate(ctx, terms, premise)?;
                let conclusion = self.weak_bounds(ctx, terms, conclusion)?;
                return Ok(ctx.operator(&Op::Implies, &[premise, conclusion])?);
            }
            (Op::Not, &[negated]) => match (&terms.term(negated).op, &terms.term(negated).args[..]) {
                (Op::Le, &[a, b]) | (Op::Ge, &[b, a]) => (b, a),
                _ => return self.translate(ctx, terms, t),
            },
            _ => return self.translate(ctx, terms, t),
        };
        if terms.sort(less) != SortId::INT {
            return self.translate(ctx, terms, t);
        }
        let (less, more) = (self.translate(ctx, terms, less)?, self.translate(ctx, terms, more)?);
        let int = ctx.basic_sort(&TermSort::Int)?;
        let one = ctx.numeral("1", int)?;
        let next = ctx.operator(&Op::Add, &[less, one])?;
        Ok(ctx.operator(&Op::Le, &[next, more])?)
    }

    /// A boolean constant or its negation that represents `t` among assumptions; `meaning` is the translation of `t`,
    /// possibly weakened.
    pub(super) fn assumption(
        &mut self,
        ctx: &mut Context,
        terms: &Terms,
        t: TermId,
        meaning: Ast,
    ) -> Result<Ast> {
        let term = terms.term(t);
        let plain = match term.op {
            Op::Var(_) => true,
            Op::Not => matches!(terms.term(term.args[0]).op, Op::Var(_)),
            _ => false,
        };
        if plain {
            return Ok(meaning);
        }
        if let Some(&a) = self.stand_ins.get(&t) {
            return Ok(a);
        }
        let boolean = ctx.basic_sort(&TermSort::Bool)?;
        let a = ctx.constant(&format!("assume!{}", t.index()), boolean)?;
        let definition = ctx.operator(&Op::Implies, &[a, meaning])?;
        self.side.push(definition);
        self.stand_ins.insert(t, a);
        Ok(a)
    }
}

/// A binary operator over any number of arguments.
fn fold(ctx: &mut Context, op: &Op, args: &[Ast]) -> Result<Ast> {
    let (&first, rest) =
        args.split_first().ok_or_else(|| Unsupported("an operator without arguments".into()))?;
    let mut result = first;
    for &a in rest {
        result = ctx.operator(op, &[result, a])?;
    }
    Ok(result)
}
