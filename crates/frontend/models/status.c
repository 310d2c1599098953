/* What the system says of files: all fields are inputs. */
typedef unsigned long long word;

word __footpath_any_8(void);
int __footpath_success(void);

/* The words of a `struct stat` and of a `struct stat64`; no field is larger than a word. */
#ifdef __LP64__
enum { WORDS = 18, WORDS_64 = 18 };
#else
enum { WORDS = 11, WORDS_64 = 12 };
#endif

static int some_status(void *to, int words)
{
    word *p = to;
    if (__footpath_success())
        return -1;
    for (int i = 0; i < words; i++)
        p[i] = __footpath_any_8();
    return 0;
}

int stat(const char *path, void *to)
{
    char first = *path;
    (void)first;
    return some_status(to, WORDS);
}

int lstat(const char *path, void *to)
{
    return stat(path, to);
}

int fstat(int which, void *to)
{
    (void)which;
    return some_status(to, WORDS);
}

int stat64(const char *path, void *to)
{
    char first = *path;
    (void)first;
    return some_status(to, WORDS_64);
}

int lstat64(const char *path, void *to)
{
    return stat64(path, to);
}

int fstat64(int which, void *to)
{
    (void)which;
    return some_status(to, WORDS_64);
}
