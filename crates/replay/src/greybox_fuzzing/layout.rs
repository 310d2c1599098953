//! The layout of fuzzed inputs: which bytes are which input of a harness, and the script of a run that bytes stand for.
//!
//! Example: for `int f(char *s, int n)` the input has two bytes that say whether `s` is null, two for the number of its
//! elements, room for as many elements as it may have, and four bytes for `n`.
//!
//! **Direction of error.** A script is a proposal: what it does is seen when it is run.

use footpath_frontend::c::source::c_types::{CType, CTypeId};
use footpath_frontend::c::source::library_models::gives_input;
use footpath_frontend::c::{Harness, LONGER, Lowered, SettingValue, Stub, StubType, StubWrite};
use footpath_ir::interp::{Interpreter, Limits, Script, default_value};
use footpath_term::{MapValue, Sort, SymbolId, Value};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::answers::{Answer, Answers, answered};
use crate::library_world::NEXT_BYTE;

/// The largest input, in bytes.
const LARGEST: u32 = 16 << 10;
/// How many calls of an external function have results of their own; later ones return zero.
pub(super) const CALLS: u32 = 8;
/// The same of functions that do nothing but return an input, such as the next byte of a file.
const INPUT_CALLS: u32 = 48;
/// How many bytes a program can read.
const STREAM: u32 = 128;
/// Statements and jumps of a run that finds out in which order results are asked for.
const STEPS: u64 = 100_000;

/// What the bytes of a field are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Whole numbers.
    Number,
    /// Floating-point numbers.
    Float,
    /// One of so many.
    Choice(u32),
}

/// Numbers of the same kind, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Field {
    pub(super) at: u32,
    pub(super) size: u32,
    pub(super) count: u32,
    pub(super) kind: Kind,
}

/// What a place stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// An object of the harness.
    Object(usize),
    /// A variable.
    Setting(usize),
}

/// Memory that is filled before each call.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) owner: Owner,
    pub(super) number: Option<u32>,
    /// Bytes of an element, and the largest number of elements.
    pub(super) element: u32,
    pub(super) most: u32,
    /// Where the number of elements is, less one.
    pub(super) count_at: Option<u32>,
    pub(super) count: Option<SymbolId>,
    pub(super) content_at: Option<u32>,
    pub(super) memory: Option<(SymbolId, u64)>,
    pub(super) is_text: bool,
}

/// Where a pointer may lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// The number of the object or function; of a sentinel value, its upper bits, as if it were an address in an object.
    pub(super) number: u32,
    /// Whether it is a sentinel value.
    pub(super) is_sentinel: bool,
    /// The place, if it is one.
    pub(super) place: Option<usize>,
    pub(super) offset: u64,
    /// Bytes of an element, if the pointer may lead to any element.
    pub(super) element: u32,
}

/// What holds a pointer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Holder {
    Param(usize),
    /// A variable, which the program form has as two.
    Setting([SymbolId; 2]),
    /// Memory, with the variable that says to which element.
    Memory(Option<SymbolId>),
}

/// A pointer.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) holder: Holder,
    /// The place that it lies in.
    pub(super) place: Option<usize>,
    pub(super) offset: u32,
    pub(super) choice_at: u32,
    /// Whether it may lead nowhere.
    pub(super) nullable: bool,
    /// Whether it is a number then, of which the bytes are a field, instead of null.
    pub(super) or_number: bool,
    pub(super) goals: Vec<Goal>,
}

/// An external function and its results.
#[derive(Clone, Debug)]
pub(super) struct Results {
    /// Its number among all.
    pub(super) stub: usize,
    pub(super) at: u32,
    pub(super) size: u32,
    pub(super) calls: u32,
    /// Of the bytes of a stream, where the number of them is: behind these it ends.
    pub(super) length_at: Option<u32>,
}

/// What an external function writes into a local of its caller, or into `errno`.
#[derive(Clone, Debug)]
pub(super) struct Written<'a> {
    /// Its number among all; see [`written`].
    pub(super) number: usize,
    pub(super) write: &'a StubWrite,
    pub(super) at: u32,
}

/// What external functions write, with the functions' numbers.
pub(super) fn written(lowered: &Lowered) -> impl Iterator<Item = (usize, &StubWrite)> {
    lowered
        .stubs
        .iter()
        .enumerate()
        .flat_map(|(index, stub)| stub.writes.iter().map(move |write| (index, write)))
}

/// See the module.
pub(super) struct Layout<'a> {
    pub(super) lowered: &'a Lowered,
    pub(super) harness: &'a Harness,
    pub(super) size: u32,
    pub(super) fields: Vec<Field>,
    /// Where each parameter is that is a number.
    pub(super) scalars: Vec<Option<u32>>,
    pub(super) places: Vec<Place>,
    pub(super) links: Vec<Link>,
    pub(super) results: Vec<Results>,
    pub(super) written: Vec<Written<'a>>,
}

impl<'a> Layout<'a> {
    /// The layout of a harness's inputs; the error says why there is none.
    pub(super) fn of(lowered: &'a Lowered, harness: &'a Harness) -> Result<Layout<'a>, String> {
        let layout = Layout::with(lowered, harness, false)?;
        let layout = if layout.size < LARGEST { layout } else { Layout::with(lowered, harness, true)? };
        match layout.size {
            0 => Err("it has no inputs".to_owned()),
            LARGEST.. => Err("its inputs are too large".to_owned()),
            _ => Ok(layout),
        }
    }

    /// The layout, with short arrays of bytes or the longest.
    fn with(lowered: &'a Lowered, harness: &'a Harness, is_short: bool) -> Result<Layout<'a>, String> {
        let (size, fields, scalars) = (0, Vec::new(), Vec::new());
        let (places, links, results, written) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut layout = Layout { lowered, harness, size, fields, scalars, places, links, results, written };
        let is_list = |ty: CTypeId| lowered.types.record_name(ty) == Some("__va_list_tag");
        if harness.arguments.is_some() || harness.objects.iter().any(|o| is_list(o.element)) {
            return Err("it has variable arguments".to_owned());
        }
        layout.scalars();
        // A program gets the arguments of the run that all scripts begin with.
        if !harness.is_command_line {
            layout.objects(is_short);
        }
        layout.settings();
        layout.pointers();
        layout.results();
        Ok(layout)
    }

    pub(super) fn pointer_bytes(&self) -> u64 {
        u64::from(self.lowered.shape.bits / 8)
    }

    pub(super) fn size_of(&self, ty: CTypeId) -> u32 {
        u32::try_from(self.lowered.types.size(ty, self.pointer_bytes())).unwrap_or(u32::MAX)
    }

    /// Room for some bytes.
    fn room(&mut self, bytes: u32) -> u32 {
        let at = self.size;
        self.size = at.saturating_add(bytes);
        at
    }

    fn choice(&mut self, among: u32) -> u32 {
        let at = self.room(2);
        self.fields.push(Field { at, size: 2, count: 1, kind: Kind::Choice(among) });
        at
    }

    fn scalars(&mut self) {
        let harness = self.harness;
        for param in &harness.params {
            let is_scalar = param.object.is_none() && self.kind(param.ty).is_some();
            let is_scalar = is_scalar && !harness.is_command_line;
            let at = is_scalar.then(|| {
                let size = self.size_of(param.ty);
                let at = self.room(size);
                self.leaves(param.ty, at);
                at
            });
            self.scalars.push(at);
        }
    }

    /// What a number of a type is; nothing for other types.
    fn kind(&self, ty: CTypeId) -> Option<Kind> {
        match self.lowered.types.resolved(ty) {
            CType::Int { .. } | CType::Enum { .. } => Some(Kind::Number),
            CType::Bool => Some(Kind::Choice(2)),
            CType::Float { .. } => Some(Kind::Float),
            _ => None,
        }
    }

    /// The fields of a value of a type. Pointers are apart.
    fn leaves(&mut self, ty: CTypeId, at: u32) {
        let types = &self.lowered.types;
        match types.resolved(ty) {
            CType::Array { element, count } => {
                let (element, size) = (*element, self.size_of(*element));
                for i in 0..count.unwrap_or(0) as u32 {
                    self.leaves(element, at + i * size);
                }
            }
            CType::Record { fields, is_union, .. } => {
                let largest = fields.iter().max_by_key(|f| self.size_of(f.ty)).filter(|_| *is_union);
                let chosen = match largest {
                    Some(largest) => std::slice::from_ref(largest),
                    None => &fields[..],
                };
                for field in chosen {
                    let first = at + (field.offset_bits / 8) as u32;
                    match field.bit_field {
                        None => self.leaves(field.ty, first),
                        Some(width) => {
                            let end = at + (field.offset_bits + u64::from(width)).div_ceil(8) as u32;
                            (first..end).for_each(|at| self.field(at, 1, Kind::Number));
                        }
                    }
                }
            }
            _ => {
                if let Some(kind) = self.kind(ty) {
                    self.field(at, self.size_of(ty).max(1), kind);
                }
            }
        }
    }

    /// A field, joined with the one before it where both are alike.
    fn field(&mut self, at: u32, size: u32, kind: Kind) {
        match self.fields.last_mut() {
            Some(last) if (last.size, last.kind) == (size, kind) && last.at + last.count * size == at => {
                last.count += 1;
            }
            // Bit-fields share bytes.
            Some(last)
                if last.kind == kind && last.size == size && last.at + (last.count - 1) * size == at => {}
            _ => self.fields.push(Field { at, size, count: 1, kind }),
        }
    }

    fn objects(&mut self, is_short: bool) {
        let harness = self.harness;
        for (index, object) in harness.objects.iter().enumerate() {
            let most = match object.count {
                Some(_) if is_short => object.most.saturating_mul(LONGER).min(object.widest),
                Some(_) => object.widest,
                None => 1,
            };
            let count_at = object.count.map(|_| self.choice(most));
            let element = self.size_of(object.element);
            let is_char =
                matches!(self.lowered.types.resolved(object.element), CType::Int { is_char: true, .. });
            let is_text = is_char && object.memory.is_some_and(|(_, grain)| grain == 1);
            let place = Place {
                owner: Owner::Object(index),
                number: Some(object.number),
                element,
                most,
                count_at,
                count: object.count,
                content_at: None,
                memory: object.memory,
                is_text,
            };
            self.place(&place, object.element);
        }
    }

    fn settings(&mut self) {
        let harness = self.harness;
        for (index, setting) in harness.settings.iter().enumerate() {
            let (number, memory) = match &setting.value {
                SettingValue::Variables(_) => (None, None),
                SettingValue::Memory { number, memory } => (Some(*number), *memory),
            };
            let place = Place {
                owner: Owner::Setting(index),
                number,
                element: self.size_of(setting.ty),
                most: 1,
                count_at: None,
                count: None,
                content_at: None,
                memory,
                is_text: false,
            };
            self.place(&place, setting.ty);
        }
    }

    /// Makes room for the contents of a place, if the program looks at them.
    fn place(&mut self, place: &Place, ty: CTypeId) {
        let is_variable = matches!(place.owner, Owner::Setting(_)) && place.number.is_none();
        let mut content_at = None;
        if place.memory.is_some() || is_variable {
            let at = self.room(place.element.saturating_mul(place.most));
            if self.size < LARGEST {
                for i in 0..place.most {
                    self.leaves(ty, at + i * place.element);
                }
            }
            content_at = Some(at);
        }
        self.places.push(Place { content_at, ..place.clone() });
    }

    fn place_of(&self, number: u32) -> Option<usize> {
        self.places.iter().position(|place| place.number == Some(number))
    }

    /// The first element of something with a number.
    fn goal(&self, number: u32, offset: u64) -> Option<Goal> {
        let place = self.place_of(number);
        let is_known = place.is_some() || self.harness.names.contains_key(&number);
        is_known.then_some(Goal { number, is_sentinel: false, place, offset, element: 0 })
    }

    fn sentinel(&self, number: u64) -> Goal {
        let bits = self.lowered.shape.packed_offset();
        let (number, offset) = ((number >> bits) as u32, number & !(u64::MAX << bits));
        Goal { number, is_sentinel: true, place: None, offset, element: 0 }
    }

    fn object_goal(&self, index: usize, anywhere: bool) -> Option<Goal> {
        let goal = self.goal(self.harness.objects.get(index)?.number, 0)?;
        let element = goal.place.map_or(0, |place| self.places[place].element);
        Some(Goal { element: if anywhere { element } else { 0 }, ..goal })
    }

    fn pointers(&mut self) {
        let harness = self.harness;
        for (index, param) in harness.params.iter().enumerate().filter(|_| !harness.is_command_line) {
            let is_pointer = matches!(
                self.lowered.types.resolved(param.ty),
                CType::Pointer(_) | CType::Array { .. } | CType::Function { .. }
            );
            if !is_pointer {
                continue;
            }
            let goals: Vec<Goal> = match (&param.sharing, param.object) {
                (Some(sharing), Some(own)) => {
                    let anywhere = |&object: &usize| object != own || sharing.joined;
                    // Runs that compare addresses in different objects are left out.
                    let is_apart =
                        |&&object: &&usize| sharing.compared && sharing.objects.len() > 1 && object == own;
                    let objects = sharing.objects.iter().filter(|o| !is_apart(o));
                    objects.filter_map(|o| self.object_goal(*o, anywhere(o))).collect()
                }
                (None, Some(own)) => self.object_goal(own, false).into_iter().collect(),
                (_, None) => param.functions.iter().filter_map(|&f| self.goal(f, 0)).collect(),
            };
            self.link(Holder::Param(index), None, 0, param.nullable || goals.is_empty(), goals);
        }
        for (index, setting) in harness.settings.iter().enumerate() {
            if let SettingValue::Variables(symbols) = &setting.value
                && let &[object, offset] = &symbols[..]
            {
                let goals = setting.targets.iter().filter_map(|&target| self.goal(target, 0)).collect();
                let owner = Owner::Setting(index);
                let place = self.places.iter().position(|place| place.owner == owner);
                self.link(Holder::Setting([object, offset]), place, 0, true, goals);
            }
        }
        for link in &harness.links {
            let Some(place) = self.place_of(link.object) else { continue };
            let mut goals: Vec<Goal> =
                link.targets.iter().filter_map(|&(number, offset)| self.goal(number, offset)).collect();
            if link.into.as_ref().is_some_and(|into| into.compared) {
                goals.clear();
            }
            for &number in link.into.iter().flat_map(|into| &into.objects) {
                let element = link.into.as_ref().map_or(0, |into| into.element as u32);
                goals.extend(self.goal(number, 0).map(|goal| Goal { element, ..goal }));
            }
            goals.extend(link.sentinels.iter().map(|&number| self.sentinel(number)));
            let Ok(offset) = u32::try_from(link.offset) else { continue };
            let at = link.into.as_ref().map(|into| into.at);
            self.link(Holder::Memory(at), Some(place), offset, true, goals);
            if let Some(last) = self.links.last_mut() {
                last.or_number = link.or_number;
            }
        }
        self.without_pointers();
    }

    fn link(&mut self, holder: Holder, place: Option<usize>, offset: u32, nullable: bool, goals: Vec<Goal>) {
        let choice_at = self.choice(goals.len() as u32 + u32::from(nullable));
        let most = goals.iter().filter(|goal| goal.element > 0).filter_map(|goal| goal.place);
        let at = self.room(2);
        if let Some(most) = most.map(|place| self.places[place].most).max() {
            self.fields.push(Field { at, size: 2, count: 1, kind: Kind::Choice(most + 1) });
        }
        self.links.push(Link { holder, place, offset, choice_at, nullable, or_number: false, goals });
    }

    /// Takes the bytes of pointers out of the fields, where a union has them as something else, too.
    fn without_pointers(&mut self) {
        let bytes = self.pointer_bytes() as u32;
        let there = |link: &Link| Some(self.places[link.place?].content_at? + link.offset);
        let pointers: FxHashSet<u32> = self
            .links
            .iter()
            .filter(|l| !l.or_number)
            .filter_map(there)
            .flat_map(|at| at..at + bytes)
            .collect();
        if pointers.is_empty() {
            return;
        }
        let fields = std::mem::take(&mut self.fields);
        for field in fields {
            for at in (0..field.count).map(|k| field.at + k * field.size) {
                if !(at..at + field.size).any(|byte| pointers.contains(&byte)) {
                    self.field(at, field.size, field.kind);
                }
            }
        }
    }

    /// The results of the external functions that may be called.
    fn results(&mut self) {
        let program = &self.lowered.program;
        let reachable = program.reachable(&[self.harness.widest()]);
        let bodies = reachable.iter().flat_map(|&p| &program[p].bodies);
        let called: FxHashSet<_> = bodies.flat_map(footpath_ir::Body::calls).collect();
        for (index, stub) in self.lowered.stubs.iter().enumerate() {
            let Some((size, kind)) = returned(stub).filter(|_| called.contains(&stub.procedure)) else {
                continue;
            };
            let is_stream = stub.name == NEXT_BYTE;
            let length_at = is_stream.then(|| self.choice(STREAM + 1));
            let (size, calls) = match () {
                () if is_stream => (1, STREAM),
                () if gives_input(&stub.name) => (size, INPUT_CALLS),
                () => (size, CALLS),
            };
            let at = self.room(size * calls);
            self.fields.push(Field { at, size, count: calls, kind });
            self.results.push(Results { stub: index, at, size, calls, length_at });
        }
        for (number, (index, write)) in written(self.lowered).enumerate() {
            if !called.contains(&self.lowered.stubs[index].procedure) {
                continue;
            }
            let at = self.room(write.least * CALLS);
            let (size, count) = if matches!(write.least, 2 | 4 | 8) {
                (write.least, CALLS)
            } else {
                (1, write.least * CALLS)
            };
            self.fields.push(Field { at, size, count, kind: Kind::Number });
            self.written.push(Written { number, write, at });
        }
    }
}

/// How large a number is that a function returns, and of which kind; nothing for what is not fuzzed.
fn returned(stub: &Stub) -> Option<(u32, Kind)> {
    match stub.ret {
        _ if !stub.parts.is_empty() || stub.never_returns => None,
        StubType::Void | StubType::Pointer => None,
        StubType::Int(1) => Some((1, Kind::Choice(2))),
        StubType::Int(bits) => Some((bits.div_ceil(8).next_power_of_two().min(16), Kind::Number)),
        StubType::Float(bits) => Some((bits / 8, Kind::Float)),
    }
}

/// A number in some bytes of an input.
pub(super) fn number_at(input: &[u8], at: u32, size: u32) -> u128 {
    let bytes = &input[at as usize..(at + size.min(16)) as usize];
    bytes.iter().rev().fold(0, |n, &byte| n << 8 | u128::from(byte))
}

// ---- From inputs to scripts.

impl Layout<'_> {
    /// The script of a run from the harness that has the inputs in some bytes, and those of `base` that no bytes stand for.
    pub(super) fn script(&self, interpreter: &Interpreter<'_>, base: &Script, input: &[u8]) -> Script {
        let of_start = base.entries.iter().filter(|((activation, _), _)| *activation == 0);
        let mut entries: FxHashMap<SymbolId, Value> =
            of_start.map(|(&(_, symbol), value)| (symbol, value.clone())).collect();
        self.numbers(input, &mut entries);
        let mut contents: Vec<Vec<u8>> = self.places.iter().map(|place| self.content(place, input)).collect();
        let shape = self.lowered.shape;
        for link in &self.links {
            let (choice, at) = self.chosen(link, input);
            if choice.is_none() && link.or_number {
                continue;
            }
            let goal = choice.map(|choice| link.goals[choice]);
            let number = goal.map_or(0, |goal| goal.number);
            let offset = goal.map_or(0, |goal| goal.offset + at * u64::from(goal.element));
            match link.holder {
                Holder::Param(index) => self.argument(index, choice, at, number, &mut entries),
                Holder::Setting([object, place]) => {
                    entries.insert(object, bits(shape.object, u128::from(number)));
                    entries.insert(place, bits(shape.offset, u128::from(offset)));
                }
                Holder::Memory(element) => {
                    if let Some(element) = element {
                        entries.insert(element, bits(shape.offset, u128::from(at)));
                    }
                    let packed = u128::from(number) << shape.packed_offset() | u128::from(offset);
                    let (from, size) = (link.offset as usize, self.pointer_bytes() as usize);
                    let content = link.place.map(|place| &mut contents[place]);
                    if let Some(there) = content.and_then(|content| content.get_mut(from..from + size)) {
                        there.copy_from_slice(&packed.to_le_bytes()[..size]);
                    }
                }
            }
        }
        for (place, content) in self.places.iter().zip(&contents) {
            self.remember(interpreter, place, content, &mut entries);
        }
        self.keep_possible(&mut entries);
        let entries = entries.into_iter().map(|(symbol, value)| ((0, symbol), value)).collect();
        let script = Script { entries, ..Script::default() };
        if self.results.is_empty() {
            return script;
        }
        let limits = Limits { steps: STEPS, ..Limits::default() };
        answered(interpreter, self.harness.widest(), script, &self.answers(input), &limits).0
    }

    /// Gives static variables that the program only sets to some constants one of these.
    fn keep_possible(&self, entries: &mut FxHashMap<SymbolId, Value>) {
        let program = &self.lowered.program;
        for variable in program.globals.iter().map(|global| &global.variable) {
            let Some(clause) = variable.where_clause else { continue };
            let all = program.terms.post_order(&[clause]);
            let mut possible: Vec<&Value> =
                all.iter().filter_map(|&term| program.terms.literal(term)).collect();
            possible.sort_by_key(|value| value.as_u64());
            let given = entries.get(&variable.symbol);
            let number = given.and_then(Value::as_u64).unwrap_or(0);
            let is_possible = possible.iter().any(|value| value.as_u64() == Some(number));
            if let Some(last) = possible.len().checked_sub(1).filter(|_| !is_possible) {
                let chosen = possible[number as usize % (last + 1)].clone();
                entries.insert(variable.symbol, chosen);
            }
        }
    }

    /// The results of external functions, by procedure.
    pub(super) fn answers(&self, input: &[u8]) -> Answers {
        let of = |results: &Results| {
            let stub = &self.lowered.stubs[results.stub];
            let value = |call: u32| {
                let number = number_at(input, results.at + call * results.size, results.size);
                match stub.ret {
                    StubType::Int(1) => Value::Bool(number & 1 == 1),
                    StubType::Int(width) | StubType::Float(width) => bits(width, number),
                    StubType::Void | StubType::Pointer => Value::Bool(false),
                }
            };
            let values = match self.length(results, input) {
                None => (0..results.calls).map(value).collect(),
                // The end is there for whoever asks again.
                Some(length) => (0..length).map(value).chain((0..CALLS).map(|_| end(stub))).collect(),
            };
            (stub.procedure, Answer { counted_as: stub.procedure, values })
        };
        let mut answers: Answers = self.results.iter().map(of).collect();
        for Written { write, at, .. } in &self.written {
            let Some((_, counted_as)) = write.procedures.first().copied() else { continue };
            for &(bytes, procedure) in &write.procedures {
                let value = |call: u32| {
                    let at = (at + call * write.least) as usize;
                    let content = &input[at..at + bytes.min(write.least) as usize];
                    Value::BitVec { width: 8 * bytes.max(1), bits: BigUint::from_bytes_le(content) }
                };
                answers.insert(procedure, Answer { counted_as, values: (0..CALLS).map(value).collect() });
            }
        }
        answers
    }

    /// How many bytes a stream has, if the results are one.
    fn length(&self, results: &Results, input: &[u8]) -> Option<u32> {
        results.length_at.map(|at| number_at(input, at, 2) as u32 % (results.calls + 1))
    }

    /// How many elements a place has.
    pub(super) fn elements(&self, place: &Place, input: &[u8]) -> u32 {
        place.count_at.map_or(1, |at| 1 + number_at(input, at, 2) as u32 % place.most)
    }

    /// Where a pointer leads, and to which element.
    pub(super) fn chosen(&self, link: &Link, input: &[u8]) -> (Option<usize>, u64) {
        let choices = link.goals.len() + usize::from(link.nullable);
        let number = number_at(input, link.choice_at, 2) as usize % choices.max(1);
        let choice = if link.nullable { number.checked_sub(1) } else { Some(number) };
        let goal = choice.and_then(|choice| link.goals.get(choice)).filter(|goal| goal.element > 0);
        let place = goal.and_then(|goal| goal.place).map(|place| &self.places[place]);
        let at = place.map_or(0, |place| {
            number_at(input, link.choice_at + 2, 2) % u128::from(self.elements(place, input) + 1)
        });
        (choice, at as u64)
    }

    /// A pointer as an argument.
    fn argument(
        &self,
        index: usize,
        choice: Option<usize>,
        at: u64,
        number: u32,
        entries: &mut FxHashMap<SymbolId, Value>,
    ) {
        let (param, shape) = (&self.harness.params[index], self.lowered.shape);
        match self.sort(param.symbol) {
            Sort::Bool => entries.insert(param.symbol, Value::Bool(choice.is_none())),
            _ => entries.insert(param.symbol, bits(shape.object, u128::from(number))),
        };
        if let Some(sharing) = &param.sharing {
            let is_it = |&object: &usize| self.harness.objects[object].number == number;
            let into = sharing.objects.iter().position(is_it).unwrap_or(0);
            entries.insert(sharing.into, bits(8, into as u128));
            entries.insert(sharing.at, bits(shape.offset, u128::from(at)));
        }
    }

    fn sort(&self, symbol: SymbolId) -> &Sort {
        let terms = &self.lowered.program.terms;
        terms.sort_of(terms.symbol(symbol).sort)
    }

    /// Arguments that are numbers, and variables that are.
    fn numbers(&self, input: &[u8], entries: &mut FxHashMap<SymbolId, Value>) {
        for (param, at) in self.harness.params.iter().zip(&self.scalars) {
            if let Some(at) = at {
                entries.insert(param.symbol, self.number(param.symbol, param.ty, input, *at));
            }
        }
        for place in &self.places {
            let Owner::Setting(index) = place.owner else { continue };
            let setting = &self.harness.settings[index];
            if let (SettingValue::Variables(symbols), Some(at)) = (&setting.value, place.content_at)
                && let &[symbol] = &symbols[..]
            {
                entries.insert(symbol, self.number(symbol, setting.ty, input, at));
            }
        }
    }

    /// A number of a type as the program form has it, which may be wider.
    fn number(&self, symbol: SymbolId, ty: CTypeId, input: &[u8], at: u32) -> Value {
        let size = self.size_of(ty);
        let number = number_at(input, at, size);
        let own = 8 * size.min(16);
        let Sort::BitVec(width) = *self.sort(symbol) else { return Value::Bool(number & 1 == 1) };
        let is_signed = matches!(self.lowered.types.resolved(ty), CType::Int { signed: true, .. });
        let is_negative = is_signed && own < 128 && number >> (own - 1) & 1 == 1;
        bits(width, if is_negative { number | u128::MAX << own } else { number })
    }

    /// The bytes of a place. Text ends with a zero.
    fn content(&self, place: &Place, input: &[u8]) -> Vec<u8> {
        let size = (self.elements(place, input) * place.element) as usize;
        let mut content = match place.content_at {
            Some(at) => input[at as usize..at as usize + size].to_vec(),
            None => vec![0; size],
        };
        if let Some(last) = content.last_mut().filter(|_| place.is_text) {
            *last = 0;
        }
        content
    }

    /// Writes the contents of a place into the memory that it is in.
    fn remember(
        &self,
        interpreter: &Interpreter<'_>,
        place: &Place,
        content: &[u8],
        entries: &mut FxHashMap<SymbolId, Value>,
    ) {
        let shape = self.lowered.shape;
        if let Some(count) = place.count {
            let elements = content.len() as u32 / place.element.max(1);
            entries.insert(count, bits(shape.offset, u128::from(elements)));
        }
        let (Some(number), Some((symbol, grain))) = (place.number, place.memory) else { return };
        let sort = self.lowered.program.terms.symbol(symbol).sort;
        let Ok(empty) = default_value(interpreter, sort) else { return };
        let memory = entries.entry(symbol).or_insert(empty);
        let Value::Map(map) = memory else { return };
        let map: &mut MapValue = std::sync::Arc::make_mut(map);
        let Value::BitVec { width, .. } = map.default else { return };
        for (i, cell) in content.chunks(grain as usize).enumerate() {
            let at =
                vec![bits(shape.object, u128::from(number)), bits(shape.offset, (i as u64 * grain).into())];
            map.set(at, Value::BitVec { width, bits: BigUint::from_bytes_le(cell) });
        }
    }
}

/// What a function returns at the end of a stream.
fn end(stub: &Stub) -> Value {
    match stub.ret {
        StubType::Int(width) => bits(width, u128::MAX),
        _ => Value::Bool(false),
    }
}

/// The lowest bits of a number.
fn bits(width: u32, number: u128) -> Value {
    let mask = if width < 128 { (1u128 << width) - 1 } else { u128::MAX };
    Value::BitVec { width, bits: BigUint::from(number & mask) }
}
