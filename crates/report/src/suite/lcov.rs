//! Coverage as lcov writes it, for editors and web pages that show it.
//!
//! A line counts as executed as often as tests pass a block on it. Lines are those that blocks stretch over; where
//! blocks share a line, the one that is executed most often decides. What the compiler made is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use footpath_driver::{Class, FunctionResult, ObjectiveKind};
use footpath_ir::source::FileId;
use lcov::Record;

use super::TestRun;

/// The text of a `.info` file.
pub fn info(run: &TestRun<'_>) -> String {
    let files: BTreeSet<FileId> = run.run.functions.iter().map(|f| f.span.file).collect();
    files.iter().map(|&file| of_file(run, file)).collect()
}

fn of_file(run: &TestRun<'_>, id: FileId) -> String {
    let sources = &run.run.sources;
    let functions: Vec<&FunctionResult> = run.run.functions.iter().filter(|f| f.span.file == id).collect();
    let mut lines: BTreeMap<u32, usize> = BTreeMap::new();
    let mut branches = Vec::new();
    let mut records = vec![
        Record::TestName { name: "footpath".to_owned() },
        Record::SourceFile { path: absolute(&sources.file(id).name) },
    ];
    records.extend(functions.iter().map(|function| Record::FunctionName {
        name: function.name.clone(),
        start_line: sources.range(function.span).0.line,
    }));
    let mut hit = 0;
    for function in &functions {
        let executed = function.tests.iter().filter(|t| !t.covers.is_empty()).count();
        hit += u32::from(executed > 0);
        records.push(Record::FunctionData { name: function.name.clone(), count: executed as u64 });
        lines_and_branches(run, function, &mut lines, &mut branches);
    }
    let is_taken = |branch: &&Branch| branch.taken.is_some_and(|n| n > 0);
    let taken = branches.iter().filter(is_taken).count() as u32;
    let executed = lines.values().filter(|&&n| n > 0).count() as u32;
    records.extend([Record::FunctionsFound { found: functions.len() as u32 }, Record::FunctionsHit { hit }]);
    let found = branches.len() as u32;
    records.extend(branches.into_iter().map(|b| Record::BranchData {
        line: b.line,
        block: b.condition,
        branch: b.way,
        taken: b.taken.map(|n| n as u64),
    }));
    records.extend([Record::BranchesFound { found }, Record::BranchesHit { hit: taken }]);
    let found = lines.len() as u32;
    let data = lines.into_iter().map(|(line, n)| Record::LineData { line, count: n as u64, checksum: None });
    records.extend(data);
    records.extend([Record::LinesFound { found }, Record::LinesHit { hit: executed }, Record::EndOfRecord]);
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// One side of a condition.
struct Branch {
    line: u32,
    /// The number of the condition in its file.
    condition: u32,
    /// 0 for the side that is taken if the condition holds, 1 for the other.
    way: u32,
    /// How many tests take it; nothing if none evaluates the condition.
    taken: Option<usize>,
}

fn lines_and_branches(
    run: &TestRun<'_>,
    function: &FunctionResult,
    lines: &mut BTreeMap<u32, usize>,
    branches: &mut Vec<Branch>,
) {
    let sources = &run.run.sources;
    let mut condition = branches.len() as u32;
    let of_the_user = |class| class != Class::Compiler;
    for o in function.objectives.iter().filter(|o| of_the_user(o.class) && o.span.file == function.span.file)
    {
        let (start, end) = sources.range(o.span);
        match o.kind {
            ObjectiveKind::Block => {
                for line in start.line..=end.line {
                    let is_code = !sources.file(o.span.file).line(line).trim().is_empty();
                    if is_code {
                        let count = lines.entry(line).or_default();
                        *count = (*count).max(o.tests.len());
                    }
                }
            }
            // The way if true comes first; the other one has the same condition.
            ObjectiveKind::Branch(way) => {
                let other = |p: &&footpath_driver::Objective| {
                    p.span == o.span && p.kind == ObjectiveKind::Branch(!way)
                };
                let evaluated = !o.tests.is_empty()
                    || function.objectives.iter().filter(other).any(|p| !p.tests.is_empty());
                branches.push(Branch {
                    line: start.line,
                    condition: condition / 2,
                    way: u32::from(!way),
                    taken: evaluated.then_some(o.tests.len()),
                });
                condition += 1;
            }
            ObjectiveKind::Check(_) => {}
        }
    }
}

/// Viewers want absolute paths, and take relative ones to be relative to themselves.
fn absolute(name: &str) -> PathBuf {
    // A line break would end the record.
    let name: String =
        name.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    std::path::absolute(&name).unwrap_or_else(|_| name.into())
}
