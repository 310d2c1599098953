//! Addresses that are numbers: those of the registers of devices, `*(volatile int *)0x40000000 = 1`, and marks that are only
//! compared, `if (slot == (struct entry *)0xdeadbeef)`.
//!
//! **Idea.** A number is the offset from null that it is. Regions into which one may flow, from a constant, by a cast of an integer, or
//! through memory that is an integer elsewhere, are known, so that an access there asks whether the address is one, see `lower/numbers.rs`. Example: behind
//! `p = used ? q : (struct entry *)0xdeadbeef` the region of `q` is one of these, and that of no other pointer.
//!
//! A number whose upper bits are those of an address in an object of the program form is *far*. All pointers that may hold one are in
//! one region, and a function that accesses it is not lowered.
//!
//! **Direction of error.** Towards fewer functions for far numbers: one that is only compared is in the region as well. Of a number
//! that becomes a pointer without a cast, as in a union, see `punning.rs`.

use super::{Holder, Region, Regions, Work};
use crate::c::lower::context::PointerShape;
use crate::llvm::ast::{CastOp, ConstKind, InstKind, Module, Value};

/// The size of a page. Nothing is on the first and on the last one, whose addresses say that there is none, as `MAP_FAILED` does.
pub(in crate::c) const PAGE: u64 = 4096;

/// A number as an address at which there may be something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Number {
    /// The program form has it as an offset from null.
    Near,
    /// The program form has it for an address in an object.
    Far,
}

/// The number that a constant is as an address, if there may be something.
pub(super) fn number(module: &Module, inst: &InstKind) -> Option<Number> {
    let InstKind::Cast { op: CastOp::IntToPtr, value, .. } = inst else { return None };
    let Value::Const(c) = value.value else { return None };
    let ConstKind::Int(number) = module.constant(c).kind else { return None };
    let last = module.types.int_bits(value.ty).map_or(u64::MAX, |bits| u64::MAX >> (64 - bits.clamp(1, 64)));
    let number = number as u64 & last;
    if !(PAGE..=last - last.min(PAGE)).contains(&number) {
        return None;
    }
    let shape = PointerShape::of(module.data_layout.pointer_bits());
    Some(if number >> shape.packed_offset() == 0 { Number::Near } else { Number::Far })
}

impl Regions {
    /// The region of the addresses that are constants and numbers.
    pub(super) fn numbers(&self, number: Number) -> Option<Region> {
        let holder = match number {
            Number::Near => Holder::Numbers,
            Number::Far => Holder::FarNumbers,
        };
        self.holders.get(&holder).map(|&n| Region(self.root(n)))
    }

    /// Whether addresses in a region may be numbers, where only the machine knows what is there.
    pub fn has_numbers(&self, region: Region) -> bool {
        self.nodes[self.root(region.0) as usize].numbered
    }

    /// Whether addresses in a region may be numbers that the program form has for addresses in objects.
    pub fn has_far_numbers(&self, region: Region) -> bool {
        self.numbers(Number::Far) == Some(self.find(region))
    }

    /// Whether the program makes addresses of numbers anywhere.
    pub fn have_numbers(&self) -> bool {
        let own = [Number::Near, Number::Far].map(|number| self.numbers(number));
        (0..self.nodes.len() as u32)
            .map(Region)
            .any(|region| self.has_numbers(region) && !own.contains(&Some(self.find(region))))
    }
}

impl Work<'_, '_> {
    /// Where a number points to that is a constant.
    pub(super) fn number(&mut self, number: Number) -> u32 {
        let node = match number {
            Number::Near => self.regions.fresh(),
            Number::Far => self.holder(Holder::FarNumbers),
        };
        self.regions.node(node).numbered = true;
        node
    }

    /// The regions of numbers that are accessed as constants, in parts of any size.
    pub(super) fn numbers(&mut self) {
        for holder in [Holder::Numbers, Holder::FarNumbers] {
            let node = self.holder(holder);
            let node = self.regions.node(node);
            node.grain = 1;
            node.numbered = true;
        }
    }
}
