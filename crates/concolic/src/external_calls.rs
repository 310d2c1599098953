//! External functions that are executed for their values: concrete summaries and higher-order test generation.
//!
//! **Idea.** A run that reaches the application of such a function asks the real function for its value at the
//! concrete arguments. The symbolic value is the application itself, so branches on the result are ordinary
//! decisions. A query about them is asked twice. At first each application has to equal one of the *samples*, the
//! pairs of arguments and results that are known, which are a concrete summary of the function. If no sample
//! satisfies the query, the application may have any value that does not contradict the samples. The run that results
//! from the model asks for the real value, which is a new sample, and the query is asked again a few times.
//!
//! Example: for `if (hash(x) == 42)` with the samples `hash(0) = 17` and `hash(9) = 42`, the first query answers `x
//! == 9`.
//!
//! **Papers.** Christ, Hoenicke, Schäf, "Towards bounded infeasible code detection" (2012), section 6, for concrete
//! summaries; P. Godefroid, "Higher-order test generation" (PLDI 2011), for values that the samples do not determine.
//!
//! **Deviations.**
//! 1. Of many samples the latest few hundred count in a query, for different results in turn.
//! 2. The function is assumed to have one value for the same arguments, and no side effect.
//!
//! **Direction of error.** Arms may be closed wrongly where (2) does not hold. After a run that asked for a value,
//! nothing is therefore claimed about what was not found.

use footpath_term::{FuncId, Op, TermId, Terms, Value};

/// A sample: the result of a function for some arguments.
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

    /// The result of a function for some arguments; the error says why it is not known.
    ///
    /// # Errors
    /// If the function does not return, may not do what it tries to, or was executed too often.
    fn call(&self, function: FuncId, args: &[Value]) -> Result<Value, String>;

    /// Some samples of a function, those with different results first.
    fn samples(&self, function: FuncId) -> Vec<Sample>;

    /// How many samples of all functions there are. It grows with each.
    fn count(&self) -> usize;
}

/// How often a query with results that no sample confirms is asked again.
pub(super) const GUESSES: u32 = 16;
/// Different applications in one run.
pub(super) const PER_RUN: usize = 1_000;

/// What queries assume about sampled functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Respect {
    /// Each application equals a sample.
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
