//! Out-of-bounds accesses and verdicts: which claims of dead code assume memory safety.
//!
//! **Idea.** A run of the program form ends at an access that is out of bounds or to an object that is no longer
//! alive, as C leaves open what comes then. A compiled program mostly goes on. So code that is proved dead after such
//! accesses may be executed all the same, and the user is told which verdicts rest on memory safety. This is not said
//! of checks, as a check that holds is always about the first failure, nor of code that is dead within bounds only.
//! If all these accesses are proved to be valid, no verdict assumes it. Otherwise the proofs are asked for once more,
//! in a program in which runs go on
//! ([`Compiled::out_of_bounds_program`](crate::compile::Compiled::out_of_bounds_program)): what is proved there does
//! not assume memory safety.
//!
//! Example: in `a[i] = 0; if (i > 9) f();` with `int a[10]`, the call of `f` is dead, but only because the access
//! ends the run if `i > 9`.
//!
//! **Direction of error.** Towards naming the assumption where it is not needed. What the program with continuing
//! runs leaves out is said in `access_checks.rs` of the front end.

use std::sync::atomic::Ordering;
use std::time::Duration;

use footpath_frontend::c::Lowered;
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin, Place, ProcId, Program, Statement, StatementKind};
use footpath_verdict::{Evidence, GoalId, Ledger, Verdict};
use footpath_verify::{Effort, never_entered};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::objectives::{Target, targets};
use crate::pipeline::Found;
use crate::result::{Class, FunctionResult, Objective, ObjectiveKind};
use crate::strategy::bounded_proof::{Known, LEAST, LaterProofs, PROOFS, cover_of};
use crate::strategy::invariants;

/// Part of the time that the analyser may take.
const INVARIANTS_SHARE: f64 = 0.25;

/// What a place is recognised by in all programs: blocks have other numbers where runs go on.
type Name = (ObjectiveKind, Span);

fn name(objective: &Objective) -> Name {
    (objective.kind, objective.span)
}

/// The goals of a function with what they are about.
pub(crate) type Goals<'t> = [(GoalId, &'t Target)];

/// The proofs about function number `index` that do not rest on memory safety after all.
pub(crate) fn of_function(
    context: &Context,
    index: usize,
    goals: &Goals<'_>,
    ledger: &Ledger,
    result: &mut FunctionResult,
    left: Duration,
) -> Found {
    let dead: Vec<(GoalId, &Target)> = dead(goals, ledger).collect();
    if dead.is_empty() {
        return Found::new();
    }
    let holding: FxHashSet<Name> = holding(goals, ledger).collect();
    let procedure = context.compiled.lowered.functions[index].procedure;
    if !may_access_out_of_bounds(context, procedure, &holding) {
        return discharged(&dead, ledger, &|_| true);
    }
    let proved = ask(context, index, &dead, result, &FxHashSet::default(), left);
    discharged(&dead, ledger, &|target| proved.as_ref().is_some_and(|p| p.has(&name(&target.objective))))
}

/// A function of a whole program, by its number.
pub(crate) struct Part<'t> {
    pub(crate) index: usize,
    pub(crate) goals: Vec<(GoalId, &'t Target)>,
    pub(crate) result: &'t mut FunctionResult,
}

/// The proofs about a whole program that do not rest on memory safety after all. The program starts in function number
/// `entry`.
pub(crate) fn of_program(
    context: &Context,
    entry: usize,
    parts: &mut [Part<'_>],
    ledger: &Ledger,
    time: Duration,
) -> Found {
    let all: Vec<(GoalId, &Target)> = parts.iter().flat_map(|p| dead(&p.goals, ledger)).collect();
    if all.is_empty() {
        return Found::new();
    }
    let holding: FxHashSet<Name> = parts.iter().flat_map(|p| holding(&p.goals, ledger)).collect();
    let procedure = context.compiled.lowered.functions[entry].procedure;
    if !may_access_out_of_bounds(context, procedure, &holding) {
        return discharged(&all, ledger, &|_| true);
    }
    if is_over(context, time) {
        return Found::new();
    }
    let until = Deadline::after(time);
    let ruled_out: FxHashSet<Name> = all.iter().map(|(_, target)| name(&target.objective)).collect();
    let work: Vec<usize> = parts.iter().map(|p| p.index).collect();
    let asked = |t: &Target| ruled_out.contains(&name(&t.objective));
    let lowered = context.compiled.out_of_bounds_program();
    let known = invariants::of_program(context, lowered, entry, &asked, &work, time / 2).unwrap_or_default();
    let mut found = Found::new();
    for part in parts {
        let dead: Vec<(GoalId, &Target)> = dead(&part.goals, ledger).collect();
        if dead.is_empty() {
            continue;
        }
        let left = until.left();
        let proved = ask(context, part.index, &dead, part.result, &known, left);
        let is_proved = |target: &Target| proved.as_ref().is_some_and(|p| p.has(&name(&target.objective)));
        found.extend(discharged(&dead, ledger, &is_proved));
    }
    found
}

/// Which verdicts about the functions of a library do not rest on memory safety: all of them, if none of the functions accesses memory
/// out of bounds.
pub(crate) fn of_library(
    context: &Context,
    functions: &[ProcId],
    goals: &[(GoalId, &Target)],
    ledger: &Ledger,
) -> Found {
    let holding: FxHashSet<Name> = holding(goals, ledger).collect();
    if functions.iter().any(|&procedure| may_access_out_of_bounds(context, procedure, &holding)) {
        return Found::new();
    }
    let dead: Vec<(GoalId, &Target)> = dead(goals, ledger).collect();
    discharged(&dead, ledger, &|_| true)
}

/// The checks that are proved to hold.
fn holding<'t>(goals: &'t Goals<'t>, ledger: &'t Ledger) -> impl Iterator<Item = Name> + 't {
    let holds = |(goal, target): &&(GoalId, &Target)| {
        matches!(target.objective.kind, ObjectiveKind::Check(_)) && ledger.is_excluded(*goal)
    };
    goals.iter().filter(holds).map(|(_, target)| name(&target.objective))
}

/// The code among them that is dead if memory is accessed safely.
fn dead<'t>(goals: &'t Goals<'t>, ledger: &'t Ledger) -> impl Iterator<Item = (GoalId, &'t Target)> + 't {
    let is_dead = |goal: GoalId| {
        ledger.is_excluded(goal) && ledger.settling(goal).is_some_and(Evidence::assumes_memory_safety)
    };
    goals.iter().copied().filter(move |(goal, _)| is_dead(*goal))
}

/// The evidence on those of the goals that are proved, without the premise of memory safety.
fn discharged(dead: &Goals<'_>, ledger: &Ledger, is_proved: &dyn Fn(&Target) -> bool) -> Found {
    let proved = dead.iter().filter(|(_, target)| is_proved(target));
    proved.filter_map(|(goal, _)| Some((*goal, ledger.settling(*goal)?.without_memory_safety()))).collect()
}

/// Whether some access in a procedure or its callees that is not proved may be out of bounds, as far as its condition
/// says.
pub(crate) fn may_access_out_of_bounds(
    context: &Context,
    procedure: ProcId,
    holding: &FxHashSet<Name>,
) -> bool {
    let program = &context.compiled.lowered.program;
    let bodies = program.reachable(&[procedure]).into_iter().flat_map(|p| &program[p].bodies);
    let mut statements = bodies.flat_map(|b| &b.blocks).flat_map(|b| &b.statements);
    statements.any(|s| {
        checks_access(s).is_some_and(|kind| !holding.contains(&(ObjectiveKind::Check(kind), s.span)))
    })
}

/// Whether invariants show that no run from a procedure accesses memory out of bounds, in the procedure and in what it calls.
pub(crate) fn accesses_stay(program: &Program, procedure: ProcId, time: Duration) -> bool {
    let effort = Effort { until: Some(Deadline::after(time)), ..Effort::default() };
    let Some(dead) = never_entered(program, procedure, invariants::MAX_BLOCKS, effort) else { return false };
    program.reachable(&[procedure]).into_iter().all(|p| {
        (0..).zip(&program[p].bodies).all(|(number, body)| {
            body.block_ids().all(|block| {
                (0..).zip(&body[block].statements).all(|(statement, s)| {
                    let place = Place::Failure { block, statement, clause: 0 };
                    checks_access(s).is_none() || dead.contains(&Origin { procedure: p, body: number, place })
                })
            })
        })
    })
}

/// The kind of the check of an access that a statement is.
fn checks_access(statement: &Statement) -> Option<AssertKind> {
    match statement.kind {
        StatementKind::Assert {
            kind: kind @ (AssertKind::Bounds | AssertKind::ClosedStream | AssertKind::UseAfterFree),
            ..
        } => Some(kind),
        _ => None,
    }
}

/// Asks for proofs that do not assume memory safety; the `known` places of that program are known to be unreachable.
/// `None` if there is no time.
fn ask(
    context: &Context,
    index: usize,
    dead: &Goals<'_>,
    result: &mut FunctionResult,
    known: &FxHashSet<Origin>,
    left: Duration,
) -> Option<Proved> {
    if is_over(context, left) {
        return None;
    }
    let until = Deadline::after(left);
    let lowered = context.compiled.out_of_bounds_program();
    let mut proved = Proved::new(context, lowered, index);
    proved.add(known);
    if !proved.suffices(dead) {
        proved.add(&invariants::of_function_in(lowered, index, left.mul_f64(INVARIANTS_SHARE)));
    }
    let left = until.left().min(PROOFS);
    if !proved.suffices(dead) && left >= LEAST {
        let known = Known {
            proofs: lowered,
            kept: context.out_of_bounds_proved.and_then(LaterProofs::covers),
            callees: None,
        };
        let subject = lowered.functions.get(index).filter(|f| f.degraded.is_none());
        if let Some((cover, _)) = subject.and_then(|s| cover_of(context, known, s, left, result)) {
            result.statistics.queries += cover.statistics.queries;
            result.statistics.solver_time += cover.statistics.solver_time;
            let found = cover.objectives.iter().filter(|o| o.verdict == Verdict::Unreachable);
            proved.add(&found.map(|o| o.origin).collect());
        }
    }
    Some(proved)
}

/// Whether there is no time to make another program.
fn is_over(context: &Context, left: Duration) -> bool {
    left < LEAST || context.stop.load(Ordering::Relaxed)
}

/// The places of a function, each with whether it is proved that nothing reaches it.
struct Proved(Vec<(Origin, Name, bool)>);

impl Proved {
    fn new(context: &Context, lowered: &Lowered, index: usize) -> Proved {
        let function = lowered.functions.get(index).filter(|f| f.degraded.is_none());
        let checks = &context.options.lowering.checks;
        let places = function.map(|f| targets(&lowered.program, f, checks)).unwrap_or_default();
        Proved(places.into_iter().map(|t| (t.origin, name(&t.objective), false)).collect())
    }

    fn add(&mut self, places: &FxHashSet<Origin>) {
        for (_, _, proved) in self.0.iter_mut().filter(|(origin, ..)| places.contains(origin)) {
            *proved = true;
        }
    }

    /// Whether all dead code that the user wrote is proved here, too.
    fn suffices(&self, dead: &Goals<'_>) -> bool {
        let mut written = dead.iter().filter(|(_, target)| target.objective.class != Class::Compiler);
        written.all(|(_, target)| self.has(&name(&target.objective)))
    }

    /// Whether a place is proved; of several with the same name, all must be.
    fn has(&self, place: &Name) -> bool {
        let mut same = self.0.iter().filter(|(_, name, _)| name == place).peekable();
        same.peek().is_some() && same.all(|(_, _, proved)| *proved)
    }
}
