//! The main job: C files in; tests that were compiled and run, and proofs about the rest, out.
//!
//! 1. `source_files.rs`: which files can be compiled. `compile.rs`: the user's compiler makes LLVM's text
//!    (`translation.rs`), which is read and lowered.
//! 2. `objectives.rs`: what there is to cover in each function, in the source's terms. `mcdc.rs`: what follows for conditions.
//! 3. `pipeline.rs`: which strategies are tried, in which order, on each kind of job. `function.rs`: a function by itself, several
//!    at once; `program.rs`: a whole program; `library.rs`: a library from its entries. Evidence becomes a verdict in the job's ledger (`footpath_verdict`).
//! 4. `strategy/`: the strategies.
//! 5. `reach.rs`: whether single places can be reached.
//! 6. `selection.rs`: functions and objectives on given lines; `missed_lines.rs`: what became of lines that tests missed.
//! 7. `shard.rs`: a part of the functions, for a machine of its own, and the evidence of all parts together.
//! 8. `cache.rs`: what is known of an earlier run. `recheck.rs`: a share of it is found out again.
//! 9. `test_suites.rs`: the tests of all functions in a source become one file. `result.rs`: plain data for reports.
//!
//! **Invariant.** *Covered* is decided by the compiled test only, *unreachable* by a proof only; everything else is
//! unknown, with the reason.

mod batches;
pub mod boogie;
mod cache;
mod callee_files;
mod callers;
pub mod claims;
mod compile;
mod context;
pub mod external_results;
mod function;
mod library;
mod mcdc;
mod missed_lines;
mod objectives;
mod omissions;
mod pipeline;
mod portability;
pub mod preconditions;
mod program;
mod reach;
mod recheck;
mod result;
mod rounds;
mod selection;
pub mod shard;
mod source_files;
mod starts;
mod strategy;
mod test_suites;
mod translation;
mod workers;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::batches::Steps;
use crate::cache::ProgramDigests;
use crate::context::Context;
use crate::starts::Starts;
use crate::strategy::bounded_proof::{self, LaterProofs, OutOfBoundsProofs};
use crate::strategy::greybox_fuzzing::Fuzzers;
use crate::strategy::replay::{CoverageHits, ReplayOutcome, add_hits};
use crate::strategy::sampling;
use crate::strategy::verification_guide;
use crate::test_suites::Cases;
use footpath_concolic as concolic;
use footpath_concolic::Prepared;
use footpath_cover::Callees;
use footpath_ir::Origin;
use footpath_ir::source::{FileId, SourceMap, Span};
use footpath_replay::source_flags;
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashMap;

pub use compile::{CompileError, find_clang};
pub use footpath_replay::Framework;
pub use footpath_replay::Seed;
pub use footpath_summaries::{Recheck, Storage};
pub use footpath_verdict::{Method, Verdict};
pub use mcdc::{ConditionResult, Criterion, DecisionResult, EvaluationResult, Pair};
pub use missed_lines::{LineFate, MissedLine, MissedLines};
pub use reach::{ReachRun, Reached, Refused, reach};
pub use result::{
    Class, Contradiction, DIVISION_CRASH, FailureClass, FunctionResult, FunctionStatistics, Need, Objective,
    ObjectiveKind, Precondition, Returned, ReturnedValue, Run, SampledCall, Spent, Status, Test, TestOutcome,
};
pub use selection::{LineSet, Selection, SourceLines};
pub use shard::{Costs, CrossEvidence, Part, Shard, Unit};
pub use strategy::loop_guide::LoopGuide;
pub use strategy::sampling::{Sampled, Wanted};
pub use strategy::seeds::{CorpusFile, FuzzTarget, SeedFor};
pub use strategy::verification_guide::{in_source, is_annotated};

/// What replaces calls in proofs, if not the bodies of callees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// Procedure summaries, for the callees that the mode selects.
    Summaries(footpath_summaries::Mode),
    /// The conditions under which callees fail and return, and their effects, where they are known exactly.
    Conditions,
}

/// The largest number of runs with which a function is fuzzed for each second of its time, where the user does not say.
pub const FUZZ_RUNS: u64 = 200_000;

/// Options of the main job.
#[derive(Clone, Debug)]
pub struct Options {
    /// The C files.
    pub files: Vec<PathBuf>,
    /// Other files of the project; those of them that define what the files call are analysed along, but nothing in them is
    /// looked for.
    pub callee_files: Vec<PathBuf>,
    /// Flags for the compiler, for all files.
    pub flags: Vec<String>,
    /// Flags for the compiler, for single files.
    pub file_flags: Vec<FileFlags>,
    /// The compiler; `None` to search for one.
    pub clang: Option<String>,
    /// Names of the functions to test; all that have a body if there are none.
    pub functions: Vec<String>,
    /// Of these, what is analysed.
    pub selection: Selection,
    /// What is to be covered.
    pub criterion: Criterion,
    /// The part of them that this run does; `None` for all.
    pub shard: Option<Shard>,
    /// Only these functions, as a part of the run; goes before `shard`.
    pub unit: Option<Unit>,
    /// What functions cost in an earlier run, by which shards are balanced.
    pub costs: Costs,
    /// Where runs start, if functions are not called by themselves: `main` or a function that takes nothing, which the whole program
    /// is tested from; or the ways into a library, of which `public` are all functions that are not `static`.
    pub entry: Vec<String>,
    /// Whether runs start in `main` if there is one and `entry` names nothing.
    pub prefers_main: bool,
    /// Time for each function, with building and running its tests; for a whole program, for all together; for a library, for
    /// each entry.
    pub timeout: Duration,
    /// Time for all functions together, if that is bounded; functions that were not begun by then are left out.
    pub total: Option<Duration>,
    /// How many functions at once.
    pub jobs: usize,
    /// Where tests are written.
    pub out: PathBuf,
    /// The framework that runs them.
    pub framework: Framework,
    /// Options of the lowering, with those of the harness.
    pub lowering: footpath_frontend::c::Options,
    /// Iterations to which each loop is unwound in proofs.
    pub unwind: u32,
    /// What replaces calls in proofs; `None` for the bodies of callees.
    pub calls: Option<Calls>,
    /// Where the cache is, if it is enabled.
    pub store: Option<Storage>,
    /// The functions that are analysed anew although results of them are stored.
    pub recheck: Recheck,
    /// Seed of all random choices.
    pub seed: u64,
    /// The largest number of runs with which each function is fuzzed, for each second of its time; 0 for no fuzzing.
    pub fuzz_runs: u64,
    /// What other tools found, with which searches begin.
    pub seeds: Vec<SeedFor>,
    /// Whether tests are wanted as files of other tools, too.
    pub emits_corpora: bool,
    /// How results of verification guide the search for tests. `None` for no guidance, except in programs that are
    /// annotated with what was verified.
    pub guide: Option<footpath_verify::Guide>,
    /// Time for inferring the preconditions of each function that fails; `None` to infer none.
    pub fails_when: Option<Duration>,
    /// The external functions that are sampled, so that the search for tests uses their real results. It is not
    /// guided then.
    pub sample: Option<Wanted>,
    /// Whether every failure counts, whoever causes it; otherwise failures are told apart by whether callers can avoid them.
    pub strict: bool,
    /// Explore with these options, and prove nothing.
    pub exploration: Option<concolic::Options>,
}

impl Default for Options {
    /// No files; one function at a time, ten seconds for each, tests beside the sources.
    fn default() -> Options {
        Options {
            files: Vec::new(),
            callee_files: Vec::new(),
            flags: Vec::new(),
            file_flags: Vec::new(),
            clang: None,
            functions: Vec::new(),
            selection: Selection::default(),
            criterion: Criterion::default(),
            shard: None,
            unit: None,
            costs: Costs::new(),
            entry: Vec::new(),
            prefers_main: false,
            timeout: Duration::from_secs(10),
            total: None,
            jobs: 1,
            out: PathBuf::from("."),
            framework: Framework::Plain,
            lowering: footpath_frontend::c::Options::default(),
            unwind: 4,
            calls: None,
            store: None,
            recheck: Recheck::default(),
            seed: 0,
            fuzz_runs: FUZZ_RUNS,
            seeds: Vec::new(),
            emits_corpora: false,
            guide: None,
            fails_when: None,
            sample: None,
            strict: false,
            exploration: None,
        }
    }
}

/// A C file and the flags it is compiled with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFlags {
    /// The file, as given in [`Options::files`].
    pub file: PathBuf,
    /// The flags.
    pub flags: Vec<String>,
}

impl Options {
    /// All flags that determine the meaning of a file.
    pub(crate) fn flags_of(&self, file: &Path) -> Vec<String> {
        let own = self.file_flags.iter().filter(|f| f.file == file).flat_map(|f| &f.flags);
        source_flags(&self.flags.iter().chain(own).cloned().collect::<Vec<String>>())
    }
}

/// What happens during a run. Called from several threads.
#[derive(Clone, Debug)]
pub enum Event {
    /// Everything is compiled; so many functions will be tested.
    Compiled(usize),
    /// A function was begun.
    Started(String),
    /// What happens while a function is explored; only with [`Options::exploration`].
    Exploring(String, concolic::Event),
    /// A function is done: covered objectives, all objectives.
    Finished(String, usize, usize),
}

/// Analyses the files. What could not be compiled is an error if nothing is left, a note otherwise. `stop` ends
/// everything early; what was found so far is in the result.
pub fn run(
    options: &Options,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
) -> Result<Run, CompileError> {
    // What is stored does not know of decisions, nor what seeds would have added.
    let takes_stored = !options.criterion.has_decisions() && options.seeds.is_empty();
    let store = options.store.clone().filter(|_| takes_stored);
    let options = &Options { store, ..options.clone() };
    match options.total {
        Some(total) => {
            let deadline = Some(Deadline::by_wall_clock(total));
            workers::stopping_after(total, stop, &|stop| run_until(options, stop, events, deadline))
        }
        None => run_until(options, stop, events, None),
    }
}

fn run_until(
    options: &Options,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
    deadline: Option<Deadline>,
) -> Result<Run, CompileError> {
    // With a store there may be nothing to build.
    let mut preparation = options.store.is_none().then(|| compile::prepare(options));
    let mut compiled = compile::compile(options, stop)?;
    let mut notes = std::mem::take(&mut compiled.notes);
    let wanted: Vec<usize> = (0..compiled.lowered.functions.len())
        .filter(|&i| compiled.is_wanted(options, &compiled.lowered.functions[i].name, i))
        .collect();
    let all: Vec<usize> = wanted.iter().copied().filter(|&i| compiled.is_selected(i)).collect();
    if all.len() < wanted.len() {
        notes.push(skipped(options, wanted.len() - all.len(), wanted.len()));
    }
    let (work, mut part) = shard::selected(&compiled, options, &all);
    events(Event::Compiled(work.len()));
    // What is looked up for thousands of functions takes a while, too.
    let is_stopped = || stop.load(Ordering::Relaxed);
    let is_plain = compiled.natives.is_none();
    if is_plain && !is_stopped() {
        notes.extend(verification_guide::test_claims(options, &mut compiled, &work, stop));
    }
    let guidance = if is_plain && !is_stopped() {
        verification_guide::Guidance::of(&compiled, &work, options.guide, stop)
    } else {
        None
    };
    let digests = ProgramDigests::new(&compiled);
    let results = cache::Results::open((&compiled, &digests), options, guidance.is_some());
    let stored = results.as_ref().map(|results| results.recall_all(&work)).unwrap_or_default();
    let is_doubted = |(i, analysed): &(usize, Analysed)| {
        options.recheck.selects(&compiled.lowered.functions[*i].name) && recheck::has_claims(&analysed.0)
    };
    let (doubted, known): (Vec<_>, Vec<_>) = stored.into_iter().partition(is_doubted);
    let open: Vec<usize> =
        work.iter().copied().filter(|i| known.binary_search_by_key(i, |(k, _)| *k).is_err()).collect();
    let is_over = || open.is_empty() || is_stopped();
    if !is_over() {
        preparation.get_or_insert_with(|| compile::prepare(options));
        compiled.make_ready();
    }
    let calls = options.calls.filter(|_| !is_over());
    let (mut summaries, mut conditions, mut for_search) = (None, None, None);
    match calls {
        Some(Calls::Summaries(mode)) => {
            summaries = bounded_proof::summaries(&compiled, options, mode, stop, &mut notes);
        }
        Some(Calls::Conditions) => {
            conditions =
                bounded_proof::conditions(compiled.proof_program(), options, &open, stop, &mut notes);
            // Proofs may be about another program.
            if !std::ptr::eq(compiled.proof_program(), &compiled.lowered) {
                for_search =
                    bounded_proof::conditions(&compiled.lowered, options, &open, stop, &mut Vec::new());
            }
        }
        None => {}
    }
    let proved = if is_over() { None } else { bounded_proof::kept(digests.of_proofs(), options) };
    let out_of_bounds_proved = proved.as_ref().map(|_| OutOfBoundsProofs::new(&compiled, options));
    let searches = if is_plain && !is_over() { cache::searches(&digests, options) } else { None };
    let prepared = Prepared::new(&compiled.lowered.program);
    // What tests pass elsewhere counts there, and is kept for runs that select more.
    let names = wanted.iter().map(|&i| compiled.lowered.functions[i].name.clone()).collect();
    let fuzzers = Fuzzers::new(&compiled.lowered.functions, &names);
    let context = Context {
        guidance: guidance.as_ref(),
        proved: proved.as_ref(),
        out_of_bounds_proved: out_of_bounds_proved.as_ref().map(|proofs| proofs as &dyn LaterProofs),
        searches: searches.as_ref(),
        conditions: for_search.as_ref().or(conditions.as_ref()),
        callees: summaries
            .as_ref()
            .map(|s| s as &dyn Callees)
            .or(conditions.as_ref().map(|c| c as &dyn Callees)),
        ..Context::new(options, &compiled, &prepared, &names, &fuzzers, stop, events)
    };
    let (mut functions, cases) = match &compiled.starts {
        Starts::Program(entry) => program::whole_program(&context, entry, &work)?,
        Starts::Library(_) => library::library(&context, &|f| compiled.starts.has(&f.name), &work)?,
        Starts::Functions => {
            let (mut functions, cases, evidence) =
                each_function(&context, (known, doubted), (&open, &all, deadline), results.as_ref());
            let position = |index: usize| all.binary_search(&index).unwrap_or_default();
            match &mut part {
                Some(part) => {
                    part.positions = functions.iter().map(|(index, _)| position(*index)).collect();
                    part.evidence = evidence;
                }
                None => evidence.settle(functions.iter_mut().map(|(index, f)| (position(*index), f))),
            }
            for (index, result) in &functions {
                if result.statistics.recalled && !result.contradictions.is_empty() {
                    results.iter().for_each(|results| results.forget(*index));
                }
            }
            (functions, cases)
        }
    };
    test_suites::write(&context, &mut functions, cases);
    let mut functions: Vec<FunctionResult> = functions.into_iter().map(|(_, result)| result).collect();
    if functions.len() < work.len() {
        let missing = work.len() - functions.len();
        let why = if deadline.is_some_and(Deadline::is_over) {
            "--total-timeout ended it"
        } else {
            "the run was interrupted"
        };
        let shard = part.as_ref().and_then(|part| part.shard);
        let of = shard.map_or_else(String::new, |shard| format!("shard {shard}: "));
        notes.push(format!(
            "{of}{why}: {missing} of {} functions were not begun and are left out",
            work.len()
        ));
    }
    notes.extend(recalled_note(&functions));
    functions.iter_mut().for_each(|function| mcdc::conclude(&compiled.lowered, options.criterion, function));
    portability::classify(&mut functions, &compiled.sources);
    leave_out_models(&mut functions, &compiled.sources, &options.out.join("work"));
    notes.extend(proved.iter().chain(&searches).flat_map(footpath_summaries::Covers::warnings));
    notes.extend(out_of_bounds_proved.iter().flat_map(OutOfBoundsProofs::warnings));
    notes.extend(compiled.library_note());
    if functions.iter().any(|f| f.file.is_some()) {
        let mut flags = compiled.compilers.iter().flat_map(|compiler| &compiler.flags);
        notes.extend(footpath_jail::gaps(flags.any(|flag| flag == "-m32")));
    }
    notes.extend(results.iter().flat_map(cache::Results::warnings));
    notes.extend(summaries.iter().flat_map(footpath_summaries::Summaries::finish));
    notes.extend(
        options.store.iter().flat_map(|store| store.warnings().into_iter().chain(store.taken_note())),
    );
    // Several parts of the store may say the same of its folder.
    let mut said = BTreeSet::new();
    notes.retain(|note| said.insert(note.clone()));
    let report = options.selection.missed.as_ref().map(|missed| missed.from.as_str());
    let lowered = &compiled.lowered.functions;
    let missed = report.map(|report| {
        missed_lines::missed_lines(&compiled.selected, (lowered, &all), &compiled.sources, &functions, report)
    });
    let mut test_files = BTreeMap::new();
    for &i in &work {
        let function = &compiled.lowered.functions[i];
        let of_this = |f: &&FunctionResult| f.span == function.span && f.name == function.name;
        let file = functions.iter().find(of_this).and_then(|f| f.file.clone());
        test_files.extend(file.map(|f| (f, function.function.module as usize)));
    }
    let of_the_user =
        |f: &&footpath_frontend::c::LoweredFunction| (f.function.module as usize) < compiled.files.len();
    let known = compiled.lowered.functions.iter().filter(of_the_user).map(|f| f.name.clone()).collect();
    let files =
        compiled.files.iter().cloned().zip(compiled.compilers.iter().map(|c| c.flags.clone())).collect();
    let listed = listed(&compiled);
    Ok(Run {
        files,
        read: compiled.read,
        missed,
        part,
        listed,
        functions,
        known,
        test_files,
        left_out: compiled.left_out,
        compiler: compiled.compiler.program,
        replaced: compiled.replaced,
        sampled: compiled.natives.as_ref().map(sampling::Library::sampled).unwrap_or_default(),
        diagnostics: compiled.diagnostics,
        sources: compiled.sources,
        notes,
    })
}

/// A note that results are taken from the store, if any are.
pub fn recalled_note(functions: &[FunctionResult]) -> Option<String> {
    let recalled = functions.iter().filter(|f| f.statistics.recalled).count();
    (recalled > 0).then(|| {
        format!(
            "the results of {recalled} of {} functions are taken from the store, where an earlier run left them",
            functions.len()
        )
    })
}

/// The files in which the user's functions have code.
fn listed(compiled: &compile::Compiled) -> Vec<FileId> {
    let of_the_user =
        |f: &&footpath_frontend::c::LoweredFunction| (f.function.module as usize) < compiled.files.len();
    let functions = compiled.lowered.functions.iter().filter(of_the_user);
    let files =
        functions.flat_map(|f| f.lines.values().flatten().map(|(file, _)| *file).chain([f.span.file]));
    files.collect::<BTreeSet<FileId>>().into_iter().collect()
}

/// A note that functions are not analysed because nothing in them is selected.
fn skipped(options: &Options, skipped: usize, all: usize) -> String {
    let why = match (&options.selection.missed, &options.selection.changed) {
        (Some(missed), None) => format!("{} calls no line in them missed", missed.from),
        (None, Some(changed)) => format!("neither they nor what they call changed, by {}", changed.from),
        _ => "nothing in them is selected".to_owned(),
    };
    format!("{skipped} of {all} functions are not analysed: {why}")
}

/// Tests each of the `open` functions by itself; the results of the others are known. Those that are doubted are held
/// against the new ones. What their tests show of `all` functions is counted nowhere yet.
fn each_function(
    context: &Context,
    (known, doubted): (Numbered, Numbered),
    (open, all, deadline): (&[usize], &[usize], Option<Deadline>),
    results: Option<&cache::Results<'_>>,
) -> (Vec<(usize, FunctionResult)>, Cases, CrossEvidence) {
    for (index, (result, _)) in &known {
        (context.events)(Event::Started(context.compiled.lowered.functions[*index].name.clone()));
        tell_end(context, result);
    }
    let full = context.options.timeout;
    let keep = |context: &Context, index: usize, analysed: &Analysed| {
        let is_whole = !context.stop.load(Ordering::Relaxed) && context.options.timeout == full;
        results.iter().filter(|_| is_whole).for_each(|results| results.keep(index, analysed));
    };
    let begin = |context: &Context, index: usize| {
        let name = &context.compiled.lowered.functions[index].name;
        (context.events)(Event::Started(name.clone()));
        function::search(&recheck::context_of(context, name), index)
    };
    let end = |context: &Context, searched: function::Searched| {
        let index = searched.index;
        let name = &context.compiled.lowered.functions[index].name;
        let analysed = function::finish(&recheck::context_of(context, name), searched);
        keep(context, index, &analysed);
        tell_end(context, &analysed.0);
        analysed
    };
    let mut done = rounds::analyse_all(context, open, deadline, Steps { begin: &begin, end: &end });
    for (index, (anew, _)) in &mut done {
        if context.options.recheck.selects(&anew.name) {
            let stored = doubted.iter().find(|(i, _)| i == index).map(|(_, (stored, _))| stored);
            recheck::compare(context, results, *index, stored, anew);
        }
    }
    done.extend(known);
    done.sort_unstable_by_key(|(index, _)| *index);
    for position in callers::search(context, &mut done, deadline) {
        let (index, analysed) = &done[position];
        keep(context, *index, analysed);
    }
    let (mut functions, mut cases) = (Vec::new(), Cases::default());
    let (mut everywhere, mut clean) = (CoverageHits::default(), CoverageHits::default());
    let mut causes: FxHashMap<Origin, (usize, String)> = FxHashMap::default();
    for (index, (result, tested)) in done {
        for at in tested.caused {
            causes.entry(at).or_insert_with(|| (index, result.name.clone()));
        }
        functions.push((index, result));
        cases.insert(index, tested.cases);
        add_hits(&mut everywhere, tested.passed);
        add_hits(&mut clean, tested.clean);
    }
    let about = (context.compiled, context.options, all);
    let evidence = CrossEvidence::of(about, (&everywhere, &clean), &causes);
    (functions, cases, evidence)
}

/// The result for a function, with the outcome of its tests.
pub(crate) type Analysed = (FunctionResult, ReplayOutcome);

/// Results with the numbers of their functions.
type Numbered = Vec<(usize, Analysed)>;

/// Reports that a function is done.
fn tell_end(context: &Context, result: &FunctionResult) {
    let covered = result.objectives.iter().filter(|o| o.verdict == Verdict::Covered).count();
    (context.events)(Event::Finished(result.name.clone(), covered, result.objectives.len()));
}

/// C files as a program, for analyses other than the main job.
pub struct LoweredFiles {
    /// The program.
    pub lowered: footpath_frontend::c::Lowered,
    /// The procedures of the functions that are wanted.
    pub wanted: Vec<footpath_ir::ProcId>,
    /// All files.
    pub sources: SourceMap,
    /// The diagnostics of the front end.
    pub diagnostics: Vec<footpath_ir::diagnostic::Diagnostic>,
    /// Remarks about the run as a whole.
    pub notes: Vec<String>,
    /// How many files did not compile.
    pub left_out: usize,
}

/// Compiles and lowers the files as [`run`] does.
pub fn lower(options: &Options) -> Result<LoweredFiles, CompileError> {
    let compiled = compile::compile(options, &AtomicBool::new(false))?;
    let functions = compiled.lowered.functions.iter().enumerate();
    let wanted = functions.filter(|(i, f)| f.degraded.is_none() && compiled.is_wanted(options, &f.name, *i));
    Ok(LoweredFiles {
        wanted: wanted.map(|(_, f)| f.procedure).collect(),
        sources: compiled.sources,
        diagnostics: compiled.diagnostics,
        notes: compiled.notes,
        left_out: compiled.left_out,
        lowered: compiled.lowered,
    })
}

/// A function that a run would test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedFunction {
    /// The file that it stands in.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Its line, from 1.
    pub line: u32,
    /// How many blocks it has: a guess of what it costs.
    pub blocks: usize,
}

/// The functions that [`run`] would test, in its order, and how many files did not compile. Nothing is tested.
///
/// # Errors
/// As those of [`run`].
pub fn list(options: &Options, stop: &AtomicBool) -> Result<(Vec<ListedFunction>, usize), CompileError> {
    // Nothing is called, so no function needs a harness.
    let unit = options.entry.is_empty().then(Unit::new);
    let compiled = compile::compile(&Options { unit, ..options.clone() }, stop)?;
    let functions = &compiled.lowered.functions;
    let wanted = |&i: &usize| compiled.is_wanted(options, &functions[i].name, i);
    let all: Vec<usize> = (0..functions.len()).filter(wanted).filter(|&i| compiled.is_selected(i)).collect();
    let (work, _) = shard::selected(&compiled, options, &all);
    let listed = work.into_iter().map(|i| {
        let function = &functions[i];
        let (file, name) = shard::identity(&compiled.sources, function);
        let line = compiled.sources.file(function.span.file).position(function.span.start).line;
        let bodies = &compiled.lowered.program[function.procedure].bodies;
        ListedFunction { file, name, line, blocks: bodies.iter().map(|body| body.blocks.len()).sum() }
    });
    Ok((listed.collect(), compiled.left_out))
}

/// Removes ranges in models of the library from explanations, as the user only sees the call.
fn leave_out_models(functions: &mut [FunctionResult], sources: &SourceMap, work: &Path) {
    // What lies below the current folder is named from there.
    let here = std::env::current_dir().unwrap_or_default();
    let is_ours = |span: &Span| here.join(&sources.file(span.file).name).starts_with(here.join(work));
    for objective in functions.iter_mut().flat_map(|f| &mut f.objectives) {
        objective.explanation.retain(|span| !is_ours(span));
    }
}
