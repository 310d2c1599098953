//! What is read from a map with many stores is what the last store to the index left there.

use super::common::Build;
use footpath_smt::{Answer, Solver, Z3};
use footpath_term::{Op, TermId, Terms};
use proptest::prelude::*;

/// Where something is stored: at a number, or at one of two indices that are not known.
#[derive(Clone, Copy, Debug)]
enum Index {
    Known(u8),
    First,
    Second,
}

fn index() -> impl Strategy<Value = Index> {
    // Few numbers, so that some are stored to again.
    prop_oneof![
        60 => (0u8..60).prop_map(Index::Known),
        15 => (120u8..140).prop_map(Index::Known),
        1 => Just(Index::First),
        1 => Just(Index::Second),
    ]
}

/// Whether what is read can differ from the value of the last store whose index is equal. With `objects` the map has two
/// indices, and the first one of a store is a number or not known.
fn differs(stores: &[(Index, Option<u8>, u8)], width: u32, objects: bool) -> Answer {
    let mut terms = Terms::new();
    let (wide, byte) = (terms.bit_vec_sort(width), terms.bit_vec_sort(8));
    let domain = if objects { vec![byte, wide] } else { vec![wide] };
    let sort = terms.map_sort(domain, byte);
    let mut map = terms.fresh_var("map", sort);
    let (first, second) = (terms.fresh_var("first", wide), terms.fresh_var("second", wide));
    let (read, any) = (terms.fresh_var("read", wide), terms.fresh_var("any", byte));
    let this = terms.bit_vec(8, 1);
    let with_object = |map: TermId, object: TermId, at: TermId| match objects {
        true => vec![map, object, at],
        false => vec![map, at],
    };
    let mut expected = terms.t(Op::Select, &with_object(map, this, read));
    for &(at, object, value) in stores {
        let at = match at {
            Index::Known(n) => terms.bit_vec(width, n),
            Index::First => first,
            Index::Second => second,
        };
        let object = object.map_or(any, |n| terms.bit_vec(8, n % 2));
        let value = if value == 0 { any } else { terms.bit_vec(8, value) };
        let mut args = with_object(map, object, at);
        args.push(value);
        map = terms.t(Op::Store, &args);
        let mut here = terms.t(Op::Eq, &[read, at]);
        if objects {
            let same = terms.t(Op::Eq, &[object, this]);
            here = terms.t(Op::And, &[same, here]);
        }
        expected = terms.t(Op::Ite, &[here, value, expected]);
    }
    let found = terms.t(Op::Select, &with_object(map, this, read));
    let same = terms.t(Op::Eq, &[found, expected]);
    let differ = terms.t(Op::Not, &[same]);
    let mut solver = Z3::new(None).expect("Z3 starts");
    solver.assert(&terms, differ).expect("bit-vectors and maps are known");
    solver.check(&terms, &[])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_table_is_read_as_it_was_written(
        stores in proptest::collection::vec((index(), proptest::option::weighted(0.98, any::<u8>()), any::<u8>()), 0..50),
        width in prop_oneof![Just(8u32), Just(9), Just(64)],
        objects in any::<bool>(),
    ) {
        prop_assert_eq!(differs(&stores, width, objects), Answer::Unsat);
    }
}

/// Two different places of a table of all bytes hold the same: nothing that compares indices one by one would find that
/// in time.
#[test]
fn equal_elements_of_a_large_table_are_found() {
    let mut terms = Terms::new();
    let (wide, byte) = (terms.bit_vec_sort(64), terms.bit_vec_sort(8));
    let sort = terms.map_sort(vec![wide], byte);
    let mut map = terms.fresh_var("table", sort);
    for n in 0..=255_u8 {
        let (at, value) = (terms.bit_vec(64, n), terms.bit_vec(8, n.to_ascii_lowercase()));
        map = terms.t(Op::Store, &[map, at, value]);
    }
    let (x, y) = (terms.fresh_var("x", byte), terms.fresh_var("y", byte));
    let read = |terms: &mut Terms, at: TermId| {
        let at = terms.t(Op::ZeroExtend(56), &[at]);
        terms.t(Op::Select, &[map, at])
    };
    let (left, right) = (read(&mut terms, x), read(&mut terms, y));
    let (differ, seven) = (terms.t(Op::Distinct, &[x, y]), terms.bit_vec(8, b'g'));
    let parts = [terms.t(Op::Eq, &[left, right]), differ, terms.t(Op::Eq, &[x, seven])];
    let all = terms.t(Op::And, &parts);
    let mut solver = Z3::new(None).expect("Z3 starts");
    solver.set_timeout(Some(std::time::Duration::from_secs(30)));
    solver.assert(&terms, all).expect("bit-vectors and maps are known");
    assert_eq!(solver.check(&terms, &[]), Answer::Sat);
    let other = solver.value(&terms, y).expect("a model has a value").as_u64();
    assert_eq!(other, Some(u64::from(b'G')));
}
