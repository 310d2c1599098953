//! What induction over loops and recursive calls adds: programs with a relation that neither the analyser nor the solver
//! finds, each with a neighbour that is wrong; and random programs, of which no check that is verified fails in a run.
//!
//! `FOOTPATH_PROGRAMS` says how many random programs there are, `FOOTPATH_SEED` asks for a single one.

use super::loop_programs::Writer;
use super::support::{lowered, verified};
use footpath_frontend::c;
use footpath_ir::interp::{Interpreter, Limits, Outcome, RandomOracle};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{AssertKind, Origin, Place, ProcId, Program};
use footpath_verify::{Calls, Entry, Options, Prover, Verdict, Verification, verify};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Nothing assumed, and time enough on a busy machine.
fn options() -> Options {
    Options {
        assume: BTreeSet::new(),
        time: None,
        solver: Some(Duration::from_secs(1000)),
        ..Options::default()
    }
}

fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("test.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}\n{text}");
    program.expect("a program")
}

/// What is verified of the procedures of a Boogie program.
fn boogie(program: &Program, options: &Options) -> Verification {
    let procedures: Vec<ProcId> = program.ids().collect();
    verify(program, &procedures, &|_, _| Entry::default(), options, &AtomicBool::new(false), &|_| ())
}

/// The checks of a kind that a procedure has, each with who verified it.
fn told(found: &Verification, procedure: &str, kind: AssertKind) -> Vec<&'static str> {
    let body = found.bodies.iter().find(|b| &*found.annotated[b.procedure].name == procedure);
    let checks = body.expect("a body").checks.iter().filter(|c| c.kind == kind);
    checks
        .map(|c| match (&c.verdict, c.by) {
            (Verdict::Verified, Some(by)) => by.name(),
            (Verdict::Unverified(_), None) => "unverified",
            other => panic!("{procedure}: {other:?}"),
        })
        .collect()
}

/// Who verified the assertions of the Boogie procedure P.
#[track_caller]
fn assertions(text: &str, options: &Options, expected: &[&str]) {
    let text = format!("{OPERATORS}{}", text.replace('#', "bv32"));
    assert_eq!(told(&boogie(&read(&text), options), "P", AssertKind::Assert), expected, "{text}");
}

const OPERATORS: &str = "\
    function {:bvbuiltin \"bvadd\"} add(a: bv32, b: bv32) returns (bv32);\n\
    function {:bvbuiltin \"bvsub\"} sub(a: bv32, b: bv32) returns (bv32);\n\
    function {:bvbuiltin \"bvmul\"} mul(a: bv32, b: bv32) returns (bv32);\n\
    function {:bvbuiltin \"bvult\"} ult(a: bv32, b: bv32) returns (bool);\n\
    function {:bvbuiltin \"bvslt\"} slt(a: bv32, b: bv32) returns (bool);\n";

/// Checks that the last check of a kind in `right` is verified by induction, and in `wrong` not at all. Both are functions
/// of C.
#[track_caller]
fn in_c(name: &str, kind: AssertKind, right: &str, wrong: &str) {
    let text = format!(
        "#include <assert.h>\n{}\n{}\n",
        right.replace("NAME", "right"),
        wrong.replace("NAME", "wrong")
    );
    let found = verified(&lowered(&format!("induction-{name}"), &text, &c::Options::default()), &options());
    assert_eq!(told(&found, "right", kind).last(), Some(&"induction"), "{text}");
    assert_eq!(told(&found, "wrong", kind).last(), Some(&"unverified"), "{text}");
}

fn asserted(name: &str, right: &str, wrong: &str) {
    in_c(name, AssertKind::Assert, right, wrong);
}

#[test]
fn counters_that_move_together_keep_their_ratio() {
    let two = |step: u32| {
        format!(
            "void NAME(int n) {{ int i = 0, s = 0; while (i < n) {{ i++; s += 2; if (i == 77) s += {step}; }} assert(s == 2 * i); }}"
        )
    };
    asserted("two", &two(0), &two(1));
}

#[test]
fn a_sum_is_a_polynomial() {
    let sum = |claim: &str| {
        format!(
            "void NAME(unsigned n) {{ unsigned i = 0, s = 0; while (i < n) {{ i++; s += i; }} assert({claim}); }}"
        )
    };
    asserted("sum", &sum("2 * s == i * (i + 1)"), &sum("2 * s == i * (i + 2)"));
}

#[test]
fn rounds_of_nested_loops_of_c_multiply() {
    let nested = |claim: &str| {
        format!(
            "void NAME(unsigned n, unsigned m) {{ unsigned i, j, s = 0;
             for (i = 0; i < n; i++) for (j = 0; j < m; j++) s++;
             assert(s == {claim}); }}"
        )
    };
    asserted("nested", &nested("n * m"), &nested("n * m + (n == 1000)"));
}

#[test]
fn rounds_of_nested_loops_multiply() {
    let nested = |claim: &str| {
        format!(
            "procedure P(n: #, m: #) {{ var i, j, s: #; i := 0#; s := 0#;
               while (ult(i, n)) {{
                 j := 0#; while (ult(j, m)) {{ j := add(j, 1#); s := add(s, 1#); }}
                 i := add(i, 1#);
               }}
               assert s == {claim}; }}"
        )
    };
    assertions(&nested("mul(n, m)"), &options(), &["induction"]);
    assertions(&nested("if n == 1000# then 0# else mul(n, m)"), &options(), &["unverified"]);
}

#[test]
fn a_flag_tells_whether_a_counter_is_odd() {
    let flag = |claim: &str| {
        format!(
            "void NAME(unsigned n) {{ unsigned i = 0; int odd = 0; while (i < n) {{ i++; odd = !odd; }} assert({claim}); }}"
        )
    };
    asserted("flag", &flag("odd == (int)(i % 2)"), &flag("odd == (int)(i / 2 % 2)"));
}

#[test]
fn a_recursive_function_is_followed() {
    let ninety = |claim: &str| {
        format!(
            "procedure f(x: #) returns (r: #) {{ var a: #;
               if (slt(100#, x)) {{ r := sub(x, 10#); }} else {{ call a := f(add(x, 11#)); call r := f(a); }} }}
             procedure P(n: #) {{ var r: #; call r := f(n); assert r == 91# || (slt({claim}, n) && r == sub(n, 10#)); }}"
        )
    };
    assertions(&ninety("101#"), &options(), &["induction"]);
    assertions(&ninety("102#"), &options(), &["unverified"]);
}

#[test]
fn an_index_that_runs_against_another_stays_in_bounds() {
    let backwards = |last: &str| {
        format!(
            "int NAME(int n, int k) {{ int a[64] = {{0}}, s = 0; if (n < 0 || n > 64 || k < 1 || k > 3) return 0;
             for (int i = 0, j = n - 1; i {last} n; i += k, j -= k) s ^= a[j]; return s; }}"
        )
    };
    in_c("backwards", AssertKind::Bounds, &backwards("<"), &backwards("<="));
}

/// What is wrong where a sum of squares ends is wrong, however few runs show it.
#[test]
fn a_sum_of_squares_in_boogie_is_cubic() {
    let sum = |claim: &str| {
        format!(
            "procedure P(n: #) {{ var i, x: #; i := 0#; x := 0#;
               while (ult(i, n)) {{ i := add(i, 1#); x := add(x, mul(i, i)); }}
               assert mul(6#, x) == {claim}; }}"
        )
    };
    let right = "add(add(mul(2#, mul(i, mul(i, i))), mul(3#, mul(i, i))), i)";
    assertions(&sum(right), &options(), &["induction"]);
    assertions(&sum(&right.replace("3#", "4#")), &options(), &["unverified"]);
}

/// A mark of what does not stop the program: runs that pass it count in proofs of what is behind it.
#[test]
fn what_does_not_stop_the_program_is_passed_in_proofs() {
    let marked = |start: &str, then: &str| {
        format!(
            "procedure P(n: #, m: #) {{ var i, s: #; i := 0#; s := {start};
               while (ult(i, n)) {{
                 if (s == add(mul(2#, i), 9#)) {{ assume {{:fails \"overflow\"}} true; {then} }}
                 i := add(i, 1#); s := add(s, 2#);
               }}
               assert s == mul(2#, i) || m == 5#; }}"
        )
    };
    // It is never passed.
    assertions(&marked("0#", "s := m;"), &options(), &["induction"]);
    // It is passed, without harm and with.
    assertions(&marked("m", "s := m;"), &options(), &["unverified"]);
    let marked = |then: &str| {
        format!(
            "procedure P(n: #, m: #) {{ var i, s: #; i := 0#; s := 0#;
               while (ult(i, n)) {{
                 if (i == m) {{ assume {{:fails \"overflow\"}} true; {then} }}
                 i := add(i, 1#); s := add(s, 2#);
               }}
               assert s == mul(2#, i); }}"
        )
    };
    assertions(&marked(""), &options(), &["induction"]);
    assertions(&marked("s := 7#;"), &options(), &["unverified"]);
}

/// A run in which a check fails ends there.
#[test]
fn a_check_that_fails_shields_what_is_behind_it() {
    let text = "procedure P(n: #, m: #) { var i, s: #; i := 0#; s := m;
                  assert m == 0#;
                  while (ult(i, n)) { i := add(i, 1#); s := add(s, 2#); }
                  assert s == mul(2#, i); }";
    assertions(text, &options(), &["unverified", "induction"]);
}

#[test]
fn bodies_of_callees_count_unless_contracts_are_asked_for() {
    let text = "var g: #;
                procedure Q() modifies g; { g := add(g, 2#); }
                procedure P(n: #) modifies g; { var i: #; i := 0#; g := 0#;
                  while (ult(i, n)) { i := add(i, 1#); call Q(); }
                  assert g == mul(2#, i); }";
    assertions(text, &options(), &["induction"]);
    assertions(text, &Options { calls: Calls::Contracts, ..options() }, &["unverified"]);
    let ensured = text.replace("modifies g; { g :=", "modifies g; ensures g == add(old(g), 2#); { g :=");
    assertions(&ensured, &Options { calls: Calls::Contracts, ..options() }, &["induction"]);
}

#[test]
fn recursion_of_the_procedure_itself_is_followed() {
    let counted = |step: &str| {
        format!(
            "var g: #;
             procedure P(x: #) modifies g; {{
               var before: #; before := g;
               g := add(g, {step});
               if (slt(0#, x)) {{ call P(sub(x, 1#)); }}
               g := sub(g, 1#);
               assert g == before; }}"
        )
    };
    assertions(&counted("1#"), &options(), &["induction"]);
    assertions(&counted("2#"), &options(), &["unverified"]);
}

/// What does not follow from the round before alone, but from the two before.
#[test]
fn what_several_rounds_prove_is_verified() {
    let swapped = |second: &str| {
        format!(
            "procedure P(n: #, m: #, k: #) {{ var i, a, b, t: #; i := 0#; a := n; b := m;
               assume n != k && {second} != k;
               while (ult(i, n)) {{ assert a != k; t := a; a := b; b := t; i := add(i, 1#); }} }}"
        )
    };
    assertions(&swapped("m"), &options(), &["induction"]);
    assertions(&swapped("n"), &options(), &["unverified"]);
}

/// Without time for a solver there is none for induction.
#[test]
fn without_a_solver_there_is_no_induction() {
    let text = "procedure P(n: #) { var i, s: #; i := 0#; s := 0#;
                  while (ult(i, n)) { i := add(i, 1#); s := add(s, i); }
                  assert mul(2#, s) == mul(i, add(i, 1#)); }";
    assertions(text, &options(), &["induction"]);
    assertions(text, &Options { solver: None, ..options() }, &["unverified"]);
}

/// Compares what is verified of a random program with its runs; how many checks induction verified, and how many there are.
fn random_program(seed: u64, runs: u64) -> (usize, usize) {
    let mut writer = Writer::with_checks(seed);
    let (callee, body) = (writer.callee(), writer.body());
    let end: String = (0..4)
        .map(|number| {
            let claim = writer.claim();
            match number % 2 {
                0 => format!("assert !({claim}); "),
                _ => format!("if ({claim}) {{ assume {{:fails \"overflow\"}} true; }} "),
            }
        })
        .collect();
    let text = writer.ending(&callee, &body, &end);
    let calls = if seed.is_multiple_of(4) { Calls::Contracts } else { Options::default().calls };
    let program = read(&text);
    let found = boogie(&program, &Options { calls, solver: Some(Duration::from_secs(4)), ..options() });
    let checks: Vec<_> = found.bodies.iter().flat_map(|b| &b.checks).collect();
    let verified: BTreeSet<Origin> =
        checks.iter().filter(|c| c.verdict == Verdict::Verified).map(|c| c.origin).collect();
    let interpreter = Interpreter::new(&program);
    let main = program.procedure_named("main").expect("the procedure");
    let limits = Limits { steps: 500, calls: 100, ..Limits::default() };
    for number in 0..runs {
        let run = interpreter.run(main, 0, &mut RandomOracle::new(&program, number), &limits);
        let mut failures: Vec<Origin> = Vec::new();
        if let Outcome::Failed { at, .. } = run.outcome {
            failures.push(at);
        }
        failures.extend(run.path.iter().map(|step| {
            let place = Place::Segment { block: step.block, first: 0 };
            Origin { procedure: step.procedure, body: 0, place }
        }));
        let wrong = failures.iter().find(|f| verified.contains(f));
        assert_eq!(wrong, None, "seed {seed}: what is verified fails\n{text}");
    }
    (checks.iter().filter(|c| c.by == Some(Prover::Induction)).count(), checks.len())
}

#[test]
fn no_check_of_a_random_program_that_is_verified_fails() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    let (seeds, runs) = match (number("FOOTPATH_SEED"), number("FOOTPATH_PROGRAMS")) {
        (Some(seed), _) => (seed..seed + 1, 2_000),
        (None, Some(programs)) => (0..programs, 400),
        (None, None) => (0..40, 100),
    };
    let many = seeds.end - seeds.start >= 40;
    let (mut proved, mut all) = (0, 0);
    for seed in seeds {
        let (more, checks) = random_program(seed, runs);
        (proved, all) = (proved + more, all + checks);
    }
    assert!(!many || proved >= all / 60, "{proved} of {all} checks were verified by induction");
}
