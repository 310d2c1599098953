//! Whether a place in a C program can be reached.
//!
//! 1. Proof: the function is asked about by itself, in any state that a caller could leave, in the program for proofs.
//! 2. Test: its harness is asked about. A run is written as C, built and run; that the compiled test passed the
//!    target's block is what counts.
//!
//! **Which way it may be wrong.** *Reached* rests on a run of the compiled program and one of the interpreter; *unreachable*
//! on the loop summaries. That the harness reaches nothing is no proof, as it makes inputs of bounded size.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use footpath_frontend::c::{BlockRole, Lowered, LoweredFunction};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::interp::Interpreter;
use footpath_ir::source::{SourceMap, Span};
use footpath_ir::{BlockId, ProcId};
use footpath_loops::{Options as Limits, Reach, ReachError, Target, Test, Verdict};
use footpath_replay::Point;
use footpath_term::Terms;

use crate::compile::{Compiled, compile};
use crate::function::{Context, run_one};
use crate::{CompileError, Options};

/// The share of the time that a proof may take before tests are looked for.
const PROOF_SHARE: f64 = 0.5;

/// What became of the targets.
pub struct ReachRun {
    /// The targets, in the order asked for.
    pub targets: Vec<Reached>,
    /// The files that spans are in.
    pub sources: SourceMap,
    /// What could not be read or lowered.
    pub diagnostics: Vec<Diagnostic>,
    /// The sorts that values are of.
    pub terms: Arc<Terms>,
}

/// What became of a target.
pub struct Reached {
    /// The function that runs start in.
    pub function: String,
    /// The target, as it was asked for.
    pub target: String,
    /// Its range.
    pub span: Span,
    /// The answer.
    pub reach: Reach,
    /// The file with the test.
    pub file: Option<PathBuf>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Nothing could be compiled.
    Compile(CompileError),
    /// There is no such target or function; the text says so.
    Target(String),
    /// The question could not be asked.
    Reach(ReachError),
}

/// Asks about targets in C files. Runs start in the function that the options name, or else in the one with the target.
///
/// # Errors
/// If nothing can be compiled, a target is not there, or the solver cannot be used.
pub fn reach(
    options: &Options,
    wanted: &[String],
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<ReachRun, Refused> {
    let compiled = compile(options).map_err(Refused::Compile)?;
    let interpreter = Interpreter::new(&compiled.lowered.program);
    let names = compiled.lowered.functions.iter().map(|f| f.name.clone()).collect();
    let events = |_| {};
    let context = Context {
        options,
        compiled: &compiled,
        interpreter: &interpreter,
        guidance: None,
        callees: None,
        proved: None,
        searches: None,
        names,
        stop,
        events: &events,
    };
    let mut targets = Vec::new();
    for (number, wanted) in wanted.iter().enumerate() {
        let mut found = one(&context, wanted, limits)?;
        found.file = found.file.map(|file| numbered(&file, number));
        targets.push(found);
    }
    let terms = Arc::clone(&compiled.lowered.program.terms);
    let Compiled { sources, diagnostics, .. } = compiled;
    Ok(ReachRun { targets, sources, diagnostics, terms })
}

/// The file under a name of its own, as tests of one function for several targets have the same.
fn numbered(file: &Path, number: usize) -> PathBuf {
    let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let to = file.with_file_name(format!("{stem}_{}.c", number + 1));
    match std::fs::rename(file, &to) {
        Ok(()) => to,
        Err(_) => file.to_owned(),
    }
}

fn one(context: &Context<'_>, wanted: &str, limits: &Limits) -> Result<Reached, Refused> {
    let started = Instant::now();
    let compiled = context.compiled;
    let preferred = context.options.functions.first();
    let named = |name: &str| compiled.lowered.functions.iter().position(|f| f.name == name);
    let start = match preferred {
        Some(name) => Some(
            named(name)
                .ok_or_else(|| Refused::Target(format!("there is no function `{name}` with a body")))?,
        ),
        None => None,
    };
    let lowered = &compiled.lowered;
    let target = find(lowered, context, wanted, start.map(|i| lowered.functions[i].procedure))?;
    let inside = target.spot.procedure;
    let index = start.or_else(|| lowered.functions.iter().position(|f| f.procedure == inside));
    let Some(index) = index else {
        return Err(Refused::Target(format!("`{wanted}` is in no function of these files")));
    };
    let function = &lowered.functions[index];
    let of = |reach: Reach, file| Reached {
        function: function.name.clone(),
        target: wanted.to_owned(),
        span: target.span,
        reach,
        file,
    };
    if let Some(why) = &function.degraded {
        return Err(Refused::Target(format!(
            "`{}` cannot be analysed: {why} is not supported",
            function.name
        )));
    }
    let proof = prove(context, wanted, index, limits)?;
    if matches!(proof.verdict, Verdict::Unreachable) {
        return Ok(of(proof, None));
    }
    let left = limits.timeout.map(|t| t.saturating_sub(started.elapsed()));
    let limits = Limits { timeout: left, ..limits.clone() };
    let (mut found, file) = test(context, function, &target, &limits)?;
    found.condition = proof.condition.or(found.condition);
    found.losses = proof.losses;
    found.queries += proof.queries;
    found.unfolded = found.unfolded.max(proof.unfolded);
    found.time = started.elapsed();
    Ok(of(found, file))
}

fn find(
    lowered: &Lowered,
    context: &Context<'_>,
    wanted: &str,
    preferred: Option<ProcId>,
) -> Result<Target, Refused> {
    footpath_loops::find(&lowered.program, &context.compiled.sources, wanted, preferred)
        .map_err(Refused::Target)
}

/// Asks for a proof that no state at all leads from the function's start to the target.
fn prove(context: &Context<'_>, wanted: &str, index: usize, limits: &Limits) -> Result<Reach, Refused> {
    let lowered = context.compiled.proofs.as_ref().unwrap_or(&context.compiled.lowered);
    let subject = &lowered.functions[index];
    let target = find(lowered, context, wanted, Some(subject.procedure))?;
    let timeout = limits.timeout.map(|t| t.mul_f64(PROOF_SHARE));
    let limits = Limits { tests: false, timeout, ..limits.clone() };
    footpath_loops::reach(&target.program, subject.procedure, 0, target.spot, &limits, context.stop)
        .map_err(Refused::Reach)
}

/// Looks for a run, and runs it as C.
fn test(
    context: &Context<'_>,
    function: &LoweredFunction,
    target: &Target,
    limits: &Limits,
) -> Result<(Reach, Option<PathBuf>), Refused> {
    let harness = match &function.harness {
        Ok(harness) => harness,
        Err(why) => return Ok((nothing(format!("there are no tests, as {why}")), None)),
    };
    let start = harness.procedure;
    let mut found = footpath_loops::reach(&target.program, start, 0, target.spot, limits, context.stop)
        .map_err(Refused::Reach)?;
    let mut file = None;
    found.verdict = match found.verdict {
        Verdict::Unreachable => {
            Verdict::Unknown("no input of the sizes that tests have reaches it, which is no proof".to_owned())
        }
        Verdict::Reached(test) => {
            let (verdict, written) = confirm(context, function, target, test);
            file = written;
            verdict
        }
        unknown @ Verdict::Unknown(_) => unknown,
    };
    Ok((found, file))
}

fn nothing(why: String) -> Reach {
    let (condition, losses) = (None, Vec::new());
    let time = std::time::Duration::ZERO;
    Reach { verdict: Verdict::Unknown(why), condition, losses, queries: 0, unfolded: 0, time }
}

/// Builds and runs a test.
fn confirm(
    context: &Context<'_>,
    function: &LoweredFunction,
    target: &Target,
    test: Box<Test>,
) -> (Verdict, Option<PathBuf>) {
    let functions = &context.compiled.lowered.functions;
    let inside = functions.iter().find(|f| f.procedure == target.spot.procedure);
    let point = inside.and_then(|f| point_of(f, target.inside).map(|p| (f.name.clone(), p)));
    match run_one(context, function, &test.script) {
        Err(why) => (Verdict::Unknown(format!("a test was found, but {why}")), None),
        Ok((observed, file)) => match point {
            Some((name, point)) if observed.points.get(&name).is_some_and(|p| p.contains(&point)) => {
                (Verdict::Reached(test), file)
            }
            Some(_) => {
                let why = "a test was found, but compiled and run it goes another way".to_owned();
                (Verdict::Unknown(why), file)
            }
            None => {
                let why =
                    "a test was found, but a compiled test does not say whether it passes there".to_owned();
                (Verdict::Unknown(why), file)
            }
        },
    }
}

/// What the compiled test counts when it passes a block.
fn point_of(function: &LoweredFunction, block: BlockId) -> Option<Point> {
    if let BlockRole::Source(ix) = function.roles.get(block.index())? {
        return Some(Point::Block(ix.0));
    }
    function.arms.iter().find(|arm| arm.to == block).map(|arm| Point::Branch(arm.from.0, arm.taken))
}
