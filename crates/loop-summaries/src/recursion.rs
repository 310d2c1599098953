//! Recursion as control flow, for proofs by induction: a body without calls in which each recursive procedure occurs
//! once.
//!
//! **Idea.** A run that reaches a place does each of its calls in one of two ways: the call returns before, or the
//! place is reached within it. So a call becomes a choice. Either the run continues after the call, with arbitrary
//! results and globals, of which the invariant at the callee's end holds. Or the run enters the callee and never
//! returns; all such calls lead to the same copy of the callee's body, whose beginning is a loop head. The end of
//! that body is a place of its own: what holds there whenever it is reached holds after every call. That is Houdini
//! for contracts.
//!
//! Example: for `f(n) { if (n <= 0) return 0; return 2 + f(n - 1); }` the condition at the end is that the result is
//! even. The path that does not recurse establishes it, and the path after the inner call preserves it.
//!
//! **Papers.** T. Reps, S. Horwitz, M. Sagiv, "Precise interprocedural dataflow analysis via graph reachability"
//! (POPL 1995); C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001).
//!
//! **Direction of error.** There are more runs than those of the program: results are arbitrary except for what is
//! proved about the callee's end. There are never fewer.

use footpath_ir::source::Span;
use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Program, Statement, StatementKind, Terminator,
    TerminatorKind, Variable,
};
use footpath_term::{SymbolId, TermId, Terms};
use footpath_transform::inline::{Inlined, Standin, inline};
use footpath_transform::prepare::{Role, prepare};
use footpath_transform::{Bounds, Standins};
use rustc_hash::{FxHashMap, FxHashSet};

/// A body without calls.
pub(crate) struct Folded {
    pub(crate) body: Body,
    pub(crate) procedures: Vec<Recursive>,
}

/// A recursive procedure, as part of a body.
#[derive(Clone, Debug)]
pub(crate) struct Recursive {
    /// The block at which it begins, after its parameters are set.
    pub(crate) entry: BlockId,
    /// Where it ends.
    pub(crate) exit: BlockId,
    /// The blocks after which a call of it has returned.
    pub(crate) over: Vec<BlockId>,
    /// Its parameters, results, and globals that it changes, now and at its beginning; each with the variable that
    /// has its value after those blocks.
    pub(crate) values: Vec<(SymbolId, SymbolId)>,
}

/// The nodes of a stand-in.
const CHOICE: u32 = 0;
const OVER: u32 = 1;
const INSIDE: u32 = 2;

/// The body of `start` with everything that it calls, if any of it is recursive; `None` if not, or if it is too
/// large.
pub(crate) fn folded(
    program: &Program,
    terms: &mut Terms,
    start: (ProcId, u32),
    max_blocks: usize,
) -> Option<Folded> {
    let direct: Vec<ProcId> = program[start.0].bodies[start.1 as usize].calls().collect();
    let recursive: Vec<ProcId> = program.recursive_below(&direct).into_iter().collect();
    let is_plain = |p: &ProcId| program[*p].bodies.len() == 1 && program[*p].type_params.is_empty();
    if recursive.is_empty() || !recursive.iter().all(is_plain) {
        return None;
    }
    let blocks: usize = recursive.iter().map(|p| program[*p].bodies[0].blocks.len()).sum();
    if blocks > max_blocks {
        return None;
    }
    let mut standins = Standins::default();
    let mut copies: FxHashMap<ProcId, Copies> = FxHashMap::default();
    for &p in &recursive {
        let made = Copies::of(program, terms, p);
        standins.0.insert(
            p,
            Standin { body: made.standin(program, terms, p), recursive: true, open_calls: Vec::new() },
        );
        copies.insert(p, made);
    }
    let bounds = Bounds { unwind: 0, recursion: 1, max_blocks };
    let without_calls = |terms: &mut Terms, (p, index): (ProcId, u32), role: Role| {
        let prepared = prepare(program, terms, p, index, role);
        let inlined = inline(program, terms, p, prepared, bounds, &standins);
        // A call that is cut because there is too much is no way into the callee.
        inlined.notes.is_empty().then_some(inlined)
    };
    let mut whole = Whole { root: without_calls(terms, start, Role::Root)?, entries: FxHashMap::default() };
    let mut procedures = Vec::new();
    for &p in &recursive {
        let part = without_calls(terms, (p, 0), Role::Callee)?;
        let (entry, exit) = whole.add(program, terms, p, &copies[&p], part);
        procedures.push(Recursive { entry, exit, over: Vec::new(), values: copies[&p].values() });
    }
    let body = whole.connected()?;
    for (&p, procedure) in recursive.iter().zip(&mut procedures) {
        let over = origin(p, OVER);
        procedure.over = body.block_ids().filter(|&b| body[b].origin == over).collect();
    }
    Some(Folded { body, procedures })
}

/// The globals that a call may change.
fn changed(program: &Program, p: ProcId) -> Vec<SymbolId> {
    let mut changed: FxHashSet<SymbolId> = FxHashSet::default();
    for body in program.reachable(&[p]).into_iter().flat_map(|p| &program[p].bodies) {
        for callee in body.calls().filter(|c| program[*c].bodies.is_empty()) {
            changed.extend(&program[callee].modifies);
        }
        changed.extend(body.blocks.iter().flat_map(|b| &b.statements).flat_map(|s| s.kind.sets()));
    }
    program.globals.iter().map(|g| g.variable.symbol).filter(|s| changed.contains(s)).collect()
}

fn origin(procedure: ProcId, node: u32) -> Origin {
    Origin { procedure, body: 0, place: Place::Summary { node } }
}

/// Pairs of a variable of a procedure and one that keeps its value.
type Kept = Vec<(SymbolId, SymbolId)>;

/// Variables that carry values between calls and the one copy of a procedure.
struct Copies {
    /// The arguments, while they are passed into the procedure.
    arguments: Kept,
    /// The values of parameters, results and globals after a call, and of globals before it.
    params: Kept,
    results: Kept,
    globals: Kept,
    before: Kept,
}

impl Copies {
    fn of(program: &Program, terms: &mut Terms, p: ProcId) -> Copies {
        let body = &program[p].bodies[0];
        let changed = changed(program, p);
        let mut keep = |prefix: &str, symbols: Vec<SymbolId>| -> Kept {
            let mut fresh = |s: SymbolId| {
                let symbol = terms.symbol(s).clone();
                (s, terms.fresh_symbol(format!("{prefix}${}", symbol.name), symbol.sort))
            };
            symbols.into_iter().map(&mut fresh).collect()
        };
        let symbols = |variables: &[Variable]| variables.iter().map(|v| v.symbol).collect::<Vec<_>>();
        let olds = program.globals.iter().filter(|g| changed.contains(&g.variable.symbol)).map(|g| g.old);
        Copies {
            arguments: keep("into", symbols(&body.params)),
            params: keep("given", symbols(&body.params)),
            results: keep("result", symbols(&body.results)),
            before: keep("before", olds.collect()),
            globals: keep("after", changed),
        }
    }

    fn values(&self) -> Kept {
        [&self.params, &self.results, &self.globals, &self.before].into_iter().flatten().copied().collect()
    }

    /// The body that replaces a procedure where it is called.
    fn standin(&self, program: &Program, terms: &mut Terms, p: ProcId) -> Body {
        let procedure = &program[p];
        let var = |terms: &mut Terms, formal: &Variable| terms.var(formal.symbol);
        let mut given = |kept: &Kept, formals: &[Variable]| -> Vec<(SymbolId, TermId)> {
            kept.iter().zip(formals).map(|(&(_, copy), formal)| (copy, var(terms, formal))).collect()
        };
        let inside = given(&self.arguments, &procedure.params);
        let mut before = given(&self.params, &procedure.params);
        let mut after = given(&self.results, &procedure.results);
        let globals: Vec<SymbolId> = self.globals.iter().map(|&(g, _)| g).collect();
        for (&(_, copy), &g) in self.before.iter().zip(&globals) {
            before.push((copy, terms.var(g)));
        }
        after.extend(self.globals.iter().map(|&(g, copy)| (copy, terms.var(g))));
        let over =
            vec![StatementKind::Assign(before), StatementKind::Havoc(globals), StatementKind::Assign(after)];
        let nodes = [
            (CHOICE, Vec::new(), TerminatorKind::Goto(vec![BlockId(OVER), BlockId(INSIDE)])),
            (OVER, over, TerminatorKind::Return),
            (INSIDE, vec![StatementKind::Assign(inside)], TerminatorKind::Cut),
        ];
        let span = procedure.span;
        let blocks = nodes.map(|(node, statements, kind)| block(origin(p, node), statements, kind, span));
        let (params, results) = (procedure.params.clone(), procedure.results.clone());
        let attributes = Vec::new();
        Body { params, results, locals: Vec::new(), blocks: blocks.to_vec(), span, attributes }
    }

    /// The statements at the beginning of the copy of the procedure.
    fn beginning(&self, program: &Program, terms: &mut Terms, part: &Body) -> Vec<StatementKind> {
        let mut set: Vec<(SymbolId, TermId)> =
            self.arguments.iter().map(|&(param, copy)| (param, terms.var(copy))).collect();
        for g in &program.globals {
            if self.globals.iter().any(|&(changed, _)| changed == g.variable.symbol) {
                set.push((g.old, terms.var(g.variable.symbol)));
            }
        }
        let arbitrary = part.results.iter().chain(&part.locals).map(|v| v.symbol).collect();
        vec![StatementKind::Assign(set), StatementKind::Havoc(arbitrary)]
    }
}

fn block(origin: Origin, statements: Vec<StatementKind>, kind: TerminatorKind, span: Span) -> Block {
    let statements = statements.into_iter().map(|kind| Statement::new(kind, span)).collect();
    Block { name: "summary".into(), statements, terminator: Terminator { kind, span }, span, origin }
}

/// A body that is put together.
struct Whole {
    root: Inlined,
    /// The blocks at which calls enter procedures.
    entries: FxHashMap<ProcId, BlockId>,
}

impl Whole {
    /// Adds the body of a procedure; where it begins and ends.
    fn add(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        p: ProcId,
        copies: &Copies,
        part: Inlined,
    ) -> (BlockId, BlockId) {
        let blocks = &mut self.root.body.blocks;
        let here = blocks.len() as u32;
        let [prelude, exit, entry] = [here, here + 1, here + 2].map(BlockId);
        let beginning = copies.beginning(program, terms, &part.body);
        let span = part.body.span;
        blocks.push(block(origin(p, INSIDE), beginning, TerminatorKind::Goto(vec![entry]), span));
        blocks.push(block(origin(p, CHOICE), Vec::new(), TerminatorKind::Return, span));
        for mut added in part.body.blocks {
            added.terminator.successors_mut().into_iter().for_each(|to| to.0 += entry.0);
            if added.terminator.kind == TerminatorKind::Return {
                added.terminator.kind = TerminatorKind::Goto(vec![exit]);
            }
            blocks.push(added);
        }
        let Body { params, results, locals, .. } = part.body;
        self.root.body.locals.extend([params, results, locals].into_iter().flatten());
        let shifted = part.unfollowed.into_iter().map(|mut call| {
            call.block.0 += entry.0;
            call
        });
        self.root.unfollowed.extend(shifted);
        self.entries.insert(p, prelude);
        (entry, exit)
    }

    /// The body, in which calls lead into the procedures.
    fn connected(mut self) -> Option<Body> {
        for call in &self.root.unfollowed {
            let entry = *self.entries.get(&call.callee)?;
            self.root.body[call.block].terminator.kind = TerminatorKind::Goto(vec![entry]);
        }
        Some(self.root.body)
    }
}
