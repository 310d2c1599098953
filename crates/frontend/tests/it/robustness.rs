//! Nothing that can be read makes the reader panic: not noise, not programs with pieces exchanged, not
//! absurd sizes.

use footpath_frontend::boogie;
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::program::Program;
use footpath_ir::source::{SourceFile, SourceMap};
use proptest::prelude::*;

/// Reads `text`, and checks what holds of every result.
fn read(text: &str) -> (Option<Program>, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("input.bpl", text));
    let (program, diagnostics) = boogie::read(&[file], &sources);
    for diagnostic in &diagnostics {
        let span = diagnostic.span.expect("every diagnostic has a place");
        assert!(span.end as usize <= text.len(), "{} lies outside", diagnostic.message);
    }
    if let Some(program) = &program {
        let violations = footpath_ir::validate(program);
        assert!(violations.is_empty(), "{text}\n{violations:?}");
    }
    (program, diagnostics)
}

/// Checks that `text` is refused with a message that contains `expected`.
#[track_caller]
fn check_refused(text: &str, expected: &str) {
    let (_, diagnostics) = read(text);
    let found: Vec<&str> = diagnostics.iter().map(|d| &*d.message).collect();
    assert!(found.iter().any(|m| m.contains(expected)), "{found:?}");
}

/// Checks that `text` is read without an error.
#[track_caller]
fn check_read(text: &str) {
    let (program, diagnostics) = read(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert!(program.is_some());
}

const TOKENS: &[&str] = &[
    "type",
    "const",
    "function",
    "axiom",
    "var",
    "procedure",
    "implementation",
    "returns",
    "requires",
    "ensures",
    "modifies",
    "free",
    "where",
    "unique",
    "extends",
    "complete",
    "if",
    "then",
    "else",
    "while",
    "invariant",
    "break",
    "goto",
    "return",
    "assert",
    "assume",
    "havoc",
    "call",
    "async",
    "par",
    "yield",
    "forall",
    "exists",
    "lambda",
    "old",
    "true",
    "false",
    "int",
    "real",
    "bool",
    "bv8",
    "float24e8",
    "rmode",
    "div",
    "mod",
    "datatype",
    "pure",
    "is",
    "uses",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    ":=",
    "::",
    "=",
    "==",
    "!=",
    "<=",
    ">=",
    "<:",
    "&&",
    "||",
    "!",
    "==>",
    "<==",
    "<==>",
    "+",
    "-",
    "*",
    "/",
    "**",
    "++",
    "|{",
    "}|",
    "|",
    "->",
    "{:inline}",
    "{:a 1, \"s\"}",
    "x",
    "y",
    "f",
    "T",
    "p",
    "a",
    "L:",
    "3",
    "4bv8",
    "1.5",
    "0x1.0e0f24e8",
    "RNE",
    "\"s\"",
    "#if",
    "\n",
    "/*",
    "*/",
    "//",
    "\0",
    "é",
    "∀",
];

const PROGRAM: &str = "type T; type C a; type S a = [a]C a;
const unique k: T; const j: int extends; var g: int where g > 0; var m: <a>[C a]a;
function f<a>(x: a, s: S a): a; function {:inline} h(x: int): int { if x > 0 then x else -x }
axiom (forall<a> x: a, s: S a :: {f(x, s)} f(x, s) == x);
procedure p(x: int, b: bv8) returns (y: int) requires x > 0; modifies g, m; ensures y == old(g);
{ var i: int; var c: C int; L: i := 0; while (i < x) invariant i <= x; { i := i + 1; if (*) { break; } }
  m[c] := i; call y := p(h(i), b[8:4] ++ 3bv4); goto L, M; M: assert (exists z: int :: z == y); havoc g; }
implementation p(u: int, v: bv8) returns (w: int) { w := u; return; }
datatype D<a> { N(), K(head: a, tail: D a) } procedure q(d: D int) { if (d is K) { assert d->head == h(1); } }";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn noise_is_read(text in "\\PC{0,200}") {
        read(&text);
    }

    #[test]
    fn token_soup_is_read(picks in prop::collection::vec(0..TOKENS.len(), 0..80)) {
        let words: Vec<&str> = picks.into_iter().map(|i| TOKENS[i]).collect();
        read(&words.join(" "));
    }

    #[test]
    fn damaged_programs_are_read(edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, 0..TOKENS.len()), 1..6)) {
        let mut words: Vec<&str> = PROGRAM.split_inclusive([' ', '\n', '(', ')', '[', ']', ';', ':', ',']).collect();
        for (place, edit, token) in edits {
            let at = place.index(words.len());
            match edit {
                0 => { words.remove(at); }
                1 => words.insert(at, TOKENS[token]),
                2 => words[at] = TOKENS[token],
                _ => { let word = words[at]; words.insert(at, word); }
            }
            if words.is_empty() { break; }
        }
        read(&words.concat());
    }
}

#[test]
fn the_undamaged_program_is_read() {
    check_read(PROGRAM);
}

#[test]
fn absurd_nesting_is_refused() {
    let nest = |open: &str, middle: &str, close: &str, n: usize| open.repeat(n) + middle + &close.repeat(n);
    for n in [1_100, 100_000] {
        check_refused(&format!("axiom {};", nest("(", "true", ")", n)), "nested too deeply");
        check_refused(&format!("axiom {};", nest("!", "true", "", n)), "nested too deeply");
        check_refused(&format!("axiom {};", nest("true ==> ", "true", "", n)), "nested too deeply");
        check_refused(&format!("axiom {} == 0.0;", nest("2.0 ** ", "1.0", "", n)), "nested too deeply");
        check_refused(
            &format!("axiom {};", nest("if true then ", "true", " else true", n)),
            "nested too deeply",
        );
        check_refused(&format!("axiom {};", nest("(forall x: int :: ", "true", ")", n)), "nested too deeply");
        check_refused(&format!("var x: {};", nest("[int]", "int", "", n)), "nested too deeply");
        check_refused(&format!("var x: {};", nest("(", "int", ")", n)), "nested too deeply");
        check_refused(
            &format!("procedure p() {{ {} }}", nest("while (*) {", "", "}", n)),
            "nested too deeply",
        );
        check_refused(
            &format!("axiom {{:a {} true;", nest("(forall x: int :: {:a ", "1", "} true)", n)),
            "nested too deeply",
        );
    }
}

#[test]
fn deep_nesting_below_the_limit_is_read() {
    let nest = |open: &str, middle: &str, close: &str, n: usize| open.repeat(n) + middle + &close.repeat(n);
    check_read(&format!("axiom {};", nest("(!", "true", ")", 450)));
    check_read(&format!("axiom {};", nest("(true && ", "true", ")", 900)));
    check_read(&format!("axiom {} == 1;", nest("(if true then 0 else ", "1", ")", 450)));
    check_read(&format!("procedure p() {{ {} }}", nest("while (*) { if (*) {", "", "}}", 450)));
    check_read(&format!("var x: {};", nest("[int]", "int", "", 900)));
    let mut binders = String::new();
    for i in 0..450 {
        binders += &format!("(forall x{i}: int :: x{i} == 0 && ");
    }
    check_read(&format!("axiom {binders} true{};", ")".repeat(450)));
}

#[test]
fn long_programs_are_read() {
    let n = 100_000;
    check_read(&format!("axiom 0{} == 1;", " + 1".repeat(n)));
    check_read(&format!("axiom 0{} == 1;", " - 1".repeat(n)));
    check_read(&format!("axiom true{};", " && true".repeat(n)));
    check_read(&format!("axiom true{};", " <== true".repeat(n)));
    check_read(&format!("axiom true{};", " <==> true".repeat(n)));
    check_read(&format!("const m: [int]int; axiom m{} == m;", "[1 := 2]".repeat(n / 10)));
    check_read(&format!("procedure p() {{ if (*) {{ }}{} }}", " else if (*) { }".repeat(n / 10)));
    check_read(&format!(
        "procedure p() {{ var x: int; {} }}",
        "x := x + 1; L: assert x > 0;".replace("L:", "").repeat(n / 10)
    ));
}

#[test]
fn exploding_types_are_refused() {
    let mut text = String::from("type P a b; type T0 = int;");
    for i in 1..60 {
        text += &format!("type T{i} = P T{} T{};", i - 1, i - 1);
    }
    check_refused(&(text + "var x: T59;"), "too large");
    let mut text = String::from("type T0 = int;");
    for i in (1..5000).rev() {
        text += &format!("type T{i} = T{};", i - 1);
    }
    check_refused(&(text + "var x: T4999;"), "nested too deeply");
}

#[test]
fn binary_files_are_refused() {
    check_refused("\0\u{1}\u{2}ELF", "NUL");
    check_refused("\u{fffd}\u{fffd}", "UTF-8");
    check_refused("axiom \u{7} true;", "control character");
    assert!(read("").0.is_some());
}
