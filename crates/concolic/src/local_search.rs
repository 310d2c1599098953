//! Local search and exhaustive enumeration on path conditions: queries that are answered without a solver.
//!
//! **Idea.** Most queries are about a few words. Their conditions are compiled to straight-line code (`bytecode.rs`),
//! which is evaluated in a microsecond. If all conditions depend on one input of few bits, all its values are tried,
//! which answers the query either way. Otherwise inputs are changed one after the other as long as the branch
//! distance of the conditions falls, starting from the values of an earlier run, which satisfy all conditions except
//! the last. If no solution is found within a small budget, the solver is asked.
//!
//! Example: is there a byte that is a digit and not `7`? Of the 256 values of the byte, `0` is the first that
//! satisfies both conditions.
//!
//! **Paper.** K. Lakhotia, N. Tillmann, M. Harman, J. de Halleux, FloPSy (ICTSS 2010).
//!
//! **Direction of error.** None. *Refuted* is only answered after all values were tried, with the operators that runs
//! use (`bitvector_ops.rs`); values that were found are the inputs of a run like those of a model.

use footpath_term::{Op, TermId, Terms, Value};
use num_rational::BigRational;

use super::bitvector_ops::Binary;
use super::branch_distance::{Far, Values, away};
use super::bytecode::Straight;
use super::value::{Kind, bits_of};

/// Nodes of all conditions, beyond which they are left to the solver.
const NODES: usize = 1_500;
/// Nodes that are evaluated for one query, all evaluations together.
const BUDGET: usize = 150_000;
/// Bits of an input all of whose values are tried.
const FEW_BITS: u8 = 8;
/// Parts of a condition of which distances add up.
const PARTS: usize = 64;

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Quick {
    /// A solution: these inputs have these values; others keep theirs.
    Found(Vec<(TermId, Value)>),
    /// All values were tried.
    Refuted,
    /// No answer; the solver is asked.
    Unknown,
}

/// Conditions as straight-line code.
struct Code<'t> {
    terms: &'t Terms,
    straight: Straight,
    /// Where each condition is computed, and how far it is from holding.
    conditions: Vec<(u32, Option<Far>)>,
}

/// Tries to answer whether all conditions can hold. `cells` are the inputs that they depend on; `value` tells the one
/// that an input has in a run that satisfies all but the last condition.
pub(super) fn quick(
    terms: &Terms,
    conditions: &[TermId],
    cells: &[TermId],
    value: &mut dyn FnMut(TermId) -> Option<Value>,
) -> Quick {
    let Some(code) = Code::of(terms, conditions, cells) else { return Quick::Unknown };
    let start: Option<Vec<u64>> =
        code.straight.cells.iter().map(|&(cell, _)| bits_of(&value(cell)?)).collect();
    let Some(start) = start else { return Quick::Unknown };
    let mut search = Search { code: &code, words: vec![0; code.straight.steps.len()], left: BUDGET };
    let few = matches!(code.straight.cells[..], [(_, kind)] if kind.0 <= FEW_BITS);
    let found = if few { search.all(code.straight.cells[0].1) } else { search.near(start) };
    match found {
        Some(bits) => {
            let values =
                code.straight.cells.iter().zip(bits).map(|(&(cell, kind), bits)| (cell, kind.value(bits)));
            Quick::Found(values.collect())
        }
        None if few => Quick::Refuted,
        None => Quick::Unknown,
    }
}

impl<'t> Code<'t> {
    fn of(terms: &'t Terms, conditions: &[TermId], cells: &[TermId]) -> Option<Code<'t>> {
        let mut code = Code { terms, straight: Straight::default(), conditions: Vec::new() };
        for &cell in cells {
            let kind = Kind::of(terms, terms.sort(cell))?;
            code.straight.cell(cell, kind);
        }
        for &condition in conditions {
            let at = code.straight.compile(terms, condition, NODES, false)?;
            let mut parts = PARTS;
            let far = code.far(condition, &mut parts);
            code.conditions.push((at, far));
        }
        Some(code)
    }

    /// How far a condition is from holding; its registers are nodes.
    fn far(&self, t: TermId, parts: &mut usize) -> Option<Far> {
        *parts = parts.checked_sub(1)?;
        let term = self.terms.term(t);
        let node = |t: &TermId| self.straight.known(*t);
        let listed = |parts: &mut usize| -> Option<Vec<Far>> {
            term.args.iter().map(|&a| self.far(a, parts)).collect()
        };
        match &term.op {
            Op::Not => self.far(term.args[0], parts).map(|f| Far::Not(Box::new(f))),
            Op::And => listed(parts).map(Far::All),
            Op::Or => listed(parts).map(Far::Any),
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle if term.args.len() == 2 => {
                let kind = Kind::of(self.terms, self.terms.sort(term.args[0]))?;
                let op = Binary::of(&term.op)?;
                Some(Far::Words { op, kind, a: node(&term.args[0])?, b: node(&term.args[1])? })
            }
            _ => node(&t).map(Far::Flag),
        }
    }
}

/// The values of nodes.
struct Nodes<'w>(&'w [u64]);

impl Values for Nodes<'_> {
    fn word(&self, reg: u32) -> Option<u64> {
        self.0.get(reg as usize).copied()
    }

    fn number(&mut self, _: TermId) -> Option<BigRational> {
        None
    }
}

/// Inputs that are changed until the conditions hold.
struct Search<'c, 't> {
    code: &'c Code<'t>,
    /// The value of each node.
    words: Vec<u64>,
    /// Nodes that may still be evaluated.
    left: usize,
}

impl Search<'_, '_> {
    /// Evaluates all conditions. Whether they hold.
    fn holds(&mut self, cells: &[u64]) -> bool {
        self.left = self.left.saturating_sub(self.code.straight.steps.len());
        for (i, step) in self.code.straight.steps.iter().enumerate() {
            self.words[i] = step.apply(|n| cells[n as usize], &self.words);
        }
        self.code.conditions.iter().all(|&(at, _)| self.words[at as usize] != 0)
    }

    /// All values of the only input.
    fn all(&mut self, kind: Kind) -> Option<Vec<u64>> {
        (0..=kind.mask()).map(|bits| vec![bits]).find(|cells| self.holds(cells))
    }

    /// The sum of the branch distances of the conditions after they were evaluated, each scaled to less than one.
    fn distance(&self) -> f64 {
        let of = |&(at, ref far): &(u32, Option<Far>)| match (self.words[at as usize], far) {
            (0, Some(far)) => {
                let distance = away(far, true, &mut Nodes(&self.words));
                // The scale is that of numbers of digits: far ones differ too.
                0.01 + 0.98 * (1.0 + distance).log2() / 70.0
            }
            (0, None) => 1.0,
            _ => 0.0,
        };
        self.code.conditions.iter().map(of).sum()
    }

    /// Changes one input after the other as long as the distance falls.
    fn near(&mut self, mut cells: Vec<u64>) -> Option<Vec<u64>> {
        if self.holds(&cells) {
            return Some(cells);
        }
        let mut best = self.distance();
        loop {
            let before = best;
            for i in 0..cells.len() {
                let found = match self.code.straight.cells[i].1.0 {
                    0..=FEW_BITS => self.each_value(&mut cells, i, &mut best),
                    _ => self.steps(&mut cells, i, &mut best),
                };
                if found {
                    return Some(cells);
                }
                if self.left == 0 {
                    return None;
                }
            }
            if best >= before {
                return None;
            }
        }
    }

    /// Whether the conditions hold with an input changed; keeps what comes nearer.
    fn change(&mut self, cells: &mut [u64], i: usize, to: u64, best: &mut f64) -> Option<bool> {
        let old = std::mem::replace(&mut cells[i], to);
        if self.holds(cells) {
            return Some(true);
        }
        let distance = self.distance();
        if distance < *best {
            *best = distance;
            return Some(false);
        }
        cells[i] = old;
        None
    }

    /// Sets a small input to its best value.
    fn each_value(&mut self, cells: &mut [u64], i: usize, best: &mut f64) -> bool {
        (0..=self.code.straight.cells[i].1.mask())
            .any(|to| self.left > 0 && self.change(cells, i, to, best) == Some(true))
    }

    /// Moves an input by the distance, and then in growing steps.
    fn steps(&mut self, cells: &mut [u64], i: usize, best: &mut f64) -> bool {
        let mask = self.code.straight.cells[i].1.mask();
        self.holds(cells);
        let target = self.code.conditions.last().and_then(|c| c.1.as_ref());
        let missing = target.map_or(0.0, |far| away(far, true, &mut Nodes(&self.words)));
        if (1.0..1.8e19).contains(&missing) {
            let missing = missing as u64;
            for to in [cells[i].wrapping_add(missing) & mask, cells[i].wrapping_sub(missing) & mask] {
                if self.change(cells, i, to, best) == Some(true) {
                    return true;
                }
            }
        }
        for up in [true, false] {
            let (mut step, mut growing) = (1u64, true);
            while step > 0 && self.left > 0 {
                let to = if up { cells[i].wrapping_add(step) } else { cells[i].wrapping_sub(step) } & mask;
                match self.change(cells, i, to, best) {
                    Some(true) => return true,
                    Some(false) if growing => step = step.checked_mul(2).filter(|s| *s <= mask).unwrap_or(0),
                    Some(false) => {}
                    // Too far; from there in smaller steps again.
                    None => {
                        growing = false;
                        step /= 2;
                    }
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use footpath_term::{Env, EvalError, SortId, SymbolId, evaluate};
    use num_bigint::BigUint;

    use super::*;

    struct Given<'a>(&'a [(SymbolId, Value)]);

    impl Env for Given<'_> {
        fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
            let found = self.0.iter().find(|(s, _)| *s == symbol);
            found.map(|(_, v)| v.clone()).ok_or(EvalError::Unbound(symbol))
        }

        fn undetermined(&mut self, _: &Terms, _: &Op, _: &[Value], _: SortId) -> Result<Value, EvalError> {
            Err(EvalError::Unsupported("nothing is open here".to_owned()))
        }

        fn binder(&mut self, _: &Terms, _: TermId, _: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
            Err(EvalError::Unsupported("nothing is bound here".to_owned()))
        }
    }

    fn word(width: u32, bits: u64) -> Value {
        Value::BitVec { width, bits: BigUint::from(bits) }
    }

    /// A random condition over variables.
    fn condition(terms: &mut Terms, random: &mut fastrand::Rng, variables: &[TermId]) -> TermId {
        let width = match terms.sort_of(terms.sort(variables[0])) {
            footpath_term::Sort::BitVec(w) => *w,
            _ => unreachable!("words"),
        };
        let mut number = |terms: &mut Terms| {
            let mut all = variables[random.usize(0..variables.len())];
            for _ in 0..random.usize(0..4) {
                let op = [Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvXor, Op::BvUrem][random.usize(0..5)].clone();
                let literal = terms.value(&word(width, random.u64(0..1 << width.min(12))));
                let other = if random.bool() { literal } else { variables[random.usize(0..variables.len())] };
                all = terms.app(op, [all, other]);
            }
            all
        };
        let (a, b) = (number(terms), number(terms));
        let op = [Op::Eq, Op::BvUlt, Op::BvSle][random.usize(0..3)].clone();
        let compared = terms.app(op, [a, b]);
        if random.bool() { terms.app(Op::Not, [compared]) } else { compared }
    }

    /// Answers about random conditions, against the evaluator of the term crate on all values.
    fn check(width: u32, variables: usize, seeds: std::ops::Range<u64>) -> [u32; 3] {
        let mut counts = [0; 3];
        for seed in seeds {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut terms = Terms::new();
            let sort = terms.bit_vec_sort(width);
            let cells: Vec<TermId> = (0..variables).map(|i| terms.fresh_var(format!("x{i}"), sort)).collect();
            let conditions: Vec<TermId> =
                (0..random.usize(1..4)).map(|_| condition(&mut terms, &mut random, &cells)).collect();
            let symbol = |t: &TermId| match terms.term(*t).op {
                Op::Var(symbol) => symbol,
                _ => unreachable!("a variable"),
            };
            let hold = |given: &[(SymbolId, Value)]| {
                conditions.iter().all(|&c| evaluate(&terms, c, &mut Given(given)) == Ok(Value::Bool(true)))
            };
            match quick(&terms, &conditions, &cells, &mut |_| Some(word(width, 0))) {
                Quick::Found(values) => {
                    let given: Vec<_> = values.iter().map(|(c, v)| (symbol(c), v.clone())).collect();
                    assert!(hold(&given), "seed {seed}: {given:?}");
                    counts[0] += 1;
                }
                Quick::Refuted => {
                    let all = (0..1u64 << width).map(|bits| [(symbol(&cells[0]), word(width, bits))]);
                    assert!(all.into_iter().all(|given| !hold(&given)), "seed {seed}");
                    counts[1] += 1;
                }
                Quick::Unknown => counts[2] += 1,
            }
        }
        counts
    }

    #[test]
    fn one_byte_is_decided_as_the_evaluator_says() {
        let [found, refuted, unknown] = check(8, 1, 0..150);
        assert!(found > 50 && refuted > 10 && unknown == 0, "{found} {refuted} {unknown}");
    }

    #[test]
    fn what_is_found_for_several_words_holds_and_nothing_is_refuted() {
        for (width, variables) in [(8, 3), (32, 1), (32, 3), (64, 2)] {
            let [found, refuted, _] = check(width, variables, 0..150);
            assert!(found > 75 && refuted == 0, "{width} {variables}: {found} {refuted}");
        }
    }
}
