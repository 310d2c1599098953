//! Lowering of expressions to terms.
//!
//! There is no recursion: an explicit stack holds the pending work, so expressions may nest to any depth.

use footpath_term::{
    Binder, FuncDecl, FuncId, FuncKind, Op, RoundingMode, Sort, SortId, SymbolId, TermId, Value,
};
use num_bigint::BigInt;

use super::super::typed::{AttributeArg, BinaryOp, BinderKind, Expr, ExprId, ExprKind, Literal, UnaryOp};
use super::Lowering;

/// A pending step in the lowering of an expression.
enum Step {
    /// Lower its operands, then itself.
    Visit(ExprId),
    /// Lower it; the operands are.
    Build(ExprId),
    /// Give the variables of a `let` their values, which are lowered.
    Bind(ExprId),
}

impl Lowering<'_> {
    /// The term of an expression.
    pub(super) fn term(&mut self, root: ExprId) -> TermId {
        let source = self.source;
        let mut steps = vec![Step::Visit(root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(e) if self.done.contains_key(&e) => {}
                Step::Visit(e) => {
                    steps.push(Step::Build(e));
                    match &source.expr(e).kind {
                        ExprKind::Let(bindings, body) => {
                            steps.extend([Step::Visit(*body), Step::Bind(e)]);
                            steps.extend(bindings.iter().map(|&(_, value)| Step::Visit(value)));
                        }
                        ExprKind::Binary(op, left, right) => match self.chain(e, *op) {
                            Some(operands) => steps.extend(operands.into_iter().map(Step::Visit)),
                            None => steps.extend([Step::Visit(*right), Step::Visit(*left)]),
                        },
                        kind => kind.for_each_operand(|operand| steps.push(Step::Visit(operand))),
                    }
                }
                Step::Bind(e) => {
                    if let ExprKind::Let(bindings, _) = &source.expr(e).kind {
                        let values = bindings.iter().map(|(var, value)| (*var, self.done[value]));
                        self.lets.extend(values);
                    }
                }
                Step::Build(e) => {
                    let term = self.build(e, source.expr(e));
                    self.done.insert(e, term);
                }
            }
        }
        self.done[&root]
    }

    /// The parameters and the definition of a function with type parameters; none while it is being lowered.
    fn definition(&mut self, function: FuncId) -> Option<(Vec<SymbolId>, TermId)> {
        let declared = *self.polymorphic.get(&function)?;
        let body = declared.body.filter(|_| !self.unfolding.contains(&function))?;
        self.unfolding.push(function);
        let body = self.term(body);
        self.unfolding.pop();
        Some((declared.params.iter().map(|&v| self.symbol(v)).collect(), body))
    }

    /// The operands of a chain such as `a && b && c`, if `e` is one. Sums of floating-point numbers depend on the order.
    fn chain(&self, e: ExprId, op: BinaryOp) -> Option<Vec<ExprId>> {
        if self.is_float(self.source.expr(e).sort) {
            return None;
        }
        if !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Add | BinaryOp::Mul) {
            return None;
        }
        let mut operands = Vec::new();
        let mut innermost = e;
        while let ExprKind::Binary(inner, left, right) = &self.source.expr(innermost).kind {
            if *inner != op {
                break;
            }
            operands.push(*right);
            innermost = *left;
        }
        operands.push(innermost);
        operands.reverse();
        Some(operands)
    }

    fn all(&self, exprs: &[ExprId]) -> Vec<TermId> {
        exprs.iter().map(|e| self.done[e]).collect()
    }

    fn build(&mut self, e: ExprId, expr: &Expr) -> TermId {
        let sort = expr.sort;
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal, sort),
            ExprKind::Var(var) => match self.lets.get(var) {
                Some(&value) => value,
                None => self.terms.var(self.symbols[var.0 as usize]),
            },
            ExprKind::Old(var) => self.terms.var(self.old_symbols[var]),
            ExprKind::Apply(function, args) => {
                let (op, args) = (self.operators.get(function).cloned(), self.all(args));
                if let Some(derived) = self.derived.get(function).cloned() {
                    return derived.apply(&mut self.terms, &args, sort);
                }
                match (op, self.definition(*function)) {
                    (None, Some((params, body))) => self.terms.unfold(*function, &params, body, &args, sort),
                    (op, _) => self.terms.mk(op.unwrap_or(Op::Apply(*function)), args, sort),
                }
            }
            ExprKind::Unary(op, operand) => {
                let op = match op {
                    UnaryOp::Not => Op::Not,
                    UnaryOp::Neg => Op::Neg,
                };
                self.terms.mk(op, [self.done[operand]], sort)
            }
            ExprKind::Binary(op, left, right) => match self.chain(e, *op) {
                Some(operands) => {
                    let args = self.all(&operands);
                    self.terms.mk(operator(*op), args, sort)
                }
                None => self.binary(*op, self.done[left], self.done[right], sort),
            },
            ExprKind::Select(map, indices) => {
                let args = std::iter::once(self.done[map]).chain(self.all(indices));
                self.terms.mk(Op::Select, args, sort)
            }
            ExprKind::Store(map, indices, value) => {
                let indices = self.all(indices);
                let args = std::iter::once(self.done[map]).chain(indices).chain([self.done[value]]);
                self.terms.mk(Op::Store, args, sort)
            }
            ExprKind::Extract { end, start, .. } if end == start => self.terms.bit_vec(0, 0),
            ExprKind::Extract { operand, end, start } => {
                self.terms.mk(Op::Extract(end - 1, *start), [self.done[operand]], sort)
            }
            ExprKind::If(c, a, b) => self.terms.mk(Op::Ite, [self.done[c], self.done[a], self.done[b]], sort),
            ExprKind::ToInt(operand) => self.terms.mk(Op::ToInt, [self.done[operand]], sort),
            ExprKind::ToReal(operand) => self.terms.mk(Op::ToReal, [self.done[operand]], sort),
            ExprKind::Binder(binder) => {
                let kind = match binder.kind {
                    BinderKind::Forall => footpath_term::BinderKind::Forall,
                    BinderKind::Exists => footpath_term::BinderKind::Exists,
                    BinderKind::Lambda => footpath_term::BinderKind::Lambda,
                };
                let weight = binder.attributes.iter().find(|a| &*a.name == "weight");
                let weight = weight.and_then(|a| match a.args[..] {
                    [AttributeArg::Expr(e)] => self.small_literal(e),
                    _ => None,
                });
                let head = Binder {
                    kind,
                    type_vars: binder.type_params.clone(),
                    vars: binder.vars.iter().map(|&v| self.symbol(v)).collect(),
                    triggers: Vec::new(),
                    nopats: 0,
                    weight,
                };
                let triggers: Vec<Vec<TermId>> = binder.triggers.iter().map(|t| self.all(t)).collect();
                let nopats = self.all(&binder.nopats);
                self.terms.bind(head, self.done[&binder.body], &triggers, &nopats)
            }
            ExprKind::Let(_, body) => self.done[body],
        }
    }

    fn is_float(&self, sort: SortId) -> bool {
        matches!(self.terms.sort_of(sort), Sort::Float { .. })
    }

    fn binary(&mut self, op: BinaryOp, left: TermId, right: TermId, sort: SortId) -> TermId {
        let of = self.terms.sort(left);
        if self.is_float(of) && self.terms.sort(right) == of {
            return self.float_binary(op, [left, right], sort);
        }
        match op {
            BinaryOp::Ne => {
                let equal = self.terms.mk(Op::Eq, [left, right], sort);
                self.terms.mk(Op::Not, [equal], sort)
            }
            BinaryOp::RealDiv => {
                let (left, right) = (self.as_real(left), self.as_real(right));
                self.terms.mk(Op::RealDiv, [left, right], sort)
            }
            op => self.terms.mk(operator(op), [left, right], sort),
        }
    }

    /// Boogie's operators between floating-point numbers: IEEE 754's, rounding to nearest, ties to even. So `==` is not
    /// the equality of values: no NaN equals itself, and the two zeros are equal.
    fn float_binary(&mut self, op: BinaryOp, args: [TermId; 2], sort: SortId) -> TermId {
        let text = match op {
            BinaryOp::Ne => {
                let equal = self.float_binary(BinaryOp::Eq, args, sort);
                return self.terms.mk(Op::Not, [equal], sort);
            }
            BinaryOp::Eq => "fp.eq",
            BinaryOp::Lt => "fp.lt",
            BinaryOp::Le => "fp.leq",
            BinaryOp::Gt => "fp.gt",
            BinaryOp::Ge => "fp.geq",
            BinaryOp::Add => "fp.add RNE",
            BinaryOp::Sub => "fp.sub RNE",
            BinaryOp::Mul => "fp.mul RNE",
            BinaryOp::RealDiv => "fp.div RNE",
            op => return self.terms.mk(operator(op), args, sort),
        };
        let of = self.terms.sort(args[0]);
        let function = match self.float_functions.get(&(text, of)) {
            Some(&known) => known,
            None => {
                let name = format!("${}", text.split(' ').next().unwrap_or(text));
                let decl = FuncDecl {
                    name: name.into(),
                    type_params: Vec::new(),
                    params: vec![of; 2],
                    result: sort,
                    kind: FuncKind::Builtin(text.into()),
                };
                let function = self.terms.declare_function(decl);
                self.float_functions.insert((text, of), function);
                function
            }
        };
        self.terms.mk(Op::Apply(function), args, sort)
    }

    /// An integer as a real; anything else as it is.
    fn as_real(&mut self, term: TermId) -> TermId {
        if self.terms.sort(term) == SortId::INT {
            self.terms.mk(Op::ToReal, [term], SortId::REAL)
        } else {
            term
        }
    }

    fn small_literal(&self, e: ExprId) -> Option<u32> {
        match &self.source.expr(e).kind {
            ExprKind::Literal(Literal::Int(n)) => n.try_into().ok(),
            _ => None,
        }
    }

    fn literal(&mut self, literal: &Literal, sort: SortId) -> TermId {
        let value = match literal {
            Literal::Bool(b) => Value::Bool(*b),
            Literal::Int(n) => Value::Int(BigInt::from(n.clone())),
            Literal::Real(r) => Value::Real(r.clone()),
            Literal::Bv(n, width) => return self.terms.bit_vec(*width, BigInt::from(n.clone())),
            Literal::Float(f) => {
                Value::Float { exponent: f.exponent, significand: f.significand, bits: f.bits.clone() }
            }
            Literal::RoundingMode(mode) => Value::RoundingMode(match *mode {
                "RNA" => RoundingMode::NearestAway,
                "RTP" => RoundingMode::TowardPositive,
                "RTN" => RoundingMode::TowardNegative,
                "RTZ" => RoundingMode::TowardZero,
                _ => RoundingMode::NearestEven,
            }),
        };
        self.terms.mk(Op::Literal(value), [], sort)
    }
}

/// The operator of the term language; `!=` and `/` need more than that.
fn operator(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Iff | BinaryOp::Eq | BinaryOp::Ne => Op::Eq,
        BinaryOp::Implies | BinaryOp::Explies => Op::Implies,
        BinaryOp::And => Op::And,
        BinaryOp::Or => Op::Or,
        BinaryOp::Lt => Op::Lt,
        BinaryOp::Le => Op::Le,
        BinaryOp::Gt => Op::Gt,
        BinaryOp::Ge => Op::Ge,
        BinaryOp::Below => Op::Subtype,
        BinaryOp::Concat => Op::Concat,
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Div => Op::IntDiv,
        BinaryOp::Mod => Op::Mod,
        BinaryOp::RealDiv => Op::RealDiv,
        BinaryOp::Pow => Op::Pow,
    }
}
