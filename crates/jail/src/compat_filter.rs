//! System call filtering of programs for 32 bits on x86-64, as a program for the kernel's filter machine (BPF).
//!
//! Calls of the 32-bit architecture have numbers of their own, which the filters of `filter.rs` do not know: there a call of
//! another architecture ends the process. Here it is the other way round. The list is the same, by its 32-bit numbers, and of
//! 64-bit calls, to which such a program can get by a far jump, only those are allowed that the launcher needs to start it.
//! For example, call 37 with the process's own number is `kill` of itself and allowed, and call 62 of the other set, by
//! which a 64-bit program does the same, fails.
//!
//! The filter is assembled here, as the crate that assembles the others knows 64-bit architectures only. A file is opened for
//! reading only, a call that is not listed fails with `EPERM`, and one of a third architecture ends the process.
//!
//! **Direction of error.** Towards refusing, as in `filter.rs`.

use seccompiler::{BpfProgram, sock_filter};

use crate::Profile;
use crate::filter::{Circumstances, FCNTL, IOCTL, NAMESPACES, PRCTL, WRITING};

/// The machine of an executable for 32 bits, by its head.
pub(crate) const EM_386: u16 = 3;

const ARCH_32: u32 = 0x4000_0003;
const ARCH_64: u32 = 0xc000_003e;
const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const AND: u16 = 0x54;
const RETURN: u16 = 0x06;
const ALLOW: u32 = 0x7fff_0000;
const FAIL: u32 = 0x0005_0000;
const KILL: u32 = 0x8000_0000;
/// Where a call's number, architecture and arguments are.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// Calls that concern the process itself, its memory and what it has opened.
const ALLOWED: &[u32] = &[
    1,   // exit
    3,   // read
    4,   // write
    6,   // close
    13,  // time
    19,  // lseek
    20,  // getpid
    24,  // getuid
    27,  // alarm
    29,  // pause
    33,  // access
    41,  // dup
    42,  // pipe
    43,  // times
    45,  // brk
    47,  // getgid
    49,  // geteuid
    50,  // getegid
    60,  // umask
    63,  // dup2
    64,  // getppid
    65,  // getpgrp
    76,  // getrlimit
    77,  // getrusage
    78,  // gettimeofday
    82,  // select
    85,  // readlink
    90,  // mmap
    91,  // munmap
    99,  // statfs
    100, // fstatfs
    104, // setitimer
    105, // getitimer
    106, // stat
    107, // lstat
    108, // fstat
    116, // sysinfo
    118, // fsync
    119, // sigreturn
    122, // uname
    125, // mprotect
    132, // getpgid
    140, // _llseek
    141, // getdents
    142, // _newselect
    143, // flock
    144, // msync
    145, // readv
    146, // writev
    147, // getsid
    148, // fdatasync
    150, // mlock
    151, // munlock
    158, // sched_yield
    162, // nanosleep
    163, // mremap
    168, // poll
    173, // rt_sigreturn
    174, // rt_sigaction
    175, // rt_sigprocmask
    176, // rt_sigpending
    177, // rt_sigtimedwait
    179, // rt_sigsuspend
    180, // pread64
    181, // pwrite64
    183, // getcwd
    186, // sigaltstack
    187, // sendfile
    191, // ugetrlimit
    192, // mmap2
    195, // stat64
    196, // lstat64
    197, // fstat64
    199, // getuid32
    200, // getgid32
    201, // geteuid32
    202, // getegid32
    205, // getgroups32
    218, // mincore
    219, // madvise
    220, // getdents64
    224, // gettid
    239, // sendfile64
    240, // futex
    243, // set_thread_area
    244, // get_thread_area
    252, // exit_group
    258, // set_tid_address
    259, // timer_create
    260, // timer_settime
    261, // timer_gettime
    262, // timer_getoverrun
    263, // timer_delete
    265, // clock_gettime
    266, // clock_getres
    267, // clock_nanosleep
    268, // statfs64
    269, // fstatfs64
    300, // fstatat64
    305, // readlinkat
    307, // faccessat
    308, // pselect6
    309, // ppoll
    311, // set_robust_list
    312, // get_robust_list
    318, // getcpu
    330, // dup3
    331, // pipe2
    355, // getrandom
    375, // membarrier
    383, // statx
    384, // arch_prctl
    386, // rseq
    403, // clock_gettime64
    406, // clock_getres_time64
    407, // clock_nanosleep_time64
    413, // pselect6_time64
    414, // ppoll_time64
    421, // rt_sigtimedwait_time64
    422, // futex_time64
    436, // close_range
    439, // faccessat2
];

/// What is demanded of an argument: that these bits of it have a value.
#[derive(Clone, Copy)]
struct Demand {
    argument: u32,
    mask: u32,
    value: u32,
}

fn is(argument: u32, value: u32) -> Vec<Demand> {
    vec![Demand { argument, mask: u32::MAX, value }]
}

fn has(argument: u32, mask: u32, value: u32) -> Vec<Demand> {
    vec![Demand { argument, mask, value }]
}

/// The filter for a program for 32 bits.
pub(crate) fn program(circumstances: Circumstances) -> Option<BpfProgram> {
    let Circumstances { profile, process, program, .. } = circumstances;
    let (process, program) = (u32::try_from(process).ok()?, u32::try_from(program).ok()?);
    let mut other = vec![at(LOAD, NUMBER)];
    // What the launcher does between this filter and the program, or to say that there is none.
    for call in [libc::SYS_write, libc::SYS_exit_group, libc::SYS_exit] {
        allow(&mut other, u32::try_from(call).ok()?, &[])?;
    }
    let start = [is(0, program), is(4, libc::AT_EMPTY_PATH.unsigned_abs())].concat();
    allow(&mut other, u32::try_from(libc::SYS_execveat).ok()?, &[start])?;
    other.push(at(RETURN, FAIL | libc::EPERM.unsigned_abs()));
    let mut own = vec![at(LOAD, NUMBER)];
    for call in ALLOWED {
        allow(&mut own, *call, &[])?;
    }
    for (call, choices) in rules(profile, process) {
        allow(&mut own, call, &choices)?;
    }
    // The library asks by `clone` then.
    own.extend([jump(435, 0, 1), at(RETURN, FAIL | libc::ENOSYS.unsigned_abs())]);
    own.push(at(RETURN, FAIL | libc::EPERM.unsigned_abs()));
    let mut all = vec![at(LOAD, ARCHITECTURE)];
    all.extend([jump(ARCH_64, 0, u8::try_from(other.len()).ok()?)]);
    all.extend(other);
    all.extend([jump(ARCH_32, 1, 0), at(RETURN, KILL)]);
    all.extend(own);
    Some(all)
}

/// Calls that are allowed with some arguments, any of several choices.
fn rules(profile: Profile, process: u32) -> Vec<(u32, Vec<Vec<Demand>>)> {
    let one_of = |argument: u32, values: &mut dyn Iterator<Item = u32>| -> Vec<Vec<Demand>> {
        values.map(|value| is(argument, value)).collect()
    };
    let own = || one_of(0, &mut [0, process].into_iter());
    let mut prctl = one_of(0, &mut PRCTL.iter().map(|option| option.unsigned_abs()));
    let ioctl = one_of(1, &mut IOCTL.iter().map(|request| *request as u32));
    let fcntl = one_of(1, &mut FCNTL.iter().map(|request| request.unsigned_abs()));
    let (writing, namespaces) = (WRITING as u32, NAMESPACES as u32);
    let thread = libc::CLONE_THREAD.unsigned_abs();
    let mut clone = has(0, thread | namespaces, thread);
    let mut more = Vec::new();
    if profile != Profile::Test {
        clone = has(0, namespaces, 0);
        // waitpid, wait4, waitid
        more.extend([7, 114, 284].map(|call| (call, Vec::new())));
    }
    if profile == Profile::Sanitized {
        // execve and personality
        more.extend([11, 136].map(|call| (call, Vec::new())));
        prctl.extend([libc::PR_SET_DUMPABLE, libc::PR_SET_PTRACER].map(|option| is(0, option as u32)));
    }
    if profile == Profile::Sampler {
        // seccomp
        more.push((354, Vec::new()));
        prctl.extend(
            [libc::PR_SET_NO_NEW_PRIVS, libc::PR_SET_SECCOMP].map(|option| is(0, option.unsigned_abs())),
        );
        let end = [is(0, libc::PR_SET_PDEATHSIG.unsigned_abs()), is(1, libc::SIGKILL.unsigned_abs())];
        prctl.push(end.concat());
    }
    more.extend([
        (5, vec![has(1, writing, 0)]),   // open
        (295, vec![has(2, writing, 0)]), // openat
        (37, vec![is(0, process)]),      // kill
        (238, vec![is(0, process)]),     // tkill
        (270, vec![is(0, process)]),     // tgkill
        (178, vec![is(0, process)]),     // rt_sigqueueinfo
        (340, own()),                    // prlimit64
        (242, own()),                    // sched_getaffinity
        (120, vec![clone]),
        (54, ioctl),
        (55, fcntl.clone()), // fcntl
        (221, fcntl),        // fcntl64
        (172, prctl),
    ]);
    more
}

/// Allows a call if the arguments are as one of the choices demands; always if there are none.
fn allow(to: &mut Vec<sock_filter>, call: u32, choices: &[Vec<Demand>]) -> Option<()> {
    if choices.is_empty() {
        to.extend([jump(call, 0, 1), at(RETURN, ALLOW)]);
        return Some(());
    }
    let mut inner = Vec::new();
    for demands in choices {
        for (number, demand) in demands.iter().enumerate() {
            // Behind this choice: a demand takes three instructions, and the end one.
            let behind = u8::try_from(3 * (demands.len() - number - 1) + 1).ok()?;
            inner.extend([
                at(LOAD, ARGUMENTS + 8 * demand.argument),
                at(AND, demand.mask),
                jump(demand.value, 0, behind),
            ]);
        }
        inner.push(at(RETURN, ALLOW));
    }
    inner.push(at(RETURN, FAIL | libc::EPERM.unsigned_abs()));
    to.push(jump(call, 0, u8::try_from(inner.len()).ok()?));
    to.extend(inner);
    Some(())
}

fn at(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

fn jump(value: u32, if_equal: u8, otherwise: u8) -> sock_filter {
    sock_filter { code: JUMP_IF_EQUAL, jt: if_equal, jf: otherwise, k: value }
}
