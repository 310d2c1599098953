//! Access control for source files: which of the files that debug information names may be read and shown.
//!
//! The names in debug information are the program's claim: `#line 1 "/proc/self/environ"` makes any file look like a
//! source, and what is read ends in reports. So a file is read only if the compiler has read it, by its own list of
//! dependencies, or if it is in a folder of the project, where generators leave what `#line` names, and not hidden there. In
//! both cases it must be a regular file of a sane size with text in it; a pipe or a device is never opened.
//!
//! **Direction of error.** Towards showing nothing: places in a file that may not be read have no text.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

/// Bytes of the largest source that is read.
const MOST: u64 = 64 << 20;

/// The files that may be read.
#[derive(Clone, Default, Debug)]
pub struct SourceAccess {
    /// What the compiler has read, with symbolic links resolved.
    files: BTreeSet<PathBuf>,
    /// Folders of the project, likewise.
    folders: BTreeSet<PathBuf>,
    /// Whether all that debug information names may be read.
    is_trusted: bool,
}

impl SourceAccess {
    /// Permits all files, for programs whose debug information is trusted.
    pub fn trusted() -> SourceAccess {
        SourceAccess { is_trusted: true, ..SourceAccess::default() }
    }

    /// Permits a file that the compiler has read.
    pub fn add_file(&mut self, path: &Path) {
        self.files.extend(path.canonicalize());
    }

    /// Permits the files in a folder and its folders.
    pub fn add_folder(&mut self, path: &Path) {
        self.folders.extend(path.canonicalize());
    }

    fn permits(&self, path: &Path) -> bool {
        let is_shown = |part: Component<'_>| !part.as_os_str().as_encoded_bytes().starts_with(b".");
        let is_in =
            |folder: &PathBuf| path.strip_prefix(folder).is_ok_and(|rest| rest.components().all(is_shown));
        self.is_trusted || self.files.contains(path) || self.folders.iter().any(is_in)
    }

    /// The text of a file, if it may be read.
    pub(crate) fn read(&self, path: &Path) -> Option<String> {
        let real = path.canonicalize().ok().filter(|real| self.permits(real))?;
        // What is no regular file is not even opened, as that may wait for ever.
        let size = real.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
        if size > MOST {
            return None;
        }
        let mut bytes = Vec::new();
        File::open(real).ok()?.take(size).read_to_end(&mut bytes).ok()?;
        (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sources_of_the_project_and_what_the_compiler_read_have_text() {
        let folder = std::env::temp_dir().join(format!("footpath-source-access-{}", std::process::id()));
        let (project, elsewhere) = (folder.join("project"), folder.join("elsewhere"));
        for made in [project.join("src"), project.join(".git"), elsewhere.clone()] {
            std::fs::create_dir_all(made).expect("a folder can be made");
        }
        let write = |path: PathBuf, text: &[u8]| {
            std::fs::write(&path, text).expect("a file can be written");
            path
        };
        let parser = write(project.join("src/parser.y"), b"%%\n");
        let hidden = write(project.join(".git/config"), b"key\n");
        let binary = write(project.join("a.out"), b"\x7fELF\0");
        let header = write(elsewhere.join("a.h"), b"int x;\n");
        let secret = write(elsewhere.join("secret"), b"key\n");
        let link = project.join("link.c");
        std::os::unix::fs::symlink(&secret, &link).expect("a link can be made");
        let mut access = SourceAccess::default();
        access.add_folder(&project);
        access.add_file(&header);
        access.add_file(Path::new("/dev/zero"));
        assert_eq!(access.read(&parser).as_deref(), Some("%%\n"));
        assert_eq!(access.read(&header).as_deref(), Some("int x;\n"));
        for refused in [&hidden, &binary, &secret, &link, &project] {
            assert_eq!(access.read(refused), None, "{}", refused.display());
        }
        for special in ["/dev/zero", "/proc/self/environ", "/etc/passwd"] {
            assert_eq!(access.read(Path::new(special)), None, "{special}");
        }
        std::fs::remove_dir_all(folder).expect("the folder can be removed");
    }
}
