/* One call of a function that libFuzzer tests, in a process that goes on whatever the function does with its objects and with
   `exit`. Variables keep what a call leaves in them, unless they are inputs. */
#include "footpath_fuzzer.h"

#include <errno.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SUBJECT (&footpath_fuzz_targets[0])

void __real_exit(int) __attribute__((noreturn));
void __real_free(void *);
void *__real_realloc(void *, size_t);

unsigned char *footpath_fuzz_input;
void **footpath_fuzz_places, **footpath_fuzz_pointers;

static jmp_buf start;
static int is_running;
static unsigned *calls;
static const char *frame;
/* The objects of this call that are not freed yet. */
static void **objects;
static size_t object_count, room;

/* Sanitizers see what is accessed beyond an object, as each is an allocation of its own. */
void *footpath_fuzz_object(const void *content, size_t size)
{
    void *object = malloc(size);
    if (object_count == room) {
        room = 2 * room + 8;
        objects = __real_realloc(objects, room * sizeof *objects);
    }
    if (!object || !objects)
        abort();
    if (content)
        memcpy(object, content, size);
    else
        memset(object, 0, size);
    return objects[object_count++] = object;
}

int footpath_fuzz_run(void)
{
    size_t i;
    if (!calls)
        calls = calloc(footpath_fuzz_stub_count + 1, sizeof *calls);
    if (!footpath_fuzz_input)
        footpath_fuzz_input = calloc(SUBJECT->input_size + 1, 1);
    memset(calls, 0, footpath_fuzz_stub_count * sizeof *calls);
    errno = 0;
    frame = __builtin_frame_address(0);
    is_running = 1;
    if (!setjmp(start))
        SUBJECT->call();
    is_running = 0;
    for (i = 0; i < object_count; i++)
        __real_free(objects[i]);
    object_count = 0;
    return 0;
}

/* Locals are in frames between this one and that of the caller of the function. */
int footpath_fuzz_is_local(const void *at)
{
    return (const char *)at > (const char *)__builtin_frame_address(0) && (const char *)at < frame;
}

void footpath_fuzz_answer(unsigned function, void *result)
{
    const struct footpath_fuzz_result *results = &SUBJECT->results[function];
    unsigned call = calls[function]++;
    if (call < results->calls)
        memcpy(result, footpath_fuzz_input + results->at + call * results->size, results->size);
}

void footpath_fuzz_end(void)
{
    if (is_running)
        longjmp(start, 1);
    __real_exit(0);
}

void __wrap_exit(int code)
{
    if (is_running)
        footpath_fuzz_end();
    __real_exit(code);
}

/* Notes that the function has freed an object of this call. */
static void *given_up(void *object)
{
    size_t i;
    for (i = 0; is_running && object && i < object_count; i++)
        if (objects[i] == object)
            objects[i] = 0;
    return object;
}

void __wrap_free(void *object) { __real_free(given_up(object)); }
void *__wrap_realloc(void *object, size_t size) { return __real_realloc(given_up(object), size); }

void footpath_assume(int holds) { if (!holds) footpath_fuzz_end(); }
void footpath_assert(int holds) { if (!holds) abort(); }
void footpath_fails_if(int fails) { footpath_assert(!fails); }
void footpath_assumed(int holds, const char *assumption) { (void)holds, (void)assumption; }
void footpath_verified(int holds, const char *premise) { (void)premise; footpath_assert(holds); }
__attribute__((weak)) void __VERIFIER_assume(int holds) { footpath_assume(holds); }
__attribute__((weak)) void __VERIFIER_error(void) { abort(); }
__attribute__((weak)) void reach_error(void) { abort(); }

/* What a function returns or keeps is no leak. */
const char *__asan_default_options(void) { return "detect_leaks=0:allocator_may_return_null=1"; }
