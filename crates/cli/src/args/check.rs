//! The flags of `footpath check`.

use std::path::PathBuf;

use super::{Color, heading};

/// Flags of `footpath check`.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArgs {
    /// The files: Boogie programs (.bpl), which are read as one program, or C files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print the program as Footpath understands it, as .bpl
    #[arg(long, help_heading = heading::OUTPUT)]
    pub print: bool,

    /// Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies
    #[arg(long, help_heading = heading::FOR_BOOGIE)]
    pub infer_modifies: bool,

    /// The C compiler; by default the newest clang on the search path
    #[arg(long, value_name = "PROGRAM", help_heading = heading::FOR_C)]
    pub clang: Option<String>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub color: Color,

    /// Flags for the C compiler, behind `--`; `@FILE` stands for the flags in a file
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}
