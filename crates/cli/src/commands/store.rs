//! `footpath store`: the size of a store, what nobody uses in it, and whether it is whole.

use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow, bail, ensure};
use footpath_summaries::{Place, Pruning, Remote, StoredFile, use_store_key, without_password};

use crate::args::{StoreAction, StoreAddress, StoreArgs};
use crate::{Exit, World, default_store};

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Does what is asked for. Other processes may use the store meanwhile.
pub fn run(args: &StoreArgs, world: &mut World<'_>) -> Result<Exit> {
    let limits = args.older_than.is_some() || args.max_size.is_some();
    match args.action {
        StoreAction::Prune => ensure!(limits, "`footpath store prune` needs --older-than or --max-size"),
        _ => ensure!(!limits, "--older-than and --max-size are for `footpath store prune`"),
    }
    let place = place(args.store.as_ref())?;
    let unread = |why: String| anyhow!("{place} cannot be read: {why}");
    match args.action {
        StoreAction::Size => size(&place.files().map_err(unread)?, world),
        StoreAction::Prune => {
            let older_than = args.older_than.map(|days| DAY * days);
            let pruning = Pruning { older_than, most_bytes: args.max_size, spared: HOUR };
            let removed = place.prune(SystemTime::now(), pruning).map_err(unread)?;
            let left = place.files().map_err(unread)?;
            writeln!(world.out, "removed {}, left {}", counted(&removed), counted(&left))?;
            Ok(Exit::Done)
        }
        StoreAction::Verify => {
            args.store_key.as_deref().map_or(Ok(()), use_store_key).map_err(anyhow::Error::msg)?;
            verify(&place, &place.files().map_err(unread)?, world)
        }
    }
}

/// The store that is named, or that of the working folder.
fn place(named: Option<&StoreAddress>) -> Result<Place> {
    match named {
        Some(StoreAddress::Server(url)) => {
            let remote =
                Remote::at(url).map_err(|why| anyhow!("--store {}: {why}", without_password(url)))?;
            Ok(Place::Server(remote.looked_after()))
        }
        Some(StoreAddress::Folder(folder)) => Ok(Place::Folder(folder.clone())),
        None => default_store::place().map(Place::Folder).context("the current folder cannot be read"),
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

fn verify(place: &Place, files: &[StoredFile], world: &mut World<'_>) -> Result<Exit> {
    let (mut unsound, mut checked) = (0, Vec::new());
    for file in files {
        let is_sound = place.is_sound(&file.name).map_err(|why| anyhow!("{place} cannot be read: {why}"))?;
        // What another process has removed meanwhile is none of the store's any more.
        let Some(is_sound) = is_sound else { continue };
        checked.push(file.clone());
        if !is_sound {
            unsound += 1;
            let name = &file.name;
            writeln!(
                world.err,
                "{place}/{name} is damaged or was written with another key, and is not used"
            )?;
        }
    }
    if unsound > 0 {
        bail!("{unsound} of {} files in {place} are not sound", checked.len());
    }
    writeln!(world.out, "{} are sound", counted(&checked))?;
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
