//! The command line of Footpath: flags, files in and out, progress, exit codes.
//!
//! | idea | file |
//! |---|---|
//! | all flags, with their documentation | `args.rs` |
//! | the book's page of flags, made from them | `book.rs` |
//! | exit codes, and what happens on a panic | `exit.rs` |
//! | reading files | `input.rs` |
//! | lines of a diff, or since a commit | `changes.rs` |
//! | the coverage report that a run starts from | `coverage_from.rs` |
//! | files and flags from a build system | `compile_commands.rs` |
//! | flags of a project, from a file | `config.rs` |
//! | the folder of results that nobody has named | `default_store.rs` |
//! | response files | `compiler_flags.rs` |
//! | which language files are in | `language.rs` |
//! | writing results into a folder | `output.rs`, `suite.rs` |
//! | progress on a terminal | `progress.rs` |
//! | temporary folders, and those of killed runs | `work_folder.rs` |
//! | control characters in output | `terminal_escapes.rs` |
//! | Z3 in a process of its own, after a crash | `solver_process.rs` |
//! | aborts and lack of memory as exit codes | `supervision.rs` |
//! | one file for each command | `commands/` |
//!
//! **Invariants:** nothing below this crate reads arguments, prints or ends the process; nothing in this crate
//! but `main.rs` touches the process's own output, so that tests run commands in process. No other crate
//! knows anyhow.

pub mod args;
pub mod baseline;
mod book;
mod changes;
mod commands;
pub mod compile_commands;
mod compiler_flags;
pub mod config;
mod contradictions;
mod corpora;
mod coverage_from;
mod default_store;
pub mod exit;
mod input;
mod language;
mod output;
mod progress;
mod seeds;
pub mod solver_process;
mod suite;
pub mod supervision;
pub mod terminal_escapes;
mod work_folder;

use std::ffi::OsString;
use std::io::Write;
use std::sync::atomic::AtomicBool;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches};

pub use args::Args;
pub use book::flags_page;
pub use exit::Exit;

/// What a command sees of the world.
pub struct World<'a> {
    /// For results.
    pub out: &'a mut dyn Write,
    /// For diagnostics and remarks.
    pub err: &'a mut dyn Write,
    /// What kind of thing these are.
    pub terminal: Terminal,
    /// Set when the user wants an end.
    pub stop: &'a AtomicBool,
}

/// What is known of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terminal {
    /// Whether results go to a terminal that shows colours.
    pub out_color: bool,
    /// Whether diagnostics go to a terminal that shows colours.
    pub err_color: bool,
    /// Whether diagnostics go to a terminal, so that progress can be shown.
    pub err_is_terminal: bool,
    /// The number of columns.
    pub width: usize,
}

impl Terminal {
    /// No terminal: a pipe or a file, 100 columns wide.
    pub const NONE: Terminal =
        Terminal { out_color: false, err_color: false, err_is_terminal: false, width: 100 };
}

/// All commands and flags, as clap knows them.
pub fn command() -> clap::Command {
    Args::command()
}

/// A word of the command line as reports may have it: without the password of a store.
fn shown(word: &str) -> String {
    let (before, url) = word.split_at(word.find("redis://").unwrap_or(word.len()));
    format!("{before}{}", footpath_summaries::without_password(url))
}

/// Runs the command line `args`, program name first.
pub fn run(args: &[OsString], world: &mut World<'_>) -> Exit {
    let here = std::env::current_dir().unwrap_or_default();
    let args = match config::applied(args, &here) {
        Ok(args) => args,
        Err(why) => {
            let _ = writeln!(world.err, "error: {why:#}");
            return Exit::BadInput;
        }
    };
    let parsed = command().try_get_matches_from(&args).and_then(|m| Args::from_arg_matches(&m));
    let parsed = parsed.and_then(Args::validated);
    let result = match parsed {
        Ok(parsed) => {
            let command_line: Vec<String> = args.iter().map(|a| shown(&a.to_string_lossy())).collect();
            supervision::limit_memory(parsed.memory);
            commands::run(&parsed, &command_line, world)
        }
        Err(e) => explain(&with_other_commands(e, &args), world).map_err(anyhow::Error::from),
    };
    result.unwrap_or_else(|e| {
        // The reader of our output went away, as `head` does: nobody is left to tell.
        if e.chain().any(is_broken_pipe) {
            return Exit::Done;
        }
        let _ = writeln!(world.err, "error: {e:#}");
        Exit::BadInput
    })
}

/// The error about a flag that the command does not have, with the commands that have it and flags of this one with its name in theirs,
/// in place of the tip that it may be a value: `failures --runs` bounds the runs of a segment, and `explore` has `--max-runs`.
fn with_other_commands(mut error: clap::Error, args: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return error };
    let Some(name) = flag.strip_prefix("--").map(str::to_owned) else { return error };
    let commands = command();
    let has = |of: &clap::Command, is_it: &dyn Fn(&str) -> bool| -> Vec<String> {
        of.get_arguments().filter_map(|a| a.get_long()).filter(|l| is_it(l)).map(str::to_owned).collect()
    };
    let others = commands.get_subcommands().filter(|of| !has(of, &|long| long == name).is_empty());
    let others: Vec<String> = others.map(|of| format!("`{}`", of.get_name())).collect();
    let is_unknown = error.kind() == clap::error::ErrorKind::UnknownArgument;
    if !is_unknown || others.is_empty() || error.get(ContextKind::SuggestedArg).is_some() {
        return error;
    }
    let own = args.iter().skip(1).find_map(|a| commands.find_subcommand(a));
    let longer = own.map(|of| has(of, &|long| long.split('-').any(|word| word == name))).unwrap_or_default();
    let mut tips = vec![format!("`--{name}` is a flag of {}", others.join(", "))];
    tips.extend(own.filter(|_| !longer.is_empty()).map(|of| {
        let flags: Vec<String> = longer.iter().map(|long| format!("`--{long}`")).collect();
        format!("`{}` has {}", of.get_name(), flags.join(", "))
    }));
    error
        .insert(ContextKind::Suggested, ContextValue::StyledStrs(tips.into_iter().map(Into::into).collect()));
    error
}

/// Prints what clap has to say: help to the one side, usage errors to the other.
fn explain(error: &clap::Error, world: &mut World<'_>) -> std::io::Result<Exit> {
    let text = error.render();
    if error.use_stderr() {
        let color = world.terminal.err_color;
        if color {
            write!(world.err, "{}", text.ansi())?;
        } else {
            write!(world.err, "{text}")?;
        }
        Ok(Exit::BadInput)
    } else {
        let color = world.terminal.out_color;
        if color {
            write!(world.out, "{}", text.ansi())?;
        } else {
            write!(world.out, "{text}")?;
        }
        Ok(Exit::Done)
    }
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
