//! Changed pointers: experiments that tell which pointer of a failing test its failure is about.
//!
//! **Idea.** A run fails with the data of one test. If the same data with one other pointer pass, the failure is about that pointer
//! (Zeller's *scientific debugging*). Two questions are answered so.
//!
//! *Does the failure need two pointers that lead to one object?* Tests let pointers in memory lead back to objects that other pointers
//! lead to, as lists and trees in programs may. A function that frees what it walks along uses freed memory then, although it is right
//! for all data that it is meant for. Each such pointer is null instead:
//!
//! ```c
//! void free_all(struct list *l) { while (l) { struct list *next = l->next; free(l); l = next; } }   // l->next == l
//! int given(struct list *l) { free(l); return l->v; }                                              // fails for all data
//! ```
//!
//! *Which of the pointers that the path has found to be null is the one that is followed?* Each leads to an object instead, the first
//! one first. What follows one null pointer at many places is one mistake:
//!
//! ```c
//! if (!p->buffer) enlarge(p);   // leaves it null if p->realloc is null
//! p->buffer[0] = a;             // as p->buffer is null
//! ```
//!
//! **Direction of error.** The changed run may end before it comes to the check, for another reason. In the first case the check is then
//! listed among the preconditions, with its test, in the second one two failures may be told as one, with all their places. Of three
//! pointers to one object no single one may be needed, and the failure stays a finding.

use footpath_frontend::c::{Harness, InputLink};
use footpath_ir::interp::{Limits, Outcome, Replay, Script};
use footpath_ir::{Origin, Place, ProcId};
use footpath_term::{Op, TermId, Terms, Value};
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::strategy::input_scalars::{Location, bits_in, with_bits};

/// Of conditions on the path of a failing run, the first one that says of a pointer of the caller's that it is null without which the
/// check at a place does not fail.
pub(crate) fn followed_null(
    context: &Context,
    harness: &Harness,
    (script, place, steps): (&Script, Origin, u64),
    (terms, conditions): (&Terms, &[TermId]),
) -> Option<usize> {
    let is_cause = |&condition: &TermId| {
        let changed = with_object(context, harness, script, terms, condition);
        changed.is_some_and(|changed| !fails(context, harness.widest(), &changed, place, steps))
    };
    conditions.iter().position(is_cause)
}

/// Of a condition that compares the bytes of a pointer with zero, the part that tells which object it leads to: where objects have
/// small numbers, one byte does.
pub(crate) fn of_number(context: &Context, terms: &Terms, condition: TermId) -> TermId {
    let node = terms.term(condition);
    let low = u64::from(context.compiled.lowered.shape.packed_offset() / 8);
    let at = |equation: TermId| {
        let select = terms.term(equation).args.iter().find(|&&t| matches!(terms.term(t).op, Op::Select))?;
        terms.literal(*terms.term(*select).args.get(2)?)?.as_u64()
    };
    let first = node.args.iter().filter_map(|&equation| at(equation)).min();
    let is_low = |&&equation: &&TermId| first.is_some_and(|first| at(equation) == Some(first + low));
    node.args.iter().find(is_low).filter(|_| node.op == Op::And).copied().unwrap_or(condition)
}

/// A script in which the pointer that a condition says is null leads to an object; `None` if the condition says something else.
fn with_object(
    context: &Context,
    harness: &Harness,
    script: &Script,
    terms: &Terms,
    condition: TermId,
) -> Option<Script> {
    if let Op::Var(symbol) = terms.term(condition).op {
        let is_null = harness.params.iter().any(|param| param.symbol == symbol && param.object.is_some());
        return is_null.then(|| with_bits(context, script, Location::Symbol(symbol), 0)).flatten();
    }
    // Its bytes are compared with zero, each or all at once.
    let number = |t: &TermId| terms.literal(*t).and_then(Value::as_u64);
    let mut cells = FxHashSet::default();
    for t in terms.post_order(&[condition]) {
        match (&terms.term(t).op, terms.term(t).args.as_slice()) {
            (Op::Select, [_, object, offset]) => drop(cells.insert((number(object)?, number(offset)?))),
            (Op::Eq, args) if !args.iter().any(|t| number(t) == Some(0)) => return None,
            (Op::Not | Op::Or, _) => return None,
            _ => {}
        }
    }
    let &(object, first) = cells.iter().min()?;
    let link = harness.links.iter().find(|l| (u64::from(l.object), l.offset) == (object, first))?;
    let shape = context.compiled.lowered.shape;
    let bytes = u64::from(shape.bits / 8);
    if cells.iter().any(|&(other, at)| other != object || at >= first + bytes) {
        return None;
    }
    let location = location(harness, link, bytes)?;
    let &(target, offset) = link.targets.last()?;
    with_bits(context, script, location, u64::from(target) << shape.packed_offset() | offset)
}

/// Whether a check fails in the run of a script only because a pointer in memory leads to an object that another one leads to.
pub(crate) fn needs_shared_object(
    context: &Context,
    harness: &Harness,
    script: &Script,
    place: Origin,
    steps: u64,
) -> bool {
    let links = links(context, harness, script);
    let is_shared = |i: usize, object: u64| {
        let is_param = harness.params.iter().any(|param| {
            let own = param.object.and_then(|index| harness.objects.get(index));
            own.is_some_and(|own| u64::from(own.number) == object)
        });
        is_param || links.iter().enumerate().any(|(j, &(_, other))| i != j && other == object)
    };
    let is_cause = |(i, &(location, object)): (usize, &(Location, u64))| {
        is_shared(i, object)
            && with_bits(context, script, location, 0)
                .is_some_and(|changed| !fails(context, harness.widest(), &changed, place, steps))
    };
    links.iter().enumerate().any(is_cause)
}

/// The pointers in memory that are not null in a script, with the number of the object that each leads to.
fn links(context: &Context, harness: &Harness, script: &Script) -> Vec<(Location, u64)> {
    let shape = context.compiled.lowered.shape;
    let links = harness.links.iter().filter_map(|link| {
        let location = location(harness, link, u64::from(shape.bits / 8))?;
        let bits = bits_in(context, script, location)?;
        let object = bits >> shape.packed_offset();
        // What another member of a union has there as a number leads nowhere.
        let is_pointer = !link.or_number || link.targets.iter().any(|&(to, _)| u64::from(to) == object);
        (object != 0 && is_pointer && !link.sentinels.contains(&bits)).then_some((location, object))
    });
    links.collect()
}

/// Where a pointer of so many bytes lies.
fn location(harness: &Harness, link: &InputLink, bytes: u64) -> Option<Location> {
    let (map, grain) = harness.objects.iter().find(|object| object.number == link.object)?.memory?;
    Some(Location::Memory { map, grain, object: link.object, offset: link.offset, bytes })
}

/// Whether a check fails in the run of a script.
pub(crate) fn fails(context: &Context, harness: ProcId, script: &Script, place: Origin, steps: u64) -> bool {
    let limits = Limits { steps, ..Limits::default() };
    let run = context.prepared.interpreter().run(harness, 0, &mut Replay::new(script), &limits);
    match (place.place, run.outcome) {
        (Place::Segment { block, .. }, _) => {
            run.path.iter().any(|s| (s.procedure, s.body, s.block) == (place.procedure, place.body, block))
        }
        (_, Outcome::Failed { at, .. }) => at == place,
        _ => false,
    }
}
