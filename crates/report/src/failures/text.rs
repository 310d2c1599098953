//! The report for people.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use footpath_driver::preconditions::{ByResults, Exactness, FailureTest, FunctionFailures, NOT_EXPRESSIBLE};

use super::{FailuresRun, Language};

/// The report.
pub fn report(run: &FailuresRun<'_>) -> String {
    let mut out = String::new();
    for function in run.functions {
        write_function(&mut out, run, function);
    }
    for note in run.notes {
        let _ = writeln!(out, "note: {note}");
    }
    if run.interrupted {
        out.push_str("interrupted: what was found by then is above\n");
    }
    out
}

fn write_function(out: &mut String, run: &FailuresRun<'_>, f: &FunctionFailures) {
    let place = run.sources.describe(f.span);
    if let Some(why) = &f.skipped {
        let _ = writeln!(out, "{} ({place})\n  not analysed: {why}\n", f.name);
        return;
    }
    let _ = writeln!(out, "{} ({place})", f.name);
    match listed(f) {
        0 => {
            let _ = writeln!(out, "  {}", verdict(f));
        }
        shown => write_list(out, f, shown),
    }
    let _ = writeln!(out, "  {}", exactness(f));
    if let Some(body) = &f.in_c {
        let _ = writeln!(out, "  in C: {body}");
    }
    if let Some(must) = &f.only_when {
        let _ = writeln!(out, "  fails only when {must}");
    }
    if let Some(by) = &f.by_results {
        let _ = writeln!(out, "  {}", by_results(by));
    }
    if let Some(premise) = &f.premise {
        let _ = writeln!(out, "  given {premise}");
    }
    let listed = listed(f);
    let is_shown = |test: &&FailureTest| {
        let before = f.tests.iter().take_while(|other| !std::ptr::eq(*other, *test));
        let alike = before.filter(|other| test.disjunct.is_some() && other.disjunct == test.disjunct);
        alike.count() < ALIKE && (listed == 0 || test.disjunct.is_none_or(|i| i < listed))
    };
    let mut lines: Vec<String> = f.tests.iter().filter(is_shown).map(|t| test_line(run, f, t)).collect();
    // Those of disjuncts that C cannot say may differ only in inputs that it cannot say either.
    let mut said = BTreeSet::new();
    lines.retain(|line| said.insert(line.clone()));
    lines.iter().for_each(|line| {
        let _ = writeln!(out, "  {line}");
    });
    let left = f.tests.len() - f.tests.iter().filter(is_shown).count();
    if left > 0 {
        let _ = writeln!(out, "  … ({left} more tests; --format json has all)");
    }
    if let Some(precondition) = f.precondition.as_ref().filter(|p| p.len() <= LONGEST) {
        let demand = match run.language {
            Language::Boogie => format!("requires {precondition};"),
            Language::C => format!("assume {precondition}"),
        };
        let _ = writeln!(out, "  nothing fails with: {demand}");
    }
    let loops = f.loops.iter().filter(|l| l.fixpoint).count();
    let loops = match (f.loops.len(), loops) {
        (0, _) => String::new(),
        (all, done) => format!(", fixpoints of {done} of {all} loops"),
    };
    let _ = writeln!(
        out,
        "  {} paths in {} segments{loops}, {} random runs agree, {:.1} s",
        f.paths,
        f.segments,
        f.checked,
        f.time.as_secs_f64()
    );
    if !f.instantiated.is_empty() {
        let _ =
            writeln!(out, "  calls are replaced by the failure conditions of {}", f.instantiated.join(", "));
    }
    for note in &f.notes {
        let _ = writeln!(out, "  note: {note}");
    }
    out.push('\n');
}

/// Conditions with more letters are cut; JSON has all of them.
const LONGEST: usize = 1_000;

/// How many tests of one disjunct are shown, of which there are several where it is about some element of an array.
const ALIKE: usize = 2;

/// How many inputs of a test are all shown.
const INPUTS: usize = 6;

/// Conditions with more letters are lists.
const LONGEST_LINE: usize = 120;

/// How many disjuncts are to be listed; 0 if the condition is short enough for a line.
fn listed(f: &FunctionFailures) -> usize {
    let is_said = f.disjuncts.iter().any(|disjunct| disjunct != NOT_EXPRESSIBLE);
    if f.constraint.len() <= LONGEST_LINE || f.disjuncts.len() < 2 || !is_said {
        return 0;
    }
    let mut letters = 0;
    let fits = |disjunct: &&String| {
        letters += disjunct.len();
        letters <= LONGEST
    };
    f.disjuncts.iter().take_while(fits).count().max(1)
}

/// The condition with a line for each disjunct.
fn write_list(out: &mut String, f: &FunctionFailures, shown: usize) {
    let fails = match f.exactness {
        Exactness::Necessary(_) => "fails only",
        _ if f.may_pass => "can fail",
        _ => "fails",
    };
    let _ = writeln!(out, "  {fails} when one of these holds:");
    let said =
        f.disjuncts.iter().take(shown).enumerate().filter(|(_, disjunct)| *disjunct != NOT_EXPRESSIBLE);
    let mut count = 0;
    for (i, disjunct) in said {
        let _ = writeln!(out, "    {}. {disjunct}", i + 1);
        count += 1;
    }
    let left = f.disjuncts.len() - shown;
    if left > 0 {
        let _ = writeln!(out, "    … ({left} more; --format json has all)");
    }
    if count < shown {
        let _ = writeln!(out, "    … ({} more, not expressible in C)", shown - count);
    }
}

/// A condition, or its first disjuncts.
fn readable(f: &FunctionFailures) -> Cow<'_, str> {
    if f.constraint.len() <= LONGEST || f.disjuncts.len() < 2 {
        return Cow::Borrowed(&f.constraint);
    }
    if f.disjuncts.iter().any(|disjunct| disjunct == NOT_EXPRESSIBLE) {
        return Cow::Borrowed(NOT_EXPRESSIBLE);
    }
    let mut text = String::new();
    let mut shown = 0;
    for disjunct in &f.disjuncts {
        if shown > 0 && text.len() + disjunct.len() > LONGEST {
            break;
        }
        text = if shown == 0 { disjunct.clone() } else { format!("{text} || {disjunct}") };
        shown += 1;
    }
    let left = f.disjuncts.len() - shown;
    Cow::Owned(format!("{text} || … ({left} more disjuncts; --format json has all)"))
}

/// The condition as a sentence.
pub(crate) fn verdict(f: &FunctionFailures) -> String {
    match (&*readable(f), &f.exactness) {
        ("false", Exactness::Exact) => "never fails".to_owned(),
        ("false", _) => "no failure was found".to_owned(),
        (NOT_EXPRESSIBLE, _) => format!("can fail, under a condition that is {NOT_EXPRESSIBLE}"),
        (constraint, Exactness::Necessary(_)) => format!("fails only when {constraint}"),
        ("true", _) if f.may_pass => "can always fail".to_owned(),
        ("true", _) => "always fails".to_owned(),
        (constraint, _) if f.may_pass => format!("can fail when {constraint}"),
        (constraint, _) => format!("fails when {constraint}"),
    }
}

/// For which results of external functions a function fails.
fn by_results(by: &ByResults) -> String {
    let fails = if by.may_pass { "can fail" } else { "fails" };
    let others = if by.exactness == Exactness::Exact { "" } else { ", and perhaps in other cases" };
    format!("{fails} when {}{others}, where {}", by.constraint, by.legend)
}

/// How the condition relates to failing.
pub(crate) fn exactness(f: &FunctionFailures) -> String {
    // Where all inputs fail there are no others.
    let others = if f.constraint == "true" { "" } else { "; other inputs may fail, too" };
    match &f.exactness {
        Exactness::Exact => "exact".to_owned(),
        Exactness::Necessary(why) => format!("necessary; no failure was found, but there may be one: {why}"),
        Exactness::Sufficient(why) => format!("sufficient{others}: {why}"),
        Exactness::Bounded(_, why) => format!("bounded{others}: {why}"),
    }
}

/// The inputs of a test; where there are many, those that are parameters or that the condition speaks of.
fn inputs_line(f: &FunctionFailures, test: &FailureTest) -> String {
    let is_parameter = |name: &str| name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    let is_told = |name: &str| is_parameter(name) || f.constraint.contains(name);
    let is_short = test.inputs.len() <= INPUTS;
    let (told, left): (Vec<_>, Vec<_>) = test.inputs.iter().partition(|(name, _)| is_short || is_told(name));
    let mut texts: Vec<String> = told.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if texts.is_empty() && left.is_empty() {
        return "no inputs".to_owned();
    }
    if !left.is_empty() {
        texts.push(format!("and {} more", left.len()));
    }
    texts.join(", ")
}

fn test_line(run: &FailuresRun<'_>, f: &FunctionFailures, test: &FailureTest) -> String {
    let inputs = inputs_line(f, test);
    let confirmed = match test.confirmed {
        Some(true) => ", compiled and run too",
        Some(false) => ", but not seen when compiled and run",
        None => "",
    };
    match &test.fails {
        None => format!("passes{confirmed}: {inputs}"),
        Some((kind, span)) => {
            let (disjunct, by) = match test.disjunct.and_then(|i| Some((i, f.disjuncts.get(i)?))) {
                Some((i, _)) if listed(f) > 0 => (String::new(), format!(" by {}", i + 1)),
                Some((_, text)) if f.disjuncts.len() > 1 => (format!(" ({text})"), String::new()),
                _ => (String::new(), String::new()),
            };
            format!("fails{by}{confirmed}: {inputs}{disjunct}: {kind} at {}", run.sources.describe(*span))
        }
    }
}
