//! Where C comes from: crates that wrap a C library and ship it, and Debian's source packages.

use super::Library;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A crate that ships a C library.
#[derive(Debug)]
pub struct Package {
    /// The library.
    pub name: &'static str,
    /// The crate and its version.
    package: (&'static str, &'static str),
    /// Folders whose C files are compiled, without those below them.
    folders: &'static [&'static str],
    /// Folders where headers are looked for, besides those of the files.
    includes: &'static [&'static str],
    /// Further arguments of the compiler.
    flags: &'static [&'static str],
}

/// Headers that configuration would write.
const EMPTY_HEADERS: &[&str] = &["config.h", "git2_features.h", "git2/experimental.h", "experimental.h"];

/// Every package.
pub const ALL: &[Package] = &[
    Package { name: "zlib", package: ("libz-sys", "1"), folders: &["src/zlib"], includes: &[], flags: &[] },
    Package {
        name: "sqlite3",
        package: ("libsqlite3-sys", "0.30"),
        folders: &["sqlite3"],
        includes: &[],
        flags: &["-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_RTREE", "-DSQLITE_ENABLE_COLUMN_METADATA"],
    },
    Package {
        name: "lua",
        package: ("lua-src", "547"),
        folders: &["lua-5.1.5", "lua-5.2.4", "lua-5.3.6", "lua-5.4.7"],
        includes: &[],
        flags: &["-DLUA_USE_LINUX"],
    },
    Package {
        name: "bzip2",
        package: ("bzip2-sys", "0.1"),
        folders: &["bzip2-1.0.8"],
        includes: &[],
        flags: &["-D_FILE_OFFSET_BITS=64"],
    },
    Package {
        name: "zstd",
        package: ("zstd-sys", "2"),
        folders: &[
            "zstd/lib/common",
            "zstd/lib/compress",
            "zstd/lib/decompress",
            "zstd/lib/dictBuilder",
            "zstd/lib/legacy",
        ],
        includes: &["zstd/lib", "zstd/lib/common"],
        flags: &["-DZSTD_LEGACY_SUPPORT=1"],
    },
    Package {
        name: "lzma",
        package: ("lzma-sys", "0.1"),
        folders: &[
            "xz-5.2/src/liblzma/check",
            "xz-5.2/src/liblzma/common",
            "xz-5.2/src/liblzma/delta",
            "xz-5.2/src/liblzma/lz",
            "xz-5.2/src/liblzma/lzma",
            "xz-5.2/src/liblzma/rangecoder",
            "xz-5.2/src/liblzma/simple",
        ],
        includes: &[
            ".",
            "xz-5.2/src/common",
            "xz-5.2/src/liblzma/api",
            "xz-5.2/src/liblzma/check",
            "xz-5.2/src/liblzma/common",
            "xz-5.2/src/liblzma/delta",
            "xz-5.2/src/liblzma/lz",
            "xz-5.2/src/liblzma/lzma",
            "xz-5.2/src/liblzma/rangecoder",
            "xz-5.2/src/liblzma/simple",
        ],
        flags: &["-DHAVE_CONFIG_H", "-D_GNU_SOURCE"],
    },
    Package {
        name: "lz4",
        package: ("lz4-sys", "1"),
        folders: &["liblz4/lib", "liblz4/programs"],
        includes: &["liblz4/lib"],
        flags: &["-D_GNU_SOURCE"],
    },
    Package {
        name: "brotli",
        package: ("brotlic-sys", "0.2"),
        folders: &["brotli/c/common", "brotli/c/dec", "brotli/c/enc"],
        includes: &["brotli/c/include"],
        flags: &[],
    },
    Package {
        name: "mimalloc",
        package: ("libmimalloc-sys", "0.1"),
        folders: &["c_src/mimalloc/v2/src"],
        includes: &["c_src/mimalloc/v2/include"],
        flags: &["-D_GNU_SOURCE"],
    },
    Package {
        name: "quickjs",
        package: ("rquickjs-sys", "0.6"),
        folders: &["quickjs"],
        includes: &[],
        flags: &["-D_GNU_SOURCE", "-DCONFIG_VERSION=\"1\""],
    },
    Package {
        name: "tree-sitter",
        package: ("tree-sitter", "0.24"),
        folders: &["src"],
        includes: &["include", "src", "src/unicode"],
        flags: &["-D_GNU_SOURCE"],
    },
    Package {
        name: "oniguruma",
        package: ("onig_sys", "69"),
        folders: &["oniguruma/src"],
        includes: &["oniguruma/src"],
        flags: &["-DSIZEOF_LONG=8", "-DSIZEOF_INT=4", "-DSIZEOF_SIZE_T=8", "-DHAVE_STDINT_H"],
    },
    Package {
        name: "libgit2",
        package: ("libgit2-sys", "0.17"),
        folders: &[
            "libgit2/deps/pcre",
            "libgit2/deps/xdiff",
            "libgit2/deps/llhttp",
            "libgit2/src/libgit2",
            "libgit2/src/libgit2/transports",
            "libgit2/src/libgit2/streams",
            "libgit2/src/util",
            "libgit2/src/util/unix",
            "libgit2/src/util/hash/sha1dc",
        ],
        includes: &[
            "libgit2/include",
            "libgit2/src/libgit2",
            "libgit2/src/util",
            "libgit2/deps/pcre",
            "libgit2/deps/xdiff",
            "libgit2/deps/llhttp",
        ],
        flags: &[
            "-D_GNU_SOURCE",
            "-DGIT_ARCH_64",
            "-DGIT_THREADS",
            "-DGIT_SHA1_COLLISIONDETECT",
            "-DGIT_SHA256_BUILTIN",
            "-DGIT_REGEX_BUILTIN",
            "-DGIT_USE_NSEC",
            "-DGIT_USE_STAT_MTIM",
            "-DGIT_IO_POLL",
            "-DHAVE_CONFIG_H",
            "-DSUPPORT_PCRE8",
            "-DLINK_SIZE=2",
            "-DPARENS_NEST_LIMIT=250",
            "-DMATCH_LIMIT=10000000",
            "-DMATCH_LIMIT_RECURSION=MATCH_LIMIT",
            "-DNEWLINE=10",
            "-DPOSIX_MALLOC_THRESHOLD=10",
            "-DMAX_NAME_SIZE=32",
            "-DMAX_NAME_COUNT=10000",
            "-DHAVE_QSORT_R_GNU",
        ],
    },
];

/// Fetches the crates; a scratch manifest asks for them.
pub fn fetch_crates(into: &Path, packages: &[&'static Package]) -> Result<Vec<Library>, String> {
    let scratch = into.join("crates");
    let mut manifest =
        "[package]\nname = \"scratch\"\nversion = \"0.0.0\"\n[workspace]\n[dependencies]\n".to_owned();
    for package in packages {
        let (name, version) = package.package;
        manifest.push_str(&format!("{name} = \"{version}\"\n"));
    }
    let vendored = scratch.join("vendor");
    let path = scratch.join("Cargo.toml");
    if !packages.is_empty()
        && (!vendored.exists() || std::fs::read_to_string(&path).ok() != Some(manifest.clone()))
    {
        create(&scratch.join("src"))?;
        write(&path, &manifest)?;
        write(&scratch.join("src/lib.rs"), "")?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        run(Command::new(cargo).args(["vendor", "--quiet", "vendor"]).current_dir(&scratch))?;
    }
    packages.iter().map(|package| library(package, &vendored)).collect()
}

fn library(package: &Package, vendored: &Path) -> Result<Library, String> {
    let base = vendored.join(package.package.0);
    let mut files = Vec::new();
    for folder in package.folders {
        let folder = base.join(folder);
        let entries = std::fs::read_dir(&folder)
            .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        files.extend(entries.flatten().map(|entry| entry.path()).filter(|path| is_c(path)));
    }
    files.sort();
    let mut flags: Vec<OsString> = package.flags.iter().map(OsString::from).collect();
    // What configuration would write, the flags say instead; but the headers must be there.
    let empty = vendored.join("../empty");
    create(&empty.join("git2"))?;
    for header in EMPTY_HEADERS {
        write(&empty.join(header), "")?;
    }
    for include in package.includes.iter().map(|include| base.join(include)).chain([empty]) {
        flags.push("-I".into());
        flags.push(include.into());
    }
    Ok(Library { name: package.name.to_owned(), files, flags })
}

/// Fetches a Debian source package; every folder with a header in it is one where headers are looked for.
pub fn fetch_debian(into: &Path, name: &str) -> Result<Library, String> {
    let folder = into.join("debian").join(name);
    if !folder.exists() {
        let temp = into.join("apt");
        create(&temp)?;
        let archive = crate::boogie_suite::fetch_debian_source(name, &temp)?;
        create(&folder)?;
        run(Command::new("tar").arg("-C").arg(&folder).arg("-xf").arg(&archive))?;
        _ = std::fs::remove_dir_all(&temp);
    }
    let mut files = Vec::new();
    let mut includes = BTreeSet::new();
    find(&folder, &mut files, &mut includes);
    files.sort();
    let mut flags: Vec<OsString> = vec!["-D_GNU_SOURCE".into()];
    for include in includes {
        flags.push("-I".into());
        flags.push(include.into());
    }
    Ok(Library { name: name.to_owned(), files, flags })
}

fn find(folder: &Path, files: &mut Vec<PathBuf>, includes: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            find(&path, files, includes);
        } else if is_c(&path) {
            files.push(path);
        } else if path.extension().is_some_and(|extension| extension == "h") {
            includes.insert(folder.to_owned());
        }
    }
}

fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c")
}

fn create(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Runs a command quietly; what it said is the error if it fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("cannot run {name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name} failed:\n{}", String::from_utf8_lossy(&output.stderr)))
}
