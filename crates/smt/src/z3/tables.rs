//! Lookup tables as multiplexers: a read of a constant table becomes a decision tree over the bits of the index.
//!
//! A constant table is a map with a store for each element, and reading it at an unknown index is a `select` of all
//! of them. Z3's theory of arrays compares the index with each, one lemma after the other: equal elements of two
//! reads of a table with 256 elements are not found in seconds. As a tree of decisions on the bits of the index the
//! same question is a circuit, which is solved at once. So a `select` of a map of bit-vectors with at least [`LEAST`]
//! stores of literals at literal indices, and no other stores, becomes such a tree. Equal halves of a tree are
//! merged. Arrays that a program writes are left to the theory of arrays: there the tree costs more than it saves.
//!
//! **Example** (with four elements, for brevity)**.** The table `[5, 5, 6, 7]` at the index `i` becomes
//! `if bit 1 of i then (if bit 0 of i then 7 else 6) else 5`.
//!
//! **Direction of error.** None: the tree is equal to the `select` by the axioms of arrays. The text of a query,
//! which other solvers get, has the stores.

use footpath_term::{Op, Sort as TermSort, TermId, Terms, Value};

use super::ffi::{self, Ast, Context};

/// The least number of literal indices for which a tree is made; smaller tables are left to the theory of arrays.
const LEAST: usize = 16;
/// The greatest number of indices for which a tree is made.
const MOST: usize = 1 << 13;

/// A map as a table by its last index; the other indices are literals.
#[derive(Debug)]
pub(super) struct Table {
    /// The elements by index, all of them literals.
    known: Vec<(u64, TermId)>,
    /// The map below the stores.
    pub(super) rest: TermId,
}

impl Table {
    /// The table of a `select`, if a tree is worth while.
    pub(super) fn of(terms: &Terms, select: TermId) -> Option<Table> {
        let args = &terms.term(select).args;
        let (&map, indices) = args.split_first()?;
        let (&last, front) = indices.split_last()?;
        let is_known = |t: &TermId| terms.literal(*t).is_some();
        let is_table = matches!(terms.sort_of(terms.sort(last)), TermSort::BitVec(1..=64));
        if !is_table || is_known(&last) || !front.iter().all(is_known) {
            return None;
        }
        let mut table = Table { known: Vec::new(), rest: map };
        while let Op::Store = terms.term(table.rest).op {
            let args = &terms.term(table.rest).args;
            let (below, value) = (args[0], args[args.len() - 1]);
            let (others, at) = (&args[1..args.len() - 2], args[args.len() - 2]);
            // Equal literals are one term; of anything else nobody knows whether it is another index.
            if others == front {
                let at = terms.literal(at).and_then(Value::as_u64)?;
                if !is_known(&value) || table.known.len() == MOST {
                    return None;
                }
                table.known.push((at, value));
            } else if !others.iter().all(is_known) {
                break;
            }
            table.rest = below;
        }
        // The last stores come first, and the sort is stable: of each index the last one stays.
        table.known.sort_by_key(|(at, _)| *at);
        table.known.dedup_by_key(|(at, _)| *at);
        (table.known.len() >= LEAST).then_some(table)
    }

    /// The terms that the tree is made of.
    pub(super) fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.known.iter().map(|(_, value)| *value).chain([self.rest])
    }

    /// The element at `index`, a bit-vector of `width`; `below` is the element where the table has none.
    pub(super) fn read(
        &self,
        ctx: &mut Context,
        index: Ast,
        width: u32,
        below: Ast,
        done: &dyn Fn(TermId) -> Ast,
    ) -> ffi::Result<Ast> {
        let known: Vec<(u64, Ast)> = self.known.iter().map(|&(at, value)| (at, done(value))).collect();
        Tree { ctx, index, width, below, bits: [None; 64] }.of(&known)
    }
}

/// A decision tree over the bits of an index.
struct Tree<'c> {
    ctx: &'c mut Context,
    index: Ast,
    width: u32,
    /// The element where the table has none.
    below: Ast,
    /// The conditions that bits are set, as far as they were needed.
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
