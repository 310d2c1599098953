//! Decisions of a run: symbolic branch conditions, the objects that pointers mean, preferences, and free choices.
//!
//! Runs that share a path must decide on the same things in the same order, as their decisions form one execution
//! tree. Where something else than the path determines whether there is a decision (which objects were tried, whether
//! runs may still be interrupted, what is covered), the tree is consulted about what earlier runs did there.
//!
//! Example: reading `m[p]` with a symbolic object `p` of value 5 records the decision `p == 5`; another run along the
//! same path records the same decision at the same position, perhaps with the arm `p != 5`.

use footpath_ir::interp::Outcome;
use footpath_term::{Op, TermId};

use super::execution_tree::{Arm, Node};
use super::machine::{Flow, Machine};
use super::options::Bound;
use super::value::{Kind, Symbolic, Word};

/// How many objects a pointer is tried with, one after the other.
const OBJECTS: usize = 8;

/// What a decision is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DecisionKind {
    /// A branch.
    Branch,
    /// An assumption, whose false arm is never explored.
    Assume,
    /// An assertion.
    Assert,
    /// A free choice.
    Choice,
    /// The choice of a body.
    Body,
    /// Which object a pointer points to.
    Object,
    /// A preference: runs in which it does not hold come later.
    TryFirst,
}

/// A point where a run could have taken another arm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decision {
    pub(super) kind: DecisionKind,
    /// The site; none for assumptions at no block.
    pub(super) site: Option<u32>,
    /// The condition; none for free choices.
    pub(super) term: Option<TermId>,
    /// Which arm: 1 if the condition holds, else 0; the number of the choice.
    pub(super) taken: u32,
    /// How many arms.
    pub(super) arms: u32,
}

impl Machine<'_, '_> {
    /// Records the outcome of a condition.
    pub(super) fn decide(&mut self, kind: DecisionKind, site: Option<u32>, condition: Word) {
        let Symbolic::Term(term) = self.with_known(condition).symbolic else { return };
        let holds = condition.bits != 0;
        if let Some(known) = self.settled.value(self.terms, term) {
            debug_assert_eq!(known, holds, "a condition is not what follows from the decisions before it");
            return;
        }
        self.settled.settle(self.terms, term, holds);
        self.record(Decision { kind, site, term: Some(term), taken: condition.bits as u32, arms: 2 });
    }

    /// Concretises an object: records a decision about which object it is, as otherwise every read of memory would
    /// depend on every write. Each object that it may be is an arm of the tree, as long as there are few.
    pub(super) fn pin(&mut self, object: Word) -> Word {
        let object = self.with_known(object);
        let Symbolic::Term(term) = object.symbolic else { return object };
        if self.pinned.contains(&term) {
            return Word::concrete(object.bits);
        }
        let sort = self.terms.sort(term);
        let Some(kind) = Kind::of(self.terms, sort).filter(|_| self.setup.symbolic) else { return object };
        let literal = kind.term(self.terms, object.bits);
        let this = self.terms.app(Op::Eq, [term, literal]);
        for _ in 0..OBJECTS {
            // It may be what the objects tried before leave, and then no run has a decision here.
            if self.is_decided(this) {
                return self.pinned_to(term, object.bits);
            }
            if self.is_full() {
                return object;
            }
            // Runs that share a path ask for the same objects in the same order.
            let asked = match self.next {
                Some(node) if self.tree.node(node).kind == DecisionKind::Object => {
                    self.tree.node(node).term.unwrap_or(this)
                }
                Some(_) => return object,
                None => this,
            };
            let word = Word { bits: u64::from(asked == this), symbolic: Symbolic::Term(asked) };
            self.decide(DecisionKind::Object, None, word);
            if asked == this {
                return self.pinned_to(term, object.bits);
            }
        }
        object
    }

    fn pinned_to(&mut self, term: TermId, bits: u64) -> Word {
        self.pinned.insert(term);
        self.equals(term, bits);
        Word::concrete(bits)
    }

    /// Whether the decisions on this path say whether a condition holds.
    pub(super) fn is_decided(&self, term: TermId) -> bool {
        self.settled.value(self.terms, term).is_some()
    }

    /// The decision that comes next in the tree, if a run was there before.
    pub(super) fn next_node(&self) -> Option<&Node> {
        self.next.map(|node| self.tree.node(node))
    }

    /// An object as a constant, if it was decided which one it is.
    pub(super) fn pinned(&self, object: Word) -> Word {
        match object.symbolic {
            Symbolic::Term(term) if self.pinned.contains(&term) => Word::concrete(object.bits),
            _ => object,
        }
    }

    /// Counts that a run comes to the head of a loop; those inside it begin anew. After too many iterations no decision is recorded.
    pub(super) fn count_iteration(&mut self, number: u32) {
        let inner = &self.unit.loops[number as usize];
        let count = self.unit.loops.len();
        let (Some(most), Some(frame)) = (self.setup.bounds.iterations, self.frames.last_mut()) else {
            return;
        };
        frame.laps.resize(count, 0);
        for &inner in inner {
            frame.laps[inner as usize] = 0;
        }
        let laps = &mut frame.laps[number as usize];
        *laps = laps.saturating_add(1);
        self.is_cut |= *laps - 1 > most;
    }

    /// Whether no further decision is recorded.
    fn is_full(&self) -> bool {
        self.is_cut || self.decisions.len() >= self.setup.bounds.branches
    }

    pub(super) fn record(&mut self, decision: Decision) {
        if !self.is_full() {
            self.next =
                self.next.and_then(|node| match self.tree.node(node).arms.get(decision.taken as usize) {
                    Some(Arm::Taken(next)) => *next,
                    _ => None,
                });
            self.decisions.push(decision);
            self.may_snapshot();
        } else if !self.truncated && self.setup.symbolic {
            self.truncated = true;
            self.varies();
            self.hits.hit(if self.is_cut { Bound::Iterations } else { Bound::Branches });
        }
    }

    /// Records whether a preference holds. The first run that reaches it and does not meet it is interrupted; with no
    /// interrupts left, a preference that no run reached before has no effect.
    pub(super) fn prefer(&mut self, condition: Word) -> Flow<()> {
        self.unpreferred |= condition.bits == 0;
        let condition = self.with_known(condition);
        let Symbolic::Term(term) = condition.symbolic else { return Ok(()) };
        if self.is_decided(term) {
            return Ok(());
        }
        if self.is_full() {
            self.varies();
            return Ok(());
        }
        let holds = condition.bits != 0;
        let known = match self.next {
            Some(node) if self.tree.node(node).kind == DecisionKind::TryFirst => true,
            Some(_) => {
                self.varies();
                return Ok(());
            }
            None if self.setup.interrupts => false,
            None => {
                self.varies();
                if !holds {
                    self.hits.hit(Bound::Interrupts);
                }
                return Ok(());
            }
        };
        self.decide(DecisionKind::TryFirst, None, condition);
        self.interrupted = !known && !holds;
        if self.interrupted { Err(Outcome::OutOfSteps) } else { Ok(()) }
    }

    /// A free choice; returns where the run continues.
    pub(super) fn choose(&mut self, number: u32) -> Flow<usize> {
        let choice = &self.unit.choices[number as usize];
        let count = choice.targets.len();
        let taken = self.source.choose(count).min(count - 1);
        self.script.choices.push(taken);
        let decision = Decision {
            kind: DecisionKind::Choice,
            site: Some(choice.site),
            term: None,
            taken: taken as u32,
            arms: count as u32,
        };
        self.record(decision);
        Ok(choice.targets[taken] as usize)
    }
}
