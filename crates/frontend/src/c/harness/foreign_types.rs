//! Types that the file of a function cannot name: structures that only other files define, behind pointers to opaque types.
//!
//! **Idea.** A header often declares `struct list;` only, and one file defines it. A test of another file still needs such a structure,
//! with pointers in it, but it includes its own file only. So it declares a copy of its own, of the same members in the same
//! places, in which pointers are `void *` and enumerations are integers.
//!
//! Example: of `struct list { struct node *first; enum kind kind; };` the copy is
//! `struct footpath_list { void *first; unsigned int kind; };`.
//!
//! **Direction of error.** None: a copy has what it copies at the same offsets, or it is not made. Then the object is an array of bytes,
//! in which no pointer leads anywhere, and tests that need one are not found.

use super::super::source::c_types::{CField, CType, CTypeId};
use super::Builder;

/// The tags of structures that tests declare begin so.
pub const OWN_TAG: &str = "footpath_";

/// The tag of a structure that tests declare.
pub(super) fn own_name(name: &str) -> String {
    format!("{OWN_TAG}{name}")
}

fn is_own_name(tag: &str) -> bool {
    tag.starts_with(OWN_TAG)
}

/// How deep structures are copied.
const DEPTH: u32 = 24;

impl Builder<'_, '_, '_> {
    /// A type with which tests in the function's file can write values of a type: itself, or a copy; `None` if there is neither.
    pub(super) fn nameable(&mut self, ty: CTypeId) -> Option<CTypeId> {
        self.nameable_within(ty, DEPTH)
    }

    fn nameable_within(&mut self, ty: CTypeId, depth: u32) -> Option<CTypeId> {
        let depth = depth.checked_sub(1)?;
        match self.types.get(ty).clone() {
            CType::Typedef { name, .. } if self.is_known_here(&name) => Some(ty),
            CType::Typedef { name, of } => match self.types.get(of).clone() {
                CType::Record { tag: None, is_union, fields, size } => {
                    let named = CType::Record { tag: Some(name), is_union, fields, size };
                    let named = self.types.add(named);
                    self.nameable_within(named, depth)
                }
                _ => self.nameable_within(of, depth),
            },
            CType::Qualified { of, .. } => self.nameable_within(of, depth),
            CType::Enum { tag: Some(tag), .. } if self.is_known_here(&tag) => Some(ty),
            CType::Enum { bits, .. } => self.integer(bits),
            CType::Record { tag: Some(tag), .. } if !is_own_name(&tag) && self.is_known_here(&tag) => {
                Some(ty)
            }
            CType::Record { tag, is_union, fields, size } => {
                if let Some(&known) = self.copies.get(&ty) {
                    return known;
                }
                let is_named = tag.as_deref().is_none_or(is_own_name)
                    && fields.iter().all(|field| self.nameable_within(field.ty, depth) == Some(field.ty));
                let tag = tag.map(|tag| if is_own_name(&tag) { tag } else { own_name(&tag) });
                let copy =
                    if is_named { Some(ty) } else { self.copied(tag, &fields, (is_union, size), depth) };
                self.copies.insert(ty, copy);
                copy
            }
            CType::Array { element, count } => {
                let nameable = self.nameable_within(element, depth)?;
                let same = nameable == element;
                Some(if same { ty } else { self.types.add(CType::Array { element: nameable, count }) })
            }
            _ => Some(ty),
        }
    }

    /// A structure or union of the same members, if a compiler puts them in the same places.
    fn copied(
        &mut self,
        tag: Option<String>,
        fields: &[CField],
        (is_union, size): (bool, u64),
        depth: u32,
    ) -> Option<CTypeId> {
        let bytes = u64::from(self.cx.shape.bits / 8);
        let (mut end, mut most, mut copies) = (0, 1, Vec::new());
        for field in fields {
            let ty = self.nameable_within(field.ty, depth)?;
            let is_record = matches!(self.types.resolved(ty), CType::Record { .. });
            let alignment = self.natural_alignment(ty, depth)?;
            let at = if is_union { 0 } else { u64::next_multiple_of(end, alignment) };
            let is_unnamed = field.name.is_empty() && !is_record;
            if field.bit_field.is_some() || is_unnamed || 8 * at != field.offset_bits {
                return None;
            }
            let own = self.types.size(ty, bytes);
            end = end.max(at + own);
            most = most.max(alignment);
            copies.push(CField { ty, ..field.clone() });
        }
        (u64::next_multiple_of(end, most) == size)
            .then(|| self.types.add(CType::Record { tag, is_union, fields: copies, size }))
    }

    /// The alignment that a compiler gives a type that asks for none; `None` if that is not known.
    fn natural_alignment(&self, ty: CTypeId, depth: u32) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        let bytes = u64::from(self.cx.shape.bits / 8);
        match self.types.resolved(ty) {
            CType::Array { element, .. } => self.natural_alignment(*element, depth),
            CType::Record { fields, .. } => {
                let mut most = 1;
                for field in fields {
                    most = most.max(self.natural_alignment(field.ty, depth)?);
                }
                Some(most)
            }
            _ => Some(self.types.size(ty, bytes)).filter(|&size| size.is_power_of_two() && size <= bytes),
        }
    }

    /// An integer of so many bits.
    fn integer(&mut self, bits: u32) -> Option<CTypeId> {
        let name = match bits {
            8 => "unsigned char",
            16 => "unsigned short",
            32 => "unsigned int",
            64 => "unsigned long long",
            _ => return None,
        };
        Some(self.types.add(CType::Int { name: name.to_owned(), bits, signed: false, is_char: false }))
    }

    /// Whether the function's file defines a type of a name.
    fn is_known_here(&mut self, name: &str) -> bool {
        let modules = self.cx.linked.modules;
        self.cx.shared.record(modules, self.module, name).is_none_or(|(m, _)| m == self.module)
    }
}
