//! Explorations whose runs begin with states of earlier ones, against those whose runs all begin at the entry.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use super::common::{read, seeds};
use footpath_concolic::{Bounds, Exploration, GoalScope, Keep, Options, Statistics, Strategy, explore};
use footpath_ir::Program;

const BUILTINS: &str = r#"
function {:bvbuiltin "bvadd"} add(bv8, bv8): bv8;
function {:bvbuiltin "bvxor"} xor(bv8, bv8): bv8;
function {:bvbuiltin "bvand"} and(bv8, bv8): bv8;
function {:bvbuiltin "bvult"} ult(bv8, bv8): bool;
var M: [bv8, bv8]bv8;
var T: [bv8]bv8;
var g: bv8;
"#;

/// Random programs over words and memories: tables and buffers are filled, inputs are read before and after, and decided on
/// in between, in loops, in callees, by choices and assumptions.
struct Writer {
    random: fastrand::Rng,
    text: String,
    labels: u32,
}

impl Writer {
    fn program(seed: u64) -> String {
        let mut writer =
            Writer { random: fastrand::Rng::with_seed(seed), text: BUILTINS.to_owned(), labels: 0 };
        writer.procedure("Leaf", false);
        writer.procedure("P", true);
        writer.text
    }

    fn procedure(&mut self, name: &str, calls: bool) {
        let _ = writeln!(self.text, "procedure {name}(a: bv8, b: bv8) returns (r: bv8) modifies M, T, g; {{");
        let _ = writeln!(self.text, "  var x: bv8; var y: bv8; var i: bv8;");
        if self.random.bool() {
            let condition = self.condition();
            let _ = writeln!(self.text, "  assume {condition};");
        }
        for _ in 0..self.random.u32(4..9) {
            self.statement(calls, 2);
        }
        let result = self.word();
        let _ = writeln!(self.text, "  r := {result};\n}}");
    }

    fn variable(&mut self) -> &'static str {
        ["x", "y", "g", "r"][self.random.usize(0..4)]
    }

    fn literal(&mut self) -> String {
        format!("{}bv8", self.random.u8(0..6))
    }

    fn word(&mut self) -> String {
        match self.random.u8(0..12) {
            0..3 => self.literal(),
            3 | 4 => ["a", "b"][self.random.usize(0..2)].to_owned(),
            5..8 => self.variable().to_owned(),
            8 => format!("T[{}]", self.index()),
            9 => format!("M[{}, {}]", self.literal(), self.index()),
            10 => format!("add({}, {})", self.word(), self.word()),
            _ => format!("xor({}, {})", self.word(), self.literal()),
        }
    }

    /// Mostly a constant.
    fn index(&mut self) -> String {
        if self.random.u8(0..8) == 0 { format!("and({}, 7bv8)", self.word()) } else { self.literal() }
    }

    fn condition(&mut self) -> String {
        match self.random.u8(0..4) {
            0 => format!("{} == {}", self.word(), self.literal()),
            1 => format!("ult({}, {})", self.word(), self.word()),
            2 => format!("ult({}, 3bv8) || {} == {}", self.word(), self.word(), self.literal()),
            _ => format!("{} != {}", self.word(), self.word()),
        }
    }

    fn statement(&mut self, calls: bool, depth: u32) {
        let kind = self.random.u8(0..if depth > 0 { 14 } else { 6 });
        let line = match kind {
            0 | 1 => format!("{} := {};", self.variable(), self.word()),
            2 => format!("T[{}] := {};", self.index(), self.word()),
            3 => format!("M[{}, {}] := {};", self.literal(), self.index(), self.word()),
            4 if self.random.bool() => format!("havoc {};", self.variable()),
            4 => format!("assume {};", self.condition()),
            5 if calls => format!("call {} := Leaf({}, {});", self.variable(), self.word(), self.word()),
            5 => format!("assert {};", self.condition()),
            6 | 7 => {
                // A long stretch without inputs.
                let (rounds, value) = (self.random.u8(3..20), self.word());
                let _ = writeln!(
                    self.text,
                    "  i := 0bv8;\n  while (ult(i, {rounds}bv8)) {{ T[i] := add({value}, i);"
                );
                let _ = writeln!(self.text, "    M[2bv8, i] := xor(i, 5bv8); i := add(i, 1bv8);\n  }}");
                return;
            }
            8 => {
                let label = self.labels;
                self.labels += 1;
                let _ = writeln!(self.text, "  goto L{label}, N{label};\n  L{label}:");
                self.statement(calls, depth - 1);
                let _ = writeln!(self.text, "  N{label}:");
                return;
            }
            // Arms that may be merged.
            9 | 10 => {
                let (condition, variable) = (self.condition(), self.variable());
                format!(
                    "if ({condition}) {{ {variable} := {}; }} else {{ {variable} := {}; }}",
                    self.word(),
                    self.literal()
                )
            }
            _ => {
                let condition = self.condition();
                let _ = writeln!(self.text, "  if ({condition}) {{");
                self.statement(calls, depth - 1);
                let _ = writeln!(self.text, "  }} else {{");
                self.statement(calls, depth - 1);
                let _ = writeln!(self.text, "  }}");
                return;
            }
        };
        let _ = writeln!(self.text, "  {line}");
    }
}

/// All that an exploration found and did, but for how.
fn essence(found: &Exploration) -> impl PartialEq + std::fmt::Debug {
    let goals: Vec<_> =
        found.goals.iter().map(|g| (g.origin, g.visited, g.covered_by, g.returned_by)).collect();
    let of_test = |t: &footpath_concolic::ConcolicTest| {
        (t.script.clone(), t.outcome.clone(), t.covers.clone(), t.decisions, t.steps, t.conditions.clone())
    };
    let tests: Vec<_> = found.tests.iter().map(of_test).collect();
    let Statistics { runs, concrete_runs, paths, classes, diverged, steps, nodes, asked, .. } =
        found.statistics.clone();
    let bounds = found.bounds_hit.clone();
    (
        found.exhausted,
        goals,
        tests,
        bounds,
        (runs, concrete_runs, paths, classes, diverged, steps, nodes, asked),
    )
}

fn run(program: &Program, options: &Options) -> Exploration {
    let root = program.procedure_named("P").expect("the program has P");
    explore(program, root, 0, options, &AtomicBool::new(false), &|_| ()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn runs_that_begin_with_kept_states_find_what_others_find() {
    let (mut resumed, mut saved, mut tests) = (0, 0, 0);
    for seed in seeds(150) {
        let text = Writer::program(seed);
        let program = read(&text);
        let strategy = Strategy::ALL[seed as usize % Strategy::ALL.len()];
        let bounds = Bounds { steps: 1_000, runs: 60, query: None, time: None, ..Bounds::default() };
        let options = Options {
            strategy,
            seed,
            bounds,
            random_runs: if seed % 4 == 0 { 0 } else { 30 },
            goals_in: GoalScope::All,
            keep: if seed % 3 == 0 { Keep::All } else { Keep::New },
            merge: seed % 3 > 0,
            stop_when_covered: false,
            endless: seed % 5 == 0,
            ..Options::default()
        };
        let plain = run(&program, &Options { snapshots: None, ..options.clone() });
        assert_eq!(plain.statistics.snapshot_runs, 0);
        for stretch in [1, 40] {
            let kept = run(&program, &Options { snapshots: Some(stretch), ..options.clone() });
            let (a, b) = (format!("{:#?}", essence(&plain)), format!("{:#?}", essence(&kept)));
            assert!(a == b, "seed {seed}, stretch {stretch}:\n{text}\n{}", difference(&a, &b));
            resumed += kept.statistics.snapshot_runs;
            saved += kept.statistics.snapshot_steps;
            tests += kept.tests.len();
        }
    }
    assert!(
        resumed > 1_000 && saved > 20 * resumed && tests > 500,
        "{resumed} runs, {saved} steps, {tests} tests"
    );
}

/// The first lines that differ.
fn difference(a: &str, b: &str) -> String {
    let differ = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    differ
        .map_or_else(|| "one is longer".to_owned(), |(a, b)| format!("from the entry: {a}\nfrom states: {b}"))
}
