//! The search for tests by dynamic symbolic execution: of a function, or of a program from its start, with iterative
//! deepening.
//!
//! **Idea.** The search has several rounds, each with a larger bound on the length of runs than the one before: what
//! a short run reaches, such as the body of a loop that serves requests forever, is found at a fraction of the cost.
//! Each round begins with the tests of the earlier ones. For a function, a round that cut no run short is the last
//! one, and a round ends early if it finds nothing new for a while. For a program there is a short search, so that
//! proofs can be asked about what it left, and one that continues for what they did not rule out until its time is
//! up.
//!
//! If nothing but checks of a function is open, induction over points-to invariants is asked about these
//! (`footpath_verify`): structures that lead back to themselves keep runs going forever. What it excludes is no
//! longer searched for.
//!
//! What the inputs of a function do not reach is tried with longer arrays: most code needs short ones only, on which
//! all paths are known sooner, while a few parsers need longer strings.
//!
//! **Direction of error.** None for what is covered. *Unreachable within bounds* is only claimed if every path was
//! run or refuted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use footpath_concolic as concolic;
use footpath_concolic::{Bound, Exploration, ExploreError, Goal, GoalKind, GoalScope, Helpers, Natives};
use footpath_frontend::c::{Harness, Lowered, LoweredFunction};
use footpath_ir::interp::Script;
use footpath_ir::{Origin, ProcId, Program};
use footpath_preconditions::{GUIDED, explore_through};
use footpath_term::Value;
use footpath_verify::never_from_harness;
use footpath_virtual_time::{Deadline, Stopwatch};
use num_bigint::BigUint;
use num_traits::One;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Event;
use crate::cache;
use crate::cache::Recalled;
use crate::context::Context;
use crate::starts::Starts;
use crate::strategy::loop_guide::LoopGuide;
use crate::strategy::verification_guide;

/// Part of a function's time that the search for tests may take, once what building its tests takes is set aside; the
/// rest is for running the tests and for proofs.
const FUNCTION_SHARE: f64 = 0.6;
/// Part of what is left of a function's time behind greybox fuzzing that the search may take at most.
const REST_SHARE: f64 = 0.8;
/// Part of a function's time that the search gets however long builds take.
const LEAST_SHARE: f64 = 0.2;
/// How many times as long as compiling the source building tests takes: they include it, and it is instrumented.
const BUILDS: u32 = 2;
/// Runs of a function's first search.
const FIRST_RUNS: u64 = 16;
/// Part of a function's search that is for arrays of the usual length, if there are longer ones.
const USUAL_SHARE: f64 = 0.7;
/// Part of a function's search that is for inputs that were proposed.
const PROPOSALS_SHARE: f64 = 0.4;
/// The fraction of the remaining search time of a function that induction may take.
const INDUCTION_SHARE: f64 = 0.3;
/// Statements and jumps of a run in each round, and the fraction of the remaining time for the round.
const ROUNDS: [(u64, f64); 4] = [(1_000, 0.3), (10_000, 0.5), (200_000, 0.6), (2_000_000, 1.0)];
/// The first of the rounds: where runs are known that go on and on, as in circles of a list, each takes as long as the round allows.
const AMONG_ENDLESS: usize = 0;
/// The first round as a rule.
const FIRST: usize = 1;
/// The first round behind greybox fuzzing, which tried short runs.
const BEHIND_FUZZING: usize = 2;

/// The result of a search.
pub(crate) struct Found {
    pub(crate) exploration: Exploration,
    /// Whether runs were left out on which everything is verified.
    pub(crate) prunes: bool,
    /// Whether it is a result of an earlier run of the tool, which is not searched again.
    is_recalled: bool,
}

impl Found {
    /// Whether there is code that is not reached, besides failures of checks, but may be.
    pub(crate) fn is_open(&self, harness: &Harness) -> bool {
        let is_left = !self.exploration.exhausted || harness.longer.is_some();
        !self.is_recalled && is_left && !only_checks_are_open(&self.exploration)
    }
}

/// What a search goes on from.
pub(crate) struct Begun {
    /// What a first search found, if there was one.
    pub(crate) found: Option<Found>,
    /// Whether some of its runs are too long for the first rounds, so that what they cover would be searched for again.
    pub(crate) has_deep_runs: bool,
    /// Inputs that may reach something new.
    pub(crate) proposals: Vec<Script>,
    /// The time that both took.
    pub(crate) spent: Duration,
}

/// The plan of a search: its time, rounds and seeds.
struct Plan {
    total: Duration,
    /// The least time that a round continues without finding anything; `None` to run it to its end.
    patience: Option<Duration>,
    /// Whether a round is the last one that cut no run short.
    ends_early: bool,
    /// The random seed, which differs between searches of the same program.
    seed: u64,
    /// Places that are known to be unreachable.
    ruled_out: Vec<Origin>,
    /// Whether induction is asked about checks once nothing else is open.
    induction: bool,
    /// Inputs of known tests.
    seeds: Vec<Script>,
    /// What an earlier search of the same program found.
    earlier: Option<Exploration>,
    /// The largest number of runs, for a search that is followed by another one.
    runs: Option<u64>,
    /// The first of the rounds.
    first_round: usize,
}

impl Plan {
    /// The plan of a search that ends when it finds nothing new.
    fn of(total: Duration) -> Plan {
        Plan {
            total,
            patience: Some(PATIENCE),
            ends_early: true,
            seed: 0,
            ruled_out: vec![],
            induction: false,
            seeds: vec![],
            earlier: None,
            runs: None,
            first_round: FIRST,
        }
    }
}

/// A search of so few runs that it is enough for small functions only.
pub(crate) fn first_search(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    ruled_out: Vec<Origin>,
    time: Duration,
) -> Result<Found, ExploreError> {
    let seeds = match cache::recall(context, function, harness) {
        Some(Recalled::Search(found)) => {
            return Ok(Found { exploration: *found, prunes: false, is_recalled: true });
        }
        Some(Recalled::Inputs(inputs)) => inputs,
        None => Vec::new(),
    };
    let scope = goal_scope(context, function);
    let plan = Plan { ruled_out, seeds, runs: Some(FIRST_RUNS), ..Plan::of(time) };
    let mut found = search_for(context, function, harness, harness.procedure, &scope, &plan)?;
    found.exploration.bounds_hit.forget(Bound::Runs);
    found.exploration.bounds_hit.forget(Bound::Time);
    Ok(found)
}

/// Explores a function. The places in `ruled_out` are known to be unreachable.
pub(crate) fn search(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    ruled_out: Vec<Origin>,
    begun: Begun,
) -> Result<Found, ExploreError> {
    let scope = goal_scope(context, function);
    search_scope(context, (function, harness), scope, ruled_out, begun)
}

/// Explores a function for places in any functions that it calls.
pub(crate) fn search_places(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    places: Vec<Origin>,
    begun: Begun,
) -> Result<Found, ExploreError> {
    search_scope(context, (function, harness), GoalScope::Places(places), Vec::new(), begun)
}

fn search_scope(
    context: &Context,
    (function, harness): (&LoweredFunction, &Harness),
    mut scope: GoalScope,
    ruled_out: Vec<Origin>,
    begun: Begun,
) -> Result<Found, ExploreError> {
    let is_kept = context.guidance.is_none();
    let mut seeds = Vec::new();
    let earlier = match begun.found {
        Some(found) if found.is_recalled => return Ok(found),
        Some(found) => Some(found.exploration),
        None => match cache::recall(context, function, harness).filter(|_| is_kept) {
            Some(Recalled::Search(found)) => {
                return Ok(Found { exploration: *found, prunes: false, is_recalled: true });
            }
            Some(Recalled::Inputs(inputs)) => {
                seeds = inputs;
                None
            }
            None => None,
        },
    };
    let all = context.options.timeout;
    let builds = build_time(context, function);
    let whole = all.saturating_sub(builds);
    let left = whole.saturating_sub(begun.spent);
    let total = whole.mul_f64(FUNCTION_SHARE).min(left.mul_f64(REST_SHARE)).max(all.mul_f64(LEAST_SHARE));
    let deadline = Deadline::after(total);
    let usual = if harness.longer.is_some() { total.mul_f64(USUAL_SHARE) } else { total };
    let induction = context.guidance.is_none() && !context.compiled.leaves_out(&[harness.widest()]);
    let mut plan = Plan { ruled_out, induction, seeds, earlier, ..Plan::of(usual) };
    if let Some(earlier) = plan.earlier.as_ref().filter(|_| begun.has_deep_runs) {
        scope = open_places(earlier);
    }
    if !begun.proposals.is_empty() {
        plan.first_round = BEHIND_FUZZING;
        scope = propose(context, (function, harness), scope, begun.proposals, &mut plan)?;
    }
    if plan.earlier.as_ref().is_some_and(is_endless) {
        plan.first_round = AMONG_ENDLESS;
    }
    let is_done = |e: &Exploration| e.exhausted || e.goals.iter().all(is_settled);
    let mut found = match plan.earlier.take_if(|earlier| is_done(earlier)) {
        Some(exploration) => Found { exploration, prunes: false, is_recalled: false },
        None => search_for(context, function, harness, harness.procedure, &scope, &plan)?,
    };
    if let Some(longer) = harness.longer {
        plan.total = deadline.left();
        plan.seeds.extend(scripts(&found.exploration));
        plan.earlier = None;
        plan.induction = false;
        if is_endless(&found.exploration) {
            plan.first_round = AMONG_ENDLESS;
        }
        let ruled_out = found.exploration.goals.iter().filter(|g| g.ruled_out);
        plan.ruled_out = ruled_out.map(|g| g.origin).collect();
        search_longer(context, function, harness, longer, &mut found, &plan)?;
    }
    if let Some(searches) = context.searches.filter(|_| is_kept && !context.stop.load(Ordering::Relaxed)) {
        cache::keep(searches, harness, &found.exploration);
    }
    Ok(found)
}

/// Whether some run went on and on.
fn is_endless(found: &Exploration) -> bool {
    found.bounds_hit.count(Bound::Steps) > 0
}

/// Runs proposals, which are inputs of the widest harness, once, and adds what they cover to what was found earlier. Returns
/// what is open.
fn propose(
    context: &Context,
    (function, harness): (&LoweredFunction, &Harness),
    scope: GoalScope,
    proposals: Vec<Script>,
    plan: &mut Plan,
) -> Result<GoalScope, ExploreError> {
    let total = plan.total.mul_f64(PROPOSALS_SHARE);
    let ruled_out = plan.ruled_out.clone();
    let mut found = run_once(context, (function, harness), &scope, proposals, ruled_out, total)?;
    if let Some(earlier) = plan.earlier.take() {
        found.exhausted |= earlier.exhausted;
        join(earlier, &mut found);
    }
    let open = open_places(&found);
    plan.earlier = Some(found);
    Ok(if is_guided(context, function) { scope } else { open })
}

/// What inputs of the widest harness cover, each of which is run once.
fn run_once(
    context: &Context,
    (function, harness): (&LoweredFunction, &Harness),
    scope: &GoalScope,
    proposals: Vec<Script>,
    ruled_out: Vec<Origin>,
    total: Duration,
) -> Result<Exploration, ExploreError> {
    let runs = Some(proposals.len() as u64 + 1);
    let once = Plan { seeds: proposals, runs, ruled_out, first_round: BEHIND_FUZZING, ..Plan::of(total) };
    let mut found = search_for(context, function, harness, harness.widest(), scope, &once)?.exploration;
    if found.bounds_hit.count(Bound::Time) > 0 && !context.options.seeds.is_empty() {
        let why = "there was no time to run all seeds and what fuzzing found; --timeout raises the limit";
        found.notes.push(why.to_owned());
    }
    found.bounds_hit.forget(Bound::Runs);
    found.bounds_hit.forget(Bound::Time);
    Ok(found)
}

/// What inputs of the widest harness cover of places in any functions.
pub(crate) fn run_for_places(
    context: &Context,
    subject: (&LoweredFunction, &Harness),
    places: &[Origin],
    inputs: &[Script],
    total: Duration,
) -> Result<Found, ExploreError> {
    let scope = GoalScope::Places(places.to_vec());
    let exploration = run_once(context, subject, &scope, inputs.to_vec(), Vec::new(), total)?;
    Ok(Found { exploration, prunes: false, is_recalled: false })
}

/// What is left to be searched for.
fn open_places(found: &Exploration) -> GoalScope {
    let open = found.goals.iter().filter(|goal| !is_settled(goal));
    GoalScope::Places(open.map(|goal| goal.origin).collect())
}

/// How long building a function's tests takes, about.
pub(crate) fn build_time(context: &Context, function: &LoweredFunction) -> Duration {
    context.compiled.compile_times[function.function.module as usize].saturating_mul(BUILDS)
}

/// Continues with longer arrays and lists if there are statements that are not reached, or checks that longer lists may fail.
fn search_longer(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    longer: ProcId,
    found: &mut Found,
    plan: &Plan,
) -> Result<(), ExploreError> {
    if context.options.exploration.is_some() || context.stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let is_open = |g: &&Goal| !g.covered_well && !plan.ruled_out.contains(&g.origin);
    let open: Vec<&Goal> = found.exploration.goals.iter().filter(is_open).collect();
    // A list that is copied into an array of fixed length fails where it is longer than that.
    if open.is_empty()
        || !harness.has_longer_lists && open.iter().all(|g| matches!(g.kind, GoalKind::Failure(_)))
    {
        return Ok(());
    }
    let scope = match is_guided(context, function) {
        true => GoalScope::Procedures(vec![function.procedure]),
        false => GoalScope::Places(open.iter().map(|g| g.origin).collect()),
    };
    let more = search_for(context, function, harness, longer, &scope, plan)?;
    let earlier = std::mem::replace(&mut found.exploration, more.exploration);
    // Who knows all short inputs knows what they reach.
    found.exploration.exhausted |= earlier.exhausted;
    join(earlier, &mut found.exploration);
    Ok(())
}

/// Explores a program from its start, for a short time.
pub(crate) fn search_program(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    total: Duration,
) -> Result<Found, ExploreError> {
    let plan = Plan { runs: Some(FIRST_RUNS), ..Plan::of(total) };
    let scope = all_goals(context, function);
    let mut found = search_for(context, function, harness, harness.procedure, &scope, &plan)?;
    found.exploration.bounds_hit.forget(Bound::Runs);
    Ok(found)
}

/// How long a search of a program that is followed by another one goes on without finding anything.
fn program_patience(total: Duration) -> Option<Duration> {
    Some((total / 4).max(PATIENCE))
}

/// Adds what inputs of a program cover that were proposed for what is open, each of which is run once.
pub(crate) fn propose_to_program(
    context: &Context,
    subject: (&LoweredFunction, &Harness),
    found: &mut Found,
    open: Vec<Origin>,
    proposals: Vec<Script>,
    total: Duration,
) -> Result<(), ExploreError> {
    let scope = GoalScope::Places(open);
    let mut more = run_once(context, subject, &scope, proposals, Vec::new(), total)?;
    more.exhausted = found.exploration.exhausted;
    let earlier = std::mem::replace(&mut found.exploration, more);
    join(earlier, &mut found.exploration);
    Ok(())
}

/// Continues the search of a program from the tests that are known; nothing reaches the places in `ruled_out`. The last search
/// takes all of its time.
pub(crate) fn search_further(
    context: &Context,
    (function, harness): (&LoweredFunction, &Harness),
    found: &mut Found,
    ruled_out: Vec<Origin>,
    (total, is_last): (Duration, bool),
) -> Result<(), ExploreError> {
    let seeds = scripts(&found.exploration).collect();
    let patience = if is_last { None } else { program_patience(total) };
    let seed = if is_last { 2 } else { 1 };
    let plan = Plan { patience, ends_early: false, seed, seeds, ruled_out, ..Plan::of(total) };
    // What is covered guides the search, too: places that are near it.
    let scope = all_goals(context, function);
    let more = search_for(context, function, harness, harness.procedure, &scope, &plan)?;
    let earlier = std::mem::replace(&mut found.exploration, more.exploration);
    join(earlier, &mut found.exploration);
    Ok(())
}

/// The result of a search for one place.
pub(crate) enum PlaceFound {
    /// A run to it; its script.
    Run(Script),
    /// Every run was made or refuted, and none reaches it.
    NoRun,
    /// Neither.
    Nothing,
}

/// Looks for a run from the start of a procedure to one place. The program may differ from the one that was lowered.
pub(crate) fn search_place(
    context: &Context,
    harness: &Harness,
    (program, root): (&Program, ProcId),
    place: Origin,
    seeds: Vec<Script>,
    total: Duration,
) -> Result<PlaceFound, ExploreError> {
    let goals = concolic::Options {
        goals_in: GoalScope::Places(vec![place]),
        seeds,
        start: least_inputs(&context.compiled.lowered, harness),
        ..concolic::Options::default()
    };
    let plan = Plan { patience: None, ..Plan::of(total) };
    let found = in_rounds(program, context, root, &goals, (&plan, total), None)?;
    let test = found.goals.iter().find_map(|goal| goal.covered_by);
    let is_visited = found.goals.iter().any(|goal| goal.visited);
    let (exhausted, is_known) = (found.exhausted, !found.goals.is_empty());
    Ok(match test.and_then(|number| found.tests.into_iter().nth(number)) {
        Some(test) => PlaceFound::Run(test.script),
        None if exhausted && !is_visited && is_known => PlaceFound::NoRun,
        None => PlaceFound::Nothing,
    })
}

/// Whether the search is guided: the program that is explored has places of its own then.
fn is_guided(context: &Context, function: &LoweredFunction) -> bool {
    context.guidance.as_ref().is_some_and(|g| g.is_about(function))
}

/// The goals of a search about one function: its places, or those of them that are selected.
fn goal_scope(context: &Context, function: &LoweredFunction) -> GoalScope {
    if let (Starts::Library(_), Ok(harness)) = (&context.compiled.starts, &function.harness) {
        return from_entry(context, harness);
    }
    match context.compiled.selected.selects_objectives() && !is_guided(context, function) {
        true => GoalScope::Places(selected_places(context, function)),
        false => GoalScope::Procedures(vec![function.procedure]),
    }
}

/// The goals of a search from an entry of a library: the places of all functions that it may call.
fn from_entry(context: &Context, harness: &Harness) -> GoalScope {
    let lowered = &context.compiled.lowered;
    let called: FxHashSet<ProcId> = lowered.program.reachable(&[harness.widest()]).into_iter().collect();
    let functions = lowered.functions.iter();
    let functions = functions.filter(|f| f.degraded.is_none() && context.names.contains(&f.name));
    let functions = functions.filter(|f| called.contains(&f.procedure));
    match context.compiled.selected.selects_objectives() {
        true => GoalScope::Places(functions.flat_map(|f| selected_places(context, f)).collect()),
        false => GoalScope::Procedures(functions.map(|f| f.procedure).collect()),
    }
}

/// The goals of a search about a whole program that starts in a function.
fn all_goals(context: &Context, entry: &LoweredFunction) -> GoalScope {
    if !context.compiled.selected.selects_objectives() || is_guided(context, entry) {
        return of_the_user(context);
    }
    let functions = context.compiled.lowered.functions.iter();
    let functions = functions.filter(|f| f.degraded.is_none() && context.names.contains(&f.name));
    GoalScope::Places(functions.flat_map(|f| selected_places(context, f)).collect())
}

fn selected_places(context: &Context, function: &LoweredFunction) -> Vec<Origin> {
    let targets = context.compiled.targets(function, &context.options.lowering.checks);
    targets.iter().map(|target| target.origin).collect()
}

fn of_the_user(context: &Context) -> GoalScope {
    GoalScope::Procedures(context.user_procedures())
}

/// Explores from a procedure of the harness.
fn search_for(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    root: ProcId,
    scope: &GoalScope,
    plan: &Plan,
) -> Result<Found, ExploreError> {
    let guided = context.guidance.as_ref().and_then(|g| g.program(function, root));
    let program = guided.as_ref().map_or(&context.compiled.lowered.program, |g| &g.program);
    let mut goals = concolic::Options {
        goals_in: scope.clone(),
        ruled_out: plan.ruled_out.iter().copied().collect(),
        seeds: plan.seeds.clone(),
        start: least_inputs(&context.compiled.lowered, harness),
        unverified_first: guided.as_ref().is_some_and(|g| g.orders),
        prunes: guided.as_ref().is_some_and(|g| g.prunes),
        ..context.options.exploration.clone().unwrap_or_default()
    };
    if context.options.exploration.is_none() {
        goals.bounds.time = Some(plan.total);
    }
    let through = context
        .conditions
        .filter(|_| guided.is_none())
        .and_then(|c| c.program(root, &with_goals(scope, program, root)));
    let mut explore = |explored: &Program, goals: &concolic::Options| match &context.options.exploration {
        Some(_) => {
            let tell = |e| (context.events)(Event::Exploring(function.name.clone(), e));
            let start = (root, 0);
            let guide = LoopGuide { program: explored, start };
            let helpers = Helpers { guide: Some(&guide), ..helpers(context) };
            concolic::explore_helped(explored, start, goals, helpers, context.stop, &tell)
        }
        None => {
            let total = goals.bounds.time.unwrap_or(plan.total);
            let function = Some(function).filter(|_| plan.induction && std::ptr::eq(explored, program));
            in_rounds(explored, context, root, goals, (plan, total), function)
        }
    };
    let mut exploration = match &through {
        Some(through) => explore_through(through, program, &goals, &mut explore)?,
        None => explore(program, &goals)?,
    };
    if let Some(guided) = &guided {
        verification_guide::in_source(&mut exploration, guided);
        exploration.notes.extend(context.conditions.map(|_| GUIDED.to_owned()));
    }
    Ok(Found { exploration, prunes: guided.is_some_and(|g| g.prunes), is_recalled: false })
}

/// The procedures that goals are in.
fn with_goals(scope: &GoalScope, program: &Program, root: ProcId) -> Vec<ProcId> {
    match scope {
        GoalScope::Root => Vec::new(),
        GoalScope::All => program.reachable(&[root]).into_iter().collect(),
        GoalScope::Procedures(procedures) => procedures.clone(),
        GoalScope::Places(places) => places.iter().map(|place| place.procedure).collect(),
    }
}

/// The helpers of a search: the process that runs sampled functions, and the prepared program.
fn helpers<'a>(context: &'a Context) -> Helpers<'a> {
    let natives = context.compiled.natives.as_ref().map(|n| n as &(dyn Natives + Sync));
    Helpers { guide: None, natives, prepared: Some(context.prepared) }
}

/// Simplest inputs of a function's harness: pointers are null, numbers zero, and arrays have one element.
fn least_inputs(lowered: &Lowered, harness: &Harness) -> Script {
    let width = lowered.shape.offset;
    let one = |symbol| ((0, symbol), Value::BitVec { width, bits: BigUint::one() });
    Script { entries: harness.counts().map(one).collect(), ..Script::default() }
}

fn in_rounds(
    program: &Program,
    context: &Context,
    root: ProcId,
    goals: &concolic::Options,
    (plan, total): (&Plan, Duration),
    function: Option<&LoweredFunction>,
) -> Result<Exploration, ExploreError> {
    let deadline = Deadline::after(total);
    let (mut ruled_out, mut asked) = (goals.ruled_out.clone(), function);
    let mut found: Option<Exploration> = plan.earlier.clone();
    for (number, &(steps, share)) in ROUNDS[plan.first_round..].iter().enumerate() {
        let left = deadline.left();
        let mut options = concolic::Options {
            endless: true,
            stop_when_covered: true,
            // Guidance has preferences of its own, by which no goal is covered better.
            preferred: context.guidance.is_none(),
            defined: !context.compiled.starts.is_program(),
            seed: context.options.seed + plan.seed,
            ruled_out: ruled_out.clone(),
            seeds: goals.seeds.iter().cloned().chain(found.iter().flat_map(scripts)).collect(),
            ..goals.clone()
        };
        if !plan.ends_early {
            // The same runs would be made again.
            options.seed += number as u64;
        }
        options.bounds.steps = steps;
        options.bounds.time = Some(left.mul_f64(share));
        options.bounds.runs = plan.runs.unwrap_or(options.bounds.runs);
        let patience = Patience::new(context.stop, plan.patience);
        let (root, helpers) = ((root, 0), helpers(context));
        let see = |e| patience.see(&e);
        let mut round = concolic::explore_helped(program, root, &options, helpers, &patience.stop, &see)?;
        let hits = |bound| round.bounds_hit.count(bound) > 0;

        let is_last = round.exhausted
            || plan.runs.is_some()
            || plan.ends_early && !hits(Bound::Steps) && !hits(Bound::Time);
        if let Some(earlier) = found.take() {
            join(earlier, &mut round);
        }
        if let Some(function) =
            asked.filter(|_| plan.runs.is_none() && !round.exhausted && only_checks_are_open(&round))
        {
            let left = deadline.left();
            ruled_out.extend(rule_out(context, function, &mut round, left.mul_f64(INDUCTION_SHARE)));
            asked = None;
        }
        // A check that fails after so many steps only is left to proofs, and to the summaries of loops.
        let is_enough = plan.patience.is_some() && number > 0 && only_checks_are_open(&round);
        let done = is_last || is_enough || round.goals.iter().all(is_settled);
        found = Some(round);
        if done || context.stop.load(Ordering::Relaxed) || deadline.is_over() {
            break;
        }
    }
    found.ok_or_else(|| {
        ExploreError::Invalid("there was no time for it; --timeout raises the limit".to_owned())
    })
}

fn is_settled(goal: &Goal) -> bool {
    goal.covered_well || goal.ruled_out
}

/// Whether all open goals are failures of checks, so that searching longer covers nothing else.
fn only_checks_are_open(found: &Exploration) -> bool {
    found.goals.iter().all(|goal| is_settled(goal) || goal.is_check)
}

/// Marks the open goals of a function that no run of its harness reaches, by points-to invariants.
fn rule_out(
    context: &Context,
    function: &LoweredFunction,
    round: &mut Exploration,
    time: Duration,
) -> FxHashSet<Origin> {
    let open = round.goals.iter().filter(|g| g.covered_by.is_none() && !g.ruled_out && !g.visited);
    let places: Vec<Origin> = open.map(|g| g.origin).collect();
    if places.is_empty() || context.stop.load(Ordering::Relaxed) {
        return FxHashSet::default();
    }
    let never = never_from_harness(&context.compiled.lowered, function, &places, time);
    round.goals.iter_mut().for_each(|g| g.ruled_out |= never.contains(&g.origin));
    never
}

/// The places that a search came to.
pub(crate) fn covered(found: &Found) -> impl Iterator<Item = Origin> + '_ {
    found.exploration.goals.iter().filter(|g| g.covered_by.is_some()).map(|g| g.origin)
}

/// The inputs of the tests that were found.
fn scripts(found: &Exploration) -> impl Iterator<Item = Script> + '_ {
    found.tests.iter().map(|test| test.script.clone())
}

/// Adds what was found before, in the same program. The search is exhaustive if the later one is, whose runs are
/// longer.
fn join(earlier: Exploration, later: &mut Exploration) {
    let shift = earlier.tests.len();
    let mut goals = earlier.goals;
    let known: FxHashMap<Origin, usize> = goals.iter().enumerate().map(|(i, g)| (g.origin, i)).collect();
    let mut number_of = Vec::with_capacity(later.goals.len());
    for mut goal in std::mem::take(&mut later.goals) {
        goal.covered_by = goal.covered_by.map(|t| t + shift);
        goal.returned_by = goal.returned_by.map(|t| t + shift);
        number_of.push(known.get(&goal.origin).copied().unwrap_or(goals.len()));
        match known.get(&goal.origin) {
            Some(&i) => {
                let old = &mut goals[i];
                old.visited |= goal.visited;
                old.ruled_out |= goal.ruled_out;
                old.covered_by = old.covered_by.or(goal.covered_by);
                old.returned_by = old.returned_by.or(goal.returned_by);
                old.covered_well |= goal.covered_well;
            }
            None => goals.push(goal),
        }
    }
    for test in &mut later.tests {
        test.covers.iter_mut().for_each(|g| *g = number_of[*g]);
    }
    later.goals = goals;
    later.tests.splice(0..0, earlier.tests);
    later.bounds_hit.add(&earlier.bounds_hit);
    later.statistics.add(&earlier.statistics);
    later.notes.extend(earlier.notes);
    later.notes.dedup();
}

/// Ends a search that has covered nothing new for a while: twice as long as it took to get where it is, and [`PATIENCE`],
/// or [`CHECKS_PATIENCE`] if all code is covered.
struct Patience<'a> {
    least: Option<Duration>,
    outer: &'a AtomicBool,
    stop: AtomicBool,
    /// The time of the first run, how much was covered at the last success, and how long that was after the first
    /// run.
    last: Mutex<(Stopwatch, usize, Duration)>,
}

/// See [`Patience`].
const PATIENCE: Duration = Duration::from_millis(2500);
/// See [`Patience`].
const CHECKS_PATIENCE: Duration = Duration::from_millis(1000);

impl<'a> Patience<'a> {
    fn new(outer: &'a AtomicBool, least: Option<Duration>) -> Patience<'a> {
        Patience {
            least,
            outer,
            stop: AtomicBool::new(false),
            last: Mutex::new((Stopwatch::start(), 0, Duration::ZERO)),
        }
    }

    fn see(&self, event: &concolic::Event) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (covered, only_checks) = match event {
            // A large program takes a while to be made ready.
            concolic::Event::Started(_) => {
                *last = (Stopwatch::start(), 0, Duration::ZERO);
                (0, false)
            }
            concolic::Event::Progress { covered, only_checks, .. } => (*covered, *only_checks),
            _ => return,
        };
        let least = self.least.map(|least| if only_checks { least.min(CHECKS_PATIENCE) } else { least });
        let now = last.0.elapsed();
        if covered > last.1 {
            (last.1, last.2) = (covered, now);
        }
        if least.is_some_and(|least| now > 2 * last.2 + least) || self.outer.load(Ordering::Relaxed) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
