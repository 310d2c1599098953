//! Error recovery in name resolution and type checking: the shared state of both, and what becomes of declarations
//! with errors.
//!
//! An error makes its declaration *broken*. A broken declaration stays in the tables, so that its uses are not
//! reported as undeclared. Every declaration records what it refers to, and in the end whatever refers to a broken
//! declaration, directly or not, is left out with a note ([`Checker::finish`]).
//!
//! Example: if the body of a function `f` has a type error, `f` is broken, and a procedure that calls `f` is left out
//! with a note that names `f`; all other procedures are analysed.

use footpath_ir::diagnostic::{Diagnostic, Severity};
use footpath_ir::source::Span;
use footpath_term::{FuncId, SortCtorId, SortId, Terms, TypeVarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Options;
use super::ast::{self, DeclKind, Ident, Name};
use super::infer::Inference;
use super::typed::*;

/// Marks something that could not be checked because of an error. The error has been reported already, or belongs to
/// another declaration that the current one refers to.
#[derive(Debug)]
pub(super) struct Failed;

/// The result of checking something.
pub(super) type Checked<T> = Result<T, Failed>;

/// The position of a declaration in [`ast::Program::decls`].
pub(super) type DeclId = usize;

/// What a name stands for.
pub(super) struct Entry<T> {
    /// Where it is declared.
    pub decl: DeclId,
    /// The name at its declaration.
    pub span: Option<Span>,
    /// The thing itself; `None` if its heading is broken.
    pub item: Option<T>,
}

/// What a type name stands for.
#[derive(Clone)]
pub(super) enum NamedType<'a> {
    /// A constructor with so many parameters.
    Constructor(SortCtorId, usize),
    /// A synonym that was not needed yet.
    Synonym(&'a ast::TypeDecl),
    /// A synonym whose meaning is being found out.
    InProgress,
    /// A synonym: its parameters and what it stands for.
    Expanded(Vec<TypeVarId>, SortId),
}

/// What the name of a function or procedure stands for.
#[derive(Clone, Copy)]
pub(super) enum Callable {
    /// A function.
    Function(FuncId),
    /// A procedure: its position in [`Checker::procedures`].
    Procedure(usize),
}

/// One field of a datatype: a constructor that has it, and its selector.
#[derive(Clone, Copy)]
pub(super) struct Field {
    /// The datatype.
    pub datatype: SortCtorId,
    /// The constructor.
    pub constructor: FuncId,
    /// Its position.
    pub index: usize,
}

/// The functions of a datatype's constructor.
#[derive(Clone)]
pub(super) struct ConstructorInfo {
    /// The test for it.
    pub tester: FuncId,
    /// The selectors of its fields.
    pub selectors: Vec<FuncId>,
}

/// Which variables an expression may refer to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// No global variables: axioms, functions, pure procedures.
    None,
    /// Global variables as they are: preconditions, where clauses.
    One,
    /// Global variables as they are and, under `old`, as they were: postconditions and code.
    Two,
}

impl State {
    /// What a part of a procedure may refer to: no globals if the procedure is pure, otherwise as `self` says.
    pub fn of(self, pure: bool) -> State {
        if pure { State::None } else { self }
    }
}

/// The local names that are visible. None hides another, so one table does.
#[derive(Default)]
pub(super) struct Scope {
    vars: FxHashMap<Name, VarId>,
    order: Vec<Name>,
}

impl Scope {
    /// What `name` stands for.
    pub fn get(&self, name: &Name) -> Option<VarId> {
        self.vars.get(name).copied()
    }

    /// Makes `name` visible.
    pub fn push(&mut self, name: &Name, var: VarId) {
        self.vars.insert(name.clone(), var);
        self.order.push(name.clone());
    }

    /// How many names are visible.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Hides the names that became visible after there were `len`.
    pub fn truncate(&mut self, len: usize) {
        for name in self.order.drain(len..) {
            self.vars.remove(&name);
        }
    }
}

/// The state of checking a program.
pub(super) struct Checker<'a> {
    pub source: &'a ast::Program,
    pub out: Program,
    pub diagnostics: Vec<Diagnostic>,
    pub types: FxHashMap<Name, Entry<NamedType<'a>>>,
    pub globals: FxHashMap<Name, Entry<VarId>>,
    pub callables: FxHashMap<Name, Entry<Callable>>,
    pub fields: FxHashMap<Name, Vec<Field>>,
    pub constructors: FxHashMap<FuncId, ConstructorInfo>,
    /// Procedures, each with its declaration; one without an entry in [`Checker::callables`] is broken.
    pub procedures: Vec<(DeclId, Procedure)>,
    /// Type constructors, likewise.
    pub type_decls: Vec<(DeclId, TypeDecl)>,
    /// Axioms, likewise.
    pub axioms: Vec<(DeclId, Condition)>,
    /// Functions, likewise.
    pub functions: Vec<(DeclId, Function)>,
    /// Constants, likewise.
    pub constants: Vec<(DeclId, Constant)>,
    /// Type variables in scope, inner ones last.
    pub type_scope: Vec<(Name, TypeVarId)>,
    /// Local names in scope.
    pub scope: Scope,
    pub state: State,
    /// Whether we are inside `old(…)`.
    pub in_old: bool,
    /// Whether we are inside a trigger.
    pub in_trigger: bool,
    pub inference: Inference,
    /// Variables bound by `let` whose types may still contain unknowns.
    pub let_vars: Vec<VarId>,
    pub options: Options,
    /// The globals that the code being checked may change.
    pub modifies: Vec<VarId>,
    /// Which procedures call which, by position, where `modifies` clauses are inferred.
    pub calls: Vec<(usize, usize)>,
    /// The procedure whose code is being checked.
    pub procedure: Option<usize>,
    /// The `{:assumption}` variables that were assigned.
    pub assumed: FxHashSet<VarId>,
    /// How many type synonyms are being expanded.
    pub expanding: u32,
    /// The sizes of types, as far as they were needed.
    pub sizes: FxHashMap<SortId, u64>,
    /// The declaration being checked.
    pub current: DeclId,
    /// Declarations with errors.
    pub broken: Vec<bool>,
    /// Declarations that are ignored altogether.
    pub ignored: Vec<bool>,
    /// What each declaration refers to, with a place.
    uses: Vec<Vec<(DeclId, Span)>>,
}

impl<'a> Checker<'a> {
    pub fn new(source: &'a ast::Program, options: Options) -> Checker<'a> {
        let count = source.decls.len();
        Checker {
            source,
            out: Program { terms: Terms::new(), ..Program::default() },
            diagnostics: Vec::new(),
            types: FxHashMap::default(),
            globals: FxHashMap::default(),
            callables: FxHashMap::default(),
            fields: FxHashMap::default(),
            constructors: FxHashMap::default(),
            procedures: Vec::new(),
            type_decls: Vec::new(),
            axioms: Vec::new(),
            functions: Vec::new(),
            constants: Vec::new(),
            type_scope: Vec::new(),
            scope: Scope::default(),
            state: State::None,
            in_old: false,
            in_trigger: false,
            inference: Inference::default(),
            let_vars: Vec::new(),
            options,
            modifies: Vec::new(),
            calls: Vec::new(),
            procedure: None,
            assumed: FxHashSet::default(),
            expanding: 0,
            sizes: FxHashMap::default(),
            current: 0,
            broken: vec![false; count],
            ignored: vec![false; count],
            uses: vec![Vec::new(); count],
        }
    }

    // ---- Errors and references.

    /// Reports an error in the current declaration.
    pub fn error(&mut self, span: Span, code: &'static str, message: impl Into<String>) -> Failed {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        self.broken[self.current] = true;
        Failed
    }

    /// Reports something that is right, but that Footpath cannot analyse.
    pub fn unsupported(&mut self, span: Span, what: &str) {
        self.error(span, "boogie::unsupported", format!("{what} is not supported"));
    }

    /// Reports a construct for concurrent programs.
    pub fn concurrency(&mut self, span: Span, construct: &str) {
        let message = format!("concurrency construct `{construct}` is not supported");
        self.error(span, "boogie::concurrency", message);
    }

    /// Reports a type error.
    pub fn type_error(&mut self, span: Span, message: impl Into<String>) -> Failed {
        self.error(span, "boogie::type", message)
    }

    pub fn duplicate(&mut self, name: &Ident, what: &str, first: Option<Span>) -> Failed {
        let message = format!("more than one declaration of {what} `{}`", name.name);
        let mut diagnostic = Diagnostic::error("boogie::duplicate", name.span, message);
        if let Some(first) = first {
            diagnostic = diagnostic.with_label(first, "the first declaration is here");
        }
        self.diagnostics.push(diagnostic);
        self.broken[self.current] = true;
        Failed
    }

    /// Records that the current declaration refers to `decl`.
    pub fn refers_to(&mut self, decl: DeclId, span: Span) {
        if decl != self.current && self.uses[self.current].last().is_none_or(|(last, _)| *last != decl) {
            self.uses[self.current].push((decl, span));
        }
    }

    /// Records a use of something in `decl` that is broken: the current declaration goes down with it.
    pub fn goes_down_with(&mut self, decl: DeclId, span: Span) -> Failed {
        self.refers_to(decl, span);
        self.broken[decl] = true;
        Failed
    }

    /// Records that an error in the current declaration breaks `owner` too.
    pub fn also_breaks(&mut self, owner: DeclId, span: Span) {
        let current = self.current;
        self.uses[owner].push((current, span));
    }

    /// Runs `check` as part of the declaration `decl`, in scopes of its own.
    pub fn within<T>(&mut self, decl: DeclId, state: State, check: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.current, self.state);
        let scopes = (std::mem::take(&mut self.type_scope), std::mem::take(&mut self.scope));
        (self.current, self.state) = (decl, state);
        let result = check(self);
        (self.type_scope, self.scope) = scopes;
        (self.current, self.state) = outer;
        result
    }

    /// Whether the declaration is to be checked at all.
    pub fn is_relevant(&self, decl: DeclId) -> bool {
        !self.ignored[decl] && !self.broken[decl]
    }

    // ---- The end.

    /// Leaves out what is broken or refers to something broken, and returns the rest.
    pub fn finish(mut self) -> (Program, Vec<Diagnostic>) {
        self.break_dependents();
        let gone: Vec<bool> = self.broken.iter().zip(&self.ignored).map(|(&b, &i)| b || i).collect();
        let kept = |decl: DeclId| !gone[decl];
        let mut out = self.out;
        let source = self.source;
        out.types = self.type_decls.into_iter().filter(|(d, _)| kept(*d)).map(|(_, t)| t).collect();
        out.functions = self.functions.into_iter().filter(|(d, _)| kept(*d)).map(|(_, f)| f).collect();
        out.constants = self.constants.into_iter().filter(|(d, _)| kept(*d)).map(|(_, c)| c).collect();
        out.axioms = self.axioms.into_iter().filter(|(d, _)| kept(*d)).map(|(_, a)| a).collect();
        out.procedures = self.procedures.into_iter().filter(|(d, _)| kept(*d)).map(|(_, p)| p).collect();
        for (id, decl) in source.decls.iter().enumerate().filter(|(id, _)| kept(*id)) {
            let DeclKind::Var(vars) = &decl.kind else { continue };
            let entries = vars.iter().filter_map(|v| self.globals.get(&v.name.name));
            out.globals.extend(entries.filter(|e| e.decl == id).filter_map(|e| e.item));
        }
        (out, self.diagnostics)
    }

    /// Makes whatever refers to something broken broken as well, with a note.
    fn break_dependents(&mut self) {
        let mut users: Vec<Vec<(DeclId, Span)>> = vec![Vec::new(); self.broken.len()];
        for (user, uses) in self.uses.iter().enumerate() {
            for &(used, span) in uses {
                users[used].push((user, span));
            }
        }
        let mut work: Vec<DeclId> = (0..self.broken.len()).filter(|&d| self.broken[d]).collect();
        while let Some(broken) = work.pop() {
            for &(user, span) in &users[broken] {
                if self.broken[user] || self.ignored[user] {
                    continue;
                }
                self.broken[user] = true;
                work.push(user);
                let message = format!(
                    "{} is left out, because it refers to {}, which has errors",
                    describe(&self.source.decls[user]),
                    describe(&self.source.decls[broken])
                );
                let note = Diagnostic::new(Severity::Note, "boogie::left-out", Some(span), message);
                self.diagnostics.push(note);
            }
        }
    }
}

/// A declaration, for messages.
fn describe(decl: &ast::Decl) -> String {
    let named = |what: &str, name: &str| format!("{what} `{name}`");
    match &decl.kind {
        DeclKind::Type(d) => named("type", &d.name.name),
        DeclKind::Datatype(d) => named("datatype", &d.name.name),
        DeclKind::Const(d) => named("constant", d.names.first().map_or("", |n| &*n.name)),
        DeclKind::Function(d) => named("function", &d.name.name),
        DeclKind::Axiom(_) => "an axiom".to_string(),
        DeclKind::Var(vars) => named("variable", vars.first().map_or("", |v| &*v.name.name)),
        DeclKind::Procedure(d) => named("procedure", &d.name.name),
        DeclKind::Implementation(d) => named("implementation", &d.name.name),
        DeclKind::Broken(names) => named("declaration", names.first().map_or("", |n| &**n)),
    }
}

/// Whether one of the attributes is `{:name}`.
pub(super) fn has_attribute(attributes: &[ast::Attribute], name: &str) -> bool {
    attributes.iter().any(|a| &*a.name.name == name)
}
