//! Footpath beside another tool that looks for tests of C functions: what each covers and excludes, in which time, and
//! where they contradict each other.
//!
//! Tools cut functions into goals in ways of their own, so numbers of goals compare only roughly. Lines of the source are
//! what both speak of. The other tool's claim that nothing reaches a line holds for loops that go round so many times, so
//! a test of ours refutes nothing there; but *a line that it covers and that we call infeasible is an error of one of the
//! two*, and is told with the inputs.
//!
//! **Direction of error.** A line counts as infeasible only if all blocks that stretch over it are, so that a
//! contradiction about a part of a line may be missed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::csv;

/// What a tool says of a goal or of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// A test reaches it.
    Covered,
    /// No input at all does.
    Infeasible,
    /// No input within bounds does.
    Within,
    /// Nothing.
    Open,
}

/// A goal: a block of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Its lines.
    pub lines: BTreeSet<u32>,
    /// What becomes of it.
    pub said: Said,
    /// The inputs of a test that covers it, if they are to be shown.
    pub inputs: Option<String>,
}

impl Goal {
    /// A goal that stretches over lines.
    pub fn over(lines: RangeInclusive<u32>, said: Said) -> Goal {
        Goal { lines: lines.collect(), said, inputs: None }
    }
}

/// What a tool made of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Side {
    /// The goals; none if it came to no end.
    pub goals: Vec<Goal>,
    /// Time in all.
    pub time: Duration,
    /// Why there are no goals.
    pub failure: Option<String>,
}

/// A function and what the two tools made of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The file's name.
    pub file: String,
    /// The function's.
    pub function: String,
    /// Footpath.
    pub ours: Side,
    /// The other tool.
    pub theirs: Side,
}

/// A line that the other tool covers and that no input reaches, as we say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The line.
    pub line: u32,
    /// The inputs that reach it.
    pub inputs: Option<String>,
}

/// How many goals, or lines, of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts {
    all: usize,
    covered: usize,
    infeasible: usize,
    within: usize,
    open: usize,
}

impl Counts {
    fn of(said: impl Iterator<Item = Said>) -> Counts {
        let mut counts = Counts::default();
        for said in said {
            counts.all += 1;
            *match said {
                Said::Covered => &mut counts.covered,
                Said::Infeasible => &mut counts.infeasible,
                Said::Within => &mut counts.within,
                Said::Open => &mut counts.open,
            } += 1;
        }
        counts
    }
}

impl Side {
    fn counts(&self) -> Counts {
        Counts::of(self.goals.iter().map(|g| g.said))
    }

    /// What is said of each line. It is covered if a goal on it is, and excluded if all are.
    fn lines(&self) -> BTreeMap<u32, Said> {
        let mut lines: BTreeMap<u32, Said> = BTreeMap::new();
        for goal in &self.goals {
            for &line in &goal.lines {
                let said = lines.entry(line).or_insert(goal.said);
                *said = match (*said, goal.said) {
                    (Said::Covered, _) | (_, Said::Covered) => Said::Covered,
                    (Said::Open, _) | (_, Said::Open) => Said::Open,
                    (Said::Within, _) | (_, Said::Within) => Said::Within,
                    (Said::Infeasible, Said::Infeasible) => Said::Infeasible,
                };
            }
        }
        lines
    }
}

impl Row {
    /// The lines about which one of the two is wrong.
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let (ours, theirs) = (self.ours.lines(), self.theirs.lines());
        let covered = |line: &u32| theirs.get(line) == Some(&Said::Covered);
        let wrong = ours.iter().filter(|(line, said)| **said == Said::Infeasible && covered(line));
        let inputs = |line: u32| {
            let mut goals = self.theirs.goals.iter().filter(|g| g.lines.contains(&line));
            goals.find_map(|g| g.inputs.clone())
        };
        wrong.map(|(&line, _)| Contradiction { line, inputs: inputs(line) }).collect()
    }

    /// Of the lines that both speak of: how many there are, how many each covers, and how many it covers alone.
    fn shared_lines(&self) -> Lines {
        let (ours, theirs) = (self.ours.lines(), self.theirs.lines());
        let mut lines = Lines::default();
        for (line, ours) in &ours {
            let Some(theirs) = theirs.get(line) else { continue };
            let (ours, theirs) = (*ours == Said::Covered, *theirs == Said::Covered);
            lines.all += 1;
            lines.both += usize::from(ours && theirs);
            lines.only_ours += usize::from(ours && !theirs);
            lines.only_theirs += usize::from(theirs && !ours);
        }
        lines
    }
}

/// Lines that both tools speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Lines {
    all: usize,
    both: usize,
    only_ours: usize,
    only_theirs: usize,
}

/// The table for people: a line for each function, sums, and what is contradictory. `other` is the other tool's name.
pub fn text(rows: &[Row], other: &str) -> String {
    let mut text = format!(
        "{:<34} {:^34}  {:^32}  {:^24}\n{:<34} {:>6} {:>7} {:>6} {:>6} {:>6}  {:>6} {:>7} {:>6} {:>9}  {:>5} {:>5} {:>6} {:>6}\n",
        "",
        "Footpath",
        other,
        "lines of both",
        "function",
        "blocks",
        "covered",
        "infeas",
        "within",
        "s",
        "goals",
        "covered",
        "within",
        "s",
        "all",
        "both",
        "only F",
        "only C"
    );
    for row in rows {
        let name = format!("{}: {}", row.file, row.function);
        line(&mut text, &name, &[row]);
    }
    let all: Vec<&Row> = rows.iter().collect();
    line(&mut text, "total", &all);
    let done: Vec<&Row> = rows.iter().filter(|r| r.theirs.failure.is_none()).collect();
    if done.len() < rows.len() {
        line(&mut text, &format!("total, {other} done"), &done);
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for why in rows.iter().filter_map(|r| r.theirs.failure.as_deref()) {
            *reasons.entry(why).or_default() += 1;
        }
        let reasons: Vec<String> = reasons.iter().map(|(why, n)| format!("{n} × {why}")).collect();
        let _ = writeln!(text, "no answer of {other}: {}", reasons.join(", "));
    }
    for row in rows {
        for wrong in row.contradictions() {
            let _ = writeln!(
                text,
                "contradiction: {}:{} in {}: infeasible for Footpath, and covered by {other} with {}",
                row.file,
                wrong.line,
                row.function,
                wrong.inputs.as_deref().unwrap_or("inputs that it does not say")
            );
        }
    }
    text
}

fn line(text: &mut String, name: &str, rows: &[&Row]) {
    let said =
        |side: fn(&Row) -> &Side| Counts::of(rows.iter().flat_map(|r| side(r).goals.iter()).map(|g| g.said));
    let seconds = |side: fn(&Row) -> &Side| rows.iter().map(|r| side(r).time.as_secs_f64()).sum::<f64>();
    let (ours, theirs) = (said(|r| &r.ours), said(|r| &r.theirs));
    let mut lines = Lines::default();
    for row in rows {
        let of_row = row.shared_lines();
        lines.all += of_row.all;
        lines.both += of_row.both;
        lines.only_ours += of_row.only_ours;
        lines.only_theirs += of_row.only_theirs;
    }
    let mark = if rows.len() == 1 && rows[0].theirs.failure.is_some() { "–" } else { "" };
    let _ = writeln!(
        text,
        "{name:<34} {:>6} {:>7} {:>6} {:>6} {:>6.1}  {:>6} {:>7} {:>6} {mark:>1}{:>8.1}  {:>5} {:>5} {:>6} {:>6}",
        ours.all,
        ours.covered,
        ours.infeasible,
        ours.within,
        seconds(|r| &r.ours),
        theirs.all,
        theirs.covered,
        theirs.within,
        seconds(|r| &r.theirs),
        lines.all,
        lines.both,
        lines.only_ours,
        lines.only_theirs,
    );
}

/// The same for programs.
pub fn as_csv(rows: &[Row]) -> String {
    const HEAD: [&str; 20] = [
        "file",
        "function",
        "blocks",
        "covered",
        "infeasible",
        "infeasible_within",
        "open",
        "seconds",
        "failure",
        "other_goals",
        "other_covered",
        "other_infeasible_within",
        "other_open",
        "other_seconds",
        "other_failure",
        "lines",
        "lines_both",
        "lines_only_footpath",
        "lines_only_other",
        "contradictions",
    ];
    let row = |r: &Row| {
        let (ours, theirs, lines) = (r.ours.counts(), r.theirs.counts(), r.shared_lines());
        let seconds = |side: &Side| format!("{:.3}", side.time.as_secs_f64());
        let failure = |side: &Side| side.failure.clone().unwrap_or_default();
        let contradictions = r.contradictions();
        let wrong: Vec<String> = contradictions.iter().map(|c| c.line.to_string()).collect();
        vec![
            r.file.clone(),
            r.function.clone(),
            ours.all.to_string(),
            ours.covered.to_string(),
            ours.infeasible.to_string(),
            ours.within.to_string(),
            ours.open.to_string(),
            seconds(&r.ours),
            failure(&r.ours),
            theirs.all.to_string(),
            theirs.covered.to_string(),
            theirs.within.to_string(),
            theirs.open.to_string(),
            seconds(&r.theirs),
            failure(&r.theirs),
            lines.all.to_string(),
            lines.both.to_string(),
            lines.only_ours.to_string(),
            lines.only_theirs.to_string(),
            wrong.join(" "),
        ]
    };
    let head = HEAD.map(str::to_owned).to_vec();
    csv::write(std::iter::once(head).chain(rows.iter().map(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: Vec<Goal>, theirs: Vec<Goal>) -> Row {
        let side = |goals| Side { goals, time: Duration::from_millis(1500), failure: None };
        let (file, function) = ("a.c".to_owned(), "f".to_owned());
        Row { file, function, ours: side(ours), theirs: side(theirs) }
    }

    #[test]
    fn a_line_that_they_cover_and_we_exclude_is_a_contradiction() {
        let covered = Goal { inputs: Some("x = 3".to_owned()), ..Goal::over(5..=6, Said::Covered) };
        let found = row(
            vec![Goal::over(4..=5, Said::Covered), Goal::over(5..=6, Said::Infeasible)],
            vec![covered, Goal::over(4..=4, Said::Within)],
        );
        // Line 5 has a block that a test passes.
        let expected = Contradiction { line: 6, inputs: Some("x = 3".to_owned()) };
        assert_eq!(found.contradictions(), [expected]);
        let text = text(std::slice::from_ref(&found), "Other");
        assert!(
            text.contains(
                "contradiction: a.c:6 in f: infeasible for Footpath, and covered by Other with x = 3"
            )
        );
        assert!(as_csv(&[found]).ends_with(",3,1,1,1,6\n"));
    }

    #[test]
    fn what_either_excludes_within_bounds_contradicts_nothing() {
        let found = row(
            vec![
                Goal::over(4..=4, Said::Covered),
                Goal::over(5..=5, Said::Within),
                Goal::over(6..=6, Said::Open),
            ],
            vec![Goal::over(4..=4, Said::Within), Goal::over(5..=6, Said::Covered)],
        );
        assert_eq!(found.contradictions(), []);
        assert_eq!(found.shared_lines(), Lines { all: 3, both: 0, only_ours: 1, only_theirs: 2 });
    }

    #[test]
    fn a_tool_without_an_answer_is_left_out_of_a_second_sum() {
        let done = row(vec![Goal::over(1..=1, Said::Covered)], vec![Goal::over(1..=1, Said::Covered)]);
        let mut undone = row(vec![Goal::over(2..=2, Said::Infeasible)], Vec::new());
        undone.theirs.failure = Some("no answer within 2 s".to_owned());
        let text = text(&[done, undone], "Other");
        assert!(text.contains("total, Other done"), "{text}");
        assert!(text.ends_with("no answer of Other: 1 × no answer within 2 s\n"), "{text}");
    }
}
