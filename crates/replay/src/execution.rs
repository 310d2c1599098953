//! Test execution: running the compiler and the tests.
//!
//! A test file is compiled to LLVM's text with the flags that the analysis used, pruned (`dead_code.rs`),
//! instrumented (`instrument.rs`), compiled further, linked, and run: each test in a process of its own, with limits
//! on time, memory and what it may write.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use footpath_frontend::llvm::{self, KEPT_APART};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_jail::{Jail, Profile, wait};
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dead_code::{mentioned_in_c, prune};
use crate::emit::TestFile;
use crate::flags::{library_flags, library_folders, machine_flags, search_flags};
use crate::inline_definitions;
use crate::instrument::{Instrumented, Point, instrument};
use crate::library_world::{REPLACED_FILE, link_flag};
use crate::runtime;
use crate::sanitize::{self, ASAN_OPTIONS, UBSAN_OPTIONS};
use crate::symbols::{exported, undefined};

/// The user's compiler.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The program, a clang.
    pub program: String,
    /// Flags for the user's code.
    pub flags: Vec<String>,
    /// The folder in which it runs.
    pub folder: PathBuf,
    /// The folder that contains `footpath.h`.
    pub headers: PathBuf,
    /// Whether LLVM's text has the names that the compiler gives to blocks and values, which decisions are recovered from.
    pub keeps_names: bool,
}

/// The C library.
const LIBRARIES: [&str; 2] = ["libc.so.6", "libm.so.6"];

/// The macros that a text of [`Compiler::preprocessed`] defines, also those that it undefines later, but for those that become their
/// own name.
pub fn macros(preprocessed: &str) -> BTreeSet<String> {
    let definitions = preprocessed.lines().filter_map(|line| line.strip_prefix("#define "));
    let is_no_part = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let name = |rest: &str| {
        let end = rest.find(is_no_part).unwrap_or(rest.len());
        (rest[end..].trim() != &rest[..end]).then(|| rest[..end].to_owned())
    };
    definitions.filter_map(name).collect()
}

/// The identifiers in a text of [`Compiler::preprocessed`]: everything that its source can name is among them.
pub fn words(preprocessed: &str) -> BTreeSet<String> {
    let is_no_part = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let words = preprocessed.split(is_no_part).filter(|word| !word.is_empty());
    words.collect::<FxHashSet<&str>>().into_iter().map(str::to_owned).collect()
}

/// Time in which tests run when all time was over before they were built.
const LEAST_FOR_RUNS: Duration = Duration::from_secs(1);
/// The least time that a test gets before others, if there is so much.
const LEAST_FOR_ONE: Duration = Duration::from_millis(200);

/// Time in which a compiler must have ended.
const TOOL: Duration = Duration::from_secs(600);

/// The resource limits of a test.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall time.
    pub time: Duration,
    /// Address space, in kilobytes.
    pub memory: u64,
    /// When the last test must have ended, if that is bounded.
    pub until: Option<Deadline>,
}

impl Limits {
    /// The limits after a build that took long: the build would be useless without a run.
    pub(crate) fn after_build(self) -> Limits {
        let least = Deadline::after(LEAST_FOR_RUNS);
        Limits { until: self.until.map(|until| until.max(least)), ..self }
    }

    /// The limits of a test that starts now; `None` if there is no time for one.
    pub(crate) fn now(self) -> Option<Limits> {
        let left = self.until.map_or(self.time, Deadline::left);
        (!left.is_zero()).then_some(Limits { time: self.time.min(left), ..self })
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(5), memory: 2_000_000, until: None }
    }
}

/// Why tests could not be built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NativeError {
    /// A program could not be started.
    Start(String, String),
    /// A program failed; its name and its error output.
    Failed(String, String),
    /// A file could not be written or read.
    File(String, String),
}

impl fmt::Display for NativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NativeError::Start(program, why) => write!(f, "`{program}` cannot be started: {why}"),
            NativeError::Failed(program, said) => write!(f, "`{program}` failed:\n{}", said.trim_end()),
            NativeError::File(name, why) => write!(f, "{name}: {why}"),
        }
    }
}

impl std::error::Error for NativeError {}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal.
    Signal(i32),
    /// It took too long.
    TimedOut,
}

/// What a test did.
#[derive(Clone, Debug)]
pub struct Observed {
    /// How it ended.
    pub ended: Ended,
    /// Whether the function returned.
    pub returned: bool,
    /// What it returned, as C.
    pub result: Option<String>,
    /// The numbers of the checks that did not hold, from 0.
    pub unmet: BTreeSet<usize>,
    /// The points of each function that it passed.
    pub points: FxHashMap<String, BTreeSet<Point>>,
    /// Whether it was killed because the time of all tests was up, so that its further course is unknown.
    pub cut: bool,
}

/// Flags for the user's code when Footpath compiles it, which enable the annotations of `footpath.h`. A header of
/// that name in the user's folders takes precedence.
pub fn header_flags(folder: &str) -> [String; 3] {
    ["-DFOOTPATH".to_owned(), "-idirafter".to_owned(), folder.to_owned()]
}

/// The name of a source's `main` in tests, which have one of their own.
pub const RENAMED: &str = "footpath_main_of_the_source";

/// The flag that renames a program's `main`.
pub const RENAMED_MAIN: &str = "-Dmain=footpath_main_of_the_source";

/// Flags that keep LLVM's text close to the source.
pub const TEXT_FLAGS: [&str; 6] =
    ["-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-inline"];

/// The flag with which the compiler keeps what nothing uses.
const ALL: &str = "-femit-all-decls";

impl Compiler {
    /// Compiles a C file to LLVM's text, which is also left in the file `out`. For analysis (`whole`) it has
    /// everything that the file defines, with debug information, and what the compiler read is listed beside it; for
    /// running, only what is used.
    pub fn to_llvm(&self, source: &Path, out: &Path, whole: bool) -> Result<String, NativeError> {
        // They say what belongs to one decision.
        let names = self.keeps_names.then(|| "-fno-discard-value-names".to_owned());
        let mut flags: Vec<String> = names.into_iter().collect();
        if !whole {
            return Ok(self.text(source, out, &flags)?.0);
        }
        let dependencies = out.with_extension(DEPENDENCIES).display().to_string();
        flags.extend(["-MD".to_owned(), "-MF".to_owned(), dependencies]);
        Ok(self.text_of_all(source, out, flags)?.0)
    }

    /// LLVM's text of a C file, which is left in `out`, and what the compiler says.
    fn text(&self, source: &Path, out: &Path, flags: &[String]) -> Result<(String, String), NativeError> {
        let mut command = self.command();
        command.args(TEXT_FLAGS).args(flags).arg(source).arg("-o").arg(out);
        let said = outputs(&command).map_err(|why| self.explain(why))?.1;
        Ok((read(out)?, said))
    }

    /// The same, with everything that the file defines.
    fn text_of_all(
        &self,
        source: &Path,
        out: &Path,
        mut flags: Vec<String>,
    ) -> Result<(String, String), NativeError> {
        // Comparisons of string literals are the source's, and not what the compiler makes of them.
        flags.extend(["-g", KEPT_APART, ALL].map(str::to_owned));
        let all = self.text(source, out, &flags)?;
        let lines = std::fs::read(self.folder.join(source)).unwrap_or_default();
        if inline_definitions::may_be_lost(&String::from_utf8_lossy(&lines), &all.0) {
            flags.pop();
            let used = self.text(source, out, &flags)?;
            if inline_definitions::are_lost(&all.0, &used.0) {
                return Ok(used);
            }
            write(out, &all.0)?;
        }
        Ok(all)
    }

    /// Whether the flags say that programs write to their string literals.
    pub fn has_writable_literals(&self) -> bool {
        self.flags.iter().any(|flag| flag == KEPT_APART)
    }

    /// The files that the compiler read for the text in `out`, a source and its headers; none of those that it was
    /// given preprocessed or translated.
    pub fn dependencies(&self, out: &Path) -> Vec<PathBuf> {
        let listed = std::fs::read_to_string(out.with_extension(DEPENDENCIES)).unwrap_or_default();
        listed_dependencies(&listed).into_iter().map(|name| self.folder.join(name)).collect()
    }

    /// The same for analysis, with the checks of the sanitizer of undefined behaviour that only the compiler's front end knows;
    /// and the lines and columns where code begins that the compiler leaves out, as no execution reaches it.
    pub fn to_sanitized_llvm(
        &self,
        source: &Path,
        out: &Path,
    ) -> Result<(String, Vec<(u32, u32)>), NativeError> {
        let asked = llvm::SANITIZED;
        let mut flags: Vec<String> = UNREACHABLE.map(str::to_owned).into();
        flags.extend([format!("-fsanitize={asked}"), format!("-fsanitize-trap={asked}")]);
        let (text, said) = self.text_of_all(source, out, flags)?;
        let lines = std::fs::read(self.folder.join(source)).unwrap_or_default();
        Ok((text, left_out(&said, source, &String::from_utf8_lossy(&lines))))
    }

    /// The preprocessed text of a C file, with all definitions of macros; `None` if the preprocessor rejects the
    /// file.
    pub fn preprocessed(&self, source: &Path) -> Option<String> {
        let mut command = self.command();
        command.args(["-w", "-E", "-dD"]).arg(source);
        output(&command).ok()
    }

    /// A fingerprint of what programs are built with besides sources and flags: the compiler's version and the C
    /// library. `None` if it cannot be determined, or if the flags name other libraries.
    pub fn surroundings(&self) -> Option<Vec<u8>> {
        if self.libraries().next().is_some() || self.flags.iter().any(|flag| flag.starts_with("-L")) {
            return None;
        }
        let mut all = compiler_version(&self.program).ok()?.into_bytes();
        let libraries = self.library_files();
        if libraries.is_empty() {
            return None;
        }
        for file in libraries {
            all.extend(std::fs::read(file).ok()?);
        }
        Some(all)
    }

    /// The files of the C library for the machine that the flags name: all in the folder of the first.
    fn library_files(&self) -> Vec<PathBuf> {
        let mut find = self.command();
        find.arg(format!("-print-file-name={}", LIBRARIES[0]));
        let Ok(found) = output(&find) else { return Vec::new() };
        LIBRARIES.iter().map(|name| Path::new(found.trim()).with_file_name(name)).collect()
    }

    /// Compiles a C file to an object for [`library`]. A file that defines `main` is taken with that renamed.
    pub fn to_object(&self, source: &Path, out: &Path) -> Result<(), NativeError> {
        let mut command = self.command();
        command.args(["-w", "-O0", RENAMED_MAIN, "-c"]).arg(source).arg("-o").arg(out);
        run(&command)
    }

    /// The error, preceded by its cause if that is a missing 32-bit C library.
    pub(crate) fn explain(&self, error: NativeError) -> NativeError {
        const SIGNS: [&str; 4] =
            ["gnu/stubs-32.h", "bits/libc-header-start.h", "skipping incompatible", "cannot find Scrt1.o"];
        let is_for_32_bits = self.flags.iter().any(|flag| flag == "-m32");
        match error {
            NativeError::Failed(program, said)
                if is_for_32_bits && SIGNS.iter().any(|sign| said.contains(sign)) =>
            {
                let cause = "with -m32 tests need a C library for 32 bits, which this machine does not have";
                NativeError::Failed(program, format!("{cause} (Debian's package is gcc-multilib)\n{said}"))
            }
            other => other,
        }
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        let headers = header_flags(&self.headers.display().to_string());
        command.current_dir(&self.folder).args(&self.flags).args(headers);
        // What it leaves when it is killed goes with this folder.
        command.env("TMPDIR", &self.headers);
        command
    }

    /// Links a program of what a command names and the functions of other files. Of functions that are there twice the
    /// first one is taken.
    pub(crate) fn link(
        &self,
        mut command: Command,
        library: Option<&Path>,
        folder: &Path,
        program: &Path,
    ) -> Result<(), NativeError> {
        command
            .args(library)
            .args(["-Wl,--allow-multiple-definition", &link_flag(&folder.display().to_string())])
            .args(self.libraries())
            .args(search_flags(&self.flags))
            .arg("-lm")
            .arg("-o")
            .arg(program);
        run(&command).map_err(|why| self.explain(why))
    }

    /// The flags that name libraries. Linkers take from an archive what is undefined before it, so these come after
    /// the sources, too.
    pub(crate) fn libraries(&self) -> impl Iterator<Item = &String> {
        library_flags(&self.flags)
    }

    /// The compiler for Footpath's own sources, without the user's include folders and macros.
    #[must_use]
    pub fn for_other_sources(&self) -> Compiler {
        Compiler { flags: machine_flags(&self.flags), ..self.clone() }
    }

    /// The compiler without those flags.
    pub(crate) fn without_libraries(&self) -> Compiler {
        let named: Vec<&String> = self.libraries().collect();
        let flags = self.flags.iter().filter(|f| !named.contains(f)).cloned().collect();
        Compiler { flags, ..self.clone() }
    }

    /// The folders in which the flags say that shared libraries are.
    pub(crate) fn library_folders(&self) -> Vec<PathBuf> {
        library_folders(&self.flags).map(|folder| self.folder.join(folder)).collect()
    }

    /// The names that the C library defines.
    pub fn library_functions(&self) -> BTreeSet<String> {
        let exported = self.library_files().into_iter().flat_map(|file| exported(&file));
        exported.chain(COMPILER_RUNTIME.map(str::to_owned)).collect()
    }
}

/// Functions of the compiler's own library that it calls for operators of complex numbers, and for powers; it is linked with
/// every program.
const COMPILER_RUNTIME: [&str; 11] = [
    "__mulsc3",
    "__muldc3",
    "__mulxc3",
    "__multc3",
    "__divsc3",
    "__divdc3",
    "__divxc3",
    "__divtc3",
    "__powisf2",
    "__powidf2",
    "__powixf2",
];

/// What a compiler says of its version, and for which machine it compiles by default. It is asked once.
///
/// # Errors
/// Why it does not run.
pub fn compiler_version(program: &str) -> Result<String, NativeError> {
    static KNOWN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    if let Some(version) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(program) {
        return Ok(version.clone());
    }
    let version = output(Command::new(program).arg("--version"))?;
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(program.to_owned(), version.clone());
    Ok(version)
}

/// The ending of the file in which a compiler lists what it read.
const DEPENDENCIES: &str = "d";

/// The names behind the target in a rule of a Makefile, as compilers write it.
fn listed_dependencies(rule: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut characters = rule.split_once(": ").map_or("", |(_, names)| names).chars().peekable();
    while let Some(c) = characters.next() {
        let is_last = |names: &Vec<String>| names.last().is_some_and(String::is_empty);
        match (c, characters.peek()) {
            ('\\', Some('\n')) => {}
            ('\\', Some(&escaped @ (' ' | '#' | '\\'))) | ('$', Some(&escaped @ '$')) => {
                characters.next();
                names.last_mut().into_iter().for_each(|name| name.push(escaped));
            }
            (' ' | '\n', _) if is_last(&names) => {}
            (' ' | '\n', _) => names.push(String::new()),
            _ => names.last_mut().into_iter().for_each(|name| name.push(c)),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Makes a library of objects, from which the linker takes what tests of other files need.
pub fn library(objects: &[PathBuf], folder: &Path) -> Result<PathBuf, NativeError> {
    let library = folder.join("libothers.a");
    let _ = std::fs::remove_file(&library);
    let mut archive = Command::new("ar");
    archive.arg("rcs").arg(&library).args(objects);
    run(&archive)?;
    Ok(library)
}

pub(crate) fn run(command: &Command) -> Result<(), NativeError> {
    output(command).map(drop)
}

/// The flags for warnings of code that is never executed, and of nothing else.
const UNREACHABLE: [&str; 5] = [
    "-Wno-everything",
    "-Wno-error",
    "-Wunreachable-code",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
];

/// Where in a source such code begins, by the compiler's warnings.
fn left_out(said: &str, source: &Path, text: &str) -> Vec<(u32, u32)> {
    let place = |line: &str| {
        let (place, _) = line.split_once(": warning: code will never be executed")?;
        let mut parts = place.rsplitn(3, ':');
        let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        let is_own = Path::new(file) == source;
        Some((line.parse().ok()?, column.parse().ok()?)).filter(|_| is_own)
    };
    let is_code = |&(line, column): &(u32, u32)| {
        let line = text.lines().nth((line as usize).saturating_sub(1));
        line.and_then(|line| line.get((column as usize).saturating_sub(1)..))
            .is_none_or(|rest| !only_declares(rest))
    };
    said.lines().filter_map(place).filter(is_code).collect()
}

/// Whether a statement does nothing: it declares something without a first value, as before the first case of a `switch`.
fn only_declares(text: &str) -> bool {
    const JUMPS: [&str; 4] = ["break", "continue", "goto", "return"];
    let statement = text.split(';').next().unwrap_or_default();
    let words = statement.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    text.contains(';')
        && !statement.contains(['=', '(', '{', '+', '-'])
        && words.len() >= 2
        && words.first().is_some_and(|first| !JUMPS.contains(first))
}

/// Runs a compiler or another tool, with a limit on its time; returns its output.
fn output(command: &Command) -> Result<String, NativeError> {
    outputs(command).map(|(output, _)| output)
}

/// The same; returns what it says as well.
fn outputs(command: &Command) -> Result<(String, String), NativeError> {
    let name = command.get_program().to_string_lossy().into_owned();
    let cannot_start = |why: String| NativeError::Start(name.clone(), why);
    let limited = Jail { seconds: TOOL.as_secs(), file_size: u64::MAX, ..Jail::new(Profile::Compiler) };
    let mut command = limited.around(command).map_err(|why| cannot_start(why.to_string()))?;
    let output = footpath_jail::output(&mut command, TOOL).map_err(|why| cannot_start(why.to_string()))?;
    let Some(output) = output else {
        let why = format!("`{name}` did not end within {} s", TOOL.as_secs());
        return Err(NativeError::Failed(name, why));
    };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok((String::from_utf8_lossy(&output.stdout).into_owned(), said));
    }
    if output.status.code() == Some(footpath_jail::FAILED) {
        return Err(cannot_start(said));
    }
    let silent = said.trim().is_empty();
    let ended = format!("`{name}` ended with {} and said nothing", output.status);
    Err(NativeError::Failed(name, if silent { ended } else { said }))
}

pub(crate) fn read(path: &Path) -> Result<String, NativeError> {
    std::fs::read_to_string(path).map_err(|e| NativeError::File(path.display().to_string(), e.to_string()))
}

/// Writes a file atomically, as others may be reading it: shared files are written by the tests of each function.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), NativeError> {
    if std::fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    footpath_atomic_write::write(path, text)
        .map_err(|e| NativeError::File(path.display().to_string(), e.to_string()))
}

/// A number that no other temporary file of this process has.
pub(crate) fn next_number() -> usize {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// A compiled program of tests.
#[derive(Debug)]
pub struct TestProgram {
    compiler: Compiler,
    /// Where it was built.
    pub folder: PathBuf,
    /// The name of its files, without ending.
    pub name: String,
    program: PathBuf,
    instrumented: Instrumented,
}

/// Where a program of tests is built.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// The compiler of the source.
    pub compiler: &'a Compiler,
    /// The folder for all files.
    pub folder: &'a Path,
    /// Their name, without ending.
    pub name: &'a str,
    /// The functions of other files.
    pub library: Option<&'a Path>,
    /// The text of [`crate::replaced_functions`].
    pub replaced: &'a str,
}

impl TestProgram {
    /// Runs tests by their numbers, from 1 on, or the first of them for which there is time.
    pub fn run(&self, tests: &[usize], limits: Limits) -> Result<Vec<Observed>, NativeError> {
        let limits = limits.after_build();
        let mut observed = Vec::with_capacity(tests.len());
        for (position, &number) in tests.iter().enumerate() {
            let Some(mut now) = limits.now() else { break };
            if let Some(until) = limits.until.filter(|_| position + 1 < tests.len()) {
                // One that never ends leaves time to the others.
                now.time = now.time.min((until.left() / 2).max(LEAST_FOR_ONE));
            }
            let one = run_test(self, number, now)?;
            observed.push(Observed { cut: one.ended == Ended::TimedOut && now.time < limits.time, ..one });
        }
        Ok(observed)
    }
}

/// Builds the tests of a test file; `wanted` says which functions are instrumented for coverage.
pub fn build_tests(
    build: Build<'_>,
    file: &TestFile,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<TestProgram, NativeError> {
    let Build { compiler, folder, name, library, replaced } = build;
    let at = |ending: &str| folder.join(format!("{name}{ending}"));
    runtime::write_sources(folder)?;
    write(&folder.join(REPLACED_FILE), replaced)?;
    let source = at(".c");
    write(&source, &file.tests)?;
    let mut others = runtime::plain_objects(&compiler.for_other_sources(), folder)?;
    let mut link = compiler.command();
    link.args(&others);
    others.extend(library.map(Path::to_path_buf));
    let text = at(".ll");
    let whole = compiler.to_llvm(&source, &text, false)?;
    let asked_for = AskedFor::by(&others, &file.stubs)?;
    let pruned = prune(&whole, &|name| asked_for.contains(name));
    write(&at(UNREACHED), &ignore_list(&pruned.dropped))?;
    let instrumented = instrument_text(&text, &pruned.text, wanted);
    write(&text, &instrumented.text)?;
    link.args(["-w", "-O0", "-Wno-override-module"]).arg(&text);
    if !file.stubs.is_empty() {
        let stubs = at("_stubs.c");
        write(&stubs, &file.stubs)?;
        link.arg(stubs);
    }
    let program = at(".program");
    // What the test file includes is there already, and what it shares with others of the library is the same.
    compiler.link(link, library, folder, &program)?;
    sanitize::forget(folder, name);
    let (compiler, folder, name) = (compiler.clone(), folder.to_owned(), name.to_owned());
    Ok(TestProgram { compiler, folder, name, program, instrumented })
}

/// Whether a compiler accepts a test file. It is written into a folder, where it may replace another one.
pub fn compiles(compiler: &Compiler, folder: &Path, file: &TestFile) -> Result<(), NativeError> {
    std::fs::create_dir_all(folder)
        .map_err(|e| NativeError::File(folder.display().to_string(), e.to_string()))?;
    runtime::write_sources(folder)?;
    let source = folder.join(format!("accepted_{}.c", next_number()));
    write(&source, &file.tests)?;
    let mut command = compiler.command();
    command.args(["-w", "-fsyntax-only"]).arg(&source);
    run(&command)
}

/// The names that a test file must define because other objects use them.
pub(crate) struct AskedFor<'t> {
    by_objects: Arc<FxHashSet<String>>,
    by_stubs: FxHashSet<&'t str>,
}

impl<'t> AskedFor<'t> {
    /// The undefined symbols of objects and libraries, and the names in the text of the stubs.
    pub(crate) fn by(objects: &[PathBuf], stubs: &'t str) -> Result<AskedFor<'t>, NativeError> {
        Ok(AskedFor { by_objects: undefined_symbols(objects)?, by_stubs: mentioned_in_c(stubs).collect() })
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.by_objects.contains(name) || self.by_stubs.contains(name)
    }
}

/// Objects as they were when they were looked at.
type Seen = Vec<(PathBuf, Option<SystemTime>)>;

/// The undefined symbols of objects and libraries. The tests of all functions share these, so the result is cached as
/// long as the files are unchanged.
fn undefined_symbols(objects: &[PathBuf]) -> Result<Arc<FxHashSet<String>>, NativeError> {
    static KNOWN: Mutex<BTreeMap<Seen, Arc<FxHashSet<String>>>> = Mutex::new(BTreeMap::new());
    let modified = |path: &PathBuf| path.metadata().and_then(|m| m.modified()).ok();
    let seen: Seen = objects.iter().map(|path| (path.clone(), modified(path))).collect();
    if let Some(names) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&seen) {
        return Ok(Arc::clone(names));
    }
    let mut names = FxHashSet::default();
    objects.iter().try_for_each(|path| undefined(path, &mut names))?;
    let names = Arc::new(names);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(seen, Arc::clone(&names));
    Ok(names)
}

/// The extension of the file that lists functions which tests cannot reach, and which are not instrumented by
/// sanitizers.
pub(crate) const UNREACHED: &str = ".unreached";

/// An ignore list for the compiler's sanitizers.
fn ignore_list(functions: &BTreeSet<String>) -> String {
    functions.iter().map(|name| format!("fun:{name}\n")).collect()
}

fn instrument_text(path: &Path, text: &str, wanted: &dyn Fn(&str) -> bool) -> Instrumented {
    let mut sources = SourceMap::new();
    let id = sources.add(SourceFile::new(path.display().to_string(), text.to_owned()));
    let (module, _) = llvm::read(id, &sources);
    instrument(&module, text, wanted)
}

/// Starts a test confined. Its standard error goes to `said`.
pub(crate) fn start(
    jail: &Jail,
    program: &Path,
    number: usize,
    folder: &Path,
    said: Stdio,
) -> Result<Child, NativeError> {
    start_with(jail, program, &[number.to_string()], folder, said)
}

/// Starts a program confined, with arguments.
pub(crate) fn start_with(
    jail: &Jail,
    program: &Path,
    arguments: &[String],
    folder: &Path,
    said: Stdio,
) -> Result<Child, NativeError> {
    let failed = |why: String| NativeError::Start(program.display().to_string(), why);
    let mut command = jail.command(program, true).map_err(|why| failed(why.to_string()))?;
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(said);
    command.env("ASAN_OPTIONS", ASAN_OPTIONS).env("UBSAN_OPTIONS", UBSAN_OPTIONS);
    let mut child = command.spawn().map_err(|e| failed(e.to_string()))?;
    let mut why = String::new();
    // It is closed when the program starts.
    let mut launcher = child.stdout.take();
    if launcher.as_mut().is_some_and(|pipe| pipe.read_to_string(&mut why).is_err()) || !why.is_empty() {
        let _ = child.kill();
        let _ = child.wait();
        return Err(failed(why));
    }
    Ok(child)
}

fn run_test(tests: &TestProgram, number: usize, limits: Limits) -> Result<Observed, NativeError> {
    let TestProgram { compiler, folder, name, program, instrumented } = tests;
    let counters = folder.join(format!("{name}.counters"));
    let result = folder.join(format!("{name}.result"));
    let zeros = vec![0; instrumented.count.max(1)];
    for (file, content) in [(&counters, &zeros[..]), (&result, &[])] {
        std::fs::write(file, content)
            .map_err(|e| NativeError::File(file.display().to_string(), e.to_string()))?;
    }
    let shared = vec![("FOOTPATH_COUNTERS", counters.clone()), ("FOOTPATH_RESULT", result.clone())];
    let jail = Jail {
        memory: Some(limits.memory),
        seconds: limits.time.as_secs() + 1,
        readable: compiler.library_folders(),
        shared,
        ..Jail::new(Profile::Test)
    };
    let mut child = start(&jail, program, number, folder, Stdio::null())?;
    let ended = match wait(&mut child, limits.time) {
        Some(status) => match status.signal() {
            Some(signal) => Ended::Signal(signal),
            None => Ended::Exited(status.code().unwrap_or(-1)),
        },
        None => Ended::TimedOut,
    };
    let counted = std::fs::read(&counters).unwrap_or_default();
    let shown = std::fs::read_to_string(&result).unwrap_or_default();
    let unmet = shown.lines().filter_map(|line| line.strip_prefix("unmet ")?.parse().ok()).collect();
    let mut lines = shown.lines().filter(|line| !line.starts_with("unmet "));
    let returned = lines.next() == Some("returned");
    // Each check says so, too.
    let mut lines = lines.filter(|&line| line != "returned");
    let points = instrumented
        .counters
        .iter()
        .map(|(function, points)| {
            let passed = points.iter().filter(|(_, i)| counted.get(**i) == Some(&1)).map(|(p, _)| *p);
            (function.clone(), passed.collect())
        })
        .collect();
    Ok(Observed { ended, returned, result: lines.next().map(str::to_owned), unmet, points, cut: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_dependencies_are_read() {
        let rule = "a.o: a.c /x/b\\ c.h \\\n  d\\#e.h $$f.h\n";
        assert_eq!(listed_dependencies(rule), ["a.c", "/x/b c.h", "d#e.h", "$f.h"]);
    }

    #[test]
    fn what_the_compiler_leaves_out_is_code() {
        let said = "/a.c:1:1: warning: code will never be executed [-Wunreachable-code]\n\
                    /a.c:2:5: warning: code will never be executed [-Wunreachable-code]\n\
                    /b.h:1:1: warning: code will never be executed [-Wunreachable-code]\n";
        for (line, is_code) in [
            ("int k;", false),
            ("struct s *a[4];", false),
            ("int k = 2;", true),
            ("return k;", true),
            ("f (k);", true),
        ] {
            let found = left_out(said, Path::new("/a.c"), &format!("{line}\n    {line}\n"));
            assert_eq!(found, if is_code { vec![(1, 1), (2, 5)] } else { Vec::new() }, "{line}");
        }
    }

    #[test]
    fn a_missing_library_for_32_bits_is_named_as_the_cause() {
        let compiler = |flag: &str| Compiler {
            program: "clang".to_owned(),
            flags: vec![flag.to_owned()],
            folder: PathBuf::new(),
            headers: PathBuf::new(),
            keeps_names: false,
        };
        let failed = |said: &str| NativeError::Failed("clang".to_owned(), said.to_owned());
        let missing = failed("/usr/bin/ld: skipping incompatible libgcc.a when searching for -lgcc");
        assert!(compiler("-m32").explain(missing.clone()).to_string().contains("C library for 32 bits"));
        assert_eq!(compiler("-O1").explain(missing.clone()), missing);
        let other = failed("error: unknown type name");
        assert_eq!(compiler("-m32").explain(other.clone()), other);
    }
}
