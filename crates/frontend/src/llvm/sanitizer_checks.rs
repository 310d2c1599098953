//! Checks that only the compiler's front end knows: they are read from a second compilation, with sanitizers.
//!
//! **Idea.** LLVM's text does not say whether `a << n` is one of numbers with a sign, which array a step of an address is taken
//! in, or which parameters may not be null. The compiler's own sanitizer of undefined behaviour knows, and its checks are
//! in the text as branches to a trap, each instruction marked `!nosanitize`. Without these and the blocks with traps the
//! second text is the first one, instruction by instruction, so what is checked before an instruction there can be noted
//! before it here. Example: in
//!
//! ```text
//! %14 = icmp ult i64 %13, 4, !nosanitize
//! br i1 %14, label %16, label %15, !nosanitize      15: trap 18
//! %18 = getelementptr inbounds [4 x i32], [4 x i32]* %11, i64 0, i64 %17
//! ```
//!
//! the index, which is `%12` with its sign, has to be less than 4 before the address is computed.
//!
//! Two things make the texts differ, and are undone. A sum of numbers with signs becomes a call of `llvm.sadd.with.overflow`, whose
//! first result stands for the sum. And the compiler computes an operation on constants itself: of `3 + INT_MAX` the first text
//! has only a number, of `1000 / 0` and `(int)1e10` only `poison`. With sanitizers the check is there, so it says that the operation is wrong.
//!
//! **Direction of error.** Towards too few checks: a function whose two texts are not the same instructions has none, nor has a
//! condition of an unknown form.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{
    BinaryOp, BlockIx, Call, Callee, CastOp, Code, ConstKind, Inst, InstKind, IntPredicate, LocalId, Module,
    Predicate, Value,
};

/// The checks for which the sanitizer is asked, as the compiler's flag lists them.
pub const SANITIZED: &str = "shift,integer-divide-by-zero,signed-integer-overflow,array-bounds,nonnull-attribute,\
                             returns-nonnull-attribute,bool,float-cast-overflow,alignment";

/// A check before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceCheck {
    /// The number of the instruction.
    pub before: u32,
    /// What has to hold.
    pub kind: SourceCheckKind,
    /// The line and column of what is checked, in the file of the instruction.
    pub place: Option<(u32, u32)>,
}

/// What has to hold before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceCheckKind {
    /// The instruction is a shift to the left of a number with a sign, whose result has to fit.
    ShiftBase,
    /// An index into an array is less than its length; `None` if the compiler knows that it is not.
    Index(Option<Limit>),
    /// What is passed, or returned, is not null; `None` is the constant that is.
    NonNull(Option<Value>),
    /// A value of `_Bool` is 0 or 1.
    Bool(Value),
    /// An address is a multiple of a power of two.
    Aligned(Value, u64),
    /// This never holds: operands that the compiler knows are wrong, and the operation is no instruction any more.
    Wrong(WrongConstants),
}

/// What is wrong about an operation on constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WrongConstants {
    /// The divisor is zero, or the quotient does not fit.
    Division,
    /// The amount is out of range, or bits are lost.
    Shift,
    /// The result does not fit.
    Overflow,
    /// The number does not fit the integer that it is converted to.
    FloatCast,
}

/// An index and what it has to be less than, as a number without a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The index.
    pub index: Value,
    /// Whether it is extended with its sign.
    pub is_signed: bool,
    /// The least number that is too large.
    pub end: u64,
}

/// The numbers of the sanitizer's traps.
mod trap {
    pub(super) const ADD_OVERFLOW: i64 = 0;
    pub(super) const DIVREM_OVERFLOW: i64 = 3;
    pub(super) const FLOAT_CAST_OVERFLOW: i64 = 5;
    pub(super) const MUL_OVERFLOW: i64 = 12;
    pub(super) const NEGATE_OVERFLOW: i64 = 13;
    pub(super) const SUB_OVERFLOW: i64 = 21;
    pub(super) const LOAD_INVALID_VALUE: i64 = 10;
    pub(super) const NONNULL_ARG: i64 = 16;
    pub(super) const NONNULL_RETURN: i64 = 17;
    pub(super) const OUT_OF_BOUNDS: i64 = 18;
    pub(super) const SHIFT_OUT_OF_BOUNDS: i64 = 20;
    pub(super) const TYPE_MISMATCH: i64 = 22;
}

/// Notes in a module the checks that stand in another one, which is the same source with sanitizers.
pub fn take_checks(module: &mut Module, sanitized: &Module) {
    for function in &sanitized.functions {
        let Some(code) = function.body.code() else { continue };
        let name = sanitized.text(function.name);
        let Some(super::ast::Symbol::Function(index)) =
            module.names.find(name).and_then(|n| module.symbol(n))
        else {
            continue;
        };
        let super::ast::Body::Defined(plain) = &mut module.functions[index].body else { continue };
        let pairing = Pairing { module: sanitized, code };
        if let Some(checks) = pairing.checks(plain) {
            plain.checks = checks;
        }
    }
}

/// What is no instruction of the plain form, as the compiler has computed it.
#[derive(Default)]
struct Known {
    /// The numbers that come out; `None` where that is not followed.
    values: FxHashMap<LocalId, Option<i128>>,
    /// The calls whose result does not fit.
    overflowed: FxHashSet<LocalId>,
}

fn local(value: Value) -> Option<LocalId> {
    match value {
        Value::Local(local) => Some(local),
        Value::Const(_) => None,
    }
}

/// The sanitized form of a function.
struct Pairing<'m> {
    module: &'m Module,
    code: &'m Code,
}

impl Pairing<'_> {
    fn is_added(&self, inst: &Inst) -> bool {
        inst.attachments.iter().any(|(name, _)| self.module.text(*name) == "nosanitize")
    }

    /// The checks, before the instructions of the plain form; nothing if the forms differ otherwise.
    fn checks(&self, plain: &Code) -> Option<Vec<SourceCheck>> {
        let traps: FxHashMap<BlockIx, i64> =
            self.code.block_ids().filter_map(|ix| Some((ix, self.trap(ix)?))).collect();
        let mut names: FxHashMap<LocalId, LocalId> = FxHashMap::default();
        let params = self.code.locals.iter().take_while(|local| local.def.is_none()).count();
        names.extend((0..params as u32).map(|i| (LocalId(i), LocalId(i))));
        // Where a function returns that may not return null is kept in a local that only added instructions read.
        let read =
            self.code.insts.iter().filter(|inst| self.is_added(inst)).filter_map(|inst| match &inst.kind {
                InstKind::Load(load) => local(load.pointer.value),
                _ => None,
            });
        let places: FxHashSet<LocalId> = read.collect();
        let is_place = |inst: &Inst| match &inst.kind {
            InstKind::Alloca { .. } => inst.result.is_some_and(|result| places.contains(&result)),
            InstKind::Store(store) => local(store.pointer.value).is_some_and(|to| places.contains(&to)),
            _ => false,
        };
        let mut kept = 0;
        let mut own: Vec<&Inst> = Vec::new();
        let mut found: Vec<(u32, &Inst, i64)> = Vec::new();
        let mut known = Known::default();
        let mut counted: FxHashMap<LocalId, LocalId> = FxHashMap::default();
        for ix in self.code.block_ids().filter(|ix| !traps.contains_key(ix)) {
            for inst in self.code.insts_of(ix) {
                if self.compute(inst, &mut known) || is_place(inst) {
                    continue;
                }
                let is_counted = self.operation(inst).is_some();
                if self.is_added(inst) && !is_counted {
                    match &inst.kind {
                        InstKind::CondBr { then, otherwise, .. } => {
                            let number = traps.get(otherwise).or_else(|| traps.get(then));
                            found.extend(number.map(|&number| (kept, inst, number)));
                        }
                        InstKind::ExtractValue { aggregate, path } if path[..] == [0] => {
                            let sum = local(aggregate.value).and_then(|call| counted.get(&call).copied());
                            names.extend(inst.result.zip(sum));
                        }
                        _ => {}
                    }
                    continue;
                }
                let same = plain.insts.get(kept as usize)?;
                let is_alike = if is_counted {
                    matches!(same.kind, InstKind::Binary { .. })
                } else {
                    std::mem::discriminant(&same.kind) == std::mem::discriminant(&inst.kind)
                };
                if !is_alike || same.result.is_some() != inst.result.is_some() {
                    return None;
                }
                let pairs = if is_counted { &mut counted } else { &mut names };
                pairs.extend(inst.result.zip(same.result));
                own.push(inst);
                kept += 1;
            }
        }
        if kept as usize != plain.insts.len() {
            return None;
        }
        let mut seen = FxHashSet::default();
        let kinds = found.into_iter().filter_map(|(before, inst, number)| {
            let next = &plain.insts[before as usize];
            let kind = match self.wrong(inst, number, &known, next) {
                Some(wrong) => SourceCheckKind::Wrong(wrong),
                None => self.kind(inst, number, &names, (next, own[before as usize]))?,
            };
            let is_new = kind != SourceCheckKind::ShiftBase || seen.insert(before);
            is_new.then(|| SourceCheck { before, kind, place: self.place(inst) })
        });
        Some(kinds.collect())
    }

    /// The line and column that an instruction is at.
    fn place(&self, inst: &Inst) -> Option<(u32, u32)> {
        let node = self.module.node(inst.dbg?).with(&self.module.names);
        let number = |name: &str| u32::try_from(node.u64(name)?).ok();
        Some((number("line")?, number("column")?))
    }

    /// The operation on numbers with signs that an added call is.
    fn operation(&self, inst: &Inst) -> Option<BinaryOp> {
        let InstKind::Call(call) = &inst.kind else { return None };
        let Callee::Named(name) = call.callee else { return None };
        let name = self.module.text(name).strip_prefix("llvm.")?.split_once(".with.overflow")?.0;
        let op = match name {
            "sadd" => BinaryOp::Add,
            "ssub" => BinaryOp::Sub,
            "smul" => BinaryOp::Mul,
            _ => return None,
        };
        self.is_added(inst).then_some(op)
    }

    /// Whether the compiler computes the instruction where no sanitizer hinders it; what comes out is noted.
    fn compute(&self, inst: &Inst, known: &mut Known) -> bool {
        let of = |value: Value| match value {
            Value::Const(_) => Some(self.number(value).map(i128::from)),
            Value::Local(local) => known.values.get(&local).copied(),
        };
        let is_local = |value: Value| local(value).is_some();
        let value = match &inst.kind {
            InstKind::Call(call) => {
                let (Some(op), [left, right]) = (self.operation(inst), &call.args[..]) else { return false };
                let (Some(x), Some(y)) = (of(left.0.value), of(right.0.value)) else { return false };
                // Of numbers that are too wide nothing is known.
                let sum = x.zip(y).and_then(|(x, y)| match op {
                    BinaryOp::Add => x.checked_add(y),
                    BinaryOp::Sub => x.checked_sub(y),
                    _ => x.checked_mul(y),
                });
                let spare =
                    self.module.types.int_bits(left.0.ty).and_then(|bits| i128::BITS.checked_sub(bits));
                let wrapped = sum.zip(spare).map(|(sum, spare)| sum << spare >> spare);
                if wrapped != sum {
                    known.overflowed.extend(inst.result);
                }
                wrapped
            }
            InstKind::ExtractValue { aggregate, path } if self.is_added(inst) => {
                let Some(sum) = of(aggregate.value).filter(|_| is_local(aggregate.value)) else {
                    return false;
                };
                if path[..] != [0] {
                    return false;
                }
                sum
            }
            InstKind::Binary { left, right, .. } | InstKind::Compare { left, right, .. }
                if !self.is_added(inst) =>
            {
                let is_known = of(left.value).is_some() && of(*right).is_some();
                if !is_known || !is_local(left.value) && !is_local(*right) {
                    return false;
                }
                None
            }
            InstKind::Cast { value, .. } if !self.is_added(inst) && is_local(value.value) => {
                if of(value.value).is_none() {
                    return false;
                }
                None
            }
            _ => return false,
        };
        known.values.extend(inst.result.map(|result| (result, value)));
        true
    }

    /// What is wrong about the constants of an operation, if a branch to a trap says so. Where the operation is an instruction
    /// of the plain form, the next one, its own check says it.
    fn wrong(&self, branch: &Inst, number: i64, known: &Known, next: &Inst) -> Option<WrongConstants> {
        let InstKind::CondBr { condition, .. } = &branch.kind else { return None };
        let asked = self.code.definition(condition.value).map(|inst| &inst.kind);
        let is_false = |value: Value| self.number(value) == Some(0);
        match number {
            trap::DIVREM_OVERFLOW => is_false(condition.value).then_some(WrongConstants::Division),
            trap::FLOAT_CAST_OVERFLOW => is_false(condition.value).then_some(WrongConstants::FloatCast),
            trap::SHIFT_OUT_OF_BOUNDS => {
                let (amount, is_lost) = match asked {
                    None => (condition.value, false),
                    Some(InstKind::Binary { op: BinaryOp::And, left, right, .. }) => {
                        let base = self.code.definition(*right);
                        let is_lost = base.is_some_and(|base| {
                            matches!(&base.kind, InstKind::Phi { incoming, .. } if incoming.iter().any(|(value, _)| is_false(*value)))
                        });
                        (left.value, is_lost)
                    }
                    Some(_) => return None,
                };
                let is_wrong = is_false(amount) || self.number(amount).is_some() && is_lost;
                (is_wrong && !self.is_shift_too_far(next, is_false(amount))).then_some(WrongConstants::Shift)
            }
            trap::ADD_OVERFLOW | trap::SUB_OVERFLOW | trap::MUL_OVERFLOW | trap::NEGATE_OVERFLOW => {
                // `xor` of the second result and `true`.
                let InstKind::Binary { left, .. } = asked? else { return None };
                let InstKind::ExtractValue { aggregate, .. } = &self.code.definition(left.value)?.kind else {
                    return None;
                };
                let call = local(aggregate.value)?;
                known.overflowed.contains(&call).then_some(WrongConstants::Overflow)
            }
            _ => None,
        }
    }

    /// The number of the trap that a block is.
    fn trap(&self, ix: BlockIx) -> Option<i64> {
        let first = self.code.insts_of(ix).first().filter(|inst| self.is_added(inst))?;
        let InstKind::Call(call) = &first.kind else { return None };
        let Callee::Named(name) = call.callee else { return None };
        if self.module.text(name) != "llvm.ubsantrap" {
            return None;
        }
        self.first_number(call)
    }

    fn first_number(&self, call: &Call) -> Option<i64> {
        self.number(call.args.first()?.0.value)
    }

    fn number(&self, value: Value) -> Option<i64> {
        let Value::Const(c) = value else { return None };
        match self.module.constant(c).kind {
            ConstKind::Int(n) => Some(n),
            ConstKind::Zero => Some(0),
            _ => None,
        }
    }

    fn kind(
        &self,
        branch: &Inst,
        number: i64,
        names: &FxHashMap<LocalId, LocalId>,
        (next, own): (&Inst, &Inst),
    ) -> Option<SourceCheckKind> {
        let InstKind::CondBr { condition, .. } = &branch.kind else { return None };
        if number == trap::TYPE_MISMATCH {
            return self.aligned(condition.value, names, (next, own));
        }
        let Some(asked) = self.code.definition(condition.value) else {
            // The compiler knows; what always holds is no check.
            let is_wrong = self.number(condition.value) == Some(0);
            return match number {
                trap::OUT_OF_BOUNDS if is_wrong => Some(SourceCheckKind::Index(None)),
                trap::NONNULL_ARG | trap::NONNULL_RETURN if is_wrong => Some(SourceCheckKind::NonNull(None)),
                _ => None,
            };
        };
        // A check of the amount alone is a comparison; with one of the number it is both.
        if number == trap::SHIFT_OUT_OF_BOUNDS {
            let is_both = matches!(asked.kind, InstKind::Binary { op: BinaryOp::And, .. });
            return is_both.then_some(SourceCheckKind::ShiftBase);
        }
        let InstKind::Compare { predicate: Predicate::Int(predicate), left, right, .. } = &asked.kind else {
            return None;
        };
        let plain = |value: Value| match value {
            Value::Local(local) => names.get(&local).copied().map(Value::Local),
            Value::Const(_) => None,
        };
        match (number, predicate) {
            (trap::OUT_OF_BOUNDS, IntPredicate::Ult | IntPredicate::Ule) => {
                let (index, is_signed) = self.without_extension(left.value);
                let last = u64::try_from(self.number(*right)?).ok()?;
                let end = if *predicate == IntPredicate::Ule { last + 1 } else { last };
                Some(SourceCheckKind::Index(Some(Limit { index: plain(index)?, is_signed, end })))
            }
            (trap::NONNULL_ARG | trap::NONNULL_RETURN, IntPredicate::Ne) => {
                Some(SourceCheckKind::NonNull(Some(plain(left.value)?)))
            }
            (trap::LOAD_INVALID_VALUE, IntPredicate::Ule) => Some(SourceCheckKind::Bool(plain(left.value)?)),
            _ => None,
        }
    }

    /// Whether an instruction of the plain form is a shift of which its own check says what is wrong: where it is the amount, that
    /// of the instruction is out of range, too.
    fn is_shift_too_far(&self, inst: &Inst, is_amount: bool) -> bool {
        let InstKind::Binary { op: BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, left, right, .. } =
            &inst.kind
        else {
            return false;
        };
        let width = self.module.types.int_bits(left.ty).map_or(0, i64::from);
        let is_out_of_range = || self.number(*right).is_none_or(|amount| !(0..width).contains(&amount));
        local(left.value).is_some() && (!is_amount || is_out_of_range())
    }

    /// That an address is aligned: `address & (bytes - 1) == 0`. A constant is the one of the access behind the check, if that has such
    /// an alignment; of a structure with a member that is accessed there the compiler lays out the address.
    fn aligned(
        &self,
        condition: Value,
        names: &FxHashMap<LocalId, LocalId>,
        (next, own): (&Inst, &Inst),
    ) -> Option<SourceCheckKind> {
        let InstKind::Compare { predicate: Predicate::Int(IntPredicate::Eq), left: low, .. } =
            self.operation_of(condition)?
        else {
            return None;
        };
        let InstKind::Binary { op: BinaryOp::And, left, right, .. } = self.operation_of(low.value)? else {
            return None;
        };
        let InstKind::Cast { value: address, .. } = self.operation_of(left.value)? else { return None };
        let bytes = u64::try_from(self.number(*right)?).ok()?.checked_add(1)?;
        let is_own = |ty| self.module.layouts.get(ty).is_some_and(|layout| bytes <= layout.align);
        let address = match (address.value, &next.kind, &own.kind) {
            (Value::Local(local), ..) => Value::Local(*names.get(&local)?),
            (Value::Const(_), InstKind::Load(load), InstKind::Load(own)) if is_own(own.ty) => {
                load.pointer.value
            }
            (Value::Const(_), InstKind::Store(store), InstKind::Store(own)) if is_own(own.value.ty) => {
                store.pointer.value
            }
            _ => return None,
        };
        bytes.is_power_of_two().then_some(SourceCheckKind::Aligned(address, bytes))
    }

    /// What computes a value, be it an instruction or a constant expression.
    fn operation_of(&self, value: Value) -> Option<&InstKind> {
        match value {
            Value::Local(_) => self.code.definition(value).map(|inst| &inst.kind),
            Value::Const(c) => match &self.module.constant(c).kind {
                ConstKind::Expr(inst) => Some(inst),
                _ => None,
            },
        }
    }

    /// A value as it was before the sanitizer made it wider, and whether it has a sign.
    fn without_extension(&self, value: Value) -> (Value, bool) {
        match self.code.definition(value) {
            Some(inst) if self.is_added(inst) => match &inst.kind {
                InstKind::Cast { op: CastOp::SExt, value, .. } => (value.value, true),
                InstKind::Cast { op: CastOp::ZExt, value, .. } => (value.value, false),
                _ => (value, true),
            },
            _ => (value, true),
        }
    }
}
