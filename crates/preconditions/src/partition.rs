//! Partition of a procedure into segments at cut points, after inlining of calls.
//!
//! **Idea.** Segments begin at *cut points*: the entry, and blocks chosen so that every cycle passes one. The choice
//! only affects the cost.
//!
//! * Loop heads, and blocks outside a loop that it leads to: the code after a loop is summarised once, not in each
//!   iteration.
//! * Joins, if something is still decided before the next cut point. A join that is followed by an assertion and
//!   nothing else is not cut, as the assertion is the constraint already.
//!
//! Example: two `if`s in a row and a loop after them give the cut points entry, join of the first `if`, loop head
//! (the join of the second `if` leads straight to it), and exit of the loop.
//!
//! **Direction of error.** None: any partition gives the same condition if all conditions are exact.

use footpath_ir::analysis::wto::Wto;
use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Program, StatementKind, Terminator, TerminatorKind, Variable,
};
use footpath_term::{Op, Substitution, SymbolId, TermId, Terms};
use footpath_transform::prepare::{Role, prepare};
use footpath_transform::{Standins, inline};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::options::Partition;
use crate::tools::Tools;
use crate::{Class, Classes, Exactness, copy_propagation, proved_checks};

/// A procedure cut into segments.
pub(crate) struct Cut {
    /// The body: without calls, failures are blocks that end in [`TerminatorKind::Fail`].
    pub(crate) body: Body,
    /// Its loops.
    pub(crate) wto: Wto,
    /// The cut points, the entry among them, such that those that a segment leads to come first where there is no loop.
    pub(crate) points: Vec<BlockId>,
    /// Symbols that stand for the values of globals at the entry, with the globals.
    pub(crate) olds: Vec<(SymbolId, SymbolId)>,
    /// Whether recursive calls were cut off somewhere that is reachable in the graph.
    pub(crate) bounded: Option<Exactness>,
}

/// The question about the runs of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// Whether one fails.
    Fails,
    /// Whether one returns, asked where none fails. Returning is what "fails" then, and checks pass.
    Returns,
    /// The same of returning with this value of a result.
    ReturnsWith(SymbolId, TermId),
}

/// Inlines calls and cuts a body into segments. Runs that end in a callee without returning block.
pub(crate) fn cut(
    tools: &mut Tools<'_>,
    (procedure, index): (ProcId, u32),
    role: Role,
    goal: Goal,
    classes: Classes<'_>,
    standins: &Standins,
) -> Cut {
    let (program, options, terms) = (tools.program, tools.options, &mut tools.terms);
    let prepared = prepare(program, terms, procedure, index, role);
    let recursive = standins.0.values().any(|s| s.recursive);
    let bounds = footpath_transform::Bounds {
        unwind: 0,
        // A stand-in for a recursive procedure calls nothing.
        recursion: options.recursion.max(u32::from(recursive)),
        max_blocks: options.max_blocks,
    };
    let inlined = inline::inline(program, terms, procedure, prepared, bounds, standins);
    let mut body = inlined.body;
    let olds = free_olds(program, terms, &mut body);
    let ends = match role {
        Role::Root => TerminatorKind::Return,
        Role::Callee => TerminatorKind::Goto(Vec::new()),
    };
    for block in &mut body.blocks {
        // A preference orders runs; all of them are made here.
        block.statements.retain(|s| !matches!(s.kind, StatementKind::TryFirst(_)));
        let class = (classes.of)(block.origin);
        if class != Class::Plain {
            block.statements.clear();
            let fails = matches!(class, Class::Fails(_));
            block.terminator.kind = if fails { TerminatorKind::Fail } else { ends.clone() };
        }
    }
    match goal {
        Goal::Fails => {}
        Goal::Returns => returns(terms, &mut body, None),
        Goal::ReturnsWith(result, value) => returns(terms, &mut body, Some((result, value))),
    }
    let mut fixed: FxHashSet<SymbolId> = program.globals.iter().map(|g| g.variable.symbol).collect();
    fixed.extend(body.results.iter().map(|v| v.symbol));
    // Stand-ins may keep something for others.
    let kept = standins.0.values().flat_map(|s| s.body.blocks.iter().flat_map(|b| &b.statements));
    for statement in kept {
        if let StatementKind::Assign(pairs) = &statement.kind {
            fixed.extend(pairs.iter().map(|(symbol, _)| *symbol));
        }
    }
    copy_propagation::propagate(terms, &mut body, &fixed);
    proved_checks::leave_out(tools, &mut body);
    let wto = Wto::of(&body);
    let is_cut = |b: &BlockId| body[*b].terminator.kind == TerminatorKind::Cut && wto.is_reachable(*b);
    let bounded = body.block_ids().any(|b| is_cut(&b)).then(|| {
        let why = match inlined.notes.first() {
            Some(note) => note.clone(),
            None => "recursive calls beyond the bound are left out".to_owned(),
        };
        Exactness::Bounded(options.recursion, why)
    });
    let points = points(&body, &wto, options.partition);
    Cut { body, wto, points, olds, bounded }
}

/// Lets checks pass, other failures block, and returns fail, all of them or those with a value of a result.
fn returns(terms: &mut Terms, body: &mut Body, with: Option<(SymbolId, TermId)>) {
    let failing = doomed(terms, body);
    let next = body.blocks.len() as u32;
    let returned = match with {
        Some((result, value)) => {
            let result = terms.var(result);
            let condition = terms.app(Op::Eq, [result, value]);
            TerminatorKind::Branch { condition, then_to: BlockId(next), else_to: BlockId(next + 1) }
        }
        None => TerminatorKind::Fail,
    };
    for block in &mut body.blocks {
        let kind = match &block.terminator.kind {
            TerminatorKind::Return => returned.clone(),
            TerminatorKind::Fail => TerminatorKind::Goto(Vec::new()),
            TerminatorKind::Branch { then_to, else_to, .. } => {
                match (failing[then_to.index()], failing[else_to.index()]) {
                    (false, true) => TerminatorKind::Goto(vec![*then_to]),
                    (true, false) => TerminatorKind::Goto(vec![*else_to]),
                    _ => continue,
                }
            }
            TerminatorKind::Goto(_) | TerminatorKind::Cut => continue,
        };
        block.terminator.kind = kind;
    }
    if with.is_some() {
        let entry = &body[Body::ENTRY];
        let end = |kind| Block {
            name: "end".into(),
            statements: Vec::new(),
            terminator: Terminator { kind, span: entry.span },
            span: entry.span,
            origin: Origin { place: Place::Exit, ..entry.origin },
        };
        let ends = [end(TerminatorKind::Fail), end(TerminatorKind::Goto(Vec::new()))];
        body.blocks.extend(ends);
    }
}

/// For each block, whether every run that enters it fails, by the form of the body.
pub(crate) fn doomed(terms: &Terms, body: &Body) -> Vec<bool> {
    let successors: Vec<Vec<BlockId>> = body.blocks.iter().map(|b| b.terminator.successors()).collect();
    let mut doomed = vec![false; body.blocks.len()];
    for block in post_order(&successors) {
        let Block { statements, terminator, .. } = &body[block];
        let at = |b: &BlockId| doomed[b.index()];
        let ends = match &terminator.kind {
            TerminatorKind::Fail => true,
            TerminatorKind::Branch { condition, then_to, else_to } => match terms.as_bool(*condition) {
                Some(true) => at(then_to),
                Some(false) => at(else_to),
                None => at(then_to) && at(else_to),
            },
            TerminatorKind::Goto(targets) => !targets.is_empty() && targets.iter().all(at),
            TerminatorKind::Return | TerminatorKind::Cut => false,
        };
        let blocks = statements.iter().any(|s| matches!(s.kind, StatementKind::Assume(_)));
        doomed[block.index()] = ends && !blocks;
    }
    doomed
}

/// Replaces old symbols by ordinary variables, as they must keep their meaning in the middle of a body.
fn free_olds(program: &Program, terms: &mut Terms, body: &mut Body) -> Vec<(SymbolId, SymbolId)> {
    let mut map = Substitution::default();
    let mut olds = Vec::new();
    let used: FxHashSet<SymbolId> = mentioned(terms, body);
    for global in &program.globals {
        if !used.contains(&global.old) {
            continue;
        }
        let symbol = terms.symbol(global.old).clone();
        let fresh = terms.fresh_symbol(symbol.name, symbol.sort);
        map.insert(global.old, terms.var(fresh));
        olds.push((fresh, global.variable.symbol));
        body.locals.push(Variable::new(fresh, body.span));
    }
    if !map.is_empty() {
        rewrite(terms, body, &map);
    }
    olds
}

pub(crate) fn rewrite(terms: &mut Terms, body: &mut Body, map: &Substitution) {
    let mut change = |t: &mut TermId| *t = terms.substitute(*t, map);
    for block in &mut body.blocks {
        for statement in &mut block.statements {
            match &mut statement.kind {
                StatementKind::Assign(pairs) => pairs.iter_mut().for_each(|(_, t)| change(t)),
                StatementKind::Assume(t) | StatementKind::TryFirst(t) => change(t),
                StatementKind::Assert { condition, .. } => change(condition),
                StatementKind::Havoc(_) | StatementKind::Call { .. } => {}
            }
        }
        if let TerminatorKind::Branch { condition, .. } = &mut block.terminator.kind {
            change(condition);
        }
    }
}

/// The symbols that occur in the blocks of a body.
pub(crate) fn mentioned(terms: &Terms, body: &Body) -> FxHashSet<SymbolId> {
    let mut roots = Vec::new();
    let mut symbols = FxHashSet::default();
    for block in &body.blocks {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(pairs) => {
                    symbols.extend(pairs.iter().map(|(s, _)| *s));
                    roots.extend(pairs.iter().map(|(_, t)| *t));
                }
                StatementKind::Assume(t) | StatementKind::TryFirst(t) => roots.push(*t),
                StatementKind::Assert { condition, .. } => roots.push(*condition),
                StatementKind::Havoc(list) => symbols.extend(list.iter().copied()),
                StatementKind::Call { .. } => {}
            }
        }
        if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
            roots.push(condition);
        }
    }
    symbols.extend(terms.post_order(&roots).into_iter().filter_map(|t| match terms.term(t).op {
        Op::Var(s) => Some(s),
        _ => None,
    }));
    symbols
}

/// The cut points; those that a segment leads to come before it, loops apart.
fn points(body: &Body, wto: &Wto, partition: Partition) -> Vec<BlockId> {
    let successors: Vec<Vec<BlockId>> = body.blocks.iter().map(|b| b.terminator.successors()).collect();
    let order = post_order(&successors);
    let mut chosen: FxHashSet<BlockId> = FxHashSet::default();
    chosen.insert(Body::ENTRY);
    if partition != Partition::None {
        chosen.extend(wto.components.iter().map(|c| c.head));
        for &block in &order {
            for next in body[block].terminator.successors() {
                let left = wto.innermost(block).is_some_and(|c| !wto.contains(c, next));
                if left && decides(body, next, &chosen) {
                    chosen.insert(next);
                }
            }
        }
    }
    let every = match partition {
        Partition::Auto | Partition::Branch => 1,
        Partition::Branches(n) => n.max(1),
        Partition::Loop | Partition::None => u32::MAX,
    };
    let predecessors = body.predecessors();
    let is_join = |b: BlockId| predecessors[b.index()].iter().filter(|p| wto.is_reachable(**p)).count() > 1;
    // How many branches lie between a block and the next cut point.
    let mut ahead: FxHashMap<BlockId, u32> = FxHashMap::default();
    for &block in &order {
        let below = |next: &BlockId| {
            if chosen.contains(next) { 0 } else { ahead.get(next).copied().unwrap_or(0) }
        };
        let most = body[block].terminator.successors().iter().map(below).max().unwrap_or(0);
        let own = most + u32::from(is_branch(body, block));
        if is_join(block) && own >= every {
            chosen.insert(block);
        }
        ahead.insert(block, own);
    }
    order.into_iter().filter(|b| chosen.contains(b)).collect()
}

/// Whether a block has more than one successor, not counting failures.
fn is_branch(body: &Body, block: BlockId) -> bool {
    let on = |b: &&BlockId| body[**b].terminator.kind != TerminatorKind::Fail;
    body[block].terminator.successors().iter().filter(on).count() > 1
}

/// Whether there is a branch between a block and the next cut points.
fn decides(body: &Body, from: BlockId, cuts: &FxHashSet<BlockId>) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![from];
    while let Some(block) = stack.pop() {
        if block != from && cuts.contains(&block) || !seen.insert(block) {
            continue;
        }
        if is_branch(body, block) {
            return true;
        }
        stack.extend(body[block].terminator.successors());
    }
    false
}

/// The blocks that are reached from the entry; what a block leads to comes before it, back edges apart.
pub(crate) fn post_order(successors: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut order = Vec::new();
    let mut seen = vec![false; successors.len()];
    let mut stack = vec![(Body::ENTRY, 0)];
    seen[Body::ENTRY.index()] = true;
    while let Some((block, next)) = stack.pop() {
        match successors[block.index()].get(next) {
            Some(&to) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[to.index()], true) {
                    stack.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order
}
