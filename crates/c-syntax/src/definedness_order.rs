//! An order of evaluation in which each part of a condition is defined by what stands before it.
//!
//! **Idea.** C evaluates `&&` and `||` from left to right and stops where the result is known. So a conjunct may be evaluated where
//! what it requires (`failure_conditions/well_definedness.rs`) follows from the conjuncts before it and from the disjuncts before its own, which
//! do not hold there. Of the disjuncts that first one is placed next all of whose conjuncts can be placed in some order; if there is
//! none, the first one gets what is missing as conjuncts of its own, one for which that changes nothing before others.
//!
//! Example: `s[1] != c && length(s) < 3 || length(s) < 2` reads `s[1]` of an array of one element. The disjuncts in the other order do not,
//! as `s[1]` is then only read if `length(s) >= 2`. And `p->next->next != NULL` becomes `p->next != NULL && p->next->next != NULL`.
//!
//! **Paper.** "Well Defined B" (Behm, Burdy, Meynadier, B 1998).
//!
//! **Direction of error.** None: that the result is defined and means the same is proved later (`wording.rs`). If the solver has no
//! answer, a conjunct counts as undefined.

use footpath_simplify::{Cube, Dialect, Dnf, order};
use footpath_term::{Op, TermId, Terms};

use crate::wording::Wording;

/// Longer conditions are left as they are: to order them takes too many questions.
const LONGEST: usize = 400;

impl Wording<'_, '_> {
    /// The disjuncts with their positions, in an order in which all is defined by what stands before it and by what is given.
    pub(crate) fn in_order(
        &self,
        terms: &mut Terms,
        condition: &Dnf,
        given: &[TermId],
    ) -> Vec<(usize, Cube)> {
        let ranked = |terms: &Terms, i: usize| {
            let mut cube = condition.cubes[i].clone();
            cube.sort_by_key(|&l| self.syntax.rank(terms, l));
            (i, cube)
        };
        let order = order(terms, condition, self.syntax);
        let mut left: Vec<(usize, Cube)> = order.into_iter().map(|i| ranked(terms, i)).collect();
        if condition.literals() > LONGEST {
            return left;
        }
        self.simplifier.borrow_mut().begin();
        let (mut context, mut placed) = (given.to_vec(), Vec::new());
        while !left.is_empty() {
            let next = (0..left.len())
                .find_map(|i| Some((i, self.placed(terms, &left[i].1, &context, false)?)))
                .or_else(|| {
                    (0..left.len()).find_map(|i| Some((i, self.completed(terms, &left[i].1, &context)?)))
                })
                .or_else(|| Some((0, self.placed(terms, &left[0].1, &context, true)?)));
            let Some((at, cube)) = next else { break };
            let holds = terms.app(Op::And, cube.iter().copied());
            context.push(terms.app(Op::Not, [holds]));
            placed.push((left.remove(at).0, cube));
        }
        placed.extend(left);
        placed
    }

    /// The conjuncts of a disjunct with what is missing, if that follows from it.
    fn completed(&self, terms: &mut Terms, cube: &Cube, context: &[TermId]) -> Option<Cube> {
        let all = self.placed(terms, cube, context, true)?;
        let known = [context, cube].concat();
        all.iter().all(|&t| self.follows(terms, &known, t)).then_some(all)
    }

    /// The conjuncts of a disjunct in such an order; with what is missing if `adds` says so, else `None` if something is
    /// missing.
    fn placed(&self, terms: &mut Terms, cube: &Cube, context: &[TermId], adds: bool) -> Option<Cube> {
        let (mut left, mut placed) = (cube.clone(), Cube::new());
        while !left.is_empty() {
            let mut first_missing = Vec::new();
            let mut defined = None;
            for (i, &literal) in left.iter().enumerate() {
                let mut missing = self.syntax.requirements(terms, literal);
                missing.retain(|&t| !self.follows(terms, &[context, &placed].concat(), t));
                if missing.is_empty() {
                    defined = Some(i);
                    break;
                }
                if i == 0 {
                    first_missing = missing;
                }
            }
            if defined.is_none() && !adds {
                return None;
            }
            if defined.is_none() {
                placed.extend(first_missing);
            }
            placed.push(left.remove(defined.unwrap_or(0)));
        }
        Some(placed)
    }

    fn follows(&self, terms: &mut Terms, known: &[TermId], t: TermId) -> bool {
        let premise = [&self.premise, known].concat();
        premise.contains(&t) || self.simplifier.borrow_mut().implies(terms, &premise, t)
    }
}
