//! `compile_commands.json`, as build systems write it. It is read here because JSON is.

use serde::Deserialize;

/// A command of a build.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    /// Where it runs.
    pub directory: String,
    /// The file it compiles, relative to there.
    pub file: String,
    /// The command line in one piece, as the shell reads it.
    #[serde(default)]
    pub command: String,
    /// The command line in words; empty if it is there in one piece.
    #[serde(default)]
    pub arguments: Vec<String>,
}

/// The commands.
///
/// # Errors
/// If the text is not such a file.
pub fn parse(text: &str) -> Result<Vec<Entry>, serde_json::Error> {
    serde_json::from_str(text)
}
