//! What does not matter goes.

use footpath_ir::{BlockId, ProcId, StatementKind, TerminatorKind};
use footpath_term::Op;
use footpath_transform::slice::slice_to;
use footpath_transform::{Bounds, loop_free};

use crate::build::{Builder, branch, goto, graph};

const BOUNDS: Bounds = Bounds { unwind: 1, recursion: 0, max_blocks: 1000 };

#[test]
fn only_assignments_that_a_condition_depends_on_stay_and_all_havocs() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let (x, y, z) = (b.variable("x"), b.variable("y"), b.variable("z"));
    let (xs, ys, zs) = (x.symbol, y.symbol, z.symbol);
    let (xt, yt) = (b.var(xs), b.var(ys));
    let c = b.compare(Op::Lt, xs, 5);
    let statements =
        vec![StatementKind::Havoc(vec![ys, zs]), StatementKind::Assign(vec![(xs, yt), (zs, xt)])];
    b.body(
        p,
        vec![x, y, z],
        vec![
            ("A", statements, branch(c, 1, 2)),
            ("B", vec![], TerminatorKind::Return),
            ("C", vec![], TerminatorKind::Return),
        ],
    );
    let form = loop_free(&b.finish(), ProcId(0), 0, BOUNDS);
    let kinds: Vec<StatementKind> = form.body.blocks[1].statements.iter().map(|s| s.kind.clone()).collect();
    assert_eq!(kinds, [StatementKind::Havoc(vec![ys, zs]), StatementKind::Assign(vec![(xs, yt)])]);
}

#[test]
fn a_slice_to_a_block_keeps_the_paths_through_it_and_their_conditions() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let x = b.variable("x");
    let (c, d) = (b.compare(Op::Lt, x.symbol, 5), b.compare(Op::Lt, x.symbol, 3));
    b.body(
        p,
        vec![x],
        vec![
            ("A", vec![], branch(c, 1, 2)),
            ("B", vec![], goto(&[3])),
            ("C", vec![], goto(&[3])),
            ("D", vec![], branch(d, 4, 5)),
            ("E", vec![], TerminatorKind::Return),
            ("F", vec![], TerminatorKind::Return),
        ],
    );
    let mut form = loop_free(&b.finish(), ProcId(0), 0, BOUNDS);
    let target = form.body.block_ids().find(|&b| &*form.body[b].name == "C").expect("a block C");
    let slice = slice_to(&mut form.terms, &form.body, &[target]);
    assert_eq!(
        graph(&slice.body),
        "entry [0] -> A\n\
         A [0] -> C\n\
         C [1] -> D\n\
         D [0] ? E : F\n\
         E [0] -> exit\n\
         F [0] -> exit\n\
         exit [0] return\n"
    );
    assert_eq!(slice.blocks[2], target);
    let StatementKind::Assume(guard) = slice.body.blocks[2].statements[0].kind else { panic!("a guard") };
    let not = form.terms.app(Op::Not, [c]);
    assert_eq!(guard, not);
    assert_eq!(slice.body.blocks[0].terminator.successors(), [BlockId(1)]);
}
