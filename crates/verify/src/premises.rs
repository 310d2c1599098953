//! Assumption variables of a program, and the premises that mention them.
//!
//! One of them, with the attribute `{:unfailed}`, says whether no check failed that does not stop the program;
//! guidance creates it where there are such checks, as a run on which one failed must not be given up before its end.
//!
//! The premise under which something was proved is recorded in the program itself: assertions carry it, and so do, as
//! the attribute `{:verified …}`, calls (for what they require), marks of failures, and bodies (for their
//! postconditions).

use std::collections::BTreeSet;

use footpath_ir::Program;
use footpath_term::SymbolId;

/// The assumption variables of a program: each says whether an assumption held so far.
#[derive(Clone, Default, Debug)]
pub struct Premises {
    assumptions: BTreeSet<SymbolId>,
    unfailed: Option<SymbolId>,
}

/// The attribute of the variable that says whether no check failed that does not stop the program.
pub(crate) const UNFAILED: &str = "unfailed";

impl Premises {
    /// The assumption variables of a program.
    pub fn of(program: &Program) -> Premises {
        let globals = program.globals.iter().map(|g| &g.variable);
        let bodies = program.procedures.iter().flat_map(|p| &p.bodies);
        let all = globals.chain(bodies.flat_map(|b| &b.locals));
        let assumptions = all.filter(|v| v.is_assumption()).map(|v| v.symbol).collect();
        let mut globals = program.globals.iter().map(|g| &g.variable);
        let unfailed = globals.find(|v| v.attributes.iter().any(|a| &*a.name == UNFAILED)).map(|v| v.symbol);
        Premises { assumptions, unfailed }
    }

    /// The same with the global variables of a program that has more of them.
    pub(crate) fn with_globals(&self, program: &Program) -> Premises {
        let globals = Premises::of(program);
        let assumptions = self.assumptions.union(&globals.assumptions).copied().collect();
        Premises { assumptions, unfailed: globals.unfailed }
    }

    /// The variable that says whether no check failed that does not stop the program, if there is one.
    pub(crate) fn unfailed(&self) -> Option<SymbolId> {
        self.unfailed
    }

    /// Whether a variable is an assumption variable.
    pub fn is_assumption(&self, symbol: SymbolId) -> bool {
        self.assumptions.contains(&symbol)
    }
}
