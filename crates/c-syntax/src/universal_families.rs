//! Families of disjuncts that grow, as one condition on every element: `for every i < length(s): s[i] != 0`.
//!
//! **Idea.** A loop that looks for an element, as `strlen` does, runs beyond the array if no element is what it looks for. For arrays
//! of up to n elements this is found as n disjuncts, one for each length: all elements before that length are something else, and the
//! length is no greater. Two literals of one disjunct are generalised to the element E(i) (anti-unification, as in `families.rs`); two
//! disjuncts that differ by one element only to the end Z(i). Then `E(0) && Z(1)`, `E(0) && E(1) && Z(2)`, … together are
//! `E(i)` for every i with `!Z(i)`.
//!
//! Example: `s[0] != 0 && length(s) <= 1 || s[0] != 0 && s[1] != 0 && length(s) <= 2 || …`, of arrays with up to eight elements, is
//! `for every i < length(s): s[i] != 0`.
//!
//! **Paper.** "Inductive Generalization" (Plotkin, Machine Intelligence 5, 1970).
//!
//! **Direction of error.** None: the solver proves that the members together are the condition for every index, where no other disjunct
//! holds, and that an index that is greater than those looked at is at the end.

use footpath_simplify::{Cube, Dnf};
use footpath_term::{Op, SymbolId, TermId, Terms};
use num_bigint::BigInt;

use crate::families::{
    BITS, FEWEST, Family, Generaliser, LAST, Quantifier, at_index, from_above, is_from_above, opposite,
};
use crate::wording::Wording;

/// How many disjuncts, the longest first, are looked at for elements.
const LONGEST: usize = 4;
/// The limit on literals of a disjunct that is looked at.
const MOST_LITERALS: usize = 200;

/// Disjuncts that together are: `rest`, and for every index that is not at the end the element.
struct Chain {
    members: Vec<usize>,
    rest: Cube,
    /// What may hold of an index at the end of an array.
    ends: Vec<TermId>,
    element: Cube,
    /// The first index at which no member has an element.
    beyond: u64,
}

/// A disjunct, seen as a number of elements and what is left.
struct Link {
    at: usize,
    elements: u64,
    others: Cube,
}

impl Wording<'_, '_> {
    /// The families of this kind among the disjuncts at some positions; their members are taken away from these. Each family is meant
    /// where the disjuncts that are left, and the families before it, do not hold.
    pub(crate) fn universal_families(
        &self,
        terms: &mut Terms,
        condition: &Dnf,
        left: &mut Vec<usize>,
        (index, name): (SymbolId, &str),
    ) -> Vec<Family> {
        let mut families = Vec::new();
        while let Some(chain) = self.chain(terms, condition, left, index) {
            let others = others(terms, condition, &chain.members);
            let Some(family) = self.worded(terms, &chain, &others, (index, name)) else { break };
            left.retain(|i| !chain.members.contains(i));
            families.push(family);
        }
        families
    }

    fn chain(&self, terms: &mut Terms, condition: &Dnf, left: &[usize], index: SymbolId) -> Option<Chain> {
        let mut longest = left.to_vec();
        longest.sort_by_key(|&i| std::cmp::Reverse(condition.cubes[i].len()));
        longest.into_iter().take(LONGEST).find_map(|i| {
            let element = element(terms, &condition.cubes[i], index)?;
            let mut links: Vec<Link> =
                left.iter().map(|&at| link(terms, (at, &condition.cubes[at]), &element, index)).collect();
            self.without_known(terms, &mut links);
            ends(terms, &links, index).into_iter().find_map(|(rest, ends)| {
                let chain = chain(terms, &links, (rest, ends), &element)?;
                self.is_proved(terms, condition, &chain, index).then_some(chain)
            })
        })
    }

    /// Takes away what holds of all inputs, such as that an array has an element.
    fn without_known(&self, terms: &mut Terms, links: &mut [Link]) {
        let mut simplifier = self.simplifier.borrow_mut();
        simplifier.begin();
        for link in links {
            link.others.retain(|&l| !simplifier.implies(terms, &self.premise, l));
        }
    }

    /// Whether the members of a chain are what it says, where the other disjuncts do not hold.
    fn is_proved(&self, terms: &mut Terms, condition: &Dnf, chain: &Chain, index: SymbolId) -> bool {
        let mut all = chain.rest.clone();
        for k in 0..chain.beyond {
            let element = at_index(terms, &chain.element, index, k);
            let element = terms.app(Op::And, element);
            let ends = at_index(terms, &chain.ends, index, k);
            all.push(terms.app(Op::Or, ends.into_iter().chain([element])));
        }
        let every = terms.app(Op::And, all);
        let others = others(terms, condition, &chain.members);
        let members = Dnf { cubes: chain.members.iter().map(|&i| condition.cubes[i].clone()).collect() };
        let members = members.term(terms);
        let mut simplifier = self.simplifier.borrow_mut();
        simplifier.begin();
        [(members, every), (every, members)].into_iter().all(|(from, to)| {
            let known = [&self.premise[..], &others, &[from]].concat();
            simplifier.implies(terms, &known, to)
        })
    }

    /// The text of what limits an index.
    fn limit(&self, terms: &mut Terms, limit: TermId, given: &[TermId], name: &str) -> Option<String> {
        let text = from_above(&self.short(terms, &vec![limit], given, name)?, name);
        let shorter = strict(&text).filter(|shorter| self.is_meant(terms, shorter, limit, given));
        Some(shorter.unwrap_or(text))
    }

    fn worded(
        &self,
        terms: &mut Terms,
        chain: &Chain,
        others: &[TermId],
        (index, name): (SymbolId, &str),
    ) -> Option<Family> {
        let i = terms.var(index);
        let width = terms.width(terms.sort(i))?;
        let [most, last] =
            [BigInt::from(1) << BITS, BigInt::from(chain.beyond - 1)].map(|n| terms.bit_vec(width, n));
        let small = terms.app(Op::BvUlt, [i, most]);
        let to = terms.app(Op::BvUle, [i, last]);
        let mut given = [others, &chain.rest, &[small]].concat();
        let mut range = Vec::new();
        for &end in &chain.ends {
            let inside = terms.app(Op::Not, [end]);
            range.push(self.limit(terms, inside, &given, name)?);
            given.push(inside);
        }
        let known = [&self.premise[..], &given].concat();
        self.simplifier.borrow_mut().begin();
        let has_end = range.iter().all(|text| is_from_above(text, name))
            && self.simplifier.borrow_mut().implies(terms, &known, to);
        range.splice(0..0, (!has_end).then(|| format!("{name} <= {}", chain.beyond - 1)));
        given.push(to);
        let body = self.short(terms, &chain.element, &given, name)?;
        let opposite = self.opposite_text(terms, &chain.element, &body, &given, name)?;
        let rest = Dnf { cubes: vec![chain.rest.clone()] };
        let said = |terms: &mut Terms, negated| self.say_given(terms, &rest, negated, &[]);
        let rest = match chain.rest.is_empty() {
            true => None,
            false => Some([said(terms, false)?, said(terms, true)?]),
        };
        Some(Family {
            members: chain.members.clone(),
            quantifier: Quantifier::Every { rest },
            range,
            body,
            opposite,
            index: name.to_owned(),
            last: chain.beyond - 1,
        })
    }
}

/// `i + 1 <= n` and `i <= n - 1` as `i < n`.
fn strict(text: &str) -> Option<String> {
    let (index, limit) = text.split_once(" <= ")?;
    if let Some(index) = index.strip_suffix(" + 1") {
        return Some(format!("{index} < {limit}"));
    }
    let limit = limit
        .strip_suffix(" - 1)")
        .and_then(|l| l.strip_prefix('('))
        .or_else(|| limit.strip_suffix(" - 1"))?;
    Some(format!("{index} < {limit}"))
}

/// That none of the disjuncts beside the members of a family holds.
fn others(terms: &mut Terms, condition: &Dnf, members: &[usize]) -> Vec<TermId> {
    let left = (0..condition.cubes.len()).filter(|i| !members.contains(i));
    left.map(|i| opposite(terms, &condition.cubes[i])).collect()
}

/// What a disjunct says of each of its first elements: what two of its literals are instances of, for as many indices as
/// possible.
fn element(terms: &mut Terms, cube: &Cube, index: SymbolId) -> Option<Cube> {
    if cube.len() > MOST_LITERALS {
        return None;
    }
    let mut best: (u64, Cube) = (FEWEST as u64 - 1, Vec::new());
    for (at, &a) in cube.iter().enumerate() {
        for &b in &cube[at + 1..] {
            for zero in [0, 1] {
                let Some(general) = (Generaliser { terms, index, zero }).pair(a, b) else { continue };
                let reads = terms.post_order(&[general]).iter().any(|&t| terms.term(t).op == Op::Select);
                let count = if reads { elements(terms, cube, &vec![general], index) } else { 0 };
                if count > best.0 {
                    best = (count, vec![general]);
                } else if count == best.0 && !best.1.is_empty() && !best.1.contains(&general) {
                    best.1.push(general);
                }
            }
        }
    }
    (!best.1.is_empty()).then_some(best.1)
}

/// For how many indices, from 0, a disjunct has an element.
fn elements(terms: &mut Terms, cube: &Cube, element: &Cube, index: SymbolId) -> u64 {
    let has = |k: &u64| at_index(terms, element, index, *k).iter().all(|l| cube.contains(l));
    (0..=LAST).take_while(has).count() as u64
}

fn link(terms: &mut Terms, (at, cube): (usize, &Cube), element: &Cube, index: SymbolId) -> Link {
    let count = elements(terms, cube, element, index);
    let own: Cube = (0..count).flat_map(|k| at_index(terms, element, index, k)).collect();
    Link { at, elements: count, others: cube.iter().copied().filter(|l| !own.contains(l)).collect() }
}

/// What the ends of arrays may be: what differs between a disjunct and one with one element more, beside what is the same in both.
/// Several arrays that end are first tried together.
fn ends(terms: &mut Terms, links: &[Link], index: SymbolId) -> Vec<(Cube, Vec<TermId>)> {
    let mut found: Vec<(Cube, Vec<TermId>)> = Vec::new();
    for a in links.iter().filter(|a| a.elements > 0) {
        for b in links.iter().filter(|b| b.elements == a.elements + 1 && b.others.len() == a.others.len()) {
            let rest: Cube = a.others.iter().copied().filter(|l| b.others.contains(l)).collect();
            let only = |link: &Link| -> Option<TermId> {
                let mut own = link.others.iter().copied().filter(|l| !rest.contains(l));
                own.next().filter(|_| own.next().is_none())
            };
            let (Some(x), Some(y), Ok(zero)) = (only(a), only(b), i64::try_from(a.elements)) else {
                continue;
            };
            let Some(end) = (Generaliser { terms, index, zero }).pair(x, y) else { continue };
            match found.iter_mut().find(|(of, _)| *of == rest) {
                Some((_, ends)) if ends.contains(&end) => {}
                Some((_, ends)) => ends.push(end),
                None => found.push((rest, vec![end])),
            }
        }
    }
    let several = |(rest, ends): &(Cube, Vec<TermId>)| {
        let alone = ends.iter().map(|&end| (rest.clone(), vec![end]));
        let together = (ends.len() > 1).then(|| (rest.clone(), ends.clone()));
        together.into_iter().chain(alone).collect::<Vec<_>>()
    };
    found.iter().flat_map(several).collect()
}

/// The disjuncts that have some elements and what is the same in all; what else they have is about what the end is about.
fn chain(terms: &Terms, links: &[Link], (rest, ends): (Cube, Vec<TermId>), element: &Cube) -> Option<Chain> {
    let about: Vec<_> = ends.iter().map(|&end| terms.free_symbols(&[end])).collect();
    let is_end = |l: TermId| {
        let of = terms.free_symbols(&[l]);
        about.iter().any(|about| of.iter().all(|s| about.contains(s)))
    };
    let is_member = |link: &&Link| {
        let own = link.others.iter().filter(|l| !rest.contains(l));
        link.elements > 0
            && rest.iter().all(|l| link.others.contains(l))
            && own.clone().count() <= 1
            && own.copied().all(is_end)
    };
    let members: Vec<&Link> = links.iter().filter(is_member).collect();
    let beyond = members.iter().map(|link| link.elements).max()?;
    let members: Vec<usize> = members.into_iter().map(|link| link.at).collect();
    (members.len() >= FEWEST).then(|| Chain { members, rest, ends, element: element.clone(), beyond })
}
