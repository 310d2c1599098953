//! C functions as the verifier gets them. Needs a clang.

#![allow(dead_code, reason = "each user needs a part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use footpath_frontend::c::{self, Lowered};
use footpath_frontend::llvm;
use footpath_ir::ProcId;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_verify::{Options, Verdict, Verification, VerifiedBody, verify};

/// Compiles and lowers functions. `name` is a folder of the test's own.
pub fn lowered(name: &str, text: &str, lowering: &c::Options) -> Lowered {
    lowered_for(name, text, &[], lowering)
}

/// The same with further flags for the compiler.
pub fn lowered_for(name: &str, text: &str, more: &[&str], lowering: &c::Options) -> Lowered {
    lowered_but(name, text, more, lowering, &[])
}

/// The same, but some functions have no harness, as those of a library.
pub fn lowered_but(
    name: &str,
    text: &str,
    more: &[&str],
    lowering: &c::Options,
    library: &[&str],
) -> Lowered {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify").join(name);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let (source, made) = (folder.join("test.c"), folder.join("test.ll"));
    std::fs::write(&source, text).expect("a file can be written");
    let flags = ["-S", "-emit-llvm", "-O0", "-g", "-w", "-Xclang", "-disable-O0-optnone", "-o"];
    let done =
        Command::new("clang").args(flags).arg(&made).args(more).arg(&source).status().expect("clang starts");
    assert!(done.success(), "{text}");
    let mut sources = SourceMap::new();
    let content = std::fs::read_to_string(&made).expect("clang's output");
    let id = sources.add(SourceFile::new("test.ll", content));
    let (module, problems) = llvm::read(id, &sources);
    assert!(problems.is_empty(), "{problems:?}");
    let (lowered, _, problems) = c::lower(&[module], sources, lowering, &|name| !library.contains(&name));
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    lowered
}

/// Verifies all functions.
pub fn verified(lowered: &Lowered, options: &Options) -> Verification {
    let procedures: Vec<ProcId> = lowered.functions.iter().map(|f| f.procedure).collect();
    let known = footpath_verify::c_entry::Known::of(lowered);
    let entry = |terms: &mut footpath_term::Terms, p| known.entry(terms, p);
    verify(&lowered.program, &procedures, &entry, options, &AtomicBool::new(false), &|_| ())
}

/// The verdict in words, with the kinds of assumptions that it rests on.
pub fn words(body: &VerifiedBody, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Verified => "verified".to_owned(),
        Verdict::Unverified(_) => "unverified".to_owned(),
        Verdict::Failing => "failing".to_owned(),
        Verdict::VerifiedUnder(premise) => {
            let mut kinds: Vec<&str> =
                premise.iter().map(|i| body.assumptions[*i].site.kind.name()).collect();
            kinds.dedup();
            format!("under {}", kinds.join(" "))
        }
    }
}
