//! Random inputs and mutation of inputs, as in fuzzing: drawn at random, or by changing inputs of runs that covered
//! something new.
//!
//! Values come from the reference interpreter's [`RandomOracle`], near the literals of the program and near zero,
//! where branches tend to change. A mutant keeps most inputs of a run that covered something new, redraws a few, and
//! changes a few by one or in one bit.

use footpath_ir::Program;
use footpath_ir::SplitMix64;
use footpath_ir::interp::{Ask, Interpreter, Oracle, RandomOracle, Reason, Script};
use footpath_term::{EvalError, Op, SortId, SymbolId, Terms, Value};
use num_bigint::BigUint;

use super::inputs::{Key, Source, given};

/// What draws inputs.
#[derive(Clone, Debug)]
pub(super) struct Dice(SplitMix64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(SplitMix64(seed ^ 0x5851_f42d_4c95_7f2d))
    }

    /// A number below `n`; 0 if there is none.
    pub(super) fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { self.0.below(n as u64) as usize }
    }
}

/// Draws inputs.
pub(super) struct Drawn<'s> {
    oracle: &'s mut RandomOracle,
    dice: &'s mut Dice,
    /// The script that is mutated; without it everything is random.
    base: Option<&'s Script>,
    choices: usize,
    bodies: usize,
}

impl<'s> Drawn<'s> {
    pub(super) fn new(
        oracle: &'s mut RandomOracle,
        dice: &'s mut Dice,
        base: Option<&'s Script>,
    ) -> Drawn<'s> {
        Drawn { oracle, dice, base, choices: 0, bodies: 0 }
    }

    fn keeps(&mut self) -> bool {
        self.base.is_some() && self.dice.below(4) != 0
    }
}

impl Source for Drawn<'_> {
    fn input(
        &mut self,
        interpreter: &Interpreter<'_>,
        terms: &mut Terms,
        key: Key,
        symbol: SymbolId,
        sort: SortId,
    ) -> Result<Value, EvalError> {
        if self.keeps() {
            let known = self.base.and_then(|script| given(script, terms, key));
            if let Some(value) = known {
                return Ok(if self.dice.below(3) == 0 { nudge(value, self.dice) } else { value.clone() });
            }
        }
        let (activation, symbol, global) = match key {
            Key::Entry(activation, own) => {
                let program: &Program = interpreter.program();
                (activation, own, program.constants.iter().any(|c| c.symbol == own))
            }
            Key::Havoc(..) => (0, symbol, false),
        };
        let reason = if global { Reason::Global } else { Reason::Local };
        let ask = Ask { interpreter, symbol, sort, reason, at: None, activation };
        match key {
            Key::Entry(..) => self.oracle.entry(&ask),
            Key::Havoc(..) => self.oracle.havoc(&ask),
        }
    }

    fn choose(&mut self, count: usize) -> usize {
        self.choices += 1;
        let known = self.base.and_then(|s| s.choices.get(self.choices - 1).copied());
        match known {
            Some(choice) if self.dice.below(4) != 0 => choice,
            _ => self.dice.below(count),
        }
    }

    fn body(&mut self, count: usize) -> usize {
        self.bodies += 1;
        let known = self.base.and_then(|s| s.bodies.get(self.bodies - 1).copied());
        match known {
            Some(choice) if self.dice.below(4) != 0 => choice,
            _ => self.dice.below(count),
        }
    }

    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        _: &mut Terms,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        self.oracle.undetermined(interpreter, op, args, sort)
    }
}

/// A value nearby.
fn nudge(value: &Value, dice: &mut Dice) -> Value {
    match value {
        Value::Bool(b) => Value::Bool(!b),
        Value::Int(n) => Value::Int(n + if dice.below(2) == 0 { 1 } else { -1 }),
        Value::BitVec { width, bits } if *width > 0 => {
            let changed = match dice.below(3) {
                0 => bits + 1u32,
                1 => bits + (BigUint::from(1u32) << *width) - 1u32,
                _ => bits ^ (BigUint::from(1u32) << dice.below(*width as usize)),
            };
            Value::BitVec { width: *width, bits: changed % (BigUint::from(1u32) << *width) }
        }
        other => other.clone(),
    }
}
