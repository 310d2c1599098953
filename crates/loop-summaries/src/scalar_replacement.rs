//! Scalar replacement of array elements: cells of a map that a loop writes at fixed places become variables of their
//! own.
//!
//! **Idea.** If all that the paths of a loop write to a map lies at places that the loop does not change, the map is
//! at any time its value before the loop with the values of these cells stored on top. So each cell becomes a variable
//! with a value before an iteration, and the map a term over them. Everything that is known of variables then holds of
//! cells: what is added to them, what is set on some paths only, invariants.
//!
//! Example: in `while (…) { A[k] := A[k] + 3; }` the cell `A[k]` is a variable to which 3 is added, so after κ
//! iterations the map is `A₀[k := A₀[k] + 3·κ]`.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Section 5.1.1, Table 2, the case of an
//! element whose values follow an arithmetic progression. The paper has it for sums only. The term for replacing array
//! elements by variables is that of D. Callahan, S. Carr, K. Kennedy, "Improving Register Allocation for Subscripted
//! Variables" (PLDI 1990).
//!
//! **Direction of error.** None: two cells may be at the same place, as the value of each after an iteration is read
//! from the map with all writes in it.

use footpath_term::{Op, Substitution, SymbolId, TermId, Terms};
use rustc_hash::FxHashSet;

use crate::array_writes;
use crate::array_writes::Write;
use crate::iterated_states::{LoopPath, Variable};
use crate::summary::Step;

/// How many cells of a map become variables.
const MAX_CELLS: usize = 8;

/// The variables of a loop with cells in place of maps.
pub(crate) struct Replaced {
    pub(crate) variables: Vec<Variable>,
    pub(crate) ways: Vec<LoopPath>,
    /// For each variable that there was, its value over those that there are now.
    values: Vec<TermId>,
}

impl Replaced {
    /// The values of all variables that there were, given those that there are now.
    pub(crate) fn values(&self, terms: &mut Terms, now: &[TermId]) -> Vec<TermId> {
        let starts = self.variables.iter().map(|v| v.start);
        let map: Substitution = starts.zip(now.iter().copied()).collect();
        self.values.iter().map(|&value| terms.substitute(value, &map)).collect()
    }
}

/// Replaces the maps that are written at fixed places only.
pub(crate) fn replace(terms: &mut Terms, variables: &[Variable], ways: &[LoopPath]) -> Replaced {
    let mut changing: FxHashSet<SymbolId> = variables.iter().map(|v| v.start).collect();
    changing.extend(ways.iter().flat_map(|way| &way.steps).flat_map(Step::bound));
    let mut map = Substitution::default();
    let mut cells: Vec<Vec<(Variable, Vec<TermId>)>> = Vec::new();
    for (n, variable) in variables.iter().enumerate() {
        let places = fixed_places(terms, variables, ways, n, &changing).unwrap_or_default();
        let mut own = Vec::new();
        let mut whole = variable.first;
        for place in places {
            let first = read(terms, variable.first, &place);
            let (name, sort) = (terms.symbol(variable.variable).name.clone(), terms.sort(first));
            let start = terms.fresh_symbol(name, sort);
            let cell = terms.var(start);
            let args = [whole].into_iter().chain(place.iter().copied()).chain([cell]);
            whole = terms.app(Op::Store, args);
            own.push((Variable { variable: variable.variable, start, first }, place));
        }
        if !own.is_empty() {
            map.insert(variable.start, whole);
        }
        cells.push(own);
    }
    let ways = ways.iter().map(|way| {
        let mut values = Vec::new();
        for (own, &value) in cells.iter().zip(&way.values) {
            let value = terms.substitute(value, &map);
            if own.is_empty() {
                values.push(value);
            }
            for (_, place) in own {
                values.push(read(terms, value, place));
            }
        }
        LoopPath { steps: way.steps.iter().map(|step| step.substitute(terms, &map)).collect(), values }
    });
    let ways = ways.collect();
    let values = variables.iter().map(|v| match map.get(&v.start) {
        Some(&whole) => whole,
        None => terms.var(v.start),
    });
    let values = values.collect();
    let now = variables.iter().zip(&cells).flat_map(|(variable, own)| match own[..] {
        [] => vec![*variable],
        _ => own.iter().map(|(cell, _)| *cell).collect(),
    });
    Replaced { variables: now.collect(), ways, values }
}

fn read(terms: &mut Terms, map: TermId, place: &[TermId]) -> TermId {
    terms.app(Op::Select, [map].into_iter().chain(place.iter().copied()))
}

/// The places that the paths write of variable number `n`; `None` if it is no map, or if one of them is not fixed.
fn fixed_places(
    terms: &mut Terms,
    variables: &[Variable],
    ways: &[LoopPath],
    n: usize,
    changing: &FxHashSet<SymbolId>,
) -> Option<Vec<Vec<TermId>>> {
    let variable = variables[n];
    let at = array_writes::places(terms, variable.start)?;
    let mut places: Vec<Vec<TermId>> = Vec::new();
    for way in ways {
        for write in array_writes::read(terms, variable.start, way.values[n], &at)? {
            let place = write.place(at.len())?;
            if terms.free_symbols(&place).iter().any(|s| changing.contains(s)) {
                return None;
            }
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    (places.len() <= MAX_CELLS).then_some(places)
}

impl Write {
    /// The only cell that it writes, if there is only one.
    pub(crate) fn place(&self, parts: usize) -> Option<Vec<TermId>> {
        let pin = |part: usize| self.pins.iter().find(|(p, _)| *p == part).map(|(_, index)| *index);
        let place: Option<Vec<TermId>> = (0..parts).map(pin).collect();
        place.filter(|_| self.conditions.is_empty())
    }
}
