//! The JSON of `llvm-cov export`: segments of the source, from each of which on a count holds.
//!
//! A line is executed as often as the largest count of the regions that begin on it and of the one that it begins in, as LLVM's
//! `LineCoverageStats` has it (`lib/ProfileData/Coverage/CoverageMapping.cpp`). So lines without code of their own, such as
//! closing braces, count there.
//!
//! Example: the segments `[3, 9, 0, true, true]` and `[5, 2, 7, true, false]` say that lines 3 and 4 were not executed, and what
//! follows column 2 of line 5 was, seven times.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Builder, CoverageReport, ReadError, line_number};

#[derive(Deserialize)]
struct Export {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    files: Vec<File>,
    #[serde(default)]
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    #[serde(default)]
    segments: Vec<Segment>,
}

/// Line, column, count, whether the count holds, whether a region begins, whether that is only a gap between others.
#[derive(Deserialize)]
struct Segment(
    u32,
    #[allow(dead_code, reason = "it holds a place")] IgnoredAny,
    u64,
    bool,
    bool,
    #[serde(default)] bool,
);

impl Segment {
    fn is_start(&self) -> bool {
        self.3 && self.4 && !self.5
    }
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    count: u64,
    #[serde(default)]
    filenames: Vec<String>,
    #[serde(default)]
    regions: Vec<Vec<u64>>,
}

/// Reads a report.
pub(super) fn read(text: &str) -> Result<CoverageReport, ReadError> {
    let export: Export = serde_json::from_str(text)?;
    let mut builder = Builder::default();
    for data in export.data {
        for file in &data.files {
            lines(&mut builder, file)
                .map_err(|why| ReadError::new(1, 1, format!("{}: {why}", file.filename)))?;
        }
        for function in &data.functions {
            // Functions that only one file sees have its name before their own.
            let name = function.name.rsplit(':').next().unwrap_or_default();
            let line = function.regions.first().and_then(|region| u32::try_from(*region.first()?).ok());
            if let Some(file) = function.filenames.first() {
                builder.function(Path::new(file), name, line, function.count);
            }
        }
    }
    Ok(builder.report)
}

fn lines(builder: &mut Builder, file: &File) -> Result<(), String> {
    let path = Path::new(&file.filename);
    builder.file(path);
    let mut wrapped: Option<&Segment> = None;
    let mut line = file.segments.first().map_or(1, |segment| segment.0);
    for here in file.segments.chunk_by(|a, b| a.0 == b.0) {
        let first = &here[0];
        if first.0 < line {
            return Err(format!("the segments are not in order, at line {}", first.0));
        }
        let number = line_number(first.0)?;
        if let Some(before) = wrapped.filter(|segment| segment.3) {
            for between in line..number {
                builder.line(path, between, before.2)?;
            }
        }
        line = number + 1;
        let starts = here.iter().filter(|segment| segment.is_start()).map(|segment| segment.2).max();
        let is_skipped = !first.3 && first.4;
        let around = wrapped.filter(|segment| segment.3).map(|segment| segment.2);
        if let Some(count) = starts.max(around).filter(|_| !is_skipped) {
            builder.line(path, number, count)?;
        }
        wrapped = here.last();
    }
    Ok(())
}
