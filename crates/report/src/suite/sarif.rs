//! Findings for code scanning: SARIF 2.1.0.
//!
//! Only what matters to a user is a result, one for each piece of code: checks that fail, code that no input executes, conditions
//! that are always the same; and as notes the preconditions of functions. Statements that contradict each other are related
//! locations.

use footpath_driver::{FunctionResult, ObjectiveKind};
use footpath_ir::source::{SourceMap, Span};
use serde_json::{Value, json};

use super::findings::{Demand, Finding, demands, findings};
use super::fingerprints::{Fingerprint, Fingerprints};
use super::kinds::{self, Kind};
use super::{TestRun, assumption, file_name, reason_code, speaking};

/// The text of a `.sarif` file.
pub fn log(run: &TestRun<'_>) -> String {
    let rules: Vec<Value> = kinds::all().map(rule).collect();
    let results = results(&run.run.sources, &run.run.functions);
    let taxa: Vec<u32> = {
        let mut numbers: Vec<u32> = kinds::all().flat_map(|k| k.cwe).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    };
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "footpath",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
                "supportedTaxonomies": [{ "name": "CWE", "index": 0 }],
            }},
            "taxonomies": [{
                "name": "CWE",
                "organization": "MITRE",
                "shortDescription": { "text": "Common Weakness Enumeration" },
                "taxa": taxa.iter().map(|n| json!({ "id": n.to_string() })).collect::<Vec<_>>(),
            }],
            "invocations": [{ "executionSuccessful": !run.interrupted }],
            "originalUriBaseIds": base_uris(),
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    crate::json::pretty(&log)
}

pub(crate) fn rule(kind: Kind) -> Value {
    let mut rule = json!({
        "id": kind.rule,
        "shortDescription": { "text": capital(kind.words) },
        "fullDescription": { "text": full_description(kind) },
        "help": { "text": format!("{}.", capital(kind.advice)) },
        "defaultConfiguration": { "level": level(kind) },
    });
    if !kind.cwe.is_empty() {
        let relation = |n: &u32| {
            let target = json!({ "id": n.to_string(), "toolComponent": { "name": "CWE", "index": 0 } });
            json!({ "target": target, "kinds": ["superset"] })
        };
        rule["relationships"] = kind.cwe.iter().map(relation).collect();
        let tags: Vec<String> = kind.cwe.iter().map(|n| format!("external/cwe/cwe-{n:03}")).collect();
        rule["properties"] = json!({ "tags": tags });
    }
    rule
}

fn full_description(kind: Kind) -> String {
    let words = capital(kind.words);
    if is_about_code(kind) {
        format!(
            "{words}. The related locations are statements that contradict each other, so that no run gets there."
        )
    } else {
        format!(
            "{words}. An error is a failure that a test shows and callers cannot avoid. A note is a precondition: it happens \
             only if a caller does not provide {}.",
            kind.demand
        )
    }
}

fn is_about_code(kind: Kind) -> bool {
    [kinds::DEAD, kinds::UNCALLED, kinds::ALWAYS_FALSE, kinds::ALWAYS_TRUE].contains(&kind)
}

fn level(kind: Kind) -> &'static str {
    if is_about_code(kind) { "warning" } else { "error" }
}

/// The results: findings, then what functions demand of their callers, as notes.
fn results(sources: &SourceMap, functions: &[FunctionResult]) -> Vec<Value> {
    let mut fingerprints = Fingerprints::default();
    let mut all: Vec<Value> =
        findings(sources, functions).iter().map(|f| finding(sources, f, &mut fingerprints)).collect();
    for function in functions {
        let demands = demands(sources, function);
        all.extend(demands.iter().filter_map(|d| demand(sources, function, d, &mut fingerprints)));
    }
    all
}

/// A fingerprint as code scanning takes it. GitHub looks at the second one only, and would make it of the text below the line if it
/// were not there.
fn partial_fingerprints(f: &Fingerprint) -> Value {
    json!({
        "footpath/v3": format!("{}:{}:{}", f.file, f.whole, f.number),
        "primaryLocationLineHash": format!("{}:{}", f.whole, f.number),
    })
}

fn finding(sources: &SourceMap, finding: &Finding<'_>, fingerprints: &mut Fingerprints) -> Value {
    let Finding { kind, function, span, objectives, .. } = finding;
    if *kind == kinds::UNCALLED {
        let text = format!("The program never calls {}", function.name);
        return result(sources, function, *kind, level(*kind), *span, &text, fingerprints);
    }
    let o = objectives[0];
    let mut text = format!("{} in {}{}", capital(kind.words), function.name, assumption(o));
    if let (ObjectiveKind::Check(_), Some(test)) = (o.kind, o.tests.first()) {
        let file = file_name(function).map_or_else(String::new, |f| format!(" of {f}"));
        text.push_str(&format!(", in test {test}{file}"));
    }
    if let Some(why) = finding.reason(sources) {
        text.push_str(&format!("; {why}"));
    }
    let mut result = result(sources, function, *kind, level(*kind), *span, &text, fingerprints);
    if let Some(code) = reason_code(&o.verdict) {
        result["properties"] = json!({ "reasonCode": code });
    }
    let because = speaking(sources, &o.explanation);
    if !because.is_empty() {
        let related = because.iter().enumerate().map(|(i, &span)| {
            let mut place = location(sources, span);
            place["id"] = json!(i + 1);
            place["message"] = json!({ "text": "one of the statements that contradict each other" });
            place
        });
        result["relatedLocations"] = related.collect();
    }
    result
}

/// What a function demands of its callers.
fn demand(
    sources: &SourceMap,
    function: &FunctionResult,
    demand: &Demand<'_>,
    fingerprints: &mut Fingerprints,
) -> Option<Value> {
    let kind = kinds::of(demand.objective)?;
    let paths = if demand.always { "" } else { " on some paths" };
    let text = format!("{} needs {}{paths}, or {}", function.name, demand.text, kind.words);
    let mut result = result(sources, function, kind, "note", demand.objective.span, &text, fingerprints);
    result["properties"] = json!({ "failureClass": "latent" });
    Some(result)
}

fn result(
    sources: &SourceMap,
    function: &FunctionResult,
    kind: Kind,
    level: &str,
    at: Span,
    text: &str,
    fingerprints: &mut Fingerprints,
) -> Value {
    let mut place = location(sources, at);
    place["logicalLocations"] = json!([{ "name": function.name, "kind": "function" }]);
    json!({
        "ruleId": kind.rule,
        "ruleIndex": kinds::all().position(|k| k == kind),
        "level": level,
        "message": { "text": text },
        "locations": [place],
        "partialFingerprints": partial_fingerprints(&fingerprints.next(sources, function, kind.rule, at)),
    })
}

pub(crate) fn location(sources: &SourceMap, span: Span) -> Value {
    let (start, end) = sources.range(span);
    json!({ "physicalLocation": {
        "artifactLocation": artifact(&sources.file(span.file).name),
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        },
    }})
}

/// What the names of files are relative to.
pub(crate) fn base_uris() -> Value {
    json!({ "%SRCROOT%": { "description": { "text": "The folder in which footpath was run" } } })
}

/// A file; where its name is relative, it is so to the folder of the run.
fn artifact(name: &str) -> Value {
    match name.starts_with('/') {
        true => json!({ "uri": uri(name) }),
        false => json!({ "uri": uri(name), "uriBaseId": "%SRCROOT%" }),
    }
}

/// A path as a URI reference.
fn uri(name: &str) -> String {
    let mut out = if name.starts_with('/') { "file://".to_owned() } else { String::new() };
    for b in name.bytes() {
        if b.is_ascii_alphanumeric() || b"-._~/+,@".contains(&b) {
            out.push(b as char);
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    out
}

pub(crate) fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
