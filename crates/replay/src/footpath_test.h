/* What tests made by Footpath share: running them one by one, comparing results. */
#ifndef FOOTPATH_TEST_H
#define FOOTPATH_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* After so long a test is ended. */
#ifndef FOOTPATH_SECONDS
#define FOOTPATH_SECONDS 10
#endif

struct footpath_test {
    const char *name;
    void (*run)(void);
    int fails; /* the program does not survive it */
};

/* The test that runs; functions that nobody has look here for what to return. */
int footpath_test_number;

static int footpath_failed;

/* Which allocations of the tested code fail: the linker puts the functions below in place of the library's. */
static const unsigned char *footpath_allocations;
static size_t footpath_allocation_count, footpath_allocation;

#define FOOTPATH_ALLOCATION_FAILS(...) \
    static const unsigned char footpath_fails[] = {__VA_ARGS__}; \
    footpath_allocations = footpath_fails; \
    footpath_allocation_count = sizeof footpath_fails

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);

static int footpath_allocation_fails(void)
{
    /* Before the test has its number, it is the test itself that allocates. */
    return footpath_test_number && footpath_allocation < footpath_allocation_count &&
           footpath_allocations[footpath_allocation++];
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
    return footpath_allocation_fails() ? NULL : __real_realloc(old, size);
}

static void *footpath_allocate(size_t count, size_t size)
{
    void *object = calloc(count, size);
    if (!object) {
        fputs("footpath: out of memory\n", stderr);
        _exit(99);
    }
    return object;
}

#define FOOTPATH_RETURNED() ((void)footpath_allocate, footpath_show("returned"))
#define FOOTPATH_SHOW_INT(x) (FOOTPATH_RETURNED(), footpath_show_number("%lld", (long long)(x)))
#define FOOTPATH_SHOW_UINT(x) (FOOTPATH_RETURNED(), footpath_show_number("%llu", (long long)(x)))
#define FOOTPATH_SHOW_FLOAT(x) (FOOTPATH_RETURNED(), footpath_show_float((double)(x)))
#define FOOTPATH_SHOW_POINTER(x) (FOOTPATH_RETURNED(), footpath_show((x) ? "not null" : "null"))

#define FOOTPATH_EXPECT_INT(x, expected) footpath_expect((long long)(x) == (long long)(expected), #x, #expected)
#define FOOTPATH_EXPECT_UINT(x, expected) \
    footpath_expect((unsigned long long)(x) == (unsigned long long)(expected), #x, #expected)
#define FOOTPATH_EXPECT_FLOAT(x, expected) \
    footpath_expect((x) == (expected) || ((x) != (x) && (expected) != (expected)), #x, #expected)
#define FOOTPATH_EXPECT_POINTER(x, expected) footpath_expect(((x) != 0) == (expected), #x, #expected)

/* Results go where the one who runs the tests asks for them. */
static FILE *footpath_out(void)
{
    const char *name = getenv("FOOTPATH_RESULT");
    return name ? fopen(name, "a") : NULL;
}

static void footpath_show(const char *text)
{
    FILE *out = footpath_out();
    if (out) {
        fprintf(out, "%s\n", text);
        fclose(out);
    }
}

static void footpath_show_number(const char *format, long long n)
{
    FILE *out = footpath_out();
    if (out) {
        fprintf(out, format, n);
        fputs("\n", out);
        fclose(out);
    }
}

static void footpath_show_float(double x)
{
    FILE *out = footpath_out();
    if (out) {
        fprintf(out, "%a\n", x);
        fclose(out);
    }
}

static void footpath_expect(int holds, const char *what, const char *expected)
{
    footpath_show("returned");
    if (!holds) {
        fprintf(stderr, "footpath: %s is not %s\n", what, expected);
        footpath_failed = 1;
    }
    (void)footpath_show_number;
    (void)footpath_show_float;
}

/* Runs the test with the number given; without one, all of them, each in a process of its own. */
static int footpath_run(const struct footpath_test *tests, int argc, char **argv)
{
    int wrong = 0;
    if (argc > 1) {
        int number = atoi(argv[1]), i = 0;
        while (tests[i].run && i + 1 < number)
            i++;
        if (number < 1 || !tests[i].run) {
            fprintf(stderr, "there is no test %s\n", argv[1]);
            return 2;
        }
        (void)footpath_expect;
        tests[i].run();
        return footpath_failed;
    }
    for (int i = 0; tests[i].run; i++) {
        int status = 0, survived;
        pid_t child;
        fflush(NULL);
        child = fork();
        if (child == 0) {
            alarm(FOOTPATH_SECONDS);
            tests[i].run();
            fflush(NULL);
            _exit(footpath_failed);
        }
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return 99;
        survived = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (survived == !tests[i].fails) {
            printf("ok %s\n", tests[i].name);
        } else {
            printf("NOT OK %s\n", tests[i].name);
            wrong = 1;
        }
    }
    return wrong;
}

#endif
