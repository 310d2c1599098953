//! Backbone trees: the acyclic paths to a target, found by symbolic execution, with loop summaries at the loops that
//! they enter.
//!
//! **Idea.** From the start, every path to a target that repeats no block is followed (a *backbone*). If a block lies
//! on a cycle that avoids the blocks already passed, a loop is entered: it is summarised once for any number of
//! iterations, and the path continues from its head. A part of the tree whose conditions contradict each other is not
//! built.
//!
//! Example: for `i = 0; while (i < n) i++; if (i == 5) target;` there is one backbone: the entry, the loop head with
//! the summary "`i` is κ after κ iterations", and the true arm of the last branch.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Sections 2 (loop at a vertex, induced
//! program), 4.3 to 4.5 and Algorithms 1, 2 and 4.
//!
//! **Deviations.**
//! 1. A loop is summarised in the state in which it is entered, not from an arbitrary one: what the loop does not
//!    change keeps its value, so constants before the loop are known in it. A summary is therefore used in one place
//!    only.
//! 2. The vertices are blocks, which have statements. An iteration ends where the loop's head is entered again.
//! 3. There may be several targets. A run ends at the first one that it reaches, so no loop contains one.
//! 4. Nothing is normalised, and any graph will do: the loop at a block is the strongly connected component that
//!    contains it once the blocks passed before are removed.
//! 5. A loop with too many paths through it is summarised as one of which nothing is known.
//!
//! **Direction of error.** In one direction: the tree represents more runs than there are.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_ir::{BlockId, Body, StatementKind, TerminatorKind};
use footpath_smt::{Answer, Solver};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};
use footpath_transform::state::State;
use footpath_transform::theory::Theory;
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::array_bounds;
use crate::constant_propagation::may_lead;
use crate::graph::Graph;
use crate::invariants::strengthen;
use crate::iterated_states;
use crate::summary::{Carried, Step, Summary, Tree};
use crate::trip_count;

/// The largest number of paths through a loop that are distinguished.
const MAX_ROUNDS: usize = 24;
/// How many blocks all trees together may have.
const MAX_STEPS: usize = 30_000;
/// Time for a query whether a prefix is feasible.
const PREFIX_TIMEOUT: Duration = Duration::from_millis(250);

/// Time for the invariants of one loop, and of all together.
const INVARIANTS: Duration = Duration::from_millis(500);
const ALL_INVARIANTS: Duration = Duration::from_secs(2);
/// Time for quantified invariants over array elements, in all loops together.
const ELEMENTS: Duration = Duration::from_secs(3);

/// Why there is no tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GaveUp {
    /// Time ran out, or the user stopped it.
    Stopped,
    /// There are too many backbones.
    TooMany,
}

/// A variable whose value after a loop is not known exactly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// The loop's head.
    pub head: BlockId,
    /// The variable; `None` if it is the loop as a whole.
    pub variable: Option<SymbolId>,
    /// Why no closed form is known.
    pub why: String,
}

/// Builds backbone trees of one body.
pub(crate) struct Explorer<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) body: &'a Body,
    pub(crate) theory: &'a Theory<'a>,
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) deadline: Option<Deadline>,
    pub(crate) targets: Vec<bool>,
    graph: Graph,
    /// The blocks of the path so far.
    passed: Vec<bool>,
    steps: usize,
    /// Time left for invariants, and for quantified invariants over array elements.
    patience: Duration,
    element_patience: Duration,
    pub(crate) losses: Vec<Loss>,
}

/// A leaf of a tree: the steps to it, and the state there.
struct Leaf {
    steps: Vec<Step>,
    state: State,
}

/// Where a search ends, and where it may go.
struct Region {
    /// The head of the loop whose paths are searched; `None` for the program itself.
    head: Option<BlockId>,
    /// The blocks that may be entered.
    allowed: Vec<bool>,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(
        terms: &'a mut Terms,
        body: &'a Body,
        theory: &'a Theory<'a>,
        solver: &'a mut dyn Solver,
        targets: &[BlockId],
        stop: &'a AtomicBool,
        deadline: Option<Deadline>,
    ) -> Explorer<'a> {
        let mut is_target = vec![false; body.blocks.len()];
        targets.iter().for_each(|t| is_target[t.index()] = true);
        solver.set_timeout(Some(PREFIX_TIMEOUT));
        Explorer {
            graph: Graph::of(body, &is_target),
            passed: vec![false; body.blocks.len()],
            terms,
            body,
            theory,
            solver,
            stop,
            deadline,
            targets: is_target,
            steps: 0,
            patience: Duration::ZERO,
            element_patience: Duration::ZERO,
            losses: Vec::new(),
        }
    }

    /// Whether loops are searched for invariants.
    pub(crate) fn search_invariants(&mut self, wanted: bool) {
        (self.patience, self.element_patience) =
            if wanted { (ALL_INVARIANTS, ELEMENTS) } else { (Duration::ZERO, Duration::ZERO) };
    }

    /// The backbone tree of the body; `None` if no backbone is feasible.
    pub(crate) fn tree(&mut self, initial: &State) -> Result<Option<Tree>, GaveUp> {
        let allowed = self.graph.leads_to_target();
        if !allowed[Body::ENTRY.index()] {
            return Ok(None);
        }
        let region = Region { head: None, allowed };
        let mut leaves = None;
        self.visit(Body::ENTRY, Vec::new(), initial.clone(), &region, &mut Vec::new(), &mut leaves)
    }

    fn pause(&mut self) -> Result<(), GaveUp> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(GaveUp::TooMany);
        }
        let late = self.deadline.is_some_and(Deadline::is_over);
        if late || self.stop.load(Ordering::Relaxed) { Err(GaveUp::Stopped) } else { Ok(()) }
    }

    /// Whether the conditions of the path, which are on the solver's stack, are satisfiable.
    fn is_possible(&mut self) -> bool {
        self.solver.check(self.terms, &[]) != Answer::Unsat
    }

    /// Enters a block from outside: a target ends the path, the head of a loop is summarised first. In the search for
    /// iterations, `leaves` collects the paths through the loop; the tree that is returned is then not used.
    fn visit(
        &mut self,
        at: BlockId,
        entering: Vec<TermId>,
        state: State,
        region: &Region,
        way: &mut Vec<Step>,
        leaves: &mut Option<Vec<Leaf>>,
    ) -> Result<Option<Tree>, GaveUp> {
        self.pause()?;
        let is_end = region.head.map_or(self.targets[at.index()], |head| head == at);
        if is_end {
            let end = Step { block: at, around: None, locals: Vec::new(), conditions: entering };
            if let Some(leaves) = leaves {
                if leaves.len() == MAX_ROUNDS {
                    return Err(GaveUp::TooMany);
                }
                let steps = way.iter().cloned().chain([end.clone()]).collect();
                leaves.push(Leaf { steps, state });
            }
            return Ok(Some(Tree { step: end, next: Vec::new() }));
        }
        if self.passed[at.index()] || !region.allowed[at.index()] || self.targets[at.index()] {
            return Ok(None);
        }
        let mut state = state;
        let mut around = None;
        if let Some(part) = self.graph.loop_at(at, &self.passed, &region.allowed) {
            if !self.is_worth_entering(at, &entering, &state, region) {
                return Ok(None);
            }
            around = self.summarise(at, &part, &mut state)?.map(Rc::new);
        }
        self.execute(at, entering, around, state, region, way, leaves)
    }

    /// Whether a loop may be entered and may lead to a target, judged by checks that are cheaper than a summary.
    fn is_worth_entering(
        &mut self,
        head: BlockId,
        entering: &[TermId],
        state: &State,
        region: &Region,
    ) -> bool {
        // A path through another loop leads back to that loop's head.
        if region.head.is_none() && !may_lead(self.terms, self.body, &self.targets, head, state) {
            return false;
        }
        self.solver.push();
        let asserted = entering.iter().all(|&c| self.solver.assert(self.terms, c).is_ok());
        let possible = !asserted || entering.is_empty() || self.is_possible();
        self.solver.pop(1);
        possible
    }

    /// Executes a block and goes on from it.
    #[expect(clippy::too_many_arguments, reason = "the state of one recursive search")]
    fn execute(
        &mut self,
        at: BlockId,
        entering: Vec<TermId>,
        around: Option<Rc<Summary>>,
        mut state: State,
        region: &Region,
        way: &mut Vec<Step>,
        leaves: &mut Option<Vec<Leaf>>,
    ) -> Result<Option<Tree>, GaveUp> {
        let body = self.body;
        let block = &body[at];
        let mut step = Step { block: at, around, locals: Vec::new(), conditions: entering };
        for statement in &block.statements {
            let mut havocs = Vec::new();
            let condition = state.execute(self.terms, statement, &mut havocs);
            for (_, value) in havocs {
                if let Op::Var(symbol) = self.terms.term(value).op {
                    step.locals.push(symbol);
                }
            }
            if let Some(condition) = condition {
                step.conditions.push(self.expand(condition));
            }
        }
        let ways: Vec<(BlockId, Option<TermId>)> = match &block.terminator.kind {
            TerminatorKind::Goto(targets) => targets.iter().map(|&t| (t, None)).collect(),
            TerminatorKind::Branch { condition, then_to, else_to } => {
                let condition = state.eval(self.terms, *condition);
                let condition = self.expand(condition);
                let not = self.terms.app(Op::Not, [condition]);
                vec![(*then_to, Some(condition)), (*else_to, Some(not))]
            }
            TerminatorKind::Return | TerminatorKind::Fail | TerminatorKind::Cut => Vec::new(),
        };
        self.solver.push();
        let asserted = step.conditions.iter().all(|&c| self.solver.assert(self.terms, c).is_ok());
        let dead = step.conditions.iter().any(|&c| self.terms.as_bool(c) == Some(false))
            || (asserted && !step.conditions.is_empty() && !self.is_possible());
        let mut next = Vec::new();
        let mut failed = None;
        if !dead {
            self.passed[at.index()] = true;
            way.push(step.clone());
            for (to, condition) in ways {
                if condition.is_some_and(|c| self.terms.as_bool(c) == Some(false)) {
                    continue;
                }
                match self.visit(to, condition.into_iter().collect(), state.clone(), region, way, leaves) {
                    Ok(subtree) => next.extend(subtree),
                    Err(why) => {
                        failed = Some(why);
                        break;
                    }
                }
            }
            way.pop();
            self.passed[at.index()] = false;
        }
        self.solver.pop(1);
        match failed {
            Some(why) => Err(why),
            None if next.is_empty() => Ok(None),
            None => Ok(Some(Tree { step, next })),
        }
    }

    fn expand(&mut self, t: TermId) -> TermId {
        self.theory.expand(self.terms, &[t])[0]
    }

    /// Summarises the loop at `head`, and makes `state` the state after any number of iterations. There is no summary
    /// if no iteration is possible.
    fn summarise(
        &mut self,
        head: BlockId,
        part: &[BlockId],
        state: &mut State,
    ) -> Result<Option<Summary>, GaveUp> {
        let changed = self.changed_in(part);
        let mut inside = state.clone();
        let mut variables = Vec::new();
        for variable in changed {
            let first = state.get(self.terms, variable);
            let first = self.expand(first);
            let declared = self.terms.symbol(variable).clone();
            let start = self.terms.fresh_symbol(declared.name, declared.sort);
            let start_term = self.terms.var(start);
            inside.set(variable, start_term);
            variables.push(iterated_states::Variable { variable, start, first });
        }
        let mut allowed = vec![false; self.body.blocks.len()];
        part.iter().for_each(|b| allowed[b.index()] = true);
        let region = Region { head: Some(head), allowed };
        let mut leaves = Some(Vec::new());
        let steps_before = self.steps;
        let explored = self.execute(head, Vec::new(), None, inside, &region, &mut Vec::new(), &mut leaves);
        let too_many = match explored {
            Err(GaveUp::Stopped) => return Err(GaveUp::Stopped),
            // Another loop in it may have been too much as well.
            Err(GaveUp::TooMany) if self.steps > MAX_STEPS => return Err(GaveUp::TooMany),
            Err(GaveUp::TooMany) => true,
            Ok(_) => false,
        };
        if too_many {
            self.steps = steps_before;
            let why = format!("the loop body has more than {MAX_ROUNDS} paths");
            self.losses.push(Loss { head, variable: None, why });
            return Ok(Some(self.opaque(&variables, state)));
        }
        let leaves = leaves.unwrap_or_default();
        if leaves.is_empty() {
            return Ok(None);
        }
        let ways = leaves.into_iter().map(|leaf| {
            let values = variables.iter().map(|v| leaf.state.get(self.terms, v.variable));
            let values: Vec<TermId> = values.collect();
            let values = self.theory.expand(self.terms, &values);
            iterated_states::LoopPath { steps: leaf.steps, values }
        });
        let mut ways: Vec<iterated_states::LoopPath> = ways.collect();
        trip_count::relate(self.terms, self.solver, &mut ways);
        self.solver.set_timeout(Some(PREFIX_TIMEOUT));
        let (mut summary, values, forms) =
            iterated_states::summarise(self.terms, head, &variables, &ways, self.solver, &mut self.losses);
        let asked = Instant::now();
        strengthen(self.terms, self.solver, &mut summary, &forms, self.patience.min(INVARIANTS));
        self.patience = self.patience.saturating_sub(asked.elapsed());
        let asked = Instant::now();
        array_bounds::find(self.terms, self.solver, &mut summary, self.element_patience);
        self.element_patience = self.element_patience.saturating_sub(asked.elapsed());
        self.solver.set_timeout(Some(PREFIX_TIMEOUT));
        for (v, value) in variables.iter().zip(values) {
            state.set(v.variable, value);
        }
        Ok(Some(summary))
    }

    /// A loop of which nothing is known but the variables that it may change.
    fn opaque(&mut self, variables: &[iterated_states::Variable], state: &mut State) -> Summary {
        let mut carried = Vec::new();
        for v in variables {
            let declared = self.terms.symbol(v.variable).clone();
            let end = self.terms.fresh_symbol(declared.name, declared.sort);
            let term = self.terms.var(end);
            state.set(v.variable, term);
            carried.push(Carried { start: v.start, end, first: v.first, relation: None, elements: None });
        }
        let total = self.terms.fresh_symbol("rounds", SortId::INT);
        Summary {
            rounds: Vec::new(),
            counters: Vec::new(),
            taken: Vec::new(),
            total,
            number: total,
            count: None,
            carried,
            invariant: Vec::new(),
            passed: Vec::new(),
            opaque: true,
        }
    }

    /// The variables that the blocks assign or havoc, each once.
    fn changed_in(&self, part: &[BlockId]) -> Vec<SymbolId> {
        let mut seen = FxHashSet::default();
        let mut changed = Vec::new();
        for statement in part.iter().flat_map(|&b| &self.body[b].statements) {
            match &statement.kind {
                StatementKind::Assign(pairs) => changed.extend(pairs.iter().map(|(s, _)| *s)),
                StatementKind::Havoc(symbols) => changed.extend(symbols),
                _ => {}
            }
        }
        changed.retain(|s| seen.insert(*s));
        changed
    }
}
