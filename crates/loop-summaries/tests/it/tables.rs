//! Each row of the tables of iterated values, and the worked examples of the paper's appendix: a target that only the
//! closed form refutes, for any number of iterations, and one that is reached.

use super::common::check;

/// A program with the inputs `n`, `m`, `c` and the map `A`.
fn with(body: &str) -> String {
    format!(
        "procedure main(n: int, m: int, c: [int]bool, B: [int]int, C: [int]int, Before: [int,int]int) {{
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

#[test]
fn a_maximum_is_not_below_any_element() {
    let after = |found: &str| {
        format!(
            "while (i < n) {{ if (B[i] > x) {{ x := B[i]; }} i := i + 1; }}
             while (j < n) {{ if ({found}) {{ target: assert true; }} j := j + 1; }}"
        )
    };
    unreachable(&after("B[j] > x"));
    reached(&after("B[j] < x"));
    reached(
        "while (i < n) { if (B[i] > x) { x := B[i] - 1; } i := i + 1; }
         while (j < n) { if (B[j] > x) { target: assert true; } j := j + 1; }",
    );
    let bytes = |then: &str| {
        format!(
            "function {{:bvbuiltin \"bvadd\"}} add(a: bv32, b: bv32) returns (bv32);
             function {{:bvbuiltin \"bvslt\"}} lt(a: bv32, b: bv32) returns (bool);
             procedure main(n: bv32, B: [bv32]bv32) {{
               var i, j, x: bv32; i := 0bv32; j := 0bv32; x := 0bv32;
               while (lt(i, n)) {{ if (lt(B[i], x)) {{ x := B[i]; }} i := add(i, 1bv32); }}
               while (lt(j, n)) {{ if ({then}) {{ target: assert true; }} j := add(j, 1bv32); }}
             }}"
        )
    };
    check(&bytes("lt(B[j], x)"), "unreachable");
    check(&bytes("lt(x, B[j])"), "reached");
}

/// A program over 32 bits that counts `i` from 0, and a byte of input for each round.
fn of_32_bits(body: &str) -> String {
    let function = |name: &str, op: &str, result: &str| {
        format!("function {{:bvbuiltin \"{op}\"}} {name}(a: bv32, b: bv32) returns ({result});\n")
    };
    let functions =
        [("add", "bvadd"), ("mul", "bvmul"), ("sub", "bvsub")].map(|(n, op)| function(n, op, "bv32"));
    let tests = [("lt", "bvslt"), ("ult", "bvult")].map(|(n, op)| function(n, op, "bool"));
    format!(
        "{}{}function {{:bvbuiltin \"zero_extend 24\"}} wide(a: bv8) returns (bv32);
         procedure main(n: bv32, m: bv32, B: [bv32]bv8) {{
           var i, k, x: bv32; i := 0bv32; k := 0bv32; x := 0bv32;
           {body}
         }}",
        functions.concat(),
        tests.concat()
    )
}

#[test]
fn a_sum_of_a_progression_is_known_modulo_any_power_of_two() {
    let gauss = |then: &str| {
        of_32_bits(&format!(
            "while (i != n) {{ i := add(i, 1bv32); k := add(k, i); }} if ({then}) {{ target: assert true; }}"
        ))
    };
    check(&gauss("add(k, k) != mul(n, add(n, 1bv32))"), "unreachable");
    let below = gauss("n == 1000bv32 && k != 500500bv32").replace("i != n", "lt(i, n)");
    check(&below, "unreachable");
    check(
        &of_32_bits(
            "i := 4bv32; while (true) { x := add(x, i); i := add(i, 4bv32);
             if (x == 30bv32) { target: assert true; } }",
        ),
        "unreachable",
    );
}

#[test]
fn a_sum_of_bytes_lies_between_its_bounds() {
    let sum = |then: &str| {
        of_32_bits(&format!(
            "assume ult(n, 3000bv32);
             while (lt(i, n)) {{ k := add(k, wide(B[i])); i := add(i, 1bv32); }}
             if ({then}) {{ target: assert true; }}"
        ))
    };
    check(&sum("ult(mul(n, 255bv32), k)"), "unreachable");
    check(&sum("lt(k, 0bv32)"), "unreachable");
    check(&sum("n == 3bv32 && k == 700bv32"), "reached");
}

#[test]
fn ways_that_take_turns_bound_each_others_rounds() {
    let phases = |then: &str| {
        of_32_bits(&format!(
            "while (ult(i, 100000000bv32)) {{
               if (ult(i, 70001bv32)) {{ i := add(i, 1bv32); }} else {{ i := add(i, 2bv32); k := add(k, 1bv32); }}
             }}
             if ({then}) {{ target: assert true; }}"
        ))
    };
    check(&phases("i != 100000001bv32"), "unreachable");
    check(&phases("k != 49965000bv32"), "unreachable");
}

#[test]
fn a_narrow_index_that_does_not_wrap_is_known_to_the_array() {
    let program = |then: &str| {
        format!(
            "function {{:bvbuiltin \"bvadd\"}} add(a: bv32, b: bv32) returns (bv32);
             function {{:bvbuiltin \"bvmul\"}} mul(a: bv64, b: bv64) returns (bv64);
             function {{:bvbuiltin \"bvslt\"}} slt(a: bv32, b: bv32) returns (bool);
             function {{:bvbuiltin \"sign_extend 32\"}} long(a: bv32) returns (bv64);
             procedure main(n: bv32, m: bv32, B: [bv64]bv32) {{
               var i: bv32; var A: [bv64]bv32;
               A := B; i := 0bv32;
               while (slt(i, n)) {{ A[mul(4bv64, long(i))] := i; i := add(i, 1bv32); }}
               if ({then}) {{ target: assert true; }}
             }}"
        )
    };
    let at = "A[mul(4bv64, long(m))]";
    check(&program(&format!("!slt(m, 0bv32) && slt(m, n) && {at} != m")), "unreachable");
    check(&program(&format!("slt(m, 0bv32) && {at} != B[mul(4bv64, long(m))]")), "unreachable");
    check(&program("slt(0bv32, n) && i != n"), "unreachable");
    check(&program(&format!("n == 5bv32 && m == 3bv32 && {at} == 3bv32")), "reached");
}

#[test]
fn what_comes_back_after_some_rounds_is_a_matter_of_the_remainder() {
    unreachable(
        "x := n; y := m; while (i < n) { k := x; x := y; y := k; i := i + 1; }
         if (x + y != n + m) { target: assert true; }",
    );
    unreachable(
        "x := 0; while (i < n) { x := 1 - x; i := i + 1; }
         if (n >= 0 && x != n mod 2) { target: assert true; }",
    );
    reached(
        "x := 0; while (i < n) { x := 1 - x; i := i + 1; } if (x == 1 && n > 6) { target: assert true; }",
    );
}

#[test]
fn as_many_rounds_as_a_model_names_are_unfolded() {
    reached(
        "while (B[i] != 0) { if (B[i] == 72) { k := k + 1; } i := i + 1; }
         if (i == 90 && k == 3) { target: assert true; }",
    );
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
            "A := B;
             while (i < n) {{ if (i mod 2 == 0) {{ A[i] := 2 * i + 1; }} else {{ A[i] := 5; }} i := i + 1; }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    reached(&body("n > 6 && A[6] == 13 && A[5] == 5"));
    unreachable(&body("0 <= m && m < n && m mod 2 == 0 && A[m] != 2 * m + 1"));
    unreachable(&body("0 <= m && m < n && m mod 2 != 0 && A[m] != 5"));
    unreachable(&body("(m < 0 || n <= m) && A[m] != B[m]"));
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
    // A row is the same whichever iteration wrote it last.
    let row = "B[x * (n + 1) + 1]";
    unreachable(&body(&format!(
        "0 <= x && x < m && 0 <= y && y < n && M[{row}, y] != B[{row} * (n + 1) + y + 2]"
    )));
    unreachable(
        &body("M[x, y] != Before[x, y] && M[x, y] != B[x * (n + 1) + y + 2]")
            .replace("while (i < m)", "M := Before; while (i < m)"),
    );
    let missed = "(y < 0 || n <= y) && M[x, y] != Before[x, y]";
    unreachable(&body(missed).replace("while (i < m)", "M := Before; while (i < m)"));
    reached(&body("m == 2 && n == 1 && B[1] != B[3] && M[B[3], 0] == 7 && M[B[1], 0] == 8"));
}

#[test]
fn an_index_may_be_read_from_data() {
    let body = |write: &str, then: &str| {
        format!("A := C; while (i < n) {{ {write} i := i + 1; }} if ({then}) {{ target: assert true; }}")
    };
    let filled = |then: &str| body("A[B[i]] := 7;", then);
    unreachable(&filled("A[m] != C[m] && A[m] != 7"));
    unreachable(&filled("0 <= m && m < n && A[B[m]] != 7"));
    unreachable(&format!("assume (forall t: int :: B[t] > 0); {}", filled("m <= 0 && A[m] != C[m]")));
    reached(&filled("n == 3 && A[m] == 7 && C[m] != 7"));
    reached(&filled("n == 3 && B[0] == 4 && C[4] == 1 && A[m] != 7"));
    // The latest write wins: each iteration writes its number.
    let numbered = |then: &str| body("A[B[i]] := i;", then);
    unreachable(&numbered("0 <= m && m < n && A[B[m]] < m"));
    unreachable(&numbered("0 <= m && m < n && (A[B[m]] >= n || B[A[B[m]]] != B[m])"));
    reached(&numbered("n == 5 && A[B[1]] == 3"));
    // What is written is not known, but where it is.
    let counted = |then: &str| body("A[B[i]] := A[B[i]] + 1;", then);
    unreachable(&format!("assume (forall t: int :: B[t] > 0); {}", counted("m <= 0 && A[m] != C[m]")));
    reached(&counted("n == 3 && A[m] == C[m] + 3"));
}

#[test]
fn a_later_loop_reads_what_an_earlier_one_wrote() {
    let body = |write: &str, read: &str| {
        format!(
            "A := C; while (i < n) {{ {write} i := i + 1; }}
             while (j < n) {{ if ({read}) {{ target: assert true; }} j := j + 1; }}"
        )
    };
    unreachable(&body("A[B[i]] := 7;", "A[B[j]] != 7"));
    unreachable(&body("A[i] := B[i];", "A[j] != B[j]"));
    reached(&body("A[B[i]] := 7;", "A[j] != 7"));
}

#[test]
fn several_ways_write_where_data_says() {
    let body = |then: &str| {
        format!(
            "A := C;
             while (i < n) {{ if (c[i]) {{ A[B[i]] := 1; }} else {{ A[B[i]] := 2; }} i := i + 1; }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    unreachable(&body("A[m] != C[m] && A[m] != 1 && A[m] != 2"));
    reached(&body("n == 4 && A[m] == 2 && C[m] != 2 && C[m] != 1"));
    // Two writes in an iteration: the later one wins.
    let two = |then: &str| {
        format!(
            "A := C; while (i < n) {{ A[B[i]] := 1; A[B[i] + 1] := 2; i := i + 1; }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    unreachable(&two("A[m] != C[m] && A[m] != 1 && A[m] != 2"));
    unreachable(&two("n > 0 && A[B[n - 1]] != 1"));
    // The index is a sum of what was added to it: every path moves it as far as data says.
    unreachable(
        "A := C; assume (forall t: int :: B[t] >= 0);
         while (i < n) { A[k] := 5; k := k + 1 + B[i]; i := i + 1; }
         if (A[m] != C[m] && A[m] != 5) { target: assert true; }",
    );
}

// ---- Appendix A.2

/// Loops over the rows and columns of a matrix.
fn matrix(start: &str, then: &str) -> String {
    format!(
        "procedure main(n: int, m: int, x: int, y: int, Before: [int,int]int) {{
           var i, j: int; var A: [int,int]int;
           A := Before; i := 0; j := 0 - 1;
           while (i < m) {{
             j := {start};
             while (j < n) {{ A[i, j] := 0; j := j + 1; }}
             i := i + 1;
           }}
           if ({then}) {{ target: assert true; }}
         }}"
    )
}

#[test]
fn example_5_the_inner_loop_takes_as_many_rounds_in_each_round() {
    check(&matrix("0", "0 <= x && x < m && 0 <= y && y < n && A[x, y] != 0"), "unreachable");
    check(&matrix("0", "(x < 0 || m <= x || y < 0 || n <= y) && A[x, y] != Before[x, y]"), "unreachable");
    check(&matrix("0", "m > 0 && n > 0 && j != n"), "unreachable");
    check(&matrix("0", "m > 0 && n <= 0 && j != 0"), "unreachable");
    check(&matrix("0", "m == 3 && j == 7"), "reached");
}

#[test]
fn example_6_the_inner_loop_takes_fewer_rounds_each_time() {
    check(&matrix("i", "0 <= x && x < m && x <= y && y < n && A[x, y] != 0"), "unreachable");
    check(&matrix("i", "(x < 0 || m <= x || y < x || n <= y) && A[x, y] != Before[x, y]"), "unreachable");
    check(&matrix("i", "0 < m && m <= n && j != n"), "unreachable");
    check(&matrix("i", "n < m && 0 < m && n >= 0 && j != m - 1"), "unreachable");
    check(&matrix("i", "m == 3 && j == 7"), "reached");
}

#[test]
fn an_inner_loop_may_count_down_or_in_steps() {
    let body = |inner: &str, then: &str| {
        format!(
            "while (i < m) {{ {inner} i := i + 1; }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    unreachable(&body("j := n; while (j > i) { j := j - 1; k := k + 1; }", "0 < m && m <= n && j != m - 1"));
    unreachable(&body("j := 0; while (j < n) { j := j + 3; }", "m > 0 && n > 0 && (j < n || j > n + 2)"));
    unreachable(&body("j := 0; while (j < 4) { j := j + 1; k := k + 1; }", "m >= 0 && k != 4 * m"));
}

// ---- Several writes

#[test]
fn two_ways_write_next_to_each_other() {
    // What the earlier round wrote ahead is overwritten by the later one, if that is odd.
    let body = |then: &str| {
        format!(
            "A := B;
             while (i < n) {{ if (i mod 2 == 0) {{ A[i + 1] := 7; }} else {{ A[i] := 5; }} i := i + 1; }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    unreachable(&body("0 < m && m < n && m mod 2 == 1 && A[m] != 5"));
    unreachable(&body("n > 0 && m == n && m mod 2 == 1 && A[m] != 7"));
    unreachable(&body("m mod 2 == 0 && A[m] != B[m]"));
}

#[test]
fn an_element_may_be_made_of_what_was_there() {
    unreachable(
        "A := B; while (i < n) { A[i] := A[i] + 1; i := i + 1; }
         if (0 <= m && m < n && A[m] != B[m] + 1) { target: assert true; }",
    );
    unreachable(
        "A := B; while (i < n) { if (A[i] < 0) { A[i] := 0 - A[i]; } i := i + 1; }
         if (0 <= m && m < n && A[m] < 0) { target: assert true; }",
    );
    // Each element is made of what the round before wrote, so that all are the first one.
    reached(
        "A := B; i := 1; while (i < n) { A[i] := A[i - 1]; i := i + 1; }
         if (n > 3 && A[3] == 4 && B[0] == 4 && B[2] == 1) { target: assert true; }",
    );
}

#[test]
fn loops_in_a_loop_leave_rows_of_a_map() {
    let program = "procedure main(n: int, m: int, x: int, y: int, Before: [int,int]int) {
           var i, j: int; var A: [int,int]int;
           A := Before; i := 0;
           while (i < m) {
             j := 0;
             while (j < n) { if (j < i) { A[i, j] := 1; } else { A[i, j] := A[i, j] + 2; } j := j + 1; }
             i := i + 1;
           }
           if (0 <= x && x < m && 0 <= y && y < n && CLAIM) { target: assert true; }
         }";
    check(&program.replace("CLAIM", "y < x && A[x, y] != 1"), "unreachable");
    check(&program.replace("CLAIM", "y >= x && A[x, y] != Before[x, y] + 2"), "unreachable");
    check(&program.replace("CLAIM", "y >= x && A[x, y] == 1 && x > 2"), "reached");
}

#[test]
fn a_cell_is_added_to() {
    unreachable(
        "A := B; while (i < n) { A[k] := A[k] + 3; i := i + 1; }
         if (n >= 0 && A[k] != B[k] + 3 * n) { target: assert true; }",
    );
    unreachable(
        "A := B; while (i < n) { A[m] := A[m] + 3; i := i + 1; } if (k != m && A[k] != B[k]) { target: assert true; }",
    );
    // Each path adds its own, the third one sets the cell.
    let ways = |then: &str| {
        format!(
            "A := B; A[m] := 0;
             while (i < n) {{
               if (c[i]) {{ A[m] := A[m] + 2; }} else if (c[0 - i]) {{ A[m] := A[m] + 4; }} else {{ A[m] := 6; }}
               i := i + 1;
             }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    unreachable(&ways("A[m] mod 2 != 0"));
    reached(&ways("A[m] == 10 && i == 3"));
}

#[test]
fn two_cells_may_be_one() {
    let body = |then: &str| {
        format!(
            "A := B; while (i < n) {{ A[k] := A[k] + 1; A[m] := A[m] + 2; i := i + 1; }}
             if ({then}) {{ target: assert true; }}"
        )
    };
    reached(&body("n == 2 && A[m] == B[m] + 6"));
    unreachable(
        "A := B; while (i < n) { A[4] := A[4] + 1; A[5] := A[5] + A[4]; A[4] := A[4] + 1; i := i + 1; }
         if (n >= 0 && A[4] != B[4] + 2 * n) { target: assert true; }",
    );
}

#[test]
fn an_element_may_be_made_of_one_that_an_earlier_round_wrote() {
    let body = |start: &str, write: &str, then: &str| {
        format!(
            "A := B; i := {start}; while (i < n) {{ {write}; i := i + 1; }} if ({then}) {{ target: assert true; }}"
        )
    };
    let paper = |then: &str| body("5", "A[i] := A[i - 5] + 2", then);
    unreachable(&paper("5 <= m && m < n && A[m] != B[m mod 5] + 2 * (m div 5)"));
    unreachable(&paper("(m < 5 || n <= m) && A[m] != B[m]"));
    reached(&paper("n == 40 && A[23] == 9 && B[3] == 1"));
    unreachable(&paper("n > 6 && A[6] != B[1] + 2"));
    // A copy of the element before, and sums of what the iteration says.
    unreachable(&body("1", "A[i] := A[i - 1]", "0 <= m && m < n && A[m] != B[0]"));
    unreachable(&body("1", "A[i] := A[i - 1] + i", "1 <= m && m < n && 2 * A[m] != 2 * B[0] + m * (m + 1)"));
    unreachable(&body("2", "A[i] := i + A[i - 2]", "n > 6 && A[6] != B[0] + 12"));
    unreachable(&body("2", "A[i] := i + A[i - 2]", "n > 6 && A[5] != B[1] + 8"));
    // It counts down, and what is read was written before.
    unreachable(
        "A := B; i := n; while (i > 0) { A[i] := A[i + 2] + 1; i := i - 1; }
         if (n > 3 && A[n - 2] != B[n + 2] + 2) { target: assert true; }",
    );
    // What lies between the places of the writes is never written.
    unreachable(
        "A := B; while (i < n) { A[2 * i] := A[2 * i - 1] + 1; i := i + 1; }
         if (0 <= m && m < n && A[2 * m] != B[2 * m - 1] + 1) { target: assert true; }",
    );
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
