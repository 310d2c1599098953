//! Loop unfolding of the necessary condition, without quantifiers: the first iterations of each loop are explicit,
//! all others are over-approximated by what holds for any iteration.
//!
//! **Idea.** A run iterates a loop some number N of times. Its first K iterations are unfolded one after the other:
//! which path each one took, which conditions held, and what the carried variables were afterwards. If N ≤ K, that is
//! all there is to say, and it is exact. If N > K, it is still true for the first K iterations; for the rest the
//! formula states what is true of the last iteration, of the first and the last time that each path was taken, and of
//! iterations that other loops' counters name. So the formula is implied by every run, and a proof if it has no
//! model. With [`Limits::exact`] it is the other way round: N ≤ K for all loops, and every model is a run.
//!
//! Example: for `while (i < n) i++;` from `i = 0` with K = 2, the formula says `N = 0 ∧ 0 ≥ n`, or `N = 1 ∧ 0 < n ∧ 1
//! ≥ n`, or `N = 2 ∧ …`, or `N > 2 ∧ 0 < n ∧ 1 < n ∧ N − 1 < n ∧ N ≥ n`.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Sections 4.6, 5.2 and 7.
//!
//! **Deviations.**
//! 1. The paper unfolds ∀τᵢ of each path by itself, with any possible interleaving before it. Here iterations are
//!    unfolded in their order, so there is one interleaving, the same for all paths.
//! 2. The instances beyond K are not in the paper, which drops everything there. Without the last iteration, that a
//!    loop `i < n` ends with `i = n` could be shown for the first K iterations only.
//! 3. Inner loops are unfolded less far, see [`Unfolder::depth_limit`].
//!
//! **Direction of error.** Without [`Limits::exact`], in one direction: it has more models than there are runs.

use footpath_ir::BlockId;
use footpath_term::{Op, SortId, Substitution, SymbolId, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use crate::counters::Kind;
use crate::summary::{Relation, Round, Step, Summary, Tree};

/// How many iterations are unfolded in all.
const MAX_INSTANCES: usize = 12_000;
/// How many iterations of an inner loop are unfolded if it is known that there are so many.
const MAX_KNOWN: u64 = 64;
/// How many iterations are named by other loops' counters.
const MAX_POINTS: usize = 6;

/// The unfolded condition.
pub(crate) struct Unfolding {
    /// The formula that every run to a target satisfies, or every such run within the limits.
    pub(crate) formula: TermId,
    /// How often each loop iterates: of outermost ones with the symbol of the total, of instances of inner ones
    /// without.
    pub(crate) totals: Vec<(Option<SymbolId>, TermId)>,
    /// How to read the path of a run off a model that stays within the limits.
    pub(crate) way: PathTree,
}

/// The path of a model.
pub(crate) struct PathTree {
    pub(crate) steps: Vec<PathStep>,
    /// The alternatives behind them, each with a boolean that says that it is taken.
    pub(crate) next: Vec<(TermId, PathTree)>,
}

impl PathTree {
    /// The same with other terms for the numbers of iterations.
    pub(crate) fn map(&self, total: &mut dyn FnMut(TermId) -> Option<TermId>) -> Option<PathTree> {
        let steps = steps_with(&self.steps, total)?;
        let next = self.next.iter().map(|(taken, way)| Some((*taken, way.map(total)?)));
        Some(PathTree { steps, next: next.collect::<Option<_>>()? })
    }
}

fn steps_with(steps: &[PathStep], total: &mut dyn FnMut(TermId) -> Option<TermId>) -> Option<Vec<PathStep>> {
    let mut changed = Vec::new();
    for step in steps {
        let rounds = match &step.rounds {
            Some(rounds) => {
                let mut unfolded = Vec::new();
                for round in &rounds.unfolded {
                    let ways = round.iter().map(|(taken, steps)| Some((*taken, steps_with(steps, total)?)));
                    unfolded.push(ways.collect::<Option<_>>()?);
                }
                Some(Rounds { total: total(rounds.total)?, unfolded })
            }
            None => None,
        };
        changed.push(PathStep { block: step.block, rounds, havocs: step.havocs.clone() });
    }
    Some(changed)
}

/// A block, after the loop that is entered there.
pub(crate) struct PathStep {
    pub(crate) block: BlockId,
    pub(crate) rounds: Option<Rounds>,
    /// The values of its havocs.
    pub(crate) havocs: Vec<TermId>,
}

/// The iterations of a loop.
pub(crate) struct Rounds {
    /// How many there are.
    pub(crate) total: TermId,
    /// For each iteration that was unfolded, the paths through it, each with a boolean that says that it is taken.
    pub(crate) unfolded: Vec<Vec<(TermId, Vec<PathStep>)>>,
}

/// How far loops are unfolded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    /// Iterations of each loop.
    pub(crate) rounds: u64,
    /// Iterations of outermost loops for which that is not enough, by the symbol of the total.
    pub(crate) outer: FxHashMap<SymbolId, u64>,
    /// Iterations of inner loops, if that is not enough either.
    pub(crate) inner: u64,
    /// The values to which inputs and totals of outermost loops are fixed, in an exact formula.
    pub(crate) numbers: Substitution,
    /// Whether runs that iterate some loop more often are excluded. The formula is then much smaller.
    pub(crate) exact: bool,
    /// Whether the elements of maps without a closed form are described, which takes quantifiers: so nothing but a
    /// proof can be expected of it.
    pub(crate) elements: bool,
}

impl Limits {
    /// The same for all loops, so that every run is a model.
    pub(crate) fn of_all(rounds: u64) -> Limits {
        Limits { rounds, ..Limits::default() }
    }
}

/// Unfolds a tree. `None` if `go_on` returns false.
pub(crate) fn unfold(
    terms: &mut Terms,
    tree: &Tree,
    limits: &Limits,
    go_on: &dyn Fn() -> bool,
) -> Option<Unfolding> {
    let mut points = Vec::new();
    outer_totals(terms, tree, &mut points);
    points.truncate(MAX_POINTS);
    let mut unfolder = Unfolder {
        terms,
        limits: limits.clone(),
        map: limits.numbers.clone(),
        depth: 0,
        instances: 0,
        points,
        pointed: 0,
        totals: Vec::new(),
        go_on,
    };
    let mut conjuncts = Vec::new();
    let way = unfolder.tree(tree, &mut conjuncts)?;
    let formula = unfolder.terms.app(Op::And, conjuncts);
    let totals = unfolder.totals;
    Some(Unfolding { formula, totals, way })
}

/// How often each outer loop of the tree is iterated.
fn outer_totals(terms: &mut Terms, tree: &Tree, points: &mut Vec<(Kind, TermId)>) {
    if let Some(summary) = &tree.step.around
        && let Some(&counter) = summary.counters.first()
    {
        let kind = Kind::of(terms, counter);
        let counters: Vec<TermId> = summary.counters.iter().map(|&c| terms.var(c)).collect();
        points.push((kind, kind.sum(terms, &counters)));
    }
    tree.next.iter().for_each(|t| outer_totals(terms, t, points));
}

/// The conditions of an iteration, with inner loops unfolded once, and the values of the carried variables after it.
/// For inner loops it includes the conditions of the iterations that `points` name. Counters and starts of the loop
/// are free in it.
pub(crate) fn round_facts(terms: &mut Terms, round: &Round, points: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
    let map = Substitution::default();
    let kind = |t: TermId| if terms.sort(t) == SortId::INT { Kind::Int } else { Kind::Bits };
    let points = points.iter().map(|&point| (kind(point), point)).collect();
    let go_on = &|| true;
    let (limits, totals) = (Limits::of_all(1), Vec::new());
    let mut unfolder =
        Unfolder { terms, limits, map, depth: 1, instances: 0, points, pointed: 1, totals, go_on };
    let mut facts = Vec::new();
    for step in &round.steps {
        // It stops only if `go_on` says so.
        let _ = unfolder.step(step, &mut facts);
    }
    let values = round.values.iter().map(|&v| unfolder.term(v)).collect();
    (facts, values)
}

struct Unfolder<'a> {
    terms: &'a mut Terms,
    limits: Limits,
    /// From the bound symbols of summaries to those of the instance at hand.
    map: Substitution,
    /// The nesting depth of loops.
    depth: u32,
    instances: usize,
    points: Vec<(Kind, TermId)>,
    /// The depth of the loops for which the iterations at these points are instantiated.
    pointed: u32,
    totals: Vec<(Option<SymbolId>, TermId)>,
    go_on: &'a dyn Fn() -> bool,
}

/// The state between two iterations.
struct Between {
    /// How often each path was taken.
    taken: Vec<TermId>,
    /// How many iterations that are. Of the iterations that are unfolded it is a literal, which `taken` are not.
    number: TermId,
    /// The values of the carried variables.
    values: Vec<TermId>,
}

/// An iteration: the paths through the loop, each with the condition under which it is taken.
type Unfolded = Vec<(TermId, Vec<PathStep>)>;

impl Unfolder<'_> {
    /// How many iterations of a loop at this depth are unfolded.
    fn depth_limit(&self, total: SymbolId) -> u64 {
        let k = self.limits.rounds;
        match self.depth {
            _ if self.instances > MAX_INSTANCES => 0,
            0 => self.limits.outer.get(&total).copied().unwrap_or(0).max(k),
            1 => k.min(2_500 / k.max(1)).max(self.limits.inner),
            2 => k.min(6).max(self.limits.inner),
            _ => k.min(2).max(self.limits.inner),
        }
    }

    fn fresh_like(&mut self, symbol: SymbolId) -> TermId {
        let declared = self.terms.symbol(symbol).clone();
        self.terms.fresh_var(declared.name, declared.sort)
    }

    fn term(&mut self, t: TermId) -> TermId {
        self.terms.substitute(t, &self.map)
    }

    fn implies(&mut self, premise: TermId, conclusion: TermId) -> TermId {
        self.terms.app(Op::Implies, [premise, conclusion])
    }

    fn tree(&mut self, tree: &Tree, conjuncts: &mut Vec<TermId>) -> Option<PathTree> {
        let mut way = PathTree { steps: Vec::new(), next: Vec::new() };
        let mut tree = tree;
        loop {
            way.steps.push(self.step(&tree.step, conjuncts)?);
            match tree.next.as_slice() {
                [] => return Some(way),
                [only] => tree = only,
                several => {
                    let mut selectors = Vec::new();
                    for next in several {
                        let mut inner = Vec::new();
                        let rest = self.tree(next, &mut inner)?;
                        let selector = self.terms.fresh_var("way", SortId::BOOL);
                        let inner = self.terms.app(Op::And, inner);
                        conjuncts.push(self.implies(selector, inner));
                        selectors.push(selector);
                        way.next.push((selector, rest));
                    }
                    conjuncts.push(self.terms.app(Op::Or, selectors));
                    return Some(way);
                }
            }
        }
    }

    fn step(&mut self, step: &Step, conjuncts: &mut Vec<TermId>) -> Option<PathStep> {
        let rounds = match &step.around {
            Some(summary) => Some(self.summary(summary, conjuncts)?),
            None => None,
        };
        let mut havocs = Vec::new();
        for &local in &step.locals {
            let fresh = match self.limits.numbers.get(&local) {
                Some(&number) => number,
                None if self.depth == 0 => self.terms.var(local),
                None => self.fresh_like(local),
            };
            self.map.insert(local, fresh);
            havocs.push(fresh);
        }
        for &condition in &step.conditions {
            let condition = self.term(condition);
            conjuncts.push(condition);
        }
        Some(PathStep { block: step.block, rounds, havocs })
    }

    fn summary(&mut self, summary: &Summary, conjuncts: &mut Vec<TermId>) -> Option<Rounds> {
        if !(self.go_on)() {
            return None;
        }
        let ends: Vec<TermId> = summary.carried.iter().map(|c| self.instance_of(c.end)).collect();
        let firsts: Vec<TermId> = summary.carried.iter().map(|c| self.term(c.first)).collect();
        if summary.opaque {
            let total = self.terms.fresh_var("N", SortId::INT);
            let zero = self.terms.int(0);
            let mut none = vec![self.terms.app(Op::Eq, [total, zero])];
            none.extend(self.equal(&ends, &firsts));
            if self.limits.exact {
                conjuncts.extend(none);
            }
            return Some(Rounds { total, unfolded: Vec::new() });
        }
        let kind = Kind::of(self.terms, summary.counters[0]);
        let counters = self.counters(summary, kind);
        for &counter in &counters {
            conjuncts.push(kind.natural(self.terms, counter));
        }
        conjuncts.extend(kind.no_wrap(self.terms, &counters));
        let total = self.total(summary).unwrap_or_else(|| kind.sum(self.terms, &counters));
        self.map.insert(summary.total, total);
        self.totals.push(((self.depth == 0).then_some(summary.total), total));
        let exits = Exits { kind, counters, total, ends, firsts };
        let (unfolded, complete) = self.first_rounds(summary, &exits, conjuncts)?;
        let limit = kind.number(self.terms, unfolded.len() as u64);
        let within = kind.le(self.terms, exits.total, limit);
        if complete || self.limits.exact {
            conjuncts.push(within);
        } else {
            let beyond = self.terms.app(Op::Not, [within]);
            self.beyond(summary, &exits, beyond, conjuncts)?;
        }
        Some(Rounds { total: exits.total, unfolded })
    }

    /// How often a loop iterates, if that is known where it is entered.
    fn total(&mut self, summary: &Summary) -> Option<TermId> {
        match self.limits.numbers.get(&summary.total) {
            Some(&fixed) if self.depth == 0 => Some(fixed),
            _ => summary.count.map(|count| self.term(count)),
        }
    }

    /// How often each path is taken.
    fn counters(&mut self, summary: &Summary, kind: Kind) -> Vec<TermId> {
        let Some(total) = self.total(summary) else {
            return summary.counters.iter().map(|&c| self.instance_of(c)).collect();
        };
        let (&last, front) = summary.counters.split_last().expect("a loop that is not opaque has ways");
        let mut counters: Vec<TermId> = front.iter().map(|&c| self.instance_of(c)).collect();
        let others = kind.sum(self.terms, &counters);
        counters.push(kind.sub(self.terms, total, others));
        self.map.insert(last, counters[front.len()]);
        counters
    }

    /// The symbol of this instance for one that a summary binds. The outermost ones have only one instance, and keep
    /// theirs.
    fn instance_of(&mut self, symbol: SymbolId) -> TermId {
        let term = if self.depth == 0 { self.terms.var(symbol) } else { self.fresh_like(symbol) };
        self.map.insert(symbol, term);
        term
    }

    fn equal(&mut self, left: &[TermId], right: &[TermId]) -> Vec<TermId> {
        left.iter().zip(right).map(|(&l, &r)| self.terms.app(Op::Eq, [l, r])).collect()
    }

    /// The iterations up to the limit, and whether there can be no others.
    fn first_rounds(
        &mut self,
        summary: &Summary,
        exits: &Exits,
        conjuncts: &mut Vec<TermId>,
    ) -> Option<(Vec<Unfolded>, bool)> {
        let kind = exits.kind;
        let zero = kind.number(self.terms, 0);
        let taken = vec![zero; summary.rounds.len()];
        let mut between = Between { taken, number: zero, values: exits.firsts.clone() };
        let mut unfolded = Vec::new();
        let mut limit = self.depth_limit(summary.total);
        let known = self.terms.literal(exits.total).and_then(Value::as_u64);
        if let Some(known) = known.filter(|&known| self.limits.exact && known <= MAX_KNOWN) {
            limit = limit.max(known);
        }
        loop {
            let n = kind.number(self.terms, unfolded.len() as u64);
            let ends_here = self.terms.app(Op::Eq, [exits.total, n]);
            let mut end = self.equal(&exits.counters, &between.taken);
            end.extend(self.equal(&exits.ends, &between.values));
            let end = self.terms.app(Op::And, end);
            conjuncts.push(self.implies(ends_here, end));
            if known == Some(unfolded.len() as u64) {
                return Some((unfolded, true));
            }
            if unfolded.len() as u64 >= limit {
                return Some((unfolded, false));
            }
            let goes_on = kind.lt(self.terms, n, exits.total);
            let Some(ways) = self.round(summary, &between, goes_on, conjuncts)? else {
                return Some((unfolded, true));
            };
            between = self.after(summary, exits, &between, &ways, goes_on, conjuncts);
            unfolded.push(ways.into_iter().map(|w| (w.selector, w.steps)).collect());
        }
    }

    /// One iteration: one of the paths is taken if `goes_on`. None if none can be taken.
    fn round(
        &mut self,
        summary: &Summary,
        between: &Between,
        goes_on: TermId,
        conjuncts: &mut Vec<TermId>,
    ) -> Option<Option<Vec<Instance>>> {
        let mut ways = Vec::new();
        let single = summary.rounds.len() == 1;
        for i in 0..summary.rounds.len() {
            let mut instance = self.instance(summary, i, between)?;
            if self.terms.as_bool(instance.condition) == Some(false) {
                instance.selector = self.terms.bool(false);
            } else if single {
                instance.selector = goes_on;
            }
            let taken = self.implies(instance.selector, instance.condition);
            conjuncts.push(taken);
            ways.push(instance);
        }
        let possible: Vec<TermId> =
            ways.iter().map(|w| w.selector).filter(|&s| self.terms.as_bool(s) != Some(false)).collect();
        if possible.is_empty() {
            return Some(None);
        }
        if !single {
            let some = self.terms.app(Op::Or, possible.clone());
            conjuncts.push(self.implies(goes_on, some));
            for (n, &a) in possible.iter().enumerate() {
                for &b in &possible[n + 1..] {
                    let both = self.terms.app(Op::And, [a, b]);
                    conjuncts.push(self.terms.app(Op::Not, [both]));
                }
            }
        }
        Some(Some(ways))
    }

    /// What holds if path number `i` is taken after `between`, and what the carried variables are then.
    fn instance(&mut self, summary: &Summary, i: usize, between: &Between) -> Option<Instance> {
        self.instances += 1;
        for (&symbol, &taken) in summary.taken.iter().zip(&between.taken) {
            self.map.insert(symbol, taken);
        }
        self.map.insert(summary.number, between.number);
        for (carried, &value) in summary.carried.iter().zip(&between.values) {
            self.map.insert(carried.start, value);
        }
        self.depth += 1;
        let mut conditions = Vec::new();
        let mut steps = Vec::new();
        let round = &summary.rounds[i];
        for step in &round.steps {
            steps.push(self.step(step, &mut conditions)?);
        }
        // The last step is the way back to the head.
        steps.pop();
        let values = round.values.iter().map(|&v| self.term(v)).collect();
        self.depth -= 1;
        let condition = self.terms.app(Op::And, conditions);
        let selector = self.terms.fresh_var("round", SortId::BOOL);
        Some(Instance { selector, condition, values, steps })
    }

    /// The state after an iteration.
    fn after(
        &mut self,
        summary: &Summary,
        exits: &Exits,
        before: &Between,
        ways: &[Instance],
        goes_on: TermId,
        conjuncts: &mut Vec<TermId>,
    ) -> Between {
        let kind = exits.kind;
        let one = kind.number(self.terms, 1);
        let number = kind.add(self.terms, before.number, one);
        if let [only] = ways {
            return Between { taken: vec![number], number, values: only.values.clone() };
        }
        let zero = kind.number(self.terms, 0);
        let mut taken = Vec::new();
        let mut others = zero;
        for (i, way) in ways.iter().enumerate() {
            if i + 1 == ways.len() {
                taken.push(kind.sub(self.terms, number, others));
            } else {
                let counted = self.terms.app(Op::Ite, [way.selector, one, zero]);
                let sum = kind.add(self.terms, before.taken[i], counted);
                // Named, lest the sums grow.
                let named = self.fresh_like(summary.taken[i]);
                conjuncts.push(self.terms.app(Op::Eq, [named, sum]));
                others = kind.add(self.terms, others, named);
                taken.push(named);
            }
            if !self.limits.exact {
                let within = kind.le(self.terms, taken[i], exits.counters[i]);
                conjuncts.push(self.implies(goes_on, within));
            }
        }
        let mut values = Vec::new();
        for (n, carried) in summary.carried.iter().enumerate() {
            let first = ways[0].values[n];
            if ways.iter().all(|w| w.values[n] == first) {
                values.push(first);
                continue;
            }
            let named = self.fresh_like(carried.start);
            for way in ways {
                let equal = self.terms.app(Op::Eq, [named, way.values[n]]);
                conjuncts.push(self.implies(way.selector, equal));
            }
            values.push(named);
        }
        Between { taken, number, values }
    }

    /// The over-approximation for the iterations beyond those that were unfolded.
    fn beyond(
        &mut self,
        summary: &Summary,
        exits: &Exits,
        beyond: TermId,
        conjuncts: &mut Vec<TermId>,
    ) -> Option<()> {
        let mut known = Vec::new();
        // The values after the last iteration.
        let at_end =
            Between { taken: exits.counters.clone(), number: exits.total, values: exits.ends.clone() };
        self.relations(summary, &at_end, &mut known);
        if self.limits.elements {
            for elements in summary.carried.iter().filter_map(|c| c.elements.as_ref()) {
                self.relation(elements, &mut known);
            }
        }
        self.passed(summary, &at_end, exits.kind, &mut known);
        let mut last = Vec::new();
        for i in 0..summary.rounds.len() {
            let before = self.before_last(summary, exits, i);
            let mut holds = vec![exits.kind.positive(self.terms, exits.counters[i])];
            self.relations(summary, &before, &mut holds);
            let instance = self.instance(summary, i, &before)?;
            holds.push(instance.condition);
            holds.extend(self.equal(&exits.ends, &instance.values));
            last.push(self.terms.app(Op::And, holds));
        }
        known.push(self.terms.app(Op::Or, last));
        if summary.rounds.len() > 1 {
            for i in 0..summary.rounds.len() {
                let mut holds = Vec::new();
                let last = exits.kind.minus_one(self.terms, exits.counters[i]);
                self.some_time(summary, exits, i, Some(last), None, &mut holds)?;
                let first = exits.kind.number(self.terms, 0);
                self.some_time(summary, exits, i, Some(first), None, &mut holds)?;
                let holds = self.terms.app(Op::And, holds);
                let taken = exits.kind.positive(self.terms, exits.counters[i]);
                known.push(self.implies(taken, holds));
            }
        }
        if self.depth == self.pointed {
            self.at_points(summary, exits, &mut known)?;
        }
        let known = self.terms.app(Op::And, known);
        conjuncts.push(self.implies(beyond, known));
        Some(())
    }

    /// Invariants over earlier iterations at the end, instantiated for the iterations that other loops' counters
    /// name.
    fn passed(&mut self, summary: &Summary, at_end: &Between, kind: Kind, known: &mut Vec<TermId>) {
        let points = self.points.clone();
        for passed in &summary.passed {
            for &(_, point) in points.iter().filter(|(k, point)| *k == kind && *point != at_end.number) {
                self.map.insert(passed.earlier, point);
                let holds = self.term(passed.condition);
                let range = [kind.natural(self.terms, point), kind.lt(self.terms, point, at_end.number)];
                let there = self.terms.app(Op::And, range);
                known.push(self.implies(there, holds));
            }
        }
    }

    /// The conditions of the iterations that other loops' counters name.
    fn at_points(&mut self, summary: &Summary, exits: &Exits, known: &mut Vec<TermId>) -> Option<()> {
        let points: Vec<TermId> = self
            .points
            .iter()
            .filter(|(kind, point)| *kind == exits.kind && *point != exits.total)
            .map(|(_, point)| *point)
            .collect();
        for point in points {
            let mut alternatives = Vec::new();
            for i in 0..summary.rounds.len() {
                let mut holds = Vec::new();
                self.some_time(summary, exits, i, None, Some(point), &mut holds)?;
                alternatives.push(self.terms.app(Op::And, holds));
            }
            let some = self.terms.app(Op::Or, alternatives);
            let range =
                [exits.kind.natural(self.terms, point), exits.kind.lt(self.terms, point, exits.total)];
            let there = self.terms.app(Op::And, range);
            known.push(self.implies(there, some));
        }
        Some(())
    }

    /// The state before the last iteration, if that was of path `i`.
    fn before_last(&mut self, summary: &Summary, exits: &Exits, i: usize) -> Between {
        let mut taken = exits.counters.clone();
        taken[i] = exits.kind.minus_one(self.terms, taken[i]);
        let number = exits.kind.minus_one(self.terms, exits.total);
        let values = summary.carried.iter().map(|c| self.fresh_like(c.start)).collect();
        Between { taken, number, values }
    }

    /// That path `i` was possible at some time: the iteration before which it was taken `own` times, or the iteration
    /// number `number`.
    fn some_time(
        &mut self,
        summary: &Summary,
        exits: &Exits,
        i: usize,
        own: Option<TermId>,
        number: Option<TermId>,
        holds: &mut Vec<TermId>,
    ) -> Option<()> {
        let kind = exits.kind;
        let many = summary.rounds.len();
        let mut taken = Vec::new();
        for j in 0..many {
            let term = match (own, number) {
                (Some(own), _) if i == j => own,
                (_, Some(number)) if many == 1 => number,
                _ => {
                    let term = self.fresh_like(summary.taken[j]);
                    holds.push(kind.natural(self.terms, term));
                    term
                }
            };
            let bound = exits.counters[j];
            let within =
                if i == j { kind.lt(self.terms, term, bound) } else { kind.le(self.terms, term, bound) };
            holds.push(within);
            taken.push(term);
        }
        let sum = kind.sum(self.terms, &taken);
        if let Some(number) = number.filter(|_| many > 1) {
            holds.push(self.terms.app(Op::Eq, [sum, number]));
        }
        let number = number.unwrap_or(sum);
        let values = summary.carried.iter().map(|c| self.fresh_like(c.start)).collect();
        let between = Between { taken, number, values };
        self.relations(summary, &between, holds);
        let instance = self.instance(summary, i, &between)?;
        holds.push(instance.condition);
        Some(())
    }

    /// What is known of carried variables between two iterations.
    fn relations(&mut self, summary: &Summary, between: &Between, holds: &mut Vec<TermId>) {
        for (&symbol, &taken) in summary.taken.iter().zip(&between.taken) {
            self.map.insert(symbol, taken);
        }
        self.map.insert(summary.number, between.number);
        for (carried, &value) in summary.carried.iter().zip(&between.values) {
            self.map.insert(carried.start, value);
        }
        for &condition in &summary.invariant {
            let condition = self.term(condition);
            holds.push(condition);
        }
        for relation in summary.carried.iter().filter_map(|c| c.relation.as_ref()) {
            self.relation(relation, holds);
        }
    }

    fn relation(&mut self, relation: &Relation, holds: &mut Vec<TermId>) {
        for &local in &relation.locals {
            let fresh = self.fresh_like(local);
            self.map.insert(local, fresh);
        }
        let condition = self.term(relation.condition);
        holds.push(condition);
    }
}

/// The state after a loop.
struct Exits {
    kind: Kind,
    counters: Vec<TermId>,
    total: TermId,
    ends: Vec<TermId>,
    firsts: Vec<TermId>,
}

/// A path through a loop, taken at some time.
struct Instance {
    selector: TermId,
    condition: TermId,
    values: Vec<TermId>,
    steps: Vec<PathStep>,
}
