//! Iterated symbolic states (loop acceleration by recurrence solving): the closed form of each variable after any
//! number of loop iterations.
//!
//! **Idea.** Each path through a loop was executed once, from a state in which every variable that the loop changes
//! is a symbol. A variable has a *closed form* if its value after κ₁, …, κₙ iterations of the paths 1, …, n is a term
//! over these counters and the state before the loop. Starting with none, variables get closed forms as long as any
//! does: what a value depends on must have one already, or be constant.
//!
//! Example: in `while (…) { i += 2; s = i + 1; }` the closed form of `i` is i₀ + 2·κ, and with it that of `s` is
//! ite(κ > 0, i₀ + 2·κ + 1, s₀).
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Section 5.1, Table 1, Algorithms 6 and 7.
//!
//! | on each path the variable a is | closed form |
//! |---|---|
//! | unchanged, or a + dᵢ with dᵢ constant in the loop | a + Σ dᵢ·κᵢ |
//! | unchanged, or a + dᵢ with dᵢ = u + v·κᵢ | the same with u·κᵢ + v·κᵢ(κᵢ − 1)/2 |
//! | set to d on path i, unchanged on the others, d over κᵢ only | ite(κᵢ > 0, d at κᵢ − 1, a) |
//! | set to the same constant d on some paths, unchanged on others | ite(one of these was taken, d, a) |
//! | a + d on all paths, or set to d on all, d over Στ only | as with one path, with Σκ for κ |
//! | a value that comes back, such as a toggle, a counter that is reset at a border, a remainder | see `orbits.rs` |
//! | a map that is written to at fixed places only | see `scalar_replacement.rs` |
//! | a map that is written to | see `iterated_arrays.rs` |
//!
//! **Deviations.**
//! 1. The second row is not in the paper, nor is that of values that come back: for a variable that all paths treat alike the
//!    number of iterations suffices, and an iteration that is unfolded has a number. So an index that counts the
//!    iterations is a literal there.
//! 2. Where the paper has ⋆, a variable is *carried*: its value before each iteration is a symbol, and each path says
//!    what its value is afterwards. Formulas use that for as many iterations as they unfold, and for the last one.
//! 3. If a variable is set on some paths and grows by constants on the others, its value is that of the last time it
//!    was set plus what was added since: a [`Relation`] with existentially quantified numbers of iterations. It
//!    replaces the paper's "i wrote last", and covers resets, flags, maxima.
//! 4. Sums whose summands differ from iteration to iteration are covered by `progressions.rs`.
//!
//! 5. A map without a closed form is carried, with a condition on its elements (`latest_writes.rs`).
//!
//! **Direction of error.** Closed forms are equal to the values of every run. Carried values are over-approximated.

use footpath_ir::BlockId;
use footpath_smt::Solver;
use footpath_term::{Op, Sort, SortId, Substitution, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::backbones::Loss;
use crate::counters::{Kind, WIDTH, increment, plus};
use crate::iterated_arrays;
use crate::latest_writes;
use crate::narrow_counters::widen;
use crate::orbits;
use crate::progressions;
use crate::scalar_replacement;
use crate::summary::{Carried, Relation, Round, Step, Summary};

/// A variable that a loop changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub(crate) variable: SymbolId,
    /// Its value before an iteration.
    pub(crate) start: SymbolId,
    /// Its value before the first iteration.
    pub(crate) first: TermId,
}

/// A path through a loop, executed once.
pub(crate) struct LoopPath {
    pub(crate) steps: Vec<Step>,
    /// The values of all variables afterwards.
    pub(crate) values: Vec<TermId>,
}

/// The effect of a path on a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Nothing.
    Unchanged,
    /// It adds this term, which may mention the counters before the iteration.
    Adds(TermId),
    /// It sets the variable to this term, which may mention them, too.
    Sets(TermId),
    /// Something else.
    Other,
}

/// The computation of the summary of one loop.
pub(crate) struct Iteration<'t> {
    pub(crate) terms: &'t mut Terms,
    pub(crate) variables: &'t [Variable],
    ways: &'t [LoopPath],
    pub(crate) kind: Kind,
    /// τ.
    pub(crate) taken: Vec<SymbolId>,
    /// Στ, the number of an iteration; with one path it is that path's τ.
    pub(crate) number: SymbolId,
    /// For each path, the symbols that it binds.
    bound: Vec<FxHashSet<SymbolId>>,
    /// From the starts of variables with a closed form to these.
    closed: Substitution,
    /// Whether orbits are looked for.
    has_orbits: bool,
    /// The width that the number of an iteration fits into, by invariants of the loop.
    pub(crate) fits: Option<u32>,
    /// The values of extensions on a path, if nothing wraps.
    pub(crate) wide: FxHashMap<(usize, TermId), TermId>,
}

/// Summarises a loop: also gives the value of each variable after it, and the closed forms before an iteration.
pub(crate) fn summarise(
    terms: &mut Terms,
    head: BlockId,
    variables: &[Variable],
    ways: &[LoopPath],
    solver: &mut dyn Solver,
    losses: &mut Vec<Loss>,
) -> (Summary, Vec<TermId>, Vec<TermId>) {
    let replaced = scalar_replacement::replace(terms, variables, ways);
    let (summary, values, forms) =
        summarise_replaced(terms, head, &replaced.variables, &replaced.ways, solver, losses);
    let values = replaced.values(terms, &values);
    (summary, values, forms)
}

/// The same with cells of maps in place of maps.
fn summarise_replaced(
    terms: &mut Terms,
    head: BlockId,
    variables: &[Variable],
    ways: &[LoopPath],
    solver: &mut dyn Solver,
    losses: &mut Vec<Loss>,
) -> (Summary, Vec<TermId>, Vec<TermId>) {
    let kind = kind_for(terms, variables, ways);
    let sort = kind.sort(terms);
    let many = ways.len();
    let fresh = |terms: &mut Terms, name: &str, i: usize| {
        let name = if many == 1 { name.to_owned() } else { format!("{name}{}", i + 1) };
        terms.fresh_symbol(name, sort)
    };
    let taken: Vec<SymbolId> = (0..many).map(|i| fresh(terms, "before", i)).collect();
    let counters: Vec<SymbolId> = (0..many).map(|i| fresh(terms, "rounds", i)).collect();
    let (number, total) = match many {
        1 => (taken[0], counters[0]),
        _ => (terms.fresh_symbol("before", sort), terms.fresh_symbol("rounds", sort)),
    };
    let bound = ways.iter().map(|w| w.steps.iter().flat_map(Step::bound).collect()).collect();
    let mut work = Iteration {
        terms,
        variables,
        ways,
        kind,
        taken: taken.clone(),
        number,
        bound,
        closed: Substitution::default(),
        has_orbits: false,
        fits: None,
        wide: FxHashMap::default(),
    };
    work.close_all();
    let invariant = widen(&mut work, solver);
    work.fits = work.width_of_number(&invariant);
    // Remainders would make the solver's questions about overflow hard, and say nothing there.
    work.has_orbits = true;
    work.close_all();
    let mut carried = Vec::new();
    let mut values = Vec::new();
    for (n, v) in variables.iter().enumerate() {
        if let Some(&form) = work.closed.get(&v.start) {
            let ends = taken.iter().zip(&counters).chain([(&number, &total)]);
            let end: Substitution = ends.map(|(&t, &c)| (t, work.terms.var(c))).collect();
            values.push(work.terms.substitute(form, &end));
            continue;
        }
        // A cell of a map has the map's name, and a sort of its own.
        let declared = work.terms.symbol(v.start).clone();
        let end = work.terms.fresh_symbol(declared.name, declared.sort);
        values.push(work.terms.var(end));
        let relation = work.relation(n);
        let elements = latest_writes::relation(&mut work, n);
        losses.push(Loss { head, variable: Some(v.variable), why: work.why_not(n) });
        carried.push(Carried { start: v.start, end, first: v.first, relation, elements });
    }
    let closed = std::mem::take(&mut work.closed);
    let rounds = ways.iter().map(|way| {
        let kept = variables.iter().zip(&way.values).filter(|(v, _)| !closed.contains_key(&v.start));
        Round {
            values: kept.map(|(_, &value)| terms.substitute(value, &closed)).collect(),
            steps: way.steps.iter().map(|s| s.substitute(terms, &closed)).collect(),
        }
    });
    let rounds = rounds.collect();
    let forms = variables.iter().filter_map(|v| closed.get(&v.start).copied()).collect();
    let summary = Summary {
        rounds,
        counters,
        taken,
        total,
        number,
        count: None,
        carried,
        invariant,
        passed: Vec::new(),
        opaque: false,
    };
    (summary, values, forms)
}

/// Machine integers that are counted up or down need counters that are machine integers.
fn kind_for(terms: &mut Terms, variables: &[Variable], ways: &[LoopPath]) -> Kind {
    for (n, v) in variables.iter().enumerate() {
        let start = terms.var(v.start);
        let counts = |terms: &mut Terms, w: &LoopPath| {
            w.values[n] != start && increment(terms, w.values[n], v.start).is_some()
        };
        if terms.width(terms.symbol(v.start).sort).is_some() && ways.iter().any(|w| counts(terms, w)) {
            return Kind::Bits;
        }
    }
    Kind::Int
}

impl Iteration<'_> {
    /// Finds closed forms until there are no more.
    fn close_all(&mut self) {
        loop {
            let before = self.closed.len();
            for (n, v) in self.variables.iter().enumerate() {
                if !self.closed.contains_key(&v.start)
                    && let Some(form) = self.close(n)
                {
                    self.closed.insert(v.start, form);
                }
            }
            if self.closed.len() == before {
                return;
            }
        }
    }

    fn close(&mut self, n: usize) -> Option<TermId> {
        if is_map(self.terms, self.variables[n].start) {
            return iterated_arrays::close(self, n);
        }
        let effects = self.effects(n);
        let form = self.sum(n, &effects).or_else(|| self.last_write(n, &effects));
        if form.is_some() || !self.has_orbits {
            return form;
        }
        orbits::close(self, n)
    }

    /// A width that the number of an iteration fits into, if an invariant says so: that of a variable that counts them from 0.
    fn width_of_number(&mut self, invariants: &[TermId]) -> Option<u32> {
        if self.kind != Kind::Bits {
            return None;
        }
        let number = self.terms.var(self.number);
        let taken: Vec<TermId> = self.taken.iter().map(|&t| self.terms.var(t)).collect();
        let sum = self.kind.sum(self.terms, &taken);
        [8, 16, 32].into_iter().find(|&width| {
            [number, sum].into_iter().any(|count| {
                let low = self.terms.app(Op::Extract(width - 1, 0), [count]);
                [Op::ZeroExtend(WIDTH - width), Op::SignExtend(WIDTH - width)].into_iter().any(|extend| {
                    let extended = self.terms.app(extend, [low]);
                    let claim = self.terms.app(Op::Eq, [extended, count]);
                    invariants.contains(&claim)
                })
            })
        })
    }

    /// How many paths there are.
    pub(crate) fn paths(&self) -> usize {
        self.ways.len()
    }

    /// Whether variable number `n` has a closed form yet.
    pub(crate) fn is_closed(&self, n: usize) -> bool {
        self.closed.contains_key(&self.variables[n].start)
    }

    /// The value of variable number `n` after an iteration of a path.
    pub(crate) fn value(&self, n: usize, way: usize) -> TermId {
        self.ways[way].values[n]
    }

    fn effects(&mut self, n: usize) -> Vec<Effect> {
        (0..self.ways.len()).map(|i| self.effect(n, i)).collect()
    }

    fn effect(&mut self, n: usize, way: usize) -> Effect {
        let start = self.variables[n].start;
        let value = self.ways[way].values[n];
        if value == self.terms.var(start) {
            return Effect::Unchanged;
        }
        if let Some(d) = increment(self.terms, value, start) {
            return self.known(d, way).map_or(Effect::Other, Effect::Adds);
        }
        self.known(value, way).map_or(Effect::Other, Effect::Sets)
    }

    /// A term with the closed forms that there are.
    pub(crate) fn closed_form(&mut self, t: TermId) -> TermId {
        self.terms.substitute(t, &self.closed)
    }

    /// The steps of a path with the closed forms that there are.
    pub(crate) fn closed_steps(&mut self, way: usize) -> Vec<Step> {
        self.ways[way].steps.iter().map(|s| s.substitute(self.terms, &self.closed)).collect()
    }

    /// An index on a path, with the values of extensions if nothing wraps.
    pub(crate) fn index(&mut self, t: TermId, way: usize) -> Option<TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for inner in self.terms.post_order(&[t]) {
            let term = self.terms.term(inner).clone();
            let new = match self.wide.get(&(way, inner)) {
                Some(&wide) => wide,
                None if term.args.iter().all(|a| done[a] == *a) => inner,
                None => {
                    let args = term.args.iter().map(|a| done[a]).collect();
                    self.terms.app_sorted(term.op, args, term.sort)
                }
            };
            done.insert(inner, new);
        }
        self.known(done[&t], way)
    }

    /// The conditions of an iteration along a path.
    pub(crate) fn conditions(&self, way: usize) -> Vec<TermId> {
        self.ways[way].steps.iter().flat_map(|s| s.conditions.iter().copied()).collect()
    }

    /// A value after an iteration of a path, as far as it is known: over the counters before the iteration and what
    /// lies before the loop.
    pub(crate) fn known(&mut self, value: TermId, way: usize) -> Option<TermId> {
        let value = self.terms.substitute(value, &self.closed);
        let free = self.terms.free_symbols(&[value]);
        let unknown =
            |s: &SymbolId| self.bound[way].contains(s) || self.variables.iter().any(|v| v.start == *s);
        (!free.iter().any(unknown)).then_some(value)
    }

    /// Whether a term mentions counters or the iteration's number, but for `but`.
    pub(crate) fn counts(&self, t: TermId, but: Option<SymbolId>) -> bool {
        let counts = |s: &SymbolId| *s == self.number || self.taken.contains(s);
        self.terms.free_symbols(&[t]).iter().any(|s| Some(*s) != but && counts(s))
    }

    /// The closed form of a value to which some paths add something.
    fn sum(&mut self, n: usize, effects: &[Effect]) -> Option<TermId> {
        let mut value = self.variables[n].first;
        if let Some(&Effect::Adds(d)) = effects.first()
            && effects.iter().all(|&e| e == Effect::Adds(d))
        {
            let added = self.added(d, self.number)?;
            return Some(plus(self.terms, value, added));
        }
        for (i, effect) in effects.iter().enumerate() {
            let added = match *effect {
                Effect::Unchanged => continue,
                Effect::Adds(d) => self.added(d, self.taken[i])?,
                _ => return None,
            };
            value = plus(self.terms, value, added);
        }
        Some(value)
    }

    /// The sum of what is added in `counter` iterations.
    fn added(&mut self, d: TermId, counter: SymbolId) -> Option<TermId> {
        if !self.counts(d, None) {
            let counter = self.terms.var(counter);
            return self.kind.times(self.terms, d, counter);
        }
        let ints = self.terms.sort(d) == SortId::INT && self.kind == Kind::Int;
        (ints && !self.counts(d, Some(counter))).then(|| self.growing_sum(d, counter))?
    }

    /// Σ d(0) … d(τ − 1) for a d that is linear in τ.
    fn growing_sum(&mut self, d: TermId, tau: SymbolId) -> Option<TermId> {
        let counter = self.terms.var(tau);
        let one = self.terms.int(1);
        let next = self.terms.app(Op::Add, [counter, one]);
        let after = self.terms.substitute(d, &Substitution::from_iter([(tau, next)]));
        let slope = self.terms.app(Op::Sub, [after, d]);
        if self.counts(slope, None) {
            return None;
        }
        let zero = self.terms.int(0);
        let constant = self.terms.substitute(d, &Substitution::from_iter([(tau, zero)]));
        let before = self.terms.app(Op::Sub, [counter, one]);
        let product = self.terms.app(Op::Mul, [counter, before]);
        let two = self.terms.int(2);
        let pairs = self.terms.app(Op::IntDiv, [product, two]);
        let linear = self.terms.app(Op::Mul, [constant, counter]);
        let square = self.terms.app(Op::Mul, [slope, pairs]);
        Some(self.terms.app(Op::Add, [linear, square]))
    }

    /// The closed form of a value that is set on some paths, always to the same or on one path only.
    fn last_write(&mut self, n: usize, effects: &[Effect]) -> Option<TermId> {
        let mut set = Vec::new();
        for (i, effect) in effects.iter().enumerate() {
            match *effect {
                Effect::Unchanged => {}
                Effect::Sets(d) => set.push((i, d)),
                _ => return None,
            }
        }
        let &(first, d) = set.first()?;
        let same = set.iter().all(|&(_, other)| other == d);
        let all = set.len() == effects.len();
        let value = if same && !self.counts(d, None) {
            d
        } else if same && all && !self.counts(d, Some(self.number)) {
            self.at_last_round(d, self.number)
        } else if set.len() == 1 && !self.counts(d, Some(self.taken[first])) {
            self.at_last_round(d, self.taken[first])
        } else {
            return None;
        };
        let counters: Vec<SymbolId> =
            if all { vec![self.number] } else { set.iter().map(|&(i, _)| self.taken[i]).collect() };
        let counters: Vec<TermId> = counters.into_iter().map(|c| self.terms.var(c)).collect();
        let positive: Vec<TermId> = counters.into_iter().map(|c| self.kind.positive(self.terms, c)).collect();
        let taken = self.terms.app(Op::Or, positive);
        Some(self.terms.app(Op::Ite, [taken, value, self.variables[n].first]))
    }

    /// A term at the last iteration, of a path or of all.
    fn at_last_round(&mut self, t: TermId, tau: SymbolId) -> TermId {
        let counter = self.terms.var(tau);
        let last = self.kind.minus_one(self.terms, counter);
        self.terms.substitute(t, &Substitution::from_iter([(tau, last)]))
    }

    /// What is known of a variable without a closed form before any iteration. See deviation 3.
    fn relation(&mut self, n: usize) -> Option<Relation> {
        let effects = self.effects(n);
        let is_map = is_map(self.terms, self.variables[n].start);
        let grows = |e: &Effect| matches!(e, Effect::Adds(_));
        let counted = effects.iter().any(|e| matches!(e, Effect::Adds(d) if self.counts(*d, None)));
        let grows_only = effects.iter().all(|e| !matches!(e, Effect::Sets(_)));
        if !is_map
            && grows_only
            && let Some(relation) = progressions::relation(self, n, &effects)
        {
            return Some(relation);
        }
        if is_map || counted {
            return None;
        }
        let mut locals = Vec::new();
        let mut cases = Vec::new();
        let mut never = Vec::new();
        for (i, effect) in effects.iter().enumerate() {
            if *effect == Effect::Unchanged || grows(effect) {
                continue;
            }
            let counter = self.terms.var(self.taken[i]);
            let mut case = vec![self.kind.positive(self.terms, counter)];
            never.push(self.terms.app(Op::Not, [case[0]]));
            if let Effect::Sets(d) = *effect {
                let mut since = self.since(i, &effects, &mut locals, &mut case);
                let before: Vec<TermId> = self.taken.iter().map(|t| since.before[t]).collect();
                let number = self.kind.sum(self.terms, &before);
                since.before.insert(self.number, number);
                let set = self.terms.substitute(d, &since.before);
                let value = self.grown(set, &effects, &since.rounds)?;
                case.push(self.is_value(n, value));
            }
            cases.push(self.terms.app(Op::And, case));
        }
        let all: Vec<TermId> = self.taken.iter().map(|&t| self.terms.var(t)).collect();
        let value = self.grown(self.variables[n].first, &effects, &all)?;
        never.push(self.is_value(n, value));
        cases.push(self.terms.app(Op::And, never));
        let condition = self.terms.app(Op::Or, cases);
        (self.terms.as_bool(condition) != Some(true)).then_some(Relation { locals, condition })
    }

    /// Symbols for the iterations before the last one of path `i`, and for those after it.
    fn since(
        &mut self,
        i: usize,
        effects: &[Effect],
        locals: &mut Vec<SymbolId>,
        case: &mut Vec<TermId>,
    ) -> Since {
        let mut since = Since { before: Substitution::default(), rounds: Vec::new() };
        for (j, effect) in effects.iter().enumerate() {
            let counter = self.terms.var(self.taken[j]);
            if i == j {
                let last = self.kind.minus_one(self.terms, counter);
                since.before.insert(self.taken[j], last);
                since.rounds.push(self.kind.number(self.terms, 0));
                continue;
            }
            if matches!(effect, Effect::Sets(_) | Effect::Other) {
                // All its iterations were before that one.
                since.before.insert(self.taken[j], counter);
                since.rounds.push(self.kind.number(self.terms, 0));
                continue;
            }
            let sort = self.kind.sort(self.terms);
            let before = self.terms.fresh_symbol("since", sort);
            locals.push(before);
            let before = self.terms.var(before);
            case.push(self.kind.natural(self.terms, before));
            case.push(self.kind.le(self.terms, before, counter));
            since.before.insert(self.taken[j], before);
            since.rounds.push(self.kind.sub(self.terms, counter, before));
        }
        since
    }

    /// `value` and what the iterations add to it.
    fn grown(&mut self, value: TermId, effects: &[Effect], rounds: &[TermId]) -> Option<TermId> {
        let mut value = value;
        for (effect, &rounds) in effects.iter().zip(rounds) {
            if let Effect::Adds(d) = *effect {
                let added = self.kind.times(self.terms, d, rounds)?;
                value = plus(self.terms, value, added);
            }
        }
        Some(value)
    }

    fn is_value(&mut self, n: usize, value: TermId) -> TermId {
        let start = self.terms.var(self.variables[n].start);
        self.terms.app(Op::Eq, [start, value])
    }

    /// The reason why a variable has no closed form.
    fn why_not(&mut self, n: usize) -> String {
        let effects = self.effects(n);
        let ways: Vec<String> = (0..effects.len())
            .filter(|&i| effects[i] == Effect::Other)
            .map(|i| (i + 1).to_string())
            .collect();
        let value = self.variables[n];
        let sets = effects.iter().filter(|e| matches!(e, Effect::Sets(_))).count();
        let other = effects.iter().position(|e| *e == Effect::Other);
        let itself =
            other.is_some_and(|i| self.terms.free_symbols(&[self.ways[i].values[n]]).contains(&value.start));
        let name = &self.terms.symbol(value.variable).name;
        if itself {
            format!(
                "on path {} of the loop body, its new value is not the old one plus something; \
                 `{name} = {name} + d` with a d that the loop does not change has a closed form",
                ways.join(", ")
            )
        } else if !ways.is_empty() {
            format!(
                "on path {} of the loop body, it is set to a value that has no closed form; \
                 a value made of what the loop counts or leaves alone has one",
                ways.join(", ")
            )
        } else if sets > 0 {
            "it is not known which path of the loop body set it last; a flag that is set once, or leaving the loop there, tells it"
                .to_owned()
        } else {
            "what is added to it differs between iterations; where it is the same each time, or grows by the same amount, there is a closed form"
                .to_owned()
        }
    }
}

/// See [`Iteration::since`].
struct Since {
    /// How often each path was taken before that iteration.
    before: Substitution,
    /// How often after it.
    rounds: Vec<TermId>,
}

fn is_map(terms: &Terms, symbol: SymbolId) -> bool {
    matches!(terms.sort_of(terms.symbol(symbol).sort), Sort::Map { .. })
}
