//! Global variables of a harness: those that a function and its callees mention are inputs if something changes them
//! and a test can set them; the others have their initial values.
//!
//! Example: for `int f(void) { return mode > limit; }` with `int mode;`, which other functions set, and `const int
//! limit = 3;`, `mode` is an input and `limit` is 3.
//!
//! **Direction of error.** A static variable of another file that earlier calls may have changed has its initial
//! value here, so inputs that need another value are missing; such variables are listed in `Harness::frozen`.

use std::collections::BTreeMap;

use footpath_ir::{Statement, StatementKind};
use footpath_term::{Op, Value};

use super::super::facts::escape::Changes;
use super::super::facts::link::{GlobalRef, Target};
use super::super::facts::opaque_types::Spot;
use super::super::lower::initial_values::{INITIALISER_BYTES, Wanted};
use super::super::source::c_types::{CType, CTypeId};
use super::super::source::library_models::{ERRNO, ERRNO_LOCATION};
use super::{Builder, InputObject, Piece, Setting, SettingValue};
use crate::c::lower::context::{Memory, Pointer};
use crate::llvm::ast::{ConstId, MdValue, Module, NodeId};

/// The variables in which the C library keeps its streams.
pub(in super::super) const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];
/// The size of a stream of glibc on 64 bits; its contents are never accessed.
const STREAM_BYTES: i64 = 216;

impl Builder<'_, '_, '_> {
    /// A variable as an input, if it is one.
    pub(super) fn setting(&mut self, g: GlobalRef) -> Option<Setting> {
        let global = self.cx.linked.global(g);
        let name = self.cx.linked.global_name(g).to_owned();
        if global.init.is_none() && !global.is_constant && !self.cx.options.library.contains(&name) {
            return self.foreign(g, name);
        }
        if name == ERRNO {
            return self.errno(g);
        }
        // What a test cannot name it cannot set: what is another file's own, or a model's.
        let is_elsewhere = g.module != self.module && global.linkage.is_local();
        if is_elsewhere || g.module as usize >= self.cx.options.user_modules {
            return None;
        }
        if global.is_constant || global.init.is_none() || !self.is_changed(g) {
            return None;
        }
        let is_static = name.contains('.');
        if is_static && !self.can_declare(g) {
            return None;
        }
        let is_foreign = !is_static && !self.is_named(g, &name);
        let symbol = (is_static || is_foreign).then_some(name);
        let (name, mut ty) = self.declared(g)?;
        if is_foreign {
            // Names of types may be unknown there, too.
            ty = self.types.bare(ty);
            if !matches!(self.types.get(ty), CType::Int { .. } | CType::Bool | CType::Float { .. }) {
                return None;
            }
        }
        if let Some(symbols) = self.cx.scalars.get(&g).cloned() {
            if let Some(pointee) = self.pointee(ty) {
                let content = self.cx.regions.global(g).and_then(|r| self.cx.regions.content(r));
                let pointee = self.used_as(pointee, Some(&Spot::Global(g)));
                let object = self.object(&name, pointee, content, 0);
                let (at, offset) = (self.cx.terms.var(symbols[0]), self.cx.terms.var(symbols[1]));
                let zero = self.cx.offset(0);
                let start = self.cx.app(Op::Eq, &[offset, zero]);
                let null = self.cx.object(0);
                let mut targets = self.functions_of(pointee).to_vec();
                targets.extend(object.map(|index| self.objects[index].number));
                let first = global.init.and_then(|init| self.cx.constant(g.module, init).ok());
                let first = first.and_then(|value| match value[..] {
                    [object, offset] => self.place_of(Pointer { object, offset }),
                    _ => None,
                });
                let first = first.filter(|&(_, offset)| offset == 0).map(|(number, _)| number);
                targets.extend(
                    first.filter(|first| !targets.contains(first) && self.names().contains_key(first)),
                );
                let mut valid = vec![self.cx.app(Op::Eq, &[at, null])];
                for &number in &targets {
                    let number = self.cx.object(number);
                    valid.push(self.cx.app(Op::Eq, &[at, number]));
                }
                let valid = self.cx.app(Op::Or, &valid);
                self.assumptions.extend([valid, start]);
                return Some(Setting { name, symbol, ty, value: SettingValue::Variables(symbols), targets });
            } else {
                let value = self.cx.terms.var(symbols[0]);
                self.limit_width(ty, value);
            }
            let targets = Vec::new();
            return Some(Setting { name, symbol, ty, value: SettingValue::Variables(symbols), targets });
        }
        let number = *self.cx.objects.get(&Target::Global(g))?;
        let region = self.cx.regions.global(g);
        let memory = region.map(|r| self.cx.memory_of(r));
        if let (Some(memory), Some(region)) = (memory, region) {
            if let Some(init) = global.init.filter(|_| self.contains_pointer(ty, 0)) {
                self.note_initial(g, init, (number, memory));
            }
            let at = self.cx.pointer(number, 0);
            let (name, place) = (name.clone(), Some(Spot::Global(g)));
            self.pieces.push_back(Piece {
                name,
                ty,
                memory,
                region,
                at,
                depth: 0,
                place,
                others: vec![],
                within: None,
                beside: None,
            });
        }
        let memory = memory.map(|m| (m.symbol, m.grain));
        let targets = Vec::new();
        Some(Setting { name, symbol, ty, value: SettingValue::Memory { number, memory }, targets })
    }

    /// Notes the initial value of a variable in memory.
    fn note_initial(&mut self, g: GlobalRef, init: ConstId, (number, memory): (u32, Memory)) {
        let mut bytes = BTreeMap::new();
        for (cell, value) in self.cx.initial_cells(g, init, memory, Wanted::NonZero).unwrap_or_default() {
            if let Some(value) = self.cx.terms.literal(value).and_then(Value::as_u64) {
                bytes.extend((0..memory.grain.min(8)).map(|i| (cell + i, (value >> (8 * i)) as u8)));
            }
        }
        self.initial.insert(number, bytes);
    }

    /// What a pointer in a variable leads to in the beginning, if it is something that a test can name. Others may have set it
    /// to anything, but what works is often only this, as in `struct hooks hooks = {malloc, free};`.
    pub(super) fn initial_target(&mut self, at: Pointer) -> Option<u32> {
        let (number, offset) = self.place_of(at)?;
        let bytes = self.initial.get(&number)?;
        let size = u64::from(self.cx.shape.bits / 8);
        let packed = (0..size).fold(0, |packed, i| {
            packed | u64::from(bytes.get(&(offset + i)).copied().unwrap_or(0)) << (8 * i)
        });
        let bits = self.cx.shape.packed_offset();
        let target = u32::try_from(packed >> bits).ok().filter(|&t| t > 0 && packed << (64 - bits) == 0)?;
        self.names().contains_key(&target).then_some(target)
    }

    /// `errno` as an input, if the function or its callees read it.
    fn errno(&mut self, g: GlobalRef) -> Option<Setting> {
        let own = self.cx.options.user_modules;
        let asks = self.running.iter().filter(|f| (f.module as usize) < own).any(|f| {
            let mentions = self.cx.shared.mentions.get(f);
            mentions.is_some_and(|m| {
                m.functions.iter().any(|&callee| self.cx.linked.function_name(callee) == ERRNO_LOCATION)
            })
        });
        let &number = self.cx.objects.get(&Target::Global(g)).filter(|_| asks)?;
        let memory = self.cx.regions.global(g).map(|r| self.cx.memory_of(r)).map(|m| (m.symbol, m.grain));
        let ty = self.int();
        Some(Setting {
            name: "errno".to_owned(),
            symbol: None,
            ty,
            value: SettingValue::Memory { number, memory },
            targets: Vec::new(),
        })
    }

    fn int(&mut self) -> CTypeId {
        self.types.add(CType::Int { name: "int".to_owned(), bits: 32, signed: true, is_char: false })
    }

    fn is_changed(&mut self, g: GlobalRef) -> bool {
        Changes::of(self.cx).contains(self.cx, g)
    }

    /// Notes a variable that has its initial value although earlier calls may have changed it.
    pub(super) fn freeze(&mut self, g: GlobalRef) {
        let name = self.cx.linked.global_name(g);
        if self.cx.linked.global(g).init.is_some() && name != ERRNO && self.is_changed(g) {
            let is_of_a_model = g.module as usize >= self.cx.options.user_modules;
            let name = match self.declared(g) {
                _ if is_of_a_model => "variables of the C library".to_owned(),
                Some((name, _)) => name,
                None => name.to_owned(),
            };
            if !self.frozen.contains(&name) {
                self.frozen.push(name);
            }
        }
    }

    /// The name that the source has for a variable, `f::x` for one of a function, and its type there.
    fn declared(&mut self, g: GlobalRef) -> Option<(String, CTypeId)> {
        let module = self.cx.module(g.module);
        let variable = module.node(self.cx.linked.variable(g)?).with(&module.names);
        let name = variable.string("name")?;
        let name = match self.cx.linked.global_name(g).split_once('.') {
            Some((function, _)) => format!("{function}::{name}"),
            None => name.to_owned(),
        };
        let ty = variable.node("type")?;
        Some((name, self.types.read(g.module, module, Some(ty))))
    }

    /// Whether the source that tests include may name a variable.
    fn is_named(&self, g: GlobalRef, name: &str) -> bool {
        let words = self.cx.options.words.get(self.module as usize).filter(|words| !words.is_empty());
        g.module == self.module || words.is_none_or(|words| words.contains(name))
    }

    /// Whether a test can declare a static variable of a function: its type has a name outside the function.
    fn can_declare(&self, g: GlobalRef) -> bool {
        let module = self.cx.module(g.module);
        let ty = self.cx.linked.variable(g).and_then(|v| module.node(v).with(&module.names).node("type"));
        ty.is_some_and(|ty| is_of_file(module, ty))
    }

    /// A variable in memory that is no input, with its name in the source; `None` if the function's file cannot name
    /// it.
    pub(super) fn table(&mut self, g: GlobalRef) -> Option<InputObject> {
        if g.module != self.module && self.cx.linked.global(g).linkage.is_local() {
            return None;
        }
        let &number = self.cx.objects.get(&Target::Global(g))?;
        let memory = self.cx.regions.global(g).map(|region| self.cx.memory_of(region))?;
        let (name, element) = self.declared(g)?;
        Some(InputObject {
            name,
            number,
            element,
            is_untyped: false,
            count: None,
            most: 1,
            widest: 1,
            memory: Some((memory.symbol, memory.grain)),
        })
    }

    /// The streams of the C library, each with an object of its own, whose contents are never accessed.
    pub(super) fn streams(&mut self, globals: &[GlobalRef]) -> Vec<(GlobalRef, u32)> {
        let mut streams = Vec::new();
        for &g in globals {
            let name = self.cx.linked.global_name(g);
            let is_stream = self.cx.linked.global(g).init.is_none() && STREAMS.contains(&name);
            if is_stream && self.cx.options.library.contains(name) {
                streams.push((g, self.next));
                let (object, size) = (self.cx.object(self.next), self.cx.offset(STREAM_BYTES));
                self.sizes.push((object, size));
                self.next += 1;
            }
        }
        streams
    }

    /// Makes the variables `stdin`, `stdout` and `stderr` point to the streams.
    pub(super) fn give_streams(&mut self, streams: &[(GlobalRef, u32)], statements: &mut Vec<Statement>) {
        for &(g, stream) in streams {
            let (Some(&number), Some(region)) =
                (self.cx.objects.get(&Target::Global(g)), self.cx.regions.global(g))
            else {
                continue;
            };
            let memory = self.cx.memory_of(region);
            let (at, to) = (self.cx.pointer(number, 0), self.cx.pointer(stream, 0));
            let bits = self.cx.pack(to);
            let map = self.cx.terms.var(memory.symbol);
            let map = self.cx.write_bytes(map, memory.grain, at, bits);
            statements.push(Statement::new(StatementKind::Assign(vec![(memory.symbol, map)]), self.span));
        }
    }

    /// A number that no file defines: tests define it.
    fn foreign(&mut self, g: GlobalRef, name: String) -> Option<Setting> {
        let symbols = self.cx.scalars.get(&g).cloned().filter(|s| s.len() == 1)?;
        let bits = self.cx.module(g.module).types.int_bits(self.cx.linked.global(g).ty)?;
        let ty = CType::Int { name: "int".to_owned(), bits, signed: true, is_char: false };
        let ty = self.types.add(ty);
        Some(Setting { name, symbol: None, ty, value: SettingValue::Variables(symbols), targets: Vec::new() })
    }

    /// Sets a variable that no file defines to zeros, as tests do.
    fn zero(&mut self, g: GlobalRef, statements: &mut Vec<Statement>) {
        if let Some(symbols) = self.cx.scalars.get(&g).cloned() {
            let mut pairs = Vec::new();
            for symbol in symbols {
                let zero = match self.cx.terms.sort_of(self.cx.terms.symbol(symbol).sort) {
                    footpath_term::Sort::BitVec(width) => {
                        let width = *width;
                        self.cx.bv(width, 0)
                    }
                    footpath_term::Sort::Bool => self.cx.terms.bool(false),
                    _ => return,
                };
                pairs.push((symbol, zero));
            }
            statements.push(Statement::new(StatementKind::Assign(pairs), self.span));
            return;
        }
        let (Some(&number), Some(region)) =
            (self.cx.objects.get(&Target::Global(g)), self.cx.regions.global(g))
        else {
            return;
        };
        let memory = self.cx.memory_of(region);
        let bytes = self.cx.global_size(g);
        if bytes > INITIALISER_BYTES as u64 {
            return;
        }
        let mut map = self.cx.terms.var(memory.symbol);
        let zero = self.cx.bv(8 * memory.grain as u32, 0);
        for cell in 0..bytes.div_ceil(memory.grain) {
            let p = self.cx.pointer(number, (cell * memory.grain) as i64);
            map = self.cx.app(Op::Store, &[map, p.object, p.offset, zero]);
        }
        statements.push(Statement::new(StatementKind::Assign(vec![(memory.symbol, map)]), self.span));
    }

    /// Gives a variable its initial value, as far as that is known.
    pub(super) fn initialise(&mut self, g: GlobalRef, statements: &mut Vec<Statement>) {
        let global = self.cx.linked.global(g);
        let Some(init) = global.init else {
            if !self.cx.options.library.contains(self.cx.linked.global_name(g)) {
                self.zero(g, statements);
                self.bounded = true;
            }
            return;
        };
        let kind = match self.cx.shared.initial.get(&(g, self.sparse)) {
            Some(known) => known.clone(),
            None => {
                let kind = self.initial(g, init);
                self.cx.shared.initial.insert((g, self.sparse), kind.clone());
                kind
            }
        };
        statements.extend(kind.map(|kind| Statement::new(kind, self.span)));
    }

    /// The statement that gives a variable its initial value, as far as that is known.
    fn initial(&mut self, g: GlobalRef, init: ConstId) -> Option<StatementKind> {
        if let Some(symbols) = self.cx.scalars.get(&g).cloned() {
            let value = self.cx.constant(g.module, init).ok()?;
            return Some(StatementKind::Assign(symbols.into_iter().zip(value).collect()));
        }
        let (&number, region) = (self.cx.objects.get(&Target::Global(g))?, self.cx.regions.global(g)?);
        let memory = self.cx.memory_of(region);
        let wanted = if self.sparse { Wanted::NonZero } else { Wanted::All };
        let mut map = self.cx.terms.var(memory.symbol);
        for (cell, value) in self.cx.initial_cells(g, init, memory, wanted)? {
            let p = self.cx.pointer(number, cell as i64);
            map = self.cx.app(Op::Store, &[map, p.object, p.offset, value]);
        }
        Some(StatementKind::Assign(vec![(memory.symbol, map)]))
    }
}

/// Whether a type can be written at file scope, outside any function.
fn is_of_file(module: &Module, ty: NodeId) -> bool {
    let view = module.node(ty).with(&module.names);
    let scope = view.node("scope").map(|scope| module.node(scope).with(&module.names).kind());
    let is_outside = !matches!(scope, Some("DISubprogram" | "DILexicalBlock" | "DILexicalBlockFile"));
    let parts_are = || {
        let fields = view.node("types").map(|list| module.node(list).fields.iter());
        fields.into_iter().flatten().all(|field| match &field.value {
            MdValue::Node(part) => is_of_file(module, *part),
            _ => true,
        })
    };
    match (view.kind(), view.word("tag")) {
        ("DIBasicType", _) => true,
        ("DIDerivedType", Some("DW_TAG_typedef")) => is_outside,
        ("DIDerivedType", _) | ("DICompositeType", Some("DW_TAG_array_type")) => {
            view.node("baseType").is_none_or(|of| is_of_file(module, of))
        }
        ("DICompositeType", _) => is_outside && view.string("name").is_some_and(|name| !name.is_empty()),
        ("DISubroutineType", _) => parts_are(),
        _ => false,
    }
}
