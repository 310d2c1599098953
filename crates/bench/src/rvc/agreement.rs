//! Do all algorithms say the same?

use super::configurations::Configuration;
use super::experiment::{Decision, Run};

/// What the runs on one program contradict each other in, in words. Unknown contradicts nothing.
pub fn disagreements(runs: &[(&Configuration, &Run)]) -> Vec<String> {
    let mut found = Vec::new();
    let Some((first_name, first)) = runs.first().map(|(c, r)| (c.name, r)) else { return found };
    for (c, run) in &runs[1..] {
        let same = run.objectives.len() == first.objectives.len()
            && run.objectives.iter().zip(&first.objectives).all(|(a, b)| a.0 == b.0);
        if !same {
            found.push(format!("{first_name} and {} list different objectives", c.name));
        }
    }
    if !found.is_empty() {
        return found;
    }
    for (i, (objective, _)) in first.objectives.iter().enumerate() {
        let says = |wanted: Decision| {
            runs.iter().filter(|(_, r)| r.objectives[i].1 == wanted).map(|(c, _)| c.name).collect::<Vec<_>>()
        };
        let (covered, infeasible) = (says(Decision::Covered), says(Decision::Infeasible));
        if !covered.is_empty() && !infeasible.is_empty() {
            found.push(format!(
                "{objective} is covered by {} and infeasible for {}",
                covered.join(", "),
                infeasible.join(", ")
            ));
        }
    }
    let paths: Vec<(&str, usize)> = runs.iter().filter_map(|(c, r)| Some((c.name, r.paths?))).collect();
    if paths.windows(2).any(|w| w[0].1 != w[1].1) {
        let each: Vec<String> = paths.iter().map(|(name, n)| format!("{name} finds {n}")).collect();
        found.push(format!("the numbers of paths differ: {}", each.join(", ")));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::configurations::CONFIGURATIONS;
    use super::*;

    fn run(decisions: &[Decision], paths: Option<usize>) -> Run {
        Run {
            objectives: decisions.iter().enumerate().map(|(i, &d)| (format!("b{i}"), d)).collect(),
            queries: 0,
            solver: Duration::ZERO,
            total: Duration::ZERO,
            found: None,
            kept: 0,
            paths,
            cut_short: None,
        }
    }

    fn check(runs: &[Run], expected: &[&str]) {
        let named: Vec<_> = CONFIGURATIONS.iter().zip(runs).collect();
        assert_eq!(disagreements(&named), expected);
    }

    #[test]
    fn unknown_contradicts_nothing() {
        use Decision::{Covered, Infeasible, Unknown};
        check(&[], &[]);
        check(&[run(&[Covered, Infeasible], Some(3)), run(&[Unknown, Infeasible], None)], &[]);
    }

    #[test]
    fn contradictions_name_who_says_what() {
        use Decision::{Covered, Infeasible};
        check(
            &[run(&[Covered], Some(3)), run(&[Covered], Some(3)), run(&[Infeasible], Some(2))],
            &[
                "b0 is covered by path-paper, path-merged and infeasible for path-dfs",
                "the numbers of paths differ: path-paper finds 3, path-merged finds 3, path-dfs finds 2",
            ],
        );
        check(
            &[run(&[Covered], None), run(&[], None)],
            &["path-paper and path-merged list different objectives"],
        );
    }
}
