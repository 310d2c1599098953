/* What tests made by Footpath share: running them one by one, comparing results. Nothing of the system is included
   here: the tested source may have said all of that already, in its own words. */
#ifndef FOOTPATH_TEST_H
#define FOOTPATH_TEST_H

#ifndef NULL
#define NULL ((void *)0)
#endif

#ifndef errno
int *__errno_location(void);
#define errno (*__errno_location ())
#endif

void *memcpy(void *to, const void *from, __SIZE_TYPE__ size);

struct footpath_test {
    const char *name;
    void (*run)(void);
    int fails; /* the program does not survive it */
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

/* An object for the test; all bytes are zero. */
void *footpath_allocate(__SIZE_TYPE__ count, __SIZE_TYPE__ size);

/* What an external function returns: a copy of an object of a size, or something else, if that is 0. */
void *footpath_given(void *value, unsigned size);

/* What follows the variable arguments that matter: more zeros than any test looks at, whole ones and others. */
#define FOOTPATH_ZEROS 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0

#define FOOTPATH_RETURNED() footpath_show("returned")
#define FOOTPATH_SHOW_INT(x) (FOOTPATH_RETURNED(), footpath_show_signed((long long)(x)))
#define FOOTPATH_SHOW_UINT(x) (FOOTPATH_RETURNED(), footpath_show_unsigned((unsigned long long)(x)))
#define FOOTPATH_SHOW_FLOAT(x) (FOOTPATH_RETURNED(), footpath_show_float((double)(x)))
#define FOOTPATH_SHOW_POINTER(x) (FOOTPATH_RETURNED(), footpath_show((x) ? "not null" : "null"))

#define FOOTPATH_EXPECT_INT(x, expected) footpath_expect((long long)(x) == (long long)(expected), #x, #expected)
#define FOOTPATH_EXPECT_UINT(x, expected) \
    footpath_expect((unsigned long long)(x) == (unsigned long long)(expected), #x, #expected)
#define FOOTPATH_EXPECT_FLOAT(x, expected) \
    footpath_expect((x) == (expected) || ((x) != (x) && (expected) != (expected)), #x, #expected)
#define FOOTPATH_EXPECT_POINTER(x, expected) footpath_expect(((x) != 0) == (expected), #x, #expected)

/* Results go where the one who runs the tests asks for them. */
void footpath_show(const char *text);
void footpath_show_signed(long long n);
void footpath_show_unsigned(unsigned long long n);
void footpath_show_float(double x);
void footpath_expect(int holds, const char *what, const char *expected);

/* Ends the test where the tested code has nothing more to do. */
__attribute__((noreturn)) void footpath_end_test(void);

/* Runs the test with the number given; without one, all of them, each in a process of its own. */
int footpath_run(const struct footpath_test *tests, int argc, char **argv);

#endif
