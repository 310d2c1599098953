//! Unreachability proofs in harnesses, for any number of loop iterations, by invariants about where pointers may
//! point (points-to invariants by Houdini).
//!
//! **Idea.** A list of three nodes that leads back to its first one keeps a loop running forever, so a search never
//! finishes it. But the harness makes few objects, and a pointer that a loop changes points to one of these, or
//! nowhere. The set of its values at the loop head is the least fixpoint: for each possible value it is proposed that
//! the pointer does not have it there, and also that it has no other value. Proposals that the solver refutes are
//! dropped, until all that are left hold whenever a head is reached, provided that they held before. What the harness
//! assumes about links in memory is proposed in the same way for memory that a loop changes, and so are the sizes and
//! lifetimes of its objects. What is left of all this is assumed at the heads, and the solver is asked for a run to
//! the places.
//!
//! Example: for `while (p) p = p->next;` with a harness that makes the nodes 1 and 2, the proposals "p is not 1", "p
//! is not 2" and "p is not null" are refuted, and "p has no other value" remains. With it the solver shows that
//! `p->next` never leaves these two nodes.
//!
//! **Papers.** C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001); that dropping
//! values one by one gives the least set of them: T. Reps, M. Sagiv, G. Yorsh, "Symbolic implementation of the best
//! transformer" (VMCAI 2004).
//!
//! **Direction of error.** That of the encoding and the solver. Places may be missing.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use footpath_absint::{Calls, Effort, FreeSymbols, Live, reverse_postorder};
use footpath_frontend::c::{Harness, Lowered, LoweredFunction};
use footpath_ir::analysis::wto::{ComponentId, Wto};
use footpath_ir::source::Span;
use footpath_ir::{
    AssertKind, BlockId, Body, Constant, Origin, Place, ProcId, Program, Statement, StatementKind,
};
use footpath_parallel::on_deep_stack;
use footpath_smt::houdini;
use footpath_term::{Op, SortId, SymbolId, TermId, Terms, Value};
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::solver_proofs::{Encoded, Task};

/// A function is not looked at if it has more blocks than this, together with what it calls.
const MAX_BLOCKS: usize = 300;
/// Nor are pointers that may have more values than this.
const MAX_VALUES: usize = 100;
/// More proposals than this are not made.
const MAX_PROPOSALS: usize = 400;
/// So many numbers of bytes are tried as what lies between a pointer and its object's start.
const MAX_OFFSETS: usize = 4;
/// Larger numbers are no offsets of fields.
const LARGEST_OFFSET: u64 = 4096;

/// The `places` in a function that are proved unreachable from its harness within the `time`, long arrays included.
/// Functions without a loop that changes a pointer are skipped.
pub fn never_from_harness(
    lowered: &Lowered,
    function: &LoweredFunction,
    places: &[Origin],
    time: Duration,
) -> FxHashSet<Origin> {
    let deadline = Deadline::after(time);
    let Some(proposed) = Proposed::of(lowered, function) else { return FxHashSet::default() };
    // Without a thread nothing is found.
    on_deep_stack(|| proposed.never(places, deadline)).ok().flatten().unwrap_or_default()
}

/// A program with proposed invariants at loop heads, each under a literal of its own.
struct Proposed {
    program: Program,
    root: ProcId,
    literals: Vec<TermId>,
    /// The place where each of them fails.
    failures: Vec<Origin>,
    /// How many statements were inserted at the beginning of a block.
    shifted: FxHashMap<(ProcId, BlockId), u32>,
}

impl Proposed {
    /// `None` if there is nothing to propose, or the program is too large.
    fn of(lowered: &Lowered, function: &LoweredFunction) -> Option<Proposed> {
        let harness = function.harness.as_ref().ok()?;
        let root = harness.widest();
        let recursive = lowered.program.recursive_below(&[root]);
        let behind: Vec<ProcId> = recursive.iter().copied().collect();
        // What stands for itself by its contract has no places.
        if lowered.program.reachable(&behind).contains(&function.procedure) {
            return None;
        }
        let reachable = lowered.program.reachable(&[root]);
        let followed: BTreeSet<ProcId> = reachable.into_iter().filter(|p| !recursive.contains(p)).collect();
        let bodies = || followed.iter().flat_map(|p| lowered.program[*p].bodies.iter().map(move |b| (*p, b)));
        if bodies().map(|(_, b)| b.blocks.len()).sum::<usize>() > MAX_BLOCKS {
            return None;
        }
        let mut proposer = Proposer {
            terms: Terms::layer(lowered.program.terms.clone()),
            known: Vec::new(),
            objects: harness.objects.iter().map(|o| u64::from(o.number)).collect(),
            widths: (lowered.shape.object, lowered.shape.offset),
        };
        proposer.known = proposer.known_of_globals(&lowered.program, harness);
        let mut heads = Vec::new();
        for (procedure, body) in bodies().filter(|(p, _)| *p != root) {
            proposer.body(&lowered.program, procedure, body, &mut heads);
        }
        if heads.is_empty() || heads.iter().map(|h| h.conditions.len()).sum::<usize>() > MAX_PROPOSALS {
            return None;
        }
        let program = lowered.program.with_bodies(|p| followed.contains(&p) || recursive.contains(&p));
        Some(Proposed::at_heads(program, proposer.terms, root, heads))
    }

    fn at_heads(mut program: Program, mut terms: Terms, root: ProcId, heads: Vec<Head>) -> Proposed {
        let (mut literals, mut failures) = (Vec::new(), Vec::new());
        let mut shifted = FxHashMap::default();
        for Head { procedure, block, span, conditions } in heads {
            let mut statements = Vec::new();
            for (number, condition) in conditions.into_iter().enumerate() {
                let symbol = terms.fresh_symbol(format!("holds.{}", literals.len()), SortId::BOOL);
                program.constants.push(Constant {
                    symbol,
                    unique: false,
                    extends: None,
                    span,
                    attributes: Vec::new(),
                });
                let literal = terms.var(symbol);
                let off = terms.app(Op::Not, [literal]);
                let guarded = terms.app(Op::Or, [off, condition]);
                let kind = StatementKind::assert(guarded, AssertKind::LoopInvariant);
                statements.push(Statement::new(kind, span));
                let place = Place::Failure { block, statement: number as u32, clause: 0 };
                failures.push(Origin { procedure, body: 0, place });
                literals.push(literal);
            }
            shifted.insert((procedure, block), statements.len() as u32);
            program[procedure].bodies[0].blocks[block.index()].statements.splice(0..0, statements);
        }
        program.terms = Arc::new(terms);
        Proposed { program, root, literals, failures, shifted }
    }

    /// The new position of a place.
    fn now(&self, origin: Origin) -> Origin {
        let by = |block| self.shifted.get(&(origin.procedure, block)).copied().unwrap_or_default();
        let place = match origin.place {
            Place::Failure { block, statement, clause } => {
                Place::Failure { block, statement: statement + by(block), clause }
            }
            Place::Segment { block, first } if first > 0 => {
                Place::Segment { block, first: first + by(block) }
            }
            other => other,
        };
        Origin { place, ..origin }
    }

    /// The places that are proved unreachable; `None` if nothing can be asked.
    fn never(&self, places: &[Origin], deadline: Deadline) -> Option<FxHashSet<Origin>> {
        let time = deadline.left();
        let task = Task {
            program: &self.program,
            procedure: self.root,
            index: 0,
            calls: Calls::Bodies(MAX_BLOCKS),
            effort: Effort { until: Some(deadline), ..Effort::default() },
            time,
        };
        let mut asked = Encoded::with_callees(task).ok()?;
        // A head that no path leads to has no place where a proposal fails.
        let failures: Vec<Option<TermId>> = self.failures.iter().map(|at| asked.way(*at)).collect();
        let all: Vec<usize> = (0..self.literals.len()).collect();
        let inductive = houdini(all, |left| {
            let assumed = self.assumed(&mut asked, left);
            let open: Vec<usize> = left.iter().copied().filter(|i| failures[*i].is_some()).collect();
            let ways: Vec<TermId> = open.iter().filter_map(|i| failures[*i]).collect();
            let reached = asked.reached(&ways, &assumed)?;
            let refuted: FxHashSet<usize> =
                open.into_iter().zip(reached).filter_map(|(i, reached)| reached.then_some(i)).collect();
            left.retain(|i| !refuted.contains(i));
            Some(())
        })?;
        let assumed = self.assumed(&mut asked, &inductive);
        let of = |at: &Origin| Some((*at, asked.way(self.now(*at))?));
        let open: Vec<(Origin, TermId)> = places.iter().filter_map(of).collect();
        Some(asked.unreached(open, &assumed))
    }

    /// The proposals that are left, and that the others are not made.
    fn assumed(&self, asked: &mut Encoded, left: &[usize]) -> Vec<TermId> {
        let literals = self.literals.iter().enumerate();
        literals.map(|(i, &l)| if left.binary_search(&i).is_ok() { l } else { asked.not(l) }).collect()
    }
}

/// The proposals at a loop head.
struct Head {
    procedure: ProcId,
    block: BlockId,
    span: Span,
    conditions: Vec<TermId>,
}

struct Proposer {
    terms: Terms,
    /// The harness's assumptions about globals, each with these globals.
    known: Vec<(TermId, Vec<SymbolId>)>,
    /// The numbers of the harness's objects.
    objects: Vec<u64>,
    /// Bits of an object's number and of an offset.
    widths: (u32, u32),
}

impl Proposer {
    /// What holds of globals where the harness calls the function, as far as it is said of globals alone.
    fn known_of_globals(&mut self, program: &Program, harness: &Harness) -> Vec<(TermId, Vec<SymbolId>)> {
        let globals: FxHashSet<SymbolId> = program.globals.iter().map(|g| g.variable.symbol).collect();
        let mut found = Vec::new();
        for statement in program[harness.widest()].bodies[0].blocks.iter().flat_map(|b| &b.statements) {
            match &statement.kind {
                StatementKind::Assume(condition) => found.push(*condition),
                // Maps are given their values at the harness's objects one by one.
                StatementKind::Assign(values) => {
                    for &(symbol, value) in values {
                        self.entries(symbol, value, &mut found);
                    }
                }
                _ => {}
            }
        }
        let mut known = Vec::new();
        for condition in found {
            let symbols = self.terms.free_symbols(&[condition]);
            if !symbols.is_empty() && symbols.iter().all(|s| globals.contains(s)) {
                known.push((condition, symbols));
            }
        }
        known
    }

    /// Candidates that keep the entries of a map over objects, such as their sizes, for the harness's objects; for a
    /// number, that it does not decrease.
    fn entries(&mut self, symbol: SymbolId, value: TermId, found: &mut Vec<TermId>) {
        let now = self.terms.var(symbol);
        if let Some(Value::BitVec { .. }) = self.terms.literal(value) {
            found.push(self.terms.app(Op::BvUle, [value, now]));
        }
        let mut map = value;
        while let (Op::Store, [inner, object, element]) =
            (&self.terms.term(map).op, &self.terms.term(map).args[..])
        {
            let (inner, object, element) = (*inner, *object, *element);
            let number = self.terms.literal(object).and_then(Value::as_u64);
            if number.is_some_and(|n| self.objects.contains(&n)) {
                let there = self.terms.app(Op::Select, [now, object]);
                found.push(self.terms.app(Op::Eq, [there, element]));
            }
            map = inner;
        }
    }

    /// Adds the proposals at the heads of a body.
    fn body(&mut self, program: &Program, procedure: ProcId, body: &Body, heads: &mut Vec<Head>) {
        let wto = Wto::of(body);
        if wto.components.is_empty() {
            return;
        }
        let order = reverse_postorder(body);
        let live = Live::of(&self.terms, &mut FreeSymbols::default(), body, &order);
        let offsets = self.offsets(body);
        for (number, component) in wto.components.iter().enumerate() {
            let changed = self.changed(body, &wto, ComponentId(number as u32));
            let mut conditions = Vec::new();
            for pair in body.locals.windows(2) {
                let [object, offset] = [pair[0].symbol, pair[1].symbol];
                let is_dead = live.is_dead(object, component.head) && live.is_dead(offset, component.head);
                let is_changed = changed.contains(&object) || changed.contains(&offset);
                if self.is_pointer(object, offset) && is_changed && !is_dead {
                    self.values(object, offset, &offsets, &mut conditions);
                }
            }
            // Of what no pointer is changed in, the analyser knows as much.
            if conditions.is_empty() {
                continue;
            }
            let of_memory =
                self.known.iter().filter(|(_, symbols)| symbols.iter().any(|s| changed.contains(s)));
            conditions.extend(of_memory.map(|(condition, _)| *condition));
            let span = program[procedure].bodies[0][component.head].span;
            heads.push(Head { procedure, block: component.head, span, conditions });
        }
    }

    /// The variables that a loop changes.
    fn changed(&self, body: &Body, wto: &Wto, component: ComponentId) -> FxHashSet<SymbolId> {
        let mut changed = FxHashSet::default();
        let blocks = body.block_ids().filter(|b| wto.contains(component, *b));
        for statement in blocks.flat_map(|b| &body[b].statements) {
            changed.extend(statement.kind.sets());
            // What a callee changes is proposed of all that it might.
            if let StatementKind::Call { .. } = statement.kind {
                changed.extend(self.known.iter().flat_map(|(_, symbols)| symbols));
            }
        }
        changed
    }

    /// Whether two variables are the parts of a pointer.
    fn is_pointer(&self, object: SymbolId, offset: SymbolId) -> bool {
        let [first, second] = [object, offset].map(|s| self.terms.symbol(s));
        let width = |sort| self.terms.width(sort);
        let widths = (width(first.sort), width(second.sort)) == (Some(self.widths.0), Some(self.widths.1));
        widths && second.name.strip_suffix(".offset") == Some(&*first.name)
    }

    /// The possible offsets of pointers: the constants that the body adds to offsets.
    fn offsets(&self, body: &Body) -> Vec<u64> {
        let mut roots: VecDeque<TermId> = VecDeque::new();
        for statement in body.blocks.iter().flat_map(|b| &b.statements) {
            if let StatementKind::Assign(values) = &statement.kind {
                roots.extend(values.iter().map(|v| v.1));
            }
        }
        let mut found = BTreeSet::from([0]);
        for t in self.terms.post_order(roots.make_contiguous()) {
            let term = self.terms.term(t);
            if term.op != Op::BvAdd || self.terms.width(term.sort) != Some(self.widths.1) {
                continue;
            }
            let literals = term.args.iter().filter_map(|a| self.terms.literal(*a).and_then(Value::as_u64));
            found.extend(literals.filter(|n| *n < LARGEST_OFFSET));
        }
        found.into_iter().take(MAX_OFFSETS).collect()
    }

    /// Proposes, for each possible value of a pointer, that it does not have it, and that it has no other value.
    fn values(&mut self, object: SymbolId, offset: SymbolId, offsets: &[u64], conditions: &mut Vec<TermId>) {
        if self.objects.len() * offsets.len() >= MAX_VALUES {
            return;
        }
        let (object, offset) = (self.terms.var(object), self.terms.var(offset));
        let mut is = |number: u64, bytes: u64| {
            let (number, bytes) =
                (self.terms.bit_vec(self.widths.0, number), self.terms.bit_vec(self.widths.1, bytes));
            let parts = [self.terms.app(Op::Eq, [object, number]), self.terms.app(Op::Eq, [offset, bytes])];
            self.terms.app(Op::And, parts)
        };
        let mut values = vec![is(0, 0)];
        for &number in &self.objects {
            values.extend(offsets.iter().map(|&bytes| is(number, bytes)));
        }
        conditions.push(self.terms.app(Op::Or, values.clone()));
        conditions.extend(values.into_iter().map(|value| self.terms.app(Op::Not, [value])));
    }
}
