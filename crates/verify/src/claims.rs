//! External verification results: checks that other tools, or people who annotate their source, claim to be proved.
//!
//! **Idea.** A result of another tool names a rule and a place. If exactly one check of ours is meant, the check
//! counts as proved by that tool, under what the tool says it assumed. It never becomes a verdict of our own: it is
//! kept beside it, with the name of the tool, and in the annotated program it is one more way for the premise to
//! hold, under a variable with the tool's name. A user who distrusts the tool sets the variable to false.
//!
//! Example: a SARIF result "no division by zero in `f.c`, line 12", assuming `no-overflow`, gives the division check
//! there the premise `tool && no_overflow` beside its own.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.1: the premises of several verifiers are a
//! disjunction, the assumptions of one of them a conjunction.
//!
//! **Deviations.**
//! 1. A tool that says of a check both that it is proved and that it is not has not proved it.
//! 2. What a tool assumes can be evaluated in a run only if it is an assumption of ours ([`AssumptionKind`]): then
//!    the premise has all assumptions of that kind in the body. A claim under anything else is shown, and guides
//!    nothing. So is one about a check of which we say that it always fails.
//!
//! **Direction of error.** That of the tool; also if its place and rule mean another check than ours. Ambiguous
//! results are left out, with a remark.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use footpath_absint::checks;
use footpath_ir::source::{SourceMap, Span};
use footpath_ir::{AssertKind, Origin, ProcId, Program};

use crate::assumption::AssumptionKind;

/// The results of one run of another tool.
#[derive(Clone, Debug)]
pub struct ToolRun {
    /// The name of the tool.
    pub tool: Arc<str>,
    /// The results, check by check.
    pub results: Vec<ToolResult>,
}

/// A tool's result for a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolResult {
    /// The rule.
    pub rule: String,
    /// Whether it says that the check is proved; otherwise that it is not.
    pub proved: bool,
    /// The file.
    pub file: String,
    /// Line and column where the place begins, both from 1.
    pub start: (u32, Option<u32>),
    /// Line and column where it ends, the column exclusive.
    pub end: Option<(u32, u32)>,
    /// Its assumptions.
    pub assumes: Vec<Arc<str>>,
}

/// A claim of another tool that a check is proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The check.
    pub origin: Origin,
    /// The name of the tool.
    pub by: Arc<str>,
    /// Its assumptions.
    pub assumes: BTreeSet<Arc<str>>,
}

impl Claim {
    /// The kinds of our assumptions that it rests on; `None` if it rests on anything else.
    pub(crate) fn kinds(&self) -> Option<Vec<AssumptionKind>> {
        let kind = |name: &Arc<str>| AssumptionKind::ALL.iter().copied().find(|k| *k.name() == **name);
        self.assumes.iter().map(kind).collect()
    }
}

/// Other names of kinds of checks, as tools have them.
const ALIASES: &[(&str, AssertKind)] = &[
    ("assertion", AssertKind::Assert),
    ("user-assertion", AssertKind::Assert),
    ("null-pointer", AssertKind::Null),
    ("null-dereference", AssertKind::Null),
    ("array-bounds", AssertKind::Bounds),
    ("index-bound", AssertKind::Bounds),
    ("out-of-bounds", AssertKind::Bounds),
    ("dangling-pointer", AssertKind::UseAfterFree),
    ("invalid-free", AssertKind::Free),
    ("division-by-zero", AssertKind::Division),
    ("div-by-zero", AssertKind::Division),
    ("signed-overflow", AssertKind::Overflow),
    ("precondition", AssertKind::Requires),
    ("postcondition", AssertKind::Ensures),
];

/// The kind of check that a rule is about.
fn kind_of(rule: &str) -> Option<AssertKind> {
    let last = rule.rsplit(['/', '.', ':']).next().unwrap_or(rule);
    let name = last.to_ascii_lowercase().replace(['_', ' '], "-");
    let own = AssertKind::ALL.iter().copied().find(|k| k.name().replace('_', "-") == name);
    own.or_else(|| ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, kind)| *kind))
        .filter(|kind| *kind != AssertKind::Exit)
}

/// A check that results may be about.
#[derive(Clone, Copy, Debug)]
pub struct Checked<K> {
    /// What tells it apart.
    pub key: K,
    /// The number of the function that it is in.
    pub function: u32,
    /// Its kind.
    pub kind: AssertKind,
    /// Where it stands.
    pub span: Span,
}

/// A claim about a check with this key: the tool, and its assumptions.
pub type ClaimOf<K> = (K, Arc<str>, BTreeSet<Arc<str>>);

/// The claims that results make about the checks of some procedures, and remarks about those that make none.
pub fn claims(
    program: &Program,
    procedures: &[ProcId],
    sources: &SourceMap,
    runs: &[ToolRun],
) -> (Vec<Claim>, Vec<String>) {
    let mut known: Vec<Checked<Origin>> = Vec::new();
    for &p in procedures {
        for index in 0..program[p].bodies.len() as u32 {
            let all = checks(program, p, index).into_iter();
            known.extend(all.map(|(key, kind, span)| Checked { key, function: key.procedure.0, kind, span }));
        }
    }
    let (found, remarks) = claims_about(&known, sources, runs);
    (found.into_iter().map(|(origin, by, assumes)| Claim { origin, by, assumes }).collect(), remarks)
}

/// The same about any checks that are listed.
pub fn claims_about<K: Copy + Ord>(
    known: &[Checked<K>],
    sources: &SourceMap,
    runs: &[ToolRun],
) -> (Vec<ClaimOf<K>>, Vec<String>) {
    let (mut found, mut remarks) = (Vec::new(), Vec::new());
    let tools: BTreeSet<&Arc<str>> = runs.iter().map(|r| &r.tool).collect();
    for tool in tools {
        let mut proved: BTreeMap<K, BTreeSet<Arc<str>>> = BTreeMap::new();
        let mut refused: BTreeSet<K> = BTreeSet::new();
        for result in runs.iter().filter(|r| r.tool == *tool).flat_map(|r| &r.results) {
            match meant(known, sources, result) {
                Ok(keys) if result.proved => {
                    for key in keys {
                        proved.entry(key).or_default().extend(result.assumes.iter().cloned());
                    }
                }
                Ok(keys) => refused.extend(keys),
                Err(why) if result.proved => {
                    let (line, rule) = (result.start.0, &result.rule);
                    remarks.push(format!("{tool}: `{rule}` at {}:{line} {why}; it is ignored", result.file));
                }
                Err(_) => {}
            }
        }
        for (key, assumes) in proved {
            if refused.contains(&key) {
                let span = known.iter().find(|k| k.key == key).map(|k| sources.describe(k.span));
                let place = span.unwrap_or_default();
                remarks.push(format!(
                    "{tool}: the check at {place} is reported both as proved and as not proved; it is ignored"
                ));
            } else {
                found.push((key, tool.clone(), assumes));
            }
        }
    }
    (found, remarks)
}

/// What holds of runs that start in `main` only.
const FROM_MAIN: &str = "runs start in `main`";

/// The claims of a witness which states that all checks of some kinds never fail in runs from `main`: about those
/// that `main` can reach. They say nothing about runs of other functions, so they guide nothing.
pub fn witnessed(
    program: &Program,
    procedures: &[ProcId],
    tool: &Arc<str>,
    kinds: &[AssertKind],
) -> Vec<Claim> {
    let main: Vec<ProcId> = program.procedure_named("main").into_iter().collect();
    let mut found = Vec::new();
    for p in program.reachable(&main).into_iter().filter(|p| procedures.contains(p)) {
        for index in 0..program[p].bodies.len() as u32 {
            let all = checks(program, p, index).into_iter().filter(|(_, kind, _)| kinds.contains(kind));
            let assumes = BTreeSet::from([Arc::from(FROM_MAIN)]);
            found.extend(all.map(|(origin, ..)| Claim {
                origin,
                by: tool.clone(),
                assumes: assumes.clone(),
            }));
        }
    }
    found
}

/// The checks that a result is about: one, or several at the same place.
fn meant<K: Copy>(
    known: &[Checked<K>],
    sources: &SourceMap,
    result: &ToolResult,
) -> Result<Vec<K>, &'static str> {
    let Some(kind) = kind_of(&result.rule) else { return Err("is not a kind of check that Footpath knows") };
    let here: Vec<&Checked<K>> = known
        .iter()
        .filter(|k| {
            k.kind == kind
                && is_same_file(&sources.file(k.span.file).name, &result.file)
                && begins_within(sources, k.span, result)
        })
        .collect();
    let Some(first) = here.first() else { return Err("matches no check that is verified") };
    if here.iter().any(|k| k.span != first.span || k.function != first.function) {
        return Err("matches more than one check");
    }
    Ok(here.iter().map(|k| k.key).collect())
}

fn begins_within(sources: &SourceMap, span: Span, result: &ToolResult) -> bool {
    let (start, _) = sources.range(span);
    let here = (start.line, start.column);
    match (result.start, result.end) {
        ((line, None), _) => start.line == line,
        ((line, Some(column)), None) => here == (line, column),
        ((line, Some(column)), Some(end)) => {
            here == (line, column) || ((line, column) <= here && here < (end.0, end.1))
        }
    }
}

/// Whether two names, relative or not, may be of the same file: one is the end of the other.
fn is_same_file(a: &str, b: &str) -> bool {
    fn parts(name: &str) -> Vec<&str> {
        name.split('/').rev().filter(|p| !p.is_empty() && *p != ".").collect()
    }
    let (a, b) = (parts(a), parts(b));
    !a.is_empty() && !b.is_empty() && a.iter().zip(&b).all(|(x, y)| x == y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_by_their_last_part_and_strangers_are_refused() {
        assert_eq!(kind_of("bounds"), Some(AssertKind::Bounds));
        assert_eq!(kind_of("use-after-free"), Some(AssertKind::UseAfterFree));
        assert_eq!(kind_of("core/DIVISION_BY_ZERO"), Some(AssertKind::Division));
        assert_eq!(kind_of("mem_access"), None);
        assert_eq!(kind_of("exit"), None);
    }

    #[test]
    fn files_are_the_same_if_one_name_is_the_end_of_the_other() {
        assert!(is_same_file("/home/me/src/a.c", "src/a.c"));
        assert!(is_same_file("./a.c", "/x/a.c"));
        assert!(!is_same_file("b/a.c", "c/a.c"));
        assert!(!is_same_file("ba.c", "a.c"));
        assert!(!is_same_file("a.c", ""));
    }
}
