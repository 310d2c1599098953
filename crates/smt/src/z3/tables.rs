//! Reads of tables: what stands at an index of a map with many known elements.
//!
//! A constant table is a map with a store for each element, and what is read at an index that is not known is a `select`
//! of all of them. Z3's theory of arrays compares the index with each, one lemma after the other: equal elements of two
//! reads of a table with 256 elements are not found in seconds. As a tree of decisions on the bits of the index the
//! same question is a circuit, which is solved at once. So a `select` of a map of bit-vectors with at least [`LEAST`] stores
//! at literal indices becomes such a tree; stores at other indices in between become comparisons. Equal halves of a tree are one.
//!
//! **Direction of error:** none; the tree is what the axioms of arrays say of the `select`. The text of a question, which other
//! solvers get, has the stores.

use footpath_term::{Op, Sort as TermSort, TermId, Terms, Value};

use super::ffi::{self, Ast, Context};

/// Fewer literal indices than these are left to the theory of arrays.
const LEAST: usize = 16;
/// At most so many are looked at.
const MOST: usize = 1 << 13;
/// Stores at indices that are not known, at most.
const OPEN: usize = 16;

/// Stores that follow each other.
#[derive(Debug)]
enum Part {
    /// At literal indices, in their order: of each the last one.
    Known(Vec<(u64, TermId)>),
    /// At any index.
    Open { index: TermId, value: TermId },
}

/// A map as its last index sees it, where the others are literals.
#[derive(Debug)]
pub(super) struct Table {
    /// The last stores come first.
    parts: Vec<Part>,
    /// What is below the stores.
    pub(super) rest: TermId,
}

impl Table {
    /// That of a `select`, if it is worth while.
    pub(super) fn of(terms: &Terms, select: TermId) -> Option<Table> {
        let args = &terms.term(select).args;
        let (&map, indices) = args.split_first()?;
        let (&last, front) = indices.split_last()?;
        let is_known = |t: &TermId| terms.literal(*t).is_some();
        let is_table = matches!(terms.sort_of(terms.sort(last)), TermSort::BitVec(1..=64));
        if !is_table || is_known(&last) || !front.iter().all(is_known) {
            return None;
        }
        let mut table = Table { parts: Vec::new(), rest: map };
        let (mut seen, mut open) = (0, 0);
        while let Op::Store = terms.term(table.rest).op {
            let args = &terms.term(table.rest).args;
            let (below, value) = (args[0], args[args.len() - 1]);
            let (others, at) = (&args[1..args.len() - 2], args[args.len() - 2]);
            if others != front {
                // Equal literals are one term; of anything else nobody knows whether it is another index.
                if !others.iter().all(is_known) {
                    break;
                }
                table.rest = below;
                continue;
            }
            match terms.literal(at).and_then(Value::as_u64) {
                Some(at) if seen < MOST => {
                    seen += 1;
                    match table.parts.last_mut() {
                        Some(Part::Known(known)) => known.push((at, value)),
                        _ => table.parts.push(Part::Known(vec![(at, value)])),
                    }
                }
                None if open < OPEN => {
                    open += 1;
                    table.parts.push(Part::Open { index: at, value });
                }
                _ => break,
            }
            table.rest = below;
        }
        let mut is_large = false;
        for part in &mut table.parts {
            if let Part::Known(known) = part {
                // The sort is stable, so the last store to an index stays.
                known.sort_by_key(|(at, _)| *at);
                known.dedup_by_key(|(at, _)| *at);
                is_large |= known.len() >= LEAST;
            }
        }
        is_large.then_some(table)
    }

    /// The terms that the tree is made of.
    pub(super) fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        let of_part = |part: &Part| match part {
            Part::Known(known) => known.iter().map(|(_, value)| *value).collect::<Vec<_>>(),
            Part::Open { index, value } => vec![*index, *value],
        };
        self.parts.iter().flat_map(of_part).chain([self.rest])
    }

    /// The element at `index`, a bit-vector of `width`, if the rest has `below` there.
    pub(super) fn read(
        &self,
        ctx: &mut Context,
        index: Ast,
        width: u32,
        below: Ast,
        done: &dyn Fn(TermId) -> Ast,
    ) -> ffi::Result<Ast> {
        let mut element = below;
        for part in self.parts.iter().rev() {
            element = match part {
                Part::Open { index: at, value } => {
                    let here = ctx.operator(&Op::Eq, &[index, done(*at)])?;
                    ctx.operator(&Op::Ite, &[here, done(*value), element])?
                }
                Part::Known(known) => {
                    let known: Vec<(u64, Ast)> = known.iter().map(|&(at, value)| (at, done(value))).collect();
                    Tree { ctx, index, width, below: element, bits: [None; 64] }.of(&known)?
                }
            };
        }
        Ok(element)
    }
}

/// Decisions on the bits of an index.
struct Tree<'c> {
    ctx: &'c mut Context,
    index: Ast,
    width: u32,
    /// What stands where there is no element.
    below: Ast,
    /// Which bits are set, as far as that was asked.
    bits: [Option<Ast>; 64],
}

impl Tree<'_> {
    fn of(mut self, known: &[(u64, Ast)]) -> ffi::Result<Ast> {
        let Some(&(last, _)) = known.last() else { return Ok(self.below) };
        let bits = (u64::BITS - last.leading_zeros()).max(1);
        let inside = self.node(known, 0, bits)?;
        if bits >= self.width {
            return Ok(inside);
        }
        let high = self.ctx.operator(&Op::Extract(self.width - 1, bits), &[self.index])?;
        let sort = self.ctx.basic_sort(&TermSort::BitVec(self.width - bits))?;
        let zero = self.ctx.numeral("0", sort)?;
        let is_low = self.ctx.operator(&Op::Eq, &[high, zero])?;
        self.ctx.operator(&Op::Ite, &[is_low, inside, self.below])
    }

    /// The element at an index from `first` on whose lowest `bits` may be anything.
    fn node(&mut self, known: &[(u64, Ast)], first: u64, bits: u32) -> ffi::Result<Ast> {
        if known.is_empty() {
            return Ok(self.below);
        }
        if bits == 0 {
            return Ok(known[0].1);
        }
        let middle = first + (1 << (bits - 1));
        let (low, high) = known.split_at(known.partition_point(|(at, _)| *at < middle));
        let (low, high) = (self.node(low, first, bits - 1)?, self.node(high, middle, bits - 1)?);
        if self.ctx.key(low) == self.ctx.key(high) {
            return Ok(low);
        }
        let is_set = self.bit(bits - 1)?;
        self.ctx.operator(&Op::Ite, &[is_set, high, low])
    }

    /// Whether a bit of the index is set.
    fn bit(&mut self, number: u32) -> ffi::Result<Ast> {
        if let Some(known) = self.bits[number as usize] {
            return Ok(known);
        }
        let bit = self.ctx.operator(&Op::Extract(number, number), &[self.index])?;
        let sort = self.ctx.basic_sort(&TermSort::BitVec(1))?;
        let one = self.ctx.numeral("1", sort)?;
        let is_set = self.ctx.operator(&Op::Eq, &[bit, one])?;
        self.bits[number as usize] = Some(is_set);
        Ok(is_set)
    }
}
