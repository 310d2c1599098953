//! Escape analysis of locals: whose address may be known when the activation ends whose local it is.
//!
//! An address outlives its local where the function returns it, or where it is stored in memory that outlives the activation:
//! in variables, in what parameters lead to, and in what is reached from there. By points-to analysis, a local is such if
//! its region is one that pointers there lead to. Example: in `void keep(void) { int slot = 3; held = &slot; }` pointers in
//! `held` lead to the region of `slot`, and accesses to that region have to ask whether the object lives.
//!
//! **Direction of error.** Regions hold more than one object, so a local may be one of these without need, which costs a check.
//! Addresses that go through numbers, or that code that is not here keeps, are not seen.

use rustc_hash::FxHashSet;

use crate::llvm::ast::{InstKind, LocalId};

use super::link::Linked;
use super::points_to::{Region, Regions};

/// The regions of locals whose address may be known behind the end of their activation.
pub(crate) fn outliving(linked: &Linked<'_>, regions: &Regions) -> FxHashSet<Region> {
    let mut held = FxHashSet::default();
    for (g, _) in linked.globals() {
        held_by(regions, regions.global(g), &mut held);
    }
    let mut found = FxHashSet::default();
    for (f, function) in linked.functions() {
        let Some(code) = function.body.code() else { continue };
        let mut own = FxHashSet::default();
        for i in 0..function.params.len() as u32 {
            held_by(regions, regions.local(f, LocalId(i)), &mut own);
        }
        if let Some(result) = regions.result(f) {
            own.insert(regions.find(result));
            held_by(regions, Some(result), &mut own);
        }
        for inst in &code.insts {
            if let (InstKind::Alloca { .. }, Some(local)) = (&inst.kind, inst.result)
                && let Some(region) = regions.local(f, local).map(|r| regions.find(r))
                && (held.contains(&region) || own.contains(&region))
            {
                found.insert(region);
            }
        }
    }
    found
}

/// Adds the regions that pointers in a region lead to, and those behind them.
pub(crate) fn held_by(regions: &Regions, region: Option<Region>, held: &mut FxHashSet<Region>) {
    let mut next = region.and_then(|r| regions.content(r)).map(|r| regions.find(r));
    while let Some(region) = next.filter(|&r| held.insert(r)) {
        next = regions.content(region).map(|r| regions.find(r));
    }
}
