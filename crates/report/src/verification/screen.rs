//! A verification on one screen: what fails, what is open, and what the rest rests on.
//!
//! Checks that fail whenever they are reached come first, each with its place; then the functions with the most checks of which
//! nothing was found out, and why; then the kinds of assumptions that proofs needed, with how many checks rest on them.
//!
//! **Direction of error.** That of [`crate::screen`].

use std::collections::{BTreeMap, BTreeSet};

use anstyle::Style as Paint;
use footpath_verify::{Check, Verdict, VerifiedBody};

use super::{Totals, VerifyRun, left_out};
use crate::counts::plural;
use crate::screen::{Section, arranged, cut};
use crate::text::Style;

/// Lines that failing checks, open ones, reasons and assumptions have in any case, if they need as many.
const LEAST: [usize; 4] = [8, 10, 6, 6];

/// The report; at most [`crate::screen::LINES`] lines.
pub(super) fn report(run: &VerifyRun<'_>, style: &Style) -> String {
    let totals = Totals::of(run.found);
    let functions = plural(run.found.bodies.len(), "function");
    let percent = (totals.verified * 100).checked_div(totals.checks).unwrap_or(100);
    let head = vec![
        cut(
            &format!("{} in {functions}, {:.0} s", plural(totals.checks, "check"), run.elapsed.as_secs_f64()),
            style.width,
        ),
        cut(
            &format!(
                "{} verified ({percent} %), {} verified under assumptions, {} unverified, {} failing",
                totals.verified, totals.verified_under, totals.unverified, totals.failing
            ),
            style.width,
        ),
    ];
    let sections = [failing(run, style), open(run, style), reasons(run, style), assumed(run, style)];
    let mut end = vec![String::new()];
    if totals.claimed > 0 {
        end.push(format!("{} of the unverified: verified by others", totals.claimed));
    }
    let gave_up = run.found.bodies.iter().filter(|body| body.gave_up).count();
    if gave_up > 0 {
        end.push(format!(
            "the analysis reached its limit of steps and gave up in {}",
            plural(gave_up, "function")
        ));
    }
    if run.interrupted {
        end.push("interrupted: what was not verified by then is unverified".to_owned());
    }
    end.extend(left_out(run));
    end.push(cut(
        "--verbose prints the rest, --html FILE writes a page, --format json has it all",
        style.width,
    ));
    arranged(head, &sections, &LEAST, end)
}

fn heading(text: &str, style: &Style) -> String {
    let text = cut(text, style.width);
    let paint = Paint::new().bold();
    if style.color { format!("{paint}{text}{paint:#}") } else { text }
}

fn name<'a>(run: &VerifyRun<'a>, body: &VerifiedBody) -> &'a str {
    &run.found.annotated[body.procedure].name
}

fn failing(run: &VerifyRun<'_>, style: &Style) -> Section {
    let of = |body: &VerifiedBody, check: &Check| {
        let place = run.sources.describe(check.span);
        vec![cut(&format!("  {place} in {}: {}", name(run, body), check.kind.name()), style.width)]
    };
    let checks = run.found.bodies.iter().flat_map(|body| body.checks.iter().map(move |check| (body, check)));
    let items: Vec<Vec<String>> =
        checks.filter(|(_, c)| c.verdict == Verdict::Failing).map(|(body, check)| of(body, check)).collect();
    let verb = if items.len() == 1 { "fails whenever it is" } else { "fail whenever they are" };
    let heading = heading(&format!("{} {verb} reached", plural(items.len(), "check")), style);
    Section { heading, items, noun: "check" }
}

/// The functions of whose checks something is open, those with the most first.
fn open(run: &VerifyRun<'_>, style: &Style) -> Section {
    let mut functions: Vec<(usize, Vec<String>)> = Vec::new();
    let mut all = 0;
    for body in &run.found.bodies {
        let open: Vec<&Check> = body.checks.iter().filter(|c| c.verdict.is_unverified()).collect();
        let Some(first) = open.first() else { continue };
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        open.iter().for_each(|check| *kinds.entry(check.kind.name()).or_default() += 1);
        let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let place = run.sources.describe(first.span);
        let line = format!("  {}: {}; the first at {place}", name(run, body), kinds.join(", "));
        all += open.len();
        functions.push((open.len(), vec![cut(&line, style.width)]));
    }
    functions.sort_by_key(|(count, _)| usize::MAX - count);
    let verb = if all == 1 { "is" } else { "are" };
    let heading =
        format!("{} {verb} unverified, in {}", plural(all, "check"), plural(functions.len(), "function"));
    let items = functions.into_iter().map(|(_, item)| item).collect();
    Section { heading: self::heading(&heading, style), items, noun: "function" }
}

/// Why checks are unverified.
fn reasons(run: &VerifyRun<'_>, style: &Style) -> Section {
    let items = crate::screen::reasons(super::reasons(run), style.width);
    Section {
        heading: heading("why they are unverified, and what can be done", style),
        items,
        noun: "reason",
    }
}

/// The kinds of assumptions, those on which the most checks rest first.
fn assumed(run: &VerifyRun<'_>, style: &Style) -> Section {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = 0;
    for body in &run.found.bodies {
        for check in &body.checks {
            let Verdict::VerifiedUnder(premise) = &check.verdict else { continue };
            all += 1;
            let of_this: BTreeSet<&str> =
                premise.iter().map(|i| body.assumptions[*i].site.kind.name()).collect();
            of_this.into_iter().for_each(|kind| *kinds.entry(kind).or_default() += 1);
        }
    }
    let mut kinds: Vec<(&str, usize)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, count)| usize::MAX - count);
    let item = |(kind, count): (&str, usize)| {
        vec![cut(&format!("  {kind}: {}", plural(count, "check")), style.width)]
    };
    let verb = if all == 1 { "rests" } else { "rest" };
    let heading = format!("{} {verb} on assumptions", plural(all, "check"));
    Section {
        heading: self::heading(&heading, style),
        items: kinds.into_iter().map(item).collect(),
        noun: "kind",
    }
}
