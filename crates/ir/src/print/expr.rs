//! The printer of terms and sorts in Boogie's syntax.
//!
//! Precedences, loosest first: `if` 0, `<==>` 1, `==>` 2, `&&` and `||` 3, comparisons 4, `++` 5, `+` and `-` 6, `*`,
//! `div`, `mod` and `/` 7, `**` 8, prefix operators 10, atoms and postfix operators 12. Parentheses are printed only
//! where reading back would give another term without them: `&&` and `||` do not mix, comparisons do not chain, `==>`
//! and `**` associate to the right, the rest to the left. So `a ==> (b ==> c)` is printed as `a ==> b ==> c`, and
//! `(a ==> b) ==> c` keeps its parentheses. `&&`, `+` and similar operators take any number of arguments in the form;
//! they are printed as chains and read back as nested binary ones, which print the same.
//!
//! Operators that Boogie has no syntax for (`bvadd`, `bv2nat`, constant maps …) are printed as functions; the text
//! declares them with `{:bvbuiltin "bvadd"}`, so that reading back gives the operator. A polymorphic application
//! whose sort does not follow from its arguments is printed with its sort: `(nil() : List int)`.
//!
//! Everything but sorts is iterative: terms made from real programs nest a hundred thousand deep. A shared part of a
//! term is printed wherever it occurs, so a term that is exponentially smaller than its tree prints exponentially
//! long; front ends do not make such terms.

use std::fmt::Write;
use std::sync::Arc;

use footpath_term::{Binder, BinderKind, FuncId, FuncKind, Op, Sort, SortId, TermId, Terms, Value};
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::builtins;
use super::names::{Mark, Names, legal};

const IFF: u8 = 1;
const IMPLIES: u8 = 2;
const LOGICAL: u8 = 3;
pub(super) const COMPARISON: u8 = 4;
pub(super) const POWER: u8 = 8;
const PREFIX: u8 = 10;
const ATOM: u8 = 12;

/// A printer of terms, with the names of the current scope.
pub(super) struct Printer<'a> {
    pub(super) terms: &'a Terms,
    pub(super) names: Names,
    pub(super) out: String,
}

/// A piece of output that is still to be written.
enum Work {
    Text(&'static str),
    Owned(Arc<str>),
    /// A term in a place that takes operators of at least this precedence.
    Term(TermId, u8),
    Leave(Mark),
}

impl<'a> Printer<'a> {
    pub(super) fn new(terms: &'a Terms, names: Names) -> Printer<'a> {
        Printer { terms, names, out: String::new() }
    }

    /// Writes a term where any operator may stand.
    pub(super) fn expr(&mut self, term: TermId) {
        self.expr_at(term, 0);
    }

    fn expr_at(&mut self, term: TermId, min: u8) {
        let mut stack = vec![Work::Term(term, min)];
        let mut pieces = Vec::new();
        while let Some(work) = stack.pop() {
            match work {
                Work::Text(text) => self.out.push_str(text),
                Work::Owned(text) => self.out.push_str(&text),
                Work::Leave(mark) => self.names.leave(mark),
                Work::Term(term, min) => {
                    let precedence = self.pieces(self.resolve(term), &mut pieces);
                    if precedence < min {
                        self.out.push('(');
                        stack.push(Work::Text(")"));
                    }
                    stack.extend(pieces.drain(..).rev());
                }
            }
        }
    }

    /// Skips connectives with a single argument.
    fn resolve(&self, mut term: TermId) -> TermId {
        loop {
            let t = self.terms.term(term);
            match t.op {
                Op::And | Op::Or | Op::Add | Op::Mul | Op::Concat if t.args.len() == 1 => term = t.args[0],
                _ => return term,
            }
        }
    }

    /// The parts of a term, in order, and its precedence.
    fn pieces(&mut self, term: TermId, out: &mut Vec<Work>) -> u8 {
        let terms = self.terms;
        let t = terms.term(term);
        let args = &t.args[..];
        let mut infix = |symbol: &'static str, level: u8, left: u8, right: u8| {
            for (i, &arg) in args.iter().enumerate() {
                if i > 0 {
                    out.push(Work::Text(symbol));
                }
                out.push(Work::Term(arg, if i == 0 { left } else { right }));
            }
            level
        };
        match &t.op {
            Op::Literal(value) => self.literal(value, out),
            Op::Var(symbol) => {
                if let Some(&global) = self.names.old.get(symbol) {
                    let name = self.names.symbol(global, &terms.symbol(global).name);
                    out.extend([Work::Text("old("), Work::Owned(name), Work::Text(")")]);
                } else {
                    out.push(Work::Owned(self.names.symbol(*symbol, &terms.symbol(*symbol).name)));
                }
                ATOM
            }
            Op::Apply(function) if builtins::float_infix(terms, *function, args).is_some() => {
                match builtins::float_infix(terms, *function, args) {
                    Some((symbol, level, right)) => infix(symbol, level, level.min(right), right),
                    None => ATOM,
                }
            }
            Op::Apply(function) => {
                let sorts = args.iter().map(|&a| terms.sort(a));
                let open = builtins::leaves_sort_open(terms, *function, sorts);
                let name = self.function_name(*function);
                self.application(name, args, open.then_some(t.sort), out)
            }
            Op::Bind(binder) => {
                self.binder(binder, args, out);
                ATOM
            }
            Op::Not => {
                let inner = terms.term(self.resolve(args[0]));
                let equates = match inner.op {
                    Op::Eq => {
                        inner.args.len() == 2 && !builtins::needs_declaration(terms, &inner.op, &inner.args)
                    }
                    Op::Apply(f) => builtins::float_infix(terms, f, &inner.args)
                        .is_some_and(|(symbol, ..)| symbol == " == "),
                    _ => false,
                };
                if equates {
                    pairs(" != ", &inner.args, out)
                } else {
                    out.extend([Work::Text("!"), Work::Term(args[0], PREFIX)]);
                    PREFIX
                }
            }
            Op::And | Op::Or if args.is_empty() => {
                out.push(Work::Text(if t.op == Op::And { "true" } else { "false" }));
                ATOM
            }
            Op::And | Op::Or => {
                let same = terms.term(self.resolve(args[0])).op == t.op;
                let symbol = if t.op == Op::And { " && " } else { " || " };
                infix(symbol, LOGICAL, if same { LOGICAL } else { COMPARISON }, COMPARISON)
            }
            Op::Implies => infix(" ==> ", IMPLIES, LOGICAL, IMPLIES),
            Op::Eq if args.len() == 2 && args.iter().all(|&a| terms.sort(a) == SortId::BOOL) => {
                infix(" <==> ", IFF, IFF, IMPLIES)
            }
            Op::Eq if !builtins::needs_declaration(terms, &t.op, args) => pairs(" == ", args, out),
            Op::Distinct if !builtins::needs_declaration(terms, &t.op, args) => pairs(" != ", args, out),
            Op::Ite => {
                for (text, &arg) in ["if ", " then ", " else "].into_iter().zip(args) {
                    out.extend([Work::Text(text), Work::Term(arg, 0)]);
                }
                0
            }
            Op::Neg => {
                // `--5` would be read as it is meant, `-0x1.8e0f24e8` would not; both get parentheses.
                let inner = terms.term(self.resolve(args[0]));
                let bare = match &inner.op {
                    Op::Neg | Op::Literal(Value::Float { .. }) => false,
                    Op::Literal(value) => !value.to_string().starts_with('-'),
                    _ => true,
                };
                if bare {
                    out.extend([Work::Text("-"), Work::Term(args[0], PREFIX)]);
                } else {
                    out.extend([Work::Text("-("), Work::Term(args[0], 0), Work::Text(")")]);
                }
                PREFIX
            }
            Op::Add | Op::Mul if args.is_empty() => {
                out.push(Work::Text(if t.op == Op::Add { "0" } else { "1" }));
                ATOM
            }
            Op::Add => infix(" + ", 6, 6, 7),
            Op::Sub => infix(" - ", 6, 6, 7),
            Op::Mul => infix(" * ", 7, 7, POWER),
            Op::IntDiv => infix(" div ", 7, 7, POWER),
            Op::Mod => infix(" mod ", 7, 7, POWER),
            Op::RealDiv => infix(" / ", 7, 7, POWER),
            Op::Pow => infix(" ** ", POWER, PREFIX, POWER),
            Op::Le => infix(" <= ", COMPARISON, 5, 5),
            Op::Lt => infix(" < ", COMPARISON, 5, 5),
            Op::Ge => infix(" >= ", COMPARISON, 5, 5),
            Op::Gt => infix(" > ", COMPARISON, 5, 5),
            Op::Subtype => infix(" <: ", COMPARISON, 5, 5),
            Op::Concat => infix(" ++ ", 5, 5, 6),
            Op::ToReal => self.application("real".into(), args, None, out),
            Op::ToInt => self.application("int".into(), args, None, out),
            Op::Extract(high, low) => {
                let bounds = format!("[{}:{low}]", u64::from(*high) + 1);
                out.extend([Work::Term(args[0], ATOM), Work::Owned(bounds.into())]);
                ATOM
            }
            Op::Select => {
                out.extend([Work::Term(args[0], ATOM), Work::Text("[")]);
                list(&args[1..], out);
                out.push(Work::Text("]"));
                ATOM
            }
            Op::Store => {
                let (value, indices) = args[1..].split_last().expect("a store has a value");
                out.extend([Work::Term(args[0], ATOM), Work::Text("[")]);
                list(indices, out);
                let assign = if indices.is_empty() { ":= " } else { " := " };
                out.extend([Work::Text(assign), Work::Term(*value, 0), Work::Text("]")]);
                ATOM
            }
            op => {
                let builtin = builtins::key(terms, op, args, t.sort);
                match self.names.builtins.get(&builtin) {
                    Some(known) => {
                        let (name, open) = (known.name.clone(), known.leaves_sort_open);
                        self.application(name, args, open.then_some(t.sort), out)
                    }
                    None => {
                        let name = builtins::predicted_name(terms, &builtin);
                        self.application(name.into(), args, None, out)
                    }
                }
            }
        }
    }

    fn literal(&self, value: &Value, out: &mut Vec<Work>) -> u8 {
        let text = match value {
            Value::Float { exponent, significand, bits } => float(*exponent, *significand, bits),
            Value::Element { sort, number } => format!("{}!{number}", legal(&self.sort_text(*sort))),
            value => value.to_string(),
        };
        let precedence = if text.contains('/') {
            7
        } else if text.starts_with('-') && !matches!(value, Value::Float { .. }) {
            PREFIX
        } else {
            ATOM
        };
        out.push(Work::Owned(text.into()));
        precedence
    }

    /// Writes the head of a binder, whose variables get their names now, and lists the rest.
    fn binder(&mut self, binder: &Binder, args: &[TermId], out: &mut Vec<Work>) {
        let terms = self.terms;
        let mark = self.names.enter();
        let mut head = String::from(match binder.kind {
            BinderKind::Forall => "(forall",
            BinderKind::Exists => "(exists",
            BinderKind::Lambda => "(lambda",
        });
        if !binder.type_vars.is_empty() {
            let vars = binder.type_vars.iter();
            let names: Vec<_> = vars.map(|&v| self.names.declare_type_var(v, terms.type_var(v))).collect();
            let _ = write!(head, "<{}>", names.join(", "));
        }
        for (i, &var) in binder.vars.iter().enumerate() {
            let symbol = terms.symbol(var);
            let name = self.names.declare(var, &symbol.name);
            let _ = write!(head, "{} {name}: {}", if i > 0 { "," } else { "" }, self.sort_text(symbol.sort));
        }
        head.push_str(" :: ");
        if let Some(weight) = binder.weight {
            let _ = write!(head, "{{:weight {weight}}} ");
        }
        out.push(Work::Owned(head.into()));
        let mut patterns = &args[1..];
        for &length in &binder.triggers {
            let (trigger, rest) = patterns.split_at(length as usize);
            out.push(Work::Text("{"));
            list(trigger, out);
            out.push(Work::Text("} "));
            patterns = rest;
        }
        for &pattern in patterns {
            out.extend([Work::Text("{:nopats "), Work::Term(pattern, 0), Work::Text("} ")]);
        }
        out.extend([Work::Term(args[0], 0), Work::Text(")"), Work::Leave(mark)]);
    }

    /// A function and its arguments, with the sort of the whole if that must be said.
    fn application(&self, name: Arc<str>, args: &[TermId], sort: Option<SortId>, out: &mut Vec<Work>) -> u8 {
        out.extend(sort.map(|_| Work::Text("(")));
        out.extend([Work::Owned(name), Work::Text("(")]);
        list(args, out);
        out.push(Work::Text(")"));
        if let Some(sort) = sort {
            out.extend([Work::Text(" : "), Work::Owned(self.sort_text(sort)), Work::Text(")")]);
        }
        ATOM
    }

    fn function_name(&self, function: FuncId) -> Arc<str> {
        if let Some(name) = self.names.functions.get(&function) {
            return name.clone();
        }
        let decl = self.terms.function(function);
        match decl.kind {
            FuncKind::Selector { constructor, .. } => {
                let field = legal(field_name(&decl.name, &self.terms.function(constructor).name));
                format!("{field}#{}", self.function_name(constructor)).into()
            }
            FuncKind::Tester { constructor } => format!("is#{}", self.function_name(constructor)).into(),
            _ => legal(&decl.name).into(),
        }
    }

    /// A sort as Boogie writes it.
    pub(super) fn sort_text(&self, sort: SortId) -> Arc<str> {
        let mut text = String::new();
        self.write_sort(&mut text, sort, &mut Vec::new(), false);
        text.into()
    }

    /// `binders` holds, for each enclosing polymorphic map, the number of its first parameter.
    fn write_sort(&self, out: &mut String, sort: SortId, binders: &mut Vec<(u32, u32)>, atom: bool) {
        match self.terms.sort_of(sort) {
            Sort::Ctor(ctor, args) => {
                let parentheses = atom && !args.is_empty();
                out.push_str(if parentheses { "(" } else { "" });
                match self.names.ctors.get(ctor) {
                    Some(name) => out.push_str(name),
                    None => out.push_str(&legal(&self.terms.ctor(*ctor).name)),
                }
                for &arg in args {
                    out.push(' ');
                    self.write_sort(out, arg, binders, true);
                }
                out.push_str(if parentheses { ")" } else { "" });
            }
            Sort::Map { params, domain, range } => {
                out.push_str(if atom { "(" } else { "" });
                if *params > 0 {
                    let start = binders.last().map_or(0, |&(start, count)| start + count);
                    let names: Vec<String> = (start..start + params).map(|i| format!("t{i}")).collect();
                    let _ = write!(out, "<{}>", names.join(", "));
                    binders.push((start, *params));
                }
                out.push('[');
                for (i, &index) in domain.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { "" });
                    self.write_sort(out, index, binders, false);
                }
                out.push(']');
                self.write_sort(out, *range, binders, false);
                if *params > 0 {
                    binders.pop();
                }
                out.push_str(if atom { ")" } else { "" });
            }
            Sort::Var(var) => out.push_str(&self.names.type_var(*var, self.terms.type_var(*var))),
            Sort::Bound { depth, index } => {
                let start = binders.len().checked_sub(1 + *depth as usize).map_or(0, |i| binders[i].0);
                let _ = write!(out, "t{}", start + index);
            }
            _ => {
                let _ = write!(out, "{}", self.terms.display_sort(sort));
            }
        }
    }
}

fn list(args: &[TermId], out: &mut Vec<Work>) {
    for (i, &arg) in args.iter().enumerate() {
        if i > 0 {
            out.push(Work::Text(", "));
        }
        out.push(Work::Term(arg, 0));
    }
}

/// The conjunction of a comparison of all pairs.
fn pairs(symbol: &'static str, args: &[TermId], out: &mut Vec<Work>) -> u8 {
    for (i, &a) in args.iter().enumerate() {
        for &b in &args[i + 1..] {
            if !out.is_empty() {
                out.push(Work::Text(" && "));
            }
            out.extend([Work::Term(a, 5), Work::Text(symbol), Work::Term(b, 5)]);
        }
    }
    match args.len() {
        0 | 1 => {
            out.push(Work::Text("true"));
            ATOM
        }
        2 => COMPARISON,
        _ => LOGICAL,
    }
}

/// The field behind a selector's name, which may be `field` or `field#Constructor`.
pub(super) fn field_name<'n>(selector: &'n str, constructor: &str) -> &'n str {
    let field = selector.strip_suffix(constructor).and_then(|s| s.strip_suffix('#'));
    field.filter(|f| !f.is_empty()).unwrap_or(selector)
}

/// A floating-point literal: a hexadecimal number times a power of 16.
fn float(exponent: u32, significand: u32, bits: &BigUint) -> String {
    let fraction_bits = significand - 1;
    let fraction = bits % (BigUint::one() << fraction_bits);
    let biased = (bits >> fraction_bits) % (BigUint::one() << exponent);
    let sign = if bits.bit(u64::from(fraction_bits + exponent)) { "-" } else { "" };
    let suffix = format!("{significand}e{exponent}");
    if biased == (BigUint::one() << exponent) - BigUint::one() {
        return match (fraction.is_zero(), sign) {
            (false, _) => format!("0NaN{suffix}"),
            (true, "-") => format!("0-oo{suffix}"),
            (true, _) => format!("0+oo{suffix}"),
        };
    }
    let normal = !biased.is_zero();
    let whole = if normal { fraction + (BigUint::one() << fraction_bits) } else { fraction };
    if whole.is_zero() {
        return format!("{sign}0x0.0e0f{suffix}");
    }
    let bias = (1i64 << (exponent - 1)) - 1;
    let biased: i64 = i64::try_from(&biased).unwrap_or(0).max(1);
    // The value is whole * 2^power; hexadecimal exponents count in steps of four bits.
    let power = biased - bias - i64::from(fraction_bits);
    let digits = (whole << power.rem_euclid(4)).to_str_radix(16);
    let trimmed = digits.trim_end_matches('0');
    let steps = power.div_euclid(4) + (digits.len() - trimmed.len()) as i64;
    format!("{sign}0x{trimmed}.0e{steps}f{suffix}")
}
