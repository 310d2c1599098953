//! Source bodies become prepared ones.

use footpath_ir::{BlockId, Body, Place, ProcId, Program, StatementKind, TerminatorKind};
use footpath_term::{Op, Terms};
use footpath_transform::prepare::{Role, prepare};
use footpath_transform::{Bounds, What, objectives, unrolled};

use crate::build::{Builder, assert, assume, branch, call, goto, graph};

fn prepared(program: &Program) -> (Terms, Body) {
    let mut terms = Terms::layer(program.terms.clone());
    let body = prepare(program, &mut terms, ProcId(0), 0, Role::Root);
    (terms, body)
}

fn check_graph(body: &Body, expected: &str) {
    let expected: String = expected.trim().lines().map(|l| format!("{}\n", l.trim())).collect();
    assert_eq!(graph(body), expected);
}

#[test]
fn the_entry_assumes_where_clauses_and_preconditions_over_the_bodys_own_names() {
    let mut b = Builder::new();
    let g = b.global("g");
    b.globals[0].variable.where_clause = Some(b.compare(Op::Ge, g, 0));
    let p = b.procedure("p");
    let mut formal = b.variable("x");
    formal.where_clause = Some(b.compare(Op::Ge, formal.symbol, 1));
    let condition = b.compare(Op::Lt, formal.symbol, 2);
    b.procedures[0].requires = vec![b.contract(condition, false), b.contract(condition, true)];
    b.procedures[0].params = vec![formal];
    let mut local = b.variable("z");
    local.where_clause = Some(b.compare(Op::Ge, local.symbol, 3));
    b.body(p, vec![local], vec![("A", vec![], TerminatorKind::Return)]);
    let own = b.variable("own");
    b.procedures[0].bodies[0].params = vec![own];
    let program = b.finish();
    let (terms, body) = prepared(&program);
    let assumed: Vec<String> = body.blocks[0]
        .statements
        .iter()
        .map(|s| match s.kind {
            StatementKind::Assume(c) => terms.display(c).to_string(),
            _ => panic!("only assumptions"),
        })
        .collect();
    assert_eq!(assumed.len(), 5, "{assumed:?}");
    assert!(assumed[0].contains('g') && assumed[2].contains('z'), "{assumed:?}");
    assert!([1, 3, 4].iter().all(|&i| assumed[i].contains("own")), "{assumed:?}");
    assert_eq!(body.blocks[0].origin.place, Place::Entry);
}

#[test]
fn blocks_are_cut_at_assertions_and_at_assumptions_behind_assignments() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let x = b.variable("x");
    let s = x.symbol;
    let (c, d) = (b.compare(Op::Lt, s, 5), b.compare(Op::Gt, s, 1));
    let add = b.add(s, 1);
    b.body(
        p,
        vec![x],
        vec![
            ("A", vec![assume(c), add.clone(), assert(d), add.clone(), assume(c), add], goto(&[1])),
            ("B", vec![assert(c)], TerminatorKind::Return),
        ],
    );
    let program = b.finish();
    let (_, body) = prepared(&program);
    check_graph(
        &body,
        "
        entry [0] -> A
        A [2] ? A.1 : A.fails
        A.fails [0] fail
        A.1 [1] -> A.2
        A.2 [2] -> B
        B [0] ? exit : B.fails
        B.fails [0] fail
        exit [0] return
        ",
    );
    let firsts: Vec<u32> = body
        .blocks
        .iter()
        .filter_map(|b| match b.origin.place {
            Place::Segment { block: BlockId(0), first } => Some(first),
            _ => None,
        })
        .collect();
    assert_eq!(firsts, [0, 3, 4]);
    let source = &program.procedures[0].bodies[0].blocks[0].statements;
    assert_eq!(body.blocks[1].terminator.span, source[2].span);
    assert_eq!(body.blocks[2].span, source[2].span);
    assert_eq!(body.blocks[1].span, source[0].span.to(source[2].span));
    assert_eq!(body.blocks[2].origin.place, Place::Failure { block: BlockId(0), statement: 2, clause: 0 });
}

#[test]
fn a_havoc_is_followed_by_the_where_clauses_of_its_variables() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let mut x = b.variable("x");
    let s = x.symbol;
    x.where_clause = Some(b.compare(Op::Ge, s, 0));
    b.body(p, vec![x], vec![("A", vec![StatementKind::Havoc(vec![s])], TerminatorKind::Return)]);
    let program = b.finish();
    let (_, body) = prepared(&program);
    check_graph(
        &body,
        "
        entry [1] -> A
        A [1] -> A.1
        A.1 [1] -> exit
        exit [0] return
        ",
    );
    assert_eq!(body.blocks[2].origin.place, Place::Segment { block: BlockId(0), first: 1 });
}

#[test]
fn a_choice_between_opposite_assumptions_is_a_branch() {
    for (op, other) in [(Op::Lt, Op::Ge), (Op::Eq, Op::Distinct), (Op::Gt, Op::Le)] {
        let mut b = Builder::new();
        let p = b.procedure("p");
        let x = b.variable("x");
        let (c, d) = (b.compare(op, x.symbol, 3), b.compare(other, x.symbol, 3));
        let ends = || TerminatorKind::Return;
        let blocks = vec![
            ("A", vec![], goto(&[1, 2])),
            ("B", vec![assume(c)], ends()),
            ("C", vec![assume(d)], ends()),
        ];
        b.body(p, vec![x], blocks);
        let program = b.finish();
        let (_, body) = prepared(&program);
        let TerminatorKind::Branch { condition, .. } = body.blocks[1].terminator.kind else {
            panic!("{}", graph(&body))
        };
        assert_eq!(condition, c);
        assert_eq!(
            body.blocks[1].terminator.span,
            program.procedures[0].bodies[0].blocks[1].statements[0].span
        );
        assert_eq!(body.blocks[2].statements.len(), 1, "the assumption stays");
        let bounds = Bounds { unwind: 0, recursion: 0, max_blocks: 100 };
        let form = unrolled(&program, p, 0, bounds);
        assert_eq!(form.source_choice(&program, BlockId(1), 1), Some(1), "the source still chooses");
        assert_eq!(form.source_choice(&program, BlockId(2), 0), None);
    }
}

#[test]
fn a_choice_between_assumptions_that_overlap_stays_free() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let x = b.variable("x");
    let (c, d) = (b.compare(Op::Le, x.symbol, 3), b.compare(Op::Ge, x.symbol, 3));
    let blocks = vec![
        ("A", vec![], goto(&[1, 2])),
        ("B", vec![assume(c)], TerminatorKind::Return),
        ("C", vec![assume(d)], TerminatorKind::Return),
    ];
    b.body(p, vec![x], blocks);
    let (_, body) = prepared(&b.finish());
    assert_eq!(body.blocks[1].terminator.kind, goto(&[2, 3]));
}

#[test]
fn critical_edges_get_blocks_even_where_both_targets_are_the_same() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let x = b.variable("x");
    let c = b.compare(Op::Lt, x.symbol, 5);
    b.body(
        p,
        vec![x],
        vec![
            ("A", vec![], branch(c, 1, 2)),
            ("B", vec![], goto(&[2, 2])),
            ("C", vec![], TerminatorKind::Return),
        ],
    );
    let program = b.finish();
    let (_, body) = prepared(&program);
    check_graph(
        &body,
        "
        entry [0] -> A
        A [0] ? B : A.to.C
        A.to.C [0] -> C
        B [0] -> B.to.C, B.to.C'
        B.to.C [0] -> C
        B.to.C' [0] -> C
        C [0] -> exit
        exit [0] return
        ",
    );
    assert_eq!(body.blocks[2].origin.place, Place::Edge { block: BlockId(0), successor: 1 });
    assert_eq!(body.blocks[5].origin.place, Place::Edge { block: BlockId(1), successor: 1 });
}

#[test]
fn objectives_name_everything_once_in_source_order_dead_code_included() {
    let mut b = Builder::new();
    let g = b.global("g");
    let p = b.procedure("p");
    let q = b.procedure("q");
    let c = b.compare(Op::Lt, g, 5);
    b.procedures[0].ensures = vec![b.contract(c, true), b.contract(c, false), b.contract(c, false)];
    b.procedures[1].requires = vec![b.contract(c, true), b.contract(c, false)];
    b.body(
        p,
        vec![],
        vec![
            ("A", vec![call(q, &[], &[]), assert(c)], TerminatorKind::Return),
            ("dead", vec![assert(c)], TerminatorKind::Return),
        ],
    );
    let program = b.finish();
    let found = objectives(&program, p, 0);
    let listed: Vec<String> = found.iter().map(|o| format!("{} {:?}", o.name, o.what)).collect();
    assert_eq!(
        listed,
        [
            "A Statements",
            "A.requires.1 Failure(Requires)",
            "A.1 Statements",
            "A.1.to.exit Edge",
            "A.1.fails Failure(Assert)",
            "dead Statements",
            "dead.to.exit Edge",
            "dead.fails Failure(Assert)",
            "exit Return",
            "exit.fails Failure(Ensures)",
            "exit.1.fails Failure(Ensures)",
        ]
    );
    assert_eq!(found[8].what, What::Return);
    assert_eq!(found[10].origin.place, Place::EnsuresFailure { clause: 2 });
}

#[test]
fn labels_that_look_like_pieces_keep_their_names() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let x = b.variable("x");
    let c = b.compare(Op::Lt, x.symbol, 5);
    let add = b.add(x.symbol, 1);
    b.body(
        p,
        vec![x],
        vec![
            ("A", vec![add, assume(c)], goto(&[1])),
            ("A.1", vec![], goto(&[2])),
            ("exit", vec![], TerminatorKind::Return),
        ],
    );
    let (_, body) = prepared(&b.finish());
    let names: Vec<&str> = body.blocks.iter().map(|b| &*b.name).collect();
    assert_eq!(names, ["entry", "A", "A.1'", "A.1", "exit", "exit'"]);
}
