//! Native execution of tests: they are written as C, built, run, and written again with what their runs showed.
//!
//! **Idea.** A first version of the tests proposes checks of everything that their runs in the program form changed. It is
//! built and run; proposed checks that do not hold are left out, results are taken from the run, and the tests get names after
//! what they do. That is the version which is kept, and written when all functions of a source are done (`test_suites.rs`).
//!
//! Example: for `f(7)` the first version shows that the result is 8 and `errno` is not what was proposed; the second one is
//! `f_returns_8`, expects 8, and says nothing of `errno`.
//!
//! **Direction of error.** Towards checking too little. What is expected was seen in a run of the compiled program and in
//! all runs of the program form in which values were changed that no test can set.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use footpath_frontend::c::source::c_types::CType;
use footpath_frontend::c::{BlockRole, Harness, LoweredFunction};
use footpath_ir::interp::{Interpreter, Outcome, Script};
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin, Place};
use footpath_replay::{
    Build, Case, Check, Effects, Ended, Framework, FunctionTests, Inputs, Limits, NativeError, Observed,
    Point, Sanitized, Sanitizers, Subject, TestFile, TestProgram, build_tests, double, emit, inputs,
    line_ranges, run_sanitized, test_names,
};
use footpath_term::Value;
use footpath_virtual_time::Deadline;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::compile::Compiled;
use crate::context::Context;
use crate::result::FunctionResult;
use crate::strategy::determinism::Stable;
use crate::strategy::sanitizers::not_cleared;

/// The data that the source of a test is made from, besides its function.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TestData {
    pub(crate) script: Script,
    /// The largest number of steps for which its run is followed.
    pub(crate) steps: u64,
    /// Whether its run did not end well.
    pub(crate) fails: bool,
    /// The result that its run showed, if it is to be expected.
    pub(crate) shown: Option<String>,
    /// Its name.
    pub(crate) name: String,
    /// What is said of it.
    pub(crate) remark: String,
    /// What is undefined in its run.
    pub(crate) undefined: Option<String>,
    /// What it checks besides.
    pub(crate) checks: Vec<Check>,
}

/// Tests that are to be written and run.
pub(crate) struct Plan {
    pub(crate) cases: Vec<Case>,
    /// How many of them, from the first on, are kept however they end.
    pub(crate) needed: usize,
    /// How many are kept if they end well; those behind are only run.
    pub(crate) kept: usize,
    /// For those that are kept, the check that fails if values which a test cannot set are others, and not in its run.
    pub(crate) suspicions: Vec<Option<(AssertKind, Span)>>,
}

/// Tests that were written and run.
#[derive(Default)]
pub(crate) struct NativeRun {
    /// The numbers of those that are left out, from 0 and in order: nothing needs them, and they do not end as they should.
    pub(crate) left_out: Vec<usize>,
    pub(crate) observed: Vec<Observed>,
    /// What the first of those did that are only run.
    pub(crate) witnesses: Vec<Observed>,
    /// The tests as they were written in the end.
    pub(crate) cases: Vec<Case>,
    /// The results that they expect, as their runs showed them.
    pub(crate) shown: Vec<Option<String>>,
    /// The numbers of those in which something is undefined, although nothing is in the run of the program form.
    pub(crate) undefined: Vec<usize>,
    /// The program that was run.
    pub(crate) built: Option<Built>,
}

/// A compiled program with the tests of a function, among others of the same source.
#[derive(Clone)]
pub(crate) struct Built {
    program: Arc<TestProgram>,
    /// The numbers of the function's tests.
    numbers: Vec<usize>,
    /// For each of its tests, the checks that are proposed.
    checks: Vec<Vec<Check>>,
}

impl Built {
    /// The reports of sanitizers for tests of the function, by their numbers among these, from 1 on.
    pub(crate) fn sanitized(
        &self,
        context: &Context,
        function: &LoweredFunction,
        sanitizers: Sanitizers,
        tests: &[usize],
        limits: Limits,
    ) -> Result<Vec<Sanitized>, NativeError> {
        let tests: Vec<usize> = tests.iter().map(|number| self.numbers[number - 1]).collect();
        let module = function.function.module;
        let build = build(context, module, &self.program.folder, &self.program.name);
        run_sanitized(sanitizers, build, &tests, limits)
    }
}

/// The tests of a function that are to be built.
pub(crate) struct ToBuild<'a> {
    pub(crate) function: &'a LoweredFunction,
    pub(crate) harness: &'a Harness,
    pub(crate) cases: &'a mut [Case],
}

/// Where tests of functions in a source are built.
fn build<'a>(context: &'a Context, module: u32, folder: &'a Path, name: &'a str) -> Build<'a> {
    let compiled = context.compiled;
    let compiler = &compiled.compilers[module as usize];
    Build { compiler, folder, name, library: compiled.library(), replaced: &compiled.replaced }
}

/// Builds one program of the tests of functions in one source.
pub(crate) fn build_together(
    context: &Context,
    functions: &mut [ToBuild<'_>],
    name: &str,
) -> Result<Vec<Built>, NativeError> {
    let Some(module) = functions.first().map(|f| f.function.function.module) else { return Ok(Vec::new()) };
    for (i, case) in functions.iter_mut().flat_map(|f| f.cases.iter_mut()).enumerate() {
        case.name = format!("footpath_test_{}", i + 1);
    }
    let tests: Vec<FunctionTests> = functions
        .iter()
        .map(|f| FunctionTests { function: &f.function.name, harness: f.harness, cases: f.cases })
        .collect();
    let interpreter = context.prepared.interpreter();
    let file = source(context.compiled, interpreter, module, &tests, Framework::Plain);
    let folder = context.options.out.join("work");
    let wanted = |name: &str| context.names.contains(name);
    let program = Arc::new(build_tests(build(context, module, &folder, name), &file, &wanted)?);
    let mut checks = file.checks.into_iter();
    let mut first = 1;
    let mut built = Vec::new();
    for f in functions {
        let checks = checks.by_ref().take(f.cases.len()).collect();
        built.push(Built {
            program: Arc::clone(&program),
            numbers: (first..first + f.cases.len()).collect(),
            checks,
        });
        first += f.cases.len();
    }
    Ok(built)
}

/// Builds the tests of a function alone.
fn build_alone(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    cases: &mut [Case],
) -> Result<Built, NativeError> {
    let name = file_name(context.compiled, function);
    let attempt = |cases: &mut [Case]| {
        let mut built = build_together(context, &mut [ToBuild { function, harness, cases }], &name)?;
        built.pop().ok_or_else(|| NativeError::File(name.clone(), "it has no tests".to_owned()))
    };
    attempt(cases).or_else(|why| {
        if cases.iter().all(|case| case.varied.is_empty()) {
            return Err(why);
        }
        // What a check names may be hidden in the source; tests without checks still cover.
        cases.iter_mut().for_each(|case| case.checks = Some(Vec::new()));
        attempt(cases)
    })
}

/// Writes the tests, runs them to observe what they do, and returns those that ran, with the results expected that
/// their runs showed and those of the proposed checks that held. They may have been built already, with others.
pub(crate) fn run_natively(
    context: &Context,
    (function, harness): (&LoweredFunction, &Harness),
    Plan { mut cases, needed, kept, mut suspicions }: Plan,
    built: Option<Built>,
    result: &mut FunctionResult,
    until: Option<Deadline>,
) -> Result<NativeRun, String> {
    if cases.is_empty() {
        return Ok(NativeRun::default());
    }
    let not_built = |e: NativeError| format!("the tests could not be built: {e}");
    let mut built = match built {
        Some(built) => built,
        None => build_alone(context, function, harness, &mut cases).map_err(not_built)?,
    };
    let limits = Limits { until, ..Limits::default() };
    let mut observed = built.program.run(&built.numbers, limits).map_err(not_built)?;
    let mut checks = built.checks.clone();
    if observed.last().is_some_and(|last| last.cut) && !cases[observed.len() - 1].endless {
        observed.pop();
    }
    let witnesses = observed.split_off(kept.min(observed.len()));
    cases.truncate(kept);
    if observed.len() < cases.len() {
        let missing = cases.len() - observed.len();
        result.notes.push(format!(
            "there was no time to run {missing} of {} tests, which are left out; --timeout raises the limit",
            cases.len()
        ));
        cases.truncate(observed.len());
    }
    let ends_badly = |&i: &usize| observed[i].ended != Ended::Exited(0);
    let left_out: Vec<usize> = (needed..cases.len()).filter(ends_badly).collect();
    for &i in left_out.iter().rev() {
        cases.remove(i);
        observed.remove(i);
        checks.remove(i);
        suspicions.remove(i);
        built.numbers.remove(i);
    }
    let ends_well = |i: usize| observed[i].ended == Ended::Exited(0);
    let suspected: Vec<usize> =
        (0..cases.len()).filter(|&i| suspicions[i].is_some() && ends_well(i)).collect();
    let undefined = not_cleared(context, (function, &built), &suspected, result, until);
    for &i in &undefined {
        if let Some(check) = suspicions[i] {
            comes_to_undefined(context.compiled, &mut cases[i], check);
        }
    }
    let mut shown = Vec::with_capacity(cases.len());
    for ((case, observed), proposed) in cases.iter_mut().zip(&observed).zip(&checks) {
        let result = confirm_checks(case, observed, proposed);
        case.returns = result.and_then(expected);
        shown.push(result.map(str::to_owned));
    }
    name_tests(context, function, harness, &mut cases, &observed);
    Ok(NativeRun { left_out, observed, witnesses, cases, shown, undefined, built: Some(built) })
}

/// The text of the tests of functions in one source, for a framework to run.
pub(crate) fn suite(context: &Context, module: u32, tests: &[FunctionTests<'_>]) -> TestFile {
    source(context.compiled, context.prepared.interpreter(), module, tests, context.options.framework)
}

/// Writes a test file and what belongs to it into the folder for tests; returns its path.
pub(crate) fn save(context: &Context, name: &str, file: &TestFile) -> Result<PathBuf, String> {
    let save = |name: &str, text: &str| {
        let path = context.options.out.join(name);
        footpath_atomic_write::write(&path, text)
            .map_err(|e| format!("{} cannot be written: {e}", path.display()))?;
        Ok(path)
    };
    if !file.stubs.is_empty() {
        save(&format!("{name}_stubs.c"), &file.stubs)?;
    }
    if let Some(runner) = context.options.framework.runner_file(name) {
        save(&runner, &file.runner)?;
    }
    save(&format!("{name}.c"), &file.tests)
}

/// Writes the tests of one function into a file of its own; returns its path, if there are any.
pub(crate) fn save_alone(
    context: &Context,
    (function, harness): (&LoweredFunction, &Harness),
    cases: &[Case],
) -> Result<Option<PathBuf>, String> {
    if cases.is_empty() {
        return Ok(None);
    }
    let tests = [FunctionTests { function: &function.name, harness, cases }];
    let file = suite(context, function.function.module, &tests);
    save(context, &file_name(context.compiled, function), &file).map(Some)
}

/// Names tests after what they do, and remarks which lines each of them is the first to reach.
fn name_tests(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    cases: &mut [Case],
    observed: &[Observed],
) {
    let lowered = &context.compiled.lowered;
    let line = |span: Span| context.compiled.sources.range(span).0.line;
    let body = &lowered.program[function.procedure].bodies[0];
    let block_lines: FxHashMap<Point, u32> = body
        .block_ids()
        .filter_map(|block| match function.roles[block.index()] {
            BlockRole::Source(ix) if body[block].span.file == function.span.file => {
                Some((Point::Block(ix.0), line(body[block].span)))
            }
            _ => None,
        })
        .collect();
    let mut reached: BTreeSet<u32> = BTreeSet::new();
    // Those in which nothing fails are what readers look for.
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by_key(|&i| cases[i].fails || cases[i].undefined.is_some());
    let mut subjects = vec![Subject::default(); cases.len()];
    for number in order {
        let (case, observed) = (&mut cases[number], &observed[number]);
        let points = observed.points.get(&function.name);
        let here = points.into_iter().flatten().filter_map(|point| block_lines.get(point).copied());
        let new: BTreeSet<u32> = here.filter(|line| !reached.contains(line)).collect();
        reached.extend(&new);
        let lines: Vec<u32> = new.into_iter().collect();
        if !lines.is_empty() {
            let word = if lines.len() == 1 { "line" } else { "lines" };
            case.remark.push_str(&format!("; the first to reach {word} {}", line_ranges(&lines)));
        }
        let failure = match &case.inputs.outcome {
            Outcome::Failed { at, kind } if *kind != AssertKind::Exit => {
                Some((*kind, failure_span(context.compiled, at)))
            }
            _ => case.undefined_at,
        };
        subjects[number] = Subject {
            fails: failure.map(|(kind, span)| (kind, line(span))),
            exits: !observed.returned,
            returns: case.returns.clone(),
            is_pointer: matches!(lowered.types.resolved(harness.ret), CType::Pointer(_)),
            lines,
        };
    }
    let taken = context.compiled.words(function.function.module);
    for (case, name) in cases.iter_mut().zip(test_names(&function.name, &subjects, taken)) {
        case.name = name;
    }
}

/// Cuts off a test that would not end by itself after it last shows something new.
pub(crate) fn cut_short(inputs: &mut Inputs) {
    if inputs.outcome == Outcome::OutOfSteps {
        inputs.returned.truncate(inputs.needed);
    }
}

/// Keeps those of the proposed checks of a test that its run confirms, and returns the result that it is to expect, as
/// its run showed it.
fn confirm_checks<'o>(case: &mut Case, observed: &'o Observed, proposed: &[Check]) -> Option<&'o str> {
    let was_to_fail = std::mem::replace(&mut case.fails, observed.ended != Ended::Exited(0));
    if was_to_fail && case.undefined.is_none() && (!case.fails || is_of_layout(&case.inputs.outcome)) {
        // The run of the program form ended here; what the compiled program did instead is nobody's promise.
        case.undefined = Some(case.remark.clone());
    }
    let expects = case.undefined.is_none() && !case.varied.is_empty() && !case.fails;
    let held = proposed.iter().enumerate().filter(|(i, _)| expects && !observed.unmet.contains(i));
    case.checks = Some(held.map(|(_, check)| check.clone()).collect());
    let is_same = |run: &Effects| run.results == case.inputs.effects.results;
    let agree = |text: &&str| is_number(&case.inputs.effects.results, text);
    observed.result.as_deref().filter(|_| expects && case.varied.iter().all(is_same)).filter(agree)
}

/// Whether where objects lie decides if a program crashes at a check that fails: another build of the same test may go on.
fn is_of_layout(outcome: &Outcome) -> bool {
    use AssertKind::{Bounds, ClosedStream, Subobject, UseAfterFree};
    matches!(outcome, Outcome::Failed { kind: Bounds | ClosedStream | Subobject | UseAfterFree, .. })
}

/// Whether a compiled run returned the number that the run of the program form did. What is computed from an address (`(long)p >> 4`)
/// is another one there, and in each further run.
fn is_number(results: &[Option<Value>], text: &str) -> bool {
    let [Some(Value::BitVec { width: width @ ..=64, bits })] = results else { return true };
    let mask = (1i128 << width) - 1;
    let number = match (text.parse::<i128>(), hexadecimal_float(text), width) {
        (Ok(number), ..) => number,
        (_, Some(number), 64) => i128::from(number.to_bits()),
        (_, Some(number), 32) => i128::from((number as f32).to_bits()),
        _ => return true,
    };
    BigUint::from((number & mask).unsigned_abs()) == *bits
}

/// A test with these inputs, with what the run of the program form says of it.
pub(crate) fn case(compiled: &Compiled, inputs: Inputs) -> Case {
    Case {
        name: String::new(),
        undefined_at: None,
        remark: remark(compiled, &inputs),
        fails: fails(&inputs.outcome),
        endless: inputs.outcome == Outcome::OutOfSteps,
        returns: None,
        undefined: None,
        varied: Vec::new(),
        checks: None,
        inputs,
    }
}

/// A test of whose effects those are to be expected that are certain; none if it is open what its run does.
pub(crate) fn planned(compiled: &Compiled, inputs: Inputs, stable: &Stable, is_open: bool) -> Case {
    let varied = if is_open { Vec::new() } else { stable.varied.clone() };
    let mut case = Case { varied, ..case(compiled, inputs) };
    if let Some(check) = stable.undefined {
        comes_to_undefined(compiled, &mut case, check);
    }
    case
}

/// Says of a test that something is undefined in its run.
fn comes_to_undefined(compiled: &Compiled, case: &mut Case, check: (AssertKind, Span)) {
    let (kind, span) = check;
    let why = format!("undefined behaviour ({kind}) at {}", place(compiled, span));
    case.remark = format!("comes to {why}");
    (case.undefined, case.undefined_at) = (Some(why), Some(check));
}

/// A place as tests name it: they are read where the folders are others.
fn place(compiled: &Compiled, span: Span) -> String {
    let described = compiled.sources.describe(span);
    described.rsplit('/').next().unwrap_or_default().to_owned()
}

/// The source of tests of functions in a source, by its number.
fn source(
    compiled: &Compiled,
    interpreter: &Interpreter<'_>,
    module: u32,
    tests: &[FunctionTests<'_>],
    framework: Framework,
) -> TestFile {
    let shown = compiled.files[module as usize].display().to_string();
    let missing = |name: &str| !compiled.library_functions.contains(name);
    emit(&compiled.lowered, interpreter, tests, &shown, &missing, compiled.words(module), framework)
}

/// Tests, from data that was stored.
pub(crate) fn cases_again(
    compiled: &Compiled,
    interpreter: &Interpreter<'_>,
    harness: &Harness,
    tests: &[TestData],
) -> Vec<Case> {
    let again = |test: &TestData| {
        let mut inputs = inputs(interpreter, harness.widest(), &test.script, test.steps);
        cut_short(&mut inputs);
        let returns = test.shown.as_deref().and_then(expected);
        let TestData { fails, name, remark, undefined, checks, .. } = test.clone();
        Case { fails, name, remark, returns, undefined, checks: Some(checks), ..case(compiled, inputs) }
    };
    tests.iter().map(again).collect()
}

/// Whether tests of a function have the same text.
pub(crate) fn are_same(
    compiled: &Compiled,
    interpreter: &Interpreter<'_>,
    (function, harness): (&LoweredFunction, &Harness),
    (one, other): (&[Case], &[Case]),
) -> bool {
    let text = |cases| {
        let tests = [FunctionTests { function: &function.name, harness, cases }];
        source(compiled, interpreter, function.function.module, &tests, Framework::Plain)
    };
    text(one) == text(other)
}

/// The name of a source in names of test files, which is unique among those of all sources.
pub(crate) fn source_name(compiled: &Compiled, module: u32) -> String {
    let source = &compiled.files[module as usize];
    let stem = source.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let same = |f: &PathBuf| f.file_stem() == source.file_stem();
    let is_unique = compiled.files.iter().filter(|f| same(f)).count() < 2;
    if is_unique { stem } else { format!("{stem}_{}", module + 1) }
}

/// The name of a file with the tests of one function.
pub(crate) fn file_name(compiled: &Compiled, function: &LoweredFunction) -> String {
    let source = source_name(compiled, function.function.module);
    footpath_replay::plain_name(&format!("{source}_{}", function.name))
}

/// The observed result of a function, as a constant of C.
fn expected(shown: &str) -> Option<String> {
    match shown {
        "null" => Some("0".to_owned()),
        "not null" => Some("1".to_owned()),
        "-9223372036854775808" => Some("(-9223372036854775807LL - 1)".to_owned()),
        "inf" => Some("__builtin_inf()".to_owned()),
        "-inf" => Some("-__builtin_inf()".to_owned()),
        "nan" | "-nan" => Some("__builtin_nan(\"\")".to_owned()),
        number => match number.parse::<i128>() {
            Ok(n) if n > i128::from(i64::MAX) => Some(format!("{n}ULL")),
            Ok(n) if n.unsigned_abs() > u128::from(u32::MAX >> 1) => Some(format!("{n}LL")),
            Ok(_) => Some(number.to_owned()),
            Err(_) => hexadecimal_float(number).map(|x| double(x.to_bits())),
        },
    }
}

/// A number as `%a` prints it. It ends in the source of a test, in decimals, as C89 has no other, and the code that is tested
/// may have written anything.
fn hexadecimal_float(text: &str) -> Option<f64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |digits| (-1.0, digits));
    let (mantissa, exponent) = digits.strip_prefix("0x")?.split_once('p')?;
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_plain = !whole.is_empty() && (whole.len() + part.len()) <= 15;
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_hexdigit());
    if !is_plain || !is_number(whole) || !is_number(part) {
        return None;
    }
    // At most 60 bits, of which a double that was printed has 53 at most that are not zero.
    let mantissa = u64::from_str_radix(&format!("{whole}{part}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * part.len() as i32)?;
    // In two steps, as the smallest numbers are less than the smallest power that is no denormal number.
    let half = exponent / 2;
    Some(sign * (mantissa as f64) * 2f64.powi(half) * 2f64.powi(exponent - half))
}

pub(crate) fn fails(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed { kind, .. } if *kind != AssertKind::Exit)
}

fn remark(compiled: &Compiled, inputs: &Inputs) -> String {
    match &inputs.outcome {
        Outcome::Failed { kind: AssertKind::Exit, .. } => "ends the program".to_owned(),
        Outcome::Failed { at, kind } => {
            let span = failure_span(compiled, at);
            format!("fails ({kind}) at {}", place(compiled, span))
        }
        _ => "returns".to_owned(),
    }
}

pub(crate) fn failure_span(compiled: &Compiled, at: &Origin) -> Span {
    let program = &compiled.lowered.program;
    let body = &program[at.procedure].bodies[at.body as usize];
    match at.place {
        Place::Failure { block, statement, .. } => body[block].statements[statement as usize].span,
        Place::Segment { block, .. } => body[block].span,
        _ => body.span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_both_runs_return_are_expected_and_addresses_are_not() {
        let of = |width, bits: u64| [Some(Value::BitVec { width, bits: bits.into() })];
        assert!(is_number(&of(32, 7), "7") && is_number(&of(32, 0xffff_fffe), "-2"));
        assert!(is_number(&of(64, u64::MAX), "18446744073709551615") && is_number(&of(8, 0x80), "-128"));
        assert!(!is_number(&of(64, 0x1_0000), "94728147421184"), "an object has another number here");
        assert!(
            is_number(&of(64, 0x3ff0_0000_0000_0000), "0x1p+0") && is_number(&of(32, 0x3f80_0000), "0x1p+0")
        );
        assert!(!is_number(&of(64, 0x100_0000_0000), "0x0.055d0e8e792a0p-1022"), "an address as a number");
        assert!(is_number(&of(64, 0x7ff8_0000_0000_0000), "nan") && is_number(&of(64, 1), "not null"));
    }
}
