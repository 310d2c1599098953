//! Process supervision: the analysis runs in a process of its own, and who started it tells how it ended.
//!
//! **Idea.** Where memory is short, a process cannot tell so itself: the standard library and solvers abort when an
//! allocation fails, a stack that cannot grow is a segmentation fault, and the system kills without asking. So
//! `footpath` starts itself again as the *worker*, which does everything, and waits. An end by a signal becomes exit
//! code 2, with the reason and what was found until then. The worker writes the latter, a line for each function, into
//! a file in memory that the waiting process has made (a *flight recorder*), so that nothing is lost with it.
//!
//! Before it comes to that, the worker watches its memory, and ends the analysis as an interrupt would when 7/8 of a limit are used:
//! then the results are complete but for what is undecided. There are two limits: `--memory`, on what it occupies, and
//! `ulimit -v`, on its address space. Solvers may have half of either.
//!
//! **Example.** `(ulimit -v 300000; footpath test a.c)` prints the report if all ends in time, and otherwise
//! `error: the analysis was ended by SIGABRT: out of memory (the address space is limited to 292 MiB)`.
//!
//! **Crashes of the solver.** Z3 is a library in the worker, as that is fastest, and takes the worker with it when it crashes. So a
//! run that ends as by a bug (`SIGSEGV` and its like) before anything was printed is made once more, with each Z3 in a process of
//! its own (`solver_process.rs`), where a crash leaves one question without an answer. What a store has of the first run is used by the second.
//! If the bug is not in Z3, the second run ends in the same way, and says that it is a bug in footpath.
//!
//! Signals that ask for an end are passed on to the worker, and it does not outlive its starter (`PR_SET_PDEATHSIG`).
//!
//! A limit on the size of files (`ulimit -f`) is an error of who writes, not the end of the process: its signal is blocked.
//!
//! **Direction of error.** A stack that cannot grow is taken for a crash of the solver at first. An abort is taken for a lack of memory
//! where the address space is limited, and otherwise for a crash; the message names the signal. The second run has the time of a whole run.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::unistd::{Pid, SysconfVar, sysconf};

use crate::Exit;
use crate::solver_process::SOLVER;

/// The first argument of a worker; the recorder's path, the number of its starter and the place of Z3 follow.
pub const WORKER: &str = "__work";
/// How a line of the recorder begins that has an exit code.
const CODE: &str = "\0exit ";
/// The line of the recorder that results were printed.
const PRINTED: &str = "\0printed";
/// The place of Z3 after a crash: a process of its own.
const APART: &str = "apart";
/// The place of Z3 in a first run: the worker.
const WITHIN: &str = "within";
const LOOK: Duration = Duration::from_millis(10);

static RECORDER: OnceLock<Mutex<File>> = OnceLock::new();
static OUT_OF_MEMORY: AtomicBool = AtomicBool::new(false);
/// Whether this worker's Z3 is in processes of its own.
static Z3_IS_APART: AtomicBool = AtomicBool::new(false);
/// The worker's process number, and whether it was asked to end.
static CURRENT_WORKER: AtomicI32 = AtomicI32::new(0);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Bytes that the process may occupy.
static MEMORY: AtomicU64 = AtomicU64::new(u64::MAX);
/// The share of the machine's memory that the process may occupy where the user names no limit.
const SHARE: (u64, u64) = (3, 4);

/// Notes what was found, in one line, for the case that the process does not live to report it.
pub fn record(line: &str) {
    if let Some(recorder) = RECORDER.get() {
        let mut file = recorder.lock().unwrap_or_else(PoisonError::into_inner);
        // Without it less is told.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }
}

/// Ends the process at once, on any thread, also when others cannot go on: what runs at a usual exit may wait for them.
pub fn end(exit: Exit) -> ! {
    if RECORDER.get().is_some() {
        record(&format!("{CODE}{}", exit.code()));
        std::process::abort()
    }
    std::process::exit(i32::from(exit.code()))
}

/// Whether the analysis was ended for lack of memory, and how to say so.
pub fn shortage() -> Option<String> {
    OUT_OF_MEMORY.load(Ordering::SeqCst).then(|| match footpath_parallel::address_space() {
        Some(_) => format!("out of memory{}", limit()),
        None => {
            format!("out of memory (--memory limits it to {} MiB)", MEMORY.load(Ordering::SeqCst) >> 20)
        }
    })
}

/// A writer that notes that something was written, as a run whose results were seen is not made again.
pub struct Noted<W: Write> {
    to: W,
    is_noted: bool,
}

impl<W: Write> Noted<W> {
    /// Notes what is written to `to`.
    pub fn new(to: W) -> Noted<W> {
        Noted { to, is_noted: false }
    }
}

impl<W: Write> Write for Noted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !bytes.is_empty() && !std::mem::replace(&mut self.is_noted, true) {
            record(PRINTED);
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Limits the memory of the process to so many bytes, 0 for no limit, or to a share of the machine's. Solvers may have half of it,
/// each one a quarter of that where they are processes of their own.
pub fn limit_memory(bytes: Option<u64>) {
    let limit = match bytes {
        Some(0) => u64::MAX,
        Some(bytes) => bytes,
        None => machine_memory().map_or(u64::MAX, |all| all / SHARE.1 * SHARE.0),
    };
    MEMORY.store(limit, Ordering::SeqCst);
    let least = footpath_parallel::address_space().map_or(limit, |space| limit.min(space as u64));
    let megabytes = u32::try_from((least >> 20) / 2).unwrap_or(u32::MAX);
    let limit = (least < u64::MAX).then_some(megabytes);
    if !Z3_IS_APART.load(Ordering::SeqCst) {
        if let Some(limit) = limit {
            footpath_smt::Z3::set_memory_limit(limit);
        }
        return;
    }
    // Without it, Z3 is in this process as usual.
    if let Some(own) = std::env::current_exe().ok().and_then(|own| own.into_os_string().into_string().ok()) {
        let limit = limit.map(|limit| (limit / 4).to_string());
        footpath_smt::run_z3_apart([own, SOLVER.to_owned()].into_iter().chain(limit).collect());
    }
}

/// The memory in bytes that the machine has, or that the container may use.
pub fn machine_memory() -> Option<u64> {
    let all = fs::read_to_string("/proc/meminfo").ok()?;
    let line = all.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let all = line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1 << 10)?;
    let container = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let container = container.into_iter().find_map(|path| fs::read_to_string(path).ok()?.trim().parse().ok());
    Some(container.map_or(all, |limit: u64| limit.min(all)))
}

fn limit() -> String {
    let limit = footpath_parallel::address_space();
    limit.map_or(String::new(), |bytes| format!(" (the address space is limited to {} MiB)", bytes >> 20))
}

/// Runs the worker and waits for it, and once more if it crashed.
///
/// # Errors
/// If the system starts no process.
pub fn supervise() -> io::Result<u8> {
    let (status, recorded) = work(WITHIN)?;
    let interrupted = INTERRUPTED.load(Ordering::SeqCst);
    let Some(signal) = crash(status, &recorded).filter(|_| !interrupted) else {
        return Ok(end_of(status, &recorded));
    };
    let again = format!(
        "\nnote: the analysis was ended by {}, perhaps by a crash of the solver; it is run again with the solver in a process of its own\n",
        signal.as_str()
    );
    tell(&again);
    let (status, again) = work(APART)?;
    Ok(end_of(status, &format!("{recorded}{again}")))
}

/// Runs the worker with Z3 at a place; how it ended, and what it recorded.
fn work(place: &str) -> io::Result<(ExitStatus, String)> {
    let recorder = memfd_create("footpath-results", MFdFlags::MFD_CLOEXEC).map(File::from).ok();
    let own = std::process::id();
    let path = recorder.as_ref().map(|file| format!("/proc/{own}/fd/{}", file.as_raw_fd()));
    let mut args = std::env::args_os();
    let mut command = Command::new(std::env::current_exe()?);
    command.arg0(args.next().unwrap_or_default());
    command.arg(WORKER).arg(path.unwrap_or_default()).arg(own.to_string()).arg(place).args(args);
    if footpath_parallel::address_space().is_some() {
        // Arenas for each thread reserve 64 MiB, and a backtrace of a failed allocation allocates.
        command.env("MALLOC_ARENA_MAX", "2").env("RUST_BACKTRACE", "0");
    }
    let mut worker = command.spawn()?;
    CURRENT_WORKER.store(i32::try_from(worker.id()).unwrap_or(0), Ordering::SeqCst);
    if INTERRUPTED.load(Ordering::SeqCst) {
        // It came before there was anybody to pass it on to.
        interrupt();
    }
    let status = worker.wait()?;
    CURRENT_WORKER.store(0, Ordering::SeqCst);
    // The path, as the descriptor's own place in the file is at its start.
    let found =
        recorder.and_then(|file| fs::read_to_string(format!("/proc/self/fd/{}", file.as_raw_fd())).ok());
    Ok((status, found.unwrap_or_default()))
}

/// The signal of a crash that may have been the solver's, in a run of which nothing was printed.
fn crash(status: ExitStatus, recorded: &str) -> Option<Signal> {
    let signal = status.signal().and_then(|number| Signal::try_from(number).ok())?;
    let is_crash = match signal {
        Signal::SIGSEGV | Signal::SIGBUS | Signal::SIGFPE | Signal::SIGILL => true,
        // A failed allocation ends in the same way.
        Signal::SIGABRT => footpath_parallel::address_space().is_none(),
        _ => false,
    };
    let is_ours = recorded.lines().any(|line| line == PRINTED || line.starts_with(CODE));
    (is_crash && !is_ours).then_some(signal)
}

/// The exit code of a worker, after what is to be said of its end.
fn end_of(status: ExitStatus, recorded: &str) -> u8 {
    let (code, told) = judge(status, recorded);
    tell(&told);
    code
}

fn tell(what: &str) {
    let mut err = crate::terminal_escapes::Visible::new(io::stderr(), "standard error");
    // Its reader may be gone.
    let _ = err.write_all(what.as_bytes()).and_then(|()| err.flush());
}

/// The exit code, and what is to be said.
fn judge(status: ExitStatus, recorded: &str) -> (u8, String) {
    if let Some(code) = status.code() {
        return (u8::try_from(code).unwrap_or(Exit::Internal.code()), String::new());
    }
    let chosen = recorded.lines().find_map(|line| line.strip_prefix(CODE)?.parse().ok());
    if chosen == Some(Exit::Internal.code()) {
        return (Exit::Internal.code(), String::new());
    }
    let mut told = String::new();
    if chosen.is_none() {
        let signal = status.signal().and_then(|number| Signal::try_from(number).ok());
        told = match signal {
            Some(Signal::SIGKILL) => {
                "\nerror: the analysis was killed (SIGKILL), as the system does when it is out of memory\n"
                    .to_owned()
            }
            signal => {
                let signal = signal.map_or("a signal", Signal::as_str);
                format!(
                    "\nerror: the analysis was ended by {signal}: out of memory{}. If it is not, this is a bug in footpath\n",
                    limit()
                )
            }
        };
    }
    // A second run finds the same again.
    let mut seen = HashSet::new();
    let found: Vec<&str> =
        recorded.lines().filter(|line| !line.starts_with('\0') && seen.insert(*line)).collect();
    if found.is_empty() {
        told += "note: nothing was found until then\n";
    } else {
        told += "note: until then was found:\n";
        for line in found {
            told += &format!("  {line}\n");
        }
    }
    (chosen.unwrap_or(Exit::BadInput.code()), told)
}

/// Prepares the worker, whose arguments these are: it ends with its starter and leaves no memory image. Returns the
/// arguments of the command.
pub fn prepare_worker(mut args: Vec<OsString>) -> Vec<OsString> {
    let own: Vec<OsString> = args.drain(1..args.len().min(5)).collect();
    let text = |number: usize| own.get(number).and_then(|arg| arg.to_str()).unwrap_or_default();
    // Where the system does not permit these, a killed starter leaves the worker, and aborting leaves an image.
    let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    // All threads inherit it, and processes that are started do not.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    if text(2) != std::os::unix::process::parent_id().to_string() {
        // It was gone before.
        std::process::exit(i32::from(Exit::Interrupted.code()));
    }
    if let Ok(file) = OpenOptions::new().append(true).open(text(1)) {
        let _ = RECORDER.set(Mutex::new(file));
    }
    Z3_IS_APART.store(text(3) == APART, Ordering::SeqCst);
    args
}

/// Passes a request for an end on to the worker.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
    let worker = CURRENT_WORKER.load(Ordering::SeqCst);
    if worker > 0 {
        // It may have ended.
        let _ = kill(Pid::from_raw(worker), Signal::SIGINT);
    }
}

/// Watches memory, and sets `stop` when little is left of it.
pub fn watch_memory(stop: &'static AtomicBool) {
    let space = footpath_parallel::address_space().map_or(u64::MAX, |space| space as u64);
    let watch = move || {
        loop {
            let is_near = |used: Option<u64>, limit: u64| used.is_some_and(|used| used > limit / 8 * 7);
            let (occupied, reserved) = in_use();
            if is_near(occupied, MEMORY.load(Ordering::SeqCst)) || is_near(reserved, space) {
                OUT_OF_MEMORY.store(true, Ordering::SeqCst);
                stop.store(true, Ordering::SeqCst);
            }
            std::thread::sleep(LOOK);
        }
    };
    // Without it the end is less orderly.
    let _ = std::thread::Builder::new().name("memory watch".to_owned()).stack_size(128 << 10).spawn(watch);
}

/// The bytes of memory that the process occupies, and those of its address space. `statm` costs the system a tenth of what
/// `status` does, which matters as it is read all the time.
fn in_use() -> (Option<u64>, Option<u64>) {
    let pages = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let page = sysconf(SysconfVar::PAGE_SIZE).ok().flatten().and_then(|bytes| u64::try_from(bytes).ok());
    let mut bytes = pages.split_whitespace().map(|pages| pages.parse::<u64>().ok()?.checked_mul(page?));
    let (reserved, occupied) = (bytes.next().flatten(), bytes.next().flatten());
    (occupied, reserved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_use_grows_by_what_is_allocated_and_written() {
        let (before, space) = in_use();
        let block = vec![1u8; 64 << 20];
        let (after, _) = in_use();
        let grown = after.zip(before).map(|(after, before)| after.saturating_sub(before));
        // Other tests of this process allocate and free a little meanwhile.
        assert!(grown.is_some_and(|grown| grown > 48 << 20), "{grown:?} for {} bytes", block.len());
        assert!(space > before, "{space:?} {before:?}");
    }

    #[test]
    fn an_end_by_a_signal_tells_the_reason_and_what_was_found() {
        let aborted = ExitStatus::from_raw(6);
        let (code, told) = judge(aborted, "f: 2 of 3 covered\n");
        assert_eq!(code, 2);
        assert!(
            told.contains("SIGABRT: out of memory") && told.contains("\n  f: 2 of 3 covered\n"),
            "{told}"
        );
        let (code, told) = judge(ExitStatus::from_raw(9), "");
        assert_eq!(code, 2);
        assert!(told.contains("SIGKILL") && told.contains("nothing was found"), "{told}");
    }

    #[test]
    fn a_crash_is_an_end_by_a_bug_of_which_nothing_was_seen() {
        let segv = ExitStatus::from_raw(11);
        assert_eq!(crash(segv, "f: 1 of 1 covered\n"), Some(Signal::SIGSEGV));
        assert_eq!(crash(segv, "f: 1 of 1 covered\n\0printed\n"), None);
        assert_eq!(crash(ExitStatus::from_raw(6), "\0exit 3\n"), None);
        assert_eq!(crash(ExitStatus::from_raw(9), ""), None);
        assert_eq!(crash(ExitStatus::from_raw(1 << 8), ""), None);
    }

    #[test]
    fn a_chosen_exit_code_is_kept() {
        let aborted = ExitStatus::from_raw(6);
        assert_eq!(judge(aborted, "f: 1 of 1 covered\n\0exit 3\n"), (3, String::new()));
        let (code, told) = judge(aborted, "f: 1 of 1 covered\n\0exit 2\n");
        assert_eq!((code, &*told), (2, "note: until then was found:\n  f: 1 of 1 covered\n"));
        assert_eq!(judge(ExitStatus::from_raw(1 << 8), ""), (1, String::new()));
    }
}
