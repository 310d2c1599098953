//! Addresses that the source gives as numbers, as those of the registers of devices: `*(volatile int *)0x40000000 = 1`.
//!
//! Only the machine knows what is there, so all pointers that may hold such an address are in one region, and a function that
//! accesses it is not lowered. **Direction of error.** Towards fewer functions: a number that is only compared, as a mark of its own,
//! is in the region as well. A number that comes from a variable is none here.

use super::{Holder, Region, Regions};
use crate::llvm::ast::{CastOp, ConstKind, InstKind, Module, Value};

/// The size of a page.
const PAGE: u64 = 4096;

/// Whether a constant is a number as an address at which there may be something. Nothing is on the first and on the last page,
/// whose addresses say that there is none, as `MAP_FAILED` does.
pub(super) fn is_number(module: &Module, inst: &InstKind) -> bool {
    let InstKind::Cast { op: CastOp::IntToPtr, value, .. } = inst else { return false };
    let Value::Const(c) = value.value else { return false };
    let ConstKind::Int(number) = module.constant(c).kind else { return false };
    let last = module.types.int_bits(value.ty).map_or(u64::MAX, |bits| u64::MAX >> (64 - bits.clamp(1, 64)));
    (PAGE..=last - last.min(PAGE)).contains(&(number as u64 & last))
}

impl Regions {
    /// The region of the addresses that the source gives as numbers.
    pub(super) fn numbers(&self) -> Option<Region> {
        self.holders.get(&Holder::Numbers).map(|&n| Region(self.root(n)))
    }

    /// Whether addresses in a region may be numbers of the source, where only the machine knows what is there.
    pub fn has_numbers(&self, region: Region) -> bool {
        self.numbers() == Some(self.find(region))
    }
}
