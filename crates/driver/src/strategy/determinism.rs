//! Determinism of tests: what a test promises must not depend on values that no test can set.
//!
//! **Idea.** In the program form some values are arbitrary, and the search for tests chooses them as it likes:
//! uninitialised locals, contents of objects that are made during a run, what assembly writes, what functions of the
//! C library without a model return, and all but the first scalar of a structure with pointers that an external
//! function returns. A compiled test finds there whatever the machine left, or the library returns. So each script is
//! run five times more, with all these values changed; what one of these runs does not reach, the test does not
//! promise. Where the first of them asks for no such value, the others would be the same run, and are left out.
//!
//! 1. All bits are inverted, which keeps equal values equal.
//! 2. Each value is changed in a way of its own; in the memory of the first objects that are made during the run also
//!    each cell, as most cells of a script share one value.
//! 3. Just those bits are changed that the second run left, so that what is less in the one is greater in the other.
//! 4. All values are zero, which is what machines contain most often.
//! 5. All values are one, which is what library functions often return.
//!
//! Example: in `int x; if (x) f(); else g();` the search may reach `f` with x = 7, but the run with zeros reaches
//! `g`, so the test does not promise `f`.
//!
//! After a call of a compiler builtin with an argument for which it is undefined, nothing is promised at all. After a
//! call of a C library function that has no model and is passed an address, only the end of the run is: tests call
//! the library's own function, which may write there, or stop.
//!
//! Where something is undefined in a changed run only (`memcpy(to, from, n)` with the `n` of a library function that has no model),
//! the test is under suspicion, and sanitizers are asked about the compiled one ([`Suspicion`]).
//!
//! Numbers among the inputs may be interpreted as addresses. If such a number is the address of an object that the
//! test cannot name, or of any object where the test writes no pointer (`stream` is bytes in `void *stream`, whose `*(char **)stream`
//! is read), one more run has the address of no object there.
//!
//! **Direction of error.** All runs may take the same path by chance; the test then promises too much, and diverges.
//! Verdicts do not depend on this: covered is what the compiled test passes.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use footpath_frontend::c::source::c_types::CTypeId;
use footpath_frontend::c::{BlockRole, Harness, LoweredFunction, SettingValue, Stub, StubType};
use footpath_ir::interp::{Ask, Heard, Limits, Listener, Outcome, Reason, Replay, Run, Script, Step};
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, BlockId, Origin, Place, ProcId, StatementKind};
use footpath_replay::{Effects, StubResult};
use footpath_term::{MapValue, Sort, SymbolId, Value};
use num_bigint::BigUint;
use num_traits::One;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::context::Context;
use crate::strategy::input_scalars::steps_like;
use crate::strategy::native_execution::{fails, failure_span};
use crate::strategy::sanitizers::goes_on;

/// At most so many cells of inputs are kept apart from the rest of memory.
const CELLS: u64 = 1 << 16;
/// So many objects that are made during a run have cells that differ, and so many cells each.
const MADE: (u64, u64) = (8, 24);

/// Statements and jumps of a changed run at most, for each second of a function's time, unless the test itself takes more and ends.
const CHANGED: u64 = 50_000;

/// What the runs of a test have in common, whatever the values are that it cannot set.
#[derive(Default)]
pub(crate) struct Stable {
    /// Those of the promised places, by number, that all of them reach.
    pub(crate) places: Vec<usize>,
    /// What each of the changed runs did; empty if one of them ended otherwise than by returning.
    pub(crate) varied: Vec<Effects>,
    /// The first check on the way that fails, although the run goes on: what is undefined there.
    pub(crate) undefined: Option<(AssertKind, Span)>,
    /// If a check fails on the way: the blocks that the run enters before.
    pub(crate) before_failure: Option<FxHashSet<BlockKey>>,
    /// If nothing fails in the run, but something is undefined with other values that the test cannot set.
    pub(crate) suspicion: Option<Suspicion>,
}

/// What may be undefined in a compiled test, as far as it depends on values that it cannot set.
pub(crate) struct Suspicion {
    /// The check that fails with other values.
    pub(crate) check: (AssertKind, Span),
    /// The blocks that the run enters before.
    pub(crate) before: FxHashSet<BlockKey>,
}

impl Stable {
    /// The suspicion was not cleared.
    pub(crate) fn is_undefined_natively(&mut self) {
        self.before_failure = self.suspicion.take().map(|suspicion| suspicion.before);
    }
}

/// A block of any function.
pub(crate) type BlockKey = (ProcId, u32, BlockId);

/// The `promised` ones of the `places`, by number, that a test reaches whatever the values are that it cannot set; and what
/// else these runs have in common.
pub(crate) fn stable(
    context: &Context,
    harness: &Harness,
    script: &Script,
    returned: &[StubResult],
    places: &[Origin],
    promised: Vec<usize>,
    steps: u64,
) -> Stable {
    let limits = Limits { steps, ..Limits::default() };
    let mut plain = Replay::new(script);
    let first = context.prepared.interpreter().run(harness.widest(), 0, &mut plain, &limits);
    let (mut left, mut varied) = (promised, Vec::new());
    let failing = failing_checks(context, &first.path);
    let undefined = failing.first().map(|&(_, kind, span)| (kind, span));
    let end = match (failing.first(), &first.outcome) {
        (Some(&(number, ..)), _) => Some(number),
        (None, outcome) => fails(outcome).then_some(first.path.len()),
    };
    let before_failure = end.map(|end| first.path[..end].iter().map(block_key).collect());
    let retain = |left: &mut Vec<usize>, path: &[Step], outcome: Option<&Outcome>| {
        let entered: FxHashSet<BlockKey> = path.iter().map(block_key).collect();
        left.retain(|&t| {
            let origin = &places[t];
            match origin.place {
                Place::Segment { block, .. } => entered.contains(&(origin.procedure, origin.body, block)),
                _ => matches!(outcome, Some(Outcome::Failed { at, .. }) if at == origin),
            }
        });
    };
    // The result of such a builtin differs between machines, and from call to call.
    if let Some((number, ..)) = failing.iter().find(|(_, kind, _)| *kind == AssertKind::Builtin) {
        retain(&mut left, &first.path[..=*number], None);
    }
    let strangers = strangers(context);
    if let Some(number) = first.path.iter().position(|step| calls_one_of(context, step, &strangers)) {
        retain(&mut left, &first.path[..=number], Some(&first.outcome));
    }
    let (mut ended_well, mut suspicion) = (true, None);
    // Other values may lead into a loop of thousands of millions of rounds.
    let changed = CHANGED.saturating_mul(context.options.timeout.as_secs().max(1));
    let as_many = match first.outcome {
        Outcome::OutOfSteps => changed,
        _ => steps_like(context, &first.path).max(changed),
    };
    let limits = Limits { steps: steps.min(as_many), ..limits };
    for change in Change::ALL {
        let mut replay = Replay::new(script);
        let changed = Changed {
            change,
            asked: 0,
            has_changed: false,
            script,
            returned,
            calls: Vec::new(),
            context,
            harness,
        };
        let mut other = Heard::new(&mut replay, changed);
        let second = context.prepared.interpreter().run(harness.widest(), 0, &mut other, &limits);
        if first.path != second.path || first.outcome != second.outcome {
            retain(&mut left, &second.path, Some(&second.outcome));
        }
        ended_well &= second.outcome == Outcome::Returned;
        if end.is_none() && suspicion.is_none() {
            suspicion = suspected(context, &first.path, &second);
        }
        if ended_well {
            varied.push(Effects::of(second, other.listener.calls));
        }
        if !other.listener.has_changed {
            // All values of the run are set by the test, and so are those of the other runs.
            break;
        }
    }
    if !ended_well {
        varied.clear();
    }
    Stable { places: left, varied, undefined, before_failure, suspicion }
}

/// What is undefined in a changed run, and what a run has in common with it before.
fn suspected(context: &Context, path: &[Step], changed: &Run) -> Option<Suspicion> {
    let is_undefined = |kind: AssertKind| goes_on(kind) && kind != AssertKind::Uninitialised;
    let on_the_way =
        failing_checks(context, &changed.path).into_iter().find(|&(_, kind, _)| is_undefined(kind));
    let at_the_end = || match &changed.outcome {
        Outcome::Failed { at, kind } if is_undefined(*kind) => {
            Some((changed.path.len(), *kind, failure_span(context.compiled, at)))
        }
        _ => None,
    };
    let (end, kind, span) = on_the_way.or_else(at_the_end)?;
    let shared =
        path.iter().zip(&changed.path[..end]).take_while(|(a, b)| a == b).map(|(step, _)| block_key(step));
    Some(Suspicion { check: (kind, span), before: shared.collect() })
}

fn block_key(step: &Step) -> BlockKey {
    (step.procedure, step.body, step.block)
}

/// The checks that fail on a path although it goes on, with the numbers of their steps.
fn failing_checks(context: &Context, path: &[Step]) -> Vec<(usize, AssertKind, Span)> {
    let lowered = &context.compiled.lowered;
    let functions: FxHashMap<ProcId, &LoweredFunction> =
        lowered.functions.iter().map(|function| (function.procedure, function)).collect();
    let check = |(number, step): (usize, &Step)| match functions
        .get(&step.procedure)?
        .roles
        .get(step.block.index())?
    {
        BlockRole::Check(kind) => {
            let body = &lowered.program[step.procedure].bodies[step.body as usize];
            Some((number, *kind, body[step.block].span))
        }
        _ => None,
    };
    path.iter().enumerate().filter_map(check).collect()
}

/// The C library functions without a model that are passed addresses.
fn strangers(context: &Context) -> FxHashSet<ProcId> {
    let lowered = &context.compiled.lowered;
    let is_address = |sort| lowered.program.terms.width(sort) == Some(lowered.shape.object);
    let of_library = lowered.stubs.iter().filter(|s| context.compiled.library_functions.contains(&s.name));
    let takes_one = |p: &ProcId| {
        let mut params = lowered.program[*p].params.iter();
        params.any(|param| is_address(lowered.program.terms.symbol(param.symbol).sort))
    };
    of_library.map(|s| s.procedure).filter(takes_one).collect()
}

/// Whether a block calls one of some functions.
fn calls_one_of(context: &Context, step: &Step, functions: &FxHashSet<ProcId>) -> bool {
    let body = context.compiled.lowered.program[step.procedure].bodies.get(step.body as usize);
    let statements = body.map_or(&[][..], |body| &body[step.block].statements[..]);
    statements
        .iter()
        .any(|s| matches!(&s.kind, StatementKind::Call { callee, .. } if functions.contains(callee)))
}

/// The ways in which values are changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Every bit is inverted.
    Inverted,
    /// Bits are inverted that depend on the value's place.
    Scattered,
    /// Those bits are inverted that are not when scattered.
    Opposed,
    /// All bits are cleared.
    Cleared,
    /// All bits are cleared except the lowest, which is set.
    One,
    /// Only numbers among the inputs are changed that are addresses of objects which the test cannot write there.
    Nameless,
}

/// Numbers of objects that are made during a run, from the first one on; larger ones are no object's.
const MADE_AT_MOST: u64 = 1 << 16;

impl Change {
    const ALL: [Change; 6] = [
        Change::Inverted,
        Change::Scattered,
        Change::Opposed,
        Change::Cleared,
        Change::One,
        Change::Nameless,
    ];

    /// The changed value at a place; `None` for values without bits.
    fn of(self, value: &Value, place: &impl Hash) -> Option<Value> {
        let scattered = || {
            let mut hasher = FxHasher::default();
            place.hash(&mut hasher);
            // Its high bits are the good ones.
            hasher.finish().rotate_left(32)
        };
        match (self, value) {
            (Change::Inverted, Value::Bool(b)) => Some(Value::Bool(!b)),
            (Change::Inverted, Value::BitVec { width, bits }) => {
                Some(Value::BitVec { width: *width, bits: ones(*width) - bits })
            }
            (Change::Cleared, Value::Bool(_)) => Some(Value::Bool(false)),
            (Change::Cleared, Value::BitVec { width, .. }) => {
                Some(Value::BitVec { width: *width, bits: BigUint::ZERO })
            }
            (Change::One, Value::Bool(_)) => Some(Value::Bool(true)),
            (Change::One, Value::BitVec { width, .. }) => {
                Some(Value::BitVec { width: *width, bits: BigUint::one() })
            }
            (Change::Scattered, Value::Bool(b)) => Some(Value::Bool(b ^ (scattered() & 1 == 1))),
            (Change::Scattered, Value::BitVec { width, bits }) => {
                let mask = BigUint::from(scattered()) & ones(*width);
                Some(Value::BitVec { width: *width, bits: bits ^ mask })
            }
            (Change::Opposed, _) => Change::Inverted.of(&Change::Scattered.of(value, place)?, place),
            _ => None,
        }
    }
}

fn ones(width: u32) -> BigUint {
    (BigUint::one() << width) - BigUint::one()
}

/// An input in a memory.
struct Cells {
    /// The number of the object.
    number: u32,
    /// How many cells of the memory it has.
    cells: u64,
    /// The type of its elements, if a test writes it as one.
    ty: Option<CTypeId>,
}

/// An oracle that changes the values of a script which a test cannot set.
struct Changed<'a, 's> {
    change: Change,
    /// How many values other than memories were changed.
    asked: u64,
    /// Whether any value was.
    has_changed: bool,
    script: &'s Script,
    /// The results of external functions in the run.
    returned: &'a [StubResult],
    /// The calls of functions without a body, with their arguments.
    calls: Vec<(ProcId, Vec<Value>)>,
    context: &'a Context<'a>,
    harness: &'a Harness,
}

impl Changed<'_, '_> {
    /// The inputs in a memory.
    fn inputs_in(&self, memory: SymbolId) -> Vec<Cells> {
        let lowered = &self.context.compiled.lowered;
        let bytes = u64::from(lowered.shape.bits / 8);
        let mut found = Vec::new();
        let arguments = self.harness.arguments.as_ref().map(|arguments| &arguments.object);
        for object in self.harness.objects.iter().chain(arguments) {
            let Some((symbol, grain)) = object.memory else { continue };
            let count = object.count.and_then(|count| self.script.entries.get(&(0, count)));
            let count = count.and_then(Value::as_u64).unwrap_or(1).max(1);
            let size = lowered.types.size(object.element, bytes).max(1);
            if symbol == memory {
                // What is assumed of pointers behind the last element still holds.
                let links = self.harness.links.iter().filter(|link| link.object == object.number);
                let linked = links.map(|link| link.offset + bytes).max().unwrap_or(0);
                let cells = count.saturating_mul(size).max(linked).div_ceil(grain);
                found.push(Cells { number: object.number, cells, ty: Some(object.element) });
            }
        }
        // A test fills the objects whose addresses such functions return.
        for result in self.returned {
            let stub = lowered.stubs.iter().find(|s| s.procedure == result.procedure);
            let number = result.value.first().and_then(Value::as_u64).filter(|&n| n > 0);
            if let (Some(stub), Some(number)) = (stub.filter(|s| s.ret == StubType::Pointer), number)
                && let Some((symbol, grain)) = stub.memory
                && symbol == memory
            {
                let cells = u64::from(stub.bytes).div_ceil(grain);
                found.push(Cells { number: number as u32, cells, ty: None });
            }
        }
        for setting in &self.harness.settings {
            if let SettingValue::Memory { number, memory: Some((symbol, grain)) } = setting.value
                && symbol == memory
            {
                let cells = lowered.types.size(setting.ty, bytes).div_ceil(grain);
                found.push(Cells { number, cells, ty: Some(setting.ty) });
            }
        }
        found
    }

    /// Whether a result of an external function is not set by tests: any result of a C library function without a
    /// model, as tests call the library's own; and of a structure with pointers, all but its first scalar.
    fn is_not_given(&self, symbol: SymbolId) -> bool {
        let compiled = self.context.compiled;
        let not_given = |stub: &Stub| {
            let first = match stub.ret {
                _ if compiled.library_functions.contains(&stub.name) => 0,
                StubType::Pointer => return false,
                _ if stub.parts.is_empty() => 1,
                _ => return false,
            };
            let results = &compiled.lowered.program[stub.procedure].results;
            results.iter().skip(first).any(|r| r.symbol == symbol)
        };
        compiled.lowered.stubs.iter().any(not_given)
    }

    /// A memory as it is at entry: inputs stay.
    fn memory(&self, symbol: SymbolId, map: &MapValue) -> Option<MapValue> {
        let shape = self.context.compiled.lowered.shape;
        let width = match &map.default {
            Value::BitVec { width, .. } => u64::from(*width),
            _ => return None,
        };
        let inputs = self.inputs_in(symbol);
        if inputs.iter().map(|input| input.cells).fold(0, u64::saturating_add) > CELLS {
            return None;
        }
        if self.change == Change::Nameless {
            return self.without_nameless(map, width, &inputs);
        }
        let bits = |width: u32, n: u64| Value::BitVec { width, bits: BigUint::from(n) };
        let cell =
            |number: u64, cell: u64| vec![bits(shape.object, number), bits(shape.offset, cell * (width / 8))];
        let mut other = MapValue::constant(map.sort, self.change.of(&map.default, &0)?);
        if matches!(self.change, Change::Scattered | Change::Opposed) {
            let first = u64::from(self.harness.first_made);
            for number in first..first + MADE.0 {
                for index in (0..MADE.1).map(|n| cell(number, n)) {
                    other.set(index.clone(), self.change.of(&map.default, &index)?);
                }
            }
        }
        for (index, value) in &map.entries {
            let object = index.first().and_then(Value::as_u64);
            if !inputs.iter().any(|input| object == Some(u64::from(input.number))) {
                other.set(index.clone(), self.change.of(value, index)?);
            }
        }
        for Cells { number, cells, .. } in inputs {
            for index in (0..cells).map(|n| cell(u64::from(number), n)) {
                let value = map.get(&index).clone();
                other.set(index, value);
            }
        }
        Some(other)
    }

    /// Whether a number is that of an object which a test cannot name: a static variable of another file, or an
    /// object that is made during the run.
    fn is_nameless(&self, number: u32) -> bool {
        let mut objects = self.harness.objects.iter();
        !self.harness.names.contains_key(&number) && !objects.any(|o| o.number == number)
    }

    /// Whether a number may be that of an object.
    fn is_object(&self, number: u64) -> bool {
        (1..u64::from(self.harness.first_made) + MADE_AT_MOST).contains(&number)
    }

    /// A memory in which no input is the address of an object that a test cannot write there; `None` if it is unchanged. `width` is
    /// that of a cell in bits.
    fn without_nameless(&self, map: &MapValue, width: u64, inputs: &[Cells]) -> Option<MapValue> {
        let lowered = &self.context.compiled.lowered;
        let (shape, types) = (lowered.shape, &lowered.types);
        let bytes = u64::from(shape.bits / 8);
        let each = u64::from(shape.bits) / width;
        let bits = |width: u32, n: u64| Value::BitVec { width, bits: BigUint::from(n) };
        let mut other = None;
        for &Cells { number, cells, ty } in inputs {
            let size = ty.map_or(0, |ty| types.size(ty, bytes)).max(1);
            let is_number = |at: u64| ty.is_some_and(|ty| !types.has_pointer_at(ty, at % size, bytes));
            for first in (0..cells.saturating_sub(each.saturating_sub(1))).step_by(each.max(1) as usize) {
                let cell = |i: u64| {
                    vec![bits(shape.object, u64::from(number)), bits(shape.offset, (first + i) * (width / 8))]
                };
                let word = (0..each)
                    .fold(0, |word, i| word | map.get(&cell(i)).as_u64().unwrap_or(0) << (i * width));
                let object = word >> shape.packed_offset();
                let is_out_of_reach = || is_number(first * (width / 8)) || self.is_nameless(object as u32);
                if each > 0 && self.is_object(object) && is_out_of_reach() {
                    let other = other.get_or_insert_with(|| map.clone());
                    let last = map.get(&cell(each - 1)).as_u64().unwrap_or(0);
                    other.set(cell(each - 1), bits(width as u32, last | 1 << (width - 1)));
                }
            }
        }
        other
    }

    /// A changed value that is not a memory.
    fn altered(&mut self, value: &Value) -> Option<Value> {
        self.asked += 1;
        self.change.of(value, &self.asked)
    }
}

impl Listener for Changed<'_, '_> {
    fn entry(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        let terms = &self.context.compiled.lowered.program.terms;
        let changed = match (ask.reason, value, terms.sort_of(ask.sort)) {
            // Of an object and an offset; other maps say what objects there are.
            (Reason::Global, Value::Map(map), Sort::Map { domain, .. }) if domain.len() == 2 => {
                self.memory(ask.symbol, map).map(|map| Value::Map(Arc::new(map)))
            }
            (Reason::Local, ..) => self.altered(value),
            _ => None,
        };
        self.has_changed |= changed.is_some();
        changed
    }

    fn havoc(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        let open = match ask.reason {
            Reason::Havoc => true,
            Reason::CallResult => self.is_not_given(ask.symbol),
            _ => false,
        };
        self.has_changed |= open;
        if open { self.altered(value) } else { None }
    }

    fn calls(&mut self, callee: ProcId, args: &[Value]) {
        self.calls.push((callee, args.to_vec()));
    }
}
