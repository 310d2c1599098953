//! The programs of the paper's experiment, as far as their verdicts go.

use std::time::Duration;

use super::common::{check, reach_in, reach_with};
use footpath_loop_summaries::{Options, Verdict};

macro_rules! program {
    ($name:literal) => {
        include_str!(concat!("../../../bench/src/reach/programs/", $name, ".bpl"))
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
fn four_words_are_not_called_impossible() {
    // Whether the test is found depends on the time there is; with a few seconds for it, no proof may be.
    let options = Options { timeout: Some(Duration::from_secs(10)), ..Options::default() };
    let found = reach_with(program!("hwm"), "target", &options);
    assert!(!matches!(found.verdict, Verdict::Unreachable), "{found:#?}");
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
