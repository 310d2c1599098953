//! What the inputs of a harness mean: a test is the values of its parameters and the contents of memory at its entry.
//!
//! Example: for `int length(struct list *l)` there is a parameter that says whether `l` is null, an object of `struct list`
//! that it points to, and a link in it, the member `next`, which may lead to two objects.
//!
//! **Direction of error.** None: what is said here is what the procedure of the harness assumes.

use std::collections::BTreeMap;
use std::sync::Arc;

use footpath_ir::ProcId;
use footpath_term::SymbolId;

use super::super::source::c_types::CTypeId;

/// How many times as many elements arrays have in [`Harness::longer`].
pub const LONGER: u32 = 4;

/// How many times the usual number of elements an array of bytes has in [`Harness::longest`]: a line of text, with what its reader does
/// when its own buffer is full.
pub const LONGEST: u32 = 64;

/// A procedure that calls a function with arbitrary inputs, and what the inputs mean.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The procedure.
    pub procedure: ProcId,
    /// The same with room for four times as many elements in arrays, and with aliasing wherever the types allow it;
    /// `None` if neither makes a difference. It has the same parameters: inputs of the one are inputs of the other.
    pub longer: Option<ProcId>,
    /// The same as [`Self::longer`] with [`LONGEST`] times the usual number of elements in arrays of bytes, and lists that lead back
    /// wherever the types allow it, for inputs that are not searched for but come from elsewhere, such as a fuzzer; `None` if it makes
    /// no difference.
    pub longest: Option<ProcId>,
    /// Whether pointers may alias in [`Self::procedure`].
    pub may_alias: bool,
    /// The function's parameters.
    pub params: Vec<InputParam>,
    /// The variable arguments, if the function reads them.
    pub arguments: Option<InputArguments>,
    /// The objects that inputs may point to.
    pub objects: Vec<InputObject>,
    /// The pointers in memory at entry; those that are not described here are null.
    pub links: Vec<InputLink>,
    /// The variables of the program that are inputs.
    pub settings: Vec<Setting>,
    /// The variables in memory that have their initial values, as the source names them.
    pub tables: Vec<InputObject>,
    /// What the function returns.
    pub ret: CTypeId,
    /// The number of the object that the function writes a structure to that it returns, if it does not return it in
    /// registers.
    pub written: Option<u32>,
    /// Whether there are inputs that the harness does not make: larger arrays, deeper structures.
    pub bounded: bool,
    /// Whether pointers that lie deeper than pointers are followed lead to no objects of their own in [`Self::procedure`].
    pub is_cut: bool,
    /// Whether links that could lead back do so in [`Self::longest`] only.
    pub is_acyclic: bool,
    /// Whether lists are longer in [`Self::longer`].
    pub has_longer_lists: bool,
    /// The variables that have their initial values, although earlier calls may have left others there: they keep
    /// their values between calls, and tests cannot set them.
    pub frozen: Vec<String>,
    /// Whether the parameters are those of a whole program's `main`: the number of arguments of the command line, at least one,
    /// the list of them, and the environment.
    pub is_command_line: bool,
    /// For a whole program without command-line arguments, the procedure that calls the function with arbitrary
    /// memory apart from the initial values of variables: every run of the program is a run of it.
    pub any_memory: Option<ProcId>,
    /// Names of functions and variables by their object numbers.
    pub names: Arc<BTreeMap<u32, String>>,
    /// The number of the first object that is made during the run: those before it are the harness's and the program's.
    pub first_made: u32,
}

impl Harness {
    /// The procedure that accepts all inputs, including long arrays.
    pub fn widest(&self) -> ProcId {
        self.longest.or(self.longer).unwrap_or(self.procedure)
    }

    /// The parameters of the procedure that hold numbers of elements of arrays, which, unlike most inputs, may not be
    /// zero.
    pub fn counts(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.objects.iter().filter_map(|object| object.count)
    }
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct InputParam {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: CTypeId,
    /// The parameter of the procedure with its value; for a pointer, with whether it is null.
    pub symbol: SymbolId,
    /// What a pointer points to if it is not null.
    pub object: Option<usize>,
    /// Whether a pointer may be null.
    pub nullable: bool,
    /// The numbers of the functions that a pointer to a function may point to.
    pub functions: Vec<u32>,
    /// The objects of other pointers that it may point into.
    pub sharing: Option<InputSharing>,
}

impl InputParam {
    /// A parameter that is no pointer.
    pub(super) fn plain(name: &str, ty: CTypeId, symbol: SymbolId) -> InputParam {
        let functions = Vec::new();
        InputParam {
            name: name.to_owned(),
            ty,
            symbol,
            object: None,
            nullable: false,
            functions,
            sharing: None,
        }
    }
}

/// The variable arguments that a function is called with.
#[derive(Clone, Debug)]
pub struct InputArguments {
    /// The object that they lie in.
    pub object: InputObject,
    /// The offsets of whole numbers and addresses, each as wide as an address, in the order in which they are passed.
    pub general: Vec<u64>,
    /// The offsets of those floating-point numbers of 64 bits that are apart from the former, in their order.
    pub numbers: Vec<u64>,
}

/// The objects of other pointers that a pointer may point into.
#[derive(Clone, Debug)]
pub struct InputSharing {
    /// The parameter of the procedure that says which of them.
    pub into: SymbolId,
    /// The parameter of the procedure that says to which element.
    pub at: SymbolId,
    /// The objects: the pointer's own, and those of other pointers.
    pub objects: Vec<usize>,
    /// Whether it may point to other elements of its own object than the first.
    pub joined: bool,
    /// Whether the program compares addresses there, which says nothing about pointers into different objects.
    pub compared: bool,
    /// Those of [`Self::objects`] that another parameter leads to with which the program may compare this one: it means both to lead
    /// into one object.
    pub met: Vec<usize>,
}

/// A pointer in memory at entry, and what it may lead to besides being null.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputLink {
    /// The number of the object or variable that it lies in.
    pub object: u32,
    /// Where it lies there, in bytes.
    pub offset: u64,
    /// What it may lead to: numbers of objects, variables and functions, with offsets in bytes.
    pub targets: Vec<(u32, u64)>,
    /// Sentinel values: numbers that it may be, as the program compares it with them.
    pub sentinels: Vec<u64>,
    /// The objects of other pointers that it may lead into.
    pub into: Option<LinkInto>,
    /// Whether it may be any number, too, as another member of a union is one.
    pub or_number: bool,
}

/// The objects of other pointers that a pointer in memory may lead into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkInto {
    /// The parameter of the procedure that says to which element.
    pub at: SymbolId,
    /// Bytes of an element.
    pub element: u64,
    /// The numbers of the objects.
    pub objects: Vec<u32>,
    /// Whether the program compares addresses there, as in [`InputSharing::compared`].
    pub compared: bool,
}

/// An object that an input points to.
#[derive(Clone, Debug)]
pub struct InputObject {
    /// The access path to it, from a parameter or variable, such as `list.next`.
    pub name: String,
    /// Its number in pointers.
    pub number: u32,
    /// What it consists of.
    pub element: CTypeId,
    /// Whether the pointer to it is one to `void` in the source, so that it is bytes here only.
    pub is_untyped: bool,
    /// The parameter of the procedure that holds the number of elements; `None` if there is one element.
    pub count: Option<SymbolId>,
    /// The largest number of elements in [`Harness::procedure`]; in [`Harness::longer`] it is [`LONGER`] times as large.
    pub most: u32,
    /// The same in [`Harness::widest`].
    pub widest: u32,
    /// Where its contents are: the map, and how many bytes a cell has; `None` if the program never accesses them.
    pub memory: Option<(SymbolId, u64)>,
}

/// A variable of the program that is an input.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its name; `f::x` of a static variable of a function, as debuggers say.
    pub name: String,
    /// Its name for the linker, if it has no name in the source file that tests include.
    pub symbol: Option<String>,
    /// Its type.
    pub ty: CTypeId,
    /// Where its value is.
    pub value: SettingValue,
    /// The numbers of the objects and functions that a pointer in program variables may point to.
    pub targets: Vec<u32>,
}

/// Where the value of a variable is.
#[derive(Clone, Debug)]
pub enum SettingValue {
    /// In program variables: one, or two for a pointer.
    Variables(Vec<SymbolId>),
    /// In memory, as an object of this number.
    Memory {
        /// The number.
        number: u32,
        /// The map and how many bytes a cell has.
        memory: Option<(SymbolId, u64)>,
    },
}
