//! Regression oracles: what a test checks besides the result of the function.
//!
//! **Idea.** A test is worth as much as what it notices. Whatever a run changed that a test can name is compared again:
//! the members of a structure that it returned, the objects behind its parameters, the variables of the program, and the
//! calls of external functions with their arguments, in order. Two machines have to agree on a value before a test
//! expects it. The run of the program form proposes it, and the compiled test confirms it; a check that the first
//! compiled run does not pass is left out.
//!
//! Example: after `swap(a, b)` with 1 and 2 the objects hold 2 and 1 in the program form, so the test has
//! `FOOTPATH_EXPECT_INT(*a_object, 2);`.
//!
//! What is indeterminate is never expected: the script was run several times more, with everything changed that no test
//! can set (uninitialised memory, results of functions of the library without a model), and only bytes that are the
//! same in all of these runs are compared. Padding is compared nowhere. Of an object that the run made, or that ended its
//! life, only what is alive is looked at.
//!
//! What did not change is compared as well, as far as it is little: a function that writes where it should not is noticed. Where most of
//! an object did not, it is compared with a copy in one line, after the few values that changed were put back.
//!
//! **Paper.** T. Xie (ECOOP 2006), *Augmenting automatically generated unit-test suites with regression oracle checking*.
//! There, values are observed in one run and assumed to be deterministic; here a second machine and changed runs confirm it.
//!
//! **Direction of error.** Towards fewer checks. The number of checks of a test is bounded, addresses of objects that the
//! run made are only compared with null, and of unions only the largest member is.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use footpath_frontend::c::source::c_types::{CField, CType, CTypeId};
use footpath_frontend::c::{Harness, Lowered, SettingValue, Stub, StubType};
use footpath_ir::interp::Outcome;
use footpath_term::{MapValue, SortId, SymbolId, Value};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::emit::{Case, setting_name};
use crate::image::Image;
use crate::inputs::Effects;
use crate::value::{Writer, text};

/// A check of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// A statement in front of the call of the function; mostly there is none.
    pub before: String,
    /// The statement behind it, which compares something once.
    pub after: String,
}

/// The largest number of checks of a test.
const CHECKS: usize = 48;
/// The largest number of values of an object that are checked although they did not change.
const UNCHANGED: usize = 16;
/// An object is compared with a copy if that spares more lines than these.
const FEW: usize = 2;
/// Bytes of the largest object that is compared with a copy.
const COPIED: u64 = 4096;
/// The largest number of elements of an array that are looked at.
const ELEMENTS: u64 = 64;
/// How many pointers are followed from a result.
const DEPTH: u32 = 3;
/// The largest number of calls of external functions that a test expects.
const CALLS: usize = 32;
/// The longest text that is expected.
const TEXT: u64 = 256;

/// How C names a value.
#[derive(Clone)]
struct Name {
    /// The value itself.
    text: String,
    /// A pointer to it, if that is how it is reached.
    pointer: Option<String>,
}

impl Name {
    fn plain(text: &str) -> Name {
        Name { text: text.to_owned(), pointer: None }
    }

    fn behind(pointer: &str) -> Name {
        Name { text: format!("*{pointer}"), pointer: Some(pointer.to_owned()) }
    }

    fn member(&self, field: &str) -> Name {
        match &self.pointer {
            Some(pointer) => Name::plain(&format!("{pointer}->{field}")),
            None => Name::plain(&format!("{}.{field}", self.text)),
        }
    }

    fn element(&self, index: u64) -> Name {
        match &self.pointer {
            Some(pointer) => Name::plain(&format!("(*{pointer})[{index}]")),
            None => Name::plain(&format!("{}[{index}]", self.text)),
        }
    }
}

/// The contents of an object in several runs: the one of the test comes first.
struct Contents {
    runs: Vec<Image>,
    /// At the beginning of the run, if that is known.
    before: Option<Image>,
}

/// A value of an object that changed.
struct Changed {
    /// Its name in C.
    text: String,
    /// Where it is in the object, in bytes.
    bytes: Range<u64>,
}

/// Compares an object with what it was before the call, all elements at once, but for some values.
fn unchanged(name: &str, count: u64, but: &[Changed]) -> Check {
    let size = match count {
        1 => format!("sizeof *{name}"),
        _ => format!("{count} * sizeof *{name}"),
    };
    let put_back = |changed: &Changed| {
        let before = changed.text.replacen(name, &format!("{name}_before"), 1);
        format!("FOOTPATH_PUT_BACK({}, {before});\n    ", changed.text)
    };
    Check {
        before: format!("__typeof__({name}) {name}_before = footpath_given((void *){name}, {size});"),
        after: format!(
            "{}FOOTPATH_EXPECT_UNCHANGED({name}, {name}_before, {size});",
            but.iter().map(put_back).collect::<String>()
        ),
    }
}

/// Collects the checks of a test.
pub(crate) struct RegressionOracle<'a, 'w> {
    lowered: &'a Lowered,
    harness: &'a Harness,
    case: &'a Case,
    writer: &'a mut Writer<'w>,
    /// The numbers of the objects that the test has made.
    declared: BTreeSet<u32>,
    pub(crate) checks: Vec<Check>,
    /// How many more unchanged values of an object are checked.
    unchanged: usize,
    /// The checks of those of the object under way.
    spare: Vec<Check>,
    /// Whether they are set apart, and whether the next check is one of them.
    is_split: bool,
    is_spare: bool,
    /// What changed in that object.
    changed: Vec<Changed>,
    /// Whether not all of its values are known.
    is_open: bool,
}

/// An object of a test, and how it looks before the call.
pub(crate) struct TestObject {
    pub(crate) name: String,
    pub(crate) element: CTypeId,
    pub(crate) count: u64,
    pub(crate) number: u32,
    pub(crate) memory: Option<(SymbolId, u64)>,
    pub(crate) before: Image,
    /// Whether the function promises not to write it.
    pub(crate) is_constant: bool,
}

impl<'a, 'w> RegressionOracle<'a, 'w> {
    /// An oracle without checks, for a test that has made the objects of these numbers.
    pub(crate) fn new(
        (lowered, harness): (&'a Lowered, &'a Harness),
        case: &'a Case,
        writer: &'a mut Writer<'w>,
        declared: BTreeSet<u32>,
    ) -> RegressionOracle<'a, 'w> {
        RegressionOracle {
            lowered,
            harness,
            case,
            writer,
            declared,
            checks: Vec::new(),
            unchanged: 0,
            spare: Vec::new(),
            is_split: false,
            is_spare: false,
            changed: Vec::new(),
            is_open: false,
        }
    }
}

impl RegressionOracle<'_, '_> {
    /// Whether the run is one of which effects can be expected.
    pub(crate) fn applies(case: &Case) -> bool {
        !case.fails && case.inputs.outcome == Outcome::Returned && !case.varied.is_empty()
    }

    /// The test's run, and those in which everything is changed that no test can set.
    fn runs(&self) -> impl Iterator<Item = &Effects> + use<'_> {
        std::iter::once(&self.case.inputs.effects).chain(&self.case.varied)
    }

    fn check(&mut self, after: String) {
        if self.checks.len() + self.spare.len() < CHECKS {
            let list = if self.is_spare { &mut self.spare } else { &mut self.checks };
            list.push(Check { before: String::new(), after });
        }
    }

    fn symbol(&self, name: &str) -> Option<SymbolId> {
        let terms = &self.lowered.program.terms;
        let mut globals = self.lowered.program.globals.iter().map(|g| g.variable.symbol);
        globals.find(|&symbol| &*terms.symbol(symbol).name == name)
    }

    /// What one of the maps about objects says of an object at the end.
    fn of_object(&self, map: &str, number: u32) -> Option<Value> {
        let symbol = self.symbol(map)?;
        let Some(Value::Map(map)) = self.case.inputs.effects.variables.get(&symbol) else { return None };
        Some(map.get(&[self.object_value(number)]).clone())
    }

    fn object_value(&self, number: u32) -> Value {
        Value::BitVec { width: self.lowered.shape.object, bits: BigUint::from(number) }
    }

    fn is_alive(&self, number: u32) -> bool {
        self.of_object("$alive", number) != Some(Value::Bool(false))
    }

    fn contents(&self, number: u32, (symbol, grain): (SymbolId, u64), before: Option<Image>) -> Contents {
        let entry = self.case.inputs.entries.get(&symbol);
        let shape = self.lowered.shape;
        let image = |run: &Effects| Image::new(run.variables.get(&symbol).or(entry), grain, shape, number);
        Contents { runs: self.runs().map(image).collect(), before }
    }

    /// The contents of an object of which it is not known in which memory it is: the one in which it was written.
    fn found(&self, number: u32) -> Option<Contents> {
        let terms = &self.lowered.program.terms;
        let first = vec![self.object_value(number)];
        let memory = |(&symbol, value): (&SymbolId, &Value)| {
            let Value::Map(map) = value else { return None };
            let Value::BitVec { width, .. } = map.default else { return None };
            let holds = map
                .entries
                .range(first.clone()..)
                .next()
                .is_some_and(|(index, _)| index.len() == 2 && index.first() == first.first());
            let is_memory = !terms.symbol(symbol).name.starts_with("$written");
            (holds && is_memory && width % 8 == 0).then(|| (symbol, u64::from(width / 8)))
        };
        let memory = self.case.inputs.effects.variables.iter().filter_map(memory).min()?;
        Some(self.contents(number, memory, None))
    }

    /// The number in `bytes` bytes at an offset, if it is the same in all runs.
    fn number(&self, contents: &Contents, offset: u64, bytes: u64) -> Option<u128> {
        let mut all = contents.runs.iter().map(|image| image.number_at(offset, bytes));
        let first = all.next()?;
        all.all(|n| n == first).then_some(first)
    }

    /// The same; without it, not all of an object is known.
    fn known(&mut self, contents: &Contents, offset: u64, bytes: u64) -> Option<u128> {
        let found = self.number(contents, offset, bytes);
        self.is_open |= found.is_none();
        found
    }

    fn has_changed(&self, contents: &Contents, offset: u64, bytes: u64, now: u128) -> bool {
        let before = contents.before.as_ref();
        before.is_none_or(|image| image.number_at(offset, bytes) != now)
    }

    /// Whether a value is worth a check: it changed, or there are few of the others.
    fn is_worth(&mut self, has_changed: bool) -> bool {
        if !has_changed && self.unchanged == 0 {
            return false;
        }
        self.unchanged -= usize::from(!has_changed);
        self.is_spare = self.is_split && !has_changed;
        true
    }

    /// What the objects of the test hold at the end.
    pub(crate) fn objects(&mut self, objects: &[TestObject]) {
        for object in objects {
            let Some(memory) = object.memory.filter(|_| self.is_alive(object.number)) else { continue };
            let contents = self.contents(object.number, memory, Some(object.before.clone()));
            let size = self.lowered.types.size(object.element, self.pointer_bytes());
            self.unchanged = if object.is_constant { 0 } else { UNCHANGED };
            let name = &object.name;
            self.changed.clear();
            self.is_open = object.count > ELEMENTS;
            if object.count > 1 && self.is_char(object.element) {
                self.text(name, &contents, 0, object.count);
                continue;
            }
            self.is_split = true;
            for i in 0..object.count.min(ELEMENTS) {
                let place = if object.count == 1 { Name::behind(name) } else { Name::plain(name).element(i) };
                self.value(object.element, &place, &contents, i * size, 0);
            }
            (self.is_split, self.is_spare) = (false, false);
            let spare = std::mem::take(&mut self.spare);
            let is_worth_it = spare.len() > FEW + self.changed.len();
            if is_worth_it && self.is_unchanged(&contents, object.count.saturating_mul(size)) {
                self.checks.push(unchanged(name, object.count, &self.changed));
            } else {
                self.checks.extend(spare);
            }
        }
    }

    /// Whether an object of so many bytes holds at the end what it held before, but for a few values that are known. Padding is what the
    /// test's own run left there, as the others begin with something else.
    fn is_unchanged(&self, contents: &Contents, size: u64) -> bool {
        let (Some(before), Some(now)) = (&contents.before, contents.runs.first()) else { return false };
        let is_same = |at: u64| {
            self.changed.iter().any(|changed| changed.bytes.contains(&at))
                || now.number_at(at, 1) == before.number_at(at, 1)
        };
        !self.is_open && size <= COPIED && (0..size).all(is_same)
    }

    /// What the variables of the program hold at the end.
    pub(crate) fn variables(&mut self) {
        for setting in &self.harness.settings {
            let name = Name::plain(&setting_name(setting));
            self.unchanged = UNCHANGED;
            match &setting.value {
                SettingValue::Variables(symbols) => {
                    let [symbol] = symbols.as_slice() else { continue };
                    let values: Vec<Option<u128>> =
                        self.runs().map(|run| run.variables.get(symbol).and_then(bits)).collect();
                    let Some(now) = values[0].filter(|_| values.iter().all(|v| *v == values[0])) else {
                        continue;
                    };
                    let before = self.case.inputs.entries.get(symbol).and_then(bits);
                    if self.is_worth(before.is_some_and(|before| before != now)) {
                        self.scalar(setting.ty, &name.text, now);
                    }
                }
                SettingValue::Memory { number, memory: Some(memory) } => {
                    let map = self.case.inputs.entries.get(&memory.0);
                    let before = Image::new(map, memory.1, self.lowered.shape, *number);
                    let contents = self.contents(*number, *memory, Some(before));
                    self.value(setting.ty, &name, &contents, 0, 0);
                }
                SettingValue::Memory { memory: None, .. } => {}
            }
        }
    }

    /// What the function returned, if it is more than a number.
    pub(crate) fn result(&mut self, name: &str) {
        let results: Vec<&Value> = self.case.inputs.effects.results.iter().flatten().collect();
        let same = |run: &Effects| run.results == self.case.inputs.effects.results;
        let is_same = self.case.varied.iter().all(same);
        self.unchanged = UNCHANGED;
        match self.lowered.types.resolved(self.harness.ret).clone() {
            CType::Pointer(to) if is_same && results.len() == 2 => {
                let (Some(object), Some(offset)) = (bits(results[0]), bits(results[1])) else { return };
                self.pointer(to, name, (object as u32, offset as i64), 0);
            }
            CType::Record { .. } => {
                let written = self.harness.written.and_then(|number| self.found(number));
                let contents = match written {
                    Some(contents) => Some(contents),
                    None => Some(self.in_registers(&results)).filter(|_| is_same && !results.is_empty()),
                };
                if let Some(contents) = contents {
                    self.value(self.harness.ret, &Name::plain(name), &contents, 0, 0);
                }
            }
            _ => {}
        }
    }

    /// A structure in registers as memory: each value stands at the next multiple of its size.
    fn in_registers(&self, results: &[&Value]) -> Contents {
        let shape = self.lowered.shape;
        let byte = |n: u8| Value::BitVec { width: 8, bits: BigUint::from(n) };
        let mut map = MapValue::constant(SortId::BOOL, byte(0));
        let (mut at, mut results) = (0u64, results.iter());
        while let Some(value) = results.next() {
            let Value::BitVec { width, bits } = value else { continue };
            let (mut width, mut bits) = (*width, bits.clone());
            if width == shape.object {
                let offset = results.next().and_then(|v| bits_of(v)).unwrap_or_default();
                let mask = (BigUint::from(1u8) << shape.packed_offset()) - 1u8;
                (width, bits) = (shape.bits, (bits << shape.packed_offset()) | (offset & mask));
            }
            let size = u64::from(width.div_ceil(8));
            at = at.next_multiple_of(size.next_power_of_two());
            for (i, &b) in bits.to_bytes_le().iter().enumerate() {
                let index = Value::BitVec { width: shape.offset, bits: BigUint::from(at + i as u64) };
                map.set(vec![self.object_value(0), index], byte(b));
            }
            at += size;
        }
        let image = Image::new(Some(&Value::Map(Arc::new(map))), 1, shape, 0);
        Contents { runs: vec![image], before: None }
    }

    fn pointer_bytes(&self) -> u64 {
        u64::from(self.lowered.shape.bits / 8)
    }

    fn is_char(&self, ty: CTypeId) -> bool {
        matches!(self.lowered.types.resolved(ty), CType::Int { is_char: true, bits: 8, .. })
    }

    /// The checks of a value of a type.
    fn value(&mut self, ty: CTypeId, name: &Name, contents: &Contents, offset: u64, depth: u32) {
        let types = &self.lowered.types;
        let size = types.size(ty, self.pointer_bytes());
        match types.resolved(ty).clone() {
            CType::Record { fields, is_union: false, .. } => {
                self.fields(&fields, name, contents, offset, depth);
            }
            CType::Record { fields, .. } => {
                let bytes = self.pointer_bytes();
                let largest = fields.iter().max_by_key(|f| types.size(f.ty, bytes)).cloned();
                self.fields(&Vec::from_iter(largest), name, contents, offset, depth);
            }
            CType::Array { element, count } if self.is_char(element) => {
                self.text(&name.text, contents, offset, count.unwrap_or(0));
            }
            CType::Array { element, count } => {
                let each = types.size(element, self.pointer_bytes());
                self.is_open |= count.is_none_or(|count| count > ELEMENTS);
                for i in 0..count.unwrap_or(0).min(ELEMENTS) {
                    self.value(element, &name.element(i), contents, offset + i * each, depth);
                }
            }
            CType::Pointer(to) => {
                let Some(now) = self.known(contents, offset, size) else { return };
                let has_changed = self.has_changed(contents, offset, size, now);
                if self.is_worth(has_changed) {
                    let packed = self.lowered.shape.packed_offset();
                    let low = now & ((1u128 << packed) - 1);
                    let low = (low << (128 - packed)) as i128 >> (128 - packed);
                    if has_changed && depth == 0 {
                        self.changed.push(Changed { text: name.text.clone(), bytes: offset..offset + size });
                    }
                    self.pointer(to, &name.text, ((now >> packed) as u32, low as i64), depth);
                }
            }
            CType::Int { .. } | CType::Enum { .. } | CType::Bool | CType::Float { .. } => {
                let Some(now) = self.known(contents, offset, size) else { return };
                let has_changed = self.has_changed(contents, offset, size, now);
                if self.is_worth(has_changed) {
                    if has_changed && depth == 0 {
                        self.changed.push(Changed { text: name.text.clone(), bytes: offset..offset + size });
                    }
                    self.scalar(ty, &name.text, now);
                }
            }
            _ => {}
        }
    }

    fn fields(&mut self, fields: &[CField], name: &Name, contents: &Contents, offset: u64, depth: u32) {
        for field in fields {
            let at = offset + field.offset_bits / 8;
            match field.bit_field {
                // Without a name there is nothing but padding.
                Some(_) if field.name.is_empty() => {}
                Some(width) => self.bit_field(field, width, &name.member(&field.name), contents, at),
                None if field.name.is_empty() => self.value(field.ty, name, contents, at, depth),
                None => self.value(field.ty, &name.member(&field.name), contents, at, depth),
            }
        }
    }

    fn bit_field(&mut self, field: &CField, width: u32, name: &Name, contents: &Contents, at: u64) {
        let low = field.offset_bits % 8;
        let bytes = (low + u64::from(width)).div_ceil(8);
        let read = |image: &Image| image.number_at(at, bytes) >> low & ((1u128 << width) - 1);
        let Some(now) = contents.runs.first().map(read) else { return };
        if width == 0 || !contents.runs.iter().all(|image| read(image) == now) {
            self.is_open = true;
            return;
        }
        let has_changed = contents.before.as_ref().map(read) != Some(now);
        if self.is_worth(has_changed) {
            let signed = matches!(self.lowered.types.resolved(field.ty), CType::Int { signed: true, .. });
            let above = if signed && now >> (width - 1) & 1 == 1 { u128::MAX << width } else { 0 };
            self.scalar(field.ty, &name.text, now | above);
        }
    }

    /// An array of characters: as a text if it is one, otherwise byte by byte.
    fn text(&mut self, name: &str, contents: &Contents, offset: u64, count: u64) {
        let numbers: Vec<Option<u128>> =
            (0..count.min(TEXT)).map(|i| self.number(contents, offset + i, 1)).collect();
        self.is_open |= count > TEXT || numbers.contains(&None);
        let end = numbers.iter().position(|n| *n == Some(0));
        let known: Option<Vec<u8>> =
            end.and_then(|end| numbers[..=end].iter().map(|n| n.map(|n| n as u8)).collect());
        let before = |i: usize, n: &Option<u128>| match (&contents.before, n) {
            (Some(_), Some(n)) => self.has_changed(contents, offset + i as u64, 1, *n),
            _ => true,
        };
        let changed: Vec<bool> = numbers.iter().enumerate().map(|(i, n)| before(i, n)).collect();
        let mut rest = 0;
        if let Some(literal) = known.as_deref().and_then(text) {
            let checked = end.map_or(0, |end| end + 1);
            rest = checked;
            if self.is_worth(changed[..checked].contains(&true)) {
                self.check(format!("FOOTPATH_EXPECT_TEXT({name}, {literal});"));
            }
        }
        for (i, number) in numbers.iter().enumerate().skip(rest) {
            let Some(n) = number else { continue };
            if rest > 0 && !changed[i] {
                continue;
            }
            if self.is_worth(changed[i]) {
                let value = self.writer.character(*n as u8);
                self.check(format!("FOOTPATH_EXPECT_INT((signed char){name}[{i}], (signed char){value});"));
            }
        }
    }

    fn scalar(&mut self, ty: CTypeId, name: &str, now: u128) {
        let kind = match self.lowered.types.resolved(ty) {
            CType::Int { bits: 65.., .. } => return,
            CType::Int { signed: false, .. } | CType::Bool => "UINT",
            CType::Int { .. } | CType::Enum { .. } => "INT",
            CType::Float { .. } => "FLOAT",
            _ => return,
        };
        let value = self.writer.scalar(ty, now);
        self.check(format!("FOOTPATH_EXPECT_{kind}({name}, {value});"));
    }

    /// A pointer, and what it leads to if the run made that.
    fn pointer(&mut self, to: CTypeId, name: &str, (number, offset): (u32, i64), depth: u32) {
        let is_of_test = self.writer.made.contains(&number);
        let known = self.writer.names.get(&number).is_some_and(|n| is_nameable(n.trim_start_matches('&')));
        if number == 0 {
            let check = if offset == 0 { "NULL" } else { return };
            return self.check(format!("FOOTPATH_EXPECT_{check}({name});"));
        }
        if known && (!is_of_test || self.declared.contains(&number)) {
            let expected = self.writer.pointer(number, offset);
            return self.check(format!("FOOTPATH_EXPECT_ADDRESS({name}, {expected});"));
        }
        if let Some(constant) = self.constant_text(number, offset as u64).filter(|_| self.is_char(to)) {
            let literal = text(&[constant, &[0]].concat());
            return literal.into_iter().for_each(|literal| {
                self.check(format!("FOOTPATH_EXPECT_TEXT({name}, {literal});"));
            });
        }
        self.check(format!("FOOTPATH_EXPECT_NOT_NULL({name});"));
        let types = &self.lowered.types;
        let size = self.of_object("$size", number).and_then(|v| bits(&v)).unwrap_or(0) as u64;
        let Ok(start) = u64::try_from(offset) else { return };
        let (left, each) = (size.saturating_sub(start), types.size(to, self.pointer_bytes()));
        if depth >= DEPTH || each == 0 || left < each || !self.is_alive(number) {
            return;
        }
        let Some(contents) = self.found(number) else { return };
        if self.is_char(to) {
            let bytes = (0..left.min(TEXT)).map(|i| self.number(&contents, start + i, 1).map(|n| n as u8));
            let bytes: Vec<u8> = bytes.map_while(|byte| byte).collect();
            let end = bytes.iter().position(|&b| b == 0);
            if let Some(literal) = end.and_then(|end| text(&bytes[..=end])) {
                self.check(format!("FOOTPATH_EXPECT_TEXT({name}, {literal});"));
            }
            return;
        }
        // Members that were never written are the same in no two runs.
        self.value(to, &Name::behind(name), &contents, start, depth + 1);
    }

    /// The calls of external functions.
    pub(crate) fn calls(&mut self, stubs: &[&Stub]) {
        let stub_of = |procedure| stubs.iter().find(|stub| stub.procedure == procedure);
        let runs: Vec<Vec<(&Stub, &[Value])>> = self
            .runs()
            .map(|run| {
                let calls = run.calls.iter().filter_map(|(p, args)| Some((*stub_of(*p)?, args.as_slice())));
                calls.collect()
            })
            .collect();
        let first = &runs[0];
        let names = |calls: &[(&Stub, &[Value])]| calls.iter().map(|(s, _)| s.procedure).collect::<Vec<_>>();
        if stubs.is_empty() || first.len() > CALLS || runs.iter().any(|run| names(run) != names(first)) {
            return;
        }
        let call = |i: usize| {
            let stub = first[i].0;
            let same = |k: usize| runs.iter().all(|run| run[i].1.get(k) == first[i].1.get(k));
            format!("\"{}({})\"", stub.name, self.arguments(stub, first[i].1, &same).join(", "))
        };
        let list: Vec<String> = (0..first.len()).map(call).collect();
        let before = if list.is_empty() {
            "FOOTPATH_EXPECT_NO_CALLS();".to_owned()
        } else {
            format!("FOOTPATH_EXPECT_CALLS({});", list.join(", "))
        };
        self.checks.push(Check { before, after: "FOOTPATH_EXPECT_CALLS_MADE();".to_owned() });
    }

    /// The arguments of a call as the runtime reads them: `?` stands for any value.
    fn arguments(&self, stub: &Stub, args: &[Value], same: &dyn Fn(usize) -> bool) -> Vec<String> {
        let mut next = 0;
        let argument = |ty: &StubType| {
            let at = next;
            next += if *ty == StubType::Pointer { 2 } else { 1 };
            let values = args.get(at..next).filter(|_| (at..next).all(same));
            let known = values.map(|v| v.iter().filter_map(bits).collect::<Vec<_>>());
            match (ty, known.as_deref()) {
                (StubType::Pointer, Some(&[0, 0])) => "NULL".to_owned(),
                (StubType::Pointer, Some(&[object, offset])) => self.passed(object as u32, offset as u64),
                (StubType::Int(width @ 1..=64), Some(&[n])) => {
                    let shift = 128 - width;
                    ((n << shift) as i128 >> shift).to_string()
                }
                (StubType::Float(32), Some(&[n])) => float(f64::from(f32::from_bits(n as u32))),
                (StubType::Float(64), Some(&[n])) => float(f64::from_bits(n as u64)),
                _ => "?".to_owned(),
            }
        };
        stub.params.iter().map(argument).collect()
    }

    /// A pointer that is passed: the text of a constant that it leads to, or just that it is not null.
    fn passed(&self, object: u32, offset: u64) -> String {
        let is_plain = |b: &u8| (0x20..0x7f).contains(b) && !b"\"\\?".contains(b);
        match self.constant_text(object, offset) {
            Some(text) if !text.is_empty() && text.iter().all(is_plain) => {
                format!("\\\"{}\\\"", String::from_utf8_lossy(text))
            }
            _ => "...".to_owned(),
        }
    }

    /// The text that a pointer into a constant leads to, without the zero at its end.
    fn constant_text(&self, object: u32, offset: u64) -> Option<&[u8]> {
        let text = self.lowered.texts.get(&object)?.get(usize::try_from(offset).ok()?..)?;
        text.get(..text.iter().position(|&b| b == 0)?).filter(|text| text.len() < TEXT as usize)
    }
}

/// A number as the C library reads it.
fn float(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { x.to_string().to_lowercase() }
}

/// Whether a name is one that C can write: those of static variables of functions are not.
fn is_nameable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn bits_of(value: &Value) -> Option<BigUint> {
    match value {
        Value::BitVec { bits, .. } => Some(bits.clone()),
        Value::Bool(b) => Some(BigUint::from(u8::from(*b))),
        _ => None,
    }
}

fn bits(value: &Value) -> Option<u128> {
    bits_of(value)?.to_u128()
}
