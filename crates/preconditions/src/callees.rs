//! Bottom-up computation of procedure summaries: failure conditions of callees, with a fixpoint for recursion.
//!
//! **Idea.** A procedure that is called more than once is analysed by itself, from an arbitrary state. If its
//! condition is exact, a call of it is "fails if C" over the arguments, followed by those of its effects that are
//! read later (`effect.rs`); so a call costs the literals of C instead of the callee's paths. If some runs may stay
//! in a loop or block, the condition R under which a run returns is found in the same way, with "returns" in place of
//! "fails", and the code after the call is only reached if R holds.
//!
//! A recursive procedure begins with C₀ = R₀ = `false`; R_(n+1) is found with R_n at its own calls until nothing is
//! added, and then C_(n+1) with C_n: the fixpoint of loops, closed forms included (`closed_forms.rs`).
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
//! 2. A callee is also inlined if its condition is not exact, if its summary would branch more often than its body,
//!    or if it is recursive and its results or changes are read.
//!
//! **Direction of error.** C and R replace a call only if they are exact. Whether runs return is only asked where
//! none fails: where C holds, the caller has failed already.

use std::time::Duration;

use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Program, Statement, StatementKind, Terminator,
    TerminatorKind, Variable,
};
use footpath_simplify::Dnf;
use footpath_term::{SymbolId, TermId};
use footpath_transform::prepare::Role;
use footpath_transform::{Standin, Standins};
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Classes;
use crate::backward::Hoist;
use crate::call_graph::Graph;
use crate::closed_forms;
use crate::closed_forms::Steps;
use crate::effect::Effect;
use crate::families;
use crate::int_questions;
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

/// A condition over a procedure's parameters and the globals.
type Conditions = FxHashMap<ProcId, Dnf>;

struct Work<'a> {
    /// `None` while a body is analysed, which then has them.
    tools: Option<Tools<'a>>,
    which: Which,
    classes: Classes<'a>,
    graph: Graph,
    standins: Standins,
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

    fn tools(&mut self) -> &mut Tools<'a> {
        self.tools.as_mut().expect("the tools are given back after each body")
    }

    fn cut(&mut self, procedure: ProcId, goal: Goal) -> Cut {
        let classes = self.classes;
        let tools = self.tools.as_mut().expect("the tools are given back after each body");
        cut(tools, (procedure, 0), Role::Callee, goal, classes, &self.standins)
    }

    /// The condition under which a run of a body meets its goal, and whether it is exact.
    fn solve(&mut self, procedure: ProcId, cut: Cut, extra: Option<SymbolId>) -> Result<(Dnf, bool), Error> {
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

    fn effect(&mut self, procedure: ProcId, cut: &Cut) -> Effect {
        let program = self.tools().program;
        let outputs = self.graph.outputs(program, procedure);
        let tools = self.tools();
        let globals = tools.program.globals.iter().map(|g| g.variable.symbol);
        let constants = tools.program.constants.iter().map(|c| c.symbol);
        let mut inputs: FxHashSet<SymbolId> = globals.chain(constants).collect();
        inputs.extend(cut.body.params.iter().map(|v| v.symbol));
        inputs.extend(cut.olds.iter().map(|(old, _)| *old));
        Effect::of(&tools.terms, &cut.body, &inputs, &outputs)
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
        let standin = self.standin(procedure, &frame, &fails, &returns, effect.blocks, false);
        let smaller = crate::callees::branches(&standin.body.blocks) <= branches;
        if smaller {
            self.standins.0.insert(procedure, standin);
        }
        Ok(smaller)
    }

    /// Procedures that call each other.
    fn recursion(&mut self, group: &[ProcId]) -> Result<bool, Error> {
        let never: Conditions = group.iter().map(|&p| (p, Dnf::never())).collect();
        self.assume(group, &never, &never);
        let found = self.recursive(group, &never);
        if !matches!(found, Ok(true)) {
            for p in group {
                self.standins.0.remove(p);
            }
        }
        found
    }

    fn recursive(&mut self, group: &[ProcId], never: &Conditions) -> Result<bool, Error> {
        for &p in group {
            let body = self.cut(p, Goal::Fails);
            if body.bounded.is_some() || !self.effect(p, &body).is_empty() {
                return Ok(false);
            }
        }
        let Some(returns) = self.fixpoint(group, Goal::Returns, never)? else { return Ok(false) };
        let Some(fails) = self.fixpoint(group, Goal::Fails, &returns)? else { return Ok(false) };
        self.assume(group, &fails, &returns);
        Ok(true)
    }

    /// Uses these conditions for calls within a group, whose procedures have no effects.
    fn assume(&mut self, group: &[ProcId], fails: &Conditions, returns: &Conditions) {
        for &p in group {
            let span = self.tools().program[p].bodies[0].span;
            let frame = Frame { olds: Vec::new(), body: self.tools().program[p].bodies[0].clone() };
            let block = |kind, name: &str| Block {
                name: name.into(),
                statements: Vec::new(),
                terminator: Terminator { kind, span },
                span,
                origin: Origin { procedure: p, body: 0, place: Place::Exit },
            };
            let effect = vec![
                block(TerminatorKind::Goto(vec![BlockId(1)]), "entry"),
                block(TerminatorKind::Return, "exit"),
            ];
            let standin = self.standin(p, &frame, &fails[&p], &returns[&p], effect, true);
            self.standins.0.insert(p, standin);
        }
    }

    /// The least fixpoint of the conditions of a group's bodies, where the same conditions are used at their calls;
    /// `None` if it is not found. `returns` is needed for [`Goal::Fails`].
    fn fixpoint(
        &mut self,
        group: &[ProcId],
        goal: Goal,
        returns: &Conditions,
    ) -> Result<Option<Conditions>, Error> {
        let mut now: Conditions = group.iter().map(|&p| (p, Dnf::never())).collect();
        let mut sequence: Vec<Vec<Dnf>> = Vec::new();
        for round in 1..=self.tools().options.rounds {
            let Some(after) = self.round(group, goal, &now, returns, None)? else { return Ok(None) };
            let mut same = true;
            for &p in group {
                let terms = &mut self.tools().terms;
                let (a, b) = (now[&p].term(terms), after[&p].term(terms));
                same &= int_questions::equivalent(self.tools(), a, b);
            }
            if same {
                return Ok(Some(now));
            }
            sequence.push(group.iter().map(|p| after[p].clone()).collect());
            now = after;
            if self.tools().options.closed_forms && closed_forms::worth_trying(round) {
                let mut step = Recursion { work: self, group, goal, returns };
                if let Some(limit) = closed_forms::closed_form(&mut step, &sequence)? {
                    return Ok(Some(group.iter().copied().zip(limit.conditions).collect()));
                }
            }
        }
        Ok(None)
    }

    /// One step of the fixpoint, for one more level of calls; `None` if something was left open.
    fn round(
        &mut self,
        group: &[ProcId],
        goal: Goal,
        now: &Conditions,
        returns: &Conditions,
        extra: Option<SymbolId>,
    ) -> Result<Option<Conditions>, Error> {
        match goal {
            Goal::Fails => self.assume(group, now, returns),
            Goal::Returns => {
                let never = group.iter().map(|&p| (p, Dnf::never())).collect();
                self.assume(group, &never, now);
            }
        }
        let mut after = Conditions::default();
        for &p in group {
            let mut body = self.cut(p, goal);
            let span = body.body.span;
            body.body.locals.extend(extra.map(|s| Variable::new(s, span)));
            let (condition, exact) = self.solve(p, body, extra)?;
            if !exact {
                return Ok(None);
            }
            after.insert(p, condition);
        }
        Ok(Some(after))
    }

    /// The body that replaces a procedure: it fails if `fails`, has its effect if `returns`, and blocks otherwise.
    fn standin(
        &mut self,
        procedure: ProcId,
        frame: &Frame,
        fails: &Dnf,
        returns: &Dnf,
        effect: Vec<Block>,
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
        let shift = 1;
        for block in &effect {
            let mut kind = block.terminator.kind.clone();
            match &mut kind {
                TerminatorKind::Goto(to) => to.iter_mut().for_each(|t| t.0 += shift),
                TerminatorKind::Branch { then_to, else_to, .. } => {
                    then_to.0 += shift;
                    else_to.0 += shift;
                }
                TerminatorKind::Return | TerminatorKind::Fail | TerminatorKind::Cut => {}
            }
            push(kind);
        }
        if effect.iter().all(|b| b.terminator.kind != TerminatorKind::Return) {
            // This block is unreachable, but a call must have a successor.
            push(TerminatorKind::Return);
        }
        let mut first = BlockId(shift);
        if !returns.is_always() {
            let stays = push(TerminatorKind::Goto(Vec::new()));
            first = cascade(returns, &TerminatorKind::Goto(vec![first]), stays, &mut push);
        }
        first = cascade(fails, &TerminatorKind::Fail, first, &mut push);
        blocks[0].terminator.kind = TerminatorKind::Goto(vec![first]);
        for (block, from) in blocks[shift as usize..].iter_mut().zip(effect) {
            block.statements = from.statements;
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
struct Frame {
    olds: Vec<(SymbolId, SymbolId)>,
    body: Body,
}

impl Frame {
    fn of(cut: &Cut) -> Frame {
        Frame { olds: cut.olds.clone(), body: Body { blocks: Vec::new(), ..cut.body.clone() } }
    }
}

/// Procedures that call each other as a sequence of conditions.
struct Recursion<'w, 'a> {
    work: &'w mut Work<'a>,
    group: &'w [ProcId],
    goal: Goal,
    returns: &'w Conditions,
}

impl<'a> Steps<'a> for Recursion<'_, 'a> {
    fn tools(&mut self) -> &mut Tools<'a> {
        self.work.tools()
    }

    fn step(&mut self, behind: &[Dnf], round: SymbolId) -> Result<Option<Vec<Dnf>>, Error> {
        let now: Conditions = self.group.iter().copied().zip(behind.iter().cloned()).collect();
        let after = self.work.round(self.group, self.goal, &now, self.returns, Some(round))?;
        Ok(after.map(|after| self.group.iter().map(|p| after[p].clone()).collect()))
    }

    fn keeps_rounds(&self) -> bool {
        false
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
