//! Invariants about all elements of an array, by means of a distinguished element (cell morphing).
//!
//! **Idea.** Let κ be a number that nothing changes and nothing is known of. If a condition about κ and the element `a[κ]` is an
//! invariant, it is one for all κ. And `a[κ]` is a variable like any other: it has a new value where the array is
//! written at κ, and its old one elsewhere. So segments without arrays result, in which a read at κ gives the value of the variable,
//! and a read at another place an arbitrary value; and everything that there is for scalars proves conditions of them. What holds
//! of elements that a loop has visited does not hold of others, so each head is divided: into states in which the loop's index
//! has passed κ, and others.
//!
//! Where an array is read, the element that is read may be taken for the distinguished one: then its number is below the array's
//! length, for example, as the read is in bounds, and κ may be restricted to that. What is proved of it at the head before is
//! added to the segment. The segments are better now than before, so more can be proved of other elements.
//!
//! Example:
//!
//! ```text
//! for (i = 0; i < n; i++) a[i] = 2 * i;
//! for (i = 0; i < n; i++) assert(a[i] == 2 * i);
//! ```
//!
//! The failing read is one of `a[κ]` with `κ = i`, so `0 ≤ κ < n`. At the first head `a[κ] = 2·κ` is an identity of the states with
//! `κ < i`. The first loop is only left with `i ≥ n`, so with `κ < i`, and the identity refutes the failing segment.
//!
//! **Paper.** D. Monniaux, L. Gonnord, "Cell morphing: from array programs to array-free Horn clauses" (SAS 2016).
//!
//! **Deviations.**
//! 1. κ is the same for all arrays, so that conditions are about elements with the same number; there are also elements at places
//!    that depend on κ (`b[n - 1 - κ]`), on variables of the loop (`b[i - 1]`), and on neither (`b[0]`).
//! 2. What is proved of κ is not used for reads elsewhere at once, but with the next κ (see above).
//! 3. κ is restricted to what the conditions of a read say of it, where they mention nothing that loops change.
//!
//! **Direction of error.** The new segments represent more runs than the old ones, for every κ that is not excluded by the
//! restriction, and for one κ each run to the target.

use footpath_ir::BlockId;
use footpath_term::{Op, Substitution, SymbolId, TermId, Terms};
use rustc_hash::FxHashSet;

use super::array_accesses::{Access, reads};
use super::array_elimination::{Arrays, Morphed};
use super::distinguished::{Group, Reader, groups};
use super::facts::Asker;
use super::guesses::guesses;
use super::identities::{Identities, Scope, widths};
use super::segments::Segments;
use super::{Facts, exclude, linear};

/// How often what was proved is used to prove more.
const MAX_ROUNDS: usize = 4;
/// How many conditions are added for a read, the sizes of identities among them that do not say what the element is and of those that
/// do, and the weights of identities.
const MAX_ADDED: usize = 12;
const MAX_SIZE: u64 = 8;
const MAX_VALUE: u64 = 40;
const WEIGHTS: [u32; 3] = [1, 2, 3];

/// Removes the targets that are excluded by what is known of array elements from those that are left. `known` holds at heads.
/// Returns segments without arrays that are as good, with what is known at their heads, if anything was learnt.
pub(super) fn by_cells(
    terms: &mut Terms,
    segments: Segments,
    known: &[Vec<TermId>],
    variables: &[SymbolId],
    left: &mut Vec<BlockId>,
    asker: &mut Asker<'_>,
) -> Option<(Segments, Facts)> {
    if segments.segments.iter().any(|segment| !segment.calls.is_empty()) {
        return None;
    }
    let groups = groups(terms, &segments, known);
    let first = &segments.clone();
    let mut work = Work { first, segments, known, variables, groups, said: FxHashSet::default() };
    let mut best = None;
    for _ in 0..MAX_ROUNDS {
        // Identities cost little, so all of them are found before anything else.
        for _ in 0..MAX_ROUNDS {
            if !work.learn(terms, left, Kind::Identities, asker) {
                break;
            }
        }
        work.exclude(terms, left, asker);
        if !left.is_empty() && (asker.go_on)() {
            best = work.exclude_without_reads(terms, left, asker).or(best);
        }
        if left.is_empty() || !(asker.go_on)() || !work.learn(terms, left, Kind::Guesses, asker) {
            break;
        }
    }
    best
}

/// What is learnt of elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Identities,
    Guesses,
}

/// The segments, to which more and more conditions are added.
struct Work<'a> {
    first: &'a Segments,
    segments: Segments,
    known: &'a [Vec<TermId>],
    variables: &'a [SymbolId],
    groups: Vec<Group>,
    /// The segments and the elements read on them whose values are known.
    said: FxHashSet<(usize, TermId)>,
}

impl Work<'_> {
    /// Adds conditions about the elements that are read; returns whether there are new ones.
    fn learn(&mut self, terms: &mut Terms, left: &[BlockId], kind: Kind, asker: &mut Asker<'_>) -> bool {
        let mut learnt = false;
        for n in 0..self.groups.len() {
            if !(asker.go_on)() {
                return false;
            }
            if let Some(mut morphed) = Morphed::of(terms, self.all(), (&self.groups[n], left), asker) {
                let found = morphed.learn(terms, self.first, (kind, &mut self.said), asker);
                for (segment, condition) in found {
                    learnt |= self.add(terms, segment, condition);
                }
            }
        }
        learnt
    }

    fn all(&self) -> Arrays<'_> {
        Arrays { first: self.first, now: &self.segments, known: self.known }
    }

    /// Adds a condition to a segment; returns whether it is new.
    fn add(&mut self, terms: &mut Terms, segment: usize, condition: TermId) -> bool {
        let segment = &mut self.segments.segments[segment];
        let before = segment.conditions.len();
        segment.require(terms, condition);
        segment.conditions.len() > before
    }

    /// Removes targets from those that are left that are excluded by what is known of the elements that are read before them.
    fn exclude(&self, terms: &mut Terms, left: &mut Vec<BlockId>, asker: &mut Asker<'_>) {
        for group in &self.groups {
            let leads = |r: &Reader| self.segments.segments[r.segment].to.is_none();
            if !(asker.go_on)() || !group.readers.iter().any(leads) {
                continue;
            }
            if let Some(mut morphed) = Morphed::of(terms, self.all(), (group, left), asker) {
                morphed.exclude(terms, self.variables, left, asker);
            }
        }
    }

    /// The same by what the conditions that were learnt say of other variables. Returns segments without arrays, with what is known
    /// at their heads, if something is left.
    fn exclude_without_reads(
        &self,
        terms: &mut Terms,
        left: &mut Vec<BlockId>,
        asker: &mut Asker<'_>,
    ) -> Option<(Segments, Facts)> {
        let all = Group::of_nothing(terms);
        let mut morphed = Morphed::of(terms, self.all(), (&all, left), asker)?;
        let facts = morphed.exclude(terms, self.variables, left, asker)?;
        Some((morphed.segments, facts))
    }
}

/// A condition at a head.
struct Found {
    term: TermId,
    /// The elements of which nothing else need be said at once, as other conditions are its multiples.
    enough_for: Vec<SymbolId>,
    /// Whether it says what an element is.
    is_value: bool,
}

/// An element, at a read.
#[derive(Clone)]
struct Meaning {
    symbol: SymbolId,
    element: TermId,
    /// Whether it is read there, and some loop writes it.
    is_read: bool,
}

impl Morphed<'_> {
    /// Removes targets that are excluded from those that are left. What is known at the heads, if something is left.
    fn exclude(
        &mut self,
        terms: &mut Terms,
        variables: &[SymbolId],
        left: &mut Vec<BlockId>,
        asker: &mut Asker<'_>,
    ) -> Option<Facts> {
        let mut variables = variables.to_vec();
        variables.extend(self.cells.iter().map(|cell| cell.symbol));
        let mut open = self.segments.to_targets();
        let mut facts = None;
        if !open.is_empty() {
            facts = exclude(terms, &mut self.segments, &variables, &mut open, asker);
        }
        let targets = self.segments.targets(&open);
        left.retain(|target| !self.targets.contains(target) || targets.contains(target));
        facts
    }

    /// What is known of elements that are read, as conditions for the segments that read them, with their numbers. `said` are the
    /// segments and the elements on them whose values are known.
    fn learn(
        &mut self,
        terms: &mut Terms,
        segments: &Segments,
        (kind, said): (Kind, &mut FxHashSet<(usize, TermId)>),
        asker: &mut Asker<'_>,
    ) -> Vec<(usize, TermId)> {
        if self.reading.is_empty() {
            return Vec::new();
        }
        self.segments.segments.retain(|segment| segment.to.is_some());
        // What is compared with an arbitrary value is compared with nothing, but identities are about it.
        for (k, segment) in &self.reading {
            let mut segment = segment.clone();
            let mut compared = vec![self.group.index];
            for cell in self.meaning(terms, segments, *k).into_iter().filter(|cell| cell.is_read) {
                compared.push(terms.var(cell.symbol));
            }
            for t in compared {
                let sort = terms.sort(t);
                let arbitrary = terms.fresh_var("any", sort);
                segment.fresh.push(arbitrary);
                segment.conditions.push(terms.app(Op::Eq, [t, arbitrary]));
            }
            self.segments.segments.push(segment);
        }
        let found = match kind {
            Kind::Identities => self.identities(terms, segments, said, asker),
            Kind::Guesses => {
                let Some(facts) = self.facts(terms, asker) else { return Vec::new() };
                let found = |term| Found { term, enough_for: Vec::new(), is_value: false };
                facts.into_iter().map(|of_head| of_head.into_iter().map(found).collect()).collect()
            }
        };
        self.told(terms, segments, &found, said)
    }

    /// What holds at the heads.
    fn facts(&self, terms: &mut Terms, asker: &mut Asker<'_>) -> Option<Vec<Vec<TermId>>> {
        let mut known = linear(terms, &self.segments, asker.go_on);
        let guessed = guesses(terms, &self.segments, asker.go_on)?;
        let proved = asker.proved(terms, &self.segments, &known, guessed)?;
        known.iter_mut().zip(proved).for_each(|(known, proved)| known.extend(proved));
        Some(known)
    }

    /// Identities at the heads, first those that say what an element is; as light ones as there are for the elements that are read.
    fn identities(
        &self,
        terms: &mut Terms,
        segments: &Segments,
        said: &FxHashSet<(usize, TermId)>,
        asker: &Asker<'_>,
    ) -> Vec<Vec<Found>> {
        let mut all: Vec<Vec<Found>> = (0..self.segments.heads).map(|_| Vec::new()).collect();
        let mut others: Vec<Vec<Found>> = (0..self.segments.heads).map(|_| Vec::new()).collect();
        let mut wanted: Vec<(usize, SymbolId)> = Vec::new();
        for (k, segment) in &self.reading {
            let on = self.group.readers[*k].segment;
            let is_open = |cell: &Meaning| cell.is_read && !said.contains(&(on, cell.element));
            let read = self.meaning(terms, segments, *k).into_iter().filter(is_open);
            wanted.extend(
                segment.from.into_iter().flat_map(|from| read.clone().map(move |cell| (from, cell.symbol))),
            );
        }
        let lightest_first = WEIGHTS
            .iter()
            .flat_map(|&weight| [Scope::Equations, Scope::AllEquations].map(|scope| (weight, scope)));
        for width in widths(terms, &self.segments, Scope::Equations) {
            for (weight, scope) in lightest_first.clone() {
                let what = (width, weight, scope);
                let is_of_width =
                    |(_, symbol): &(usize, SymbolId)| terms.width(terms.symbol(*symbol).sort) == Some(width);
                if !wanted.iter().any(is_of_width) {
                    break;
                }
                let Some(mut found) = Identities::find(terms, &self.segments, what, asker.go_on) else {
                    continue;
                };
                wanted.retain(|&(head, symbol)| {
                    let Some(term) = found.value_of(terms, head, symbol) else { return true };
                    // A long one is mostly about more elements than it need be, which a heavier one is not.
                    let is_long = terms.tree_size(term) > MAX_VALUE;
                    if !is_long {
                        all[head].push(Found { term, enough_for: vec![symbol], is_value: true });
                    }
                    is_long
                });
                for &(head, _) in &wanted {
                    // Of the others those are of use that say of one element that it is even, and the like.
                    for term in found.conditions(terms, head) {
                        let symbols = terms.free_symbols(&[term]);
                        if symbols.len() == 1 && terms.tree_size(term) <= MAX_SIZE {
                            others[head].push(Found { term, enough_for: symbols, is_value: false });
                        }
                    }
                }
            }
        }
        for (all, others) in all.iter_mut().zip(others) {
            all.sort_by_key(|found| terms.tree_size(found.term));
            all.extend(others);
        }
        all
    }

    /// What the elements are if the distinguished one is that of a reader.
    fn meaning(&self, terms: &mut Terms, segments: &Segments, reader: usize) -> Vec<Meaning> {
        let reader = &self.group.readers[reader];
        let here = Substitution::from_iter([(self.group.symbol, reader.access.number)]);
        let read = reads(terms, &segments.segments[reader.segment]);
        let mut all = Vec::new();
        for cell in &self.cells {
            let number = terms.substitute(cell.access.number, &here);
            let access = Access { number, ..cell.access.clone() };
            let is_read = cell.is_written && read.contains(&access);
            all.push(Meaning { symbol: cell.symbol, element: access.element(terms), is_read });
        }
        all
    }

    /// Conditions at the heads, as conditions for the segments that read elements.
    fn told(
        &self,
        terms: &mut Terms,
        segments: &Segments,
        known: &[Vec<Found>],
        said: &mut FxHashSet<(usize, TermId)>,
    ) -> Vec<(usize, TermId)> {
        let mut all = Vec::new();
        for (k, reader) in self.group.readers.iter().enumerate() {
            let mut heads: Vec<usize> =
                self.reading.iter().filter(|(other, _)| *other == k).filter_map(|(_, s)| s.from).collect();
            heads.sort_unstable();
            heads.dedup();
            // In which part of a head it is read is known, or nothing is.
            let &[head] = &heads[..] else { continue };
            let mut meaning = Substitution::from_iter([(self.group.symbol, reader.access.number)]);
            let mut wanted: Vec<SymbolId> = Vec::new();
            for cell in self.meaning(terms, segments, k) {
                meaning.insert(cell.symbol, cell.element);
                if cell.is_read && !said.contains(&(reader.segment, cell.element)) {
                    wanted.push(cell.symbol);
                }
            }
            let mut told = 0;
            for Found { term, enough_for, is_value } in &known[head] {
                let is_wanted = |symbol: &SymbolId| wanted.contains(symbol);
                let about =
                    if enough_for.is_empty() { terms.free_symbols(&[*term]) } else { enough_for.clone() };
                if told == MAX_ADDED || !about.iter().any(is_wanted) {
                    continue;
                }
                if *is_value {
                    said.extend(enough_for.iter().map(|symbol| (reader.segment, meaning[symbol])));
                    // Several variables may stand for the element that is read.
                    wanted.retain(|symbol| !said.contains(&(reader.segment, meaning[symbol])));
                } else {
                    wanted.retain(|symbol| !enough_for.contains(symbol));
                }
                let condition = terms.substitute(*term, &meaning);
                all.push((reader.segment, condition));
                told += 1;
            }
        }
        all
    }
}
