//! Files that are complete or not there.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file under another name first and renames it, so that nobody ever sees half of it. Folders on
/// the way are made.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}", std::process::id()));
    let temporary = folder.join(hidden);
    let written = fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = std::env::temp_dir().join(format!("footpath-bench-{}-output", std::process::id()));
        let path = folder.join("deep/table.csv");
        write_atomically(&path, "old").expect("written");
        write_atomically(&path, "new").expect("written again");
        assert_eq!(fs::read_to_string(&path).expect("there"), "new");
        let names: Vec<_> = fs::read_dir(folder.join("deep")).expect("there").collect();
        assert_eq!(names.len(), 1);
        assert!(write_atomically(&folder, "text").is_err(), "a folder is in the way");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
