//! The printer of sorts, functions and values in SMT-LIB syntax, with the declarations that they need.
//!
//! What is declared is stored under a [`Key`] and removed with the level at which it was declared, as a solver
//! removes it. A sort is represented by its text, with type parameters already replaced, so instances of a parametric
//! datatype are separate datatypes with different names.
//!
//! Where solvers have no common syntax, a substitute is printed:
//!
//! - a bit-vector of no bits: the value of a datatype with one constant;
//! - a map over several indices: an array over tuples; a map over no index: its element;
//! - elements of uninterpreted sorts: constants that are asserted to differ.

use footpath_term::{
    FuncId, FuncKind, MapValue, Sort, SortCtorId, SortId, SymbolId, TermId, Terms, TypeVarId, Value,
};
use rustc_hash::FxHashMap;
use std::fmt::Write;

use crate::groups::groups;
use crate::solver::Unsupported;

pub(super) type Result<T> = std::result::Result<T, Unsupported>;
pub(super) type Types = FxHashMap<TypeVarId, String>;

/// Something that a script has a name for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    Sort(SortId),
    Ctor(SortCtorId, Vec<String>),
    Tuple(Vec<String>),
    Unit,
    Symbol(SymbolId),
    Function(FuncId, Vec<String>, String),
    /// A constructor of a datatype, at the sort with this text.
    Constructor(FuncId, String),
    Subtype(String),
    Element(SortId, u32),
    /// A subterm that is used several times.
    Shared(TermId),
    /// A boolean that implies a term, used as an assumption.
    StandIn(TermId),
}

/// The dialects of SMT-LIB that are printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Dialect {
    /// The standard.
    #[default]
    Standard,
    /// Z3: arrays by lambda, constant arrays of any element.
    Z3,
}

/// Writes declarations and definitions to `out`.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) dialect: Dialect,
    pub(super) out: String,
    /// The names of what is declared.
    names: FxHashMap<Key, String>,
    /// What was declared, in order, so that it can be removed from the end.
    log: Vec<Key>,
    /// Whether declarations are refused: in the middle of a model they would end it.
    pub(super) frozen: bool,
    /// Terms whose values are elements of the current model, for elements without a name.
    pub(super) in_model: FxHashMap<(SortId, u32), String>,
    unique: u32,
    /// The sorts of the fields of constructors.
    fields: FxHashMap<(FuncId, String), Vec<String>>,
    pending: Vec<(SortCtorId, Vec<String>, String)>,
    declaring: bool,
    /// The datatypes that were mentioned while others are declared.
    mentioned: Vec<String>,
    /// For each sort that occurs as the argument of a datatype, the datatypes that it mentions: a field of that sort
    /// mentions them, too.
    inside: FxHashMap<String, Vec<String>>,
}

/// A symbol, quoted.
pub(super) fn quote(name: &str) -> String {
    let name: String = name.chars().map(|c| if matches!(c, '|' | '\\') { '_' } else { c }).collect();
    format!("|{name}|")
}

impl Declarations {
    pub(super) fn new(dialect: Dialect) -> Declarations {
        Declarations { dialect, ..Declarations::default() }
    }

    pub(super) fn lookup(&self, key: &Key) -> Option<&String> {
        self.names.get(key)
    }

    pub(super) fn declared(&self) -> usize {
        self.log.len()
    }

    /// Removes all declarations after the first `keep`.
    pub(super) fn forget(&mut self, keep: usize) {
        for key in self.log.drain(keep..) {
            self.names.remove(&key);
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&Key, &String)> {
        self.names.iter()
    }

    pub(super) fn remember(&mut self, key: Key, name: String) {
        self.log.push(key.clone());
        self.names.insert(key, name);
    }

    pub(super) fn may_declare(&self) -> Result<()> {
        if self.frozen {
            Err(Unsupported("something new in the middle of a model".to_owned()))
        } else {
            Ok(())
        }
    }

    fn fresh(&mut self, base: &str) -> String {
        self.unique += 1;
        quote(&format!("{base}!{}", self.unique))
    }

    // ---- sorts ----

    pub(super) fn sort(&mut self, terms: &Terms, id: SortId) -> Result<String> {
        self.sort_with(terms, id, &Types::default())
    }

    fn sort_with(&mut self, terms: &Terms, id: SortId, types: &Types) -> Result<String> {
        if let Some(text) = self.names.get(&Key::Sort(id)) {
            return Ok(text.clone());
        }
        let text = match terms.sort_of(id) {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int => "Int".to_owned(),
            Sort::Real => "Real".to_owned(),
            Sort::BitVec(0) => self.unit()?,
            Sort::BitVec(w) => format!("(_ BitVec {w})"),
            Sort::Float { exponent, significand } => format!("(_ FloatingPoint {exponent} {significand})"),
            Sort::RoundingMode => "RoundingMode".to_owned(),
            Sort::String => "String".to_owned(),
            Sort::RegEx => "RegLan".to_owned(),
            Sort::Ctor(c, args) => {
                let argument = |&a| {
                    let before = self.mentioned.len();
                    let sort = self.sort_with(terms, a, types)?;
                    self.inside.insert(sort.clone(), self.mentioned.split_off(before));
                    Ok(sort)
                };
                let args = args.iter().map(argument).collect::<Result<_>>()?;
                let name = self.ctor(terms, *c, args)?;
                if self.declaring {
                    self.mentioned.push(name.clone());
                }
                name
            }
            Sort::Map { params: 0, domain, range } => {
                let domain =
                    domain.iter().map(|&d| self.sort_with(terms, d, types)).collect::<Result<Vec<_>>>()?;
                let range = self.sort_with(terms, *range, types)?;
                match domain.as_slice() {
                    [] => range,
                    [one] => format!("(Array {one} {range})"),
                    _ => format!("(Array {} {range})", self.tuple(domain)?.0),
                }
            }
            Sort::Var(v) if types.contains_key(v) => {
                self.mentioned.extend(self.inside.get(&types[v]).into_iter().flatten().cloned());
                return Ok(types[v].clone());
            }
            Sort::Map { .. } | Sort::Var(_) | Sort::Bound { .. } => {
                return Err(Unsupported(format!("the polymorphic type {}", terms.display_sort(id))));
            }
        };
        if !terms.has_type_vars(id) && !self.declaring {
            self.remember(Key::Sort(id), text.clone());
        }
        Ok(text)
    }

    fn unit(&mut self) -> Result<String> {
        if !self.names.contains_key(&Key::Unit) {
            self.may_declare()?;
            self.out.push_str("(declare-datatypes ((bv0!sort 0)) (((bv0!value))))\n");
            self.remember(Key::Unit, "bv0!sort".to_owned());
        }
        Ok("bv0!sort".to_owned())
    }

    /// The only bit-vector of no bits.
    pub(super) fn unit_value(&mut self) -> Result<String> {
        self.unit()?;
        Ok("bv0!value".to_owned())
    }

    /// The sort of tuples and their constructor, whose name is the sort's.
    fn tuple(&mut self, parts: Vec<String>) -> Result<(String, String)> {
        let key = Key::Tuple(parts);
        if let Some(name) = self.names.get(&key) {
            return Ok((name.clone(), name.clone()));
        }
        self.may_declare()?;
        let Key::Tuple(parts) = &key else { unreachable!() };
        self.unique += 1;
        let name = format!("|index!{}|", self.unique);
        let fields: Vec<String> =
            parts.iter().enumerate().map(|(i, p)| format!("({} {p})", tuple_field(&name, i))).collect();
        // Within a group of datatypes this comes before the group, which it may refer to: Z3 and cvc5 refuse
        // that, and say so.
        let text = format!("(declare-datatypes (({name} 0)) ((({name} {}))))\n", fields.join(" "));
        self.out.push_str(&text);
        self.remember(key, name.clone());
        Ok((name.clone(), name))
    }

    /// The constructor of the index tuples of a map, if it has several indices.
    pub(super) fn index_tuple(&mut self, terms: &Terms, map: SortId) -> Result<Option<String>> {
        let Sort::Map { domain, .. } = terms.sort_of(map) else {
            return Err(Unsupported("a map that has no map type".to_owned()));
        };
        if domain.len() < 2 {
            return Ok(None);
        }
        let parts = domain.iter().map(|&d| self.sort(terms, d)).collect::<Result<Vec<_>>>()?;
        Ok(Some(self.tuple(parts)?.0))
    }

    fn ctor(&mut self, terms: &Terms, ctor: SortCtorId, args: Vec<String>) -> Result<String> {
        let key = Key::Ctor(ctor, args);
        if let Some(name) = self.names.get(&key) {
            return Ok(name.clone());
        }
        self.may_declare()?;
        let name = self.fresh(&terms.ctor(ctor).name);
        self.remember(key.clone(), name.clone());
        let Key::Ctor(_, args) = key else { unreachable!() };
        if terms.ctor(ctor).constructors.is_empty() {
            let _ = writeln!(self.out, "(declare-sort {name} 0)");
            return Ok(name);
        }
        self.pending.push((ctor, args, name.clone()));
        if !self.declaring {
            self.declaring = true;
            let group = self.datatypes(terms);
            self.declaring = false;
            self.pending.clear();
            self.out.push_str(&group?);
        }
        Ok(name)
    }

    /// The declarations of all pending datatypes; their fields make more pending.
    fn datatypes(&mut self, terms: &Terms) -> Result<String> {
        let (mut bodies, mut mentions) = (Vec::new(), Vec::new());
        let mut next = 0;
        while next < self.pending.len() {
            if next > 1000 {
                return Err(Unsupported("a datatype with infinitely many instances".to_owned()));
            }
            let (ctor, args, name) = self.pending[next].clone();
            next += 1;
            self.mentioned.clear();
            let mut body = String::new();
            for &f in &terms.ctor(ctor).constructors {
                let decl = terms.function(f);
                let mut types = Types::default();
                if let Sort::Ctor(_, params) = terms.sort_of(decl.result) {
                    for (&p, a) in params.iter().zip(&args) {
                        if let Sort::Var(v) = terms.sort_of(p) {
                            types.insert(*v, a.clone());
                        }
                    }
                }
                let constructor = self.fresh(&decl.name);
                let _ = write!(body, "({constructor}");
                let mut fields = Vec::new();
                for (i, &p) in decl.params.iter().enumerate() {
                    let sort = self.sort_with(terms, p, &types)?;
                    let _ = write!(body, " ({} {sort})", tuple_field(&constructor, i));
                    fields.push(sort);
                }
                body.push(')');
                self.fields.insert((f, name.clone()), fields);
                self.remember(Key::Constructor(f, name.clone()), constructor);
            }
            bodies.push(body);
            mentions.push(std::mem::take(&mut self.mentioned));
        }
        let at = |name: &String| self.pending.iter().position(|(.., n)| n == name);
        let needs: Vec<Vec<usize>> = mentions.iter().map(|m| m.iter().filter_map(at).collect()).collect();
        let mut text = String::new();
        for group in groups(&needs) {
            let heads: String = group.iter().map(|&i| format!("({} 0)", self.pending[i].2)).collect();
            let bodies: String = group.iter().map(|&i| format!("({})", bodies[i])).collect();
            let _ = writeln!(text, "(declare-datatypes ({heads}) ({bodies}))");
        }
        Ok(text)
    }

    // ---- functions ----

    pub(super) fn symbol_name(terms: &Terms, s: SymbolId) -> String {
        quote(&format!("{}#{}", terms.symbol(s).name, s.index()))
    }

    pub(super) fn symbol(&mut self, terms: &Terms, s: SymbolId) -> Result<String> {
        if let Some(name) = self.names.get(&Key::Symbol(s)) {
            return Ok(name.clone());
        }
        let sort_id = terms.symbol(s).sort;
        if self.frozen {
            // The model says nothing about it, so any value will do.
            return self.default_value(terms, sort_id);
        }
        let sort = self.sort(terms, sort_id)?;
        let name = Self::symbol_name(terms, s);
        let _ = writeln!(self.out, "(declare-fun {name} () {sort})");
        self.remember(Key::Symbol(s), name.clone());
        Ok(name)
    }

    fn default_value(&mut self, terms: &Terms, sort: SortId) -> Result<String> {
        Ok(match terms.sort_of(sort) {
            Sort::Bool => "false".to_owned(),
            Sort::Int => "0".to_owned(),
            Sort::Real => "0.0".to_owned(),
            Sort::BitVec(0) => self.unit_value()?,
            Sort::BitVec(w) => format!("(_ bv0 {w})"),
            Sort::Float { exponent, significand } => format!("(_ +zero {exponent} {significand})"),
            Sort::RoundingMode => "RNE".to_owned(),
            Sort::String => "\"\"".to_owned(),
            Sort::Map { params: 0, domain, range } => {
                let element = self.default_value(terms, *range)?;
                if domain.is_empty() {
                    return Ok(element);
                }
                format!("((as const {}) {element})", self.sort(terms, sort)?)
            }
            _ => {
                let any = self.names.iter().find_map(|(k, name)| match k {
                    Key::Symbol(s) if terms.symbol(*s).sort == sort => Some(name.clone()),
                    Key::Element(s, _) if *s == sort => Some(name.clone()),
                    _ => None,
                });
                any.ok_or_else(|| Unsupported("a value for something new".to_owned()))?
            }
        })
    }

    /// The head of an application of a function; for a solver's builtin its SMT-LIB text.
    pub(super) fn function(
        &mut self,
        terms: &Terms,
        f: FuncId,
        args: &[SortId],
        result: SortId,
    ) -> Result<String> {
        let decl = terms.function(f);
        match &decl.kind {
            FuncKind::Builtin(text) => Ok(text.to_string()),
            FuncKind::Constructor => self.constructor(terms, f, result),
            FuncKind::Selector { constructor, field } => {
                let constructor = self.constructor(terms, *constructor, args[0])?;
                Ok(tuple_field(&constructor, *field as usize))
            }
            FuncKind::Tester { constructor } => {
                Ok(format!("(_ is {})", self.constructor(terms, *constructor, args[0])?))
            }
            FuncKind::Uninterpreted => {
                let args = args.iter().map(|&a| self.sort(terms, a)).collect::<Result<Vec<_>>>()?;
                let result = self.sort(terms, result)?;
                let key = Key::Function(f, args, result);
                if let Some(name) = self.names.get(&key) {
                    return Ok(name.clone());
                }
                self.may_declare()?;
                let name = self.fresh(&decl.name);
                let Key::Function(_, args, result) = &key else { unreachable!() };
                let _ = writeln!(self.out, "(declare-fun {name} ({}) {result})", args.join(" "));
                self.remember(key, name.clone());
                Ok(name)
            }
        }
    }

    fn constructor(&mut self, terms: &Terms, f: FuncId, sort: SortId) -> Result<String> {
        let sort = self.sort(terms, sort)?;
        self.constructor_at(terms, f, &sort)
    }

    fn constructor_at(&self, terms: &Terms, f: FuncId, sort: &str) -> Result<String> {
        let name = self.names.get(&Key::Constructor(f, sort.to_owned()));
        name.cloned()
            .ok_or_else(|| Unsupported(format!("the constructor {} at this type", terms.function(f).name)))
    }

    pub(super) fn subtype(&mut self, terms: &Terms, sort: SortId) -> Result<String> {
        let sort = self.sort(terms, sort)?;
        let key = Key::Subtype(sort.clone());
        if let Some(name) = self.names.get(&key) {
            return Ok(name.clone());
        }
        self.may_declare()?;
        let name = self.fresh("<:");
        let _ = writeln!(self.out, "(declare-fun {name} ({sort} {sort}) Bool)");
        self.remember(key, name.clone());
        Ok(name)
    }

    fn element(&mut self, terms: &Terms, sort: SortId, number: u32) -> Result<String> {
        if let Some(name) = self.names.get(&Key::Element(sort, number)) {
            return Ok(name.clone());
        }
        if self.frozen
            && let Some(text) = self.in_model.get(&(sort, number))
        {
            return Ok(text.clone());
        }
        self.may_declare()?;
        let text = self.sort(terms, sort)?;
        let name = format!("|$e{}.{number}|", sort.index());
        let mut others: Vec<(u32, String)> = self
            .names
            .iter()
            .filter_map(|(k, name)| match k {
                Key::Element(s, n) if *s == sort => Some((*n, name.clone())),
                _ => None,
            })
            .collect();
        others.sort();
        let _ = writeln!(self.out, "(declare-fun {name} () {text})");
        for (_, other) in others {
            let _ = writeln!(self.out, "(assert (distinct {name} {other}))");
        }
        self.remember(Key::Element(sort, number), name.clone());
        Ok(name)
    }

    // ---- values ----

    /// A value of the sort with the text `sort`.
    pub(super) fn value(&mut self, terms: &Terms, v: &Value, sort: &str) -> Result<String> {
        Ok(match v {
            Value::Bool(b) => b.to_string(),
            Value::Int(n) if n.sign() == num_bigint::Sign::Minus => format!("(- {})", n.magnitude()),
            Value::Int(n) => n.to_string(),
            Value::Real(r) => {
                let (n, d) = (r.numer().magnitude(), r.denom());
                let size = if *r.denom() == 1.into() { format!("{n}.0") } else { format!("(/ {n}.0 {d}.0)") };
                if r.numer().sign() == num_bigint::Sign::Minus { format!("(- {size})") } else { size }
            }
            Value::BitVec { width: 0, .. } => self.unit_value()?,
            Value::BitVec { width, bits } => format!("(_ bv{bits} {width})"),
            Value::Float { exponent, significand, bits } => {
                let all = format!("{bits:0>width$b}", width = (exponent + significand) as usize);
                let (sign, rest) = all.split_at(1);
                let (x, m) = rest.split_at(*exponent as usize);
                format!("(fp #b{sign} #b{x} #b{m})")
            }
            Value::RoundingMode(m) => Value::RoundingMode(*m).to_string(),
            Value::String(s) => {
                let mut text = String::from("\"");
                for c in s.chars() {
                    match c {
                        '"' => text.push_str("\"\""),
                        '\\' => text.push_str("\\u{5c}"),
                        ' '..='~' => text.push(c),
                        c => {
                            let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
                        }
                    }
                }
                text + "\""
            }
            Value::Element { sort, number } => self.element(terms, *sort, *number)?,
            Value::Lambda(_) => return Err(Unsupported("a map by a formula as a value".to_owned())),
            Value::Datatype(f, fields) => {
                let constructor = self.constructor_at(terms, *f, sort)?;
                if fields.is_empty() {
                    return Ok(constructor);
                }
                let sorts = self.fields.get(&(*f, sort.to_owned())).cloned().unwrap_or_default();
                let mut text = format!("({constructor}");
                for (v, sort) in fields.iter().zip(sorts) {
                    let _ = write!(text, " {}", self.value(terms, v, &sort)?);
                }
                text + ")"
            }
            Value::Map(m) => self.map(terms, m)?,
        })
    }

    fn map(&mut self, terms: &Terms, m: &MapValue) -> Result<String> {
        let Sort::Map { params: 0, domain, range } = terms.sort_of(m.sort) else {
            return Err(Unsupported("a polymorphic map".to_owned()));
        };
        let range = self.sort(terms, *range)?;
        if domain.is_empty() {
            return self.value(terms, m.get(&[]), &range);
        }
        let tuple = self.index_tuple(terms, m.sort)?;
        let sort = self.sort(terms, m.sort)?;
        let mut text = format!("((as const {sort}) {})", self.value(terms, &m.default, &range)?);
        for (index, v) in &m.entries {
            let mut parts = Vec::new();
            for (i, &d) in index.iter().zip(domain) {
                let sort = self.sort(terms, d)?;
                parts.push(self.value(terms, i, &sort)?);
            }
            let index = match &tuple {
                Some(tuple) => format!("({tuple} {})", parts.join(" ")),
                None => parts.remove(0),
            };
            text = format!("(store {text} {index} {})", self.value(terms, v, &range)?);
        }
        Ok(text)
    }
}

/// The selector of field `i` of a constructor or tuple, from its quoted name.
pub(super) fn tuple_field(constructor: &str, i: usize) -> String {
    format!("|{}.{i}|", constructor.trim_matches('|'))
}
