//! gcovr's JSON (`gcovr --json`), and that of gcov itself (`gcov --json-format`), which has the same lines.
//!
//! Lines that gcovr calls excluded or no code do not count.

use std::path::Path;

use serde::Deserialize;

use super::{Builder, CoverageReport, ReadError};

#[derive(Deserialize)]
struct Report {
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    #[serde(default)]
    lines: Vec<Line>,
    #[serde(default)]
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Line {
    line_number: u32,
    count: i64,
    #[serde(default, rename = "gcovr/noncode")]
    noncode: bool,
    #[serde(default, rename = "gcovr/excluded")]
    excluded: bool,
}

#[derive(Deserialize)]
struct Function {
    name: Option<String>,
    demangled_name: Option<String>,
    #[serde(alias = "start_line")]
    lineno: Option<u32>,
    #[serde(default)]
    execution_count: i64,
}

/// Reads a report.
pub(super) fn read(text: &str) -> Result<CoverageReport, ReadError> {
    let report: Report = serde_json::from_str(text)?;
    let mut builder = Builder::default();
    for file in report.files {
        let path = Path::new(&file.file);
        builder.file(path);
        for line in file.lines.iter().filter(|line| !line.noncode && !line.excluded) {
            let count = u64::try_from(line.count).unwrap_or(0);
            builder
                .line(path, line.line_number, count)
                .map_err(|why| ReadError::new(1, 1, format!("{}: {why}", file.file)))?;
        }
        for function in &file.functions {
            if let Some(name) = function.name.as_ref().or(function.demangled_name.as_ref()) {
                let count = u64::try_from(function.execution_count).unwrap_or(0);
                builder.function(path, name, function.lineno, count);
            }
        }
    }
    Ok(builder.report)
}
