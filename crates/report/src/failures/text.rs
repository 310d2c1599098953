//! The report for people.

use std::fmt::Write;

use footpath_conductor::failures::{Exactness, FailureTest, FunctionFailures};

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
    let _ = writeln!(out, "  {}", verdict(f));
    let _ = writeln!(out, "  {}", exactness(f));
    if let Some(premise) = &f.premise {
        let _ = writeln!(out, "  given {premise}");
    }
    for test in &f.tests {
        let _ = writeln!(out, "  {}", test_line(run, f, test));
    }
    if let Some(precondition) = &f.precondition {
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
        let _ = writeln!(out, "  conditions of their own stand for calls of {}", f.instantiated.join(", "));
    }
    for note in &f.notes {
        let _ = writeln!(out, "  note: {note}");
    }
    out.push('\n');
}

/// The condition as a sentence.
pub(crate) fn verdict(f: &FunctionFailures) -> String {
    match (f.constraint.as_str(), &f.exactness) {
        ("false", Exactness::Exact) => "never fails".to_owned(),
        ("false", _) => "no failure was found".to_owned(),
        ("true", _) => "always fails".to_owned(),
        (constraint, _) => format!("fails when {constraint}"),
    }
}

/// How the condition relates to failing.
pub(crate) fn exactness(f: &FunctionFailures) -> String {
    match &f.exactness {
        Exactness::Exact => "exact".to_owned(),
        Exactness::Necessary(why) => format!("necessary, not sufficient: {why}"),
        Exactness::Sufficient(why) => format!("sufficient; there may be more: {why}"),
        Exactness::Bounded(_, why) => format!("bounded; there may be more: {why}"),
    }
}

fn test_line(run: &FailuresRun<'_>, f: &FunctionFailures, test: &FailureTest) -> String {
    let inputs: Vec<String> = test.inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let inputs = if inputs.is_empty() { "no inputs".to_owned() } else { inputs.join(", ") };
    let confirmed = match test.confirmed {
        Some(true) => ", compiled and run too",
        Some(false) => ", but compiled and run it was not seen",
        None => "",
    };
    match &test.fails {
        None => format!("passes{confirmed}: {inputs}"),
        Some((kind, span)) => {
            let disjunct = match test.disjunct.and_then(|i| f.disjuncts.get(i)) {
                Some(text) if f.disjuncts.len() > 1 => format!(" ({text})"),
                _ => String::new(),
            };
            format!("fails{confirmed}: {inputs}{disjunct}: {kind} at {}", run.sources.describe(*span))
        }
    }
}
