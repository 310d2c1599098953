//! Values: locals, constants, and the names of blocks.

use super::{InstKind, MdValue, Name, TypeId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// Names a parameter, or the result of an instruction, of the function it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);

impl LocalId {
    /// The position in the function's locals.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a block of the function it stands in, by its position in the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockIx(pub u32);

impl BlockIx {
    /// The position in the function's blocks.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a local or a block is called in the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LocalName {
    /// It has a name, here without `%`.
    Named(Name),
    /// It has none, and this is its number.
    Number(u32),
}

/// Names a constant of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstId(pub(in crate::llvm) u32);

/// An operand: a value with its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Operand {
    /// Its type, as the text says it; of a local, also the type of its definition.
    pub ty: TypeId,
    /// The value.
    pub value: Value,
}

/// A value of which the context tells the type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A parameter or the result of an instruction.
    Local(LocalId),
    /// A constant, or metadata as an operand.
    Const(ConstId),
}

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub struct Const {
    /// Its type.
    pub ty: TypeId,
    /// Its value.
    pub kind: ConstKind,
}

/// The kinds of constants.
#[derive(Clone, PartialEq, Debug)]
pub enum ConstKind {
    /// An integer as it is written: `i8 -1` and `i8 255` are the same. `true` is 1, `false` is 0.
    Int(i64),
    /// An integer that does not fit 64 bits.
    BigInt(Box<BigInt>),
    /// A floating-point number by its bits, in the format of the type. x87 numbers use the lower 80 bits.
    Float(u128),
    /// `null`.
    Null,
    /// `none`, of type `token`.
    None,
    /// `undef`.
    Undef,
    /// `poison`.
    Poison,
    /// `zeroinitializer`.
    Zero,
    /// The elements of an array, structure or vector.
    Aggregate(Box<[ConstId]>),
    /// A vector with this constant in every element.
    Splat(ConstId),
    /// An array of `i8`, from `c"…"`.
    Bytes(Box<[u8]>),
    /// The address of a global variable, alias or function.
    Global(Name),
    /// The address of a block.
    BlockAddress {
        /// The function.
        function: Name,
        /// The block's name in the text of that function.
        block: LocalName,
    },
    /// The address of something that does the same as the function (`dso_local_equivalent`, `no_cfi`).
    Equivalent(Name),
    /// A constant expression: an instruction all of whose operands are constants.
    Expr(Box<InstKind>),
    /// A pointer with an authentication code (`ptrauth`); the first operand is the pointer.
    PtrAuth(Box<[ConstId]>),
    /// Inline assembly, which stands only as a callee.
    Asm(Box<InlineAsm>),
    /// Metadata as an operand, of type `metadata`.
    Metadata(Box<MdValue>),
}

/// `asm sideeffect "…", "…"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineAsm {
    /// The instructions.
    pub template: Name,
    /// Which operand goes where.
    pub constraints: Name,
    /// Whether it does more than its results say.
    pub side_effect: bool,
}

/// The constants of a module. Numbers, names and the like are interned, aggregates are not.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    all: Vec<Const>,
    simple: FxHashMap<Simple, ConstId>,
}

/// A constant that is interned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Simple {
    Int(TypeId, i64),
    Global(TypeId, Name),
    /// A constant that consists of its kind only.
    Plain(TypeId, u8),
}

impl Constants {
    /// The constant called `id`.
    pub fn get(&self, id: ConstId) -> &Const {
        &self.all[id.0 as usize]
    }

    /// How many constants there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are no constants.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds a constant.
    pub fn add(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        let simple = match kind {
            ConstKind::Int(value) => Simple::Int(ty, value),
            ConstKind::Global(name) => Simple::Global(ty, name),
            ConstKind::Null => Simple::Plain(ty, 0),
            ConstKind::None => Simple::Plain(ty, 1),
            ConstKind::Undef => Simple::Plain(ty, 2),
            ConstKind::Poison => Simple::Plain(ty, 3),
            ConstKind::Zero => Simple::Plain(ty, 4),
            _ => return self.push(ty, kind),
        };
        if let Some(&id) = self.simple.get(&simple) {
            return id;
        }
        let id = self.push(ty, kind);
        self.simple.insert(simple, id);
        id
    }

    /// Makes the addresses of globals those of others.
    pub(in crate::llvm) fn rename_globals(&mut self, renamed: &FxHashMap<Name, Name>) {
        for constant in &mut self.all {
            if let ConstKind::Global(name) = &mut constant.kind
                && let Some(&other) = renamed.get(name)
            {
                *name = other;
            }
        }
    }

    fn push(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        self.all.push(Const { ty, kind });
        ConstId(self.all.len() as u32 - 1)
    }
}
