//! Harness inputs for variadic functions: the variable arguments that a function is called with.
//!
//! They lie in one object, laid out as a caller's would be (`varargs.rs`): [`COUNT`] integers or addresses of
//! strings, and floating-point numbers in all registers that are left for them.
//!
//! **Direction of error.** Runs that read more arguments are left out (`Lowering::assume_passed`), and so are
//! addresses of anything but strings.

use super::super::facts::link::FnRef;
use super::super::facts::points_to::Region;
use super::super::lower::context::Pointer;
use super::super::lower::varargs::{NUMBERS, Passed, REGISTERS};
use super::super::source::c_types::{CField, CType, CTypeId};
use super::{Builder, InputArguments, InputObject, Piece};
use crate::llvm::ast::InstKind;
use footpath_term::{Op, TermId};

/// Whole numbers and addresses that a test passes; `FOOTPATH_ZEROS` of `footpath_test.h` are as many.
const COUNT: u32 = 8;
/// Of these the first so many may be addresses.
const ADDRESSES: usize = 4;

impl Builder<'_, '_, '_> {
    /// Makes the object with the variable arguments of a function.
    pub(super) fn variable_arguments(&mut self, f: FnRef) -> Result<InputArguments, String> {
        let passed = self.cx.passed(f, COUNT).map_err(|unsupported| unsupported.0)?;
        let number = self.cx.passed_object();
        let (object, size) = (self.cx.object(number), self.cx.offset(passed.size as i64));
        self.sizes.push((object, size));
        self.bounded = true;
        let region = self.cx.regions.list(f);
        let memory = region.map(|r| self.cx.memory_of(r));
        self.kept.extend(memory.map(|m| (m, object, passed.size)));
        self.addresses("argument", object, region, &passed.general);
        let object = InputObject {
            name: "arguments".to_owned(),
            number,
            element: self.as_structure(&passed),
            is_untyped: false,
            count: None,
            most: 1,
            widest: 1,
            memory: memory.map(|m| (m.symbol, m.grain)),
        };
        Ok(InputArguments { object, general: passed.general, numbers: passed.numbers })
    }

    /// Whether a type is that of lists of variable arguments.
    pub(super) fn is_list(&self, ty: CTypeId) -> bool {
        self.types.record_name(ty) == Some("__va_list_tag")
    }

    /// A list of variable arguments: it is at some register, or past them, and knows where registers and the rest are.
    pub(super) fn list(&mut self, piece: &Piece) {
        let word = u64::from(self.cx.shape.bits / 8);
        let [registers, rest] = match self.areas {
            // Copies of one list.
            Some(areas) => areas,
            None => {
                let content = self.cx.regions.content(piece.region);
                // The one before them is for arguments that the function itself gets.
                let first = self.cx.passed_object() + 1;
                let registers = self.area(&format!("{}.registers", piece.name), first, REGISTERS, content);
                let rest = u64::from(COUNT) * word;
                [registers, self.area(&format!("{}.rest", piece.name), first + 1, rest, content)]
            }
        };
        self.areas = Some([registers, rest]);
        for (object, place) in [(rest, 8), (registers, 16)] {
            let at = self.cx.add_bytes(piece.at, place);
            let leads = self.read(piece, at, word);
            let there = Pointer { object, offset: self.cx.offset(0) };
            let there = self.cx.pack(there);
            self.assumptions.push(self.cx.app(Op::Eq, &[leads, there]));
        }
        let offsets = self.read(piece, piece.at, 8);
        for (low, least, most) in [(0, 0, NUMBERS), (32, NUMBERS, REGISTERS)] {
            let offset = self.cx.app(Op::Extract(low + 31, low), &[offsets]);
            let (least, most) = (self.cx.bv(32, least as i64), self.cx.bv(32, most as i64));
            self.assumptions.push(self.cx.app(Op::BvUle, &[least, offset]));
            self.assumptions.push(self.cx.app(Op::BvUle, &[offset, most]));
            let low = self.cx.app(Op::Extract(2, 0), &[offset]);
            let zero = self.cx.bv(3, 0);
            self.assumptions.push(self.cx.app(Op::Eq, &[low, zero]));
        }
    }

    /// An object with arguments, some of which may be addresses of text.
    fn area(&mut self, name: &str, number: u32, size: u64, region: Option<Region>) -> TermId {
        let (object, bytes) = (self.cx.object(number), self.cx.offset(size as i64));
        self.sizes.push((object, bytes));
        let memory = region.map(|r| self.cx.memory_of(r));
        self.kept.extend(memory.map(|m| (m, object, size)));
        let word = u64::from(self.cx.shape.bits / 8);
        let void = self.types.add(CType::Void);
        let address = self.types.add(CType::Pointer(void));
        let element = self.types.add(CType::Array { element: address, count: Some(size / word) });
        let place = memory.map(|m| (m.symbol, m.grain));
        self.elements.push(element);
        self.objects.push(InputObject {
            name: name.to_owned(),
            number,
            element,
            is_untyped: false,
            count: None,
            most: 1,
            widest: 1,
            memory: place,
        });
        self.regions.push(region);
        let slots: Vec<u64> = (0..size / word).map(|i| i * word).collect();
        self.addresses(name, object, region, &slots);
        object
    }

    fn read(&mut self, piece: &Piece, at: Pointer, bytes: u64) -> TermId {
        let map = self.cx.terms.var(piece.memory.symbol);
        self.cx.read_bytes(map, piece.memory.grain, at, bytes)
    }

    /// Assumes that the first words of an object are numbers or addresses of strings.
    fn addresses(&mut self, name: &str, object: TermId, region: Option<Region>, slots: &[u64]) {
        let Some(region) = region.filter(|&r| self.holds_addresses(r)) else { return };
        let (memory, ty) = (self.cx.memory_of(region), self.text());
        for (i, &at) in slots.iter().take(ADDRESSES).enumerate() {
            let at = Pointer { object, offset: self.cx.offset(at as i64) };
            let name = format!("{name}_{}", i + 1);
            let piece = Piece {
                name,
                ty,
                memory,
                region,
                at,
                depth: 1,
                place: None,
                others: Vec::new(),
                within: None,
                beside: None,
            };
            self.number_or_link(&piece, &[ty]);
        }
    }

    /// Whether an address is read anywhere in a region.
    fn holds_addresses(&self, region: Region) -> bool {
        let linked = self.cx.linked;
        linked.functions().any(|(f, function)| {
            let types = &self.cx.module(f.module).types;
            function.body.code().into_iter().flat_map(|code| &code.insts).any(|inst| match &inst.kind {
                InstKind::Load(load) => {
                    types.is_pointer(load.ty)
                        && self.cx.regions.operand(linked, f, load.pointer.value) == Some(region)
                }
                _ => false,
            })
        })
    }

    /// The type of characters.
    fn text(&mut self) -> CTypeId {
        self.types.add(CType::Int { name: "char".to_owned(), bits: 8, signed: true, is_char: true })
    }

    /// The arguments as members of a structure, which gives them names.
    fn as_structure(&mut self, passed: &Passed) -> CTypeId {
        let bits = self.cx.shape.bits;
        let word = self.types.add(CType::Int { name: "long".to_owned(), bits, signed: true, is_char: false });
        let number = self.types.add(CType::Float { name: "double".to_owned(), bits: 64 });
        let member = |kind: &str, ty, (i, at): (usize, &u64)| CField {
            name: format!("{kind}_{}", i + 1),
            ty,
            offset_bits: 8 * at,
            bit_field: None,
        };
        let words = passed.general.iter().enumerate().map(|it| member("long", word, it));
        let numbers = passed.numbers.iter().enumerate().map(|it| member("double", number, it));
        let mut fields: Vec<CField> = words.chain(numbers).collect();
        fields.sort_by_key(|f| f.offset_bits);
        self.types.add(CType::Record { tag: None, is_union: false, fields, size: passed.size })
    }
}
