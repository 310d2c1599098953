//! Test generation for each disjunct, and validation of the condition by running tests.
//!
//! **Idea.** A model of a disjunct is the input of a run of the reference interpreter, on the program as the front
//! end made it. If nothing else is open, the run must fail; if the condition is exact, the run on a model of the
//! complement must not, nor may runs on random inputs contradict the condition.
//!
//! Example: for the exact condition `n > 7` the test of the disjunct is `n = 8`, which must fail, and that of the
//! complement is `n = 0`, which must pass.
//!
//! Inputs are made as simple as the run's end permits: `i = -1` rather than `i = -2147483645`.
//!
//! **Direction of error.** A contradiction is an internal error: the condition was wrong.

use std::time::Duration;

use footpath_concolic::minimise;
use footpath_ir::interp::{
    Interpreter, Limits, Outcome, RandomOracle, Replay, Run, Script, default_result, default_value,
};
use footpath_ir::{Origin, Place, ProcId, Program};
use footpath_simplify::{Bound, Effort, Relation, Simplifier};
use footpath_smt::is_polymorphic;
use footpath_term::{Env, EvalError, Op, SortId, SymbolId, TermId, Terms, Value, evaluate};
use footpath_transform::theory::Theory;
use footpath_virtual_time::Deadline;
use num_bigint::BigInt;

use crate::options::Options;
use crate::result::{Analysis, Error, Exactness, Test, TestEnd};
use crate::tools::open_solver;
use crate::{Class, Classes};

/// Statements and jumps of a run.
const STEPS: u64 = 2_000_000;
/// The same for a run on random inputs.
const CHECK_STEPS: u64 = 5_000;

/// Up to which number a number is small.
const SMALL: i64 = 64;

/// How many simpler inputs are tried for a test.
const SIMPLER: u32 = 1_000;

/// Time for the queries that lead to tests, if the analysis has a time limit: at most this, and this share of the limit.
const TESTS: Duration = Duration::from_secs(3);
const SHARE: f64 = 0.2;

/// Adds tests to an analysis, and checks it.
pub(crate) fn add(
    program: &Program,
    root: (ProcId, u32),
    options: &Options,
    classes: Classes<'_>,
    analysis: &mut Analysis,
) -> Result<(), Error> {
    let interpreter = Interpreter::new(program);
    let solver = open_solver(options)?;
    let until = options.time.map(|time| Deadline::after(TESTS.min(time.mul_f64(SHARE))));
    let mut witness = Witness {
        program,
        root,
        classes,
        interpreter: &interpreter,
        simplifier: Simplifier::new(solver, Effort::None, u64::MAX),
        until,
    };
    if until.is_some() {
        witness.simplifier.until(until, options.query);
    }
    let mut premise = vec![analysis.premise.term(&mut analysis.terms)];
    premise.extend(said_of_constants(program, &mut analysis.terms));
    let cubes = analysis.condition.cubes.clone();
    let parts: Vec<TermId> =
        cubes.iter().map(|cube| analysis.terms.app(Op::And, cube.iter().copied())).collect();
    for (i, cube) in cubes.iter().enumerate() {
        if until.is_some_and(Deadline::is_over) {
            let left = cubes.len() - i;
            analysis.notes.push(format!("{left} disjuncts have no test, because the time for tests ran out"));
            break;
        }
        // A test that no other disjunct explains shows more.
        let others = parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, part)| *part);
        let others = analysis.terms.app(Op::Or, others);
        let alone = analysis.terms.app(Op::Not, [others]);
        let plain = [&cube[..], &premise].concat();
        let test = match witness.test(analysis, &[&plain[..], &[alone]].concat(), Some(i))? {
            None if cubes.len() > 1 => witness.test(analysis, &plain, Some(i))?,
            found => found,
        };
        let test = match test {
            None => witness.at_an_edge(analysis, &plain, Some(i))?,
            found => found,
        };
        let test = match test {
            None => witness.among_small_numbers(analysis, &plain, Some(i))?,
            found => found,
        };
        analysis.tests.extend(test);
    }
    let condition = analysis.condition.term(&mut analysis.terms);
    let complement = analysis.terms.app(Op::Not, [condition]);
    if let Some(test) = witness.test(analysis, &[&[complement][..], &premise].concat(), None)? {
        analysis.tests.push(test);
    }
    witness.check(analysis, condition, options.checks)
}

/// What `unique` and the order of constants say, which no statement of the program does. What holds for all types is left
/// out, as solvers and evaluations take one type.
fn said_of_constants(program: &Program, terms: &mut Terms) -> Vec<TermId> {
    let theory = Theory::new(program);
    let axioms = theory.all_axioms(terms);
    let mut said = theory.order_axioms(terms, &axioms);
    said.retain(|&formula| !is_polymorphic(terms, &[formula]));
    said
}

struct Witness<'a> {
    program: &'a Program,
    root: (ProcId, u32),
    classes: Classes<'a>,
    interpreter: &'a Interpreter<'a>,
    simplifier: Simplifier,
    /// When no more is asked for tests.
    until: Option<Deadline>,
}

impl Witness<'_> {
    /// The inputs that the condition depends on.
    fn inputs(&self) -> Vec<SymbolId> {
        let (procedure, body) = self.root;
        let params = self.program[procedure].bodies[body as usize].params.iter();
        let globals = self.program.globals.iter().map(|g| &g.variable);
        let constants = self.program.constants.iter().map(|c| c.symbol);
        params.chain(globals).map(|v| v.symbol).chain(constants).collect()
    }

    /// A run at the boundary of a comparison, where a number is just as large as needed: it may be shorter than
    /// others.
    fn at_an_edge(
        &mut self,
        analysis: &mut Analysis,
        together: &[TermId],
        disjunct: Option<usize>,
    ) -> Result<Option<Test>, Error> {
        for &literal in together {
            let Some(bound) = Bound::read(&analysis.terms, literal) else { continue };
            if matches!(bound.relation, Relation::AtLeast | Relation::AtMost) {
                let edge = Bound { relation: Relation::Equal, ..bound }.build(&mut analysis.terms);
                let found = self.test(analysis, &[together, &[edge]].concat(), disjunct)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// A run on small numbers: where nothing limits them, as in `n % 3 == 1`, others may be run for too long.
    fn among_small_numbers(
        &mut self,
        analysis: &mut Analysis,
        together: &[TermId],
        disjunct: Option<usize>,
    ) -> Result<Option<Test>, Error> {
        let terms = &mut analysis.terms;
        let mut small = together.to_vec();
        for symbol in terms.free_symbols(together) {
            let number = terms.var(symbol);
            let (least, op, most) = match terms.width(terms.sort(number)) {
                Some(width) if BigInt::from(SMALL).bits() < u64::from(width) => {
                    (terms.bit_vec(width, 0), Op::BvUle, terms.bit_vec(width, SMALL))
                }
                None if terms.sort(number) == SortId::INT => (terms.int(0), Op::Le, terms.int(SMALL)),
                _ => continue,
            };
            small.push(terms.app(op.clone(), [least, number]));
            small.push(terms.app(op, [number, most]));
        }
        self.test(analysis, &small, disjunct)
    }

    /// A run on a model of `together`, if it ends as expected.
    fn test(
        &mut self,
        analysis: &mut Analysis,
        together: &[TermId],
        disjunct: Option<usize>,
    ) -> Result<Option<Test>, Error> {
        let inputs = self.inputs();
        let terms: Vec<TermId> = inputs.iter().map(|&s| analysis.terms.var(s)).collect();
        let Some(values) = self.simplifier.model(&analysis.terms, together, &terms) else { return Ok(None) };
        let mut script = Script::default();
        for (&symbol, value) in inputs.iter().zip(values) {
            script.entries.extend(value.map(|v| ((0, symbol), v)));
        }
        let (run, is_free) = self.run(&script);
        let Some(end) = self.end(&run) else { return Ok(None) };
        let goal = analysis.terms.app(Op::And, together.iter().copied());
        // In what order constants are, a run does not know.
        let is_order = |&t: &TermId| analysis.terms.term(t).op == Op::Subtype;
        if analysis.terms.post_order(&[goal]).iter().any(is_order)
            && !self.holds(&analysis.terms, goal, &script)
        {
            return Ok(None);
        }
        let fails = end != TestEnd::Passes;
        if disjunct.is_none()
            && fails
            && analysis.exactness == Exactness::Exact
            && run.unchecked_axioms.is_empty()
            // Functions without a definition are what the run takes them for, not what the model does.
            && self.holds(&analysis.terms, goal, &script)
        {
            return Err(self.contradiction("fails although the exact condition says that it does not"));
        }
        // What fails only for some choices need not fail for this one, and what an assumption ends shows nothing.
        let shows = fails || !matches!(run.outcome, Outcome::Blocked { .. });
        if !shows || fails != disjunct.is_some() {
            let promised = disjunct.is_some() && !matches!(analysis.exactness, Exactness::Necessary(_));
            let passes = run.outcome == Outcome::Returned && !is_free && run.unchecked_axioms.is_empty();
            if promised && passes && self.holds(&analysis.terms, goal, &script) {
                return Err(self.contradiction("passes on inputs for which the condition says that it fails"));
            }
            return Ok(None);
        }
        if !run.unchecked_axioms.is_empty() {
            // Whether there is such a run is left open by axioms about what the condition speaks of.
            let terms = &mut analysis.terms;
            let theory = Theory::new(self.program);
            let roots = theory.expand(terms, &[goal]);
            let relevant = theory.relevant(terms, &roots);
            if relevant.axioms.iter().any(|axiom| run.unchecked_axioms.contains(axiom)) {
                return Ok(None);
            }
        }
        let script = self.simplest(&analysis.terms, &script, goal, end);
        Ok(Some(Test { script, end, disjunct }))
    }

    /// Inputs with the same end that are as simple as possible, and for which `goal` still holds.
    fn simplest(&self, terms: &Terms, script: &Script, goal: TermId, end: TestEnd) -> Script {
        let mut left = SIMPLER;
        let longest = Deadline::after(TESTS);
        let deadline = self.until.map_or(longest, |until| until.min(longest));
        minimise(script, &mut |candidate| {
            if left == 0 || deadline.is_over() {
                return false;
            }
            left -= 1;
            if !self.holds(terms, goal, candidate) {
                return false;
            }
            let (run, _) = self.run(candidate);
            let blocked = matches!(run.outcome, Outcome::Blocked { .. });
            !blocked && self.end(&run) == Some(end)
        })
    }

    /// Whether a condition is true of inputs.
    fn holds(&self, terms: &Terms, condition: TermId, script: &Script) -> bool {
        let mut values = Values { interpreter: self.interpreter, script };
        evaluate(terms, condition, &mut values) == Ok(Value::Bool(true))
    }

    /// A run, and whether it also depends on arbitrary values or choices.
    fn run(&self, script: &Script) -> (Run, bool) {
        let (procedure, body) = self.root;
        let limits = Limits { steps: STEPS, ..Limits::default() };
        let mut oracle = Replay::new(script);
        let run = self.interpreter.run(procedure, body, &mut oracle, &limits);
        (run, oracle.went_beyond())
    }

    /// How a run ends; `None` if it does not, or could not be evaluated.
    fn end(&self, run: &Run) -> Option<TestEnd> {
        let marked = run.path.iter().find_map(|step| {
            let place = Place::Segment { block: step.block, first: 0 };
            let at = Origin { procedure: step.procedure, body: step.body, place };
            (self.classes.of)(at).failure().map(|kind| TestEnd::Fails { at, kind })
        });
        if marked.is_some() {
            return marked;
        }
        match run.outcome {
            Outcome::Failed { at, kind } if (self.classes.of)(at) != Class::Ends => {
                Some(TestEnd::Fails { at, kind })
            }
            Outcome::Failed { .. } | Outcome::Returned | Outcome::Blocked { .. } => Some(TestEnd::Passes),
            Outcome::OutOfSteps | Outcome::Stuck { .. } => None,
        }
    }

    /// Compares the condition with runs on random inputs.
    fn check(&self, analysis: &mut Analysis, condition: TermId, count: u32) -> Result<(), Error> {
        let (procedure, body) = self.root;
        let limits = Limits { steps: CHECK_STEPS, ..Limits::default() };
        let necessary = analysis.necessary.clone().map(|n| n.term(&mut analysis.terms));
        let mut oracle = RandomOracle::of(self.interpreter, 1);
        let inputs = self.inputs();
        let constants = said_of_constants(self.program, &mut analysis.terms);
        let constants = analysis.terms.app(Op::And, constants);
        for _ in 0..count {
            let run = self.interpreter.run(procedure, body, &mut oracle, &limits);
            let script = oracle.take_script();
            let blocked = matches!(run.outcome, Outcome::Blocked { .. });
            let Some(end) = self.end(&run).filter(|_| !blocked && run.unchecked_axioms.is_empty()) else {
                continue;
            };
            // Random values need not be in the order of the constants.
            if !self.holds(&analysis.terms, constants, &script) {
                continue;
            }
            let mut values = Values { interpreter: self.interpreter, script: &script };
            let Ok(Value::Bool(holds)) = evaluate(&analysis.terms, condition, &mut values) else { continue };
            let complete = matches!(analysis.exactness, Exactness::Exact | Exactness::Necessary(_));
            if end != TestEnd::Passes && !holds && complete {
                return Err(
                    self.contradiction("fails on inputs for which the condition says that it does not")
                );
            }
            if let Some(must) = necessary
                && end != TestEnd::Passes
                && evaluate(&analysis.terms, must, &mut values) == Ok(Value::Bool(false))
            {
                return Err(
                    self.contradiction("fails on inputs for which the necessary condition does not hold")
                );
            }
            let only_inputs =
                script.entries.keys().all(|(activation, s)| *activation == 0 && inputs.contains(s));
            let free = !script.havocs.is_empty() || !script.choices.is_empty() || !script.bodies.is_empty();
            let sound = !matches!(analysis.exactness, Exactness::Necessary(_));
            if end == TestEnd::Passes && holds && only_inputs && !free && sound {
                return Err(self.contradiction("passes on inputs for which the condition says that it fails"));
            }
            analysis.checked += 1;
            let missing = !analysis.tests.iter().any(|t| t.end == TestEnd::Passes);
            if missing && end == TestEnd::Passes && !holds && run.outcome == Outcome::Returned {
                analysis.tests.push(Test { script, end, disjunct: None });
            }
        }
        Ok(())
    }

    fn contradiction(&self, how: &str) -> Error {
        Error::Internal(format!("a run of {} {how}", self.program[self.root.0].name))
    }
}

/// The values of a script, default values elsewhere, as runs have them.
struct Values<'a> {
    interpreter: &'a Interpreter<'a>,
    script: &'a Script,
}

impl Env for Values<'_> {
    fn symbol(&mut self, terms: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        match self.script.entries.get(&(0, symbol)) {
            Some(value) => Ok(value.clone()),
            None => default_value(self.interpreter, terms.symbol(symbol).sort),
        }
    }

    fn undetermined(&mut self, _: &Terms, op: &Op, args: &[Value], sort: SortId) -> Result<Value, EvalError> {
        match self.script.functions.get(&(op.clone(), args.to_vec(), sort)) {
            Some(value) => Ok(value.clone()),
            None => default_result(self.interpreter, op, args, sort),
        }
    }
}
