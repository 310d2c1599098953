/* Attacks on the process that started this one, on the system, and on what is not this process's. The one with the
   number that is given is tried before `main`, and says what came of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static const char *name;
static long result;

/* Whether this is attack number `number`, if it is the one that is asked for. */
#define ATTACK(text, ...)                                                                                              \
    if (wanted == next++) {                                                                                            \
        name = text;                                                                                                   \
        errno = 0;                                                                                                     \
        result = (long)(__VA_ARGS__);                                                                                  \
    }

static long flags_of(const char *file)
{
    int opened = open(file, O_RDONLY), flags = FS_NODUMP_FL;
    return opened < 0 ? -1 : ioctl(opened, FS_IOC_SETFLAGS, &flags);
}

/* A process of its own, by any of the calls that make one. */
static long make_process(long call)
{
    long child = syscall(call, call == SYS_clone ? SIGCHLD : 0, 0, 0, 0, 0);
    if (child == 0)
        syscall(SYS_exit_group, 0);
    return child;
}

static long start(const char *program)
{
    char *arguments[] = {"true", 0};
    execve(program, arguments, environ);
    return -1;
}

/* A file without a name, which holds a program. */
static long start_from_memory(void)
{
    char *arguments[] = {"true", 0};
    long file = syscall(SYS_memfd_create, "program", 0);
    int program = open("/bin/true", O_RDONLY);
    if (file < 0 || program < 0)
        return -1;
    while (sendfile(file, program, 0, 1 << 20) > 0)
        ;
    return syscall(SYS_execveat, file, "", arguments, environ, AT_EMPTY_PATH);
}

/* More threads than any test needs, each of which stays. */
static void *stay(void *unused)
{
    for (;;)
        pause();
}

static long make_threads(void)
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    for (int i = 0; i < 5000; i++) {
        int why = pthread_create(&thread, &small, stay, 0);
        if (why) {
            errno = why;
            return -1;
        }
    }
    return 0;
}

/* A name that is no file, as other programs listen at. */
static long connect_to_name(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0footpath"};
    int end = socket(AF_UNIX, SOCK_DGRAM, 0);
    return end < 0 ? -1 : bind(end, (struct sockaddr *)&name, sizeof(sa_family_t) + 9);
}

/* Typing on a terminal; the call is refused before the device is looked at. */
static long type_on(int device)
{
    return ioctl(device, TIOCSTI, "x");
}

static long fill_shared_memory(void)
{
    int file = shm_open("/footpath_attack", O_CREAT | O_RDWR, 0600);
    shm_unlink("/footpath_attack");
    return file;
}

static long clone_anew(void)
{
    struct clone_args request = {.exit_signal = SIGCHLD};
    long child = syscall(SYS_clone3, &request, sizeof request);
    if (child == 0)
        syscall(SYS_exit_group, 0);
    return child;
}

static long enter_namespace_of(int process)
{
    char file[64];
    snprintf(file, sizeof file, "/proc/%d/ns/mnt", process);
    int space = open(file, O_RDONLY);
    return space < 0 ? -1 : setns(space, 0);
}

/* A way around: through a link of this process. */
static long environment_by_link(int process)
{
    char file[64];
    snprintf(file, sizeof file, "/proc/self/root/proc/%d/environ", process);
    return open(file, O_RDONLY);
}

#ifdef __x86_64__
/* The third set of calls of this architecture has the same one's numbers with a bit set. */
#define OTHER_SET 0x40000000
#else
#define OTHER_SET 0
#endif

static long start_by_descriptor(void)
{
    char *arguments[] = {"true", 0};
    struct rlimit limit;
    int opened = open("/usr/bin/env", O_RDONLY);
    getrlimit(RLIMIT_NOFILE, &limit);
    /* The number with which the launcher starts its program. */
    dup2(opened, (int)limit.rlim_cur);
    return syscall(SYS_execveat, limit.rlim_cur, "", arguments, environ, AT_EMPTY_PATH);
}

static long descriptor_of(int process)
{
    long handle = syscall(SYS_pidfd_open, process, 0);
    return handle < 0 ? -1 : syscall(SYS_pidfd_getfd, handle, 1, 0);
}

static long signal_by_handle(int process)
{
    long handle = syscall(SYS_pidfd_open, process, 0);
    return handle < 0 ? -1 : syscall(SYS_pidfd_send_signal, handle, SIGCONT, 0, 0);
}

static long environment_of(int process)
{
    char file[64];
    snprintf(file, sizeof file, "/proc/%d/environ", process);
    return open(file, O_RDONLY);
}

static long memory_of(int process)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    return process_vm_writev(process, &here, 1, &there, 1, 0);
}

#ifdef __x86_64__
/* Calls of the other architecture have other numbers: 20 is `getpid` there. */
static long call_of_32_bits(void)
{
    long answer;
    __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20L) : "memory");
    return answer;
}
#else
static long call_of_32_bits(void)
{
    raise(SIGSYS);
    return -1;
}
#endif

__attribute__((constructor)) static void attack(int argc, char **argv)
{
    int wanted = argc > 2 ? atoi(argv[1]) : -1, next = 0, parent = getppid();
    const char *file = argc > 2 ? argv[2] : "", *secret = argc > 3 ? argv[3] : "";
    struct rlimit few = {64, 64};
    siginfo_t info = {.si_signo = SIGCONT, .si_code = -1};
    struct open_how how = {.flags = O_WRONLY};
    unsigned long context = 0;
    int pair[2];
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    ATTACK("kill", kill(parent, SIGCONT))
    ATTACK("tkill", syscall(SYS_tkill, parent, SIGCONT))
    ATTACK("tgkill", syscall(SYS_tgkill, parent, parent, SIGCONT))
    ATTACK("rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, parent, SIGCONT, &info))
    ATTACK("rt_tgsigqueueinfo", syscall(SYS_rt_tgsigqueueinfo, parent, parent, SIGCONT, &info))
    ATTACK("pidfd_send_signal", signal_by_handle(parent))
    ATTACK("pidfd_getfd", descriptor_of(parent))
    ATTACK("prlimit64", prlimit(parent, RLIMIT_NOFILE, &few, 0))
    ATTACK("setpriority", setpriority(PRIO_PROCESS, parent, 19))
    ATTACK("sched_setaffinity", sched_setaffinity(parent, sizeof one, &one))
    ATTACK("ptrace", ptrace(PTRACE_SEIZE, parent, 0, 0))
    ATTACK("process_vm_writev", memory_of(parent))
    ATTACK("environ", environment_of(parent))
    ATTACK("F_SETOWN", fcntl(0, F_SETOWN, parent))
    ATTACK("fchmodat2", syscall(SYS_fchmodat2, AT_FDCWD, file, 0777, 0))
    ATTACK("chmod", chmod(file, 0777))
    ATTACK("FS_IOC_SETFLAGS", flags_of(file))
    ATTACK("utimensat", utimensat(AT_FDCWD, file, 0, 0))
    ATTACK("open", open(file, O_WRONLY))
    ATTACK("truncate", truncate(file, 0))
    ATTACK("creat", creat("/tmp/footpath_attack", 0600))
    ATTACK("unlink", unlink(file))
    ATTACK("shmget", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600))
    ATTACK("semget", semget(IPC_PRIVATE, 1, IPC_CREAT | 0600))
    ATTACK("msgget", msgget(IPC_PRIVATE, IPC_CREAT | 0600))
    ATTACK("clone", make_process(SYS_clone))
#ifdef __x86_64__
    ATTACK("fork", make_process(SYS_fork))
#endif
    ATTACK("clone3", clone_anew())
    ATTACK("threads", make_threads())
    ATTACK("execve", start("/bin/true"))
    ATTACK("execve by a link", start("/proc/self/root/bin/true"))
    ATTACK("execveat", start_by_descriptor())
    ATTACK("memfd_create", start_from_memory())
    ATTACK("socket", socket(AF_UNIX, SOCK_STREAM, 0))
    ATTACK("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
    ATTACK("inet", socket(AF_INET, SOCK_STREAM, 0))
    ATTACK("netlink", socket(AF_NETLINK, SOCK_RAW, 0))
    ATTACK("abstract name", connect_to_name())
    ATTACK("unshare", unshare(CLONE_NEWUSER))
    ATTACK("unshare mounts", unshare(CLONE_NEWUSER | CLONE_NEWNS))
    ATTACK("setns", enter_namespace_of(parent))
    ATTACK("kill the group", kill(0, 0))
    ATTACK("kill all", kill(-1, 0))
    ATTACK("kill another group", kill(-getpgid(parent), 0))
    ATTACK("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | 1))
    ATTACK("keyctl", syscall(SYS_keyctl, 0, -3, 1))
    ATTACK("add_key", syscall(SYS_add_key, "user", "footpath", "x", 1, -3))
    ATTACK("bpf", syscall(SYS_bpf, 0, 0, 0))
    ATTACK("perf_event_open", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0))
    ATTACK("inotify_init1", inotify_init1(0))
    ATTACK("fanotify_init", syscall(SYS_fanotify_init, 0, 0))
    ATTACK("TIOCSTI", type_on(0))
    ATTACK("shm_open", fill_shared_memory())
    ATTACK("O_TMPFILE", open("/tmp", O_TMPFILE | O_RDWR, 0600))
    ATTACK("openat2", syscall(SYS_openat2, AT_FDCWD, file, &how, sizeof how))
    ATTACK("symlink", symlink(secret, "/tmp/footpath_attack_link"))
    ATTACK("link", link(file, "/tmp/footpath_attack_name"))
    ATTACK("rename", rename(file, "/tmp/footpath_attack_name"))
    ATTACK("mkdir", mkdir("/tmp/footpath_attack_folder", 0700))
    ATTACK("setxattr", setxattr(file, "user.x", "x", 1, 0))
    ATTACK("/proc/self/mem", open("/proc/self/mem", O_RDWR))
    ATTACK("oom_score_adj", open("/proc/self/oom_score_adj", O_WRONLY))
    ATTACK("environ by a link", environment_by_link(parent))
    ATTACK("kcmp", syscall(SYS_kcmp, parent, getpid(), 0, 1, 1))
    ATTACK("process_madvise", syscall(SYS_process_madvise, -1, 0, 0, 0, 0))
    ATTACK("io_setup", syscall(SYS_io_setup, 1, &context))
    ATTACK("syslog", syscall(SYS_syslog, 10, 0, 0))
    ATTACK("chroot", chroot("/"))
    ATTACK("setuid", setresuid(0, 0, 0))
    ATTACK("other set of calls", syscall(OTHER_SET | SYS_getpid))
    ATTACK("PR_SET_PDEATHSIG", prctl(PR_SET_PDEATHSIG, 0))
    ATTACK("setsid", setsid())
    ATTACK("io_uring_setup", syscall(SYS_io_uring_setup, 0, 0))
    ATTACK("secret", open(secret, O_RDONLY))
    ATTACK("open_by_handle_at", syscall(SYS_open_by_handle_at, AT_FDCWD, 0, O_RDONLY))
    ATTACK("fsopen", syscall(SYS_fsopen, "tmpfs", 0))
    ATTACK("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1))
    ATTACK("mount", mount("none", "/mnt", "tmpfs", 0, 0))
    ATTACK("int80", call_of_32_bits())
    if (!name)
        name = "end";
    dprintf(2, "%s %s %s\n", name, result == -1 ? "refused" : "done", strerrorname_np(errno));
    _exit(0);
}

int main(void)
{
    return 1;
}
