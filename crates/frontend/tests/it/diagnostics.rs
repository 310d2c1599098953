//! What is said about broken programs, and what is left of them.

use footpath_frontend::boogie::{Options, read_with};
use footpath_ir::program::Program;
use footpath_ir::source::{SourceFile, SourceMap};

/// Reads `text`; gives the program and the diagnostics as `line:column: severity: message`.
fn read(text: &str, options: Options) -> (Program, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("a.bpl", text));
    let (program, diagnostics) = read_with(&[file], &sources, options);
    let line = |d: &footpath_ir::diagnostic::Diagnostic| {
        let place = d.span.map(|s| sources.range(s).0.to_string()).unwrap_or_default();
        format!("{place}: {}: {}", format!("{:?}", d.severity).to_lowercase(), d.message)
    };
    let lines = diagnostics.iter().map(line).collect();
    let empty = || Program::new(footpath_term::Terms::new());
    (program.unwrap_or_else(empty), lines)
}

/// Checks the diagnostics for `text`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text, Options::default()).1, expected, "{text}");
}

/// Checks which procedures are left of `text`.
#[track_caller]
fn check_left(text: &str, expected: &[&str]) {
    let (program, _) = read(text, Options::default());
    let names: Vec<&str> = program.procedures.iter().map(|p| &*p.name).collect();
    assert_eq!(names, expected, "{text}");
}

#[test]
fn messages_say_where_and_what() {
    check("axiom x;", &["1:7: error: undeclared identifier `x`"]);
    check("axiom 1 + true == 2;", &["1:9: error: the operator `+` does not apply to int and bool"]);
    check("var x: T int;", &["1:8: error: undeclared type `T`"]);
    check("type T a;\nvar x: T;", &["2:8: error: the type `T` takes 1 argument(s), but is given 0"]);
    check(
        "function f(x: int): int;\naxiom f(1, 2) == 3;",
        &["2:7: error: the function `f` takes 1 argument(s), not 2"],
    );
    check("procedure p() { goto L; }", &["1:22: error: the label `L` is undefined"]);
    check("procedure p(x: int) { x := 1; }", &["1:23: error: the in-parameter `x` cannot be changed"]);
    check(
        "var g: int;\nprocedure p() { g := 1; }",
        &["2:17: error: the global `g` is changed, but is not in the modifies clause"],
    );
    check(
        "function f(int): int;\naxiom (forall x, y: int :: {f(x)} f(x) == y);",
        &["2:28: error: this trigger does not mention the variable `y`"],
    );
    check("type T = [int]U;\ntype U = T;", &["2:10: error: the type synonym `T` stands for itself"]);
}

#[test]
fn every_error_of_a_body_is_reported() {
    let text = "procedure p() {\n  x := 1;\n  assert 3;\n  if (2) { y := 1; }\n}";
    check(
        text,
        &[
            "2:3: error: undeclared identifier `x`",
            "3:10: error: an assertion is of type bool, not int",
            "4:7: error: a guard is of type bool, not int",
            "4:12: error: undeclared identifier `y`",
        ],
    );
}

#[test]
fn a_duplicate_points_to_the_first_declaration() {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("a.bpl", "var x: int;\nvar x: bool;"));
    let (_, diagnostics) = read_with(&[file], &sources, Options::default());
    let labels: Vec<String> = diagnostics[0].labels.iter().map(|(s, _)| sources.describe(*s)).collect();
    assert_eq!(labels, ["a.bpl:1:5"]);
}

#[test]
fn what_refers_to_a_broken_declaration_goes_with_it() {
    let text = "function f(x: int): int { y }
procedure p() { assert f(1) == 1; }
procedure q() { call p(); }
procedure r() { }";
    check_left(text, &["r"]);
    check(
        text,
        &[
            "1:27: error: undeclared identifier `y`",
            "2:24: note: procedure `p` is left out, because it refers to function `f`, which has errors",
            "3:22: note: procedure `q` is left out, because it refers to procedure `p`, which has errors",
        ],
    );
}

#[test]
fn a_broken_implementation_takes_its_procedure_along() {
    check_left(
        "procedure p();\nimplementation p() { x := 1; }\nprocedure q() { call p(); }\nprocedure r();",
        &["r"],
    );
}

#[test]
fn a_syntax_error_breaks_one_declaration_and_its_users() {
    let text = "procedure p( ; { }\nprocedure q() { call p(); }\nprocedure r() { }";
    check_left(text, &["r"]);
    check(
        text,
        &[
            "1:14: error: expected an identifier, found `;`",
            "2:22: note: procedure `q` is left out, because it refers to declaration `p`, which has errors",
        ],
    );
}

#[test]
fn concurrency_and_code_expressions_are_refused_clearly() {
    let text = "procedure {:yields} p() { yield; }\nprocedure q() { assert |{ A: return true; }|; }\nprocedure r() { }";
    check_left(text, &["r"]);
    check(
        text,
        &[
            "1:27: error: concurrency construct `yield` is not supported",
            "2:24: error: a code expression is not supported",
        ],
    );
    check_left("yield procedure {:layer 1} p();\nrefines A;\n{ call q(); }\nprocedure q() { }", &["q"]);
    check_left(
        "atomic action {:layer 1} A()\nmodifies g;\n{ g := 1; }\nvar g: int;\nprocedure q() { }",
        &["q"],
    );
}

#[test]
fn an_open_type_parameter_is_a_warning() {
    check(
        "type S a; function e<a>(): S a; function n<a>(S a): int;\naxiom n(e()) == 0;",
        &["2:9: warning: nothing determines the type parameter `a`; it is taken to be int"],
    );
}

#[test]
fn what_nothing_determines_gets_the_most_general_type_of_its_shape() {
    check(
        "const m: <a>[]a; const v: bv12;\naxiom m[][1 := true] == m[];\naxiom m[] ++ v == m[] ++ m[];",
        &[
            "2:7: warning: nothing determines the type parameter `parameter of the map`; it is taken to be <t0, t1>[t0]t1",
            "3:7: warning: nothing determines the type parameter `parameter of the map`; it is taken to be bv0",
            "3:19: warning: nothing determines the type parameter `parameter of the map`; it is taken to be bv12",
            "3:26: warning: nothing determines the type parameter `parameter of the map`; it is taken to be bv0",
        ],
    );
}

#[test]
fn widths_that_cannot_fit_are_an_error() {
    check(
        "const m: <a>[]a;\naxiom (var x := m[]; x ++ 0bv4 == m[] ++ 0bv6 && x ++ 0bv4 == 0bv9 && x == 0bv4);",
        &["2:73: error: the operator `==` does not apply to bv5 and bv4"],
    );
}

#[test]
fn datatypes_without_a_value_are_refused() {
    check(
        "datatype A { A(next: A) }\ndatatype B { B(c: [int]C), N(b: B) }\ndatatype C { C(b: B) }\ndatatype D { D(o: O D), E(d: D) }\ndatatype O<T> { None(), Some(t: T) }\nconst d: D; const a: A;",
        &[
            "1:10: error: the datatype `A` is not well-founded: every constructor needs a value that was made before",
            "2:10: error: the datatype `B` is not well-founded: every constructor needs a value that was made before",
            "3:10: error: the datatype `C` is not well-founded: every constructor needs a value that was made before",
            "6:22: note: constant `a` is left out, because it refers to datatype `A`, which has errors",
        ],
    );
}

#[test]
fn fields_of_one_name_have_one_type() {
    check(
        "datatype P<X, Y> { L(i: X, j: Y), R(j: Y, i: X) }\ndatatype Q<X, Y> { M(k: X), W(k: Y) }",
        &["2:31: error: the field `k` has another type in the constructor `M`"],
    );
}

#[test]
fn pure_procedures_know_no_globals() {
    let text = "var g: int; procedure q();\npure procedure a() requires g > 0; modifies g; ensures g < 0; { g := 1; call q(); call a(); }\npure procedure b(x: int) returns (y: int) requires x > 0; ensures y > x; { call y := c(x); }\npure procedure c(x: int) returns (y: int);\nimplementation c(x: int) returns (y: int) { y := g; }\nprocedure d() returns (y: int) { call y := b(g); }";
    check(
        text,
        &[
            "2:45: error: a pure procedure changes no globals, so it has no modifies clause",
            "5:50: error: the global variable `g` cannot be referred to here",
            "5:16: note: procedure `c` is left out, because it refers to implementation `c`, which has errors",
            "3:86: note: procedure `b` is left out, because it refers to procedure `c`, which has errors",
            "6:44: note: procedure `d` is left out, because it refers to procedure `b`, which has errors",
        ],
    );
    check(
        "var g: int; procedure q();\npure procedure a() requires g > 0; ensures g < 0; { }\npure procedure b() { g := 1; call q(); call b(); }",
        &[
            "2:29: error: the global variable `g` cannot be referred to here",
            "2:44: error: the global variable `g` cannot be referred to here",
            "3:22: error: the global variable `g` cannot be changed here",
            "3:35: error: a pure procedure can call only pure procedures, which `q` is not",
        ],
    );
    check_left("pure action a() { }\npure procedure b() { }", &["b"]);
}

#[test]
fn an_unclosed_comment_is_a_warning() {
    check(
        "var x: int; /* var y",
        &["1:13: warning: this comment is never closed, and hides the rest of the file"],
    );
}

#[test]
fn modifies_clauses_can_be_inferred() {
    let text = "var g, h: int; procedure p() { call q(); } procedure q() { g := 1; call p(); } procedure r() { call s(); } procedure s(); modifies h;";
    let (program, messages) = read(text, Options { infer_modifies: true, ..Options::default() });
    assert_eq!(messages, Vec::<String>::new());
    let modified = |name: &str| {
        let id = program.procedure_named(name).expect("the procedure is there");
        let names = program[id].modifies.iter().map(|&g| &*program.terms.symbol(g).name);
        names.collect::<Vec<_>>()
    };
    assert_eq!(modified("p"), ["g"]);
    assert_eq!(modified("q"), ["g"]);
    assert_eq!(modified("r"), ["h"]);
}

#[test]
fn several_files_are_one_program() {
    let mut sources = SourceMap::new();
    let a = sources.add(SourceFile::new("a.bpl", "procedure p() { call q(x); }"));
    let b = sources.add(SourceFile::new("b.bpl", "const x: int; procedure q(y: int) { }"));
    let (program, diagnostics) = read_with(&[a, b], &sources, Options::default());
    assert!(diagnostics.is_empty());
    assert_eq!(program.map(|p| p.procedures.len()), Some(2));
}
