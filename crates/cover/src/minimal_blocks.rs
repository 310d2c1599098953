//! Minimal blocks by dominators, and the two baseline algorithms of RVC (Christ, Hoenicke, Schäf 2012), section 7.
//!
//! **Idea.** A block is *minimal* if no other block is passed by a strict subset of the runs that pass it. In a
//! graph, all runs through `c` pass `b` if `b` dominates or post-dominates `c`. Covering the minimal blocks covers
//! all blocks.
//!
//! **Example.** In `a; if (c) { b } else { d } e` the minimal blocks are `b` and `d`: every run through one of them
//! also passes `a` and `e`.
//!
//! * *Worst-case optimal* (Hoenicke, Leino, Podelski, Schäf, Wies: It's doomed; we can prove it, FM 2009): one query
//!   for each minimal block.
//! * *Query optimal* (Bertolini, Schäf, Schweitzer: Infeasible code detection, VSTTE 2012): each query demands a run
//!   through as many uncovered minimal blocks as possible; the number is decreased until there is such a run. It
//!   starts at the greatest number of minimal blocks on a path of the graph, as no run passes more.
//!
//! Both are kept for comparison, and as oracles: they must agree with the other algorithms on every block.
//!
//! **Direction of error.** None: goals that no minimal block represents are asked one by one at the end.

use footpath_ir::{BlockId, Body, TerminatorKind};
use footpath_smt::Answer;
use footpath_term::{Op, SortId, TermId};

use super::CoverError;
use super::session::{Session, Status};
use super::statement::{self, Guidance};
use footpath_ir::analysis::dominators::{dominators, post_dominators};

/// One query for each goal at a minimal block, whether it is covered by then or not.
pub(super) fn worst_case(s: &mut Session) -> Result<(), CoverError> {
    for i in minimal_goals(s) {
        if s.is_over() {
            break;
        }
        match s.ask(&[s.goals[i].covered]) {
            Answer::Sat => {
                s.take_model()?;
            }
            Answer::Unsat => s.settle(&[i], &Status::Infeasible),
            Answer::Unknown(why) => {
                let why = s.why_open(&why);
                s.settle(&[i], &Status::Unknown(why));
            }
        }
    }
    statement::run(s, Guidance::None)
}

/// Queries for runs through as many uncovered minimal blocks as possible.
pub(super) fn query_optimal(s: &mut Session) -> Result<(), CoverError> {
    let minimal = minimal_goals(s);
    let mut demand = usize::MAX;
    loop {
        let open: Vec<usize> =
            minimal.iter().copied().filter(|&i| s.goals[i].status == Status::Open).collect();
        if open.is_empty() || s.is_over() {
            break;
        }
        demand = demand.min(most_on_a_path(s, &open));
        let at_least = at_least(s, &open, demand);
        match s.ask(&[at_least]) {
            Answer::Sat => {
                s.take_model()?;
            }
            Answer::Unsat if demand <= 1 => {
                s.settle(&open, &Status::Infeasible);
                break;
            }
            Answer::Unsat => demand -= 1,
            Answer::Unknown(_) => break,
        }
    }
    statement::run(s, Guidance::None)
}

/// An upper bound on how many of the goals one run covers, from the control flow.
fn most_on_a_path(s: &Session, goals: &[usize]) -> usize {
    let body = &s.unit.body;
    let mut most = vec![0; body.blocks.len()];
    for b in body.block_ids().collect::<Vec<_>>().into_iter().rev() {
        let here = goals.iter().filter(|&&i| s.goals[i].blocks.contains(&b)).count();
        let ahead = body[b].terminator.successors().iter().map(|t| most[t.index()]).max().unwrap_or(0);
        most[b.index()] = here + ahead;
    }
    // A goal with several copies may be counted more than once.
    most.first().map_or(1, |&m: &usize| m.clamp(1, goals.len()))
}

/// A literal that demands at least `n` of the goals.
fn at_least(s: &mut Session, goals: &[usize], n: usize) -> TermId {
    let (zero, one) = (s.terms.int(0), s.terms.int(1));
    let mut counted = Vec::with_capacity(goals.len());
    for &i in goals {
        let covered = s.goals[i].covered;
        counted.push(s.terms.mk(Op::Ite, [covered, one, zero], SortId::INT));
    }
    let sum = if counted.len() == 1 { counted[0] } else { s.terms.mk(Op::Add, counted, SortId::INT) };
    let n = s.terms.int(n as u64);
    let enough = s.terms.mk(Op::Le, [n, sum], SortId::BOOL);
    s.enabling(&[enough])
}

/// The open goals at minimal blocks, one for each set of runs.
fn minimal_goals(s: &Session) -> Vec<usize> {
    let blocks = minimal_blocks(&s.unit.body);
    let mut goals = Vec::new();
    for b in blocks {
        let at = s.goals.iter().position(|g| g.blocks.contains(&b) && g.status == Status::Open);
        if let Some(i) = at
            && !goals.contains(&i)
        {
            goals.push(i);
        }
    }
    goals
}

/// The minimal blocks of an acyclic body in topological order; of several that the same runs pass, one that has
/// statements of the source if there is one.
pub(super) fn minimal_blocks(body: &Body) -> Vec<BlockId> {
    let n = body.blocks.len();
    let (dominators, post_dominators) = (dominators(body), post_dominators(body));
    // `b` contains `c` if all runs through `c` pass `b`.
    let contains = |tree: &[Option<BlockId>], b: usize, mut c: usize| {
        while let Some(up) = tree[c] {
            if up.index() == b {
                return true;
            }
            c = up.index();
        }
        false
    };
    let superset = |b: usize, c: usize| contains(&dominators, b, c) || contains(&post_dominators, b, c);
    let rank = |b: usize| {
        let source = matches!(body.blocks[b].origin.place, footpath_ir::Place::Segment { .. });
        (!source, b)
    };
    let is_cut = |b: usize| body.blocks[b].terminator.kind == TerminatorKind::Cut;
    (0..n)
        .filter(|&b| !is_cut(b))
        .filter(|&b| {
            (0..n).all(|c| {
                if b == c || is_cut(c) || !superset(b, c) {
                    return true;
                }
                // The same runs pass both: only the better one counts.
                superset(c, b) && rank(b) < rank(c)
            })
        })
        .map(|b| BlockId(b as u32))
        .collect()
}
