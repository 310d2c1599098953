//! The readers of files, each with a small corpus.
//!
//! **Direction of error.** A reader is asked alone where that is possible: what is between it and the command line, such as
//! reading the bytes, is not tested here.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use footpath_cover::{CoverCache, CoverOptions};
use footpath_frontend::{boogie, llvm};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{ProcId, Program};
use footpath_report::{cbmc, compile_commands, results, suite, witness};

use crate::Language;

/// Something that reads files.
#[derive(Clone, Copy)]
pub struct Reader {
    /// What it reads; also the name of its folder in `tests/corpus/fuzz`.
    pub name: &'static str,
    /// Files that it reads.
    pub corpus: fn() -> Vec<String>,
    /// Words that mean something to it.
    pub words: &'static [&'static str],
    /// Reads a text, which may be anything.
    pub read: fn(&str),
}

/// All of them.
pub fn readers() -> [Reader; 9] {
    [
        Reader { name: "boogie", corpus: boogie_programs, words: BOOGIE, read: read_boogie },
        Reader { name: "llvm", corpus: llvm_modules, words: LLVM, read: read_llvm },
        Reader { name: "sarif", corpus: || files("sarif"), words: JSON, read: read_sarif },
        Reader { name: "witness", corpus: || files("witness"), words: WITNESS, read: read_witness },
        Reader { name: "report", corpus: || files("report"), words: JSON, read: read_report },
        Reader { name: "cbmc", corpus: || files("cbmc"), words: JSON, read: |text| drop(cbmc::parse(text)) },
        Reader { name: "baseline", corpus: || files("baseline"), words: &["failing"], read: read_baseline },
        Reader {
            name: "compile-commands",
            corpus: || files("compile-commands"),
            words: FLAGS,
            read: read_commands,
        },
        Reader { name: "store", corpus: stored_covers, words: STORE, read: read_store },
    ]
}

const BOOGIE: &[&str] = &[
    "forall",
    "exists",
    "lambda",
    "bv32",
    "bv0",
    "bv2147483648",
    "[int]int",
    "{:inline 1}",
    "{:builtin \"x\"}",
    "old(",
    "where",
    "modifies",
    "call forall",
    "goto",
    "if (*)",
    "while (*)",
    "break",
    "type",
    "unique",
    "extends",
    "<a>",
    "++",
    "==>",
    "div",
    "float24e8",
    "0e128f24e8",
    "1bv1",
    "x[1:0]",
    "x[0:4294967296]",
    "real",
    "axiom",
    "function",
    "yield",
    "par",
];
const LLVM: &[&str] = &[
    "i1",
    "i0",
    "i65536",
    "i16777216",
    "ptr",
    "x86_fp80",
    "[4294967296 x i8]",
    "<4 x i32>",
    "undef",
    "poison",
    "zeroinitializer",
    "getelementptr",
    "inbounds",
    "phi",
    "switch",
    "indirectbr",
    "!dbg !0",
    "!0 = !{!0}",
    "distinct",
    "metadata",
    "c\"\\00\"",
    "blockaddress(@f, %0)",
    "@f",
    "%0",
    "#0",
    "attributes #0 = {",
    "align 0",
    "landingpad",
    "musttail",
    "define",
    "declare",
];
const JSON: &[&str] = &[
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"\\ud800\"",
    "[[[[[[[[",
    "{\"a\":",
    "pass",
    "%41",
    "file://",
    "%",
];
const WITNESS: &[&str] = &[
    "&a [*a]",
    "*a",
    "<<: *a",
    "!!binary x",
    "---",
    "? ",
    "|",
    ">",
    "<!DOCTYPE x [<!ENTITY a \"&a;&a;\">]>",
    "&a;",
    "&#0;",
    "<data key=\"invariant\">",
    "\\old(x)",
    "x ? y : z",
    "(int) x",
    "x >> 64",
    "1 / 0",
    "((((((((",
    "!x",
    "x->y",
    "*p",
    "a[1]",
];
const FLAGS: &[&str] = &[
    "@x",
    "-Wp,",
    "-D",
    "-I",
    "-include",
    "$(x)",
    "`x`",
    "'",
    "\\\"",
    "directory",
    "command",
    "arguments",
    "file",
    "..",
    "/",
];
const STORE: &[&str] = &[
    "covered",
    "unreachable",
    "doomed",
    "unknown",
    "within",
    "since",
    "note",
    "test",
    "entry",
    "havoc",
    "choice",
    "body",
    "cover",
];

/// The files of a reader's corpus, and those that were once findings.
fn files(name: &str) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/fuzz").join(name);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .map(|b| String::from_utf8_lossy(&b).into_owned())
        .collect()
}

// ---- Languages

fn boogie_programs() -> Vec<String> {
    let programs = Language::Boogie.programs_of(&Language::Boogie.corpus());
    let texts = programs.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter(|text| text.len() < 4000).chain(files("boogie")).collect()
}

fn read_program(text: &str) -> Option<(Program, SourceMap)> {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("input.bpl", text));
    let (program, diagnostics) = boogie::read(&[file], &sources);
    for diagnostic in &diagnostics {
        let span = diagnostic.span.expect("every diagnostic has a place");
        assert!(span.end as usize <= text.len(), "{} lies outside", diagnostic.message);
        drop(sources.describe(span));
    }
    Some((program?, sources))
}

fn read_boogie(text: &str) {
    if let Some((program, _)) = read_program(text) {
        let violations = footpath_ir::validate(&program);
        assert!(violations.is_empty(), "{violations:?}");
    }
}

/// What the compiler makes of small programs of the corpus.
fn llvm_modules() -> Vec<String> {
    static MADE: OnceLock<Vec<String>> = OnceLock::new();
    let compile = |path: &PathBuf| {
        let mut clang = Command::new("clang");
        clang.args(["-S", "-emit-llvm", "-g", "-O0", "-w", "-DFOOTPATH", "-o", "-"]).arg(path);
        let made = clang.output().ok().filter(|made| made.status.success())?;
        String::from_utf8(made.stdout).ok().filter(|text| text.len() < 20_000)
    };
    let made = MADE.get_or_init(|| {
        let programs = Language::C.programs_of(&Language::C.corpus());
        programs.iter().step_by(programs.len() / 25 + 1).filter_map(compile).collect()
    });
    made.iter().cloned().chain(files("llvm")).collect()
}

fn read_llvm(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("input.ll", text));
    let (_, diagnostics) = llvm::read(file, &sources);
    for span in diagnostics.iter().filter_map(|diagnostic| diagnostic.span) {
        drop(sources.describe(span));
    }
}

// ---- Other tools

/// A program with a loop, about which others say something.
const PROGRAM: &str = "procedure main(n: int) returns (i: int)\n{\n  i := 0;\n  while (i < n)\n  {\n    assert i >= 0;\n    i := i + 1;\n  }\n}\n";

/// What is read and its procedures.
fn known() -> (Program, SourceMap, Vec<ProcId>) {
    let (program, sources) = read_program(PROGRAM).expect("the program can be read");
    let procedures = program.ids().collect();
    (program, sources, procedures)
}

fn read_sarif(text: &str) {
    if let Ok((runs, _)) = results::parse(text) {
        let (program, sources, procedures) = known();
        drop(footpath_verify::claims(&program, &procedures, &sources, &runs));
    }
}

fn read_witness(text: &str) {
    let Ok((witnesses, _)) = witness::parse(text, &[PROGRAM]) else { return };
    let (program, sources, procedures) = known();
    for witness in witnesses {
        drop(footpath_verify::proposals(&program, &procedures, &sources, &witness.invariants));
        drop(footpath_verify::witnessed(&program, &procedures, &witness.tool, &witness.kinds));
    }
}

// ---- Our own

fn read_report(text: &str) {
    drop(suite::compare::count_verdicts(text));
    drop(suite::compare::compare(&[text.to_owned(), text.to_owned()]));
}

fn read_baseline(text: &str) {
    drop(footpath_cli::baseline::entries(text));
}

fn read_commands(text: &str) {
    if compile_commands::parse(text).is_ok_and(|entries| !entries.is_empty()) {
        let file = std::env::temp_dir().join(format!("footpath-fuzz-{}.json", std::process::id()));
        std::fs::write(&file, text).expect("a file can be written");
        drop(footpath_cli::compile_commands::read(&file));
        std::fs::remove_file(file).expect("it is there");
    }
}

/// A program of which results are stored.
const STORED: &str = "var g: [int]int;\nprocedure p(x: int, b: bv8, m: [int]bool) returns (r: int)\nmodifies g;\n{\n  \
    var y: int;\n  havoc y;\n  if (x > 7 && m[x]) { r := 1; g[x] := y; } else if (b == 3bv8) { r := 2; }\n  \
    if (x > 9 && x < 5) { r := 3; }\n  call r := q(r);\n  assert r != 2;\n}\n\
    procedure q(x: int) returns (r: int)\n{\n  if (x == 0) { r := 1; } else { r := x; }\n}\n";

fn stored_covers() -> Vec<String> {
    static MADE: OnceLock<Vec<String>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let (program, _) = read_program(STORED).expect("the program can be read");
        let procedures: Vec<ProcId> = program.ids().collect();
        let stop = AtomicBool::new(false);
        let covers = footpath_cover::cover(&program, &procedures, &CoverOptions::default(), &stop, &|_| {});
        let keeper = CoverCache::new(&program);
        covers.expect("they are computed").iter().filter_map(|cover| keeper.keep(cover, true)).collect()
    });
    made.iter().cloned().chain(files("store")).collect()
}

fn read_store(text: &str) {
    let (program, _) = read_program(STORED).expect("the program can be read");
    let keeper = CoverCache::new(&program);
    for procedure in program.ids() {
        drop(keeper.recall((procedure, 0), text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_corpora_is_read_and_not_refused() {
        assert!(
            files("sarif").iter().any(|text| results::parse(text).is_ok_and(|(runs, _)| !runs.is_empty()))
        );
        assert!(files("report").iter().any(|text| suite::compare::count_verdicts(text).is_ok()));
        assert!(files("cbmc").iter().any(|text| cbmc::parse(text).is_ok()));
        assert!(files("baseline").iter().any(|text| footpath_cli::baseline::entries(text).is_ok()));
        assert!(files("compile-commands").iter().any(|text| compile_commands::parse(text).is_ok()));
        let (program, _) = read_program(STORED).expect("the program can be read");
        let keeper = CoverCache::new(&program);
        let texts = stored_covers();
        assert!(texts.len() >= 2);
        assert!(texts.iter().any(|t| program.ids().any(|p| keeper.recall((p, 0), t).is_some())));
    }
}
