//! Verdicts as a page for a browser: one file, which needs nothing else.
//!
//! The source of each file that has checks; below a line stand the checks in it, with their verdicts, and the assumptions
//! that are made there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use footpath_ir::source::{FileId, Span};
use footpath_verify::Verdict;

use super::{Totals, VerifyRun, by, said_by_others, words};
use crate::suite::html::escape;
use crate::suite::kinds;

/// The whole page.
pub fn page(run: &VerifyRun<'_>) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    let notes = notes(run);
    let files: BTreeSet<FileId> = notes.keys().map(|(file, _)| *file).collect();
    let names: Vec<&str> = files.iter().map(|f| run.sources.file(*f).name.as_str()).collect();
    let _ = writeln!(out, "<title>Footpath: {}</title>", escape(&names.join(", ")));
    let _ = writeln!(out, "<style>\n{}</style>\n</head>\n<body>", include_str!("../suite/page.css"));
    let _ = writeln!(out, "<header>\n<h1>Footpath</h1>\n<p class=\"soft\"><code>{}</code></p>", {
        escape(&run.command.join(" "))
    });
    let t = Totals::of(run.found);
    let _ = writeln!(
        out,
        "<p>{} checks: {} verified, {} verified under assumptions, {} unverified, {} failing.</p>",
        t.checks, t.verified, t.verified_under, t.unverified, t.failing
    );
    if run.interrupted {
        out.push_str(
            "<p><b>The run was interrupted:</b> what was not verified by then is unverified, and functions that were not begun are left out.</p>\n",
        );
    }
    out.push_str("</header>\n");
    for file in files {
        out.push_str(&source(run, file, &notes));
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// What is said below a line.
type Notes = BTreeMap<(FileId, u32), String>;

fn notes(run: &VerifyRun<'_>) -> Notes {
    let mut notes = Notes::new();
    let line = |span: Span| (span.file, run.sources.range(span).0.line);
    for body in &run.found.bodies {
        for a in &body.assumptions {
            let _ = writeln!(
                notes.entry(line(a.site.span)).or_default(),
                "<div class=\"note note-defensive\" id=\"{id}\"><b>◇ assumed as {id}</b> ({}): {}</div>",
                a.site.kind.name(),
                escape(&words(run, a)),
                id = escape(&a.id),
            );
        }
        for check in &body.checks {
            let (class, mark, verdict) = match &check.verdict {
                Verdict::Verified => ("covered", "✓", format!("verified{}", by(check))),
                Verdict::VerifiedUnder(premise) => {
                    let links: Vec<String> = premise
                        .iter()
                        .map(|i| escape(&body.assumptions[*i].id))
                        .map(|id| format!("<a href=\"#{id}\">{id}</a>"))
                        .collect();
                    ("defensive", "◇", format!("verified{} assuming {}", by(check), links.join(", ")))
                }
                Verdict::Unverified => ("unknown", "?", "unverified".to_owned()),
                Verdict::Failing => ("failing", "✗", "fails whenever it is reached".to_owned()),
            };
            let others: String =
                said_by_others(body, check).iter().map(|s| format!("; {}", escape(s))).collect();
            let _ = writeln!(
                notes.entry(line(check.span)).or_default(),
                "<div class=\"note note-{class}\"><b>{mark} {verdict}:</b> whether {} (<code>{}</code>){others}</div>",
                kinds::of_check(check.kind).words,
                escape(run.sources.text(check.span).lines().next().unwrap_or_default()),
            );
        }
    }
    notes
}

/// A file with what there is to say about its lines.
fn source(run: &VerifyRun<'_>, id: FileId, notes: &Notes) -> String {
    let file = run.sources.file(id);
    let mut out = format!("<section>\n<h2>{}</h2>\n<div class=\"source\">\n", escape(&file.name));
    for (i, text) in file.text.lines().enumerate() {
        let line = i as u32 + 1;
        let _ = writeln!(
            out,
            "<div class=\"row plain\" id=\"line{0}-{line}\"><a class=\"number\" href=\"#line{0}-{line}\">{line}</a><span class=\"mark\"></span><span class=\"text\">{1}</span></div>",
            id.0,
            escape(text)
        );
        out.push_str(notes.get(&(id, line)).map_or("", String::as_str));
    }
    out + "</div>\n</section>\n"
}
