//! Calls of the C library that conditions stand for: `isnan(x)`, `tolower(c)` and `isdigit(c)` in place of their arithmetic.
//!
//! **Idea.** The front end writes such calls as what they compute, since comparisons are easier for solvers than calls. Here the calls are
//! recognised again. Comparisons of which none holds, `!(x <= a) && !(x > a)`, are `isnan(x)`, or `isnan(x) || isnan(a)`, if the solver
//! proves that they imply it. A term with a choice in it is `tolower(c)`, for a character c that occurs in it, if the solver proves that
//! it is c, 32 more for capital letters, and 256 more for negative characters. A conjunct with a choice in it, about one character, is
//! `isdigit(c)` or its opposite, if the solver proves that it holds for the members of that class and no others; comparisons that the
//! source has stay as they are.
//!
//! Example: `(unsigned)c + ((unsigned)c - 65 <= 25 ? 32 : 0) + ((unsigned)c + 128 <= 126 ? 256 : 0) == 113` is `tolower(c) == 'q'`.
//!
//! **Paper.** "Template-based program verification and program synthesis" (Srivastava, Gulwani, Foster, STTT 2013): the form is given, a
//! solver says whether it fits.
//!
//! **Direction of error.** A name is used where the solver proves that it means the same, in the C locale, for characters and `EOF`. The text
//! of a class is defined for these only, as the library looks its argument up in a table (`failure_conditions/well_definedness.rs`).

use footpath_simplify::{Cube, Dnf};
use footpath_term::{FuncDecl, FuncKind, Op, SortId, TermId, Terms};

use crate::wording::Wording;

/// Terms with more parts are no call.
const LARGEST: usize = 120;
/// Conjuncts with more parts are no class of characters; a look-up in the table of classes has about 150.
const LARGEST_CLASS: usize = 300;
/// How many characters in a term are tried.
const CHARACTERS: usize = 4;

/// Ranges of characters.
type Ranges = &'static [(u8, u8)];

/// The classes of characters, those with few ranges first.
const CLASSES: [(&str, Ranges); 12] = [
    ("isdigit", &[(b'0', b'9')]),
    ("isupper", &[(b'A', b'Z')]),
    ("islower", &[(b'a', b'z')]),
    ("isprint", &[(b' ', b'~')]),
    ("isgraph", &[(b'!', b'~')]),
    ("isalpha", &[(b'A', b'Z'), (b'a', b'z')]),
    ("isspace", &[(b'\t', b'\r'), (b' ', b' ')]),
    ("isblank", &[(b'\t', b'\t'), (b' ', b' ')]),
    ("iscntrl", &[(0, 31), (127, 127)]),
    ("isalnum", &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    ("isxdigit", &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
    ("ispunct", &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')]),
];

/// A call that a term stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) name: &'static str,
    pub(crate) argument: TermId,
    /// Whether it is defined for entries of the library's tables only.
    pub(crate) looks_up: bool,
}

impl Wording<'_, '_> {
    /// The condition with `isnan` in place of comparisons that imply it; `None` if there are none.
    pub(crate) fn with_nans(&self, terms: &mut Terms, condition: &Dnf) -> Option<Dnf> {
        let cubes: Vec<Vec<Cube>> = condition.cubes.iter().map(|cube| self.nans(terms, cube)).collect();
        let cubes: Vec<Cube> = cubes.into_iter().flatten().collect();
        (cubes != condition.cubes).then_some(Dnf { cubes })
    }

    fn nans(&self, terms: &mut Terms, cube: &Cube) -> Vec<Cube> {
        let compared: Vec<(TermId, [TermId; 2])> =
            cube.iter().filter_map(|&l| Some((l, negated_comparison(terms, l)?))).collect();
        let mut operands: Vec<TermId> = compared.iter().flat_map(|(_, both)| *both).collect();
        operands.retain(|&x| !terms.free_symbols(&[x]).is_empty());
        operands.dedup();
        for x in operands {
            let about: Vec<TermId> =
                compared.iter().filter(|(_, both)| both.contains(&x)).map(|(l, _)| *l).collect();
            if about.len() < 2 {
                continue;
            }
            let rest: Cube = cube.iter().copied().filter(|l| !about.contains(l)).collect();
            let is_none = is_nan(terms, x);
            if self.is_implied(terms, &about, is_none) {
                return self.nans(terms, &[&rest[..], &[is_none]].concat());
            }
            let mut others = compared.iter().filter(|(l, _)| about.contains(l)).flat_map(|(_, both)| *both);
            let Some(y) = others.clone().find(|&y| y != x) else { continue };
            if !others.all(|other| other == x || other == y) || terms.free_symbols(&[y]).is_empty() {
                continue;
            }
            let both = [is_none, is_nan(terms, y)];
            let either = terms.app(Op::Or, both);
            if self.is_implied(terms, &about, either) {
                let each = both.into_iter().map(|is_none| [&rest[..], &[is_none]].concat());
                return each.flat_map(|cube| self.nans(terms, &cube)).collect();
            }
        }
        vec![cube.clone()]
    }

    fn is_implied(&self, terms: &mut Terms, known: &[TermId], claim: TermId) -> bool {
        let mut simplifier = self.simplifier.borrow_mut();
        simplifier.begin();
        simplifier.implies(terms, known, claim)
    }

    /// Finds the calls that terms of a condition stand for, which are then printed as such.
    pub(crate) fn find_calls(&self, terms: &mut Terms, condition: &Dnf) {
        let literals: Vec<TermId> = condition.cubes.iter().flatten().copied().collect();
        let has_choice = |terms: &Terms, t: TermId| {
            let parts = terms.post_order(&[t]);
            parts.len() <= LARGEST && parts.iter().any(|&t| terms.term(t).op == Op::Ite)
        };
        for t in terms.post_order(&literals) {
            if self.syntax.calls.borrow().contains_key(&t) || !has_choice(terms, t) {
                continue;
            }
            let found = self.case(terms, t);
            self.syntax.calls.borrow_mut().insert(t, found);
        }
    }

    /// `tolower` or `toupper` of a character.
    fn case(&self, terms: &mut Terms, t: TermId) -> Option<Call> {
        if terms.width(terms.sort(t)) != Some(32)
            || !matches!(terms.term(t).op, Op::BvAdd | Op::BvSub | Op::Ite)
        {
            return None;
        }
        for argument in characters(terms, t) {
            // Negative characters but `EOF` stand for the same bytes without a sign.
            let [first, last, bytes] = [128, 126, 256].map(|n| terms.bit_vec(32, n));
            let from_first = terms.app(Op::BvAdd, [argument, first]);
            let is_negative = terms.app(Op::BvUle, [from_first, last]);
            let byte = terms.app(Op::BvAdd, [argument, bytes]);
            let same_byte = terms.app(Op::Ite, [is_negative, byte, argument]);
            for (name, from, to, by) in [("tolower", b'A', b'Z', 32), ("toupper", b'a', b'z', -32)] {
                let is_letter = between(terms, argument, from, to);
                let by = terms.bit_vec(32, by);
                let other = terms.app(Op::BvAdd, [argument, by]);
                let meant = terms.app(Op::Ite, [is_letter, other, same_byte]);
                let same = terms.app(Op::Eq, [t, meant]);
                if self.is_implied(terms, &[], same) {
                    return Some(Call { name, argument, looks_up: false });
                }
            }
        }
        None
    }
}

impl Wording<'_, '_> {
    /// The condition with classes of characters in place of conjuncts that choose between ranges.
    pub(crate) fn with_classes(&self, terms: &mut Terms, condition: &Dnf) -> Dnf {
        let cubes = condition.cubes.iter();
        let named = |terms: &mut Terms, l: TermId| self.class(terms, l).unwrap_or(l);
        Dnf { cubes: cubes.map(|cube| cube.iter().map(|&l| named(terms, l)).collect()).collect() }
    }

    /// The class of characters for which a conjunct holds, or its opposite, as a term that is printed as a call.
    fn class(&self, terms: &mut Terms, literal: TermId) -> Option<TermId> {
        let parts = terms.post_order(&[literal]);
        if parts.len() > LARGEST_CLASS || !parts.iter().any(|&t| terms.term(t).op == Op::Ite) {
            return None;
        }
        let argument = the_character(terms, literal)?;
        for (name, ranges) in CLASSES {
            let inside: Vec<TermId> =
                ranges.iter().map(|&(from, to)| between(terms, argument, from, to)).collect();
            let member = terms.app(Op::Or, inside);
            let opposite = terms.app(Op::Not, [member]);
            for named in [member, opposite] {
                let same = terms.app(Op::Eq, [literal, named]);
                if self.is_implied(terms, &[], same) {
                    let call = Call { name, argument, looks_up: true };
                    self.syntax.calls.borrow_mut().insert(member, Some(call));
                    return Some(named);
                }
            }
        }
        None
    }
}

/// The only character in a term, as an `int`; bytes are read without a sign.
fn the_character(terms: &mut Terms, t: TermId) -> Option<TermId> {
    let mut places = terms.post_order(&[t]);
    // The maps in which places in memory are have no width.
    places.retain(|&t| {
        matches!(terms.term(t).op, Op::Var(_) | Op::Select) && terms.width(terms.sort(t)).is_some()
    });
    let [place] = places[..] else { return None };
    match terms.width(terms.sort(place)) {
        Some(32) => Some(place),
        Some(8) => Some(terms.app(Op::ZeroExtend(24), [place])),
        _ => None,
    }
}

/// The operands of a comparison of floating-point numbers that does not hold.
fn negated_comparison(terms: &Terms, literal: TermId) -> Option<[TermId; 2]> {
    let term = terms.term(literal);
    let inner = *term.args.first().filter(|_| term.op == Op::Not)?;
    let Op::Apply(f) = terms.term(inner).op else { return None };
    let FuncKind::Builtin(text) = &terms.function(f).kind else { return None };
    let compares = matches!(&**text, "fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq");
    <[TermId; 2]>::try_from(&terms.term(inner).args[..]).ok().filter(|_| compares)
}

/// That a floating-point number is none.
fn is_nan(terms: &mut Terms, number: TermId) -> TermId {
    let params = vec![terms.sort(number)];
    let is_it = |f: &footpath_term::FuncId| {
        let known = terms.function(*f);
        matches!(&known.kind, FuncKind::Builtin(text) if &**text == "fp.isNaN") && known.params == params
    };
    let known = terms.functions().find(is_it);
    let function = known.unwrap_or_else(|| {
        terms.declare_function(FuncDecl {
            name: format!("$isnan.{}", params[0].index()).into(),
            type_params: Vec::new(),
            params,
            result: SortId::BOOL,
            kind: FuncKind::Builtin("fp.isNaN".into()),
        })
    });
    terms.app_sorted(Op::Apply(function), std::iter::once(number).collect(), SortId::BOOL)
}

/// That a number is between two characters.
fn between(terms: &mut Terms, number: TermId, from: u8, to: u8) -> TermId {
    let [from, to] = [from, to].map(|n| terms.bit_vec(32, n));
    let sides = [terms.app(Op::BvSle, [from, number]), terms.app(Op::BvSle, [number, to])];
    terms.app(Op::And, sides)
}

/// Numbers of type `int` in a term that a variable or memory holds, as they are or in a wider type.
fn characters(terms: &Terms, t: TermId) -> Vec<TermId> {
    let is_place = |t: TermId| matches!(terms.term(t).op, Op::Var(_) | Op::Select | Op::Concat);
    let mut found: Vec<TermId> = terms.post_order(&[t]);
    found.retain(|&t| {
        let is_wider = matches!(terms.term(t).op, Op::SignExtend(_) | Op::ZeroExtend(_));
        terms.width(terms.sort(t)) == Some(32) && (is_place(t) || is_wider && is_place(terms.term(t).args[0]))
    });
    found.truncate(CHARACTERS);
    found
}
