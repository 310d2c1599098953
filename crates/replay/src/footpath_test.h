/* What tests made by Footpath share: running them one by one, comparing results. Nothing of the system is included
   here: the tested source may have said all of that already, in its own words. Nor are there words that a macro of the
   source may be called. */
#ifndef FOOTPATH_TEST_H
#define FOOTPATH_TEST_H

#ifndef NULL
#define NULL ((void *)0)
#endif

#ifndef errno
int *__errno_location(void);
#define errno (*__errno_location ())
#endif

/* How a test ends: it returns, or the program does not survive it, or nothing can be said of it, and it is skipped. What is
   undefined need not end a program that is optimised. */
enum footpath_end { FOOTPATH_RETURNS, FOOTPATH_CRASHES, FOOTPATH_IS_UNDEFINED };
#ifdef __OPTIMIZE__
#define FOOTPATH_FAILS FOOTPATH_IS_UNDEFINED
#else
#define FOOTPATH_FAILS FOOTPATH_CRASHES
#endif

/* Static variables of functions have names that a test can use. */
#if defined(__clang__) && !defined(__OPTIMIZE__)
#define FOOTPATH_NAMES_STATICS
#endif

struct footpath_test {
    /* The function that it tests. */
    const char *footpath_of;
    const char *footpath_name;
    void (*footpath_body)(void);
    enum footpath_end footpath_ends;
    const char *footpath_why;
};

/* The test that runs; external functions look here for what to return. */
extern int footpath_test_number;

/* Which allocations of the tested code fail. */
extern const unsigned char *footpath_allocations;
extern __SIZE_TYPE__ footpath_allocation_count;

#define FOOTPATH_ALLOCATION_FAILS(...) \
    static const unsigned char footpath_fails[] = {__VA_ARGS__}; \
    footpath_allocations = footpath_fails; \
    footpath_allocation_count = sizeof footpath_fails

/* So many objects of a size for the test; all bytes are zero. */
void *footpath_allocate(__SIZE_TYPE__, __SIZE_TYPE__);

/* Copies so many bytes to the first address from the second one. */
void footpath_copy(void *, const void *, __SIZE_TYPE__);

/* What an external function returns: a copy of an object of a size, or something else, if that is 0. */
void *footpath_given(void *, unsigned);

/* What follows the variable arguments that matter: more zeros than any test looks at, whole ones and others. */
#define FOOTPATH_ZEROS 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0

#define FOOTPATH_RETURNED() footpath_show("returned")
#define FOOTPATH_SHOW_INT(x) (FOOTPATH_RETURNED(), footpath_show_signed((long long)(x)))
#define FOOTPATH_SHOW_UINT(x) (FOOTPATH_RETURNED(), footpath_show_unsigned((unsigned long long)(x)))
#define FOOTPATH_SHOW_FLOAT(x) (FOOTPATH_RETURNED(), footpath_show_float((double)(x)))
#define FOOTPATH_SHOW_POINTER(x) (FOOTPATH_RETURNED(), footpath_show((x) ? "not null" : "null"))

/* Expectations say where they stand. */
#define FOOTPATH_EXPECT(holds, what, expected) footpath_expect(holds, what, expected, __FILE__, __LINE__)
#define FOOTPATH_EXPECT_INT(x, expected) FOOTPATH_EXPECT((long long)(x) == (long long)(expected), #x, #expected)
#define FOOTPATH_EXPECT_UINT(x, expected) \
    FOOTPATH_EXPECT((unsigned long long)(x) == (unsigned long long)(expected), #x, #expected)
#define FOOTPATH_EXPECT_FLOAT(x, expected) \
    FOOTPATH_EXPECT((x) == (expected) || ((x) != (x) && (expected) != (expected)), #x, #expected)
#define FOOTPATH_EXPECT_NULL(x) FOOTPATH_EXPECT((x) == 0, #x, "NULL")
#define FOOTPATH_EXPECT_NOT_NULL(x) FOOTPATH_EXPECT((x) != 0, #x, "anything but NULL")
#define FOOTPATH_EXPECT_ADDRESS(x, expected) \
    FOOTPATH_EXPECT((const volatile void *)(x) == (const volatile void *)(expected), #x, #expected)
#define FOOTPATH_EXPECT_TEXT(x, expected) \
    FOOTPATH_EXPECT(footpath_is_text((const volatile void *)(x), expected), #x, #expected)
/* Puts a value back that is expected to change, so that the rest can be compared. */
#define FOOTPATH_PUT_BACK(x, before) footpath_copy((void *)&(x), &(before), sizeof(x))
#define FOOTPATH_EXPECT_UNCHANGED(x, before, size) \
    FOOTPATH_EXPECT(footpath_is_copy(x, before, size), "what " #x " points to", "what was there before")

/* The calls of external functions that follow: names and arguments, where ? is anything and ... any address but NULL. */
#define FOOTPATH_EXPECT_CALLS(...) \
    static const char *const footpath_calls[] = {__VA_ARGS__, 0}; \
    footpath_expect_calls(footpath_calls)
#define FOOTPATH_EXPECT_NO_CALLS() \
    static const char *const footpath_calls[] = {0}; \
    footpath_expect_calls(footpath_calls)
#define FOOTPATH_EXPECT_CALLS_MADE() FOOTPATH_EXPECT(footpath_calls_were_made(), "a call", "one that is expected")

/* Results go where the one who runs the tests asks for them. */
void footpath_show(const char *);
void footpath_show_signed(long long);
void footpath_show_unsigned(unsigned long long);
void footpath_show_float(double);
/* Whether it holds, what is compared, what is expected, and where that stands. */
void footpath_expect(int, const char *, const char *, const char *, int);
int footpath_is_text(const volatile void *, const char *);
int footpath_is_copy(const volatile void *, const void *, __SIZE_TYPE__);
void footpath_expect_calls(const char *const *);
int footpath_calls_were_made(void);

/* Ends the test where the tested code has nothing more to do. */
__attribute__((noreturn)) void footpath_end_test(void);

/* Runs all tests, each in a process of its own; those of a function if its name is given. A single one, by its number or its name, or
   by its function and its number there, runs in this process. */
int footpath_run(const struct footpath_test *, int, char **);

/* Runs a test in a process of its own; how that ended, in the system's words. */
int footpath_run_apart(const struct footpath_test *);
/* Whether that is what is expected of the test. */
int footpath_is_as_expected(const struct footpath_test *, int);
/* Why a test is skipped. */
const char *footpath_why_skipped(const struct footpath_test *);
/* The descriptor to which tests say what does not hold. */
extern int footpath_messages;

#endif
