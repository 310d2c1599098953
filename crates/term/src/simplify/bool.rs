//! Rewriting rules for connectives and `ite`.
//!
//! - `and`/`or` flatten into each other up to a limit, drop neutral and repeated arguments, and collapse on an
//!   absorbing argument, a complementary pair, or a pair of bounds or equations of one term with literals that
//!   decides the whole (`x ≤ 4 ∧ 5 ≤ x`, `x = 1 ∧ x = 2`). Of two comparable bounds the stronger (in `or`: the
//!   weaker) stays. The order of arguments is kept: conditions read like the source.
//! - `a ∧ (a ∨ b)` is `a`; `a ∧ (¬a ∨ b)` is `a ∧ b`; dually for `or`. `a ∧ (a → b)` is `a ∧ b`.
//! - `not` disappears into `not` and comparisons; it is not pushed through `and` and `or`.
//! - `implies` is kept, which leaves guards of quantifiers legible: `a → (b → c)` is `a ∧ b → c`.
//! - `ite` is simplified with a constant or negated condition, with equal arms, with boolean literal arms, and with
//!   the same condition again in an arm; `ite(c, ite(d, x, y), y)` is `ite(c ∧ d, x, y)`, and so are its three mirror
//!   images that need no negation.
//!
//! **Direction of error.** None: each rule is an equivalence, as `simplify.rs` demands.

use rustc_hash::FxHashSet;

use super::Rewrite;
use crate::{Args, Op, SortId, TermId, Value};

/// The limit on arguments up to which a nested connective is merged into the outer one.
const FLATTEN: usize = 64;
/// The limit on arguments up to which all pairs are compared.
const PAIRWISE: usize = 24;

/// The relation between two conjuncts (in `or`: between the negations of disjuncts).
#[derive(PartialEq, Eq)]
enum Pair {
    /// None that is known.
    Unrelated,
    /// They contradict each other.
    Contradict,
    /// The first implies the second.
    First,
    /// The second implies the first.
    Second,
}

/// A literal bound on a term, or an equation with a literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fact {
    Upper,
    Lower,
    Equal,
    Differs,
}

impl Rewrite<'_> {
    pub(super) fn not(&mut self, a: TermId) -> TermId {
        let term = self.t.term(a);
        let flipped = match term.op {
            Op::Literal(Value::Bool(b)) => return self.t.bool(!b),
            Op::Not => return term.args[0],
            Op::Lt => Op::Le,
            Op::Le => Op::Lt,
            Op::BvUlt => Op::BvUle,
            Op::BvUle => Op::BvUlt,
            Op::BvSlt => Op::BvSle,
            Op::BvSle => Op::BvSlt,
            _ => return self.t.mk(Op::Not, [a], SortId::BOOL),
        };
        let (x, y) = (term.args[0], term.args[1]);
        self.app2(flipped, y, x)
    }

    pub(super) fn and_or(&mut self, args: &Args, and: bool) -> TermId {
        let (head, dual) = if and { (Op::And, Op::Or) } else { (Op::Or, Op::And) };
        let mut total = args.len();
        let mut nested = false;
        for &a in args {
            let term = self.t.term(a);
            if term.op == head {
                nested = true;
                total += term.args.len() - 1;
            }
        }
        let flatten = nested && total <= FLATTEN;
        let mut out = Args::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let many = total > PAIRWISE;
        for &a in args {
            let term = self.t.term(a);
            let parts = if flatten && term.op == head { &term.args[..] } else { std::slice::from_ref(&a) };
            for &p in parts {
                match self.t.as_bool(p) {
                    Some(b) if b == and => continue,
                    Some(_) => return self.t.bool(!and),
                    None => {}
                }
                if many {
                    if !seen.insert(p) {
                        continue;
                    }
                } else if out.contains(&p) {
                    continue;
                }
                out.push(p);
            }
        }
        if many {
            if out.iter().any(|&p| self.as_not(p).is_some_and(|q| seen.contains(&q))) {
                return self.t.bool(!and);
            }
        } else {
            match self.compare_pairs(&mut out, and) {
                Some(literal) => return self.t.bool(literal),
                None => {
                    if let Some(changed) = self.absorb(&out, and, &dual) {
                        return self.app_sorted(head, changed, SortId::BOOL);
                    }
                }
            }
        }
        match out.len() {
            0 => self.t.bool(and),
            1 => out[0],
            _ => self.t.mk(head, out, SortId::BOOL),
        }
    }

    /// Drops redundant arguments; returns the literal if a pair decides the whole.
    fn compare_pairs(&self, out: &mut Args, and: bool) -> Option<bool> {
        let mut i = 0;
        'outer: while i < out.len() {
            let mut j = i + 1;
            while j < out.len() {
                match self.pair(out[i], out[j], and) {
                    Pair::Unrelated => j += 1,
                    Pair::Contradict => return Some(!and),
                    Pair::First => {
                        out.remove(j);
                    }
                    Pair::Second => {
                        out.remove(i);
                        continue 'outer;
                    }
                }
            }
            i += 1;
        }
        None
    }

    fn pair(&self, a: TermId, b: TermId, and: bool) -> Pair {
        if self.complementary(a, b) {
            return Pair::Contradict;
        }
        let (Some((mut f, x, c)), Some((mut g, y, d))) = (self.fact(a), self.fact(b)) else {
            return Pair::Unrelated;
        };
        if x != y {
            return Pair::Unrelated;
        }
        let (Some(c), Some(d)) = (self.t.literal(c), self.t.literal(d)) else { return Pair::Unrelated };
        let mut slack = 0;
        if !and {
            // A disjunction is the negation of the conjunction of the negated facts. The negation of a bound
            // is a strict one: `x > c`, `x < d` contradict each other over integers if d ≤ c + 1.
            slack = i32::from(matches!(c, Value::Int(_)));
            let negate = |f| match f {
                Fact::Upper => Fact::Lower,
                Fact::Lower => Fact::Upper,
                Fact::Equal => Fact::Differs,
                Fact::Differs => Fact::Equal,
            };
            (f, g) = (negate(f), negate(g));
        }
        match (f, g) {
            (Fact::Upper, Fact::Upper) if c <= d => Pair::First,
            (Fact::Upper, Fact::Upper) => Pair::Second,
            (Fact::Lower, Fact::Lower) if c >= d => Pair::First,
            (Fact::Lower, Fact::Lower) => Pair::Second,
            (Fact::Upper, Fact::Lower) if and && c < d || !and && at_most(c, d, slack) => Pair::Contradict,
            (Fact::Lower, Fact::Upper) if and && d < c || !and && at_most(d, c, slack) => Pair::Contradict,
            (Fact::Equal, Fact::Equal) if different(c, d) => Pair::Contradict,
            (Fact::Equal, Fact::Differs) if different(c, d) => Pair::First,
            (Fact::Differs, Fact::Equal) if different(c, d) => Pair::Second,
            _ => Pair::Unrelated,
        }
    }

    /// Reads `x ≤ c`, `c ≤ x`, `x = c`, `¬(x = c)`, where `x` and `c` are of one sort.
    fn fact(&self, t: TermId) -> Option<(Fact, TermId, TermId)> {
        let term = self.t.term(t);
        match term.op {
            Op::Le if self.is_literal(term.args[1]) => Some((Fact::Upper, term.args[0], term.args[1])),
            Op::Le if self.is_literal(term.args[0]) => Some((Fact::Lower, term.args[1], term.args[0])),
            Op::Eq if self.equals_literal(&term.args) => Some((Fact::Equal, term.args[0], term.args[1])),
            Op::Not => {
                let inner = self.t.term(term.args[0]);
                (inner.op == Op::Eq && self.equals_literal(&inner.args))
                    .then(|| (Fact::Differs, inner.args[0], inner.args[1]))
            }
            _ => None,
        }
    }

    /// Whether the sides of an equation are of one sort, the right one a literal.
    fn equals_literal(&self, sides: &Args) -> bool {
        self.is_literal(sides[1]) && self.t.sort(sides[0]) == self.t.sort(sides[1])
    }

    /// Whether one is the negation of the other, as far as that is known without building terms.
    pub(super) fn complementary(&self, a: TermId, b: TermId) -> bool {
        let (s, t) = (self.t.term(a), self.t.term(b));
        match (&s.op, &t.op) {
            (Op::Not, _) if s.args[0] == b => true,
            (_, Op::Not) if t.args[0] == a => true,
            (Op::Lt, Op::Le)
            | (Op::Le, Op::Lt)
            | (Op::BvUlt, Op::BvUle)
            | (Op::BvUle, Op::BvUlt)
            | (Op::BvSlt, Op::BvSle)
            | (Op::BvSle, Op::BvSlt) => s.args[0] == t.args[1] && s.args[1] == t.args[0],
            _ => false,
        }
    }

    /// Absorption and unit resolution inside `out`; the new arguments if anything changed.
    fn absorb(&self, out: &Args, and: bool, dual: &Op) -> Option<Args> {
        for (i, &x) in out.iter().enumerate() {
            let term = self.t.term(x);
            if and && term.op == Op::Implies && term.args.len() == 2 && out.contains(&term.args[0]) {
                let mut changed = out.clone();
                changed[i] = term.args[1];
                return Some(changed);
            }
            if term.op != *dual || term.args.len() > 8 {
                continue;
            }
            if term.args.iter().any(|m| out.contains(m)) {
                let mut changed = out.clone();
                changed.remove(i);
                return Some(changed);
            }
            let excluded = |m: TermId| out.iter().any(|&o| o != x && self.complementary(o, m));
            if let Some(at) = term.args.iter().position(|&m| excluded(m)) {
                // One at a time: the rest of a two-argument connective is a plain argument.
                if term.args.len() == 2 {
                    let mut changed = out.clone();
                    changed[i] = term.args[1 - at];
                    return Some(changed);
                }
            }
        }
        None
    }

    pub(super) fn implies(&mut self, args: Args) -> TermId {
        let [a, b] = args[..] else { return self.t.mk(Op::Implies, args, SortId::BOOL) };
        match (self.t.as_bool(a), self.t.as_bool(b)) {
            (Some(true), _) => return b,
            (Some(false), _) | (_, Some(true)) => return self.t.bool(true),
            (_, Some(false)) => return self.not(a),
            _ => {}
        }
        if a == b {
            return self.t.bool(true);
        }
        if self.complementary(a, b) {
            return b;
        }
        if let Some([c, d]) = self.as_binary(b, &Op::Implies) {
            let guard = self.app2(Op::And, a, c);
            return self.app2(Op::Implies, guard, d);
        }
        self.t.mk(Op::Implies, [a, b], SortId::BOOL)
    }

    pub(super) fn ite(&mut self, mut c: TermId, mut yes: TermId, mut no: TermId) -> TermId {
        if let Some(b) = self.t.as_bool(c) {
            return if b { yes } else { no };
        }
        if let Some(positive) = self.as_not(c) {
            c = positive;
            (yes, no) = (no, yes);
        }
        while let Some([d, inner, _]) = self.as_ite(yes)
            && d == c
        {
            yes = inner;
        }
        while let Some([d, _, inner]) = self.as_ite(no)
            && d == c
        {
            no = inner;
        }
        if yes == no {
            return yes;
        }
        let sort = self.t.sort(yes);
        if sort == SortId::BOOL
            && let Some(simple) = self.bool_ite(c, yes, no)
        {
            return simple;
        }
        if let Some([d, x, y]) = self.as_ite(yes)
            && y == no
        {
            let both = self.app2(Op::And, c, d);
            return self.app(Op::Ite, Args::from_slice(&[both, x, no]));
        }
        if let Some([d, x, y]) = self.as_ite(no)
            && x == yes
        {
            let either = self.app2(Op::Or, c, d);
            return self.app(Op::Ite, Args::from_slice(&[either, yes, y]));
        }
        self.t.mk(Op::Ite, [c, yes, no], sort)
    }

    fn bool_ite(&mut self, c: TermId, yes: TermId, no: TermId) -> Option<TermId> {
        Some(match (self.t.as_bool(yes), self.t.as_bool(no)) {
            (Some(true), Some(_)) => c,
            (Some(false), Some(_)) => self.not(c),
            (Some(true), None) => self.app2(Op::Or, c, no),
            (None, Some(false)) => self.app2(Op::And, c, yes),
            (Some(false), None) => {
                let not = self.app1(Op::Not, c);
                self.app2(Op::And, not, no)
            }
            (None, Some(true)) => {
                let not = self.app1(Op::Not, c);
                self.app2(Op::Or, not, yes)
            }
            (None, None) if yes == c => self.app2(Op::Or, c, no),
            (None, None) if no == c => self.app2(Op::And, c, yes),
            (None, None) if self.complementary(yes, no) => self.app2(Op::Eq, c, yes),
            (None, None) => return None,
        })
    }
}

/// `d ≤ c + slack` for numbers.
fn at_most(d: &Value, c: &Value, slack: i32) -> bool {
    match (d, c) {
        (Value::Int(d), Value::Int(c)) => *d <= c + slack,
        _ => d <= c,
    }
}

/// Whether two literals are certainly different; floats have several bit patterns for one value.
fn different(c: &Value, d: &Value) -> bool {
    match (c, d) {
        (Value::Int(_), Value::Int(_))
        | (Value::Real(_), Value::Real(_))
        | (Value::BitVec { .. }, Value::BitVec { .. })
        | (Value::String(_), Value::String(_))
        | (Value::Element { .. }, Value::Element { .. }) => c != d,
        _ => false,
    }
}
