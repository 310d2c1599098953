//! Curves of speed-up for clusters of up to 10 000 workers, which are simulated.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use footpath_bench::scale::{Cluster, Cut, Function, Outcome, Schedule, bottleneck, heavy_tailed, simulate};
use footpath_bench::svg::{Plot, Point, Series};
use footpath_report::suite::read;

use crate::Outcome as TaskOutcome;

const USAGE: &str = "\
usage: cargo xtask scale [--seed N] [--write] [REPORT…]

Replays what functions cost for 8 to 10 000 workers, some of which fail or are slow, and prints how many times as fast they are as one process,
and what bounds that. The costs are those of JSON reports of `footpath test`, or of 2 500 and 50 000 functions with heavy-tailed costs. --write
writes the plot of these into docs/book/scale.svg. The same seed gives the same numbers.
";
const WORKERS: [usize; 8] = [8, 32, 128, 512, 1000, 2000, 5000, 10_000];

/// The schedules that are compared. The last one is that of the Python package.
const SCHEDULES: [(&str, Schedule); 4] = [
    ("in order", Schedule { cut: Cut::Fixed(4), dearest_first: false, backups: false }),
    ("dearest first", Schedule { cut: Cut::Fixed(4), dearest_first: true, backups: false }),
    ("fewer units", Schedule { cut: Cut::Adaptive, dearest_first: true, backups: false }),
    ("backups", Schedule { cut: Cut::Adaptive, dearest_first: true, backups: true }),
];

/// Simulates, and prints or writes what came out.
pub fn run(root: &Path, args: &[&str]) -> TaskOutcome {
    let (mut seed, mut writes, mut reports) = (0, false, Vec::new());
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match *arg {
            "--help" | "-h" => {
                print!("{USAGE}");
                return Ok(true);
            }
            "--seed" => {
                let number = rest.next().and_then(|number| number.parse().ok());
                seed = number.ok_or("--seed needs a number")?;
            }
            "--write" => writes = true,
            flag if flag.starts_with('-') => return Err(USAGE.to_owned()),
            report => reports.push(report),
        }
    }
    let traces = match reports.as_slice() {
        [] => vec![
            ("2500 functions".to_owned(), heavy_tailed(2500, seed)),
            ("50 000 functions".to_owned(), heavy_tailed(50_000, seed)),
        ],
        paths => {
            paths.iter().map(|path| Ok(((*path).to_owned(), trace(path)?))).collect::<Result<_, String>>()?
        }
    };
    let mut series = Vec::new();
    for (name, functions) in &traces {
        println!("{}", table(name, functions, seed, &mut series));
    }
    if writes {
        let plot = Plot {
            title: "Speed-up against one process".to_owned(),
            x: "workers".to_owned(),
            y: "times as fast".to_owned(),
            log: true,
            log_x: true,
            series,
        };
        let path = root.join("docs/book/scale.svg");
        std::fs::write(&path, plot.render()).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("{}: written", path.display());
    }
    Ok(true)
}

/// What the functions of a report cost.
fn trace(path: &str) -> Result<Vec<Function>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let costs = read::costs(&text).map_err(|why| format!("{path}: {}", why.why))?;
    if costs.is_empty() {
        return Err(format!("{path}: no function was analysed"));
    }
    Ok(costs.into_iter().map(|((file, _), cost)| Function { file, seconds: cost.as_secs_f64() }).collect())
}

/// The table of a trace in Markdown; its curves are added to `series`.
fn table(name: &str, functions: &[Function], seed: u64, series: &mut Vec<Series>) -> String {
    let total: f64 = functions.iter().map(|f| f.seconds).sum();
    let most = functions.iter().map(|f| f.seconds).fold(0.0, f64::max);
    let mut text = format!("{name}: {total:.0} s in all, {most:.1} s for the dearest one\n\n| workers |");
    for (schedule, _) in SCHEDULES {
        let _ = write!(text, " {schedule} |");
    }
    text.push_str(" bottleneck, dearest first | with backups | units lost |\n| ---: | ---: | ---: | ---: | ---: | --- | --- | ---: |\n");
    let mut curves: BTreeMap<usize, Vec<Point>> = BTreeMap::new();
    for workers in WORKERS {
        let cluster = Cluster::default();
        let play = |(_, schedule)| simulate(functions, &cluster, workers, schedule, seed);
        let outcomes: Vec<Outcome> = SCHEDULES.into_iter().map(play).collect();
        let _ = write!(text, "| {workers} |");
        for (i, outcome) in outcomes.iter().enumerate() {
            let _ = write!(text, " {:.1} |", outcome.speed_up);
            let point = Point { x: workers as f64, y: outcome.speed_up, at_least: false };
            curves.entry(i).or_default().push(point);
        }
        for (_, schedule) in [SCHEDULES[1], SCHEDULES[3]] {
            let what = bottleneck(functions, &cluster, workers, schedule, seed);
            let _ = write!(text, " {} |", what.name());
        }
        let _ = writeln!(text, " {} |", outcomes[outcomes.len() - 1].lost);
    }
    let kept = [1, 3].into_iter().filter_map(|i| curves.remove(&i).map(|points| (SCHEDULES[i].0, points)));
    series.extend(kept.map(|(schedule, points)| Series { name: format!("{name}: {schedule}"), points }));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_is_said() {
        let root = Path::new("/no/such/folder");
        assert!(run(root, &["--fast"]).unwrap_err().starts_with("usage"));
        assert!(run(root, &["--seed", "x"]).is_err());
        assert!(run(root, &["/no/such/report.json"]).unwrap_err().starts_with("/no/such/report.json: "));
    }

    #[test]
    fn a_table_has_a_row_for_each_number_of_workers_and_the_same_seed_the_same() {
        let (functions, mut series) = (heavy_tailed(300, 5), Vec::new());
        let text = table("some", &functions, 5, &mut series);
        assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), WORKERS.len() + 2);
        assert_eq!((series.len(), series[0].points.len()), (2, WORKERS.len()));
        assert_eq!(text, table("some", &functions, 5, &mut Vec::new()));
    }
}
