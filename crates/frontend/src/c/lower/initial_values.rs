//! Initial values of variables as cells of memory, and what proofs know of constants.
//!
//! **Idea.** A harness sets up the memory of variables (`harness/globals.rs`). A proof begins in any state of a function, in
//! which memory holds anything; but what C calls `const` holds what it was initialised with, wherever the proof begins and
//! whatever happens in between. So where a proof reads a constant by its name, it assumes that the cells which it may read have
//! their initial values. Compilers keep the rest of an initialiser and the texts of arrays in such constants, too.
//!
//! Example: in `static const int square[4] = {0, 1, 4, 9}; … square[i] …` the four cells are assumed where `square[i]` is
//! read, so that no value above 9 is.
//!
//! **Direction of error.** None: writing a constant is a failure, and machines keep constants where it ends the program.
//! Constants of more than [`MOST_CELLS`] cells are not known.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use footpath_ir::StatementKind;
use footpath_term::{Op, TermId};

use crate::llvm::ast::{ConstId, ConstKind, TypeId, TypeKind};

use super::super::facts::link::{GlobalRef, Target};
use super::super::facts::points_to::Region;
use super::context::{Context, Memory, Pointer};
use super::function::Lowering;
use super::scalars::{Scalar, leaves};

/// Tables larger than this are not written into memory; zeros do not count where memory is zero to begin with.
pub(crate) const INITIALISER_BYTES: usize = 1 << 14;
/// How many cells of a constant are assumed at a time, at most.
const MOST_CELLS: usize = 64;

/// Cells of memory by their offsets.
pub(crate) type Cells = Rc<[(u64, TermId)]>;

/// Which bytes of an initial value are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Wanted {
    /// All; what the compiler leaves open is zero.
    All,
    /// Those that are not zero.
    NonZero,
    /// Those that the compiler does not leave open.
    Certain,
}

impl Context<'_, '_> {
    /// The cells of a variable's initial value, by their offsets. `None` if they are too many or not known.
    pub(crate) fn initial_cells(
        &mut self,
        g: GlobalRef,
        init: ConstId,
        memory: Memory,
        wanted: Wanted,
    ) -> Option<Vec<(u64, TermId)>> {
        let mut bytes = BTreeMap::new();
        self.initial_bytes(g.module, init, self.linked.global(g).ty, 0, wanted, &mut bytes)?;
        let cells: BTreeSet<u64> = bytes.keys().map(|at| at / memory.grain * memory.grain).collect();
        let zero = self.bv(8, 0);
        let mut found = Vec::new();
        for cell in cells {
            let is_whole = (0..memory.grain).all(|i| bytes.contains_key(&(cell + i)));
            if wanted == Wanted::Certain && !is_whole {
                continue;
            }
            let mut value = bytes.get(&cell).copied().unwrap_or(zero);
            for i in 1..memory.grain {
                let byte = bytes.get(&(cell + i)).copied().unwrap_or(zero);
                value = self.app(Op::Concat, &[byte, value]);
            }
            found.push((cell, value));
        }
        Some(found)
    }

    /// The bytes of a constant; `None` if they are too many or not known.
    fn initial_bytes(
        &mut self,
        module: u32,
        c: ConstId,
        ty: TypeId,
        at: u64,
        wanted: Wanted,
        bytes: &mut BTreeMap<u64, TermId>,
    ) -> Option<()> {
        let m = self.module(module);
        let size = m.layouts.get(ty)?.store_size;
        let least = if wanted == Wanted::NonZero { 1 } else { size };
        if bytes.len() as u64 + least > INITIALISER_BYTES as u64 {
            return None;
        }
        match &m.constant(c).kind {
            ConstKind::Zero | ConstKind::Undef | ConstKind::Poison | ConstKind::Null
                if wanted == Wanted::NonZero => {}
            ConstKind::Undef | ConstKind::Poison if wanted == Wanted::Certain => {}
            ConstKind::Zero | ConstKind::Undef | ConstKind::Poison | ConstKind::Null => {
                let zero = self.bv(8, 0);
                bytes.extend((at..at + size).map(|i| (i, zero)));
            }
            ConstKind::Bytes(text) => {
                for (i, &b) in text.iter().enumerate().filter(|(_, b)| wanted != Wanted::NonZero || **b != 0)
                {
                    let byte = self.bv(8, i64::from(b));
                    bytes.insert(at + i as u64, byte);
                }
            }
            ConstKind::Aggregate(parts) => {
                let offsets = m.layouts.get(ty)?.offsets.clone();
                for (i, &part) in parts.iter().enumerate() {
                    let element = m.types.element(ty, i as u64)?;
                    let offset = match m.types.resolved(ty) {
                        TypeKind::Struct { .. } => *offsets.get(i)?,
                        _ => i as u64 * m.layouts.size(element)?,
                    };
                    self.initial_bytes(module, part, element, at + offset, wanted, bytes)?;
                }
            }
            _ => {
                let value = self.constant(module, c).ok()?;
                let parts = leaves(m, ty)?;
                let [leaf] = parts[..] else { return None };
                let bits = self.scalar_bits(leaf, &value);
                for i in 0..leaf.size {
                    let low = 8 * i as u32;
                    let byte = self.app(Op::Extract(low + 7, low), &[bits]);
                    bytes.insert(at + i, byte);
                }
                debug_assert!(leaf.scalar != Scalar::Bool || leaf.size == 1);
            }
        }
        Some(())
    }

    /// The constant that an object is, with its initialiser.
    fn constant_object(&self, object: TermId) -> Option<(GlobalRef, ConstId)> {
        let number = self.terms.literal(object)?.as_u64()?;
        match self.objects.get_index(usize::try_from(number).ok()?.checked_sub(1)?)? {
            (Target::Global(g), _) => {
                let global = self.linked.global(*g);
                Some((*g, global.init.filter(|_| global.is_constant)?))
            }
            (Target::Function(_), _) => None,
        }
    }
}

impl Lowering<'_, '_, '_> {
    /// Assumes for proofs that a constant, of which so many bytes are read, is what it was initialised with.
    pub(crate) fn assume_constant(&mut self, region: Region, p: Pointer, bytes: TermId) {
        if !self.cx.options.conservative_externals {
            return;
        }
        let Some((g, init)) = self.cx.constant_object(p.object) else { return };
        let memory = self.cx.memory_of(region);
        let cells = match self.cx.contents.get(&g) {
            Some(known) => known.clone(),
            None => {
                let cells = self.cx.initial_cells(g, init, memory, Wanted::Certain).map(Cells::from);
                self.cx.contents.insert(g, cells.clone());
                cells
            }
        };
        let Some(cells) = cells else { return };
        let literal = |cx: &Context, t| cx.terms.literal(t).and_then(footpath_term::Value::as_u64);
        let range = match (literal(self.cx, p.offset), literal(self.cx, bytes)) {
            (Some(at), Some(bytes)) => at..at.saturating_add(bytes),
            _ => 0..u64::MAX,
        };
        let is_read = |(at, _): &&(u64, TermId)| at + memory.grain > range.start && *at < range.end;
        let read: Vec<(u64, TermId)> = cells.iter().filter(is_read).copied().collect();
        if read.is_empty() || read.len() > MOST_CELLS {
            return;
        }
        let map = self.cx.terms.var(memory.symbol);
        let mut held = Vec::new();
        for (at, value) in read {
            let at = self.cx.offset(at as i64);
            let cell = self.cx.app(Op::Select, &[map, p.object, at]);
            held.push(self.cx.app(Op::Eq, &[cell, value]));
        }
        let held = self.cx.app(Op::And, &held);
        self.statement(StatementKind::Assume(held));
    }
}
