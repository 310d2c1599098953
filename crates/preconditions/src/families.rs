//! Families of disjuncts as quantifiers: `for some i: 0 <= i && i < n && a[i] != 0` in place of one disjunct for each i.
//!
//! **Idea.** A closed form of a loop's conditions may speak of the number j of a step (`closed_forms.rs`), and holds if
//! it does for one j. At the entry, j is quantified: each disjunct E(j) becomes one literal `∃ j. E(j)`. Those of the
//! other disjuncts that are E(j) for the values before the first one of j are joined to it, and j is counted such that
//! an index is j itself, as it is in the source.
//!
//! Example: of `0 < n && a[0] != 0` and `j >= 1 && j < n && a[j] != 0` the second one becomes `∃ i. 0 <= i && i < n &&
//! a[i] != 0`, which the first one, being its member for 0, is a part of.
//!
//! The simplifier takes such a literal as a whole, as a Boolean variable: what is equivalent whatever that variable is,
//! is so for this value of it, and no question to the solver has the quantifier in it.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, 2007) has no quantifiers.
//!
//! **Direction of error.** None: what is joined is proved to be a member, and each member to imply the condition that it is
//! joined to.

use footpath_simplify::{Bound, Cube, Dnf, Form, Relation};
use footpath_term::{Binder, BinderKind, Op, SortId, Substitution, SymbolId, TermId, Terms};
use num_bigint::BigInt;
use num_traits::One;
use rustc_hash::FxHashMap;

use crate::tools::Tools;

/// The names of variables that are quantified, the first ones that nothing else has.
const NAMES: [&str; 6] = ["i", "j", "k", "at", "index", "place"];
/// How many disjuncts are joined to a family at most.
const MOST_JOINED: usize = 64;

/// Whether there is a quantifier in a condition.
pub(crate) fn speaks(terms: &Terms, condition: &Dnf) -> bool {
    condition.cubes.iter().flatten().any(|&l| is_family(terms, l))
}

/// Whether a literal is a quantifier.
fn is_family(terms: &Terms, literal: TermId) -> bool {
    let binds = |t: TermId| matches!(&terms.term(t).op, Op::Bind(b) if b.kind == BinderKind::Exists);
    binds(literal) || terms.term(literal).op == Op::Not && binds(terms.term(literal).args[0])
}

/// The condition in which variables are quantified existentially.
pub(crate) fn quantified(tools: &mut Tools<'_>, condition: Dnf, variables: &[SymbolId]) -> Dnf {
    let mut condition = condition;
    for &v in variables {
        condition = without(tools, condition, v);
    }
    condition
}

fn without(tools: &mut Tools<'_>, condition: Dnf, v: SymbolId) -> Dnf {
    let terms = &tools.terms;
    let (members, mut plain): (Vec<Cube>, Vec<Cube>) =
        condition.cubes.into_iter().partition(|cube| mentions(terms, cube, v));
    let mut families = Vec::new();
    for member in members {
        let alone = Dnf { cubes: vec![member.clone()] };
        let some = tools.simplifier.eliminate(&mut tools.terms, &alone, &[v]);
        if some.exact {
            plain.extend(some.condition.cubes);
            continue;
        }
        let member = joined(tools, member, &mut plain, v);
        families.push(family(&mut tools.terms, &member, v));
    }
    plain.extend(families);
    Dnf { cubes: plain }
}

/// The member with a smaller least value of `v`, as far as the other disjuncts are the members before; these are taken
/// away.
fn joined(tools: &mut Tools<'_>, member: Cube, plain: &mut Vec<Cube>, v: SymbolId) -> Cube {
    let Tools { terms, simplifier, .. } = tools;
    let Some((at, mut bound)) = least(terms, &member, v) else { return member };
    let others = Dnf { cubes: plain.clone() }.term(terms);
    for _ in 0..MOST_JOINED {
        let value: BigInt = &bound.value - 1;
        let before = terms.int(value.clone());
        let map = Substitution::from_iter([(v, before)]);
        let rest = member.iter().enumerate().filter(|(i, _)| *i != at);
        let literals: Vec<TermId> = rest.map(|(_, &l)| terms.substitute(l, &map)).collect();
        let one = terms.app(Op::And, literals);
        let is_member = |terms: &mut Terms, simplifier: &mut footpath_simplify::Simplifier, cube: &Cube| {
            simplifier.begin();
            simplifier.implies(terms, cube, one)
        };
        let before: Vec<Cube> = plain.clone();
        let kept: Vec<Cube> =
            before.iter().filter(|cube| !is_member(terms, simplifier, cube)).cloned().collect();
        if kept.len() == before.len() || !simplifier.implies(terms, &[one], others) {
            break;
        }
        *plain = kept;
        bound.value = value;
    }
    let mut member = member;
    member[at] = bound.build(terms);
    member
}

/// The literal that limits `v` from below, by a constant, and where it stands.
fn least(terms: &Terms, cube: &Cube, v: SymbolId) -> Option<(usize, Bound)> {
    cube.iter().enumerate().find_map(|(i, &l)| {
        let bound = Bound::read(terms, l)?;
        let Form::Int(sum) = &bound.form else { return None };
        let alone = matches!(sum.as_slice(), [(t, c)] if terms.term(*t).op == Op::Var(v) && c.is_one());
        (alone && bound.relation == Relation::AtLeast).then(|| (i, bound.clone()))
    })
}

/// The conjunction for some value of `v`.
fn family(terms: &mut Terms, member: &Cube, v: SymbolId) -> Cube {
    let (about, mut rest): (Cube, Cube) = member.iter().partition(|&&l| mentions(terms, &[l], v));
    let used: Vec<String> =
        terms.free_symbols(member).iter().map(|&s| terms.symbol(s).name.to_string()).collect();
    let name = NAMES.into_iter().find(|n| !used.iter().any(|u| u == n)).unwrap_or("i");
    let sort = terms.symbol(v).sort;
    let bound = terms.fresh_symbol(name, sort);
    let mut value = terms.var(bound);
    if let Some(offset) = offset(terms, &about, v) {
        let offset = terms.int(offset);
        value = terms.app(Op::Sub, [value, offset]);
    }
    let map = Substitution::from_iter([(v, value)]);
    let literals: Vec<TermId> = about
        .iter()
        .map(|&l| {
            let l = terms.substitute(l, &map);
            Bound::read(terms, l).map_or(l, |bound| bound.build(terms))
        })
        .collect();
    let body = terms.app(Op::And, in_order(terms, literals, bound));
    rest.push(exists(terms, bound, body));
    rest
}

/// The limits of a variable before all else.
fn in_order(terms: &Terms, mut literals: Vec<TermId>, v: SymbolId) -> Vec<TermId> {
    let is_least = |l: TermId| least(terms, &vec![l], v).is_some();
    let is_comparison = |l: TermId| {
        let term = terms.term(l);
        let term = if term.op == Op::Not { terms.term(term.args[0]) } else { term };
        let is_v = |t: TermId| terms.term(t).op == Op::Var(v);
        matches!(term.op, Op::Le | Op::Lt) && term.args.iter().any(|&t| is_v(t))
    };
    literals.sort_by_key(|&l| if is_least(l) { 0 } else { 2 - u8::from(is_comparison(l)) });
    literals
}

/// What is added to `v` in the first index that is `v` and a constant.
fn offset(terms: &Terms, literals: &[TermId], v: SymbolId) -> Option<BigInt> {
    let indices = terms.post_order(literals).into_iter().filter(|&t| terms.term(t).op == Op::Select);
    indices.flat_map(|t| terms.term(t).args[1..].to_vec()).find_map(|index| {
        if terms.sort(index) != SortId::INT {
            return None;
        }
        let (sum, constant) = terms.linear_form(index);
        let alone = matches!(sum.as_slice(), [(t, c)] if terms.term(*t).op == Op::Var(v) && c.is_one());
        alone.then_some(constant)
    })
}

fn exists(terms: &mut Terms, v: SymbolId, body: TermId) -> TermId {
    let binder = Binder {
        kind: BinderKind::Exists,
        type_vars: Vec::new(),
        vars: vec![v],
        triggers: Vec::new(),
        nopats: 0,
        weight: None,
    };
    terms.bind(binder, body, &[], &[])
}

fn mentions(terms: &Terms, literals: &[TermId], v: SymbolId) -> bool {
    terms.free_symbols(literals).contains(&v)
}

/// Boolean variables in place of quantifiers.
#[derive(Default)]
pub(crate) struct Hidden {
    names: FxHashMap<TermId, SymbolId>,
}

impl Hidden {
    /// The condition with variables in place of its quantifiers.
    pub(crate) fn hide(&mut self, terms: &mut Terms, condition: &Dnf) -> Dnf {
        if !speaks(terms, condition) {
            return condition.clone();
        }
        condition.map(terms, |terms, l| match is_family(terms, l) {
            true if terms.term(l).op == Op::Not => {
                let inner = self.variable(terms, terms.term(l).args[0]);
                terms.app(Op::Not, [inner])
            }
            true => self.variable(terms, l),
            false => l,
        })
    }

    fn variable(&mut self, terms: &mut Terms, family: TermId) -> TermId {
        let made = || terms.fresh_symbol("family", SortId::BOOL);
        let symbol = *self.names.entry(family).or_insert_with(made);
        terms.var(symbol)
    }

    /// The condition with its quantifiers again.
    pub(crate) fn show(&self, terms: &mut Terms, condition: &Dnf) -> Dnf {
        let map: Substitution = self.names.iter().map(|(family, symbol)| (*symbol, *family)).collect();
        Dnf {
            cubes: condition
                .cubes
                .iter()
                .map(|cube| cube.iter().map(|&l| terms.substitute(l, &map)).collect())
                .collect(),
        }
    }
}
