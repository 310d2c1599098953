//! Table 1 and the other tables, as text, Markdown and CSV.
//!
//! One list of columns and rows serves all three, so that they cannot differ.

use std::time::Duration;

use super::experiment::{Decision, Experiment, Run};
use super::summary::{Total, totals};
use crate::csv;

/// A table: a header and rows of as many cells.
struct Table {
    header: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

/// Table 1 of the paper, its own figures beside ours if the programs are as many and as large.
fn costs(experiment: &Experiment) -> Table {
    let totals = totals(experiment);
    let mut header = vec!["algorithm", "queries", "solver s", "total s"];
    let beside = experiment.plan.is_the_papers();
    if beside {
        header.extend(["paper: queries", "paper: s"]);
    }
    let rows = totals
        .iter()
        .map(|(c, t)| {
            let mut row =
                vec![c.title.to_owned(), t.queries.to_string(), seconds(t.solver), seconds(t.total)];
            if beside {
                let paper =
                    |of: fn(&super::PaperRow) -> String| c.paper.as_ref().map_or_else(String::new, of);
                row.push(paper(|p| p.queries.to_string()));
                row.push(paper(|p| format!("{:.2}", p.seconds)));
            }
            row
        })
        .collect();
    Table { header, rows }
}

/// What was decided, and by how many tests.
fn results(experiment: &Experiment) -> Table {
    let header = vec![
        "algorithm",
        "covered",
        "infeasible",
        "unknown",
        "not done",
        "tests found",
        "tests kept",
        "kept/optimum",
    ];
    let rows = totals(experiment)
        .iter()
        .map(|(c, t)| {
            let reduced = !c.is_path_cover();
            vec![
                c.title.to_owned(),
                t.covered.to_string(),
                t.infeasible.to_string(),
                t.unknown.to_string(),
                t.incomplete.to_string(),
                number(t.found),
                if reduced { t.kept.to_string() } else { String::new() },
                t.ratio().filter(|_| reduced).map_or_else(String::new, |r| format!("{r:.3}")),
            ]
        })
        .collect();
    Table { header, rows }
}

/// Programs that some algorithm did not finish: how far each algorithm came.
fn unfinished(experiment: &Experiment) -> Table {
    let mut rows = Vec::new();
    for program in &experiment.programs {
        for (c, run) in experiment.plan.algorithms.iter().zip(&program.runs) {
            let Some(run) = run.as_ref() else { continue };
            let Some(why) = &run.cut_short else { continue };
            rows.push(vec![
                program.sample.diamonds.to_string(),
                program.sample.seed.to_string(),
                c.name.to_owned(),
                format!("{} of {}", run.decided(), run.objectives.len()),
                run.kept.to_string(),
                why.clone(),
            ]);
        }
    }
    Table { header: vec!["diamonds", "seed", "algorithm", "decided", "tests", "because"], rows }
}

/// The experiment for a terminal.
pub fn text(experiment: &Experiment) -> String {
    sections(experiment, Table::text)
}

/// The experiment as a page.
pub(super) fn markdown(experiment: &Experiment) -> String {
    format!("# Covers of random programs\n\n{}", sections(experiment, Table::markdown))
}

fn sections(experiment: &Experiment, write: fn(&Table) -> String) -> String {
    let mut out =
        format!("{}\n\n{}\n{}", heading(experiment), write(&costs(experiment)), write(&results(experiment)));
    let known = experiment.programs.iter().filter_map(|p| p.optimum).filter(|o| o.is_exact());
    let (count, sum) = known.fold((0usize, 0usize), |(n, sum), o| (n + 1, sum + o.at_least));
    if count > 0 {
        out.push_str(&format!(
            "\nThe smallest covers are known for {count} of {} programs and have {sum} tests in all.\n",
            experiment.programs.len()
        ));
    }
    let unfinished = unfinished(experiment);
    if !unfinished.rows.is_empty() {
        out.push_str(&format!("\nNot done:\n\n{}", write(&unfinished)));
    }
    out.push('\n');
    if experiment.problems.is_empty() {
        out.push_str("All algorithms agree.\n");
    } else {
        out.push_str("The algorithms do not agree, or failed:\n\n");
        for problem in &experiment.problems {
            out.push_str(&format!("- {problem}\n"));
        }
    }
    out
}

/// What was measured, so that it can be measured again.
fn heading(experiment: &Experiment) -> String {
    let plan = &experiment.plan;
    let (from, to) = (plan.diamonds.start(), plan.diamonds.end());
    let sizes = if from == to { format!("{from} diamonds") } else { format!("{from} to {to} diamonds") };
    let stopped = if experiment.stopped { "; stopped early" } else { "" };
    let count = experiment.programs.len();
    let programs = if count == 1 { "program" } else { "programs" };
    let seconds = |limit: Option<Duration>| {
        limit.map_or_else(|| "none".to_owned(), |t| format!("{} s", t.as_secs_f64()))
    };
    let mut limit = seconds(plan.timeout);
    if let Some(published) = plan.algorithms.iter().find(|a| a.is_published()).map(|a| plan.timeout_of(a))
        && published != plan.timeout
    {
        limit = format!("{limit}, of the published ones {}", seconds(published));
    }
    format!(
        "{count} {programs} with {sizes}, {} of each size, from seed {}.\n\
         Time limit for each program and algorithm: {limit}; programs at once: {}, threads for each: {}{stopped}.",
        plan.per_size,
        plan.seed,
        plan.jobs.max(1),
        plan.threads
    )
}

/// Table 1 and the results as one CSV table, under the algorithms' names.
pub(super) fn csv(experiment: &Experiment) -> String {
    let header = [
        "algorithm",
        "programs",
        "queries",
        "solver_seconds",
        "total_seconds",
        "paper_queries",
        "paper_seconds",
        "objectives",
        "covered",
        "infeasible",
        "unknown",
        "not_done",
        "tests_found",
        "tests_kept",
        "tests_kept_where_optimum_known",
        "optimum",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (c, t) in totals(experiment) {
        let Total { programs, incomplete, objectives, covered, infeasible, unknown, queries, .. } = t;
        rows.push(vec![
            c.name.to_owned(),
            programs.to_string(),
            queries.to_string(),
            exact(t.solver),
            exact(t.total),
            c.paper.map_or_else(String::new, |p| p.queries.to_string()),
            c.paper.map_or_else(String::new, |p| p.seconds.to_string()),
            objectives.to_string(),
            covered.to_string(),
            infeasible.to_string(),
            unknown.to_string(),
            incomplete.to_string(),
            number(t.found),
            t.kept.to_string(),
            t.kept_where_known.to_string(),
            t.optimum.to_string(),
        ]);
    }
    csv::write(rows)
}

/// Every run on every program.
pub(super) fn runs(experiment: &Experiment) -> String {
    let header = [
        "diamonds",
        "seed",
        "algorithm",
        "objectives",
        "covered",
        "infeasible",
        "unknown",
        "done",
        "queries",
        "solver_seconds",
        "total_seconds",
        "paths",
        "tests_found",
        "tests_kept",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for program in &experiment.programs {
        for (c, run) in experiment.plan.algorithms.iter().zip(&program.runs) {
            let Some(run) = run else { continue };
            let count = |d| Run::count(run, d).to_string();
            rows.push(vec![
                program.sample.diamonds.to_string(),
                program.sample.seed.to_string(),
                c.name.to_owned(),
                run.objectives.len().to_string(),
                count(Decision::Covered),
                count(Decision::Infeasible),
                count(Decision::Unknown),
                run.is_complete().to_string(),
                run.queries.to_string(),
                exact(run.solver),
                exact(run.total),
                number(run.paths),
                number(run.found),
                run.kept.to_string(),
            ]);
        }
    }
    csv::write(rows)
}

/// The sizes of test sets beside the optimum, a row for each program.
pub(super) fn tests(experiment: &Experiment) -> String {
    let statement: Vec<(usize, &str)> = experiment
        .plan
        .algorithms
        .iter()
        .enumerate()
        .filter(|(_, c)| !c.is_path_cover())
        .map(|(i, c)| (i, c.name))
        .collect();
    let mut header = vec!["diamonds", "seed", "optimum_at_least", "optimum_at_most"];
    header.extend(statement.iter().map(|(_, name)| *name));
    let mut rows = vec![header.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for program in &experiment.programs {
        let bound =
            |of: fn(super::Optimum) -> usize| program.optimum.map_or_else(String::new, |o| of(o).to_string());
        let mut row = vec![
            program.sample.diamonds.to_string(),
            program.sample.seed.to_string(),
            bound(|o| o.at_least),
            bound(|o| o.at_most),
        ];
        row.extend(
            statement
                .iter()
                .map(|&(i, _)| program.runs[i].as_ref().map_or_else(String::new, |r| r.kept.to_string())),
        );
        rows.push(row);
    }
    csv::write(rows)
}

/// A number, or nothing where it is not known.
fn number(n: Option<usize>) -> String {
    n.map_or_else(String::new, |n| n.to_string())
}

fn exact(d: Duration) -> String {
    format!("{:.6}", d.as_secs_f64())
}

fn seconds(d: Duration) -> String {
    format!("{:.2}", d.as_secs_f64())
}

impl Table {
    /// Whether a column holds numbers, which stand to the right.
    fn is_number(&self, column: usize) -> bool {
        self.rows.iter().all(|r| r[column].is_empty() || r[column].parse::<f64>().is_ok())
    }

    fn text(&self) -> String {
        let all = || {
            std::iter::once(self.header.iter().map(|h| (*h).to_owned()).collect()).chain(self.rows.clone())
        };
        let widths: Vec<usize> = (0..self.header.len())
            .map(|c| all().map(|r: Vec<String>| r[c].chars().count()).max().unwrap_or(0))
            .collect();
        let mut out = String::new();
        for row in all() {
            let cells: Vec<String> = row
                .iter()
                .enumerate()
                .map(|(c, cell)| {
                    let w = widths[c];
                    if self.is_number(c) { format!("{cell:>w$}") } else { format!("{cell:<w$}") }
                })
                .collect();
            out.push_str(cells.join("  ").trim_end());
            out.push('\n');
        }
        out
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = line(self.header.iter().map(|h| (*h).to_owned()).collect());
        let rule = |c| if self.is_number(c) { "---:" } else { "---" }.to_owned();
        out.push_str(&line((0..self.header.len()).map(rule).collect()));
        for row in &self.rows {
            out.push_str(&line(row.iter().map(|cell| cell.replace('|', "\\|")).collect()));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        Table { header: vec!["who", "n"], rows: vec![row("a", "1"), row("bc", ""), row("c|d", "100")] }
    }

    #[test]
    fn numbers_stand_to_the_right() {
        assert_eq!(table().text(), "who    n\na      1\nbc\nc|d  100\n");
        assert_eq!(
            table().markdown(),
            "| who | n |\n| --- | ---: |\n| a | 1 |\n| bc |  |\n| c\\|d | 100 |\n"
        );
    }
}
