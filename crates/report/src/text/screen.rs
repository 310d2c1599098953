//! A cover on one screen: what can fail, what no execution reaches, and what is unknown, by reason.
//!
//! **Direction of error.** That of [`crate::screen`].

use std::collections::BTreeMap;

use anstyle::Style as Paint;
use footpath_cover::{ObjectiveKind, ProcedureCover, Verdict};
use footpath_ir::Program;
use footpath_ir::source::Span;

use super::Style;
use crate::CoverRun;
use crate::choice;
use crate::counts::{Counts, plural, procedures};
use crate::screen::{Section, arranged, cut};

/// Lines that failures, unreachable code and reasons have in any case, if they need as many.
const LEAST: [usize; 3] = [10, 8, 10];

/// The report; at most [`crate::screen::LINES`] lines.
pub(super) fn report(run: &CoverRun<'_>, program: &Program, style: &Style) -> String {
    let screen = Screen { run, program, style };
    let sections = [screen.failing(), screen.unreachable(), screen.unknown()];
    arranged(screen.head(), &sections, &LEAST, screen.end())
}

struct Screen<'a> {
    run: &'a CoverRun<'a>,
    program: &'a Program,
    style: &'a Style,
}

impl Screen<'_> {
    fn head(&self) -> Vec<String> {
        let counts = Counts::of_all(self.run.covers);
        let first = format!(
            "{}, {}, {:.0} s",
            plural(procedures(self.run.covers), "procedure"),
            plural(counts.tests, "test"),
            self.run.elapsed.as_secs_f64()
        );
        let code = format!(
            "statements and branches: {} covered, {} infeasible, {} doomed, {} unknown",
            counts.covered, counts.infeasible, counts.doomed, counts.unknown
        );
        let mut lines = vec![first, code];
        if counts.assertions() > 0 {
            lines.push(format!(
                "assertions: {} can fail, {} hold, {} unknown",
                counts.can_fail, counts.hold, counts.assertions_unknown
            ));
        }
        lines.iter().map(|line| cut(line, self.style.width)).collect()
    }

    /// The assertions that can fail, each with its test.
    fn failing(&self) -> Section {
        let mut items = Vec::new();
        for cover in self.run.covers {
            for o in &cover.objectives {
                if let (ObjectiveKind::Failure(kind), Verdict::Covered) = (o.kind, &o.verdict) {
                    let test =
                        o.tests.first().map_or_else(String::new, |test| format!(", test {}", test + 1));
                    items.push(self.item(cover, o.span, &format!("{} fails{test}", kind.name())));
                }
            }
        }
        let heading = self.heading(&format!("{} can fail", plural(items.len(), "assertion")));
        Section { heading, items, noun: "assertion" }
    }

    /// The code that no execution reaches or completes. What holds within a bound only comes last.
    fn unreachable(&self) -> Section {
        let mut found: Vec<(bool, Vec<String>)> = Vec::new();
        for cover in self.run.covers {
            let mut told: Vec<Span> = Vec::new();
            for o in &cover.objectives {
                if matches!(o.kind, ObjectiveKind::Failure(_)) || told.contains(&o.span) {
                    continue;
                }
                let what = match &o.verdict {
                    Verdict::Doomed => "every execution that gets here fails or blocks".to_owned(),
                    Verdict::Unreachable => "no execution reaches this".to_owned(),
                    Verdict::UnreachableWithin(bound) => format!("no execution reaches this within {bound}"),
                    Verdict::Covered | Verdict::Unknown(_) => continue,
                };
                told.push(o.span);
                let is_bounded = matches!(o.verdict, Verdict::UnreachableWithin(_));
                found.push((is_bounded, self.item(cover, o.span, &what)));
            }
        }
        found.sort_by_key(|(is_bounded, _)| *is_bounded);
        let heading = self.heading(&format!("{} that no execution completes", plural(found.len(), "place")));
        Section { heading, items: found.into_iter().map(|(_, item)| item).collect(), noun: "place" }
    }

    /// What is unknown, by reason, with what helps.
    fn unknown(&self) -> Section {
        let mut reasons: BTreeMap<(String, String), usize> = BTreeMap::new();
        for o in self.run.covers.iter().flat_map(|cover| &cover.objectives) {
            if let Verdict::Unknown(why) = &o.verdict {
                let reason = (why.code.name().to_owned(), why.code.advice().to_owned());
                *reasons.entry(reason).or_default() += 1;
            }
        }
        let all: usize = reasons.values().sum();
        let noun = if all == 1 { "place or assertion is" } else { "places and assertions are" };
        let heading = self.heading(&format!("{all} {noun} unknown"));
        Section { heading, items: crate::screen::reasons(reasons, self.style.width), noun: "reason" }
    }

    fn end(&self) -> Vec<String> {
        let mut lines = vec![String::new()];
        for (flag, (bound, count)) in super::bounds(self.run.covers) {
            lines.push(format!("{count} infeasible only within {bound}; {flag} raises the bound"));
        }
        let notes: usize = self.run.covers.iter().map(|cover| cover.notes.len()).sum();
        if notes > 0 {
            lines.push(format!("{} on procedures", plural(notes, "note")));
        }
        if self.run.interrupted {
            lines.push("interrupted: what was not decided by then is unknown".to_owned());
        }
        lines.push("--verbose prints the rest, -o DIR writes it, --format json has it all".to_owned());
        lines.iter().map(|line| cut(line, self.style.width)).collect()
    }

    /// What is said of a place in a procedure.
    fn item(&self, cover: &ProcedureCover, span: Span, what: &str) -> Vec<String> {
        let (place, name) = (self.run.sources.describe(span), choice::name(self.program, cover));
        vec![cut(&format!("  {place} in {name}: {what}"), self.style.width)]
    }

    fn heading(&self, text: &str) -> String {
        let text = cut(text, self.style.width);
        let paint = Paint::new().bold();
        if self.style.color { format!("{paint}{text}{paint:#}") } else { text }
    }
}
