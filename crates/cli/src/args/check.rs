//! The flags of `footpath check`.

use std::path::PathBuf;

use super::{Color, CompilerArgs, heading};

/// Flags of `footpath check`.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArgs {
    /// The files: Boogie programs (.bpl), which are read as one program, or C files
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print the program as Footpath understands it, as .bpl
    #[arg(long, help_heading = heading::OUTPUT)]
    pub print: bool,

    /// Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies
    #[arg(long, help_heading = heading::FOR_BOOGIE)]
    pub infer_modifies: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub color: Color,

    /// How C files are compiled
    #[command(flatten)]
    pub compiler: CompilerArgs,
}
