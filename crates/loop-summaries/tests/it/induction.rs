//! Proofs by induction: polynomial identities modulo 2ⁿ, facts that are guessed and proved, and both together; and random
//! programs of machine integers of 4 to 32 bits with maps, arbitrary values and recursion, compared with their runs.
//!
//! What is claimed of a random program is, where there is such a claim, one that a few runs do not contradict: an invariant, or
//! nearly one. `FOOTPATH_LOOP_PROGRAMS` says how many programs, `FOOTPATH_LOOP_SEED` where they start.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::common::{check, in_parallel, is_thorough, read, report, seeds};
use super::programs::{Writer, operators};
use footpath_ir::interp::{Interpreter, Limits, Oracle, Outcome, RandomOracle, Replay, Run, Script};
use footpath_ir::{Origin, Place, ProcId, Program, StatementKind};
use footpath_loop_summaries::{Options, Target, find, prove_by_induction, prove_unreachable};
use footpath_term::Value;

/// A program of 32-bit integers with the inputs n and m.
fn with(body: &str) -> String {
    let body = body.replace('#', "bv32");
    format!(
        "{}procedure main(n: bv32, m: bv32) {{ var a, b, i, j, k, q, r, x, y, z: bv32; var c: bool; {body} }}",
        operators(32)
    )
}

fn unreachable(body: &str) {
    check(&with(body), "unreachable");
}

fn reached(body: &str) {
    check(&with(body), "reached");
}

#[test]
fn a_sum_of_squares_is_a_cubic_polynomial_for_any_number_of_rounds() {
    let sum = |claim: &str| {
        format!(
            "x := 0#; y := 0#; i := 0#;
             while (ult(i, n)) {{ i := add(i, 1#); y := add(y, 1#); x := add(x, mul(y, y)); }}
             if (mul(6#, x) != {claim}) {{ target: assert true; }}"
        )
    };
    unreachable(&sum("add(add(mul(2#, mul(y, mul(y, y))), mul(3#, mul(y, y))), y)"));
    reached(&sum("add(add(mul(2#, mul(y, mul(y, y))), mul(2#, mul(y, y))), y)"));
}

#[test]
fn division_by_repeated_doubling_keeps_its_equation_in_both_loops() {
    let division = |step: &str| {
        format!(
            "assume ule(1#, m); q := 0#; r := n;
             while (ule(m, r)) {{
               a := 1#; b := m;
               while (ule(b, sub(r, b))) {{ a := mul(2#, a); b := mul(2#, b); }}
               r := sub(r, b); q := add(q, {step});
             }}
             if (n != add(mul(q, m), r)) {{ target: assert true; }}"
        )
    };
    unreachable(&division("a"));
    reached(&division("1#"));
}

#[test]
fn a_geometric_sum_has_an_identity_of_degree_two() {
    unreachable(
        "x := 1#; y := m; i := 1#;
         while (ult(i, n)) { i := add(i, 1#); x := add(mul(x, m), 1#); y := mul(y, m); }
         if (add(1#, mul(x, m)) != add(x, y)) { target: assert true; }",
    );
}

#[test]
fn coefficients_of_the_extended_gcd_keep_their_determinant() {
    unreachable(
        "a := n; b := m; x := 1#; y := 0#; q := 0#; r := 1#;
         while (a != b) {
           if (ult(b, a)) { a := sub(a, b); x := sub(x, y); q := sub(q, r); }
           else { b := sub(b, a); y := sub(y, x); r := sub(r, q); }
         }
         if (sub(mul(x, r), mul(q, y)) != 1#) { target: assert true; }",
    );
}

#[test]
fn sums_that_wrap_keep_their_parity() {
    unreachable(
        "x := 4#; while (x != n) { x := add(x, 6#); havoc c; if (c) { x := mul(x, 3#); } }
         if (rem(x, 2#) == 1#) { target: assert true; }",
    );
    reached("x := 4#; while (x != n) { x := add(x, 3#); } if (rem(x, 2#) == 1#) { target: assert true; }");
}

#[test]
fn ways_that_add_differently_keep_a_sum() {
    unreachable(
        "assume sle(0#, n); i := 0#; a := 0#; b := 0#;
         while (slt(i, n)) {
           havoc c;
           if (c) { a := add(a, 1#); b := add(b, 2#); } else { a := add(a, 2#); b := add(b, 1#); }
           i := add(i, 1#);
         }
         if (add(a, b) != mul(3#, n)) { target: assert true; }",
    );
}

#[test]
fn both_numbers_of_a_gcd_stay_positive() {
    let gcd = |first: &str| {
        format!(
            "a := n; b := m; assume slt(0#, a) && slt({first}, b);
             while (a != b) {{
               if (slt(b, a)) {{ a := sub(a, b); }} else {{ b := sub(b, a); }}
               if (!slt(0#, a)) {{ target: assert true; }}
             }}"
        )
    };
    unreachable(&gcd("0#"));
    reached(&gcd("sub(0#, 2#)"));
}

#[test]
fn which_states_of_a_machine_go_together_is_an_invariant() {
    let machine = |wrong: &str| {
        format!(
            "x := 10#; y := 0#; c := true;
             while (c) {{
               if (x == 10#) {{ y := 0#; x := 20#; }}
               else {{ if (x == 20#) {{ y := 1#; havoc c; x := if c then 30# else 40#; c := true; }}
               else {{ if (x == 30#) {{ if (y == 1#) {{ y := 2#; }} x := 40#; }}
               else {{ if (y == {wrong}) {{ target: assert true; }} havoc c; x := 10#; }} }} }}
             }}"
        )
    };
    unreachable(&machine("0#"));
    reached(&machine("2#"));
}

/// A recursive procedure f(x, y) returns (r), and a claim about what it returns for n and m.
fn recursive(body: &str, claim: &str) -> String {
    let (body, claim) = (body.replace('#', "bv32"), claim.replace('#', "bv32"));
    format!(
        "{} var g: bv32;
         procedure f(x: bv32, y: bv32) returns (r: bv32) modifies g; {{ var a: bv32; {body} }}
         procedure main(n: bv32, m: bv32) modifies g; {{ var r: bv32;
           call r := f(n, m); if ({claim}) {{ target: assert true; }} }}",
        operators(32)
    )
}

#[test]
fn what_a_recursive_procedure_returns_is_an_identity() {
    let addition = |step: &str| {
        let body = format!(
            "if (y == 0#) {{ r := x; }} else {{
               if (slt(0#, y)) {{ call r := f(add(x, 1#), sub(y, 1#)); }}
               else {{ call r := f(sub(x, 1#), add(y, {step})); }} }}"
        );
        recursive(&body, "r != add(n, m)")
    };
    check(&addition("1#"), "unreachable");
    check(&addition("2#"), "reached");
}

#[test]
fn an_end_that_no_run_gets_to_has_no_identity_to_keep() {
    let addition = |last: &str| {
        let body = format!(
            "if (y == 0#) {{ r := x; }}
             else if (slt(0#, y)) {{ call r := f(add(x, 1#), sub(y, 1#)); }}
             else if (slt(y, {last})) {{ call r := f(sub(x, 1#), add(y, 1#)); }}"
        );
        recursive(&body, "r != add(n, m)")
    };
    check(&addition("0#"), "unreachable");
    check(&addition("sub(0#, 1#)"), "reached");
}

#[test]
fn two_procedures_that_call_each_other_bound_their_results() {
    let text = |most: &str| {
        with(&format!("call a := f(n); if (a == {most}) {{ target: assert true; }}"))
            + &["f", "g"]
                .map(|own| {
                    let other = if own == "f" { "g" } else { "f" };
                    "procedure OWN(x: #) returns (r: #) {
                       if (x == 0#) { r := 0#; }
                       else { call r := OTHER(sub(x, 1#)); r := add(r, 1#); if (ult(3#, r)) { r := 3#; } } }\n"
                        .replace("OWN", own)
                        .replace("OTHER", other)
                        .replace('#', "bv32")
                })
                .concat()
    };
    check(&text("5bv32"), "unreachable");
    check(&text("3bv32"), "reached");
}

#[test]
fn what_holds_in_one_case_of_an_input_holds_all_along() {
    let flag = |claim: &str| {
        format!(
            "havoc c; i := 1#; if (n != 0#) {{ i := 0#; }} j := 1#; a := 0#; b := 0#;
             while (c) {{
               a := add(a, 1#); b := add(b, sub(j, i)); i := add(i, 2#);
               if (rem(i, 2#) == 0#) {{ j := add(j, 2#); }} else {{ j := add(j, 1#); }}
               havoc c;
             }}
             if ({claim}) {{ target: assert true; }}"
        )
    };
    unreachable(&flag("n != 0# && a != b"));
    reached(&flag("a != b"));
}

/// The case of `y` in which the procedure is entered last is not that of a call that has returned.
#[test]
fn calls_that_have_returned_were_in_a_case_of_their_own() {
    let twice = |claim: &str| {
        with(&format!("call a := f(n, 1#); call b := f(n, 2#); if ({claim}) {{ target: assert true; }}"))
            + &"procedure f(x: #, y: #) returns (r: #) {
                 if (x == 0#) { if (y == 1#) { r := 10#; } else { r := 20#; } }
                 else { call r := f(sub(x, 1#), y); } }\n"
                .replace('#', "bv32")
    };
    check(&twice("a == 10# && b == 20#").replace('#', "bv32"), "reached");
    check(&twice("a != 10# && a != 20#").replace('#', "bv32"), "unreachable");
}

#[test]
fn what_holds_in_one_phase_of_a_loop_is_guessed() {
    let phases = |step: &str| {
        format!(
            "x := 0#;
             while (slt(x, 1000#)) {{
               if (slt(x, 500#)) {{ x := add(x, 1#); }} else {{ x := add(x, {step}); }}
             }}
             if (x != 1000#) {{ target: assert true; }}"
        )
    };
    unreachable(&phases("2#"));
    reached(&phases("3#"));
}

#[test]
fn what_a_recursive_procedure_returns_is_a_fact_about_its_argument() {
    let ninety_one = |claim: &str| {
        recursive(
            "if (slt(100#, x)) { r := sub(x, 10#); } else { call a := f(add(x, 11#), y); call r := f(a, y); }",
            claim,
        )
    };
    check(&ninety_one("r != 91# && (sle(n, 101#) || r != sub(n, 10#))"), "unreachable");
    check(&ninety_one("r != 91# && (sle(n, 102#) || r != sub(n, 11#))"), "reached");
}

#[test]
fn what_a_recursive_procedure_does_to_a_variable_is_an_identity() {
    let counted = |step: &str| {
        let body = format!(
            "g := add(g, {step}); if (slt(0#, x)) {{ call r := f(sub(x, 1#), y); }} g := sub(g, 1#);"
        );
        recursive(&body, "g != old(g)")
    };
    check(&counted("1#"), "unreachable");
    check(&counted("2#"), "reached");
}

/// At its end a procedure has r = a, but not for the a of the activation that called it.
#[test]
fn locals_of_another_activation_say_nothing() {
    let body = "a := x; r := x;
                if (ult(0#, x)) { call r := f(sub(x, 1#), y); if (r == a) { r := x; } else { r := 5#; } }";
    check(&recursive(body, "n == 1# && r == 5#"), "reached");
}

/// A program and its target.
pub(super) fn target(text: &str) -> Target {
    let (program, sources) = read(text);
    let main = program.procedure_named("main").expect("the procedure");
    find(&program, &sources, "target", Some(main)).expect("the target")
}

/// The number of the first run that gets to the target, of so many random ones and one for each pair of small inputs.
pub(super) fn reaching(target: &Target, runs: u64) -> Option<u64> {
    let Target { program, spot, .. } = target;
    let reaches =
        |run: &Run| run.path.iter().any(|step| (step.procedure, step.block) == (spot.procedure, spot.block));
    first_run(program, spot.procedure, runs, &reaches)
}

/// The number of the first run that is as wanted.
fn first_run(program: &Program, main: ProcId, runs: u64, is_wanted: &dyn Fn(&Run) -> bool) -> Option<u64> {
    let interpreter = Interpreter::new(program);
    let params: Vec<_> = program[main].bodies[0].params.iter().map(|p| p.symbol).collect();
    let width = program.terms.width(program.terms.symbol(params[0]).sort).expect("a number");
    let limits = Limits { steps: 500, calls: 100, ..Limits::default() };
    let reaches = |oracle: &mut dyn Oracle| is_wanted(&interpreter.run(main, 0, oracle, &limits));
    let small = |i: u64| {
        let values = [i / 16, i % 16].map(|n| Value::bit_vec(width, &n.into()));
        let entries = params.iter().zip(values).map(|(&symbol, value)| ((0, symbol), value)).collect();
        Script { entries, ..Script::default() }
    };
    let random = (0..runs).find(|&seed| reaches(&mut RandomOracle::new(program, seed)));
    random.or_else(|| (0..runs.min(256)).find(|&i| reaches(&mut Replay::new(&small(i)))))
}

/// A random program; its target is one of several that no short search reaches, if there is such.
fn random_program(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    let (callee, body) = (writer.callee(), writer.body());
    let mut text = String::new();
    for _ in 0..6 {
        let claim = writer.claim();
        text = writer.whole(&callee, &body, &claim);
        if reaching(&target(&text), 6).is_none() {
            break;
        }
    }
    text
}

#[test]
fn what_is_proved_of_random_programs_agrees_with_their_runs() {
    compare(seeds(600), [60, 300], &random_program);
}

/// Compares what is proved of random programs with their runs. The time for each is in milliseconds, the second one if somebody asked
/// for many programs.
pub(super) fn compare(
    seeds: std::ops::Range<u64>,
    [quickly, thoroughly]: [u64; 2],
    program: &(dyn Fn(u64) -> String + Sync),
) {
    let runs = if is_thorough() { 600 } else { 80 };
    // Nothing is unfolded, so that induction has to do it.
    let timeout = Some(Duration::from_millis(if is_thorough() { thoroughly } else { quickly }));
    let options = Options { timeout, max_unfold: 0, tests: false, ..Options::default() };
    let count = seeds.end - seeds.start;
    let proved = in_parallel(seeds, |seed| {
        let text = program(seed);
        let target = target(&text);
        let Target { program, spot, .. } = &target;
        let place = Place::Segment { block: spot.block, first: 0 };
        let place = Origin { procedure: spot.procedure, body: spot.body, place };
        let stop = AtomicBool::new(false);
        let proved = prove_unreachable(program, spot.procedure, 0, place, &options, &stop);
        let proved = proved.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        if proved {
            let run = reaching(&target, runs);
            assert_eq!(run, None, "seed {seed}: what is reached was proved unreachable\n{text}");
        }
        proved
    });
    let proved = proved.into_iter().filter(|p| *p).count() as u64;
    assert!(proved >= count / 20, "{proved} of {count} were proved");
    if is_thorough() {
        report(&format!("{proved} of {count} were proved"));
    }
}

/// Where the checks of a procedure fail: its assertions, and what does not stop it.
fn failures(program: &Program, procedure: ProcId) -> Vec<Origin> {
    let body = &program[procedure].bodies[0];
    let mut places = Vec::new();
    for block in body.block_ids() {
        if body.mark(block).is_some() {
            places.push(Place::Segment { block, first: 0 });
        }
        for (statement, s) in body[block].statements.iter().enumerate() {
            if matches!(s.kind, StatementKind::Assert { .. }) {
                places.push(Place::Failure { block, statement: statement as u32, clause: 0 });
            }
        }
    }
    places.into_iter().map(|place| Origin { procedure, body: 0, place }).collect()
}

/// Whether a run gets to a place where a check fails.
fn fails_at(run: &Run, place: Origin) -> bool {
    let is_there =
        |procedure, block| Place::Segment { block, first: 0 } == place.place && procedure == place.procedure;
    matches!(run.outcome, Outcome::Failed { at, .. } if at == place)
        || run.path.iter().any(|step| is_there(step.procedure, step.block))
}

/// A random program with checks, the last ones such that no short search finds a run that fails there.
fn random_checks(seed: u64) -> String {
    let mut writer = Writer::with_checks(seed);
    let (callee, body) = (writer.callee(), writer.body());
    let mut end = String::new();
    for _ in 0..8 {
        let claim = writer.claim();
        if reaching(&target(&writer.whole(&callee, &body, &claim)), 6).is_none() {
            let mark = "assume {:fails \"overflow\"} true;";
            end += &if end.len().is_multiple_of(2) {
                format!("assert !({claim}); ")
            } else {
                format!("if ({claim}) {{ {mark} }} ")
            };
        }
    }
    writer.ending(&callee, &body, &end)
}

#[test]
fn what_is_proved_of_several_checks_at_once_agrees_with_runs() {
    let (seeds, runs) = (seeds(150), if is_thorough() { 600 } else { 80 });
    let timeout = Some(Duration::from_millis(if is_thorough() { 500 } else { 100 }));
    let options = Options { timeout, ..Options::default() };
    let found = in_parallel(seeds, |seed| {
        let text = random_checks(seed);
        let (program, _) = read(&text);
        let main = program.procedure_named("main").expect("the procedure");
        let places = failures(&program, main);
        let stop = AtomicBool::new(false);
        let proved = prove_by_induction(&program, main, 0, &places, &options, &stop);
        let proved = proved.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}")).unwrap_or_default();
        let proved: Vec<Origin> =
            places.iter().zip(proved).filter(|(_, proved)| *proved).map(|(p, _)| *p).collect();
        let fails = |run: &Run| proved.iter().any(|p| fails_at(run, *p));
        let run = if proved.is_empty() { None } else { first_run(&program, main, runs, &fails) };
        assert_eq!(run, None, "seed {seed}: a check that was proved fails: {proved:?}\n{text}");
        (proved.len(), places.len())
    });
    let (proved, all) = found.iter().fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
    assert!(proved >= all / 20, "{proved} of {all} were proved");
    if is_thorough() {
        report(&format!("{proved} of {all} checks were proved"));
    }
}
