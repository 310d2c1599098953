//! Runs C in the program form: a file is compiled, lowered as a whole program, and run by the reference interpreter.
//!
//! Everything that a program leaves open is zero: memory that nobody has written, what external functions
//! return. Checks of all kinds are made, and every one that fails is told.

#![allow(dead_code, reason = "each user needs a part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use footpath_frontend::c;
use footpath_frontend::c::source::library_models;
use footpath_frontend::c::{BlockRole, Lowered};
use footpath_frontend::llvm;
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::interp::{Ask, Heard, Interpreter, Limits, Listener, Outcome, Replay, Run, Script};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{AssertKind, Origin, Place, Program};
use footpath_term::{Op, SymbolId, Value};

/// How C is made into LLVM's text, as the main job does it.
pub const TEXT_FLAGS: [&str; 8] =
    ["-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-inline", "-g", "-w"];

/// A lowered program with its files.
pub struct Ready {
    /// The program.
    pub lowered: Lowered,
    /// All files.
    pub sources: SourceMap,
    /// What the front end said.
    pub diagnostics: Vec<Diagnostic>,
}

/// How a run ended, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The function returned this, if anything.
    Returned(Option<u64>),
    /// The program called `exit`.
    Exit,
    /// A check failed: which, and where.
    Failed(AssertKind, String),
    /// An assumption did not hold, here.
    Blocked(String),
    /// It took too long.
    OutOfSteps,
    /// Something could not be computed.
    Stuck(String),
}

/// Compiles a file to LLVM's text.
pub fn to_text(clang: &str, file: &Path, flags: &[String], out: &Path) -> Result<String, String> {
    let output = Command::new(clang)
        .args(TEXT_FLAGS)
        .args(flags)
        .arg(file)
        .arg("-o")
        .arg(out)
        .output()
        .map_err(|e| format!("cannot run {clang}: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    std::fs::read_to_string(out).map_err(|e| e.to_string())
}

/// Compiles and lowers a file with the models it needs. `entry` is where a whole program starts.
pub fn lower(
    clang: &str,
    file: &Path,
    flags: &[String],
    folder: &Path,
    entry: Option<&str>,
) -> Result<Ready, String> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();
    let read = |text: String, name: &str, sources: &mut SourceMap, diagnostics: &mut Vec<Diagnostic>| {
        let id = sources.add(SourceFile::new(name, text));
        let (module, problems) = llvm::read(id, sources);
        diagnostics.extend(problems);
        module
    };
    let out = folder.join("program.ll");
    let text = to_text(clang, file, flags, &out)?;
    let mut modules = vec![read(text, "program.ll", &mut sources, &mut diagnostics)];
    for model in library_models::needed(&modules) {
        let source: PathBuf = folder.join(model.file);
        std::fs::write(&source, model.text).map_err(|e| e.to_string())?;
        let target = flags.iter().filter(|f| f.starts_with("-m")).cloned();
        let flags: Vec<String> = target.chain(model.flags()).collect();
        let text = to_text(clang, &source, &flags, &source.with_extension("ll"))?;
        modules.push(read(text, model.file, &mut sources, &mut diagnostics));
    }
    let mut options = c::Options { user_modules: 1, allocation_fails: false, ..c::Options::default() };
    options.harness.whole_program = entry.is_some();
    let wanted = |name: &str| entry.is_none_or(|e| e == name);
    let (lowered, sources, more) = c::lower(&modules, sources, &options, &wanted);
    diagnostics.extend(more);
    let broken = footpath_ir::validate::validate(&lowered.program);
    match broken.first() {
        Some(broken) => Err(format!("the lowered program is not valid: {broken:?}")),
        None => Ok(Ready { lowered, sources, diagnostics }),
    }
}

/// Runs a whole program; what it did, and in which blocks checks failed that do not stop a program.
pub fn run_whole(ready: &Ready, entry: &str, steps: u64) -> Result<(End, Vec<(AssertKind, String)>), String> {
    let function = ready.lowered.functions.iter().find(|f| f.name == entry);
    let function = function.ok_or_else(|| format!("there is no function {entry}"))?;
    let harness = function.harness.as_ref().map_err(|why| format!("{entry} cannot be called: {why}"))?;
    let program = &ready.lowered.program;
    let interpreter = Interpreter::new(program);
    let script = Script::default();
    let mut zeros = Replay::new(&script);
    let mut oracle = Heard::new(&mut zeros, NotZero(program));
    let limits = Limits { steps, calls: 10_000, ..Limits::default() };
    let run = interpreter.run(harness.procedure, 0, &mut oracle, &limits);
    Ok((end(ready, &run), failed_checks(ready, &run)))
}

/// How a run ended.
pub fn end(ready: &Ready, run: &Run) -> End {
    match &run.outcome {
        Outcome::Returned => End::Returned(run.results.first().and_then(|r| r.as_ref()?.as_u64())),
        Outcome::Failed { kind: AssertKind::Exit, .. } => End::Exit,
        Outcome::Failed { at, kind } => End::Failed(*kind, place(ready, *at)),
        Outcome::Blocked { at } => End::Blocked(place(ready, *at)),
        Outcome::OutOfSteps => End::OutOfSteps,
        Outcome::Stuck { at, why } => End::Stuck(format!("{}: {why}", place(ready, *at))),
    }
}

/// Where something stands: function, file and line.
fn place(ready: &Ready, at: Origin) -> String {
    let procedure = &ready.lowered.program[at.procedure];
    let body = &procedure.bodies[at.body as usize];
    let (block, first) = match at.place {
        Place::Segment { block, first } => (block, first as usize),
        Place::Failure { block, statement, .. } => (block, statement as usize),
        _ => return procedure.name.to_string(),
    };
    let block = &body[block];
    let span = block.statements.get(first).map_or(block.span, |s| s.span);
    format!("{}: {}", procedure.name, ready.sources.describe(span))
}

/// The checks that failed and did not stop the program.
fn failed_checks(ready: &Ready, run: &Run) -> Vec<(AssertKind, String)> {
    let mut found: Vec<(AssertKind, String)> = Vec::new();
    for step in &run.path {
        let function = ready.lowered.functions.iter().find(|f| f.procedure == step.procedure);
        if let Some(BlockRole::Check(kind)) = function.and_then(|f| f.roles.get(step.block.index())) {
            let at = Place::Segment { block: step.block, first: 0 };
            let at = Origin { procedure: step.procedure, body: step.body, place: at };
            let failure = (*kind, place(ready, at));
            if !found.contains(&failure) {
                found.push(failure);
            }
        }
    }
    found
}

/// Values for variables that may not be zero.
struct NotZero<'a>(&'a Program);

impl Listener for NotZero<'_> {
    fn entry(&mut self, ask: &Ask<'_>, _: &Value) -> Option<Value> {
        one_of(self.0, ask.symbol)
    }
}

/// A value that a variable's where-clause lists.
fn one_of(program: &Program, symbol: SymbolId) -> Option<Value> {
    let global = program.globals.iter().find(|g| g.variable.symbol == symbol)?;
    let terms = &program.terms;
    let mut term = global.variable.where_clause?;
    while terms.term(term).op == Op::Or {
        term = terms.term(term).args[0];
    }
    match terms.term(term).op {
        Op::Eq => terms.term(term).args.iter().find_map(|&a| terms.literal(a).cloned()),
        Op::Not => Some(Value::Bool(false)),
        _ => Some(Value::Bool(true)),
    }
}
