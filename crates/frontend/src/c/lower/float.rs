//! Floating-point arithmetic: IEEE 754 operations on numbers that are stored as their bits.
//!
//! **Idea.** The operations are the solver's, as builtin functions: bits are converted to a floating-point number,
//! the operation is applied, and the result is converted to bits again. Rounding is to nearest, ties to even, which
//! is the default of machines. Example: a `double` sum `x + y` is `fp.add` of the numbers with the bits of `x` and
//! `y`, as 64 bits. In proofs about a program that calls `fesetround` or its like, the mode is a variable of the program form
//! with an arbitrary value behind such a call, and each operation has the result of the mode that is set.
//!
//! The solver's functions leave the bits of a NaN open, but programs that look at signs can observe them. Here they
//! are x86's: the first operand that is a NaN, made quiet, or else the default NaN of the machine, whose sign bit is
//! set.
//!
//! **Direction of error.** The bits of a NaN where a compiler exchanges operands; on machines other than x86, the
//! bits of NaNs and the results of converting numbers that are out of range to integers.

use footpath_term::{FuncDecl, FuncKind, Op, Sort, SortId, TermId};

use crate::llvm::ast::{BinaryOp, CastOp, FloatPredicate, Operand, TypeId};

use super::super::Unsupported;
use super::super::facts::link::Linked;
use super::context::Context;
use super::scalars::Scalar;

/// Bits of exponent and significand of the format with so many bits.
fn format(bits: u32) -> (u32, u32) {
    if bits == 32 { (8, 24) } else { (11, 53) }
}

fn float_sort(cx: &mut Context, bits: u32) -> SortId {
    let (exponent, significand) = format(bits);
    cx.terms.mk_sort(Sort::Float { exponent, significand })
}

/// Functions of the library that set the mode in which results are rounded.
const SET_ROUNDING: [&str; 4] = ["fesetround", "fesetenv", "feupdateenv", "fesetmode"];

/// Whether a function of the library sets the rounding mode.
pub(crate) fn sets_rounding(name: &str) -> bool {
    SET_ROUNDING.contains(&name)
}

/// Whether the program sets the rounding mode anywhere.
pub(crate) fn rounding_changes(linked: &Linked<'_>) -> bool {
    linked.functions().any(|(f, _)| sets_rounding(linked.function_name(f)))
}

/// Applies the solver's function with this SMT-LIB text. Where the text rounds to nearest and the program may have set
/// another mode, the result is that of the mode that is set.
fn apply(cx: &mut Context, text: &str, args: &[TermId], result: SortId) -> TermId {
    let nearest = apply_as_said(cx, text, args, result);
    let rounds = text.contains("RNE");
    cx.rounds |= rounds;
    let Some(mode) = cx.rounding.filter(|_| rounds) else { return nearest };
    let mode = cx.terms.var(mode);
    let others = ["RTZ", "RTP", "RTN"].into_iter().enumerate();
    others.fold(nearest, |rounded, (i, other)| {
        let number = cx.bv(2, i as i64 + 1);
        let is_set = cx.app(Op::Eq, &[mode, number]);
        let here = apply_as_said(cx, &text.replace("RNE", other), args, result);
        cx.terms.mk(Op::Ite, [is_set, here, rounded], result)
    })
}

fn apply_as_said(cx: &mut Context, text: &str, args: &[TermId], result: SortId) -> TermId {
    let params: Vec<SortId> = args.iter().map(|&a| cx.terms.sort(a)).collect();
    let key = (text.to_owned(), params.clone(), result);
    let function = match cx.builtins.get(&key) {
        Some(&known) => known,
        None => {
            let name =
                format!("${}.{}", text.replace(|c: char| !c.is_ascii_alphanumeric(), "_"), cx.builtins.len());
            let decl = FuncDecl {
                name: name.into(),
                type_params: Vec::new(),
                params,
                result,
                kind: FuncKind::Builtin(text.into()),
            };
            let id = cx.terms.declare_function(decl);
            cx.builtins.insert(key, id);
            id
        }
    };
    cx.terms.app_sorted(Op::Apply(function), args.iter().copied().collect(), result)
}

fn number(cx: &mut Context, bits: TermId) -> TermId {
    let width = cx.width(bits);
    let (exponent, significand) = format(width);
    let sort = float_sort(cx, width);
    apply(cx, &format!("(_ to_fp {exponent} {significand})"), &[bits], sort)
}

/// The bits of a number that was computed from operands with these bits.
fn bits(cx: &mut Context, number: TermId, width: u32, from: &[TermId]) -> TermId {
    let sort = cx.terms.bit_vec_sort(width);
    let plain = apply(cx, "fp.to_ieee_bv", &[number], sort);
    let (exponent, significand) = format(width);
    let ones = (num_bigint::BigInt::from(1) << (exponent + 2)) - 1;
    let mut nan = cx.terms.bit_vec(width, ones << (significand - 2));
    for &operand in from.iter().rev() {
        let x = crate::c::lower::float::number(cx, operand);
        let is_nan = apply(cx, "fp.isNaN", &[x], SortId::BOOL);
        let copied = quiet(cx, operand);
        nan = cx.app(Op::Ite, &[is_nan, copied, nan]);
    }
    let is_nan = apply(cx, "fp.isNaN", &[number], SortId::BOOL);
    cx.app(Op::Ite, &[is_nan, nan, plain])
}

/// The bits of a NaN with the bit set that says that it does not signal.
fn quiet(cx: &mut Context, nan: TermId) -> TermId {
    let width = cx.width(nan);
    let (_, significand) = format(width);
    let bit = cx.terms.bit_vec(width, num_bigint::BigInt::from(1) << (significand - 2));
    cx.app(Op::BvOr, &[nan, bit])
}

/// An operation on two numbers.
pub(crate) fn binary(cx: &mut Context, op: BinaryOp, a: TermId, b: TermId) -> Result<TermId, Unsupported> {
    let text = match op {
        BinaryOp::FAdd => "fp.add RNE",
        BinaryOp::FSub => "fp.sub RNE",
        BinaryOp::FMul => "fp.mul RNE",
        BinaryOp::FDiv => "fp.div RNE",
        _ => return Err(Unsupported::new("the remainder of floating-point numbers")),
    };
    let width = cx.width(a);
    let sort = float_sort(cx, width);
    let (x, y) = (number(cx, a), number(cx, b));
    let result = apply(cx, text, &[x, y], sort);
    Ok(bits(cx, result, width, &[a, b]))
}

/// A function of one number: `fp.sqrt RNE`, `fp.roundToIntegral RTN`.
pub(crate) fn unary(cx: &mut Context, text: &str, a: TermId) -> TermId {
    let width = cx.width(a);
    let sort = float_sort(cx, width);
    let x = number(cx, a);
    let result = apply(cx, text, &[x], sort);
    bits(cx, result, width, &[a])
}

/// `a * b + c`, rounded once.
pub(crate) fn fused(cx: &mut Context, operands: [TermId; 3]) -> TermId {
    let width = cx.width(operands[0]);
    let sort = float_sort(cx, width);
    let numbers = operands.map(|operand| number(cx, operand));
    let result = apply(cx, "fp.fma RNE", &numbers, sort);
    bits(cx, result, width, &operands)
}

/// The greater or the less of two numbers; of a NaN and a number the number. Of two zeros it is the second.
pub(crate) fn extreme(cx: &mut Context, greater: bool, a: TermId, b: TermId) -> TermId {
    let predicate = if greater { FloatPredicate::Ogt } else { FloatPredicate::Olt };
    let beyond = compare(cx, predicate, a, b);
    let [no_a, no_b] = [a, b].map(|x| compare(cx, FloatPredicate::Uno, x, x));
    let first = cx.app(Op::Or, &[no_b, beyond]);
    let other = cx.app(Op::Ite, &[first, a, b]);
    cx.app(Op::Ite, &[no_a, b, other])
}

/// The number without its sign, NaNs included.
pub(crate) fn absolute(cx: &mut Context, a: TermId) -> TermId {
    let width = cx.width(a);
    let rest = cx.terms.bit_vec(width, (num_bigint::BigInt::from(1) << (width - 1)) - 1);
    cx.app(Op::BvAnd, &[a, rest])
}

/// A number with the sign of another one.
pub(crate) fn with_sign_of(cx: &mut Context, a: TermId, sign: TermId) -> TermId {
    let last = cx.width(sign) - 1;
    let sign = cx.app(Op::Extract(last, last), &[sign]);
    let rest = cx.app(Op::Extract(last - 1, 0), &[a]);
    cx.app(Op::Concat, &[sign, rest])
}

/// The number with the other sign.
pub(crate) fn negate(cx: &mut Context, a: TermId) -> TermId {
    let width = cx.width(a);
    let one = cx.terms.bit_vec(width, num_bigint::BigInt::from(1) << (width - 1));
    cx.app(Op::BvXor, &[a, one])
}

/// A comparison: the unordered predicates also hold if one side is NaN.
pub(crate) fn compare(cx: &mut Context, predicate: FloatPredicate, a: TermId, b: TermId) -> TermId {
    use FloatPredicate as P;
    let (x, y) = (number(cx, a), number(cx, b));
    let text = match predicate {
        P::False => return cx.terms.bool(false),
        P::True => return cx.terms.bool(true),
        P::Oeq | P::Ueq | P::One | P::Une => "fp.eq",
        P::Ogt | P::Ugt => "fp.gt",
        P::Oge | P::Uge => "fp.geq",
        P::Olt | P::Ult => "fp.lt",
        P::Ole | P::Ule => "fp.leq",
        P::Ord | P::Uno => "",
    };
    let nan = |cx: &mut Context| {
        let left = apply(cx, "fp.isNaN", &[x], SortId::BOOL);
        let right = apply(cx, "fp.isNaN", &[y], SortId::BOOL);
        cx.app(Op::Or, &[left, right])
    };
    match predicate {
        P::Uno => nan(cx),
        P::Ord => {
            let unordered = nan(cx);
            cx.not(unordered)
        }
        P::Une => {
            let same = apply(cx, text, &[x, y], SortId::BOOL);
            cx.not(same)
        }
        P::One => {
            let same = apply(cx, text, &[x, y], SortId::BOOL);
            let unordered = nan(cx);
            let either = cx.app(Op::Or, &[same, unordered]);
            cx.not(either)
        }
        P::Ueq | P::Ugt | P::Uge | P::Ult | P::Ule => {
            let holds = apply(cx, text, &[x, y], SortId::BOOL);
            let unordered = nan(cx);
            cx.app(Op::Or, &[holds, unordered])
        }
        _ => apply(cx, text, &[x, y], SortId::BOOL),
    }
}

/// A conversion from or to floating point; `None` if it is none.
pub(crate) fn cast(
    cx: &mut Context,
    module: u32,
    op: CastOp,
    parts: &[TermId],
    _: Operand,
    to: TypeId,
) -> Option<Result<Vec<TermId>, Unsupported>> {
    if !matches!(
        op,
        CastOp::FpTrunc | CastOp::FpExt | CastOp::FpToUi | CastOp::FpToSi | CastOp::UiToFp | CastOp::SiToFp
    ) {
        return None;
    }
    let leaves = match cx.leaves(module, to) {
        Ok(leaves) => leaves,
        Err(unsupported) => return Some(Err(unsupported)),
    };
    let mut result = Vec::with_capacity(parts.len());
    for (&part, leaf) in parts.iter().zip(leaves) {
        result.push(match leaf.scalar {
            Scalar::Float(width) => to_float(cx, op, part, width),
            Scalar::Int(width) => to_integer(cx, op == CastOp::FpToSi, part, width),
            _ => return Some(Err(Unsupported::new("a conversion between kinds of numbers"))),
        });
    }
    Some(Ok(result))
}

/// A number without its fraction as an integer. C leaves open what a number becomes that is out of range. x86 converts
/// to signed integers of 32 or 64 bits, the next that the wanted ones fit in, and what does not fit these becomes their least; to wider
/// ones compilers convert with functions of their own.
pub(crate) fn to_integer(cx: &mut Context, signed: bool, part: TermId, width: u32) -> TermId {
    let bits = if width + u32::from(!signed) <= 32 { 32 } else { width.max(64) };
    let x = number(cx, part);
    let convert = |cx: &mut Context, name: &str| {
        let sort = cx.terms.bit_vec_sort(bits);
        apply(cx, &format!("(_ {name} {bits}) RTZ"), &[x], sort)
    };
    let least = cx.terms.bit_vec(bits, num_bigint::BigInt::from(1) << (bits - 1));
    let plain = convert(cx, "fp.to_sbv");
    let fits = lies_within(cx, part, -power(bits - 1), power(bits - 1));
    let mut result = cx.app(Op::Ite, &[fits, plain, least]);
    if !signed && width >= 64 {
        // From half of their range on it is subtracted before and added after.
        let upper = lies_within(cx, part, power(width - 1), power(width));
        let plain = convert(cx, "fp.to_ubv");
        result = cx.app(Op::Ite, &[upper, plain, result]);
    }
    cx.resize(result, width, signed)
}

/// Whether a number without its fraction fits an integer of so many bits.
pub(crate) fn fits_integer(cx: &mut Context, signed: bool, part: TermId, width: u32) -> TermId {
    let (low, high) = if signed { (-power(width - 1), power(width - 1)) } else { (0.0, power(width)) };
    lies_within(cx, part, low, high)
}

/// A power of two.
fn power(exponent: u32) -> f64 {
    2f64.powi(exponent as i32)
}

/// Whether a number without its fraction is at least `low` and less than `high`, each 0, a power of two or the negative of one.
fn lies_within(cx: &mut Context, part: TermId, low: f64, high: f64) -> TermId {
    let width = cx.width(part);
    let constant = |cx: &mut Context, x: f64| {
        let bits = if width == 32 { u64::from((x as f32).to_bits()) } else { x.to_bits() };
        let bits = cx.terms.bit_vec(width, num_bigint::BigInt::from(bits));
        number(cx, bits)
    };
    // Less by less than one is cut off, where the format has such numbers.
    let below = low - 1.0;
    let has_below = below != low && (width == 64 || f64::from(below as f32) == below) && low <= 0.0;
    let (text, bound) = if has_below { ("fp.lt", below) } else { ("fp.leq", low) };
    let (bound, high, x) = (constant(cx, bound), constant(cx, high), number(cx, part));
    let above = apply(cx, text, &[bound, x], SortId::BOOL);
    let under = apply(cx, "fp.lt", &[x, high], SortId::BOOL);
    cx.app(Op::And, &[above, under])
}

fn to_float(cx: &mut Context, op: CastOp, part: TermId, width: u32) -> TermId {
    let (exponent, significand) = format(width);
    let sort = float_sort(cx, width);
    let (text, from) = match op {
        CastOp::UiToFp => ("to_fp_unsigned", integer(cx, part)),
        CastOp::SiToFp => ("to_fp", integer(cx, part)),
        _ => ("to_fp", number(cx, part)),
    };
    let result = apply(cx, &format!("(_ {text} {exponent} {significand}) RNE"), &[from], sort);
    match op {
        CastOp::UiToFp | CastOp::SiToFp => {
            // No integer is a NaN.
            let bits = cx.terms.bit_vec_sort(width);
            apply(cx, "fp.to_ieee_bv", &[result], bits)
        }
        _ => {
            let operand = resize_nan(cx, part, width);
            bits(cx, result, width, &[operand])
        }
    }
}

/// A NaN in another format: its sign, and of its fraction what fits, from the left.
fn resize_nan(cx: &mut Context, nan: TermId, width: u32) -> TermId {
    let from = cx.width(nan);
    if from == width {
        return nan;
    }
    let (exponent, significand) = format(width);
    let (_, had) = format(from);
    let sign = cx.app(Op::Extract(from - 1, from - 1), &[nan]);
    let ones = cx.bv(exponent, -1);
    let fraction = cx.app(Op::Extract(had - 2, 0), &[nan]);
    let fraction = if had > significand {
        cx.app(Op::Extract(had - 2, had - significand), &[fraction])
    } else {
        let zeros = cx.bv(significand - had, 0);
        cx.app(Op::Concat, &[fraction, zeros])
    };
    let upper = cx.app(Op::Concat, &[sign, ones]);
    cx.app(Op::Concat, &[upper, fraction])
}

fn integer(cx: &mut Context, part: TermId) -> TermId {
    if cx.terms.sort(part) == SortId::BOOL { cx.bool_to_bv(part, 8) } else { part }
}
