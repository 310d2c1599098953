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

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use footpath_ir::{Block, BlockId, ProcId, Program, Statement, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

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

/// What a call may do, as lowering notes it: the memory that it may change, free and return.
#[derive(Clone, Default, Debug)]
struct Noted {
    changed: BTreeSet<SymbolId>,
    ended: BTreeSet<SymbolId>,
    returned: BTreeSet<SymbolId>,
    /// Whether it may free anything.
    frees: bool,
}

impl Noted {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.ended.is_empty() && self.returned.is_empty() && !self.frees
    }

    fn memory(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.changed.iter().chain(&self.ended).chain(&self.returned).copied()
    }
}

/// A set of the variables that effects are about, a bit for the number of each.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Memory(Vec<u64>);

impl Memory {
    fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn add(&mut self, other: &Memory) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn is_disjoint(&self, other: &Memory) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own & other == 0)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|bits| *bits == 0)
    }
}

/// What a call may do.
#[derive(Clone, Default, Debug)]
struct Effects {
    changed: Memory,
    ended: Memory,
    returned: Memory,
    frees: bool,
}

impl Effects {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.ended.is_empty() && self.returned.is_empty() && !self.frees
    }

    fn add(&mut self, other: &Effects) {
        self.changed.add(&other.changed);
        self.ended.add(&other.ended);
        self.returned.add(&other.returned);
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

/// What code refers to: the variables that it reads, and those that it reads or writes, as far as effects are about them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct References {
    read: Memory,
    used: Memory,
    /// Whether it asks if an object lives that external code may free.
    asks: bool,
}

impl References {
    fn add(&mut self, other: &References) {
        self.read.add(&other.read);
        self.used.add(&other.used);
        self.asks |= other.asks;
    }
}

/// The effects of external functions that tests leave out.
#[derive(Clone, Default, Debug)]
pub struct ExternalEffects {
    /// By callee, or by the procedure in which an instruction has them.
    of: BTreeMap<ProcId, Noted>,
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
        if self.of.values().all(Noted::is_empty) {
            return BTreeMap::new();
        }
        let analysis = Analysis::new(program, self);
        let found = program.ids().map(|p| (p, analysis.in_procedure(p)));
        found.filter(|(_, effects)| !effects.is_empty()).collect()
    }
}

/// The variables in terms that were asked for, each with the variable to which it is assigned, if it is.
type KnownTerms = FxHashMap<(Option<SymbolId>, TermId), Rc<Memory>>;

/// The analysis of a program.
struct Analysis<'a> {
    program: &'a Program,
    /// The numbers of the variables that effects are about. References to others do not matter.
    numbers: FxHashMap<SymbolId, usize>,
    own: BTreeMap<ProcId, Effects>,
    asking: &'a BTreeSet<ProcId>,
    /// What each procedure does and refers to, callees included.
    summaries: Vec<(Effects, References)>,
    /// The variables in terms, and in values that are assigned to variables. Harnesses share the initial values of the program's
    /// variables, each of which is a term as large as the variable.
    of_terms: RefCell<KnownTerms>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, noted: &'a ExternalEffects) -> Analysis<'a> {
        let mut numbers = FxHashMap::default();
        for symbol in noted.of.values().flat_map(Noted::memory) {
            let next = numbers.len();
            numbers.entry(symbol).or_insert(next);
        }
        let summaries = vec![(Effects::default(), References::default()); program.ids().count()];
        let of_terms = RefCell::default();
        let mut analysis =
            Analysis { program, numbers, own: BTreeMap::new(), asking: &noted.asking, summaries, of_terms };
        let effects = |noted: &Noted| Effects {
            changed: analysis.memory(noted.changed.iter().copied()),
            ended: analysis.memory(noted.ended.iter().copied()),
            returned: analysis.memory(noted.returned.iter().copied()),
            frees: noted.frees,
        };
        analysis.own = noted.of.iter().map(|(p, noted)| (*p, effects(noted))).collect();
        analysis.summarise();
        analysis
    }

    fn memory(&self, symbols: impl Iterator<Item = SymbolId>) -> Memory {
        let mut memory = Memory::default();
        symbols.filter_map(|symbol| self.numbers.get(&symbol)).for_each(|&number| memory.insert(number));
        memory
    }

    fn summarise(&mut self) {
        for component in self.program.components() {
            let (mut effects, mut references) = (Effects::default(), References::default());
            for &p in &component {
                self.own.get(&p).into_iter().for_each(|own| effects.add(own));
                references.asks |= self.asking.contains(&p);
                for body in &self.program[p].bodies {
                    body.blocks.iter().for_each(|block| references.add(&self.of_block(block)));
                }
                for callee in self.program.calls(p) {
                    effects.add(&self.summaries[callee.index()].0);
                    references.add(&self.summaries[callee.index()].1);
                }
            }
            for p in component {
                self.summaries[p.index()] = (effects.clone(), references.clone());
            }
        }
    }

    fn in_procedure(&self, p: ProcId) -> BTreeSet<ExternalEffect> {
        let mut found = BTreeSet::new();
        for body in &self.program[p].bodies {
            let calls_any = body.calls().any(|callee| !self.summaries[callee.index()].0.is_empty());
            let own = self.own.get(&p);
            if !calls_any && own.is_none() {
                continue;
            }
            let each: Vec<References> = body.blocks.iter().map(|block| self.with_callees(block)).collect();
            if let Some(own) = own {
                each.iter().for_each(|references| found.extend(own.met_by(references)));
            }
            let successors = body.blocks.iter().map(|block| block.terminator.successors());
            let from = from_blocks(&successors.collect::<Vec<_>>(), each);
            for block in body.blocks.iter().filter(|block| block.calls().next().is_some()) {
                let mut behind = self.of_branch(block);
                block.terminator.successors().iter().for_each(|next| behind.add(&from[next.index()]));
                behind.asks |= self.asking.contains(&p);
                for statement in block.statements.iter().rev() {
                    if let StatementKind::Call { callee, .. } = statement.kind {
                        found.extend(self.summaries[callee.index()].0.met_by(&behind));
                    }
                    behind.add(&self.of_statement(statement));
                    if let StatementKind::Call { callee, .. } = statement.kind {
                        behind.add(&self.summaries[callee.index()].1);
                    }
                }
            }
        }
        found
    }

    fn with_callees(&self, block: &Block) -> References {
        let mut references = self.of_block(block);
        block.calls().for_each(|callee| references.add(&self.summaries[callee.index()].1));
        references
    }

    fn of_block(&self, block: &Block) -> References {
        let mut references = self.of_branch(block);
        block.statements.iter().for_each(|statement| references.add(&self.of_statement(statement)));
        references
    }

    fn of_branch(&self, block: &Block) -> References {
        let TerminatorKind::Branch { condition, .. } = block.terminator.kind else {
            return References::default();
        };
        let read = Memory::clone(&self.in_term(None, condition));
        References { used: read.clone(), read, asks: false }
    }

    /// The variables that a term reads, which may be assigned to a variable.
    fn in_term(&self, to: Option<SymbolId>, term: TermId) -> Rc<Memory> {
        if let Some(known) = self.of_terms.borrow().get(&(to, term)) {
            return Rc::clone(known);
        }
        let terms = &self.program.terms;
        let parts = to.map_or_else(|| vec![term], |to| read_by_store(terms, to, term));
        let found = Rc::new(self.memory(terms.free_symbols(&parts).into_iter()));
        self.of_terms.borrow_mut().insert((to, term), Rc::clone(&found));
        found
    }

    fn of_statement(&self, statement: &Statement) -> References {
        let mut read = Memory::default();
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                pairs.iter().for_each(|&(to, value)| read.add(&self.in_term(Some(to), value)));
            }
            kind => kind.terms().into_iter().for_each(|term| read.add(&self.in_term(None, term))),
        }
        let mut used = read.clone();
        used.add(&self.memory(statement.kind.sets().into_iter()));
        References { read, used, asks: false }
    }
}

/// What may be referred to from the beginning of each block on, by the successors of each block and what it refers to itself: the least
/// fixpoint over the flow graph, from its end.
fn from_blocks(successors: &[Vec<BlockId>], mut from: Vec<References>) -> Vec<References> {
    loop {
        let mut is_changed = false;
        for (index, next) in successors.iter().enumerate().rev() {
            let mut all = from[index].clone();
            next.iter().for_each(|next| all.add(&from[next.index()]));
            is_changed |= all != from[index];
            from[index] = all;
        }
        if !is_changed {
            return from;
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The blocks that can be reached from one, itself included.
    fn reachable(successors: &[Vec<BlockId>], from: usize) -> BTreeSet<usize> {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
        while let Some(block) = todo.pop() {
            if seen.insert(block) {
                todo.extend(successors[block].iter().map(|next| next.index()));
            }
        }
        seen
    }

    proptest! {
        /// Each block refers to a variable of its own, so that the sets say which blocks count.
        #[test]
        fn what_follows_a_block_is_what_blocks_refer_to_that_are_reached(
            edges in prop::collection::vec((0_u32..90, 0_u32..90), 0..180),
            asking in 0_usize..90,
        ) {
            let mut successors = vec![Vec::new(); 90];
            for (from, to) in edges {
                successors[from as usize].push(BlockId(to));
            }
            let own = |block: usize| {
                let mut used = Memory::default();
                used.insert(block);
                let read = if block.is_multiple_of(2) { used.clone() } else { Memory::default() };
                References { read, used, asks: block == asking }
            };
            let from = from_blocks(&successors, (0..90).map(own).collect());
            for (block, found) in from.iter().enumerate() {
                let behind = reachable(&successors, block);
                for other in 0..90 {
                    let own = own(other);
                    prop_assert_eq!(!found.used.is_disjoint(&own.used), behind.contains(&other));
                    prop_assert_eq!(!found.read.is_disjoint(&own.used), behind.contains(&other) && other % 2 == 0);
                }
                prop_assert_eq!(found.asks, behind.contains(&asking));
            }
        }
    }
}
