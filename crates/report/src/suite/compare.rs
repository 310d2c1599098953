//! Reports of several runs on the same sources, compared: what a test of one run passes, no other run may call
//! unreachable.
//!
//! The runs may differ in everything but the sources and how they are compiled: in time, bounds, seeds, in which files are
//! analysed together. What a run from a program's start (`--entry`) calls unreachable is so from there only; tests of
//! functions on their own do not contradict it.
//!
//! **Direction of error.** What is claimed within bounds is not looked at.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What one run covers and another one calls unreachable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Contradiction {
    /// The file, the function and the name of the block, branch or check in it.
    pub objective: (String, String, String),
    /// Its kind.
    pub kind: String,
    /// The number of a report that calls it unreachable, from 0.
    pub unreachable_in: usize,
    /// The number of a report with a test that passes it.
    pub covered_in: usize,
}

/// What reports say together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// How many objectives some run covers.
    pub covered: usize,
    /// How many some run calls unreachable.
    pub unreachable: usize,
    /// How many tests did not do what they had promised.
    pub divergences: usize,
    /// What is contradictory.
    pub contradictions: Vec<Contradiction>,
}

#[derive(Deserialize)]
struct Report {
    command: Vec<String>,
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    file: String,
    objectives: Vec<Objective>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Objective {
    id: String,
    kind: String,
    verdict: String,
}

#[derive(Deserialize)]
struct Test {
    divergence: Option<String>,
}

/// What the reports say of one objective.
#[derive(Default)]
struct Said {
    covered: Vec<usize>,
    unreachable: Vec<usize>,
}

/// How many objectives of a report have each verdict, by the verdict's name in the JSON.
///
/// # Errors
/// If the text is no report of `footpath test --format json`.
pub fn count_verdicts(report: &str) -> Result<BTreeMap<String, u64>, serde_json::Error> {
    let report: Report = serde_json::from_str(report)?;
    let mut counts = BTreeMap::new();
    for objective in report.functions.into_iter().flat_map(|f| f.objectives) {
        *counts.entry(objective.verdict).or_default() += 1;
    }
    Ok(counts)
}

/// Compares reports as `footpath test --format json` prints them.
///
/// # Errors
/// If a text is no such report: its number, and what is wrong.
pub fn compare(reports: &[String]) -> Result<Compared, (usize, serde_json::Error)> {
    let mut said: BTreeMap<((String, String, String), String), Said> = BTreeMap::new();
    let mut compared = Compared::default();
    let mut entries = Vec::new();
    for (number, text) in reports.iter().enumerate() {
        let report: Report = serde_json::from_str(text).map_err(|e| (number, e))?;
        entries.push(entry(&report.command));
        for function in report.functions {
            compared.divergences += function.tests.iter().filter(|t| t.divergence.is_some()).count();
            for o in function.objectives {
                let key = ((function.file.clone(), function.name.clone(), o.id), o.kind);
                match o.verdict.as_str() {
                    "covered" => said.entry(key).or_default().covered.push(number),
                    "unreachable" => said.entry(key).or_default().unreachable.push(number),
                    _ => {}
                }
            }
        }
    }
    for ((objective, kind), Said { covered, unreachable }) in said {
        compared.covered += usize::from(!covered.is_empty());
        compared.unreachable += usize::from(!unreachable.is_empty());
        let contradict = |&(u, c): &(usize, usize)| entries[u].is_none() || entries[u] == entries[c];
        let mut pairs = unreachable.iter().flat_map(|&u| covered.iter().map(move |&c| (u, c)));
        if let Some((unreachable_in, covered_in)) = pairs.find(contradict) {
            compared.contradictions.push(Contradiction { objective, kind, unreachable_in, covered_in });
        }
    }
    Ok(compared)
}

/// Where a run starts, if it is one of a whole program.
fn entry(command: &[String]) -> Option<String> {
    let at = command.iter().position(|word| word == "--entry" || word.starts_with("--entry="))?;
    match command[at].strip_prefix("--entry=") {
        Some(name) => Some(name.to_owned()),
        None => command.get(at + 1).cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(command: &str, verdict: &str) -> String {
        let words: Vec<&str> = command.split(' ').collect();
        let objective = serde_json::json!({"id": "L3", "kind": "block", "verdict": verdict});
        let test = serde_json::json!({"divergence": "L4"});
        let function = serde_json::json!({
            "name": "f", "file": "a.c", "objectives": [objective], "tests": [test]
        });
        serde_json::json!({"command": words, "functions": [function]}).to_string()
    }

    #[test]
    fn what_one_run_covers_no_other_may_call_unreachable() {
        let both = [report("test a.c", "unreachable"), report("test a.c --seed 1", "covered")];
        let found = compare(&both).expect("reports");
        assert_eq!((found.covered, found.unreachable, found.divergences), (1, 1, 2));
        assert_eq!(found.contradictions.len(), 1);
        assert_eq!((found.contradictions[0].unreachable_in, found.contradictions[0].covered_in), (0, 1));
        let bounded = [report("test a.c", "unreachable_within_bound"), report("test a.c", "covered")];
        assert_eq!(compare(&bounded).expect("reports").contradictions, []);
    }

    #[test]
    fn from_a_program_s_start_less_is_reachable() {
        let program = |verdict| report("test a.c --entry main", verdict);
        let function = |verdict| report("test a.c", verdict);
        let contradictions = |a: String, b: String| compare(&[a, b]).expect("reports").contradictions.len();
        assert_eq!(contradictions(program("unreachable"), function("covered")), 0);
        assert_eq!(contradictions(program("covered"), function("unreachable")), 1);
        assert_eq!(contradictions(program("unreachable"), program("covered")), 1);
    }

    #[test]
    fn a_text_that_is_no_report_is_named() {
        let error = compare(&[report("test", "covered"), "{}".to_owned()]).expect_err("no report");
        assert_eq!(error.0, 1);
    }
}
