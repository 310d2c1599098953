//! Random programs with overflow marks, allocation-like inputs and calls: no run of the reference interpreter
//! contradicts a verdict or its premise.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fastrand::Rng;
use footpath_concolic::{Bounds, Keep, Options as Explored, TestClass, explore};
use footpath_ir::interp::{Limits, Outcome, RandomOracle, Replay, run};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{Place, ProcId, Program, StatementKind};
use footpath_term::{Op, Terms};
use footpath_verify::{
    AssumptionKind, Classified, ConditionCalls, Entry, Guide, Options, Premises, RunClass, RunOracle,
    Verdict, Verification, guide, instrument, verify,
};

const HEAD: &str = "function {:bvbuiltin \"bvadd\"} add(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvand\"} and(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvxor\"} xor(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvslt\"} slt(bv4, bv4): bool;\n\
    function {:bvbuiltin \"bvsle\"} sle(bv4, bv4): bool;\n\
    var g: bv4;\nvar h: int;\n\
    procedure fails() returns (f: bool);\n\
    procedure Q(n: int) returns (k: int); requires n > 0; modifies g, h; ensures k >= n;\n";

struct Writer {
    rng: Rng,
    text: String,
    /// Procedures with bodies that may be called.
    callees: Vec<&'static str>,
}

impl Writer {
    fn program(seed: u64) -> String {
        let mut w = Writer { rng: Rng::with_seed(seed), text: HEAD.to_owned(), callees: Vec::new() };
        w.procedure("P", 2);
        w.text
    }

    /// The same, where others may be called.
    fn with_callees(seed: u64) -> String {
        let mut w = Writer { rng: Rng::with_seed(seed), text: HEAD.to_owned(), callees: Vec::new() };
        for (name, depth) in [("R", 1), ("S", 1), ("P", 2)] {
            w.procedure(name, depth);
            w.callees.push(name);
        }
        w.text
    }

    fn procedure(&mut self, name: &str, depth: u32) {
        let head = format!("procedure {name}(x: bv4, y: bv4, n: int) returns (r: bv4) modifies g, h;\n");
        self.text.push_str(&head);
        if self.rng.bool() {
            self.text.push_str("  ensures sle(r, x) || h >= 0;\n");
        }
        self.text.push_str("{\n  var t: bv4; var p: int; var f: bool;\n");
        self.block(depth);
        self.text.push_str("}\n");
    }

    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        items[self.rng.usize(..items.len())]
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..self.rng.u32(1..=3) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let bits = ["x", "y", "t", "r", "g", "1bv4", "2bv4"];
        if !self.callees.is_empty() && self.rng.u8(..3) == 0 {
            let callee = self.callees[self.rng.usize(..self.callees.len())];
            let (a, b) = (self.pick(&bits), self.pick(&bits));
            let _ = writeln!(self.text, "call {} := {callee}({a}, {b}, n);", ["r", "t"][self.rng.usize(..2)]);
            return;
        }
        match self.rng.u8(..if depth > 0 { 16 } else { 11 }) {
            0..=2 => {
                let (target, a, b) = (self.pick(&["t", "r", "g"]), self.pick(&bits), self.pick(&bits));
                let overflow = format!("slt(and(xor({a}, add({a}, {b})), xor(add({a}, {b}), {b})), 0bv4)");
                let _ = writeln!(
                    self.text,
                    "if ({overflow}) {{ assume {{:fails \"overflow\"}} true; }}\n{target} := add({a}, {b});"
                );
            }
            3 => self.text.push_str("call f := fails(); p := (if f then 0 else 5);\n"),
            4 => {
                let argument = self.pick(&["n", "p", "1", "h"]);
                let _ = writeln!(self.text, "call p := Q({argument});");
            }
            // What takes a solver.
            5 | 6 => {
                let (a, b) = (self.pick(&bits), self.pick(&bits));
                let _ = writeln!(
                    self.text,
                    "assert xor(xor({a}, {b}), {b}) == {a};\ncall f := fails(); p := (if f then 0 else n);\n\
                     assert p * p == n * n;"
                );
            }
            7 | 8 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "assert {condition};");
            }
            // What holds under an assumption only.
            9 => self.text.push_str("call f := fails(); p := (if f then 0 else 5); assert p > 0;\n"),
            10 => {
                let a = self.pick(&["x", "y", "g"]);
                let overflow = format!("slt(and(xor({a}, add({a}, 1bv4)), xor(add({a}, 1bv4), 1bv4)), 0bv4)");
                let _ = writeln!(
                    self.text,
                    "if ({overflow}) {{ assume {{:fails \"overflow\"}} true; }}\nt := add({a}, 1bv4);\nassert slt({a}, t);"
                );
            }
            11 | 12 => {
                self.text.push_str("t := 0bv4;\nwhile (slt(t, x)) {\n");
                self.block(depth - 1);
                let check = "slt(and(xor(t, add(t, 1bv4)), xor(add(t, 1bv4), 1bv4)), 0bv4)";
                let _ = writeln!(
                    self.text,
                    "if ({check}) {{ assume {{:fails \"overflow\"}} true; }}\nt := add(t, 1bv4);\n}}"
                );
            }
            _ => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.block(depth - 1);
                self.text.push_str("} else {\n");
                self.block(depth - 1);
                self.text.push_str("}\n");
            }
        }
    }

    fn condition(&mut self) -> String {
        let bits = ["x", "y", "t", "r", "g", "0bv4", "3bv4"];
        match self.rng.u8(..5) {
            0 => self.pick(&["p != 0", "p > 0", "n > 0", "h >= 0", "!f"]).to_owned(),
            1 => "sle(0bv4, t)".to_owned(),
            2 => format!("{} == {}", self.pick(&bits), self.pick(&bits)),
            _ => {
                let op = self.pick(&["slt", "sle"]);
                format!("{op}({}, {})", self.pick(&bits), self.pick(&bits))
            }
        }
    }
}

fn read(text: &str) -> (Program, ProcId) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("random.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}\n{text}");
    let program = program.expect("a program");
    let id = program.procedure_named("P").expect("P");
    (program, id)
}

fn verified(program: &Program, id: ProcId, assume: BTreeSet<AssumptionKind>) -> Verification {
    with_solver(program, id, assume, None)
}

fn with_solver(
    program: &Program,
    id: ProcId,
    assume: BTreeSet<AssumptionKind>,
    solver: Option<Duration>,
) -> Verification {
    let entry =
        |_: &mut Terms, _| Entry { allocation_fails: program.procedure_named("fails"), ..Entry::default() };
    verify(
        program,
        &program.reachable(&[id]),
        &entry,
        &Options { assume, solver, ..Options::default() },
        &AtomicBool::new(false),
        &|_| (),
    )
}

/// The same, where procedures may assume something of what they are given, and calls are asked for it.
fn with_starts(program: &Program, id: ProcId) -> Verification {
    let entry = |terms: &mut Terms, p: ProcId| {
        let mut entry = Entry { allocation_fails: program.procedure_named("fails"), ..Entry::default() };
        if let Some(body) = program[p].bodies.first() {
            let [x, y, n] = [0, 1, 2].map(|i| terms.var(body.params[i].symbol));
            let h = program.globals.iter().find(|g| &*terms.symbol(g.variable.symbol).name == "h");
            let (h, zero) = (terms.var(h.expect("h").variable.symbol), terms.int(0));
            let parts = [
                terms.app(Op::Gt, [n, zero]),
                terms.app(Op::Ge, [h, zero]),
                terms.app(Op::BvSle, [x, y]),
                terms.app(Op::Eq, [x, y]),
            ];
            let assumed = parts.map(|p| (AssumptionKind::ValidParameters, p, String::new()));
            entry.assumptions.extend(assumed);
        }
        entry
    };
    let options = Options { passed: true, ..Options::default() };
    let procedures = program.reachable(&[id]);
    verify(program, &procedures, &entry, &options, &AtomicBool::new(false), &|_| ())
}

#[derive(Default)]
struct Count {
    verified: usize,
    under: usize,
    failing: usize,
    open: usize,
    failed: usize,
    pruned: usize,
    redundant: usize,
    given_up: usize,
    solved: usize,
}

fn check_program(seed: u64, count: &mut Count) {
    let text = Writer::program(seed);
    let (program, id) = read(&text);
    let all: BTreeSet<AssumptionKind> = AssumptionKind::ALL.iter().copied().collect();
    // Enough time for a busy machine; the questions are small.
    let asks = seed.is_multiple_of(2);
    let found = with_solver(&program, id, all.clone(), asks.then_some(Duration::from_secs(30)));
    let body = &found.bodies[0];
    if asks {
        let without = verified(&program, id, all);
        let pairs = without.bodies[0].checks.iter().zip(&body.checks);
        count.solved +=
            pairs.filter(|(a, b)| a.verdict.is_unverified() && !b.verdict.is_unverified()).count();
    }
    for check in &body.checks {
        *match check.verdict {
            Verdict::Verified => &mut count.verified,
            Verdict::VerifiedUnder(_) => &mut count.under,
            Verdict::Failing => &mut count.failing,
            Verdict::Unverified(_) => &mut count.open,
        } += 1;
    }
    let limits = Limits { steps: 600, ..Limits::default() };
    // Fully verified checks never fail in the program as it was.
    let mut oracle = RandomOracle::new(&program, seed);
    let mut scripts = Vec::new();
    for _ in 0..20 {
        let result = run(&program, id, 0, &mut oracle, &limits);
        let script = oracle.take_script();
        if let Outcome::Failed { at, .. } = result.outcome {
            count.failed += 1;
            let check = body.checks.iter().find(|c| c.origin == at).expect("a check that failed is listed");
            assert_ne!(check.verdict, Verdict::Verified, "seed {seed}: {at:?} fails\n{text}\n{script:?}");
            scripts.push(script);
        }
    }
    // In the annotated program a check that fails although its premise holds blocks the run at the assertion.
    let annotated = &found.annotated;
    let statements = |at: footpath_ir::Origin, program: &Program| match at.place {
        Place::Segment { block, first } => {
            let kind = program[id].bodies[0][block].statements.get(first as usize).map(|s| s.kind.clone());
            matches!(kind, Some(StatementKind::Assert { .. }))
        }
        _ => false,
    };
    check_oracle(seed, &text, (&program, id), &found, count);
    let guided = instrument(annotated, id, 0, &found.premises, ConditionCalls::Modular, Guide::MayMust);
    for script in &scripts {
        let mut replay = Replay::new(script);
        let result = run(annotated, id, 0, &mut replay, &limits);
        if let Outcome::Blocked { at } = result.outcome {
            assert!(
                !statements(at, annotated),
                "seed {seed}: a premise holds at {at:?}, but the check fails\n{text}\n{script:?}\n{}",
                footpath_ir::print(annotated)
            );
        }
        // A run that fails at an assertion that was not proved is not pruned.
        let Outcome::Failed { at, .. } = result.outcome else { continue };
        let mut replay = Replay::new(script);
        let outcome = run(&guided, id, 0, &mut replay, &limits).outcome;
        count.pruned += 1;
        assert!(
            matches!(outcome, Outcome::Failed { .. }),
            "seed {seed}: a run that fails at {at:?} is pruned: {outcome:?}\n{text}\n{script:?}\n{}",
            footpath_ir::print(&guided)
        );
    }
}

/// Runs are classified without contradicting the verification, and those that guidance gives up do not fail, be it at a
/// check that does not stop the program.
fn check_oracle(
    seed: u64,
    text: &str,
    (program, id): (&Program, ProcId),
    found: &Verification,
    count: &mut Count,
) {
    let limits = Limits { steps: 600, ..Limits::default() };
    let oracle = RunOracle::new(found);
    let interpreter = oracle.interpreter();
    let guided = guide(found, id, (id, 0), Guide::May);
    let (annotated, calls) = (&found.annotated, ConditionCalls::WholeProgram);
    let late = instrument(annotated, id, 0, &found.premises, calls, Guide::May);
    let mut random = RandomOracle::new(program, seed + 1_000);
    for _ in 0..20 {
        let plain = run(program, id, 0, &mut random, &limits);
        let script = random.take_script();
        let Classified { class, shows, met, .. } =
            oracle.classify(&interpreter, (id, 0), &script, &limits, &[]);
        assert_ne!(class, RunClass::Contradiction, "seed {seed}\n{text}\n{script:?}");
        let marked = plain.path.iter().any(|s| program[s.procedure].bodies[0].mark(s.block).is_some());
        let failed = marked || matches!(plain.outcome, Outcome::Failed { .. });
        let ended = !matches!(plain.outcome, Outcome::OutOfSteps);
        assert!(
            !ended || failed == (class == RunClass::Failing),
            "seed {seed}: {class:?}\n{text}\n{script:?}"
        );
        assert!(class != RunClass::Redundant || shows.is_empty(), "seed {seed}: {shows:?}");
        // The last of the checks is what the run shows, unless a mark came later.
        assert!(met.last().is_none_or(|n| *n <= shows.len()), "seed {seed}: {met:?} {shows:?}");
        assert!(class != RunClass::Successful || met.last() == Some(&shows.len()), "seed {seed}: {met:?}");
        let outcome = run(&guided.program, id, 0, &mut Replay::new(&script), &limits).outcome;
        // The same runs are given up early as late.
        let is_blocked = |o: &Outcome| matches!(o, Outcome::Blocked { .. });
        let later = run(&late, id, 0, &mut Replay::new(&script), &limits).outcome;
        assert!(
            is_blocked(&outcome) == is_blocked(&later) || matches!(later, Outcome::OutOfSteps),
            "seed {seed}: {outcome:?} early, {later:?} late\n{text}\n{script:?}\n{}",
            footpath_ir::print(&guided.program)
        );
        let given_up = matches!(outcome, Outcome::Blocked { .. }) && plain.outcome == Outcome::Returned;
        count.redundant += usize::from(class == RunClass::Redundant);
        count.given_up += usize::from(given_up);
        assert!(
            !given_up || class != RunClass::Failing,
            "seed {seed}: a run that fails is given up\n{text}\n{script:?}\n{}",
            footpath_ir::print(&guided.program)
        );
        // A failure in the guided program is the same in the program as it was.
        if let Outcome::Failed { at, kind } = outcome {
            let original = Outcome::Failed { at: guided.places.original(at), kind };
            assert_eq!(original, plain.outcome, "seed {seed}\n{text}");
        }
    }
}

#[test]
fn no_failing_run_satisfies_the_premise_of_the_check_that_fails() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    let (from, to) = match number("FOOTPATH_SEED") {
        Some(seed) => (seed, seed + 1),
        None => (0, number("FOOTPATH_PROGRAMS").unwrap_or(40)),
    };
    let mut count = Count::default();
    for seed in from..to {
        check_program(seed, &mut count);
    }
    let Count { verified, under, failing, open, failed, pruned, redundant, given_up, solved } = count;
    assert!(
        to - from < 20
            || (verified > 3
                && under > 2
                && open > 8
                && failed > 20
                && pruned > 20
                && redundant > 5
                && given_up > 5
                && solved > 2),
        "too little happens: {verified} verified, {under} under premises, {failing} failing, {open} open; {failed} runs fail, {pruned} guided; {redundant} are redundant, {given_up} given up; {solved} checks by the solver"
    );
}

#[test]
fn premises_list_what_proofs_needed() {
    let text = format!(
        "{HEAD}procedure P(x: bv4) returns (r: bv4) modifies g, h; {{\n  var f: bool; var p, q: int; var t: bv4;\n\
         if (slt(and(xor(x, add(x, 1bv4)), xor(add(x, 1bv4), 1bv4)), 0bv4)) {{ assume {{:fails \"overflow\"}} true; }}\n\
         t := add(x, 1bv4);\n call f := fails(); p := (if f then 0 else 5);\n call f := fails();\n h := 3;\n call q := Q(1);\n\
         assert slt(x, t) && h == 3; assert p == 5; assert h == 3; assert q >= 1; assert q > 1; assert slt(x, t); }}\n"
    );
    let (program, id) = read(&text);
    let found = verified(&program, id, AssumptionKind::ALL.iter().copied().collect());
    let body = &found.bodies[0];
    let kinds = |i: usize| match &body.checks[i].verdict {
        Verdict::VerifiedUnder(premise) => {
            let mut kinds: Vec<&str> =
                premise.iter().map(|a| body.assumptions[*a].site.kind.name()).collect();
            kinds.sort_unstable();
            kinds
        }
        other => vec![match other {
            Verdict::Verified => "verified",
            Verdict::Failing => "failing",
            _ => "unverified",
        }],
    };
    let found: Vec<Vec<&str>> = (0..body.checks.len()).map(kinds).collect();
    assert_eq!(
        found,
        [
            vec!["unverified"],
            vec!["verified"],
            vec!["callees-keep", "no-overflow"],
            vec!["allocation-succeeds"],
            vec!["verified"],
            vec!["verified"],
            vec!["unverified"],
            vec!["verified"],
        ],
        "{:#?}",
        body.checks
    );
}

/// The verdicts of `P` with the solver, the kinds of assumptions in premises.
fn solved(body: &str) -> Vec<String> {
    let (program, id) =
        read(&format!("{HEAD}procedure P(x: bv4, n: int) returns (r: bv4) modifies g, h; {body}"));
    let all = AssumptionKind::ALL.iter().copied().collect();
    let found = with_solver(&program, id, all, Some(Duration::from_secs(20)));
    let body = &found.bodies[0];
    let word = |v: &Verdict| match v {
        Verdict::VerifiedUnder(premise) => {
            let kinds: Vec<&str> = premise.iter().map(|a| body.assumptions[*a].site.kind.name()).collect();
            kinds.join(" ")
        }
        Verdict::Unverified(why) => format!("Unverified [{}]", why.code.name()),
        other => format!("{other:?}"),
    };
    body.checks.iter().map(|c| word(&c.verdict)).collect()
}

#[test]
fn the_solver_proves_what_the_analyser_cannot() {
    // What is no sum of unknowns; invariants that the program asserts; one that does not hold.
    let loops = "{ var i, s: int; i := 0; s := 0; \
        while (i < n) invariant s == i * i; invariant i < 7 || i > n || i > 6; { s := s + 2 * i + 1; i := i + 1; } \
        assert n * n >= 0; assert s == i * i; assert s != 9; }";
    assert_eq!(
        solved(loops),
        ["Verified", "Verified", "Verified", "Verified", "Unverified [weak-invariants]"]
    );
    // A loop's invariant is no proof of itself.
    let wrong = "{ var i: int; i := 0; while (i < n) invariant i < 5; { i := i + 1; } assert i < 5; }";
    assert_eq!(solved(wrong)[0], "Unverified [weak-invariants]");
    // No loop and no call stands between the parameters and the assertion.
    assert_eq!(solved("{ assert n * n > 0; }"), ["Unverified [caller-state]"]);
    // The core says which of the allocations it was.
    let cores = |condition: &str| {
        solved(&format!(
            "{{ var a, b: bool; var p, q: int; call a := fails(); call b := fails(); \
             p := (if a then 0 else n); q := (if b then 0 else n + 1); assert {condition}; }}"
        ))
    };
    assert_eq!(cores("q * q > n || n < 0"), ["allocation-succeeds"]);
    assert_eq!(cores("p * q == n * n + n"), ["allocation-succeeds allocation-succeeds"]);
    assert_eq!(cores("p * p >= 0"), ["Verified"]);
}

#[test]
fn nothing_is_assumed_in_a_sound_analysis() {
    for seed in 0..5 {
        let (program, id) = read(&Writer::program(seed));
        let found = verified(&program, id, BTreeSet::new());
        assert!(found.bodies[0].assumptions.is_empty());
        let premises = Premises::of(&found.annotated);
        assert!(!found.annotated[id].bodies[0].locals.iter().any(|v| premises.is_assumption(v.symbol)));
    }
}

/// The ways to checks that were not verified under a premise that held, on all paths of the guided program; none if
/// they are too many. Also how many runs are given up.
fn unverified_ways(found: &Verification, id: ProcId, how: Guide) -> Option<(BTreeSet<(bool, u64)>, usize)> {
    let guided = guide(found, id, (id, 0), how);
    let bounds = Bounds { time: None, runs: 60, steps: 1_000, ..Bounds::default() };
    let options = Explored {
        bounds,
        random_runs: 0,
        unverified_first: guided.orders,
        prunes: guided.prunes,
        keep: Keep::All,
        keep_aborted: true,
        ..Explored::default()
    };
    let stop = AtomicBool::new(false);
    let explored = explore(&guided.program, id, 0, &options, &stop, &|_| {}).expect("an exploration");
    if !explored.exhausted {
        return None;
    }
    let oracle = RunOracle::new(found);
    let interpreter = oracle.interpreter();
    let limits = Limits { steps: 6_000, ..Limits::default() };
    let mut ways = BTreeSet::new();
    for test in &explored.tests {
        let run = oracle.classify(&interpreter, (id, 0), &test.script, &limits, &explored.axioms);
        let mut way = DefaultHasher::new();
        for (i, step) in run.shows.iter().enumerate() {
            step.hash(&mut way);
            if run.met.binary_search(&(i + 1)).is_ok() {
                ways.insert((false, way.finish()));
            }
        }
        if run.class == RunClass::Failing {
            ways.insert((true, way.finish()));
        }
    }
    let aborted = explored.tests.iter().filter(|t| t.class == TestClass::Aborted).count();
    Some((ways, aborted))
}

#[test]
fn guidance_loses_no_way_to_a_check_that_was_not_verified() {
    let (mut compared, mut given_up, mut ways) = (0, 0, 0);
    for seed in 100..130 {
        let text = Writer::program(seed);
        let (program, id) = read(&text);
        let found = verified(&program, id, AssumptionKind::ALL.iter().copied().collect());
        let Some((all, before)) = unverified_ways(&found, id, Guide::Annotations) else { continue };
        for how in [Guide::May, Guide::Must, Guide::MayMust] {
            let Some((kept, aborted)) = unverified_ways(&found, id, how) else { continue };
            assert_eq!(kept, all, "seed {seed}, {}\n{text}", how.name());
            compared += 1;
            given_up += aborted.saturating_sub(before);
        }
        ways += all.len();
    }
    assert!(compared > 40 && given_up > 5 && ways > 100, "{compared}, {given_up} given up, {ways} ways");
}

/// Where callees are guided, too, no run is given up before a check that fails, and no way to one is lost.
#[test]
fn guidance_in_callees_loses_no_way_to_a_check_that_was_not_verified() {
    let from = std::env::var("FOOTPATH_SEED").map_or(160, |s| s.parse::<u64>().expect("a number"));
    let programs = std::env::var("FOOTPATH_PROGRAMS").map_or(40, |n| n.parse::<u64>().expect("a number"));
    let (mut compared, mut in_callees, mut given_up, mut shown) = (0, 0, 0, 0);
    for seed in from..from + programs {
        let text = Writer::with_callees(seed);
        let (program, id) = read(&text);
        let found = with_starts(&program, id);
        let passed = found.bodies.iter().flat_map(|b| &b.passed);
        shown += passed.filter(|p| p.premise.is_some()).count();
        given_up += no_run_that_fails_is_given_up(seed, &text, (&program, id), &found);
        let guided = guide(&found, id, (id, 0), Guide::May).program;
        let calls = ConditionCalls::WholeProgram;
        let alone = instrument(&found.annotated, id, 0, &found.premises, calls, Guide::May);
        let mut callees = program.reachable(&[id]).into_iter().filter(|p| *p != id);
        in_callees += usize::from(callees.any(|p| lengths(&guided, p) != lengths(&alone, p)));
        let Some((all, _)) = unverified_ways(&found, id, Guide::Annotations) else { continue };
        for how in [Guide::May, Guide::Must, Guide::MayMust] {
            let Some((kept, _)) = unverified_ways(&found, id, how) else { continue };
            assert_eq!(kept, all, "seed {seed}, {}\n{text}", how.name());
            compared += 1;
        }
    }
    assert!(
        programs < 40 || (compared > 30 && in_callees > 2 && given_up > 30 && shown > 40),
        "{compared}, {in_callees} programs with guidance in callees, {given_up} runs given up, {shown} assumptions shown by callers"
    );
}

/// How many statements each block of a procedure has.
fn lengths(program: &Program, p: ProcId) -> Vec<usize> {
    program[p].bodies[0].blocks.iter().map(|b| b.statements.len()).collect()
}

/// How many random runs guidance gives up; none of them fails.
fn no_run_that_fails_is_given_up(
    seed: u64,
    text: &str,
    (program, id): (&Program, ProcId),
    found: &Verification,
) -> usize {
    let limits = Limits { steps: 600, ..Limits::default() };
    let oracle = RunOracle::new(found);
    let interpreter = oracle.interpreter();
    let guided = guide(found, id, (id, 0), Guide::May);
    let mut random = RandomOracle::new(program, seed + 1_000);
    let mut given_up = 0;
    for _ in 0..20 {
        let plain = run(program, id, 0, &mut random, &limits);
        let script = random.take_script();
        let class = oracle.classify(&interpreter, (id, 0), &script, &limits, &[]).class;
        assert_ne!(class, RunClass::Contradiction, "seed {seed}\n{text}\n{script:?}");
        let outcome = run(&guided.program, id, 0, &mut Replay::new(&script), &limits).outcome;
        match outcome {
            Outcome::Blocked { .. } if plain.outcome == Outcome::Returned => {
                given_up += 1;
                assert_ne!(class, RunClass::Failing, "seed {seed}\n{text}\n{script:?}");
            }
            Outcome::Blocked { .. } => assert!(
                !matches!(plain.outcome, Outcome::Failed { .. }),
                "seed {seed}: a run that fails is given up\n{text}\n{script:?}\n{}",
                footpath_ir::print(&guided.program)
            ),
            Outcome::Failed { at, kind } => {
                let original = Outcome::Failed { at: guided.places.original(at), kind };
                assert_eq!(original, plain.outcome, "seed {seed}\n{text}");
            }
            _ => {}
        }
    }
    given_up
}
