//! Pointer validity assumptions: what may be assumed about pointers by how a function uses them.
//!
//! **Idea.** A function by itself does not say where the pointers point that it finds in structures and arrays. As
//! for its parameters, it may be assumed that they are valid for how they are used ([`PointerUse`]): that they point
//! into living objects, and to terminated strings. The assumption is made where such a pointer is read: in the front
//! end's program, that is where a variable gets its value or, if the pointer is dereferenced at once, at the first
//! check of it, and again where it may have changed since.
//!
//! Example: in `q = p->next; return q->value;` it is assumed after the assignment that `q` points into a living
//! object with room for `value`.
//!
//! **Direction of error.** None: it is an assumption at its place, and a premise of what needs it.

use std::collections::{BTreeMap, BTreeSet};

use footpath_frontend::c::PointerUse;
use footpath_ir::{Block, BlockId, Body, Program, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId, Terms};

use crate::assumption::{AssumptionKind, Site};
use crate::frames::Objects;

/// The pointers that a function reads from memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointers {
    /// The globals of the memory model that describe objects.
    pub(crate) objects: Objects,
    /// The pointers, by the terms of the objects that they point to.
    pub(crate) loaded: BTreeMap<TermId, PointerUse>,
}

impl Pointers {
    /// The sites in a body where they are read, each with what may be assumed there.
    pub(crate) fn sites(&self, terms: &mut Terms, program: &Program, body: &Body) -> Vec<Site> {
        let mut found = Vec::new();
        for block in body.block_ids() {
            self.sites_in(terms, program, &body[block], block, &mut found);
        }
        found
    }

    fn sites_in(
        &self,
        terms: &mut Terms,
        program: &Program,
        block: &Block,
        number: BlockId,
        found: &mut Vec<Site>,
    ) {
        let mut add = |terms: &mut Terms, at, pointer: Pointer, span| {
            let valid = pointer.is_valid(terms, self.objects);
            let words = format!("the pointer that is read here {}", pointer.leads());
            let mut add = |kind, predicate, words: String| {
                let (copies, rounds, words) = (Vec::new(), None, Some(words.into()));
                found.push(Site { kind, block: number, before: at, predicate, words, copies, rounds, span });
            };
            add(AssumptionKind::ValidPointers, valid, words);
            if let Some(ends) = pointer.ends(terms, self.objects) {
                let words = format!("the pointer that is read here {}", pointer.leads_to_text());
                add(AssumptionKind::TerminatedStrings, ends, words);
            }
        };
        // Those of which it was assumed before, in this block, and that are the same still.
        let mut known: BTreeSet<TermId> = BTreeSet::new();
        for (i, statement) in block.statements.iter().enumerate() {
            if let StatementKind::Assign(pairs) = &statement.kind {
                for pointer in self.assigned(terms, pairs) {
                    add(terms, i + 1, pointer, statement.span);
                }
            }
            let is_check = matches!(statement.kind, StatementKind::Assert { .. });
            for pointer in self.checked(terms, &statement.kind.terms(), is_check) {
                if known.insert(pointer.object) {
                    add(terms, i, pointer, statement.span);
                }
            }
            let changed = program.changed_by(&statement.kind);
            known.retain(|t| !terms.free_symbols(&[*t]).iter().any(|s| changed.contains(s)));
        }
        if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
            for pointer in self.checked(terms, &[condition], false) {
                if known.insert(pointer.object) {
                    add(terms, block.statements.len(), pointer, block.terminator.span);
                }
            }
        }
    }

    /// The variables that become such pointers.
    fn assigned(&self, terms: &mut Terms, pairs: &[(SymbolId, TermId)]) -> Vec<Pointer> {
        let mut found = Vec::new();
        for (object, value) in pairs {
            let Some(loaded) = self.loaded.get(value) else { continue };
            let offset = pairs.iter().find(|p| p.1 == loaded.offset && p.0 != *object);
            if let Some((offset, _)) = offset {
                let (object, offset) = (terms.var(*object), terms.var(*offset));
                found.push(Pointer { object, taken: PointerUse { offset, ..*loaded } });
            }
        }
        found
    }

    /// The pointers that are checked in terms: by a check that mentions them, or by a read of the lifetime or size of
    /// their objects.
    fn checked(&self, terms: &Terms, read: &[TermId], is_check: bool) -> Vec<Pointer> {
        let mut found: BTreeSet<TermId> = BTreeSet::new();
        for t in terms.post_order(read) {
            if is_check && self.loaded.contains_key(&t) {
                found.insert(t);
            }
            if let (Op::Select, &[map, object]) = (&terms.term(t).op, terms.term(t).args.as_slice())
                && self.loaded.contains_key(&object)
                && [self.objects.size, self.objects.alive].iter().any(|s| terms.term(map).op == Op::Var(*s))
            {
                found.insert(object);
            }
        }
        found.into_iter().map(|object| Pointer { object, taken: self.loaded[&object] }).collect()
    }
}

/// A pointer, and how it is used.
pub(crate) struct Pointer {
    /// The object that it points to.
    pub(crate) object: TermId,
    /// How it is used.
    pub(crate) taken: PointerUse,
}

impl Pointer {
    /// The condition that it points into a living object with enough bytes from there on, or is null if it is
    /// compared with null.
    pub(crate) fn is_valid(&self, terms: &mut Terms, objects: Objects) -> TermId {
        let Pointer { object, taken: PointerUse { offset, bytes, .. } } = *self;
        let needed = self.number(terms, bytes);
        let size = self.size(terms, objects);
        let last = terms.app(Op::BvSub, [size, needed]);
        let fits = terms.app(Op::BvUle, [offset, last]);
        let parts = objects.has(terms, object, needed);
        let is_null = terms.app(Op::Not, [parts[0]]);
        let valid = terms.app(Op::And, parts.into_iter().chain([fits]));
        if !self.taken.nullable {
            return valid;
        }
        let start = self.number(terms, 0);
        let at_start = terms.app(Op::Eq, [offset, start]);
        let is_null = terms.app(Op::And, [is_null, at_start]);
        terms.app(Op::Or, [is_null, valid])
    }

    /// The condition that its object ends with a zero byte, if it is used as a string; null is permitted if it is
    /// compared with null.
    pub(crate) fn ends(&self, terms: &mut Terms, objects: Objects) -> Option<TermId> {
        let map = terms.var(self.taken.text?);
        let (size, one) = (self.size(terms, objects), self.number(terms, 1));
        let last = terms.app(Op::BvSub, [size, one]);
        let byte = terms.app(Op::Select, [map, self.object, last]);
        let zero = terms.bit_vec(8, 0);
        let ends = terms.app(Op::Eq, [byte, zero]);
        if !self.taken.nullable {
            return Some(ends);
        }
        let is_null = objects.is_null(terms, self.object);
        Some(terms.app(Op::Or, [is_null, ends]))
    }

    /// The condition that its object has `bytes` bytes from there on.
    pub(crate) fn holds(&self, terms: &mut Terms, objects: Objects, bytes: TermId) -> TermId {
        let (offset, size) = (self.taken.offset, self.size(terms, objects));
        let left = terms.app(Op::BvSub, [size, offset]);
        let within = terms.app(Op::BvUle, [offset, size]);
        let fits = terms.app(Op::BvUle, [bytes, left]);
        terms.app(Op::And, [within, fits])
    }

    /// An offset.
    fn number(&self, terms: &mut Terms, n: u64) -> TermId {
        let wide = terms.sort(self.taken.offset);
        terms.bit_vec(terms.width(wide).unwrap_or(1), n)
    }

    /// The size of its object in bytes.
    fn size(&self, terms: &mut Terms, objects: Objects) -> TermId {
        let size = terms.var(objects.size);
        terms.app(Op::Select, [size, self.object])
    }

    /// The validity assumption as text.
    pub(crate) fn leads(&self) -> String {
        let PointerUse { bytes, .. } = self.taken;
        let plural = if bytes == 1 { "" } else { "s" };
        format!(
            "{}points into a live object, with at least {bytes} byte{plural} from there on",
            self.unless_null()
        )
    }

    /// The assumption of a terminated string as text.
    pub(crate) fn leads_to_text(&self) -> String {
        format!("{}points into an object whose last byte is zero", self.unless_null())
    }

    fn unless_null(&self) -> &'static str {
        if self.taken.nullable { "is null or " } else { "" }
    }
}
