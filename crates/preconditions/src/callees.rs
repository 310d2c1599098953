//! Bottom-up computation of procedure summaries: failure conditions of callees, with a fixpoint for recursion.
//!
//! **Idea.** A procedure that is called more than once is analysed by itself, from an arbitrary state. If its
//! condition is exact, a call of it is "fails if C" over the arguments, followed by those of its effects that are
//! read later (`effect.rs`); so a call costs the literals of C instead of the callee's paths. If some runs may stay
//! in a loop or block, the condition R under which a run returns is found in the same way, with "returns" in place of
//! "fails", and the code after the call is only reached if R holds.
//!
//! Procedures that call themselves are summarised by a fixpoint (`recursion.rs`).
//!
//! Example: `int half(int n) { assert(n % 2 == 0); return n / 2; }` has C = `n % 2 != 0`; the call `half(a + b)` is
//! "fails if `(a + b) % 2 != 0`" and `result := (a + b) / 2`.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007) has no
//! calls; this is its "fails if C" in front of a call instead of a segment.
//!
//! **Deviations.**
//! 1. A callee that is called once is inlined: its segments are explored once in either case, and in its caller's
//!    terms.
//! 2. A callee is also inlined if its condition is not exact, or if its summary would branch more often than its body.
//!
//! **Direction of error.** C and R replace a call only if they are exact. Whether runs return is only asked where
//! none fails: where C holds, the caller has failed already.

use std::time::Duration;

use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Program, Statement, StatementKind, Terminator,
    TerminatorKind,
};
use footpath_simplify::Dnf;
use footpath_term::{SymbolId, TermId};
use footpath_transform::prepare::Role;
use footpath_transform::{Standin, Standins};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::Classes;
use crate::backward::Hoist;
use crate::call_graph::Graph;
use crate::effect::Effect;
use crate::families;
use crate::partition::{Cut, Goal, cut, mentioned};
use crate::result::{Callee, Error, Exactness};
use crate::segment::cascade;
use crate::tools::Tools;

/// The longest that a callee may take.
const LONGEST: Duration = Duration::from_secs(20);

/// Which callees are analysed by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// Those that are called more than once, or call themselves.
    Repeated,
    /// Those whose runs are determined by their initial state, so that "can fail" means "fails".
    Determined,
}

/// Analyses the callees of some bodies and returns the bodies that replace them.
pub(crate) fn summarise<'a>(
    tools: Tools<'a>,
    roots: &[(ProcId, u32)],
    which: Which,
    classes: Classes<'a>,
) -> Result<(Tools<'a>, Standins, Vec<Callee>), Error> {
    let graph = Graph::of(tools.program, roots);
    let mut work = Work {
        tools: Some(tools),
        which,
        classes,
        graph,
        standins: Standins::default(),
        callees: Vec::new(),
        paths: 0,
    };
    for group in work.graph.groups.clone() {
        work.group(&group)?;
    }
    let tools = work.take();
    Ok((tools, work.standins, work.callees))
}

pub(crate) struct Work<'a> {
    /// `None` while a body is analysed, which then has them.
    tools: Option<Tools<'a>>,
    which: Which,
    classes: Classes<'a>,
    pub(crate) graph: Graph,
    pub(crate) standins: Standins,
    callees: Vec<Callee>,
    /// Paths for the procedures at hand.
    paths: u64,
}

impl<'a> Work<'a> {
    fn take(&mut self) -> Tools<'a> {
        self.tools.take().expect("the tools are given back after each body")
    }

    fn group(&mut self, group: &[ProcId]) -> Result<(), Error> {
        let recursive = self.graph.is_recursive(group[0]);
        let program = self.tools().program;
        let worth = match self.which {
            Which::Repeated => recursive || self.graph.calls(group[0]) > 1,
            Which::Determined => group.iter().all(|&p| is_determined(program, p)),
        };
        if !worth || !group.iter().all(|&p| is_plain(program, p)) || self.tools().is_late() {
            return Ok(());
        }
        self.paths = 0;
        let outer = self.tools().deadline;
        let longest = outer.map_or(LONGEST, |d| d.left() / 3).min(LONGEST);
        let limit = self.tools().options.time.map(|_| Deadline::after(longest));
        self.tools().until(limit);
        let chosen = std::mem::take(&mut self.tools().chosen);
        let mut instantiated = if recursive { self.recursion(group)? } else { self.single(group[0])? };
        if self.which == Which::Determined && self.tools().chosen {
            // An uninitialised variable decides.
            group.iter().for_each(|p| drop(self.standins.0.remove(p)));
            instantiated = false;
        }
        self.tools().chosen |= chosen;
        self.tools().until(outer);
        for (i, &procedure) in group.iter().enumerate() {
            let paths = if i == 0 { self.paths } else { 0 };
            self.callees.push(Callee { procedure, paths, instantiated });
        }
        Ok(())
    }

    pub(crate) fn tools(&mut self) -> &mut Tools<'a> {
        self.tools.as_mut().expect("the tools are given back after each body")
    }

    pub(crate) fn cut(&mut self, procedure: ProcId, goal: Goal) -> Cut {
        let classes = self.classes;
        let tools = self.tools.as_mut().expect("the tools are given back after each body");
        cut(tools, (procedure, 0), Role::Callee, goal, classes, &self.standins)
    }

    /// The condition under which a run of a body meets its goal, and whether it is exact.
    pub(crate) fn solve(
        &mut self,
        procedure: ProcId,
        cut: Cut,
        extra: Option<SymbolId>,
    ) -> Result<(Dnf, bool), Error> {
        let tools = self.take();
        let mut inputs: FxHashSet<SymbolId> =
            tools.program[procedure].bodies[0].params.iter().map(|v| v.symbol).collect();
        inputs.extend(extra);
        let mut hoist = Hoist::new(tools, cut);
        hoist.solve(None)?;
        let condition = hoist.at_entry(&inputs);
        // What stands for a call is made of branches that runs can decide.
        let exact =
            hoist.exactness() == Exactness::Exact && !families::speaks(&hoist.tools.terms, &condition);
        self.paths += hoist.rounds.iter().map(|r| r.paths).sum::<u64>();
        let mut tools = hoist.tools;
        let condition = tools.simplifier.simplify(&mut tools.terms, &condition);
        self.tools = Some(tools);
        Ok((condition, exact))
    }

    pub(crate) fn effect(&mut self, procedure: ProcId, cut: &Cut) -> Effect {
        let program = self.tools().program;
        let outputs = self.graph.outputs(program, procedure);
        self.effect_on(cut, &outputs)
    }

    /// What a body does to these variables.
    pub(crate) fn effect_on(&mut self, cut: &Cut, outputs: &FxHashSet<SymbolId>) -> Effect {
        let tools = self.tools();
        let globals = tools.program.globals.iter().map(|g| g.variable.symbol);
        let constants = tools.program.constants.iter().map(|c| c.symbol);
        let mut inputs: FxHashSet<SymbolId> = globals.chain(constants).collect();
        inputs.extend(cut.body.params.iter().map(|v| v.symbol));
        inputs.extend(cut.olds.iter().map(|(old, _)| *old));
        Effect::of(&tools.terms, &cut.body, &inputs, outputs)
    }

    /// Analyses a procedure that is not recursive.
    fn single(&mut self, procedure: ProcId) -> Result<bool, Error> {
        let body = self.cut(procedure, Goal::Fails);
        if body.bounded.is_some() {
            return Ok(false);
        }
        let effect = self.effect(procedure, &body);
        if effect.arbitrary && (effect.may_stay || self.which == Which::Determined) {
            return Ok(false);
        }
        let (frame, branches) = (Frame::of(&body), branches(&body.body.blocks));
        let (fails, exact) = self.solve(procedure, body, None)?;
        if !exact {
            return Ok(false);
        }
        let returns = if effect.may_stay {
            let body = self.cut(procedure, Goal::Returns);
            let (returns, exact) = self.solve(procedure, body, None)?;
            if !exact {
                return Ok(false);
            }
            returns
        } else {
            Dnf::always()
        };
        let standin = self.standin(procedure, &frame, &fails, vec![(returns, effect.blocks)], false);
        let smaller = crate::callees::branches(&standin.body.blocks) <= branches;
        if smaller {
            self.standins.0.insert(procedure, standin);
        }
        Ok(smaller)
    }

    /// The body that replaces a procedure: it fails if `fails`, has the effect of the first condition that holds, and
    /// blocks if none does.
    pub(crate) fn standin(
        &mut self,
        procedure: ProcId,
        frame: &Frame,
        fails: &Dnf,
        returns: Vec<(Dnf, Vec<Block>)>,
        recursive: bool,
    ) -> Standin {
        let span = frame.body.span;
        let mut blocks: Vec<Block> = Vec::new();
        let mut push = |kind| {
            let node = blocks.len() as u32;
            let origin = Origin { procedure, body: 0, place: Place::Summary { node } };
            let (statements, terminator) = (Vec::new(), Terminator { kind, span });
            blocks.push(Block { name: format!("s{node}").into(), statements, terminator, span, origin });
            BlockId(node)
        };
        push(TerminatorKind::Goto(Vec::new()));
        // A call needs one place to go on from, even if no run gets there.
        let exit = push(TerminatorKind::Return);
        let mut effects: Vec<(u32, Vec<Block>)> = Vec::new();
        let mut ends: Vec<(Dnf, BlockId)> = Vec::new();
        for (condition, effect) in returns {
            let shift = effects.last().map_or(exit.0 + 1, |(at, blocks)| at + blocks.len() as u32);
            for block in &effect {
                let mut kind = block.terminator.kind.clone();
                match &mut kind {
                    TerminatorKind::Goto(to) => to.iter_mut().for_each(|t| t.0 += shift),
                    TerminatorKind::Branch { then_to, else_to, .. } => {
                        then_to.0 += shift;
                        else_to.0 += shift;
                    }
                    TerminatorKind::Return => kind = TerminatorKind::Goto(vec![exit]),
                    TerminatorKind::Fail | TerminatorKind::Cut => {}
                }
                push(kind);
            }
            ends.push((condition, BlockId(shift)));
            effects.push((shift, effect));
        }
        let mut first = None;
        for (condition, effect) in ends.into_iter().rev() {
            first = Some(if condition.is_always() {
                effect
            } else {
                let stays = first.unwrap_or_else(|| push(TerminatorKind::Goto(Vec::new())));
                cascade(&condition, &TerminatorKind::Goto(vec![effect]), stays, &mut push)
            });
        }
        let first = first.unwrap_or_else(|| push(TerminatorKind::Goto(Vec::new())));
        let first = cascade(fails, &TerminatorKind::Fail, first, &mut push);
        blocks[0].terminator.kind = TerminatorKind::Goto(vec![first]);
        for (shift, effect) in effects {
            for (block, from) in blocks[shift as usize..].iter_mut().zip(effect) {
                block.statements = from.statements;
            }
        }
        let terms = &mut self.tools().terms;
        if !frame.olds.is_empty() {
            let olds: Vec<(SymbolId, TermId)> = frame.olds.iter().map(|&(o, g)| (o, terms.var(g))).collect();
            blocks[0].statements.push(Statement::new(StatementKind::Assign(olds), span));
        }
        let mut body = Body { blocks, ..frame.body.clone() };
        let used = mentioned(terms, &body);
        body.locals.retain(|v| used.contains(&v.symbol));
        Standin { body, recursive, open_calls: Vec::new() }
    }
}

/// What the replacement takes over from a body: its variables, and which of them hold old values of globals.
pub(crate) struct Frame {
    pub(crate) olds: Vec<(SymbolId, SymbolId)>,
    pub(crate) body: Body,
}

impl Frame {
    fn of(cut: &Cut) -> Frame {
        Frame { olds: cut.olds.clone(), body: Body { blocks: Vec::new(), ..cut.body.clone() } }
    }
}

/// Whether a procedure has a single body that defines what a call does.
fn is_plain(program: &Program, procedure: ProcId) -> bool {
    let p = &program[procedure];
    p.bodies.len() == 1 && p.type_params.is_empty() && p.ensures.iter().all(|c| !c.free)
}

/// Whether neither a procedure nor its callees use arbitrary values or free choices, by their form.
fn is_determined(program: &Program, procedure: ProcId) -> bool {
    let is_statement = |s: &Statement| match &s.kind {
        StatementKind::Havoc(_) => false,
        StatementKind::Call { callee, .. } => program[*callee].bodies.len() == 1,
        _ => true,
    };
    let is_block = |b: &Block| {
        let chooses = matches!(&b.terminator.kind, TerminatorKind::Goto(to) if to.len() > 1);
        !chooses && b.statements.iter().all(is_statement)
    };
    let bodies = program.reachable(&[procedure]).into_iter().flat_map(|p| &program[p].bodies);
    bodies.flat_map(|body| &body.blocks).all(is_block)
}

fn branches(blocks: &[Block]) -> usize {
    blocks.iter().filter(|b| matches!(b.terminator.kind, TerminatorKind::Branch { .. })).count()
}
