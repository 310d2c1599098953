//! Simplification of literals about finite choices: cells whose values are one of a few known combinations.
//!
//! **Idea.** A pointer among the inputs is null or points to one of a few objects. This is a disjunction that is
//! assumed, whose *alternatives* give some cells their values. A literal over such cells alone only says for which
//! alternatives it holds. So all literals of a conjunction about one choice become one: "none" (all cells zero), "not
//! none", or which alternatives. Cells that the choice determines are dropped without a solver query.
//!
//! **Example.** If `p` is null or the address of `a` or `b`, then `p != null && p != &a` becomes `p == &b`.
//!
//! **Direction of error.** None, provided that the assumptions hold.

use footpath_term::{Op, TermId, Terms, Value};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::{Cube, Dnf, Simplifier};

/// The limit on alternatives of a choice.
const ALTERNATIVES: usize = 16;
/// The limit on the size of literals that are simplified.
const PARTS: usize = 100;

/// Cells that have one of a few combinations of values.
#[derive(Debug)]
struct Choice {
    cells: Vec<TermId>,
    /// A value for each cell.
    alternatives: Vec<Vec<Value>>,
}

impl Choice {
    /// Reads a choice from a disjunction.
    fn read(terms: &Terms, assumption: TermId) -> Option<Choice> {
        let term = terms.term(assumption);
        if term.op != Op::Or || term.args.len() > ALTERNATIVES {
            return None;
        }
        let all: Vec<Vec<(TermId, Value)>> = term.args.iter().map(|&a| values(terms, a)).collect();
        let has = |alternative: &[(TermId, Value)], cell| alternative.iter().any(|(c, _)| *c == cell);
        let cells: Vec<TermId> =
            all[0].iter().map(|(c, _)| *c).filter(|&c| all.iter().all(|a| has(a, c))).collect();
        let mut alternatives: Vec<Vec<Value>> = Vec::new();
        for alternative in &all {
            let of = |cell: &TermId| alternative.iter().find(|(c, _)| c == cell).map(|(_, v)| v.clone());
            let own: Vec<Value> = cells.iter().filter_map(of).collect();
            if !alternatives.contains(&own) {
                alternatives.push(own);
            }
        }
        (!cells.is_empty()).then_some(Choice { cells, alternatives })
    }

    /// For which alternatives a literal holds; `None` if it depends on other terms.
    fn holds(&self, terms: &mut Terms, literal: TermId) -> Option<Vec<bool>> {
        let parts = terms.post_order(&[literal]);
        if parts.len() > PARTS {
            return None;
        }
        let one = |values: &Vec<Value>, terms: &mut Terms| {
            let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
            for (&cell, value) in self.cells.iter().zip(values) {
                done.insert(cell, terms.value(value));
            }
            for &part in &parts {
                if !done.contains_key(&part) {
                    let term = terms.term(part).clone();
                    let args: Vec<TermId> = term.args.iter().map(|a| done[a]).collect();
                    let same = args[..] == term.args[..];
                    done.insert(part, if same { part } else { terms.app(term.op, args) });
                }
            }
            terms.as_bool(done[&literal])
        };
        self.alternatives.iter().map(|values| one(values, terms)).collect()
    }

    /// A cell that distinguishes an alternative from all others, the widest one.
    fn telling(&self, terms: &Terms, alternative: usize) -> Option<usize> {
        let tells = |&cell: &usize| {
            let own = &self.alternatives[alternative][cell];
            let others = self.alternatives.iter().enumerate().filter(|(i, _)| *i != alternative);
            others.into_iter().all(|(_, values)| values[cell] != *own)
        };
        let width = |&cell: &usize| terms.width(terms.sort(self.cells[cell])).unwrap_or_default();
        (0..self.cells.len()).filter(tells).max_by_key(width)
    }

    /// A literal that says that it is this alternative, or (negative) that it is not.
    fn is(&self, terms: &mut Terms, alternative: usize, positive: bool) -> Option<TermId> {
        let cell = self.telling(terms, alternative)?;
        let value = terms.value(&self.alternatives[alternative][cell]);
        let is = terms.app(Op::Eq, [self.cells[cell], value]);
        Some(if positive { is } else { terms.app(Op::Not, [is]) })
    }

    /// Literals that hold for exactly these alternatives.
    fn literals(&self, terms: &mut Terms, holds: &[bool]) -> Option<Cube> {
        let which: Vec<usize> = (0..holds.len()).filter(|&i| holds[i]).collect();
        if let [only] = which[..] {
            return Some(vec![self.is(terms, only, true)?]);
        }
        (0..holds.len()).filter(|&i| !holds[i]).map(|i| self.is(terms, i, false)).collect()
    }
}

/// The values of cells according to a conjunction of equations.
fn values(terms: &Terms, t: TermId) -> Vec<(TermId, Value)> {
    let mut found = Vec::new();
    let mut todo = vec![t];
    while let Some(t) = todo.pop() {
        let term = terms.term(t);
        match (&term.op, &term.args[..]) {
            (Op::And, parts) => todo.extend(parts.iter().rev()),
            (Op::Eq, &[a, b]) => {
                let (cell, value) = if terms.literal(a).is_some() { (b, a) } else { (a, b) };
                if let Some(Value::BitVec { width, bits }) = terms.literal(value) {
                    equation(terms, cell, *width, bits.clone(), &mut found);
                }
            }
            _ => {}
        }
    }
    found
}

fn equation(terms: &Terms, t: TermId, width: u32, bits: BigUint, found: &mut Vec<(TermId, Value)>) {
    let term = terms.term(t);
    let is_known = |a: &TermId| terms.literal(*a).is_some();
    match &term.op {
        Op::Var(_) => found.push((t, Value::BitVec { width, bits })),
        Op::Select if term.args[1..].iter().all(is_known) => {
            found.push((t, Value::BitVec { width, bits }));
        }
        Op::Concat => {
            let mut rest = bits;
            for &part in term.args.iter().rev() {
                let Some(part_width) = terms.width(terms.sort(part)) else { return };
                let low = &rest & ((BigUint::from(1_u8) << part_width) - 1_u8);
                rest >>= part_width;
                equation(terms, part, part_width, low, found);
            }
        }
        _ => {}
    }
}

impl Simplifier {
    /// The condition with the literals about each choice in one form.
    pub(crate) fn by_choice(&self, terms: &mut Terms, given: &Dnf) -> Dnf {
        let all = terms.app(Op::And, self.assumed().iter().copied());
        let term = terms.term(all);
        let parts = if term.op == Op::And { term.args.to_vec() } else { vec![all] };
        let choices: Vec<Choice> = parts.into_iter().filter_map(|part| Choice::read(terms, part)).collect();
        if choices.is_empty() {
            return given.clone();
        }
        let mut of_cell: FxHashMap<TermId, usize> = FxHashMap::default();
        for (i, choice) in choices.iter().enumerate() {
            of_cell.extend(choice.cells.iter().map(|&cell| (cell, i)));
        }
        let mut known: FxHashMap<TermId, Option<(usize, Vec<bool>)>> = FxHashMap::default();
        let mut result = Dnf::never();
        for cube in &given.cubes {
            let mut asked: Vec<Option<(usize, Vec<bool>)>> = Vec::new();
            for &literal in cube {
                let found = known.entry(literal).or_insert_with(|| {
                    let parts = terms.post_order(&[literal]);
                    let choice = parts.iter().find_map(|part| of_cell.get(part).copied())?;
                    Some((choice, choices[choice].holds(terms, literal)?))
                });
                asked.push(found.clone());
            }
            result.cubes.extend(in_choices(terms, &choices, cube, &asked));
        }
        result
    }
}

/// A conjunction with the literals about each choice in one form; `None` if a choice has no alternative left. `asked`
/// has for each literal the choice that it is about, and the alternatives for which it holds.
fn in_choices(
    terms: &mut Terms,
    choices: &[Choice],
    cube: &Cube,
    asked: &[Option<(usize, Vec<bool>)>],
) -> Option<Cube> {
    let mut written: FxHashMap<usize, Option<Cube>> = FxHashMap::default();
    for (choice, _) in asked.iter().flatten() {
        if written.contains_key(choice) {
            continue;
        }
        let mut left = vec![true; choices[*choice].alternatives.len()];
        for (_, holds) in asked.iter().flatten().filter(|(other, _)| other == choice) {
            left.iter_mut().zip(holds).for_each(|(left, holds)| *left &= *holds);
        }
        if !left.contains(&true) {
            return None;
        }
        written.insert(*choice, choices[*choice].literals(terms, &left));
    }
    let mut result = Cube::new();
    for (literal, asked) in cube.iter().zip(asked) {
        match asked.as_ref().map(|(choice, _)| &written[choice]) {
            Some(Some(literals)) => {
                for literal in literals {
                    if !result.contains(literal) {
                        result.push(*literal);
                    }
                }
            }
            _ => result.push(*literal),
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use footpath_smt::Z3;

    /// Literals about two cells of which three combinations are possible, and about a free one.
    #[test]
    fn conditions_on_choices_mean_the_same() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(4);
        let [high, low, free] = ["high", "low", "free"].map(|name| terms.fresh_var(name, sort));
        let whole = terms.app(Op::Concat, [high, low]);
        let alternatives = [0x00_u8, 0x53, 0x70].map(|n| {
            let n = terms.bit_vec(8, n);
            terms.app(Op::Eq, [whole, n])
        });
        let premise = terms.app(Op::Or, alternatives);
        let solver = Box::new(Z3::new(None).expect("Z3 starts"));
        let mut simplifier = Simplifier::new(solver, Effort::Prime, 1_000);
        simplifier.assume(vec![premise]);
        let mut random = fastrand::Rng::with_seed(11);
        let mut fewer = 0;
        for _ in 0..300 {
            let mut given = Dnf::never();
            for _ in 0..random.usize(1..4) {
                let literals: Vec<TermId> = (0..random.usize(1..4))
                    .map(|_| {
                        let cell = *random.choice([high, low, free].iter()).expect("there are cells");
                        let n = terms.bit_vec(4, random.u8(0..8));
                        let op = random.choice([Op::Eq, Op::BvUlt, Op::BvSle]).expect("there are some");
                        let literal = terms.app(op, [cell, n]);
                        if random.bool() { terms.app(Op::Not, [literal]) } else { literal }
                    })
                    .collect();
                given.cubes.push(literals);
            }
            let found = simplifier.by_choice(&mut terms, &given);
            fewer += usize::from(found.literals() < given.literals());
            let (before, after) = (given.term(&mut terms), found.term(&mut terms));
            assert_eq!(simplifier.equivalent(&mut terms, before, after), Some(true));
        }
        assert!(fewer > 100, "only {fewer} became shorter");
    }
}
