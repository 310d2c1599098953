//! Closed forms: recurrence guessing and proof by induction for sequences of loop conditions that have no fixpoint.
//!
//! **Idea.** If C_(n+1) has the disjuncts of C_n and others, and the new ones of three steps in a row differ in
//! constants only, each by the same amount, they are taken to be E(1), E(2), E(3) of a family E(j), and the limit to
//! be `H = C ∨ ∃ j ≥ 1. E(j)` with the C of the step before. The guess counts only if it is proved:
//!
//! 1. *Every E(j) fails.* E(1) implies a condition that was found. If the segment is followed by "fails if E(j)", for
//!    a symbolic j, the failures that are found contain E(j+1), or a condition that was found does.
//! 2. *Nothing else fails.* If the segment is followed by "fails if H", it fails for nothing outside H. So H is a
//!    fixpoint, and the condition of the loop, the least one, lies within it.
//!
//! Example: for `while (x > 0) x -= 2; assert(x == 0);` the steps add `x == 1`, `x == 3`, `x == 5`: the family is `x
//! == 2·j − 1`, and the limit says that all odd positive numbers fail.
//!
//! Machine integers are read as unbounded integers for the guess (`int_lifting.rs`), and both proofs are about
//! machine integers; j is then one of the widest of them, not 0, and does not exceed its largest value.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, 2007), Section 3.3, leaves such
//! loops out.
//!
//! **Direction of error.** None: both proofs are the solver's, over explorations that left nothing open. It is tried
//! for loops without inner loops, and for recursive procedures. Families whose members differ in more than the
//! constants of linear comparisons are not recognised.

use footpath_ir::Variable;
use footpath_ir::analysis::wto::ComponentId;
use footpath_simplify::{Bound, Cube, Dnf, Form, Relation, Simplifier};
use footpath_term::{Op, SortId, Substitution, SymbolId, TermId, Terms};
use num_bigint::BigInt;
use num_traits::One;

use crate::backward::Hoist;
use crate::int_lifting::Reading;
use crate::int_questions;
use crate::result::Error;
use crate::tools::Tools;

/// The largest number of disjuncts that a step may add.
const MOST_NEW: usize = 4;

/// A sequence of conditions, each of which is computed from the one before.
pub(crate) trait Steps<'a> {
    fn tools(&mut self) -> &mut Tools<'a>;

    /// The condition that follows `behind` in the sequence; `round` is a variable that nothing changes. `None` if
    /// something was left open.
    fn step(&mut self, behind: &Dnf, round: SymbolId) -> Result<Option<Dnf>, Error>;
}

/// Whether a closed form is looked for after this many steps.
pub(crate) fn worth_trying(rounds: u32) -> bool {
    matches!(rounds, 4 | 7 | 12)
}

/// The limit of a sequence C_1, C_2, …, if a closed form of it is found and proved.
pub(crate) fn closed_form<'a>(steps: &mut impl Steps<'a>, sequence: &[Dnf]) -> Result<Option<Dnf>, Error> {
    let [.., base, first, second, third] = sequence else { return Ok(None) };
    if steps.tools().is_late() {
        return Ok(None);
    }
    let Some(guess) = Guess::new(steps.tools(), [base, first, second, third]) else { return Ok(None) };
    prove(steps, base, third, &guess)
}

/// A family of conditions and its limit.
struct Guess {
    /// The step number j, as it occurs in the family.
    round: SymbolId,
    /// The condition on j under which E(j) is a member.
    rounds: TermId,
    /// E(j).
    family: Dnf,
    /// E(1), and E(j + 1).
    first: Dnf,
    next: Dnf,
    /// E(j) for some j.
    any: Dnf,
    /// A shorter condition that may be equivalent to that and the conditions before.
    words: Dnf,
}

impl Guess {
    fn new(tools: &mut Tools<'_>, four: [&Dnf; 4]) -> Option<Guess> {
        let Tools { terms, simplifier, .. } = tools;
        let all = four.map(Dnf::clone);
        let mut reading = Reading::of(terms, &all);
        let numbers = all.map(|c| reading.numbers(terms, &c));
        let j = terms.fresh_symbol("round", SortId::INT);
        let (j_term, one) = (terms.var(j), terms.int(1));
        let from_one = terms.app(Op::Le, [one, j_term]);
        let (mut round, mut rounds, mut open) = (j, from_one, vec![from_one]);
        if !reading.is_empty() {
            let width = reading.width();
            let sort = terms.bit_vec_sort(width);
            round = terms.fresh_symbol("round", sort);
            let machine = terms.var(round);
            reading.stand_for(terms, j, machine);
            // E(j + 1) is said of all but the last one.
            let (zero, last) = (terms.bit_vec(width, 0), terms.bit_vec(width, -1));
            let bounds = [terms.app(Op::BvUlt, [zero, machine]), terms.app(Op::BvUlt, [machine, last])];
            rounds = terms.app(Op::And, bounds);
            let last = terms.int((BigInt::one() << width) - 1);
            open.push(terms.app(Op::Le, [j_term, last]));
        }
        let ranges = reading.ranges(terms);
        let context = simplifier.assume(ranges);
        let guess = Guess::over_numbers(terms, simplifier, &numbers, j, &open);
        simplifier.assume(context);
        let [family, any, words] = guess?;
        let next = terms.app(Op::Add, [j_term, one]);
        let [first, next] = [one, next].map(|at| {
            let map = Substitution::from_iter([(j, at)]);
            family.map(terms, |terms, l| terms.substitute(l, &map))
        });
        Some(Guess {
            round,
            rounds,
            family: reading.machine(terms, &family)?,
            first: reading.machine(terms, &first)?,
            next: reading.machine(terms, &next)?,
            any: reading.machine(terms, &any)?,
            words: reading.machine(terms, &words)?,
        })
    }

    /// The family, the disjunction of its members, and that together with the conditions before.
    fn over_numbers(
        terms: &mut Terms,
        simplifier: &mut Simplifier,
        numbers: &[Dnf; 4],
        j: SymbolId,
        open: &[TermId],
    ) -> Option<[Dnf; 3]> {
        let [base, first, second, third] = numbers.each_ref().map(|c| {
            let tight = Dnf { cubes: c.cubes.iter().map(|cube| tightened(terms, cube)).collect() };
            simplifier.simplify(terms, &tight)
        });
        let added = [new(&first, &base), new(&second, &first), new(&third, &second)];
        let family = family(terms, &added, j)?;
        let mut bounded = family.clone();
        bounded.cubes.iter_mut().for_each(|c| c.extend(open));
        let any = simplifier.eliminate(terms, &bounded, &[j]);
        if !any.exact {
            return None;
        }
        let any = simplifier.simplify(terms, &any.condition);
        let mut all = any.clone();
        all.cubes.extend(base.cubes);
        Some([family, any, simplifier.simplify(terms, &all)])
    }
}

fn prove<'a>(
    steps: &mut impl Steps<'a>,
    base: &Dnf,
    known: &Dnf,
    guess: &Guess,
) -> Result<Option<Dnf>, Error> {
    // 1. E(1) is known, and what leads to E(j) in one step contains E(j+1).
    let terms = &mut steps.tools().terms;
    let (first, known) = (guess.first.term(terms), known.term(terms));
    if !int_questions::implies(steps.tools(), &[first], known) {
        return Ok(None);
    }
    let Some(step) = steps.step(&guess.family, guess.round)? else { return Ok(None) };
    let terms = &mut steps.tools().terms;
    let (step, next) = (step.term(terms), guess.next.term(terms));
    let enough = terms.app(Op::Or, [step, known]);
    if !int_questions::implies(steps.tools(), &[guess.rounds, next], enough) {
        return Ok(None);
    }
    let mut limit = guess.any.clone();
    limit.cubes.extend(base.cubes.iter().cloned());
    let terms = &mut steps.tools().terms;
    let (exact, words) = (limit.term(terms), guess.words.term(terms));
    if int_questions::equivalent(steps.tools(), exact, words) {
        limit = guess.words.clone();
    }
    let Tools { terms, simplifier, .. } = steps.tools();
    let limit = simplifier.simplify(terms, &limit);
    // 2. The limit is a fixpoint.
    let Some(after) = steps.step(&limit, guess.round)? else { return Ok(None) };
    let terms = &mut steps.tools().terms;
    let (after, whole) = (after.term(terms), limit.term(terms));
    Ok(int_questions::implies(steps.tools(), &[after], whole).then_some(limit))
}

/// A loop of a body; the conditions at its head are the sequence.
pub(crate) struct Loop<'h, 'a> {
    pub(crate) hoist: &'h mut Hoist<'a>,
    pub(crate) component: ComponentId,
}

impl<'a> Steps<'a> for Loop<'_, 'a> {
    fn tools(&mut self) -> &mut Tools<'a> {
        &mut self.hoist.tools
    }

    fn step(&mut self, behind: &Dnf, round: SymbolId) -> Result<Option<Dnf>, Error> {
        let hoist = &mut *self.hoist;
        let head = hoist.cut.wto[self.component].head;
        let span = hoist.cut.body.span;
        hoist.cut.body.locals.push(Variable::new(round, span));
        hoist.summaries.insert(head, behind.clone());
        let found = hoist.solve(Some(self.component)).and_then(|()| hoist.explore(head));
        hoist.cut.body.locals.pop();
        let found = found?;
        // What a failed proof leaves out is not missing from the conditions found so far.
        Ok(hoist.missing.take().is_none().then_some(found))
    }
}

/// A conjunction in which no bound is a value that another literal excludes: `3 <= n && n != 3` is `4 <= n`.
fn tightened(terms: &mut Terms, cube: &Cube) -> Cube {
    let mut cube = cube.clone();
    loop {
        let bounds: Vec<Option<Bound>> = cube.iter().map(|&l| Bound::read(terms, l)).collect();
        let excludes = |b: &Bound| {
            let same = |o: &Bound| o.relation == Relation::Differs && o.form == b.form && o.value == b.value;
            matches!(b.form, Form::Int(_)) && bounds.iter().flatten().any(same)
        };
        let found = bounds.iter().enumerate().find_map(|(i, b)| {
            let b = b.as_ref()?;
            let step = match b.relation {
                Relation::AtLeast => 1,
                Relation::AtMost => -1,
                Relation::Equal | Relation::Differs => return None,
            };
            excludes(b).then(|| (i, Bound { value: &b.value + step, ..b.clone() }))
        });
        match found {
            Some((i, bound)) => cube[i] = bound.build(terms),
            None => return cube,
        }
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
