//! Constructs that printing and reading must agree on, each in a small program. The corpus is tested in
//! `footpath-testkit`.

use footpath_frontend::boogie;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{Program, StatementKind, print, validate};

fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("a.bpl", text));
    let (program, diagnostics) = boogie::read(&[file], &sources);
    assert!(
        !diagnostics.iter().any(footpath_ir::diagnostic::Diagnostic::is_error),
        "{text}\n{diagnostics:?}"
    );
    let program = program.expect("a program");
    assert_eq!(validate(&program), [], "{text}");
    program
}

/// Prints a program, demands that it says `words`, and that reading and printing it again changes nothing.
#[track_caller]
fn check(text: &str, words: &[&str]) -> Program {
    let printed = print(&read(text));
    for word in words {
        assert!(printed.contains(word), "`{word}` is missing in\n{printed}");
    }
    let again = read(&printed);
    assert_eq!(print(&again), printed);
    again
}

#[test]
fn attributes_mention_parameters_by_their_names() {
    check(
        "function {:about x} f(x: int): int;\n\
         procedure {:induction x, y} P(x: int) returns (y: int);\n\
         implementation {:induction a} P(a: int) returns (b: int) { b := a; }\n",
        &["{:about x} f(x: int)", "{:induction x, y} P(x: int)", "{:induction a} P(a: int)"],
    );
}

#[test]
fn a_polymorphic_builtin_is_used_as_declared_and_declared_once() {
    let text = "function {:builtin \"MapConst\"} MapConst<U, V>(v: V): [U]V;\n\
        procedure P() returns (m: [int]bool, k: [bool][int]int) {\n\
          m := MapConst(false);\n  k := MapConst(MapConst(7));\n}\n";
    let program = check(text, &["m := (MapConst(false) : [int]bool);"]);
    assert_eq!(program.functions.len(), 1);
}

#[test]
fn stars_in_calls_come_back_as_stars() {
    let text = "procedure Q(a: int, b: bool) returns (r: int, s: int);\n\
        procedure P() returns (x: int) {\n\
          var {:star} star: int;\n  var {:star} star#1: int;\n  havoc star;\n\
          call star#1, x := Q(star, true);\n}\n";
    let program = check(text, &["havoc star;\n    call star#1, x := Q(star, true);"]);
    let StatementKind::Call { args, results, .. } =
        &program.procedures[1].bodies[0].blocks[0].statements[0].kind
    else {
        panic!("not a call: {program:?}");
    };
    assert_eq!(args.iter().map(Option::is_none).collect::<Vec<_>>(), [true, false]);
    assert_eq!(results.iter().map(Option::is_none).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_variable_that_only_looks_like_a_star_stays_one() {
    for body in [
        "havoc s; call Q(s); assert s > 0;",
        "havoc s; assume true; call Q(s);",
        "call Q(s);",
        "s := 3; call Q(s);",
        "havoc s; call Q(s); havoc s; call Q(s);",
        "havoc s; call Q(s + 1);",
        "havoc s; call Q(s); havoc s;",
    ] {
        let text = format!("procedure Q(a: int);\nprocedure P() {{ var {{:star}} s: int; {body} }}\n");
        let program = check(&text, &["var {:star} s: int;"]);
        assert_eq!(program.procedures[1].bodies[0].locals.len(), 1, "{body}");
    }
}

#[test]
fn what_an_analysis_proved_and_assumed_comes_back() {
    let program = check(
        "var {:assumption} whole: bool;\n\
         procedure P(x: int) returns (r: int) {\n  var {:assumption} a: bool;\n  var b: bool;\n  \
           a := a && x < 9;\n  assume {:tryfirst !a || b} true;\n  assume {:tryfirst x} true;\n  \
           assert {:kind \"overflow\"} {:verified a && whole} {:note} x < 10;\n  \
           assert {:verified \"by hand\"} x < 11;\n  \
           while (r < x) invariant {:verified a} r <= x; { r := r + 1; }\n}\n",
        &[
            "var {:assumption} whole: bool;",
            "var {:assumption} a: bool;",
            "assume {:tryfirst !a || b} true;",
            "assume {:tryfirst x} true;",
            "assert {:kind \"overflow\"} {:verified a && whole} {:note} x < 10;",
            "assert {:verified \"by hand\"} x < 11;",
            "assert {:kind \"loop_invariant\"} {:verified a} r <= x;",
        ],
    );
    let body = &program.procedures[0].bodies[0];
    assert_eq!(program.assumptions(body, true).count(), 2);
    assert_eq!(program.assumptions(body, false).collect::<Vec<_>>(), [body.locals[0].symbol]);
    let statements = body.blocks.iter().flat_map(|b| &b.statements);
    let premises =
        statements.clone().filter(|s| matches!(s.kind, StatementKind::Assert { premise: Some(_), .. }));
    assert_eq!(premises.count(), 2);
    assert_eq!(statements.filter(|s| matches!(s.kind, StatementKind::TryFirst(_))).count(), 1);
}

#[test]
fn the_ends_of_blocks_that_passes_make_are_statements_in_other_programs() {
    let program = check(
        "procedure P(x: int) { if (x > 0) { assert {:fail} false; return; } assume {:cut} false; return; }\n",
        &["assert {:fail} false;\n    return;", "assume {:cut} false;\n    return;"],
    );
    let statements = program.procedures[0].bodies[0].blocks.iter().map(|b| b.statements.len()).sum::<usize>();
    assert_eq!(statements, 2);
}
