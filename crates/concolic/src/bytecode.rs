//! Bytecode for bit-vector terms: straight-line code that evaluates conditions on many inputs.
//!
//! **Idea.** The search evaluates conditions on inputs over and over, on different inputs each time. They are
//! compiled to a list of steps on words, each of which uses the results of earlier steps; common subterms are
//! computed once. Example: `(x + 1) * (x + 1) < y` becomes the steps `0: x`, `1: 1`, `2: #0 + #1`, `3: #2 * #2`, `4:
//! y`, `5: #3 < #4`.
//!
//! **Direction of error.** None; the operators are those that runs use (`bitvector_ops.rs`).

use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

use super::bitvector_ops::{Binary, Unary};
use super::constant_cells::is_cell;
use super::value::{Kind, bits_of};

/// A step: how a word is computed from the results of earlier steps.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Cell(u32),
    Literal(u64),
    Unary(Unary, Kind, u32),
    Binary(Binary, Kind, u32, u32),
    /// The second operand, of the given number of bits, appended to the first.
    Concat(Kind, u32, u32),
    Ite(u32, u32, u32),
    /// The element of an input at one index or two.
    Read {
        map: u32,
        object: Option<(Kind, u32)>,
        at: (Kind, u32),
    },
}

impl Step {
    /// The word, of the cells and the words of earlier steps. What is read of whole inputs is not known here.
    #[inline]
    pub(super) fn apply(self, cell: impl FnOnce(u32) -> u64, words: &[u64]) -> u64 {
        let at = |n: u32| words[n as usize];
        match self {
            Step::Cell(n) => cell(n),
            Step::Literal(bits) => bits,
            Step::Unary(op, kind, a) => op.apply(kind, at(a)),
            Step::Binary(op, kind, a, b) => op.apply(kind, at(a), at(b)),
            Step::Concat(low, a, b) => at(a) << low.0 | at(b),
            Step::Ite(condition, a, b) => at(if at(condition) != 0 { a } else { b }),
            Step::Read { .. } => 0,
        }
    }

    /// The steps that it uses.
    pub(super) fn uses(self) -> [Option<u32>; 3] {
        match self {
            Step::Cell(_) | Step::Literal(_) => [None; 3],
            Step::Unary(_, _, a) => [Some(a), None, None],
            Step::Binary(_, _, a, b) | Step::Concat(_, a, b) => [Some(a), Some(b), None],
            Step::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
            Step::Read { object, at, .. } => [object.map(|o| o.1), Some(at.1), None],
        }
    }
}

/// See the module.
#[derive(Default, Debug)]
pub(super) struct Straight {
    pub(super) steps: Vec<Step>,
    /// The inputs, with how many bits they have.
    pub(super) cells: Vec<(TermId, Kind)>,
    /// Inputs that are read at indices that are no constants.
    pub(super) maps: Vec<SymbolId>,
    known: FxHashMap<TermId, u32>,
}

impl Straight {
    /// Makes a term an input, if it is not known yet.
    pub(super) fn cell(&mut self, cell: TermId, kind: Kind) -> u32 {
        if let Some(&known) = self.known.get(&cell) {
            return known;
        }
        let number = self.cells.len() as u32;
        self.cells.push((cell, kind));
        let step = self.push(Step::Cell(number));
        self.known.insert(cell, step);
        step
    }

    /// The step of a term that was compiled.
    pub(super) fn known(&self, t: TermId) -> Option<u32> {
        self.known.get(&t).copied()
    }

    /// The next step.
    fn push(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    /// The step of a term; `None` if it has parts that are not operators on words, or if there would be more than
    /// `most` steps. With `reads`, inputs are found where they occur, and elements of inputs.
    pub(super) fn compile(&mut self, terms: &Terms, root: TermId, most: usize, reads: bool) -> Option<u32> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.known.contains_key(&t) {
                stack.pop();
                continue;
            }
            if self.steps.len() >= most {
                return None;
            }
            if reads && is_cell(terms, t) {
                let kind = Kind::of(terms, terms.sort(t))?;
                self.cell(t, kind);
                continue;
            }
            let term = terms.term(t);
            let input = match (&term.op, term.args.first().map(|&map| &terms.term(map).op)) {
                (Op::Select, Some(Op::Var(map))) if reads => Some(*map),
                _ => None,
            };
            let args = &term.args[usize::from(input.is_some())..];
            let missing: Vec<TermId> = args.iter().copied().filter(|a| !self.known.contains_key(a)).collect();
            if missing.is_empty() {
                let step = match input {
                    Some(map) => self.read(terms, t, map)?,
                    None => self.step(terms, t)?,
                };
                self.known.insert(t, step);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        self.known(root)
    }

    /// The step of a read of an input whose indices are known.
    fn read(&mut self, terms: &Terms, t: TermId, map: SymbolId) -> Option<u32> {
        let term = terms.term(t);
        Kind::of(terms, term.sort)?;
        let index = |&i: &TermId| Some((Kind::of(terms, terms.sort(i))?, self.known[&i]));
        let (object, at) = match &term.args[1..] {
            [at] => (None, index(at)?),
            [object, at] => (Some(index(object)?), index(at)?),
            _ => return None,
        };
        let number = self.maps.iter().position(|known| *known == map).unwrap_or_else(|| {
            self.maps.push(map);
            self.maps.len() - 1
        });
        Some(self.push(Step::Read { map: number as u32, object, at }))
    }

    /// The step of a term whose arguments are known.
    fn step(&mut self, terms: &Terms, t: TermId) -> Option<u32> {
        let term = terms.term(t);
        let kind_of = |t: TermId| Kind::of(terms, terms.sort(t));
        kind_of(t)?;
        let args: Vec<u32> = term.args.iter().map(|a| self.known[a]).collect();
        match &term.op {
            Op::Literal(value) => bits_of(value).map(|bits| self.push(Step::Literal(bits))),
            Op::Ite => Some(self.push(Step::Ite(args[0], args[1], args[2]))),
            Op::Concat => {
                let lows: Option<Vec<Kind>> = term.args[1..].iter().map(|&a| kind_of(a)).collect();
                let rest = args[1..].iter().zip(lows?);
                Some(rest.fold(args[0], |high, (&low, kind)| self.push(Step::Concat(kind, high, low))))
            }
            op => {
                let kind = kind_of(*term.args.first()?)?;
                if let (Some(op), [a]) = (Unary::of(op), &args[..]) {
                    return Some(self.push(Step::Unary(op, kind, *a)));
                }
                let op = Binary::of(op)?;
                if args.len() < 2 || args.len() > 2 && !is_associative(op) {
                    return None;
                }
                Some(args[1..].iter().fold(args[0], |all, &b| self.push(Step::Binary(op, kind, all, b))))
            }
        }
    }
}

fn is_associative(op: Binary) -> bool {
    use Binary::{Add, And, BvAnd, BvOr, BvXor, Mul, Or};
    matches!(op, And | Or | Add | Mul | BvAnd | BvOr | BvXor)
}
