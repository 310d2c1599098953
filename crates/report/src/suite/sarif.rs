//! Findings for code scanning: SARIF 2.1.0.
//!
//! Only what matters to a user is a result: checks that fail, code that no input executes, conditions that are always
//! the same. Statements that contradict each other are related locations.

use footpath_driver::{FunctionResult, Objective, ObjectiveKind};
use footpath_ir::source::{SourceMap, Span};
use serde_json::{Value, json};

use super::counts::{is_failing, is_infeasible};
use super::kinds::{self, Kind};
use super::{TestRun, assumption, file_name, reason_code, speaking};

/// The text of a `.sarif` file.
pub fn log(run: &TestRun<'_>) -> String {
    let rules: Vec<Value> = kinds::all().map(rule).collect();
    let results: Vec<Value> = run.run.functions.iter().flat_map(|f| results(&run.run.sources, f)).collect();
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
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    crate::json::pretty(&log)
}

pub(crate) fn rule(kind: Kind) -> Value {
    let mut rule = json!({
        "id": kind.rule,
        "shortDescription": { "text": kind.words },
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

fn level(kind: Kind) -> &'static str {
    if [kinds::DEAD, kinds::UNCALLED, kinds::ALWAYS_FALSE, kinds::ALWAYS_TRUE].contains(&kind) {
        "warning"
    } else {
        "error"
    }
}

fn results(sources: &SourceMap, function: &FunctionResult) -> Vec<Value> {
    let mut found = function.objectives.iter().filter(|o| is_failing(o) || is_infeasible(o));
    if function.uncalled {
        return found.next().map(|_| uncalled(sources, function)).into_iter().collect();
    }
    found.filter_map(|o| result(sources, function, o)).collect()
}

/// One finding for a function of which nothing is executed.
fn uncalled(sources: &SourceMap, function: &FunctionResult) -> Value {
    finding(
        sources,
        function,
        kinds::UNCALLED,
        function.span,
        &format!("The program never calls {}", function.name),
    )
}

fn result(sources: &SourceMap, function: &FunctionResult, o: &Objective) -> Option<Value> {
    let kind = kinds::of(o)?;
    let mut text = format!("{} in {}{}", capital(kind.words), function.name, assumption(o));
    if let (ObjectiveKind::Check(_), Some(test)) = (o.kind, o.tests.first()) {
        let file = file_name(function).map_or_else(String::new, |f| format!(" of {f}"));
        text.push_str(&format!(", in test {test}{file}"));
    }
    let mut result = finding(sources, function, kind, o.span, &text);
    result["partialFingerprints"] =
        json!({ "footpath/v1": format!("{}:{}:{}", function.name, o.kind.name(), sources.text(o.span)) });
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
    Some(result)
}

fn finding(sources: &SourceMap, function: &FunctionResult, kind: Kind, at: Span, text: &str) -> Value {
    let mut place = location(sources, at);
    place["logicalLocations"] = json!([{ "name": function.name, "kind": "function" }]);
    json!({
        "ruleId": kind.rule,
        "ruleIndex": kinds::all().position(|k| k == kind),
        "level": level(kind),
        "message": { "text": text },
        "locations": [place],
        "partialFingerprints": { "footpath/v1": format!("{}:{}", function.name, kind.rule) },
    })
}

pub(crate) fn location(sources: &SourceMap, span: Span) -> Value {
    let (start, end) = sources.range(span);
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&sources.file(span.file).name) },
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        },
    }})
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
