//! Invariant candidates for loop heads, made from templates.
//!
//! **Idea.** What a proof by induction needs is mostly close to what the program compares and assigns: that a
//! comparison still holds or has just ceased to, that a variable is not below its first value, which of two variables
//! is the greater, the remainder of a division, and, for variables that take only a few values, such as the state of
//! a state machine, which values occur together. Whatever is guessed has to be proved (`facts.rs`).
//!
//! Example: for `while (i < n) { i++; }` the candidates include `i ≤ n`, `i ≥` the first value of `i`, and `i ≤ n ∨ i
//! = n + 1`.
//!
//! **Direction of error.** Candidates claim nothing.

use footpath_term::{Op, Sort, Substitution, SymbolId, TermId, Terms, TypeSubstitution, Value};
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

use crate::inductive::segments::{Call, Segment, Segments};

/// How many variables are compared with each other, or combined as control variables.
const MAX_PAIRED: usize = 7;
const MAX_CONTROLS: usize = 10;
/// How many values a control variable has.
const MAX_VALUES: usize = 12;
/// How many guesses are made of each head.
const MAX_GUESSES: usize = 1_200;
/// How many of them are implications, and how many comparisons these are made of.
const MAX_IMPLICATIONS: usize = 600;
const MAX_PREMISES: usize = 12;
/// From how many guesses about ends of callees others are made.
const MAX_WANTED: usize = 40;
/// The greatest divisor.
const MAX_DIVISOR: u64 = 16;

/// The invariant candidates of each head. `None` if time ran out.
pub(crate) fn guesses(
    terms: &mut Terms,
    segments: &Segments,
    go_on: &dyn Fn() -> bool,
) -> Option<Vec<Vec<TermId>>> {
    let mut all = Vec::new();
    let names = Names::of(terms, segments);
    let mut everywhere = Made { seen: FxHashSet::default(), guesses: Vec::new() };
    for segment in &segments.segments {
        if !go_on() {
            return None;
        }
        compared(terms, segment, &names, &mut everywhere);
    }
    for head in 0..segments.heads {
        if !go_on() {
            return None;
        }
        let mut made = everywhere.clone();
        not_to_target(terms, segments, head, &names, &mut made);
        not_behind_calls(terms, segments, head, &names, &mut made);
        first_values(terms, segments, head, &names, &mut made);
        paired(terms, &names, &mut made);
        controls(terms, segments, &names, &mut made);
        made.guesses.truncate(MAX_GUESSES);
        all.push(made.guesses);
    }
    Some(all)
}

/// Guesses of each head that hold in one part of a loop only: one of the `dropped` guesses, or that a comparison of the program is
/// the other way. Example: in `while (x < 100) x += x < 50 ? 1 : 2;` x is even or at most 50.
pub(super) fn implications(
    terms: &mut Terms,
    segments: &Segments,
    dropped: &[Vec<TermId>],
) -> Vec<Vec<TermId>> {
    let names = Names::of(terms, segments);
    let mut parities = Made { seen: FxHashSet::default(), guesses: Vec::new() };
    for &symbol in names.changing.iter().take(MAX_PAIRED) {
        let variable = terms.var(symbol);
        if terms.width(terms.sort(variable)).is_some_and(|w| w > 1) {
            let low = terms.app(Op::Extract(0, 0), [variable]);
            for bit in [0, 1] {
                let bit = terms.bit_vec(1, bit);
                let guess = terms.app(Op::Eq, [low, bit]);
                parities.push(terms, guess);
            }
        }
    }
    let mut all = Vec::new();
    for (head, dropped) in dropped.iter().enumerate() {
        let mut premises: Vec<TermId> = Vec::new();
        for segment in segments.segments.iter().filter(|w| w.from == Some(head) || w.to == Some(head)) {
            for condition in names.conditions(terms, segment) {
                let not = terms.app(Op::Not, [condition]);
                if names.mean(terms, condition) && !premises.contains(&condition) {
                    premises.extend([condition, not]);
                }
            }
        }
        premises.truncate(MAX_PREMISES);
        let mut made = Made { seen: FxHashSet::default(), guesses: Vec::new() };
        for &guess in parities.guesses.iter().chain(dropped) {
            for &premise in &premises {
                let either = terms.app(Op::Or, [premise, guess]);
                made.push(terms, either);
            }
        }
        made.guesses.truncate(MAX_IMPLICATIONS);
        all.push(made.guesses);
    }
    all
}

/// The relevant variables of a body, most important ones first.
pub(super) struct Names {
    /// Those that some segment changes and some condition mentions.
    changing: Vec<SymbolId>,
    pub(super) all: Vec<SymbolId>,
    fresh: FxHashSet<SymbolId>,
}

impl Names {
    pub(super) fn of(terms: &mut Terms, segments: &Segments) -> Names {
        let fresh: Vec<TermId> = segments.segments.iter().flat_map(|w| w.fresh.iter().copied()).collect();
        let fresh: FxHashSet<SymbolId> = terms.free_symbols(&fresh).into_iter().collect();
        let to_target = segments.segments.iter().filter(|w| w.to.is_none());
        let first: Vec<TermId> = to_target.flat_map(|w| w.conditions.iter().copied()).collect();
        let rest: Vec<TermId> = segments.segments.iter().flat_map(|w| w.conditions.iter().copied()).collect();
        let mut all = terms.free_symbols(&[first, rest].concat());
        let of_calls = segments.ends.iter().flatten().flatten();
        all.extend(of_calls.copied().filter(|s| !all.contains(s)).collect::<Vec<SymbolId>>());
        all.retain(|s| !fresh.contains(s) && is_scalar(terms, *s));
        let mut at = 0;
        while at < all.len() {
            let values: Vec<TermId> = segments.segments.iter().map(|w| w.state.get(terms, all[at])).collect();
            for symbol in terms.free_symbols(&values) {
                if !fresh.contains(&symbol) && is_scalar(terms, symbol) && !all.contains(&symbol) {
                    all.push(symbol);
                }
            }
            at += 1;
        }
        let changes = |terms: &mut Terms, s: SymbolId| {
            let same = terms.var(s);
            segments
                .segments
                .iter()
                .any(|w| w.from.is_some() && w.to.is_some() && w.state.get(terms, s) != same)
        };
        let changing = all.iter().copied().filter(|&s| changes(terms, s)).collect();
        Names { changing, all, fresh }
    }

    /// The conditions of a segment over the variables that hold its arbitrary values at its end.
    pub(super) fn conditions(&self, terms: &mut Terms, segment: &Segment) -> Vec<TermId> {
        let named = named(terms, segment, self);
        terms.substitute_all(&segment.conditions, &named, &TypeSubstitution::default())
    }

    /// Whether a term mentions only variables that exist at heads.
    fn mean(&self, terms: &Terms, term: TermId) -> bool {
        terms.free_symbols(&[term]).iter().all(|s| !self.fresh.contains(s))
    }
}

fn is_scalar(terms: &Terms, symbol: SymbolId) -> bool {
    matches!(terms.sort_of(terms.symbol(symbol).sort), Sort::Bool | Sort::Int | Sort::BitVec(_))
}

#[derive(Clone)]
struct Made {
    seen: FxHashSet<TermId>,
    guesses: Vec<TermId>,
}

impl Made {
    fn push(&mut self, terms: &Terms, guess: TermId) {
        if terms.as_bool(guess).is_none() && self.seen.insert(guess) {
            self.guesses.push(guess);
        }
    }
}

/// `s ≤ t` or what has just ceased to be so: `s = t + 1`.
fn nearly(terms: &mut Terms, op: &Op, s: TermId, t: TermId) -> TermId {
    let below = terms.app(op.clone(), [s, t]);
    let next = match terms.width(terms.sort(t)) {
        Some(w) => {
            let one = terms.bit_vec(w, 1);
            terms.app(Op::BvAdd, [t, one])
        }
        None => {
            let one = terms.int(1);
            terms.app(Op::Add, [t, one])
        }
    };
    let behind = terms.app(Op::Eq, [s, next]);
    terms.app(Op::Or, [below, behind])
}

/// Maps the values after a call to the callee's variables at its end. Behind `odd(n - 1)` the caller's n is the callee's
/// parameter and one more.
fn named_by(terms: &mut Terms, call: &Call) -> Substitution {
    let mut named = Substitution::default();
    let mut values: Vec<(SymbolId, TermId)> = call.values.iter().map(|(&s, &t)| (s, t)).collect();
    values.sort_unstable();
    for &(variable, value) in &values {
        if let Op::Var(symbol) = terms.term(value).op {
            let variable = terms.var(variable);
            named.entry(symbol).or_insert(variable);
        }
    }
    for (variable, value) in values {
        let variable = terms.var(variable);
        if let Some((symbol, inverse)) = shifted(terms, variable, value) {
            named.entry(symbol).or_insert(inverse);
        }
    }
    named
}

/// If the value is a symbol and a constant: the symbol, and what it is in terms of the variable that has the value.
pub(super) fn shifted(terms: &mut Terms, variable: TermId, value: TermId) -> Option<(SymbolId, TermId)> {
    let term = terms.term(value).clone();
    let back = match term.op {
        Op::Add => Op::Sub,
        Op::Sub => Op::Add,
        Op::BvAdd => Op::BvSub,
        Op::BvSub => Op::BvAdd,
        _ => return None,
    };
    let &[first, second] = &term.args[..] else { return None };
    let symbol = |terms: &Terms, t: TermId| match terms.term(t).op {
        Op::Var(symbol) => Some(symbol),
        _ => None,
    };
    let sums = matches!(term.op, Op::Add | Op::BvAdd);
    let (symbol, constant) = match (symbol(terms, first), symbol(terms, second)) {
        (Some(symbol), None) => (symbol, second),
        (None, Some(symbol)) if sums => (symbol, first),
        _ => return None,
    };
    terms.literal(constant)?;
    Some((symbol, terms.app(back, [variable, constant])))
}

/// Maps the arbitrary values of a segment to the variables that hold them at its end.
fn named(terms: &mut Terms, segment: &Segment, names: &Names) -> Substitution {
    let mut named = Substitution::default();
    for &variable in &names.all {
        let value = segment.state.get(terms, variable);
        if let Op::Var(symbol) = terms.term(value).op
            && names.fresh.contains(&symbol)
        {
            let variable = terms.var(variable);
            named.entry(symbol).or_insert(variable);
        }
    }
    named
}

/// The comparisons on a segment, and weakened versions of them.
fn compared(terms: &mut Terms, segment: &Segment, names: &Names, made: &mut Made) {
    let mut all = vec![named(terms, segment, names)];
    all.extend(segment.calls.iter().map(|call| named_by(terms, call)));
    for named in all {
        for condition in terms.substitute_all(&segment.conditions, &named, &TypeSubstitution::default()) {
            if !names.mean(terms, condition) {
                continue;
            }
            made.push(terms, condition);
            let not = terms.app(Op::Not, [condition]);
            let inner = if terms.term(condition).op == Op::Not { not } else { condition };
            made.push(terms, not);
            let term = terms.term(inner).clone();
            let weak = match term.op {
                Op::Lt | Op::Le => Op::Le,
                Op::BvSlt | Op::BvSle => Op::BvSle,
                Op::BvUlt | Op::BvUle => Op::BvUle,
                _ => continue,
            };
            for [s, t] in [[term.args[0], term.args[1]], [term.args[1], term.args[0]]] {
                let guess = terms.app(weak.clone(), [s, t]);
                made.push(terms, guess);
                let guess = nearly(terms, &weak, s, t);
                made.push(terms, guess);
            }
        }
    }
}

/// The negations of the conditions of segments from a head to a target.
fn not_to_target(terms: &mut Terms, segments: &Segments, head: usize, names: &Names, made: &mut Made) {
    for segment in segments.segments.iter().filter(|w| w.from == Some(head) && w.to.is_none()) {
        let known: Vec<TermId> =
            segment.conditions.iter().copied().filter(|&c| names.mean(terms, c)).collect();
        if !known.is_empty() && known.len() == segment.conditions.len() {
            let all = terms.app(Op::And, known);
            let not = terms.app(Op::Not, [all]);
            made.push(terms, not);
        }
    }
}

/// The negations of the conditions after calls that lead to a target, as claims about the ends of callees. If a
/// callee returns the result of another one, the same is guessed of that one.
fn not_behind_calls(terms: &mut Terms, segments: &Segments, head: usize, names: &Names, made: &mut Made) {
    let mut wanted: Vec<(usize, TermId)> = Vec::new();
    let push = |terms: &mut Terms, wanted: &mut Vec<(usize, TermId)>, call: &Call, not: &[TermId]| {
        let named = named_by(terms, call);
        let mut parts: Vec<TermId> = not.iter().map(|&t| terms.substitute(t, &named)).collect();
        parts.retain(|&t| names.mean(terms, t));
        let all = terms.app(Op::And, parts);
        let not = terms.app(Op::Not, [all]);
        if terms.as_bool(not).is_none() && !wanted.contains(&(call.end, not)) {
            wanted.push((call.end, not));
        }
    };
    for segment in segments.segments.iter().filter(|w| w.to.is_none()) {
        segment.calls.iter().for_each(|call| push(terms, &mut wanted, call, &segment.conditions));
    }
    let mut at = 0;
    while at < wanted.len().min(MAX_WANTED) {
        let (end, guess) = wanted[at];
        for segment in segments.segments.iter().filter(|w| w.to == Some(end)) {
            let arriving = segment.state.eval(terms, guess);
            let not = terms.app(Op::Not, [arriving]);
            segment.calls.iter().for_each(|call| push(terms, &mut wanted, call, &[not]));
        }
        at += 1;
    }
    wanted.into_iter().filter(|(end, _)| *end == head).for_each(|(_, guess)| made.push(terms, guess));
}

/// Comparisons of variables with their values when the head is first reached, and the remainders of both.
fn first_values(terms: &mut Terms, segments: &Segments, head: usize, names: &Names, made: &mut Made) {
    for &symbol in &names.changing {
        let variable = terms.var(symbol);
        let mut firsts: Vec<TermId> = Vec::new();
        for segment in segments.segments.iter().filter(|w| w.to == Some(head) && w.from != Some(head)) {
            let first = segment.state.get(terms, symbol);
            let free = terms.free_symbols(&[first]);
            let constant = |s: &SymbolId| !names.fresh.contains(s) && !names.changing.contains(s);
            if free.iter().all(constant) && !firsts.contains(&first) {
                firsts.push(first);
            }
        }
        let sort = terms.sort(variable);
        let nought = match *terms.sort_of(sort) {
            Sort::BitVec(w) => terms.bit_vec(w, 0),
            Sort::Int => terms.int(0),
            _ => continue,
        };
        let width = terms.width(sort);
        let ops = if width.is_some() { vec![Op::BvSle, Op::BvUle] } else { vec![Op::Le] };
        for first in firsts.into_iter().take(4).chain([nought]) {
            for op in &ops {
                for pair in [[first, variable], [variable, first]] {
                    let guess = terms.app(op.clone(), pair);
                    made.push(terms, guess);
                }
            }
            for divisor in divisors(terms, segments, width) {
                let (op, divisor) = match width {
                    Some(w) => (Op::BvUrem, terms.bit_vec(w, divisor)),
                    None => (Op::Mod, terms.int(divisor)),
                };
                let rests = [variable, first].map(|t| terms.app(op.clone(), [t, divisor]));
                let guess = terms.app(Op::Eq, rests);
                made.push(terms, guess);
            }
        }
    }
}

/// Small divisors in the program, of a width, that are no powers of two, as identities cover those.
fn divisors(terms: &Terms, segments: &Segments, of: Option<u32>) -> Vec<u64> {
    let values = segments.segments.iter().flat_map(|w| w.conditions.iter().copied());
    let mut found: Vec<u64> = Vec::new();
    for t in terms.post_order(&values.collect::<Vec<TermId>>()) {
        let number = match &terms.term(t).op {
            Op::Literal(Value::BitVec { bits, width }) if of == Some(*width) => bits.to_u64(),
            Op::Literal(Value::Int(n)) if of.is_none() => n.to_u64(),
            _ => None,
        };
        found.extend(number.filter(|n| (3..=MAX_DIVISOR).contains(n) && !n.is_power_of_two()));
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(4);
    found
}

/// Guesses about which of two variables is the greater, and whether they are equal.
fn paired(terms: &mut Terms, names: &Names, made: &mut Made) {
    let numbers: Vec<SymbolId> =
        names.all.iter().copied().filter(|s| terms.symbol(*s).sort != footpath_term::SortId::BOOL).collect();
    for &a in names.changing.iter().filter(|s| numbers.contains(s)).take(MAX_PAIRED) {
        for &b in numbers.iter().filter(|b| **b != a).take(MAX_PAIRED) {
            if terms.symbol(a).sort != terms.symbol(b).sort {
                continue;
            }
            let (a, b) = (terms.var(a), terms.var(b));
            let ops = if terms.width(terms.sort(a)).is_some() {
                vec![Op::Eq, Op::BvSle, Op::BvUle, Op::BvSlt]
            } else {
                vec![Op::Eq, Op::Le, Op::Lt]
            };
            for op in ops {
                let guess = terms.app(op.clone(), [a, b]);
                made.push(terms, guess);
                let guess = terms.app(op, [b, a]);
                made.push(terms, guess);
            }
        }
    }
}

/// For control variables, which are only set to constants: their values, which of these occur together, and what
/// holds with them.
fn controls(terms: &mut Terms, segments: &Segments, names: &Names, made: &mut Made) {
    let mut controls: Vec<(TermId, Vec<TermId>)> = Vec::new();
    let calls = segments.segments.iter().flat_map(|w| &w.calls);
    let given: FxHashSet<TermId> =
        calls.flat_map(|c| c.values.values().copied()).filter(|v| !names.mean(terms, *v)).collect();
    for &symbol in &names.changing {
        let variable = terms.var(symbol);
        let values =
            segments.segments.iter().filter(|w| w.to.is_some()).map(|w: &Segment| w.state.get(terms, symbol));
        // What a callee gives may be one of its constants.
        let mut values: Vec<TermId> = values.filter(|v| *v != variable && !given.contains(v)).collect();
        values.sort_unstable();
        values.dedup();
        if values.len() <= MAX_VALUES && values.iter().all(|v| terms.literal(*v).is_some()) {
            controls.push((variable, values));
        }
    }
    controls.truncate(MAX_CONTROLS);
    let is = |terms: &mut Terms, v: TermId, c: TermId| terms.app(Op::Eq, [v, c]);
    for (variable, values) in &controls {
        let segments: Vec<TermId> = values.iter().map(|c| is(terms, *variable, *c)).collect();
        let one_of = terms.app(Op::Or, segments);
        made.push(terms, one_of);
    }
    // Conditions about maps make queries about scalars slow.
    let is_plain = |t: &TermId| terms.free_symbols(&[*t]).iter().all(|s| is_scalar(terms, *s));
    let plain: Vec<TermId> = made.guesses.iter().copied().filter(is_plain).collect();
    for (i, (u, values)) in controls.iter().enumerate() {
        for &c in values {
            let here = is(terms, *u, c);
            let not = terms.app(Op::Not, [here]);
            made.push(terms, not);
            for (v, others) in &controls[i + 1..] {
                for &d in others {
                    let there = is(terms, *v, d);
                    let both = terms.app(Op::And, [here, there]);
                    let guess = terms.app(Op::Not, [both]);
                    made.push(terms, guess);
                }
            }
        }
    }
    for (u, values) in &controls {
        for &c in values {
            for &guess in plain.iter().take(MAX_GUESSES / 4 / values.len().max(1)) {
                let not = is(terms, *u, c);
                let not = terms.app(Op::Not, [not]);
                let guess = terms.app(Op::Or, [not, guess]);
                made.push(terms, guess);
            }
        }
    }
}
