//! Non-termination detection by state recurrence: a run that returns to a state in which it was before never ends.
//!
//! **Idea.** What a run does next depends on its state alone, unless it asks for an input. So a run whose state at
//! the entry of a block equals an earlier one there, and that asked for no input in between, loops forever. It need
//! not be followed up to the bound on steps. To find such a state, one earlier state is kept and compared with those
//! that follow it, and is replaced after ever longer stretches (Brent's cycle detection).
//!
//! Example: a loop `while (p != NULL) p = p->next;` on a list whose last element points back to its first one returns
//! to the same `p` after one traversal.
//!
//! Two states are equal only if their values also have the same symbolic values. Then the same holds for all inputs
//! that decide alike: nothing of that path is left out, and no bound is hit. If only the values are equal, other
//! inputs may take the same path and leave the loop later, so the run goes on.
//!
//! Recurrence is looked for in a quarter of all steps, from the thousandth on. The stretches lie at fixed numbers of
//! steps, so that runs which start from a snapshot taken between two of them end alike.
//!
//! **Paper.** R. Brent, "An improved Monte Carlo factorization algorithm" (BIT 20, 1980).
//!
//! **Direction of error.** Towards missing a recurrence: equal states may be taken for different ones.

use footpath_ir::interp::Outcome;
use footpath_term::Value;

use super::machine::{Flow, Frame, Machine};
use super::snapshot::State;
use super::value::General;

/// Steps before a state is kept for the first time, by default.
pub(super) const FIRST: u64 = 1_024;
/// The share of a run's steps in which the kept state is compared, as a divisor.
const SHARE: u64 = 4;
/// How often in a stretch memories and maps are compared. These have hardly more elements than the run has steps.
const MOST: u32 = 8;

/// The progress of the check for a recurring state.
#[derive(Debug)]
pub(super) struct Repeats {
    /// The steps at which a state is kept next, or at which the last one was.
    from: u64,
    kept: Option<Box<Kept>>,
}

/// A state that others are compared with.
#[derive(Debug)]
struct Kept {
    state: State,
    asked: Asked,
    /// How often memories were compared with it.
    compared: u32,
}

/// How often a run has asked for something: inputs, choices, bodies.
type Asked = [usize; 3];

impl Repeats {
    /// After so many steps, if the first state is kept after so many; never without it.
    pub(super) fn after(steps: u64, first: Option<u64>) -> Repeats {
        let mut from = first.unwrap_or(u64::MAX).max(1);
        while from <= steps {
            from = from.saturating_mul(2);
        }
        Repeats { from, kept: None }
    }

    /// The number of steps up to which states are compared with the one that is kept.
    fn until(&self) -> u64 {
        self.from.saturating_add(self.from / SHARE)
    }

    /// Whether a state is kept that others are compared with.
    pub(super) fn is_open(&self) -> bool {
        self.kept.is_some()
    }

    /// The number of steps from which on it is to be asked again.
    pub(super) fn next(&self) -> u64 {
        if self.is_open() { 0 } else { self.from }
    }
}

impl Machine<'_, '_> {
    /// Checks whether the state at the entry of a block equals the one that is kept. An error ends the run.
    pub(super) fn look_for_repeat(&mut self, pc: usize) -> Flow<()> {
        while self.steps > self.repeats.until() {
            self.repeats = Repeats::after(self.repeats.from, Some(self.repeats.from));
        }
        if self.is_repeated(pc) {
            self.repeated = true;
            return Err(Outcome::OutOfSteps);
        }
        if !self.repeats.is_open() && self.steps >= self.repeats.from {
            let (state, asked) = (self.state(pc), self.asked_for());
            self.repeats.kept = Some(Box::new(Kept { state, asked, compared: 0 }));
        }
        Ok(())
    }

    fn asked_for(&self) -> Asked {
        [self.asked.len(), self.script.choices.len(), self.script.bodies.len()]
    }

    /// Whether the state is the one that is kept.
    fn is_repeated(&mut self, pc: usize) -> bool {
        let Some(mut kept) = self.repeats.kept.take() else { return false };
        let same = kept.state.pc == pc && kept.asked == self.asked_for() && self.is_like(&mut kept);
        self.repeats.kept = Some(kept);
        same
    }

    fn is_like(&mut self, kept: &mut Kept) -> bool {
        let before = &kept.state;
        let same_call = |(a, b): (&Frame, &Frame)| {
            // Which activation it is matters only to who asks for an input.
            let place = |f: &Frame| (f.piece, f.words, f.memories, f.generals, f.back, f.call);
            place(a) == place(b) && a.types == b.types
        };
        if self.frames.len() != before.frames.len() || self.words.len() != before.words.len() {
            return false;
        }
        // What may be large comes last.
        let is_map = |g: &Option<General>| matches!(g, Some(General { value: Value::Map(_), .. }));
        let generals = || self.generals.iter().zip(&before.generals);
        let small = self.frames.iter().zip(&before.frames).all(same_call)
            && self.variables().flatten().all(|i| self.words[i] == before.words[i])
            && generals().filter(|(a, _)| !is_map(a)).all(|(a, b)| a == b);
        if !small || kept.compared >= MOST {
            return false;
        }
        kept.compared += 1;
        let mut memories = self.memories.iter().zip(&before.memories);
        memories.all(|pair| match pair {
            (Some(a), Some(b)) => a.is_like(b, self.terms),
            (a, b) => a.is_none() && b.is_none(),
        }) && generals().filter(|(a, _)| is_map(a)).all(|(a, b)| a == b)
    }
}
