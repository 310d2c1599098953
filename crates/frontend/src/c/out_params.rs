//! What functions that nobody has write through their parameters.
//!
//! A function without a body may write to what its arguments point to. That matters most where a program gives it the
//! address of a local to put a result into: `n = next(&state, &size)`. What is written there is an input: a procedure
//! of its own for each such parameter, of whose result the highest bit says whether this call has a local there. In
//! a test the function's definition writes the value.
//!
//! **Deviation.** Other objects are left as they are in tests; for proofs all that is reachable may change
//! (`Options::unknown_writes`). Only numbers are written, no pointers.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use footpath_ir::{ProcId, StatementKind};
use footpath_term::{Op, SortId};

use crate::llvm::ast::{Body, Call, Callee, CastOp, Inst, InstKind, LocalId, Value};

use super::Unsupported;
use super::context::{Context, Signature};
use super::function::Lowering;
use super::link::{FnRef, Target};
use super::models;
use super::points_to::called_constant;
use super::types::{Scalar, leaves};

/// Who is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Unknown {
    /// A function without a body.
    Function(FnRef),
    /// One that nobody has, through a pointer.
    Callback(Signature),
}

/// A parameter through which something is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutParam {
    /// Its position.
    pub(super) index: usize,
    /// How many bits the number has that is written.
    pub(super) bits: u32,
    /// The procedure whose result it is.
    pub(super) procedure: Option<ProcId>,
}

/// See the module.
#[derive(Default)]
pub(super) struct OutParams {
    by_callee: IndexMap<Unknown, Vec<OutParam>>,
    /// The registers passed to them that hold the address of a local number, with its bits.
    locals: FxHashMap<(FnRef, LocalId), u32>,
}

impl OutParams {
    /// Looks at all calls. Where two calls disagree about a parameter's size, nothing is written.
    pub(super) fn of(cx: &mut Context) -> OutParams {
        let mut found: IndexMap<(Unknown, usize), FxHashSet<u32>> = IndexMap::new();
        let mut with_floats: FxHashSet<Unknown> = FxHashSet::default();
        let mut params = OutParams::default();
        for (f, function) in cx.linked.functions() {
            let Body::Defined(code) = &function.body else { continue };
            let locals = locals(cx, f);
            for call in code.insts.iter().filter_map(|inst| inst.kind.as_call()) {
                let Some(callee) = unknown(cx, f, call) else { continue };
                let types = &cx.module(f.module).types;
                if matches!(callee, Unknown::Callback(_))
                    && call
                        .args
                        .iter()
                        .any(|(o, _)| !types.is_pointer(o.ty) && types.int_bits(o.ty).is_none())
                {
                    // Which register an argument comes in depends on those in front of it.
                    with_floats.insert(callee);
                    continue;
                }
                for (i, (argument, _)) in call.args.iter().enumerate() {
                    if let Value::Local(local) = argument.value
                        && let Some(&bits) = locals.get(&local)
                    {
                        found.entry((callee.clone(), i)).or_default().insert(bits);
                        params.locals.insert((f, local), bits);
                    }
                }
            }
        }
        for ((callee, index), sizes) in found {
            let mut sizes = sizes.into_iter();
            if let (Some(bits), None) = (sizes.next(), sizes.next())
                && !with_floats.contains(&callee)
            {
                let list = params.by_callee.entry(callee).or_default();
                list.push(OutParam { index, bits, procedure: None });
            }
        }
        params
    }

    /// Those of a callee.
    pub(super) fn get(&self, callee: &Unknown) -> &[OutParam] {
        self.by_callee.get(callee).map_or(&[], Vec::as_slice)
    }
}

/// The callee of a call, if nobody has it. Models of libraries call nothing that writes.
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
    let is_ours = name.starts_with("llvm.") || models::INPUTS.contains(&name);
    let is_unknown = cx.linked.function(callee).body.code().is_none();
    (is_unknown && !is_ours && !cx.options.library.contains(name)).then_some(Unknown::Function(callee))
}

/// The registers of a function that hold the address of a local number, with its bits.
fn locals(cx: &Context, f: FnRef) -> FxHashMap<LocalId, u32> {
    let mut found = FxHashMap::default();
    let Some(code) = cx.linked.function(f).body.code() else { return found };
    let module = cx.module(f.module);
    for Inst { result, kind, .. } in &code.insts {
        let Some(result) = *result else { continue };
        match kind {
            InstKind::Alloca { ty, count: None, .. } => {
                let parts = leaves(module, *ty).unwrap_or_default();
                if let [leaf] = parts[..]
                    && let Scalar::Int(bits) | Scalar::Float(bits) = leaf.scalar
                    && matches!(bits, 8 | 16 | 32 | 64)
                {
                    found.insert(result, bits);
                }
            }
            InstKind::Cast { op: CastOp::Bitcast, value, .. } => {
                if let Value::Local(from) = value.value
                    && let Some(&bits) = found.get(&from)
                {
                    found.insert(result, bits);
                }
            }
            _ => {}
        }
    }
    found
}

impl Lowering<'_, '_, '_> {
    /// Writes what a callee that nobody has writes through its parameters.
    pub(super) fn write_out_params(&mut self, callee: &Unknown, call: &Call) -> Result<(), Unsupported> {
        for k in 0..self.cx.written.get(callee).len() {
            let param = self.cx.written.get(callee)[k];
            let procedure = match param.procedure {
                Some(known) => known,
                None => self.out_procedure(callee, k, param),
            };
            let sort = self.cx.terms.bit_vec_sort(param.bits + 1);
            let results = self.emit_call(procedure, Vec::new(), &[sort])?;
            let value = self.cx.terms.var(results[0]);
            let is_local = match call.args.get(param.index).map(|(operand, _)| operand.value) {
                Some(Value::Local(local)) => {
                    self.cx.written.locals.get(&(self.f, local)) == Some(&param.bits)
                }
                _ => false,
            };
            let flag = self.cx.app(Op::Extract(param.bits, param.bits), &[value]);
            let expected = self.cx.bv(1, i64::from(is_local));
            let says_so = self.cx.app(Op::Eq, &[flag, expected]);
            self.statement(StatementKind::Assume(says_so));
            if is_local {
                let to = call.args[param.index].0.value;
                let (p, region) = (self.pointer(to)?, self.region(to)?);
                let memory = self.cx.memory_of(region);
                let number = self.cx.app(Op::Extract(param.bits - 1, 0), &[value]);
                let map = self.cx.terms.var(memory.symbol);
                let written = self.cx.write_bytes(map, memory.grain, p, number);
                self.assign(vec![(memory.symbol, written)]);
            }
        }
        Ok(())
    }

    fn out_procedure(&mut self, callee: &Unknown, k: usize, param: OutParam) -> ProcId {
        let sort: SortId = self.cx.terms.bit_vec_sort(param.bits + 1);
        let name = format!("$written.{}", self.cx.callback_procedures.len() + 1);
        let procedure = self.cx.unknown_procedure(&name, &[sort]);
        if let Some(list) = self.cx.written.by_callee.get_mut(callee) {
            list[k].procedure = Some(procedure);
        }
        procedure
    }
}
