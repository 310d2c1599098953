//! The tables of the experiment: for people, and for programs.

use std::time::Duration;

use footpath_concolic::Bound;
use footpath_verify::Guide;

use super::{Experiment, Measured, Row};

/// The names of the configurations, as in the paper.
pub(super) const NAMES: [&str; 5] = ["UV", "PV", "MAY", "MUST", "MAY×MUST"];
/// The baseline.
const PV: usize = 1;
/// The smallest suite of the paper.
const MAY: usize = 2;
/// The winner of the paper.
const BOTH: usize = 4;

fn percent(new: f64, old: f64) -> String {
    if old == 0.0 { "–".to_owned() } else { format!("{:+.1} %", 100.0 * (new - old) / old) }
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

/// What verification said of a function's checks, those of what it calls included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Some are verified under assumptions only: the paper's partially verified ones.
    Partial,
    /// None is, and some are not verified.
    Open,
    /// All are verified.
    Verified,
    /// There are none.
    Unchecked,
}

impl Row {
    fn kind(&self) -> Kind {
        match self {
            Row { checks: 0, .. } => Kind::Unchecked,
            Row { under, .. } if *under > 0 => Kind::Partial,
            Row { checks, verified, .. } if checks == verified => Kind::Verified,
            _ => Kind::Open,
        }
    }

    /// Whether all configurations covered as many unverified executions.
    fn is_even(&self) -> bool {
        let first = self.measured[0].tests.unverified;
        self.measured.iter().all(|m| m.tests.unverified == first)
    }

    /// Whether the baseline or the winner explores it within the bounds on runs and time. Where neither does, the bounds say
    /// how many tests there are.
    fn ends(&self) -> bool {
        let ends = |m: &Measured| [Bound::Runs, Bound::Time].iter().all(|b| m.bounds.count(*b) == 0);
        ends(&self.measured[PV]) || ends(&self.measured[BOTH])
    }

    /// By how much, in per cent, a configuration makes more tests than PV; none where PV makes none.
    pub(super) fn change(&self, number: usize) -> Option<f64> {
        let (new, old) = (self.measured[number].tests.all() as f64, self.measured[PV].tests.all() as f64);
        (old > 0.0).then(|| 100.0 * (new - old) / old)
    }
}

/// The comparisons on some of the functions.
struct Tables<'a> {
    rows: Vec<&'a Row>,
}

impl Tables<'_> {
    /// A sum over the functions in a configuration.
    fn sum(&self, number: usize, of: impl Fn(&Measured) -> f64) -> f64 {
        self.sum_if(|_| true, number, of)
    }

    /// The same over those for which something holds.
    fn sum_if(&self, holds: fn(&Row) -> bool, number: usize, of: impl Fn(&Measured) -> f64) -> f64 {
        self.rows.iter().filter(|r| holds(r)).map(|r| of(&r.measured[number])).sum()
    }

    fn text(&self) -> String {
        let mut text = "Tests by class (Figure 5)\n\n".to_owned();
        self.classes(&mut text);
        text.push_str("\nChange in tests, aborted ones included, against PV, by function (Figure 6)\n\n");
        self.changes(&mut text);
        text.push_str("\nUnverified executions covered, against PV\n\n");
        self.unverified(&mut text);
        let even = self.rows.iter().filter(|r| r.is_even()).count();
        text.push_str(&format!(
            "\nWork on the {even} functions with as many of them in all configurations (Figure 7)\n\n"
        ));
        self.work(&mut text);
        text.push_str("\nBounds reached (Figure 8)\n\n");
        self.bounds(&mut text);
        text
    }

    fn classes(&self, text: &mut String) {
        text.push_str(
            "configuration   failing  successful  redundant  aborted       all   kept  interrupted\n",
        );
        for (i, name) in NAMES.iter().enumerate() {
            let of = |f: fn(&Measured) -> u64| self.sum(i, |m| f(m) as f64);
            text.push_str(&format!(
                "{:13} {:>9} {:>11} {:>10} {:>8} {:>9} {:>6} {:>12}\n",
                name,
                of(|m| m.tests.failing),
                of(|m| m.tests.successful),
                of(|m| m.tests.redundant),
                of(|m| m.tests.aborted),
                of(|m| m.tests.all()),
                of(|m| m.tests.kept),
                of(|m| m.interrupted),
            ));
        }
    }

    fn changes(&self, text: &mut String) {
        text.push_str("configuration     fewer      same      more\n");
        for (i, name) in NAMES.iter().enumerate().skip(2) {
            let changes: Vec<f64> = self.rows.iter().filter_map(|r| r.change(i)).collect();
            let count = |f: fn(f64) -> bool| changes.iter().filter(|c| f(**c)).count();
            text.push_str(&format!(
                "{:13} {:>9} {:>9} {:>9}\n",
                name,
                count(|c| c < 0.0),
                count(|c| c == 0.0),
                count(|c| c > 0.0)
            ));
        }
    }

    fn unverified(&self, text: &mut String) {
        for (i, name) in NAMES.iter().enumerate() {
            let of = |n| self.sum(n, |m| m.tests.unverified as f64);
            let failing = |n| self.sum(n, |m| m.tests.failures as f64);
            text.push_str(&format!(
                "{:13} {:>9} {:>10}; failing {:>9} {:>10}\n",
                name,
                of(i),
                percent(of(i), of(PV)),
                failing(i),
                percent(failing(i), failing(PV))
            ));
        }
    }

    fn work(&self, text: &mut String) {
        text.push_str(
            "configuration        time             in the solver         questions              statements\n",
        );
        for (i, name) in NAMES.iter().enumerate() {
            let column = |of: fn(&Measured) -> f64| {
                (self.sum_if(Row::is_even, i, of), self.sum_if(Row::is_even, PV, of))
            };
            let (time, solver) = (column(|m| seconds(m.time)), column(|m| seconds(m.solver)));
            let (queries, steps) = (column(|m| m.queries as f64), column(|m| m.steps as f64));
            text.push_str(&format!(
                "{:13} {:>7.2} s {:>9} {:>7.2} s {:>9} {:>8} {:>9} {:>12} {:>9}\n",
                name,
                time.0,
                percent(time.0, time.1),
                solver.0,
                percent(solver.0, solver.1),
                queries.0,
                percent(queries.0, queries.1),
                steps.0,
                percent(steps.0, steps.1),
            ));
        }
    }

    fn bounds(&self, text: &mut String) {
        let hit: Vec<Bound> = Bound::ALL
            .into_iter()
            .filter(|b| self.rows.iter().any(|r| r.measured.iter().any(|m| m.bounds.count(*b) > 0)))
            .collect();
        text.push_str("configuration");
        hit.iter().for_each(|b| text.push_str(&format!(" {:>10}", b.name())));
        text.push('\n');
        for (i, name) in NAMES.iter().enumerate() {
            text.push_str(&format!("{name:13}"));
            for b in &hit {
                let count = self.rows.iter().filter(|r| r.measured[i].bounds.count(*b) > 0).count();
                text.push_str(&format!(" {count:>10}"));
            }
            text.push('\n');
        }
        text.push_str("(functions whose exploration reached the bound)\n");
    }

    /// What MAY and MAY×MUST change against PV.
    fn figures(&self) -> [String; FIGURES.len()] {
        let by = |how, f: fn(&Measured) -> f64| percent(self.sum(how, f), self.sum(PV, f));
        let of = |f| by(BOTH, f);
        let among = |holds: fn(&Row) -> bool, f: fn(&Measured) -> f64| {
            percent(self.sum_if(holds, BOTH, f), self.sum_if(holds, PV, f))
        };
        let even = |f: fn(&Measured) -> f64| among(Row::is_even, f);
        [
            by(MAY, |m| m.tests.all() as f64),
            by(MAY, |m| m.tests.kept as f64),
            of(|m| m.tests.all() as f64),
            of(|m| m.tests.kept as f64),
            among(Row::ends, |m| m.tests.all() as f64),
            among(Row::ends, |m| m.tests.kept as f64),
            of(|m| m.tests.unverified as f64),
            even(|m| seconds(m.time)),
            even(|m| seconds(m.solver)),
            even(|m| m.queries as f64),
            even(|m| m.steps as f64),
        ]
    }
}

/// What is compared, and the paper's figures. It says "up to 19.2 % fewer tests", and that MAY×MUST has the second smallest
/// suite: the smallest is that of MAY.
const FIGURES: [(&str, &str); 11] = [
    ("MAY: tests, one for each path", "-19.2 %"),
    ("MAY: tests that cover a new branch", "-19.2 %"),
    ("MAY×MUST: tests, one for each path", "–"),
    ("MAY×MUST: tests that cover a new branch", "–"),
    ("tests, where one of both ends", "–"),
    ("the same that cover a new branch", "–"),
    ("unverified executions covered", "+7.1 %"),
    ("time on functions with equal coverage", "-52.4 %"),
    ("time in the solver on them", "–"),
    ("questions to the solver on them", "–"),
    ("statements executed on them", "–"),
];

impl Experiment {
    fn count(&self, kind: Kind) -> usize {
        self.rows.iter().filter(|r| r.kind() == kind).count()
    }

    /// The functions with partially verified checks; all if there are none.
    fn partial(&self) -> Tables<'_> {
        let rows: Vec<&Row> = self.rows.iter().filter(|r| r.kind() == Kind::Partial).collect();
        if rows.is_empty() { self.all() } else { Tables { rows } }
    }

    fn all(&self) -> Tables<'_> {
        Tables { rows: self.rows.iter().collect() }
    }

    /// The five comparisons of the paper, and its headline figures beside ours.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} functions: {} with checks that are verified under assumptions only, {} others with checks that are not \
             verified, {} with all checks verified, {} without checks\n\n",
            self.rows.len(),
            self.count(Kind::Partial),
            self.count(Kind::Open),
            self.count(Kind::Verified),
            self.count(Kind::Unchecked),
        );
        if self.count(Kind::Partial) > 0 {
            text.push_str("The tables are about the first kind.\n\n");
        }
        text.push_str(&self.partial().text());
        text.push_str("\nMAY and MAY×MUST against PV\n\n");
        text.push_str(&format!("{:40} {:>10} {:>10} {:>10}\n", "", "partly", "all", "the paper"));
        for [what, partly, all, paper] in self.figures() {
            text.push_str(&format!("{what:40} {partly:>10} {all:>10} {paper:>10}\n"));
        }
        text
    }

    /// What is compared: on functions with partially verified checks, on all, and in the paper.
    pub(super) fn figures(&self) -> Vec<[String; 4]> {
        let none = self.count(Kind::Partial) == 0;
        let partly = if none { FIGURES.map(|_| "–".to_owned()) } else { self.partial().figures() };
        let ours = partly.into_iter().zip(self.all().figures());
        let row = |((what, paper), (partly, all)): (&(&str, &str), (String, String))| {
            [(*what).to_owned(), partly, all, (*paper).to_owned()]
        };
        FIGURES.iter().zip(ours).map(row).collect()
    }

    /// One row for each function and configuration.
    pub(super) fn csv(&self) -> String {
        let mut head: Vec<String> = [
            "function",
            "checks",
            "verified",
            "under",
            "configuration",
            "failing",
            "successful",
            "redundant",
            "aborted",
            "unverified",
            "failures",
            "kept",
            "interrupted",
            "queries",
            "solver seconds",
            "statements",
            "seconds",
            "exhausted",
        ]
        .map(str::to_owned)
        .to_vec();
        head.extend(Bound::ALL.iter().map(|b| b.name().to_owned()));
        let mut rows = vec![head];
        for row in &self.rows {
            for (m, guide) in row.measured.iter().zip(Guide::ALL) {
                let mut line = vec![row.name.clone()];
                line.extend([row.checks, row.verified, row.under].map(|n| n.to_string()));
                line.push(guide.name().to_owned());
                let t = &m.tests;
                let counts =
                    [t.failing, t.successful, t.redundant, t.aborted, t.unverified, t.failures, t.kept];
                line.extend(counts.into_iter().chain([m.interrupted, m.queries]).map(|n| n.to_string()));
                line.push(format!("{:.3}", seconds(m.solver)));
                line.push(m.steps.to_string());
                line.push(format!("{:.2}", seconds(m.time)));
                line.push(m.exhausted.to_string());
                line.extend(m.bounds.iter().map(|(_, n)| n.to_string()));
                rows.push(line);
            }
        }
        crate::csv::write(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tests;
    use super::*;

    fn measured(failing: u64, redundant: u64, aborted: u64, millis: u64) -> Measured {
        Measured {
            tests: Tests {
                failing,
                successful: 1,
                redundant,
                aborted,
                unverified: failing + 1,
                failures: failing,
                kept: 1 + failing + aborted,
            },
            interrupted: 0,
            bounds: footpath_concolic::Hits::default(),
            queries: 1,
            solver: Duration::from_millis(millis),
            steps: 10 * millis,
            time: Duration::from_millis(millis),
            exhausted: true,
        }
    }

    fn row(name: &str, under: usize, measured: Vec<Measured>) -> Row {
        Row { name: name.to_owned(), checks: 3, verified: 1, under, measured }
    }

    #[test]
    fn figures_compare_the_winner_with_the_baseline() {
        let m = measured;
        let mut experiment = Experiment {
            rows: vec![
                // As many tests that are not redundant in all.
                row(
                    "f",
                    1,
                    vec![m(1, 8, 0, 200), m(1, 8, 0, 200), m(1, 0, 3, 90), m(1, 8, 0, 200), m(1, 0, 3, 50)],
                ),
                row(
                    "g",
                    0,
                    vec![m(1, 0, 0, 10), m(1, 0, 0, 10), m(1, 0, 0, 10), m(3, 0, 0, 900), m(3, 0, 0, 900)],
                ),
            ],
            problems: Vec::new(),
            refuted: Vec::new(),
        };
        // Of g nobody knows how many tests there are.
        experiment.rows[1].measured.iter_mut().for_each(|m| m.bounds.hit(Bound::Runs));
        let figures = experiment.figures();
        let column = |n: usize| figures.iter().map(|f| f[n].as_str()).take(8).collect::<Vec<_>>();
        // On f, which has partially verified checks, 10 tests of PV, 5 of the winner; 2 of them not redundant; 0.2 s and
        // 0.05 s. MAY makes 5 there, too, and 2 on g. On both 10 + 2 tests, 5 + 4 of the winner; 2 + 2 and 2 + 4 of them not redundant; f alone is even.
        assert_eq!(
            column(1),
            ["-50.0 %", "+150.0 %", "-50.0 %", "+150.0 %", "-50.0 %", "+150.0 %", "+0.0 %", "-75.0 %"]
        );
        assert_eq!(
            column(2),
            ["-41.7 %", "+75.0 %", "-25.0 %", "+125.0 %", "-50.0 %", "+150.0 %", "+50.0 %", "-75.0 %"]
        );
        assert_eq!((experiment.count(Kind::Partial), experiment.count(Kind::Open)), (1, 1));
        assert_eq!(experiment.rows[0].change(2), Some(-50.0));
        let rows = crate::csv::read(&experiment.csv()).expect("a table");
        assert_eq!((rows.len(), rows[1][4].as_str(), rows[5][8].as_str()), (11, "none", "3"));
        assert!(experiment.text().contains("-52.4 %"), "{}", experiment.text());
    }
}
