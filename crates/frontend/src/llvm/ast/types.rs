//! Types, hash-consed: equal types have equal ids.

use super::Name;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Names a type of the module. Types without names of their own are equal if these are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub(in crate::llvm) u32);

impl TypeId {
    /// The type `void`, which every module has.
    pub const VOID: TypeId = TypeId(0);
    /// The type `i1`, which every module has.
    pub const I1: TypeId = TypeId(1);
    /// The type `ptr`, which every module has.
    pub const PTR: TypeId = TypeId(2);
    /// The type `label`, which every module has.
    pub const LABEL: TypeId = TypeId(3);
    /// The type `metadata`, which every module has.
    pub const METADATA: TypeId = TypeId(4);
    /// The type `token`, which every module has.
    pub const TOKEN: TypeId = TypeId(5);

    /// The position in the table of types.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a type `%name`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NamedTypeId(pub(in crate::llvm) u32);

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// No value.
    Void,
    /// An integer of this many bits.
    Int(u32),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer.
    Ptr {
        /// The address space; 0 is the ordinary one.
        addrspace: u32,
        /// What it points to, in the dialect before LLVM 15 that says so.
        pointee: Option<TypeId>,
    },
    /// `[4 x i8]`.
    Array(u64, TypeId),
    /// `<4 x i8>`.
    Vector {
        /// How many elements; a multiple of this many if it is scalable.
        len: u32,
        /// What they are.
        element: TypeId,
        /// Whether the target decides how many there are (`vscale x`).
        scalable: bool,
    },
    /// A structure without a name of its own.
    Struct {
        /// The types of its fields.
        fields: Box<[TypeId]>,
        /// Whether there is no padding.
        packed: bool,
    },
    /// A type with a name; [`Types::named`] has its body.
    Named(NamedTypeId),
    /// A function.
    Function {
        /// The type of the result.
        ret: TypeId,
        /// The types of the parameters.
        params: Box<[TypeId]>,
        /// Whether more arguments may follow.
        varargs: bool,
    },
    /// A block.
    Label,
    /// Metadata as an operand.
    Metadata,
    /// What ties exception handling and coroutines together.
    Token,
    /// `x86_mmx`, `x86_amx`, `target("…")`: of interest to one target only; the word says which.
    Special(Name),
}

/// The formats of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    /// IEEE, 16 bits.
    Half,
    /// Truncated `Float`, 16 bits.
    Bfloat,
    /// IEEE, 32 bits.
    Float,
    /// IEEE, 64 bits.
    Double,
    /// x87, 80 bits.
    X86Fp80,
    /// IEEE, 128 bits.
    Fp128,
    /// Two doubles.
    PpcFp128,
}

impl FloatKind {
    /// How many bits have a meaning.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::Bfloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
        }
    }
}

/// A type with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedType {
    /// Its name, without `%`; of an unnamed one, its number.
    pub name: Name,
    /// What it stands for; `None` if it is `opaque` or never defined.
    pub body: Option<TypeId>,
}

/// The types of a module.
#[derive(Clone, Debug)]
pub struct Types {
    kinds: IndexSet<TypeKind, FxBuildHasher>,
    named: Vec<NamedType>,
    by_name: FxHashMap<Name, TypeId>,
}

impl Default for Types {
    fn default() -> Types {
        let always = [
            TypeKind::Void,
            TypeKind::Int(1),
            TypeKind::Ptr { addrspace: 0, pointee: None },
            TypeKind::Label,
            TypeKind::Metadata,
            TypeKind::Token,
        ];
        Types { kinds: always.into_iter().collect(), named: Vec::new(), by_name: FxHashMap::default() }
    }
}

impl Types {
    /// What a type is.
    pub fn kind(&self, id: TypeId) -> &TypeKind {
        self.kinds.get_index(id.index()).unwrap_or(&TypeKind::Void)
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Never: some types always exist.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The names of all types.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.kinds.len() as u32).map(TypeId)
    }

    /// What a type is, looking through names; the kind `Named` is left only for opaque types.
    pub fn resolved(&self, id: TypeId) -> &TypeKind {
        self.kind(self.resolve(id))
    }

    /// The type behind a name. A named type that stands for another named type (which no compiler writes) is
    /// resolved a few steps deep, so that a circle ends.
    pub fn resolve(&self, mut id: TypeId) -> TypeId {
        for _ in 0..8 {
            let TypeKind::Named(name) = self.kind(id) else { break };
            let Some(body) = self.named(*name).body else { break };
            id = body;
        }
        id
    }

    /// A type with a name.
    pub fn named(&self, id: NamedTypeId) -> &NamedType {
        &self.named[id.0 as usize]
    }

    /// All types with names.
    pub fn all_named(&self) -> &[NamedType] {
        &self.named
    }

    /// The type `%name`, if it is mentioned.
    pub fn find_named(&self, name: Name) -> Option<TypeId> {
        self.by_name.get(&name).copied()
    }

    /// The type of this kind, which is added if it is new.
    pub fn add(&mut self, kind: TypeKind) -> TypeId {
        let index = match self.kinds.get_index_of(&kind) {
            Some(index) => index,
            None => self.kinds.insert_full(kind).0,
        };
        TypeId(index as u32)
    }

    /// The type `%name`, which is added without a body if it is new.
    pub fn add_named(&mut self, name: Name) -> TypeId {
        if let Some(&id) = self.by_name.get(&name) {
            return id;
        }
        let named = NamedTypeId(self.named.len() as u32);
        self.named.push(NamedType { name, body: None });
        let id = self.add(TypeKind::Named(named));
        self.by_name.insert(name, id);
        id
    }

    /// Says what the type `%name` stands for.
    pub fn define(&mut self, name: Name, body: Option<TypeId>) {
        let id = self.add_named(name);
        if let TypeKind::Named(named) = *self.kind(id) {
            self.named[named.0 as usize].body = body;
        }
    }

    /// The integer type with this many bits.
    pub fn int(&mut self, bits: u32) -> TypeId {
        self.add(TypeKind::Int(bits))
    }

    /// How many bits an integer type has; `None` for other types.
    pub fn int_bits(&self, id: TypeId) -> Option<u32> {
        match self.resolved(id) {
            TypeKind::Int(bits) => Some(*bits),
            _ => None,
        }
    }

    /// Whether this is a pointer.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Ptr { .. })
    }

    /// What an aggregate or vector consists of at a position.
    pub fn element(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.resolved(id) {
            TypeKind::Array(_, element) | TypeKind::Vector { element, .. } => Some(*element),
            TypeKind::Struct { fields, .. } => fields.get(usize::try_from(index).ok()?).copied(),
            _ => None,
        }
    }
}
