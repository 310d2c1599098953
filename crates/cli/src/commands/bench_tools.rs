//! `footpath bench tools`: Footpath and CBMC on the same C functions, under the same limit of time for each.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use footpath_bench::output::write_atomically;
use footpath_bench::tools::{Goal, Row, Said, Side, as_csv, text};
use footpath_driver::{Class, FunctionResult, ObjectiveKind, Run, Status, Verdict};
use footpath_jail::wait;
use footpath_report::cbmc;

use super::bench::{cannot_write, progress};
use crate::args::{BenchArgs, TestArgs};
use crate::compile_commands::Sources;
use crate::{Exit, World};

/// The other tool's name in tables.
const OTHER: &str = "CBMC";
/// Addresses that CBMC may use, in kilobytes.
const MEMORY: u64 = 8_000_000;
/// How long CBMC may take, if the flag says no limit.
const DAY: Duration = Duration::from_secs(86_400);

/// Runs both on each function, compares. A contradiction ends with code 1: one of the two is wrong.
pub fn run(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    if args.files.is_empty() {
        writeln!(world.err, "error: no C file is named")?;
        return Ok(Exit::BadInput);
    }
    let version = Command::new(&args.cbmc).arg("--version").stdin(Stdio::null()).output();
    if !version.is_ok_and(|v| v.status.success()) {
        writeln!(
            world.err,
            "error: `{}` cannot be run; install CBMC (Debian's package is `cbmc`, where the release has it) or name it \
             with --cbmc",
            args.cbmc
        )?;
        return Ok(Exit::BadInput);
    }
    let bar = progress(world.terminal.err_is_terminal);
    let mut rows = Vec::new();
    let mut exit = Exit::Done;
    for file in &args.files {
        let found = of_file(args, file, world.stop, &mut |count, name| {
            bar.inc_length(count);
            bar.inc(u64::from(count == 0));
            bar.set_message(name.to_owned());
        });
        match found {
            Ok(found) => rows.extend(found),
            Err(why) => {
                writeln!(world.err, "error: {}: {why:#}", file.display())?;
                exit = Exit::BadInput;
            }
        }
        if world.stop.load(Ordering::SeqCst) {
            exit = exit.max(Exit::Interrupted);
            break;
        }
    }
    bar.finish_and_clear();
    let table = text(&rows, OTHER);
    write!(world.out, "{table}")?;
    if let Some(folder) = &args.out {
        for (name, text) in [("tools.txt", &table), ("tools.csv", &as_csv(&rows))] {
            write_atomically(&folder.join(name), text).with_context(|| cannot_write(folder))?;
        }
    }
    if rows.iter().any(|r| !r.contradictions().is_empty()) {
        exit = exit.max(Exit::Denied);
    }
    Ok(exit)
}

/// Both tools on all functions of a file that Footpath analyses. `tell` gets how many functions there are, and then the
/// name of each.
fn of_file(
    args: &BenchArgs,
    file: &Path,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(u64, &str),
) -> Result<Vec<Row>> {
    let work = crate::work_folder::WorkFolder::new()?;
    // Without `FOOTPATH` it compiles to nothing.
    footpath_atomic_write::write(&work.path().join("footpath.h"), footpath_replay::HEADER)
        .with_context(|| cannot_write(work.path()))?;
    let mut test = TestArgs::for_files(vec![file.to_owned()]);
    (test.timeout, test.seed, test.unwind) = (args.timeout, args.seed, args.unwind);
    test.jobs = Some(args.jobs);
    test.compiler.cflags.clone_from(&args.cflags);
    let options = Sources::of(&test.files, &test.compiler)?.with(test.options(work.path().to_owned()));
    tell(0, &file.display().to_string());
    let found = footpath_driver::run(&options, stop, &|_| ()).map_err(|e| anyhow::anyhow!("{e}"))?;
    tell(found.functions.len() as u64, "");
    let mut rows = Vec::new();
    for function in &found.functions {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        tell(0, &function.name);
        rows.push(Row {
            file: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            function: function.name.clone(),
            ours: ours(&found, function),
            theirs: theirs(args, file, &function.name, work.path())?,
        });
    }
    Ok(rows)
}

/// What Footpath says of the blocks that the user wrote.
fn ours(run: &Run, function: &FunctionResult) -> Side {
    let of_the_user = |o: &&footpath_driver::Objective| {
        o.kind == ObjectiveKind::Block && o.class != Class::Compiler && o.span.file == function.span.file
    };
    let goal = |o: &footpath_driver::Objective| {
        let (start, end) = run.sources.range(o.span);
        let said = match o.verdict {
            Verdict::Covered => Said::Covered,
            Verdict::Doomed | Verdict::Unreachable => Said::Infeasible,
            Verdict::UnreachableWithin(_) => Said::Within,
            Verdict::Unknown(_) => Said::Open,
        };
        Goal::over(start.line..=end.line, said)
    };
    Side {
        goals: function.objectives.iter().filter(of_the_user).map(goal).collect(),
        time: function.statistics.total_time,
        failure: match &function.status {
            Status::Analysed => None,
            Status::Skipped(why) => Some(why.clone()),
        },
    }
}

/// What CBMC says of the blocks of a function, called as its users call it.
fn theirs(args: &BenchArgs, file: &Path, function: &str, work: &Path) -> Result<Side> {
    let limit = args.timeout.0.unwrap_or(DAY);
    let answer = work.join("cbmc.json");
    let output = File::create(&answer).with_context(|| cannot_write(work))?;
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -v {MEMORY}; ulimit -c 0; exec \"$0\" \"$@\""))
        .arg(&args.cbmc)
        .arg(file)
        .args(understood(&args.cflags))
        .arg("-I")
        .arg(work)
        .args(["--function", function, "--cover", "location", "--unwind", &args.unwind.to_string()])
        .args(["--show-test-suite", "--json-ui"])
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::null())
        .process_group(0);
    let started = Instant::now();
    let mut child = command.spawn().context("`sh` cannot be started")?;
    let ended = wait(&mut child, limit);
    let time = started.elapsed();
    if ended.is_none() {
        let failure = Some(format!("no end within {} s", limit.as_secs_f64()));
        return Ok(Side { goals: Vec::new(), time, failure });
    }
    let said = std::fs::read(&answer).context("what CBMC said cannot be read")?;
    let answer = cbmc::parse(&String::from_utf8_lossy(&said)).unwrap_or_default();
    let Some(goals) = answer.goals else {
        let why = answer.error.unwrap_or_else(|| "it ends without an answer".to_owned());
        return Ok(Side { goals: Vec::new(), time, failure: Some(why) });
    };
    // Goals of functions that this one calls, and of headers, are left out.
    let is_of_this = |g: &cbmc::Goal| g.function == function && Path::new(&g.file) == file;
    let goal = |g: cbmc::Goal| Goal {
        lines: g.lines,
        said: if g.covered { Said::Covered } else { Said::Within },
        inputs: g.inputs,
    };
    let goals = goals.into_iter().filter(is_of_this).map(goal).collect();
    Ok(Side { goals, time, failure: None })
}

/// Those of a compiler's flags that CBMC has, too.
fn understood(flags: &[String]) -> Vec<&str> {
    const JOINED: [&str; 3] = ["-I", "-D", "-U"];
    let mut kept = Vec::new();
    let mut flags = flags.iter().map(String::as_str);
    while let Some(flag) = flags.next() {
        if JOINED.contains(&flag) {
            kept.push(flag);
            kept.extend(flags.next());
        } else if flag == "-m32" {
            kept.push("--32");
        } else if JOINED.iter().any(|j| flag.starts_with(j)) {
            kept.push(flag);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::understood;

    #[test]
    fn flags_that_the_other_tool_has_are_passed_on() {
        let flags = ["-O2", "-I", "inc", "-DA=1", "-m32", "-Wall", "-std=c99", "-Isrc"].map(str::to_owned);
        assert_eq!(understood(&flags), ["-I", "inc", "-DA=1", "--32", "-Isrc"]);
    }
}
