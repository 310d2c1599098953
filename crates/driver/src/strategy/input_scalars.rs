//! The scalars that a test can set: where they are in the program form at the start of a run, and runs with other values there.
//!
//! **Idea.** A parameter is a variable of the program form, and a member of an object is some bytes of a map. Both are a
//! [`Location`], whose value can be read and replaced in a script. A changed script is of use if its run takes the same path:
//! then it reaches what the test is for.
//!
//! Example: the second element of `unsigned v[4]` in the object with number 7 is the bytes 4 to 8 of that object.
//!
//! **Direction of error.** None: what is not found here, such as bit-fields, members of unions and pointers, is left as it is.

use std::time::Duration;

use footpath_frontend::c::source::c_types::{CType, CTypeId, CTypes};
use footpath_frontend::c::{Harness, PointerShape, SettingValue};
use footpath_ir::ProcId;
use footpath_ir::interp::{Heard, Limits, Listener, Outcome, Replay, Script, Step, default_value};
use footpath_replay::Effects;
use footpath_term::{MapValue, Op, Sort, SymbolId, TermId, Terms, Value};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

use crate::context::Context;

/// At most so many scalars of a type are looked at.
const SCALARS: usize = 32;
/// At most so many elements of an array are.
const ELEMENTS: u64 = 8;
/// Runs that change a test may enter so many blocks in all for each second that its function has, and so many at most.
const BLOCKS: (f64, f64) = (5_000.0, 50_000.0);

/// The kinds of scalars, as far as they matter to which values they take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A character.
    Character,
    /// Another whole number.
    Number,
    /// A truth value.
    Truth,
    /// A floating-point number.
    Float,
}

/// Where a scalar is at the start of a run.
#[derive(Clone, Copy)]
pub(crate) enum Location {
    /// A variable of the program form.
    Symbol(SymbolId),
    /// Bytes of an object.
    Memory { map: SymbolId, grain: u64, object: u32, offset: u64, bytes: u64 },
}

/// What a run did.
pub(crate) struct Done {
    pub(crate) path: Vec<Step>,
    pub(crate) outcome: Outcome,
    pub(crate) effects: Effects,
}

impl Done {
    /// Whether another run takes the same path to the same end.
    pub(crate) fn is_like(&self, other: &Done) -> bool {
        self.path == other.path && self.outcome == other.outcome
    }
}

#[derive(Default)]
struct Calls(Vec<(ProcId, Vec<Value>)>);

impl Listener for Calls {
    fn calls(&mut self, callee: ProcId, args: &[Value]) {
        self.0.push((callee, args.to_vec()));
    }
}

/// Runs of changed scripts of a harness, as long as they do not take too much time.
pub(crate) struct Runs<'a> {
    context: &'a Context<'a>,
    harness: &'a Harness,
    steps: u64,
    left: usize,
}

impl<'a> Runs<'a> {
    /// Runs a script, and returns what changed ones are run with; `None` for one that does not return, and so is about its end.
    pub(crate) fn of(
        context: &'a Context<'a>,
        harness: &'a Harness,
        script: &Script,
        steps: u64,
    ) -> Option<(Runs<'a>, Done)> {
        let mut runs = Runs { context, harness, steps, left: 1 };
        let done = runs.run(script)?;
        if done.outcome != Outcome::Returned {
            return None;
        }
        // A run that takes much longer is another one.
        runs.steps = steps.min(steps_like(context, &done.path));
        runs.left = blocks(context.options.timeout) / done.path.len().max(1);
        Some((runs, done))
    }

    /// Runs a script; `None` if there were too many already.
    pub(crate) fn run(&mut self, script: &Script) -> Option<Done> {
        self.left = self.left.checked_sub(1)?;
        let mut replay = Replay::new(script);
        let mut heard = Heard::new(&mut replay, Calls::default());
        let limits = Limits { steps: self.steps, ..Limits::default() };
        let interpreter = self.context.prepared.interpreter();
        let mut run = interpreter.run(self.harness.widest(), 0, &mut heard, &limits);
        let (path, outcome) = (std::mem::take(&mut run.path), run.outcome.clone());
        Some(Done { path, outcome, effects: Effects::of(run, heard.listener.0) })
    }
}

/// Steps that are enough for a run along a path, and for some that take longer. Large numbers count as several steps.
pub(crate) fn steps_like(context: &Context, path: &[Step]) -> u64 {
    let program = &context.compiled.lowered.program;
    let statements = |step: &Step| {
        program[step.procedure].bodies[step.body as usize][step.block].statements.len() as u64 + 2
    };
    1000 + 4 * path.iter().map(statements).sum::<u64>()
}

/// How many blocks runs of a test may enter in all, by a function's limit.
fn blocks(limit: Duration) -> usize {
    let (of_a_second, most) = BLOCKS;
    (of_a_second * limit.as_secs_f64()).min(most) as usize
}

/// The scalars at the start of runs of a script.
pub(crate) fn locations(context: &Context, harness: &Harness, script: &Script) -> Vec<(Location, Kind)> {
    let lowered = &context.compiled.lowered;
    let types = &lowered.types;
    let mut found = Vec::new();
    for param in harness.params.iter().filter(|param| param.object.is_none()) {
        found.extend(kind(types, param.ty).map(|kind| (Location::Symbol(param.symbol), kind)));
    }
    let mut in_memory = |(ty, count): (CTypeId, u64), object, memory: Option<(SymbolId, u64)>| {
        let Some((map, grain)) = memory else { return };
        let word = u64::from(lowered.shape.bits / 8);
        let mut scalars = Vec::new();
        for i in 0..count.min(ELEMENTS) {
            add_scalars(types, ty, i * types.size(ty, word), word, &mut scalars);
        }
        let locate = |(offset, bytes, kind)| (Location::Memory { map, grain, object, offset, bytes }, kind);
        found.extend(scalars.into_iter().map(locate));
    };
    for object in &harness.objects {
        let number = |symbol| match script.entries.get(&(0, symbol)) {
            Some(Value::BitVec { bits, .. }) => u64::try_from(bits).unwrap_or(1).max(1),
            _ => 1,
        };
        in_memory((object.element, object.count.map_or(1, number)), object.number, object.memory);
    }
    let mut variables = Vec::new();
    for setting in &harness.settings {
        match &setting.value {
            SettingValue::Memory { number, memory } => in_memory((setting.ty, 1), *number, *memory),
            SettingValue::Variables(symbols) => {
                if let ([symbol], Some(kind)) = (&symbols[..], kind(types, setting.ty)) {
                    variables.push((Location::Symbol(*symbol), kind));
                }
            }
        }
    }
    found.extend(variables);
    found
}

/// The kind of a type, if it is one of scalars that may have any value.
fn kind(types: &CTypes, ty: CTypeId) -> Option<Kind> {
    match types.resolved(ty) {
        CType::Int { bits: 8, is_char: true, .. } => Some(Kind::Character),
        CType::Int { bits: ..=64, .. } => Some(Kind::Number),
        CType::Bool => Some(Kind::Truth),
        CType::Float { bits: 32 | 64, .. } => Some(Kind::Float),
        _ => None,
    }
}

/// The offsets, sizes and kinds of the scalars of a type.
fn add_scalars(types: &CTypes, ty: CTypeId, at: u64, word: u64, found: &mut Vec<(u64, u64, Kind)>) {
    if found.len() >= SCALARS {
        return;
    }
    match types.resolved(ty) {
        CType::Array { element, count } => {
            for i in 0..count.unwrap_or(0).min(ELEMENTS) {
                add_scalars(types, *element, at + i * types.size(*element, word), word, found);
            }
        }
        CType::Record { fields, is_union: false, .. } => {
            for field in fields.iter().filter(|field| field.bit_field.is_none()) {
                add_scalars(types, field.ty, at + field.offset_bits / 8, word, found);
            }
        }
        _ => found.extend(kind(types, ty).map(|kind| (at, types.size(ty, word), kind))),
    }
}

/// The value of a symbol in a script.
fn entry(context: &Context, script: &Script, symbol: SymbolId) -> Option<Value> {
    match script.entries.get(&(0, symbol)) {
        Some(value) => Some(value.clone()),
        None => {
            let sort = context.compiled.lowered.program.terms.symbol(symbol).sort;
            default_value(context.prepared.interpreter(), sort).ok()
        }
    }
}

/// A script with other bits of a scalar; `None` if it cannot have them.
pub(crate) fn with_bits(context: &Context, script: &Script, location: Location, bits: u64) -> Option<Script> {
    let value = entry(context, script, location.symbol())?;
    let changed = location.with(context.compiled.lowered.shape, &value, bits)?;
    let mut script = script.clone();
    script.entries.insert((0, location.symbol()), changed);
    Some(script)
}

/// A script in which inputs that conditions are about have the values of a model: whole numbers of up to 64 bits, and cells of memories
/// at known places. `None` if some have none there, or are not given at the start (`given`), as results of external functions.
pub(crate) fn with_model(
    context: &Context,
    script: &Script,
    given: &FxHashSet<SymbolId>,
    (terms, conditions): (&Terms, &[TermId]),
    model: impl FnOnce(&[TermId]) -> Option<Vec<Option<Value>>>,
) -> Option<Script> {
    let number = |t: TermId| terms.literal(t).and_then(Value::as_u64);
    let map = |t: TermId| match terms.term(t).op {
        Op::Var(symbol) => Some(symbol),
        _ => None,
    };
    let (mut inputs, mut maps) = (Vec::new(), FxHashSet::default());
    for t in terms.post_order(conditions) {
        let term = terms.term(t);
        match (&term.op, term.args.as_slice()) {
            (Op::Select, &[from, object, offset]) => {
                let Sort::BitVec(width) = *terms.sort_of(terms.sort(t)) else { return None };
                let bytes = u64::from(width / 8);
                let (map, object) = (map(from)?, u32::try_from(number(object)?).ok()?);
                let offset = number(offset)?;
                inputs.push((t, Location::Memory { map, grain: bytes, object, offset, bytes }));
                maps.insert(from);
            }
            (&Op::Var(symbol), _) => inputs.push((t, Location::Symbol(symbol))),
            _ => {}
        }
    }
    if inputs.iter().any(|(_, location)| !given.contains(&location.symbol())) {
        return None;
    }
    inputs.retain(|(t, _)| !maps.contains(t));
    let values = model(&inputs.iter().map(|&(t, _)| t).collect::<Vec<_>>())?;
    inputs.into_iter().zip(values).try_fold(script.clone(), |script, ((_, location), value)| {
        let bits = match value? {
            Value::Bool(value) => u64::from(value),
            value => value.as_u64()?,
        };
        with_bits(context, &script, location, bits)
    })
}

/// The bits of a scalar in a script.
pub(crate) fn bits_in(context: &Context, script: &Script, location: Location) -> Option<u64> {
    location.bits(context.compiled.lowered.shape, &entry(context, script, location.symbol())?)
}

impl Location {
    /// The symbol that has its value.
    pub(crate) fn symbol(self) -> SymbolId {
        match self {
            Location::Symbol(symbol) => symbol,
            Location::Memory { map, .. } => map,
        }
    }

    /// The cells of an object that have its bytes, with the offsets where they begin.
    pub(crate) fn cells(self, shape: PointerShape) -> impl Iterator<Item = (u64, Vec<Value>)> {
        let (grain, object, offset, bytes) = match self {
            Location::Memory { grain, object, offset, bytes, .. } => (grain.max(1), object, offset, bytes),
            Location::Symbol(_) => (1, 0, 0, 0),
        };
        let first = offset / grain * grain;
        (first..offset + bytes).step_by(grain as usize).map(move |cell| {
            let object = Value::BitVec { width: shape.object, bits: BigUint::from(object) };
            (cell, vec![object, Value::BitVec { width: shape.offset, bits: BigUint::from(cell) }])
        })
    }

    /// Its bits in the value of its symbol.
    fn bits(self, shape: PointerShape, value: &Value) -> Option<u64> {
        match (self, value) {
            (Location::Symbol(_), Value::Bool(value)) => Some(u64::from(*value)),
            (Location::Symbol(_), Value::BitVec { bits, .. }) => bits.to_u64(),
            (Location::Memory { offset, bytes, .. }, Value::Map(map)) => {
                let mut number = 0;
                for (cell, at) in self.cells(shape) {
                    let Value::BitVec { bits, .. } = map.get(&at) else { return None };
                    for (i, byte) in bits.to_bytes_le().into_iter().enumerate() {
                        let place = cell + i as u64;
                        if (offset..offset + bytes).contains(&place) {
                            number |= u64::from(byte).checked_shl(8 * (place - offset) as u32)?;
                        }
                    }
                }
                Some(number)
            }
            _ => None,
        }
    }

    /// The value of its symbol in which it has other bits.
    pub(crate) fn with(self, shape: PointerShape, value: &Value, bits: u64) -> Option<Value> {
        match (self, value) {
            (Location::Symbol(_), Value::Bool(_)) => Some(Value::Bool(bits != 0)),
            (Location::Symbol(_), Value::BitVec { width, .. }) => {
                let bits = BigUint::from(bits);
                (bits.bits() <= u64::from(*width)).then_some(Value::BitVec { width: *width, bits })
            }
            (Location::Memory { grain, offset, bytes, .. }, Value::Map(map)) => {
                let mut map: MapValue = (**map).clone();
                let new = bits.to_le_bytes();
                for (cell, at) in self.cells(shape) {
                    let Value::BitVec { width, bits: old } = map.get(&at) else { return None };
                    let (width, mut content) = (*width, old.to_bytes_le());
                    content.resize(grain as usize, 0);
                    for (i, byte) in content.iter_mut().enumerate() {
                        let place = cell + i as u64;
                        if (offset..offset + bytes).contains(&place) {
                            *byte = new.get((place - offset) as usize).copied().unwrap_or(0);
                        }
                    }
                    map.set(at, Value::BitVec { width, bits: BigUint::from_bytes_le(&content) });
                }
                Some(Value::Map(std::sync::Arc::new(map)))
            }
            _ => None,
        }
    }

    /// How many bits it has, as its symbol has this value.
    pub(crate) fn width(self, context: &Context, script: &Script) -> Option<u32> {
        match (self, entry(context, script, self.symbol())?) {
            (Location::Memory { bytes, .. }, _) => Some(8 * bytes as u32),
            (_, Value::BitVec { width, .. }) => Some(width),
            _ => None,
        }
    }
}
