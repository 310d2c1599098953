//! Calls: of functions with a body, of external functions, and indirect calls through pointers.
//!
//! **Idea.** A call of a function with a body is a call of its procedure. A call of an external function returns
//! arbitrary values, and may change what its out parameters point to, or, for proofs, everything that has escaped
//! (`facts/escape.rs`). A call through a pointer becomes a choice among the functions whose address is taken and
//! whose type fits, or to which the pointer may point after a cast (`calling_convention.rs`). A null pointer fails; any other pointer is a callback of that type, which is an external
//! function.
//!
//! Example: `op(3)` with a pointer `op` becomes `if (op == &inc) inc(3) else if (op == &dec) dec(3) else
//! callback(3)`, where `inc` and `dec` are all functions of that type whose address is taken, and `op != NULL` is
//! checked first.
//!
//! **Direction of error.** For tests, an external function changes nothing but its out parameters. For proofs, see
//! `facts/escape.rs`.

use footpath_ir::{AssertKind, ProcId, StatementKind, TerminatorKind};
use footpath_term::{Op, SortId, SymbolId, TermId};
use rustc_hash::FxHashSet;

use crate::llvm::ast::{Call, Callee, CastOp, Inst, InstKind, LocalId, Module, Operand, Value};

use super::super::facts::escape;
use super::super::facts::link::{FnRef, Target};
use super::super::facts::opaque_types::Spot;
use super::super::facts::out_params::Unknown;
use super::super::facts::points_to::{called_constant, callee};
use super::super::source::library_models;
use super::super::{TestAssumption, Unsupported};
use super::context::{Pointer, Signature};
use super::function::{BlockRole, Lowering};
use super::lifetimes::Storage;

/// Whether a call only marks the beginning or end of a local's lifetime.
pub(crate) fn is_lifetime(module: &Module, kind: &InstKind) -> bool {
    kind.as_call().is_some_and(|call| match call.callee {
        Callee::Named(name) => module.text(name).starts_with("llvm.lifetime."),
        _ => false,
    })
}

/// Whether a call is declared not to return.
pub(crate) fn is_noreturn(module: &Module, call: &Call) -> bool {
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
pub(crate) fn ending(name: &str) -> Option<AssertKind> {
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

/// The most characters that tests take a text to have that is printed.
const LONGEST_TEXT: i64 = 4095;

impl Lowering<'_, '_, '_> {
    pub(crate) fn call(&mut self, inst: &Inst, call: &Call) -> Result<(), Unsupported> {
        self.check_passed(call)?;
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
                    _ => Err(Unsupported::new(format!("a call of `{text}`, which is not a function"))),
                }
            }
            Callee::Value(Value::Const(c)) => match called_constant(self.cx.linked, self.f.module, c) {
                Some(f) => self.call_function(inst, f, call),
                None => self.call_pointer(inst, Value::Const(c), call),
            },
            Callee::Value(value) => self.call_pointer(inst, value, call),
            Callee::Asm(asm) => self.assembly(inst, call, asm),
        }
    }

    /// Checks that what is passed by value in memory is there: passing it reads it.
    fn check_passed(&mut self, call: &Call) -> Result<(), Unsupported> {
        for (operand, attrs) in &call.args {
            if let Some(size) = self.by_value(operand.ty, *attrs) {
                let p = self.pointer(operand.value)?;
                let bytes = self.cx.offset(size as i64);
                // Where a run goes on behind an access beyond an object, what was read must be anything.
                self.check_passed_on(operand.value, p, bytes);
            }
        }
        Ok(())
    }

    /// Calls a procedure; the call's result gets what it returns, if that fits.
    pub(crate) fn emit_call(
        &mut self,
        callee: ProcId,
        args: Vec<Option<TermId>>,
        returned: &[SortId],
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

    /// Values about which nothing is known.
    pub(crate) fn arbitrary(&mut self, sorts: &[SortId]) -> Vec<TermId> {
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
        let name = self.cx.linked.function_name(f);
        let is_model = f.module as usize >= self.cx.options.user_modules;
        let has_counts = is_model && self.cx.linked.function(f).varargs && self.writes_counts(call);
        let uses_kept = is_model && escape::uses_kept(self.cx, name);
        let sets_zone = is_model && library_models::sets_zone(name) && escape::knows_zone(self.cx);
        if has_counts || sets_zone {
            self.conservative_externals(call, true, Some(self.cx.procs[&f]));
        }
        if uses_kept || is_model && escape::waits(name) {
            self.others_run(call, self.cx.procs[&f]);
        }
        if has_counts || uses_kept {
            self.assume_nothing_kept();
        }
        if is_model && library_models::leaves_count_open(name) {
            self.assume_short_text(inst, &results);
        }
        self.take_result(inst, Some(f), call, &results)
    }

    /// For tests, that a text which is printed is short, if somebody looks at how long it is: what tests are linked with returns any
    /// number, and sums of these would overflow in them only.
    fn assume_short_text(&mut self, inst: &Inst, results: &[SymbolId]) {
        let is_used = inst.result.is_some_and(|result| !self.users[result.index()].is_empty());
        let &[length] = results else { return };
        if !is_used || self.cx.options.conservative_externals {
            return;
        }
        let length = self.cx.terms.var(length);
        let most = self.cx.bv(self.cx.width(length), LONGEST_TEXT);
        let is_short = self.cx.app(Op::BvSle, &[length, most]);
        self.statement(StatementKind::Assume(is_short));
        self.cx.test_assumptions.insert((self.proc, TestAssumption::ShortTexts));
    }

    /// For tests, that the library writes to nothing that it keeps.
    pub(crate) fn assume_nothing_kept(&mut self) {
        if !self.cx.options.conservative_externals {
            self.cx.test_assumptions.insert((self.proc, TestAssumption::NothingKept));
        }
    }

    /// The effects of other threads and signal handlers while a library function waits.
    fn others_run(&mut self, call: &Call, callee: ProcId) {
        self.conservative_externals(call, false, Some(callee));
        if !self.cx.options.conservative_externals {
            self.cx.opaque.insert(self.proc);
        }
    }

    /// Whether a call of `printf` or its like has a format, a constant, with a conversion `%n`: the models of those that write to streams
    /// look at no arguments.
    fn writes_counts(&self, call: &Call) -> bool {
        let mut texts = call.args.iter().filter_map(|(arg, _)| match arg.value {
            Value::Const(c) => self.literal_bytes(c),
            Value::Local(_) => None,
        });
        texts.any(has_count)
    }

    /// A function without a body: its result is an input. A pointer is null or the address of a new object.
    fn call_unknown(&mut self, inst: &Inst, f: FnRef, call: &Call) -> Result<(), Unsupported> {
        let results = self.unknown_results(inst, f, call)?;
        self.take_result(inst, Some(f), call, &results)
    }

    fn unknown_results(&mut self, inst: &Inst, f: FnRef, call: &Call) -> Result<Vec<SymbolId>, Unsupported> {
        let function = self.cx.linked.function(f);
        let sorts = self.cx.sorts(f.module, function.ret)?;
        let is_pointer = self.module.types.is_pointer(call.ret);
        if let Some(results) = self.sampled(f, call)? {
            return Ok(results);
        }
        let args = self.arguments(f, call)?;
        let results = self.emit_call(self.cx.procs[&f], args, &sorts)?;
        let name = self.cx.linked.function_name(f);
        if !library_models::gives_input(name) {
            let callee = self.cx.procs[&f];
            let of_library = self.cx.options.library.contains(name);
            let uses_kept = of_library && escape::has_kept(self.cx);
            self.conservative_externals(call, of_library, Some(callee));
            if uses_kept {
                self.conservative_externals(call, false, Some(callee));
            }
            // The library may return the same place each time.
            if uses_kept || of_library && is_pointer {
                self.assume_nothing_kept();
            }
            if escape::waits(name) {
                self.others_run(call, callee);
            }
            self.write_out_params(&Unknown::Function(f), call)?;
        }
        match self.called_later(inst) {
            _ if !is_pointer => {}
            Some(signature) => self.returned_function(&results, &signature),
            None => {
                let sentinels = self.cx.shared.hidden(self.cx.linked).sentinels(&Spot::Result(f), None);
                let region = self.cx.regions.result(f);
                self.returned_object(self.cx.procs[&f], &results, region, &sentinels)?;
            }
        }
        if is_noreturn(self.module, call) {
            let no = self.cx.terms.bool(false);
            self.statement(StatementKind::assert(no, AssertKind::Exit));
        }
        Ok(results)
    }

    /// Calls one of the functions that a pointer may point to; returns its results.
    fn call_candidate(&mut self, inst: &Inst, f: FnRef, call: &Call) -> Result<Vec<TermId>, Unsupported> {
        let function = self.cx.linked.function(f);
        let results = if function.body.code().is_some() {
            let args = self.arguments(f, call)?;
            let sorts = self.cx.sorts(f.module, function.ret)?;
            self.emit_call(self.cx.procs[&f], args, &sorts)?
        } else {
            let name = self.cx.linked.function_name(f).to_owned();
            if self.builtin(inst, &name, call)? {
                return match inst.result {
                    Some(result) => self.value_of(Value::Local(result)),
                    None => Ok(Vec::new()),
                };
            }
            self.unknown_results(inst, f, call)?
        };
        let results = results.into_iter().map(|r| self.cx.terms.var(r)).collect();
        self.returned(inst, Some(f), call, results)
    }

    /// Makes everything arbitrary that an external function may have changed, if the options ask for it, or else keeps in
    /// mind what that is. The call is one of `callee`; of none, if it is an instruction of this function.
    pub(crate) fn conservative_externals(&mut self, call: &Call, of_library: bool, callee: Option<ProcId>) {
        let regions = self.cx.regions;
        let calls_back = call.args.iter().any(|(arg, _)| match arg.value {
            Value::Const(c) => called_constant(self.cx.linked, self.f.module, c).is_some(),
            Value::Local(_) => false,
        });
        let mut changed = Vec::new();
        if of_library {
            let given = |(arg, _): &(Operand, _)| regions.operand(self.cx.linked, self.f, arg.value);
            let given = call.args.iter().filter_map(given).collect();
            changed = escape::library(self.cx, given);
        }
        let is_free = !of_library || calls_back;
        if is_free {
            changed.extend(escape::outside(self.cx).iter());
        }
        let ends = is_free || escape::ends_lives(self.cx.linked, self.f.module, call);
        if !self.cx.options.conservative_externals {
            let ended = if ends { escape::ended(self.cx) } else { None };
            let procedure = callee.unwrap_or(self.cx.procs[&self.f]);
            self.cx.external_effects.changes(procedure, changed, ended);
            return;
        }
        if ends {
            changed.extend(self.cx.ended);
        }
        if is_free || self.sets_rounding(call) {
            changed.extend(self.cx.rounding);
        }
        if !changed.is_empty() {
            changed.sort_unstable();
            changed.dedup();
            let set: FxHashSet<SymbolId> = changed.iter().copied().collect();
            self.before_change(&|s| set.contains(&s));
            self.statement(StatementKind::Havoc(changed));
        }
    }

    /// Whether a function of the library is called that sets the rounding mode.
    fn sets_rounding(&self, call: &Call) -> bool {
        callee(self.cx.linked, self.f.module, call)
            .is_some_and(|f| super::float::sets_rounding(self.cx.linked.function_name(f)))
    }

    /// The signature with which the pointer that an instruction results in is called, directly or after it was stored
    /// and loaded again. For proofs nothing is assumed about such a function.
    fn called_later(&mut self, inst: &Inst) -> Option<Signature> {
        let result = inst.result.filter(|_| !self.cx.options.conservative_externals)?;
        let code = self.cx.linked.function(self.f).body.code()?;
        let is = |known: &FxHashSet<LocalId>, value| matches!(value, Value::Local(l) if known.contains(&l));
        let mut same: FxHashSet<LocalId> = std::iter::once(result).collect();
        let mut places: FxHashSet<LocalId> = FxHashSet::default();
        for other in &code.insts {
            match (&other.kind, other.result) {
                (InstKind::Cast { op: CastOp::Bitcast, value, .. }, Some(to)) if is(&same, value.value) => {
                    same.insert(to);
                }
                (InstKind::Load(load), Some(to)) if is(&places, load.pointer.value) => {
                    same.insert(to);
                }
                (InstKind::Store(store), _) if is(&same, store.value.value) => {
                    if let Value::Local(place) = store.pointer.value {
                        places.insert(place);
                    }
                }
                (kind, _) => {
                    let Some(call) = kind.as_call() else { continue };
                    if let Callee::Value(callee) = call.callee
                        && is(&same, callee)
                    {
                        return self.signature(call).ok();
                    }
                }
            }
        }
        None
    }

    /// The types with which a function is called.
    fn signature(&mut self, call: &Call) -> Result<Signature, Unsupported> {
        let mut params = Vec::new();
        for (operand, _) in &call.args {
            params.push(self.cx.sorts(self.f.module, operand.ty)?);
        }
        Ok((params, self.cx.sorts(self.f.module, call.ret)?))
    }

    /// Assumes that a pointer returned from outside is null or an external function.
    fn returned_function(&mut self, results: &[SymbolId], signature: &Signature) {
        let &[object, offset] = results else { return };
        let number = self.cx.callback(signature).number;
        let (got, at) = (self.cx.terms.var(object), self.cx.terms.var(offset));
        let choices = [0, number].map(|n| {
            let target = self.cx.object(n);
            self.cx.app(Op::Eq, &[got, target])
        });
        let either = self.cx.app(Op::Or, &choices);
        let zero = self.cx.offset(0);
        let start = self.cx.app(Op::Eq, &[at, zero]);
        let valid = self.cx.app(Op::And, &[either, start]);
        self.statement(StatementKind::Assume(valid));
    }

    /// Assumes that a pointer from outside is null, a sentinel value or the address of a new object. For proofs it is any pointer, and
    /// the new object, which is of any size, is only one possibility: a function may also return what it was passed
    /// or has kept.
    fn returned_object(
        &mut self,
        callee: ProcId,
        results: &[SymbolId],
        region: Option<super::super::facts::points_to::Region>,
        sentinels: &[u64],
    ) -> Result<(), Unsupported> {
        let &[object, offset] = results else { return Ok(()) };
        if self.cx.options.conservative_externals {
            let sort = self.cx.terms.bit_vec_sort(self.cx.shape.offset);
            let size = self.new_local("returned$size", sort);
            self.statement(StatementKind::Havoc(vec![size]));
            let size = self.cx.terms.var(size);
            self.new_object(size, Storage::Allocated, "returned");
            return Ok(());
        }
        if let Some(region) = region {
            let memory = self.cx.memory_of(region).symbol;
            self.cx.external_effects.returns(callee, memory);
        }
        let bytes = self.cx.offset(i64::from(self.cx.options.stub_bytes));
        let new = self.new_object(bytes, Storage::Allocated, "returned");
        let (got, at) = (self.cx.terms.var(object), self.cx.terms.var(offset));
        let null = self.cx.bv(self.cx.shape.object, 0);
        let zero = self.cx.offset(0);
        let is_null = self.cx.app(Op::Eq, &[got, null]);
        let is_new = self.cx.app(Op::Eq, &[got, new]);
        let either = self.cx.app(Op::Or, &[is_null, is_new]);
        let start = self.cx.app(Op::Eq, &[at, zero]);
        let mut choices = vec![self.cx.app(Op::And, &[either, start])];
        for &sentinel in sentinels {
            let number = self.cx.bv(self.cx.shape.bits, sentinel as i64);
            let number = self.cx.unpack(number);
            let same =
                [self.cx.app(Op::Eq, &[got, number.object]), self.cx.app(Op::Eq, &[at, number.offset])];
            choices.push(self.cx.app(Op::And, &same));
        }
        let valid = self.cx.app(Op::Or, &choices);
        self.statement(StatementKind::Assume(valid));
        if let Some(region) = region
            && self.cx.regions.content(region).is_some()
        {
            self.without_pointers(Pointer { object: new, offset: zero }, region);
        }
        Ok(())
    }

    /// Assumes that an object returned by an external function contains no pointers to objects: tests fill it with
    /// bytes.
    fn without_pointers(&mut self, object: Pointer, region: super::super::facts::points_to::Region) {
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

    /// Whether the type of a function is the one that it is called with.
    fn fits(&mut self, f: FnRef, wanted: &[Vec<SortId>], ret: &[SortId]) -> bool {
        let function = self.cx.linked.function(f);
        let (named, given) = (function.params.len(), wanted.len());
        let mut fits = named == given || named < given && function.varargs;
        fits &= self.cx.sorts(f.module, function.ret).is_ok_and(|s| s == ret || ret.is_empty());
        for (param, sorts) in function.params.iter().zip(wanted) {
            fits &= self.cx.sorts(f.module, param.ty).is_ok_and(|s| s == *sorts);
        }
        fits
    }

    /// A call through a pointer: a choice among the functions whose address is taken and whose type fits, and those of
    /// another type to which the pointer may point after a cast.
    fn call_pointer(&mut self, inst: &Inst, callee: Value, call: &Call) -> Result<(), Unsupported> {
        let p = self.pointer(callee)?;
        let (wanted, ret) = self.signature(call)?;
        let mut candidates = Vec::new();
        for f in self.cx.regions.address_taken.clone() {
            if self.cx.objects.contains_key(&Target::Function(f)) {
                let fits = self.fits(f, &wanted, &ret);
                candidates.push((f, fits));
            }
        }
        let called = self.cx.regions.operand(self.cx.linked, self.f, callee);
        if called.is_some_and(|region| self.cx.regions.has_far_numbers(region)) {
            return Err(Unsupported::new("a call of an address that is a number"));
        }
        let is_here = |this: &Self, f: FnRef| called.is_some() && this.cx.regions.function(f) == called;
        let has_its_own = candidates.iter().any(|&(f, fits)| fits && is_here(self, f));
        candidates.retain(|&(f, fits)| {
            let has_body = self.cx.linked.function(f).body.code().is_some();
            let is_cast = self.cx.regions.cast_functions.contains(&f);
            fits || has_body && is_here(self, f) && (is_cast || !has_its_own)
        });
        let symbols: Vec<SymbolId> =
            ret.iter().enumerate().map(|(i, &s)| self.new_local(&result_name(i), s)).collect();
        // What one of them changes, or the copy of an argument, is kept in front of all: the others come behind that, too.
        self.before_change(&|_| true);
        let join = self.add_block("called", BlockRole::Glue);
        for (f, _) in candidates {
            let number = self.cx.objects[&Target::Function(f)];
            let number = self.cx.object(number);
            let here = self.cx.app(Op::Eq, &[p.object, number]);
            let this = self.add_block("calls", BlockRole::Glue);
            let other = self.add_block("calls", BlockRole::Glue);
            self.terminate(TerminatorKind::Branch { condition: here, then_to: this, else_to: other });
            self.continue_in(this);
            let results = self.call_candidate(inst, f, call)?;
            let pairs: Vec<_> = symbols.iter().copied().zip(results).collect();
            if !pairs.is_empty() {
                self.statement(StatementKind::Assign(pairs));
            }
            self.terminate(TerminatorKind::Goto(vec![join]));
            self.continue_in(other);
        }
        // A caller may have passed a function that is not in the program.
        let null = self.cx.bv(self.cx.shape.object, 0);
        let is_null = self.cx.app(Op::Eq, &[p.object, null]);
        let valid = self.cx.not(is_null);
        let elsewhere = self.calls_number(callee, p);
        let valid = self.or_elsewhere(valid, elsewhere);
        self.check(AssertKind::Null, valid);
        let callback = self.cx.callback(&(wanted.clone(), ret.clone()));
        if !self.cx.options.conservative_externals {
            // In tests such functions are defined, and nothing else can be called.
            let number = self.cx.object(callback.number);
            let is_function = self.cx.app(Op::Eq, &[p.object, number]);
            self.statement(StatementKind::Assume(is_function));
        }
        let results = self.emit_call(callback.procedure, Vec::new(), &ret)?;
        self.conservative_externals(call, false, Some(callback.procedure));
        self.write_out_params(&Unknown::Callback((wanted, ret)), call)?;
        if self.module.types.is_pointer(call.ret) {
            let region = self.cx.regions.unknown_result();
            self.returned_object(callback.procedure, &results, region, &[])?;
        }
        let pairs: Vec<_> = symbols.iter().zip(&results).map(|(&s, &r)| (s, self.cx.terms.var(r))).collect();
        if !pairs.is_empty() {
            self.statement(StatementKind::Assign(pairs));
        }
        self.terminate(TerminatorKind::Goto(vec![join]));
        self.continue_in(join);
        self.forget_facts();
        self.take_result(inst, None, call, &symbols)
    }

    /// A parameter that is passed by value in memory is a copy that belongs to the callee.
    pub(crate) fn copy_byval_params(&mut self) -> Result<(), Unsupported> {
        let function = self.cx.linked.function(self.f);
        for (i, param) in function.params.iter().enumerate() {
            if self.module.attr(param.attrs, "byval").is_none() {
                continue;
            }
            let Some(size) = self.by_value(param.ty, param.attrs) else {
                return Err(Unsupported::new("a parameter passed by value without a size"));
            };
            let local = LocalId(i as u32);
            let from = self.pointer(Value::Local(local))?;
            let bytes = self.cx.offset(size as i64);
            let object = self.new_object(bytes, Storage::Automatic, "param");
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

/// Whether a format has a conversion `%n`.
fn has_count(format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&c| c == b'%') {
        let conversion = &rest[at + 1..];
        let is_letter = |c: &u8| c.is_ascii_alphabetic() && !b"hljztLq".contains(c) || *c == b'%';
        let Some(end) = conversion.iter().position(is_letter) else { return false };
        if conversion[end] == b'n' {
            return true;
        }
        rest = &conversion[end + 1..];
    }
    false
}
