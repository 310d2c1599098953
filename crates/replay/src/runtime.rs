//! The runtime library of tests: sources of Footpath's own that the tests of all functions share, compiled once for
//! each text and set of flags, and kept for later runs (`object_cache.rs`).
//!
//! Compiling them takes longer than a small function's own tests, so it may begin while tests are still being
//! searched for ([`Preparation`]).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::emit::support_files;

use crate::execution::{Compiler, NativeError, compiler_version, next_number, run, write};
use crate::greybox_fuzzing;
use crate::object_cache::{ObjectCache, key};
use crate::sanitize;

/// What all tests are linked with.
const PLAIN: [&str; 3] = ["footpath_runtime.c", "footpath_test.c", WORLD];
/// The same with sanitizers, without coverage counters.
const SANITIZED: [&str; 2] = ["footpath_test.c", WORLD];
/// The models of system functions.
const WORLD: &str = "footpath_world.c";
/// The fuzzer.
pub(crate) const FUZZER: &str = "footpath_fuzzer.c";

/// Footpath's own sources with which tests are built: names and texts.
pub fn support_texts() -> Vec<(&'static str, String)> {
    let runtime = ("footpath_runtime.c", include_str!("runtime.c").to_owned());
    support_files().into_iter().chain([runtime]).collect()
}

/// Writes the sources into a folder.
pub(crate) fn write_sources(folder: &Path) -> Result<(), NativeError> {
    support_texts().iter().try_for_each(|(name, text)| write(&folder.join(name), text))
}

/// The objects that all tests are linked with.
pub(crate) fn plain_objects(compiler: &Compiler, folder: &Path) -> Result<Vec<PathBuf>, NativeError> {
    PLAIN.iter().map(|source| object(compiler, folder, source, &["-O0"])).collect()
}

/// The objects that tests with sanitizers are linked with.
pub(crate) fn sanitized_objects(
    compiler: &Compiler,
    folder: &Path,
    flags: &[&str],
) -> Result<Vec<PathBuf>, NativeError> {
    SANITIZED.iter().map(|source| object(compiler, folder, source, flags)).collect()
}

/// The objects that fuzz targets are linked with; their sources must be in the folder.
pub(crate) fn fuzzer_objects(compiler: &Compiler, folder: &Path) -> Result<Vec<PathBuf>, NativeError> {
    let fuzzer = object(compiler, folder, FUZZER, &["-O1", "-fno-builtin"])?;
    Ok(vec![fuzzer, object(compiler, folder, WORLD, &["-O0"])?])
}

/// The object of a source in `folder`.
fn object(compiler: &Compiler, folder: &Path, source: &str, flags: &[&str]) -> Result<PathBuf, NativeError> {
    static MAKING: Mutex<()> = Mutex::new(());
    let (key, source) = (key_of(compiler, source, flags), folder.join(source));
    let object = source.with_extension(format!("{}.o", &key[..16]));
    if object.is_file() {
        return Ok(object);
    }
    // Waiting threads find it built.
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let cache = ObjectCache::of_the_user();
    if !object.is_file() && !cache.as_ref().is_some_and(|cache| cache.restore(&key, &object)) {
        compile(compiler, flags, &source, &object)?;
        cache.iter().for_each(|cache| cache.keep(&key, &object));
    }
    Ok(object)
}

/// The object of a text of this run, which several programs are linked with: it is made once for each text.
pub(crate) fn object_of(
    compiler: &Compiler,
    folder: &Path,
    name: &str,
    text: &str,
) -> Result<PathBuf, NativeError> {
    static MAKING: Mutex<()> = Mutex::new(());
    let key = key(compiler.flags.iter().map(String::as_bytes).chain([text.as_bytes()]));
    let object = folder.join(format!("{name}.{}.o", &key[..16]));
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    if !object.is_file() {
        let source = object.with_extension("c");
        write(&source, text)?;
        compile(compiler, &["-O1", "-fno-builtin"], &source, &object)?;
    }
    Ok(object)
}

/// Makes an object, which is there when it is whole.
fn compile(compiler: &Compiler, flags: &[&str], source: &Path, object: &Path) -> Result<(), NativeError> {
    let temporary = object.with_extension(format!("{}.tmp", next_number()));
    let mut command = compiler.command();
    command.args(flags).args(["-w", "-c"]).arg(source).arg("-o").arg(&temporary);
    run(&command).map_err(|why| compiler.explain(why))?;
    std::fs::rename(&temporary, object)
        .map_err(|e| NativeError::File(object.display().to_string(), e.to_string()))
}

/// What an object is made from: the compiler, its flags, and the source with the headers that lie beside it.
fn key_of(compiler: &Compiler, source: &str, flags: &[&str]) -> String {
    let fuzzer = greybox_fuzzing::SOURCES.map(|(name, text)| (name, text.to_owned()));
    let texts = if source == FUZZER { fuzzer.to_vec() } else { support_texts() };
    let version = compiler_version(&compiler.program).unwrap_or_default();
    let numbers = format!("{} {} {}", env!("CARGO_PKG_VERSION"), compiler.flags.len(), flags.len());
    let mut parts: Vec<&[u8]> = [&numbers, &compiler.program, &version].map(String::as_bytes).to_vec();
    parts.extend(compiler.flags.iter().map(String::as_bytes));
    parts.extend(flags.iter().map(|flag| flag.as_bytes()));
    for (name, text) in &texts {
        // The fuzzer's own files include each other.
        if *name == source || name.ends_with(".h") || source == FUZZER {
            parts.extend([name.as_bytes(), text.as_bytes()]);
        }
    }
    key(parts)
}

/// Compiles in the background, in a thread of its own, the objects that tests will share. When this is dropped, it
/// ends after the current object at the latest.
#[derive(Debug)]
pub struct Preparation {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Preparation {
    /// Starts the thread. Errors are ignored here; they will occur again where the objects are needed.
    pub fn begin(compiler: &Compiler, folder: &Path) -> Preparation {
        let stop = Arc::new(AtomicBool::new(false));
        let (compiler, folder) = (compiler.for_other_sources(), folder.to_owned());
        let stopped = Arc::clone(&stop);
        let work = move || {
            if write_sources(&folder).is_err() {
                return;
            }
            let plain = PLAIN.iter().map(|source| (source, &["-O0"][..]));
            let sanitized = SANITIZED.iter().map(|source| (source, &sanitize::FLAGS[..]));
            for (source, flags) in plain.chain(sanitized) {
                if stopped.load(Ordering::Relaxed) || object(&compiler, &folder, source, flags).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("preparation".to_owned()).spawn(work).ok();
        Preparation { stop, thread }
    }
}

impl Drop for Preparation {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It panics nowhere, and what it made is optional.
            let _ = thread.join();
        }
    }
}
