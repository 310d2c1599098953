//! Symbol tables of ELF files: what a shared library exports, and what objects leave undefined.
//!
//! A test file must keep a function that other objects call, and defines by itself only what the C library does not.
//! Both are read from symbol tables, without the linker's tools.
//!
//! Example: an object compiled from `int f(void) { return g(); }` leaves `g` undefined; a `libc.so.6` exports `puts`,
//! and keeps old versions of names such as `memcpy@GLIBC_2.2.5` only for programs that were linked long ago.
//!
//! **Direction of error.** A file that cannot be read exports nothing, so that more functions are stubbed or modelled;
//! for objects it is an error.

use std::collections::BTreeSet;
use std::path::Path;

use object::elf::{FileHeader32, FileHeader64, SHT_DYNSYM};
use object::read::archive::ArchiveFile;
use object::read::elf::{FileHeader, Sym};
use object::{Endianness, FileKind, Object, ObjectSymbol};
use rustc_hash::FxHashSet;

use crate::execution::NativeError;

/// The names that a shared library offers to programs that are linked now.
pub(crate) fn exported(library: &Path) -> BTreeSet<String> {
    let Ok(data) = std::fs::read(library) else { return BTreeSet::new() };
    let found = match FileKind::parse(&*data) {
        Ok(FileKind::Elf64) => of_library::<FileHeader64<Endianness>>(&data),
        Ok(FileKind::Elf32) => of_library::<FileHeader32<Endianness>>(&data),
        Ok(_) | Err(_) => return BTreeSet::new(),
    };
    found.unwrap_or_default()
}

fn of_library<Elf: FileHeader<Endian = Endianness>>(data: &[u8]) -> object::Result<BTreeSet<String>> {
    let header = Elf::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, SHT_DYNSYM)?;
    let versions = sections.versions(endian, data)?;
    let mut names = BTreeSet::new();
    for (index, symbol) in symbols.enumerate() {
        let is_hidden = versions.as_ref().is_some_and(|v| v.version_index(endian, index).is_hidden());
        if !symbol.is_undefined(endian) && !is_hidden {
            names.insert(String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned());
        }
    }
    Ok(names)
}

/// Adds the names that an object, or the objects in an archive, use and do not define.
pub(crate) fn undefined(path: &Path, names: &mut FxHashSet<String>) -> Result<(), NativeError> {
    let failed = |why: String| NativeError::File(path.display().to_string(), why);
    let data = std::fs::read(path).map_err(|e| failed(e.to_string()))?;
    of_objects(&data, names).map_err(|e| failed(e.to_string()))
}

fn of_objects(data: &[u8], names: &mut FxHashSet<String>) -> object::Result<()> {
    if FileKind::parse(data)? == FileKind::Archive {
        let archive = ArchiveFile::parse(data)?;
        for member in archive.members() {
            of_objects(member?.data(data)?, names)?;
        }
        return Ok(());
    }
    let file = object::File::parse(data)?;
    for symbol in file.symbols().filter(ObjectSymbol::is_undefined) {
        names.insert(symbol.name()?.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::Compiler;
    use std::path::PathBuf;
    use std::process::Command;

    #[test]
    fn objects_and_archives_say_what_they_use() {
        let folder = std::env::temp_dir().join(format!("footpath-symbols-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (source, object) = (folder.join("a.c"), folder.join("a.o"));
        std::fs::write(&source, "extern int g(void); int f(void) { return g(); }").expect("a file");
        let status = Command::new("clang").arg("-c").arg(&source).arg("-o").arg(&object).status();
        assert!(status.expect("clang").success());
        let archive = crate::library(std::slice::from_ref(&object), &folder).expect("an archive");
        for file in [&object, &archive] {
            let mut names = FxHashSet::default();
            undefined(file, &mut names).expect("an object");
            assert!(names.contains("g") && !names.contains("f"), "{names:?}");
        }
        assert!(undefined(&source, &mut FxHashSet::default()).is_err(), "C is no object");
        std::fs::remove_dir_all(&folder).expect("a folder");
    }

    #[test]
    fn the_c_library_exports_what_programs_can_use() {
        let compiler = Compiler {
            program: "clang".to_owned(),
            flags: Vec::new(),
            folder: PathBuf::from("/"),
            headers: PathBuf::from("/"),
            keeps_names: false,
        };
        let names = compiler.library_functions();
        assert!(["puts", "memcpy", "sin"].iter().all(|name| names.contains(*name)));
        // It is there for old programs only, with a hidden version.
        assert!(!names.contains("__ctype_b"));
        assert!(exported(Path::new("/etc/passwd")).is_empty());
    }
}
