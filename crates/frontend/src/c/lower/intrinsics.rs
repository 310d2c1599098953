//! LLVM's intrinsic functions (`llvm.sadd.with.overflow`, `llvm.ctpop`, `llvm.memcpy` and so on), lowered in place.

use footpath_ir::{AssertKind, StatementKind};
use footpath_term::{Op, TermId};

use crate::llvm::ast::{BinaryOp, Call, Inst, InstKind, LocalId, Operand};

use super::super::{TestAssumption, Unsupported};
use super::function::Lowering;
use super::{arith, float};

impl Lowering<'_, '_, '_> {
    pub(crate) fn intrinsic(&mut self, inst: &Inst, name: &str, call: &Call) -> Result<bool, Unsupported> {
        let base = name.split('.').next().unwrap_or(name);
        let operands: Vec<Operand> = call.args.iter().map(|(o, _)| *o).collect();
        let long_double = operands.iter().map(|o| o.ty).chain([call.ret]).any(|ty| self.is_long_double(ty));
        if long_double && base != "fabs" {
            let sorts = self.cx.sorts(self.f.module, call.ret)?;
            let any = self.arbitrary(&sorts);
            self.define(inst, any);
            return Ok(true);
        }
        match base {
            "stackrestore" => self.restore_stack(operands[0].value),
            "lifetime" | "dbg" | "donothing" | "prefetch" | "sideeffect" | "assume" | "invariant"
            | "experimental"
                if inst.result.is_none() => {}
            "memcpy" | "memmove" => self.memory_copy(&operands, base == "memmove")?,
            "memset" => self.memory_fill(&operands)?,
            "va_start" => self.start_list(call)?,
            "va_copy" => self.copy_list(call)?,
            "va_end" => {}
            "expect" | "launder" | "strip" | "ssa" | "annotation" => {
                let value = self.value(operands[0])?;
                self.define(inst, value);
            }
            "stacksave" => {
                let wanted = self.cx.sorts(self.f.module, call.ret)?;
                let value = wanted.into_iter().map(|s| self.cx.zero_of(s)).collect();
                self.define(inst, value);
            }
            "objectsize" => self.object_size(inst, &operands, call)?,
            "is" if name.starts_with("is.constant") => {
                // What the compiler knows depends on how much it optimises; tests are built without that.
                let known = if self.cx.options.conservative_externals {
                    self.arbitrary(&[footpath_term::SortId::BOOL])[0]
                } else {
                    self.cx.test_assumptions.insert((self.cx.procs[&self.f], TestAssumption::NoOptimisation));
                    self.cx.terms.bool(false)
                };
                self.define(inst, vec![known]);
            }
            "sadd" | "ssub" | "smul" | "uadd" | "usub" | "umul" if name.contains(".with.overflow") => {
                self.with_overflow(inst, base, &operands)?;
            }
            "abs" | "smax" | "smin" | "umax" | "umin" | "bswap" | "bitreverse" | "ctpop" | "ctlz"
            | "cttz" | "fshl" | "fshr" => self.integer_function(inst, base, &operands)?,
            "fabs" => {
                let value = self.value(operands[0])?;
                let value = value.into_iter().map(|v| float::absolute(self.cx, v)).collect();
                self.define(inst, value);
            }
            "copysign" => {
                let (numbers, signs) = (self.value(operands[0])?, self.value(operands[1])?);
                let pairs = numbers.into_iter().zip(signs);
                let value = pairs.map(|(x, y)| float::with_sign_of(self.cx, x, y)).collect();
                self.define(inst, value);
            }
            "sqrt" | "floor" | "ceil" | "trunc" | "rint" | "nearbyint" | "roundeven" | "round" => {
                let text = match base {
                    "sqrt" => "fp.sqrt RNE",
                    "floor" => "fp.roundToIntegral RTN",
                    "ceil" => "fp.roundToIntegral RTP",
                    "trunc" => "fp.roundToIntegral RTZ",
                    "round" => "fp.roundToIntegral RNA",
                    _ => "fp.roundToIntegral RNE",
                };
                let value = self.value(operands[0])?;
                let value = value.into_iter().map(|v| float::unary(self.cx, text, v)).collect();
                self.define(inst, value);
            }
            "lround" | "llround" | "lrint" | "llrint" => {
                let text = if base.ends_with("round") { "RNA" } else { "RNE" };
                let width = self.module.types.int_bits(call.ret).unwrap_or(64);
                let value = self.value(operands[0])?;
                let whole = |cx: &mut _, v| float::unary(cx, &format!("fp.roundToIntegral {text}"), v);
                let value = value.into_iter().map(|v| {
                    let whole = whole(self.cx, v);
                    float::to_integer(self.cx, true, whole, width)
                });
                let value = value.collect();
                self.define(inst, value);
            }
            "maxnum" | "minnum" => {
                let (a, b) = (self.value(operands[0])?, self.value(operands[1])?);
                let pairs = a.into_iter().zip(b);
                let value = pairs.map(|(a, b)| float::extreme(self.cx, base == "maxnum", a, b)).collect();
                self.define(inst, value);
            }
            "fma" => {
                let (a, b, c) =
                    (self.value(operands[0])?, self.value(operands[1])?, self.value(operands[2])?);
                let all = a.into_iter().zip(b).zip(c);
                let value = all.map(|((a, b), c)| float::fused(self.cx, [a, b, c])).collect();
                self.define(inst, value);
            }
            "fmuladd" => {
                let (a, b, c) =
                    (self.value(operands[0])?, self.value(operands[1])?, self.value(operands[2])?);
                let mut sums = Vec::with_capacity(a.len());
                for ((&a, &b), &c) in a.iter().zip(&b).zip(&c) {
                    let product = float::binary(self.cx, BinaryOp::FMul, a, b)?;
                    sums.push(float::binary(self.cx, BinaryOp::FAdd, product, c)?);
                }
                self.define(inst, sums);
            }
            // The signs of all elements as bits.
            "x86" if name.contains(".pmovmskb.") || name.contains(".movmsk.p") => {
                let elements = self.value(operands[0])?;
                let bits: Vec<TermId> = elements
                    .into_iter()
                    .rev()
                    .map(|x| {
                        let sign = self.cx.width(x) - 1;
                        self.cx.app(Op::Extract(sign, sign), &[x])
                    })
                    .collect();
                let signs = self.concatenate(&bits);
                let width = self.module.types.int_bits(call.ret).unwrap_or(32);
                let result = self.cx.resize(signs, width, false);
                self.define(inst, vec![result]);
            }
            // Without addresses it changes nothing.
            _ if inst.result.is_some() && !operands.iter().any(|o| self.module.types.is_pointer(o.ty)) => {
                let sorts = self.cx.sorts(self.f.module, call.ret)?;
                let any = self.arbitrary(&sorts);
                self.define(inst, any);
            }
            _ => return Err(Unsupported::new(format!("the intrinsic `llvm.{name}`"))),
        }
        Ok(true)
    }

    /// How many bytes there are from an address on, as far as the compiler knows: at most or at least so many. Without
    /// optimisation, as tests are built, it knows nothing, and says so by the greatest or by the least number.
    fn object_size(&mut self, inst: &Inst, operands: &[Operand], call: &Call) -> Result<(), Unsupported> {
        let p = self.pointer(operands[0].value)?;
        let least = self.value(operands[1])?[0];
        let bits = self.module.types.int_bits(call.ret).unwrap_or(self.cx.shape.offset);
        let (none, all) = (self.cx.bv(bits, 0), self.cx.bv(bits, -1));
        let unknown = self.cx.app(Op::Ite, &[least, none, all]);
        if !self.cx.options.conservative_externals {
            self.cx.test_assumptions.insert((self.cx.procs[&self.f], TestAssumption::NoOptimisation));
            self.define(inst, vec![unknown]);
            return Ok(());
        }
        let sort = self.cx.terms.bit_vec_sort(bits);
        let said = self.arbitrary(&[sort])[0];
        let sizes = self.cx.terms.var(self.cx.size);
        let size = self.cx.app(Op::Select, &[sizes, p.object]);
        let is_before_end = self.cx.app(Op::BvUle, &[p.offset, size]);
        let rest = self.cx.app(Op::BvSub, &[size, p.offset]);
        let nothing = self.cx.offset(0);
        let rest = self.cx.app(Op::Ite, &[is_before_end, rest, nothing]);
        let rest = self.cx.resize(rest, bits, false);
        let [at_most, at_least] = [[rest, said], [said, rest]].map(|sides| self.cx.app(Op::BvUle, &sides));
        let fits = self.cx.app(Op::Ite, &[least, at_least, at_most]);
        let gives_up = self.cx.app(Op::Eq, &[said, unknown]);
        let either = self.cx.app(Op::Or, &[gives_up, fits]);
        self.statement(StatementKind::Assume(either));
        self.define(inst, vec![said]);
        Ok(())
    }

    fn with_overflow(&mut self, inst: &Inst, base: &str, operands: &[Operand]) -> Result<(), Unsupported> {
        let op = match &base[1..] {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            _ => BinaryOp::Mul,
        };
        let (a, b) = (self.value(operands[0])?, self.value(operands[1])?);
        let (&[a], &[b]) = (&a[..], &b[..]) else {
            return Err(Unsupported::new("an overflow check of vectors"));
        };
        let result = arith::binary(self.cx, op, a, b)?;
        let overflow = if base.starts_with('s') {
            arith::signed_overflow(self.cx, op, a, b)
        } else {
            arith::unsigned_overflow(self.cx, op, a, b)
        };
        let overflow = overflow.ok_or_else(|| Unsupported::new("an overflow check"))?;
        self.define(inst, vec![result, overflow]);
        Ok(())
    }

    fn integer_function(&mut self, inst: &Inst, base: &str, operands: &[Operand]) -> Result<(), Unsupported> {
        let x = self.value(operands[0])?;
        let second = match operands.get(1) {
            Some(&operand) => self.value(operand)?,
            None => Vec::new(),
        };
        let third = match operands.get(2) {
            Some(&operand) => self.value(operand)?,
            None => Vec::new(),
        };
        let second = if base == "cttz" && self.is_find_first_set(inst) { Vec::new() } else { second };
        let mut result = Vec::with_capacity(x.len());
        for (i, &x) in x.iter().enumerate() {
            // Of `abs`, `ctlz` and `cttz` the second operand is one flag for all elements.
            let (y, z) = (second.get(i).or(second.first()).copied(), third.get(i).copied());
            result.push(self.integer_result(base, x, y, z)?);
        }
        self.define(inst, result);
        Ok(())
    }

    /// One element of what a function of integers gives.
    fn integer_result(
        &mut self,
        base: &str,
        x: TermId,
        y: Option<TermId>,
        z: Option<TermId>,
    ) -> Result<TermId, Unsupported> {
        let width = self.cx.width(x);
        Ok(match (base, y) {
            ("abs", _) => {
                let zero = self.cx.bv(width, 0);
                let negative = self.cx.app(Op::BvSlt, &[x, zero]);
                let negated = self.cx.app(Op::BvNeg, &[x]);
                self.cx.app(Op::Ite, &[negative, negated, x])
            }
            ("smax" | "smin" | "umax" | "umin", Some(y)) => {
                let less = if base.starts_with('s') { Op::BvSlt } else { Op::BvUlt };
                let below = self.cx.app(less, &[x, y]);
                if base.ends_with("max") {
                    self.cx.app(Op::Ite, &[below, y, x])
                } else {
                    self.cx.app(Op::Ite, &[below, x, y])
                }
            }
            ("bswap", _) => {
                let bytes: Vec<TermId> =
                    (0..width / 8).map(|i| self.cx.app(Op::Extract(8 * i + 7, 8 * i), &[x])).collect();
                self.concatenate(&bytes)
            }
            ("bitreverse", _) => {
                let bits: Vec<TermId> = (0..width).map(|i| self.cx.app(Op::Extract(i, i), &[x])).collect();
                self.concatenate(&bits)
            }
            ("ctpop", _) => {
                let mut sum = self.cx.bv(width, 0);
                for i in 0..width {
                    let bit = self.cx.app(Op::Extract(i, i), &[x]);
                    let bit = self.cx.resize(bit, width, false);
                    sum = self.cx.app(Op::BvAdd, &[sum, bit]);
                }
                sum
            }
            ("ctlz" | "cttz", open) => {
                let one = self.cx.bv(1, 1);
                let mut count = match open.and_then(|flag| self.cx.terms.as_bool(flag)) {
                    Some(true) => self.zeros_of_zero(x),
                    _ => self.cx.bv(width, i64::from(width)),
                };
                for k in 0..width {
                    // The bit that is looked at last decides.
                    let i = if base == "ctlz" { k } else { width - 1 - k };
                    let bit = self.cx.app(Op::Extract(i, i), &[x]);
                    let set = self.cx.app(Op::Eq, &[bit, one]);
                    let zeros = if base == "ctlz" { width - 1 - i } else { i };
                    let here = self.cx.bv(width, i64::from(zeros));
                    count = self.cx.app(Op::Ite, &[set, here, count]);
                }
                count
            }
            ("fshl" | "fshr", Some(y)) => {
                let amount = z.ok_or_else(|| Unsupported::new("a shift without an amount"))?;
                let modulus = self.cx.bv(width, i64::from(width));
                let amount = self.cx.app(Op::BvUrem, &[amount, modulus]);
                let both = self.cx.app(Op::Concat, &[x, y]);
                let wide = self.cx.resize(amount, 2 * width, false);
                if base == "fshl" {
                    let shifted = self.cx.app(Op::BvShl, &[both, wide]);
                    self.cx.app(Op::Extract(2 * width - 1, width), &[shifted])
                } else {
                    let shifted = self.cx.app(Op::BvLshr, &[both, wide]);
                    self.cx.app(Op::Extract(width - 1, 0), &[shifted])
                }
            }
            _ => return Err(Unsupported::new(format!("the intrinsic `llvm.{base}`"))),
        })
    }

    /// Whether trailing zeros are counted for `__builtin_ffs`, which chooses its result for zero afterwards: of
    /// `select (x == 0), 0, cttz(x) + 1` the last part does not matter then.
    fn is_find_first_set(&self, inst: &Inst) -> bool {
        let only_user = |result: Option<LocalId>| match self.users[result?.index()].as_slice() {
            &[user] => self.code.insts.get(user as usize),
            _ => None,
        };
        let sum = only_user(inst.result)
            .filter(|user| matches!(user.kind, InstKind::Binary { op: BinaryOp::Add, .. }))
            .and_then(|sum| only_user(sum.result));
        sum.is_some_and(
            |user| matches!(&user.kind, InstKind::Select { then, .. } if self.module.is_zero(then.value)),
        )
    }

    /// The number of leading or trailing zeros of `x` if `x` is zero, which is undefined in C and differs between
    /// machines. No test can choose it, so runs with a nonzero `x` are preferred.
    fn zeros_of_zero(&mut self, x: TermId) -> TermId {
        let sort = self.cx.terms.sort(x);
        let zero = self.cx.zero_of(sort);
        let is_zero = self.cx.app(Op::Eq, &[x, zero]);
        if self.cx.terms.as_bool(is_zero) == Some(false) {
            return zero;
        }
        let has_a_bit = self.cx.not(is_zero);
        self.statement(StatementKind::TryFirst(has_a_bit));
        self.soft_check(AssertKind::Builtin, is_zero);
        self.arbitrary(&[sort])[0]
    }

    /// The first part becomes the highest.
    fn concatenate(&mut self, parts: &[TermId]) -> TermId {
        let mut whole = parts[0];
        for &part in &parts[1..] {
            whole = self.cx.app(Op::Concat, &[whole, part]);
        }
        whole
    }
}
