//! Backbone trees and loop summaries, as data.
//!
//! A [`Tree`] is the backbone tree of a program: its paths are the acyclic paths from the start to a target. At a
//! block where a loop is entered stands the loop's [`Summary`], which holds what is known for any number of
//! iterations. All of it is about *all* runs, so the formula that it stands for is implied by every run that reaches
//! the target (`unfold.rs`, `quantified.rs`).
//!
//! Every symbol that is bound somewhere here (counters, the values of havocs, the values of variables without a known
//! closed form) is a fresh one, bound once.

use std::rc::Rc;

use footpath_ir::BlockId;
use footpath_term::{Substitution, SymbolId, TermId, Terms};

/// A block on a backbone.
#[derive(Clone, Debug)]
pub struct Step {
    /// The block.
    pub block: BlockId,
    /// The summary of the loop that is entered here, before the block is executed.
    pub around: Option<Rc<Summary>>,
    /// The values of havocs in the block.
    pub locals: Vec<SymbolId>,
    /// The conditions to enter the block and to pass it.
    pub conditions: Vec<TermId>,
}

/// A backbone tree, or a part of one.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The block at the root.
    pub step: Step,
    /// The subtrees behind it; empty at a target.
    pub next: Vec<Tree>,
}

/// The summary of a loop. The symbols of the code around it are free in it.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The paths through it; empty if the loop is opaque. Then there are no counters either, and the numbers of
    /// iterations are not used.
    pub rounds: Vec<Round>,
    /// κ: how often each path is taken in total.
    pub counters: Vec<SymbolId>,
    /// τ: how often each path was taken before a given iteration; free in `rounds`.
    pub taken: Vec<SymbolId>,
    /// Σκ: the total number of iterations. With one path it is that path's counter.
    pub total: SymbolId,
    /// Στ: the number of iterations before a given one, which is the iteration number. With one path it is that
    /// path's τ.
    pub number: SymbolId,
    /// The value of `total`, if it is known where the loop is entered (`trip_count.rs`).
    pub count: Option<TermId>,
    /// The variables of which no closed form is known.
    pub carried: Vec<Carried>,
    /// The invariants: what holds before each iteration and at the end, over `taken` and the starts of carried
    /// variables.
    pub invariant: Vec<TermId>,
    /// The invariants over all earlier iterations, which hold before each iteration and at the end.
    pub passed: Vec<Passed>,
    /// Whether something is known of the iterations. If not, carried variables have any value at the end.
    pub opaque: bool,
}

/// A path through a loop.
#[derive(Clone, Debug)]
pub struct Round {
    /// The blocks, from the loop's head on.
    pub steps: Vec<Step>,
    /// For each carried variable, its value after the iteration.
    pub values: Vec<TermId>,
}

/// A variable that has no closed form over the counters.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Its value before an iteration; free in `rounds`.
    pub start: SymbolId,
    /// Its value at the end.
    pub end: SymbolId,
    /// Its value before the first iteration.
    pub first: TermId,
    /// What is known of its value before an iteration, over `taken` and `start`.
    pub relation: Option<Relation>,
    /// What is known of its elements if it is a map, with quantifiers. It is worth its price in proofs only.
    pub elements: Option<Relation>,
}

/// An invariant over all earlier iterations.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The number of the earlier iteration.
    pub earlier: SymbolId,
    /// The condition, over that and the starts of carried variables.
    pub condition: TermId,
}

/// A condition that a carried variable satisfies after any number of iterations.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Existentially quantified symbols.
    pub locals: Vec<SymbolId>,
    /// The condition.
    pub condition: TermId,
}

impl Step {
    /// Replaces free symbols.
    pub(crate) fn substitute(&self, terms: &mut Terms, map: &Substitution) -> Step {
        Step {
            block: self.block,
            around: self.around.as_ref().map(|s| Rc::new(s.substitute(terms, map))),
            locals: self.locals.clone(),
            conditions: self.conditions.iter().map(|&c| terms.substitute(c, map)).collect(),
        }
    }

    /// The symbols that this step binds for what follows it.
    pub(crate) fn bound(&self) -> impl Iterator<Item = SymbolId> + '_ {
        let summary = self.around.iter().flat_map(|s| {
            let ends = s.carried.iter().map(|c| c.end);
            s.counters.iter().copied().chain([s.total]).chain(ends)
        });
        self.locals.iter().copied().chain(summary)
    }
}

impl Summary {
    fn substitute(&self, terms: &mut Terms, map: &Substitution) -> Summary {
        let mut new = self.clone();
        for round in &mut new.rounds {
            round.steps = round.steps.iter().map(|s| s.substitute(terms, map)).collect();
            round.values = round.values.iter().map(|&v| terms.substitute(v, map)).collect();
        }
        let passed = new.passed.iter_mut().map(|passed| &mut passed.condition);
        for condition in new.invariant.iter_mut().chain(&mut new.count).chain(passed) {
            *condition = terms.substitute(*condition, map);
        }
        for carried in &mut new.carried {
            carried.first = terms.substitute(carried.first, map);
            for relation in carried.relation.iter_mut().chain(&mut carried.elements) {
                relation.condition = terms.substitute(relation.condition, map);
            }
        }
        new
    }
}
