/* What a process that runs a test may not do. Tests call whatever the tested code calls, with inputs that nobody has
   looked at, and behind an access out of bounds a program may do anything. So the system refuses, with an error that the
   code sees, to start processes, to signal others, to change files or to open them for that, to open connections and to
   administer the machine. Where the kernel does not filter calls of the system, only the limits on time and memory
   hold. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const unsigned refused[] = {
    /* Processes. */
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_setsid, SYS_setpgid, SYS_process_vm_writev, SYS_unshare, SYS_setns,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
    /* Files. */
    SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_mknodat, SYS_linkat, SYS_symlinkat, SYS_fchmodat, SYS_fchmod,
    SYS_fchownat, SYS_fchown, SYS_truncate, SYS_ftruncate, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_unlink
    SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_link, SYS_symlink, SYS_chmod, SYS_chown, SYS_lchown,
    SYS_creat, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
#ifdef SYS_openat2
    SYS_openat2,
#endif
    /* Connections. */
#ifdef SYS_socket
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind,
#endif
#ifdef SYS_socketcall
    SYS_socketcall,
#endif
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
    /* The machine. */
    SYS_mount, SYS_umount2, SYS_chroot, SYS_pivot_root, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname,
    SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_init_module, SYS_delete_module, SYS_kexec_load, SYS_acct,
    SYS_bpf, SYS_keyctl, SYS_add_key,
};

enum { WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, MAX = 256 };

static struct sock_filter filter[MAX];
static unsigned short length;

static void add(unsigned short code, unsigned value, unsigned char if_so, unsigned char if_not)
{
    if (length < MAX)
        filter[length++] = (struct sock_filter)BPF_JUMP(code, value, if_so, if_not);
}

static void load(unsigned offset)
{
    add(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static void answer(unsigned action)
{
    add(BPF_RET | BPF_K, action, 0, 0);
}

enum { NUMBER = offsetof(struct seccomp_data, nr), REFUSE = SECCOMP_RET_ERRNO | EPERM };

/* The lower half of an argument. */
static unsigned argument(unsigned i)
{
    unsigned half = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0;
    return offsetof(struct seccomp_data, args) + 8 * i + half;
}

/* Refuses call `number` if one of these bits of an argument is set, or if none of them is. */
static void refuse_if_bits(unsigned number, unsigned i, unsigned bits, int set)
{
    load(NUMBER);
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4);
    load(argument(i));
    add(BPF_JMP | BPF_JSET | BPF_K, bits, set ? 0 : 1, set ? 1 : 0);
    answer(REFUSE);
    answer(SECCOMP_RET_ALLOW);
}

/* Refuses call `number` if its first argument is not the process itself. */
static void refuse_others(unsigned number)
{
    load(NUMBER);
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4);
    load(argument(0));
    add(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)syscall(SYS_getpid), 1, 0);
    answer(REFUSE);
    answer(SECCOMP_RET_ALLOW);
}

void footpath_confine(void)
{
    struct sock_fprog program;
    unsigned i;
    load(NUMBER);
    for (i = 0; i < sizeof refused / sizeof *refused; i++) {
        add(BPF_JMP | BPF_JEQ | BPF_K, refused[i], 0, 1);
        answer(REFUSE);
    }
    /* Threads are no processes. The library asks by `clone` where there is no `clone3`. */
    refuse_if_bits(SYS_clone, 0, CLONE_THREAD, 0);
#ifdef SYS_clone3
    load(NUMBER);
    add(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
    answer(SECCOMP_RET_ERRNO | ENOSYS);
#endif
#ifdef SYS_open
    refuse_if_bits(SYS_open, 1, WRITING, 1);
#endif
    refuse_if_bits(SYS_openat, 2, WRITING, 1);
    refuse_others(SYS_kill);
    refuse_others(SYS_tgkill);
    refuse_others(SYS_rt_sigqueueinfo);
    answer(SECCOMP_RET_ALLOW);
    program.len = length;
    program.filter = filter;
    if (syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
