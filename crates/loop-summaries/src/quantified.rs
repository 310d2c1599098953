//! The necessary condition of a target as one formula with quantifiers over iterations.
//!
//! **Idea.** Each path through a loop must have been possible as often as its counter says, after some number of
//! iterations of the other paths:
//!
//! ```text
//! φ^κ = ⋀ᵢ ∀τᵢ. 0 ≤ τᵢ < κᵢ → ∃ τⱼ (j ≠ i), …. ⋀ⱼ 0 ≤ τⱼ ≤ κⱼ ∧ condition of path i at τ
//! ```
//!
//! Example: for `while (i < n) i += 2;` from `i = 0` the formula is `∀τ. 0 ≤ τ < κ → 2·τ < n`, and the exit of the
//! loop adds `2·κ ≥ n`.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Sections 4.6 and 5.2.
//!
//! **Deviations.**
//! 1. Carried variables (`iterated_states.rs`) exist before each iteration, with what is known of them.
//! 2. What the last iteration did is added, which ties the carried variables' last values to it.
//!
//! **Direction of error.** In one direction: it has more models than there are runs.

use std::sync::Arc;

use footpath_term::{Binder, BinderKind, Op, Substitution, SymbolId, TermId, Terms};

use crate::counters::Kind;
use crate::summary::{Relation, Step, Summary, Tree};

/// The condition. Counters and other symbols of outermost loops are free in it.
pub(crate) fn quantified(terms: &mut Terms, tree: &Tree) -> TermId {
    let mut work = Work { terms, map: Substitution::default(), depth: 0 };
    work.tree(tree)
}

struct Work<'t> {
    terms: &'t mut Terms,
    map: Substitution,
    depth: u32,
}

/// A scope of the formula: conditions, and the existentially quantified symbols in them.
#[derive(Default)]
struct Scope {
    exist: Vec<SymbolId>,
    conjuncts: Vec<TermId>,
}

impl Work<'_> {
    fn term(&mut self, t: TermId) -> TermId {
        self.terms.substitute(t, &self.map)
    }

    /// A fresh symbol for each occurrence of a bound one.
    fn bind(&mut self, symbol: SymbolId, scope: &mut Scope) -> TermId {
        let declared = self.terms.symbol(symbol).clone();
        let fresh = self.terms.fresh_symbol(declared.name, declared.sort);
        scope.exist.push(fresh);
        let term = self.terms.var(fresh);
        self.map.insert(symbol, term);
        term
    }

    fn own_or_bind(&mut self, symbol: SymbolId, scope: &mut Scope) -> TermId {
        if self.depth > 0 {
            return self.bind(symbol, scope);
        }
        self.terms.var(symbol)
    }

    fn tree(&mut self, tree: &Tree) -> TermId {
        let mut scope = Scope::default();
        self.step(&tree.step, &mut scope);
        if !tree.next.is_empty() {
            let next: Vec<TermId> = tree.next.iter().map(|t| self.tree(t)).collect();
            scope.conjuncts.push(self.terms.app(Op::Or, next));
        }
        self.terms.app(Op::And, scope.conjuncts)
    }

    fn step(&mut self, step: &Step, scope: &mut Scope) {
        if let Some(summary) = &step.around {
            self.summary(summary, scope);
        }
        for &local in &step.locals {
            self.own_or_bind(local, scope);
        }
        for &condition in &step.conditions {
            let condition = self.term(condition);
            scope.conjuncts.push(condition);
        }
    }

    fn summary(&mut self, summary: &Summary, scope: &mut Scope) {
        let firsts: Vec<TermId> = summary.carried.iter().map(|c| self.term(c.first)).collect();
        let ends: Vec<TermId> = summary.carried.iter().map(|c| self.own_or_bind(c.end, scope)).collect();
        if summary.opaque {
            return;
        }
        let kind = Kind::of(self.terms, summary.counters[0]);
        let counters: Vec<TermId> = summary.counters.iter().map(|&c| self.own_or_bind(c, scope)).collect();
        for &counter in &counters {
            let natural = kind.natural(self.terms, counter);
            scope.conjuncts.push(natural);
        }
        scope.conjuncts.extend(kind.no_wrap(self.terms, &counters));
        let total = kind.sum(self.terms, &counters);
        if let Some(count) = summary.count {
            let count = self.term(count);
            scope.conjuncts.push(self.terms.app(Op::Eq, [total, count]));
        }
        for i in 0..summary.rounds.len() {
            let each = self.each_time(summary, kind, &counters, i);
            scope.conjuncts.push(each);
        }
        self.last_round(summary, kind, &counters, &ends, &firsts, scope);
        // What lies behind the loop speaks of its end.
        for (&symbol, &term) in summary.counters.iter().zip(&counters) {
            self.map.insert(symbol, term);
        }
        self.map.insert(summary.total, total);
        for (carried, &end) in summary.carried.iter().zip(&ends) {
            self.map.insert(carried.end, end);
        }
    }

    /// The formula that path `i` was possible as often as it was taken.
    fn each_time(&mut self, summary: &Summary, kind: Kind, counters: &[TermId], i: usize) -> TermId {
        self.depth += 1;
        let mut scope = Scope::default();
        let own = self.bind(summary.taken[i], &mut scope);
        let bound = std::mem::take(&mut scope.exist);
        for (j, &taken) in summary.taken.iter().enumerate().filter(|&(j, _)| j != i) {
            let taken = self.bind(taken, &mut scope);
            let natural = kind.natural(self.terms, taken);
            let within = kind.le(self.terms, taken, counters[j]);
            scope.conjuncts.extend([natural, within]);
        }
        self.number_the_round(summary, kind);
        for carried in &summary.carried {
            self.bind(carried.start, &mut scope);
        }
        self.relations(summary, &mut scope);
        for step in &summary.rounds[i].steps {
            self.step(step, &mut scope);
        }
        let possible = self.close(scope);
        self.depth -= 1;
        let range = [kind.natural(self.terms, own), kind.lt(self.terms, own, counters[i])];
        let range = self.terms.app(Op::And, range);
        let each = self.terms.app(Op::Implies, [range, possible]);
        self.quantify(BinderKind::Forall, bound, each)
    }

    /// The formula that the last iteration took some path, and gave the carried variables their final values.
    fn last_round(
        &mut self,
        summary: &Summary,
        kind: Kind,
        counters: &[TermId],
        ends: &[TermId],
        firsts: &[TermId],
        scope: &mut Scope,
    ) {
        let zero = kind.number(self.terms, 0);
        let mut none: Vec<TermId> = Vec::new();
        for &counter in counters {
            none.push(self.terms.app(Op::Eq, [counter, zero]));
        }
        for (&end, &first) in ends.iter().zip(firsts) {
            none.push(self.terms.app(Op::Eq, [end, first]));
        }
        let mut cases = vec![self.terms.app(Op::And, none)];
        self.depth += 1;
        for (i, round) in summary.rounds.iter().enumerate() {
            let mut last = Scope::default();
            last.conjuncts.push(kind.positive(self.terms, counters[i]));
            for (j, &taken) in summary.taken.iter().enumerate() {
                let term = if i == j { kind.minus_one(self.terms, counters[i]) } else { counters[j] };
                self.map.insert(taken, term);
            }
            self.number_the_round(summary, kind);
            for carried in &summary.carried {
                self.bind(carried.start, &mut last);
            }
            self.relations(summary, &mut last);
            for step in &round.steps {
                self.step(step, &mut last);
            }
            for (&end, &value) in ends.iter().zip(&round.values) {
                let value = self.term(value);
                let equal = self.terms.app(Op::Eq, [end, value]);
                last.conjuncts.push(equal);
            }
            let case = self.close(last);
            cases.push(case);
        }
        self.depth -= 1;
        scope.conjuncts.push(self.terms.app(Op::Or, cases));
        for (&taken, &counter) in summary.taken.iter().zip(counters) {
            self.map.insert(taken, counter);
        }
        self.number_the_round(summary, kind);
        for (carried, &end) in summary.carried.iter().zip(ends) {
            self.map.insert(carried.start, end);
        }
        self.relations(summary, scope);
        for elements in summary.carried.iter().filter_map(|c| c.elements.as_ref()) {
            self.relation(elements, scope);
        }
    }

    /// The number of the iteration before which the paths were taken as often as `map` says.
    fn number_the_round(&mut self, summary: &Summary, kind: Kind) {
        let taken: Vec<TermId> = summary.taken.iter().filter_map(|t| self.map.get(t).copied()).collect();
        let number = kind.sum(self.terms, &taken);
        self.map.insert(summary.number, number);
    }

    /// What is known of carried variables at the counters that `map` gives.
    fn relations(&mut self, summary: &Summary, scope: &mut Scope) {
        for &condition in &summary.invariant {
            let condition = self.term(condition);
            scope.conjuncts.push(condition);
        }
        for relation in summary.carried.iter().filter_map(|c| c.relation.as_ref()) {
            self.relation(relation, scope);
        }
    }

    fn relation(&mut self, relation: &Relation, scope: &mut Scope) {
        for &local in &relation.locals {
            self.bind(local, scope);
        }
        let condition = self.term(relation.condition);
        scope.conjuncts.push(condition);
    }

    fn close(&mut self, scope: Scope) -> TermId {
        let body = self.terms.app(Op::And, scope.conjuncts);
        self.quantify(BinderKind::Exists, scope.exist, body)
    }

    fn quantify(&mut self, kind: BinderKind, vars: Vec<SymbolId>, body: TermId) -> TermId {
        if vars.is_empty() {
            return body;
        }
        let triggers = Vec::new();
        let binder = Binder { kind, type_vars: Vec::new(), vars, triggers, nopats: 0, weight: None };
        let sort = self.terms.sort(body);
        self.terms.app_sorted(Op::Bind(Arc::new(binder)), [body].into_iter().collect(), sort)
    }
}
