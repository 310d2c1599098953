//! Array writes of a loop iteration, as conditions over the cell that is written.
//!
//! **Idea.** After an iteration a map is its old value with writes on top: stores, and the maps that inner loops
//! leave, which are lambdas of the form `ite(hit, element, … old[place])`. Both are read as *writes*, first to last:
//! the condition under which a cell is hit, as far as possible in the form `place = index`, and the element. If
//! several paths through the loop write, a write also has a *guard*, which holds in an iteration if and only if that
//! iteration took the path: for each other path there is a branch at which the two part.
//!
//! Example: `if (i % 2 == 0) a[i] = 7;` is the write with place `i`, element `7` and guard `i % 2 == 0`.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Section 5.1.1, Table 2.
//!
//! **Direction of error.** None that is known: a map that does not have this form is not read at all.

use footpath_term::{BinderKind, Op, Sort, Substitution, SymbolId, TermId, Terms};
use num_bigint::BigInt;

/// How many writes an iteration may have.
const MAX_WRITES: usize = 16;

/// A write in an iteration, over the state before the iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Write {
    /// Parts of the place that must be these indices.
    pub(crate) pins: Vec<(usize, TermId)>,
    /// What else must hold for the place to be hit, over the places.
    pub(crate) conditions: Vec<TermId>,
    /// What is written, over the places.
    pub(crate) element: TermId,
}

/// Symbols for the parts of a place of a map; `None` if the symbol is no map, or a polymorphic one.
pub(crate) fn places(terms: &mut Terms, map: SymbolId) -> Option<Vec<SymbolId>> {
    let Sort::Map { params: 0, domain, .. } = terms.sort_of(terms.symbol(map).sort).clone() else {
        return None;
    };
    Some(domain.iter().map(|&d| terms.fresh_symbol("at", d)).collect())
}

/// The writes of a path, first to last; `None` if it changes the map, whose old value is `start`, in any other way.
pub(crate) fn read(
    terms: &mut Terms,
    start: SymbolId,
    value: TermId,
    places: &[SymbolId],
) -> Option<Vec<Write>> {
    let start = terms.var(start);
    let mut map = value;
    let mut writes = Vec::new();
    while map != start {
        let term = terms.term(map).clone();
        match (&term.op, &term.args[..]) {
            (Op::Store, [below, index @ .., element]) => {
                let pins = index.iter().copied().enumerate().collect();
                writes.push(Write { pins, conditions: Vec::new(), element: *element });
                map = *below;
            }
            (Op::Bind(b), [body]) if b.kind == BinderKind::Lambda && b.type_vars.is_empty() => {
                let at = places.iter().map(|&p| terms.var(p));
                let at: Substitution = b.vars.iter().copied().zip(at).collect();
                let body = terms.substitute(*body, &at);
                map = layers(terms, body, places, &mut writes)?;
            }
            _ => return None,
        }
        if writes.len() > MAX_WRITES {
            return None;
        }
    }
    writes.reverse();
    Some(writes)
}

/// The writes on top of a map's element at the places, last to first, and the map.
fn layers(
    terms: &mut Terms,
    mut body: TermId,
    places: &[SymbolId],
    writes: &mut Vec<Write>,
) -> Option<TermId> {
    loop {
        let term = terms.term(body).clone();
        match (&term.op, &term.args[..]) {
            (Op::Ite, [condition, element, below]) if writes.len() <= MAX_WRITES => {
                writes.push(hit(terms, *condition, *element, places));
                body = *below;
            }
            (Op::Select, [map, index @ ..]) => {
                let plain = index.len() == places.len()
                    && index.iter().zip(places).all(|(&i, p)| terms.term(i).op == Op::Var(*p))
                    && !terms.free_symbols(&[*map]).iter().any(|s| places.contains(s));
                return plain.then_some(*map);
            }
            _ => return None,
        }
    }
}

fn hit(terms: &mut Terms, condition: TermId, element: TermId, places: &[SymbolId]) -> Write {
    let mut write = Write { pins: Vec::new(), conditions: Vec::new(), element };
    for conjunct in conjuncts(terms, condition) {
        match pin(terms, conjunct, places) {
            Some((part, index)) if write.pins.iter().all(|(p, _)| *p != part) => {
                write.pins.push((part, index));
            }
            _ => write.conditions.push(conjunct),
        }
    }
    write
}

/// The parts of a conjunction.
pub(crate) fn conjuncts(terms: &Terms, t: TermId) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        let term = terms.term(t);
        match term.op {
            Op::And => stack.extend(term.args.iter().rev()),
            _ => parts.push(t),
        }
    }
    parts
}

/// `place = index` with an index that mentions no place.
fn pin(terms: &mut Terms, condition: TermId, places: &[SymbolId]) -> Option<(usize, TermId)> {
    let term = terms.term(condition).clone();
    let (Op::Eq, &[a, b]) = (&term.op, &term.args[..]) else { return None };
    for (part, &place) in places.iter().enumerate() {
        let at = terms.var(place);
        let index = match terms.sort_of(terms.sort(a)) {
            Sort::Int => {
                let difference = terms.app(Op::Sub, [a, b]);
                let (summands, _) = terms.linear_form(difference);
                let factor = summands.iter().find(|(t, _)| *t == at).map(|(_, c)| c.clone());
                let one = BigInt::from(1);
                match factor {
                    Some(c) if c == one => terms.app(Op::Sub, [at, difference]),
                    Some(c) if c == -one => terms.app(Op::Add, [at, difference]),
                    _ => continue,
                }
            }
            _ if a == at => b,
            _ if b == at => a,
            _ => continue,
        };
        if !terms.free_symbols(&[index]).iter().any(|s| places.contains(s)) {
            return Some((part, index));
        }
    }
    None
}

/// For each path that writes, conditions that are true in the iterations that took it, and not all true in those that
/// took another path, unless that one writes the same. None if there are none among what is `known` of the iterations
/// of each path.
pub(crate) fn guards(
    terms: &mut Terms,
    writes: &[Vec<Write>],
    known: &[Vec<TermId>],
) -> Option<Vec<Vec<TermId>>> {
    let mut guards = vec![Vec::new(); writes.len()];
    for (i, own) in writes.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
        for j in (0..writes.len()).filter(|&j| j != i && writes[j] != *own) {
            let apart = known[i].iter().copied().find(|&c| {
                let not = terms.app(Op::Not, [c]);
                known[j].contains(&not)
            })?;
            if !guards[i].contains(&apart) {
                guards[i].push(apart);
            }
        }
    }
    Some(guards)
}
