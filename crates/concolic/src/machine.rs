//! Concolic execution of one run: a register machine that computes concrete and symbolic values together.
//!
//! **Idea.** An instruction on words looks at the symbolic values of its operands at once; if there are none, the
//! result is computed and that is all. Otherwise the term is built as well, by the simplifying constructor. A
//! condition whose symbolic value is not a literal is a *decision* and is recorded, unless it follows from earlier
//! decisions on this path (`unit_propagation.rs`). With [`Setup::symbolic`] off, inputs have no symbolic values, and
//! the machine is a plain interpreter.
//!
//! Example: with the input `x == 3`, `y := x + 1` computes the value 4 and the term `x + 1`; the branch on `y < 10`
//! takes the true arm and records the decision `x + 1 < 10`.
//!
//! The path is not stored but hashed. The reference interpreter's path is hashed in the same way, and replay compares
//! the two.
//!
//! **Direction of error.** None; the semantics is that of `footpath_ir::interp`, with which every test is compared.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use footpath_ir::interp::{Interpreter, Outcome, Script, canonical};
use footpath_ir::{AssertKind, Origin, Place, ProcId};
use footpath_term::{EvalError, FuncId, Op, SortId, SymbolId, TermId, Terms, TypeSubstitution, Value};
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use super::branch_distance::{Distances, Watch};
use super::code::{CALLER, CallSite, Code, GLOBAL, Ins, Reg, Slot, Unit};
use super::constant_cells::Known;
use super::decisions::{Decision, DecisionKind};
use super::execution_tree::{NodeId, Tree};
use super::external_calls::Natives;
use super::inputs::{Inputs, Key, Source};
use super::memory::Memory;
use super::nontermination::Repeats;
use super::options::{Bound, Bounds, Hits};
use super::snapshot::{Recording, Snapshot};
use super::unit_propagation::Settled;
use super::value::{Class, General, Symbolic, Word, bits_of};

/// The settings that all runs of an exploration share.
pub(super) struct Setup<'a> {
    pub(super) code: &'a Code<'a>,
    pub(super) interpreter: &'a Interpreter<'a>,
    pub(super) bounds: &'a Bounds,
    /// The axioms that are assumed, by position.
    pub(super) axioms: &'a [usize],
    /// How many goals there are.
    pub(super) goals: usize,
    /// Positions of the functions that still have a definition.
    pub(super) definitions: &'a FxHashMap<FuncId, usize>,
    /// Those whose values depend on their arguments alone.
    pub(super) closed: &'a FxHashSet<FuncId>,
    /// The provider that executes sampled functions.
    pub(super) natives: Option<&'a (dyn Natives + Sync)>,
    /// Set when the exploration is to end.
    pub(super) stop: &'a AtomicBool,
    /// When it is to end.
    pub(super) deadline: Option<Deadline>,
    /// Whether runs compute symbolic values.
    pub(super) symbolic: bool,
    /// After how many steps runs begin to check whether their state recurs.
    pub(super) repeats: Option<u64>,
    /// Whether runs may still be interrupted where a preference is met first and does not hold.
    pub(super) interrupts: bool,
}

/// After how many steps a run looks at the clock: steps on large terms may take milliseconds each.
const LOOK_UP: u64 = 1 << 10;

/// The result of a run.
#[derive(Debug)]
pub(super) struct RunResult {
    pub(super) outcome: Outcome,
    pub(super) decisions: Vec<Decision>,
    /// Decisions were left out.
    pub(super) truncated: bool,
    /// They were because a loop took too many iterations.
    pub(super) is_cut: bool,
    /// The run ended at a preference that did not hold, which is the last decision.
    pub(super) interrupted: bool,
    /// A preference did not hold.
    pub(super) unpreferred: bool,
    /// The calls that were open at the end, each once.
    pub(super) callers: Vec<Origin>,
    /// The blocks in which checks were met that were not proved under a premise that held, in order.
    pub(super) unverified: Vec<Met>,
    /// Whether a check failed that does not stop the program.
    pub(super) marked: bool,
    /// The goals that were reached, ascending.
    pub(super) reached: Vec<u32>,
    /// Those of them that were reached only behind a failing check that does not end the run, ascending.
    pub(super) behind: Vec<u32>,
    /// The branch distances of the run to arms that are watched.
    pub(super) distances: Distances,
    /// The inputs of the run.
    pub(super) script: Script,
    pub(super) path: PathHash,
    pub(super) steps: u64,
    /// Whether the run returned to an earlier state, so that it never ends; with symbolic values, neither do runs on
    /// other inputs that decide alike.
    pub(super) repeated: bool,
    /// States that later runs may start from.
    pub(super) snapshots: Vec<Snapshot>,
}

/// A check was met that was not proved under a premise that held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// How many decisions lay before it.
    pub(super) decisions: u32,
    /// The path to it.
    pub(super) way: PathHash,
}

/// A hash of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct PathHash {
    hash: u64,
    length: u64,
}

impl PathHash {
    /// Adds a block, with the number of open calls.
    #[inline]
    pub(super) fn add(&mut self, block: u32, depth: u32) {
        let item = u64::from(block) | u64::from(depth) << 32;
        self.hash = (self.hash.rotate_left(5) ^ item).wrapping_mul(0x517c_c1b7_2722_0a95);
        self.length += 1;
    }

    /// How many blocks it has.
    pub(super) fn length(self) -> u64 {
        self.length
    }
}

/// An open call.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The position of its code.
    pub(super) piece: usize,
    pub(super) words: usize,
    pub(super) memories: usize,
    pub(super) generals: usize,
    pub(super) activation: u32,
    /// Where the caller goes on.
    pub(super) back: u32,
    /// The call in the caller.
    pub(super) call: Option<u32>,
    /// What type parameters stand for.
    pub(super) types: TypeSubstitution,
    /// For each loop how often its head was entered, if iterations are counted and it was.
    pub(super) laps: Vec<u32>,
}

/// A function body under evaluation.
pub(super) struct FunctionFrame {
    pub(super) position: usize,
    pub(super) args: Vec<Value>,
}

/// See the module.
pub(super) struct Machine<'a, 's> {
    pub(super) setup: &'s Setup<'a>,
    pub(super) terms: &'s mut Terms,
    pub(super) inputs: &'s mut Inputs,
    pub(super) source: &'s mut dyn Source,
    pub(super) hits: &'s mut Hits,
    pub(super) words: Vec<Word>,
    pub(super) memories: Vec<Option<Memory>>,
    pub(super) generals: Vec<Option<General>>,
    pub(super) frames: Vec<Frame>,
    pub(super) functions: Vec<FunctionFrame>,
    /// What the source said about operators.
    pub(super) known: FxHashMap<(Op, Vec<Value>, SortId), Value>,
    pub(super) script: Script,
    pub(super) activations: u32,
    /// The code of the current frame.
    pub(super) unit: &'a Unit,
    /// Where the registers of the current frame start.
    pub(super) base: [usize; 3],
    pub(super) decisions: Vec<Decision>,
    /// The truth values that the decisions imply.
    pub(super) settled: Settled,
    /// For each goal whether it is covered, if diamonds are merged.
    pub(super) merges: Option<&'s [bool]>,
    /// Terms that equal a known object on this path.
    pub(super) pinned: FxHashSet<TermId>,
    /// Inputs that can only have one value on this path.
    pub(super) cells: Known,
    pub(super) tree: &'s Tree,
    pub(super) watch: Option<&'s Watch>,
    pub(super) distances: Distances,
    /// The node of the tree that the next decision has, if a run was there before.
    pub(super) next: Option<NodeId>,
    pub(super) truncated: bool,
    /// A loop took more iterations than paths may.
    pub(super) is_cut: bool,
    pub(super) interrupted: bool,
    pub(super) unpreferred: bool,
    pub(super) unverified: Vec<Met>,
    pub(super) marked: bool,
    /// The term of the condition that is being computed: nothing needs a symbolic value then.
    pub(super) given: Option<TermId>,
    pub(super) reached: Vec<bool>,
    /// The goals that were reached before any check failed.
    pub(super) clean: Vec<bool>,
    pub(super) path: PathHash,
    pub(super) steps: u64,
    /// The step at which the run next checks its bounds.
    pub(super) next_look: u64,
    /// The step at which it looks at the clock.
    next_clock: u64,
    /// The state of the check for recurrence.
    pub(super) repeats: Repeats,
    /// See [`RunResult::repeated`].
    pub(super) repeated: bool,
    /// The inputs that were asked for, in order.
    pub(super) asked: Vec<(Key, SortId)>,
    /// The snapshots that are taken, if any are.
    pub(super) recording: Option<Box<Recording>>,
    /// Whether a snapshot is taken at the next check of the bounds.
    pub(super) snapshot_due: bool,
    /// The distances that depend on inputs, in a run that takes snapshots.
    pub(super) varying: Distances,
}

/// A result, or the outcome that ends the run early.
pub(super) type Flow<T> = Result<T, Outcome>;

impl<'a, 's> Machine<'a, 's> {
    pub(super) fn new(
        setup: &'s Setup<'a>,
        terms: &'s mut Terms,
        inputs: &'s mut Inputs,
        source: &'s mut dyn Source,
        hits: &'s mut Hits,
        tree: &'s Tree,
        watch: Option<&'s Watch>,
    ) -> Machine<'a, 's> {
        let code = setup.code;
        let unit = code.unit(0, terms);
        let globals = &code.globals;
        Machine {
            setup,
            terms,
            inputs,
            source,
            hits,
            words: vec![Word::UNSET; globals.words as usize],
            memories: vec![None; globals.memories as usize],
            generals: vec![None; globals.generals as usize],
            frames: Vec::new(),
            functions: Vec::new(),
            known: FxHashMap::default(),
            script: Script::default(),
            activations: 0,
            unit,
            base: [0; 3],
            decisions: Vec::new(),
            settled: Settled::default(),
            merges: None,
            pinned: FxHashSet::default(),
            cells: Known::default(),
            tree,
            watch,
            distances: Distances::default(),
            next: (!tree.nodes.is_empty()).then_some(0),
            truncated: false,
            is_cut: false,
            interrupted: false,
            unpreferred: false,
            unverified: Vec::new(),
            marked: false,
            given: None,
            reached: vec![false; setup.goals],
            clean: vec![false; setup.goals],
            path: PathHash::default(),
            steps: 0,
            next_look: 0,
            next_clock: LOOK_UP,
            repeats: Repeats::after(0, setup.repeats),
            repeated: false,
            asked: Vec::new(),
            recording: None,
            snapshot_due: false,
            varying: Distances::default(),
        }
    }

    /// Takes snapshots, if so many steps are given that lie between them.
    pub(super) fn recording(mut self, stretch: Option<u64>) -> Machine<'a, 's> {
        self.recording = stretch.map(|stretch| Box::new(Recording::new(stretch)));
        self
    }

    /// Merges diamonds in whose arms all goals are covered.
    pub(super) fn merging(mut self, covered: Option<&'s [bool]>) -> Machine<'a, 's> {
        self.merges = covered;
        self
    }

    /// Notes that a goal is reached.
    pub(super) fn reach(&mut self, goal: u32) {
        self.reached[goal as usize] = true;
        self.clean[goal as usize] |= !self.marked;
    }

    /// Runs the root.
    pub(super) fn run(mut self) -> RunResult {
        let unit = self.unit;
        let root = (ProcId(unit.procedure), unit.body.unwrap_or_default());
        let entry = Origin { procedure: root.0, body: root.1, place: Place::Entry };
        let outcome = match self.axioms(entry).and_then(|()| {
            self.push(0, 0, None, TypeSubstitution::default());
            self.execute(unit.root_entry as usize)
        }) {
            Ok(()) => Outcome::Returned,
            Err(outcome) => outcome,
        };
        self.finish(outcome)
    }

    /// Goes on from a snapshot.
    pub(super) fn run_from(mut self, pc: usize) -> RunResult {
        let outcome = self.execute(pc).err().unwrap_or(Outcome::Returned);
        self.finish(outcome)
    }

    fn finish(mut self, outcome: Outcome) -> RunResult {
        for (arm, distance) in std::mem::take(&mut self.varying) {
            let least = self.distances.entry(arm).or_insert(f64::INFINITY);
            *least = least.min(distance);
        }
        let opened = self.frames.iter().zip(self.frames.iter().skip(1));
        let calls = opened.filter_map(|(caller, f)| self.calls_of(caller).get(f.call? as usize));
        let mut callers: Vec<Origin> = calls.map(|call| call.at).collect();
        callers.sort_unstable();
        callers.dedup();
        let reached: Vec<u32> =
            (0..self.reached.len() as u32).filter(|&i| self.reached[i as usize]).collect();
        let behind = reached.iter().copied().filter(|&goal| !self.clean[goal as usize]).collect();
        RunResult {
            outcome,
            decisions: self.decisions,
            truncated: self.truncated,
            is_cut: self.is_cut,
            interrupted: self.interrupted,
            unpreferred: self.unpreferred,
            unverified: self.unverified,
            marked: self.marked,
            callers,
            reached,
            behind,
            distances: self.distances,
            script: self.script,
            path: self.path,
            steps: self.steps,
            repeated: self.repeated,
            snapshots: self.recording.map(|recording| recording.taken).unwrap_or_default(),
        }
    }

    fn axioms(&mut self, entry: Origin) -> Flow<()> {
        let setup = self.setup;
        let mut outcome = Ok(());
        for &i in setup.axioms {
            let condition = setup.interpreter.program().axioms[i].condition;
            // One that has no value is trusted, as the reference interpreter does.
            if let Ok(Value::Bool(false)) = self.eval(condition) {
                outcome = Err(Outcome::Blocked { at: entry });
            }
        }
        outcome
    }

    // ---- registers ----

    #[inline]
    pub(super) fn word_at(&self, reg: Reg) -> usize {
        if reg & GLOBAL != 0 { (reg ^ GLOBAL) as usize } else { self.base[0] + reg as usize }
    }

    #[inline]
    pub(super) fn memory_at(&self, reg: Reg) -> usize {
        if reg & GLOBAL != 0 { (reg ^ GLOBAL) as usize } else { self.base[1] + reg as usize }
    }

    #[inline]
    pub(super) fn general_at(&self, reg: Reg) -> usize {
        if reg & GLOBAL != 0 { (reg ^ GLOBAL) as usize } else { self.base[2] + reg as usize }
    }

    #[inline]
    pub(super) fn set_word(&mut self, reg: Reg, word: Word) {
        let at = self.word_at(reg);
        self.words[at] = word;
    }

    /// The word in a register; a variable without a value is an input.
    #[inline]
    pub(super) fn word(&mut self, reg: Reg) -> Flow<Word> {
        let word = self.words[self.word_at(reg)];
        if word.symbolic == Symbolic::Unset { self.ask_word(reg) } else { Ok(word) }
    }

    #[cold]
    fn ask_word(&mut self, reg: Reg) -> Flow<Word> {
        let code = self.setup.code;
        let slot = if reg & GLOBAL != 0 {
            code.globals.word_owners[(reg ^ GLOBAL) as usize]
        } else {
            self.unit.word_owners[reg as usize]
        };
        self.ask(slot).map_err(|why| self.stuck(why))?;
        Ok(self.words[self.word_at(reg)])
    }

    /// Gives a variable without a value one.
    pub(super) fn ask(&mut self, slot: Slot) -> Result<(), EvalError> {
        let Some(symbol) = slot.symbol else {
            return Err(EvalError::Unsupported("a temporary without a value".to_owned()));
        };
        let activation = match self.frames.last() {
            Some(frame) if slot.reg & GLOBAL == 0 => frame.activation,
            _ => 0,
        };
        let (value, symbolic) = self.input(Key::Entry(activation, symbol), slot.sort)?;
        self.store(slot, value, symbolic)
    }

    /// An input, written down.
    pub(super) fn input(&mut self, key: Key, sort: SortId) -> Result<(Value, Option<TermId>), EvalError> {
        let symbol = self.inputs.symbol(self.terms, key, sort);
        let interpreter = self.setup.interpreter;
        let value = self.source.input(interpreter, self.terms, key, symbol, sort)?;
        let value = canonical(self.terms, value);
        match key {
            Key::Entry(activation, symbol) => {
                self.script.entries.insert((activation, symbol), value.clone());
            }
            Key::Havoc(..) => self.script.havocs.push(value.clone()),
        }
        self.asked.push((key, sort));
        let symbolic = if self.setup.symbolic { Some(self.terms.var(symbol)) } else { None };
        Ok((value, symbolic))
    }

    /// The next havocked value.
    pub(super) fn havoc(&mut self, sort: SortId) -> Result<(Value, Option<TermId>), EvalError> {
        self.input(Key::Havoc(self.script.havocs.len() as u32, sort), sort)
    }

    /// Puts a value into a register.
    pub(super) fn store(
        &mut self,
        slot: Slot,
        value: Value,
        symbolic: Option<TermId>,
    ) -> Result<(), EvalError> {
        let symbolic = symbolic.filter(|&t| self.terms.literal(t).is_none());
        match slot.class {
            Class::Word(_) => {
                let bits = bits_of(&value).ok_or_else(|| odd(&value))?;
                self.set_word(slot.reg, Word { bits, symbolic: Symbolic::of(symbolic) });
            }
            Class::Memory(shape) => {
                let Value::Map(map) = &value else { return Err(odd(&value)) };
                let memory = Memory::new(map, shape, symbolic).ok_or_else(|| odd(&value))?;
                let at = self.memory_at(slot.reg);
                self.memories[at] = Some(memory);
            }
            Class::General => {
                self.steps += value.weight();
                let at = self.general_at(slot.reg);
                self.generals[at] = Some(General { value, symbolic });
            }
        }
        Ok(())
    }

    /// Where the words of variables are. Temporaries are not read behind the statement that they belong to.
    pub(super) fn variables(&self) -> impl Iterator<Item = Range<usize>> {
        let globals = 0..self.setup.code.globals.words as usize;
        let of_frame = |f: &Frame| f.words..f.words + self.setup.code.compiled(f.piece).words.0 as usize;
        [globals].into_iter().chain(self.frames.iter().map(of_frame))
    }

    pub(super) fn memory(&mut self, reg: Reg) -> Flow<&mut Memory> {
        let at = self.memory_at(reg);
        if self.memories[at].is_none() {
            self.ask_memory(reg).map_err(|why| self.stuck(why))?;
        }
        match &mut self.memories[at] {
            Some(memory) => Ok(memory),
            None => unreachable!("it was just asked for"),
        }
    }

    pub(super) fn ask_memory(&mut self, reg: Reg) -> Result<(), EvalError> {
        let owners = match reg & GLOBAL {
            0 => &self.unit.memory_owners,
            _ => &self.setup.code.globals.memory_owners,
        };
        let slot = owners.get((reg & !GLOBAL) as usize).copied();
        self.ask(slot.ok_or_else(|| EvalError::Unsupported("a temporary without a value".to_owned()))?)
    }

    // ---- places ----

    /// The place with that number, or that of the call.
    pub(super) fn place(&self, at: u32) -> Origin {
        if at != CALLER {
            return self.unit.places[at as usize];
        }
        self.open_call().map_or_else(|| self.entry(), |call| call.at)
    }

    /// The call that opened the current frame.
    pub(super) fn open_call(&self) -> Option<&'a CallSite> {
        let [.., caller, frame] = &self.frames[..] else { return None };
        self.calls_of(caller).get(frame.call? as usize)
    }

    fn calls_of(&self, frame: &Frame) -> &'a [CallSite] {
        &self.setup.code.compiled(frame.piece).calls
    }

    fn entry(&self) -> Origin {
        let unit = self.unit;
        let body = unit.body.unwrap_or_default();
        Origin { procedure: ProcId(unit.procedure), body, place: Place::Entry }
    }

    pub(super) fn stuck(&self, why: EvalError) -> Outcome {
        Outcome::Stuck { at: self.entry(), why }
    }

    // ---- the loop ----

    fn execute(&mut self, mut pc: usize) -> Flow<()> {
        let mut code = &self.unit.ins[..];
        let limit = self.setup.bounds.steps;
        loop {
            let ins = code[pc];
            pc += 1;
            match ins {
                Ins::Enter { block, steps } => {
                    self.steps += u64::from(steps);
                    if self.steps > limit {
                        return Err(self.out_of(Bound::Steps));
                    }
                    if self.steps >= self.next_look {
                        self.look_up(pc - 1, steps)?;
                    }
                    self.path.add(block, self.frames.len() as u32 - 1);
                }
                Ins::Reach { goal } => self.reach(goal),
                Ins::Move { to, from } => {
                    let word = self.word(from)?;
                    self.set_word(to, word);
                }
                Ins::Binary { op, kind, to, a, b } => {
                    let (x, y) = (self.words[self.word_at(a)], self.words[self.word_at(b)]);
                    let word = if x.symbolic == Symbolic::Concrete && y.symbolic == Symbolic::Concrete {
                        Word::concrete(op.apply(kind, x.bits, y.bits))
                    } else {
                        self.binary(op, kind, a, b)?
                    };
                    self.set_word(to, word);
                }
                Ins::Unary { op, kind, to, a } => {
                    let word = self.unary(op, kind, a)?;
                    self.set_word(to, word);
                }
                Ins::Concat { high, low, to, a, b } => {
                    let word = self.concat(high, low, a, b)?;
                    self.set_word(to, word);
                }
                Ins::Ite { kind, to, condition, a, b } => {
                    let word = self.ite(kind, condition, a, b)?;
                    self.set_word(to, word);
                }
                Ins::Read { to, memory, object, at } => {
                    let at = self.at(object, at)?;
                    let word = self.read(memory, at)?;
                    self.set_word(to, word);
                }
                Ins::Write { memory, object, at, value } => {
                    let (at, value) = (self.at(object, at)?, self.word(value)?);
                    self.write(memory, at, value)?;
                }
                Ins::Fill { memory, shape, value } => {
                    let value = self.word(value)?;
                    let (sort, shape) = self.unit.shapes[shape as usize];
                    let at = self.memory_at(memory);
                    self.memories[at] = Some(Memory::filled(sort, shape, self.terms, value));
                }
                Ins::CopyMemory { to, from } => {
                    let memory = self.memory(from)?.clone();
                    let to = self.memory_at(to);
                    self.memories[to] = Some(memory);
                }
                Ins::General { number, at } => self.general(number, at)?,
                Ins::MoveGeneral { to, from } => self.move_general(to, from)?,
                Ins::Havoc { number, at } => self.havocs(number, at)?,
                Ins::Given { term } => self.given = (self.frames.len() == 1).then_some(term),
                Ins::Assume { condition, at } => {
                    let mut condition = self.word(condition)?;
                    if let Some(term) = self.given.take().filter(|_| self.setup.symbolic) {
                        condition.symbolic = self.symbolic_of(term);
                    }
                    self.decide(DecisionKind::Assume, None, condition);
                    if condition.bits == 0 {
                        return Err(Outcome::Blocked { at: self.place(at) });
                    }
                    self.assume(condition);
                }
                Ins::Assert { condition, kind, site, fails, clause } => {
                    let condition = self.word(condition)?;
                    if self.watch.is_some() {
                        self.measure(site);
                    }
                    self.decide(DecisionKind::Assert, Some(site), condition);
                    if condition.bits == 0 {
                        return Err(self.failure(kind, fails, clause));
                    }
                }
                Ins::Prefer { condition } => {
                    let condition = self.word(condition)?;
                    self.prefer(condition)?;
                }
                Ins::Unverified { premise } => self.meet(premise)?,
                Ins::Marked => self.marked = true,
                Ins::Lap { number } => self.count_iteration(number),
                Ins::Jump { to } => pc = to as usize,
                Ins::Branch { condition, site, then_to, else_to } => {
                    let condition = self.word(condition)?;
                    if self.watch.is_some() {
                        self.measure(site);
                    }
                    let condition = self.with_known(condition);
                    if condition.symbolic != Symbolic::Concrete {
                        if let Some(join) = self.merge(site, condition)? {
                            pc = join;
                            continue;
                        }
                        self.decide(DecisionKind::Branch, Some(site), condition);
                    }
                    pc = if condition.bits != 0 { then_to as usize } else { else_to as usize };
                }
                Ins::Choose { number } => pc = self.choose(number)?,
                Ins::Call { number } => {
                    pc = self.call(number, pc as u32)?;
                    code = &self.unit.ins;
                }
                Ins::RootReturn => {
                    if self.frames.len() == 1 {
                        return Ok(());
                    }
                }
                Ins::Return { at } => {
                    pc = self.give_back(at)?;
                    code = &self.unit.ins;
                }
                Ins::KeepOld { old } => self.keep_old(old)?,
                Ins::Contract => self.contract()?,
                Ins::Fail { at } => {
                    return Err(Outcome::Failed { at: self.place(at), kind: AssertKind::Assert });
                }
                Ins::Blocked { at } => return Err(Outcome::Blocked { at: self.place(at) }),
            }
        }
    }

    /// A check is met.
    fn meet(&mut self, premise: Option<Reg>) -> Flow<()> {
        if let Some(premise) = premise {
            let premise = self.word(premise)?;
            if premise.symbolic != Symbolic::Concrete {
                self.varies();
            }
            if premise.bits != 0 {
                return Ok(());
            }
        }
        if self.unverified.last().is_none_or(|last| last.way != self.path) {
            let decisions = self.decisions.len() as u32;
            self.unverified.push(Met { decisions, way: self.path });
        }
        Ok(())
    }

    pub(super) fn out_of(&mut self, bound: Bound) -> Outcome {
        self.hits.hit(bound);
        Outcome::OutOfSteps
    }

    /// Where a block of so many steps is entered: takes a snapshot if one is due, and ends a run that repeats itself,
    /// that goes on when the exploration should end, or that builds more terms than there may be.
    #[cold]
    fn look_up(&mut self, pc: usize, steps: u32) -> Flow<()> {
        self.look_for_repeat(pc)?;
        if self.snapshot_due && !self.repeats.is_open() {
            self.snapshot(pc, self.steps - u64::from(steps));
        }
        if self.steps >= self.next_clock {
            self.next_clock = self.steps + LOOK_UP;
            if self.setup.symbolic && self.terms.len() >= self.setup.bounds.terms {
                return Err(self.out_of(Bound::Terms));
            }
            if self.setup.deadline.is_some_and(Deadline::is_over) {
                return Err(self.out_of(Bound::Time));
            }
            if self.setup.stop.load(Ordering::Relaxed) {
                return Err(Outcome::OutOfSteps);
            }
        }
        self.next_look = self.next_clock.min(self.repeats.next());
        Ok(())
    }

    fn failure(&mut self, kind: AssertKind, fails: u32, clause: u32) -> Outcome {
        let mut at = self.place(fails);
        if fails == CALLER
            && let Place::Segment { block, first } = at.place
        {
            at.place = Place::Failure { block, statement: first, clause };
        }
        Outcome::Failed { at, kind }
    }
}

/// A value that does not fit its variable.
fn odd(value: &Value) -> EvalError {
    EvalError::Unsupported(format!("{value} where its sort has no such value"))
}

/// A variable by symbol, in a frame.
pub(super) fn find(machine: &Machine<'_, '_>, symbol: SymbolId) -> Option<Slot> {
    let local = if machine.frames.is_empty() { None } else { machine.unit.variables.get(&symbol) };
    local.or_else(|| machine.setup.code.globals.variables.get(&symbol)).copied()
}
