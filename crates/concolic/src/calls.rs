//! Procedure calls in a run: frames, returns, contracts of procedures without a body, and havoc.

use footpath_ir::interp::Outcome;
use footpath_term::{EvalError, SymbolId, TermId, TypeSubstitution, Value};

use super::code::{Argument, GLOBAL, Reg, Slot};
use super::decisions::{Decision, DecisionKind};
use super::machine::{Flow, Frame, Machine};
use super::options::Bound;
use super::value::{Class, General, Symbolic, Word};

/// A value that is passed between frames.
enum Parcel {
    Word(Word),
    Memory(super::memory::Memory),
    General(Value, Option<TermId>),
}

impl Machine<'_, '_> {
    /// Opens a frame.
    pub(super) fn push(&mut self, piece: usize, back: u32, call: Option<u32>, types: TypeSubstitution) {
        let layout = self.setup.code.unit(piece, self.terms);
        let activation = self.activations;
        // A contract has no variables of its own to ask for.
        self.activations += u32::from(layout.body.is_some());
        let frame = Frame {
            piece,
            words: self.words.len(),
            memories: self.memories.len(),
            generals: self.generals.len(),
            activation,
            back,
            call,
            types,
            laps: Vec::new(),
        };
        self.base = [frame.words, frame.memories, frame.generals];
        self.words.extend_from_slice(&layout.fresh);
        self.memories.resize(frame.memories + layout.memories.1 as usize, None);
        self.generals.resize(frame.generals + layout.generals.1 as usize, None);
        self.frames.push(frame);
        self.unit = layout;
    }

    fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.words.truncate(frame.words);
        self.memories.truncate(frame.memories);
        self.generals.truncate(frame.generals);
        if let Some(below) = self.frames.last() {
            self.base = [below.words, below.memories, below.generals];
            self.unit = self.setup.code.compiled(below.piece);
        }
        Some(frame)
    }

    /// Enters the callee; where it starts.
    pub(super) fn call(&mut self, number: u32, back: u32) -> Flow<usize> {
        let call = &self.unit.calls[number as usize];
        if self.frames.len() > self.setup.bounds.calls {
            return Err(self.out_of(Bound::Calls));
        }
        let mut parcels = Vec::with_capacity(call.args.len());
        for (arg, &sort) in call.args.iter().zip(&call.arg_sorts) {
            parcels.push(match *arg {
                Argument::Word(reg) => Parcel::Word(self.word(reg)?),
                Argument::Memory(reg) => Parcel::Memory(self.copy_memory(reg).map_err(|w| self.stuck(w))?),
                Argument::General(term) => {
                    let value = self.eval(term);
                    let value = value.map_err(|why| Outcome::Stuck { at: call.at, why })?;
                    let symbolic = self.symbolic(term).map_err(|w| self.stuck(w))?;
                    Parcel::General(value, symbolic)
                }
                Argument::Arbitrary => {
                    let (value, symbolic) = self.havoc(sort).map_err(|w| self.stuck(w))?;
                    Parcel::General(value, symbolic)
                }
            });
        }
        let count = call.pieces.len();
        let mut body = 0;
        if count > 1 {
            body = self.source.body(count).min(count - 1);
            self.script.bodies.push(body);
            self.record(Decision {
                kind: DecisionKind::Body,
                site: Some(call.site),
                term: None,
                taken: body as u32,
                arms: count as u32,
            });
        }
        let piece = call.pieces[body];
        let layout = self.setup.code.unit(piece, self.terms);
        let mut types = TypeSubstitution::default();
        if layout.polymorphic {
            for (param, &sort) in layout.params.iter().zip(&call.arg_sorts) {
                self.terms.match_sort(param.sort, sort, &mut types);
            }
            for (result, target) in layout.results.iter().zip(&call.results) {
                if let Some(target) = target {
                    self.terms.match_sort(result.sort, target.sort, &mut types);
                }
            }
        }
        self.push(piece, back, Some(number), types);
        for (parcel, &param) in parcels.into_iter().zip(&layout.params) {
            self.deliver(parcel, param).map_err(|w| self.stuck(w))?;
        }
        Ok(layout.entry as usize)
    }

    fn copy_memory(&mut self, reg: Reg) -> Result<super::memory::Memory, EvalError> {
        let at = self.memory_at(reg);
        if self.memories[at].is_none() {
            self.ask_memory(reg)?;
        }
        let missing = || EvalError::Unsupported("a map without a value".to_owned());
        self.memories[at].clone().ok_or_else(missing)
    }

    fn deliver(&mut self, parcel: Parcel, to: Slot) -> Result<(), EvalError> {
        match (parcel, to.class) {
            (Parcel::Word(word), Class::Word(_)) => self.set_word(to.reg, word),
            (Parcel::Memory(memory), Class::Memory(_)) => {
                let at = self.memory_at(to.reg);
                self.memories[at] = Some(memory);
            }
            (Parcel::General(value, symbolic), _) => self.store(to, value, symbolic)?,
            (Parcel::Memory(mut memory), _) => {
                let symbolic = memory.symbolic(self.terms);
                let value = memory.value(self.terms);
                self.store(to, value, symbolic)?;
            }
            (Parcel::Word(_), _) => {
                return Err(EvalError::Unsupported("a word without a sort".to_owned()));
            }
        }
        Ok(())
    }

    fn take(&mut self, from: Slot, like: Class) -> Flow<Parcel> {
        Ok(match (from.class, like) {
            (Class::Word(_), Class::Word(_)) => Parcel::Word(self.word(from.reg)?),
            (Class::Memory(_), Class::Memory(_)) => {
                Parcel::Memory(self.copy_memory(from.reg).map_err(|w| self.stuck(w))?)
            }
            _ => {
                let (value, symbolic) = self.fetch(from).map_err(|w| self.stuck(w))?;
                Parcel::General(value, symbolic)
            }
        })
    }

    /// Goes back to the caller; where it goes on.
    pub(super) fn give_back(&mut self, _: u32) -> Flow<usize> {
        let Some(call) = self.open_call() else {
            return Err(self.stuck(EvalError::Unsupported("a return to nowhere".to_owned())));
        };
        let mut parcels = Vec::with_capacity(call.results.len());
        for (target, &own) in call.results.iter().zip(&self.unit.results) {
            if let Some(target) = target {
                parcels.push((*target, self.take(own, target.class)?));
            }
        }
        let back = self.pop().map_or(0, |f| f.back);
        for (target, parcel) in parcels {
            self.deliver(parcel, target).map_err(|w| self.stuck(w))?;
        }
        Ok(back as usize)
    }

    /// Copies the value that a global has now to its old symbol.
    pub(super) fn keep_old(&mut self, number: u32) -> Flow<()> {
        let (old, global) = self.unit.olds[number as usize];
        let parcel = self.take(global, old.class)?;
        self.deliver(parcel, old).map_err(|w| self.stuck(w))
    }

    /// Arbitrary results and globals, as the contract allows.
    pub(super) fn contract(&mut self) -> Flow<()> {
        let Some(call) = self.open_call() else { return Ok(()) };
        let (code, unit) = (self.setup.code, self.unit);
        for (i, &own) in unit.results.iter().enumerate() {
            let target = call.results.get(i).copied().flatten();
            let sort = target.map_or(own.sort, |t| t.sort);
            let (value, symbolic) = self.havoc(sort).map_err(|w| self.stuck(w))?;
            self.store(own, value, symbolic).map_err(|w| self.stuck(w))?;
        }
        let program = self.setup.interpreter.program();
        let modified: &[SymbolId] = &program.procedures[unit.procedure as usize].modifies;
        for symbol in modified {
            let slot = code.globals.variables[symbol];
            let (value, symbolic) = self.havoc(slot.sort).map_err(|w| self.stuck(w))?;
            self.store(slot, value, symbolic).map_err(|w| self.stuck(w))?;
        }
        Ok(())
    }

    pub(super) fn havocs(&mut self, number: u32, at: u32) -> Flow<()> {
        let slots = &self.unit.havocs[number as usize];
        let mut values = Vec::with_capacity(slots.len());
        for slot in slots {
            let value = self.havoc(slot.sort);
            values.push(value.map_err(|why| Outcome::Stuck { at: self.place(at), why })?);
        }
        for (&slot, (value, symbolic)) in slots.iter().zip(values) {
            self.store(slot, value, symbolic).map_err(|w| self.stuck(w))?;
        }
        Ok(())
    }

    /// Evaluates a term that is no operator on words.
    pub(super) fn general(&mut self, number: u32, at: u32) -> Flow<()> {
        let general = &self.unit.terms[number as usize];
        let stuck = |m: &Self, why| Outcome::Stuck { at: m.place(at), why };
        let value = self.eval(general.term).map_err(|why| stuck(self, why))?;
        let symbolic = self.general_symbolic(number).map_err(|why| stuck(self, why))?;
        self.store(general.to, value, symbolic).map_err(|why| stuck(self, why))
    }

    fn general_symbolic(&mut self, number: u32) -> Result<Option<TermId>, EvalError> {
        let general = &self.unit.terms[number as usize];
        let Some(variables) = general.variables.as_ref().filter(|_| self.setup.symbolic) else {
            return self.symbolic(general.term);
        };
        let mut key = Vec::with_capacity(variables.len());
        let mut depends = general.open;
        for &slot in variables {
            if let Some(symbolic) = self.symbolic_of_slot(slot)? {
                depends = true;
                key.push(symbolic);
                continue;
            }
            let value = self.fetch(slot)?.0;
            if matches!(value, Value::Map(_) | Value::Datatype(..)) {
                return self.symbolic(general.term);
            }
            key.push(self.terms.value(&value));
        }
        if !depends {
            return Ok(None);
        }
        let key = (general.term, key);
        if let Some(&known) = self.inputs.symbolic_values.get(&key) {
            return Ok(known);
        }
        let symbolic = self.symbolic(general.term)?;
        self.inputs.symbolic_values.insert(key, symbolic);
        Ok(symbolic)
    }

    pub(super) fn move_general(&mut self, to: Reg, from: Reg) -> Flow<()> {
        let at = self.general_at(from);
        if self.generals[at].is_none() {
            self.ask_general(from).map_err(|w| self.stuck(w))?;
        }
        let value = self.generals[at].clone();
        let to = self.general_at(to);
        self.generals[to] = value;
        Ok(())
    }

    fn ask_general(&mut self, reg: Reg) -> Result<(), EvalError> {
        let variables = match reg & GLOBAL {
            0 => &self.unit.variables,
            _ => &self.setup.code.globals.variables,
        };
        let owner = variables.values().find(|s| s.class == Class::General && s.reg == reg).copied();
        self.ask(owner.ok_or_else(|| EvalError::Unsupported("a temporary without a value".to_owned()))?)
    }

    /// The value of a variable, with its symbolic value.
    pub(super) fn fetch(&mut self, slot: Slot) -> Result<(Value, Option<TermId>), EvalError> {
        match slot.class {
            Class::Word(kind) => {
                let word = self.word(slot.reg).map_err(unwrap_stuck)?;
                Ok((kind.value(word.bits), word.symbolic.term()))
            }
            Class::Memory(_) => {
                let symbolic = self.symbolic_of_slot(slot)?;
                let missing = || EvalError::Unsupported("a map without a value".to_owned());
                let memory = self.memories[self.memory_at(slot.reg)].as_ref().ok_or_else(missing)?;
                Ok((memory.value(self.terms), symbolic))
            }
            Class::General => {
                let at = self.general_at(slot.reg);
                if self.generals[at].is_none() {
                    self.ask(slot)?;
                }
                match &self.generals[at] {
                    Some(General { value, symbolic }) => Ok((value.clone(), *symbolic)),
                    None => Err(EvalError::Unsupported("a variable without a value".to_owned())),
                }
            }
        }
    }

    /// Whether a variable's value depends on inputs. Asks for it if it has none.
    pub(super) fn symbolic_of_slot(&mut self, slot: Slot) -> Result<Option<TermId>, EvalError> {
        match slot.class {
            Class::Word(_) => match self.word(slot.reg).map_err(unwrap_stuck)?.symbolic {
                Symbolic::Term(t) => Ok(Some(t)),
                _ => Ok(None),
            },
            Class::Memory(_) => {
                let at = self.memory_at(slot.reg);
                if self.memories[at].is_none() {
                    self.ask_memory(slot.reg)?;
                }
                Ok(self.memories[at].as_mut().and_then(|m| m.symbolic(self.terms)))
            }
            Class::General => {
                let at = self.general_at(slot.reg);
                if self.generals[at].is_none() {
                    self.ask(slot)?;
                }
                Ok(self.generals[at].as_ref().and_then(|g| g.symbolic))
            }
        }
    }
}

/// The reason of an outcome that is one.
fn unwrap_stuck(outcome: Outcome) -> EvalError {
    match outcome {
        Outcome::Stuck { why, .. } => why,
        _ => EvalError::Unsupported("a value that cannot be had".to_owned()),
    }
}
