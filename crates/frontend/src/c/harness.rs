//! Test harnesses: for a function that has none, a procedure that makes its inputs, within bounds, and calls it.
//!
//! **Idea.** Numbers are arbitrary. A pointer is null or points to the start of an object of its own, an array of 1
//! to [`HarnessOptions::array_length`] elements with arbitrary contents, in which pointers are made in the same way
//! down to [`HarnessOptions::depth`], or lead back to a structure of their type. Where the program compares or
//! subtracts addresses, pointers may point into one object (`sharing.rs`). An array of `char` ends with a zero byte.
//! Global variables that the function or its callees use are inputs, too, if something changes them and a test can
//! set them; the others have their initial values.
//!
//! Example: for `int length(struct list *l)`, `l` is null or points to a `struct list` whose `next` is null, points
//! to a second one, or leads back; and so on.
//!
//! All inputs are parameters of the procedure, or contents of memory at its entry, so that a test is the values of
//! these ([`Harness`] says what each means). If something is not reached in this way, it is tried again with longer
//! arrays and with more aliasing ([`Harness::longer`]).
//!
//! **Direction of error.** Larger and deeper objects, other aliasing and unterminated strings are left out: what is
//! infeasible in the harness may be feasible with those. [`Harness::bounded`] says whether that matters.

mod arguments;
mod foreign_types;
mod globals;
mod inputs;
mod links;
mod overlaid;
mod pointees;
mod procedure;
mod program;
mod promises;
pub(super) mod shared;
mod sharing;
pub(super) mod signature;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use footpath_ir::source::Span;
use footpath_ir::{Procedure, Variable};
use footpath_term::{Op, SortId, SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::ast::{LocalId, TypeId};

use super::LoweredFunction;
use super::facts::link::FnRef;
use super::facts::opaque_types::{Hidden, Spot};
use super::facts::points_to::Region;
use super::facts::references::running;
use super::lower::context::{Context, Memory, Pointer};
use super::source::c_types::{CField, CType, CTypeId, CTypes};
use super::source::debug_info::DebugInfo;
pub use foreign_types::OWN_TAG;
pub(super) use globals::STREAMS;
pub use inputs::{
    Harness, InputArguments, InputLink, InputObject, InputParam, InputSharing, LONGER, LONGEST, LinkInto,
    Setting, SettingValue,
};
pub(super) use signature::{Way, signature};

/// Bounds of what a harness makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HarnessOptions {
    /// The largest number of elements of an array behind a pointer.
    pub array_length: u32,
    /// How many pointers are followed at most from a parameter or variable.
    pub depth: u32,
    /// The largest number of objects that are made.
    pub objects: u32,
    /// Whether pointers may be null.
    pub nullable: bool,
    /// Whether pointers may alias where that makes a difference.
    pub sharing: bool,
    /// Whether the function is where the program starts: it gets arguments of the command line, and variables have
    /// their initial values.
    pub whole_program: bool,
    /// How many arguments of the command line there are at most, the program's name among them.
    pub arguments: u32,
}

impl Default for HarnessOptions {
    fn default() -> HarnessOptions {
        HarnessOptions {
            array_length: 8,
            depth: 3,
            objects: 40,
            nullable: true,
            sharing: true,
            whole_program: false,
            arguments: 3,
        }
    }
}

/// The name of the stub that stands for a callback, by its position.
pub(super) fn callback_name(index: usize) -> String {
    format!("footpath_callback_{}", index + 1)
}

/// The largest number of earlier objects that a link may lead back to.
const LINKS: usize = 4;

struct Builder<'b, 'a, 'm> {
    cx: &'b mut Context<'a, 'm>,
    /// The module of the function.
    module: u32,
    hidden: Rc<Hidden>,
    /// The functions that run when the function does.
    running: FxHashSet<FnRef>,
    types: &'b mut CTypes,
    span: Span,
    next: u32,
    params: Vec<Variable>,
    objects: Vec<InputObject>,
    /// The types of the objects' elements, as the files have them that define them.
    elements: Vec<CTypeId>,
    links: Vec<InputLink>,
    tables: Vec<InputObject>,
    /// The region of each object.
    regions: Vec<Option<Region>>,
    assumptions: Vec<TermId>,
    /// The numbers of elements of arrays and how large they are at most.
    limits: Vec<Limit>,
    /// How many pointers in memory may share an object.
    shared_links: usize,
    /// See [`Harness::may_alias`].
    may_alias: bool,
    /// What only [`Harness::procedure`] assumes: that pointers have objects of their own that may also share one, and that lists are
    /// no longer than pointers are followed.
    apart: Vec<TermId>,
    /// That links do not lead back: not in [`Harness::longest`].
    acyclic: Vec<TermId>,
    /// How many of [`Self::apart`] are about pointers in memory that may share an object.
    apart_links: usize,
    /// The numbers of the nodes that another than the first link of some structure leads to.
    branches: FxHashSet<u32>,
    /// The objects of parameters that are `restrict`.
    restricted: Vec<usize>,
    /// The objects of parameters, with the positions of these.
    of_params: Vec<(usize, usize)>,
    sizes: Vec<(TermId, TermId)>,
    /// For a whole program: the inputs in memory, each a map, an object and how many bytes.
    kept: Vec<(Memory, TermId, u64)>,
    /// Whether initial values leave zeros out, as memory is zero to begin with.
    sparse: bool,
    /// Pieces of memory whose pointers are still to be described; the nearest come first.
    pieces: VecDeque<Piece>,
    /// The structure types of the modules by name.
    records: BTreeMap<String, Option<CTypeId>>,
    /// What tests write instead of structures that they may not be able to name.
    copies: FxHashMap<CTypeId, Option<CTypeId>>,
    /// The bytes other than zero of the initial values of variables that are inputs, by their objects and offsets.
    initial: FxHashMap<u32, BTreeMap<u64, u8>>,
    /// The objects that a `va_list` points to: the register area, and the other arguments.
    areas: Option<[TermId; 2]>,
    /// See [`Harness::frozen`].
    frozen: Vec<String>,
    bounded: bool,
    /// See [`Harness::is_cut`].
    is_cut: bool,
    /// See [`Harness::has_longer_lists`].
    has_longer_lists: bool,
}

/// A piece of memory that may hold pointers.
struct Piece {
    /// How the source names it.
    name: String,
    ty: CTypeId,
    memory: Memory,
    region: Region,
    at: Pointer,
    /// How many pointers lead there.
    depth: u32,
    /// Where it comes from, if it is a pointer.
    place: Option<Spot>,
    /// What else the first pointer in it may lead to.
    others: Vec<CTypeId>,
    /// The structure that it is a member of, if it points to such structures.
    within: Option<OwnLink>,
    /// An array beside it in its structure, of elements that it points to.
    beside: Option<Pointer>,
}

/// A pointer in a structure to structures of its type.
#[derive(Clone, Copy)]
struct OwnLink {
    /// The structure: a pointer to itself is the empty list, in a common form of lists.
    structure: Pointer,
    /// Whether no such pointer stands before it there.
    is_first: bool,
}

/// Makes the harness of a function; the error says why there is none.
pub(super) fn build(
    cx: &mut Context,
    debug: &mut DebugInfo,
    types: &mut CTypes,
    entry: &LoweredFunction,
    procedures: &mut Vec<Procedure>,
) -> Result<Harness, String> {
    let f = entry.function;
    let function = cx.linked.function(f);
    let module = cx.module(f.module);
    let signature = signature(types, f, module, function)?;
    let span = debug.function_span(f.module, module, function);
    let next = cx.first_free_object();
    let (running, globals) = running(cx.linked, cx.regions, &mut cx.shared.mentions, f);
    let hidden = cx.shared.hidden(cx.linked);
    let mut b = Builder {
        cx,
        module: f.module,
        hidden,
        running,
        types,
        span,
        next,
        params: Vec::new(),
        objects: Vec::new(),
        elements: Vec::new(),
        links: Vec::new(),
        tables: Vec::new(),
        regions: Vec::new(),
        assumptions: Vec::new(),
        limits: Vec::new(),
        shared_links: 0,
        may_alias: false,
        apart: Vec::new(),
        acyclic: Vec::new(),
        apart_links: 0,
        branches: FxHashSet::default(),
        restricted: Vec::new(),
        of_params: Vec::new(),
        sizes: Vec::new(),
        kept: Vec::new(),
        sparse: false,
        pieces: VecDeque::new(),
        records: BTreeMap::new(),
        copies: FxHashMap::default(),
        initial: FxHashMap::default(),
        areas: None,
        frozen: Vec::new(),
        bounded: false,
        is_cut: false,
        has_longer_lists: false,
    };
    let whole = b.cx.options.harness.whole_program;
    let mut params = Vec::new();
    let mut args = Vec::new();
    let written = signature.written.filter(|_| !whole).map(|_| b.next);
    if whole {
        let types: Vec<CTypeId> = signature.params.iter().map(|p| p.ty).collect();
        (params, args) = b.command_line(f, &types)?;
    } else {
        if let Some(ty) = signature.written {
            args.extend(b.written(f.module, ty));
        }
        for (i, given) in signature.params.iter().enumerate() {
            let name = crate::c::lower::declare::parameter_name(module, function, i);
            let (param, value) = match given.way {
                Way::Scalar => b.parameter(f, given.first, &name, given.ty)?,
                way => b.structure(f, &name, given, way)?,
            };
            params.push(param);
            args.extend(value);
        }
    }
    let arguments = if b.cx.takes_list.contains(&f) { Some(b.variable_arguments(f)?) } else { None };
    args.extend(arguments.as_ref().map(|passed| b.cx.object(passed.object.number)));
    b.describe();
    let mut settings = Vec::new();
    let mut initial = Vec::new();
    for g in globals {
        match if whole { None } else { b.setting(g) } {
            Some(setting) => settings.push(setting),
            None => {
                if !whole {
                    b.freeze(g);
                }
                let table = b.table(g);
                b.tables.extend(table);
                initial.push(g);
            }
        }
        b.describe();
    }
    let streams = b.streams(&initial);
    let any_memory = whole.then(|| b.set_up(&streams, &initial, Room::Usual));
    b.sparse = whole;
    let statements = b.set_up(&streams, &initial, Room::Usual);
    let before = if whole { b.constructors() } else { Vec::new() };
    let statements = [statements, before.clone()].concat();
    let any_memory = any_memory.map(|statements| [statements, before].concat());
    let any_memory = any_memory
        .filter(|_| !b.bounded && b.params.is_empty())
        .map(|statements| b.calling(entry, "start", &args, statements, procedures));
    let has_more = !b.limits.is_empty() || !b.apart.is_empty();
    let longer = (!whole && has_more).then(|| b.set_up(&streams, &initial, Room::Longer));
    let longer = longer.map(|statements| b.calling(entry, "longer", &args, statements, procedures));
    let is_wider = |limit: &Limit| limit.widest > LONGER.saturating_mul(limit.most);
    let has_most = !whole && (!b.acyclic.is_empty() || b.limits.iter().any(is_wider));
    let longest = has_most.then(|| b.set_up(&streams, &initial, Room::Longest));
    let longest = longest.map(|statements| b.calling(entry, "longest", &args, statements, procedures));
    Ok(b.finish(
        entry,
        (params, arguments),
        settings,
        (signature.ret, written),
        &args,
        statements,
        (any_memory, longer, longest),
        procedures,
    ))
}

/// The number of elements of an array, and how large it is at most: usually, and in the widest procedure.
#[derive(Clone, Copy)]
struct Limit {
    count: TermId,
    most: u32,
    widest: u32,
}

/// How long arrays are at most: see [`Harness::procedure`], [`Harness::longer`] and [`Harness::longest`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Usual,
    Longer,
    Longest,
}

impl Builder<'_, '_, '_> {
    fn param(&mut self, name: &str, sort: SortId) -> SymbolId {
        let symbol = self.cx.terms.fresh_symbol(name, sort);
        self.params.push(Variable::new(symbol, self.span));
        symbol
    }

    fn parameter(
        &mut self,
        f: FnRef,
        index: usize,
        name: &str,
        ty: CTypeId,
    ) -> Result<(InputParam, Vec<TermId>), String> {
        if let Some(pointee) = self.pointee(ty)
            && matches!(self.types.resolved(pointee), CType::Function { .. })
        {
            let sort = self.cx.terms.bit_vec_sort(self.cx.shape.object);
            let symbol = self.param(name, sort);
            let target = self.cx.terms.var(symbol);
            let functions = self.functions_of(pointee).to_vec();
            let choices: Vec<TermId> = std::iter::once(0)
                .chain(functions.iter().copied())
                .map(|n| {
                    let number = self.cx.object(n);
                    self.cx.app(Op::Eq, &[target, number])
                })
                .collect();
            let one_of = self.cx.app(Op::Or, &choices);
            self.assumptions.push(one_of);
            let zero = self.cx.offset(0);
            return Ok((
                InputParam { functions, nullable: true, ..InputParam::plain(name, ty, symbol) },
                vec![target, zero],
            ));
        }
        if let Some(pointee) = self.pointee(ty) {
            let null = self.param(&format!("{name}.null"), SortId::BOOL);
            let is_null = self.cx.terms.var(null);
            let promised = self.promised(f, index);
            let nullable = self.cx.options.harness.nullable && !self.is_list(pointee) && promised.is_none();
            if !nullable {
                let not = self.cx.not(is_null);
                self.assumptions.push(not);
            }
            let region = self.cx.regions.local(f, LocalId(index as u32));
            let pointee = self.used_as(pointee, Some(&Spot::Param(f, index as u32)));
            let object = self.object(name, pointee, region, 0);
            let (mut at, mut sharing) = (self.cx.pointer(0, 0), None);
            self.assume_promised(object, promised);
            if let Some(own) = object {
                let attrs = self.cx.linked.function(f).params[index].attrs;
                if self.cx.module(f.module).attr(attrs, "noalias").is_some() {
                    self.restricted.push(own);
                }
                let later = region.is_some_and(|region| self.leads_on(f, index, region));
                let there;
                (there, sharing) = self.parameter_into((f, index), name, own, later);
                self.of_params.push((own, index));
                at.object = self.cx.app(Op::Ite, &[is_null, at.object, there.object]);
                at.offset = self.cx.app(Op::Ite, &[is_null, at.offset, there.offset]);
            }
            let param = InputParam { object, nullable, sharing, ..InputParam::plain(name, ty, null) };
            return Ok((param, vec![at.object, at.offset]));
        }
        let llvm = self.cx.linked.function(f).params[index].ty;
        let sorts = self.cx.sorts(f.module, llvm).map_err(|u| u.0)?;
        let symbol = self.param(name, sorts[0]);
        let value = self.cx.terms.var(symbol);
        // A narrow parameter arrives in a wider register.
        self.limit_width(ty, value);
        Ok((InputParam::plain(name, ty, symbol), vec![value]))
    }

    /// The memory that a function writes a structure to that it returns.
    fn written(&mut self, module: u32, ty: TypeId) -> [TermId; 2] {
        let number = self.next;
        self.next += 1;
        let size = self.cx.module(module).layouts.size(ty).unwrap_or(0);
        let (this, size, start) = (self.cx.object(number), self.cx.offset(size as i64), self.cx.offset(0));
        self.sizes.push((this, size));
        [this, start]
    }

    /// A structure that is passed by value: an object that the test builds; what arrives is its address or its bytes.
    fn structure(
        &mut self,
        f: FnRef,
        name: &str,
        given: &signature::Param,
        way: Way,
    ) -> Result<(InputParam, Vec<TermId>), String> {
        let symbol = self.param(&format!("{name}.given"), SortId::BOOL);
        let ty = given.ty;
        let region = match way {
            Way::Memory => self.cx.regions.local(f, LocalId(given.first as u32)),
            _ => self.cx.regions.passed(f),
        };
        let unknown = || "the place of a structure that is passed by value is not known".to_owned();
        let index = if self.is_followed(ty, 0) { self.made_at(name, ty, region, 0, true) } else { None };
        let index = index.ok_or_else(unknown)?;
        let object = self.cx.object(self.objects[index].number);
        let start = Pointer { object, offset: self.cx.offset(0) };
        let param = InputParam { object: Some(index), ..InputParam::plain(name, ty, symbol) };
        let Way::Registers(count) = way else { return Ok((param, vec![start.object, start.offset])) };
        let memory = region.map(|r| self.cx.memory_of(r)).ok_or_else(unknown)?;
        let map = self.cx.terms.var(memory.symbol);
        let mut value = Vec::new();
        for i in 0..count {
            let llvm = self.cx.linked.function(f).params[given.first + i].ty;
            for leaf in self.cx.leaves(f.module, llvm).map_err(|u| u.0)? {
                let at = self.cx.add_bytes(start, 8 * i as u64 + leaf.offset);
                value.extend(self.cx.read_scalar(map, memory.grain, at, leaf));
            }
        }
        Ok((param, value))
    }

    fn limit_width(&mut self, ty: CTypeId, value: TermId) {
        let (bits, signed) = match self.types.resolved(ty) {
            CType::Int { bits, signed, .. } => (*bits, *signed),
            CType::Bool => (1, false),
            _ => return,
        };
        if self.cx.terms.sort(value) != SortId::BOOL && self.cx.width(value) > bits {
            let width = self.cx.width(value);
            let low = self.cx.resize(value, bits, signed);
            let again = self.cx.resize(low, width, signed);
            let same = self.cx.app(Op::Eq, &[again, value]);
            self.assumptions.push(same);
        }
    }

    /// Makes an object that a pointer can point to; none for functions and where the bounds are reached.
    fn object(&mut self, name: &str, element: CTypeId, region: Option<Region>, depth: u32) -> Option<usize> {
        if self.is_followed(element, depth) {
            self.made_at(name, element, region, depth, false)
        } else {
            None
        }
    }

    /// Whether pointers at a depth are followed. There are inputs that the harness does not make in any case.
    fn is_followed(&mut self, element: CTypeId, depth: u32) -> bool {
        self.bounded = true;
        let is_followed = depth < self.cx.options.harness.depth;
        self.is_cut |= !is_followed && !matches!(self.types.resolved(element), CType::Function { .. });
        is_followed
    }

    /// As [`Self::object`], at any depth; the object has one element if that is known.
    fn made_at(
        &mut self,
        name: &str,
        element: CTypeId,
        region: Option<Region>,
        depth: u32,
        single: bool,
    ) -> Option<usize> {
        let options = self.cx.options.harness.clone();
        let bytes = u64::from(self.cx.shape.bits / 8);
        let is_function = matches!(self.types.resolved(element), CType::Function { .. });
        if is_function || self.objects.len() as u32 >= options.objects {
            self.is_cut |= !is_function;
            return None;
        }
        let raw = match self.types.resolved(element) {
            CType::Void | CType::Unknown => true,
            CType::Record { size: 0, .. } => return None,
            _ => false,
        };
        // Of rows whose length is not said, the elements are what an object has.
        let mut element = element;
        while let &CType::Array { element: of, count: None } = self.types.resolved(element) {
            element = of;
        }
        let element = if raw {
            self.types.add(CType::Int {
                name: "unsigned char".to_owned(),
                bits: 8,
                signed: false,
                is_char: false,
            })
        } else {
            element
        };
        let size = self.types.size(element, bytes).max(1);
        let is_record = matches!(self.types.resolved(element), CType::Record { .. } | CType::Array { .. });
        let nameable = self.nameable(element);
        let has_pointers = nameable.is_some() && self.contains_pointer(element, 0);
        let most = match (raw, is_record && has_pointers) {
            _ if single => 1,
            (true, _) => 8 * options.array_length,
            (_, true) => 1,
            _ if is_record => options.array_length.min(4),
            _ => options.array_length,
        };
        let widest = match most {
            ..=1 => most,
            _ if size == 1 => LONGEST.saturating_mul(options.array_length),
            _ => LONGER.saturating_mul(most),
        };
        let number = self.next;
        self.next += 1;
        let memory = region.map(|r| self.cx.memory_of(r));
        let this = self.cx.object(number);
        let offset = self.cx.terms.bit_vec_sort(self.cx.shape.offset);
        let (count, total) = if most > 1 {
            let symbol = self.param(&format!("{name}.count"), offset);
            let count = self.cx.terms.var(symbol);
            let one = self.cx.offset(1);
            let low = self.cx.app(Op::BvUle, &[one, count]);
            self.assumptions.push(low);
            self.limits.push(Limit { count, most, widest });
            let size = self.cx.offset(size as i64);
            (Some(symbol), self.cx.app(Op::BvMul, &[count, size]))
        } else {
            (None, self.cx.offset(size as i64))
        };
        self.sizes.push((this, total));
        let index = self.objects.len();
        let place = memory.map(|m| (m.symbol, m.grain));
        let is_untyped = raw;
        self.elements.push(element);
        self.objects.push(InputObject {
            name: name.to_owned(),
            number,
            element: nameable.unwrap_or_else(|| self.types.bytes(size)),
            is_untyped,
            count,
            most,
            widest,
            memory: place,
        });
        self.regions.push(region);
        self.kept.extend(memory.map(|m| (m, this, u64::from(most) * size)));
        if let (Some(memory), Some(region)) = (memory, region) {
            self.end_text(element, memory, this, total);
            for e in 0..if has_pointers && !self.is_stream(element) { most } else { 0 } {
                let at = Pointer { object: this, offset: self.cx.offset(i64::from(e) * size as i64) };
                let name = if most > 1 { format!("{name}[{e}]") } else { name.to_owned() };
                let depth = depth + 1;
                let place = None;
                self.pieces.push_back(Piece {
                    name,
                    ty: element,
                    memory,
                    region,
                    at,
                    depth,
                    place,
                    others: vec![],
                    within: None,
                    beside: None,
                });
            }
        }
        Some(index)
    }

    /// Assumes that a string ends with a zero byte.
    fn end_text(&mut self, element: CTypeId, memory: Memory, object: TermId, bytes: TermId) {
        if !matches!(self.types.resolved(element), CType::Int { is_char: true, .. }) || memory.grain != 1 {
            return;
        }
        let one = self.cx.offset(1);
        let last = self.cx.app(Op::BvSub, &[bytes, one]);
        let map = self.cx.terms.var(memory.symbol);
        let byte = self.cx.app(Op::Select, &[map, object, last]);
        let zero = self.cx.bv(8, 0);
        let ends = self.cx.app(Op::Eq, &[byte, zero]);
        self.assumptions.push(ends);
    }

    /// Constrains the pointers in all pieces of memory, breadth first.
    fn describe(&mut self) {
        while let Some(piece) = self.pieces.pop_front() {
            self.contents(&piece);
        }
    }

    /// Assumes of all pointers in a piece of memory that they are null or point to an object of their own.
    fn contents(&mut self, piece: &Piece) {
        let bytes = u64::from(self.cx.shape.bits / 8);
        match self.types.resolved(piece.ty).clone() {
            CType::Pointer(to) if matches!(self.types.resolved(to), CType::Function { .. }) => {
                let functions = self.functions_of(to).to_vec();
                let one_of = self.leads_to(piece, functions, None);
                self.assumptions.push(one_of);
                self.bounded = true;
            }
            CType::Pointer(to) => self.link(piece, to),
            CType::Array { element, count } if self.contains_pointer(element, 0) => {
                let size = self.types.size(element, bytes);
                let options = &self.cx.options.harness;
                let (most, deepest) = (u64::from(options.array_length), options.depth);
                for i in 0..count.unwrap_or(0).min(64) {
                    let at = self.cx.add_bytes(piece.at, i * size);
                    let (name, place) = (format!("{}[{i}]", piece.name), piece.place.clone());
                    // What lies further on leads to no objects of its own.
                    let depth = if i < most { piece.depth } else { deepest };
                    let others = if i == 0 { piece.others.clone() } else { Vec::new() };
                    self.contents(&Piece {
                        name,
                        ty: element,
                        at,
                        place,
                        depth,
                        others,
                        within: None,
                        beside: None,
                        ..*piece
                    });
                }
            }
            CType::Record { .. } if self.is_list(piece.ty) => self.list(piece),
            CType::Record { fields, is_union: true, .. } if self.has_record_with_pointer(&fields) => {
                self.overlaid(piece, &fields);
            }
            CType::Record { fields, is_union, .. } => {
                let record = self.types.record_name(piece.ty).map(str::to_owned);
                let own = self.types.bare(piece.ty);
                let arrays = if is_union { Vec::new() } else { self.arrays(&fields) };
                let whole: Vec<CField> = fields
                    .into_iter()
                    .filter(|f| f.bit_field.is_none() && self.contains_pointer(f.ty, 0))
                    .collect();
                // The active member of a union is not known: a pointer in it is the first member that is one, and
                // leads to what that does or what the others do.
                let described = if is_union { 1 } else { whole.len() };
                let mut has_own = false;
                let mut others = piece.others.clone();
                others.extend(whole.iter().skip(described).filter_map(|f| self.pointee(f.ty)));
                if is_union && !whole.first().is_some_and(|f| self.starts_with_pointer(f.ty)) {
                    self.number_or_link(piece, &std::mem::take(&mut others));
                }
                for field in whole.iter().take(described) {
                    let at = self.cx.add_bytes(piece.at, field.offset_bits / 8);
                    let name = format!("{}.{}", piece.name, field.name);
                    let place = record.clone().map(|r| Spot::Field(r, field.offset_bits / 8));
                    let others = std::mem::take(&mut others);
                    let is_own = self.pointee(field.ty).is_some_and(|to| self.types.bare(to) == own);
                    let within = is_own.then_some(OwnLink { structure: piece.at, is_first: !has_own });
                    has_own |= is_own;
                    let pointee = self.pointee(field.ty).map(|to| self.types.bare(to));
                    let array = arrays.iter().find(|(element, _)| pointee == Some(*element));
                    let beside = array.map(|&(_, offset)| self.cx.add_bytes(piece.at, offset));
                    self.contents(&Piece { name, ty: field.ty, at, place, others, within, beside, ..*piece });
                }
            }
            _ => {}
        }
    }

    /// The members that are arrays: the types of their elements, and where they begin.
    fn arrays(&self, fields: &[CField]) -> Vec<(CTypeId, u64)> {
        let array = |field: &CField| match *self.types.resolved(field.ty) {
            CType::Array { element, .. } => Some((self.types.bare(element), field.offset_bits / 8)),
            _ => None,
        };
        fields.iter().filter_map(array).collect()
    }
}
