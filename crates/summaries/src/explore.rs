//! Compositional symbolic execution: procedures are explored path by path, and the paths are kept as summaries.
//!
//! **Idea.** A procedure is executed symbolically from an arbitrary state of its formals and the globals, over its
//! own blocks with the loops unwound. At a call the run does not enter the callee: it traverses the callee's summary,
//! a decision tree, and takes the effect of the leaf that it reaches. Where the callee was not explored further, the
//! run waits, and it continues from there when the callee has grown. So nothing is computed twice, whichever caller
//! asks.
//!
//! At each decision the solver is asked at most once: the run carries values that satisfy its conditions, and these
//! show that one side is feasible. An infeasible side leaves no node, and then the condition is not added to the path
//! either, as it is implied. This keeps conditions short where they accumulate along chains of calls.
//!
//! At first a procedure is explored until all its blocks have been passed or a few paths are known. Further paths are
//! explored on demand, below the leaf that a caller's question depends on, guided by the values of the caller's
//! model.
//!
//! **Example.** `max(a, b)` is explored from arbitrary `a` and `b`: the path condition `a < b` gives the leaf with
//! the result `b`, and its negation the leaf with the result `a`.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 6, whose summaries
//! are one disjunct for each test. Demand for paths of callees as callers need them is from "Demand-Driven
//! Compositional Symbolic Execution" (Anand, Godefroid, Tillmann, TACAS 2008).
//!
//! **Deviations.**
//! 1. A leaf represents all inputs that take its path, not one test.
//! 2. The disjuncts form a tree, so that they exclude each other and share their conditions.
//!
//! **Direction of error.** None. Where the solver does not decide a side, the side is kept. Conditions are decided
//! under those axioms that they are connected with; leaving others out keeps sides, too.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use footpath_cover::{CoverError, RecipeEvent};
use footpath_ir::{Body, Contract, ProcId, Program};
use footpath_smt::{Answer, Profile, Solver, SolverSpec};
use footpath_term::{Env, EvalError, MapValue, Op, Sort, SortId, SymbolId, TermId, Terms, Value, evaluate};
use footpath_transform::Bounds;
use footpath_transform::prepare::{Role, prepare};
use footpath_transform::state::State;
use footpath_transform::theory::Theory;
use footpath_transform::unwind::unwind;
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::call_graph::{Chain, Graph};
use crate::recheck::Recheck;
use crate::shared_exploration::FirstExplorations;
use crate::store::Store;
use crate::tiered_storage::Storage;
use crate::tree::{Config, Decision, Node, NodeId, Position, Summary, SummaryId, Values};

/// The options of exploration.
#[derive(Clone, Debug)]
pub struct Options {
    /// The bounds on loop iterations and recursion; the limit on blocks is for each procedure.
    pub bounds: Bounds,
    /// The number of paths of a procedure that are explored at first, before any demand.
    pub first_leaves: usize,
    /// The limit on paths of a summary.
    pub max_leaves: usize,
    /// The time limit of a solver query.
    pub query_timeout: Option<Duration>,
    /// The time limit for exploring callees for the first time, for each cover.
    pub first_timeout: Duration,
    /// The time limit for exploring callees further, for each demand.
    pub grow_timeout: Duration,
    /// The number of inputs of a concrete summary before any demand.
    pub pairs: usize,
    /// The solver.
    pub solver: String,
    /// Where summaries are cached, if they are.
    pub store: Option<Storage>,
    /// The procedures of which nothing stored is used.
    pub recheck: Recheck,
    /// Whether paths that differ only in values are merged, see `path_merging.rs`.
    pub merge: bool,
    /// The number of procedures that are explored in parallel.
    pub jobs: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            bounds: Bounds { unwind: 4, recursion: 2, max_blocks: 20_000 },
            first_leaves: 16,
            max_leaves: 4096,
            query_timeout: Some(Duration::from_secs(2)),
            first_timeout: Duration::from_secs(120),
            grow_timeout: Duration::from_secs(20),
            pairs: 16,
            solver: "z3".to_owned(),
            store: None,
            recheck: Recheck::default(),
            merge: true,
            jobs: 1,
        }
    }
}

/// The data that all explorers of a program share.
pub(crate) struct Shared<'p> {
    pub(crate) graph: Graph,
    /// The number of copies of each procedure that inlining would make.
    pub(crate) copies: Vec<u64>,
    pub(crate) store: Option<Store<'p>>,
    pub(crate) first: FirstExplorations,
}

/// An explorer: it builds summaries by symbolic execution, with one arena and one solver.
pub(crate) struct Explorer<'p> {
    pub(crate) program: &'p Program,
    pub(crate) options: Options,
    pub(crate) shared: Arc<Shared<'p>>,
    pub(crate) terms: Terms,
    pub(crate) summaries: Vec<Summary>,
    theory: Theory<'p>,
    /// Whether the program has no axioms, function definitions or constants, so that nothing needs to be selected.
    plain_theory: bool,
    solver: Box<dyn Solver>,
    by_chain: FxHashMap<Chain, SummaryId>,
    pub(crate) olds: FxHashMap<SymbolId, SymbolId>,
    pub(crate) globals: FxHashSet<SymbolId>,
    constants: FxHashSet<SymbolId>,
    stop: &'p AtomicBool,
    /// The time at which the current work must end.
    deadline: Option<Deadline>,
    /// Recorded decisions for the summary that is being reconstructed.
    pub(crate) known: std::collections::VecDeque<Decision>,
    /// Whether `known` did not fit the exploration.
    pub(crate) strayed: bool,
    /// Whether fingerprints of decisions are computed, because the decisions may be reconstructed elsewhere.
    remembers: bool,
    /// Warnings for the user about the cache.
    pub(crate) warnings: Vec<String>,
    /// Hashes of terms that do not depend on their position in the arena.
    hashes: FxHashMap<TermId, u64>,
    /// The unwound bodies of procedures, which are the same for all chains of calls.
    unwound: FxHashMap<ProcId, Vec<Arc<Body>>>,
}

/// The feasible sides of a condition.
#[derive(Clone)]
pub(crate) enum Fork {
    /// One only.
    One(bool),
    /// Both: the side that is taken first, with values for each.
    Both { taken: bool, here: Option<Values>, there: Option<Values> },
    /// None: the path is infeasible, which was not detected before.
    None,
}

impl<'p> Explorer<'p> {
    pub(crate) fn new(
        program: &'p Program,
        options: Options,
        shared: Arc<Shared<'p>>,
        stop: &'p AtomicBool,
    ) -> Result<Explorer<'p>, CoverError> {
        let failed = |e: footpath_smt::OpenError| CoverError::Solver(e.to_string());
        let spec = SolverSpec::parse(&options.solver).map_err(failed)?;
        let wanted = footpath_smt::Options {
            profile: Profile::Decide,
            timeout: options.query_timeout,
            ..footpath_smt::Options::default()
        };
        let solver = footpath_smt::open(&spec, &wanted).map_err(failed)?;
        let plain_theory = program.axioms.is_empty()
            && program.constants.is_empty()
            && program.functions.iter().all(|f| f.body.is_none());
        Ok(Explorer {
            program,
            remembers: shared.store.is_some() || options.jobs > 1,
            options,
            shared,
            terms: Terms::layer(program.terms.clone()),
            summaries: Vec::new(),
            theory: Theory::new(program),
            plain_theory,
            solver,
            by_chain: FxHashMap::default(),
            olds: program.old_symbols(),
            globals: program.globals.iter().map(|g| g.variable.symbol).collect(),
            constants: program.constants.iter().map(|c| c.symbol).collect(),
            stop,
            deadline: None,
            known: std::collections::VecDeque::new(),
            strayed: false,
            warnings: Vec::new(),
            hashes: FxHashMap::default(),
            unwound: FxHashMap::default(),
        })
    }

    /// Whether the current work should end.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(Deadline::is_over)
    }

    /// Sets the time limit of the following work.
    pub(crate) fn set_time(&mut self, limit: Option<Duration>) {
        self.deadline = limit.map(Deadline::after);
    }

    /// Statistics of the solver.
    pub(crate) fn solver_statistics(&self) -> footpath_smt::Statistics {
        self.solver.statistics()
    }

    /// The summary for a chain of calls, and whether it is new.
    pub(crate) fn summary_of(&mut self, chain: Chain) -> (SummaryId, bool) {
        let id = SummaryId(self.summaries.len() as u32);
        match self.by_chain.entry(chain.clone()) {
            Entry::Occupied(known) => return (*known.get(), false),
            Entry::Vacant(slot) => slot.insert(id),
        };
        let bodies = self.unwound(chain.procedure);
        let start = self.start();
        self.summaries.push(Summary::new(chain, bodies, start));
        (id, true)
    }

    /// The configuration of a run before its first statement.
    fn start(&mut self) -> Config {
        Config {
            at: Position::Start,
            body: 0,
            state: State::initial(&mut self.terms, &self.olds),
            path: Vec::new(),
            model: Some(Values::default()),
            events: Vec::new(),
            passed: Vec::new(),
        }
    }

    /// Reconstructs a summary from the cache; returns whether it was there.
    fn recall(&mut self, id: SummaryId) -> bool {
        let Some(store) = &self.shared.store else { return false };
        let decisions = match store.load(&self.summaries[id.index()].chain) {
            Ok(Some(decisions)) => decisions,
            Ok(None) => return false,
            Err(warning) => {
                self.warnings.push(warning);
                return false;
            }
        };
        let count = decisions.len();
        let made = self.make_again(id, decisions);
        if made {
            self.summaries[id.index()].stored = count;
        }
        made
    }

    /// Reconstructs a summary from recorded decisions; returns whether they fit it.
    fn make_again(&mut self, id: SummaryId, decisions: Vec<Decision>) -> bool {
        self.known = decisions.into();
        self.strayed = false;
        while let Some(decision) = self.known.pop_front() {
            let node = match decision {
                Decision::Explore(node) => node,
                Decision::Merge => {
                    self.merge(id);
                    self.summaries[id.index()].log.push(Decision::Merge);
                    continue;
                }
                Decision::Sides { .. } | Decision::Waits(_) => {
                    self.strayed = true;
                    break;
                }
            };
            let open = self.summaries[id.index()].nodes.get(node.index());
            if !matches!(open, Some(Node::Open(_))) || self.is_over() {
                self.strayed = true;
                break;
            }
            self.explore(id, node, false);
            if self.strayed {
                break;
            }
        }
        self.known.clear();
        if self.strayed {
            // A callee whose own file is gone is explored in another order. Nothing of it is wrong, nor is it of use.
            let start = self.start();
            let summary = &mut self.summaries[id.index()];
            *summary = Summary::new(summary.chain.clone(), std::mem::take(&mut summary.bodies), start);
            summary.begun = true;
            return false;
        }
        self.summaries[id.index()].recalled = true;
        true
    }

    /// Stores all new decisions in the cache, except for chains in `done`, which were stored before.
    pub(crate) fn save(&mut self, done: &mut FxHashSet<Chain>) {
        let shared = self.shared.clone();
        let Some(store) = &shared.store else { return };
        let mut failures = 0;
        for summary in &mut self.summaries {
            if !summary.begun || summary.broken_off || !done.insert(summary.chain.clone()) {
                continue;
            }
            if summary.log.len() == summary.stored {
                continue;
            }
            match store.save(&summary.chain, &summary.log) {
                Ok(()) => summary.stored = summary.log.len(),
                Err(e) if failures == 0 => {
                    self.warnings.push(format!("summaries could not be saved in {}: {e}", store.shown()));
                    failures += 1;
                }
                Err(_) => {}
            }
        }
    }

    /// The number of decisions so far.
    pub(crate) fn decisions(&self) -> usize {
        self.summaries.iter().map(|s| s.log.len()).sum()
    }

    /// A hash of a term by its structure; symbols are identified by name.
    fn hash_of(&mut self, root: TermId) -> u64 {
        if let Some(&known) = self.hashes.get(&root) {
            return known;
        }
        for t in self.terms.post_order(&[root]) {
            if self.hashes.contains_key(&t) {
                continue;
            }
            let term = self.terms.term(t);
            let mut hasher = FxHasher::default();
            match &term.op {
                Op::Var(s) => self.terms.symbol(*s).name.hash(&mut hasher),
                Op::Apply(f) => self.terms.function(*f).name.hash(&mut hasher),
                Op::Literal(v) => v.to_string().hash(&mut hasher),
                Op::Bind(b) => format!("{:?}", b.kind).hash(&mut hasher),
                op => op.hash(&mut hasher),
            }
            for a in &term.args {
                self.hashes[a].hash(&mut hasher);
            }
            let hash = hasher.finish();
            self.hashes.insert(t, hash);
        }
        self.hashes[&root]
    }

    /// The fingerprint of a decision: a hash of its condition and of the conditions before it.
    fn fingerprint(&mut self, path: &[TermId], condition: TermId) -> u64 {
        if !self.remembers {
            return 0;
        }
        let mut hasher = FxHasher::default();
        for &t in path {
            self.hash_of(t).hash(&mut hasher);
        }
        self.hash_of(condition).hash(&mut hasher);
        hasher.finish()
    }

    /// The bodies of a procedure with contracts and assertions as control flow and unwound loops; calls are kept.
    fn unwound(&mut self, procedure: ProcId) -> Vec<Arc<Body>> {
        if let Some(known) = self.unwound.get(&procedure) {
            return known.clone();
        }
        let bounds = self.options.bounds;
        let count = self.program[procedure].bodies.len() as u32;
        let mut one = |index| {
            let prepared = prepare(self.program, &mut self.terms, procedure, index, Role::Callee);
            Arc::new(unwind(&prepared, bounds.unwind, bounds.max_blocks).body)
        };
        let bodies: Vec<Arc<Body>> = (0..count).map(&mut one).collect();
        self.unwound.insert(procedure, bodies.clone());
        bodies
    }

    /// The summary of a procedure for a chain of calls, explored for the first time if there is time; otherwise it
    /// consists of an open leaf.
    pub(crate) fn begun(&mut self, chain: Chain) -> SummaryId {
        let (id, _) = self.summary_of(chain);
        if self.summaries[id.index()].begun || self.is_over() {
            return id;
        }
        let chain = self.summaries[id.index()].chain.clone();
        let shared = self.shared.clone();
        for &callee in shared.graph.callees(chain.procedure) {
            if self.is_summarised(callee)
                && let Some(chain) = chain.call(&shared.graph, callee, self.options.bounds.recursion)
            {
                self.begun(chain);
            }
        }
        // Its callees come first: it is begun when these are.
        if !self.is_over() {
            self.summaries[id.index()].begun = true;
            self.first(id, chain);
        }
        id
    }

    /// Explores a procedure for the first time, unless another explorer has.
    fn first(&mut self, id: SummaryId, chain: Chain) {
        let shared = self.shared.clone();
        if self.options.jobs > 1
            && let Some(decisions) = shared.first.claim(&chain, &|| self.is_over())
            && self.make_again(id, decisions)
        {
            return;
        }
        if !self.recall(id) {
            self.explore_first(id);
            if self.options.merge && !self.summaries[id.index()].broken_off && !self.is_over() {
                self.merge(id);
                self.summaries[id.index()].log.push(Decision::Merge);
            }
        }
        if self.options.jobs > 1 {
            let summary = &self.summaries[id.index()];
            shared.first.publish(chain, (!summary.broken_off).then(|| summary.log.clone()));
        }
    }

    /// Whether calls of a procedure can be summarised.
    pub(crate) fn is_summarised(&self, p: ProcId) -> bool {
        !self.program[p].bodies.is_empty() && self.shared.graph.is_plain(p)
    }

    fn explore_first(&mut self, id: SummaryId) {
        while self.summaries[id.index()].leaves < self.options.first_leaves && !self.is_over() {
            let Some(next) = self.most_promising(id) else { return };
            self.explore(id, next, false);
        }
    }

    /// The open leaf to continue with: one that leads to a place that no run has passed, or else the first.
    fn most_promising(&self, id: SummaryId) -> Option<NodeId> {
        let summary = &self.summaries[id.index()];
        let open = summary.open_below(NodeId::ROOT, false);
        let fresh = |n: &&NodeId| match &summary.nodes[n.index()] {
            Node::Open(config) => match config.at {
                Position::Block(b, _) => {
                    let body = &summary.bodies[config.body as usize];
                    !summary.passed.contains(&body[b].origin)
                }
                _ => false,
            },
            _ => false,
        };
        open.iter().find(fresh).or(open.first()).copied()
    }

    /// Explores paths below a node, the first one guided by values; returns how many leaves were found.
    pub(crate) fn grow(&mut self, id: SummaryId, node: NodeId, values: &Values) -> usize {
        let summary = &mut self.summaries[id.index()];
        let before = summary.leaves;
        summary.rounds += 1;
        let wanted = 1usize << summary.rounds.min(10);
        let mut here = Some(self.leaf_under(id, node, values));
        loop {
            let found = self.summaries[id.index()].leaves - before;
            if found >= wanted || self.is_over() {
                return found;
            }
            let next =
                here.take().or_else(|| self.summaries[id.index()].open_below(node, true).first().copied());
            let Some(next) = next else { return found };
            let leaves = self.summaries[id.index()].leaves;
            self.explore(id, next, true);
            // Nothing more is to be had where the callee is at its limit.
            if self.summaries[id.index()].leaves == leaves && here.is_none() {
                return self.summaries[id.index()].leaves - before;
            }
        }
    }

    /// The leaf below a node that a run with these values reaches, as far as they determine it.
    pub(crate) fn leaf_under(&self, id: SummaryId, mut node: NodeId, values: &Values) -> NodeId {
        let summary = &self.summaries[id.index()];
        loop {
            match &summary.nodes[node.index()] {
                Node::Branch { condition, yes, no } => {
                    let holds = self.evaluate(*condition, values).unwrap_or(true);
                    node = if holds { *yes } else { *no };
                }
                Node::Choice(targets) => {
                    let open = targets.iter().find(|t| !summary.open_below(**t, true).is_empty());
                    node = *open.unwrap_or(&targets[0]);
                }
                _ => return node,
            }
        }
    }

    /// The truth value of a condition under values; symbols without a value have the default value.
    fn evaluate(&self, condition: TermId, values: &Values) -> Option<bool> {
        self.value_under(condition, values)?.as_bool()
    }

    /// The value of a term under values; symbols without a value have the default value.
    pub(crate) fn value_under(&self, term: TermId, values: &Values) -> Option<Value> {
        evaluate(&self.terms, term, &mut Known { values }).ok()
    }

    /// The value of a symbol; the default value if it has none.
    pub(crate) fn value_of(&self, symbol: SymbolId, values: &Values) -> Option<Value> {
        Known { values }.symbol(&self.terms, symbol).ok()
    }

    /// A condition with function definitions expanded, for the solver.
    pub(crate) fn expand(&mut self, condition: TermId) -> TermId {
        if self.plain_theory { condition } else { self.theory.expand(&mut self.terms, &[condition])[0] }
    }

    /// The feasible sides of a condition at the end of a path. `wish` is the side to take first if both are feasible.
    pub(crate) fn fork(
        &mut self,
        id: SummaryId,
        config: &Config,
        condition: TermId,
        wish: Option<bool>,
    ) -> Fork {
        if let Some(known) = self.terms.as_bool(condition) {
            return Fork::One(known);
        }
        let print = self.fingerprint(&config.path, condition);
        let fork = match self.known.pop_front() {
            Some(Decision::Sides { condition, yes, no, taken }) if condition == print => match (yes, no) {
                (true, true) => Fork::Both { taken, here: None, there: None },
                (false, false) => Fork::None,
                (yes, _) => Fork::One(yes),
            },
            Some(_) => {
                // Whatever comes of this is thrown away.
                self.strayed = true;
                Fork::None
            }
            None => self.ask_fork(config, condition, wish),
        };
        let sides = |yes, no, taken| Decision::Sides { condition: print, yes, no, taken };
        let decision = match &fork {
            Fork::One(side) => sides(*side, !side, *side),
            Fork::Both { taken, .. } => sides(true, true, *taken),
            Fork::None => sides(false, false, false),
        };
        self.summaries[id.index()].log.push(decision);
        fork
    }

    fn ask_fork(&mut self, config: &Config, condition: TermId, wish: Option<bool>) -> Fork {
        let expanded = self.expand(condition);
        let negated = self.terms.app(Op::Not, [expanded]);
        let side = |yes: bool| if yes { expanded } else { negated };
        if let Some(values) = &config.model
            && let Some(holds) = self.evaluate(expanded, values)
        {
            let values = values.clone();
            return match self.ask(&config.path, side(!holds)) {
                Asked::None => Fork::One(holds),
                Asked::Some(other) => {
                    let taken = wish.unwrap_or(holds);
                    let (here, there) =
                        if taken == holds { (Some(values), other) } else { (other, Some(values)) };
                    Fork::Both { taken, here, there }
                }
            };
        }
        match (self.ask(&config.path, expanded), self.ask(&config.path, negated)) {
            (Asked::None, Asked::None) => Fork::None,
            (Asked::Some(_), Asked::None) => Fork::One(true),
            (Asked::None, Asked::Some(_)) => Fork::One(false),
            (Asked::Some(yes), Asked::Some(no)) => {
                let taken = wish.unwrap_or(true);
                let (here, there) = if taken { (yes, no) } else { (no, yes) };
                Fork::Both { taken, here, there }
            }
        }
    }

    /// Whether a condition is feasible at the end of a path, and values for which it holds. A condition that the
    /// solver does not decide counts as feasible.
    fn ask(&mut self, path: &[TermId], condition: TermId) -> Asked {
        match self.terms.as_bool(condition) {
            Some(false) => return Asked::None,
            Some(true) if path.is_empty() => return Asked::Some(None),
            _ => {}
        }
        if self.is_over() {
            return Asked::Some(None);
        }
        let mut roots = path.to_vec();
        roots.push(condition);
        if !self.plain_theory {
            let relevant = self.theory.relevant(&mut self.terms, &roots);
            roots.extend(relevant.formulas);
        }
        self.solver.push();
        let mut complete = true;
        for &t in &roots {
            // What the solver cannot express is left out, which keeps sides.
            complete &= self.solver.assert(&self.terms, t).is_ok();
        }
        let answer = self.solver.check(&self.terms, &[]);
        let asked = match answer {
            Answer::Unsat => Asked::None,
            Answer::Sat if complete => Asked::Some(self.model(path, condition)),
            Answer::Sat | Answer::Unknown(_) => Asked::Some(None),
        };
        self.solver.pop(1);
        asked
    }

    fn model(&mut self, path: &[TermId], condition: TermId) -> Option<Values> {
        let mut roots = path.to_vec();
        roots.push(condition);
        let mut values = FxHashMap::default();
        for symbol in self.terms.free_symbols(&roots) {
            let term = self.terms.var(symbol);
            values.insert(symbol, self.solver.value(&self.terms, term)?);
        }
        let values = Arc::new(values);
        // Functions have their values in the solver's model only.
        (self.evaluate(condition, &values) == Some(true)).then_some(values)
    }

    /// Whether a symbol of a summary stands for an arbitrary value, and not for a value of the caller or of the
    /// program.
    pub(crate) fn is_arbitrary(&self, callee: ProcId, symbol: SymbolId) -> bool {
        !self.globals.contains(&symbol)
            && !self.constants.contains(&symbol)
            && !self.program[callee].params.iter().any(|p| p.symbol == symbol)
    }

    /// The arbitrary symbols of terms of a summary.
    pub(crate) fn arbitrary_in(&self, callee: ProcId, roots: &[TermId]) -> Vec<SymbolId> {
        let mut found = self.terms.free_symbols(roots);
        found.retain(|&s| self.is_arbitrary(callee, s));
        found
    }

    /// The free postconditions of a procedure.
    pub(crate) fn free_ensures(&self, p: ProcId) -> impl Iterator<Item = &'p Contract> + use<'p> {
        self.program[p].ensures.iter().filter(|c| c.free)
    }

    /// A fresh symbol of the same sort, for a value that the run asks for.
    pub(crate) fn asked_for(&mut self, like: SymbolId, config: &mut Config) -> TermId {
        let declared = self.terms.symbol(like).clone();
        let fresh = self.terms.fresh_symbol(declared.name, declared.sort);
        config.events.push(RecipeEvent::Havoc(fresh));
        self.terms.var(fresh)
    }
}

enum Asked {
    None,
    Some(Option<Values>),
}

/// An environment with some values, and default values for all other symbols.
struct Known<'v> {
    values: &'v Values,
}

impl Env for Known<'_> {
    fn symbol(&mut self, terms: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        match self.values.get(&symbol) {
            Some(value) => Ok(value.clone()),
            None => plainest(terms, terms.symbol(symbol).sort).ok_or(EvalError::Unbound(symbol)),
        }
    }
}

/// The default value of a simple sort.
fn plainest(terms: &Terms, sort: SortId) -> Option<Value> {
    match terms.sort_of(sort) {
        Sort::Bool => Some(Value::Bool(false)),
        Sort::Int => Some(Value::int(0)),
        Sort::BitVec(width) => Some(Value::bit_vec(*width, &0.into())),
        Sort::Map { params: 0, range, .. } => {
            Some(Value::Map(Arc::new(MapValue::constant(sort, plainest(terms, *range)?))))
        }
        _ => None,
    }
}
