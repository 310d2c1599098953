//! Points-to constraints of calls: arguments are unified with parameters, and results with what the callee returns;
//! for functions without a body, what is known about the function (such as `memcpy` or `realloc`) takes the place of
//! the body.

use rustc_hash::FxHashSet;

use crate::llvm::ast::{
    Call, Callee, ConstId, ConstKind, Function, InstKind, LocalId, Module, Operand, TypeKind, Value,
};

use super::super::super::source::library_models::{CLOSE, NEED_OPEN};
use super::super::link::{FnRef, Linked, Target};
use super::{Holder, Work};

impl Work<'_, '_> {
    pub(super) fn any_call(
        &mut self,
        f: FnRef,
        call: &Call,
        result: Option<LocalId>,
        indirect: &mut Vec<(FnRef, Call)>,
    ) {
        match call.callee {
            Callee::Named(name) => {
                let text = self.module(f).text(name).to_owned();
                let callee = match self.linked.resolve(f.module, name) {
                    Some(Target::Function(callee)) => Some(callee),
                    _ => None,
                };
                // As in `calls.rs`, a body comes before what is known about the name.
                let has_body = callee.is_some_and(|c| self.linked.function(c).body.code().is_some());
                if !has_body && self.builtin(f, &text, call, result) {
                    return;
                }
                if let Some(callee) = callee {
                    self.call(f, callee, &call.args, result);
                }
            }
            Callee::Value(value) => {
                // Through a cast of a known function the callee is known all the same.
                if let Value::Const(c) = value
                    && let Some(callee) = called_constant(self.linked, f.module, c)
                {
                    self.call(f, callee, &call.args, result);
                    return;
                }
                let _ = self.value(f, value);
                if let Some(result) = result {
                    let node = self.holder(Holder::Local(f, result));
                    self.pending_result(node);
                }
                indirect.push((f, call.clone()));
            }
            Callee::Asm(_) => {
                let args: Vec<Value> = call.args.iter().map(|(arg, _)| arg.value).collect();
                self.flow(f, result.map(Value::Local), &args);
            }
        }
    }

    /// Arguments of indirect calls are those of all functions that may be called: any with so many parameters, and any to
    /// which the pointer may point.
    pub(super) fn indirect_calls(&mut self, calls: &[(FnRef, Call)]) {
        let mut done: FxHashSet<(usize, FnRef)> = FxHashSet::default();
        loop {
            let before = done.len();
            for (i, (f, call)) in calls.iter().enumerate() {
                let Callee::Value(pointer) = call.callee else { continue };
                for callee in self.regions.address_taken.clone() {
                    let function = self.linked.function(callee);
                    let (params, args) = (function.params.len(), call.args.len());
                    let called = self.regions.operand(self.linked, *f, pointer);
                    let may_be = params == args
                        || function.varargs && params < args
                        || called.is_some() && called == self.regions.function(callee);
                    if may_be && done.insert((i, callee)) {
                        self.call(*f, callee, &call.args, None);
                    }
                }
            }
            if done.len() == before {
                return;
            }
        }
    }

    /// Notes that the address of a function is cast to that of a function of another type.
    pub(super) fn note_cast(&mut self, module: u32, inst: &InstKind) {
        let InstKind::Cast { value, to, .. } = inst else { return };
        let types = &self.linked.modules[module as usize].types;
        let TypeKind::Ptr { pointee: Some(pointee), .. } = *types.resolved(*to) else { return };
        if let (TypeKind::Function { .. }, Value::Const(c)) = (types.resolved(pointee), value.value)
            && let Some(f) = called_constant(self.linked, module, c)
        {
            self.regions.cast_functions.insert(f);
        }
    }

    /// Results of indirect calls lie in one region with the results of all functions that may be called.
    fn pending_result(&mut self, node: u32) {
        let any = self.any_result();
        self.regions.unify(node, any);
    }

    fn any_result(&mut self) -> u32 {
        self.holder(Holder::Return(FnRef { module: u32::MAX, index: u32::MAX }))
    }

    pub(super) fn indirect_results(&mut self) {
        let unknown = Holder::Return(FnRef { module: u32::MAX, index: u32::MAX });
        if !self.regions.holders.contains_key(&unknown) {
            return;
        }
        let any = self.any_result();
        for f in self.regions.address_taken.clone() {
            let ret = self.holder(Holder::Return(f));
            self.regions.unify(any, ret);
        }
    }

    pub(super) fn call(
        &mut self,
        f: FnRef,
        callee: FnRef,
        args: &[(Operand, crate::llvm::ast::AttrsId)],
        result: Option<LocalId>,
    ) {
        let function = self.linked.function(callee);
        let params = function.params.len();
        let others = args.len() != params && !function.varargs
            || function.params.iter().zip(args).any(|(param, (arg, _))| {
                self.carries(callee.module, param.ty) != self.carries(f.module, arg.ty)
            });
        if others {
            self.any_order(f, callee, args);
        }
        for (i, (arg, attrs)) in args.iter().enumerate() {
            if !self.carries(f.module, arg.ty) {
                continue;
            }
            if let Some(mut node) = self.value(f, arg.value) {
                // A structure that is passed by value lies among the other arguments.
                if i >= params && self.module(f).attr(*attrs, "byval").is_some() {
                    node = self.content(node);
                }
                let to = if i < params {
                    self.holder(Holder::Local(callee, LocalId(i as u32)))
                } else {
                    self.holder(Holder::Varargs(callee))
                };
                self.regions.unify(node, to);
            }
        }
        if let Some(result) = result {
            let ret = self.holder(Holder::Return(callee));
            let node = self.holder(Holder::Local(f, result));
            self.regions.unify(ret, node);
        }
    }

    /// Where a function is called as one of another type, registers decide which argument a parameter receives.
    fn any_order(&mut self, f: FnRef, callee: FnRef, args: &[(Operand, crate::llvm::ast::AttrsId)]) {
        let params = self.linked.function(callee).params.iter().enumerate();
        let params: Vec<u32> = params
            .filter(|(_, param)| self.carries(callee.module, param.ty))
            .map(|(i, _)| LocalId(i as u32))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|local| self.holder(Holder::Local(callee, local)))
            .collect();
        for (arg, _) in args {
            if let (true, Some(node)) = (self.carries(f.module, arg.ty), self.value(f, arg.value)) {
                params.iter().for_each(|&param| self.regions.unify(node, param));
            }
        }
    }

    /// Calls whose meaning is known without a body.
    fn builtin(&mut self, f: FnRef, name: &str, call: &Call, result: Option<LocalId>) -> bool {
        let arg = |i: usize| call.args.get(i).map(|(operand, _)| operand.value);
        let linked = self.linked;
        let code = linked.function(f).body.code();
        if name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove") {
            if let (Some(code), Some(to), Some(from)) = (code, arg(0), arg(1)) {
                self.copied(f, code, [to, from], self.known_bytes(f, arg(2)));
            }
            if let (Some(to), Some(from)) = (arg(0), arg(1))
                && let (Some(to), Some(from)) = (self.value(f, to), self.value(f, from))
            {
                let (a, b) = (self.content(to), self.content(from));
                self.regions.unify(a, b);
                let bytes = self.constant_bytes(f, arg(2));
                self.regions.node(to).written = true;
                self.limit_grain(to, bytes);
                self.limit_grain(from, bytes);
            }
            return true;
        }
        if name.starts_with("llvm.va_start") {
            if let Some(list) = arg(0).and_then(|list| self.value(f, list)) {
                let (area, given) = (self.holder(Holder::List(f)), self.holder(Holder::Varargs(f)));
                let (to, content) = (self.content(list), self.content(area));
                self.regions.unify(to, area);
                self.regions.unify(content, given);
                self.limit_grain(list, 4);
            }
            return true;
        }
        if name.starts_with("llvm.va_copy") {
            if let (Some(to), Some(from)) = (arg(0), arg(1))
                && let (Some(to), Some(from)) = (self.value(f, to), self.value(f, from))
            {
                let (a, b) = (self.content(to), self.content(from));
                self.regions.unify(a, b);
                self.limit_grain(to, 4);
                self.limit_grain(from, 4);
            }
            return true;
        }
        if name.starts_with("llvm.memset") {
            if let (Some(code), Some(to), Some(byte)) = (code, arg(0), arg(1)) {
                self.filled(f, code, to, byte, self.known_bytes(f, arg(2)));
            }
            if let Some(to) = arg(0).and_then(|to| self.value(f, to)) {
                let bytes = self.constant_bytes(f, arg(2));
                self.regions.node(to).written = true;
                self.limit_grain(to, bytes);
            }
            return true;
        }
        if matches!(name, CLOSE | "free" | "cfree" | "realloc" | "reallocarray")
            && let Some(node) = arg(0).and_then(|pointer| self.value(f, pointer))
        {
            self.regions.node(node).freed = true;
        }
        if name == NEED_OPEN {
            return true;
        }
        // What is freed here need not lie where anything lies that is freed elsewhere.
        if matches!(name, CLOSE | "free" | "cfree") {
            return true;
        }
        if name == "realloc" || name == "reallocarray" {
            if let (Some(from), Some(result)) = (arg(0), result) {
                self.unify_values(f, Value::Local(result), from);
            }
            return true;
        }
        if matches!(name, "malloc" | "calloc" | "aligned_alloc" | "alloca") {
            if let Some(result) = result {
                self.holder(Holder::Local(f, result));
            }
            return true;
        }
        name.starts_with("llvm.")
    }

    /// A constant number of bytes; 1 where it is computed.
    fn constant_bytes(&self, f: FnRef, value: Option<Value>) -> u64 {
        self.known_bytes(f, value).map_or(1, |bytes| if bytes == 0 { 8 } else { bytes })
    }

    fn known_bytes(&self, f: FnRef, value: Option<Value>) -> Option<u64> {
        let Some(Value::Const(c)) = value else { return None };
        match self.module(f).constant(c).kind {
            ConstKind::Int(n) => Some(n.unsigned_abs()),
            _ => None,
        }
    }
}

/// The function that a call is known to be of.
pub(in crate::c) fn callee(linked: &Linked<'_>, module: u32, call: &Call) -> Option<FnRef> {
    match call.callee {
        Callee::Named(name) => match linked.resolve(module, name)? {
            Target::Function(callee) => Some(callee),
            Target::Global(_) => None,
        },
        Callee::Value(Value::Const(c)) => called_constant(linked, module, c),
        Callee::Value(Value::Local(_)) | Callee::Asm(_) => None,
    }
}

/// The function behind a constant that is called, looking through casts.
pub(in crate::c) fn called_constant(linked: &Linked<'_>, module: u32, c: ConstId) -> Option<FnRef> {
    match &linked.modules[module as usize].constant(c).kind {
        ConstKind::Global(name) | ConstKind::Equivalent(name) => match linked.resolve(module, *name)? {
            Target::Function(f) => Some(f),
            Target::Global(_) => None,
        },
        ConstKind::Expr(inst) => match &**inst {
            InstKind::Cast { value, .. } => match value.value {
                Value::Const(inner) => called_constant(linked, module, inner),
                Value::Local(_) => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Whether a function has structures as parameters, some of which arrive in registers.
pub(super) fn gets_structures(module: &Module, function: &Function) -> bool {
    let structures = || {
        let subprogram = module.node(function.dbg?).with(&module.names);
        let types = module.node(subprogram.node("type")?).with(&module.names).node("types")?;
        let is_structure = |mut node: crate::llvm::ast::NodeId| {
            for _ in 0..64 {
                let view = module.node(node).with(&module.names);
                match (view.kind(), view.word("tag")) {
                    ("DICompositeType", Some("DW_TAG_structure_type" | "DW_TAG_union_type")) => return true,
                    (
                        "DIDerivedType",
                        Some("DW_TAG_typedef" | "DW_TAG_const_type" | "DW_TAG_volatile_type"),
                    ) => {
                        let Some(base) = view.node("baseType") else { return false };
                        node = base;
                    }
                    _ => return false,
                }
            }
            false
        };
        let params = module.node(types).fields.iter().skip(1).filter_map(|f| f.value.as_node());
        Some(params.filter(|&node| is_structure(node)).count())
    };
    let in_memory = function.params.iter().filter(|p| module.attr(p.attrs, "byval").is_some()).count();
    structures().is_some_and(|count| count > in_memory)
}
