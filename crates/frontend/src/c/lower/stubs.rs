//! Stubs: what stands for external functions, which have no body in any module, and for callbacks that are inputs.
//!
//! A call of an external function returns arbitrary values, and may write through its parameters where it is known
//! to. What a test must then define so that the program links (a *stub* in the usual sense) is described here as
//! data. Example: for `int next(char *to);` there is a stub that returns an `int` of 32 bits and writes what its out
//! parameter points to.
//!
//! **Direction of error.** A stub lists what is written through parameters and into `errno`; what else an external
//! function may change is decided by `facts/escape.rs`.

use crate::llvm::ast::{Body, Function, Module, Param, TypeId};

use crate::c::facts::link::Target;
use crate::c::facts::out_params::{OutParam, Unknown};
use crate::c::facts::sampled_functions::{self, Numbers};
use crate::c::harness;
use crate::c::lower::context::{Callback, Context, Signature};
use crate::c::lower::scalars::{self, Leaf, Scalar};

use footpath_ir::ProcId;
use footpath_term::{SortId, SymbolId};

/// A function without a body.
#[derive(Clone, Debug)]
pub struct Stub {
    /// Its procedure.
    pub procedure: ProcId,
    /// Its name.
    pub name: String,
    /// Whether it is declared not to return.
    pub never_returns: bool,
    /// What it returns; of a structure the first scalar.
    pub ret: StubType,
    /// All scalars of a structure that it returns in registers, if none of them is a pointer; else nothing.
    pub parts: Vec<StubType>,
    /// The memory of an object that it returns: the map, and how many bytes a cell has.
    pub memory: Option<(SymbolId, u64)>,
    /// The size of such an object in bytes.
    pub bytes: u32,
    /// Its parameters, as far as something is written through them.
    pub params: Vec<StubType>,
    /// What it writes.
    pub writes: Vec<StubWrite>,
    /// Whether all parameters are numbers and addresses: none is a structure.
    pub is_plain: bool,
    /// Its signature, if its parameters and result are numbers.
    pub numbers: Option<Numbers>,
}

/// What a function without a body writes through a parameter, or into `errno`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubWrite {
    /// The position of the parameter; none for `errno`.
    pub param: Option<usize>,
    /// The procedures without a body whose results are written, and the bytes of each: each call asks one of them. Nothing is
    /// written by calls that ask the one of 0 bytes.
    pub procedures: Vec<(u32, ProcId)>,
    /// Bytes of the largest object.
    pub bytes: u32,
    /// Bytes of the smallest one.
    pub least: u32,
    /// The pieces of it that are written: where each begins and ends.
    pub pieces: Vec<(u32, u32)>,
}

/// What a function without a body returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StubType {
    /// Nothing.
    Void,
    /// An integer of so many bits.
    Int(u32),
    /// A floating-point number of so many bits.
    Float(u32),
    /// A pointer.
    Pointer,
}

/// The functions without bodies, and where what they return lies.
pub(crate) fn of_functions(cx: &mut Context) -> Vec<Stub> {
    let linked = cx.linked;
    let mut stubs = Vec::new();
    for (f, function) in linked.functions() {
        let module = cx.module(f.module);
        let defined_elsewhere = linked.resolve(f.module, function.name) != Some(Target::Function(f));
        let is_sampled = cx.sampled.contains_key(linked.function_name(f));
        if !matches!(function.body, Body::Declared)
            || defined_elsewhere
            || is_sampled
            || !cx.procs.contains_key(&f)
        {
            continue;
        }
        let ret = stub_type(module, function.ret);
        let writes = writes(cx, &Unknown::Function(f));
        let params = function.params.iter().map(|p| stub_type(module, p.ty)).collect();
        let region = if ret == StubType::Pointer { cx.regions.result(f) } else { None };
        let memory = region.map(|r| cx.memory_of(r)).map(|m| (m.symbol, m.grain));
        stubs.push(Stub {
            procedure: cx.procs[&f],
            name: linked.function_name(f).to_owned(),
            never_returns: module.attr(function.attrs, "noreturn").is_some(),
            ret,
            parts: stub_parts(module, function.ret),
            memory,
            bytes: cx.options.stub_bytes,
            params,
            writes,
            is_plain: is_plain(module, function),
            numbers: sampled_functions::signature(cx, f),
        });
    }
    stubs
}

/// Whether each parameter is one number or one address. A structure that is passed in memory is an address for LLVM.
fn is_plain(module: &Module, function: &Function) -> bool {
    let is_plain = |p: &Param| {
        let is_one = scalars::leaves(module, p.ty).is_some_and(|leaves| leaves.len() == 1);
        is_one && module.attr(p.attrs, "byval").is_none()
    };
    function.params.iter().all(is_plain)
}

fn stub_type(module: &Module, ty: TypeId) -> StubType {
    let scalars = scalars::leaves(module, ty).unwrap_or_default();
    scalars.first().map_or(StubType::Void, |l| stub_scalar(l.scalar))
}

pub(crate) fn stub_scalar(scalar: Scalar) -> StubType {
    match scalar {
        Scalar::Bool => StubType::Int(1),
        Scalar::Int(bits) => StubType::Int(bits),
        Scalar::Float(bits) => StubType::Float(bits),
        Scalar::Pointer => StubType::Pointer,
    }
}

/// The scalars of a structure in registers.
fn stub_parts(module: &Module, ty: TypeId) -> Vec<StubType> {
    let scalars = scalars::leaves(module, ty).unwrap_or_default();
    let fits = |l: &Leaf| match l.scalar {
        Scalar::Int(bits) => matches!(bits, 8 | 16 | 32 | 64),
        Scalar::Float(_) => true,
        _ => false,
    };
    let all = scalars.len() > 1 && scalars.iter().all(fits);
    if all { scalars.iter().map(|l| stub_scalar(l.scalar)).collect() } else { Vec::new() }
}

fn writes(cx: &Context, callee: &Unknown) -> Vec<StubWrite> {
    let write = |p: &OutParam| {
        let procedures: Vec<_> = p.procedures.iter().map(|(bytes, procedure)| (*bytes, *procedure)).collect();
        let pieces = p.extent.pieces.clone();
        let is_asked = !procedures.is_empty();
        is_asked.then_some(StubWrite {
            param: p.index,
            procedures,
            bytes: p.extent.bytes,
            least: p.least,
            pieces,
        })
    };
    cx.written.get(callee).iter().filter_map(write).collect()
}

/// The stubs of callbacks, which stand for functions that callers pass.
pub(crate) fn of_callbacks(cx: &mut Context) -> Vec<Stub> {
    let region = cx.regions.unknown_result();
    let memory = region.map(|r| cx.memory_of(r)).map(|m| (m.symbol, m.grain));
    let sort = |sorts: &[SortId]| match (sorts.len(), sorts.first().map(|&s| cx.terms.width(s))) {
        (2.., _) => StubType::Pointer,
        (_, None) => StubType::Void,
        (_, Some(bits)) => StubType::Int(bits.unwrap_or(1)),
    };
    let describe = |(i, (signature, callback)): (usize, (&Signature, &Callback))| Stub {
        procedure: callback.procedure,
        name: harness::callback_name(i),
        never_returns: false,
        ret: sort(&signature.1),
        parts: Vec::new(),
        memory,
        bytes: cx.options.stub_bytes,
        params: signature.0.iter().map(|s| sort(s)).collect(),
        writes: writes(cx, &Unknown::Callback(signature.clone())),
        // The type of a pointer to a function says nothing of structures.
        is_plain: false,
        numbers: None,
    };
    cx.callbacks.iter().enumerate().map(describe).collect()
}
