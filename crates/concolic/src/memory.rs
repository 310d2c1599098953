//! Symbolic memory: maps from words to words with concrete contents and symbolic values, for the memory of lowered C
//! programs and arrays of bit-vectors.
//!
//! **Idea.** The contents are hash tables that are shared until they are written to (copy on write), so that a store
//! in a loop costs the same however much is stored. The symbolic value is kept beside them in a form in which
//! concrete indices cost nothing: a *base* term (an input, or the result of a write at a symbolic index), and for
//! each cell written since, the symbolic value of its element. Reading a cell at a concrete index is a lookup, never
//! a walk along a chain of stores. The map as a term is only built for symbolic indices: the base, and one store for
//! each cell written since the last time.
//!
//! Example: after `m[1] := x; m[2] := 7` the value of `m[1]` is found in the table, with the term `x`; a read of
//! `m[i]` with a symbolic `i` builds `m0[1 := x][2 := 7][i]`.
//!
//! A map with two indices has a table for each value of the first one, its *objects*: a write to one object, at
//! whatever index, leaves the others unchanged, and terms about one object do not mention the stores to others.
//!
//! **Paper.** KLEE keeps update lists and indexes them in a similar way (Cadar, Dunbar, Engler, OSDI 2008, section
//! 4.5).
//!
//! **Direction of error.** None; contents and term describe the same map.

use std::rc::Rc;
use std::sync::Arc;

use footpath_ir::interp;
use footpath_term::{MapValue, Op, SortId, SymbolId, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use super::value::{Kind, Symbolic, Word, bits_of};

/// What a map has for indices and elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    /// The first of two indices.
    pub(super) object: Option<Kind>,
    /// The last index.
    pub(super) index: Kind,
    /// The element.
    pub(super) element: Kind,
    /// Whether an only index names an object, so that it is decided which.
    pub(super) by_object: bool,
}

/// Where in a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    /// The first of two indices.
    pub(super) object: Option<Word>,
    /// The last index.
    pub(super) index: Word,
}

/// A map from words to words, with its symbolic value.
#[derive(Clone, Debug)]
pub(super) struct Memory(Rc<Objects>);

#[derive(Clone, Debug)]
struct Objects {
    sort: SortId,
    shape: Shape,
    /// The element at all other indices.
    default: u64,
    /// The map that the tables' stores come on top of. Without it they are on top of the default.
    base: Option<TermId>,
    /// By first index; of a map with one index all is in table 0.
    tables: FxHashMap<u64, Table>,
    /// The whole map as a term, until something is written.
    whole: Option<TermId>,
    /// Whether any part depends on inputs.
    symbolic: bool,
}

/// The elements of one object.
#[derive(Clone, Debug)]
struct Table {
    cells: FxHashMap<u64, Cell>,
    /// What cells equal that were not written in this epoch: the element of this term. Without it they are constants.
    base: Option<TermId>,
    /// The map as it was when it was last made a term, with the stores to this object only.
    whole: Option<TermId>,
    /// Those stores: indices and elements.
    stores: Vec<(TermId, TermId)>,
    /// Indices of cells written since.
    pending: Vec<u64>,
    epoch: u32,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    bits: u64,
    symbolic: Symbolic,
    /// The symbolic value counts in this epoch only.
    epoch: u32,
    pending: bool,
}

impl Table {
    fn new(base: Option<TermId>) -> Table {
        Table {
            cells: FxHashMap::default(),
            base,
            whole: base,
            stores: Vec::new(),
            pending: Vec::new(),
            epoch: 1,
        }
    }

    /// Writes at an index that is no constant: every cell may be meant.
    fn write_anywhere(&mut self, bits: (u64, u64), map: TermId) {
        self.base = Some(map);
        self.whole = Some(map);
        let stale = self.epoch;
        self.epoch += 1;
        let cell = Cell { bits: bits.1, symbolic: Symbolic::Concrete, epoch: stale, pending: false };
        self.cells.insert(bits.0, cell);
    }
}

impl Memory {
    /// A map with the contents of `value`, and the term it equals if it is an input.
    pub(super) fn new(value: &MapValue, shape: Shape, symbolic: Option<TermId>) -> Option<Memory> {
        let mut objects = Objects {
            sort: value.sort,
            shape,
            default: bits_of(&value.default)?,
            base: symbolic,
            tables: FxHashMap::default(),
            whole: symbolic,
            symbolic: symbolic.is_some(),
        };
        let epoch = u32::from(symbolic.is_none());
        for (at, v) in &value.entries {
            let (object, at) = match (&at[..], shape.object) {
                ([at], None) => (0, bits_of(at)?),
                ([object, at], Some(_)) => (bits_of(object)?, bits_of(at)?),
                _ => return None,
            };
            let table = objects.tables.entry(object).or_insert_with(|| Table::new(symbolic));
            let cell = Cell { bits: bits_of(v)?, symbolic: Symbolic::Concrete, epoch, pending: epoch == 1 };
            table.cells.insert(at, cell);
            if epoch == 1 {
                table.pending.push(at);
            }
        }
        Some(Memory(Rc::new(objects)))
    }

    /// A map that is constant.
    pub(super) fn filled(sort: SortId, shape: Shape, terms: &mut Terms, element: Word) -> Memory {
        let base = element.symbolic.term().map(|t| terms.mk(Op::ConstMap, [t], sort));
        Memory(Rc::new(Objects {
            sort,
            shape,
            default: element.bits,
            base,
            tables: FxHashMap::default(),
            whole: base,
            symbolic: base.is_some(),
        }))
    }

    /// The element at an index.
    pub(super) fn read(&mut self, terms: &mut Terms, at: At) -> Word {
        let object = at.object.map_or(0, |o| o.bits);
        let of_object = at.object.and_then(|o| o.symbolic.term());
        if of_object.is_some() || at.index.symbolic.term().is_some() {
            let bits = self.0.tables.get(&object).and_then(|t| t.cells.get(&at.index.bits));
            let bits = bits.map_or(self.0.default, |c| c.bits);
            let whole = match of_object {
                Some(_) => self.term(terms),
                None => Rc::make_mut(&mut self.0).object_term(terms, object),
            };
            let args = self.0.shape.arguments(terms, whole, at);
            let symbolic = terms.app(Op::Select, args);
            let literal = terms.literal(symbolic).is_some();
            return Word {
                bits,
                symbolic: if literal { Symbolic::Concrete } else { Symbolic::Term(symbolic) },
            };
        }
        let (word, pending) = self.look(terms, object, at.index.bits);
        if let (Some(pending), Some(all)) = (pending, Rc::get_mut(&mut self.0)) {
            let base = all.base;
            let table = all.tables.entry(object).or_insert_with(|| Table::new(base));
            let cell = Cell { bits: word.bits, symbolic: word.symbolic, epoch: table.epoch, pending };
            table.cells.insert(at.index.bits, cell);
        }
        word
    }

    /// The element of an object at an index. If its symbolic value had to be found first, whether the cell is pending.
    fn look(&self, terms: &mut Terms, object: u64, at: u64) -> (Word, Option<bool>) {
        let all = &*self.0;
        let table = all.tables.get(&object);
        let cell = table.and_then(|t| t.cells.get(&at).map(|c| (c, c.epoch == t.epoch)));
        let bits = match cell {
            Some((cell, true)) => return (Word { bits: cell.bits, symbolic: cell.symbolic }, None),
            Some((cell, false)) => cell.bits,
            None => all.default,
        };
        let Some(base) = table.map_or(all.base, |t| t.base) else { return (Word::concrete(bits), None) };
        let place = At { object: Some(Word::concrete(object)), index: Word::concrete(at) };
        let args = all.shape.arguments(terms, base, place);
        let term = read_through(terms, &args, SYMBOLIC_STORES);
        let symbolic = if terms.literal(term).is_some() { Symbolic::Concrete } else { Symbolic::Term(term) };
        (Word { bits, symbolic }, Some(cell.is_some_and(|(c, _)| c.pending)))
    }

    /// The bits of the element at an index.
    pub(super) fn bits(&self, at: At) -> u64 {
        let table = self.0.tables.get(&at.object.map_or(0, |o| o.bits));
        table.and_then(|t| t.cells.get(&at.index.bits)).map_or(self.0.default, |cell| cell.bits)
    }

    /// Changes the element at an index.
    pub(super) fn write(&mut self, terms: &mut Terms, at: At, value: Word) {
        let object = at.object.map_or(0, |o| o.bits);
        let bits = (at.index.bits, value.bits);
        if at.object.is_some_and(|o| o.symbolic.term().is_some()) {
            let before = self.term(terms);
            let all = Rc::make_mut(&mut self.0);
            let mut args = all.shape.arguments(terms, before, at);
            args.push(all.shape.element.operand(terms, value));
            let map = terms.app(Op::Store, args);
            all.tables.entry(object).or_insert_with(|| Table::new(None));
            for (&number, table) in &mut all.tables {
                let old = table.cells.get(&at.index.bits).map_or(all.default, |c| c.bits);
                table.write_anywhere((at.index.bits, if number == object { value.bits } else { old }), map);
                table.stores.clear();
            }
            all.base = Some(map);
            all.whole = Some(map);
            all.symbolic = true;
        } else if let Some(index) = at.index.symbolic.term() {
            let all = Rc::make_mut(&mut self.0);
            let before = all.object_term(terms, object);
            let mut args = all.shape.arguments(terms, before, at);
            let element = all.shape.element.operand(terms, value);
            args.push(element);
            let map = terms.app(Op::Store, args);
            if let Some(table) = all.tables.get_mut(&object) {
                table.write_anywhere(bits, map);
                table.stores.push((index, element));
            }
            all.whole = None;
            all.symbolic = true;
        } else {
            let all = Rc::make_mut(&mut self.0);
            all.symbolic |= value.symbolic != Symbolic::Concrete;
            all.whole = None;
            let base = all.base;
            let table = all.tables.entry(object).or_insert_with(|| Table::new(base));
            let fresh =
                Cell { bits: value.bits, symbolic: value.symbolic, epoch: table.epoch, pending: true };
            if !table.cells.insert(bits.0, fresh).is_some_and(|c| c.pending) {
                table.pending.push(bits.0);
            }
        }
    }

    /// The map as a term.
    pub(super) fn term(&mut self, terms: &mut Terms) -> TermId {
        match self.0.whole {
            Some(whole) => whole,
            None => Rc::make_mut(&mut self.0).whole_term(terms),
        }
    }

    /// The map as a term, if it depends on inputs.
    pub(super) fn symbolic(&mut self, terms: &mut Terms) -> Option<TermId> {
        self.0.symbolic.then(|| self.term(terms))
    }

    /// The contents as a value.
    pub(super) fn value(&self, terms: &Terms) -> Value {
        let all = &*self.0;
        let Shape { object, index, element, .. } = all.shape;
        let mut map = MapValue::constant(all.sort, element.value(all.default));
        for (&number, table) in &all.tables {
            for (&at, cell) in &table.cells {
                let mut key: Vec<Value> = object.iter().map(|kind| kind.value(number)).collect();
                key.push(index.value(at));
                map.set(key, element.value(cell.bits));
            }
        }
        interp::canonical(terms, Value::Map(Arc::new(map)))
    }
}

impl Memory {
    /// The input that all elements come from that were not written; nothing inside if that is a constant map, nothing
    /// at all if there was a store at an index that is no constant.
    pub(super) fn input(&self, terms: &Terms) -> Option<Option<SymbolId>> {
        let all = &*self.0;
        if all.tables.values().any(|table| table.base != all.base) {
            return None;
        }
        match all.base.map(|base| &terms.term(base).op) {
            None => Some(None),
            Some(Op::Var(symbol)) => Some(Some(*symbol)),
            Some(_) => None,
        }
    }

    /// The elements that have a symbolic value: object, index and term.
    pub(super) fn symbolic_values(&self) -> impl Iterator<Item = (u64, u64, TermId)> {
        let of = |(&object, table): (&u64, &'_ Table)| {
            let own = table.cells.iter().filter(|(_, cell)| cell.epoch == table.epoch);
            let own = own.filter_map(|(&at, cell)| Some((at, cell.symbolic.term()?)));
            own.map(|(at, term)| (object, at, term)).collect::<Vec<_>>()
        };
        self.0.tables.iter().flat_map(of)
    }

    /// How many elements are kept.
    pub(super) fn size(&self) -> usize {
        self.0.tables.values().map(|table| table.cells.len()).sum()
    }

    /// Whether two maps have the same elements, with the same symbolic values.
    pub(super) fn is_like(&self, other: &Memory, terms: &mut Terms) -> bool {
        let (a, b) = (&*self.0, &*other.0);
        let base = |all: &Objects, object: u64| all.tables.get(&object).map_or(all.base, |t| t.base);
        Rc::ptr_eq(&self.0, &other.0)
            || (a.default, a.base) == (b.default, b.base)
                && a.tables.keys().chain(b.tables.keys()).all(|&o| base(a, o) == base(b, o))
                && self
                    .cells()
                    .chain(other.cells())
                    .all(|(object, at)| self.look(terms, object, at).0 == other.look(terms, object, at).0)
    }

    /// Where elements are that were written or looked up.
    fn cells(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.tables.iter().flat_map(|(&object, table)| table.cells.keys().map(move |&at| (object, at)))
    }

    /// The same map, where [`Self::input`] is another and elements with a symbolic value have these bits; with
    /// symbolic values or without. Nothing if the input is no map from words to words.
    pub(super) fn with(
        &self,
        input: Option<&Value>,
        bits: &[(u64, u64, u64)],
        symbolic_values: bool,
    ) -> Option<Memory> {
        let mut all = (*self.0).clone();
        for &(object, at, bits) in bits {
            all.tables.get_mut(&object)?.cells.get_mut(&at)?.bits = bits;
        }
        if let Some(input) = input {
            let Value::Map(map) = input else { return None };
            let fresh = Memory::new(map, all.shape, all.base)?;
            all.default = fresh.0.default;
            for table in all.tables.values_mut() {
                let epoch = table.epoch;
                table.cells.retain(|_, cell| cell.epoch == epoch);
            }
            for (&object, table) in &fresh.0.tables {
                let own = all.tables.entry(object).or_insert_with(|| Table::new(all.base));
                for (&at, &cell) in &table.cells {
                    own.cells.entry(at).or_insert(cell);
                }
            }
        }
        if !symbolic_values {
            (all.base, all.whole, all.symbolic) = (None, None, false);
            for table in all.tables.values_mut() {
                let cells = std::mem::take(&mut table.cells);
                *table = Table::new(None);
                let plain =
                    |cell: Cell| Cell { symbolic: Symbolic::Concrete, epoch: 1, pending: false, ..cell };
                table.cells = cells.into_iter().map(|(at, cell)| (at, plain(cell))).collect();
            }
        }
        Some(Memory(Rc::new(all)))
    }
}

/// How many stores at symbolic indices a read at a concrete one looks through.
const SYMBOLIC_STORES: u32 = 8;

/// A read of a map at an index, as a case distinction over the stores that may or may not be at this index: what is
/// left has no map in it if the cell was written below, and solvers are better at cases than at arrays. A read that has
/// to look further stays one.
fn read_through(terms: &mut Terms, args: &[TermId], stores: u32) -> TermId {
    let read = terms.app(Op::Select, args.iter().copied());
    let read_term = terms.term(read);
    if read_term.op != Op::Select || stores == 0 {
        return read;
    }
    let store = terms.term(read_term.args[0]).clone();
    if store.op != Op::Store {
        return read;
    }
    let [below, there @ .., element] = &store.args[..] else { return read };
    let mut rest = vec![*below];
    rest.extend(&args[1..]);
    let other = read_through(terms, &rest, stores - 1);
    let left = terms.term(other);
    if left.op == Op::Select && terms.term(left.args[0]).op == Op::Store {
        return read;
    }
    let same: Vec<TermId> = there.iter().zip(&args[1..]).map(|(&i, &j)| terms.app(Op::Eq, [i, j])).collect();
    let same = terms.app(Op::And, same);
    terms.app(Op::Ite, [same, *element, other])
}

impl Shape {
    /// A map and an index, as arguments of an operator.
    fn arguments(self, terms: &mut Terms, map: TermId, at: At) -> Vec<TermId> {
        let mut args = Vec::with_capacity(4);
        args.push(map);
        if let (Some(kind), Some(object)) = (self.object, at.object) {
            args.push(kind.operand(terms, object));
        }
        args.push(self.index.operand(terms, at.index));
        args
    }
}

impl Objects {
    fn foundation(&mut self, terms: &mut Terms) -> TermId {
        match self.base {
            Some(base) => base,
            None => {
                let default = self.shape.element.term(terms, self.default);
                terms.mk(Op::ConstMap, [default], self.sort)
            }
        }
    }

    /// The map with the stores to one object, those to others left out.
    fn object_term(&mut self, terms: &mut Terms, number: u64) -> TermId {
        let foundation = self.foundation(terms);
        let base = self.base;
        let (sort, shape) = (self.sort, self.shape);
        let object = shape.object.map(|kind| kind.term(terms, number));
        let table = self.tables.entry(number).or_insert_with(|| Table::new(base));
        let mut whole = table.whole.unwrap_or(foundation);
        for at in std::mem::take(&mut table.pending) {
            let Some(cell) = table.cells.get_mut(&at) else { continue };
            cell.pending = false;
            let element = match cell.symbolic.term() {
                Some(t) => t,
                None => shape.element.term(terms, cell.bits),
            };
            let index = shape.index.term(terms, at);
            let args = [whole].into_iter().chain(object).chain([index, element]);
            whole = terms.app(Op::Store, args.collect::<Vec<_>>());
            table.stores.push((index, element));
        }
        debug_assert_eq!(terms.sort(whole), sort);
        table.whole = Some(whole);
        whole
    }

    /// The map with all stores, which is what later ones come on top of.
    fn whole_term(&mut self, terms: &mut Terms) -> TermId {
        let mut numbers: Vec<u64> = self.tables.keys().copied().collect();
        numbers.sort_unstable();
        let mut whole = self.foundation(terms);
        for &number in &numbers {
            let of_object = self.object_term(terms, number);
            if numbers.len() == 1 {
                whole = of_object;
                break;
            }
            let object = self.shape.object.map(|kind| kind.term(terms, number));
            let Some(table) = self.tables.get_mut(&number) else { continue };
            for (index, element) in std::mem::take(&mut table.stores) {
                let args = [whole].into_iter().chain(object).chain([index, element]);
                whole = terms.app(Op::Store, args.collect::<Vec<_>>());
            }
        }
        for table in self.tables.values_mut() {
            table.stores.clear();
            table.whole = Some(whole);
        }
        self.base = Some(whole);
        self.whole = Some(whole);
        whole
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
        let symbolic = symbolic.then(|| terms.fresh_var("m", sort));
        Memory::new(&value, Shape { object: None, index: BYTE, element: BYTE, by_object: false }, symbolic)
            .expect("words")
    }

    fn at(index: u64) -> At {
        At { object: None, index: Word::concrete(index) }
    }

    #[test]
    fn a_constant_memory_builds_no_terms() {
        let mut terms = Terms::new();
        let mut m = memory(&mut terms, false);
        let before = terms.len();
        for i in 0..100 {
            m.write(&mut terms, at(i), Word::concrete(i + 1));
            assert_eq!(m.read(&mut terms, at(i)).bits, i + 1);
        }
        assert_eq!(terms.len(), before);
        assert_eq!(m.symbolic(&mut terms), None);
    }

    #[test]
    fn a_read_below_a_symbolic_write_is_one_of_two_cases() {
        let mut terms = Terms::new();
        let mut m = memory(&mut terms, false);
        let byte = terms.bit_vec_sort(8);
        let (i, x) = (terms.fresh_var("i", byte), terms.fresh_var("x", byte));
        m.write(&mut terms, at(3), Word { bits: 7, symbolic: Symbolic::Term(x) });
        let anywhere = At { object: None, index: Word { bits: 5, symbolic: Symbolic::Term(i) } };
        m.write(&mut terms, anywhere, Word::concrete(9));
        let read = m.read(&mut terms, at(3)).symbolic.term().expect("it depends on inputs");
        let (three, nine) = (BYTE.term(&mut terms, 3), BYTE.term(&mut terms, 9));
        let here = terms.app(Op::Eq, [i, three]);
        assert_eq!(read, terms.app(Op::Ite, [here, nine, x]));
    }

    #[test]
    fn a_write_at_a_symbolic_index_makes_all_cells_doubtful() {
        let mut terms = Terms::new();
        let mut m = memory(&mut terms, false);
        let byte = terms.bit_vec_sort(8);
        let i = terms.fresh_var("i", byte);
        m.write(&mut terms, at(3), Word::concrete(7));
        let anywhere = At { object: None, index: Word { bits: 5, symbolic: Symbolic::Term(i) } };
        m.write(&mut terms, anywhere, Word::concrete(9));
        let three = m.read(&mut terms, at(3));
        assert_eq!(three.bits, 7);
        assert!(three.symbolic.term().is_some(), "the index may be 3");
        m.write(&mut terms, at(3), Word::concrete(8));
        assert_eq!(m.read(&mut terms, at(3)).symbolic, Symbolic::Concrete);
        assert_eq!(m.read(&mut terms, at(5)).bits, 9);
    }

    #[test]
    fn a_cell_of_an_input_is_read_off_the_input() {
        let mut terms = Terms::new();
        let mut m = memory(&mut terms, true);
        let copy = m.clone();
        m.write(&mut terms, at(1), Word::concrete(2));
        let two = m.read(&mut terms, at(2)).symbolic.term().expect("an input");
        assert_eq!(terms.term(two).op, Op::Select);
        assert_eq!(m.read(&mut terms, at(1)).symbolic, Symbolic::Concrete);
        let mut copy = copy;
        assert!(copy.read(&mut terms, at(1)).symbolic.term().is_some());
    }

    /// A map with two indices, which is an input.
    fn objects(terms: &mut Terms) -> Memory {
        let byte = terms.bit_vec_sort(8);
        let sort = terms.map_sort(vec![byte, byte], byte);
        let value = MapValue::constant(sort, BYTE.value(0));
        let symbolic = terms.fresh_var("m", sort);
        let shape = Shape { object: Some(BYTE), index: BYTE, element: BYTE, by_object: false };
        Memory::new(&value, shape, Some(symbolic)).expect("words")
    }

    fn of(object: u64, index: u64) -> At {
        At { object: Some(Word::concrete(object)), index: Word::concrete(index) }
    }

    #[test]
    fn a_write_at_a_symbolic_index_leaves_other_objects_alone() {
        let mut terms = Terms::new();
        let mut m = objects(&mut terms);
        let byte = terms.bit_vec_sort(8);
        let i = terms.fresh_var("i", byte);
        m.write(&mut terms, of(1, 3), Word::concrete(7));
        m.write(&mut terms, of(2, 3), Word::concrete(8));
        let index = Word { bits: 5, symbolic: Symbolic::Term(i) };
        m.write(&mut terms, At { object: Some(Word::concrete(2)), index }, Word::concrete(9));
        assert_eq!(m.read(&mut terms, of(1, 3)).symbolic, Symbolic::Concrete);
        assert!(m.read(&mut terms, of(2, 3)).symbolic.term().is_some(), "the index may be 3");
    }

    /// Random writes and reads, against the interpreter's maps: contents, and the term evaluated on the same inputs.
    #[test]
    fn contents_and_term_describe_the_same_map() {
        for seed in 0..300 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut terms = Terms::new();
            let byte = terms.bit_vec_sort(8);
            let mut m = objects(&mut terms);
            let input = m.term(&mut terms);
            let x = terms.fresh_var("x", byte);
            let x_bits = random.u64(0..3);
            let mut map = MapValue::constant(terms.sort(input), BYTE.value(0));
            let pick = |random: &mut fastrand::Rng, symbolic: u8| {
                let bits = random.u64(0..3);
                if random.u8(0..10) < symbolic {
                    Word { bits: x_bits, symbolic: Symbolic::Term(x) }
                } else {
                    Word::concrete(bits)
                }
            };
            for _ in 0..12 {
                let at = At { object: Some(pick(&mut random, 2)), index: pick(&mut random, 3) };
                let key = vec![BYTE.value(at.object.expect("two").bits), BYTE.value(at.index.bits)];
                if random.bool() {
                    let value = pick(&mut random, 3);
                    m.write(&mut terms, at, value);
                    map.set(key, BYTE.value(value.bits));
                } else {
                    let word = m.read(&mut terms, at);
                    assert_eq!(BYTE.value(word.bits), *map.get(&key), "seed {seed}");
                    if let Some(symbolic) = word.symbolic.term() {
                        let value = value_of(&mut terms, symbolic, (input, x, x_bits));
                        assert_eq!(value, BYTE.value(word.bits), "seed {seed}");
                    }
                }
            }
            let term = m.term(&mut terms);
            let same = interp::canonical(&terms, Value::Map(Arc::new(map)));
            assert_eq!(m.value(&terms), same, "seed {seed}");
            assert_eq!(value_of(&mut terms, term, (input, x, x_bits)), same, "seed {seed}");
        }
    }

    /// The value of a term where the input map is zero and `x` has these bits.
    fn value_of(terms: &mut Terms, term: TermId, (input, x, bits): (TermId, TermId, u64)) -> Value {
        let sort = terms.sort(input);
        let zero = BYTE.term(terms, 0);
        let constant = terms.mk(Op::ConstMap, [zero], sort);
        let number = BYTE.term(terms, bits);
        let (Op::Var(input), Op::Var(x)) = (terms.term(input).op.clone(), terms.term(x).op.clone()) else {
            panic!("variables")
        };
        let map = [(input, constant), (x, number)].into_iter().collect();
        let closed = terms.substitute(term, &map);
        let value = footpath_term::evaluate(terms, closed, &mut footpath_term::NoEnv).expect("closed");
        interp::canonical(terms, value)
    }
}
