/* How a framework runs tests made by Footpath: each in a process of its own, as tests may change variables that others read, may
   end the program, and may be expected to crash. What does not hold there is told here. */
#ifndef FOOTPATH_FRAMEWORK_H
#define FOOTPATH_FRAMEWORK_H

#ifdef __cplusplus
extern "C" {
#endif

enum footpath_verdict { FOOTPATH_PASSED, FOOTPATH_FAILED, FOOTPATH_SKIPPED };

/* What does not hold, and where that is expected. */
struct footpath_failure {
    const char *file;
    int line;
    const char *message;
};

/* Runs the test of this name, which the framework knows from a file and a line. It is one of the verdicts. */
int footpath_try(const char *test, const char *file, int line);

/* The failures of the last test that was run, one after the other; NULL after the last one. */
const struct footpath_failure *footpath_next_failure(void);

/* Why a test is skipped; NULL if it is not. */
const char *footpath_skips(const char *test);

#ifdef __cplusplus
}
#endif

#endif
