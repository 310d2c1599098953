//! Evaluation of quantifiers and lambdas by enumeration (bounded quantifiers).
//!
//! **Idea.** A bound variable can be enumerated if its sort is small (booleans, bit-vectors of up to 8 bits), or if
//! it is an integer with a lower and an upper bound among the *guards*: the conjuncts of the body of an `exists`, or
//! of the negated body of a `forall`. Values outside of those bounds cannot decide the quantifier. Guards are read as
//! linear forms, so `i < n`, `0 <= 2*i` and `¬(n <= i)` all bound `i`; the rest of the form may mention variables
//! that are enumerated before. The number of instances is limited; a quantifier that exceeds it, or has no bounds, is
//! asked of the environment.
//!
//! **Example.** `∀i. 0 ≤ i ∧ i < n → m[i] = 0` with `n = 3` is evaluated for `i` = 0, 1, 2: the negated body has the
//! conjuncts `0 ≤ i` and `i < n`.
//!
//! **Direction of error.** None: what is not enumerated completely is not decided here.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::machine::{Machine, dependents};
use super::{EvalError, maps, ops};
use crate::simplify::linear::Linear;
use crate::{Binder, BinderKind, Op, SortId, SymbolId, TermId, Terms, Value};

/// The limit on instances of a binder.
const MAX_INSTANCES: usize = 10_000;
/// The limit on the size of sorts that are enumerated without bounds.
const SMALL: usize = 256;
/// The limit on guards.
const MAX_GUARDS: usize = 64;

/// A bound of the variable `v`: `coefficient · v + rest ≤ 0`, or `= 0`.
struct Bound {
    form: Linear<BigInt>,
    equation: bool,
}

/// The range of a variable.
enum Range {
    Values(Vec<Value>),
    /// Between the bounds in these forms, each with its coefficient for the variable.
    Between(Vec<(BigInt, Linear<BigInt>, bool)>),
}

/// Why an enumeration ended early.
enum Stop {
    TooMany,
    Decided,
}

struct Enumeration<'p> {
    plan: &'p [(SymbolId, Range)],
    body: TermId,
    kind: BinderKind,
    left: usize,
    error: Option<EvalError>,
    /// For lambdas, the elements so far.
    elements: Vec<(Vec<Value>, Value)>,
    vars: &'p [SymbolId],
}

impl Machine<'_> {
    pub(super) fn binder(&mut self, t: TermId, b: &Binder) -> Result<Value, EvalError> {
        let term = self.terms.term(t);
        let body = term.args[0];
        if !b.type_vars.is_empty() {
            return self.ask(t);
        }
        let dependent = self.enter(t, body, &b.vars);
        if !dependent.contains(&body) {
            let value = self.run(body);
            self.leave();
            let value = value?;
            return Ok(match b.kind {
                BinderKind::Lambda => maps::tabulate(self.terms, term.sort, value, Vec::new()),
                _ => value,
            });
        }
        let Some(plan) = self.plan(b, body) else {
            self.leave();
            return self.ask(t);
        };
        let mut enumeration = Enumeration {
            plan: &plan,
            body,
            kind: b.kind,
            left: MAX_INSTANCES,
            error: None,
            elements: Vec::new(),
            vars: &b.vars,
        };
        let depth = self.bound.len();
        let end = self.enumerate(&mut enumeration, 0);
        self.bound.truncate(depth);
        self.leave();
        self.env.enumerated(MAX_INSTANCES - enumeration.left);
        match (end, enumeration.error) {
            (Err(Stop::TooMany), _) => self.ask(t),
            (Err(Stop::Decided), _) => Ok(Value::Bool(b.kind == BinderKind::Exists)),
            (Ok(()), Some(error)) => Err(error),
            (Ok(()), None) => match b.kind {
                BinderKind::Forall => Ok(Value::Bool(true)),
                BinderKind::Exists => Ok(Value::Bool(false)),
                BinderKind::Lambda => match enumeration.elements.first().map(|(_, v)| v.clone()) {
                    Some(default) => Ok(maps::tabulate(self.terms, term.sort, default, enumeration.elements)),
                    None => self.ask(t),
                },
            },
        }
    }

    fn ask(&mut self, t: TermId) -> Result<Value, EvalError> {
        let value = self.env.binder(self.terms, t, &self.bound)?;
        Ok(maps::canonical(self.terms, value))
    }

    /// An order of the variables in which each has a range.
    fn plan(&self, b: &Binder, body: TermId) -> Option<Vec<(SymbolId, Range)>> {
        let mut plan = Vec::new();
        let mut open: Vec<SymbolId> = Vec::new();
        for &v in &b.vars {
            let sort = self.terms.symbol(v).sort;
            match ops::all_values(self.terms, sort, SMALL) {
                Some(values) => plan.push((v, Range::Values(values))),
                None if sort == SortId::INT && b.kind != BinderKind::Lambda => open.push(v),
                None => return None,
            }
        }
        if open.is_empty() {
            return Some(plan);
        }
        let bounds = guards(self.terms, body, b.kind == BinderKind::Exists);
        while !open.is_empty() {
            let (at, found) = open.iter().enumerate().find_map(|(at, &v)| {
                let found = self.bounds_of(v, &open, &bounds);
                let lower = found.iter().any(|(c, _, equation)| *equation || c.is_negative());
                let upper = found.iter().any(|(c, _, equation)| *equation || c.is_positive());
                (lower && upper).then_some((at, found))
            })?;
            plan.push((open.remove(at), Range::Between(found)));
        }
        Some(plan)
    }

    /// The bounds of `v` that mention no other variable of `open`.
    fn bounds_of(
        &self,
        v: SymbolId,
        open: &[SymbolId],
        bounds: &[Bound],
    ) -> Vec<(BigInt, Linear<BigInt>, bool)> {
        let mut found = Vec::new();
        for bound in bounds {
            let is_v = |t: TermId| self.terms.term(t).op == Op::Var(v);
            let Some(at) = bound.form.terms.iter().position(|(t, _)| is_v(*t)) else { continue };
            let mut rest = bound.form.clone();
            let (_, coefficient) = rest.terms.remove(at);
            if rest.terms.iter().all(|(t, _)| !dependents(self.terms, *t, open).contains(t)) {
                found.push((coefficient, rest, bound.equation));
            }
        }
        found
    }

    fn enumerate(&mut self, e: &mut Enumeration<'_>, at: usize) -> Result<(), Stop> {
        let plan = e.plan;
        let Some((v, range)) = plan.get(at) else { return self.instance(e) };
        match range {
            Range::Values(values) => {
                for value in values {
                    self.with(e, at, *v, value.clone())?;
                }
            }
            Range::Between(bounds) => {
                let (Some(low), Some(high)) = self.interval(bounds) else { return Err(Stop::TooMany) };
                if low > high {
                    return Ok(());
                }
                if (&high - &low).to_usize().is_none_or(|n| n >= e.left) {
                    return Err(Stop::TooMany);
                }
                let mut n = low;
                while n <= high {
                    self.with(e, at, *v, Value::Int(n.clone()))?;
                    n += 1;
                }
            }
        }
        Ok(())
    }

    fn with(&mut self, e: &mut Enumeration<'_>, at: usize, v: SymbolId, value: Value) -> Result<(), Stop> {
        self.forget();
        self.bound.push((v, value));
        let end = self.enumerate(e, at + 1);
        self.bound.pop();
        end
    }

    fn instance(&mut self, e: &mut Enumeration<'_>) -> Result<(), Stop> {
        if e.left == 0 {
            return Err(Stop::TooMany);
        }
        e.left -= 1;
        match (self.run(e.body), e.kind) {
            (Err(error), _) => {
                e.error.get_or_insert(error);
            }
            (Ok(value), BinderKind::Lambda) => {
                let index = e.vars.iter().filter_map(|v| {
                    self.bound.iter().rev().find(|(b, _)| b == v).map(|(_, value)| value.clone())
                });
                e.elements.push((index.collect(), value));
            }
            (Ok(value), kind) => {
                if value == Value::Bool(kind == BinderKind::Exists) {
                    return Err(Stop::Decided);
                }
            }
        }
        Ok(())
    }

    /// The interval that the bounds define; a bound that has no value is ignored.
    fn interval(&mut self, bounds: &[(BigInt, Linear<BigInt>, bool)]) -> (Option<BigInt>, Option<BigInt>) {
        let (mut low, mut high): (Option<BigInt>, Option<BigInt>) = (None, None);
        self.forget();
        for (coefficient, rest, equation) in bounds {
            let Some(rest) = self.sum(rest) else { continue };
            // c·v + rest ≤ 0
            let mut c = coefficient.clone();
            let mut k = -rest;
            for _ in 0..if *equation { 2 } else { 1 } {
                if c.is_positive() {
                    let bound = k.div_floor(&c);
                    high = Some(high.map_or(bound.clone(), |h| h.min(bound)));
                } else {
                    let bound = Integer::div_ceil(&k, &c);
                    low = Some(low.map_or(bound.clone(), |l| l.max(bound)));
                }
                (c, k) = (-c, -k);
            }
        }
        (low, high)
    }

    fn sum(&mut self, form: &Linear<BigInt>) -> Option<BigInt> {
        let mut total = form.constant.clone();
        for (t, c) in &form.terms {
            match self.run(*t) {
                Ok(Value::Int(n)) => total += n * c,
                _ => return None,
            }
        }
        Some(total)
    }
}

/// The comparisons that hold whenever `body` has the value `decisive`, as forms.
fn guards(terms: &Terms, body: TermId, decisive: bool) -> Vec<Bound> {
    let mut found = Vec::new();
    let mut stack = vec![(body, decisive)];
    let mut steps = 0;
    while let Some((t, holds)) = stack.pop() {
        steps += 1;
        if steps > 4 * MAX_GUARDS || found.len() > MAX_GUARDS {
            break;
        }
        let term = terms.term(t);
        match (&term.op, holds) {
            (Op::And, true) | (Op::Or, false) => stack.extend(term.args.iter().map(|&a| (a, holds))),
            (Op::Not, _) => stack.push((term.args[0], !holds)),
            (Op::Implies, false) if term.args.len() == 2 => {
                stack.push((term.args[0], true));
                stack.push((term.args[1], false));
            }
            (Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Eq, _)
                if term.args.len() == 2 && term.args.iter().all(|&a| terms.sort(a) == SortId::INT) =>
            {
                if let Some(bound) = comparison(terms, &term.op, term.args[0], term.args[1], holds) {
                    found.push(bound);
                }
            }
            _ => {}
        }
    }
    found
}

fn comparison(terms: &Terms, op: &Op, a: TermId, b: TermId, holds: bool) -> Option<Bound> {
    // As `x ≤ y`, or `x < y`.
    let (mut x, mut y, mut strict) = match op {
        Op::Le => (a, b, false),
        Op::Lt => (a, b, true),
        Op::Ge => (b, a, false),
        Op::Gt => (b, a, true),
        _ if holds => (a, b, false),
        _ => return None,
    };
    if !holds {
        (x, y, strict) = (y, x, !strict);
    }
    let mut form = Linear::<BigInt>::of(terms, x);
    form.add(terms, y, -BigInt::one(), &mut { crate::simplify::linear::BUDGET });
    form.normalize();
    if strict {
        form.constant += BigInt::one();
    }
    let bound = Bound { form, equation: *op == Op::Eq };
    (!bound.form.terms.is_empty() || bound.form.constant.is_zero()).then_some(bound)
}
