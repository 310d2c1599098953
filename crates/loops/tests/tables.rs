//! Each row of the tables of iterated values, and the worked examples of the paper's appendix: a target that only the
//! closed form refutes, for any number of iterations, and one that is reached.

mod common;

use common::check;

/// A program with the inputs `n`, `m`, `c` and the map `A`.
fn with(body: &str) -> String {
    format!(
        "procedure main(n: int, m: int, c: [int]bool, B: [int]int) {{
           var i, j, k, x, y: int; var A: [int]int; var M: [int,int]int; var p: bool;
           i := 0; j := 0; k := 0;
           {body}
         }}"
    )
}

fn unreachable(body: &str) {
    check(&with(body), "unreachable");
}

fn reached(body: &str) {
    check(&with(body), "reached");
}

#[test]
fn what_a_loop_does_not_change_stays() {
    unreachable("x := n; while (i < m) { i := i + 1; x := x + 0; } if (x != n) { target: assert true; }");
}

#[test]
fn a_constant_is_added_in_each_round() {
    unreachable(
        "assume n >= 0; while (i < n) { i := i + 1; k := k + 3; } if (k != 3 * n) { target: assert true; }",
    );
    unreachable(
        "while (i < n) { i := i + 1; k := k + m; } if (i == 4 && k != 4 * m) { target: assert true; }",
    );
    reached("while (i < n) { i := i + 1; k := k + 3; } if (k == 300) { target: assert true; }");
}

#[test]
fn each_way_adds_its_own() {
    unreachable(
        "while (i < n) { if (c[i]) { k := k + 2; } else { k := k + 4; } i := i + 1; }
         if (k == 7) { target: assert true; }",
    );
    reached(
        "while (i < n) { if (c[i]) { k := k + 2; } else { k := k + 4; } i := i + 1; }
         if (k == 14 && i == 5) { target: assert true; }",
    );
}

#[test]
fn a_sum_of_a_progression_is_a_square() {
    unreachable(
        "while (i < n) { k := k + i; i := i + 1; }
         if (n == 1000 && k != 499500) { target: assert true; }",
    );
}

#[test]
fn a_value_is_that_of_the_last_round() {
    unreachable(
        "x := 0 - 1; while (i < n) { x := i; i := i + 1; } if (n > 0 && x != n - 1) { target: assert true; }",
    );
    unreachable(
        "x := 0 - 1; while (i < n) { x := i; i := i + 1; } if (n <= 0 && x != 0 - 1) { target: assert true; }",
    );
}

#[test]
fn a_flag_is_set_on_some_ways() {
    unreachable(
        "x := 0; while (i < n) { if (c[i]) { x := 1; } i := i + 1; }
         if (x != 0 && x != 1) { target: assert true; }",
    );
    unreachable(
        "x := 5; while (i < n) { if (c[i]) { x := 6; } else { x := 8; } i := i + 1; }
         if (x == 7) { target: assert true; }",
    );
    reached(
        "x := 5; while (i < n) { if (c[i]) { x := 6; } else { x := 8; } i := i + 1; }
         if (x == 8 && n > 3) { target: assert true; }",
    );
}

#[test]
fn a_counter_that_is_reset_stays_below_what_was_added() {
    unreachable(
        "while (i < n) { if (c[i]) { k := 0; } else { k := k + 2; } i := i + 1; }
         if (k < 0) { target: assert true; }",
    );
}

#[test]
fn a_loop_that_searches_tells_of_what_it_passed() {
    unreachable(
        "assume m >= 0;
         while (i < n && B[i] != 7) { i := i + 1; }
         if (m < i && B[m] == 7) { while (j < m) { j := j + 1; } target: assert true; }",
    );
}

#[test]
fn machine_integers_wrap() {
    let program = |then: &str| {
        format!(
            "function {{:bvbuiltin \"bvadd\"}} add(a: bv8, b: bv8) returns (bv8);
             procedure main(n: bv8) {{ var i, k: bv8; i := 0bv8; k := 0bv8;
             while (i != n) {{ i := add(i, 1bv8); k := add(k, 6bv8); }}
             if ({then}) {{ target: assert true; }} }}"
        )
    };
    check(&program("k == 7bv8"), "unreachable");
    // 6 · 214 is 4 modulo 256.
    check(&program("n == 214bv8 && k != 4bv8"), "unreachable");
    check(&program("n == 214bv8 && k == 4bv8"), "reached");
}

// ---- Appendix A.1

#[test]
fn example_1_an_array_is_filled_with_its_indices() {
    unreachable(
        "while (i < n) { A[i] := i; i := i + 1; }
         if (0 <= m && m < n && A[m] != m) { target: assert true; }",
    );
    unreachable(
        "A := B; while (i < n) { A[i] := i; i := i + 1; }
         if (m < 0 && A[m] != B[m]) { target: assert true; }",
    );
}

#[test]
fn example_2_the_later_of_two_writes_wins() {
    let body = |then: &str| {
        format!(
            "i := 1; A := B; while (i < n) {{ A[i - 1] := i; A[i] := i; i := i + 1; }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    unreachable(&body("n > 1 && 0 <= m && m < n - 1 && A[m] != m + 1"));
    unreachable(&body("n > 1 && A[n - 1] != n - 1"));
    unreachable(&body("m >= n && m > 0 && A[m] != B[m]"));
}

#[test]
fn example_3_two_ways_write_at_places_in_turn() {
    let body = |then: &str| {
        format!(
            "while (i < n) {{ if (i mod 2 == 0) {{ A[i] := 2 * i + 1; }} else {{ A[i] := 5; }} i := i + 1; }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    reached(&body("n > 6 && A[6] == 13 && A[5] == 5"));
    // No closed form is known of two ways that write; what is unfolded is exact.
    unreachable(&body("n == 6 && A[4] != 9"));
}

#[test]
fn example_4_nested_loops_copy_into_rows() {
    let body = |then: &str| {
        format!(
            "while (i < m) {{
               k := B[i * (n + 1) + 1]; j := 0;
               while (j < n) {{ M[k, j] := B[k * (n + 1) + j + 2]; j := j + 1; }}
               i := i + 1;
             }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    unreachable(&body("m == 1 && n > 0 && M[B[1], 0] != B[B[1] * (n + 1) + 2]"));
}

// ---- Beyond the tables

#[test]
fn a_variable_without_a_closed_form_keeps_what_every_round_keeps() {
    unreachable(
        "x := 2; while (c[i]) { x := 2 * x; i := i + 1; } if (x == 7 || x < 0) { target: assert true; }",
    );
    reached("x := 2; while (c[i]) { x := 2 * x; i := i + 1; } if (x == 64) { target: assert true; }");
}

#[test]
fn phases_of_a_loop_are_told_apart_by_their_first_and_last_time() {
    unreachable(
        "assume n > 5000;
         while (i < n) { if (i >= 5000) { k := k + 1; } i := i + 1; }
         if (k != n - 5000) { target: assert true; }",
    );
}
