//! Stubs of external functions: definitions for the linker, which return what the test says, call by call, and write
//! what it says into the caller's locals.

use std::collections::BTreeMap;
use std::fmt::Write;

use footpath_frontend::c::source::library_models::INPUTS;
use footpath_frontend::c::{Lowered, Stub, StubType, StubWrite};
use footpath_term::Value;
use num_traits::ToPrimitive;

use crate::emit::Case;
use crate::image::Image;
use crate::inputs::StubResult;
use crate::library_world;
use crate::value::{double, long_double, single};

/// A test with the names of objects in it.
pub(crate) type NamedCase<'a> = (&'a Case, &'a BTreeMap<u32, String>);

/// The definitions of external functions.
pub(crate) fn stubs(lowered: &Lowered, cases: &[NamedCase<'_>], missing: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::new();
    for stub in defined_stubs(lowered, missing) {
        let called: Vec<Vec<&[Value]>> = cases
            .iter()
            .map(|(case, _)| {
                let calls = case.inputs.returned.iter().filter(|r| r.procedure == stub.procedure);
                calls.map(|r| r.value.as_slice()).collect()
            })
            .collect();
        out.push_str(&stub_definition(lowered, cases, stub, &called));
    }
    for (name, bytes) in &lowered.missing {
        let _ = writeln!(out, "unsigned char {name}[{}] __attribute__((aligned(16)));\n", bytes.max(&1));
    }
    if out.is_empty() {
        return out;
    }
    format!(
        "/* External functions: they return what the test says, call by call. */\nextern int footpath_test_number;\n\
         __attribute__((noreturn)) void footpath_end_test(void);\n\
         void *footpath_given(void *value, unsigned size);\n\
         void footpath_called(const char *name, const char *kinds, ...);\nint *__errno_location(void);\n\n{out}"
    )
}

/// The external functions that tests define.
pub(crate) fn defined_stubs<'a>(
    lowered: &'a Lowered,
    missing: &'a dyn Fn(&str) -> bool,
) -> impl Iterator<Item = &'a Stub> {
    let is_defined = |s: &&Stub| missing(&s.name) && !library_world::DEFINED.contains(&s.name.as_str());
    lowered.stubs.iter().filter(is_defined)
}

fn stub_definition(
    lowered: &Lowered,
    cases: &[NamedCase<'_>],
    stub: &Stub,
    called: &[Vec<&[Value]>],
) -> String {
    if stub.never_returns {
        return format!("void {}(void)\n{{\n    footpath_end_test();\n}}\n\n", stub.name);
    }
    let mut arrays = String::new();
    let structure = format!("struct {}_result", stub.name);
    let (ty, zero) = match stub.ret {
        _ if !stub.parts.is_empty() => {
            arrays.push_str(&result_structure(&structure, &stub.parts));
            (structure.as_str(), format!(" ({structure}){{0}}"))
        }
        StubType::Void => ("void", String::new()),
        StubType::Pointer => ("void *", " 0".to_owned()),
        number => (number_type(number), " 0".to_owned()),
    };
    let mut switch = String::new();
    for (i, ((case, names), calls)) in cases.iter().zip(called).enumerate() {
        let mut lines = String::new();
        for write in &stub.writes {
            lines.push_str(&stub_write(case, write));
        }
        if let Some(last) = calls.len().checked_sub(1) {
            let value = |(k, value)| stub_value(lowered, names, case, stub, value, (i, k), &mut arrays);
            let values: Vec<String> = calls.iter().copied().enumerate().map(value).collect();
            let _ = writeln!(lines, "        static {ty} const values[] = {{{}}};", values.join(", "));
            if case.endless {
                let _ = writeln!(lines, "        if (call > {last})\n            footpath_end_test();");
            } else {
                let _ = writeln!(lines, "        if (call > {last})\n            call = {last};");
            }
            // An object is the caller's, who may free it.
            let size = |(k, value): (usize, &String)| {
                if *value == object_name(stub, i, k) { stub.bytes + 1 } else { 0 }
            };
            let sizes: Vec<u32> = values.iter().enumerate().map(size).collect();
            if stub.ret == StubType::Pointer && sizes.iter().any(|&size| size > 0) {
                let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
                let _ = writeln!(
                    lines,
                    "        static unsigned const sizes[] = {{{}}};\n        return footpath_given(values[call], sizes[call]);",
                    sizes.join(", ")
                );
            } else {
                lines.push_str("        return values[call];\n");
            }
        } else if !lines.is_empty() {
            let _ = writeln!(lines, "        return{zero};");
        }
        if !lines.is_empty() {
            let _ = writeln!(switch, "    case {}: {{\n{lines}    }}", i + 1);
        }
    }
    let through_some = stub.writes.iter().any(|write| write.param.is_some());
    let tells = calls_told(stub);
    let params = if through_some || tells.is_some() { stub_params(stub) } else { "void".to_owned() };
    let tells = tells.unwrap_or_default();
    let body = match (switch.is_empty(), stub.ret) {
        (true, StubType::Void) => tells,
        (true, _) => format!("{tells}    return{zero};\n"),
        (false, _) => format!(
            "    static unsigned calls;\n    unsigned call = calls++;\n{tells}    switch (footpath_test_number) {{\n{switch}    default: return{zero};\n    }}\n"
        ),
    };
    format!("{arrays}{ty} {}({params})\n{{\n{body}}}\n\n", stub.name)
}

/// A type with as many bits as a number has.
pub(crate) fn number_type(ty: StubType) -> &'static str {
    match ty {
        StubType::Int(0..=8) => "unsigned char",
        StubType::Int(9..=16) => "unsigned short",
        StubType::Int(17..=32) => "unsigned int",
        StubType::Float(32) => "float",
        StubType::Float(_) => "double",
        // No other number has so many bits.
        StubType::Int(80) => "long double",
        _ => "unsigned long long",
    }
}

/// Whether the definition of an external function tells the test of its calls.
pub(crate) fn tells_of_calls(stub: &Stub) -> bool {
    !stub.never_returns && calls_told(stub).is_some()
}

/// The statement that tells the test of a call and its arguments. Of a structure or a number that is wider than any
/// register it is not known where it is passed. What models of the library ask for is no call of the program's.
fn calls_told(stub: &Stub) -> Option<String> {
    if !stub.is_plain || INPUTS.contains(&&*stub.name) {
        return None;
    }
    let (mut kinds, mut arguments) = (String::new(), String::new());
    for (i, ty) in stub.params.iter().enumerate() {
        let (kind, cast) = match ty {
            StubType::Int(0..=8) => ('i', "(long long)(signed char)"),
            StubType::Int(9..=16) => ('i', "(long long)(short)"),
            StubType::Int(17..=32) => ('i', "(long long)(int)"),
            StubType::Int(33..=64) => ('i', "(long long)"),
            StubType::Float(32 | 64) => ('d', "(double)"),
            StubType::Pointer => ('p', ""),
            _ => return None,
        };
        kinds.push(kind);
        let _ = write!(arguments, ", {cast}p{i}");
    }
    Some(format!("    footpath_called(\"{}\", \"{kinds}\"{arguments});\n", stub.name))
}

/// The parameters of a function that writes through some of them, or tells of its arguments.
pub(crate) fn stub_params(stub: &Stub) -> String {
    if stub.params.is_empty() {
        return "void".to_owned();
    }
    let declare = |(i, ty): (usize, &StubType)| match ty {
        StubType::Pointer => format!("void *p{i}"),
        ty => format!("{} p{i}", number_type(*ty)),
    };
    stub.params.iter().enumerate().map(declare).collect::<Vec<_>>().join(", ")
}

/// A structure of numbers that is returned in registers as the tested code's own is.
pub(crate) fn result_structure(name: &str, parts: &[StubType]) -> String {
    let members: Vec<String> =
        parts.iter().enumerate().map(|(i, &part)| format!("{} m{i};", number_type(part))).collect();
    format!("{name} {{ {} }};\n", members.join(" "))
}

/// The code that writes through a parameter or into `errno`, call by call; nothing is written in calls that pass no
/// address of a local.
fn stub_write(case: &Case, write: &StubWrite) -> String {
    let size_of =
        |r: &StubResult| write.procedures.iter().find(|(_, p)| *p == r.procedure).map(|(size, _)| *size);
    let values: Vec<(u32, Vec<u8>)> = case
        .inputs
        .returned
        .iter()
        .filter_map(|r| {
            let mut bytes = match r.value.first() {
                Some(Value::BitVec { bits, .. }) => bits.to_bytes_le(),
                _ => Vec::new(),
            };
            bytes.resize(write.bytes as usize, 0);
            Some((size_of(r)?, bytes))
        })
        .collect();
    let Some(least) = values.iter().map(|(size, _)| *size).filter(|size| *size > 0).min() else {
        return String::new();
    };
    let count = values.len();
    let (name, to) = match write.param {
        Some(i) => (format!("written_{i}"), format!("p{i}")),
        None => ("written_errno".to_owned(), "__errno_location()".to_owned()),
    };
    let is_number =
        matches!(write.bytes, 1 | 2 | 4 | 8) && write.pieces == [(0, write.bytes)] && least == write.bytes;
    let list: Vec<String> = values
        .iter()
        .map(|(size, bytes)| {
            let value = if is_number {
                let n = bytes.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
                format!("{n}U")
            } else {
                let last = bytes.iter().rposition(|&b| b != 0).unwrap_or(0);
                let bytes: Vec<String> = bytes[..=last].iter().map(u8::to_string).collect();
                format!("{{{}}}", bytes.join(", "))
            };
            format!("{{{size}, {value}}}")
        })
        .collect();
    let list = list.join(", ");
    let member = if is_number {
        format!("{} value", number_type(StubType::Int(8 * write.bytes)))
    } else {
        format!("unsigned char value[{}]", write.bytes)
    };
    let mut out = format!(
        "        static const struct {{ unsigned char size; {member}; }} {name}[] = {{{list}}};\n        if (call < {count} && {name}[call].size) {{\n"
    );
    for (from, end) in &write.pieces {
        let value = if is_number { "&" } else { "" };
        // Calls pass objects of different sizes.
        let (guard, size) = if *end <= least {
            (String::new(), (end - from).to_string())
        } else {
            let size = format!("{name}[call].size");
            (format!("if ({size} > {from}) "), format!("({size} < {end} ? {size} : {end}) - {from}"))
        };
        let _ = writeln!(
            out,
            "            {guard}__builtin_memcpy((char *){to} + {from}, (const char *){value}{name}[call].value + {from}, {size});"
        );
    }
    out.push_str("        }\n");
    out
}

fn stub_value(
    lowered: &Lowered,
    names: &BTreeMap<u32, String>,
    case: &Case,
    stub: &Stub,
    value: &[Value],
    (test, call): (usize, usize),
    arrays: &mut String,
) -> String {
    if !stub.parts.is_empty() {
        let members: Vec<String> =
            stub.parts.iter().zip(value).map(|(&part, v)| stub_number(part, number(v))).collect();
        return format!("{{{}}}", members.join(", "));
    }
    let Some(first) = value.first() else { return "0".to_owned() };
    match stub.ret {
        StubType::Pointer => {
            let (object, bits) = (number(first) as u32, lowered.shape.packed_offset());
            let offset = value.get(1).map_or(0, |offset| number(offset) as u64) & !(u64::MAX << bits);
            let packed = u64::from(object) << bits | offset;
            if lowered.shape.is_sentinel(packed) {
                return format!("(void *){packed:#x}");
            }
            if object == 0 {
                return "0".to_owned();
            }
            if let Some(function) = names.get(&object) {
                // Its address, whatever its type.
                let address = format!("{function}_from_{}_{}_{}", stub.name, test + 1, call + 1);
                let _ = writeln!(arrays, "extern char {address}[] __asm__(\"{function}\");");
                return address;
            }
            let name = object_name(stub, test, call);
            let map = stub.memory.and_then(|(symbol, _)| case.inputs.entries.get(&symbol));
            let grain = stub.memory.map_or(1, |(_, grain)| grain);
            let image = Image::new(map, grain, lowered.shape, object);
            let bytes: Vec<String> =
                (0..u64::from(stub.bytes)).map(|i| image.number_at(i, 1).to_string()).collect();
            let _ = writeln!(
                arrays,
                "static unsigned char {name}[{}] __attribute__((aligned(16))) = {{{}}};",
                // A text in it ends somewhere.
                stub.bytes + 1,
                bytes.join(", ")
            );
            name
        }
        scalar => stub_number(scalar, number(first)),
    }
}

/// The name of the object that a function returns in a call of a test.
fn object_name(stub: &Stub, test: usize, call: usize) -> String {
    format!("{}_{}_{}", stub.name, test + 1, call + 1)
}

fn number(value: &Value) -> u128 {
    match value {
        Value::BitVec { bits, .. } => bits.to_u128().unwrap_or(0),
        Value::Bool(b) => u128::from(*b),
        _ => 0,
    }
}

/// A number that a function returns, from its bits.
fn stub_number(ty: StubType, n: u128) -> String {
    match ty {
        StubType::Float(32) => single(n as u32),
        StubType::Float(_) => double(n as u64),
        StubType::Int(80) => long_double(n),
        _ if n > u128::from(u32::MAX) => format!("{n}ULL"),
        _ => format!("{n}U"),
    }
}
