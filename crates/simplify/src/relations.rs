//! Guessing of relations: one comparison of two numbers replaces many comparisons with constants.
//!
//! **Idea.** The comparisons of numbers that a condition compares with constants are guessed. A guess that implies
//! the whole, alone or with some of the literals of a conjunction about both numbers, becomes a new conjunction, and
//! the conjunctions that it covers are dropped. If the result is not shorter, the condition stays as it was.
//!
//! **Example.** An unrolled loop over an array asks for each number of iterations whether the array is as long:
//! `n != 0 && n != 1 && length < 2 || n != 0 && n != 1 && n != 2 && length < 3 || …`. All of that is `length < n`.
//!
//! **Direction of error.** None: the solver proves that a guess implies the whole, and that the dropped conjunctions
//! are covered.

use std::cmp::Reverse;

use footpath_term::{Op, TermId, Terms};

use crate::bound::{Bound, Form};
use crate::{Cube, Dnf, Simplifier};

/// The least number of conjunctions for which relations are guessed.
const FEWEST: usize = 3;
/// The limit on numbers that are compared with each other; those that most conjunctions are about are chosen.
const NUMBERS: usize = 6;
/// The number of conjunctions whose literals are tried together with a guess.
const TRIED: usize = 2;

impl Simplifier {
    /// The condition, shortened by comparisons of its numbers where possible.
    pub(crate) fn related(&mut self, terms: &mut Terms, given: &Dnf) -> Dnf {
        if given.cubes.len() < FEWEST || given.is_long() {
            return given.clone();
        }
        // What was asked so far need not leave anything for this.
        self.begin();
        let numbers = numbers(terms, given);
        let whole = given.term(terms);
        let not_whole = terms.app(Op::Not, [whole]);
        let mut best = given.clone();
        for (guess, [a, b]) in guesses(terms, &numbers) {
            let is_about = |cube: &&Cube| {
                let parts = terms.post_order(cube);
                parts.contains(&a) && parts.contains(&b)
            };
            let about: Vec<Cube> = best.cubes.iter().filter(is_about).take(TRIED).cloned().collect();
            for base in std::iter::once(Cube::new()).chain(about) {
                if self.is_spent() {
                    return best;
                }
                let Some(cube) = self.generalised(terms, guess, base, not_whole) else { continue };
                let mut with = best.clone();
                with.cubes.push(cube);
                self.drop_cubes(terms, &mut with.cubes);
                if (with.cubes.len(), with.literals()) < (best.cubes.len(), best.literals()) {
                    best = with;
                    break;
                }
            }
        }
        best
    }

    /// A guess with as few of the literals as it needs to imply the whole; `None` if it contradicts them, or does not
    /// imply it.
    fn generalised(&mut self, terms: &Terms, guess: TermId, base: Cube, not_whole: TermId) -> Option<Cube> {
        let mut cube = base;
        cube.push(guess);
        if self.contradict(terms, &cube) != Some(false) {
            return None;
        }
        let implies = |this: &mut Simplifier, cube: &[TermId]| {
            this.contradict(terms, &[cube, &[not_whole]].concat()) == Some(true)
        };
        if !implies(self, &cube) {
            return None;
        }
        let mut at = cube.len() - 1;
        while at > 0 {
            at -= 1;
            let mut fewer = cube.clone();
            fewer.remove(at);
            if implies(self, &fewer) {
                cube = fewer;
            }
        }
        Some(cube)
    }
}

/// The numbers that are compared with constants or with each other, except for sums.
fn numbers(terms: &Terms, given: &Dnf) -> Vec<TermId> {
    // With the conjunction that was the last to be about it, and how many are.
    let mut found: Vec<(TermId, usize, usize)> = Vec::new();
    let literals = given.cubes.iter().enumerate().flat_map(|(i, cube)| cube.iter().map(move |&l| (i, l)));
    for (i, literal) in literals {
        let numbers = match Bound::read(terms, literal).map(|bound| bound.form) {
            Some(Form::Signed(t) | Form::Unsigned(t)) => vec![t],
            Some(Form::Int(sum)) if sum.len() == 1 => vec![sum[0].0],
            Some(Form::Int(_)) => continue,
            None => compared(terms, literal),
        };
        for number in numbers {
            match found.iter_mut().find(|(n, ..)| *n == number) {
                Some((_, last, _)) if *last == i => {}
                Some((_, last, count)) => (*last, *count) = (i, *count + 1),
                None => found.push((number, i, 1)),
            }
        }
    }
    let mut frequent: Vec<usize> = found.iter().map(|f| f.2).collect();
    frequent.sort_unstable_by_key(|&count| Reverse(count));
    let least = frequent.get(NUMBERS).map_or(0, |&count| count + 1);
    // In the order in which they occur.
    found.into_iter().filter(|f| f.2 >= least).map(|f| f.0).collect()
}

/// The two sides of a comparison of bit-vectors, before they were extended.
fn compared(terms: &Terms, literal: TermId) -> Vec<TermId> {
    let term = terms.term(literal);
    match (&term.op, &term.args[..]) {
        (Op::Not, &[inner]) => compared(terms, inner),
        (Op::BvUle | Op::BvUlt | Op::BvSle | Op::BvSlt, sides) => {
            let bare = |&t: &TermId| match terms.term(t).op {
                Op::SignExtend(_) => terms.term(t).args[0],
                _ => t,
            };
            sides.iter().map(bare).collect()
        }
        _ => Vec::new(),
    }
}

/// Comparisons of two numbers, signed and unsigned, with the numbers. The narrower one of two bit-vectors is
/// sign-extended, as most are.
fn guesses(terms: &mut Terms, numbers: &[TermId]) -> Vec<(TermId, [TermId; 2])> {
    let mut found = Vec::new();
    for &a in numbers {
        for &b in numbers {
            let widths = [a, b].map(|t| terms.width(terms.sort(t)));
            let (ops, sides) = match widths {
                _ if a == b => continue,
                [Some(left), Some(right)] => {
                    let width = left.max(right);
                    let sides = [a, b].map(|t| terms.extend(t, width, true));
                    let ops = match left == right {
                        true => &[Op::BvUle, Op::BvUlt, Op::BvSle, Op::BvSlt],
                        false => &[Op::BvSle, Op::BvSlt, Op::BvUle, Op::BvUlt],
                    };
                    (&ops[..], sides)
                }
                [None, None] if terms.sort(a) == terms.sort(b) => (&[Op::Le, Op::Lt][..], [a, b]),
                _ => continue,
            };
            found.extend(ops.iter().map(|op| (terms.app(op.clone(), sides), [a, b])));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use footpath_smt::Z3;

    #[test]
    fn rounds_that_are_compared_one_by_one_are_one_comparison() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(64);
        let [n, length] = ["n", "length"].map(|name| terms.fresh_var(name, sort));
        let number = |terms: &mut Terms, k: u64| terms.bit_vec(64, k);
        let (one, most) = (number(&mut terms, 1), number(&mut terms, 5));
        let premise = [terms.app(Op::BvUle, [one, length]), terms.app(Op::BvUle, [length, most])];
        let mut given = Dnf::never();
        for rounds in 1..=5_u64 {
            let mut cube = Vec::new();
            for k in 0..=rounds {
                let k = number(&mut terms, k);
                let equal = terms.app(Op::Eq, [n, k]);
                cube.push(terms.app(Op::Not, [equal]));
            }
            let k = number(&mut terms, rounds);
            cube.push(terms.app(Op::BvUle, [length, k]));
            given.cubes.push(cube);
        }
        let solver = Box::new(Z3::new(None).expect("Z3 starts"));
        let mut simplifier = Simplifier::new(solver, Effort::Prime, 1_000);
        simplifier.assume(premise.to_vec());
        let found = simplifier.simplify(&mut terms, &given);
        let expected = terms.app(Op::BvUlt, [length, n]);
        assert_eq!(found.cubes, vec![vec![expected]]);
    }
}
