//! Headings under which help texts group flags, the same for all commands.

pub const CONFIGURATION: &str = "Configuration";
pub const WHAT: &str = "What is analysed";
pub const LIMITS: &str = "Limits";
pub const SEARCH: &str = "Search";
pub const CALLS: &str = "Calls";
pub const SOLVER: &str = "Solver";
pub const OUTPUT: &str = "Output";
pub const FOR_C: &str = "For C files";
pub const FOR_BOOGIE: &str = "For Boogie programs only";
