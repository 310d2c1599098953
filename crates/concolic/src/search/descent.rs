//! Search-based testing by the alternating variable method: inputs are changed until a branch takes its other arm,
//! without a solver.
//!
//! **Idea.** A *target* is an arm that no run took, of a branch that a run reached, with something uncovered behind
//! it. The run with the least branch distance to it (`branch_distance.rs`) is repeated with one input changed, then
//! another, each as far as it helps. These runs have no symbolic values, so thousands of them cost as much as one
//! solver query, and what they compute may be anything: floating-point numbers, products, iteration counts.
//!
//! Example: for the target `sqrt(x) > 40.0` and a run with `x == 1.0`, the input is moved up in growing steps as long
//! as the distance falls, until the branch is taken.
//!
//! **Papers.** B. Korel, "Automated software test data generation" (TSE 1990); the moves are those of M. Harman, P.
//! McMinn, "A theoretical and empirical study of search-based testing" (TSE 2010, section 2).
//!
//! **Deviations.**
//! 1. The first moves of an input are the distance itself, up and down: if the input itself is compared, that is the
//!    solution.
//! 2. The inputs that are changed are those on which the conditions of the run depend, starting with those of the
//!    target's own condition.
//! 3. Every run counts for all targets, not only for the one that it was made for.
//!
//! The effort is counted in steps, so that an exploration is the same whatever else the machine does.
//!
//! **Direction of error.** None. Inputs that are found become runs like all others.

use std::rc::Rc;

use footpath_ir::interp::Script;
use footpath_term::{Sort, TermId, Value, evaluate};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Search;
use crate::branch_distance::{SiteArm, Watch};
use crate::cfg_distance::behind;
use crate::independence::Atoms;
use crate::inputs::{Assignment, set_cell};
use crate::machine::RunResult;
use crate::report::ExploreError;

/// Steps that are spent before the first solver query, and for each query after it.
const FIRST_STEPS: u64 = 1_000_000;
const STEPS_PER_QUESTION: u64 = 30_000;
/// What a run costs besides its steps, and besides that for so many instructions of the root.
const RUN_COST: u64 = 300;
const INSTRUCTIONS_A_STEP: u64 = 4;
/// Runs that are made for a target the first time; later twice as many, up to so many times.
const RUNS: u32 = 100;
const DOUBLINGS: u32 = 3;
/// How often a target is tried at most until another query changes what is known.
const TRIES: u32 = 4;
/// How many inputs are changed.
const CELLS: usize = 64;
/// How many decisions of a run are looked at for inputs, the latest ones.
const DECISIONS: usize = 400;
/// How many times twice as far as by one an input moves first.
const FIRST_DOUBLINGS: [u32; 7] = [0, 2, 5, 12, 23, 52, 61];
/// How many times an input moves twice as far as before.
const LONGEST: u32 = 63;

/// The run that came nearest to a target.
struct Nearest {
    distance: f64,
    script: Rc<Script>,
    /// What it, or the run that it was made from, decided on: sites and conditions.
    decisions: Decisions,
    /// How often it was tried from there.
    tries: u32,
}

/// The state of search-based testing: its targets, and the nearest run to each.
#[derive(Default)]
pub(super) struct Descent {
    pub(super) watch: Watch,
    nearest: FxHashMap<SiteArm, Nearest>,
    atoms: FxHashMap<TermId, Rc<Atoms>>,
    /// Steps that may be spent.
    left: u64,
}

impl Descent {
    /// For so many sites, none of whose arms has been taken.
    pub(super) fn new(sites: u32) -> Descent {
        Descent { watch: Watch { arms: vec![0b11; sites as usize] }, left: FIRST_STEPS, ..Descent::default() }
    }
}

/// Decisions of a run, the last ones first: the site, if it is one of the program's, and the condition.
type Decisions = Rc<[(Option<u32>, TermId)]>;

impl Search<'_> {
    /// Records the branch distances of a run to arms that no run took.
    pub(super) fn approach(&mut self, result: &RunResult, script: &Rc<Script>) {
        let mut decisions: Option<Decisions> = None;
        for (&target, &distance) in &result.distances {
            if distance == 0.0 {
                self.descent.watch.take(target);
                self.descent.nearest.remove(&target);
                continue;
            }
            let known = self.descent.nearest.get(&target);
            if known.is_some_and(|n| n.distance < distance || n.distance == distance && n.tries < TRIES) {
                continue;
            }
            let decisions = decisions.get_or_insert_with(|| {
                let list = result.decisions.iter().rev().take(DECISIONS);
                list.filter_map(|d| d.term.map(|term| (d.site, term))).collect()
            });
            let (script, decisions) = (Rc::clone(script), Rc::clone(decisions));
            let tries = known.map_or(0, |n| if n.distance == distance { n.tries } else { 0 });
            self.descent.nearest.insert(target, Nearest { distance, script, decisions, tries });
        }
    }

    /// Tries targets, as long as there are steps left for it.
    pub(super) fn descend(&mut self) -> Result<(), ExploreError> {
        while self.descent.left > 0 && !self.is_over() {
            let Some(target) = self.next_target() else { break };
            self.try_target(target)?;
        }
        Ok(())
    }

    /// Called after a query: some more steps may be spent.
    pub(super) fn descend_again(&mut self) -> Result<(), ExploreError> {
        self.descent.left = (self.descent.left + STEPS_PER_QUESTION).min(FIRST_STEPS);
        if self.descent.left < 8 * STEPS_PER_QUESTION { Ok(()) } else { self.descend() }
    }

    /// The target that was tried least; among several, the one nearest to something uncovered. Checks, of which most
    /// cannot fail, come last.
    fn next_target(&mut self) -> Option<SiteArm> {
        let (code, covered) = (self.setup.code, &self.settled()[..]);
        let blocks = self.blocks_away.get(code, &self.goals.list, covered);
        let nearest = self.descent.nearest.iter().filter(|(_, n)| n.tries < TRIES && n.distance.is_finite());
        let open = nearest.filter_map(|(&target, n)| {
            let away = behind(code, covered, blocks, target);
            let check = code.site(target.0).failure.is_some();
            (away < u32::MAX).then_some((n.tries, check, away, target))
        });
        open.min().map(|(.., target)| target)
    }

    /// Changes inputs of the run that came nearest to a target.
    fn try_target(&mut self, target: SiteArm) -> Result<(), ExploreError> {
        let Some(nearest) = self.descent.nearest.get_mut(&target) else { return Ok(()) };
        nearest.tries += 1;
        let runs = RUNS << (nearest.tries - 1).min(DOUBLINGS);
        let decisions = Rc::clone(&nearest.decisions);
        let mut aim = Aim {
            target,
            distance: nearest.distance,
            script: Rc::clone(&nearest.script),
            decisions: Rc::clone(&decisions),
            runs,
        };
        let cells = self.cells(target, &decisions);
        let before = aim.distance;
        loop {
            let last = aim.distance;
            for &cell in &cells {
                self.vary(cell, &mut aim)?;
                if aim.runs == 0 || !self.descent.watch.wants(target) {
                    break;
                }
            }
            if aim.distance == last || aim.runs == 0 || !self.descent.watch.wants(target) {
                break;
            }
        }
        // The run now depends on other inputs than the one that it was made from.
        if self.descent.watch.wants(target) && aim.distance < before {
            self.run_script(&aim.script)?;
        }
        Ok(())
    }

    /// The inputs to be changed for a target.
    fn cells(&mut self, (site, _): SiteArm, decisions: &[(Option<u32>, TermId)]) -> Vec<TermId> {
        let own = decisions.iter().filter(|d| d.0 == Some(site));
        let all = own.chain(decisions.iter().filter(|d| d.0 != Some(site)));
        let mut seen = FxHashSet::default();
        let mut cells = Vec::new();
        for &(_, term) in all {
            let terms = &self.terms;
            let atoms = self.descent.atoms.entry(term).or_insert_with(|| Rc::new(Atoms::of(terms, term)));
            cells.extend(atoms.cells.iter().filter(|&&c| seen.insert(c)));
            if cells.len() >= CELLS {
                cells.truncate(CELLS);
                break;
            }
        }
        cells
    }

    /// Moves an input as far as that brings the run nearer.
    fn vary(&mut self, cell: TermId, aim: &mut Aim) -> Result<(), ExploreError> {
        let bits = match self.terms.sort_of(self.terms.sort(cell)) {
            Sort::BitVec(width) => *width,
            Sort::Float { exponent, significand } => exponent + significand,
            Sort::Bool => 1,
            _ => LONGEST,
        };
        if aim.distance < 1e18 {
            for jump in [aim.distance, -aim.distance] {
                if self.moved(cell, Move::By(jump as i128), aim)? {
                    break;
                }
            }
        }
        self.moved(cell, Move::Sign, aim)?;
        for direction in [1, -1] {
            // Small steps may change nothing: a loop may iterate once for several values, and the product of tiny
            // floating-point numbers is zero.
            let mut helps = None;
            for first in FIRST_DOUBLINGS.into_iter().filter(|first| *first < bits) {
                if self.moved(cell, Move::By(direction << first), aim)? {
                    helps = Some(first);
                    break;
                }
            }
            let Some(mut doublings) = helps else { continue };
            while self.moved(cell, Move::By(direction << doublings), aim)? {
                doublings = (doublings + 1).min(LONGEST);
            }
            // Too far; from there in small steps again.
            while doublings > 1 {
                doublings -= 1;
                while self.moved(cell, Move::By(direction << doublings), aim)? {}
            }
        }
        Ok(())
    }

    /// Makes the run with an input moved. Whether it came nearer.
    fn moved(&mut self, cell: TermId, by: Move, aim: &mut Aim) -> Result<bool, ExploreError> {
        if aim.runs == 0 || self.descent.left == 0 || !self.descent.watch.wants(aim.target) {
            return Ok(false);
        }
        let mut env = Assignment { script: &aim.script, inputs: &self.inputs };
        let Ok(value) = evaluate(&self.terms, cell, &mut env) else { return Ok(false) };
        let Some(value) = by.apply(&value) else { return Ok(false) };
        let mut script = Script::clone(&aim.script);
        set_cell(&mut script, &self.terms, &self.inputs, cell, value);
        aim.runs -= 1;
        let result = self.without_symbolic_values(|search| search.execute_script(&script, false));
        let set_up = self.setup.code.root_size() as u64 / INSTRUCTIONS_A_STEP;
        self.descent.left = self.descent.left.saturating_sub(result.steps + RUN_COST + set_up);
        let script = Rc::new(result.script.clone());
        let takes_new = result.distances.iter().any(|(&t, &d)| d == 0.0 && self.descent.watch.wants(t));
        if takes_new || self.is_news(&result) {
            self.run_script(&script)?;
        }
        for (&other, &distance) in &result.distances {
            if let Some(nearest) = self.descent.nearest.get_mut(&other)
                && distance < nearest.distance
            {
                let (script, decisions) = (Rc::clone(&script), Rc::clone(&aim.decisions));
                *nearest = Nearest { distance, script, decisions, tries: nearest.tries.min(1) };
            }
        }
        let distance = result.distances.get(&aim.target).copied().unwrap_or(f64::INFINITY);
        let nearer = distance < aim.distance;
        if nearer {
            aim.distance = distance;
            aim.script = script;
        }
        Ok(nearer)
    }
}

/// A target that is aimed at.
struct Aim {
    target: SiteArm,
    distance: f64,
    script: Rc<Script>,
    decisions: Decisions,
    /// Runs that are left.
    runs: u32,
}

/// How an input is changed.
#[derive(Clone, Copy, Debug)]
enum Move {
    By(i128),
    /// The top bit is another, which is the sign of integers and floating-point numbers alike.
    Sign,
}

impl Move {
    /// The changed value, if it is another.
    fn apply(self, value: &Value) -> Option<Value> {
        let changed = match (value, self) {
            (Value::Bool(b), Move::By(by)) => Value::Bool(*b != (by % 2 != 0)),
            (Value::Int(n), Move::By(by)) => Value::Int(n + by),
            (Value::Int(n), Move::Sign) => Value::Int(-n),
            (Value::Real(r), Move::By(by)) => Value::Real(r + BigRational::from(BigInt::from(by))),
            (Value::Real(r), Move::Sign) => Value::Real(-r),
            (Value::BitVec { width, bits }, _) => {
                Value::BitVec { width: *width, bits: self.bits(*width, bits)? }
            }
            (Value::Float { exponent, significand, bits }, _) => {
                let bits = self.bits(exponent + significand, bits)?;
                Value::Float { exponent: *exponent, significand: *significand, bits }
            }
            _ => return None,
        };
        (changed != *value).then_some(changed)
    }

    fn bits(self, width: u32, bits: &BigUint) -> Option<BigUint> {
        if width == 0 || width > 64 {
            return None;
        }
        let bits = i128::from(bits.to_u64()?);
        let changed = match self {
            Move::By(by) => bits.wrapping_add(by),
            Move::Sign => bits ^ 1 << (width - 1),
        };
        Some(BigUint::from((changed & ((1 << width) - 1)) as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(width: u32, bits: u64) -> Value {
        Value::BitVec { width, bits: BigUint::from(bits) }
    }

    #[test]
    fn words_wrap_around_and_numbers_do_not() {
        assert_eq!(Move::By(-1).apply(&word(8, 0)), Some(word(8, 255)));
        assert_eq!(Move::By(1).apply(&word(64, u64::MAX)), Some(word(64, 0)));
        assert_eq!(Move::By(256).apply(&word(8, 7)), None, "nothing changes");
        assert_eq!(Move::Sign.apply(&word(32, 1)), Some(word(32, 0x8000_0001)));
        assert_eq!(Move::By(-3).apply(&Value::Int(1.into())), Some(Value::Int((-2).into())));
        assert_eq!(Move::Sign.apply(&Value::Bool(true)), None);
    }
}
