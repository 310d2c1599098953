//! Runs that another analysis found: added to a cover once the interpreter has made them.
//!
//! Example: a loop summary says that 5000 iterations lead to a place that no run within the bound reaches; the run of its input
//! becomes a test, and what it passes is covered.
//!
//! **Direction of error.** None: what counts is what the interpreter did. A program with axioms is left out, as the input need not
//! satisfy them.

use footpath_ir::Program;
use footpath_ir::interp::{Interpreter, Limits, Script};

use super::from_concolic::replay;
use super::random_runs::covered;
use super::report::{ProcedureCover, Test};

/// The largest number of steps of such a run.
const STEPS: u64 = 4_000_000;

/// Runs a script of the cover's body, and adds its test if it covers something; the positions of the objectives that it
/// covers. Their verdicts are the caller's to give.
pub fn add_run(program: &Program, cover: &mut ProcedureCover, script: &Script) -> Vec<usize> {
    if !program.axioms.is_empty() {
        return Vec::new();
    }
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let root = (cover.procedure, cover.body);
    let (test, run) = replay(&Interpreter::new(program), root, script, &limits, &[]);
    let covers = covered(cover.objectives.iter().map(|o| (o.origin, o.kind)), &run);
    if !covers.is_empty() {
        let number = cover.tests.len();
        covers.iter().for_each(|&i| cover.objectives[i].tests.push(number));
        cover.tests.push(Test { covers: covers.clone(), ..test });
        cover.statistics.runs += 1;
    }
    covers
}
