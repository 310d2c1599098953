//! Tries our front end for C, the reader of LLVM IR and the lowering, on C that nobody here wrote.
//!
//! C libraries come with the crates that wrap them, and as Debian's source packages; both are fetched through their
//! package managers, and never committed. Each file is compiled to LLVM IR, without running the library's
//! configuration: what does not compile for want of it is counted apart. The front end is then
//! `crates/frontend/examples/read_llvm.rs`, whose every finding makes the task fail; functions that cannot be lowered
//! or called by a harness are counted, by reason.

mod packages;
mod verdicts;

use crate::Outcome;
use packages::Package;
pub use packages::run as run_quietly;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use verdicts::Verdicts;

const USAGE: &str = "\
usage: cargo xtask c-sources [OPTION]… [PACKAGE]…

Fetches C libraries, compiles them to LLVM IR, reads and lowers that. Without PACKAGE, all that come with crates.
Says how many functions could not be read, not be lowered, and not be called by a harness, and why.

  --list          only say which packages there are
  --debian NAME   besides, take the C files of this Debian source package (may be repeated)
  --flags FLAGS   how to compile (default: -O0 -g -Xclang -disable-O0-optnone)
  --into DIR      where everything goes (default: target/c-sources)
  --verdicts FILE instead of reading only, run `footpath test` on all files, and write into FILE how many blocks,
                  branches and checks of each library have which verdict
  --baseline FILE besides, say where these are fewer than in FILE, which an earlier run wrote

Exit code 1 if the reader left anything out, or there are fewer verdicts than in the baseline.
";

const DEFAULT_FLAGS: &str = "-O0 -g -Xclang -disable-O0-optnone";

#[derive(Debug, PartialEq, Eq)]
struct Options {
    packages: Vec<String>,
    debian: Vec<String>,
    flags: String,
    into: Option<PathBuf>,
    list: bool,
    verdicts: Option<PathBuf>,
    baseline: Option<PathBuf>,
}

/// Fetches, then either reads or tests the libraries.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    if args.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        print!("{USAGE}");
        return Ok(true);
    }
    let options = parse(args)?;
    if options.list {
        packages::ALL.iter().for_each(|package| println!("{}", package.name));
        return Ok(true);
    }
    let into = options.into.clone().unwrap_or_else(|| root.join("target/c-sources"));
    let mut libraries = packages::fetch_crates(&into, &chosen(&options.packages)?)?;
    for name in &options.debian {
        libraries.push(packages::fetch_debian(&into, name)?);
    }
    match &options.verdicts {
        Some(table) => compare_verdicts(root, &libraries, &into, table, options.baseline.as_deref()),
        None => read_all(root, &libraries, &into, &options.flags),
    }
}

/// Tests all libraries, writes the table of verdicts, and says what is lost since an earlier one.
fn compare_verdicts(
    root: &Path,
    libraries: &[Library],
    into: &Path,
    table: &Path,
    baseline: Option<&Path>,
) -> Outcome {
    let read =
        |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let earlier = baseline.map(|path| Verdicts::read(&read(path)?)).transpose()?;
    let footpath = verdicts::build_footpath(root)?;
    let mut found = Verdicts::default();
    for library in libraries {
        found.add_library(library, &footpath, into)?;
    }
    print!("{}", found.table());
    std::fs::write(table, found.table()).map_err(|error| format!("{}: {error}", table.display()))?;
    let losses = earlier.map(|earlier| found.losses(&earlier)).unwrap_or_default();
    losses.iter().for_each(|loss| println!("{loss}"));
    Ok(losses.is_empty())
}

/// Reads and lowers all libraries, and prints the table.
fn read_all(root: &Path, libraries: &[Library], into: &Path, flags: &str) -> Outcome {
    let reader = build_reader(root)?;
    println!(
        "{:<18} {:>6} {:>8} {:>10} {:>11} {:>9} {:>9} {:>7} {:>8} {:>8}",
        "package",
        "files",
        "failed",
        "functions",
        "unreadable",
        "unlowered",
        "uncalled",
        "MB",
        "reading",
        "lowering"
    );
    let mut total = Counts::default();
    for library in libraries {
        let counts = try_library(library, &into.join("ir").join(&library.name), flags, &reader)?;
        print_row(&library.name, &counts);
        total.add(&counts);
    }
    print_row("all", &total);
    let mut reasons: Vec<(&String, &u64)> = total.reasons.iter().collect();
    reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), reason.as_str()));
    reasons.iter().take(40).for_each(|(reason, count)| println!("{count:>6} {reason}"));
    total.findings.iter().take(50).for_each(|finding| println!("{finding}"));
    Ok(total.findings.is_empty())
}

fn parse(args: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        packages: Vec::new(),
        debian: Vec::new(),
        flags: DEFAULT_FLAGS.to_owned(),
        into: None,
        list: false,
        verdicts: None,
        baseline: None,
    };
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        let mut value = || args.next().copied().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
        match arg {
            "--list" => options.list = true,
            "--debian" => options.debian.push(value()?.to_owned()),
            "--flags" => options.flags = value()?.to_owned(),
            "--into" => options.into = Some(value()?.into()),
            "--verdicts" => options.verdicts = Some(value()?.into()),
            "--baseline" => options.baseline = Some(value()?.into()),
            _ if arg.starts_with('-') => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
            _ => options.packages.push(arg.to_owned()),
        }
    }
    if options.baseline.is_some() && options.verdicts.is_none() {
        return Err(format!("--baseline is for --verdicts\n\n{USAGE}"));
    }
    Ok(options)
}

/// The packages with these names; all if there are none.
fn chosen(names: &[String]) -> Result<Vec<&'static Package>, String> {
    if names.is_empty() {
        return Ok(packages::ALL.iter().collect());
    }
    let find = |name: &String| {
        let found = packages::ALL.iter().find(|package| package.name == name);
        found.ok_or_else(|| format!("no such package: {name}\n\n{USAGE}"))
    };
    names.iter().map(find).collect()
}

/// C files, and how to compile them.
struct Library {
    name: String,
    files: Vec<PathBuf>,
    flags: Vec<OsString>,
}

#[derive(Default)]
struct Counts {
    files: usize,
    failed: usize,
    functions: u64,
    unreadable: u64,
    unlowered: u64,
    uncalled: u64,
    bytes: u64,
    milliseconds: f64,
    lowering: f64,
    /// Why functions were left out, and how many.
    reasons: BTreeMap<String, u64>,
    /// What the reader says beyond its numbers.
    findings: Vec<String>,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.files += other.files;
        self.failed += other.failed;
        self.functions += other.functions;
        self.unreadable += other.unreadable;
        self.unlowered += other.unlowered;
        self.uncalled += other.uncalled;
        self.bytes += other.bytes;
        self.milliseconds += other.milliseconds;
        self.lowering += other.lowering;
        for (reason, count) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += count;
        }
        self.findings.extend_from_slice(&other.findings);
    }

    /// Adds what the reader printed: a line with tabs for each file, and indented findings.
    fn add_output(&mut self, output: &str) {
        for line in output.lines() {
            if line.starts_with(' ') {
                self.findings.push(line.to_owned());
                continue;
            }
            if line.starts_with("- ") {
                let reason = line.rfind(": not ").map_or(line, |at| &line[at + 2..]);
                *self.reasons.entry(reason.to_owned()).or_default() += 1;
                continue;
            }
            let mut fields = line.split('\t').skip(1);
            let mut next = || fields.next().and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
            self.functions += next() as u64;
            self.unreadable += next() as u64;
            self.unlowered += next() as u64;
            self.uncalled += next() as u64;
            self.bytes += next() as u64;
            self.milliseconds += next();
            self.lowering += next();
        }
    }
}

fn print_row(name: &str, counts: &Counts) {
    let Counts { files, failed, functions, unreadable, unlowered, uncalled, .. } = counts;
    let megabytes = counts.bytes as f64 / 1e6;
    let (reading, lowering) = (counts.milliseconds / 1000.0, counts.lowering / 1000.0);
    println!(
        "{name:<18} {files:>6} {failed:>8} {functions:>10} {unreadable:>11} {unlowered:>9} {uncalled:>9} \
         {megabytes:>7.1} {reading:>8.2} {lowering:>8.2}"
    );
}

fn build_reader(root: &Path) -> Result<PathBuf, String> {
    let arguments = ["build", "--release", "--quiet", "-p", "footpath-frontend", "--example", "read_llvm"];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    packages::run(Command::new(cargo).args(arguments).current_dir(root))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(root.join(target).join("release/examples/read_llvm"))
}

/// Compiles a library's files, two at a time, and reads what comes of it.
fn try_library(library: &Library, into: &Path, flags: &str, reader: &Path) -> Result<Counts, String> {
    _ = std::fs::remove_dir_all(into);
    std::fs::create_dir_all(into).map_err(|error| format!("cannot create {}: {error}", into.display()))?;
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut compiled = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = library.files.get(index) else { return compiled };
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let output = into.join(format!("{index}-{stem}.ll"));
            if compile(file, &output, flags, &library.flags) {
                compiled.push(output);
            }
        }
    };
    let mut compiled = std::thread::scope(|scope| {
        let other = scope.spawn(worker);
        let mut compiled = worker();
        compiled.extend(other.join().expect("compiling does not panic"));
        compiled
    });
    compiled.sort();
    let mut counts =
        Counts { files: compiled.len(), failed: library.files.len() - compiled.len(), ..Counts::default() };
    for chunk in compiled.chunks(100) {
        let output = Command::new(reader)
            .args(chunk)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("cannot run {}: {error}", reader.display()))?;
        counts.add_output(&String::from_utf8_lossy(&output.stdout));
        if !output.status.success() {
            counts.findings.push(format!("  the reader failed on one of {}", chunk[0].display()));
        }
    }
    Ok(counts)
}

fn compile(file: &Path, output: &Path, flags: &str, more: &[OsString]) -> bool {
    Command::new("clang")
        .args(["-w", "-S", "-emit-llvm"])
        .args(flags.split_whitespace())
        .args(more)
        .arg("-o")
        .args([output, file])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_mistakes_are_named() {
        let options = parse(&["zlib", "--flags", "-O2 -g", "--debian", "bc"]).unwrap();
        assert_eq!((&*options.flags, &options.packages[..]), ("-O2 -g", &["zlib".to_owned()][..]));
        assert_eq!(options.debian, ["bc"]);
        assert!(parse(&["--into"]).unwrap_err().starts_with("--into wants a value"));
        assert!(parse(&["--baseline", "old"]).unwrap_err().starts_with("--baseline is for --verdicts"));
        assert!(parse(&["--x"]).unwrap_err().starts_with("unknown option"));
        assert!(chosen(&["none".to_owned()]).unwrap_err().starts_with("no such package: none"));
    }

    #[test]
    fn numbers_and_findings_are_told_apart() {
        let mut counts = Counts::default();
        counts.add_output("a.ll\t3\t1\t1\t0\t2000\t1.5\t2\n- a.c:1:1: f: not lowered: x\n  a.ll:1:1: wrong\nb.ll\t2\t0\t0\t1\t10\t0.5\t1\n");
        assert_eq!((counts.functions, counts.unreadable, counts.bytes), (5, 1, 2010));
        assert_eq!((counts.unlowered, counts.uncalled), (1, 1));
        assert_eq!(counts.reasons["not lowered: x"], 1);
        assert_eq!(counts.findings, ["  a.ll:1:1: wrong"]);
    }
}
