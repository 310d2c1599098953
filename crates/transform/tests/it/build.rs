//! Programs from a few words.

use std::sync::Arc;

use footpath_ir::source::{FileId, Span};
use footpath_ir::{
    AssertKind, Block, BlockId, Body, Contract, Global, Origin, Place, ProcId, Procedure, Program, Statement,
    StatementKind, Terminator, TerminatorKind, Variable,
};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};

/// A program while it is written.
pub struct Builder {
    pub terms: Terms,
    pub globals: Vec<Global>,
    pub procedures: Vec<Procedure>,
    offset: u32,
}

/// A block: its label, statements, and end.
pub type BlockText = (&'static str, Vec<StatementKind>, TerminatorKind);

impl Builder {
    pub fn new() -> Builder {
        Builder { terms: Terms::new(), globals: Vec::new(), procedures: Vec::new(), offset: 0 }
    }

    /// A new place; all places are different.
    pub fn span(&mut self) -> Span {
        self.offset += 10;
        Span { file: FileId(0), start: self.offset, end: self.offset + 5 }
    }

    pub fn global(&mut self, name: &str) -> SymbolId {
        let symbol = self.terms.fresh_symbol(name, SortId::INT);
        let old = self.terms.fresh_symbol(format!("old({name})"), SortId::INT);
        let variable = Variable::new(symbol, self.span());
        self.globals.push(Global { variable, old });
        symbol
    }

    pub fn variable(&mut self, name: &str) -> Variable {
        let symbol = self.terms.fresh_symbol(name, SortId::INT);
        Variable::new(symbol, self.span())
    }

    pub fn var(&mut self, symbol: SymbolId) -> TermId {
        self.terms.var(symbol)
    }

    pub fn int(&mut self, n: i64) -> TermId {
        self.terms.int(n)
    }

    pub fn op(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.terms.raw(op, [a, b])
    }

    /// `symbol op n`.
    pub fn compare(&mut self, op: Op, symbol: SymbolId, n: i64) -> TermId {
        let (a, b) = (self.var(symbol), self.int(n));
        self.op(op, a, b)
    }

    /// `symbol := symbol + n`.
    pub fn add(&mut self, symbol: SymbolId, n: i64) -> StatementKind {
        let (a, b) = (self.var(symbol), self.int(n));
        let sum = self.op(Op::Add, a, b);
        StatementKind::Assign(vec![(symbol, sum)])
    }

    pub fn contract(&mut self, condition: TermId, free: bool) -> Contract {
        Contract { condition, free, span: self.span(), attributes: Vec::new() }
    }

    /// A procedure without anything, to be filled.
    pub fn procedure(&mut self, name: &str) -> ProcId {
        let span = self.span();
        self.procedures.push(Procedure {
            name: name.into(),
            type_params: Vec::new(),
            params: Vec::new(),
            results: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            bodies: Vec::new(),
            span,
            attributes: Vec::new(),
        });
        ProcId(self.procedures.len() as u32 - 1)
    }

    /// Adds a body that uses the procedure's own formals.
    pub fn body(&mut self, procedure: ProcId, locals: Vec<Variable>, blocks: Vec<BlockText>) {
        let body = self.procedures[procedure.index()].bodies.len() as u32;
        let mut made = Vec::new();
        for (i, (name, statements, kind)) in blocks.into_iter().enumerate() {
            let statements: Vec<Statement> =
                statements.into_iter().map(|kind| Statement::new(kind, self.span())).collect();
            let span = self.span();
            let place = Place::Segment { block: BlockId(i as u32), first: 0 };
            made.push(Block {
                name: name.into(),
                statements,
                terminator: Terminator { kind, span },
                span,
                origin: Origin { procedure, body, place },
            });
        }
        let span = self.span();
        let p = &mut self.procedures[procedure.index()];
        p.bodies.push(Body {
            params: p.params.clone(),
            results: p.results.clone(),
            locals,
            blocks: made,
            span,
            attributes: Vec::new(),
        });
    }

    pub fn finish(self) -> Program {
        let mut program = Program::new(Terms::new());
        program.terms = Arc::new(self.terms);
        program.globals = self.globals;
        program.procedures = self.procedures;
        program
    }
}

pub fn goto(targets: &[u32]) -> TerminatorKind {
    TerminatorKind::Goto(targets.iter().map(|&t| BlockId(t)).collect())
}

pub fn branch(condition: TermId, then_to: u32, else_to: u32) -> TerminatorKind {
    TerminatorKind::Branch { condition, then_to: BlockId(then_to), else_to: BlockId(else_to) }
}

pub fn assert(condition: TermId) -> StatementKind {
    StatementKind::assert(condition, AssertKind::Assert)
}

pub fn verified(condition: TermId, premise: TermId) -> StatementKind {
    StatementKind::Assert { condition, kind: AssertKind::Assert, premise: Some(premise) }
}

pub fn assume(condition: TermId) -> StatementKind {
    StatementKind::Assume(condition)
}

pub fn call(callee: ProcId, args: &[Option<TermId>], results: &[Option<SymbolId>]) -> StatementKind {
    StatementKind::Call { callee, args: args.to_vec(), results: results.to_vec() }
}

/// A body's graph in words: each block with its successors.
pub fn graph(body: &Body) -> String {
    let mut text = String::new();
    for block in &body.blocks {
        let to: Vec<&str> = block.terminator.successors().iter().map(|&s| &*body[s].name).collect();
        let end = match &block.terminator.kind {
            TerminatorKind::Goto(_) => format!("-> {}", to.join(", ")),
            TerminatorKind::Branch { .. } => format!("? {}", to.join(" : ")),
            TerminatorKind::Return => "return".to_owned(),
            TerminatorKind::Fail => "fail".to_owned(),
            TerminatorKind::Cut => "cut".to_owned(),
        };
        text.push_str(&format!("{} [{}] {end}\n", block.name, block.statements.len()));
    }
    text
}
