//! The abstract syntax tree of Boogie programs, as they are written.
//!
//! Names are not resolved and nothing is typed. Expressions live in one arena and refer to each other by [`ExprId`],
//! so a chain of a hundred thousand `+` is dropped like a vector, not by deep recursion. Types and statements are
//! plain trees, whose depth the parser limits.

use std::sync::Arc;

use footpath_ir::source::Span;
use num_bigint::BigUint;
use num_rational::BigRational;

/// A name as it is written, without the escaping backslash.
pub type Name = Arc<str>;

/// A name at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// Names an expression of the [`Program`] it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// Everything that was read, in order.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The declarations of all files, one after the other.
    pub decls: Vec<Decl>,
    /// Every expression of every declaration.
    exprs: Vec<Expr>,
}

impl Program {
    /// Adds an expression.
    pub fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, span });
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// The expression called `id`.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }
}

/// A top-level declaration.
#[derive(Clone, Debug)]
pub struct Decl {
    /// What is declared.
    pub kind: DeclKind,
    /// `{:name args}` annotations.
    pub attributes: Vec<Attribute>,
    /// From the first keyword to the end.
    pub span: Span,
}

/// The kinds of top-level declarations.
#[derive(Clone, Debug)]
pub enum DeclKind {
    /// One constructor or synonym of a `type` declaration.
    Type(TypeDecl),
    /// `datatype`, of Boogie 3.
    Datatype(DatatypeDecl),
    /// `const`.
    Const(ConstDecl),
    /// `function`.
    Function(FunctionDecl),
    /// `axiom`.
    Axiom(ExprId),
    /// `var`.
    Var(Vec<TypedIdent>),
    /// `procedure`, with or without a body.
    Procedure(ProcedureDecl),
    /// `implementation`.
    Implementation(ProcedureDecl),
    /// A declaration that could not be read or is not supported; a diagnostic says why. It still declares
    /// `names`, so that a use of one is not reported as undeclared.
    Broken(Vec<Name>),
}

/// `type Name params [= synonym]`.
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// The new name.
    pub name: Ident,
    /// The type parameters; for a constructor only their number matters.
    pub params: Vec<Ident>,
    /// What it abbreviates; `None` for a new type.
    pub synonym: Option<Type>,
}

/// `datatype Name<params> { constructors }`.
#[derive(Clone, Debug)]
pub struct DatatypeDecl {
    /// The new name.
    pub name: Ident,
    /// The type parameters.
    pub params: Vec<Ident>,
    /// The alternatives.
    pub constructors: Vec<Constructor>,
}

/// One alternative of a datatype.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name, also that of a function.
    pub name: Ident,
    /// Its fields.
    pub fields: Vec<TypedIdent>,
}

/// `const unique a, b: T extends …`.
#[derive(Clone, Debug)]
pub struct ConstDecl {
    /// Whether the constants differ from all other unique ones.
    pub unique: bool,
    /// The new names.
    pub names: Vec<Ident>,
    /// Their type.
    pub ty: Type,
    /// Their place in the partial order `<:`.
    pub extends: Option<Extends>,
}

/// The `extends` clause of a constant.
#[derive(Clone, Debug)]
pub struct Extends {
    /// The parents, each with whether its edge is `unique`.
    pub parents: Vec<(bool, Ident)>,
    /// Whether no other constants may extend these.
    pub complete: bool,
}

/// `function`.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    /// The new name.
    pub name: Ident,
    /// The type parameters.
    pub type_params: Vec<Ident>,
    /// The arguments; a nameless one has an empty name.
    pub params: Vec<TypedIdent>,
    /// The result; a nameless one has an empty name.
    pub result: TypedIdent,
    /// The definition.
    pub body: Option<ExprId>,
}

/// A variable with its type.
#[derive(Clone, Debug)]
pub struct TypedIdent {
    /// The variable.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// Its `where` clause.
    pub condition: Option<ExprId>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// A procedure or an implementation.
#[derive(Clone, Debug)]
pub struct ProcedureDecl {
    /// Its name.
    pub name: Ident,
    /// The type parameters.
    pub type_params: Vec<Ident>,
    /// The in-parameters.
    pub ins: Vec<TypedIdent>,
    /// The out-parameters.
    pub outs: Vec<TypedIdent>,
    /// The contract; empty for an implementation.
    pub specs: Vec<Spec>,
    /// The code.
    pub body: Option<Body>,
    /// `pure procedure`, of Boogie 3.
    pub pure: bool,
}

/// One clause of a contract.
#[derive(Clone, Debug)]
pub enum Spec {
    /// `requires`.
    Requires(Condition),
    /// `ensures`.
    Ensures(Condition),
    /// `modifies`.
    Modifies(Vec<Ident>),
}

/// A clause of a contract or a loop.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Whether it is assumed without being checked.
    pub free: bool,
    /// What it says.
    pub expr: ExprId,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The whole clause.
    pub span: Span,
}

/// The code of a procedure, or of a code expression.
#[derive(Clone, Debug)]
pub struct Body {
    /// The local variables.
    pub locals: Vec<TypedIdent>,
    /// The statements.
    pub block: Block,
}

/// A sequence of statements between braces.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements; labels are among them.
    pub stmts: Vec<Stmt>,
    /// The closing brace.
    pub end: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// From its first to its last token; of `if` and `while`, the head only.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `label:`.
    Label(Ident),
    /// `assert e;`.
    Assert(ExprId),
    /// `assume e;`.
    Assume(ExprId),
    /// `havoc x, y;`.
    Havoc(Vec<Ident>),
    /// `x, m[i] := e, f;`.
    Assign(Vec<Target>, Vec<ExprId>),
    /// `Cons(x, xs) := e;`, of Boogie 3.
    Unpack(Ident, Vec<Ident>, ExprId),
    /// `call x := p(e);`.
    Call(Call),
    /// `par p(e) | q(f);`.
    ParCall(Vec<Call>),
    /// `yield;`.
    Yield,
    /// `hide`, `reveal`, `push` and `pop`, of Boogie 3: hints to the prover without other effect.
    Hint(Option<Ident>),
    /// `if (g) { … } else if … else { … }`.
    If(Vec<(Guard, Block)>, Option<Block>),
    /// `while (g) invariant …; { … }`.
    While(Guard, Vec<Condition>, Block),
    /// `break label;`.
    Break(Option<Ident>),
    /// `goto a, b;`.
    Goto(Vec<Ident>),
    /// `return;`.
    Return,
    /// `return e;`, in code expressions.
    ReturnExpr(ExprId),
}

/// The condition of a branch or loop; `None` is `*`.
pub type Guard = Option<ExprId>;

/// The left-hand side of an assignment.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable that changes.
    pub base: Ident,
    /// Which part of it.
    pub path: Vec<Step>,
    /// All of it.
    pub span: Span,
}

/// One step into a variable on the left of an assignment.
#[derive(Clone, Debug)]
pub enum Step {
    /// `[i, j]`.
    Index(Vec<ExprId>, Span),
    /// `->field`.
    Field(Ident),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Whether the call was written `async`.
    pub asynchronous: bool,
    /// Whether preconditions are assumed instead of checked.
    pub free: bool,
    /// The procedure.
    pub callee: Ident,
    /// The arguments.
    pub args: Vec<ExprId>,
    /// The variables that get the results.
    pub outs: Vec<Ident>,
}

/// `{:name args}`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name, without the colon.
    pub name: Ident,
    /// The arguments.
    pub args: Vec<AttributeArg>,
}

/// An argument of an attribute.
#[derive(Clone, Debug)]
pub enum AttributeArg {
    /// A string, without its quotes.
    Str(Name),
    /// An expression.
    Expr(ExprId),
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// `real`.
    Real,
    /// A named type: constructor, synonym, variable, `bv32`, `float24e8`, `rmode`.
    Named(Ident, Vec<Type>),
    /// `<params>[args]result`.
    Map(Vec<Ident>, Vec<Type>, Box<Type>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A variable or constant.
    Var(Name),
    /// `f(args)`.
    Call(Ident, Vec<ExprId>),
    /// A prefix operator.
    Unary(UnaryOp, ExprId),
    /// An infix operator; the span is its place.
    Binary(BinaryOp, ExprId, ExprId, Span),
    /// `m[args]`.
    Select(ExprId, Vec<ExprId>),
    /// `m[args := value]`.
    Store(ExprId, Vec<ExprId>, ExprId),
    /// `b[end:start]`.
    Extract(ExprId, BigUint, BigUint),
    /// `end:start` where no `[` precedes it: always an error, which is found later.
    Bounds(BigUint, BigUint),
    /// `e->field`.
    Field(ExprId, Ident),
    /// `e->(field := value)`.
    FieldUpdate(ExprId, Ident, ExprId),
    /// `e is Constructor`.
    Is(ExprId, Ident),
    /// `if c then a else b`.
    If(ExprId, ExprId, ExprId),
    /// `old(e)`.
    Old(ExprId),
    /// `int(e)`.
    ToInt(ExprId),
    /// `real(e)`.
    ToReal(ExprId),
    /// `e : T`.
    Coerce(ExprId, Box<Type>),
    /// `(forall …)`, `(exists …)`, `(lambda …)`.
    Binder(Box<Binder>),
    /// `(var x := e; body)`.
    Let(Box<Let>),
    /// `|{ code }|`.
    Code(Box<Body>),
}

/// A literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A natural number.
    Int(BigUint),
    /// A decimal.
    Real(BigRational),
    /// A value and a width, which may be too small for it.
    Bv(BigUint, u32),
    /// A floating-point number.
    Float(Float),
    /// A rounding mode, by its SMT-LIB abbreviation.
    RoundingMode(&'static str),
}

/// A floating-point literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Float {
    /// Width of the significand, the hidden bit included.
    pub significand: u32,
    /// Width of the exponent.
    pub exponent: u32,
    /// Sign, exponent and significand in the IEEE interchange format.
    pub bits: BigUint,
}

/// `let` in parentheses.
#[derive(Clone, Debug)]
pub struct Let {
    /// The new variables.
    pub vars: Vec<Ident>,
    /// Their values.
    pub values: Vec<ExprId>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Where they are visible.
    pub body: ExprId,
}

/// A quantifier or a lambda expression.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Which.
    pub kind: BinderKind,
    /// The type parameters.
    pub type_params: Vec<Ident>,
    /// The variables.
    pub vars: Vec<TypedIdent>,
    /// Triggers, each a set of expressions.
    pub triggers: Vec<Trigger>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// What is quantified.
    pub body: ExprId,
}

/// When a prover should instantiate a quantifier.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// `false` for `{:nopats e}`, which forbids `e`.
    pub positive: bool,
    /// The patterns.
    pub exprs: Vec<ExprId>,
    /// Where it stands.
    pub span: Span,
}

/// The three binders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinderKind {
    /// Holds for all.
    Forall,
    /// Holds for some.
    Exists,
    /// The map from the variables to the body.
    Lambda,
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `!`.
    Not,
    /// `-`.
    Neg,
}

/// Infix operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `<==>`.
    Iff,
    /// `==>`.
    Implies,
    /// `<==`.
    Explies,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `<:`, the partial order of constants.
    Below,
    /// `++`, of bit-vectors.
    Concat,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `div`, of integers.
    Div,
    /// `mod`, of integers.
    Mod,
    /// `/`, of reals and floats.
    RealDiv,
    /// `**`, of reals.
    Pow,
}

impl BinaryOp {
    /// The operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Iff => "<==>",
            BinaryOp::Implies => "==>",
            BinaryOp::Explies => "<==",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Below => "<:",
            BinaryOp::Concat => "++",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "div",
            BinaryOp::Mod => "mod",
            BinaryOp::RealDiv => "/",
            BinaryOp::Pow => "**",
        }
    }
}
