//! Control flow: the order in which blocks are lowered, edges with the assignments of phis, branches, switches and
//! returns.

use footpath_ir::source::Span;
use footpath_ir::{AssertKind, BlockId, Statement, StatementKind, Terminator, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId};

use crate::llvm::ast::{
    Attachment, BinaryOp, BlockIx, Inst, InstKind, LocalId, Operand, Predicate, TypeId, Value,
};
use crate::llvm::decisions::Place;

use super::super::Unsupported;
use super::super::facts::link::Target;
use super::function::{Arm, BlockRole, Lowering, Register};

impl Lowering<'_, '_, '_> {
    /// The blocks in reverse postorder: each comes after one of its predecessors; unreachable ones come last.
    pub(crate) fn reverse_postorder(&self) -> Vec<BlockIx> {
        let count = self.code.blocks.len();
        let mut seen = vec![false; count];
        let mut order = Vec::with_capacity(count);
        for root in 0..count {
            if seen[root] {
                continue;
            }
            let mut component = Vec::new();
            seen[root] = true;
            let successors = |ix: usize| self.code.terminator(BlockIx(ix as u32)).kind.successors();
            let mut stack = vec![(root, successors(root), 0)];
            while let Some((ix, next, at)) = stack.last_mut() {
                if let Some(&to) = next.get(*at) {
                    *at += 1;
                    if !seen[to.index()] {
                        seen[to.index()] = true;
                        let following = successors(to.index());
                        stack.push((to.index(), following, 0));
                    }
                } else {
                    component.push(BlockIx(*ix as u32));
                    stack.pop();
                }
            }
            order.extend(component.into_iter().rev());
        }
        order
    }
    /// The assignments of the phis of `to` for control that comes from `from`.
    pub(crate) fn phi_assignments(
        &mut self,
        from: BlockIx,
        to: BlockIx,
    ) -> Result<Vec<(SymbolId, TermId)>, Unsupported> {
        let mut pairs = Vec::new();
        for inst in self.code.insts_of(to) {
            let InstKind::Phi { ty, incoming } = &inst.kind else {
                if matches!(inst.kind, InstKind::Debug(_)) {
                    continue;
                }
                break;
            };
            let Some(result) = inst.result else { continue };
            let symbols = self.phi_symbols(result, *ty)?;
            let Some(&(value, _)) = incoming.iter().find(|(_, b)| *b == from) else { continue };
            pairs.extend(self.phi_shadow(result, &symbols, value));
            let value = self.value_of(value)?;
            pairs.extend(symbols.into_iter().zip(value));
        }
        Ok(pairs)
    }

    fn phi_symbols(&mut self, result: LocalId, ty: TypeId) -> Result<Vec<SymbolId>, Unsupported> {
        if let Some(Register::Value(value)) = &self.registers[result.index()] {
            return Ok(value.iter().filter_map(|&t| symbol_of(&self.cx.terms, t)).collect());
        }
        let name = self.local_name(result);
        let leaves = self.cx.leaves(self.f.module, ty)?;
        let symbols = self.cx.fresh_components(&name, &leaves);
        self.declare_all(&symbols);
        let value = symbols.iter().map(|&s| self.cx.terms.var(s)).collect();
        self.registers[result.index()] = Some(Register::Value(value));
        Ok(symbols)
    }

    /// The target of one of several edges out of a block: a block of its own where the edge needs one.
    fn edge(&mut self, from: BlockIx, number: u32, to: BlockIx) -> Result<BlockId, Unsupported> {
        let pairs = self.phi_assignments(from, to)?;
        let target = BlockId(to.0);
        if pairs.is_empty() && self.predecessors[to.index()].len() == 1 {
            return Ok(target);
        }
        let edge = self.add_block("edge", BlockRole::Edge(from, number));
        let span = self.span;
        let block = &mut self.blocks[edge.index()];
        if !pairs.is_empty() {
            block.statements.push(Statement::new(StatementKind::Assign(pairs), span));
        }
        block.terminator = Some(Terminator { kind: TerminatorKind::Goto(vec![target]), span });
        Ok(edge)
    }

    pub(crate) fn branch(&mut self, from: BlockIx, inst: &Inst) -> Result<(), Unsupported> {
        match &inst.kind {
            InstKind::Br(to) if self.evaluations.is_condition(Place::Jump(from)) => {
                self.last_condition(from, *to)?;
            }
            InstKind::Br(to) => {
                let pairs = self.phi_assignments(from, *to)?;
                if !pairs.is_empty() {
                    self.statement(StatementKind::Assign(pairs));
                }
                self.terminate(TerminatorKind::Goto(vec![BlockId(to.0)]));
            }
            InstKind::CondBr { condition, then, otherwise } => {
                let asked = condition.value;
                let span = self.span;
                let computed = self.computed_at(asked);
                let condition_span = self.debug.condition(span, computed);
                let place = self.place_of_branch(condition_span, computed);
                if place != condition_span {
                    self.span = place;
                }
                let condition = self.value(*condition)?[0];
                let then_to = self.edge(from, 0, *then)?;
                let else_to = self.edge(from, 1, *otherwise)?;
                self.span = span;
                let is_exchanged = self.is_exchanged(condition_span, asked);
                let (then_to, else_to) = self.marked(Place::Branch(from), asked, then_to, else_to);
                let is_constant = matches!(asked, Value::Const(_));
                let is_added = self.is_added(inst, asked, [*then, *otherwise].contains(&from));
                // An arm that the compiler knows to be dead may be a macro's wherever the branch is placed.
                let known = self.cx.terms.as_bool(condition).filter(|_| is_constant);
                let dead = known.map(|holds| if holds { *otherwise } else { *then });
                let dead = dead.and_then(|block| self.block_span(block));
                let macro_use = self.macro_use(span, condition_span, dead);
                for (taken, to) in [(true, then_to), (false, else_to)] {
                    let (holds, condition) = (taken != is_exchanged, condition_span);
                    self.arms.push(Arm {
                        from,
                        taken,
                        holds,
                        to,
                        span,
                        condition,
                        macro_use,
                        is_constant,
                        is_added,
                    });
                }
                self.span = place;
                self.terminate(TerminatorKind::Branch { condition, then_to, else_to });
            }
            InstKind::Switch { value, default, cases } => self.switch(from, *value, *default, cases)?,
            InstKind::IndirectBr { address, targets } => self.computed_goto(from, *address, targets)?,
            _ => return Err(Unsupported::new("an unusual jump")),
        }
        Ok(())
    }

    /// Whether a branch is the compiler's own: of the loop that fills the rest of an array with zeros (`int a[9] = {x}`), which moves an
    /// address that is in no variable, or whether a complex product is no number, which it says is unlikely.
    fn is_added(&self, branch: &Inst, condition: Value, is_loop: bool) -> bool {
        let defined = |value| self.code.definition(value).map(|inst| &inst.kind);
        let is_moved = |value| match defined(value) {
            Some(InstKind::Gep(gep)) => matches!(defined(gep.base.value), Some(InstKind::Phi { .. })),
            _ => false,
        };
        let is_weight = |(name, _): &Attachment| self.module.text(*name) == "prof";
        let is_weighted = branch.attachments.iter().any(is_weight);
        match defined(condition) {
            Some(InstKind::Compare { predicate: Predicate::Int(_), left, .. }) => {
                is_loop && self.module.types.is_pointer(left.ty) && is_moved(left.value)
            }
            Some(InstKind::Compare { predicate: Predicate::Float(_), left, right, .. }) => {
                left.value == *right && is_weighted
            }
            // Of constants it knows that these are numbers.
            None => matches!(condition, Value::Const(_)) && is_weighted,
            _ => false,
        }
    }

    /// Where a branch stands: where its condition is computed, if that is on another line than the compiler's place of the branch, as
    /// in a condition over several lines.
    fn place_of_branch(&self, condition: Span, computed: Option<Span>) -> Span {
        computed.filter(|at| self.debug.line(*at) != self.debug.line(condition)).unwrap_or(condition)
    }

    /// Where a value is computed.
    pub(crate) fn computed_at(&mut self, value: Value) -> Option<Span> {
        let dbg = self.code.definition(value)?.dbg;
        self.debug.span(self.f.module, self.module, dbg)
    }

    /// The place of a macro call of which a branch may be a part: where the dead arm begins, at the branch itself, or
    /// where its condition begins.
    fn macro_use(&self, branch: Span, condition: Span, dead: Option<Span>) -> Option<u32> {
        let macros = self.cx.options.macros.get(self.f.module as usize)?;
        let dead = dead.map(|span| self.debug.first_word(span));
        let places = [(branch.start, self.debug.text(branch)), self.debug.first_word(condition)];
        dead.into_iter().chain(places).find(|(_, word)| macros.contains(*word)).map(|(at, _)| at)
    }

    /// Whether the compiler has removed a `!` before a condition that is asked for this value.
    pub(crate) fn is_exchanged(&self, condition: Span, asked: Value) -> bool {
        self.debug.is_negated(condition) && !self.is_complement(asked)
    }

    /// Whether a value is computed as the complement of another one.
    fn is_complement(&self, value: Value) -> bool {
        self.code
            .definition(value)
            .is_some_and(|inst| matches!(inst.kind, InstKind::Binary { op: BinaryOp::Xor, .. }))
    }

    /// A switch as a chain of branches, one for each target.
    fn switch(
        &mut self,
        from: BlockIx,
        value: Operand,
        default: BlockIx,
        cases: &[(crate::llvm::ast::ConstId, BlockIx)],
    ) -> Result<(), Unsupported> {
        let value = self.value(value)?[0];
        let mut targets: Vec<(BlockIx, Vec<TermId>)> = Vec::new();
        for &(constant, to) in cases {
            let constant = self.cx.constant(self.f.module, constant)?[0];
            let here = self.cx.app(Op::Eq, &[value, constant]);
            match targets.iter_mut().find(|(t, _)| *t == to) {
                Some((_, conditions)) => conditions.push(here),
                None => targets.push((to, vec![here])),
            }
        }
        let leads_only_there = |block: BlockIx| self.predecessors[block.index()].iter().all(|&p| p == from);
        if targets.iter().all(|(target, _)| *target != default) && leads_only_there(default) {
            self.defaults.push(default);
        }
        // Cases that go where the default goes need no test of their own.
        targets.retain(|(target, _)| *target != default);
        let count = targets.len();
        for (number, (to, conditions)) in targets.into_iter().enumerate() {
            let condition = self.cx.app(Op::Or, &conditions);
            let then_to = self.switch_edge(from, number as u32, to)?;
            let else_to = if number + 1 == count {
                self.switch_edge(from, count as u32, default)?
            } else {
                self.add_block("case", BlockRole::Glue)
            };
            self.terminate(TerminatorKind::Branch { condition, then_to, else_to });
            if number + 1 < count {
                self.continue_in(else_to);
            }
        }
        if count == 0 {
            let to = self.switch_edge(from, 0, default)?;
            self.terminate(TerminatorKind::Goto(vec![to]));
        }
        Ok(())
    }

    /// A jump to an address: a chain of branches, one for each block that it may be.
    fn computed_goto(
        &mut self,
        from: BlockIx,
        address: Operand,
        targets: &[BlockIx],
    ) -> Result<(), Unsupported> {
        let p = self.pointer(address.value)?;
        let function = self.cx.objects.get(&Target::Function(self.f)).copied();
        let function = function.ok_or_else(|| Unsupported::new("the address of a block"))?;
        let mut targets = targets.to_vec();
        targets.sort_unstable_by_key(|to| to.0);
        targets.dedup();
        for (number, to) in targets.into_iter().enumerate() {
            let block = self.cx.pointer(function, i64::from(to.0) + 1);
            let object = self.cx.app(Op::Eq, &[p.object, block.object]);
            let offset = self.cx.app(Op::Eq, &[p.offset, block.offset]);
            let condition = self.cx.app(Op::And, &[object, offset]);
            let then_to = self.switch_edge(from, number as u32, to)?;
            let else_to = self.add_block("case", BlockRole::Glue);
            self.terminate(TerminatorKind::Branch { condition, then_to, else_to });
            self.continue_in(else_to);
        }
        // No other address may be given.
        let no = self.cx.terms.bool(false);
        self.statement(StatementKind::assert(no, AssertKind::Unreachable));
        self.terminate(TerminatorKind::Goto(Vec::new()));
        Ok(())
    }

    /// As [`Self::edge`], but cases with one target are one edge.
    fn switch_edge(&mut self, from: BlockIx, number: u32, to: BlockIx) -> Result<BlockId, Unsupported> {
        let others = self.predecessors[to.index()].iter().any(|&other| other != from);
        let pairs = self.phi_assignments(from, to)?;
        if pairs.is_empty() && !others {
            return Ok(BlockId(to.0));
        }
        self.edge(from, number, to)
    }

    pub(crate) fn ret(&mut self, value: Option<Operand>) -> Result<(), Unsupported> {
        if let Some(value) = value {
            let value = self.value(value)?;
            let pairs: Vec<_> = self.results.iter().copied().zip(value).collect();
            if !pairs.is_empty() {
                self.assign(pairs);
            }
        }
        self.end_of_stack_objects();
        self.terminate(TerminatorKind::Return);
        Ok(())
    }
}

/// The symbol that a term is.
fn symbol_of(terms: &footpath_term::Terms, t: TermId) -> Option<SymbolId> {
    match terms.term(t).op {
        Op::Var(symbol) => Some(symbol),
        _ => None,
    }
}
