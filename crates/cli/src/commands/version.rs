//! `footpath --version`: ours, and the solver's.

use anyhow::Result;
use footpath_smt::{Solver, Z3};

use crate::{Exit, World};

/// Prints the versions.
pub fn run(world: &mut World<'_>) -> Result<Exit> {
    writeln!(world.out, "footpath {}", env!("CARGO_PKG_VERSION"))?;
    match Z3::new(None) {
        Ok(z3) => {
            writeln!(world.out, "{}", z3.name())?;
            Ok(Exit::Done)
        }
        Err(why) => anyhow::bail!("Z3 cannot be used: {why}"),
    }
}
