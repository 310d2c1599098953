//! Message authentication of stored results: a file counts only if who wrote it had the same key (HMAC-SHA-256).
//!
//! Verdicts in a store are believed, so a store that comes from elsewhere, such as the cache of a build service, could
//! say anything. A hash without a key shows only that a file is whole. The key is made when it is first needed, and
//! lies with the user's other state where nobody else may read it; who shares a store on purpose shares a key, too.
//!
//! **Direction of error.** Towards computing again: without a place for a key each run has its own, and believes no store.

use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Bytes of a key that is made, and the least that a given one may have.
const LENGTH: usize = 32;

static KEY: OnceLock<Vec<u8>> = OnceLock::new();

/// Takes the key from a file instead of the user's state, for all stores of this process.
///
/// # Errors
/// If the file cannot be read, or is too short to be a secret.
pub fn use_store_key(file: &Path) -> Result<(), String> {
    let key = fs::read(file).map_err(|e| format!("{} cannot be read: {e}", file.display()))?;
    if key.len() < LENGTH {
        return Err(format!("{} is no key: it has fewer than {LENGTH} bytes", file.display()));
    }
    // What is set already was used before by the same process.
    let _ = KEY.set(key);
    Ok(())
}

/// The code of a text under the key, in hexadecimal.
pub(crate) fn code(text: &str) -> String {
    let bytes = mac(text).finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether this is the code of a text. It takes the same time whatever is wrong.
pub(crate) fn is_code(text: &str, code: &str) -> bool {
    let digits = code.as_bytes().chunks(2).map(|two| {
        let two = std::str::from_utf8(two).ok().filter(|two| two.len() == 2)?;
        u8::from_str_radix(two, 16).ok()
    });
    digits.collect::<Option<Vec<u8>>>().is_some_and(|bytes| mac(text).verify_slice(&bytes).is_ok())
}

fn mac(text: &str) -> Hmac<Sha256> {
    let key = KEY.get_or_init(|| kept_key().or_else(random).unwrap_or_default());
    // Any length will do.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
    mac.update(text.as_bytes());
    mac
}

/// The user's key, which is made if there is none.
fn kept_key() -> Option<Vec<u8>> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?;
    key_in(&state.join("footpath"))
}

fn key_in(folder: &Path) -> Option<Vec<u8>> {
    let path = folder.join("store.key");
    let read = || fs::read(&path).ok().filter(|key| key.len() >= LENGTH);
    if let Some(key) = read() {
        return Some(key);
    }
    fs::create_dir_all(folder).ok()?;
    // It appears as a whole, and of several processes the first one's stays.
    let new = folder.join(format!("store.key.{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new).ok()?;
    let written = random().and_then(|key| file.write_all(&key).and_then(|()| file.sync_all()).ok());
    let linked = written.map(|()| fs::hard_link(&new, &path));
    // The name is no longer needed either way.
    let _ = fs::remove_file(&new);
    linked.and_then(|_| read())
}

fn random() -> Option<Vec<u8>> {
    let mut key = vec![0; LENGTH];
    fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut key)).ok()?;
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_fits_its_text_only() {
        let found = code("a\n");
        assert!(is_code("a\n", &found));
        assert!(
            !is_code("b\n", &found)
                && !is_code("a\n", "")
                && !is_code("a\n", &found[2..])
                && !is_code("a\n", "é")
        );
        assert!(!is_code("a\n", &crate::digest("a\n")), "a hash that anyone can compute");
    }

    #[test]
    fn a_key_is_made_once_and_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("footpath-store-key-{}", std::process::id()));
        let made = key_in(&folder).unwrap();
        assert_eq!(key_in(&folder).unwrap(), made);
        let mode = fs::metadata(folder.join("store.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
        fs::remove_dir_all(folder).unwrap();
    }
}
