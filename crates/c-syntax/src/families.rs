//! Families of disjuncts in C: `for some i < n && i < length(a): a[i] != 0` in place of one disjunct for each index.
//!
//! **Idea.** Arrays that a harness makes have few elements, so a condition on some element of an array is found as one disjunct for
//! each index. Two of them are generalised (anti-unification): where they differ in a number, by d, there is a number that grows by d
//! with an index i. What the generalisation E is at 0, 1, 2, … is looked for among the disjuncts; these are the members.
//!
//! Example: of `n > 1 && length(a) > 1 && a[1] != 0` and the same with 2 the generalisation is `n > i && length(a) > i && a[i] != 0`. Of
//! `n > 0 && a[0] != 0` the solver proves that it is the member for 0, as arrays have an element.
//!
//! That there are no members beside those that were found is proved, too: the limits of i from above, such as `i < n`, exclude
//! what is greater, by what the harness assumes of lengths and by the disjuncts that do not hold. Otherwise the last i is said.
//!
//! **Paper.** "Inductive Generalization" (Plotkin, Machine Intelligence 5, 1970).
//!
//! **Direction of error.** None: the disjunction of the members is proved to be E for some i, and the text of E to mean E, for all i.

use footpath_simplify::{Cube, Dnf, print};
use footpath_term::{Op, Substitution, SymbolId, TermId, Terms, Value};
use num_bigint::BigInt;

use crate::wording::Wording;

/// The fewest members.
pub(crate) const FEWEST: usize = 3;
/// Up to which index members are looked for.
pub(crate) const LAST: u64 = 63;
/// Indices are less than this power of two.
pub(crate) const BITS: u32 = 30;

/// For which of its indices a family holds.
pub(crate) enum Quantifier {
    /// For one.
    Some,
    /// For all, and what has to hold besides, with its opposite.
    Every {
        /// `None` if there is nothing.
        rest: Option<[String; 2]>,
    },
}

/// Disjuncts that are one condition on the elements of an array.
pub struct Family {
    /// Their positions.
    pub members: Vec<usize>,
    pub(crate) quantifier: Quantifier,
    /// What limits the index.
    pub(crate) range: Vec<String>,
    /// What holds for one index.
    pub(crate) body: String,
    /// The opposite.
    pub(crate) opposite: String,
    pub(crate) index: String,
    /// The last index of a member.
    pub(crate) last: u64,
}

impl Family {
    /// That it holds, in words.
    pub fn holds(&self) -> String {
        let Family { body, .. } = self;
        match &self.quantifier {
            Quantifier::Some => format!("for some {}: {body}", self.limits()),
            Quantifier::Every { rest } => {
                let rest = rest.as_ref().map(|[rest, _]| format!("{} && ", part(rest))).unwrap_or_default();
                format!("{rest}for every {}: {body}", self.limits())
            }
        }
    }

    /// That it does not, in words.
    pub fn fails(&self) -> String {
        let Family { opposite, .. } = self;
        match &self.quantifier {
            Quantifier::Some => format!("for every {}: {opposite}", self.limits()),
            Quantifier::Every { rest } => {
                let rest = rest.as_ref().map(|[_, not]| format!("{not} || ")).unwrap_or_default();
                format!("{rest}for some {}: {opposite}", self.limits())
            }
        }
    }

    /// Statements in C that return 1 if it holds.
    pub fn as_loop(&self) -> String {
        let Family { index: i, body, last, .. } = self;
        match &self.quantifier {
            Quantifier::Some => {
                // Where all limits are from above, the first index beyond one ends the loop.
                let (above, others): (Vec<&String>, Vec<&String>) =
                    self.range.iter().partition(|limit| is_from_above(limit, i));
                let above: Vec<&str> = above.into_iter().map(String::as_str).collect();
                let bound = if above.is_empty() { format!("{i} <= {last}") } else { above.join(" && ") };
                let inner: Vec<String> = others.into_iter().chain([body]).map(|text| part(text)).collect();
                format!("for (long {i} = 0; {bound}; {i}++) if ({}) return 1;", inner.join(" && "))
            }
            Quantifier::Every { rest } => {
                let inside: Vec<String> = self.range.iter().map(|text| part(text)).collect();
                let inside = inside.join(" && ");
                let body = part(body);
                // Where all limits are from above, the first index beyond one ends the search.
                let search = if self.range.iter().all(|limit| is_from_above(limit, i)) {
                    format!("while ({inside} && {body}) {i}++; if (!({inside})) return 1;")
                } else {
                    format!(
                        "while ({i} <= {last} && (!({inside}) || {body})) {i}++; if ({i} > {last}) return 1;"
                    )
                };
                let when = rest.as_ref().map(|[rest, _]| format!("if ({rest}) ")).unwrap_or_default();
                format!("{when}{{ long {i} = 0; {search} }}")
            }
        }
    }

    fn limits(&self) -> String {
        match self.range.as_slice() {
            [] => self.index.clone(),
            range if range[0].starts_with(&self.index) => range.join(" && "),
            range => format!("{} with {}", self.index, range.join(" && ")),
        }
    }
}

/// A text as an operand of `&&`.
fn part(text: &str) -> String {
    if text.contains("||") { format!("({text})") } else { text.to_owned() }
}

impl Wording<'_, '_> {
    /// The families among the disjuncts of a condition, each for where the disjuncts that are in none do not hold.
    pub fn families(&self, condition: &Dnf) -> Vec<Family> {
        let terms = &mut *self.terms.borrow_mut();
        let Some((index, name)) = self.syntax.index() else { return Vec::new() };
        let mut left: Vec<usize> = (0..condition.cubes.len()).collect();
        let growing = self.universal_families(terms, condition, &mut left, (index, &name));
        let mut found = Vec::new();
        let mut at = 0;
        while left.len() >= FEWEST && at + 1 < left.len() {
            let pair = [&condition.cubes[left[at]], &condition.cubes[left[at + 1]]];
            let general = Generaliser { terms, index, zero: 0 }.cubes(pair);
            let members =
                general.as_ref().map(|general| self.members(terms, condition, &left, general, index));
            match (general, members) {
                (Some(general), Some(members)) if members.len() >= FEWEST => {
                    left.retain(|i| members.iter().all(|(_, member)| member != i));
                    found.push((general, members));
                }
                _ => at += 1,
            }
        }
        let given: Vec<TermId> = left.iter().map(|&i| opposite(terms, &condition.cubes[i])).collect();
        let text = |(general, members): (Cube, Vec<(u64, usize)>)| {
            self.family(terms, &general, &members, &given, (index, &name))
        };
        let all: Option<Vec<Family>> = found.into_iter().map(text).collect();
        growing.into_iter().chain(all.unwrap_or_default()).collect()
    }

    /// The indices of members and their positions, of those positions that are left.
    fn members(
        &self,
        terms: &mut Terms,
        condition: &Dnf,
        left: &[usize],
        general: &Cube,
        index: SymbolId,
    ) -> Vec<(u64, usize)> {
        let mut members: Vec<(u64, usize)> = Vec::new();
        for k in 0..=LAST {
            let one = at_index(terms, general, index, k);
            let one = terms.app(Op::And, one);
            let is_member = |terms: &mut Terms, i: usize| {
                let holds = terms.app(Op::And, condition.cubes[i].iter().copied());
                let mut simplifier = self.simplifier.borrow_mut();
                simplifier.begin();
                let known = |t: TermId| [&self.premise[..], &[t]].concat();
                holds == one
                    || simplifier.implies(terms, &known(holds), one)
                        && simplifier.implies(terms, &known(one), holds)
            };
            let free = left.iter().copied().filter(|&i| members.iter().all(|(_, member)| *member != i));
            match free.collect::<Vec<_>>().into_iter().find(|&i| is_member(terms, i)) {
                Some(i) => members.push((k, i)),
                None if members.is_empty() && k < 4 => {}
                None => break,
            }
        }
        members
    }

    fn family(
        &self,
        terms: &mut Terms,
        general: &Cube,
        members: &[(u64, usize)],
        given: &[TermId],
        (index, name): (SymbolId, &str),
    ) -> Option<Family> {
        let (&(first, _), &(last, _)) = (members.first()?, members.last()?);
        let i = terms.var(index);
        let width = terms.width(terms.sort(i))?;
        let most = terms.bit_vec(width, BigInt::from(1) << BITS);
        let context = [given, &[terms.app(Op::BvUlt, [i, most])]].concat();
        let mut given = context.clone();
        let is_limit = |terms: &Terms, l: TermId| {
            !terms.post_order(&[l]).iter().any(|&t| terms.term(t).op == Op::Select)
        };
        let (limits, body): (Cube, Cube) = general.iter().partition(|&&l| is_limit(terms, l));
        let (mut range, mut above) = (Vec::new(), Vec::new());
        for &limit in &limits {
            let text = from_above(&self.short(terms, &vec![limit], &given, name)?, name);
            above.extend(is_from_above(&text, name).then_some(limit));
            range.push(text);
            given.push(limit);
        }
        // If the limits from above exclude the index behind the last one, they exclude all that are greater.
        let [low, high] = [first, last].map(|k| terms.bit_vec(width, k));
        let from = terms.app(Op::BvUle, [low, i]);
        let to = terms.app(Op::BvUle, [i, high]);
        let known = [&self.premise[..], &context, &above].concat();
        self.simplifier.borrow_mut().begin();
        let ends = self.simplifier.borrow_mut().implies(terms, &known, to);
        range.splice(0..0, (!ends).then(|| format!("{name} <= {last}")));
        range.splice(0..0, (first > 0).then(|| format!("{name} >= {first}")));
        given.extend([from, to]);
        let text = self.short(terms, &body, &given, name)?;
        let opposite = self.opposite_text(terms, &body, &text, &given, name)?;
        let members = members.iter().map(|(_, member)| *member).collect();
        let quantifier = Quantifier::Some;
        Some(Family { members, quantifier, range, body: text, opposite, index: name.to_owned(), last })
    }

    /// The text of the opposite of a conjunction about an index, whose own text is given.
    pub(crate) fn opposite_text(
        &self,
        terms: &mut Terms,
        cube: &Cube,
        text: &str,
        given: &[TermId],
        name: &str,
    ) -> Option<String> {
        let not = opposite(terms, cube);
        match Dnf::of(terms, not).cubes.as_slice() {
            [only] => self.short(terms, only, given, name),
            _ => Some(format!("!({text})")),
        }
    }

    /// The text of a conjunction about an index, without conversions as far as it means the same without.
    pub(crate) fn short(
        &self,
        terms: &mut Terms,
        cube: &Cube,
        given: &[TermId],
        name: &str,
    ) -> Option<String> {
        let meant = terms.app(Op::And, cube.iter().copied());
        let plain = print(terms, &Dnf { cubes: vec![cube.clone()] }, self.syntax);
        let without = |before: &str| {
            let types = ["int", "unsigned", "long", "unsigned long", "long long", "unsigned long long"];
            types.iter().fold(plain.clone(), |text, ty| text.replace(&format!("({ty}){before}"), before))
        };
        let bare = without("").replace(&format!("({name})"), name);
        let texts = [unwrapped(&bare, name), bare, without(name), plain.clone()];
        texts.into_iter().find(|text| self.is_meant(terms, text, meant, given))
    }
}

/// A text in which a sum of the index and a number has no parentheses: `n > (i + 1)`.
fn unwrapped(text: &str, name: &str) -> String {
    let Some((before, rest)) = text.split_once(&format!("({name} + ")) else { return text.to_owned() };
    match rest.split_once(')') {
        Some((number, behind)) if number.bytes().all(|c| c.is_ascii_digit()) => {
            format!("{before}{name} + {number}{behind}")
        }
        _ => text.to_owned(),
    }
}

/// Whether a name occurs in a text.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// `n > i` and `n >= i` with the index first.
pub(crate) fn from_above(text: &str, name: &str) -> String {
    let turned = [(" > ", "<"), (" >= ", "<=")].into_iter().find_map(|(op, turned)| {
        let (limit, index) = text.split_once(op)?;
        (is_index(index, name) && is_limit(limit, name)).then(|| format!("{index} {turned} {limit}"))
    });
    turned.unwrap_or_else(|| text.to_owned())
}

/// Whether it is `i` or `i + 1`.
fn is_index(text: &str, name: &str) -> bool {
    let number = |rest: &str| rest.strip_prefix(" + ").is_some_and(|n| n.bytes().all(|c| c.is_ascii_digit()));
    text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || number(rest))
}

/// Whether it is an operand of a comparison that the index does not change.
fn is_limit(text: &str, name: &str) -> bool {
    !mentions(text, name) && !["&&", "||", "?", "==", "<", ">"].iter().any(|op| text.contains(op))
}

/// Whether a limit that does not hold for an index holds for no greater one.
pub(crate) fn is_from_above(limit: &str, name: &str) -> bool {
    let sides = limit.split_once(" < ").or_else(|| limit.split_once(" <= "));
    sides.is_some_and(|(index, limit)| is_index(index, name) && is_limit(limit, name))
}

/// That a conjunction does not hold.
pub(crate) fn opposite(terms: &mut Terms, cube: &Cube) -> TermId {
    let holds = terms.app(Op::And, cube.iter().copied());
    terms.app(Op::Not, [holds])
}

pub(crate) fn at_index(terms: &mut Terms, general: &Cube, index: SymbolId, k: u64) -> Cube {
    let width = terms.width(terms.symbol(index).sort).unwrap_or(64);
    let value = terms.bit_vec(width, k);
    let map = Substitution::from_iter([(index, value)]);
    general.iter().map(|&l| terms.substitute(l, &map)).collect()
}

/// Makes a term of two that differ in numbers only.
pub(crate) struct Generaliser<'t> {
    pub(crate) terms: &'t mut Terms,
    pub(crate) index: SymbolId,
    /// The index of the first one.
    pub(crate) zero: i64,
}

impl Generaliser<'_> {
    /// The conjunction of which the first one is the member for the index of its first read of memory.
    fn cubes(mut self, [a, b]: [&Cube; 2]) -> Option<Cube> {
        if a.len() != b.len() {
            return None;
        }
        self.zero = a.iter().zip(b).find_map(|(&a, &b)| self.first_index(a, b))?;
        let all: Option<Cube> = a.iter().zip(b).map(|(&a, &b)| self.term(a, b)).collect();
        all.filter(|all| self.terms.free_symbols(all).contains(&self.index))
    }

    /// The term of which the first one is the instance for the index `zero`, and the second one for the next.
    pub(crate) fn pair(mut self, a: TermId, b: TermId) -> Option<TermId> {
        let general = self.term(a, b)?;
        self.terms.free_symbols(&[general]).contains(&self.index).then_some(general)
    }

    /// The least index of an element that is read in two terms, the second one at the next index.
    fn first_index(&self, a: TermId, b: TermId) -> Option<i64> {
        let (x, y) = (self.terms.term(a), self.terms.term(b));
        if x.op != y.op || x.args.len() != y.args.len() {
            return None;
        }
        let inner = x.args.iter().zip(&y.args).filter_map(|(&a, &b)| self.first_index(a, b));
        let here = || {
            let &offset = x.args.get(2)?;
            let (from, to) = (self.number(offset)?, self.number(y.args[2])?);
            let step = to - from;
            // Of members of structures each is at a place of its own in the element.
            (step > 0 && from >= 0).then(|| from / step)
        };
        let here = if x.op == Op::Select { here() } else { None };
        inner.chain(here).min()
    }

    fn number(&self, t: TermId) -> Option<i64> {
        match self.terms.literal(t)? {
            Value::BitVec { width, bits } => i64::try_from(Value::signed(*width, bits)).ok(),
            _ => None,
        }
    }

    fn term(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(a);
        }
        if let (Some(from), Some(to)) = (self.number(a), self.number(b)) {
            return self.growing(a, from, to - from, false);
        }
        let (x, y) = (self.terms.term(a).clone(), self.terms.term(b).clone());
        if x.op != y.op || x.args.len() != y.args.len() || x.sort != y.sort || x.args.is_empty() {
            return None;
        }
        let arg = |this: &mut Self, (at, (&a, &b)): (usize, (&TermId, &TermId))| {
            let numbers = (this.number(a), this.number(b));
            match (&x.op, at, numbers) {
                (Op::Select, 2, (Some(from), Some(to))) if a != b => this.growing(a, from, to - from, true),
                _ => this.term(a, b),
            }
        };
        let args: Option<Vec<TermId>> =
            x.args.iter().zip(&y.args).enumerate().map(|pair| arg(self, pair)).collect();
        Some(self.terms.mk(x.op.clone(), args?, x.sort))
    }

    /// A number that is `from` at the first index and grows by `step`: `step * (i + c)`, or `step * i + c`; if it is an offset, in
    /// an element of so many bytes as it grows, `step * (i + c) + d`.
    fn growing(&mut self, like: TermId, from: i64, step: i64, is_offset: bool) -> Option<TermId> {
        let sort = self.terms.sort(like);
        let width = self.terms.width(sort)?;
        let i = self.terms.var(self.index);
        let whole = self.terms.width(self.terms.sort(i))?;
        let i = match width {
            _ if width == whole => i,
            _ if width < whole => self.terms.mk(Op::Extract(width - 1, 0), [i], sort),
            _ => return None,
        };
        let rest = from - step * self.zero;
        let terms = &mut *self.terms;
        let mut plus = |t: TermId, c: i64| match c {
            0 => t,
            _ => {
                let c = terms.bit_vec(width, c);
                terms.mk(Op::BvAdd, [t, c], sort)
            }
        };
        if step == 1 {
            return Some(plus(i, rest));
        }
        let (inner, outer) = match rest % step {
            0 => (rest / step, 0),
            _ if is_offset && step > 0 => (rest.div_euclid(step), rest.rem_euclid(step)),
            _ => (0, rest),
        };
        let i = plus(i, inner);
        let factor = terms.bit_vec(width, step);
        let product = terms.mk(Op::BvMul, [i, factor], sort);
        let mut plus = |t: TermId, c: i64| match c {
            0 => t,
            _ => {
                let c = terms.bit_vec(width, c);
                terms.mk(Op::BvAdd, [t, c], sort)
            }
        };
        Some(plus(product, outer))
    }
}
