//! Builds small programs for tests, without a front end.
#![allow(dead_code, reason = "each test file uses its own part")]

use footpath_ir::source::{FileId, Span};
use footpath_ir::{
    AssertKind, Block, BlockId, Body, Contract, Global, Origin, Place, ProcId, Procedure, Program, Statement,
    StatementKind, Terminator, TerminatorKind, Variable,
};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};
use std::sync::Arc;

pub const SPAN: Span = Span { file: FileId(0), start: 0, end: 0 };

/// A program under construction.
pub struct Builder {
    pub terms: Terms,
    pub program: Program,
}

impl Builder {
    pub fn new() -> Builder {
        Builder { terms: Terms::new(), program: Program::new(Terms::new()) }
    }

    pub fn symbol(&mut self, name: &str, sort: SortId) -> SymbolId {
        self.terms.fresh_symbol(name, sort)
    }

    pub fn int(&mut self, n: i64) -> TermId {
        self.terms.int(n)
    }

    pub fn var(&mut self, s: SymbolId) -> TermId {
        self.terms.var(s)
    }

    pub fn op(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.terms.raw(op, args.iter().copied())
    }

    pub fn global(&mut self, name: &str, sort: SortId) -> SymbolId {
        let symbol = self.symbol(name, sort);
        let old = self.symbol(name, sort);
        self.program.globals.push(Global { variable: Variable::new(symbol, SPAN), old });
        symbol
    }

    pub fn procedure(&mut self, procedure: Procedure) -> ProcId {
        self.program.procedures.push(procedure);
        ProcId(self.program.procedures.len() as u32 - 1)
    }

    pub fn finish(mut self) -> Program {
        self.program.terms = Arc::new(self.terms);
        self.program
    }
}

pub fn variables(symbols: &[SymbolId]) -> Vec<Variable> {
    symbols.iter().map(|&s| Variable::new(s, SPAN)).collect()
}

pub fn procedure(name: &str, params: &[SymbolId], results: &[SymbolId]) -> Procedure {
    Procedure {
        name: name.into(),
        type_params: vec![],
        params: variables(params),
        results: variables(results),
        requires: vec![],
        ensures: vec![],
        modifies: vec![],
        bodies: vec![],
        span: SPAN,
        attributes: vec![],
    }
}

pub fn clause(condition: TermId) -> Contract {
    Contract { condition, free: false, span: SPAN, attributes: vec![] }
}

pub fn block(name: &str, statements: Vec<StatementKind>, terminator: TerminatorKind) -> Block {
    Block {
        name: name.into(),
        statements: statements.into_iter().map(|s| Statement::new(s, SPAN)).collect(),
        terminator: Terminator { kind: terminator, span: SPAN },
        span: SPAN,
        origin: Origin {
            procedure: ProcId(0),
            body: 0,
            place: Place::Segment { block: BlockId(0), first: 0 },
        },
    }
}

/// Adds a body with the procedure's own symbols.
pub fn with_body(mut p: Procedure, locals: &[SymbolId], blocks: Vec<Block>) -> Procedure {
    let body = Body {
        params: p.params.iter().map(|v| Variable::new(v.symbol, SPAN)).collect(),
        results: p.results.iter().map(|v| Variable::new(v.symbol, SPAN)).collect(),
        locals: variables(locals),
        blocks,
        span: SPAN,
        attributes: vec![],
    };
    p.bodies.push(body);
    p
}

pub fn assign(x: SymbolId, value: TermId) -> StatementKind {
    StatementKind::Assign(vec![(x, value)])
}

pub fn assert(condition: TermId) -> StatementKind {
    StatementKind::assert(condition, AssertKind::Assert)
}

pub fn goto(targets: &[u32]) -> TerminatorKind {
    TerminatorKind::Goto(targets.iter().map(|&t| BlockId(t)).collect())
}

pub fn branch(condition: TermId, then_to: u32, else_to: u32) -> TerminatorKind {
    TerminatorKind::Branch { condition, then_to: BlockId(then_to), else_to: BlockId(else_to) }
}
