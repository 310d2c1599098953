//! The third verifier: induction over all loops and recursive calls together, for what the analyser and the solver leave
//! open.
//!
//! **Idea.** The analyser knows inequalities at the heads of loops, and the solver what follows from these. That s is 2·i, or that a
//! flag is set only where a counter is even, is found by induction (`footpath_loop_summaries`): polynomial identities modulo 2ⁿ,
//! guesses that are proved, ways behind ways. It is asked about all checks of a body that are open at once, and about those
//! that rest on assumptions, as they may do without.
//!
//! **What is proved.** That no run gets to where the check fails: none of those that begin where the procedure may be called, in
//! any state that its preconditions allow, of which the front end's facts hold and whatever invariants were proved before.
//! Nothing else is assumed, none of the sites is switched on, and so a proof has no premise:
//!
//! * Machine integers wrap. Integers have no bound, and nothing is said of how often a loop goes round.
//! * A run in which another check fails ends there, as everywhere in the program form; so a check may hold because of the one
//!   before it. Runs on which a check fails that does not stop the program, such as that for overflow in C, go on,
//!   and count, unless it is proved as well that there are none.
//! * Maps, and so the memory of C, are arbitrary where the procedure begins; pointers may be equal.
//! * Callees are followed into their bodies, and so are recursive calls, even those of which the analyser takes the contract. If
//!   there is too much of it, or if contracts were asked for, the contract counts, which is checked where the callee is verified.
//!
//! **Direction of error.** As induction, the encoding of ways and the solver. What is not proved in its time stays open.

use std::time::Duration;

use footpath_absint::Calls;
use footpath_ir::{Origin, ProcId, Program};
use footpath_loop_summaries::{Options, prove_by_induction};
use footpath_term::Terms;

use crate::analysis::{Check, Prover, Search, Verdict};
use crate::assumption::Form;

/// A body of more blocks, callees included, is not looked at where contracts stand for calls.
const MAX_BLOCKS: usize = 4_000;

impl Search<'_> {
    /// Asks induction about what is open, or rests on assumptions.
    pub(crate) fn induct(&self, checks: &mut [Check], time: Duration) {
        let is_asked = |c: &&mut Check| matches!(c.verdict, Verdict::Unverified | Verdict::VerifiedUnder(_));
        let mut asked: Vec<&mut Check> = checks.iter_mut().filter(is_asked).collect();
        if asked.is_empty() || time.is_zero() {
            return;
        }
        let none = vec![false; self.sites.len()];
        let mut placed = self.placed(Terms::layer(self.plain.terms.clone()), &Form::Assume(&none));
        let places: Vec<Origin> = asked.iter().map(|c| placed.now(c.origin)).collect();
        let mut prove = |calls: Calls| {
            let max_blocks = match calls {
                Calls::Bodies(blocks) => blocks,
                Calls::Contracts => {
                    forget_callees(&mut placed.program, self.procedure);
                    MAX_BLOCKS
                }
            };
            let options = Options { timeout: Some(time), recursion: 0, max_blocks, ..Options::default() };
            let (program, at) = (&placed.program, (self.procedure, self.index));
            // Without a solver or a thread nothing more is proved.
            prove_by_induction(program, at.0, at.1, &places, &options, self.stop).ok().flatten()
        };
        let proved = prove(self.options.calls).or_else(|| prove(Calls::Contracts)).unwrap_or_default();
        for (check, _) in asked.iter_mut().zip(proved).filter(|(_, proved)| *proved) {
            check.verdict = Verdict::Verified;
            check.by = Some(Prover::Induction);
        }
    }
}

/// Leaves contracts only, but of the procedure itself, which may call itself.
fn forget_callees(program: &mut Program, procedure: ProcId) {
    for (number, callee) in program.procedures.iter_mut().enumerate() {
        if number != procedure.index() {
            callee.bodies.clear();
        }
    }
}
