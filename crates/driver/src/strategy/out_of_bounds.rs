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
use std::time::{Duration, Instant};

use footpath_cover as cover;
use footpath_frontend::c::Lowered;
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin, ProcId, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::function::Context;
use crate::objectives::{Target, targets};
use crate::result::{Class, FunctionResult, Objective, ObjectiveKind, Verdict};
use crate::strategy::bounded_proof::{Known, LEAST, PROOFS, cover_of};
use crate::strategy::invariants;

/// What a place is recognised by in all programs: blocks have other numbers where runs go on.
type Name = (ObjectiveKind, Span);

fn name(objective: &Objective) -> Name {
    (objective.kind, objective.span)
}

/// Marks the unreachable objectives of function number `index` whose verdicts assume memory safety.
pub(crate) fn of_function(context: &Context, index: usize, result: &mut FunctionResult, left: Duration) {
    let holding: FxHashSet<Name> = holding(&result.objectives).collect();
    let procedure = context.compiled.lowered.functions[index].procedure;
    if dead(&result.objectives).next().is_some() && may_access_out_of_bounds(context, procedure, &holding) {
        ask(context, index, result, &FxHashSet::default(), left);
    }
}

/// Marks the unreachable objectives of a whole program's functions, given with their numbers, whose verdicts assume
/// memory safety. The program starts in function number `entry`.
pub(crate) fn of_program(
    context: &Context,
    entry: usize,
    results: &mut [(usize, &mut FunctionResult)],
    time: Duration,
) {
    let holding: FxHashSet<Name> = results.iter().flat_map(|(_, r)| holding(&r.objectives)).collect();
    let procedure = context.compiled.lowered.functions[entry].procedure;
    let rests = |r: &FunctionResult| !r.uncalled && dead(&r.objectives).next().is_some();
    if !results.iter().any(|(_, r)| rests(r)) || !may_access_out_of_bounds(context, procedure, &holding) {
        return;
    }
    if is_over(context, time) {
        let called = results.iter_mut().filter(|(_, r)| !r.uncalled);
        called.for_each(|(_, result)| assume(result, &|_| false));
        return;
    }
    let until = Instant::now() + time;
    let ruled_out: FxHashSet<Name> =
        results.iter().filter(|(_, r)| rests(r)).flat_map(|(_, r)| dead(&r.objectives).map(name)).collect();
    let work: Vec<usize> = results.iter().map(|(i, _)| *i).collect();
    let asked = |t: &Target| ruled_out.contains(&name(&t.objective));
    let lowered = context.compiled.out_of_bounds_program();
    let dead = invariants::of_program(context, lowered, entry, &asked, &work, time / 2).unwrap_or_default();
    for (index, result) in results.iter_mut().filter(|(_, r)| rests(r)) {
        let left = until.saturating_duration_since(Instant::now());
        ask(context, *index, result, &dead, left);
    }
}

/// The checks that are proved to hold.
fn holding(objectives: &[Objective]) -> impl Iterator<Item = Name> + '_ {
    let holds =
        |o: &&Objective| matches!(o.kind, ObjectiveKind::Check(_)) && o.verdict == Verdict::Unreachable;
    objectives.iter().filter(holds).map(name)
}

/// The dead code among them, without that of the compiler.
fn dead(objectives: &[Objective]) -> impl Iterator<Item = &Objective> {
    objectives.iter().filter(|o| is_dead(o))
}

fn is_dead(objective: &Objective) -> bool {
    let is_check = matches!(objective.kind, ObjectiveKind::Check(_));
    !is_check && objective.class != Class::Compiler && objective.verdict == Verdict::Unreachable
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
    statements.any(|s| match s.kind {
        StatementKind::Assert { kind: kind @ (AssertKind::Bounds | AssertKind::UseAfterFree), .. } => {
            !holding.contains(&(ObjectiveKind::Check(kind), s.span))
        }
        _ => false,
    })
}

/// Asks for proofs that do not assume memory safety; `dead` places of that program are known to be unreachable.
fn ask(
    context: &Context,
    index: usize,
    result: &mut FunctionResult,
    dead: &FxHashSet<Origin>,
    left: Duration,
) {
    if is_over(context, left) {
        return assume(result, &|_| false);
    }
    let lowered = context.compiled.out_of_bounds_program();
    let mut proved = Proved::new(context, lowered, index);
    proved.add(dead);
    if !proved.suffices(&result.objectives) {
        proved.add(&invariants::of_function_in(context, lowered, index));
    }
    let left = left.min(PROOFS);
    if !proved.suffices(&result.objectives) && left >= LEAST {
        let known = Known { proofs: lowered, kept: context.out_of_bounds_proved, callees: None };
        let subject = lowered.functions.get(index).filter(|f| f.degraded.is_none());
        if let Some((cover, _)) = subject.and_then(|s| cover_of(context, known, s, left, result)) {
            result.statistics.queries += cover.statistics.queries;
            result.statistics.solver_time += cover.statistics.solver_time;
            let found = cover.objectives.iter().filter(|o| o.verdict == cover::Verdict::Unreachable);
            proved.add(&found.map(|o| o.origin).collect());
        }
    }
    assume(result, &|objective| proved.suffices(std::slice::from_ref(objective)));
}

/// Whether there is no time to make another program.
fn is_over(context: &Context, left: Duration) -> bool {
    left < LEAST || context.stop.load(Ordering::Relaxed)
}

/// Marks dead code as assuming memory safety, unless it is proved without.
fn assume(result: &mut FunctionResult, is_proved: &dyn Fn(&Objective) -> bool) {
    for objective in result.objectives.iter_mut().filter(|o| is_dead(o)) {
        objective.assumes_memory_safety = !is_proved(objective);
    }
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

    /// Whether all dead code is proved here, too; of several places with the same key, all must be.
    fn suffices(&self, objectives: &[Objective]) -> bool {
        let mut all: FxHashMap<Name, bool> = FxHashMap::default();
        for &(_, name, proved) in &self.0 {
            *all.entry(name).or_insert(true) &= proved;
        }
        dead(objectives).all(|o| all.get(&name(o)) == Some(&true))
    }
}
