//! Compilation: C files become a lowered program, with the user's compiler and through LLVM's text.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use footpath_frontend::c::TestAssumption;
use footpath_frontend::c::source::source_access::SourceAccess;
use footpath_frontend::{c, llvm};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{FileId, SourceFile, SourceMap};
use footpath_ir::{AssertKind, Body, ProcId};
use footpath_replay::{Compiler, NativeError, Preparation, source_flags, words};
use footpath_summaries::digest;

use crate::Options;
use crate::cache::{FileFingerprints, ProjectFolder, Translations};
use crate::callee_files;
use crate::claims;
use crate::objectives::Target;
use crate::omissions::Omissions;
use crate::selection::Selected;
use crate::shard;
use crate::source_files::SourceFiles;
use crate::starts::Starts;
use crate::strategy::sampling::Library;
use crate::translation::{self, Translation, Unit, Wanted, texts};
use crate::workers::in_parallel;

/// Why the files could not be analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// No clang was found that runs; why one that is there does not, if there is one.
    NoClang(Option<String>),
    /// A file or folder is not usable: which, and why.
    File(String, String),
    /// There is no function of that name to start with.
    NoEntry(String),
    /// The compiler rejected every file; its error output.
    Refused(String),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::NoClang(Some(why)) => write!(f, "no clang runs here: {why}"),
            CompileError::NoClang(None) => f.write_str(
                "no clang was found that runs here; install one (Debian's package is `clang`) or name it with --clang",
            ),
            CompileError::File(name, why) => write!(f, "{name}: {why}"),
            CompileError::NoEntry(name) => {
                write!(f, "there is no function `{name}` with a body that the program could start with")
            }
            CompileError::Refused(said) => f.write_str(said.trim_end()),
        }
    }
}

impl std::error::Error for CompileError {}

/// A lowered program and what belongs to it.
pub(crate) struct Compiled {
    pub(crate) lowered: c::Lowered,
    /// Where runs start.
    pub(crate) starts: Starts,
    /// Whether proofs need a program of their own, see [`Self::proof_program`].
    needs_proof_program: bool,
    differing: Differing,
    proofs: OnceLock<c::Lowered>,
    /// The modules from which the other programs are lowered.
    again: Again,
    /// See [`Self::out_of_bounds_program`].
    out_of_bounds_program: OnceLock<c::Lowered>,
    /// See [`Self::overflow_program`].
    overflow_program: OnceLock<c::Lowered>,
    /// The sampled functions.
    pub(crate) natives: Option<Library>,
    /// The names that the C library defines.
    pub(crate) library_functions: BTreeSet<String>,
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) notes: Vec<String>,
    pub(crate) compiler: Compiler,
    /// For each module the compiler with the flags of its file.
    pub(crate) compilers: Vec<Compiler>,
    /// For each module the C file it was made from.
    pub(crate) files: Vec<PathBuf>,
    /// These and their headers: what the compiler read.
    pub(crate) read: BTreeSet<PathBuf>,
    /// For each of these, how long the compiler took.
    pub(crate) compile_times: Vec<Duration>,
    /// How many of the files that were named cannot be used or do not compile.
    pub(crate) left_out: usize,
    /// The number of files, the first ones, whose functions are analysed for themselves; the others are for what they call.
    pub(crate) wanted_files: usize,
    /// What is analysed.
    pub(crate) selected: Selected,
    /// See [`Self::library`].
    library: OnceLock<Result<Option<PathBuf>, String>>,
    /// The working folder, and how many files are compiled at a time.
    work: (PathBuf, usize),
    /// See [`Self::words`].
    words: Vec<OnceLock<BTreeSet<String>>>,
    /// The library functions that tests replace, as a file for the linker.
    pub(crate) replaced: String,
    /// What the program for tests leaves out.
    pub(crate) omissions: OnceLock<Omissions>,
    /// Everything from which the program, its tests and what they are linked with are built; `None` if it is not known, or if
    /// nothing is cached.
    pub(crate) made_of: Option<MadeOf>,
}

/// What a program and its tests are built from.
pub(crate) struct MadeOf {
    /// A digest of the compilers with their flags and libraries.
    pub(crate) tools: String,
    /// A digest of the texts of all sources, in which ranges are numbers of bytes.
    pub(crate) sources: String,
    /// For each module its functions.
    pub(crate) files: Vec<FileFingerprints>,
}

/// Where the program for tests does less than the one for proofs.
struct Differing {
    /// Whether any procedure may.
    everywhere: bool,
    /// The procedures that do.
    procedures: BTreeSet<ProcId>,
}

/// The modules and options for lowering the program for proofs.
struct Again {
    modules: Vec<llvm::ast::Module>,
    sources: SourceMap,
    lowering: c::Options,
    starts: Starts,
}

impl Again {
    fn lower(&self, lowering: &c::Options) -> c::Lowered {
        let is_called = |name: &str| self.starts.is_program() && self.starts.has(name);
        let mut lowered = c::lower(&self.modules, self.sources.clone(), lowering, &is_called).0;
        claims::disbelieve(&mut lowered.program);
        lowered
    }
}

impl Compiled {
    /// Prepares in advance what the first function would otherwise have to wait for.
    pub(crate) fn make_ready(&self) {
        self.proof_program();
        self.library();
    }

    /// The program for proofs. If it matters, it differs from the one for tests: external functions may change memory
    /// and return anything.
    pub(crate) fn proof_program(&self) -> &c::Lowered {
        match self.needs_proof_program {
            true => self.proofs.get_or_init(|| self.again.lower(&self.again.lowering)),
            false => &self.lowered,
        }
    }

    /// Whether some procedures and their callees do less in the program for tests than in the one for proofs, so that it proves
    /// nothing that no test reaches a place.
    pub(crate) fn proofs_differ(&self, from: &[ProcId]) -> bool {
        let Differing { everywhere, procedures } = &self.differing;
        if *everywhere || procedures.is_empty() {
            return *everywhere;
        }
        // A procedure without a body is called, and not among those that are reached.
        let program = &self.lowered.program;
        program.reachable(from).iter().any(|p| {
            procedures.contains(p)
                || program[*p].bodies.iter().flat_map(Body::calls).any(|c| procedures.contains(&c))
        })
    }

    /// All files as a library, for tests of functions that call into other files; `None` if there is only one file,
    /// or if it cannot be built.
    pub(crate) fn library(&self) -> Option<&Path> {
        let (work, jobs) = &self.work;
        let made = self.library.get_or_init(|| {
            library(&self.compilers, &self.files, work, *jobs).map_err(|why| why.to_string())
        });
        made.as_ref().ok()?.as_deref()
    }

    /// The words of a module's file, which tests that include it use for nothing else.
    pub(crate) fn words(&self, module: u32) -> &BTreeSet<String> {
        let read = || std::fs::read_to_string(&self.files[module as usize]).unwrap_or_default();
        self.words[module as usize].get_or_init(|| words(&read()))
    }

    /// A note for the user if the library could not be built.
    pub(crate) fn library_note(&self) -> Option<String> {
        let why = self.library.get()?.as_ref().err()?;
        Some(format!("tests are not linked with the program's other files: {why}"))
    }

    /// The program for proofs in which runs go on after accesses that are out of bounds. Its functions are in the
    /// same order, and the files are read in the same order, so source ranges are the same in all programs.
    pub(crate) fn out_of_bounds_program(&self) -> &c::Lowered {
        self.out_of_bounds_program.get_or_init(|| {
            self.again.lower(&c::Options { continue_out_of_bounds: true, ..self.again.lowering.clone() })
        })
    }

    /// The program for proofs in which each overflow of a signed integer is marked, whatever checks were asked for. Functions and source
    /// ranges are those of the others.
    pub(crate) fn overflow_program(&self) -> &c::Lowered {
        self.overflow_program.get_or_init(|| {
            let mut options = c::Options { continue_out_of_bounds: false, ..self.again.lowering.clone() };
            options.checks.insert(AssertKind::Overflow);
            self.again.lower(&options)
        })
    }

    /// The procedures that may run asynchronously, and their callees: that no run of the program from its entry
    /// reaches them proves nothing.
    pub(crate) fn runs_async(&self) -> BTreeSet<ProcId> {
        let from: Vec<ProcId> = self.lowered.async_entry_points.iter().copied().collect();
        self.lowered.program.reachable(&from).into_iter().collect()
    }

    /// Whether a function is to be tested.
    pub(crate) fn is_wanted(&self, options: &Options, name: &str, index: usize) -> bool {
        let module = self.lowered.functions[index].function.module as usize;
        module < self.wanted_files && is_wanted(options, name)
    }

    /// Whether a function is selected, or where runs start.
    pub(crate) fn is_selected(&self, index: usize) -> bool {
        let function = &self.lowered.functions[index];
        self.selected.has(function) || self.starts.has(&function.name)
    }

    /// The objectives of a function that are selected.
    pub(crate) fn targets(
        &self,
        function: &c::LoweredFunction,
        checks: &BTreeSet<AssertKind>,
    ) -> Vec<Target> {
        self.selected.targets((&self.lowered.program, &self.sources), function, checks)
    }
}

fn is_wanted(options: &Options, name: &str) -> bool {
    options.functions.is_empty() || options.functions.iter().any(|f| f == name)
}

/// The newest clang on the search path.
///
/// # Errors
/// Why the first one that is there does not run; nothing if there is none.
pub fn find_clang() -> Result<String, Option<String>> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |name: &String| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    let numbered = (14..40).rev().map(|n| format!("clang-{n}"));
    let mut first = None;
    for name in std::iter::once("clang".to_owned()).chain(numbered).filter(is_there) {
        match footpath_replay::compiler_version(&name) {
            Ok(_) => return Ok(name),
            Err(why) => first = first.or(Some(why.to_string().trim().to_owned())),
        }
    }
    Err(first)
}

/// The compiler with the flags for all files, and the folder for what it makes.
fn compiler(options: &Options) -> Result<(Compiler, PathBuf), CompileError> {
    let clang = match &options.clang {
        Some(named) => named.clone(),
        None => find_clang().map_err(CompileError::NoClang)?,
    };
    let here = std::env::current_dir().map_err(|e| CompileError::File(".".to_owned(), e.to_string()))?;
    let work = options.out.join("work");
    std::fs::create_dir_all(&work)
        .and_then(|()| footpath_atomic_write::write(&work.join("footpath.h"), footpath_replay::HEADER))
        .map_err(|e| CompileError::File(work.display().to_string(), e.to_string()))?;
    let headers = here.join(&work);
    let (flags, keeps_names) = (source_flags(&options.flags), options.criterion.has_decisions());
    Ok((Compiler { program: clang, flags, folder: here, headers, keeps_names }, work))
}

/// Starts to compile the shared objects of tests in the background, if there are any files.
pub(crate) fn prepare(options: &Options) -> Option<Preparation> {
    let (compiler, work) = compiler(options).ok()?;
    let flags = options.flags_of(options.files.first()?);
    Some(Preparation::begin(&Compiler { flags, ..compiler }, &work))
}

/// Compiles, reads and lowers the files. When `stop` is set, no further harnesses are built.
pub(crate) fn compile(options: &Options, stop: &AtomicBool) -> Result<Compiled, CompileError> {
    let (compiler, work) = compiler(options)?;
    let here = compiler.folder.clone();
    let (callee_files, unseen) = callee_files::needed(options, &compiler, &work);
    let translated = translate(options, &callee_files, &compiler, &here, &work)?;
    let Translated { mut sources, mut modules, mut diagnostics, mut notes, .. } = translated;
    let Translated {
        files,
        read,
        macros,
        words,
        fingerprints,
        compile_times,
        compilers,
        left_out,
        wanted_files,
        ..
    } = translated;
    let unreached = translated.unreached;
    let strict_aliasing = !translated.breaks_aliasing;
    if !callee_files.is_empty() {
        let names: Vec<String> = callee_files.iter().map(|file| file.display().to_string()).collect();
        notes.push(format!("analysed along, as they define what is called: {}", names.join(", ")));
    }
    if unseen > 0 {
        notes.push(format!("{unseen} files of the database were not looked at for what is called"));
    }
    let own: BTreeSet<String> = modules.iter().flat_map(own_functions).collect();
    let narrow = models(&compiler, &work, options, &mut sources, &mut modules, &mut notes);
    let library_functions = compiler.library_functions();
    let mut lowering = c::Options {
        user_modules: files.len(),
        strict_aliasing,
        decisions: options.criterion.has_decisions(),
        library: library_functions.clone(),
        macros,
        words,
        unreached,
        access: access(&here, &work, &files, &read),
        ..options.lowering.clone()
    };
    let starts = Starts::of(&options.entry, options.prefers_main, &modules[..wanted_files])?;
    lowering.harness.whole_program = starts.is_program();
    let is_called = |name: &str| match &starts {
        Starts::Program(_) | Starts::Library(_) => starts.has(name),
        Starts::Functions => is_wanted(options, name) && !stop.load(Ordering::Relaxed),
    };
    if options.lowering.conservative_externals && !starts.is_program() {
        c::interpose(&mut modules);
    }
    let before = sources.clone();
    let in_part = |functions: &[c::LoweredFunction], sources: &SourceMap| {
        let is_wanted = |f: &c::LoweredFunction| {
            (f.function.module as usize) < wanted_files && is_wanted(options, &f.name)
        };
        match &starts {
            Starts::Functions => shard::may_be_selected(options, functions, sources, &is_wanted),
            Starts::Program(_) | Starts::Library(_) => vec![true; functions.len()],
        }
    };
    let lower = |sources: SourceMap, lowering: &c::Options| {
        c::lower_part(&modules, sources, lowering, &is_called, &in_part)
    };
    let (mut lowered, mut sources, more) = lower(sources, &lowering);
    diagnostics.extend(more);
    let mut natives = match &options.sample {
        Some(wanted) => Library::open(wanted, &lowered, &compilers[0], &work, &mut notes),
        None => None,
    };
    // A call that ends the program as a failure, such as that of a false assertion, is none.
    let bodies = lowered.program.procedures.iter().flat_map(|p| &p.bodies);
    let called: BTreeSet<ProcId> = bodies.flat_map(Body::calls).collect();
    let unknown =
        |s: &c::Stub| called.contains(&s.procedure) && !c::source::library_models::gives_input(&s.name);
    let mut differing = Differing {
        everywhere: lowered.test_assumptions.iter().any(|(_, what)| *what == TestAssumption::NearestRounding),
        procedures: lowered.opaque.union(&lowered.may_alias).copied().collect(),
    };
    // The search for tests is guided by claims.
    differing.procedures.extend(claims::claiming(&lowered.program));
    differing.procedures.extend(lowered.test_assumptions.iter().map(|(procedure, _)| *procedure));
    differing.procedures.extend(lowered.stubs.iter().filter(|&s| unknown(s)).map(|s| s.procedure));
    for function in &lowered.functions {
        let is_narrow = function.function.module as usize >= modules.len() - narrow;
        if is_narrow || function.degraded.is_some() {
            differing.procedures.insert(function.procedure);
        }
        let module = &modules[function.function.module as usize];
        let body = &module.functions[function.function.index as usize].body;
        differing.everywhere |= matches!(body, llvm::ast::Body::Unreadable(_));
    }
    let needs_proof_program = narrow > 0 || differing.everywhere || !differing.procedures.is_empty();
    if let Some(natives) = &mut natives {
        lowering.sampled = natives.names();
        (lowered, sources, _) = lower(before.clone(), &lowering);
        natives.link(&lowered);
    }
    modules.truncate(modules.len() - narrow);
    if !starts.is_program() {
        c::interpose(&mut modules);
    }
    let again = Again {
        modules,
        sources: before,
        lowering: c::Options { conservative_externals: true, sampled: BTreeSet::new(), ..lowering },
        starts: starts.clone(),
    };
    let of_the_user: Vec<&c::LoweredFunction> =
        lowered.functions.iter().filter(|f| (f.function.module as usize) < files.len()).collect();
    let selected = Selected::of(options, (&lowered.program, &of_the_user, &sources), &mut notes)?;
    let made_of = options.store.as_ref().and_then(|_| made_of(&compilers, &files, fingerprints, &sources));
    Ok(Compiled {
        lowered,
        starts,
        needs_proof_program,
        differing,
        proofs: OnceLock::new(),
        again,
        out_of_bounds_program: OnceLock::new(),
        overflow_program: OnceLock::new(),
        natives,
        library_functions,
        sources,
        diagnostics,
        notes,
        compiler,
        compilers,
        words: files.iter().map(|_| OnceLock::new()).collect(),
        files,
        read,
        compile_times,
        left_out,
        wanted_files,
        selected,
        library: OnceLock::new(),
        work: (work, options.jobs),
        replaced: footpath_replay::replaced_functions(&|name| own.contains(name)),
        omissions: OnceLock::new(),
        made_of,
    })
}

/// Which sources may be shown: what compilers read, and what is in the working folder and in those of the files that are named.
fn access(here: &Path, work: &Path, files: &[PathBuf], read: &BTreeSet<PathBuf>) -> SourceAccess {
    let mut access = SourceAccess::default();
    read.iter().for_each(|file| access.add_file(file));
    let folders = files.iter().filter_map(|file| file.parent());
    folders.chain([here, work]).for_each(|folder| access.add_folder(folder));
    access
}

/// What the modules are made from. The compiler's output is determined by it; it is not looked at itself, as it contains the name
/// of the working folder. Files and folders of headers are named as they lie from there, so that they may be elsewhere.
fn made_of(
    compilers: &[Compiler],
    files: &[PathBuf],
    fingerprints: Vec<Option<FileFingerprints>>,
    sources: &SourceMap,
) -> Option<MadeOf> {
    let mut parts = Vec::new();
    let mut surroundings: Vec<(&[String], String)> = Vec::new();
    for (compiler, file) in compilers.iter().zip(files) {
        // What is no C the preprocessor says nothing of.
        if file.extension().is_none_or(|ending| ending != "c" && ending != "i") {
            return None;
        }
        if !surroundings.iter().any(|(flags, _)| *flags == compiler.flags) {
            surroundings.push((&compiler.flags, digest(compiler.surroundings()?)));
        }
        let project = ProjectFolder::new(&compiler.folder);
        let (file, flags) = (project.path(file), project.flags(&compiler.flags));
        parts.push(format!("{} {flags:?} {}", file.display(), compiler.program));
    }
    parts.extend(surroundings.into_iter().map(|(_, digest)| digest));
    let made = |file: &SourceFile| file.name.ends_with(".ll");
    let texts = sources.files().filter(|(_, file)| !made(file)).map(|(_, file)| digest(&*file.text));
    Some(MadeOf {
        tools: digest(parts.join("\n")),
        sources: digest(texts.collect::<Vec<_>>().join("\n")),
        files: fingerprints.into_iter().collect::<Option<_>>()?,
    })
}

/// The files after compilation to LLVM's text, parsed.
#[derive(Default)]
struct Translated {
    sources: SourceMap,
    modules: Vec<llvm::ast::Module>,
    diagnostics: Vec<Diagnostic>,
    notes: Vec<String>,
    files: Vec<PathBuf>,
    /// How many of them are analysed for themselves; they come first.
    wanted_files: usize,
    /// These and their headers.
    read: BTreeSet<PathBuf>,
    macros: Vec<BTreeSet<String>>,
    /// Where code begins that the compiler leaves out.
    unreached: Vec<(PathBuf, u32, u32)>,
    /// For each of several files, the identifiers in it and its headers.
    words: Vec<BTreeSet<String>>,
    /// For each file what its functions are made from, if that is asked for and known.
    fingerprints: Vec<Option<FileFingerprints>>,
    compile_times: Vec<Duration>,
    compilers: Vec<Compiler>,
    /// How many files cannot be used or do not compile.
    left_out: usize,
    /// Whether a file may access objects as what they are not.
    breaks_aliasing: bool,
}

/// Compiles the files to LLVM's text. A file that the compiler rejects is left out, unless there is no other.
fn translate(
    options: &Options,
    callee_files: &[PathBuf],
    compiler: &Compiler,
    here: &Path,
    work: &Path,
) -> Result<Translated, CompileError> {
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut units = Vec::new();
    let SourceFiles { usable, refused: mut unusable, mut notes } = SourceFiles::of(&options.files, here);
    let wanted_files = usable.len();
    let usable: Vec<&Path> = usable.into_iter().chain(callee_files.iter().map(PathBuf::as_path)).collect();
    for file in &usable {
        let source = here.join(file);
        let text = work.join(format!("{}.ll", unique_stem(&source, &mut used)));
        units.push(Unit {
            compiler: Compiler { flags: options.flags_of(file), ..compiler.clone() },
            source,
            text,
        });
    }
    let mut made = Translated::default();
    let stored = Translations::open(options);
    let wanted = Wanted::of(options, units.len());
    let contents =
        each(units.len(), options.jobs, &|i| translation::translated(&units[i], wanted, stored.as_ref()));
    notes.extend(stored.iter().flat_map(Translations::warnings));
    let (mut refused, mut failed) = (String::new(), 0);
    let results = contents.into_iter().zip(usable);
    for (number, (unit, ((content, extras), file))) in units.into_iter().zip(results).enumerate() {
        let Translation { text: content, time, read: files_read } = match content {
            Ok(translation) => translation,
            Err(NativeError::Failed(_, said)) => {
                notes.push(format!("{} does not compile and is left out", file.display()));
                failed += 1;
                refused.push_str(&said);
                continue;
            }
            Err(other) => return Err(CompileError::Refused(other.to_string())),
        };
        let (mut module, problems) = read(&unit, content, &mut made.sources);
        // What a compiler without this sanitizer does not say is not checked.
        if let Some((content, unreached)) = &extras.sanitized {
            let (sanitized, _) = llvm::parse::parse(FileId(0), content);
            llvm::take_checks(&mut module, &sanitized);
            let places = unreached.iter().map(|&(line, column)| (unit.source.clone(), line, column));
            made.unreached.extend(places);
        }
        made.diagnostics.extend(problems);
        made.modules.push(module);
        made.files.push(unit.source);
        made.wanted_files += usize::from(number < wanted_files);
        made.read.extend(files_read);
        made.macros.push(extras.macros);
        made.words.push(extras.words);
        made.fingerprints.push(extras.fingerprints);
        made.breaks_aliasing |= !extras.is_strict;
        made.compile_times.push(time);
        made.compilers.push(unit.compiler);
    }
    if made.modules.is_empty() {
        unusable.push(refused);
        return Err(CompileError::Refused(unusable.join("\n")));
    }
    let left_out = unusable.len() + failed;
    notes.extend(unusable.into_iter().map(|why| format!("{why}; the file is left out")));
    if !refused.is_empty() {
        notes.push(refused);
    }
    Ok(Translated { notes, left_out, ..made })
}

/// All files, each compiled with its own flags, as a library. A single file needs none.
fn library(
    compilers: &[Compiler],
    files: &[PathBuf],
    work: &Path,
    jobs: usize,
) -> Result<Option<PathBuf>, NativeError> {
    if files.len() < 2 {
        return Ok(None);
    }
    let objects: Vec<PathBuf> = (0..files.len()).map(|i| work.join(format!("other_{i}.o"))).collect();
    each(files.len(), jobs, &|i| compilers[i].to_object(&files[i], &objects[i]))
        .into_iter()
        .collect::<Result<(), NativeError>>()?;
    footpath_replay::library(&objects, work).map(Some)
}

/// The functions of a module that others can call.
fn own_functions(module: &llvm::ast::Module) -> impl Iterator<Item = String> + '_ {
    let own = |f: &&llvm::ast::Function| f.body.code().is_some() && !f.linkage.is_local();
    module.functions.iter().filter(own).map(|f| module.text(f.name).to_owned())
}

/// Compiles the models of library functions that the modules need, and adds them. A model that does not compile is
/// left out; its functions are external then. Returns how many of the last models must not be used for proofs.
fn models(
    compiler: &Compiler,
    work: &Path,
    options: &Options,
    sources: &mut SourceMap,
    modules: &mut Vec<llvm::ast::Module>,
    notes: &mut Vec<String>,
) -> usize {
    let mut needed = c::source::library_models::needed(modules);
    needed.retain(|model| !(options.lowering.conservative_externals && model.is_narrow()));
    let compiler = compiler.for_other_sources();
    let unit = |model: &c::source::library_models::Model| {
        let source = work.join(format!("model_{}", model.file));
        let flags = compiler.flags.iter().cloned().chain(model.flags()).collect();
        Unit { compiler: Compiler { flags, ..compiler.clone() }, text: source.with_extension("ll"), source }
    };
    let units: Vec<Unit> = needed.iter().map(unit).collect();
    let write = |(unit, model): (&Unit, &c::source::library_models::Model)| {
        footpath_atomic_write::write(&unit.source, model.text)
    };
    let written: Vec<std::io::Result<()>> = units.iter().zip(&needed).map(write).collect();
    let contents = texts(&units, options.jobs);
    let mut narrow = 0;
    for (((unit, model), written), content) in units.iter().zip(&needed).zip(written).zip(contents) {
        match written.map_err(|e| e.to_string()).and_then(|()| content.map_err(|e| e.to_string())) {
            Ok(content) => {
                modules.push(read(unit, content, sources).0);
                narrow += usize::from(model.is_narrow());
            }
            Err(why) => {
                notes.push(format!("the model {} of library functions is left out: {why}", model.file));
            }
        }
    }
    narrow
}

/// Calls `work` with 0 to `count` - 1, up to `jobs` at a time; the results in order.
pub(crate) fn each<T: Send>(count: usize, jobs: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let all: Vec<usize> = (0..count).collect();
    in_parallel(&all, jobs, &AtomicBool::new(false), work).into_iter().map(|(_, done)| done).collect()
}

/// The module in LLVM's text of a unit.
fn read(unit: &Unit, content: String, sources: &mut SourceMap) -> (llvm::ast::Module, Vec<Diagnostic>) {
    let id = sources.add(SourceFile::new(unit.text.display().to_string(), content));
    let (mut module, problems) = llvm::read(id, sources);
    if !unit.compiler.has_writable_literals() {
        llvm::join_string_literals(&mut module);
    }
    llvm::leave_out_unused(&mut module);
    (module, problems)
}

/// The file's name without its ending, numbered if it is taken.
fn unique_stem(path: &Path, used: &mut BTreeSet<String>) -> String {
    let stem = path.file_stem().map_or_else(|| "file".to_owned(), |s| s.to_string_lossy().into_owned());
    let mut candidate = stem.clone();
    let mut number = 2;
    while !used.insert(candidate.clone()) {
        candidate = format!("{stem}_{number}");
        number += 1;
    }
    candidate
}
