//! Variable arguments (`va_list`, `va_start`, `va_arg`), as clang lowers them for x86.
//!
//! **Idea.** A caller of a variadic function puts the arguments into an object, whose number is one more argument of
//! the call. The object is laid out by the calling convention (System V ABI, AMD64 supplement, 3.5.7): an area for
//! six general registers and eight floating-point registers, then the arguments that do not fit into those; on 32
//! bits only the latter. `va_start` writes a `va_list` that points there, and the code that clang makes for `va_arg`
//! finds everything in its place.
//!
//! Example: for `report("%d %f", n, x)` with a variadic `report` the `va_list` finds `n` in the area of the second
//! general register and `x` in that of the first floating-point register.
//!
//! **Direction of error.** A function that reads more arguments than it was passed reads zeros, or beyond the object,
//! which is a failure of its own.

use footpath_ir::StatementKind;
use footpath_term::{Op, TermId};

use crate::llvm::ast::{
    AttrsId, Call, Callee, Code, Function, InstKind, Module, Operand, TypeId, TypeKind, Value,
};

use super::super::Unsupported;
use super::super::facts::link::FnRef;
use super::super::facts::points_to::Region;
use super::context::{Context, Memory, Pointer};
use super::function::Lowering;
use super::long_double::BITS;
use super::scalars::{Leaf, Scalar};

/// Bytes of the area for registers on 64 bits.
pub(crate) const REGISTERS: u64 = 176;
/// Where the registers of numbers begin.
pub(crate) const NUMBERS: u64 = 48;

/// Whether a function looks at its variable arguments.
pub(crate) fn looks_at_variable_arguments(module: &Module, function: &Function) -> bool {
    let starts = |name| module.text(name).starts_with("llvm.va_start");
    function.varargs
        && function.body.code().is_some_and(|code| {
            let calls = code.insts.iter().filter_map(|inst| inst.kind.as_call());
            calls
                .filter_map(|call| match call.callee {
                    Callee::Named(name) => Some(name),
                    _ => None,
                })
                .any(starts)
        })
}

/// Whether a number is the position of a `va_list` in the register area, which clang's `va_arg` reads from the list.
pub(crate) fn is_in_registers(module: &Module, code: &Code, number: Value) -> bool {
    let made_by = |value: Value| code.definition(value).map(|inst| &inst.kind);
    let Some(InstKind::Load(load)) = made_by(number) else { return false };
    let Some(InstKind::Gep(gep)) = made_by(load.pointer.value) else { return false };
    match *module.types.kind(gep.source) {
        TypeKind::Named(id) => module.text(module.types.named(id).name) == "struct.__va_list_tag",
        _ => false,
    }
}

/// Where the next argument goes.
#[derive(Default)]
struct Places {
    general: u64,
    numbers: u64,
    /// Bytes of what does not fit into registers.
    rest: u64,
}

impl Places {
    /// The place of a scalar, on a machine with pointers of so many bits.
    fn next(&mut self, scalar: Scalar, size: u64, bits: u32) -> u64 {
        let register = match scalar {
            Scalar::Float(_) => (&mut self.numbers, 8, NUMBERS, 16),
            _ => (&mut self.general, 6, 0, 8),
        };
        let (used, most, first, step) = register;
        if bits == 64 && *used < most {
            *used += 1;
            return first + (*used - 1) * step;
        }
        self.block(size, u64::from(bits / 8), bits)
    }

    /// The place of so many bytes in memory.
    fn block(&mut self, size: u64, align: u64, bits: u32) -> u64 {
        let slot = align.max(u64::from(bits / 8));
        let at = self.rest.next_multiple_of(slot);
        self.rest = (at + size).next_multiple_of(u64::from(bits / 8));
        if bits == 64 { REGISTERS + at } else { at }
    }
}

/// The layout of the variable arguments that a test passes.
pub(crate) struct Passed {
    /// The offsets of whole numbers and addresses, in their order.
    pub(crate) general: Vec<u64>,
    /// The offsets of floating-point numbers that are apart from the former, in their order.
    pub(crate) numbers: Vec<u64>,
    /// The size of the object that they lie in.
    pub(crate) size: u64,
}

impl Context<'_, '_> {
    /// The registers that the named parameters of a function take.
    fn named_places(&self, f: FnRef) -> Result<Places, Unsupported> {
        let (module, bits) = (self.module(f.module), self.shape.bits);
        let mut places = Places::default();
        for param in &self.linked.function(f).params {
            if module.attr(param.attrs, "byval").is_some() {
                continue;
            }
            for leaf in self.leaves(f.module, param.ty)? {
                places.next(leaf.scalar, leaf.size, bits);
            }
        }
        // Named parameters in memory come before the variable ones, which begin at an address of their own.
        places.rest = 0;
        Ok(places)
    }

    /// The layout of `count` integers, each as wide as an address, and as many floating-point numbers as there are
    /// registers for, after the named parameters of a function.
    pub(crate) fn passed(&self, f: FnRef, count: u32) -> Result<Passed, Unsupported> {
        let bits = self.shape.bits;
        let mut places = self.named_places(f)?;
        let word = u64::from(bits / 8);
        let general = (0..count).map(|_| places.next(Scalar::Int(bits), word, bits)).collect();
        let registers = if bits == 64 { 8 - places.numbers } else { 0 };
        let numbers = (0..registers).map(|_| places.next(Scalar::Float(64), 8, bits)).collect();
        let size = places.rest + if bits == 64 { REGISTERS } else { 0 };
        Ok(Passed { general, numbers, size })
    }
}

impl Lowering<'_, '_, '_> {
    /// Leaves out runs that read more arguments than a test passes: a real caller passes as many as are read. `p` is
    /// an address in `region` from which so many `bytes` are read.
    pub(crate) fn assume_passed(&mut self, region: Region, p: Pointer, bytes: TermId) {
        if !self.cx.passed_lists.contains(&region) {
            return;
        }
        let sizes = self.cx.terms.var(self.cx.size);
        let size = self.cx.app(Op::Select, &[sizes, p.object]);
        let mut passed = vec![self.inside(p, bytes, size)];
        // Other objects are no test's.
        let (first, last) = (self.cx.passed_object(), self.cx.first_free_object());
        let (first, last) = (self.cx.object(first), self.cx.object(last));
        passed.push(self.cx.app(Op::BvUlt, &[p.object, first]));
        passed.push(self.cx.app(Op::BvUle, &[last, p.object]));
        let passed = self.cx.app(Op::Or, &passed);
        if self.cx.terms.as_bool(passed) != Some(true) {
            self.statement(StatementKind::Assume(passed));
        }
    }

    /// Assumes that the position of a `va_list` is at the beginning of a register.
    pub(crate) fn assume_whole_registers(&mut self, offset: TermId) {
        let low = self.cx.app(Op::Extract(2, 0), &[offset]);
        let zero = self.cx.bv(3, 0);
        let whole = self.cx.app(Op::Eq, &[low, zero]);
        self.statement(StatementKind::Assume(whole));
    }

    /// The object with the variable arguments of a call; nothing for functions that look at none.
    pub(crate) fn variable_arguments(
        &mut self,
        f: FnRef,
        call: &Call,
    ) -> Result<Option<TermId>, Unsupported> {
        if !self.cx.takes_list.contains(&f) {
            return Ok(None);
        }
        let bits = self.cx.shape.bits;
        let mut places = self.cx.named_places(f)?;
        let mut scalars: Vec<(u64, Operand, Leaf)> = Vec::new();
        let mut blocks: Vec<(u64, Operand, u64)> = Vec::new();
        let named = self.cx.linked.function(f).params.len();
        for &(operand, attrs) in call.args.iter().skip(named) {
            if let Some(size) = self.by_value(operand.ty, attrs) {
                blocks.push((places.block(size, 0, bits), operand, size));
                continue;
            }
            let leaves = self.cx.leaves(self.f.module, operand.ty)?;
            let &[leaf] = &leaves[..] else {
                return Err(Unsupported::new("a variable argument that is no scalar"));
            };
            if leaf.scalar == Scalar::Int(BITS) {
                let (size, align) = if bits == 64 { (16, 16) } else { (12, 4) };
                scalars.push((places.block(size, align, bits), operand, leaf));
                continue;
            }
            let size = leaf.size.next_multiple_of(u64::from(bits / 8));
            if size > 8 {
                return Err(Unsupported::new("a variable argument of more than 64 bits"));
            }
            scalars.push((places.next(leaf.scalar, size, bits), operand, Leaf { size, ..leaf }));
        }
        let size = places.rest + if bits == 64 { REGISTERS } else { 0 };
        let size = self.cx.offset(size as i64);
        let object = self.new_object(size, super::lifetimes::Storage::Automatic, "arguments");
        let memory = self.list_memory(f)?;
        let at = |this: &mut Self, place: u64| Pointer { object, offset: this.cx.offset(place as i64) };
        let mut map = self.cx.terms.var(memory.symbol);
        for (place, operand, leaf) in scalars {
            let value = self.value(operand)?;
            let p = at(self, place);
            let bits = self.cx.scalar_bits(leaf, &value);
            map = self.cx.write_bytes(map, memory.grain, p, bits);
        }
        self.assign(vec![(memory.symbol, map)]);
        let start = at(self, 0);
        self.note_written(memory, start, size)?;
        for (place, operand, size) in blocks {
            let from = self.pointer(operand.value)?;
            let region = self.region(operand.value)?;
            let source = self.cx.memory_of(region);
            let (to, bytes) = (at(self, place), self.cx.offset(size as i64));
            self.copy(memory, to, source, from, bytes)?;
        }
        Ok(Some(object))
    }

    /// The size of a structure that is passed by value in memory.
    pub(crate) fn by_value(&self, pointer: TypeId, attrs: AttrsId) -> Option<u64> {
        let ty: TypeId = match self.module.attr(attrs, "byval")? {
            crate::llvm::ast::AttrValue::Type(ty) => *ty,
            _ => match self.module.types.kind(pointer) {
                TypeKind::Ptr { pointee, .. } => (*pointee)?,
                _ => return None,
            },
        };
        self.module.layouts.size(ty)
    }

    fn list_memory(&mut self, f: FnRef) -> Result<Memory, Unsupported> {
        let region =
            self.cx.regions.list(f).ok_or_else(|| Unsupported::new("a list of variable arguments"))?;
        Ok(self.cx.memory_of(region))
    }

    /// `va_start`: the list leads to the object with the arguments.
    pub(crate) fn start_list(&mut self, call: &Call) -> Result<(), Unsupported> {
        let (Some(object), Some((list, _))) = (self.list, call.args.first()) else {
            return Err(Unsupported::new("`va_start` in a function without variable arguments"));
        };
        let bits = self.cx.shape.bits;
        let to = self.pointer(list.value)?;
        let to = self.before_stray_pointer(to);
        let region = self.region(list.value)?;
        let memory = self.cx.memory_of(region);
        let size = self.cx.offset(if bits == 64 { 24 } else { 4 });
        self.check_write(list.value, to, size);
        let address = |this: &mut Self, place: u64| {
            let offset = this.cx.offset(place as i64);
            this.cx.pack(Pointer { object, offset })
        };
        let parts = if bits == 64 {
            let places = self.cx.named_places(self.f)?;
            let general = self.cx.bv(32, 8 * places.general as i64);
            let numbers = self.cx.bv(32, (NUMBERS + 16 * places.numbers) as i64);
            vec![(0, general), (4, numbers), (8, address(self, REGISTERS)), (16, address(self, 0))]
        } else {
            vec![(0, address(self, 0))]
        };
        let mut map = self.cx.terms.var(memory.symbol);
        for (place, part) in parts {
            let at = self.cx.add_bytes(to, place);
            map = self.cx.write_bytes(map, memory.grain, at, part);
        }
        self.assign(vec![(memory.symbol, map)]);
        self.note_written(memory, to, size)
    }

    /// `va_copy`.
    pub(crate) fn copy_list(&mut self, call: &Call) -> Result<(), Unsupported> {
        let [(to, _), (from, _)] = &call.args[..] else {
            return Err(Unsupported::new("`va_copy` of something else than two lists"));
        };
        let (target, source) = (self.pointer(to.value)?, self.pointer(from.value)?);
        let (target, source) = (self.before_stray_pointer(target), self.before_stray_pointer(source));
        let bytes = self.cx.offset(if self.cx.shape.bits == 64 { 24 } else { 4 });
        self.check_write(from.value, source, bytes);
        self.check_write(to.value, target, bytes);
        let (a, b) = (self.region(to.value)?, self.region(from.value)?);
        let (a, b) = (self.cx.memory_of(a), self.cx.memory_of(b));
        self.copy(a, target, b, source, bytes)
    }
}
