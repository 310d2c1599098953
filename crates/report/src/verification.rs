//! All formats of `footpath verify`.
//!
//! The structs below *are* the JSON format; `schema/verify.schema.json` is generated from them ([`schema`]).

pub mod html;
pub mod sarif;
mod screen;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use footpath_ir::diagnostic::Diagnostic as FoundDiagnostic;
use footpath_ir::print_expr_in;
use footpath_ir::source::SourceMap;
use footpath_verdict::Reason;
use footpath_verify::{
    Assumption as Assumed, AssumptionKind, Check as Found, Claimed, ConditionCalls, Prover, Verdict,
    Verification, VerifiedBody, conditions,
};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::counts::plural;
use crate::json::{Diagnostic, Span, diagnostic, pretty, span, version};
use crate::table::table;
use crate::text::Style;

/// The name of the format; changes when readers of the old one would break.
pub const SCHEMA: &str = "footpath-verify-1";

/// Everything a report is made of.
#[derive(Clone, Copy, Debug)]
pub struct VerifyRun<'a> {
    /// The command line, program name first.
    pub command: &'a [String],
    /// The files.
    pub sources: &'a SourceMap,
    /// What the front end had to say.
    pub diagnostics: &'a [FoundDiagnostic],
    /// What was found out.
    pub found: &'a Verification,
    /// What was allowed to be assumed.
    pub allowed: &'a [AssumptionKind],
    /// Wall-clock time of the whole run.
    pub elapsed: Duration,
    /// Whether the user ended it early.
    pub interrupted: bool,
}

/// The result of `footpath verify`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    /// The format: `footpath-verify-1`. A reader should refuse a name it does not know.
    pub schema: String,
    /// The version of Footpath.
    pub version: String,
    /// The command line, program name first.
    pub command: Vec<String>,
    /// Whether the user ended the run early: what was not verified by then is unverified, and functions not begun are left
    /// out.
    pub interrupted: bool,
    /// How many functions and procedures were not begun before the run was interrupted or `--total-timeout` ended it.
    pub left_out: usize,
    /// What could not be read or analysed.
    pub diagnostics: Vec<Diagnostic>,
    /// Kinds of assumptions that were allowed.
    pub allowed: Vec<String>,
    /// The checks, by function, in source order.
    pub checks: Vec<Check>,
    /// The assumptions that premises mention.
    pub assumptions: Vec<Assumption>,
    /// Invariants of loops that other tools proposed.
    pub invariants: Vec<Invariant>,
    /// What each function or procedure took.
    pub effort: Vec<Effort>,
    /// Sums over all checks.
    pub totals: Totals,
    /// Seconds from start to end.
    pub elapsed_seconds: f64,
}

/// A check.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Check {
    /// The function or procedure.
    pub function: String,
    /// Where it stands.
    pub span: Span,
    /// What it checks: `assert`, `bounds`, `null` and so on.
    pub kind: String,
    /// What was found out.
    pub verdict: VerdictName,
    /// Why nothing was found out; null otherwise.
    pub reason: Option<String>,
    /// The same as a stable code, which docs/book/reasons.md explains.
    pub reason_code: Option<String>,
    /// Who verified it: `analyser`, `solver` or `induction`; null if nobody did.
    pub by: Option<String>,
    /// The assumptions, all of which have to hold, for `verified_under`; empty otherwise.
    pub premise: Vec<String>,
    /// What others say; the verdict does not depend on it.
    pub claims: Vec<Claim>,
}

/// That another tool or a person says that a check is verified.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Claim {
    /// The tool; `annotation` for what the source says itself.
    pub by: String,
    /// What it assumes: assumptions of this report, and those of its own.
    pub premise: Vec<String>,
    /// Whether the annotated program has it as a way for the premise to hold.
    pub guides: bool,
}

/// What was found out about a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VerdictName {
    /// It holds in every run.
    Verified,
    /// It holds in every run in which the premise holds.
    VerifiedUnder,
    /// Nothing.
    Unverified,
    /// It fails in every run that gets there.
    Failing,
}

impl VerdictName {
    fn of(verdict: &Verdict) -> VerdictName {
        match verdict {
            Verdict::Verified => VerdictName::Verified,
            Verdict::VerifiedUnder(_) => VerdictName::VerifiedUnder,
            Verdict::Unverified(_) => VerdictName::Unverified,
            Verdict::Failing => VerdictName::Failing,
        }
    }
}

/// Something that was assumed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Assumption {
    /// Its name in premises and in the annotated program.
    pub id: String,
    /// The function or procedure.
    pub function: String,
    /// Where it is made.
    pub span: Span,
    /// What kind it is: `no-overflow` and so on.
    pub kind: String,
    /// What is assumed, in the words of the source.
    pub meaning: String,
    /// The same, as an expression of the program form.
    pub predicate: String,
}

/// An invariant of a loop that another tool proposed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Invariant {
    /// The function or procedure.
    pub function: String,
    /// Where the loop stands.
    pub span: Span,
    /// The tool.
    pub by: String,
    /// The condition.
    pub condition: String,
    /// Whether it was proved for every run, and so was used in other proofs.
    pub proved: bool,
}

/// What the verification of a function or procedure took.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Effort {
    /// Its name.
    pub function: String,
    /// How often it was analysed, each time under other assumptions.
    pub analyses: usize,
    /// Milliseconds for its verdicts.
    pub verdict_milliseconds: f64,
    /// Milliseconds for the conditions under which its executions may or must be unverified.
    pub condition_milliseconds: f64,
}

/// Sums over all checks.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Totals {
    /// All checks.
    pub checks: usize,
    /// Those that hold in every run.
    pub verified: usize,
    /// Those that hold under a premise.
    pub verified_under: usize,
    /// Those of which nothing was found out.
    pub unverified: usize,
    /// Those that fail whenever they are reached.
    pub failing: usize,
    /// Of those of which nothing was found out, those that others say are verified.
    pub claimed: usize,
}

impl Totals {
    /// Counts the checks.
    pub fn of(found: &Verification) -> Totals {
        let mut totals = Totals::default();
        for check in found.bodies.iter().flat_map(|b| &b.checks) {
            totals.checks += 1;
            *match VerdictName::of(&check.verdict) {
                VerdictName::Verified => &mut totals.verified,
                VerdictName::VerifiedUnder => &mut totals.verified_under,
                VerdictName::Unverified => &mut totals.unverified,
                VerdictName::Failing => &mut totals.failing,
            } += 1;
            let claimed = check.verdict.is_unverified() && !check.claims.is_empty();
            totals.claimed += usize::from(claimed);
        }
        totals
    }
}

/// The schema of [`Report`].
#[cfg(feature = "schema")]
pub fn schema() -> String {
    pretty(&schemars::schema_for!(Report))
}

/// The report as JSON.
pub fn json(run: &VerifyRun<'_>) -> String {
    let program = &run.found.annotated;
    let name = |b: &VerifiedBody| program[b.procedure].name.to_string();
    let mut checks = Vec::new();
    let mut assumptions = Vec::new();
    let mut invariants = Vec::new();
    for body in &run.found.bodies {
        invariants.extend(body.invariants.iter().map(|i| Invariant {
            function: name(body),
            span: span(run.sources, i.span),
            by: i.by.to_string(),
            condition: i.text.to_string(),
            proved: i.proved,
        }));
        for check in &body.checks {
            checks.push(Check {
                function: name(body),
                span: span(run.sources, check.span),
                kind: check.kind.name().to_owned(),
                verdict: VerdictName::of(&check.verdict),
                reason: why(&check.verdict).map(ToString::to_string),
                reason_code: why(&check.verdict).map(|why| why.code.name().to_owned()),
                by: check.by.map(|by| by.name().to_owned()),
                premise: premise(body, &check.verdict),
                claims: check.claims.iter().map(|c| claim(body, c)).collect(),
            });
        }
        for a in &body.assumptions {
            assumptions.push(Assumption {
                id: a.id.to_string(),
                function: name(body),
                span: span(run.sources, a.site.span),
                kind: a.site.kind.name().to_owned(),
                meaning: words(run, a),
                predicate: print_expr_in(program, &program.terms, a.site.predicate),
            });
        }
    }
    pretty(&Report {
        schema: SCHEMA.to_owned(),
        version: version(),
        command: run.command.to_vec(),
        interrupted: run.interrupted,
        left_out: run.found.left_out,
        diagnostics: run.diagnostics.iter().map(|d| diagnostic(run.sources, d)).collect(),
        allowed: run.allowed.iter().map(|k| k.name().to_owned()).collect(),
        checks,
        assumptions,
        invariants,
        effort: run.found.bodies.iter().map(|b| effort(run, b)).collect(),
        totals: Totals::of(run.found),
        elapsed_seconds: run.elapsed.as_secs_f64(),
    })
}

/// That functions were left out, if some were.
fn left_out(run: &VerifyRun<'_>) -> Option<String> {
    let (count, begun) = (run.found.left_out, run.found.bodies.len());
    let ended = if run.interrupted { "the run was interrupted" } else { "--total-timeout was up" };
    let was = if count == 1 { "was" } else { "were" };
    (count > 0)
        .then(|| format!("{} of {} {was} not begun before {ended}", count, plural(count + begun, "function")))
}

fn effort(run: &VerifyRun<'_>, body: &VerifiedBody) -> Effort {
    let started = Instant::now();
    let calls = ConditionCalls::Modular;
    let _ = conditions(&run.found.annotated, body.procedure, body.body, &run.found.premises, calls);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    Effort {
        function: run.found.annotated[body.procedure].name.to_string(),
        analyses: body.runs,
        condition_milliseconds: milliseconds(started.elapsed()),
        verdict_milliseconds: milliseconds(body.time),
    }
}

/// What an assumption assumes, in the words of the source where there are any.
pub(crate) fn words(run: &VerifyRun<'_>, assumption: &Assumed) -> String {
    let site = &assumption.site;
    if let Some(words) = &site.words {
        return words.to_string();
    }
    let text = run.sources.text(site.span);
    // In Boogie the condition is the source.
    let is_boogie = run.sources.file(site.span.file).name.ends_with(".bpl");
    match site.kind {
        AssumptionKind::NoOverflow if !is_boogie && !text.is_empty() && !text.contains('\n') => {
            format!("`{text}` does not overflow")
        }
        AssumptionKind::AllocationSucceeds if !is_boogie => "the allocation succeeds".to_owned(),
        _ => {
            let program = &run.found.annotated;
            print_expr_in(program, &program.terms, site.predicate)
        }
    }
}

/// Why nothing was found out.
fn why(verdict: &Verdict) -> Option<&Reason> {
    match verdict {
        Verdict::Unverified(why) => Some(why),
        _ => None,
    }
}

/// Why nothing was found out, with what the user can do, and of how many checks this is so.
fn reasons(run: &VerifyRun<'_>) -> BTreeMap<(String, String), usize> {
    let mut counted = BTreeMap::new();
    for why in run.found.bodies.iter().flat_map(|b| &b.checks).filter_map(|c| why(&c.verdict)) {
        let reason = (why.code.name().to_owned(), why.code.advice().to_owned());
        *counted.entry(reason).or_default() += 1;
    }
    counted
}

fn premise(body: &VerifiedBody, verdict: &Verdict) -> Vec<String> {
    match verdict {
        Verdict::VerifiedUnder(premise) => {
            premise.iter().map(|i| body.assumptions[*i].id.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

fn claim(body: &VerifiedBody, claim: &Claimed) -> Claim {
    let ids = claim.premise.iter().map(|i| body.assumptions[*i].id.to_string());
    let words = claim.words.iter().map(ToString::to_string);
    Claim {
        by: claim.by.as_deref().unwrap_or("annotation").to_owned(),
        premise: ids.chain(words).collect(),
        guides: claim.guides,
    }
}

/// Who verified a check, for people; nothing of the analyser, who comes first.
pub(crate) fn by(check: &Found) -> &'static str {
    match check.by {
        Some(Prover::Solver) => " by the solver",
        Some(Prover::Induction) => " by induction",
        Some(Prover::Analyser) | None => "",
    }
}

/// What others say of a check, for people: `verified by NAME assuming a1`.
pub(crate) fn said_by_others(body: &VerifiedBody, check: &Found) -> Vec<String> {
    let words = |c: &Claimed| {
        let Claim { by, premise, .. } = claim(body, c);
        let by = if c.by.is_some() { by } else { "an annotation".to_owned() };
        let assuming =
            if premise.is_empty() { String::new() } else { format!(" assuming {}", premise.join(", ")) };
        format!("verified by {by}{assuming}")
    };
    check.claims.iter().map(words).collect()
}

/// The report for a terminal: all of it, or if that does not fit on a screen and is not asked for, what matters.
pub fn text(run: &VerifyRun<'_>, style: &Style) -> String {
    let whole = whole(run, style);
    let is_short = whole.lines().count() <= crate::screen::LINES;
    if style.full || is_short { whole } else { screen::report(run, style) }
}

fn whole(run: &VerifyRun<'_>, style: &Style) -> String {
    let program = &run.found.annotated;
    let mut text = String::new();
    for body in &run.found.bodies {
        let _ = writeln!(text, "{}", program[body.procedure].name);
        if body.gave_up {
            text.push_str("  the analysis reached its limit of steps and gave up\n");
        }
        let rows: Vec<Vec<String>> = body
            .checks
            .iter()
            .map(|c| {
                let verdict = match &c.verdict {
                    Verdict::Verified => format!("verified{}", by(c)),
                    Verdict::VerifiedUnder(_) => {
                        format!("verified{} assuming {}", by(c), premise(body, &c.verdict).join(", "))
                    }
                    Verdict::Unverified(why) => format!("unverified [{}]", why.code.name()),
                    Verdict::Failing => "fails whenever it is reached".to_owned(),
                };
                let all: Vec<String> = std::iter::once(verdict).chain(said_by_others(body, c)).collect();
                let verdict = all.join("; ");
                vec![run.sources.describe(c.span), c.kind.name().to_owned(), verdict]
            })
            .collect();
        let header = ["check", "kind", "verdict"].map(str::to_owned);
        match table(&header, &rows, 2, style.width) {
            Some(drawn) if !rows.is_empty() => text.push_str(&drawn),
            _ => rows.iter().for_each(|r| {
                let _ = writeln!(text, "  {}: {}: {}", r[0], r[1], r[2]);
            }),
        }
        for a in &body.assumptions {
            let (kind, place) = (a.site.kind.name(), run.sources.describe(a.site.span));
            let _ = writeln!(text, "  {}: {kind} at {place}: {}", a.id, words(run, a));
        }
        for i in &body.invariants {
            let place = run.sources.describe(i.span);
            let proved = if i.proved { "proved" } else { "not proved, not used" };
            let _ = writeln!(text, "  invariant of the loop at {place}, by {}: {}: {proved}", i.by, i.text);
        }
        text.push('\n');
    }
    if run.interrupted {
        text.push_str("interrupted: what was not verified by then is unverified, and functions that were not begun are left out\n");
    }
    if let Some(said) = left_out(run) {
        let _ = writeln!(text, "{said}");
    }
    let t = Totals::of(run.found);
    let _ = writeln!(
        text,
        "{}: {} verified, {} verified under assumptions, {} unverified, {} failing",
        plural(t.checks, "check"),
        t.verified,
        t.verified_under,
        t.unverified,
        t.failing
    );
    if t.claimed > 0 {
        let _ = writeln!(text, "{} of the unverified: verified by others", t.claimed);
    }
    let reasons = crate::screen::reasons(reasons(run), style.width);
    if !reasons.is_empty() {
        text.push_str("\nwhy checks are unverified, and what can be done\n");
        reasons.iter().flatten().for_each(|line| {
            let _ = writeln!(text, "{line}");
        });
    }
    text
}
