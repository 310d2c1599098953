//! Assumptions of partial verification: the kinds of assumptions that an unsound analysis makes, and their places in
//! a body.
//!
//! One table lists the kinds, with names for the command line and meanings for the reader. A [`Site`] is an
//! assumption at one statement; it becomes `a := a && P` in the annotated program, and `assume P` in the program that
//! is analysed.
//!
//! Example: after `q = p->next` the kind `valid-pointers` makes the site "`q` points into a living object that holds
//! at least one element of its type from there on".
//!
//! **Direction of error.** An assumption that does not hold makes verdicts under it void for that run, which the
//! variable `a` records; no verdict rests on an assumption that is not named in its premise.

use std::collections::BTreeSet;
use std::sync::Arc;

use footpath_absint::{FreeSymbols, Live, reverse_postorder};
use footpath_ir::analysis::wto::{ComponentId, Wto};
use footpath_ir::source::Span;
use footpath_ir::{
    AssertKind, BlockId, Body, ProcId, Program, Statement, StatementKind, TerminatorKind, Variable,
};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::frames::{Lives, copy_before};
use crate::pointers::Pointers;

macro_rules! assumption_kinds {
    ($($kind:ident = $name:literal, $meaning:literal, $buys:literal;)*) => {
        /// What may be assumed.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum AssumptionKind {
            $(#[doc = $meaning] $kind),*
        }

        impl AssumptionKind {
            /// All of them.
            pub const ALL: &'static [AssumptionKind] = &[$(AssumptionKind::$kind),*];

            /// The name on the command line and in reports.
            pub fn name(self) -> &'static str {
                match self { $(AssumptionKind::$kind => $name),* }
            }

            /// What is assumed.
            pub fn meaning(self) -> &'static str {
                match self { $(AssumptionKind::$kind => $meaning),* }
            }

            /// What becomes provable by it.
            pub fn buys(self) -> &'static str {
                match self { $(AssumptionKind::$kind => $buys),* }
            }
        }
    };
}

assumption_kinds! {
    FewRounds = "few-rounds",
        "A loop has at most so many iterations (1000, or as `--iterations` says) each time it is entered.",
        "What counts iterations, or grows by a bounded step, does not overflow.";
    NoOverflow = "no-overflow",
        "Signed arithmetic does not overflow.",
        "Sums and products are those of unbounded integers, so that bounds of loops and indices carry through.";
    AllocationSucceeds = "allocation-succeeds",
        "Allocating memory does not fail.",
        "The result of an allocation may be dereferenced without a test for null.";
    ParameterLengths = "parameter-lengths",
        "A pointer parameter points to the start of an object that has as many elements as the next integer parameter says; one of a library function points to that many bytes anywhere in an object.",
        "Arrays that are passed with their lengths may be indexed up to these.";
    ValidParameters = "valid-parameters",
        "A pointer parameter points to the start of a live object that holds at least one element of its type; one of a library function points anywhere into such an object.",
        "Parameters may be dereferenced without a test for null.";
    ValidPointers = "valid-pointers",
        "A pointer that is read from memory points into a live object that holds at least one element of its type from there on, or is null if the function compares it with null.",
        "Pointers in structures and arrays may be dereferenced.";
    TerminatedStrings = "terminated-strings",
        "A pointer to a string, which is read up to a zero byte, points into an object that ends with one.",
        "Strings may be read to their end.";
    DistinctParameters = "distinct-parameters",
        "Different pointer parameters point to different objects.",
        "A write through one parameter does not change what another one points to.";
    CalleesKeep = "callees-keep",
        "A callee changes no global that its postconditions do not mention, and frees no object.",
        "What was known before a call is known after it.";
}

/// An assumption at its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What it is.
    pub kind: AssumptionKind,
    /// The block.
    pub block: BlockId,
    /// The statement before which it is made.
    pub before: usize,
    /// What is assumed.
    pub predicate: TermId,
    /// The same as text in source syntax, if the front end has one.
    pub words: Option<Arc<str>>,
    /// Copies of variables from before the preceding statement: the copy, the variable.
    pub copies: Vec<(SymbolId, SymbolId)>,
    /// The iteration counter of a loop, which is incremented right before the assumption.
    pub rounds: Option<Rounds>,
    /// Where it stands in the source.
    pub span: Span,
}

/// A variable that counts how often the head of a loop was reached since the loop was entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// The variable.
    pub counter: SymbolId,
    /// The blocks from which the loop is entered, with their numbers of statements: the counter is reset there.
    pub entered_from: Vec<(BlockId, usize)>,
}

/// The sites in a body, in order. `facts` are the entry conditions from the front end; `rounds` bounds the iterations
/// of loops.
pub fn sites(
    terms: &mut Terms,
    program: &Program,
    (procedure, body_index): (ProcId, u32),
    kinds: &BTreeSet<AssumptionKind>,
    facts: &Entry,
    rounds: u32,
) -> Vec<Site> {
    let body = &program[procedure].bodies[body_index as usize];
    let mut found = Vec::new();
    if kinds.contains(&AssumptionKind::CalleesKeep)
        && let Some(lives) = &facts.lives
    {
        found.extend(kept_alive(terms, program, body, lives));
    }
    if kinds.contains(&AssumptionKind::ValidPointers)
        && let Some(pointers) = &facts.pointers
    {
        found.extend(pointers.sites(terms, program, body));
    }
    for (kind, predicate, words) in &facts.assumptions {
        let (block, copies, words) = (Body::ENTRY, Vec::new(), Some(words.as_str().into()));
        found.push(Site {
            kind: *kind,
            block,
            before: 0,
            predicate: *predicate,
            words,
            copies,
            rounds: None,
            span: body.span,
        });
    }
    for block in body.block_ids() {
        let statements = &body[block].statements;
        for (i, statement) in statements.iter().enumerate() {
            let StatementKind::Call { callee, results, .. } = &statement.kind else { continue };
            let site = |kind, predicate, copies| Site {
                kind,
                block,
                before: i + 1,
                predicate,
                words: None,
                copies,
                rounds: None,
                span: statement.span,
            };
            if facts.allocation_fails == Some(*callee)
                && let Some(Some(fails)) = results.first()
            {
                let fails = terms.var(*fails);
                let succeeds = terms.app(Op::Not, [fails]);
                found.push(site(AssumptionKind::AllocationSucceeds, succeeds, Vec::new()));
            }
            let (at, kept, words) = match facts.modifies_are_inferred {
                _ if !kinds.contains(&AssumptionKind::CalleesKeep) => (i, Vec::new(), None),
                false => (i, kept(program, *callee), None),
                true if program[*callee].bodies.is_empty() => {
                    let (at, kept) = changed_after(program, statements, i);
                    (
                        at,
                        kept,
                        Some(
                            format!(
                                "the external function `{}` neither changes nor frees anything that it can reach",
                                program[*callee].name
                            )
                            .into(),
                        ),
                    )
                }
                true => (i, Vec::new(), None),
            };
            if !kept.is_empty() {
                let (mut copies, mut equal) = (Vec::new(), Vec::new());
                for g in kept {
                    let copy = copy_before(terms, g);
                    let (a, b) = (terms.var(g), terms.var(copy));
                    equal.push(terms.app(Op::Eq, [a, b]));
                    copies.push((copy, g));
                }
                let predicate = terms.app(Op::And, equal);
                let site = site(AssumptionKind::CalleesKeep, predicate, copies);
                found.push(Site { before: at + 1, words, ..site });
            }
        }
        if let TerminatorKind::Branch { condition, then_to, else_to } = &body[block].terminator.kind {
            let overflows = |to: &BlockId| marks_overflow(body, *to);
            if overflows(then_to) != overflows(else_to) {
                let fits = if overflows(then_to) { terms.app(Op::Not, [*condition]) } else { *condition };
                let span = body[block].terminator.span;
                let (kind, before) = (AssumptionKind::NoOverflow, statements.len());
                let copies = Vec::new();
                let rounds = None;
                found.push(Site { kind, block, before, predicate: fits, words: None, copies, rounds, span });
            }
        }
    }
    if kinds.contains(&AssumptionKind::FewRounds) {
        found.extend(few_rounds(terms, body, rounds));
    }
    found.retain(|s| kinds.contains(&s.kind));
    found
}

/// How many invariants a loop asserts at its head; they have to stay the first statements to be recognised.
pub(crate) fn own_invariants(statements: &[Statement]) -> usize {
    let own =
        |s: &&Statement| matches!(s.kind, StatementKind::Assert { kind: AssertKind::LoopInvariant, .. });
    statements.iter().take_while(own).count()
}

/// The assumptions that each loop iterates at most `rounds` times.
fn few_rounds(terms: &mut Terms, body: &Body, rounds: u32) -> Vec<Site> {
    let wto = Wto::of(body);
    let predecessors = body.predecessors();
    let mut found = Vec::new();
    for (number, component) in wto.components.iter().enumerate() {
        let (id, head) = (ComponentId(number as u32), component.head);
        // A run that begins inside a loop, or enters it past its head, would not be counted from 0.
        let outside = |b: &BlockId| wto.is_reachable(*b) && !wto.contains(id, *b);
        let entered_past = body
            .block_ids()
            .filter(outside)
            .any(|b| body[b].terminator.successors().iter().any(|s| *s != head && wto.contains(id, *s)));
        if head == Body::ENTRY || entered_past {
            continue;
        }
        let mut from: Vec<BlockId> = predecessors[head.index()].iter().copied().filter(outside).collect();
        from.sort_unstable();
        from.dedup();
        let entered_from = from.into_iter().map(|b| (b, body[b].statements.len())).collect();
        let span = body[head].terminator.span;
        let counter = terms.fresh_symbol("rounds", SortId::INT);
        // The head is reached once more than the loop iterates.
        let (count, most) = (terms.var(counter), terms.int(i128::from(rounds) + 1));
        let predicate = terms.app(Op::Le, [count, most]);
        found.push(Site {
            kind: AssumptionKind::FewRounds,
            block: head,
            before: own_invariants(&body[head].statements),
            predicate,
            words: Some(format!("the loop iterates at most {rounds} times").into()),
            copies: Vec::new(),
            rounds: Some(Rounds { counter, entered_from }),
            span,
        });
    }
    found
}

/// The entry conditions of a procedure, which the front end knows.
#[derive(Clone, Default, Debug)]
pub struct Entry {
    /// Whether `modifies` clauses are inferred from bodies, so that nothing has to be assumed about them, and the
    /// caller havocs what a procedure without a body may change.
    pub modifies_are_inferred: bool,
    /// The facts that hold whenever the procedure is called.
    pub facts: Vec<TermId>,
    /// The assumptions that may be made there, with their text in source syntax.
    pub assumptions: Vec<(AssumptionKind, TermId, String)>,
    /// The procedure whose result says of each allocation whether it fails.
    pub allocation_fails: Option<ProcId>,
    /// The frame conditions after each call of a procedure, over globals and their old values, in addition to its
    /// contract.
    pub ensured: Arc<[(ProcId, TermId)]>,
    /// The objects that calls may free.
    pub lives: Option<Arc<Lives>>,
    /// The pointers that it reads from memory.
    pub pointers: Option<Pointers>,
}

/// The assumptions that calls of procedures with bodies free nothing that is used after them, if these may free
/// anything.
fn kept_alive(terms: &mut Terms, program: &Program, body: &Body, lives: &Lives) -> Vec<Site> {
    let read = lives.read(terms, body);
    let mut free = FreeSymbols::default();
    let live = Live::of(terms, &mut free, body, &reverse_postorder(body));
    let mut found = Vec::new();
    for block in body.block_ids() {
        for (i, statement) in body[block].statements.iter().enumerate() {
            let StatementKind::Call { callee, .. } = &statement.kind else { continue };
            if program[*callee].bodies.is_empty() {
                continue;
            }
            let behind = live.before(terms, &mut free, body, (block, i + 1));
            let is_live = |s: SymbolId| !live.is_local(s) || behind.contains(&s);
            let Some((predicate, copies)) = lives.kept(terms, program, &statement.kind, &read, &is_live)
            else {
                continue;
            };
            let words = format!("`{}` frees nothing that is used after the call", program[*callee].name);
            found.push(Site {
                kind: AssumptionKind::CalleesKeep,
                block,
                before: i + 1,
                predicate,
                words: Some(words.into()),
                copies,
                rounds: None,
                span: statement.span,
            });
        }
    }
    found
}

/// Whether a block marks that arithmetic overflowed.
pub(crate) fn marks_overflow(body: &Body, block: BlockId) -> bool {
    body.mark(block).and_then(Statement::marks) == Some(AssertKind::Overflow)
}

/// The globals that a callee may change and that its postconditions do not mention.
fn kept(program: &Program, callee: ProcId) -> Vec<SymbolId> {
    let procedure = &program[callee];
    let ensured: Vec<TermId> = procedure.ensures.iter().map(|c| c.condition).collect();
    let spoken: BTreeSet<SymbolId> = program.terms.free_symbols(&ensured).into_iter().collect();
    let is_assumption =
        |s: &SymbolId| program.globals.iter().any(|g| g.variable.symbol == *s && g.variable.is_assumption());
    procedure.modifies.iter().copied().filter(|s| !spoken.contains(s) && !is_assumption(s)).collect()
}

/// The statement after a call that havocs what it may have changed, and these globals; the call itself if there is
/// none.
fn changed_after(program: &Program, statements: &[Statement], call: usize) -> (usize, Vec<SymbolId>) {
    let is_call = |s: &Statement| matches!(s.kind, StatementKind::Call { .. });
    let of_the_program =
        |s: &SymbolId| program.globals.iter().any(|g| g.variable.symbol == *s && !g.variable.is_assumption());
    let behind = statements.iter().enumerate().skip(call + 1).take_while(|(_, s)| !is_call(s));
    for (at, statement) in behind {
        if let StatementKind::Havoc(symbols) = &statement.kind {
            let changed: Vec<SymbolId> = symbols.iter().copied().filter(of_the_program).collect();
            if !changed.is_empty() {
                return (at, changed);
            }
        }
    }
    (call, Vec::new())
}

/// The form that sites take in a program.
pub enum Form<'a> {
    /// `assume P` for those that are enabled.
    Assume(&'a [bool]),
    /// `a := a && P` over these variables.
    Record(&'a [SymbolId]),
    /// `assume on ==> P`, each under its variable.
    Enable(&'a [SymbolId]),
}

/// Inserts the sites into a body. Statements keep their order; their new places are returned, by block and number.
pub fn place(
    terms: &mut Terms,
    body: &mut Body,
    sites: &[Site],
    form: &Form<'_>,
) -> FxHashMap<(BlockId, usize), usize> {
    let mut before: FxHashMap<(BlockId, usize), Vec<Statement>> = FxHashMap::default();
    for (i, site) in sites.iter().enumerate() {
        if matches!(form, Form::Assume(on) if !on[i]) {
            continue;
        }
        let new = |kind| Statement::new(kind, site.span);
        for (copy, variable) in &site.copies {
            let value = terms.var(*variable);
            let keep = new(StatementKind::Assign(vec![(*copy, value)]));
            before.entry((site.block, site.before - 1)).or_default().push(keep);
            body.locals.push(Variable::new(*copy, site.span));
        }
        if let Some(Rounds { counter, entered_from }) = &site.rounds {
            body.locals.push(Variable::new(*counter, site.span));
            let (zero, one, count) = (terms.int(0), terms.int(1), terms.var(*counter));
            for &end in entered_from {
                let start = new(StatementKind::Assign(vec![(*counter, zero)]));
                before.entry(end).or_default().push(start);
            }
            let more = terms.app(Op::Add, [count, one]);
            let next = new(StatementKind::Assign(vec![(*counter, more)]));
            before.entry((site.block, site.before)).or_default().push(next);
        }
        let here = before.entry((site.block, site.before)).or_default();
        match form {
            Form::Assume(_) => {
                here.push(new(StatementKind::Assume(site.predicate)));
                // What is equal may be taken for the other, elements of maps included.
                for (copy, variable) in &site.copies {
                    here.push(new(StatementKind::Assign(vec![(*variable, terms.var(*copy))])));
                }
            }
            Form::Enable(symbols) => {
                let on = terms.var(symbols[i]);
                let condition = terms.app(Op::Implies, [on, site.predicate]);
                here.push(new(StatementKind::Assume(condition)));
                for (copy, variable) in &site.copies {
                    let (old, now) = (terms.var(*copy), terms.var(*variable));
                    let value = terms.app(Op::Ite, [on, old, now]);
                    here.push(new(StatementKind::Assign(vec![(*variable, value)])));
                }
            }
            Form::Record(symbols) => {
                let a = terms.var(symbols[i]);
                let value = terms.app(Op::And, [a, site.predicate]);
                here.push(new(StatementKind::Assign(vec![(symbols[i], value)])));
            }
        }
    }
    let mut moved = FxHashMap::default();
    for block in body.block_ids() {
        let old = std::mem::take(&mut body.blocks[block.index()].statements);
        let count = old.len();
        let mut new = Vec::with_capacity(count);
        for (i, statement) in old.into_iter().enumerate() {
            new.extend(before.remove(&(block, i)).unwrap_or_default());
            moved.insert((block, i), new.len());
            new.push(statement);
        }
        new.extend(before.remove(&(block, count)).unwrap_or_default());
        body.blocks[block.index()].statements = new;
    }
    moved
}
