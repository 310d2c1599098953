//! Table lookups of character classification: `isdigit`, `toupper` and their like become comparisons.
//!
//! **Idea.** With glibc's headers these functions are macros, `(*__ctype_b_loc())[(int)(c)] & mask`: a lookup in a
//! table of 384 entries. For a solver, a lookup at an unknown index is hard and a few comparisons are easy. The chain
//! of instructions is therefore recognised, and the value of the lookup is written as comparisons, with the tables of
//! the C locale. Example: `isdigit(c)` becomes comparisons of `c` with bounds of ranges of characters such as `'0'`
//! and `'9'`.
//!
//! The lookup of another index than -128 to 255 is an access out of bounds, of which a check is made.
//!
//! **Direction of error.** Programs that call `setlocale` are classified as in the C locale.

use footpath_term::{Op, TermId};

use crate::llvm::ast::{Callee, Code, InstKind, LocalId, Module, Value};

use super::context::Context;

/// Which table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Table {
    /// Classes of characters, 16 bits.
    Classes,
    /// Lower case letters, 32 bits.
    Lower,
    /// Upper case letters, 32 bits.
    Upper,
}

/// Ranges of characters and their classes, as glibc numbers these on a little-endian machine.
const CLASSES: [(i64, i64, i64); 13] = [
    (0, 8, 0x0002),
    (9, 9, 0x2003),
    (10, 13, 0x2002),
    (14, 31, 0x0002),
    (32, 32, 0x6001),
    (33, 47, 0xc004),
    (48, 57, 0xd808),
    (58, 64, 0xc004),
    (65, 70, 0xd508),
    (71, 90, 0xc508),
    (91, 96, 0xc004),
    (97, 102, 0xd608),
    (103, 122, 0xc608),
];
/// The rest of them.
const LAST_CLASSES: [(i64, i64, i64); 2] = [(123, 126, 0xc004), (127, 127, 0x0002)];

impl Table {
    /// The table whose address a function of glibc returns.
    pub(crate) fn of(function: &str) -> Option<Table> {
        match function {
            "__ctype_b_loc" => Some(Table::Classes),
            "__ctype_tolower_loc" => Some(Table::Lower),
            "__ctype_toupper_loc" => Some(Table::Upper),
            _ => None,
        }
    }

    /// The entry for a character, which is a signed number of any width.
    pub(crate) fn entry(self, cx: &mut Context, character: TermId) -> TermId {
        match self {
            Table::Classes => {
                let mut value = cx.bv(16, 0);
                for &(low, high, classes) in CLASSES.iter().chain(&LAST_CLASSES).rev() {
                    let inside = between(cx, character, low, high);
                    let classes = cx.bv(16, classes);
                    value = cx.app(Op::Ite, &[inside, classes, value]);
                }
                value
            }
            Table::Lower => shifted(cx, character, i64::from(b'A'), i64::from(b'Z'), 32),
            Table::Upper => shifted(cx, character, i64::from(b'a'), i64::from(b'z'), -32),
        }
    }
}

/// Whether the tables have an entry for a character, which is a signed number of any width.
pub(crate) fn is_inside(cx: &mut Context, character: TermId) -> TermId {
    between(cx, character, -128, 255)
}

fn between(cx: &mut Context, x: TermId, low: i64, high: i64) -> TermId {
    let width = cx.width(x);
    let (low_term, high_term) = (cx.bv(width, low), cx.bv(width, high));
    if low == high {
        return cx.app(Op::Eq, &[x, low_term]);
    }
    let above = cx.app(Op::BvSle, &[low_term, x]);
    let below = cx.app(Op::BvSle, &[x, high_term]);
    cx.app(Op::And, &[above, below])
}

/// The character, or another one that is so far from it. Negative ones but `EOF` stand for the same bytes without a sign.
fn shifted(cx: &mut Context, x: TermId, low: i64, high: i64, by: i64) -> TermId {
    let same = cx.resize(x, 32, true);
    let ranges = [(-128, -2, 256), (low, high, by)];
    ranges.into_iter().fold(same, |value, (low, high, by)| {
        let inside = between(cx, x, low, high);
        let by = cx.bv(32, by);
        let moved = cx.app(Op::BvAdd, &[same, by]);
        cx.app(Op::Ite, &[inside, moved, value])
    })
}

/// The chains of table lookups in a function: which registers hold the address of a table pointer, a table, the
/// address of an entry.
#[derive(Default)]
pub(crate) struct LookUps {
    /// Results of calls, and of loads of a table, that nothing else uses.
    pub(crate) tables: Vec<(LocalId, Table)>,
    /// Places of entries: the index is the instruction's only one.
    pub(crate) entries: Vec<(LocalId, Table)>,
}

impl LookUps {
    /// Finds the chains that consist of nothing but look-ups.
    pub(crate) fn find(module: &Module, code: &Code) -> LookUps {
        let mut found = LookUps::default();
        for inst in &code.insts {
            let InstKind::Call(call) = &inst.kind else { continue };
            let Callee::Named(name) = call.callee else { continue };
            let (Some(table), Some(place)) = (Table::of(module.text(name)), inst.result) else { continue };
            if let Some((tables, entries)) = chain(code, place) {
                found.tables.push((place, table));
                found.tables.extend(tables.into_iter().map(|t| (t, table)));
                found.entries.extend(entries.into_iter().map(|e| (e, table)));
            }
        }
        found
    }
}

/// Follows the place of a table: to loads of the table, to places of entries, to loads of entries.
fn chain(code: &Code, place: LocalId) -> Option<(Vec<LocalId>, Vec<LocalId>)> {
    let users = |local: LocalId| {
        code.insts.iter().filter(move |inst| {
            let phi = matches!(&inst.kind, InstKind::Phi { incoming, .. }
                if incoming.iter().any(|(v, _)| *v == Value::Local(local)));
            phi || super::super::operands(&inst.kind).iter().any(|o| o.value == Value::Local(local))
        })
    };
    let mut tables = Vec::new();
    let mut entries = Vec::new();
    for inst in users(place) {
        match (&inst.kind, inst.result) {
            (InstKind::Load(_), Some(table)) => tables.push(table),
            _ => return None,
        }
    }
    for &table in &tables {
        for inst in users(table) {
            match (&inst.kind, inst.result) {
                (InstKind::Gep(gep), Some(entry))
                    if gep.base.value == Value::Local(table) && gep.indices.len() == 1 =>
                {
                    entries.push(entry);
                }
                _ => return None,
            }
        }
    }
    let only_loads = entries.iter().all(|&e| users(e).all(|inst| matches!(inst.kind, InstKind::Load(_))));
    only_loads.then_some((tables, entries))
}
