//! Redundancy of test runs: whether every check on a run was verified under a premise that held.
//!
//! **Idea.** The annotated program gets a variable that becomes true where a check is met whose premise does not
//! hold, one that becomes true where a failure is marked, and two that say how many blocks were entered until then.
//! The reference interpreter runs a test on it; the values at the end are the answer. Two tests that take the same
//! path up to the last such check show the same: what comes later is verified.
//!
//! Example: a test whose only unproved check on the path is `assert x > 0`, verified under `no_overflow`, is
//! redundant if nothing overflowed in its run.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 4.2: "the tests in which the premises of all
//! encountered assertions hold".
//!
//! **Deviations.** A test that ends by `exit` is successful.
//!
//! **Direction of error.** It shares nothing with the search that made the test except the premises. A run that fails
//! although the premise of the failing check holds contradicts the verification, and is reported as such.

use std::sync::Arc;

use footpath_ir::interp::{Interpreter, Limits, Outcome, Replay, Run, Script, Step};
use footpath_ir::source::{FileId, Span};
use footpath_ir::{
    AssertKind, Global, Place, ProcId, Program, Statement, StatementKind, TerminatorKind, Variable,
};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms, Value};

use crate::analysis::Verification;

/// The class of a test run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RunClass {
    /// A check fails, or is marked as failing, that was not verified under a premise that holds.
    Failing,
    /// It ends without a failure, and meets a check whose premise does not hold, or that has none.
    Successful,
    /// It ends without a failure, and all checks were verified under premises that hold.
    Redundant,
    /// A check fails although its premise holds, which would be an error of the verification.
    Contradiction,
    /// It does not end, or cannot be followed.
    Unknown,
}

/// A classified run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classified {
    /// Its class.
    pub class: RunClass,
    /// The blocks that it entered up to the last check that was not verified under a premise that holds; empty if
    /// there is none.
    pub shows: Vec<Step>,
    /// How many of these it had entered at each check that was not verified under a premise that holds, in order.
    pub met: Vec<usize>,
    /// Whether it ends at a false assumption, which is the program's own.
    pub blocked: bool,
}

/// Classifies runs.
pub struct RunOracle {
    program: Program,
    ghosts: Ghosts,
}

/// The ghost variables that are added to the program.
#[derive(Clone, Copy)]
struct Ghosts {
    /// Whether a check was met whose premise does not hold.
    unverified: SymbolId,
    /// Whether the premise of the check that was met last holds.
    proved: SymbolId,
    /// Whether a failure was marked of a check whose premise does not hold.
    marked: SymbolId,
    /// Whether one was marked of a check whose premise holds.
    contradicted: SymbolId,
    /// How many blocks were entered.
    entered: SymbolId,
    /// The same at the last check whose premise does not hold, and at the last mark.
    last: SymbolId,
    /// The numbers at which there was such a check.
    met: SymbolId,
}

impl RunOracle {
    /// An oracle from verification results.
    pub fn new(found: &Verification) -> RunOracle {
        let mut program = found.annotated.clone();
        let mut terms = Terms::layer(program.terms.clone());
        let numbers = terms.map_sort(vec![SortId::INT], SortId::BOOL);
        let mut ghost = |name, sort| ghost(&mut terms, &mut program, name, sort);
        let ghosts = Ghosts {
            unverified: ghost("$unverified", SortId::BOOL),
            proved: ghost("$proved", SortId::BOOL),
            marked: ghost("$marked", SortId::BOOL),
            contradicted: ghost("$contradicted", SortId::BOOL),
            entered: ghost("$entered", SortId::INT),
            last: ghost("$last", SortId::INT),
            met: ghost("$met", numbers),
        };
        for number in 0..program.procedures.len() {
            watch(&mut terms, &mut program, ProcId(number as u32), ghosts);
        }
        program.terms = Arc::new(terms);
        RunOracle { program, ghosts }
    }

    /// Runs the program; to be kept for many tests.
    pub fn interpreter(&self) -> Interpreter<'_> {
        Interpreter::new(&self.program)
    }

    /// The class of the run on a script, from a body on, under those axioms.
    pub fn classify(
        &self,
        interpreter: &Interpreter<'_>,
        (procedure, body): (ProcId, u32),
        script: &Script,
        limits: &Limits,
        axioms: &[usize],
    ) -> Classified {
        let run = interpreter.run_under(procedure, body, &mut Replay::new(script), limits, axioms);
        let class = self.class(&run);
        let blocked = matches!(run.outcome, Outcome::Blocked { .. });
        let last = match run.globals.get(&self.ghosts.last) {
            Some(Value::Int(n)) => usize::try_from(n).unwrap_or(0),
            _ => 0,
        };
        let mut shows = run.path;
        shows.truncate(last);
        let mut met = Vec::new();
        if let Some(Value::Map(numbers)) = run.globals.get(&self.ghosts.met) {
            for (at, is_met) in &numbers.entries {
                if let ([Value::Int(n)], Value::Bool(true)) = (at.as_slice(), is_met) {
                    met.extend(usize::try_from(n).ok());
                }
            }
        }
        met.sort_unstable();
        Classified { class, shows, met, blocked }
    }

    fn class(&self, run: &Run) -> RunClass {
        let is_set = |s: &SymbolId| run.globals.get(s) == Some(&Value::Bool(true));
        if is_set(&self.ghosts.contradicted) {
            return RunClass::Contradiction;
        }
        let ended = match run.outcome {
            Outcome::Returned | Outcome::Failed { kind: AssertKind::Exit, .. } => true,
            // What a contract asks for; an assertion whose premise holds ends the run as an assumption would.
            Outcome::Failed { .. } if is_set(&self.ghosts.proved) => return RunClass::Contradiction,
            Outcome::Failed { .. } => return RunClass::Failing,
            Outcome::Blocked { at } if self.is_check(at) => return RunClass::Contradiction,
            _ => false,
        };
        match (is_set(&self.ghosts.marked), ended, is_set(&self.ghosts.unverified)) {
            (true, ..) => RunClass::Failing,
            (_, false, _) => RunClass::Unknown,
            (_, _, true) => RunClass::Successful,
            _ => RunClass::Redundant,
        }
    }

    fn is_check(&self, at: footpath_ir::Origin) -> bool {
        let Place::Segment { block, first } = at.place else { return false };
        let body = self.program[at.procedure].bodies.get(at.body as usize);
        let statement = body.and_then(|b| b[block].statements.get(first as usize));
        statement.is_some_and(|s| matches!(s.kind, StatementKind::Assert { .. }))
    }
}

/// A global that is false or 0 until it is assigned, as scripts say nothing of it.
fn ghost(terms: &mut Terms, program: &mut Program, name: &str, sort: SortId) -> SymbolId {
    let symbol = terms.fresh_symbol(name, sort);
    let old = terms.fresh_symbol(format!("old {name}"), sort);
    let nowhere = Span::new(FileId(0), 0, 0);
    program.globals.push(Global { variable: Variable::new(symbol, nowhere), old });
    symbol
}

/// Puts the assignments into the bodies of a procedure.
fn watch(terms: &mut Terms, program: &mut Program, procedure: ProcId, ghosts: Ghosts) {
    let ensures = program[procedure].ensures.iter().any(|c| !c.free);
    let requires: Vec<bool> = program.procedures.iter().map(|p| p.requires.iter().any(|c| !c.free)).collect();
    if !program[procedure].bodies.is_empty() {
        let Ghosts { unverified, proved, marked, contradicted, entered, last, met } = ghosts;
        program[procedure].modifies.extend([unverified, proved, marked, contradicted, entered, last, met]);
    }
    let (now, one) = (terms.var(ghosts.entered), terms.int(1));
    let next = terms.app(Op::Add, [now, one]);
    for body in &mut program[procedure].bodies {
        let behind: Vec<Vec<Option<TermId>>> =
            body.block_ids().map(|b| body.marks_behind(b).map(Statement::premise).collect()).collect();
        let exit = body.exit_premise();
        for (block, marks) in body.blocks.iter_mut().zip(behind) {
            let count = StatementKind::Assign(vec![(ghosts.entered, next)]);
            let mut new = vec![Statement::new(count, block.span)];
            for statement in std::mem::take(&mut block.statements) {
                let checks = match statement.kind {
                    StatementKind::Assert { kind, .. } => kind != AssertKind::Exit,
                    StatementKind::Call { callee, .. } => requires[callee.index()],
                    _ => false,
                };
                if checks {
                    new.push(meets(terms, ghosts, statement.premise(), statement.span));
                }
                let mark = statement.marks().map(|_| fails(terms, ghosts, &statement));
                new.push(statement);
                new.extend(mark);
            }
            let span = block.terminator.span;
            new.extend(marks.into_iter().map(|premise| meets(terms, ghosts, premise, span)));
            if ensures && block.terminator.kind == TerminatorKind::Return {
                new.push(meets(terms, ghosts, exit, span));
            }
            block.statements = new;
        }
    }
}

/// A check is met: it was not verified if its premise does not hold.
fn meets(terms: &mut Terms, ghosts: Ghosts, premise: Option<TermId>, span: Span) -> Statement {
    let (before, now, last) =
        (terms.var(ghosts.unverified), terms.var(ghosts.entered), terms.var(ghosts.last));
    let open = match premise {
        Some(premise) => terms.app(Op::Not, [premise]),
        None => terms.bool(true),
    };
    let unverified = terms.app(Op::Or, [before, open]);
    let last = terms.app(Op::Ite, [open, now, last]);
    let proved = terms.app(Op::Not, [open]);
    let met = terms.var(ghosts.met);
    // A write in any case: the interpreter does not copy the map for one.
    let known = terms.app(Op::Select, [met, now]);
    let is_met = terms.app(Op::Or, [known, open]);
    let values = vec![
        (ghosts.unverified, unverified),
        (ghosts.last, last),
        (ghosts.proved, proved),
        (ghosts.met, terms.app(Op::Store, [met, now, is_met])),
    ];
    Statement::new(StatementKind::Assign(values), span)
}

/// A failure is marked: it contradicts the premise if that holds.
fn fails(terms: &mut Terms, ghosts: Ghosts, mark: &Statement) -> Statement {
    let (marked, contradicted) = (terms.var(ghosts.marked), terms.var(ghosts.contradicted));
    let proved = mark.premise().unwrap_or_else(|| terms.bool(false));
    let open = terms.app(Op::Not, [proved]);
    let values = vec![
        (ghosts.marked, terms.app(Op::Or, [marked, open])),
        (ghosts.contradicted, terms.app(Op::Or, [contradicted, proved])),
        (ghosts.last, terms.var(ghosts.entered)),
    ];
    Statement::new(StatementKind::Assign(values), mark.span)
}
