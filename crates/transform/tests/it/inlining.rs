//! Calls.

use std::sync::Arc;

use footpath_ir::{BlockId, Place, ProcId, StatementKind, TerminatorKind};
use footpath_term::{Op, Sort, SortId};
use footpath_transform::{Bounds, LoopFree, unrolled};

use crate::build::{Builder, call, goto, graph};

fn flat(program: &footpath_ir::Program, recursion: u32) -> LoopFree {
    unrolled(program, ProcId(0), 0, Bounds { unwind: 1, recursion, max_blocks: 1000 })
}

#[test]
fn a_call_runs_a_copy_of_the_body_between_its_piece_and_the_next() {
    let mut b = Builder::new();
    let (p, q) = (b.procedure("p"), b.procedure("q"));
    let x = b.variable("x");
    let y = b.variable("y");
    let z = b.variable("z");
    let c = b.compare(Op::Ge, x.symbol, 0);
    b.procedures[1].requires = vec![b.contract(c, false)];
    let (xs, ys, zs) = (x.symbol, y.symbol, z.symbol);
    b.procedures[1].params = vec![x];
    b.procedures[1].results = vec![y];
    let twice = b.var(xs);
    let twice = b.op(Op::Add, twice, twice);
    b.body(q, vec![], vec![("Q", vec![StatementKind::Assign(vec![(ys, twice)])], TerminatorKind::Return)]);
    let three = b.int(3);
    b.body(p, vec![z], vec![("P", vec![call(q, &[Some(three)], &[Some(zs)])], TerminatorKind::Return)]);
    let form = flat(&b.finish(), 0);
    assert_eq!(
        graph(&form.body),
        "entry [0] -> P\n\
         P [1] ? P.call : P.fails\n\
         P.call [1] -> q$1$entry\n\
         q$1$entry [0] -> q$1$Q\n\
         q$1$Q [1] -> q$1$exit\n\
         q$1$exit [1] -> P.1\n\
         P.1 [0] -> exit\n\
         exit [0] return\n\
         P.fails [0] fail\n"
    );
    assert_eq!(form.depths, [0, 0, 0, 1, 1, 1, 0, 0, 0]);
    assert_eq!(
        form.body.blocks[8].origin.place,
        Place::Failure { block: BlockId(0), statement: 0, clause: 0 }
    );
    assert_eq!(form.body.blocks[8].origin.procedure, p);
    assert_eq!(form.body.blocks[4].origin.procedure, q);
}

#[test]
fn recursion_is_followed_as_often_as_asked_and_then_cut() {
    for recursion in 0..4 {
        let mut b = Builder::new();
        let p = b.procedure("p");
        b.body(
            p,
            vec![],
            vec![
                ("A", vec![], goto(&[1, 2])),
                ("B", vec![call(p, &[], &[])], goto(&[2])),
                ("C", vec![], TerminatorKind::Return),
            ],
        );
        let form = flat(&b.finish(), recursion);
        assert_eq!(form.depths.iter().max(), Some(&recursion));
        let cut: Vec<BlockId> =
            form.body.block_ids().filter(|&b| form.body[b].terminator.kind == TerminatorKind::Cut).collect();
        assert_eq!(cut.len(), 1);
        assert_eq!(form.body[cut[0]].origin.place, Place::Segment { block: BlockId(1), first: 0 });
        let behind: Vec<&str> = form.cuts.iter().map(|&(_, next)| &*form.cyclic[next].name).collect();
        assert!(behind.contains(&"entry"), "behind the cut the procedure starts again: {behind:?}");
        assert!(form.notes.is_empty());
    }
}

#[test]
fn a_contract_forgets_what_is_modified_and_remembers_what_was() {
    let mut b = Builder::new();
    let g = b.global("g");
    let old = b.globals[0].old;
    let (p, q) = (b.procedure("p"), b.procedure("q"));
    let (gt, ot) = (b.var(g), b.var(old));
    let grows = b.op(Op::Gt, gt, ot);
    b.procedures[1].ensures = vec![b.contract(grows, false)];
    b.procedures[1].modifies = vec![g];
    b.procedures[0].modifies = vec![g];
    b.body(p, vec![], vec![("P", vec![call(q, &[], &[])], TerminatorKind::Return)]);
    let form = flat(&b.finish(), 0);
    assert_eq!(
        graph(&form.body),
        "entry [0] -> P\n\
         P [2] -> P.call\n\
         P.call [1] -> P.1\n\
         P.1 [0] -> exit\n\
         exit [0] return\n"
    );
    let StatementKind::Assume(c) = form.body.blocks[2].statements[0].kind else { panic!("an assumption") };
    let text = form.terms.display(c).to_string();
    assert!(text.contains("q$1$old$g") && !text.contains("old(g)"), "{text}");
}

#[test]
fn type_parameters_become_the_sorts_of_the_arguments() {
    let mut b = Builder::new();
    let (p, q) = (b.procedure("p"), b.procedure("q"));
    let a = b.terms.fresh_type_var("a");
    let a_sort = b.terms.mk_sort(Sort::Var(a));
    let (mut x, mut y, mut z) = (b.variable("x"), b.variable("y"), b.variable("z"));
    x.symbol = b.terms.fresh_symbol("x", a_sort);
    y.symbol = b.terms.fresh_symbol("y", a_sort);
    z.symbol = b.terms.fresh_symbol("z", a_sort);
    let (xs, ys, zs) = (x.symbol, y.symbol, z.symbol);
    let target = b.variable("t");
    let ts = target.symbol;
    b.procedures[1].type_params = vec![a];
    b.procedures[1].params = vec![x];
    b.procedures[1].results = vec![y];
    let (xt, zt) = (b.var(xs), b.var(zs));
    b.body(
        q,
        vec![z],
        vec![(
            "Q",
            vec![StatementKind::Assign(vec![(zs, xt)]), StatementKind::Assign(vec![(ys, zt)])],
            TerminatorKind::Return,
        )],
    );
    let one = b.int(1);
    b.body(p, vec![target], vec![("P", vec![call(q, &[Some(one)], &[Some(ts)])], TerminatorKind::Return)]);
    let form = flat(&b.finish(), 0);
    for local in &form.body.locals {
        assert_eq!(local.sort(&form.terms), SortId::INT);
    }
}

#[test]
fn each_of_several_bodies_may_run() {
    let mut b = Builder::new();
    let (p, q) = (b.procedure("p"), b.procedure("q"));
    b.body(q, vec![], vec![("Q", vec![], TerminatorKind::Return)]);
    b.body(q, vec![], vec![("Q", vec![], TerminatorKind::Return)]);
    b.body(p, vec![], vec![("P", vec![call(q, &[], &[])], TerminatorKind::Return)]);
    let form = flat(&b.finish(), 0);
    assert!(graph(&form.body).contains("P [0] -> q$1$0$entry, q$1$1$entry\n"), "{}", graph(&form.body));
}

#[test]
fn a_call_too_many_is_cut_and_what_lies_behind_it_is_known() {
    let mut b = Builder::new();
    let (p, q, r) = (b.procedure("p"), b.procedure("q"), b.procedure("r"));
    let name: Arc<str> = "R".into();
    b.body(r, vec![], vec![("R", vec![], TerminatorKind::Return)]);
    b.body(q, vec![], vec![("Q", vec![call(r, &[], &[])], TerminatorKind::Return)]);
    b.body(p, vec![], vec![("P", vec![call(q, &[], &[])], TerminatorKind::Return)]);
    let program = b.finish();
    let form = unrolled(&program, p, 0, Bounds { unwind: 1, recursion: 1, max_blocks: 5 });
    assert_eq!(form.notes, ["some calls of `q` were cut: more than 5 blocks"]);
    let mut seen = vec![false; form.cyclic.blocks.len()];
    let mut stack: Vec<BlockId> = form.cuts.iter().map(|c| c.1).collect();
    let mut names = Vec::new();
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            names.push(form.cyclic[block].name.clone());
            stack.extend(form.cyclic[block].terminator.successors());
        }
    }
    assert!(names.iter().any(|n| n.starts_with(&*name)), "{names:?}");
    assert!(names.iter().any(|n| &**n == "P.1"), "{names:?}");
}
