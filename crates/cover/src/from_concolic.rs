//! Covers from dynamic symbolic execution: the result of an exploration as objectives, verdicts and tests.
//!
//! An objective that a returning run passed (or a failure that a run had) is covered. If every path was executed or
//! refuted, the other objectives are unreachable if no run passed them, and doomed if runs passed them and all failed
//! or blocked; otherwise they are unknown.
//!
//! **Direction of error.** That of the exploration; every test is replayed once more, to record its choices for the
//! report.

use footpath_ir::interp::{Ask, Heard, Interpreter, Limits, Listener, Replay, Run, Script};
use footpath_ir::{BlockId, Origin, ProcId, Program};
use footpath_term::Value;

use super::choices::{self, Choices};
use super::replay::{Input, test_of};
use super::report::{CoverStatistics, Objective, ObjectiveKind, Outcome, ProcedureCover, Test};
use footpath_concolic::{Bound, Bounds, Exploration, Goal, GoalKind};
use footpath_transform::LoneBranches;
use footpath_verdict::{Code, Verdict};

/// The cover that results from an exploration of a body under these bounds.
pub fn of_exploration(
    program: &Program,
    (procedure, body): (ProcId, u32),
    bounds: &Bounds,
    found: &Exploration,
) -> ProcedureCover {
    let interpreter = Interpreter::new(program);
    let limits = Limits { steps: bounds.steps.saturating_mul(2), calls: bounds.calls, ..Limits::default() };
    let mut lone = LoneBranches::of(program);
    let goals = found.goals.iter().enumerate();
    let shown: Vec<(usize, ObjectiveKind)> =
        goals.filter_map(|(i, goal)| Some((i, kind(&mut lone, goal)?))).collect();
    let mut objectives: Vec<Objective> =
        shown.iter().map(|&(i, kind)| objective(found, &found.goals[i], kind)).collect();
    let mut tests = Vec::new();
    for (number, test) in found.tests.iter().enumerate() {
        let (mut replayed, _) = replay(&interpreter, (procedure, body), &test.script, &limits, &found.axioms);
        let returned = replayed.outcome == Outcome::Returned;
        for (position, &(goal, kind)) in shown.iter().enumerate() {
            if test.covers.contains(&goal) && (returned || matches!(kind, ObjectiveKind::Failure(_))) {
                objectives[position].tests.push(number);
                replayed.covers.push(position);
            }
        }
        tests.push(replayed);
    }
    let s = &found.statistics;
    ProcedureCover {
        procedure,
        body,
        objectives,
        sorts: choices::foreign_sorts(program, &found.terms, &tests),
        tests,
        statistics: CoverStatistics {
            queries: s.queries,
            sat: s.sat,
            unsat: s.unsat,
            unknown: s.unknown,
            solver_time: s.solver_time,
            total_time: s.total_time,
            runs: s.runs + s.concrete_runs,
            exhaustive: found.exhausted,
            ..CoverStatistics::default()
        },
        notes: found.notes.clone(),
        exploration: Some(found.summary()),
    }
}

fn kind(lone: &mut LoneBranches<'_>, goal: &Goal) -> Option<ObjectiveKind> {
    match goal.kind {
        GoalKind::Statements => Some(ObjectiveKind::Statement),
        GoalKind::Failure(kind) => Some(ObjectiveKind::Failure(kind)),
        GoalKind::Edge if lone.contains(goal.origin) => Some(ObjectiveKind::Branch),
        // Nothing of the source stands there.
        GoalKind::Continuation | GoalKind::Edge | GoalKind::Return => None,
    }
}

fn objective(found: &Exploration, goal: &Goal, kind: ObjectiveKind) -> Objective {
    let is_failure = matches!(kind, ObjectiveKind::Failure(_));
    let by = if is_failure { goal.covered_by } else { goal.returned_by };
    let verdict = match by {
        Some(_) => Verdict::Covered,
        None if goal.ruled_out => Verdict::Unreachable,
        None if found.exhausted && goal.visited && !is_failure => Verdict::Doomed,
        None if found.exhausted => Verdict::Unreachable,
        None => Verdict::Unknown(Code::ExplorationLimit.with(open(found, goal))),
    };
    Objective {
        name: goal.name.to_string(),
        kind,
        origin: goal.origin,
        span: goal.span,
        verdict,
        tests: Vec::new(),
        explanation: Vec::new(),
    }
}

/// The flag that says how much there may be of what is bounded.
fn flag(bound: Bound) -> &'static str {
    match bound {
        Bound::Branches => "--max-branches",
        Bound::Iterations => "--max-iterations",
        Bound::Calls => "--max-calls",
        Bound::Runs => "--max-runs",
        Bound::Steps => "--max-steps",
        Bound::Query => "--query-timeout",
        Bound::Interrupts => "--max-interrupts",
        Bound::Nodes => "--max-nodes",
        Bound::Terms => "--max-terms",
        Bound::Time => "--timeout",
    }
}

/// Why nothing is claimed of a goal.
fn open(found: &Exploration, goal: &Goal) -> String {
    let hit: Vec<&str> =
        found.bounds_hit.iter().filter(|(_, count)| *count > 0).map(|(bound, _)| flag(bound)).collect();
    let why = match hit.len() {
        0 => "not all paths could be explored".to_owned(),
        1 => format!("the limit of {} was reached", hit[0]),
        _ => format!("the limits of {} were reached", hit.join(", ")),
    };
    if goal.visited { format!("no run through it returned; {why}") } else { why }
}

pub(super) fn replay(
    interpreter: &Interpreter<'_>,
    (procedure, body): (ProcId, u32),
    script: &Script,
    limits: &Limits,
    axioms: &[usize],
) -> (Test, Run) {
    let mut replay = Replay::new(script);
    let listener = Answers { inputs: Vec::new(), choices: Choices::new(interpreter.program()) };
    let mut heard = Heard::new(&mut replay, listener);
    let run = interpreter.run_under(procedure, body, &mut heard, limits, axioms);
    let Answers { inputs, choices } = heard.listener;
    let test = test_of(interpreter, (procedure, body), &run, inputs, choices.list);
    (Test { script: Some(Box::new(script.clone())), ..test }, run)
}

/// The initial values of a run, and its choices.
struct Answers<'p> {
    inputs: Vec<Input>,
    choices: Choices<'p>,
}

impl Listener for Answers<'_> {
    fn entry(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        self.inputs.push((ask.symbol, ask.activation, value.clone()));
        None
    }

    fn havoc(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        self.choices.havoc(ask, value)
    }

    fn choose(&mut self, at: Origin, targets: &[BlockId], number: usize) {
        self.choices.choose(at, targets, number);
    }
}
