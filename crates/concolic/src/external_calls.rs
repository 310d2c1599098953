//! Functions without a definition that somebody can run.
//!
//! **Idea.** A run that comes to the application of such a function asks for its value at the concrete arguments. The
//! symbolic value is the application itself, so branches on the result are decisions like all others. A question about them is
//! asked twice: first each application has to be one of the *samples*, the pairs of arguments and results that are known,
//! which is a concrete summary of the function (Christ, Hoenicke, Schäf, Towards Bounded Infeasible Code Detection, 2012,
//! section 6, and its future work on library functions). If none of them leads there, the application may have any value
//! that does not contradict the samples: higher-order test generation (Godefroid, PLDI 2011). The run that comes of that
//! asks for the real value, which is a new sample, and the question is asked again a few times.
//!
//! 1. Of many samples the latest few hundred count in a question, results in turn.
//! 2. That a function has one value for the same arguments, and no effect, is assumed.
//!
//! **Direction of error.** Arms may be closed wrongly where (2) does not hold. So after a run that asked for a value
//! nothing is claimed about what was not found.

use footpath_term::{FuncId, Op, TermId, Terms, Value};

/// What a function gave for some arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The arguments.
    pub args: Vec<Value>,
    /// The result.
    pub result: Value,
}

/// Runs functions.
pub trait Natives {
    /// Whether this function can be run.
    fn has(&self, function: FuncId) -> bool;

    /// What a function gives for arguments; the text says why nothing is known of that.
    ///
    /// # Errors
    /// If the function does not return, may not do what it tries to, or was run too often.
    fn call(&self, function: FuncId, args: &[Value]) -> Result<Value, String>;

    /// Some of what is known of a function, what differs first.
    fn samples(&self, function: FuncId) -> Vec<Sample>;

    /// How many samples of all functions there are. It grows with each.
    fn count(&self) -> usize;
}

/// How often a question about results that nobody has seen is asked again.
pub(super) const GUESSES: u32 = 16;
/// Different applications in one run.
pub(super) const PER_RUN: usize = 1_000;

/// What questions are to respect of functions that can be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Respect {
    /// Each application is a sample.
    Samples,
    /// No application contradicts a sample.
    Consistency,
}

/// A condition for each application in `roots`.
pub(super) fn conditions(
    terms: &mut Terms,
    natives: &(dyn Natives + Sync),
    roots: &[TermId],
    respect: Respect,
) -> Vec<TermId> {
    let applications: Vec<(TermId, FuncId)> = terms
        .post_order(roots)
        .into_iter()
        .filter_map(|t| match terms.term(t).op {
            Op::Apply(f) if natives.has(f) => Some((t, f)),
            _ => None,
        })
        .collect();
    let condition = |(application, function): (TermId, FuncId)| {
        let args = terms.term(application).args.clone();
        let mut parts = Vec::new();
        for sample in natives.samples(function) {
            let mut same = Vec::with_capacity(args.len() + 1);
            for (&arg, value) in args.iter().zip(&sample.args) {
                let value = terms.value(value);
                same.push(terms.app(Op::Eq, [arg, value]));
            }
            let value = terms.value(&sample.result);
            let result = terms.app(Op::Eq, [application, value]);
            parts.push(match respect {
                Respect::Samples => {
                    same.push(result);
                    terms.app(Op::And, same)
                }
                Respect::Consistency => {
                    let at = terms.app(Op::And, same);
                    terms.app(Op::Implies, [at, result])
                }
            });
        }
        match respect {
            Respect::Samples => terms.app(Op::Or, parts),
            Respect::Consistency => terms.app(Op::And, parts),
        }
    };
    applications.into_iter().map(condition).collect()
}
