//! Path numbering of decisions: a block for each way in which a Boolean expression of the source can be evaluated.
//!
//! **Idea.** The code of `(a || b) && c` has one branch for `c`, from which it cannot be seen whether `a` or `b` held. A
//! variable counts the weights of the arms that an evaluation takes (`llvm/decisions.rs`), and behind the last condition its value tells
//! which evaluation this was: there each of them has a block, from which the program goes on as if nothing had been there.
//! Reaching that block is reaching the evaluation, for every search and every proof. Example: with the weights that `a` counts
//! 3, `b` counts 1 and `c` counts 1,
//!
//! ```text
//! way := 3 or 0;  way := way + 1 where b holds;  where c does not: if way = 3: L1.evaluation else …
//! ```
//!
//! A decision in which no two ways come together needs no variable: the arm itself is the evaluation. The last condition of a value
//! and a comparison that is used as a number have no branch, so one is made.
//!
//! **Direction of error.** None: the variable and the blocks change nothing that the program computes. An evaluation
//! within another one of the same decision (a recursive call) has a variable of its own.

use footpath_ir::source::Span;
use footpath_ir::{BlockId, Statement, StatementKind, Terminator, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId};
use rustc_hash::FxHashMap;

use crate::llvm::ast::{BlockIx, Code, Value};
use crate::llvm::decisions::{Decision, Next, Place, decisions};

use super::super::Unsupported;
use super::super::facts::link::FnRef;
use super::super::source::debug_info::Side;
use super::context::Context;
use super::function::{BlockRole, Lowering};

/// The bits of the variable: enough for the largest number of an evaluation.
const BITS: u32 = 8;

/// A decision of a lowered function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredDecision {
    /// Its position among all decisions of the function.
    pub number: usize,
    /// Its conditions and what follows each.
    pub decision: Decision,
    /// Where the conditions stand.
    pub conditions: Vec<Span>,
    /// For each condition, whether its value in LLVM's text is the opposite of what the source says.
    pub exchanged: Vec<bool>,
    /// What the conditions are in the source, without negations around them.
    pub texts: Vec<String>,
    /// For each evaluation the block that is entered exactly by it; none if there are too many.
    pub blocks: Vec<BlockId>,
}

impl LoweredDecision {
    /// Whether two conditions are written alike, but for negations.
    pub fn is_coupled(&self, one: usize, other: usize) -> bool {
        self.texts[one] == self.texts[other]
    }
}

/// The decisions of a function that is being lowered.
#[derive(Default)]
pub(crate) struct Evaluations {
    decisions: Vec<LoweredDecision>,
    at: FxHashMap<Place, (usize, usize)>,
    /// For each decision the variable that counts, if it needs one.
    ways: Vec<Option<SymbolId>>,
}

impl Evaluations {
    /// The decisions of a function, if they are asked for.
    pub(crate) fn of(cx: &mut Context, f: FnRef, code: &Code, span: Span) -> Evaluations {
        let mut all = Evaluations::default();
        if !cx.options.decisions || f.module as usize >= cx.options.user_modules {
            return all;
        }
        for (number, decision) in decisions(cx.module(f.module), code).into_iter().enumerate() {
            for (i, condition) in decision.conditions.iter().enumerate() {
                all.at.insert(condition.place, (number, i));
            }
            let sort = cx.terms.bit_vec_sort(BITS);
            let way = decision.has_joins().then(|| cx.terms.fresh_symbol("way", sort));
            all.ways.push(way);
            all.decisions.push(LoweredDecision {
                number,
                conditions: vec![span; decision.conditions.len()],
                exchanged: vec![false; decision.conditions.len()],
                texts: vec![String::new(); decision.conditions.len()],
                blocks: vec![BlockId(0); decision.evaluations.len()],
                decision,
            });
        }
        all
    }

    /// Whether the value of a condition is known at a place.
    pub(crate) fn is_condition(&self, place: Place) -> bool {
        self.at.contains_key(&place)
    }

    /// The variables.
    pub(crate) fn variables(&self) -> Vec<SymbolId> {
        self.ways.iter().flatten().copied().collect()
    }

    pub(crate) fn finish(&mut self) -> Vec<LoweredDecision> {
        std::mem::take(&mut self.decisions)
    }
}

impl Lowering<'_, '_, '_> {
    /// The targets of a branch, behind the blocks of the evaluations that the condition ends. Says where the condition stands.
    pub(crate) fn marked(
        &mut self,
        place: Place,
        asked: Value,
        then_to: BlockId,
        else_to: BlockId,
    ) -> (BlockId, BlockId) {
        let Some(&(number, condition)) = self.evaluations.at.get(&place) else { return (then_to, else_to) };
        let is_last = condition + 1 == self.evaluations.decisions[number].conditions.len();
        let side = match place {
            Place::Branch(_) if is_last && condition > 0 => Side::Last,
            Place::Branch(_) => Side::Left,
            Place::Jump(_) | Place::Behind(_) => Side::Right,
        };
        let computed = self.computed_at(asked);
        let span = self.debug.condition_at(self.span, side, computed);
        let is_exchanged = self.is_exchanged(span, asked);
        let text: String = self.debug.text(span).split_whitespace().collect();
        let here = &mut self.evaluations.decisions[number];
        here.conditions[condition] = span;
        here.exchanged[condition] = is_exchanged;
        here.texts[condition] = text.trim_matches(['!', '(', ')']).to_owned();
        let then_to = self.mark(number, condition, true, then_to);
        (then_to, self.mark(number, condition, false, else_to))
    }

    /// A block that counts the value of a condition, or says which evaluation it ends, before the program goes on.
    fn mark(&mut self, number: usize, condition: usize, value: bool, to: BlockId) -> BlockId {
        let decision = &self.evaluations.decisions[number].decision;
        let weight = if value { i64::from(decision.weights[condition]) } else { 0 };
        let way = self.evaluations.ways[number];
        if let Next::Condition(_) = decision.conditions[condition].next[usize::from(value)] {
            return match way {
                Some(way) if condition == 0 || weight > 0 => self.count(way, condition == 0, weight, to),
                _ => to,
            };
        }
        let mut otherwise = None;
        for evaluation in decision.ending(condition, value).into_iter().rev() {
            let block = self.jump("evaluation", to);
            self.evaluations.decisions[number].blocks[evaluation] = block;
            otherwise = Some(match (otherwise, way) {
                (Some(otherwise), Some(way)) => {
                    self.choice(way, evaluation as i64 - weight, block, otherwise)
                }
                _ => block,
            });
        }
        otherwise.unwrap_or(to)
    }

    fn jump(&mut self, name: &str, to: BlockId) -> BlockId {
        let block = self.add_block(name, BlockRole::Glue);
        let span = self.span;
        self.blocks[block.index()].terminator =
            Some(Terminator { kind: TerminatorKind::Goto(vec![to]), span });
        block
    }

    fn count(&mut self, way: SymbolId, is_first: bool, weight: i64, to: BlockId) -> BlockId {
        let block = self.jump("edge", to);
        let mut sum = self.cx.bv(BITS, weight);
        if !is_first {
            let before = self.cx.terms.var(way);
            sum = self.cx.app(Op::BvAdd, &[before, sum]);
        }
        let statement = Statement::new(StatementKind::Assign(vec![(way, sum)]), self.span);
        self.blocks[block.index()].statements.push(statement);
        block
    }

    fn choice(&mut self, way: SymbolId, number: i64, then_to: BlockId, else_to: BlockId) -> BlockId {
        let block = self.add_block("edge", BlockRole::Glue);
        let (way, number) = (self.cx.terms.var(way), self.cx.bv(BITS, number));
        let condition = self.cx.app(Op::Eq, &[way, number]);
        let kind = TerminatorKind::Branch { condition, then_to, else_to };
        self.blocks[block.index()].terminator = Some(Terminator { kind, span: self.span });
        block
    }

    /// A branch on the last condition of a decision whose outcome is a value, where LLVM's text has only a jump.
    pub(crate) fn last_condition(&mut self, from: BlockIx, to: BlockIx) -> Result<(), Unsupported> {
        let place = Place::Jump(from);
        let Some(value) = self.value_at(place) else { return Ok(()) };
        let condition = self.value_of(value)?[0];
        let pairs = self.phi_assignments(from, to)?;
        let join = self.add_block("edge", BlockRole::Edge(from, 0));
        let span = self.span;
        let block = &mut self.blocks[join.index()];
        if !pairs.is_empty() {
            block.statements.push(Statement::new(StatementKind::Assign(pairs), span));
        }
        block.terminator = Some(Terminator { kind: TerminatorKind::Goto(vec![BlockId(to.0)]), span });
        self.branch_at(place, value, condition, join);
        Ok(())
    }

    /// The same behind an instruction whose result is a condition that is used as a number.
    pub(crate) fn behind_condition(&mut self, number: u32) -> Result<(), Unsupported> {
        let place = Place::Behind(number);
        let Some(value) = self.value_at(place) else { return Ok(()) };
        let condition = self.value_of(value)?[0];
        let rest = self.add_block("value", BlockRole::Glue);
        self.branch_at(place, value, condition, rest);
        self.continue_in(rest);
        Ok(())
    }

    fn value_at(&self, place: Place) -> Option<Value> {
        let &(number, condition) = self.evaluations.at.get(&place)?;
        Some(self.evaluations.decisions[number].decision.conditions[condition].value)
    }

    fn branch_at(&mut self, place: Place, value: Value, condition: TermId, to: BlockId) {
        let (then_to, else_to) = self.marked(place, value, to, to);
        self.terminate(TerminatorKind::Branch { condition, then_to, else_to });
    }
}
