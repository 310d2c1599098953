//! Closed forms: recurrence guessing and proof by induction for sequences of loop conditions that have no fixpoint.
//!
//! **Idea.** If C_(n+1) has the disjuncts of C_n and others, and the new ones of three steps in a row differ in
//! constants only, each by the same amount, they are taken to be E(1), E(2), E(3) of a family E(j), and the limit to
//! be `H = C ∨ ∃ j ≥ 1. E(j)` with the C of the earliest step from which on the family goes. The guess counts only if it
//! is proved:
//!
//! 1. *Every E(j) fails.* E(1) implies a condition that was found. If the segment is followed by "fails if E(j)", for
//!    a symbolic j, the failures that are found contain E(j+1), or a condition that was found does.
//! 2. *Nothing else fails.* If the segment is followed by "fails if H", it fails for nothing outside H. So H is a
//!    fixpoint, and the condition of the loop, the least one, lies within it.
//!
//! Example: for `while (x > 0) x -= 2; assert(x == 0);` the steps add `x == 1`, `x == 3`, `x == 5`: the family is `x
//! == 2·j − 1`, and the limit says that all odd positive numbers fail. What a step adds is looked for in its disjuncts
//! first, and then in the difference to the step before, which is simplified by itself.
//!
//! If j cannot be eliminated, it stays in the condition of a loop as a variable of its own, and is quantified at the
//! procedure's entry (`families.rs`). For `while (i < n) { assert(a[i] == 0); i++; }` the steps add `i < n && a[i] !=
//! 0`, `i + 1 < n && a[i+1] != 0`, …: the family is `i + j < n && a[i + j] != 0`. In the second proof the segment is then
//! followed by "fails if C, or j ≥ 1 and E(j)", for a symbolic j, and fails for nothing but C, E(1), E(j) and E(j+1);
//! so no question has a quantifier.
//!
//! Procedures that call each other in a circle of m have a vector of conditions, one for each, with one j; as a
//! failure comes back to a procedure after m steps only, every m-th step is looked at, and the first proof is about m
//! steps. Example: `even(n)` calls `odd(n - 1)`, so every second step adds a number. A loop that counts modulo m has the
//! same period: `r = r == 2 ? 0 : r + 1;` comes back to `r == 1` after three steps. Periods are tried, from 1 on.
//!
//! Machine integers are read as unbounded integers for the guess (`int_lifting.rs`), and both proofs are about
//! machine integers; j is then one of the widest of them, not 0, and does not exceed its largest value.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, 2007), Section 3.3, leaves such
//! loops out.
//!
//! **Direction of error.** None: both proofs are the solver's, over explorations that left nothing open. It is tried
//! for loops without inner loops, and for recursive procedures. Families whose members differ in more than the
//! constants of linear comparisons, and the offsets of indices, are not recognised.

use footpath_ir::Variable;
use footpath_ir::analysis::wto::ComponentId;
use footpath_simplify::{Bound, Cube, Dnf, Form, Relation, Simplifier};
use footpath_term::{Op, SortId, Substitution, SymbolId, TermId, Terms};
use num_bigint::BigInt;
use num_traits::One;

use crate::backward::Hoist;
use crate::int_lifting::{Reading, as_equations, unsigned_ranges};
use crate::int_questions;
use crate::result::Error;
use crate::tools::Tools;

/// The largest number of disjuncts that a step may add.
const MOST_NEW: usize = 4;
/// From how many members a family is guessed.
const MEMBERS: usize = 3;

/// A sequence of conditions, or of vectors of them, each of which is computed from the one before.
pub(crate) trait Steps<'a> {
    fn tools(&mut self) -> &mut Tools<'a>;

    /// The conditions that follow `behind` in the sequence; `round` is a variable that nothing changes. `None` if
    /// something was left open.
    fn step(&mut self, behind: &[Dnf], round: SymbolId) -> Result<Option<Vec<Dnf>>, Error>;

    /// Whether the limit may speak of the number of a step.
    fn keeps_rounds(&self) -> bool;
}

/// The limit of a sequence.
pub(crate) struct Limit {
    pub(crate) conditions: Vec<Dnf>,
    /// The number of a step that they speak of: they hold if they do for one of its values.
    pub(crate) round: Option<SymbolId>,
}

/// Whether a closed form is looked for after this many steps.
pub(crate) fn worth_trying(rounds: u32) -> bool {
    !periods(rounds as usize).is_empty()
}

/// The periods that are looked for after this many steps: the one for which there are members enough since the last of
/// these, and now and then the shorter ones again, as a sequence may become regular late.
fn periods(steps: usize) -> Vec<usize> {
    match steps {
        7 => vec![1, 2],
        12 => vec![1, 2, 3],
        n if n > MEMBERS && n % MEMBERS == 1 => vec![n / MEMBERS],
        _ => Vec::new(),
    }
}

/// The limit of a sequence C_1, C_2, …, if a closed form of it is found and proved.
pub(crate) fn closed_form<'a>(
    steps: &mut impl Steps<'a>,
    sequence: &[Vec<Dnf>],
) -> Result<Option<Limit>, Error> {
    for period in periods(sequence.len()) {
        if let Some(limit) = periodic(steps, sequence, period)? {
            return Ok(Some(limit));
        }
    }
    Ok(None)
}

/// The same where every `period`-th step adds the next member.
fn periodic<'a>(
    steps: &mut impl Steps<'a>,
    sequence: &[Vec<Dnf>],
    period: usize,
) -> Result<Option<Limit>, Error> {
    let mut sampled: Vec<&Vec<Dnf>> = sequence.iter().rev().step_by(period).collect();
    sampled.reverse();
    let keeps = steps.keeps_rounds();
    for (differences, unsigned) in [(false, false), (false, true), (true, false), (true, true)] {
        if steps.tools().is_late() {
            break;
        }
        let guess = Guess::new(steps.tools(), &sampled, (differences, unsigned), keeps);
        if let Some(guess) = guess
            && let Some(limit) = prove(steps, sampled[sampled.len() - 1], &guess, period)?
        {
            return Ok(Some(limit));
        }
    }
    Ok(None)
}

/// A family of conditions and its limit, for each condition of a vector.
struct Guess {
    /// The step number j, as it occurs in the family.
    round: SymbolId,
    /// The condition on j under which E(j) is a member.
    rounds: TermId,
    /// The conditions before E(1).
    base: Vec<Dnf>,
    /// E(j).
    family: Vec<Dnf>,
    /// E(1), and E(j + 1).
    first: Vec<Dnf>,
    next: Vec<Dnf>,
    /// E(j) for some j, with shorter conditions that may be equivalent to that and the base; `None` if j stays.
    any: Option<Vec<[Dnf; 2]>>,
}

impl Guess {
    /// What steps add may be looked for in `differences`, and machine integers of which only equations speak may be
    /// read as `unsigned`. `keeps` says whether j may stay.
    fn new(
        tools: &mut Tools<'_>,
        sampled: &[&Vec<Dnf>],
        (differences, unsigned): (bool, bool),
        keeps: bool,
    ) -> Option<Guess> {
        let Tools { terms, simplifier, .. } = tools;
        let read = |terms: &mut Terms, condition: &Dnf| match unsigned {
            true => as_equations(terms, condition).unwrap_or_else(|| unsigned_ranges(terms, condition)),
            false => condition.clone(),
        };
        let sequence: Vec<Vec<Dnf>> =
            sampled.iter().map(|conditions| conditions.iter().map(|c| read(terms, c)).collect()).collect();
        let all = sequence.concat();
        let mut reading = Reading::of(terms, &all);
        let is_changed = sequence.iter().zip(sampled).any(|(read, found)| {
            read.iter().zip(found.iter()).any(|(read, found)| read.cubes != found.cubes)
        });
        if unsigned && !reading.read_equations_unsigned(terms, &all) && !is_changed {
            return None;
        }
        let numbers: Vec<Vec<Dnf>> = sequence
            .iter()
            .map(|conditions| conditions.iter().map(|c| reading.numbers(terms, c)).collect())
            .collect();
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
        let found = Families::over_numbers(terms, simplifier, &numbers, differences, j);
        let found = found.and_then(|found| {
            let any = found.any(terms, simplifier, j, &open);
            (any.is_some() || keeps && reading.is_empty()).then_some((found, any))
        });
        simplifier.assume(context);
        let (Families { from, members, .. }, any) = found?;
        let next = terms.app(Op::Add, [j_term, one]);
        let machine = |terms: &mut Terms, conditions: &[Dnf]| -> Option<Vec<Dnf>> {
            conditions.iter().map(|c| reading.machine(terms, c)).collect()
        };
        let [first, next] = [one, next].map(|at| at_round(terms, &members, j, at));
        Some(Guess {
            round,
            rounds,
            // The proof is about the condition as it was found.
            base: sampled[from].clone(),
            family: machine(terms, &members)?,
            first: machine(terms, &first)?,
            next: machine(terms, &next)?,
            any: match any {
                None => None,
                Some(any) => Some(
                    any.iter()
                        .map(|both| <[Dnf; 2]>::try_from(machine(terms, both)?).ok())
                        .collect::<Option<_>>()?,
                ),
            },
        })
    }
}

/// A family over numbers, for each condition of a vector.
struct Families {
    /// Behind which of the conditions it begins, and those.
    from: usize,
    base: Vec<Dnf>,
    members: Vec<Dnf>,
}

impl Families {
    fn over_numbers(
        terms: &mut Terms,
        simplifier: &mut Simplifier,
        numbers: &[Vec<Dnf>],
        differences: bool,
        j: SymbolId,
    ) -> Option<Families> {
        let last = numbers.len() - 1 - MEMBERS;
        let mut members = Vec::new();
        let mut bases = Vec::new();
        for at in 0..numbers[0].len() {
            let four: Vec<Dnf> = numbers[last..]
                .iter()
                .map(|conditions| {
                    // Simplified, `n == 0 || n == 2` would be a range without `n == 1`.
                    if are_equations(terms, &conditions[at]) {
                        return conditions[at].clone();
                    }
                    let cubes = conditions[at].cubes.iter().map(|cube| tightened(terms, cube)).collect();
                    simplifier.simplify(terms, &Dnf { cubes })
                })
                .collect();
            let mut added = Vec::new();
            for pair in four.windows(2) {
                added.push(match differences {
                    false => new(&pair[1], &pair[0]),
                    true => difference(terms, simplifier, &pair[1], &pair[0]),
                });
            }
            members.push(family(terms, &added, j)?);
            bases.extend(four.into_iter().next());
        }
        if members.iter().all(Dnf::is_never) {
            return None;
        }
        // The family may have begun before.
        for (from, earlier) in numbers[..last].iter().enumerate() {
            let shift = last - from;
            if goes_on(terms, simplifier, (earlier, &bases), &members, (j, shift)) {
                let (j_term, by) = (terms.var(j), terms.int(shift));
                let shifted = terms.app(Op::Sub, [j_term, by]);
                let members = at_round(terms, &members, j, shifted);
                return Some(Families { from, base: earlier.clone(), members });
            }
        }
        Some(Families { from: last, base: numbers[last].clone(), members })
    }

    /// The disjunction of the members, and that together with the base in fewer words; `None` if j cannot be
    /// eliminated.
    fn any(
        &self,
        terms: &mut Terms,
        simplifier: &mut Simplifier,
        j: SymbolId,
        open: &[TermId],
    ) -> Option<Vec<[Dnf; 2]>> {
        let mut any = Vec::new();
        for (members, base) in self.members.iter().zip(&self.base) {
            let mut bounded = members.clone();
            bounded.cubes.iter_mut().for_each(|c| c.extend(open));
            let some = simplifier.eliminate(terms, &bounded, &[j]);
            if !some.exact {
                return None;
            }
            let some = simplifier.simplify(terms, &some.condition);
            let mut all = some.clone();
            all.cubes.extend(base.cubes.iter().cloned());
            any.push([some, simplifier.simplify(terms, &all)]);
        }
        Some(any)
    }
}

/// Whether the members before E(1), `count` of them, are all that a later base says more than an earlier one.
fn goes_on(
    terms: &mut Terms,
    simplifier: &mut Simplifier,
    (earlier, later): (&[Dnf], &[Dnf]),
    members: &[Dnf],
    (j, count): (SymbolId, usize),
) -> bool {
    for ((earlier, later), members) in earlier.iter().zip(later).zip(members) {
        let mut all = vec![earlier.term(terms)];
        let later = later.term(terms);
        for back in 0..count {
            let at = terms.int(-(back as i64));
            let member = at_round(terms, std::slice::from_ref(members), j, at)[0].term(terms);
            if !simplifier.implies(terms, &[member], later) {
                return false;
            }
            all.push(member);
        }
        let all = terms.app(Op::Or, all);
        if !simplifier.implies(terms, &[later], all) {
            return false;
        }
    }
    true
}

/// Conditions for another value of j.
fn at_round(terms: &mut Terms, conditions: &[Dnf], j: SymbolId, at: TermId) -> Vec<Dnf> {
    let map = Substitution::from_iter([(j, at)]);
    conditions.iter().map(|c| c.map(terms, |terms, l| terms.substitute(l, &map))).collect()
}

fn prove<'a>(
    steps: &mut impl Steps<'a>,
    known: &[Dnf],
    guess: &Guess,
    period: usize,
) -> Result<Option<Limit>, Error> {
    // 1. E(1) is known, and what leads to E(j) in as many steps as the period has contains E(j+1).
    for (first, known) in guess.first.iter().zip(known) {
        let terms = &mut steps.tools().terms;
        let (first, known) = (first.term(terms), known.term(terms));
        if !int_questions::implies(steps.tools(), &[first], known) {
            return Ok(None);
        }
    }
    let mut behind = guess.family.clone();
    for _ in 0..period {
        let Some(step) = steps.step(&behind, guess.round)? else { return Ok(None) };
        behind = step;
    }
    for ((step, next), known) in behind.iter().zip(&guess.next).zip(known) {
        let terms = &mut steps.tools().terms;
        let (step, next, known) = (step.term(terms), next.term(terms), known.term(terms));
        let enough = terms.app(Op::Or, [step, known]);
        if !int_questions::implies(steps.tools(), &[guess.rounds, next], enough) {
            return Ok(None);
        }
    }
    match &guess.any {
        Some(any) => limit(steps, guess, any),
        None => limit_with_rounds(steps, guess),
    }
}

/// 2. The limit is a fixpoint.
fn limit<'a>(steps: &mut impl Steps<'a>, guess: &Guess, any: &[[Dnf; 2]]) -> Result<Option<Limit>, Error> {
    let mut conditions = Vec::new();
    for ([any, words], base) in any.iter().zip(&guess.base) {
        let mut limit = any.clone();
        limit.cubes.extend(base.cubes.iter().cloned());
        let terms = &mut steps.tools().terms;
        let (exact, short) = (limit.term(terms), words.term(terms));
        if int_questions::equivalent(steps.tools(), exact, short) {
            limit = words.clone();
        }
        let Tools { terms, simplifier, .. } = steps.tools();
        conditions.push(simplifier.simplify(terms, &limit));
    }
    let Some(after) = steps.step(&conditions, guess.round)? else { return Ok(None) };
    for (after, limit) in after.iter().zip(&conditions) {
        let terms = &mut steps.tools().terms;
        let (after, whole) = (after.term(terms), limit.term(terms));
        if !int_questions::implies(steps.tools(), &[after], whole) {
            return Ok(None);
        }
    }
    Ok(Some(Limit { conditions, round: None }))
}

/// 2. The same where j stays: what leads to the base or to E(j) is the base, or E(1), E(j) or E(j+1).
fn limit_with_rounds<'a>(steps: &mut impl Steps<'a>, guess: &Guess) -> Result<Option<Limit>, Error> {
    let with_base = |base: &Dnf, family: &Dnf| {
        let mut all = family.clone();
        all.cubes.iter_mut().for_each(|cube| cube.push(guess.rounds));
        all.cubes.extend(base.cubes.iter().cloned());
        all
    };
    let conditions: Vec<Dnf> =
        guess.base.iter().zip(&guess.family).map(|(base, family)| with_base(base, family)).collect();
    let Some(after) = steps.step(&conditions, guess.round)? else { return Ok(None) };
    for (i, after) in after.iter().enumerate() {
        let terms = &mut steps.tools().terms;
        let [first, limit] = [&guess.first[i], &conditions[i]].map(|c| c.term(terms));
        let next = guess.next[i].term(terms);
        let next = terms.app(Op::And, [guess.rounds, next]);
        let after = after.term(terms);
        let whole = terms.app(Op::Or, [first, limit, next]);
        if !int_questions::implies(steps.tools(), &[after], whole) {
            return Ok(None);
        }
    }
    Ok(Some(Limit { conditions, round: Some(guess.round) }))
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

    fn step(&mut self, behind: &[Dnf], round: SymbolId) -> Result<Option<Vec<Dnf>>, Error> {
        let hoist = &mut *self.hoist;
        let head = hoist.cut.wto[self.component].head;
        let span = hoist.cut.body.span;
        hoist.cut.body.locals.push(Variable::new(round, span));
        hoist.summaries.insert(head, behind[0].clone());
        let found = hoist.solve(Some(self.component)).and_then(|()| hoist.explore(head));
        hoist.cut.body.locals.pop();
        let found = found?;
        // What a failed proof leaves out is not missing from the conditions found so far.
        Ok(hoist.missing.take().is_none().then(|| vec![found]))
    }

    fn keeps_rounds(&self) -> bool {
        true
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

/// Whether each disjunct is one equation.
fn are_equations(terms: &Terms, condition: &Dnf) -> bool {
    condition.cubes.iter().all(|cube| matches!(cube.as_slice(), &[l] if terms.term(l).op == Op::Eq))
}

/// The disjuncts of `after` that `before` does not have.
fn new(after: &Dnf, before: &Dnf) -> Vec<Cube> {
    let same = |a: &Cube, b: &Cube| a.len() == b.len() && a.iter().all(|l| b.contains(l));
    after.cubes.iter().filter(|&c| !before.cubes.iter().any(|d| same(c, d))).cloned().collect()
}

/// What `after` says more than `before`.
fn difference(terms: &mut Terms, simplifier: &mut Simplifier, after: &Dnf, before: &Dnf) -> Vec<Cube> {
    let before = before.term(terms);
    let other = terms.app(Op::Not, [before]);
    let mut left = Dnf::never();
    for cube in &after.cubes {
        left.add(terms, &[&cube[..], &[other]].concat());
    }
    let left = simplifier.simplify(terms, &left);
    left.cubes.iter().map(|cube| tightened(terms, cube)).collect()
}

/// The family of which lists of disjuncts are the first members.
fn family(terms: &mut Terms, added: &[Vec<Cube>], j: SymbolId) -> Option<Dnf> {
    let count = added[0].len();
    if count > MOST_NEW || added.iter().any(|cubes| cubes.len() != count) {
        return None;
    }
    let mut left = added.to_vec();
    let mut result = Dnf::never();
    for cube in &added[0] {
        // The disjuncts of the other steps may stand in another order.
        let found = (0..count).find_map(|at| {
            let second = left[1].get(at)?.clone();
            (0..count).find_map(|at| {
                let third = left[2].get(at)?.clone();
                let member = member(terms, [cube, &second, &third], j)?;
                Some((member, second.clone(), third))
            })
        });
        let (member, second, third) = found?;
        left[1].retain(|c| *c != second);
        left[2].retain(|c| *c != third);
        result.cubes.push(member);
    }
    Some(result)
}

/// The conjunction that is these three for j = 1, 2, 3, whatever the order of their literals.
pub(crate) fn member(terms: &mut Terms, [one, two, three]: [&Cube; 3], j: SymbolId) -> Option<Cube> {
    if two.len() != one.len() || three.len() != one.len() {
        return None;
    }
    let (mut second, mut third) = (two.clone(), three.clone());
    let mut cube = Cube::new();
    for &first in one {
        let pairs = second.iter().flat_map(|&b| third.iter().map(move |&c| (b, c)));
        let (literal, b, c) = pairs
            .collect::<Vec<_>>()
            .into_iter()
            .find_map(|(b, c)| Some((literal(terms, [first, b, c], j)?, b, c)))?;
        second.retain(|l| *l != b);
        third.retain(|l| *l != c);
        cube.push(literal);
    }
    Some(cube)
}

/// The literal that is these three for j = 1, 2, 3.
fn literal(terms: &mut Terms, three: [TermId; 3], j: SymbolId) -> Option<TermId> {
    if three[0] == three[1] && three[1] == three[2] {
        return Some(three[0]);
    }
    bound(terms, three, j).or_else(|| generalised(terms, three, j))
}

fn bound(terms: &mut Terms, three: [TermId; 3], j: SymbolId) -> Option<TermId> {
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

/// Anti-unification: the term that is these three for j = 1, 2, 3. They are the same but for integers that grow by the
/// same amount twice.
fn generalised(terms: &mut Terms, three: [TermId; 3], j: SymbolId) -> Option<TermId> {
    if three[0] == three[1] && three[1] == three[2] {
        return Some(three[0]);
    }
    let [a, b, c] = three.map(|t| terms.term(t).clone());
    if a.sort != b.sort || b.sort != c.sort {
        return None;
    }
    if a.sort == SortId::INT {
        let mut by = |from, to| {
            let difference = terms.app(Op::Sub, [to, from]);
            let (sum, constant) = terms.linear_form(difference);
            sum.is_empty().then_some(constant)
        };
        if let (Some(step), Some(again)) = (by(three[0], three[1]), by(three[1], three[2])) {
            if step != again {
                return None;
            }
            let (j, one, step) = (terms.var(j), terms.int(1), terms.int(step));
            let rounds = terms.app(Op::Sub, [j, one]);
            let plus = terms.app(Op::Mul, [step, rounds]);
            return Some(terms.app(Op::Add, [three[0], plus]));
        }
    }
    let is_same =
        a.op == b.op && b.op == c.op && a.args.len() == b.args.len() && b.args.len() == c.args.len();
    if !is_same || a.args.is_empty() || matches!(a.op, Op::Bind(_)) {
        return None;
    }
    let args: Option<Vec<TermId>> =
        (0..a.args.len()).map(|i| generalised(terms, [a.args[i], b.args[i], c.args[i]], j)).collect();
    Some(terms.app(a.op, args?))
}
