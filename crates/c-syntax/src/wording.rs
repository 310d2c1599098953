//! The wording of conditions: the most readable C that is proved to say what is meant.
//!
//! **Idea.** A condition has several texts: as a programmer would write it; with its parts in an order in which each is defined by
//! what stands before it (`definedness_order.rs`); with those conjuncts as total expressions (`total_expressions.rs`)
//! whose own text would mean something else; with all of them in that form. The first one that translation validation
//! (`translation_validation.rs`) proves is used. Example: `x + y < 0` is printed as `(int)((unsigned)x + (unsigned)y) < 0`, unless another
//! conjunct excludes before that the sum overflows.
//!
//! A text is compared where memory to which no pointer leads is zero, as no run depends on it: with that `p->next->value == 3` as a
//! term already says that `p->next` is not null, and so does the text that asks it first.
//!
//! **Direction of error.** If no text is proved, there is none.

use std::cell::RefCell;

use footpath_simplify::{Cube, Dialect, Dnf, Printed, Simplifier, print, print_negated};
use footpath_term::{Op, TermId, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::failure_conditions::{CSyntax, zero};
use crate::translation_validation::meaning;

/// Says conditions in C, each as it is proved.
pub struct Wording<'s, 'a> {
    pub(crate) syntax: &'s CSyntax<'a>,
    pub(crate) terms: RefCell<Terms>,
    pub(crate) simplifier: RefCell<Simplifier>,
    /// What is known of all inputs.
    pub(crate) premise: Vec<TermId>,
    /// Of objects, by number, whether what is known of all inputs holds with zero in them, too.
    may_be_zero: RefCell<FxHashMap<u64, bool>>,
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
        let mut known = match premise.cubes.as_slice() {
            [literals] => literals.clone(),
            _ => vec![premise.term(&mut terms)],
        };
        known.extend(syntax.lengths(&mut terms));
        Wording {
            syntax,
            terms: RefCell::new(terms),
            simplifier: RefCell::new(simplifier),
            premise: known,
            may_be_zero: RefCell::default(),
        }
    }

    /// Whether C has words for a conjunct.
    pub fn can_say(&self, literal: TermId) -> bool {
        self.syntax.can_say(&self.terms.borrow(), literal)
    }

    /// The positions of the disjuncts in the order in which they are asked.
    pub fn order(&self, condition: &Dnf) -> Vec<usize> {
        let terms = &mut *self.terms.borrow_mut();
        self.in_order(terms, condition, &[]).into_iter().map(|(position, _)| position).collect()
    }

    /// A condition, or the opposite, as C; `None` if there is no text that is proved to mean it.
    pub fn say(&self, condition: &Dnf, negated: bool) -> Option<String> {
        self.say_given(&mut self.terms.borrow_mut(), condition, negated, &[])
    }

    /// The disjuncts of a condition one by one, each for where those before it do not hold.
    pub fn say_each(&self, condition: &Dnf) -> Vec<Option<String>> {
        let terms = &mut *self.terms.borrow_mut();
        let mut given = Vec::new();
        let mut texts = Vec::new();
        for cube in &condition.cubes {
            let alone = Dnf { cubes: vec![cube.clone()] };
            texts.push(self.say_given(terms, &alone, false, &given));
            let holds = terms.app(Op::And, cube.iter().copied());
            given.push(terms.app(Op::Not, [holds]));
        }
        texts
    }

    pub(crate) fn say_given(
        &self,
        terms: &mut Terms,
        condition: &Dnf,
        negated: bool,
        given: &[TermId],
    ) -> Option<String> {
        let condition = with_joined_cells(self.syntax, terms, condition);
        let meant = condition.term(terms);
        let meant = if negated { terms.app(Op::Not, [meant]) } else { meant };
        let text = |terms: &mut Terms, condition: &Dnf, total: &FxHashMap<TermId, Printed>, keeps_order| {
            let dialect = Chosen { syntax: self.syntax, total, keeps_order };
            match negated {
                true => print_negated(terms, condition, &dialect),
                false => print(terms, condition, &dialect),
            }
        };
        let mut total = FxHashMap::default();
        let condition = self.with_classes(terms, &condition);
        self.find_calls(terms, &condition);
        if let Some(shorter) = self.with_nans(terms, &condition) {
            let named = text(terms, &shorter, &total, false);
            if self.is_meant(terms, &named, meant, given) {
                return Some(named);
            }
        }
        let plain = text(terms, &condition, &total, false);
        if self.is_meant(terms, &plain, meant, given) {
            return Some(plain);
        }
        let cubes = self.in_order(terms, &condition, given).into_iter().map(|(_, cube)| cube).collect();
        let ordered = Dnf { cubes };
        let proved = |terms: &mut Terms, total: &FxHashMap<TermId, Printed>| {
            let ranked = text(terms, &condition, total, false);
            if self.is_meant(terms, &ranked, meant, given) {
                return Some(ranked);
            }
            let ordered = text(terms, &ordered, total, true);
            self.is_meant(terms, &ordered, meant, given).then_some(ordered)
        };
        if let Some(text) = proved(terms, &total) {
            return Some(text);
        }
        let literals: Vec<TermId> = condition.cubes.iter().chain(&ordered.cubes).flatten().copied().collect();
        for &literal in &literals {
            let alone = Dnf { cubes: vec![vec![literal]] };
            let plain = print(terms, &alone, self.syntax);
            // What its reads require is asked before.
            let required = self.syntax.requirements(terms, literal);
            if !self.is_meant(terms, &plain, literal, &required) {
                let text = self.guarded(terms, literal, &plain, &required);
                total.extend(
                    text.or_else(|| self.syntax.total_condition(terms, literal)).map(|t| (literal, t)),
                );
            }
        }
        if let Some(text) = proved(terms, &total) {
            return Some(text);
        }
        let totals = literals.iter().map(|&l| Some((l, self.syntax.total_condition(terms, l)?)));
        let total: Option<FxHashMap<TermId, Printed>> = totals.collect();
        proved(terms, &total?)
    }

    /// A literal that divides, with the divisors asked about before: `v == 0 || 32 / v < 0`.
    fn guarded(&self, terms: &mut Terms, literal: TermId, plain: &str, given: &[TermId]) -> Option<Printed> {
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
        let text = texts.into_iter().flatten().find(|text| self.is_meant(terms, text, literal, given))?;
        Some(Printed::new(text, 0))
    }

    /// Whether a text is defined for all inputs and means a condition, where what is given holds.
    pub(crate) fn is_meant(&self, terms: &mut Terms, text: &str, meant: TermId, given: &[TermId]) -> bool {
        let (atoms, long) = (self.syntax.atoms.borrow(), self.syntax.long_bits());
        let required = |terms: &mut Terms, t: TermId| self.syntax.requirements(terms, t);
        let Some(read) = meaning(terms, &atoms, &required, long, text) else { return false };
        let same = terms.app(Op::Eq, [read.holds, meant]);
        let goal = terms.app(Op::And, [read.defined, same]);
        if terms.as_bool(goal) == Some(true) {
            return true;
        }
        self.simplifier.borrow_mut().begin();
        let unreached = self.unreached(terms, goal);
        let known = [&self.premise, given, &unreached].concat();
        self.simplifier.borrow_mut().implies(terms, &known, goal)
    }

    /// That the cells in a term of objects to which no pointer leads are zero, of those objects of which nothing else is known.
    fn unreached(&self, terms: &mut Terms, t: TermId) -> Vec<TermId> {
        let mut facts = Vec::new();
        for (number, led, cells) in self.syntax.reads_of_objects(terms, t) {
            if self.may_be_zero(terms, number) {
                for is_zero in zero(terms, &cells) {
                    facts.push(terms.app(Op::Or, [led, is_zero]));
                }
            }
        }
        facts
    }

    fn may_be_zero(&self, terms: &mut Terms, number: u64) -> bool {
        if let Some(&known) = self.may_be_zero.borrow().get(&number) {
            return known;
        }
        let holds = self.premise.iter().all(|&fact| {
            let reads = self.syntax.reads_of_objects(terms, fact);
            let Some((_, _, cells)) = reads.iter().find(|(of, ..)| *of == number) else { return true };
            let zero = zero(terms, cells);
            self.simplifier.borrow_mut().implies(terms, &zero, fact)
        });
        self.may_be_zero.borrow_mut().insert(number, holds);
        holds
    }
}

/// C, with some conjuncts as total expressions.
struct Chosen<'s, 'a> {
    syntax: &'s CSyntax<'a>,
    total: &'s FxHashMap<TermId, Printed>,
    keeps_order: bool,
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
        Some(text.clone().negation())
    }

    fn keeps_order(&self) -> bool {
        self.keeps_order
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
            syntax.joined_cells(terms, whole, false, None)?;
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
