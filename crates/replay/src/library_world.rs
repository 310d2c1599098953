//! The environment of tests: models of system functions, whose answers are inputs, replace those of the library.
//!
//! Functions that query the environment (files, the clock, environment variables, …) are analysed by models in C,
//! whose answers come from functions without a body. Tests are linked with the same models, wrapped around the
//! library's functions with the linker's `--wrap` (`__wrap_…`), and with the answers. So what was analysed is what
//! runs, and tests neither read nor write files.

use std::collections::BTreeSet;
use std::fmt::Write;

use footpath_frontend::c::source::library_models::{CLOSE, INPUTS, NEED_OPEN, SOURCES, WORLD, definitions};

/// The functions that `footpath_test.c` and `footpath_world.c` define although sources or models call them.
pub(crate) const DEFINED: [&str; 10] = [
    CLOSE,
    NEED_OPEN,
    "__VERIFIER_assume",
    "__VERIFIER_error",
    "footpath_assert",
    "footpath_assume",
    "footpath_assumed",
    "footpath_fails_if",
    "footpath_verified",
    "reach_error",
];

/// Functions that no library has: tests define them under their own names.
const IN_NO_LIBRARY: [&str; 7] = [
    "__footpath_answer",
    "__footpath_long_answer",
    "__footpath_success",
    "footpath_input_bytes",
    "klee_int",
    "klee_make_symbolic",
    "klee_range",
];

/// The functions of the library that tests replace, in order.
fn replaced() -> BTreeSet<&'static str> {
    let models = SOURCES.iter().filter(|(file, _)| WORLD.contains(file));
    models.flat_map(|(_, text)| definitions(text)).filter(|name| !IN_NO_LIBRARY.contains(name)).collect()
}

/// The external function that gives the next byte of what a program reads, or -1 at its end.
pub const NEXT_BYTE: &str = "__footpath_input_byte";
/// The name of the file that tells the linker which functions of the library tests replace.
pub const REPLACED_FILE: &str = "footpath_replaced.txt";

/// The text of that file. `own` are functions that the program has itself.
pub fn replaced_functions(own: &dyn Fn(&str) -> bool) -> String {
    let names =
        ["malloc", "calloc", "realloc"].into_iter().chain(replaced().into_iter().filter(|name| !own(name)));
    names.map(|name| format!("--wrap={name}\n")).collect()
}

/// The flag for the linker that names the file in a folder.
pub(crate) fn link_flag(folder: &str) -> String {
    format!("-Wl,@{folder}/{REPLACED_FILE}")
}

/// Which streams were opened and closed. Using one that was closed ends a test, as it may end a program.
const STREAMS: &str = "\
struct _IO_FILE;
static struct { const void *stream; int is_closed; } footpath_streams[256];
static int footpath_stream(const void *stream)
{
    int i = 0;
    while (i < 255 && footpath_streams[i].stream && footpath_streams[i].stream != stream)
        i++;
    return i;
}
static void footpath_stream_opened(const void *stream)
{
    int i = footpath_stream(stream);
    footpath_streams[i].stream = stream;
    footpath_streams[i].is_closed = 0;
}
#define FOOTPATH_STREAM_OPENED(stream) footpath_stream_opened(stream)
void __footpath_need_open(const struct _IO_FILE *stream)
{
    int i = footpath_stream(stream);
    if (footpath_streams[i].stream == stream && footpath_streams[i].is_closed)
        __builtin_trap();
}
void __footpath_close(const struct _IO_FILE *stream)
{
    int i = footpath_stream(stream);
    if (footpath_streams[i].stream == stream)
        footpath_streams[i].is_closed = 1;
}
";

/// The text of the file with the models, which all tests share.
pub(crate) fn text() -> String {
    let mut out = String::from(
        "/* The world as tests made by Footpath see it: files, the clock, the environment. It answers what the test\n   \
         says; see the functions whose names begin with __footpath_. */\n",
    );
    let returned: BTreeSet<&str> = GIVEN_BACK.iter().map(|(_, name, _, _)| *name).collect();
    for name in replaced() {
        let prefix = if returned.contains(name) || name == AT_EXIT.0 { "footpath_world_" } else { "__wrap_" };
        let _ = writeln!(out, "#define {name} {prefix}{name}");
    }
    out.push_str("#define malloc __real_malloc\n#define realloc __real_realloc\n\n");
    for name in INPUTS {
        let ty = match *name {
            "__footpath_any_1" => "unsigned char",
            "__footpath_any_2" => "unsigned short",
            "__footpath_any_4" => "unsigned int",
            "__footpath_any_8" => "unsigned long long",
            "__footpath_any_long" => "long",
            _ => "int",
        };
        // Of streams the end, where a test says nothing.
        let value = if *name == NEXT_BYTE { "-1" } else { "0" };
        let _ = writeln!(out, "__attribute__((weak)) {ty} {name}(void) {{ return {value}; }}");
    }
    out.push_str(STREAMS);
    for (file, text) in SOURCES.iter().filter(|(file, _)| WORLD.contains(file)) {
        let _ = write!(out, "\n/* {file} */\n{text}");
    }
    out.push_str(&given_back());
    out
}

/// The functions with which compilers' runtimes find out where what counts coverage goes, before a test begins, and write
/// it, when a test is over: the library's own are called then. For each its result, its name, and its parameters with their types and without.
const GIVEN_BACK: [(&str, &str, &str, &str); 18] = [
    ("int", "access", "const char *a, int b", "a, b"),
    ("int", "close", "int a", "a"),
    ("int", "fclose", "void *a", "a"),
    ("int", "fcntl", "int a, int b, void *c", "a, b, c"),
    ("void *", "fdopen", "int a, const char *b", "a, b"),
    ("int", "fflush", "void *a", "a"),
    ("int", "fileno", "void *a", "a"),
    ("void *", "fopen", "const char *a, const char *b", "a, b"),
    ("__SIZE_TYPE__", "fread", "void *a, __SIZE_TYPE__ b, __SIZE_TYPE__ c, void *d", "a, b, c, d"),
    ("int", "fseek", "void *a, long b, int c", "a, b, c"),
    ("long", "ftell", "void *a", "a"),
    ("int", "ftruncate", "int a, long b", "a, b"),
    ("__SIZE_TYPE__", "fwrite", "const void *a, __SIZE_TYPE__ b, __SIZE_TYPE__ c, void *d", "a, b, c, d"),
    ("char *", "getenv", "const char *a", "a"),
    ("int", "getpid", "void", ""),
    ("int", "mkdir", "const char *a, unsigned b", "a, b"),
    ("int", "open", "const char *a, int b, unsigned c", "a, b, c"),
    ("void", "setbuf", "void *a, char *b", "a, b"),
];

/// What coverage runtimes have done at the end they say before the test begins.
const AT_EXIT: (&str, &str) = (
    "atexit",
    "__attribute__((weak)) int footpath_has_begun = 1;\nint __cxa_atexit(void (*)(void *), void *, void *);\n\
     int footpath_model_atexit(void (*a)(void)) __asm__(\"footpath_world_atexit\");\n\
     int __wrap_atexit(void (*a)(void))\n{\n    if (footpath_has_begun)\n        return footpath_model_atexit(a);\n    \
     return __cxa_atexit((void (*)(void *))a, 0, 0);\n}\n",
);

/// Definitions of these functions. They know the models by other names, since types are others here.
fn given_back() -> String {
    let mut out = String::from(
        "\n/* What counts coverage begins and is written with the library's functions, outside the tested code. */\n__attribute__((weak)) int footpath_is_outside;\n",
    );
    for (result, name, parameters, arguments) in GIVEN_BACK {
        let back = if result == "void" { "" } else { "return " };
        let _ = writeln!(
            out,
            "{result} footpath_model_{name}({parameters}) __asm__(\"footpath_world_{name}\");\n\
             __attribute__((weak)) {result} footpath_real_{name}({parameters}) __asm__(\"__real_{name}\");\n\
             {result} __wrap_{name}({parameters})\n{{\n    if (footpath_is_outside)\n        {back}footpath_real_{name}({arguments});\n    else\n        {back}footpath_model_{name}({arguments});\n}}"
        );
    }
    out.push_str(AT_EXIT.1);
    out
}
