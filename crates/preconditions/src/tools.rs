//! The shared tools of an analysis: one arena of terms, one simplifier and one solver for a procedure and its
//! callees.

use std::sync::atomic::{AtomicBool, Ordering};

use footpath_ir::Program;
use footpath_simplify::Simplifier;
use footpath_smt::SolverSpec;
use footpath_term::Terms;
use footpath_virtual_time::Deadline;

use crate::options::Options;
use crate::result::Error;

/// See the module.
pub(crate) struct Tools<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    /// A layer over the program's terms.
    pub(crate) terms: Terms,
    pub(crate) simplifier: Simplifier,
    stop: &'a AtomicBool,
    pub(crate) deadline: Option<Deadline>,
    /// Whether some condition depended on arbitrary values.
    pub(crate) chosen: bool,
}

impl<'a> Tools<'a> {
    pub(crate) fn new(
        program: &'a Program,
        options: &'a Options,
        stop: &'a AtomicBool,
    ) -> Result<Tools<'a>, Error> {
        let simplifier = Simplifier::new(open_solver(options)?, options.effort, options.questions);
        let terms = Terms::layer(program.terms.clone());
        let mut tools = Tools { program, options, terms, simplifier, stop, deadline: None, chosen: false };
        tools.until(options.time.map(Deadline::after));
        Ok(tools)
    }

    /// Sets the deadline of everything that follows.
    pub(crate) fn until(&mut self, deadline: Option<Deadline>) {
        self.deadline = deadline;
        self.simplifier.until(deadline, self.options.query);
    }

    pub(crate) fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    pub(crate) fn is_late(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(Deadline::is_over)
    }
}

pub(crate) fn open_solver(options: &Options) -> Result<Box<dyn footpath_smt::Solver>, Error> {
    let failed = |e: footpath_smt::OpenError| Error::Solver(e.to_string());
    let spec = SolverSpec::parse(&options.solver).map_err(failed)?;
    let settings = footpath_smt::Options { timeout: options.query, ..footpath_smt::Options::default() };
    footpath_smt::open(&spec, &settings).map_err(failed)
}
