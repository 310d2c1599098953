//! Latent and manifest failures: whether a caller can avoid what a test shows.
//!
//! **Idea.** A test that makes a check fail says that there are inputs for which it fails, not that anybody passes them. So its
//! run is made once more with symbolic values. On its path stand conditions P, and at the check a condition F under which it
//! fails, over what the caller gives (parameters, what they lead to, variables of the program) and what the environment gives
//! (results of external functions, allocations that fail). If the caller can give something else that takes the same path and
//! passes the check, which is that P and ¬F hold together, the failure is *latent*: ¬F is a precondition of the function, in the
//! words of the source where it has any. If not, it is *manifest*: whoever takes that path fails.
//!
//! ```c
//! int first(int *p) { return *p; }                       // latent: needs p != NULL
//! int guarded(int *p) { if (!p) return *p; return 0; }   // manifest: the path itself says that p is null
//! int *made(void) { int *p = malloc(4); *p = 1; return p; }  // manifest: F is about malloc alone
//! ```
//!
//! Of a check that fails whenever it is reached (`abort`, a failed `assert`), F is the last decision before it, or all of them together where
//! they are few and the caller makes each. Of one that fails in a later round of a loop, it is that there is such a round. Where F is settled
//! by an earlier check that fails on the same path and does not end it (`a + b` twice), it is that one's. Where a caller can avoid an
//! earlier failure on the path, what fails behind it is latent, too.
//!
//! The harness makes few objects, each as large as its type and linked to few others, and a caller is not bound to that: the
//! `struct list` that it makes for `l` is never the member of a larger structure, as which `container_of(l)` reads it. So where
//! P and ¬F exclude each other, P is reduced to the branches of the source, and asked again. Where F is about the size of an object from
//! outside, a larger one avoids it.
//!
//! A failure that needs two parameters to point into one object is latent, too, unless the function itself compares them
//! (`overlapping_inputs.rs`).
//!
//! A latent failure is a finding after all if another function of the user's makes it happen whatever *its* callers do: the runs of its
//! search that end in a callee are asked in the same way.
//!
//! **Paper.** Le, Raad, Villard, Berdine, Dreyer, O'Hearn, Finding Real Bugs in Big Programs with Incorrectness Logic,
//! OOPSLA 2022, as in Infer's Pulse. There a failure is manifest only if no condition on inputs leads to it. Here conditions on
//! the path may be about inputs, as long as they do not avoid the failure: nothing that is inferred of a function forbids
//! `n == 7` in `if (n == 7) *made(0) = 1;`.
//!
//! **Direction of error.** What cannot be classified, because the run is not repeated or the solver has no answer, is listed as latent,
//! and a remark counts it; where a function is given nothing by its callers, it stays a finding. That a function breaks a precondition is said where its compiled test ends by a signal there. Only a model that avoids the failure makes it latent; that model is not run. Neither changes a verdict: the check
//! fails in its test.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use footpath_c_syntax::failure_conditions::CSyntax;
use footpath_c_syntax::wording::Wording;
use footpath_concolic as concolic;
use footpath_concolic::{Bounds, ConcolicTest, DecidedBy, Exploration, GoalScope, Helpers, Keep};
use footpath_cover::set_cover;
use footpath_frontend::c::source::c_types::CType;
use footpath_frontend::c::{BlockRole, Harness, InputObject, InputParam, LoweredFunction, SettingValue};
use footpath_ir::interp::{Outcome, Script};
use footpath_ir::{AssertKind, Origin, Place, ProcId};
use footpath_replay::{Ended, Observed, inputs};
use footpath_simplify::{Dnf, Simplifier};
use footpath_term::{Op, SymbolId, TermId, Terms, Value};
use footpath_verdict::Verdict;
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::objectives::Target;
use crate::result::{FailureClass, Need, Objective, ObjectiveKind, Precondition};
use crate::strategy::changed_pointers::{self, followed_null, needs_shared_object};
use crate::strategy::compared_sizes::{FailingAccess, failing_access, passed_before};
use crate::strategy::input_scalars::with_model;
use crate::strategy::overlapping_inputs;

/// Time for all failures of a function.
const TIME: Duration = Duration::from_secs(3);
/// The same where the user or the limit for all functions has ended the run.
const TIME_AT_END: Duration = Duration::from_millis(500);
/// Time for a run.
const RUN: Duration = Duration::from_secs(2);
/// Steps of a run: fewer than the decisions whose conditions are kept.
const STEPS: u64 = 10_000;
/// Steps of a run without symbolic values.
const CONCRETE_STEPS: u64 = 200_000;
/// Time for a question to the solver.
const QUESTION: Duration = Duration::from_millis(500);
/// Time for finding the words of one precondition.
const WORDS: Duration = Duration::from_secs(1);
/// The most decisions that are looked at for the one that makes a round of a loop.
const ROUNDS: usize = 64;
/// The most decisions of a path that is described as a whole.
const PATH: usize = 8;
/// The most literals of a precondition that is said in C.
const MOST: usize = 4;
/// The nodes of a condition on the path that is known where words are chosen, although it shares no inputs with what they say.
const SMALL: u64 = 64;
/// The longest precondition that is said in C.
const LONGEST: usize = 80;

/// A precondition for which there are no words.
const UNNAMED: Precondition = Precondition { need: Need::OfKind, always: false };

/// Classifies the failures that a function's tests show. `scripts` are the inputs of the tests, in their order. The result is a remark
/// about those of which it was not found out whether a caller can avoid them.
pub(crate) fn classify(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    targets: &[Origin],
    scripts: &[Script],
    objectives: &mut [Objective],
) -> Option<String> {
    let is_failing =
        |o: &Objective| matches!(o.kind, ObjectiveKind::Check(_)) && o.verdict == Verdict::Covered;
    let failing: Vec<usize> = (0..objectives.len()).filter(|&i| is_failing(&objectives[i])).collect();
    // Whoever starts a program can pass it anything.
    if failing.is_empty() || function.name == "main" {
        return None;
    }
    let is_stopped = context.stop.load(Ordering::Relaxed);
    let until = Deadline::after(if is_stopped { TIME_AT_END } else { TIME });
    let (caller, users) = (Caller::of(context, harness), context.user_procedures());
    let takes_inputs = !harness.params.is_empty() || !harness.objects.is_empty();
    let mut unclear = 0;
    for &i in &failing {
        let Some(&number) = objectives[i].tests.first() else { continue };
        let Some(script) = number.checked_sub(1).and_then(|n| scripts.get(n)) else { continue };
        let ObjectiveKind::Check(kind) = objectives[i].kind else { continue };
        let question = Question { context, function, harness, caller: &caller, users: &users };
        let found = if until.is_over() { None } else { question.class(script, targets[i], kind) };
        unclear += usize::from(found.is_none() && takes_inputs);
        objectives[i].failure = found.or_else(|| takes_inputs.then_some(FailureClass::Latent(UNNAMED)));
    }
    for i in failing {
        if !matches!(
            objectives[i].failure,
            Some(
                FailureClass::Manifest { .. } | FailureClass::Latent(Precondition { need: Need::OfKind, .. })
            )
        ) {
            continue;
        }
        let tests = objectives[i].tests.iter().filter_map(|&n| scripts.get(n.checked_sub(1)?));
        let tests: Vec<&Script> = tests.collect();
        let apart = overlapping_inputs::needed(context, harness, &tests, targets[i], until);
        if let Some(names) = apart {
            let precondition = Precondition { need: Need::Apart(names), always: false };
            objectives[i].failure = Some(FailureClass::Latent(precondition));
        }
    }
    (unclear > 0).then(|| {
        let (noun, them) = if unclear == 1 { ("failure", "it is") } else { ("failures", "they are") };
        format!(
            "whether callers can avoid {unclear} {noun} was not found out: {them} listed as what the function needs; --strict shows all"
        )
    })
}

/// The checks in other functions of the user's that a function makes fail whatever its own callers do, each with the number of a
/// test in which it does. Among them are preconditions that it breaks.
pub(crate) fn breaches(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    exploration: &Exploration,
) -> Vec<(usize, Origin)> {
    let options = context.options;
    if options.strict || !options.entry.is_empty() || options.exploration.is_some() {
        return Vec::new();
    }
    let (caller, users) = (Caller::of(context, harness), context.user_procedures());
    let mut failing: BTreeMap<Origin, Vec<usize>> = BTreeMap::new();
    for (number, test) in exploration.tests.iter().enumerate() {
        if let Outcome::Failed { at, kind } = test.outcome
            && kind != AssertKind::Exit
            && at.procedure != function.procedure
            && users.contains(&at.procedure)
        {
            failing.entry(at).or_default().push(number);
        }
    }
    let question = Question { context, function, harness, caller: &caller, users: &users };
    let until = Deadline::after(TIME);
    let is_over = || context.stop.load(Ordering::Relaxed) || until.is_over();
    let breach = |(at, tests): (Origin, Vec<usize>)| {
        // Another way to the check through the same code is asked about once.
        let covers: Vec<Vec<usize>> = tests.iter().map(|&n| exploration.tests[n].covers.clone()).collect();
        let asked = set_cover(&covers).into_iter().map(|i| tests[i]);
        let is_manifest = |&number: &usize| {
            let Outcome::Failed { kind, .. } = exploration.tests[number].outcome else { return false };
            let script = &exploration.tests[number].script;
            let repeated = if is_over() { None } else { repeat(context, harness, script, at) };
            let found = repeated.and_then(|mut run| question.avoidance(&mut run, at, kind));
            matches!(found, Some(Avoidance::Impossible))
        };
        asked.into_iter().find(is_manifest).map(|number| (number, at))
    };
    failing.into_iter().filter_map(breach).collect()
}

/// Whether the compiled test shows that it comes to a check: it ends by a signal, and the check's function was called.
pub(crate) fn shows(context: &Context, at: Origin, observed: &Observed) -> bool {
    let function = context.compiled.lowered.functions.iter().find(|f| f.procedure == at.procedure);
    let is_there =
        function.is_some_and(|f| observed.points.get(&f.name).is_some_and(|points| !points.is_empty()));
    matches!(observed.ended, Ended::Signal(_)) && is_there
}

/// A run with symbolic values.
struct Repeated {
    script: Script,
    terms: Terms,
    conditions: Vec<TermId>,
    /// What decided each of them.
    decided_by: Vec<DecidedBy>,
}

impl Repeated {
    /// The conditions before decision `at` that follow from the source. Those are left out that say which of the objects that
    /// the harness makes a pointer leads to, which ones it may lead to at all, by checks that hold, how large these are, and how
    /// often the model of a library function iterates.
    fn in_source(&self, at: usize, users: &[ProcId]) -> Vec<TermId> {
        let of_harness = self.decided_by.iter().take_while(|by| **by == DecidedBy::Assumption).count();
        let is_kept = |i: &usize| match self.decided_by[*i] {
            DecidedBy::Branch(to) => to.is_none_or(|to| users.contains(&to.procedure)),
            DecidedBy::Failure(_) => true,
            DecidedBy::Assumption => *i >= of_harness,
            // Null is no way to avoid a check of what the pointer leads to.
            DecidedBy::Object => {
                let node = self.terms.term(self.conditions[*i]);
                node.op == Op::Not && is_null(&self.terms, node.args[0])
            }
            DecidedBy::Passed => false,
        };
        (0..at).filter(is_kept).map(|i| self.conditions[i]).collect()
    }

    /// The position of the first decision that leads to a place with some property.
    fn first(&self, is_it: impl Fn(Origin) -> bool) -> Option<usize> {
        self.decided_by.iter().position(|by| by.leads_to().is_some_and(&is_it))
    }

    /// The position of the last decision that leads to a place.
    fn last(&self) -> Option<usize> {
        self.decided_by.iter().rposition(|by| by.leads_to().is_some())
    }
}

/// Makes the run of a test once more, for the conditions on its path.
fn repeat(context: &Context, harness: &Harness, script: &Script, place: Origin) -> Option<Repeated> {
    let options = concolic::Options {
        start: script.clone(),
        goals_in: GoalScope::Places(vec![place]),
        keep: Keep::All,
        random_runs: 0,
        endless: true,
        bounds: Bounds { runs: 1, interrupts: 0, time: Some(RUN), steps: STEPS, ..Bounds::default() },
        ..concolic::Options::default()
    };
    let helpers = Helpers { prepared: Some(context.prepared), ..Helpers::default() };
    let (program, root) = (&context.compiled.lowered.program, (harness.widest(), 0));
    let stop = AtomicBool::new(false);
    let found = concolic::explore_helped(program, root, &options, helpers, &stop, &|_| {}).ok()?;
    // Where values come from a model, the first run is another one; and a run that is cut short may not get there.
    let is_it = |t: &&ConcolicTest| t.script.entries == script.entries && !t.covers.is_empty();
    let test = found.tests.iter().find(is_it)?;
    let (conditions, decided_by) = (test.conditions.clone()?, test.decided_by.clone());
    Some(Repeated { script: script.clone(), terms: found.terms, conditions, decided_by })
}

/// What a caller gives.
struct Caller {
    /// Parameters of the harness, and variables of the program at its entry.
    symbols: FxHashSet<SymbolId>,
    /// The objects that inputs lead to, by number. Others in the same memories are made during the run, or are what
    /// external functions return.
    objects: FxHashSet<u64>,
}

impl Caller {
    fn of(context: &Context, harness: &Harness) -> Caller {
        let program = &context.compiled.lowered.program;
        let params = program[harness.widest()].bodies[0].params.iter().map(|v| v.symbol);
        let symbols = params.chain(program.globals.iter().map(|g| g.variable.symbol)).collect();
        let arguments = harness.arguments.as_ref().map(|arguments| &arguments.object);
        let objects = harness.objects.iter().chain(arguments).map(|o| o.number);
        let settings = harness.settings.iter().filter_map(|s| match s.value {
            SettingValue::Memory { number, .. } => Some(number),
            SettingValue::Variables(_) => None,
        });
        Caller { symbols, objects: objects.chain(settings).map(u64::from).collect() }
    }

    /// Whether a term depends on what the caller gives.
    fn matters(&self, terms: &Terms, term: TermId) -> bool {
        let (mut todo, mut seen) = (vec![term], FxHashSet::default());
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            let node = terms.term(t);
            match (&node.op, node.args.as_slice()) {
                (Op::Var(symbol), _) if self.symbols.contains(symbol) => return true,
                (Op::Select, [map, object, rest @ ..]) if matches!(terms.term(*map).op, Op::Var(_)) => {
                    match terms.literal(*object).and_then(Value::as_u64) {
                        Some(number) if !self.objects.contains(&number) => todo.extend(rest),
                        _ => todo.extend(&node.args),
                    }
                }
                _ => todo.extend(&node.args),
            }
        }
        false
    }
}

/// How a caller can avoid a failure.
enum Avoidance {
    /// It cannot: whoever takes the path fails.
    Impossible,
    /// By other objects, perhaps such as the harness does not make; no decision at the check tells of which.
    Unnamed,
    /// By the other side of the decision at this position; with the solver that said so.
    At(usize, Box<Simplifier>),
}

/// What is asked about one failure.
struct Question<'a> {
    context: &'a Context<'a>,
    function: &'a LoweredFunction,
    harness: &'a Harness,
    caller: &'a Caller,
    /// The procedures of the user's functions.
    users: &'a [ProcId],
}

impl Question<'_> {
    fn class(&self, script: &Script, place: Origin, kind: AssertKind) -> Option<FailureClass> {
        let Some(mut repeated) = repeat(self.context, self.harness, script, place) else {
            return self.is_about_inputs(script, place, kind).then(|| self.unnamed(script, place, kind));
        };
        self.class_by_path(&mut repeated, place, kind)
    }

    fn class_by_path(&self, run: &mut Repeated, place: Origin, kind: AssertKind) -> Option<FailureClass> {
        let (at, mut simplifier) = match self.avoidance(run, place, kind)? {
            Avoidance::Impossible if self.has_known_callers() && self.is_led_to(run) => {
                return Some(self.unnamed(&run.script, place, kind));
            }
            Avoidance::Impossible => match self.undefined_before(run, place, kind) {
                Some(found) => found,
                None => return Some(FailureClass::Manifest { needs: self.excluded(run, place, kind) }),
            },
            Avoidance::Unnamed => return Some(self.unnamed(&run.script, place, kind)),
            Avoidance::At(at, simplifier) => (at, simplifier),
        };
        let is_own = run.decided_by[at].leads_to() == Some(place);
        if !is_own && let Some(need) = self.off_the_path(run, at, kind) {
            return Some(FailureClass::Latent(Precondition { need, always: true }));
        }
        let always = !self.depends_on_branches(run, at);
        let fails = run.conditions[at];
        // What is said is said of the path: that `p->next` is not null has a meaning where `p` is not. What shares no inputs
        // with it holds in the run.
        let together = concolic::independent_slice(&run.terms, &run.conditions[..=at]);
        let mut path = run.conditions[..at].to_vec();
        path.retain(|c| together.contains(c) || run.terms.tree_size(*c) <= SMALL);
        let is_said = is_plain(kind)
            || is_own && self.is_about_own(&run.script, place, kind)
            || always && !self.is_about_lengths(&run.terms, fails);
        let is_said = is_said && (is_own || !self.fails_all_the_same(run, at, place, &mut simplifier));
        let text = if is_said { self.words(&mut run.terms, &path, fails, *simplifier) } else { None };
        let need = text
            .map_or_else(|| self.whole(&run.script, place, kind).unwrap_or(Need::OfKind), Need::Condition);
        Some(FailureClass::Latent(Precondition { need, always }))
    }

    /// How a caller can avoid that a run fails at a check; `None` if the solver has no answer.
    fn avoidance(&self, run: &mut Repeated, place: Origin, kind: AssertKind) -> Option<Avoidance> {
        let found = self.avoidance_by_values(run, place, kind)?;
        let is_impossible = matches!(found, Avoidance::Impossible);
        let other_objects = || {
            self.is_about_inputs(&run.script, place, kind)
                || self.follows_null(run, kind)
                || matches!(kind, AssertKind::UseAfterFree | AssertKind::ClosedStream)
                    && needs_shared_object(self.context, self.harness, &run.script, place, CONCRETE_STEPS)
        };
        Some(if is_impossible && other_objects() { Avoidance::Unnamed } else { found })
    }

    /// The same, with the objects that the harness makes.
    fn avoidance_by_values(&self, run: &mut Repeated, place: Origin, kind: AssertKind) -> Option<Avoidance> {
        let Some(at) = self.decision(run, place, kind).or_else(|| self.round(run, place, kind)) else {
            // Which object a pointer leads to is decided before, and then nothing is left to be decided at the check.
            let depends = |&i: &usize| self.caller.matters(&run.terms, run.conditions[i]);
            let last = (0..run.conditions.len()).rfind(depends);
            // Nobody passes freed memory to the function: which object is freed is told by an experiment.
            let is_avoidable = !matches!(kind, AssertKind::UseAfterFree | AssertKind::ClosedStream)
                && last.is_some_and(|i| is_about_objects(kind) || run.decided_by[i] == DecidedBy::Object);
            return Some(if is_avoidable { Avoidance::Unnamed } else { Avoidance::Impossible });
        };
        self.avoidance_at(run, at)
    }

    /// How a caller can avoid what the decision at a position of the path leads to; `None` if the solver has no answer.
    fn avoidance_at(&self, run: &mut Repeated, at: usize) -> Option<Avoidance> {
        let fails = run.conditions[at];
        if !self.caller.matters(&run.terms, fails) {
            return Some(Avoidance::Impossible);
        }
        let mut simplifier = simplifier()?;
        let passes = run.terms.app(Op::Not, [fails]);
        let slice =
            |terms: &Terms, path: &[TermId]| concolic::independent_slice(terms, &[path, &[passes]].concat());
        let together = slice(&run.terms, &run.conditions[..at]);
        if !simplifier.contradict(&run.terms, &together)? {
            return Some(Avoidance::At(at, Box::new(simplifier)));
        }
        let in_source = slice(&run.terms, &run.in_source(at, self.users));
        let is_impossible = simplifier.contradict(&run.terms, &in_source)?;
        Some(if is_impossible { Avoidance::Impossible } else { Avoidance::Unnamed })
    }

    /// That the path to a check is not taken, in C, if the check fails whenever it is reached and what the caller gives decides alone
    /// whether it is: each of the decisions avoids the failure, and not only the last one.
    fn off_the_path(&self, run: &mut Repeated, at: usize, kind: AssertKind) -> Option<Need> {
        use AssertKind::{Abort, Assert, Unreachable};
        if !matches!(kind, Assert | Abort | Unreachable) {
            return None;
        }
        // Where a check before it fails, that one is avoided.
        let is_assumed = |&i: &usize| matches!(run.decided_by[i], DecidedBy::Assumption | DecidedBy::Passed);
        let (assumed, decided): (Vec<usize>, Vec<usize>) = (0..=at).partition(is_assumed);
        if decided.len() > PATH
            || !decided.iter().all(|&i| self.caller.matters(&run.terms, run.conditions[i]))
        {
            return None;
        }
        let conditions = |of: &[usize]| of.iter().map(|&i| run.conditions[i]).collect::<Vec<TermId>>();
        let (assumed, decided) = (conditions(&assumed), conditions(&decided));
        let fails = run.terms.app(Op::And, decided);
        self.words(&mut run.terms, &assumed, fails, simplifier()?).map(Need::Condition)
    }

    /// Whether a run on the other side of the last decision before a check, which is not the check's own, fails there, too.
    fn fails_all_the_same(
        &self,
        run: &mut Repeated,
        at: usize,
        place: Origin,
        simplifier: &mut Simplifier,
    ) -> bool {
        let passes = run.terms.app(Op::Not, [run.conditions[at]]);
        let other = [&run.conditions[..at], &[passes]].concat();
        let together = concolic::independent_slice(&run.terms, &other);
        let terms = &run.terms;
        let (context, given) = (self.context, &self.caller.symbols);
        let changed = with_model(context, &run.script, given, (terms, &together), |of| {
            simplifier.model(terms, &together, of)
        });
        changed.is_some_and(|changed| {
            changed_pointers::fails(self.context, self.harness.widest(), &changed, place, CONCRETE_STEPS)
        })
    }

    /// The decision by which another check fails before, if a caller can avoid that: what comes behind undefined behaviour that is the
    /// caller's is the caller's, too.
    fn undefined_before(
        &self,
        run: &mut Repeated,
        place: Origin,
        kind: AssertKind,
    ) -> Option<(usize, Box<Simplifier>)> {
        let end = self.decision(run, place, kind).unwrap_or(run.conditions.len());
        let before = run.first(|at| matches!(self.role(Some(at)), Some(BlockRole::Check(_))));
        match self.avoidance_at(run, before.filter(|&before| before < end)?)? {
            Avoidance::At(at, simplifier) => Some((at, simplifier)),
            Avoidance::Impossible | Avoidance::Unnamed => None,
        }
    }

    /// What a check of null needs of a pointer of the caller's, in C, though the path excludes it.
    fn excluded(&self, run: &mut Repeated, place: Origin, kind: AssertKind) -> Option<String> {
        if kind != AssertKind::Null {
            return None;
        }
        let test = (&run.script, place, CONCRETE_STEPS);
        let at = followed_null(self.context, self.harness, test, (&run.terms, &run.conditions))?;
        let is_null = changed_pointers::of_number(self.context, &run.terms, run.conditions[at]);
        // What the path says before makes sense of `p->next`.
        let path = run.conditions[..at].to_vec();
        self.words(&mut run.terms, &path, is_null, simplifier()?)
    }

    /// Whether functions of its own file alone can call the function, which are searched, too: what they make it fail for is told of
    /// them (see [`breaches`]).
    fn has_known_callers(&self) -> bool {
        self.function.is_local && !self.function.address_taken
    }

    /// Whether something that the caller gives leads to the end of a run.
    fn is_led_to(&self, run: &Repeated) -> bool {
        run.conditions.iter().any(|&condition| self.caller.matters(&run.terms, condition))
    }

    /// A failure that callers can avoid, for which there is no condition in C.
    fn unnamed(&self, script: &Script, place: Origin, kind: AssertKind) -> FailureClass {
        let need = self.whole(script, place, kind).unwrap_or(Need::OfKind);
        FailureClass::Latent(Precondition { need, always: false })
    }

    /// The pointer to a structure for which a test has no whole object, if that is why an access fails: no elements, or it leads to their
    /// end.
    fn whole(&self, script: &Script, place: Origin, kind: AssertKind) -> Option<Need> {
        if kind != AssertKind::Bounds {
            return None;
        }
        let (objects, types) = (&self.harness.objects, &self.context.compiled.lowered.types);
        let access = failing_access(self.context, self.harness.widest(), script, place, CONCRETE_STEPS)?;
        let number = |symbol| script.entries.get(&(0, symbol)).and_then(Value::as_u64).unwrap_or(0);
        let is_meant = |object: &InputObject| {
            !object.is_untyped
                && matches!(types.resolved(object.element), CType::Record { .. })
                && access.objects.contains(&u64::from(object.number))
        };
        let is_end = |object: &InputObject, at| object.count.map_or(1, number) <= at;
        let ends = |param: &&InputParam| {
            let sharing = param.sharing.as_ref();
            let chosen =
                sharing.and_then(|s| s.objects.get(number(s.into) as usize).copied()).or(param.object);
            let object = chosen.and_then(|index| objects.get(index));
            object
                .is_some_and(|object| is_meant(object) && is_end(object, sharing.map_or(0, |s| number(s.at))))
        };
        let name = match self.harness.params.iter().find(ends) {
            Some(param) => &param.name,
            None => &objects.iter().find(|object| is_meant(object) && is_end(object, 0))?.name,
        };
        Some(Need::Whole(name.clone()))
    }

    /// Whether the engine chose null for a pointer of the caller's before a check of null in which nothing is left to be decided. That
    /// the pointer may be another one on the path is not asked: it is what the check is for.
    fn follows_null(&self, run: &Repeated, kind: AssertKind) -> bool {
        let mut decided = run.decided_by.iter().zip(&run.conditions);
        matches!(kind, AssertKind::Null | AssertKind::Nonnull)
            && decided.any(|(&by, &condition)| {
                by == DecidedBy::Object
                    && is_null(&run.terms, condition)
                    && self.caller.matters(&run.terms, condition)
            })
    }

    /// Whether a condition is about nothing but how many elements the harness gives arrays: those of one path, not how many are needed.
    fn is_about_lengths(&self, terms: &Terms, condition: TermId) -> bool {
        let is_length = |symbol| self.harness.objects.iter().any(|object| object.count == Some(symbol));
        terms.free_symbols(&[condition]).into_iter().all(is_length)
    }

    /// Whether the check that fails is about an object from outside: about its size, which may be larger than the harness makes it, or
    /// about a member that a loop left which stays in it for other data. Variables have the size that the source says.
    fn is_about_inputs(&self, script: &Script, place: Origin, kind: AssertKind) -> bool {
        if !matches!(kind, AssertKind::Bounds | AssertKind::Subobject) {
            return false;
        }
        let harness = self.harness.widest();
        let Some(access) = failing_access(self.context, harness, script, place, CONCRETE_STEPS) else {
            return false;
        };
        let given = self.given();
        let is_returned = |objects: &FxHashSet<u64>| {
            let inputs = inputs(self.context.prepared.interpreter(), harness, script, CONCRETE_STEPS);
            let returned = inputs.returned.iter().filter_map(|r| r.value.first().and_then(Value::as_u64));
            let returned: FxHashSet<u64> = returned.collect();
            objects.iter().all(|object| given.contains(object) || returned.contains(object))
        };
        let FailingAccess { objects, is_repeated } = &access;
        let is_given = !objects.is_empty() && (objects.is_subset(&given) || is_returned(objects));
        is_given && (kind == AssertKind::Bounds || *is_repeated)
    }

    /// Whether the check that fails is about an object of the function's own, such as a table: as large as the source says, so that it is
    /// the index that matters.
    fn is_about_own(&self, script: &Script, place: Origin, kind: AssertKind) -> bool {
        let is_of_objects = matches!(kind, AssertKind::Bounds | AssertKind::Subobject);
        let access = || failing_access(self.context, self.harness.widest(), script, place, CONCRETE_STEPS);
        let is_own =
            |access: FailingAccess| !access.objects.is_empty() && access.objects.is_disjoint(&self.given());
        is_of_objects && access().is_some_and(is_own)
    }

    /// The objects that callers give.
    fn given(&self) -> FxHashSet<u64> {
        let arguments = self.harness.arguments.as_ref().map(|arguments| &arguments.object);
        self.harness.objects.iter().chain(arguments).map(|object| u64::from(object.number)).collect()
    }

    /// The position of the decision by which a check fails; `None` if none is left to it.
    fn decision(&self, run: &Repeated, place: Origin, kind: AssertKind) -> Option<usize> {
        let is_mark = |at| matches!(self.role(Some(at)), Some(BlockRole::Check(_)));
        let is_alike = |at| matches!(self.role(Some(at)), Some(BlockRole::Check(other)) if other == kind);
        run.first(|at| at == place).or_else(|| match kind {
            AssertKind::Assert | AssertKind::Abort | AssertKind::Unreachable => run.last(),
            // A function of the library, as it is modelled, says by its result that a check in it fails.
            _ => run.first(is_alike).or_else(|| run.first(is_mark)).or_else(|| {
                let last = run.last()?;
                let is_of_user =
                    run.decided_by[last].leads_to().is_some_and(|to| self.users.contains(&to.procedure));
                (!is_of_user).then_some(last)
            }),
        })
    }

    /// The decision that there is the round of a loop in which a check of values fails that was passed in earlier ones: the last one that
    /// does not follow from what was decided before. What comes behind the check mostly does.
    fn round(&self, run: &mut Repeated, place: Origin, kind: AssertKind) -> Option<usize> {
        use AssertKind::{Division, Overflow, Shift};
        let is_of_values = matches!(kind, Division | Overflow | Shift);
        if !is_of_values
            || !passed_before(self.context, self.harness.widest(), &run.script, place, CONCRETE_STEPS)
        {
            return None;
        }
        let mut simplifier = simplifier()?;
        let mut is_free = |run: &mut Repeated, i: usize| {
            let passes = run.terms.app(Op::Not, [run.conditions[i]]);
            let other = [&run.conditions[..i], &[passes]].concat();
            let together = concolic::independent_slice(&run.terms, &other);
            simplifier.contradict(&run.terms, &together) == Some(false)
        };
        let decided = (0..run.conditions.len()).rev().filter(|&i| run.decided_by[i].leads_to().is_some());
        let decided: Vec<usize> = decided.take(ROUNDS).collect();
        decided.into_iter().find(|&i| self.caller.matters(&run.terms, run.conditions[i]) && is_free(run, i))
    }

    /// Whether branches of the source that the caller decides lead to a check.
    fn depends_on_branches(&self, run: &Repeated, at: usize) -> bool {
        let before = run.decided_by[..at].iter().map(|by| by.leads_to()).zip(&run.conditions);
        let mut branches = before.filter(|(to, _)| {
            let role = self.role(*to);
            to.is_some() && !matches!(role, Some(BlockRole::Check(_) | BlockRole::Copy | BlockRole::Glue))
        });
        branches.any(|(_, &condition)| self.caller.matters(&run.terms, condition))
    }

    /// What the block of a place is.
    fn role(&self, place: Option<Origin>) -> Option<BlockRole> {
        let Origin { procedure, place: Place::Segment { block, .. }, .. } = place? else { return None };
        let functions = &self.context.compiled.lowered.functions;
        let function = match self.function.procedure == procedure {
            true => Some(self.function),
            false => functions.iter().find(|f| f.procedure == procedure),
        };
        function?.roles.get(block.index()).copied()
    }

    /// That a check does not fail, in C.
    fn words(
        &self,
        terms: &mut Terms,
        path: &[TermId],
        fails: TermId,
        mut simplifier: Simplifier,
    ) -> Option<String> {
        simplifier.until(Some(Deadline::after(WORDS)), Some(QUESTION));
        let condition = Dnf::of(terms, fails);
        let known = simplifier.assume(path.to_vec());
        let condition = simplifier.simplify(terms, &condition);
        let condition = simplifier.in_words(terms, &condition);
        simplifier.assume(known);
        if condition.literals() > MOST {
            return None;
        }
        let premise = Dnf { cubes: vec![path.to_vec()] };
        let syntax = CSyntax::new(&self.context.compiled.lowered, self.harness);
        let words = Wording::new(&syntax, terms, &premise, simplifier);
        let is_sayable = condition.cubes.iter().flatten().all(|&literal| words.can_say(literal));
        let text = is_sayable.then(|| words.say(&condition, true)).flatten()?;
        (text.chars().count() <= LONGEST).then_some(text)
    }
}

/// A solver for short questions about conditions.
fn simplifier() -> Option<Simplifier> {
    use footpath_preconditions::Options;
    footpath_preconditions::simplifier(&Options { query: Some(QUESTION), ..Options::default() }).ok()
}

/// Whether a condition on a pointer, which the engine decided, says that it is null.
fn is_null(terms: &Terms, condition: TermId) -> bool {
    let node = terms.term(condition);
    let is_zero = |&t: &TermId| terms.literal(t).and_then(Value::as_u64) == Some(0);
    matches!(node.op, Op::Var(_)) || node.op == Op::Eq && node.args.iter().any(is_zero)
}

/// Whether a check is about which object a pointer leads to.
fn is_about_objects(kind: AssertKind) -> bool {
    use AssertKind::{CallType, Constant, Free, Overlap};
    matches!(kind, CallType | Constant | Free | Overlap)
}

/// Whether a precondition on one path makes sense by itself. How long an array must be does not, as the path says how often
/// loops iterate.
fn is_plain(kind: AssertKind) -> bool {
    use AssertKind::{Abort, Assert, Division, Nonnull, Null, Shift};
    matches!(kind, Null | Nonnull | Division | Assert | Abort | Shift)
}

/// The places of targets, in their order.
pub(crate) fn places(targets: &[Target]) -> Vec<Origin> {
    targets.iter().map(|target| target.origin).collect()
}
