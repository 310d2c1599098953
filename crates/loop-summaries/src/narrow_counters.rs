//! Absence of overflow of induction variables that are narrower than the iteration counters.
//!
//! **Idea.** After τ iterations an induction variable of 32 bits is `first + d·τ` modulo 2³², and after τ₁, …, τₙ
//! iterations of several paths `first + Σ dᵢ·τᵢ`. If it is used as an index, it is extended, and the extension is
//! that sum in 64 bits only if nothing wrapped. If nothing wraps, the conditions of the first and the last iteration
//! of each path also bound the numbers of iterations. It holds as long as the loop's own condition bounds the
//! variable, and is proved like an invariant: if it held before an iteration, the condition of the iteration
//! preserves it. Then it is an invariant of the loop, and indices are linear in the counters.
//!
//! Example: in `for (int i = 0; i < n; i++) a[i] = 0;` with an `int n`, `i < n` excludes that `i + 1` overflows, so
//! the index of iteration τ is τ in 64 bits.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012) has unbounded integers only.
//!
//! **Direction of error.** None that is known: each step is an answer of the solver.

use std::time::Duration;

use footpath_smt::Solver;
use footpath_term::{Op, Sort, Substitution, SymbolId, TermId, Value};
use footpath_virtual_time::Deadline;

use crate::counters::{Kind, WIDTH, increment};
use crate::invariants::is_refuted;
use crate::iterated_states::Iteration;
use crate::summary::Round;
use crate::unfold::round_facts;

/// Time for one solver query, and for all about one loop.
const QUESTION: Duration = Duration::from_millis(100);
const ALL: Duration = Duration::from_secs(1);

/// A variable whose extension is known.
struct Wide {
    start: SymbolId,
    signed: bool,
    /// The value of the extension, over the counters.
    value: TermId,
}

/// Finds extensions that do not wrap: their values are added to `work.wide`, and the invariants that they do not wrap
/// are returned.
pub(crate) fn widen(work: &mut Iteration<'_>, solver: &mut dyn Solver) -> Vec<TermId> {
    if work.kind != Kind::Bits {
        return Vec::new();
    }
    let deadline = Deadline::after(ALL);
    solver.set_timeout(Some(QUESTION));
    let facts: Vec<Vec<TermId>> = (0..work.taken.len()).map(|way| facts(work, way)).collect();
    let mut invariants = Vec::new();
    let mut found = Vec::new();
    for n in 0..work.variables.len() {
        for signed in [true, false] {
            let Some((wide, invariant)) = candidate(work, n, signed) else { continue };
            let keeps = |work: &mut Iteration<'_>, solver: &mut dyn Solver, way: usize| {
                let next = next(work, invariant, way);
                let mut known = facts[way].clone();
                known.push(invariant);
                !deadline.is_over() && is_refuted(work.terms, solver, &known, next)
            };
            if (0..facts.len()).all(|way| keeps(work, solver, way)) {
                invariants.push(invariant);
                found.push(wide);
            }
        }
    }
    for (way, facts) in facts.into_iter().enumerate() {
        let known: Vec<TermId> = facts.into_iter().chain(invariants.iter().copied()).collect();
        for t in extensions(work, way) {
            let Some(wide) = found.iter().find_map(|w| extended(work, t, w)) else { continue };
            let narrow = work.closed_form(t);
            let same = work.terms.app(Op::Eq, [narrow, wide]);
            if !deadline.is_over() && is_refuted(work.terms, solver, &known, same) {
                work.wide.insert((way, t), wide);
            }
        }
    }
    invariants
}

/// What holds in an iteration of a path, over the counters as far as they are known.
fn facts(work: &mut Iteration<'_>, way: usize) -> Vec<TermId> {
    let round = Round { steps: work.closed_steps(way), values: Vec::new() };
    let (mut facts, _) = round_facts(work.terms, &round, &[]);
    let number = work.terms.var(work.number);
    let taken: Vec<TermId> = work.taken.iter().map(|&t| work.terms.var(t)).collect();
    let sum = work.kind.sum(work.terms, &taken);
    facts.push(work.terms.app(Op::Eq, [number, sum]));
    facts.extend(work.kind.no_wrap(work.terms, &taken));
    facts
}

/// The value that the extension of variable number `n` would have, and the claim to be proved.
fn candidate(work: &mut Iteration<'_>, n: usize, signed: bool) -> Option<(Wide, TermId)> {
    let variable = work.variables[n];
    let start = work.terms.var(variable.start);
    let Sort::BitVec(width) = *work.terms.sort_of(work.terms.sort(start)) else { return None };
    let form = work.closed_form(start);
    if width >= WIDTH || form == start {
        return None;
    }
    let free = work.terms.free_symbols(&[form]);
    let counters = work.taken.iter().copied().chain([work.number]).filter(|c| free.contains(c));
    let mut counters: Vec<SymbolId> = counters.collect();
    counters.dedup();
    let [zero, one] = [0, 1].map(|n| work.kind.number(work.terms, n));
    let none: Substitution = counters.iter().map(|&c| (c, zero)).collect();
    let first = work.terms.substitute(form, &none);
    if counters.is_empty() || first != variable.first {
        return None;
    }
    let extend = if signed { Op::SignExtend(WIDTH - width) } else { Op::ZeroExtend(WIDTH - width) };
    let mut value = work.terms.app(extend.clone(), [first]);
    for &counter in &counters {
        let mut once = none.clone();
        once.insert(counter, one);
        let after = work.terms.substitute(form, &once);
        let step = work.terms.app(Op::BvSub, [after, first]);
        let Value::BitVec { bits, .. } = work.terms.literal(step)? else { return None };
        let step = Value::signed(width, bits);
        let step = work.terms.bit_vec(WIDTH, step);
        let counter = work.terms.var(counter);
        let moved = work.terms.app(Op::BvMul, [counter, step]);
        value = work.terms.app(Op::BvAdd, [value, moved]);
    }
    let narrow = work.terms.app(extend, [form]);
    let claim = work.terms.app(Op::Eq, [narrow, value]);
    Some((Wide { start: variable.start, signed, value }, claim))
}

/// A claim about the state before an iteration, stated for the state after an iteration along a path.
fn next(work: &mut Iteration<'_>, claim: TermId, way: usize) -> TermId {
    let one = work.kind.number(work.terms, 1);
    let after = [work.number, work.taken[way]].map(|counter| {
        let before = work.terms.var(counter);
        (counter, work.kind.add(work.terms, before, one))
    });
    work.terms.substitute(claim, &Substitution::from_iter(after))
}

/// The extensions to the width of counters in what a path does.
fn extensions(work: &mut Iteration<'_>, way: usize) -> Vec<TermId> {
    let mut roots = work.conditions(way);
    roots.extend((0..work.variables.len()).map(|n| work.value(n, way)));
    let terms = &work.terms;
    let extends = |t: &TermId| {
        matches!(terms.term(*t).op, Op::SignExtend(_) | Op::ZeroExtend(_))
            && terms.width(terms.sort(*t)) == Some(WIDTH)
    };
    terms.post_order(&roots).into_iter().filter(extends).collect()
}

/// The extension of a variable and a constant.
fn extended(work: &mut Iteration<'_>, t: TermId, wide: &Wide) -> Option<TermId> {
    let term = work.terms.term(t).clone();
    if matches!(term.op, Op::SignExtend(_)) != wide.signed {
        return None;
    }
    let difference = increment(work.terms, term.args[0], wide.start)?;
    let Value::BitVec { width, bits } = work.terms.literal(difference)? else { return None };
    let difference = Value::signed(*width, bits);
    let difference = work.terms.bit_vec(WIDTH, difference);
    Some(work.terms.app(Op::BvAdd, [wide.value, difference]))
}
