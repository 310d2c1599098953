//! `footpath merge`: one report of those of all shards.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::ArgMatches;
use footpath_report::suite::merge::merge;
use footpath_report::suite::read::Reader;

use super::test::{About, MAX_REPORT, conclude, unreadable};
use crate::args::{EmitMerged, MergeArgs};
use crate::{Exit, World, contradictions, coverage_from, output};

/// The flags in which shards of one run may differ: they say which shard it is, what becomes of the results, or what helps.
const OWN: [&str; 17] = [
    "shard",
    "unit",
    "balance_by",
    "format",
    "verbose",
    "emit",
    "output",
    "deny",
    "baseline",
    "write_baseline",
    "color",
    "jobs",
    "total_timeout",
    "store",
    "no_store",
    "store_key",
    "recheck",
];

/// In which work units may differ besides: those that begin later may have more time.
const OWN_OF_UNITS: [&str; 1] = ["timeout"];

/// Sources that are larger are not read.
const MAX_SOURCE: u64 = 1 << 30;

/// Reads the reports, merges them, reports.
pub fn run(args: &MergeArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    let open = |path: &Path| coverage_from::text(path, MAX_SOURCE).ok();
    let mut reader = Reader::new(&open);
    let mut reports = Vec::new();
    for path in &args.reports {
        let text = coverage_from::text(path, MAX_REPORT)?;
        reports.push(reader.read(&text).map_err(|why| unreadable(path, &why))?);
    }
    let are_units = reports.iter().all(|r| r.run.part.as_ref().is_some_and(|part| part.shard.is_none()));
    let own: Vec<&str> = OWN.into_iter().chain(OWN_OF_UNITS.into_iter().filter(|_| are_units)).collect();
    let commands: Vec<Vec<String>> = reports.iter().map(|report| report.command.clone()).collect();
    let names: Vec<String> = args.reports.iter().map(|path| path.display().to_string()).collect();
    let misfit = |(number, why): (usize, String)| anyhow!("{}: {why}", names[number]);
    let merged = merge(reports, &names, reader.into_sources()).map_err(misfit)?;
    for (command, path) in commands.iter().zip(&args.reports).skip(1) {
        if let Some(why) = difference(&commands[0], command, &args.reports[0], &own) {
            bail!("{}: {why}", path.display());
        }
    }
    let mut run = merged.run;
    let missed = run.missed.as_ref().map(|missed| PathBuf::from(&missed.report));
    ensure!(
        missed.is_some() || !args.emit.contains(&EmitMerged::Exclusions),
        "--emit exclusions needs shards that were run with --coverage-from"
    );
    let wants_report = args.emit.contains(&EmitMerged::Lcov);
    let report = missed.filter(|_| wants_report).map(|path| coverage_from::read(&path)).transpose();
    let report = report.context("the shards were run with --coverage-from")?;
    let writes = !args.emit.is_empty() || contradictions::is_any(&run);
    let _folder = writes.then(|| output::prepare_folder(&args.output)).transpose()?;
    let command = without_shard(commands.first().map_or(command_line, Vec::as_slice));
    let about = About {
        command: &command,
        elapsed: merged.elapsed,
        interrupted: merged.interrupted,
        explores: false,
        report: report.as_ref(),
    };
    conclude(&args.test_args(), &mut run, &about, world)
}

/// In what the options of two parts differ, if they do, but for those in `own`; `first` is the report of the first one.
fn difference(one: &[String], other: &[String], first: &Path, own: &[&str]) -> Option<String> {
    let (Some(one), Some(other)) = (options(one), options(other)) else {
        return Some("the command line in this report is not one of `footpath test`".to_owned());
    };
    let command = crate::command();
    let test = command.find_subcommand("test")?;
    let compared = test.get_arguments().filter(|arg| !own.contains(&arg.get_id().as_str()));
    let (flag, of_one, of_other) = compared
        .map(|arg| {
            let words = |matches: &ArgMatches| -> Vec<String> {
                let words = matches.try_get_raw(arg.get_id().as_str()).ok().flatten().into_iter().flatten();
                words.map(|word| word.to_string_lossy().into_owned()).collect()
            };
            let name = arg.get_long().map_or_else(
                || if arg.is_last_set() { "flags behind `--`".to_owned() } else { "files".to_owned() },
                |long| format!("values of --{long}"),
            );
            (name, words(&one), words(&other))
        })
        .find(|(_, one, other)| one != other)?;
    let shown = |words: &[String]| {
        if words.is_empty() { "none".to_owned() } else { format!("`{}`", words.join(" ")) }
    };
    Some(format!(
        "this part and {} were run with different {flag}: {} and {}",
        first.display(),
        shown(&of_other),
        shown(&of_one)
    ))
}

/// The flags of a command line of `footpath test`.
fn options(command: &[String]) -> Option<ArgMatches> {
    let matches = crate::command().try_get_matches_from(command).ok()?;
    matches.subcommand_matches("test").cloned()
}

/// The command line of a part without the flags that make it one.
fn without_shard(command: &[String]) -> Vec<String> {
    const FLAGS: [&str; 3] = ["--shard", "--unit", "--balance-by"];
    let end = command.iter().position(|word| word == "--").unwrap_or(command.len());
    let mut words = command[..end].iter();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if FLAGS.contains(&word.as_str()) {
            words.next();
        } else if !FLAGS.iter().any(|flag| word.strip_prefix(flag).is_some_and(|rest| rest.starts_with('=')))
        {
            kept.push(word.clone());
        }
    }
    kept.extend_from_slice(&command[end..]);
    kept
}
