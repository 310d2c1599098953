//! The flags of `footpath store`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{heading, size};

/// Flags of `footpath store`.
#[derive(Clone, Debug, clap::Args)]
pub struct StoreArgs {
    /// What to do with it
    #[arg(value_enum, value_name = "ACTION")]
    pub action: StoreAction,

    /// The store; by default `.footpath`, beside footpath.toml or else in the working folder
    #[arg(long, value_name = "DIR", help_heading = heading::WHAT)]
    pub store: Option<PathBuf>,

    /// The key that it was written with, as for `footpath test`
    #[arg(long, value_name = "FILE", help_heading = heading::WHAT)]
    pub store_key: Option<PathBuf>,

    /// With `prune`: remove what nobody used for so many days
    #[arg(long, value_name = "DAYS", help_heading = heading::LIMITS)]
    pub older_than: Option<u32>,

    /// With `prune`: remove what was used longest ago until the rest has no more than so many bytes, with K, M or G behind the number. What
    /// was used within an hour stays
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = heading::LIMITS)]
    pub max_size: Option<u64>,
}

/// What can be done with a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StoreAction {
    /// Say how many files and bytes it has, and since when they were used
    Size,
    /// Remove what nobody needs
    Prune,
    /// Look whether all files are whole and written with the key; exit code 2 if one is not
    Verify,
}
