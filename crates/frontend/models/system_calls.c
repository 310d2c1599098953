/* The operating system: what it answers is an input. What is read from a descriptor are the bytes of
   `__footpath_input_byte`; nothing is written, opened or removed. */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;

int __footpath_any_int(void);
int __footpath_answer(void);
long __footpath_long_answer(void);
int __footpath_success(void);
int __footpath_input_byte(void);
void footpath_assume(int holds);

static ssize_t some_bytes(size_t most)
{
    long n = __footpath_long_answer();
    footpath_assume((n < 0) | ((size_t)n <= most));
    return n;
}

static void look_at_path(const char *path)
{
    char first = *path;
    (void)first;
}

ssize_t read(int from, void *to, size_t most)
{
    (void)from;
    ssize_t n = some_bytes(most);
    char *p = to;
    for (ssize_t i = 0; i < n; i++)
        p[i] = (char)__footpath_input_byte();
    return n;
}

ssize_t write(int to, const void *from, size_t most)
{
    (void)to;
    /* What is written is within its object; of a null, the system says that it is none. */
    if (from && most) {
        char first = *(const char *)from, last = ((const char *)from)[most - 1];
        (void)first;
        (void)last;
    }
    return some_bytes(most);
}

int open(const char *path, int flags, ...)
{
    (void)flags;
    look_at_path(path);
    return __footpath_answer();
}

int open64(const char *path, int flags, ...)
{
    (void)flags;
    look_at_path(path);
    return __footpath_answer();
}

int creat(const char *path, unsigned mode)
{
    (void)mode;
    look_at_path(path);
    return __footpath_answer();
}

int close(int which)
{
    (void)which;
    return __footpath_success();
}

int dup(int which)
{
    (void)which;
    return __footpath_answer();
}

int dup2(int which, int as)
{
    (void)which;
    return as | __footpath_success();
}

long lseek(int which, long offset, int whence)
{
    (void)which;
    (void)offset;
    (void)whence;
    return __footpath_long_answer();
}

int isatty(int which)
{
    (void)which;
    return 1 + __footpath_success();
}

int access(const char *path, int how)
{
    (void)how;
    look_at_path(path);
    return __footpath_success();
}

int unlink(const char *path)
{
    look_at_path(path);
    return __footpath_success();
}

int remove(const char *path)
{
    look_at_path(path);
    return __footpath_success();
}

int rename(const char *old, const char *wanted)
{
    look_at_path(old);
    look_at_path(wanted);
    return __footpath_success();
}

int mkdir(const char *path, unsigned mode)
{
    (void)mode;
    look_at_path(path);
    return __footpath_success();
}

int rmdir(const char *path)
{
    look_at_path(path);
    return __footpath_success();
}

int chdir(const char *path)
{
    look_at_path(path);
    return __footpath_success();
}

int system(const char *command)
{
    (void)command;
    return __footpath_any_int();
}

int getpid(void)
{
    int number = __footpath_any_int();
    footpath_assume(number > 0);
    return number;
}

unsigned getuid(void)
{
    return (unsigned)__footpath_any_int();
}

unsigned geteuid(void)
{
    return (unsigned)__footpath_any_int();
}

int fork(void)
{
    return __footpath_answer();
}

int kill(int process, int signal)
{
    (void)process;
    (void)signal;
    return __footpath_success();
}

unsigned sleep(unsigned seconds)
{
    unsigned left = (unsigned)__footpath_any_int();
    footpath_assume(left <= seconds);
    return left;
}

int usleep(unsigned microseconds)
{
    (void)microseconds;
    return __footpath_success();
}

int fsync(int which)
{
    (void)which;
    return __footpath_success();
}

int fdatasync(int which)
{
    (void)which;
    return __footpath_success();
}

int ftruncate(int which, long size)
{
    (void)which;
    (void)size;
    return __footpath_success();
}

int ftruncate64(int which, long long size)
{
    (void)which;
    (void)size;
    return __footpath_success();
}

long long lseek64(int which, long long offset, int whence)
{
    (void)which;
    (void)offset;
    (void)whence;
    return __footpath_long_answer();
}

int chmod(const char *path, unsigned mode)
{
    (void)mode;
    look_at_path(path);
    return __footpath_success();
}

int fchmod(int which, unsigned mode)
{
    (void)which;
    (void)mode;
    return __footpath_success();
}

int chown(const char *path, unsigned user, unsigned group)
{
    (void)user;
    (void)group;
    look_at_path(path);
    return __footpath_success();
}

int fchown(int which, unsigned user, unsigned group)
{
    (void)which;
    (void)user;
    (void)group;
    return __footpath_success();
}

int link(const char *old, const char *wanted)
{
    look_at_path(old);
    look_at_path(wanted);
    return __footpath_success();
}

int symlink(const char *old, const char *wanted)
{
    look_at_path(old);
    look_at_path(wanted);
    return __footpath_success();
}

int utime(const char *path, const void *times)
{
    (void)times;
    look_at_path(path);
    return __footpath_success();
}

int utimes(const char *path, const void *times)
{
    (void)times;
    look_at_path(path);
    return __footpath_success();
}

int getpagesize(void)
{
    return 4096;
}

unsigned getgid(void)
{
    return (unsigned)__footpath_any_int();
}

unsigned getegid(void)
{
    return (unsigned)__footpath_any_int();
}

/* It is 0 where the parent is outside of the process's namespace. */
int getppid(void)
{
    int number = __footpath_any_int();
    footpath_assume(number >= 0);
    return number;
}
