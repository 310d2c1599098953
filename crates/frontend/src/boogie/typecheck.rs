//! Type checking of the parts of declarations that contain expressions.
//!
//! Expressions are checked bottom-up; unknown types, of polymorphic functions whose arguments do not determine them,
//! are found by unification (`infer.rs`) within one expression, assignment or call. The rules are those of Boogie
//! 2.4. What Boogie accepts but Footpath cannot analyse is reported here, with the same consequences as an error but
//! other codes: concurrency and code expressions, and defining a function as a value of another type because an
//! instantiation of type parameters might make the types equal.
//!
//! Declarations are checked in this file, expressions in `typecheck/expr.rs`, quantifiers and triggers in
//! `typecheck/binder.rs`, statements in `typecheck/stmt.rs`, labels and jumps in `typecheck/jumps.rs`.

mod binder;
mod expr;
mod jumps;
mod stmt;

use footpath_ir::diagnostic::Diagnostic;
use footpath_term::{Sort, SortId};
use num_traits::ToPrimitive;

use super::Options;
use super::ast::{self, DeclKind, Ident};
use super::checker::*;
use super::typed::*;

/// Resolves and type checks a program. What has an error, or refers to something that has, is left out.
pub fn check(program: &ast::Program, options: Options) -> (Program, Vec<Diagnostic>) {
    let mut checker = Checker::new(program, options);
    checker.enter_names();
    checker.resolve_headings();
    checker.resolve_modifies();
    checker.check_declarations();
    checker.propagate_modifies();
    checker.finish()
}

impl<'a> Checker<'a> {
    fn check_declarations(&mut self) {
        for (id, decl) in self.source.decls.iter().enumerate() {
            if self.is_relevant(id) {
                let _ = self.declaration(id, decl);
            }
        }
    }

    fn declaration(&mut self, id: DeclId, decl: &'a ast::Decl) -> Checked<()> {
        match &decl.kind {
            DeclKind::Type(_) | DeclKind::Datatype(_) => {
                let attributes = self.within(id, State::None, |c| c.declared(&decl.attributes))?;
                for (_, ty) in self.type_decls.iter_mut().filter(|(d, _)| *d == id) {
                    ty.attributes.clone_from(&attributes);
                }
                Ok(())
            }
            DeclKind::Const(d) => self.within(id, State::None, |c| c.constant(d, &decl.attributes)),
            DeclKind::Var(vars) => self.within(id, State::One, |c| {
                let attributes = c.attributes(&decl.attributes)?;
                for var in vars {
                    let Some(v) = c.own_global(&var.name) else { return Err(Failed) };
                    c.finish_variable(v, var, attributes.clone())?;
                }
                Ok(())
            }),
            DeclKind::Function(d) => self.within(id, State::None, |c| c.function(d, &decl.attributes)),
            DeclKind::Axiom(e) => self.within(id, State::None, |c| {
                let attributes = c.declared(&decl.attributes)?;
                let expr = c.condition(*e, "an axiom")?;
                c.axioms.push((id, Condition { free: false, expr, attributes, span: decl.span }));
                Ok(())
            }),
            DeclKind::Procedure(d) => {
                let Some(Callable::Procedure(position)) = self.own_callable(&d.name.name, id) else {
                    return Err(Failed);
                };
                self.within(id, State::One.of(d.pure), |c| c.contract(position, d, &decl.attributes))?;
                let Some(body) = &d.body else { return Ok(()) };
                self.within(id, State::Two.of(d.pure), |c| c.own_body(position, d, body, decl))
            }
            DeclKind::Implementation(d) => self.implementation(id, d, decl),
            DeclKind::Broken(_) => Ok(()),
        }
    }

    fn own_global(&self, name: &Ident) -> Option<VarId> {
        self.globals.get(&name.name).filter(|e| e.decl == self.current)?.item
    }

    /// Where clause and attributes of a variable that exists already.
    fn finish_variable(
        &mut self,
        var: VarId,
        ident: &'a ast::TypedIdent,
        mut attributes: Vec<Attribute>,
    ) -> Checked<()> {
        attributes.extend(self.attributes(&ident.attributes)?);
        let mut condition = None;
        if let Some(e) = ident.condition {
            condition = Some(self.condition(e, "a where clause")?);
        }
        if attributes.iter().any(|a| &*a.name == "assumption") {
            let span = ident.name.span;
            if condition.is_some() {
                return Err(self.type_error(span, "an assumption variable has no where clause"));
            }
            if self.out.var(var).sort != SortId::BOOL {
                return Err(self.type_error(span, "an assumption variable is of type bool"));
            }
        }
        let slot = &mut self.out.vars[var.0 as usize];
        (slot.condition, slot.attributes) = (condition, attributes);
        Ok(())
    }

    fn constant(&mut self, d: &'a ast::ConstDecl, attributes: &'a [ast::Attribute]) -> Checked<()> {
        let attributes = self.declared(attributes)?;
        for name in &d.names {
            let Some(var) = self.own_global(name) else { return Err(Failed) };
            self.out.vars[var.0 as usize].attributes.clone_from(&attributes);
            let Some(clause) = &d.extends else { continue };
            let mut parents = Vec::new();
            for (unique, parent) in &clause.parents {
                let other = self.lookup_global(&parent.name, parent.span)?;
                let problem = if self.out.var(other).kind != VarKind::Constant {
                    format!("`{}` is not a constant, so it cannot be a parent", parent.name)
                } else if other == var {
                    "a constant cannot be its own parent".to_string()
                } else if parents.iter().any(|&(p, _)| p == other) {
                    format!("`{}` occurs more than once as a parent", parent.name)
                } else if self.out.var(other).sort != self.out.var(var).sort {
                    format!("the parent `{}` is of another type", parent.name)
                } else {
                    parents.push((other, *unique));
                    continue;
                };
                return Err(self.type_error(parent.span, problem));
            }
            let extends = Extends { parents, complete: clause.complete };
            if let Some((_, constant)) = self.constants.iter_mut().find(|(_, c)| c.var == var) {
                constant.extends = Some(extends);
            }
        }
        Ok(())
    }

    fn function(&mut self, d: &'a ast::FunctionDecl, attributes: &'a [ast::Attribute]) -> Checked<()> {
        let Some(Callable::Function(id)) = self.own_callable(&d.name.name, self.current) else {
            return Err(Failed);
        };
        let position = id.0 as usize;
        let decl = self.out.terms.function(id).clone();
        for (name, &var) in d.type_params.iter().zip(&decl.type_params) {
            self.type_scope.push((name.name.clone(), var));
        }
        let params = self.functions[position].1.params.clone();
        for (ident, &var) in d.params.iter().zip(&params) {
            if !ident.name.name.is_empty() {
                self.bring_into_scope(&ident.name, var)?;
            }
            let attributes = self.attributes(&ident.attributes)?;
            self.out.vars[var.0 as usize].attributes = attributes;
        }
        self.attributes(&d.result.attributes)?;
        let attributes = self.declared(attributes)?;
        let mut body = None;
        if let Some(e) = d.body {
            let start = self.out.exprs.len();
            let e = self.expr(e)?;
            let sort = self.out.expr(e).sort;
            // A definition is an equation, and may compare types that only an instantiation makes equal; but for a
            // function that is expanded where it is used, that will not do.
            let inlined = attributes.iter().any(|a| &*a.name == "inline");
            let same = self.unify(sort, decl.result);
            let comparable =
                !same && !inlined && self.inference.could_be_equal(&mut self.out.terms, sort, decl.result);
            if comparable {
                self.unsupported(d.name.span, "defining a function as a value of a more special type");
            } else if !same {
                let (found, wanted) = (self.show(sort), self.show(decl.result));
                let message = format!("the function body is of type {found}, expected {wanted}");
                return Err(self.type_error(self.out.expr(e).span, message));
            }
            self.settle(start);
            body = Some(e);
        }
        let function = &mut self.functions[position].1;
        (function.attributes, function.body) = (attributes, body);
        Ok(())
    }

    // ---- Procedures.

    /// Where clauses, attributes, pre- and postconditions. The order in which names become visible is
    /// Boogie's: neither where clauses of in-parameters nor preconditions can refer to out-parameters.
    fn contract(
        &mut self,
        position: usize,
        d: &'a ast::ProcedureDecl,
        attributes: &'a [ast::Attribute],
    ) -> Checked<()> {
        let procedure = self.procedures[position].1.clone();
        for (name, &var) in d.type_params.iter().zip(&procedure.type_params) {
            self.type_scope.push((name.name.clone(), var));
        }
        let mut outcome = self.formals(&d.ins, &procedure.ins);
        let (mut requires, mut ensures) = (Vec::new(), Vec::new());
        for spec in &d.specs {
            if let ast::Spec::Requires(condition) = spec {
                match self.checked_condition(condition, "a precondition") {
                    Ok(condition) => requires.push(condition),
                    Err(failed) => outcome = Err(failed),
                }
            }
        }
        outcome = outcome.and(self.formals(&d.outs, &procedure.outs));
        self.state = State::Two.of(d.pure);
        for spec in &d.specs {
            if let ast::Spec::Ensures(condition) = spec {
                match self.checked_condition(condition, "a postcondition") {
                    Ok(condition) => ensures.push(condition),
                    Err(failed) => outcome = Err(failed),
                }
            }
        }
        self.state = State::One;
        let attributes = self.attributes(attributes)?;
        let procedure = &mut self.procedures[position].1;
        (procedure.requires, procedure.ensures, procedure.attributes) = (requires, ensures, attributes);
        outcome
    }

    fn formals(&mut self, idents: &'a [ast::TypedIdent], vars: &[VarId]) -> Checked<()> {
        for (ident, &var) in idents.iter().zip(vars) {
            self.bring_into_scope(&ident.name, var)?;
        }
        for (ident, &var) in idents.iter().zip(vars) {
            self.finish_variable(var, ident, Vec::new())?;
        }
        Ok(())
    }

    /// A clause of a contract, or a loop invariant.
    fn checked_condition(&mut self, condition: &'a ast::Condition, what: &str) -> Checked<Condition> {
        let attributes = self.attributes(&condition.attributes)?;
        let expr = self.condition(condition.expr, what)?;
        Ok(Condition { free: condition.free, expr, attributes, span: condition.span })
    }

    /// The body that stands right at the procedure: it has the procedure's own parameters.
    fn own_body(
        &mut self,
        position: usize,
        d: &'a ast::ProcedureDecl,
        body: &'a ast::Body,
        decl: &ast::Decl,
    ) -> Checked<()> {
        let procedure = &self.procedures[position].1;
        let (ins, outs, types) =
            (procedure.ins.clone(), procedure.outs.clone(), procedure.type_params.clone());
        for (name, var) in d.type_params.iter().zip(types) {
            self.type_scope.push((name.name.clone(), var));
        }
        for (ident, &var) in d.ins.iter().zip(&ins).chain(d.outs.iter().zip(&outs)) {
            self.bring_into_scope(&ident.name, var)?;
        }
        let code = self.code_of(position, body)?;
        let attributes = self.procedures[position].1.attributes.clone();
        let implementation = Implementation { ins, outs, code, attributes, span: decl.span };
        self.procedures[position].1.bodies.push(implementation);
        Ok(())
    }

    fn implementation(&mut self, id: DeclId, d: &'a ast::ProcedureDecl, decl: &'a ast::Decl) -> Checked<()> {
        self.within(id, State::Two, |c| {
            let span = d.name.span;
            let Some(entry) = c.callables.get(&d.name.name) else {
                let message = format!("an implementation of the undeclared procedure `{}`", d.name.name);
                return Err(c.error(span, "boogie::undeclared", message));
            };
            let (owner, item) = (entry.decl, entry.item);
            c.refers_to(owner, span);
            let position = match item {
                Some(Callable::Procedure(position)) => position,
                Some(Callable::Function(_)) => {
                    let message = format!("`{}` is a function, not a procedure", d.name.name);
                    return Err(c.error(span, "boogie::undeclared", message));
                }
                None => return Err(c.goes_down_with(owner, span)),
            };
            // With an error in a body, the procedure is no longer the one that was written.
            c.also_breaks(owner, span);
            let procedure = c.procedures[position].1.clone();
            if d.type_params.len() != procedure.type_params.len() {
                return Err(c.mismatch(d, "the number of type parameters"));
            }
            c.enter_matching_type_params(d, &procedure)?;
            let ins = c.variables(&d.ins, VarKind::In)?;
            let outs = c.variables(&d.outs, VarKind::Out)?;
            if ins.len() != procedure.ins.len() {
                return Err(c.mismatch(d, "the number of in-parameters"));
            }
            if outs.len() != procedure.outs.len() {
                return Err(c.mismatch(d, "the number of out-parameters"));
            }
            let pairs = ins.iter().zip(&procedure.ins).chain(outs.iter().zip(&procedure.outs));
            for (&own, &declared) in pairs {
                if c.out.var(own).sort != c.out.var(declared).sort {
                    let what = format!("the type of the parameter `{}`", c.out.var(own).name);
                    return Err(c.mismatch(d, &what));
                }
            }
            for (ident, &var) in d.ins.iter().zip(&ins).chain(d.outs.iter().zip(&outs)) {
                c.finish_variable(var, ident, Vec::new())?;
            }
            c.state = State::One;
            let attributes = c.attributes(&decl.attributes)?;
            c.state = State::Two.of(procedure.pure);
            let Some(body) = &d.body else { return Err(Failed) };
            let code = c.code_of(position, body)?;
            let implementation = Implementation { ins, outs, code, attributes, span: decl.span };
            c.procedures[position].1.bodies.push(implementation);
            Ok(())
        })
    }

    /// Makes the type parameters of an implementation visible, as names for those of the procedure. They match if
    /// they occur in the same order in the types of the parameters, whatever the order of their declaration.
    fn enter_matching_type_params(
        &mut self,
        d: &'a ast::ProcedureDecl,
        procedure: &Procedure,
    ) -> Checked<()> {
        if d.type_params.is_empty() {
            return Ok(());
        }
        let own = self.enter_type_params(&d.type_params)?;
        let mut own_order = Vec::new();
        for ident in d.ins.iter().chain(&d.outs) {
            let sort = self.sort(&ident.ty)?;
            self.type_variables_of(sort, &mut own_order);
        }
        self.type_scope.clear();
        let mut order = Vec::new();
        for &var in procedure.ins.iter().chain(&procedure.outs) {
            self.type_variables_of(self.out.var(var).sort, &mut order);
        }
        for (name, var) in d.type_params.iter().zip(own) {
            let position = own_order.iter().position(|&v| v == var);
            let Some(&declared) = position.and_then(|p| order.get(p)) else {
                let message = format!("the type variable `{}` must occur in the parameters", name.name);
                return Err(self.error(name.span, "boogie::type-variable", message));
            };
            self.type_scope.push((name.name.clone(), declared));
        }
        Ok(())
    }

    fn mismatch(&mut self, d: &ast::ProcedureDecl, what: &str) -> Failed {
        let message =
            format!("{what} differs between the procedure `{}` and its implementation", d.name.name);
        self.error(d.name.span, "boogie::implementation", message)
    }

    // ---- Shared by the rest.

    /// Attributes with their arguments.
    /// The attributes of a declaration that speaks of no state; they may.
    fn declared(&mut self, attributes: &'a [ast::Attribute]) -> Checked<Vec<Attribute>> {
        let state = std::mem::replace(&mut self.state, State::One);
        let checked = self.attributes(attributes);
        self.state = state;
        checked
    }

    pub(super) fn attributes(&mut self, attributes: &'a [ast::Attribute]) -> Checked<Vec<Attribute>> {
        attributes.iter().map(|attribute| self.attribute(attribute)).collect()
    }

    fn attribute(&mut self, attribute: &'a ast::Attribute) -> Checked<Attribute> {
        let start = self.out.exprs.len();
        let mut args = Vec::new();
        for arg in &attribute.args {
            args.push(match arg {
                ast::AttributeArg::Str(text) => AttributeArg::Str(text.clone()),
                ast::AttributeArg::Expr(e) => AttributeArg::Expr(self.expr(*e)?),
            });
        }
        self.settle(start);
        let name = &attribute.name;
        let sort = match args[..] {
            [AttributeArg::Expr(e)] => Some(self.out.expr(e).sort),
            _ => None,
        };
        let problem = match &*name.name {
            "minimize" | "maximize" => {
                let optimisable =
                    |s: SortId| matches!(self.out.terms.sort_of(s), Sort::Int | Sort::Real | Sort::BitVec(_));
                (!sort.is_some_and(optimisable)).then_some("one argument of type int, real or bv")
            }
            "verified_under" => (sort != Some(SortId::BOOL)).then_some("one argument of type bool"),
            _ => None,
        };
        if let Some(wanted) = problem {
            let message = format!("the attribute `:{}` takes {wanted}", name.name);
            return Err(self.type_error(name.span, message));
        }
        Ok(Attribute { name: name.name.clone(), args })
    }

    /// An expression of type `bool` that stands on its own.
    pub(super) fn condition(&mut self, e: ast::ExprId, what: &str) -> Checked<ExprId> {
        let start = self.out.exprs.len();
        let e = self.expr(e)?;
        let sort = self.out.expr(e).sort;
        if !self.unify(sort, SortId::BOOL) {
            let message = format!("{what} is of type bool, not {}", self.show(sort));
            return Err(self.type_error(self.out.expr(e).span, message));
        }
        self.settle(start);
        Ok(e)
    }

    /// Makes two types equal if possible.
    pub(super) fn unify(&mut self, a: SortId, b: SortId) -> bool {
        self.inference.unify(&mut self.out.terms, a, b)
    }

    /// A type as it is known so far, for messages.
    pub(super) fn show(&mut self, sort: SortId) -> String {
        let sort = self.known(sort);
        self.out.terms.display_sort(sort).to_string()
    }

    /// A type with what is known of its unknowns.
    pub(super) fn known(&mut self, sort: SortId) -> SortId {
        self.inference.known(&mut self.out.terms, sort)
    }

    /// Ends the inference of types: all expressions made since there were `start` get their final sorts. A type
    /// parameter that nothing determines gets a type of the right shape, with a warning, as in Boogie.
    pub(super) fn settle(&mut self, start: usize) {
        if self.inference.is_empty() {
            return;
        }
        let sorts: Vec<SortId> = self.out.exprs[start..].iter().map(|e| e.sort).collect();
        match self.inference.settle(&mut self.out.terms, &sorts) {
            Some(values) => {
                for (position, name, value) in values.into_iter().filter(|(_, name, _)| !name.is_empty()) {
                    let (span, value) = (self.out.exprs[start + position].span, self.show(value));
                    let message =
                        format!("nothing determines the type parameter `{name}`; it is taken to be {value}");
                    self.diagnostics.push(Diagnostic::warning("boogie::ambiguous-type", span, message));
                }
            }
            None => {
                let span = self.out.exprs.last().expect("something is unknown").span;
                self.type_error(span, "no widths of the bit-vectors concatenated here fit together");
            }
        }
        for expr in &mut self.out.exprs[start..] {
            expr.sort = self.inference.known(&mut self.out.terms, expr.sort);
        }
        for &var in &self.let_vars {
            let var = &mut self.out.vars[var.0 as usize];
            var.sort = self.inference.known(&mut self.out.terms, var.sort);
        }
        self.let_vars.clear();
        self.inference.clear();
    }
}

/// A number as a position in a bit-vector.
fn small(n: &num_bigint::BigUint) -> Option<u32> {
    n.to_u32().filter(|&n| n <= i32::MAX as u32)
}
