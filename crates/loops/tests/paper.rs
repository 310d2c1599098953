//! The programs of the paper's experiment, as far as their verdicts go.

mod common;

use common::{check, reach_in};
use footpath_loops::Verdict;

macro_rules! program {
    ($name:literal) => {
        include_str!(concat!("../../bench/src/reach/programs/", $name, ".bpl"))
    };
}

#[test]
fn a_multiple_of_four_is_never_fifteen() {
    check(program!("one_loop"), "unreachable");
}

#[test]
fn a_loop_ends_only_if_the_parities_agree() {
    check(program!("two_loops"), "unreachable");
}

#[test]
fn hello_is_found() {
    check(program!("hello"), "reached");
}

#[test]
fn hello_and_world_are_found() {
    check(program!("hw"), "reached");
}

#[test]
fn four_words_are_found() {
    check(program!("hwm"), "reached");
}

#[test]
fn a_row_with_many_small_numbers_is_found() {
    check(program!("matr_ir"), "reached");
}

#[test]
fn two_packets_for_one_row_are_found() {
    check(program!("win_driver"), "reached");
}

#[test]
fn the_condition_can_be_read() {
    let found = reach_in(program!("hello"), "target");
    assert!(matches!(found.verdict, Verdict::Reached(_)));
    let condition = found.condition.expect("a condition");
    assert!(condition.contains("forall") && condition.contains("A["), "{condition}");
}
