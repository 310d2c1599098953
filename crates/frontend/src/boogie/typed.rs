//! The typed syntax tree: Boogie programs after name resolution and type checking.
//!
//! Every name is replaced by the entity that it names, every type by a sort of `footpath-term`, and every expression
//! has its sort. The instantiation of a polymorphic function or map follows from the sorts of the arguments and of
//! the application, as each type parameter occurs in the argument or in the result types.
//!
//! Some constructs are gone: `e : T`, `old(e)` (it became [`ExprKind::Old`] at the globals in it), assignments to
//! parts of a variable (`m[i] := e` became `m := m[i := e]`), and the field notation of Boogie 3 (which became
//! applications of selectors, testers and constructors). What Footpath does not support (concurrency, code
//! expressions) never gets here.
//!
//! Expressions are numbered so that operands come before the expressions that use them; a pass over them is a loop.
//! An expression may be an operand more than once.

use footpath_ir::source::Span;
use footpath_term::{FuncId, SortCtorId, SortId, Terms, TypeVarId};

pub use super::ast::{BinaryOp, BinderKind, Ident, Literal, Name, UnaryOp};

/// Names a variable or constant of a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// Names an expression of a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// Names a procedure. Not a position: procedures with errors leave gaps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProcId(pub u32);

/// A program without errors: what had some is left out.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Sorts, type constructors, type variables, functions. No terms yet.
    pub terms: Terms,
    /// Every variable and constant.
    pub vars: Vec<Var>,
    /// Every expression, operands first.
    pub exprs: Vec<Expr>,
    /// Type constructors, in source order.
    pub types: Vec<TypeDecl>,
    /// Functions, in source order, those of datatypes included.
    pub functions: Vec<Function>,
    /// Constants, in source order.
    pub constants: Vec<Constant>,
    /// Global variables, in source order.
    pub globals: Vec<VarId>,
    /// Axioms, in source order.
    pub axioms: Vec<Condition>,
    /// Procedures, in source order.
    pub procedures: Vec<Procedure>,
}

impl Program {
    /// The variable called `id`.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// The expression called `id`.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }
}

/// What kind of variable a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// A constant.
    Constant,
    /// A global variable.
    Global,
    /// An in-parameter of a procedure, or a parameter of a function.
    In,
    /// An out-parameter.
    Out,
    /// A local variable.
    Local,
    /// Bound by a quantifier, a lambda or a `let`.
    Bound,
}

impl VarKind {
    /// Whether a statement may change it.
    pub fn is_mutable(self) -> bool {
        matches!(self, VarKind::Global | VarKind::Out | VarKind::Local)
    }
}

/// A variable or constant.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name; empty for a nameless parameter.
    pub name: Name,
    /// Its kind.
    pub kind: VarKind,
    /// Its sort.
    pub sort: SortId,
    /// What holds of its arbitrary values.
    pub condition: Option<ExprId>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Where it is declared.
    pub span: Span,
}

/// A type constructor.
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// The constructor.
    pub ctor: SortCtorId,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Where it is declared.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The function.
    pub id: FuncId,
    /// Its parameters.
    pub params: Vec<VarId>,
    /// Its definition.
    pub body: Option<ExprId>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Where it is declared.
    pub span: Span,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// The constant.
    pub var: VarId,
    /// Whether it differs from all other unique constants.
    pub unique: bool,
    /// Its place in the order `<:`.
    pub extends: Option<Extends>,
}

/// The `extends` clause of a constant.
#[derive(Clone, Debug)]
pub struct Extends {
    /// The parents, each with whether its edge is `unique`.
    pub parents: Vec<(VarId, bool)>,
    /// Whether no other constants may extend this one.
    pub complete: bool,
}

/// An axiom, a clause of a contract, or a loop invariant.
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

/// A procedure with its implementations.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// What calls refer to.
    pub id: ProcId,
    /// Its name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<TypeVarId>,
    /// In-parameters.
    pub ins: Vec<VarId>,
    /// Out-parameters.
    pub outs: Vec<VarId>,
    /// Preconditions.
    pub requires: Vec<Condition>,
    /// Postconditions.
    pub ensures: Vec<Condition>,
    /// Globals it may change.
    pub modifies: Vec<VarId>,
    /// Implementations, in source order.
    pub bodies: Vec<Implementation>,
    /// `pure procedure`.
    pub pure: bool,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The whole declaration.
    pub span: Span,
}

/// An implementation.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// In-parameters under the names of the implementation; its types are in terms of the procedure's type parameters.
    pub ins: Vec<VarId>,
    /// Out-parameters, likewise.
    pub outs: Vec<VarId>,
    /// The code.
    pub code: Code,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The whole declaration.
    pub span: Span,
}

/// Local variables and statements.
#[derive(Clone, Debug)]
pub struct Code {
    /// The local variables.
    pub locals: Vec<VarId>,
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
    /// Where it stands; of `if` and `while`, the head only.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A label.
    Label(Ident),
    /// `assert`.
    Assert(ExprId),
    /// `assume`.
    Assume(ExprId),
    /// `havoc`.
    Havoc(Vec<VarId>),
    /// Parallel assignment.
    Assign(Vec<(VarId, ExprId)>),
    /// A call.
    Call(Call),
    /// `if` with any number of arms.
    If(Vec<(Option<ExprId>, Block)>, Option<Block>),
    /// `while`.
    While(Option<ExprId>, Vec<Condition>, Block),
    /// `break`, with the label of the statement it leaves; without one, the innermost loop.
    Break(Option<Name>),
    /// `goto`.
    Goto(Vec<Name>),
    /// `return`.
    Return,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The callee.
    pub callee: ProcId,
    /// The arguments.
    pub args: Vec<ExprId>,
    /// The variables that get the results.
    pub outs: Vec<VarId>,
}

/// An attribute.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name, without the colon.
    pub name: Name,
    /// The arguments.
    pub args: Vec<AttributeArg>,
}

/// An argument of an attribute.
#[derive(Clone, Debug)]
pub enum AttributeArg {
    /// A string.
    Str(Name),
    /// An expression.
    Expr(ExprId),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its sort.
    pub sort: SortId,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// The current value of a variable.
    Var(VarId),
    /// The value a global had when the procedure was entered.
    Old(VarId),
    /// A function applied to arguments.
    Apply(FuncId, Vec<ExprId>),
    /// A prefix operator.
    Unary(UnaryOp, ExprId),
    /// An infix operator. The operands have the same sort, but for `++` and `/`.
    Binary(BinaryOp, ExprId, ExprId),
    /// An element of a map.
    Select(ExprId, Vec<ExprId>),
    /// A map with one element replaced.
    Store(ExprId, Vec<ExprId>, ExprId),
    /// The bits `end - 1` down to `start` of a bit-vector.
    Extract {
        /// The bit-vector.
        operand: ExprId,
        /// One past the highest bit.
        end: u32,
        /// The lowest bit.
        start: u32,
    },
    /// `if c then a else b`.
    If(ExprId, ExprId, ExprId),
    /// From `real` to `int`.
    ToInt(ExprId),
    /// From `int` to `real`.
    ToReal(ExprId),
    /// A quantifier or a lambda.
    Binder(Box<Binder>),
    /// Variables with values, and the expression in which they are visible.
    Let(Vec<(VarId, ExprId)>, ExprId),
}

/// A quantifier or a lambda expression.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Which.
    pub kind: BinderKind,
    /// Type parameters.
    pub type_params: Vec<TypeVarId>,
    /// Variables.
    pub vars: Vec<VarId>,
    /// Triggers.
    pub triggers: Vec<Vec<ExprId>>,
    /// Forbidden triggers.
    pub nopats: Vec<ExprId>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// What is quantified.
    pub body: ExprId,
}

impl ExprKind {
    /// Calls `visit` for every operand; those inside attributes are left out.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            ExprKind::Literal(_) | ExprKind::Var(_) | ExprKind::Old(_) => {}
            ExprKind::Apply(_, args) => args.iter().copied().for_each(visit),
            ExprKind::Unary(_, e) | ExprKind::ToInt(e) | ExprKind::ToReal(e) => visit(*e),
            ExprKind::Extract { operand, .. } => visit(*operand),
            ExprKind::Binary(_, a, b) => [*a, *b].into_iter().for_each(visit),
            ExprKind::Select(map, indices) => [*map].iter().chain(indices).copied().for_each(visit),
            ExprKind::Store(map, indices, value) => {
                [*map].iter().chain(indices).chain([value]).copied().for_each(visit);
            }
            ExprKind::If(c, a, b) => [*c, *a, *b].into_iter().for_each(visit),
            ExprKind::Binder(b) => {
                b.triggers.iter().flatten().chain(&b.nopats).chain([&b.body]).copied().for_each(visit);
            }
            ExprKind::Let(bindings, body) => {
                bindings.iter().map(|(_, e)| e).chain([body]).copied().for_each(visit);
            }
        }
    }
}
