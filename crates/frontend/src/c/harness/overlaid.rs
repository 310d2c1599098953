//! Structures that lie in the same place: what the pointers in a union of them may lead to, and objects that are used as several
//! structures.
//!
//! **Idea.** A structure that begins with a common one is its kind of inheritance in C: behind `struct node *` lies a `struct leaf` or
//! a `struct pair`, as a number in the common part says. A function that casts to several of them gets an object that is a union of
//! them. Of each place in it where one of them has a pointer, the pointer leads to what any of them has there; where another one has
//! a number, it is that or the pointer.
//!
//! Example: of `struct leaf { struct node base; long n; }` and `struct pair { struct node base; struct node *first, *second; }`, the
//! bytes behind `base` are any number or lead to a node, and those behind them are null or lead to a node.
//!
//! **Direction of error.** Towards too few inputs: a number never leads to an object of another type, and arrays of pointers are
//! described up to their bound only. No more than [`MOST`] structures are overlaid.

use std::collections::BTreeMap;

use super::super::source::c_types::{CField, CType, CTypeId};
use super::foreign_types::own_name;
use super::{Builder, Piece, Spot};

/// The largest number of structures in one object.
const MOST: usize = 8;
/// How deep structures are looked into.
const DEPTH: u32 = 8;

/// A pointer in a structure: its type, its name, and the member that it is.
type LaidPointer = (CTypeId, String, Option<Spot>);

/// What the members of a union have in one place.
#[derive(Default)]
struct Overlay {
    /// The pointers, by offset.
    pointers: BTreeMap<u64, Vec<LaidPointer>>,
    /// Offset and size of each number.
    numbers: Vec<(u64, u64)>,
}

impl Overlay {
    fn has_number(&self, at: u64, bytes: u64) -> bool {
        self.numbers.iter().any(|&(from, size)| from < at + bytes && at < from + size)
    }
}

impl Builder<'_, '_, '_> {
    /// Whether one of the members is a structure in which a pointer lies.
    pub(super) fn has_record_with_pointer(&self, fields: &[CField]) -> bool {
        let is_record =
            |f: &CField| matches!(self.types.resolved(f.ty), CType::Record { is_union: false, .. });
        fields.iter().any(|f| is_record(f) && self.contains_pointer(f.ty, 0))
    }

    /// Describes the pointers in a union.
    pub(super) fn overlaid(&mut self, piece: &Piece, fields: &[CField]) {
        let bytes = u64::from(self.cx.shape.bits / 8);
        let mut overlay = Overlay::default();
        for field in fields {
            self.lay(field, (&piece.name, 0, None), DEPTH, &mut overlay);
        }
        for (&offset, pointers) in &overlay.pointers {
            let Some((ty, name, place)) = pointers.first().cloned() else { continue };
            let targets = pointers.iter().filter_map(|(ty, ..)| self.pointee(*ty));
            let mut others: Vec<CTypeId> = targets.chain(piece.others.iter().copied()).collect();
            let at = self.cx.add_bytes(piece.at, offset);
            let there =
                Piece { name, ty, at, place, others: Vec::new(), within: None, beside: None, ..*piece };
            if overlay.has_number(offset, bytes) {
                self.number_or_link(&there, &others);
            } else {
                others.remove(0);
                self.contents(&Piece { others, ..there });
            }
        }
    }

    /// Lays a member of a structure of a name over what is there; the structure begins at `base`.
    fn lay(
        &mut self,
        field: &CField,
        (owner, base, record): (&str, u64, Option<&str>),
        depth: u32,
        overlay: &mut Overlay,
    ) {
        let bytes = u64::from(self.cx.shape.bits / 8);
        let at = base + field.offset_bits / 8;
        let name = if field.name.is_empty() { owner.to_owned() } else { format!("{owner}.{}", field.name) };
        let size = self.types.size(field.ty, bytes);
        match self.types.resolved(field.ty).clone() {
            _ if depth == 0 => {}
            CType::Pointer(_) => {
                let place = record.map(|record| Spot::Field(record.to_owned(), field.offset_bits / 8));
                overlay.pointers.entry(at).or_default().push((field.ty, name, place));
            }
            CType::Record { fields, .. } => {
                let record = self.types.record_name(field.ty).map(str::to_owned);
                for field in &fields {
                    self.lay(field, (&name, at, record.as_deref()), depth - 1, overlay);
                }
            }
            CType::Array { element, count } if self.contains_pointer(element, 0) => {
                let size = self.types.size(element, bytes);
                for i in 0..count.unwrap_or(0).min(u64::from(self.cx.options.harness.array_length)) {
                    let one = CField {
                        name: format!("{}[{i}]", field.name),
                        ty: element,
                        offset_bits: 8 * i * size,
                        bit_field: None,
                    };
                    self.lay(&one, (owner, at, None), depth - 1, overlay);
                }
            }
            _ => overlay.numbers.push((at, size)),
        }
    }

    /// A union of structures that pointers from one place are used as, if they have different pointers somewhere; otherwise the
    /// largest.
    pub(super) fn union_of(&mut self, structures: &[(String, CTypeId)]) -> Option<CTypeId> {
        let bytes = u64::from(self.cx.shape.bits / 8);
        let (largest, rest) = {
            let mut sorted: Vec<&(String, CTypeId)> = structures.iter().collect();
            sorted.sort_by_key(|(_, ty)| std::cmp::Reverse(self.types.size(*ty, bytes)));
            (*sorted.first()?, sorted[1..].to_vec())
        };
        let own = self.laid(largest);
        let differs = rest.iter().any(|structure| {
            let other = self.laid(structure);
            let is_other = |(at, pointers): (&u64, &Vec<LaidPointer>)| {
                let target = |ty: CTypeId| self.pointee(ty).map(|to| self.types.bare(to));
                own.pointers.get(at).is_none_or(|known| target(known[0].0) != target(pointers[0].0))
            };
            let is_number = |&at: &u64| other.has_number(at, bytes);
            other.pointers.iter().any(is_other) || own.pointers.keys().any(is_number)
        });
        let is_named =
            |(_, ty): &&(String, CTypeId)| matches!(self.types.resolved(*ty), CType::Record { .. });
        if !differs || structures.len() > MOST || !structures.iter().all(|s| is_named(&s)) {
            return Some(largest.1);
        }
        let size = self.types.size(largest.1, bytes);
        let names: Vec<&str> = structures.iter().map(|(name, _)| &**name).collect();
        let key = own_name(&names.join("_or_"));
        let known = self.records.get(&key).copied().flatten();
        let fields = structures.iter().map(|(name, ty)| CField {
            name: name.clone(),
            ty: *ty,
            offset_bits: 0,
            bit_field: None,
        });
        let union = CType::Record { tag: Some(key.clone()), is_union: true, fields: fields.collect(), size };
        let ty = known.unwrap_or_else(|| self.types.add(union));
        self.records.insert(key, Some(ty));
        Some(ty)
    }

    fn laid(&mut self, (name, ty): &(String, CTypeId)) -> Overlay {
        let mut overlay = Overlay::default();
        let whole = CField { name: String::new(), ty: *ty, offset_bits: 0, bit_field: None };
        self.lay(&whole, (name, 0, None), DEPTH, &mut overlay);
        overlay
    }
}
