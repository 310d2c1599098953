//! Flags about which findings are shown, and how much of the rest, the same for all commands that test C.

use super::heading;

/// Flags about what the text says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::Args)]
pub struct ShownArgs {
    /// Print all there is to say, instead of what fits on a screen
    #[arg(long, help_heading = heading::OUTPUT)]
    pub verbose: bool,

    /// Count every check that a test makes fail as failing, also where callers can avoid it, which otherwise makes it a
    /// precondition of the function
    #[arg(long, help_heading = heading::OUTPUT)]
    pub strict: bool,
}
