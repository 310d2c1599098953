//! Concrete summaries: input-output pairs of a procedure.
//!
//! **Idea.** A pair says: with these values of formals and globals the procedure returns with those. A call is
//! replaced by a choice among the pairs, and an open leaf for all other inputs:
//!
//! ```text
//! Sum = ⋁ over pairs  ⋀ x_first = v(x_first) ∧ x_last = v(x_last)
//! ```
//!
//! **Example.** A pair of `abs` is `x = -3`, `result = 3`. It stands for this call only, not for all negative `x`.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 6, with its
//! formula.
//!
//! **Deviations.**
//! 1. A pair fixes the parameters and those globals that decide or enter what the procedure does, and sets the
//!    results and those globals that the path writes. The paper fixes all globals; the others are its frame
//!    conditions.
//! 2. There is an open leaf, see `summary_body.rs`. The paper's Lemma 3 is about the summary without it.
//! 3. Where pairs for the inputs of callers do not settle a verdict, the procedure's paths replace the pairs from
//!    then on, so that verdicts do not depend on which inputs were tried.
//! 4. A pair is read off a path of the summary ([`pair_for`]), or is what the reference interpreter does on the input
//!    ([`pair_by_run`]). A run asks the solver nothing, however deep the calls and whatever the arithmetic; it fixes the
//!    parameters and the globals that it read.
//!
//! **Direction of error.** None: a pair is one run of a path. A run that was given any other value than those of its inputs
//! (an arbitrary value, a constant, a result of a function without a body) is no pair.

use std::sync::Arc;

use footpath_cover::{Leaf, Recipe, RecipeEvent};
use footpath_ir::interp::{Ask, Interpreter, Limits, Oracle, Outcome, Reason};
use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Statement, StatementKind, Terminator, TerminatorKind,
    Variable,
};
use footpath_term::{EvalError, Op, Sort, SortId, SymbolId, TermId, Terms, Value};
use footpath_transform::Standin;
use rustc_hash::FxHashMap;

use crate::explore::Explorer;
use crate::summary_body::Made;
use crate::tree::{Node, NodeId, Path, SummaryId, Values};

/// The number of the open leaf's node.
pub(crate) const OPEN: u32 = u32::MAX - 1;

/// The effect of a procedure on one input.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// Parameters, and globals that matter, with their values at the entry.
    pub(crate) inputs: Vec<(SymbolId, Value)>,
    /// The arbitrary values that the run asks for.
    pub(crate) asked: Vec<(SymbolId, Value)>,
    /// The results, by position.
    pub(crate) results: Vec<Value>,
    /// Globals that the run writes, with their values at the end.
    pub(crate) globals: Vec<(SymbolId, Value)>,
    pub(crate) recipe: Arc<Recipe>,
    /// Whether the inputs alone decide what the run does.
    pub(crate) determined: bool,
}

/// The limits of a run that makes a pair, those of replays: more is left to the procedure's paths.
const RUN: Limits = Limits { steps: 1_000_000, calls: 1_000, function_depth: 1_000, trace: false };

/// The symbols that a pair of a procedure fixes: its parameters, and the globals that occur in its summary.
pub(crate) fn inputs_of(explorer: &Explorer<'_>, id: SummaryId) -> Vec<SymbolId> {
    let summary = &explorer.summaries[id.index()];
    let procedure = summary.chain.procedure;
    let mut inputs: Vec<SymbolId> = explorer.program[procedure].params.iter().map(|p| p.symbol).collect();
    let mut roots = Vec::new();
    for node in &summary.nodes {
        match node {
            Node::Branch { condition, .. } => roots.push(*condition),
            Node::Return(path) => {
                roots.extend(path.results.iter().chain(path.globals.iter().map(|(_, t)| t)));
            }
            _ => {}
        }
    }
    let free = explorer.terms.free_symbols(&roots).into_iter();
    inputs.extend(free.filter(|s| explorer.globals.contains(s)));
    inputs
}

/// The pair of a complete path under values that satisfy its conditions; symbols without a value get the default
/// value.
fn pair(explorer: &Explorer<'_>, id: SummaryId, path: &Path, values: &Values) -> Option<Pair> {
    let procedure = explorer.summaries[id.index()].chain.procedure;
    let value = |s: SymbolId| explorer.value_of(s, values).map(|v| (s, v));
    let inputs: Option<Vec<_>> = inputs_of(explorer, id).into_iter().map(value).collect();
    let asked = explorer.arbitrary_in(procedure, &path.conditions());
    let asked: Option<Vec<_>> = asked.into_iter().map(value).collect();
    let results: Option<Vec<Value>> = path.results.iter().map(|&t| explorer.value_under(t, values)).collect();
    let globals: Option<Vec<(SymbolId, Value)>> =
        path.globals.iter().map(|&(s, t)| Some((s, explorer.value_under(t, values)?))).collect();
    let asked = asked?;
    let determined = asked.is_empty() && path.recipe.is_determined();
    Some(Pair {
        inputs: inputs?,
        asked,
        results: results?,
        globals: globals?,
        recipe: path.recipe.clone(),
        determined,
    })
}

/// The pairs of those complete paths for which the solver gave values.
pub(crate) fn first_pairs(explorer: &Explorer<'_>, id: SummaryId) -> Vec<Pair> {
    let nodes = &explorer.summaries[id.index()].nodes;
    let paths = nodes.iter().filter_map(|n| if let Node::Return(path) = n { Some(path) } else { None });
    let pairs = paths.filter_map(|path| pair(explorer, id, path, path.model.as_ref()?));
    pairs.take(explorer.options.pairs).collect()
}

/// The pair for given inputs; the procedure is explored further if necessary.
pub(crate) fn pair_for(explorer: &mut Explorer<'_>, id: SummaryId, values: &Values) -> Option<Pair> {
    let leaf = explorer.leaf_under(id, NodeId::ROOT, values);
    if matches!(explorer.summaries[id.index()].nodes[leaf.index()], Node::Open(_)) {
        explorer.grow(id, leaf, values);
    }
    let leaf = explorer.leaf_under(id, NodeId::ROOT, values);
    let Node::Return(path) = &explorer.summaries[id.index()].nodes[leaf.index()] else { return None };
    let path = path.clone();
    let holds = |t: &TermId| explorer.value_under(*t, values).and_then(|v| v.as_bool()) == Some(true);
    if path.path.iter().all(holds) {
        return pair(explorer, id, &path, values);
    }
    pair(explorer, id, &path, path.model.as_ref()?)
}

/// What comes of running a procedure on one input.
pub(crate) enum ByRun {
    /// It returns.
    Pair(Pair),
    /// It reads a global whose value at the call is not known: the caller's question has to say it.
    Reads(SymbolId),
    /// Its inputs do not determine what it does, it does not return, or the run is too long.
    Nothing,
}

/// The pair that a run of the reference interpreter shows. `values` are those of parameters and globals at the call.
pub(crate) fn pair_by_run(interpreter: &Interpreter<'_>, procedure: ProcId, values: &Values) -> ByRun {
    let declared = &interpreter.program()[procedure];
    let [body] = &declared.bodies[..] else { return ByRun::Nothing };
    let mut known: FxHashMap<SymbolId, Value> = FxHashMap::default();
    let mut inputs = Vec::new();
    for (formal, own) in declared.params.iter().zip(&body.params) {
        let Some(value) = values.get(&formal.symbol) else { return ByRun::Nothing };
        inputs.push((formal.symbol, value.clone()));
        known.insert(formal.symbol, value.clone());
        known.insert(own.symbol, value.clone());
    }
    let mut oracle = Inputs { parameters: known, globals: values, read: Vec::new(), lacks: None };
    let run = interpreter.run_under(procedure, 0, &mut oracle, &RUN, &[]);
    let Inputs { read, lacks, .. } = oracle;
    if let Some(global) = lacks {
        return ByRun::Reads(global);
    }
    let results: Option<Vec<Value>> = run.results.iter().cloned().collect();
    let (Outcome::Returned, Some(results)) = (&run.outcome, results) else { return ByRun::Nothing };
    inputs.extend(read);
    let is_global = |s: &SymbolId| interpreter.program().globals.iter().any(|g| g.variable.symbol == *s);
    let mut globals: Vec<(SymbolId, Value)> =
        run.globals.iter().filter(|(s, _)| is_global(s)).map(|(s, v)| (*s, v.clone())).collect();
    globals.sort_unstable_by_key(|(symbol, _)| *symbol);
    // A replay counts the procedures that are entered, and asks nothing in them.
    let entered = run.path.iter().filter(|step| step.from.is_none()).count();
    let inner = Arc::new(Recipe::default());
    let events = vec![RecipeEvent::Call(inner, Vec::new()); entered.saturating_sub(1)];
    let recipe = Arc::new(Recipe { locals: Vec::new(), events });
    ByRun::Pair(Pair { inputs, asked: Vec::new(), results, globals, recipe, determined: true })
}

/// Answers questions for the inputs of a call, and no others.
struct Inputs<'v> {
    parameters: FxHashMap<SymbolId, Value>,
    globals: &'v Values,
    /// The globals that were read, with their values.
    read: Vec<(SymbolId, Value)>,
    /// A global that was read although its value is not known.
    lacks: Option<SymbolId>,
}

fn refused<T>() -> Result<T, EvalError> {
    Err(EvalError::Unsupported("a value that the inputs do not determine".to_owned()))
}

impl Oracle for Inputs<'_> {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        if ask.activation > 0 {
            return refused();
        }
        if ask.reason == Reason::Parameter {
            return self.parameters.get(&ask.symbol).cloned().map_or_else(refused, Ok);
        }
        let globals = &ask.interpreter.program().globals;
        if ask.reason != Reason::Global || globals.iter().all(|g| g.variable.symbol != ask.symbol) {
            return refused();
        }
        let Some(value) = self.globals.get(&ask.symbol) else {
            self.lacks = Some(ask.symbol);
            return refused();
        };
        self.read.push((ask.symbol, value.clone()));
        Ok(value.clone())
    }

    fn havoc(&mut self, _: &Ask<'_>) -> Result<Value, EvalError> {
        refused()
    }

    fn choose(&mut self, _: Origin, _: &[BlockId]) -> Result<usize, EvalError> {
        refused()
    }

    fn call_body(&mut self, _: Origin, _: ProcId, _: usize) -> Result<usize, EvalError> {
        refused()
    }

    fn undetermined(
        &mut self,
        _: &Interpreter<'_>,
        _: &Op,
        _: &[Value],
        _: SortId,
    ) -> Result<Value, EvalError> {
        refused()
    }
}

/// The stand-in that consists of pairs, in the arena `terms`; at other inputs, the values of `inputs` are wanted.
pub(crate) fn make(
    explorer: &Explorer<'_>,
    id: SummaryId,
    (pairs, inputs): (&[Pair], &[SymbolId]),
    terms: &mut Terms,
) -> Made {
    let procedure = explorer.summaries[id.index()].chain.procedure;
    let mut maker = Maker { explorer, id, terms, blocks: Vec::new(), names: Vec::new(), seen: Vec::new() };
    maker.blocks.push(maker.block(u32::MAX, "pairs"));
    let mut leaves = Vec::new();
    for (i, pair) in pairs.iter().enumerate() {
        maker.pair(i as u32, pair);
    }
    let open = maker.open(pairs, inputs);
    let names = Arc::new(maker.names.clone());
    for (i, pair) in pairs.iter().enumerate() {
        leaves.push((i as u32, Leaf::Complete(pair.recipe.clone(), names.clone())));
    }
    leaves.push((OPEN, Leaf::Open(None)));
    let exit = BlockId(maker.blocks.len() as u32);
    for arm in 1..=open.index() {
        maker.blocks[arm].terminator.kind = TerminatorKind::Goto(vec![exit]);
    }
    maker.blocks[0].terminator.kind = TerminatorKind::Goto((1..=open.0).map(BlockId).collect());
    let mut last = maker.block(u32::MAX, "pairs.exit");
    last.terminator.kind = TerminatorKind::Return;
    maker.blocks.push(last);
    let declared = &explorer.program[procedure];
    let plain = |v: &Variable| Variable { where_clause: None, ..v.clone() };
    let results: Vec<Variable> = declared.results.iter().map(plain).collect();
    let own = maker.names.iter().map(|(_, here)| *here).chain(maker.seen.iter().map(|(seen, _)| *seen));
    let own = own.filter(|s| results.iter().all(|r| r.symbol != *s));
    let body = Body {
        params: declared.params.iter().map(plain).collect(),
        locals: own.map(|s| Variable::new(s, declared.span)).collect(),
        results,
        blocks: maker.blocks,
        span: declared.span,
        attributes: Vec::new(),
    };
    let standin = Standin { body, recursive: false, open_calls: Vec::new() };
    Made { standin, leaves, seen: maker.seen }
}

struct Maker<'a, 'p> {
    explorer: &'a Explorer<'p>,
    id: SummaryId,
    terms: &'a mut Terms,
    blocks: Vec<Block>,
    /// From the explorer's symbols for arbitrary values to those of the stand-in.
    names: Vec<(SymbolId, SymbolId)>,
    seen: Vec<(SymbolId, SymbolId)>,
}

impl Maker<'_, '_> {
    fn block(&self, node: u32, name: &str) -> Block {
        let procedure = self.explorer.summaries[self.id.index()].chain.procedure;
        let span = self.explorer.program[procedure].span;
        Block {
            name: name.into(),
            statements: Vec::new(),
            terminator: Terminator { kind: TerminatorKind::Goto(Vec::new()), span },
            span,
            origin: Origin { procedure, body: 0, place: Place::Summary { node } },
        }
    }

    /// `⋀ symbol = value`.
    fn are(&mut self, values: &[(SymbolId, Value)]) -> TermId {
        let mut equalities = Vec::new();
        for (symbol, value) in values {
            let (symbol, value) = (self.terms.var(*symbol), self.terms.value(value));
            equalities.push(self.terms.app(Op::Eq, [symbol, value]));
        }
        self.terms.app(Op::And, equalities)
    }

    fn pair(&mut self, number: u32, pair: &Pair) {
        let mut asked = Vec::new();
        for (symbol, value) in &pair.asked {
            let here = match self.names.iter().find(|(own, _)| own == symbol) {
                Some((_, here)) => *here,
                None => {
                    let declared = self.explorer.terms.symbol(*symbol).clone();
                    let here = self.terms.fresh_symbol(declared.name, declared.sort);
                    self.names.push((*symbol, here));
                    here
                }
            };
            asked.push((here, value.clone()));
        }
        let mut block = self.block(number, &format!("pair.{number}"));
        let span = block.span;
        let conditions = [self.are(&pair.inputs), self.are(&asked)];
        block.statements.extend(conditions.map(|c| Statement::new(StatementKind::Assume(c), span)));
        let procedure = block.origin.procedure;
        let results = self.explorer.program[procedure].results.iter().map(|r| r.symbol);
        let mut effects: Vec<(SymbolId, TermId)> = Vec::new();
        for (symbol, value) in results.zip(&pair.results).chain(pair.globals.iter().map(|(s, v)| (*s, v))) {
            effects.push((symbol, self.terms.value(value)));
        }
        if !effects.is_empty() {
            block.statements.push(Statement::new(StatementKind::Assign(effects), span));
        }
        self.blocks.push(block);
    }

    /// The leaf for all other inputs, and for inputs of pairs that do not determine the behaviour.
    fn open(&mut self, pairs: &[Pair], inputs: &[SymbolId]) -> BlockId {
        let mut block = self.block(OPEN, "others");
        let span = block.span;
        let procedure = block.origin.procedure;
        let mut conditions = Vec::new();
        for pair in pairs.iter().filter(|p| p.determined) {
            let here = self.are(&pair.inputs);
            conditions.push(self.terms.app(Op::Not, [here]));
        }
        for &symbol in inputs {
            let declared = self.terms.symbol(symbol).clone();
            if !matches!(self.terms.sort_of(declared.sort), Sort::Map { .. }) {
                let seen = self.terms.fresh_symbol(format!("seen${}", declared.name), declared.sort);
                self.seen.push((seen, symbol));
                let (seen, value) = (self.terms.var(seen), self.terms.var(symbol));
                conditions.push(self.terms.app(Op::Eq, [seen, value]));
            }
        }
        block
            .statements
            .extend(conditions.into_iter().map(|c| Statement::new(StatementKind::Assume(c), span)));
        let mut forgotten: Vec<SymbolId> =
            self.explorer.program[procedure].results.iter().map(|r| r.symbol).collect();
        forgotten.extend(self.explorer.shared.graph.writes(procedure));
        if !forgotten.is_empty() {
            block.statements.push(Statement::new(StatementKind::Havoc(forgotten), span));
        }
        self.blocks.push(block);
        BlockId(self.blocks.len() as u32 - 1)
    }
}

/// Values by name, for [`crate::Summaries::pairs`].
pub(crate) fn named(terms: &Terms, values: &[(SymbolId, Value)]) -> FxHashMap<String, Value> {
    values.iter().map(|(s, v)| (terms.symbol(*s).name.to_string(), v.clone())).collect()
}
