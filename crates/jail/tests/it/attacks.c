/* Attacks on the process that started this one, on the system, and on what is not this process's. The one with the
   number that is given is tried before `main`, and says what came of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
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

static long start(void)
{
    char *arguments[] = {"true", 0};
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        syscall(SYS_exit_group, 0);
    return child < 0 ? execve("/bin/true", arguments, environ) : child;
}

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
    ATTACK("clone", start())
    ATTACK("execveat", start_by_descriptor())
    ATTACK("socket", socket(AF_UNIX, SOCK_STREAM, 0))
    ATTACK("unshare", unshare(CLONE_NEWUSER))
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
