//! The last pass of the lowering: the program is assembled from its procedures, and every variable, function and sort
//! that the lowering used is declared.

use std::sync::Arc;

use crate::c::facts::link::Target;
use crate::c::facts::sampled_functions;
use crate::c::facts::stored_constants::possible_values;
use crate::c::lower::context::Context;

use footpath_ir::source::{FileId, Span};
use footpath_ir::{Attribute, AttributeArg, Constant, Function, Global, Procedure, Program, Variable};
use footpath_term::{SymbolId, Terms};

/// Puts the program together: what the lowering used is declared.
pub(crate) fn assemble(mut cx: Context, mut procedures: Vec<Procedure>) -> Program {
    let span = Span { file: FileId(0), start: 0, end: 0 };
    let possible = possible_values(&mut cx);
    let mut globals = Vec::new();
    let mut all: Vec<SymbolId> = vec![cx.size, cx.alive, cx.next];
    all.extend(cx.ended);
    all.extend(cx.automatic);
    all.extend(cx.rounding);
    all.extend(cx.memory.values().map(|m| m.symbol));
    all.extend(cx.scalars.values().flatten());
    all.extend(cx.shadows.symbols());
    all.extend(cx.assumptions.values());
    for &symbol in &all {
        let (name, sort) = (cx.terms.symbol(symbol).name.clone(), cx.terms.symbol(symbol).sort);
        let old = cx.terms.fresh_symbol(format!("old({name})"), sort);
        let mut variable = Variable::new(symbol, span);
        variable.where_clause = possible.get(&symbol).copied();
        if [Some(cx.size), Some(cx.alive), cx.ended, cx.automatic].contains(&Some(symbol)) {
            // Whoever executes this decides first which object is meant.
            variable.attributes.push(Attribute { name: "by_object".into(), args: Vec::new() });
        }
        if cx.assumptions.values().any(|&a| a == symbol) {
            variable.attributes.push(Attribute { name: "assumption".into(), args: Vec::new() });
        }
        globals.push(Global { variable, old });
    }
    for procedure in &mut procedures {
        if !procedure.bodies.is_empty() {
            procedure.modifies.clone_from(&all);
        }
    }
    let builtins: Vec<_> = cx.builtins.iter().map(|((text, ..), &id)| (text.clone(), id)).collect();
    let mut functions = Vec::new();
    for (text, id) in builtins {
        let sorts = cx.terms.function(id).params.clone();
        let params = sorts.into_iter().map(|sort| cx.terms.fresh_symbol("x", sort)).collect();
        let attribute = Attribute { name: "builtin".into(), args: vec![AttributeArg::Text(text.into())] };
        functions.push(Function { id, params, body: None, span, attributes: vec![attribute] });
    }
    functions.extend(sampled_functions::declarations(&mut cx, span));
    let mut program = Program::new(Terms::new());
    let link_time: Vec<SymbolId> = cx.link_time.values().copied().collect();
    program.terms = Arc::new(cx.terms);
    program.functions = functions;
    let unknown = |&symbol| Constant { symbol, unique: false, extends: None, span, attributes: Vec::new() };
    program.constants = link_time.iter().map(unknown).collect();
    program.globals = globals;
    program.procedures = procedures;
    program
}

/// The variables that no module and no library defines: names and sizes in bytes.
pub(crate) fn missing_variables(cx: &Context) -> Vec<(String, u64)> {
    let foreign = cx.linked.globals().filter(|(g, global)| {
        let name = cx.linked.global_name(*g);
        global.init.is_none()
            && !name.starts_with("llvm.")
            && !cx.options.library.contains(name)
            && cx.linked.resolve(g.module, global.name) == Some(Target::Global(*g))
    });
    foreign.map(|(g, _)| (cx.linked.global_name(g).to_owned(), cx.global_size(g))).collect()
}
