//! `footpath store`: the size of a store, what nobody uses in it, and whether it is whole.

use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail, ensure};
use footpath_summaries::{Pruning, StoredFile, is_sound, prune, stored_files, use_store_key};

use crate::args::{StoreAction, StoreArgs};
use crate::{Exit, World, default_store};

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Does what is asked for. Other processes may use the store meanwhile.
pub fn run(args: &StoreArgs, world: &mut World<'_>) -> Result<Exit> {
    let folder =
        args.store.clone().or_else(default_store::place).context("the current folder cannot be read")?;
    let limits = args.older_than.is_some() || args.max_size.is_some();
    match args.action {
        StoreAction::Prune => ensure!(limits, "`footpath store prune` needs --older-than or --max-size"),
        _ => ensure!(!limits, "--older-than and --max-size are for `footpath store prune`"),
    }
    let unread = || format!("{} cannot be read", folder.display());
    match args.action {
        StoreAction::Size => size(&stored_files(&folder).with_context(unread)?, world),
        StoreAction::Prune => {
            let older_than = args.older_than.map(|days| DAY * days);
            let pruning = Pruning { older_than, most_bytes: args.max_size, spared: HOUR };
            let removed = prune(&folder, SystemTime::now(), pruning).with_context(unread)?;
            let left = stored_files(&folder).with_context(unread)?;
            writeln!(world.out, "removed {}, left {}", counted(&removed), counted(&left))?;
            Ok(Exit::Done)
        }
        StoreAction::Verify => {
            args.store_key.as_deref().map_or(Ok(()), use_store_key).map_err(anyhow::Error::msg)?;
            verify(&folder, &stored_files(&folder).with_context(unread)?, world)
        }
    }
}

fn size(files: &[StoredFile], world: &mut World<'_>) -> Result<Exit> {
    writeln!(world.out, "{}", counted(files))?;
    let day = |file: &StoredFile| {
        let age = SystemTime::now().duration_since(file.used).unwrap_or_default();
        match age.as_secs() / DAY.as_secs() {
            0 => "less than a day ago".to_owned(),
            1 => "a day ago".to_owned(),
            days => format!("{days} days ago"),
        }
    };
    if let (Some(last), Some(first)) = (files.first(), files.last()) {
        writeln!(world.out, "used last {}, and the oldest file {}", day(last), day(first))?;
    }
    Ok(Exit::Done)
}

fn verify(folder: &Path, files: &[StoredFile], world: &mut World<'_>) -> Result<Exit> {
    // What another process has removed meanwhile is none of the store's any more.
    let checked: Vec<(&StoredFile, bool)> =
        files.iter().filter_map(|file| Some((file, is_sound(&file.path)?))).collect();
    let unsound: Vec<&StoredFile> = checked.iter().filter(|(_, good)| !good).map(|(file, _)| *file).collect();
    for file in &unsound {
        writeln!(
            world.err,
            "{} is damaged or was written with another key, and is not used",
            file.path.display()
        )?;
    }
    if !unsound.is_empty() {
        bail!("{} of {} files in {} are not sound", unsound.len(), checked.len(), folder.display());
    }
    writeln!(world.out, "{} are sound", counted(files))?;
    Ok(Exit::Done)
}

/// How many files these are, and how large they are together.
fn counted(files: &[StoredFile]) -> String {
    let bytes: u64 = files.iter().map(|file| file.bytes).sum();
    let kib = bytes.div_ceil(1 << 10);
    let size = if kib < 10_000 { format!("{kib} KiB") } else { format!("{} MiB", kib.div_ceil(1 << 10)) };
    let what = if files.len() == 1 { "file" } else { "files" };
    format!("{} {what} ({size})", files.len())
}
