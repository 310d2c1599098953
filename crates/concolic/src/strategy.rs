//! Search strategies: which open arm of the execution tree is tried next.
//!
//! Each strategy keeps its own list of arms; one that was closed in the meantime is skipped when its turn comes. A
//! strategy changes what an exploration finds first, never what it finds in the end.
//!
//! * *dfs*: the deepest arm of the latest run. Consecutive queries share most conditions, so they are cheap.
//! * *bfs*: the arm nearest to the root.
//! * *random path*: a random walk from the root (Cadar, Dunbar, Engler, KLEE, OSDI 2008). It favours arms near the
//!   root and is not caught in loops, which grow many arms far down.
//! * *generational*: the arms of the run that covered most, all at once (Godefroid, Levin, Molnar, SAGE, NDSS 2008).
//! * *coverage*: the arm from which an uncovered goal is nearest, by the control flow graph across calls (Burnim,
//!   Sen, ASE 2008). A branch site that was tried without gain is moved back. Of a site, the latest arm of the latest run comes
//!   first, and the earliest of a run that did not end, such as along a list that leads back to itself.
//! * *fitness*: an arm of the run with the least branch distance to an arm that no run took (`strategy/fitness.rs`).
//! * *mix*: these in turn.
//!
//! In a guided search, the arms behind which more is unverified have every second turn (`strategy/unverified.rs`).
//!
//! **Direction of error.** None: the order of queries does not change verdicts.

mod fitness;
mod unverified;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::branch_distance::{Distances, Watch};
use super::cfg_distance::behind;
use super::code::Code;
use super::execution_tree::{Arm, ArmId, NodeId, Tree};
use super::input_mutation::Dice;
use super::machine::Met;
use super::options::Strategy;
use fitness::Fitness;
use unverified::Unverified;

/// The view of the search that a strategy gets.
pub(super) struct View<'v> {
    pub(super) tree: &'v Tree,
    pub(super) code: &'v Code<'v>,
    /// For each goal, whether it is covered.
    pub(super) covered: &'v [bool],
    /// How many goals are covered.
    pub(super) score: usize,
    /// How many blocks away from each block the next uncovered goal is.
    pub(super) blocks: &'v [u32],
    /// The latest run.
    pub(super) ran: &'v Ran<'v>,
    /// Those arms.
    pub(super) watch: &'v Watch,
}

/// The facts about the latest run that strategies use.
pub(super) struct Ran<'v> {
    /// Its branch distances to arms that no run took.
    pub(super) distances: &'v Distances,
    /// The checks that it met, unless they were proved under a premise that held.
    pub(super) unverified: &'v [Met],
    /// How many of them no run met on the same way before.
    pub(super) new_ways: usize,
    /// Whether it was cut short as it did not end.
    pub(super) is_endless: bool,
}

/// A search strategy.
pub(super) trait Picker {
    /// Called after a run that added open arms and was the first to cover `gain` goals.
    fn added(&mut self, view: &View<'_>, arms: &[ArmId], gain: usize);

    /// The arm to be tried next, if this strategy has one.
    fn next(&mut self, view: &View<'_>) -> Option<ArmId>;
}

/// The strategy of that name; in a guided search with a preference for what is unverified.
pub(super) fn picker(strategy: Strategy, seed: u64, unverified_first: bool) -> Box<dyn Picker> {
    let plain = plain(strategy, seed);
    if unverified_first {
        Box::new(Guided { plain, unverified: Unverified::default(), turn: false })
    } else {
        plain
    }
}

fn plain(strategy: Strategy, seed: u64) -> Box<dyn Picker> {
    match strategy {
        Strategy::Dfs => Box::new(Dfs::default()),
        Strategy::Bfs => Box::new(Bfs::default()),
        Strategy::RandomPath => Box::new(RandomPath(Dice::new(seed))),
        Strategy::Generational => Box::new(Generational::default()),
        Strategy::Coverage => Box::new(Coverage::new(seed)),
        Strategy::Fitness => {
            Box::new(Mix::of(vec![Box::new(Fitness::default()), Box::new(Coverage::new(seed))]))
        }
        Strategy::Mix => Box::new(Mix::of(vec![
            Box::new(Coverage::new(seed)),
            Box::new(Generational::default()),
            Box::new(Coverage::new(seed + 1)),
            Box::new(RandomPath(Dice::new(seed))),
        ])),
    }
}

fn is_open(view: &View<'_>, arm: ArmId) -> bool {
    view.tree.arm(arm) == Arm::Open
}

#[derive(Default)]
struct Dfs(Vec<ArmId>);

impl Picker for Dfs {
    fn added(&mut self, _: &View<'_>, arms: &[ArmId], _: usize) {
        self.0.extend(arms);
    }

    fn next(&mut self, view: &View<'_>) -> Option<ArmId> {
        std::iter::from_fn(|| self.0.pop()).find(|&arm| is_open(view, arm))
    }
}

#[derive(Default)]
struct Bfs(BinaryHeap<Reverse<(u32, ArmId)>>);

impl Picker for Bfs {
    fn added(&mut self, view: &View<'_>, arms: &[ArmId], _: usize) {
        self.0.extend(arms.iter().map(|&arm| Reverse((view.tree.node(arm.node).depth, arm))));
    }

    fn next(&mut self, view: &View<'_>) -> Option<ArmId> {
        std::iter::from_fn(|| self.0.pop()).map(|Reverse((_, arm))| arm).find(|&arm| is_open(view, arm))
    }
}

struct RandomPath(Dice);

impl Picker for RandomPath {
    fn added(&mut self, _: &View<'_>, _: &[ArmId], _: usize) {}

    fn next(&mut self, view: &View<'_>) -> Option<ArmId> {
        let mut at: NodeId = 0;
        view.tree.nodes.first().filter(|n| n.open > 0)?;
        loop {
            let node = view.tree.node(at);
            let ways = |arm: &Arm| match arm {
                Arm::Open => true,
                Arm::Taken(Some(next)) => view.tree.node(*next).open > 0,
                _ => false,
            };
            let count = node.arms.iter().filter(|a| ways(a)).count();
            let chosen = self.0.below(count);
            let (number, arm) = node.arms.iter().enumerate().filter(|(_, a)| ways(a)).nth(chosen)?;
            match arm {
                Arm::Taken(Some(next)) => at = *next,
                _ => return Some(ArmId { node: at, arm: number as u32 }),
            }
        }
    }
}

#[derive(Default)]
struct Generational(BinaryHeap<(usize, Reverse<u64>, ArmId)>, u64);

impl Picker for Generational {
    fn added(&mut self, _: &View<'_>, arms: &[ArmId], gain: usize) {
        for &arm in arms {
            self.1 += 1;
            self.0.push((gain, Reverse(self.1), arm));
        }
    }

    fn next(&mut self, view: &View<'_>) -> Option<ArmId> {
        std::iter::from_fn(|| self.0.pop()).map(|(.., arm)| arm).find(|&arm| is_open(view, arm))
    }
}

/// Open arms of one arm of one site.
#[derive(Default)]
struct Bucket {
    arms: Vec<ArmId>,
    /// How often it was tried without gain.
    tries: u32,
}

/// See the module.
struct Coverage {
    dice: Dice,
    buckets: FxHashMap<(u32, u32), usize>,
    list: Vec<((u32, u32), Bucket)>,
    /// How many goals were covered when it last looked.
    score: Option<usize>,
    last: Option<usize>,
}

impl Coverage {
    fn new(seed: u64) -> Coverage {
        Coverage {
            dice: Dice::new(seed),
            buckets: FxHashMap::default(),
            list: Vec::new(),
            score: None,
            last: None,
        }
    }

    fn refresh(&mut self, view: &View<'_>) {
        if self.score == Some(view.score) {
            return;
        }
        if let Some(last) = self.last.filter(|_| self.score.is_some()) {
            self.list[last].1.tries = 0;
        }
        self.score = Some(view.score);
    }
}

impl Picker for Coverage {
    fn added(&mut self, view: &View<'_>, arms: &[ArmId], _: usize) {
        let mut arms = arms.to_vec();
        if view.ran.is_endless {
            // The latest come first, and what leaves such a run late has gone round as often.
            arms.reverse();
        }
        for arm in arms {
            // Assumptions have no site; those that block are on the way to everything behind them.
            let site = view.tree.node(arm.node).site.unwrap_or(u32::MAX);
            let key = (site, arm.arm);
            let at = *self.buckets.entry(key).or_insert_with(|| {
                self.list.push((key, Bucket::default()));
                self.list.len() - 1
            });
            self.list[at].1.arms.push(arm);
        }
    }

    fn next(&mut self, view: &View<'_>) -> Option<ArmId> {
        if view.covered.iter().all(|&c| c) {
            return None;
        }
        self.refresh(view);
        let mut best: Option<(u32, usize)> = None;
        for i in 0..self.list.len() {
            let (key, bucket) = &mut self.list[i];
            while bucket.arms.last().is_some_and(|&arm| !is_open(view, arm)) {
                bucket.arms.pop();
            }
            if bucket.arms.is_empty() {
                continue;
            }
            let (key, tries) = (*key, bucket.tries);
            let distance = match key.0 {
                u32::MAX => 0,
                _ => behind(view.code, view.covered, view.blocks, key),
            };
            if distance == u32::MAX {
                continue;
            }
            let cost = distance.saturating_add(tries);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, i));
            }
        }
        let (_, at) = best?;
        self.last = Some(at);
        let bucket = &mut self.list[at].1;
        bucket.tries += 1;
        // Mostly the latest arm; sometimes any, as the latest may be deep in a loop.
        if self.dice.below(4) == 0 {
            let count = bucket.arms.len();
            bucket.arms.swap(self.dice.below(count), count - 1);
        }
        std::iter::from_fn(|| bucket.arms.pop()).find(|&arm| is_open(view, arm))
    }
}

/// The strategies in turn, and the rest depth first.
struct Mix {
    pickers: Vec<Box<dyn Picker>>,
    rest: Dfs,
    turn: usize,
}

impl Mix {
    fn of(pickers: Vec<Box<dyn Picker>>) -> Mix {
        Mix { pickers, rest: Dfs::default(), turn: 0 }
    }
}

impl Picker for Mix {
    fn added(&mut self, view: &View<'_>, arms: &[ArmId], gain: usize) {
        for picker in &mut self.pickers {
            picker.added(view, arms, gain);
        }
        self.rest.added(view, arms, gain);
    }

    fn next(&mut self, view: &View<'_>) -> Option<ArmId> {
        // With nothing left to cover, what remains is to finish, and that is cheapest depth first.
        if view.covered.iter().all(|&c| c) {
            return self.rest.next(view);
        }
        self.turn += 1;
        let turn = self.turn % self.pickers.len();
        self.pickers[turn].next(view).or_else(|| self.rest.next(view))
    }
}

/// A strategy and the preference for unverified checks, in turn: long runs meet many checks, but a failure may be
/// near.
struct Guided {
    plain: Box<dyn Picker>,
    unverified: Unverified,
    turn: bool,
}

impl Picker for Guided {
    fn added(&mut self, view: &View<'_>, arms: &[ArmId], gain: usize) {
        self.plain.added(view, arms, gain);
        self.unverified.added(view, arms, gain);
    }

    fn next(&mut self, view: &View<'_>) -> Option<ArmId> {
        self.turn = !self.turn;
        if self.turn {
            return self.unverified.next(view).or_else(|| self.plain.next(view));
        }
        self.plain.next(view).or_else(|| self.unverified.next(view))
    }
}
