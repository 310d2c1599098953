/* How a framework runs tests made by Footpath; see the header. */
#define _GNU_SOURCE
#include "footpath_framework.h"
#include "footpath_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The tests, which are in a file of their own. */
extern const struct footpath_test footpath_tests[];

/* What the last test said, a line for each failure, and what of it was not read. */
static char footpath_said[1 << 14], *footpath_unread;

static struct footpath_failure footpath_last;

/* Where a failure is that does not say it. */
static const char *footpath_file;
static int footpath_line;

static const struct footpath_test *footpath_find(const char *name)
{
    const struct footpath_test *test = footpath_tests;
    while (test->footpath_body && strcmp(test->footpath_name, name) != 0)
        test++;
    return test->footpath_body ? test : NULL;
}

const char *footpath_skips(const char *name)
{
    const struct footpath_test *test = footpath_find(name);
    return test ? footpath_why_skipped(test) : NULL;
}

/* What is to be said of a run that said nothing itself. */
static void footpath_describe(int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(footpath_said, sizeof footpath_said, "the test does not end in time\n");
    else if (WIFSIGNALED(status))
        snprintf(footpath_said, sizeof footpath_said, "the test is ended by signal %d\n", WTERMSIG(status));
    else if (WEXITSTATUS(status) == 0)
        snprintf(footpath_said, sizeof footpath_said, "the program survives the test, which it did not before\n");
    else
        snprintf(footpath_said, sizeof footpath_said, "the test ends the program with code %d\n", WEXITSTATUS(status));
}

int footpath_try(const char *name, const char *file, int line)
{
    const struct footpath_test *test = footpath_find(name);
    size_t length = 0;
    ssize_t more;
    int ends[2], status;
    footpath_file = file;
    footpath_line = line;
    footpath_unread = footpath_said;
    if (!test) {
        snprintf(footpath_said, sizeof footpath_said, "there is no such test\n");
        return FOOTPATH_FAILED;
    }
    if (footpath_why_skipped(test))
        return FOOTPATH_SKIPPED;
    /* Else the test's process would write what is not written yet once more. */
    fflush(NULL);
    /* Nobody reads while the test runs: what does not fit is lost. The functions for that may be the tested code's own. */
    if (syscall(SYS_pipe2, ends, O_NONBLOCK) != 0)
        abort();
    footpath_messages = ends[1];
    status = footpath_run_apart(test);
    footpath_messages = 2;
    syscall(SYS_close, ends[1]);
    while ((more = syscall(SYS_read, ends[0], footpath_said + length, sizeof footpath_said - 1 - length)) > 0)
        length += (size_t)more;
    syscall(SYS_close, ends[0]);
    footpath_said[length] = 0;
    if (footpath_is_as_expected(test, status))
        return FOOTPATH_PASSED;
    if (length == 0)
        footpath_describe(status);
    return FOOTPATH_FAILED;
}

const struct footpath_failure *footpath_next_failure(void)
{
    char *end, *colon;
    long line;
    if (!footpath_unread || !*footpath_unread)
        return NULL;
    footpath_last.file = footpath_file;
    footpath_last.line = footpath_line;
    footpath_last.message = footpath_unread;
    end = strchr(footpath_unread, '\n');
    footpath_unread = end ? end + 1 : NULL;
    if (end)
        *end = 0;
    /* FILE:LINE: TEXT */
    for (colon = strchr(footpath_last.message, ':'); colon; colon = strchr(colon + 1, ':')) {
        line = strtol(colon + 1, &end, 10);
        if (line > 0 && end[0] == ':' && end[1] == ' ') {
            *colon = 0;
            footpath_last.file = footpath_last.message;
            footpath_last.line = (int)line;
            footpath_last.message = end + 2;
            break;
        }
    }
    return &footpath_last;
}
