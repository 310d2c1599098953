//! Verdicts as a page for a browser: one file, which needs nothing else.
//!
//! The source of each file that has checks; below a line stand the checks in it, with their verdicts, and the assumptions
//! that are made there.

use std::collections::{BTreeMap, BTreeSet};

use footpath_ir::source::{FileId, Span};
use footpath_verify::{Check, Verdict, VerifiedBody};
use maud::{Markup, html};

use super::{Totals, VerifyRun, by, left_out, said_by_others, words};
use crate::suite::html::document;
use crate::suite::kinds;

/// The whole page.
pub fn page(run: &VerifyRun<'_>) -> String {
    let notes = notes(run);
    let files: BTreeSet<FileId> = notes.keys().map(|(file, _)| *file).collect();
    let names: Vec<&str> = files.iter().map(|f| run.sources.file(*f).name.as_str()).collect();
    let t = Totals::of(run.found);
    let body = html! {
        header { "\n"
            h1 { "Footpath" } "\n"
            p.soft { code { (run.command.join(" ")) } } "\n"
            p {
                (t.checks) " checks: " (t.verified) " verified, " (t.verified_under)
                " verified under assumptions, " (t.unverified) " unverified, " (t.failing) " failing."
            } "\n"
            @if run.interrupted {
                p {
                    b { "The run was interrupted:" }
                    " the rest is unverified, and functions not begun are left out."
                } "\n"
            }
            @if let Some(said) = left_out(run) {
                p { (said) "." } "\n"
            }
        } "\n"
        @for file in files {
            (source(run, file, &notes))
        }
    };
    document(&names, &body)
}

/// What is said below a line.
type Notes = BTreeMap<(FileId, u32), Vec<Markup>>;

fn notes(run: &VerifyRun<'_>) -> Notes {
    let mut notes = Notes::new();
    let line = |span: Span| (span.file, run.sources.range(span).0.line);
    for body in &run.found.bodies {
        for a in &body.assumptions {
            let note = html! {
                div.note.note-defensive id=(a.id) {
                    b { "◇ assumed as " (a.id) } " (" (a.site.kind.name()) "): " (words(run, a))
                } "\n"
            };
            notes.entry(line(a.site.span)).or_default().push(note);
        }
        for check in &body.checks {
            notes.entry(line(check.span)).or_default().push(note(run, body, check));
        }
    }
    notes
}

/// A check with its verdict.
fn note(run: &VerifyRun<'_>, body: &VerifiedBody, check: &Check) -> Markup {
    let (class, mark) = match &check.verdict {
        Verdict::Verified => ("covered", "✓"),
        Verdict::VerifiedUnder(_) => ("defensive", "◇"),
        Verdict::Unverified(_) => ("unknown", "?"),
        Verdict::Failing => ("failing", "✗"),
    };
    let verdict = match &check.verdict {
        Verdict::Verified => html! { "verified" (by(check)) },
        Verdict::VerifiedUnder(premise) => html! {
            "verified" (by(check)) " assuming "
            @for (n, id) in premise.iter().map(|i| &body.assumptions[*i].id).enumerate() {
                @if n > 0 { ", " }
                a href={ "#" (id) } { (id) }
            }
        },
        Verdict::Unverified(why) => html! { "unverified, as " (why) },
        Verdict::Failing => html! { "fails whenever it is reached" },
    };
    let text = run.sources.text(check.span).lines().next().unwrap_or_default();
    html! {
        div class={ "note note-" (class) } {
            b { (mark) " " (verdict) ":" }
            " whether " (kinds::of_check(check.kind).words) " (" code { (text) } ")"
            @for said in said_by_others(body, check) { "; " (said) }
        } "\n"
    }
}

/// A file with what there is to say about its lines.
fn source(run: &VerifyRun<'_>, id: FileId, notes: &Notes) -> Markup {
    let file = run.sources.file(id);
    html! {
        section { "\n"
            h2 { (file.name) } "\n"
            div.source { "\n"
                @for (line, text) in (1u32..).zip(file.text.lines()) {
                    div.row.plain id={ "line" (id.0) "-" (line) } {
                        a.number href={ "#line" (id.0) "-" (line) } { (line) }
                        span.mark {}
                        span.text { (text) }
                    } "\n"
                    @for note in notes.get(&(id, line)).into_iter().flatten() { (note) }
                }
            } "\n"
        } "\n"
    }
}
