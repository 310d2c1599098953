//! Aliasing of inputs: harness pointers that point into objects which other pointers point into as well.
//!
//! **Idea.** `while (p < end)` is only meaningful if both pointers point into one object; with an object for each of
//! them the loop could not be tested. So where the program compares or subtracts addresses
//! ([`Regions::is_compared`]), a pointer may also point to any element of the object of an earlier pointer, if its
//! elements have the same size, or, where the program steps from one element to the next, just past the last one. A
//! parameter whose object later ones, or pointers in memory, may share points to any element of it.
//!
//! Example: the harness of `int sum(int *p, int *end)` lets `end` point into the array of `p`, to `p + 2` say. That of
//! `int length(unsigned char **p, const unsigned char *end)`, where what `end` points to is made first, lets `end` point just past the
//! last element of its object and `*p` to any element of the same object.
//!
//! Where the program does not compare addresses, but changes what they point to, it still matters whether two
//! pointers alias (`*a = 1; *b = 2; if (*a == 2)`). Few functions are meant to be called with aliasing pointers, and
//! inputs where pointers may alias have many more paths. They are therefore only tried when the other inputs leave
//! something unreached, in the procedure that has longer arrays as well ([`Harness::longer`]), and never for
//! `restrict` parameters.
//!
//! **Direction of error.** Aliasing of elements of different sizes, and of the middle of elements, is left out: code
//! that needs it is not reached from a harness.
//!
//! [`Harness::longer`]: super::Harness::longer
//! [`Regions::is_compared`]: super::super::facts::points_to::Regions::is_compared

use footpath_term::{Op, TermId};

use crate::llvm::ast::LocalId;

use super::super::facts::link::FnRef;
use super::super::facts::points_to::Region;
use super::super::lower::context::Pointer;
use super::super::source::c_types::{CType, CTypeId};
use super::{Builder, InputSharing, LinkInto};

/// How many earlier objects a pointer may lead into.
const PARTNERS: usize = 3;
/// The largest number of pointers in memory that may share objects. Each of them makes all queries about lengths
/// larger; the nearest are chosen.
const MOST_LINKS: usize = 4;

/// Which inputs may have aliasing pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sharing {
    /// All inputs.
    Always,
    /// Only the inputs of the procedure that is tried last.
    Last,
}

impl Builder<'_, '_, '_> {
    /// Whether it matters that two pointers lead to the same there.
    pub(super) fn matters(&self, region: Region) -> bool {
        self.cx.regions.is_compared(region) || self.cx.regions.is_changed(region)
    }

    /// Where pointers into a region may share objects.
    fn place(&self, region: Option<Region>) -> Option<Sharing> {
        let region = region.filter(|_| self.cx.options.harness.sharing)?;
        match (self.cx.regions.is_compared(region), self.cx.regions.is_changed(region)) {
            (true, _) => Some(Sharing::Always),
            (false, true) => Some(Sharing::Last),
            (false, false) => None,
        }
    }

    /// Earlier objects that a pointer with object `own` may lead into.
    fn partners(&self, own: usize) -> Vec<usize> {
        let Some(region) = self.regions[own].filter(|&r| self.place(Some(r)).is_some()) else {
            return Vec::new();
        };
        // The caller of a function with such parameters promises that nothing else points to their objects.
        let is_alone = |i| self.place(Some(region)) == Some(Sharing::Last) && self.restricted.contains(&i);
        if is_alone(own) {
            return Vec::new();
        }
        let element = self.objects[own].element;
        let is_there = |i: usize| self.regions[i] == Some(region) && !is_alone(i);
        let fits = |&i: &usize| is_there(i) && self.is_alike(self.objects[i].element, element);
        (0..own).rev().filter(fits).take(PARTNERS).collect()
    }

    fn is_alike(&self, a: CTypeId, b: CTypeId) -> bool {
        let bytes = u64::from(self.cx.shape.bits / 8);
        let same = self.types.bare(a) == self.types.bare(b);
        let plain = |ty| !self.contains_pointer(ty, 0);
        same || self.types.size(a, bytes) == self.types.size(b, bytes) && plain(a) && plain(b)
    }

    /// Whether a later parameter than number `index` leads into a region, or a pointer in memory that some parameter leads to.
    pub(super) fn leads_on(&self, f: FnRef, index: usize, region: Region) -> bool {
        let regions = &self.cx.regions;
        let of = |i: usize| regions.local(f, LocalId(i as u32));
        let leads_there = |i: usize| match of(i) {
            Some(other) => i > index && other == region || regions.content(other) == Some(region),
            None => false,
        };
        (0..self.cx.linked.function(f).params.len()).any(leads_there)
    }

    /// The possible targets of a parameter that has an object of its own: that object, or an earlier one. `later`
    /// says whether another pointer may lead there later, too.
    pub(super) fn parameter_into(
        &mut self,
        (f, index): (FnRef, usize),
        name: &str,
        own: usize,
        later: bool,
    ) -> (Pointer, Option<InputSharing>) {
        let start = self.cx.pointer(self.objects[own].number, 0);
        let partners = self.partners(own);
        let place = self.place(self.regions[own]);
        let compared = place == Some(Sharing::Always);
        let joined = later && compared;
        if partners.is_empty() && !joined {
            return (start, None);
        }
        let choice = self.cx.terms.bit_vec_sort(8);
        let into = self.param(&format!("{name}.into"), choice);
        let (at, element) = self.element(name);
        let zero = self.cx.offset(0);
        let objects: Vec<usize> = std::iter::once(own).chain(partners).collect();
        let chosen = self.cx.terms.var(into);
        let (mut object, mut allowed) = (start.object, self.cx.terms.bool(false));
        for (k, &candidate) in objects.iter().enumerate() {
            let k = self.cx.bv(8, k as i64);
            let is_this = self.cx.app(Op::Eq, &[chosen, k]);
            let number = self.cx.object(self.objects[candidate].number);
            object = self.cx.app(Op::Ite, &[is_this, number, object]);
            let within = match candidate == own && !joined {
                true => self.cx.app(Op::Eq, &[element, zero]),
                false => self.within(element, candidate),
            };
            let both = self.cx.app(Op::And, &[is_this, within]);
            allowed = self.cx.app(Op::Or, &[allowed, both]);
        }
        self.assumptions.push(allowed);
        match place {
            Some(Sharing::Last) => {
                let own = self.cx.bv(8, 0);
                let apart = self.cx.app(Op::Eq, &[chosen, own]);
                self.apart.push(apart);
            }
            _ => self.may_alias = true,
        }
        let offset = self.bytes(element, own);
        let local = |index: usize| LocalId(index as u32);
        let meets = |&(object, other): &(usize, usize)| {
            let may_meet = self.cx.regions.may_meet(f, local(index), local(other));
            (object != own && objects.contains(&object) && may_meet).then_some(object)
        };
        let met = self.of_params.iter().filter_map(meets).collect();
        (Pointer { object, offset }, Some(InputSharing { into, at, objects, joined, compared, met }))
    }

    /// What a pointer in memory, `packed`, may be: `valid`, or an address in an earlier object. It is the last one of
    /// [`Builder::links`].
    pub(super) fn link_into(&mut self, name: &str, own: usize, packed: TermId, valid: TermId) -> TermId {
        let (partners, place) = (self.partners(own), self.place(self.regions[own]));
        let is_record = matches!(self.types.resolved(self.objects[own].element), CType::Record { .. });
        let all = match place {
            Some(Sharing::Always) => self.shared_links == MOST_LINKS,
            // To structures links lead back anyway.
            _ => self.apart_links == MOST_LINKS || is_record,
        };
        if partners.is_empty() || all {
            return valid;
        }
        if place == Some(Sharing::Always) {
            self.shared_links += 1;
            self.may_alias = true;
        } else {
            self.apart_links += 1;
            self.apart.push(valid);
        }
        let (at, element) = self.element(name);
        let offset = self.bytes(element, own);
        if let Some(link) = self.links.last_mut() {
            let bytes = u64::from(self.cx.shape.bits / 8);
            let element = self.types.size(self.objects[own].element, bytes).max(1);
            let objects = partners.iter().map(|&partner| self.objects[partner].number).collect();
            let compared = place == Some(Sharing::Always);
            link.into = Some(LinkInto { at, element, objects, compared });
        }
        let mut valid = valid;
        for partner in partners {
            let object = self.cx.object(self.objects[partner].number);
            let address = self.cx.pack(Pointer { object, offset });
            let is_this = self.cx.app(Op::Eq, &[packed, address]);
            let within = self.within(element, partner);
            let both = self.cx.app(Op::And, &[is_this, within]);
            valid = self.cx.app(Op::Or, &[valid, both]);
        }
        valid
    }

    /// A parameter of the procedure that says to which element a pointer leads.
    fn element(&mut self, name: &str) -> (footpath_term::SymbolId, TermId) {
        let sort = self.cx.terms.bit_vec_sort(self.cx.shape.offset);
        let at = self.param(&format!("{name}.at"), sort);
        (at, self.cx.terms.var(at))
    }

    /// The offset of an element of an object, or of one that is as large.
    fn bytes(&mut self, element: TermId, object: usize) -> TermId {
        let size = self.types.size(self.objects[object].element, u64::from(self.cx.shape.bits / 8)).max(1);
        let size = self.cx.offset(size as i64);
        self.cx.app(Op::BvMul, &[element, size])
    }

    /// Whether an object has an element of that number, or ends there if that is of interest.
    fn within(&mut self, element: TermId, object: usize) -> TermId {
        let count = match self.objects[object].count {
            Some(count) => self.cx.terms.var(count),
            None => self.cx.offset(1),
        };
        let may_end = |r: Region| self.cx.regions.is_compared(r) && self.cx.regions.is_stepped(r);
        let less = if self.regions[object].is_some_and(may_end) { Op::BvUle } else { Op::BvUlt };
        self.cx.app(less, &[element, count])
    }
}
