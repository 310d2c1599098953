//! Files of results, in folders that are made on the way.

use std::fs;
use std::io;
use std::path::Path;

/// Writes a file atomically. Folders on the way are made.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
    footpath_atomic_write::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_on_the_way_are_made() {
        let folder = std::env::temp_dir().join(format!("footpath-bench-{}-output", std::process::id()));
        let path = folder.join("deep/table.csv");
        write_atomically(&path, "text").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("there"), "text");
        assert!(write_atomically(&folder, "text").is_err(), "a folder is in the way");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
