//! What other tools found out, as they write it: SARIF 2.1.0.
//!
//! A result of kind `pass` with a rule and a place says that a check is proved. `properties.assumptions` of a result, or of
//! its run, are names of what was assumed. So are `properties.verifiedUnder` of a result of kind `review`, as Footpath writes them,
//! which is proved under these. A result of any other kind says that the check is not proved.
//! Runs that say that they did not come to their end say nothing.

use std::sync::Arc;

use footpath_verify::{ToolResult, ToolRun};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    version: String,
    #[serde(default)]
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    tool: Tool,
    #[serde(default)]
    invocations: Vec<Invocation>,
    #[serde(default)]
    results: Vec<Found>,
    #[serde(default)]
    properties: Properties,
}

#[derive(Deserialize)]
struct Tool {
    driver: Driver,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: String,
    #[serde(default)]
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Properties {
    #[serde(default)]
    assumptions: Vec<String>,
    #[serde(default)]
    verified_under: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    rule_id: Option<String>,
    rule_index: Option<usize>,
    kind: Option<String>,
    #[serde(default)]
    locations: Vec<Location>,
    #[serde(default)]
    properties: Properties,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Option<Physical>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Option<Artifact>,
    region: Option<Region>,
}

#[derive(Deserialize)]
struct Artifact {
    uri: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: Option<u32>,
    start_column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
}

/// The runs in the text of a `.sarif` file, and remarks about what is not clear in it.
///
/// # Errors
/// If the text is no SARIF.
pub fn parse(text: &str) -> Result<(Vec<ToolRun>, Vec<String>), String> {
    let log: Log = serde_json::from_str(text).map_err(|e| format!("it is not SARIF: {e}"))?;
    if !log.version.starts_with("2.") {
        return Err(format!("SARIF {} is not supported, only 2.1.0", log.version));
    }
    let (mut runs, mut remarks) = (Vec::new(), Vec::new());
    for run in log.runs {
        let tool: Arc<str> = run.tool.driver.name.as_str().into();
        if run.invocations.iter().any(|i| !i.execution_successful) {
            remarks.push(format!("{tool} did not finish successfully; its results are ignored"));
            continue;
        }
        let mut unclear = 0;
        let mut results = Vec::new();
        for found in &run.results {
            match result(&run, found) {
                Some(result) => results.push(result),
                None => unclear += 1,
            }
        }
        if unclear > 0 {
            remarks.push(format!(
                "{tool}: {} without a rule, or without exactly one place; ignored",
                crate::counts::plural(unclear, "result")
            ));
        }
        runs.push(ToolRun { tool, results });
    }
    Ok((runs, remarks))
}

fn result(run: &Run, found: &Found) -> Option<ToolResult> {
    let by_number = || Some(run.tool.driver.rules.get(found.rule_index?)?.id.clone());
    let rule = found.rule_id.clone().or_else(by_number)?;
    let [location] = found.locations.as_slice() else { return None };
    let physical = location.physical_location.as_ref()?;
    let (file, region) = (physical.artifact_location.as_ref()?.uri.as_ref()?, physical.region.as_ref()?);
    let line = region.start_line?;
    let end = region.end_column.map(|column| (region.end_line.unwrap_or(line), column));
    let under = &found.properties.verified_under;
    let assumes = run.properties.assumptions.iter().chain(&found.properties.assumptions).chain(under);
    let assumes = assumes.map(|name| name.as_str().into()).collect();
    Some(ToolResult {
        rule,
        // Without a kind a result is one that fails, says the standard.
        proved: match found.kind.as_deref() {
            Some("pass") => true,
            Some("review") => !under.is_empty(),
            _ => false,
        },
        file: path(file),
        start: (line, region.start_column),
        end,
        assumes,
    })
}

/// The path in a URI reference.
fn path(uri: &str) -> String {
    let plain = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::with_capacity(plain.len());
    let mut rest = plain.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let escaped = (first == b'%').then(|| behind.get(..2)).flatten();
        let escaped = escaped.and_then(|hex| std::str::from_utf8(hex).ok());
        match escaped.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{ "version": "2.1.0", "runs": [
      { "tool": { "driver": { "name": "prover", "rules": [{ "id": "bounds" }] } },
        "properties": { "assumptions": ["no-overflow"] },
        "results": [
          { "ruleIndex": 0, "kind": "pass", "locations": [{ "physicalLocation": {
              "artifactLocation": { "uri": "file:///x/a%20b.c" }, "region": { "startLine": 3, "startColumn": 5 } } }] },
          { "ruleId": "null", "locations": [{ "physicalLocation": {
              "artifactLocation": { "uri": "a.c" }, "region": { "startLine": 4 } } }] },
          { "ruleId": "null", "kind": "pass" } ] },
      { "tool": { "driver": { "name": "late" } }, "invocations": [{ "executionSuccessful": false }],
        "results": [] } ] }"#;

    #[test]
    fn only_results_that_pass_prove_and_what_is_unclear_is_said() {
        let (runs, remarks) = parse(LOG).expect("a log");
        assert_eq!((runs.len(), runs[0].results.len()), (1, 2));
        let [proved, open] = &runs[0].results[..] else { panic!("{runs:?}") };
        assert!(proved.proved && proved.rule == "bounds" && proved.file == "/x/a b.c");
        assert_eq!((proved.start, proved.end), ((3, Some(5)), None));
        assert_eq!(proved.assumes, ["no-overflow".into()]);
        assert!(!open.proved && open.start == (4, None));
        assert!(
            remarks.len() == 2 && remarks[0].contains("1 result ") && remarks[1].contains("late"),
            "{remarks:?}"
        );
        assert!(parse("{}").is_err() && parse("{ \"version\": \"1.0\" }").is_err());
    }
}
