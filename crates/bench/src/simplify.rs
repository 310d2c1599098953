//! What the simplifier of conditions makes of conditions as paths give them.
//!
//! **Idea.** A short condition is hidden: some disjuncts of comparisons. A decision tree asks for its comparisons one after
//! the other, in an order of its own for each, with others that do not matter in between; the conditions of the paths on
//! which the hidden condition holds are what a segment gives. The simplifier is to find a condition that is no longer than
//! the hidden one. That what it finds is the same is asked of the solver.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007), Section 4,
//! says that all depends on this, and measures nothing.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use footpath_simplify::{Dnf, Effort, Simplifier};
use footpath_smt::{SolverSpec, open};
use footpath_term::{Op, SortId, TermId, Terms};

use crate::csv;
use crate::output::write_atomically;

/// Conditions of each size.
const CONDITIONS: u64 = 10;
/// Comparisons that the decision trees ask for.
const SIZES: [usize; 4] = [3, 4, 5, 6];
/// Questions for a condition at most.
const QUESTIONS: u64 = 20_000;

/// What was measured of all conditions of a size, with an effort.
#[derive(Clone, Debug)]
pub struct Line {
    /// Whether the numbers are machine integers of 32 bits.
    pub machine: bool,
    /// Comparisons that the decision trees ask for.
    pub comparisons: usize,
    /// The effort.
    pub effort: Effort,
    /// Literals of the conditions that were hidden.
    pub hidden: usize,
    /// Literals of the conditions of paths.
    pub before: usize,
    /// Literals of what came out.
    pub after: usize,
    /// Questions to the solver.
    pub questions: u64,
    /// Time.
    pub time: Duration,
}

/// Runs everything; ends early, with what there is, when `stop` is set.
///
/// # Errors
/// If the solver cannot be used, or if a result is not proved to be the same.
pub fn run(seed: u64, stop: &AtomicBool, each: &mut dyn FnMut(&Line)) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for machine in [false, true] {
        for comparisons in SIZES {
            for effort in Effort::ALL {
                if stop.load(Ordering::Relaxed) {
                    return Ok(lines);
                }
                let line = measure(seed, machine, comparisons, effort)?;
                each(&line);
                lines.push(line);
            }
        }
    }
    Ok(lines)
}

fn measure(seed: u64, machine: bool, comparisons: usize, effort: Effort) -> Result<Line, String> {
    let mut line = Line {
        machine,
        comparisons,
        effort,
        hidden: 0,
        before: 0,
        after: 0,
        questions: 0,
        time: Duration::ZERO,
    };
    for number in 0..CONDITIONS {
        let mut terms = Terms::new();
        let mut rng = Rng::with_seed(seed.wrapping_mul(1_000_003) ^ number << 8 ^ comparisons as u64);
        let (hidden, paths) = condition(&mut terms, &mut rng, machine, comparisons);
        let solver = || {
            let spec = SolverSpec::parse("z3").map_err(|e| e.to_string())?;
            open(&spec, &footpath_smt::Options::default()).map_err(|e| e.to_string())
        };
        let mut simplifier = Simplifier::new(solver()?, effort, QUESTIONS);
        let started = Instant::now();
        let found = simplifier.simplify(&mut terms, &paths);
        line.time += started.elapsed();
        line.questions += simplifier.queries;
        line.hidden += hidden.literals();
        line.before += paths.literals();
        line.after += found.literals();
        let (a, b) = (hidden.term(&mut terms), found.term(&mut terms));
        let mut judge = Simplifier::new(solver()?, Effort::None, 2);
        if judge.equivalent(&mut terms, a, b) != Some(true) {
            return Err(format!("condition {number} with {comparisons} comparisons is not the same"));
        }
    }
    Ok(line)
}

/// A hidden condition, and the conditions of the paths on which it holds.
fn condition(terms: &mut Terms, rng: &mut Rng, machine: bool, comparisons: usize) -> (Dnf, Dnf) {
    let sort = if machine { terms.bit_vec_sort(32) } else { SortId::INT };
    let variables: Vec<TermId> = ["x", "y", "z"].map(|name| terms.fresh_var(name, sort)).to_vec();
    let asked: Vec<TermId> = (0..comparisons).map(|_| comparison(terms, rng, machine, &variables)).collect();
    // The last comparison is about something that does not matter.
    let matter = &asked[..comparisons - 1];
    let mut hidden = Dnf::never();
    for _ in 0..rng.usize(1..=2) {
        let mut literals = Vec::new();
        for _ in 0..rng.usize(1..=2) {
            let literal = matter[rng.usize(..matter.len())];
            literals.push(if rng.bool() { literal } else { terms.app(Op::Not, [literal]) });
        }
        hidden.add(terms, &literals);
    }
    let mut paths = Dnf::never();
    for way in 0..1u32 << comparisons {
        let mut order: Vec<usize> = (0..comparisons).collect();
        rng.shuffle(&mut order);
        let holds = |i: usize| way >> i & 1 == 1;
        let path: Vec<TermId> =
            order.iter().map(|&i| if holds(i) { asked[i] } else { terms.app(Op::Not, [asked[i]]) }).collect();
        let is_true = |terms: &mut Terms, l: TermId| path.contains(&l) || terms.as_bool(l) == Some(true);
        let fits = hidden.cubes.clone().iter().any(|cube| cube.iter().all(|&l| is_true(terms, l)));
        if fits {
            paths.add(terms, &path);
        }
    }
    (hidden, paths)
}

fn comparison(terms: &mut Terms, rng: &mut Rng, machine: bool, variables: &[TermId]) -> TermId {
    let a = variables[rng.usize(..variables.len())];
    let constant = rng.i64(-10..=10);
    let b = match rng.u8(..3) {
        0 => variables[rng.usize(..variables.len())],
        _ if machine => terms.bit_vec(32, constant),
        _ => terms.int(constant),
    };
    let op = match (rng.u8(..4), machine) {
        (0, _) => Op::Eq,
        (1, false) => Op::Lt,
        (_, false) => Op::Le,
        (1, true) => Op::BvSlt,
        (_, true) => Op::BvSle,
    };
    terms.app(op, [a, b])
}

/// The lines as a table of Markdown.
pub fn markdown(lines: &[Line]) -> String {
    let mut out =
        String::from("| numbers | comparisons | effort | hidden | before | after | questions | s |\n");
    out.push_str("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n");
    for l in lines {
        let _ = writeln!(out, "| {} |", fields(l).join(" | "));
    }
    out
}

fn fields(l: &Line) -> [String; 8] {
    [
        if l.machine { "32 bits" } else { "integers" }.to_owned(),
        l.comparisons.to_string(),
        l.effort.name().to_owned(),
        l.hidden.to_string(),
        l.before.to_string(),
        l.after.to_string(),
        l.questions.to_string(),
        format!("{:.3}", l.time.as_secs_f64()),
    ]
}

/// Writes the table, as Markdown and CSV, into a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write(lines: &[Line], folder: &Path) -> io::Result<Vec<PathBuf>> {
    let head = ["numbers", "comparisons", "effort", "hidden", "before", "after", "questions", "seconds"];
    let rows = std::iter::once(head.map(str::to_owned)).chain(lines.iter().map(fields));
    let mut written = Vec::new();
    for (name, text) in [("simplify.md", markdown(lines)), ("simplify.csv", csv::write(rows))] {
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
    fn most_conditions_become_no_longer_than_what_was_hidden() {
        let line = measure(1, false, 4, Effort::Prime).expect("all are the same");
        assert!(line.after * 4 <= line.before, "{line:?}");
        assert!(line.after <= line.hidden + 2, "{line:?}");
    }
}
