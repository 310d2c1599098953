//! System call filtering: which calls of the system a confined process may make, as an allow-list (seccomp-BPF).
//!
//! What is not listed fails with `EPERM`, so that a call that a later kernel brings is refused as well; a call of
//! another architecture (`int $0x80` of a 64-bit program) ends the process. Calls that could reach another process,
//! such as `kill`, are allowed for the process itself only, and files are opened for reading only. For example,
//! `kill(getpid(), SIGABRT)` is what `abort` does and is allowed; `kill(getppid(), SIGKILL)` fails.
//!
//! The filter must allow the launcher to start the program. It allows `execveat` on one descriptor only, whose number
//! is the limit on descriptors that is set meanwhile: it is closed by the start, and no later descriptor can have that
//! number, so there is exactly one start.
//!
//! **Direction of error.** Towards refusing: a harmless call that is not listed fails, and a test sees an error that it
//! would not see elsewhere.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

use crate::Profile;

/// Calls that concern the process itself, its memory and what it has opened.
const ALLOWED: &[c_long] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_mlock,
    libc::SYS_munlock,
    libc::SYS_membarrier,
    // Descriptors that are open.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_fstat,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_fadvise64,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_eventfd2,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_copy_file_range,
    // Names of files.
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_umask,
    // Time.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    libc::SYS_times,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    // Threads and signals of the process itself.
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_gettid,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    // What the process is, and where it runs.
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrusage,
    libc::SYS_getrandom,
    libc::SYS_getcpu,
    // Answered with `ENOSYS` by a filter of its own, so that the library asks by `clone`.
    libc::SYS_clone3,
];

/// Calls that only this architecture has, most of them old names of the same.
#[cfg(target_arch = "x86_64")]
const OF_ARCHITECTURE: &[c_long] = &[
    libc::SYS_arch_prctl,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_time,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
];
#[cfg(not(target_arch = "x86_64"))]
const OF_ARCHITECTURE: &[c_long] = &[];

/// What would make an opened file more than one to be read.
pub(crate) const WRITING: u64 =
    (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND) as u64;
/// New namespaces, in which a process has rights over what is around it.
pub(crate) const NAMESPACES: u64 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u64;

/// What may be asked about open files: nothing that others are told of, as `F_SETOWN` is.
pub(crate) const FCNTL: [i32; 11] = [
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_GETPIPE_SZ,
    libc::F_GET_SEALS,
];
/// Questions to devices that the library asks.
pub(crate) const IOCTL: [u64; 4] = [libc::TCGETS, libc::FIONREAD, libc::TIOCGWINSZ, libc::FIOCLEX];
/// Names and marks of threads and memory.
pub(crate) const PRCTL: [i32; 5] =
    [libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_GET_DUMPABLE, libc::PR_SET_VMA, libc::PR_GET_PDEATHSIG];

/// What the filter depends on.
#[derive(Clone, Copy)]
pub(crate) struct Circumstances {
    /// What the process does.
    pub(crate) profile: Profile,
    /// The process that will run the program.
    pub(crate) process: u64,
    /// The descriptor of the program.
    pub(crate) program: u64,
    /// Whether the system keeps tracing within the sandbox.
    pub(crate) tracing_is_scoped: bool,
}

/// The filters for a program for this machine, in the order in which they are applied; `None` if it is not supported.
pub(crate) fn programs(circumstances: Circumstances) -> Option<Vec<BpfProgram>> {
    let machine = TargetArch::try_from(std::env::consts::ARCH).ok()?;
    let no_such_call = SeccompFilter::new(
        BTreeMap::from([(libc::SYS_clone3, Vec::new())]),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS.unsigned_abs()),
        machine,
    );
    let allowed = SeccompFilter::new(
        rules(circumstances)?,
        SeccompAction::Errno(libc::EPERM.unsigned_abs()),
        SeccompAction::Allow,
        machine,
    );
    Some(vec![no_such_call.ok()?.try_into().ok()?, allowed.ok()?.try_into().ok()?])
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn rules(circumstances: Circumstances) -> Option<Rules> {
    let Circumstances { profile, process, program, tracing_is_scoped } = circumstances;
    let mut rules: Rules = ALLOWED.iter().chain(OF_ARCHITECTURE).map(|&call| (call, Vec::new())).collect();
    let threads = (libc::CLONE_THREAD as u64 | NAMESPACES, libc::CLONE_THREAD as u64);
    for (call, choices) in [
        (libc::SYS_kill, vec![is(0, process)?]),
        (libc::SYS_tgkill, vec![is(0, process)?]),
        (libc::SYS_tkill, vec![is(0, process)?]),
        (libc::SYS_rt_sigqueueinfo, vec![is(0, process)?]),
        (libc::SYS_prlimit64, vec![is(0, 0)?, is(0, process)?]),
        (libc::SYS_sched_getaffinity, vec![is(0, 0)?, is(0, process)?]),
        (libc::SYS_openat, vec![has(2, WRITING, 0)?]),
        (libc::SYS_clone, vec![has(0, threads.0, threads.1)?]),
        (libc::SYS_execveat, vec![start_of(program)?]),
        (libc::SYS_fcntl, FCNTL.iter().map(|&c| is(1, u64::from(c.unsigned_abs()))).collect::<Option<_>>()?),
        (libc::SYS_ioctl, IOCTL.iter().map(|&c| is(1, c)).collect::<Option<_>>()?),
        (libc::SYS_prctl, PRCTL.iter().map(|&c| is(0, u64::from(c.unsigned_abs()))).collect::<Option<_>>()?),
    ] {
        rules.insert(call, choices);
    }
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![has(1, WRITING, 0)?]);
    if profile == Profile::Test {
        return Some(rules);
    }
    // A process that makes others waits for them.
    rules.insert(libc::SYS_clone, vec![has(0, NAMESPACES, 0)?]);
    rules.insert(libc::SYS_wait4, Vec::new());
    rules.insert(libc::SYS_waitid, Vec::new());
    let more: &[i32] = if profile == Profile::Sampler {
        // It confines its children further, and they end with it.
        rules.insert(libc::SYS_seccomp, Vec::new());
        rules.entry(libc::SYS_prctl).or_default().push(end_with_parent()?);
        &[libc::PR_SET_NO_NEW_PRIVS, libc::PR_SET_SECCOMP]
    } else {
        // A sanitizer starts its own program anew with another layout of memory, and one that looks for lost memory
        // stops the threads by tracing them.
        rules.insert(libc::SYS_personality, Vec::new());
        rules.insert(libc::SYS_execve, Vec::new());
        if tracing_is_scoped {
            rules.insert(libc::SYS_ptrace, Vec::new());
        }
        &[libc::PR_SET_DUMPABLE, libc::PR_SET_PTRACER]
    };
    for &option in more {
        rules.entry(libc::SYS_prctl).or_default().push(is(0, u64::from(option.unsigned_abs()))?);
    }
    Some(rules)
}

fn is(argument: u8, value: u64) -> Option<SeccompRule> {
    let equal = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value).ok()?;
    SeccompRule::new(vec![equal]).ok()
}

/// Whether the bits of a mask have this value.
fn has(argument: u8, mask: u64, value: u64) -> Option<SeccompRule> {
    let operation = SeccompCmpOp::MaskedEq(mask);
    let bits = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operation, value).ok()?;
    SeccompRule::new(vec![bits]).ok()
}

/// The request to end by `SIGKILL` with who started the process; not the one to live on.
fn end_with_parent() -> Option<SeccompRule> {
    let equal = |argument, value| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value).ok()
    };
    let request = u64::from(libc::PR_SET_PDEATHSIG.unsigned_abs());
    SeccompRule::new(vec![equal(0, request)?, equal(1, u64::from(libc::SIGKILL.unsigned_abs()))?]).ok()
}

/// The start of the program in this descriptor.
fn start_of(program: u64) -> Option<SeccompRule> {
    let equal = |argument, value| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value).ok()
    };
    let flags = u64::from(libc::AT_EMPTY_PATH.unsigned_abs());
    SeccompRule::new(vec![equal(0, program)?, equal(4, flags)?]).ok()
}
