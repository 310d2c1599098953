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
//! **Direction of error.** Towards too few checks: a function whose two texts are not the same instructions has none, nor has a
//! condition of an unknown form.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{
    BinaryOp, BlockIx, Call, Callee, CastOp, Code, ConstKind, Inst, InstKind, IntPredicate, LocalId, Module,
    Predicate, TypeKind, Value,
};

/// The checks for which the sanitizer is asked, as the compiler's flag lists them.
pub const SANITIZED: &str = "shift-base,array-bounds,nonnull-attribute,returns-nonnull-attribute,bool";

/// A check before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceCheck {
    /// The number of the instruction.
    pub before: u32,
    /// What has to hold.
    pub kind: SourceCheckKind,
}

/// What has to hold before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceCheckKind {
    /// The instruction is a shift to the left of a number with a sign, whose result has to fit.
    ShiftBase,
    /// An index into an array is less than its length; `None` if the compiler knows that it is not.
    Index(Option<Limit>),
    /// What is passed, or returned, is not null.
    NonNull(Value),
    /// A value of `_Bool` is 0 or 1.
    Bool(Value),
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
    pub(super) const LOAD_INVALID_VALUE: i64 = 10;
    pub(super) const NONNULL_ARG: i64 = 16;
    pub(super) const NONNULL_RETURN: i64 = 17;
    pub(super) const OUT_OF_BOUNDS: i64 = 18;
    pub(super) const SHIFT_OUT_OF_BOUNDS: i64 = 20;
}

/// Whether a module has code that these checks could be about.
pub fn may_have_checks(module: &Module) -> bool {
    let is_array = |ty| matches!(module.types.resolved(ty), TypeKind::Array(..));
    let codes = || module.functions.iter().filter_map(|f| f.body.code());
    let is_meant = |inst: &Inst| match &inst.kind {
        InstKind::Binary { op: BinaryOp::Shl, .. } => true,
        InstKind::Gep(gep) => is_array(gep.source),
        InstKind::Cast { op: CastOp::Trunc, to, .. } => module.types.int_bits(*to) == Some(1),
        InstKind::Call(call) => call.args.iter().any(|(_, attrs)| module.attr(*attrs, "nonnull").is_some()),
        _ => false,
    };
    let is_promised = |attrs| module.attr(attrs, "nonnull").is_some();
    module.functions.iter().any(|f| is_promised(f.ret_attrs) || f.params.iter().any(|p| is_promised(p.attrs)))
        || codes().any(|code| code.insts.iter().any(is_meant))
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
        let mut kept = 0;
        let mut found: Vec<(u32, &Inst, i64)> = Vec::new();
        for ix in self.code.block_ids().filter(|ix| !traps.contains_key(ix)) {
            for inst in self.code.insts_of(ix) {
                if self.is_added(inst) {
                    if let InstKind::CondBr { then, otherwise, .. } = &inst.kind
                        && let Some(&number) = traps.get(otherwise).or_else(|| traps.get(then))
                    {
                        found.push((kept, inst, number));
                    }
                    continue;
                }
                let same = plain.insts.get(kept as usize)?;
                let is_alike = std::mem::discriminant(&same.kind) == std::mem::discriminant(&inst.kind)
                    && same.result.is_some() == inst.result.is_some();
                if !is_alike {
                    return None;
                }
                names.extend(inst.result.zip(same.result));
                kept += 1;
            }
        }
        if kept as usize != plain.insts.len() {
            return None;
        }
        let mut seen = FxHashSet::default();
        let kinds = found.into_iter().filter_map(|(before, inst, number)| {
            let kind = self.kind(inst, number, &names)?;
            (kind != SourceCheckKind::ShiftBase || seen.insert(before))
                .then_some(SourceCheck { before, kind })
        });
        Some(kinds.collect())
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
    ) -> Option<SourceCheckKind> {
        if number == trap::SHIFT_OUT_OF_BOUNDS {
            return Some(SourceCheckKind::ShiftBase);
        }
        let InstKind::CondBr { condition, .. } = &branch.kind else { return None };
        let Some(asked) = self.code.definition(condition.value) else {
            // The compiler knows; what always holds is no check.
            let is_wrong = number == trap::OUT_OF_BOUNDS && self.number(condition.value) == Some(0);
            return is_wrong.then_some(SourceCheckKind::Index(None));
        };
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
                Some(SourceCheckKind::NonNull(plain(left.value)?))
            }
            (trap::LOAD_INVALID_VALUE, IntPredicate::Ule) => Some(SourceCheckKind::Bool(plain(left.value)?)),
            _ => None,
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
