//! Path normalisation: files and folders of headers as they lie from the folder where Footpath runs, so that what is stored for one
//! checkout of a project is found again in another.
//!
//! **Idea.** As with `hash_dir` and `base_dir` of ccache: in the key of a result a path below the working folder is written as a relative
//! one. It names the same file for the same project, and what stands in the file is in the key by its text.
//!
//! Example: `-I/ci/17/json/include /ci/17/json/src/parse.c`, run in `/ci/17/json`, is `-Iinclude src/parse.c` in the key.
//!
//! Only flags that say where headers are, and those that rename folders in what the preprocessor expands, are normalised. What a macro is
//! defined as, or what `__FILE__` becomes, stays as it is: a program may look at it.
//!
//! **Direction of error.** Towards searching again: a path that is written in another way is another path.

use std::path::{Path, PathBuf};

use footpath_replay::with_header_paths;

/// The flags whose only effect on the preprocessed text is which folder it does not name.
const RENAMING: [&str; 3] = ["-ffile-prefix-map=", "-fmacro-prefix-map=", "-fdebug-prefix-map="];

/// The folder from which paths are seen.
pub(crate) struct ProjectFolder<'a>(&'a Path);

impl<'a> ProjectFolder<'a> {
    /// `folder` is an absolute path.
    pub(crate) fn new(folder: &'a Path) -> ProjectFolder<'a> {
        ProjectFolder(folder)
    }

    /// A path as it lies from the folder, if it is there.
    pub(crate) fn path(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.0).unwrap_or(path).to_owned()
    }

    /// The same of several.
    pub(crate) fn paths(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        paths.iter().map(|path| self.path(path)).collect()
    }

    /// Flags of a compiler with such paths.
    pub(crate) fn flags(&self, flags: &[String]) -> Vec<String> {
        let renamed = |flag: &String| {
            let (name, folders) = RENAMING.iter().find_map(|name| Some((name, flag.strip_prefix(name)?)))?;
            let (from, to) = folders.split_once('=')?;
            Some(format!("{name}{}={to}", self.path(Path::new(from)).display()))
        };
        let flags = with_header_paths(flags, |path| Some(self.path(path)));
        flags.iter().map(|flag| renamed(flag).unwrap_or_else(|| flag.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_the_project_are_seen_from_its_folder() {
        let seen = |folder: &str| {
            let flags = format!(
                "-I{folder}/inc -isystem {folder}/../sys -I/usr/include -include {folder}/c.h \
                 -fmacro-prefix-map={folder}/=./ -DP=\"{folder}/x\""
            );
            let flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
            ProjectFolder::new(Path::new(folder)).flags(&flags)
        };
        let (one, two) = (seen("/ci/17"), seen("/ci/180/deep"));
        assert_eq!(one[..7], two[..7]);
        assert_eq!(
            one[..7].join(" "),
            "-Iinc -isystem ../sys -I/usr/include -include c.h -fmacro-prefix-map==./"
        );
        assert_ne!(one[7], two[7], "a program may look at it");
        assert_eq!(
            ProjectFolder::new(Path::new("/ci/1")).path(Path::new("/ci/17/a.c")),
            Path::new("/ci/17/a.c")
        );
    }
}
