//! The launcher: a process that takes from itself what foreign code must not have, and becomes that code.
//!
//! All that needs rights comes first: files that are shared are opened and namespaces entered while the process is
//! still its user's. Then the limits are set, the identity is given up, and Landlock and the filter are applied, which
//! cannot be undone. It has one thread, as all of this concerns a thread.
//!
//! **Direction of error.** Towards not starting: if a layer does not hold that did when it was tried, the program is
//! not run.

use std::ffi::{CString, OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use nix::fcntl::{AtFlags, FcntlArg, FdFlag, fcntl};
use nix::sched::{CloneFlags, unshare};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use rustix::process::{Gid, Signal, Uid};
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets};

use crate::compat_filter;
use crate::elf;
use crate::filter::{self, Circumstances};
use crate::{ARGUMENT, FAILED, Layer, Profile};

/// Descriptors that a program can have, its own included.
const DESCRIPTORS: u64 = 1024;
/// Processes and threads that the user of a program can have. Those of other programs of this user count, too, so it is far
/// above what tests need.
const PROCESSES: u64 = 4096;
/// The user and group that have nothing.
const NOBODY: u32 = 65_534;
/// What any program needs to start.
const LIBRARIES: [&str; 5] = ["/lib", "/lib32", "/lib64", "/usr", "/nix/store"];
/// What programs read otherwise.
const COMMON: [&str; 6] = [
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/sys/devices/system/cpu",
    "/proc/self",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sys/kernel/ngroups_max",
];
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What the command line says.
struct Request {
    profile: Profile,
    memory: Option<u64>,
    seconds: u64,
    file_size: u64,
    readable: Vec<PathBuf>,
    shared: Vec<(OsString, PathBuf)>,
    without: Vec<Layer>,
    is_silent: bool,
    is_probe: bool,
    is_inner: bool,
    program: Vec<OsString>,
}

/// What the launcher does with its command line, without its own name and the argument that selects it. Returns only if
/// the program was not started, or was a compiler that has ended.
pub fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let (done, to) = match read(args) {
        Err(why) => (Err(why), rustix::stdio::stderr()),
        Ok(request) if request.profile == Profile::Compiler => (watch(&request), rustix::stdio::stderr()),
        Ok(request) if !request.is_silent => (confine(&request), rustix::stdio::stderr()),
        Ok(request) => (confine(&request), rustix::stdio::stdout()),
    };
    done.unwrap_or_else(|why| {
        // Its reader may be gone.
        let _ = rustix::io::write(to, why.as_bytes());
        ExitCode::from(u8::try_from(FAILED).unwrap_or(u8::MAX))
    })
}

fn read(mut args: impl Iterator<Item = OsString>) -> Result<Request, String> {
    let mut request = Request {
        profile: Profile::Test,
        memory: None,
        seconds: 60,
        file_size: u64::MAX,
        readable: Vec::new(),
        shared: Vec::new(),
        without: Vec::new(),
        is_silent: false,
        is_probe: false,
        is_inner: false,
        program: Vec::new(),
    };
    while let Some(option) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{} has no value", option.display()));
        let number = |value: OsString| {
            let parsed = value.to_str().and_then(|text| text.parse::<u64>().ok());
            parsed.ok_or_else(|| format!("{} is no number", value.display()))
        };
        match option.to_str() {
            Some("--profile") => {
                let name = value()?;
                let known = Profile::ALL.iter().find(|(known, _)| name == *known);
                request.profile = known.ok_or("there is no such profile")?.1;
            }
            Some("--memory") => request.memory = Some(number(value()?)?),
            Some("--seconds") => request.seconds = number(value()?)?,
            Some("--file-size") => request.file_size = number(value()?)?,
            Some("--read") => request.readable.push(value()?.into()),
            Some("--share") => request.shared.push((value()?, value()?.into())),
            Some("--without") => {
                let name = value()?;
                request
                    .without
                    .extend(Layer::ALL.iter().filter(|(known, _)| name == *known).map(|(_, l)| *l));
            }
            Some("--silent") => request.is_silent = true,
            Some("--inner") => request.is_inner = true,
            Some("--probe") => request.is_probe = true,
            Some("--") => {
                request.program = args.collect();
                break;
            }
            _ => return Err(format!("{} is no option", option.display())),
        }
    }
    Ok(request)
}

fn failed<E: std::fmt::Display>(what: &'static str) -> impl Fn(E) -> String {
    move |why| format!("{what}: {why}")
}

/// Starts the program confined, or says which layers hold.
fn confine(request: &Request) -> Result<ExitCode, String> {
    let parent = rustix::process::getppid();
    close_inherited();
    let program = match request.program.first() {
        Some(path) => Some(File::open(path).map_err(failed("the program"))?),
        None => None,
    };
    let shared: Vec<(&OsStr, File)> = request
        .shared
        .iter()
        .map(|(variable, path)| {
            let file = OpenOptions::new().read(true).write(true).open(path);
            file.map(|file| (variable.as_os_str(), file)).map_err(failed("a shared file"))
        })
        .collect::<Result<_, _>>()?;
    let nothing = File::options().read(true).write(true).open("/dev/null").map_err(failed("/dev/null"))?;
    let rules = rules(request);
    // The program's descriptor gets the number that the limit will exclude.
    let below = getrlimit(Resource::RLIMIT_NOFILE).map_or(256, |(soft, _)| soft).min(DESCRIPTORS) - 1;
    let number = i32::try_from(below).map_err(failed("descriptors"))?;
    let program = program.map(|file| move_up(&file, number)).transpose()?;
    let circumstances = Circumstances {
        profile: request.profile,
        process: u64::from(std::process::id()),
        program: below,
        tracing_is_scoped: rules.is_some(),
    };
    // A program for another machine cannot be filtered, but for one with 32 bits that this one has, too.
    let filters = match &program {
        Some(program) if !elf::is_native(program) => elf::is_for_32_bits(program)
            .then(|| compat_filter::program(circumstances).map(|filter| vec![filter]))
            .flatten(),
        _ => filter::programs(circumstances),
    };
    let is_without = |layer| request.without.contains(&layer);
    let is_filtered = filters.is_some() && !is_without(Layer::SystemCalls);
    let has_namespaces = is_filtered && !request.is_probe || enter_namespaces();
    set_limits(request, below)?;
    let has_identity = give_up_identity(program.as_ref());
    // A change of the identity would clear it.
    end_with_parent(parent)?;
    let restricted = match rules {
        Some(rules) => rules.restrict_self().map_or(RulesetStatus::NotEnforced, |status| status.ruleset),
        None => RulesetStatus::NotEnforced,
    };
    let has_files = restricted != RulesetStatus::NotEnforced;
    let held =
        [(Layer::Files, has_files), (Layer::Identity, has_identity), (Layer::Namespaces, has_namespaces)];
    for (layer, holds) in held {
        if !holds && !request.is_probe && !is_without(layer) {
            return Err(format!("{layer} could not be had"));
        }
    }
    if request.is_probe {
        return Ok(report(&held, filters.is_some_and(|filters| apply(&filters).is_ok())));
    }
    let (Some(program), Some(name)) = (program, request.program.first()) else {
        return Err("no program is named".to_owned());
    };
    let environment = environment(&shared)?;
    let arguments = request.program.iter().map(|argument| text(argument)).collect::<Result<Vec<_>, _>>()?;
    if request.is_silent {
        rustix::stdio::dup2_stdout(&nothing).map_err(failed("standard output"))?;
    }
    drop(nothing);
    let applied = filters.map_or(Ok(()), |filters| apply(&filters));
    if !is_without(Layer::SystemCalls) {
        applied?;
    }
    let Err(why) = nix::unistd::execveat(&program, c"", &arguments, &environment, AtFlags::AT_EMPTY_PATH);
    Err(format!("{} cannot be started: {why}", Path::new(name).display()))
}

/// Starts a compiler and waits for it. Its processes are in a namespace of their own, if the system permits, in which
/// all end when the first one does, and that one ends with the launcher.
fn watch(request: &Request) -> Result<ExitCode, String> {
    let parent = rustix::process::getppid();
    if request.is_inner {
        end_with_parent(parent)?;
        return become_compiler(request);
    }
    close_inherited();
    set_limits(request, getrlimit(Resource::RLIMIT_NOFILE).map_or(DESCRIPTORS, |(soft, _)| soft))?;
    let is_apart = enter_process_namespace();
    end_with_parent(parent)?;
    if !is_apart {
        return become_compiler(request);
    }
    let mut inner = Command::new("/proc/self/exe");
    inner.args([ARGUMENT, "--profile", request.profile.name(), "--inner", "--"]).args(&request.program);
    let status = inner.status().map_err(failed("the compiler's process"))?;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(FAILED);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

fn become_compiler(request: &Request) -> Result<ExitCode, String> {
    let [program, arguments @ ..] = request.program.as_slice() else {
        return Err("no program is named".to_owned());
    };
    Err(Command::new(program).args(arguments).exec().to_string())
}

/// Makes the next process the first one of a namespace of processes.
fn enter_process_namespace() -> bool {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    if user.is_root() && unshare(CloneFlags::CLONE_NEWPID).is_ok() {
        return true;
    }
    let ids = |id: u32| format!("{id} {id} 1");
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID).is_ok()
        && std::fs::write("/proc/self/setgroups", "deny").is_ok()
        && std::fs::write("/proc/self/uid_map", ids(user.as_raw())).is_ok()
        && std::fs::write("/proc/self/gid_map", ids(group.as_raw())).is_ok()
}

/// Prints the layers that hold, one in a line.
fn report(held: &[(Layer, bool)], is_filtered: bool) -> ExitCode {
    let filter = [(Layer::SystemCalls, is_filtered)];
    let holding = held.iter().chain(&filter).filter(|(_, holds)| *holds);
    let text: String = holding.map(|(layer, _)| format!("{}\n", layer.name())).collect();
    let written = rustix::io::write(rustix::stdio::stdout(), text.as_bytes());
    if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Closes all descriptors but the standard ones. The launcher has opened none itself.
fn close_inherited() {
    let Ok(open) = std::fs::read_dir("/proc/self/fd") else { return };
    let numbers: Vec<i32> = open
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|n| *n > 2)
        .collect();
    for number in numbers {
        // The descriptor of the listing itself is closed already.
        let _ = nix::unistd::close(number);
    }
}

/// Makes the system end this process when the thread ends that started it, which is this process's parent.
fn end_with_parent(before: Option<rustix::process::Pid>) -> Result<(), String> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(failed("the signal of the end"))?;
    if rustix::process::getppid() != before {
        return Err("who started it is gone".to_owned());
    }
    Ok(())
}

/// The rules for files. Paths that do not exist need none.
fn rules(request: &Request) -> Option<RulesetCreated> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let mut created = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V6))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(ABI::V4)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(ABI::V6)))
        .and_then(Ruleset::create)
        .ok()?;
    let itself = AccessFs::Execute | AccessFs::ReadFile;
    let program = request.program.iter().take(1).map(|path| (Path::new(path), itself));
    let loader = request.program.first().and_then(|path| elf::interpreter(Path::new(path)));
    let loader = loader.iter().map(|path| (path.as_path(), itself));
    let libraries = LIBRARIES.iter().map(|path| (Path::new(*path), read));
    let common = COMMON.iter().map(|path| (Path::new(*path), read));
    let devices = DEVICES.iter().map(|path| (Path::new(*path), AccessFs::ReadFile | AccessFs::WriteFile));
    let named = request.readable.iter().map(|path| (path.as_path(), read));
    for (path, access) in program.chain(loader).chain(libraries).chain(common).chain(devices).chain(named) {
        created = allow(created, path, access)?;
    }
    Some(created)
}

fn allow(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> Option<RulesetCreated> {
    let Ok(metadata) = path.metadata() else { return Some(rules) };
    let Ok(open) = PathFd::new(path) else { return Some(rules) };
    let access = if metadata.is_dir() { access } else { access & AccessFs::from_file(ABI::V6) };
    rules.add_rule(PathBeneath::new(open, access)).ok()
}

/// Enters namespaces of its own: as root as it is, otherwise with a user namespace, which has the rights to.
fn enter_namespaces() -> bool {
    let others = CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWNS;
    if rustix::process::geteuid().is_root() && unshare(others).is_ok() {
        return true;
    }
    unshare(others | CloneFlags::CLONE_NEWUSER).is_ok()
}

/// A copy of a descriptor with this number.
fn move_up(file: &File, number: i32) -> Result<OwnedFd, String> {
    let copy = rustix::io::fcntl_dupfd_cloexec(file, number).map_err(failed("the program's descriptor"))?;
    if copy.as_raw_fd() == number { Ok(copy) } else { Err("the program's descriptor is taken".to_owned()) }
}

fn set_limits(request: &Request, descriptors: u64) -> Result<(), String> {
    let set = |resource, limit: u64| {
        let most = getrlimit(resource).map_or(limit, |(_, hard)| hard.min(limit));
        setrlimit(resource, most, most).map_err(failed("a limit"))
    };
    set(Resource::RLIMIT_CORE, 0)?;
    set(Resource::RLIMIT_CPU, request.seconds)?;
    set(Resource::RLIMIT_FSIZE, request.file_size)?;
    set(Resource::RLIMIT_NOFILE, descriptors)?;
    if request.profile != Profile::Compiler {
        set(Resource::RLIMIT_NPROC, PROCESSES)?;
    }
    set(Resource::RLIMIT_MSGQUEUE, 0)?;
    set(Resource::RLIMIT_NICE, 0)?;
    set(Resource::RLIMIT_RTPRIO, 0)?;
    match request.memory {
        Some(kilobytes) => set(Resource::RLIMIT_AS, kilobytes.saturating_mul(1024)),
        None => Ok(()),
    }
}

/// Becomes nobody if it is root and the program is for all, and drops all capabilities. Whether no rights of another
/// user are left.
fn give_up_identity(program: Option<&OwnedFd>) -> bool {
    let is_root = rustix::process::getuid().is_root() || rustix::process::geteuid().is_root();
    let mut is_other = !is_root;
    if is_root {
        // A program that only root can execute would not start.
        let mode = program.map_or(Ok(0o777), |p| rustix::fs::fstat(p).map(|found| found.st_mode));
        let is_for_all = mode.is_ok_and(|mode| mode & 0o001 != 0);
        let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
        is_other = rustix::thread::set_thread_groups(&[]).is_ok()
            && rustix::thread::set_thread_res_gid(group, group, group).is_ok()
            && is_for_all
            && drop_bounding_set()
            && rustix::thread::set_thread_res_uid(user, user, user).is_ok();
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    let are_dropped = rustix::thread::set_capabilities(None, none).is_ok();
    let no_more = rustix::thread::set_no_new_privs(true).is_ok();
    is_other && are_dropped && no_more
}

/// Removes what a program could gain by being started, and keeps the system from giving capabilities to root.
fn drop_bounding_set() -> bool {
    let locked = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
    let bits = rustix::thread::set_capabilities_secure_bits(locked).is_ok();
    bits && CapabilitySet::all().iter().all(|capability| {
        // A kernel does not know those that came after it.
        let known = rustix::thread::capability_is_in_bounding_set(capability);
        known.is_err() || rustix::thread::remove_capability_from_bounding_set(capability).is_ok()
    })
}

fn apply(filters: &[seccompiler::BpfProgram]) -> Result<(), String> {
    filters.iter().try_for_each(|filter| seccompiler::apply_filter(filter)).map_err(failed("the filter"))
}

/// The environment as it is, with the numbers of the shared descriptors, which the program inherits.
fn environment(shared: &[(&OsStr, File)]) -> Result<Vec<CString>, String> {
    let mut all = Vec::new();
    for (name, value) in std::env::vars_os() {
        all.push(text(&[name.as_os_str(), value.as_os_str()].join(OsStr::new("=")))?);
    }
    for (variable, file) in shared {
        fcntl(file, FcntlArg::F_SETFD(FdFlag::empty())).map_err(failed("a shared file"))?;
        let value = OsString::from(file.as_raw_fd().to_string());
        all.push(text(&[variable, value.as_os_str()].join(OsStr::new("=")))?);
    }
    Ok(all)
}

fn text(words: &OsStr) -> Result<CString, String> {
    CString::new(words.as_bytes()).map_err(failed("an argument"))
}
