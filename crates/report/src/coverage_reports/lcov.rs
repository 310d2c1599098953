//! lcov's tracefiles: a record on each line, those of a file between `SF:` and `end_of_record`.
//!
//! The crate that reads them knows version 1 only; lcov 2 has functions in two new records (`FNL`, `FNA`), ends of functions in
//! `FN`, and expressions as branches. Records that say nothing about lines, functions and branches are skipped, as are unknown
//! ones, which later versions may add.
//!
//! Example: `SF:a.c`, `DA:3,0`, `end_of_record` says that line 3 of `a.c` has code and was not executed.
//!
//! **Direction of error.** See the folder. Counts below zero, which some compilers write, are zero.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{Branch, Builder, CoverageReport, FileCoverage, ReadError, line_number};

/// Reads a tracefile.
pub(super) fn read(text: &str) -> Result<CoverageReport, ReadError> {
    let mut builder = Builder::default();
    let mut file: Option<PathBuf> = None;
    // Of lcov 2: functions by their number in the file.
    let mut numbered: BTreeMap<&str, Option<u32>> = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        let at = |column: usize, message: String| ReadError::new(i + 1, column, message);
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "end_of_record" {
            file = None;
            continue;
        }
        let is_tag = |tag: &str| !tag.is_empty() && tag.bytes().all(|b| b.is_ascii_uppercase());
        let Some((tag, rest)) = line.split_once(':').filter(|(tag, _)| is_tag(tag)) else {
            let message = match file {
                None => {
                    "this is no coverage report: neither lcov's, nor JSON of gcovr or llvm-cov, nor Cobertura's XML"
                }
                Some(_) => "this is no record of lcov's; expected `TAG:` or `end_of_record`",
            };
            return Err(at(1, message.to_owned()));
        };
        if tag == "SF" {
            file = Some(PathBuf::from(rest));
            numbered.clear();
            builder.file(Path::new(rest));
            continue;
        }
        let Some(path) = file.as_deref() else {
            if matches!(tag, "DA" | "FN" | "FNDA" | "BRDA" | "FNL" | "FNA") {
                return Err(at(1, format!("this `{tag}` belongs to no file; expected `SF:` before it")));
            }
            continue;
        };
        record(&mut builder, path, (tag, rest), &mut numbered)
            .map_err(|message| at(tag.len() + 2, message))?;
    }
    Ok(builder.report)
}

/// Reads a record about a file.
fn record<'t>(
    builder: &mut Builder,
    path: &Path,
    (tag, rest): (&str, &'t str),
    numbered: &mut BTreeMap<&'t str, Option<u32>>,
) -> Result<(), String> {
    let fields: Vec<&'t str> = rest.splitn(4, ',').collect();
    match (tag, fields.as_slice()) {
        ("DA", [line, count, ..]) => builder.line(path, number(line)?, parsed(count)?)?,
        ("FN", [line, name]) => builder.function(path, name, Some(number(line)?), 0),
        // The second one is where it ends, since lcov 2.
        ("FN", [line, end, name @ ..]) => {
            let is_end = end.bytes().all(|b| b.is_ascii_digit());
            let name = if is_end { name.join(",") } else { rest[line.len() + 1..].to_owned() };
            builder.function(path, &name, Some(number(line)?), 0);
        }
        ("FNDA", [count, name @ ..]) if !name.is_empty() => {
            builder.function(path, &name.join(","), None, parsed(count)?);
        }
        ("FNL", [index, line, ..]) => {
            numbered.insert(index, Some(number(line)?));
        }
        ("FNA", [index, count, name @ ..]) if !name.is_empty() => {
            let line = numbered.get(index).copied().flatten();
            builder.function(path, &name.join(","), line, parsed(count)?);
        }
        ("BRDA", [line, block, rest @ ..]) if !rest.is_empty() => {
            // Expressions may have commas.
            let rest = rest.join(",");
            let (branch, taken) = rest.rsplit_once(',').ok_or("this record is cut off")?;
            let taken = if taken == "-" { None } else { Some(parsed(taken)?) };
            let line = line_number(number(line)?)?;
            let branch = Branch { line, block: (*block).to_owned(), branch: branch.to_owned() };
            let known = builder.file(path).branches.entry(branch).or_default();
            *known = match (*known, taken) {
                (Some(a), Some(b)) => Some(a.saturating_add(b)),
                (a, b) => a.or(b),
            };
        }
        ("DA" | "FN" | "FNDA" | "FNL" | "FNA" | "BRDA", _) => {
            return Err("this record is cut off".to_owned());
        }
        _ => {}
    }
    Ok(())
}

fn number(text: &str) -> Result<u32, String> {
    text.trim().parse().map_err(|_| format!("`{text}` is no number of a line"))
}

fn parsed(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let is_negative = text.strip_prefix('-').is_some_and(|n| n.parse::<u64>().is_ok());
    if is_negative {
        return Ok(0);
    }
    text.parse().map_err(|_| format!("`{text}` is no count"))
}

/// The records of a file.
pub fn records(path: &Path, file: &FileCoverage) -> String {
    let mut text = String::new();
    let mut write = |record: String| {
        // A line break in a name would end the record.
        let one_line = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
        text.extend(record.chars().map(one_line));
        text.push('\n');
    };
    write("TN:footpath".to_owned());
    write(format!("SF:{}", path.display()));
    let mut functions: Vec<_> = file.functions.iter().collect();
    functions.sort_by_key(|(name, (line, _))| (*line, *name));
    for (name, (line, _)) in &functions {
        write(format!("FN:{line},{name}"));
    }
    for (name, (_, count)) in &functions {
        write(format!("FNDA:{count},{name}"));
    }
    let hit = functions.iter().filter(|(_, (_, count))| *count > 0).count();
    write(format!("FNF:{}", functions.len()));
    write(format!("FNH:{hit}"));
    for (Branch { line, block, branch }, taken) in &file.branches {
        let taken = taken.map_or_else(|| "-".to_owned(), |n| n.to_string());
        write(format!("BRDA:{line},{block},{branch},{taken}"));
    }
    let hit = file.branches.values().filter(|taken| taken.is_some_and(|n| n > 0)).count();
    write(format!("BRF:{}", file.branches.len()));
    write(format!("BRH:{hit}"));
    for (line, count) in &file.lines {
        write(format!("DA:{line},{count}"));
    }
    let hit = file.lines.values().filter(|count| **count > 0).count();
    write(format!("LF:{}", file.lines.len()));
    write(format!("LH:{hit}"));
    let _ = writeln!(text, "end_of_record");
    text
}
