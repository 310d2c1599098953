//! Summaries in files: what is found there again, what is not, and what becomes of damaged files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use super::common::{folder, read};
use footpath_cover::{CoverOptions, SummaryCounts, Verdict, cover_with};
use footpath_ir::{ProcId, Program};
use footpath_summaries::{Mode, Options, Place, Pruning, Summaries, Texts, digest};

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
    let options = Options { store: store.map(|store| store.to_owned().into()), ..Options::default() };
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

/// By this variable a process that the test below has started knows what to do: `write` or `look`.
const ROLE: &str = "FOOTPATH_TEST_ROLE";
/// How many results all writers have together.
const RESULTS: usize = 60;

/// A result: a text whose length and content follow from its number.
fn result(number: usize) -> (String, String) {
    (digest(format!("result {number}")), format!("value {number}\n").repeat(1 + number * 40))
}

/// Writes and reads all results in an order of its own, again and again. What it reads has to be what some process wrote.
fn write_and_read(store: &Path) {
    let texts = Texts::new(store.to_owned(), Duration::from_secs(1));
    let mut order: Vec<usize> = (0..RESULTS).collect();
    let mut random = fastrand::Rng::with_seed(u64::from(std::process::id()));
    for _ in 0..3 {
        random.shuffle(&mut order);
        for &number in &order {
            let (key, text) = result(number);
            if let Some(found) = texts.read(&key) {
                assert_eq!(found.text, text, "result {number} is another one");
            }
            texts.write(&key, &text, true);
        }
    }
    assert_eq!(texts.warnings(), Vec::<String>::new());
}

/// Removes half of the store again and again and verifies the rest, until the writers are done.
fn prune_and_verify(store: &Path, done: &Path) {
    let bytes: u64 = (0..RESULTS).map(|number| result(number).1.len() as u64).sum();
    let pruning = Pruning { older_than: None, most_bytes: Some(bytes / 2), spared: Duration::ZERO };
    let place = Place::Folder(store.to_owned());
    let (mut removed, mut verified) = (0, 0);
    while !done.exists() || verified == 0 {
        // What was written in this second counts as old.
        removed += place.prune(SystemTime::now() + Duration::from_secs(2), pruning).unwrap().len();
        for file in place.files().unwrap() {
            let is_sound = place.is_sound(&file.name).unwrap();
            assert_ne!(is_sound, Some(false), "{} is damaged", file.name);
            verified += usize::from(is_sound.is_some());
        }
    }
    assert!(removed > 0);
    // Nothing else is left.
    write_and_read(store);
    let left = place.files().unwrap();
    let is_sound = |name: &str| place.is_sound(name).unwrap();
    assert_eq!((left.len(), fs::read_dir(store).unwrap().count()), (RESULTS, RESULTS));
    assert!(left.iter().all(|file| is_sound(&file.name) == Some(true)));
    fs::write(store.join(&left[0].name), "changed").unwrap();
    assert_eq!(is_sound(&left[0].name), Some(false));
    fs::rename(store.join(&left[1].name), store.join("other.cover")).unwrap();
    assert_eq!((is_sound("other.cover"), is_sound(&left[1].name)), (Some(false), None));
}

/// Each process has the key of the store from the user's state, where the first one makes it.
#[test]
fn fifty_processes_share_a_store_while_it_is_pruned_and_verified() {
    let all = std::env::var_os("FOOTPATH_TEST_FOLDER").map(PathBuf::from);
    let all = all.unwrap_or_else(|| folder("writers"));
    let (store, done) = (all.join("store"), all.join("done"));
    match std::env::var(ROLE).as_deref() {
        Ok("write") => return write_and_read(&store),
        Ok(_) => return prune_and_verify(&store, &done),
        Err(_) => fs::create_dir_all(&store).unwrap(),
    }
    let start = |role: &str| {
        let mut process = Command::new(std::env::current_exe().unwrap());
        process.args(["--exact", "store::fifty_processes_share_a_store_while_it_is_pruned_and_verified"]);
        process.env(ROLE, role).env("FOOTPATH_TEST_FOLDER", &all).env("XDG_STATE_HOME", all.join("state"));
        process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let succeeds = |process: Child| {
        let output = process.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    };
    let looker = start("look");
    let writers: Vec<Child> = (0..50).map(|_| start("write")).collect();
    writers.into_iter().for_each(succeeds);
    fs::write(done, "").unwrap();
    succeeds(looker);
    fs::remove_dir_all(all).unwrap();
}
