//! Linear algebra modulo 2ⁿ: spans of rows in Howell form.
//!
//! **Idea.** Rows are kept in echelon form, with pivots that are powers of two. If a pivot is even, the multiple of
//! its row that makes the pivot zero is in the span as well, and is kept, too. Then a row is in the span if and only
//! if it reduces to zero, and the rows of the span that begin with zeros are spanned by the kept rows that begin with
//! zeros.
//!
//! Example: modulo 4, the row (2, 1) has the multiple 2·(2, 1) = (0, 2), which is kept; so (0, 2) is found to be in
//! the span, which echelon form over a field would miss.
//!
//! **Papers.** J. A. Howell, "Spans in the module (Z_m)^s" (Linear and Multilinear Algebra 19, 1986); as used by M.
//! Müller-Olm and H. Seidl, "Analysis of modular arithmetic" (TOPLAS 2007).
//!
//! **Direction of error.** None that is known.

/// A row: its entries that are not zero, each with its column, in the order of columns.
pub(crate) type Row = Vec<(usize, u64)>;

/// A span of rows over the numbers modulo 2ⁿ.
pub(crate) struct Module {
    width: u32,
    /// For each of the columns that count, the row that begins there.
    rows: Vec<Option<Row>>,
}

impl Module {
    /// The empty span, of rows of which `columns` columns count, modulo 2 to the `width`. What stands behind these columns is
    /// carried along.
    pub(crate) fn new(width: u32, columns: usize) -> Module {
        Module { width, rows: vec![None; columns] }
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// Adds a row; those made of it that have zeros in all columns that count.
    pub(crate) fn insert(&mut self, row: Row) -> Vec<Row> {
        let (mask, mut todo, mut rest) = (self.mask(), vec![row], Vec::new());
        while let Some(mut row) = todo.pop() {
            while let Some(&(at, first)) = row.first() {
                if at >= self.rows.len() {
                    rest.push(row);
                    break;
                }
                let twos = first.trailing_zeros();
                match &self.rows[at] {
                    Some(pivot) if pivot[0].1.trailing_zeros() <= twos => {
                        row = without_first(&row, pivot, mask);
                        continue;
                    }
                    _ => {}
                }
                let inverse = inverse(first >> twos);
                row.iter_mut().for_each(|(_, x)| *x = x.wrapping_mul(inverse) & mask);
                if twos > 0 {
                    let shift = self.width - twos;
                    let multiple = row.iter().map(|&(at, x)| (at, (x << shift) & mask));
                    todo.push(multiple.filter(|(_, x)| *x != 0).collect());
                }
                match self.rows[at].replace(row) {
                    Some(old) => row = old,
                    None => break,
                }
            }
        }
        rest
    }

    /// Whether a row is in the span.
    pub(crate) fn contains(&self, mut row: Row) -> bool {
        while let Some(&(at, first)) = row.first() {
            match self.rows.get(at) {
                Some(Some(pivot)) if pivot[0].1.trailing_zeros() <= first.trailing_zeros() => {
                    row = without_first(&row, pivot, self.mask());
                }
                _ => return false,
            }
        }
        true
    }

    /// The rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().flatten()
    }

    /// The row that begins in the last column.
    pub(crate) fn last(&self) -> Option<&Row> {
        self.rows.last().and_then(Option::as_ref)
    }
}

/// A row minus the multiple of another one that begins in the same column, with a power of two that divides the first entry, so that
/// it begins later.
fn without_first(row: &[(usize, u64)], pivot: &[(usize, u64)], mask: u64) -> Row {
    let factor = row[0].1 >> pivot[0].1.trailing_zeros();
    let mut difference = Vec::with_capacity(row.len() + pivot.len());
    let (mut row, mut pivot) = (&row[1..], &pivot[1..]);
    loop {
        let ahead = |some: &[(usize, u64)]| some.first().map_or(usize::MAX, |(at, _)| *at);
        let at = ahead(row).min(ahead(pivot));
        if at == usize::MAX {
            return difference;
        }
        let take = |some: &mut &[(usize, u64)]| match some.split_first() {
            Some((&(there, x), rest)) if there == at => {
                *some = rest;
                x
            }
            _ => 0,
        };
        let x = take(&mut row);
        let x = x.wrapping_sub(take(&mut pivot).wrapping_mul(factor)) & mask;
        if x != 0 {
            difference.push((at, x));
        }
    }
}

/// The inverse of an odd number modulo 2⁶⁴: each step doubles the bits that are right (Newton).
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(entries: &[u64]) -> Row {
        entries.iter().copied().enumerate().filter(|(_, x)| *x != 0).collect()
    }

    /// All combinations of rows modulo 2^width.
    fn span(rows: &[Vec<u64>], width: u32) -> std::collections::BTreeSet<Vec<u64>> {
        let mask = (1u64 << width) - 1;
        let mut all = std::collections::BTreeSet::from([vec![0; rows[0].len()]]);
        for row in rows {
            let before: Vec<Vec<u64>> = all.iter().cloned().collect();
            for k in 0..=mask {
                all.extend(
                    before
                        .iter()
                        .map(|b| b.iter().zip(row).map(|(b, r)| (b + k * r) & mask).collect::<Vec<u64>>()),
                );
            }
        }
        all
    }

    #[test]
    fn a_row_is_contained_if_it_is_a_combination() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let width = random.u32(1..=3);
            let number = |r: &mut fastrand::Rng| r.u64(..1 << width);
            let rows: Vec<Vec<u64>> =
                (0..random.usize(1..4)).map(|_| (0..3).map(|_| number(&mut random)).collect()).collect();
            let mut module = Module::new(width, 3);
            rows.iter().for_each(|r| assert!(module.insert(row(r)).is_empty()));
            let all = span(&rows, width);
            for n in 0..1u64 << (3 * width) {
                let entries: Vec<u64> = (0..3).map(|i| (n >> (i * width)) & ((1 << width) - 1)).collect();
                assert_eq!(
                    module.contains(row(&entries)),
                    all.contains(&entries),
                    "{rows:?} mod 2^{width}: {entries:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_left_of_rows_are_all_that_vanish_in_front() {
        let mut random = fastrand::Rng::with_seed(8);
        for _ in 0..200 {
            let width = random.u32(1..=2);
            let rows: Vec<Vec<u64>> =
                (0..3).map(|_| (0..4).map(|_| random.u64(..1 << width)).collect()).collect();
            let mut module = Module::new(width, 2);
            let mut rest = vec![vec![0; 4]];
            for left in rows.iter().flat_map(|r| module.insert(row(r))) {
                let mut entries = vec![0; 4];
                left.into_iter().for_each(|(at, x)| entries[at] = x);
                rest.push(entries);
            }
            let vanish: std::collections::BTreeSet<Vec<u64>> =
                span(&rows, width).into_iter().filter(|r| r[..2] == [0, 0]).collect();
            assert_eq!(span(&rest, width), vanish, "{rows:?} mod 2^{width}");
        }
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 0xdead_beef, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
