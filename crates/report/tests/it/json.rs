//! The report for programs, and its schema.

use super::objection::objection;
use super::sample::sample;
use footpath_report::json;
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
    assert_eq!(find["objectives"][5]["reason"], "the solver ran out of memory");
    assert_eq!(find["objectives"][5]["reason_code"], "solver-memory");
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
