//! Out parameters of external functions: what a function without a body writes through the pointers that it is
//! passed.
//!
//! **Idea.** An external function may write to what its arguments point to. That matters most where the program
//! passes the address of a local for a result: `n = next(&state, &size)`. The value written there becomes an input:
//! each such parameter has procedures of its own, one for each size of the locals that calls pass, whose result holds the bytes
//! written. A call that passes no address of a local there asks one whose result is not used, so that tests can count calls. In a test, the definition of the external
//! function writes that value. The local is a number, a structure or an array, of which the first [`MOST_BYTES`] are
//! written except for the pointers in them. Functions that read `errno` find there what the external
//! functions that they call have written.
//!
//! **Deviation.** Objects other than such locals keep their values in tests; for proofs, everything reachable may
//! change (`Options::conservative_externals`). Pointers are not written, nor is anything through variable arguments.
//!
//! **Direction of error.** Towards too few tests: code that needs an external function to write another object, or a
//! pointer, is not covered.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use footpath_ir::ProcId;
use footpath_term::{Op, SortId};

use crate::llvm::ast::{
    Body, Call, Callee, CastOp, ConstKind, Inst, InstKind, LocalId, Module, Operand, TypeId, TypeKind, Value,
};

use super::super::Unsupported;
use super::super::lower::context::{Context, Memory, Pointer, Signature};
use super::super::lower::function::Lowering;
use super::super::lower::scalars::{Scalar, leaves_before};
use super::super::source::library_models;
use super::super::source::library_models::ERRNO_BYTES;
use super::link::{FnRef, Target};
use super::points_to::called_constant;

/// A callee without a body.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Unknown {
    /// A function without a body.
    Function(FnRef),
    /// A callback: an external function, called through a pointer.
    Callback(Signature),
}

/// What lies behind so many bytes of a local is not written.
const MOST_BYTES: u64 = 64;

/// The part of an object that is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Extent {
    /// Its size.
    pub(crate) bytes: u32,
    /// The pieces that are no pointers: where each begins and ends.
    pub(crate) pieces: Vec<(u32, u32)>,
}

impl Extent {
    fn errno() -> Extent {
        Extent { bytes: ERRNO_BYTES as u32, pieces: vec![(0, ERRNO_BYTES as u32)] }
    }

    fn of(module: &Module, ty: TypeId) -> Option<Extent> {
        let bytes = module.layouts.size(ty).filter(|&size| size > 0)?.min(MOST_BYTES) as u32;
        let mut pieces = Vec::new();
        let mut start = 0;
        for leaf in leaves_before(module, ty, MOST_BYTES)?.iter().filter(|l| l.scalar == Scalar::Pointer) {
            pieces.push((start, bytes.min(leaf.offset as u32)));
            start = (leaf.offset + leaf.size) as u32;
        }
        pieces.push((start, bytes));
        pieces.retain(|(from, to)| from < to);
        (!pieces.is_empty()).then_some(Extent { bytes, pieces })
    }

    /// Whether a smaller object is written as this one's beginning is.
    fn begins_with(&self, other: &Extent) -> bool {
        let clipped = self.pieces.iter().map(|&(from, to)| (from, to.min(other.bytes)));
        other.bytes <= self.bytes && clipped.filter(|(from, to)| from < to).eq(other.pieces.iter().copied())
    }
}

/// A parameter through which something is written, or `errno`.
#[derive(Clone, Debug)]
pub(crate) struct OutParam {
    /// Its position; none for `errno`.
    pub(crate) index: Option<usize>,
    /// What is written into the largest object.
    pub(crate) extent: Extent,
    /// Bytes of the smallest one.
    pub(crate) least: u32,
    /// The procedures whose results are written, by the number of bytes; none are written with 0.
    pub(crate) procedures: BTreeMap<u32, ProcId>,
}

/// See the module.
#[derive(Default)]
pub(crate) struct OutParams {
    by_callee: IndexMap<Unknown, Vec<OutParam>>,
    /// The registers passed to such functions that hold the address of a local.
    locals: FxHashMap<(FnRef, LocalId), Extent>,
    /// The functions that read `errno`.
    ask: FxHashSet<FnRef>,
}

impl OutParams {
    /// Looks at all calls. Calls may pass locals of different sizes; where they disagree about what are pointers in them,
    /// nothing is written.
    pub(crate) fn of(cx: &mut Context) -> OutParams {
        let mut found: IndexMap<(Unknown, Option<usize>), FxHashSet<Extent>> = IndexMap::new();
        let mut unclear: FxHashSet<Unknown> = FxHashSet::default();
        let mut params = OutParams::default();
        for (f, function) in cx.linked.functions() {
            let Body::Defined(code) = &function.body else { continue };
            let locals = locals(cx, f);
            if code.insts.iter().filter_map(|inst| inst.kind.as_call()).any(|call| asks(cx, f, call)) {
                params.ask.insert(f);
            }
            for call in code.insts.iter().filter_map(|inst| inst.kind.as_call()) {
                let Some(callee) = unknown(cx, f, call) else { continue };
                if params.ask.contains(&f) {
                    found.entry((callee.clone(), None)).or_default().insert(Extent::errno());
                }
                let types = &cx.module(f.module).types;
                let is_float = |o: &Operand| !types.is_pointer(o.ty) && types.int_bits(o.ty).is_none();
                let in_memory = |attrs| {
                    let module = cx.module(f.module);
                    module.attr(attrs, "byval").is_some()
                        || cx.shape.bits == 32 && module.attr(attrs, "sret").is_some()
                };
                if matches!(callee, Unknown::Callback(_)) && call.args.iter().any(|(o, _)| is_float(o))
                    || call.args.iter().any(|(_, attrs)| in_memory(*attrs))
                {
                    // Which register an argument comes in depends on those in front of it.
                    unclear.insert(callee);
                    continue;
                }
                // Of further arguments a definition does not know which there are.
                let declared = match &callee {
                    Unknown::Function(f) => cx.linked.function(*f).params.len(),
                    Unknown::Callback(_) => call.args.len(),
                };
                for (i, (argument, _)) in call.args.iter().enumerate().take(declared) {
                    if let Value::Local(local) = argument.value
                        && let Some(extent) = locals.get(&local)
                    {
                        found.entry((callee.clone(), Some(i))).or_default().insert(extent.clone());
                        params.locals.insert((f, local), extent.clone());
                    }
                }
            }
        }
        for ((callee, index), sizes) in found {
            let least = sizes.iter().map(|extent| extent.bytes).min().unwrap_or(0);
            let largest = sizes.iter().max_by_key(|extent| extent.bytes).cloned();
            if let Some(extent) = largest.filter(|largest| sizes.iter().all(|e| largest.begins_with(e)))
                && (index.is_none() || !unclear.contains(&callee))
            {
                let list = params.by_callee.entry(callee).or_default();
                list.push(OutParam { index, extent, least, procedures: BTreeMap::new() });
            }
        }
        params
    }

    /// The out parameters of a callee.
    pub(crate) fn get(&self, callee: &Unknown) -> &[OutParam] {
        self.by_callee.get(callee).map_or(&[], Vec::as_slice)
    }
}

/// Whether a call is one of the function that returns the address of `errno`.
fn asks(cx: &Context, f: FnRef, call: &Call) -> bool {
    let Callee::Named(name) = call.callee else { return false };
    (f.module as usize) < cx.options.user_modules
        && cx.module(f.module).text(name) == library_models::ERRNO_LOCATION
}

/// The callee of a call, if it is external. Models of libraries call nothing that writes.
fn unknown(cx: &mut Context, f: FnRef, call: &Call) -> Option<Unknown> {
    let target = match call.callee {
        Callee::Named(name) => cx.linked.resolve(f.module, name),
        Callee::Value(Value::Const(c)) => called_constant(cx.linked, f.module, c).map(Target::Function),
        Callee::Value(Value::Local(_)) => {
            let mut wanted = Vec::new();
            for (operand, _) in &call.args {
                wanted.push(cx.sorts(f.module, operand.ty).ok()?);
            }
            let ret = cx.sorts(f.module, call.ret).ok()?;
            return Some(Unknown::Callback((wanted, ret)));
        }
        Callee::Asm(_) => None,
    };
    let Some(Target::Function(callee)) = target else { return None };
    let name = cx.linked.function_name(callee);
    let is_ours = name.starts_with("llvm.") || library_models::INPUTS.contains(&name);
    let is_unknown = cx.linked.function(callee).body.code().is_none();
    (is_unknown && !is_ours && !cx.options.library.contains(name)).then_some(Unknown::Function(callee))
}

/// The registers of a function that hold the address of a local, with what can be written of it.
fn locals(cx: &Context, f: FnRef) -> FxHashMap<LocalId, Extent> {
    let mut found: FxHashMap<LocalId, Extent> = FxHashMap::default();
    let mut arrays: FxHashSet<LocalId> = FxHashSet::default();
    let Some(code) = cx.linked.function(f).body.code() else { return found };
    let module = cx.module(f.module);
    let is_zero = |o: &Operand| match o.value {
        Value::Const(c) => {
            matches!(module.constant(c).kind, ConstKind::Zero)
                || matches!(&module.constant(c).kind, ConstKind::Int(n) if *n == 0)
        }
        Value::Local(_) => false,
    };
    for Inst { result, kind, .. } in &code.insts {
        let Some(result) = *result else { continue };
        let same = match kind {
            InstKind::Alloca { ty, count: None, .. } => {
                if let Some(extent) = Extent::of(module, *ty) {
                    found.insert(result, extent);
                }
                if matches!(module.types.resolved(*ty), TypeKind::Array(..)) {
                    arrays.insert(result);
                }
                continue;
            }
            InstKind::Cast { op: CastOp::Bitcast, value, .. } => value.value,
            // An array is passed as the address of its first element.
            InstKind::Gep(gep) if gep.indices.iter().all(is_zero) => match gep.base.value {
                Value::Local(from) if arrays.contains(&from) => gep.base.value,
                _ => continue,
            },
            _ => continue,
        };
        if let Value::Local(from) = same
            && let Some(extent) = found.get(&from)
        {
            found.insert(result, extent.clone());
        }
    }
    found
}

impl Lowering<'_, '_, '_> {
    /// Writes what an external callee writes through its parameters.
    pub(crate) fn write_out_params(&mut self, callee: &Unknown, call: &Call) -> Result<(), Unsupported> {
        for k in 0..self.cx.written.get(callee).len() {
            let param = self.cx.written.get(callee)[k].clone();
            let to = self.written_place(&param, call)?;
            let bytes = to.as_ref().map_or(0, |(_, extent, _)| extent.bytes);
            let sort = self.cx.terms.bit_vec_sort(8 * bytes.max(1));
            let procedure = match param.procedures.get(&bytes) {
                Some(known) => *known,
                None => self.out_procedure(callee, k, bytes, sort),
            };
            let results = self.emit_call(procedure, Vec::new(), &[sort])?;
            let Some((p, extent, memory)) = to else { continue };
            let value = self.cx.terms.var(results[0]);
            let mut map = self.cx.terms.var(memory.symbol);
            for (from, end) in extent.pieces {
                let piece = self.cx.app(Op::Extract(8 * end - 1, 8 * from), &[value]);
                let at = self.cx.add_bytes(p, u64::from(from));
                map = self.cx.write_bytes(map, memory.grain, at, piece);
            }
            self.assign(vec![(memory.symbol, map)]);
            let bytes = self.cx.offset(i64::from(extent.bytes));
            self.note_written(memory, p, bytes)?;
        }
        Ok(())
    }

    /// Where the value of an out parameter is written, and how much of it, if this call passes the address of a local there.
    fn written_place(
        &mut self,
        param: &OutParam,
        call: &Call,
    ) -> Result<Option<(Pointer, Extent, Memory)>, Unsupported> {
        let Some(index) = param.index else {
            let errno = self.cx.errno().filter(|_| self.cx.written.ask.contains(&self.f));
            return Ok(
                errno.map(|(number, memory)| (self.cx.pointer(number, 0), param.extent.clone(), memory))
            );
        };
        let Some(Value::Local(local)) = call.args.get(index).map(|(operand, _)| operand.value) else {
            return Ok(None);
        };
        let Some(extent) = self.cx.written.locals.get(&(self.f, local)).cloned() else { return Ok(None) };
        let (p, region) = (self.pointer(Value::Local(local))?, self.region(Value::Local(local))?);
        Ok(Some((p, extent, self.cx.memory_of(region))))
    }

    fn out_procedure(&mut self, callee: &Unknown, k: usize, bytes: u32, sort: SortId) -> ProcId {
        let name = format!("$written.{}", self.cx.callback_procedures.len() + 1);
        let procedure = self.cx.unknown_procedure(&name, &[sort]);
        if let Some(list) = self.cx.written.by_callee.get_mut(callee) {
            list[k].procedures.insert(bytes, procedure);
        }
        procedure
    }
}
