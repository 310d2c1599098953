//! Sort checking of operators: which argument sorts they take, and which sort they give.
//!
//! `Terms::result_sort` trusts its caller and panics. The check here is for untrusted terms: it does not panic, and
//! it needs no mutable arena.

use crate::{Op, Sort, SortId, Terms};

/// A message about why sorts do not fit an operator.
pub type Misfit = &'static str;

impl Terms {
    /// Whether an operator takes arguments of these sorts and gives `result`; `None` if the operator alone does not
    /// determine it: literals, variables, applications, binders, and access to maps, which may be polymorphic.
    pub fn fits(&self, op: &Op, args: &[SortId], result: SortId) -> Option<Result<(), Misfit>> {
        let checked = match op {
            Op::Literal(_) | Op::Var(_) | Op::Apply(_) | Op::Bind(_) | Op::Select | Op::Store => return None,
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Eq | Op::Distinct | Op::Ite | Op::Subtype => {
                self.logic_fits(op, args, result)
            }
            Op::Neg
            | Op::Add
            | Op::Sub
            | Op::Mul
            | Op::IntDiv
            | Op::Mod
            | Op::RealDiv
            | Op::Pow
            | Op::Le
            | Op::Lt
            | Op::Ge
            | Op::Gt
            | Op::ToReal
            | Op::ToInt => self.arithmetic_fits(op, args, result),
            Op::ConstMap => self.constant_map_fits(args, result),
            _ => self.bits_fit(op, args, result),
        };
        Some(checked)
    }

    fn logic_fits(&self, op: &Op, args: &[SortId], result: SortId) -> Result<(), Misfit> {
        match op {
            Op::Not => count(args, 1)?,
            Op::Implies | Op::Eq | Op::Subtype => count(args, 2)?,
            Op::Ite => count(args, 3)?,
            _ => {}
        }
        match op {
            Op::Eq => require(
                same(args) || args.iter().any(|&s| self.has_type_vars(s)),
                "sides of different sorts",
            )?,
            Op::Distinct | Op::Subtype => require(same(args), "arguments of different sorts")?,
            Op::Ite => {
                let fits = args[0] == SortId::BOOL && args[1] == args[2];
                require(fits, "a condition and two of one sort expected")?;
                return gives(result, args[1]);
            }
            _ => require(args.iter().all(|&s| s == SortId::BOOL), "booleans expected")?,
        }
        gives(result, SortId::BOOL)
    }

    fn arithmetic_fits(&self, op: &Op, args: &[SortId], result: SortId) -> Result<(), Misfit> {
        let number = |s: SortId| matches!(self.sort_of(s), Sort::Int | Sort::Real | Sort::Float { .. });
        match op {
            Op::ToReal => {
                require(args == [SortId::INT], "an integer expected")?;
                return gives(result, SortId::REAL);
            }
            Op::ToInt => {
                require(args == [SortId::REAL], "a real expected")?;
                return gives(result, SortId::INT);
            }
            Op::Neg => count(args, 1)?,
            Op::Add | Op::Sub | Op::Mul => require(!args.is_empty(), "an argument expected")?,
            _ => count(args, 2)?,
        }
        require(same(args) && number(args[0]), "numbers of one sort expected")?;
        match op {
            Op::IntDiv | Op::Mod => require(args[0] == SortId::INT, "integers expected")?,
            Op::RealDiv | Op::Pow => require(args[0] != SortId::INT, "reals expected")?,
            _ => {}
        }
        let compares = matches!(op, Op::Le | Op::Lt | Op::Ge | Op::Gt);
        gives(result, if compares { SortId::BOOL } else { args[0] })
    }

    fn constant_map_fits(&self, args: &[SortId], result: SortId) -> Result<(), Misfit> {
        count(args, 1)?;
        match self.sort_of(result) {
            Sort::Map { params: 0, range, .. } => require(*range == args[0], "an element of another sort"),
            _ => Err("a map without type parameters expected"),
        }
    }

    fn bits_fit(&self, op: &Op, args: &[SortId], result: SortId) -> Result<(), Misfit> {
        let own = self.width(result);
        if let Op::IntToBv(n) = op {
            require(args == [SortId::INT], "an integer expected")?;
            return require(own == Some(*n), "another width expected");
        }
        let widths: Option<Vec<u32>> = args.iter().map(|&s| self.width(s)).collect();
        let widths = widths.ok_or("bit-vectors expected")?;
        if *op == Op::Concat {
            let sum = widths.iter().try_fold(0, |sum: u32, &w| sum.checked_add(w));
            return require(sum.is_some() && sum == own, "bit-vectors of other widths expected");
        }
        let unary = matches!(
            op,
            Op::BvNot
                | Op::BvNeg
                | Op::RotateLeft(_)
                | Op::RotateRight(_)
                | Op::Extract(..)
                | Op::ZeroExtend(_)
                | Op::SignExtend(_)
                | Op::BvToInt
        );
        count(args, if unary { 1 } else { 2 })?;
        require(same(args), "bit-vectors of one width expected")?;
        match op {
            Op::Extract(high, low) => {
                let there = low <= high && *high < widths[0];
                require(there && own == Some(high - low + 1), "bits that are not there")
            }
            Op::ZeroExtend(n) | Op::SignExtend(n) => {
                let wider = widths[0].checked_add(*n);
                require(wider.is_some() && own == wider, "an extension to another width")
            }
            Op::BvToInt => gives(result, SortId::INT),
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => gives(result, SortId::BOOL),
            _ => gives(result, args[0]),
        }
    }
}

fn count(args: &[SortId], n: usize) -> Result<(), Misfit> {
    const WANTED: [Misfit; 4] = [
        "no argument expected",
        "one argument expected",
        "two arguments expected",
        "three arguments expected",
    ];
    require(args.len() == n, WANTED[n])
}

fn same(args: &[SortId]) -> bool {
    args.windows(2).all(|pair| pair[0] == pair[1])
}

fn require(holds: bool, what: Misfit) -> Result<(), Misfit> {
    if holds { Ok(()) } else { Err(what) }
}

fn gives(result: SortId, wanted: SortId) -> Result<(), Misfit> {
    require(result == wanted, "the sort is not what the operator gives")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether an operator fits sorts, given by their names, the last one for the result.
    fn fits(op: &Op, sorts: &str) -> bool {
        let mut terms = Terms::new();
        let map = terms.map_sort(vec![SortId::INT], SortId::BOOL);
        let mut all: Vec<SortId> = Vec::new();
        for name in sorts.split_whitespace() {
            all.push(match name {
                "bool" => SortId::BOOL,
                "int" => SortId::INT,
                "real" => SortId::REAL,
                "map" => map,
                bits => terms.bit_vec_sort(bits.trim_start_matches("bv").parse().expect("a width")),
            });
        }
        let result = all.pop().expect("a result");
        terms.fits(op, &all, result).expect("the operator says").is_ok()
    }

    #[test]
    fn what_fits_is_taken_and_what_does_not_is_not() {
        for (op, good, bad) in [
            (Op::Not, "bool bool", ["bool bool bool", "int bool"]),
            (Op::And, "bool bool bool bool", ["bool int bool", "bool bool int"]),
            (Op::Implies, "bool bool bool", ["bool bool", "bool bool int"]),
            (Op::Eq, "map map bool", ["map int bool", "int int int"]),
            (Op::Ite, "bool map map map", ["bool map int map", "int map map map"]),
            (Op::Add, "real real real", ["real int real", "bv8 bv8 bv8"]),
            (Op::Mod, "int int int", ["real real real", "int int"]),
            (Op::RealDiv, "real real real", ["int int int", "int int real"]),
            (Op::Le, "int int bool", ["int int int", "int bool"]),
            (Op::ToInt, "real int", ["int int", "real real"]),
            (Op::BvAdd, "bv8 bv8 bv8", ["bv8 bv9 bv8", "bv8 bv8"]),
            (Op::BvSlt, "bv8 bv8 bool", ["bv8 bv8 bv8", "int int bool"]),
            (Op::BvNot, "bv8 bv8", ["bv8 bv8 bv8", "bv8 bv9"]),
            (Op::Concat, "bv8 bv4 bv12", ["bv8 bv4 bv8", "bv8 int bv8"]),
            (Op::Extract(7, 4), "bv8 bv4", ["bv4 bv4", "bv8 bv5"]),
            (Op::ZeroExtend(8), "bv8 bv16", ["bv8 bv8", "bv8 bv8 bv16"]),
            (Op::SignExtend(u32::MAX), "bv0 bv4294967295", ["bv8 bv7", "bv8 bv8"]),
            (Op::BvToInt, "bv8 int", ["bv8 bv8", "int int"]),
            (Op::IntToBv(8), "int bv8", ["int bv9", "bv8 bv8"]),
            (Op::ConstMap, "bool map", ["int map", "bool bool"]),
        ] {
            assert!(fits(&op, good), "{op:?} {good}");
            for bad in bad {
                assert!(!fits(&op, bad), "{op:?} {bad}");
            }
        }
    }

    #[test]
    fn the_operator_alone_does_not_say_what_maps_give() {
        assert_eq!(Terms::new().fits(&Op::Select, &[SortId::INT], SortId::INT), None);
    }
}
