//! Access checks (memory safety): the null, bounds and lifetime checks of every memory access, and what follows an
//! access that is out of bounds.
//!
//! **Idea.** In C an access outside its object, or after the object's lifetime, is undefined behaviour, so a run of
//! the program form fails and ends there. A compiled program mostly goes on, though. With
//! [`Options::continue_out_of_bounds`](super::super::Options::continue_out_of_bounds) the program form goes on as
//! well: what is read out of bounds is arbitrary, and after a write out of bounds all memory and all locals are
//! arbitrary. What is proved of that program does not assume memory safety.
//!
//! Example: for `a[i] = 0` with `int a[4]` the check is that the bytes `4*i` to `4*i + 3` lie within the 16 bytes of
//! `a` and that `a` is alive. With `i == 4` the run ends there, or, with the option, goes on with arbitrary memory.
//!
//! Constants must not be written, string literals included: machines keep them where a write ends the program.
//!
//! **Direction of error.** It is not seen that a pointer from outside may lead to a constant of other code. A write out of
//! bounds may also change the return address, or variables that the program itself never changes; neither is modelled. A
//! dereference of null ends a run in any case.

use footpath_ir::{AssertKind, Procedure, Statement, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId};

use crate::llvm::ast::Value;

use super::super::facts::points_to::Region;
use super::char_table;
use super::context::{Context, Pointer};
use super::function::{BlockRole, Lowering};

/// Makes all memory arbitrary in the blocks after writes that are out of bounds. This happens last, because only then
/// all maps are known.
pub(crate) fn forget_memory(cx: &mut Context, procedures: &mut [Procedure]) {
    let mut memory: Vec<SymbolId> = cx.memory.values().map(|m| m.symbol).collect();
    memory.extend(cx.scalars.values().flatten());
    memory.extend(cx.shadows.in_memory());
    for (procedure, block) in std::mem::take(&mut cx.out_of_bounds_blocks) {
        let Some(body) = procedures[procedure.index()].bodies.first_mut() else { continue };
        let block = &mut body.blocks[block.index()];
        block.statements.push(Statement::new(StatementKind::Havoc(memory.clone()), block.span));
    }
}

impl Context<'_, '_> {
    /// The size of a variable of the program, by its object number.
    pub(crate) fn known_size(&self, object: TermId) -> Option<u64> {
        let number = self.terms.literal(object)?.as_u64()?;
        let (target, _) = self.objects.get_index(usize::try_from(number).ok()?.checked_sub(1)?)?;
        match target {
            super::super::facts::link::Target::Global(g) => {
                let module = self.module(g.module);
                let global = self.linked.global(*g);
                // What is only declared here may be of any size elsewhere.
                global.init?;
                module.layouts.size(global.ty)
            }
            super::super::facts::link::Target::Function(_) => None,
        }
    }
}

impl Lowering<'_, '_, '_> {
    /// Checks that `bytes` bytes from an address on, whose value is `p`, may be read; returns whether they are within
    /// a living object, which matters where runs go on otherwise.
    pub(crate) fn check_read(&mut self, address: Value, p: Pointer, bytes: TermId) -> TermId {
        let shape = self.cx.shape;
        let zero = self.cx.bv(shape.object, 0);
        let is_null = self.cx.app(Op::Eq, &[p.object, zero]);
        let stack = self.stack.get(&p.object).copied();
        let elsewhere = self.at_number(address, p);
        let mut stays = Vec::new();
        if stack.is_none() {
            let valid = self.cx.not(is_null);
            let valid = self.or_elsewhere(valid, elsewhere);
            self.check(AssertKind::Null, valid);
            if self.cx.objects_die || self.may_outlive(address) {
                let lives = self.lives(address, p.object);
                let lives = self.or_elsewhere(lives, elsewhere);
                stays.push(self.stays(AssertKind::UseAfterFree, lives));
            }
        }
        let size = match (stack, self.cx.known_size(p.object)) {
            (Some(size), _) | (None, Some(size)) => self.cx.offset(size as i64),
            (None, None) => {
                let sizes = self.cx.terms.var(self.cx.size);
                self.cx.app(Op::Select, &[sizes, p.object])
            }
        };
        let mut inside = self.inside(p, bytes, size);
        if let Some(beyond) = self.is_beyond_array(address) {
            let within = self.cx.not(beyond);
            inside = self.cx.app(Op::And, &[inside, within]);
        }
        let inside = self.or_elsewhere(inside, elsewhere);
        stays.push(self.stays(AssertKind::Bounds, inside));
        stays.extend(elsewhere.map(|elsewhere| self.cx.not(elsewhere.is_number)));
        self.cx.app(Op::And, &stays)
    }

    /// Checks that a table of characters has an entry for this one; returns whether it has, where runs go on otherwise.
    pub(crate) fn check_character(&mut self, character: TermId) -> TermId {
        let inside = char_table::is_inside(self.cx, character);
        self.stays(AssertKind::Bounds, inside)
    }

    /// Checks the condition of an access; returns it where runs go on if it is false.
    fn stays(&mut self, kind: AssertKind, condition: TermId) -> TermId {
        if !self.cx.options.continue_out_of_bounds {
            self.check(kind, condition);
            return self.cx.terms.bool(true);
        }
        let violated = self.cx.not(condition);
        self.soft_check(kind, violated);
        condition
    }

    /// As [`Self::check_read`], for what is written, which must not be a constant. After a write out of bounds all memory is
    /// arbitrary: terms that the caller still needs are kept by [`Self::before_stray`]. A write to a constant ends a run in
    /// any case.
    pub(crate) fn check_write(&mut self, address: Value, p: Pointer, bytes: TermId) {
        self.check_passed_on(address, p, bytes);
        let is_local = self.stack.contains_key(&p.object);
        let region = self.cx.regions.operand(self.cx.linked, self.f, address);
        let regions = self.cx.regions;
        let may_be = |c: &&Region| region.is_none_or(|region| regions.find(**c) == regions.find(region));
        if is_local || !self.cx.constants.iter().any(|c| may_be(&c)) {
            return;
        }
        let last = self.cx.object(self.cx.last_constant);
        let is_variable = self.cx.app(Op::BvUlt, &[last, p.object]);
        let elsewhere = self.at_number(address, p);
        let is_variable = self.or_elsewhere(is_variable, elsewhere);
        self.check(AssertKind::Constant, is_variable);
    }

    /// As [`Self::check_read`], for what is passed on. Behind a write beyond its object memory is anything: what the caller has
    /// computed and goes on with is kept by [`Self::before_stray`].
    pub(crate) fn check_passed_on(&mut self, address: Value, p: Pointer, bytes: TermId) {
        let stays = self.check_read(address, p, bytes);
        if self.cx.terms.as_bool(stays) == Some(true) {
            return;
        }
        self.before_change(&|_| true);
        let out_of_bounds = self.add_block("out_of_bounds", BlockRole::Glue);
        let next = self.add_block("then", BlockRole::Glue);
        self.terminate(TerminatorKind::Branch { condition: stays, then_to: next, else_to: out_of_bounds });
        self.continue_in(out_of_bounds);
        let own = self.slots.values().flat_map(|slot| &slot.parts).flat_map(|(_, symbols)| symbols);
        // At a number there is no local whose address the program does not take.
        let are_changed = self.cx.options.continue_out_of_bounds;
        let mut own: Vec<SymbolId> = own.copied().filter(|_| are_changed).collect();
        own.sort_unstable();
        if !own.is_empty() {
            self.statement(StatementKind::Havoc(own));
        }
        self.cx.out_of_bounds_blocks.push((self.proc, out_of_bounds));
        self.terminate(TerminatorKind::Goto(vec![next]));
        self.continue_in(next);
    }

    /// The value that a term has before a write, which stays the same even if the write is out of bounds.
    pub(crate) fn before_stray(&mut self, t: TermId) -> TermId {
        if self.cx.may_stray { self.stable(t) } else { t }
    }

    /// The same of an address.
    pub(crate) fn before_stray_pointer(&mut self, p: Pointer) -> Pointer {
        Pointer { object: self.before_stray(p.object), offset: self.before_stray(p.offset) }
    }

    /// Whether `bytes` bytes from an address on are within its object, which has the given size.
    pub(crate) fn inside(&mut self, p: Pointer, bytes: TermId, size: TermId) -> TermId {
        let fits = self.cx.app(Op::BvUle, &[bytes, size]);
        let last = self.cx.app(Op::BvSub, &[size, bytes]);
        let inside = self.cx.app(Op::BvUle, &[p.offset, last]);
        self.cx.app(Op::And, &[fits, inside])
    }
}
