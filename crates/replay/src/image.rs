//! Memory images: the bytes of one object, taken out of the map that a run has for memory.
//!
//! **Idea.** A memory is a map from objects and offsets to cells, with a default for all others. The cells of an object stand one
//! after the other in the map, so they are taken out once, as bytes in the order of their offsets. A byte is then found by binary
//! search, and what is zero behind the last cell of a large object is never looked at.
//!
//! Example: `int a[1000000]` of which only `a[3] = 7` is known is one cell, and the writer of initialisers stops after four elements.
//!
//! **Direction of error.** None.

use footpath_frontend::c::PointerShape;
use footpath_term::Value;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// The bytes of an object.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    /// Offsets and bytes of the cells that differ from the fill, by offset.
    cells: Vec<(u64, Vec<u8>)>,
    /// The bytes of all other cells; zero where there are none.
    fill: Vec<u8>,
    /// Bytes of a cell.
    grain: u64,
}

impl Image {
    /// The object of this number in a memory with cells of `grain` bytes; zero everywhere without a map.
    pub(crate) fn new(map: Option<&Value>, grain: u64, shape: PointerShape, number: u32) -> Image {
        let Some(Value::Map(map)) = map else { return Image { cells: Vec::new(), fill: Vec::new(), grain } };
        let object = |number: u64| vec![Value::BitVec { width: shape.object, bits: BigUint::from(number) }];
        let range = object(u64::from(number))..object(u64::from(number) + 1);
        let cell = |(index, value): (&Vec<Value>, &Value)| match index.as_slice() {
            [_, Value::BitVec { bits, .. }] => Some((bits.to_u64()?, bytes(value))),
            _ => None,
        };
        Image { cells: map.entries.range(range).filter_map(cell).collect(), fill: bytes(&map.default), grain }
    }

    /// The byte at an offset.
    pub(crate) fn byte(&self, offset: u64) -> u8 {
        let at = offset / self.grain * self.grain;
        let cell = match self.cells.binary_search_by_key(&at, |(at, _)| *at) {
            Ok(found) => &self.cells[found].1,
            Err(_) => &self.fill,
        };
        cell.get((offset - at) as usize).copied().unwrap_or(0)
    }

    /// The number in `bytes` bytes, 16 at most, from an offset on, in little-endian order.
    pub(crate) fn number_at(&self, offset: u64, bytes: u64) -> u128 {
        (0..bytes.min(16)).fold(0, |n, i| n | u128::from(self.byte(offset + i)) << (8 * i))
    }

    /// Where only zeros are left of the `size` bytes from an offset on: not before the end of the last cell there that is not zero.
    pub(crate) fn end(&self, offset: u64, size: u64) -> u64 {
        let all = offset.saturating_add(size);
        if self.fill.iter().any(|&byte| byte != 0) {
            return all;
        }
        let below = self.cells.partition_point(|(at, _)| *at < all);
        let last = self.cells[..below].iter().rfind(|(_, bytes)| bytes.iter().any(|&byte| byte != 0));
        last.map_or(offset, |(at, _)| (at + self.grain).clamp(offset, all))
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    match value {
        Value::BitVec { bits, .. } => bits.to_bytes_le(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use footpath_term::{MapValue, Terms};

    use super::*;

    fn number(width: u32, bits: u64) -> Value {
        Value::BitVec { width, bits: BigUint::from(bits) }
    }

    #[test]
    fn an_image_has_the_cells_of_its_object_and_ends_behind_the_last_that_is_not_zero() {
        let shape = PointerShape { bits: 64, object: 16, offset: 48 };
        let mut terms = Terms::new();
        let (object, offset, cell) = (terms.bit_vec_sort(16), terms.bit_vec_sort(48), terms.bit_vec_sort(32));
        let sort = terms.map_sort(vec![object, offset], cell);
        let mut map = MapValue::constant(sort, number(32, 0));
        for (object, at, cell) in [(1, 0, 9), (2, 4, 0x0102_0304), (2, 400, 0), (3, 8, 7)] {
            map.entries.insert(vec![number(16, object), number(48, at)], number(32, cell));
        }
        let of =
            |map: &MapValue, object| Image::new(Some(&Value::Map(Arc::new(map.clone()))), 4, shape, object);
        let image = of(&map, 2);
        assert_eq!([3, 4, 5, 7, 8].map(|at| image.byte(at)), [0, 4, 3, 1, 0]);
        assert_eq!((image.number_at(4, 4), image.number_at(6, 4)), (0x0102_0304, 0x0102));
        assert_eq!((image.end(0, 1000), image.end(0, 6), image.end(8, 1000), image.end(0, 4)), (8, 6, 8, 0));
        assert_eq!((of(&map, 4).end(0, 100), of(&map, 4).byte(5)), (0, 0));
        map.default = number(32, 0xff00);
        assert_eq!((of(&map, 2).end(0, 1000), of(&map, 2).byte(9), of(&map, 2).byte(10)), (1000, 0xff, 0));
        assert_eq!((Image::new(None, 1, shape, 2).end(3, 9), Image::new(None, 1, shape, 2).byte(3)), (3, 0));
    }
}
