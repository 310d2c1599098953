//! Type checking of expressions.

use footpath_ir::source::Span;
use footpath_term::{FuncId, Sort, SortCtorId, SortId, TypeSubstitution};

use super::super::ast::{self, BinaryOp, ExprKind as Syntax, Ident, Literal, UnaryOp};
use super::super::checker::*;
use super::super::infer::Shape;
use super::super::typed::*;
use super::small;

impl<'a> Checker<'a> {
    /// Adds a typed expression.
    pub(super) fn add(&mut self, kind: ExprKind, sort: SortId, span: Span) -> ExprId {
        self.out.exprs.push(Expr { kind, sort, span });
        ExprId(self.out.exprs.len() as u32 - 1)
    }

    /// The type of a checked expression, as far as it is known.
    pub(super) fn sort_of(&self, e: ExprId) -> SortId {
        self.inference.resolve(&self.out.terms, self.out.expr(e).sort)
    }

    /// Checks an expression. Left operands are walked in a loop, since chains of operators may be long.
    pub(super) fn expr(&mut self, e: ast::ExprId) -> Checked<ExprId> {
        let source: &'a ast::Program = self.source;
        let mut innermost = e;
        let mut spine = Vec::new();
        while let Syntax::Binary(_, left, _, _)
        | Syntax::Select(left, _)
        | Syntax::Store(left, _, _)
        | Syntax::Extract(left, _, _)
        | Syntax::Coerce(left, _)
        | Syntax::Field(left, _) = &source.expr(innermost).kind
        {
            spine.push(innermost);
            innermost = *left;
        }
        let mut left = self.leaf(innermost)?;
        for e in spine.into_iter().rev() {
            left = self.with_left(e, left)?;
        }
        Ok(left)
    }

    /// An expression whose left operand is checked already.
    fn with_left(&mut self, e: ast::ExprId, left: ExprId) -> Checked<ExprId> {
        let source: &'a ast::Program = self.source;
        let ast::Expr { kind, span } = source.expr(e);
        match kind {
            Syntax::Binary(op, _, right, op_span) => {
                let right = self.expr(*right)?;
                self.binary(*op, left, right, *span, *op_span)
            }
            Syntax::Select(_, indices) => {
                let indices = self.exprs(indices)?;
                let element = self.element(left, &indices, *span)?;
                Ok(self.add(ExprKind::Select(left, indices), element, *span))
            }
            Syntax::Store(_, indices, value) => {
                let indices = self.exprs(indices)?;
                let value = self.expr(*value)?;
                self.store(left, indices, value, *span)
            }
            Syntax::Extract(_, end, start) => self.extract(left, small(end), small(start), *span),
            Syntax::Coerce(_, ty) => {
                let sort = self.sort(ty)?;
                let found = self.out.expr(left).sort;
                if !self.unify(found, sort) {
                    let message = format!("{} cannot be read as {}", self.show(found), self.show(sort));
                    return Err(self.type_error(*span, message));
                }
                Ok(left)
            }
            Syntax::Field(_, field) => self.field(left, field, *span),
            _ => self.leaf(e),
        }
    }

    pub(super) fn exprs(&mut self, list: &[ast::ExprId]) -> Checked<Vec<ExprId>> {
        list.iter().map(|&e| self.expr(e)).collect()
    }

    /// An expression that does not start with another one.
    fn leaf(&mut self, e: ast::ExprId) -> Checked<ExprId> {
        let source: &'a ast::Program = self.source;
        let ast::Expr { kind, span } = source.expr(e);
        let span = *span;
        match kind {
            Syntax::Literal(literal) => {
                let sort = self.literal_sort(literal);
                Ok(self.add(ExprKind::Literal(literal.clone()), sort, span))
            }
            Syntax::Var(name) => self.variable(name, span),
            Syntax::Call(name, args) => {
                let args = self.exprs(args)?;
                self.call_of(name, args, span)
            }
            Syntax::Unary(op, operand) => {
                let operand = self.expr(*operand)?;
                self.unary(*op, operand, span)
            }
            Syntax::If(condition, yes, no) => {
                let condition = self.expr(*condition)?;
                self.require(condition, SortId::BOOL, "the condition of if-then-else")?;
                let (yes, no) = (self.expr(*yes)?, self.expr(*no)?);
                self.conditional(condition, yes, no, span)
            }
            Syntax::Old(operand) => {
                if self.state != State::Two {
                    let message = "`old` is allowed only in postconditions and in code";
                    return Err(self.error(span, "boogie::old", message));
                }
                let outer = std::mem::replace(&mut self.in_old, true);
                let operand = self.expr(*operand);
                self.in_old = outer;
                operand
            }
            Syntax::ToInt(operand) => {
                let operand = self.expr(*operand)?;
                self.require(operand, SortId::REAL, "the argument of `int`")?;
                Ok(self.add(ExprKind::ToInt(operand), SortId::INT, span))
            }
            Syntax::ToReal(operand) => {
                let operand = self.expr(*operand)?;
                self.require(operand, SortId::INT, "the argument of `real`")?;
                Ok(self.add(ExprKind::ToReal(operand), SortId::REAL, span))
            }
            Syntax::Is(operand, constructor) => {
                let operand = self.expr(*operand)?;
                let id = self.constructor_named(constructor)?;
                let tester = self.constructors[&id].tester;
                self.apply(tester, vec![operand], span)
            }
            Syntax::FieldUpdate(base, field, value) => {
                let (base, value) = (self.expr(*base)?, self.expr(*value)?);
                self.field_update(base, field, value, span)
            }
            Syntax::Binder(binder) => self.binder(binder, span),
            Syntax::Let(binding) => self.let_expr(binding, span),
            Syntax::Code(body) => self.code_expr(body, span),
            Syntax::Bounds(..) => {
                let message = "the bounds of an extraction can stand only in brackets";
                Err(self.type_error(span, message))
            }
            Syntax::Binary(..)
            | Syntax::Select(..)
            | Syntax::Store(..)
            | Syntax::Extract(..)
            | Syntax::Coerce(..)
            | Syntax::Field(..) => self.expr(e),
        }
    }

    fn literal_sort(&mut self, literal: &Literal) -> SortId {
        match literal {
            Literal::Bool(_) => SortId::BOOL,
            Literal::Int(_) => SortId::INT,
            Literal::Real(_) => SortId::REAL,
            Literal::Bv(_, width) => self.out.terms.bit_vec_sort(*width),
            Literal::Float(f) => {
                let sort = Sort::Float { exponent: f.exponent, significand: f.significand };
                self.out.terms.mk_sort(sort)
            }
            Literal::RoundingMode(_) => self.out.terms.mk_sort(Sort::RoundingMode),
        }
    }

    /// Demands that an expression has the sort `wanted`.
    pub(super) fn require(&mut self, e: ExprId, wanted: SortId, what: &str) -> Checked<()> {
        let (found, span) = (self.out.expr(e).sort, self.out.expr(e).span);
        if self.unify(found, wanted) {
            return Ok(());
        }
        let message = format!("{what} is of type {}, not {}", self.show(wanted), self.show(found));
        Err(self.type_error(span, message))
    }

    fn variable(&mut self, name: &Name, span: Span) -> Checked<ExprId> {
        let var = match self.scope.get(name) {
            Some(var) => var,
            None => self.lookup_global(name, span)?,
        };
        let Var { kind, sort, .. } = *self.out.var(var);
        if kind == VarKind::Global && self.state == State::None {
            let message = format!("the global variable `{name}` cannot be referred to here");
            return Err(self.error(span, "boogie::global", message));
        }
        let old = kind == VarKind::Global && self.in_old;
        Ok(self.add(if old { ExprKind::Old(var) } else { ExprKind::Var(var) }, sort, span))
    }

    // ---- Operators.

    fn unary(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> Checked<ExprId> {
        let sort = self.out.expr(operand).sort;
        let fits = match op {
            UnaryOp::Not => {
                self.not_in_trigger(span, "boolean operators")?;
                self.unify(sort, SortId::BOOL)
            }
            UnaryOp::Neg => self.unify(sort, SortId::INT) || self.unify(sort, SortId::REAL),
        };
        if !fits {
            let symbol = if op == UnaryOp::Not { "!" } else { "-" };
            let message = format!("the operator `{symbol}` does not apply to {}", self.show(sort));
            return Err(self.type_error(span, message));
        }
        Ok(self.add(ExprKind::Unary(op, operand), sort, span))
    }

    pub(super) fn not_in_trigger(&mut self, span: Span, what: &str) -> Checked<()> {
        if !self.in_trigger {
            return Ok(());
        }
        Err(self.error(span, "boogie::trigger", format!("{what} are not allowed in triggers")))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
        op_span: Span,
    ) -> Checked<ExprId> {
        let (a, b) = (self.out.expr(left).sort, self.out.expr(right).sort);
        let result = match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Explies | BinaryOp::And | BinaryOp::Or => {
                self.not_in_trigger(op_span, "boolean operators")?;
                self.both(a, b, SortId::BOOL)
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                // A difference is allowed, as in Boogie.
                if op == BinaryOp::Eq {
                    self.not_in_trigger(op_span, "equalities")?;
                }
                // Values of different types may be compared if an instantiation makes the types equal.
                let comparable = self.unify(a, b) || self.inference.could_be_equal(&mut self.out.terms, a, b);
                comparable.then_some(SortId::BOOL)
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.not_in_trigger(op_span, "arithmetic comparisons")?;
                self.arithmetic(a, b).map(|_| SortId::BOOL)
            }
            BinaryOp::Below => self.unify(a, b).then_some(SortId::BOOL),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.arithmetic(a, b),
            BinaryOp::Div | BinaryOp::Mod => self.both(a, b, SortId::INT),
            BinaryOp::RealDiv => self.quotient(a, b),
            BinaryOp::Pow => self.both(a, b, SortId::REAL),
            BinaryOp::Concat => self.inference.concatenation(&mut self.out.terms, a, b),
        };
        let Some(sort) = result else {
            let (a, b) = (self.show(a), self.show(b));
            let message = format!("the operator `{}` does not apply to {a} and {b}", op.symbol());
            return Err(self.type_error(op_span, message));
        };
        let kind = match op {
            BinaryOp::Explies => ExprKind::Binary(BinaryOp::Implies, right, left),
            _ => ExprKind::Binary(op, left, right),
        };
        Ok(self.add(kind, sort, span))
    }

    /// `wanted`, if both sorts can be that.
    fn both(&mut self, a: SortId, b: SortId, wanted: SortId) -> Option<SortId> {
        (self.unify(a, wanted) && self.unify(b, wanted)).then_some(wanted)
    }

    /// The common sort of two numbers.
    fn arithmetic(&mut self, a: SortId, b: SortId) -> Option<SortId> {
        let numeric = self.both(a, b, SortId::INT).or_else(|| self.both(a, b, SortId::REAL));
        numeric.or_else(|| {
            let sort = self.known(a);
            let float = matches!(self.out.terms.sort_of(sort), Sort::Float { .. });
            (float && self.unify(a, b)).then_some(sort)
        })
    }

    /// The sort of `a / b`: integers count as reals.
    fn quotient(&mut self, a: SortId, b: SortId) -> Option<SortId> {
        let mut real = |s: SortId| self.unify(s, SortId::INT) || self.unify(s, SortId::REAL);
        if real(a) && real(b) {
            return Some(SortId::REAL);
        }
        let sort = self.known(a);
        let float = matches!(self.out.terms.sort_of(sort), Sort::Float { .. });
        (float && self.unify(a, b)).then_some(sort)
    }

    fn extract(
        &mut self,
        operand: ExprId,
        end: Option<u32>,
        start: Option<u32>,
        span: Span,
    ) -> Checked<ExprId> {
        let sort = self.sort_of(operand);
        if !self.inference.narrow(&self.out.terms, sort, Shape::BitVec(0)) {
            let message = format!("only bits of a bit-vector can be extracted, not of {}", self.show(sort));
            return Err(self.type_error(span, message));
        }
        let (Some(end), Some(start)) = (end, start) else {
            return Err(self.type_error(span, "the bounds of this extraction are too large"));
        };
        if start > end {
            return Err(self.type_error(span, "the start of an extraction must not be greater than its end"));
        }
        if !self.inference.narrow(&self.out.terms, sort, Shape::BitVec(end)) {
            let sort = self.show(sort);
            let message = format!("bits up to {end} cannot be extracted from a bit-vector of type {sort}");
            return Err(self.type_error(span, message));
        }
        let sort = self.out.terms.bit_vec_sort(end - start);
        Ok(self.add(ExprKind::Extract { operand, end, start }, sort, span))
    }

    fn conditional(&mut self, condition: ExprId, yes: ExprId, no: ExprId, span: Span) -> Checked<ExprId> {
        let (a, b) = (self.out.expr(yes).sort, self.out.expr(no).sort);
        if !self.unify(a, b) {
            let (a, b) = (self.show(a), self.show(b));
            let message = format!("the branches of if-then-else are of different types, {a} and {b}");
            return Err(self.type_error(span, message));
        }
        Ok(self.add(ExprKind::If(condition, yes, no), a, span))
    }

    // ---- Maps.

    /// The sort of the element of `map` at `indices`.
    pub(super) fn element(&mut self, map: ExprId, indices: &[ExprId], span: Span) -> Checked<SortId> {
        let sort = self.sort_of(map);
        let is_unknown = matches!(self.out.terms.sort_of(sort), Sort::Var(_));
        if is_unknown && self.inference.narrow(&self.out.terms, sort, Shape::Map(indices.len())) {
            let indices = indices.iter().map(|&i| self.out.expr(i).sort).collect();
            return Ok(self.inference.element(&mut self.out.terms, sort, indices));
        }
        let Sort::Map { params, domain, range } = self.out.terms.sort_of(sort).clone() else {
            let message = format!("only a map has elements, not a value of type {}", self.show(sort));
            return Err(self.type_error(span, message));
        };
        if domain.len() != indices.len() {
            let message = format!("this map takes {} index(es), not {}", domain.len(), indices.len());
            return Err(self.type_error(span, message));
        }
        let arguments: Vec<SortId> =
            (0..params).map(|_| self.inference.fresh(&mut self.out.terms, "parameter of the map")).collect();
        let instance = |c: &mut Self, sort: SortId| match params {
            0 => sort,
            _ => c.out.terms.instantiate_bound(sort, 0, &arguments),
        };
        for (number, (&wanted, &index)) in domain.iter().zip(indices).enumerate() {
            let wanted = instance(self, wanted);
            self.require(index, wanted, &format!("index {number} of this map"))?;
        }
        Ok(instance(self, range))
    }

    pub(super) fn store(
        &mut self,
        map: ExprId,
        indices: Vec<ExprId>,
        value: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        let element = self.element(map, &indices, span)?;
        self.require(value, element, "the new element of this map")?;
        let sort = self.out.expr(map).sort;
        Ok(self.add(ExprKind::Store(map, indices, value), sort, span))
    }

    // ---- Functions.

    fn call_of(&mut self, name: &Ident, args: Vec<ExprId>, span: Span) -> Checked<ExprId> {
        let Some(entry) = self.callables.get(&name.name) else {
            let message = format!("undeclared function `{}`", name.name);
            return Err(self.error(name.span, "boogie::undeclared", message));
        };
        let (decl, item) = (entry.decl, entry.item);
        self.refers_to(decl, name.span);
        match item {
            Some(Callable::Function(id)) => self.apply(id, args, span),
            Some(Callable::Procedure(_)) => {
                let message = format!("`{}` is a procedure; it cannot be used in an expression", name.name);
                Err(self.error(name.span, "boogie::undeclared", message))
            }
            None => Err(self.goes_down_with(decl, name.span)),
        }
    }

    /// A function applied to arguments.
    pub(super) fn apply(&mut self, function: FuncId, args: Vec<ExprId>, span: Span) -> Checked<ExprId> {
        let decl = self.out.terms.function(function).clone();
        if decl.params.len() != args.len() {
            let (name, wanted, given) = (&decl.name, decl.params.len(), args.len());
            let message = format!("the function `{name}` takes {wanted} argument(s), not {given}");
            return Err(self.type_error(span, message));
        }
        let mut instance = TypeSubstitution::default();
        for &param in &decl.type_params {
            let name = self.out.terms.type_var(param).to_string();
            instance.insert(param, self.inference.fresh(&mut self.out.terms, &name));
        }
        for (number, (&param, &arg)) in decl.params.iter().zip(&args).enumerate() {
            let param = self.out.terms.substitute_sort(param, &instance);
            self.require(arg, param, &format!("argument {number} of `{}`", decl.name))?;
        }
        let sort = self.out.terms.substitute_sort(decl.result, &instance);
        Ok(self.add(ExprKind::Apply(function, args), sort, span))
    }

    // ---- Datatypes.

    pub(super) fn constructor_named(&mut self, name: &Ident) -> Checked<FuncId> {
        let entry = self.callables.get(&name.name).map(|e| (e.decl, e.item));
        match entry {
            Some((decl, Some(Callable::Function(id)))) if self.constructors.contains_key(&id) => {
                self.refers_to(decl, name.span);
                Ok(id)
            }
            Some((decl, None)) => Err(self.goes_down_with(decl, name.span)),
            _ => {
                let message = format!("`{}` is not a constructor of a datatype", name.name);
                Err(self.error(name.span, "boogie::undeclared", message))
            }
        }
    }

    /// The constructors of the datatype of `base` that have the field, each with the field's position.
    fn constructors_with(&mut self, base: ExprId, field: &Ident) -> Checked<Vec<Field>> {
        let sort = self.sort_of(base);
        let datatype: Option<SortCtorId> = match self.out.terms.sort_of(sort) {
            Sort::Ctor(ctor, _) => Some(*ctor),
            _ => None,
        };
        let all = self.fields.get(&field.name).into_iter().flatten();
        let fields: Vec<Field> = all.filter(|f| Some(f.datatype) == datatype).copied().collect();
        if fields.is_empty() {
            let message = format!("a value of type {} has no field `{}`", self.show(sort), field.name);
            return Err(self.type_error(field.span, message));
        }
        Ok(fields)
    }

    /// `base->field`: of the constructor that has the field, or, if several have it, of the one that fits.
    pub(super) fn field(&mut self, base: ExprId, field: &Ident, span: Span) -> Checked<ExprId> {
        self.by_constructor(base, field, span, |c, found| {
            let selector = c.constructors[&found.constructor].selectors[found.index];
            c.apply(selector, vec![base], span)
        })
    }

    /// `base->(field := value)`.
    pub(super) fn field_update(
        &mut self,
        base: ExprId,
        field: &Ident,
        value: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        self.by_constructor(base, field, span, |c, found| {
            let mut args = Vec::new();
            for (index, selector) in
                c.constructors[&found.constructor].selectors.clone().into_iter().enumerate()
            {
                let part = if index == found.index { value } else { c.apply(selector, vec![base], span)? };
                args.push(part);
            }
            let whole = c.apply(found.constructor, args, span)?;
            let sort = c.out.expr(base).sort;
            c.require(whole, sort, "the result of this update")?;
            Ok(whole)
        })
    }

    fn by_constructor(
        &mut self,
        base: ExprId,
        field: &Ident,
        span: Span,
        part: impl Fn(&mut Self, Field) -> Checked<ExprId>,
    ) -> Checked<ExprId> {
        let mut fields = self.constructors_with(base, field)?;
        let Some(last) = fields.pop() else { return Err(Failed) };
        let mut result = part(self, last)?;
        for found in fields.into_iter().rev() {
            let tester = self.constructors[&found.constructor].tester;
            let test = self.apply(tester, vec![base], span)?;
            let yes = part(self, found)?;
            result = self.conditional(test, yes, result, span)?;
        }
        Ok(result)
    }
}
