//! Latest writes of a loop to a map: each element is what the last iteration that met its cell wrote there, or what was
//! there before.
//!
//! **Idea.** Where no closed form is known, because an index is read from data or because nobody knows which path was
//! the last one to write, two functions of a cell χ stand for what is not known: whether an iteration wrote there, and
//! how often each path had been taken before the last such iteration, T(χ). An element that was written is then that of
//! a write which meets χ in iteration T(χ); and whenever an iteration meets a cell, that cell was written, and its last
//! iteration is not before this one. This says that no later write meets χ.
//!
//! Example: after κ iterations of `for (i = 0; …; i++) A[B[i]] = 7;` the condition is
//! `∀χ. if W(χ) then 0 ≤ T(χ) < κ ∧ B[T(χ)] = χ ∧ A[χ] = 7 else A[χ] = A₀[χ]` and `∀τ. 0 ≤ τ < κ → W(B[τ]) ∧ T(B[τ]) ≥ τ`.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Section 5.1.1, Table 2, and example 4 of
//! Appendix A.1. There `∃τ` and the formula "no later write" are one for each write; with functions in their place they
//! are shared by all writes of all paths.
//!
//! **Deviations.**
//! 1. Writes of which only a part is known are kept: an element may be anything where its value is unknown, and a cell
//!    may be met where a condition is. Then nothing is concluded from an iteration that may meet it.
//! 2. Reads of the map itself are known if no write of the loop meets that cell, by literals such as those of objects.
//! 3. That an iteration meets a cell is said of paths whose index follows from how often that path was taken.
//!
//! **Direction of error.** In one direction: every run satisfies the condition.

use footpath_term::{Binder, BinderKind, Op, SortId, Substitution, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::array_writes;
use crate::array_writes::Write;
use crate::counters::Kind;
use crate::iterated_arrays::{Motion, motion, round_of};
use crate::iterated_states::Iteration;
use crate::summary::Relation;

/// How many writes all paths may have.
const MAX_WRITES: usize = 12;

/// What is known of variable number `n`, a map, over the counters and its value before an iteration.
pub(crate) fn relation(work: &mut Iteration<'_>, n: usize) -> Option<Relation> {
    let variable = work.variables[n];
    let places = array_writes::places(work.terms, variable.start)?;
    let mut writes = Vec::new();
    for way in 0..work.taken.len() {
        let value = work.value(n, way);
        let read = array_writes::read(work.terms, variable.start, value, &places)?;
        writes.extend(read.into_iter().map(|write| (way, write)));
    }
    if writes.is_empty() || writes.len() > MAX_WRITES {
        return None;
    }
    let domain: Vec<_> = places.iter().map(|&p| work.terms.symbol(p).sort).collect();
    let counter = work.kind.sort(work.terms);
    let sort = work.terms.map_sort(domain.clone(), counter);
    let before = (0..work.taken.len()).map(|_| work.terms.fresh_symbol("latest", sort)).collect();
    let flag = work.terms.map_sort(domain, SortId::BOOL);
    let written = work.terms.fresh_symbol("written", flag);
    let latest = Latest { n, places, writes, before, written };
    let mut conditions = vec![latest.elements(work)];
    for (i, (way, write)) in latest.writes.iter().enumerate() {
        if let Some(known) = latest.known_write(work, *way, write) {
            conditions.extend(latest.meets(work, i, &known));
        }
    }
    let condition = work.terms.app(Op::And, conditions);
    let locals = latest.before.iter().copied().chain([latest.written]).collect();
    Some(Relation { locals, condition })
}

/// The formulas about one map.
struct Latest {
    n: usize,
    places: Vec<SymbolId>,
    /// The writes of all paths, in the order of each path.
    writes: Vec<(usize, Write)>,
    /// For each path, how often it was taken before the last iteration that wrote to a cell.
    before: Vec<SymbolId>,
    /// Whether an iteration wrote to a cell.
    written: SymbolId,
}

impl Latest {
    /// A function of a cell.
    fn of(terms: &mut Terms, function: SymbolId, cell: &[TermId]) -> TermId {
        let function = terms.var(function);
        terms.app(Op::Select, [function].into_iter().chain(cell.iter().copied()))
    }

    /// A term of an iteration of a path over the counters; `None` if something in it is not known.
    fn known(&self, work: &mut Iteration<'_>, t: TermId, way: usize) -> Option<TermId> {
        let variable = work.variables[self.n];
        let start = work.terms.var(variable.start);
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for inner in work.terms.post_order(&[t]) {
            let term = work.terms.term(inner).clone();
            let mut args: Vec<TermId> = term.args.iter().map(|a| done[a]).collect();
            if term.op == Op::Select && args[0] == start && self.is_untouched(work.terms, &args[1..]) {
                args[0] = variable.first;
            }
            let new = if args == term.args[..] {
                inner
            } else {
                work.terms.app_sorted(term.op, args.into_iter().collect(), term.sort)
            };
            done.insert(inner, new);
        }
        work.index(done[&t], way)
    }

    /// Whether no write meets this cell, as a literal part of it is another one.
    fn is_untouched(&self, terms: &Terms, cell: &[TermId]) -> bool {
        let apart = |write: &Write| {
            write.pins.iter().any(|&(part, index)| {
                let literals = (terms.literal(index), terms.literal(cell[part]));
                matches!(literals, (Some(a), Some(b)) if a != b)
            })
        };
        self.writes.iter().all(|(_, write)| apart(write))
    }

    /// A write of which everything but the element is known.
    fn known_write(&self, work: &mut Iteration<'_>, way: usize, write: &Write) -> Option<Write> {
        let mut known = Write { pins: Vec::new(), conditions: Vec::new(), element: write.element };
        for &(part, index) in &write.pins {
            known.pins.push((part, self.known(work, index, way)?));
        }
        for &condition in &write.conditions {
            known.conditions.push(self.known(work, condition, way)?);
        }
        Some(known)
    }

    /// What is known of each element: the latest write, or what was there before the loop.
    fn elements(&self, work: &mut Iteration<'_>) -> TermId {
        let variable = work.variables[self.n];
        let cell: Vec<TermId> = self.places.iter().map(|&p| work.terms.var(p)).collect();
        let now = Latest::of(work.terms, variable.start, &cell);
        let mut cases = Vec::new();
        for way in 0..work.taken.len() {
            let there = self.iteration_of(work, &cell);
            let mut holds = Vec::new();
            for condition in work.conditions(way) {
                holds.extend(self.known(work, condition, way));
            }
            let mut ways = Vec::new();
            let own: Vec<&Write> =
                self.writes.iter().filter(|(w, _)| *w == way).map(|(_, write)| write).collect();
            for (i, write) in own.iter().enumerate() {
                let mut hit = self.hit(work, way, write);
                for later in &own[i + 1..] {
                    if self.known_write(work, way, later).is_some() {
                        let met = self.hit(work, way, later);
                        let met = work.terms.app(Op::And, met);
                        hit.push(work.terms.app(Op::Not, [met]));
                    }
                }
                if let Some(element) = self.known(work, write.element, way) {
                    hit.push(work.terms.app(Op::Eq, [now, element]));
                }
                ways.push(work.terms.app(Op::And, hit));
            }
            holds.push(work.terms.app(Op::Or, ways));
            let holds = work.terms.app(Op::And, holds);
            // The limits are over the counters of now, all else over those of that iteration.
            let holds = work.terms.substitute(holds, &there);
            let limits = self.limits(work, way, &cell);
            cases.push(work.terms.app(Op::And, limits.into_iter().chain([holds])));
        }
        let some = work.terms.app(Op::Or, cases);
        let first = work.terms.app(Op::Select, [variable.first].into_iter().chain(cell.iter().copied()));
        let same = work.terms.app(Op::Eq, [now, first]);
        let written = Latest::of(work.terms, self.written, &cell);
        let body = work.terms.app(Op::Ite, [written, some, same]);
        for_all(work.terms, self.places.clone(), body, &[vec![now]])
    }

    /// From the counters to those before the last iteration that wrote to a cell.
    fn iteration_of(&self, work: &mut Iteration<'_>, cell: &[TermId]) -> Substitution {
        let taken: Vec<TermId> = self.before.iter().map(|&b| Latest::of(work.terms, b, cell)).collect();
        let number = work.kind.sum(work.terms, &taken);
        let mut there: Substitution = work.taken.iter().copied().zip(taken).collect();
        there.insert(work.number, number);
        there
    }

    /// That an iteration of a path was before now.
    fn limits(&self, work: &mut Iteration<'_>, way: usize, cell: &[TermId]) -> Vec<TermId> {
        let kind = work.kind;
        let mut limits = Vec::new();
        for (j, &before) in self.before.iter().enumerate() {
            let before = Latest::of(work.terms, before, cell);
            let now = work.terms.var(work.taken[j]);
            limits.push(kind.natural(work.terms, before));
            limits.push(if j == way {
                kind.lt(work.terms, before, now)
            } else {
                kind.le(work.terms, before, now)
            });
        }
        limits
    }

    /// As far as it is known, that a write meets the cell `places`.
    fn hit(&self, work: &mut Iteration<'_>, way: usize, write: &Write) -> Vec<TermId> {
        let mut hit = Vec::new();
        for &(part, index) in &write.pins {
            if let Some(index) = self.known(work, index, way) {
                let at = work.terms.var(self.places[part]);
                hit.push(work.terms.app(Op::Eq, [at, index]));
            }
        }
        for &condition in &write.conditions {
            hit.extend(self.known(work, condition, way));
        }
        hit
    }

    /// That the cells which a write meets were written, and not before it, if its place follows from how often its
    /// path was taken.
    fn meets(&self, work: &mut Iteration<'_>, i: usize, write: &Write) -> Vec<TermId> {
        let way = self.writes[i].0;
        let own = work.taken[way];
        let parts = write.pins.iter().map(|(_, index)| *index).chain(write.conditions.iter().copied());
        let parts: Vec<TermId> = parts.collect();
        if parts.iter().any(|&part| work.counts(part, Some(own))) {
            return Vec::new();
        }
        let moves = motion(work, write, own);
        match moves {
            Some(moves) => vec![self.meets_at(work, way, write, moves)],
            None => vec![self.meets_some(work, way, write)],
        }
    }

    /// The same for all cells, each of which is met in one iteration.
    fn meets_at(&self, work: &mut Iteration<'_>, way: usize, write: &Write, moves: Motion) -> TermId {
        let kind = work.kind;
        let own = work.taken[way];
        let now = work.terms.var(own);
        let cell: Vec<TermId> = self.places.iter().map(|&p| work.terms.var(p)).collect();
        let mut premises = Vec::new();
        let round = match moves {
            None => kind.minus_one(work.terms, now),
            Some((part, step)) => {
                let zero = kind.number(work.terms, 0);
                let zero = Substitution::from_iter([(own, zero)]);
                let base = write.pins.iter().find(|(p, _)| *p == part).map(|(_, index)| *index);
                let base = base.expect("a part that moves is a pin");
                let base = work.terms.substitute(base, &zero);
                round_of(work, cell[part], base, &step, &mut premises)
            }
        };
        let there = Substitution::from_iter([(own, round)]);
        for met in self.met(work, write) {
            premises.push(work.terms.substitute(met, &there));
        }
        premises.push(kind.natural(work.terms, round));
        premises.push(kind.lt(work.terms, round, now));
        if kind == Kind::Bits {
            premises.push(kind.positive(work.terms, now));
        }
        let body = self.not_before(work, way, round, &cell, premises);
        let element = Latest::of(work.terms, work.variables[self.n].start, &cell);
        for_all(work.terms, self.places.clone(), body, &[vec![element]])
    }

    /// The same for all iterations.
    fn meets_some(&self, work: &mut Iteration<'_>, way: usize, write: &Write) -> TermId {
        let kind = work.kind;
        let own = work.taken[way];
        let now = work.terms.var(own);
        let sort = kind.sort(work.terms);
        let earlier = work.terms.fresh_symbol("earlier", sort);
        let round = work.terms.var(earlier);
        let there = Substitution::from_iter([(own, round)]);
        let mut vars = vec![earlier];
        let mut cell = Vec::new();
        let mut pinned = Substitution::default();
        for (part, &place) in self.places.iter().enumerate() {
            match write.pins.iter().find(|(p, _)| *p == part) {
                Some(&(_, index)) => {
                    let index = work.terms.substitute(index, &there);
                    pinned.insert(place, index);
                    cell.push(index);
                }
                None => {
                    vars.push(place);
                    cell.push(work.terms.var(place));
                }
            }
        }
        let mut premises = vec![kind.natural(work.terms, round), kind.lt(work.terms, round, now)];
        for &condition in &write.conditions {
            let condition = work.terms.substitute(condition, &there);
            premises.push(work.terms.substitute(condition, &pinned));
        }
        let body = self.not_before(work, way, round, &cell, premises);
        let element = Latest::of(work.terms, work.variables[self.n].start, &cell);
        let mut triggers = vec![vec![element]];
        if vars.len() == 1 {
            // What the index is read from names the iterations of which something is to be known.
            let reads = |t: &TermId| {
                work.terms.term(*t).op == Op::Select && work.terms.free_symbols(&[*t]).contains(&earlier)
            };
            triggers.extend(work.terms.post_order(&cell).into_iter().filter(reads).map(|t| vec![t]));
        }
        for_all(work.terms, vars, body, &triggers)
    }

    fn met(&self, work: &mut Iteration<'_>, write: &Write) -> Vec<TermId> {
        let mut met = write.conditions.clone();
        for &(part, index) in &write.pins {
            let at = work.terms.var(self.places[part]);
            met.push(work.terms.app(Op::Eq, [at, index]));
        }
        met
    }

    fn not_before(
        &self,
        work: &mut Iteration<'_>,
        way: usize,
        round: TermId,
        cell: &[TermId],
        premises: Vec<TermId>,
    ) -> TermId {
        let written = Latest::of(work.terms, self.written, cell);
        let latest = Latest::of(work.terms, self.before[way], cell);
        let later = work.kind.le(work.terms, round, latest);
        let premise = work.terms.app(Op::And, premises);
        let then = work.terms.app(Op::And, [written, later]);
        work.terms.app(Op::Implies, [premise, then])
    }
}

fn for_all(terms: &mut Terms, vars: Vec<SymbolId>, body: TermId, triggers: &[Vec<TermId>]) -> TermId {
    if let Some(value) = terms.as_bool(body) {
        return terms.bool(value);
    }
    let binder = Binder {
        kind: BinderKind::Forall,
        type_vars: Vec::new(),
        vars,
        triggers: Vec::new(),
        nopats: 0,
        weight: None,
    };
    terms.bind(binder, body, triggers, &[])
}
