//! Procedure summaries of callees: exact failure conditions and effects replace calls in covers and explorations.
//!
//! **Idea.** If it is known under which condition C a callee fails, under which it returns, and what it does then
//! (`callees.rs`), a caller need not analyse its body: the call is "fails if C", which saves branches and solver
//! queries. C is about all runs, however often loops iterate, so what a caller's cover refutes through it needs no
//! bound.
//!
//! Example: for `void put(unsigned i) { assert(i < 10); buffer[i] = 0; }` a call `put(k)` becomes "fails if `k >= 10`",
//! followed by the assignment to `buffer`, if that is read later.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007), Section
//! 3: "fails if C" in front of what is not executed again.
//!
//! **Deviations.**
//! 1. Only callees count whose runs use no arbitrary values and make no free choices: C says which runs *can* fail,
//!    and a cover has to know which ones do. Others, and those without an exact condition, are inlined.
//! 2. A callee that may call the procedure that is covered is inlined, as its runs pass blocks of it.
//!
//! **Direction of error.** That of C, and of the solver. A test is run through the real callees and counts for what
//! it does.

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
    /// The arena of the terms in the summaries.
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

    /// How many callees have an exact condition, and how many were analysed.
    pub fn known(&self) -> (usize, usize) {
        (self.standins.0.len(), self.callees.len())
    }

    /// The program in which summaries of the callees of a procedure replace their bodies, except for those in `kept`.
    /// `None` if that is the original program. A call fails in it if and only if it fails in the original, and
    /// otherwise has the same results and effects for the procedures that were analysed.
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
            // The condition is about them, too; and results that are not read are not computed.
            procedure.ensures.clear();
        }
        Some(program)
    }

    /// The bodies that replace the callees of a procedure.
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
