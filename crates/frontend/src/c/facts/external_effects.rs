//! Mod/ref analysis of external functions: what a call may change that tests leave as it is, and who refers to it
//! behind the call.
//!
//! **Idea.** In tests an external function changes nothing but its out parameters, frees nothing, and returns pointers
//! to objects of its own. Lowering notes for each callee what it may change, free or return instead
//! (`escape.rs`). A summary of each procedure says what its calls change and what its statements refer to, callees
//! included. A run of a test may differ from one of the program only if, somewhere below the function in question, a
//! call is followed by a reference to what it may have changed.
//!
//! Example: in `int n = *p; log_line(); return 8 / n;` with an external `log_line` nothing refers to `*p` behind the
//! call, so that what is found out by tests holds whatever `log_line` does. In `log_line(); return 8 / *p;` it does not.
//!
//! The technique is the side-effect analysis of K. D. Cooper and K. Kennedy, *Interprocedural side-effect analysis in
//! linear time* (PLDI 1988), with one map of the program form as the unit of memory.
//!
//! **Deviation.** What follows a call is a matter of the flow graph: which way is feasible is not asked. A store refers
//! to the map that it changes only if the rest of it matters, so it does not count as a read.
//!
//! **Direction of error.** Towards effects that do not matter. What `escape.rs` does not see is not seen here.

use std::collections::{BTreeMap, BTreeSet};

use footpath_ir::{Block, BlockId, Body, ProcId, Program, Statement, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId, Terms};

/// How an external function may matter that tests do not have it do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExternalEffect {
    /// It changes memory that is read later.
    Changes,
    /// It frees an object that is used later.
    Frees,
    /// It returns a pointer that leads into another object than a new one, or one of another size.
    Returns,
}

/// What a call may do: the memory that it may change, free and return.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Effects {
    changed: BTreeSet<SymbolId>,
    ended: BTreeSet<SymbolId>,
    returned: BTreeSet<SymbolId>,
    /// Whether it may free anything.
    frees: bool,
}

impl Effects {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.ended.is_empty() && self.returned.is_empty() && !self.frees
    }

    fn add(&mut self, other: &Effects) {
        self.changed.extend(&other.changed);
        self.ended.extend(&other.ended);
        self.returned.extend(&other.returned);
        self.frees |= other.frees;
    }

    /// Which of them matter to code with these references.
    fn met_by(&self, references: &References) -> BTreeSet<ExternalEffect> {
        let found = [
            (ExternalEffect::Changes, !self.changed.is_disjoint(&references.read)),
            (
                ExternalEffect::Frees,
                !self.ended.is_disjoint(&references.used) || self.frees && references.asks,
            ),
            (ExternalEffect::Returns, !self.returned.is_disjoint(&references.used)),
        ];
        found.into_iter().filter(|(_, met)| *met).map(|(effect, _)| effect).collect()
    }
}

/// What code refers to: the variables that it reads, and those that it reads or writes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct References {
    read: BTreeSet<SymbolId>,
    used: BTreeSet<SymbolId>,
    /// Whether it asks if an object lives that external code may free.
    asks: bool,
}

impl References {
    fn add(&mut self, other: &References) {
        self.read.extend(&other.read);
        self.used.extend(&other.used);
        self.asks |= other.asks;
    }
}

/// The effects of external functions that tests leave out.
#[derive(Clone, Default, Debug)]
pub struct ExternalEffects {
    /// By callee, or by the procedure in which an instruction has them.
    of: BTreeMap<ProcId, Effects>,
    /// The procedures that ask whether an object lives that external code may free.
    asking: BTreeSet<ProcId>,
}

impl ExternalEffects {
    /// Notes what a call of a procedure may change, and in which memory it may free objects, if it frees any.
    pub(crate) fn changes(&mut self, callee: ProcId, changed: Vec<SymbolId>, ended: Option<Vec<SymbolId>>) {
        let effects = self.of.entry(callee).or_default();
        effects.changed.extend(changed);
        effects.frees |= ended.is_some();
        effects.ended.extend(ended.into_iter().flatten());
    }

    /// Notes that a procedure returns a pointer into this memory.
    pub(crate) fn returns(&mut self, callee: ProcId, memory: SymbolId) {
        self.of.entry(callee).or_default().returned.insert(memory);
    }

    /// Notes that a procedure asks whether an object lives that external code may free.
    pub(crate) fn asks_for_lives(&mut self, procedure: ProcId) {
        self.asking.insert(procedure);
    }

    /// The procedures in which a call is followed by a reference to what it may have changed, and how. Callees are not
    /// included.
    pub fn that_matter(&self, program: &Program) -> BTreeMap<ProcId, BTreeSet<ExternalEffect>> {
        if self.of.values().all(Effects::is_empty) {
            return BTreeMap::new();
        }
        let summaries = self.summaries(program);
        let found = program.ids().map(|p| (p, self.in_procedure(program, &summaries, p)));
        found.filter(|(_, effects)| !effects.is_empty()).collect()
    }

    /// What each procedure does and refers to, callees included.
    fn summaries(&self, program: &Program) -> Vec<(Effects, References)> {
        let mut summaries = vec![(Effects::default(), References::default()); program.ids().count()];
        for component in program.components() {
            let (mut effects, mut references) = (Effects::default(), References::default());
            for &p in &component {
                effects.add(self.of.get(&p).unwrap_or(&Effects::default()));
                references.asks |= self.asking.contains(&p);
                for body in &program[p].bodies {
                    body.blocks.iter().for_each(|block| references.add(&of_block(&program.terms, block)));
                }
                for callee in program.calls(p) {
                    effects.add(&summaries[callee.index()].0);
                    references.add(&summaries[callee.index()].1);
                }
            }
            for p in component {
                summaries[p.index()] = (effects.clone(), references.clone());
            }
        }
        summaries
    }

    fn in_procedure(
        &self,
        program: &Program,
        summaries: &[(Effects, References)],
        p: ProcId,
    ) -> BTreeSet<ExternalEffect> {
        let mut found = BTreeSet::new();
        for body in &program[p].bodies {
            let calls_any = body.calls().any(|callee| !summaries[callee.index()].0.is_empty());
            let own = self.of.get(&p);
            if !calls_any && own.is_none() {
                continue;
            }
            let each: Vec<References> =
                body.blocks.iter().map(|block| with_callees(&program.terms, block, summaries)).collect();
            if let Some(own) = own {
                each.iter().for_each(|references| found.extend(own.met_by(references)));
            }
            for block in body.block_ids() {
                let mut behind = behind(&program.terms, body, block, &each);
                behind.asks |= self.asking.contains(&p);
                for statement in body[block].statements.iter().rev() {
                    if let StatementKind::Call { callee, .. } = statement.kind {
                        found.extend(summaries[callee.index()].0.met_by(&behind));
                    }
                    behind.add(&of_statement(&program.terms, statement));
                    if let StatementKind::Call { callee, .. } = statement.kind {
                        behind.add(&summaries[callee.index()].1);
                    }
                }
            }
        }
        found
    }
}

/// What may be referred to once a block was left, and by its terminator. Nothing if nothing in the block is a call.
fn behind(terms: &Terms, body: &Body, block: BlockId, each: &[References]) -> References {
    let mut references = References::default();
    if body[block].calls().next().is_none() {
        return references;
    }
    let mut seen: BTreeSet<BlockId> = BTreeSet::new();
    references.add(&of_branch(terms, &body[block]));
    let mut todo = body[block].terminator.successors();
    while let Some(next) = todo.pop() {
        if seen.insert(next) {
            references.add(&each[next.index()]);
            todo.extend(body[next].terminator.successors());
        }
    }
    references
}

fn with_callees(terms: &Terms, block: &Block, summaries: &[(Effects, References)]) -> References {
    let mut references = of_block(terms, block);
    block.calls().for_each(|callee| references.add(&summaries[callee.index()].1));
    references
}

fn of_block(terms: &Terms, block: &Block) -> References {
    let mut references = of_branch(terms, block);
    block.statements.iter().for_each(|statement| references.add(&of_statement(terms, statement)));
    references
}

fn of_branch(terms: &Terms, block: &Block) -> References {
    let TerminatorKind::Branch { condition, .. } = block.terminator.kind else {
        return References::default();
    };
    let read: BTreeSet<SymbolId> = terms.free_symbols(&[condition]).into_iter().collect();
    References { used: read.clone(), read, asks: false }
}

fn of_statement(terms: &Terms, statement: &Statement) -> References {
    let read: BTreeSet<SymbolId> = match &statement.kind {
        StatementKind::Assign(pairs) => {
            let parts = pairs.iter().flat_map(|&(to, value)| read_by_store(terms, to, value));
            terms.free_symbols(&parts.collect::<Vec<_>>()).into_iter().collect()
        }
        kind => terms.free_symbols(&kind.terms()).into_iter().collect(),
    };
    let mut used = read.clone();
    used.extend(statement.kind.sets());
    References { read, used, asks: false }
}

/// The parts of an assigned value that matter, without the map itself where elements of it are changed.
fn read_by_store(terms: &Terms, to: SymbolId, value: TermId) -> Vec<TermId> {
    let (mut parts, mut rest) = (Vec::new(), value);
    while let Op::Store = terms.term(rest).op {
        let args = &terms.term(rest).args;
        parts.extend(&args[1..]);
        rest = args[0];
    }
    if terms.term(rest).op != Op::Var(to) {
        parts.push(rest);
    }
    parts
}
