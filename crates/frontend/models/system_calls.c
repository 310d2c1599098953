/* The operating system: what it answers is an input. What is read from a descriptor are the bytes of
   `__footpath_input_byte`; nothing is written, opened or removed. */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;

int __footpath_any_int(void);
long __footpath_any_long(void);
int __footpath_input_byte(void);
void footpath_assume(int holds);

/* At least -1, which says that something failed. */
static int number_or_failure(void)
{
    int number = __footpath_any_int();
    footpath_assume(number >= -1);
    return number;
}

static int success_or_failure(void)
{
    return __footpath_any_int() < 0 ? -1 : 0;
}

static ssize_t some_bytes(size_t most)
{
    long n = __footpath_any_long();
    footpath_assume(n >= -1);
    footpath_assume(n < 0 || (size_t)n <= most);
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
    (void)from;
    return some_bytes(most);
}

int open(const char *path, int flags, ...)
{
    (void)flags;
    look_at_path(path);
    return number_or_failure();
}

int open64(const char *path, int flags, ...)
{
    (void)flags;
    look_at_path(path);
    return number_or_failure();
}

int creat(const char *path, unsigned mode)
{
    (void)mode;
    look_at_path(path);
    return number_or_failure();
}

int close(int which)
{
    (void)which;
    return success_or_failure();
}

int dup(int which)
{
    (void)which;
    return number_or_failure();
}

int dup2(int which, int as)
{
    (void)which;
    return __footpath_any_int() < 0 ? -1 : as;
}

long lseek(int which, long offset, int whence)
{
    (void)which;
    (void)offset;
    (void)whence;
    long at = __footpath_any_long();
    footpath_assume(at >= -1);
    return at;
}

int isatty(int which)
{
    (void)which;
    return __footpath_any_int() < 0;
}

int access(const char *path, int how)
{
    (void)how;
    look_at_path(path);
    return success_or_failure();
}

int unlink(const char *path)
{
    look_at_path(path);
    return success_or_failure();
}

int remove(const char *path)
{
    look_at_path(path);
    return success_or_failure();
}

int rename(const char *old, const char *wanted)
{
    look_at_path(old);
    look_at_path(wanted);
    return success_or_failure();
}

int mkdir(const char *path, unsigned mode)
{
    (void)mode;
    look_at_path(path);
    return success_or_failure();
}

int rmdir(const char *path)
{
    look_at_path(path);
    return success_or_failure();
}

int chdir(const char *path)
{
    look_at_path(path);
    return success_or_failure();
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
    return number_or_failure();
}

int kill(int process, int signal)
{
    (void)process;
    (void)signal;
    return success_or_failure();
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
    return success_or_failure();
}

int fcntl(int which, int command, ...)
{
    (void)which;
    (void)command;
    return number_or_failure();
}

int fcntl64(int which, int command, ...)
{
    (void)which;
    (void)command;
    return number_or_failure();
}

int ioctl(int which, unsigned long command, ...)
{
    (void)which;
    (void)command;
    return number_or_failure();
}

int fsync(int which)
{
    (void)which;
    return success_or_failure();
}

int fdatasync(int which)
{
    (void)which;
    return success_or_failure();
}

int ftruncate(int which, long size)
{
    (void)which;
    (void)size;
    return success_or_failure();
}

int ftruncate64(int which, long long size)
{
    (void)which;
    (void)size;
    return success_or_failure();
}

long long lseek64(int which, long long offset, int whence)
{
    (void)which;
    (void)offset;
    (void)whence;
    long at = __footpath_any_long();
    footpath_assume(at >= -1);
    return at;
}

int chmod(const char *path, unsigned mode)
{
    (void)mode;
    look_at_path(path);
    return success_or_failure();
}

int fchmod(int which, unsigned mode)
{
    (void)which;
    (void)mode;
    return success_or_failure();
}

int chown(const char *path, unsigned user, unsigned group)
{
    (void)user;
    (void)group;
    look_at_path(path);
    return success_or_failure();
}

int fchown(int which, unsigned user, unsigned group)
{
    (void)which;
    (void)user;
    (void)group;
    return success_or_failure();
}

int link(const char *old, const char *wanted)
{
    look_at_path(old);
    look_at_path(wanted);
    return success_or_failure();
}

int symlink(const char *old, const char *wanted)
{
    look_at_path(old);
    look_at_path(wanted);
    return success_or_failure();
}

int utime(const char *path, const void *times)
{
    (void)times;
    look_at_path(path);
    return success_or_failure();
}

int utimes(const char *path, const void *times)
{
    (void)times;
    look_at_path(path);
    return success_or_failure();
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

int getppid(void)
{
    return getpid();
}
