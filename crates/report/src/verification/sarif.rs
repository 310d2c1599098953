//! Verdicts for code scanning: SARIF 2.1.0.
//!
//! Every check is a result. Its kind says what was found out: `pass` (verified), `review` (verified under assumptions, which
//! are related locations), `open` (unverified), `fail` (it fails whenever it is reached). Who of Footpath verified it is the
//! property `verifiedBy`; what it was verified under, by names of kinds of assumptions, is `verifiedUnder`, so that the file says the
//! same when it is read back. What others say of a check is in its message.

use std::collections::BTreeSet;

use footpath_verify::{Check, Verdict, VerifiedBody};
use serde_json::{Value, json};

use super::{VerifyRun, said_by_others, words};
use crate::suite::kinds;
use crate::suite::sarif::{base_uris, capital, location, rule};

/// The text of a `.sarif` file.
pub fn log(run: &VerifyRun<'_>) -> String {
    let rules: Vec<Value> = kinds::all().map(rule).collect();
    let results: Vec<Value> =
        run.found.bodies.iter().flat_map(|b| b.checks.iter().map(|c| result(run, b, c))).collect();
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "footpath",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [{ "executionSuccessful": !run.interrupted }],
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": base_uris(),
            "results": results,
        }],
    });
    crate::json::pretty(&log)
}

fn result(run: &VerifyRun<'_>, body: &VerifiedBody, check: &Check) -> Value {
    let name = run.found.annotated[body.procedure].name.to_string();
    let kind = kinds::of_check(check.kind);
    let (verdict, level, said) = match &check.verdict {
        Verdict::Verified => ("pass", "none", "it never happens that".to_owned()),
        Verdict::VerifiedUnder(premise) => {
            let names: Vec<&str> = premise.iter().map(|i| &*body.assumptions[*i].id).collect();
            ("review", "none", format!("assuming {} it never happens that", names.join(", ")))
        }
        Verdict::Unverified(_) => ("open", "none", "it is not known whether".to_owned()),
        Verdict::Failing => ("fail", "error", "whenever this is reached,".to_owned()),
    };
    let others: String = said_by_others(body, check).iter().map(|s| format!("; {s}")).collect();
    let mut place = location(run.sources, check.span);
    place["logicalLocations"] = json!([{ "name": name, "kind": "function" }]);
    let mut result = json!({
        "ruleId": kind.rule,
        "ruleIndex": kinds::all().position(|k| k == kind),
        "kind": verdict,
        "level": level,
        "message": { "text": format!("{} {} (in {name}){others}", capital(&said), kind.words) },
        "locations": [place],
    });
    if let Verdict::Unverified(why) = &check.verdict {
        result["properties"] = json!({ "reasonCode": why.code.name() });
    }
    if let Some(by) = check.by {
        result["properties"] = json!({ "verifiedBy": by.name() });
    }
    if let Verdict::VerifiedUnder(premise) = &check.verdict {
        let related = premise.iter().enumerate().map(|(number, i)| {
            let assumption = &body.assumptions[*i];
            let mut place = location(run.sources, assumption.site.span);
            place["id"] = json!(number + 1);
            place["message"] = json!({ "text": format!("{}: {}", assumption.id, words(run, assumption)) });
            place
        });
        result["relatedLocations"] = related.collect();
        let kinds: BTreeSet<&str> = premise.iter().map(|i| body.assumptions[*i].site.kind.name()).collect();
        result["properties"]["verifiedUnder"] = json!(kinds);
    }
    result
}
