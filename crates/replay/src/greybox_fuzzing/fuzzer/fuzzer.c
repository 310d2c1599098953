/* A greybox fuzzer: it runs a function again and again in this process, on inputs that it changes, and notes which of them
   reach code that no earlier one reached. The essay is in `greybox_fuzzing.rs`; each technique has a file of its own. */
#define _GNU_SOURCE
#include "footpath_fuzzer.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "footpath_fuzzer_state.h"

#include "footpath_fuzzer_arena_allocation.c"
#include "footpath_fuzzer_persistent_mode.c"
#include "footpath_fuzzer_comparison_log.c"
#include "footpath_fuzzer_coverage_feedback.c"
#include "footpath_fuzzer_mutation.c"
#include "footpath_fuzzer_corpus.c"
#include "footpath_fuzzer_input_to_state.c"
#include "footpath_fuzzer_alternating_variable_method.c"
#include "footpath_fuzzer_corpus_minimisation.c"
#include "footpath_fuzzer_test_case_reduction.c"

/* Fills an input with random numbers, small ones, and text. The first two have as long arrays as there are now. */
static void fill(byte *input, unsigned which)
{
    unsigned f, k;
    for (f = 0; f < SUBJECT->field_count; f++) {
        const struct footpath_fuzz_field *field = &SUBJECT->fields[f];
        for (k = 0; k < field->count; k++) {
            byte *to = input + field->at + k * field->size;
            if (field->kind == CHOICE)
                put(to, 0, field->size, which < 2 ? limit_of(field) - 1 : choose(field));
            else if (field->kind == FLOAT)
                put_float(to, field->size, (double)below(100));
            else if (field->size == 1)
                *to = (byte)(which % 2 ? ' ' + below(95) : draw());
            else
                put(to, 0, field->size, which % 2 ? interesting(field->size) : below(256));
        }
    }
}

/* The variable that an object is, if it is one. */
static const byte *variable(int object)
{
    void *(*address)(void) = SUBJECT->objects[object].address;
    return address ? address() : 0;
}

/* The number in an input that makes a pointer lead to an address, or else the one that it has. */
static word choice_for(const byte *input, const struct footpath_fuzz_link *link, const byte *leads)
{
    word first = link->otherwise || !link->count;
    unsigned i;
    for (i = 0; i < link->count; i++) {
        const struct footpath_fuzz_goal *goal = &SUBJECT->goals[link->first + i];
        const byte *to = goal->object < 0 ? goal->address : variable(goal->object);
        if (to && to + goal->offset == leads)
            return first + i;
    }
    return leads && link->otherwise != MAY_BE_NUMBER ? number_at(input, link->choice_at, 2) : 0;
}

/* Gives variables in an input their initial values. */
static void use_variables(byte *input)
{
    unsigned i;
    set_back();
    for (i = 0; i < SUBJECT->object_count; i++) {
        const struct footpath_fuzz_object *object = &SUBJECT->objects[i];
        if (object->address && object->has_content)
            memcpy(input + object->content_at, object->address(), (size_t)object->most * object->element);
    }
    for (i = 0; i < SUBJECT->link_count; i++) {
        const struct footpath_fuzz_link *link = &SUBJECT->links[i];
        const byte *holder = link->object < 0 ? 0 : variable(link->object), *leads;
        if (holder) {
            memcpy(&leads, holder + link->offset, sizeof leads);
            put(input, link->choice_at, 2, choice_for(input, link, leads));
        }
    }
}

/* Zeros and random inputs, and the same with the initial values of variables: what is behind a table of functions or a lock
   needs one that works. */
static void first_inputs(void)
{
    byte *input = S->best;
    unsigned i;
    memset(input, 0, SUBJECT->input_size);
    begin_with(input);
    use_variables(input);
    for (i = 0; i < SUBJECT->input_size && !input[i]; i++)
        ;
    if (i < SUBJECT->input_size)
        begin_with(input);
    for (i = 0; i < 64 && !is_over(); i++) {
        fill(input, i);
        if (i % 2)
            use_variables(input);
        if (i)
            try_input(input);
        else
            begin_with(input);
    }
}

/* Goes on with long arrays, when short ones show nothing new. A run on one takes as long as ten others. */
static void allow_long(void)
{
    unsigned i;
    S->is_long = 1;
    for (i = 0; i < 2 && !is_over(); i++) {
        fill(S->best, i);
        try_input(S->best);
    }
}

/* Runs what an earlier process found, which a run spoilt. */
static void recall(void)
{
    word i;
    S->is_known = 1;
    for (i = 0; i < S->results[INPUTS]; i++)
        try_input(found(i));
    S->is_known = 0;
}

/* Copies operands into the first input of the corpus in which that was not tried. */
static int copy_next(int is_endless)
{
    unsigned i;
    for (i = 0; i < S->pool_size; i++)
        if (!S->is_copied[i] && S->is_endless[i] == is_endless) {
            copy_operands(i);
            return 1;
        }
    return 0;
}

static void fuzz(void)
{
    unsigned long long idle_from;
    first_inputs();
    while (!is_over()) {
        unsigned i, copied = copy_next(0) || copy_next(1);
        idle_from = S->runs;
        while (!is_over() && S->runs - idle_from < (copied ? 200 : IDLE)) {
            offspring(S->best);
            if (try_input(S->best))
                break;
        }
        if (copied || S->runs - idle_from < IDLE)
            continue;
        if (!S->is_long)
            allow_long();
        else
            for (i = 0; i < 8 && !is_over() && descend_once(); i++)
                ;
    }
}

static word value_of(const char *digits)
{
    word value = 0;
    for (; *digits >= '0' && *digits <= '9'; digits++)
        value = 10 * value + (word)(*digits - '0');
    return value;
}

/* The arguments: the number of the function that is fuzzed, how many there are, the seed, the budget
   of runs, the patience, and milliseconds of processor time. */
int main(int argc, char **argv)
{
    static const char name[] = "FOOTPATH_RESULT=";
    char **variable;
    const struct footpath_fuzz_target *subject = footpath_fuzz_targets;
    int results = -1;
    long size;
    for (variable = environ; *variable; variable++)
        if (!strncmp(*variable, name, sizeof name - 1))
            results = (int)value_of(*variable + sizeof name - 1);
    size = results < 0 ? -1 : syscall(SYS_lseek, results, 0L, SEEK_END);
    if (argc < 7 || size < PAGE)
        leave(CANNOT_START);
    subject += value_of(argv[1]);
    if (!subject->field_count)
        leave(CANNOT_START);
    if (value_of(argv[2]) > 1 && (size_t)(_end - __data_start) > FEW_VARIABLES)
        leave(TOO_MANY_VARIABLES);
    set_up(subject, value_of(argv[3]), value_of(argv[4]), value_of(argv[5]), results, (size_t)size);
    S->until = value_of(argv[6]) * 1000000;
    learn_dictionary();
    recall();
    fuzz();
    minimise();
    reduce_all();
    S->results[IS_DONE] = 1;
    leave(DONE);
    return 0;
}
