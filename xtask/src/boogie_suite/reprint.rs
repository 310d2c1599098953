//! Programs as Boogie prints them: the same programs in forms that people and translators rarely write.

use super::verdict;
use std::path::{Path, PathBuf};

/// A name for the form, and Boogie's flag for it.
const FORMS: &[(&str, &str)] = &[("desugared", "/printDesugared"), ("blocks", "/printUnstructured")];

/// Writes each program in each form to the folder.
pub fn write(programs: &[PathBuf], folder: &Path) -> Result<(), String> {
    for program in programs {
        let stem = program.file_stem().unwrap_or_default().to_string_lossy();
        for (form, flag) in FORMS {
            let output = folder.join(format!("{stem}-{form}.bpl"));
            let print = format!("/print:{}", output.display());
            // What it wrote is asked about like any program, so that nothing need be checked here.
            verdict::boogie()
                .args([print.as_str(), flag])
                .arg(program)
                .output()
                .map_err(|error| format!("cannot run Boogie: {error}"))?;
        }
    }
    Ok(())
}
