//! The parser for expressions (operator precedence), attributes and types.
//!
//! Precedence, loosest first: `<==>`; `==>` and `<==`; `&&` and `||`; comparisons; `++`; `+` `-`; `*` `div` `mod`
//! `/`; `**`; `is`; prefix operators; `e : T`; postfix `[…]` and `->`. Implication and power associate to the right,
//! comparisons not at all, the rest to the left; `==>` does not mix with `<==`, nor `&&` with `||`.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Pow, ToPrimitive, Zero};

use super::*;

/// An infix operator as the parser sees it.
struct Infix {
    op: BinaryOp,
    /// Its precedence; higher binds tighter.
    level: u8,
}

const IMPLICATION: u8 = 2;
const LOGICAL: u8 = 3;
const COMPARISON: u8 = 4;
const POWER: u8 = 8;

fn infix(kind: TokenKind) -> Option<Infix> {
    let TokenKind::Fixed(symbol) = kind else { return None };
    let (op, level) = match symbol {
        "<==>" => (BinaryOp::Iff, 1),
        "==>" => (BinaryOp::Implies, IMPLICATION),
        "<==" => (BinaryOp::Explies, IMPLICATION),
        "&&" => (BinaryOp::And, LOGICAL),
        "||" => (BinaryOp::Or, LOGICAL),
        "==" => (BinaryOp::Eq, COMPARISON),
        "!=" => (BinaryOp::Ne, COMPARISON),
        "<" => (BinaryOp::Lt, COMPARISON),
        "<=" => (BinaryOp::Le, COMPARISON),
        ">" => (BinaryOp::Gt, COMPARISON),
        ">=" => (BinaryOp::Ge, COMPARISON),
        "<:" => (BinaryOp::Below, COMPARISON),
        "++" => (BinaryOp::Concat, 5),
        "+" => (BinaryOp::Add, 6),
        "-" => (BinaryOp::Sub, 6),
        "*" => (BinaryOp::Mul, 7),
        "div" => (BinaryOp::Div, 7),
        "mod" => (BinaryOp::Mod, 7),
        "/" => (BinaryOp::RealDiv, 7),
        "**" => (BinaryOp::Pow, POWER),
        _ => return None,
    };
    Some(Infix { op, level })
}

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        self.nested(|p| p.infix_expression(1))
    }

    /// An expression whose operators outside parentheses have at least the precedence `min`.
    fn infix_expression(&mut self, min: u8) -> Parsed<ExprId> {
        let mut left = self.is_expression()?;
        // The operator that was applied last, and the loosest level that may still follow it.
        let mut last: Option<Infix> = None;
        while let Some(next) = infix(self.kind()) {
            if next.level < min || last.as_ref().is_some_and(|last| next.level > last.level) {
                break;
            }
            if let Some(last) = last.as_ref().filter(|last| last.level == next.level) {
                self.check_sequence(last, &next)?;
            }
            let op_span = self.span();
            self.advance();
            let right = match next.level {
                POWER => self.nested(|p| p.infix_expression(POWER))?,
                IMPLICATION if next.op == BinaryOp::Implies => self.nested(Self::implied)?,
                level => self.infix_expression(level + 1)?,
            };
            left = self.join(next.op, left, right, op_span);
            last = Some(next);
        }
        Ok(left)
    }

    /// The right-hand side of `==>`, in which `<==` needs parentheses.
    fn implied(&mut self) -> Parsed<ExprId> {
        let left = self.infix_expression(LOGICAL)?;
        if self.at("<==") {
            return Err(self.error(self.span(), "`==>` and `<==` cannot be mixed without parentheses"));
        }
        let op_span = self.span();
        if !self.accept("==>") {
            return Ok(left);
        }
        let right = self.nested(Self::implied)?;
        Ok(self.join(BinaryOp::Implies, left, right, op_span))
    }

    fn join(&mut self, op: BinaryOp, left: ExprId, right: ExprId, op_span: Span) -> ExprId {
        let span = self.program.expr(left).span.to(self.program.expr(right).span);
        self.program.add(ExprKind::Binary(op, left, right, op_span), span)
    }

    /// Whether `next` may follow `last` on the same level without parentheses.
    fn check_sequence(&self, last: &Infix, next: &Infix) -> Parsed<()> {
        let message = match next.level {
            IMPLICATION if last.op != next.op => "`==>` and `<==` cannot be mixed without parentheses",
            LOGICAL if last.op != next.op => "`&&` and `||` cannot be mixed without parentheses",
            COMPARISON => "comparisons cannot be chained",
            _ => return Ok(()),
        };
        Err(self.error(self.span(), message))
    }

    /// `e is Constructor`.
    fn is_expression(&mut self) -> Parsed<ExprId> {
        let start = self.at;
        let e = self.unary()?;
        if !(self.at_word("is") && self.kind_after(1) == TokenKind::Ident) {
            return Ok(e);
        }
        self.advance();
        let constructor = self.ident()?;
        Ok(self.program.add(ExprKind::Is(e, constructor), self.span_from(start)))
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let op = match self.kind() {
            TokenKind::Fixed("!") => UnaryOp::Not,
            TokenKind::Fixed("-") => UnaryOp::Neg,
            _ => return self.coercion(),
        };
        let start = self.at;
        self.advance();
        let e = self.nested(Self::unary)?;
        Ok(self.program.add(ExprKind::Unary(op, e), self.span_from(start)))
    }

    /// `e : T`, or the bounds `end:start` of an extraction.
    fn coercion(&mut self) -> Parsed<ExprId> {
        let start = self.at;
        let mut e = self.postfix()?;
        while self.accept(":") {
            let kind = if self.kind() == TokenKind::Digits {
                let low = self.natural()?;
                match &self.program.expr(e).kind {
                    ExprKind::Literal(Literal::Int(high)) => ExprKind::Bounds(high.clone(), low),
                    _ => {
                        let message = "the bounds of an extraction must be integer literals";
                        return Err(self.error(self.span_from(start), message));
                    }
                }
            } else {
                ExprKind::Coerce(e, Box::new(self.ty()?))
            };
            e = self.program.add(kind, self.span_from(start));
        }
        Ok(e)
    }

    /// Selections, updates, extractions and field accesses.
    fn postfix(&mut self) -> Parsed<ExprId> {
        let start = self.at;
        let mut e = self.atom()?;
        loop {
            let kind = if self.accept("[") {
                self.bracket(e)?
            } else if self.accept("->") {
                if self.accept("(") {
                    let field = self.ident()?;
                    self.expect(":=")?;
                    let value = self.expression()?;
                    self.expect(")")?;
                    ExprKind::FieldUpdate(e, field, value)
                } else {
                    ExprKind::Field(e, self.ident()?)
                }
            } else {
                return Ok(e);
            };
            e = self.program.add(kind, self.span_from(start));
        }
    }

    /// What follows `base[`.
    fn bracket(&mut self, base: ExprId) -> Parsed<ExprKind> {
        let start = self.at;
        let mut args = Vec::new();
        if !self.at(":=") && !self.at("]") {
            args = self.comma_separated(Self::expression)?;
        }
        let bounds = args.iter().find_map(|&arg| match &self.program.expr(arg).kind {
            ExprKind::Bounds(high, low) => Some((high.clone(), low.clone())),
            _ => None,
        });
        if bounds.is_some() && args.len() > 1 {
            return Err(self.error(self.span_from(start), "bit-vectors have only one dimension"));
        }
        let value = if self.accept(":=") { Some(self.expression()?) } else { None };
        if value.is_some() && bounds.is_some() {
            return Err(self.error(self.span_from(start), "a part of a bit-vector cannot be assigned"));
        }
        self.expect("]")?;
        Ok(match (bounds, value) {
            (Some((high, low)), _) => ExprKind::Extract(base, high, low),
            (None, Some(value)) => ExprKind::Store(base, args, value),
            (None, None) => ExprKind::Select(base, args),
        })
    }

    fn atom(&mut self) -> Parsed<ExprId> {
        let start = self.at;
        let kind = match self.kind() {
            TokenKind::Digits => ExprKind::Literal(Literal::Int(self.natural()?)),
            TokenKind::BvLit => ExprKind::Literal(self.bv_literal()?),
            TokenKind::Decimal => ExprKind::Literal(Literal::Real(self.decimal()?)),
            TokenKind::Float => ExprKind::Literal(self.float_literal()?),
            TokenKind::Ident => {
                let name = self.ident()?;
                if self.accept("(") {
                    ExprKind::Call(name, self.list_until(")", Self::expression)?)
                } else {
                    ExprKind::Var(name.name)
                }
            }
            TokenKind::Fixed(symbol) => match symbol {
                "(" => return self.parenthesised(),
                "if" => self.conditional()?,
                "|{" => self.code_expression()?,
                "old" => ExprKind::Old(self.argument()?),
                "int" => ExprKind::ToInt(self.argument()?),
                "real" => ExprKind::ToReal(self.argument()?),
                _ => match fixed_literal(symbol) {
                    Some(literal) => {
                        self.advance();
                        ExprKind::Literal(literal)
                    }
                    None => return Err(self.expected("an expression")),
                },
            },
            _ => return Err(self.expected("an expression")),
        };
        Ok(self.program.add(kind, self.span_from(start)))
    }

    /// The only argument of the keyword that comes next.
    fn argument(&mut self) -> Parsed<ExprId> {
        self.advance();
        self.expect("(")?;
        let e = self.expression()?;
        self.expect(")")?;
        Ok(e)
    }

    fn conditional(&mut self) -> Parsed<ExprKind> {
        self.expect("if")?;
        let condition = self.expression()?;
        self.expect("then")?;
        let yes = self.expression()?;
        self.expect("else")?;
        let no = self.expression()?;
        Ok(ExprKind::If(condition, yes, no))
    }

    /// An expression in parentheses, a quantifier, a lambda or a `let`.
    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let start = self.at;
        self.expect("(")?;
        let kind = match self.kind() {
            TokenKind::Fixed("forall") => self.binder(BinderKind::Forall)?,
            TokenKind::Fixed("exists") => self.binder(BinderKind::Exists)?,
            TokenKind::Fixed("lambda") => self.binder(BinderKind::Lambda)?,
            TokenKind::Fixed("var") => self.let_expression()?,
            _ => {
                let e = self.expression()?;
                if matches!(self.program.expr(e).kind, ExprKind::Bounds(..)) {
                    let message = "the bounds of an extraction must not be in parentheses";
                    return Err(self.error(self.span_from(start), message));
                }
                self.expect(")")?;
                return Ok(e);
            }
        };
        self.expect(")")?;
        Ok(self.program.add(kind, self.span_from(start)))
    }

    fn binder(&mut self, kind: BinderKind) -> Parsed<ExprKind> {
        self.advance();
        let type_params = self.type_params()?;
        let vars = if !type_params.is_empty() && self.at("::") {
            Vec::new()
        } else {
            self.typed_idents(decl::Where::Forbidden("bound variables"))?
        };
        self.expect("::")?;
        let (mut attributes, mut triggers) = (Vec::new(), Vec::new());
        while self.at("{") {
            self.attribute_or_trigger(&mut attributes, Some(&mut triggers))?;
        }
        if let (BinderKind::Lambda, Some(trigger)) = (kind, triggers.first()) {
            return Err(self.error(trigger.span, "a lambda expression has no triggers"));
        }
        let body = self.expression()?;
        Ok(ExprKind::Binder(Box::new(Binder { kind, type_params, vars, triggers, attributes, body })))
    }

    fn let_expression(&mut self) -> Parsed<ExprKind> {
        self.expect("var")?;
        let vars = self.comma_separated(|p| {
            p.attributes()?;
            p.ident()
        })?;
        self.expect(":=")?;
        let values = self.comma_separated(Self::expression)?;
        self.expect(";")?;
        let attributes = self.attributes()?;
        let body = self.expression()?;
        Ok(ExprKind::Let(Box::new(Let { vars, values, attributes, body })))
    }

    fn code_expression(&mut self) -> Parsed<ExprKind> {
        self.expect("|{")?;
        let locals = self.locals()?;
        let mut stmts = Vec::new();
        // Boogie wants one or more blocks: a label, simple statements, and a jump at the end.
        while !self.at("}|") || stmts.is_empty() {
            let label = self.ident()?;
            let span = label.span;
            self.expect(":")?;
            stmts.push(Stmt { kind: StmtKind::Label(label), attributes: Vec::new(), span });
            while !self.at("goto") && !self.at("return") {
                let stmt = self.simple_statement()?;
                if let StmtKind::Label(label) = &stmt.kind {
                    return Err(self.error(label.span, "expected a `goto` or `return` before the next label"));
                }
                stmts.push(stmt);
            }
            let start = self.at;
            let returns = self.accept("return");
            if !returns {
                self.expect("goto")?;
            }
            let attributes = self.attributes()?;
            let kind = if returns {
                StmtKind::ReturnExpr(self.expression()?)
            } else {
                StmtKind::Goto(self.idents()?)
            };
            self.expect(";")?;
            stmts.push(Stmt { kind, attributes, span: self.span_from(start) });
        }
        let end = self.span();
        self.expect("}|")?;
        Ok(ExprKind::Code(Box::new(Body { locals, block: Block { stmts, end } })))
    }

    // ---- Attributes.

    /// Any number of attributes.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.at("{") {
            self.attribute_or_trigger(&mut attributes, None)?;
        }
        Ok(attributes)
    }

    /// Any number of attributes, where an opening brace may also start something else.
    pub(super) fn attributes_before_brace(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.at("{") && self.at_after(1, ":") {
            self.attribute_or_trigger(&mut attributes, None)?;
        }
        Ok(attributes)
    }

    fn attribute_or_trigger(
        &mut self,
        attributes: &mut Vec<Attribute>,
        triggers: Option<&mut Vec<Trigger>>,
    ) -> Parsed<()> {
        let start = self.at;
        self.expect("{")?;
        if !self.accept(":") {
            let exprs = self.comma_separated(Self::expression)?;
            self.expect("}")?;
            let span = self.span_from(start);
            let Some(triggers) = triggers else {
                return Err(self.error(span, "expected an attribute, found a trigger"));
            };
            triggers.push(Trigger { positive: true, exprs, span });
            return Ok(());
        }
        let name = self.ident()?;
        let args = if self.at("}") { Vec::new() } else { self.comma_separated(Self::attribute_arg)? };
        self.expect("}")?;
        let span = self.span_from(start);
        if &*name.name != "nopats" {
            attributes.push(Attribute { name, args });
            return Ok(());
        }
        let Some(triggers) = triggers else {
            return Err(self.error(span, "expected an attribute, found a trigger"));
        };
        match args[..] {
            [AttributeArg::Expr(e)] => triggers.push(Trigger { positive: false, exprs: vec![e], span }),
            _ => return Err(self.error(span, "`nopats` takes one expression")),
        }
        Ok(())
    }

    fn attribute_arg(&mut self) -> Parsed<AttributeArg> {
        if self.kind() != TokenKind::String {
            return Ok(AttributeArg::Expr(self.expression()?));
        }
        let token = self.tokens[self.at];
        let text = self.text;
        let name = self.name(&text[token.start + 1..token.end - 1]);
        self.advance();
        Ok(AttributeArg::Str(name))
    }

    // ---- Types.

    /// Any type.
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.nested(|p| {
            if p.at("[") || p.at("<") {
                return p.map_type();
            }
            if p.kind() != TokenKind::Ident {
                return p.type_atom();
            }
            let start = p.at;
            let name = p.ident()?;
            let mut args = Vec::new();
            loop {
                match p.kind() {
                    TokenKind::Ident if p.at_word("uses") && p.at_after(1, "{") => break,
                    TokenKind::Ident => {
                        let name = p.ident()?;
                        let span = name.span;
                        args.push(Type { kind: TypeKind::Named(name, Vec::new()), span });
                    }
                    TokenKind::Fixed("int" | "real" | "bool" | "(") => args.push(p.type_atom()?),
                    TokenKind::Fixed("[" | "<") => {
                        args.push(p.map_type()?);
                        break;
                    }
                    _ => break,
                }
            }
            Ok(Type { kind: TypeKind::Named(name, args), span: p.span_from(start) })
        })
    }

    fn type_atom(&mut self) -> Parsed<Type> {
        let span = self.span();
        let kind = match self.kind() {
            TokenKind::Fixed("int") => TypeKind::Int,
            TokenKind::Fixed("real") => TypeKind::Real,
            TokenKind::Fixed("bool") => TypeKind::Bool,
            TokenKind::Fixed("(") => {
                self.advance();
                let ty = self.ty()?;
                self.expect(")")?;
                return Ok(ty);
            }
            _ => return Err(self.expected("a type")),
        };
        self.advance();
        Ok(Type { kind, span })
    }

    fn map_type(&mut self) -> Parsed<Type> {
        let start = self.at;
        let params = self.type_params()?;
        self.expect("[")?;
        let args = self.list_until("]", Self::ty)?;
        let result = Box::new(self.ty()?);
        Ok(Type { kind: TypeKind::Map(params, args, result), span: self.span_from(start) })
    }

    /// `<a, b>` or nothing.
    pub(super) fn type_params(&mut self) -> Parsed<Vec<Ident>> {
        if !self.accept("<") {
            return Ok(Vec::new());
        }
        let params = self.idents()?;
        self.expect(">")?;
        Ok(params)
    }

    // ---- Literals.

    fn natural(&mut self) -> Parsed<BigUint> {
        let digits = self.token_text(self.at).parse();
        self.advance();
        digits.map_err(|_| self.expected("a number"))
    }

    fn bv_literal(&mut self) -> Parsed<Literal> {
        let span = self.span();
        let text = self.token_text(self.at);
        let (value, width) = text.split_once("bv").unwrap_or((text, ""));
        let literal = match (value.parse(), width.parse::<i32>()) {
            (Ok(value), Ok(width)) => Ok(Literal::Bv(value, width.unsigned_abs())),
            _ => Err(self.error(span, "the width of this bit-vector is too large")),
        };
        self.advance();
        literal
    }

    fn decimal(&mut self) -> Parsed<BigRational> {
        let span = self.span();
        let text = self.token_text(self.at);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: BigInt = format!("{whole}{fraction}").parse().unwrap_or_else(|_| BigInt::zero());
        // The exponent is bounded, lest ten characters denote a gigabyte of digits.
        let scale = exponent.parse::<i64>().ok().filter(|e| e.unsigned_abs() <= 100_000);
        let Some(scale) = scale.map(|e| e - fraction.len() as i64) else {
            return Err(self.error(span, "the exponent of this number is too large"));
        };
        self.advance();
        let power = Pow::pow(BigInt::from(10), scale.unsigned_abs().to_u32().unwrap_or(u32::MAX));
        Ok(if scale < 0 {
            BigRational::new(digits, power)
        } else {
            BigRational::new(digits * power, BigInt::one())
        })
    }

    fn float_literal(&mut self) -> Parsed<Literal> {
        let float = float::read(self.token_text(self.at));
        let float = float.map_err(|message| self.error(self.span(), message))?;
        self.advance();
        Ok(Literal::Float(float))
    }
}

/// Literals that are keywords.
fn fixed_literal(symbol: &str) -> Option<Literal> {
    Some(match symbol {
        "true" => Literal::Bool(true),
        "false" => Literal::Bool(false),
        "RNE" | "roundNearestTiesToEven" => Literal::RoundingMode("RNE"),
        "RNA" | "roundNearestTiesToAway" => Literal::RoundingMode("RNA"),
        "RTP" | "roundTowardPositive" => Literal::RoundingMode("RTP"),
        "RTN" | "roundTowardNegative" => Literal::RoundingMode("RTN"),
        "RTZ" | "roundTowardZero" => Literal::RoundingMode("RTZ"),
        _ => return None,
    })
}
