//! Linear inequalities over integers, and Fourier-Motzkin elimination to decide whether they contradict each other.
//!
//! **Idea.** A fact is a row `Σ aᵢ·xᵢ + c ≤ 0` over unbounded integers. To find out whether rows contradict each
//! other, one unknown after the other is eliminated: each of its upper bounds is combined with each of its lower
//! bounds (Fourier, 1826; Motzkin, 1936). If a row without unknowns such as `1 ≤ 0` appears, the rows have no
//! solution. Rows are divided by the greatest common divisor of their coefficients, and the constant is rounded
//! towards the integers, so that `4i ≤ 4n − 1` becomes `i ≤ n − 1` (cuts: Gomory, 1958; Chvátal, 1973).
//!
//! **Example.** From `i ≤ n − 1`, `n ≤ 5` and `5 ≤ i`, eliminating `n` leaves `i ≤ 4` and `5 ≤ i`; eliminating `i`
//! leaves `1 ≤ 0`, a contradiction.
//!
//! **Direction of error.** A contradiction that is reported is one. A contradiction may be missed: elimination is
//! exact over the rationals only, and it gives up when there are too many rows.

use std::collections::BTreeMap;

use footpath_term::TermId;
use rustc_hash::FxHashMap;

use crate::range::{fits, gcd};

/// How a term is read as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reading {
    /// A boolean: 0 or 1.
    Bool,
    /// An integer is itself.
    Int,
    /// A bit-vector of so many bits, in two's complement.
    Signed(u32),
    /// A bit-vector of so many bits, not negative.
    Unsigned(u32),
    /// A floating-point number of so many bits, or a bit-vector that is one, by its rank among numbers (`float.rs`).
    Rank(u32),
}

/// An unknown integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Dim {
    /// The value of a term over the program's variables in the current state, in one reading.
    Term(TermId, Reading),
    /// A temporary name for a value that is being assigned to a variable.
    Temp(u32),
}

/// A linear expression `Σ aᵢ·xᵢ + c`; the unknowns are sorted, and no coefficient is 0.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Linear {
    /// Unknowns with their coefficients.
    pub parts: Vec<(Dim, i128)>,
    /// The constant.
    pub constant: i128,
}

impl Linear {
    /// The expression that is a constant.
    pub fn constant(constant: i128) -> Linear {
        Linear { parts: Vec::new(), constant }
    }

    /// The expression that is one unknown.
    pub fn dim(dim: Dim) -> Linear {
        Linear { parts: vec![(dim, 1)], constant: 0 }
    }

    /// The coefficient of an unknown.
    pub fn coefficient(&self, dim: Dim) -> i128 {
        self.parts.binary_search_by_key(&dim, |p| p.0).map_or(0, |i| self.parts[i].1)
    }

    /// The value, if the expression is a constant.
    pub fn as_constant(&self) -> Option<i128> {
        self.parts.is_empty().then_some(self.constant)
    }

    /// `self + k·other`; `None` if a coefficient would be too large.
    pub fn plus(&self, k: i128, other: &Linear) -> Option<Linear> {
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let (mut a, mut b) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        loop {
            let next = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(x), Some(y)) if x.0 == y.0 => {
                    let part = (x.0, fits(x.1.checked_add(y.1.checked_mul(k)?)?)?);
                    a.next();
                    b.next();
                    part
                }
                (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                    let part = **x;
                    a.next();
                    part
                }
                (_, Some(y)) => {
                    let part = (y.0, fits(y.1.checked_mul(k)?)?);
                    b.next();
                    part
                }
                (Some(_), None) => unreachable!("the case before has taken it"),
            };
            if next.1 != 0 {
                parts.push(next);
            }
        }
        let constant = fits(self.constant.checked_add(other.constant.checked_mul(k)?)?)?;
        Some(Linear { parts, constant })
    }

    /// `k·self`.
    pub fn scale(&self, k: i128) -> Option<Linear> {
        Linear::constant(0).plus(k, self)
    }

    /// `self + n`.
    pub fn offset(&self, n: i128) -> Option<Linear> {
        Some(Linear { constant: fits(self.constant.checked_add(n)?)?, parts: self.parts.clone() })
    }

    /// The negation of `self ≤ 0` over the integers: `1 − self ≤ 0`.
    pub fn opposite(&self) -> Option<Linear> {
        Linear::constant(1).plus(-1, self)
    }

    /// The row `self ≤ 0` with coefficients as small as they can be.
    pub fn tightened(mut self) -> Linear {
        let g = self.parts.iter().fold(0, |g, p| gcd(g, p.1));
        if g > 1 {
            for p in &mut self.parts {
                p.1 /= g;
            }
            // Σ ≤ −c/g, rounded down.
            self.constant = -(-self.constant).div_euclid(g);
        }
        self
    }

    /// Whether rounding makes `self ≤ 0` stronger over the integers than over the rationals.
    fn rounds(&self) -> bool {
        let g = self.parts.iter().fold(0, |g, p| gcd(g, p.1));
        g > 1 && self.constant.rem_euclid(g) != 0
    }

    /// `self` with `value` substituted for an unknown.
    pub fn with(&self, dim: Dim, value: &Linear) -> Option<Linear> {
        let k = self.coefficient(dim);
        if k == 0 {
            return Some(self.clone());
        }
        self.plus(-k, &Linear::dim(dim))?.plus(k, value)
    }
}

/// The limit on rows above which elimination gives up.
const MAX_ROWS: usize = 250;

/// A set of rows `e ≤ 0`, of rows that differ in the constant only the strongest.
#[derive(Clone, Default, Debug)]
pub struct Rows {
    /// The constants, by the parts before them.
    by_parts: FxHashMap<Vec<(Dim, i128)>, i128>,
    contradiction: bool,
}

impl Rows {
    /// Adds a row.
    pub fn add(&mut self, row: Linear) {
        let row = row.tightened();
        if row.parts.is_empty() {
            self.contradiction |= row.constant > 0;
            return;
        }
        let constant = self.by_parts.entry(row.parts).or_insert(row.constant);
        *constant = row.constant.max(*constant);
    }

    /// Adds a row, and its sums with other rows that rounding makes stronger over the integers. Elimination may find
    /// these itself, but not if it removes another unknown first: that `4m + 3 ≥ s` and `s ≥ 4n` imply `m ≥ n` is
    /// lost if `m` is eliminated before `s`.
    pub fn add_with_cuts(&mut self, row: Linear) {
        let sums = self.by_parts.iter().filter_map(|(parts, constant)| {
            let other = Linear { parts: parts.clone(), constant: *constant };
            row.plus(1, &other).filter(Linear::rounds)
        });
        let cuts: Vec<Linear> = sums.collect();
        cuts.into_iter().for_each(|cut| self.add(cut));
        self.add(row);
    }

    /// The rows.
    pub fn into_rows(self) -> impl Iterator<Item = Linear> {
        self.by_parts.into_iter().map(|(parts, constant)| Linear { parts, constant })
    }

    /// Whether no integers satisfy all rows; `false` if that was not found out.
    pub fn contradict(mut self) -> bool {
        loop {
            if self.contradiction {
                return true;
            }
            if self.by_parts.len() > MAX_ROWS {
                return false;
            }
            let Some(dim) = self.cheapest() else { return false };
            self = self.without(dim, MAX_ROWS * 8);
        }
    }

    /// The unknown whose elimination adds fewest rows.
    fn cheapest(&self) -> Option<Dim> {
        let mut counts: BTreeMap<Dim, (usize, usize)> = BTreeMap::new();
        for (dim, k) in self.by_parts.keys().flatten() {
            let count = counts.entry(*dim).or_default();
            *(if *k > 0 { &mut count.0 } else { &mut count.1 }) += 1;
        }
        counts.into_iter().min_by_key(|(_, (p, n))| (p * n) as i64 - (p + n) as i64).map(|(d, _)| d)
    }

    /// The projection on the other unknowns: what follows for them; less than that if there were more than `limit`
    /// new rows.
    pub fn without(self, dim: Dim, limit: usize) -> Rows {
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        let mut rest = Rows { by_parts: FxHashMap::default(), contradiction: self.contradiction };
        for row in self.into_rows() {
            match row.coefficient(dim) {
                0 => rest.add(row),
                k if k > 0 => upper.push((k, row)),
                k => lower.push((-k, row)),
            }
        }
        // An equality says what the unknown is: the other rows follow from it and from themselves.
        let equal = upper.iter().find_map(|(k, row)| {
            let twin = lower.iter().find(|(l, other)| {
                l == k && row.plus(1, other).is_some_and(|sum| sum.parts.is_empty() && sum.constant == 0)
            })?;
            Some((*k, row.clone(), twin.1.clone()))
        });
        if let Some((k, up, down)) = equal {
            for (l, row) in upper {
                combine(&mut rest, k, &row, l, &down);
            }
            for (l, row) in lower {
                combine(&mut rest, k, &row, l, &up);
            }
            return rest;
        }
        if upper.len() * lower.len() <= limit {
            for (k, up) in &upper {
                for (l, low) in &lower {
                    combine(&mut rest, *l, up, *k, low);
                }
            }
        }
        rest
    }
}

/// Adds `k·a + l·b`.
fn combine(rows: &mut Rows, k: i128, a: &Linear, l: i128, b: &Linear) {
    let g = gcd(k, l).max(1);
    if let Some(sum) = a.scale(k / g).and_then(|a| a.plus(l / g, b)) {
        rows.add(sum);
    }
}
