//! Sandboxing: processes that run foreign code, confined by the system before they start.
//!
//! Tests call whatever the tested code calls, with inputs that nobody has looked at, and behind an access out of
//! bounds a program may do anything; code that is linked runs before `main`. So the confinement is around the process
//! instead of in it: a small program, the launcher (`launcher.rs`), takes from itself what the foreign code must not
//! have, and becomes that code by `execveat`. The layers are independent, and each holds where another is missing:
//!
//! | layer | what it takes away |
//! |---|---|
//! | system call filter (`filter.rs`, `compat_filter.rs`) | all calls but those that concern the process itself; other architectures |
//! | Landlock (`launcher.rs`) | files but those that are named here, other programs (`elf.rs`), tracing and signals beyond the sandbox |
//! | identity | all capabilities; root becomes `nobody`, without groups |
//! | namespaces | the network, System V objects, mounts; only where the filter does not hold |
//! | limits | memory, time, sizes of files, descriptors; the process ends with the thread that started it |
//!
//! For example, a test whose code calls `kill(getppid(), SIGKILL)` sees `EPERM`, from the filter, and would see it from
//! Landlock as well; `open("/etc/shadow", O_RDONLY)` fails by Landlock, and as root by identity as well.
//!
//! Namespaces take nothing away that the filter leaves, and that of the network takes the system five milliseconds,
//! more than all other layers together. One of processes would take a second process for each run, and none can be
//! reached with the calls that are left. Compilers, which start others, are not foreign code and may use files; they
//! have a namespace of processes where the system permits it, so that all of them end together.
//!
//! **Direction of error.** Towards refusing. Where a layer is missing, [`missing`] says so, and the others hold. What a
//! process writes into files that are shared with it is its own claim: code that forges what a test covers is not
//! detected.

mod compat_filter;
mod elf;
mod filter;
mod launcher;
mod waiting;

use std::fmt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

pub use launcher::run as launcher;
pub use waiting::{output, wait, wait_or_stop};

/// The first argument with which an executable is the launcher.
pub const ARGUMENT: &str = "__confine";
/// The launcher's exit code if it could not confine itself or start the program.
pub const FAILED: i32 = 125;
/// The name of an executable that is nothing but the launcher, and so starts faster.
const EXECUTABLE: &str = "footpath-jail";

/// What a process does, which decides which calls it may make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// It computes, in one process.
    Test,
    /// It is watched by sanitizers, which reserve much memory, read what is mapped and stop threads.
    Sanitized,
    /// It makes processes that it confines further.
    Sampler,
    /// It is trusted and starts others, such as a compiler: only its time is limited, and it ends with all of these.
    Compiler,
}

impl Profile {
    const ALL: [(&str, Profile); 4] = [
        ("test", Profile::Test),
        ("sanitized", Profile::Sanitized),
        ("sampler", Profile::Sampler),
        ("compiler", Profile::Compiler),
    ];

    fn name(self) -> &'static str {
        Profile::ALL.iter().find(|(_, p)| *p == self).map_or("", |(name, _)| name)
    }
}

/// A part of the confinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// The filter of system calls.
    SystemCalls,
    /// Landlock.
    Files,
    /// No rights of another user, and no capabilities.
    Identity,
    /// Namespaces of the network, of System V objects and of mounts.
    Namespaces,
}

impl Layer {
    const ALL: [(&str, Layer); 4] = [
        ("system calls", Layer::SystemCalls),
        ("files", Layer::Files),
        ("identity", Layer::Identity),
        ("namespaces", Layer::Namespaces),
    ];

    fn name(self) -> &'static str {
        Layer::ALL.iter().find(|(_, l)| *l == self).map_or("", |(name, _)| name)
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layer::SystemCalls => "the filter of system calls",
            Layer::Files => "the restriction of files (Landlock)",
            Layer::Identity => "a user without rights",
            Layer::Namespaces => "namespaces",
        })
    }
}

/// What a process may use.
#[derive(Clone, Debug)]
pub struct Jail {
    /// What it does.
    pub profile: Profile,
    /// Address space in kilobytes, if it is limited.
    pub memory: Option<u64>,
    /// Processor time in seconds.
    pub seconds: u64,
    /// Bytes that a file may have which it writes.
    pub file_size: u64,
    /// Files and folders that it may read, besides its program, the system's libraries and its own `/proc/self`.
    pub readable: Vec<PathBuf>,
    /// Files that it is given open, for reading and writing, each with the name of an environment variable that will
    /// hold the descriptor's number.
    pub shared: Vec<(&'static str, PathBuf)>,
}

impl Jail {
    /// A process of this kind, with limits that suit one test.
    pub fn new(profile: Profile) -> Jail {
        let (readable, shared) = (Vec::new(), Vec::new());
        Jail { profile, memory: None, seconds: 60, file_size: 10 << 20, readable, shared }
    }

    /// The command that confines itself and becomes `program`, in a process group of its own. The environment is
    /// empty but for the search path of libraries; arguments of the program can be added.
    ///
    /// If the launcher fails, it says why on standard error and ends with [`FAILED`]. If `is_silent`, the program's
    /// output is discarded, and standard output is the launcher's until the program starts: there it says so.
    ///
    /// # Errors
    /// If there is no launcher beside the executable.
    pub fn command(&self, program: &Path, is_silent: bool) -> Result<Command, NoLauncher> {
        let mut command = launcher_command()?;
        command.args(["--profile", self.profile.name(), "--seconds", &self.seconds.to_string()]);
        command.args(["--file-size", &self.file_size.to_string()]);
        if let Some(kilobytes) = self.memory {
            command.args(["--memory", &kilobytes.to_string()]);
        }
        for path in &self.readable {
            command.arg("--read").arg(path);
        }
        for (variable, path) in &self.shared {
            command.arg("--share").arg(variable).arg(path);
        }
        if self.profile != Profile::Compiler {
            for layer in missing(self.profile) {
                command.args(["--without", layer.name()]);
            }
            command.env_clear();
            let kept = std::env::var_os("LD_LIBRARY_PATH");
            command.envs(kept.map(|value| ("LD_LIBRARY_PATH", value)));
        }
        if is_silent {
            command.arg("--silent");
        }
        command.arg("--").arg(program).process_group(0).stdin(Stdio::null());
        Ok(command)
    }

    /// The command, confined, with its arguments, its working folder and the variables that it sets.
    ///
    /// # Errors
    /// If there is no launcher beside the executable.
    pub fn around(&self, command: &Command) -> Result<Command, NoLauncher> {
        let mut confined = self.command(Path::new(command.get_program()), false)?;
        confined.args(command.get_args());
        confined.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(folder) = command.get_current_dir() {
            confined.current_dir(folder);
        }
        Ok(confined)
    }
}

/// There is no launcher beside the executable, so nothing can be run confined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoLauncher;

/// What is missing around tests, as a remark for the user. Namespaces are a substitute for the filter, which programs for 32
/// bits have on x86 only.
pub fn gaps(has_programs_for_32_bits: bool) -> Option<String> {
    let mut missing = missing(Profile::Test).to_vec();
    let is_x86 = cfg!(target_arch = "x86_64");
    if has_programs_for_32_bits && !is_x86 && !missing.contains(&Layer::SystemCalls) {
        missing.push(Layer::SystemCalls);
    }
    let is_filtered = !missing.contains(&Layer::SystemCalls);
    let gaps: Vec<String> =
        missing.iter().filter(|l| !(is_filtered && **l == Layer::Namespaces)).map(Layer::to_string).collect();
    (!gaps.is_empty())
        .then(|| format!("tests run without {}: this system does not permit it", gaps.join(" and ")))
}

impl fmt::Display for NoLauncher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the program `{EXECUTABLE}`, which confines tests, is not beside `footpath` (`cargo build -p footpath-jail` makes it)"
        )
    }
}

impl std::error::Error for NoLauncher {}

fn launcher_command() -> Result<Command, NoLauncher> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let own = std::env::current_exe().ok()?;
        // Tests of the workspace are a folder below.
        let mut beside = own.ancestors().skip(1).take(2).map(|folder| folder.join(EXECUTABLE));
        // Footpath is a launcher, too, but starts slowly; what else uses this library is none.
        let itself =
            || Some(&own).filter(|own| own.file_name().is_some_and(|name| name == "footpath")).cloned();
        beside.find(|path| path.is_file()).or_else(itself)
    });
    let mut command = Command::new(found.as_ref().ok_or(NoLauncher)?);
    command.arg(ARGUMENT);
    Ok(command)
}

/// The layers that this system does not have for processes of this kind. It is tried once.
pub fn missing(profile: Profile) -> &'static [Layer] {
    static TRIED: [OnceLock<Vec<Layer>>; 4] = [const { OnceLock::new() }; 4];
    TRIED[profile as usize].get_or_init(|| {
        let Ok(mut command) = launcher_command() else { return Vec::new() };
        command.args(["--profile", profile.name(), "--probe"]).stdin(Stdio::null()).stderr(Stdio::null());
        let said = command.output().map(|output| output.stdout).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let is_missing = |name: &str| !said.lines().any(|line| line == name);
        Layer::ALL.iter().filter(|(name, _)| is_missing(name)).map(|(_, layer)| *layer).collect()
    })
}
