//! What Boogie's statements and expressions become in the program form, seen through its printer.

use footpath_frontend::boogie;
use footpath_ir::source::{SourceFile, SourceMap};

/// Checks the printed body of the first procedure of `text`, with one space for any white space.
#[track_caller]
fn check(text: &str, expected: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("a.bpl", text));
    let (program, diagnostics) = boogie::read(&[file], &sources);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let printed = footpath_ir::print(&program.expect("a program"));
    let body = &printed[printed.find("procedure").expect("a procedure")..];
    let body = &body[body.find("\n{").expect("a body") + 2..body.rfind('}').expect("an end")];
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(body), words(expected), "{text}");
}

#[test]
fn straight_code_is_one_block() {
    check(
        "procedure p() { var x: int; x := 1; assert x > 0; havoc x; }",
        "var x: int; entry0: x := 1; assert x > 0; havoc x; return;",
    );
}

#[test]
fn if_branches_and_meets_again() {
    check(
        "procedure p(b: bool) { var x: int; if (b) { x := 1; } else if (*) { x := 2; } x := 3; }",
        "var x: int;
         entry0: if (b) { goto then1; } else { goto else2; }
         then1: x := 1; goto after3;
         else2: goto then4, after3;
         then4: x := 2; goto after3;
         after3: x := 3; return;",
    );
}

#[test]
fn a_loop_checks_its_invariants_at_its_head() {
    check(
        "procedure p() { var i: int; i := 0; while (i < 3) invariant i >= 0; free invariant i < 9; { i := i + 1; } }",
        "var i: int;
         entry0: i := 0; goto loop1;
         loop1: assert {:kind \"loop_invariant\"} i >= 0; assume i < 9; if (i < 3) { goto body2; } else { goto after3; }
         body2: i := i + 1; goto loop1;
         after3: return;",
    );
}

#[test]
fn break_leaves_the_loop_it_names() {
    check(
        "procedure p() { L: while (*) { while (true) { if (*) { break; } break L; } } }",
        "L: goto loop1;
         loop1: goto body2, after3;
         body2: goto loop4;
         loop4: if (true) { goto body5; } else { goto after6; }
         body5: goto then7, after8;
         then7: goto after6;
         after8: goto after3;
         after6: goto loop1;
         after3: return;",
    );
}

#[test]
fn a_goto_alone_in_an_arm_is_the_edge_itself() {
    check(
        "procedure p(b: bool) { A: if (b) { goto B; } else { goto C; } B: return; C: goto B; }",
        "A: if (b) { goto B; } else { goto C; } B: return; C: goto B;",
    );
}

#[test]
fn nothing_leads_back_to_the_entry() {
    check("procedure p() { A: goto A; }", "entry1: goto A; A: goto A;");
}

#[test]
fn dead_code_is_kept() {
    check("procedure p() { return; assert false; }", "entry0: return; dead1: assert false; return;");
}

#[test]
fn assignments_to_parts_are_updates() {
    check(
        "procedure p() { var m: [int][int]int; m[1][2] := 3; }",
        "var m: [int][int]int; entry0: m[1][2] := 3; return;",
    );
}

#[test]
fn old_reaches_globals_only() {
    check(
        "var g: int; procedure p() { var x: int; assert old(g + x) == g; }",
        "var x: int; entry0: assert old(g) + x == g; return;",
    );
}

#[test]
fn integers_are_divided_as_reals() {
    check("procedure p(x: int) { assert x / 2 == 0.5; }", "entry0: assert real(x) / real(2) == 0.5; return;");
}

#[test]
fn let_is_substituted() {
    check(
        "procedure p(x: int) { assert (var y := x + 1; y * y) > 0; }",
        "entry0: assert (x + 1) * (x + 1) > 0; return;",
    );
}

#[test]
fn fields_of_datatypes_are_selectors() {
    check(
        "datatype L { Nil(), Cons(head: int, tail: L) }
         procedure p(x: L) returns (y: L) { y := x->(head := 1); assert y is Cons && y->head == 1; }",
        "entry0: y := Cons(1, tail#Cons(x)); assert is#Cons(y) && head#Cons(y) == 1; return;",
    );
}

#[test]
fn values_of_types_that_an_instantiation_makes_equal_are_compared() {
    check(
        "type F _; procedure p<a>(x: a, f: F a, g: F int) { assert x == true || 3 != x; assert f == g; }",
        "entry0: assert x == true || 3 != x; assert f == g; return;",
    );
}
