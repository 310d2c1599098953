//! Instructions. Constant expressions are instructions too, with constants as operands.

use super::{
    Attachment, AttrsId, BlockIx, Code, ConstId, InlineAsm, LocalId, Name, NodeId, Operand, TypeId, Value,
};

/// An instruction at its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// Where its result goes; `None` if there is no result, or it is `void`.
    pub result: Option<LocalId>,
    /// The attachment `!dbg`, a `DILocation`.
    pub dbg: Option<NodeId>,
    /// Other attachments, such as `!srcloc` or `!range`.
    pub attachments: Vec<Attachment>,
    /// Offset of its first byte in the text.
    pub start: u32,
    /// Offset one past its last byte.
    pub end: u32,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
pub enum InstKind {
    // ---- Terminators.
    /// `ret`; `None` is `ret void`.
    Ret(Option<Operand>),
    /// `br label`.
    Br(BlockIx),
    /// `br i1`.
    CondBr {
        /// The condition, of type `i1`.
        condition: Operand,
        /// Where it goes if the condition is true.
        then: BlockIx,
        /// Where it goes if the condition is false.
        otherwise: BlockIx,
    },
    /// `switch`.
    Switch {
        /// What is compared with the cases.
        value: Operand,
        /// Where it goes if no case fits.
        default: BlockIx,
        /// Values and where they go.
        cases: Box<[(ConstId, BlockIx)]>,
    },
    /// `indirectbr`.
    IndirectBr {
        /// The address of a block.
        address: Operand,
        /// The blocks it may be.
        targets: Box<[BlockIx]>,
    },
    /// `invoke`.
    Invoke(Box<Invoke>),
    /// `callbr`, a call of inline assembly that may jump.
    CallBr {
        /// The call.
        call: Box<Call>,
        /// Where it goes if the assembly does not jump.
        fallthrough: BlockIx,
        /// Where the assembly may jump to.
        indirect: Box<[BlockIx]>,
    },
    /// `resume`.
    Resume(Operand),
    /// `unreachable`.
    Unreachable,
    /// `cleanupret`.
    CleanupRet {
        /// The pad it leaves.
        from: Operand,
        /// Where unwinding goes on; `None` is the caller.
        unwind: Option<BlockIx>,
    },
    /// `catchret`.
    CatchRet {
        /// The pad it leaves.
        from: Operand,
        /// Where it goes on.
        to: BlockIx,
    },
    /// `catchswitch`.
    CatchSwitch {
        /// The pad around it; `None` at top level.
        within: Option<Operand>,
        /// The blocks that may catch.
        handlers: Box<[BlockIx]>,
        /// Where unwinding goes on if none does; `None` is the caller.
        unwind: Option<BlockIx>,
    },

    // ---- Arithmetic.
    /// `fneg`.
    FNeg {
        /// The operand.
        value: Operand,
        /// `FAST` or nothing.
        flags: Flags,
    },
    /// `add`, `fdiv`, `xor` …
    Binary {
        /// Which of them.
        op: BinaryOp,
        /// What the result promises.
        flags: Flags,
        /// The operand on the left; its type is that of the other and of the result.
        left: Operand,
        /// The operand on the right.
        right: Value,
    },
    /// `icmp` and `fcmp`; also of vectors.
    Compare {
        /// What is asked.
        predicate: Predicate,
        /// What is promised.
        flags: Flags,
        /// The operand on the left; its type is that of the other.
        left: Operand,
        /// The operand on the right.
        right: Value,
    },
    /// A conversion.
    Cast {
        /// Which one.
        op: CastOp,
        /// What is promised.
        flags: Flags,
        /// What is converted.
        value: Operand,
        /// The type of the result.
        to: TypeId,
    },
    /// `select`.
    Select {
        /// `i1`, or a vector of it.
        condition: Operand,
        /// The result if it is true.
        then: Operand,
        /// The result if it is false.
        otherwise: Operand,
    },
    /// `freeze`.
    Freeze(Operand),
    /// `phi`.
    Phi {
        /// The type of the result.
        ty: TypeId,
        /// The values and the blocks they come from.
        incoming: Box<[(Value, BlockIx)]>,
    },

    // ---- Vectors and aggregates.
    /// `extractelement`.
    ExtractElement {
        /// The vector.
        vector: Operand,
        /// Which element.
        index: Operand,
    },
    /// `insertelement`.
    InsertElement {
        /// The vector.
        vector: Operand,
        /// The new element.
        element: Operand,
        /// Where it goes.
        index: Operand,
    },
    /// `shufflevector`.
    ShuffleVector {
        /// The elements counted first.
        left: Operand,
        /// The elements counted next.
        right: Operand,
        /// A constant vector of `i32`: which elements make the result.
        mask: Operand,
    },
    /// `extractvalue`.
    ExtractValue {
        /// The array or structure.
        aggregate: Operand,
        /// The way to the part.
        path: Box<[u32]>,
    },
    /// `insertvalue`.
    InsertValue {
        /// The array or structure.
        aggregate: Operand,
        /// The new part.
        element: Operand,
        /// The way to the part.
        path: Box<[u32]>,
    },

    // ---- Memory.
    /// `alloca`.
    Alloca {
        /// The type of one element.
        ty: TypeId,
        /// How many; `None` is one.
        count: Option<Operand>,
        /// `align`; 0 if it is not said.
        align: u32,
        /// Whether it is `inalloca`: the arguments of a call.
        inalloca: bool,
        /// The type of the result.
        pointer: TypeId,
    },
    /// `load`.
    Load(Load),
    /// `store`.
    Store(Store),
    /// `fence`.
    Fence(Atomic),
    /// `cmpxchg`.
    CmpXchg {
        /// Whether it may fail for no reason.
        weak: bool,
        /// Whether it is `volatile`.
        volatile: bool,
        /// The address.
        pointer: Operand,
        /// What is expected there.
        expected: Operand,
        /// What is put there.
        new: Operand,
        /// The ordering if it succeeds.
        success: Atomic,
        /// The ordering if it fails.
        failure: Ordering,
    },
    /// `atomicrmw`.
    AtomicRmw {
        /// What is done with the old value.
        op: RmwOp,
        /// Whether it is `volatile`.
        volatile: bool,
        /// The address.
        pointer: Operand,
        /// The operand.
        value: Operand,
        /// The ordering.
        atomic: Atomic,
    },
    /// `getelementptr`.
    Gep(Box<Gep>),

    // ---- The rest.
    /// `call`.
    Call(Box<Call>),
    /// `va_arg`.
    VaArg {
        /// The address of the list.
        list: Operand,
        /// The type of the argument.
        ty: TypeId,
    },
    /// `landingpad`.
    LandingPad {
        /// The type of the result.
        ty: TypeId,
        /// Whether control comes here in any case.
        cleanup: bool,
        /// What is caught.
        clauses: Box<[Clause]>,
    },
    /// `catchpad`.
    CatchPad {
        /// The `catchswitch`.
        within: Operand,
        /// What the personality wants to know.
        args: Box<[Operand]>,
    },
    /// `cleanuppad`.
    CleanupPad {
        /// The pad around it; `None` at top level.
        within: Option<Operand>,
        /// What the personality wants to know.
        args: Box<[Operand]>,
    },
    /// What a debugger wants to know: `#dbg_declare(…)`, or a call of `llvm.dbg.declare`, and the like.
    Debug(Box<DebugRecord>),
}

impl InstKind {
    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            InstKind::Ret(_)
                | InstKind::Br(_)
                | InstKind::CondBr { .. }
                | InstKind::Switch { .. }
                | InstKind::IndirectBr { .. }
                | InstKind::Invoke(_)
                | InstKind::CallBr { .. }
                | InstKind::Resume(_)
                | InstKind::Unreachable
                | InstKind::CleanupRet { .. }
                | InstKind::CatchRet { .. }
                | InstKind::CatchSwitch { .. }
        )
    }

    /// The call in a `call`, `invoke` or `callbr`.
    pub fn as_call(&self) -> Option<&Call> {
        match self {
            InstKind::Call(call) | InstKind::CallBr { call, .. } => Some(call),
            InstKind::Invoke(invoke) => Some(&invoke.call),
            _ => None,
        }
    }

    /// The blocks that control may go to, in the order of the text; a block may stand there twice.
    pub fn successors(&self) -> Vec<BlockIx> {
        let mut found = Vec::new();
        match self {
            InstKind::Br(to) | InstKind::CatchRet { to, .. } => found.push(*to),
            InstKind::CondBr { then, otherwise, .. } => found.extend([*then, *otherwise]),
            InstKind::Switch { default, cases, .. } => {
                found.push(*default);
                found.extend(cases.iter().map(|(_, to)| *to));
            }
            InstKind::IndirectBr { targets, .. } => found.extend_from_slice(targets),
            InstKind::Invoke(invoke) => found.extend([invoke.normal, invoke.unwind]),
            InstKind::CallBr { fallthrough, indirect, .. } => {
                found.push(*fallthrough);
                found.extend_from_slice(indirect);
            }
            InstKind::CleanupRet { unwind, .. } => found.extend(*unwind),
            InstKind::CatchSwitch { handlers, unwind, .. } => {
                found.extend_from_slice(handlers);
                found.extend(*unwind);
            }
            _ => {}
        }
        found
    }

    /// Calls `f` on every block the instruction names: successors, and the origins of a `phi`.
    pub(in crate::llvm) fn for_each_block(&mut self, mut f: impl FnMut(&mut BlockIx)) {
        match self {
            InstKind::Br(to) | InstKind::CatchRet { to, .. } => f(to),
            InstKind::CondBr { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            InstKind::Switch { default, cases, .. } => {
                f(default);
                cases.iter_mut().for_each(|(_, to)| f(to));
            }
            InstKind::IndirectBr { targets, .. } => targets.iter_mut().for_each(f),
            InstKind::Invoke(invoke) => {
                f(&mut invoke.normal);
                f(&mut invoke.unwind);
            }
            InstKind::CallBr { fallthrough, indirect, .. } => {
                f(fallthrough);
                indirect.iter_mut().for_each(f);
            }
            InstKind::CleanupRet { unwind, .. } => unwind.iter_mut().for_each(f),
            InstKind::CatchSwitch { handlers, unwind, .. } => {
                handlers.iter_mut().for_each(&mut f);
                unwind.iter_mut().for_each(f);
            }
            InstKind::Phi { incoming, .. } => incoming.iter_mut().for_each(|(_, from)| f(from)),
            _ => {}
        }
    }
}

impl Inst {
    /// The type of the result, if there is one.
    pub fn result_type(&self, code: &Code) -> Option<TypeId> {
        self.result.map(|local| code.local(local).ty)
    }
}

/// `call`, or what `invoke` and `callbr` have in common with it.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// `tail` and the like.
    pub tail: Tail,
    /// Fast-math flags.
    pub flags: Flags,
    /// The calling convention as it is written; `None` is that of C.
    pub calling_convention: Option<Name>,
    /// The attributes of the result.
    pub ret_attrs: AttrsId,
    /// The type of the result.
    pub ret: TypeId,
    /// The function type, which is written if there are variable arguments.
    pub function_type: Option<TypeId>,
    /// What is called.
    pub callee: Callee,
    /// The arguments and their attributes.
    pub args: Box<[(Operand, AttrsId)]>,
    /// The attributes of the function, for this call.
    pub attrs: AttrsId,
    /// Operand bundles.
    pub bundles: Box<[Bundle]>,
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// The function with this name, or what an alias of this name stands for.
    Named(Name),
    /// A function that is computed.
    Value(Value),
    /// Inline assembly.
    Asm(InlineAsm),
}

/// Whether a call may or must replace the caller's frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Tail {
    /// Nothing is said.
    #[default]
    None,
    /// It may.
    Tail,
    /// It must.
    MustTail,
    /// It must not.
    NoTail,
}

/// An operand bundle: `"deopt"(i32 1)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Bundle {
    /// What the operands are for.
    pub tag: Name,
    /// The operands.
    pub args: Box<[Operand]>,
}

/// `invoke`.
#[derive(Clone, PartialEq, Debug)]
pub struct Invoke {
    /// The call.
    pub call: Call,
    /// Where it goes on.
    pub normal: BlockIx,
    /// Where it goes on after an exception.
    pub unwind: BlockIx,
}

/// `getelementptr`.
#[derive(Clone, PartialEq, Debug)]
pub struct Gep {
    /// `INBOUNDS`, `NUW`, `NUSW` or nothing.
    pub flags: Flags,
    /// The type that the first index counts.
    pub source: TypeId,
    /// The address it starts at.
    pub base: Operand,
    /// The indices.
    pub indices: Box<[Operand]>,
}

/// `load`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// The type of the result.
    pub ty: TypeId,
    /// The address.
    pub pointer: Operand,
    /// `align`; 0 if it is not said.
    pub align: u32,
    /// Whether it is `volatile`.
    pub volatile: bool,
    /// Whether it is atomic, and how.
    pub atomic: Option<Atomic>,
}

impl Load {
    /// Whether what is read may change asynchronously: by devices, other threads, or signal handlers.
    pub fn is_shared(&self) -> bool {
        self.volatile || self.atomic.is_some()
    }
}

/// `store`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Store {
    /// What is stored.
    pub value: Operand,
    /// The address.
    pub pointer: Operand,
    /// `align`; 0 if it is not said.
    pub align: u32,
    /// Whether it is `volatile`.
    pub volatile: bool,
    /// Whether it is atomic, and how.
    pub atomic: Option<Atomic>,
}

/// How an atomic access is ordered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Atomic {
    /// The ordering.
    pub ordering: Ordering,
    /// `syncscope("…")`; `None` is all threads.
    pub scope: Option<Name>,
}

/// Orderings of atomic accesses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the words of LLVM's language reference, which explains them")]
pub enum Ordering {
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// A clause of a `landingpad`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clause {
    /// Catches this type.
    Catch(Operand),
    /// Lets only these types through.
    Filter(Operand),
}

/// A set of flags of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags(pub(in crate::llvm) u16);

#[rustfmt::skip]
impl Flags {
    /// No flag.
    pub const NONE: Flags = Flags(0);
    /// `nuw`: no unsigned overflow, or else poison.
    pub const NUW: Flags = Flags(1);
    /// `nsw`: no signed overflow, or else poison.
    pub const NSW: Flags = Flags(2);
    /// `exact`: no remainder, or else poison.
    pub const EXACT: Flags = Flags(4);
    /// `disjoint`: no bit in both operands, or else poison.
    pub const DISJOINT: Flags = Flags(8);
    /// `nneg`: not negative, or else poison.
    pub const NNEG: Flags = Flags(16);
    /// `samesign`: both or none negative, or else poison.
    pub const SAMESIGN: Flags = Flags(32);
    /// Some fast-math flag.
    pub const FAST: Flags = Flags(64);
    /// `inbounds`: within the object, or else poison. Implies `nusw`.
    pub const INBOUNDS: Flags = Flags(128);
    /// `nusw`: no overflow of address plus signed offset, or else poison.
    pub const NUSW: Flags = Flags(256);
}

impl Flags {
    /// Whether all of `flags` are set.
    pub fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// These flags and `others`.
    #[must_use]
    pub fn with(self, others: Flags) -> Flags {
        Flags(self.0 | others.0)
    }
}

/// Declares an enumeration of words, with the way from and to the text.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[expect(missing_docs, reason = "the words of LLVM's language reference, which explains them")]
        pub enum $name { $($variant),* }

        impl $name {
            /// The meaning of a word of the text.
            pub fn from_word(word: &str) -> Option<$name> {
                match word {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// The word that stands for it.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }
    };
}

words! {
    /// Operations on two values of one type.
    BinaryOp {
        Add = "add", Sub = "sub", Mul = "mul", UDiv = "udiv", SDiv = "sdiv", URem = "urem", SRem = "srem",
        Shl = "shl", LShr = "lshr", AShr = "ashr", And = "and", Or = "or", Xor = "xor",
        FAdd = "fadd", FSub = "fsub", FMul = "fmul", FDiv = "fdiv", FRem = "frem",
    }
}

words! {
    /// Conversions.
    CastOp {
        Trunc = "trunc", ZExt = "zext", SExt = "sext", FpTrunc = "fptrunc", FpExt = "fpext",
        FpToUi = "fptoui", FpToSi = "fptosi", UiToFp = "uitofp", SiToFp = "sitofp",
        PtrToInt = "ptrtoint", PtrToAddr = "ptrtoaddr", IntToPtr = "inttoptr", Bitcast = "bitcast",
        AddrSpaceCast = "addrspacecast",
    }
}

words! {
    /// Comparisons of integers and pointers.
    IntPredicate {
        Eq = "eq", Ne = "ne", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule",
        Sgt = "sgt", Sge = "sge", Slt = "slt", Sle = "sle",
    }
}

words! {
    /// Comparisons of floating-point numbers.
    FloatPredicate {
        False = "false", Oeq = "oeq", Ogt = "ogt", Oge = "oge", Olt = "olt", Ole = "ole", One = "one",
        Ord = "ord", Ueq = "ueq", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Une = "une",
        Uno = "uno", True = "true",
    }
}

words! {
    /// What `atomicrmw` does with the old value and the operand.
    RmwOp {
        Xchg = "xchg", Add = "add", Sub = "sub", And = "and", Nand = "nand", Or = "or", Xor = "xor",
        Max = "max", Min = "min", UMax = "umax", UMin = "umin", FAdd = "fadd", FSub = "fsub",
        FMax = "fmax", FMin = "fmin", FMaximum = "fmaximum", FMinimum = "fminimum",
        UIncWrap = "uinc_wrap", UDecWrap = "udec_wrap", USubCond = "usub_cond", USubSat = "usub_sat",
    }
}

/// What is compared, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    /// `icmp`.
    Int(IntPredicate),
    /// `fcmp`.
    Float(FloatPredicate),
}

/// A debug record, or a call of one of the `llvm.dbg` functions. Its location is the instruction's `dbg`.
#[derive(Clone, PartialEq, Debug)]
pub struct DebugRecord {
    /// Which of them.
    pub kind: DebugKind,
    /// The address (of `Declare`) or the value; nothing for a label.
    pub value: DebugValue,
    /// The `DILocalVariable` or `DILabel`.
    pub variable: Option<NodeId>,
    /// The `DIExpression` that makes the variable's place or value of `value`.
    pub expression: Option<NodeId>,
}

/// The kinds of debug records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DebugKind {
    /// The variable lives at this address.
    Declare,
    /// From here on the variable has this value.
    Value,
    /// From here on the variable has this value, which a store puts in memory.
    Assign,
    /// A label of the source stands here.
    Label,
    /// A kind that this reader does not know.
    Other,
}

/// What a debug record is about.
#[derive(Clone, PartialEq, Debug)]
pub enum DebugValue {
    /// The variable has no value any more.
    None,
    /// A value.
    Operand(Operand),
    /// `DIArgList`: several values, which the expression combines.
    List(Box<[Operand]>),
}
