//! Operators: the heads of terms.
//!
//! The names and meanings are SMT-LIB's. Division and remainder of integers are Euclidean (`div`, `mod`); division by
//! zero is *some* total function, left to the model. `And`, `Or`, `Add`, `Mul`, `Distinct` take any number of
//! arguments.

use std::sync::Arc;

use crate::{FuncId, SymbolId, TypeVarId, Value};

/// The head of a term: an operator, literal, variable, function or binder.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A constant.
    Literal(Value),
    /// A free or bound variable.
    Var(SymbolId),
    /// A function of the program, a datatype's constructor, selector or tester, or a solver's builtin.
    Apply(FuncId),
    /// Forall, exists, lambda. The first argument is the body, the triggers follow.
    Bind(Arc<Binder>),

    /// Logical negation.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Implication.
    Implies,
    /// Equality; on booleans, equivalence. The sides may be of different sorts if one mentions a type variable;
    /// it is false under instantiations that leave the sorts different.
    Eq,
    /// All arguments differ from each other.
    Distinct,
    /// `if c then a else b`.
    Ite,

    /// Arithmetic negation.
    Neg,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Euclidean quotient.
    IntDiv,
    /// Euclidean remainder.
    Mod,
    /// Quotient of reals.
    RealDiv,
    /// Power of reals, as Boogie's `**`.
    Pow,
    /// At most.
    Le,
    /// Less than.
    Lt,
    /// At least; the simplifier writes it as [`Op::Le`].
    Ge,
    /// Greater than; the simplifier writes it as [`Op::Lt`].
    Gt,
    /// From `int` to `real`.
    ToReal,
    /// From `real` to `int`, rounding down.
    ToInt,

    /// Bitwise complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Sum modulo 2ⁿ.
    BvAdd,
    /// Difference modulo 2ⁿ.
    BvSub,
    /// Product modulo 2ⁿ.
    BvMul,
    /// Unsigned quotient; all ones for division by zero.
    BvUdiv,
    /// Unsigned remainder; the dividend for division by zero.
    BvUrem,
    /// Signed quotient, rounding towards zero.
    BvSdiv,
    /// Signed remainder with the dividend's sign.
    BvSrem,
    /// Signed remainder with the divisor's sign.
    BvSmod,
    /// Shift left.
    BvShl,
    /// Shift right, filling with zeros.
    BvLshr,
    /// Shift right, filling with the sign.
    BvAshr,
    /// Unsigned less than.
    BvUlt,
    /// Unsigned at most.
    BvUle,
    /// Signed less than.
    BvSlt,
    /// Signed at most.
    BvSle,
    /// The first argument becomes the high bits.
    Concat,
    /// Bits `hi..=lo`; Boogie writes `x[hi+1:lo]`.
    Extract(u32, u32),
    /// Extension by this many zero bits on the left.
    ZeroExtend(u32),
    /// Extension by this many copies of the sign bit on the left.
    SignExtend(u32),
    /// Rotation to the left.
    RotateLeft(u32),
    /// Rotation to the right.
    RotateRight(u32),
    /// The `int` that a bit-vector is as an unsigned number.
    BvToInt,
    /// The bit-vector of an `int` modulo 2ⁿ.
    IntToBv(u32),

    /// The element of a map (first argument) at the indices (the others).
    Select,
    /// A map, the indices, the new element.
    Store,
    /// The map with the same element everywhere; its sort is the term's.
    ConstMap,

    /// The partial order `<:` of Boogie.
    Subtype,
}

/// The kind of a binder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinderKind {
    /// For all values of the variables.
    Forall,
    /// For some values of the variables.
    Exists,
    /// The map from the variables to the body.
    Lambda,
}

/// The binding part of a quantifier or lambda. Bound symbols are unique to their binder: no other binder
/// of the arena binds the same symbol, unless it is the same binder.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binder {
    /// Which binder.
    pub kind: BinderKind,
    /// Bound type variables.
    pub type_vars: Vec<TypeVarId>,
    /// Bound variables.
    pub vars: Vec<SymbolId>,
    /// How many terms each trigger (multi-pattern) has; the terms themselves are arguments after the body.
    pub triggers: Vec<u32>,
    /// How many of the last arguments are `{:nopats}` terms, after the triggers.
    pub nopats: u32,
    /// A solver's weight, if the source gave one.
    pub weight: Option<u32>,
}

macro_rules! plain_operators {
    ($($op:ident => $name:literal),* $(,)?) => {
        /// Operators without parameters, with their SMT-LIB names.
        const PLAIN: &[(Op, &str)] = &[$((Op::$op, $name)),*];

        impl Op {
            /// The name in SMT-LIB, for operators that have one without parameters.
            pub fn smt_name(&self) -> Option<&'static str> {
                match self {
                    $(Op::$op => Some($name),)*
                    _ => None,
                }
            }
        }
    };
}

plain_operators! {
    Not => "not", And => "and", Or => "or", Implies => "=>", Eq => "=", Distinct => "distinct", Ite => "ite",
    Add => "+", Sub => "-", Mul => "*", IntDiv => "div", Mod => "mod", RealDiv => "/",
    Le => "<=", Lt => "<", Ge => ">=", Gt => ">", ToReal => "to_real", ToInt => "to_int",
    BvNot => "bvnot", BvNeg => "bvneg", BvAnd => "bvand", BvOr => "bvor", BvXor => "bvxor",
    BvAdd => "bvadd", BvSub => "bvsub", BvMul => "bvmul", BvUdiv => "bvudiv", BvUrem => "bvurem",
    BvSdiv => "bvsdiv", BvSrem => "bvsrem", BvSmod => "bvsmod",
    BvShl => "bvshl", BvLshr => "bvlshr", BvAshr => "bvashr",
    BvUlt => "bvult", BvUle => "bvule", BvSlt => "bvslt", BvSle => "bvsle",
    Concat => "concat", BvToInt => "bv2nat",
}

impl Op {
    /// The operator behind a name such as `bvadd` or `(_ zero_extend 8)`, as `{:bvbuiltin}` gives it.
    pub fn from_smt_name(name: &str) -> Option<Op> {
        let name = name.trim();
        if let Some((op, _)) = PLAIN.iter().find(|(_, n)| *n == name) {
            return Some(op.clone());
        }
        if matches!(name, "bv2int" | "ubv_to_int") {
            return Some(Op::BvToInt);
        }
        // Indexed operators come as `(_ zero_extend 8)`, or without parentheses and underscore.
        let inner = name.strip_prefix('(').and_then(|n| n.strip_suffix(')')).unwrap_or(name);
        let mut words = inner.split_whitespace().filter(|w| *w != "_");
        let (head, first) = (words.next()?, words.next()?.parse().ok()?);
        match (head, words.next().map(str::parse::<u32>)) {
            ("extract", Some(Ok(low))) if low <= first => Some(Op::Extract(first, low)),
            ("zero_extend", None) => Some(Op::ZeroExtend(first)),
            ("sign_extend", None) => Some(Op::SignExtend(first)),
            ("rotate_left", None) => Some(Op::RotateLeft(first)),
            ("rotate_right", None) => Some(Op::RotateRight(first)),
            ("int2bv" | "int_to_bv", None) => Some(Op::IntToBv(first)),
            _ => None,
        }
    }

    /// Whether the order of the arguments does not matter.
    pub fn is_commutative(&self) -> bool {
        matches!(
            self,
            Op::And
                | Op::Or
                | Op::Eq
                | Op::Distinct
                | Op::Add
                | Op::Mul
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plain_name_reads_back_as_its_operator() {
        for (op, name) in PLAIN {
            assert_eq!(Op::from_smt_name(name).as_ref(), Some(op));
            assert_eq!(op.smt_name(), Some(*name));
        }
    }

    #[test]
    fn indexed_names_are_read_in_both_spellings() {
        assert_eq!(Op::from_smt_name("(_ zero_extend 8)"), Some(Op::ZeroExtend(8)));
        assert_eq!(Op::from_smt_name("sign_extend 16"), Some(Op::SignExtend(16)));
        assert_eq!(Op::from_smt_name("(_ extract 7 0)"), Some(Op::Extract(7, 0)));
        assert_eq!(Op::from_smt_name("fp.add"), None);
    }
}
