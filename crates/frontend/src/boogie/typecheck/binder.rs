//! Type checking of quantifiers, lambdas, triggers, `let` and code expressions.

use footpath_ir::source::Span;
use footpath_term::{SortId, TypeVarId};
use rustc_hash::FxHashSet;

use super::super::ast::{self, BinderKind};
use super::super::checker::*;
use super::super::typed::{Binder, Code, ExprId, ExprKind, Literal, VarId, VarKind};

impl<'a> Checker<'a> {
    pub(super) fn binder(&mut self, b: &'a ast::Binder, span: Span) -> Checked<ExprId> {
        self.not_in_trigger(span, "quantifiers")?;
        let marks = (self.type_scope.len(), self.scope.len());
        let result = self.binder_in_scope(b, span);
        self.type_scope.truncate(marks.0);
        self.scope.truncate(marks.1);
        result
    }

    fn binder_in_scope(&mut self, b: &'a ast::Binder, span: Span) -> Checked<ExprId> {
        let mut type_params = self.enter_type_params(&b.type_params)?;
        let vars = self.variables(&b.vars, VarKind::Bound)?;
        for (ident, &var) in b.vars.iter().zip(&vars) {
            let attributes = self.apart(|c| c.attributes(&ident.attributes))?;
            self.out.vars[var.0 as usize].attributes = attributes;
        }
        let attributes = self.apart(|c| c.attributes(&b.attributes))?;
        let (mut triggers, mut nopats) = (Vec::new(), Vec::new());
        for trigger in &b.triggers {
            let exprs = self.trigger(trigger)?;
            if trigger.positive {
                self.check_mentions(trigger.span, &exprs, &vars, &type_params)?;
                triggers.push(exprs);
            } else {
                nopats.extend(exprs);
            }
        }
        let body = self.expr(b.body)?;
        let sort = match b.kind {
            BinderKind::Forall | BinderKind::Exists => {
                self.require(body, SortId::BOOL, "the body of a quantifier")?;
                SortId::BOOL
            }
            BinderKind::Lambda => self.lambda_sort(b, &mut type_params, &vars, body)?,
        };
        let kind = b.kind;
        let binder = Binder { kind, type_params, vars, triggers, nopats, attributes, body };
        Ok(self.add(ExprKind::Binder(Box::new(binder)), sort, span))
    }

    /// The sort of a lambda. Puts its type parameters into the order in which they occur, as in map types.
    fn lambda_sort(
        &mut self,
        b: &ast::Binder,
        type_params: &mut Vec<TypeVarId>,
        vars: &[VarId],
        body: ExprId,
    ) -> Checked<SortId> {
        let domain: Vec<SortId> = vars.iter().map(|&v| self.out.var(v).sort).collect();
        self.check_occurrence(
            &b.type_params,
            type_params,
            &domain,
            None,
            "types of the lambda's parameters",
        )?;
        let range = self.out.expr(body).sort;
        let range = self.known(range);
        let mut order = Vec::new();
        for &sort in &domain {
            self.type_variables_of(sort, &mut order);
        }
        order.retain(|v| type_params.contains(v));
        let sort = self.out.terms.abstract_map_sort(&order, &domain, range);
        *type_params = order;
        Ok(sort)
    }

    /// Runs `check`, which contains whole expressions of its own, in the middle of an expression.
    pub(super) fn apart<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.inference);
        let lets = std::mem::take(&mut self.let_vars);
        let result = check(self);
        (self.inference, self.let_vars) = (outer, lets);
        result
    }

    // ---- Triggers.

    fn trigger(&mut self, trigger: &'a ast::Trigger) -> Checked<Vec<ExprId>> {
        let outer = std::mem::replace(&mut self.in_trigger, true);
        let exprs = self.exprs(&trigger.exprs);
        self.in_trigger = outer;
        let exprs = exprs?;
        for &e in &exprs {
            if matches!(self.out.expr(e).kind, ExprKind::Var(_) | ExprKind::Old(_)) {
                let span = self.out.expr(e).span;
                return Err(self.error(span, "boogie::trigger", "a trigger is more than a variable"));
            }
        }
        Ok(exprs)
    }

    /// Checks that a trigger mentions all variables, and all type parameters that their types do not.
    fn check_mentions(
        &mut self,
        span: Span,
        exprs: &[ExprId],
        vars: &[VarId],
        type_params: &[TypeVarId],
    ) -> Checked<()> {
        let mut mentioned = FxHashSet::default();
        let mut types = Vec::new();
        let (mut seen, mut work) = (FxHashSet::default(), exprs.to_vec());
        while let Some(e) = work.pop() {
            if !seen.insert(e) {
                continue;
            }
            let sort = self.out.expr(e).sort;
            let sort = self.known(sort);
            self.type_variables_of(sort, &mut types);
            let kind = &self.out.expr(e).kind;
            if let ExprKind::Var(v) = kind {
                mentioned.insert(*v);
            }
            kind.for_each_operand(|operand| work.push(operand));
        }
        if let Some(&missing) = vars.iter().find(|v| !mentioned.contains(v)) {
            let message =
                format!("this trigger does not mention the variable `{}`", self.out.var(missing).name);
            return Err(self.error(span, "boogie::trigger", message));
        }
        for &var in vars {
            self.type_variables_of(self.out.var(var).sort, &mut types);
        }
        if let Some(&missing) = type_params.iter().find(|v| !types.contains(v)) {
            let name = self.out.terms.type_var(missing).to_string();
            let message =
                format!("neither this trigger nor the variables mention the type parameter `{name}`");
            return Err(self.error(span, "boogie::trigger", message));
        }
        Ok(())
    }

    // ---- Let and code expressions.

    pub(super) fn let_expr(&mut self, b: &'a ast::Let, span: Span) -> Checked<ExprId> {
        let values = self.exprs(&b.values)?;
        if values.len() != b.vars.len() {
            let message = format!("{} variable(s) but {} value(s)", b.vars.len(), values.len());
            return Err(self.type_error(span, message));
        }
        let mark = self.scope.len();
        let mut bindings = Vec::new();
        for (name, &value) in b.vars.iter().zip(&values) {
            let sort = self.out.expr(value).sort;
            let var = self.new_var(name, VarKind::Bound, sort);
            self.let_vars.push(var);
            self.bring_into_scope(name, var)?;
            bindings.push((var, value));
        }
        let body = self.apart(|c| c.attributes(&b.attributes)).and_then(|_| self.expr(b.body));
        self.scope.truncate(mark);
        let body = body?;
        let sort = self.out.expr(body).sort;
        Ok(self.add(ExprKind::Let(bindings, body), sort, span))
    }

    pub(super) fn code_expr(&mut self, body: &'a ast::Body, span: Span) -> Checked<ExprId> {
        let mark = self.scope.len();
        let code: Checked<Code> = self.apart(|c| c.code(body));
        self.scope.truncate(mark);
        code?;
        self.unsupported(span, "a code expression");
        Ok(self.add(ExprKind::Literal(Literal::Bool(true)), SortId::BOOL, span))
    }
}
