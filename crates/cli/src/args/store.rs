//! The flags of `footpath store`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{ValueEnum, ValueHint};

use super::{heading, size};

/// Flags of `footpath store`.
#[derive(Clone, Debug, clap::Args)]
pub struct StoreArgs {
    /// What to do with it
    #[arg(value_enum, value_name = "ACTION")]
    pub action: StoreAction,

    /// The store, a folder or a server as for `footpath test`; by default `.footpath`, beside footpath.toml or else in the working folder
    #[arg(long, value_name = "DIR|URL", value_parser = store_address(), value_hint = ValueHint::AnyPath, help_heading = heading::WHAT)]
    pub store: Option<StoreAddress>,

    /// The key that it was written with, as for `footpath test`
    #[arg(long, value_name = "FILE", help_heading = heading::WHAT)]
    pub store_key: Option<PathBuf>,

    /// With `prune`: remove what nobody used for so many days; of object storage, what was written so long ago
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

/// Where a store is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreAddress {
    /// A folder.
    Folder(PathBuf),
    /// A URL.
    Server(String),
}

impl From<OsString> for StoreAddress {
    fn from(text: OsString) -> StoreAddress {
        match text.to_str().filter(|text| text.contains("://")) {
            Some(url) => StoreAddress::Server(url.to_owned()),
            None => StoreAddress::Folder(text.into()),
        }
    }
}

/// What reads such an address.
pub fn store_address() -> impl TypedValueParser<Value = StoreAddress> {
    OsStringValueParser::new().map(StoreAddress::from)
}
