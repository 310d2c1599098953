//! Where executions may and must be unverified, across calls, loops and the state before them.
//!
//! PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 3: whole-program inference goes through the bodies of callees;
//! modular inference takes a call for a check of what the callee requires.

use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{Program, StatementKind, print};
use footpath_verify::{
    ConditionCalls, Cubes, Guide, Point, Premises, conditions, instrument, instrument_everywhere,
};

fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("test.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
    program.expect("a program")
}

/// A condition over named variables, cubes in a row: `!a|b`.
fn shown(program: &Program, cubes: &Cubes) -> String {
    let cube = |c: &footpath_verify::Cube| {
        let literal = |(s, truth): (&footpath_term::SymbolId, &bool)| {
            format!("{}{}", if *truth { "" } else { "!" }, program.terms.symbol(*s).name)
        };
        let mut literals: Vec<String> = c.iter().map(literal).collect();
        literals.sort();
        literals.join("&")
    };
    if cubes.is_true() {
        return "true".to_owned();
    }
    let mut all: Vec<String> = cubes.iter().map(cube).collect();
    all.sort();
    if all.is_empty() { "false".to_owned() } else { all.join("|") }
}

/// May- and must-condition where `P` begins.
fn at_start(text: &str, calls: ConditionCalls) -> (String, String) {
    let program = read(text);
    let id = program.procedure_named("P").expect("P");
    let found = conditions(&program, id, 0, &Premises::of(&program), calls);
    let start = Point { block: footpath_ir::BlockId(0), statement: 0 };
    (shown(&program, found.may(start)), shown(&program, found.must(start)))
}

#[track_caller]
fn check(text: &str, modular: (&str, &str), whole: (&str, &str)) {
    for (calls, expected) in [(ConditionCalls::Modular, modular), (ConditionCalls::WholeProgram, whole)] {
        let found = at_start(text, calls);
        assert_eq!((&*found.0, &*found.1), expected, "{calls:?}\n{text}");
    }
}

const GLOBAL: &str = "var {:assumption} a: bool;\nvar {:assumption} b: bool;\nvar g: int;\n";

#[test]
fn checks_of_a_callee_count_where_its_body_is_looked_through() {
    let text = format!(
        "{GLOBAL}procedure Q() {{ assert {{:verified a}} g > 0; }}\n\
         procedure P() {{ call Q(); }}"
    );
    // The callee is tested on its own: nothing lies ahead in `P`.
    check(&text, ("false", "false"), ("!a", "!a"));
}

#[test]
fn what_a_callee_assumes_lives_on_behind_the_call() {
    let text = format!(
        "{GLOBAL}procedure Q() modifies a; {{ a := a && g > 0; }}\n\
         procedure P() modifies a; {{ call Q(); assert {{:verified a}} g > 0; }}"
    );
    // Modular, `a` is arbitrary behind the call; through the body it stays false if it was.
    check(&text, ("true", "false"), ("true", "!a"));
}

#[test]
fn a_callee_that_assumes_nothing_keeps_the_condition() {
    let text = format!(
        "{GLOBAL}procedure Q() modifies g; {{ g := g + 1; }}\n\
         procedure P() modifies g; {{ call Q(); assert {{:verified a && b}} g > 0; }}"
    );
    check(&text, ("!a|!b", "!a|!b"), ("!a|!b", "!a|!b"));
}

#[test]
fn preconditions_are_checks_of_the_caller() {
    let text = format!(
        "{GLOBAL}procedure Q() requires g > 0; {{ assert {{:verified b}} g != 7; }}\n\
         procedure P() {{ call {{:verified a}} Q(); }}"
    );
    check(&text, ("!a", "!a"), ("!a|!b", "!a&!b"));
}

#[test]
fn assumptions_of_a_callee_begin_anew_with_each_call() {
    let text = format!(
        "{GLOBAL}procedure Q() {{ var {{:assumption}} c: bool; c := c && g > 0; assert {{:verified c}} g > 0; }}\n\
         procedure P() {{ call Q(); call Q(); }}"
    );
    // In each call `c` is true at the start and may become false.
    check(&text, ("false", "false"), ("true", "false"));
}

#[test]
fn recursive_calls_say_nothing() {
    let text = format!(
        "{GLOBAL}procedure P() modifies g; {{ if (g > 0) {{ g := g - 1; call P(); }} assert {{:verified a}} g <= 0; }}"
    );
    // Nothing is known of the inner call: neither that it is verified nor that it is not.
    check(&text, ("!a", "!a"), ("true", "false"));
}

#[test]
fn a_loop_is_verified_only_if_no_round_may_be_unverified() {
    // A round may make `a` false before the next round checks it.
    let text = format!(
        "{GLOBAL}procedure P() modifies a, g; {{ while (g > 0) {{ assert {{:verified a}} g > 0; a := a && g > 1; g := g - 1; }} }}"
    );
    check(&text, ("true", "false"), ("true", "false"));
    // Here nothing does, but the loop may have no rounds, and no check is met.
    let text = format!(
        "{GLOBAL}procedure P() modifies g; {{ while (g > 0) {{ assert {{:verified a}} g > 0; g := g - 1; }} }}"
    );
    check(&text, ("!a", "false"), ("!a", "false"));
    // A check behind the loop is met by every run that ends.
    let text = format!(
        "{GLOBAL}procedure P() modifies g; {{ while (g > 0) {{ assert {{:verified a}} g > 0; g := g - 1; }} assert {{:verified b}} g <= 0; }}"
    );
    check(&text, ("!a|!b", "!a&!b"), ("!a|!b", "!a&!b"));
}

#[test]
fn a_call_in_a_loop_is_looked_through() {
    let text = format!(
        "{GLOBAL}procedure Q() modifies a; {{ assert {{:verified a}} g != 3; a := a && g > 0; }}\n\
         procedure P() modifies a, g; {{ while (g > 0) {{ call Q(); g := g - 1; }} }}"
    );
    // One round may spoil the next; without the body nothing is known to be checked, and nothing to lie ahead.
    check(&text, ("false", "false"), ("true", "false"));
}

#[test]
fn the_state_before_a_call_is_an_ordinary_variable_of_the_condition() {
    // `old(g)` in a check behind a call: the ghost that keeps it is no assumption, and changes no condition.
    let text = format!(
        "{GLOBAL}procedure Q() modifies g; ensures g >= old(g); {{ g := g + 1; }}\n\
         procedure P() modifies a, g; {{ var before: int; before := g; a := a && g < 100; call {{:verified true}} Q(); \
         assert {{:verified a}} g >= before; assert {{:verified a}} g >= old(g); }}"
    );
    let (may, must) = at_start(&text, ConditionCalls::Modular);
    assert_eq!((may.as_str(), must.as_str()), ("true", "!a"));
    // Where its body is looked through, the postcondition of `Q` is a check, too, and has no premise.
    let (may, must) = at_start(&text, ConditionCalls::WholeProgram);
    assert_eq!((may.as_str(), must.as_str()), ("true", "!a"));
}

#[test]
fn instrumentation_prunes_before_a_call_whose_rest_is_verified() {
    let text = format!(
        "{GLOBAL}procedure Q() {{ assert {{:verified a}} g > 0; }}\n\
         procedure P() {{ if (g > 5) {{ call Q(); }} else {{ assert g < 9; }} }}"
    );
    let program = read(&text);
    let id = program.procedure_named("P").expect("P");
    let guided = |calls| {
        let result = instrument(&program, id, 0, &Premises::of(&program), calls, Guide::May);
        let assumed = |s: &&footpath_ir::Statement| matches!(s.kind, StatementKind::Assume(_));
        let statements = result[id].bodies[0].blocks.iter().flat_map(|b| &b.statements);
        (statements.filter(assumed).count(), print(&result))
    };
    let (whole, text) = guided(ConditionCalls::WholeProgram);
    assert!(whole >= 1 && text.contains("assume {:guidance} !a;"), "{text}");
    // Modular, the way to the call is verified throughout, whatever `a` is.
    let (modular, text) = guided(ConditionCalls::Modular);
    assert!(
        modular >= 1
            && text.contains("assume {:guidance} false;")
            && !text.contains("assume {:guidance} !a;"),
        "{text}"
    );
}

#[test]
fn what_follows_the_return_to_a_caller_lies_ahead_in_a_callee() {
    // All checks of `Q` are verified, but behind its call in `P` one is not; nothing is behind `R`.
    let text = format!(
        "{GLOBAL}procedure Q() {{ assert {{:verified true}} g > 0; g := g; }}\n\
         procedure R() {{ assert {{:verified true}} g > 1; g := g; }}\n\
         procedure P() {{ call Q(); assert g != 7; call R(); }}"
    )
    .replace("procedure Q()", "procedure Q() modifies g;")
    .replace("procedure R()", "procedure R() modifies g;")
    .replace("procedure P()", "procedure P() modifies g;");
    let program = read(&text);
    let named = |name: &str| program.procedure_named(name).expect("a procedure");
    let bodies: Vec<_> = ["Q", "R", "P"].iter().map(|name| (named(name), 0)).collect();
    let guided = instrument_everywhere(&program, &bodies, &Premises::of(&program), Guide::May);
    let assumed = |name: &str| {
        let statements = guided[named(name)].bodies[0].blocks.iter().flat_map(|b| &b.statements);
        statements.filter(|s| s.is_guidance()).count()
    };
    assert_eq!(assumed("Q"), 0, "{}", print(&guided));
    assert!(assumed("R") > 0 && assumed("P") > 0, "{}", print(&guided));
}

#[test]
fn recursion_that_leads_back_to_an_unverified_check_is_not_given_up() {
    let text = format!(
        "{GLOBAL}procedure Q(n: int) {{ if (n > 0) {{ call Q(n - 1); assert n != 5; }} }}\n\
         procedure P() {{ call Q(9); }}"
    );
    let program = read(&text);
    let bodies: Vec<_> = program.ids().map(|p| (p, 0)).collect();
    let guided = instrument_everywhere(&program, &bodies, &Premises::of(&program), Guide::May);
    let q = program.procedure_named("Q").expect("Q");
    let statements = guided[q].bodies[0].blocks.iter().flat_map(|b| &b.statements);
    assert_eq!(statements.filter(|s| s.is_guidance()).count(), 0, "{}", print(&guided));
}

/// The guidance of `P`, whose checks do not stop the program.
fn may_guided(body: &str) -> String {
    let program = read(&format!("{GLOBAL}procedure P() modifies g; {{ {body} }}"));
    let id = program.procedure_named("P").expect("P");
    let guided =
        instrument(&program, id, 0, &Premises::of(&program), ConditionCalls::WholeProgram, Guide::May);
    print(&guided)
}

#[test]
fn no_run_goes_on_behind_a_failure_that_was_refuted() {
    let check = |premise: &str| {
        format!("if (g < 0) {{ assume {{:fails \"overflow\"}} {premise} true; }} g := g + 1;")
    };
    let before = |premise: &str| {
        let text = may_guided(&check(premise));
        let (start, _) = text.split_once("    if (g < 0)").expect("the check");
        start.lines().last().expect("a line").trim().to_owned()
    };
    // Verified: all that is to come is, and a run is given up at its start, where nothing has failed.
    assert_eq!(before("{:verified true}"), "assume {:guidance} !unfailed;");
    // Under an assumption: where that holds.
    assert_eq!(before("{:verified a}"), "assume {:guidance} !a || !unfailed;");
    // Not at all: a run is given up once it is behind the check, if that did not fail.
    assert_eq!(before(""), "entry0:");
    assert!(may_guided(&check("")).contains("assume {:guidance} !unfailed;"));
}

#[test]
fn an_execution_of_which_too_much_would_have_to_be_said_may_be_unverified() {
    let program = |n: usize, premise: &dyn Fn(usize) -> String, operator: &str| {
        let all: String = (0..2 * n).map(|i| format!("var {{:assumption}} c{i}: bool;\n")).collect();
        let premise: Vec<String> = (0..n).map(premise).collect();
        let premise = premise.join(operator);
        format!("{all}var g: int;\nprocedure P() {{ assert {{:verified {premise}}} g > 0; }}")
    };
    // One cube of 300 variables: each of them may be false.
    let (may, _) = at_start(&program(300, &|i| format!("c{i}"), " && "), ConditionCalls::WholeProgram);
    assert_eq!(may.split('|').count(), 300, "{may}");
    // The negation of 12 cubes has 4096.
    let pair = |i: usize| format!("(c{} && c{})", 2 * i, 2 * i + 1);
    let (may, _) = at_start(&program(12, &pair, " || "), ConditionCalls::WholeProgram);
    assert_eq!(may, "true");
}
