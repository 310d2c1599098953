//! Precondition inference for C and Boogie: under which inputs functions fail, as conditions in source syntax.
//!
//! | what | file |
//! |---|---|
//! | procedures of Boogie | `preconditions/boogie.rs` |
//! | functions of C, through their harnesses | `preconditions/c.rs` |
//! | a printer of conditions in C syntax | `preconditions/c_syntax.rs` |
//! | replay: the tests, compiled and run | `preconditions/native.rs` |

mod boogie;
mod c;
mod native;

use std::path::PathBuf;
use std::time::Duration;

use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin, Place, Program};
use footpath_preconditions::{Analysis, TestEnd};
use footpath_simplify::{Cube, Dialect, Dnf, order, print, print_negated};

pub use boogie::procedure;
pub(crate) use c::condition;
pub use c::{FailureRun, run};
pub use footpath_preconditions::{Calls, Error, Exactness, LoopResult, Options, Partition};
pub use footpath_simplify::Effort;

/// The result of precondition inference for a function.
#[derive(Clone, Debug)]
pub struct FunctionFailures {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// Why it was not analysed, if it was not; the other fields are then meaningless.
    pub skipped: Option<String>,
    /// The condition under which it fails.
    pub constraint: String,
    /// The disjuncts of the condition.
    pub disjuncts: Vec<String>,
    /// The premise: what is assumed about all inputs; `None` for nothing.
    pub premise: Option<String>,
    /// If the condition is exact and something fails: the precondition under which nothing fails.
    pub precondition: Option<String>,
    /// How the condition relates to failing.
    pub exactness: Exactness,
    /// Whether inputs that satisfy the condition may pass, too, as failing also depends on results of external
    /// functions, failing allocations, or the like.
    pub may_pass: bool,
    /// If it is not exact: a necessary condition that all failing inputs satisfy, if one is known.
    pub only_when: Option<String>,
    /// Paths that were run, all segments together.
    pub paths: u64,
    /// Into how many segments it was cut.
    pub segments: usize,
    /// Its loops.
    pub loops: Vec<LoopResult>,
    /// The callees whose conditions replace their bodies.
    pub instantiated: Vec<String>,
    /// Failing tests, and a passing one.
    pub tests: Vec<FailureTest>,
    /// Runs on random inputs that agreed with the condition.
    pub checked: u32,
    /// Solver queries of the simplifier.
    pub queries: u64,
    /// Time in all.
    pub time: Duration,
    /// The file with the tests, if they were compiled.
    pub file: Option<PathBuf>,
    /// Remarks.
    pub notes: Vec<String>,
}

/// A test that the reference interpreter has run.
#[derive(Clone, Debug)]
pub struct FailureTest {
    /// The check that fails and where it stands; `None` for a test that passes.
    pub fails: Option<(AssertKind, Span)>,
    /// The disjunct that it satisfies, by position.
    pub disjunct: Option<usize>,
    /// Its inputs, by name.
    pub inputs: Vec<(String, String)>,
    /// Whether it had the same outcome when it was compiled and run; `None` if it was not run, or if that cannot be
    /// observed.
    pub confirmed: Option<bool>,
}

impl FunctionFailures {
    pub(crate) fn skipped(name: &str, span: Span, why: String) -> FunctionFailures {
        FunctionFailures {
            name: name.to_owned(),
            span,
            skipped: Some(why),
            constraint: String::new(),
            disjuncts: Vec::new(),
            premise: None,
            precondition: None,
            exactness: Exactness::Sufficient("it was not analysed".to_owned()),
            may_pass: false,
            only_when: None,
            paths: 0,
            segments: 0,
            loops: Vec::new(),
            instantiated: Vec::new(),
            tests: Vec::new(),
            checked: 0,
            queries: 0,
            time: Duration::ZERO,
            file: None,
            notes: Vec::new(),
        }
    }

    /// Withdraws claims about all inputs, as some were left out.
    pub(crate) fn leave_out(&mut self, what: &str) {
        if let Exactness::Necessary(_) = self.exactness {
            self.constraint = "false".to_owned();
            self.disjuncts.clear();
        }
        if let Exactness::Exact | Exactness::Necessary(_) = self.exactness {
            self.exactness = Exactness::Sufficient(format!("{what} are left out"));
        }
        self.precondition = None;
        self.only_when = None;
    }

    /// From an analysis, printed in a language. `inputs` prints a test's inputs.
    pub(crate) fn of(
        name: &str,
        span: Span,
        program: &Program,
        found: &Analysis,
        dialect: &dyn Dialect,
        inputs: &dyn Fn(&footpath_preconditions::Test) -> Vec<(String, String)>,
    ) -> FunctionFailures {
        let text = |dnf: &Dnf| print(&found.terms, dnf, dialect);
        let single = |cube: &Vec<_>| text(&Dnf { cubes: vec![cube.clone()] });
        let test = |t: &footpath_preconditions::Test| FailureTest {
            fails: match t.end {
                TestEnd::Fails { at, kind } => Some((kind, place(program, at))),
                TestEnd::Passes => None,
            },
            disjunct: t.disjunct,
            inputs: inputs(t),
            confirmed: None,
        };
        let precondition = |passes: &Dnf| {
            // What is left over, disjunct by disjunct; or that none of what fails holds, if that is no longer.
            if passes.literals() < found.condition.literals() {
                text(passes)
            } else {
                print_negated(&mut found.terms.clone(), &found.condition, dialect)
            }
        };
        // What must hold still must without what the language cannot say.
        let weaker = |must: &Dnf| {
            let sayable =
                |cube: &Vec<_>| cube.iter().copied().filter(|&l| dialect.can_say(&found.terms, l)).collect();
            let weaker = Dnf { cubes: must.cubes.iter().map(sayable).collect() };
            (!weaker.is_always()).then_some(weaker)
        };
        let useful = |p: &&Dnf| !p.is_always() && !p.is_never();
        let says = |p: &Dnf| p.cubes.iter().flatten().all(|&l| dialect.can_say(&found.terms, l));
        let said = says(&found.condition);
        let mut result = FunctionFailures {
            name: name.to_owned(),
            span,
            skipped: None,
            constraint: text(&found.condition),
            disjuncts: found.condition.cubes.iter().map(single).collect(),
            premise: (!found.premise.is_always()).then(|| text(&found.premise)),
            precondition: found.passes.as_ref().filter(|p| useful(p) && said && says(p)).map(precondition),
            exactness: found.exactness.clone(),
            may_pass: found.may_pass,
            only_when: found.necessary.as_ref().and_then(weaker).as_ref().map(text),
            paths: found.paths(),
            segments: found.segments,
            loops: found.loops.clone(),
            instantiated: found
                .callees
                .iter()
                .filter(|c| c.instantiated)
                .map(|c| program[c.procedure].name.to_string())
                .collect(),
            tests: found.tests.iter().map(test).collect(),
            checked: found.checked,
            queries: found.queries,
            time: found.time,
            file: None,
            notes: found.notes.clone(),
        };
        if let Exactness::Necessary(why) = &found.exactness {
            match weaker(&found.condition) {
                Some(weaker) => {
                    result.constraint = text(&weaker);
                    result.disjuncts = weaker.cubes.iter().map(single).collect();
                }
                None => {
                    result.constraint = "false".to_owned();
                    result.disjuncts.clear();
                    result.exactness = Exactness::Sufficient(why.clone());
                }
            }
        }
        result
    }
}

/// Puts disjuncts and their tests in the order in which a language prints them.
pub(crate) fn arrange(found: &mut Analysis, dialect: &dyn Dialect) {
    let order = order(&found.terms, &found.condition, dialect);
    let cubes: Vec<Cube> = order.iter().map(|&i| found.condition.cubes[i].clone()).collect();
    found.condition.cubes = cubes;
    for test in &mut found.tests {
        test.disjunct = test.disjunct.and_then(|old| order.iter().position(|&i| i == old));
    }
    // What passes stands behind what fails.
    found.tests.sort_by_key(|test| test.disjunct.unwrap_or(usize::MAX));
}

/// Where a failure stands in the source.
fn place(program: &Program, at: Origin) -> Span {
    let procedure = &program[at.procedure];
    let body = &procedure.bodies[at.body as usize];
    match at.place {
        Place::Failure { block, statement, .. } => {
            body[block].statements.get(statement as usize).map_or(body[block].span, |s| s.span)
        }
        Place::EnsuresFailure { clause } => {
            procedure.ensures.get(clause as usize).map_or(procedure.span, |c| c.span)
        }
        Place::Segment { block, .. } | Place::Edge { block, .. } | Place::Cut { block } => body[block].span,
        Place::Entry | Place::Exit | Place::Summary { .. } => procedure.span,
    }
}
