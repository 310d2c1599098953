/* Runs tests and says of each whether it passes, and all that could be seen of it, as a number. It stands in place of
   footpath_test.c, of which it is made: every object on the heap is kept in mind, and calls of external functions. */
#define footpath_run footpath_run_plainly
#define footpath_allocate footpath_allocate_plainly
#define footpath_called footpath_called_plainly
#define __wrap_malloc footpath_malloc_plainly
#define __wrap_calloc footpath_calloc_plainly
#define __wrap_realloc footpath_realloc_plainly
#include "footpath_test.c"
#undef footpath_run
#undef footpath_allocate
#undef footpath_called
#undef __wrap_malloc
#undef __wrap_calloc
#undef __wrap_realloc

/* The variables of the program. */
extern char __data_start[], _end[];

#define OBSERVED_OBJECTS 4096

static struct { const unsigned char *start; size_t size; } observed_objects[OBSERVED_OBJECTS];
static unsigned observed_count;
static unsigned long long observed = 0xcbf29ce484222325ULL;

void footpath_observe(const volatile void *start, size_t size)
{
    const volatile unsigned char *byte = start;
    for (; size--; byte++)
        observed = (observed ^ *byte) * 0x100000001b3ULL;
}

static void *observe_object(void *start, size_t size)
{
    if (start && observed_count < OBSERVED_OBJECTS) {
        observed_objects[observed_count].start = start;
        observed_objects[observed_count++].size = size;
    }
    return start;
}

void *footpath_allocate(size_t count, size_t size)
{
    return observe_object(footpath_allocate_plainly(count, size), count * size);
}

void *__wrap_malloc(size_t size)
{
    void *made = footpath_malloc_plainly(size);
    if (made)
        memset(made, 0xa5, size);
    return observe_object(made, size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return observe_object(footpath_calloc_plainly(count, size), count * size);
}

void *__wrap_realloc(void *old, size_t size)
{
    void *made = footpath_realloc_plainly(old, size);
    unsigned i;
    for (i = 0; made && i < observed_count; i++)
        if (observed_objects[i].start == old)
            observed_objects[i].size = 0;
    return observe_object(made, size);
}

void __real_free(void *object);

/* What is free is nobody's to see. */
void __wrap_free(void *object)
{
    unsigned i;
    for (i = 0; i < observed_count; i++)
        if (observed_objects[i].start == object)
            observed_objects[i].size = 0;
    __real_free(object);
}

#ifdef FOOTPATH_FAILS
void footpath_called(const char *name, const char *kinds, ...)
{
    va_list arguments;
    /* As many as any function passes in registers: what is handed on to the runtime has its own list. */
    long long numbers[6] = {0};
    double others[6] = {0};
    unsigned number = 0, other = 0, i;
    footpath_observe(name, strlen(name));
    va_start(arguments, kinds);
    for (i = 0; kinds[i] && number < 6 && other < 6; i++)
        if (kinds[i] == 'd')
            others[other++] = va_arg(arguments, double);
        else
            numbers[number++] = va_arg(arguments, long long);
    va_end(arguments);
    footpath_observe(numbers, sizeof numbers);
    footpath_observe(others, sizeof others);
    footpath_called_plainly(name, kinds, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5],
                            others[0], others[1], others[2], others[3], others[4], others[5]);
}
#define BODY footpath_body
#define RETURNS(test) ((test).footpath_ends == FOOTPATH_RETURNS)
#else
#define BODY run
#define RETURNS(test) (!(test).fails)
#endif

/* The functions for output may be the program's, so what is said is written without them. */
static void say(const char *word, unsigned long long number)
{
    char digits[20] = " ";
    int i;
    for (i = 0; i < 16; i++)
        digits[1 + i] = "0123456789abcdef"[number >> (60 - 4 * i) & 15];
    digits[17] = '\n';
    footpath_write(1, word);
    footpath_write(1, digits);
}

static void observe_test(const struct footpath_test *test, const char *start, size_t size)
{
    struct itimerval limit = {{0, 0}, {FOOTPATH_SECONDS, 0}};
    unsigned i;
    syscall(SYS_setitimer, ITIMER_REAL, &limit, NULL);
    footpath_clear_stack();
    test->BODY();
    for (i = 0; i < observed_count; i++)
        footpath_observe(observed_objects[i].start, observed_objects[i].size);
    footpath_observe(start, size);
    say(footpath_failed ? "failed" : "passed", observed);
    footpath_end(0);
}

/* Writes a line for each test of which something can be expected. */
int footpath_run(const struct footpath_test *tests, int argc, char **argv)
{
    int i;
    (void)argc;
    (void)argv;
    for (i = 0; tests[i].BODY; i++) {
        int status = 0;
        long child;
        if (!RETURNS(tests[i])) {
            say("open", 0);
            continue;
        }
        child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child == 0)
            observe_test(&tests[i], __data_start, (size_t)(_end - __data_start));
        while (syscall(SYS_wait4, child, &status, 0, NULL) < 0)
            ;
        if (status)
            say("failed", (unsigned long long)status);
    }
    return 0;
}
