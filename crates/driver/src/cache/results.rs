//! Caching of results: whole results of functions are reused by later runs in which nothing changed that they are made of.
//!
//! **Idea.** For a cached search the tests are built and run again, as the program form of a function and its callees
//! does not determine what the compiled test does. Here the key covers everything that a result and its tests are
//! made of ([`Compiled::made_of`]): the texts of the function and of all that it may call (`function_fingerprints.rs`), what stands
//! outside of functions, compilers and options; and the program form of these functions, for tests and for proofs, as it also has
//! what was found out about others: where pointers lead, what external functions reach. If all of that is unchanged, the compiled
//! test does the same as in the run of the cached result, and what it did then counts. Nothing is built, and no solver is asked.
//! Where code has moved, what is said about places moves with it (`relocation.rs`). The folder of the project is not in the key
//! (`project_folder.rs`), but what a program can see of it is.
//!
//! Example: in a file with `f`, its callee `g`, and `h`, a change of `g` takes the results of `f` and `g` away, and that of `h` is
//! used. After a change of a comment, all are.
//!
//! Data is kept, never code: of a test its inputs, and what its run showed. Its source is written from these again, by the code
//! that writes it the first time; that both are the same is checked before anything is kept.
//!
//! A result is kept as it was reported, with the time that the function was allowed: what a time limit left open is
//! left open again for a run that allows no more time. Results that were cut short by anything else are not kept.
//!
//! **Direction of error.** The file is trusted to be what Footpath wrote. A test that behaves differently each time
//! it is run is taken to have done what it did the first time.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use footpath_concolic::Summary;
use footpath_cover::CoverCache;
use footpath_frontend::c::LoweredFunction;
use footpath_ir::interp::Interpreter;
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, BlockId, Origin, Place, ProcId};
use footpath_replay::{Case, Check, Framework, Point, support_texts};
use footpath_summaries::{Keys, Recheck, Texts, digest, own_build};

use super::ProgramDigests;
use super::function_fingerprints::{FAILED_ASSERTION, FunctionText};
use super::project_folder::ProjectFolder;
use super::relocation::{Moved, Places};
use super::tagged_lines::{Lines, escaped, items, list, unescaped};
use crate::compile::{Compiled, MadeOf};
use crate::result::{
    FailureClass, FunctionResult, Need, Objective, Precondition, Returned, ReturnedValue, Status, Test,
    TestOutcome,
};
use crate::strategy::native_execution::{TestData, are_same, cases_again};
use crate::strategy::replay::{CoverageHits, ReplayOutcome};
use crate::{Analysed, Costs, FileFlags, Options, Selection};
use footpath_verdict::{Bound, Claim, Evidence, GoalId, Ledger, Method, Premise, Reason, Verdict};

/// Changes with the meaning of the text and with what a result depends on.
const FORMAT: &str = "footpath result 5";
/// How lines begin that have inputs of a test.
const INPUTS: [&str; 4] = ["entry", "havoc", "choice", "body"];

/// The cache of results.
pub(crate) struct Results<'a> {
    compiled: &'a Compiled,
    options: &'a Options,
    texts: Texts,
    interpreter: Interpreter<'a>,
    keeper: CoverCache<'a>,
    made_of: &'a MadeOf,
    /// The part of the key that all of them share.
    common: String,
    /// Keys of the procedures of the programs for tests and for proofs, by the forms of them and of what they may call.
    forms: [Keys<'a>; 2],
}

impl<'a> Results<'a> {
    /// The cache at the place that the options name, if it is enabled and if everything that results depend on is
    /// known. Results of whole programs, of guided and sampled searches, and with preconditions are not cached.
    pub(crate) fn open(
        (compiled, digests): (&'a Compiled, &ProgramDigests<'a>),
        options: &'a Options,
        is_guided: bool,
    ) -> Option<Results<'a>> {
        let is_plain = options.entry.is_empty()
            && options.exploration.is_none()
            && options.sample.is_none()
            && options.fails_when.is_none();
        if !is_plain || is_guided {
            return None;
        }
        let (storage, made_of) = (options.store.clone()?, compiled.made_of.as_ref()?);
        let project = ProjectFolder::new(&compiled.compiler.folder);
        let file_flags =
            |of: &FileFlags| FileFlags { file: project.path(&of.file), flags: project.flags(&of.flags) };
        let matters = Options {
            timeout: Duration::ZERO,
            total: None,
            jobs: 0,
            out: PathBuf::new(),
            store: None,
            // Only what is kept anyway is written in another way.
            framework: Framework::Plain,
            recheck: Recheck::default(),
            // Which functions are analysed changes no result; which objectives of them are, does.
            selection: Selection { changed: None, ..options.selection.clone() },
            shard: None,
            unit: None,
            costs: Costs::new(),
            files: project.paths(&options.files),
            callee_files: project.paths(&options.callee_files),
            flags: project.flags(&options.flags),
            file_flags: options.file_flags.iter().map(file_flags).collect(),
            ..options.clone()
        };
        let known: BTreeSet<&str> = compiled.lowered.functions.iter().map(|f| &*f.name).collect();
        let outside: Vec<String> = made_of.files.iter().map(|file| file.outside(&known)).collect();
        // A program's own function of that name may look at the file that a false `assert` names.
        let is_own = known.contains(FAILED_ASSERTION);
        let common = format!(
            "{FORMAT}\n{}\n{matters:?}\n{}\n{:?}\n{outside:?}\n{}",
            own_build()?,
            made_of.tools,
            is_own.then_some(&compiled.compiler.folder),
            support_texts().iter().map(|(_, text)| digest(text)).collect::<String>(),
        );
        let texts = Texts::new(storage, options.timeout);
        let program = &compiled.lowered.program;
        let (interpreter, keeper) = (Interpreter::new(program), CoverCache::new(program));
        let forms = [digests.of_tests(), digests.of_proofs()].map(|digests| Keys::new(digests, ""));
        let common = digest(common);
        Some(Results { compiled, options, texts, interpreter, keeper, made_of, common, forms })
    }

    fn key(&self, index: usize) -> String {
        let function = &self.compiled.lowered.functions[index];
        let module = function.function.module as usize;
        let file = ProjectFolder::new(&self.compiled.compiler.folder).path(&self.compiled.files[module]);
        let mut key = format!("{}\n{}\n{}", self.common, file.display(), function.name);
        let same =
            |f: &&LoweredFunction| f.name == function.name && f.function.module == function.function.module;
        let proof = self.compiled.proof_program().functions.iter().find(same);
        for (keys, function) in self.forms.iter().zip([Some(function), proof]) {
            for root in function.into_iter().flat_map(roots) {
                let _ = write!(key, "\n{}", keys.of_body(root, 0));
            }
        }
        // What tests leave out decides which proofs are believed.
        let (differs, left_out) =
            (self.compiled.proofs_differ(&roots(function)), self.compiled.left_out(&[function.procedure]));
        let _ = write!(key, "\n{differs} {left_out:?}");
        for (name, text) in self.texts_below(index) {
            let _ = write!(key, "\n{name} {}", text.digest);
        }
        digest(key)
    }

    /// The procedures that a function's tests may call.
    fn below(&self, index: usize) -> Vec<ProcId> {
        let lowered = &self.compiled.lowered;
        lowered.program.reachable(&roots(&lowered.functions[index]))
    }

    /// The functions of the files that a function's tests may call, in order, with their texts. The others stand outside.
    fn texts_below(&self, index: usize) -> Vec<(&str, &FunctionText)> {
        let below: BTreeSet<ProcId> = self.below(index).into_iter().collect();
        let functions = self.compiled.lowered.functions.iter().filter(|f| below.contains(&f.procedure));
        let text =
            |f: &'_ LoweredFunction| self.made_of.files.get(f.function.module as usize)?.function(&f.name);
        let mut texts: Vec<_> =
            functions.filter_map(|f| Some((f.function.module, &*f.name, text(f)?))).collect();
        texts.sort_unstable_by_key(|(module, name, _)| (*module, *name));
        texts.into_iter().map(|(_, name, text)| (name, text)).collect()
    }

    fn places(&self, index: usize) -> Places {
        Places::of(&self.compiled.lowered.program, &self.below(index))
    }

    /// The cached results of these functions, in their order.
    pub(crate) fn recall_all(&self, work: &[usize]) -> Vec<(usize, Analysed)> {
        work.iter().filter_map(|&i| Some((i, self.recall(i)?))).collect()
    }

    /// The cached result of function number `index`, if there is one.
    fn recall(&self, index: usize) -> Option<Analysed> {
        let kept = self.texts.read(&self.key(index)).filter(|kept| kept.is_enough)?;
        self.read(index, &kept.text)
    }

    /// Caches the result of function number `index`, which must not have been cut short by anything but the
    /// function's own time limit.
    pub(crate) fn keep(&self, index: usize, (result, tested): &Analysed) {
        // Why a function is skipped is found out again at once.
        if result.status != Status::Analysed {
            return;
        }
        if let Some(text) = self.write(index, result, tested) {
            self.texts.write(&self.key(index), &text, is_all(result));
        }
    }

    /// Removes the cached result of function number `index`.
    pub(crate) fn forget(&self, index: usize) {
        self.texts.forget(&self.key(index));
    }

    fn write(&self, index: usize, result: &FunctionResult, tested: &ReplayOutcome) -> Option<String> {
        let places = self.places(index);
        let mut text = format!("sources {}\n", self.made_of.sources);
        for (_, function) in self.texts_below(index) {
            let _ = writeln!(text, "lines {}", list(function.lines.iter().map(u32::to_string)));
        }
        let searched = result.exploration.as_ref().map(|e| u8::from(e.exhausted));
        let _ = writeln!(text, "result {} {}", u8::from(result.bounded), optional(searched));
        let function = &self.compiled.lowered.functions[index];
        if let (false, Ok(harness)) = (tested.tests.is_empty(), &function.harness) {
            let again = self.cases_again(index, &tested.tests)?;
            let subject = (function, harness);
            if !are_same(self.compiled, &self.interpreter, subject, (&tested.cases, &again)) {
                return None;
            }
            for test in &tested.tests {
                self.write_data(&mut text, test)?;
            }
        }
        for note in &result.notes {
            let _ = writeln!(text, "note {}", escaped(note));
        }
        for objective in &result.objectives {
            write_objective(&mut text, objective, &places);
        }
        for (number, objective) in result.objectives.iter().enumerate() {
            write_failure(&mut text, number, objective);
        }
        for test in &result.tests {
            write_test(&mut text, test, &places)?;
        }
        for at in &tested.caused {
            self.write_origin(&mut text, at);
        }
        write_points(&mut text, "passed", &tested.passed);
        write_points(&mut text, "clean", &tested.clean);
        Some(text)
    }

    /// The tests of function number `index`.
    fn cases_again(&self, index: usize, tests: &[TestData]) -> Option<Vec<Case>> {
        let harness = self.compiled.lowered.functions[index].harness.as_ref().ok()?;
        Some(cases_again(self.compiled, &self.interpreter, harness, tests))
    }

    fn write_data(&self, out: &mut String, test: &TestData) -> Option<()> {
        let TestData { script, steps, fails, shown, name, remark, undefined, checks } = test;
        let shown = shown.as_ref().map_or_else(String::new, |shown| format!(" {}", escaped(shown)));
        let _ = writeln!(out, "inputs {steps} {}{shown}", u8::from(*fails));
        out.push_str(&self.keeper.script_text(script)?);
        let _ = writeln!(out, "name {name}\nremark {}", escaped(remark));
        if let Some(why) = undefined {
            let _ = writeln!(out, "undefined {}", escaped(why));
        }
        for Check { before, after } in checks {
            let _ = writeln!(out, "before {}\nafter {}", escaped(before), escaped(after));
        }
        Some(())
    }

    fn read_data(&self, head: &str, lines: &mut Lines<'_>, moved: &Moved) -> Option<TestData> {
        let mut words = head.splitn(3, ' ');
        let (steps, fails) = (words.next()?.parse().ok()?, flag(words.next()?)??);
        let shown = match words.next() {
            Some(shown) => Some(unescaped(shown)?),
            None => None,
        };
        let script = self.keeper.script(std::iter::from_fn(|| lines.next_of(&INPUTS)))?;
        let name = moved.text(lines.next("name")?);
        let remark = moved.text(&unescaped(lines.next("remark")?)?);
        let undefined = match lines.next("undefined") {
            Some(why) => Some(moved.text(&unescaped(why)?)),
            None => None,
        };
        let mut checks = Vec::new();
        while let Some(before) = lines.next("before") {
            checks.push(Check { before: unescaped(before)?, after: unescaped(lines.next("after")?)? });
        }
        Some(TestData { script, steps, fails, shown, name, remark, undefined, checks })
    }

    fn read(&self, index: usize, text: &str) -> Option<Analysed> {
        let lowered = &self.compiled.lowered;
        let function = &lowered.functions[index];
        let mut lines = Lines::of(text);
        let mut places = self.places(index);
        places.is_same_text = lines.next("sources")? == self.made_of.sources;
        let before: Vec<Vec<u32>> = std::iter::from_fn(|| lines.next("lines"))
            .map(|line| items(line).map(|n| n.parse().ok()).collect())
            .collect::<Option<_>>()?;
        let now: Vec<&FunctionText> = self.texts_below(index).into_iter().map(|(_, text)| text).collect();
        let moved = Moved::of(&before, &now, &self.compiled.files[function.function.module as usize])?;
        let mut result = FunctionResult::new(&function.name, function.span);
        let (bounded, searched) = lines.next("result")?.split_once(' ')?;
        result.bounded = bounded == "1";
        result.exploration = flag(searched)?.map(|exhausted| Summary { exhausted, ..Summary::default() });
        result.statistics.recalled = true;
        let mut tests = Vec::new();
        while let Some(head) = lines.next("inputs") {
            tests.push(self.read_data(head, &mut lines, &moved)?);
        }
        result.notes = std::iter::from_fn(|| lines.next("note"))
            .map(|note| Some(moved.text(&unescaped(note)?)))
            .collect::<Option<_>>()?;
        for target in self.compiled.targets(function, &self.options.lowering.checks) {
            result.objectives.push(read_objective(
                target.objective,
                lines.next("objective")?,
                &places,
                &moved,
            )?);
        }
        while let Some(failure) = lines.next("failure") {
            read_failure(failure, &mut result.objectives)?;
        }
        while let Some(covers) = lines.next("test") {
            result.tests.push(read_test(covers, &mut lines, &places)?);
        }
        let caused: Vec<Origin> = std::iter::from_fn(|| lines.next("caused"))
            .map(|at| self.read_origin(at))
            .collect::<Option<_>>()?;
        let passed = read_points(&mut lines, "passed")?;
        let clean = read_points(&mut lines, "clean")?;
        let fits = |o: &Objective| o.tests.iter().all(|&t| (1..=result.tests.len()).contains(&t));
        let is_whole = lines.is_empty() && result.objectives.iter().all(fits);
        let covers = result.tests.iter().flat_map(|t| &t.covers);
        if !is_whole || covers.copied().any(|o| o >= result.objectives.len()) {
            return None;
        }
        let cases = if tests.is_empty() { Vec::new() } else { self.cases_again(index, &tests)? };
        let cases = cases.into_iter().map(Case::decided).collect();
        Some((result, ReplayOutcome { tests, cases, passed, clean, caused, ..ReplayOutcome::default() }))
    }

    fn write_origin(&self, out: &mut String, at: &Origin) {
        // Failures of checks are all that is kept. Numbers of procedures are those of this program only.
        if let Place::Failure { block, statement, clause } = at.place {
            let name = &self.compiled.lowered.program[at.procedure].name;
            let _ = writeln!(out, "caused {} {} {statement} {clause} {}", at.body, block.0, escaped(name));
        }
    }

    fn read_origin(&self, line: &str) -> Option<Origin> {
        let mut words = line.splitn(5, ' ');
        let mut number = || words.next()?.parse::<u32>().ok();
        let (body, block, statement, clause) = (number()?, number()?, number()?, number()?);
        let name = unescaped(words.next()?)?;
        let procedures = &self.compiled.lowered.program.procedures;
        let procedure = procedures.iter().position(|procedure| *procedure.name == *name)?;
        let place = Place::Failure { block: BlockId(block), statement, clause };
        Some(Origin { procedure: ProcId(procedure as u32), body, place })
    }

    /// Warnings for the user about the cache.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.texts.warnings()
    }
}

/// The procedures from which a function and its tests are run.
fn roots(function: &LoweredFunction) -> Vec<ProcId> {
    let harnesses = function.harness.iter().flat_map(|harness| [harness.procedure, harness.widest()]);
    std::iter::once(function.procedure).chain(harnesses).collect()
}

/// Whether more time would not change a result.
fn is_all(result: &FunctionResult) -> bool {
    let is_final = |o: &Objective| match o.verdict {
        Verdict::Covered => !needs_opinion(o) || o.confirmed.is_some(),
        Verdict::Unreachable => !o.assumes_memory_safety,
        Verdict::Doomed | Verdict::UnreachableWithin(_) | Verdict::Unknown(_) => false,
    };
    result.notes.is_empty() && result.objectives.iter().all(is_final)
}

fn needs_opinion(objective: &Objective) -> bool {
    matches!(objective.kind, crate::ObjectiveKind::Check(_))
}

// ---- Writing

fn write_points(out: &mut String, word: &str, hits: &CoverageHits) {
    let mut hits: Vec<_> = hits.iter().collect();
    hits.sort_unstable();
    for (name, points) in hits {
        let points = points.iter().map(|point| match point {
            Point::Block(number) => format!("b{number}"),
            Point::Branch(number, true) => format!("t{number}"),
            Point::Branch(number, false) => format!("f{number}"),
            // Nothing is kept of runs in which there are any.
            Point::Evaluation(..) => String::new(),
        });
        let _ = writeln!(out, "{word} {} {}", list(points), escaped(name));
    }
}

fn write_objective(out: &mut String, objective: &Objective, places: &Places) {
    let number = |bound: &Bound| bound.number().map_or_else(|| "-".to_owned(), |k| k.to_string());
    let (word, why) = match &objective.verdict {
        Verdict::Covered => ("covered", String::new()),
        Verdict::Doomed => ("doomed", String::new()),
        Verdict::Unreachable => ("unreachable", String::new()),
        Verdict::UnreachableWithin(bound) => ("within", format!("{} {}", bound.name(), number(bound))),
        Verdict::Unknown(why) => ("unknown", why.to_line()),
    };
    let _ = writeln!(
        out,
        "objective {word} {} {} {} {} {} {}",
        objective.settled_by.map_or("-", Method::name),
        u8::from(objective.assumes_memory_safety),
        optional(objective.confirmed.map(u8::from)),
        list(objective.tests.iter().map(usize::to_string)),
        list(objective.explanation.iter().map(|span| places.text(*span))),
        escaped(&why),
    );
}

fn write_failure(out: &mut String, number: usize, objective: &Objective) {
    let _ = match &objective.failure {
        Some(FailureClass::Manifest { needs }) => {
            writeln!(out, "failure {number} manifest {}", escaped(needs.as_deref().unwrap_or_default()))
        }
        // Who causes it is found out again from what is kept of that function.
        Some(FailureClass::Caused(_)) => Ok(()),
        Some(FailureClass::Latent(Precondition { need, always })) => {
            let always = u8::from(*always);
            match need {
                Need::Condition(text) => writeln!(out, "failure {number} latent {always} {}", escaped(text)),
                Need::OfKind => writeln!(out, "failure {number} latent {always} "),
                Need::Whole(name) => writeln!(out, "failure {number} whole {always} {}", escaped(name)),
                Need::Apart([one, other]) => {
                    writeln!(out, "failure {number} apart {always} {} {}", escaped(one), escaped(other))
                }
            }
        }
        None => Ok(()),
    };
}

fn write_test(out: &mut String, test: &Test, places: &Places) -> Option<()> {
    if !test.sampled.is_empty() {
        return None;
    }
    let _ = writeln!(out, "test {}", list(test.covers.iter().map(usize::to_string)));
    let _ = match &test.outcome {
        TestOutcome::Returned(Some(value)) => writeln!(out, "returned {}", escaped(value)),
        TestOutcome::Returned(None) => writeln!(out, "ended returned"),
        TestOutcome::Exited => writeln!(out, "ended exited"),
        TestOutcome::Failed { kind, span, crash } => {
            let _ = writeln!(out, "failed {} {}", kind.name(), places.text(*span));
            crash.iter().try_for_each(|crash| writeln!(out, "crash {}", escaped(crash)))
        }
        TestOutcome::Other(crash) => writeln!(out, "other {}", escaped(crash)),
    };
    if let Some(id) = &test.divergence {
        let _ = writeln!(out, "diverged {}", escaped(id));
    }
    for Returned { function, value } in &test.returned {
        let value = match value {
            ReturnedValue::Int { bits, value } => format!("int {bits} {value}"),
            ReturnedValue::Float(value) => format!("float 64 {}", value.to_bits()),
            ReturnedValue::Pointer { null } => format!("pointer 64 {}", u8::from(*null)),
        };
        let _ = writeln!(out, "gave {value} {}", escaped(function));
    }
    Some(())
}

fn optional(value: Option<u8>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| v.to_string())
}

// ---- Reading

fn read_points(lines: &mut Lines<'_>, word: &str) -> Option<CoverageHits> {
    let mut hits = CoverageHits::default();
    while let Some(line) = lines.next(word) {
        let (points, name) = line.split_once(' ')?;
        let points = items(points).map(|word| {
            let number = word.get(1..)?.parse().ok()?;
            Some(match word.as_bytes()[0] {
                b'b' => Point::Block(number),
                b't' => Point::Branch(number, true),
                b'f' => Point::Branch(number, false),
                _ => return None,
            })
        });
        hits.insert(unescaped(name)?, points.collect::<Option<_>>()?);
    }
    Some(hits)
}

fn read_objective(mut objective: Objective, line: &str, places: &Places, moved: &Moved) -> Option<Objective> {
    let mut words = line.splitn(7, ' ');
    let mut word = || words.next();
    let (verdict, method, stays) = (word()?, word()?, word()?);
    let (confirmed, tests, explanation, why) = (word()?, word()?, word()?, unescaped(word()?)?);
    let confirmed = flag(confirmed)?;
    let tests: Vec<usize> = items(tests).map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let explanation: Vec<Span> = items(explanation).map(|at| places.read(at)).collect::<Option<_>>()?;
    let memory = flag(stays)??.then_some(Premise::MemorySafety);
    let by = Method::ALL.into_iter().find(|m| m.name() == method);
    let mut ledger = Ledger::new(1);
    let not_reached = |rests_on| Some(Evidence { explanation, ..Evidence::not_reached(by?, rests_on) });
    let evidence = match verdict {
        "covered" => {
            let claim = |test| Claim::Reached { test, confirmed };
            for test in tests.into_iter().map(Some).chain([None]) {
                let run = Evidence { claim: claim(test), ..Evidence::reached(by?, test, Vec::new()) };
                ledger.record(GoalId(0), run);
            }
            None
        }
        "unreachable" => Some(not_reached(memory.into_iter().collect())?),
        "within" => {
            let (name, number) = why.split_once(' ')?;
            let bound = Bound::named(name, number.parse().ok())?;
            Some(not_reached(vec![Premise::Bound(bound)])?)
        }
        "unknown" => Some(Evidence::open(Method::Run, Reason::of_line(&moved.text(&why))?)),
        _ => return None,
    };
    ledger.record_all(evidence.map(|evidence| (GoalId(0), evidence)));
    objective.take(&ledger, GoalId(0));
    Some(objective)
}

fn read_failure(line: &str, objectives: &mut [Objective]) -> Option<()> {
    let mut words = line.splitn(3, ' ');
    let objective = objectives.get_mut(words.next()?.parse::<usize>().ok()?)?;
    let (class, rest) = (words.next()?, words.next()?);
    objective.failure = Some(if class == "manifest" {
        let text = unescaped(rest)?;
        FailureClass::Manifest { needs: (!text.is_empty()).then_some(text) }
    } else {
        let (always, said) = rest.split_once(' ')?;
        let need = match class {
            "latent" if said.is_empty() => Need::OfKind,
            "latent" => Need::Condition(unescaped(said)?),
            "whole" => Need::Whole(unescaped(said)?),
            "apart" => {
                let (one, other) = said.split_once(' ')?;
                Need::Apart([unescaped(one)?, unescaped(other)?])
            }
            _ => return None,
        };
        FailureClass::Latent(Precondition { need, always: flag(always)?? })
    });
    Some(())
}

fn read_test(covers: &str, lines: &mut Lines<'_>, places: &Places) -> Option<Test> {
    let covers = items(covers).map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let outcome = if let Some(value) = lines.next("returned") {
        TestOutcome::Returned(Some(unescaped(value)?))
    } else if let Some(how) = lines.next("ended") {
        if how == "exited" { TestOutcome::Exited } else { TestOutcome::Returned(None) }
    } else if let Some(check) = lines.next("failed") {
        let (name, place) = check.split_once(' ')?;
        let kind = AssertKind::ALL.iter().copied().find(|k| k.name() == name)?;
        let crash = lines.next("crash").map(unescaped);
        TestOutcome::Failed {
            kind,
            span: places.read(place)?,
            crash: if let Some(crash) = crash { Some(crash?) } else { None },
        }
    } else {
        TestOutcome::Other(unescaped(lines.next("other")?)?)
    };
    let divergence = match lines.next("diverged") {
        Some(id) => Some(unescaped(id)?),
        None => None,
    };
    let mut returned = Vec::new();
    while let Some(line) = lines.next("gave") {
        let mut words = line.splitn(4, ' ');
        let (kind, bits) = (words.next()?, words.next()?.parse().ok()?);
        let number: u128 = words.next()?.parse().ok()?;
        let value = match kind {
            "int" => ReturnedValue::Int { bits, value: number },
            "float" => ReturnedValue::Float(f64::from_bits(u64::try_from(number).ok()?)),
            "pointer" => ReturnedValue::Pointer { null: number == 1 },
            _ => return None,
        };
        returned.push(Returned { function: unescaped(words.next()?)?, value });
    }
    Some(Test { outcome, covers, divergence, inputs: String::new(), returned, sampled: Vec::new() })
}

/// The inverse of [`optional`].
fn flag(word: &str) -> Option<Option<bool>> {
    Some(match word {
        "-" => None,
        "0" => Some(false),
        "1" => Some(true),
        _ => return None,
    })
}
