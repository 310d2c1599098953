//! Test cases of KLEE (`.ktest`): objects with names and bytes.
//!
//! **Format** (`KTest.cpp` of KLEE, version 3). `KTEST`, or `BOUT\n` in old ones; the version; the arguments of the program, each
//! with its length; from version 2 on two numbers about symbolic arguments; the objects, each with the length of its name, the
//! name, the number of its bytes, and these. Numbers have 32 bits, the highest byte first.
//!
//! Example: for `int n` with the value 5 there is an object `n` with the bytes 5, 0, 0, 0.
//!
//! **Direction of error.** None: what does not follow the format is an error with its place.

/// An object of a test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KTestObject {
    /// What `klee_make_symbolic` calls it.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

const MAGIC: &[u8; 5] = b"KTEST";
const OLD_MAGIC: &[u8; 5] = b"BOUT\n";
const VERSION: u32 = 3;

/// Whether bytes begin as a test case does.
pub fn is_ktest(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(OLD_MAGIC)
}

/// Reads the objects of a test case.
///
/// # Errors
/// If the bytes do not follow the format; with the place, in bytes from 0 on.
pub fn read_ktest(bytes: &[u8]) -> Result<Vec<KTestObject>, String> {
    if !is_ktest(bytes) {
        return Err("byte 0: this is no test case of KLEE".to_owned());
    }
    let mut reader = Reader { bytes, at: MAGIC.len() };
    let version = reader.number("the version")?;
    if version > VERSION {
        return Err(format!("byte {}: version {version} of the format is not known", MAGIC.len()));
    }
    for _ in 0..reader.number("the number of arguments")? {
        reader.text("an argument")?;
    }
    if version >= 2 {
        reader.number("the number of symbolic arguments")?;
        reader.number("the length of symbolic arguments")?;
    }
    let mut objects = Vec::new();
    for _ in 0..reader.number("the number of objects")? {
        let name = String::from_utf8_lossy(reader.text("the name of an object")?).into_owned();
        let bytes = reader.text("an object")?.to_vec();
        objects.push(KTestObject { name, bytes });
    }
    Ok(objects)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], String> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..count));
        let taken = taken.ok_or_else(|| format!("byte {}: the file ends within {what}", self.at))?;
        self.at += count;
        Ok(taken)
    }

    fn number(&mut self, what: &str) -> Result<u32, String> {
        Ok(self.take(4, what)?.iter().fold(0, |n, &byte| n << 8 | u32::from(byte)))
    }

    fn text(&mut self, what: &str) -> Result<&'a [u8], String> {
        let count = self.number(what)?;
        self.take(count as usize, what)
    }
}

/// A test case of these objects.
pub(super) fn write_ktest(objects: &[KTestObject]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let number = |out: &mut Vec<u8>, n: usize| out.extend((n as u32).to_be_bytes());
    number(&mut out, VERSION as usize);
    // No arguments of a program, and none that are symbolic.
    (0..3).for_each(|_| number(&mut out, 0));
    number(&mut out, objects.len());
    for object in objects {
        number(&mut out, object.name.len());
        out.extend(object.name.as_bytes());
        number(&mut out, object.bytes.len());
        out.extend(&object.bytes);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let object = |name: &str, bytes: &[u8]| KTestObject { name: name.to_owned(), bytes: bytes.to_vec() };
        let objects = [object("n", &[5, 0, 0, 0]), object("", &[])];
        assert_eq!(read_ktest(&write_ktest(&objects)).as_deref(), Ok(&objects[..]));
    }

    #[test]
    fn a_file_as_klee_writes_it_is_read() {
        // `klee --posix-runtime`, with an argument of the program.
        let bytes =
            b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x04a.bc\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01x\0\0\0\x02\x07\0";
        let read = read_ktest(bytes).expect("it is one");
        assert_eq!(read, [KTestObject { name: "x".to_owned(), bytes: vec![7, 0] }]);
    }

    #[test]
    fn what_is_no_test_case_is_an_error_with_its_place() {
        let said = |bytes: &[u8]| read_ktest(bytes).expect_err("it is none");
        assert_eq!(said(b"KTES"), "byte 0: this is no test case of KLEE");
        assert_eq!(said(b"KTEST\0\0\0\x09"), "byte 5: version 9 of the format is not known");
        assert_eq!(
            said(b"KTEST\0\0\0\x01\0\0\0\0\xff\xff\xff\xff"),
            "byte 17: the file ends within the name of an object"
        );
    }
}
