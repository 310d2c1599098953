//! The counts of "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007).
//!
//! Example 1 (Table 1) with any number of independent branches: whole paths (2ⁿ⁺¹), segments (4n), and segments without a
//! simplifier (2ⁿ⁺² − 4, Section 4). Example 2 (Table 3), a loop: 10 paths. Figure 1: 128 paths against 32.
//!
//! **Deviations.**
//! 1. The paper's Figure 1 has no listing; it is taken to be example 1 with six branches, whose whole paths are 8 · 8 · 2,
//!    cut into two segments of three.
//! 2. The paper has no calls. Here procedures stand over example 1, each of which calls the one below twice: with callees
//!    explored again at each call, and with their conditions instantiated.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use footpath_ir::{ProcId, Program};
use footpath_preconditions::{Analysis, Calls, Classes, Error, Exactness, Options, Partition, analyse};
use footpath_simplify::{Effort, Plain, print};

use crate::csv;
use crate::output::write_atomically;
use crate::svg::{Plot, Point, Series};
use programs::{calls, looping, operations};

mod programs;

/// Branches up to which whole paths are run.
const WHOLE: u32 = 10;
/// Branches up to which segments are run without a simplifier.
const UNSIMPLIFIED: u32 = 5;
/// Sizes of example 1.
const SIZES: [u32; 14] = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 35, 40];
/// How many procedures stand over the one that checks something.
const HEIGHTS: [u32; 8] = [1, 2, 3, 4, 5, 6, 10, 20];
/// Of these, how many are inlined.
const INLINED: u32 = 6;

/// A line of the table.
#[derive(Clone, Debug)]
pub struct Line {
    /// The program.
    pub program: String,
    /// Its branches, or for calls how many procedures stand over the one with branches.
    pub branches: u32,
    /// How it was analysed.
    pub method: &'static str,
    /// The paths the paper counts, if it has the program.
    pub paper: Option<u64>,
    /// The paths that were run.
    pub paths: u64,
    /// The condition.
    pub condition: String,
    /// Whether it is exact.
    pub exact: bool,
    /// Time.
    pub time: Duration,
}

/// Runs everything; ends early, with what there is, when `stop` is set.
///
/// # Errors
/// If the solver cannot be used, or if one of our own invariants broke.
pub fn run(stop: &AtomicBool, each: &mut dyn FnMut(&Line)) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    let segments = Options { time: None, ..Options::default() };
    let whole = Options { partition: Partition::None, ..segments.clone() };
    let plain = Options { effort: Effort::None, ..segments.clone() };
    let halves = Options { partition: Partition::Branches(3), ..segments.clone() };
    let inlined = Options { calls: Calls::Inlined, ..segments.clone() };
    let mut add = |name: &str, program: &Program, branches, method, paper: Option<u64>, options: &Options| {
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let found = analyse(program, ProcId(0), 0, options, Classes::PLAIN, stop)?;
        let line = line(name, branches, method, paper, &found);
        each(&line);
        lines.push(line);
        Ok::<(), Error>(())
    };
    for n in SIZES {
        let program = operations(n);
        add("example 1", &program, n, "segments", Some(u64::from(4 * n)), &segments)?;
        if n <= WHOLE {
            add("example 1", &program, n, "whole paths", Some(1 << (n + 1)), &whole)?;
        }
        if n <= UNSIMPLIFIED {
            add("example 1", &program, n, "segments, not simplified", Some((1 << (n + 2)) - 4), &plain)?;
        }
    }
    add("example 2", &looping(), 2, "segments", Some(10), &segments)?;
    let figure = operations(6);
    add("figure 1", &figure, 6, "whole paths", Some(128), &whole)?;
    add("figure 1", &figure, 6, "two segments", Some(32), &halves)?;
    for n in HEIGHTS {
        let program = calls(n);
        add("calls", &program, n, "instantiated", None, &segments)?;
        if n <= INLINED {
            add("calls", &program, n, "explored again", None, &inlined)?;
        }
    }
    Ok(lines)
}

fn line(name: &str, branches: u32, method: &'static str, paper: Option<u64>, found: &Analysis) -> Line {
    Line {
        program: name.to_owned(),
        branches,
        method,
        paper,
        paths: found.paths(),
        condition: print(&found.terms, &found.condition, &Plain),
        exact: found.exactness == Exactness::Exact,
        time: found.time,
    }
}

/// The lines as a table of Markdown.
pub fn markdown(lines: &[Line]) -> String {
    let mut out = String::from("| program | branches | method | paths | paper | condition | s |\n");
    out.push_str("| --- | ---: | --- | ---: | ---: | --- | ---: |\n");
    for l in lines {
        let exact = if l.exact { "" } else { " (not exact)" };
        let seconds = l.time.as_secs_f64();
        let paper = l.paper.map(|n| n.to_string()).unwrap_or_default();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | `{}`{exact} | {seconds:.2} |",
            l.program, l.branches, l.method, l.paths, paper, l.condition
        );
    }
    out
}

fn table(lines: &[Line]) -> String {
    let head = ["program", "branches", "method", "paths", "paper", "condition", "exact", "seconds"];
    let rows = lines.iter().map(|l| {
        vec![
            l.program.clone(),
            l.branches.to_string(),
            l.method.to_owned(),
            l.paths.to_string(),
            l.paper.map(|n| n.to_string()).unwrap_or_default(),
            l.condition.clone(),
            l.exact.to_string(),
            format!("{:.3}", l.time.as_secs_f64()),
        ]
    });
    csv::write(std::iter::once(head.map(str::to_owned).to_vec()).chain(rows))
}

/// The growth of one of the programs.
fn plot(lines: &[Line], program: &str, x: &str, methods: &[&str]) -> Plot {
    let series = |method: &str| Series {
        name: method.to_owned(),
        points: lines
            .iter()
            .filter(|l| l.program == program && l.method == method)
            .map(|l| Point { x: f64::from(l.branches), y: l.paths as f64, at_least: false })
            .collect(),
    };
    Plot {
        title: format!("Paths of {program}"),
        x: x.to_owned(),
        y: "paths".to_owned(),
        log: true,
        log_x: false,
        series: methods.iter().map(|m| series(m)).collect(),
    }
}

/// Writes the table, as Markdown and CSV, and the plots into a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write(lines: &[Line], folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files = [
        ("failures.md", markdown(lines)),
        ("failures.csv", table(lines)),
        (
            "failures.svg",
            plot(
                lines,
                "example 1",
                "independent branches",
                &["segments", "whole paths", "segments, not simplified"],
            )
            .render(),
        ),
        (
            "failures-calls.svg",
            plot(lines, "calls", "procedures one over the other", &["instantiated", "explored again"])
                .render(),
        ),
    ];
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        write_atomically(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_cost_the_paths_that_the_paper_counts() {
        let none = AtomicBool::new(false);
        let options = Options::default();
        for (program, paths, condition) in [
            (operations(3), 12, "failure"),
            (operations(12), 48, "failure"),
            (looping(), 10, "i >= 1 && i == j"),
        ] {
            let found =
                analyse(&program, ProcId(0), 0, &options, Classes::PLAIN, &none).expect("a condition");
            let found = line("", 0, "", None, &found);
            assert_eq!((found.paths, found.condition.as_str(), found.exact), (paths, condition, true));
        }
    }

    #[test]
    fn calls_cost_the_same_at_every_height_if_conditions_are_instantiated() {
        let none = AtomicBool::new(false);
        let program = calls(4);
        let paths = [Calls::Instantiated, Calls::Inlined].map(|calls| {
            let options = Options { calls, ..Options::default() };
            let found =
                analyse(&program, ProcId(0), 0, &options, Classes::PLAIN, &none).expect("a condition");
            let found = line("", 0, "", None, &found);
            assert_eq!((found.condition.as_str(), found.exact), ("failure", true));
            found.paths
        });
        assert!(paths[0] * 4 < paths[1], "{paths:?}");
    }
}
