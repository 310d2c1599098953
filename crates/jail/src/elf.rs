//! What the head of an executable says: for which machine it is, and which loader starts it.
//!
//! A program that is linked dynamically names its loader (`PT_INTERP`), which the system executes in its place. So these
//! two are all that a confined process must be able to execute; libraries are only read.
//!
//! **Direction of error.** Towards not starting: a file that is not understood has no loader.

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use rustix::fd::OwnedFd;

use crate::compat_filter::EM_386;

/// Bytes at the beginning that have class and machine.
const HEAD: usize = 20;
/// The longest name of a loader.
const LONGEST: usize = 4096;
const PT_INTERP: u64 = 3;

/// Whether a program is for the same machine as this one: only its calls can be filtered.
pub(crate) fn is_native(program: &OwnedFd) -> bool {
    let (mut own, mut head) = ([0; HEAD], [0; HEAD]);
    let Ok(myself) = File::open("/proc/self/exe") else { return true };
    let read = |file: &dyn AsFd, head: &mut [u8; HEAD]| {
        rustix::io::pread(file.as_fd(), head, 0).is_ok_and(|count| count == HEAD)
    };
    if !read(&myself, &mut own) || !read(program, &mut head) {
        return true;
    }
    // The class of the file, and its machine.
    (own[4], &own[18..]) == (head[4], &head[18..])
}

/// Whether a program is for x86 with 32 bits, on a system for the same with 64.
pub(crate) fn is_for_32_bits(program: &OwnedFd) -> bool {
    let mut head = [0; HEAD];
    let is_read = rustix::io::pread(program.as_fd(), &mut head, 0).is_ok_and(|count| count == HEAD);
    cfg!(target_arch = "x86_64") && is_read && u16::from_le_bytes([head[18], head[19]]) == EM_386
}

/// The loader that a program names.
pub(crate) fn interpreter(program: &Path) -> Option<PathBuf> {
    let file = File::open(program).ok()?;
    let read = |at: u64, count: usize| {
        let mut bytes = vec![0; count];
        file.read_exact_at(&mut bytes, at).ok()?;
        Some(bytes)
    };
    let head = read(0, 64)?;
    let is_big = head[4] == 2;
    let is_little_endian = head[5] == 1;
    if !head.starts_with(b"\x7fELF") || !is_little_endian {
        return None;
    }
    let number = |bytes: &[u8], at: usize, size: usize| {
        bytes[at..at + size].iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
    };
    // Where the table of segments is, and where in an entry the segment's place and size are; by the class of the file.
    let (table, size, count) = if is_big {
        (number(&head, 32, 8), number(&head, 54, 2), number(&head, 56, 2))
    } else {
        (number(&head, 28, 4), number(&head, 42, 2), number(&head, 44, 2))
    };
    for i in 0..count {
        let entry = read(table.checked_add(i * size)?, if is_big { 56 } else { 32 })?;
        if number(&entry, 0, 4) != PT_INTERP {
            continue;
        }
        let (place, length) = if is_big {
            (number(&entry, 8, 8), number(&entry, 32, 8))
        } else {
            (number(&entry, 4, 4), number(&entry, 16, 4))
        };
        let length = usize::try_from(length).ok().filter(|length| *length <= LONGEST)?;
        let name = read(place, length)?;
        let name = name.split(|byte| *byte == 0).next()?;
        return Some(PathBuf::from(OsStr::from_bytes(name)));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_names_its_loader_and_a_text_names_none() {
        let loader = interpreter(Path::new("/bin/sh"));
        assert!(loader.is_none_or(|path| path.is_file()), "that of the shell is there, unless it has none");
        assert_eq!(interpreter(Path::new(file!())), None);
        let own = File::open("/proc/self/exe").unwrap();
        assert!(is_native(&OwnedFd::from(own)));
    }
}
