//! Frame conditions: which objects a call leaves unchanged, whatever else it does.
//!
//! **Idea.** Objects have numbers, and a new one gets the next number that is free. So a procedure that writes sizes
//! only where it makes objects, as all procedures from the front end do, leaves the sizes of older objects unchanged,
//! and one that frees nothing leaves them alive. Both follow from the form of its body and of the bodies of its
//! callees, and hold after each call for which the analyser uses the contract only.
//!
//! Example: after `n = count(list)`, where `count` and its callees never free, the object of `list` is still alive
//! and has the same size, although `count` was not inlined.
//!
//! A callee that may free something could end the lifetime of any object, as far as its form says. That it frees none
//! that its caller still uses is assumed ([`AssumptionKind::CalleesKeep`](crate::AssumptionKind::CalleesKeep)).
//!
//! **Direction of error.** Object numbers do not wrap around: a program form that is made for proofs assumes so at
//! each object that it makes, and no run makes that many.

use std::collections::BTreeSet;
use std::sync::Arc;

use footpath_frontend::c::Lowered;
use footpath_ir::{Block, Body, ProcId, Program, Statement, StatementKind};
use footpath_term::{Binder, BinderKind, Op, SymbolId, TermId, Terms};

/// The globals of the memory model that describe objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Objects {
    /// How many bytes an object has.
    pub(crate) size: SymbolId,
    /// Whether it is alive.
    pub(crate) alive: SymbolId,
    /// The number of the next one.
    pub(crate) next: SymbolId,
    /// The map that says which objects external code freed, if it may free any.
    pub(crate) ended: Option<SymbolId>,
}

impl Objects {
    /// The condition that an object is alive.
    pub(crate) fn lives(self, terms: &mut Terms, object: TermId) -> TermId {
        let alive = terms.var(self.alive);
        let alive = terms.app(Op::Select, [alive, object]);
        let Some(ended) = self.ended else { return alive };
        let ended = terms.var(ended);
        let ended = terms.app(Op::Select, [ended, object]);
        let not_ended = terms.app(Op::Not, [ended]);
        terms.app(Op::And, [alive, not_ended])
    }

    /// The condition that an object number is null.
    pub(crate) fn is_null(self, terms: &mut Terms, object: TermId) -> TermId {
        let null = terms.sort(object);
        let null = terms.bit_vec(terms.width(null).unwrap_or(1), 0);
        terms.app(Op::Eq, [object, null])
    }

    /// The conditions under which a pointer is valid that is at most `bytes` bytes from the start of its object: that
    /// the object exists, is alive, and has as many bytes.
    pub(crate) fn has(self, terms: &mut Terms, object: TermId, bytes: TermId) -> [TermId; 4] {
        let is_null = self.is_null(terms, object);
        let (size, next) = (terms.var(self.size), terms.var(self.next));
        let size = terms.app(Op::Select, [size, object]);
        [
            terms.app(Op::Not, [is_null]),
            self.lives(terms, object),
            terms.app(Op::BvUlt, [object, next]),
            terms.app(Op::BvUle, [bytes, size]),
        ]
    }
}

/// A new variable that keeps the value which another one had before a statement.
pub(crate) fn copy_before(terms: &mut Terms, variable: SymbolId) -> SymbolId {
    let symbol = terms.symbol(variable).clone();
    terms.fresh_symbol(format!("{}.before", symbol.name), symbol.sort)
}

/// Which lives a call may end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lives {
    /// The maps that say which objects are alive, each with its value for a living object.
    maps: Vec<(SymbolId, bool)>,
    /// The procedures that may free objects that they did not make.
    freeing: BTreeSet<ProcId>,
}

/// The frame conditions of procedures, by the form of their bodies.
#[derive(Clone, Debug)]
pub(crate) struct Frames {
    /// What holds after each call of a procedure.
    pub(crate) ensured: Arc<[(ProcId, TermId)]>,
    /// The objects that may be freed.
    pub(crate) lives: Arc<Lives>,
}

impl Frames {
    /// The frame conditions of all procedures that runs from the given ones can reach.
    pub(crate) fn of(terms: &mut Terms, lowered: &Lowered, objects: Objects, from: &[ProcId]) -> Frames {
        let program = &lowered.program;
        let maps = std::iter::once((objects.alive, true)).chain(objects.ended.map(|e| (e, false)));
        let maps: Vec<(SymbolId, bool)> = maps.collect();
        let (mut wild, mut freeing): (BTreeSet<ProcId>, BTreeSet<ProcId>) = Default::default();
        let mut ensured = Vec::new();
        // Callees come first.
        for group in program.components_below(from) {
            let calls =
                |set: &BTreeSet<ProcId>| group.iter().any(|p| program.calls(*p).any(|q| set.contains(&q)));
            let (calls_wild, calls_freeing) = (calls(&wild), calls(&freeing));
            let is_wild = calls_wild || group.iter().any(|p| !only_adds(terms, program, *p, objects));
            let frees = calls_freeing
                || group.iter().any(|p| lowered.freeing.contains(p) || havocs(program, *p, objects.ended));
            for &p in &group {
                if is_wild {
                    wild.insert(p);
                }
                if is_wild || frees {
                    freeing.insert(p);
                }
                if is_wild || program[p].bodies.is_empty() || !program[p].modifies.contains(&objects.next) {
                    continue;
                }
                let kept = maps.iter().map(|m| m.0).filter(|_| !frees);
                for condition in grown(
                    terms,
                    program,
                    objects,
                    std::iter::once(objects.size).chain(lowered.automatic).chain(kept),
                ) {
                    ensured.push((p, condition));
                }
            }
        }
        Frames { ensured: ensured.into(), lives: Arc::new(Lives { maps, freeing }) }
    }
}

/// Whether the bodies of a procedure, or its contract if it has none, change objects only by making and freeing them.
fn only_adds(terms: &Terms, program: &Program, procedure: ProcId, objects: Objects) -> bool {
    let about = [objects.size, objects.alive, objects.next];
    let is_about = |s: &SymbolId| about.contains(s) || objects.ended == Some(*s);
    let procedure = &program[procedure];
    if procedure.bodies.is_empty() {
        return !procedure.modifies.iter().any(is_about);
    }
    // A new object: `next := n + 1; size := size[n := …]`, where `n` has the value of `next`.
    let made = |pairs: &[(SymbolId, TermId)]| {
        let of = |target: SymbolId| pairs.iter().find(|p| p.0 == target).map(|p| terms.term(p.1));
        match (of(objects.next), of(objects.size)) {
            (None, None) => true,
            (Some(next), Some(size)) => {
                let map = size.args.first().map(|m| &terms.term(*m).op);
                next.op == Op::BvAdd
                    && size.op == Op::Store
                    && map == Some(&Op::Var(objects.size))
                    && next.args.contains(&size.args[1])
            }
            _ => false,
        }
    };
    let kept = |statement: &Statement| match &statement.kind {
        StatementKind::Assign(pairs) => made(pairs),
        StatementKind::Havoc(symbols) => !symbols.iter().any(|s| about.contains(s)),
        _ => true,
    };
    procedure.bodies.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.statements).all(kept)
}

/// Whether a procedure havocs a global.
fn havocs(program: &Program, procedure: ProcId, global: Option<SymbolId>) -> bool {
    let statements = program[procedure].bodies.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.statements);
    let havocked = statements.filter_map(|s| match &s.kind {
        StatementKind::Havoc(symbols) => Some(symbols),
        _ => None,
    });
    havocked.flatten().any(|s| Some(*s) == global)
}

/// The condition that object numbers in use stay in use, and that maps agree on the older objects.
fn grown(
    terms: &mut Terms,
    program: &Program,
    objects: Objects,
    maps: impl Iterator<Item = SymbolId>,
) -> Vec<TermId> {
    let old = |s: SymbolId| program.globals.iter().find(|g| g.variable.symbol == s).map(|g| g.old);
    let Some(before) = old(objects.next) else { return Vec::new() };
    let (before, now) = (terms.var(before), terms.var(objects.next));
    let mut found = vec![terms.app(Op::BvUle, [before, now])];
    for map in maps {
        let Some(old) = old(map) else { continue };
        let sort = terms.sort(before);
        let object = terms.fresh_symbol("object", sort);
        let (index, old, now) = (terms.var(object), terms.var(old), terms.var(map));
        let (was, is) = (terms.app(Op::Select, [old, index]), terms.app(Op::Select, [now, index]));
        let (older, same) = (terms.app(Op::BvUlt, [index, before]), terms.app(Op::Eq, [is, was]));
        let body = terms.app(Op::Implies, [older, same]);
        let binder = Binder {
            kind: BinderKind::Forall,
            type_vars: Vec::new(),
            vars: vec![object],
            triggers: Vec::new(),
            nopats: 0,
            weight: None,
        };
        found.push(terms.bind(binder, body, &[], &[]));
    }
    found
}

impl Lives {
    /// For each of the maps, the objects whose lifetime a body reads.
    pub(crate) fn read(&self, terms: &Terms, body: &Body) -> Vec<BTreeSet<TermId>> {
        let roots: Vec<TermId> = body.blocks.iter().flat_map(Block::terms).collect();
        let mut found = vec![BTreeSet::new(); self.maps.len()];
        for t in terms.post_order(&roots) {
            if let (Op::Select, &[map, object]) = (&terms.term(t).op, terms.term(t).args.as_slice())
                && let Some(i) = self.maps.iter().position(|m| terms.term(map).op == Op::Var(m.0))
            {
                found[i].insert(object);
            }
        }
        found
    }

    /// The condition that a call frees none of the objects that are `read` and denoted by the same term before and
    /// after it, over locals that are `live` after it; with copies of the maps from before. `None` if there are no
    /// such objects.
    pub(crate) fn kept(
        &self,
        terms: &mut Terms,
        program: &Program,
        call: &StatementKind,
        read: &[BTreeSet<TermId>],
        live: &dyn Fn(SymbolId) -> bool,
    ) -> Option<(TermId, Vec<(SymbolId, SymbolId)>)> {
        let StatementKind::Call { callee, .. } = call else { return None };
        if !self.freeing.contains(callee) {
            return None;
        }
        let changed = program.changed_by(call);
        let (mut copies, mut parts) = (Vec::new(), Vec::new());
        for (&(map, lives), read) in self.maps.iter().zip(read).filter(|(m, _)| changed.contains(&m.0)) {
            let stays = |t: &TermId| {
                let symbols = terms.free_symbols(&[*t]);
                !symbols.is_empty() && symbols.iter().all(|s| live(*s) && !changed.contains(s))
            };
            let used: Vec<TermId> = read.iter().copied().filter(stays).collect();
            if used.is_empty() {
                continue;
            }
            let copy = copy_before(terms, map);
            copies.push((copy, map));
            let (before, now) = (terms.var(copy), terms.var(map));
            for object in used {
                let (was, is) =
                    (terms.app(Op::Select, [before, object]), terms.app(Op::Select, [now, object]));
                let (from, to) = if lives { (was, is) } else { (is, was) };
                parts.push(terms.app(Op::Implies, [from, to]));
            }
        }
        (!copies.is_empty()).then(|| (terms.app(Op::And, parts), copies))
    }
}
