//! The functions that a run would test, in JSON: what `footpath test --list` writes and `--unit` reads.

use footpath_driver::{ListedFunction, Unit};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read::{Unreadable, no_json};
use crate::json::pretty;

/// The name of the format; changes when readers of the old one would break.
pub const SCHEMA: &str = "footpath-functions-1";

/// The result of `footpath test --list --format json`. A work unit is a file of the same form, of which only the names and the files of
/// functions are read.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Functions {
    /// The format: `footpath-functions-1`. A reader should refuse a name it does not know.
    pub schema: String,
    /// The functions, in the order of the files.
    pub functions: Vec<Function>,
    /// How many files could not be compiled.
    #[serde(default)]
    pub files_left_out: usize,
}

/// A function with a body.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Function {
    /// The file that it stands in.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Its line, from 1.
    #[serde(default)]
    pub line: u32,
    /// How many blocks it has: a guess of what it costs.
    #[serde(default)]
    pub blocks: usize,
}

/// A list of functions as JSON.
pub fn to_text(functions: &[ListedFunction], files_left_out: usize) -> String {
    let function = |f: &ListedFunction| Function {
        file: f.file.clone(),
        name: f.name.clone(),
        line: f.line,
        blocks: f.blocks,
    };
    let functions = functions.iter().map(function).collect();
    pretty(&Functions { schema: SCHEMA.to_owned(), functions, files_left_out })
}

/// The functions that a work unit names.
///
/// # Errors
/// If the text is no such list, with the place.
pub fn unit(text: &str) -> Result<Unit, Unreadable> {
    let list: Functions =
        serde_json::from_str(text).map_err(|why| no_json("no list of `footpath test --list`", &why))?;
    if list.schema != SCHEMA {
        return Err(format!("this is a list in the format `{}`, not in `{SCHEMA}`", list.schema).into());
    }
    Ok(list.functions.into_iter().map(|f| (f.file, f.name)).collect())
}

/// The JSON schema of lists.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    pretty(&schemars::schema_for!(Functions))
}
