//! Attributes of functions, parameters and results.

use super::{Name, TypeId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Names a list of attributes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct AttrsId(pub(in crate::llvm) u32);

impl AttrsId {
    /// The empty list.
    pub const NONE: AttrsId = AttrsId(0);
}

/// One attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attr {
    /// Its name; of a group, the number.
    pub name: Name,
    /// What it says besides.
    pub value: AttrValue,
}

/// What an attribute says besides its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AttrValue {
    /// Nothing: `noundef`.
    None,
    /// A number: `align 8`, `dereferenceable(16)`.
    Int(u64),
    /// A type: `byval(%struct.s)`.
    Type(TypeId),
    /// A string: `"frame-pointer"="all"`.
    String(Name),
    /// What is in parentheses, as it is written: `memory(argmem: read)`, `range(i32 0, 10)`.
    Text(Name),
    /// No attribute itself, but all those of the group with this number.
    Group(u32),
}

/// The attribute lists of a module.
#[derive(Clone, Debug)]
pub struct Attrs {
    lists: IndexSet<Box<[Attr]>, FxBuildHasher>,
}

impl Default for Attrs {
    fn default() -> Attrs {
        Attrs { lists: std::iter::once(Box::from([])).collect() }
    }
}

impl Attrs {
    /// The attributes of a list.
    pub fn get(&self, id: AttrsId) -> &[Attr] {
        self.lists.get_index(id.0 as usize).map_or(&[], |list| list)
    }

    /// The list with these attributes, which is added if it is new.
    pub fn add(&mut self, list: &[Attr]) -> AttrsId {
        let index = match self.lists.get_index_of(list) {
            Some(index) => index,
            None => self.lists.insert_full(list.into()).0,
        };
        AttrsId(index as u32)
    }
}
