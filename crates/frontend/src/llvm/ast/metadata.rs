//! Metadata: debug information and hints, represented without knowledge of their kinds.

use super::{Name, Names, Operand};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// Names a metadata node of the module. Not the number in the text, which not all nodes have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(in crate::llvm) u32);

/// A node.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What kind of node it is.
    pub kind: NodeKind,
    /// Whether it is different from all nodes with the same contents.
    pub distinct: bool,
    /// What it says, in the order of the text.
    pub fields: Vec<Field>,
    /// Its number in the text; nodes written in place have none.
    pub number: Option<u32>,
    /// Where it stands in the text.
    pub start: u32,
}

/// What kind of node it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// It is mentioned, but was not (yet) read.
    Missing,
    /// `!{ … }`; its fields have no names.
    Tuple,
    /// `!DILocation(…)` and the like; the name is without `!`.
    Specialised(Name),
}

/// One field of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its name; tuples and expressions have fields without.
    pub name: Option<Name>,
    /// Its value.
    pub value: MdValue,
}

/// What stands in a field.
#[derive(Clone, PartialEq, Debug)]
pub enum MdValue {
    /// `null`.
    Null,
    /// Another node.
    Node(NodeId),
    /// A number.
    Int(i64),
    /// A number that does not fit 64 bits with a sign.
    BigInt(Box<BigInt>),
    /// `true` or `false`.
    Bool(bool),
    /// `"…"` or `!"…"`.
    String(Name),
    /// A word: `DW_TAG_member`, `FullDebug`.
    Word(Name),
    /// Words joined by `|`.
    Flags(Box<[Name]>),
    /// A value of the program.
    Value(Operand),
    /// Several values in parentheses, braces or after one another.
    List(Box<[MdValue]>),
}

impl MdValue {
    /// The node, if it is one.
    pub fn as_node(&self) -> Option<NodeId> {
        match self {
            MdValue::Node(id) => Some(*id),
            _ => None,
        }
    }

    /// The number, if it is one that fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            MdValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is one that fits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            MdValue::Int(value) => u64::try_from(*value).ok(),
            MdValue::BigInt(value) => u64::try_from(value.as_ref()).ok(),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            MdValue::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_string(&self) -> Option<Name> {
        match self {
            MdValue::String(text) => Some(*text),
            _ => None,
        }
    }

    /// The word, if it is a single one.
    pub fn as_word(&self) -> Option<Name> {
        match self {
            MdValue::Word(word) => Some(*word),
            _ => None,
        }
    }

    /// The words: one, or those joined by `|`.
    pub fn as_flags(&self) -> &[Name] {
        match self {
            MdValue::Word(word) => std::slice::from_ref(word),
            MdValue::Flags(words) => words,
            _ => &[],
        }
    }

    /// The value of the program, if it is one.
    pub fn as_value(&self) -> Option<Operand> {
        match self {
            MdValue::Value(value) => Some(*value),
            _ => None,
        }
    }
}

impl Node {
    /// The field called `name`.
    pub fn field_named(&self, name: Name) -> Option<&MdValue> {
        self.fields.iter().find(|field| field.name == Some(name)).map(|field| &field.value)
    }

    /// The value at a position; meant for tuples and expressions.
    pub fn operand(&self, index: usize) -> Option<&MdValue> {
        self.fields.get(index).map(|field| &field.value)
    }

    /// A view that knows the texts, so that fields can be asked for by their names.
    pub fn with<'a>(&'a self, names: &'a Names) -> NodeView<'a> {
        NodeView { node: self, names }
    }
}

/// A node together with the texts it is written in.
#[derive(Clone, Copy, Debug)]
pub struct NodeView<'a> {
    /// The node.
    pub node: &'a Node,
    names: &'a Names,
}

impl<'a> NodeView<'a> {
    /// `DILocation` and the like; empty for tuples and missing nodes.
    pub fn kind(&self) -> &'a str {
        match self.node.kind {
            NodeKind::Specialised(name) => self.names.text(name),
            NodeKind::Tuple | NodeKind::Missing => "",
        }
    }

    /// The field called `name`.
    pub fn field(&self, name: &str) -> Option<&'a MdValue> {
        self.node.field_named(self.names.find(name)?)
    }

    /// The number in a field.
    pub fn u64(&self, name: &str) -> Option<u64> {
        self.field(name)?.as_u64()
    }

    /// The number in a field.
    pub fn i64(&self, name: &str) -> Option<i64> {
        self.field(name)?.as_i64()
    }

    /// The truth value in a field.
    pub fn bool(&self, name: &str) -> Option<bool> {
        self.field(name)?.as_bool()
    }

    /// The string in a field.
    pub fn string(&self, name: &str) -> Option<&'a str> {
        Some(self.names.text(self.field(name)?.as_string()?))
    }

    /// The word in a field.
    pub fn word(&self, name: &str) -> Option<&'a str> {
        Some(self.names.text(self.field(name)?.as_word()?))
    }

    /// The node that a field refers to.
    pub fn node(&self, name: &str) -> Option<NodeId> {
        self.field(name)?.as_node()
    }
}

/// The metadata nodes of a module.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    nodes: Vec<Node>,
    by_number: FxHashMap<u32, NodeId>,
    /// Named metadata such as `!llvm.dbg.cu`, in the order of the text.
    pub named: Vec<(Name, Vec<NodeId>)>,
}

impl Metadata {
    /// The node called `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The node with this number in the text.
    pub fn numbered(&self, number: u32) -> Option<NodeId> {
        self.by_number.get(&number).copied()
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node))
    }

    /// The nodes that the named metadata `name` lists.
    pub fn list(&self, name: Name) -> &[NodeId] {
        self.named.iter().find(|(found, _)| *found == name).map_or(&[], |(_, list)| list)
    }

    /// The node with this number, which is added as missing if it is new.
    pub fn mention(&mut self, number: u32) -> NodeId {
        if let Some(&id) = self.by_number.get(&number) {
            return id;
        }
        let missing = Node {
            kind: NodeKind::Missing,
            distinct: false,
            fields: Vec::new(),
            number: Some(number),
            start: 0,
        };
        let id = self.add(missing);
        self.by_number.insert(number, id);
        id
    }

    /// Adds a node, or says what the node with its number is.
    pub fn add(&mut self, node: Node) -> NodeId {
        if let Some(&id) = node.number.and_then(|number| self.by_number.get(&number)) {
            self.nodes[id.0 as usize] = node;
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        if let Some(number) = node.number {
            self.by_number.insert(number, id);
        }
        self.nodes.push(node);
        id
    }
}
