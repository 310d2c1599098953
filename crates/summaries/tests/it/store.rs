//! Summaries in files: what is found there again, what is not, and what becomes of damaged files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::common::{folder, read};
use footpath_cover::{CoverOptions, SummaryCounts, Verdict, cover_with};
use footpath_ir::{ProcId, Program};
use footpath_summaries::{Mode, Options, Summaries};

/// `top` calls `left` and `right`, which both call `low`; `low` and `right` have the given constants.
fn diamond(low: u32, right: u32) -> Program {
    read(&format!(
        "var g: int;
procedure low(x: int) returns (r: int) modifies g;
{{ if (x > {low}) {{ r := x + 1; g := g + 1; }} else if (x > 3) {{ r := 0; }} else {{ r := x; }} }}
procedure left(x: int) returns (r: int) modifies g;
{{ call r := low(x); if (r > 7) {{ call r := low(r + 2); }} }}
procedure right(x: int) returns (r: int) modifies g;
{{ call r := low(x + {right}); if (r == x) {{ r := 5; }} }}
procedure top(x: int) returns (r: int) modifies g;
{{
  call r := left(x);
  call r := right(r);
  if (r == 123 && g == 17) {{ deep: assert true; }}
  if (r == r + 1) {{ never: assert true; }}
}}
"
    ))
}

struct Done {
    verdicts: Vec<Verdict>,
    /// Questions asked for summaries.
    queries: u64,
    counts: SummaryCounts,
    warnings: Vec<String>,
}

fn cover_top(program: &Program, store: Option<&Path>) -> Done {
    let stop = AtomicBool::new(false);
    let options = Options { store: store.map(Path::to_owned), ..Options::default() };
    let summaries = Summaries::new(program, Mode::Symbolic, options, &stop).expect("a solver");
    let top: ProcId = program.procedure_named("top").expect("it is there");
    let options = CoverOptions { random_runs: 0, jobs: 1, explain: false, ..CoverOptions::default() };
    let covers = cover_with(program, &[top], &options, Some(&summaries), &stop, &|_| ());
    let cover = covers.expect("a cover").remove(0);
    Done {
        verdicts: cover.objectives.iter().map(|o| o.verdict.clone()).collect(),
        counts: cover.statistics.summaries.expect("callees were summarised"),
        warnings: summaries.finish(),
        queries: summaries.solver_statistics().queries,
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    files
}

#[test]
fn a_second_run_asks_the_solver_nothing_about_callees() {
    let folder = folder("second");
    let program = diamond(10, 4);
    let first = cover_top(&program, Some(&folder));
    assert!(first.queries > 0 && first.warnings.is_empty(), "{:?}", first.warnings);
    assert_eq!((first.counts.computed, first.counts.reused), (3, 0));
    assert_eq!(files(&folder).len(), 3);
    let second = cover_top(&program, Some(&folder));
    assert_eq!(second.queries, 0);
    assert_eq!((second.counts.computed, second.counts.reused), (0, 3));
    assert_eq!(first.verdicts, second.verdicts);
    assert_eq!(cover_top(&program, None).verdicts, second.verdicts);
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_changed_procedure_invalidates_itself_and_what_calls_it() {
    let folder = folder("changed");
    cover_top(&diamond(10, 4), Some(&folder));
    let right_changed = cover_top(&diamond(10, 5), Some(&folder));
    assert_eq!((right_changed.counts.computed, right_changed.counts.reused), (1, 2));
    let low_changed = cover_top(&diamond(11, 4), Some(&folder));
    assert_eq!((low_changed.counts.computed, low_changed.counts.reused), (3, 0));
    let back = cover_top(&diamond(10, 4), Some(&folder));
    assert_eq!((back.counts.computed, back.counts.reused), (0, 3));
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_damaged_file_is_left_aside_with_a_warning() {
    let folder = folder("damaged");
    let program = diamond(10, 4);
    let first = cover_top(&program, Some(&folder));
    for file in files(&folder) {
        let text = fs::read_to_string(&file).expect("there");
        fs::write(&file, text.replacen("explore", "explode", 1)).expect("written");
    }
    let second = cover_top(&program, Some(&folder));
    assert_eq!(first.verdicts, second.verdicts);
    assert_eq!(second.warnings.len(), 3, "{:?}", second.warnings);
    assert_eq!(second.counts.computed, 3);
    // What was written instead is whole.
    assert_eq!(cover_top(&program, Some(&folder)).queries, 0);
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_missing_file_of_a_callee_only_costs_time() {
    let program = diamond(10, 4);
    let folder = folder("missing");
    let first = cover_top(&program, Some(&folder));
    for lost in files(&folder) {
        let text = fs::read_to_string(&lost).expect("there");
        fs::remove_file(&lost).expect("removed");
        assert_eq!(cover_top(&program, Some(&folder)).verdicts, first.verdicts);
        fs::write(&lost, text).expect("written");
    }
    fs::remove_dir_all(&folder).expect("removed");
}
