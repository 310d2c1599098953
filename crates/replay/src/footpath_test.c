/* What tests made by Footpath share; see the header. */
#define _GNU_SOURCE
#include "footpath_test.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* After so many seconds a test is ended. */
#ifndef FOOTPATH_SECONDS
#define FOOTPATH_SECONDS 10
#endif

int footpath_test_number;
const unsigned char *footpath_allocations;
size_t footpath_allocation_count;

static size_t footpath_allocation;
static int footpath_failed;

/* The linker puts the functions below in place of the library's. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);

static int footpath_allocation_fails(void)
{
    int fails = 0;
    /* Before the test has its number, it is the test itself that allocates. */
    if (!footpath_test_number)
        return 0;
    if (footpath_allocation < footpath_allocation_count)
        fails = footpath_allocations[footpath_allocation++];
    if (fails)
        errno = ENOMEM;
    return fails;
}

void *__wrap_malloc(size_t size)
{
    return footpath_allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return footpath_allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    if (!footpath_allocation_fails())
        return __real_realloc(old, size);
    /* Without a size it frees. */
    if (size == 0)
        free(old);
    return NULL;
}

void *footpath_allocate(size_t count, size_t size)
{
    void *object = __real_calloc(count, size);
    if (!object)
        abort();
    return object;
}

void footpath_copy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
}

void *footpath_given(void *value, unsigned size)
{
    return size ? memcpy(footpath_allocate(1, size), value, size) : value;
}

/* The tested code may have its own idea of files and processes, which the linker then puts in place of the library's;
   so what tests themselves need is asked of the system. */
static void footpath_write(int to, const char *text)
{
    syscall(SYS_write, to, text, strlen(text));
}

/* The descriptor to which results go, if they are asked for: who asks opens it, as a test may open nothing. */
static long footpath_results = -1;

static void footpath_find_results(void)
{
    static const char name[] = "FOOTPATH_RESULT=";
    char **variable;
    for (variable = environ; *variable; variable++)
        if (strncmp(*variable, name, sizeof name - 1) == 0)
            footpath_results = atoi(*variable + sizeof name - 1);
}

void footpath_show(const char *text)
{
    if (footpath_results >= 0) {
        footpath_write((int)footpath_results, text);
        footpath_write((int)footpath_results, "\n");
    }
}

void footpath_show_signed(long long n)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", n);
    footpath_show(text);
}

void footpath_show_unsigned(unsigned long long n)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", n);
    footpath_show(text);
}

void footpath_show_float(double x)
{
    char text[64];
    snprintf(text, sizeof text, "%a", x);
    footpath_show(text);
}

int footpath_messages = 2;

static void footpath_tell(const char *text)
{
    footpath_write(footpath_messages, text);
}

static void footpath_end(int code)
{
    syscall(SYS_exit_group, code);
}

/* What sources say about themselves. A test in which an assumption does not hold tests nothing. */
void footpath_assume(int holds)
{
    if (!holds) {
        footpath_write(2, "footpath: an assumption does not hold\n");
        footpath_end(98);
    }
}

void footpath_assert(int holds)
{
    if (!holds)
        abort();
}

void footpath_fails_if(int fails)
{
    footpath_assert(!fails);
}

void footpath_assumed(int holds, const char *assumption)
{
    (void)holds;
    (void)assumption;
}

void footpath_verified(int holds, const char *premise)
{
    (void)premise;
    footpath_assert(holds);
}

__attribute__((weak)) void __VERIFIER_assume(int holds)
{
    footpath_assume(holds);
}

__attribute__((weak)) void __VERIFIER_error(void)
{
    abort();
}

__attribute__((weak)) void reach_error(void)
{
    abort();
}

static unsigned footpath_checks;

void footpath_expect(int holds, const char *what, const char *expected, const char *file, int line)
{
    char place[32];
    unsigned check = footpath_checks++;
    if (check == 0)
        footpath_show("returned");
    if (holds)
        return;
    if (footpath_results >= 0) {
        /* Who asks for results makes the tests, and leaves out what does not hold. */
        char unmet[32];
        snprintf(unmet, sizeof unmet, "unmet %u", check);
        footpath_show(unmet);
        return;
    }
    snprintf(place, sizeof place, ":%d: ", line);
    footpath_tell(file);
    footpath_tell(place);
    footpath_tell(what);
    footpath_tell(" is not ");
    footpath_tell(expected);
    footpath_tell("\n");
    footpath_failed = 1;
}

int footpath_is_text(const volatile void *address, const char *expected)
{
    const volatile char *text = address;
    if (!text)
        return 0;
    for (; *text == *expected; text++, expected++)
        if (!*expected)
            return 1;
    return 0;
}

int footpath_is_copy(const volatile void *address, const void *copy, size_t size)
{
    const volatile char *now = address;
    const char *before = copy;
    for (size_t i = 0; i < size; i++)
        if (now[i] != before[i])
            return 0;
    return 1;
}

/* The calls that are expected next; none if nothing is expected of calls. */
static const char *const *footpath_next_call;
static int footpath_wrong_calls;

void footpath_expect_calls(const char *const *expected)
{
    footpath_next_call = expected;
}

int footpath_calls_were_made(void)
{
    return !footpath_wrong_calls && footpath_next_call && !*footpath_next_call;
}

/* Reads an expected argument and moves behind it; whether the argument that is passed is like it. */
static int footpath_is_argument(const char **expected, char kind, va_list *arguments)
{
    const char *at = *expected;
    char *behind = NULL;
    int is_like = 0;
    if (kind == 'i') {
        long long passed = va_arg(*arguments, long long);
        is_like = *at == '?' || strtoll(at, &behind, 10) == passed;
    } else if (kind == 'd') {
        double passed = va_arg(*arguments, double), wanted = *at == '?' ? 0 : strtod(at, &behind);
        is_like = *at == '?' || wanted == passed || (wanted != wanted && passed != passed);
    } else {
        const char *passed = va_arg(*arguments, const char *);
        is_like = *at == '?' || (*at == 'N' ? !passed : passed != NULL);
        if (*at == '"') {
            for (at++; *at != '"'; at++)
                is_like = is_like && *passed++ == *at;
            is_like = is_like && !*passed;
        }
    }
    *expected = behind ? behind : strpbrk(at, ",)");
    return is_like;
}

void footpath_called(const char *name, const char *kinds, ...)
{
    const char *expected;
    size_t length = strlen(name);
    int is_like;
    va_list arguments;
    if (!footpath_next_call || footpath_wrong_calls)
        return;
    expected = *footpath_next_call;
    is_like = expected && strncmp(expected, name, length) == 0 && expected[length] == '(';
    va_start(arguments, kinds);
    if (is_like)
        expected += length + 1;
    for (; is_like && *kinds; kinds++) {
        is_like = footpath_is_argument(&expected, *kinds, &arguments);
        expected += strspn(expected, ", ");
    }
    va_end(arguments);
    if (is_like) {
        footpath_next_call++;
        return;
    }
    footpath_wrong_calls = 1;
    footpath_tell("footpath: a call of ");
    footpath_tell(name);
    footpath_tell(" is not ");
    footpath_tell(*footpath_next_call ? *footpath_next_call : "expected");
    footpath_tell("\n");
}

/* A test ends with its objects where they are. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* Whether the tested code has not begun yet or has ended, so that the library's functions are its own: what counts
   coverage looks at the environment and at files then. */
int footpath_is_outside = 1;
/* Whether the tested code may have begun. */
int footpath_has_begun;

int __cxa_atexit(void (*)(void *), void *, void *);

static void footpath_step_outside(void *unused)
{
    (void)unused;
    footpath_is_outside = 1;
    footpath_allocation_count = 0;
}

/* What counts coverage writes it now. */
void footpath_end_test(void)
{
    footpath_step_outside(NULL);
    exit(footpath_failed);
}

/* What stands where the test's variables will: what none of them is given is then the same in each run, whatever
   addresses the system has chosen. */
static void __attribute__((noinline)) footpath_clear_stack(void)
{
    volatile char room[1 << 16];
    unsigned i;
    for (i = 0; i < sizeof room; i++)
        room[i] = 0;
}

/* From here on the code may be the tested one, which may also end the program. Its own functions for that may be others. */
static void footpath_begin(void)
{
    if (!footpath_has_begun)
        __cxa_atexit(footpath_step_outside, NULL, NULL);
    footpath_has_begun = 1;
    footpath_is_outside = 0;
}

/* A framework's handlers of signals would go on with the next test, in the process of this one. All are the system's again. */
static void footpath_forget_handlers(void)
{
    static const char none[64];
    int number;
    for (number = 1; number < 32; number++)
        syscall(SYS_rt_sigaction, number, none, NULL, 8);
}

int footpath_run_apart(const struct footpath_test *test)
{
    int status = 0;
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        struct itimerval limit = {{0, 0}, {FOOTPATH_SECONDS, 0}};
        if (!footpath_has_begun)
            footpath_forget_handlers();
        syscall(SYS_setitimer, ITIMER_REAL, &limit, NULL);
        footpath_begin();
        footpath_clear_stack();
        test->footpath_body();
        footpath_end_test();
    }
    while (syscall(SYS_wait4, child, &status, 0, NULL) < 0)
        if (child < 0 || errno != EINTR)
            footpath_end(99);
    return status;
}

int footpath_is_as_expected(const struct footpath_test *test, int status)
{
    int survives = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return survives == (test->footpath_ends == FOOTPATH_RETURNS);
}

const char *footpath_why_skipped(const struct footpath_test *test)
{
    if (test->footpath_ends != FOOTPATH_IS_UNDEFINED)
        return NULL;
    return test->footpath_why ? test->footpath_why : "it ends only without optimisation";
}

static int footpath_is_of(const struct footpath_test *test, const char *function)
{
    return !function || strcmp(test->footpath_of, function) == 0;
}

/* The test that is asked for; NULL if there is none. */
static const struct footpath_test *footpath_asked_for(const struct footpath_test *tests, int argc, char **argv)
{
    const char *function = NULL;
    int number = atoi(argv[1]);
    const struct footpath_test *test;
    for (test = tests; number < 1 && test->footpath_body; test++)
        if (strcmp(test->footpath_name, argv[1]) == 0)
            return test;
    if (number < 1) {
        function = argv[1];
        number = argc > 2 ? atoi(argv[2]) : 0;
    }
    for (test = tests; test->footpath_body; test++)
        if (footpath_is_of(test, function) && --number == 0)
            return test;
    return NULL;
}

int footpath_run(const struct footpath_test *tests, int argc, char **argv)
{
    const struct footpath_test *test = argc > 1 ? footpath_asked_for(tests, argc, argv) : NULL;
    const char *function = argc == 2 ? argv[1] : NULL;
    int wrong = 0, found = argc < 2;
    footpath_begin();
    if (test) {
        footpath_find_results();
        footpath_clear_stack();
        test->footpath_body();
        return footpath_failed;
    }
    for (test = tests; argc < 3 && test->footpath_body; test++) {
        const char *why = footpath_why_skipped(test);
        int as_expected;
        if (!footpath_is_of(test, function))
            continue;
        found = 1;
        if (why) {
            footpath_write(1, "skipped ");
            footpath_write(1, test->footpath_name);
            footpath_write(1, ": ");
            footpath_write(1, why);
            footpath_write(1, "\n");
            continue;
        }
        as_expected = footpath_is_as_expected(test, footpath_run_apart(test));
        footpath_write(1, as_expected ? "ok " : "NOT OK ");
        footpath_write(1, test->footpath_name);
        footpath_write(1, "\n");
        wrong |= !as_expected;
    }
    if (!found) {
        footpath_write(2, "there is no such test\n");
        return 2;
    }
    return wrong;
}
