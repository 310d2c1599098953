//! What is proved of small programs.

use super::common::{proofs, read};
use footpath_absint::{Calls, Effort, Proof, analyse, never_entered};

/// Asserts what is found out about each check, in order: `v` holds, `u` is not reached, `f` fails, `?` open.
#[track_caller]
fn check(text: &str, expected: &str) {
    let found: String = proofs(text, "P", Calls::Contracts).into_iter().map(letter).collect();
    assert_eq!(found, expected, "{text}");
}

fn letter(proof: Proof) -> char {
    match proof {
        Proof::Holds => 'v',
        Proof::Unreached => 'u',
        Proof::Fails => 'f',
        Proof::Open => '?',
    }
}

const BV: &str = "function {:bvbuiltin \"bvadd\"} add(bv32, bv32): bv32;\n\
    function {:bvbuiltin \"bvsub\"} sub(bv32, bv32): bv32;\n\
    function {:bvbuiltin \"bvmul\"} mul(bv32, bv32): bv32;\n\
    function {:bvbuiltin \"bvurem\"} rem(bv32, bv32): bv32;\n\
    function {:bvbuiltin \"bvand\"} and(bv32, bv32): bv32;\n\
    function {:bvbuiltin \"bvxor\"} xor(bv32, bv32): bv32;\n\
    function {:bvbuiltin \"bvnot\"} not(bv32): bv32;\n\
    function {:bvbuiltin \"bvslt\"} slt(bv32, bv32): bool;\n\
    function {:bvbuiltin \"bvult\"} ult(bv32, bv32): bool;\n\
    function {:bvbuiltin \"bvule\"} ule(bv32, bv32): bool;\n\
    function {:bvbuiltin \"sign_extend 32\"} sx(bv32): bv64;\n\
    function {:bvbuiltin \"bvmul\"} mul64(bv64, bv64): bv64;\n\
    function {:bvbuiltin \"bvsub\"} sub64(bv64, bv64): bv64;\n\
    function {:bvbuiltin \"bvadd\"} add64(bv64, bv64): bv64;\n\
    function {:bvbuiltin \"bvudiv\"} div64(bv64, bv64): bv64;\n\
    function {:bvbuiltin \"bvult\"} ult64(bv64, bv64): bool;\n\
    function {:bvbuiltin \"bvule\"} ule64(bv64, bv64): bool;\n";

#[test]
fn an_index_stays_below_the_length_that_bounds_the_loop() {
    check(
        "procedure P(n: int) { var i: int; i := 0; while (i < n) { assert 0 <= i && i < n; i := i + 1; } \
         assert i >= n; assert i == n; }",
        "vv?",
    );
    check(
        "procedure P(n: int) requires n >= 0; { var i: int; i := 0; \
         while (i != n) { assert i < n; i := i + 1; } assert i == n; }",
        "vv",
    );
}

#[test]
fn loops_count_down_and_within_each_other() {
    check(
        "procedure P(n: int) { var i, j: int; i := 0; while (i < n) { j := i; \
         while (j > 0) { assert j <= i; assert j < n; j := j - 1; } i := i + 1; } }",
        "vv",
    );
    check(
        "procedure P(n: int) { var i: int; i := n; while (i > 0) { i := i - 1; assert i >= 0 && i < n; } }",
        "v",
    );
}

#[test]
fn what_only_ranges_say_at_first_is_seen_to_hold_in_all_rounds() {
    check(
        "procedure P(n: int) { var i, j: int; i := 1; while (i < n) { j := i; \
         while (j > 0) { assert j <= i; assert j < n; j := j - 1; } assert i < n; assert j == 0; i := i + 1; } }",
        "vvvv",
    );
}

#[test]
fn the_middle_of_an_interval_is_an_index() {
    let halves = "m := add64(l, div64(sub64(h, l), 2bv64));";
    let fits = "ule64(4bv64, s) && ule64(mul64(m, 4bv64), sub64(s, 4bv64))";
    check(
        &format!(
            "{BV}procedure P(n: bv64, s: bv64) requires ule64(n, 4611686018427387903bv64) && ule64(mul64(n, 4bv64), s); {{\n\
             var l, h, m: bv64; l := 0bv64; h := n; while (ult64(l, h)) {{ {halves} assert {fits};\n\
             if (*) {{ l := add64(m, 1bv64); }} else {{ h := m; }} }} }}"
        ),
        "v",
    );
}

#[test]
fn multiples_of_four_below_a_multiple_of_four_leave_room_for_four() {
    let walk = |step: u32| {
        format!(
            "procedure P(n: int) requires n >= 0; {{ var p: int; p := 0; while (p < 4 * n) {{ assert p + 4 <= 4 * n; p := p + {step}; }} \
             assert p == 4 * n; }}"
        )
    };
    check(&walk(4), "vv");
    check(&walk(2), "??");
}

#[test]
fn steps_of_four_never_meet_fifteen() {
    check("procedure P(n: int) { var i: int; i := 0; while (i < n) { i := i + 4; } assert i != 15; }", "v");
}

#[test]
fn two_counters_keep_their_distance() {
    check(
        "procedure P(n: int) { var i, j: int; i := 0; j := 3; while (i < n) { i := i + 1; j := j + 1; } \
         assert j - i == 3; assert j == 3; }",
        "v?",
    );
}

#[test]
fn what_grows_by_steps_lies_on_a_line() {
    check(
        "procedure P(n: int) { var i, s, d: int; i := 0; s := 5; d := 20; \
         while (i < n) { assert s == 5 + 3 * i; i := i + 1; s := s + 3; d := d - 2; } \
         assert s == 5 + 3 * i; assert 2 * s + 3 * d == 70; assert s == 5; }",
        "vvv?",
    );
}

#[test]
fn a_check_that_always_fails_is_told_from_one_that_may() {
    check("procedure P(x: int) { var y: int; y := 3; assert y == 4; assert x == 1; }", "fu");
    check("procedure P(x: int) { if (x > 0) { assert x >= 1; } else { assert x > 0; } }", "vf");
}

#[test]
fn a_buffer_of_symbolic_length_is_not_left_in_machine_arithmetic() {
    let size = "var size: [bv32]bv64;\n";
    check(
        &format!(
            "{BV}{size}procedure P(a: bv32, n: bv32) requires slt(0bv32, n) && slt(n, 1000bv32); modifies size; {{\n\
             var i: bv32; size[a] := mul64(sx(n), 4bv64); i := 0bv32;\n\
             while (slt(i, n)) {{ assert ule64(4bv64, size[a]) && ule64(mul64(sx(i), 4bv64), sub64(size[a], 4bv64));\n\
             i := add(i, 1bv32); }} }}"
        ),
        "v",
    );
}

#[test]
fn wrapping_is_not_overlooked() {
    check(&format!("{BV}procedure P(x: bv32) {{ assert ult(x, add(x, 1bv32)); }}"), "?");
    check(
        &format!("{BV}procedure P(x: bv32) requires ult(x, 10bv32); {{ assert ult(x, add(x, 1bv32)); }}"),
        "v",
    );
    check(&format!("{BV}procedure P(x: bv32) {{ assert ult(rem(x, 10bv32), 10bv32); }}"), "v");
    check(&format!("{BV}procedure P(x: bv32) {{ assert slt(x, 10bv32) ==> ult(x, 10bv32); }}"), "?");
}

#[test]
fn what_is_odd_stays_odd_however_often_it_wraps_around() {
    let round = "havoc x; y := add(y, mul(2bv32, x));";
    let text = |start| {
        format!(
            "{BV}procedure P() {{ var x, y: bv32; y := {start}; while (*) {{ {round} assert y != 0bv32; }} }}"
        )
    };
    check(&text("1bv32"), "v");
    check(&text("2bv32"), "?");
    check(&format!("{BV}procedure P(x: bv32) {{ assert mul(x, 3bv32) != 1bv32; }}"), "?");
}

#[test]
fn a_check_for_signed_overflow_over_sign_bits_is_understood() {
    let sum = "and(xor(i, add(i, 1bv32)), xor(add(i, 1bv32), 1bv32))";
    check(
        &format!(
            "{BV}procedure P(n: bv32) {{ var i: bv32; i := 0bv32; while (slt(i, n)) {{ assert !slt({sum}, 0bv32);\n\
             i := add(i, 1bv32); }} }}"
        ),
        "v",
    );
    check(
        &format!("{BV}procedure P(i: bv32) {{ assert !slt({sum}, 0bv32); assert slt(i, add(i, 1bv32)); }}"),
        "?v",
    );
}

#[test]
fn a_check_for_overflow_of_a_number_less_one_has_a_complement_for_the_sign() {
    let less = "add(i, 4294967295bv32)";
    let less_one = format!("and(xor(i, {less}), not({less}))");
    check(
        &format!("{BV}procedure P(i: bv32) requires !slt({less_one}, 0bv32); {{ assert slt({less}, i); }}"),
        "v",
    );
    check(
        &format!("{BV}procedure P(i: bv32) {{ assert !slt({less_one}, 0bv32); assert slt({less}, i); }}"),
        "?v",
    );
    check(
        &format!(
            "{BV}procedure P(i: bv32) requires slt({less_one}, 0bv32); {{ assert i == 2147483648bv32; }}"
        ),
        "v",
    );
}

#[test]
fn a_difference_that_does_not_overflow_is_known_by_its_operands() {
    let less = "add(i, 4294967291bv32)";
    let less_five = format!("and(xor(i, {less}), xor(i, 5bv32))");
    check(
        &format!("{BV}procedure P(i: bv32) {{ assert !slt({less_five}, 0bv32); assert slt({less}, i); }}"),
        "?v",
    );
    let between = "and(xor(i, sub(i, j)), xor(i, j))";
    check(
        &format!(
            "{BV}procedure P(i: bv32, j: bv32) requires slt(0bv32, j) && !slt({between}, 0bv32); {{ assert slt(sub(i, j), i); }}"
        ),
        "v",
    );
}

#[test]
fn a_choice_is_remembered_until_it_is_asked_for() {
    check(
        "procedure P(ok: bool, x: int) { var p: int; if (ok) { p := 7; } else { p := 0; } \
         if (p != 0) { assert ok; assert p == 7; } }",
        "vv",
    );
}

#[test]
fn other_elements_of_a_map_are_kept() {
    check(
        "var m: [int]int; procedure P(i: int) modifies m; { m[i] := 1; m[i + 1] := 2; assert m[i] == 1; \
         assert m[i + 1] == 2; m[0] := 5; assert m[i] == 1 || m[i] == 5; assert m[0] == 5; }",
        "vv?v",
    );
}

#[test]
fn calls_do_what_their_contracts_say() {
    check(
        "var g: int; procedure Q(x: int) returns (y: int); requires x > 0; modifies g; ensures y == x + 1; \
         ensures g >= old(g); procedure P(x: int) modifies g; { var y: int; g := 5; \
         call y := Q(3); assert y == 4; assert g >= 5; call y := Q(x); assert y == x + 1; }",
        "vvv?v",
    );
}

#[test]
fn a_body_says_more_than_a_contract_where_it_is_followed() {
    let text = "procedure Q(x: int) returns (y: int) { y := x + 1; } \
                procedure P(x: int) { var y: int; call y := Q(x); assert y > x; }";
    check(text, "?");
    assert_eq!(proofs(text, "P", Calls::Bodies(500)), [Proof::Holds]);
}

#[test]
fn postconditions_are_checks_and_old_values_are_known() {
    check(
        "var g: int; procedure P(x: int) modifies g; requires x > 0; ensures g > old(g); { g := g + x; }",
        "v",
    );
}

#[test]
fn variables_that_nobody_reads_again_take_no_room() {
    let mut text = String::from("procedure P(n: int, a: [int]int) requires n >= 0; { var i: int;");
    for k in 0..100 {
        text.push_str(&format!("var t{k}, h{k}: int;"));
    }
    for k in 0..100 {
        text.push_str(&format!(
            "goto L{k}; L{k}: h{k} := a[{k}]; t{k} := h{k} + n; assume t{k} < h{k} + a[0]; "
        ));
    }
    text.push_str("i := 0; while (i < n) { assert i < n; i := i + 1; } assert i == n; }");
    check(&text, "vv");
}

#[test]
fn what_follows_from_a_dead_variable_stays() {
    check(
        "procedure P(n: int, m: int) { var t: int; t := n; assume t < m; t := 0; \
         if (t == 0) { assert n < m; } }",
        "v",
    );
}

/// A place that no followed call enters is entered by one from a body that was left out.
#[test]
fn nothing_is_dead_that_a_body_which_is_too_large_may_enter() {
    let mut text = "procedure Small(n: int) returns (r: int) { r := 0; if (n > 5) { r := 1; } }\n\
        procedure Large(n: int) returns (r: int) {\n"
        .to_owned();
    text.push_str(&"if (n > 7) { r := 2; }\n".repeat(30));
    text.push_str(
        "call r := Small(9); }\n\
        procedure P() returns (r: int) { call r := Small(1); assert r == 0; call r := Large(3); }\n",
    );
    let program = read(&text);
    let [small, large, p] =
        ["Small", "Large", "P"].map(|name| program.procedure_named(name).expect("it is there"));
    // The body of `Large` does not fit in, that of `Small` does.
    for (blocks, follows) in [(30, true), (2, false)] {
        let found = analyse(&program, p, 0, Calls::Bodies(blocks), &[], &[], Effort::default());
        assert_eq!(found.checks[0].proof == Proof::Holds, follows, "{blocks}");
        let dead = never_entered(&program, p, blocks, Effort::default()).expect("it does not give up");
        assert!(!dead.iter().any(|at| [small, large].contains(&at.procedure)), "{blocks}: {dead:?}");
    }
    let dead = never_entered(&program, p, 400, Effort::default()).expect("it does not give up");
    assert!(dead.iter().any(|at| at.procedure == large), "{dead:?}");
}

/// At the head of a loop a pointer may be null or lead to something that lives: both together say nothing.
#[test]
fn a_pointer_through_a_list_is_null_or_valid() {
    let text = |last: &str| {
        format!(
            "procedure P(l: bv8, lives: [bv8]bool) {{ var p: bv8; var n: [bv8]bv8;
             p := l; assume p == 0bv8 || lives[p];
             while (p != 0bv8) {{ assert lives[p]; p := n[p]; assume p == {last} || lives[p]; }}
             assert p == 0bv8; }}"
        )
    };
    check(&text("0bv8"), "vv");
    check(&text("1bv8"), "?v");
}

#[test]
fn a_bit_vector_that_is_not_zero_is_so_in_both_readings() {
    check("procedure P(p: bv8) { assume p != 0bv8; if (*) { assume p != 200bv8; } assert p != 0bv8; }", "v");
}

#[test]
fn a_walk_through_a_text_stops_where_it_ends() {
    // The byte at the end is zero, so one that is not is before it.
    check(
        "procedure P(text: [int]bv8, end: int) requires 0 <= end && text[end] == 0bv8; { var i: int; i := 0; \
         while (text[i] != 0bv8) { assert i < end; i := i + 1; } assert i <= end; assert i == end; }",
        "vv?",
    );
    check(
        "procedure P(text: [int]bv8, end: int) requires 0 <= end; { var i: int; i := 0; \
         while (text[i] != 0bv8) { assert i < end; i := i + 1; } }",
        "?",
    );
    // Two texts are compared as long as they are the same.
    check(
        "var mem: [int, int]bv8; procedure P(a: int, b: int, m: int, n: int) \
         requires 0 <= m && 0 <= n && mem[a, m] == 0bv8 && mem[b, n] == 0bv8; { var i: int; i := 0; \
         while (mem[a, i] != 0bv8 && mem[a, i] == mem[b, i]) { assert i < m; assert i < n; i := i + 1; } \
         assert i <= m; assert i <= n; }",
        "vvvv",
    );
    // What is written elsewhere leaves the end as it is.
    check(
        "var mem: [int, int]bv8; procedure P(a: int, n: int) requires 0 <= n && mem[a, n] == 0bv8; modifies mem; { var i: int; i := 0; \
         while (mem[a, i] != 0bv8) { assert i < n; mem[a, i] := 1bv8; i := i + 1; } assert i <= n; }",
        "vv",
    );
    check(
        "var mem: [int, int]bv8; procedure P(a: int, n: int, k: int) requires 0 <= n && mem[a, n] == 0bv8; modifies mem; { var i: int; \
         i := 0; mem[a, k] := 1bv8; while (mem[a, i] != 0bv8) { assert i < n; i := i + 1; } }",
        "?",
    );
}

#[test]
fn what_is_written_to_another_object_leaves_an_element_as_it_is() {
    let text = |given: &str| {
        format!(
            "var mem: [bv32, int]int; procedure P(p: bv32, q: bv32) modifies mem; {{ var a, b: bv32; assume {given}; a := p; b := q; \
             mem[a, 0] := 1; mem[b, 0] := 2; assert mem[a, 0] == 1; assert a != b; }}"
        )
    };
    check(&text("p != q"), "vv");
    check(&text("true"), "?v");
}

#[test]
fn an_element_at_an_index_that_a_map_gives_stays_where_the_map_does() {
    let text = |at: &str| {
        format!(
            "var mem: [int, int]int; var size: [int]int; procedure P(p: int, q: int) requires p < q; modifies size; \
             {{ assume mem[p, size[p] - 1] == 7; size[{at}] := 3; assert mem[p, size[p] - 1] == 7; }}"
        )
    };
    check(&text("q"), "v");
    check(&text("p"), "?");
    check(&text("size[q]"), "?");
}
