//! The inputs of a test as a fuzzed input: the inverse of what `layout.rs` reads.
//!
//! Example: a test of `int f(char *s, int n)` with `s = "a"` and `n = 3` becomes the input that says that `s` is not null, that
//! it has two elements, `a` and a zero, and 3.
//!
//! **Direction of error.** What the layout has no bytes for is left out, so the run of the result may be another one. Who
//! needs the same run compares both ([`Layout::is_same_run`]).

use footpath_frontend::c::SettingValue;
use footpath_ir::interp::{Interpreter, Limits, Outcome, Run, Script};
use footpath_term::{SymbolId, Value};
use num_traits::ToPrimitive;

use super::answers::{Answer, Answers, answered};
use super::layout::{CALLS, Holder, Layout, Link, Owner, Place, Written};
use crate::image::Image;
use crate::inputs::{Inputs, StubResult};

/// Statements and jumps for which runs are compared.
const STEPS: u64 = 2_000_000;

/// Writes the lowest bytes of a number.
pub(super) fn put(input: &mut [u8], at: u32, size: u32, number: u128) {
    let at = at as usize;
    let size = (size as usize).min(16);
    input[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
}

/// The value of a symbol as a number; 0 if the run does not ask for it.
fn number(inputs: &Inputs, symbol: SymbolId) -> u128 {
    match inputs.entries.get(&symbol) {
        Some(Value::BitVec { bits, .. }) => bits.to_u128().unwrap_or(0),
        Some(Value::Bool(b)) => u128::from(*b),
        _ => 0,
    }
}

impl Layout<'_> {
    /// The input that stands for the inputs of a test, as far as there are bytes for them.
    pub(super) fn input(&self, inputs: &Inputs) -> Vec<u8> {
        let mut input = vec![0; self.size as usize];
        for (param, at) in self.harness.params.iter().zip(&self.scalars) {
            if let Some(at) = at {
                put(&mut input, *at, self.size_of(param.ty), number(inputs, param.symbol));
            }
        }
        for place in &self.places {
            self.write_place(place, inputs, &mut input);
        }
        for link in &self.links {
            self.write_link(link, inputs, &mut input);
        }
        for results in &self.results {
            let procedure = self.lowered.stubs[results.stub].procedure;
            let given = inputs.returned.iter().filter(|r| r.procedure == procedure);
            let values = given.take(results.calls as usize).map(|result| match result.value.first() {
                Some(Value::BitVec { bits, .. }) => bits.to_u128().unwrap_or(0),
                Some(Value::Bool(b)) => u128::from(*b),
                _ => 0,
            });
            // Behind the end of a stream there is nothing.
            let is_there = |value: &u128| results.length_at.is_none() || *value <= 0xff;
            let values: Vec<u128> = values.take_while(is_there).collect();
            if let Some(at) = results.length_at {
                put(&mut input, at, 2, values.len() as u128);
            }
            for (call, &value) in values.iter().enumerate() {
                put(&mut input, results.at + call as u32 * results.size, results.size, value);
            }
        }
        for Written { write, at, .. } in &self.written {
            let is_asked = |r: &&StubResult| write.procedures.iter().any(|(_, p)| *p == r.procedure);
            for (call, result) in inputs.returned.iter().filter(is_asked).take(CALLS as usize).enumerate() {
                let Some(Value::BitVec { bits, .. }) = result.value.first() else { continue };
                let at = *at as usize + call * write.least as usize;
                let bytes = bits.to_bytes_le();
                let size = bytes.len().min(write.least as usize);
                input[at..at + size].copy_from_slice(&bytes[..size]);
            }
        }
        input
    }

    fn write_place(&self, place: &Place, inputs: &Inputs, input: &mut [u8]) {
        let count = place.count.map_or(1, |count| number(inputs, count)).clamp(1, u128::from(place.most));
        if let Some(at) = place.count_at {
            put(input, at, 2, count - 1);
        }
        let Some(at) = place.content_at else { return };
        if let Owner::Setting(index) = place.owner
            && let SettingValue::Variables(symbols) = &self.harness.settings[index].value
        {
            if let &[symbol] = &symbols[..] {
                put(input, at, place.element, number(inputs, symbol));
            }
            return;
        }
        let image = self.image(place, inputs);
        for i in 0..count as u32 * place.element {
            input[(at + i) as usize] = image.byte(u64::from(i));
        }
    }

    /// The memory of a place at entry.
    fn image(&self, place: &Place, inputs: &Inputs) -> Image {
        let number = place.number.unwrap_or(0);
        let map = place.memory.and_then(|(symbol, _)| inputs.entries.get(&symbol));
        Image::new(map, place.memory.map_or(1, |(_, grain)| grain), self.lowered.shape, number)
    }

    fn write_link(&self, link: &Link, inputs: &Inputs, input: &mut [u8]) {
        let shape = self.lowered.shape;
        let (target, offset) = match link.holder {
            Holder::Param(index) => {
                let param = &self.harness.params[index];
                let value = number(inputs, param.symbol);
                match (inputs.entries.get(&param.symbol), param.object) {
                    (Some(Value::Bool(true)), _) => (0, 0),
                    (Some(Value::Bool(false)) | None, Some(own)) => {
                        let sharing = param.sharing.as_ref();
                        let into = sharing.and_then(|s| s.objects.get(number(inputs, s.into) as usize));
                        let target = self.harness.objects[*into.unwrap_or(&own)].number;
                        let element = self.places.iter().find(|p| p.number == Some(target));
                        let at = sharing.map_or(0, |s| number(inputs, s.at));
                        (u128::from(target), at * u128::from(element.map_or(1, |p| p.element)))
                    }
                    _ => (value, 0),
                }
            }
            Holder::Setting([object, offset]) => (number(inputs, object), number(inputs, offset)),
            Holder::Memory(_) => {
                let Some(place) = link.place.map(|place| &self.places[place]) else { return };
                let bytes = u64::from(shape.bits / 8);
                let packed = self.image(place, inputs).number_at(u64::from(link.offset), bytes);
                let below = shape.packed_offset();
                (packed >> below, packed & ((1 << below) - 1))
            }
        };
        let leads_there = |goal: &super::layout::Goal| {
            let beyond = offset.checked_sub(u128::from(goal.offset));
            let fits = match goal.element {
                0 => beyond == Some(0),
                element => beyond.is_some_and(|beyond| beyond % u128::from(element) == 0),
            };
            u128::from(goal.number) == target && fits
        };
        let Some(position) = link.goals.iter().position(leads_there) else { return };
        let goal = &link.goals[position];
        let at = (offset - u128::from(goal.offset)).checked_div(u128::from(goal.element)).unwrap_or(0);
        self.lead(link, position, at, input);
    }

    /// Makes a pointer lead to the goal at a position, and there to an element.
    pub(super) fn lead(&self, link: &Link, position: usize, at: u128, input: &mut [u8]) {
        put(input, link.choice_at, 2, (position + usize::from(link.nullable)) as u128);
        put(input, link.choice_at + 2, 2, at);
    }

    /// Whether an input takes the path of a test, and ends as it does.
    pub(super) fn is_same_run(&self, interpreter: &Interpreter<'_>, inputs: &Inputs, input: &[u8]) -> bool {
        if inputs.returned.iter().any(|result| result.value.len() > 1) {
            return false;
        }
        let mut answers = Answers::default();
        for result in &inputs.returned {
            let value = result.value.first().cloned().unwrap_or(Value::Bool(false));
            let counted_as = result.procedure;
            let answer =
                answers.entry(counted_as).or_insert_with(|| Answer { counted_as, values: Vec::new() });
            answer.values.push(value);
        }
        let entries = inputs.entries.iter().map(|(symbol, value)| ((0, *symbol), value.clone())).collect();
        let of_test = self.run(interpreter, Script { entries, ..Script::default() }, &answers);
        let script = Script { havocs: Vec::new(), ..self.script(interpreter, &Script::default(), input) };
        let of_input = self.run(interpreter, script, &self.answers(input));
        of_test.outcome != Outcome::OutOfSteps
            && (of_test.outcome, of_test.path) == (of_input.outcome, of_input.path)
    }

    fn run(&self, interpreter: &Interpreter<'_>, script: Script, answers: &Answers) -> Run {
        let limits = Limits { steps: STEPS, ..Limits::default() };
        answered(interpreter, self.harness.widest(), script, answers, &limits).1
    }
}
