//! The report for programs, and its schema.

mod sample;

use footpath_report::json;
use sample::sample;
use serde_json::Value;

fn committed() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/cover.schema.json");
    std::fs::read_to_string(path).expect("schema/cover.schema.json exists")
}

#[test]
fn the_committed_schema_is_the_one_of_the_structs() {
    assert_eq!(committed(), json::schema(), "cargo xtask gen writes schema/cover.schema.json anew");
}

#[test]
fn a_report_is_valid_under_the_schema() {
    let schema: Value = serde_json::from_str(&committed()).expect("the schema is JSON");
    let report: Value =
        serde_json::from_str(&json::cover(&sample().run()).to_text()).expect("a report is JSON");
    assert_eq!(objection(&schema, &schema, &report, "report"), None);
    let broken = serde_json::json!({"schema": "footpath-cover-1"});
    assert!(
        objection(&schema, &schema, &broken, "broken").is_some(),
        "the schema must not accept just anything"
    );
}

/// What a schema has against a value: as much of JSON Schema as our schema uses (a whole validator takes longer to
/// build than everything else).
fn objection(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.trim_start_matches('#')).expect("references lead somewhere");
        return objection(root, target, value, at);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(options) = schema[choice].as_array()
            && options.iter().all(|o| objection(root, o, value, at).is_some())
        {
            return Some(format!("{at} fits none of {choice}"));
        }
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(t) => vec![t],
        Value::Array(ts) => ts.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |t: &&str| match *t {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    };
    if !types.is_empty() && !types.iter().any(is) {
        return Some(format!("{at} is no {types:?}"));
    }
    let fixed = schema.get("const").is_some_and(|c| c != value);
    if fixed || schema["enum"].as_array().is_some_and(|e| !e.contains(value)) {
        return Some(format!("{at} has another value"));
    }
    if let Some(fields) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                return Some(format!("{at} has no {name}"));
            }
        }
        for (name, field) in fields {
            let found = match schema["properties"].get(name) {
                Some(own) => objection(root, own, field, &format!("{at}.{name}")),
                None => match schema.get("additionalProperties") {
                    Some(Value::Bool(false)) => Some(format!("{at} must not have {name}")),
                    Some(other) if other.is_object() => {
                        objection(root, other, field, &format!("{at}.{name}"))
                    }
                    _ => None,
                },
            };
            if found.is_some() {
                return found;
            }
        }
    }
    let items = value.as_array().into_iter().flatten().enumerate();
    let of = schema.get("items")?;
    items.into_iter().find_map(|(i, item)| objection(root, of, item, &format!("{at}[{i}]")))
}

#[test]
fn a_report_says_what_the_engine_said() {
    let report: Value =
        serde_json::from_str(&json::cover(&sample().run()).to_text()).expect("a report is JSON");
    let find = &report["procedures"][0];
    assert_eq!(find["name"], "Find");
    let doomed = &find["objectives"][3];
    assert_eq!(doomed["verdict"], "doomed");
    assert_eq!(doomed["explanation"][0]["line"], 17);
    assert_eq!(find["objectives"][4]["tests"][0], 2);
    assert_eq!(find["objectives"][4]["assertion"], "assert");
    assert_eq!(find["objectives"][5]["reason"], "the solver gave up after 10 s");
    assert_eq!(find["tests"][1]["id"], 2);
    assert_eq!(find["tests"][1]["outcome"]["kind"], "failed");
    assert_eq!(find["tests"][0]["inputs"]["r"]["sort"], "ref");
    assert_eq!(find["statistics"]["queries"], 17);
    assert_eq!(report["totals"]["infeasible"], 2);
    assert_eq!(report["totals"]["assertions"]["can_fail"], 1);
}

#[test]
fn the_text_of_a_test_file_begins_with_its_signature() {
    let s = sample();
    let report = json::cover(&s.run());
    let files: Vec<_> = report.test_files().collect();
    assert_eq!(files.len(), 3);
    assert!(files.iter().all(|f| f.to_text().starts_with(json::TestFile::SIGNATURE)));
}
