//! The assumption variables of a program.
//!
//! Under which premise something was proved is said in the program itself: assertions carry it, and so do, as the
//! attribute `{:verified …}`, calls (for what they require), marks of failures, and bodies (for their postconditions).

use std::collections::BTreeSet;

use footpath_ir::Program;
use footpath_term::SymbolId;

/// Which variables say of an assumption whether it held so far.
#[derive(Clone, Default, Debug)]
pub struct Premises {
    assumptions: BTreeSet<SymbolId>,
}

impl Premises {
    /// The assumption variables of a program.
    pub fn of(program: &Program) -> Premises {
        let globals = program.globals.iter().map(|g| &g.variable);
        let bodies = program.procedures.iter().flat_map(|p| &p.bodies);
        let all = globals.chain(bodies.flat_map(|b| &b.locals));
        Premises { assumptions: all.filter(|v| v.is_assumption()).map(|v| v.symbol).collect() }
    }

    /// Whether a variable says of an assumption whether it held so far.
    pub fn is_assumption(&self, symbol: SymbolId) -> bool {
        self.assumptions.contains(&symbol)
    }
}
