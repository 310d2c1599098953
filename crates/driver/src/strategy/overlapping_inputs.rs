//! Overlapping inputs: failures that need two parameters to point into one object.
//!
//! **Idea.** Tests let parameters lead into one object where nothing else reaches some code (`harness/sharing.rs` of the front end).
//! A check may then fail for no other reason, although few functions are meant for inputs that overlap:
//!
//! ```c
//! int inverse(const int *in, int *out)
//! {
//!     if (*in == 0)
//!         return -1;
//!     *out = 0;
//!     return 100 / *in;   // fails if in == out only
//! }
//! ```
//!
//! That the two parameters do not overlap is then a precondition. It is found out by an experiment: the test that shows the failure has
//! a parameter that leads into the object of another one; no test of the check has these two apart; and a search in a harness that
//! assumes them to be apart, which begins with the same test apart, does not make the check fail either.
//!
//! Of parameters that the program compares (`p < end`, `p == q`) nothing of this kind is said: it means them to lead into one object.
//! Of three parameters in one object no single pair may be needed, and nothing is said then either.
//!
//! **Direction of error.** A search that ends by its time may have missed a failure with parameters apart; the check is then listed among
//! the preconditions, with its test, instead of the findings. A function of the program that passes overlapping buffers makes it a
//! finding in any case (`latent_failures.rs`).

use std::sync::Arc;
use std::time::Duration;

use footpath_frontend::c::{Harness, InputParam, InputSharing};
use footpath_ir::interp::Script;
use footpath_ir::{Body, Origin, Program, Statement, StatementKind};
use footpath_term::{Op, SymbolId, Terms, Value};
use footpath_virtual_time::Deadline;

use crate::context::Context;
use crate::strategy::search::{PlaceFound, search_place};

/// Time for the search with one pair of parameters apart.
const SEARCH: Duration = Duration::from_secs(2);

/// A parameter that leads into the object of another one.
struct Pair<'a> {
    names: [&'a str; 2],
    /// What says into which object it leads, and the choice that is the other one's.
    into: SymbolId,
    at: SymbolId,
    choice: usize,
}

/// The names of two parameters that have to point into one object for a check to fail, as far as tests and a search tell. `tests` are
/// the inputs that make it fail.
pub(crate) fn needed(
    context: &Context,
    harness: &Harness,
    tests: &[&Script],
    place: Origin,
    until: Deadline,
) -> Option<[String; 2]> {
    let first = tests.first()?;
    let is_needed = |pair: &Pair| {
        let time = SEARCH.min(until.left());
        tests.iter().all(|script| pair.is_in(script))
            && !time.is_zero()
            && !fails_apart(context, harness, pair, first, place, time)
    };
    pairs(harness, first).into_iter().find(is_needed).map(|pair| pair.names.map(str::to_owned))
}

/// The parameters that lead into each other's objects in a test, except where the program compares them.
fn pairs<'a>(harness: &'a Harness, script: &Script) -> Vec<Pair<'a>> {
    let is_null = |param: &InputParam| number(script, param.symbol) == Some(1);
    let pointers = || harness.params.iter().filter(|param| !is_null(param));
    let pair = |param: &'a InputParam| {
        let InputSharing { into, at, objects, met, .. } = param.sharing.as_ref()?;
        let choice = usize::try_from(number(script, *into)?).ok().filter(|&choice| choice > 0)?;
        let object = *objects.get(choice).filter(|object| !met.contains(object))?;
        let other = pointers().find(|other| other.object == Some(object))?;
        Some(Pair { names: [&other.name, &param.name], into: *into, at: *at, choice })
    };
    pointers().filter_map(pair).collect()
}

impl Pair<'_> {
    fn is_in(&self, script: &Script) -> bool {
        number(script, self.into) == Some(self.choice as u64)
    }
}

/// The value of a parameter of the harness; what a test leaves out is zero.
fn number(script: &Script, symbol: SymbolId) -> Option<u64> {
    match script.entries.get(&(0, symbol)) {
        None => Some(0),
        Some(Value::Bool(value)) => Some(u64::from(*value)),
        Some(value) => value.as_u64(),
    }
}

/// Whether a search finds a run that fails although two parameters are apart.
fn fails_apart(
    context: &Context,
    harness: &Harness,
    pair: &Pair,
    script: &Script,
    place: Origin,
    time: Duration,
) -> bool {
    let root = harness.widest();
    let mut program: Program = context.compiled.lowered.program.clone();
    let mut terms = Terms::layer(program.terms.clone());
    let into = terms.var(pair.into);
    let choice = terms.bit_vec(8, pair.choice as i64);
    let same = terms.app(Op::Eq, [into, choice]);
    let apart = terms.app(Op::Not, [same]);
    let body = &mut program[root].bodies[0];
    let assumption = Statement::new(StatementKind::Assume(apart), body.span);
    body.blocks[Body::ENTRY.index()].statements.insert(0, assumption);
    program.terms = Arc::new(terms);
    let mut start = script.clone();
    for symbol in [pair.into, pair.at] {
        start.entries.remove(&(0, symbol));
    }
    let found = search_place(context, harness, (&program, root), place, vec![start], time);
    // An error says nothing, and then the check stays a finding.
    !matches!(found, Ok(PlaceFound::NoRun | PlaceFound::Nothing))
}
