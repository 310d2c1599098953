//! Segments without arrays: some elements become variables, and what is read elsewhere is arbitrary.
//!
//! **Idea.** An element at a place that is fixed in a run, or that moves with a variable, is a variable with the value that the array
//! has there at a loop head. At the end of a segment its value is that of the last write that meets its place, or its old one. Whether
//! a write meets a place may be unknown; then the segment is split into one in which it does and one in which it does not. What is read
//! at other places is an arbitrary value, the same one for the same place on a segment.
//!
//! Heads are divided by whether a loop's index has passed the distinguished element (`cell_morphing.rs`).
//!
//! Example: with `a[κ]` as a variable c, the segment `a[i] := 3` becomes `c := 3` under `i = κ` and nothing under `i ≠ κ`.
//!
//! **Direction of error.** The new segments represent more runs than the old ones, for every κ that the restriction allows.

use footpath_ir::BlockId;
use footpath_term::{Op, Sort, SortId, SymbolId, TermId, Terms, Value};
use num_bigint::Sign;
use rustc_hash::FxHashMap;

use super::array_accesses::{Access, Written, base, reads, writes};
use super::distinguished::{Group, Reader, solved};
use super::facts::Asker;
use super::segments::{Segment, Segments};
use super::unswitching::Unchanged;

/// How many elements become variables, and by how many conditions a head is divided.
const MAX_CELLS: usize = 12;
const MAX_DIVIDED: usize = 2;
/// How many segments there are without arrays, and how many of them one segment becomes.
const MAX_SEGMENTS: usize = 400;
const MAX_PIECES: usize = 48;

/// Whether a condition says which of two variables and numbers is the greater.
fn is_comparison(terms: &Terms, condition: TermId) -> bool {
    let term = terms.term(condition);
    let is_plain = |t: &TermId| matches!(terms.term(*t).op, Op::Var(_) | Op::Literal(_));
    matches!(term.op, Op::Le | Op::Lt | Op::BvSle | Op::BvSlt) && term.args.iter().all(is_plain)
}

/// An element that is a variable.
pub(super) struct Cell {
    pub(super) symbol: SymbolId,
    pub(super) access: Access,
    /// Whether its place depends on what loops change.
    is_moving: bool,
    /// Whether a loop writes the array.
    pub(super) is_written: bool,
}

/// Segments with arrays.
#[derive(Clone, Copy)]
pub(super) struct Arrays<'a> {
    /// What they were at first, which tells what elements there are.
    pub(super) first: &'a Segments,
    /// The same with more conditions.
    pub(super) now: &'a Segments,
    /// What is known at heads.
    pub(super) known: &'a [Vec<TermId>],
}

/// The making of segments without arrays.
struct Morph<'a, 'g> {
    of: &'a Segments,
    /// For each head comparisons of variables that hold there.
    compared: Vec<Vec<TermId>>,
    group: &'g Group,
    cells: Vec<Cell>,
    /// For each head the conditions by which it is divided.
    divided: Vec<Vec<TermId>>,
    /// The number of each head's first part.
    first: Vec<usize>,
}

/// Segments without arrays.
pub(super) struct Morphed<'a> {
    pub(super) group: &'a Group,
    pub(super) cells: Vec<Cell>,
    pub(super) segments: Segments,
    /// The targets whose reads are in the group.
    pub(super) targets: Vec<BlockId>,
    /// Segments that end at a read, by its number in the group.
    pub(super) reading: Vec<(usize, Segment)>,
}

impl<'a, 'g> Morph<'a, 'g> {
    fn of(
        terms: &mut Terms,
        Arrays { first: at_first, now: of, known }: Arrays<'a>,
        group: &'g Group,
    ) -> Option<Morph<'a, 'g>> {
        let compared =
            known.iter().map(|k| k.iter().copied().filter(|&t| is_comparison(terms, t)).collect()).collect();
        let mut divided = Vec::new();
        let mut first = Vec::new();
        let mut heads = 0;
        for head in 0..of.heads {
            let by = dividing(terms, at_first, head, group.index);
            first.push(heads);
            heads += 1 << by.len();
            divided.push(by);
        }
        let cells = cells(terms, at_first, group);
        let is_about_cells = group.readers.is_empty() || !cells.is_empty();
        is_about_cells.then_some(Morph { of, compared, group, cells, divided, first })
    }

    /// The segments of runs to the targets that are left.
    fn segments(self, terms: &mut Terms, left: &[BlockId]) -> Option<Morphed<'g>> {
        let mut all = Vec::new();
        let mut reading = Vec::new();
        let mut targets = Vec::new();
        let is_wanted = |segment: &Segment| {
            let never = |c: &TermId| terms.as_bool(*c) == Some(false);
            (segment.to.is_some() || left.contains(&segment.at)) && !segment.conditions.iter().any(never)
        };
        let wanted: Vec<bool> = self.of.segments.iter().map(is_wanted).collect();
        for (n, segment) in self.of.segments.iter().enumerate().filter(|(n, _)| wanted[*n]) {
            if segment.to.is_some() || self.group.readers.is_empty() {
                all.extend(self.pieces(terms, segment, None)?);
            }
            let is_here = |(_, reader): &(usize, &Reader)| reader.segment == n;
            for (k, reader) in self.group.readers.iter().enumerate().filter(is_here) {
                let end = Segment { to: None, ..segment.clone() };
                let pieces = self.pieces(terms, &end, Some(&reader.access))?;
                if segment.to.is_some() {
                    reading.extend(pieces.into_iter().map(|piece| (k, piece)));
                } else {
                    targets.push(segment.at);
                    all.extend(pieces);
                    // One read is enough for the runs to a target.
                    break;
                }
            }
            if all.len() + reading.len() > MAX_SEGMENTS {
                return None;
            }
        }
        if self.group.readers.is_empty() {
            targets.extend(all.iter().filter(|segment| segment.to.is_none()).map(|segment| segment.at));
        }
        // A target that is arrived at without a read of the group is not asked about.
        let reads = |n: usize| self.group.readers.iter().any(|reader| reader.segment == n);
        let unread =
            self.of.segments.iter().enumerate().filter(|(n, s)| wanted[*n] && s.to.is_none() && !reads(*n));
        let unread = unread.filter(|_| !self.group.readers.is_empty());
        let unread: Vec<BlockId> = unread.map(|(_, s)| s.at).collect();
        targets.retain(|target| !unread.contains(target));
        all.retain(|segment| segment.to.is_some() || targets.contains(&segment.at));
        let heads = self.first.last()? + (1 << self.divided.last()?.len());
        let segments = Segments { segments: all, heads, ends: vec![None; heads] };
        Some(Morphed { group: self.group, cells: self.cells, segments, targets, reading })
    }

    /// What becomes of a segment; with a read, of the runs in which its element is the distinguished one.
    fn pieces(&self, terms: &mut Terms, segment: &Segment, read: Option<&Access>) -> Option<Vec<Segment>> {
        let mut todo = Vec::new();
        let parts = segment.from.map_or(1, |from| 1 << self.divided[from].len());
        for part in 0..parts {
            let mut piece =
                Segment { from: segment.from.map(|from| self.first[from] + part), ..segment.clone() };
            let mut told = Vec::new();
            if let Some(from) = segment.from {
                told = self.in_part(terms, from, part);
                told.extend(&self.group.restriction);
                told.extend(&self.compared[from]);
            } else {
                for &condition in &self.group.restriction {
                    told.push(segment.state.eval(terms, condition));
                }
            }
            told.extend(read.map(|read| terms.app(Op::Eq, [read.number, self.group.index])));
            if told.into_iter().all(|condition| piece.assume(terms, condition)) {
                todo.push(piece);
            }
        }
        let mut done = Vec::new();
        while let Some(piece) = todo.pop() {
            if done.len() + todo.len() > MAX_PIECES {
                return None;
            }
            match self.scalar(terms, &piece) {
                Ok(scalar) => done.extend(self.to_parts(terms, segment.to, &scalar)),
                Err(condition) => {
                    let not = terms.app(Op::Not, [condition]);
                    for case in [condition, not] {
                        let mut next = piece.clone();
                        if next.assume(terms, case) {
                            todo.push(next);
                        }
                    }
                }
            }
        }
        Some(done)
    }

    /// The conditions of one part of a head.
    fn in_part(&self, terms: &mut Terms, head: usize, part: usize) -> Vec<TermId> {
        let by = self.divided[head].iter().enumerate();
        by.map(|(i, &condition)| if part >> i & 1 == 1 { condition } else { terms.app(Op::Not, [condition]) })
            .collect()
    }

    /// A segment to a head, to each of its parts.
    fn to_parts(&self, terms: &mut Terms, to: Option<usize>, segment: &Segment) -> Vec<Segment> {
        let Some(to) = to else { return vec![segment.clone()] };
        let mut arriving = Vec::new();
        for part in 0..1 << self.divided[to].len() {
            let mut next = Segment { to: Some(self.first[to] + part), ..segment.clone() };
            let conditions = self.in_part(terms, to, part);
            let mut is_possible = true;
            for condition in conditions {
                let condition = segment.state.eval(terms, condition);
                is_possible &= next.assume(terms, condition);
            }
            arriving.extend(is_possible.then_some(next));
        }
        arriving
    }

    /// A segment without reads, or a condition on which it depends what is read.
    fn scalar(&self, terms: &mut Terms, segment: &Segment) -> Result<Segment, TermId> {
        let (done, fresh) = (FxHashMap::default(), Vec::new());
        let mut work = Reading { morph: self, segment, done, fresh };
        let mut scalar = Segment { conditions: Vec::new(), fresh: Vec::new(), ..segment.clone() };
        for &condition in &segment.conditions {
            let condition = work.read(terms, condition)?;
            scalar.require(terms, condition);
        }
        for (symbol, value) in segment.state.entries() {
            if !matches!(terms.sort_of(terms.symbol(symbol).sort), Sort::Map { .. }) {
                let value = work.read(terms, value)?;
                scalar.state.set(symbol, value);
            }
        }
        for cell in &self.cells {
            let element = cell.access.element(terms);
            let element = segment.state.eval(terms, element);
            let value = work.read(terms, element)?;
            scalar.state.set(cell.symbol, value);
        }
        scalar.fresh.extend(&segment.fresh);
        scalar.fresh.extend(work.fresh);
        Ok(scalar)
    }
}

impl<'g> Morphed<'g> {
    /// The segments of runs to the targets that are left, without those that are not possible. `None` if they are too many, or no
    /// element is worth a variable.
    pub(super) fn of(
        terms: &mut Terms,
        arrays: Arrays<'_>,
        (group, left): (&'g Group, &[BlockId]),
        asker: &mut Asker<'_>,
    ) -> Option<Morphed<'g>> {
        let mut morphed = Morph::of(terms, arrays, group)?.segments(terms, left)?;
        morphed.segments.segments.retain(|segment| !asker.is_quickly_refuted(terms, segment));
        morphed.reading.retain(|(_, segment)| !asker.is_quickly_refuted(terms, segment));
        for n in 0..morphed.segments.segments.len() {
            morphed.identify(terms, n, asker);
        }
        Some(morphed)
    }

    /// Adds to a segment that the distinguished element is another one where it must be, as in the first iteration that is at 0.
    fn identify(&mut self, terms: &mut Terms, n: usize, asker: &mut Asker<'_>) {
        let segment = &mut self.segments.segments[n];
        if segment.from.is_none() {
            return;
        }
        let (distinguished, others): (Vec<&Cell>, Vec<&Cell>) =
            self.cells.iter().partition(|cell| cell.access.number == self.group.index);
        for cell in distinguished {
            let of_same =
                |other: &&&Cell| !other.is_moving && other.access.array.map == cell.access.array.map;
            for other in others.iter().filter(of_same) {
                let parts = cell.access.meets(terms, &other.access);
                let meets = terms.app(Op::And, parts);
                let not = terms.app(Op::Not, [meets]);
                let mut apart = segment.clone();
                if terms.as_bool(meets) == Some(false)
                    || (apart.assume(terms, not) && !asker.is_quickly_refuted(terms, &apart))
                {
                    continue;
                }
                let [a, b] = [cell.symbol, other.symbol].map(|symbol| terms.var(symbol));
                let same = terms.app(Op::Eq, [a, b]);
                for condition in [meets, same] {
                    segment.require(terms, condition);
                }
            }
        }
    }
}

/// The replacement of reads in one segment.
struct Reading<'a> {
    morph: &'a Morph<'a, 'a>,
    segment: &'a Segment,
    done: FxHashMap<TermId, TermId>,
    /// The values of elements of which nothing is known.
    fresh: Vec<TermId>,
}

impl Reading<'_> {
    /// A term without reads, or the condition on which it depends what is read.
    fn read(&mut self, terms: &mut Terms, t: TermId) -> Result<TermId, TermId> {
        if let Some(&done) = self.done.get(&t) {
            return Ok(done);
        }
        let term = terms.term(t).clone();
        let new = match (&term.op, &term.args[..]) {
            (Op::Var(_) | Op::Literal(_) | Op::Bind(_), _) => t,
            (Op::Select, [map, indices @ ..]) if base(terms, *map).is_some() => {
                let indices = self.all(terms, indices)?;
                self.element(terms, *map, &indices, term.sort)?
            }
            (_, args) => {
                let new = self.all(terms, args)?;
                if new == args { t } else { terms.app_sorted(term.op, new.into(), term.sort) }
            }
        };
        self.done.insert(t, new);
        Ok(new)
    }

    fn all(&mut self, terms: &mut Terms, some: &[TermId]) -> Result<Vec<TermId>, TermId> {
        some.iter().map(|&t| self.read(terms, t)).collect()
    }

    /// The element of a map.
    fn element(
        &mut self,
        terms: &mut Terms,
        mut map: TermId,
        indices: &[TermId],
        sort: SortId,
    ) -> Result<TermId, TermId> {
        if let Some(symbol) = base(terms, map)
            && let Some(access) = Access::of(terms, symbol, indices)
        {
            loop {
                let term = terms.term(map).clone();
                let (Op::Store, [below, at @ .., value]) = (&term.op, &term.args[..]) else { break };
                let at = self.all(terms, at)?;
                let Some(write) = Access::of(terms, symbol, &at) else { break };
                let parts = write.meets(terms, &access);
                match self.all_hold(terms, &parts, true)? {
                    Some(true) => return self.read(terms, *value),
                    Some(false) => map = *below,
                    None => break,
                }
            }
            // At a head the variables are those of the cells.
            if self.segment.from.is_some() && matches!(terms.term(map).op, Op::Var(_)) {
                let cells: Vec<&Cell> =
                    self.morph.cells.iter().filter(|cell| cell.access.array.map == symbol).collect();
                for decide in [false, true] {
                    for cell in &cells {
                        let parts = cell.access.meets(terms, &access);
                        if self.all_hold(terms, &parts, decide && !cell.is_moving)? == Some(true) {
                            return Ok(terms.var(cell.symbol));
                        }
                    }
                }
            }
        }
        Ok(self.arbitrary(terms, map, indices, sort))
    }

    /// An arbitrary value, which is the same for the same element.
    fn arbitrary(&mut self, terms: &mut Terms, map: TermId, indices: &[TermId], sort: SortId) -> TermId {
        let whole = terms.raw(Op::Select, std::iter::once(map).chain(indices.iter().copied()));
        if let Some(&done) = self.done.get(&whole) {
            return done;
        }
        let arbitrary = terms.fresh_var("element", sort);
        self.fresh.push(arbitrary);
        self.done.insert(whole, arbitrary);
        arbitrary
    }

    /// Whether all conditions hold, as far as the segment's conditions tell; one that they do not decide is an error if it is to
    /// be decided.
    fn all_hold(&self, terms: &mut Terms, parts: &[TermId], decide: bool) -> Result<Option<bool>, TermId> {
        let mut all = Some(true);
        for &part in parts {
            let not = terms.app(Op::Not, [part]);
            let told = |t: TermId| terms.as_bool(t) == Some(true) || self.segment.conditions.contains(&t);
            match (told(part), told(not)) {
                (_, true) => return Ok(Some(false)),
                (true, false) => {}
                (false, false) if decide => return Err(part),
                (false, false) => all = None,
            }
        }
        Ok(all)
    }
}

/// The elements that are worth a variable.
fn cells(terms: &mut Terms, segments: &Segments, group: &Group) -> Vec<Cell> {
    let (unchanged, written) = (Unchanged::of(terms, segments), Written::of(terms, segments));
    let sort = terms.sort(group.index);
    let mut found: Vec<(Access, bool)> = Vec::new();
    let mut push = |access: Access, is_moving: bool| {
        if found.iter().all(|(other, _)| *other != access) {
            found.push((access, is_moving));
        }
    };
    let mut others = Vec::new();
    for segment in &segments.segments {
        let (reads, writes) = (reads(terms, segment), writes(terms, segment));
        for access in reads.iter().chain(&writes) {
            let is_fixed = access.array.object.iter().all(|&t| unchanged.is(terms, t));
            if is_fixed && terms.sort(access.number) == sort && !group.readers.is_empty() {
                push(Access { number: group.index, ..access.clone() }, false);
            }
        }
        for read in reads {
            if !read.array.object.iter().all(|&t| unchanged.is(terms, t)) {
                continue;
            }
            if unchanged.is(terms, read.number) {
                others.push((read, false));
            } else if segment.from.is_some()
                && segment.from == segment.to
                && writes.iter().any(|w| w.array == read.array && w.number != read.number)
            {
                // Where the loop begins, it is an element at a fixed place.
                for before in
                    segments.segments.iter().filter(|s| s.to == segment.to && s.from != segment.from)
                {
                    let number = before.state.eval(terms, read.number);
                    if unchanged.is(terms, number) {
                        others.push((Access { number, ..read.clone() }, false));
                    }
                }
                others.push((read, true));
            }
        }
    }
    for reader in &group.readers {
        let Some(solved) = solved(terms, reader.access.number, group.index) else { continue };
        for read in reads(terms, &segments.segments[reader.segment]) {
            let number = terms.substitute(read.number, &solved);
            if number != group.index && unchanged.is_over(terms, number, group.symbol) {
                others.push((Access { number, ..read }, false));
            }
        }
    }
    others.into_iter().for_each(|(access, is_moving)| push(access, is_moving));
    found.truncate(MAX_CELLS);
    let cell = |(access, is_moving): (Access, bool)| {
        let element = access.element(terms);
        let sort = terms.sort(element);
        let is_written = written.contains(&access);
        Cell { symbol: terms.fresh_symbol("cell", sort), access, is_moving, is_written }
    };
    found.into_iter().map(cell).collect()
}

/// The conditions by which a head is divided: whether the indices of its loop have passed κ.
fn dividing(terms: &mut Terms, segments: &Segments, head: usize, index: TermId) -> Vec<TermId> {
    let mut numbers: Vec<(Access, usize)> = Vec::new();
    let own = |s: &&Segment| s.from == Some(head) && s.to == Some(head);
    for write in [true, false] {
        for (n, segment) in segments.segments.iter().enumerate().filter(|(_, s)| own(s)) {
            let some = if write { writes(terms, segment) } else { reads(terms, segment) };
            numbers.extend(some.into_iter().map(|access| (access, n)));
        }
    }
    let mut found: Vec<TermId> = Vec::new();
    let mut seen: Vec<SymbolId> = Vec::new();
    for (access, n) in numbers {
        let segment = &segments.segments[n];
        let Some(&variable) =
            solved(terms, access.number, index).as_ref().and_then(|solved| solved.keys().next())
        else {
            continue;
        };
        if terms.sort(access.number) != terms.sort(index) || seen.contains(&variable) {
            continue;
        }
        let next = segment.state.eval(terms, access.number);
        let Some(ascends) = ascends(terms, access.number, next) else { continue };
        seen.push(variable);
        let signed = access.array.is_signed().unwrap_or_else(|| is_compared_signed(terms, segment, variable));
        let (below, up_to) = match (terms.width(terms.sort(index)), signed) {
            (None, _) => (Op::Lt, Op::Le),
            (Some(_), true) => (Op::BvSlt, Op::BvSle),
            (Some(_), false) => (Op::BvUlt, Op::BvUle),
        };
        let op = if ascends { below } else { up_to };
        found.push(terms.app(op, [index, access.number]));
        if found.len() == MAX_DIVIDED {
            break;
        }
    }
    found
}

/// Whether a number grows or shrinks by a constant; `None` if it does not, or is no number.
fn ascends(terms: &mut Terms, now: TermId, next: TermId) -> Option<bool> {
    if !matches!(terms.sort_of(terms.sort(now)), Sort::Int | Sort::BitVec(_)) {
        return None;
    }
    let op = if terms.width(terms.sort(now)).is_some() { Op::BvSub } else { Op::Sub };
    let by = terms.app(op, [next, now]);
    match terms.literal(by)? {
        Value::Int(by) => (by.sign() != Sign::NoSign).then(|| by.sign() == Sign::Plus),
        Value::BitVec { width, bits } => (bits.bits() > 0).then(|| !bits.bit(u64::from(*width) - 1)),
        _ => None,
    }
}

fn is_compared_signed(terms: &Terms, segment: &Segment, variable: SymbolId) -> bool {
    segment.conditions.iter().any(|&condition| {
        terms.free_symbols(&[condition]).contains(&variable)
            && terms
                .post_order(&[condition])
                .into_iter()
                .any(|t| matches!(terms.term(t).op, Op::BvSlt | Op::BvSle))
    })
}
