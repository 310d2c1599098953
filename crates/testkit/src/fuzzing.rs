//! Mutation-based fuzzing: every reader of files is given changed ones, and must refuse or read them.
//!
//! **Idea.** A corpus has a few small files for each reader (`fuzzing/readers.rs`). A mutant is one of them with some of
//! its text deleted, repeated, exchanged with another one's, or replaced by words and numbers that are known to be
//! troublesome (`fuzzing/mutation.rs`). It is read in this process. A panic, a reader that does not come to an end, and
//! one that takes much memory for a small file are findings (Miller, Fredriksen, So, "An empirical study of the
//! reliability of UNIX utilities", CACM 1990). No compiler support is needed, so that it runs wherever Footpath is built;
//! the price is that nothing leads the mutants to new code.
//!
//! **Example.** `cargo xtask fuzz --minutes 20` tells `boogie: mutant 4711 of seed 1 panicked: …`, and leaves the mutant in
//! `target/tmp/fuzz`. Its place after the bug is mended is `tests/corpus/fuzz/boogie`, where a test reads it for ever.
//!
//! The mutant that is being read is in a file, so that it is there even if reading it ends the process.
//!
//! **Direction of error.** Towards missing bugs: what is found is one, what is not found may be there.

mod mutation;
mod readers;

use std::any::Any;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use footpath_parallel::stack_size;

pub use readers::{Reader, readers};

/// How long reading a mutant may take on an idle machine.
const LONGEST: Duration = Duration::from_secs(10);
/// How many kilobytes of memory it may take.
const MOST_MEMORY: u64 = 1 << 20;

/// What a reader did with a text that it must not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What happened.
    pub what: String,
    /// Where the text is.
    pub file: PathBuf,
}

/// Reads mutants of a reader's corpus, from number `first` on, as long as `go_on` says so of the next number; up to the
/// first finding. The file of a finding is in `folder`.
///
/// # Panics
/// If the corpus cannot be had, or the system gives no thread.
pub fn fuzz(
    reader: &Reader,
    seed: u64,
    first: u64,
    folder: &Path,
    go_on: &dyn Fn(u64) -> bool,
) -> Option<Finding> {
    let corpus = (reader.corpus)();
    assert!(!corpus.is_empty(), "{} has no corpus", reader.name);
    let texts = (first..).take_while(|number| go_on(*number)).map(|number| {
        let told = format!("{}: mutant {number} of seed {seed}", reader.name);
        (told, mutation::mutant(&corpus, reader.words, seed, number))
    });
    read_all(reader, texts, folder)
}

/// Reads texts up to the first one with which the reader does what it must not do.
///
/// # Panics
/// If the system gives no thread.
pub fn read_all(
    reader: &Reader,
    texts: impl IntoIterator<Item = (String, String)>,
    folder: &Path,
) -> Option<Finding> {
    let (send, texts_to_read) = channel::<String>();
    let (answer, answers) = channel();
    let read = reader.read;
    let work = move || {
        for text in texts_to_read {
            let done = catch_unwind(AssertUnwindSafe(|| read(&text)));
            if answer.send(done.map_err(|panicked| message(&*panicked))).is_err() {
                return;
            }
        }
    };
    // It is not waited for: one that does not end would keep us for ever.
    let worker = std::thread::Builder::new().stack_size(stack_size()).spawn(work);
    drop(worker.expect("the system gives a thread"));
    fs::create_dir_all(folder).expect("a folder can be made");
    let file = folder.join(format!("{}-{}", reader.name, std::process::id()));
    let longest = LONGEST.mul_f64(crate::load_per_core());
    for (told, text) in texts {
        fs::write(&file, &text).expect("a file can be written");
        let before = peak_memory();
        send.send(text).expect("the reader waits");
        let what = match answers.recv_timeout(longest) {
            Ok(Err(why)) => format!("panicked: {why}"),
            Err(RecvTimeoutError::Timeout) => format!("did not end within {} s", longest.as_secs()),
            Err(RecvTimeoutError::Disconnected) => "ended the thread".to_owned(),
            Ok(Ok(())) => match peak_memory().saturating_sub(before) {
                more if more > MOST_MEMORY => format!("took {} MiB of memory", more >> 10),
                _ => continue,
            },
        };
        return Some(Finding { what: format!("{told} {what}"), file });
    }
    // It is of a text that was read.
    let _ = fs::remove_file(file);
    None
}

/// The most memory that this process has had at a time, in kilobytes; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn message(panicked: &(dyn Any + Send)) -> String {
    let text = panicked.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panicked.downcast_ref::<String>().cloned()).unwrap_or_default()
}
