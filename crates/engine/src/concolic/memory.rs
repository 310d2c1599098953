//! Maps from words to words: the memory of lowered C programs, and arrays of bit-vectors.
//!
//! **Idea.** The contents are a hash table, shared until it is written to, so that a store in a loop costs the same
//! however much is stored. The shadow is kept beside it in a form in which concrete indices cost nothing: a *base* term
//! (an input, or what a write at a symbolic index made), and for each cell that was written since, the shadow of its
//! element. Reading a cell at a concrete index is a lookup, never a walk along a chain of stores (Cadar, Dunbar, Engler,
//! OSDI 2008, section 4.5 keeps update lists and indexes them likewise). The whole map as a term is made only for
//! symbolic indices: the base, and one store for each cell written since the last time.
//!
//! **Direction of error:** none; contents and term describe the same map.

use std::rc::Rc;
use std::sync::Arc;

use footpath_ir::interp;
use footpath_term::{MapValue, Op, SortId, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use super::value::{Kind, Shadow, Word, bits_of};

/// A map from words to words, with its shadow.
#[derive(Clone, Debug)]
pub(super) struct Memory(Rc<Table>);

#[derive(Clone, Debug)]
struct Table {
    sort: SortId,
    index: Kind,
    element: Kind,
    /// The element at all other indices.
    default: u64,
    cells: FxHashMap<u64, Cell>,
    /// What cells equal that were not written in this epoch: the element of this term. Without it they are constants.
    base: Option<TermId>,
    /// The map as it was when it was last made a term.
    whole: Option<TermId>,
    /// Indices of cells written since.
    pending: Vec<u64>,
    epoch: u32,
    /// Whether any part depends on inputs.
    symbolic: bool,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    bits: u64,
    shadow: Shadow,
    /// The shadow counts in this epoch only.
    epoch: u32,
    pending: bool,
}

impl Memory {
    /// A map with the contents of `value`, and the term it equals if it is an input.
    pub(super) fn new(
        value: &MapValue,
        (index, element): (Kind, Kind),
        shadow: Option<TermId>,
    ) -> Option<Memory> {
        let mut table = Table {
            sort: value.sort,
            index,
            element,
            default: bits_of(&value.default)?,
            cells: FxHashMap::default(),
            base: shadow,
            whole: shadow,
            pending: Vec::new(),
            epoch: 1,
            symbolic: shadow.is_some(),
        };
        let epoch = u32::from(shadow.is_none());
        for (at, v) in &value.entries {
            let [at] = &at[..] else { return None };
            let (at, bits) = (bits_of(at)?, bits_of(v)?);
            table.cells.insert(at, Cell { bits, shadow: Shadow::Concrete, epoch, pending: epoch == 1 });
            if epoch == 1 {
                table.pending.push(at);
            }
        }
        Some(Memory(Rc::new(table)))
    }

    /// The element at an index.
    pub(super) fn read(&mut self, terms: &mut Terms, at: Word) -> Word {
        if let Some(index) = at.shadow.term() {
            let bits = self.0.cells.get(&at.bits).map_or(self.0.default, |c| c.bits);
            let whole = self.term(terms);
            let shadow = terms.app(Op::Select, [whole, index]);
            let literal = terms.literal(shadow).is_some();
            return Word { bits, shadow: if literal { Shadow::Concrete } else { Shadow::Term(shadow) } };
        }
        let table = &*self.0;
        let bits = match table.cells.get(&at.bits) {
            Some(cell) if cell.epoch == table.epoch => return Word { bits: cell.bits, shadow: cell.shadow },
            Some(cell) => cell.bits,
            None => table.default,
        };
        let Some(base) = table.base else { return Word::concrete(bits) };
        let index = table.index.term(terms, at.bits);
        let term = terms.app(Op::Select, [base, index]);
        let shadow = if terms.literal(term).is_some() { Shadow::Concrete } else { Shadow::Term(term) };
        if let Some(table) = Rc::get_mut(&mut self.0) {
            let pending = table.cells.get(&at.bits).is_some_and(|c| c.pending);
            table.cells.insert(at.bits, Cell { bits, shadow, epoch: table.epoch, pending });
        }
        Word { bits, shadow }
    }

    /// Changes the element at an index.
    pub(super) fn write(&mut self, terms: &mut Terms, at: Word, value: Word) {
        if let Some(index) = at.shadow.term() {
            let whole = self.term(terms);
            let element = match value.shadow.term() {
                Some(t) => t,
                None => self.0.element.term(terms, value.bits),
            };
            let whole = terms.app(Op::Store, [whole, index, element]);
            let table = Rc::make_mut(&mut self.0);
            table.base = Some(whole);
            table.whole = Some(whole);
            table.symbolic = true;
            let stale = table.epoch;
            table.epoch += 1;
            let cell = Cell { bits: value.bits, shadow: Shadow::Concrete, epoch: stale, pending: false };
            table.cells.insert(at.bits, cell);
            return;
        }
        let table = Rc::make_mut(&mut self.0);
        table.symbolic |= value.shadow != Shadow::Concrete;
        let fresh = Cell { bits: value.bits, shadow: value.shadow, epoch: table.epoch, pending: true };
        let before = table.cells.insert(at.bits, fresh);
        if !before.is_some_and(|c| c.pending) {
            table.pending.push(at.bits);
        }
    }

    /// The map as a term.
    pub(super) fn term(&mut self, terms: &mut Terms) -> TermId {
        if let (Some(whole), []) = (self.0.whole, &self.0.pending[..]) {
            return whole;
        }
        let table = Rc::make_mut(&mut self.0);
        let mut whole = match table.whole {
            Some(whole) => whole,
            None => {
                let default = table.element.term(terms, table.default);
                terms.mk(Op::ConstMap, [default], table.sort)
            }
        };
        for at in std::mem::take(&mut table.pending) {
            let Some(cell) = table.cells.get_mut(&at) else { continue };
            cell.pending = false;
            let element = match cell.shadow.term() {
                Some(t) => t,
                None => table.element.term(terms, cell.bits),
            };
            let index = table.index.term(terms, at);
            whole = terms.app(Op::Store, [whole, index, element]);
        }
        table.whole = Some(whole);
        whole
    }

    /// The map as a term, if it depends on inputs.
    pub(super) fn shadow(&mut self, terms: &mut Terms) -> Option<TermId> {
        self.0.symbolic.then(|| self.term(terms))
    }

    /// The contents as a value.
    pub(super) fn value(&self, terms: &Terms) -> Value {
        let table = &*self.0;
        let mut map = MapValue::constant(table.sort, table.element.value(table.default));
        for (&at, cell) in &table.cells {
            map.set(vec![table.index.value(at)], table.element.value(cell.bits));
        }
        interp::canonical(terms, Value::Map(Arc::new(map)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: Kind = Kind(8);

    fn memory(terms: &mut Terms, symbolic: bool) -> Memory {
        let byte = terms.bit_vec_sort(8);
        let sort = terms.map_sort(vec![byte], byte);
        let value = MapValue::constant(sort, BYTE.value(0));
        let shadow = symbolic.then(|| terms.fresh_var("m", sort));
        Memory::new(&value, (BYTE, BYTE), shadow).expect("words")
    }

    #[test]
    fn a_constant_memory_builds_no_terms() {
        let mut terms = Terms::new();
        let mut m = memory(&mut terms, false);
        let before = terms.len();
        for i in 0..100 {
            m.write(&mut terms, Word::concrete(i), Word::concrete(i + 1));
            assert_eq!(m.read(&mut terms, Word::concrete(i)).bits, i + 1);
        }
        assert_eq!(terms.len(), before);
        assert_eq!(m.shadow(&mut terms), None);
    }

    #[test]
    fn a_write_at_a_symbolic_index_makes_all_cells_doubtful() {
        let mut terms = Terms::new();
        let mut m = memory(&mut terms, false);
        let byte = terms.bit_vec_sort(8);
        let i = terms.fresh_var("i", byte);
        m.write(&mut terms, Word::concrete(3), Word::concrete(7));
        m.write(&mut terms, Word { bits: 5, shadow: Shadow::Term(i) }, Word::concrete(9));
        let three = m.read(&mut terms, Word::concrete(3));
        assert_eq!(three.bits, 7);
        assert!(three.shadow.term().is_some(), "the index may be 3");
        m.write(&mut terms, Word::concrete(3), Word::concrete(8));
        assert_eq!(m.read(&mut terms, Word::concrete(3)).shadow, Shadow::Concrete);
        assert_eq!(m.read(&mut terms, Word::concrete(5)).bits, 9);
    }

    #[test]
    fn a_cell_of_an_input_is_read_off_the_input() {
        let mut terms = Terms::new();
        let mut m = memory(&mut terms, true);
        let copy = m.clone();
        m.write(&mut terms, Word::concrete(1), Word::concrete(2));
        let two = m.read(&mut terms, Word::concrete(2)).shadow.term().expect("an input");
        assert_eq!(terms.term(two).op, Op::Select);
        assert_eq!(m.read(&mut terms, Word::concrete(1)).shadow, Shadow::Concrete);
        let mut copy = copy;
        assert!(copy.read(&mut terms, Word::concrete(1)).shadow.term().is_some());
    }
}
