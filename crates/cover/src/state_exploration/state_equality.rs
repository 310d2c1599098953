//! State equality: when two symbolic states are the same as far as the future is concerned.
//!
//! **Idea.** What a path leads to depends on the values of the variables that still matter, and on what the path
//! condition says about the inputs in these values. Parts of the path condition are dropped that do not restrict
//! them:
//!
//! * conditions that share no inputs with them, directly or through other conditions;
//! * conditions on an input that no value mentions and that can all be satisfied by making it large enough (or small
//!   enough, or different from finitely many numbers), whatever the other inputs are: the first step of
//!   Fourier-Motzkin elimination, where it only drops;
//! * an equation that determines such an input.
//!
//! A value `i + e` whose input `i` occurs nowhere else is an arbitrary number, and `e` does not matter.
//!
//! **Example.** If only `y` matters, the paths with the conditions `x > 5` and `x <= 5` on the input `x` are in the
//! same state, provided that the value of `y` does not mention `x`.
//!
//! **Direction of error.** Towards states that are distinguished though they are the same.

use footpath_ir::BlockId;
use footpath_term::{Op, SortId, SymbolId, TermId, Terms, Value};
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The key of a state: equal keys mean equal futures.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Key {
    block: BlockId,
    /// Goals that the path has passed and no test covers yet.
    pending: Box<[usize]>,
    /// The relevant variables with their values; `None` for a value that is arbitrary.
    values: Box<[(SymbolId, Option<TermId>)]>,
    conditions: Box<[TermId]>,
}

/// The way in which a condition restricts an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// It is satisfied by all numbers that are large enough.
    Up,
    /// It is satisfied by all numbers that are small enough.
    Down,
    /// It is satisfied by all numbers except at most one.
    Almost,
    /// It is satisfied by exactly one number.
    Solved,
    /// It is none of these.
    Somehow,
}

/// Caches of the inputs in terms and of the way they occur, as the same terms recur.
#[derive(Default)]
pub(super) struct Keys {
    conditions: FxHashMap<TermId, Rc<[(SymbolId, Way)]>>,
    /// For values: the inputs, and for each whether the value is the input (or its negation) plus a term without it.
    values: FxHashMap<TermId, Rc<[(SymbolId, bool)]>>,
}

impl Keys {
    pub(super) fn key(
        &mut self,
        terms: &Terms,
        block: BlockId,
        pending: &[usize],
        values: Vec<(SymbolId, TermId)>,
        path: &[TermId],
    ) -> Key {
        let mut values: Vec<(SymbolId, Option<TermId>)> =
            values.into_iter().map(|(v, t)| (v, Some(t))).collect();
        let mut conditions: Vec<TermId> = path.to_vec();
        conditions.sort_unstable();
        conditions.dedup();
        loop {
            // How often each input occurs, in values and in conditions.
            let mut inputs: FxHashMap<SymbolId, Uses> = FxHashMap::default();
            for &(_, value) in &values {
                for &(s, _) in self.value(terms, value).iter() {
                    inputs.entry(s).or_default().values += 1;
                }
            }
            self.connect(terms, &mut conditions, &mut inputs);
            for c in &conditions {
                for &(s, way) in self.conditions[c].iter() {
                    let uses = inputs.entry(s).or_default();
                    uses.conditions += 1;
                    uses.other_than_up |= !matches!(way, Way::Up | Way::Almost);
                    uses.other_than_down |= !matches!(way, Way::Down | Way::Almost);
                }
            }
            let before = conditions.len();
            conditions.retain(|c| {
                !self.conditions[c].iter().any(|(s, way)| {
                    let uses = &inputs[s];
                    let free = !uses.other_than_up
                        || !uses.other_than_down
                        || *way == Way::Solved && uses.conditions == 1;
                    uses.values == 0 && free
                })
            });
            let mut freed = false;
            for (_, value) in &mut values {
                let uses = self.value(terms, *value);
                if uses
                    .iter()
                    .any(|&(s, alone)| alone && inputs[&s].values == 1 && inputs[&s].conditions == 0)
                {
                    *value = None;
                    freed = true;
                    // Its other inputs occur once less now, which the next round will see.
                    break;
                }
            }
            if conditions.len() == before && !freed {
                break;
            }
        }
        Key {
            block,
            pending: pending.into(),
            values: values.into_boxed_slice(),
            conditions: conditions.into_boxed_slice(),
        }
    }

    /// Keeps the conditions that are connected with the inputs.
    fn connect(
        &mut self,
        terms: &Terms,
        conditions: &mut Vec<TermId>,
        inputs: &mut FxHashMap<SymbolId, Uses>,
    ) {
        let mut connected: Vec<TermId> = Vec::new();
        let mut rest = std::mem::take(conditions);
        loop {
            let before = rest.len();
            rest.retain(|&c| {
                let mentioned = self.condition(terms, c);
                let touches = mentioned.iter().any(|(s, _)| inputs.contains_key(s));
                if touches {
                    for &(s, _) in mentioned.iter() {
                        inputs.entry(s).or_default();
                    }
                    connected.push(c);
                }
                !touches
            });
            if rest.len() == before {
                break;
            }
        }
        connected.sort_unstable();
        *conditions = connected;
    }

    fn condition(&mut self, terms: &Terms, c: TermId) -> Rc<[(SymbolId, Way)]> {
        let made = || terms.free_symbols(&[c]).into_iter().map(|s| (s, way(terms, c, s))).collect();
        Rc::clone(self.conditions.entry(c).or_insert_with(made))
    }

    fn value(&mut self, terms: &Terms, value: Option<TermId>) -> Rc<[(SymbolId, bool)]> {
        let Some(value) = value else { return Rc::default() };
        let unit = |s| part(terms, value, s).is_some_and(Part::is_unit);
        let made = || terms.free_symbols(&[value]).into_iter().map(|s| (s, unit(s))).collect();
        Rc::clone(self.values.entry(value).or_insert_with(made))
    }
}

#[derive(Default)]
struct Uses {
    values: u32,
    conditions: u32,
    other_than_up: bool,
    other_than_down: bool,
}

/// The coefficient of an input in a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    None,
    Coefficient { positive: bool, unit: bool },
}

impl Part {
    fn is_unit(self) -> bool {
        matches!(self, Part::Coefficient { unit: true, .. })
    }
}

/// How `condition` restricts `symbol`. Comparisons of sums have positive coefficients only, but this does not rely on
/// it.
fn way(terms: &Terms, condition: TermId, symbol: SymbolId) -> Way {
    let term = terms.term(condition);
    let (term, negated) = match term.op {
        Op::Not => (terms.term(term.args[0]), true),
        _ => (term, false),
    };
    let [a, b] = term.args[..] else { return Way::Somehow };
    if !matches!(terms.sort(a), SortId::INT | SortId::REAL) {
        return Way::Somehow;
    }
    let (Some(a), Some(b)) = (part(terms, a, symbol), part(terms, b, symbol)) else { return Way::Somehow };
    let (left, part) = match (a, b) {
        (part, Part::None) => (true, part),
        (Part::None, part) => (false, part),
        _ => return Way::Somehow,
    };
    let Part::Coefficient { positive, unit } = part else { return Way::Somehow };
    match (&term.op, negated) {
        (Op::Le | Op::Lt, false) => {
            if left == positive {
                Way::Down
            } else {
                Way::Up
            }
        }
        (Op::Eq, true) => Way::Almost,
        (Op::Eq, false) if unit => Way::Solved,
        _ => Way::Somehow,
    }
}

/// The coefficient of `symbol` in a sum; `None` if it does not occur linearly.
fn part(terms: &Terms, sum: TermId, symbol: SymbolId) -> Option<Part> {
    let term = terms.term(sum);
    let summands = match term.op {
        Op::Add => &term.args[..],
        _ => std::slice::from_ref(&sum),
    };
    let mut found = Part::None;
    for &summand in summands {
        let here = match terms.free_symbols(&[summand]) {
            symbols if symbols.contains(&symbol) => coefficient(terms, summand, symbol)?,
            _ => continue,
        };
        if found != Part::None {
            return None;
        }
        found = here;
    }
    Some(found)
}

/// The coefficient of `symbol` in a monomial that mentions it.
fn coefficient(terms: &Terms, monomial: TermId, symbol: SymbolId) -> Option<Part> {
    let term = terms.term(monomial);
    match (&term.op, &term.args[..]) {
        (Op::Var(s), _) if *s == symbol => {
            let number = matches!(term.sort, SortId::INT | SortId::REAL);
            number.then_some(Part::Coefficient { positive: true, unit: true })
        }
        (Op::Mul, &[factor, variable]) if terms.term(variable).op == Op::Var(symbol) => {
            match terms.literal(factor)? {
                Value::Int(n) => {
                    Some(Part::Coefficient { positive: n.is_positive(), unit: n.abs().is_one() })
                }
                Value::Real(r) => Some(Part::Coefficient { positive: r.is_positive(), unit: true }),
                _ => None,
            }
        }
        _ => None,
    }
}
