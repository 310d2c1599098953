//! The models of the C library: they are what the real library is, and they can be lowered whole.
//!
//! Needs `clang`, as everything about C does.

use std::path::{Path, PathBuf};
use std::process::Command;

use footpath_frontend::c::source::library_models;
use footpath_frontend::c::source::library_models::SOURCES;
use footpath_frontend::llvm::ast::Module;
use footpath_frontend::{c, llvm};
use footpath_ir::source::{SourceFile, SourceMap};

/// A directory that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("footpath-models-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary directory");
        Scratch(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file in the temporary directory");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the compiler and what it made can be run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// The module that a C file becomes.
fn compile(scratch: &Scratch, name: &str, text: &str, flags: &[String], sources: &mut SourceMap) -> Module {
    let from = scratch.write(name, text);
    let to = from.with_extension("ll");
    run(Command::new("clang")
        .args(["-S", "-emit-llvm", "-g", "-Xclang", "-disable-O0-optnone", "-o"])
        .arg(&to)
        .arg(&from)
        .args(flags));
    let lines = std::fs::read_to_string(&to).expect("the compiler's output");
    let id = sources.add(SourceFile::new(to.display().to_string(), lines));
    let (module, diagnostics) = llvm::read(id, sources);
    assert!(diagnostics.is_empty(), "{name}: {}", diagnostics[0].message);
    module
}

fn plain_flags() -> Vec<String> {
    library_models::FLAGS.iter().map(|&f| f.to_owned()).collect()
}

#[test]
fn models_return_what_the_library_returns() {
    let scratch = Scratch::new("native");
    let rename = SOURCES.iter().flat_map(|(_, text)| library_models::definitions(text));
    let rename = rename.chain(["optarg", "opterr", "optind", "optopt"]);
    let rename: Vec<String> = rename.map(|name| format!("-D{name}=model_{name}")).collect();
    let mut objects = Vec::new();
    for (name, text) in SOURCES {
        let (from, to) = (scratch.write(name, text), scratch.0.join(name).with_extension("o"));
        let strict = ["-O0", "-fsanitize=undefined", "-fsanitize-trap=all", "-c", "-o"];
        run(Command::new("clang").args(library_models::FLAGS).args(strict).arg(&to).arg(from).args(&rename));
        objects.push(to);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let program = scratch.0.join("harness");
    run(Command::new("clang")
        .args(["-O0", "-w", "-fno-builtin"])
        .args(["harness.c", "formats.c", "options.c", "wide.c"].map(|file| folder.join(file)))
        .args(objects)
        .arg("-lm")
        .arg("-o")
        .arg(&program));
    let said = run(&mut Command::new(&program));
    let count: u64 = said.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    assert!(count > 1_000_000, "{said}");
}

#[test]
fn every_model_is_lowered_and_is_valid() {
    let scratch = Scratch::new("lowered");
    let mut sources = SourceMap::new();
    let mut modules = Vec::new();
    for (name, text) in SOURCES {
        modules.push(compile(&scratch, name, text, &plain_flags(), &mut sources));
        let module = modules.last().expect("just pushed");
        let mut found: Vec<&str> = library_models::definitions(text).collect();
        let mut defined: Vec<&str> = module
            .functions
            .iter()
            .filter(|f| f.body.code().is_some() && !f.linkage.is_local())
            .map(|f| module.text(f.name))
            .collect();
        found.sort_unstable();
        defined.sort_unstable();
        assert_eq!(found, defined, "what a scan finds in {name} is not what the compiler finds");
    }
    let (lowered, _, diagnostics) = c::lower(&modules, sources, &c::Options::default(), &|_| true);
    assert!(diagnostics.is_empty(), "{}", diagnostics[0].message);
    for f in &lowered.functions {
        assert_eq!(f.degraded, None, "{}", f.name);
    }
    let broken = footpath_ir::validate::validate(&lowered.program);
    assert!(broken.is_empty(), "{:?}", broken[0]);
    // What is left without a body are inputs, and what the lowering knows itself.
    let known =
        ["malloc", "realloc", "exit", "footpath_assume", library_models::CLOSE, library_models::NEED_OPEN];
    for stub in &lowered.stubs {
        let name = stub.name.as_str();
        // What a caller gives to `qsort` is his.
        if name.starts_with("footpath_callback_") {
            continue;
        }
        assert!(known.contains(&name) || library_models::INPUTS.contains(&name), "{name} has no model");
    }
}

#[test]
fn no_function_has_two_models() {
    let mut names: Vec<&str> =
        SOURCES.iter().flat_map(|(_, text)| library_models::definitions(text)).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

fn needed_for(text: &str) -> Vec<library_models::Model> {
    let scratch = Scratch::new(&format!("needed-{}", text.len()));
    let mut sources = SourceMap::new();
    let module = compile(&scratch, "program.c", text, &["-O0".to_owned(), "-w".to_owned()], &mut sources);
    library_models::needed(&[module])
}

#[test]
fn a_program_needs_the_models_of_what_it_calls_and_what_these_call() {
    let files = |text| needed_for(text).into_iter().map(|m| m.file).collect::<Vec<_>>();
    assert_eq!(files("int f(int a) { return a; }"), Vec::<&str>::new());
    assert_eq!(
        files("int puts(const char *); int f(void) { return puts(\"\"); }"),
        ["answers.c", "errno.c", "stdio_output.c"]
    );
    // What proofs do without comes last.
    assert_eq!(
        files("int ioctl(int, unsigned long, ...); int f(int a) { return ioctl(a, 1); }"),
        ["answers.c", "errno.c", "control.c"]
    );
    assert_eq!(
        files("char *strdup(const char *); char *f(char *s) { return strdup(s); }"),
        ["str_duplicate.c", "str_length.c"]
    );
    assert_eq!(
        files("int atoi(const char *); int f(char *s) { return atoi(s); }"),
        ["conversions.c", "errno.c"]
    );
}

#[test]
fn a_program_keeps_its_own_functions() {
    let own = "unsigned long strlen(const char *s) { return *s; }";
    let text = format!(
        "{own} unsigned long strnlen(const char *, unsigned long); int f(char *s) {{ return strnlen(s, 9); }}"
    );
    let models = needed_for(&text);
    assert_eq!(models.len(), 1);
    assert_eq!(models[0].replaced, ["strlen"]);
    assert!(models[0].flags().contains(&"-Dstrlen=__footpath_unused_strlen".to_owned()));
}
