/* Observes the functions of a random program: which lines runs pass, and which operations are undefined.
 *
 * The program is compiled with -fsanitize=undefined and without its run-time library: the handlers that the compiler
 * calls are these, so that an undefined operation ends one run, not the program. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "conditions.h"

#ifndef RUNS
#define RUNS 20000
#endif
#define LINES 2000
#define KINDS 6
#define FUNCTIONS 2
#define NEVER 1000000

static const char *const kinds[KINDS] = {"overflow", "division", "shift", "bounds", "null", "other"};

/* Of each line: in how many iterations of each loop a run passes it and returns, or passes it at all; and so for what
 * fails there. NEVER where nothing was seen. */
static unsigned returned[LINES], passed[LINES], failed[LINES][KINDS];
static unsigned trail[4096], trail_length;
static unsigned most, fuel, in_condition, asked;
static int said;
static unsigned counts[LINES];
static jmp_buf over;
static unsigned failed_line, failed_kind;
static unsigned wrong[FUNCTIONS][3];
static int initialised;

static void initialise(void)
{
    for (unsigned i = 0; i < LINES; i++) {
        returned[i] = passed[i] = NEVER;
        for (unsigned k = 0; k < KINDS; k++)
            failed[i][k] = NEVER;
    }
    initialised = 1;
}

static void pass(unsigned line)
{
    if (passed[line] > most)
        passed[line] = most;
    if (trail_length < sizeof trail / sizeof *trail)
        trail[trail_length++] = line;
    else
        longjmp(over, 3);
}

static void go_on(unsigned line)
{
    if (++counts[line] > most)
        most = counts[line];
    if (++fuel > 2000)
        longjmp(over, 3);
}

/* A loop starts anew each time it is entered. */
static void start(unsigned line)
{
    counts[line] = 0;
}

/* A function that calls itself is counted as long as the run lasts. */
#define R pass(__LINE__)
#define STARTS start(__LINE__)
#define GOES_ON go_on(__LINE__)
/* Where the function that is run begins: what its condition says of these arguments. */
#define ENTER(condition)                                                             \
    do {                                                                             \
        if (asked) {                                                                 \
            asked = 0;                                                               \
            in_condition = 1;                                                        \
            said = (condition);                                                      \
            in_condition = 0;                                                        \
        }                                                                            \
    } while (0)
#define IN(index, pointer, length) in((long)(index), (pointer), (long)(length), __LINE__)
#define TEXT(p) text_of((p), __LINE__)

static void fails(unsigned line, unsigned kind)
{
    failed_line = line < LINES ? line : 0;
    failed_kind = kind;
    longjmp(over, 2);
}

static long in(long index, const void *pointer, long length, unsigned line)
{
    if (!pointer)
        fails(line, 4);
    if (index < 0 || index >= length)
        fails(line, 3);
    return index;
}

static const char *text_of(const char *text, unsigned line)
{
    if (!text)
        fails(line, 4);
    return text;
}

struct place { const char *file; uint32_t line, column; };

#define HANDLER(name, kind, ...)                                                     \
    void name(struct place *place, ##__VA_ARGS__);                                   \
    void name(struct place *place, ##__VA_ARGS__) { fails(place->line, kind); }
HANDLER(__ubsan_handle_add_overflow_abort, 0, void *a, void *b)
HANDLER(__ubsan_handle_sub_overflow_abort, 0, void *a, void *b)
HANDLER(__ubsan_handle_mul_overflow_abort, 0, void *a, void *b)
HANDLER(__ubsan_handle_negate_overflow_abort, 0, void *a)
HANDLER(__ubsan_handle_shift_out_of_bounds_abort, 2, void *a, void *b)
HANDLER(__ubsan_handle_out_of_bounds_abort, 3, void *index)
HANDLER(__ubsan_handle_type_mismatch_v1_abort, 4, void *pointer)
HANDLER(__ubsan_handle_pointer_overflow_abort, 5, void *a, void *b)
HANDLER(__ubsan_handle_load_invalid_value_abort, 5, void *a)
HANDLER(__ubsan_handle_nonnull_arg_abort, 4)
HANDLER(__ubsan_handle_builtin_unreachable, 5)
HANDLER(__ubsan_handle_float_cast_overflow_abort, 5, void *a)
HANDLER(__ubsan_handle_missing_return, 5)
HANDLER(__ubsan_handle_invalid_builtin_abort, 5)
HANDLER(__ubsan_handle_vla_bound_not_positive_abort, 5, void *a)
HANDLER(__ubsan_handle_nonnull_return_v1_abort, 5, void *a)

/* Both for division by zero and for a quotient that does not fit. */
void __ubsan_handle_divrem_overflow_abort(struct place *place, void *left, void *right);
void __ubsan_handle_divrem_overflow_abort(struct place *place, void *left, void *right)
{
    fails(place->line, right ? 0 : 1);
}

/* How many elements there are behind the pointer `p` of the function that is run. */
static long LENGTH_p;
