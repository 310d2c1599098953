//! Calls: of functions with bodies, of functions nobody has, through pointers; and of what LLVM and the C library
//! define so closely that it is lowered in place.

use footpath_ir::{AssertKind, ProcId, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId};

use crate::llvm::ast::{Call, Callee, Inst, InstKind, Module, Operand, Value};

use super::context::Pointer;
use super::function::{BlockRole, Lowering};
use super::link::{FnRef, Target};
use super::out_params::Unknown;
use super::points_to::called_constant;
use super::{Unsupported, arith, float};

/// Calls that only bound the life of a local.
pub(super) fn is_lifetime(module: &Module, kind: &InstKind) -> bool {
    kind.as_call().is_some_and(|call| match call.callee {
        Callee::Named(name) => module.text(name).starts_with("llvm.lifetime."),
        _ => false,
    })
}

/// Whether a call is said not to return.
pub(super) fn is_noreturn(module: &Module, call: &Call) -> bool {
    if module.attr(call.attrs, "noreturn").is_some() {
        return true;
    }
    match call.callee {
        Callee::Named(name) => {
            module.function(name).is_some_and(|f| module.attr(f.attrs, "noreturn").is_some())
                || ending(module.text(name)).is_some()
        }
        _ => false,
    }
}

/// How a library function that does not return ends the program.
fn ending(name: &str) -> Option<AssertKind> {
    Some(match name {
        "exit" | "_exit" | "_Exit" | "quick_exit" | "pthread_exit" | "thrd_exit" => AssertKind::Exit,
        "abort" | "__VERIFIER_error" | "__stack_chk_fail" | "__chk_fail" | "llvm.trap" | "llvm.ubsantrap"
        | "llvm.debugtrap" => AssertKind::Abort,
        "reach_error" | "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" => {
            AssertKind::Assert
        }
        _ => return None,
    })
}

/// Constant sizes up to this many cells are copied cell by cell.
const UNROLLED_CELLS: u64 = 64;

impl Lowering<'_, '_, '_> {
    pub(super) fn call(&mut self, inst: &Inst, call: &Call) -> Result<(), Unsupported> {
        match call.callee {
            Callee::Named(name) => {
                if inst.result.is_some_and(|r| self.table(r).is_some()) {
                    return Ok(());
                }
                let text = self.module.text(name).to_owned();
                match self.cx.linked.resolve(self.f.module, name) {
                    Some(Target::Function(f)) if self.cx.linked.function(f).body.code().is_some() => {
                        self.call_function(inst, f, call)
                    }
                    _ if self.builtin(inst, &text, call)? => Ok(()),
                    Some(Target::Function(f)) => self.call_unknown(inst, f, call),
                    _ => Err(Unsupported::new(format!("a call of `{text}`, which is no function"))),
                }
            }
            Callee::Value(Value::Const(c)) => match called_constant(self.cx.linked, self.f.module, c) {
                Some(f) => self.call_function(inst, f, call),
                None => self.call_pointer(inst, Value::Const(c), call),
            },
            Callee::Value(value) => self.call_pointer(inst, value, call),
            Callee::Asm(asm) => {
                // A compiler barrier does nothing that a single thread could see.
                if self.module.text(asm.template).is_empty() && inst.result.is_none() {
                    return Ok(());
                }
                Err(Unsupported::new("inline assembly"))
            }
        }
    }

    fn arguments(&mut self, f: FnRef, call: &Call) -> Result<Vec<Option<TermId>>, Unsupported> {
        let function = self.cx.linked.function(f);
        let mut args = Vec::new();
        for (i, param) in function.params.iter().enumerate() {
            let sorts = self.cx.sorts(f.module, param.ty)?;
            let given = match call.args.get(i) {
                Some((operand, _)) => self.value(*operand)?,
                None => Vec::new(),
            };
            match self.passed(given, &sorts) {
                Some(arrived) => args.extend(arrived.into_iter().map(Some)),
                None => args.extend(sorts.iter().map(|_| None)),
            }
        }
        Ok(args)
    }

    /// What arrives where values of some sorts are expected; none if that is anything. A call that does not fit the
    /// definition, as of a function that was not declared, is undefined. Machines pass integers in registers all the same:
    /// the upper bits are lost, or are zeros.
    fn passed(&mut self, given: Vec<TermId>, sorts: &[footpath_term::SortId]) -> Option<Vec<TermId>> {
        if given.len() != sorts.len() {
            return None;
        }
        let mut arrived = Vec::new();
        for (value, &sort) in given.into_iter().zip(sorts) {
            let has = self.cx.terms.sort(value);
            arrived.push(match (self.cx.terms.width(has), self.cx.terms.width(sort)) {
                _ if has == sort => value,
                (Some(_), Some(bits)) => self.cx.resize(value, bits, false),
                _ => return None,
            });
        }
        Some(arrived)
    }

    /// Calls a procedure; the call's result gets what it returns, if that fits.
    pub(super) fn emit_call(
        &mut self,
        callee: ProcId,
        args: Vec<Option<TermId>>,
        returned: &[footpath_term::SortId],
    ) -> Result<Vec<SymbolId>, Unsupported> {
        self.before_call();
        let results: Vec<SymbolId> =
            returned.iter().enumerate().map(|(i, &s)| self.new_local(&result_name(i), s)).collect();
        self.statement(StatementKind::Call {
            callee,
            args,
            results: results.iter().copied().map(Some).collect(),
        });
        Ok(results)
    }

    /// A call may change whatever is global.
    fn before_call(&mut self) {
        let locals: rustc_hash::FxHashSet<SymbolId> = self.own_symbols();
        self.before_change(&|s| !locals.contains(&s));
    }

    fn take_result(&mut self, inst: &Inst, call: &Call, results: &[SymbolId]) -> Result<(), Unsupported> {
        if inst.result.is_none() {
            return Ok(());
        }
        let wanted = self.cx.sorts(self.f.module, call.ret)?;
        let value: Vec<TermId> = results.iter().map(|&s| self.cx.terms.var(s)).collect();
        let value = match self.passed(value, &wanted) {
            Some(value) => value,
            None => self.arbitrary(&wanted),
        };
        self.define(inst, value);
        Ok(())
    }

    /// Values about which nothing is known.
    pub(super) fn arbitrary(&mut self, sorts: &[footpath_term::SortId]) -> Vec<TermId> {
        let symbols: Vec<SymbolId> = sorts.iter().map(|&s| self.new_local("any", s)).collect();
        if !symbols.is_empty() {
            self.statement(StatementKind::Havoc(symbols.clone()));
        }
        symbols.into_iter().map(|s| self.cx.terms.var(s)).collect()
    }

    fn call_function(&mut self, inst: &Inst, f: FnRef, call: &Call) -> Result<(), Unsupported> {
        if self.cx.linked.function(f).body.code().is_none() {
            let text = self.cx.linked.function_name(f).to_owned();
            if self.builtin(inst, &text, call)? {
                return Ok(());
            }
            return self.call_unknown(inst, f, call);
        }
        let args = self.arguments(f, call)?;
        let sorts = self.cx.sorts(f.module, self.cx.linked.function(f).ret)?;
        let results = self.emit_call(self.cx.procs[&f], args, &sorts)?;
        self.take_result(inst, call, &results)
    }

    /// A function without a body: its result is an input. A pointer is null or the address of a new object.
    fn call_unknown(&mut self, inst: &Inst, f: FnRef, call: &Call) -> Result<(), Unsupported> {
        let function = self.cx.linked.function(f);
        let sorts = self.cx.sorts(f.module, function.ret)?;
        let is_pointer = self.module.types.is_pointer(call.ret);
        let args = self.arguments(f, call)?;
        let results = self.emit_call(self.cx.procs[&f], args, &sorts)?;
        let name = self.cx.linked.function_name(f);
        if !name.starts_with("__footpath_") {
            self.unknown_writes(call, self.cx.options.library.contains(name));
            self.write_out_params(&Unknown::Function(f), call)?;
        }
        if is_pointer {
            self.returned_object(&results, self.cx.regions.result(f))?;
        }
        if is_noreturn(self.module, call) {
            let no = self.cx.terms.bool(false);
            self.statement(StatementKind::assert(no, AssertKind::Exit));
        }
        self.take_result(inst, call, &results)
    }

    /// What a function that nobody has may have changed is arbitrary, if that is asked for: all memory that its arguments
    /// lead to, and, unless it is a library's, the variables that other files see.
    fn unknown_writes(&mut self, call: &Call, of_library: bool) {
        if !self.cx.options.unknown_writes {
            return;
        }
        let (linked, regions) = (self.cx.linked, self.cx.regions);
        let mut reached = Vec::new();
        let mut todo: Vec<_> =
            call.args.iter().filter_map(|(arg, _)| regions.operand(linked, self.f, arg.value)).collect();
        let mut changed: Vec<SymbolId> = Vec::new();
        if !of_library {
            for (g, symbols) in &self.cx.scalars {
                if !linked.global(*g).linkage.is_local() {
                    changed.extend(symbols);
                }
            }
            let globals: Vec<_> = self.cx.objects.keys().copied().collect();
            for target in globals {
                if let Target::Global(g) = target
                    && !linked.global(g).linkage.is_local()
                    && !linked.global(g).is_constant
                {
                    todo.extend(regions.global(g));
                }
            }
        }
        while let Some(region) = todo.pop() {
            let region = regions.find(region);
            if !reached.contains(&region) {
                reached.push(region);
                todo.extend(regions.content(region));
            }
        }
        changed.extend(reached.into_iter().map(|r| self.cx.memory_of(r).symbol));
        if !changed.is_empty() {
            let set: rustc_hash::FxHashSet<SymbolId> = changed.iter().copied().collect();
            self.before_change(&|s| set.contains(&s));
            self.statement(StatementKind::Havoc(changed));
        }
    }

    /// Assumes that a pointer from outside is null or the address of a new object.
    fn returned_object(
        &mut self,
        results: &[SymbolId],
        region: Option<super::points_to::Region>,
    ) -> Result<(), Unsupported> {
        let &[object, offset] = results else { return Ok(()) };
        let bytes = self.cx.offset(i64::from(self.cx.options.stub_bytes));
        let new = self.new_object(bytes, "returned")?;
        let (got, at) = (self.cx.terms.var(object), self.cx.terms.var(offset));
        let null = self.cx.bv(self.cx.shape.object, 0);
        let zero = self.cx.offset(0);
        let is_null = self.cx.app(Op::Eq, &[got, null]);
        let is_new = self.cx.app(Op::Eq, &[got, new]);
        let either = self.cx.app(Op::Or, &[is_null, is_new]);
        let start = self.cx.app(Op::Eq, &[at, zero]);
        let valid = self.cx.app(Op::And, &[either, start]);
        self.statement(StatementKind::Assume(valid));
        if let Some(region) = region
            && self.cx.regions.content(region).is_some()
            && !self.cx.options.unknown_writes
        {
            self.without_pointers(Pointer { object: new, offset: zero }, region);
        }
        Ok(())
    }

    /// Assumes that an object of a function that nobody has holds no pointers to objects: tests fill it with bytes.
    fn without_pointers(&mut self, object: Pointer, region: super::points_to::Region) {
        let memory = self.cx.memory_of(region);
        let bytes = u64::from(self.cx.shape.bits / 8);
        let map = self.cx.terms.var(memory.symbol);
        for i in 0..u64::from(self.cx.options.stub_bytes) / bytes {
            let at = self.cx.add_bytes(object, i * bytes);
            let bits = self.cx.read_bytes(map, memory.grain, at, bytes);
            let target = self.cx.unpack(bits).object;
            let null = self.cx.object(0);
            let is_null = self.cx.app(Op::Eq, &[target, null]);
            self.statement(StatementKind::Assume(is_null));
        }
    }

    /// A call through a pointer: a choice among the functions whose address is taken and whose type fits.
    fn call_pointer(&mut self, inst: &Inst, callee: Value, call: &Call) -> Result<(), Unsupported> {
        let p = self.pointer(callee)?;
        let wanted: Vec<_> = {
            let mut sorts = Vec::new();
            for (operand, _) in &call.args {
                sorts.push(self.cx.sorts(self.f.module, operand.ty)?);
            }
            sorts
        };
        let ret = self.cx.sorts(self.f.module, call.ret)?;
        let mut candidates = Vec::new();
        for f in self.cx.regions.address_taken.clone() {
            let function = self.cx.linked.function(f);
            if function.params.len() > wanted.len()
                || (function.params.len() < wanted.len() && !function.varargs)
            {
                continue;
            }
            let mut fits = self.cx.sorts(f.module, function.ret).is_ok_and(|s| s == ret || ret.is_empty());
            for (param, sorts) in function.params.iter().zip(&wanted) {
                fits &= self.cx.sorts(f.module, param.ty).is_ok_and(|s| s == *sorts);
            }
            if fits && self.cx.objects.contains_key(&Target::Function(f)) {
                candidates.push(f);
            }
        }
        let symbols: Vec<SymbolId> =
            ret.iter().enumerate().map(|(i, &s)| self.new_local(&result_name(i), s)).collect();
        self.before_call();
        let join = self.add_block("called", BlockRole::Glue);
        for f in candidates {
            let number = self.cx.objects[&Target::Function(f)];
            let number = self.cx.object(number);
            let here = self.cx.app(Op::Eq, &[p.object, number]);
            let this = self.add_block("calls", BlockRole::Glue);
            let other = self.add_block("calls", BlockRole::Glue);
            self.terminate(TerminatorKind::Branch { condition: here, then_to: this, else_to: other });
            self.continue_in(this);
            let args = self.arguments(f, call)?;
            let sorts = self.cx.sorts(f.module, self.cx.linked.function(f).ret)?;
            let results = self.emit_call(self.cx.procs[&f], args, &sorts)?;
            let pairs: Vec<_> =
                symbols.iter().zip(&results).map(|(&s, &r)| (s, self.cx.terms.var(r))).collect();
            if !pairs.is_empty() {
                self.statement(StatementKind::Assign(pairs));
            }
            self.terminate(TerminatorKind::Goto(vec![join]));
            self.continue_in(other);
        }
        // Whoever calls may have given a function that is not known here.
        let null = self.cx.bv(self.cx.shape.object, 0);
        let is_null = self.cx.app(Op::Eq, &[p.object, null]);
        let valid = self.cx.not(is_null);
        self.check(AssertKind::Null, valid);
        let callback = self.cx.callback(&(wanted.clone(), ret.clone()));
        if !self.cx.options.unknown_writes {
            // In tests such functions are defined, and nothing else can be called.
            let number = self.cx.object(callback.number);
            let is_function = self.cx.app(Op::Eq, &[p.object, number]);
            self.statement(StatementKind::Assume(is_function));
        }
        let results = self.emit_call(callback.procedure, Vec::new(), &ret)?;
        self.unknown_writes(call, false);
        self.write_out_params(&Unknown::Callback((wanted, ret)), call)?;
        if self.module.types.is_pointer(call.ret) {
            self.returned_object(&results, self.cx.regions.unknown_result())?;
        }
        let pairs: Vec<_> = symbols.iter().zip(&results).map(|(&s, &r)| (s, self.cx.terms.var(r))).collect();
        if !pairs.is_empty() {
            self.statement(StatementKind::Assign(pairs));
        }
        self.terminate(TerminatorKind::Goto(vec![join]));
        self.continue_in(join);
        self.forget_facts();
        self.take_result(inst, call, &symbols)
    }

    // ---- Library functions and intrinsics

    /// Lowers a call in place, if it is one of those.
    fn builtin(&mut self, inst: &Inst, name: &str, call: &Call) -> Result<bool, Unsupported> {
        if let Some(kind) = ending(name) {
            let no = self.cx.terms.bool(false);
            self.statement(StatementKind::assert(no, kind));
            return Ok(true);
        }
        if let Some(rest) = name.strip_prefix("llvm.") {
            return self.intrinsic(inst, rest, call);
        }
        if self.annotation(name, call)? {
            return Ok(true);
        }
        match name {
            "malloc" => {
                let bytes = self.argument(call, 0)?;
                let bytes = self.stable(bytes);
                let p = self.allocate(bytes, name)?;
                self.define(inst, vec![p.object, p.offset]);
            }
            "calloc" => {
                let (n, each) = (self.argument(call, 0)?, self.argument(call, 1)?);
                let bytes = self.cx.app(Op::BvMul, &[n, each]);
                let bytes = self.stable(bytes);
                let p = self.allocate(bytes, name)?;
                if let Some(result) = inst.result
                    && let Some(region) = self.cx.regions.local(self.f, result)
                {
                    let memory = self.cx.memory_of(region);
                    let zero = self.cx.bv(8, 0);
                    let null = self.cx.bv(self.cx.shape.object, 0);
                    let failed = self.cx.app(Op::Eq, &[p.object, null]);
                    let none = self.cx.offset(0);
                    let filled = self.cx.app(Op::Ite, &[failed, none, bytes]);
                    // Cells of no object may be written: nothing reads them. So a known size stays known.
                    let filled = if self.cx.terms.literal(bytes).is_some() { bytes } else { filled };
                    self.fill(memory, p, zero, filled)?;
                }
                self.define(inst, vec![p.object, p.offset]);
            }
            "realloc" => {
                let old = self.pointer(call.args[0].0.value)?;
                let old = self.stable_pointer(old);
                let bytes = self.argument(call, 1)?;
                let bytes = self.stable(bytes);
                let p = self.allocate(bytes, name)?;
                if let Some(result) = inst.result
                    && let Some(region) = self.cx.regions.local(self.f, result)
                {
                    let memory = self.cx.memory_of(region);
                    let sizes = self.cx.terms.var(self.cx.size);
                    let had = self.cx.app(Op::Select, &[sizes, old.object]);
                    let less = self.cx.app(Op::BvUlt, &[had, bytes]);
                    let kept = self.cx.app(Op::Ite, &[less, had, bytes]);
                    let null = self.cx.bv(self.cx.shape.object, 0);
                    let none = self.cx.app(Op::Eq, &[old.object, null]);
                    let zero = self.cx.offset(0);
                    let failed = self.cx.app(Op::Eq, &[p.object, null]);
                    let nothing = self.cx.app(Op::Or, &[none, failed]);
                    let kept = self.cx.app(Op::Ite, &[nothing, zero, kept]);
                    self.copy(memory, p, memory, old, kept)?;
                }
                self.define(inst, vec![p.object, p.offset]);
                // Where it fails the old object stays.
                let null = self.cx.bv(self.cx.shape.object, 0);
                let failed = self.cx.app(Op::Eq, &[p.object, null]);
                let freed = self.cx.app(Op::Ite, &[failed, null, old.object]);
                let start = self.cx.offset(0);
                let offset = self.cx.app(Op::Ite, &[failed, start, old.offset]);
                self.free(Pointer { object: freed, offset });
            }
            "free" | "cfree" => {
                let p = self.pointer(call.args[0].0.value)?;
                self.free(p);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn argument(&mut self, call: &Call, i: usize) -> Result<TermId, Unsupported> {
        match call.args.get(i) {
            Some((operand, _)) => {
                let value = self.value(*operand)?;
                value.first().copied().ok_or_else(|| Unsupported::new("a call without an argument"))
            }
            None => Err(Unsupported::new("a call with too few arguments")),
        }
    }

    pub(super) fn argument_is_true(&mut self, call: &Call, i: usize) -> Result<TermId, Unsupported> {
        let t = self.argument(call, i)?;
        if self.cx.terms.sort(t) == footpath_term::SortId::BOOL {
            return Ok(t);
        }
        let zero = self.cx.bv(self.cx.width(t), 0);
        let is_zero = self.cx.app(Op::Eq, &[t, zero]);
        Ok(self.cx.not(is_zero))
    }

    /// A new object on the heap; null if it is larger than any test will allocate, or if an input says that memory is
    /// used up. Models of libraries allocate where no test could interfere, so that never fails.
    fn allocate(&mut self, bytes: TermId, name: &str) -> Result<Pointer, Unsupported> {
        let bytes = self.cx.resize(bytes, self.cx.shape.offset, false);
        let limit = self.cx.offset(i64::from(self.cx.options.allocation_limit));
        let mut fits = self.cx.app(Op::BvUle, &[bytes, limit]);
        if self.cx.options.allocation_fails && (self.f.module as usize) < self.cx.options.user_modules {
            self.before_call();
            let fails = self.new_local("fails", footpath_term::SortId::BOOL);
            let callee = self.cx.allocation_fails;
            self.statement(StatementKind::Call { callee, args: Vec::new(), results: vec![Some(fails)] });
            let fails = self.cx.terms.var(fails);
            let succeeds = self.cx.not(fails);
            fits = self.cx.app(Op::And, &[fits, succeeds]);
        }
        let object = self.new_object(bytes, name)?;
        let null = self.cx.bv(self.cx.shape.object, 0);
        let object = self.cx.app(Op::Ite, &[fits, object, null]);
        Ok(Pointer { object, offset: self.cx.offset(0) })
    }

    fn free(&mut self, p: Pointer) {
        let null = self.cx.bv(self.cx.shape.object, 0);
        let is_null = self.cx.app(Op::Eq, &[p.object, null]);
        let lives = self.cx.terms.var(self.cx.alive);
        let alive = self.cx.app(Op::Select, &[lives, p.object]);
        let zero = self.cx.offset(0);
        let start = self.cx.app(Op::Eq, &[p.offset, zero]);
        let last_global = self.cx.object(self.cx.first_free_object() - 1);
        let on_heap = self.cx.app(Op::BvUlt, &[last_global, p.object]);
        let valid = self.cx.app(Op::And, &[alive, start, on_heap]);
        let fine = self.cx.app(Op::Or, &[is_null, valid]);
        self.check(AssertKind::Free, fine);
        let no = self.cx.terms.bool(false);
        let dead = self.cx.app(Op::Store, &[lives, p.object, no]);
        let dead = self.cx.app(Op::Ite, &[is_null, lives, dead]);
        let symbol = self.cx.alive;
        self.assign(vec![(symbol, dead)]);
    }

    fn intrinsic(&mut self, inst: &Inst, name: &str, call: &Call) -> Result<bool, Unsupported> {
        let base = name.split('.').next().unwrap_or(name);
        let operands: Vec<Operand> = call.args.iter().map(|(o, _)| *o).collect();
        match base {
            "lifetime" | "dbg" | "donothing" | "prefetch" | "sideeffect" | "assume" | "stackrestore"
            | "invariant" | "experimental"
                if inst.result.is_none() => {}
            "memcpy" | "memmove" => self.memory_copy(&operands)?,
            "memset" => self.memory_fill(&operands)?,
            "expect" | "launder" | "strip" | "ssa" | "annotation" => {
                let value = self.value(operands[0])?;
                self.define(inst, value);
            }
            "stacksave" => {
                let wanted = self.cx.sorts(self.f.module, call.ret)?;
                let value = wanted.into_iter().map(|s| self.cx.zero_of(s)).collect();
                self.define(inst, value);
            }
            "objectsize" | "is" if base == "objectsize" || name.starts_with("is.constant") => {
                let wanted = self.cx.sorts(self.f.module, call.ret)?;
                let value = wanted.into_iter().map(|s| match self.cx.terms.width(s) {
                    Some(bits) => self.cx.bv(bits, -1),
                    None => self.cx.terms.bool(false),
                });
                let value = value.collect();
                self.define(inst, value);
            }
            "sadd" | "ssub" | "smul" | "uadd" | "usub" | "umul" if name.contains(".with.overflow") => {
                self.with_overflow(inst, base, &operands)?;
            }
            "abs" | "smax" | "smin" | "umax" | "umin" | "bswap" | "bitreverse" | "ctpop" | "ctlz"
            | "cttz" | "fshl" | "fshr" => self.integer_function(inst, base, &operands)?,
            "fabs" => {
                let value = self.value(operands[0])?;
                let value = value.into_iter().map(|v| float::absolute(self.cx, v)).collect();
                self.define(inst, value);
            }
            "sqrt" | "floor" | "ceil" | "trunc" | "rint" | "nearbyint" | "roundeven" | "round" => {
                let text = match base {
                    "sqrt" => "fp.sqrt RNE",
                    "floor" => "fp.roundToIntegral RTN",
                    "ceil" => "fp.roundToIntegral RTP",
                    "trunc" => "fp.roundToIntegral RTZ",
                    "round" => "fp.roundToIntegral RNA",
                    _ => "fp.roundToIntegral RNE",
                };
                let value = self.value(operands[0])?;
                let value = value.into_iter().map(|v| float::unary(self.cx, text, v)).collect();
                self.define(inst, value);
            }
            "fmuladd" => {
                use crate::llvm::ast::BinaryOp;
                let (a, b, c) =
                    (self.value(operands[0])?, self.value(operands[1])?, self.value(operands[2])?);
                let product = float::binary(self.cx, BinaryOp::FMul, a[0], b[0])?;
                let sum = float::binary(self.cx, BinaryOp::FAdd, product, c[0])?;
                self.define(inst, vec![sum]);
            }
            _ => return Err(Unsupported::new(format!("the intrinsic `llvm.{name}`"))),
        }
        Ok(true)
    }

    fn with_overflow(&mut self, inst: &Inst, base: &str, operands: &[Operand]) -> Result<(), Unsupported> {
        use crate::llvm::ast::BinaryOp;
        let op = match &base[1..] {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            _ => BinaryOp::Mul,
        };
        let (a, b) = (self.value(operands[0])?[0], self.value(operands[1])?[0]);
        let result = arith::binary(self.cx, op, a, b)?;
        let overflow = if base.starts_with('s') {
            arith::signed_overflow(self.cx, op, a, b)
        } else {
            arith::unsigned_overflow(self.cx, op, a, b)
        };
        let overflow = overflow.ok_or_else(|| Unsupported::new("an overflow check"))?;
        self.define(inst, vec![result, overflow]);
        Ok(())
    }

    fn integer_function(&mut self, inst: &Inst, base: &str, operands: &[Operand]) -> Result<(), Unsupported> {
        let x = self.value(operands[0])?[0];
        let width = self.cx.width(x);
        let y = match operands.get(1) {
            Some(&operand) => Some(self.value(operand)?[0]),
            None => None,
        };
        let result = match (base, y) {
            ("abs", _) => {
                let zero = self.cx.bv(width, 0);
                let negative = self.cx.app(Op::BvSlt, &[x, zero]);
                let negated = self.cx.app(Op::BvNeg, &[x]);
                self.cx.app(Op::Ite, &[negative, negated, x])
            }
            ("smax" | "smin" | "umax" | "umin", Some(y)) => {
                let less = if base.starts_with('s') { Op::BvSlt } else { Op::BvUlt };
                let below = self.cx.app(less, &[x, y]);
                if base.ends_with("max") {
                    self.cx.app(Op::Ite, &[below, y, x])
                } else {
                    self.cx.app(Op::Ite, &[below, x, y])
                }
            }
            ("bswap", _) => {
                let bytes: Vec<TermId> =
                    (0..width / 8).map(|i| self.cx.app(Op::Extract(8 * i + 7, 8 * i), &[x])).collect();
                self.concatenate(&bytes)
            }
            ("bitreverse", _) => {
                let bits: Vec<TermId> = (0..width).map(|i| self.cx.app(Op::Extract(i, i), &[x])).collect();
                self.concatenate(&bits)
            }
            ("ctpop", _) => {
                let mut sum = self.cx.bv(width, 0);
                for i in 0..width {
                    let bit = self.cx.app(Op::Extract(i, i), &[x]);
                    let bit = self.cx.resize(bit, width, false);
                    sum = self.cx.app(Op::BvAdd, &[sum, bit]);
                }
                sum
            }
            ("ctlz" | "cttz", _) => {
                let one = self.cx.bv(1, 1);
                let mut count = self.cx.bv(width, i64::from(width));
                for k in 0..width {
                    // The bit that is looked at last decides.
                    let i = if base == "ctlz" { k } else { width - 1 - k };
                    let bit = self.cx.app(Op::Extract(i, i), &[x]);
                    let set = self.cx.app(Op::Eq, &[bit, one]);
                    let zeros = if base == "ctlz" { width - 1 - i } else { i };
                    let here = self.cx.bv(width, i64::from(zeros));
                    count = self.cx.app(Op::Ite, &[set, here, count]);
                }
                count
            }
            ("fshl" | "fshr", Some(y)) => {
                let amount = self.value(operands[2])?[0];
                let modulus = self.cx.bv(width, i64::from(width));
                let amount = self.cx.app(Op::BvUrem, &[amount, modulus]);
                let both = self.cx.app(Op::Concat, &[x, y]);
                let wide = self.cx.resize(amount, 2 * width, false);
                if base == "fshl" {
                    let shifted = self.cx.app(Op::BvShl, &[both, wide]);
                    self.cx.app(Op::Extract(2 * width - 1, width), &[shifted])
                } else {
                    let shifted = self.cx.app(Op::BvLshr, &[both, wide]);
                    self.cx.app(Op::Extract(width - 1, 0), &[shifted])
                }
            }
            _ => return Err(Unsupported::new(format!("the intrinsic `llvm.{base}`"))),
        };
        self.define(inst, vec![result]);
        Ok(())
    }

    /// The first part becomes the highest.
    fn concatenate(&mut self, parts: &[TermId]) -> TermId {
        let mut whole = parts[0];
        for &part in &parts[1..] {
            whole = self.cx.app(Op::Concat, &[whole, part]);
        }
        whole
    }

    // ---- Copying and filling

    fn memory_copy(&mut self, operands: &[Operand]) -> Result<(), Unsupported> {
        let (to, from) = (self.pointer(operands[0].value)?, self.pointer(operands[1].value)?);
        let bytes = self.value(operands[2])?[0];
        let bytes = self.cx.resize(bytes, self.cx.shape.offset, false);
        if self.is_literally_zero(bytes) {
            return Ok(());
        }
        self.check_range(from, bytes);
        self.check_range(to, bytes);
        let (a, b) = (self.region(operands[0].value)?, self.region(operands[1].value)?);
        let (a, b) = (self.cx.memory_of(a), self.cx.memory_of(b));
        self.copy(a, to, b, from, bytes)
    }

    fn memory_fill(&mut self, operands: &[Operand]) -> Result<(), Unsupported> {
        let to = self.pointer(operands[0].value)?;
        let byte = self.value(operands[1])?[0];
        let bytes = self.value(operands[2])?[0];
        let bytes = self.cx.resize(bytes, self.cx.shape.offset, false);
        if self.is_literally_zero(bytes) {
            return Ok(());
        }
        self.check_range(to, bytes);
        let region = self.region(operands[0].value)?;
        let memory = self.cx.memory_of(region);
        self.fill(memory, to, byte, bytes)
    }

    fn is_literally_zero(&mut self, t: TermId) -> bool {
        let zero = self.cx.bv(self.cx.width(t), 0);
        t == zero
    }

    /// As [`Self::check_access`], but nothing is accessed if there are no bytes.
    fn check_range(&mut self, p: Pointer, bytes: TermId) {
        if self.cx.terms.literal(bytes).is_some() {
            self.check_access(p, bytes);
            return;
        }
        let zero = self.cx.offset(0);
        let some = self.cx.app(Op::Eq, &[bytes, zero]);
        let check = self.add_block("range", BlockRole::Glue);
        let next = self.add_block("then", BlockRole::Glue);
        self.terminate(TerminatorKind::Branch { condition: some, then_to: next, else_to: check });
        self.continue_in(check);
        self.check_access(p, bytes);
        self.terminate(TerminatorKind::Goto(vec![next]));
        self.continue_in(next);
        self.forget_facts();
    }

    /// Writes one byte into every byte of a range.
    fn fill(
        &mut self,
        memory: super::context::Memory,
        to: Pointer,
        byte: TermId,
        bytes: TermId,
    ) -> Result<(), Unsupported> {
        let (to, byte, bytes) = (self.stable_pointer(to), self.stable(byte), self.stable(bytes));
        let mut cell = byte;
        for _ in 1..memory.grain {
            cell = self.cx.app(Op::Concat, &[cell, byte]);
        }
        self.for_cells(memory.grain, bytes, |this, at| {
            let p = this.cx.add_offset(to, at);
            let map = this.cx.terms.var(memory.symbol);
            let written = this.cx.app(Op::Store, &[map, p.object, p.offset, cell]);
            this.assign(vec![(memory.symbol, written)]);
        });
        Ok(())
    }

    /// Copies a range. The source is read as it was before.
    fn copy(
        &mut self,
        to_memory: super::context::Memory,
        to: Pointer,
        from_memory: super::context::Memory,
        from: Pointer,
        bytes: TermId,
    ) -> Result<(), Unsupported> {
        let grain = to_memory.grain.max(from_memory.grain);
        let (to, from) = (self.stable_pointer(to), self.stable_pointer(from));
        let bytes = self.stable(bytes);
        let sort = self.cx.terms.symbol(from_memory.symbol).sort;
        let before = self.new_local("copied", sort);
        let now = self.cx.terms.var(from_memory.symbol);
        self.statement(StatementKind::Assign(vec![(before, now)]));
        let before = self.cx.terms.var(before);
        self.for_cells(grain, bytes, |this, at| {
            let source = this.cx.add_offset(from, at);
            let target = this.cx.add_offset(to, at);
            let value = this.cx.read_bytes(before, from_memory.grain, source, grain);
            let map = this.cx.terms.var(to_memory.symbol);
            let written = this.cx.write_bytes(map, to_memory.grain, target, value);
            this.assign(vec![(to_memory.symbol, written)]);
        });
        Ok(())
    }

    /// Does something for every cell of a range: one after the other if there are few, in a loop otherwise.
    fn for_cells(&mut self, grain: u64, bytes: TermId, mut step: impl FnMut(&mut Self, TermId)) {
        if let Some(known) = self.cx.terms.literal(bytes).and_then(footpath_term::Value::as_u64)
            && known.div_ceil(grain) <= UNROLLED_CELLS
        {
            for i in 0..known / grain {
                let at = self.cx.offset((i * grain) as i64);
                step(self, at);
            }
            return;
        }
        let sort = self.cx.terms.bit_vec_sort(self.cx.shape.offset);
        let counter = self.new_local("at", sort);
        let end = self.new_local("end", sort);
        let zero = self.cx.offset(0);
        self.assign(vec![(counter, zero), (end, bytes)]);
        // Everything that is computed from memory must be kept over the loop.
        self.before_change(&|_| true);
        let head = self.add_block("copy", BlockRole::Glue);
        let body = self.add_block("copy", BlockRole::Glue);
        let next = self.add_block("copied", BlockRole::Glue);
        self.terminate(TerminatorKind::Goto(vec![head]));
        self.continue_in(head);
        let (at, end) = (self.cx.terms.var(counter), self.cx.terms.var(end));
        let more = self.cx.app(Op::BvUlt, &[at, end]);
        self.terminate(TerminatorKind::Branch { condition: more, then_to: body, else_to: next });
        self.continue_in(body);
        step(self, at);
        let size = self.cx.offset(grain as i64);
        let following = self.cx.app(Op::BvAdd, &[at, size]);
        self.assign(vec![(counter, following)]);
        self.terminate(TerminatorKind::Goto(vec![head]));
        self.continue_in(next);
        self.forget_facts();
    }

    /// A parameter that is passed by value in memory is a copy that belongs to the callee.
    pub(super) fn copy_byval_params(&mut self) -> Result<(), Unsupported> {
        let function = self.cx.linked.function(self.f);
        for (i, param) in function.params.iter().enumerate() {
            if self.module.attr(param.attrs, "byval").is_none() {
                continue;
            }
            let ty = match self.module.attr(param.attrs, "byval") {
                Some(crate::llvm::ast::AttrValue::Type(ty)) => Some(*ty),
                _ => match self.module.types.kind(param.ty) {
                    crate::llvm::ast::TypeKind::Ptr { pointee, .. } => *pointee,
                    _ => None,
                },
            };
            let Some(size) = ty.and_then(|ty| self.module.layouts.size(ty)) else {
                return Err(Unsupported::new("a parameter passed by value without a size"));
            };
            let local = crate::llvm::ast::LocalId(i as u32);
            let from = self.pointer(Value::Local(local))?;
            let bytes = self.cx.offset(size as i64);
            let object = self.new_object(bytes, "param")?;
            self.stack.insert(object, size);
            let to = Pointer { object, offset: self.cx.offset(0) };
            let region = self.region(Value::Local(local))?;
            let memory = self.cx.memory_of(region);
            self.copy(memory, to, memory, from, bytes)?;
            self.set_register(local, vec![to.object, to.offset]);
        }
        Ok(())
    }
}

fn result_name(component: usize) -> String {
    if component == 0 { "result".to_owned() } else { format!("result.{component}") }
}
