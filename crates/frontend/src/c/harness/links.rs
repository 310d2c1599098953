//! Links: where pointers in a harness's objects may lead at the function's entry.
//!
//! **Idea.** A pointer in memory is null, leads to an object of its own, or back to an earlier structure of its type. Objects are made
//! as deep as [`HarnessOptions::depth`] says. Lists that go on are longer than that in most programs, so where nothing else is found
//! ([`Harness::longer`]), the first link of a structure to its own type leads on, until a list has as many nodes as an array has
//! elements.
//!
//! Where the program lets pointers lead back into structures, one may lead to an array beside it: `items == fixed` of
//! `struct { int *items; int fixed[4]; }` is a buffer that small contents need not allocate.
//!
//! A pointer may also be a number that the program compares it with (`facts/sentinels.rs`).
//!
//! Example: with a depth of 3, `struct list { struct list *next; } *l` leads to at most 3 nodes, and in the longer procedure to 8.
//! `struct tree { struct tree *left, *right; }` has 3 levels, and its leftmost branch 8.
//!
//! Where nothing in the program compares or changes what a link leads to, those that lead back are tried last
//! ([`Harness::longest`]): nobody sees that such a list is one but by its length, and runs along it are endless as a rule.
//!
//! **Direction of error.** Longer lists, and wide trees deeper than that, are left out: what needs them is not reached.
//!
//! [`HarnessOptions::depth`]: super::HarnessOptions::depth
//! [`Harness::longer`]: super::Harness::longer
//! [`Harness::longest`]: super::Harness::longest

use footpath_term::{Op, TermId, Value};
use num_traits::ToPrimitive;

use super::super::facts::points_to::Region;
use super::super::lower::context::Pointer;
use super::super::source::c_types::{CType, CTypeId};
use super::{Builder, InputLink, Piece};

impl Builder<'_, '_, '_> {
    /// The condition that a pointer in memory is null or a sentinel value, points to the start of one of some objects, or to another
    /// given place. A pointer in a variable may also lead where it does in the beginning.
    pub(super) fn leads_to(
        &mut self,
        piece: &Piece,
        mut numbers: Vec<u32>,
        place: Option<Pointer>,
    ) -> TermId {
        if let Some(first) = self.initial_target(piece.at).filter(|first| !numbers.contains(first)) {
            numbers.push(first);
        }
        let targets = numbers.iter().map(|&number| (number, 0)).chain(place.and_then(|at| self.place_of(at)));
        let targets = targets.collect();
        let sentinels = piece.place.as_ref().map(|spot| self.hidden.sentinels(spot, Some(&self.running)));
        let sentinels = sentinels.unwrap_or_default();
        if let Some((object, offset)) = self.place_of(piece.at) {
            let sentinels = sentinels.clone();
            self.links.push(InputLink { object, offset, targets, sentinels, into: None, or_number: false });
        }
        let asked =
            (piece.memory.symbol, piece.at, place, numbers.as_slice().into(), sentinels.as_slice().into());
        if let Some(&known) = self.cx.shared.leads_to.get(&asked) {
            return known;
        }
        let packed = self.packed(piece);
        let null = self.cx.bv(self.cx.shape.bits, 0);
        let mut choices = vec![self.cx.app(Op::Eq, &[packed, null])];
        // All addresses are made before one is compared, so that terms have the same order whatever is known.
        let starts: Vec<Pointer> = numbers.iter().map(|&number| self.cx.pointer(number, 0)).collect();
        for (&number, start) in numbers.iter().zip(starts) {
            choices.push(self.is_start_of(packed, number, start));
        }
        if let Some(target) = place {
            let target = self.cx.pack(target);
            choices.push(self.cx.app(Op::Eq, &[packed, target]));
        }
        for sentinel in sentinels {
            let number = self.cx.bv(self.cx.shape.bits, sentinel as i64);
            choices.push(self.cx.app(Op::Eq, &[packed, number]));
        }
        let one_of = self.cx.app(Op::Or, &choices);
        self.cx.shared.leads_to.insert(asked, one_of);
        one_of
    }

    /// The condition that a pointer leads to the start of an object of a number.
    fn is_start_of(&mut self, packed: TermId, number: u32, start: Pointer) -> TermId {
        if let Some(&known) = self.cx.shared.is_start_of.get(&(packed, number)) {
            return known;
        }
        let start = self.cx.pack(start);
        let condition = self.cx.app(Op::Eq, &[packed, start]);
        self.cx.shared.is_start_of.insert((packed, number), condition);
        condition
    }

    /// The number of the object and the offset of a pointer that is known.
    pub(super) fn place_of(&self, at: Pointer) -> Option<(u32, u64)> {
        let number = |term| match self.cx.terms.literal(term) {
            Some(Value::BitVec { bits, .. }) => bits.to_u64(),
            _ => None,
        };
        Some((u32::try_from(number(at.object)?).ok()?, number(at.offset)?))
    }

    /// The pointer in a piece of memory, as it is there.
    pub(super) fn packed(&mut self, piece: &Piece) -> TermId {
        let place = (piece.memory.symbol, piece.at);
        if let Some(&known) = self.cx.shared.packed.get(&place) {
            return known;
        }
        let map = self.cx.terms.var(piece.memory.symbol);
        let bytes = u64::from(self.cx.shape.bits / 8);
        let packed = self.cx.read_bytes(map, piece.memory.grain, piece.at, bytes);
        self.cx.shared.packed.insert(place, packed);
        packed
    }

    /// Assumes of a pointer that it is null or a sentinel value, points to an object of its own, or leads back.
    pub(super) fn link(&mut self, piece: &Piece, to: CTypeId) {
        let to = self.used_as(to, piece.place.as_ref());
        let content = self.cx.regions.content(piece.region);
        let mut known = self.earlier(to, content);
        // Conditions of failure, for which pointers never share objects, are about all rings.
        let is_seen = !self.cx.options.harness.sharing || content.is_none_or(|region| self.matters(region));
        let back = if is_seen { Vec::new() } else { known.clone() };
        let object = self.object(&piece.name, to, content, piece.depth);
        let further = if object.is_none() { self.further_node(piece, to, content) } else { None };
        known.extend(self.objects_of(piece, &[&[to], &piece.others[..]].concat(), 1));
        let numbers: Vec<u32> =
            known.into_iter().chain(object).chain(further).map(|index| self.objects[index].number).collect();
        let within = piece.within.map(|own| own.structure).filter(|place| {
            let is_start = |&number: &u32| self.cx.pointer(number, 0) == *place;
            content == Some(piece.region) && !numbers.iter().any(is_start)
        });
        let beside = piece.beside.filter(|_| content == Some(piece.region));
        let mut valid = self.leads_to(piece, numbers, within.or(beside));
        if let Some(own) = object {
            let packed = self.packed(piece);
            valid = self.link_into(&piece.name, own, packed, valid);
        }
        self.assumptions.push(valid);
        if let Some(node) = further {
            let ends = self.leads_elsewhere(piece, node);
            self.apart.push(ends);
        }
        for node in back {
            let goes_on = self.leads_elsewhere(piece, node);
            self.acyclic.push(goes_on);
        }
        if let (Some(own), Some(node)) = (piece.within, object.or(further)) {
            let is_branch = !own.is_first || self.is_branch(piece);
            self.branches.extend(is_branch.then(|| self.objects[node].number));
        }
    }

    /// The condition that a pointer does not lead to an object.
    fn leads_elsewhere(&mut self, piece: &Piece, object: usize) -> TermId {
        let number = self.objects[object].number;
        let (packed, start) = (self.packed(piece), self.cx.pointer(number, 0));
        let leads_there = self.is_start_of(packed, number, start);
        self.cx.app(Op::Not, &[leads_there])
    }

    /// Makes one more node of a list that is as deep as pointers are followed, up to as many nodes as arrays have elements. Only
    /// [`Harness::longer`] has such nodes. Of a structure with several links to its own type, such as a node of a tree, the first
    /// one goes on.
    fn further_node(&mut self, piece: &Piece, to: CTypeId, region: Option<Region>) -> Option<usize> {
        let options = &self.cx.options.harness;
        let (deepest, most) = (options.depth, options.array_length);
        let goes_on = piece.within.is_some_and(|own| own.is_first) && !self.is_branch(piece);
        if !goes_on || !(deepest..most).contains(&piece.depth) || deepest == 0 {
            return None;
        }
        let node = self.made_at(&piece.name, to, region, piece.depth, false);
        self.has_longer_lists |= node.is_some();
        node
    }

    /// Whether a piece of memory lies in a node that another than the first link of some structure leads to.
    fn is_branch(&self, piece: &Piece) -> bool {
        self.place_of(piece.at).is_none_or(|(number, _)| self.branches.contains(&number))
    }

    /// Makes objects of the types that a pointer may point to, except for the first `made` types, whose objects
    /// exist.
    pub(super) fn objects_of(&mut self, piece: &Piece, types: &[CTypeId], made: usize) -> Vec<usize> {
        let content = self.cx.regions.content(piece.region);
        let mut found = Vec::new();
        for (i, &ty) in types.iter().enumerate().skip(made) {
            let is_data = !matches!(self.types.resolved(ty), CType::Void | CType::Function { .. });
            if is_data && !types[..i].contains(&ty) {
                found.extend(self.object(&piece.name, ty, content, piece.depth));
            }
        }
        found
    }

    /// Assumes of a number that may be a pointer as another member of a union that it points to no object except
    /// those of its types.
    pub(super) fn number_or_link(&mut self, piece: &Piece, types: &[CTypeId]) {
        let objects = self.objects_of(piece, types, 0);
        if objects.is_empty() {
            return;
        }
        if let Some((object, offset)) = self.place_of(piece.at) {
            let targets = objects.iter().map(|&index| (self.objects[index].number, 0)).collect();
            let (sentinels, into) = (Vec::new(), None);
            self.links.push(InputLink { object, offset, targets, sentinels, into, or_number: true });
        }
        let packed = self.packed(piece);
        let at = self.cx.unpack(packed);
        let (none, width) = (self.cx.object(0), self.cx.shape.object);
        let beyond = self.cx.bv(width, 1 << (width - 1));
        let mut choices =
            vec![self.cx.app(Op::Eq, &[at.object, none]), self.cx.app(Op::BvUle, &[beyond, at.object])];
        for index in objects {
            let target = self.cx.pointer(self.objects[index].number, 0);
            let target = self.cx.pack(target);
            choices.push(self.cx.app(Op::Eq, &[packed, target]));
        }
        let one_of = self.cx.app(Op::Or, &choices);
        self.assumptions.push(one_of);
    }
}
