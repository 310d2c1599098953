//! Compares our Boogie front end with Boogie itself, on programs that nobody here wrote.
//!
//! The only question is whether a program is well-formed: Boogie runs without verification, ours as
//! `footpath check`. Every disagreement is somebody's mistake, so any makes the task fail. Agreement on a
//! file with an error says little about the errors after the first; `--mutants` therefore also breaks
//! well-formed files in one place each, which yields as many questions as one has time for, and `--reprint`
//! adds the forms in which Boogie prints programs.
//!
//! Besides, each program that both accept must read back as it is printed (`round_trip.rs`).

mod agreement;
mod comparison;
mod mutate;
mod reprint;
mod round_trip;
mod run_line;
mod sources;
mod verdict;

use crate::Outcome;
use sources::Source;
pub use sources::fetch_debian_source;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use verdict::Verdict;

const USAGE: &str = "\
usage: cargo xtask boogie-suite [OPTION]…

  --dir DIR        take the .bpl files in DIR (may be repeated)
  --source NAME    fetch programs through a package manager (may be repeated, or `all`):
                     boogie    its own tests, from Debian's source package
                     dafny     the prelude, and what Debian's Dafny makes of a few programs
                     viper     the same of Viper's Carbon, from the wheels nagini and 2vyper
                     melvin    the same of Melvin and its examples, from the wheel melvin-verifier
                     pygments  a test file, from the source of the wheel
  --into DIR       where fetched programs go (default: target/bpl-corpus)
  --mutants N      besides, N well-formed programs of each folder or source, broken in one place each
  --reprint        besides, each well-formed program as Boogie prints it: desugared, and as blocks with gotos
  --verdicts N     instead of well-formedness, compare what can be executed: Boogie verifies each program of the
                   folders as it is, and with `assert false` in at most N places that Footpath covers and N
                   that it says no execution reaches
  --tool PATH      the Footpath to compare (default: ./footpath)
  --oracle-only    only ask Boogie, and write its verdicts to DIR/verdicts.tsv beside the fetched programs

Exit code 1 if there is any disagreement, or a program does not read back as Footpath prints it.
";

#[derive(Debug, Default)]
struct Options {
    dirs: Vec<PathBuf>,
    sources: Vec<&'static Source>,
    into: Option<PathBuf>,
    mutants: usize,
    reprint: bool,
    verdicts: Option<usize>,
    tool: Option<PathBuf>,
    oracle_only: bool,
}

/// Fetches, runs both programs and prints the comparison.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    if args.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        print!("{USAGE}");
        return Ok(true);
    }
    let options = parse(args)?;
    let into = options.into.unwrap_or_else(|| root.join("target/bpl-corpus"));
    sources::install(root, "boogie", "boogie")?;

    let mut folders = options.dirs;
    let mut failed = false;
    for source in &options.sources {
        let folder = into.join(source.name);
        match source.fetch(root, &folder) {
            Ok(()) => folders.push(folder),
            // The others may still be had.
            Err(reason) => {
                eprintln!("{}: {reason}", source.name);
                failed = true;
            }
        }
    }

    let tool = options.tool.unwrap_or_else(|| root.join("footpath"));
    if let Some(probes) = options.verdicts {
        return compare_verdicts(root, &tool, &folders, probes);
    }
    let Asked { jobs, oracle, skipped } = ask_about(&folders, &into, options.mutants, options.reprint)?;
    if jobs.is_empty() && failed {
        return Ok(false);
    } else if jobs.is_empty() {
        return Err("no .bpl files to compare".to_owned());
    }
    println!("{} programs", jobs.len());

    if options.oracle_only {
        let table = verdicts(&into, &jobs, &oracle);
        let path = into.join("verdicts.tsv");
        std::fs::write(&path, table).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("verdicts are in {}", path.display());
        return Ok(!failed);
    }

    Verdict::builds(&tool)?;
    let ours = in_parallel(&jobs, |job| Verdict::of_footpath(&tool, &job.files));
    let agreed = comparison::print(&jobs, &oracle, &ours, &skipped);
    let accepted: Vec<&Job> = jobs
        .iter()
        .zip(oracle.iter().zip(&ours))
        .filter(|(_, verdicts)| *verdicts == (&Verdict::Accepts, &Verdict::Accepts))
        .map(|(job, _)| job)
        .collect();
    let stable = all_read_back(&tool, &accepted);
    Ok(agreed && stable && !failed)
}

/// Whether all programs read back as Footpath prints them; names those that do not.
fn all_read_back(tool: &Path, jobs: &[&Job]) -> bool {
    let scratch = std::env::temp_dir();
    let numbered: Vec<(usize, &Job)> = jobs.iter().copied().enumerate().collect();
    let faults = in_parallel(&numbered, |(number, job)| {
        let name = format!("footpath-{}-{number}.bpl", std::process::id());
        round_trip::fault(tool, &job.files, &scratch.join(name)).map(|why| (job.name(), why))
    });
    let faults: Vec<(String, String)> = faults.into_iter().flatten().collect();
    for (rank, (name, why)) in faults.iter().enumerate() {
        println!("{}  {name}\n    {why}", if rank == 0 { "\nnot read back as printed:\n" } else { "" });
    }
    println!("{:24}{:5}", "read back as printed", jobs.len() - faults.len());
    faults.is_empty()
}

/// Compares verdicts on the well-formed programs of the folders.
fn compare_verdicts(root: &Path, tool: &Path, folders: &[PathBuf], probes: usize) -> Outcome {
    Verdict::builds(tool)?;
    let mut asked = Asked::default();
    let mut programs = Vec::new();
    for folder in folders {
        programs.extend(asked.add(folder)?);
    }
    let agreement = agreement::compare(root, tool, &programs, probes)?;
    println!("{agreement}");
    Ok(agreement.is_perfect())
}

/// Programs, what Boogie says about each, and what was left out with the reason.
#[derive(Default)]
struct Asked {
    jobs: Vec<Job>,
    oracle: Vec<Verdict>,
    skipped: Vec<String>,
}

impl Asked {
    /// Adds the programs of a folder; those that may be mutated are returned.
    fn add(&mut self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        let jobs = collect(folder, &mut self.skipped)?;
        let verdicts = in_parallel(&jobs, |job| Verdict::of_boogie(&job.flags, &job.files));
        let well_formed = jobs
            .iter()
            .zip(&verdicts)
            .filter(|(job, verdict)| job.is_plain() && **verdict == Verdict::Accepts)
            .map(|(job, _)| job.files[0].clone())
            .collect();
        self.jobs.extend(jobs);
        self.oracle.extend(verdicts);
        Ok(well_formed)
    }
}

/// Asks Boogie about the programs in the folders, and about what is derived from them.
fn ask_about(folders: &[PathBuf], into: &Path, mutants: usize, reprint: bool) -> Result<Asked, String> {
    let mut asked = Asked::default();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default();
        let well_formed = asked.add(folder)?;
        if reprint {
            let printed = fresh_folder(&into.join("reprinted").join(name))?;
            reprint::write(&well_formed, &printed)?;
            asked.add(&printed)?;
        }
        if mutants > 0 {
            let broken = fresh_folder(&into.join("mutants").join(name))?;
            mutate::write(&well_formed, &broken, mutants)?;
            asked.add(&broken)?;
        }
    }
    Ok(asked)
}

/// Empties the folder, or creates it.
fn fresh_folder(path: &Path) -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| format!("cannot empty {}: {error}", path.display());
    if path.exists() {
        std::fs::remove_dir_all(path).map_err(failed)?;
    }
    std::fs::create_dir_all(path).map_err(failed)?;
    Ok(path.to_owned())
}

fn parse(args: &[&str]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        let mut value = || args.next().copied().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
        match arg {
            "--dir" => options.dirs.push(value()?.into()),
            "--source" => match value()? {
                "all" => options.sources.extend(sources::ALL),
                name => options.sources.push(
                    sources::ALL
                        .iter()
                        .find(|source| source.name == name)
                        .ok_or_else(|| format!("no such source: {name}\n\n{USAGE}"))?,
                ),
            },
            "--into" => options.into = Some(value()?.into()),
            "--mutants" => {
                options.mutants = value()?.parse().map_err(|_| "--mutants wants a number".to_owned())?;
            }
            "--verdicts" => {
                let number = value()?.parse().map_err(|_| "--verdicts wants a number".to_owned())?;
                options.verdicts = Some(number);
            }
            "--tool" => options.tool = Some(value()?.into()),
            "--reprint" => options.reprint = true,
            "--oracle-only" => options.oracle_only = true,
            _ => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
        }
    }
    if options.dirs.is_empty() && options.sources.is_empty() {
        return Err(USAGE.to_owned());
    }
    Ok(options)
}

/// A program to ask about.
struct Job {
    /// Boogie reads several files as one program; the last one gives the job its name.
    files: Vec<PathBuf>,
    flags: Vec<String>,
}

impl Job {
    fn name(&self) -> String {
        self.files.last().expect("a job has a file").display().to_string()
    }

    fn is_plain(&self) -> bool {
        self.files.len() == 1 && self.flags.is_empty()
    }
}

/// The programs of a folder; what is left out is added to the list, with the reason.
fn collect(folder: &Path, skipped: &mut Vec<String>) -> Result<Vec<Job>, String> {
    let mut files = Vec::new();
    find_bpl(folder, &mut files)?;
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&read(&file)?).into_owned();
        found.push((run_line::read(&text, &file), file));
    }
    let included: Vec<PathBuf> = found.iter().flat_map(|(test, _)| test.other_files()).cloned().collect();
    let mut jobs = Vec::new();
    for (test, file) in found {
        if let Some(flag) = &test.without_counterpart {
            skipped.push(format!("{}: Boogie is run with {flag}", file.display()));
        } else if !test.is_run && included.contains(&file) {
            skipped.push(format!("{}: only included by others", file.display()));
        } else {
            let files = if test.files.is_empty() { vec![file] } else { test.files };
            jobs.push(Job { files, flags: test.flags });
        }
    }
    Ok(jobs)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn find_bpl(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            find_bpl(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "bpl") {
            files.push(path);
        }
    }
    Ok(())
}

/// Asks about every job, two at a time.
fn in_parallel<J: Sync, A: Send>(jobs: &[J], ask: impl Fn(&J) -> A + Sync) -> Vec<A> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut answers = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { return answers };
            answers.push((index, ask(job)));
        }
    };
    let mut answers = std::thread::scope(|scope| {
        let other = scope.spawn(worker);
        let mut answers = worker();
        answers.extend(other.join().expect("asking does not panic"));
        answers
    });
    answers.sort_by_key(|(index, _)| *index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// One line a program: its path, Boogie's verdict, its first message, and how it was run.
fn verdicts(base: &Path, jobs: &[Job], oracle: &[Verdict]) -> String {
    let mut table = String::new();
    for (job, verdict) in jobs.iter().zip(oracle) {
        let name = job.name();
        let name = Path::new(&name).strip_prefix(base).unwrap_or(Path::new(&name)).display();
        let others: Vec<String> =
            job.files.iter().rev().skip(1).map(|file| file.display().to_string()).collect();
        let how = [job.flags.clone(), others].concat().join(" ");
        _ = writeln!(table, "{name}\t{}\t{}\t{how}", verdict.word(), verdict.message());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_mistakes_are_named() {
        let options = parse(&["--dir", "a", "--source", "dafny", "--mutants", "3", "--oracle-only"]).unwrap();
        assert_eq!(options.dirs, [Path::new("a")]);
        assert_eq!(options.sources.len(), 1);
        assert_eq!((options.mutants, options.oracle_only), (3, true));
        assert_eq!(parse(&["--source", "all"]).unwrap().sources.len(), sources::ALL.len());
        assert!(parse(&["--source", "x"]).unwrap_err().starts_with("no such source: x"));
        assert!(parse(&["--dir"]).unwrap_err().starts_with("--dir wants a value"));
        assert!(parse(&[]).is_err());
    }
}
