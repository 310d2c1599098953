//! Contradictions: a run against a proof, neither of which rests on anything. Both are named and written down with what it takes
//! to see it again.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use footpath_driver::{Contradiction, FunctionResult, Run};

use crate::output::write_file;
use crate::{World, exit};

/// The file with what it takes to reproduce contradictions.
const FILE: &str = "contradiction.txt";

/// Whether there are contradictions in a run.
pub fn is_any(run: &Run) -> bool {
    run.functions.iter().any(|f| !f.contradictions.is_empty())
}

/// Reports the contradictions of a run, and writes them into its folder; returns whether there are any.
pub fn report(run: &Run, command_line: &[String], folder: &Path, world: &mut World<'_>) -> Result<bool> {
    let found: Vec<String> = run
        .functions
        .iter()
        .flat_map(|f| f.contradictions.iter().map(move |c| sentence(run, f, c)))
        .collect();
    if found.is_empty() {
        return Ok(false);
    }
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("footpath {version}\n{}\n", command_line.join(" "));
    for sentence in &found {
        writeln!(world.err, "footpath {version}: internal error: {sentence}")?;
        let _ = writeln!(text, "{sentence}");
    }
    for (file, flags) in &run.files {
        let _ = writeln!(text, "\n// {} {}\n{}", file.display(), flags.join(" "), source(file));
    }
    let path = folder.join(FILE);
    write_file(&path, &text)?;
    write!(
        world.err,
        "{} was written, with all that shows it again.\n{}",
        path.display(),
        exit::REPORT_HINT
    )?;
    Ok(true)
}

fn sentence(run: &Run, function: &FunctionResult, found: &Contradiction) -> String {
    let test = match (found.test, &function.file) {
        (Some(test), Some(file)) => format!(", test {test} in {}", file.display()),
        _ => String::new(),
    };
    format!(
        "{} of {} at {} was proved unreachable ({}), but a run reaches it ({}{test})",
        found.place,
        function.name,
        run.sources.describe(found.span),
        found.proof.name(),
        found.run.name(),
    )
}

fn source(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}
