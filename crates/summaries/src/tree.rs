//! A summary as a decision tree: the paths that a call of a procedure may take, and their effects.
//!
//! The inner nodes are decisions over the formals, the globals and arbitrary values; the leaves are paths of the
//! procedure with their effects, or open leaves, where the procedure was not explored further. A node is never
//! removed: an open leaf may be replaced by a tree, in place, so a run that waits at a node can continue from there.
//!
//! **Example.** `abs(x)` after one path: a branch on `x < 0` to a leaf "returns `-x`" and an open leaf.

use std::sync::Arc;

use footpath_cover::{Recipe, RecipeEvent};
use footpath_ir::{BlockId, Body, Origin};
use footpath_term::{Substitution, SymbolId, TermId, Value};
use footpath_transform::state::State;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call_graph::Chain;

/// The id of a summary of an [`Explorer`](crate::explore::Explorer).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SummaryId(pub(crate) u32);

impl SummaryId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of a node of a [`Summary`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    /// The node where every run begins.
    pub(crate) const ROOT: NodeId = NodeId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The summary of a procedure for a chain of calls.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) chain: Chain,
    /// The procedure's bodies, with loops unwound and calls kept.
    pub(crate) bodies: Vec<Arc<Body>>,
    pub(crate) nodes: Vec<Node>,
    /// The number of leaves, without open ones.
    pub(crate) leaves: usize,
    /// The places that some run passed.
    pub(crate) passed: FxHashSet<Origin>,
    /// How often it was explored further after the first time.
    pub(crate) rounds: u32,
    /// Whether it was explored for the first time.
    pub(crate) begun: bool,
    /// The log of decisions, in order, for the cache.
    pub(crate) log: Vec<Decision>,
    /// The length of the log in the cache.
    pub(crate) stored: usize,
    /// Whether it was reconstructed from recorded decisions.
    pub(crate) recalled: bool,
    /// Whether its exploration was interrupted, so that the log does not describe its state.
    pub(crate) broken_off: bool,
}

/// A decision of the solver, or of a heuristic, that is needed to reconstruct a summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// An open leaf was explored.
    Explore(NodeId),
    /// The feasible sides of a condition, and the side that was taken.
    Sides {
        /// The fingerprint of the condition and of its path.
        condition: u64,
        /// Whether it may hold.
        yes: bool,
        /// Whether it may not hold.
        no: bool,
        /// Whether the run continued on the side where it holds.
        taken: bool,
    },
    /// The run waits in a callee at this node, below which the callee was not explored then.
    Waits(NodeId),
    /// Paths that differ only in values were merged.
    Merge,
}

/// A node of a [`Summary`].
#[derive(Debug)]
pub(crate) enum Node {
    /// To `yes` if the condition holds, to `no` otherwise.
    Branch { condition: TermId, yes: NodeId, no: NodeId },
    /// To any of them.
    Choice(Vec<NodeId>),
    /// A path that returns.
    Return(Arc<Path>),
    /// A path that ends in a failure.
    Fail(Arc<Path>, Origin),
    /// A path that ends in a false assumption.
    Blocked(Vec<Origin>),
    /// The bound was reached.
    Bound(Bounded, Vec<Origin>),
    /// An open leaf: not explored further yet.
    Open(Box<Config>),
    /// Never explored further; the text is the reason.
    GivenUp(Arc<str>),
}

/// Which bound was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bounded {
    /// That on iterations of a loop.
    Iterations,
    /// That on open calls of a procedure.
    OpenCalls,
}

/// The effect of a run along a complete path.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The results, by position, over values at the entry. Empty for a failure.
    pub(crate) results: Vec<TermId>,
    /// The globals it changes, with their values at the end.
    pub(crate) globals: Vec<(SymbolId, TermId)>,
    /// The conditions under which a run takes it.
    pub(crate) path: Vec<TermId>,
    /// The arbitrary values and choices that it asks for.
    pub(crate) recipe: Arc<Recipe>,
    /// The places of the component's procedures that it passes.
    pub(crate) passed: Vec<Origin>,
    /// Values of formals and globals for which a run takes it, if the solver gave some.
    pub(crate) model: Option<Values>,
}

impl Path {
    /// All its terms: conditions, results and values of globals.
    pub(crate) fn conditions(&self) -> Vec<TermId> {
        let globals = self.globals.iter().map(|(_, t)| *t);
        self.path.iter().chain(&self.results).copied().chain(globals).collect()
    }
}

/// Values of symbols.
pub(crate) type Values = Arc<FxHashMap<SymbolId, Value>>;

/// The configuration of a run that is not complete.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) at: Position,
    /// Which of the bodies runs.
    pub(crate) body: u32,
    pub(crate) state: State,
    /// The path condition, without conditions that are implied.
    pub(crate) path: Vec<TermId>,
    /// Values that satisfy `path`, if known.
    pub(crate) model: Option<Values>,
    pub(crate) events: Vec<RecipeEvent>,
    pub(crate) passed: Vec<Origin>,
}

/// The position of a run.
#[derive(Clone, Debug)]
pub(crate) enum Position {
    /// Before the choice of a body.
    Start,
    /// At a statement of a block.
    Block(BlockId, usize),
    /// In a callee, at a node of its summary.
    Call(Box<CallAt>),
}

/// The position of a run in a callee.
#[derive(Clone, Debug)]
pub(crate) struct CallAt {
    pub(crate) callee: SummaryId,
    pub(crate) node: NodeId,
    /// The callee's formals and arbitrary values as terms of the caller.
    pub(crate) map: Substitution,
    /// The caller's symbols for the callee's arbitrary values.
    pub(crate) names: Vec<(SymbolId, SymbolId)>,
    /// The variables that take the results.
    pub(crate) results: Vec<Option<SymbolId>>,
    pub(crate) next: BlockId,
}

impl Summary {
    pub(crate) fn new(chain: Chain, bodies: Vec<Arc<Body>>, start: Config) -> Summary {
        Summary {
            chain,
            bodies,
            nodes: vec![Node::Open(Box::new(start))],
            leaves: 0,
            passed: FxHashSet::default(),
            rounds: 0,
            begun: false,
            log: Vec::new(),
            stored: 0,
            recalled: false,
            broken_off: false,
        }
    }

    /// The open leaves below a node; those whose runs wait in a callee only if `waiting`.
    pub(crate) fn open_below(&self, node: NodeId, waiting: bool) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut stack = vec![node];
        while let Some(n) = stack.pop() {
            match &self.nodes[n.index()] {
                Node::Branch { yes, no, .. } => stack.extend([*no, *yes]),
                Node::Choice(targets) => stack.extend(targets.iter().rev()),
                Node::Open(config) if waiting || !matches!(config.at, Position::Call(_)) => found.push(n),
                _ => {}
            }
        }
        found
    }
}
