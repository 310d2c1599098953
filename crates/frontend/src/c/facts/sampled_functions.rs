//! Functions that nobody has the source of, but that can be run to see what they give.
//!
//! A call of one whose parameters and result are numbers becomes the application of a function without a definition.
//! Whoever runs the program asks the real function for its value; the test that comes of it calls that function, too.
//!
//! **Direction of error.** The application has the same value wherever its arguments are the same, and changes
//! nothing. Nobody knows that of the function. So programs that are lowered like this are for finding tests; proofs are
//! about programs in which the function is a stub.

use footpath_ir::source::Span;
use footpath_ir::{Attribute, Function, StatementKind};
use footpath_term::{Args, FuncDecl, FuncId, FuncKind, Op, SymbolId, TermId};

use crate::llvm::ast::Call;

use super::super::lower::context::Context;
use super::super::lower::function::Lowering;
use super::super::lower::scalars;
use super::super::{StubType, Unsupported};
use super::link::FnRef;

/// The numbers that a function without a body takes and gives.
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
    /// What it is: an integer of 1, 8, 16, 32 or 64 bits, or a floating-point number of 32 or 64.
    pub ty: StubType,
    /// Whether it is a signed integer narrower than a register, which its caller widens.
    pub signed: bool,
}

/// A function whose calls are applications.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampledFunction {
    /// Its name.
    pub name: String,
    /// What is applied.
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
    /// The result of a call of a function that is to be sampled; nothing if this call is none, or does not fit the
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

    /// The function that stands for the one of this name; nothing if it was declared with other types elsewhere.
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
