//! `footpath test`: tests of C functions that really ran, and proofs about the rest.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Result;
use footpath_concolic as concolic;
use footpath_driver::{Costs, Event, Options, Run, Selection, Storage, Unit};
use footpath_report::coverage_reports::CoverageReport;
use footpath_report::suite::counts::Counts;
use footpath_report::suite::read::{self, Unreadable};
use footpath_report::suite::{TestRun, functions, json, text};
use footpath_report::text::Style;

use super::names::there_is;
use super::{choose, is_denied, show_diagnostics, watch};
use crate::args::{DenyTest, Emit, Format, TestArgs};
use crate::compile_commands::Sources;
use crate::progress::FunctionProgress;
use crate::{
    Exit, World, baseline, changes, compile_commands, contradictions, coverage_from, default_store, seeds,
    suite,
};

/// Larger reports are refused: that of SQLite has a tenth of it.
pub(super) const MAX_REPORT: u64 = 4 << 30;

/// Compiles, tests, reports; with `--watch` again and again.
pub fn run(args: &TestArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    if args.watch {
        let named = args
            .files
            .iter()
            .cloned()
            .chain(args.compiler.compile_commands.as_deref().map(compile_commands::file));
        return watch::run(named.collect(), world, |world| {
            once(args, args.exploration(), command_line, world)
        });
    }
    explore(args, args.exploration(), command_line, world)
}

/// The same, or if options say so an exploration without proofs.
pub fn explore(
    args: &TestArgs,
    exploration: Option<concolic::Options>,
    command_line: &[String],
    world: &mut World<'_>,
) -> Result<Exit> {
    Ok(once(args, exploration, command_line, world)?.0)
}

/// How one run ends, and what the compiler read.
fn once(
    args: &TestArgs,
    exploration: Option<concolic::Options>,
    command_line: &[String],
    world: &mut World<'_>,
) -> Result<(Exit, BTreeSet<PathBuf>)> {
    let explores = exploration.is_some();
    let start = Instant::now();
    let sources = Sources::of(&args.files, &args.compiler)?;
    args.calls.use_key()?;
    let _folder = (!args.list).then(|| crate::output::prepare_folder(&args.output)).transpose()?;
    let work = crate::work_folder::WorkFolder::new()?;
    let report = args.coverage_from.as_deref().map(coverage_from::read).transpose()?;
    let selection = selection(args, report.as_ref())?;
    let options = sources.with(args.options(work.path().to_owned()));
    let store = if args.list { None } else { storage(args, explores)? };
    let (costs, unit) = (costs(args)?, unit(args)?);
    let names = args.function.iter().chain(unit.iter().flatten().map(|(_, name)| name));
    let names: BTreeSet<String> = names.cloned().collect();
    let seeds = seeds::read(&args.seeds)?;
    let options = Options { exploration, selection, costs, unit, store, seeds, ..options };
    if args.list {
        return Ok((list(&options, args.format, world)?, BTreeSet::new()));
    }
    let Some((tools, remarks)) = super::external_results(&args.results, world)? else {
        return Ok((Exit::BadInput, BTreeSet::new()));
    };
    let progress = FunctionProgress::new(world.terminal.err_is_terminal);
    let result = footpath_driver::run(&options, world.stop, &|event: Event| progress.on(&event));
    progress.finish();
    let mut found = match result {
        Ok(found) => found,
        Err(why) => {
            writeln!(world.err, "error: {why}")?;
            return Ok((Exit::BadInput, BTreeSet::new()));
        }
    };
    found.notes.extend(remarks);
    footpath_driver::external_results::tell(&mut found, &tools);
    let is_unknown = has_unknown_names(&names, &found, world)?;
    let about = About {
        command: command_line,
        elapsed: start.elapsed(),
        interrupted: world.stop.load(Ordering::SeqCst),
        explores,
        report: report.as_ref(),
    };
    let exit = conclude(args, &mut found, &about, world)?;
    Ok((if is_unknown { exit.max(Exit::BadInput) } else { exit }, found.read))
}

/// What there is to say of a run besides what was found.
pub(super) struct About<'a> {
    /// The command line, program name first.
    pub(super) command: &'a [String],
    /// Its time.
    pub(super) elapsed: Duration,
    /// Whether the user ended it early.
    pub(super) interrupted: bool,
    /// Whether the search for tests is of interest itself.
    pub(super) explores: bool,
    /// The coverage report that it started from.
    pub(super) report: Option<&'a CoverageReport>,
}

/// Prints and writes what was found, and says how the command ends.
pub(super) fn conclude(
    args: &TestArgs,
    found: &mut Run,
    about: &About<'_>,
    world: &mut World<'_>,
) -> Result<Exit> {
    let mut exit = if found.left_out > 0 { Exit::BadInput } else { Exit::Done };
    show_diagnostics(&found.sources, &found.diagnostics, args.color, world)?;
    use_baselines(args, found, world)?;
    let folder = args.output.display().to_string();
    let run = TestRun {
        command: about.command,
        run: found,
        folder: &folder,
        has_tests: args.emit.contains(&Emit::C),
        elapsed: about.elapsed,
        interrupted: about.interrupted,
        explores: about.explores,
        whole_program: !args.entry.is_empty(),
        report: about.report,
    };
    suite::write(&args.output, &run, &args.emit, args.framework.framework())?;
    match args.format {
        Format::Text => {
            let color = choose(args.color, world.terminal.out_color);
            let style = Style { color, width: world.terminal.width, full: args.shown.verbose };
            write!(world.out, "{}", text::report(&run, &style))?;
        }
        Format::Json => write!(world.out, "{}", json::report(&run).to_text())?,
    }
    if contradictions::report(found, about.command, &args.output, world)? {
        return Ok(Exit::Internal);
    }
    if is_denied(&args.deny, &deniable(&Counts::of_all(&found.functions)), world)? {
        exit = exit.max(Exit::Denied);
    }
    if about.interrupted {
        exit = exit.max(Exit::Interrupted);
    }
    Ok(exit)
}

/// Where results are kept: in the store that is named, or the one that nobody has named. Of explorations and whole programs the latter keeps
/// none.
fn storage(args: &TestArgs, explores: bool) -> Result<Option<Storage>> {
    let is_wanted = args.calls.takes_default_store() && !explores && args.entry.is_empty();
    let default = || is_wanted.then(default_store::open).flatten().map(Storage::from);
    Ok(args.calls.storage()?.or_else(default))
}

/// What functions cost in the report that shards are balanced by.
fn costs(args: &TestArgs) -> Result<Costs> {
    let Some(path) = args.balance_by.as_deref().filter(|_| args.shard.is_some()) else {
        return Ok(Costs::new());
    };
    let text = coverage_from::text(path, MAX_REPORT)?;
    read::costs(&text).map_err(|why| unreadable(path, &why))
}

/// The functions that the work unit names, if this is one.
fn unit(args: &TestArgs) -> Result<Option<Unit>> {
    let Some(path) = args.unit.as_deref() else { return Ok(None) };
    let text = coverage_from::text(path, MAX_REPORT)?;
    functions::unit(&text).map(Some).map_err(|why| unreadable(path, &why))
}

/// Says which functions would be tested.
fn list(options: &Options, format: Format, world: &mut World<'_>) -> Result<Exit> {
    let (listed, left_out) = match footpath_driver::list(options, world.stop) {
        Ok(found) => found,
        Err(why) => {
            writeln!(world.err, "error: {why}")?;
            return Ok(Exit::BadInput);
        }
    };
    match format {
        Format::Json => write!(world.out, "{}", functions::to_text(&listed, left_out))?,
        Format::Text => {
            for f in &listed {
                writeln!(world.out, "{}:{}: {} ({} blocks)", f.file, f.line, f.name, f.blocks)?;
            }
        }
    }
    Ok(if left_out > 0 { Exit::BadInput } else { Exit::Done })
}

/// An error about a JSON report.
pub(super) fn unreadable(path: &Path, why: &Unreadable) -> anyhow::Error {
    let place = why.place.map_or_else(String::new, |(line, column)| format!("{line}:{column}:"));
    anyhow::anyhow!("{}:{place} {}", path.display(), why.why)
}

/// The lines that are asked for.
fn selection(args: &TestArgs, report: Option<&CoverageReport>) -> Result<Selection> {
    let report = report.zip(args.coverage_from.as_deref());
    let missed = report.map(|(report, path)| coverage_from::missed(report, path));
    let changed = changes::selected(args.since.as_deref(), args.diff.as_deref())?;
    Ok(Selection { changed, missed })
}

/// Writes the run's findings as a baseline, and marks those that another one has.
fn use_baselines(args: &TestArgs, found: &mut Run, world: &mut World<'_>) -> Result<()> {
    if let Some(path) = &args.write_baseline {
        baseline::write(path, found)?;
    }
    if let Some(path) = &args.baseline {
        let applied = baseline::apply(path, found)?;
        if applied.stale > 0 {
            let entries = if applied.stale == 1 { "entry is" } else { "entries are" };
            writeln!(world.err, "note: {} {entries} stale in {}", applied.stale, path.display())?;
        }
    }
    Ok(())
}

/// Says which functions that were asked for are not there.
fn has_unknown_names(names: &BTreeSet<String>, found: &Run, world: &mut World<'_>) -> Result<bool> {
    let known: Vec<&str> = found.known.iter().map(String::as_str).collect();
    let mut any = false;
    for name in names.iter().filter(|n| !known.contains(&n.as_str())) {
        writeln!(world.err, "error: there is no function `{name}` with a body; {}", there_is(name, &known))?;
        any = true;
    }
    Ok(any)
}

/// What can be denied, and how often it was found.
fn deniable(counts: &Counts) -> [(DenyTest, usize, &'static str); 3] {
    [
        (DenyTest::Infeasible, counts.infeasible, "infeasible"),
        (DenyTest::Failing, counts.failing, "failing"),
        (DenyTest::Unknown, counts.unknown, "unknown"),
    ]
}
