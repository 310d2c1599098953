//! Desugaring: contracts, where-clauses and assertions become assumptions and branches, so that only control flow
//! decides.
//!
//! **Idea.** Blocks are cut so that each has one guard. Afterwards a block consists of assumptions, then assignments,
//! havocs and perhaps a call at the end, then a terminator. In particular:
//!
//! * A new entry block assumes the where-clauses of all variables and the preconditions, and that assumption
//!   variables are true.
//! * `assert c` ends its block: it continues with the next piece if `c`, and with a failure block if not. So the
//!   violation of an assertion is a path like any other, and a test can be asked for it. If `c` was proved under a
//!   premise, the failure block assumes that the premise does not hold: `assume premise ==> c` blocks no other runs.
//! * Preferences are dropped.
//! * Returns lead to a common exit block, where postconditions are checked in the same way.
//! * A free choice between `assume c` and `assume !c` becomes a branch. The assumptions stay; they are implied.
//! * Critical edges are split (`critical_edges.rs`).
//!
//! **Example.** `x := 1; assert y > 0; z := 2;` becomes the block `x := 1` that branches on `y > 0` to the block
//! `z := 2` or to a failure block.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Sections 2 and 3.
//!
//! **Deviations.**
//! 1. The paper's assertions block like assumptions. Here each is a conditional choice with a failure exit, so that
//!    code before a failing assertion is not reported as infeasible.
//! 2. The paper's blocks are whole. Here a block with an assumption in the middle is cut, so that a report can say
//!    that its first half is executed and its second half is not.
//! 3. A call ends a piece and never begins one: a run that reaches the call's piece reaches the call.
//! 4. The postconditions of one return are several blocks of one origin ([`Place::Exit`]).
//!
//! **Direction of error.** None: the result has the same runs as the body.

use std::sync::Arc;

use footpath_ir::source::Span;
use footpath_ir::{
    Block, BlockId, Body, Contract, Origin, Place, ProcId, Procedure, Program, Statement, StatementKind,
    Terminator, TerminatorKind,
};
use footpath_term::{Op, Substitution, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::critical_edges;
use crate::critical_edges::Names;

/// The purpose that a body is prepared for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Runs start here: all preconditions are assumed, and all where-clauses.
    Root,
    /// It is inlined at calls, where preconditions are checked: only the where-clauses of parameters, results and
    /// locals are assumed. Free preconditions are ignored, as where Boogie inlines: a caller need not establish them.
    /// Globals have values already.
    Callee,
}

/// Prepares one body. `terms` is a layer over the program's terms.
///
/// Old symbols stay as they are: they are never assigned and stand for the globals' values at the entry.
/// Assumptions of where-clauses and contracts carry the span of the clause's declaration.
pub fn prepare(program: &Program, terms: &mut Terms, procedure: ProcId, body_index: u32, role: Role) -> Body {
    let source = &program[procedure].bodies[body_index as usize];
    let to_body = formals_to_body(&program[procedure], source, terms);
    let mut names = Names::default();
    let labels = source.blocks.iter().map(|b| names.fresh(b.name.to_string())).collect();
    let mut preparer = Preparer {
        program,
        terms,
        procedure,
        body_index,
        source,
        labels,
        names,
        where_clauses: FxHashMap::default(),
        to_body,
        blocks: Vec::new(),
        first_pieces: Vec::new(),
        open: Vec::new(),
    };
    preparer.collect_where_clauses();
    preparer.entry(role);
    for block in source.block_ids() {
        preparer.cut_block(block);
    }
    let exit = preparer.exit();
    preparer.connect(exit);
    let Preparer { blocks, mut names, .. } = preparer;
    let mut body = Body { blocks, ..source.clone() };
    split_in_place(&mut body, &mut names);
    body
}

/// The substitution from the procedure's formals to those of one of its bodies.
pub(crate) fn formals_to_body(procedure: &Procedure, body: &Body, terms: &mut Terms) -> Substitution {
    let formals = procedure.params.iter().chain(&procedure.results);
    let names = body.params.iter().chain(&body.results);
    formals
        .zip(names)
        .filter(|(f, n)| f.symbol != n.symbol)
        .map(|(f, n)| (f.symbol, terms.var(n.symbol)))
        .collect()
}

/// Splits critical edges and inserts each new block right after the source of its edge.
fn split_in_place(body: &mut Body, names: &mut Names) {
    let count = body.blocks.len();
    let sources = critical_edges::split(body, names, critical_edges::Stage::Prepared);
    let mut order = Vec::with_capacity(body.blocks.len());
    let mut added = sources.iter().enumerate().peekable();
    for id in (0..count as u32).map(BlockId) {
        order.push(id);
        while let Some((i, _)) = added.next_if(|(_, from)| **from == id) {
            order.push(BlockId((count + i) as u32));
        }
    }
    body.blocks = critical_edges::reorder(std::mem::take(&mut body.blocks), &order);
}

/// A successor whose number is not known yet.
#[derive(Clone, Copy)]
enum Target {
    /// The first piece of a source block.
    Source(BlockId),
    /// The exit block.
    Exit,
}

/// A piece of a block while statements are added to it.
struct Piece {
    first: u32,
    statements: Vec<Statement>,
    /// Whether anything other than an assumption is in it.
    changed: bool,
    /// Covers the statements of the source in it.
    span: Option<Span>,
}

impl Piece {
    fn new(first: usize) -> Piece {
        Piece { first: first as u32, statements: Vec::new(), changed: false, span: None }
    }

    fn cover(&mut self, span: Span) {
        self.span = Some(self.span.map_or(span, |s| s.to(span)));
    }
}

struct Preparer<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    procedure: ProcId,
    body_index: u32,
    source: &'a Body,
    labels: Vec<Arc<str>>,
    names: Names,
    where_clauses: FxHashMap<SymbolId, (TermId, Span)>,
    to_body: Substitution,
    blocks: Vec<Block>,
    first_pieces: Vec<BlockId>,
    /// Blocks of which a successor (by its position) still has to be numbered.
    open: Vec<(BlockId, usize, Target)>,
}

impl Preparer<'_> {
    fn origin(&self, place: Place) -> Origin {
        Origin { procedure: self.procedure, body: self.body_index, place }
    }

    fn next_id(&self) -> BlockId {
        BlockId(self.blocks.len() as u32)
    }

    fn collect_where_clauses(&mut self) {
        let (program, source) = (self.program, self.source);
        let procedure = &program[self.procedure];
        let own = program.globals.iter().map(|g| &g.variable).chain(&source.params).chain(&source.results);
        for v in own.chain(&source.locals) {
            if let Some(condition) = v.where_clause {
                self.where_clauses.insert(v.symbol, (condition, v.span));
            }
        }
        // A body that renames its formals may leave their where-clauses to the declaration.
        let formals = procedure.params.iter().chain(&procedure.results);
        for (formal, own) in formals.zip(source.params.iter().chain(&source.results)) {
            if let Some(condition) = formal.where_clause.filter(|_| own.where_clause.is_none()) {
                let condition = self.terms.substitute(condition, &self.to_body);
                self.where_clauses.insert(own.symbol, (condition, formal.span));
            }
        }
    }

    fn where_assumes<'v>(&self, variables: impl IntoIterator<Item = &'v SymbolId>) -> Vec<Statement> {
        let clauses = variables.into_iter().filter_map(|v| self.where_clauses.get(v));
        clauses.map(|&(c, span)| Statement::new(StatementKind::Assume(c), span)).collect()
    }

    fn entry(&mut self, role: Role) {
        let (program, source) = (self.program, self.source);
        let mut assumed: Vec<SymbolId> = Vec::new();
        if role == Role::Root {
            assumed.extend(program.globals.iter().map(|g| g.variable.symbol));
        }
        assumed.extend(source.params.iter().chain(&source.results).chain(&source.locals).map(|v| v.symbol));
        let mut statements = self.where_assumes(&assumed);
        for symbol in program.assumptions(source, role == Role::Root) {
            let holds = self.terms.var(symbol);
            statements.push(Statement::new(StatementKind::Assume(holds), source.span.at_start()));
        }
        if role == Role::Root {
            for clause in &program[self.procedure].requires {
                let condition = self.terms.substitute(clause.condition, &self.to_body);
                statements.push(assume_clause(clause, condition));
            }
        }
        let span = source.span.at_start();
        self.open.push((self.next_id(), 0, Target::Source(Body::ENTRY)));
        let terminator = Terminator { kind: TerminatorKind::Goto(vec![Body::ENTRY]), span };
        let name = self.names.fresh("entry".to_owned());
        let origin = self.origin(Place::Entry);
        self.blocks.push(Block { name, statements, terminator, span, origin });
    }

    /// Makes the pieces of a block and the failure blocks of its assertions.
    fn cut_block(&mut self, id: BlockId) {
        let source = &self.source[id];
        let count = source.statements.len();
        self.first_pieces.push(self.next_id());
        let mut piece = Piece::new(0);
        let mut number = 0;
        for (i, statement) in source.statements.iter().enumerate() {
            match &statement.kind {
                StatementKind::Assume(_) => {
                    if piece.changed {
                        self.close_to_next(id, &mut number, piece, statement.span);
                        piece = Piece::new(i);
                    }
                    piece.cover(statement.span);
                    piece.statements.push(statement.clone());
                }
                StatementKind::Assign(_) => {
                    piece.cover(statement.span);
                    piece.statements.push(statement.clone());
                    piece.changed = true;
                }
                StatementKind::Havoc(symbols) => {
                    piece.cover(statement.span);
                    piece.statements.push(statement.clone());
                    piece.changed = true;
                    let assumes = self.where_assumes(symbols);
                    if !assumes.is_empty() {
                        self.close_to_next(id, &mut number, piece, statement.span);
                        piece = Piece::new(i + 1);
                        piece.statements = assumes;
                    }
                }
                StatementKind::Call { .. } => {
                    piece.cover(statement.span);
                    piece.statements.push(statement.clone());
                    self.close_to_next(id, &mut number, piece, statement.span);
                    piece = Piece::new(i + 1);
                }
                StatementKind::TryFirst(_) => {}
                StatementKind::Assert { condition, premise, .. } => {
                    piece.cover(statement.span);
                    let after = match &source.terminator.kind {
                        TerminatorKind::Goto(targets) if i + 1 == count && targets.len() == 1 => {
                            Some(Target::Source(targets[0]))
                        }
                        TerminatorKind::Return if i + 1 == count => Some(Target::Exit),
                        _ => None,
                    };
                    let failure = Place::Failure { block: id, statement: i as u32, clause: 0 };
                    self.close_with_check(id, &mut number, piece, *condition, statement.span, failure, after);
                    self.assume_unproved(*premise, statement.span);
                    if after.is_some() {
                        return;
                    }
                    piece = Piece::new(i + 1);
                }
            }
        }
        self.close_with_terminator(id, &mut number, piece);
    }

    fn push_piece(&mut self, id: BlockId, number: &mut u32, piece: Piece, terminator: Terminator) {
        let label = &self.labels[id.index()];
        let name = match *number {
            0 => label.clone(),
            n => {
                let wish = format!("{label}.{n}");
                self.names.fresh(wish)
            }
        };
        *number += 1;
        let span = piece.span.unwrap_or(self.source[id].terminator.span);
        let origin = self.origin(Place::Segment { block: id, first: piece.first });
        self.blocks.push(Block { name, statements: piece.statements, terminator, span, origin });
    }

    fn close_to_next(&mut self, id: BlockId, number: &mut u32, piece: Piece, span: Span) {
        let next = BlockId(self.next_id().0 + 1);
        self.push_piece(id, number, piece, Terminator { kind: TerminatorKind::Goto(vec![next]), span });
    }

    /// Ends a piece with a check; the failure block follows, then what comes next unless that is `after`.
    #[expect(clippy::too_many_arguments, reason = "called in one place, all of it local state")]
    fn close_with_check(
        &mut self,
        id: BlockId,
        number: &mut u32,
        piece: Piece,
        condition: TermId,
        span: Span,
        failure: Place,
        after: Option<Target>,
    ) {
        let here = self.next_id();
        let (else_to, then_to) = (BlockId(here.0 + 1), BlockId(here.0 + 2));
        if let Some(target) = after {
            self.open.push((here, 0, target));
        }
        let kind = TerminatorKind::Branch { condition, then_to, else_to };
        self.push_piece(id, number, piece, Terminator { kind, span });
        self.push_failure(span, failure);
    }

    /// A block that fails, named after the block before it.
    fn push_failure(&mut self, span: Span, place: Place) {
        let checking = &self.blocks.last().expect("a check comes first").name;
        let name = self.names.fresh(format!("{checking}.fails"));
        let terminator = Terminator { kind: TerminatorKind::Fail, span };
        let origin = self.origin(place);
        self.blocks.push(Block { name, statements: Vec::new(), terminator, span, origin });
    }

    /// Lets the failure that was pushed last block where the check was proved.
    fn assume_unproved(&mut self, premise: Option<TermId>, span: Span) {
        let Some(premise) = premise else { return };
        let unproved = self.terms.app(Op::Not, [premise]);
        let failure = self.blocks.last_mut().expect("a check ends with its failure");
        failure.statements.push(Statement::new(StatementKind::Assume(unproved), span));
    }

    fn close_with_terminator(&mut self, id: BlockId, number: &mut u32, piece: Piece) {
        let mut terminator = self.source[id].terminator.clone();
        let here = self.next_id();
        match &terminator.kind {
            TerminatorKind::Return => {
                terminator.kind = TerminatorKind::Goto(vec![Body::ENTRY]);
                self.open.push((here, 0, Target::Exit));
            }
            TerminatorKind::Goto(_) | TerminatorKind::Branch { .. } => {
                if let Some(branch) = self.choice_as_branch(&terminator) {
                    terminator = branch;
                }
                for (slot, &target) in terminator.successors().iter().enumerate() {
                    self.open.push((here, slot, Target::Source(target)));
                }
            }
            TerminatorKind::Fail | TerminatorKind::Cut => {}
        }
        self.push_piece(id, number, piece, terminator);
    }

    /// The branch that is equivalent to a free choice between two blocks that start by assuming opposite conditions.
    fn choice_as_branch(&mut self, terminator: &Terminator) -> Option<Terminator> {
        let TerminatorKind::Goto(targets) = &terminator.kind else { return None };
        let &[then_to, else_to] = targets.as_slice() else { return None };
        let first = |id: BlockId| match self.source[id].statements.first() {
            Some(Statement { kind: StatementKind::Assume(c), span, .. }) => Some((*c, *span)),
            _ => None,
        };
        let ((condition, span), (other, _)) = (first(then_to)?, first(else_to)?);
        if then_to == else_to || !are_opposites(self.terms, condition, other) {
            return None;
        }
        Some(Terminator { kind: TerminatorKind::Branch { condition, then_to, else_to }, span })
    }

    /// Makes the exit: one block for each checked postcondition, then the one that returns.
    fn exit(&mut self) -> BlockId {
        let exit = self.next_id();
        let program = self.program;
        let end = Span { start: self.source.span.end, ..self.source.span };
        let mut number = 0;
        for (i, clause) in program[self.procedure].ensures.iter().enumerate().filter(|(_, c)| !c.free) {
            let condition = self.terms.substitute(clause.condition, &self.to_body);
            let here = self.next_id();
            let (else_to, then_to) = (BlockId(here.0 + 1), BlockId(here.0 + 2));
            let kind = TerminatorKind::Branch { condition, then_to, else_to };
            self.push_exit(&mut number, Terminator { kind, span: clause.span }, end);
            self.push_failure(clause.span, Place::EnsuresFailure { clause: i as u32 });
        }
        self.push_exit(&mut number, Terminator { kind: TerminatorKind::Return, span: end }, end);
        exit
    }

    fn push_exit(&mut self, number: &mut u32, terminator: Terminator, span: Span) {
        let wish = if *number == 0 { "exit".to_owned() } else { format!("exit.{number}") };
        *number += 1;
        let name = self.names.fresh(wish);
        let origin = self.origin(Place::Exit);
        self.blocks.push(Block { name, statements: Vec::new(), terminator, span, origin });
    }

    fn connect(&mut self, exit: BlockId) {
        for (block, slot, target) in std::mem::take(&mut self.open) {
            *self.blocks[block.index()].terminator.successors_mut()[slot] = match target {
                Target::Source(source) => self.first_pieces[source.index()],
                Target::Exit => exit,
            };
        }
    }
}

pub(crate) fn assume_clause(clause: &Contract, condition: TermId) -> Statement {
    let kind = StatementKind::Assume(condition);
    Statement { kind, span: clause.span, attributes: clause.attributes.clone() }
}

/// Whether one condition holds exactly where the other does not, as far as their form shows it.
fn are_opposites(terms: &mut Terms, a: TermId, b: TermId) -> bool {
    let (s, t) = (terms.term(a), terms.term(b));
    let straight = s.args == t.args;
    let swapped = s.args.len() == 2 && t.args.len() == 2 && s.args[0] == t.args[1] && s.args[1] == t.args[0];
    let comparison = match (&s.op, &t.op) {
        (Op::Not, _) if s.args[0] == b => true,
        (_, Op::Not) if t.args[0] == a => true,
        (Op::Lt, Op::Ge) | (Op::Ge, Op::Lt) | (Op::Le, Op::Gt) | (Op::Gt, Op::Le) => straight,
        (Op::Eq, Op::Distinct) | (Op::Distinct, Op::Eq) => s.args.len() == 2 && (straight || swapped),
        (Op::Lt, Op::Le) | (Op::Le, Op::Lt) | (Op::Gt, Op::Ge) | (Op::Ge, Op::Gt) => swapped,
        _ => false,
    };
    if comparison {
        return true;
    }
    let (a, b) = (terms.simplify(a), terms.simplify(b));
    let (not_a, not_b) = (terms.app(Op::Not, [a]), terms.app(Op::Not, [b]));
    not_a == b || not_b == a
}
