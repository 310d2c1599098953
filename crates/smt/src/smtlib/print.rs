//! The printer of terms in SMT-LIB syntax.
//!
//! A term is a graph, and as a tree it may be exponentially larger, so every closed subterm that is used several
//! times gets a name by `define-fun`, once per script; subterms that depend on bound variables get names by `let`
//! directly inside the binder of the innermost of those variables. Subterms that nest deeper than [`HEIGHT`] get
//! names as well, for the sake of recursive parsers. The traversal is iterative except for binders within binders.
//!
//! **Example.** Of `(a + b) * (a + b)` the sum is printed once, by a `define-fun` of a name that is then multiplied
//! with itself.
//!
//! **Direction of error.** A trigger is printed without names, as it may not contain `let`; one that is too large for
//! that is dropped, which changes no meaning. In the standard dialect a lambda, or a constant map whose element is no
//! literal, becomes a fresh array with an axiom; under a binder that is refused.

use std::fmt::Write;

use footpath_term::{Binder, BinderKind, Op, Sort, SortId, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::sorts::{Declarations, Dialect, Key, Result, tuple_field};
use crate::solver::Unsupported;

/// Closed subterms nested deeper than this get a name.
const HEIGHT: u32 = 40;
/// The largest trigger that is printed.
const TRIGGER: usize = 2000;

/// Properties of the graph below a root.
#[derive(Default)]
struct Shape {
    /// Bound variables that occur free, sorted; only where there are some.
    open: FxHashMap<TermId, Vec<SymbolId>>,
    /// The number of times it is an argument.
    uses: FxHashMap<TermId, u32>,
}

enum Piece {
    Term(TermId),
    Text(String),
    Word(&'static str),
}

impl Declarations {
    /// The text of a term; what it needs is declared and defined in `out` before.
    pub(super) fn term(&mut self, terms: &Terms, root: TermId) -> Result<String> {
        let mut printer = Printer { decls: self, shape: Shape::default(), lets: FxHashMap::default() };
        printer.closed(terms, root)
    }
}

struct Printer<'a> {
    decls: &'a mut Declarations,
    shape: Shape,
    /// Names given by `let` around the current place.
    lets: FxHashMap<TermId, String>,
}

impl Printer<'_> {
    fn closed(&mut self, terms: &Terms, root: TermId) -> Result<String> {
        let order = self.unnamed(terms, root);
        self.survey(terms, &order);
        *self.shape.uses.entry(root).or_default() += 1;
        let mut heights: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut lets = 0;
        let mut text = String::new();
        for &t in &order {
            let term = terms.term(t);
            // A name is no constant to some solvers, where they want one.
            let constant = self.decls.dialect == Dialect::Standard && is_constant(terms, t);
            if term.args.is_empty() || constant || self.shape.open.contains_key(&t) {
                continue;
            }
            let height =
                1 + term.args.iter().map(|a| heights.get(a).copied().unwrap_or(0)).max().unwrap_or(0);
            if t == root || (self.shape.uses[&t] < 2 && height < HEIGHT) {
                heights.insert(t, height);
                continue;
            }
            let definition = self.expression(terms, t)?;
            if self.name(t).is_some() {
                // A lambda became an array, which has a name already.
            } else if self.decls.frozen {
                let name = format!("$l{}", t.index());
                let _ = write!(text, "(let (({name} {definition})) ");
                lets += 1;
                self.lets.insert(t, name);
            } else {
                let sort = self.decls.sort(terms, term.sort)?;
                let name = format!("$t{}", t.index());
                let _ = writeln!(self.decls.out, "(define-fun {name} () {sort} {definition})");
                self.decls.remember(Key::Shared(t), name);
            }
        }
        text.push_str(&self.expression(terms, root)?);
        text.extend(std::iter::repeat_n(')', lets));
        Ok(text)
    }

    fn name(&self, t: TermId) -> Option<&String> {
        self.lets.get(&t).or_else(|| self.decls.lookup(&Key::Shared(t)))
    }

    /// The subterms of `root` in post-order, except for those below named ones.
    fn unnamed(&self, terms: &Terms, root: TermId) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut order = Vec::new();
        let mut stack = vec![(root, false)];
        while let Some((t, expanded)) = stack.pop() {
            if expanded {
                order.push(t);
            } else if self.name(t).is_none() && seen.insert(t) {
                stack.push((t, true));
                stack.extend(terms.term(t).args.iter().rev().map(|&a| (a, false)));
            }
        }
        order
    }

    fn survey(&mut self, terms: &Terms, order: &[TermId]) {
        let mut bound = FxHashSet::default();
        for &t in order {
            if let Op::Bind(b) = &terms.term(t).op {
                bound.extend(b.vars.iter().copied());
            }
        }
        for &t in order {
            let term = terms.term(t);
            for &a in &term.args {
                *self.shape.uses.entry(a).or_default() += 1;
            }
            let mut open: Vec<SymbolId> = match &term.op {
                Op::Var(s) if bound.contains(s) => vec![*s],
                _ => term.args.iter().filter_map(|a| self.shape.open.get(a)).flatten().copied().collect(),
            };
            if let Op::Bind(b) = &term.op {
                open.retain(|s| !b.vars.contains(s));
            }
            if !open.is_empty() {
                open.sort_unstable();
                open.dedup();
                self.shape.open.insert(t, open);
            }
        }
    }

    /// The text of `root` itself, with named subterms by their names.
    fn expression(&mut self, terms: &Terms, root: TermId) -> Result<String> {
        let mut out = String::new();
        let mut stack = Vec::new();
        self.pieces(terms, root, &mut stack)?;
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Word(w) => out.push_str(w),
                Piece::Text(t) => out.push_str(&t),
                Piece::Term(t) => match self.name(t) {
                    Some(name) => out.push_str(name),
                    None => self.pieces(terms, t, &mut stack)?,
                },
            }
        }
        Ok(out)
    }

    /// Pushes the pieces of a term, last piece first.
    fn pieces(&mut self, terms: &Terms, t: TermId, stack: &mut Vec<Piece>) -> Result<()> {
        let term = terms.term(t);
        let width = |t: TermId| terms.width(terms.sort(t));
        let args = &term.args;
        if width(t) == Some(0) {
            stack.push(Piece::Text(self.decls.unit_value()?));
            return Ok(());
        }
        let no_bits = args.first().is_some_and(|&a| width(a) == Some(0));
        let text = match &term.op {
            Op::Literal(v) => {
                let sort = self.decls.sort(terms, term.sort)?;
                self.decls.value(terms, v, &sort)?
            }
            Op::Var(s) if self.shape.open.contains_key(&t) => Declarations::symbol_name(terms, *s),
            Op::Var(s) => self.decls.symbol(terms, *s)?,
            Op::Bind(b) if b.kind == BinderKind::Lambda => {
                let b = b.clone();
                self.lambda(terms, t, &b)?
            }
            Op::Bind(b) => {
                let b = b.clone();
                self.quantifier(terms, t, &b)?
            }
            Op::And | Op::Or if args.is_empty() => (term.op == Op::And).to_string(),
            Op::Distinct if args.len() < 2 => "true".to_owned(),
            Op::Eq if args.len() < 2 => "true".to_owned(),
            Op::Add | Op::Mul if args.is_empty() => {
                let one = if term.op == Op::Add { "0" } else { "1" };
                if term.sort == SortId::REAL { format!("{one}.0") } else { one.to_owned() }
            }
            Op::BvUlt | Op::BvSlt if no_bits => "false".to_owned(),
            Op::BvUle | Op::BvSle if no_bits => "true".to_owned(),
            Op::BvToInt if no_bits => "0".to_owned(),
            Op::ZeroExtend(n) | Op::SignExtend(n) if no_bits => format!("(_ bv0 {n})"),
            Op::ConstMap => return self.constant_map(terms, t, stack),
            _ => return self.application(terms, t, stack),
        };
        stack.push(Piece::Text(text));
        Ok(())
    }

    fn application(&mut self, terms: &Terms, t: TermId, stack: &mut Vec<Piece>) -> Result<()> {
        let term = terms.term(t);
        let mut args: Vec<Piece> = term.args.iter().map(|&a| Piece::Term(a)).collect();
        let head = match &term.op {
            // Chains and sums of one, which solvers refuse.
            Op::And
            | Op::Or
            | Op::Add
            | Op::Mul
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvMul
                if args.len() == 1 =>
            {
                stack.append(&mut args);
                return Ok(());
            }
            Op::Apply(f) => {
                let sorts: Vec<SortId> = term.args.iter().map(|&a| terms.sort(a)).collect();
                self.decls.function(terms, *f, &sorts, term.sort)?
            }
            Op::Subtype => self.decls.subtype(terms, terms.sort(term.args[0]))?,
            Op::Select | Op::Store => {
                let last = args.len() - usize::from(term.op == Op::Store);
                if last == 1 {
                    stack.push(args.pop().expect("the map, or the new element"));
                    return Ok(());
                }
                if let Some(tuple) = self.decls.index_tuple(terms, terms.sort(term.args[0]))? {
                    let index: Vec<Piece> = args.splice(1..last, [Piece::Word(")")]).collect();
                    let spaced = index.into_iter().flat_map(|i| [Piece::Word(" "), i]);
                    let open = Piece::Text(format!("({tuple}"));
                    args.splice(1..1, std::iter::once(open).chain(spaced));
                    // From here on the pieces of the tuple are one argument.
                    let rest = args.split_off(1);
                    return self.store_or_select(term.op == Op::Store, args, rest, stack);
                }
                term.op.smt_name().unwrap_or(if term.op == Op::Store { "store" } else { "select" }).to_owned()
            }
            Op::Concat => {
                args = term
                    .args
                    .iter()
                    .filter(|&&a| terms.width(terms.sort(a)) != Some(0))
                    .map(|&a| Piece::Term(a))
                    .collect();
                if args.len() == 1 {
                    stack.append(&mut args);
                    return Ok(());
                }
                "concat".to_owned()
            }
            Op::Neg => "-".to_owned(),
            Op::Pow => "^".to_owned(),
            Op::Extract(high, low) => format!("(_ extract {high} {low})"),
            Op::ZeroExtend(n) => format!("(_ zero_extend {n})"),
            Op::SignExtend(n) => format!("(_ sign_extend {n})"),
            Op::RotateLeft(n) => format!("(_ rotate_left {n})"),
            Op::RotateRight(n) => format!("(_ rotate_right {n})"),
            Op::IntToBv(n) => format!("(_ int2bv {n})"),
            op => match op.smt_name() {
                Some(name) => name.to_owned(),
                None => return Err(Unsupported(format!("the operator {op:?}"))),
            },
        };
        if args.is_empty() {
            stack.push(Piece::Text(head));
            return Ok(());
        }
        // Concatenation takes two arguments in some solvers; nest it to the left.
        if term.op == Op::Concat {
            let open = "(concat ".repeat(args.len() - 1);
            for (i, a) in args.into_iter().enumerate().rev() {
                stack.push(Piece::Word(if i > 0 { ")" } else { "" }));
                stack.push(a);
                stack.push(Piece::Word(if i > 0 { " " } else { "" }));
            }
            stack.push(Piece::Text(open));
            return Ok(());
        }
        stack.push(Piece::Word(")"));
        for a in args.into_iter().rev() {
            stack.push(a);
            stack.push(Piece::Word(" "));
        }
        stack.push(Piece::Text(format!("({head}")));
        Ok(())
    }

    fn store_or_select(
        &mut self,
        store: bool,
        map: Vec<Piece>,
        mut rest: Vec<Piece>,
        stack: &mut Vec<Piece>,
    ) -> Result<()> {
        stack.push(Piece::Word(")"));
        if store {
            let element = rest.pop();
            stack.extend(element);
            stack.push(Piece::Word(" "));
        }
        stack.extend(rest.into_iter().rev());
        stack.push(Piece::Word(" "));
        stack.extend(map);
        stack.push(Piece::Word(if store { "(store " } else { "(select " }));
        Ok(())
    }

    fn constant_map(&mut self, terms: &Terms, t: TermId, stack: &mut Vec<Piece>) -> Result<()> {
        let term = terms.term(t);
        let element = term.args[0];
        if matches!(terms.sort_of(term.sort), Sort::Map { domain, .. } if domain.is_empty()) {
            stack.push(Piece::Term(element));
            return Ok(());
        }
        let sort = self.decls.sort(terms, term.sort)?;
        if self.decls.dialect == Dialect::Z3 || is_constant(terms, element) {
            stack.push(Piece::Word(")"));
            stack.push(Piece::Term(element));
            stack.push(Piece::Text(format!("((as const {sort}) ")));
            return Ok(());
        }
        let Sort::Map { domain, .. } = terms.sort_of(term.sort) else { unreachable!("checked by its sort") };
        let names: Vec<String> = (0..domain.len()).map(|i| format!("i{i}")).collect();
        let element = self.expression(terms, element)?;
        let name = self.array(terms, t, &names, &element)?;
        stack.push(Piece::Text(name));
        Ok(())
    }

    /// A fresh array with the given elements at the given indices.
    fn array(&mut self, terms: &Terms, t: TermId, indices: &[String], element: &str) -> Result<String> {
        if self.shape.open.contains_key(&t) {
            return Err(Unsupported("a map by its elements under a quantifier".to_owned()));
        }
        if let Some(name) = self.decls.lookup(&Key::Shared(t)) {
            return Ok(name.clone());
        }
        self.decls.may_declare()?;
        let term = terms.term(t);
        let Sort::Map { domain, .. } = terms.sort_of(term.sort) else {
            return Err(Unsupported("a map that has no map type".to_owned()));
        };
        let sort = self.decls.sort(terms, term.sort)?;
        let name = format!("$t{}", t.index());
        let mut vars = String::new();
        for (i, &d) in indices.iter().zip(domain) {
            let _ = write!(vars, "({i} {})", self.decls.sort(terms, d)?);
        }
        let mut index = indices.join(" ");
        if let Some(tuple) = self.decls.index_tuple(terms, term.sort)? {
            index = format!("({tuple} {index})");
        }
        let _ = writeln!(
            self.decls.out,
            "(declare-fun {name} () {sort})\n(assert (forall ({vars}) (= (select {name} {index}) {element})))"
        );
        self.decls.remember(Key::Shared(t), name.clone());
        Ok(name)
    }

    fn lambda(&mut self, terms: &Terms, t: TermId, b: &Binder) -> Result<String> {
        refuse_type_vars(terms, b)?;
        let body = terms.term(t).args[0];
        if b.vars.is_empty() {
            return self.expression(terms, body);
        }
        let text = self.scope(terms, body, &b.vars)?;
        let names: Vec<String> = b.vars.iter().map(|&v| Declarations::symbol_name(terms, v)).collect();
        if self.decls.dialect != Dialect::Z3 {
            return self.array(terms, t, &names, &text);
        }
        match self.decls.index_tuple(terms, terms.sort(t))? {
            None => {
                let sort = self.decls.sort(terms, terms.symbol(b.vars[0]).sort)?;
                Ok(format!("(lambda (({} {sort})) {text})", names[0]))
            }
            Some(tuple) => {
                let lets: Vec<String> = names
                    .iter()
                    .enumerate()
                    .map(|(i, n)| format!("({n} ({} $i))", tuple_field(&tuple, i)))
                    .collect();
                Ok(format!("(lambda (($i {tuple})) (let ({}) {text}))", lets.join(" ")))
            }
        }
    }

    fn quantifier(&mut self, terms: &Terms, t: TermId, b: &Binder) -> Result<String> {
        refuse_type_vars(terms, b)?;
        let args = &terms.term(t).args;
        let mut text = self.scope(terms, args[0], &b.vars)?;
        if b.vars.is_empty() {
            return Ok(text);
        }
        let mut rest = &args[1..];
        let mut notes = String::new();
        for &n in &b.triggers {
            let (trigger, after) = rest.split_at(n as usize);
            rest = after;
            if trigger.iter().map(|&p| tree_size(terms, p)).sum::<usize>() <= TRIGGER {
                let parts = trigger.iter().map(|&p| self.expression(terms, p)).collect::<Result<Vec<_>>>()?;
                let _ = write!(notes, " :pattern ({})", parts.join(" "));
            }
        }
        if b.triggers.is_empty() && self.decls.dialect == Dialect::Z3 {
            for &p in rest {
                let _ = write!(notes, " :no-pattern {}", self.expression(terms, p)?);
            }
        }
        if let Some(w) = b.weight
            && self.decls.dialect == Dialect::Z3
        {
            let _ = write!(notes, " :weight {w}");
        }
        if !notes.is_empty() {
            text = format!("(! {text}{notes})");
        }
        let mut vars = String::new();
        for &v in &b.vars {
            let sort = self.decls.sort(terms, terms.symbol(v).sort)?;
            let _ = write!(vars, "({} {sort})", Declarations::symbol_name(terms, v));
        }
        let word = if b.kind == BinderKind::Forall { "forall" } else { "exists" };
        Ok(format!("({word} ({vars}) {text})"))
    }

    /// The body of a binder of `vars`, its shared parts in `let`s.
    fn scope(&mut self, terms: &Terms, body: TermId, vars: &[SymbolId]) -> Result<String> {
        // What depends on variables of binders further in gets its name there.
        let order: Vec<TermId> =
            self.unnamed(terms, body).into_iter().filter(|t| self.shape.open.contains_key(t)).collect();
        let mut inner = FxHashSet::default();
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        for &t in &order {
            let term = terms.term(t);
            for &a in &term.args {
                *uses.entry(a).or_default() += 1;
            }
        }
        for t in self.unnamed(terms, body) {
            if let Op::Bind(b) = &terms.term(t).op {
                inner.extend(b.vars.iter().copied());
            }
        }
        let mut text = String::new();
        let mut named = Vec::new();
        for &t in &order {
            let open = &self.shape.open[&t];
            let here = open.iter().any(|s| vars.contains(s)) && !open.iter().any(|s| inner.contains(s));
            if here && !terms.term(t).args.is_empty() && uses.get(&t).copied().unwrap_or(0) > 1 && t != body {
                let definition = self.expression(terms, t)?;
                let name = format!("$l{}", t.index());
                let _ = write!(text, "(let (({name} {definition})) ");
                self.lets.insert(t, name);
                named.push(t);
            }
        }
        text.push_str(&self.expression(terms, body)?);
        text.extend(std::iter::repeat_n(')', named.len()));
        for t in named {
            self.lets.remove(&t);
        }
        Ok(text)
    }
}

fn refuse_type_vars(terms: &Terms, b: &Binder) -> Result<()> {
    match b.type_vars.first() {
        Some(&v) => Err(Unsupported(format!("the type variable {}", terms.type_var(v)))),
        None => Ok(()),
    }
}

fn is_constant(terms: &Terms, t: TermId) -> bool {
    let term = terms.term(t);
    match term.op {
        Op::Literal(_) => true,
        Op::ConstMap => is_constant(terms, term.args[0]),
        _ => false,
    }
}

/// The size as a tree, counted up to a bit more than [`TRIGGER`].
fn tree_size(terms: &Terms, t: TermId) -> usize {
    let mut size = 0;
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        size += 1;
        if size > TRIGGER {
            break;
        }
        stack.extend(terms.term(t).args.iter().copied());
    }
    size
}
