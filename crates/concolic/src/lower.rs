//! The compiler for terms: register code for terms that consist of bit-vector operators.
//!
//! A term is *fast* if it consists of operators on words and reads of memory; then it has a value whatever the
//! variables are, and it can be evaluated strictly, in any order, with common subterms computed once. All other terms
//! (unbounded numbers, functions, quantifiers, nested maps) may have no value, or have one although a part has none;
//! such a term is kept whole.
//!
//! Definitions of functions are inlined first, so that a function on words costs nothing. Example: for `x := f(y) +
//! 1` with `f(a) = a * 2`, the code is a multiplication and an addition.
//!
//! **Direction of error.** None; the semantics is that of `footpath_ir::interp`, with which every test is compared.

use footpath_ir::Origin;
use footpath_term::{FuncKind, Op, SymbolId, TermId, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bitvector_ops::{Binary, Unary};
use super::code::{Argument, GeneralTerm, Globals, ITSELF, Ins, NONE, Reg, Slot, Unit};
use super::value::{Class, Kind, Word, bits_of};
use footpath_transform::theory::Theory;

/// Terms with more variables than this have their symbolic values built anew each time.
const MAX_VARIABLES: usize = 8;

pub(super) struct Lowering<'a, 't> {
    pub(super) unit: Unit,
    pub(super) terms: &'t mut Terms,
    theory: &'a Theory<'a>,
    globals: &'a Globals,
    fast: FxHashMap<TermId, bool>,
    /// The registers of literals, which keep them throughout.
    literals: FxHashMap<(u8, u64), Reg>,
    taken: FxHashSet<Reg>,
    expanded: FxHashMap<TermId, TermId>,
    /// Results within the current statement.
    known: FxHashMap<TermId, Reg>,
    /// The next free register of each file.
    next: [u32; 3],
    most: [u32; 3],
}

impl<'a, 't> Lowering<'a, 't> {
    /// A compiler for one unit.
    pub(super) fn new(
        theory: &'a Theory<'a>,
        globals: &'a Globals,
        terms: &'t mut Terms,
        unit: Unit,
    ) -> Lowering<'a, 't> {
        Lowering {
            unit,
            terms,
            theory,
            globals,
            fast: FxHashMap::default(),
            literals: FxHashMap::default(),
            taken: FxHashSet::default(),
            expanded: FxHashMap::default(),
            known: FxHashMap::default(),
            next: [0; 3],
            most: [0; 3],
        }
    }

    // ---- registers ----

    /// Gives a variable of the unit a register.
    pub(super) fn declare(&mut self, symbol: SymbolId) -> Slot {
        let sort = self.terms.symbol(symbol).sort;
        let class = Class::of(self.terms, sort);
        let reg = self.temporary(class);
        let slot = Slot { class, reg, symbol: Some(symbol), sort };
        let unit = &mut self.unit;
        unit.variables.insert(symbol, slot);
        match class {
            Class::Word(_) => unit.word_owners.push(slot),
            Class::Memory(_) => unit.memory_owners.push(slot),
            Class::General => {}
        }
        slot
    }

    pub(super) fn end_of_variables(&mut self) {
        let [words, memories, generals] = self.next;
        let unit = &mut self.unit;
        unit.words.0 = words;
        unit.memories.0 = memories;
        unit.generals.0 = generals;
    }

    /// The unit, once all of it is compiled.
    pub(super) fn finish(self) -> Unit {
        let [words, memories, generals] = self.most;
        let mut unit = self.unit;
        unit.words.1 = words;
        unit.memories.1 = memories;
        unit.generals.1 = generals;
        unit.fresh = vec![Word::UNSET; words as usize];
        for ((_, bits), reg) in self.literals {
            unit.fresh[reg as usize] = Word::concrete(bits);
        }
        unit
    }

    fn temporary(&mut self, class: Class) -> Reg {
        let file = match class {
            Class::Word(_) => 0,
            Class::Memory(_) => 1,
            Class::General => 2,
        };
        while file == 0 && self.taken.contains(&self.next[0]) {
            self.next[0] += 1;
        }
        self.next[file] += 1;
        self.most[file] = self.most[file].max(self.next[file]);
        self.next[file] - 1
    }

    /// Forgets the temporaries.
    pub(super) fn end_of_statement(&mut self) {
        self.known.clear();
        let unit = &self.unit;
        self.next = [unit.words.0, unit.memories.0, unit.generals.0];
    }

    pub(super) fn slot(&mut self, symbol: SymbolId) -> Slot {
        self.find(symbol).expect("a variable of the unit or of the program")
    }

    fn find(&self, symbol: SymbolId) -> Option<Slot> {
        self.unit.variables.get(&symbol).or_else(|| self.globals.variables.get(&symbol)).copied()
    }

    fn literal(&mut self, kind: Kind, bits: u64) -> Reg {
        let most = &mut self.most[0];
        let reg = *self.literals.entry((kind.0, bits)).or_insert_with(|| {
            *most += 1;
            *most - 1
        });
        self.taken.insert(reg);
        reg
    }

    // ---- instructions ----

    pub(super) fn pc(&self) -> u32 {
        self.unit.ins.len() as u32
    }

    pub(super) fn emit(&mut self, ins: Ins) -> u32 {
        self.unit.ins.push(ins);
        self.pc() - 1
    }

    pub(super) fn place(&mut self, origin: Origin) -> u32 {
        self.unit.places.push(origin);
        self.unit.places.len() as u32 - 1
    }

    /// The register of a condition, once it is evaluated.
    pub(super) fn condition(&mut self, term: TermId, at: u32) -> Reg {
        let term = self.expand(term);
        if self.is_fast(term) {
            return self.word(term);
        }
        let to = self.temporary(Class::Word(Kind::BOOL));
        self.general(term, Class::Word(Kind::BOOL), to, at);
        to
    }

    /// The term that a condition is computed as, if it consists of operators on words.
    pub(super) fn as_words(&mut self, condition: TermId) -> Option<TermId> {
        let term = self.expand(condition);
        self.is_fast(term).then_some(term)
    }

    fn general(&mut self, term: TermId, class: Class, reg: Reg, at: u32) {
        let sort = self.terms.sort(term);
        let number = self.unit.terms.len() as u32;
        let to = Slot { class, reg, symbol: None, sort };
        let variables = self.variables(term);
        let open = mentions_open(self.terms, term);
        self.unit.terms.push(GeneralTerm { term, to, variables, open });
        self.emit(Ins::General { number, at });
    }

    /// The variables of a term, if its symbolic value is decided by theirs.
    fn variables(&mut self, term: TermId) -> Option<Vec<Slot>> {
        if self.unit.polymorphic {
            return None;
        }
        let mut variables = Vec::new();
        for t in self.terms.post_order(&[term]) {
            match self.terms.term(t).op {
                Op::Bind(_) => return None,
                Op::Var(symbol) => {
                    let slot = self.find(symbol)?;
                    if matches!(slot.class, Class::Memory(_)) || variables.len() >= MAX_VARIABLES {
                        return None;
                    }
                    variables.push(slot);
                }
                _ => {}
            }
        }
        Some(variables)
    }

    pub(super) fn argument(&mut self, term: TermId, class: Class) -> Argument {
        let term = self.expand(term);
        match class {
            Class::Word(_) if self.is_fast(term) => Argument::Word(self.word(term)),
            Class::Memory(_) => match self.variable(term) {
                Some(slot) => Argument::Memory(slot.reg),
                None => Argument::General(term),
            },
            _ => Argument::General(term),
        }
    }

    /// The register that has a word's value, if it was evaluated in this statement or needs no evaluation.
    pub(super) fn register(&mut self, t: TermId) -> Option<Reg> {
        if let Some(&reg) = self.known.get(&t) {
            return Some(reg);
        }
        let kind = Kind::of(self.terms, self.terms.sort(t))?;
        if let Some(value) = self.terms.literal(t) {
            let bits = bits_of(value)?;
            return Some(self.literal(kind, bits));
        }
        self.variable(t).filter(|slot| matches!(slot.class, Class::Word(_))).map(|slot| slot.reg)
    }

    fn variable(&self, term: TermId) -> Option<Slot> {
        match self.terms.term(term).op {
            Op::Var(symbol) => self.find(symbol),
            _ => None,
        }
    }

    pub(super) fn assign(&mut self, pairs: &[(SymbolId, TermId)], at: u32) {
        if let [(symbol, value)] = pairs {
            let to = self.slot(*symbol);
            let value = self.expand(*value);
            self.assign_one(to, value, at);
            return;
        }
        // All right-hand sides count before the first variable changes.
        let mut moves = Vec::new();
        for &(symbol, value) in pairs {
            let to = self.slot(symbol);
            let value = self.expand(value);
            let from = self.temporary(to.class);
            match self.stores(value, to) {
                Some(stores) => {
                    for store in stores {
                        let ins = self.store_into(to, store);
                        moves.push(self.detached(ins));
                    }
                }
                None => {
                    let temporary = Slot { reg: from, symbol: None, ..to };
                    self.assign_one(temporary, value, at);
                    moves.push(move_of(to, from));
                }
            }
        }
        for ins in moves {
            self.emit(ins);
        }
    }

    /// A temporary with the value that a word register has now.
    fn copy(&mut self, from: Reg) -> Reg {
        let to = self.temporary(Class::Word(Kind::BOOL));
        self.emit(Ins::Move { to, from });
        to
    }

    fn assign_one(&mut self, to: Slot, value: TermId, at: u32) {
        match to.class {
            Class::Word(_) if self.is_fast(value) => {
                let before = self.pc();
                let from = self.word(value);
                // The operator itself may write to the variable, as nothing reads it afterwards.
                if self.pc() > before
                    && let Some(target) = self.unit.ins.last_mut().and_then(target)
                    && *target == from
                {
                    *target = to.reg;
                    self.known.remove(&value);
                } else {
                    self.emit(Ins::Move { to: to.reg, from });
                }
            }
            Class::Memory(_) => {
                if let Some(stores) = self.stores(value, to) {
                    let writes: Vec<Ins> = stores.into_iter().map(|s| self.store_into(to, s)).collect();
                    for ins in writes {
                        self.emit(ins);
                    }
                } else if let Some(from) = self.variable(value) {
                    self.emit(Ins::CopyMemory { to: to.reg, from: from.reg });
                } else {
                    self.general(value, to.class, to.reg, at);
                }
            }
            Class::General => match self.variable(value) {
                Some(from) if from.class == Class::General && from.sort == to.sort => {
                    self.emit(Ins::MoveGeneral { to: to.reg, from: from.reg });
                }
                _ => self.general(value, to.class, to.reg, at),
            },
            Class::Word(_) => self.general(value, to.class, to.reg, at),
        }
    }

    /// If a term is stores into the variable `into`, or into a constant map: what changes, the innermost first.
    fn stores(&mut self, mut term: TermId, into: Slot) -> Option<Vec<Change>> {
        let Class::Memory(shape) = into.class else { return None };
        let mut stores = Vec::new();
        while self.terms.term(term).op == Op::Store {
            let args = self.terms.term(term).args.clone();
            let (object, index, element) = match args[1..] {
                [index, element] => (None, index, element),
                [object, index, element] => (Some(object), index, element),
                _ => return None,
            };
            let parts = object.into_iter().chain([index, element]);
            if object.is_some() != shape.object.is_some() || !parts.into_iter().all(|t| self.is_fast(t)) {
                return None;
            }
            stores.push(Change::Store { object, index, element });
            term = args[0];
        }
        if self.terms.term(term).op == Op::ConstMap {
            let element = self.terms.term(term).args[0];
            if self.terms.sort(term) != into.sort || !self.is_fast(element) {
                return None;
            }
            stores.push(Change::Fill(element));
        } else if self.variable(term)? != into {
            return None;
        }
        stores.reverse();
        Some(stores)
    }

    /// The instruction that makes a change, once its words are evaluated.
    fn store_into(&mut self, to: Slot, change: Change) -> Ins {
        match change {
            Change::Fill(element) => {
                let value = self.word(element);
                if let Class::Memory(shape) = to.class {
                    self.unit.shapes.push((to.sort, shape));
                }
                Ins::Fill { memory: to.reg, shape: self.unit.shapes.len() as u32 - 1, value }
            }
            Change::Store { object, index, element } => Ins::Write {
                memory: to.reg,
                object: object.map_or(alone(to), |o| self.word(o)),
                at: self.word(index),
                value: self.word(element),
            },
        }
    }

    /// The same instruction on temporaries, which keep their values when variables change.
    fn detached(&mut self, ins: Ins) -> Ins {
        match ins {
            Ins::Fill { memory, shape, value } => Ins::Fill { memory, shape, value: self.copy(value) },
            Ins::Write { memory, object, at, value } => Ins::Write {
                memory,
                object: if object >= ITSELF { object } else { self.copy(object) },
                at: self.copy(at),
                value: self.copy(value),
            },
            other => other,
        }
    }

    // ---- terms ----

    pub(super) fn expand(&mut self, term: TermId) -> TermId {
        if let Some(&known) = self.expanded.get(&term) {
            return known;
        }
        let expanded = self.theory.expand(self.terms, &[term])[0];
        self.expanded.insert(term, expanded);
        expanded
    }

    fn is_fast(&mut self, root: TermId) -> bool {
        if let Some(&known) = self.fast.get(&root) {
            return known;
        }
        for t in self.terms.post_order(&[root]) {
            if !self.fast.contains_key(&t) {
                let fast = self.judge(t);
                self.fast.insert(t, fast);
            }
        }
        self.fast[&root]
    }

    /// Whether a term is fast, given that of its arguments.
    fn judge(&self, t: TermId) -> bool {
        let term = self.terms.term(t);
        if Kind::of(self.terms, term.sort).is_none() {
            return false;
        }
        let fast = |t: &TermId| self.fast.get(t).copied().unwrap_or(false);
        match &term.op {
            Op::Literal(_) => true,
            Op::Var(symbol) => self.find(*symbol).is_some(),
            Op::Select => {
                let indices = &term.args[1..];
                let fits = |slot: Slot| match slot.class {
                    Class::Memory(shape) => 1 + usize::from(shape.object.is_some()) == indices.len(),
                    _ => false,
                };
                self.variable(term.args[0]).is_some_and(fits) && indices.iter().all(fast)
            }
            Op::Ite | Op::Concat => term.args.iter().all(fast),
            Op::Eq => {
                term.args.iter().all(fast) && self.terms.sort(term.args[0]) == self.terms.sort(term.args[1])
            }
            op => (Binary::of(op).is_some() || Unary::of(op).is_some()) && term.args.iter().all(fast),
        }
    }

    /// The register of a fast term, once it is evaluated.
    fn word(&mut self, t: TermId) -> Reg {
        if let Some(&reg) = self.known.get(&t) {
            return reg;
        }
        let term = self.terms.term(t).clone();
        let kind = Kind::of(self.terms, term.sort).expect("a fast term is a word");
        let reg = match &term.op {
            Op::Literal(value) => self.literal(kind, bits_of(value).unwrap_or(0)),
            Op::Var(symbol) => self.slot(*symbol).reg,
            op => {
                let mut args: Vec<Reg> = Vec::with_capacity(term.args.len());
                let map = usize::from(*op == Op::Select);
                for &a in &term.args[map..] {
                    args.push(self.word(a));
                }
                self.operator(op, kind, &term.args, &args)
            }
        };
        self.known.insert(t, reg);
        reg
    }

    fn operator(&mut self, op: &Op, kind: Kind, terms: &[TermId], args: &[Reg]) -> Reg {
        let kinds: Vec<Kind> =
            terms.iter().map(|&t| Kind::of(self.terms, self.terms.sort(t)).unwrap_or(Kind::BOOL)).collect();
        let result = Class::Word(kind);
        match op {
            Op::Select => {
                let slot = self.variable(terms[0]).expect("a fast read is of a variable");
                let memory = slot.reg;
                let to = self.temporary(result);
                let (object, at) = match args {
                    [at] => (alone(slot), *at),
                    [object, at, ..] => (*object, *at),
                    [] => unreachable!("a read has an index"),
                };
                self.emit(Ins::Read { to, memory, object, at });
                to
            }
            Op::Ite => {
                let to = self.temporary(result);
                self.emit(Ins::Ite { kind, to, condition: args[0], a: args[1], b: args[2] });
                to
            }
            Op::Concat => {
                let (mut all, mut high) = (args[0], kinds[0]);
                for (&b, &low) in args[1..].iter().zip(&kinds[1..]) {
                    let to = self.temporary(result);
                    self.emit(Ins::Concat { high, low, to, a: all, b });
                    all = to;
                    high = Kind(high.0 + low.0);
                }
                all
            }
            op => {
                if let (Some(op), [a]) = (Unary::of(op), args) {
                    let to = self.temporary(result);
                    self.emit(Ins::Unary { op, kind: kinds[0], to, a: *a });
                    return to;
                }
                let Some(op) = Binary::of(op) else { unreachable!("a fast operator") };
                let mut all = args[0];
                for &b in &args[1..] {
                    let to = self.temporary(result);
                    self.emit(Ins::Binary { op, kind: kinds[0], to, a: all, b });
                    all = to;
                }
                all
            }
        }
    }
}

/// The marker for the first index of a map with one index.
fn alone(slot: Slot) -> Reg {
    match slot.class {
        Class::Memory(shape) if shape.by_object => ITSELF,
        _ => NONE,
    }
}

/// A change of a map.
#[derive(Clone, Copy)]
enum Change {
    /// All elements become this.
    Fill(TermId),
    /// One element changes.
    Store { object: Option<TermId>, index: TermId, element: TermId },
}

/// Whether a term has operators that their arguments may leave open.
fn mentions_open(terms: &Terms, term: TermId) -> bool {
    terms.post_order(&[term]).into_iter().any(|t| is_open(terms, t))
}

/// Whether an operator's arguments may leave its value open: functions, division by what may be zero, `<:`.
pub(super) fn is_open(terms: &Terms, t: TermId) -> bool {
    let term = terms.term(t);
    match &term.op {
        Op::Apply(f) => !matches!(terms.function(*f).kind, FuncKind::Constructor | FuncKind::Tester { .. }),
        Op::Subtype | Op::Pow => true,
        Op::IntDiv | Op::Mod | Op::RealDiv => match terms.literal(term.args[1]) {
            Some(Value::Int(n)) => *n == 0.into(),
            Some(Value::Real(r)) => *r.numer() == 0.into(),
            _ => true,
        },
        _ => false,
    }
}

fn move_of(to: Slot, from: Reg) -> Ins {
    match to.class {
        Class::Word(_) => Ins::Move { to: to.reg, from },
        Class::Memory(_) => Ins::CopyMemory { to: to.reg, from },
        Class::General => Ins::MoveGeneral { to: to.reg, from },
    }
}

/// The register that an operator writes to.
pub(super) fn target(ins: &mut Ins) -> Option<&mut Reg> {
    match ins {
        Ins::Unary { to, .. }
        | Ins::Binary { to, .. }
        | Ins::Concat { to, .. }
        | Ins::Ite { to, .. }
        | Ins::Read { to, .. } => Some(to),
        _ => None,
    }
}
