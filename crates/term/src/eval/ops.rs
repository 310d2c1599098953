//! Evaluation of operators on values: booleans, numbers, datatypes. Other operators are delegated to `bits.rs` and
//! `maps.rs`, and the floating-point functions of solvers to `float.rs`. The result is `None` where the values do not
//! determine it.
//!
//! **Direction of error.** None: a result that the values do not determine is `None`.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

use super::{bits, float, maps};
use crate::{FuncId, FuncKind, Op, Sort, SortId, Terms, Value};

/// The greatest exponent that is computed.
const MAX_EXPONENT: u32 = 4096;

pub(super) fn evaluate_op(terms: &Terms, op: &Op, args: &[Value], sort: SortId) -> Option<Value> {
    match op {
        Op::Literal(v) => Some(v.clone()),
        Op::Var(_) | Op::Bind(_) | Op::Subtype => None,
        Op::Apply(f) => apply(terms, *f, args, sort),
        Op::Not => Some(Value::Bool(!args.first()?.as_bool()?)),
        Op::And => args.iter().try_fold(true, |all, a| Some(all & a.as_bool()?)).map(Value::Bool),
        Op::Or => args.iter().try_fold(false, |any, a| Some(any | a.as_bool()?)).map(Value::Bool),
        Op::Implies => match args {
            [a, b] => Some(Value::Bool(!a.as_bool()? | b.as_bool()?)),
            _ => None,
        },
        Op::Eq => match args {
            [a, b] => maps::equal(terms, a, b).map(Value::Bool),
            _ => None,
        },
        Op::Distinct => distinct(terms, args).map(Value::Bool),
        Op::Ite => match args {
            [c, a, b] => Some(if c.as_bool()? { a.clone() } else { b.clone() }),
            _ => None,
        },
        Op::Select | Op::Store | Op::ConstMap => maps::evaluate(terms, op, args, sort),
        Op::IntToBv(n) => Some(Value::bit_vec(*n, args.first()?.as_int()?)),
        _ => match args.first()? {
            Value::Int(_) => integer(op, args),
            Value::Real(_) => real(op, args),
            Value::BitVec { .. } => bits::evaluate(op, args),
            _ => None,
        },
    }
}

fn distinct(terms: &Terms, args: &[Value]) -> Option<bool> {
    for (i, a) in args.iter().enumerate() {
        for b in &args[i + 1..] {
            if maps::equal(terms, a, b)? {
                return Some(false);
            }
        }
    }
    Some(true)
}

fn apply(terms: &Terms, f: FuncId, args: &[Value], sort: SortId) -> Option<Value> {
    match terms.function(f).kind {
        FuncKind::Constructor => Some(Value::Datatype(f, args.to_vec())),
        FuncKind::Selector { constructor, field } => match args {
            [Value::Datatype(g, fields)] if *g == constructor => fields.get(field as usize).cloned(),
            _ => None,
        },
        FuncKind::Tester { constructor } => match args {
            [Value::Datatype(g, _)] => Some(Value::Bool(*g == constructor)),
            _ => None,
        },
        FuncKind::Builtin(ref text) => float::evaluate(terms, text, args, sort),
        FuncKind::Uninterpreted => None,
    }
}

fn integer(op: &Op, args: &[Value]) -> Option<Value> {
    let a = args[0].as_int()?;
    let rest = || args[1..].iter().map(Value::as_int);
    Some(Value::Int(match op {
        Op::Neg => -a,
        Op::Add => rest().try_fold(a.clone(), |n, b| Some(n + b?))?,
        Op::Sub => rest().try_fold(a.clone(), |n, b| Some(n - b?))?,
        Op::Mul => rest().try_fold(a.clone(), |n, b| Some(n * b?))?,
        Op::ToReal => return Some(Value::Real(BigRational::from_integer(a.clone()))),
        _ => {
            let [_, Value::Int(b)] = args else { return None };
            match op {
                Op::Le => return Some(Value::Bool(a <= b)),
                Op::Lt => return Some(Value::Bool(a < b)),
                Op::Ge => return Some(Value::Bool(a >= b)),
                Op::Gt => return Some(Value::Bool(a > b)),
                Op::IntDiv | Op::Mod if b.is_zero() => return None,
                // The remainder is in `0..|b|`, and the quotient is what makes it so.
                Op::Mod => a.mod_floor(&b.abs()),
                Op::IntDiv => a.div_floor(&b.abs()) * b.signum(),
                _ => return None,
            }
        }
    }))
}

fn real(op: &Op, args: &[Value]) -> Option<Value> {
    let number = |v: &Value| match v {
        Value::Real(r) => Some(r.clone()),
        _ => None,
    };
    let a = number(&args[0])?;
    let mut rest = args[1..].iter().map(number);
    Some(Value::Real(match op {
        Op::Neg => -a,
        Op::Add => rest.try_fold(a, |n, b| Some(n + b?))?,
        Op::Sub => rest.try_fold(a, |n, b| Some(n - b?))?,
        Op::Mul => rest.try_fold(a, |n, b| Some(n * b?))?,
        Op::ToInt => return Some(Value::Int(a.floor().to_integer())),
        _ => {
            let [_, Value::Real(b)] = args else { return None };
            match op {
                Op::Le => return Some(Value::Bool(a <= *b)),
                Op::Lt => return Some(Value::Bool(a < *b)),
                Op::Ge => return Some(Value::Bool(a >= *b)),
                Op::Gt => return Some(Value::Bool(a > *b)),
                Op::RealDiv if !b.is_zero() => a / b,
                Op::Pow => power(a, b)?,
                _ => return None,
            }
        }
    }))
}

/// Integer powers. Solvers disagree about 0⁰ and have no value for 0⁻¹, so both are left open.
fn power(base: BigRational, exponent: &BigRational) -> Option<BigRational> {
    if !exponent.is_integer() {
        return None;
    }
    let exponent: BigInt = exponent.to_integer();
    if base.is_zero() {
        return exponent.is_positive().then_some(base);
    }
    if base.is_one() {
        return Some(base);
    }
    let n = exponent.abs().to_u32().filter(|&n| n <= MAX_EXPONENT)?;
    let power = Pow::pow(base, n);
    Some(if exponent.is_negative() { power.recip() } else { power })
}

/// The values of a sort, if they are finitely many and no more than `limit`.
pub(super) fn all_values(terms: &Terms, sort: SortId, limit: usize) -> Option<Vec<Value>> {
    match terms.sort_of(sort) {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::BitVec(w) if *w < 32 && 1usize << w <= limit => {
            Some((0..1u32 << w).map(|n| Value::bit_vec(*w, &n.into())).collect())
        }
        _ => None,
    }
}
