//! How the report for a terminal looks. `BLESS=1 cargo test` rewrites the expected texts; review the diff.

use super::sample::sample;
use footpath_cover::Verdict;
use footpath_report::text::{self, Style};
use footpath_verdict::Bound;

fn style(width: usize) -> Style {
    Style { color: false, width, full: false }
}

fn check(name: &str, actual: &str) {
    let path = format!("{}/tests/expected/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, actual).expect("the expected text can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{path} differs; BLESS=1 accepts the new text");
}

#[test]
fn a_report_fits_80_columns() {
    let text = text::cover(&sample().run(), &style(80));
    check("cover-80", &text);
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "too wide: {line}");
    }
}

#[test]
fn a_report_uses_160_columns() {
    check("cover-160", &text::cover(&sample().run(), &style(160)));
}

#[test]
fn diagnostics_show_the_source_line() {
    let s = sample();
    check("diagnostics", &text::diagnostics(&s.sources, &s.diagnostics, &style(80)));
}

#[test]
fn colours_appear_only_when_asked_for() {
    let s = sample();
    assert!(!text::cover(&s.run(), &style(80)).contains('\x1b'));
    assert!(text::cover(&s.run(), &Style { color: true, ..style(80) }).contains('\x1b'));
}

#[test]
fn many_procedures_with_nothing_to_say_take_a_line_each() {
    let mut s = sample();
    let trivial = s.covers.pop().expect("two covers");
    s.covers = vec![trivial; 40];
    let text = text::cover(&s.run(), &style(80));
    assert!(text.lines().count() <= 44, "{text}");
    assert!(text.contains("40 tests of procedures without findings not shown"), "{text}");
}

#[test]
fn a_flood_of_findings_is_cut_short_and_counted() {
    let mut s = sample();
    let doomed = s.covers[0].objectives[3].clone();
    let starts = 0..100u32;
    s.covers[0].objectives = starts
        .map(|i| {
            let mut o = doomed.clone();
            o.span.start += i;
            o.span.end = o.span.start + 1;
            o.verdict = Verdict::UnreachableWithin(Bound::Iterations(i));
            o
        })
        .collect();
    let short = text::cover(&s.run(), &style(80));
    assert!(short.lines().count() < 130, "{short}");
    assert!(short.contains("and 80 more"), "{short}");
    let full = text::cover(&s.run(), &Style { full: true, ..style(80) });
    assert!(full.lines().count() > 600);
}
