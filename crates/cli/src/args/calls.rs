//! Flags about what stands for calls.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use footpath_driver::Calls as Standing;
use footpath_summaries::{Mode, Recheck, Storage};

use super::heading;
use super::store::{StoreAddress, store_address};
use crate::default_store;

/// Flags about what stands for calls.
#[derive(Clone, Debug, clap::Args)]
pub struct CallsArgs {
    /// What stands for a call in proofs: the callee's body, or a summary of the callee that is refined where a verdict
    /// depends on it. All of them give the same verdicts; a summary may prove without a bound what is otherwise proved
    /// within it
    #[arg(long, value_enum, default_value_t, help_heading = heading::CALLS)]
    pub calls: Calls,

    /// Keep summaries, verdicts and tests in this folder, for later runs with the same flags; several processes may share it.
    /// For C it is by default `.footpath`, beside footpath.toml or else in the working folder. A URL names a server behind that folder, for many
    /// machines: `redis://host:port/database`, or `s3://bucket/prefix` with the variables AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID,
    /// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN
    #[arg(long, value_name = "DIR|URL", value_parser = store_address(), value_hint = ValueHint::AnyPath, help_heading = heading::CALLS)]
    pub store: Option<StoreAddress>,

    /// Believe what is stored only if it was written with the key in this file, of 32 bytes or more, instead of a
    /// key of the user that is made when it is first needed
    #[arg(long, value_name = "FILE", help_heading = heading::CALLS)]
    pub store_key: Option<PathBuf>,

    /// Analyse this share of the functions anew, whatever is stored of them, and compare: a stored proof that a run contradicts
    /// is an internal error, and is removed. Which functions these are follows from their names
    #[arg(long, value_name = "N%", default_value = "0%", value_parser = percent, hide_default_value = true, help_heading = heading::CALLS)]
    pub recheck: Recheck,

    /// Neither read nor write a store
    #[arg(long, help_heading = heading::CALLS)]
    pub no_store: bool,
}

impl CallsArgs {
    /// With this in the place of calls, and no store.
    pub fn of(calls: Calls) -> CallsArgs {
        CallsArgs { calls, store: None, store_key: None, recheck: Recheck::default(), no_store: false }
    }

    /// Makes stores use the key that is named.
    ///
    /// # Errors
    /// If there is none in the file.
    pub fn use_key(&self) -> anyhow::Result<()> {
        let used = self.store_key.as_deref().map_or(Ok(()), footpath_summaries::use_store_key);
        used.map_err(anyhow::Error::msg)
    }

    /// The store that is named, if there is to be one.
    ///
    /// # Errors
    /// If it is on a server that we may not use.
    pub fn storage(&self) -> anyhow::Result<Option<Storage>> {
        let named = self.store.as_ref().filter(|_| !self.no_store);
        named.map(default_store::storage).transpose()
    }

    /// Whether nothing is said of a store.
    pub fn takes_default_store(&self) -> bool {
        self.store.is_none() && !self.no_store
    }
}

fn percent(text: &str) -> Result<Recheck, String> {
    let number = text.strip_suffix('%').unwrap_or(text).parse::<u8>().ok().filter(|share| *share <= 100);
    number.map(Recheck::percent).ok_or_else(|| "a share is a whole number of percent, such as 5%".to_owned())
}

impl Calls {
    /// What stands for calls, if not bodies.
    pub fn standing(self) -> Option<Standing> {
        match self {
            Calls::Inline => None,
            Calls::Concrete => Some(Standing::Summaries(Mode::Concrete)),
            Calls::Symbolic => Some(Standing::Summaries(Mode::Symbolic)),
            Calls::Auto => Some(Standing::Summaries(Mode::Auto)),
            Calls::Conditions => Some(Standing::Conditions),
        }
    }
}

/// What stands for calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Calls {
    /// The bodies of all callees
    #[default]
    Inline,
    /// A few inputs of each callee with what it does on them, more where they do not suffice, and in the end its paths
    Concrete,
    /// The paths of each callee, each with its condition and its effect
    Symbolic,
    /// The bodies of small callees, the paths of the others
    Auto,
    /// The condition under which each callee fails, and what it does otherwise, where both are known exactly, for any number
    /// of loop iterations; the bodies of the others
    Conditions,
}
