//! The abstract transformers of assignments and `havoc`: the states after a statement.
//!
//! **Idea.** The new values are evaluated in the old state and kept under temporary names. Then everything that
//! mentions an assigned variable is forgotten, except for its consequences for other variables, and the temporary
//! names are replaced by those of the variables. An element of a map is an unknown named by its term, so after a
//! store the elements at all indices that are known to differ are kept. A copy `x := y` also copies the facts about
//! terms over `y`.
//!
//! **Example.** With `p ≤ q − 1` and `$mem[q] = 5`, the assignment `$mem := $mem[p := 1]` keeps `$mem[q] = 5` and
//! adds `$mem[p] = 1`. Without a fact that separates `p` from `q`, only `$mem[p] = 1` is known afterwards.
//!
//! A value that depends on a condition splits the state. So after `p := if ok then object else 0` a later test of `p`
//! also decides `ok`.
//!
//! **Direction of error.** The states that are returned contain every state after the statement, and possibly more.

use std::collections::BTreeSet;

use footpath_term::{Op, Sort, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::condition::{assume, merge};
use crate::facts::Facts;
use crate::float;
use crate::linear::{Dim, Linear, Reading};
use crate::liveness::FreeSymbols;
use crate::read::{Reader, readings};

/// The limit on the states that one statement splits a state into.
const MAX_STATES: usize = 8;
/// How many stores into a map are looked through.
const MAX_STORES: usize = 32;
/// If there are more rows than this, a copy `x := y` does not copy the rows about `y`.
const MAX_COPIED: usize = 60;

/// The states after a parallel assignment.
pub fn assign(
    terms: &mut Terms,
    free: &mut FreeSymbols,
    facts: Facts,
    values: &[(SymbolId, TermId)],
) -> Vec<Facts> {
    let mut states = vec![(facts, values.to_vec())];
    for i in 0..values.len() {
        let mut split = Vec::new();
        for (facts, values) in states {
            split.extend(by_case(terms, facts, values, i));
        }
        states = split;
    }
    if states.len() > MAX_STATES {
        let all: Vec<Facts> = states.into_iter().map(|s| s.0).collect();
        states = merge(&all).into_iter().map(|s| (s, values.to_vec())).collect();
    }
    states.into_iter().map(|(facts, values)| Assign::new(terms, free).run(facts, &values)).collect()
}

/// Splits a state by the condition on which value number `i` depends.
fn by_case(
    terms: &mut Terms,
    facts: Facts,
    values: Vec<(SymbolId, TermId)>,
    i: usize,
) -> Vec<(Facts, Vec<(SymbolId, TermId)>)> {
    let value = values[i].1;
    let term = terms.term(value).clone();
    let (condition, cases) = if term.op == Op::Ite {
        (term.args[0], [term.args[1], term.args[2]])
    } else if matches!(terms.sort_of(term.sort), Sort::Bool) && !matches!(term.op, Op::Literal(_)) {
        (value, [terms.bool(true), terms.bool(false)])
    } else {
        return vec![(facts, values)];
    };
    let mut found = Vec::new();
    for (case, truth) in cases.into_iter().zip([true, false]) {
        for state in assume(terms, &facts, condition, truth) {
            let mut values = values.clone();
            values[i].1 = case;
            found.push((state, values));
        }
    }
    found
}

/// The state after variables got arbitrary values.
pub fn havoc(terms: &Terms, free: &mut FreeSymbols, mut facts: Facts, symbols: &[SymbolId]) -> Facts {
    forget(terms, free, &mut facts, &|s| symbols.contains(&s));
    facts
}

/// Forgets everything about terms over some variables.
pub fn forget(terms: &Terms, free: &mut FreeSymbols, facts: &mut Facts, changed: &dyn Fn(SymbolId) -> bool) {
    facts.forget_all(&mut |dim| match dim {
        Dim::Term(t, _) => free.of(terms, t).iter().any(|s| changed(*s)),
        Dim::Temp(_) => false,
    });
}

/// An assignment `x := y` of one variable to another.
struct Copied {
    source: SymbolId,
    /// Replaces `y` by `x`.
    to_target: FxHashMap<SymbolId, TermId>,
}

/// An assignment in one state.
struct Assign<'t> {
    /// Reads the old values.
    old: Reader<'t>,
    free: &'t mut FreeSymbols,
    /// For pairs of indices that were compared whether they are the same, if the facts say so.
    compared: FxHashMap<(TermId, TermId), Option<bool>>,
}

impl<'t> Assign<'t> {
    fn new(terms: &'t mut Terms, free: &'t mut FreeSymbols) -> Assign<'t> {
        Assign { old: Reader::new(terms), free, compared: FxHashMap::default() }
    }

    fn run(&mut self, mut facts: Facts, values: &[(SymbolId, TermId)]) -> Facts {
        let targets: FxHashSet<SymbolId> = values.iter().map(|v| v.0).collect();
        // New unknowns and their values in the old state.
        let mut new: Vec<(Dim, Linear)> = Vec::new();
        let mut copies: Vec<Copied> = Vec::new();
        for &(symbol, value) in values {
            let variable = self.old.terms.var(symbol);
            for reading in self.readings(&facts, value) {
                let e = self.old.read(&mut facts, value, reading);
                new.push((Dim::Term(variable, reading), e));
            }
            if matches!(self.old.terms.sort_of(self.old.terms.sort(variable)), Sort::Map { params: 0, .. }) {
                self.elements(&mut facts, variable, value, &targets, &mut new);
                self.around_elements(&mut facts, (symbol, variable), value, &targets, &mut new);
            }
            if let Op::Var(source) = self.old.terms.term(value).op {
                let copy = Copied { source, to_target: [(source, variable)].into_iter().collect() };
                self.copy(&facts, value, &copy, &targets, &mut new);
                copies.push(copy);
            }
        }
        let mut named: BTreeSet<Dim> = BTreeSet::new();
        new.retain(|(dim, _)| named.insert(*dim));
        let is_old = |free: &mut FreeSymbols, dim: Dim| match dim {
            Dim::Term(t, _) => free.of(self.old.terms, t).iter().any(|s| targets.contains(s)),
            Dim::Temp(_) => false,
        };
        // Values that are not made of what is assigned need no other names meanwhile.
        let renames = new.iter().any(|(_, e)| e.parts.iter().any(|(dim, _)| is_old(self.free, *dim)));
        if !renames {
            forget(self.old.terms, self.free, &mut facts, &|s| targets.contains(&s));
        }
        let mut temps = Vec::new();
        for (i, (dim, e)) in new.into_iter().enumerate() {
            let name = if renames { Dim::Temp(i as u32) } else { dim };
            facts.restrict(name, dim.natural().meet(facts.range_of(&e)));
            if let Some(difference) = Linear::dim(name).plus(-1, &e)
                && !e.parts.is_empty()
            {
                facts.equate(&difference);
            }
            temps.push((name, dim));
        }
        if renames {
            forget(self.old.terms, self.free, &mut facts, &|s| targets.contains(&s));
            for (temp, dim) in temps {
                facts.rename(temp, dim);
            }
        }
        for copy in copies {
            if !targets.contains(&copy.source) {
                self.copy_rows(&mut facts, &copy);
            }
        }
        facts
    }

    /// Repeats for `x` the rows about `y` after `x := y`. A join compares rows about the same unknowns, and the body
    /// of a loop may read the copy of a parameter.
    fn copy_rows(&mut self, facts: &mut Facts, copy: &Copied) {
        if facts.rows().count() > MAX_COPIED {
            return;
        }
        let mut copies = Vec::new();
        for row in facts.rows() {
            let names: Vec<(Dim, Dim)> = row
                .parts
                .iter()
                .filter_map(|&(dim, _)| match dim {
                    Dim::Term(t, reading) if self.free.of(self.old.terms, t).contains(&copy.source) => {
                        Some((dim, Dim::Term(self.old.terms.substitute(t, &copy.to_target), reading)))
                    }
                    _ => None,
                })
                .collect();
            if !names.is_empty() {
                let rename = |row: Linear, (dim, name): &(Dim, Dim)| row.with(*dim, &Linear::dim(*name));
                let renamed = names.iter().try_fold(row.clone(), rename);
                copies.extend(renamed.filter(|row| !row.parts.is_empty()));
            }
        }
        copies.iter().for_each(|row| facts.add(row));
    }

    /// The readings in which a value is evaluated to be kept under another name.
    fn readings(&self, facts: &Facts, value: TermId) -> Vec<Reading> {
        let mut readings = readings(self.old.terms, self.old.terms.sort(value));
        readings.extend(float::reading(self.old.terms, facts, value));
        readings
    }

    /// Keeps the facts about the elements of a map after `variable := value`.
    fn elements(
        &mut self,
        facts: &mut Facts,
        variable: TermId,
        value: TermId,
        targets: &FxHashSet<SymbolId>,
        new: &mut Vec<(Dim, Linear)>,
    ) {
        let mut indices: Vec<Vec<TermId>> = Vec::new();
        for element in facts.elements(self.old.terms, variable) {
            indices.push(self.old.terms.term(element).args[1..].to_vec());
        }
        let mut map = value;
        for _ in 0..MAX_STORES {
            let term = self.old.terms.term(map);
            if term.op != Op::Store {
                break;
            }
            let last = term.args.len() - 1;
            let (rest, index) = (term.args[0], term.args[1..last].to_vec());
            let known: Vec<TermId> = index.iter().map(|&i| self.old.index(facts, i)).collect();
            indices.extend((known != index).then_some(known));
            indices.push(index);
            map = rest;
        }
        indices.sort_unstable();
        indices.dedup();
        for index in indices {
            if index.iter().any(|&i| self.free.of(self.old.terms, i).iter().any(|s| targets.contains(s))) {
                continue;
            }
            let Some(element) = self.element(facts, value, &index) else { continue };
            let name = self.old.terms.raw(Op::Select, std::iter::once(variable).chain(index.iter().copied()));
            for reading in self.readings(facts, element) {
                let e = self.old.read(facts, element, reading);
                new.push((Dim::Term(name, reading), e));
            }
        }
    }

    /// Keeps the facts about terms that read the map below other operators, such as the end of an object computed
    /// from its size, where they have the same value after `variable := value`.
    fn around_elements(
        &mut self,
        facts: &mut Facts,
        (symbol, variable): (SymbolId, TermId),
        value: TermId,
        targets: &FxHashSet<SymbolId>,
        new: &mut Vec<(Dim, Linear)>,
    ) {
        if self.old.terms.term(value).op != Op::Store {
            return;
        }
        for dim in facts.dims() {
            let Dim::Term(t, _) = dim else { continue };
            let symbols = self.free.of(self.old.terms, t);
            let is_inside =
                self.old.terms.term(t).args.first() != Some(&variable) && symbols.contains(&symbol);
            if !is_inside || symbols.iter().any(|s| *s != symbol && targets.contains(s)) {
                continue;
            }
            if self.reads_the_same(facts, t, variable, value) {
                new.push((dim, Linear::dim(dim)));
            }
        }
    }

    /// Whether a term reads a map only where it is the same after `variable := value`.
    fn reads_the_same(&mut self, facts: &mut Facts, t: TermId, variable: TermId, value: TermId) -> bool {
        for part in self.old.terms.post_order(&[t]) {
            let term = self.old.terms.term(part).clone();
            let Some(at) = term.args.iter().position(|a| *a == variable) else { continue };
            let is_element = term.op == Op::Select && at == 0 && !term.args[1..].contains(&variable);
            if !is_element || self.element(facts, value, &term.args[1..]) != Some(part) {
                return false;
            }
        }
        true
    }

    /// Copies the facts about terms over `y` after `x := y`.
    fn copy(
        &mut self,
        facts: &Facts,
        value: TermId,
        copy: &Copied,
        targets: &FxHashSet<SymbolId>,
        new: &mut Vec<(Dim, Linear)>,
    ) {
        for dim in facts.dims() {
            let Dim::Term(t, reading) = dim else { continue };
            let symbols = self.free.of(self.old.terms, t);
            if t == value || !symbols.contains(&copy.source) {
                continue;
            }
            if symbols.iter().any(|s| *s != copy.source && targets.contains(s)) {
                continue;
            }
            let renamed = self.old.terms.substitute(t, &copy.to_target);
            if !matches!(self.old.terms.term(renamed).op, Op::Literal(_) | Op::Var(_)) {
                new.push((Dim::Term(renamed, reading), Linear::dim(dim)));
            }
        }
    }

    /// The term that stands at an index of a map, if the facts say which store it comes from.
    fn element(&mut self, facts: &mut Facts, map: TermId, index: &[TermId]) -> Option<TermId> {
        let mut map = map;
        for _ in 0..MAX_STORES {
            let term = self.old.terms.term(map).clone();
            match &term.op {
                Op::Store => {
                    let last = term.args.len() - 1;
                    match self.all_same(facts, &term.args[1..last], index) {
                        Some(true) => return Some(term.args[last]),
                        Some(false) => map = term.args[0],
                        None => return None,
                    }
                }
                Op::ConstMap => return Some(term.args[0]),
                _ => break,
            }
        }
        let selected = self.old.terms.raw(Op::Select, std::iter::once(map).chain(index.iter().copied()));
        Some(selected)
    }

    /// Whether two lists of indices are the same, if the facts say so.
    fn all_same(&mut self, facts: &mut Facts, a: &[TermId], b: &[TermId]) -> Option<bool> {
        let mut all = Some(true);
        for (&a, &b) in a.iter().zip(b) {
            let compared = match self.compared.get(&(a, b)) {
                Some(known) => *known,
                None => self.same(facts, a, b),
            };
            self.compared.insert((a, b), compared);
            match compared {
                Some(true) => {}
                Some(false) => return compared,
                None => all = None,
            }
        }
        all
    }

    /// Whether two indices are the same, if the facts say so.
    fn same(&mut self, facts: &mut Facts, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let same = self.old.terms.app(Op::Eq, [a, b]);
        if facts.range(Dim::Term(same, Reading::Bool)).value() == Some(0) {
            return Some(false);
        }
        let mut equal = false;
        for reading in readings(self.old.terms, self.old.terms.sort(a)) {
            let (x, y) = (self.old.read(facts, a, reading), self.old.read(facts, b, reading));
            let Some(difference) = x.plus(-1, &y) else { continue };
            let range = facts.range_of(&difference);
            if !range.contains(0) {
                return Some(false);
            }
            if range.value() == Some(0) {
                return Some(true);
            }
            let Some((up, down)) = difference.offset(1).zip(difference.scale(-1).and_then(|e| e.offset(1)))
            else {
                continue;
            };
            // a < b or a > b
            if facts.entails(&up) || facts.entails(&down) {
                return Some(false);
            }
            let at_most = facts.entails(&difference);
            equal |= at_most && difference.scale(-1).is_some_and(|e| facts.entails(&e));
        }
        equal.then_some(true)
    }
}
