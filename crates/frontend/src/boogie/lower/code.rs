//! Control flow graph construction: structured statements become blocks.
//!
//! * A label starts a block under its name; other blocks are named after the construct that makes them (`then2`,
//!   `loop3` …).
//! * `if (c)` and `while (c)` end in a branch, `if (*)` and `while (*)` in a free choice. A branch whose arm is
//!   nothing but one `goto` leads directly to the label.
//! * A loop is a block of its own, the *head*: it checks the invariants (assumes the free ones) and then decides.
//! * Unreachable statements are kept, in blocks without predecessors: that they are dead is reported, not hidden.
//! * No block leads back to the entry: if a label at the very beginning is a target, an empty block is put before it.

use std::sync::Arc;

use footpath_ir::program::{
    AssertKind, Block, BlockId, Origin, Place, ProcId, Statement, StatementKind, Terminator, TerminatorKind,
};
use footpath_ir::source::Span;
use footpath_term::{Op, SortId, TermId, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::typed::{self, AttributeArg, Code, Condition, ExprId, Name, Stmt, StmtKind};
use super::Lowering;

/// The blocks of a body; the first is the entry.
pub(super) fn blocks(lowering: &mut Lowering, code: &Code, procedure: ProcId, body: u32) -> Vec<Block> {
    let mut builder = Builder {
        lowering,
        labels: FxHashMap::default(),
        names: FxHashSet::default(),
        parts: Vec::new(),
        order: Vec::new(),
        current: None,
        exits: Vec::new(),
        label: None,
    };
    builder.reserve_labels(&code.block);
    builder.stmts(&code.block.stmts);
    builder.end(TerminatorKind::Return, code.block.end);
    builder.finish(procedure, body, code.block.end)
}

/// A block under construction.
struct Part {
    name: Arc<str>,
    statements: Vec<Statement>,
    terminator: Option<Terminator>,
    /// The construct that made the block.
    span: Span,
}

/// Where `break` leads to.
struct Exit {
    /// The label of the statement.
    label: Option<Name>,
    is_loop: bool,
    /// The block after the statement, once something leads there.
    after: Option<BlockId>,
    span: Span,
}

struct Builder<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
    labels: FxHashMap<Name, BlockId>,
    names: FxHashSet<Name>,
    parts: Vec<Part>,
    /// The blocks in the order in which they were begun, which is that of the source.
    order: Vec<BlockId>,
    /// The block that statements go to; none after a jump.
    current: Option<BlockId>,
    /// The statements around the current one.
    exits: Vec<Exit>,
    /// The label right before the current statement.
    label: Option<Name>,
}

impl Builder<'_, '_> {
    // ---- Blocks.

    fn new_block(&mut self, name: Arc<str>, span: Span) -> BlockId {
        self.parts.push(Part { name, statements: Vec::new(), terminator: None, span });
        BlockId(self.parts.len() as u32 - 1)
    }

    /// A block called `stem` with a number that makes the name unique.
    fn fresh_block(&mut self, stem: &str, span: Span) -> BlockId {
        let mut number = self.parts.len();
        let name: Name = loop {
            let name: Name = format!("{stem}{number}").into();
            if self.names.insert(name.clone()) {
                break name;
            }
            number += 1;
        };
        self.new_block(name, span)
    }

    /// Makes a block for every label.
    fn reserve_labels(&mut self, block: &typed::Block) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Label(label) => {
                    self.names.insert(label.name.clone());
                    let id = self.new_block(label.name.clone(), label.span);
                    self.labels.insert(label.name.clone(), id);
                }
                StmtKind::If(arms, otherwise) => {
                    arms.iter().map(|(_, b)| b).chain(otherwise).for_each(|b| self.reserve_labels(b));
                }
                StmtKind::While(_, _, body) => self.reserve_labels(body),
                _ => {}
            }
        }
    }

    fn part(&mut self, id: BlockId) -> &mut Part {
        &mut self.parts[id.index()]
    }

    /// Lets the statements to come go to the block `id`.
    fn begin(&mut self, id: BlockId) {
        self.order.push(id);
        self.current = Some(id);
    }

    /// The block that a statement at `span` goes to.
    fn here(&mut self, span: Span) -> BlockId {
        match self.current {
            Some(id) => id,
            None => {
                let stem = if self.order.is_empty() { "entry" } else { "dead" };
                let id = self.fresh_block(stem, span);
                self.begin(id);
                id
            }
        }
    }

    /// Ends the current block, if there is one.
    fn end(&mut self, kind: TerminatorKind, span: Span) {
        if let Some(id) = self.current.take() {
            self.part(id).terminator = Some(Terminator { kind, span });
        }
    }

    fn push(&mut self, kind: StatementKind, span: Span, attributes: &[typed::Attribute]) {
        let attributes = self.lowering.attributes(attributes);
        let id = self.here(span);
        self.part(id).statements.push(Statement { kind, span, attributes });
    }

    /// Numbers the blocks in order, and puts an entry before them if something leads to the first one.
    fn finish(mut self, procedure: ProcId, body: u32, end: Span) -> Vec<Block> {
        if self.order.is_empty() {
            self.here(end);
            self.end(TerminatorKind::Return, end);
        }
        let first = self.order[0];
        let leads_back =
            self.parts.iter().flat_map(|p| &p.terminator).any(|t| t.successors().contains(&first));
        if leads_back {
            let span = self.part(first).span.at_start();
            let entry = self.fresh_block("entry", span);
            let kind = TerminatorKind::Goto(vec![first]);
            self.part(entry).terminator = Some(Terminator { kind, span });
            self.order.insert(0, entry);
        }
        let mut numbers = vec![BlockId(0); self.parts.len()];
        for (number, id) in self.order.iter().enumerate() {
            numbers[id.index()] = BlockId(number as u32);
        }
        let mut parts: Vec<Option<Part>> = self.parts.into_iter().map(Some).collect();
        let ordered = self.order.iter().filter_map(|id| parts[id.index()].take());
        let (terms, dump) = (&self.lowering.terms, self.lowering.dump);
        let block = |(number, mut part): (usize, Part)| {
            let ended = Terminator { kind: TerminatorKind::Return, span: end };
            let mut terminator = part.terminator.unwrap_or(ended);
            for target in terminator.successors_mut() {
                *target = numbers[target.index()];
            }
            if let Some(end) = dump.then(|| end_of_pass(terms, &part.statements, &terminator)).flatten() {
                terminator.kind = end;
                part.statements.pop();
            }
            let span = match (part.statements.first(), part.statements.last()) {
                (Some(first), Some(last)) => first.span.to(last.span),
                _ => part.span,
            };
            let place = Place::Segment { block: BlockId(number as u32), first: 0 };
            let origin = Origin { procedure, body, place };
            Block { name: part.name, statements: part.statements, terminator, span, origin }
        };
        ordered.enumerate().map(block).collect()
    }

    // ---- Statements.

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
            if !matches!(stmt.kind, StmtKind::Label(_)) {
                self.label = None;
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        let attributes = &stmt.attributes;
        match &stmt.kind {
            StmtKind::Label(label) => {
                let id = self.labels[&label.name];
                self.end(TerminatorKind::Goto(vec![id]), span);
                self.begin(id);
                self.label = Some(label.name.clone());
            }
            StmtKind::Assert(e) => {
                let condition = self.lowering.term(*e);
                let (kind, attributes) = assert_kind(attributes);
                let (premise, attributes) = self.formula("verified", &attributes);
                self.push(StatementKind::Assert { condition, kind, premise }, span, &attributes);
            }
            StmtKind::Assume(e) => {
                let condition = self.lowering.term(*e);
                if is_literal(&self.lowering.terms, condition, true)
                    && let (Some(preferred), rest) = self.formula("tryfirst", attributes)
                {
                    self.push(StatementKind::TryFirst(preferred), span, &rest);
                    return;
                }
                self.push(StatementKind::Assume(condition), span, attributes);
            }
            StmtKind::Havoc(vars) => {
                let symbols = vars.iter().map(|&v| self.lowering.symbol(v)).collect();
                self.push(StatementKind::Havoc(symbols), span, attributes);
            }
            StmtKind::Assign(pairs) => {
                let pairs =
                    pairs.iter().map(|&(var, value)| (self.lowering.symbol(var), self.lowering.term(value)));
                let kind = StatementKind::Assign(pairs.collect());
                self.push(kind, span, attributes);
            }
            StmtKind::Call(call) => {
                let callee = self.lowering.procedures[&call.callee];
                let args = call.args.iter().map(|&e| Some(self.lowering.term(e))).collect();
                let results = call.outs.iter().map(|&v| Some(self.lowering.symbol(v))).collect();
                self.push(StatementKind::Call { callee, args, results }, span, attributes);
            }
            StmtKind::If(arms, otherwise) => self.if_statement(arms, otherwise.as_ref(), span),
            StmtKind::While(guard, invariants, body) => self.while_statement(*guard, invariants, body, span),
            StmtKind::Break(label) => {
                let innermost = self.exits.iter().rposition(|exit| match label {
                    Some(label) => exit.label.as_ref() == Some(label),
                    None => exit.is_loop,
                });
                if let Some(index) = innermost {
                    self.here(span);
                    let after = self.after(index);
                    self.end(TerminatorKind::Goto(vec![after]), span);
                }
            }
            StmtKind::Goto(labels) => {
                self.here(span);
                let targets = labels.iter().map(|l| self.labels[l]).collect();
                self.end(TerminatorKind::Goto(targets), span);
            }
            StmtKind::Return => {
                self.here(span);
                self.end(TerminatorKind::Return, span);
            }
        }
    }

    /// The formula in the attribute of that name, and the others. An attribute that holds something else is one of
    /// another tool, and stays.
    fn formula(
        &mut self,
        name: &str,
        attributes: &[typed::Attribute],
    ) -> (Option<TermId>, Vec<typed::Attribute>) {
        let mut rest = attributes.to_vec();
        let source = self.lowering.source;
        let found = rest.iter().position(|a| {
            &*a.name == name
                && matches!(a.args[..], [AttributeArg::Expr(e)] if source.expr(e).sort == SortId::BOOL)
        });
        let formula = found.map(|at| rest.remove(at)).and_then(|a| match a.args[..] {
            [AttributeArg::Expr(e)] => Some(self.lowering.term(e)),
            _ => None,
        });
        (formula, rest)
    }

    /// The block after the statement around that has the number `index`.
    fn after(&mut self, index: usize) -> BlockId {
        if let Some(after) = self.exits[index].after {
            return after;
        }
        let after = self.fresh_block("after", self.exits[index].span);
        self.exits[index].after = Some(after);
        after
    }

    fn enter(&mut self, is_loop: bool, span: Span) -> usize {
        let label = self.label.take();
        self.exits.push(Exit { label, is_loop, after: None, span });
        self.exits.len() - 1
    }

    /// Goes on after the innermost statement, if anything leads there.
    fn leave(&mut self) {
        if let Some(after) = self.exits.pop().and_then(|exit| exit.after) {
            self.begin(after);
        }
    }

    /// Ends the current block with a choice.
    fn decide(&mut self, guard: Option<ExprId>, then_to: BlockId, else_to: BlockId, span: Span) {
        let kind = match guard {
            Some(e) => TerminatorKind::Branch { condition: self.lowering.term(e), then_to, else_to },
            None => TerminatorKind::Goto(vec![then_to, else_to]),
        };
        let span = guard.map_or(span, |e| self.lowering.source.expr(e).span);
        self.end(kind, span);
    }

    fn if_statement(
        &mut self,
        arms: &[(Option<ExprId>, typed::Block)],
        otherwise: Option<&typed::Block>,
        span: Span,
    ) {
        self.here(span);
        let exit = self.enter(false, span);
        for (number, (guard, block)) in arms.iter().enumerate() {
            let last = number + 1 == arms.len();
            let then_to = self.arm("then", block, span);
            let else_to = match (last, otherwise) {
                (true, Some(block)) => self.arm("else", block, span),
                (true, None) => self.after(exit),
                (false, _) => self.fresh_block("else", span),
            };
            self.decide(*guard, then_to, else_to, span);
            self.run_arm(then_to, block, exit);
            match (last, otherwise) {
                (true, Some(block)) => self.run_arm(else_to, block, exit),
                (true, None) => {}
                (false, _) => self.begin(else_to),
            }
        }
        self.leave();
    }

    /// The block an arm starts with: a new one, or, if the arm is nothing but a `goto`, its target.
    fn arm(&mut self, stem: &str, block: &typed::Block, span: Span) -> BlockId {
        match only_goto(block) {
            Some(label) => self.labels[label],
            None => self.fresh_block(stem, block.stmts.first().map_or(span, |s| s.span)),
        }
    }

    fn run_arm(&mut self, start: BlockId, block: &typed::Block, exit: usize) {
        if only_goto(block).is_some() {
            return;
        }
        self.begin(start);
        self.stmts(&block.stmts);
        if self.current.is_some() {
            let after = self.after(exit);
            self.end(TerminatorKind::Goto(vec![after]), block.end);
        }
    }

    fn while_statement(
        &mut self,
        guard: Option<ExprId>,
        invariants: &[Condition],
        body: &typed::Block,
        span: Span,
    ) {
        self.here(span);
        let exit = self.enter(true, span);
        let head = self.fresh_block("loop", span);
        self.end(TerminatorKind::Goto(vec![head]), span);
        self.begin(head);
        for invariant in invariants {
            let condition = self.lowering.term(invariant.expr);
            if invariant.free {
                self.push(StatementKind::Assume(condition), invariant.span, &invariant.attributes);
                continue;
            }
            let (premise, attributes) = self.formula("verified", &invariant.attributes);
            let kind = StatementKind::Assert { condition, kind: AssertKind::LoopInvariant, premise };
            self.push(kind, invariant.span, &attributes);
        }
        let inside = self.fresh_block("body", body.stmts.first().map_or(span, |s| s.span));
        let after = self.after(exit);
        self.decide(guard, inside, after, span);
        self.begin(inside);
        self.stmts(&body.stmts);
        self.end(TerminatorKind::Goto(vec![head]), body.end);
        self.leave();
    }
}

/// The end of a block that only passes make, as the printer writes it: see [`Options::dump`](super::Options::dump).
fn end_of_pass(terms: &Terms, statements: &[Statement], end: &Terminator) -> Option<TerminatorKind> {
    let last = statements.last().filter(|_| end.kind == TerminatorKind::Return)?;
    let [attribute] = &last.attributes[..] else { return None };
    let is_false = |t: TermId| is_literal(terms, t, false);
    match (&last.kind, &*attribute.name) {
        (StatementKind::Assert { condition, .. }, "fail") if is_false(*condition) => {
            Some(TerminatorKind::Fail)
        }
        (StatementKind::Assume(condition), "cut") if is_false(*condition) => Some(TerminatorKind::Cut),
        (StatementKind::Assume(condition), "stop") if is_false(*condition) => {
            Some(TerminatorKind::Goto(Vec::new()))
        }
        _ => None,
    }
}

fn is_literal(terms: &Terms, t: TermId, value: bool) -> bool {
    terms.term(t).op == Op::Literal(Value::Bool(value))
}

/// The label of the `goto` that is all of a block.
fn only_goto(block: &typed::Block) -> Option<&Name> {
    match &block.stmts[..] {
        [Stmt { kind: StmtKind::Goto(labels), attributes, .. }] if attributes.is_empty() => match &labels[..]
        {
            [label] => Some(label),
            _ => None,
        },
        _ => None,
    }
}

/// The kind of an assertion, and its attributes without the one that says so: the printer writes
/// `{:kind "loop_invariant"}`.
fn assert_kind(attributes: &[typed::Attribute]) -> (AssertKind, Vec<typed::Attribute>) {
    let named = |a: &typed::Attribute| match &a.args[..] {
        [AttributeArg::Str(text)] if &*a.name == "kind" => {
            AssertKind::ALL.iter().copied().find(|kind| kind.name() == &**text)
        }
        _ => None,
    };
    let kind = attributes.iter().find_map(named);
    let rest = attributes.iter().filter(|a| named(a).is_none()).cloned().collect();
    (kind.unwrap_or(AssertKind::Assert), rest)
}
