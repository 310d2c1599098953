//! Models of the C library: library functions written in C, for an analysis to execute symbolically.
//!
//! **Idea.** A program calls functions that it does not define. Without a body, a call returns arbitrary values and
//! changes nothing; the models are bodies. Each file of [`SOURCES`] is a family of functions that needs no headers,
//! so that it can be compiled by the program's compiler for the program's target, with [`FLAGS`]. The modules are
//! appended to the program's own, whose declarations they define (`link.rs`).
//!
//! **What the models promise.** Tests are replayed with the real library, so a model does what glibc does wherever
//! the behaviour is defined, return values included: `isalpha` returns the bit of the table, `strcmp` the difference
//! of bytes. They are written for symbolic execution: loops over bytes, early exits, arithmetic instead of branches
//! where a branch would only double the paths.
//!
//! **The environment** ([`WORLD`]: files, the clock, environment variables, randomness, the system) may answer
//! anything, so its answers are inputs, and so is `errno` where it fails. Tests are linked with these very models in
//! place of the library's functions, and with the answers, so that what was analysed is what runs.
//!
//! **Approximate models.** What `sprintf` makes of integers and strings is exact; of floating-point numbers and
//! addresses only the number and the places of the digits are modelled, so their values are inputs. `strtod` is exact
//! for few digits. Messages of the system and dates as text are arbitrary strings. All of these belong to the
//! environment, so that tests see the same.
//!
//! **Deliberately without a model**, so that a call returns arbitrary values: most of what fills structures of the
//! system, mathematics that is not exact, input and output of wide characters and their kinds (`iswalpha`), `long double`, starting threads.
//!
//! **Direction of error.** The number of characters that `printf` and `puts` report is arbitrary.
//! Handlers of signals and of `atexit` are not called. The name of the locale and its number format are arbitrary
//! strings, a locale that a thread changes to is there whatever its name, but characters are classified as in the C locale. What is read twice from a file need not be the same.
//! Formats with numbered arguments make an arbitrary string of up to 4095 bytes. Some models leave out so much that
//! proofs do without them ([`NARROW`]): in the order in which `qsort` leaves equal elements, say, and in its calls of the comparison;
//! and `strerror` may or may not return the same place each time.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::llvm::ast::{Body, Module};

/// The files: name and text.
pub const SOURCES: &[(&str, &str)] = &[
    ("allocation.c", include_str!("../../../models/allocation.c")),
    ("answers.c", include_str!("../../../models/answers.c")),
    ("clock.c", include_str!("../../../models/clock.c")),
    ("control.c", include_str!("../../../models/control.c")),
    ("conversions.c", include_str!("../../../models/conversions.c")),
    ("ctype.c", include_str!("../../../models/ctype.c")),
    ("ctype_kinds.c", include_str!("../../../models/ctype_kinds.c")),
    ("ctype_lower.c", include_str!("../../../models/ctype_lower.c")),
    ("ctype_upper.c", include_str!("../../../models/ctype_upper.c")),
    ("environment.c", include_str!("../../../models/environment.c")),
    ("errno.c", include_str!("../../../models/errno.c")),
    ("errors.c", include_str!("../../../models/errors.c")),
    ("exit_handlers.c", include_str!("../../../models/exit_handlers.c")),
    ("float_input.c", include_str!("../../../models/float_input.c")),
    ("integers.c", include_str!("../../../models/integers.c")),
    ("locale.c", include_str!("../../../models/locale.c")),
    ("locale_objects.c", include_str!("../../../models/locale_objects.c")),
    ("math_exact.c", include_str!("../../../models/math_exact.c")),
    ("math_kinds.c", include_str!("../../../models/math_kinds.c")),
    ("math_parts.c", include_str!("../../../models/math_parts.c")),
    ("math_remainder.c", include_str!("../../../models/math_remainder.c")),
    ("memory_copy.c", include_str!("../../../models/memory_copy.c")),
    ("memory_fill.c", include_str!("../../../models/memory_fill.c")),
    ("memory_search.c", include_str!("../../../models/memory_search.c")),
    ("messages.c", include_str!("../../../models/messages.c")),
    ("options.c", include_str!("../../../models/options.c")),
    ("random.c", include_str!("../../../models/random.c")),
    ("search.c", include_str!("../../../models/search.c")),
    ("setlocale.c", include_str!("../../../models/setlocale.c")),
    ("signal.c", include_str!("../../../models/signal.c")),
    ("sort.c", include_str!("../../../models/sort.c")),
    ("status.c", include_str!("../../../models/status.c")),
    ("stdio_input.c", include_str!("../../../models/stdio_input.c")),
    ("stdio_output.c", include_str!("../../../models/stdio_output.c")),
    ("str_bounded.c", include_str!("../../../models/str_bounded.c")),
    ("str_casecompare.c", include_str!("../../../models/str_casecompare.c")),
    ("str_compare.c", include_str!("../../../models/str_compare.c")),
    ("str_copy.c", include_str!("../../../models/str_copy.c")),
    ("str_duplicate.c", include_str!("../../../models/str_duplicate.c")),
    ("str_length.c", include_str!("../../../models/str_length.c")),
    ("str_search.c", include_str!("../../../models/str_search.c")),
    ("str_sets.c", include_str!("../../../models/str_sets.c")),
    ("str_tokens.c", include_str!("../../../models/str_tokens.c")),
    ("symbolic.c", include_str!("../../../models/symbolic.c")),
    ("system_calls.c", include_str!("../../../models/system_calls.c")),
    ("text_input.c", include_str!("../../../models/text_input.c")),
    ("text_output.c", include_str!("../../../models/text_output.c")),
    ("threads.c", include_str!("../../../models/threads.c")),
    ("wide_duplicate.c", include_str!("../../../models/wide_duplicate.c")),
    ("wide_strings.c", include_str!("../../../models/wide_strings.c")),
];

/// The files whose functions query the environment. Tests are linked with them; the names of their static functions
/// differ, so that they can stand in one file. What sanitizers need before the test runs, such as `sysconf`, must not
/// be there.
pub const WORLD: &[&str] = &[
    "answers.c",
    "clock.c",
    "control.c",
    "environment.c",
    "exit_handlers.c",
    "float_input.c",
    "locale.c",
    "messages.c",
    "options.c",
    "random.c",
    "setlocale.c",
    "signal.c",
    "status.c",
    "stdio_input.c",
    "stdio_output.c",
    "symbolic.c",
    "system_calls.c",
    "text_input.c",
    "text_output.c",
    "threads.c",
];

/// The files whose functions leave out some of the behaviour of the library's. Proofs do without them: there these
/// are external functions.
pub const NARROW: &[&str] =
    &["control.c", "exit_handlers.c", "locale_objects.c", "messages.c", "setlocale.c", "signal.c", "sort.c"];

/// The files of functions that may use what the program gave the library earlier: the buffers and the memory behind streams, the
/// state of random numbers.
const USING_KEPT: [&str; 3] = ["random.c", "stdio_input.c", "stdio_output.c"];

/// The variable that the models keep `errno` in.
pub const ERRNO: &str = "__footpath_errno";

/// The bytes of `errno`.
pub const ERRNO_BYTES: u64 = 4;

/// The function that gives the address of `errno`.
pub const ERRNO_LOCATION: &str = "__errno_location";

/// Flags for compiling a model, to be put behind the program's own.
pub const FLAGS: &[&str] =
    &["-std=gnu11", "-O0", "-w", "-fno-builtin", "-fno-math-errno", "-ffp-contract=off"];

/// The function by which models end the life of a stream.
pub const CLOSE: &str = "__footpath_close";

/// The function by which models check that a stream's life has not ended.
pub const NEED_OPEN: &str = "__footpath_need_open";

/// Functions that models call and that no file defines: their results, call by call, are inputs. They exist in no
/// library; tests define them. Those with a number are asked for by `footpath.h`, and return so many bytes.
pub const INPUTS: &[&str] = &[
    "__footpath_any_1",
    "__footpath_any_2",
    "__footpath_any_4",
    "__footpath_any_8",
    "__footpath_any_int",
    "__footpath_any_long",
    "__footpath_input_byte",
];

/// Whether a function with a model may use what the program gave the library earlier.
pub fn uses_kept(name: &str) -> bool {
    let files = SOURCES.iter().filter(|(file, _)| USING_KEPT.contains(file));
    files.into_iter().any(|(_, text)| definitions(text).any(|defined| defined == name))
}

/// The variables of the library that say which time zone it is.
pub const ZONE: [&str; 3] = ["daylight", "timezone", "tzname"];

/// Whether a function with a model finds out which time zone it is, which its model does not say.
pub fn sets_zone(name: &str) -> bool {
    ["gmtime", "gmtime_r", "localtime", "localtime_r", "mktime", "strftime", "timegm"].contains(&name)
}

/// Whether a function prints a text, of which its model does not count the characters.
pub fn leaves_count_open(name: &str) -> bool {
    let plain = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk")).unwrap_or(name);
    ["printf", "fprintf", "dprintf", "vprintf", "vfprintf"].contains(&plain)
}

/// Whether an external function returns an input and has no other effect: those of the models, and those that tasks
/// of verification competitions declare, `__VERIFIER_nondet_int` and so on.
pub fn gives_input(name: &str) -> bool {
    let of_tasks = name.starts_with("__VERIFIER_nondet_") && name != "__VERIFIER_nondet_memory";
    of_tasks || name.starts_with("__footpath_")
}

/// A file that is to be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The name of the file.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Functions that it defines although the program has its own: they must not get in each other's way.
    pub replaced: Vec<&'static str>,
}

impl Model {
    /// Whether proofs must do without it.
    pub fn is_narrow(&self) -> bool {
        NARROW.contains(&self.file)
    }

    /// The flags for this file: [`FLAGS`], and other names for functions that the program has itself.
    pub fn flags(&self) -> Vec<String> {
        let rename = self.replaced.iter().map(|name| format!("-D{name}=__footpath_unused_{name}"));
        FLAGS.iter().map(|&flag| flag.to_owned()).chain(rename).collect()
    }
}

/// The models of functions that the modules declare and do not define, and of what these need, in the order of
/// [`SOURCES`], but for those of [`NARROW`] files, which come last.
pub fn needed(modules: &[Module]) -> Vec<Model> {
    let mut defined: FxHashSet<&str> = FxHashSet::default();
    let mut wanted: Vec<&str> = Vec::new();
    for module in modules {
        for f in &module.functions {
            let name = module.text(f.name);
            if matches!(f.body, Body::Declared) {
                wanted.push(name);
            } else if !f.linkage.is_local() {
                defined.insert(name);
            }
        }
    }
    let mut chosen = BTreeSet::new();
    while let Some(name) = wanted.pop() {
        if defined.contains(name) {
            continue;
        }
        let file = SOURCES.iter().position(|(_, text)| definitions(text).any(|n| n == name));
        if let Some(file) = file
            && chosen.insert(file)
        {
            wanted.extend(declarations(SOURCES[file].1));
        }
    }
    let model = |i: usize| {
        let (file, text) = SOURCES[i];
        let replaced = definitions(text).filter(|name| defined.contains(*name)).collect();
        Model { file, text, replaced }
    };
    let mut needed: Vec<Model> = chosen.into_iter().map(model).collect();
    needed.sort_by_key(Model::is_narrow);
    needed
}

/// The functions that a model's text defines for others. The models are written so that a scan finds them: the head
/// of a function is one line that begins at the margin and ends without a semicolon.
pub fn definitions(text: &str) -> impl Iterator<Item = &str> {
    heads(text).filter(|line| !line.ends_with(';')).filter_map(function_name)
}

/// The functions that a model's text declares and may call.
pub fn declarations(text: &str) -> impl Iterator<Item = &str> {
    heads(text).filter(|line| line.ends_with(';')).filter_map(function_name)
}

fn heads(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| {
        line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !["static ", "typedef ", "struct ", "enum "].iter().any(|word| line.starts_with(word))
    })
}

/// The word before the first parenthesis.
fn function_name(head: &str) -> Option<&str> {
    let before = &head[..head.find('(')?];
    let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |i| i + 1);
    Some(&before[start..]).filter(|name| !name.is_empty())
}
