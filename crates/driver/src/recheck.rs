//! Spot checks of the store: functions that are analysed anew, and what is stored about them held against it.
//!
//! **Idea.** Of a share of the functions (`footpath_summaries::Recheck`) nothing stored is used. What was stored is compared
//! afterwards in a ledger: a proof that rests on nothing against a run that reaches the place is a contradiction, told like
//! every other internal error, and what is stored about the function is removed. A stored proof that is not found again,
//! as for lack of time, is not used either, and is counted in a note.
//!
//! **Example.** Somebody with the key writes "unreachable" for a branch of `f` that tests cover. With `--recheck 100%` the run
//! ends with exit code 3 and names the branch; the next run without it finds nothing stored about `f`.
//!
//! **Direction of error.** Summaries of callees that are not selected are believed.

use footpath_verdict::{GoalId, Ledger, Verdict};

use crate::cache::Results;
use crate::context::Context;
use crate::result::{Contradiction, FunctionResult, Objective};
use crate::strategy::bounded_proof::{LaterProofs, stored_claims};

/// Whether a result claims that something cannot be reached.
pub(crate) fn has_claims(result: &FunctionResult) -> bool {
    result.objectives.iter().any(|objective| objective.verdict.is_infeasible())
}

/// The context for a function: of one that is selected nothing stored is used.
pub(crate) fn context_of<'a>(context: &Context<'a>, function: &str) -> Context<'a> {
    match context.options.recheck.selects(function) {
        true => Context { proved: None, out_of_bounds_proved: None, searches: None, ..*context },
        false => *context,
    }
}

/// Holds what is stored about function number `index` against its new result: its whole result, if there is one, and proofs.
pub(crate) fn compare(
    context: &Context<'_>,
    results: Option<&Results<'_>>,
    index: usize,
    stored: Option<&FunctionResult>,
    anew: &mut FunctionResult,
) {
    let function = &context.compiled.lowered.functions[index];
    let mut ledger = anew.ledger();
    ledger.record_all(stored_claims(context, function));
    let stored: &[Objective] = stored.map_or(&[], |stored| &stored.objectives);
    // Runs are not compared: that a test reaches a place was seen when it was built.
    let claims = stored.iter().enumerate().filter(|(_, objective)| objective.verdict.is_infeasible());
    let mut lost = 0;
    for (i, objective) in claims {
        ledger.record_all(objective.evidence().into_iter().map(|evidence| (GoalId(i), evidence)));
        let is_known = |o: &Objective| o.verdict.is_infeasible() || o.verdict == Verdict::Covered;
        lost += usize::from(!anew.objectives.get(i).is_some_and(is_known));
    }
    if lost > 0 {
        let told = "what the store says of it was not proved again and is not used";
        anew.notes.push(format!("--recheck: {told} ({lost} of its blocks, branches and checks)"));
    }
    take_contradictions(&ledger, anew);
    if !anew.contradictions.is_empty() {
        anew.notes
            .push("--recheck: what the store says of it is wrong and was removed from there".to_owned());
        let procedure = function.procedure;
        results.iter().for_each(|results| results.forget(index));
        [context.proved, context.out_of_bounds_proved.and_then(LaterProofs::covers), context.searches]
            .iter()
            .flatten()
            .for_each(|kept| kept.forget(procedure));
    }
}

fn take_contradictions(ledger: &Ledger, result: &mut FunctionResult) {
    for found in ledger.contradictions() {
        let Some(objective) = result.objectives.get(found.goal.0) else { continue };
        result.contradictions.push(Contradiction {
            place: objective.id.clone(),
            span: objective.span,
            run: found.run.by,
            test: objective.tests.first().copied(),
            proof: found.proof.by,
        });
    }
}
