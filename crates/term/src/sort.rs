//! Sorts: the types of terms.
//!
//! A sort is a [`SortId`] into the arena [`Terms`](crate::Terms); equal sorts have equal indices. The only binder
//! among sorts is the polymorphic map `<a>[D]R`; its parameters are de Bruijn indices ([`Sort::Bound`]), so that two
//! maps that differ in the name of a parameter are the same sort. The type parameters of functions, procedures and
//! quantifiers are globally unique variables ([`Sort::Var`]).

use std::sync::Arc;

/// The id of a sort in [`Terms`](crate::Terms).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortId(pub(crate) u32);

/// The id of a type constructor, such as `Field` with one parameter, or `ref` with none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortCtorId(pub u32);

/// The id of a type variable: a type parameter of a function, a procedure or a quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeVarId(pub u32);

impl SortId {
    /// `bool`; the same in every arena.
    pub const BOOL: SortId = SortId(0);
    /// `int`, unbounded.
    pub const INT: SortId = SortId(1);
    /// `real`.
    pub const REAL: SortId = SortId(2);

    /// The position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The structure of a sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// Real numbers.
    Real,
    /// Bit-vectors of a width in bits; width 0 is legal in Boogie.
    BitVec(u32),
    /// IEEE floating point.
    Float {
        /// Width of the exponent in bits.
        exponent: u32,
        /// Width of the significand in bits, the hidden bit included.
        significand: u32,
    },
    /// Rounding modes of floating-point operations.
    RoundingMode,
    /// Unicode strings.
    String,
    /// Regular expressions over strings.
    RegEx,
    /// A type constructor applied to as many sorts as it has parameters.
    Ctor(SortCtorId, Vec<SortId>),
    /// Total maps.
    Map {
        /// How many type parameters the map binds; 0 for the ordinary map.
        params: u32,
        /// Sorts of the indices; a map without indices is legal.
        domain: Vec<SortId>,
        /// Sort of the elements.
        range: SortId,
    },
    /// A type variable.
    Var(TypeVarId),
    /// A parameter of an enclosing polymorphic map: `depth` binders out, counted from 0, number `index`.
    Bound {
        /// The number of binders in between.
        depth: u32,
        /// The number of the parameter in that binder.
        index: u32,
    },
}

/// A declared type constructor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortCtor {
    /// The name in the source.
    pub name: Arc<str>,
    /// How many sorts it is applied to.
    pub arity: u32,
    /// The constructor functions if this is an algebraic datatype, none for an uninterpreted sort.
    pub constructors: Vec<crate::FuncId>,
}
