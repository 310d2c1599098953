//! What may be taken for granted of pointers that are read from memory.
//!
//! **Idea.** A function alone does not say where the pointers lead that it finds in structures and arrays. As for its
//! parameters, it may be assumed that they lead to what they are taken for ([`Loaded`]). The assumption is made where such a
//! pointer is read: as the front end has it, that is where a variable gets its value or, if it is followed at once, at the first
//! check of it, and anew where it may have become another since.
//!
//! **Where it may be wrong.** Nowhere: it is an assumption at its place.

use std::collections::{BTreeMap, BTreeSet};

use footpath_frontend::c::Loaded;
use footpath_ir::{Block, BlockId, Body, Program, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId, Terms};

use crate::assumption::{AssumptionKind, Site};
use crate::frames::Objects;

/// The pointers that a function reads from memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointers {
    /// The globals that say what objects there are.
    pub(crate) objects: Objects,
    /// By the objects that they lead to.
    pub(crate) loaded: BTreeMap<TermId, Loaded>,
}

impl Pointers {
    /// Where they are read in a body, each with what may be assumed of it there.
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
            let predicate = pointer.is_valid(terms, self.objects);
            let words = Some(pointer.words().into());
            let (copies, rounds) = (Vec::new(), None);
            let kind = AssumptionKind::ValidPointers;
            found.push(Site { kind, block: number, before: at, predicate, words, copies, rounds, span });
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
                found.push(Pointer { object, loaded: Loaded { offset, ..*loaded } });
            }
        }
        found
    }

    /// The pointers that are checked in terms: by a check that mentions them, or whether their objects live or what size
    /// these have.
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
        found.into_iter().map(|object| Pointer { object, loaded: self.loaded[&object] }).collect()
    }
}

/// A pointer, and what it is taken for.
struct Pointer {
    object: TermId,
    loaded: Loaded,
}

impl Pointer {
    /// That it leads into a living object with so many bytes from there on, or is null where it may be.
    fn is_valid(&self, terms: &mut Terms, objects: Objects) -> TermId {
        let Pointer { object, loaded: Loaded { offset, bytes, nullable } } = *self;
        let wide = terms.sort(offset);
        let wide = terms.width(wide).unwrap_or(1);
        let needed = terms.bit_vec(wide, bytes);
        let size = terms.var(objects.size);
        let size = terms.app(Op::Select, [size, object]);
        let last = terms.app(Op::BvSub, [size, needed]);
        let fits = terms.app(Op::BvUle, [offset, last]);
        let parts = objects.has(terms, object, needed);
        let is_null = terms.app(Op::Not, [parts[0]]);
        let valid = terms.app(Op::And, parts.into_iter().chain([fits]));
        if !nullable {
            return valid;
        }
        let start = terms.bit_vec(wide, 0);
        let at_start = terms.app(Op::Eq, [offset, start]);
        let is_null = terms.app(Op::And, [is_null, at_start]);
        terms.app(Op::Or, [is_null, valid])
    }

    fn words(&self) -> String {
        let Loaded { bytes, nullable, .. } = self.loaded;
        let (null, plural) = (if nullable { "is null or " } else { "" }, if bytes == 1 { "" } else { "s" });
        format!(
            "the pointer that is read here {null}leads into a living object, with {bytes} byte{plural} from there on"
        )
    }
}
