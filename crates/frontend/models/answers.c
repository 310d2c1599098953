/* What the system answers is an input. It is as the kernel of Linux has it, so that one number says all: a negative one
   says which error there was, and then `errno` gets it and the answer is -1. No branch decides that: calls whose answer
   nobody looks at make no paths. */

typedef struct _IO_FILE FILE;

extern FILE *stdin, *stdout, *stderr;

int __footpath_any_int(void);
long __footpath_any_long(void);
void footpath_assume(int holds);
int *__errno_location(void);

enum { LAST_ERROR = 4095 };

/* At least -1. */
int __footpath_answer(void)
{
    int number = __footpath_any_int();
    footpath_assume(number >= -LAST_ERROR);
    int failed = number >> 31, *error = __errno_location();
    *error = (-number & failed) | (*error & ~failed);
    return number | failed;
}

/* At least -1. */
long __footpath_long_answer(void)
{
    long number = __footpath_any_long();
    footpath_assume(number >= -LAST_ERROR);
    int failed = -(number < 0), *error = __errno_location();
    *error = ((int)-number & failed) | (*error & ~failed);
    return number | failed;
}

/* 0 or -1. */
int __footpath_success(void)
{
    return __footpath_answer() >> 31;
}

/* Fails where the life of the object has ended. */
void __footpath_need_open(const FILE *stream);

/* A null is no stream, and the streams of the system are no null. One that was closed is an object whose life has ended. */
void __footpath_need_stream(const FILE *stream)
{
    if (!stream) {
        footpath_assume((stdin != 0) & (stdout != 0) & (stderr != 0));
        char first = *(const char *)stream;
        (void)first;
    }
    __footpath_need_open(stream);
}
