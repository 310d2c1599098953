//! A printer of conditions in C syntax: terms over the harness's inputs as expressions over the function's
//! parameters.
//!
//! * A parameter has its name; whether a pointer is null is `p == NULL`.
//! * The contents of an object that a parameter points to at entry are `*p`, `p[i]`, `p->member`; those of further
//!   objects are named by the access path that leads to them.
//! * Variables have their names, those with initial values as long as they hold these; a static variable `x` of a
//!   function `f` is `f::x`, as in debuggers.
//! * The number of elements of the array behind a pointer is `length(p)`.
//! * Promotions to `int` are not written, as they are implicit in C; other extensions are casts, and so is reading a
//!   number with another signedness than the source declares.
//! * Numbers near a limit are written relative to it, `x > INT_MAX - 7`; strings are compared with characters.
//! * Pointers and numbers are tested before the memory that they lead to, so that the text is also correct when it is
//!   evaluated from left to right.
//!
//! Example: `8 <= select(memory, list_object, 8)` is printed as `list->length >= 8`.
//!
//! **Direction of error.** What is printed is a proposal: `wording.rs` says which texts are used.

use footpath_frontend::c::source::c_types::{CType, CTypeId};
use footpath_frontend::c::{Harness, InputObject, InputParam, Lowered, Setting, SettingValue};
use footpath_ir::StatementKind;
use footpath_ir::interp::{Interpreter, Script, default_value};
use footpath_simplify::{Dialect, Dnf, Printed};
use footpath_term::{Op, SymbolId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::library_calls::Call;
use crate::translation_validation::Atoms;

mod floats;
mod places;
mod pointers;
mod premise;
mod results;
mod well_definedness;

use places::contents;
use pointers::{PointerCell, Targets};
pub use results::NamedResult;
use well_definedness::Ways;
pub(crate) use well_definedness::zero;

/// The largest distance from a limit at which a number is printed relative to it.
const NEAR: i64 = 4_096;
/// By how much limits are divided at most.
const LARGEST_FACTOR: i64 = 100;

/// Prints conditions over the inputs of a harness as C.
pub struct CSyntax<'a> {
    lowered: &'a Lowered,
    harness: &'a Harness,
    /// Parameters and variables that are numbers or pointers, and counts of elements.
    names: FxHashMap<SymbolId, (String, Option<CTypeId>)>,
    /// Parameters that encode whether a pointer is null.
    nulls: FxHashMap<SymbolId, String>,
    /// Objects of inputs by number.
    objects: FxHashMap<u64, Named>,
    /// Variables with initial values by number, and the values.
    tables: FxHashMap<u64, (Named, Contents)>,
    /// The objects that pointers may point to besides their own.
    targets: Targets,
    /// The sentinel values that pointers may be.
    sentinels: FxHashMap<String, Vec<u64>>,
    /// How pointers come to lead to objects, by number.
    ways: FxHashMap<u64, Ways>,
    /// What the texts of terms without operators stand for.
    pub(crate) atoms: RefCell<Atoms>,
    /// What is known to be a call of the library, or not to be one.
    pub(crate) calls: RefCell<FxHashMap<TermId, Option<Call>>>,
    /// Results of external functions that are inputs.
    results: Vec<NamedResult>,
    /// A variable for indices, and its name.
    index: Option<(SymbolId, String)>,
}

/// An object as it is named in the source.
struct Named {
    /// A variable, or else a pointer to it.
    name: String,
    is_variable: bool,
    /// The type of the variable or of an element.
    ty: CTypeId,
    /// The type, in C, that is behind the pointer only after a conversion, as behind one to `void`.
    converted: Option<String>,
    /// How many elements there are behind the pointer, if there may be more than one.
    count: Option<SymbolId>,
    /// How many bytes a cell of its memory has.
    grain: Option<u64>,
}

impl Named {
    fn variable(name: &str, ty: CTypeId, memory: Option<(SymbolId, u64)>) -> Named {
        Named {
            name: name.to_owned(),
            is_variable: true,
            ty,
            converted: None,
            count: None,
            grain: memory.map(|(_, grain)| grain),
        }
    }

    fn pointed_to(name: String, object: &InputObject, converted: Option<String>) -> Named {
        let grain = object.memory.map(|(_, grain)| grain);
        let (ty, count) = (object.element, object.count);
        Named { name, is_variable: false, ty, converted, count, grain }
    }

    /// What elements are elements of in C, which has none behind a pointer to `void`.
    fn indexable(&self) -> Cow<'_, str> {
        match &self.converted {
            Some(ty) => format!("(({ty} *){})", self.name).into(),
            None => (&*self.name).into(),
        }
    }

    /// Whether it is bytes only, as the source says nothing else of them.
    fn is_bytes(&self) -> bool {
        self.converted.as_deref() == Some(BYTE)
    }
}

/// What is behind pointers to `void` of which nothing else is known.
const BYTE: &str = "unsigned char";

/// The type, in C, to which a pointer has to be converted before the elements of its object can be named.
fn conversion(lowered: &Lowered, harness: &Harness, object: &InputObject) -> Option<String> {
    if object.is_untyped {
        return Some(BYTE.to_owned());
    }
    let types = &lowered.types;
    let param = harness.params.iter().find(|param| param.name == object.name)?;
    let CType::Pointer(declared) = *types.resolved(param.ty) else { return None };
    let is_open = matches!(types.resolved(declared), CType::Void | CType::Unknown | CType::Record { .. });
    if !is_open || types.bare(declared) == types.bare(object.element) {
        return None;
    }
    match types.resolved(object.element) {
        CType::Record { tag: Some(tag), is_union, .. } => {
            Some(format!("{} {tag}", if *is_union { "union" } else { "struct" }))
        }
        CType::Array { .. } => Some(BYTE.to_owned()),
        _ => None,
    }
}

/// What lies at the bytes of an object where cells begin.
type Contents = BTreeMap<u64, Value>;

impl<'a> CSyntax<'a> {
    /// The names of the inputs that a harness makes, in the words of the source.
    pub fn new(lowered: &'a Lowered, harness: &'a Harness) -> CSyntax<'a> {
        let mut words = CSyntax {
            lowered,
            harness,
            names: FxHashMap::default(),
            nulls: FxHashMap::default(),
            objects: FxHashMap::default(),
            tables: FxHashMap::default(),
            targets: Targets::default(),
            sentinels: FxHashMap::default(),
            ways: FxHashMap::default(),
            atoms: RefCell::default(),
            calls: RefCell::default(),
            results: Vec::new(),
            index: None,
        };
        let is_pointer = |ty| matches!(lowered.types.resolved(ty), CType::Pointer(_) | CType::Array { .. });
        // A structure is passed as an object that the harness makes.
        let is_record = |ty| matches!(lowered.types.resolved(ty), CType::Record { .. });
        let by_value = |param: &&InputParam| param.object.is_some() && is_record(param.ty);
        let passed: Vec<usize> = harness.params.iter().filter(by_value).filter_map(|p| p.object).collect();
        for param in harness.params.iter().filter(|param| !by_value(param)) {
            if is_pointer(param.ty)
                && lowered.program.terms.symbol(param.symbol).sort == footpath_term::SortId::BOOL
            {
                words.nulls.insert(param.symbol, param.name.clone());
            } else {
                words.names.insert(param.symbol, (param.name.clone(), Some(param.ty)));
            }
        }
        let arguments = harness.arguments.as_ref().map(|arguments| &arguments.object);
        for (i, object) in harness.objects.iter().chain(arguments).enumerate() {
            let name = as_c(&object.name, harness, lowered);
            if passed.contains(&i) {
                let named = Named::variable(&name, object.element, object.memory);
                words.objects.insert(u64::from(object.number), named);
                continue;
            }
            if let Some(count) = object.count {
                words.names.insert(count, (format!("length({name})"), None));
            }
            let converted = conversion(lowered, harness, object);
            words.objects.insert(u64::from(object.number), Named::pointed_to(name, object, converted));
        }
        for setting in &harness.settings {
            match &setting.value {
                SettingValue::Variables(symbols) => {
                    let named = (setting.name.clone(), Some(setting.ty));
                    words.names.extend(symbols.first().map(|&symbol| (symbol, named)));
                }
                SettingValue::Memory { number, memory } => {
                    let named = Named::variable(&setting.name, setting.ty, *memory);
                    words.objects.insert(u64::from(*number), named);
                }
            }
        }
        let program = &lowered.program;
        let statements =
            program[harness.procedure].bodies[0].blocks.iter().flat_map(|block| &block.statements);
        let mut initial: FxHashMap<u64, Contents> = FxHashMap::default();
        for statement in statements {
            let StatementKind::Assign(pairs) = &statement.kind else { continue };
            for &(_, map) in pairs {
                initial.extend(contents(&program.terms, map).unwrap_or_default());
            }
        }
        for table in &harness.tables {
            let number = u64::from(table.number);
            let named = || Named::variable(&table.name, table.element, table.memory);
            words.tables.extend(initial.remove(&number).map(|all| (number, (named(), all))));
        }
        for link in harness.links.iter().filter(|link| !link.sentinels.is_empty()) {
            if let Some(object) = words.objects.get(&u64::from(link.object)) {
                let (name, _) = words.place(object, link.offset, u64::from(lowered.shape.bits / 8));
                words.sentinels.insert(name, link.sentinels.clone());
            }
        }
        let (targets, led) = words.find_targets();
        words.targets = targets;
        words.ways = words.find_ways(&led);
        words
    }

    /// The inputs of a test, as far as they are numbers, whether pointers are null, and lengths.
    pub fn inputs(
        &self,
        interpreter: &Interpreter<'_>,
        terms: &Terms,
        condition: &Dnf,
        script: &Script,
    ) -> Vec<(String, String)> {
        let program = &self.lowered.program;
        let mut inputs = Vec::new();
        let literals: Vec<TermId> = condition.cubes.iter().flatten().copied().collect();
        let parts = terms.post_order(&literals);
        // What a pointer that is null does not lead to.
        let mut nothing: Vec<String> = Vec::new();
        let body = &program[self.harness.procedure].bodies[0];
        let is_in_it = |s: &SymbolId| parts.iter().any(|&t| terms.term(t).op == Op::Var(*s));
        let variables = self.harness.settings.iter().filter_map(first_symbol).filter(is_in_it);
        let results = self.results.iter().map(|result| result.symbol).filter(is_in_it);
        for symbol in variables.chain(body.params.iter().map(|v| v.symbol)).chain(results) {
            let given = script.entries.get(&(0, symbol)).cloned();
            let Some(value) = given.or_else(|| default_value(interpreter, terms.symbol(symbol).sort).ok())
            else {
                continue;
            };
            if let Some(name) = self.nulls.get(&symbol) {
                let is_null = value == Value::Bool(true);
                nothing.extend(is_null.then(|| name.clone()));
                let text = if is_null { "NULL" } else { "not NULL" };
                inputs.push((name.clone(), text.to_owned()));
            } else if let Some(text) = self.character_of(symbol, &value) {
                inputs.push(text);
            } else if let Some((name, ty)) = self.names.get(&symbol) {
                let of = name.strip_prefix("length(").unwrap_or_default();
                if nothing.iter().any(|p| leads_to(p, of)) {
                    continue;
                }
                let text = self.shown(&value, *ty);
                nothing.extend((text == "NULL").then(|| name.clone()));
                inputs.push((name.clone(), text));
            }
        }
        for t in parts {
            let term = terms.term(t);
            let (Op::Select, [map, number_of, offset]) = (&term.op, term.args.as_slice()) else { continue };
            let (Op::Var(memory), Some(number_of), Some(offset)) =
                (&terms.term(*map).op, terms.literal(*number_of), terms.literal(*offset))
            else {
                continue;
            };
            let index = [number_of.clone(), offset.clone()];
            let (Some(object), Some(Value::Map(map)), Some(offset)) = (
                number_of.as_u64().and_then(|n| self.objects.get(&n)),
                script.entries.get(&(0, *memory)),
                offset.as_u64(),
            ) else {
                continue;
            };
            if nothing.iter().any(|p| leads_to(p, &object.name)) {
                continue;
            }
            let count = object.count.and_then(|count| script.entries.get(&(0, count))?.as_u64());
            if count.is_some_and(|count| offset >= count.saturating_mul(self.size(object.ty))) {
                continue;
            }
            let value = map.get(&index);
            if let Some(PointerCell { text, shift, part }) = self.pointer_cell(terms, t) {
                if part.is_some() {
                    continue;
                }
                let shape = self.lowered.shape;
                let number = value.as_u64().filter(|_| terms.width(terms.sort(t)) == Some(shape.bits));
                if let Some(number) = number.and_then(|number| pointers::sentinel(shape, number)) {
                    nothing.push(text.clone());
                    inputs.push((text, number));
                    continue;
                }
                let target = value.as_u64().map_or(0, |value| value >> shift);
                let named = self.objects.get(&target).filter(|object| object.name != text);
                let known = || self.target(target).unwrap_or_else(|| "not NULL".to_owned());
                nothing.extend((target == 0).then(|| text.clone()));
                inputs.push((text, named.map_or_else(known, |object| object.name.clone())));
                continue;
            }
            if self.is_in_pointer(object, offset) {
                continue;
            }
            if let Some((place, ty, value)) = self.whole_number(object, &index[0], offset, map) {
                if !inputs.iter().any(|(name, _)| *name == place) {
                    inputs.push((place, self.shown(&value, Some(ty))));
                }
                continue;
            }
            let (place, ty) = self.place(object, offset, object.grain.unwrap_or(1));
            let text = match ty {
                Some(ty) => self.shown(value, Some(ty)),
                None => number(value, self.is_unsigned(terms, t) == Some(true)),
            };
            inputs.push((place, text));
        }
        inputs
    }

    /// The value of a parameter or variable of a type; of none if it is a length.
    fn shown(&self, value: &Value, ty: Option<CTypeId>) -> String {
        if ty.is_some_and(|ty| self.is_pointer(ty)) {
            return value.as_u64().and_then(|n| self.target(n)).unwrap_or_else(|| "not NULL".to_owned());
        }
        let float = || match value {
            Value::BitVec { width, bits } => floats::constant(*width, bits.to_u64()?),
            _ => None,
        };
        let text = match ty {
            Some(ty) if self.is_float(ty) => float().map(|text| text.text),
            Some(ty) if self.is_char(ty) => character(value),
            _ => None,
        };
        text.unwrap_or_else(|| number(value, ty.is_none_or(|ty| self.unsigned(ty))))
    }

    fn is_pointer(&self, ty: CTypeId) -> bool {
        matches!(self.lowered.types.resolved(ty), CType::Pointer(_))
    }

    /// The name of the object or function with a number, if it has one.
    fn target(&self, number: u64) -> Option<String> {
        if number == 0 {
            return Some("NULL".to_owned());
        }
        let name = self.harness.names.get(&u32::try_from(number).ok()?)?;
        let variable = self.objects.get(&number).or_else(|| self.tables.get(&number).map(|(named, _)| named));
        let is_array = |named: &Named| matches!(self.lowered.types.resolved(named.ty), CType::Array { .. });
        let has_address = variable.is_some_and(|named| named.is_variable && !is_array(named));
        Some(if has_address { format!("&{name}") } else { name.clone() })
    }

    fn is_char(&self, ty: CTypeId) -> bool {
        matches!(self.lowered.types.resolved(ty), CType::Int { is_char: true, .. })
    }

    fn unsigned(&self, ty: CTypeId) -> bool {
        match self.lowered.types.resolved(ty) {
            CType::Int { signed, .. } => !signed,
            CType::Bool | CType::Pointer(_) => true,
            // Compilers take a type without a sign, if no value needs one.
            CType::Enum { values, .. } => values.iter().all(|(_, value)| *value >= 0),
            _ => false,
        }
    }

    /// How many bytes a type has.
    fn size(&self, ty: CTypeId) -> u64 {
        self.lowered.types.size(ty, u64::from(self.lowered.shape.bits / 8))
    }

    /// Whether a number is text in the source.
    fn is_text(&self, terms: &Terms, t: TermId) -> bool {
        // What the library makes of characters is one.
        if self.calls.borrow().get(&t).is_some_and(Option::is_some) {
            return true;
        }
        let term = terms.term(t);
        let ty = match term.op {
            Op::SignExtend(_) | Op::ZeroExtend(_) => return self.is_text(terms, term.args[0]),
            Op::Var(s) if self.is_text_result(s) => return true,
            Op::Var(s) => self.names.get(&s).and_then(|(_, ty)| *ty),
            Op::Select => self.read(terms, t).and_then(|(_, ty)| ty),
            _ => None,
        };
        ty.is_some_and(|ty| self.is_char(ty))
    }

    /// The bits of a `long`.
    pub(crate) fn long_bits(&self) -> u32 {
        if self.has_wide_long() { 64 } else { 32 }
    }

    /// Whether a `long` has 64 bits.
    fn has_wide_long(&self) -> bool {
        self.lowered.shape.bits >= 64
    }
}

fn cast(ty: &str, part: Printed) -> Printed {
    let text = if part.level < 10 { format!("({})", part.text) } else { part.text };
    Printed::new(format!("({ty}){text}"), 10)
}

/// The first variable of the program in which an input is.
fn first_symbol(setting: &Setting) -> Option<SymbolId> {
    match &setting.value {
        SettingValue::Variables(symbols) => symbols.first().copied(),
        SettingValue::Memory { .. } => None,
    }
}

/// The access path to an object in C: `s.next` of a pointer `s` is `s->next`, and `s.u.next` is `s->u.next` if `u` is a
/// member that is no pointer.
fn as_c(name: &str, harness: &Harness, lowered: &Lowered) -> String {
    let settings = harness.settings.iter().map(|s| (s.name.as_str(), s.ty));
    let params = harness.params.iter().map(|p| (p.name.as_str(), p.ty));
    let starts = settings.chain(params).filter(|(start, _)| {
        name.strip_prefix(*start).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    });
    let longest = starts.max_by_key(|(start, _)| start.len());
    let (start, mut ty) = longest.map_or(("", None), |(start, ty)| (start, Some(ty)));
    let resolved = |ty: CTypeId| lowered.types.resolved(ty);
    let mut text = start.to_owned();
    let mut rest = &name[start.len()..];
    while let Some(first) = rest.chars().next() {
        let behind = first.len_utf8();
        let end = rest[behind..].find(['.', '[']).map_or(rest.len(), |end| end + behind);
        let step = &rest[..end];
        rest = &rest[end..];
        let element = ty.and_then(|ty| match resolved(ty) {
            CType::Pointer(to) => Some(*to),
            CType::Array { element, .. } => Some(*element),
            _ => None,
        });
        match first {
            '[' => {
                ty = element;
                text.push_str(step);
            }
            '.' => {
                let is_record = ty.is_some_and(|ty| matches!(resolved(ty), CType::Record { .. }));
                text.push_str(if is_record || text.ends_with(']') { "." } else { "->" });
                text.push_str(&step[1..]);
                let record = if is_record { ty } else { element };
                ty = record.and_then(|ty| match resolved(ty) {
                    CType::Record { fields, .. } => {
                        fields.iter().find(|field| field.name == step[1..]).map(|field| field.ty)
                    }
                    _ => None,
                });
            }
            _ => text.push_str(step),
        }
    }
    text
}

/// Whether the access path to an object begins with a pointer.
fn leads_to(pointer: &str, way: &str) -> bool {
    let rest = way.strip_prefix(pointer);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn number(value: &Value, unsigned: bool) -> String {
    match value {
        Value::BitVec { width, bits } if !unsigned => Value::signed(*width, bits).to_string(),
        Value::BitVec { bits, .. } => bits.to_string(),
        value => value.to_string(),
    }
}

/// A byte as C writes characters, if it does.
fn character(value: &Value) -> Option<String> {
    match value {
        Value::BitVec { width: 8, bits } => quoted(bits.to_u8()?),
        _ => None,
    }
}

/// The type of numbers of so many bits, on a machine on which `long` has 64 of them or not.
pub fn integer(bits: u32, unsigned: bool, wide_long: bool) -> &'static str {
    match (bits, unsigned) {
        (8, false) => "signed char",
        (8, true) => "unsigned char",
        (16, false) => "short",
        (16, true) => "unsigned short",
        (64, false) if wide_long => "long",
        (64, true) if wide_long => "unsigned long",
        (64, false) => "long long",
        (64, true) => "unsigned long long",
        (128, false) => "__int128",
        (128, true) => "unsigned __int128",
        (_, false) => "int",
        (_, true) => "unsigned",
    }
}

/// A character as C writes it, if it can be seen.
pub fn quoted(c: u8) -> Option<String> {
    match c {
        b'\'' | b'\\' => Some(format!("'\\{}'", c as char)),
        b'\n' => Some("'\\n'".to_owned()),
        b'\t' => Some("'\\t'".to_owned()),
        0x20..=0x7e => Some(format!("'{}'", c as char)),
        _ => None,
    }
}

impl Dialect for CSyntax<'_> {
    fn term(&self, terms: &Terms, t: TermId, inner: &dyn Fn(TermId) -> Printed) -> Option<Printed> {
        let term = terms.term(t);
        match &term.op {
            _ if let Some(text) = self.library_call(t, inner) => Some(text),
            _ if let Some(text) = self.pointer_or_float(terms, t, inner, false) => Some(text),
            Op::Concat if let Some((text, _)) = self.number_as_named(terms, t, &inner) => Some(text),
            Op::Var(_) | Op::Select if self.is_float_place(terms, t) => {
                Some(self.number_as_named(terms, t, &inner)?.0)
            }
            Op::Var(_) | Op::Select => self.named(terms, t, inner),
            Op::SignExtend(_) | Op::ZeroExtend(_) => Some(self.extended(terms, t, inner)),
            // A `_Bool` as a number.
            Op::Ite if matches!(terms.term(term.args[0]).op, Op::Var(s) if self.names.contains_key(&s)) => {
                let is = |t: TermId, n| terms.literal(t).and_then(Value::as_u64) == Some(n);
                (is(term.args[1], 1) && is(term.args[2], 0)).then(|| inner(term.args[0]))
            }
            // The low bits: what a conversion leaves.
            Op::Extract(high, 0) if is_machine(high + 1) => {
                Some(cast(&self.integer(high + 1, false), inner(term.args[0])))
            }
            _ => None,
        }
    }

    /// The limits have names, and what is near them is said from there. The least numbers need it: `-2147483648` is a
    /// `long` in C.
    fn number(&self, n: &BigInt, bits: u32, unsigned: bool) -> Option<Printed> {
        let long = if self.has_wide_long() { "LONG" } else { "LLONG" };
        let kind = match bits {
            32 => "INT",
            64 | 128 => long,
            _ => return None,
        };
        let half = BigInt::from(1) << (bits.min(64) - 1);
        let limits = [
            (format!("{kind}_MIN"), -&half, !unsigned),
            (format!("{kind}_MAX"), &half - 1, true),
            (format!("U{kind}_MAX"), &half * 2 - 1, unsigned),
        ];
        // A wide number may be beside what overflows a narrow one.
        let narrow = [
            ("INT_MIN", BigInt::from(i32::MIN)),
            ("INT_MAX", BigInt::from(i32::MAX)),
            ("UINT_MAX", BigInt::from(u32::MAX)),
        ];
        if let Some((name, _)) = narrow.iter().find(|(_, limit)| bits == 64 && limit == n) {
            return Some(Printed::atom(*name));
        }
        limits.into_iter().filter(|(_, _, is)| *is).find_map(|(name, limit, _)| {
            let from: BigInt = n - &limit;
            match from.to_i64()? {
                0 => Some(Printed::atom(name)),
                // Beyond the greatest one there is none to be said from it.
                above @ 1..=NEAR if limit < BigInt::from(0) => {
                    Some(Printed::new(format!("{name} + {above}"), 6))
                }
                below if (-NEAR..0).contains(&below) => Some(Printed::new(format!("{name} - {}", -below), 6)),
                _ => (2..=LARGEST_FACTOR)
                    .find(|k| limit.bits() > 16 && &limit / *k == *n)
                    .map(|k| Printed::new(format!("{name} / {k}"), 7)),
            }
        })
    }

    /// A constant: strings are compared with characters, pointers with `NULL`.
    fn constant(&self, terms: &Terms, n: &BigInt, beside: TermId) -> Option<Printed> {
        if let Op::Var(s) = terms.term(beside).op
            && self.names.get(&s).is_some_and(|(_, ty)| ty.is_some_and(|ty| self.is_pointer(ty)))
        {
            return self.target(n.to_u64()?).map(Printed::atom);
        }
        let text = quoted(n.to_u8()?)?;
        self.is_text(terms, beside).then(|| Printed::atom(text))
    }

    fn integer(&self, bits: u32, unsigned: bool) -> String {
        integer(bits, unsigned, self.has_wide_long()).to_owned()
    }

    fn can_say(&self, terms: &Terms, t: TermId) -> bool {
        self.total_condition(terms, t).is_some()
    }

    /// The printing order of literals: null tests first, then numbers, then sums, then reads of memory, those at
    /// known places first.
    fn rank(&self, terms: &Terms, literal: TermId) -> u8 {
        let inner = match terms.term(literal).op {
            Op::Not => terms.term(literal).args[0],
            _ => literal,
        };
        if matches!(terms.term(inner).op, Op::Var(s) if self.nulls.contains_key(&s)) {
            return 0;
        }
        let needs = |t: &TermId| {
            let term = terms.term(*t);
            let known = term.args.iter().filter(|&&a| terms.literal(a).is_some()).count();
            match term.op {
                Op::Select if known < 2 => 4,
                Op::Select => 3,
                // What C does not divide or shift by.
                Op::BvSdiv | Op::BvSrem | Op::BvUdiv | Op::BvUrem | Op::BvShl | Op::BvLshr | Op::BvAshr
                    if terms.literal(term.args[1]).is_none() =>
                {
                    2
                }
                // The length of an array that is there.
                Op::Var(s) if self.names.get(&s).is_some_and(|(_, ty)| ty.is_none()) => 3,
                // What may overflow is asked about before.
                Op::BvAdd | Op::BvSub | Op::BvMul if known == 0 => 2,
                _ => 1,
            }
        };
        terms.post_order(&[literal]).iter().map(needs).max().unwrap_or(1)
    }

    fn is_unsigned(&self, terms: &Terms, t: TermId) -> Option<bool> {
        let term = terms.term(t);
        match term.op {
            Op::Var(s) => {
                let (_, ty) = self.names.get(&s)?;
                Some(ty.is_some_and(|ty| self.unsigned(ty)))
            }
            Op::Select => match self.read(terms, t)?.1 {
                Some(ty) => Some(self.unsigned(ty)),
                None => Some(true),
            },
            Op::SignExtend(_) | Op::ZeroExtend(_) | Op::Extract(_, 0) => Some(false),
            // What C computes with both kinds is unsigned.
            Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg | Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor => {
                let all: Option<Vec<bool>> = term
                    .args
                    .iter()
                    .filter(|&&a| terms.literal(a).is_none())
                    .map(|&a| self.is_unsigned(terms, a))
                    .collect();
                Some(all?.contains(&true))
            }
            Op::BvUdiv | Op::BvUrem => Some(true),
            Op::BvSdiv | Op::BvSrem => Some(false),
            _ => None,
        }
    }

    fn is_small(&self, terms: &Terms, t: TermId) -> bool {
        match terms.term(t).op {
            Op::ZeroExtend(by) => by > 0,
            Op::Var(s) => self.names.get(&s).is_some_and(|(_, ty)| ty.is_none()),
            _ => false,
        }
    }
}

impl CSyntax<'_> {
    /// A condition that is not one of whole numbers: on pointers, on floating-point numbers, or a truth value that has a name.
    /// What is printed inside of it is `total` if it is defined for all inputs.
    fn pointer_or_float(
        &self,
        terms: &Terms,
        t: TermId,
        inner: &dyn Fn(TermId) -> Printed,
        total: bool,
    ) -> Option<Printed> {
        let term = terms.term(t);
        let (is_not, inside) = match term.op {
            Op::Not => (true, term.args[0]),
            _ => (false, t),
        };
        let text = match terms.term(inside).op {
            Op::Eq => self.leads(terms, inside, !is_not)?,
            Op::Var(s) => {
                let name = self.nulls.get(&s)?;
                Printed::new(format!("{name} {} NULL", if is_not { "!=" } else { "==" }), 4)
            }
            Op::Apply(_) | Op::BvSlt | Op::BvSle => {
                let text = self.float_condition(terms, inside, !is_not, inner)?;
                if !total && well_definedness::computes(terms, t) {
                    return Some(text);
                }
                text
            }
            _ => return None,
        };
        self.atoms.borrow_mut().note(&text.text, t, false);
        Some(text)
    }

    /// A condition that has a text of its own, with numbers inside of it that are defined for all inputs.
    pub(crate) fn truth_as_named(&self, terms: &Terms, t: TermId) -> Option<Printed> {
        let inner = |t: TermId| self.number_in_float(terms, t);
        if let Op::Var(s) = terms.term(t).op
            && !self.nulls.contains_key(&s)
        {
            return self.named(terms, t, &inner);
        }
        let text = self.pointer_or_float(terms, t, &inner, true)?;
        (!text.text.contains(UNSAYABLE)).then_some(text)
    }

    /// What is assumed of lengths: no object is that large.
    pub(crate) fn lengths(&self, terms: &mut Terms) -> Vec<TermId> {
        let counts = self.harness.objects.iter().filter_map(|object| object.count);
        let mut facts = Vec::new();
        for count in counts {
            let count = terms.var(count);
            if let Some(width) = terms.width(terms.sort(count)).filter(|width| *width > 24) {
                let most = terms.bit_vec(width, 1 << 20);
                facts.push(terms.app(Op::BvUle, [count, most]));
            }
        }
        facts
    }

    /// A number in a wider type. To `int` C promotes by itself.
    fn extended(&self, terms: &Terms, t: TermId, inner: &dyn Fn(TermId) -> Printed) -> Printed {
        let term = terms.term(t);
        let from = term.args[0];
        let signed = matches!(term.op, Op::SignExtend(_));
        let (bits, width) =
            (terms.width(terms.sort(from)).unwrap_or_default(), terms.width(term.sort).unwrap_or_default());
        let low = match terms.term(from).op {
            // An extension says how what was cut off is read.
            Op::Extract(high, 0) if is_machine(high + 1) => {
                cast(&self.integer(bits, !signed), inner(terms.term(from).args[0]))
            }
            _ if self.is_unsigned(terms, from).is_some_and(|is| is == signed)
                && !self.is_small(terms, from) =>
            {
                cast(&self.integer(bits, !signed), inner(from))
            }
            _ => inner(from),
        };
        if width == 32 { low } else { cast(&self.integer(width, false), low) }
    }
}

/// Stands for what cannot be said in a text that is then not used.
pub(crate) const UNSAYABLE: &str = "?!";

fn is_machine(bits: u32) -> bool {
    matches!(bits, 8 | 16 | 32 | 64)
}
