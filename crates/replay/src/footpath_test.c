/* What tests made by Footpath share; see the header. */
#include "footpath_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
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

void *footpath_allocate(size_t count, size_t size)
{
    void *object = __real_calloc(count, size);
    if (!object) {
        fputs("footpath: out of memory\n", stderr);
        _exit(99);
    }
    return object;
}

static FILE *footpath_out(void)
{
    const char *name = getenv("FOOTPATH_RESULT");
    return name ? fopen(name, "a") : NULL;
}

void footpath_show(const char *text)
{
    FILE *out = footpath_out();
    if (out) {
        fprintf(out, "%s\n", text);
        fclose(out);
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

void footpath_expect(int holds, const char *what, const char *expected)
{
    footpath_show("returned");
    if (!holds) {
        fprintf(stderr, "footpath: %s is not %s\n", what, expected);
        footpath_failed = 1;
    }
}

/* Runs the test with the number given; without one, all of them, each in a process of its own. */
int footpath_run(const struct footpath_test *tests, int argc, char **argv)
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
