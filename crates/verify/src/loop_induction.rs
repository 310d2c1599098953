//! Proofs by induction (k-induction with polynomial identities), the third verifier: all loops and recursive calls
//! together, for what the analyser and the solver leave open.
//!
//! **Idea.** The analyser knows inequalities at loop heads, and the solver what follows from these. That s is 2·i, or
//! that a flag is set only where a counter is even, is found by induction (`footpath_loop_summaries`): polynomial
//! identities modulo 2ⁿ, guesses that are proved, and k-induction. It is asked about all open checks of a body at
//! once, and about those that rest on assumptions, as they may do without.
//!
//! Example: `for (i = s = 0; i < n; i++) s += 2; assert(s == 2 * i);` is proved by the identity s − 2·i = 0, which no
//! interval or octagon expresses.
//!
//! **What is proved.** That no run reaches the failure of the check: none of those that begin where the procedure may
//! be called, in any state that its preconditions permit, and in which the front end's facts and all invariants
//! proved before hold. Nothing else is assumed, so a proof has no premise:
//!
//! * Machine integers wrap. Mathematical integers are unbounded, and loops may iterate any number of times.
//! * A run in which another check fails ends there, as everywhere in the program form; so a check may hold because of
//!   the one before it. Runs on which a check fails that does not stop the program, such as that for overflow in C,
//!   go on, and count, unless it is proved as well that there are none.
//! * Maps, and so the memory of C, are arbitrary where the procedure begins; pointers may alias.
//! * Callees are inlined, and recursive calls are followed as well, even those for which the analyser uses the
//!   contract. If there are too many, or if contracts were asked for, the contract counts, which is checked where the
//!   callee is verified.
//!
//! **Direction of error.** That of induction, the encoding of path segments, and the solver. What is not proved in
//! its time stays open.

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
    /// Asks induction about checks that are open or have premises.
    pub(crate) fn induct(&self, checks: &mut [Check], time: Duration) {
        let is_asked =
            |c: &&mut Check| matches!(c.verdict, Verdict::Unverified(_) | Verdict::VerifiedUnder(_));
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

/// Replaces bodies by contracts, except for the procedure itself, which may be recursive.
fn forget_callees(program: &mut Program, procedure: ProcId) {
    for (number, callee) in program.procedures.iter_mut().enumerate() {
        if number != procedure.index() {
            callee.bodies.clear();
        }
    }
}
