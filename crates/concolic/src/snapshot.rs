//! Snapshots: runs that start from a state that an earlier run was in, instead of from the entry.
//!
//! **Idea.** Runs that share decisions do the same up to there, and much of it may not depend on inputs: a table is
//! computed, a buffer filled, a program loaded. So the state of a run is kept where it enters a block after a
//! decision, once the run is long enough. A later run whose inputs decide alike starts from that state: only what
//! depends on inputs is computed anew, from its symbolic values.
//!
//! Example: a run that fills a table of 256 entries and then branches on its input leaves a snapshot behind the
//! branch; the next run on the same side starts there, with the table as it was and the input replaced.
//!
//! Which snapshot a run starts from is found in the execution tree: conditions are evaluated on the inputs from the
//! root on, and the last snapshot on the path is taken. The run asks for its inputs again in the same order, steps
//! and blocks count as if they had been executed, and distances to arms are measured again where they depend on
//! inputs.
//!
//! 1. A state is only kept if symbolic values determine it: not after a store at a symbolic index, a merged diamond,
//!    a call of a sampled function, or a preference or premise that depends on inputs and was not decided.
//! 2. The next snapshot of a run lies half as far again from the entry, so a run takes few, and the cost of copying
//!    is proportional to that of executing. If there are too many, the least recently used ones are dropped.
//! 3. Runs on random inputs start at the entry: which input gets which number depends on the order in which they are
//!    asked for.
//!
//! **Papers.** Executors that fork keep the states of all open paths (Cadar, Dunbar, Engler, KLEE, OSDI 2008); SAGE,
//! which runs concretely, starts over (Godefroid, Levin, Molnar, NDSS 2008).
//!
//! **Direction of error.** None intended. A state that the run would not have reached leads to another path than the
//! reference interpreter's, which is an internal error.

use std::rc::Rc;

use footpath_ir::interp::{self, Interpreter, Script};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms, Value, evaluate};
use rustc_hash::{FxHashMap, FxHashSet};

use super::branch_distance::{Distances, Far, Values, away, registers};
use super::bytecode::{Step, Straight};
use super::code::Reg;
use super::constant_cells::Known;
use super::decisions::{Decision, DecisionKind};
use super::execution_tree::{Arm, ArmId, NodeId, Tree};
use super::inputs::{Assignment, Inputs, Key, given};
use super::machine::{Frame, Machine, Met, PathHash};
use super::memory::Memory;
use super::nontermination::Repeats;
use super::unit_propagation::Settled;
use super::value::{General, Symbolic, Word, bits_of};

/// Steps before the first snapshot of a run, and between two of them, by default.
pub(super) const STRETCH: u64 = 2_000;
/// Snapshots that are kept.
const MOST: usize = 256;
/// Words and cells in all of them.
const MOST_CELLS: usize = 2_000_000;
/// Steps of straight code for all conditions and symbolic values.
const MOST_STEPS: usize = 1 << 20;
/// Distances that depend on inputs, on the way to a snapshot.
const MOST_MEASURED: usize = 4_096;

/// A state of a run at the entry of a block: its position and all values.
#[derive(Debug)]
pub(super) struct State {
    pub(super) pc: usize,
    pub(super) words: Vec<Word>,
    pub(super) memories: Vec<Option<Memory>>,
    pub(super) generals: Vec<Option<General>>,
    pub(super) frames: Vec<Frame>,
}

/// A state in which a run entered a block, with what it did to get there.
#[derive(Debug)]
pub(super) struct Snapshot {
    state: State,
    activations: u32,
    base: [usize; 3],
    /// Positions of words that depend on inputs, and the map that each memory comes from, with its cells that depend
    /// on inputs.
    symbolic_values: Vec<(usize, TermId)>,
    cells: Vec<Option<Cells>>,
    /// The inputs that the run had asked for, in order.
    asked: Vec<(Key, SortId)>,
    decisions: Vec<Decision>,
    settled: Settled,
    pinned: FxHashSet<TermId>,
    known: Known,
    reached: Vec<bool>,
    clean: Vec<bool>,
    path: PathHash,
    steps: u64,
    unverified: Vec<Met>,
    marked: bool,
    unpreferred: bool,
    /// The least distances that depend on no input.
    distances: Distances,
    compared: Vec<Compared>,
}

/// The cells of a memory that depend on inputs.
#[derive(Debug)]
struct Cells {
    input: Option<SymbolId>,
    /// Object, index, and what the cell equals.
    symbolic_values: Vec<(u64, u64, TermId)>,
}

/// A site, with the words that its condition compares.
type Compared = (u32, Rc<[(Reg, Word)]>);

/// The snapshots that a run takes.
#[derive(Debug)]
pub(super) struct Recording {
    /// Steps between two.
    stretch: u64,
    /// The step from which on a decision is followed by a snapshot; never, if the state may differ between inputs
    /// that decide alike.
    next: u64,
    /// What was compared on the way that depends on inputs.
    compared: Vec<Compared>,
    pub(super) taken: Vec<Snapshot>,
}

impl Recording {
    /// From the entry on.
    pub(super) fn new(stretch: u64) -> Recording {
        Recording { stretch, next: stretch, compared: Vec::new(), taken: Vec::new() }
    }

    fn behind(snapshot: &Snapshot, stretch: u64) -> Recording {
        let mut recording = Recording { compared: snapshot.compared.clone(), ..Recording::new(stretch) };
        recording.taken_at(snapshot.steps);
        recording
    }

    fn taken_at(&mut self, steps: u64) {
        self.next = steps + self.stretch.max(steps / 2);
    }
}

/// A site's condition, as it was measured.
struct Words<'w>(&'w [(Reg, Option<u64>)]);

impl Values for Words<'_> {
    fn word(&self, reg: Reg) -> Option<u64> {
        self.0.iter().find(|(r, _)| *r == reg).and_then(|(_, bits)| *bits)
    }

    fn number(&mut self, _: TermId) -> Option<num_rational::BigRational> {
        None
    }
}

// ---- taking ----

impl Machine<'_, '_> {
    /// Notes that the state may differ between inputs that decide alike, so that no snapshot is taken from here on.
    #[cold]
    pub(super) fn varies(&mut self) {
        self.snapshot_due = false;
        if let Some(recording) = &mut self.recording {
            recording.next = u64::MAX;
        }
    }

    /// Notes a decision, after which a snapshot may be taken.
    pub(super) fn may_snapshot(&mut self) {
        if self.recording.as_ref().is_some_and(|r| self.steps >= r.next) {
            self.snapshot_due = true;
            self.next_look = self.steps;
        }
    }

    /// Takes note of what a condition compares that depends on inputs.
    pub(super) fn record_compared(&mut self, site: u32, far: &Far) {
        if self.recording.as_ref().is_none_or(|recording| recording.next == u64::MAX) {
            return;
        }
        let word = |reg: Reg| (reg, self.words[self.word_at(reg)]);
        let words = registers(far).map(|all| all.into_iter().map(word).collect());
        match (&mut self.recording, words) {
            (Some(recording), Some(words)) if recording.compared.len() < MOST_MEASURED => {
                recording.compared.push((site, words));
            }
            _ => self.varies(),
        }
    }

    /// Keeps the state in front of the instruction at which a block is entered, after so many steps.
    pub(super) fn snapshot(&mut self, pc: usize, steps: u64) {
        self.snapshot_due = false;
        if let Some(mut recording) = self.recording.take() {
            recording.taken_at(steps);
            if !self.truncated && !self.is_cut && self.known.is_empty() {
                recording.taken.extend(self.taken((pc, steps), &recording.compared));
            }
            self.recording = Some(recording);
        }
    }

    /// What there is of a run where it enters a block.
    pub(super) fn state(&self, pc: usize) -> State {
        State {
            pc,
            words: self.words.clone(),
            memories: self.memories.clone(),
            generals: self.generals.clone(),
            frames: self.frames.clone(),
        }
    }

    fn taken(&self, (pc, steps): (usize, u64), compared: &[Compared]) -> Option<Snapshot> {
        let mut cells = Vec::with_capacity(self.memories.len());
        for memory in &self.memories {
            cells.push(match memory {
                Some(memory) => {
                    let input = memory.input(self.terms)?;
                    Some(Cells { input, symbolic_values: memory.symbolic_values().collect() })
                }
                None => None,
            });
        }
        let symbolic = |i: usize| self.words[i].symbolic.term().map(|t| (i, t));
        Some(Snapshot {
            state: self.state(pc),
            activations: self.activations,
            base: self.base,
            symbolic_values: self.variables().flatten().filter_map(symbolic).collect(),
            cells,
            asked: self.asked.clone(),
            decisions: self.decisions.clone(),
            settled: self.settled.clone(),
            pinned: self.pinned.clone(),
            known: self.cells.clone(),
            reached: self.reached.clone(),
            clean: self.clean.clone(),
            path: self.path,
            steps,
            unverified: self.unverified.clone(),
            marked: self.marked,
            unpreferred: self.unpreferred,
            distances: self.distances.clone(),
            compared: compared.to_vec(),
        })
    }
}

/// The bits of a word that has a value.
fn known(word: Word) -> Option<u64> {
    (word.symbolic != Symbolic::Unset).then_some(word.bits)
}

// ---- beginning with one ----

impl<'a, 's> Machine<'a, 's> {
    /// The machine in the state of a snapshot, on the inputs that `evaluator` has, and where it goes on. Nothing if
    /// that state cannot be computed, and then the machine is of no use.
    pub(super) fn resume(
        mut self,
        (kept, stretch): (&Kept, u64),
        evaluator: &mut Evaluator,
        script: &Script,
    ) -> Option<(Machine<'a, 's>, usize)> {
        let from = &kept.snapshot;
        self.ask_again(from)?;
        let symbolic = self.setup.symbolic;
        self.words.clone_from(&from.state.words);
        for &(at, term) in &from.symbolic_values {
            self.words[at].bits = evaluator.value(self.on(script), term)?;
        }
        self.memories = Vec::with_capacity(from.state.memories.len());
        for (memory, cells) in from.state.memories.iter().zip(&from.cells) {
            let restored = match (memory, cells) {
                (Some(memory), Some(cells)) => {
                    let mut bits = Vec::with_capacity(cells.symbolic_values.len());
                    for &(object, index, term) in &cells.symbolic_values {
                        let word = evaluator.value(self.on(script), term)?;
                        bits.push((object, index, word));
                    }
                    let input = match cells.input {
                        Some(symbol) => Some(given(&self.script, self.terms, self.inputs.key(symbol)?)?),
                        None => None,
                    };
                    Some(memory.with(input, &bits, symbolic)?)
                }
                _ => None,
            };
            self.memories.push(restored);
        }
        self.generals.clone_from(&from.state.generals);
        for general in self.generals.iter_mut().flatten() {
            if let Some(term) = general.symbolic {
                let mut env = Assignment { script: &self.script, inputs: self.inputs };
                let value = evaluate(self.terms, term, &mut env).ok()?;
                general.value = interp::canonical(self.terms, value);
            }
        }
        if symbolic {
            self.decisions.clone_from(&from.decisions);
            self.settled = from.settled.clone();
            self.pinned.clone_from(&from.pinned);
            self.cells = from.known.clone();
            self.next = match self.tree.arm(kept.arm) {
                Arm::Taken(next) => next,
                _ => None,
            };
            self.unverified.clone_from(&from.unverified);
            self.recording = Some(Box::new(Recording::behind(from, stretch)));
        } else {
            self.forget_symbolic_values(from);
        }
        self.frames.clone_from(&from.state.frames);
        self.unit = self.setup.code.compiled(from.state.frames.last()?.piece);
        (self.activations, self.base) = (from.activations, from.base);
        self.reached.clone_from(&from.reached);
        self.clean.clone_from(&from.clean);
        (self.path, self.steps) = (from.path, from.steps);
        self.repeats = Repeats::after(self.steps, self.setup.repeats);
        (self.marked, self.unpreferred) = (from.marked, from.unpreferred);
        self.measure_again(from, evaluator, script)?;
        Some((self, from.state.pc))
    }

    fn on<'r>(&'r self, script: &'r Script) -> On<'r> {
        On { terms: self.terms, inputs: self.inputs, interpreter: self.setup.interpreter, script }
    }

    /// Asks for the inputs and choices of a snapshot, in the order in which the run asked.
    fn ask_again(&mut self, from: &Snapshot) -> Option<()> {
        for &(key, sort) in &from.asked {
            self.input(key, sort).ok()?;
        }
        for d in &from.decisions {
            let count = d.arms as usize;
            let (taken, list) = match d.kind {
                DecisionKind::Choice => (self.source.choose(count), &mut self.script.choices),
                DecisionKind::Body => (self.source.body(count), &mut self.script.bodies),
                _ => continue,
            };
            list.push(taken.min(count - 1));
            (list.last() == Some(&(d.taken as usize))).then_some(())?;
        }
        Some(())
    }

    /// A run without symbolic values decides on free choices only.
    fn forget_symbolic_values(&mut self, from: &Snapshot) {
        for word in &mut self.words {
            if word.symbolic != Symbolic::Unset {
                word.symbolic = Symbolic::Concrete;
            }
        }
        self.generals.iter_mut().flatten().for_each(|g| g.symbolic = None);
        let is_free = |d: &&Decision| matches!(d.kind, DecisionKind::Choice | DecisionKind::Body);
        let free = |list: &[Decision]| list.iter().filter(is_free).count() as u32;
        self.decisions = from.decisions.iter().filter(is_free).copied().collect();
        let met = |m: &Met| Met { decisions: free(&from.decisions[..m.decisions as usize]), way: m.way };
        self.unverified = from.unverified.iter().map(met).collect();
    }

    /// The distances on the way to a snapshot.
    fn measure_again(&mut self, from: &Snapshot, evaluator: &mut Evaluator, script: &Script) -> Option<()> {
        let Some(watch) = self.watch else { return Some(()) };
        let fixed = from.distances.iter().filter(|(arm, _)| watch.wants(**arm));
        self.distances = fixed.map(|(&arm, &distance)| (arm, distance)).collect();
        for (site, words) in &from.compared {
            let wanted = (0..2).filter(|&arm| watch.wants((*site, arm)));
            let far = self.setup.code.site(*site).far.as_ref()?;
            let mut values = Vec::new();
            for arm in wanted {
                if values.is_empty() {
                    for &(reg, word) in words.iter() {
                        let bits = match word.symbolic {
                            Symbolic::Term(t) => Some(evaluator.value(self.on(script), t)?),
                            _ => known(word),
                        };
                        values.push((reg, bits));
                    }
                }
                let distance = away(far, arm == 1, &mut Words(&values));
                let list = if self.setup.symbolic { &mut self.varying } else { &mut self.distances };
                let least = list.entry((*site, arm)).or_insert(f64::INFINITY);
                *least = least.min(distance);
            }
        }
        Some(())
    }
}

// ---- keeping ----

/// A snapshot with its place in the tree.
#[derive(Debug)]
pub(super) struct Kept {
    arm: ArmId,
    pub(super) snapshot: Snapshot,
    /// When it was last used.
    used: u64,
    size: usize,
}

impl Kept {
    /// How many steps are saved.
    pub(super) fn steps(&self) -> u64 {
        self.snapshot.steps
    }
}

/// The snapshots of an exploration.
#[derive(Default, Debug)]
pub(super) struct Snapshots {
    by_arm: FxHashMap<ArmId, Kept>,
    pub(super) evaluator: Evaluator,
    /// How many decisions lie before the deepest.
    deepest: usize,
    /// Words and cells in all of them.
    size: usize,
    clock: u64,
}

impl Snapshots {
    /// Keeps what a run has taken; `nodes` are those on its path.
    pub(super) fn keep(&mut self, terms: &Terms, taken: Vec<Snapshot>, nodes: &[NodeId]) {
        for snapshot in taken {
            let count = snapshot.decisions.len();
            let arm = ArmId { node: nodes[count - 1], arm: snapshot.decisions[count - 1].taken };
            if self.by_arm.contains_key(&arm) || !self.evaluator.knows(terms, &snapshot) {
                continue;
            }
            let cells = snapshot.state.memories.iter().flatten().map(Memory::size).sum::<usize>();
            let size = cells + snapshot.state.words.len() + snapshot.decisions.len() + snapshot.asked.len();
            if size > MOST_CELLS {
                continue;
            }
            while self.by_arm.len() >= MOST || self.size + size > MOST_CELLS {
                self.drop_oldest();
            }
            self.size += size;
            self.deepest = self.deepest.max(count);
            self.clock += 1;
            self.by_arm.insert(arm, Kept { arm, snapshot, used: self.clock, size });
        }
    }

    fn drop_oldest(&mut self) {
        let oldest = self.by_arm.values().min_by_key(|kept| kept.used).map(|kept| kept.arm);
        if let Some(kept) = oldest.and_then(|arm| self.by_arm.remove(&arm)) {
            self.size -= kept.size;
        }
    }

    /// The arm of the last snapshot on the way that these inputs take.
    pub(super) fn find(&mut self, tree: &Tree, on: On<'_>) -> Option<ArmId> {
        if self.by_arm.is_empty() {
            return None;
        }
        self.evaluator.begin();
        let mut found = None;
        let (mut choices, mut bodies) = (on.script.choices.iter(), on.script.bodies.iter());
        let mut next = (!tree.nodes.is_empty()).then_some(0);
        for _ in 0..self.deepest {
            let Some(id) = next else { break };
            let node = tree.node(id);
            let free = |list: &mut std::slice::Iter<'_, usize>| {
                list.next().copied().unwrap_or(0).min(node.arms.len() - 1) as u64
            };
            let arm = match (node.kind, node.term) {
                (DecisionKind::Choice, _) => Some(free(&mut choices)),
                (DecisionKind::Body, _) => Some(free(&mut bodies)),
                (_, Some(term)) => self.evaluator.value(on, term),
                (_, None) => None,
            };
            let Some(arm) = arm.map(|arm| ArmId { node: id, arm: arm as u32 }) else { break };
            if self.by_arm.contains_key(&arm) {
                found = Some(arm);
            }
            next = match tree.arm(arm) {
                Arm::Taken(next) => next,
                _ => break,
            };
        }
        let kept = self.by_arm.get_mut(&found?)?;
        self.clock += 1;
        kept.used = self.clock;
        found
    }

    /// The snapshot behind an arm, and the evaluator of its symbolic values.
    pub(super) fn at(&mut self, arm: ArmId) -> Option<(&Kept, &mut Evaluator)> {
        Some((self.by_arm.get(&arm)?, &mut self.evaluator))
    }
}

/// Where the value of a cell is: an input, and the index if it is an element of it.
type Place = (SymbolId, Option<Vec<Value>>);

/// The inputs of a run: those of a script, and defaults where that is silent.
#[derive(Clone, Copy)]
pub(super) struct On<'r> {
    pub(super) terms: &'r Terms,
    pub(super) inputs: &'r Inputs,
    pub(super) interpreter: &'r Interpreter<'r>,
    pub(super) script: &'r Script,
}

/// Values of words on the inputs of a run.
#[derive(Default, Debug)]
pub(super) struct Evaluator {
    code: Straight,
    places: Vec<Option<Place>>,
    words: Vec<u64>,
    /// For which run each word was computed.
    computed: Vec<u32>,
    run: u32,
    /// Terms that are more than operators on words.
    others: FxHashSet<TermId>,
}

impl Evaluator {
    /// Other inputs come.
    fn begin(&mut self) {
        self.run += 1;
    }

    /// Whether all that a snapshot needs can be computed.
    fn knows(&mut self, terms: &Terms, snapshot: &Snapshot) -> bool {
        let words = snapshot.symbolic_values.iter().map(|s| s.1);
        let cells = snapshot.cells.iter().flatten().flat_map(|c| &c.symbolic_values).map(|c| c.2);
        let compared = snapshot.compared.iter().flat_map(|m| m.1.iter());
        let compared = compared.filter_map(|(_, w)| w.symbolic.term());
        words.chain(cells).chain(compared).all(|t| self.step(terms, t).is_some())
    }

    fn step(&mut self, terms: &Terms, term: TermId) -> Option<u32> {
        if self.others.contains(&term) {
            return None;
        }
        let step = self.code.compile(terms, term, MOST_STEPS, true);
        if step.is_none() {
            self.others.insert(term);
        }
        step
    }

    /// The value of a term; none if it is more than operators on words.
    fn value(&mut self, on: On<'_>, term: TermId) -> Option<u64> {
        let root = self.step(on.terms, term)?;
        self.words.resize(self.code.steps.len(), 0);
        self.computed.resize(self.code.steps.len(), 0);
        let mut stack = vec![root];
        while let Some(&at) = stack.last() {
            if self.computed[at as usize] == self.run {
                stack.pop();
                continue;
            }
            let step = self.code.steps[at as usize];
            let before = stack.len();
            stack
                .extend(step.uses().into_iter().flatten().filter(|&n| self.computed[n as usize] != self.run));
            if stack.len() > before {
                continue;
            }
            let word = match step {
                Step::Cell(n) => self.cell(on, n)?,
                Step::Read { map, object, at } => {
                    let index = object.into_iter().chain([at]);
                    let index: Vec<Value> =
                        index.map(|(kind, n)| kind.value(self.words[n as usize])).collect();
                    input(on, self.code.maps[map as usize], Some(&index))?
                }
                step => step.apply(|_| 0, &self.words),
            };
            self.words[at as usize] = word;
            self.computed[at as usize] = self.run;
            stack.pop();
        }
        Some(self.words[root as usize])
    }

    fn cell(&mut self, on: On<'_>, number: u32) -> Option<u64> {
        let unseen = self.code.cells.iter().skip(self.places.len());
        self.places.extend(unseen.map(|&(cell, _)| place(on.terms, cell)));
        let (symbol, index) = self.places[number as usize].as_ref()?;
        input(on, *symbol, index.as_deref())
    }
}

/// The value of an input, or of its element at an index.
fn input(on: On<'_>, symbol: SymbolId, index: Option<&[Value]>) -> Option<u64> {
    let key = on.inputs.key(symbol)?;
    let of = |value: &Value| match (value, index) {
        (Value::Map(map), Some(index)) => bits_of(map.get(index)),
        (value, None) => bits_of(value),
        _ => None,
    };
    match given(on.script, on.terms, key) {
        Some(value) => of(value),
        None => of(&interp::default_value(on.interpreter, on.terms.symbol(symbol).sort).ok()?),
    }
}

/// Where a cell is.
fn place(terms: &Terms, cell: TermId) -> Option<Place> {
    let term = terms.term(cell);
    match term.op {
        Op::Var(symbol) => Some((symbol, None)),
        Op::Select => {
            let Op::Var(symbol) = terms.term(term.args[0]).op else { return None };
            let index =
                term.args[1..].iter().map(|&i| terms.literal(i).cloned()).collect::<Option<Vec<_>>>()?;
            Some((symbol, Some(index)))
        }
        _ => None,
    }
}
