//! Results of other tools beside those of tests: claims that checks of C functions are proved, held against what was found.
//!
//! **Idea.** A claim is a hypothesis. Nothing is left out of the search because of it, so each claimed check is looked at like any
//! other. A test in which it fails refutes the claim. Where nothing was found out, the check holds if the claim is right, and is told
//! so, with the tool and what it assumed.
//!
//! Example: a SARIF file says that the division in line 12 is proved by `lint`, assuming `no-overflow`. If test 3 divides by zero there,
//! the claim is refuted by test 3. If nothing is known of the division, it holds if `lint` is right, under `no-overflow`.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.1, where results of other verifiers are given by annotations.
//!
//! **Deviations.** There the premises of checks guide the search. Here they guide nothing, as tests are to refute them, too.
//!
//! **Direction of error.** None: no verdict but *unknown* changes, and that to another *unknown*.

use std::collections::BTreeSet;
use std::sync::Arc;

use footpath_ir::source::SourceMap;
use footpath_verdict::{Code, Verdict};
use footpath_verify::{Checked, ClaimOf, ToolRun, claims_about};

use crate::result::{FunctionResult, ObjectiveKind, Run};

/// Tells in the results of functions what becomes of the claims of other tools, and remarks about results that are no claims.
pub fn tell(run: &mut Run, tools: &[ToolRun]) {
    let known: Vec<Checked<(usize, usize)>> =
        run.functions.iter().enumerate().flat_map(|(i, function)| checks(i, function)).collect();
    let (claims, remarks) = claims_about(&known, &run.sources, tools);
    run.notes.extend(remarks);
    for claim in &claims {
        let ((function, objective), ..) = *claim;
        tell_one(&mut run.functions[function], objective, claim, &run.sources);
    }
}

fn checks(number: usize, function: &FunctionResult) -> impl Iterator<Item = Checked<(usize, usize)>> {
    function.objectives.iter().enumerate().filter_map(move |(i, objective)| match objective.kind {
        ObjectiveKind::Check(kind) => {
            Some(Checked { key: (number, i), function: number as u32, kind, span: objective.span })
        }
        _ => None,
    })
}

fn tell_one<K>(
    function: &mut FunctionResult,
    number: usize,
    (_, tool, assumes): &ClaimOf<K>,
    sources: &SourceMap,
) {
    let objective = &mut function.objectives[number];
    let under = under(assumes);
    match &objective.verdict {
        Verdict::Covered => {
            let test = objective.tests.first().map(|test| format!(" by test {test}")).unwrap_or_default();
            let place = sources.describe(objective.span);
            // Whether the assumptions hold in the test is not known.
            let what =
                if assumes.is_empty() { "refuted" } else { "refuted, or what it assumes does not hold," };
            function
                .notes
                .push(format!("claim of {tool} {what}{test}: the check at {place} can fail, which {tool} says is proved{under}"));
        }
        Verdict::Unknown(_) => {
            let why =
                format!("it holds if the claim of {tool} is right, which says that it is proved{under}");
            objective.verdict = Verdict::Unknown(Code::RestsOnClaims.with(why));
        }
        _ => {}
    }
}

/// What a tool assumed, in words.
fn under(assumes: &BTreeSet<Arc<str>>) -> String {
    let names: Vec<&str> = assumes.iter().map(|name| &**name).collect();
    if names.is_empty() { String::new() } else { format!(" under {}", names.join(", ")) }
}
