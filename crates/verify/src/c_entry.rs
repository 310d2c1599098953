//! Entry conditions of C functions: what holds, and what may be assumed, at the start of every call.
//!
//! * Facts: variables of the program that have an address stay alive as long as it runs, and have their size; the
//!   object numbers below `$next` are in use. This holds in every state that a C program reaches.
//! * Assumptions about parameters, stated over the procedure's own parameters: a pointer has two, the object and the
//!   offset. Example: for `int sum(int *a, int n)` with `parameter-lengths`, `a` points to the start of an object of
//!   `4 * n` bytes.
//!
//! **Direction of error.** The facts are used without a premise, so they must hold in all states; assumptions are
//! named in the premises of what needs them.

use std::cell::OnceCell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_frontend::c::source::c_types::{CType, CTypeId};
use footpath_frontend::c::{Harness, Lowered, LoweredFunction};
use footpath_ir::{ProcId, StatementKind};
use footpath_term::{Op, TermId, Terms, Value};

use crate::analysis::{Options, Verification, verify};
use crate::assumption::{AssumptionKind, Entry};
use crate::frames::{Frames, Objects};
use crate::pointers::{Pointer, Pointers};

/// Verifies functions as the search for tests runs them: callees are inlined, and external functions change nothing.
/// The effort is bounded, as the search waits for it.
pub fn verified(lowered: &Lowered, procedures: &[ProcId], stop: &AtomicBool) -> Verification {
    verified_within(lowered, procedures, GUIDING_TIME, 1, stop, &|_| ())
}

/// The same with a time limit for each body, half as much more for the solver, and a number of bodies at once. A callback
/// is told each body that is done.
pub fn verified_within(
    lowered: &Lowered,
    procedures: &[ProcId],
    time: Duration,
    jobs: usize,
    stop: &AtomicBool,
    done: &(dyn Fn(ProcId) + Sync),
) -> Verification {
    let options = Options {
        runs: GUIDING_RUNS,
        time: Some(time + time / 2),
        solver: Some(time / 2),
        jobs,
        passed: true,
        ..Options::default()
    };
    let known = Known::of(lowered);
    verify(&lowered.program, procedures, &|terms, p| known.entry(terms, p), &options, stop, done)
}

/// Time for a body, before tests; what is open then stays unverified, and premises larger than they need be.
const GUIDING_TIME: Duration = Duration::from_secs(2);
/// How often a body is analysed, before tests.
const GUIDING_RUNS: usize = 60;

/// The entry conditions of the functions of a program, for one verification.
pub struct Known<'a> {
    lowered: &'a Lowered,
    frames: OnceCell<Frames>,
}

impl<'a> Known<'a> {
    /// The entry conditions for a program.
    pub fn of(lowered: &'a Lowered) -> Known<'a> {
        Known { lowered, frames: OnceCell::new() }
    }

    /// The entry conditions of `procedure`, and the frame conditions of what it calls. `terms` must be the same each
    /// time.
    pub fn entry(&self, terms: &mut Terms, procedure: ProcId) -> Entry {
        let lowered = self.lowered;
        let mut entry = Entry {
            allocation_fails: Some(lowered.allocation_fails),
            modifies_are_inferred: true,
            ..Entry::default()
        };
        let Some(function) = lowered.functions.iter().find(|f| f.procedure == procedure) else {
            return entry;
        };
        let own = function.harness.as_ref().ok();
        // What there is besides the inputs does not depend on which function is called.
        let Some(harness) = own.or_else(|| lowered.functions.iter().find_map(|f| f.harness.as_ref().ok()))
        else {
            return entry;
        };
        let Some((objects, sizes)) = layout(terms, lowered, harness) else { return entry };
        let frames = self.frames.get_or_init(|| {
            let all: Vec<ProcId> = lowered.functions.iter().map(|f| f.procedure).collect();
            Frames::of(terms, lowered, objects, &all)
        });
        (entry.ensured, entry.lives) = (frames.ensured.clone(), Some(frames.lives.clone()));
        for (object, bytes) in sizes {
            entry.facts.extend(exists(terms, objects, object, bytes));
        }
        match own {
            Some(harness) => of_parameters(terms, lowered, harness, procedure, objects, &mut entry),
            None => of_passed(terms, lowered, function, objects, &mut entry),
        }
        of_texts(terms, function, objects, &mut entry);
        let followed = function.loaded.iter().filter(|(_, loaded)| loaded.bytes > 0);
        let loaded = followed.map(|(object, loaded)| (*object, *loaded)).collect();
        entry.pointers = Some(Pointers { objects, loaded });
        entry
    }
}

/// Adds the assumptions about pointer parameters.
fn of_parameters(
    terms: &mut Terms,
    lowered: &Lowered,
    harness: &Harness,
    procedure: ProcId,
    objects: Objects,
    entry: &mut Entry,
) {
    let mut pointers = Vec::new();
    for PointerParam { object, offset, element, count } in pointer_params(terms, lowered, harness, procedure)
    {
        let bytes = lowered.types.size(element, u64::from(lowered.shape.offset / 8)).max(1);
        let predicate = valid(terms, objects, object, offset, bytes);
        let name = name(terms, object);
        let words = format!("`{name}` points to the start of a live object of at least {bytes} bytes");
        let words = if bytes == 1 { words.replace("1 bytes", "1 byte") } else { words };
        entry.assumptions.push((AssumptionKind::ValidParameters, predicate, words));
        if let Some((count, signed)) = count
            && let Some(predicate) = holds_elements(terms, objects, (object, offset), (count, signed), bytes)
        {
            let words = format!(
                "`{name}` points to the start of an object of at least `{}` elements",
                crate::c_entry::name(terms, count)
            );
            entry.assumptions.push((AssumptionKind::ParameterLengths, predicate, words));
        }
        pointers.push(object);
    }
    for (i, &a) in pointers.iter().enumerate() {
        for &b in &pointers[i + 1..] {
            let equal = terms.app(Op::Eq, [a, b]);
            let distinct = terms.app(Op::Not, [equal]);
            let words = format!("`{}` and `{}` point to different objects", name(terms, a), name(terms, b));
            entry.assumptions.push((AssumptionKind::DistinctParameters, distinct, words));
        }
    }
}

/// Adds the assumptions about pointer parameters of a function without debug information, by their uses.
fn of_passed(
    terms: &mut Terms,
    lowered: &Lowered,
    function: &LoweredFunction,
    objects: Objects,
    entry: &mut Entry,
) {
    let body = lowered.program[function.procedure].bodies.first();
    let params: Vec<TermId> = body.into_iter().flat_map(|b| &b.params).map(|p| terms.var(p.symbol)).collect();
    let mut params = params.into_iter();
    // Pointers to bytes; how many there are may be the next number that is as wide as an offset.
    let mut waiting: Vec<Pointer> = Vec::new();
    while let Some(param) = params.next() {
        if let Some(&taken) = function.passed.get(&param) {
            let _offset = params.next();
            if taken.bytes == 0 {
                continue;
            }
            let pointer = Pointer { object: param, taken };
            let words = format!("`{}` {}", name(terms, param), pointer.leads());
            let predicate = pointer.is_valid(terms, objects);
            entry.assumptions.push((AssumptionKind::ValidParameters, predicate, words));
            waiting.extend((taken.bytes == 1).then_some(pointer));
        } else if waiting.first().is_some_and(|p| terms.sort(p.taken.offset) == terms.sort(param)) {
            for pointer in waiting.drain(..) {
                let predicate = pointer.holds(terms, objects, param);
                let (pointer, bytes) = (name(terms, pointer.object), name(terms, param));
                let words =
                    format!("`{pointer}` points into an object with at least `{bytes}` bytes from there on");
                entry.assumptions.push((AssumptionKind::ParameterLengths, predicate, words));
            }
        }
    }
}

/// Adds the assumptions about strings that are passed.
fn of_texts(terms: &mut Terms, function: &LoweredFunction, objects: Objects, entry: &mut Entry) {
    for (&object, &taken) in &function.passed {
        let pointer = Pointer { object, taken };
        if let Some(predicate) = pointer.ends(terms, objects) {
            let words = format!("`{}` {}", name(terms, object), pointer.leads_to_text());
            entry.assumptions.push((AssumptionKind::TerminatedStrings, predicate, words));
        }
    }
}

/// The name of a variable.
fn name(terms: &Terms, variable: TermId) -> String {
    match terms.term(variable).op {
        Op::Var(symbol) => terms.symbol(symbol).name.to_string(),
        _ => "a parameter".to_owned(),
    }
}

/// The maps of objects, and the variables of the program with their sizes, from the beginning of the harness.
fn layout(terms: &Terms, lowered: &Lowered, harness: &Harness) -> Option<(Objects, Vec<(TermId, TermId)>)> {
    let body = lowered.program[harness.procedure].bodies.first()?;
    let values = body.blocks.iter().flat_map(|b| &b.statements).find_map(|s| match &s.kind {
        StatementKind::Assign(values) if values.len() >= 3 => Some(values),
        _ => None,
    })?;
    let [(size, sizes), (alive, _), (next, _), others @ ..] = values.as_slice() else { return None };
    let ended = others.first().map(|(ended, _)| *ended);
    let made: Vec<u64> = harness.objects.iter().map(|o| u64::from(o.number)).collect();
    let mut found = Vec::new();
    let mut map = *sizes;
    while let Op::Store = terms.term(map).op {
        let args = &terms.term(map).args;
        let number = terms.literal(args[1]).and_then(Value::as_u64)?;
        if !made.contains(&number) && terms.literal(args[2]).is_some() {
            found.push((args[1], args[2]));
        }
        map = args[0];
    }
    Some((Objects { size: *size, alive: *alive, next: *next, ended }, found))
}

/// The facts that say that an object exists and has so many bytes.
fn exists(terms: &mut Terms, objects: Objects, object: TermId, bytes: TermId) -> [TermId; 3] {
    let (size, next) = (terms.var(objects.size), terms.var(objects.next));
    let size = terms.app(Op::Select, [size, object]);
    let alive = objects.lives(terms, object);
    let size = terms.app(Op::Eq, [size, bytes]);
    let older = terms.app(Op::BvUlt, [object, next]);
    [size, alive, older]
}

/// The condition that a pointer points to the start of a live object with at least `bytes` bytes.
fn valid(terms: &mut Terms, objects: Objects, object: TermId, offset: TermId, bytes: u64) -> TermId {
    let wide = terms.sort(offset);
    let wide = terms.width(wide).unwrap_or(1);
    let (start, least) = (terms.bit_vec(wide, 0), terms.bit_vec(wide, bytes));
    let at_start = terms.app(Op::Eq, [offset, start]);
    let parts = objects.has(terms, object, least);
    terms.app(Op::And, parts.into_iter().chain([at_start]))
}

/// The condition that a pointer points to the start of an object that has `count` elements of a size. Their product
/// must not wrap around, so a count is also not so great that no object could have that many elements, and not so far
/// below 0 that the product would come out positive. `None` for numbers of more than 64 bits.
fn holds_elements(
    terms: &mut Terms,
    objects: Objects,
    (object, offset): (TermId, TermId),
    (count, signed): (TermId, bool),
    bytes: u64,
) -> Option<TermId> {
    let (narrow, pointer) = (terms.width(terms.sort(count))?, terms.width(terms.sort(offset))?);
    let width = narrow.max(pointer);
    let unsigned = u64::MAX.checked_shr(64_u32.checked_sub(width)?)?;
    // No object is larger than half of what has an address.
    let largest = unsigned >> 1;
    let most = largest.checked_div(bytes).filter(|most| *most > 0)?;
    let greatest = if signed { largest } else { unsigned };
    let start = terms.bit_vec(pointer, 0);
    let mut parts = vec![terms.app(Op::Eq, [offset, start])];
    let size = terms.var(objects.size);
    let size = terms.app(Op::Select, [size, object]);
    let size = terms.extend(size, width, false);
    let count = terms.extend(count, width, signed);
    let at_most = if signed { Op::BvSle } else { Op::BvUle };
    if greatest >> (width - narrow) > most {
        let bound = terms.bit_vec(width, most);
        parts.push(terms.app(at_most.clone(), [count, bound]));
        if signed {
            let bound = terms.app(Op::BvNeg, [bound]);
            parts.push(terms.app(Op::BvSle, [bound, count]));
        }
    }
    let factor = terms.bit_vec(width, bytes);
    let needed = terms.app(Op::BvMul, [count, factor]);
    parts.push(terms.app(at_most, [needed, size]));
    Some(terms.app(Op::And, parts))
}

/// A parameter that is a pointer.
struct PointerParam {
    /// The number of the object that it points to.
    object: TermId,
    /// The offset in the object.
    offset: TermId,
    /// What it points to.
    element: CTypeId,
    /// The next integer among the parameters, and whether it has a sign: how many elements there are, as arrays usually
    /// are passed.
    count: Option<(TermId, bool)>,
}

/// The procedure's own parameters that are pointers.
fn pointer_params(
    terms: &mut Terms,
    lowered: &Lowered,
    harness: &Harness,
    procedure: ProcId,
) -> Vec<PointerParam> {
    let Some(body) = lowered.program[harness.procedure].bodies.first() else { return Vec::new() };
    let call = body.blocks.iter().flat_map(|b| &b.statements).find_map(|s| match &s.kind {
        StatementKind::Call { callee, args, .. } if *callee == procedure => Some(args),
        _ => None,
    });
    let Some(own) = lowered.program[procedure].bodies.first().map(|b| &b.params) else { return Vec::new() };
    let mut found: Vec<PointerParam> = Vec::new();
    // From here on those that no integer was met behind.
    let mut waiting = 0;
    for (i, arg) in call.into_iter().flatten().enumerate() {
        let Some(symbols) = arg.map(|a| terms.free_symbols(&[a])) else { continue };
        let is_this = |p: &&footpath_frontend::c::InputParam| symbols.contains(&p.symbol);
        let Some(param) = harness.params.iter().find(is_this) else { continue };
        let Some(object) = param.object else {
            if let CType::Int { signed, is_char: false, .. } = lowered.types.resolved(param.ty)
                && let Some(v) = own.get(i)
            {
                let count = terms.var(v.symbol);
                found[waiting..].iter_mut().for_each(|p| p.count = Some((count, *signed)));
                waiting = found.len();
            }
            continue;
        };
        // Where a pointer leads depends on whether it is null, too, offset and all.
        let is_offset = i > 0
            && found
                .last()
                .is_some_and(|last| own.get(i).is_some_and(|v| terms.var(v.symbol) == last.offset));
        if let (Some(a), Some(b), false) = (own.get(i), own.get(i + 1), is_offset) {
            let element = harness.objects[object].element;
            let (object, offset) = (terms.var(a.symbol), terms.var(b.symbol));
            found.push(PointerParam { object, offset, element, count: None });
        }
    }
    found
}
