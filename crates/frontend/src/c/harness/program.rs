//! The harness of a whole program: `main` gets command-line arguments, and variables have their initial values.
//!
//! There are 1 to [`HarnessOptions::arguments`](super::HarnessOptions::arguments) arguments, each a string of its
//! own; after the last one there is a null pointer, as the C standard says (5.1.2.2.1). The environment is empty.
//!
//! **Direction of error.** Uninitialised memory is zero here. That is so in most runs of a real program, but no rule
//! guarantees it: what is never executed here may be executed there.

use footpath_ir::{Statement, StatementKind};
use footpath_term::{Op, SortId, SymbolId, TermId};

use super::super::facts::link::FnRef;
use super::super::facts::points_to::Region;
use super::super::lower::context::Memory;
use super::super::source::c_types::CTypeId;
use super::{Builder, InputObject, InputParam};
use crate::c::lower::declare::parameter_name;
use crate::llvm::ast::LocalId;

impl Builder<'_, '_, '_> {
    /// The parameters of `main`, and what is passed for them.
    pub(super) fn command_line(
        &mut self,
        f: FnRef,
        types: &[CTypeId],
    ) -> Result<(Vec<InputParam>, Vec<TermId>), String> {
        let (module, function) = (self.cx.module(f.module), self.cx.linked.function(f));
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (i, &ty) in types.iter().enumerate() {
            let name = parameter_name(module, function, i);
            let (param, value) = match (i, self.pointee(ty)) {
                (0, None) => {
                    let (param, value) = self.parameter(f, i, &name, ty)?;
                    self.limit_arguments(value[0]);
                    (param, value)
                }
                (1 | 2, Some(text)) => {
                    let region = self.cx.regions.local(f, LocalId(i as u32));
                    let count = if i == 1 { args.first().copied() } else { None };
                    self.list_of_texts(&name, (ty, text), region, count)
                }
                _ => return Err("its parameters are not those of `main`".to_owned()),
            };
            params.push(param);
            args.extend(value);
        }
        Ok((params, args))
    }

    /// Calls of the functions that run before `main`.
    pub(super) fn constructors(&self) -> Vec<Statement> {
        let all = self.cx.linked.run_around("llvm.global_ctors").into_iter();
        let takes_nothing = |f: &FnRef| self.cx.linked.function(*f).params.is_empty();
        let procedures = all.filter(takes_nothing).filter_map(|f| self.cx.procs.get(&f).copied());
        let call = |callee| StatementKind::Call { callee, args: Vec::new(), results: Vec::new() };
        procedures.map(|callee| Statement::new(call(callee), self.span)).collect()
    }

    fn limit_arguments(&mut self, count: TermId) {
        let width = self.cx.width(count);
        let (one, most) = (self.cx.bv(width, 1), self.cx.bv(width, i64::from(self.arguments())));
        let low = self.cx.app(Op::BvSle, &[one, count]);
        let high = self.cx.app(Op::BvSle, &[count, most]);
        self.assumptions.extend([low, high]);
        self.bounded = true;
    }

    fn arguments(&self) -> u32 {
        self.cx.options.harness.arguments.max(1)
    }

    /// A list of strings with a null pointer after the last. `count` says how many there are; without it there are
    /// none.
    fn list_of_texts(
        &mut self,
        name: &str,
        (ty, text): (CTypeId, CTypeId),
        region: Option<Region>,
        count: Option<TermId>,
    ) -> (InputParam, Vec<TermId>) {
        let most = if count.is_some() { self.arguments() } else { 0 };
        let bytes = u64::from(self.cx.shape.bits / 8);
        let null = self.param(&format!("{name}.null"), SortId::BOOL);
        let is_null = self.cx.terms.var(null);
        let there = self.cx.not(is_null);
        self.assumptions.push(there);
        let length = self.fixed_count(name, most + 1);
        let number = self.next;
        self.next += 1;
        let memory = region.map(|r| self.cx.memory_of(r));
        let this = self.cx.object(number);
        let total = self.cx.offset(i64::from(most + 1) * bytes as i64);
        self.sizes.push((this, total));
        let place = memory.map(|m| (m.symbol, m.grain));
        let index = self.objects.len();
        self.elements.push(text);
        self.objects.push(InputObject {
            name: name.to_owned(),
            number,
            element: text,
            is_untyped: false,
            count: Some(length),
            most: most + 1,
            widest: most + 1,
            memory: place,
        });
        self.regions.push(None);
        if let (Some(memory), Some(region)) = (memory, region) {
            self.kept.push((memory, this, u64::from(most + 1) * bytes));
            self.texts(name, text, memory, region, this, count.map_or((0, None), |c| (most, Some(c))));
        }
        let zero = self.cx.offset(0);
        (InputParam { object: Some(index), ..InputParam::plain(name, ty, null) }, vec![this, zero])
    }

    fn fixed_count(&mut self, name: &str, count: u32) -> SymbolId {
        let sort = self.cx.terms.bit_vec_sort(self.cx.shape.offset);
        let symbol = self.param(&format!("{name}.count"), sort);
        let (value, exactly) = (self.cx.terms.var(symbol), self.cx.offset(i64::from(count)));
        let fixed = self.cx.app(Op::Eq, &[value, exactly]);
        self.assumptions.push(fixed);
        symbol
    }

    /// Assumes that the pointers in a list below the count point to strings and the others are null.
    fn texts(
        &mut self,
        name: &str,
        text: CTypeId,
        memory: Memory,
        region: Region,
        list: TermId,
        (most, count): (u32, Option<TermId>),
    ) {
        let bytes = u64::from(self.cx.shape.bits / 8);
        let content = self.cx.regions.content(region);
        for i in 0..=most {
            let start = self.cx.offset(0);
            let at = self.cx.add_bytes(super::Pointer { object: list, offset: start }, u64::from(i) * bytes);
            let map = self.cx.terms.var(memory.symbol);
            let packed = self.cx.read_bytes(map, memory.grain, at, bytes);
            let null = self.cx.bv(self.cx.shape.bits, 0);
            let mut wanted = null;
            if let (Some(count), true) = (count, i < most)
                && let Some(pointee) = self.pointee(text)
                && let Some(object) = self.object(&format!("{name}[{i}]"), pointee, content, 0)
            {
                let target = self.cx.pointer(self.objects[object].number, 0);
                let target = self.cx.pack(target);
                let this = self.cx.bv(self.cx.width(count), i64::from(i));
                let given = self.cx.app(Op::BvSlt, &[this, count]);
                wanted = self.cx.app(Op::Ite, &[given, target, null]);
            }
            let is_wanted = self.cx.app(Op::Eq, &[packed, wanted]);
            self.assumptions.push(is_wanted);
        }
    }

    /// Makes memory zero, inputs apart.
    pub(super) fn zero_memory(&mut self, statements: &mut Vec<Statement>) {
        let memories: Vec<Memory> = self.cx.memory.values().copied().collect();
        let mut pairs = Vec::new();
        for memory in memories {
            let sort = self.cx.terms.symbol(memory.symbol).sort;
            let zero = self.cx.bv(8 * memory.grain as u32, 0);
            let mut map = self.cx.terms.mk(Op::ConstMap, [zero], sort);
            let before = self.cx.terms.var(memory.symbol);
            for (_, object, bytes) in self.kept.clone().into_iter().filter(|k| k.0.symbol == memory.symbol) {
                for cell in 0..bytes.div_ceil(memory.grain) {
                    let at = self.cx.offset((cell * memory.grain) as i64);
                    let value = self.cx.app(Op::Select, &[before, object, at]);
                    map = self.cx.app(Op::Store, &[map, object, at, value]);
                }
            }
            pairs.push((memory.symbol, map));
        }
        pairs.sort_by_key(|(symbol, _)| *symbol);
        if !pairs.is_empty() {
            statements.push(Statement::new(StatementKind::Assign(pairs), self.span));
        }
    }
}
