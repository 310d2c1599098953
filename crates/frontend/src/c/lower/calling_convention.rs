//! Calling convention: what a callee finds in its parameters, and a caller in the result, where a function is called as one
//! of another type.
//!
//! **Idea.** C leaves such calls undefined, and machines run most of them. Arguments are passed in registers: whole numbers and
//! addresses in one row of them, floating-point numbers in another. The nth parameter of a row is what the nth register holds.
//! So arguments that nobody takes are lost, parameters that nobody passes are arbitrary, a narrower parameter is the lower
//! bits of its argument, and the upper bits of a wider one are arbitrary (zeros in tests, which is what compilers leave there).
//! A result that nobody takes is lost.
//!
//! Example: `int two(int a, int b)` that is called as `int (*)(int, int, int)` with `(n, 1, 2)` gets `n` and `1`.
//!
//! What the registers do not decide fails as `call_type`: structures in memory, more arguments than there are registers,
//! floating-point numbers of another width, and a result that is used although none of its kind is returned. The call runs
//! all the same, with arbitrary values.
//!
//! **Paper.** M. Matz, J. Hubička, A. Jaeger, M. Mitchell, "System V Application Binary Interface, AMD64 Architecture Processor
//! Supplement", 3.2.
//!
//! **Direction of error.** On machines with pointers of 32 bits arguments are words on the stack, which are treated in the same
//! way if each takes one word. The convention of another machine may differ where types do; a sanitizer that forbids all such
//! calls reports more than is said here.

use footpath_ir::AssertKind;
use footpath_term::{Op, SortId, SymbolId, TermId};

use crate::llvm::ast::{AttrsId, Call, Inst, TypeId};

use super::super::Unsupported;
use super::super::facts::link::FnRef;
use super::context::{Context, Pointer};
use super::function::Lowering;
use super::scalars::Scalar;

/// How many registers there are for whole numbers and addresses.
const GENERAL: usize = 6;
/// How many registers there are for floating-point numbers.
const NUMBERS: usize = 8;

/// Which argument arrives in each parameter, by its position; `None` if nothing does.
type Arrivals = Vec<Option<usize>>;

impl Context<'_, '_> {
    /// What a value that is passed in one register is.
    fn in_register(&self, module: u32, ty: TypeId) -> Option<Scalar> {
        match self.leaves(module, ty).ok()?[..] {
            [leaf] => match leaf.scalar {
                Scalar::Int(bits) if bits > self.shape.bits => None,
                Scalar::Float(bits) if bits > self.shape.bits => None,
                scalar => Some(scalar),
            },
            _ => None,
        }
    }

    /// Which argument of a call in a module each parameter of a function receives; `None` if registers do not tell.
    fn arrivals(&mut self, f: FnRef, module: u32, call: &Call) -> Option<Arrivals> {
        let function = self.linked.function(f);
        let by_value = |cx: &Self, module, attrs| cx.module(module).attr(attrs, "byval").is_some();
        let named = function.params.len();
        let mut fits = if function.varargs { named <= call.args.len() } else { named == call.args.len() };
        for (param, (arg, attrs)) in function.params.iter().zip(&call.args) {
            fits &= by_value(self, f.module, param.attrs) == by_value(self, module, *attrs);
            fits &= match (self.sorts(f.module, param.ty), self.sorts(module, arg.ty)) {
                (Ok(wanted), Ok(given)) => {
                    wanted == given && self.is_float(f.module, param.ty) == self.is_float(module, arg.ty)
                }
                _ => false,
            };
        }
        if fits {
            return Some((0..named).map(Some).collect());
        }
        let mut rows: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        let row = |scalar| usize::from(matches!(scalar, Scalar::Float(_)) && self.shape.bits == 64);
        for (i, (arg, attrs)) in call.args.iter().enumerate() {
            let scalar = self.in_register(module, arg.ty).filter(|_| !by_value(self, module, *attrs))?;
            rows[row(scalar)].push(i);
        }
        let mut used = [0, 0];
        let mut arrivals = Vec::new();
        for param in &function.params {
            let scalar =
                self.in_register(f.module, param.ty).filter(|_| !by_value(self, f.module, param.attrs))?;
            let row = row(scalar);
            let arrives = rows[row].get(used[row]).copied();
            used[row] += 1;
            let given = arrives.and_then(|i| self.in_register(module, call.args[i].0.ty));
            let float = |s: Scalar| if let Scalar::Float(bits) = s { Some(bits) } else { None };
            if given.is_some_and(|given| float(given) != float(scalar)) {
                return None;
            }
            arrivals.push(arrives);
        }
        let [general, numbers] = [0, 1].map(|row| used[row].max(rows[row].len()));
        (self.shape.bits != 64 || general <= GENERAL && numbers <= NUMBERS).then_some(arrivals)
    }

    fn is_float(&self, module: u32, ty: TypeId) -> bool {
        matches!(self.in_register(module, ty), Some(Scalar::Float(_)))
    }
}

impl Lowering<'_, '_, '_> {
    /// The arguments of a call of a function, as its parameters receive them.
    pub(crate) fn arguments(&mut self, f: FnRef, call: &Call) -> Result<Vec<Option<TermId>>, Unsupported> {
        let list = self.variable_arguments(f, call)?;
        let function = self.cx.linked.function(f);
        let arrivals = self.cx.arrivals(f, self.f.module, call);
        if arrivals.is_none() {
            self.is_of_another_type();
        }
        let mut args = Vec::new();
        for (i, param) in function.params.iter().enumerate() {
            let sorts = self.cx.sorts(f.module, param.ty)?;
            match arrivals.as_ref().and_then(|arrivals| arrivals[i]) {
                Some(at) => {
                    let (operand, attrs) = call.args[at];
                    let given = self.value(operand)?;
                    let given = self.as_declared(given, operand.ty, attrs);
                    args.extend(self.received(given, &sorts, Some(f), param.ty)?.into_iter().map(Some));
                }
                None => args.extend(sorts.iter().map(|_| None)),
            }
        }
        args.extend(list.map(Some));
        Ok(args)
    }

    /// The result of a call, made of what a function returned; of an external function that has no type of its own, `f` is
    /// `None`.
    pub(crate) fn take_result(
        &mut self,
        inst: &Inst,
        f: Option<FnRef>,
        call: &Call,
        results: &[SymbolId],
    ) -> Result<(), Unsupported> {
        if inst.result.is_none() {
            return Ok(());
        }
        let value: Vec<TermId> = results.iter().map(|&s| self.cx.terms.var(s)).collect();
        let value = self.returned(inst, f, call, value)?;
        self.define(inst, value);
        Ok(())
    }

    /// What a call results in if a function returned these values.
    pub(crate) fn returned(
        &mut self,
        inst: &Inst,
        f: Option<FnRef>,
        call: &Call,
        value: Vec<TermId>,
    ) -> Result<Vec<TermId>, Unsupported> {
        let wanted = self.cx.sorts(self.f.module, call.ret)?;
        let given: Vec<SortId> = value.iter().map(|&v| self.cx.terms.sort(v)).collect();
        let Some(f) = f else { return Ok(if given == wanted { value } else { self.arbitrary(&wanted) }) };
        let ret = self.cx.linked.function(f).ret;
        let float = [self.cx.is_float(f.module, ret), self.cx.is_float(self.f.module, call.ret)];
        if given == wanted && float[0] == float[1] {
            return Ok(value);
        }
        let in_register = self.cx.in_register(f.module, ret).is_some()
            && self.cx.in_register(self.f.module, call.ret).is_some();
        if in_register && float == [false, false] {
            return self.received(value, &wanted, None, call.ret);
        }
        if inst.result.is_some_and(|result| !self.users[result.index()].is_empty()) && !wanted.is_empty() {
            self.is_of_another_type();
        }
        Ok(self.arbitrary(&wanted))
    }

    /// Notes that a function is called as one of another type.
    fn is_of_another_type(&mut self) {
        let yes = self.cx.terms.bool(true);
        self.soft_check(AssertKind::CallType, yes);
    }

    /// An argument as its caller passes it: compilers extend those that are narrower than `int`.
    fn as_declared(&mut self, given: Vec<TermId>, ty: TypeId, attrs: AttrsId) -> Vec<TermId> {
        let is_signed = self.module.attr(attrs, "signext").is_some();
        match (self.cx.in_register(self.f.module, ty), &given[..]) {
            (Some(Scalar::Int(bits)), &[number]) if bits < 32 && is_signed => {
                vec![self.cx.resize(number, 32, true)]
            }
            (Some(Scalar::Int(bits)), &[number])
                if bits < 32 && self.module.attr(attrs, "zeroext").is_some() =>
            {
                vec![self.cx.resize(number, 32, false)]
            }
            _ => given,
        }
    }

    /// What a register that holds a value is for somebody who takes it as one of another type.
    fn received(
        &mut self,
        given: Vec<TermId>,
        wanted: &[SortId],
        f: Option<FnRef>,
        ty: TypeId,
    ) -> Result<Vec<TermId>, Unsupported> {
        let has: Vec<SortId> = given.iter().map(|&v| self.cx.terms.sort(v)).collect();
        if has == wanted {
            return Ok(given);
        }
        let register = match given[..] {
            [object, offset] => self.cx.pack(Pointer { object, offset }),
            // Callers extend it to an `int`, but of a result only one byte is set: `setl %al`.
            [value] if has[0] == SortId::BOOL => self.cx.bool_to_bv(value, if f.is_some() { 32 } else { 8 }),
            [value] => value,
            _ => return Ok(self.arbitrary(wanted)),
        };
        let bits = self.cx.shape.bits;
        Ok(match self.cx.in_register(f.map_or(self.f.module, |f| f.module), ty) {
            Some(Scalar::Int(bits)) => vec![self.low_bits(register, bits)],
            Some(Scalar::Pointer) => {
                let whole = self.low_bits(register, bits);
                let p = self.cx.unpack(whole);
                vec![p.object, p.offset]
            }
            Some(Scalar::Bool) => {
                let byte = self.low_bits(register, 8);
                let [zero, one] = [0, 1].map(|n| self.cx.bv(8, n));
                let [no, yes] = [zero, one].map(|n| self.cx.app(Op::Eq, &[byte, n]));
                let known = self.cx.app(Op::Or, &[no, yes]);
                vec![self.where_known(known, yes)]
            }
            _ => self.arbitrary(wanted),
        })
    }

    /// So many lower bits of a register: what lies above the value that it holds is arbitrary, and zero in tests.
    fn low_bits(&mut self, value: TermId, bits: u32) -> TermId {
        let has = self.cx.width(value);
        if bits <= has || !self.cx.options.conservative_externals {
            return self.cx.resize(value, bits, false);
        }
        let sort = self.cx.terms.bit_vec_sort(bits - has);
        let above = self.arbitrary(&[sort])[0];
        self.cx.app(Op::Concat, &[above, value])
    }
}
