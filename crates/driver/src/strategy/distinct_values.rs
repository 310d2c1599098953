//! Distinct initial values: inputs of a test that its path does not depend on get values that show what becomes of them.
//!
//! **Idea.** A search leaves what does not matter to a path at zero. So a setter writes 0 over 0, and a copy copies 0 over 0: a
//! test with these inputs passes as well if the statement is removed (it does not *infect* the state, in the terms of the RIPR
//! model of mutation testing). Each scalar that is zero at the start, a parameter, a member of an object or a variable, is set to a
//! number of its own, and the program form is run again. It stays so if the run takes the same path and ends in another
//! state than just with that number in its place: then somebody has read or overwritten it. All others stay zero, so that a
//! test has only members that matter.
//!
//! Example: for `void reset(struct s *p) { p->used = 0; p->size = p->limit; }` the test begins with `used = 11`, `size = 12` and
//! `limit = 13`, and expects 0, 13 and 13.
//!
//! **Paper.** P. Ammann and J. Offutt, *Introduction to Software Testing*, 2nd ed. 2016, section 2.7 (reachability, infection,
//! propagation, revealability).
//!
//! **Direction of error.** None for what is covered: the path is the same, step by step, and the compiled test decides. A
//! number may by chance be the one that is written over it; then the write stays unseen.

use footpath_frontend::c::PointerShape;
use footpath_frontend::c::source::c_types::{CType, CTypeId, CTypes};
use footpath_frontend::c::{Harness, SettingValue};
use footpath_ir::ProcId;
use footpath_ir::interp::{Heard, Limits, Listener, Outcome, Replay, Script, Step, default_value};
use footpath_replay::Effects;
use footpath_term::{MapValue, SymbolId, Value};
use num_bigint::BigUint;
use num_traits::Zero;

use crate::context::Context;

/// At most so many scalars are tried for a test.
const SCALARS: usize = 32;
/// At most so many elements of an array are.
const ELEMENTS: u64 = 8;
/// Runs of a test may have so many blocks in all.
const BLOCKS: usize = 200_000;
/// The first of the numbers.
const FIRST: u32 = 11;

/// The kinds of scalars, as far as they matter to which values they take.
#[derive(Clone, Copy)]
enum Kind {
    Character,
    Number,
    Truth,
    Float,
}

/// Where a scalar is at the start of a run.
#[derive(Clone, Copy)]
enum Location {
    /// A variable of the program form.
    Symbol(SymbolId),
    /// Bytes of an object.
    Memory { map: SymbolId, grain: u64, object: u32, offset: u64, bytes: u64 },
}

/// What a run did.
struct Done {
    path: Vec<Step>,
    outcome: Outcome,
    effects: Effects,
}

#[derive(Default)]
struct Calls(Vec<(ProcId, Vec<Value>)>);

impl Listener for Calls {
    fn calls(&mut self, callee: ProcId, args: &[Value]) {
        self.0.push((callee, args.to_vec()));
    }
}

/// The inputs with distinct values where the run shows them; the same inputs if there is no such place.
pub(crate) fn distinct(context: &Context, harness: &Harness, script: &Script, steps: u64) -> Script {
    let mut best = script.clone();
    let run = |script: &Script| -> Done {
        let mut replay = Replay::new(script);
        let mut heard = Heard::new(&mut replay, Calls::default());
        let limits = Limits { steps, ..Limits::default() };
        let mut run = context.prepared.interpreter().run(harness.widest(), 0, &mut heard, &limits);
        let (path, outcome) = (std::mem::take(&mut run.path), run.outcome.clone());
        Done { path, outcome, effects: Effects::of(run, heard.listener.0) }
    };
    let mut known = run(script);
    if known.outcome != Outcome::Returned {
        return best;
    }
    let most = (BLOCKS / known.path.len().max(1)).min(SCALARS);
    let mut number = FIRST;
    for (location, kind) in locations(context, harness, script).into_iter().take(most) {
        let mut tried = best.clone();
        if set_entry(context, &mut tried, location, kind, number).is_none() {
            continue;
        }
        let done = run(&tried);
        if done.path != known.path || done.outcome != known.outcome {
            continue;
        }
        let shape = context.compiled.lowered.shape;
        let left = known.effects.variables.get(&location.symbol());
        let unread = left.and_then(|left| location.with(shape, left, kind, number));
        let is_seen = done.effects.results != known.effects.results
            || done.effects.calls != known.effects.calls
            || done.effects.variables.iter().any(|(symbol, value)| match &unread {
                Some(unread) if *symbol == location.symbol() => value != unread,
                _ => known.effects.variables.get(symbol) != Some(value),
            });
        if is_seen {
            (best, known) = (tried, done);
            number += 1;
        }
    }
    best
}

/// The scalars at the start of runs that are zero in a script.
fn locations(context: &Context, harness: &Harness, script: &Script) -> Vec<(Location, Kind)> {
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

/// Sets a scalar that is zero in a script; `None` if it is something else.
fn set_entry(
    context: &Context,
    script: &mut Script,
    location: Location,
    kind: Kind,
    number: u32,
) -> Option<()> {
    let lowered = &context.compiled.lowered;
    let key = (0, location.symbol());
    let sort = lowered.program.terms.symbol(location.symbol()).sort;
    let value = match script.entries.get(&key) {
        Some(value) => value.clone(),
        None => default_value(context.prepared.interpreter(), sort).ok()?,
    };
    if !location.is_zero(lowered.shape, &value) {
        return None;
    }
    let changed = location.with(lowered.shape, &value, kind, number)?;
    script.entries.insert(key, changed);
    Some(())
}

impl Location {
    fn symbol(self) -> SymbolId {
        match self {
            Location::Symbol(symbol) => symbol,
            Location::Memory { map, .. } => map,
        }
    }

    /// The cells of an object that have its bytes, with the offsets where they begin.
    fn cells(self, shape: PointerShape) -> impl Iterator<Item = (u64, Vec<Value>)> {
        let (grain, object, offset, bytes) = match self {
            Location::Memory { grain, object, offset, bytes, .. } => (grain, object, offset, bytes),
            Location::Symbol(_) => (1, 0, 0, 0),
        };
        let first = offset / grain * grain;
        (first..offset + bytes).step_by(grain as usize).map(move |cell| {
            let object = Value::BitVec { width: shape.object, bits: BigUint::from(object) };
            (cell, vec![object, Value::BitVec { width: shape.offset, bits: BigUint::from(cell) }])
        })
    }

    /// Whether the scalar is zero in the value of its symbol; of memory, whether all cells that it is in are.
    fn is_zero(self, shape: PointerShape, value: &Value) -> bool {
        let is_zero = |value: &Value| matches!(value, Value::BitVec { bits, .. } if bits.is_zero());
        match (self, value) {
            (Location::Symbol(_), Value::Bool(value)) => !value,
            (Location::Symbol(_), value) => is_zero(value),
            (Location::Memory { .. }, Value::Map(map)) => self.cells(shape).all(|(_, at)| is_zero(map.get(&at))),
            (Location::Memory { .. }, _) => false,
        }
    }

    /// The value of its symbol in which the scalar has the value of this number.
    fn with(self, shape: PointerShape, value: &Value, kind: Kind, number: u32) -> Option<Value> {
        match (self, value) {
            (Location::Symbol(_), Value::Bool(_)) => Some(Value::Bool(true)),
            (Location::Symbol(_), Value::BitVec { width, .. }) => {
                let bits = BigUint::from(bits_of(kind, number, *width));
                (bits.bits() <= u64::from(*width)).then_some(Value::BitVec { width: *width, bits })
            }
            (Location::Memory { grain, offset, bytes, .. }, Value::Map(map)) => {
                let mut map: MapValue = (**map).clone();
                let bits = bits_of(kind, number, 8 * bytes as u32).to_le_bytes();
                for (cell, at) in self.cells(shape) {
                    let Value::BitVec { width, bits: old } = map.get(&at) else { return None };
                    let (width, mut content) = (*width, old.to_bytes_le());
                    content.resize(grain as usize, 0);
                    for (i, byte) in content.iter_mut().enumerate() {
                        let place = cell + i as u64;
                        if (offset..offset + bytes).contains(&place) {
                            *byte = bits.get((place - offset) as usize).copied().unwrap_or(0);
                        }
                    }
                    map.set(at, Value::BitVec { width, bits: BigUint::from_bytes_le(&content) });
                }
                Some(Value::Map(std::sync::Arc::new(map)))
            }
            _ => None,
        }
    }
}

/// The bits of a value of a kind, from the number that it is to have.
fn bits_of(kind: Kind, number: u32, width: u32) -> u64 {
    match kind {
        Kind::Character => u64::from(b'a') + u64::from(number - FIRST) % 26,
        Kind::Number => u64::from(number),
        Kind::Truth => 1,
        Kind::Float if width == 32 => u64::from((number as f32).to_bits()),
        Kind::Float => f64::from(number).to_bits(),
    }
}
