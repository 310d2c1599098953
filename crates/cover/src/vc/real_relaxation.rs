//! Real relaxation (linear relaxation): integers become reals, which gives a weaker formula that is much easier to
//! refute.
//!
//! **Idea.** Every integer variable becomes a real one, sums and comparisons stay. Each run of the procedure
//! satisfies the relaxed formula, with its integers; so what is refuted here is refuted. Linear arithmetic over reals
//! needs no cuts and no case distinctions over numbers, and a formula with thousands of paths is decided in a tenth
//! of the time or less. A model may have fractions: it is only a hint about which path to ask.
//!
//! Properties of integers are kept where it costs nothing: if `a ≤ b` is false, then `b + 1 ≤ a`; if `a = b` is
//! false, they differ by at least 1. This is done as in the relaxations of integer programming, but for formulas.
//!
//! **Example.** `2·x = 1` has a model over the reals, so it is not refuted here. `x < y ∧ y < x + 1` is refuted, as
//! the negated comparisons become `x + 1 ≤ y` and `y + 1 ≤ x + 1`.
//!
//! * Boolean structure and symbols are kept as they are, so literals that are names can still be assumed.
//! * An integer term of another kind (a quotient, a product of variables, a map's or a function's value) becomes a
//!   real variable: the same for the same term, and otherwise unconstrained.
//! * A boolean term of another kind is kept. Integers that it mentions are not connected with the reals.
//!
//! **Direction of error.** Towards satisfiable. A refutation holds; a model means nothing by itself.

use footpath_term::{Op, SortId, SymbolId, TermId, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// The reals that replace integer terms. Formulas that were relaxed with the same one can be combined.
#[derive(Default)]
pub struct Relaxation {
    /// The real variables, by the integer terms that they replace.
    variables: FxHashMap<TermId, TermId>,
    /// A cache of relaxed terms.
    done: FxHashMap<TermId, TermId>,
    /// Constraints that hold because different integers differ by at least 1.
    apart: Vec<TermId>,
    /// Whether a real variable replaces a term that is no variable.
    opaque: bool,
}

/// How a term is relaxed.
enum Kind {
    /// The same operator on relaxed arguments.
    Same,
    /// A comparison of integers.
    Comparison,
    Number(Value),
    /// It is replaced by a real variable.
    Variable,
    Kept,
}

impl Relaxation {
    /// Relaxes boolean terms. The results hold wherever the terms do.
    pub fn relax(&mut self, terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
        let mut relaxed: Vec<TermId> = formulas.iter().map(|&t| self.term(terms, t)).collect();
        relaxed.append(&mut self.apart);
        relaxed
    }

    /// Whether all integer terms are sums of variables.
    pub fn is_linear(&self) -> bool {
        !self.opaque
    }

    fn term(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        let mut stack = vec![(root, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.done.contains_key(&t) {
                continue;
            }
            let kind = kind(terms, t);
            let args: Vec<TermId> = match kind {
                Kind::Same | Kind::Comparison => terms.term(t).args.to_vec(),
                _ => Vec::new(),
            };
            if !ready && !args.is_empty() {
                stack.push((t, true));
                stack.extend(args.into_iter().map(|a| (a, false)));
                continue;
            }
            let args: Vec<TermId> = args.iter().map(|a| self.done[a]).collect();
            let new = match kind {
                Kind::Same => {
                    let op = terms.term(t).op.clone();
                    terms.app(op, args)
                }
                Kind::Comparison => self.compare(terms, t, args[0], args[1]),
                Kind::Number(value) => terms.value(&value),
                Kind::Variable => self.variable(terms, t),
                Kind::Kept => t,
            };
            self.done.insert(t, new);
        }
        self.done[&root]
    }

    fn variable(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        let name = match terms.term(t).op {
            Op::Var(symbol) => name_of(terms, symbol),
            _ => {
                self.opaque = true;
                "integer".into()
            }
        };
        *self.variables.entry(t).or_insert_with(|| terms.fresh_var(name, SortId::REAL))
    }

    /// A literal for a comparison, which implies the comparison; its negation implies the strict opposite with a
    /// distance of 1.
    fn compare(&mut self, terms: &mut Terms, t: TermId, a: TermId, b: TermId) -> TermId {
        let (yes, no) = match terms.term(t).op {
            Op::Le => (at_most(terms, a, b), below(terms, b, a)),
            Op::Lt => (below(terms, a, b), at_most(terms, b, a)),
            Op::Ge => (at_most(terms, b, a), below(terms, a, b)),
            Op::Gt => (below(terms, b, a), at_most(terms, a, b)),
            ref op => {
                let distinct = *op == Op::Distinct;
                let equal = terms.app(Op::Eq, [a, b]);
                let (less, more) = (below(terms, a, b), below(terms, b, a));
                let apart = terms.app(Op::Or, [less, more]);
                if distinct { (apart, equal) } else { (equal, apart) }
            }
        };
        match (terms.as_bool(yes), terms.as_bool(no)) {
            (Some(true), _) | (_, Some(false)) => return terms.bool(true),
            (Some(false), _) | (_, Some(true)) => return terms.bool(false),
            _ => {}
        }
        let holds = terms.fresh_var("compared", SortId::BOOL);
        let fails = terms.app(Op::Not, [holds]);
        self.apart.push(terms.raw(Op::Implies, [holds, yes]));
        self.apart.push(terms.raw(Op::Implies, [fails, no]));
        holds
    }
}

fn name_of(terms: &Terms, symbol: SymbolId) -> std::sync::Arc<str> {
    terms.symbol(symbol).name.clone()
}

fn at_most(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    terms.app(Op::Le, [a, b])
}

/// `a + 1 ≤ b`.
fn below(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let one = terms.value(&Value::Real(BigInt::from(1).into()));
    let next = terms.app(Op::Add, [a, one]);
    terms.app(Op::Le, [next, b])
}

fn kind(terms: &Terms, t: TermId) -> Kind {
    let term = terms.term(t);
    let of = |sort: SortId| term.args.iter().all(|&a| terms.sort(a) == sort);
    let is_number = |&a: &TermId| terms.literal(a).is_some();
    match (&term.op, term.sort) {
        (Op::Literal(Value::Int(n)), _) => Kind::Number(Value::Real(n.clone().into())),
        (Op::Add | Op::Sub | Op::Neg, SortId::INT) => Kind::Same,
        (Op::Mul, SortId::INT) if term.args.iter().filter(|a| !is_number(a)).count() <= 1 => Kind::Same,
        (Op::Ite, SortId::INT | SortId::BOOL) => Kind::Same,
        (Op::Not | Op::And | Op::Or | Op::Implies, _) => Kind::Same,
        (Op::Eq | Op::Distinct, _) if of(SortId::BOOL) => Kind::Same,
        (Op::Eq | Op::Distinct | Op::Le | Op::Lt | Op::Ge | Op::Gt, _)
            if term.args.len() == 2 && of(SortId::INT) =>
        {
            Kind::Comparison
        }
        (_, SortId::INT) => Kind::Variable,
        _ => Kind::Kept,
    }
}
