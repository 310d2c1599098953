//! Loop unswitching of a proof: both cases of a condition that no loop changes, each by itself.
//!
//! **Idea.** What such a condition says at the first loop head, it says at all heads of a run. So there are two programs, one in
//! which it holds everywhere and one in which it holds nowhere, and a target that is excluded in both is excluded. In each of
//! them there are fewer segments, and more can hold at a head.
//!
//! Example: in
//!
//! ```text
//! i = flag ? 0 : 1;  j = 1;
//! while (more()) { a++;  b += j - i;  i += 2;  if (i % 2 == 0) j += 2; else j++; }
//! if (flag) assert(a == b);
//! ```
//!
//! neither `i` is even nor `a == b` holds at the head. If `flag` does, both do; and if it does not, the assertion is not
//! arrived at.
//!
//! **Paper.** The transformation is F. Allen, J. Cocke, "A catalogue of optimizing transformations" (1971). Here nothing is
//! transformed but the segments of a proof.
//!
//! **Deviations.** There are no cases where calls of recursive procedures return: what is known of a procedure's end in one case is
//! known of the activation that the condition is about, and not of others that the run has left.
//!
//! **Direction of error.** That of the proof in each case: a condition qualifies if it names only variables that have the same value
//! at both ends of every segment between heads.

use footpath_ir::BlockId;
use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::FxHashSet;

use super::facts::{Asker, is_easy};
use super::guesses::Names;
use super::segments::{Segment, Segments};
use super::{exclude, prune};

/// How many conditions are tried, one after the other.
const MAX_CASES: usize = 4;

/// Removes the targets that are excluded in both cases of a condition from those that are open. Where one case excludes
/// all, what follows is about the other one.
pub(super) fn by_cases(
    terms: &mut Terms,
    mut segments: Segments,
    variables: &[SymbolId],
    open: &mut Vec<BlockId>,
    asker: &mut Asker<'_>,
) {
    for condition in unchanged_conditions(terms, &segments).into_iter().take(MAX_CASES) {
        segments.segments.retain(|segment| segment.to.is_some() || open.contains(&segment.at));
        let not = terms.app(Op::Not, [condition]);
        let mut left: Vec<BlockId> = Vec::new();
        let mut rest = None;
        for [case, other] in [[condition, not], [not, condition]] {
            if !(asker.go_on)() {
                return;
            }
            let mut those = under(terms, &segments, case);
            let mut positions = those.to_targets();
            prune(terms, &mut those, &mut positions, asker);
            if !positions.is_empty() {
                exclude(terms, &mut those, variables, &mut positions, asker);
            }
            if positions.is_empty() {
                rest = Some(other);
            }
            left.extend(those.targets(&positions));
        }
        open.retain(|target| left.contains(target));
        if open.is_empty() {
            return;
        }
        if let Some(other) = rest {
            segments = under(terms, &segments, other);
        }
    }
}

/// The segments of the runs at whose heads a condition holds that no segment between heads changes.
fn under(terms: &mut Terms, segments: &Segments, condition: TermId) -> Segments {
    let mut those = segments.clone();
    those.segments.retain_mut(|segment| {
        let condition = match (segment.from, segment.to) {
            (Some(_), _) => condition,
            (None, Some(_)) => segment.state.eval(terms, condition),
            // No head is passed.
            (None, None) => return true,
        };
        segment.assume(terms, condition)
    });
    those
}

/// Leaves of the segments those of runs to open targets, if all of these need the same condition that no loop changes: then it holds
/// all along.
pub(super) fn restrict(terms: &mut Terms, segments: &mut Segments, open: &mut Vec<usize>) {
    let targets = segments.targets(open);
    segments.segments.retain(|segment| segment.to.is_some() || targets.contains(&segment.at));
    let unchanged = Unchanged::of(terms, segments);
    let mut common: Option<Vec<TermId>> = None;
    for segment in segments.segments.iter().filter(|segment| segment.to.is_none()) {
        let own = if segment.from.is_some() { unchanged.conditions(terms, segment) } else { Vec::new() };
        match &mut common {
            None => common = Some(own),
            Some(common) => common.retain(|condition| own.contains(condition)),
        }
    }
    for condition in common.unwrap_or_default() {
        *segments = under(terms, segments, condition);
    }
    *open = segments.to_targets();
}

/// The conditions on segments that no segment between heads changes, those on segments to targets first; of a condition and its
/// negation one.
fn unchanged_conditions(terms: &mut Terms, segments: &Segments) -> Vec<TermId> {
    let unchanged = Unchanged::of(terms, segments);
    let mut in_order: Vec<&Segment> = segments.segments.iter().collect();
    in_order.sort_by_key(|segment| segment.to.is_some());
    let mut found: Vec<TermId> = Vec::new();
    for segment in in_order {
        for condition in unchanged.conditions(terms, segment) {
            let not = terms.app(Op::Not, [condition]);
            if !found.contains(&condition) && !found.contains(&not) {
                found.push(condition);
            }
        }
    }
    found
}

/// The variables that no segment between heads changes; none where there are calls.
pub(super) struct Unchanged {
    names: Names,
    variables: FxHashSet<SymbolId>,
}

impl Unchanged {
    pub(super) fn of(terms: &mut Terms, segments: &Segments) -> Unchanged {
        let names = Names::of(terms, segments);
        let has_calls = segments.segments.iter().any(|segment| !segment.calls.is_empty());
        let all = if has_calls { &[][..] } else { &names.all };
        let mut variables: FxHashSet<SymbolId> = all.iter().copied().collect();
        for segment in segments.segments.iter().filter(|s| s.from.is_some() && s.to.is_some()) {
            variables.retain(|&symbol| {
                let same = terms.var(symbol);
                segment.state.get(terms, symbol) == same
            });
        }
        Unchanged { names, variables }
    }

    /// Whether a term is about such variables alone.
    pub(super) fn is(&self, terms: &Terms, term: TermId) -> bool {
        terms.free_symbols(&[term]).iter().all(|symbol| self.variables.contains(symbol))
    }

    /// Whether a term is about such variables and `symbol`, and about `symbol` indeed.
    pub(super) fn is_over(&self, terms: &Terms, term: TermId, symbol: SymbolId) -> bool {
        let symbols = terms.free_symbols(&[term]);
        symbols.contains(&symbol) && symbols.iter().all(|s| *s == symbol || self.variables.contains(s))
    }

    /// The conditions on a segment that are about such variables alone.
    fn conditions(&self, terms: &mut Terms, segment: &Segment) -> Vec<TermId> {
        let mut conditions = self.names.conditions(terms, segment);
        conditions.retain(|&condition| {
            let symbols = terms.free_symbols(&[condition]);
            !symbols.is_empty()
                && symbols.iter().all(|s| self.variables.contains(s))
                && is_easy(terms, condition)
        });
        conditions
    }
}
