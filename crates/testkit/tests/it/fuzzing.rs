//! Every reader of files, with mutants of small corpora. `FOOTPATH_SEED` says which ones, `FOOTPATH_MINUTES` for how long,
//! `FOOTPATH_READER` for which reader; `cargo xtask fuzz` runs it for long.

use std::path::Path;
use std::time::{Duration, Instant};

use footpath_testkit::fuzzing::{Reader, fuzz, read_all, readers};

/// Mutants for each reader where no time is named.
const FEW: u64 = 400;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz")
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn what_was_once_a_finding_is_read() {
    let found = readers().into_iter().filter_map(|reader| {
        let texts = (reader.corpus)().into_iter().enumerate();
        read_all(
            &reader,
            texts.map(|(i, text)| (format!("{}: file {i}", reader.name), text)),
            &folder().join("corpus"),
        )
    });
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
#[expect(clippy::print_stdout, reason = "how much was read is what a long run is for")]
fn readers_read_or_refuse_mutants() {
    let (seed, minutes) = (number("FOOTPATH_SEED").unwrap_or(1), number("FOOTPATH_MINUTES"));
    let named = std::env::var("FOOTPATH_READER").ok();
    let all: Vec<Reader> =
        readers().into_iter().filter(|r| named.as_ref().is_none_or(|n| n == r.name)).collect();
    assert!(!all.is_empty(), "there is no such reader: {named:?}");
    let share = minutes.map(|minutes| Duration::from_secs(60 * minutes / all.len() as u64));
    let mut found = Vec::new();
    for reader in &all {
        let started = Instant::now();
        let count = std::cell::Cell::new(0);
        let go_on = |number: u64| {
            count.set(number);
            share.map_or(number < FEW, |share| started.elapsed() < share)
        };
        let mut first = 0;
        // Behind a finding there may be others.
        while let Some(finding) = fuzz(reader, seed, first, &folder(), &go_on) {
            let kept = finding.file.with_file_name(format!("{}-{seed}-{}", reader.name, count.get()));
            std::fs::rename(&finding.file, &kept).expect("a file can be renamed");
            println!("{}, see {}", finding.what, kept.display());
            found.push(finding.what);
            first = count.get() + 1;
        }
        println!("{}: {} mutants", reader.name, count.get());
    }
    assert!(found.is_empty(), "{found:#?}");
}
