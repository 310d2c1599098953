//! Test emission: a C file with the tests of functions in one source, which it includes.
//!
//! By including it a test can call `static` functions and set internal variables. Each test is a function that builds
//! the inputs as values of the source's own types, calls the function, and compares its result with the one when the
//! test was made. External functions are defined in a file of their own, so that the source's declarations cannot
//! conflict with the definitions: they return what the test says, call by call.
//!
//! Example: the test of `int add(struct point p)` declares a `struct point p = {1, 2};`, calls `add(p)` and expects
//! 3.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use footpath_frontend::c::source::c_types::{CType, CTypeId, CTypes};
use footpath_frontend::c::{Harness, InputArguments, InputParam, Lowered, Setting, SettingValue, Stub};
use footpath_ir::AssertKind;
use footpath_ir::interp::Interpreter;
use footpath_ir::source::Span;
use footpath_term::{SymbolId, Value};
use num_traits::ToPrimitive;

use crate::declare::{declaration, own_structures};
use crate::execution::RENAMED;
use crate::frameworks::Framework;
use crate::image::Image;
use crate::inputs::{Effects, Inputs};
use crate::library_world;
use crate::quoting::header_name;
use crate::regression_oracle::{Check, RegressionOracle, TestObject};
use crate::stubs::{defined_stubs, stubs, tells_of_calls};
use crate::value::{Writer, double, text};

/// A test to be written.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of its function in C.
    pub name: String,
    /// Its inputs.
    pub inputs: Inputs,
    /// A remark for the reader.
    pub remark: String,
    /// Whether the test ends the program.
    pub fails: bool,
    /// Whether it is ended when the inputs are used up, as it would not end by itself.
    pub endless: bool,
    /// The result of the function when the test was made, as C; compared if present.
    pub returns: Option<String>,
    /// Why nothing can be expected of a run, if it comes to undefined behaviour that need not end it.
    pub undefined: Option<String>,
    /// What that is, and where.
    pub undefined_at: Option<(AssertKind, Span)>,
    /// The effects of the runs in which everything is changed that no test can set.
    pub varied: Vec<Effects>,
    /// What the test checks besides; `None` if that is not known yet, and is proposed.
    pub checks: Option<Vec<Check>>,
}

impl Case {
    /// The test without what was only needed to find out what it checks.
    #[must_use]
    pub fn decided(mut self) -> Case {
        self.varied = Vec::new();
        self.inputs.effects = Effects::default();
        self.checks.get_or_insert_default();
        self
    }
}

/// A written test file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestFile {
    /// The tests.
    pub tests: String,
    /// The definitions of external functions; empty if there are none.
    pub stubs: String,
    /// What a framework runs the tests by; empty if they run themselves.
    pub runner: String,
    /// For each test what it checks besides the function's result.
    pub checks: Vec<Vec<Check>>,
}

/// The files that the tests of all functions share, to be written beside them: names and texts.
pub fn support_files() -> [(&'static str, String); 4] {
    [
        ("footpath.h", HEADER.to_owned()),
        ("footpath_test.h", include_str!("footpath_test.h").to_owned()),
        ("footpath_test.c", include_str!("footpath_test.c").to_owned()),
        ("footpath_world.c", library_world::text()),
    ]
}

/// `footpath.h`, the header with which a program states assumptions and assertions.
pub const HEADER: &str = include_str!("footpath.h");

/// The tests of a function.
#[derive(Clone, Copy)]
pub struct FunctionTests<'a> {
    /// The function's name.
    pub function: &'a str,
    /// How tests call it.
    pub harness: &'a Harness,
    /// The tests.
    pub cases: &'a [Case],
}

/// Writes the tests of functions in one source, numbered from 1 on in their order. `source` is the path that the file
/// includes; `missing` says which functions without a body the linker will not find either, and `taken` has the words of the
/// source. The tests are for a framework to run.
pub fn emit<'a>(
    lowered: &Lowered,
    interpreter: &Interpreter<'_>,
    functions: &[FunctionTests<'a>],
    source: &str,
    missing: &dyn Fn(&str) -> bool,
    taken: &BTreeSet<String>,
    framework: Framework,
) -> TestFile {
    let file = source.rsplit('/').next().unwrap_or(source).replace("*/", "* /");
    let mut tests = format!("/* Tests of {file}, made by Footpath. `make` builds and runs them. */\n");
    include_source(lowered, source, "footpath_test.h", &mut tests);
    let mut checks = Vec::new();
    let mut entries = String::new();
    let statics: Vec<Statics> = functions.iter().map(|f| Statics::of(&lowered.types, f.harness)).collect();
    tests.push_str(&Statics::text(&statics));
    let elements = functions.iter().flat_map(|f| f.harness.objects.iter().map(|object| object.element));
    tests.push_str(&own_structures(&lowered.types, elements));
    for (FunctionTests { function, harness, cases }, statics) in functions.iter().zip(&statics) {
        let _ = write!(tests, "\n/* ---- {} ---- */\n", function.replace("*/", "* /"));
        let is_called = |stub: &&Stub| {
            let mut calls = cases.iter().flat_map(|case| &case.inputs.effects.calls);
            tells_of_calls(stub) && calls.any(|(procedure, _)| *procedure == stub.procedure)
        };
        let called = defined_stubs(lowered, missing).filter(is_called).collect();
        let emitter = Emitter { lowered, interpreter, harness, function, called, taken };
        for case in *cases {
            let (text, checked) = emitter.test(checks.len() + 1, case);
            tests.push('\n');
            tests.push_str(&statics.around(&text, &text));
            entries.push_str(&statics.entry(&text, function, case));
            checks.push(checked);
        }
    }
    let _ =
        write!(tests, "\n{}{entries}    {{0, 0, 0, 0, 0}},\n}};\n{}", framework.table(), framework.main());
    let named = functions.iter().flat_map(|f| f.cases.iter().map(|case| (case, &*f.harness.names)));
    let stubs = stubs(lowered, &named.collect::<Vec<_>>(), missing);
    let names = |f: &FunctionTests<'a>| (f.function, f.cases.iter().map(|case| &*case.name).collect());
    let runner = framework.runner(&file, &functions.iter().map(names).collect::<Vec<_>>());
    TestFile { tests, stubs, runner, checks }
}

/// Includes a source, and behind it a header of our own. Then the source's names mean what they say, also those that a macro has, and
/// the functions that tests pass are declared.
pub(crate) fn include_source(lowered: &Lowered, source: &str, header: &str, out: &mut String) {
    if lowered.functions.iter().any(|f| f.name == "main") {
        let _ = writeln!(out, "#define main {RENAMED}");
    }
    let _ = writeln!(out, "#include {}\n#undef main\n#include \"{header}\"", header_name(source));
    for name in &lowered.macro_names {
        let _ = writeln!(out, "#undef {name}");
    }
    // Whatever their types, they are only pointed to here.
    for callback in lowered.stubs.iter().filter(|s| s.name.starts_with("footpath_callback_")) {
        let _ = writeln!(out, "void {}(void);", callback.name);
    }
}

/// The entry of a test in the table of all.
fn entry(function: &str, case: &Case) -> String {
    let (ends, why) = match &case.undefined {
        Some(why) => ("FOOTPATH_IS_UNDEFINED", format!("\"{}\"", why.replace(['"', '\\'], "_"))),
        None if case.fails => ("FOOTPATH_FAILS", "0".to_owned()),
        None => ("FOOTPATH_RETURNS", "0".to_owned()),
    };
    let name = &case.name;
    format!("    {{\"{function}\", \"{name}\", {name}, {ends}, {why}}},\n")
}

/// The variables that tests set but that have no name in the source file: those of other files, and static ones of
/// functions, which have names for the linker only. Of these clang gives away the names, as long as it does not optimise.
pub(crate) struct Statics {
    /// The declarations of those of other files.
    elsewhere: String,
    /// The declarations of those of functions.
    of_functions: String,
    /// The names of those of functions in tests.
    names: Vec<String>,
}

/// Whether the compiler gives static variables of functions the names that tests have.
const NAMES_STATICS: &str = "#ifdef FOOTPATH_NAMES_STATICS\n";

impl Statics {
    pub(crate) fn of(types: &CTypes, harness: &Harness) -> Statics {
        let mut found = Statics { elsewhere: String::new(), of_functions: String::new(), names: Vec::new() };
        for setting in &harness.settings {
            let Some(symbol) = &setting.symbol else { continue };
            let name = setting_name(setting);
            let variable = declaration(types, setting.ty, &name);
            // As the source is included.
            let linked = match symbol.strip_prefix("main.") {
                Some(of_main) => format!("{RENAMED}.{of_main}"),
                None => symbol.clone(),
            };
            let is_static = symbol.contains('.');
            let list = if is_static { &mut found.of_functions } else { &mut found.elsewhere };
            let _ = writeln!(list, "extern {variable} __asm__(\"{linked}\");");
            found.names.extend(is_static.then_some(name));
        }
        found
    }

    /// All declarations, each once, for a compiler that is known to be clang.
    pub(crate) fn all_for_clang(all: &[Statics]) -> String {
        let lines = all.iter().flat_map(|s| [&s.elsewhere, &s.of_functions]);
        let mut seen = BTreeSet::new();
        lines.flat_map(|lines| lines.split_inclusive('\n')).filter(|line| seen.insert(*line)).collect()
    }

    /// The declarations of all of them, each once.
    fn text(all: &[Statics]) -> String {
        let lines = |of: fn(&Statics) -> &str| -> String {
            let mut seen = BTreeSet::new();
            all.iter().flat_map(|s| of(s).split_inclusive('\n')).filter(|line| seen.insert(*line)).collect()
        };
        let (elsewhere, of_functions) = (lines(|s| &s.elsewhere), lines(|s| &s.of_functions));
        match of_functions.is_empty() {
            true => elsewhere,
            false => format!("{elsewhere}\n{NAMES_STATICS}{of_functions}#endif\n"),
        }
    }

    fn are_used(&self, test: &str) -> bool {
        self.names.iter().any(|name| test.contains(name.as_str()))
    }

    /// A part that belongs to a test, for those compilers that can build the test.
    fn around(&self, test: &str, part: &str) -> String {
        if self.are_used(test) { format!("{NAMES_STATICS}{part}#endif\n") } else { part.to_owned() }
    }

    /// The entry of a test in the table; other compilers skip it.
    fn entry(&self, test: &str, function: &str, case: &Case) -> String {
        let (entry, name) = (entry(function, case), &case.name);
        if !self.are_used(test) {
            return entry;
        }
        let why = "it sets static variables of functions, which only clang without optimisation names";
        format!(
            "{NAMES_STATICS}{entry}#else\n    {{\"{function}\", \"{name}\", footpath_end_test, FOOTPATH_IS_UNDEFINED, \"{why}\"}},\n#endif\n"
        )
    }
}

/// The name in tests of a variable that they set.
pub(crate) fn setting_name(setting: &Setting) -> String {
    setting.symbol.as_ref().map_or_else(|| setting.name.clone(), |symbol| symbol.replace('.', "__"))
}

struct Emitter<'a> {
    lowered: &'a Lowered,
    interpreter: &'a Interpreter<'a>,
    harness: &'a Harness,
    function: &'a str,
    /// The external functions that the tests define and that tell them of their calls.
    called: Vec<&'a Stub>,
    /// The words of the source.
    taken: &'a BTreeSet<String>,
}

impl Emitter<'_> {
    fn entry(&self, case: &Case, symbol: SymbolId) -> Option<Value> {
        case.inputs.entry(self.interpreter, &self.lowered.program, symbol)
    }

    fn number(&self, case: &Case, symbol: SymbolId) -> u128 {
        match self.entry(case, symbol) {
            Some(Value::BitVec { bits, .. }) => bits.to_u128().unwrap_or(0),
            Some(Value::Bool(b)) => u128::from(b),
            _ => 0,
        }
    }

    fn image(&self, case: &Case, number: u32, memory: Option<(SymbolId, u64)>) -> Image {
        let map = memory.and_then(|(symbol, _)| self.entry(case, symbol));
        Image::new(map.as_ref(), memory.map_or(1, |(_, grain)| grain), self.lowered.shape, number)
    }

    fn object_name(&self, index: usize) -> String {
        let owner = self.harness.params.iter().find(|p| p.object == Some(index));
        let mut name = match owner {
            Some(param) => format!("{}_object", param.name),
            None => format!("object_{}", index + 1),
        };
        while self.taken.contains(&name) {
            name.push('_');
        }
        name
    }

    fn test(&self, number: usize, case: &Case) -> (String, Vec<Check>) {
        let types = &self.lowered.types;
        // A test has its objects by their addresses.
        let of = |(number, name): (&u32, &String)| (*number, format!("&{name}"));
        let mut names: BTreeMap<u32, String> = self.harness.names.iter().map(of).collect();
        for (i, object) in self.harness.objects.iter().enumerate() {
            names.insert(object.number, self.object_name(i));
        }
        let mut writer = Writer {
            types,
            shape: self.lowered.shape,
            names: &names,
            made: self.harness.objects.first().map_or(0, |first| first.number)..self.harness.first_made,
            mentioned: BTreeSet::new(),
            said: Vec::new(),
            in_unions: BTreeMap::new(),
        };
        let mut arguments = Vec::new();
        for param in &self.harness.params {
            let value = self.number(case, param.symbol);
            let is_pointer = matches!(
                types.resolved(param.ty),
                CType::Pointer(_) | CType::Array { .. } | CType::Function { .. }
            );
            arguments.push(match (is_pointer, param.object) {
                (true, Some(own)) if value == 0 => {
                    let (index, at) = self.place(case, param, own);
                    writer.mentioned.insert(self.harness.objects[index].number);
                    let name = format!("{}{at}", self.object_name(index));
                    let cast = || match at.as_str() {
                        "" => format!("(void *){name}"),
                        _ => format!("(void *)({name})"),
                    };
                    match types.resolved(param.ty) {
                        // What it is used as need not be what it is declared as.
                        CType::Pointer(to)
                            if matches!(types.resolved(*to), CType::Record { .. })
                                && types.bare(*to) != types.bare(self.harness.objects[index].element) =>
                        {
                            cast()
                        }
                        _ if index != own => cast(),
                        _ => name,
                    }
                }
                // Of functions the parameter is the number.
                (true, None) if matches!(self.entry(case, param.symbol), Some(Value::BitVec { .. })) => {
                    writer.pointer(value as u32, 0)
                }
                (true, _) => "NULL".to_owned(),
                (false, Some(index)) => {
                    writer.mentioned.insert(self.harness.objects[index].number);
                    format!("*{}", self.object_name(index))
                }
                (false, None) => writer.scalar(param.ty, value),
            });
        }
        if let Some(passed) = &self.harness.arguments {
            arguments.extend(self.variable_arguments(case, passed, &mut writer));
        }
        let mut settings = String::new();
        for setting in &self.harness.settings {
            self.setting(case, setting, &mut writer, &mut settings);
        }
        let (declared, contents, objects) = self.objects(case, &mut writer);
        let checks = match &case.checks {
            Some(checks) => checks.clone(),
            None => self.proposed(case, &mut writer, &objects),
        };
        let mut out =
            format!("/* {} */\nstatic void {}(void)\n{{\n", case.remark.replace("*/", "* /"), case.name);
        out.push_str(&declared);
        out.push_str(&contents);
        out.push_str(&settings);
        out.push_str(&self.allocations(case));
        for check in checks.iter().filter(|check| !check.before.is_empty()) {
            let _ = writeln!(out, "    {}", check.before);
        }
        let _ = writeln!(out, "    footpath_test_number = {number};");
        out.push_str(&self.call(case, &arguments, &checks));
        for check in &checks {
            let _ = writeln!(out, "    {}", check.after);
        }
        out.push_str("}\n");
        (out, checks)
    }

    /// What a run of the program form says that the test can check.
    fn proposed(&self, case: &Case, writer: &mut Writer<'_>, objects: &[TestObject]) -> Vec<Check> {
        if !RegressionOracle::applies(case) {
            return Vec::new();
        }
        let declared = objects.iter().map(|object| object.number).collect();
        let mut oracle = RegressionOracle::new((self.lowered, self.harness), case, writer, declared);
        oracle.result("footpath_result");
        oracle.objects(objects);
        oracle.variables();
        oracle.calls(&self.called);
        oracle.checks
    }

    /// The variable arguments, without the zeros at their end, which `FOOTPATH_ZEROS` are.
    fn variable_arguments(&self, case: &Case, passed: &InputArguments, writer: &mut Writer) -> Vec<String> {
        let image = self.image(case, passed.object.number, passed.object.memory);
        let word = self.lowered.shape.bits;
        let mut numbers: Vec<String> =
            passed.numbers.iter().map(|&at| double(image.number_at(at, 8) as u64)).collect();
        let mut general: Vec<String> =
            passed.general.iter().map(|&at| writer.word(image.number_at(at, u64::from(word / 8)))).collect();
        for (list, zero) in [(&mut numbers, "0.0"), (&mut general, "0L")] {
            list.truncate(list.iter().rposition(|value| value != zero).map_or(0, |last| last + 1));
        }
        // The machine keeps both kinds apart, so their order among each other does not matter.
        numbers.into_iter().chain(general).chain(["FOOTPATH_ZEROS".to_owned()]).collect()
    }

    /// The object that a non-null pointer points into, and the offset from its start, as C.
    fn place(&self, case: &Case, param: &InputParam, own: usize) -> (usize, String) {
        let Some(sharing) = &param.sharing else { return (own, String::new()) };
        let into = self.number(case, sharing.into) as usize;
        let index = sharing.objects.get(into).copied().unwrap_or(own);
        match self.number(case, sharing.at) {
            0 => (index, String::new()),
            at => (index, format!(" + {at}")),
        }
    }

    /// The list of allocations that fail, if any does.
    fn allocations(&self, case: &Case) -> String {
        let answers: Vec<bool> = case
            .inputs
            .returned
            .iter()
            .filter(|r| r.procedure == self.lowered.allocation_fails)
            .map(|r| r.value.first() == Some(&Value::Bool(true)))
            .collect();
        let Some(last) = answers.iter().rposition(|&fails| fails) else { return String::new() };
        let list: Vec<&str> = answers[..=last].iter().map(|&f| if f { "1" } else { "0" }).collect();
        format!("    FOOTPATH_ALLOCATION_FAILS({});\n", list.join(", "))
    }

    fn call(&self, case: &Case, arguments: &[String], checks: &[Check]) -> String {
        let types = &self.lowered.types;
        // The test has a `main` of its own.
        let callee = if self.function == "main" { RENAMED } else { self.function };
        let call = format!("{callee}({})", arguments.join(", "));
        let kind = match types.resolved(self.harness.ret) {
            CType::Int { signed: true, .. } | CType::Enum { .. } => "INT",
            CType::Int { .. } | CType::Bool => "UINT",
            CType::Float { bits: ..=64, .. } => "FLOAT",
            CType::Pointer(_) => "POINTER",
            CType::Void => return format!("    {call};\n    FOOTPATH_RETURNED();\n"),
            // Compilers remove calls of `const` functions whose results are not used.
            _ => {
                let result = declaration(types, self.harness.ret, "footpath_result");
                return format!(
                    "    {result} = {call};\n    (void)footpath_result;\n    FOOTPATH_RETURNED();\n"
                );
            }
        };
        let result = declaration(types, self.harness.ret, "footpath_result");
        let is_checked = checks.iter().any(|check| check.after.contains("(footpath_result"));
        match (&case.returns, case.fails) {
            // What it points to is known, too.
            (Some(_), false) if is_checked => format!("    {result} = {call};\n"),
            (Some(expected), false) if kind == "POINTER" => {
                let expected = if expected == "0" { "NULL" } else { "NOT_NULL" };
                format!("    {result} = {call};\n    FOOTPATH_EXPECT_{expected}(footpath_result);\n")
            }
            (Some(expected), false) => {
                format!("    {result} = {call};\n    FOOTPATH_EXPECT_{kind}(footpath_result, {expected});\n")
            }
            _ => format!("    {result} = {call};\n    FOOTPATH_SHOW_{kind}(footpath_result);\n"),
        }
    }

    /// Objects that are pointed to: their declarations, and the assignments of their contents.
    fn objects(&self, case: &Case, writer: &mut Writer) -> (String, String, Vec<TestObject>) {
        let types = &self.lowered.types;
        let mut made = Vec::new();
        let mut done: BTreeSet<u32> = BTreeSet::new();
        let (mut declared, mut contents) = (String::new(), String::new());
        loop {
            let next = self
                .harness
                .objects
                .iter()
                .enumerate()
                .find(|(_, o)| writer.mentioned.contains(&o.number) && !done.contains(&o.number));
            let Some((index, object)) = next else { break };
            done.insert(object.number);
            let name = self.object_name(index);
            let count = object.count.map_or(1, |symbol| self.number(case, symbol)).clamp(1, 4096) as u64;
            let pointer = pointer_to(types, object.element, &name);
            let _ = writeln!(declared, "    {pointer} = footpath_allocate({count}, sizeof *{name});");
            let image = self.image(case, object.number, object.memory);
            made.push(TestObject {
                name: name.clone(),
                element: object.element,
                count,
                number: object.number,
                memory: object.memory,
                before: image.clone(),
                is_constant: self.is_constant(index),
            });
            let is_char = matches!(types.resolved(object.element), CType::Int { is_char: true, bits: 8, .. });
            let bytes: Vec<u8> = (0..count).map(|i| image.number_at(i, 1) as u8).collect();
            if let (true, Some(literal)) = (is_char, text(&bytes)) {
                let _ = writeln!(contents, "    footpath_copy({name}, {literal}, sizeof {literal});");
                continue;
            }
            let size = types.size(object.element, u64::from(self.lowered.shape.bits / 8)).max(1);
            for i in 0..count {
                let value = writer.initialiser(object.element, &image, i * size);
                if !matches!(value.as_str(), "0" | "{0}" | "NULL" | "{NULL}") {
                    contents.push_str(&assign(types, object.element, &format!("{name}[{i}]"), &value));
                }
                contents.push_str(&writer.rest(&image, i * size, size, &format!("&{name}[{i}]")));
            }
        }
        (declared, contents, made)
    }

    /// Whether the function promises not to write an object, as its parameter points to `const`.
    fn is_constant(&self, index: usize) -> bool {
        let types = &self.lowered.types;
        let owner = self.harness.params.iter().find(|p| p.object == Some(index));
        owner.is_some_and(|param| match types.resolved(param.ty) {
            CType::Pointer(to) => matches!(types.get(*to), CType::Qualified { qualifier: "const", .. }),
            _ => false,
        })
    }

    fn setting(&self, case: &Case, setting: &Setting, writer: &mut Writer, out: &mut String) {
        let types = &self.lowered.types;
        match &setting.value {
            SettingValue::Variables(symbols) => {
                if !symbols.iter().any(|s| case.inputs.entries.contains_key(s)) {
                    return;
                }
                let value = match symbols.as_slice() {
                    [object, offset] => {
                        let number = self.number(case, *object) as u32;
                        writer.pointer(number, self.number(case, *offset) as i64)
                    }
                    [symbol] => writer.scalar(setting.ty, self.number(case, *symbol)),
                    _ => return,
                };
                out.push_str(&assign(types, setting.ty, &setting_name(setting), &value));
            }
            SettingValue::Memory { number, memory } => {
                let Some((symbol, _)) = memory else { return };
                if !case.inputs.entries.contains_key(symbol) {
                    return;
                }
                let image = self.image(case, *number, *memory);
                let value = writer.initialiser(setting.ty, &image, 0);
                let name = setting_name(setting);
                out.push_str(&assign(types, setting.ty, &name, &value));
                let size = types.size(setting.ty, u64::from(self.lowered.shape.bits / 8));
                out.push_str(&writer.rest(&image, 0, size, &format!("&{name}")));
            }
        }
    }
}

/// A variable that points to elements of a type.
fn pointer_to(types: &CTypes, element: CTypeId, name: &str) -> String {
    let inner = match types.resolved(element) {
        CType::Array { .. } => format!("(*{name})"),
        _ => format!("*{name}"),
    };
    declaration(types, element, &inner)
}

/// Whether values of a type cannot be assigned in C, as some member is `const`.
fn is_fixed(types: &CTypes, ty: CTypeId, depth: u32) -> bool {
    match types.get(ty) {
        CType::Typedef { of, .. } => is_fixed(types, *of, depth),
        CType::Qualified { qualifier, of } => *qualifier == "const" || is_fixed(types, *of, depth),
        CType::Array { element, .. } => is_fixed(types, *element, depth),
        CType::Record { fields, .. } => depth < 32 && fields.iter().any(|f| is_fixed(types, f.ty, depth + 1)),
        _ => false,
    }
}

/// An assignment; what C cannot assign, such as arrays, is copied.
fn assign(types: &CTypes, ty: CTypeId, target: &str, value: &str) -> String {
    match types.resolved(ty) {
        CType::Record { .. } if is_fixed(types, types.bare(ty), 0) => {
            format!("    footpath_copy(&{target}, &(__typeof__({target})){value}, sizeof {target});\n")
        }
        CType::Record { .. } => format!("    {target} = (__typeof__({target})){value};\n"),
        CType::Array { count, .. } => {
            // Where the file declares it only, it may have left out how many elements there are.
            let element = format!("__typeof__({target}[0])");
            let array = count.map_or(format!("__typeof__({target})"), |count| format!("{element} [{count}]"));
            // Braces around a text, too: what follows it is zero, and not what the variable has in the beginning.
            let text = value.starts_with('"').then(|| format!("{{{value}}}"));
            let value = text.as_deref().unwrap_or(value);
            format!("    footpath_copy({target}, ({array}){value}, sizeof({array}));\n")
        }
        _ => format!("    {target} = {value};\n"),
    }
}
