//! Independence slicing: which inputs a condition depends on, and which conditions of a path a query needs.
//!
//! **Idea.** Conditions that share no inputs, directly or through other conditions, can be solved separately. A cell
//! of an input memory that is read at constant indices is an input of its own. A read at another index depends on all
//! cells of its *part*: of a map with two indices, the object that a constant first index names; of other maps the
//! whole map.
//!
//! Example: on the path `x > 0, y < 5, x + z == 7` a query to negate the last condition contains the first one, which
//! shares `x`, and not `y < 5`; `y` keeps the value of an earlier run.
//!
//! **Paper.** EXE (Cadar, Ganesh, Pawlowski, Dill, Engler, CCS 2006).
//!
//! **Direction of error.** None. A map that is used in any other way counts as a whole.

use footpath_term::{Op, Sort, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A part of an input map: an object, or the whole map.
pub(super) type Part = (SymbolId, Option<TermId>);

/// What a condition depends on.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    /// Inputs that are no maps, and reads of input maps at constant indices.
    pub(super) cells: Vec<TermId>,
    /// The parts that the cells lie in.
    of: Vec<Part>,
    /// Parts that are read at other indices: objects.
    pub(super) parts: Vec<(SymbolId, TermId)>,
    /// Maps that are used in another way.
    pub(super) maps: Vec<SymbolId>,
    /// Whether evaluation is likely to be cheaper than the solver.
    pub(super) heavy: bool,
    /// Whether there is floating-point arithmetic, of which a solver holds only so much at a time.
    pub(super) floats: bool,
    /// Reads of memory at indices that are no constants.
    open_reads: usize,
    /// Writes to memory.
    writes: usize,
}

impl Atoms {
    /// Those of a condition.
    pub(super) fn of(terms: &Terms, condition: TermId) -> Atoms {
        let mut atoms = Atoms::default();
        let (mut seen, mut written) = (FxHashSet::default(), FxHashSet::default());
        let mut stack = vec![condition];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let term = terms.term(t);
            if term.op == Op::Store {
                written.insert(t);
            }
            let sort = terms.sort_of(term.sort);
            atoms.heavy |= matches!(sort, Sort::BitVec(_) | Sort::Map { .. });
            atoms.floats |= matches!(sort, Sort::Float { .. });
            match &term.op {
                Op::Var(symbol) if matches!(terms.sort_of(term.sort), Sort::Map { .. }) => {
                    atoms.maps.push(*symbol);
                }
                Op::Var(_) => atoms.cells.push(t),
                Op::Select => atoms.select(terms, t, &mut stack, &mut written),
                _ => stack.extend(&term.args),
            }
        }
        atoms.writes = written.len();
        atoms.of.sort_unstable();
        atoms.of.dedup();
        atoms.parts.sort_unstable();
        atoms.parts.dedup();
        atoms
    }

    /// Pairs of a read and a write, of which a solver has to find out whether they mean the same cell.
    pub(super) fn aliases(&self) -> usize {
        self.open_reads.saturating_mul(self.writes)
    }

    fn select(&mut self, terms: &Terms, t: TermId, stack: &mut Vec<TermId>, written: &mut FxHashSet<TermId>) {
        let args = &terms.term(t).args;
        let index = &args[1..];
        self.open_reads += usize::from(index.iter().any(|i| terms.literal(*i).is_none()));
        if let Op::Var(symbol) = terms.term(args[0]).op
            && index.iter().all(|i| terms.literal(*i).is_some())
        {
            self.cells.push(t);
            self.of.push((symbol, (index.len() == 2).then(|| index[0])));
            return;
        }
        let Some((base, stores)) = object_chain(terms, args) else {
            stack.extend(args);
            return;
        };
        stack.push(index[1]);
        for store in stores {
            written.insert(store);
            stack.extend(&terms.term(store).args[2..]);
        }
        if let Op::Var(symbol) = terms.term(base).op {
            self.parts.push((symbol, index[0]));
        }
    }
}

/// If the arguments of a read have two indices, the first a constant, and the map is stores at constant first indices
/// on top of an input or a constant map: that, and the stores to the object that is read, the latest first.
pub(super) fn object_chain(terms: &Terms, args: &[TermId]) -> Option<(TermId, Vec<TermId>)> {
    let [mut map, object, _] = args[..] else { return None };
    terms.literal(object)?;
    let mut stores = Vec::new();
    loop {
        let term = terms.term(map);
        match term.op {
            Op::Store if term.args.len() == 4 => {
                terms.literal(term.args[1])?;
                if term.args[1] == object {
                    stores.push(map);
                }
                map = term.args[0];
            }
            Op::Var(_) => return Some((map, stores)),
            Op::ConstMap if terms.literal(term.args[0]).is_some() => return Some((map, stores)),
            _ => return None,
        }
    }
}

/// The conditions that the last one depends on, it included, in order.
pub(super) fn slice(conditions: &[TermId], all: &[Rc<Atoms>]) -> Vec<TermId> {
    let last = conditions.len() - 1;
    let mut by_cell: FxHashMap<TermId, Vec<usize>> = FxHashMap::default();
    // Conditions that use a part, or a whole map; and those that use anything of them.
    let mut by_part: FxHashMap<Part, Vec<usize>> = FxHashMap::default();
    let mut by_any_of_part: FxHashMap<Part, Vec<usize>> = FxHashMap::default();
    let mut by_map: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
    let mut by_any_of_map: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
    for (i, atoms) in all.iter().enumerate() {
        for &cell in &atoms.cells {
            by_cell.entry(cell).or_default().push(i);
        }
        for &part in &atoms.of {
            by_any_of_part.entry(part).or_default().push(i);
            by_any_of_map.entry(part.0).or_default().push(i);
        }
        for &(map, object) in &atoms.parts {
            by_part.entry((map, Some(object))).or_default().push(i);
            by_any_of_part.entry((map, Some(object))).or_default().push(i);
            by_any_of_map.entry(map).or_default().push(i);
        }
        for &map in &atoms.maps {
            by_map.entry(map).or_default().push(i);
            by_any_of_map.entry(map).or_default().push(i);
        }
    }
    let mut taken = vec![false; conditions.len()];
    taken[last] = true;
    let mut pending = vec![last];
    while let Some(i) = pending.pop() {
        let atoms = &all[i];
        let mut reached: Vec<usize> = Vec::new();
        for cell in &atoms.cells {
            reached.extend(by_cell.remove(cell).into_iter().flatten());
        }
        for part in &atoms.of {
            reached.extend(by_part.remove(part).into_iter().flatten());
            reached.extend(by_map.remove(&part.0).into_iter().flatten());
        }
        for &(map, object) in &atoms.parts {
            reached.extend(by_any_of_part.remove(&(map, Some(object))).into_iter().flatten());
            reached.extend(by_map.remove(&map).into_iter().flatten());
        }
        for map in &atoms.maps {
            reached.extend(by_any_of_map.remove(map).into_iter().flatten());
        }
        for j in reached {
            if !taken[j] {
                taken[j] = true;
                pending.push(j);
            }
        }
    }
    let mut slice: Vec<TermId> = (0..last).filter(|&i| taken[i]).map(|i| conditions[i]).collect();
    slice.push(conditions[last]);
    slice
}
