//! Declarations: every function gets its procedure before any body is lowered, so that calls can refer to it.

use crate::llvm::ast::{Function, InstKind, Module};

use crate::c::facts::link::FnRef;
use crate::c::lower::context::Context;
use crate::c::source::debug_info::DebugInfo;

use footpath_ir::{ProcId, Procedure, Variable};
use footpath_term::SymbolId;

/// A function with the symbols of its parameters, each with its components, and of its results.
pub(crate) struct Declared {
    /// Which function.
    pub(crate) function: FnRef,
    /// The symbols of each parameter, followed by those of the object with variable arguments.
    pub(crate) params: Vec<Vec<SymbolId>>,
    /// The symbols of what it returns.
    pub(crate) results: Vec<SymbolId>,
}

/// Declares a procedure for each function, LLVM's own excepted.
pub(crate) fn procedures(
    cx: &mut Context<'_, '_>,
    debug: &mut DebugInfo,
    procedures: &mut Vec<Procedure>,
) -> Vec<Declared> {
    let linked = cx.linked;
    let mut declared = Vec::new();
    for (f, function) in linked.functions() {
        let module = cx.module(f.module);
        let name = linked.function_name(f);
        if name.starts_with("llvm.") {
            continue;
        }
        let span = debug.function_span(f.module, module, function);
        let mut params: Vec<Vec<SymbolId>> = function
            .params
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let name = parameter_name(module, function, i);
                cx.leaves(f.module, p.ty).map(|l| cx.fresh_components(&name, &l)).unwrap_or_default()
            })
            .collect();
        if cx.takes_list.contains(&f) {
            let sort = cx.terms.bit_vec_sort(cx.shape.object);
            params.push(vec![cx.terms.fresh_symbol("arguments", sort)]);
        }
        let results =
            cx.leaves(f.module, function.ret).map(|l| cx.fresh_components("return", &l)).unwrap_or_default();
        let variable = |&s: &SymbolId| Variable::new(s, span);
        cx.procs.insert(f, ProcId(procedures.len() as u32));
        procedures.push(Procedure {
            name: cx.unique_name(name),
            type_params: Vec::new(),
            params: params.iter().flatten().map(variable).collect(),
            results: results.iter().map(variable).collect(),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            bodies: Vec::new(),
            span,
            attributes: Vec::new(),
        });
        declared.push(Declared { function: f, params, results });
    }
    declared
}

/// The name of a parameter in the source, or else its number.
pub(crate) fn parameter_name(module: &Module, function: &Function, index: usize) -> String {
    let named = function.dbg.and_then(|subprogram| {
        let list = module.node(subprogram).with(&module.names).node("retainedNodes")?;
        module.node(list).fields.iter().find_map(|f| {
            let variable = module.node(f.value.as_node()?).with(&module.names);
            (variable.u64("arg")? == index as u64 + 1).then(|| variable.string("name").map(str::to_owned))?
        })
    });
    let declared = || {
        function.body.code()?.insts.iter().find_map(|inst| match &inst.kind {
            InstKind::Debug(record) => {
                let variable = module.node(record.variable?).with(&module.names);
                (variable.u64("arg")? == index as u64 + 1)
                    .then(|| variable.string("name").map(str::to_owned))?
            }
            _ => None,
        })
    };
    named.or_else(declared).unwrap_or_else(|| format!("arg{index}"))
}
