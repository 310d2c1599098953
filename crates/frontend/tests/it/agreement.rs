//! Agreement with Boogie 2.4.1 on what is a program.
//!
//! `tests/boogie/*.txt` hold small programs, each below a line with Boogie's own verdict: `---- accept` or
//! `---- reject`. Where we differ on purpose, the line says `(here accepted: why)`. The verdicts are Boogie's:
//! `ASK_BOOGIE=1 cargo test -p footpath-frontend --test it agreement` asks `/usr/bin/boogie` again.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use footpath_frontend::boogie;
use footpath_ir::source::{SourceFile, SourceMap};

/// A program with Boogie's verdict.
struct Snippet {
    /// File and number, for messages.
    place: String,
    text: String,
    /// Whether Boogie accepts it.
    accepted: bool,
    /// Whether we accept it.
    accepted_here: bool,
}

fn snippets() -> Vec<Snippet> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/boogie");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let mut snippets = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        for (number, part) in text.split("---- ").skip(1).enumerate() {
            let (head, text) = part.split_once('\n').expect("a verdict on a line");
            let accepted = head == "accept";
            snippets.push(Snippet {
                place: format!("{name} {number}"),
                text: text.to_owned(),
                accepted,
                accepted_here: accepted || head.contains("(here accepted"),
            });
        }
    }
    snippets
}

/// Whether we accept `text`, and all messages. What is right but not supported counts as accepted.
fn read(text: &str) -> (bool, String) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("snippet.bpl", text));
    let (program, diagnostics) = boogie::read(&[file], &sources);
    if let Some(program) = program {
        let violations = footpath_ir::validate(&program);
        assert!(violations.is_empty(), "{text}\n{violations:?}");
    }
    let mut messages = String::new();
    for d in &diagnostics {
        assert!(d.span.is_some(), "an error without a place: {}", d.message);
        writeln!(messages, "{:?}: {}", d.severity, d.message).expect("a string grows");
    }
    let refused = |code: &str| !matches!(code, "boogie::unsupported" | "boogie::concurrency");
    (!diagnostics.iter().any(|d| d.is_error() && refused(&d.code)), messages)
}

#[test]
fn we_accept_what_boogie_accepts_and_reject_what_it_rejects() {
    let mut differences = String::new();
    for snippet in snippets() {
        let (accepted, messages) = read(&snippet.text);
        if accepted != snippet.accepted_here {
            let (place, text) = (&snippet.place, &snippet.text);
            writeln!(differences, "{place}: accepted here: {accepted}\n{text}{messages}")
                .expect("a string grows");
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn the_printed_form_reads_back_as_itself() {
    for snippet in snippets().iter().filter(|s| s.accepted) {
        let Some(first) = print(&snippet.text) else { continue };
        let second = print(&first).unwrap_or_default();
        assert_eq!(first, second, "{}", snippet.text);
    }
}

fn print(text: &str) -> Option<String> {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("snippet.bpl", text));
    boogie::read(&[file], &sources).0.map(|program| footpath_ir::print(&program))
}

#[test]
fn recorded_verdicts_are_those_of_boogie_where_it_is_asked() {
    if std::env::var_os("ASK_BOOGIE").is_none() {
        return;
    }
    let path = std::env::temp_dir().join(format!("footpath-ask-{}.bpl", std::process::id()));
    let mut wrong = String::new();
    for snippet in snippets() {
        std::fs::write(&path, &snippet.text).expect("a writable folder for temporary files");
        let output =
            Command::new("boogie").args(["/noVerify", "/nologo"]).arg(&path).output().expect("boogie runs");
        let output =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let complaints = ["error: ", "Error: ", "errors detected", "EXCEPTION"];
        if snippet.accepted == complaints.iter().any(|c| output.contains(c)) {
            writeln!(wrong, "{}:\n{}{output}", snippet.place, snippet.text).expect("a string grows");
        }
    }
    std::fs::remove_file(&path).expect("the file is there");
    assert!(wrong.is_empty(), "{wrong}");
}
