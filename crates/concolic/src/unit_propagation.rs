//! Unit propagation over path conditions: decisions that follow from earlier ones on the path are not decisions.
//!
//! **Idea.** If the value of a condition follows from what was decided before on the path, a query about the other
//! arm could only be refuted. What follows is found over the connectives: a true conjunction makes its parts true,
//! and a true disjunction all of whose parts but one are known to be false makes that part true. Guided programs need
//! this: they assume `b ==> c` before they branch on `b` and on `c`, and `!(p && q)` after `!p`.
//!
//! Example: after the assumption `!b || c` and the decision `b`, the condition `c` is true, and a branch on `c` needs
//! no query.
//!
//! **Paper.** M. Davis, G. Logemann, D. Loveland, "A machine program for theorem-proving" (CACM 1962).
//!
//! **Direction of error.** None. What is propagated follows from the decisions alone, so runs that share a path agree
//! on it; a condition that is not seen to follow is decided.

use footpath_term::{Op, TermId, Terms};
use rustc_hash::FxHashMap;

/// Connectives of more arguments than this are not looked into.
const WIDE: usize = 32;
/// Nor are those inside so many others.
const DEEP: u32 = 3;

/// A condition, and whether it holds.
type Literal = (TermId, bool);

/// See the module.
#[derive(Clone, Default, Debug)]
pub(super) struct Settled {
    /// Conditions with their negations.
    truth: FxHashMap<TermId, bool>,
    /// Of each of these at least one literal holds.
    clauses: Vec<Vec<Literal>>,
    /// The clauses that mention a condition.
    mentioned: FxHashMap<TermId, Vec<usize>>,
}

impl Settled {
    /// Whether a condition holds, if that is settled.
    pub(super) fn value(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        self.value_within(terms, condition, DEEP)
    }

    fn value_within(&self, terms: &Terms, condition: TermId, deep: u32) -> Option<bool> {
        if let Some(known) = terms.as_bool(condition).or_else(|| self.truth.get(&condition).copied()) {
            return Some(known);
        }
        let term = terms.term(condition);
        let deep = deep.checked_sub(1).filter(|_| term.args.len() <= WIDE)?;
        let value = |t: &TermId| self.value_within(terms, *t, deep);
        match term.op {
            Op::Not => value(&term.args[0]).map(|v| !v),
            Op::And => all(term.args.iter().map(value)),
            Op::Or => all(term.args.iter().map(|t| value(t).map(|v| !v))).map(|v| !v),
            Op::Implies => match (value(&term.args[0]), value(&term.args[1])) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), Some(false)) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// A condition was decided.
    pub(super) fn settle(&mut self, terms: &mut Terms, condition: TermId, holds: bool) {
        let mut todo: Vec<Literal> = vec![(condition, holds)];
        while let Some((condition, holds)) = todo.pop() {
            if terms.as_bool(condition).is_some() || self.truth.contains_key(&condition) {
                continue;
            }
            let negation = terms.app(Op::Not, [condition]);
            self.truth.insert(condition, holds);
            self.truth.insert(negation, !holds);
            for (known, holds) in [(condition, holds), (negation, !holds)] {
                todo.extend(self.parts(terms, known, holds));
                for clause in self.mentioned.remove(&known).into_iter().flatten() {
                    todo.extend(self.unit(terms, clause));
                }
            }
        }
    }

    /// The consequences of a condition with a known value for its arguments: literals that all hold, or of which at
    /// least one holds.
    fn parts(&mut self, terms: &Terms, condition: TermId, holds: bool) -> Vec<Literal> {
        let term = terms.term(condition);
        let args = &term.args;
        if args.len() > WIDE {
            return Vec::new();
        }
        let (literals, each): (Vec<Literal>, bool) = match term.op {
            Op::And => (args.iter().map(|a| (*a, holds)).collect(), holds),
            Op::Or => (args.iter().map(|a| (*a, holds)).collect(), !holds),
            Op::Implies => (vec![(args[0], !holds), (args[1], holds)], !holds),
            _ => return Vec::new(),
        };
        if each {
            return literals;
        }
        let number = self.clauses.len();
        for (part, _) in &literals {
            self.mentioned.entry(*part).or_default().push(number);
        }
        self.clauses.push(literals);
        self.unit(terms, number).into_iter().collect()
    }

    /// The literal of a clause that is left, if none holds and all others do not.
    fn unit(&self, terms: &Terms, clause: usize) -> Option<Literal> {
        let mut left = None;
        for &(part, holds) in &self.clauses[clause] {
            match self.value(terms, part) {
                Some(value) if value == holds => return None,
                Some(_) => {}
                None if left.is_some() => return None,
                None => left = Some((part, holds)),
            }
        }
        left
    }
}

/// Whether all hold, if that is known.
fn all(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for value in values {
        match value {
            Some(false) => return Some(false),
            Some(true) => {}
            None => result = None,
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use footpath_term::SortId;

    fn variables(terms: &mut Terms, count: usize) -> Vec<TermId> {
        let symbols: Vec<_> = (0..count).map(|i| terms.fresh_symbol(format!("v{i}"), SortId::BOOL)).collect();
        symbols.into_iter().map(|s| terms.var(s)).collect()
    }

    #[test]
    fn an_implication_settles_its_conclusion_once_the_premise_holds() {
        let mut terms = Terms::new();
        let [a, b, c] = variables(&mut terms, 3)[..] else { unreachable!("three were asked for") };
        let both = terms.app(Op::And, [b, c]);
        let not_both = terms.app(Op::Not, [both]);
        let assumed = terms.app(Op::Implies, [a, not_both]);
        let mut settled = Settled::default();
        settled.settle(&mut terms, assumed, true);
        assert_eq!((settled.value(&terms, assumed), settled.value(&terms, a)), (Some(true), None));
        settled.settle(&mut terms, a, true);
        assert_eq!((settled.value(&terms, both), settled.value(&terms, c)), (Some(false), None));
        settled.settle(&mut terms, b, true);
        assert_eq!(settled.value(&terms, c), Some(false));
    }

    #[test]
    fn what_is_settled_follows_from_the_decisions() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut found = 0;
        for _ in 0..300 {
            let mut terms = Terms::new();
            let variables = variables(&mut terms, 4);
            let mut conditions = variables.clone();
            for _ in 0..10 {
                let op = [Op::Not, Op::And, Op::Or, Op::Implies][rng.usize(..4)].clone();
                let pick = |rng: &mut fastrand::Rng| conditions[rng.usize(..conditions.len())];
                let (a, b) = (pick(&mut rng), pick(&mut rng));
                let new = if op == Op::Not { terms.app(op, [a]) } else { terms.app(op, [a, b]) };
                conditions.push(new);
            }
            let holds = |terms: &Terms, t: TermId, row: usize| holds(terms, t, &variables, row);
            let own = rng.usize(..16);
            let mut rows: Vec<usize> = (0..16).collect();
            let mut settled = Settled::default();
            for _ in 0..4 {
                let decided = conditions[rng.usize(..conditions.len())];
                let value = holds(&terms, decided, own);
                settled.settle(&mut terms, decided, value);
                rows.retain(|row| holds(&terms, decided, *row) == value);
                for &condition in &conditions {
                    let Some(value) = settled.value(&terms, condition) else { continue };
                    found += 1;
                    assert!(rows.iter().all(|row| holds(&terms, condition, *row) == value));
                }
            }
        }
        assert!(found > 2_000, "little is settled: {found}");
    }

    fn holds(terms: &Terms, t: TermId, variables: &[TermId], row: usize) -> bool {
        if let Some(known) = terms.as_bool(t) {
            return known;
        }
        if let Some(bit) = variables.iter().position(|v| *v == t) {
            return row >> bit & 1 == 1;
        }
        let term = terms.term(t).clone();
        let mut of = term.args.iter().map(|a| holds(terms, *a, variables, row));
        match term.op {
            Op::Not => of.next() == Some(false),
            Op::And => of.all(|v| v),
            Op::Or => of.any(|v| v),
            Op::Implies => of.next() == Some(false) || of.next() == Some(true),
            Op::Ite => {
                let values: Vec<bool> = of.collect();
                values[if values[0] { 1 } else { 2 }]
            }
            Op::Eq => of.next() == of.next(),
            _ => panic!("no connective: {:?}", term.op),
        }
    }
}
