//! Functions of SMT-LIB's theories that are defined by others: `bvsge`, `bvnand`, `abs`, `(_ repeat 3)` …
//!
//! They have no operator in `footpath-term`. An application becomes the term that the standard defines it as:
//! `bvsge(a, b)` is `bvsle(b, a)`. So the solver, the interpreter and the analyser know them alike.
//! Definitions are those of SMT-LIB's theories `FixedSizeBitVectors`, `Core`, `Ints` and `Reals_Ints` and of the logic
//! `QF_BV`; the others are Z3's.
//!
//! **Direction of error.** None; what is not here stays a function that only a solver knows.

use footpath_term::{Op, Sort, SortId, TermId, Terms};
use num_bigint::BigInt;

/// A function that is defined by others, at sorts that it takes.
#[derive(Clone, Debug)]
pub(in crate::boogie) enum Derived {
    /// The operator with its two arguments exchanged.
    Exchanged(Op),
    /// The complement of what the operator on bit-vectors gives.
    Complement(Op),
    /// The operator, which the theory has under another name.
    Renamed(Op),
    /// Of two bit-vectors: one bit, whether they are equal.
    Equal,
    /// Of a bit-vector: one bit, whether some bit is set, or whether all are.
    Some,
    All,
    /// The absolute value of an integer.
    Abs,
    /// The remainder that has the divisor's sign turned around: Z3's `rem`.
    Rem,
    /// That a real is whole.
    IsInt,
    /// That a number divides an integer.
    Divisible(u32),
    /// Exclusive or of truth values.
    Xor,
    /// A bit-vector written down so many times.
    Repeat(u32),
    /// Rotation by as many bits as the second argument says.
    Rotate {
        left: bool,
    },
    /// The signed reading as an integer.
    SignedToInt,
    /// Whether the exact result of the operation on bit-vectors does not fit, signed or unsigned.
    Overflows {
        op: Op,
        signed: bool,
    },
    /// Whether the negation of a bit-vector does not fit.
    NegationOverflows,
    /// Whether the signed quotient does not fit.
    QuotientOverflows,
}

impl Derived {
    /// The function with this name, if it takes such arguments and gives such a result.
    pub(in crate::boogie) fn find(
        terms: &Terms,
        name: &str,
        params: &[SortId],
        result: SortId,
    ) -> Option<Derived> {
        let derived = Derived::named(name.trim())?;
        derived.fits(terms, params, result).then_some(derived)
    }

    fn named(name: &str) -> Option<Derived> {
        use Derived::{Complement, Exchanged, Overflows, Renamed};
        Some(match name {
            "bvugt" => Exchanged(Op::BvUlt),
            "bvuge" => Exchanged(Op::BvUle),
            "bvsgt" => Exchanged(Op::BvSlt),
            "bvsge" => Exchanged(Op::BvSle),
            "bvnand" => Complement(Op::BvAnd),
            "bvnor" => Complement(Op::BvOr),
            "bvxnor" => Complement(Op::BvXor),
            "bvcomp" => Derived::Equal,
            "bvredor" => Derived::Some,
            "bvredand" => Derived::All,
            "abs" => Derived::Abs,
            "rem" => Derived::Rem,
            "is_int" => Derived::IsInt,
            "xor" => Derived::Xor,
            "implies" => Renamed(Op::Implies),
            "iff" => Renamed(Op::Eq),
            "if" => Renamed(Op::Ite),
            "select" => Renamed(Op::Select),
            "store" => Renamed(Op::Store),
            "ext_rotate_left" => Derived::Rotate { left: true },
            "ext_rotate_right" => Derived::Rotate { left: false },
            "sbv_to_int" => Derived::SignedToInt,
            "bvnego" => Derived::NegationOverflows,
            "bvsdivo" => Derived::QuotientOverflows,
            "bvuaddo" => Overflows { op: Op::BvAdd, signed: false },
            "bvsaddo" => Overflows { op: Op::BvAdd, signed: true },
            "bvusubo" => Overflows { op: Op::BvSub, signed: false },
            "bvssubo" => Overflows { op: Op::BvSub, signed: true },
            "bvumulo" => Overflows { op: Op::BvMul, signed: false },
            "bvsmulo" => Overflows { op: Op::BvMul, signed: true },
            name => {
                let inner = name.strip_prefix('(').and_then(|n| n.strip_suffix(')')).unwrap_or(name);
                let words: Vec<&str> = inner.split_whitespace().filter(|w| *w != "_").collect();
                match words[..] {
                    ["repeat", n] => Derived::Repeat(n.parse().ok()?),
                    ["divisible", n] => Derived::Divisible(n.parse().ok()?),
                    _ => return None,
                }
            }
        })
    }

    fn fits(&self, terms: &Terms, params: &[SortId], result: SortId) -> bool {
        let width = |s: &SortId| terms.width(*s).filter(|&w| w > 0);
        let bits = |count: usize| {
            params.len() == count && params.iter().all(|p| width(p).is_some() && *p == params[0])
        };
        match self {
            Derived::Exchanged(_) | Derived::Overflows { .. } | Derived::QuotientOverflows => {
                bits(2) && result == SortId::BOOL
            }
            Derived::Complement(_) | Derived::Rotate { .. } => bits(2) && result == params[0],
            Derived::Equal => bits(2) && width(&result) == Some(1),
            Derived::Some | Derived::All => bits(1) && width(&result) == Some(1),
            Derived::NegationOverflows => bits(1) && result == SortId::BOOL,
            Derived::SignedToInt => bits(1) && result == SortId::INT,
            Derived::Abs => params == [SortId::INT] && result == SortId::INT,
            Derived::Rem => params == [SortId::INT; 2] && result == SortId::INT,
            Derived::IsInt => params == [SortId::REAL] && result == SortId::BOOL,
            Derived::Divisible(n) => *n > 0 && params == [SortId::INT] && result == SortId::BOOL,
            Derived::Xor => params == [SortId::BOOL; 2] && result == SortId::BOOL,
            Derived::Repeat(n) => {
                let total = params.first().and_then(width).and_then(|w| w.checked_mul(*n));
                bits(1) && *n > 0 && total.is_some() && width(&result) == total
            }
            Derived::Renamed(Op::Eq) => params == [SortId::BOOL; 2] && result == SortId::BOOL,
            Derived::Renamed(Op::Select) => element(terms, params)
                .is_some_and(|(domain, range)| domain == &params[1..] && range == result),
            Derived::Renamed(Op::Store) => element(terms, params).is_some_and(|(domain, range)| {
                let (last, indices) = params[1..].split_last().unwrap_or((&result, &[]));
                domain == indices && *last == range && result == params[0]
            }),
            Derived::Renamed(op) => terms.fits(op, params, result) == Some(Ok(())),
        }
    }

    /// What the function makes of these arguments.
    pub(in crate::boogie) fn apply(&self, terms: &mut Terms, args: &[TermId], result: SortId) -> TermId {
        match self {
            Derived::Exchanged(op) => terms.mk(op.clone(), [args[1], args[0]], result),
            Derived::Complement(op) => {
                let inner = terms.mk(op.clone(), args.iter().copied(), result);
                terms.mk(Op::BvNot, [inner], result)
            }
            Derived::Renamed(op) => terms.mk(op.clone(), args.iter().copied(), result),
            Derived::Equal => {
                let equal = terms.mk(Op::Eq, [args[0], args[1]], SortId::BOOL);
                bit(terms, equal, result)
            }
            Derived::Some => {
                let width = width(terms, args[0]);
                let zero = terms.bit_vec(width, 0);
                let none = terms.mk(Op::Eq, [args[0], zero], SortId::BOOL);
                let some = terms.mk(Op::Not, [none], SortId::BOOL);
                bit(terms, some, result)
            }
            Derived::All => {
                let width = width(terms, args[0]);
                let ones = terms.bit_vec(width, (BigInt::from(1) << width) - 1);
                let all = terms.mk(Op::Eq, [args[0], ones], SortId::BOOL);
                bit(terms, all, result)
            }
            Derived::Abs => {
                let negative = is_negative(terms, args[0]);
                let negated = terms.mk(Op::Neg, [args[0]], SortId::INT);
                terms.mk(Op::Ite, [negative, negated, args[0]], SortId::INT)
            }
            Derived::Rem => {
                let remainder = terms.mk(Op::Mod, [args[0], args[1]], SortId::INT);
                let negative = is_negative(terms, args[1]);
                let negated = terms.mk(Op::Neg, [remainder], SortId::INT);
                terms.mk(Op::Ite, [negative, negated, remainder], SortId::INT)
            }
            Derived::IsInt => {
                let floor = terms.mk(Op::ToInt, [args[0]], SortId::INT);
                let whole = terms.mk(Op::ToReal, [floor], SortId::REAL);
                terms.mk(Op::Eq, [args[0], whole], SortId::BOOL)
            }
            Derived::Divisible(n) => {
                let (n, zero) = (terms.int(*n), terms.int(0));
                let remainder = terms.mk(Op::Mod, [args[0], n], SortId::INT);
                terms.mk(Op::Eq, [remainder, zero], SortId::BOOL)
            }
            Derived::Xor => {
                let same = terms.mk(Op::Eq, [args[0], args[1]], SortId::BOOL);
                terms.mk(Op::Not, [same], SortId::BOOL)
            }
            Derived::Repeat(1) => args[0],
            Derived::Repeat(n) => terms.mk(Op::Concat, (0..*n).map(|_| args[0]), result),
            Derived::Rotate { left } => rotate(terms, *left, args, result),
            Derived::SignedToInt => signed_to_int(terms, args[0]),
            Derived::Overflows { op, signed } => overflows(terms, op, *signed, args),
            Derived::NegationOverflows => is_least(terms, args[0]),
            Derived::QuotientOverflows => {
                let least = is_least(terms, args[0]);
                let width = width(terms, args[1]);
                let minus_one = terms.bit_vec(width, -1);
                let by_minus_one = terms.mk(Op::Eq, [args[1], minus_one], SortId::BOOL);
                terms.mk(Op::And, [least, by_minus_one], SortId::BOOL)
            }
        }
    }
}

/// Domain and range of the map that comes first among the sorts.
fn element<'a>(terms: &'a Terms, params: &[SortId]) -> Option<(&'a [SortId], SortId)> {
    match terms.sort_of(*params.first()?) {
        Sort::Map { params: 0, domain, range } => Some((domain, *range)),
        _ => None,
    }
}

fn width(terms: &Terms, t: TermId) -> u32 {
    terms.width(terms.sort(t)).unwrap_or(0)
}

/// One bit that says whether a condition holds.
fn bit(terms: &mut Terms, condition: TermId, sort: SortId) -> TermId {
    let (one, zero) = (terms.bit_vec(1, 1), terms.bit_vec(1, 0));
    terms.mk(Op::Ite, [condition, one, zero], sort)
}

fn is_negative(terms: &mut Terms, n: TermId) -> TermId {
    let zero = terms.int(0);
    terms.mk(Op::Lt, [n, zero], SortId::BOOL)
}

/// Whether a bit-vector is the least one, read as signed.
fn is_least(terms: &mut Terms, x: TermId) -> TermId {
    let width = width(terms, x);
    let least = terms.bit_vec(width, BigInt::from(1) << (width - 1));
    terms.mk(Op::Eq, [x, least], SortId::BOOL)
}

fn rotate(terms: &mut Terms, left: bool, args: &[TermId], sort: SortId) -> TermId {
    let n = width(terms, args[0]);
    let modulus = terms.bit_vec(n, n);
    let amount = terms.mk(Op::BvUrem, [args[1], modulus], sort);
    let rest = terms.mk(Op::BvSub, [modulus, amount], sort);
    let (ahead, behind) = if left { (Op::BvShl, Op::BvLshr) } else { (Op::BvLshr, Op::BvShl) };
    let moved = terms.mk(ahead, [args[0], amount], sort);
    let wrapped = terms.mk(behind, [args[0], rest], sort);
    let rotated = terms.mk(Op::BvOr, [moved, wrapped], sort);
    let zero = terms.bit_vec(n, 0);
    let stays = terms.mk(Op::Eq, [amount, zero], SortId::BOOL);
    terms.mk(Op::Ite, [stays, args[0], rotated], sort)
}

fn signed_to_int(terms: &mut Terms, x: TermId) -> TermId {
    let width = width(terms, x);
    let zero = terms.bit_vec(width, 0);
    let negative = terms.mk(Op::BvSlt, [x, zero], SortId::BOOL);
    let unsigned = terms.mk(Op::BvToInt, [x], SortId::INT);
    let modulus = terms.int(BigInt::from(1) << width);
    let below = terms.mk(Op::Sub, [unsigned, modulus], SortId::INT);
    terms.mk(Op::Ite, [negative, below, unsigned], SortId::INT)
}

/// Whether the exact result, computed with twice as many bits, differs from what its lower half says.
fn overflows(terms: &mut Terms, op: &Op, signed: bool, args: &[TermId]) -> TermId {
    let n = width(terms, args[0]);
    let (narrow, wide) = (terms.bit_vec_sort(n), terms.bit_vec_sort(2 * n));
    let extend = if signed { Op::SignExtend(n) } else { Op::ZeroExtend(n) };
    let widened: Vec<TermId> = args.iter().map(|&a| terms.mk(extend.clone(), [a], wide)).collect();
    let exact = terms.mk(op.clone(), widened, wide);
    let low = terms.mk(Op::Extract(n - 1, 0), [exact], narrow);
    let back = terms.mk(extend, [low], wide);
    let fits = terms.mk(Op::Eq, [exact, back], SortId::BOOL);
    terms.mk(Op::Not, [fits], SortId::BOOL)
}
