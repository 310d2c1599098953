//! Heap allocation: `malloc`, `calloc`, `realloc`, `free` and their kin, lowered in place to operations on object
//! numbers.
//!
//! Example: `p = malloc(n)` takes the next object number, sets its size to `n` and makes it alive; `p` is its
//! address, or null if the size exceeds the limit or an input says that the allocation fails.
//!
//! **Direction of error.** An allocation beyond the limit of
//! [`Options::allocation_limit`](super::super::Options::allocation_limit) returns null here, while a real machine may
//! grant it: code that only runs after such an allocation is not reached.

use footpath_ir::StatementKind;
use footpath_term::{Op, TermId};

use crate::llvm::ast::{Call, Inst};

use super::super::source::library_models::{CLOSE, ERRNO_BYTES, NEED_OPEN};
use super::super::{TestAssumption, Unsupported};
use super::calls::ending;
use super::context::Pointer;
use super::function::Lowering;
use super::lifetimes::Storage;

/// What `errno` is where memory is used up: ENOMEM.
const NO_MEMORY: i64 = 12;

/// So many bytes are filled even where there is no object.
const FILLED_BYTES: u64 = 1 << 12;

impl Lowering<'_, '_, '_> {
    /// Lowers a call in place, if it is one of those.
    pub(crate) fn builtin(&mut self, inst: &Inst, name: &str, call: &Call) -> Result<bool, Unsupported> {
        if let Some(kind) = ending(name) {
            let no = self.cx.terms.bool(false);
            self.statement(StatementKind::assert(no, kind));
            self.cx.endings.push((name.to_owned(), self.cx.procs[&self.f], self.span));
            return Ok(true);
        }
        if let Some(rest) = name.strip_prefix("llvm.") {
            return self.intrinsic(inst, rest, call);
        }
        if self.annotation(name, call)? {
            return Ok(true);
        }
        match name {
            "vfork" if !self.cx.options.conservative_externals => {
                // What the child writes the parent sees; tests take the two for processes with memory of their own.
                self.assume_nothing_kept();
                return Ok(false);
            }
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "vfork" => {
                return Err(Unsupported::new(format!("`{name}`, which may return twice,")));
            }
            "malloc" => {
                let bytes = self.size(call, 0)?;
                let bytes = self.stable(bytes);
                let p = self.allocate(bytes, None, name)?;
                self.define(inst, vec![p.object, p.offset]);
            }
            "calloc" => {
                let (n, each) = (self.size(call, 0)?, self.size(call, 1)?);
                let (bytes, overflows) = self.product_of_sizes(n, each);
                let bytes = self.stable(bytes);
                let overflows = self.stable(overflows);
                let p = self.allocate(bytes, Some(overflows), name)?;
                if let Some(result) = inst.result
                    && let Some(region) = self.cx.regions.local(self.f, result)
                {
                    let memory = self.cx.memory_of(region);
                    let zero = self.cx.bv(8, 0);
                    let null = self.cx.bv(self.cx.shape.object, 0);
                    let failed = self.cx.app(Op::Eq, &[p.object, null]);
                    let none = self.cx.offset(0);
                    let filled = self.cx.app(Op::Ite, &[failed, none, bytes]);
                    // Cells of no object may be written: nothing reads them. So a known size stays known, unless it is such that
                    // writing them takes long.
                    let known = self.cx.terms.literal(bytes).and_then(footpath_term::Value::as_u64);
                    let filled = if known.is_some_and(|n| n <= FILLED_BYTES) { bytes } else { filled };
                    self.fill(memory, p, zero, filled)?;
                    self.note_written(memory, p, filled)?;
                }
                self.define(inst, vec![p.object, p.offset]);
            }
            "realloc" => {
                let address = call.args[0].0.value;
                let old = self.pointer(address)?;
                let old = self.stable_pointer(old);
                let bytes = self.size(call, 1)?;
                let bytes = self.stable(bytes);
                let p = self.allocate(bytes, None, name)?;
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
                // Where it fails the old object stays, but without a size, which only frees it.
                let null = self.cx.bv(self.cx.shape.object, 0);
                let failed = self.cx.app(Op::Eq, &[p.object, null]);
                let nothing = self.cx.offset(0);
                let is_empty = self.cx.app(Op::Eq, &[bytes, nothing]);
                let has_size = self.cx.not(is_empty);
                if !self.cx.options.conservative_externals {
                    // The C library of tests gives no object of no size for another one.
                    let is_new = self.cx.app(Op::Eq, &[old.object, null]);
                    let as_there = self.cx.app(Op::Or, &[failed, has_size, is_new]);
                    self.statement(StatementKind::Assume(as_there));
                }
                let failed = self.cx.app(Op::And, &[failed, has_size]);
                let freed = self.cx.app(Op::Ite, &[failed, null, old.object]);
                let start = self.cx.offset(0);
                let offset = self.cx.app(Op::Ite, &[failed, start, old.offset]);
                self.free(address, Pointer { object: freed, offset });
            }
            "free" | "cfree" => {
                let address = call.args[0].0.value;
                let p = self.pointer(address)?;
                self.free(address, p);
            }
            CLOSE | NEED_OPEN => {
                let address = call.args[0].0.value;
                let p = self.pointer(address)?;
                if name == CLOSE { self.close(p) } else { self.check_open(address, p) }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(crate) fn argument(&mut self, call: &Call, i: usize) -> Result<TermId, Unsupported> {
        match call.args.get(i) {
            Some((operand, _)) => {
                let value = self.value(*operand)?;
                value.first().copied().ok_or_else(|| Unsupported::new("a call without an argument"))
            }
            None => Err(Unsupported::new("a call with too few arguments")),
        }
    }

    /// A size argument of a library function. Programs that declare the function themselves may pass a narrower
    /// integer.
    fn size(&mut self, call: &Call, i: usize) -> Result<TermId, Unsupported> {
        let given = self.argument(call, i)?;
        Ok(self.cx.resize(given, self.cx.shape.offset, false))
    }

    /// The size of `n` elements of `each` bytes, and whether that is more than any object can have.
    fn product_of_sizes(&mut self, n: TermId, each: TermId) -> (TermId, TermId) {
        let bits = self.cx.shape.offset;
        let product = self.cx.app(Op::BvMul, &[n, each]);
        let literal = |this: &Self, t| this.cx.terms.literal(t).and_then(footpath_term::Value::as_u64);
        let (factor, other) = match (literal(self, n), literal(self, each)) {
            (Some(factor), _) => (Some(factor), each),
            (None, factor) => (factor, n),
        };
        if let Some(factor) = factor {
            let greatest = u64::MAX >> (u64::BITS - bits.min(u64::BITS));
            let Some(most) = greatest.checked_div(factor) else {
                return (product, self.cx.terms.bool(false));
            };
            let most = self.cx.terms.bit_vec(bits, num_bigint::BigInt::from(most));
            let overflows = self.cx.app(Op::BvUlt, &[most, other]);
            return (product, overflows);
        }
        if bits < 2 * u32::BITS {
            let wide = [n, each].map(|size| self.cx.resize(size, 2 * bits, false));
            let wide = self.cx.app(Op::BvMul, &wide);
            let high = self.cx.app(Op::Extract(2 * bits - 1, bits), &[wide]);
            let none = self.cx.bv(bits, 0);
            let fits = self.cx.app(Op::Eq, &[high, none]);
            return (product, self.cx.not(fits));
        }
        // Of two factors of half the width the product is exact. Of larger ones twice the width would be needed: proofs take it
        // that they may overflow or not, and tests leave them out.
        let limit = self.cx.offset(i64::from(u32::MAX));
        let zero = self.cx.offset(0);
        let small = [n, each].map(|size| self.cx.app(Op::BvUle, &[size, limit]));
        let is_zero = [n, each].map(|size| self.cx.app(Op::Eq, &[size, zero]));
        let is_nothing = self.cx.app(Op::Or, &is_zero);
        let is_small = self.cx.app(Op::And, &small);
        let fits = self.cx.app(Op::Or, &[is_small, is_nothing]);
        if !self.cx.options.conservative_externals {
            self.leave_out_unless(fits);
            return (product, self.cx.terms.bool(false));
        }
        let may = self.arbitrary(&[footpath_term::SortId::BOOL])[0];
        let no = self.cx.not(fits);
        (product, self.cx.app(Op::And, &[no, may]))
    }

    /// Tests leave out runs in which a condition does not hold.
    fn leave_out_unless(&mut self, condition: TermId) {
        if self.cx.terms.as_bool(condition) == Some(true) {
            return;
        }
        self.cx.test_assumptions.insert((self.cx.procs[&self.f], TestAssumption::SmallAllocations));
        self.statement(StatementKind::Assume(condition));
    }

    pub(crate) fn argument_is_true(&mut self, call: &Call, i: usize) -> Result<TermId, Unsupported> {
        let t = self.argument(call, i)?;
        if self.cx.terms.sort(t) == footpath_term::SortId::BOOL {
            return Ok(t);
        }
        let zero = self.cx.bv(self.cx.width(t), 0);
        let is_zero = self.cx.app(Op::Eq, &[t, zero]);
        Ok(self.cx.not(is_zero))
    }

    /// A new object on the heap; null if there is no such object or if an input says that memory is used up. A machine may
    /// have more memory than tests ask for, so they leave out larger objects that are not null. Models of libraries allocate
    /// where no test could interfere, so in tests that never fails; in proofs it may.
    fn allocate(
        &mut self,
        bytes: TermId,
        overflows: Option<TermId>,
        name: &str,
    ) -> Result<Pointer, Unsupported> {
        let zero = self.cx.offset(0);
        // No object is larger than half of what has an address.
        let exists = self.cx.app(Op::BvSle, &[zero, bytes]);
        let mut succeeds = exists;
        if let Some(overflows) = overflows {
            let fits = self.cx.not(overflows);
            succeeds = self.cx.app(Op::And, &[fits, succeeds]);
        }
        let is_model = self.f.module as usize >= self.cx.options.user_modules;
        let for_proofs = self.cx.options.conservative_externals;
        if self.cx.options.allocation_fails && (!is_model || for_proofs) {
            self.before_call();
            let fails = self.new_local("fails", footpath_term::SortId::BOOL);
            let callee = self.cx.allocation_fails;
            self.statement(StatementKind::Call { callee, args: Vec::new(), results: vec![Some(fails)] });
            let fails = self.cx.terms.var(fails);
            let given = self.cx.not(fails);
            succeeds = self.cx.app(Op::And, &[given, succeeds]);
        }
        if !for_proofs {
            let limit = self.cx.offset(i64::from(self.cx.options.allocation_limit));
            let is_small = self.cx.app(Op::BvUle, &[bytes, limit]);
            let fails = self.cx.not(succeeds);
            let is_tried = self.cx.app(Op::Or, &[is_small, fails]);
            self.leave_out_unless(is_tried);
            // What a model allocates no test can make fail.
            self.cx.opaque.extend(is_model.then_some(self.proc));
        }
        let object = self.new_object(bytes, Storage::Allocated, name);
        let null = self.cx.bv(self.cx.shape.object, 0);
        let object = self.cx.app(Op::Ite, &[succeeds, object, null]);
        let is_null = self.cx.app(Op::Eq, &[object, null]);
        self.no_memory(is_null);
        Ok(Pointer { object, offset: self.cx.offset(0) })
    }

    /// Sets `errno` where an allocation fails.
    fn no_memory(&mut self, failed: TermId) {
        let Some((number, memory)) = self.cx.errno() else { return };
        let at = self.cx.pointer(number, 0);
        let map = self.cx.terms.var(memory.symbol);
        let old = self.cx.read_bytes(map, memory.grain, at, ERRNO_BYTES);
        let reason = self.cx.bv(8 * ERRNO_BYTES as u32, NO_MEMORY);
        let value = self.cx.app(Op::Ite, &[failed, reason, old]);
        let map = self.cx.write_bytes(map, memory.grain, at, value);
        self.assign(vec![(memory.symbol, map)]);
    }
}
