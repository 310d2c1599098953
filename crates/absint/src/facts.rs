//! The abstract domain: a range for each unknown and linear inequalities between unknowns, a cheap relative of
//! polyhedra.
//!
//! **Idea.** Ranges are cheap and answer most questions. Rows `Σ aᵢ·xᵢ + c ≤ 0` relate unknowns to each other,
//! symbolic sizes of buffers included. Entailment is decided by elimination (`linear.rs`) over those facts that share
//! unknowns with the question, directly or through other facts.
//!
//! **Example.** Before the first iteration of a loop `i = 0` and `s = 0`, after it `i = 1` and `s = 2`. The join has
//! the ranges `0 ≤ i ≤ 1` and `0 ≤ s ≤ 2`, and the line through both points, `s = 2i`.
//!
//! **Papers.** Polyhedra: Cousot, Halbwachs, "Automatic discovery of linear restraints among variables of a program",
//! POPL 1978. The join here keeps those rows of either side that the other side entails; further candidates are
//! differences of unknowns, as in the zones of Miné ("A new numerical abstract domain based on difference-bound
//! matrices", PADO 2001), and the line through two points. The widening is that of the first paper: it keeps those of
//! the old facts that still hold.
//!
//! **Direction of error.** [`Facts`] over-approximate: every state that they describe satisfies them, and others may.
//! [`Facts::refute`] may miss a contradiction.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use footpath_term::{Op, TermId, Terms};

use crate::linear::{Dim, Linear, Reading, Rows};
use crate::query_cache;
use crate::range::{Range, fits};

/// An abstract state: a range for each unknown, and rows between unknowns. The module describes the domain.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    ranges: BTreeMap<Dim, Range>,
    rows: BTreeSet<Linear>,
    /// Whether the ranges already follow from the rows: no fact was added since they were last propagated.
    drawn: bool,
    /// A contradiction was seen.
    empty: bool,
}

/// The limit on rows that are kept. Thirty objects that a body allocates need sixty rows to be kept apart.
const MAX_KEPT: usize = 200;
/// Rounds of propagating bounds from rows to ranges.
const ROUNDS: usize = 4;
/// The limit on unknowns whose differences a join tries as rows.
const MAX_PAIRED: usize = 8;

impl Dim {
    /// The range that its sort gives the unknown in every state.
    pub fn natural(self) -> Range {
        match self {
            Dim::Term(_, Reading::Bool) => Range::between(0, 1),
            Dim::Term(_, Reading::Signed(w)) if w > 0 && w < 100 => {
                Range::between(-(1 << (w - 1)), (1 << (w - 1)) - 1)
            }
            Dim::Term(_, Reading::Rank(w)) if w > 0 && w < 100 => {
                Range::between(1 - (1 << (w - 1)), (1 << (w - 1)) - 1)
            }
            Dim::Term(_, Reading::Unsigned(w)) if w < 100 => Range::between(0, (1 << w) - 1),
            Dim::Term(_, Reading::Unsigned(_)) => Range { lo: Some(0), ..Range::TOP },
            _ => Range::TOP,
        }
    }

    /// The same bits in the other reading, signed or unsigned.
    pub fn sibling(self) -> Option<Dim> {
        match self {
            Dim::Term(t, Reading::Signed(w)) => Some(Dim::Term(t, Reading::Unsigned(w))),
            Dim::Term(t, Reading::Unsigned(w)) => Some(Dim::Term(t, Reading::Signed(w))),
            _ => None,
        }
    }
}

impl Facts {
    /// Whether no state satisfies the facts, as far as was seen.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &Linear> {
        self.rows.iter()
    }

    /// The unknowns with what is known of each.
    pub fn ranges(&self) -> impl Iterator<Item = (Dim, Range)> {
        self.ranges.iter().map(|(d, r)| (*d, *r))
    }

    /// All unknowns that a fact is about.
    pub fn dims(&self) -> BTreeSet<Dim> {
        self.mentioned().collect()
    }

    /// The unknowns that facts are about, some more than once.
    fn mentioned(&self) -> impl Iterator<Item = Dim> {
        self.ranges.keys().copied().chain(self.rows.iter().flat_map(|r| r.parts.iter().map(|p| p.0)))
    }

    /// The elements of a map that a fact is about, some more than once.
    pub fn elements<'a>(&'a self, terms: &'a Terms, map: TermId) -> impl Iterator<Item = TermId> + 'a {
        self.mentioned().filter_map(move |dim| match dim {
            Dim::Term(t, _) => Some(t).filter(|t| {
                let term = terms.term(*t);
                term.op == Op::Select && term.args[0] == map
            }),
            Dim::Temp(_) => None,
        })
    }

    /// The range of an unknown.
    pub fn range(&self, dim: Dim) -> Range {
        let own = self.own_range(dim);
        if let Dim::Term(t, Reading::Rank(w)) = dim {
            return own.meet(self.rank_by_sign(t, w));
        }
        match dim.sibling().map(|s| (s, self.own_range(s))) {
            Some((Dim::Term(_, Reading::Signed(_)), signed)) if signed.lo.is_some_and(|n| n >= 0) => {
                own.meet(signed)
            }
            Some((Dim::Term(_, Reading::Unsigned(w)), unsigned))
                if w > 0 && w < 100 && unsigned.hi.is_some_and(|n| n < 1 << (w - 1)) =>
            {
                own.meet(unsigned)
            }
            Some((Dim::Term(_, Reading::Unsigned(_)), unsigned)) if own.lo.is_some_and(|n| n >= 0) => {
                own.meet(unsigned)
            }
            _ => own,
        }
    }

    /// What the bits of a floating-point number imply for its rank.
    fn rank_by_sign(&self, bits: TermId, w: u32) -> Range {
        let Range { lo: Some(lo), hi: Some(hi), .. } = self.range(Dim::Term(bits, Reading::Signed(w))) else {
            return Range::TOP;
        };
        let sign = 1 << (w - 1);
        match (lo >= 0, hi < 0) {
            (true, _) => Range::between(lo, hi),
            (_, true) => Range::between(-sign - hi, -sign - lo),
            _ => Range::TOP,
        }
    }

    /// Whether any fact is about an unknown.
    pub fn mentions(&self, dim: Dim) -> bool {
        self.ranges.contains_key(&dim) || self.rows.iter().any(|r| r.coefficient(dim) != 0)
    }

    fn own_range(&self, dim: Dim) -> Range {
        self.ranges.get(&dim).copied().unwrap_or_else(|| dim.natural())
    }

    /// The range of an expression by the ranges of its parts.
    pub fn range_of(&self, e: &Linear) -> Range {
        let start = Range::only(e.constant);
        e.parts.iter().fold(start, |sum, (dim, k)| sum.add(self.range(*dim).scale(*k)))
    }

    /// Intersects the range of an unknown with another.
    pub fn restrict(&mut self, dim: Dim, range: Range) {
        let known = self.own_range(dim);
        let met = known.meet(range);
        self.empty |= met.is_empty();
        if met != known {
            self.ranges.insert(dim, met);
            self.drawn = false;
            // The other reading may contradict it.
            self.empty |= self.range(dim).is_empty();
        }
    }

    /// Adds `e ≤ 0`.
    pub fn add(&mut self, e: &Linear) {
        let range = self.range_of(e);
        if self.empty || range.hi.is_some_and(|hi| hi <= 0) {
            return;
        }
        let row = self.view(e).map_or_else(|| e.clone(), Cow::into_owned);
        let row = rounded(row, range);
        self.add_row(row.tightened());
    }

    /// Adds a row as it is.
    fn add_row(&mut self, row: Linear) {
        match row.parts.as_slice() {
            [] => self.empty |= row.constant > 0,
            [(dim, k)] => {
                let range = if *k > 0 {
                    Range { hi: Some((-row.constant).div_euclid(*k)), ..Range::TOP }
                } else {
                    Range { lo: Some(-(-row.constant).div_euclid(-*k)), ..Range::TOP }
                };
                self.restrict(*dim, range);
            }
            _ if self.rows.len() < MAX_KEPT => {
                // Where the others have nothing more to say, this one may.
                let drawn = self.drawn;
                self.drawn = !self.narrow(&row) && drawn;
                self.rows.insert(row);
            }
            _ => {}
        }
        if !self.drawn {
            self.propagate();
        }
    }

    /// Adds `e = 0`.
    pub fn equate(&mut self, e: &Linear) {
        self.add(e);
        if let Some(other) = e.scale(-1) {
            self.add(&other);
        }
    }

    /// Propagates bounds from rows to ranges.
    fn propagate(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        for _ in 0..ROUNDS {
            let mut changed = false;
            for row in &rows {
                changed |= self.narrow(row);
                if self.empty {
                    break;
                }
            }
            self.drawn = !changed;
            if self.drawn || self.empty {
                break;
            }
        }
        self.rows = rows;
    }

    /// Propagates bounds from a row to ranges. Returns whether one of them became narrower.
    fn narrow(&mut self, row: &Linear) -> bool {
        // The least that the row's parts may be; where that of one is unknown, only it learns from the others.
        let least: Vec<Option<i128>> =
            row.parts.iter().map(|(dim, k)| self.range(*dim).scale(*k).lo).collect();
        let unknown = least.iter().filter(|l| l.is_none()).count();
        if unknown > 1 {
            return false;
        }
        let known = least.iter().flatten().try_fold(row.constant, |sum, l| fits(sum + l));
        let Some(sum) = known else { return false };
        let mut changed = false;
        for ((dim, k), own) in row.parts.iter().zip(least) {
            // k·x ≤ −(the rest at its least)
            let rest = match own {
                Some(own) if unknown == 0 => sum - own,
                None => sum,
                Some(_) => continue,
            };
            let range = if *k > 0 {
                Range { hi: fits((-rest).div_euclid(*k)), ..Range::TOP }
            } else {
                Range { lo: fits(-(-rest).div_euclid(-*k)), ..Range::TOP }
            };
            let before = self.own_range(*dim);
            self.restrict(*dim, range);
            changed |= self.own_range(*dim) != before;
        }
        changed
    }

    /// `e` in terms of signed readings where both readings are the same.
    fn view<'a>(&self, e: &'a Linear) -> Option<Cow<'a, Linear>> {
        let mut result = Cow::Borrowed(e);
        for (dim, _) in &e.parts {
            if let (Dim::Term(_, Reading::Unsigned(w)), Some(signed)) = (*dim, dim.sibling())
                && w > 0
                && w < 100
                && self.range(*dim).hi.is_some_and(|n| n < 1 << (w - 1))
            {
                result = Cow::Owned(result.with(*dim, &Linear::dim(signed))?);
            }
        }
        Some(result)
    }

    /// Whether the facts and `e ≤ 0` contradict each other.
    pub fn refute(&self, e: &Linear) -> bool {
        if self.empty {
            return true;
        }
        let Some(e) = self.view(e) else { return false };
        let range = self.range_of(&e);
        if range.lo.is_some_and(|lo| lo > 0) {
            return true;
        }
        if !self.rows.iter().any(|row| opposes(row, &e)) {
            return false;
        }
        let rows = self.connected(&e);
        query_cache::contradict(rows, rounded(e.into_owned(), range))
    }

    /// Whether `e ≤ 0` follows.
    pub fn entails(&self, e: &Linear) -> bool {
        self.empty
            || self.range_of(e).hi.is_some_and(|hi| hi <= 0)
            || self.has(e)
            || self.almost_has(e)
            || e.opposite().is_some_and(|opposite| self.refute(&opposite))
    }

    /// Whether a row says `e ≤ 0` by itself.
    fn has(&self, e: &Linear) -> bool {
        // Rows with the same unknowns are next to each other, the weaker first.
        self.rows.range(e..).next().is_some_and(|row| row.parts == e.parts)
    }

    /// Whether a row together with ranges entails `e ≤ 0`. Most entailments are of this kind, and elimination is
    /// slow.
    fn almost_has(&self, e: &Linear) -> bool {
        let shares = |row: &Linear| e.parts.iter().any(|&(dim, k)| row.coefficient(dim) == k);
        let follows = |row: &Linear| {
            e.plus(-1, row).is_some_and(|rest| self.range_of(&rest).hi.is_some_and(|hi| hi <= 0))
        };
        self.rows.iter().any(|row| shares(row) && follows(row))
    }

    /// The rows that share unknowns with an expression, directly or through other rows, ranges included.
    fn connected(&self, e: &Linear) -> Vec<Linear> {
        let mut known: BTreeSet<Dim> = e.parts.iter().map(|p| p.0).collect();
        let mut found = vec![false; self.rows.len()];
        let mut rows = Vec::new();
        let viewed: Vec<Cow<'_, Linear>> =
            self.rows.iter().map(|r| self.view(r).unwrap_or(Cow::Borrowed(r))).collect();
        loop {
            let mut more = false;
            for (row, found) in viewed.iter().zip(&mut found) {
                if !*found && row.parts.iter().any(|p| known.contains(&p.0)) {
                    *found = true;
                    more = true;
                    known.extend(row.parts.iter().map(|p| p.0));
                    rows.push(Linear::clone(row));
                }
            }
            if !more {
                break;
            }
        }
        for dim in known {
            let range = self.range(dim);
            if let Some(hi) = range.hi {
                rows.push(Linear { parts: vec![(dim, 1)], constant: -hi });
            }
            if let Some(lo) = range.lo {
                rows.push(Linear { parts: vec![(dim, -1)], constant: lo });
            }
        }
        rows
    }

    /// Forgets some unknowns; the consequences for the others stay.
    pub fn forget_all(&mut self, gone: &mut dyn FnMut(Dim) -> bool) {
        let mut related: BTreeMap<Dim, bool> = BTreeMap::new();
        for (dim, _) in self.rows.iter().flat_map(|r| &r.parts) {
            related.entry(*dim).or_insert_with(|| gone(*dim));
        }
        // These have no part in any row.
        self.ranges.retain(|dim, _| related.contains_key(dim) || !gone(*dim));
        for (dim, _) in related.into_iter().filter(|(_, gone)| *gone) {
            self.forget(dim);
        }
    }

    /// Forgets an unknown.
    fn forget(&mut self, dim: Dim) {
        let range = self.range(dim);
        self.ranges.remove(&dim);
        let about: Vec<Linear> = self.rows.iter().filter(|r| r.coefficient(dim) != 0).cloned().collect();
        if about.is_empty() {
            return;
        }
        self.drawn = false;
        let mut rows = Rows::default();
        for row in about {
            self.rows.remove(&row);
            rows.add(row);
        }
        for (k, bound) in [(1, range.hi.map(|n| -n)), (-1, range.lo)] {
            if let Some(constant) = bound {
                rows.add(Linear { parts: vec![(dim, k)], constant });
            }
        }
        for row in rows.without(dim, 60).into_rows() {
            // What the ranges say already is no row.
            if self.range_of(&row).hi.is_none_or(|hi| hi > 0) {
                // Not in terms of the other reading, which may be the one that was just forgotten.
                self.add_row(row);
            }
        }
    }

    /// Renames an unknown; nothing is known under the new name.
    pub fn rename(&mut self, from: Dim, to: Dim) {
        if let Some(range) = self.ranges.remove(&from) {
            self.restrict(to, range);
        }
        let about: Vec<Linear> = self.rows.iter().filter(|r| r.coefficient(from) != 0).cloned().collect();
        for row in about {
            self.rows.remove(&row);
            self.rows.extend(row.with(from, &Linear::dim(to)));
            self.drawn = false;
        }
    }

    /// The join: facts that hold in every state of `self` and in every state of `other`.
    pub fn join(&self, other: &Facts) -> Facts {
        if self.empty {
            return other.clone();
        }
        if other.empty {
            return self.clone();
        }
        let mut joined = Facts::default();
        let dims: BTreeSet<Dim> = self.ranges.keys().chain(other.ranges.keys()).copied().collect();
        let mut changed = Vec::new();
        for dim in dims {
            let (a, b) = (self.range(dim), other.range(dim));
            joined.restrict(dim, a.hull(b));
            if a != b
                && !matches!(dim, Dim::Term(_, Reading::Bool))
                && dim.sibling().is_none_or(|s| !changed.contains(&s))
            {
                changed.push(dim);
            }
        }
        let mut rows = BTreeSet::new();
        for (mine, theirs) in [(self, other), (other, self)] {
            rows.extend(mine.rows.iter().filter_map(|r| mine.kept_by(theirs, r)));
        }
        changed.truncate(MAX_PAIRED);
        for row in &self.rows {
            let Some(theirs) = other.strongest(row) else { continue };
            rows.extend(changed.iter().filter_map(|x| self.tilted(other, row, theirs, *x)));
        }
        for (i, x) in changed.iter().enumerate() {
            for y in &changed[i + 1..] {
                for (point, area) in [(self, other), (other, self)] {
                    rows.extend(point.wedge(area, *x, *y).into_iter().flatten());
                    rows.extend(point.wedge(area, *y, *x).into_iter().flatten());
                }
                for (x, y) in [(x, y), (y, x)] {
                    let Some(difference) = Linear::dim(*x).plus(-1, &Linear::dim(*y)) else { continue };
                    let bound = self.range_of(&difference).hi.zip(other.range_of(&difference).hi);
                    if let Some(row) = bound.and_then(|(a, b)| difference.offset(-a.max(b))) {
                        rows.insert(row);
                    }
                }
            }
        }
        for row in rows {
            joined.add(&row);
        }
        joined
    }

    /// Bounds of `x` by `y` on both sides, if `self` has one value for each of them and `other` has one for `y`: the
    /// lines from that point through the ends of the range of `x`. So a sum of bytes is found to be at most 255 times
    /// their count. Where the range is one value both lines are the same (Karr, "Affine relationships among variables
    /// of a program", 1976), so that `s = 2i` is found where a loop adds 2 to `s` and 1 to `i`.
    fn wedge(&self, other: &Facts, x: Dim, y: Dim) -> Option<[Linear; 2]> {
        let (x1, y1) = (self.range(x).value()?, self.range(y).value()?);
        let dy = other.range(y).value()? - y1;
        let Range { lo: Some(lo), hi: Some(hi), .. } = other.range(x) else { return None };
        if dy == 0 {
            return None;
        }
        let up = Linear::dim(x).offset(-x1)?.scale(dy.abs())?;
        let along = Linear::dim(y).offset(-y1)?.scale(dy.signum())?;
        let below = up.plus(-(hi - x1), &along)?;
        let above = along.scale(lo - x1)?.plus(-1, &up)?;
        Some([below.tightened(), above.tightened()])
    }

    /// The strongest row with the same unknowns and coefficients.
    fn strongest(&self, row: &Linear) -> Option<&Linear> {
        let with = |constant| Linear { parts: row.parts.clone(), constant };
        self.rows.range(with(i128::MIN)..=with(i128::MAX)).next_back()
    }

    /// The row through a row of `self` and one of `other` that differ in their constants only, if `x` has one value
    /// in each. So from `4n ≤ size` before an iteration and `4n + 4 ≤ size` after it, in which `n` decreases by 1 and
    /// `x` grows by 4, the join has `x + 4n ≤ size`.
    fn tilted(&self, other: &Facts, mine: &Linear, theirs: &Linear, x: Dim) -> Option<Linear> {
        let (from, to) = (self.range(x).value()?, other.range(x).value()?);
        let (dx, change) = (from - to, mine.constant - theirs.constant);
        if dx == 0 || change == 0 || mine.coefficient(x) != 0 {
            return None;
        }
        let along = Linear::dim(x).offset(-from)?.scale(dx.signum().checked_mul(change)?)?;
        Some(mine.scale(dx.abs())?.plus(1, &along)?.tightened())
    }

    /// Whether every state of `self` is one of `other`, as far as that is found out.
    pub fn is_within(&self, other: &Facts) -> bool {
        self.empty
            || (!other.empty
                && other.ranges.iter().all(|(d, r)| r.includes(self.range(*d)))
                && other.rows.iter().all(|r| self.entails(r)))
    }

    /// The widening: those facts of `self` that hold for `next` as well, with ranges extended to thresholds so that
    /// chains are finite. `next` describes all states of `self`. If `early`, the rows of `next` are kept: bounds of
    /// the first iteration of a loop, as rows, may hold for all. The caller passes `early` a limited number of times
    /// only.
    pub fn widen(&self, next: &Facts, thresholds: &[i128], early: bool) -> Facts {
        if self.empty {
            return next.clone();
        }
        let mut widened = Facts::default();
        for (dim, range) in &self.ranges {
            widened.restrict(*dim, range.widen(next.range(*dim), thresholds));
        }
        widened.rows = if early {
            next.rows.clone()
        } else {
            self.rows.iter().filter_map(|r| self.kept_by(next, r)).collect()
        };
        widened
    }

    /// A row of `self` if it holds for `other` as well; in terms of unsigned readings if only those hold there, since
    /// a relation between a counter and an index may remain true after the counter exceeds the greatest signed
    /// number.
    fn kept_by(&self, other: &Facts, row: &Linear) -> Option<Linear> {
        if other.entails(row) {
            return Some(row.clone());
        }
        let mut unsigned = Cow::Borrowed(row);
        for (dim, _) in &row.parts {
            if let (Dim::Term(_, Reading::Signed(_)), Some(sibling)) = (*dim, dim.sibling())
                && self.own_range(*dim).lo.is_some_and(|n| n >= 0)
            {
                unsigned = Cow::Owned(unsigned.with(*dim, &Linear::dim(sibling))?);
            }
        }
        (matches!(unsigned, Cow::Owned(_)) && other.entails(&unsigned)).then(|| unsigned.into_owned())
    }

    /// The abstract state that describes no state.
    pub fn impossible() -> Facts {
        Facts { empty: true, ..Facts::default() }
    }
}

/// Whether one of two rows bounds an unknown from above and the other one bounds it from below. Otherwise combining
/// them gives nothing new.
fn opposes(row: &Linear, other: &Linear) -> bool {
    let same = |a: Dim, b: Dim| match (a, b) {
        // Both readings may be one.
        (Dim::Term(a, _), Dim::Term(b, _)) => a == b,
        _ => a == b,
    };
    let opposes =
        |&(dim, k): &(Dim, i128)| other.parts.iter().any(|p| same(p.0, dim) && (p.1 > 0) != (k > 0));
    row.parts.iter().any(opposes)
}

/// The row `e ≤ 0` rounded for an expression that is in a congruence class: a multiple of 4 that is at most `4n + 3`
/// is at most `4n`.
fn rounded(e: Linear, range: Range) -> Linear {
    let below = if range.rest == 0 { 0 } else { range.modulus - range.rest };
    e.offset(below).unwrap_or(e)
}
