//! The tables of the experiment: for people, and for programs.

use std::time::Duration;

use footpath_engine::concolic::Bound;
use footpath_verify::Guide;

use super::{Experiment, Measured, Row};

/// The names of the configurations, as in the paper.
pub(super) const NAMES: [&str; 5] = ["UV", "PV", "MAY", "MUST", "MAY×MUST"];
/// The baseline.
const PV: usize = 1;
/// The winner of the paper.
const BOTH: usize = 4;

/// Sums over functions.
fn sum<'a>(rows: impl Iterator<Item = &'a Row>, number: usize, of: impl Fn(&Measured) -> f64) -> f64 {
    rows.map(|r| of(&r.measured[number])).sum()
}

fn percent(new: f64, old: f64) -> String {
    if old == 0.0 { "–".to_owned() } else { format!("{:+.1} %", 100.0 * (new - old) / old) }
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

impl Row {
    /// Whether all configurations covered as many unverified executions.
    fn is_even(&self) -> bool {
        let first = self.measured[0].tests.unverified;
        self.measured.iter().all(|m| m.tests.unverified == first)
    }

    /// By how much, in per cent, a configuration makes more tests than PV; none where PV makes none.
    pub(super) fn change(&self, number: usize) -> Option<f64> {
        let (new, old) = (self.measured[number].tests.all() as f64, self.measured[PV].tests.all() as f64);
        (old > 0.0).then(|| 100.0 * (new - old) / old)
    }
}

impl Experiment {
    /// The five comparisons of the paper, and its headline figures beside ours.
    pub fn text(&self) -> String {
        let mut text = format!("{} functions\n\nTests by class (Figure 5)\n\n", self.rows.len());
        self.classes(&mut text);
        text.push_str("\nChange in tests, aborted ones included, against PV, by function (Figure 6)\n\n");
        self.changes(&mut text);
        text.push_str("\nUnverified executions covered, against PV\n\n");
        self.unverified(&mut text);
        let even = self.rows.iter().filter(|r| r.is_even()).count();
        text.push_str(&format!(
            "\nTime on the {even} functions with as many of them in all configurations (Figure 7)\n\n"
        ));
        self.times(&mut text);
        text.push_str("\nBounds reached (Figure 8)\n\n");
        self.bounds(&mut text);
        text.push_str("\nMAY×MUST against PV\n\n");
        self.headline(&mut text);
        text
    }

    fn classes(&self, text: &mut String) {
        text.push_str("configuration   failing  successful  redundant  aborted       all  interrupted\n");
        for (i, name) in NAMES.iter().enumerate() {
            let of = |f: fn(&Measured) -> u64| sum(self.rows.iter(), i, |m| f(m) as f64);
            text.push_str(&format!(
                "{:13} {:>9} {:>11} {:>10} {:>8} {:>9} {:>12}\n",
                name,
                of(|m| m.tests.failing),
                of(|m| m.tests.successful),
                of(|m| m.tests.redundant),
                of(|m| m.tests.aborted),
                of(|m| m.tests.all()),
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
            let of = |n| sum(self.rows.iter(), n, |m| m.tests.unverified as f64);
            let failing = |n| sum(self.rows.iter(), n, |m| m.tests.failures as f64);
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

    fn times(&self, text: &mut String) {
        for (i, name) in NAMES.iter().enumerate() {
            let of = |n| sum(self.rows.iter().filter(|r| r.is_even()), n, |m| seconds(m.time));
            text.push_str(&format!("{:13} {:>9.2} s {:>10}\n", name, of(i), percent(of(i), of(PV))));
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

    /// Our figures and the paper's.
    pub(super) fn figures(&self) -> [(&'static str, String, &'static str); 3] {
        let all = |n| sum(self.rows.iter(), n, |m| m.tests.all() as f64);
        let new = |n| sum(self.rows.iter(), n, |m| m.tests.unverified as f64);
        let time = |n| sum(self.rows.iter().filter(|r| r.is_even()), n, |m| seconds(m.time));
        [
            ("tests", percent(all(BOTH), all(PV)), "-19.2 %"),
            ("unverified executions covered", percent(new(BOTH), new(PV)), "+7.1 %"),
            ("time on functions with equal coverage", percent(time(BOTH), time(PV)), "-52.4 %"),
        ]
    }

    fn headline(&self, text: &mut String) {
        text.push_str(&format!("{:40} {:>10} {:>10}\n", "", "here", "the paper"));
        for (what, here, paper) in self.figures() {
            text.push_str(&format!("{what:40} {here:>10} {paper:>10}\n"));
        }
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
            "interrupted",
            "queries",
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
                let counts = [t.failing, t.successful, t.redundant, t.aborted, t.unverified, t.failures];
                line.extend(counts.into_iter().chain([m.interrupted, m.queries]).map(|n| n.to_string()));
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
            },
            interrupted: 0,
            bounds: footpath_engine::concolic::Hits::default(),
            queries: 1,
            time: Duration::from_millis(millis),
            exhausted: true,
        }
    }

    fn row(name: &str, measured: Vec<Measured>) -> Row {
        Row { name: name.to_owned(), checks: 3, verified: 1, under: 1, measured }
    }

    #[test]
    fn figures_compare_the_winner_with_the_baseline() {
        let m = measured;
        let experiment = Experiment {
            rows: vec![
                // As many tests that are not redundant in all.
                row(
                    "f",
                    vec![m(1, 8, 0, 200), m(1, 8, 0, 200), m(1, 0, 3, 90), m(1, 8, 0, 200), m(1, 0, 3, 50)],
                ),
                row(
                    "g",
                    vec![m(1, 0, 0, 10), m(1, 0, 0, 10), m(1, 0, 0, 10), m(3, 0, 0, 900), m(3, 0, 0, 900)],
                ),
            ],
            problems: Vec::new(),
        };
        let figures = experiment.figures();
        // 10 + 2 tests of PV, 5 + 4 of the winner; 2 + 2 and 2 + 4 of them not redundant; 0.2 s and 0.05 s on f.
        assert_eq!(figures.map(|f| f.1), ["-25.0 %", "+50.0 %", "-75.0 %"]);
        assert_eq!(experiment.rows[0].change(2), Some(-50.0));
        let rows = crate::csv::read(&experiment.csv()).expect("a table");
        assert_eq!((rows.len(), rows[1][4].as_str(), rows[5][8].as_str()), (11, "none", "3"));
        assert!(experiment.text().contains("-52.4 %"), "{}", experiment.text());
    }
}
