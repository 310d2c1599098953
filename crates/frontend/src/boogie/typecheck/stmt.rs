//! Type checking of statements.

use footpath_ir::source::Span;
use footpath_term::{SortId, TypeSubstitution};

use super::super::ast::{self, Ident, StmtKind as Syntax};
use super::super::checker::*;
use super::super::typed::*;

impl<'a> Checker<'a> {
    /// The code of a procedure. Errors in one statement do not keep the others from being checked.
    pub(super) fn code_of(&mut self, procedure: usize, body: &'a ast::Body) -> Checked<Code> {
        self.modifies.clone_from(&self.procedures[procedure].1.modifies);
        self.procedure = Some(procedure);
        let code = self.code(body);
        self.procedure = None;
        self.procedures[procedure].1.modifies = std::mem::take(&mut self.modifies);
        code
    }

    /// Adds to inferred `modifies` clauses what callees modify.
    pub(super) fn propagate_modifies(&mut self) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(caller, callee) in &self.calls {
                for global in self.procedures[callee].1.modifies.clone() {
                    let modifies = &mut self.procedures[caller].1.modifies;
                    if !modifies.contains(&global) {
                        modifies.push(global);
                        changed = true;
                    }
                }
            }
        }
    }

    /// Code in the current scope, which may change what [`Checker::modifies`] says.
    pub(super) fn code(&mut self, body: &'a ast::Body) -> Checked<Code> {
        let locals = self.variables(&body.locals, VarKind::Local)?;
        let outer = self.state;
        self.state = State::One.min(outer);
        for (ident, &var) in body.locals.iter().zip(&locals) {
            self.finish_variable(var, ident, Vec::new())?;
        }
        self.state = outer;
        let jumps = self.check_jumps(&body.block);
        let block = self.block(&body.block)?;
        jumps?;
        Ok(Code { locals, block })
    }

    fn block(&mut self, block: &'a ast::Block) -> Checked<Block> {
        let mut stmts = Vec::new();
        let mut failed = false;
        for stmt in &block.stmts {
            failed |= self.stmt(stmt, &mut stmts).is_err();
        }
        if failed { Err(Failed) } else { Ok(Block { stmts, end: block.end }) }
    }

    fn stmt(&mut self, stmt: &'a ast::Stmt, out: &mut Vec<Stmt>) -> Checked<()> {
        let attributes = self.attributes(&stmt.attributes)?;
        let span = stmt.span;
        let kind = match &stmt.kind {
            Syntax::Label(label) => StmtKind::Label(label.clone()),
            Syntax::Assert(e) => StmtKind::Assert(self.condition(*e, "an assertion")?),
            Syntax::Assume(e) => StmtKind::Assume(self.condition(*e, "an assumption")?),
            Syntax::Havoc(names) => {
                let mut vars = Vec::new();
                for name in names {
                    vars.push(self.changed_variable(name)?);
                }
                StmtKind::Havoc(vars)
            }
            Syntax::Assign(targets, values) => StmtKind::Assign(self.assignment(targets, values, span)?),
            Syntax::Unpack(constructor, vars, value) => {
                let (test, parts) = self.unpacking(constructor, vars, *value, span)?;
                out.push(Stmt { kind: StmtKind::Assert(test), attributes: Vec::new(), span });
                StmtKind::Assign(parts)
            }
            Syntax::Call(call) => {
                if call.asynchronous {
                    self.concurrency(span, "async call");
                } else if call.free {
                    self.unsupported(span, "a free call");
                }
                StmtKind::Call(self.call(call, span)?)
            }
            Syntax::ParCall(calls) => {
                let calls = calls.iter().map(|call| self.call(call, span)).collect::<Checked<Vec<_>>>()?;
                self.check_distinct(calls.iter().flat_map(|c| &c.outs), span)?;
                self.concurrency(span, "par");
                return Ok(());
            }
            Syntax::Yield => {
                self.concurrency(span, "yield");
                return Ok(());
            }
            Syntax::Hint(_) => return Ok(()),
            Syntax::If(arms, otherwise) => {
                let mut checked = Vec::new();
                let mut failed = false;
                for (guard, block) in arms {
                    match (self.guard(*guard), self.block(block)) {
                        (Ok(guard), Ok(block)) => checked.push((guard, block)),
                        _ => failed = true,
                    }
                }
                let otherwise = otherwise.as_ref().map(|block| self.block(block)).transpose()?;
                if failed {
                    return Err(Failed);
                }
                StmtKind::If(checked, otherwise)
            }
            Syntax::While(guard, invariants, body) => {
                let guard = self.guard(*guard);
                let invariants: Checked<Vec<Condition>> =
                    invariants.iter().map(|i| self.checked_condition(i, "a loop invariant")).collect();
                let body = self.block(body)?;
                StmtKind::While(guard?, invariants?, body)
            }
            Syntax::Break(label) => StmtKind::Break(label.as_ref().map(|l| l.name.clone())),
            Syntax::Goto(labels) => StmtKind::Goto(labels.iter().map(|l| l.name.clone()).collect()),
            Syntax::Return => StmtKind::Return,
            Syntax::ReturnExpr(e) => {
                self.condition(*e, "the value of a code expression")?;
                StmtKind::Return
            }
        };
        out.push(Stmt { kind, attributes, span });
        Ok(())
    }

    fn guard(&mut self, guard: ast::Guard) -> Checked<Option<ExprId>> {
        guard.map(|e| self.condition(e, "a guard")).transpose()
    }

    /// A variable that a statement changes.
    fn changed_variable(&mut self, name: &Ident) -> Checked<VarId> {
        let var = match self.scope.get(&name.name) {
            Some(var) => var,
            None => self.lookup_global(&name.name, name.span)?,
        };
        let kind = self.out.var(var).kind;
        if !kind.is_mutable() {
            let what = match kind {
                VarKind::Constant => "the constant",
                VarKind::In => "the in-parameter",
                _ => "the bound variable",
            };
            let message = format!("{what} `{}` cannot be changed", name.name);
            return Err(self.error(name.span, "boogie::immutable", message));
        }
        if kind == VarKind::Global && self.state == State::None {
            let message = format!("the global variable `{}` cannot be changed here", name.name);
            return Err(self.error(name.span, "boogie::global", message));
        }
        if kind == VarKind::Global && !self.modifies.contains(&var) {
            if self.infers_modifies() {
                self.modifies.push(var);
                return Ok(var);
            }
            let message = format!("the global `{}` is changed, but is not in the modifies clause", name.name);
            self.error(name.span, "boogie::modifies", message);
            return Ok(var);
        }
        Ok(var)
    }

    /// Whether code may change globals that no `modifies` clause names. In contracts it may not.
    fn infers_modifies(&self) -> bool {
        self.options.infer_modifies && self.procedure.is_some()
    }

    // ---- Assignments.

    fn assignment(
        &mut self,
        targets: &'a [ast::Target],
        values: &[ast::ExprId],
        span: Span,
    ) -> Checked<Vec<(VarId, ExprId)>> {
        if targets.len() != values.len() {
            let message = format!("{} variable(s) are assigned {} value(s)", targets.len(), values.len());
            return Err(self.type_error(span, message));
        }
        let start = self.out.exprs.len();
        let mut assignments = Vec::new();
        for (target, &value) in targets.iter().zip(values) {
            let var = self.changed_variable(&target.base)?;
            let value = self.expr(value)?;
            let whole = self.updated(var, &target.path, value, target)?;
            self.require(whole, self.out.var(var).sort, &format!("the variable `{}`", target.base.name))?;
            self.check_assumption_variable(var, whole, span)?;
            assignments.push((var, whole));
        }
        self.settle(start);
        self.check_distinct(assignments.iter().map(|(var, _)| var), span)?;
        Ok(assignments)
    }

    /// The value of `var` after the part of it that `path` leads to is replaced by `value`.
    fn updated(
        &mut self,
        var: VarId,
        path: &'a [ast::Step],
        value: ExprId,
        target: &ast::Target,
    ) -> Checked<ExprId> {
        let span = target.span;
        // The way in: the parts that contain the replaced one, with the checked indices.
        enum Way {
            Index(ExprId, Vec<ExprId>),
            Field(ExprId, Ident),
        }
        if path.is_empty() {
            return Ok(value);
        }
        let mut part = self.add(ExprKind::Var(var), self.out.var(var).sort, target.base.span);
        let mut way = Vec::new();
        for (number, step) in path.iter().enumerate() {
            let last = number + 1 == path.len();
            match step {
                ast::Step::Index(indices, step_span) => {
                    let indices = self.exprs(indices)?;
                    way.push(Way::Index(part, indices.clone()));
                    if !last {
                        let element = self.element(part, &indices, *step_span)?;
                        part = self.add(ExprKind::Select(part, indices), element, span);
                    }
                }
                ast::Step::Field(field) => {
                    way.push(Way::Field(part, field.clone()));
                    if !last {
                        part = self.field(part, field, span)?;
                    }
                }
            }
        }
        let mut value = value;
        for step in way.into_iter().rev() {
            value = match step {
                Way::Index(map, indices) => self.store(map, indices, value, span)?,
                Way::Field(base, field) => self.field_update(base, &field, value, span)?,
            };
        }
        Ok(value)
    }

    /// `Cons(x, xs) := e`: the test that must hold, and what is assigned.
    fn unpacking(
        &mut self,
        constructor: &Ident,
        vars: &[Ident],
        value: ast::ExprId,
        span: Span,
    ) -> Checked<(ExprId, Vec<(VarId, ExprId)>)> {
        let start = self.out.exprs.len();
        let id = self.constructor_named(constructor)?;
        let ConstructorInfo { tester, selectors } = self.constructors[&id].clone();
        if selectors.len() != vars.len() {
            let (name, wanted) = (&constructor.name, selectors.len());
            let message = format!("the constructor `{name}` has {wanted} field(s), not {}", vars.len());
            return Err(self.type_error(span, message));
        }
        let value = self.expr(value)?;
        let test = self.apply(tester, vec![value], span)?;
        let mut parts = Vec::new();
        for (name, selector) in vars.iter().zip(selectors) {
            let var = self.changed_variable(name)?;
            let part = self.apply(selector, vec![value], span)?;
            self.require(part, self.out.var(var).sort, &format!("the variable `{}`", name.name))?;
            parts.push((var, part));
        }
        self.settle(start);
        self.check_distinct(parts.iter().map(|(var, _)| var), span)?;
        Ok((test, parts))
    }

    /// `{:assumption}` variables may only be assigned `a && e`, and only once.
    fn check_assumption_variable(&mut self, var: VarId, value: ExprId, span: Span) -> Checked<()> {
        // Passes copy assignments, and simplify them.
        let assumption = self.out.var(var).attributes.iter().any(|a| &*a.name == "assumption");
        if !assumption || self.options.dump {
            return Ok(());
        }
        let name = self.out.var(var).name.clone();
        let keeps_itself = match self.out.expr(value).kind {
            ExprKind::Binary(BinaryOp::And, left, _) => {
                matches!(self.out.expr(left).kind, ExprKind::Var(v) if v == var)
            }
            _ => false,
        };
        if !keeps_itself {
            let message = format!("the assumption variable `{name}` can only be assigned `{name} && …`");
            return Err(self.error(span, "boogie::assumption", message));
        }
        if !self.assumed.insert(var) {
            let message = format!("the assumption variable `{name}` can be assigned only once");
            return Err(self.error(span, "boogie::assumption", message));
        }
        Ok(())
    }

    fn check_distinct<'v>(&mut self, vars: impl Iterator<Item = &'v VarId>, span: Span) -> Checked<()> {
        let mut seen: Vec<VarId> = Vec::new();
        for &var in vars {
            if seen.contains(&var) {
                let message = format!("the variable `{}` is assigned more than once", self.out.var(var).name);
                return Err(self.error(span, "boogie::assignment", message));
            }
            seen.push(var);
        }
        Ok(())
    }

    // ---- Calls.

    fn call(&mut self, call: &'a ast::Call, span: Span) -> Checked<Call> {
        let callee = &call.callee;
        let Some(entry) = self.callables.get(&callee.name) else {
            let message = format!("call of the undeclared procedure `{}`", callee.name);
            return Err(self.error(callee.span, "boogie::undeclared", message));
        };
        let (decl, item) = (entry.decl, entry.item);
        self.refers_to(decl, callee.span);
        let position = match item {
            Some(Callable::Procedure(position)) => position,
            Some(Callable::Function(_)) => {
                let message = format!("`{}` is a function; it cannot be called", callee.name);
                return Err(self.error(callee.span, "boogie::undeclared", message));
            }
            None => return Err(self.goes_down_with(decl, callee.span)),
        };
        let is_pure = |p: usize| self.procedures[p].1.pure;
        if self.procedure.is_some_and(is_pure) && !is_pure(position) {
            let message =
                format!("a pure procedure can call only pure procedures, which `{}` is not", callee.name);
            return Err(self.error(callee.span, "boogie::pure", message));
        }
        let (id, types, ins, outs, modifies) = {
            let p = &self.procedures[position].1;
            (p.id, p.type_params.clone(), p.ins.clone(), p.outs.clone(), p.modifies.clone())
        };
        let counts = [("argument", ins.len(), call.args.len()), ("result", outs.len(), call.outs.len())];
        for (what, wanted, given) in counts {
            if wanted != given {
                let message = format!("`{}` has {wanted} {what}(s), but the call gives {given}", callee.name);
                return Err(self.type_error(span, message));
            }
        }
        let start = self.out.exprs.len();
        let mut instance = TypeSubstitution::default();
        for param in types {
            let name = self.out.terms.type_var(param).to_string();
            instance.insert(param, self.inference.fresh(&mut self.out.terms, &name));
        }
        let args = self.exprs(&call.args)?;
        for (&param, &arg) in ins.iter().zip(&args) {
            let wanted = self.out.terms.substitute_sort(self.out.var(param).sort, &instance);
            let what = format!("the argument `{}` of `{}`", self.out.var(param).name, callee.name);
            self.require(arg, wanted, &what)?;
        }
        let mut results = Vec::new();
        for (&param, name) in outs.iter().zip(&call.outs) {
            let var = self.changed_variable(name)?;
            let given = self.out.terms.substitute_sort(self.out.var(param).sort, &instance);
            let found: SortId = self.out.var(var).sort;
            if !self.unify(given, found) {
                let (given, found) = (self.show(given), self.show(found));
                let message =
                    format!("`{}` is of type {found}, but the result is of type {given}", name.name);
                return Err(self.type_error(name.span, message));
            }
            results.push(var);
        }
        self.settle(start);
        self.check_distinct(results.iter(), span)?;
        if let (true, Some(caller)) = (self.infers_modifies(), self.procedure) {
            self.calls.push((caller, position));
        }
        for global in modifies {
            if !self.modifies.contains(&global) && !self.infers_modifies() {
                let message = format!(
                    "`{}` changes the global `{}`, which is not in the modifies clause",
                    callee.name,
                    self.out.var(global).name
                );
                return Err(self.error(callee.span, "boogie::modifies", message));
            }
        }
        if call.asynchronous && !results.is_empty() {
            return Err(self.type_error(span, "an asynchronous call has no results"));
        }
        Ok(Call { callee: id, args, outs: results })
    }
}
