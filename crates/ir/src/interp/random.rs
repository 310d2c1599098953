//! Random testing: random inputs that are recorded so that a run can be replayed.
//!
//! A thousand random runs cost less than one query to a solver, and in most programs they reach most of the blocks.
//! Values are drawn near the literals of the program and near zero, since conditions change their value there: for
//! `x < 100` values such as 99, 100 and 101 are likely. A seed gives the same runs on every machine.

use std::sync::Arc;

use footpath_term::{EvalError, Op, Sort, SortId, Value, refuse_invention};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};

use super::oracle::{Ask, Oracle, Script, build};
use super::{Interpreter, Reason};
use crate::print::program_roots;
use crate::program::{BlockId, Origin, ProcId, Program};
use crate::random_numbers::SplitMix64;

/// How many elements of an uninterpreted sort are drawn from.
const ELEMENTS: u64 = 4;
/// How many entries a random map has at most, beside its default.
const ENTRIES: u64 = 3;

/// An oracle that draws its answers and records them.
pub struct RandomOracle {
    random: Random,
    literals: Arc<Literals>,
    script: Script,
    /// The values of unique constants of this run.
    unique: FxHashSet<(SortId, Value)>,
    unique_constants: FxHashSet<footpath_term::SymbolId>,
}

/// The literals of a program, each once, in order.
#[derive(Default)]
pub(super) struct Literals {
    ints: Vec<BigInt>,
    reals: Vec<BigRational>,
    bits: FxHashMap<u32, Vec<BigUint>>,
    floats: FxHashMap<(u32, u32), Vec<BigUint>>,
}

impl Literals {
    /// The literals of `program`.
    pub(super) fn of(program: &Program) -> Literals {
        let terms = &program.terms;
        let mut literals = Literals::default();
        let mut seen = FxHashSet::default();
        for t in terms.post_order(&program_roots(program)) {
            let Some(value) = terms.literal(t).filter(|v| seen.insert((*v).clone())) else { continue };
            match value {
                Value::Int(n) => literals.ints.push(n.clone()),
                Value::Real(r) => literals.reals.push(r.clone()),
                Value::BitVec { width, bits } => literals.bits.entry(*width).or_default().push(bits.clone()),
                Value::Float { exponent, significand, bits } => {
                    literals.floats.entry((*exponent, *significand)).or_default().push(bits.clone());
                }
                _ => {}
            }
        }
        literals
    }
}

/// The generator.
struct Random(SplitMix64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.draw()
    }

    /// A number below `n`, which is not 0.
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len() as u64) as usize) }
    }

    /// A random number from -1 to 1.
    fn nudge(&mut self) -> i64 {
        self.below(3) as i64 - 1
    }
}

impl RandomOracle {
    /// An oracle for runs of `program`.
    pub fn new(program: &Program, seed: u64) -> RandomOracle {
        RandomOracle::near(program, Arc::new(Literals::of(program)), seed)
    }

    /// An oracle for runs of an interpreter's program; the interpreter caches the literals.
    pub fn of(interpreter: &Interpreter<'_>, seed: u64) -> RandomOracle {
        RandomOracle::near(interpreter.program(), interpreter.literals(), seed)
    }

    fn near(program: &Program, literals: Arc<Literals>, seed: u64) -> RandomOracle {
        let unique = program.constants.iter().filter(|c| c.unique).map(|c| c.symbol);
        RandomOracle {
            random: Random(SplitMix64(seed)),
            literals,
            script: Script::default(),
            unique: FxHashSet::default(),
            unique_constants: unique.collect(),
        }
    }

    /// The inputs of the run since the last call of this method.
    pub fn take_script(&mut self) -> Script {
        self.unique.clear();
        std::mem::take(&mut self.script)
    }

    fn value(&mut self, interpreter: &Interpreter<'_>, sort: SortId) -> Result<Value, EvalError> {
        let (random, literals) = (&mut self.random, &*self.literals);
        draw(interpreter, sort, random, literals, 0)
    }
}

fn draw(
    interpreter: &Interpreter<'_>,
    sort: SortId,
    random: &mut Random,
    literals: &Literals,
    depth: u32,
) -> Result<Value, EvalError> {
    let terms = interpreter.terms;
    if let Sort::Ctor(ctor, actuals) = terms.sort_of(sort) {
        let constructors = &terms.ctor(*ctor).constructors;
        if actuals.is_empty()
            && depth < 3
            && let Some(&constructor) = random.pick(constructors)
        {
            let params = &terms.function(constructor).params;
            let fields: Result<Vec<Value>, EvalError> =
                params.iter().map(|&p| draw(interpreter, p, random, literals, depth + 1)).collect();
            return Ok(Value::Datatype(constructor, fields?));
        }
    }
    let value = build(interpreter, sort, depth, &mut |sort, shape| scalar(random, literals, sort, shape))?;
    let Sort::Map { params: 0, domain, range } = terms.sort_of(sort) else { return Ok(value) };
    let Value::Map(mut map) = value else { return Ok(value) };
    for _ in 0..random.below(ENTRIES + 1) {
        let index: Result<Vec<Value>, EvalError> =
            domain.iter().map(|&d| draw(interpreter, d, random, literals, depth + 1)).collect();
        let element = draw(interpreter, *range, random, literals, depth + 1)?;
        Arc::make_mut(&mut map).set(index?, element);
    }
    Ok(Value::Map(map))
}

fn scalar(random: &mut Random, literals: &Literals, sort: SortId, shape: &Sort) -> Option<Value> {
    Some(match shape {
        Sort::Bool => Value::Bool(random.below(2) == 1),
        Sort::Int => Value::Int(integer(random, literals)),
        Sort::Real => {
            let base = match random.pick(&literals.reals) {
                Some(r) if random.below(2) == 0 => r.clone(),
                _ => BigRational::from_integer(integer(random, literals)),
            };
            let step = BigRational::new(BigInt::from(random.nudge()), BigInt::from(1 + random.below(2)));
            Value::Real(base + step)
        }
        Sort::BitVec(width) => {
            let known = literals.bits.get(width).map_or(&[][..], Vec::as_slice);
            let n = match random.below(10) {
                0..=3 => match random.pick(known) {
                    Some(n) => BigInt::from(n.clone()) + random.nudge(),
                    None => BigInt::from(random.below(4)),
                },
                4..=6 => BigInt::from(random.below(12) as i64 - 3),
                7 => (BigInt::from(1) << width.saturating_sub(1)) + random.nudge(),
                _ => {
                    let words = (0..width.div_ceil(64)).map(|_| random.next());
                    words.fold(BigInt::from(0), |n, word| (n << 64) + word)
                }
            };
            Value::bit_vec(*width, &n)
        }
        Sort::Ctor(..) | Sort::Var(_) => Value::Element { sort, number: random.below(ELEMENTS) as u32 },
        Sort::Float { exponent, significand } => {
            let (exponent, significand) = (*exponent, *significand);
            let known = literals.floats.get(&(exponent, significand)).map_or(&[][..], Vec::as_slice);
            Value::Float { exponent, significand, bits: float_bits(random, known, exponent, significand) }
        }
        _ => return None,
    })
}

/// A number near one of the program, a special one, or any.
fn float_bits(random: &mut Random, known: &[BigUint], exponent: u32, significand: u32) -> BigUint {
    let modulus = BigUint::from(1u32) << (exponent + significand);
    let infinity = ((BigUint::from(1u32) << exponent) - 1u32) << significand.saturating_sub(1);
    let one = ((BigUint::from(1u32) << exponent.saturating_sub(1)) - 1u32) << significand.saturating_sub(1);
    let sign = BigUint::from(random.below(2)) << (exponent + significand).saturating_sub(1);
    let bits = match random.below(10) {
        // The bits of neighbours are neighbours.
        0..=4 => match random.pick(known) {
            Some(bits) => (bits + &modulus + BigUint::from(random.below(3)) - 1u32) % &modulus,
            None => sign + one,
        },
        5 => sign + BigUint::from(random.below(2)),
        6 => sign + &infinity + BigUint::from(random.below(2)),
        7 => sign + one,
        _ => {
            let words = (0..(exponent + significand).div_ceil(64)).map(|_| random.next());
            words.fold(BigUint::from(0u32), |n, word| (n << 64) + word) % &modulus
        }
    };
    // There is one NaN.
    let magnitude = &bits % (&modulus >> 1u32);
    if magnitude > infinity {
        infinity + (BigUint::from(1u32) << significand.saturating_sub(2))
    } else {
        bits
    }
}

fn integer(random: &mut Random, literals: &Literals) -> BigInt {
    match random.below(20) {
        0..=8 => BigInt::from(random.below(12) as i64 - 3),
        9..=15 => match random.pick(&literals.ints) {
            Some(n) => {
                let n = n + random.nudge();
                if random.below(8) == 0 { -n } else { n }
            }
            None => BigInt::from(random.below(4)),
        },
        16..=18 => BigInt::from(random.below(256) as i64 - 128),
        _ => BigInt::from(random.next() as i64),
    }
}

impl Oracle for RandomOracle {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let mut value = self.value(ask.interpreter, ask.sort)?;
        if ask.reason == Reason::Global && self.unique_constants.contains(&ask.symbol) {
            let mut number = ELEMENTS as u32;
            while !self.unique.insert((ask.sort, value.clone())) {
                number += 1;
                value = match value {
                    Value::Element { sort, .. } => Value::Element { sort, number },
                    _ if number > 1_000 => break,
                    _ => self.value(ask.interpreter, ask.sort)?,
                };
            }
        }
        self.script.entries.insert((ask.activation, ask.symbol), value.clone());
        Ok(value)
    }

    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = self.value(ask.interpreter, ask.sort)?;
        self.script.havocs.push(value.clone());
        Ok(value)
    }

    fn choose(&mut self, _: Origin, targets: &[BlockId]) -> Result<usize, EvalError> {
        let choice = self.random.below(targets.len().max(1) as u64) as usize;
        self.script.choices.push(choice);
        Ok(choice)
    }

    fn call_body(&mut self, _: Origin, _: ProcId, bodies: usize) -> Result<usize, EvalError> {
        let choice = self.random.below(bodies.max(1) as u64) as usize;
        self.script.bodies.push(choice);
        Ok(choice)
    }

    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        refuse_invention(interpreter.terms, op, args)?;
        let value = self.value(interpreter, sort)?;
        self.script.functions.insert((op.clone(), args.to_vec(), sort), value.clone());
        Ok(value)
    }
}
