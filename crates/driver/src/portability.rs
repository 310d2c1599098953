//! Portability guards: code that is dead in this build only.
//!
//! **Idea.** `if (n > INT_MAX) return -1;` is dead where `n` is an `int`, and needed on another machine; code of a file that is
//! included several times is dead where its macro says so, and alive elsewhere. Nobody removes either. So code that no input
//! executes is a portability guard, and no finding, if
//!
//! 1. one condition alone rules it out, and that condition mentions a constant of the implementation: `sizeof`, `_Alignof`, or a
//!    name that ends like those of `<limits.h>` and `<stdint.h>` do;
//! 2. or the very same range of a file is lowered more than once, and not dead everywhere: in another inclusion of the file, in
//!    another file that includes it, or as a copy that the compiler made.
//!
//! Two statements that contradict each other are a finding even if one of them mentions such a constant. Code has the class of
//! the branch that leads to it, as both have the same explanation, or it is the next code behind that branch.
//!
//! **Direction of error.** A mistake in such a condition, as in `if (n < INT_MAX + 1u)`, is counted and not shown; so is what
//! another statement rules out by a proof that has no explanation. Verdicts stay as they are.

use footpath_ir::source::{SourceMap, Span};
use footpath_verdict::Verdict;
use rustc_hash::FxHashSet;

use crate::result::{Class, FunctionResult, Objective, ObjectiveKind};

/// How names of constants of the implementation end.
const ENDINGS: [&str; 5] = ["_MAX", "_MIN", "_BIT", "_WIDTH", "_DIG"];

/// The most bytes on either side of a condition that belong to it.
const LONGEST: usize = 400;

/// Gives portability guards their class.
pub(crate) fn classify(functions: &mut [FunctionResult], sources: &SourceMap) {
    for function in &mut *functions {
        let guards = guards(&function.objectives, sources);
        for (objective, is_guard) in function.objectives.iter_mut().zip(guards) {
            if is_guard {
                objective.class = Class::Portability;
            }
        }
    }
    classify_copies(functions);
}

/// Gives those portability guards their class that are alive in another copy.
pub(crate) fn classify_copies(functions: &mut [FunctionResult]) {
    let alive: FxHashSet<(Span, ObjectiveKind)> = functions
        .iter()
        .flat_map(|f| &f.objectives)
        .filter(|o| o.verdict != Verdict::Unreachable)
        .map(|o| (o.span, o.kind))
        .collect();
    for objective in functions.iter_mut().flat_map(|f| &mut f.objectives) {
        if is_dead(objective) && alive.contains(&(objective.span, objective.kind)) {
            objective.class = Class::Portability;
        }
    }
}

fn is_dead(o: &Objective) -> bool {
    o.class == Class::User && o.verdict == Verdict::Unreachable && !matches!(o.kind, ObjectiveKind::Check(_))
}

/// Which of a function's objectives a condition about the implementation rules out.
fn guards(objectives: &[Objective], sources: &SourceMap) -> Vec<bool> {
    let is_branch = |o: &Objective| matches!(o.kind, ObjectiveKind::Branch(_));
    let within = |inner: &Span, outer: Span| {
        inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
    };
    let rules_itself_out = |o: &Objective| {
        let condition = || whole_condition(sources, o.span);
        let alone = |condition: Span| o.explanation.iter().all(|span| within(span, condition));
        is_dead(o) && is_branch(o) && alone(condition()) && mentions_implementation(sources.text(condition()))
    };
    let mut guards: Vec<bool> = objectives.iter().map(rules_itself_out).collect();
    let ruling: Vec<Vec<Span>> = objectives
        .iter()
        .zip(&guards)
        .filter(|(o, guard)| **guard && !o.explanation.is_empty())
        .map(|(o, _)| o.explanation.clone())
        .collect();
    // The dead branch before each objective, which are in the order of the source.
    let mut last = false;
    for (o, guard) in objectives.iter().zip(&mut guards) {
        if !is_dead(o) {
            continue;
        }
        if is_branch(o) {
            last = *guard;
        }
        *guard |=
            if o.explanation.is_empty() { last && !is_branch(o) } else { ruling.contains(&o.explanation) };
    }
    guards
}

/// A condition up to the parentheses or the statement that it stands in: what a macro becomes has a range of its own, and where a
/// macro is used, the range of the condition ends.
fn whole_condition(sources: &SourceMap, span: Span) -> Span {
    let text = sources.file(span.file).text.as_bytes();
    let (start, end) = ((span.start as usize).min(text.len()), (span.end as usize).min(text.len()));
    let reach = |bytes: &mut dyn Iterator<Item = &u8>, opens: u8, closes: u8| {
        let mut depth = 0u32;
        bytes
            .take(LONGEST)
            .take_while(|&&byte| {
                if byte == closes && depth == 0 || matches!(byte, b';' | b'{' | b'}') {
                    return false;
                }
                depth += u32::from(byte == opens);
                depth -= u32::from(byte == closes);
                true
            })
            .count()
    };
    let before = reach(&mut text[..start].iter().rev(), b')', b'(');
    let behind = reach(&mut text[end..].iter(), b'(', b')');
    Span { start: (start - before) as u32, end: (end + behind) as u32, ..span }
}

/// Whether an expression mentions a constant of the implementation.
fn mentions_implementation(text: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_of_name(c)).any(|word| {
        let is_limit = |ending: &str| word.len() > ending.len() && word.ends_with(ending);
        matches!(word, "sizeof" | "_Alignof" | "alignof") || ENDINGS.iter().any(|ending| is_limit(ending))
    })
}

#[cfg(test)]
mod tests {
    use super::mentions_implementation;

    #[test]
    fn constants_of_the_implementation_are_known_by_their_names() {
        for text in ["n > INT_MAX", "len >= (size_t)-1 / sizeof(int)", "CHAR_BIT != 8"] {
            assert!(mentions_implementation(text), "{text}");
        }
        for text in ["n > LIMIT", "_MAX == n", "maximum < n", "my_sizeof(n)"] {
            assert!(!mentions_implementation(text), "{text}");
        }
    }
}
