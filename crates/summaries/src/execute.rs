//! Symbolic execution of one run of a procedure, from an open leaf of its summary to the end of a path.
//!
//! **Idea.** The statements of the unwound body change a symbolic state. Where both sides of a condition are
//! feasible, the open leaf becomes a branch: the run continues on one side, and the other side is a new open leaf. A
//! call is executed by traversing the callee's summary (`call`), with its formals and arbitrary values replaced by
//! the terms of the call.
//!
//! **Example.** In `if (x > 0) { y = abs(x); }` the run first branches on `x > 0`; in the summary of `abs` the side
//! `x < 0` is infeasible on this path, so the run continues with `y = x` without a branch.
//!
//! **Direction of error.** None, as for `explore.rs`: a side that the solver does not decide is kept.

use std::sync::Arc;

use footpath_cover::{Recipe, RecipeEvent};
use footpath_ir::{BlockId, Body, Contract, Origin, Place, ProcId, StatementKind, TerminatorKind};
use footpath_term::{Substitution, SymbolId, TermId};
use footpath_transform::source_choice;
use rustc_hash::FxHashMap;

use crate::explore::{Explorer, Fork};
use crate::tree::{Bounded, CallAt, Config, Decision, Node, NodeId, Path, Position, SummaryId, Values};

/// The result of a step.
enum Step {
    /// The run continues.
    On,
    /// The path ends: the node is this leaf.
    End(Node),
    /// The run waits at this node of a callee's summary.
    Wait(NodeId),
}

/// The current run, and the node of the summary that it is at.
struct Run {
    id: SummaryId,
    node: NodeId,
    config: Config,
    /// Whether callees are explored where the run would have to wait.
    demand: bool,
}

impl Explorer<'_> {
    /// Executes the run of an open leaf to the end of a path. With `demand`, callees are explored where necessary.
    pub(crate) fn explore(&mut self, id: SummaryId, node: NodeId, demand: bool) {
        let summary = &mut self.summaries[id.index()];
        if !matches!(summary.nodes[node.index()], Node::Open(_)) {
            return;
        }
        if summary.leaves >= self.options.max_leaves {
            let name = &self.program[summary.chain.procedure].name;
            let why =
                format!("`{name}` has more than {} paths, of which no more were looked at", summary.leaves);
            summary.nodes[node.index()] = Node::GivenUp(why.into());
            return;
        }
        summary.log.push(Decision::Explore(node));
        let under_way = Node::GivenUp("it is being explored".into());
        let Node::Open(config) = std::mem::replace(&mut summary.nodes[node.index()], under_way) else {
            return;
        };
        let mut run = Run { id, node, config: *config, demand };
        let end = loop {
            if self.is_over() {
                self.summaries[id.index()].broken_off = true;
                break Node::Open(Box::new(run.config));
            }
            match self.step(&mut run) {
                Step::On => {}
                Step::End(leaf) => {
                    self.summaries[id.index()].leaves += 1;
                    break leaf;
                }
                Step::Wait(at) => {
                    self.summaries[id.index()].log.push(Decision::Waits(at));
                    break Node::Open(Box::new(run.config));
                }
            }
        };
        self.summaries[id.index()].nodes[run.node.index()] = end;
    }

    fn step(&mut self, run: &mut Run) -> Step {
        match std::mem::replace(&mut run.config.at, Position::Start) {
            Position::Start => self.choose_body(run),
            Position::Block(block, statement) => self.statement(run, block, statement),
            Position::Call(call) => self.call(run, call),
        }
    }

    fn body(&self, run: &Run) -> Arc<Body> {
        self.summaries[run.id.index()].bodies[run.config.body as usize].clone()
    }

    fn procedure(&self, run: &Run) -> ProcId {
        self.summaries[run.id.index()].chain.procedure
    }

    /// Replaces the current node by a choice among as many open leaves as there are configurations; the run continues
    /// with the first one.
    fn choose(&mut self, run: &mut Run, mut configs: Vec<Config>) {
        let summary = &mut self.summaries[run.id.index()];
        let first = summary.nodes.len() as u32;
        let ids: Vec<NodeId> = (0..configs.len() as u32).map(|i| NodeId(first + i)).collect();
        for config in &configs {
            summary.nodes.push(Node::Open(Box::new(config.clone())));
        }
        summary.nodes[run.node.index()] = Node::Choice(ids.clone());
        run.node = ids[0];
        run.config = configs.swap_remove(0);
    }

    fn choose_body(&mut self, run: &mut Run) -> Step {
        let procedure = self.procedure(run);
        let bodies = &self.program[procedure].bodies;
        let mut configs = Vec::new();
        for (i, body) in bodies.iter().enumerate() {
            let mut config = run.config.clone();
            config.body = i as u32;
            config.at = Position::Block(Body::ENTRY, 0);
            if bodies.len() > 1 {
                config.events.push(RecipeEvent::Body(i));
            }
            for (formal, own) in self.program[procedure].params.iter().zip(&body.params) {
                if formal.symbol != own.symbol {
                    let value = self.terms.var(formal.symbol);
                    config.state.set(own.symbol, value);
                }
            }
            configs.push(config);
        }
        match configs.len() {
            1 => run.config = configs.swap_remove(0),
            _ => self.choose(run, configs),
        }
        Step::On
    }

    /// Assumes a condition and ends the run in `otherwise` on the side where it does not hold. `Some` if no run
    /// continues.
    fn require(&mut self, run: &mut Run, condition: TermId, otherwise: Node) -> Option<Node> {
        let condition = self.expand(condition);
        match self.fork(run.id, &run.config, condition, Some(true)) {
            Fork::One(true) => None,
            Fork::One(false) | Fork::None => Some(otherwise),
            Fork::Both { here, .. } => {
                let summary = &mut self.summaries[run.id.index()];
                let yes = NodeId(summary.nodes.len() as u32);
                let no = NodeId(yes.0 + 1);
                summary.nodes.push(Node::GivenUp("it is being explored".into()));
                summary.nodes.push(otherwise);
                summary.nodes[run.node.index()] = Node::Branch { condition, yes, no };
                run.node = yes;
                run.config.path.push(condition);
                run.config.model = here;
                None
            }
        }
    }

    fn assume(&mut self, run: &mut Run, condition: TermId) -> Option<Node> {
        let blocked = Node::Blocked(run.config.passed.clone());
        self.require(run, condition, blocked)
    }

    /// Continues on one side of a condition; the other one becomes an open leaf if it is feasible. `put` sets where a
    /// side continues.
    fn branch(
        &mut self,
        run: &mut Run,
        condition: TermId,
        wish: Option<bool>,
        put: impl Fn(&mut Config, bool),
    ) -> Step {
        let condition = self.expand(condition);
        match self.fork(run.id, &run.config, condition, wish) {
            Fork::None => return Step::End(Node::Blocked(run.config.passed.clone())),
            Fork::One(side) => put(&mut run.config, side),
            Fork::Both { taken, here, there } => {
                let negated = self.terms.app(footpath_term::Op::Not, [condition]);
                let side = |yes: bool| if yes { condition } else { negated };
                let mut other = run.config.clone();
                other.path.push(side(!taken));
                other.model = there;
                put(&mut other, !taken);
                run.config.path.push(side(taken));
                run.config.model = here;
                put(&mut run.config, taken);
                let summary = &mut self.summaries[run.id.index()];
                let next = NodeId(summary.nodes.len() as u32);
                let beside = NodeId(next.0 + 1);
                summary.nodes.push(Node::GivenUp("it is being explored".into()));
                summary.nodes.push(Node::Open(Box::new(other)));
                let (yes, no) = if taken { (next, beside) } else { (beside, next) };
                summary.nodes[run.node.index()] = Node::Branch { condition, yes, no };
                run.node = next;
            }
        }
        Step::On
    }

    fn statement(&mut self, run: &mut Run, block: BlockId, number: usize) -> Step {
        let body = self.body(run);
        let Some(statement) = body[block].statements.get(number) else {
            self.pass(run, &body, block);
            return self.leave(run, &body, block);
        };
        run.config.at = Position::Block(block, number + 1);
        if let StatementKind::Call { callee, args, results } = &statement.kind {
            self.pass(run, &body, block);
            return self.enter_call(run, &body, block, *callee, args, results);
        }
        let mut havocs = Vec::new();
        let assumed = run.config.state.execute(&mut self.terms, statement, &mut havocs);
        for (_, value) in havocs {
            if let footpath_term::Op::Var(symbol) = self.terms.term(value).op {
                run.config.events.push(RecipeEvent::Havoc(symbol));
            }
        }
        let Some(condition) = assumed else { return Step::On };
        let mut passed = run.config.passed.clone();
        // An assumption further down in a block of the source is reached before it blocks.
        let origin = body[block].origin;
        if matches!(origin.place, Place::Segment { first: 1.., .. })
            && self.shared.graph.is_recursive(self.procedure(run))
        {
            passed.push(origin);
        }
        match self.require(run, condition, Node::Blocked(passed)) {
            Some(leaf) => Step::End(leaf),
            None => Step::On,
        }
    }

    /// Records that a run passes a block, whose assumptions hold.
    fn pass(&mut self, run: &mut Run, body: &Body, block: BlockId) {
        let origin = body[block].origin;
        self.summaries[run.id.index()].passed.insert(origin);
        // Entries are no objectives, and tell a replay that an activation begins.
        if self.shared.graph.is_recursive(self.procedure(run)) && origin.place != Place::Entry {
            run.config.passed.push(origin);
        }
    }

    fn leave(&mut self, run: &mut Run, body: &Body, block: BlockId) -> Step {
        match &body[block].terminator.kind {
            TerminatorKind::Return => self.ret(run, body),
            TerminatorKind::Fail => self.fail(run, body[block].origin),
            TerminatorKind::Cut => Step::End(Node::Bound(Bounded::Iterations, run.config.passed.clone())),
            TerminatorKind::Goto(targets) => match targets[..] {
                [] => Step::End(Node::Blocked(run.config.passed.clone())),
                [target] => {
                    run.config.at = Position::Block(target, 0);
                    Step::On
                }
                _ => self.free_choice(run, body, block, targets),
            },
            TerminatorKind::Branch { condition, then_to, else_to } => {
                let condition = run.config.state.eval(&mut self.terms, *condition);
                let passed = &self.summaries[run.id.index()].passed;
                let fresh = |b: BlockId| !passed.contains(&body[b].origin);
                let wish = (fresh(*then_to) != fresh(*else_to)).then_some(fresh(*then_to));
                let ways = [true, false].map(|yes| {
                    source_choice(self.program, body, block, usize::from(!yes)).map(RecipeEvent::Choice)
                });
                let (yes, no) = (*then_to, *else_to);
                self.branch(run, condition, wish, |config, side| {
                    config.events.extend(ways[usize::from(!side)].clone());
                    config.at = Position::Block(if side { yes } else { no }, 0);
                })
            }
        }
    }

    fn free_choice(&mut self, run: &mut Run, body: &Body, block: BlockId, targets: &[BlockId]) -> Step {
        let mut configs = Vec::new();
        for (i, &target) in targets.iter().enumerate() {
            let mut config = run.config.clone();
            config.events.extend(source_choice(self.program, body, block, i).map(RecipeEvent::Choice));
            config.at = Position::Block(target, 0);
            configs.push(config);
        }
        self.choose(run, configs);
        Step::On
    }

    fn ret(&mut self, run: &mut Run, body: &Body) -> Step {
        let procedure = self.procedure(run);
        let declared = &self.program[procedure];
        let results: Vec<TermId> =
            body.results.iter().map(|r| run.config.state.get(&mut self.terms, r.symbol)).collect();
        let formals: Substitution =
            declared.results.iter().map(|r| r.symbol).zip(results.iter().copied()).collect();
        for clause in self.free_ensures(procedure) {
            let condition = self.contract_term(run, clause.condition, &formals, &Substitution::default());
            if let Some(leaf) = self.assume(run, condition) {
                return Step::End(leaf);
            }
        }
        let mut globals = Vec::new();
        for global in self.shared.graph.writes(procedure).to_vec() {
            let (before, after) = (self.terms.var(global), run.config.state.get(&mut self.terms, global));
            if before != after {
                globals.push((global, after));
            }
        }
        Step::End(Node::Return(self.path(run, body, results, globals)))
    }

    fn fail(&mut self, run: &mut Run, origin: Origin) -> Step {
        let body = self.body(run);
        let path = self.path(run, &body, Vec::new(), Vec::new());
        Step::End(Node::Fail(path, origin))
    }

    fn path(
        &mut self,
        run: &Run,
        body: &Body,
        results: Vec<TermId>,
        globals: Vec<(SymbolId, TermId)>,
    ) -> Arc<Path> {
        let config = &run.config;
        let mut roots = config.path.clone();
        roots.extend(results.iter().chain(globals.iter().map(|(_, t)| t)));
        let used = self.arbitrary_in(self.procedure(run), &roots);
        let own = body.results.iter().chain(&body.locals).map(|v| v.symbol);
        let locals = own.filter(|s| used.contains(s)).map(|s| (s, s)).collect();
        let recipe = Arc::new(Recipe { locals, events: config.events.clone() });
        let (path, model) = (config.path.clone(), config.model.clone());
        Arc::new(Path { results, globals, path, recipe, passed: config.passed.clone(), model })
    }

    /// A term of a contract in the current state: formals are replaced by `formals`, old globals by `before`.
    fn contract_term(
        &mut self,
        run: &Run,
        term: TermId,
        formals: &Substitution,
        before: &Substitution,
    ) -> TermId {
        let mut map = formals.clone();
        for symbol in self.terms.free_symbols(&[term]) {
            if self.globals.contains(&symbol) {
                let now = run.config.state.get(&mut self.terms, symbol);
                map.insert(symbol, now);
            } else if let Some(&global) = self.olds.get(&symbol) {
                let then = match before.get(&global) {
                    Some(&then) => then,
                    // The values at this procedure's own entry.
                    None => self.terms.var(global),
                };
                map.insert(symbol, then);
            }
        }
        self.terms.substitute(term, &map)
    }

    /// Checks the preconditions of a callee and enters its summary, or executes its contract.
    fn enter_call(
        &mut self,
        run: &mut Run,
        body: &Body,
        block: BlockId,
        callee: ProcId,
        args: &[Option<TermId>],
        results: &[Option<SymbolId>],
    ) -> Step {
        let declared = &self.program[callee];
        let next = body[block].terminator.successors()[0];
        let mut given = Vec::with_capacity(args.len());
        for (arg, param) in args.iter().zip(&declared.params) {
            given.push(match arg {
                Some(arg) => run.config.state.eval(&mut self.terms, *arg),
                None => self.asked_for(param.symbol, &mut run.config),
            });
        }
        let formals: Substitution = declared.params.iter().map(|p| p.symbol).zip(given).collect();
        let mut before = Substitution::default();
        for global in self.program.globals.iter().map(|g| g.variable.symbol) {
            before.insert(global, run.config.state.get(&mut self.terms, global));
        }
        for (i, clause) in declared.requires.iter().enumerate().filter(|(_, c)| !c.free) {
            let condition = self.contract_term(run, clause.condition, &formals, &before);
            let failure = self.failed_precondition(run, body, block, next, i as u32);
            if let Some(leaf) = self.require(run, condition, failure) {
                return Step::End(leaf);
            }
        }
        if declared.bodies.is_empty() {
            return self.contract(run, callee, formals, &before, results, next);
        }
        if !self.is_summarised(callee) {
            let why = format!("`{}` has type parameters and is not summarised", declared.name);
            return Step::End(Node::GivenUp(why.into()));
        }
        let chain = self.summaries[run.id.index()].chain.clone();
        let Some(chain) = chain.call(&self.shared.graph, callee, self.options.bounds.recursion) else {
            return Step::End(Node::Bound(Bounded::OpenCalls, run.config.passed.clone()));
        };
        let (summary, _) = self.summary_of(chain);
        run.config.at = Position::Call(Box::new(CallAt {
            callee: summary,
            node: NodeId::ROOT,
            map: formals,
            names: Vec::new(),
            results: results.to_vec(),
            next,
        }));
        Step::On
    }

    fn failed_precondition(
        &mut self,
        run: &mut Run,
        body: &Body,
        block: BlockId,
        next: BlockId,
        clause: u32,
    ) -> Node {
        // The call is the statement before the piece that follows.
        let origin = body[block].origin;
        let place = match (origin.place, body[next].origin.place) {
            (Place::Segment { block, .. }, Place::Segment { first, .. }) => {
                Place::Failure { block, statement: first.saturating_sub(1), clause }
            }
            (other, _) => other,
        };
        let origin = Origin { place, ..origin };
        let path = self.path(run, body, Vec::new(), Vec::new());
        Node::Fail(path, origin)
    }

    /// The call of a procedure without bodies.
    fn contract(
        &mut self,
        run: &mut Run,
        callee: ProcId,
        mut formals: Substitution,
        before: &Substitution,
        results: &[Option<SymbolId>],
        next: BlockId,
    ) -> Step {
        let declared = &self.program[callee];
        if !declared.type_params.is_empty() {
            let why = format!("`{}` has type parameters and is not summarised", declared.name);
            return Step::End(Node::GivenUp(why.into()));
        }
        let mut values = Vec::new();
        for result in &declared.results {
            let value = self.asked_for(result.symbol, &mut run.config);
            formals.insert(result.symbol, value);
            values.push(value);
        }
        for &global in &declared.modifies {
            let value = self.asked_for(global, &mut run.config);
            run.config.state.set(global, value);
        }
        let modified = self
            .program
            .globals
            .iter()
            .map(|g| &g.variable)
            .filter(|v| declared.modifies.contains(&v.symbol));
        let wheres = declared.results.iter().chain(modified).filter_map(|v| v.where_clause);
        let ensures = declared.ensures.iter().map(|c: &Contract| c.condition);
        for condition in wheres.chain(ensures).collect::<Vec<_>>() {
            let condition = self.contract_term(run, condition, &formals, before);
            if let Some(leaf) = self.assume(run, condition) {
                return Step::End(leaf);
            }
        }
        for (target, value) in results.iter().zip(values) {
            if let Some(target) = target {
                run.config.state.set(*target, value);
            }
        }
        run.config.at = Position::Block(next, 0);
        Step::On
    }

    /// Takes one step in the summary of a callee.
    fn call(&mut self, run: &mut Run, mut call: Box<CallAt>) -> Step {
        let callee = self.summaries[call.callee.index()].chain.procedure;
        enum At {
            Branch(TermId, NodeId, NodeId),
            Choice(Vec<NodeId>),
            Return(Arc<Path>),
            Fail(Arc<Path>, Origin),
            Blocked(Vec<Origin>),
            Bound(Bounded, Vec<Origin>),
            Open,
            GivenUp(Arc<str>),
        }
        let at = match &self.summaries[call.callee.index()].nodes[call.node.index()] {
            _ if self.known.front() == Some(&Decision::Waits(call.node)) => At::Open,
            Node::Branch { condition, yes, no } => At::Branch(*condition, *yes, *no),
            Node::Choice(targets) => At::Choice(targets.clone()),
            Node::Return(path) => At::Return(path.clone()),
            Node::Fail(path, origin) => At::Fail(path.clone(), *origin),
            Node::Blocked(passed) => At::Blocked(passed.clone()),
            Node::Bound(which, passed) => At::Bound(*which, passed.clone()),
            Node::Open(_) => At::Open,
            Node::GivenUp(why) => At::GivenUp(why.clone()),
        };
        match at {
            At::Branch(condition, yes, no) => {
                let condition = self.translate(run, &mut call, callee, &[condition])[0];
                self.branch(run, condition, None, |config, side| {
                    let node = if side { yes } else { no };
                    config.at = Position::Call(Box::new(CallAt { node, ..(*call).clone() }));
                })
            }
            At::Choice(targets) => {
                let with = |node| {
                    let at = Position::Call(Box::new(CallAt { node, ..(*call).clone() }));
                    Config { at, ..run.config.clone() }
                };
                let configs = targets.into_iter().map(with).collect();
                self.choose(run, configs);
                Step::On
            }
            At::Return(path) => self.return_from(run, call, callee, &path),
            At::Fail(path, origin) => {
                let recipe = path.recipe.clone();
                run.config.events.push(RecipeEvent::Call(recipe, call.names.clone()));
                run.config.passed.extend(self.shared(run, callee, &path.passed));
                self.fail(run, origin)
            }
            At::Blocked(passed) => {
                run.config.passed.extend(self.shared(run, callee, &passed));
                Step::End(Node::Blocked(run.config.passed.clone()))
            }
            At::Bound(which, passed) => {
                run.config.passed.extend(self.shared(run, callee, &passed));
                Step::End(Node::Bound(which, run.config.passed.clone()))
            }
            At::GivenUp(why) => Step::End(Node::GivenUp(why)),
            At::Open => self.wait(run, call, callee),
        }
    }

    /// At an open leaf of a callee: explores it if that is demanded, and waits otherwise.
    fn wait(&mut self, run: &mut Run, call: Box<CallAt>, callee: ProcId) -> Step {
        let told = match self.known.front() {
            Some(&Decision::Waits(node)) if node == call.node => {
                self.known.pop_front();
                true
            }
            known => {
                self.strayed |= known.is_some();
                false
            }
        };
        if !told && run.demand && !self.is_over() {
            let values = self.values_at_call(run, &call, callee);
            if self.grow(call.callee, call.node, &values) > 0 {
                run.config.at = Position::Call(call);
                return Step::On;
            }
            if let Node::GivenUp(why) = &self.summaries[call.callee.index()].nodes[call.node.index()] {
                return Step::End(Node::GivenUp(why.clone()));
            }
        }
        let node = call.node;
        run.config.at = Position::Call(call);
        Step::Wait(node)
    }

    /// The values of the callee's formals and of the globals at the call, as far as the run's model has them.
    fn values_at_call(&mut self, run: &Run, call: &CallAt, callee: ProcId) -> Values {
        let mut values = FxHashMap::default();
        let Some(model) = &run.config.model else { return Values::default() };
        for param in &self.program[callee].params {
            if let Some(&term) = call.map.get(&param.symbol) {
                values.extend(self.value_under(term, model).map(|v| (param.symbol, v)));
            }
        }
        for global in self.program.globals.iter().map(|g| g.variable.symbol) {
            let term = run.config.state.get(&mut self.terms, global);
            values.extend(self.value_under(term, model).map(|v| (global, v)));
        }
        Values::new(values)
    }

    /// The places of a callee's path that matter to the current run: those of its component of the call graph.
    fn shared(&self, run: &Run, callee: ProcId, passed: &[Origin]) -> Vec<Origin> {
        if self.shared.graph.together(self.procedure(run), callee) { passed.to_vec() } else { Vec::new() }
    }

    fn return_from(&mut self, run: &mut Run, mut call: Box<CallAt>, callee: ProcId, path: &Path) -> Step {
        let mut roots = path.results.clone();
        roots.extend(path.globals.iter().map(|(_, t)| *t));
        let values = self.translate(run, &mut call, callee, &roots);
        let (results, globals) = values.split_at(path.results.len());
        for ((global, _), &value) in path.globals.iter().zip(globals) {
            run.config.state.set(*global, value);
        }
        for (target, &value) in call.results.iter().zip(results) {
            if let Some(target) = target {
                run.config.state.set(*target, value);
            }
        }
        run.config.events.push(RecipeEvent::Call(path.recipe.clone(), std::mem::take(&mut call.names)));
        run.config.passed.extend(self.shared(run, callee, &path.passed));
        run.config.at = Position::Block(call.next, 0);
        Step::On
    }

    /// Terms of a callee's summary in the symbols of the current run; the state is that before the call.
    fn translate(&mut self, run: &Run, call: &mut CallAt, callee: ProcId, roots: &[TermId]) -> Vec<TermId> {
        let mut map = Substitution::default();
        for symbol in self.terms.free_symbols(roots) {
            if let Some(&known) = call.map.get(&symbol) {
                map.insert(symbol, known);
            } else if self.globals.contains(&symbol) {
                let value = run.config.state.get(&mut self.terms, symbol);
                map.insert(symbol, value);
            } else if self.is_arbitrary(callee, symbol) {
                let declared = self.terms.symbol(symbol).clone();
                let fresh = self.terms.fresh_symbol(declared.name, declared.sort);
                let value = self.terms.var(fresh);
                call.map.insert(symbol, value);
                call.names.push((symbol, fresh));
                map.insert(symbol, value);
            }
        }
        self.terms.substitute_all(roots, &map, &footpath_term::TypeSubstitution::default())
    }
}
