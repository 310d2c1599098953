//! A stack of assertions as SMT-LIB text.
//!
//! The text of a level holds the declarations, definitions and assertions made there, in order. So it can be sent to
//! a solver incrementally, sent again to a fresh one, or written to a file as a whole.

use std::fmt::Write;

use footpath_term::{FuncId, Op, SortId, TermId, Terms};

pub(crate) use super::sorts::Dialect;
use super::sorts::{Declarations, Key, Result};

#[derive(Default)]
struct Level {
    text: String,
    /// The number of declarations when the level was opened.
    declared: usize,
}

/// A stack of assertions.
pub(crate) struct Script {
    levels: Vec<Level>,
    declarations: Declarations,
}

impl Script {
    pub(crate) fn new(dialect: Dialect) -> Script {
        let declarations = Declarations::new(dialect);
        Script { levels: vec![Level::default()], declarations }
    }

    pub(crate) fn push(&mut self) {
        self.levels.push(Level { text: String::new(), declared: self.declarations.declared() });
    }

    /// Drops levels; the lowest one stays.
    pub(crate) fn pop(&mut self, levels: u32) {
        for _ in 0..levels {
            if self.levels.len() > 1
                && let Some(level) = self.levels.pop()
            {
                self.declarations.forget(level.declared);
            }
        }
    }

    /// The text of each level.
    pub(crate) fn levels(&self) -> impl ExactSizeIterator<Item = &str> {
        self.levels.iter().map(|l| l.text.as_str())
    }

    /// Moves new declarations to the text of the level, whether or not the term that needed them could be printed.
    fn flush(&mut self) {
        let out = std::mem::take(&mut self.declarations.out);
        self.top().push_str(&out);
    }

    fn top(&mut self) -> &mut String {
        &mut self.levels.last_mut().expect("the lowest level stays").text
    }

    pub(crate) fn assert(&mut self, terms: &Terms, t: TermId) -> Result<()> {
        let text = self.declarations.term(terms, t);
        self.flush();
        let text = text?;
        let _ = writeln!(self.top(), "(assert {text})");
        Ok(())
    }

    /// A literal that stands for `t` among assumptions.
    pub(crate) fn assumption(&mut self, terms: &Terms, t: TermId) -> Result<String> {
        let term = terms.term(t);
        let symbol = |t: TermId| match terms.term(t).op {
            Op::Var(s) => Some(s),
            _ => None,
        };
        let negated = (term.op == Op::Not).then(|| symbol(term.args[0])).flatten();
        let literal = if let Some(s) = symbol(t) {
            self.declarations.symbol(terms, s)
        } else if let Some(s) = negated {
            self.declarations.symbol(terms, s).map(|name| format!("(not {name})"))
        } else if let Some(name) = self.declarations.lookup(&Key::StandIn(t)) {
            Ok(name.clone())
        } else {
            let name = format!("$a{}", t.index());
            self.declarations.term(terms, t).map(|text| {
                let out = &mut self.declarations.out;
                let _ = writeln!(out, "(declare-fun {name} () Bool)\n(assert (=> {name} {text}))");
                self.declarations.remember(Key::StandIn(t), name.clone());
                name
            })
        };
        self.flush();
        literal
    }

    /// The text of a term without new declarations: subterms that the script does not know have some value.
    pub(crate) fn in_model(&mut self, terms: &Terms, t: TermId) -> Result<String> {
        self.declarations.frozen = true;
        let text = self.declarations.term(terms, t);
        self.declarations.frozen = false;
        debug_assert!(self.declarations.out.is_empty(), "frozen declarations declare nothing");
        text
    }

    /// Records that a term, given as a text, has this element of the current model as its value.
    pub(crate) fn note_element(&mut self, sort: SortId, number: u32, text: String) {
        self.declarations.in_model.entry((sort, number)).or_insert(text);
    }

    /// Forgets the elements of the last model.
    pub(crate) fn forget_elements(&mut self) {
        self.declarations.in_model.clear();
    }

    /// The constructor behind a name, without bars.
    pub(crate) fn constructor(&self, name: &str) -> Option<FuncId> {
        self.declarations.all().find_map(|(k, n)| match k {
            Key::Constructor(f, _) if n.trim_matches('|') == name => Some(*f),
            _ => None,
        })
    }

    /// The elements that terms mention: sort, number and text.
    pub(crate) fn elements(&self) -> Vec<(SortId, u32, String)> {
        let elements = self.declarations.all().filter_map(|(k, n)| match k {
            Key::Element(s, i) => Some((*s, *i, n.clone())),
            _ => None,
        });
        elements.collect()
    }
}
