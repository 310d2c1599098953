//! Asks every command about C files that nobody here wrote, and compares what they say of one place.
//!
//! The corpus has truths, these files have none; but what one command has a test for, no other may exclude. What is compared stands
//! in `crates/testkit/src/agreement.rs`.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use footpath_testkit::agreement::{Agreement, Report, compare};

use crate::Outcome;

const USAGE: &str = "\
usage: cargo xtask agree [OPTION]… FILE… [-- CFLAG…]

Asks each command about each C file, and compares what they say of one place: what one of them has a test for, no other may
call unreachable or verified.

  --seconds N      how long a command may take for a function or a place (default: 2)
  --limit N        how long a command may take for a file (default: 120)
  --footpath FILE  the program that is asked (default: target/debug/footpath)
  --into DIR       where reports stay (default: target/agree)

Needs clang. Exit code 1 if anything is contradictory, or if a command ends in an unusual way.
";

struct Options {
    seconds: u32,
    limit: u32,
    footpath: PathBuf,
    into: PathBuf,
    files: Vec<PathBuf>,
    flags: Vec<String>,
}

/// About how many lines of a file `reach` is asked.
const TARGETS: usize = 20;

/// Asks, and prints what is contradictory.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    if args.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        print!("{USAGE}");
        return Ok(true);
    }
    let options = parse(root, args)?;
    std::fs::create_dir_all(&options.into).map_err(|e| format!("{}: {e}", options.into.display()))?;
    let mut all = Agreement::default();
    let mut unusual = 0;
    for file in &options.files {
        let (reports, complaints) = reports(&options, file)?;
        let found = compare(&reports);
        println!(
            "{}: {} answers compared, {} weaker, {} contradictions",
            file.display(),
            found.compared,
            found.weaker,
            found.contradictions.len()
        );
        found.contradictions.iter().chain(&complaints).for_each(|what| println!("  {what}"));
        all.compared += found.compared;
        all.weaker += found.weaker;
        let name = file.display();
        all.contradictions.extend(found.contradictions.into_iter().map(|what| format!("{name}:{what}")));
        unusual += complaints.len();
    }
    println!(
        "total: {} answers compared, {} weaker, {} contradictions; {unusual} commands ended in an unusual way",
        all.compared,
        all.weaker,
        all.contradictions.len()
    );
    Ok(all.contradictions.is_empty() && unusual == 0)
}

fn parse(root: &Path, args: &[&str]) -> Result<Options, String> {
    let own = args.iter().position(|arg| *arg == "--").unwrap_or(args.len());
    let mut options = Options {
        seconds: 2,
        limit: 120,
        footpath: root.join("target/debug/footpath"),
        into: root.join("target/agree"),
        files: Vec::new(),
        flags: args.iter().skip(own + 1).map(|&flag| flag.to_owned()).collect(),
    };
    let mut args = args[..own].iter();
    while let Some(&arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
        let wrong = |_| format!("{arg} wants a number\n\n{USAGE}");
        match arg {
            "--seconds" => options.seconds = value()?.parse().map_err(wrong)?,
            "--limit" => options.limit = value()?.parse().map_err(wrong)?,
            "--footpath" => options.footpath = value()?.into(),
            "--into" => options.into = value()?.into(),
            _ if arg.starts_with('-') => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
            _ => options.files.push(arg.into()),
        }
    }
    if options.files.is_empty() {
        return Err(USAGE.to_owned());
    }
    Ok(options)
}

/// The reports about a file, and which commands have none for an unusual reason.
fn reports(options: &Options, file: &Path) -> Result<(Vec<Report>, Vec<String>), String> {
    let seconds = options.seconds;
    let commands = [
        format!("test --no-store --timeout {seconds} --total-timeout {} --jobs 1", options.limit),
        format!(
            "test --no-store --timeout {seconds} --total-timeout {} --jobs 1 --criterion mcdc --seed 1 --calls auto",
            options.limit
        ),
        format!("explore --timeout {seconds} --random-runs 100"),
        format!("verify --solver-timeout {seconds}"),
        format!("verify --sound --solver-timeout {seconds}"),
        format!("failures --timeout {seconds} --query-timeout 0.5"),
    ];
    let (mut reports, mut complaints) = (Vec::new(), Vec::new());
    let mut keep = |asked: Result<Option<Report>, String>| match asked {
        Ok(report) => reports.extend(report),
        Err(why) => complaints.push(why),
    };
    for command in &commands {
        keep(ask(options, command, &[], file)?);
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let lines: BTreeSet<u32> = reports.iter().flat_map(Report::lines_of_code).collect();
    let step = lines.len().div_ceil(TARGETS).max(1);
    let targets: Vec<String> = lines
        .iter()
        .step_by(step)
        .flat_map(|line| ["--target".to_owned(), format!("{name}:{line}")])
        .collect();
    if !targets.is_empty() {
        match ask(options, &format!("reach --timeout {seconds}"), &targets, file)? {
            Ok(report) => reports.extend(report),
            Err(why) => complaints.push(why),
        }
    }
    Ok((reports, complaints))
}

/// The report of a command; none if it took too long. Inside, why there is no report otherwise.
fn ask(
    options: &Options,
    command: &str,
    more: &[String],
    file: &Path,
) -> Result<Result<Option<Report>, String>, String> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let kept = options.into.join(format!("{stem} {}", command.replace('/', "_")));
    let mut asked = Command::new("timeout");
    asked.args(["--kill-after", "10", &options.limit.to_string()]).arg(&options.footpath);
    asked.args(command.split(' ')).args(["--format", "json"]).args(more);
    if ["test", "explore", "reach"].iter().any(|name| command.starts_with(name)) {
        asked.arg("-o").arg(options.into.join(format!("{stem}-tests")));
    }
    asked.arg(file).arg("--").args(&options.flags).stdin(Stdio::null());
    let output = asked.output().map_err(|error| format!("timeout cannot be run: {error}"))?;
    let save = |ending: &str, bytes: &[u8]| {
        let path = kept.with_extension(ending);
        std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    };
    save("json", &output.stdout)?;
    save("err", &output.stderr)?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        // What `timeout` ends with at the limit, and when it has to kill.
        Some(124 | 137) => Ok(Ok(None)),
        None if output.status.signal() == Some(9) => Ok(Ok(None)),
        Some(0..=2) => Ok(Report::read(command, &String::from_utf8_lossy(&output.stdout), file).map(Some)),
        _ => Ok(Err(format!("{command} ends with {}: {}", output.status, said.trim()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_before_flags_for_the_compiler() {
        let options =
            parse(Path::new("/"), &["--seconds", "3", "a.c", "b.c", "--", "-DN=3"]).expect("options");
        assert_eq!((options.seconds, options.files.len(), options.flags), (3, 2, vec!["-DN=3".to_owned()]));
        let wrong = |args: &[&str]| parse(Path::new("/"), args).err().unwrap_or_default();
        assert!(wrong(&["--seconds", "x", "a.c"]).starts_with("--seconds wants a number"));
        assert!(wrong(&["--into"]).starts_with("--into wants a value"));
        assert!(wrong(&[]).starts_with("usage"));
    }
}
