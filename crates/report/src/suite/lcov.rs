//! Coverage as lcov writes it, for editors and web pages that show it.
//!
//! A line counts as executed as often as tests pass a block on it. Lines are those that blocks stretch over; where
//! blocks share a line, the one that is executed most often decides. What the compiler made is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use footpath_driver::{Class, FunctionResult, ObjectiveKind};
use footpath_ir::source::FileId;

use super::TestRun;

/// The text of a `.info` file.
pub fn info(run: &TestRun<'_>) -> String {
    let files: BTreeSet<FileId> = run.run.functions.iter().map(|f| f.span.file).collect();
    files.iter().map(|&file| of_file(run, file)).collect()
}

fn of_file(run: &TestRun<'_>, id: FileId) -> String {
    let sources = &run.run.sources;
    let mut lines: BTreeMap<u32, usize> = BTreeMap::new();
    let mut branches: Vec<(u32, u32, u32, Option<usize>)> = Vec::new();
    let mut text = format!("TN:footpath\nSF:{}\n", absolute(&sources.file(id).name));
    let (mut found, mut hit) = (0, 0);
    let functions = || run.run.functions.iter().filter(|f| f.span.file == id);
    for function in functions() {
        let line = sources.range(function.span).0.line;
        let _ = writeln!(text, "FN:{line},{}", function.name);
    }
    for function in functions() {
        let executed = function.tests.iter().filter(|t| !t.covers.is_empty()).count();
        found += 1;
        hit += usize::from(executed > 0);
        let _ = writeln!(text, "FNDA:{executed},{}", function.name);
        lines_and_branches(run, function, &mut lines, &mut branches);
    }
    let _ = writeln!(text, "FNF:{found}\nFNH:{hit}");
    for (line, block, branch, taken) in &branches {
        let taken = taken.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let _ = writeln!(text, "BRDA:{line},{block},{branch},{taken}");
    }
    let taken = branches.iter().filter(|b| b.3.is_some_and(|n| n > 0)).count();
    let _ = writeln!(text, "BRF:{}\nBRH:{taken}", branches.len());
    for (line, count) in &lines {
        let _ = writeln!(text, "DA:{line},{count}");
    }
    let executed = lines.values().filter(|&&n| n > 0).count();
    let _ = writeln!(text, "LF:{}\nLH:{executed}\nend_of_record", lines.len());
    text
}

fn lines_and_branches(
    run: &TestRun<'_>,
    function: &FunctionResult,
    lines: &mut BTreeMap<u32, usize>,
    branches: &mut Vec<(u32, u32, u32, Option<usize>)>,
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
                branches.push((
                    start.line,
                    condition / 2,
                    u32::from(!way),
                    evaluated.then_some(o.tests.len()),
                ));
                condition += 1;
            }
            ObjectiveKind::Check(_) => {}
        }
    }
}

/// Viewers want absolute paths, and take relative ones to be relative to themselves.
fn absolute(name: &str) -> String {
    std::path::absolute(name).map_or_else(|_| name.to_owned(), |p| p.display().to_string())
}
