//! The wording of conditions: the most readable C that is proved to say what is meant.
//!
//! **Idea.** A condition has several texts: as a programmer would write it; with those conjuncts as
//! total expressions (`total_expressions.rs`) whose own text would mean something else; with all of them in that form. The first one that
//! translation validation (`translation_validation.rs`) proves is used. Example: `x + y < 0` is printed as
//! `(int)((unsigned)x + (unsigned)y) < 0`, unless another conjunct excludes before that the sum overflows.
//!
//! **Direction of error.** If no text is proved, there is none.

use std::cell::RefCell;

use footpath_simplify::{Cube, Dialect, Dnf, Printed, Simplifier, print, print_negated};
use footpath_term::{Op, TermId, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::failure_conditions::CSyntax;
use crate::translation_validation::meaning;

/// Says conditions in C, each as it is proved.
pub struct Wording<'s, 'a> {
    syntax: &'s CSyntax<'a>,
    terms: RefCell<Terms>,
    simplifier: RefCell<Simplifier>,
    /// What is known of all inputs.
    premise: Vec<TermId>,
}

impl<'s, 'a> Wording<'s, 'a> {
    /// For conditions over these terms, under a premise that is known of all inputs.
    pub fn new(
        syntax: &'s CSyntax<'a>,
        terms: &Terms,
        premise: &Dnf,
        simplifier: Simplifier,
    ) -> Wording<'s, 'a> {
        let mut terms = terms.clone();
        let mut known = vec![premise.term(&mut terms)];
        known.extend(syntax.lengths(&mut terms));
        Wording { syntax, terms: RefCell::new(terms), simplifier: RefCell::new(simplifier), premise: known }
    }

    /// Whether C has words for a conjunct.
    pub fn can_say(&self, literal: TermId) -> bool {
        self.syntax.can_say(&self.terms.borrow(), literal)
    }

    /// A condition, or the opposite, as C; `None` if there is no text that is proved to mean it.
    pub fn say(&self, condition: &Dnf, negated: bool) -> Option<String> {
        let terms = &mut *self.terms.borrow_mut();
        let condition = with_joined_cells(self.syntax, terms, condition);
        let meant = condition.term(terms);
        let meant = if negated { terms.app(Op::Not, [meant]) } else { meant };
        let text = |terms: &mut Terms, total: &FxHashMap<TermId, Printed>| {
            let dialect = Chosen { syntax: self.syntax, total };
            match negated {
                true => print_negated(terms, &condition, &dialect),
                false => print(terms, &condition, &dialect),
            }
        };
        let mut total = FxHashMap::default();
        let plain = text(terms, &total);
        if self.is_meant(terms, &plain, meant) {
            return Some(plain);
        }
        let literals: Vec<TermId> = condition.cubes.iter().flatten().copied().collect();
        for &literal in &literals {
            let alone = Dnf { cubes: vec![vec![literal]] };
            let plain = print(terms, &alone, self.syntax);
            if !self.is_meant(terms, &plain, literal) {
                let text = self.guarded(terms, literal, &plain);
                total.extend(
                    text.or_else(|| self.syntax.total_condition(terms, literal)).map(|t| (literal, t)),
                );
            }
        }
        let mixed = text(terms, &total);
        if self.is_meant(terms, &mixed, meant) {
            return Some(mixed);
        }
        let totals = literals.iter().map(|&l| Some((l, self.syntax.total_condition(terms, l)?)));
        let total: Option<FxHashMap<TermId, Printed>> = totals.collect();
        let all = text(terms, &total?);
        self.is_meant(terms, &all, meant).then_some(all)
    }

    /// A literal that divides, with the divisors asked about before: `v == 0 || 32 / v < 0`.
    fn guarded(&self, terms: &mut Terms, literal: TermId, plain: &str) -> Option<Printed> {
        let mut divisors: Vec<TermId> = Vec::new();
        for t in terms.post_order(&[literal]) {
            let term = terms.term(t);
            if let Op::BvSdiv | Op::BvSrem | Op::BvUdiv | Op::BvUrem = term.op
                && terms.literal(term.args[1]).is_none()
            {
                divisors.push(term.args[1]);
            }
        }
        let &[divisor] = divisors.as_slice() else { return None };
        let width = terms.width(terms.sort(divisor))?;
        let zero = terms.bit_vec(width, 0);
        let is_zero = terms.app(Op::Eq, [divisor, zero]);
        let is_zero = self.syntax.total_condition(terms, is_zero)?;
        let total = self.syntax.total_condition(terms, literal)?;
        let texts = [plain, &total.text]
            .map(|text| [format!("{} || {text}", is_zero.text), format!("!({}) && ({text})", is_zero.text)]);
        let text = texts.into_iter().flatten().find(|text| self.is_meant(terms, text, literal))?;
        Some(Printed::new(text, 0))
    }

    /// Whether a text is defined for all inputs and means a condition.
    fn is_meant(&self, terms: &mut Terms, text: &str, meant: TermId) -> bool {
        let read = meaning(terms, &self.syntax.atoms.borrow(), self.syntax.long_bits(), text);
        let Some(read) = read else { return false };
        let same = terms.app(Op::Eq, [read.holds, meant]);
        let goal = terms.app(Op::And, [read.defined, same]);
        let mut simplifier = self.simplifier.borrow_mut();
        simplifier.begin();
        terms.as_bool(goal) == Some(true) || simplifier.implies(terms, &self.premise, goal)
    }
}

/// C, with some conjuncts as total expressions.
struct Chosen<'s, 'a> {
    syntax: &'s CSyntax<'a>,
    total: &'s FxHashMap<TermId, Printed>,
}

impl Dialect for Chosen<'_, '_> {
    fn term(&self, terms: &Terms, t: TermId, inner: &dyn Fn(TermId) -> Printed) -> Option<Printed> {
        self.syntax.term(terms, t, inner)
    }

    fn whole(&self, terms: &Terms, literal: TermId) -> Option<Printed> {
        if let Some(text) = self.total.get(&literal) {
            return Some(text.clone());
        }
        // Of a conjunct the opposite is asked for where a condition is negated.
        let opposite = |&(&t, _): &(&TermId, &Printed)| {
            let is_not = |a: TermId, b: TermId| terms.term(a).op == Op::Not && terms.term(a).args[0] == b;
            is_not(t, literal) || is_not(literal, t)
        };
        let (_, text) = self.total.iter().find(opposite)?;
        Some(Printed::new(format!("!({})", text.text), 10))
    }

    fn number(&self, n: &BigInt, bits: u32, unsigned: bool) -> Option<Printed> {
        self.syntax.number(n, bits, unsigned)
    }

    fn constant(&self, terms: &Terms, n: &BigInt, beside: TermId) -> Option<Printed> {
        self.syntax.constant(terms, n, beside)
    }

    fn integer(&self, bits: u32, unsigned: bool) -> String {
        self.syntax.integer(bits, unsigned)
    }

    fn can_say(&self, terms: &Terms, t: TermId) -> bool {
        self.syntax.can_say(terms, t)
    }

    fn rank(&self, terms: &Terms, literal: TermId) -> u8 {
        self.syntax.rank(terms, literal)
    }

    fn is_unsigned(&self, terms: &Terms, t: TermId) -> Option<bool> {
        self.syntax.is_unsigned(terms, t)
    }

    fn is_small(&self, terms: &Terms, t: TermId) -> bool {
        self.syntax.is_small(terms, t)
    }
}

/// The condition with equations of cells that are one number in the source as an equation of that number.
fn with_joined_cells(syntax: &CSyntax<'_>, terms: &mut Terms, condition: &Dnf) -> Dnf {
    Dnf { cubes: condition.cubes.iter().map(|cube| joined(syntax, terms, cube)).collect() }
}

/// A cell with the value that a conjunct demands of it.
struct CellIs {
    /// The position of the conjunct.
    at: usize,
    cell: TermId,
    value: BigInt,
    width: u32,
    map: TermId,
    object: TermId,
    offset: u64,
}

fn cell_is(terms: &Terms, at: usize, literal: TermId) -> Option<CellIs> {
    let (Op::Eq, &[a, b]) = (&terms.term(literal).op, terms.term(literal).args.as_slice()) else {
        return None;
    };
    let (cell, value) = if terms.literal(a).is_some() { (b, a) } else { (a, b) };
    let Value::BitVec { width, bits } = terms.literal(value)? else { return None };
    let (Op::Select, &[map, object, offset]) = (&terms.term(cell).op, terms.term(cell).args.as_slice())
    else {
        return None;
    };
    let (value, width) = (BigInt::from(bits.clone()), *width);
    Some(CellIs { at, cell, value, width, map, object, offset: terms.literal(offset)?.as_u64()? })
}

fn joined(syntax: &CSyntax<'_>, terms: &mut Terms, cube: &Cube) -> Cube {
    let mut cells: Vec<CellIs> =
        cube.iter().enumerate().filter_map(|(i, &literal)| cell_is(terms, i, literal)).collect();
    cells.sort_by_key(|cell| (cell.map, cell.object, cell.offset));
    let mut made: Vec<(usize, TermId)> = Vec::new();
    let mut gone: FxHashSet<usize> = FxHashSet::default();
    let mut first = 0;
    while first < cells.len() {
        let longest = [8, 4, 2].into_iter().find_map(|count| {
            let some = cells.get(first..first + count)?;
            // The high bytes stand first, put together as the front end does.
            let (high, low) = some.split_last()?;
            let (mut whole, mut width) = (high.cell, high.width);
            for cell in low.iter().rev() {
                width += cell.width;
                let sort = terms.bit_vec_sort(width);
                whole = terms.mk(Op::Concat, [whole, cell.cell], sort);
            }
            syntax.joined_cells(terms, whole, false)?;
            Some((count, whole, width))
        });
        let Some((count, whole, width)) = longest else {
            first += 1;
            continue;
        };
        let mut value = BigInt::from(0);
        for cell in cells[first..first + count].iter().rev() {
            value = (value << cell.width) | &cell.value;
        }
        let value = terms.bit_vec(width, value);
        let equation = terms.mk(Op::Eq, [whole, value], footpath_term::SortId::BOOL);
        let at = cells[first..first + count].iter().map(|cell| cell.at).min().unwrap_or_default();
        made.push((at, equation));
        gone.extend(cells[first..first + count].iter().map(|cell| cell.at));
        first += count;
    }
    let kept = cube.iter().copied().enumerate().filter(|(i, _)| !gone.contains(i));
    let mut all: Vec<(usize, TermId)> = kept.chain(made).collect();
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, literal)| literal).collect()
}
