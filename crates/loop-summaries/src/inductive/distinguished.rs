//! Which element of an array is the distinguished one: one that a segment reads.
//!
//! **Idea.** Nothing is known of the number κ of the distinguished element (`cell_morphing.rs`). But if it is an element that is
//! read on some segment, κ is the index there, and the conditions of the segment are conditions about κ. Those that mention nothing
//! else that loops change hold all along, and restrict κ. Reads with the same restriction are studied together.
//!
//! Example: on the segment with the conditions `i < n` and `a[i] != 0`, the element with `κ = i` is read, so `κ < n`. Where
//! `b[i - 1]` is read, `i` is `κ + 1`, and `κ + 1 < n`.
//!
//! **Direction of error.** None: a restriction follows from the conditions of each segment that it is used for.

use footpath_term::{Op, SortId, Substitution, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

use super::array_accesses::{Access, Written, accesses, reads};
use super::facts::is_easy;
use super::guesses::shifted;
use super::segments::{Segment, Segments};
use super::unswitching::Unchanged;

/// How many restrictions of κ are tried.
const MAX_RESTRICTIONS: usize = 6;

/// A read in a segment whose element is taken for the distinguished one.
pub(super) struct Reader {
    pub(super) segment: usize,
    pub(super) access: Access,
}

/// Reads with the same restriction.
pub(super) struct Group {
    /// κ, as a symbol and as a term.
    pub(super) symbol: SymbolId,
    pub(super) index: TermId,
    pub(super) restriction: Vec<TermId>,
    pub(super) readers: Vec<Reader>,
}

impl Group {
    /// No reads, so that no element is distinguished.
    pub(super) fn of_nothing(terms: &mut Terms) -> Group {
        let symbol = terms.fresh_symbol("index", SortId::INT);
        Group { symbol, index: terms.var(symbol), restriction: Vec::new(), readers: Vec::new() }
    }
}

/// The reads of the segments between heads and from heads to targets.
pub(super) fn groups(terms: &mut Terms, segments: &Segments, known: &[Vec<TermId>]) -> Vec<Group> {
    let mut indices: FxHashMap<SortId, SymbolId> = FxHashMap::default();
    let unchanged = Unchanged::of(terms, segments);
    let written = Written::of(terms, segments);
    let mut groups: Vec<Group> = Vec::new();
    for (n, segment) in segments.segments.iter().enumerate() {
        let Some(from) = segment.from else { continue };
        for access in reads(terms, segment) {
            // Of what no loop writes nothing is learnt, and nothing is wanted where a check is passed.
            if !written.contains(&access) || is_check_passed(terms, segments, segment, &access) {
                continue;
            }
            let sort = terms.sort(access.number);
            let symbol = *indices.entry(sort).or_insert_with(|| terms.fresh_symbol("index", sort));
            let index = terms.var(symbol);
            let Some(restriction) = restriction(terms, segment, (&known[from], &unchanged), &access, symbol)
            else {
                continue;
            };
            let reader = Reader { segment: n, access };
            match groups.iter_mut().find(|g| g.index == index && g.restriction == restriction) {
                Some(group) => group.readers.push(reader),
                None => groups.push(Group { symbol, index, restriction, readers: vec![reader] }),
            }
        }
    }
    // Where the most is read the most is learnt.
    groups.sort_by_key(|group| std::cmp::Reverse(group.readers.len()));
    groups.truncate(MAX_RESTRICTIONS);
    groups
}

/// Whether a segment is that of an iteration in which all that is done with an element is that it does not lead to a target.
fn is_check_passed(terms: &mut Terms, segments: &Segments, segment: &Segment, access: &Access) -> bool {
    let values: Vec<TermId> = segment.state.entries().into_iter().map(|(_, value)| value).collect();
    let others: Vec<&Segment> =
        segments.segments.iter().filter(|s| s.to.is_none() && s.from == segment.from).collect();
    segment.to == segment.from
        && accesses(terms, &values, &Op::Select).is_empty()
        && accesses(terms, &values, &Op::Store).is_empty()
        && others.into_iter().any(|other| reads(terms, other).contains(access))
}

/// What the conditions of a segment say of κ, if it is the number of an element that is read, in terms of what nothing changes.
/// `None` if the number cannot be expressed.
fn restriction(
    terms: &mut Terms,
    segment: &Segment,
    (known, unchanged): (&[TermId], &Unchanged),
    access: &Access,
    symbol: SymbolId,
) -> Option<Vec<TermId>> {
    let index = terms.var(symbol);
    if unchanged.is(terms, access.number) {
        return Some(vec![terms.app(Op::Eq, [index, access.number])]);
    }
    let solved = solved(terms, access.number, index)?;
    let (&variable, _) = solved.iter().next()?;
    let bounds = known.iter().copied().filter(|&k| is_bound(terms, k, variable));
    let told: Vec<TermId> = segment.conditions.iter().copied().chain(bounds).collect();
    let mut found = Vec::new();
    for condition in told {
        if !terms.free_symbols(&[condition]).contains(&variable) || !is_easy(terms, condition) {
            continue;
        }
        let of_index = terms.substitute(condition, &solved);
        if unchanged.is_over(terms, of_index, symbol) && !found.contains(&of_index) {
            found.push(of_index);
        }
    }
    found.sort_unstable();
    Some(found)
}

/// The variable in a number, and what it is in terms of the number: `i` is κ + 1 if `i - 1` is κ.
pub(super) fn solved(terms: &mut Terms, number: TermId, index: TermId) -> Option<Substitution> {
    let (symbol, value) = match terms.term(number).op {
        Op::Var(symbol) => (symbol, index),
        _ => shifted(terms, index, number)?,
    };
    Some(Substitution::from_iter([(symbol, value)]))
}

/// Whether a condition says that a variable is not below a number.
fn is_bound(terms: &Terms, condition: TermId, variable: SymbolId) -> bool {
    let term = terms.term(condition);
    matches!(term.op, Op::Le | Op::BvSle)
        && terms.literal(term.args[0]).is_some()
        && terms.term(term.args[1]).op == Op::Var(variable)
}
