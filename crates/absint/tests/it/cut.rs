//! What is assumed of loops that are cut.

use std::sync::Arc;

use super::common::read;
use footpath_absint::{Calls, Effort, cut_loops};
use footpath_ir::StatementKind;
use footpath_term::{NoEnv, Op, TermId, Value, evaluate_with};

#[test]
fn what_is_inferred_under_conditions_is_assumed_where_all_of_them_hold() {
    let mut program =
        read("procedure P(a: int, b: int) { var i: int; i := a + b; while (i != 7) { i := i + 1; } }");
    let id = program.procedure_named("P").expect("P is there");
    let [a, b] = [0, 1].map(|n| program[id].params[n].symbol);
    let i = program[id].bodies[0].locals[0].symbol;
    let terms = Arc::get_mut(&mut program.terms).expect("nobody else holds them");
    let zero = terms.int(0);
    let given = [a, b].map(|symbol| {
        let number = terms.var(symbol);
        terms.app(Op::Le, [zero, number])
    });
    let unit =
        cut_loops(&program, id, 0, Calls::Contracts, Effort::default(), &given).expect("it can be cut");
    let start = unit.body.blocks.iter().find(
        |block| matches!(&block.statements[..], [only] if matches!(only.kind, StatementKind::Havoc(_))),
    );
    let round = start.and_then(|block| block.terminator.successors().first().copied()).expect("a round");
    let assumed: Vec<TermId> = unit.body[round]
        .statements
        .iter()
        .filter_map(|s| if let StatementKind::Assume(condition) = s.kind { Some(condition) } else { None })
        .collect();
    let holds = |state: [i32; 3]| {
        assumed.iter().all(|&condition| {
            let values = [a, b, i].into_iter().zip(state.map(Value::int)).collect();
            evaluate_with(&unit.terms, condition, values, &mut NoEnv) == Ok(Value::Bool(true))
        })
    };
    for x in -3..4 {
        for y in -3..4 {
            assert!(holds([x, y, x + y]), "the loop is entered with a = {x} and b = {y}");
        }
    }
    assert!(!holds([-3, -3, -7]), "what always holds is not used");
    assert!(!holds([2, 1, -1]), "what holds under both conditions is not used");
}
