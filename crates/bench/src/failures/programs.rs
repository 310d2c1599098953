//! The programs that are measured. Each one's first procedure is asked about.

use footpath_ir::source::{FileId, Span};
use footpath_ir::{
    AssertKind, Block, BlockId, Body, Origin, Place, ProcId, Procedure, Program, Statement, StatementKind,
    Terminator, TerminatorKind, Variable,
};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};

/// Generated programs have no text.
const SPAN: Span = Span { file: FileId(0), start: 0, end: 0 };

/// Blocks while they are added, and the procedures before.
struct Builder {
    terms: Terms,
    blocks: Vec<Block>,
    procedures: Vec<Procedure>,
}

impl Builder {
    fn new() -> Builder {
        Builder { terms: Terms::new(), blocks: Vec::new(), procedures: Vec::new() }
    }

    fn operations(&mut self, count: u32) {
        let mut params = Vec::new();
        let (local, _) = self.symbol("n", SortId::INT);
        for i in 0..count {
            let (op, condition) = self.symbol(&format!("op{}", i + 1), SortId::BOOL);
            params.push(op);
            let (then_to, else_to) = (BlockId(2 * i + 1), BlockId(2 * i + 2));
            self.block(Vec::new(), TerminatorKind::Branch { condition, then_to, else_to });
            let value = self.terms.int(i + 1);
            self.block(
                vec![StatementKind::Assign(vec![(local, value)])],
                TerminatorKind::Goto(vec![else_to]),
            );
        }
        let (failure, condition) = self.symbol("failure", SortId::BOOL);
        params.push(failure);
        let fine = self.terms.app(Op::Not, [condition]);
        self.block(vec![fails_unless(fine)], TerminatorKind::Return);
        self.procedure(&params, &[local]);
    }

    fn block(&mut self, statements: Vec<StatementKind>, kind: TerminatorKind) {
        let id = BlockId(self.blocks.len() as u32);
        let procedure = ProcId(self.procedures.len() as u32);
        let origin = Origin { procedure, body: 0, place: Place::Segment { block: id, first: 0 } };
        self.blocks.push(Block {
            name: format!("b{}", id.0).into(),
            statements: statements.into_iter().map(|s| Statement::new(s, SPAN)).collect(),
            terminator: Terminator { kind, span: SPAN },
            span: SPAN,
            origin,
        });
    }

    fn symbol(&mut self, name: &str, sort: SortId) -> (SymbolId, TermId) {
        let symbol = self.terms.fresh_symbol(name, sort);
        (symbol, self.terms.var(symbol))
    }

    /// Makes a procedure of the blocks.
    fn procedure(&mut self, params: &[SymbolId], locals: &[SymbolId]) {
        let list = |symbols: &[SymbolId]| symbols.iter().map(|&s| Variable::new(s, SPAN)).collect::<Vec<_>>();
        let params = list(params);
        let body = Body {
            params: params.clone(),
            results: Vec::new(),
            locals: list(locals),
            blocks: std::mem::take(&mut self.blocks),
            span: SPAN,
            attributes: Vec::new(),
        };
        self.procedures.push(Procedure {
            name: format!("f{}", self.procedures.len()).into(),
            type_params: Vec::new(),
            params,
            results: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            bodies: vec![body],
            span: SPAN,
            attributes: Vec::new(),
        });
    }

    fn finish(self) -> Program {
        let mut program = Program::new(self.terms);
        program.procedures = self.procedures;
        program
    }
}

fn fails_unless(condition: TermId) -> StatementKind {
    StatementKind::Assert { condition, kind: AssertKind::Assert, premise: None }
}

/// Example 1 with so many operations.
pub(super) fn operations(count: u32) -> Program {
    let mut b = Builder::new();
    b.operations(count);
    b.finish()
}

/// So many procedures over example 1 with three operations, each of which calls the one below twice.
pub(super) fn calls(height: u32) -> Program {
    let mut b = Builder::new();
    for i in 0..height {
        let names = ["op1", "op2", "op3", "failure"];
        let params = names.map(|name| b.symbol(name, SortId::BOOL));
        let args = params.map(|(_, t)| Some(t)).to_vec();
        let call = StatementKind::Call { callee: ProcId(i + 1), args, results: Vec::new() };
        b.block(vec![call.clone(), call], TerminatorKind::Return);
        b.procedure(&params.map(|(s, _)| s), &[]);
    }
    b.operations(3);
    b.finish()
}

/// Example 2.
pub(super) fn looping() -> Program {
    let mut b = Builder::new();
    let ((i, i_term), (j, j_term)) = (b.symbol("i", SortId::INT), b.symbol("j", SortId::INT));
    let (k, k_term) = b.symbol("k", SortId::INT);
    let (zero, one, never) = (b.terms.int(0), b.terms.int(1), b.terms.bool(false));
    b.block(vec![StatementKind::Assign(vec![(k, zero)])], TerminatorKind::Goto(vec![BlockId(1)]));
    let again = b.terms.app(Op::Lt, [k_term, i_term]);
    let branch = |condition, then_to, else_to| TerminatorKind::Branch {
        condition,
        then_to: BlockId(then_to),
        else_to: BlockId(else_to),
    };
    b.block(Vec::new(), branch(again, 2, 5));
    let same = b.terms.app(Op::Eq, [i_term, j_term]);
    b.block(Vec::new(), branch(same, 3, 4));
    b.block(vec![fails_unless(never)], TerminatorKind::Goto(vec![BlockId(4)]));
    let next = b.terms.app(Op::Add, [k_term, one]);
    b.block(vec![StatementKind::Assign(vec![(k, next)])], TerminatorKind::Goto(vec![BlockId(1)]));
    b.block(Vec::new(), TerminatorKind::Return);
    b.procedure(&[i, j], &[k]);
    b.finish()
}
