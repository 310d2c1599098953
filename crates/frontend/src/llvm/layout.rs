//! Type layout by `target datalayout`: sizes and alignments of types, and offsets of fields in structures.
//!
//! Sizes and alignments are computed once for all types of a module, when it has been read. A type has none if it is
//! opaque, contains itself, has a size that only the target knows, or is absurdly large. Example: with 8-byte
//! alignment of `i64`, `{ i32, i64 }` has size 16, and its second field is at offset 8.

use super::ast::{FloatKind, TypeId, TypeKind, Types};

/// The order of the bytes of a number in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Endian {
    /// The lowest byte first.
    #[default]
    Little,
    /// The highest byte first.
    Big,
}

/// A pointer of some address space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerLayout {
    /// How many bits it has.
    pub bits: u32,
    /// How many of them an index changes.
    pub index_bits: u32,
    /// ABI alignment, in bytes.
    pub align: u32,
}

/// What a `target datalayout` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataLayout {
    /// The order of bytes.
    pub endian: Endian,
    /// The address space of `alloca`.
    pub alloca_space: u32,
    /// The address space of globals.
    pub global_space: u32,
    /// The address space of functions.
    pub program_space: u32,
    /// Alignment of structures in bytes, beyond that of their fields.
    aggregate_align: u32,
    pointers: Vec<(u32, PointerLayout)>,
    /// Bits and alignment in bytes, sorted by bits.
    ints: Vec<(u32, u32)>,
    floats: Vec<(u32, u32)>,
    vectors: Vec<(u32, u32)>,
}

impl Default for DataLayout {
    fn default() -> DataLayout {
        DataLayout {
            endian: Endian::Little,
            alloca_space: 0,
            global_space: 0,
            program_space: 0,
            aggregate_align: 1,
            pointers: vec![(0, PointerLayout { bits: 64, index_bits: 64, align: 8 })],
            // Not a slip: without an entry, LLVM aligns i64 at four bytes, and 32-bit x86 relies on it.
            ints: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
        }
    }
}

impl DataLayout {
    /// Reads a data layout. What it does not understand, it leaves at LLVM's defaults.
    pub fn parse(text: &str) -> DataLayout {
        let mut layout = DataLayout::default();
        for entry in text.split('-') {
            layout.entry(entry);
        }
        layout
    }

    fn entry(&mut self, entry: &str) -> Option<()> {
        let mut chars = entry.chars();
        let kind = chars.next()?;
        let rest = chars.as_str();
        match kind {
            'e' if rest.is_empty() => self.endian = Endian::Little,
            'E' if rest.is_empty() => self.endian = Endian::Big,
            'A' => self.alloca_space = rest.parse().ok()?,
            'G' => self.global_space = rest.parse().ok()?,
            'P' => self.program_space = rest.parse().ok()?,
            'p' => {
                let mut parts = rest.split(':');
                // Newer LLVM puts letters before the number: `pu` is unstable, `pe` has external state.
                let space = parts.next()?.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                let space = if space.is_empty() { 0 } else { space.parse().ok()? };
                let bits: u32 = parts.next()?.parse().ok()?;
                let align = parts.next().and_then(bytes).unwrap_or(bits / 8).max(1);
                let index_bits = parts.nth(1).and_then(|bits| bits.parse().ok()).unwrap_or(bits);
                set(&mut self.pointers, space, PointerLayout { bits, index_bits, align });
            }
            'i' | 'f' | 'v' => {
                let mut parts = rest.split(':');
                let bits = parts.next()?.parse().ok()?;
                let align = parts.next().and_then(bytes)?.max(1);
                let table = match kind {
                    'i' => &mut self.ints,
                    'f' => &mut self.floats,
                    _ => &mut self.vectors,
                };
                set(table, bits, align);
            }
            'a' => self.aggregate_align = rest.split(':').nth(1).and_then(bytes)?.max(1),
            _ => {}
        }
        Some(())
    }

    /// Pointers of an address space.
    pub fn pointer(&self, addrspace: u32) -> PointerLayout {
        let find = |space| self.pointers.iter().find(|(known, _)| *known == space).map(|(_, layout)| *layout);
        let fallback = PointerLayout { bits: 64, index_bits: 64, align: 8 };
        find(addrspace).or_else(|| find(0)).unwrap_or(fallback)
    }

    /// How many bits an ordinary pointer has.
    pub fn pointer_bits(&self) -> u32 {
        self.pointer(0).bits
    }

    /// The alignment of integers that have no entry of their own is that of the next larger one.
    fn int_align(&self, bits: u32) -> u64 {
        let next = self.ints.iter().find(|(size, _)| *size >= bits).or(self.ints.last());
        next.map_or(1, |(_, align)| u64::from(*align))
    }

    fn float_align(&self, kind: FloatKind) -> u64 {
        let bits = kind.bits();
        let exact = self.floats.iter().find(|(size, _)| *size == bits);
        // LLVM falls back to the size, rounded up to a power of two.
        exact.map_or_else(|| u64::from(bits / 8).next_power_of_two(), |(_, align)| u64::from(*align))
    }

    fn vector_align(&self, bits: u64, store: u64) -> u64 {
        let exact = self.vectors.iter().find(|(size, _)| u64::from(*size) == bits);
        exact.map_or_else(|| store.max(1).next_power_of_two(), |(_, align)| u64::from(*align))
    }
}

fn bytes(bits: &str) -> Option<u32> {
    bits.parse::<u32>().ok().map(|bits| bits / 8)
}

fn set<T>(table: &mut Vec<(u32, T)>, key: u32, value: T) {
    match table.binary_search_by_key(&key, |(key, _)| *key) {
        Ok(at) => table[at].1 = value,
        Err(at) => table.insert(at, (key, value)),
    }
}

/// Size and alignment of a type, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// How many bits have a meaning.
    pub bits: u64,
    /// How many bytes a store writes.
    pub store_size: u64,
    /// The distance of two elements of an array: the store size with padding.
    pub size: u64,
    /// The ABI alignment.
    pub align: u64,
    /// Where the fields of a structure begin; empty for other types.
    pub offsets: Box<[u64]>,
}

impl Layout {
    fn scalar(bits: u64, align: u64) -> Layout {
        let store_size = bits.div_ceil(8);
        Layout { bits, store_size, size: store_size.next_multiple_of(align), align, offsets: Box::default() }
    }
}

/// The layouts of all types of a module.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    all: Vec<Option<Layout>>,
}

/// Larger types have no layout, so that sums and products stay far from overflow.
const MAX_SIZE: u64 = 1 << 48;

/// How deep types may be nested in one another.
const MAX_DEPTH: u32 = 400;

impl Layouts {
    /// Computes the layouts of all types.
    pub fn new(data: &DataLayout, types: &Types) -> Layouts {
        let mut work = Work { data, types, states: vec![State::Unknown; types.len()] };
        for id in types.ids() {
            work.visit(id, 0);
        }
        let known = |state| match state {
            State::Done(layout) => layout,
            State::Unknown | State::Active => None,
        };
        Layouts { all: work.states.into_iter().map(known).collect() }
    }

    /// The layout of a type, if it has one.
    pub fn get(&self, id: TypeId) -> Option<&Layout> {
        self.all.get(id.index())?.as_ref()
    }

    /// The distance of two elements of this type in an array, in bytes.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.get(id).map(|layout| layout.size)
    }
}

#[derive(Clone)]
enum State {
    Unknown,
    /// Being computed; seen again, the type contains itself.
    Active,
    Done(Option<Layout>),
}

struct Work<'a> {
    data: &'a DataLayout,
    types: &'a Types,
    states: Vec<State>,
}

impl Work<'_> {
    fn visit(&mut self, id: TypeId, depth: u32) -> Option<Layout> {
        match &self.states[id.index()] {
            State::Done(layout) => return layout.clone(),
            State::Active => return None,
            State::Unknown => {}
        }
        if depth > MAX_DEPTH {
            return None;
        }
        self.states[id.index()] = State::Active;
        let layout = self.compute(id, depth).filter(|layout| layout.size <= MAX_SIZE);
        self.states[id.index()] = State::Done(layout.clone());
        layout
    }

    fn compute(&mut self, id: TypeId, depth: u32) -> Option<Layout> {
        let types = self.types;
        match types.kind(id) {
            TypeKind::Int(bits) => Some(Layout::scalar(u64::from(*bits), self.data.int_align(*bits))),
            TypeKind::Float(kind) => {
                Some(Layout::scalar(u64::from(kind.bits()), self.data.float_align(*kind)))
            }
            TypeKind::Ptr { addrspace, .. } => {
                let pointer = self.data.pointer(*addrspace);
                Some(Layout::scalar(u64::from(pointer.bits), u64::from(pointer.align)))
            }
            TypeKind::Array(len, element) => {
                let element = self.visit(*element, depth + 1)?;
                let size = element.size.checked_mul(*len).filter(|size| *size <= MAX_SIZE)?;
                let align = element.align;
                Some(Layout { bits: size * 8, store_size: size, size, align, offsets: Box::default() })
            }
            TypeKind::Vector { scalable: true, .. } => None,
            TypeKind::Vector { len, element, .. } => {
                let element = self.visit(*element, depth + 1)?;
                let bits = element.bits.checked_mul(u64::from(*len)).filter(|bits| *bits <= MAX_SIZE)?;
                let align = self.data.vector_align(bits, bits.div_ceil(8));
                Some(Layout::scalar(bits, align))
            }
            TypeKind::Struct { fields, packed } => self.structure(fields, *packed, depth),
            TypeKind::Named(named) => self.visit(types.named(*named).body?, depth + 1),
            TypeKind::Void
            | TypeKind::Function { .. }
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Special(_) => None,
        }
    }

    fn structure(&mut self, fields: &[TypeId], packed: bool, depth: u32) -> Option<Layout> {
        let mut size: u64 = 0;
        let mut align = if packed { 1 } else { u64::from(self.data.aggregate_align) };
        let mut offsets = Vec::with_capacity(fields.len());
        for &field in fields {
            let field = self.visit(field, depth + 1)?;
            if !packed {
                size = size.next_multiple_of(field.align);
                align = align.max(field.align);
            }
            offsets.push(size);
            size = size.checked_add(field.size).filter(|size| *size <= MAX_SIZE)?;
        }
        let size = size.next_multiple_of(align);
        Some(Layout { bits: size * 8, store_size: size, size, align, offsets: offsets.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86_64: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128";
    const I386: &str = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-f64:32:64-f80:32-n8:16:32-S128";

    /// Size, alignment and offsets of a structure.
    fn layout(data: &str, packed: bool, kinds: &[TypeKind]) -> (u64, u64, Vec<u64>) {
        let mut types = Types::default();
        let fields = kinds.iter().map(|kind| types.add(kind.clone())).collect();
        let ty = types.add(TypeKind::Struct { fields, packed });
        let layouts = Layouts::new(&DataLayout::parse(data), &types);
        let layout = layouts.get(ty).expect("the structure has a layout");
        (layout.size, layout.align, layout.offsets.to_vec())
    }

    #[test]
    fn scalars_are_aligned_as_the_target_says() {
        let pointer = TypeKind::Ptr { addrspace: 0, pointee: None };
        let fields = [TypeKind::Int(8), TypeKind::Int(64), pointer, TypeKind::Float(FloatKind::Double)];
        assert_eq!(layout(X86_64, false, &fields), (32, 8, vec![0, 8, 16, 24]));
        assert_eq!(layout(I386, false, &fields), (24, 4, vec![0, 4, 12, 16]));
        assert_eq!(layout(X86_64, true, &fields), (25, 1, vec![0, 1, 9, 17]));
    }

    #[test]
    fn wide_numbers_follow_the_version_of_the_target() {
        let fields = [TypeKind::Int(8), TypeKind::Int(128)];
        assert_eq!(layout(X86_64, false, &fields), (24, 8, vec![0, 8]));
        assert_eq!(layout(&format!("{X86_64}-i128:128"), false, &fields), (32, 16, vec![0, 16]));
        let fields = [TypeKind::Int(1), TypeKind::Float(FloatKind::X86Fp80)];
        assert_eq!(layout(X86_64, false, &fields), (32, 16, vec![0, 16]));
        assert_eq!(layout(I386, false, &fields), (16, 4, vec![0, 4]));
    }

    #[test]
    fn address_spaces_and_byte_order_are_read() {
        let data = DataLayout::parse("E-p:32:32-p1:64:64:64:32-A5-G1-P2");
        assert_eq!((data.endian, data.pointer_bits()), (Endian::Big, 32));
        assert_eq!(data.pointer(1), PointerLayout { bits: 64, index_bits: 32, align: 8 });
        assert_eq!(data.pointer(7).bits, 32);
        assert_eq!((data.alloca_space, data.global_space, data.program_space), (5, 1, 2));
    }
}
