//! The types of the C source, read from debug information: a test needs them to write down values.

use rustc_hash::FxHashMap;

use crate::llvm::ast::{MdValue, Module, NodeId};

/// Names a type in [`CTypes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CTypeId(u32);

/// A type of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CType {
    /// `void`.
    Void,
    /// An integer or character type.
    Int {
        /// As C writes it.
        name: String,
        /// Width in bits.
        bits: u32,
        /// Whether it has a sign.
        signed: bool,
        /// Whether it is `char`, so that arrays of it are text.
        is_char: bool,
    },
    /// `_Bool`.
    Bool,
    /// A floating-point type.
    Float {
        /// As C writes it.
        name: String,
        /// Width in bits.
        bits: u32,
    },
    /// A pointer.
    Pointer(CTypeId),
    /// An array.
    Array {
        /// What it consists of.
        element: CTypeId,
        /// How many; `None` if that is not said.
        count: Option<u64>,
    },
    /// A `struct` or `union`.
    Record {
        /// Its tag, if it has one.
        tag: Option<String>,
        /// Whether it is a `union`.
        is_union: bool,
        /// Its members, in order.
        fields: Vec<CField>,
        /// Its size in bytes; 0 if it is only declared.
        size: u64,
    },
    /// An `enum`.
    Enum {
        /// Its tag, if it has one.
        tag: Option<String>,
        /// Width in bits.
        bits: u32,
        /// Names and values.
        values: Vec<(String, i64)>,
    },
    /// A name for a type.
    Typedef {
        /// The name.
        name: String,
        /// The type.
        of: CTypeId,
    },
    /// `const`, `volatile` and the like.
    Qualified {
        /// The word.
        qualifier: &'static str,
        /// The type.
        of: CTypeId,
    },
    /// A function.
    Function {
        /// What it returns.
        ret: CTypeId,
        /// Its parameters.
        params: Vec<CTypeId>,
        /// Whether more may follow.
        varargs: bool,
    },
    /// Something that C cannot write, or that the debug information does not say.
    Unknown,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CField {
    /// Its name; empty for an anonymous member.
    pub name: String,
    /// Its type.
    pub ty: CTypeId,
    /// Where it begins, in bits.
    pub offset_bits: u64,
    /// Its width, if it is a bit-field.
    pub bit_field: Option<u32>,
}

/// The types of all modules.
#[derive(Clone, Default, Debug)]
pub struct CTypes {
    all: Vec<CType>,
    known: FxHashMap<(u32, NodeId), CTypeId>,
}

impl CTypes {
    /// A type.
    pub fn get(&self, id: CTypeId) -> &CType {
        &self.all[id.0 as usize]
    }

    /// The names of all types, and of the members of records and the values of enumerations.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().flat_map(|ty| {
            let (name, parts): (_, Vec<&str>) = match ty {
                CType::Typedef { name, .. } => (Some(name), Vec::new()),
                CType::Record { tag, fields, .. } => {
                    (tag.as_ref(), fields.iter().map(|f| &*f.name).collect())
                }
                CType::Enum { tag, values, .. } => {
                    (tag.as_ref(), values.iter().map(|(name, _)| &**name).collect())
                }
                _ => (None, Vec::new()),
            };
            name.map(String::as_str).into_iter().chain(parts)
        })
    }

    /// The type behind names and qualifiers.
    pub fn bare(&self, mut id: CTypeId) -> CTypeId {
        for _ in 0..64 {
            match self.get(id) {
                CType::Typedef { of, .. } | CType::Qualified { of, .. } => id = *of,
                _ => break,
            }
        }
        id
    }

    /// The type behind names and qualifiers.
    pub fn resolved(&self, id: CTypeId) -> &CType {
        self.get(self.bare(id))
    }

    /// The name of a record: its tag, or the name that a `typedef` gives to one without a tag.
    pub fn record_name(&self, mut id: CTypeId) -> Option<&str> {
        let mut name = None;
        for _ in 0..64 {
            match self.get(id) {
                CType::Typedef { name: given, of } => (name, id) = (Some(given.as_str()), *of),
                CType::Qualified { of, .. } => id = *of,
                CType::Record { tag, .. } => return tag.as_deref().or(name),
                _ => return None,
            }
        }
        None
    }

    /// The size in bytes; 0 if it is not known.
    pub fn size(&self, id: CTypeId, pointer_bytes: u64) -> u64 {
        match self.resolved(id) {
            CType::Int { bits, .. } | CType::Float { bits, .. } | CType::Enum { bits, .. } => {
                u64::from(*bits).div_ceil(8)
            }
            CType::Bool => 1,
            CType::Pointer(_) => pointer_bytes,
            CType::Array { element, count } => self.size(*element, pointer_bytes) * count.unwrap_or(0),
            CType::Record { size, .. } => *size,
            _ => 0,
        }
    }

    /// Whether a pointer is so many bytes behind the beginning of something of a type, also as one member of a union.
    pub fn has_pointer_at(&self, id: CTypeId, offset: u64, pointer_bytes: u64) -> bool {
        match self.resolved(id) {
            CType::Pointer(_) => offset == 0,
            CType::Array { element, .. } => match self.size(*element, pointer_bytes) {
                0 => false,
                size => self.has_pointer_at(*element, offset % size, pointer_bytes),
            },
            CType::Record { fields, .. } => fields.iter().any(|field| {
                let behind = offset.checked_sub(field.offset_bits / 8);
                let behind = behind.filter(|&at| at < self.size(field.ty, pointer_bytes));
                behind.is_some_and(|at| self.has_pointer_at(field.ty, at, pointer_bytes))
            }),
            _ => false,
        }
    }

    /// A signed integer type of so many bits, if the sources have one; no character type.
    pub fn signed_integer(&self, bits: u32) -> Option<CTypeId> {
        let is_it =
            |ty: &CType| matches!(ty, CType::Int { bits: b, signed: true, is_char: false, .. } if *b == bits);
        let at = self.all.iter().position(is_it)?;
        Some(CTypeId(u32::try_from(at).ok()?))
    }

    /// An array of bytes.
    pub fn bytes(&mut self, count: u64) -> CTypeId {
        let name = "unsigned char".to_owned();
        let element = self.add(CType::Int { name, bits: 8, signed: false, is_char: false });
        self.add(CType::Array { element, count: Some(count) })
    }

    /// Adds a type that no debug information names.
    pub fn add(&mut self, ty: CType) -> CTypeId {
        self.all.push(ty);
        CTypeId(self.all.len() as u32 - 1)
    }

    /// The type that a node of the debug information describes; no node is `void`.
    pub fn read(&mut self, m: u32, module: &Module, node: Option<NodeId>) -> CTypeId {
        let Some(node) = node else { return self.add(CType::Void) };
        if let Some(&known) = self.known.get(&(m, node)) {
            return known;
        }
        // A type may contain itself through a pointer, so it has its name before it is known.
        let id = self.add(CType::Unknown);
        self.known.insert((m, node), id);
        let ty = self.describe(m, module, node);
        self.all[id.0 as usize] = ty;
        id
    }

    fn describe(&mut self, m: u32, module: &Module, node: NodeId) -> CType {
        let view = module.node(node).with(&module.names);
        let bits = view.u64("size").unwrap_or(0) as u32;
        match view.kind() {
            "DIBasicType" => {
                basic(view.string("name").unwrap_or(""), view.word("encoding").unwrap_or(""), bits)
            }
            "DIDerivedType" => {
                let base = view.node("baseType");
                let tag = view.word("tag").unwrap_or("").to_owned();
                let name = view.string("name").unwrap_or("").to_owned();
                let of = self.read(m, module, base);
                match tag.as_str() {
                    "DW_TAG_pointer_type" => CType::Pointer(of),
                    "DW_TAG_typedef" => CType::Typedef { name, of },
                    "DW_TAG_const_type" => CType::Qualified { qualifier: "const", of },
                    "DW_TAG_volatile_type" => CType::Qualified { qualifier: "volatile", of },
                    "DW_TAG_restrict_type" | "DW_TAG_atomic_type" => CType::Qualified { qualifier: "", of },
                    _ => CType::Unknown,
                }
            }
            "DICompositeType" => self.composite(m, module, node),
            "DISubroutineType" => {
                let list = view.node("types").map(|n| self.list(module, n)).unwrap_or_default();
                let mut types = list.into_iter();
                let ret = self.read(m, module, types.next().flatten());
                let mut params: Vec<Option<NodeId>> = types.collect();
                let varargs = params.last() == Some(&None);
                if varargs {
                    params.pop();
                }
                let params = params.into_iter().map(|p| self.read(m, module, p)).collect();
                CType::Function { ret, params, varargs }
            }
            _ => CType::Unknown,
        }
    }

    fn composite(&mut self, m: u32, module: &Module, node: NodeId) -> CType {
        let view = module.node(node).with(&module.names);
        let bits = view.u64("size").unwrap_or(0);
        let tag = view.string("name").filter(|n| !n.is_empty()).map(str::to_owned);
        let elements = view.node("elements").map(|n| self.list(module, n)).unwrap_or_default();
        match view.word("tag").unwrap_or("") {
            "DW_TAG_array_type" => {
                let mut element = self.read(m, module, view.node("baseType"));
                // The last dimension is the innermost.
                for dimension in elements.into_iter().flatten().rev() {
                    let range = module.node(dimension).with(&module.names);
                    let count = range.i64("count").and_then(|n| u64::try_from(n).ok());
                    element = self.add(CType::Array { element, count });
                }
                self.get(element).clone()
            }
            "DW_TAG_enumeration_type" => {
                let values = elements
                    .into_iter()
                    .flatten()
                    .filter_map(|n| {
                        let e = module.node(n).with(&module.names);
                        Some((e.string("name")?.to_owned(), e.i64("value")?))
                    })
                    .collect();
                CType::Enum { tag, bits: bits as u32, values }
            }
            kind @ ("DW_TAG_structure_type" | "DW_TAG_union_type" | "DW_TAG_class_type") => {
                let is_union = kind == "DW_TAG_union_type";
                let mut fields = Vec::new();
                for member in elements.into_iter().flatten() {
                    let view = module.node(member).with(&module.names);
                    if view.word("tag") != Some("DW_TAG_member") {
                        continue;
                    }
                    let flags: Vec<&str> = view
                        .field("flags")
                        .map_or(Vec::new(), |f| f.as_flags().iter().map(|&w| module.text(w)).collect());
                    let width = view.u64("size").unwrap_or(0) as u32;
                    let bit_field = flags.contains(&"DIFlagBitField").then_some(width);
                    let name = view.string("name").unwrap_or("").to_owned();
                    let offset_bits = view.u64("offset").unwrap_or(0);
                    let ty = self.read(m, module, view.node("baseType"));
                    fields.push(CField { name, ty, offset_bits, bit_field });
                }
                CType::Record { tag, is_union, fields, size: bits / 8 }
            }
            _ => CType::Unknown,
        }
    }

    /// The nodes of a tuple, `None` for `null`.
    fn list(&self, module: &Module, tuple: NodeId) -> Vec<Option<NodeId>> {
        module
            .node(tuple)
            .fields
            .iter()
            .map(|f| match &f.value {
                MdValue::Node(id) => Some(*id),
                _ => None,
            })
            .collect()
    }
}

fn basic(name: &str, encoding: &str, bits: u32) -> CType {
    let name = name.to_owned();
    match encoding {
        "DW_ATE_boolean" => CType::Bool,
        "DW_ATE_float" => CType::Float { name, bits },
        "DW_ATE_signed" => CType::Int { name, bits, signed: true, is_char: false },
        "DW_ATE_unsigned" => CType::Int { name, bits, signed: false, is_char: false },
        "DW_ATE_signed_char" => {
            let is_char = name == "char";
            CType::Int { name, bits, signed: true, is_char }
        }
        "DW_ATE_unsigned_char" => {
            let is_char = name == "char";
            CType::Int { name, bits, signed: false, is_char }
        }
        _ => CType::Unknown,
    }
}
