//! Sampled functions: external functions without a source that can be called to see what they return.
//!
//! **Idea.** A call of such a function, if its parameters and result are numbers, is lowered to the application of an
//! uninterpreted function. The concolic engine asks the real function for its value, and the test that it finds calls
//! the real function, too. Example: with `isqrt` sampled, `if (isqrt(n) == 12)` becomes a branch on the term
//! `isqrt(n)`, and the run asks the library for `isqrt` of the concrete `n`.
//!
//! **Direction of error.** An application has the same value wherever its arguments are equal, and it changes no
//! memory. Neither is guaranteed for the real function. Programs that are lowered in this way are therefore used for
//! finding tests only; proofs are about programs in which the function is a stub that may return anything.

use footpath_ir::source::Span;
use footpath_ir::{Attribute, Function, StatementKind};
use footpath_term::{Args, FuncDecl, FuncId, FuncKind, Op, SymbolId, TermId};

use crate::llvm::ast::Call;

use super::super::lower::context::Context;
use super::super::lower::function::Lowering;
use super::super::lower::scalars;
use super::super::{StubType, Unsupported};
use super::link::FnRef;

/// The signature of a sampled function, whose parameters and result are numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Its parameters; at least one.
    pub params: Vec<Number>,
    /// Its result.
    pub result: Number,
}

/// A number, as it is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// Its type: an integer of 1, 8, 16, 32 or 64 bits, or a floating-point number of 32 or 64.
    pub ty: StubType,
    /// Whether it is a signed integer narrower than a register, which its caller widens.
    pub signed: bool,
}

/// A function whose calls are applications.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampledFunction {
    /// Its name.
    pub name: String,
    /// The uninterpreted function that is applied.
    pub function: FuncId,
    /// Its parameters and result.
    pub signature: Numbers,
}

/// The signature of a function, if it has parameters and they and the result are numbers.
pub(crate) fn signature(cx: &Context, f: FnRef) -> Option<Numbers> {
    let (module, function) = (cx.module(f.module), cx.linked.function(f));
    if function.varargs || function.params.is_empty() {
        return None;
    }
    let number = |ty, attrs| {
        let scalars = scalars::leaves(module, ty)?;
        let &[leaf] = &scalars[..] else { return None };
        let ty = crate::c::lower::stubs::stub_scalar(leaf.scalar);
        let fits = matches!(ty, StubType::Int(1 | 8 | 16 | 32 | 64) | StubType::Float(32 | 64));
        let hidden = ["byval", "sret", "inreg"].iter().any(|a| module.attr(attrs, a).is_some());
        (fits && !hidden).then(|| Number { ty, signed: module.attr(attrs, "signext").is_some() })
    };
    let params: Option<Vec<Number>> = function.params.iter().map(|p| number(p.ty, p.attrs)).collect();
    Some(Numbers { params: params?, result: number(function.ret, function.ret_attrs)? })
}

/// The declarations of the functions that were applied, for the program.
pub(crate) fn declarations(cx: &mut Context, span: Span) -> Vec<Function> {
    let applied: Vec<FuncId> = cx.sampled.values().map(|s| s.function).collect();
    let declare = |id: FuncId| {
        let sorts = cx.terms.function(id).params.clone();
        let params = sorts.into_iter().map(|sort| cx.terms.fresh_symbol("x", sort)).collect();
        let attribute = Attribute { name: "sampled".into(), args: Vec::new() };
        Function { id, params, body: None, span, attributes: vec![attribute] }
    };
    applied.into_iter().map(declare).collect()
}

impl Lowering<'_, '_, '_> {
    /// The result of a call of a function that is to be sampled; `None` if the call is not one, or does not fit the
    /// function's declaration.
    pub(crate) fn sampled(&mut self, f: FnRef, call: &Call) -> Result<Option<Vec<SymbolId>>, Unsupported> {
        let name = self.cx.linked.function_name(f);
        if !self.cx.options.sampled.contains(name) {
            return Ok(None);
        }
        let Some(signature) = signature(self.cx, f) else { return Ok(None) };
        let function = self.cx.linked.function(f);
        let (mut params, mut args) = (Vec::new(), Args::new());
        for (i, param) in function.params.iter().enumerate() {
            let (sorts, Some((operand, _))) = (self.cx.sorts(f.module, param.ty)?, call.args.get(i)) else {
                return Ok(None);
            };
            let given = self.value(*operand)?;
            let (&[sort], &[arg]) = (&sorts[..], &given[..]) else { return Ok(None) };
            if self.cx.terms.sort(arg) != sort {
                return Ok(None);
            }
            params.push(sort);
            args.push(arg);
        }
        let results = self.cx.sorts(f.module, function.ret)?;
        let &[result] = &results[..] else { return Ok(None) };
        let function = self.applied(name, signature, params, result);
        let Some(function) = function else { return Ok(None) };
        let value: TermId = self.cx.terms.app_sorted(Op::Apply(function), args, result);
        let symbol = self.new_local("sampled", result);
        self.statement(StatementKind::Assign(vec![(symbol, value)]));
        Ok(Some(vec![symbol]))
    }

    /// The uninterpreted function that stands for the one of this name; `None` if it was declared with other types
    /// elsewhere.
    fn applied(
        &mut self,
        name: &str,
        signature: Numbers,
        params: Vec<footpath_term::SortId>,
        result: footpath_term::SortId,
    ) -> Option<FuncId> {
        if let Some(known) = self.cx.sampled.get(name) {
            return (known.signature == signature).then_some(known.function);
        }
        let unique = self.cx.unique_name(&format!("sampled${name}"));
        let kind = FuncKind::Uninterpreted;
        let decl = FuncDecl { name: unique, type_params: Vec::new(), params, result, kind };
        let function = self.cx.terms.declare_function(decl);
        let entry = SampledFunction { name: name.to_owned(), function, signature };
        self.cx.sampled.insert(name.to_owned(), entry);
        Some(function)
    }
}
