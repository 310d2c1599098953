//! What is known exactly of callees, in the place of their calls in covers and explorations.
//!
//! **Idea.** A caller need not look into a callee of which it is known under which condition C it fails, under which it
//! returns, and what it does then (`callees.rs`): the call is "fails if C", and a branch less is a solver's question less. C is about
//! all runs, for any number of loop iterations, so what a caller's cover refutes through it needs no bound.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007), Section 3: "fails
//! if C" in front of what is not executed again.
//!
//! **Deviations.**
//! 1. Only callees count whose runs take no value from nowhere and do not choose: C says which runs *can* fail, and a cover has to know
//!    which ones do. Others, and those without an exact condition, are replaced by their bodies.
//! 2. A callee that may come back to the procedure that is covered is replaced by its body, as its runs pass blocks of it.
//!
//! **Direction of error.** As C, and the solver. A test is run through the real callees and counts for what it does.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use footpath_cover::{Callees, Demand, Leaf, Recipe, Summarised, SummaryCounts};
use footpath_ir::{Place, ProcId, Program, TerminatorKind};
use footpath_parallel::on_deep_stack;
use footpath_term::Terms;
use footpath_transform::{Bounds, Standins, loop_free_with};

use crate::Classes;
use crate::callees::{Which, summarise};
use crate::options::Options;
use crate::result::{Callee, Error};
use crate::tools::Tools;

/// See the module.
pub struct Conditions<'p> {
    program: &'p Program,
    /// The arena that the stand-ins are over.
    terms: Arc<Terms>,
    standins: Standins,
    callees: Vec<Callee>,
}

impl<'p> Conditions<'p> {
    /// Analyses what the procedures call, within [`Options::time`].
    ///
    /// # Errors
    /// If the solver cannot be used, or if one of our own invariants broke.
    pub fn new(
        program: &'p Program,
        procedures: &[ProcId],
        options: &Options,
        classes: Classes<'_>,
        stop: &AtomicBool,
    ) -> Result<Conditions<'p>, Error> {
        let bodies = |&p: &ProcId| (0..program[p].bodies.len() as u32).map(move |body| (p, body));
        let roots: Vec<(ProcId, u32)> = procedures.iter().flat_map(bodies).collect();
        let work = || -> Result<Conditions<'p>, Error> {
            let tools = Tools::new(program, options, stop)?;
            let (tools, standins, callees) = summarise(tools, &roots, Which::Determined, classes)?;
            Ok(Conditions { program, terms: Arc::new(tools.terms), standins, callees })
        };
        on_deep_stack(work).map_err(|e| Error::Invalid(format!("no thread can be started: {e}")))?
    }

    /// The callees of which it is known exactly when they fail, out of so many that were looked at.
    pub fn known(&self) -> (usize, usize) {
        (self.standins.0.len(), self.callees.len())
    }

    /// The program in which what is known of the callees of a procedure stands for their bodies; those in `kept` have their
    /// own. `None` if that is the program as it is. A call fails in it if and only if it fails, and does the same otherwise
    /// for whoever is below one of the procedures that were analysed.
    pub fn program(&self, procedure: ProcId, kept: &[ProcId]) -> Option<Program> {
        let mut standins = self.below(procedure).0;
        standins.retain(|p, _| !kept.contains(p));
        if standins.is_empty() {
            return None;
        }
        let mut program = self.program.clone();
        program.terms = self.terms.clone();
        for (p, standin) in standins {
            let procedure = &mut program.procedures[p.index()];
            procedure.bodies = vec![standin.body];
            // The condition is about them, too; and results that nobody reads are not computed.
            procedure.ensures.clear();
        }
        Some(program)
    }

    /// What stands for the callees of a procedure.
    fn below(&self, procedure: ProcId) -> Standins {
        let below = self.program.reachable(&[procedure]);
        let comes_back = |p: ProcId| self.program.reachable(&[p]).contains(&procedure);
        let own = below.into_iter().filter(|p| !comes_back(*p));
        Standins(own.filter_map(|p| Some((p, self.standins.0.get(&p)?.clone()))).collect())
    }
}

impl Callees for Conditions<'_> {
    fn summarised(&self, procedure: ProcId, body: u32, bounds: Bounds) -> Option<Summarised> {
        let standins = self.below(procedure);
        if standins.0.is_empty() {
            return None;
        }
        // A run asks for nothing in such a callee; but it was there.
        let recipe = Leaf::Complete(Arc::new(Recipe::default()), Arc::new(Vec::new()));
        let blocks = standins.0.values().flat_map(|s| &s.body.blocks);
        let ends =
            blocks.filter(|b| matches!(b.terminator.kind, TerminatorKind::Return | TerminatorKind::Fail));
        let node = |origin: footpath_ir::Origin| match origin.place {
            Place::Summary { node } => Some((origin.procedure, node)),
            _ => None,
        };
        let leaves = ends.filter_map(|b| Some((node(b.origin)?, recipe.clone()))).collect();
        let counts = SummaryCounts { reused: standins.0.len() as u64, ..SummaryCounts::default() };
        let terms = Terms::layer(self.terms.clone());
        let unit = loop_free_with(self.program, terms, (procedure, body), bounds, &standins);
        Some(Summarised { unit, leaves, counts })
    }

    fn grow(&self, _: ProcId, _: &[Demand]) -> bool {
        false
    }
}
