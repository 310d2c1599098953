//! Weakest preconditions over assumption variables: where executions may be unverified, and where they must be.
//!
//! **Idea.** The body is abstracted to a boolean program over assumption variables: an update of one becomes `a := a
//! && *`, a branch a free choice, assertions keep their premise, everything else is dropped. On that program,
//! backwards:
//!
//! ```text
//! wp(assert P verified A, R) = A ∧ R                  wp(a := true, R) = R[true/a]
//! wp(a := a && *, R)         = R ∧ R[false/a]         wp(if *) = conjunction of both arms
//! must_assert(assert P verified A, R) = true          "some assertion lies ahead on every path"
//! must_all   (assert P verified A, R) = ¬A ∧ R        "every premise ahead is false"
//! ```
//!
//! The *may*-unverified condition at a point is ¬wp(rest, true), the *must*-unverified condition must_assert(rest,
//! false) ∧ must_all(rest, true). Loops: greatest fixpoint.
//!
//! Example: before `assert P verified a`, with nothing behind it, an execution may be unverified, and must be, if `a`
//! is false; if `a` is true, it is verified.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Sections 3.1 to 3.3.
//!
//! **Deviations.**
//! 1. The paper's programs are structured; here the graph of blocks is analysed.
//! 2. A premise that mentions other variables than assumptions counts as `false` for *may* and as `true` for *must*.
//! 3. An assumption variable that is assigned anything else becomes arbitrary.
//! 4. A check that does not stop the program is met at the branch to the block that marks its failure. Under its
//!    premise no run takes that branch.
//! 5. Where the program may end by `exit`, nothing lies ahead.
//!
//! **Direction of error.** If the may-condition at a point is false in a run, all assertions that the run meets from
//! there on have premises that hold. If the must-condition is true, they all have premises that do not hold, and the
//! run meets one, if it ends. Neither is exact. [`Calls`] says which checks are covered by this.

use std::collections::BTreeSet;

use footpath_ir::{AssertKind, BlockId, Body, ProcId, Program, Statement, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::cubes::Cubes;
use crate::premises::Premises;

/// How a call is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// An assertion of what the callee requires: the callee is tested on its own.
    Modular,
    /// The callee's body, in which the assumption variables of the program keep their values.
    WholeProgram,
}

/// A point of a body: before statement number `statement` of a block, or behind its last one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point {
    /// The block.
    pub block: BlockId,
    /// The statement that comes next.
    pub statement: usize,
}

/// The conditions at the points of a body.
#[derive(Clone, Debug)]
pub struct Conditions {
    may: Vec<Vec<Cubes>>,
    must: Vec<Vec<Cubes>>,
}

impl Conditions {
    /// The condition under which an execution from here on may be unverified.
    pub fn may(&self, point: Point) -> &Cubes {
        &self.may[point.block.index()][point.statement]
    }

    /// The condition under which every execution from here on is unverified throughout.
    pub fn must(&self, point: Point) -> &Cubes {
        &self.must[point.block.index()][point.statement]
    }
}

/// A body of a procedure.
pub(crate) type BodyId = (ProcId, u32);

/// A condition at each point of a body: for each block one before each statement, and one behind the last.
type Points = Vec<Vec<Cubes>>;

/// Infers the conditions of a body.
pub fn conditions(
    program: &Program,
    procedure: ProcId,
    body_index: u32,
    premises: &Premises,
    calls: Calls,
) -> Conditions {
    let mut all = conditions_through(program, (procedure, body_index), &[], premises, calls);
    all.swap_remove(0).1
}

/// The same, followed by the conditions in the procedures `through`, which calls from there may enter, callers before
/// callees; these hold for all of the calls.
pub(crate) fn conditions_through(
    program: &Program,
    root: BodyId,
    through: &[ProcId],
    premises: &Premises,
    calls: Calls,
) -> Vec<(BodyId, Conditions)> {
    all_conditions(program, premises, calls, &|inference| inference.through(root, through))
}

/// The conditions of all bodies of a program in which runs may start in any of them: what lies ahead at the end of one is the end
/// of the run, or what follows some call.
pub(crate) fn conditions_everywhere(program: &Program, premises: &Premises) -> Vec<(BodyId, Conditions)> {
    all_conditions(program, premises, Calls::WholeProgram, &|inference| inference.everywhere())
}

fn all_conditions(
    program: &Program,
    premises: &Premises,
    calls: Calls,
    infer: &dyn Fn(&mut Inference<'_>) -> Vec<(BodyId, Points)>,
) -> Vec<(BodyId, Conditions)> {
    let run = |what, end: Cubes| {
        let (callees, entries, open) = (FxHashMap::default(), None, Vec::new());
        infer(&mut Inference { program, premises, calls, what, end, callees, entries, open })
    };
    // An execution on which a check failed is worth its end.
    let kept = premises.unfailed().map_or(Cubes::constant(true), Cubes::variable);
    let verified = run(Transformer::Wp, kept);
    let some = run(Transformer::MustAssert, Cubes::constant(false));
    let all = run(Transformer::MustAll, Cubes::constant(true));
    let must = |some: &Points, all: &Points| -> Points {
        let block = |(some, all): (&Vec<Cubes>, &Vec<Cubes>)| {
            some.iter().zip(all).map(|(some, all)| some.and(all)).collect()
        };
        some.iter().zip(all).map(block).collect()
    };
    let both = some.iter().zip(&all).map(|((_, some), (_, all))| must(some, all));
    // An execution of which too much would have to be said may be unverified.
    let not = |verified: &Cubes| verified.negation().unwrap_or_else(|| Cubes::constant(true));
    let may = |points: &Points| points.iter().map(|b| b.iter().map(not).collect()).collect();
    let found = verified.iter().zip(both);
    found.map(|((body, verified), must)| (*body, Conditions { may: may(verified), must })).collect()
}

/// Which of the three transformers is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Transformer {
    Wp,
    MustAssert,
    MustAll,
}

struct Inference<'a> {
    program: &'a Program,
    premises: &'a Premises,
    calls: Calls,
    what: Transformer,
    /// The postcondition at the end of the program.
    end: Cubes,
    /// The precondition of a callee for a postcondition.
    callees: FxHashMap<(ProcId, Cubes), Cubes>,
    /// The condition where each procedure is entered, whatever follows its calls, if that is what calls mean.
    entries: Option<FxHashMap<ProcId, Cubes>>,
    /// The calls whose bodies are being processed.
    open: Vec<ProcId>,
}

/// Steps after which a fixpoint that was not reached is given up: in a body, and over all bodies.
const MAX_ROUNDS: usize = 10_000;
const MAX_ROUNDS_OF_ALL: usize = 100;

impl Inference<'_> {
    /// The conditions at the points of a body, and of those that it may enter.
    fn through(&mut self, root: BodyId, through: &[ProcId]) -> Vec<(BodyId, Points)> {
        let mut behind: FxHashMap<ProcId, Cubes> = FxHashMap::default();
        let end = self.end.clone();
        let points = self.body(root.0, root.1, &end);
        self.behind_calls(root, &points, &mut behind);
        let mut all = vec![(root, points)];
        for &callee in through {
            // Where no call leads, nothing is said.
            let end = behind.get(&callee).cloned().unwrap_or_else(|| Cubes::constant(false));
            for index in 0..self.program[callee].bodies.len() as u32 {
                let points = self.body(callee, index, &end);
                self.behind_calls((callee, index), &points, &mut behind);
                all.push(((callee, index), points));
            }
        }
        all
    }

    /// The conditions in all bodies, by a fixpoint over what holds where procedures are entered and where they are left, for all
    /// their calls together: so each body is processed once in a round, however many calls lead there.
    fn everywhere(&mut self) -> Vec<(BodyId, Points)> {
        let program = self.program;
        let bodies = |p: ProcId| (0..program[p].bodies.len() as u32).map(move |index| (p, index));
        let with_body: Vec<ProcId> = program.ids().filter(|p| !program[*p].bodies.is_empty()).collect();
        let mut behind: FxHashMap<ProcId, Cubes> = with_body.iter().map(|p| (*p, self.end.clone())).collect();
        let entries = with_body.iter().map(|p| (*p, Cubes::constant(true))).collect();
        self.entries = Some(entries);
        let mut rounds = 0;
        loop {
            rounds += 1;
            let mut all = Vec::new();
            let mut entered: FxHashMap<ProcId, Cubes> = FxHashMap::default();
            let mut left: FxHashMap<ProcId, Cubes> =
                with_body.iter().map(|p| (*p, self.end.clone())).collect();
            for id @ (p, index) in with_body.iter().flat_map(|p| bodies(*p)) {
                let points = self.body(p, index, &behind[&p]);
                self.behind_calls(id, &points, &mut left);
                let own = program.assumptions(&program[p].bodies[index as usize], false);
                let here = own.fold(points[0][0].clone(), |r, s| r.with(s, true));
                let entry = entered.entry(p).or_insert_with(|| Cubes::constant(true));
                *entry = entry.and(&here);
                all.push((id, points));
            }
            if self.entries.as_ref() == Some(&entered) && left == behind {
                return all;
            }
            if rounds > MAX_ROUNDS_OF_ALL {
                let nothing = |points: Points| -> Points {
                    points.iter().map(|b| vec![Cubes::constant(false); b.len()]).collect()
                };
                return all.into_iter().map(|(id, points)| (id, nothing(points))).collect();
            }
            (self.entries, behind) = (Some(entered), left);
        }
    }

    /// Adds the conditions after the calls of a body to those after other calls of the same callees.
    fn behind_calls(&self, body: BodyId, points: &Points, behind: &mut FxHashMap<ProcId, Cubes>) {
        let body = &self.program[body.0].bodies[body.1 as usize];
        // The callee does not see these.
        let own: Vec<SymbolId> = self.program.assumptions(body, false).collect();
        for block in body.block_ids() {
            for (at, statement) in body[block].statements.iter().enumerate() {
                let StatementKind::Call { callee, .. } = statement.kind else { continue };
                let after = &points[block.index()][at + 1];
                let after = own.iter().fold(after.clone(), |r, s| arbitrary(*s, &r));
                let all = behind.entry(callee).or_insert_with(|| Cubes::constant(true));
                *all = all.and(&after);
            }
        }
    }

    /// The condition at each point of a body.
    fn body(&mut self, procedure: ProcId, index: u32, end: &Cubes) -> Points {
        let body = &self.program[procedure].bodies[index as usize];
        let mut points: Vec<Vec<Cubes>> =
            body.blocks.iter().map(|b| vec![Cubes::constant(true); b.statements.len() + 1]).collect();
        let predecessors = body.predecessors();
        let mut todo: BTreeSet<BlockId> = body.block_ids().collect();
        let mut rounds = 0;
        while let Some(block) = todo.pop_last() {
            rounds += 1;
            if rounds > MAX_ROUNDS {
                return body
                    .blocks
                    .iter()
                    .map(|b| vec![Cubes::constant(false); b.statements.len() + 1])
                    .collect();
            }
            let mut condition = self.leaving(procedure, body, block, &points, end);
            let statements = &body[block].statements;
            let mut new = vec![condition.clone()];
            for statement in statements.iter().rev() {
                condition = self.statement(statement, &condition);
                new.push(condition.clone());
            }
            new.reverse();
            if new[0] != points[block.index()][0] {
                todo.extend(&predecessors[block.index()]);
            }
            points[block.index()] = new;
        }
        points
    }

    /// The condition behind the last statement of a block.
    fn leaving(
        &mut self,
        procedure: ProcId,
        body: &Body,
        block: BlockId,
        points: &[Vec<Cubes>],
        end: &Cubes,
    ) -> Cubes {
        match &body[block].terminator.kind {
            TerminatorKind::Return => {
                let checks = self.program[procedure].ensures.iter().any(|c| !c.free);
                if checks { self.check(body.exit_premise(), end) } else { end.clone() }
            }
            TerminatorKind::Fail | TerminatorKind::Cut => Cubes::constant(false),
            TerminatorKind::Goto(_) | TerminatorKind::Branch { .. } => {
                let all = body[block]
                    .terminator
                    .successors()
                    .iter()
                    .filter(|s| body.mark(**s).is_none_or(|mark| !self.is_refuted(mark)))
                    .fold(Cubes::constant(true), |all, s| all.and(&points[s.index()][0]));
                body.marks_behind(block).fold(all, |all, mark| self.check(mark.premise(), &all))
            }
        }
    }

    /// Whether a condition need not hold after a failure that does not stop the program. No run goes there under the
    /// premise; without it the condition is about the check alone, or, if the premise always holds, about nothing.
    fn is_refuted(&self, mark: &Statement) -> bool {
        let premise = mark.premise().and_then(|p| formula(&self.program.terms, p, self.premises));
        premise.is_some_and(|p| self.what == Transformer::Wp || p.is_true())
    }

    fn statement(&mut self, statement: &Statement, after: &Cubes) -> Cubes {
        match &statement.kind {
            // The program may end here, which is no fault.
            StatementKind::Assert { kind: AssertKind::Exit, condition, .. } => {
                let ends = self.program.terms.as_bool(*condition) == Some(false);
                if ends { self.end.clone() } else { self.end.and(after) }
            }
            StatementKind::Assert { premise, .. } => self.check(*premise, after),
            StatementKind::Assign(values) => {
                values.iter().fold(after.clone(), |r, (symbol, value)| self.assign(*symbol, *value, &r))
            }
            StatementKind::Havoc(symbols) => symbols.iter().fold(after.clone(), |r, s| arbitrary(*s, &r)),
            StatementKind::Call { callee, .. } => {
                let before = self.call(*callee, after);
                let required = self.program[*callee].requires.iter().any(|c| !c.free);
                if required { self.check(statement.premise(), &before) } else { before }
            }
            StatementKind::Assume(_) | StatementKind::TryFirst(_) => after.clone(),
        }
    }

    fn check(&self, premise: Option<TermId>, after: &Cubes) -> Cubes {
        let terms = &self.program.terms;
        let unverified = Cubes::constant(false);
        let known = premise.map_or(Some(unverified), |p| formula(terms, p, self.premises));
        if known.as_ref().is_some_and(Cubes::is_true) {
            return after.clone();
        }
        match self.what {
            Transformer::Wp => known.unwrap_or_else(|| Cubes::constant(false)).and(after),
            Transformer::MustAssert => Cubes::constant(true),
            Transformer::MustAll => known.map_or_else(|| Cubes::constant(false), |a| a.not().and(after)),
        }
    }

    fn assign(&self, symbol: SymbolId, value: TermId, after: &Cubes) -> Cubes {
        if !self.premises.is_assumption(symbol) {
            return after.clone();
        }
        let terms = &self.program.terms;
        if let Some(truth) = terms.as_bool(value) {
            return after.with(symbol, truth);
        }
        let term = terms.term(value);
        let own = |t: &TermId| matches!(terms.term(*t).op, Op::Var(s) if s == symbol);
        if own(&value) {
            after.clone()
        } else if term.op == Op::And && term.args.iter().any(own) {
            after.and(&after.with(symbol, false))
        } else {
            arbitrary(symbol, after)
        }
    }

    fn call(&mut self, callee: ProcId, after: &Cubes) -> Cubes {
        let program = self.program;
        let bodies = &program[callee].bodies;
        // Failures in a callee that is tested on its own are not looked for here.
        let counts = |s: &SymbolId| self.premises.is_assumption(*s) && self.premises.unfailed() != Some(*s);
        let changed = program[callee].modifies.iter().copied().filter(counts);
        let modular = changed.fold(after.clone(), |r, s| arbitrary(s, &r));
        if self.calls == Calls::Modular || bodies.is_empty() {
            return modular;
        }
        if let Some(entry) = self.entries.as_ref().and_then(|entries| entries.get(&callee)) {
            // What follows this call follows from what is known behind all calls, but that a check lies ahead.
            return if self.what == Transformer::MustAssert && after.is_true() {
                after.clone()
            } else {
                entry.clone()
            };
        }
        if let Some(known) = self.callees.get(&(callee, after.clone())) {
            return known.clone();
        }
        // A recursive call: nothing is said about it.
        if self.open.contains(&callee) {
            return Cubes::constant(false);
        }
        self.open.push(callee);
        let mut before = Cubes::constant(true);
        for (index, body) in bodies.iter().enumerate() {
            let points = self.body(callee, index as u32, after);
            let own = program.assumptions(body, false);
            before = before.and(&own.fold(points[0][0].clone(), |r, s| r.with(s, true)));
        }
        self.open.pop();
        // What was found while a recursive call was open holds for that call only.
        if self.open.is_empty() {
            self.callees.insert((callee, after.clone()), before.clone());
        }
        before
    }
}

fn arbitrary(symbol: SymbolId, after: &Cubes) -> Cubes {
    after.with(symbol, true).and(&after.with(symbol, false))
}

/// A premise as cubes; `None` if it mentions anything but assumption variables.
pub fn formula(terms: &Terms, t: TermId, premises: &Premises) -> Option<Cubes> {
    let term = terms.term(t);
    match &term.op {
        Op::Var(s) => premises.is_assumption(*s).then(|| Cubes::variable(*s)),
        Op::And => term
            .args
            .iter()
            .try_fold(Cubes::constant(true), |r, a| Some(r.and(&formula(terms, *a, premises)?))),
        Op::Or => term
            .args
            .iter()
            .try_fold(Cubes::constant(false), |r, a| Some(r.or(&formula(terms, *a, premises)?))),
        Op::Not => Some(formula(terms, term.args[0], premises)?.not()),
        Op::Implies => {
            let (a, b) = (formula(terms, term.args[0], premises)?, formula(terms, term.args[1], premises)?);
            Some(a.not().or(&b))
        }
        _ => terms.as_bool(t).map(Cubes::constant),
    }
}
