//! The experiment of "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), section 9: the programs, written anew
//! after the paper's descriptions, and what the paper measured.
//!
//! **Deviation.** No listing of WinDriver survives. Ours copies packets to where they say and checks whether two of them
//! said the same.

use std::fmt::Write as _;

use crate::csv;
use crate::svg::{Plot, Point, Series};

/// A program of the experiment; its target is the label `target`.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The paper's name.
    pub name: &'static str,
    /// As Boogie text.
    pub text: &'static str,
    /// As C; the target is the line that ends in [`C_TARGET`].
    pub c: &'static str,
    /// Seconds of Pex in the paper.
    pub pex: &'static str,
    /// Seconds of the paper's own tool.
    pub apc: &'static str,
    /// Whether the target can be reached.
    pub reachable: bool,
}

/// What the target's line in C ends in.
pub const C_TARGET: &str = "/* target */";

macro_rules! programs {
    ($($name:literal $file:literal $pex:literal $apc:literal $reachable:literal,)*) => {
        /// Table 3 of the paper.
        pub const PROGRAMS: &[Program] = &[$(Program {
            name: $name,
            text: include_str!(concat!("reach/programs/", $file, ".bpl")),
            c: include_str!(concat!("reach/programs/", $file, ".c")),
            pex: $pex,
            apc: $apc,
            reachable: $reachable,
        }),*];
    };
}

programs! {
    "Hello" "hello" "5.257" "0.181" true,
    "HW" "hw" "25.05" "0.941" true,
    "HWM" "hwm" "time-out" "4.660" true,
    "MatrIR" "matr_ir" "95.00" "0.035" true,
    "WinDriver" "win_driver" "28.39" "0.627" true,
    "OneLoop" "one_loop" "134.0" "0.003" false,
    "TwoLoops" "two_loops" "64.00" "0.003" false,
}

/// A program of a family that grows.
#[derive(Clone, Debug)]
pub struct Grown {
    /// The family.
    pub family: &'static str,
    /// The size.
    pub size: u32,
    /// As Boogie text.
    pub text: String,
}

/// The families of the scaling plot; all targets can be reached.
pub fn grown() -> Vec<Grown> {
    let mut all = Vec::new();
    for size in [4, 40, 400, 4_000, 40_000, 400_000, 1_000_000] {
        let text = format!(
            "procedure main(n: int) {{\n  var i: int;\n  i := 0;\n  while (i < n) {{ i := i + 4; }}\n  if (i == {size}) {{ target: assert true; }}\n}}\n"
        );
        all.push(Grown { family: "distance", size, text });
    }
    for size in [5, 10, 25, 50, 100, 190] {
        let text = format!(
            "procedure main(A: [int]int) {{\n  var i, k: int;\n  i := 0;\n  k := 0;\n  while (A[i] != 0) {{\n    if (A[i] == 72) {{ k := k + 1; }}\n    i := i + 1;\n  }}\n  if (i == {size} && k == 3) {{ target: assert true; }}\n}}\n"
        );
        all.push(Grown { family: "string", size, text });
    }
    for size in [2, 5, 10, 20, 30] {
        let text = format!(
            "procedure main(A: [int,int]int, m: int, n: int) {{\n  var i, j, k: int;\n  i := 0;\n  k := 0;\n  while (i < m) {{\n    j := 0;\n    while (j < n) {{\n      if (A[i, j] > 10) {{ k := k + 1; }}\n      j := j + 1;\n    }}\n    i := i + 1;\n  }}\n  if (m == {size} && n == {size} && k == {size}) {{ target: assert true; }}\n}}\n"
        );
        all.push(Grown { family: "matrix", size, text });
    }
    all
}

/// What was measured of one program.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name, or its family.
    pub name: String,
    /// Its size, if it is one of a family.
    pub size: Option<u32>,
    /// The verdict's name.
    pub verdict: &'static str,
    /// Time in all.
    pub seconds: f64,
    /// Questions to the solver.
    pub queries: u64,
    /// How many iterations of each loop were unfolded in the end.
    pub unfolded: u64,
    /// Dynamic symbolic execution by itself, and guided by the condition; not measured for the families.
    pub dse: Option<[Dse; 2]>,
}

/// What dynamic symbolic execution made of a program.
#[derive(Clone, Copy, Debug)]
pub struct Dse {
    /// The verdict's name.
    pub verdict: &'static str,
    /// Time in all.
    pub seconds: f64,
    /// Runs with symbolic values.
    pub runs: u64,
    /// Questions to the solver, those of the condition apart.
    pub queries: u64,
}

impl Dse {
    /// Seconds until it was settled.
    fn shown(&self) -> String {
        match self.verdict {
            "unknown" => "-".to_owned(),
            verdict => format!("{:.2} {}", self.seconds, if verdict == "reached" { "r" } else { "u" }),
        }
    }
}

/// The measurements beside the paper's.
pub fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<14} {:>8} {:>12} {:>9} {:>9} {:>10} {:>10} {:>9} {:>9}\n",
        "program", "size", "verdict", "seconds", "questions", "DSE", "DSE guided", "Pex", "APC"
    );
    for row in rows {
        let paper = PROGRAMS.iter().find(|p| row.size.is_none() && p.name == row.name);
        let (pex, apc) = paper.map_or(("", ""), |p| (p.pex, p.apc));
        let size = row.size.map_or_else(String::new, |s| s.to_string());
        let _ = writeln!(
            text,
            "{:<14} {size:>8} {:>12} {:>9.3} {:>9} {:>10} {:>10} {pex:>9} {apc:>9}",
            row.name,
            row.verdict,
            row.seconds,
            row.queries,
            row.dse.map_or_else(String::new, |d| d[0].shown()),
            row.dse.map_or_else(String::new, |d| d[1].shown()),
        );
    }
    text.push_str(
        "\nDSE: seconds of dynamic symbolic execution until the target is reached (r) or ruled out (u)\n",
    );
    text
}

/// The measurements for programs.
pub fn as_csv(rows: &[Row]) -> String {
    let head = [
        "program",
        "size",
        "verdict",
        "seconds",
        "questions",
        "unfolded",
        "dse",
        "dse_seconds",
        "dse_runs",
        "guided",
        "guided_seconds",
        "guided_runs",
    ];
    let head = head.map(str::to_owned).to_vec();
    let dse = |d: Option<Dse>| match d {
        Some(d) => [d.verdict.to_owned(), format!("{:.3}", d.seconds), d.runs.to_string()],
        None => [const { String::new() }; 3],
    };
    let row = |r: &Row| {
        let mut cells = vec![
            r.name.clone(),
            r.size.map_or_else(String::new, |s| s.to_string()),
            r.verdict.to_owned(),
            format!("{:.3}", r.seconds),
            r.queries.to_string(),
            r.unfolded.to_string(),
        ];
        cells.extend(dse(r.dse.map(|d| d[0])));
        cells.extend(dse(r.dse.map(|d| d[1])));
        cells
    };
    csv::write(std::iter::once(head).chain(rows.iter().map(row)))
}

/// How the time grows in each family.
pub fn plot(rows: &[Row]) -> Plot {
    let mut series: Vec<Series> = Vec::new();
    for row in rows {
        let Some(size) = row.size else { continue };
        let at_least = row.verdict == "unknown";
        let point = Point { x: f64::from(size), y: row.seconds, at_least };
        match series.iter_mut().find(|s| s.name == row.name) {
            Some(known) => known.points.push(point),
            None => series.push(Series { name: row.name.clone(), points: vec![point] }),
        }
    }
    let (title, x, y) = ("Reaching a place".to_owned(), "size".to_owned(), "seconds".to_owned());
    Plot { title, x, y, log: true, log_x: false, series }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_stands_beside_the_numbers_of_the_paper() {
        let row = |name: &str, size| Row {
            name: name.to_owned(),
            size,
            verdict: "reached",
            seconds: 0.5,
            queries: 3,
            unfolded: 8,
            dse: None,
        };
        let rows = [row("HWM", None), row("string", Some(50))];
        let text = table(&rows);
        assert!(
            text.lines().nth(1).is_some_and(|l| l.contains("time-out") && l.ends_with("4.660")),
            "{text}"
        );
        assert_eq!(as_csv(&rows).lines().nth(2), Some("string,50,reached,0.500,3,8,,,,,,"));
        assert_eq!(plot(&rows).series.len(), 1);
    }
}
