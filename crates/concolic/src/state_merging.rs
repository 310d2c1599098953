//! State merging (veritesting): small diamonds in the control flow become one state instead of two paths.
//!
//! **Idea.** If both arms of a branch only compute words, and meet after a few instructions, a run computes both: the
//! values after the join become `if condition then … else …` in the symbolic values, and the branch is no decision.
//! Each such branch halves the number of paths behind it.
//!
//! Example: `if (x < 0) x = -x;` gives `x` the symbolic value `ite(x < 0, -x, x)` on a single path.
//!
//! **Papers.** T. Avgerinos, A. Rebert, S. K. Cha, D. Brumley, "Enhancing symbolic execution with veritesting" (ICSE
//! 2014); V. Kuznetsov, J. Kinder, S. Bucur, G. Candea, "Efficient state merging in symbolic execution" (PLDI 2012).
//!
//! **Deviations.**
//! 1. Merging is done during a run, not on a graph: the values and the blocks are those of the arm that the run
//!    takes; the other arm only contributes symbolic values.
//! 2. A branch is merged once everything in its arms is covered; until then it is a decision, as its arms are what is
//!    looked for. Where an earlier run decided, later ones on the same path decide as well, and where it merged they
//!    merge, so that there is one execution tree.
//!
//! **Direction of error.** None. Operators on words have a value for all arguments, so computing an arm that is not
//! taken changes nothing. Merged branches are no longer distinguished, so an exploration with merging knows what can
//! be reached, not which paths there are.

use footpath_term::Op;

use super::code::{GLOBAL, Globals, Ins, Reg, Unit};
use super::decisions::DecisionKind;
use super::lower::target;
use super::machine::{Flow, Machine};
use super::options::Bound;
use super::value::{Class, Kind, Symbolic, Word};

/// Instructions in an arm, at most; jumps and blocks do not count.
const WORK: usize = 24;
/// Instructions that are looked at for where the arms meet.
const LOOK_AHEAD: usize = 64;

/// A branch whose arms can be merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Diamond {
    /// The instructions of the arms: where the condition is false, and where it holds.
    arms: [Vec<u32>; 2],
    /// Where they meet.
    join: u32,
    /// Variables that an arm writes to.
    written: Vec<(Reg, Kind)>,
    /// The goals in the arms.
    goals: Vec<u32>,
}

/// Finds the branches that can be merged.
pub(super) fn find_diamonds(unit: &mut Unit, globals: &Globals) {
    for pc in 0..unit.ins.len() {
        if let Ins::Branch { site, then_to, else_to, .. } = unit.ins[pc] {
            let diamond = diamond(unit, globals, [else_to, then_to]);
            unit.sites[(site - unit.first_site) as usize].diamond = diamond;
        }
    }
}

fn diamond(unit: &Unit, globals: &Globals, starts: [u32; 2]) -> Option<Diamond> {
    let ways = starts.map(|start| straight(unit, start));
    let position = ways[0].iter().position(|pc| ways[1].contains(pc))?;
    let join = ways[0][position];
    let other = ways[1].iter().position(|pc| *pc == join)?;
    let arms = [ways[0][..position].to_vec(), ways[1][..other].to_vec()];
    let variables = unit.words.0;
    let (mut written, mut goals) = (Vec::new(), Vec::new());
    for arm in &arms {
        let mut work = 0;
        for &pc in arm {
            let mut ins = unit.ins[pc as usize];
            match ins {
                Ins::Reach { goal } => goals.push(goal),
                Ins::Jump { .. } | Ins::Enter { .. } => {}
                _ => work += 1,
            }
            let to = match &mut ins {
                Ins::Move { to, .. } => Some(*to),
                other => target(other).copied(),
            };
            // Temporaries are not read behind the statement that they belong to.
            let Some(reg) = to.filter(|reg| reg & GLOBAL != 0 || *reg < variables) else { continue };
            if written.iter().any(|(known, _)| *known == reg) {
                continue;
            }
            let owner = match reg & GLOBAL {
                0 => unit.word_owners.get(reg as usize)?,
                _ => globals.word_owners.get((reg ^ GLOBAL) as usize)?,
            };
            let Class::Word(kind) = owner.class else { return None };
            written.push((reg, kind));
        }
        if work > WORK {
            return None;
        }
    }
    Some(Diamond { arms, join, written, goals })
}

/// The instructions from a place on that only compute words, jumps followed; and the first that does something else.
fn straight(unit: &Unit, start: u32) -> Vec<u32> {
    let mut way = Vec::new();
    let mut pc = start;
    while way.len() < LOOK_AHEAD && !way.contains(&pc) {
        way.push(pc);
        pc = match unit.ins[pc as usize] {
            Ins::Jump { to } => to,
            Ins::Enter { .. }
            | Ins::Reach { .. }
            | Ins::Move { .. }
            | Ins::Unary { .. }
            | Ins::Binary { .. }
            | Ins::Concat { .. }
            | Ins::Ite { .. } => pc + 1,
            _ => break,
        };
    }
    way
}

impl Machine<'_, '_> {
    /// Merges the arms of a branch, if that can be done; where the run goes on.
    pub(super) fn merge(&mut self, site: u32, condition: Word) -> Flow<Option<usize>> {
        let (Some(covered), Symbolic::Term(term)) = (self.merges, condition.symbolic) else {
            return Ok(None);
        };
        let Some(diamond) = self.unit.site(site).diamond.as_ref() else { return Ok(None) };
        if self.is_decided(term) {
            return Ok(None);
        }
        let merged = match self.next_node() {
            Some(node) => node.kind != DecisionKind::Branch || node.term != Some(term),
            None => diamond.goals.iter().all(|&g| covered[g as usize]),
        };
        if !merged || !self.are_set(diamond) {
            return Ok(None);
        }
        self.varies();
        let before: Vec<Word> =
            diamond.written.iter().map(|&(reg, _)| self.words[self.word_at(reg)]).collect();
        let taken = usize::from(condition.bits != 0);
        self.compute(&diamond.arms[1 - taken], false)?;
        let mut other = Vec::with_capacity(before.len());
        for (&(reg, _), word) in diamond.written.iter().zip(before) {
            let at = self.word_at(reg);
            other.push(std::mem::replace(&mut self.words[at], word));
        }
        self.compute(&diamond.arms[taken], true)?;
        for (&(reg, kind), other) in diamond.written.iter().zip(other) {
            let at = self.word_at(reg);
            let own = self.words[at];
            if own.bits == other.bits && own.symbolic == other.symbolic {
                continue;
            }
            let (own_term, other_term) = (self.term_of(kind, own), self.term_of(kind, other));
            let arms = if taken == 1 { [own_term, other_term] } else { [other_term, own_term] };
            let all = self.terms.app(Op::Ite, [term, arms[0], arms[1]]);
            self.words[at].symbolic = self.symbolic_of(all);
        }
        Ok(Some(diamond.join as usize))
    }

    /// Whether both arms read and leave behind only what has a value: asking for an input in one arm alone would make
    /// runs on one path differ.
    fn are_set(&self, diamond: &Diamond) -> bool {
        let unset =
            |machine: &Self, reg: Reg| machine.words[machine.word_at(reg)].symbolic == Symbolic::Unset;
        if diamond.written.iter().any(|&(reg, _)| unset(self, reg)) {
            return false;
        }
        diamond.arms.iter().all(|arm| {
            let mut known: Vec<Reg> = Vec::new();
            arm.iter().all(|&pc| {
                let mut ins = self.unit.ins[pc as usize];
                let reads: [Option<Reg>; 3] = match ins {
                    Ins::Move { from, .. } => [Some(from), None, None],
                    Ins::Unary { a, .. } => [Some(a), None, None],
                    Ins::Binary { a, b, .. } | Ins::Concat { a, b, .. } => [Some(a), Some(b), None],
                    Ins::Ite { condition, a, b, .. } => [Some(condition), Some(a), Some(b)],
                    _ => [None; 3],
                };
                let fine = reads.into_iter().flatten().all(|reg| known.contains(&reg) || !unset(self, reg));
                known.extend(match &mut ins {
                    Ins::Move { to, .. } => Some(*to),
                    other => target(other).copied(),
                });
                fine
            })
        })
    }

    /// Executes an arm; only one that the run really takes leaves a trace.
    fn compute(&mut self, arm: &[u32], takes: bool) -> Flow<()> {
        for &pc in arm {
            match self.unit.ins[pc as usize] {
                Ins::Enter { block, steps } if takes => {
                    self.steps += u64::from(steps);
                    if self.steps > self.setup.bounds.steps {
                        return Err(self.out_of(Bound::Steps));
                    }
                    self.path.add(block, self.frames.len() as u32 - 1);
                }
                Ins::Reach { goal } if takes => self.reach(goal),
                Ins::Move { to, from } => {
                    let word = self.word(from)?;
                    self.set_word(to, word);
                }
                Ins::Unary { op, kind, to, a } => {
                    let word = self.unary(op, kind, a)?;
                    self.set_word(to, word);
                }
                Ins::Binary { op, kind, to, a, b } => {
                    let word = self.binary(op, kind, a, b)?;
                    self.set_word(to, word);
                }
                Ins::Concat { high, low, to, a, b } => {
                    let word = self.concat(high, low, a, b)?;
                    self.set_word(to, word);
                }
                Ins::Ite { kind, to, condition, a, b } => {
                    let word = self.ite(kind, condition, a, b)?;
                    self.set_word(to, word);
                }
                _ => {}
            }
        }
        Ok(())
    }
}
