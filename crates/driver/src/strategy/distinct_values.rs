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

use footpath_frontend::c::Harness;
use footpath_ir::interp::Script;
use footpath_term::{SymbolId, Value};

use crate::context::Context;
use crate::strategy::input_scalars::{Done, Kind, Location, Runs, bits_in, locations, with_bits};

/// The first of the numbers.
const FIRST: u32 = 11;
/// At most so many scalars are tried for a test.
const SCALARS: usize = 32;

/// The inputs with distinct values where the run shows them; the same inputs if there is no such place.
pub(crate) fn distinct(context: &Context, harness: &Harness, script: &Script, steps: u64) -> Script {
    let mut best = script.clone();
    let Some((mut runs, mut known)) = Runs::of(context, harness, script, steps) else { return best };
    let mut number = FIRST;
    let is_zero = |(location, _): &(Location, Kind)| bits_in(context, script, *location) == Some(0);
    let zeros: Vec<(Location, Kind)> =
        locations(context, harness, script).into_iter().filter(is_zero).collect();
    for (location, kind) in zeros.into_iter().take(SCALARS) {
        let Some(width) = location.width(context, &best).or((kind == Kind::Truth).then_some(1)) else {
            continue;
        };
        let bits = bits_of(kind, number, width);
        let Some(tried) = with_bits(context, &best, location, bits) else { continue };
        let Some(done) = runs.run(&tried) else { break };
        if done.is_like(&known) && is_seen(context, (location, bits), &known, &done) {
            (best, known) = (tried, done);
            number += 1;
        }
    }
    best
}

/// Whether a run ends in another state than just with other bits of a scalar, which it has at its start.
fn is_seen(context: &Context, (location, bits): (Location, u64), before: &Done, after: &Done) -> bool {
    let (before, after) = (&before.effects, &after.effects);
    let left = before.variables.get(&location.symbol());
    let unread = left.and_then(|left| location.with(context.compiled.lowered.shape, left, bits));
    let differs = |(symbol, value): (&SymbolId, &Value)| match &unread {
        Some(unread) if *symbol == location.symbol() => value != unread,
        _ => before.variables.get(symbol) != Some(value),
    };
    after.results != before.results || after.calls != before.calls || after.variables.iter().any(differs)
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
