//! Precondition inference for functions of C, through their harnesses.
//!
//! The procedure that is analysed is the harness: it makes the inputs and calls the function, so the condition is
//! about the function's parameters and what they point to. What the harness assumes (lengths of arrays, terminated
//! strings) is a premise, not a part of the condition. Example: for `int first(int *a) { return a[0]; }` the
//! condition is `a == NULL`, under the premise that `a`, if it is not null, points to an array of 1 to 8 elements.
//!
//! **Direction of error.** The condition is about inputs that a harness makes; larger objects and other aliasing are
//! outside its premise.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_concolic::Prepared;
use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::interp::Interpreter;
use footpath_ir::source::SourceMap;
use footpath_ir::{AssertKind, Origin, Place, ProcId, Program, Statement, StatementKind};
use footpath_preconditions::{Analysis, Class, Classes, Exactness, Test, TestEnd, analyse};
use footpath_term::{Op, TermId, Value};

use super::named_results::NamedResults;
use super::{ByResults, Calls, Error, FailureTest, FunctionFailures, Options, arrange, native, place};
use crate::claims;
use crate::compile::{CompileError, compile};
use crate::strategy::greybox_fuzzing::Fuzzers;
use crate::strategy::replay::STEPS;
use crate::workers::in_parallel;
use footpath_c_syntax::failure_conditions::CSyntax;
use footpath_c_syntax::wording::Wording;
use footpath_virtual_time::Deadline;

/// The least time for the proof that a text means what it is printed from.
const PROOF: Duration = Duration::from_secs(4);
/// The share of a function's time that finding the condition may take; the rest is for its words and its tests.
const ANALYSIS: f64 = 0.8;
/// The least time for these.
const LEAST: Duration = Duration::from_secs(1);
/// The share of what is left of it that finding out takes for which results of external functions it fails.
const BY_RESULTS: f64 = 0.5;

/// A test, and how it is shown.
type ShownTest = (Test, FailureTest);

/// The results of precondition inference for C files.
pub struct FailureRun {
    /// The functions, in the order of the files; an error of our own in place of one.
    pub functions: Vec<Result<FunctionFailures, Error>>,
    /// What could not be read or lowered.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that spans are in.
    pub sources: SourceMap,
    /// Remarks about the run as a whole.
    pub notes: Vec<String>,
    /// The names of all functions with a body in the files.
    pub known: Vec<String>,
}

/// Analyses the functions that the options name.
///
/// # Errors
/// If nothing could be compiled.
pub fn run(
    options: &crate::Options,
    failures: &Options,
    stop: &AtomicBool,
) -> Result<FailureRun, CompileError> {
    let mut compiled = compile(options, stop)?;
    claims::disbelieve(&mut compiled.lowered.program);
    compiled.make_ready();
    compiled.notes.extend(compiled.library_note());
    let functions = &compiled.lowered.functions;
    let work: Vec<usize> =
        (0..functions.len()).filter(|&i| compiled.is_wanted(options, &functions[i].name, i)).collect();
    let prepared = Prepared::new(&compiled.lowered.program);
    let names = functions.iter().map(|f| f.name.clone()).collect();
    let fuzzers = Fuzzers::new(functions, &names);
    let native = crate::context::Context::new(options, &compiled, &prepared, &names, &fuzzers, stop, &|_| {});
    let context = Context { native: &native, failures };
    let done = in_parallel(&work, options.jobs, stop, &|i| context.function(&functions[i], true));
    let done = done.into_iter().map(|(_, result)| result).collect();
    let of_the_user = |f: &&LoweredFunction| (f.function.module as usize) < compiled.files.len();
    let known = functions.iter().filter(of_the_user).map(|f| f.name.clone()).collect();
    Ok(FailureRun {
        functions: done,
        known,
        diagnostics: compiled.diagnostics,
        sources: compiled.sources,
        notes: compiled.notes,
    })
}

/// The condition under which a function fails, without tests that were compiled.
///
/// # Errors
/// If the solver cannot be used, or a run contradicts the condition.
pub(crate) fn condition(
    context: &crate::context::Context<'_>,
    function: &LoweredFunction,
    failures: &Options,
) -> Result<FunctionFailures, Error> {
    Context { native: context, failures }.function(function, false)
}

/// Projects out the initial contents of objects that are made during the run, from number `first` on, as these are
/// arbitrary values. Nothing else mentions them, so the rest says for which inputs such contents exist.
fn forget_made(found: &mut Analysis, first: u64) {
    let terms = &found.terms;
    let number = |t: TermId| terms.literal(t).and_then(Value::as_u64);
    let is_content = |t: TermId| match (&terms.term(t).op, terms.term(t).args.as_slice()) {
        (Op::Select, &[map, object, offset]) => {
            matches!(terms.term(map).op, Op::Var(_))
                && number(object).is_some_and(|n| n >= first)
                && number(offset).is_some()
        }
        _ => false,
    };
    // Whether there are such contents in a literal, and whether there is anything else.
    let mentions = |literal: TermId| {
        let (mut contents, mut others) = (false, false);
        let mut todo = vec![literal];
        while let Some(t) = todo.pop() {
            match &terms.term(t).op {
                _ if is_content(t) => contents = true,
                Op::Var(_) => others = true,
                _ => todo.extend(&terms.term(t).args),
            }
        }
        (contents, others)
    };
    let mut changed = false;
    for cube in &mut found.condition.cubes {
        let said: Vec<(bool, bool)> = cube.iter().map(|&l| mentions(l)).collect();
        if said.contains(&(true, true)) || !said.iter().any(|(contents, _)| *contents) {
            continue;
        }
        let mut said = said.into_iter();
        cube.retain(|_| said.next().is_some_and(|(contents, _)| !contents));
        changed = true;
    }
    if changed {
        found.may_pass = true;
        found.passes = None;
    }
}

/// What the names of static variables of functions mean in a condition, and that it is no C with them.
fn static_variables(result: &FunctionFailures) -> Option<String> {
    let texts = [Some(&result.constraint), result.only_when.as_ref(), result.precondition.as_ref()];
    let words = texts.into_iter().flatten().flat_map(|text| text.split(|c: char| !is_of_name(c)));
    let mut names: Vec<(&str, &str)> = words.filter_map(|word| word.split_once("::")).collect();
    names.sort_unstable();
    names.dedup();
    let meant: Vec<String> = names
        .iter()
        .map(|(function, variable)| {
            format!("`{function}::{variable}` is the static variable `{variable}` of `{function}`")
        })
        .collect();
    let no_name = "which has no name elsewhere, so the condition cannot be compiled as it stands";
    (!meant.is_empty()).then(|| format!("{}, {no_name}", meant.join(", ")))
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ':')
}

struct Context<'a> {
    /// The program, and the state for running tests.
    native: &'a crate::context::Context<'a>,
    failures: &'a Options,
}

impl Context<'_> {
    fn function(&self, function: &LoweredFunction, replay: bool) -> Result<FunctionFailures, Error> {
        let skip = |why: String| Ok(FunctionFailures::skipped(&function.name, function.span, why));
        if let Some(why) = &function.degraded {
            return skip(format!("{why} is not supported"));
        }
        match &function.harness {
            Ok(harness) => self.with_harness(function, harness, replay),
            Err(why) => skip(why.clone()),
        }
    }

    fn with_harness(
        &self,
        function: &LoweredFunction,
        harness: &Harness,
        replay: bool,
    ) -> Result<FunctionFailures, Error> {
        let lowered = &self.native.compiled.lowered;
        let program = &lowered.program;
        let classes = |at: Origin| self.class(program, at);
        let end = self.failures.time.map(Deadline::after);
        let time = self.failures.time.map(|time| time.mul_f64(ANALYSIS));
        let mut found = analyse(
            program,
            harness.procedure,
            0,
            &Options { time, ..self.failures.clone() },
            Classes { of: &classes },
            self.native.stop,
        )?;
        forget_made(&mut found, u64::from(harness.first_made));
        let end = end.map(|end| end.max(Deadline::after(LEAST)));
        let sort = found.terms.bit_vec_sort(64);
        let index = found.terms.fresh_symbol("i", sort);
        let syntax = CSyntax::new(lowered, harness).with_index(index);
        let mut simplifier = footpath_preconditions::simplifier(self.failures)?;
        simplifier.until(end, self.failures.query.map(|query| query.max(PROOF)));
        let words = Wording::new(&syntax, &found.terms, &found.premise, simplifier);
        let order = words.order(&found.condition);
        arrange(&mut found, &order);
        let inputs = |test: &Test| {
            syntax.inputs(self.native.prepared.interpreter(), &found.terms, &found.condition, &test.script)
        };
        let mut result =
            FunctionFailures::of(&function.name, function.span, program, &found, &words, &inputs);
        // Models of the library are not the user's.
        let of_user = lowered.functions.iter().filter(|f| self.is_of_user(f.procedure));
        let names: Vec<&str> = of_user.map(|f| &*program[f.procedure].name).collect();
        result.instantiated.retain(|name| names.contains(&name.as_str()));
        for what in self.left_out(function, harness) {
            result.leave_out(&what);
        }
        let mut tests = found.tests.clone();
        if found.may_pass
            && let Some((condition, more)) = self.by_results(function, harness, end)?
        {
            if !result.tests.iter().any(|test| test.fails.is_some()) {
                let (scripts, shown): (Vec<Test>, Vec<FailureTest>) = more.into_iter().unzip();
                tests.splice(0..0, scripts);
                result.tests.splice(0..0, shown);
            }
            result.by_results = Some(condition);
        }
        if replay {
            let replayed = native::replay(self.native, function, harness, &tests, end);
            for (test, confirmed) in result.tests.iter_mut().zip(replayed.confirmed) {
                test.confirmed = confirmed;
            }
            if replayed.contradicted {
                result.leave_out("runs that end otherwise when they are compiled, as a test does,");
                result.by_results = None;
            }
            result.file = replayed.file;
            result.notes.extend(replayed.notes);
        }
        result.notes.extend(static_variables(&result));
        // What the harness assumes is said in words of its own.
        result.premise = harness.bounded.then(|| syntax.premise(&self.native.options.lowering.harness));
        Ok(result)
    }

    /// For which results of external functions a function fails that can fail, and tests of that; `None` if none are known.
    fn by_results(
        &self,
        function: &LoweredFunction,
        harness: &Harness,
        end: Option<Deadline>,
    ) -> Result<Option<(ByResults, Vec<ShownTest>)>, Error> {
        let lowered = &self.native.compiled.lowered;
        let Some(named) = NamedResults::of(lowered, harness.procedure) else { return Ok(None) };
        let program = &named.program;
        let classes = |at: Origin| self.class(program, at);
        let time = end.map(|end| end.left().mul_f64(BY_RESULTS));
        // The functions that have got bodies are calls like others.
        let options = Options { time, calls: Calls::Inlined, ..self.failures.clone() };
        let mut found =
            analyse(program, harness.procedure, 0, &options, Classes { of: &classes }, self.native.stop)?;
        forget_made(&mut found, u64::from(harness.first_made));
        if found.condition.is_never() || matches!(found.exactness, Exactness::Necessary(_)) {
            return Ok(None);
        }
        let syntax = CSyntax::new(lowered, harness).with_results(&named.names);
        let mut simplifier = footpath_preconditions::simplifier(self.failures)?;
        simplifier.until(end, self.failures.query.map(|query| query.max(PROOF)));
        let words = Wording::new(&syntax, &found.terms, &found.premise, simplifier);
        let order = words.order(&found.condition);
        arrange(&mut found, &order);
        let Some(constraint) = words.say(&found.condition, false) else { return Ok(None) };
        let legend = named.legend(&constraint);
        if legend.is_empty() {
            return Ok(None);
        }
        let interpreter = Interpreter::new(program);
        let mut tests = Vec::new();
        for test in found.tests.iter().filter(|test| test.end != TestEnd::Passes) {
            let inputs = syntax.inputs(&interpreter, &found.terms, &found.condition, &test.script);
            let script = named.script(&interpreter, harness.procedure, &test.script, STEPS);
            let TestEnd::Fails { at, kind } = test.end else { continue };
            let fails = Some((kind, place(program, at)));
            let shown = FailureTest { fails, disjunct: None, inputs, confirmed: None };
            tests.push((Test { script, end: test.end, disjunct: None }, shown));
        }
        let mut exactness = found.exactness.clone();
        if exactness == Exactness::Exact
            && let Some(what) = self.left_out(function, harness).first()
        {
            exactness = Exactness::Sufficient(format!("{what} are left out"));
        }
        Ok(Some((ByResults { constraint, exactness, may_pass: found.may_pass, legend }, tests)))
    }

    /// Which runs the analysis leaves out.
    fn left_out(&self, function: &LoweredFunction, harness: &Harness) -> Vec<String> {
        let compiled = self.native.compiled;
        let mut runs = compiled.left_out(&[function.procedure]);
        runs.extend(compiled.external_effects_left_out(&[function.procedure]));
        let runs = (!runs.is_empty()).then(|| format!("runs in which {}", runs.join(" or ")));
        let frozen = &harness.frozen;
        let calls =
            (!frozen.is_empty()).then(|| format!("earlier calls, which may change {},", frozen.join(", ")));
        runs.into_iter().chain(calls).collect()
    }

    /// Whether a procedure is a function of the user's files.
    fn is_of_user(&self, procedure: ProcId) -> bool {
        let compiled = self.native.compiled;
        let function = compiled.lowered.functions.iter().find(|f| f.procedure == procedure);
        function.is_some_and(|f| (f.function.module as usize) < compiled.files.len())
    }

    /// The class of a block: a check that was asked for fails, `exit` ends.
    fn class(&self, program: &Program, at: Origin) -> Class {
        let checks = &self.native.options.lowering.checks;
        let body = || &program[at.procedure].bodies[at.body as usize];
        match at.place {
            Place::Segment { block, first: 0 } => match body().mark(block).and_then(Statement::marks) {
                Some(kind) if checks.contains(&kind) => Class::Fails(kind),
                _ => Class::Plain,
            },
            Place::Failure { block, statement, .. } => {
                match body()[block].statements.get(statement as usize).map(|s| &s.kind) {
                    Some(StatementKind::Assert { kind, .. })
                        if *kind == AssertKind::Exit || !checks.contains(kind) =>
                    {
                        Class::Ends
                    }
                    _ => Class::Plain,
                }
            }
            _ => Class::Plain,
        }
    }
}
