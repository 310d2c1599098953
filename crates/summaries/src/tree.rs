//! A summary: what a call of a procedure may do, as a tree of decisions.
//!
//! The inner nodes are decisions over the formals, the globals and arbitrary values; the leaves are paths of the
//! procedure with their effects, or places where it was not explored further. A node is never taken back: an open leaf
//! may become a tree of its own, in place, so whoever stands at a node may go on from there.

use std::sync::Arc;

use footpath_cover::{Recipe, RecipeEvent};
use footpath_ir::{BlockId, Body, Origin};
use footpath_term::{Substitution, SymbolId, TermId, Value};
use footpath_transform::state::State;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call_graph::Chain;

/// Names a summary of an [`Explorer`](crate::explore::Explorer).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SummaryId(pub(crate) u32);

impl SummaryId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a node of a [`Summary`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    /// Where every run begins.
    pub(crate) const ROOT: NodeId = NodeId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The summary of a procedure at the end of a chain of calls.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) chain: Chain,
    /// The procedure's bodies, their loops unwound, calls in place.
    pub(crate) bodies: Vec<Arc<Body>>,
    pub(crate) nodes: Vec<Node>,
    /// How many leaves there are, open ones left out.
    pub(crate) leaves: usize,
    /// What some run passed.
    pub(crate) passed: FxHashSet<Origin>,
    /// How often it was explored further than at first.
    pub(crate) rounds: u32,
    /// Whether it was explored for the first time.
    pub(crate) begun: bool,
    /// What was decided, in order, for the store.
    pub(crate) log: Vec<Decision>,
    /// How long the log was in the store.
    pub(crate) stored: usize,
    /// Whether it was made again from decisions that were known.
    pub(crate) recalled: bool,
    /// Whether exploring it was broken off, so that the log does not say where it stands.
    pub(crate) broken_off: bool,
}

/// What a solver was needed for, or a preference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// An open leaf was explored.
    Explore(NodeId),
    /// Of a condition, which sides have runs, and which was taken.
    Sides {
        /// Tells whether it is the same condition, on the same path.
        condition: u64,
        /// Whether it may hold.
        yes: bool,
        /// Whether it may not hold.
        no: bool,
        /// Whether the run in hand went where it holds.
        taken: bool,
    },
    /// The run waits in a callee at this node, below which that was not explored then.
    Waits(NodeId),
    /// Paths that differ in values only became one.
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
    /// A path that ends in an assumption that does not hold.
    Blocked(Vec<Origin>),
    /// The bound was reached.
    Bound(Vec<Origin>),
    /// Not explored further yet.
    Open(Box<Config>),
    /// Not explored further; the text says why.
    GivenUp(Arc<str>),
}

/// What a run along a complete path does.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The results, by position; over values at the entry. Empty for a failure.
    pub(crate) results: Vec<TermId>,
    /// The globals it changes.
    pub(crate) globals: Vec<(SymbolId, TermId)>,
    /// The conditions under which a run takes it.
    pub(crate) path: Vec<TermId>,
    /// What it asks for.
    pub(crate) recipe: Arc<Recipe>,
    /// The places of the component's procedures that it passes.
    pub(crate) passed: Vec<Origin>,
    /// Values of formals and globals under which a run takes it, if the solver named some.
    pub(crate) model: Option<Values>,
}

impl Path {
    /// All terms of it.
    pub(crate) fn conditions(&self) -> Vec<TermId> {
        let globals = self.globals.iter().map(|(_, t)| *t);
        self.path.iter().chain(&self.results).copied().chain(globals).collect()
    }
}

/// Values of symbols.
pub(crate) type Values = Arc<FxHashMap<SymbolId, Value>>;

/// A run under way.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) at: Position,
    /// Which of the bodies runs.
    pub(crate) body: u32,
    pub(crate) state: State,
    /// What was decided so far, as far as it could have been decided otherwise.
    pub(crate) path: Vec<TermId>,
    /// Values that satisfy `path`, if known.
    pub(crate) model: Option<Values>,
    pub(crate) events: Vec<RecipeEvent>,
    pub(crate) passed: Vec<Origin>,
}

/// Where a run stands.
#[derive(Clone, Debug)]
pub(crate) enum Position {
    /// Before the choice of a body.
    Start,
    /// At a statement of a block.
    Block(BlockId, usize),
    /// In a callee, at a node of its summary.
    Call(Box<CallAt>),
}

/// A run in a callee.
#[derive(Clone, Debug)]
pub(crate) struct CallAt {
    pub(crate) callee: SummaryId,
    pub(crate) node: NodeId,
    /// What the callee's formals and arbitrary values are here.
    pub(crate) map: Substitution,
    /// What the callee's arbitrary symbols are called here.
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

    /// The open leaves below a node, as far as their runs do not wait in a callee unless `waiting` ones count too.
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
