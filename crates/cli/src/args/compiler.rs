//! Flags of all commands that read C about how its files are compiled.

use std::path::PathBuf;

use super::heading;

/// How C files are compiled.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct CompilerArgs {
    /// Take files and their flags from this compilation database, or from compile_commands.json in this folder, as
    /// build systems write it; files that are named are those of it that are wanted
    #[arg(long, value_name = "FILE", help_heading = heading::FOR_C)]
    pub compile_commands: Option<PathBuf>,

    /// The C compiler; by default the newest clang on the search path
    #[arg(long, value_name = "PROGRAM", help_heading = heading::FOR_C)]
    pub clang: Option<String>,

    /// Flags for the C compiler, behind `--`; `@FILE` stands for the flags in a file
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}
