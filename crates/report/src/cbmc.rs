//! What CBMC's search for tests found, as `cbmc --cover location --show-test-suite --json-ui` prints it.
//!
//! The text is a list of messages. One of them has the goals, each with the lines of its basic block and whether a test
//! reaches it, and the tests with the goals that they reach. If CBMC is ended early that message is not there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

/// What CBMC says of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The goals, if it came to its end.
    pub goals: Option<Vec<Goal>>,
    /// Its first error message, if it has one.
    pub error: Option<String>,
}

/// A basic block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The file that it is in.
    pub file: String,
    /// The function that it is in.
    pub function: String,
    /// Its lines.
    pub lines: BTreeSet<u32>,
    /// Whether a test reaches it; otherwise none does within the bounds.
    pub covered: bool,
    /// The inputs of a test that reaches it.
    pub inputs: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    message_type: Option<String>,
    message_text: Option<String>,
    goals: Option<Vec<RawGoal>>,
    #[serde(default)]
    tests: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawGoal {
    goal: String,
    status: String,
    #[serde(default)]
    source_location: Location,
    /// Lines by file and function.
    #[serde(default)]
    basic_block_lines: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Deserialize, Default)]
struct Location {
    #[serde(default)]
    file: String,
    #[serde(default)]
    function: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    covered_goals: BTreeSet<String>,
    #[serde(default)]
    inputs: Vec<Input>,
}

#[derive(Deserialize)]
struct Input {
    id: String,
    value: Value,
}

/// Reads the text.
///
/// # Errors
/// If it is not such a text, as when CBMC was ended while it wrote.
pub fn parse(text: &str) -> Result<Answer, serde_json::Error> {
    let messages: Vec<Message> = serde_json::from_str(text)?;
    let mut answer = Answer::default();
    for message in messages {
        if answer.error.is_none() && message.message_type.as_deref() == Some("ERROR") {
            answer.error = message.message_text;
        }
        let Some(goals) = message.goals else { continue };
        let goal = |raw: RawGoal| {
            let test = message.tests.iter().find(|t| t.covered_goals.contains(&raw.goal));
            let Location { file, function } = raw.source_location;
            let lines = raw.basic_block_lines.get(&file).and_then(|f| f.get(&function));
            Goal {
                lines: lines.map_or_else(BTreeSet::new, |text| lines_of(text)),
                covered: raw.status == "satisfied",
                inputs: test.map(|t| t.inputs.iter().map(shown).collect::<Vec<_>>().join(", ")),
                file,
                function,
            }
        };
        answer.goals = Some(goals.into_iter().map(goal).collect());
    }
    Ok(answer)
}

/// Lines as they are listed: numbers and ranges between commas. No block has as many as a range is left out for.
fn lines_of(text: &str) -> BTreeSet<u32> {
    const MOST: u32 = 1 << 20;
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (last.checked_sub(first)? < MOST).then_some(first..=last)
    };
    text.split(',').filter_map(range).flatten().collect()
}

fn shown(input: &Input) -> String {
    format!("{} = {}", input.id, value(&input.value))
}

/// A value in short: numbers and names as they are, members and elements in braces.
fn value(of: &Value) -> String {
    let list = |key: &str| of.get(key).and_then(Value::as_array);
    if let Some(members) = list("members") {
        let member = |m: &Value| {
            let name = m.get("name").and_then(Value::as_str).unwrap_or("?");
            format!(".{name} = {}", m.get("value").map_or_else(|| "?".to_owned(), value))
        };
        return format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "));
    }
    if let Some(elements) = list("elements") {
        let element = |e: &Value| value(e.get("value").unwrap_or(e));
        return format!("{{{}}}", elements.iter().map(element).collect::<Vec<_>>().join(", "));
    }
    of.get("data").and_then(Value::as_str).unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"[
      {"program": "CBMC 6.6.0"},
      {"messageText": "Starting", "messageType": "STATUS-MESSAGE"},
      {"goals": [
        {"basicBlockLines": {"a.c": {"f": "3-5,8"}}, "description": "block 1", "goal": "f.coverage.1",
         "sourceLocation": {"file": "a.c", "function": "f", "line": "3"}, "status": "satisfied"},
        {"basicBlockLines": {"a.c": {"f": "9"}}, "goal": "f.coverage.2",
         "sourceLocation": {"file": "a.c", "function": "f", "line": "9"}, "status": "failed"}],
       "tests": [{"coveredGoals": ["f.coverage.1"], "inputs": [
         {"id": "p", "value": {"name": "struct", "members": [{"name": "n", "value": {"data": "7"}}]}},
         {"id": "x", "value": {"data": "-1"}}]}]}]"#;

    #[test]
    fn goals_have_lines_and_the_inputs_that_reach_them() {
        let goals = parse(TEXT).expect("its text").goals.expect("goals");
        assert_eq!(goals[0].lines, BTreeSet::from([3, 4, 5, 8]));
        assert_eq!(goals[0].inputs.as_deref(), Some("p = {.n = 7}, x = -1"));
        assert!(goals[0].covered && !goals[1].covered);
        assert_eq!((goals[1].function.as_str(), goals[1].inputs.as_deref()), ("f", None));
    }

    #[test]
    fn an_error_is_told_and_half_a_text_is_none() {
        let text = r#"[{"messageText": "syntax error", "messageType": "ERROR"}]"#;
        let answer = parse(text).expect("its text");
        assert_eq!((answer.goals, answer.error.as_deref()), (None, Some("syntax error")));
        assert!(parse(&TEXT[..TEXT.len() - 4]).is_err());
    }
}
