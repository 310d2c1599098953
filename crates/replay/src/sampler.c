/* Runs functions on demand. A request and an answer are words: which function, its arguments, whether arguments of an
   earlier call follow, and these; how it went, and the result. Each call is made in a process of its own that may do
   nothing but compute, and end: it has no files, and the system kills it if it asks for anything but memory. There the
   function is called again, behind the earlier call if there is one, to see whether it gives the same. */
#define _GNU_SOURCE
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __i386__
#define MACHINE AUDIT_ARCH_I386
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0
#endif
#if defined __NR_mmap2
#define MAP_CALL __NR_mmap2
#else
#define MAP_CALL __NR_mmap
#endif

enum { GIVES, DIFFERS, CRASHES, FORBIDDEN, TOO_LONG, UNCONFINED };
enum { ARGUMENTS = 8 };
typedef unsigned long long word;

extern word footpath_call(word function, const word *arguments);

struct request {
    word function, arguments[ARGUMENTS], has_earlier, earlier[ARGUMENTS];
};

struct answer {
    word how, result;
};

#define ALLOW(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define FIELD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))

/* From here on anything but memory is forbidden. Memory of files has a descriptor, the fifth argument. */
static int confine(void)
{
    struct sock_filter filter[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
        FIELD(nr),
        ALLOW(__NR_exit),
        ALLOW(__NR_exit_group),
        ALLOW(__NR_brk),
        ALLOW(__NR_munmap),
        ALLOW(__NR_mremap),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MAP_CALL, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
        FIELD(args[4]),
        ALLOW(0xffffffff),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return MACHINE != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

static void call(const struct request *request, volatile struct answer *answer)
{
    struct itimerval limit = {{0, 0}, {0, 200000}};
    word first, second;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    setitimer(ITIMER_PROF, &limit, 0);
    for (int i = 0; i < 64; i++)
        close(i);
    answer->how = UNCONFINED;
    if (!confine())
        _exit(0);
    answer->how = CRASHES;
    first = footpath_call(request->function, request->arguments);
    answer->result = first;
    answer->how = DIFFERS;
    if (request->has_earlier)
        footpath_call(request->function, request->earlier);
    second = footpath_call(request->function, request->arguments);
    if (first == second)
        answer->how = GIVES;
    _exit(0);
}

static int transfer(int write_it, char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t done = write_it ? write(1, bytes, count) : read(0, bytes, count);
        if (done <= 0)
            return 0;
        bytes += done;
        count -= done;
    }
    return 1;
}

int main(void)
{
    struct request request;
    volatile struct answer *answer =
        mmap(0, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    /* The allocator asks for random numbers when it is used first, and never again. */
    void *volatile first = malloc(1);
    free(first);
    if (answer == MAP_FAILED)
        return 1;
    while (transfer(0, (char *)&request, sizeof request)) {
        struct answer copy;
        int status = 0;
        pid_t child = fork();
        if (child < 0)
            return 1;
        if (child == 0)
            call(&request, answer);
        while (waitpid(child, &status, 0) < 0)
            ;
        copy.how = answer->how;
        copy.result = answer->result;
        if (WIFSIGNALED(status) && copy.how != UNCONFINED)
            copy.how = WTERMSIG(status) == SIGSYS ? FORBIDDEN : WTERMSIG(status) == SIGPROF ? TOO_LONG : CRASHES;
        if (!transfer(1, (char *)&copy, sizeof copy))
            return 1;
    }
    return 0;
}
