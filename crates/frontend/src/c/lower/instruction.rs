//! Instruction selection: each instruction of LLVM becomes terms, statements and checks of the program form.

use footpath_ir::{AssertKind, StatementKind};
use footpath_term::{Op, SymbolId, TermId};

use crate::llvm::ast::{
    Atomic, BinaryOp, BlockIx, CastOp, Flags, Inst, InstKind, LocalId, Operand, Predicate, RmwOp, TypeId,
    TypeKind, Value,
};

use super::super::facts::points_to::Region;
use super::super::facts::slots::declared_locals;
use super::super::{TestAssumption, Unsupported};
use super::function::{Lowering, Register};
use super::scalars::{Scalar, Step, gep_steps};
use super::varargs::is_in_registers;
use super::{arith, float};

impl Lowering<'_, '_, '_> {
    pub(crate) fn instruction(&mut self, ix: BlockIx, inst: &Inst) -> Result<(), Unsupported> {
        if self.computes_with_long_double(inst)? {
            return Ok(());
        }
        match &inst.kind {
            InstKind::Debug(_) | InstKind::Fence(_) => Ok(()),
            InstKind::Ret(value) => self.ret(*value),
            InstKind::Br(_)
            | InstKind::CondBr { .. }
            | InstKind::Switch { .. }
            | InstKind::IndirectBr { .. } => self.branch(ix, inst),
            InstKind::Unreachable => {
                self.unreachable(ix);
                Ok(())
            }
            InstKind::Alloca { ty, count, .. } => self.alloca(inst, *ty, *count),
            // A table of characters is not loaded, its entries are computed.
            InstKind::Load(_) if inst.result.is_some_and(|r| self.table(r).is_some()) => Ok(()),
            InstKind::Load(load) if matches!(load.pointer.value, Value::Local(l) if self.table_entry(l).is_some()) =>
            {
                let Value::Local(entry) = load.pointer.value else { return Ok(()) };
                let Some(table) = self.table_entry(entry) else { return Ok(()) };
                let character = self.value_of(load.pointer.value)?[0];
                let stays = self.check_character(character);
                let value = table.entry(self.cx, character);
                let value = self.where_known(stays, value);
                self.define(inst, vec![value]);
                Ok(())
            }
            InstKind::Load(load) => {
                let value = self.load(load.pointer.value, load.ty, load.is_shared())?;
                if let Some(result) = inst.result.filter(|_| self.module.types.is_pointer(load.ty)) {
                    self.note_loaded(result, load.pointer.value, &value);
                }
                self.define(inst, value);
                Ok(())
            }
            InstKind::Store(store) => {
                let value = self.value(store.value)?;
                self.store(store.pointer.value, store.value.ty, &value)
            }
            // In place of its address an entry of a table has the character.
            InstKind::Gep(gep) if inst.result.is_some_and(|r| self.table_entry(r).is_some()) => {
                let character = self.value(gep.indices[0])?;
                self.define(inst, character);
                Ok(())
            }
            InstKind::Gep(gep) => {
                if let Some(result) = inst.result
                    && self.slot(Value::Local(result)).is_some()
                {
                    return Ok(());
                }
                let mut p = self.pointer(gep.base.value)?;
                let steps = gep_steps(self.module, gep).ok_or_else(|| {
                    Unsupported::new("an address in a type without a layout, or a vector of them")
                })?;
                for step in steps {
                    match step {
                        Step::Constant(bytes) => {
                            let bytes = self.cx.offset(bytes);
                            p = self.cx.add_offset(p, bytes);
                        }
                        Step::Scaled(index, stride) => {
                            let number = self.value(index)?[0];
                            if is_in_registers(self.module, self.code, index.value) {
                                self.assume_whole_registers(number);
                            }
                            p = self.cx.scaled(p, number, stride);
                        }
                    }
                }
                self.define(inst, vec![p.object, p.offset]);
                Ok(())
            }
            InstKind::Binary { op, flags, left, right } => self.binary(inst, *op, *flags, *left, *right),
            InstKind::FNeg { value, .. } => {
                let value = self.value(*value)?;
                let negated = value.into_iter().map(|v| float::negate(self.cx, v)).collect();
                self.define(inst, negated);
                Ok(())
            }
            InstKind::Compare { predicate, left, right, .. } => self.compare(inst, *predicate, *left, *right),
            InstKind::Cast { op, value, to, .. } => {
                if let Some(result) = inst.result
                    && self.slot(Value::Local(result)).is_some()
                {
                    return Ok(());
                }
                let parts = self.value(*value)?;
                self.check_float_cast(*op, &parts, *to);
                let result = match float::cast(self.cx, self.f.module, *op, &parts, *value, *to) {
                    Some(result) => result?,
                    None => self.cx.cast(self.f.module, *op, &parts, *value, *to)?,
                };
                let result = match (*op, parts.as_slice(), result.as_slice()) {
                    (CastOp::Trunc, &[number], &[low]) => vec![self.of_address(value.value, number, low)],
                    _ => result,
                };
                self.define(inst, result);
                Ok(())
            }
            InstKind::Select { condition, then, otherwise } => {
                let c = self.value(*condition)?;
                let (a, b) = (self.value(*then)?, self.value(*otherwise)?);
                let each = c.len() > 1;
                let value = (0..a.len())
                    .map(|i| {
                        let c = if each { c[i.min(c.len() - 1)] } else { c[0] };
                        self.cx.app(Op::Ite, &[c, a[i], b[i]])
                    })
                    .collect();
                self.define(inst, value);
                Ok(())
            }
            InstKind::Freeze(value) => {
                let value = self.value(*value)?;
                self.define(inst, value);
                Ok(())
            }
            // Its variables were assigned on the edges.
            InstKind::Phi { .. } => Ok(()),
            InstKind::ExtractValue { aggregate, path } => {
                let (first, count) = self.part(aggregate.ty, path)?;
                let value = self.value(*aggregate)?;
                self.define(inst, value[first..first + count].to_vec());
                Ok(())
            }
            InstKind::InsertValue { aggregate, element, path } => {
                let (first, count) = self.part(aggregate.ty, path)?;
                let mut value = self.value(*aggregate)?;
                let element = self.value(*element)?;
                value.splice(first..first + count, element);
                self.define(inst, value);
                Ok(())
            }
            InstKind::CmpXchg { pointer, expected, new, .. } => {
                let old = self.load(pointer.value, new.ty, true)?;
                let (expected, new_value) = (self.value(*expected)?, self.value(*new)?);
                let pairs: Vec<TermId> =
                    old.iter().zip(&expected).map(|(&a, &b)| self.cx.app(Op::Eq, &[a, b])).collect();
                let same = self.cx.app(Op::And, &pairs);
                let stored: Vec<TermId> =
                    old.iter().zip(&new_value).map(|(&o, &n)| self.cx.app(Op::Ite, &[same, n, o])).collect();
                let mut result = old;
                result.push(same);
                self.define(inst, result);
                self.store(pointer.value, new.ty, &stored)
            }
            InstKind::AtomicRmw { op, pointer, value, atomic, .. } => {
                self.read_modify_write(inst, *op, *pointer, *value, *atomic)
            }
            InstKind::Call(call) => self.call(inst, call),
            InstKind::ExtractElement { vector, index } => self.extract_element(inst, *vector, *index),
            InstKind::InsertElement { vector, element, index } => {
                self.insert_element(inst, *vector, *element, *index)
            }
            InstKind::ShuffleVector { left, right, mask } => self.shuffle(inst, *left, *right, *mask),
            _ => Err(Unsupported::new("an instruction for exceptions or variable arguments")),
        }
    }

    fn unreachable(&mut self, ix: BlockIx) {
        // Behind a call that does not return nothing needs to be checked.
        let insts = self.code.insts_of(ix);
        let after_call = insts.len() > 1
            && insts[insts.len() - 2]
                .kind
                .as_call()
                .is_some_and(|call| super::calls::is_noreturn(self.module, call));
        let no = self.cx.terms.bool(false);
        if after_call {
            self.terminate(footpath_ir::TerminatorKind::Goto(Vec::new()));
            return;
        }
        self.statement(StatementKind::assert(no, AssertKind::Unreachable));
        self.terminate(footpath_ir::TerminatorKind::Goto(Vec::new()));
    }

    /// Which components of an aggregate a path means: the first one and how many.
    pub(crate) fn part(&mut self, mut ty: TypeId, path: &[u32]) -> Result<(usize, usize), Unsupported> {
        let mut first = 0;
        for &step in path {
            for before in 0..step {
                let element = self.element(ty, before)?;
                first += self.cx.sorts(self.f.module, element)?.len();
            }
            ty = self.element(ty, step)?;
        }
        Ok((first, self.cx.sorts(self.f.module, ty)?.len()))
    }

    fn element(&self, ty: TypeId, index: u32) -> Result<TypeId, Unsupported> {
        self.module.types.element(ty, u64::from(index)).ok_or_else(|| Unsupported::new("a part of a scalar"))
    }

    // ---- Arithmetic

    fn binary(
        &mut self,
        inst: &Inst,
        op: BinaryOp,
        flags: Flags,
        left: Operand,
        right: Value,
    ) -> Result<(), Unsupported> {
        let (a, b) = (self.value(left)?, self.value_of(right)?);
        if a.len() != b.len() {
            return Err(Unsupported::new("operands of different types"));
        }
        let leaves = self.cx.leaves(self.f.module, left.ty)?;
        let mut result = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(&b).enumerate() {
            if matches!(leaves.get(i).map(|l| l.scalar), Some(Scalar::Float(_))) {
                result.push(float::binary(self.cx, op, x, y)?);
                continue;
            }
            if self.cx.terms.sort(x) != footpath_term::SortId::BOOL {
                self.check_arithmetic((inst, right), (op, flags), x, y)?;
            }
            let value = arith::binary(self.cx, op, x, y)?;
            let apart = match op {
                BinaryOp::Sub => self.subtract_addresses(left.value, right, value, [x, y]),
                BinaryOp::Add => None,
                _ => {
                    let value = self.of_address(left.value, x, value);
                    Some(self.of_address(right, y, value))
                }
            };
            result.push(apart.unwrap_or(value));
        }
        self.define(inst, result);
        Ok(())
    }

    fn check_arithmetic(
        &mut self,
        (inst, right): (&Inst, Value),
        (op, flags): (BinaryOp, Flags),
        x: TermId,
        y: TermId,
    ) -> Result<(), Unsupported> {
        let width = self.cx.width(x);
        match op {
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                let zero = self.cx.bv(width, 0);
                let is_zero = self.cx.app(Op::Eq, &[y, zero]);
                let divides = self.cx.not(is_zero);
                self.check(AssertKind::Division, divides);
                if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                    let minus_one = self.cx.bv(width, -1);
                    let one = self.cx.bv(width, 1);
                    let amount = self.cx.bv(width, i64::from(width) - 1);
                    let least = self.cx.app(Op::BvShl, &[one, amount]);
                    let least = self.cx.app(Op::Eq, &[x, least]);
                    let by = self.cx.app(Op::Eq, &[y, minus_one]);
                    let both = self.cx.app(Op::And, &[least, by]);
                    let fine = self.cx.not(both);
                    self.check(AssertKind::Overflow, fine);
                }
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let mut too_far = self.is_shifted_too_far(inst, right, y)?;
                if let (BinaryOp::Shl, Some(lost)) = (op, self.loses_bits(x, y)) {
                    too_far = self.cx.app(Op::Or, &[too_far, lost]);
                }
                self.soft_check(AssertKind::Shift, too_far);
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if flags.has(Flags::NSW) => {
                if let Some(overflow) = arith::signed_overflow(self.cx, op, x, y) {
                    self.soft_check(AssertKind::Overflow, overflow);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn compare(
        &mut self,
        inst: &Inst,
        predicate: Predicate,
        left: Operand,
        right: Value,
    ) -> Result<(), Unsupported> {
        let (a, b) = (self.value(left)?, self.value_of(right)?);
        let pointer = self.module.types.is_pointer(left.ty);
        let vector = matches!(self.module.types.resolved(left.ty), TypeKind::Vector { .. });
        let result = match predicate {
            Predicate::Float(p) => {
                a.iter().zip(&b).map(|(&x, &y)| float::compare(self.cx, p, x, y)).collect()
            }
            Predicate::Int(p) if pointer => {
                vec![self.compare_addresses(p, left.value, right)?]
            }
            Predicate::Int(_) if vector && a.len() != b.len() => {
                return Err(Unsupported::new("a comparison of vectors of pointers"));
            }
            Predicate::Int(p) => {
                let numbers: Vec<(TermId, TermId)> = a.iter().copied().zip(b.iter().copied()).collect();
                numbers
                    .into_iter()
                    .map(|(x, y)| self.compare_numbers(p, [left.value, right], [x, y]))
                    .collect()
            }
        };
        self.define(inst, result);
        Ok(())
    }

    fn read_modify_write(
        &mut self,
        inst: &Inst,
        op: RmwOp,
        pointer: Operand,
        value: Operand,
        _: Atomic,
    ) -> Result<(), Unsupported> {
        let old = self.load(pointer.value, value.ty, true)?;
        let by = self.value(value)?;
        if op == RmwOp::Xchg {
            self.define(inst, old);
            return self.store(pointer.value, value.ty, &by);
        }
        let (&[x], &[y]) = (&old[..], &by[..]) else {
            return Err(Unsupported::new("an atomic operation on a pointer"));
        };
        let new = match op {
            RmwOp::Add => self.cx.app(Op::BvAdd, &[x, y]),
            RmwOp::Sub => self.cx.app(Op::BvSub, &[x, y]),
            RmwOp::And => self.cx.app(Op::BvAnd, &[x, y]),
            RmwOp::Or => self.cx.app(Op::BvOr, &[x, y]),
            RmwOp::Xor => self.cx.app(Op::BvXor, &[x, y]),
            RmwOp::Nand => {
                let both = self.cx.app(Op::BvAnd, &[x, y]);
                self.cx.app(Op::BvNot, &[both])
            }
            RmwOp::Max | RmwOp::Min | RmwOp::UMax | RmwOp::UMin => {
                let less = if matches!(op, RmwOp::Max | RmwOp::Min) { Op::BvSlt } else { Op::BvUlt };
                let (low, high) = if matches!(op, RmwOp::Max | RmwOp::UMax) { (x, y) } else { (y, x) };
                let other = self.cx.app(less, &[low, high]);
                self.cx.app(Op::Ite, &[other, y, x])
            }
            _ => return Err(Unsupported::new("an unusual atomic operation")),
        };
        self.define(inst, old);
        self.store(pointer.value, value.ty, &[new])
    }

    // ---- Memory

    pub(crate) fn region(&self, value: Value) -> Result<Region, Unsupported> {
        self.cx
            .regions
            .operand(self.cx.linked, self.f, value)
            .filter(|region| !self.cx.regions.has_far_numbers(*region))
            .ok_or_else(|| Unsupported::new("an access through an address that is a number"))
    }

    fn alloca(&mut self, inst: &Inst, ty: TypeId, count: Option<Operand>) -> Result<(), Unsupported> {
        let Some(result) = inst.result else { return Ok(()) };
        if self.slot(Value::Local(result)).is_some() {
            return Ok(());
        }
        let element = self
            .module
            .layouts
            .size(ty)
            .ok_or_else(|| Unsupported::new("a local variable of unknown size"))?;
        let one = self.cx.offset(element as i64);
        let (bytes, known) = match count {
            None => (one, Some(element)),
            Some(count) => {
                let n = self.value(count)?[0];
                if declared_locals(self.code).any(|(local, _)| local == result) {
                    self.check_length(count.value, n);
                }
                let n = self.cx.resize(n, self.cx.shape.offset, true);
                (self.cx.app(Op::BvMul, &[n, one]), None)
            }
        };
        let storage = super::lifetimes::Storage::Automatic;
        let object = match self.arrays.iter().find(|(local, ..)| *local == result) {
            Some(&(_, _, symbol)) => self.begin_object(symbol, bytes, storage),
            None => self.new_object(bytes, storage, "local"),
        };
        if let Some(size) = known {
            self.stack.insert(object, size);
        }
        let is_stored = self.cx.objects_die && self.leaves_activation(result);
        if is_stored || self.may_outlive(Value::Local(result)) {
            self.leaving.push(object);
        }
        let zero = self.cx.offset(0);
        self.set_register(result, vec![object, zero]);
        Ok(())
    }

    /// Checks that a floating-point number fits the integer that it is converted to. What models of the library convert is
    /// theirs.
    fn check_float_cast(&mut self, op: CastOp, parts: &[TermId], to: TypeId) {
        let is_model = self.f.module as usize >= self.cx.options.user_modules;
        let (&[number], Some(width)) = (parts, self.module.types.int_bits(to)) else { return };
        if !matches!(op, CastOp::FpToSi | CastOp::FpToUi) || is_model {
            return;
        }
        let fits = float::fits_integer(self.cx, op == CastOp::FpToSi, number, width);
        let violated = self.cx.not(fits);
        self.soft_check(AssertKind::FloatCast, violated);
    }

    /// Checks that the length of a variable-length array is positive. The compiler widens lengths without a sign, whatever
    /// they have; as many elements as a number with the sign bit would be are on no stack.
    fn check_length(&mut self, count: Value, n: TermId) {
        let mut length = n;
        if let Value::Local(count) = count {
            let mut insts = self.code.insts.iter();
            let widened = insts.find_map(|inst| match &inst.kind {
                InstKind::Cast { op: CastOp::ZExt | CastOp::SExt, value, .. }
                    if inst.result == Some(count) =>
                {
                    Some(value.value)
                }
                _ => None,
            });
            let narrow = widened.and_then(|value| self.value_of(value).ok());
            length = narrow.and_then(|value| value.first().copied()).unwrap_or(n);
        }
        let zero = self.cx.bv(self.cx.width(length), 0);
        let is_positive = self.cx.app(Op::BvSlt, &[zero, length]);
        self.check(AssertKind::VlaLength, is_positive);
    }

    /// Whether the address of a local is stored or returned.
    fn leaves_activation(&self, local: LocalId) -> bool {
        let mut derived = vec![local];
        let mut next = 0;
        while let Some(&address) = derived.get(next) {
            next += 1;
            let me = Value::Local(address);
            for &user in &self.users[address.index()] {
                let inst = &self.code.insts[user as usize];
                match &inst.kind {
                    InstKind::Store(store) if store.value.value == me => return true,
                    InstKind::Ret(Some(value)) if value.value == me => return true,
                    InstKind::Gep(gep) if gep.base.value == me => derived.extend(inst.result),
                    InstKind::Cast { value, .. } if value.value == me => derived.extend(inst.result),
                    InstKind::Select { then, otherwise, .. } if then.value == me || otherwise.value == me => {
                        derived.extend(inst.result);
                    }
                    InstKind::Phi { incoming, .. } if incoming.iter().any(|(v, _)| *v == me) => {
                        if let Some(result) = inst.result
                            && !derived.contains(&result)
                        {
                            derived.push(result);
                        }
                    }
                    _ => {}
                }
            }
            if derived.len() > 1000 {
                return true;
            }
        }
        false
    }

    pub(crate) fn load(
        &mut self,
        pointer: Value,
        ty: TypeId,
        shared: bool,
    ) -> Result<Vec<TermId>, Unsupported> {
        let leaves = self.cx.leaves(self.f.module, ty)?;
        if let Some((slot, offset)) = self.slot(pointer) {
            let symbols = self.slot_symbols(slot, offset, &leaves);
            return Ok(self.variables(&symbols));
        }
        if let Some(symbols) = self.global_variables(pointer) {
            return Ok(self.variables(&symbols));
        }
        let p = self.pointer(pointer)?;
        let size = self.module.layouts.get(ty).map_or(0, |l| l.store_size);
        let bytes = self.cx.offset(size as i64);
        let region = self.region(pointer)?;
        self.assume_passed(region, p, bytes);
        self.assume_constant(region, p, bytes);
        let stays = self.check_read(pointer, p, bytes);
        if shared && self.cx.options.conservative_externals {
            let symbols = self.cx.fresh_components("shared", &leaves);
            self.declare_all(&symbols);
            self.statement(StatementKind::Havoc(symbols.clone()));
            return Ok(self.variables(&symbols));
        }
        if shared {
            // When tests run, nobody else does.
            self.cx.test_assumptions.insert((self.cx.procs[&self.f], TestAssumption::Unshared));
        }
        let memory = self.cx.memory_of(region);
        let map = self.cx.terms.var(memory.symbol);
        let mut value = Vec::new();
        for leaf in leaves {
            let at = self.cx.add_bytes(p, leaf.offset);
            value.extend(self.cx.read_scalar(map, memory.grain, at, leaf));
        }
        Ok(value.into_iter().map(|part| self.where_known(stays, part)).collect())
    }

    pub(crate) fn store(&mut self, pointer: Value, ty: TypeId, value: &[TermId]) -> Result<(), Unsupported> {
        let leaves = self.cx.leaves(self.f.module, ty)?;
        let symbols = match self.slot(pointer) {
            Some((slot, offset)) => Some(self.slot_symbols(slot, offset, &leaves)),
            None => self.global_variables(pointer),
        };
        if let Some(symbols) = symbols {
            self.assign(symbols.into_iter().zip(value.iter().copied()).collect());
            return Ok(());
        }
        let p = self.pointer(pointer)?;
        let p = self.before_stray_pointer(p);
        let value: Vec<TermId> = value.iter().map(|&part| self.before_stray(part)).collect();
        let size = self.module.layouts.get(ty).map_or(0, |l| l.store_size);
        let bytes = self.cx.offset(size as i64);
        self.check_write(pointer, p, bytes);
        let region = self.region(pointer)?;
        let memory = self.cx.memory_of(region);
        let mut map = self.cx.terms.var(memory.symbol);
        let mut parts = value.iter().copied();
        for leaf in leaves {
            let count = self.cx.component_sorts(leaf.scalar).len();
            let part: Vec<TermId> = parts.by_ref().take(count).collect();
            if let (Scalar::Pointer, &[_, offset]) = (leaf.scalar, &part[..]) {
                self.keep_near(offset);
            }
            let at = self.cx.add_bytes(p, leaf.offset);
            let bits = self.cx.scalar_bits(leaf, &part);
            map = self.cx.write_bytes(map, memory.grain, at, bits);
        }
        self.assign(vec![(memory.symbol, map)]);
        Ok(())
    }

    pub(crate) fn variables(&mut self, symbols: &[SymbolId]) -> Vec<TermId> {
        symbols.iter().map(|&s| self.cx.terms.var(s)).collect()
    }

    /// The variables of a global that has no address.
    fn global_variables(&self, pointer: Value) -> Option<Vec<SymbolId>> {
        let Value::Const(c) = pointer else { return None };
        let crate::llvm::ast::ConstKind::Global(name) = self.module.constant(c).kind else { return None };
        match self.cx.linked.resolve(self.f.module, name)? {
            super::super::facts::link::Target::Global(g) => self.cx.scalars.get(&g).cloned(),
            super::super::facts::link::Target::Function(_) => None,
        }
    }

    pub(crate) fn set_register(&mut self, local: LocalId, value: Vec<TermId>) {
        self.replace_register(local, Register::Value(value));
    }
}
