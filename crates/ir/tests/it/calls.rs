//! Who calls whom.

use super::common::*;
use footpath_ir::{ProcId, Program, StatementKind, TerminatorKind};

/// A program in which procedure `i` calls those listed, one block for each; one without a list has no body.
fn program(calls: &[Option<&[u32]>]) -> Program {
    let mut b = Builder::new();
    for (i, called) in calls.iter().enumerate() {
        let mut p = procedure(&format!("p{i}"), &[], &[]);
        if let Some(called) = called {
            let call = |&c: &u32| StatementKind::Call { callee: ProcId(c), args: vec![], results: vec![] };
            let next =
                |k: usize| if k < called.len() { goto(&[k as u32 + 1]) } else { TerminatorKind::Return };
            let blocks = (0..=called.len())
                .map(|k| block(&format!("b{k}"), called.get(k).map(call).into_iter().collect(), next(k)))
                .collect();
            p = with_body(p, &[], blocks);
        }
        b.procedure(p);
    }
    b.finish()
}

#[test]
fn calls_are_listed_each_time() {
    let program = program(&[Some(&[2, 1, 2]), None, Some(&[])]);
    assert_eq!(program.calls(ProcId(0)).collect::<Vec<_>>(), [ProcId(2), ProcId(1), ProcId(2)]);
    assert_eq!(program.calls(ProcId(1)).count(), 0);
}

#[test]
fn what_is_reachable_has_a_body() {
    let program = program(&[Some(&[1, 3]), Some(&[0]), Some(&[0]), None, Some(&[])]);
    assert_eq!(program.reachable(&[ProcId(0)]), [ProcId(0), ProcId(1)]);
    assert_eq!(program.reachable(&[ProcId(3), ProcId(4)]), [ProcId(4)]);
    assert_eq!(program.reachable(&[ProcId(2)]), [ProcId(0), ProcId(1), ProcId(2)]);
}

#[test]
fn recursion_may_go_through_others() {
    let program = program(&[Some(&[1]), Some(&[2]), Some(&[1]), Some(&[3]), None]);
    let recursive = |p: u32| program.is_recursive(ProcId(p));
    assert_eq!([0, 1, 2, 3, 4].map(recursive), [false, true, true, true, false]);
}

#[test]
fn callees_come_before_callers_and_cycles_are_one_component() {
    let calls: [Option<&[u32]>; 6] =
        [Some(&[1, 2]), Some(&[3]), Some(&[3, 1]), Some(&[4, 0]), None, Some(&[0, 5])];
    let program = program(&calls);
    let groups = program.components();
    let at = |p: u32| groups.iter().position(|g| g.contains(&ProcId(p))).expect("a group");
    assert_eq!(groups.len(), 3);
    assert_eq!([at(0), at(1), at(2), at(3)], [at(0); 4]);
    assert!(at(4) < at(0) && at(0) < at(5));
    assert_eq!(program.recursive_below(&[ProcId(5)]), [0, 1, 2, 3, 5].map(ProcId).into());
    assert_eq!(program.recursive_below(&[ProcId(3)]), [0, 1, 2, 3].map(ProcId).into());
    assert!(program.recursive_below(&[ProcId(4)]).is_empty());
}

#[test]
fn bodies_that_are_not_wanted_are_left_out() {
    let program = program(&[Some(&[1]), Some(&[])]).with_bodies(|p| p == ProcId(0));
    assert_eq!(program[ProcId(0)].bodies.len(), 1);
    assert!(program[ProcId(1)].bodies.is_empty());
    assert_eq!(program[ProcId(1)].name.as_ref(), "p1");
}

#[test]
fn roots_are_what_nothing_else_calls() {
    // 0 and 5 lead to 2 through 1; 3 and 4 call each other and 2; 6 leads elsewhere.
    let program =
        program(&[Some(&[1]), Some(&[2]), Some(&[]), Some(&[4, 2]), Some(&[3]), Some(&[5, 1]), Some(&[])]);
    let roots = |target, starts: &[u32]| program.roots_above(ProcId(target), |p| starts.contains(&p.0));
    let all = [0, 1, 2, 3, 4, 5, 6];
    assert_eq!(roots(2, &all), [0, 3, 4, 5].map(ProcId));
    assert_eq!(roots(1, &all), [0, 5].map(ProcId));
    assert_eq!(roots(6, &all), [ProcId(6)]);
    assert_eq!(roots(2, &[1, 2, 6]), [ProcId(1)]);
}
