//! Results of external functions as inputs with names, so that a condition can say for which of them a function fails.
//!
//! **Idea.** What an external function returns is arbitrary, and is projected out of a condition of failure, which then says for which
//! inputs the function *can* fail. Here the program is changed such that the first results of each external function are global
//! variables of which nothing is known at the beginning. A condition is about such variables as it is about parameters.
//!
//! Example: `void f(int n) { if (n > 3) assert(ask(n) != 7); }` can fail when `n > 3`, and fails when `n > 3 && result(ask, 1) == 7`.
//!
//! A function without a body gets one: it calls a function without a body for all that it does, counts its calls, and returns the
//! variable with the number of the call. A test of the changed program has values of these variables; in the program as it was,
//! they are what the calls return, in their order ([`NamedResults::script`]).
//!
//! Bytes that are read are the results of one function of the models (`stdio_input.c`), whichever function reads them.
//!
//! **Direction of error.** None: the runs of the changed program are those of the program, as the variables are arbitrary and are
//! read once. Results beyond the first ones, pointers and floating-point numbers stay arbitrary, and then the function still
//! only *can* fail.

use std::sync::Arc;

use footpath_c_syntax::failure_conditions::NamedResult;
use footpath_frontend::c::{Lowered, StubType};
use footpath_ir::interp::{Ask, Heard, Interpreter, Limits, Listener, Reason, Replay, Script};
use footpath_ir::{
    Block, BlockId, Body, Global, Origin, Place, ProcId, Procedure, Program, Statement, StatementKind,
    Terminator, TerminatorKind, Variable,
};
use footpath_replay::NEXT_BYTE;
use footpath_term::{Op, SymbolId, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many results of each function have names.
const NAMED: u32 = 4;
/// What functions of the models begin with.
const OF_MODELS: &str = "__footpath_";

/// What the names mean.
const RESULTS: &str = "`result(f, k)` is what the k-th call of `f` returns, as a signed number";
const BYTES: &str = "`input(k)` is the k-th byte that is read, and negative at the end and for an error";

/// A program in which results of external functions are global variables.
pub(super) struct NamedResults {
    pub(super) program: Program,
    pub(super) names: Vec<NamedResult>,
    /// By the result of the function without a body that is called: the variables.
    by_result: FxHashMap<SymbolId, Vec<SymbolId>>,
}

impl NamedResults {
    /// Of the external functions that a procedure calls, itself or through others; `None` if there are none whose results are
    /// integers.
    pub(super) fn of(lowered: &Lowered, root: ProcId) -> Option<NamedResults> {
        let program = &lowered.program;
        let called = called(program, root);
        let mut made = NamedResults {
            program: Program { terms: Arc::default(), ..program.clone() },
            names: Vec::new(),
            by_result: FxHashMap::default(),
        };
        let mut terms = Terms::layer(program.terms.clone());
        let mut counters: Vec<(ProcId, SymbolId)> = Vec::new();
        for stub in &lowered.stubs {
            let is_input = stub.name == NEXT_BYTE;
            let StubType::Int(bits @ (8 | 16 | 32 | 64)) = stub.ret else { continue };
            if !called.contains(&stub.procedure) || stub.name.starts_with(OF_MODELS) && !is_input {
                continue;
            }
            let procedure = &program[stub.procedure];
            let is_plain = procedure.bodies.is_empty()
                && procedure.results.len() == 1
                && procedure.requires.is_empty()
                && procedure.ensures.is_empty();
            let Some(ty) = lowered.types.signed_integer(bits) else { continue };
            if !is_plain || terms.width(terms.symbol(procedure.results[0].symbol).sort) != Some(bits) {
                continue;
            }
            let name = |k: u32| match is_input {
                true => format!("input({k})"),
                false => format!("result({}, {k})", stub.name),
            };
            let sort = terms.symbol(procedure.results[0].symbol).sort;
            let variables: Vec<SymbolId> = (1..=NAMED).map(|k| terms.fresh_symbol(name(k), sort)).collect();
            made.names.extend((1..=NAMED).zip(&variables).map(|(k, &symbol)| NamedResult {
                symbol,
                name: name(k),
                ty,
                is_text: is_input,
            }));
            counters.push((stub.procedure, made.give_body(&mut terms, stub.procedure, &variables)));
        }
        if made.names.is_empty() {
            return None;
        }
        made.begin_with_zero(&mut terms, root, &counters);
        made.program.terms = Arc::new(terms);
        Some(made)
    }

    /// The meaning of the names in a text.
    pub(super) fn legend(&self, text: &str) -> String {
        let said = [("result(", RESULTS), ("input(", BYTES)];
        let used: Vec<&str> = said.iter().filter(|(name, _)| text.contains(name)).map(|(_, m)| *m).collect();
        used.join(", and ")
    }

    /// Gives a function without a body one that returns the variables, call by call. Returns the variable that counts its calls.
    fn give_body(&mut self, terms: &mut Terms, procedure: ProcId, variables: &[SymbolId]) -> SymbolId {
        let own = self.program[procedure].clone();
        let span = own.span;
        let counting = terms.bit_vec_sort(32);
        let counter = terms.fresh_symbol(format!("calls of {}", own.name), counting);
        for &symbol in variables.iter().chain([&counter]) {
            let old = terms.fresh_symbol("old", terms.symbol(symbol).sort);
            self.program.globals.push(Global { variable: Variable::new(symbol, span), old });
        }
        let mut copy = |v: &Variable| {
            let (name, sort) = (terms.symbol(v.symbol).name.clone(), terms.symbol(v.symbol).sort);
            Variable::new(terms.fresh_symbol(name, sort), span)
        };
        let [params, others] = [(); 2].map(|()| own.params.iter().map(&mut copy).collect::<Vec<_>>());
        let [result, other] = [(); 2].map(|()| copy(&own.results[0]));
        let outside = ProcId(self.program.procedures.len() as u32);
        self.by_result.insert(other.symbol, variables.to_vec());
        let args = params.iter().map(|v| Some(terms.var(v.symbol))).collect();
        let (calls, one) = (terms.var(counter), terms.bit_vec(32, 1));
        let next = terms.app(Op::BvAdd, [calls, one]);
        let mut value = terms.var(result.symbol);
        for (k, &variable) in (1..).zip(variables) {
            let (k, variable) = (terms.bit_vec(32, k), terms.var(variable));
            let is_this = terms.app(Op::Eq, [calls, k]);
            value = terms.app(Op::Ite, [is_this, variable, value]);
        }
        let statements = vec![
            StatementKind::Call { callee: outside, args, results: vec![Some(result.symbol)] },
            StatementKind::Assign(vec![(counter, next)]),
            StatementKind::Assign(vec![(result.symbol, value)]),
        ];
        let block = BlockId(0);
        let body = Body {
            params,
            results: vec![result],
            locals: Vec::new(),
            blocks: vec![Block {
                name: "entry".into(),
                statements: statements.into_iter().map(|kind| Statement::new(kind, span)).collect(),
                terminator: Terminator { kind: TerminatorKind::Return, span },
                span,
                origin: Origin { procedure, body: 0, place: Place::Segment { block, first: 0 } },
            }],
            span,
            attributes: Vec::new(),
        };
        self.program.procedures[procedure.index()].bodies.push(body);
        self.program.procedures.push(Procedure {
            name: format!("{} outside", own.name).into(),
            params: others,
            results: vec![other],
            ..own
        });
        counter
    }

    /// No call was made at the beginning, and who calls may change how many there were.
    fn begin_with_zero(&mut self, terms: &mut Terms, root: ProcId, counters: &[(ProcId, SymbolId)]) {
        let zero = terms.bit_vec(32, 0);
        for i in 0..self.program.procedures.len() {
            let id = ProcId(i as u32);
            let called = called(&self.program, id);
            let changed = counters.iter().filter(|(of, _)| called.contains(of)).map(|(_, counter)| *counter);
            let changed: Vec<SymbolId> = if id == root {
                counters.iter().map(|(_, counter)| *counter).collect()
            } else {
                changed.collect()
            };
            self.program.procedures[i].modifies.extend(changed);
        }
        let begin: Vec<_> = counters.iter().map(|&(_, counter)| (counter, zero)).collect();
        for body in &mut self.program.procedures[root.index()].bodies {
            let span = body.span;
            body.blocks[0].statements.insert(0, Statement::new(StatementKind::Assign(begin.clone()), span));
        }
    }

    /// The script of the same run of the program as it was.
    pub(super) fn script(
        &self,
        interpreter: &Interpreter<'_>,
        root: ProcId,
        script: &Script,
        steps: u64,
    ) -> Script {
        let mut replay = Replay::new(script);
        let listener = Returned { of: self, script, counts: FxHashMap::default(), havocs: Vec::new() };
        let mut heard = Heard::new(&mut replay, listener);
        interpreter.run(root, 0, &mut heard, &Limits { steps, ..Limits::default() });
        let mut same = script.clone();
        same.havocs = heard.listener.havocs;
        let named: FxHashSet<SymbolId> = self.by_result.values().flatten().copied().collect();
        same.entries.retain(|(_, symbol), _| !named.contains(symbol));
        same
    }
}

/// The values that external functions return in the program as it was.
struct Returned<'a> {
    of: &'a NamedResults,
    script: &'a Script,
    counts: FxHashMap<SymbolId, usize>,
    havocs: Vec<Value>,
}

impl Listener for Returned<'_> {
    fn havoc(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        let mut returned = value.clone();
        if ask.reason == Reason::CallResult
            && let Some(variables) = self.of.by_result.get(&ask.symbol)
        {
            let count = self.counts.entry(ask.symbol).or_default();
            if let Some(&variable) = variables.get(*count) {
                let named = self.script.entries.get(&(0, variable)).cloned();
                let plain = || footpath_ir::interp::default_value(ask.interpreter, ask.sort).ok();
                returned = named.or_else(plain).unwrap_or(returned);
            }
            *count += 1;
        }
        self.havocs.push(returned);
        None
    }
}

/// The procedures that one calls, itself or through others, and itself.
fn called(program: &Program, root: ProcId) -> FxHashSet<ProcId> {
    let mut seen = FxHashSet::from_iter([root]);
    let mut todo = vec![root];
    while let Some(procedure) = todo.pop() {
        let blocks = program[procedure].bodies.iter().flat_map(|body| &body.blocks);
        for statement in blocks.flat_map(|block| &block.statements) {
            if let StatementKind::Call { callee, .. } = statement.kind
                && seen.insert(callee)
            {
                todo.push(callee);
            }
        }
    }
    seen
}
