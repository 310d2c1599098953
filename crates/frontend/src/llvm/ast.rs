//! The abstract syntax tree of LLVM modules, as they are written.
//!
//! Everything that repeats is interned, and referred to by a small number: strings by [`Name`], types by [`TypeId`],
//! constants by [`ConstId`], attribute lists by [`AttrsId`], metadata nodes by [`NodeId`]. The [`Module`] holds the
//! tables. Within a function, values are [`LocalId`]s and blocks are [`BlockIx`]s; uses are resolved, including those
//! before the definition. Uses of globals and functions are [`Name`]s, which [`Module::symbol`] looks up.
//!
//! Nothing is checked beyond what parsing needs: operand types may not fit their instruction, and a named global may
//! not exist.

mod attr;
mod inst;
mod metadata;
mod names;
mod types;
mod value;
mod visit;

pub use attr::{Attr, AttrValue, Attrs, AttrsId};
pub use inst::{
    Atomic, BinaryOp, Bundle, Call, Callee, CastOp, Clause, DebugKind, DebugRecord, DebugValue, Flags,
    FloatPredicate, Gep, Inst, InstKind, IntPredicate, Invoke, Load, Ordering, Predicate, RmwOp, Store, Tail,
};
pub use metadata::{Field, MdValue, Metadata, Node, NodeId, NodeKind, NodeView};
pub use names::{Name, Names};
pub use types::{FloatKind, NamedType, NamedTypeId, TypeId, TypeKind, Types};
pub use value::{
    BlockIx, Const, ConstId, ConstKind, Constants, InlineAsm, LocalId, LocalName, Operand, Value,
};

use super::layout::{DataLayout, Layouts};
use super::sanitizer_checks::SourceCheck;
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{FileId, Span};
use rustc_hash::FxHashMap;

/// Everything that one `.ll` file says.
#[derive(Clone, Debug)]
pub struct Module {
    /// The file that was read.
    pub file: FileId,
    /// `source_filename`.
    pub source_filename: Option<Name>,
    /// `target triple`.
    pub triple: Option<Name>,
    /// `target datalayout`, or LLVM's default without one.
    pub data_layout: DataLayout,
    /// Sizes, alignments and field offsets of all types, by that data layout.
    pub layouts: Layouts,
    /// The lines of `module asm`.
    pub asm: Vec<Name>,
    /// Global variables, in the order of the text.
    pub globals: Vec<Global>,
    /// Aliases and ifuncs, in the order of the text.
    pub aliases: Vec<Alias>,
    /// Functions, declared or defined, in the order of the text.
    pub functions: Vec<Function>,
    /// What the names of globals, aliases and functions stand for.
    pub symbols: FxHashMap<Name, Symbol>,
    /// `attributes #0 = { … }`.
    pub attribute_groups: FxHashMap<u32, AttrsId>,
    /// Every text.
    pub names: Names,
    /// Every type.
    pub types: Types,
    /// Every constant.
    pub constants: Constants,
    /// Every attribute list.
    pub attrs: Attrs,
    /// Every metadata node.
    pub metadata: Metadata,
}

/// What a name of the module stands for; the number indexes the module's list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// A global variable.
    Global(usize),
    /// An alias or ifunc.
    Alias(usize),
    /// A function.
    Function(usize),
}

impl Module {
    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// What `name` stands for.
    pub fn symbol(&self, name: Name) -> Option<Symbol> {
        self.symbols.get(&name).copied()
    }

    /// The function called `name`.
    pub fn function(&self, name: Name) -> Option<&Function> {
        match self.symbol(name)? {
            Symbol::Function(index) => self.functions.get(index),
            Symbol::Global(_) | Symbol::Alias(_) => None,
        }
    }

    /// The function called `name`, by its text.
    pub fn function_named(&self, name: &str) -> Option<&Function> {
        self.function(self.names.find(name)?)
    }

    /// The global variable called `name`.
    pub fn global(&self, name: Name) -> Option<&Global> {
        match self.symbol(name)? {
            Symbol::Global(index) => self.globals.get(index),
            Symbol::Alias(_) | Symbol::Function(_) => None,
        }
    }

    /// The constant called `id`.
    pub fn constant(&self, id: ConstId) -> &Const {
        self.constants.get(id)
    }

    /// Whether a value is the number zero.
    pub fn is_zero(&self, value: Value) -> bool {
        matches!(value, Value::Const(c) if matches!(self.constant(c).kind, ConstKind::Int(0)))
    }

    /// What the type called `id` is.
    pub fn type_kind(&self, id: TypeId) -> &TypeKind {
        self.types.kind(id)
    }

    /// The metadata node called `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        self.metadata.node(id)
    }

    /// The first attribute called `name` in a list, also through attribute groups.
    pub fn attr(&self, list: AttrsId, name: &str) -> Option<&AttrValue> {
        let name = self.names.find(name)?;
        self.attrs.get(list).iter().find_map(|attr| match attr.value {
            AttrValue::Group(group) => {
                let group = self.attribute_groups.get(&group)?;
                self.attrs.get(*group).iter().find(|attr| attr.name == name).map(|attr| &attr.value)
            }
            _ => (attr.name == name).then_some(&attr.value),
        })
    }

    /// A span of the file that was read.
    pub fn span(&self, start: u32, end: u32) -> Span {
        Span { file: self.file, start, end }
    }
}

/// The visibility of a symbol to other modules when files are linked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Linkage {
    /// Every module; the default when no linkage is written.
    #[default]
    External,
    /// No other module, and the symbol has no name in the object file.
    Private,
    /// No other module.
    Internal,
    /// Only for optimisation; the definition is elsewhere.
    AvailableExternally,
    /// Merged; may be dropped.
    Linkonce,
    /// As `Linkonce`, and all definitions are the same.
    LinkonceOdr,
    /// Merged.
    Weak,
    /// As `Weak`, and all definitions are the same.
    WeakOdr,
    /// A tentative definition of C.
    Common,
    /// Concatenated.
    Appending,
    /// Null if no module defines it.
    ExternWeak,
    /// Seen by all modules, but what has its name there is another definition, which took its place.
    Interposed,
}

impl Linkage {
    /// Whether the linker may put another definition in place of this one, which need not do the same.
    pub fn is_interposable(self) -> bool {
        matches!(self, Linkage::Linkonce | Linkage::Weak | Linkage::Common | Linkage::ExternWeak)
    }

    /// Whether only this module sees the symbol.
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Private | Linkage::Internal)
    }
}

/// An attachment `!name !12`.
pub type Attachment = (Name, NodeId);

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name, without `@`; of an unnamed one, its number.
    pub name: Name,
    /// Who sees it.
    pub linkage: Linkage,
    /// Whether it is `constant`, and never written.
    pub is_constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// Whether its address may be shared with an equal constant (`unnamed_addr`, `local_unnamed_addr`).
    pub unnamed_addr: bool,
    /// Whether something outside may change it before the program starts.
    pub externally_initialized: bool,
    /// The address space; 0 is the ordinary one.
    pub addrspace: u32,
    /// The type of its contents.
    pub ty: TypeId,
    /// The contents at start; a global without is defined elsewhere.
    pub init: Option<ConstId>,
    /// `section`.
    pub section: Option<Name>,
    /// `align`; 0 if it is not said.
    pub align: u32,
    /// `!dbg` and other attachments.
    pub attachments: Vec<Attachment>,
    /// The whole definition.
    pub span: Span,
}

/// An alias, or a name whose meaning is computed at load time.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Its name, without `@`.
    pub name: Name,
    /// Who sees it.
    pub linkage: Linkage,
    /// Whether the target is a resolver that returns the address.
    pub is_ifunc: bool,
    /// The type of what it names.
    pub ty: TypeId,
    /// What it names, or the resolver.
    pub target: ConstId,
    /// The whole definition.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, without `@`; of an unnamed one, its number.
    pub name: Name,
    /// Who sees it.
    pub linkage: Linkage,
    /// The calling convention as it is written, such as `fastcc`; `None` is that of C.
    pub calling_convention: Option<Name>,
    /// The attributes of the result.
    pub ret_attrs: AttrsId,
    /// The type of the result.
    pub ret: TypeId,
    /// The parameters. In the body they are the locals with the same indices.
    pub params: Vec<Param>,
    /// Whether more arguments may follow (`...`).
    pub varargs: bool,
    /// The function type that results from the above.
    pub ty: TypeId,
    /// The attributes of the function; groups are entries of the list.
    pub attrs: AttrsId,
    /// `section`.
    pub section: Option<Name>,
    /// `align`; 0 if it is not said.
    pub align: u32,
    /// The routine that decides what a landing pad catches.
    pub personality: Option<ConstId>,
    /// The attachment `!dbg`, a `DISubprogram`.
    pub dbg: Option<NodeId>,
    /// Other attachments.
    pub attachments: Vec<Attachment>,
    /// The instructions, if there are any here.
    pub body: Body,
    /// The first line.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its type.
    pub ty: TypeId,
    /// Its attributes, such as `byval(%struct.s)`.
    pub attrs: AttrsId,
}

/// The body of a function, as far as it could be read.
#[derive(Clone, Debug)]
pub enum Body {
    /// The function is defined elsewhere.
    Declared,
    /// The instructions.
    Defined(Box<Code>),
    /// There are instructions, but one could not be read.
    Unreadable(Box<Diagnostic>),
}

impl Body {
    /// The instructions, if they are here and could be read.
    pub fn code(&self) -> Option<&Code> {
        match self {
            Body::Defined(code) => Some(code),
            Body::Declared | Body::Unreadable(_) => None,
        }
    }
}

/// The instructions of a function.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The parameters, then the results of instructions in no particular order.
    pub locals: Vec<Local>,
    /// The blocks in the order of the text; the first one is the entry.
    pub blocks: Vec<Block>,
    /// The instructions of all blocks, one block after the other.
    pub insts: Vec<Inst>,
    /// The checks of the source that instructions do not show, in the order of what they stand before.
    pub checks: Vec<SourceCheck>,
}

impl Code {
    /// The instructions of a block; the last one is its only terminator.
    pub fn insts_of(&self, block: BlockIx) -> &[Inst] {
        let block = &self.blocks[block.index()];
        &self.insts[block.first as usize..block.end as usize]
    }

    /// The last instruction of a block.
    pub fn terminator(&self, block: BlockIx) -> &Inst {
        let end = self.blocks[block.index()].end as usize;
        &self.insts[end - 1]
    }

    /// The instruction whose result a value is; `None` for parameters and constants.
    pub fn definition(&self, value: Value) -> Option<&Inst> {
        let Value::Local(local) = value else { return None };
        self.local(local).def.map(|def| &self.insts[def as usize])
    }

    /// The local called `id`.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }

    /// The blocks' names.
    pub fn block_ids(&self) -> impl Iterator<Item = BlockIx> + use<> {
        (0..self.blocks.len() as u32).map(BlockIx)
    }
}

/// A parameter or the result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local {
    /// What it is called in the text.
    pub name: LocalName,
    /// Its type.
    pub ty: TypeId,
    /// The instruction that defines it, as an index in [`Code::insts`]; `None` for parameters.
    pub def: Option<u32>,
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it is called in the text.
    pub name: LocalName,
    /// The index of its first instruction.
    pub first: u32,
    /// One past the index of its terminator.
    pub end: u32,
    /// Where its label, or else its first instruction, stands.
    pub start: u32,
}
