//! The program form, an intermediate representation: procedures of labelled basic blocks, modelled on Boogie.
//!
//! Everything between the front ends and the engines is a [`Program`]. Its expressions are terms of `footpath-term`
//! over the program's variables, each of which is a symbol. The form keeps what an interpreter needs (deterministic
//! branches, calls, assertions with their kind) and what a report needs (a span at every statement, an origin at
//! every block).
//!
//! Semantics, where it is not obvious:
//!
//! * A run starts in a procedure's entry block with arbitrary parameters, globals and locals that satisfy their
//!   where-clauses, the axioms and the `requires` clauses.
//! * [`TerminatorKind::Goto`] chooses freely; [`TerminatorKind::Branch`] is decided by its condition.
//! * [`StatementKind::Assume`] with a false condition *blocks* the run: it neither returns nor fails.
//!   [`StatementKind::Assert`] with a false condition *fails* it.
//! * `havoc` gives arbitrary values that satisfy the where-clauses of the havocked variables.
//! * A call of a procedure with bodies runs one of them; without a body it checks `requires`, gives arbitrary values
//!   to results and modified globals, and assumes `ensures`.
//! * An *assumption variable* ([`Variable::is_assumption`]) records whether the assumptions of an analysis have held
//!   so far. It is true where its procedure is entered (a global one, where the first procedure is entered), and is
//!   changed by assignments `a := a && P`. An assertion with a premise over such variables was proved under it: it
//!   means `assume premise ==> condition; assert condition`.
//! * [`StatementKind::TryFirst`] does nothing. It tells engines that search which runs to prefer.
//! * `old(g)` is a separate symbol ([`Global::old`]): the value of `g` when the procedure was entered.
//! * Where a procedure has checked `ensures`, a return at which one does not hold fails.
//!
//! The validator (`validate.rs`) checks the rules of the form, `print.rs` writes it as Boogie text.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use footpath_term::{FuncId, SortCtorId, SortId, SymbolId, TermId, Terms, TypeVarId};
use rustc_hash::FxHashMap;

use crate::source::Span;

/// The id of a procedure of a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProcId(pub u32);

/// The id of a block of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

impl BlockId {
    /// The position in [`Body::blocks`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ProcId {
    /// The position in [`Program::procedures`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The sorts, symbols and terms of everything below. Passes that work on one procedure put a layer on it.
    pub terms: Arc<Terms>,
    /// Type constructors, in source order.
    pub types: Vec<TypeDecl>,
    /// Functions, in source order.
    pub functions: Vec<Function>,
    /// Constants, in source order.
    pub constants: Vec<Constant>,
    /// Global variables, in source order.
    pub globals: Vec<Global>,
    /// Axioms, in source order; the definitions of functions are not among them.
    pub axioms: Vec<Axiom>,
    /// Procedures, in source order.
    pub procedures: Vec<Procedure>,
}

/// A declared type constructor; its arity and its datatype constructors are in [`Terms`].
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// The constructor.
    pub ctor: SortCtorId,
    /// Where it is declared.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// A declared function; its signature is in [`Terms`].
#[derive(Clone, Debug)]
pub struct Function {
    /// The function.
    pub id: FuncId,
    /// Names of the parameters, as far as the source gives them, for printing; one for each parameter.
    pub params: Vec<SymbolId>,
    /// The definition, a term over `params`: the function equals it everywhere.
    pub body: Option<TermId>,
    /// Where it is declared.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// A declared constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// The symbol.
    pub symbol: SymbolId,
    /// Different from all other unique constants of its sort.
    pub unique: bool,
    /// The `extends` clause.
    pub extends: Option<Extends>,
    /// Where it is declared.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// The place of a constant in the partial order `<:`.
#[derive(Clone, Debug)]
pub struct Extends {
    /// Its direct parents, each with whether the edge is `unique`.
    pub parents: Vec<(SymbolId, bool)>,
    /// Whether no other constants are its children.
    pub complete: bool,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// The variable itself.
    pub variable: Variable,
    /// The symbol that stands for its value at the entry of the current procedure.
    pub old: SymbolId,
}

/// A variable: global, parameter, result or local.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its symbol, with name and sort.
    pub symbol: SymbolId,
    /// The condition that its arbitrary values satisfy.
    pub where_clause: Option<TermId>,
    /// Where it is declared.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// A formula that the uninterpreted functions and constants satisfy.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// The formula; closed but for constants.
    pub condition: TermId,
    /// Where it stands.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// A procedure: a signature, a contract, and any number of bodies.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// The name in the source, unique in the program.
    pub name: Arc<str>,
    /// Type parameters.
    pub type_params: Vec<TypeVarId>,
    /// Parameters.
    pub params: Vec<Variable>,
    /// Results.
    pub results: Vec<Variable>,
    /// Preconditions, over parameters and globals.
    pub requires: Vec<Contract>,
    /// Postconditions, over parameters, results, globals and old symbols.
    pub ensures: Vec<Contract>,
    /// Globals that a call may change.
    pub modifies: Vec<SymbolId>,
    /// The implementations.
    pub bodies: Vec<Body>,
    /// Where it is declared.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// A `requires` or `ensures` clause.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The condition.
    pub condition: TermId,
    /// `free`: never checked, only assumed: by the procedure that a run starts in (`requires`), or by callers
    /// (`ensures`).
    pub free: bool,
    /// Where it stands.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// An implementation of a procedure.
#[derive(Clone, Debug)]
pub struct Body {
    /// Parameters: the procedure's, in order, perhaps under other names and so with other symbols.
    pub params: Vec<Variable>,
    /// Results, likewise.
    pub results: Vec<Variable>,
    /// Local variables.
    pub locals: Vec<Variable>,
    /// The blocks; the first one is the entry, and no block leads back to it.
    pub blocks: Vec<Block>,
    /// Where it stands.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// A labelled block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The label, unique in its body.
    pub name: Arc<str>,
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// How control leaves the block.
    pub terminator: Terminator,
    /// The statements' range in the source; that of the construct that made the block if it has none.
    pub span: Span,
    /// The place in the program as the front end made it that the block is a copy or a part of.
    pub origin: Origin,
}

/// Where a block comes from: a place in the form as the front end made it. Blocks that are copies of each
/// other have the same origin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Origin {
    /// The procedure.
    pub procedure: ProcId,
    /// Which of its bodies.
    pub body: u32,
    /// The place in the body.
    pub place: Place,
}

/// A place in a body as the front end made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    /// The statements of a block from number `first` up to the next cut.
    Segment {
        /// The block.
        block: BlockId,
        /// Its first statement in this segment; may be one past the last one.
        first: u32,
    },
    /// The edge to successor number `successor` of a block.
    Edge {
        /// The block the edge leaves.
        block: BlockId,
        /// Which of its successors.
        successor: u32,
    },
    /// The assertion that is statement number `statement` of a block fails (for a call: one of its preconditions,
    /// number `clause`; 0 for an assertion).
    Failure {
        /// The block.
        block: BlockId,
        /// The statement.
        statement: u32,
        /// The clause.
        clause: u32,
    },
    /// The entry, before the entry block, where where-clauses and preconditions are assumed.
    Entry,
    /// The exit, after a return, where postconditions are checked.
    Exit,
    /// Postcondition number `clause` fails.
    EnsuresFailure {
        /// The clause.
        clause: u32,
    },
    /// Node number `node` of the summary that replaces the procedure at a call. Made by passes only.
    Summary {
        /// The node.
        node: u32,
    },
    /// A cut: the bound was reached on the way to this block.
    Cut {
        /// The block that a further iteration would have entered.
        block: BlockId,
    },
}

impl Place {
    /// The block that contains the place, that the edge leaves, or that a cut run would have entered.
    pub fn block(self) -> Option<BlockId> {
        match self {
            Place::Segment { block, .. } | Place::Edge { block, .. } => Some(block),
            Place::Failure { block, .. } | Place::Cut { block } => Some(block),
            Place::Entry | Place::Exit | Place::EnsuresFailure { .. } | Place::Summary { .. } => None,
        }
    }
}

/// How control leaves a block.
#[derive(Clone, Debug)]
pub struct Terminator {
    /// The kind of terminator.
    pub kind: TerminatorKind,
    /// The range in the source of the condition or statement that decides it.
    pub span: Span,
}

/// The kind of a [`Terminator`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TerminatorKind {
    /// To any of the blocks, freely chosen. Without a target the run blocks.
    Goto(Vec<BlockId>),
    /// To `then_to` if the condition holds, to `else_to` otherwise.
    Branch {
        /// The condition.
        condition: TermId,
        /// Target if it holds.
        then_to: BlockId,
        /// Target if it does not.
        else_to: BlockId,
    },
    /// The procedure returns.
    Return,
    /// An assertion was violated. Made by passes only.
    Fail,
    /// The bound on loop iterations or calls was reached here: longer runs of the program are not represented. Made
    /// by passes only.
    Cut,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The kind of statement.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
    /// Its attributes.
    pub attributes: Attributes,
}

/// The kind of a [`Statement`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// Parallel assignment; each variable at most once.
    Assign(Vec<(SymbolId, TermId)>),
    /// Arbitrary values.
    Havoc(Vec<SymbolId>),
    /// Blocks if the condition is false.
    Assume(TermId),
    /// Fails if the condition is false, unless the premise holds: then it blocks.
    Assert {
        /// The condition.
        condition: TermId,
        /// What kind of check it is.
        kind: AssertKind,
        /// The formula over assumption variables under which the condition was proved; none if it was not.
        premise: Option<TermId>,
    },
    /// A hint for searches: runs in which the condition holds are preferred to those in which it does not.
    TryFirst(TermId),
    /// A call.
    Call {
        /// The callee.
        callee: ProcId,
        /// The arguments; `None` for `*`, an arbitrary value.
        args: Vec<Option<TermId>>,
        /// The variables that take the results; `None` for `*`, dropped.
        results: Vec<Option<SymbolId>>,
    },
}

macro_rules! assert_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal),* $(,)?) => {
        /// What an assertion checks.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum AssertKind {
            $($(#[$doc])* $kind),*
        }

        impl AssertKind {
            /// All kinds.
            pub const ALL: &'static [AssertKind] = &[$(AssertKind::$kind),*];

            /// The stable name, as it stands in attributes and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(AssertKind::$kind => $name),*
                }
            }
        }
    };
}

assert_kinds! {
    /// A condition that the source asserts.
    Assert = "assert",
    /// A loop invariant, checked whenever the loop head is reached.
    LoopInvariant = "loop_invariant",
    /// A precondition of a callee.
    Requires = "requires",
    /// A postcondition.
    Ensures = "ensures",
    /// An access or a call through a null pointer.
    Null = "null",
    /// An access out of the bounds of an object.
    Bounds = "bounds",
    /// An index beyond a member or row, though it may be within the whole object.
    Subobject = "subobject",
    /// An access at an address that is no multiple of what its type demands.
    Alignment = "alignment",
    /// An access to an object after its lifetime ended.
    UseAfterFree = "use_after_free",
    /// A use of a stream after it was closed.
    ClosedStream = "closed_stream",
    /// An invalid `free`: of a pointer that cannot be freed.
    Free = "free",
    /// A write to what is constant.
    Constant = "constant",
    /// A copy between ranges that overlap, by a function for which they must not.
    Overlap = "overlap",
    /// A null pointer where an attribute promises that there is none.
    Nonnull = "nonnull",
    /// The length of a variable-length array that is not positive.
    VlaLength = "vla_length",
    /// A call of a function as one of another type, which the calling convention does not bridge.
    CallType = "call_type",
    /// Division by zero.
    Division = "division",
    /// A signed result that does not fit its type.
    Overflow = "overflow",
    /// A floating-point number that does not fit the integer it is converted to.
    FloatCast = "float_cast",
    /// A shift by the width or more, or one to the left that loses bits of a number with a sign.
    Shift = "shift",
    /// A value of `_Bool` that is neither 0 nor 1.
    Bool = "bool",
    /// A compiler builtin with an argument for which it is undefined.
    Builtin = "builtin",
    /// A place that the source declares unreachable.
    Unreachable = "unreachable",
    /// A read of an uninitialised object.
    Uninitialised = "uninitialised",
    /// The program aborts.
    Abort = "abort",
    /// The program ends by `exit`, which is no error.
    Exit = "exit",
}

impl fmt::Display for AssertKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Attributes `{:name arg, …}`; most things have none.
pub type Attributes = Vec<Attribute>;

/// One attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The name, without the colon.
    pub name: Arc<str>,
    /// The arguments.
    pub args: Vec<AttributeArg>,
}

/// An argument of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeArg {
    /// A string.
    Text(Arc<str>),
    /// An expression.
    Term(TermId),
}

impl Program {
    /// The condition of the assertion whose failure a place is; `None` for other places, including failed
    /// preconditions of calls.
    pub fn asserted(&self, at: Origin) -> Option<TermId> {
        let Place::Failure { block, statement, .. } = at.place else { return None };
        let body = &self[at.procedure].bodies[at.body as usize];
        match body[block].statements.get(statement as usize)?.kind {
            StatementKind::Assert { condition, .. } => Some(condition),
            _ => None,
        }
    }

    /// A program without declarations.
    pub fn new(terms: Terms) -> Program {
        Program {
            terms: Arc::new(terms),
            types: Vec::new(),
            functions: Vec::new(),
            constants: Vec::new(),
            globals: Vec::new(),
            axioms: Vec::new(),
            procedures: Vec::new(),
        }
    }

    /// The procedure called `name`.
    pub fn procedure_named(&self, name: &str) -> Option<ProcId> {
        self.procedures.iter().position(|p| &*p.name == name).map(|i| ProcId(i as u32))
    }

    /// The assumption variables that are true when a body is entered: its locals, and at the start of a run also the
    /// globals.
    pub fn assumptions<'a>(&'a self, body: &'a Body, start: bool) -> impl Iterator<Item = SymbolId> + 'a {
        let globals = self.globals.iter().filter(move |_| start).map(|g| &g.variable);
        globals.chain(&body.locals).filter(|v| v.is_assumption()).map(|v| v.symbol)
    }

    /// From each old symbol to its global.
    pub fn old_symbols(&self) -> FxHashMap<SymbolId, SymbolId> {
        self.globals.iter().map(|g| (g.old, g.variable.symbol)).collect()
    }
}

impl Index<ProcId> for Program {
    type Output = Procedure;

    fn index(&self, id: ProcId) -> &Procedure {
        &self.procedures[id.index()]
    }
}

impl IndexMut<ProcId> for Program {
    fn index_mut(&mut self, id: ProcId) -> &mut Procedure {
        &mut self.procedures[id.index()]
    }
}

impl Index<BlockId> for Body {
    type Output = Block;

    fn index(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }
}

impl IndexMut<BlockId> for Body {
    fn index_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.index()]
    }
}

impl Body {
    /// The entry block.
    pub const ENTRY: BlockId = BlockId(0);

    /// The ids of all blocks.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// The statement that marks a block as the failure of a check that does not stop the program, if there is one.
    pub fn mark(&self, block: BlockId) -> Option<&Statement> {
        self[block].statements.iter().find(|s| s.marks().is_some())
    }

    /// The marks in a block's successors: failures of checks that do not stop the program and that happen at the
    /// block's end.
    pub fn marks_behind(&self, block: BlockId) -> impl Iterator<Item = &Statement> {
        self[block].terminator.successors().into_iter().filter_map(|s| self.mark(s))
    }

    /// The formula over assumption variables under which all postconditions were proved: the attribute `{:verified …}`.
    pub fn exit_premise(&self) -> Option<TermId> {
        verified(&self.attributes)
    }

    /// Records the formula under which all postconditions were proved, replacing an earlier one.
    pub fn set_exit_premise(&mut self, new: Option<TermId>) {
        set_verified(&mut self.attributes, new);
    }

    /// For each block, the blocks that lead to it, once for each edge.
    pub fn predecessors(&self) -> Vec<Vec<BlockId>> {
        let mut predecessors = vec![Vec::new(); self.blocks.len()];
        for id in self.block_ids() {
            for s in self[id].terminator.successors() {
                predecessors[s.index()].push(id);
            }
        }
        predecessors
    }
}

impl Terminator {
    /// The blocks to which control may go, in order; a target may occur twice.
    pub fn successors(&self) -> Vec<BlockId> {
        match &self.kind {
            TerminatorKind::Goto(targets) => targets.clone(),
            TerminatorKind::Branch { then_to, else_to, .. } => vec![*then_to, *else_to],
            TerminatorKind::Return | TerminatorKind::Fail | TerminatorKind::Cut => Vec::new(),
        }
    }

    /// The targets, to be changed in place.
    pub fn successors_mut(&mut self) -> Vec<&mut BlockId> {
        match &mut self.kind {
            TerminatorKind::Goto(targets) => targets.iter_mut().collect(),
            TerminatorKind::Branch { then_to, else_to, .. } => vec![then_to, else_to],
            TerminatorKind::Return | TerminatorKind::Fail | TerminatorKind::Cut => Vec::new(),
        }
    }
}

impl Variable {
    /// A variable without where-clause and attributes.
    pub fn new(symbol: SymbolId, span: Span) -> Variable {
        Variable { symbol, where_clause: None, span, attributes: Vec::new() }
    }

    /// Whether it is an assumption variable: a global or a local with Boogie's attribute `{:assumption}`. Such a
    /// variable is boolean.
    pub fn is_assumption(&self) -> bool {
        self.attributes.iter().any(|a| &*a.name == "assumption")
    }

    /// The sort of its symbol.
    pub fn sort(&self, terms: &Terms) -> SortId {
        terms.symbol(self.symbol).sort
    }
}

impl StatementKind {
    /// An assertion that was not proved.
    pub fn assert(condition: TermId, kind: AssertKind) -> StatementKind {
        StatementKind::Assert { condition, kind, premise: None }
    }
}

impl Block {
    /// All terms in it, in order.
    pub fn terms(&self) -> Vec<TermId> {
        let mut found: Vec<TermId> = self.statements.iter().flat_map(|s| s.kind.terms()).collect();
        if let TerminatorKind::Branch { condition, .. } = self.terminator.kind {
            found.push(condition);
        }
        found
    }
}

impl StatementKind {
    /// All terms in it, in order.
    pub fn terms(&self) -> Vec<TermId> {
        match self {
            StatementKind::Assign(pairs) => pairs.iter().map(|(_, t)| *t).collect(),
            StatementKind::Assume(c) | StatementKind::TryFirst(c) => vec![*c],
            StatementKind::Assert { condition, premise, .. } => {
                std::iter::once(*condition).chain(*premise).collect()
            }
            StatementKind::Call { args, .. } => args.iter().flatten().copied().collect(),
            StatementKind::Havoc(_) => Vec::new(),
        }
    }

    /// The variables that it assigns, results of a call among them. A callee may also change the globals in its
    /// `modifies`.
    pub fn sets(&self) -> Vec<SymbolId> {
        match self {
            StatementKind::Assign(pairs) => pairs.iter().map(|(s, _)| *s).collect(),
            StatementKind::Havoc(symbols) => symbols.clone(),
            StatementKind::Call { results, .. } => results.iter().flatten().copied().collect(),
            StatementKind::Assume(_) | StatementKind::Assert { .. } | StatementKind::TryFirst(_) => {
                Vec::new()
            }
        }
    }
}

impl Statement {
    /// A statement without attributes.
    pub fn new(kind: StatementKind, span: Span) -> Statement {
        Statement { kind, span, attributes: Vec::new() }
    }

    /// The kind of check whose failure it marks, without stopping the program: `assume {:fails "overflow"} true`.
    pub fn marks(&self) -> Option<AssertKind> {
        let StatementKind::Assume(_) = self.kind else { return None };
        let attribute = self.attributes.iter().find(|a| &*a.name == "fails")?;
        let AttributeArg::Text(name) = attribute.args.first()? else { return None };
        AssertKind::ALL.iter().copied().find(|k| k.name() == &**name)
    }

    /// The formula over assumption variables under which the check of the statement was proved: an assertion's
    /// premise; for a call (its preconditions) and for the mark of a failure the attribute `{:verified …}`.
    pub fn premise(&self) -> Option<TermId> {
        if let StatementKind::Assert { premise, .. } = self.kind {
            return premise;
        }
        verified(&self.attributes)
    }

    /// Marks a statement that only guides a search: what it assumes is none of the program's own assumptions.
    pub fn mark_as_guidance(&mut self) {
        if !self.is_guidance() {
            self.attributes.push(Attribute { name: GUIDANCE.into(), args: Vec::new() });
        }
    }

    /// Whether the statement only guides a search.
    pub fn is_guidance(&self) -> bool {
        self.attributes.iter().any(|a| &*a.name == GUIDANCE)
    }

    /// Records the formula under which the check of the statement was proved, replacing an earlier one.
    pub fn set_premise(&mut self, new: Option<TermId>) {
        match &mut self.kind {
            StatementKind::Assert { premise, .. } => *premise = new,
            _ => set_verified(&mut self.attributes, new),
        }
    }
}

/// The attribute with the formula under which a check that is no assertion was proved.
const VERIFIED: &str = "verified";
/// The attribute of a statement that only guides a search.
const GUIDANCE: &str = "guidance";

fn verified(attributes: &Attributes) -> Option<TermId> {
    match attributes.iter().find(|a| &*a.name == VERIFIED)?.args.first()? {
        AttributeArg::Term(premise) => Some(*premise),
        AttributeArg::Text(_) => None,
    }
}

fn set_verified(attributes: &mut Attributes, new: Option<TermId>) {
    attributes.retain(|a| &*a.name != VERIFIED);
    let attribute = |t| Attribute { name: VERIFIED.into(), args: vec![AttributeArg::Term(t)] };
    attributes.extend(new.map(attribute));
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}
