//! A summary as a body of the program form, which the inliner puts in the place of a call.
//!
//! **Idea.** The decision tree becomes blocks: a branch for each decision, an assignment of all effects for each path
//! that returns, a failure for each path that fails, a cut where the bound was reached. An *open* leaf, where the
//! procedure was not explored further, havocs what a call may write and returns: it has every effect that the
//! procedure can have, and more. The values that decide whether a run reaches an open leaf are copied to separate
//! variables (`seen`), so that a model has values for them.
//!
//! **Example.** A summary of `abs` of which only the path `x < 0` is known becomes
//! `if (x < 0) { result := -x; } else { havoc result; }`, where the second branch is open.
//!
//! Where the procedure may call the procedure at the root again, leaves pass blocks with the origins of those of the
//! root's places that their runs pass, so that these count as reached; an open leaf passes all of them.
//!
//! **Direction of error.** An open leaf over-approximates; everything else is exactly what the procedure does.

use std::sync::Arc;

use footpath_cover::Leaf;
use footpath_ir::source::Span;
use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Program, Statement, StatementKind, Terminator,
    TerminatorKind, Variable,
};
use footpath_term::{Op, Sort, SymbolId, TermId, Terms};
use footpath_transform::Standin;
use rustc_hash::FxHashMap;

use crate::explore::Explorer;
use crate::tree::{Bounded, Node, NodeId, Path, SummaryId};

/// A stand-in with the data that its user needs.
pub(crate) struct Made {
    pub(crate) standin: Standin,
    pub(crate) leaves: Vec<(u32, Leaf)>,
    /// The variables that hold the values that decide whether a run reaches an open leaf, with the symbols whose
    /// values they hold.
    pub(crate) seen: Vec<(SymbolId, SymbolId)>,
}

/// Makes the stand-in of a summary for a root in the arena `terms`, a layer over the program's. `None` if a term
/// cannot be copied.
pub(crate) fn make(
    explorer: &Explorer<'_>,
    id: SummaryId,
    root: (ProcId, u32),
    terms: &mut Terms,
) -> Option<Made> {
    let summary = &explorer.summaries[id.index()];
    let procedure = summary.chain.procedure;
    let shared = explorer.program.terms.shared();
    let mut roots = Vec::new();
    let mut stack = vec![NodeId::ROOT];
    while let Some(n) = stack.pop() {
        match &summary.nodes[n.index()] {
            Node::Branch { condition, yes, no } => {
                roots.push(*condition);
                stack.extend([*yes, *no]);
            }
            Node::Choice(targets) => stack.extend(targets),
            Node::Return(path) => {
                roots.extend(path.results.iter().chain(path.globals.iter().map(|(_, t)| t)));
            }
            _ => {}
        }
    }
    let mut renamed = FxHashMap::default();
    let adopted = terms.adopt(&explorer.terms, shared, &roots, &mut renamed);
    let adopted: Option<Vec<TermId>> = adopted.into_iter().collect();
    let copies: FxHashMap<TermId, TermId> = roots.iter().copied().zip(adopted?).collect();
    let arbitrary = explorer.arbitrary_in(procedure, &roots);
    let names: Vec<(SymbolId, SymbolId)> =
        arbitrary.into_iter().map(|s| (s, renamed.get(&s).copied().unwrap_or(s))).collect();
    let recursive = explorer.shared.graph.together(procedure, root.0);
    let mut maker = Maker {
        explorer,
        summary: id,
        procedure,
        root: root.0,
        terms,
        copies,
        names: Arc::new(names),
        seen: Vec::new(),
        root_places: Vec::new(),
        blocks: Vec::new(),
        todo: Vec::new(),
        to_exit: Vec::new(),
        leaves: Vec::new(),
        open_calls: Vec::new(),
    };
    if recursive {
        let objectives = footpath_transform::objectives(explorer.program, root.0, root.1);
        maker.root_places = objectives.into_iter().map(|o| o.origin).collect();
    }
    maker.note_seen(&roots);
    maker.run(recursive)
}

struct Maker<'a, 'p> {
    explorer: &'a Explorer<'p>,
    summary: SummaryId,
    procedure: ProcId,
    root: ProcId,
    terms: &'a mut Terms,
    /// From the explorer's terms to copies in `terms`.
    copies: FxHashMap<TermId, TermId>,
    names: Arc<Vec<(SymbolId, SymbolId)>>,
    seen: Vec<(SymbolId, SymbolId)>,
    /// The objectives of the root, if the procedure may call it again.
    root_places: Vec<Origin>,
    blocks: Vec<Block>,
    todo: Vec<(BlockId, NodeId)>,
    /// Blocks that lead to the exit, which is created last.
    to_exit: Vec<BlockId>,
    leaves: Vec<(u32, Leaf)>,
    /// The cuts where recursion was not followed further.
    open_calls: Vec<BlockId>,
}

impl Maker<'_, '_> {
    fn program(&self) -> &Program {
        self.explorer.program
    }

    fn span(&self) -> Span {
        self.program()[self.procedure].span
    }

    /// Creates variables for the formals and globals that decide where a run goes. Maps are left out: their values
    /// seldom help and often cannot be represented.
    fn note_seen(&mut self, roots: &[TermId]) {
        let free = self.explorer.terms.free_symbols(roots);
        let arbitrary = |s: &SymbolId| self.explorer.is_arbitrary(self.procedure, *s);
        for symbol in free.into_iter().filter(|s| !arbitrary(s)) {
            let declared = self.terms.symbol(symbol).clone();
            if !matches!(self.terms.sort_of(declared.sort), Sort::Map { .. }) {
                let seen = self.terms.fresh_symbol(format!("seen${}", declared.name), declared.sort);
                self.seen.push((seen, symbol));
            }
        }
    }

    fn push(&mut self, origin: Origin, name: String) -> BlockId {
        let (id, span) = (BlockId(self.blocks.len() as u32), self.span());
        let terminator = Terminator { kind: TerminatorKind::Goto(Vec::new()), span };
        self.blocks.push(Block { name: name.into(), statements: Vec::new(), terminator, span, origin });
        id
    }

    fn origin(&self, node: u32) -> Origin {
        Origin { procedure: self.procedure, body: 0, place: Place::Summary { node } }
    }

    /// The block of a node, whose contents are added later.
    fn block_of(&mut self, node: NodeId) -> BlockId {
        let block = self.push(self.origin(node.0), format!("summary.{}", node.0));
        self.todo.push((block, node));
        block
    }

    /// Appends blocks for the root's places among `passed` after `block`; returns the last one.
    fn pass(&mut self, mut block: BlockId, passed: &[Origin]) -> BlockId {
        let root = self.root;
        for origin in passed.iter().filter(|o| o.procedure == root) {
            let next = self.push(*origin, format!("passes.{}", self.blocks.len()));
            self.blocks[block.index()].terminator.kind = TerminatorKind::Goto(vec![next]);
            block = next;
        }
        block
    }

    fn statement(&mut self, block: BlockId, kind: StatementKind) {
        let span = self.span();
        self.blocks[block.index()].statements.push(Statement::new(kind, span));
    }

    fn set(&mut self, block: BlockId, kind: TerminatorKind) {
        self.blocks[block.index()].terminator.kind = kind;
    }

    fn run(mut self, recursive: bool) -> Option<Made> {
        self.block_of(NodeId::ROOT);
        while let Some((block, node)) = self.todo.pop() {
            self.fill(block, node);
        }
        let exit = self.push(self.origin(u32::MAX), "summary.exit".to_owned());
        self.set(exit, TerminatorKind::Return);
        for block in std::mem::take(&mut self.to_exit) {
            self.set(block, TerminatorKind::Goto(vec![exit]));
        }
        let declared = &self.explorer.program[self.procedure];
        let plain = |v: &Variable| Variable { where_clause: None, ..v.clone() };
        let results: Vec<Variable> = declared.results.iter().map(plain).collect();
        let (names, span) = (self.names.clone(), declared.span);
        let own = names.iter().map(|(_, here)| *here).chain(self.seen.iter().map(|(seen, _)| *seen));
        let locals =
            own.filter(|s| results.iter().all(|r| r.symbol != *s)).map(|s| Variable::new(s, span)).collect();
        let body = Body {
            params: declared.params.iter().map(plain).collect(),
            results,
            locals,
            blocks: self.blocks,
            span,
            attributes: Vec::new(),
        };
        let standin = Standin { body, recursive, open_calls: self.open_calls };
        Some(Made { standin, leaves: self.leaves, seen: self.seen })
    }

    /// Whether a node is a path that only blocks, and passes none of the root's places.
    fn only_blocks(&self, node: NodeId) -> bool {
        match &self.explorer.summaries[self.summary.index()].nodes[node.index()] {
            Node::Blocked(passed) => passed.iter().all(|o| o.procedure != self.root),
            _ => false,
        }
    }

    fn fill(&mut self, block: BlockId, node: NodeId) {
        let explorer = self.explorer;
        match &explorer.summaries[self.summary.index()].nodes[node.index()] {
            Node::Branch { condition, yes, no } => {
                let condition = self.copies[condition];
                if self.only_blocks(*no) {
                    self.statement(block, StatementKind::Assume(condition));
                    let next = self.block_of(*yes);
                    self.set(block, TerminatorKind::Goto(vec![next]));
                } else if self.only_blocks(*yes) {
                    let negated = self.terms.app(Op::Not, [condition]);
                    self.statement(block, StatementKind::Assume(negated));
                    let next = self.block_of(*no);
                    self.set(block, TerminatorKind::Goto(vec![next]));
                } else {
                    let (then_to, else_to) = (self.block_of(*yes), self.block_of(*no));
                    self.set(block, TerminatorKind::Branch { condition, then_to, else_to });
                }
            }
            Node::Choice(targets) => {
                let targets = targets.iter().map(|t| self.block_of(*t)).collect();
                self.set(block, TerminatorKind::Goto(targets));
            }
            Node::Return(path) => {
                self.complete(node, path);
                let effects = self.effects(path);
                if !effects.is_empty() {
                    self.statement(block, StatementKind::Assign(effects));
                }
                let last = self.pass(block, &path.passed);
                self.to_exit.push(last);
            }
            Node::Fail(path, origin) => {
                self.complete(node, path);
                let last = self.pass(block, &path.passed);
                let fails = self.push(*origin, format!("fails.{}", node.0));
                self.set(last, TerminatorKind::Goto(vec![fails]));
                self.set(fails, TerminatorKind::Fail);
            }
            Node::Blocked(passed) => {
                self.pass(block, passed);
            }
            Node::Bound(which, passed) => {
                let last = self.pass(block, passed);
                let cut = if last == block {
                    block
                } else {
                    self.push(self.origin(node.0), format!("cut.{}", node.0))
                };
                if last != block {
                    self.set(last, TerminatorKind::Goto(vec![cut]));
                }
                self.set(cut, TerminatorKind::Cut);
                if *which == Bounded::OpenCalls {
                    self.open_calls.push(cut);
                }
            }
            Node::Open(_) => self.open(block, node, None),
            Node::GivenUp(why) => self.open(block, node, Some(why.to_string())),
        }
    }

    fn complete(&mut self, node: NodeId, path: &Path) {
        self.leaves.push((node.0, Leaf::Complete(path.recipe.clone(), self.names.clone())));
    }

    fn effects(&self, path: &Path) -> Vec<(SymbolId, TermId)> {
        let results = self.program()[self.procedure].results.iter().map(|r| r.symbol);
        let effects = results.zip(path.results.iter().copied()).chain(path.globals.iter().copied());
        effects.map(|(s, t)| (s, self.copies[&t])).collect()
    }

    fn open(&mut self, block: BlockId, node: NodeId, why: Option<String>) {
        self.leaves.push((node.0, Leaf::Open(why)));
        for (seen, symbol) in self.seen.clone() {
            let (seen, value) = (self.terms.var(seen), self.terms.var(symbol));
            let same = self.terms.app(Op::Eq, [seen, value]);
            self.statement(block, StatementKind::Assume(same));
        }
        let mut forgotten: Vec<SymbolId> =
            self.program()[self.procedure].results.iter().map(|r| r.symbol).collect();
        forgotten.extend(self.explorer.shared.graph.writes(self.procedure));
        if !forgotten.is_empty() {
            self.statement(block, StatementKind::Havoc(forgotten));
        }
        let passed = self.root_places.clone();
        let last = self.pass(block, &passed);
        self.to_exit.push(last);
    }
}
