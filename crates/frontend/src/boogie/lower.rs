//! Lowering: typed Boogie becomes the program form.
//!
//! Expressions become terms unchanged, without simplification, so that conditions read like the source; only chains
//! of `&&`, `||`, `+` and `*` become one operation with many arguments (`lower/expr.rs`). Structured statements
//! become blocks (`lower/code.rs`). A function with a `{:builtin}` attribute becomes the operator that it stands for.
//! A function with type parameters and a definition is inlined where it is applied, as its types are only known
//! there; a recursive one is unfolded once.
//!
//! Everything here succeeds: the type checker has refused what cannot be lowered.

mod code;
mod expr;
mod stars;

use footpath_ir::program as ir;
use footpath_term::{FuncId, Op, SortId, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

use super::builtin::Derived;
use super::typed::{self, AttributeArg, ExprId, ProcId, VarId, VarKind};
use super::{Options, builtin};

/// The program form of a program.
pub fn lower(mut program: typed::Program, options: Options) -> ir::Program {
    let terms = std::mem::take(&mut program.terms);
    let mut lowering = Lowering::new(&program, terms);
    lowering.dump = options.dump;
    let mut out = lowering.program();
    out.add_instances(&mut lowering.terms);
    lowering.terms.add_field_sorts();
    out.terms = lowering.terms.into();
    out
}

struct Lowering<'a> {
    source: &'a typed::Program,
    terms: Terms,
    /// The symbol of every variable, by its number.
    symbols: Vec<SymbolId>,
    /// For globals, the symbol of the value at the entry of the procedure.
    old_symbols: FxHashMap<VarId, SymbolId>,
    /// Functions with type parameters and a definition.
    polymorphic: FxHashMap<FuncId, &'a typed::Function>,
    /// Those whose definition is being lowered.
    unfolding: Vec<FuncId>,
    /// Functions that stand for an operator.
    operators: FxHashMap<FuncId, Op>,
    /// Functions that are defined by operators.
    derived: FxHashMap<FuncId, Derived>,
    /// The functions that `+`, `<` … are between floating-point numbers, by their text and the sort of the numbers.
    float_functions: FxHashMap<(&'static str, SortId), FuncId>,
    procedures: FxHashMap<ProcId, ir::ProcId>,
    /// Expressions that were lowered.
    done: FxHashMap<ExprId, TermId>,
    /// The values of variables bound by `let`.
    lets: FxHashMap<VarId, TermId>,
    /// Whether the program is the dump of a pass; see [`Options::dump`].
    dump: bool,
}

impl<'a> Lowering<'a> {
    fn new(source: &'a typed::Program, mut terms: Terms) -> Lowering<'a> {
        let symbols = source.vars.iter().map(|v| terms.fresh_symbol(v.name.clone(), v.sort)).collect();
        let globals = source.vars.iter().enumerate().filter(|(_, v)| v.kind == VarKind::Global);
        let old_symbols = globals
            .map(|(i, v)| (VarId(i as u32), terms.fresh_symbol(format!("old({})", v.name), v.sort)))
            .collect();
        let numbered = source.procedures.iter().enumerate();
        let procedures = numbered.map(|(i, p)| (p.id, ir::ProcId(i as u32))).collect();
        let is_polymorphic = |f: &&typed::Function| !terms.function(f.id).type_params.is_empty();
        let polymorphic = source.functions.iter().filter(is_polymorphic).map(|f| (f.id, f)).collect();
        let (mut operators, mut derived) = (FxHashMap::default(), FxHashMap::default());
        for function in &source.functions {
            let decl = terms.function(function.id);
            let Some(name) = builtin_text(function) else { continue };
            if let Some(op) = builtin::operator(&terms, name, &decl.params, decl.result) {
                operators.insert(function.id, op);
            } else if let Some(known) = Derived::find(&terms, name, &decl.params, decl.result) {
                derived.insert(function.id, known);
            }
        }
        Lowering {
            source,
            terms,
            symbols,
            old_symbols,
            polymorphic,
            unfolding: Vec::new(),
            operators,
            derived,
            float_functions: FxHashMap::default(),
            procedures,
            done: FxHashMap::default(),
            lets: FxHashMap::default(),
            dump: false,
        }
    }

    fn program(&mut self) -> ir::Program {
        let source = self.source;
        let mut out = ir::Program::new(Terms::default());
        for ty in &source.types {
            let attributes = self.attributes(&ty.attributes);
            out.types.push(ir::TypeDecl { ctor: ty.ctor, span: ty.span, attributes });
        }
        out.functions = source.functions.iter().map(|f| self.function(f)).collect();
        out.constants = source.constants.iter().map(|c| self.constant(c)).collect();
        for &var in &source.globals {
            let global = ir::Global { variable: self.variable(var), old: self.old_symbols[&var] };
            out.globals.push(global);
        }
        for axiom in &source.axioms {
            let attributes = self.attributes(&axiom.attributes);
            let condition = self.term(axiom.expr);
            out.axioms.push(ir::Axiom { condition, span: axiom.span, attributes });
        }
        out.procedures = source.procedures.iter().map(|p| self.procedure(p)).collect();
        out
    }

    fn symbol(&self, var: VarId) -> SymbolId {
        self.symbols[var.0 as usize]
    }

    fn attributes(&mut self, attributes: &[typed::Attribute]) -> ir::Attributes {
        let attribute = |a: &typed::Attribute| ir::Attribute {
            name: a.name.clone(),
            args: a
                .args
                .iter()
                .map(|arg| match arg {
                    AttributeArg::Str(text) => ir::AttributeArg::Text(text.clone()),
                    AttributeArg::Expr(e) => ir::AttributeArg::Term(self.term(*e)),
                })
                .collect(),
        };
        attributes.iter().map(attribute).collect()
    }

    fn variable(&mut self, var: VarId) -> ir::Variable {
        let typed::Var { condition, attributes, span, .. } = self.source.var(var);
        let where_clause = condition.map(|e| self.term(e));
        let attributes = self.attributes(attributes);
        ir::Variable { symbol: self.symbol(var), where_clause, span: *span, attributes }
    }

    fn variables(&mut self, vars: &[VarId]) -> Vec<ir::Variable> {
        vars.iter().map(|&v| self.variable(v)).collect()
    }

    fn function(&mut self, f: &typed::Function) -> ir::Function {
        let params: Vec<SymbolId> = f.params.iter().map(|&v| self.symbol(v)).collect();
        let mut body = f.body.map(|e| self.term(e));
        if let (None, Some(name)) = (body, builtin_text(f)) {
            let decl = self.terms.function(f.id).clone();
            if builtin::has_map_definition(&self.terms, name, &decl.params, decl.result) {
                body = builtin::map_definition(&mut self.terms, name, &params, decl.result);
            }
        }
        let attributes = self.attributes(&f.attributes);
        ir::Function { id: f.id, params, body, span: f.span, attributes }
    }

    fn constant(&mut self, c: &typed::Constant) -> ir::Constant {
        let var = self.source.var(c.var);
        let extends = c.extends.as_ref().map(|e| ir::Extends {
            parents: e.parents.iter().map(|&(parent, unique)| (self.symbol(parent), unique)).collect(),
            complete: e.complete,
        });
        let attributes = self.attributes(&var.attributes);
        ir::Constant { symbol: self.symbol(c.var), unique: c.unique, extends, span: var.span, attributes }
    }

    fn procedure(&mut self, p: &typed::Procedure) -> ir::Procedure {
        let id = self.procedures[&p.id];
        let mut contract = |conditions: &[typed::Condition]| -> Vec<ir::Contract> {
            let clause = |c: &typed::Condition| ir::Contract {
                condition: self.term(c.expr),
                free: c.free,
                span: c.span,
                attributes: self.attributes(&c.attributes),
            };
            conditions.iter().map(clause).collect()
        };
        let (requires, ensures) = (contract(&p.requires), contract(&p.ensures));
        let numbered = p.bodies.iter().enumerate();
        let bodies = numbered.map(|(number, body)| self.body(p, body, id, number as u32)).collect();
        ir::Procedure {
            name: p.name.name.clone(),
            type_params: p.type_params.clone(),
            params: self.variables(&p.ins),
            results: self.variables(&p.outs),
            requires,
            ensures,
            modifies: p.modifies.iter().map(|&g| self.symbol(g)).collect(),
            bodies,
            span: p.span,
            attributes: self.attributes(&p.attributes),
        }
    }

    fn body(
        &mut self,
        p: &typed::Procedure,
        body: &typed::Implementation,
        id: ir::ProcId,
        number: u32,
    ) -> ir::Body {
        let mut params = self.variables(&body.ins);
        let mut results = self.variables(&body.outs);
        // Under other names the parameters have other symbols; their where-clauses stand at the procedure.
        let declared: Vec<VarId> = p.ins.iter().chain(&p.outs).copied().collect();
        let own: Vec<VarId> = body.ins.iter().chain(&body.outs).copied().collect();
        if declared != own {
            let mut renaming = footpath_term::Substitution::default();
            for (&from, &to) in declared.iter().zip(&own) {
                let to = self.terms.var(self.symbols[to.0 as usize]);
                renaming.insert(self.symbol(from), to);
            }
            for (variable, &from) in params.iter_mut().chain(&mut results).zip(&declared) {
                let condition = self.source.var(from).condition.map(|e| self.term(e));
                variable.where_clause = condition.map(|term| self.terms.substitute(term, &renaming));
            }
        }
        let mut locals = self.variables(&body.code.locals);
        let mut blocks = code::blocks(self, &body.code, id, number);
        stars::restore(&self.terms, &mut locals, &mut blocks);
        let attributes = self.attributes(&body.attributes);
        ir::Body { params, results, locals, blocks, span: body.span, attributes }
    }
}

/// The text of a `builtin` attribute.
fn builtin_text(f: &typed::Function) -> Option<&str> {
    let attribute = f.attributes.iter().find(|a| matches!(&*a.name, "builtin" | "bvbuiltin"))?;
    match &attribute.args[..] {
        [AttributeArg::Str(name)] => Some(name),
        _ => None,
    }
}
