//! The fuzz targets of functions: a C file that includes the functions' source, tells the fuzzer what the inputs of each are
//! (`fuzzer.h`), and calls a function with them; and a file with external functions, whose results are inputs.
//!
//! Example: for `int f(char *s, int n)` it is `f(footpath_fuzz_pointers[0], …)`, where the second argument is read from the
//! input's bytes.

use std::fmt::Write;

use footpath_frontend::c::source::c_types::CType;
use footpath_frontend::c::{Lowered, Stub, StubType, StubWrite};

use super::layout::{CALLS, Goal, Holder, Kind, Layout, Owner, Results, written};
use crate::declare::declaration;
use crate::emit::{Statics, include_source, setting_name};
use crate::execution::RENAMED;
use crate::library_world;
use crate::stubs::{number_type, result_structure, stub_params};
use footpath_frontend::c::Harness;

/// Names in the target that the fuzzer asks for begin so.
pub(super) const PREFIX: &str = "footpath_fuzz_";

/// The targets of one file, whose path is `source`: functions with the layouts of their inputs, which have their harnesses.
pub(super) fn targets(lowered: &Lowered, targets: &[(&str, Layout<'_>)], source: &str) -> String {
    let mut out = head(lowered, source);
    let statics: Vec<Statics> =
        targets.iter().map(|(_, layout)| Statics::of(&lowered.types, layout.harness)).collect();
    out.push_str(&Statics::all_for_clang(&statics));
    let rows = targets.iter().enumerate().map(|(number, (function, layout))| {
        tables(lowered, layout, number, &mut out);
        out.push_str(&call(lowered, (layout.harness, function), &arguments(lowered, layout), number));
        row(layout, number)
    });
    let rows: Vec<String> = rows.collect();
    all(lowered, &rows, &mut out);
    out
}

/// The name of something that belongs to a target.
pub(super) fn name_of(what: &str, number: usize) -> String {
    format!("{PREFIX}{what}_{number}")
}

/// Whether a name is that of something that belongs to a target.
pub(super) fn is_of(name: &str, number: usize) -> bool {
    let digits = name.strip_prefix(PREFIX).and_then(|rest| rest.rsplit_once('_')).map(|(_, digits)| digits);
    digits.is_some_and(|digits| digits.parse() == Ok(number))
}

/// A target's row among all.
pub(super) fn row(layout: &Layout<'_>, number: usize) -> String {
    let tables = ["fields", "objects", "goals", "links", "results"].map(|table| name_of(table, number));
    format!(
        "{{{}, {}, {}, {}, {}, {}}}",
        tables.join(", "),
        layout.fields.len(),
        layout.places.len(),
        layout.links.len(),
        layout.size,
        name_of("call", number)
    )
}

/// The table of all targets.
pub(super) fn all(lowered: &Lowered, rows: &[String], out: &mut String) {
    let _ = writeln!(
        out,
        "const struct footpath_fuzz_target footpath_fuzz_targets[] = {{\n    {}\n}};\n\
         const unsigned footpath_fuzz_stub_count = {};\n",
        rows.join(",\n    "),
        result_count(lowered)
    );
}

/// The source itself, and what the target declares.
pub(super) fn head(lowered: &Lowered, source: &str) -> String {
    let mut out = String::new();
    include_source(lowered, source, "footpath_fuzzer.h", &mut out);
    out.push_str(
        "extern int *__errno_location(void);\n#ifndef errno\n#define errno (*__errno_location())\n#endif\n",
    );
    out
}

/// The tables of a target that say which bytes are which input.
pub(super) fn tables(lowered: &Lowered, layout: &Layout<'_>, number: usize, out: &mut String) {
    let harness = layout.harness;
    let fields = layout.fields.iter().map(|field| {
        let (kind, limit) = match field.kind {
            Kind::Number => (0, 0),
            Kind::Float => (1, 0),
            Kind::Choice(among) => (2, among.max(1)),
        };
        format!("{{{}, {}, {}, {kind}, {limit}}}", field.at, field.size, field.count)
    });
    table(("field", number), fields, out);
    // The addresses of `errno` and of variables of a thread are no constants.
    let address_of = |index: usize| name_of(&format!("address_{index}"), number);
    for place in &layout.places {
        if let Owner::Setting(index) = place.owner {
            let (address, name) = (address_of(index), setting_name(&harness.settings[index]));
            let _ = writeln!(out, "static void *{address}(void)\n{{\n    return (void *)&{name};\n}}");
        }
    }
    let objects = layout.places.iter().map(|place| {
        let address = match place.owner {
            Owner::Object(_) => "0".to_owned(),
            Owner::Setting(index) => address_of(index),
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
    table(("object", number), objects, out);
    let goal = |goal: &Goal| {
        if goal.is_sentinel {
            let number = u64::from(goal.number) << layout.lowered.shape.packed_offset() | goal.offset;
            return format!("{{(void *){number:#x}, -1, 0, 0}}");
        }
        let (address, place) = match goal.place {
            Some(place) => ("0".to_owned(), place as i64),
            None => (harness.names.get(&goal.number).map_or("0".to_owned(), |n| format!("(void *)&{n}")), -1),
        };
        format!("{{{address}, {place}, {}, {}}}", goal.offset, goal.element)
    };
    table(("goal", number), layout.links.iter().flat_map(|link| &link.goals).map(goal), out);
    let mut first = 0;
    let links = layout.links.iter().map(|link| {
        let place = link.place.map_or(-1, |place| place as i64);
        let otherwise = match (link.or_number, link.nullable) {
            (true, _) => "MAY_BE_NUMBER",
            (_, true) => "MAY_BE_NULL",
            _ => "0",
        };
        let (offset, choice_at, count) = (link.offset, link.choice_at, link.goals.len());
        first += count;
        format!("{{{place}, {offset}, {choice_at}, {otherwise}, {}, {count}}}", first - count)
    });
    table(("link", number), links, out);
    table(("result", number), results(lowered, layout), out);
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
pub(super) fn table((what, number): (&str, usize), rows: impl Iterator<Item = String>, out: &mut String) {
    let mut rows: Vec<String> = rows.collect();
    if rows.is_empty() {
        rows.push("{0}".to_owned());
    }
    let name = name_of(&format!("{what}s"), number);
    let _ = writeln!(
        out,
        "static const struct footpath_fuzz_{what} {name}[] = {{\n    {}\n}};",
        rows.join(",\n    ")
    );
}

/// The arguments with which the function is called.
pub(super) fn arguments(lowered: &Lowered, layout: &Layout<'_>) -> String {
    let (types, harness) = (&lowered.types, layout.harness);
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

/// The function that calls the function of a target.
pub(super) fn call(
    lowered: &Lowered,
    (harness, function): (&Harness, &str),
    arguments: &str,
    number: usize,
) -> String {
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
    format!("static void {}(void)\n{{\n{body}}}\n", name_of("call", number))
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
