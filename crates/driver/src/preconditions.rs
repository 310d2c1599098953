//! Precondition inference for C and Boogie: under which inputs functions fail, as conditions in source syntax.
//!
//! | what | file |
//! |---|---|
//! | procedures of Boogie | `preconditions/boogie.rs` |
//! | functions of C, through their harnesses | `preconditions/c.rs` |
//! | a printer of conditions in C syntax | `preconditions/c_syntax.rs` |
//! | replay: the tests, compiled and run | `preconditions/native.rs` |
//! | conditions with families of disjuncts | `preconditions/folded.rs` |
//! | results of external functions as inputs | `preconditions/named_results.rs` |

mod boogie;
mod c;
mod folded;
mod named_results;
mod native;

use std::path::PathBuf;
use std::time::Duration;

use footpath_c_syntax::families::Family;
use footpath_c_syntax::wording::Wording;
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin, Place, Program};
use footpath_preconditions::{Analysis, TestEnd};
use footpath_simplify::{Cube, Dialect, Dnf, print, print_negated};
use footpath_term::{Op, TermId, Terms};

use folded::Folded;

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
    /// Where the condition is about some element of an array, and so is no expression of C: the body of a function that
    /// returns whether it holds.
    pub in_c: Option<String>,
    /// The premise: what is assumed about all inputs; `None` for nothing.
    pub premise: Option<String>,
    /// If the condition is exact and something fails: the precondition under which nothing fails.
    pub precondition: Option<String>,
    /// How the condition relates to failing.
    pub exactness: Exactness,
    /// Whether inputs that satisfy the condition may pass, too, as failing also depends on results of external
    /// functions, failing allocations, or the like.
    pub may_pass: bool,
    /// If inputs that satisfy the condition may pass: for which results of external functions they fail, if that is known.
    pub by_results: Option<ByResults>,
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

/// For which inputs and results of external functions a function fails.
#[derive(Clone, Debug)]
pub struct ByResults {
    /// The condition.
    pub constraint: String,
    /// How it relates to failing.
    pub exactness: Exactness,
    /// Whether something else decides, too, so that the function only can fail.
    pub may_pass: bool,
    /// What the names of results in the condition mean.
    pub legend: String,
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
    /// Of a function that was not analysed.
    pub fn skipped(name: &str, span: Span, why: String) -> FunctionFailures {
        FunctionFailures {
            name: name.to_owned(),
            span,
            skipped: Some(why),
            constraint: String::new(),
            disjuncts: Vec::new(),
            in_c: None,
            premise: None,
            precondition: None,
            exactness: Exactness::Sufficient("it was not analysed".to_owned()),
            may_pass: false,
            by_results: None,
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

    /// From an analysis, in the words of a language. `inputs` prints a test's inputs.
    pub(crate) fn of(
        name: &str,
        span: Span,
        program: &Program,
        found: &Analysis,
        words: &dyn Words,
        inputs: &dyn Fn(&footpath_preconditions::Test) -> Vec<(String, String)>,
    ) -> FunctionFailures {
        let text = |dnf: &Dnf| words.say(&found.terms, dnf, false);
        let can_say = |cube: &Cube| cube.iter().all(|&l| words.can_say(&found.terms, l));
        // What the language cannot say is left to the reader to be warned of.
        let mut said: Vec<usize> = (0..found.condition.cubes.len()).collect();
        said.retain(|&i| can_say(&found.condition.cubes[i]));
        let of_said =
            |said: &[usize]| Dnf { cubes: said.iter().map(|&i| found.condition.cubes[i].clone()).collect() };
        let families = Folded::of(words, &found.terms, &found.condition, &said);
        // Nobody reads all of what is a part of the condition only.
        let is_part = matches!(found.exactness, Exactness::Sufficient(_)) && said.len() > ONE_BY_ONE;
        let mut one_by_one = None;
        let constraint = match &families {
            Some(folded) => folded.constraint(),
            None => Some(&of_said(&said)).filter(|_| !is_part).and_then(text).unwrap_or_else(|| {
                // Of one disjunct there is time to prove what its text means.
                let alone = said.iter().take(ONE_BY_ONE).map(|&i| Some((i, text(&of_said(&[i]))?)));
                let texts: Vec<(usize, String)> = alone.flatten().collect();
                said = texts.iter().map(|(i, _)| *i).collect();
                let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
                let constraint = disjunction(&texts);
                one_by_one = Some(texts);
                constraint
            }),
        };
        let is_whole = said.len() == found.condition.cubes.len();
        let constraint = if said.is_empty() && !is_whole { NOT_EXPRESSIBLE.to_owned() } else { constraint };
        let test = |t: &footpath_preconditions::Test| FailureTest {
            fails: match t.end {
                TestEnd::Fails { at, kind } => Some((kind, place(program, at))),
                TestEnd::Passes => None,
            },
            disjunct: t.disjunct.and_then(|i| match &families {
                Some(folded) => folded.position(i),
                None => said.iter().position(|&j| j == i),
            }),
            inputs: inputs(t),
            confirmed: None,
        };
        let precondition = |passes: &Dnf| {
            if let Some(folded) = &families {
                return folded.precondition(words, &found.terms);
            }
            // What is left over, disjunct by disjunct; or that none of what fails holds, if that is no longer.
            let is_simple = |&l: &TermId| !is_compound(&found.terms, l);
            let shorter = passes.literals() < found.condition.literals()
                && passes.cubes.iter().flatten().all(is_simple);
            let left = || text(passes).filter(|_| passes.cubes.iter().all(can_say));
            let opposite = || words.say(&found.terms, &found.condition, true);
            if shorter { left().or_else(opposite) } else { opposite() }
        };
        let weaker = |must: &Dnf| weaker(found, words, must);
        let useful = |p: &&Dnf| !p.is_always() && !p.is_never();
        let mut result = FunctionFailures {
            name: name.to_owned(),
            span,
            skipped: None,
            constraint,
            disjuncts: match (&families, one_by_one) {
                (Some(folded), _) => folded.disjuncts(words, &found.terms),
                (None, Some(texts)) => texts,
                (None, None) => said_each(words, &found.terms, &of_said(&said)),
            },
            in_c: families.as_ref().map(Folded::in_c),
            premise: if found.premise.is_always() { None } else { text(&found.premise) },
            precondition: found.passes.as_ref().filter(|p| useful(p) && is_whole).and_then(precondition),
            exactness: found.exactness.clone(),
            may_pass: found.may_pass,
            by_results: None,
            only_when: found.necessary.as_ref().and_then(weaker).as_ref().and_then(text),
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
        result.keep_to_words(found, words, is_whole);
        result
    }

    /// Claims no more than the words say: what is necessary is said without what the language cannot say, and what is exact
    /// only if the whole condition is said.
    fn keep_to_words(&mut self, found: &Analysis, words: &dyn Words, is_whole: bool) {
        let text = |dnf: &Dnf| words.say(&found.terms, dnf, false);
        match &found.exactness {
            Exactness::Necessary(why) => {
                let weaker = weaker(found, words, &found.condition);
                match weaker.and_then(|weaker| Some((text(&weaker)?, weaker))) {
                    Some((constraint, weaker)) => {
                        self.constraint = constraint;
                        self.disjuncts =
                            words.say_each(&found.terms, &weaker).into_iter().flatten().collect();
                    }
                    None => {
                        self.constraint = "false".to_owned();
                        self.disjuncts.clear();
                        self.exactness = Exactness::Sufficient(why.clone());
                    }
                }
            }
            Exactness::Exact | Exactness::Bounded(..) if !is_whole => {
                let why = "a part of the condition is not expressible in C";
                self.exactness = Exactness::Sufficient(why.to_owned());
                if found.exactness == Exactness::Exact {
                    self.only_when = weaker(found, words, &found.condition).as_ref().and_then(text);
                }
            }
            _ => {}
        }
    }
}

/// A disjunction of conditions that do not need each other.
fn disjunction(texts: &[String]) -> String {
    match texts {
        [one] => one.clone(),
        several => several.iter().map(|text| format!("({text})")).collect::<Vec<String>>().join(" || "),
    }
}

/// The disjuncts one by one.
fn said_each(words: &dyn Words, terms: &Terms, condition: &Dnf) -> Vec<String> {
    let texts = words.say_each(terms, condition).into_iter();
    texts.map(|text| text.unwrap_or_else(|| NOT_EXPRESSIBLE.to_owned())).collect()
}

/// Whether a literal is a condition of several parts that was left as it was.
fn is_compound(terms: &Terms, literal: TermId) -> bool {
    let term = terms.term(literal);
    match term.op {
        Op::Not => is_compound(terms, term.args[0]),
        _ => matches!(term.op, Op::And | Op::Or | Op::Implies),
    }
}

/// What must hold still must without what the language cannot say.
fn weaker(found: &Analysis, words: &dyn Words, must: &Dnf) -> Option<Dnf> {
    let sayable = |cube: &Cube| cube.iter().copied().filter(|&l| words.can_say(&found.terms, l)).collect();
    let weaker = Dnf { cubes: must.cubes.iter().map(sayable).collect() };
    (!weaker.is_always()).then_some(weaker)
}

/// How many disjuncts are put into words alone where there are none that are proved to mean all of them together.
const ONE_BY_ONE: usize = 32;

/// In place of a condition for which the language has no words.
pub const NOT_EXPRESSIBLE: &str = "not expressible in C";

/// How conditions are said.
pub(crate) trait Words {
    /// A condition or, if `negated`, the opposite; `None` if the language cannot say it.
    fn say(&self, terms: &Terms, condition: &Dnf, negated: bool) -> Option<String>;

    /// The disjuncts of a condition one by one, each for where those before it do not hold.
    fn say_each(&self, terms: &Terms, condition: &Dnf) -> Vec<Option<String>> {
        let alone = |cube: &Cube| Dnf { cubes: vec![cube.clone()] };
        condition.cubes.iter().map(|cube| self.say(terms, &alone(cube), false)).collect()
    }

    /// Whether the language can say a literal.
    fn can_say(&self, terms: &Terms, literal: TermId) -> bool;

    /// Disjuncts that are one condition for some index, each for where those that are in no family do not hold.
    fn families(&self, condition: &Dnf) -> Vec<Family> {
        let _ = condition;
        Vec::new()
    }
}

/// The words of a language in which everything can be said.
pub(crate) struct AsPrinted<'a>(pub(crate) &'a dyn Dialect);

impl Words for AsPrinted<'_> {
    fn say(&self, terms: &Terms, condition: &Dnf, negated: bool) -> Option<String> {
        Some(match negated {
            true => print_negated(&mut terms.clone(), condition, self.0),
            false => print(terms, condition, self.0),
        })
    }

    fn can_say(&self, terms: &Terms, literal: TermId) -> bool {
        self.0.can_say(terms, literal)
    }
}

impl Words for Wording<'_, '_> {
    fn say(&self, _: &Terms, condition: &Dnf, negated: bool) -> Option<String> {
        Wording::say(self, condition, negated)
    }

    fn say_each(&self, _: &Terms, condition: &Dnf) -> Vec<Option<String>> {
        Wording::say_each(self, condition)
    }

    fn can_say(&self, _: &Terms, literal: TermId) -> bool {
        Wording::can_say(self, literal)
    }

    fn families(&self, condition: &Dnf) -> Vec<Family> {
        Wording::families(self, condition)
    }
}

/// Puts disjuncts and their tests in the order in which a language prints them.
pub(crate) fn arrange(found: &mut Analysis, order: &[usize]) {
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
