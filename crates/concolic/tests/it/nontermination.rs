//! Runs that repeat themselves, against all runs there are: words are of three bits, so that every run ends within a number of
//! steps that is known, or never.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use super::common::{read, seeds};
use footpath_concolic::{Bound, Bounds, Exploration, GoalScope, Keep, Options, Strategy, explore};
use footpath_ir::interp::{Interpreter, Limits, Outcome, Replay, Script};
use footpath_ir::{BlockId, ProcId, Program};
use footpath_term::Value;

/// Random programs that often do not end: loops over few words, a memory that leads from one word to another, an unbounded
/// number that some loops count in, callees, and values from nowhere.
struct Writer {
    random: fastrand::Rng,
    text: String,
}

const HEAD: &str = r#"
function {:bvbuiltin "bvadd"} add(bv3, bv3): bv3;
function {:bvbuiltin "bvxor"} xor(bv3, bv3): bv3;
function {:bvbuiltin "bvult"} ult(bv3, bv3): bool;
var T: [bv3]bv3;
procedure Follow(a: bv3) returns (r: bv3) { var u: bv3; if (ult(a, 6bv3)) { r := T[a]; } else { r := a; } }
procedure P(a: bv3, b: bv3) returns (r: bv3) modifies T; {
  var x: bv3; var y: bv3; var n: int; var m: [int]bv3;
  x := a; y := 0bv3; n := 0; m := (lambda i: int :: 0bv3);
"#;

impl Writer {
    fn program(seed: u64) -> String {
        let mut writer = Writer { random: fastrand::Rng::with_seed(seed), text: HEAD.to_owned() };
        let known = writer.random.u8(0..8);
        for i in 0..8 {
            let value = if i == known { "b".to_owned() } else { writer.literal() };
            let _ = writeln!(writer.text, "  T[{i}bv3] := {value};");
        }
        for _ in 0..writer.random.u32(2..4) {
            writer.statement(2);
        }
        writer.text.push_str("  r := x;\n}\n");
        writer.text
    }

    fn literal(&mut self) -> String {
        format!("{}bv3", self.random.u8(0..8))
    }

    fn variable(&mut self) -> &'static str {
        ["x", "y"][self.random.usize(0..2)]
    }

    fn word(&mut self) -> String {
        match self.random.u8(0..7) {
            0 => self.literal(),
            1 => "a".to_owned(),
            2 => "b".to_owned(),
            3 => format!("T[{}]", self.variable()),
            4 => format!("add({}, {})", self.variable(), self.literal()),
            5 => format!("xor({}, {})", self.variable(), self.literal()),
            _ => self.variable().to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.u8(0..4) {
            0 => format!("{} == {}", self.word(), self.literal()),
            1 => format!("ult({}, {})", self.word(), self.word()),
            _ => format!("{} != {}", self.word(), self.word()),
        }
    }

    fn statement(&mut self, depth: u32) {
        let kind = self.random.u8(0..if depth > 0 { 12 } else { 7 });
        let line = match kind {
            0 | 1 => format!("{} := {};", self.variable(), self.word()),
            2 => format!("T[{}] := {};", self.literal(), self.word()),
            3 => format!("call {} := Follow({});", self.variable(), self.variable()),
            4 if self.random.u8(0..6) == 0 => format!("havoc {};", self.variable()),
            4 if self.random.u8(0..4) == 0 => "n := n + 1;".to_owned(),
            4 => format!("m[{}] := {};", self.random.u8(0..2), self.word()),
            5 => format!("assert {};", self.condition()),
            6 => format!("{} := m[{}];", self.variable(), self.random.u8(0..2)),
            7 | 8 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "  if ({condition}) {{");
                self.statement(depth - 1);
                self.text.push_str("  } else {\n");
                self.statement(depth - 1);
                "}".to_owned()
            }
            _ => {
                let condition = self.condition();
                let _ = writeln!(self.text, "  while ({condition}) {{");
                for _ in 0..self.random.u32(1..3) {
                    self.statement(depth - 1);
                }
                "}".to_owned()
            }
        };
        let _ = writeln!(self.text, "  {line}");
    }
}

/// A way and its end.
type Path = (Vec<(ProcId, BlockId)>, String);

fn walk(program: &Program, root: ProcId, script: &Script) -> Option<Path> {
    let limits = Limits { steps: 4_000, ..Limits::default() };
    let run = Interpreter::new(program).run(root, 0, &mut Replay::new(script), &limits);
    let blocks = run.path.iter().map(|s| (s.procedure, s.block)).collect();
    match run.outcome {
        Outcome::OutOfSteps => None,
        end => Some((blocks, format!("{end:?}"))),
    }
}

/// All is looked for, within so many steps of a run and so many runs.
fn options(seed: u64, steps: u64, runs: u64) -> Options {
    Options {
        strategy: Strategy::ALL[seed as usize % Strategy::ALL.len()],
        seed,
        bounds: Bounds { steps, runs, branches: 15, query: None, time: None, ..Bounds::default() },
        goals_in: GoalScope::All,
        stop_when_covered: false,
        ..Options::default()
    }
}

fn run(program: &Program, root: ProcId, options: &Options) -> Exploration {
    explore(program, root, 0, options, &AtomicBool::new(false), &|_| ()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_path_is_known_where_all_others_repeat_themselves() {
    let (mut known, mut open, mut unlike) = (0, 0, 0);
    for seed in seeds(120) {
        let text = Writer::program(seed);
        let program = read(&text);
        let root = program.procedure_named("P").expect("the program has P");
        let wanted = Options {
            random_runs: if seed % 2 == 0 { 0 } else { 10 },
            keep: Keep::All,
            repeats: Some(1 << (seed % 7)),
            snapshots: (seed % 3 > 0).then_some(seed % 40 + 1),
            ..options(seed, 2_000, 200)
        };
        let found = run(&program, root, &wanted);
        let paths: BTreeSet<Option<Path>> =
            found.tests.iter().map(|t| walk(&program, root, &t.script)).collect();
        assert!(!paths.contains(&None), "seed {seed}: a test has no end\n{text}");
        let symbols: Vec<_> = program[root].bodies[0].params.iter().map(|p| p.symbol).collect();
        let mut truth = BTreeSet::new();
        for input in 0..64u32 {
            let mut script = Script::default();
            for (i, &symbol) in symbols.iter().enumerate() {
                script.entries.insert((0, symbol), Value::bit_vec(3, &(input >> (3 * i) & 7).into()));
            }
            truth.insert(walk(&program, root, &script));
        }
        let endless = truth.remove(&None);
        let is_from_nowhere = text.contains("havoc");
        if found.exhausted {
            let all_known = truth.iter().all(|path| paths.contains(path));
            assert!(all_known, "seed {seed}: {} of {} paths\n{text}", paths.len(), truth.len());
            assert!(is_from_nowhere || paths == truth, "seed {seed}: more paths than there are\n{text}");
            assert!(!endless || found.statistics.classes.endless > 0, "seed {seed}: no run repeats\n{text}");
            known += u64::from(endless);
        } else {
            // Paths may be as many as a number has values.
            assert!(endless || is_from_nowhere, "seed {seed}: something is open\n{text}");
            open += 1;
        }
        unlike += found.bounds_hit.count(Bound::Steps);
    }
    assert!(
        known > 25 && open < known && unlike > 0,
        "{known} known, {open} open, {unlike} runs not followed"
    );
}

#[test]
fn kept_states_change_nothing_about_runs_that_repeat_themselves() {
    let mut repeated = 0;
    for seed in seeds(80) {
        let text = Writer::program(seed);
        let program = read(&text);
        let root = program.procedure_named("P").expect("the program has P");
        let wanted = Options {
            random_runs: 5,
            endless: true,
            repeats: Some(1 << (seed % 9)),
            snapshots: None,
            ..options(seed, 1_500, 30)
        };
        let plain = run(&program, root, &wanted);
        let kept = run(&program, root, &Options { snapshots: Some(seed % 30 + 1), ..wanted.clone() });
        let essence = |found: &Exploration| {
            let tests =
                found.tests.iter().map(|t| (t.script.clone(), t.outcome.clone(), t.steps, t.covers.clone()));
            // How long runs without symbolic values are that repeat themselves depends on where they begin.
            let s = &found.statistics;
            (tests.collect::<Vec<_>>(), found.exhausted, found.bounds_hit.clone(), s.runs, s.paths, s.classes)
        };
        assert_eq!(essence(&plain), essence(&kept), "seed {seed}\n{text}");
        repeated += plain.statistics.classes.endless;
    }
    assert!(repeated > 50, "{repeated}");
}
