//! Under which premises the checks of a program were proved.

use std::collections::BTreeSet;

use footpath_ir::{BlockId, ProcId, Program};
use footpath_term::{SymbolId, TermId};
use rustc_hash::FxHashMap;

/// Assertions carry their premise in the program form; this holds those of checks that have no statement of their own,
/// and the assumption variables.
#[derive(Clone, Default, Debug)]
pub struct Premises {
    assumptions: BTreeSet<SymbolId>,
    calls: FxHashMap<(ProcId, u32, BlockId, usize), TermId>,
    exits: FxHashMap<(ProcId, u32), TermId>,
}

impl Premises {
    /// The assumption variables of a program; nothing is known of calls and exits.
    pub fn of(program: &Program) -> Premises {
        let globals = program.globals.iter().map(|g| &g.variable);
        let bodies = program.procedures.iter().flat_map(|p| &p.bodies);
        let all = globals.chain(bodies.flat_map(|b| &b.locals));
        let assumptions = all.filter(|v| v.is_assumption()).map(|v| v.symbol).collect();
        Premises { assumptions, ..Premises::default() }
    }

    /// Whether a variable says of an assumption whether it held so far.
    pub fn is_assumption(&self, symbol: SymbolId) -> bool {
        self.assumptions.contains(&symbol)
    }

    /// Says under which premise everything that the call at a statement requires was proved.
    pub fn set_call(&mut self, at: (ProcId, u32, BlockId, usize), premise: TermId) {
        self.calls.insert(at, premise);
    }

    /// Says under which premise all postconditions of a body were proved.
    pub fn set_exit(&mut self, procedure: ProcId, body: u32, premise: TermId) {
        self.exits.insert((procedure, body), premise);
    }

    /// The premise of what a call requires; none if it was not proved.
    pub fn call(&self, at: (ProcId, u32, BlockId, usize)) -> Option<TermId> {
        self.calls.get(&at).copied()
    }

    /// The premise of a body's postconditions; none if they were not proved.
    pub fn exit(&self, procedure: ProcId, body: u32) -> Option<TermId> {
        self.exits.get(&(procedure, body)).copied()
    }
}
