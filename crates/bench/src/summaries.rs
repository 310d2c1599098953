//! What calls cost: families of programs that grow, for inlining against summaries.
//!
//! * `chain`: each procedure calls the next one once. Inlining copies each procedure once.
//! * `dag`: each procedure calls the next one twice. Inlining copies the last one 2ⁿ times.
//! * `fan`: one procedure calls many, and all of those call one.
//! * `wide`: many `dag`s of depth 6 side by side, each with a procedure that is covered; for several at a time.
//!
//! Each procedure has a decision of its own, over an argument that is handed down, so that a procedure at depth n has
//! some 2n paths. The procedure that is covered asks for results that only some paths have, and for one that none has.

use std::fmt::Write as _;

use crate::csv;
use crate::svg::{Plot, Point, Series};

/// A program of a family; its procedures whose names begin with `main` are covered.
#[derive(Clone, Debug)]
pub struct Program {
    /// The family.
    pub family: &'static str,
    /// How deep or wide it is.
    pub size: u32,
    /// As Boogie text.
    pub text: String,
}

/// The families, smallest programs first.
pub fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for size in [2, 4, 8, 12, 16, 24, 32] {
        all.push(Program { family: "chain", size, text: layers(size, 1) });
    }
    for size in [2, 4, 6, 8, 10, 12, 16, 20] {
        all.push(Program { family: "dag", size, text: layers(size, 2) });
    }
    for size in [2, 4, 8, 16, 32] {
        all.push(Program { family: "fan", size, text: fan(size) });
    }
    for size in [2, 4, 8, 16] {
        all.push(Program { family: "wide", size, text: wide(size) });
    }
    all
}

const LEAF: &str = "var g: int;
procedure f0(x: int, y: int) returns (r: int) modifies g;
{
  if (x > 0) { r := x + 1; } else { r := x - 1; }
}
";

const MAIN: &str = "  if (x > 0 && r < x) { never: assert true; }
  if (y > 1 && g == old(g)) { maybe: assert true; }
  if (x > 7 && r > 20) { above: assert true; } else { below: assert true; }
}
";

/// `depth` procedures over the leaf, each of which calls the one below it `calls` times.
fn layers(depth: u32, calls: u32) -> String {
    let mut text = LEAF.to_owned();
    for i in 1..=depth {
        let _ = write!(text, "procedure f{i}(x: int, y: int) returns (r: int) modifies g;\n{{\n  r := x;\n");
        for _ in 0..calls {
            let _ = writeln!(text, "  call r := f{}(r, y);", i - 1);
        }
        let _ = writeln!(text, "  if (y > {i}) {{ g := g + 1; }}\n}}");
    }
    let _ = write!(
        text,
        "procedure main(x: int, y: int) returns (r: int) modifies g;\n{{\n  call r := f{depth}(x, y);\n{MAIN}"
    );
    text
}

/// `width` graphs of calls that have nothing in common.
fn wide(width: u32) -> String {
    let mut text = "var g: int;\n".to_owned();
    let one = layers(6, 2);
    let one = one.strip_prefix("var g: int;\n").unwrap_or(&one);
    for i in 0..width {
        let renamed =
            one.replace("procedure f", &format!("procedure w{i}f")).replace(":= f", &format!(":= w{i}f"));
        text += &renamed.replace("procedure main", &format!("procedure main{i}"));
    }
    text
}

/// `width` procedures over the leaf, which `main` calls one after the other.
fn fan(width: u32) -> String {
    let mut text = LEAF.to_owned();
    let mut main = "procedure main(x: int, y: int) returns (r: int) modifies g;\n{\n  r := x;\n".to_owned();
    for i in 1..=width {
        let _ = writeln!(
            text,
            "procedure w{i}(x: int, y: int) returns (r: int) modifies g;\n{{\n  call r := f0(x, y);\n  \
             if (y > {i}) {{ g := g + 1; }}\n}}"
        );
        let _ = writeln!(main, "  call r := w{i}(r, y);");
    }
    text + &main + MAIN
}

/// What was measured of one program.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its family.
    pub family: String,
    /// Its size.
    pub size: u32,
    /// What stood for calls.
    pub method: &'static str,
    /// Time in all.
    pub seconds: f64,
    /// Questions to the solver, those about callees included.
    pub queries: u64,
    /// Paths of callees that were looked at.
    pub paths: usize,
    /// The names of the verdicts, in the order of the objectives.
    pub verdicts: Vec<&'static str>,
}

impl Row {
    /// Whether every objective has a verdict that says something.
    pub fn is_decided(&self) -> bool {
        self.verdicts.iter().all(|v| !matches!(*v, "unknown" | "unreachable_within_bound"))
    }

    /// Whether two measurements of one program contradict each other.
    pub fn contradicts(&self, other: &Row) -> bool {
        let infeasible = |v: &str| matches!(v, "unreachable" | "doomed");
        let pairs = self.verdicts.iter().zip(&other.verdicts);
        let clash = |a: &str, b: &str| a == "covered" && infeasible(b);
        self.verdicts.len() != other.verdicts.len() || pairs.clone().any(|(a, b)| clash(a, b) || clash(b, a))
    }
}

/// The measurements, one line each.
pub fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<8} {:>5} {:<10} {:>9} {:>10} {:>7} {:>9}\n",
        "family", "size", "calls", "seconds", "questions", "paths", "decided"
    );
    for row in rows {
        let decided = row.verdicts.iter().filter(|v| !matches!(**v, "unknown" | "unreachable_within_bound"));
        let decided = format!("{}/{}", decided.count(), row.verdicts.len());
        let _ = writeln!(
            text,
            "{:<8} {:>5} {:<10} {:>9.3} {:>10} {:>7} {decided:>9}",
            row.family, row.size, row.method, row.seconds, row.queries, row.paths
        );
    }
    text
}

/// The measurements for programs.
pub fn as_csv(rows: &[Row]) -> String {
    let head = ["family", "size", "calls", "seconds", "questions", "paths", "decided"].map(str::to_owned);
    let row = |r: &Row| {
        [
            r.family.clone(),
            r.size.to_string(),
            r.method.to_owned(),
            format!("{:.3}", r.seconds),
            r.queries.to_string(),
            r.paths.to_string(),
            r.is_decided().to_string(),
        ]
    };
    csv::write(std::iter::once(head).chain(rows.iter().map(row)))
}

/// How the time grows in one family, for each method.
pub fn plot(family: &str, rows: &[Row]) -> Plot {
    let mut series: Vec<Series> = Vec::new();
    for row in rows.iter().filter(|r| r.family == family) {
        let point = Point { x: f64::from(row.size), y: row.seconds, at_least: !row.is_decided() };
        match series.iter_mut().find(|s| s.name == row.method) {
            Some(known) => known.points.push(point),
            None => series.push(Series { name: row.method.to_owned(), points: vec![point] }),
        }
    }
    let (title, x, y) = (format!("Calls: {family}"), "size".to_owned(), "seconds".to_owned());
    Plot { title, x, y, log: true, log_x: false, series }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(method: &'static str, verdicts: &[&'static str]) -> Row {
        Row {
            family: "dag".to_owned(),
            size: 4,
            method,
            seconds: 0.25,
            queries: 9,
            paths: 12,
            verdicts: verdicts.to_vec(),
        }
    }

    #[test]
    fn only_opposite_verdicts_contradict() {
        let inline = row("inline", &["covered", "unreachable_within_bound"]);
        let symbolic = row("symbolic", &["covered", "unreachable"]);
        assert!(!inline.contradicts(&symbolic));
        assert!(!inline.is_decided() && symbolic.is_decided());
        assert!(inline.contradicts(&row("concrete", &["doomed", "unreachable"])));
        assert!(table(std::slice::from_ref(&inline)).contains("1/2"));
        assert_eq!(as_csv(&[symbolic]).lines().nth(1), Some("dag,4,symbolic,0.250,9,12,true"));
        assert_eq!(plot("dag", &[inline]).series.len(), 1);
    }

    #[test]
    fn graphs_side_by_side_have_nothing_in_common() {
        let text = wide(3);
        assert_eq!(text.matches("var g").count(), 1);
        assert_eq!(text.matches("procedure main").count(), 3);
        assert_eq!(text.matches("call r := w1f5(").count(), 2);
    }

    #[test]
    fn a_dag_names_each_procedure_below_twice() {
        let text = layers(3, 2);
        assert_eq!(text.matches("call r := f2(").count(), 2);
        assert_eq!(text.matches("procedure ").count(), 5);
    }
}
