//! `footpath.toml`: flags of a project, so that they need not be typed.
//!
//! **Idea.** Keys are the long flags without their dashes, in a table for each command; keys before the first table hold for all
//! commands that have such a flag. The file is looked for in the working folder and upwards. What it says becomes words of the command
//! line, so there is one reader of values and one place for defaults; flags that the user typed win, over the ones that they
//! exclude, too. Paths are relative to the file.
//!
//! ```toml
//! timeout = 20
//! [test]
//! compile-commands = "build"
//! deny = ["failing", "infeasible"]
//! ```
//!
//! A file comes with a project that may not be trusted, so no key names a program to start, a key of trust or a server, or
//! keeps a run from ending.

use std::any::TypeId;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail, ensure};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::StoreAddress;
use crate::commands::there_is;
use crate::coverage_from::text;

/// The name of the file.
pub const NAME: &str = "footpath.toml";
/// Larger files are refused.
const MAX_BYTES: u64 = 1 << 20;
/// The flags that are no keys.
const NOT_FROM_FILES: [&str; 9] =
    ["clang", "solver", "cross-check", "store-key", "cbmc", "watch", "no-config", "help", "version"];

/// The words of a command line, with those that the file of the project says behind the command's name.
///
/// # Errors
/// If the file cannot be read, is no TOML, or has a key that is none; with the place.
pub fn applied(args: &[OsString], here: &Path) -> Result<Vec<OsString>> {
    let unchanged = || Ok(args.to_vec());
    // What is wrong with the command line is said later.
    let Ok(typed) = crate::command().ignore_errors(true).try_get_matches_from(args) else {
        return unchanged();
    };
    let Some((name, typed)) = typed.subcommand() else { return unchanged() };
    let is_off = typed.try_get_one::<bool>("no_config").ok().flatten() == Some(&true);
    let mut root = crate::command();
    root.build();
    let has_keys = root.find_subcommand(name).is_some_and(|command| keys(command).next().is_some());
    let Some(at) = args.iter().skip(1).position(|word| word == name) else { return unchanged() };
    let Some(path) = find(here).filter(|_| !is_off && has_keys) else { return unchanged() };
    let source = text(&path, MAX_BYTES)?;
    let words = words(&source, (&root, name), typed, path.parent().filter(|folder| *folder != here));
    let words = words.map_err(|(at, why)| anyhow!("{}:{}: {why}", path.display(), place(&source, &at)))?;
    let (before, behind) = args.split_at(at + 2);
    Ok([before, &words, behind].concat())
}

/// The file in a folder or the nearest one above it.
pub fn find(here: &Path) -> Option<PathBuf> {
    here.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

/// Where something is wrong, and what.
type Wrong = (Range<usize>, String);

/// The words for a command. Paths are relative to `folder`.
fn words(
    text: &str,
    (root, name): (&Command, &str),
    typed: &ArgMatches,
    folder: Option<&Path>,
) -> Result<Vec<OsString>, Wrong> {
    let table = DeTable::parse(text)
        .map_err(|why| (why.span().unwrap_or(0..0), why.message().replace('\n', ", ")))?
        .into_inner();
    let mut common = Vec::new();
    let mut own = Vec::new();
    for (key, value) in &table {
        match value.get_ref() {
            DeValue::Table(flags) => {
                let command = command_named(root, key)?;
                for (key, value) in flags {
                    let arg = flag_named(&[command], key)?;
                    if command.get_name() == name {
                        own.push((arg, value));
                    }
                }
            }
            _ => {
                let commands: Vec<&Command> = root.get_subcommands().collect();
                flag_named(&commands, key)?;
                let of_it = root.find_subcommand(name).and_then(|command| with_name(command, key.get_ref()));
                common.extend(of_it.map(|arg| (arg, value)));
            }
        }
    }
    let is_own = |arg: &Arg| own.iter().any(|(other, _)| other.get_id() == arg.get_id());
    common.retain(|(arg, _)| !is_own(arg));
    let is_typed = |arg: &Arg| typed.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let command = root.find_subcommand(name);
    let mut words = Vec::new();
    for (arg, value) in common.into_iter().chain(own) {
        let excluded = command.is_some_and(|c| {
            c.get_arguments().filter(|other| is_typed(other)).any(|other| {
                let excludes =
                    |a: &Arg, b: &Arg| c.get_arg_conflicts_with(a).iter().any(|x| x.get_id() == b.get_id());
                excludes(other, arg) || excludes(arg, other)
            })
        });
        if !is_typed(arg) && !excluded {
            words.extend(of_value(arg, value, folder)?);
        }
    }
    Ok(words)
}

/// The flags of a command that are keys.
fn keys(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| {
        !arg.is_hide_set() && arg.get_long().is_some_and(|long| !NOT_FROM_FILES.contains(&long))
    })
}

fn with_name<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    let is_named = |arg: &&Arg| {
        arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|names| names.contains(&name))
    };
    keys(command).find(is_named)
}

fn command_named<'c>(root: &'c Command, key: &Spanned<impl AsRef<str>>) -> Result<&'c Command, Wrong> {
    let name = key.get_ref().as_ref();
    root.get_subcommands().find(|c| c.get_name() == name && keys(c).next().is_some()).ok_or_else(|| {
        let names: Vec<&str> =
            root.get_subcommands().filter(|c| keys(c).next().is_some()).map(Command::get_name).collect();
        (key.span(), format!("`{name}` is no command with flags; {}", there_is(name, &names)))
    })
}

/// The flag of a name in the first of these commands that has it.
fn flag_named<'c>(commands: &[&'c Command], key: &Spanned<impl AsRef<str>>) -> Result<&'c Arg, Wrong> {
    let name = key.get_ref().as_ref();
    if let Some(arg) = commands.iter().find_map(|command| with_name(command, name)) {
        return Ok(arg);
    }
    if NOT_FROM_FILES.contains(&name) {
        let why =
            format!("`{name}` is only taken from the command line, as this file may come from somebody else");
        return Err((key.span(), why));
    }
    let mut names: Vec<&str> = commands.iter().flat_map(|c| keys(c)).filter_map(Arg::get_long).collect();
    names.sort_unstable();
    names.dedup();
    let of = match commands {
        [command] => format!(" of `footpath {}`", command.get_name()),
        _ => String::new(),
    };
    Err((key.span(), format!("`{name}` is no flag{of}; {}", there_is(name, &names))))
}

/// The words that a value becomes.
fn of_value(arg: &Arg, value: &Spanned<DeValue<'_>>, folder: Option<&Path>) -> Result<Vec<OsString>, Wrong> {
    let long = arg.get_long().unwrap_or_default();
    let takes = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let wrong = |what: &str| Err((value.span(), format!("expected {what} for `{long}`")));
    let is_optional = arg.get_num_args().is_some_and(|range| range.min_values() == 0);
    let written = match value.get_ref() {
        DeValue::Array(items) if takes => {
            let words = items.iter().map(|item| match item.get_ref() {
                DeValue::Array(_) => Err((item.span(), "expected a text or a number".to_owned())),
                _ => of_value(arg, item, folder),
            });
            return Ok(words.collect::<Result<Vec<_>, _>>()?.concat());
        }
        DeValue::Boolean(is_on) if !takes || is_optional => {
            return Ok(if *is_on { vec![format!("--{long}").into()] } else { Vec::new() });
        }
        _ if !takes => return wrong("true or false"),
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        _ => return wrong("a text, a number or a list of these"),
    };
    let value_type = arg.get_value_parser().type_id();
    let is_store = value_type == TypeId::of::<StoreAddress>();
    if is_store && matches!(StoreAddress::from(OsString::from(&written)), StoreAddress::Server(_)) {
        let why = "a store on a server is only taken from the command line, as this file may come from somebody else";
        return Err((value.span(), why.to_owned()));
    }
    let is_path = is_store || value_type == TypeId::of::<PathBuf>();
    let mut word = OsString::from(format!("--{long}="));
    match folder.filter(|_| is_path) {
        Some(folder) => word.push(folder.join(written)),
        None => word.push(written),
    }
    Ok(vec![word])
}

/// `line:column` of a place in a text.
fn place(text: &str, at: &Range<usize>) -> String {
    let before = text.get(..at.start.min(text.len())).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
    format!("{line}:{column}")
}

/// Writes a file with all keys as comments into a folder.
///
/// # Errors
/// If there is one, or it cannot be written.
pub fn init(folder: &Path) -> Result<PathBuf> {
    let path = folder.join(NAME);
    ensure!(std::fs::symlink_metadata(&path).is_err(), "there is a {NAME} here, which is not replaced");
    let written = footpath_atomic_write::write(&path, template());
    if let Err(why) = written {
        bail!("{} cannot be written: {why}", path.display());
    }
    Ok(path)
}

/// A file in which everything is a comment but the names of tables.
fn template() -> String {
    let mut text = String::from(
        "# Flags of `footpath` for this folder and those below it; `footpath COMMAND --help` says more.\n\
         # What is typed on the command line wins, and --no-config leaves this file out.\n\
         # Keys before the first table hold for all commands that have such a flag. Paths are relative to this file.\n",
    );
    let mut root = crate::command();
    root.build();
    for command in root.get_subcommands().filter(|c| c.get_name() != "help" && keys(c).next().is_some()) {
        let _ = write!(text, "\n[{}]\n", command.get_name());
        for arg in keys(command) {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let _ = write!(
                text,
                "\n# {}\n#{} = {}\n",
                help.replace('\n', " "),
                arg.get_long().unwrap_or_default(),
                example(arg)
            );
        }
    }
    text
}

/// The default of a flag, or what stands for its value, as TOML.
fn example(arg: &Arg) -> String {
    if !matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) {
        return "true".to_owned();
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|v| v.to_string_lossy().into_owned()).collect();
    let name = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let literal = |text: &str| match text.parse::<f64>() {
        Ok(_) => text.to_owned(),
        Err(_) => format!("{text:?}"),
    };
    let value = defaults.first().cloned().or(name).unwrap_or_default();
    if matches!(arg.get_action(), ArgAction::Append) {
        format!("[{}]", literal(&value))
    } else {
        literal(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str, typed: &[&str]) -> Result<Vec<String>, String> {
        let mut root = crate::command();
        root.build();
        let line = ["footpath"].iter().chain(typed);
        let matches = crate::command().ignore_errors(true).try_get_matches_from(line).expect("words");
        let (name, typed) = matches.subcommand().expect("a command");
        let found = words(text, (&root, name), typed, Some(Path::new("up")));
        let found = found.map_err(|(at, why)| format!("{}: {why}", place(text, &at)))?;
        Ok(found.iter().map(|word| word.to_string_lossy().into_owned()).collect())
    }

    #[test]
    fn keys_become_flags_and_typed_ones_win() {
        let text = "timeout = 2.5\nunwind = 7\n[test]\nunwind = 9\ndeny = ['failing', 'infeasible']\nstrict = true\n\
                    verbose = false\nfails-when = true\noutput = 'out'\n[cover]\njobs = 3\n";
        let all = [
            "--timeout=2.5",
            "--unwind=9",
            "--deny=failing",
            "--deny=infeasible",
            "--strict",
            "--fails-when",
            "--output=up/out",
        ];
        let mut found = with(text, &["test", "a.c"]).expect("flags");
        found.sort_unstable();
        let mut sorted = all.to_vec();
        sorted.sort_unstable();
        assert_eq!(found, sorted);
        let typed =
            with(text, &["test", "a.c", "--unwind", "1", "--deny=unknown", "-o", "x", "--run-externals"]);
        let typed = typed.expect("flags");
        // One that a typed flag excludes is left out, too.
        assert_eq!(typed, ["--timeout=2.5", "--strict"]);
        assert_eq!(with(text, &["reach", "a.c"]).expect("flags"), ["--timeout=2.5"]);
    }

    #[test]
    fn what_is_wrong_in_a_file_is_located() {
        for (text, words) in [
            ("timeout = \n", "1:11: "),
            ("[test]\ntimeuot = 3\n", "2:1: `timeuot` is no flag of `footpath test`; there is timeout"),
            ("\ntimeuot = 3\n", "2:1: `timeuot` is no flag; there is timeout"),
            ("[tset]\n", "1:2: `tset` is no command with flags; there is test"),
            ("[test]\nclang = 'x'\n", "2:1: `clang` is only taken from the command line"),
            ("[test]\nstrict = 3\n", "2:10: expected true or false for `strict`"),
            ("[test]\ntimeout = true\n", "2:11: expected a text, a number or a list"),
            ("[test]\ndeny = [['x']]\n", "2:9: expected a text or a number"),
            ("[test.more]\nx = 1\n", "1:7: `more` is no flag"),
        ] {
            let why = with(text, &["test", "a.c"]).expect_err(text);
            assert!(why.starts_with(words), "{text}: {why}");
        }
    }

    #[test]
    fn the_template_has_keys_that_are_understood() {
        let uncommented: Vec<&str> = template()
            .leak()
            .lines()
            .map(|line| line.strip_prefix('#').filter(|l| !l.starts_with(' ')).unwrap_or(line))
            .collect();
        let text = uncommented.join("\n");
        assert!(text.contains("\ntimeout = 10\n") && text.contains("\nstrict = true\n"), "{text}");
        let found = with(&text, &["test", "a.c"]);
        assert!(found.is_ok_and(|words| words.len() > 20), "{text}");
        assert_eq!(with(&template(), &["test", "a.c"]), Ok(Vec::new()));
    }
}
