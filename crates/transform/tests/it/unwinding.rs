//! Loops.

use footpath_ir::analysis::wto::Wto;
use footpath_ir::{BlockId, Place, ProcId, TerminatorKind};
use footpath_term::Op;
use footpath_transform::{Bounds, LoopFree, unrolled};

use crate::build::{Builder, branch, goto, graph};
use crate::generate::Random;

fn flat(program: &footpath_ir::Program, unwind: u32) -> LoopFree {
    unrolled(program, ProcId(0), 0, Bounds { unwind, recursion: 1, max_blocks: 10_000 })
}

fn check_graph(form: &LoopFree, expected: &str) {
    let expected: String = expected.trim().lines().map(|l| format!("{}\n", l.trim())).collect();
    assert_eq!(graph(&form.body), expected);
}

#[test]
fn a_while_loop_has_one_more_test_than_rounds() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let i = b.variable("i");
    let s = i.symbol;
    let c = b.compare(Op::Lt, s, 5);
    let step = b.add(s, 1);
    b.body(
        p,
        vec![i],
        vec![
            ("start", vec![], goto(&[1])),
            ("head", vec![], branch(c, 2, 3)),
            ("body", vec![step], goto(&[1])),
            ("end", vec![], TerminatorKind::Return),
        ],
    );
    let form = flat(&b.finish(), 2);
    check_graph(
        &form,
        "
        entry [0] -> start
        start [0] -> head
        head [0] ? body : end
        body [1] -> head~1
        head~1 [0] ? body~1 : end~1
        body~1 [1] -> head~2
        head~2 [0] ? body~2 : end~2
        body~2 [1] -> head~cut1
        head~cut1 [0] cut
        end~2 [0] -> exit
        end~1 [0] -> exit
        end [0] -> exit
        exit [0] return
        ",
    );
    let (cut, next) = form.cuts[0];
    assert_eq!(form.body[cut].origin.place, Place::Cut { block: BlockId(1) });
    assert_eq!(&*form.cyclic[next].name, "head");
}

#[test]
fn a_statement_behind_a_loop_is_not_copied() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let i = b.variable("i");
    let s = i.symbol;
    let c = b.compare(Op::Lt, s, 5);
    let (step, after) = (b.add(s, 1), b.add(s, 7));
    b.body(
        p,
        vec![i],
        vec![
            ("start", vec![], goto(&[1])),
            ("head", vec![], branch(c, 2, 3)),
            ("body", vec![step], goto(&[1])),
            ("end", vec![after], TerminatorKind::Return),
        ],
    );
    let form = flat(&b.finish(), 3);
    let ends = form.body.blocks.iter().filter(|b| &*b.name == "end").count();
    let edges = form.body.blocks.iter().filter(|b| b.name.starts_with("head.to.end")).count();
    assert_eq!((ends, edges), (1, 4));
}

#[test]
fn rounds_of_an_inner_loop_count_anew_each_time_it_is_entered() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    b.body(
        p,
        vec![],
        vec![
            ("start", vec![], goto(&[1])),
            ("outer", vec![], goto(&[2, 4])),
            ("inner", vec![], goto(&[3, 1])),
            ("work", vec![], goto(&[2])),
            ("end", vec![], TerminatorKind::Return),
        ],
    );
    let form = flat(&b.finish(), 2);
    let copies = |name: &str| {
        let index = ["start", "outer", "inner", "work"].iter().position(|n| *n == name).unwrap() as u32;
        let place = Place::Segment { block: BlockId(index), first: 0 };
        form.body.blocks.iter().filter(|b| b.origin.place == place).count()
    };
    assert_eq!((copies("outer"), copies("inner"), copies("work")), (3, 9, 9));
}

#[test]
fn an_irreducible_loop_is_unwound_without_node_splitting() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    b.body(
        p,
        vec![],
        vec![
            ("start", vec![], goto(&[1, 2])),
            ("left", vec![], goto(&[2])),
            ("right", vec![], goto(&[1, 3])),
            ("end", vec![], TerminatorKind::Return),
        ],
    );
    let form = flat(&b.finish(), 2);
    assert_eq!(form.check(), Vec::<String>::new());
    let lefts = form.body.blocks.iter().filter(|b| &*b.name == "left" || b.name.starts_with("left~")).count();
    assert_eq!(lefts, 3 + 1, "three rounds and the cut");
}

#[test]
fn a_hundred_thousand_blocks_in_a_row_are_no_trouble() {
    let count = 100_000u32;
    // A ladder of nested loops at the end, a long chain before.
    let mut successors: Vec<Vec<BlockId>> = (0..count).map(|i| vec![BlockId(i + 1)]).collect();
    successors.push(vec![BlockId(1)]);
    let wto = Wto::of_graph(&successors);
    assert_eq!(wto.components.len(), 1);
    assert_eq!(wto.components[0].head, BlockId(1));
}

#[test]
fn thirty_thousand_loops_go_through_the_whole_pipeline() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    let x = b.variable("x");
    let s = x.symbol;
    let c = b.compare(Op::Lt, s, 5);
    let count = 30_000;
    let mut blocks = vec![("start", vec![], goto(&[1]))];
    for i in 0..count {
        let head = 1 + 2 * i;
        blocks.push(("head", vec![], branch(c, head + 1, head + 2)));
        blocks.push(("body", vec![b.add(s, 1)], goto(&[head])));
    }
    blocks.push(("end", vec![], TerminatorKind::Return));
    b.body(p, vec![x], blocks);
    for (i, block) in b.procedures[0].bodies[0].blocks.iter_mut().enumerate() {
        block.name = format!("{}{i}", block.name).into();
    }
    let form = unrolled(&b.finish(), p, 0, Bounds { unwind: 1, recursion: 0, max_blocks: 1_000_000 });
    assert!(form.notes.is_empty());
    assert_eq!(form.cuts.len(), count as usize);
}

/// All simple cycles of a small graph.
fn cycles(successors: &[Vec<BlockId>]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for start in 0..successors.len() {
        let mut paths = vec![vec![start]];
        while let Some(path) = paths.pop() {
            for s in &successors[*path.last().unwrap()] {
                let s = s.index();
                if s == start {
                    found.push(path.clone());
                } else if s > start && !path.contains(&s) {
                    let mut path = path.clone();
                    path.push(s);
                    paths.push(path);
                }
            }
        }
    }
    found
}

#[test]
fn each_cycle_contains_the_head_of_a_component_around_it() {
    for seed in 0..3000 {
        let mut r = Random::new(seed);
        let count = 1 + r.below(8) as usize;
        let successors: Vec<Vec<BlockId>> = (0..count)
            .map(|_| (0..r.below(4)).map(|_| BlockId(r.below(count as u64) as u32)).collect())
            .collect();
        let wto = Wto::of_graph(&successors);
        for cycle in cycles(&successors) {
            let blocks: Vec<BlockId> = cycle.iter().map(|&b| BlockId(b as u32)).collect();
            if !wto.is_reachable(blocks[0]) {
                continue;
            }
            let held = (0..wto.components.len()).any(|c| {
                let id = footpath_ir::analysis::wto::ComponentId(c as u32);
                blocks.iter().all(|&b| wto.contains(id, b)) && blocks.contains(&wto.components[c].head)
            });
            assert!(held, "seed {seed}: {blocks:?} in {successors:?}: {wto:?}");
        }
        for (i, c) in wto.components.iter().enumerate() {
            assert!(c.parent.is_none_or(|p| (p.0 as usize) < i), "outer components come first");
            assert_eq!(
                wto.innermost(c.head).map(|c| c.0 as usize),
                Some(i),
                "a head lies in its own component"
            );
        }
    }
}

#[test]
fn where_blocks_run_out_the_rest_is_cut_and_noted() {
    let mut b = Builder::new();
    let p = b.procedure("p");
    b.body(
        p,
        vec![],
        vec![
            ("start", vec![], goto(&[1])),
            ("head", vec![], goto(&[1, 2])),
            ("end", vec![], TerminatorKind::Return),
        ],
    );
    let program = b.finish();
    let form = unrolled(&program, ProcId(0), 0, Bounds { unwind: 1_000_000, recursion: 0, max_blocks: 50 });
    assert!(form.body.blocks.len() < 60);
    assert_eq!(form.notes.len(), 1);
    assert!(!form.cuts.is_empty());
}
