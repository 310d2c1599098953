//! Input reduction: inputs of a test become as small as its path allows (shrinking).
//!
//! **Idea.** A solver gives any solution: a length of 1903260017 where 8 would do, and an array full of 113. Each scalar that a
//! test sets is replaced by 0, or by the smallest number (with a sign, the one nearest to 0) that bisection finds for which
//! the run of the program form takes the same path. So a reader sees limits, and what does not matter is 0 and not written.
//! A map whose default is some number is 0 everywhere but where the inputs are.
//!
//! Example: the branch `if (ring->head >= 8)` is taken with `head = 8`, and all other members 0.
//!
//! **Paper.** K. Claessen and J. Hughes, *QuickCheck* (ICFP 2000), and A. Zeller and R. Hildebrandt, *Simplifying and isolating
//! failure-inducing input* (TSE 2002). Here what must stay is the path, so that all that the test reaches stays.
//!
//! **Direction of error.** None for what is covered: the path is the same, step by step. Bisection supposes that larger numbers
//! take the path if smaller ones do; where that is not so, a number is not the smallest. Tests in which something fails stay as
//! they are: how far an access is out of bounds decides whether a program survives it.

use std::sync::Arc;

use footpath_frontend::c::Harness;
use footpath_ir::interp::Script;
use footpath_term::{MapValue, SymbolId, Value};
use num_bigint::BigUint;
use num_traits::Zero;

use crate::context::Context;
use crate::strategy::input_scalars::{Done, Kind, Location, Runs, bits_in, locations, with_bits};

/// Smaller inputs with the same path; the same ones if there are none.
pub(crate) fn reduced(context: &Context, harness: &Harness, script: &Script, steps: u64) -> Script {
    let Some((runs, known)) = Runs::of(context, harness, script, steps) else { return script.clone() };
    let mut reduction = Reduction { context, runs, known, best: script.clone() };
    let mut scalars = locations(context, harness, script);
    reduction.clear_maps(&scalars);
    let counts = harness.objects.iter().filter_map(|object| object.count);
    scalars.extend(counts.map(|symbol| (Location::Symbol(symbol), Kind::Number)));
    for (location, kind) in scalars {
        reduction.reduce(location, kind);
    }
    reduction.best
}

struct Reduction<'a> {
    context: &'a Context<'a>,
    runs: Runs<'a>,
    /// The run whose path is kept.
    known: Done,
    best: Script,
}

impl Reduction<'_> {
    /// Takes over a script if its run takes the same path; whether it does.
    fn takes(&mut self, tried: Option<Script>) -> bool {
        let Some(tried) = tried else { return false };
        let is_like = self.runs.run(&tried).is_some_and(|done| done.is_like(&self.known));
        if is_like {
            self.best = tried;
        }
        is_like
    }

    /// Makes maps zero where no input is, and where inputs are if nothing depends on them.
    fn clear_maps(&mut self, scalars: &[(Location, Kind)]) {
        let symbols: Vec<SymbolId> = scalars
            .iter()
            .filter(|(location, _)| matches!(location, Location::Memory { .. }))
            .map(|(location, _)| location.symbol())
            .collect();
        let mut done: Vec<SymbolId> = Vec::new();
        for symbol in symbols {
            if done.contains(&symbol) {
                continue;
            }
            done.push(symbol);
            let here = |(location, _): &&(Location, Kind)| location.symbol() == symbol;
            let cells = scalars.iter().filter(here);
            let cells = cells.flat_map(|(location, _)| location.cells(self.context.compiled.lowered.shape));
            let cells: Vec<Vec<Value>> = cells.map(|(_, at)| at).collect();
            let with = |script: &Script, kept: &[Vec<Value>]| {
                let Some(Value::Map(map)) = script.entries.get(&(0, symbol)) else { return None };
                let cleared = cleared(map, kept)?;
                let mut script = script.clone();
                script.entries.insert((0, symbol), Value::Map(Arc::new(cleared)));
                Some(script)
            };
            let everywhere = with(&self.best, &[]);
            if !self.takes(everywhere) {
                let elsewhere = with(&self.best, &cells);
                self.takes(elsewhere);
            }
        }
    }

    /// Makes a scalar smaller.
    fn reduce(&mut self, location: Location, kind: Kind) {
        let Some(bits) = bits_in(self.context, &self.best, location).filter(|&bits| bits != 0) else {
            return;
        };
        let small = |bits| with_bits(self.context, &self.best, location, bits);
        let zero = small(0);
        match kind {
            _ if self.takes(zero) => {}
            Kind::Truth => {}
            Kind::Character => {
                let letter = with_bits(self.context, &self.best, location, u64::from(b'a'));
                if !(b' '..=b'~').contains(&(bits as u8)) {
                    self.takes(letter);
                }
            }
            Kind::Float => {
                let Some(width) = location.width(self.context, &self.best) else { return };
                let one = if width == 32 { u64::from(1f32.to_bits()) } else { 1f64.to_bits() };
                let one = with_bits(self.context, &self.best, location, one);
                self.takes(one);
            }
            Kind::Number => self.bisect(location, bits),
        }
    }

    /// The number nearest to 0, from below or above, as far as bisection finds it.
    fn bisect(&mut self, location: Location, bits: u64) {
        let Some(width) = location.width(self.context, &self.best).filter(|&width| width <= 64) else {
            return;
        };
        let mask = u64::MAX >> (64 - width);
        // Numbers in the upper half are negative ones, if the largest one below does not do as well.
        let half = mask >> 1;
        let below = with_bits(self.context, &self.best, location, half);
        let (negative, bits) = match bits > half {
            true if self.takes(below) => (false, half),
            is_above => (is_above, bits),
        };
        let of = |size: u64| if negative { size.wrapping_neg() & mask } else { size };
        let (mut low, mut high) = (0, of(bits));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let tried = with_bits(self.context, &self.best, location, of(middle));
            if self.takes(tried) {
                high = middle;
            } else {
                low = middle;
            }
        }
    }
}

/// A map that is zero by default, and that has the old default at those of some cells for which it has no entry; `None` if it is
/// zero by default already.
fn cleared(map: &MapValue, kept: &[Vec<Value>]) -> Option<MapValue> {
    let Value::BitVec { width, bits } = &map.default else { return None };
    if bits.is_zero() || !map.instances.is_empty() {
        return None;
    }
    let mut cleared = MapValue::constant(map.sort, Value::BitVec { width: *width, bits: BigUint::zero() });
    for (at, value) in &map.entries {
        cleared.set(at.clone(), value.clone());
    }
    for at in kept.iter().filter(|at| !map.entries.contains_key(*at)) {
        cleared.set(at.clone(), map.default.clone());
    }
    Some(cleared)
}
