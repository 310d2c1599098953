//! Loop summaries as the guide of an exploration: proofs, inputs or necessary conditions for places that the search
//! does not reach.
//!
//! The summaries are asked for a proof or a run first, and if there is neither, for the condition that every run to
//! the place satisfies.
//!
//! **Direction of error.** That of the summaries; inputs that they propose are run.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_concolic::{Guidance, Guide};
use footpath_ir::{Origin, Place, ProcId, Program};
use footpath_loop_summaries::{Options, Spot, Verdict, necessary, reach};
use footpath_virtual_time::Deadline;

/// The number of iterations of each loop that are explicit in a condition.
const ROUNDS: u64 = 3;
/// The fraction of the time for proofs and runs.
const SHARE: f64 = 0.8;

/// A guide that asks loop summaries.
pub struct LoopGuide<'p> {
    /// The program.
    pub program: &'p Program,
    /// The procedure and the body in which runs start.
    pub start: (ProcId, u32),
}

impl Guide for LoopGuide<'_> {
    fn guide(&self, place: Origin, time: Duration, stop: &AtomicBool) -> Guidance {
        let Place::Segment { block, first: 0 } = place.place else { return Guidance::Nothing };
        let deadline = Deadline::after(time);
        let spot = Spot { procedure: place.procedure, body: place.body, block };
        let options = Options { timeout: Some(time.mul_f64(SHARE)), ..Options::default() };
        let (procedure, body) = self.start;
        match reach(self.program, procedure, body, spot, &options, stop).map(|found| found.verdict) {
            Ok(Verdict::Unreachable) => return Guidance::Unreachable,
            Ok(Verdict::Reached(test)) => return Guidance::Inputs(Box::new(test.script)),
            Ok(Verdict::Unknown(_)) => {}
            Err(_) => return Guidance::Nothing,
        }
        let left = deadline.left();
        let options = Options { timeout: Some(left), ..options };
        match necessary(self.program, procedure, body, &[place], ROUNDS, &options, stop) {
            Ok(Some(found)) => Guidance::Necessary(Box::new(found.terms), found.condition),
            _ => Guidance::Nothing,
        }
    }
}
