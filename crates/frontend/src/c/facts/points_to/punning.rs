//! Type punning: numbers that are stored where pointers are read, as through a union or by a copy of bytes.
//!
//! **Idea.** A pointer that is read where numbers are written may be a number, as one that a cast makes of an integer
//! (`numbers.rs`). Whether both are the same place is told by *words*: how many pointers would lie before it in the structure that
//! its address is computed with. A copy writes numbers where source and destination are different structures.
//!
//! Example: in `union { int *p; uintptr_t n; } u; u.n = 0x40000000; *u.p` both accesses are of word 0 of `u`, so `u.p` may be a
//! number. In `struct { char *text; size_t length; } s` the words are 0 and 1, so that `s.text` is none, whatever `s.length` is.
//!
//! An address of which no structure is seen may be that of any word of its region, if the program has a union with a pointer in it.
//! Where a union has structures as members, all structures are taken for one.
//!
//! **Direction of error.** Towards more numbers, where a region holds several objects. Missed are denormal numbers of 64 bits, and those that are put together from
//! parts narrower than a pointer through addresses of the parts alone, or by functions that are not in the program, and copies of one
//! type as another by functions of the program's own.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::c::lower::scalars::{Scalar, Step, gep_steps, leaves};
use crate::llvm::ast::{
    CastOp, Code, ConstId, ConstKind, Gep, InstKind, MdValue, Module, NamedType, NodeId, Operand, TypeId,
    TypeKind, Value,
};

use super::super::link::{FnRef, GlobalRef, Linked, Target};
use super::{PAGE, Region, Work, is_address};

/// Addresses that are computed in more steps than these are not followed to their start.
const MOST_STEPS: usize = 32;

/// What a place is counted in: a structure, by its name, or another type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Whole {
    /// The name as a number, without what tells types of one name apart.
    Structure(u64),
    /// An array that begins where the address does: a member of a union, or of a structure of which it is the first.
    Array,
    /// A variable of another type.
    Variable(TypeId),
    /// Any structure.
    Any,
}

/// Where an access may be: bytes of structures, first and last. None if no structure is seen.
type Places = Vec<(Whole, u64, u64)>;

/// The same, in words.
type Words = Vec<(Whole, u64, u64)>;

/// How much of a pointer a number makes up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Width {
    /// It is an integer as wide as one.
    Pointer,
    /// It is wider or narrower.
    Other,
}

/// Where numbers are written and pointers are read, by nodes of regions.
#[derive(Default)]
pub(super) struct Accesses {
    numbers: FxHashSet<(u32, Words, Width)>,
    pointers: FxHashSet<(u32, Words)>,
    /// Copies between different structures: from which nodes to which, with the words.
    copies: Vec<[(u32, Words); 2]>,
    unions: Unions,
}

/// What unions of the program have as members.
#[derive(Clone, Copy, Default)]
struct Unions {
    /// Pointers: the address of another member may be that of a pointer.
    pointers: bool,
    /// Structures: one may be accessed as another.
    structures: bool,
}

/// Where numbers are written in a region.
#[derive(Default)]
struct Written {
    /// Ranges of words, by their first.
    words: FxHashMap<Whole, BTreeMap<u64, u64>>,
    /// Whether any is an integer as wide as a pointer.
    wide: bool,
    /// Whether one is where no structure is seen.
    wide_anywhere: bool,
    /// Whether any is where no structure is seen.
    anywhere: bool,
    /// Whether memory is copied to it, and to where no structure is seen.
    copied: bool,
    copied_anywhere: bool,
}

impl Accesses {
    pub(super) fn of(linked: &Linked<'_>) -> Accesses {
        let mut accesses = Accesses::default();
        for module in linked.modules {
            accesses.unions.look_at(module);
        }
        accesses
    }
}

impl Written {
    fn add(&mut self, words: &Words, width: Width) {
        for &(whole, mut first, mut last) in words {
            let ranges = self.words.entry(whole).or_default();
            // Ranges that overlap become one.
            while let Some((&from, &to)) = ranges.range(..=last).next_back().filter(|&(_, &to)| to >= first) {
                ranges.remove(&from);
                (first, last) = (first.min(from), last.max(to));
            }
            ranges.insert(first, last);
        }
        self.wide |= width == Width::Pointer;
        self.wide_anywhere |= width == Width::Pointer && words.is_empty();
        self.anywhere |= words.is_empty();
    }

    /// Whether a number may be read as a pointer here. An object is accessed as what it is, so that what is an integer elsewhere is a
    /// pointer only where a union has both.
    fn may_be_at(&self, words: &Words, unions: Unions) -> bool {
        if words.is_empty() {
            return unions.pointers && self.wide || self.copied || self.overlaps((Whole::Array, 0, 0));
        }
        let is_part = self.copied_anywhere || unions.pointers && self.wide_anywhere;
        is_part || words.iter().any(|&words| self.overlaps(words))
    }

    /// Whether a copy from here may be one of numbers.
    fn may_be_copied_from(&self, words: &Words) -> bool {
        let is_part = if words.is_empty() { self.wide || self.anywhere } else { self.wide_anywhere };
        self.copied
            || is_part
            || words.iter().any(|&words| self.overlaps(words))
            || self.overlaps((Whole::Array, 0, 0))
    }

    fn overlaps(&self, (whole, first, last): (Whole, u64, u64)) -> bool {
        let before = self.words.get(&whole).and_then(|ranges| ranges.range(..=last).next_back());
        before.is_some_and(|(_, &to)| to >= first)
    }
}

impl Work<'_, '_> {
    /// Notes the numbers that a store writes.
    pub(super) fn numbers_written(&mut self, f: FnRef, code: &Code, to: Value, value: Operand) {
        if is_address(code, value.value) || !may_be_address(self.module(f), value) {
            return;
        }
        let Some(node) = self.value(f, to) else { return };
        let pointer = self.module(f).data_layout.pointer_bits();
        for (words, scalar) in self.parts(f, code, to, value.ty) {
            let width = match scalar {
                Scalar::Int(bits) if bits == pointer => Width::Pointer,
                // As addresses, such numbers lie where machines have none, unless they are denormal.
                Scalar::Float(64) if pointer == 64 => continue,
                Scalar::Int(_) | Scalar::Float(_) => Width::Other,
                Scalar::Bool | Scalar::Pointer => continue,
            };
            self.accesses.numbers.insert((node, words, width));
        }
    }

    /// Notes the pointers that a load reads.
    pub(super) fn pointers_read(&mut self, f: FnRef, code: &Code, from: Value, ty: TypeId) {
        let Some(node) = self.value(f, from) else { return };
        for (words, scalar) in self.parts(f, code, from, ty) {
            if scalar == Scalar::Pointer {
                self.accesses.pointers.insert((node, words));
            }
        }
    }

    /// Notes a copy of memory, of so many bytes if that is known.
    pub(super) fn copied(&mut self, f: FnRef, code: &Code, [to, from]: [Value; 2], bytes: Option<u64>) {
        let (Some(to_node), Some(from_node)) = (self.value(f, to), self.value(f, from)) else { return };
        let module = self.module(f);
        let (to, from) = (self.places(f, code, to), self.places(f, code, from));
        // A structure is assigned by a copy, too.
        if to.first() == from.first() && (!to.is_empty() || bytes.is_some()) {
            return;
        }
        let of = |places: &Places| in_words(module, places, 0, bytes.unwrap_or(1));
        let copy = [(from_node, of(&from)), (to_node, of(&to))];
        self.accesses.copies.push(copy);
    }

    /// Notes the bytes that are written by filling memory, so many if that is known.
    pub(super) fn filled(&mut self, f: FnRef, code: &Code, to: Value, byte: Value, bytes: Option<u64>) {
        let module = self.module(f);
        // Nothing is on the first and the last page.
        if let Value::Const(c) = byte
            && let ConstKind::Int(0 | -1 | 255) | ConstKind::Zero = module.constant(c).kind
        {
            return;
        }
        let words = in_words(module, &self.places(f, code, to), 0, bytes.unwrap_or(1));
        if let Some(node) = self.value(f, to) {
            self.accesses.numbers.insert((node, words, Width::Other));
        }
    }

    /// The parts of an access, and at which words they may be.
    fn parts(&self, f: FnRef, code: &Code, address: Value, ty: TypeId) -> Vec<(Words, Scalar)> {
        let module = self.module(f);
        let places = self.places(f, code, address);
        let leaves = leaves(module, ty).unwrap_or_default();
        leaves
            .into_iter()
            .map(|leaf| (in_words(module, &places, leaf.offset, leaf.size), leaf.scalar))
            .collect()
    }

    /// Notes the numbers that a part of a variable is initialised with, and where it is in all that is around it.
    pub(super) fn initial_numbers(&mut self, g: GlobalRef, node: u32, c: ConstId, ty: TypeId) {
        let module = &self.linked.modules[g.module as usize];
        let start: Places = self.whole(module, ty).map(|whole| (whole, 0, 0)).into_iter().collect();
        let mut todo = vec![(c, ty, start)];
        let bits = module.data_layout.pointer_bits();
        while let Some((c, ty, around)) = todo.pop() {
            match &module.constant(c).kind {
                ConstKind::Aggregate(parts) if around.len() < MOST_STEPS => {
                    for (i, &part) in parts.iter().enumerate() {
                        let Some((inner, offset)) = element(module, ty, i) else { continue };
                        let mut around = around.clone();
                        around
                            .iter_mut()
                            .for_each(|(_, first, last)| (*first, *last) = (*first + offset, *last + offset));
                        if let (TypeKind::Struct { .. }, Some(whole)) =
                            (module.types.resolved(inner), self.whole(module, inner))
                        {
                            around.push((whole, 0, 0));
                        }
                        todo.push((part, inner, around));
                    }
                }
                ConstKind::Int(_) | ConstKind::BigInt(_) | ConstKind::Float(_)
                    if may_be_address(module, Operand { ty, value: Value::Const(c) }) =>
                {
                    let size = module.layouts.get(ty).map_or(1, |l| l.store_size);
                    let words = in_words(module, &around, 0, size);
                    let is_wide = module.types.int_bits(ty) == Some(bits);
                    let width = if is_wide { Width::Pointer } else { Width::Other };
                    self.accesses.numbers.insert((node, words, width));
                }
                _ => {}
            }
        }
    }

    /// Marks the regions into which those pointers lead that may be numbers.
    pub(super) fn punned(&mut self) {
        let accesses = std::mem::take(&mut self.accesses);
        let mut written: FxHashMap<u32, Written> = FxHashMap::default();
        for (node, words, width) in &accesses.numbers {
            written.entry(self.regions.root(*node)).or_default().add(words, *width);
        }
        let targets: FxHashSet<u32> =
            accesses.copies.iter().map(|[_, (to, _)]| self.regions.root(*to)).collect();
        for [(from, read), (to, words)] in &accesses.copies {
            let (from, to) = (self.regions.root(*from), self.regions.root(*to));
            let has_numbers = written.get(&from).is_some_and(|written| written.may_be_copied_from(read));
            if (has_numbers || from != to && targets.contains(&from)) && !(from == to && words.is_empty()) {
                let written = written.entry(to).or_default();
                written.add(words, Width::Other);
                written.copied = true;
                written.copied_anywhere |= words.is_empty();
            }
        }
        for (node, words) in &accesses.pointers {
            let is_number = written
                .get(&self.regions.root(*node))
                .is_some_and(|written| written.may_be_at(words, accesses.unions));
            if let (true, Some(content)) = (is_number, self.regions.content(Region(*node))) {
                self.regions.node(content.0).numbered = true;
            }
        }
    }

    /// What a place in a value of this type is counted in. `None` of arrays, of which only the elements matter.
    fn whole(&self, module: &Module, ty: TypeId) -> Option<Whole> {
        match module.types.resolved(ty) {
            TypeKind::Struct { .. } if self.accesses.unions.structures => Some(Whole::Any),
            TypeKind::Struct { .. } => Some(Whole::Structure(name(module, ty))),
            TypeKind::Array(..) => None,
            _ => Some(Whole::Variable(ty)),
        }
    }

    /// The bytes at which an address may be in each structure that it is computed with.
    fn places(&self, f: FnRef, code: &Code, address: Value) -> Places {
        let module = self.module(f);
        let mut places = Places::new();
        let (mut first, mut last) = (0, 0);
        // The array that the address is in, if nothing that it is a part of is seen.
        let mut array = None;
        let mut at = address;
        for _ in 0..MOST_STEPS {
            let inst = match at {
                Value::Local(_) => code.definition(at).map(|inst| &inst.kind),
                Value::Const(c) => match &module.constant(c).kind {
                    ConstKind::Expr(inst) => Some(&**inst),
                    _ => None,
                },
            };
            let gep = match inst {
                Some(InstKind::Gep(gep)) => gep,
                Some(InstKind::Cast { op: CastOp::Bitcast, value, .. }) => {
                    at = value.value;
                    continue;
                }
                Some(InstKind::Alloca { ty, .. }) => {
                    places.extend(self.whole(module, *ty).map(|whole| (whole, first, last)));
                    return places;
                }
                _ => break,
            };
            let inner = indexed(module, gep);
            if let TypeKind::Struct { .. } = module.types.resolved(inner)
                && let Some(place) = self.whole(module, inner).map(|whole| (whole, first, last))
                && places.last() != Some(&place)
            {
                places.push(place);
            }
            at = gep.base.value;
            (first, last) = match gep_steps(module, gep).as_deref() {
                Some(&[Step::Constant(bytes)]) => {
                    let moved = |byte: u64| byte.saturating_add_signed(bytes);
                    (moved(first), moved(last))
                }
                // It may be any element.
                _ => (0, module.layouts.size(gep.source).unwrap_or(0).saturating_sub(1)),
            };
            array = None;
            if !gep.indices.first().is_some_and(|index| module.is_zero(index.value)) {
                continue;
            }
            match module.types.resolved(gep.source) {
                TypeKind::Struct { .. } => {
                    places.extend(self.whole(module, gep.source).map(|whole| (whole, first, last)));
                }
                TypeKind::Array(..) => array = Some((first, last)),
                _ => {}
            }
        }
        if let Value::Const(c) = at
            && let ConstKind::Global(name) = module.constant(c).kind
            && let Some(Target::Global(g)) = self.linked.resolve(f.module, name)
        {
            let (module, ty) = (&self.linked.modules[g.module as usize], self.linked.global(g).ty);
            places.extend(self.whole(module, ty).map(|whole| (whole, first, last)));
            return places;
        }
        let whole = if self.accesses.unions.structures { Whole::Any } else { Whole::Array };
        places.extend(array.map(|(first, last)| (whole, first, last)));
        places
    }
}

/// The name of a structure as a number, without the numbers that tell types of one name apart, and types without a name.
fn name(module: &Module, ty: TypeId) -> u64 {
    let text = match module.types.kind(ty) {
        TypeKind::Named(named) => module.text(module.types.named(*named).name),
        _ => "",
    };
    let plain = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut hasher = FxHasher::default();
    plain.strip_suffix('.').unwrap_or(text).hash(&mut hasher);
    hasher.finish()
}

/// The type of what a computed address is the address of.
fn indexed(module: &Module, gep: &Gep) -> TypeId {
    gep.indices.iter().skip(1).fold(gep.source, |ty, index| {
        let i = match index.value {
            Value::Const(c) => match module.constant(c).kind {
                ConstKind::Int(i) => usize::try_from(i).unwrap_or(0),
                _ => 0,
            },
            Value::Local(_) => 0,
        };
        element(module, ty, i).map_or(ty, |(element, _)| element)
    })
}

/// The type of an element of an aggregate, and at which byte it is.
fn element(module: &Module, ty: TypeId, i: usize) -> Option<(TypeId, u64)> {
    match module.types.resolved(ty) {
        TypeKind::Struct { fields, .. } => Some((*fields.get(i)?, *module.layouts.get(ty)?.offsets.get(i)?)),
        TypeKind::Array(_, element) | TypeKind::Vector { element, .. } => {
            Some((*element, i as u64 * module.layouts.size(*element)?))
        }
        _ => None,
    }
}

/// The words of so many bytes at an offset from places.
fn in_words(module: &Module, places: &Places, offset: u64, bytes: u64) -> Words {
    let width = u64::from(module.data_layout.pointer_bits() / 8).max(1);
    let end = offset + bytes.max(1) - 1;
    places
        .iter()
        .map(|&(whole, first, last)| (whole, (first + offset) / width, (last + end) / width))
        .collect()
}

/// Whether a number that is written may be an address at which there is something.
fn may_be_address(module: &Module, value: Operand) -> bool {
    let Value::Const(c) = value.value else { return true };
    match module.constant(c).kind {
        ConstKind::Int(number) => number.unsigned_abs() > PAGE,
        ConstKind::Zero | ConstKind::Undef | ConstKind::Poison | ConstKind::Null => false,
        _ => true,
    }
}

impl Unions {
    /// Looks at the unions of a module. Without debug information their members are not known.
    fn look_at(&mut self, module: &Module) {
        let mut is_described = false;
        for (_, node) in module.metadata.nodes() {
            let view = node.with(&module.names);
            is_described |= view.kind() == "DISubprogram";
            let Some(elements) =
                view.node("elements").filter(|_| view.word("tag") == Some("DW_TAG_union_type"))
            else {
                continue;
            };
            for field in &module.node(elements).fields {
                let MdValue::Node(member) = field.value else { continue };
                match tag(module, member) {
                    Some("DW_TAG_pointer_type") => self.pointers = true,
                    Some("DW_TAG_structure_type") => *self = Unions { pointers: true, structures: true },
                    _ => {}
                }
            }
        }
        let is_union = |named: &NamedType| module.text(named.name).starts_with("union.");
        if !is_described && module.types.all_named().iter().any(is_union) {
            *self = Unions { pointers: true, structures: true };
        }
    }
}

/// What kind of type a member has, behind the names of types and in arrays.
fn tag(module: &Module, mut node: NodeId) -> Option<&str> {
    for _ in 0..64 {
        let view = module.node(node).with(&module.names);
        let tag = view.word("tag")?;
        let is_described = matches!(tag, "DW_TAG_pointer_type" | "DW_TAG_structure_type");
        match view.node("baseType").filter(|_| !is_described) {
            Some(base) => node = base,
            None => return Some(tag),
        }
    }
    None
}
