//! String interning: names of symbols and values, words, strings.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// An interned text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(pub(in crate::llvm) u32);

/// The strings of the [`Name`]s.
///
/// Escapes such as `\22` are resolved. A text that is not UTF-8 then is kept with its escapes.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: IndexSet<Box<str>, FxBuildHasher>,
}

impl Names {
    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.texts.get_index(name.0 as usize).map_or("", |text| text)
    }

    /// The name with this text, if there is one.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.texts.get_index_of(text).map(|index| Name(index as u32))
    }

    /// The name with this text, which is added if it is new.
    pub fn add(&mut self, text: &str) -> Name {
        let index = match self.texts.get_index_of(text) {
            Some(index) => index,
            None => self.texts.insert_full(text.into()).0,
        };
        Name(index as u32)
    }
}
