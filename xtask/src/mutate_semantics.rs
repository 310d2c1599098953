//! Mutation testing of our own semantics: one rule of the lowering, the interpreter or the analyser is broken at a time, and
//! the tests should notice.
//!
//! **Idea.** A wrong verdict needs a wrong rule, such as an unsigned comparison where C has a signed one. So rules are made wrong on
//! purpose (`operators.rs`), and the tests run. A mutant that they do not notice is either *equivalent*, or a rule
//! that somebody could break tomorrow.
//!
//! Building the workspace takes minutes, so it is built once for all mutants: a copy of it has both forms of each chosen place, and a
//! variable of the environment says in which place the second one is taken (a *mutant schema*). That
//! variable is unset in a first run of each test, which writes down which places it comes to;
//! so a mutant is run by the tests that reach it and by no other:
//!
//! ```text
//! app(Op::BvSlt, …)      app((if is_mutant(7) { Op::BvUlt } else { Op::BvSlt }), …)      half.c reaches 7
//! ```
//!
//! Tests are the C programs of the corpus, each asked by `footpath test` and `footpath verify --sound`, cheapest first, and behind them
//! those of the crates that rules are in and of some that stand on these. What fails is run once more without the mutant; if it fails then as well, it says nothing.
//!
//! **Papers.** R. Untch, A. J. Offutt, M. J. Harrold (ISSTA 1993), *Mutation analysis using mutant schemata*; R. DeMillo, R. Lipton,
//! F. Sayward (IEEE Computer 1978), *Hints on test data selection*.
//!
//! **Direction of error.** Towards a lower score: equivalent mutants count as survivors, and only some of the tests are run. But a
//! mutant is killed as well by a crash or by a search that takes too long, which no user would take for a verdict.

mod operators;
mod workspace;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::Outcome;
use workspace::{Built, Mutant};

const USAGE: &str = "\
usage: cargo xtask mutate-semantics [OPTION]… [FILE]…

Breaks rules in the Rust files that say what C and LLVM IR mean, and counts which of them the tests notice. Without a
FILE: the lowering, the interpreter and the static analyser.

  --count N      how many mutants (default: 40)
  --seed S       which of all (default: 1)
  --tests N      how many programs of the corpus each mutant is run by, at most (default: 8)
  --corpus PART  only programs of the corpus whose name contains PART
  --jobs N       how many tests run at once (default: as many as there are cores)
  --into DIR     where the copy of the workspace goes (default: target/mutate-semantics)

Needs clang. The first run builds the workspace again.
";

/// The rules: what C and LLVM IR mean, what a run does, what the analyser concludes.
const RULES: &[&str] = &["crates/frontend/src/c/lower", "crates/ir/src/interp", "crates/absint/src"];

/// The crates whose own tests a mutant is run by, if they reach it: those with rules, and what stands on them and is tested
/// within seconds. To these come the crates of other files that are changed.
const CRATES: &[&str] = &["absint", "frontend", "ir", "transform"];

/// Tests of the corpus for one program: `CORPUS` selects it.
const QUESTIONS: [&str; 2] =
    ["corpus::testing_finds_the_truth_about_c", "corpus::verifying_without_assumptions_contradicts_no_truth"];

/// What runs longer than this, and than [`LONGER`] times as long as without a mutant, has noticed: some make a search endless.
const LIMIT: Duration = Duration::from_secs(120);
const LONGER: u32 = 5;

#[derive(Debug, PartialEq, Eq)]
struct Options {
    count: usize,
    seed: u64,
    tests: usize,
    corpus: String,
    jobs: usize,
    into: Option<PathBuf>,
    files: Vec<PathBuf>,
}

/// What a mutant can be run by.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Test {
    /// A program of the corpus.
    Program(String),
    /// The tests of a crate, by its name and a program that holds some of them.
    Own(String, PathBuf),
}

/// What the first run of a test showed.
struct Known {
    test: Test,
    takes: Duration,
    reaches: BTreeSet<usize>,
}

enum Fate {
    Killed(Test),
    Survived(usize),
    /// A test failed that fails without the mutant as well, as on a machine that is too busy; no other noticed.
    Unclear(Test),
    NotReached,
}

/// Breaks rules, and prints how much of it is noticed.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    if args.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        print!("{USAGE}");
        return Ok(true);
    }
    let options = parse(args)?;
    let folder = options.into.clone().unwrap_or_else(|| root.join("target/mutate-semantics"));
    let rules: Vec<PathBuf> = match &options.files[..] {
        [] => RULES.iter().map(PathBuf::from).collect(),
        files => files.to_vec(),
    };
    let (all, mutants) = workspace::write(root, &folder, &rules, options.count, options.seed)?;
    println!("{} of {all} places are changed; building", mutants.len());
    let crates: BTreeSet<&str> =
        CRATES.iter().copied().chain(mutants.iter().map(|mutant| &*mutant.package)).collect();
    let has_tests = |name: &&str| root.join("crates").join(name).join("tests/it/main.rs").exists();
    let built = workspace::build(&folder, &crates.into_iter().filter(has_tests).collect::<Vec<&str>>())?;
    let own = built.own.iter().map(|(package, program)| Test::Own(package.clone(), program.clone()));
    let tests = programs(root, &options.corpus)?.into_iter().map(Test::Program).chain(own);
    let known = first_runs(&built, &folder, &options, &tests.collect::<Vec<Test>>());
    let fates = in_parallel(&mutants, options.jobs, |mutant| {
        let fate = fate(&built, &known, &options, mutant);
        println!("{:>5} {}: {}{}", mutant.number, mutant.place, mutant.change, describe(&fate));
        fate
    });
    let mut counts = BTreeMap::<&str, [usize; 4]>::new();
    for (mutant, fate) in mutants.iter().zip(&fates) {
        let column = match fate {
            Fate::Killed(_) => 0,
            Fate::Survived(_) => 1,
            Fate::NotReached => 2,
            Fate::Unclear(_) => 3,
        };
        counts.entry(&mutant.package).or_default()[column] += 1;
    }
    for (package, [killed, survived, not_reached, unclear]) in counts {
        let percent = 100.0 * killed as f64 / (killed + survived).max(1) as f64;
        println!(
            "{package}: {killed} killed, {survived} survive ({percent:.0} % killed), {not_reached} are not reached, {unclear} are unclear"
        );
    }
    Ok(true)
}

fn describe(fate: &Fate) -> String {
    match fate {
        Fate::Killed(Test::Program(name)) => format!(": killed by {name}"),
        Fate::Killed(Test::Own(package, _)) => format!(": killed by the tests of {package}"),
        Fate::Survived(tests) => format!(": SURVIVES {tests} tests"),
        Fate::Unclear(test) => format!(": unclear, as {test:?} fails without it, too"),
        Fate::NotReached => ": not reached".to_owned(),
    }
}

fn parse(args: &[&str]) -> Result<Options, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (corpus, into, files) = (String::new(), None, Vec::new());
    let mut options = Options { count: 40, seed: 1, tests: 8, corpus, jobs: cores, into, files };
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        let mut value = || args.next().copied().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
        let number = |text: &str| {
            text.parse::<usize>().map_err(|_| format!("{arg} wants a number, not {text}\n\n{USAGE}"))
        };
        match arg {
            "--count" => options.count = number(value()?)?.min(workspace::MOST),
            "--seed" => options.seed = number(value()?)? as u64,
            "--tests" => options.tests = number(value()?)?,
            "--corpus" => options.corpus = value()?.to_owned(),
            "--jobs" => options.jobs = number(value()?)?.max(1),
            "--into" => options.into = Some(value()?.into()),
            _ if arg.starts_with('-') => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
            _ => options.files.push(arg.into()),
        }
    }
    Ok(options)
}

fn programs(root: &Path, part: &str) -> Result<Vec<String>, String> {
    let folder = root.join("tests/corpus/c");
    let listed = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let names = listed.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".c") && name.contains(part)).collect();
    names.sort();
    Ok(names)
}

/// Runs each test without a mutant; those that fail are left out. The cheapest come first.
fn first_runs(built: &Built, folder: &Path, options: &Options, tests: &[Test]) -> Vec<Known> {
    let first = |test: &Test| {
        let reached = folder.join(match test {
            Test::Program(name) => format!("{name}.reached"),
            Test::Own(package, program) => {
                let program = program.file_name().unwrap_or_default().to_string_lossy();
                format!("{package}.{program}.reached")
            }
        });
        let _ = std::fs::remove_file(&reached);
        let started = Instant::now();
        if !passes(built, test, LIMIT * LONGER, |command| {
            _ = command.env("FOOTPATH_MUTANTS_REACHED", &reached);
        }) {
            return None;
        }
        let text = std::fs::read_to_string(&reached).unwrap_or_default();
        let reaches = text.lines().filter_map(|line| line.parse().ok()).collect();
        Some(Known { test: test.clone(), takes: started.elapsed(), reaches })
    };
    let mut known = Vec::new();
    for (test, first) in tests.iter().zip(in_parallel(tests, options.jobs, first)) {
        match first {
            Some(first) => known.push(first),
            None => println!("{test:?} fails without a mutant, and is left out"),
        }
    }
    known.sort_by_key(|known| (matches!(known.test, Test::Own(..)), known.takes));
    known
}

fn fate(built: &Built, known: &[Known], options: &Options, mutant: &Mutant) -> Fate {
    let reaching = || known.iter().filter(|known| known.reaches.contains(&mutant.number));
    let is_program = |known: &&Known| matches!(known.test, Test::Program(_));
    let tests = reaching().filter(is_program).take(options.tests);
    let tests: Vec<&Known> = tests.chain(reaching().filter(|known| !is_program(known))).collect();
    let number = mutant.number.to_string();
    let mut unclear = None;
    for known in &tests {
        let limit = LIMIT.max(known.takes * LONGER);
        if passes(built, &known.test, limit, |command| _ = command.env("FOOTPATH_MUTANT", &number)) {
            continue;
        }
        if passes(built, &known.test, limit, |_| ()) {
            return Fate::Killed(known.test.clone());
        }
        unclear = Some(known.test.clone());
    }
    match unclear {
        Some(test) => Fate::Unclear(test),
        None if tests.is_empty() => Fate::NotReached,
        None => Fate::Survived(tests.len()),
    }
}

/// Whether a test passes within the limit.
fn passes(built: &Built, test: &Test, limit: Duration, set: impl Fn(&mut Command)) -> bool {
    let mut command = match test {
        Test::Program(name) => {
            let mut command = Command::new(&built.corpus);
            command.args(QUESTIONS).arg("--exact").env("CORPUS", name).current_dir(built.folder("testkit"));
            command
        }
        Test::Own(package, program) => {
            let mut command = Command::new(program);
            command.current_dir(built.folder(package));
            command
        }
    };
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    set(&mut command);
    let Ok(mut child) = command.spawn() else { return false };
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if started.elapsed() < limit => std::thread::sleep(Duration::from_millis(20)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

/// What comes of each item, several at a time.
fn in_parallel<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    let result = work(item);
                    results.lock().expect("no worker panics with the lock").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panics with the lock");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_mistakes_are_named() {
        let options = parse(&["--count", "5", "crates/ir/src/interp", "--seed", "9"]).unwrap();
        assert_eq!((options.count, options.seed, options.files.len()), (5, 9, 1));
        assert!(parse(&["--count"]).unwrap_err().starts_with("--count wants a value"));
        assert!(parse(&["--tests", "x"]).unwrap_err().starts_with("--tests wants a number"));
        assert!(parse(&["--x"]).unwrap_err().starts_with("unknown option"));
    }

    #[test]
    fn results_stand_in_the_order_of_items() {
        let items: Vec<u64> = (0..50).collect();
        assert_eq!(in_parallel(&items, 3, |item| item * 2), items.iter().map(|i| i * 2).collect::<Vec<_>>());
    }
}
