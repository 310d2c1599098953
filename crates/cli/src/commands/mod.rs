//! One file for each command.

mod bench;
mod bench_explore;
mod bench_guide;
mod bench_reach;
mod bench_summaries;
mod bench_tools;
mod check;
mod cover;
mod dump;
mod explore;
mod failures;
mod merge;
mod names;
mod reach;
mod store;
mod test;
mod verify;
mod version;
mod watch;

use std::path::PathBuf;

use anyhow::Result;
use footpath_ir::diagnostic::{Diagnostic, Severity};
use footpath_ir::source::SourceMap;
use footpath_report::results;
use footpath_report::text::{self, Style};
use footpath_verify::ToolRun;

use crate::args::{Args, Color, Command};
use crate::input::Input;
use crate::{Exit, World, config};

pub(crate) use names::there_is;

/// Prints `footpath.h`.
fn header(world: &mut World<'_>) -> Result<Exit> {
    write!(world.out, "{}", footpath_replay::HEADER)?;
    Ok(Exit::Done)
}

/// What other tools found, from SARIF files, with remarks; `None`, and a message, if one cannot be read.
fn external_results(files: &[PathBuf], world: &mut World<'_>) -> Result<Option<(Vec<ToolRun>, Vec<String>)>> {
    let (mut runs, mut remarks) = (Vec::new(), Vec::new());
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| e.to_string());
        match text.and_then(|text| results::parse(&text)) {
            Ok((more, said)) => {
                runs.extend(more);
                remarks.extend(said.into_iter().map(|s| format!("{}: {s}", file.display())));
            }
            Err(why) => {
                writeln!(world.err, "error: {}: {why}", file.display())?;
                return Ok(None);
            }
        }
    }
    Ok(Some((runs, remarks)))
}

/// Writes a commented file of flags.
fn init(world: &mut World<'_>) -> Result<Exit> {
    let path = config::init(std::path::Path::new("."))?;
    writeln!(world.out, "{} has every flag as a comment", path.file_name().unwrap_or_default().display())?;
    Ok(Exit::Done)
}

/// Runs the command that was asked for. An `Err` is something about the user's machine or input: a file that cannot be
/// written. Internal errors are an [`Exit`] and have been explained.
pub fn run(args: &Args, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    match &args.command {
        _ if args.version => version::run(world),
        Some(Command::Cover(cover)) => cover::run(cover, command_line, world),
        Some(Command::Test(test)) => test::run(test, command_line, world),
        Some(Command::Merge(merge)) => merge::run(merge, command_line, world),
        Some(Command::Verify(verify)) => verify::run(verify, command_line, world),
        Some(Command::Explore(explore)) => explore::run(explore, command_line, world),
        Some(Command::Failures(failures)) => failures::run(failures, command_line, world),
        Some(Command::Reach(reach)) => reach::run(reach, command_line, world),
        Some(Command::Check(check)) => check::run(check, world),
        Some(Command::Header) => header(world),
        Some(Command::Store(store)) => store::run(store, world),
        Some(Command::Bench(bench)) => bench::run(bench, world),
        Some(Command::Init) => init(world),
        None => Ok(Exit::BadInput),
    }
}

fn choose(color: Color, auto: bool) -> bool {
    match color {
        Color::Auto => auto,
        Color::Always => true,
        Color::Never => false,
    }
}

fn show_diagnostics(
    sources: &SourceMap,
    diagnostics: &[Diagnostic],
    color: Color,
    world: &mut World<'_>,
) -> Result<()> {
    let style =
        Style { color: choose(color, world.terminal.err_color), width: world.terminal.width, full: false };
    write!(world.err, "{}", text::diagnostics(sources, diagnostics, &style))?;
    Ok(())
}

/// Says if no state satisfies what a program says of its functions and constants, and which parts contradict each other.
/// That is nothing new to who finds the solver unusable, as the analysis says so. Returns whether it is so.
fn warn_of_contradiction(input: &mut Input, solver: &str) -> bool {
    let Some(program) = &input.program else { return false };
    let Ok(Some(parts)) = footpath_cover::contradiction(program, solver) else { return false };
    let of_constants = program.constants.first().map(|c| c.span);
    let message = "no state satisfies this: nothing can run, and what is said below is about no run at all";
    let first = parts.first().copied().or(of_constants);
    let mut warning = Diagnostic::new(Severity::Warning, "contradiction", first, message);
    for &part in parts.iter().skip(1) {
        warning = warning.with_label(part, "together with this");
    }
    input.diagnostics.push(warning);
    true
}

/// Whether verdicts were found that the user denies; they are said.
fn is_denied<V: PartialEq>(
    denied: &[V],
    found: &[(V, usize, &str)],
    world: &mut World<'_>,
) -> std::io::Result<bool> {
    let hit = found.iter().filter(|(verdict, count, _)| *count > 0 && denied.contains(verdict));
    let said: Vec<String> = hit.map(|(_, count, what)| format!("{count} {what}")).collect();
    if said.is_empty() {
        return Ok(false);
    }
    writeln!(world.err, "denied: {}", said.join(", "))?;
    Ok(true)
}
