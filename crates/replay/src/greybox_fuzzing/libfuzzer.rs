//! Harnesses for libFuzzer: a file with `LLVMFuzzerTestOneInput` that calls a function with inputs from bytes.
//!
//! **Idea.** The fuzz target of greybox fuzzing (`fuzz_target.rs`) has tables that say which bytes are which input. Here they are read
//! by a function that allocates each object by itself, so that the address sanitizer sees what is accessed beyond it. The files of a
//! corpus are those of `corpus.rs`. Example: `make -f fuzz.mk fuzz_parse && ./fuzz_parse fuzz_parse_corpus`.
//!
//! libFuzzer begins with no bytes at all, for which nothing is called unless they are a buffer: pointers would be null then.
//! A function of a buffer and its size gets the bytes as they are. A function `LLVMFuzzerTestOneInput` is a harness already.
//!
//! **Direction of error.** What a call leaves in variables that are no inputs stays for later calls, so an input may do something
//! else than as the first one. Functions that ask the system (files, the clock) have no harness, as the answers of tests would be
//! the fuzzer's, too; nor have those with inputs in static variables of functions, which have no name in optimised code.

use std::fmt::Write;

use footpath_frontend::c::Lowered;

use super::corpus::CorpusFormat;
use super::fuzz_target::{all, arguments, call, externals, head, name_of, result_count, row, table, tables};
use super::layout::Layout;
use crate::emit::Statics;
use crate::quoting::header_name;

/// The name of the function that libFuzzer calls.
const ENTRY: &str = "LLVMFuzzerTestOneInput";

/// The files that all harnesses share, to be written beside them: names and texts.
pub fn fuzz_support_files() -> [(&'static str, &'static str); 3] {
    [
        ("footpath_fuzzer.h", include_str!("fuzzer/fuzzer.h")),
        ("footpath_fuzz_run.c", include_str!("libfuzzer/run.c")),
        ("footpath_fuzz_inputs.c", include_str!("libfuzzer/inputs.c")),
    ]
}

/// A harness for libFuzzer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuzzHarness {
    /// Its source.
    pub source: String,
    /// The external functions.
    pub stubs: String,
    /// Those of [`fuzz_support_files`] that it is built with.
    pub shared: Vec<&'static str>,
}

/// See [`CorpusFormat::harness`].
pub(super) fn harness(
    format: &CorpusFormat<'_>,
    function: &str,
    source: &str,
    missing: &dyn Fn(&str) -> bool,
) -> Result<FuzzHarness, String> {
    let layout = &format.layout;
    let (lowered, harness) = (layout.lowered, layout.harness);
    let asks = |name: &str| name.starts_with("__footpath_");
    if layout.results.iter().any(|results| asks(&lowered.stubs[results.stub].name)) {
        return Err("it asks the system, such as for files or the time".to_owned());
    }
    if harness.settings.iter().any(|s| s.symbol.as_ref().is_some_and(|symbol| symbol.contains('.'))) {
        return Err("static variables of functions are inputs".to_owned());
    }
    let mut out =
        format!("/* Fuzz harness of {function}, made by Footpath: `make -f fuzz.mk` builds it. */\n");
    let stubs = format!(
        "/* External functions of the fuzz harness of {function}: their results are inputs. */\n{}",
        externals(lowered, missing)
    );
    if function == ENTRY {
        let _ = writeln!(out, "#include {}", header_name(source));
        return Ok(FuzzHarness { source: out, stubs: String::new(), shared: Vec::new() });
    }
    out.push_str(&head(lowered, source));
    let shared = if format.buffer.is_some_and(|buffer| buffer.is_all) {
        let arguments = "(void *)footpath_fuzz_buffer, footpath_fuzz_size";
        of_buffer(lowered, layout, &call(lowered, (harness, function), arguments, 0), &mut out);
        let _ = write!(
            out,
            "\nint {ENTRY}(const unsigned char *data, __SIZE_TYPE__ size)\n{{\n    \
             footpath_fuzz_buffer = footpath_fuzz_object(data, size);\n    footpath_fuzz_size = size;\n    \
             return footpath_fuzz_run();\n}}\n"
        );
        vec!["footpath_fuzz_run.c"]
    } else {
        out.push_str(&Statics::all_for_clang(&[Statics::of(&lowered.types, harness)]));
        tables(lowered, layout, 0, &mut out);
        out.push_str(&call(lowered, (harness, function), &arguments(lowered, layout), 0));
        all(lowered, &[row(layout, 0)], &mut out);
        vec!["footpath_fuzz_run.c", "footpath_fuzz_inputs.c"]
    };
    Ok(FuzzHarness { source: out, stubs, shared })
}

/// A harness whose input is a buffer, with the function that calls the tested one. External functions return zero.
fn of_buffer(lowered: &Lowered, layout: &Layout<'_>, call: &str, out: &mut String) {
    table(("result", 0), (0..result_count(lowered)).map(|_| "{0, 0, 0}".to_owned()), out);
    out.push_str(
        "void *footpath_fuzz_object(const void *content, __SIZE_TYPE__ size);\nint footpath_fuzz_run(void);\n\
         static void *footpath_fuzz_buffer;\nstatic __SIZE_TYPE__ footpath_fuzz_size;\n\n",
    );
    out.push_str(call);
    let (results, size, call) = (name_of("results", 0), layout.size, name_of("call", 0));
    let row = format!("{{.results = {results}, .input_size = {size}, .call = {call}}}");
    all(lowered, &[row], out);
}
