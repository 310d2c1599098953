//! Conditions in which disjuncts for each index are one: the texts of those that are in no family, and then those of the families.
//!
//! Example: `a == NULL && n > 0 || (for some i < n && i < length(a): a[i] != 0)`.
//!
//! **Direction of error.** None: the families are proved (`families.rs` of `c-syntax`), and said where no other disjunct holds.

use footpath_c_syntax::families::Family;
use footpath_simplify::Dnf;
use footpath_term::Terms;

use super::{Words, said_each};

/// A condition with families.
pub(super) struct Folded {
    /// The positions of the disjuncts that are in no family, and these.
    positions: Vec<usize>,
    others: Dnf,
    /// Their text.
    plain: String,
    /// The families, with the positions of their members.
    families: Vec<(Vec<usize>, Family)>,
}

impl Folded {
    /// Those of the disjuncts at some positions; `None` if there is no family.
    pub(super) fn of(words: &dyn Words, terms: &Terms, condition: &Dnf, said: &[usize]) -> Option<Folded> {
        let cubes = said.iter().map(|&i| condition.cubes[i].clone()).collect();
        let found = words.families(&Dnf { cubes });
        if found.is_empty() {
            return None;
        }
        let families: Vec<(Vec<usize>, Family)> =
            found.into_iter().map(|f| (f.members.iter().map(|&i| said[i]).collect(), f)).collect();
        let is_member = |i: &usize| families.iter().any(|(members, _)| members.contains(i));
        let positions: Vec<usize> = said.iter().copied().filter(|i| !is_member(i)).collect();
        let others = Dnf { cubes: positions.iter().map(|&i| condition.cubes[i].clone()).collect() };
        let plain = if positions.is_empty() { String::new() } else { words.say(terms, &others, false)? };
        Some(Folded { positions, others, plain, families })
    }

    pub(super) fn constraint(&self) -> String {
        let plain = match self.positions.len() {
            0 => None,
            1 if self.plain.contains(" && ") => Some(format!("({})", self.plain)),
            _ => Some(self.plain.clone()),
        };
        let families = self.families.iter().map(|(_, family)| format!("({})", family.holds()));
        plain.into_iter().chain(families).collect::<Vec<String>>().join(" || ")
    }

    pub(super) fn disjuncts(&self, words: &dyn Words, terms: &Terms) -> Vec<String> {
        let families = self.families.iter().map(|(_, family)| family.holds());
        said_each(words, terms, &self.others).into_iter().chain(families).collect()
    }

    /// The number of the disjunct that one has become.
    pub(super) fn position(&self, i: usize) -> Option<usize> {
        let family = || self.families.iter().position(|(members, _)| members.contains(&i));
        let plain = self.positions.iter().position(|&j| j == i);
        plain.or_else(|| Some(self.positions.len() + family()?))
    }

    pub(super) fn precondition(&self, words: &dyn Words, terms: &Terms) -> Option<String> {
        let plain = match self.positions.is_empty() {
            true => None,
            false => {
                let text = words.say(terms, &self.others, true)?;
                Some(if text.contains(" || ") { format!("({text})") } else { text })
            }
        };
        let families = self.families.iter().map(|(_, family)| format!("({})", family.fails()));
        Some(plain.into_iter().chain(families).collect::<Vec<String>>().join(" && "))
    }

    /// The body of a function in C.
    pub(super) fn in_c(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        if !self.positions.is_empty() {
            lines.push(format!("if ({}) return 1;", self.plain));
        }
        lines.extend(self.families.iter().map(|(_, family)| family.as_loop()));
        lines.push("return 0;".to_owned());
        lines.join(" ")
    }
}
