//! Random C programs with call graphs of all shapes: what is said of a function through summaries of its callees is what
//! is said with all calls inlined. Callees read and write memory through pointers, variables and arrays of the file.
//!
//! `FOOTPATH_PROGRAMS` sets how many are tried, `FOOTPATH_SEED` the first one. It needs a clang.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use footpath_cover::{Callees, CoverOptions, ProcedureCover, Verdict, cover_with};
use footpath_driver::{LoweredFiles, Options, lower};
use footpath_ir::{ProcId, Program};
use footpath_summaries::{Covers, Digests, Mode, Summaries};
use footpath_transform::Bounds;

struct Writer {
    rng: Rng,
    text: String,
    current: u32,
}

impl Writer {
    fn program(seed: u64) -> String {
        let mut w = Writer { rng: Rng::with_seed(seed), text: String::new(), current: 0 };
        w.text.push_str("int g;\nstatic unsigned char t[4];\nstruct pair { int x; short y; } s;\n");
        for i in 0..w.rng.u32(3..=5) {
            w.current = i;
            let kind = if w.rng.bool() { "static " } else { "" };
            let _ = writeln!(w.text, "{kind}int f{i}(int a, int *p)\n{{\n  int r = 0, l = a;");
            for _ in 0..w.rng.u32(2..=3) {
                w.statement(2);
            }
            w.text.push_str("  return r;\n}\n");
        }
        // Whatever is static is used.
        let calls: Vec<String> = (0..=w.current).map(|i| format!("f{i}(a, p)")).collect();
        let _ = writeln!(w.text, "int all(int a, int *p) {{ return {}; }}", calls.join(" ^ "));
        w.text
    }

    fn of(&mut self, among: &[&str]) -> String {
        among[self.rng.usize(..among.len())].to_owned()
    }

    fn value(&mut self) -> String {
        let place = self.of(&["a", "r", "l", "g", "s.x", "s.y", "t[1]", "t[a & 3]"]);
        match self.rng.u8(..4) {
            0 => self.rng.u8(..5).to_string(),
            1 => format!("({place} & 7)"),
            2 => format!("({place} ^ {})", self.rng.u8(1..9)),
            _ => place,
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        let how = self.of(&["==", "<", "!=", ">"]);
        format!("{a} {how} {b}")
    }

    fn statement(&mut self, depth: u32) {
        let (condition, value) = (self.condition(), self.value());
        let line = match self.rng.u8(..13) {
            0..=2 if depth > 0 => {
                let _ = writeln!(self.text, "  if ({condition}) {{");
                self.statement(depth - 1);
                if self.rng.bool() {
                    self.text.push_str("  } else {\n");
                    self.statement(depth - 1);
                }
                "}".to_owned()
            }
            3 if depth > 0 => {
                self.text.push_str("  for (int i = 0; i < 2; i++) {\n");
                self.statement(0);
                "}".to_owned()
            }
            4..=8 if self.current > 0 => {
                let callee = self.rng.u32(..self.current);
                let pointer = self.of(&["p", "&l", "&g", "&s.x", "0"]);
                format!("r = f{callee}({value}, {pointer});")
            }
            9 => format!("if (p) *p = {value};"),
            10 => format!("t[{value} & 3] = {condition};"),
            11 => format!("r = {value} % (a & 3);"),
            _ => {
                let place = self.of(&["r", "l", "g", "s.x", "s.y"]);
                format!("{place} = {value};")
            }
        };
        let _ = writeln!(self.text, "  {line}");
    }
}

const BOUNDS: Bounds = Bounds { unwind: 3, recursion: 1, max_blocks: 4000 };

fn covers(program: &Program, procedures: &[ProcId], mode: Option<Mode>) -> Vec<ProcedureCover> {
    let stop = AtomicBool::new(false);
    let options = CoverOptions {
        unwind: BOUNDS.unwind,
        recursion: BOUNDS.recursion,
        max_blocks: BOUNDS.max_blocks,
        random_runs: 0,
        explain: false,
        jobs: 1,
        timeout: Some(std::time::Duration::from_secs(60)),
        ..CoverOptions::default()
    };
    let wanted = footpath_summaries::Options { bounds: BOUNDS, ..footpath_summaries::Options::default() };
    let summaries = mode.map(|mode| Summaries::new(program, mode, wanted, &stop).expect("a solver"));
    let callees = summaries.as_ref().map(|s| s as &dyn Callees);
    cover_with(program, procedures, &options, callees, &stop, &|_| ()).expect("covers")
}

/// Whether one of two verdicts denies what the other says.
fn clash(a: &Verdict, b: &Verdict) -> bool {
    *a == Verdict::Covered && b.is_infeasible() || *b == Verdict::Covered && a.is_infeasible()
}

#[test]
fn verdicts_about_c_functions_are_those_of_inlining() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let first = number("FOOTPATH_SEED").unwrap_or(0);
    let folder = std::env::temp_dir().join(format!("footpath-conductor-{}-summaries", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (mut decided, mut same, mut summarised) = (0, 0, 0);
    for seed in first..first + number("FOOTPATH_PROGRAMS").unwrap_or(3) {
        let text = Writer::program(seed);
        let file = folder.join("random.c");
        std::fs::write(&file, &text).expect("written");
        let options = Options { files: vec![file], out: folder.clone(), ..Options::default() };
        let read = lower(&options).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let inlined = covers(&read.lowered.program, &read.wanted, None);
        for mode in [Mode::Symbolic, Mode::Concrete] {
            let found = covers(&read.lowered.program, &read.wanted, Some(mode));
            for (a, b) in inlined.iter().zip(&found) {
                summarised += usize::from(b.statistics.summaries.is_some());
                for (a, b) in a.objectives.iter().zip(&b.objectives) {
                    assert_eq!(a.origin, b.origin);
                    let (x, y) = (&a.verdict, &b.verdict);
                    assert!(
                        !clash(x, y),
                        "seed {seed}, {mode:?}: {} is {x:?} inlined and {y:?} through summaries\n{text}",
                        a.name
                    );
                    if !matches!(x, Verdict::Unknown(_)) {
                        decided += 1;
                        same += usize::from(!matches!(y, Verdict::Unknown(_)));
                    }
                }
            }
        }
    }
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(summarised > 0, "no callee was summarised");
    // What is decided by summaries may depend on the time there is.
    assert!(10 * same >= 9 * decided, "{same} of {decided} verdicts are decided through summaries");
}

/// A program of two files with a variable `x` each.
fn two_files(folder: &Path, a: &str, b: &str) -> LoweredFiles {
    let files = [("a.c", a), ("b.c", b)].map(|(name, text)| {
        let shared = "static int x;\nint g(void);\n";
        std::fs::write(folder.join(name), format!("{shared}{text}")).expect("written");
        folder.join(name)
    });
    let options = Options { files: files.to_vec(), out: folder.to_owned(), ..Options::default() };
    lower(&options).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn variables_of_two_files_with_one_name_are_told_apart_in_a_store() {
    let folder = std::env::temp_dir().join(format!("footpath-conductor-{}-files", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let f = "int f(int n) { x = n; if (g() != n) return 1; return 0; }\n";
    let (a, b) =
        ("int a(int n) { return x = n; }\n", "int b(int n) { return x = n; }\nint g(void) { return x; }\n");
    let apart = two_files(&folder, &format!("{a}{f}"), b);
    let together = two_files(&folder, a, &format!("{b}{f}"));
    let cover_of = |read: &LoweredFiles| {
        let f = read.lowered.program.procedure_named("f").expect("it is there");
        (f, covers(&read.lowered.program, &[f], None).remove(0))
    };
    let ((apart_f, first), (together_f, second)) = (cover_of(&apart), cover_of(&together));
    let infeasible = |c: &ProcedureCover| c.objectives.iter().any(|o| o.verdict.is_infeasible());
    assert!(!infeasible(&first) && infeasible(&second), "{:?}\n{:?}", first.objectives, second.objectives);
    let [of_together, of_apart] =
        [&together, &apart].map(|read| Arc::new(Digests::of(&read.lowered.program)));
    let store = |read| Covers::new(folder.join("kept"), read, &CoverOptions::default(), "", false);
    store(&of_together).keep(&second);
    assert!(store(&of_together).recall(together_f).is_some());
    assert!(store(&of_apart).recall(apart_f).is_none());
    std::fs::remove_dir_all(&folder).expect("removed");
}
