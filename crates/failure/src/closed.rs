//! Closed forms for sequences of conditions that have no fixpoint.
//!
//! **Idea.** Where C_(n+1) has the disjuncts of C_n and others, and the new ones of three rounds in a row differ in
//! constants only, each by the same step, they are taken to be E(1), E(2), E(3) of a family E(j), and the limit to be
//! `H = C ∨ ∃ j ≥ 1. E(j)` with the C of the round before. The guess counts only if it is proved:
//!
//! 1. *Every E(j) fails.* E(1) is a disjunct of a condition that was found. If the segment is followed by "fails if E(j)",
//!    for a symbolic j, what it fails for contains E(j+1), or C does.
//! 2. *Nothing else fails.* If the segment is followed by "fails if H", it fails for nothing outside H. So H is a fixpoint,
//!    and the condition of the loop, the least one, lies within it.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, 2007), Section 3.3, leaves such loops out.
//!
//! **Where it may be wrong.** Nowhere: both proofs are the solver's, over explorations that left nothing open. It is tried
//! for integers and for loops without loops inside only.

use footpath_ir::{BlockId, Variable};
use footpath_simplify::{Bound, Cube, Dnf};
use footpath_term::{Op, SortId, Substitution, SymbolId, TermId, Terms};
use footpath_transform::wto::ComponentId;
use num_bigint::BigInt;

use crate::hoist::Hoist;
use crate::result::Error;

/// How many disjuncts a round may add.
const MOST_NEW: usize = 4;

impl Hoist<'_> {
    /// Replaces the summary of a loop's head by a closed form, if one is found and proved. `sequence` is C_1 and so on.
    pub(crate) fn closed_form(&mut self, component: ComponentId, sequence: &[Dnf]) -> Result<bool, Error> {
        let inner = self.cut.wto.components.iter().any(|c| c.parent == Some(component));
        let [.., base, first, second, third] = sequence else { return Ok(false) };
        if inner || self.is_late() {
            return Ok(false);
        }
        let j = self.terms.fresh_symbol("round", SortId::INT);
        let added = [new(first, base), new(second, first), new(third, second)];
        let Some(family) = family(&mut self.terms, &added, j) else { return Ok(false) };
        let head = self.cut.wto[component].head;
        let known = third.clone();
        let base = base.clone();
        // The round is a variable that nothing changes.
        let span = self.cut.body.span;
        self.cut.body.locals.push(Variable::new(j, span));
        let proved = self.prove(component, head, &base, &family, j);
        self.cut.body.locals.pop();
        let proved = proved?;
        // What a failed proof left out of its own explorations is not missing from the conditions found so far.
        self.missing = None;
        if proved.is_none() {
            self.summaries.insert(head, known);
            self.solve(Some(component))?;
        }
        Ok(proved.is_some())
    }

    fn prove(
        &mut self,
        component: ComponentId,
        head: BlockId,
        base: &Dnf,
        family: &Dnf,
        j: SymbolId,
    ) -> Result<Option<Dnf>, Error> {
        let j_term = self.terms.var(j);
        let one = self.terms.int(1);
        let from_one = self.terms.app(Op::Le, [one, j_term]);
        // 1. What leads to E(j) in one round contains E(j+1).
        let step = self.step(component, head, family)?;
        let next = self.terms.app(Op::Add, [j_term, one]);
        let map = Substitution::from_iter([(j, next)]);
        let (family_term, step, base_term) =
            (family.term(&mut self.terms), step.term(&mut self.terms), base.term(&mut self.terms));
        let next = self.terms.substitute(family_term, &map);
        let enough = self.terms.app(Op::Or, [step, base_term]);
        if !self.simplifier.implies(&mut self.terms, &[from_one, next], enough) {
            return Ok(None);
        }
        // 2. The limit is a fixpoint.
        let mut open = Dnf { cubes: family.cubes.clone() };
        open.cubes.iter_mut().for_each(|c| c.push(from_one));
        let limit = self.simplifier.eliminate(&mut self.terms, &open, &[j]);
        if !limit.exact {
            return Ok(None);
        }
        let mut limit = limit.condition;
        limit.cubes.extend(base.cubes.iter().cloned());
        let limit = self.simplifier.simplify(&mut self.terms, &limit);
        self.missing = None;
        let after = self.step(component, head, &limit)?;
        if self.missing.is_some() {
            return Ok(None);
        }
        let (after, whole) = (after.term(&mut self.terms), limit.term(&mut self.terms));
        if !self.simplifier.implies(&mut self.terms, &[after], whole) {
            return Ok(None);
        }
        self.summaries.insert(head, limit.clone());
        Ok(Some(limit))
    }

    /// What one round fails for if it is followed by "fails if `behind`".
    fn step(&mut self, component: ComponentId, head: BlockId, behind: &Dnf) -> Result<Dnf, Error> {
        self.summaries.insert(head, behind.clone());
        self.solve(Some(component))?;
        self.explore(head)
    }
}

/// The disjuncts of `after` that `before` does not have.
fn new(after: &Dnf, before: &Dnf) -> Vec<Cube> {
    after.cubes.iter().filter(|c| !before.cubes.contains(c)).cloned().collect()
}

/// The family of which three lists of disjuncts are the first members.
fn family(terms: &mut Terms, added: &[Vec<Cube>; 3], j: SymbolId) -> Option<Dnf> {
    let [first, second, third] = added;
    let count = first.len();
    if count == 0 || count > MOST_NEW || second.len() != count || third.len() != count {
        return None;
    }
    let mut result = Dnf::never();
    for i in 0..count {
        let lists = [&first[i], &second[i], &third[i]];
        if lists.iter().any(|l| l.len() != lists[0].len()) {
            return None;
        }
        let cube: Option<Cube> =
            (0..lists[0].len()).map(|l| literal(terms, [lists[0][l], lists[1][l], lists[2][l]], j)).collect();
        result.cubes.push(cube?);
    }
    Some(result)
}

/// The literal that is these three for j = 1, 2, 3.
fn literal(terms: &mut Terms, three: [TermId; 3], j: SymbolId) -> Option<TermId> {
    if three[0] == three[1] && three[1] == three[2] {
        return Some(three[0]);
    }
    let bounds: Option<Vec<Bound>> = three.iter().map(|&t| Bound::read(terms, t)).collect();
    let bounds = bounds?;
    let same = |b: &Bound| b.form == bounds[0].form && b.relation == bounds[0].relation;
    let step: BigInt = &bounds[1].value - &bounds[0].value;
    if !bounds.iter().all(same) || &bounds[2].value - &bounds[1].value != step {
        return None;
    }
    let (j, one) = (terms.var(j), terms.int(1));
    let rounds = terms.app(Op::Sub, [j, one]);
    let step = terms.int(step);
    let plus = terms.app(Op::Mul, [step, rounds]);
    bounds[0].build_plus(terms, plus)
}
