//! The memory model, and the state that the lowering of all functions shares: memory maps, object numbers, procedure
//! names.
//!
//! **Pointers** are a pair of bit-vectors, the number of an object and a signed offset into it (an object-offset
//! model). Null is object 0. In memory the two are packed into as many bits as pointers of the machine have: on 64
//! bits, 24 for the object and 40 for the offset; on 32 bits, 12 and 20.
//!
//! **Memory** is one map for each region of the points-to analysis (`points_to.rs`), from object and offset to cells
//! of the region's grain. The map `$size` holds the size of every object, `$alive` whether it exists
//! (`lifetimes.rs`), and `$next` is the number of the next object to be made.
//!
//! Example: for `struct s { int a, b; } *p`, `p->b = 1` writes the cell of object `p.object` at offset `p.offset + 4`
//! in the map of the region that `p` points into.
//!
//! Functions, constants and variables have the first object numbers, each in the order of the modules; the objects of
//! the harness follow.
//!
//! **Direction of error.** Addresses further than 2^39 bytes from their object (2^19 on 32 bits), and more objects
//! than the bits count, do not fit this model; `addresses.rs` and `lifetimes.rs` say what is assumed there.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use footpath_ir::source::{FileId, Span};
use footpath_ir::{BlockId, ProcId, Procedure, Variable};
use footpath_term::{FuncId, Op, SortId, SymbolId, TermId, Terms};

use crate::llvm::ast::{Function, InstKind, Module, Name, TypeId};

use super::super::facts::alignment::Alignments;
use super::super::facts::block_scopes::BlockLocals;
use super::super::facts::c_strings::Texts;
use super::super::facts::external_effects::ExternalEffects;
use super::super::facts::link::{FnRef, GlobalRef, Linked, Target};
use super::super::facts::linker_symbols::LinkerSymbols;
use super::super::facts::merged_literals::printed_literals;
use super::super::facts::out_params::OutParams;
use super::super::facts::outliving_addresses::outliving;
use super::super::facts::points_to::{PAGE, Region, Regions};
use super::super::facts::sampled_functions::SampledFunction;
use super::super::facts::slots::with_address;
use super::super::harness::shared::Shared;
use super::super::source::library_models::ERRNO;
use super::super::{Options, TestAssumption, Unsupported};
use super::initial_values::Cells;
use super::link_time::LinkTime;
use super::scalars::{Leaf, Scalar, leaves};
use super::shadow::Shadows;

/// How pointers are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerShape {
    /// Bits of a pointer in memory.
    pub bits: u32,
    /// Of these, bits of the object's number.
    pub object: u32,
    /// Bits of an offset outside memory; as many as a machine pointer has.
    pub offset: u32,
}

impl PointerShape {
    /// The shape for machine pointers of so many bits.
    pub fn of(bits: u32) -> PointerShape {
        PointerShape { bits, object: if bits == 64 { 24 } else { 12 }, offset: bits }
    }

    /// Whether a pointer, as it lies in memory, is a number other than null on the first or the last page of the machine, where nothing
    /// ever is.
    pub fn is_sentinel(self, packed: u64) -> bool {
        let last = u64::MAX >> (64 - self.bits);
        (1..PAGE).contains(&packed) || packed > last - PAGE && packed <= last
    }

    /// Bits of the offset in memory.
    pub fn packed_offset(self) -> u32 {
        self.bits - self.object
    }
}

/// A pointer as two terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The number of the object.
    pub object: TermId,
    /// The offset, in bytes.
    pub offset: TermId,
}

/// The size of an array of another file that is declared without one.
const UNSIZED_BYTES: u64 = 4096;

/// The map of a region.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// The program variable.
    pub symbol: SymbolId,
    /// Bytes of a cell.
    pub grain: u64,
}

/// The types of a function: the components of each parameter, and those of the result.
pub(crate) type Signature = (Vec<Vec<SortId>>, Vec<SortId>);

/// An external function that stands for function pointers which are inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callback {
    /// Its procedure, which has no body.
    pub(crate) procedure: ProcId,
    /// Its number as an object, from the highest one down.
    pub(crate) number: u32,
}

/// See the module.
pub(crate) struct Context<'a, 'm> {
    pub(crate) linked: &'a Linked<'m>,
    pub(crate) regions: &'a Regions,
    pub(crate) options: &'a Options,
    pub(crate) terms: Terms,
    pub(crate) shape: PointerShape,
    /// Whether runs go on behind accesses that change what nobody knows.
    pub(crate) may_stray: bool,
    pub(crate) memory: IndexMap<Region, Memory>,
    pub(crate) size: SymbolId,
    pub(crate) alive: SymbolId,
    /// The map that says, for proofs, which objects external code may have freed.
    pub(crate) ended: Option<SymbolId>,
    /// The mode in which floating-point results are rounded, in proofs about programs that set it.
    pub(crate) rounding: Option<SymbolId>,
    /// Which objects are the storage of locals and parameters, where anything could try to free them.
    pub(crate) automatic: Option<SymbolId>,
    pub(crate) next: SymbolId,
    /// Variables and functions that have an address.
    pub(crate) objects: IndexMap<Target, u32>,
    /// The number of the last constant, before which there are only functions and other constants.
    pub(crate) last_constant: u32,
    /// The regions in which constants lie.
    pub(crate) constants: FxHashSet<Region>,
    /// Variables without an address: for each leaf and component a program variable.
    pub(crate) scalars: IndexMap<GlobalRef, Vec<SymbolId>>,
    pub(crate) procs: FxHashMap<FnRef, ProcId>,
    /// The names of procedures so far, each with the last number that was appended to it.
    names: FxHashMap<String, u32>,
    /// The variables of assumptions that annotations name.
    pub(crate) assumptions: IndexMap<String, SymbolId>,
    /// Functions of the solver that are used, by text and sorts.
    pub(crate) builtins: IndexMap<(String, Vec<SortId>, SortId), FuncId>,
    /// The functions without a body that are applied, by name.
    pub(crate) sampled: IndexMap<String, SampledFunction>,
    /// The procedure that says whether an allocation fails.
    pub(crate) allocation_fails: ProcId,
    /// Literals, by their widths and values. They are made again and again, and finding a term costs more than finding them here.
    literals: FxHashMap<(u32, i64), TermId>,
    /// Offsets with a number of bytes added to them.
    sums: FxHashMap<(TermId, u64), TermId>,
    /// For each function type that is called through a pointer, an external function.
    pub(crate) callbacks: IndexMap<Signature, Callback>,
    /// What the linker decides, with the constants that say what.
    pub(crate) link_time: IndexMap<LinkTime, SymbolId>,
    /// The names whose address only the linker knows.
    pub(crate) linker_symbols: LinkerSymbols,
    /// What constants hold that proofs read.
    pub(crate) contents: FxHashMap<GlobalRef, Option<Cells>>,
    /// The regions of constants that may share their memory, once they are asked for.
    pub(crate) literal_regions: Option<Rc<FxHashSet<Region>>>,
    /// The constants that stand for several string literals, once they are asked for.
    pub(crate) merged_literals: Option<Rc<FxHashSet<GlobalRef>>>,
    /// The procedure that is being lowered.
    pub(crate) lowering: Option<ProcId>,
    /// The locals whose address is passed to external functions; what these write is an input.
    pub(crate) written: OutParams,
    /// The procedures of the callbacks, which come after all others.
    pub(crate) callback_procedures: Vec<Procedure>,
    /// The number of the first of them.
    pub(crate) first_callback: u32,
    /// What external code may change; computed when it is first needed.
    pub(crate) outside: Option<Rc<[SymbolId]>>,
    /// The functions that read their variable arguments.
    pub(crate) takes_list: FxHashSet<FnRef>,
    /// The regions of the variable arguments that tests pass.
    pub(crate) passed_lists: FxHashSet<Region>,
    /// The calls that end the program: which function is called, in which procedure, and where.
    pub(crate) endings: Vec<(String, ProcId, Span)>,
    /// Notes for diagnostics, with their ranges.
    pub(crate) notes: Vec<(Span, String)>,
    /// The blocks after writes that are out of bounds, where all memory is arbitrary.
    pub(crate) out_of_bounds_blocks: Vec<(ProcId, BlockId)>,
    /// Whether there is inline assembly, or an allocation by the library, that does less for tests than for proofs.
    pub(crate) opaque: BTreeSet<ProcId>,
    pub(crate) with_assembly: BTreeSet<ProcId>,
    /// See the fields of [`Lowered`](super::super::Lowered) of these names.
    pub(crate) test_assumptions: BTreeSet<(ProcId, TestAssumption)>,
    pub(crate) external_effects: ExternalEffects,
    /// Whether the function that is lowered rounds a result.
    pub(crate) rounds: bool,
    /// The procedures that free what they need not have made.
    pub(crate) freeing: BTreeSet<ProcId>,
    /// Whether anything in the program ends the life of an object by freeing it.
    pub(crate) objects_die: bool,
    /// The regions of locals whose address may be known after the activation of their function.
    pub(crate) outliving: FxHashSet<Region>,
    /// The locals of inner blocks whose address may be used when their block has ended.
    pub(crate) block_locals: BlockLocals,
    /// What may be read before it is written.
    pub(crate) shadows: Shadows,
    /// Which powers of two divide addresses, if anything has to be aligned.
    pub(crate) alignments: Alignments,
    /// The pointers behind which strings are read.
    pub(crate) texts: Texts,
    /// What harnesses share.
    pub(in crate::c) shared: Shared,
}

impl<'a, 'm> Context<'a, 'm> {
    pub(crate) fn new(linked: &'a Linked<'m>, regions: &'a Regions, options: &'a Options) -> Context<'a, 'm> {
        let bits = linked.modules.first().map_or(64, |m| m.data_layout.pointer_bits());
        let shape = PointerShape::of(bits);
        let mut terms = Terms::new();
        let object = terms.bit_vec_sort(shape.object);
        let offset = terms.bit_vec_sort(shape.offset);
        let sizes = terms.map_sort(vec![object], offset);
        let lives = terms.map_sort(vec![object], SortId::BOOL);
        let size = terms.fresh_symbol("$size", sizes);
        let alive = terms.fresh_symbol("$alive", lives);
        let next = terms.fresh_symbol("$next", object);
        let ended = options.conservative_externals.then(|| terms.fresh_symbol("$ended", lives));
        let sets_mode = options.conservative_externals && super::float::rounding_changes(linked);
        let rounding = sets_mode.then(|| {
            let modes = terms.bit_vec_sort(2);
            terms.fresh_symbol("$rounding", modes)
        });
        let objects_die = super::lifetimes::objects_die(linked);
        let automatic = objects_die.then(|| terms.fresh_symbol("$automatic", lives));
        let mut cx = Context {
            linked,
            regions,
            options,
            terms,
            shape,
            may_stray: options.continue_out_of_bounds
                || options.conservative_externals && regions.have_numbers(),
            memory: IndexMap::new(),
            size,
            alive,
            ended,
            rounding,
            automatic,
            next,
            objects: IndexMap::new(),
            last_constant: 0,
            constants: FxHashSet::default(),
            scalars: IndexMap::new(),
            procs: FxHashMap::default(),
            names: FxHashMap::default(),
            assumptions: IndexMap::new(),
            builtins: IndexMap::new(),
            sampled: IndexMap::new(),
            allocation_fails: ProcId(0),
            literals: FxHashMap::default(),
            sums: FxHashMap::default(),
            callbacks: IndexMap::new(),
            link_time: IndexMap::new(),
            linker_symbols: LinkerSymbols::default(),
            contents: FxHashMap::default(),
            literal_regions: None,
            merged_literals: None,
            lowering: None,
            written: OutParams::default(),
            callback_procedures: Vec::new(),
            first_callback: 0,
            outside: None,
            takes_list: takes_list(linked),
            passed_lists: FxHashSet::default(),
            endings: Vec::new(),
            notes: Vec::new(),
            out_of_bounds_blocks: Vec::new(),
            opaque: BTreeSet::new(),
            with_assembly: BTreeSet::new(),
            test_assumptions: BTreeSet::new(),
            external_effects: ExternalEffects::default(),
            rounds: false,
            freeing: BTreeSet::new(),
            objects_die,
            outliving: outliving(linked, regions),
            block_locals: BlockLocals::default(),
            shadows: Shadows::default(),
            alignments: Alignments::where_checked(linked),
            texts: Texts::of(linked),
            shared: Shared::default(),
        };
        cx.block_locals = BlockLocals::of(linked, regions, &cx.outliving);
        cx.outliving.extend(cx.block_locals.regions.iter().copied());
        cx.follow_unwritten();
        cx.place_globals();
        cx.passed_lists = cx.passed_lists();
        cx.written = OutParams::of(&mut cx);
        cx
    }

    /// Declares the procedure that says of each allocation whether it fails.
    pub(crate) fn declare_allocation_fails(&mut self, procedures: &mut Vec<Procedure>) -> ProcId {
        let span = Span { file: FileId(0), start: 0, end: 0 };
        let result = self.terms.fresh_symbol("fails", SortId::BOOL);
        self.allocation_fails = ProcId(procedures.len() as u32);
        procedures.push(Procedure {
            name: self.unique_name("$allocation_fails"),
            type_params: Vec::new(),
            params: Vec::new(),
            results: vec![Variable::new(result, span)],
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            bodies: Vec::new(),
            span,
            attributes: Vec::new(),
        });
        self.allocation_fails
    }

    /// A name for a procedure that no other has; functions of one name in several files are numbered.
    pub(crate) fn unique_name(&mut self, name: &str) -> Arc<str> {
        let mut number = self.names.get(name).copied().unwrap_or(1);
        let mut candidate = name.to_owned();
        while self.names.contains_key(&candidate) {
            number += 1;
            candidate = format!("{name}${number}");
        }
        self.names.insert(name.to_owned(), number);
        self.names.entry(candidate.clone()).or_insert(1);
        candidate.into()
    }

    /// The external function that stands for callbacks of a type.
    pub(crate) fn callback(&mut self, signature: &Signature) -> Callback {
        if let Some(&known) = self.callbacks.get(signature) {
            return known;
        }
        let index = self.callback_procedures.len() as u32;
        let procedure = self.unknown_procedure(&format!("$callback.{}", index + 1), &signature.1);
        let callback = Callback { procedure, number: (1 << self.shape.object) - 1 - index };
        self.callbacks.insert(signature.clone(), callback);
        callback
    }

    /// A procedure without a body and without parameters, after those of all functions.
    pub(crate) fn unknown_procedure(&mut self, name: &str, results: &[SortId]) -> ProcId {
        let index = self.callback_procedures.len() as u32;
        let span = Span { file: FileId(0), start: 0, end: 0 };
        let results =
            results.iter().map(|&s| Variable::new(self.terms.fresh_symbol("return", s), span)).collect();
        let name = self.unique_name(name);
        self.callback_procedures.push(Procedure {
            name,
            type_params: Vec::new(),
            params: Vec::new(),
            results,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            bodies: Vec::new(),
            span,
            attributes: Vec::new(),
        });
        ProcId(self.first_callback + index)
    }

    /// Gives every variable either program variables or a number as an object.
    fn place_globals(&mut self) {
        let linked = self.linked;
        let mut with_address = with_address(linked);
        with_address.extend(&self.regions.shared);
        let printed = printed_literals(linked);
        for (f, function) in linked.functions() {
            if self.is_the_one(Target::Function(f), f.module, function.name) {
                let number = self.objects.len() as u32 + 1;
                self.objects.insert(Target::Function(f), number);
            }
        }
        let constants_first = [true, false]
            .into_iter()
            .flat_map(|constant| linked.globals().filter(move |(_, global)| global.is_constant == constant));
        for (g, global) in constants_first {
            // Nothing has the address of what a failed assertion prints.
            if printed.contains(&g) || !self.is_the_one(Target::Global(g), g.module, global.name) {
                continue;
            }
            let module = &linked.modules[g.module as usize];
            let parts = leaves(module, global.ty);
            match parts {
                Some(parts) if parts.len() == 1 && !with_address.contains(&g) && global.init.is_some() => {
                    let name = linked.global_name(g).to_owned();
                    let symbols = self.fresh_components(&name, &parts);
                    self.scalars.insert(g, symbols);
                }
                _ => {
                    let number = self.objects.len() as u32 + 1;
                    self.objects.insert(Target::Global(g), number);
                    if global.is_constant {
                        self.last_constant = number;
                        self.constants.extend(self.regions.global(g));
                    }
                }
            }
        }
    }

    /// Whether a target is the definition that its name resolves to, and not a declaration of one elsewhere.
    fn is_the_one(&self, target: Target, module: u32, name: Name) -> bool {
        self.linked.resolve(module, name) == Some(target)
    }

    fn passed_lists(&self) -> FxHashSet<Region> {
        let mut found = FxHashSet::default();
        if self.options.harness.whole_program {
            return found;
        }
        let tested = self.takes_list.iter().filter(|f| (f.module as usize) < self.options.user_modules);
        found.extend(tested.filter_map(|&f| self.regions.list(f)));
        for (f, function) in self.linked.functions() {
            let Some(code) = function.body.code() else { continue };
            for inst in &code.insts {
                if let InstKind::Gep(gep) = &inst.kind
                    && let [at] = &gep.indices[..]
                    && super::varargs::is_in_registers(self.module(f.module), code, at.value)
                {
                    found.extend(self.regions.operand(self.linked, f, gep.base.value));
                }
            }
        }
        found
    }

    /// The number of the object with the variable arguments that a test passes. The next two numbers are those of the
    /// areas that an input `va_list` points to.
    pub(crate) fn passed_object(&self) -> u32 {
        self.objects.len() as u32 + 1
    }

    /// The first number that is free for other objects of the harness.
    pub(crate) fn first_free_object(&self) -> u32 {
        self.passed_object() + 3
    }

    /// The object that `errno` is, if the program has one, and where it lies.
    pub(crate) fn errno(&mut self) -> Option<(u32, Memory)> {
        let Some(Target::Global(g)) = self.linked.external_named(ERRNO) else { return None };
        let &number = self.objects.get(&Target::Global(g))?;
        let region = self.regions.global(g)?;
        Some((number, self.memory_of(region)))
    }

    pub(crate) fn module(&self, module: u32) -> &'m Module {
        &self.linked.modules[module as usize]
    }

    // ---- Sorts and components

    /// The sorts of a scalar's components: a pointer has two.
    pub(crate) fn component_sorts(&mut self, scalar: Scalar) -> Vec<SortId> {
        match scalar {
            Scalar::Bool => vec![SortId::BOOL],
            Scalar::Int(bits) | Scalar::Float(bits) => vec![self.terms.bit_vec_sort(bits)],
            Scalar::Pointer => {
                vec![self.terms.bit_vec_sort(self.shape.object), self.terms.bit_vec_sort(self.shape.offset)]
            }
        }
    }

    /// The sorts of all components of a type.
    pub(crate) fn sorts(&mut self, module: u32, ty: TypeId) -> Result<Vec<SortId>, Unsupported> {
        let parts = self.leaves(module, ty)?;
        Ok(parts.into_iter().flat_map(|leaf| self.component_sorts(leaf.scalar)).collect())
    }

    pub(crate) fn leaves(&self, module: u32, ty: TypeId) -> Result<Vec<Leaf>, Unsupported> {
        leaves(self.module(module), ty)
            .ok_or_else(|| Unsupported::new("a value of a type that is too large or unusual"))
    }

    /// Fresh symbols for all components of some leaves.
    pub(crate) fn fresh_components(&mut self, name: &str, parts: &[Leaf]) -> Vec<SymbolId> {
        let mut symbols = Vec::new();
        for (i, leaf) in parts.iter().enumerate() {
            let base = if parts.len() == 1 { name.to_owned() } else { format!("{name}.{i}") };
            for (k, sort) in self.component_sorts(leaf.scalar).into_iter().enumerate() {
                let name = if k == 0 { base.clone() } else { format!("{base}.offset") };
                symbols.push(self.terms.fresh_symbol(name, sort));
            }
        }
        symbols
    }

    // ---- Small terms

    pub(crate) fn bv(&mut self, bits: u32, value: i64) -> TermId {
        if let Some(&known) = self.literals.get(&(bits, value)) {
            return known;
        }
        let literal = if value >= 0 && (bits > 62 || value >> bits == 0) {
            self.terms.bit_vec(bits, value)
        } else {
            let value = num_bigint::BigInt::from(value);
            let modulus = num_bigint::BigInt::from(1) << bits;
            self.terms.bit_vec(bits, ((value % &modulus) + &modulus) % &modulus)
        };
        self.literals.insert((bits, value), literal);
        literal
    }

    pub(crate) fn object(&mut self, number: u32) -> TermId {
        self.bv(self.shape.object, i64::from(number))
    }

    pub(crate) fn offset(&mut self, bytes: i64) -> TermId {
        self.bv(self.shape.offset, bytes)
    }

    pub(crate) fn pointer(&mut self, number: u32, bytes: i64) -> Pointer {
        Pointer { object: self.object(number), offset: self.offset(bytes) }
    }

    pub(crate) fn width(&self, t: TermId) -> u32 {
        self.terms.width(self.terms.sort(t)).unwrap_or(1)
    }

    pub(crate) fn app(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.terms.app(op, args.iter().copied())
    }

    pub(crate) fn not(&mut self, t: TermId) -> TermId {
        self.app(Op::Not, &[t])
    }

    /// A bit-vector made longer or shorter.
    pub(crate) fn resize(&mut self, t: TermId, bits: u32, signed: bool) -> TermId {
        let width = self.width(t);
        if bits < width {
            self.app(Op::Extract(bits - 1, 0), &[t])
        } else {
            self.terms.extend(t, bits, signed)
        }
    }

    /// `ite(c, 1, 0)`.
    pub(crate) fn bool_to_bv(&mut self, c: TermId, bits: u32) -> TermId {
        let (one, zero) = (self.bv(bits, 1), self.bv(bits, 0));
        self.app(Op::Ite, &[c, one, zero])
    }

    /// The pointer as one bit-vector, as it lies in memory.
    pub(crate) fn pack(&mut self, p: Pointer) -> TermId {
        let bits = self.shape.packed_offset();
        let offset = self.resize(p.offset, bits, true);
        self.app(Op::Concat, &[p.object, offset])
    }

    /// The pointer that a packed bit-vector represents.
    pub(crate) fn unpack(&mut self, t: TermId) -> Pointer {
        let shape = self.shape;
        let t = self.resize(t, shape.bits, false);
        let object = self.app(Op::Extract(shape.bits - 1, shape.packed_offset()), &[t]);
        let offset = self.app(Op::Extract(shape.packed_offset() - 1, 0), &[t]);
        Pointer { object, offset: self.resize(offset, shape.offset, true) }
    }

    pub(crate) fn add_offset(&mut self, p: Pointer, bytes: TermId) -> Pointer {
        Pointer { object: p.object, offset: self.app(Op::BvAdd, &[p.offset, bytes]) }
    }

    pub(crate) fn add_bytes(&mut self, p: Pointer, bytes: u64) -> Pointer {
        if bytes == 0 {
            return p;
        }
        if let Some(&offset) = self.sums.get(&(p.offset, bytes)) {
            return Pointer { offset, ..p };
        }
        let offset = self.offset(bytes as i64);
        let sum = self.add_offset(p, offset);
        self.sums.insert((p.offset, bytes), sum.offset);
        sum
    }

    // ---- Memory

    /// The size of a variable in bytes. Of an array that is declared without one, as tests define it.
    pub(crate) fn global_size(&self, g: GlobalRef) -> u64 {
        let global = self.linked.global(g);
        match self.module(g.module).layouts.size(global.ty) {
            Some(0) if global.init.is_none() => UNSIZED_BYTES,
            size => size.unwrap_or(1),
        }
    }

    /// The map of a region.
    pub(crate) fn memory_of(&mut self, region: Region) -> Memory {
        let region = self.regions.find(region);
        if let Some(&memory) = self.memory.get(&region) {
            return memory;
        }
        let grain = self.regions.grain(region);
        let object = self.terms.bit_vec_sort(self.shape.object);
        let offset = self.terms.bit_vec_sort(self.shape.offset);
        let cell = self.terms.bit_vec_sort(8 * grain as u32);
        let sort = self.terms.map_sort(vec![object, offset], cell);
        let symbol = self.terms.fresh_symbol(format!("$mem.{}", self.memory.len()), sort);
        let memory = Memory { symbol, grain };
        self.memory.insert(region, memory);
        if self.shadows.unwritten.regions.contains(&region) {
            let written = self.terms.fresh_symbol(format!("$written.{}", self.memory.len()), sort);
            self.shadows.written.insert(symbol, written);
        }
        memory
    }

    /// So many bytes from an address on, as one bit-vector (little endian).
    pub(crate) fn read_bytes(&mut self, map: TermId, grain: u64, p: Pointer, bytes: u64) -> TermId {
        let mut whole: Option<TermId> = None;
        for i in 0..bytes.div_ceil(grain) {
            let at = self.add_bytes(p, i * grain);
            let cell = self.app(Op::Select, &[map, at.object, at.offset]);
            whole = Some(match whole {
                None => cell,
                Some(low) => self.app(Op::Concat, &[cell, low]),
            });
        }
        whole.unwrap_or_else(|| self.bv(8, 0))
    }

    /// The map after writing a bit-vector of a whole number of cells.
    pub(crate) fn write_bytes(&mut self, map: TermId, grain: u64, p: Pointer, value: TermId) -> TermId {
        let cell = 8 * grain as u32;
        let mut map = map;
        for i in 0..self.width(value) / cell {
            let at = self.add_bytes(p, u64::from(i) * grain);
            let part = self.app(Op::Extract((i + 1) * cell - 1, i * cell), &[value]);
            map = self.app(Op::Store, &[map, at.object, at.offset, part]);
        }
        map
    }

    /// A scalar read from memory, as components.
    pub(crate) fn read_scalar(&mut self, map: TermId, grain: u64, p: Pointer, leaf: Leaf) -> Vec<TermId> {
        let raw = self.read_bytes(map, grain, p, leaf.size);
        match leaf.scalar {
            Scalar::Bool => {
                let bit = self.app(Op::Extract(0, 0), &[raw]);
                let one = self.bv(1, 1);
                vec![self.app(Op::Eq, &[bit, one])]
            }
            Scalar::Int(bits) | Scalar::Float(bits) => vec![self.resize(raw, bits, false)],
            Scalar::Pointer => {
                let p = self.unpack(raw);
                vec![p.object, p.offset]
            }
        }
    }

    /// A scalar's components as the bits that lie in memory.
    pub(crate) fn scalar_bits(&mut self, leaf: Leaf, value: &[TermId]) -> TermId {
        let bits = 8 * leaf.size as u32;
        match leaf.scalar {
            Scalar::Bool => self.bool_to_bv(value[0], bits),
            Scalar::Int(_) | Scalar::Float(_) => self.resize(value[0], bits, false),
            Scalar::Pointer => {
                let packed = self.pack(Pointer { object: value[0], offset: value[1] });
                self.resize(packed, bits, false)
            }
        }
    }

    /// `p + index * stride`, the index being signed.
    pub(crate) fn scaled(&mut self, p: Pointer, index: TermId, stride: u64) -> Pointer {
        let index = self.resize(index, self.shape.offset, true);
        let stride = self.offset(stride as i64);
        let bytes = self.app(Op::BvMul, &[index, stride]);
        self.add_offset(p, bytes)
    }
}

/// The functions that read their variable arguments.
fn takes_list(linked: &Linked<'_>) -> FxHashSet<FnRef> {
    let looks = |(r, f): &(FnRef, &Function)| {
        super::varargs::looks_at_variable_arguments(&linked.modules[r.module as usize], f)
    };
    linked.functions().filter(looks).map(|(r, _)| r).collect()
}
