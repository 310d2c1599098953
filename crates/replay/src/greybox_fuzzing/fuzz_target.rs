//! The fuzz target of a function: a C file that includes the function's source, tells the fuzzer what its inputs are
//! (`fuzzer.h`), and calls the function with them; and a file with external functions, whose results are inputs.
//!
//! Example: for `int f(char *s, int n)` it is `f(footpath_fuzz_pointers[0], …)`, where the second argument is read from the
//! input's bytes.

use std::fmt::Write;

use footpath_frontend::c::source::c_types::CType;
use footpath_frontend::c::{Lowered, Stub, StubType, StubWrite};

use super::layout::{CALLS, Goal, Holder, Kind, Layout, Owner, Results, written};
use crate::declare::declaration;
use crate::emit::{Statics, setting_name};
use crate::execution::RENAMED;
use crate::library_world;
use crate::quoting::header_name;
use crate::stubs::{number_type, result_structure, stub_params};
use footpath_frontend::c::Harness;

/// Names in the target that the fuzzer asks for begin so.
pub(super) const PREFIX: &str = "footpath_fuzz_";

/// The target. `source` is the path of the file that it includes.
pub(super) fn target(
    lowered: &Lowered,
    harness: &Harness,
    layout: &Layout<'_>,
    function: &str,
    source: &str,
) -> String {
    let mut out = head(lowered, source);
    out.push_str(&Statics::of(&lowered.types, harness).for_clang());
    tables(lowered, harness, layout, &mut out);
    out.push_str(&call(lowered, harness, function, &arguments(lowered, harness, layout)));
    out
}

/// The source itself, and what the target declares.
pub(super) fn head(lowered: &Lowered, source: &str) -> String {
    let mut out = String::new();
    if lowered.functions.iter().any(|f| f.name == "main") {
        let _ = writeln!(out, "#define main {RENAMED}");
    }
    let _ = writeln!(out, "#include {}", header_name(source));
    out.push_str("#undef main\n#include \"footpath_fuzzer.h\"\nextern int *__errno_location(void);\n");
    for callback in lowered.stubs.iter().filter(|s| s.name.starts_with("footpath_callback_")) {
        let _ = writeln!(out, "void {}(void);", callback.name);
    }
    out
}

/// The tables that say which bytes are which input.
pub(super) fn tables(lowered: &Lowered, harness: &Harness, layout: &Layout<'_>, out: &mut String) {
    let fields = layout.fields.iter().map(|field| {
        let (kind, limit) = match field.kind {
            Kind::Number => (0, 0),
            Kind::Float => (1, 0),
            Kind::Choice(among) => (2, among.max(1)),
        };
        format!("{{{}, {}, {}, {kind}, {limit}}}", field.at, field.size, field.count)
    });
    table("field", fields, out);
    let objects = layout.places.iter().map(|place| {
        let address = match place.owner {
            Owner::Object(_) => "0".to_owned(),
            Owner::Setting(index) => format!("(void *)&{}", setting_name(&harness.settings[index])),
        };
        let or_none = |at: Option<u32>| format!("{}, {}", u8::from(at.is_some()), at.unwrap_or(0));
        format!(
            "{{{address}, {}, {}, {}, {}, {}}}",
            place.element,
            place.most,
            or_none(place.count_at),
            or_none(place.content_at),
            u8::from(place.is_text)
        )
    });
    table("object", objects, out);
    let goal = |goal: &Goal| {
        let (address, place) = match goal.place {
            Some(place) => ("0".to_owned(), place as i64),
            None => (harness.names.get(&goal.number).map_or("0".to_owned(), |n| format!("(void *)&{n}")), -1),
        };
        format!("{{{address}, {place}, {}, {}}}", goal.offset, goal.element)
    };
    table("goal", layout.links.iter().flat_map(|link| &link.goals).map(goal), out);
    let mut first = 0;
    let links = layout.links.iter().map(|link| {
        let place = link.place.map_or(-1, |place| place as i64);
        let nullable = u8::from(link.nullable);
        let (offset, choice_at, count) = (link.offset, link.choice_at, link.goals.len());
        first += count;
        format!("{{{place}, {offset}, {choice_at}, {nullable}, {}, {count}}}", first - count)
    });
    table("link", links, out);
    table("result", results(lowered, layout), out);
    let _ = writeln!(
        out,
        "const unsigned footpath_fuzz_field_count = {}, footpath_fuzz_object_count = {}, footpath_fuzz_link_count = {};\n\
         const unsigned footpath_fuzz_input_size = {}, footpath_fuzz_stub_count = {};\n",
        layout.fields.len(),
        layout.places.len(),
        layout.links.len(),
        layout.size,
        result_count(lowered)
    );
}

/// Where the results of each external function are.
pub(super) fn results(lowered: &Lowered, layout: &Layout<'_>) -> impl Iterator<Item = String> {
    let row = |index| match layout.results.iter().find(|results| results.stub == index) {
        Some(Results { at, size, calls, length_at, .. }) => {
            let (has_length, length_at) = (u8::from(length_at.is_some()), length_at.unwrap_or(0));
            format!("{{{at}, {size}, {calls}, {has_length}, {length_at}}}")
        }
        None => "{0}".to_owned(),
    };
    let write = |number| match layout.written.iter().find(|written| written.number == number) {
        Some(written) => format!("{{{}, {}, {CALLS}, 0, 0}}", written.at, written.write.least),
        None => "{0}".to_owned(),
    };
    (0..lowered.stubs.len()).map(row).chain((0..written(lowered).count()).map(write))
}

/// How many tables of results a program has.
pub(super) fn result_count(lowered: &Lowered) -> usize {
    lowered.stubs.len() + written(lowered).count()
}

/// A table of structures; an empty one has a row of zeros.
pub(super) fn table(name: &str, rows: impl Iterator<Item = String>, out: &mut String) {
    let mut rows: Vec<String> = rows.collect();
    if rows.is_empty() {
        rows.push("{0}".to_owned());
    }
    let _ = writeln!(
        out,
        "const struct footpath_fuzz_{name} footpath_fuzz_{name}s[] = {{\n    {}\n}};",
        rows.join(",\n    ")
    );
}

/// The arguments with which the function is called.
pub(super) fn arguments(lowered: &Lowered, harness: &Harness, layout: &Layout<'_>) -> String {
    let types = &lowered.types;
    if harness.is_command_line {
        let all = ["1", "(char *[]){(char *)\"\", 0}", "(char *[]){0}"];
        return all[..harness.params.len().min(all.len())].join(", ");
    }
    let argument = |(index, param): (usize, &footpath_frontend::c::InputParam)| {
        let link = layout.links.iter().position(|l| matches!(l.holder, Holder::Param(i) if i == index));
        let variable = declaration(types, param.ty, "v");
        match (link, layout.scalars[index], param.object) {
            (Some(link), _, _) => format!("footpath_fuzz_pointers[{link}]"),
            (None, Some(at), _) => {
                format!("({{ {variable}; __builtin_memcpy(&v, footpath_fuzz_input + {at}, sizeof v); v; }})")
            }
            (None, None, Some(object)) => {
                let owner = Owner::Object(object);
                let place = layout.places.iter().position(|place| place.owner == owner).unwrap_or(0);
                format!(
                    "({{ {variable}; __builtin_memcpy(&v, footpath_fuzz_places[{place}], sizeof v); v; }})"
                )
            }
            (None, None, None) => format!("({{ {variable}; __builtin_memset(&v, 0, sizeof v); v; }})"),
        }
    };
    harness.params.iter().enumerate().map(argument).collect::<Vec<_>>().join(", ")
}

/// The function that calls the function.
pub(super) fn call(lowered: &Lowered, harness: &Harness, function: &str, arguments: &str) -> String {
    let types = &lowered.types;
    let callee = if function == "main" { RENAMED } else { function };
    let call = format!("{callee}({arguments})");
    let body = match types.resolved(harness.ret) {
        CType::Void => format!("    {call};\n"),
        // A compiler may leave out calls whose results nobody looks at.
        _ => format!(
            "    {} = {call};\n    __asm__ volatile(\"\" : : \"m\"(footpath_result));\n",
            declaration(types, harness.ret, "footpath_result")
        ),
    };
    format!("void footpath_fuzz_call(void)\n{{\n{body}}}\n")
}

/// The external functions: the same text for all functions of a program.
pub(super) fn externals(lowered: &Lowered, missing: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::from(
        "void footpath_fuzz_answer(unsigned function, void *result);\nvoid footpath_fuzz_end(void);\n\
         int footpath_fuzz_is_local(const void *at);\nint *__errno_location(void);\n\n",
    );
    let is_ours = |name: &str| !missing(name) || library_world::DEFINED.contains(&name);
    for (index, stub) in lowered.stubs.iter().enumerate().filter(|(_, s)| !is_ours(&s.name)) {
        let writes = written(lowered).enumerate().filter(|(_, (of, _))| *of == index);
        let writes: String =
            writes.map(|(number, (_, write))| written_by(lowered.stubs.len() + number, write)).collect();
        out.push_str(&external(index, stub, &writes));
    }
    for (name, bytes) in &lowered.missing {
        let _ = writeln!(out, "unsigned char {name}[{}] __attribute__((aligned(16)));\n", bytes.max(&1));
    }
    out
}

/// The code that writes through a parameter or into `errno`: as much as each call has room for.
fn written_by(row: usize, write: &StubWrite) -> String {
    let (to, condition) = match write.param {
        Some(i) => (format!("(char *)p{i}"), format!("if (footpath_fuzz_is_local(p{i}))")),
        None => ("(char *)__errno_location()".to_owned(), String::new()),
    };
    let pieces =
        write.pieces.iter().map(|&(from, end)| (from, end.min(write.least))).filter(|(from, end)| from < end);
    let copied: String = pieces
        .map(|(from, end)| format!("__builtin_memcpy({to} + {from}, w + {from}, {}); ", end - from))
        .collect();
    format!(
        "    {{\n        unsigned char w[{}] = {{0}};\n        footpath_fuzz_answer({row}, w);\n        {condition} {{ {copied}}}\n    }}\n",
        write.least
    )
}

/// The definition of an external function that first does what `writes` says.
fn external(index: usize, stub: &Stub, writes: &str) -> String {
    let name = &stub.name;
    let params = if writes.is_empty() { "void".to_owned() } else { stub_params(stub) };
    if stub.never_returns {
        return format!("void {name}(void) {{ footpath_fuzz_end(); }}\n");
    }
    if !stub.parts.is_empty() {
        let ty = format!("struct {name}_result");
        return format!(
            "{}{ty} {name}({params})\n{{\n{writes}    return ({ty}){{0}};\n}}\n",
            result_structure(&ty, &stub.parts)
        );
    }
    let ty = match stub.ret {
        StubType::Void => return format!("void {name}({params})\n{{\n{writes}}}\n"),
        StubType::Pointer => return format!("void *{name}({params})\n{{\n{writes}    return 0;\n}}\n"),
        number => number_type(number),
    };
    format!(
        "{ty} {name}({params})\n{{\n    {ty} v = 0;\n{writes}    footpath_fuzz_answer({index}, &v);\n    return v;\n}}\n"
    )
}
