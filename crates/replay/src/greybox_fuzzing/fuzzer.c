/* A greybox fuzzer: it runs a function again and again in this process, on inputs that it changes, and notes which of them
   reach code that no earlier one reached. The essay is in `greybox_fuzzing.rs`.

   All that changes between runs is in memory that is mapped for it, so that variables can be set back by copying. */
#define _GNU_SOURCE
#include "footpath_fuzzer.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef unsigned char byte;
typedef unsigned long long word;

enum { NUMBER, FLOAT, CHOICE };
/* How a run ends. */
enum { RETURNED = 1, CRASHED, ENDLESS, LEFT_OUT };
enum {
    FEATURES = 1 << 16,
    PLACES = 1 << 12,
    PAIRS = 512,
    TEXTS = 64,
    TEXT = 32,
    KNOWN = 256,
    POOL = 512,
    FOUND = 1024,
    /* Blocks that a run may enter. */
    FUEL = 20000,
    PAGE = 4096,
    ARENA = 64 << 20,
    /* What a run costs besides its blocks, and what its end by a signal costs. */
    RUN = 40,
    SIGNAL = 800,
    /* Runs without news after which distances are looked at, and all ends. */
    IDLE = 4000,
    ENOUGH = 60000,
};
/* Blocks of all runs. */
#define ALL_FUEL 60000000ll

/* The comparisons, as the instrumentation numbers them. */
enum { EQ, NE, UGT, UGE, ULT, ULE, SGT, SGE, SLT, SLE };

/* A comparison under certain calls. */
struct place {
    byte seen, tries, has_input, is_touched;
    double best, now;
};

struct pair {
    word left, right;
    unsigned bits;
};

struct text {
    const byte *from;
    byte left[TEXT], right[TEXT];
    unsigned left_size, right_size;
};

struct state {
    sigjmp_buf start;
    int running;
    word random;
    long long fuel, cost;
    unsigned long long runs, budget;
    unsigned long long last_news;
    word context, next_context;

    byte counts[FEATURES], virgin[FEATURES];
    unsigned touched[FEATURES], touched_count;
    struct place places[PLACES];
    unsigned near[PLACES], near_count;
    int target, reached_target, place_news;
    double distance;

    int logging;
    struct pair pairs[PAIRS];
    struct text texts[TEXTS];
    unsigned pair_count, text_count;
    word known[KNOWN];
    unsigned known_count;
    byte words[KNOWN][TEXT];
    unsigned word_sizes[KNOWN], word_count;

    /* Of each point whether a run reached it that returned, or another one. */
    byte *points;
    /* The points of this run that no run reached that returned; the run in which each was noted. */
    unsigned *new_points, *noted, new_count, points_left;

    byte *pool[POOL];
    byte is_copied[POOL];
    unsigned pool_size;
    unsigned *calls;

    byte *arena, *arena_next, *arena_top;
    byte *writable, *saved;
    size_t writable_size;
    byte **slots;
    unsigned *sizes;
    byte *inputs_of_places, *work, *best, *trial;

    word *results;
    byte *found;
    size_t room;
};

static struct state *S;
unsigned char *footpath_fuzz_input;
void **footpath_fuzz_places, **footpath_fuzz_pointers;

/* ---- The system, which the tested code may have its own idea of. ---- */

static void leave(int code)
{
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

static void *map(size_t size)
{
    void *memory = mmap(0, size ? size : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        leave(3);
    return memory;
}

static word draw(void)
{
    word z = S->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static unsigned below(unsigned n)
{
    return n ? (unsigned)(draw() % n) : 0;
}

/* ---- Memory of the tested code: one piece that is empty again before each run. ---- */

void *malloc(size_t size)
{
    byte *block;
    if (!S) {
        static byte early[PAGE * 16];
        static size_t used;
        size_t at = used;
        used += (size + 31) & ~(size_t)15;
        *(size_t *)(early + at) = size;
        return used <= sizeof early ? early + at + 16 : 0;
    }
    if (size > ARENA || (size_t)(S->arena_top - S->arena_next) < size + 48)
        return 0;
    block = S->arena_next + 16;
    *(size_t *)S->arena_next = size;
    S->arena_next += (size + 47) & ~(size_t)15;
    return block;
}

void *calloc(size_t count, size_t size)
{
    size_t all;
    void *block = __builtin_mul_overflow(count, size, &all) ? 0 : malloc(all);
    return block ? memset(block, 0, all) : 0;
}

void free(void *block)
{
    (void)block;
}

void *realloc(void *old, size_t size)
{
    void *block = malloc(size);
    if (old && block) {
        size_t had = *(size_t *)((byte *)old - 16);
        memcpy(block, old, had < size ? had : size);
    }
    return block;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    byte *block = alignment < PAGE * 4 ? malloc(size + alignment + 16) : 0;
    if (!block)
        return 0;
    block += alignment - (size_t)block % (alignment ? alignment : 1);
    *(size_t *)(block - 16) = size;
    return block;
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    *to = aligned_alloc(alignment, size);
    return *to ? 0 : 12;
}

void *__wrap_malloc(size_t size) { return malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return realloc(old, size); }

/* ---- The ends of a run. ---- */

static void end_run(int how)
{
    if (!S || !S->running)
        leave(0);
    siglongjmp(S->start, how);
}

static void on_signal(int number)
{
    (void)number;
    end_run(CRASHED);
}

void footpath_fuzz_end(void) { end_run(RETURNED); }
void exit(int code) { (void)code; end_run(RETURNED); __builtin_unreachable(); }
void _exit(int code) { (void)code; end_run(RETURNED); __builtin_unreachable(); }
void _Exit(int code) { (void)code; end_run(RETURNED); __builtin_unreachable(); }
void quick_exit(int code) { (void)code; end_run(RETURNED); __builtin_unreachable(); }
void abort(void) { end_run(CRASHED); __builtin_unreachable(); }
void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    (void)what, (void)file, (void)line, (void)function;
    end_run(CRASHED);
    __builtin_unreachable();
}
void footpath_end_test(void) { end_run(RETURNED); }
void footpath_assume(int holds) { if (!holds) end_run(LEFT_OUT); }
void footpath_assert(int holds) { if (!holds) end_run(CRASHED); }
void footpath_fails_if(int fails) { footpath_assert(!fails); }
void footpath_assumed(int holds, const char *assumption) { (void)holds, (void)assumption; }
void footpath_verified(int holds, const char *premise) { (void)premise; footpath_assert(holds); }
__attribute__((weak)) void __VERIFIER_assume(int holds) { footpath_assume(holds); }
__attribute__((weak)) void __VERIFIER_error(void) { end_run(CRASHED); }
__attribute__((weak)) void reach_error(void) { end_run(CRASHED); }

/* ---- What instrumented code calls. ---- */

static void feature(word what)
{
    unsigned at = (unsigned)((what * 0x9e3779b97f4a7c15u) >> 48);
    if (!S->counts[at])
        S->touched[S->touched_count++] = at;
    if (S->counts[at] != 255)
        S->counts[at]++;
}

static void reach(unsigned point)
{
    if (S->points[point] != 3 && S->noted[point] != (unsigned)S->runs + 1) {
        S->noted[point] = (unsigned)S->runs + 1;
        S->new_points[S->new_count++] = point;
    }
}

void footpath_fuzz_block(unsigned point)
{
    if (--S->fuel < 0)
        end_run(ENDLESS);
    reach(point);
    feature(S->context ^ point);
}

void footpath_fuzz_branch(unsigned point, _Bool first)
{
    point += !first;
    reach(point);
    feature(S->context ^ point);
}

void footpath_fuzz_site(unsigned site)
{
    S->next_context = (S->context + site + 1) * 0xd6e8feb86659fd93u;
}

word footpath_fuzz_enter(void)
{
    word before = S->context;
    S->context = S->next_context;
    return before;
}

void footpath_fuzz_leave(word context)
{
    S->context = context;
}

static void learn(word number)
{
    unsigned i;
    if (number + 1 < 3)
        return;
    for (i = 0; i < S->known_count; i++)
        if (S->known[i] == number)
            return;
    if (S->known_count < KNOWN)
        S->known[S->known_count++] = number;
}

static void log_pair(word left, word right, unsigned bits)
{
    unsigned i;
    if (left == right)
        return;
    for (i = 0; i < S->pair_count; i++)
        if (S->pairs[i].left == left && S->pairs[i].right == right)
            return;
    if (S->pair_count < PAIRS) {
        struct pair pair = {left, right, bits};
        S->pairs[S->pair_count++] = pair;
    }
}

/* Notes how far a comparison was from its other result. */
static void compare(word site, int result, double away)
{
    unsigned at = (unsigned)(((S->context ^ site) * 0x9e3779b97f4a7c15u) >> 52);
    struct place *place = &S->places[at];
    byte seen = place->seen | (result ? 2 : 1);
    if (seen != place->seen) {
        if (place->seen) {
            S->place_news = 1;
            if (S->target == (int)at)
                S->reached_target = 1;
        }
        place->seen = seen;
    }
    if (seen == 3)
        return;
    if (!place->is_touched) {
        place->is_touched = 1;
        place->now = away;
        S->near[S->near_count++] = at;
    } else if (away < place->now)
        place->now = away;
    if (S->target == (int)at && away < S->distance)
        S->distance = away;
}

static double difference(word a, word b)
{
    return a > b ? (double)(a - b) : (double)(b - a);
}

static word extended(word value, unsigned bits)
{
    return bits < 64 && value >> (bits - 1) & 1 ? value | ~0ull << bits : value;
}

void footpath_fuzz_compare(unsigned site, unsigned how, unsigned bits, word a, word b)
{
    int result, is_signed = how >= SGT;
    double away;
    if (S->logging)
        log_pair(a, b, bits);
    if (how <= NE) {
        /* As they would be without a sign where that is nearer. */
        double apart = difference(a, b);
        double other = difference(extended(a, bits) + (1ull << 63), extended(b, bits) + (1ull << 63));
        result = (a == b) == (how == EQ);
        away = a == b ? 1 : other < apart ? other : apart;
        compare(site, result, away);
        return;
    }
    if (is_signed) {
        a = extended(a, bits) + (1ull << 63);
        b = extended(b, bits) + (1ull << 63);
    }
    switch (how) {
    case UGT: case SGT: result = a > b; break;
    case UGE: case SGE: result = a >= b; break;
    case ULT: case SLT: result = a < b; break;
    default: result = a <= b; break;
    }
    compare(site, result, difference(a, b) + 1);
}

void footpath_fuzz_compare_float(unsigned site, unsigned how, double a, double b)
{
    double apart = a > b ? a - b : b - a;
    int result;
    word bits;
    if (S->logging) {
        word other;
        memcpy(&bits, &a, sizeof bits);
        memcpy(&other, &b, sizeof other);
        log_pair(bits, other, 65);
    }
    switch (how) {
    case EQ: result = a == b; break;
    case NE: result = a != b; break;
    case SGT: result = a > b; break;
    case SGE: result = a >= b; break;
    case SLT: result = a < b; break;
    default: result = a <= b; break;
    }
    /* What is no number is far from all. */
    compare(site, result, apart == apart && apart < 1e300 ? apart == 0 ? 1e-300 : apart : 1e300);
}

unsigned footpath_fuzz_calls(unsigned function)
{
    return S->calls[function]++;
}

/* ---- Functions of the library that compare text: what they compare is logged. ---- */

static void log_text(const void *left, const void *right, size_t most, int ends, int result)
{
    struct text *text;
    size_t i;
    if (!S || !S->logging || !result || S->text_count == TEXTS)
        return;
    text = &S->texts[S->text_count++];
    text->from = left;
    if (most > TEXT)
        most = TEXT;
    for (i = 0; i < most && !(ends && i && !((const byte *)left)[i - 1]); i++)
        text->left[i] = ((const byte *)left)[i];
    text->left_size = (unsigned)i;
    for (i = 0; i < most && !(ends && i && !((const byte *)right)[i - 1]); i++)
        text->right[i] = ((const byte *)right)[i];
    text->right_size = (unsigned)i;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

static int order(const byte *a, const byte *b, size_t most, int ends, int folds)
{
    size_t i;
    int result = 0;
    for (i = 0; i < most && !result; i++) {
        result = folds ? lower(a[i]) - lower(b[i]) : a[i] - b[i];
        if (ends && !a[i])
            break;
    }
    log_text(a, b, most, ends, result);
    return result;
}

int memcmp(const void *a, const void *b, size_t n) { return order(a, b, n, 0, 0); }
int bcmp(const void *a, const void *b, size_t n) { return order(a, b, n, 0, 0); }
int strcmp(const char *a, const char *b) { return order((const byte *)a, (const byte *)b, (size_t)-1, 1, 0); }
int strncmp(const char *a, const char *b, size_t n) { return order((const byte *)a, (const byte *)b, n, 1, 0); }
int strcasecmp(const char *a, const char *b) { return order((const byte *)a, (const byte *)b, (size_t)-1, 1, 1); }
int strncasecmp(const char *a, const char *b, size_t n) { return order((const byte *)a, (const byte *)b, n, 1, 1); }

/* ---- Runs. ---- */

static word number_at(const byte *input, unsigned at, unsigned size)
{
    word value = 0;
    memcpy(&value, input + at, size < 8 ? size : 8);
    return value;
}

static void put(byte *input, unsigned at, unsigned size, word value)
{
    memcpy(input + at, &value, size < 8 ? size : 8);
}

static unsigned elements(const byte *input, unsigned i)
{
    const struct footpath_fuzz_object *object = &footpath_fuzz_objects[i];
    return object->has_count ? 1 + (unsigned)number_at(input, object->count_at, 2) % object->most : 1;
}

/* Sets all that the function can see to what an input says. */
static void apply(const byte *input)
{
    unsigned i;
    footpath_fuzz_input = (byte *)input;
    for (i = 0; i < footpath_fuzz_object_count; i++) {
        const struct footpath_fuzz_object *object = &footpath_fuzz_objects[i];
        unsigned count = elements(input, i);
        size_t size = (size_t)count * object->element;
        byte *to = object->address ? object->address : S->slots[i] - size;
        footpath_fuzz_places[i] = to;
        S->sizes[i] = count;
        if (object->has_content)
            memcpy(to, input + object->content_at, size);
        else
            memset(to, 0, size);
        if (object->is_text)
            to[size - 1] = 0;
    }
    for (i = 0; i < footpath_fuzz_link_count; i++) {
        const struct footpath_fuzz_link *link = &footpath_fuzz_links[i];
        unsigned choices = link->count + (link->nullable || !link->count);
        unsigned choice = (unsigned)number_at(input, link->choice_at, 2) % choices;
        byte *leads = 0;
        if (choices == link->count || choice) {
            const struct footpath_fuzz_goal *goal =
                &footpath_fuzz_goals[link->first + choice - (choices != link->count)];
            leads = goal->object < 0 ? goal->address : footpath_fuzz_places[goal->object];
            leads += goal->offset;
            if (goal->element) {
                unsigned at = (unsigned)number_at(input, link->choice_at + 2, 2);
                leads += (size_t)(at % (S->sizes[goal->object] + 1)) * goal->element;
            }
        }
        if (link->object < 0)
            footpath_fuzz_pointers[i] = leads;
        else if (link->offset + sizeof leads
                 <= (size_t)S->sizes[link->object] * footpath_fuzz_objects[link->object].element)
            memcpy((byte *)footpath_fuzz_places[link->object] + link->offset, &leads, sizeof leads);
    }
}

static int run(const byte *input)
{
    int how;
    unsigned i;
    long long before;
    size_t used = (size_t)(S->arena_next - S->arena);
    memset(S->arena, 0, used);
    S->arena_next = S->arena;
    memcpy(S->writable, S->saved, S->writable_size);
    memset(S->calls, 0, footpath_fuzz_stub_count * sizeof *S->calls);
    apply(input);
    S->fuel = before = FUEL;
    S->context = S->next_context = 0;
    S->touched_count = S->near_count = S->new_count = 0;
    S->pair_count = S->text_count = 0;
    S->place_news = S->reached_target = 0;
    S->distance = 1e308;
    how = sigsetjmp(S->start, 0);
    if (!how) {
        S->running = 1;
        footpath_fuzz_call();
        how = RETURNED;
    }
    S->running = 0;
    S->runs++;
    S->cost += RUN + (before - S->fuel) + (how == CRASHED ? SIGNAL : 0) + (long long)(used + S->writable_size) / 256;
    for (i = 0; i < S->near_count; i++)
        S->places[S->near[i]].is_touched = 0;
    return how;
}

/* Whether what a run did is new, and the input is to be kept; news are written down. */
static int take(const byte *input, int how)
{
    unsigned i, n = 0;
    int is_new = S->place_news;
    for (i = 0; i < S->touched_count; i++) {
        unsigned at = S->touched[i], count = S->counts[at];
        unsigned few = count < 4 ? 1u << (count - 1) : count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128;
        S->counts[at] = 0;
        if (how != LEFT_OUT && !(S->virgin[at] & few)) {
            S->virgin[at] |= (byte)few;
            is_new = 1;
        }
    }
    if (how == LEFT_OUT)
        return 0;
    for (i = 0; i < S->near_count; i++) {
        struct place *place = &S->places[S->near[i]];
        if (place->seen != 3 && (!place->has_input || place->now < place->best)) {
            place->has_input = 1;
            place->best = place->now;
            place->tries = 0;
            memcpy(S->inputs_of_places + (size_t)S->near[i] * footpath_fuzz_input_size, input, footpath_fuzz_input_size);
        }
    }
    for (i = 0; i < S->new_count; i++) {
        byte *point = &S->points[S->new_points[i]], mark = how == RETURNED ? 3 : 1;
        if ((*point | mark) != *point) {
            *point |= mark;
            S->new_points[n++] = S->new_points[i];
            S->points_left -= mark == 3;
        }
    }
    if (n) {
        S->last_news = S->runs;
        if (S->results[0] < FOUND && (S->results[0] + 1) * footpath_fuzz_input_size <= S->room) {
            memcpy(S->found + S->results[0] * footpath_fuzz_input_size, input, footpath_fuzz_input_size);
            S->results[0]++;
        }
    }
    return is_new || n;
}

static void keep(const byte *input)
{
    unsigned at = S->pool_size < POOL ? S->pool_size++ : below(POOL);
    if (!S->pool[at])
        S->pool[at] = map(footpath_fuzz_input_size);
    memcpy(S->pool[at], input, footpath_fuzz_input_size);
    S->is_copied[at] = 0;
}

static int is_over(void)
{
    return S->runs >= S->budget || S->cost >= ALL_FUEL || !S->points_left || S->runs - S->last_news > ENOUGH;
}

/* Runs on an input, and keeps it if it is of use. */
static int try_input(const byte *input)
{
    int is_new = take(input, run(input));
    if (is_new)
        keep(input);
    return is_new;
}

/* ---- Mutation. ---- */

static word interesting(unsigned size)
{
    static const int small[] = {0, 1, 2, 3, 4, 7, 8, 9, 10, 15, 16, 31, 32, 33, 63, 64, 99, 100, 127, 128, 129, 255, 256, 1000, 1024};
    unsigned bits = 8 * (size < 8 ? size : 8);
    switch (below(6)) {
    case 0: return (word)0 - (word)small[below(sizeof small / sizeof *small)];
    case 1: return (word)1 << below(bits);
    case 2: return ((word)1 << below(bits)) - 1;
    case 3: return S->known_count ? S->known[below(S->known_count)] : draw();
    case 4: return draw() >> below(64);
    default: return (word)small[below(sizeof small / sizeof *small)];
    }
}

static void put_float(byte *to, unsigned size, double x)
{
    float narrow = (float)x;
    if (size == 4)
        memcpy(to, &narrow, 4);
    else if (size == 8)
        memcpy(to, &x, 8);
    else {
        long double wide = x;
        memcpy(to, &wide, size < 10 ? size : 10);
    }
}

static double float_at(const byte *from, unsigned size)
{
    float narrow;
    double x = 0;
    long double wide = 0;
    if (size == 4) {
        memcpy(&narrow, from, 4);
        return narrow;
    }
    if (size == 8) {
        memcpy(&x, from, 8);
        return x;
    }
    memcpy(&wide, from, size < 10 ? size : 10);
    return (double)wide;
}

static void mutate_float(byte *to, unsigned size)
{
    double x = float_at(to, size);
    switch (below(8)) {
    case 0: x = (double)(long long)interesting(8); break;
    case 1: x = -x; break;
    case 2: x += (double)below(33) - 16; break;
    case 3: x *= 2; break;
    case 4: x /= 2; break;
    case 5: x = (double)(long long)(draw() >> below(64)) / (1 + below(1000)); break;
    case 6: x = below(2) ? __builtin_inf() : __builtin_nan(""); break;
    default: to[below(size < 10 ? size : 10)] ^= (byte)(1u << below(8)); return;
    }
    put_float(to, size, x);
}

/* Bytes that stand next to each other are often text. */
static void mutate_text(byte *text, unsigned count)
{
    static const byte common[] = " \t\n\r,;:.=+-*/<>()[]{}\"'\\#%&|!?_$@^~0123456789aAbBeEfFnNrRtTxXzZ";
    unsigned at = below(below(2) ? count : count < 16 ? count : 16), n;
    switch (below(9)) {
    case 0: text[at] = (byte)draw(); break;
    case 1: text[at] ^= (byte)(1u << below(8)); break;
    case 2: text[at] = (byte)(text[at] + below(9) - 4); break;
    case 3:
        memmove(text + at + (at + 1 < count), text + at, count - at - (at + 1 < count));
        text[at] = common[below(sizeof common - 1)];
        break;
    case 4:
        n = 1 + below(below(2) ? 4 : count - at);
        if (n > count - at)
            n = count - at;
        memmove(text + at, text + at + n, count - at - n);
        break;
    case 5:
        if (S->word_count) {
            unsigned which = below(S->word_count);
            n = S->word_sizes[which];
            if (n > count - at)
                n = count - at;
            if (below(2))
                memmove(text + at + n, text + at, count - at - n);
            memcpy(text + at, S->words[which], n);
        }
        break;
    case 6: {
        unsigned from = below(count);
        n = 1 + below(8);
        if (n > count - at)
            n = count - at;
        if (n > count - from)
            n = count - from;
        memmove(text + at, text + from, n);
        break;
    }
    case 7: {
        word value = interesting(4);
        unsigned i, most = 1u << below(3);
        for (i = 0; i < most && at + i < count; i++)
            text[at + i] = (byte)(value >> 8 * (below(2) ? i : most - 1 - i));
        break;
    }
    default: text[at] = common[below(sizeof common - 1)]; break;
    }
}

static void mutate(byte *input)
{
    const struct footpath_fuzz_field *field = &footpath_fuzz_fields[below(footpath_fuzz_field_count)];
    byte *to = input + field->at + below(field->count) * field->size;
    if (field->kind == CHOICE)
        put(to, 0, field->size, below(field->limit));
    else if (field->kind == FLOAT)
        mutate_float(to, field->size);
    else if (field->size == 1 && field->count > 1)
        mutate_text(input + field->at, field->count);
    else {
        word value = number_at(to, 0, field->size);
        switch (below(4)) {
        case 0: value ^= (word)1 << below(8 * (field->size < 8 ? field->size : 8)); break;
        case 1: value += below(33) - 16ull; break;
        case 2:
            if (field->count > 1) {
                value = number_at(input, field->at + below(field->count) * field->size, field->size);
                break;
            }
            /* Fall through. */
        default: value = interesting(field->size); break;
        }
        put(to, 0, field->size, value);
    }
}

/* One that is made from one or two that were of use. */
static void offspring(byte *input)
{
    unsigned n = S->pool_size, which = below(2) ? below(n) : n - 1 - below(n < 16 ? n : 16), i;
    memcpy(input, S->pool[which], footpath_fuzz_input_size);
    if (!below(8)) {
        const byte *other = S->pool[below(n)];
        const struct footpath_fuzz_field *field = &footpath_fuzz_fields[below(footpath_fuzz_field_count)];
        memcpy(input + field->at, other + field->at, (size_t)field->count * field->size);
    }
    for (i = 0; i < 1u << below(4); i++)
        mutate(input);
}

/* ---- Copying operands: where one operand of a comparison is in the input, the other is put in its place. ---- */

static void put_and_try(const byte *input, unsigned at, const byte *value, unsigned size)
{
    if (is_over() || at + size > footpath_fuzz_input_size)
        return;
    memcpy(S->trial, input, footpath_fuzz_input_size);
    memcpy(S->trial + at, value, size);
    try_input(S->trial);
}

static void copy_number(const byte *input, word from, word to, unsigned bits)
{
    unsigned f, k, i, size = bits / 8;
    int tried = 0;
    for (f = 0; f < footpath_fuzz_field_count; f++) {
        const struct footpath_fuzz_field *field = &footpath_fuzz_fields[f];
        if (field->kind == CHOICE || field->kind == FLOAT)
            continue;
        for (k = 0; k < field->count && tried < 24; k++) {
            unsigned at = field->at + k * field->size, width = field->size < 8 ? field->size : 8;
            word here = number_at(input, at, width), mask = width < 8 ? ((word)1 << 8 * width) - 1 : ~0ull;
            word all = bits < 64 ? ((word)1 << bits) - 1 : ~0ull;
            /* The comparison may be of a wider number than the input has. */
            if (here == from || (extended(here, 8 * width) & all) == from) {
                byte value[8];
                for (i = 0; i < 3; i++) {
                    word changed = (to + i - (i == 2 ? 3 : 0)) & mask;
                    memcpy(value, &changed, 8);
                    put_and_try(input, at, value, width);
                }
                tried++;
            }
            if (field->size == 1 && size > 1 && size <= 8 && k + size <= field->count) {
                byte little[8], big[8], changed[8];
                unsigned s;
                for (s = size; s > 1; s /= 2) {
                    for (i = 0; i < s; i++) {
                        little[i] = (byte)(from >> 8 * i);
                        big[i] = (byte)(from >> 8 * (s - 1 - i));
                    }
                    if (s < 8 && from >> 8 * s)
                        break;
                    for (i = 0; i < s; i++)
                        changed[i] = (byte)(to >> 8 * i);
                    if (from && !memcmp(input + at, little, s)) {
                        put_and_try(input, at, changed, s);
                        tried++;
                    }
                    for (i = 0; i < s; i++)
                        changed[i] = (byte)(to >> 8 * (s - 1 - i));
                    if (!memcmp(input + at, big, s)) {
                        put_and_try(input, at, changed, s);
                        tried++;
                    }
                }
            }
        }
    }
}

static void copy_float(const byte *input, word from_bits, word to_bits)
{
    unsigned f, k, i;
    double from, to;
    memcpy(&from, &from_bits, 8);
    memcpy(&to, &to_bits, 8);
    for (f = 0; f < footpath_fuzz_field_count; f++) {
        const struct footpath_fuzz_field *field = &footpath_fuzz_fields[f];
        for (k = 0; k < field->count && k < 32; k++) {
            unsigned at = field->at + k * field->size;
            byte value[16] = {0};
            if (field->kind == FLOAT && float_at(input + at, field->size) == from) {
                for (i = 0; i < 3; i++) {
                    put_float(value, field->size, to + (double)i - (i == 2 ? 3 : 0));
                    put_and_try(input, at, value, field->size < 16 ? field->size : 16);
                }
            } else if (field->kind == NUMBER && (double)(long long)extended(number_at(input, at, field->size), 8 * (field->size < 8 ? field->size : 8)) == from
                       && to > -9e18 && to < 9e18) {
                for (i = 0; i < 3; i++) {
                    word number = (word)((long long)to + i - (i == 2 ? 3 : 0));
                    put_and_try(input, at, (byte *)&number, field->size < 8 ? field->size : 8);
                }
            }
        }
    }
}

static void copy_text(const byte *input, const struct text *text)
{
    unsigned i, f, side;
    for (side = 0; side < 2; side++) {
        const byte *from = side ? text->right : text->left, *to = side ? text->left : text->right;
        unsigned size = side ? text->left_size : text->right_size, own = side ? text->right_size : text->left_size, k;
        if (!size)
            continue;
        for (i = 0; i < S->word_count; i++)
            if (S->word_sizes[i] == size && !memcmp(S->words[i], to, size))
                break;
        if (i == S->word_count && S->word_count < KNOWN) {
            memcpy(S->words[i], to, size);
            S->word_sizes[i] = size;
            S->word_count++;
        }
        for (f = 0; f < footpath_fuzz_field_count; f++) {
            const struct footpath_fuzz_field *field = &footpath_fuzz_fields[f];
            int tried = 0;
            if (field->size != 1 || field->count < 2)
                continue;
            for (k = 0; k < field->count && tried < 8; k++) {
                unsigned n = size < field->count - k ? size : field->count - k, same;
                unsigned likely = own && !from[own - 1] ? own - 1 : own;
                same = likely < field->count - k ? likely : field->count - k;
                if (memcmp(input + field->at + k, from, same) || (!same && k && input[field->at + k - 1]))
                    continue;
                tried++;
                put_and_try(input, field->at + k, to, n);
                /* Without the zero at its end, so that what follows stays. */
                if (n > 1 && !to[n - 1])
                    put_and_try(input, field->at + k, to, n - 1);
            }
        }
    }
}

static void copy_operands(unsigned which)
{
    struct pair pairs[PAIRS];
    struct text texts[TEXTS];
    unsigned i, n, m;
    byte *input = S->work;
    memcpy(input, S->pool[which], footpath_fuzz_input_size);
    S->is_copied[which] = 1;
    S->logging = 1;
    take(input, run(input));
    S->logging = 0;
    n = S->pair_count;
    m = S->text_count;
    memcpy(pairs, S->pairs, n * sizeof *pairs);
    memcpy(texts, S->texts, m * sizeof *texts);
    for (i = 0; i < n && !is_over(); i++) {
        if (pairs[i].bits == 65) {
            copy_float(input, pairs[i].left, pairs[i].right);
            copy_float(input, pairs[i].right, pairs[i].left);
            continue;
        }
        learn(pairs[i].left);
        learn(pairs[i].right);
        copy_number(input, pairs[i].left, pairs[i].right, pairs[i].bits);
        copy_number(input, pairs[i].right, pairs[i].left, pairs[i].bits);
    }
    for (i = 0; i < m && !is_over(); i++)
        copy_text(input, &texts[i]);
}

/* ---- Descent: the distance of a comparison to its other result is made smaller, one number of the input at a time. ---- */

static double measure(const byte *input)
{
    double distance;
    int how = run(input), done = S->reached_target;
    distance = done ? -1 : S->distance;
    if (take(input, how))
        keep(input);
    return distance;
}

static void step(byte *input, const struct footpath_fuzz_field *field, unsigned k, double by)
{
    byte *at = input + field->at + k * field->size;
    if (field->kind == FLOAT)
        put_float(at, field->size, float_at(at, field->size) + by);
    else if (field->kind == CHOICE)
        put(at, 0, field->size, (number_at(at, 0, field->size) + (word)(long long)by) % field->limit);
    else
        put(at, 0, field->size, number_at(at, 0, field->size) + (word)(long long)by);
}

/* Whether it succeeded. */
static int descend(unsigned target)
{
    byte *now = S->best, *next = S->trial;
    unsigned long long until = S->runs + 6000;
    double distance;
    int improves = 1;
    S->places[target].tries++;
    memcpy(now, S->inputs_of_places + (size_t)target * footpath_fuzz_input_size, footpath_fuzz_input_size);
    S->target = (int)target;
    distance = measure(now);
    while (improves && distance >= 0 && distance < 1e308 && S->runs < until && !is_over()) {
        unsigned f, k;
        improves = 0;
        for (f = 0; f < footpath_fuzz_field_count && distance >= 0; f++) {
            const struct footpath_fuzz_field *field = &footpath_fuzz_fields[f];
            for (k = 0; k < field->count && distance >= 0 && S->runs < until && !is_over(); k++) {
                int direction;
                for (direction = -1; direction <= 1; direction += 2) {
                    double size = 1;
                    while (distance >= 0 && S->runs < until) {
                        double away;
                        memcpy(next, now, footpath_fuzz_input_size);
                        step(next, field, k, direction * size);
                        away = measure(next);
                        if (away < distance) {
                            memcpy(now, next, footpath_fuzz_input_size);
                            distance = away;
                            improves = 1;
                            size *= 2;
                        } else if (size > 1)
                            size = 1;
                        else
                            break;
                    }
                }
            }
        }
    }
    S->target = -1;
    return distance < 0;
}

static int descend_once(void)
{
    unsigned i, from = below(PLACES), best = PLACES;
    for (i = 0; i < PLACES; i++) {
        unsigned at = (from + i) % PLACES;
        const struct place *place = &S->places[at];
        if (place->has_input && place->seen != 3 && place->tries < 3 && (best == PLACES || place->tries < S->places[best].tries))
            best = at;
    }
    if (best == PLACES)
        return 0;
    descend(best);
    return 1;
}

/* ---- Reduction: shorter arrays and more zeros that still reach what the input was kept for. ---- */

static void reduce(byte *input, byte *reached)
{
    unsigned i, f, k, want = 0, budget = 400;
    int how;
    memset(reached, 0, footpath_fuzz_point_count);
    /* All that it reaches is to stay. */
    memset(S->points, 0, footpath_fuzz_point_count);
    how = run(input);
    for (i = 0; i < S->touched_count; i++)
        S->counts[S->touched[i]] = 0;
    want = S->new_count;
    if (how == LEFT_OUT)
        return;
    for (i = 0; i < want; i++)
        reached[S->new_points[i]] = 1;
#define STILL(candidate) \
    ({ \
        int same = run(candidate) == how && S->new_count >= want; \
        unsigned left = want; \
        for (unsigned j = 0; j < S->touched_count; j++) \
            S->counts[S->touched[j]] = 0; \
        for (unsigned j = 0; j < S->new_count; j++) \
            left -= reached[S->new_points[j]]; \
        budget -= budget > 0; \
        same && !left; \
    })
    for (i = 0; i < footpath_fuzz_object_count; i++) {
        const struct footpath_fuzz_object *object = &footpath_fuzz_objects[i];
        unsigned count = elements(input, i), less;
        if (!object->has_count)
            continue;
        for (less = count / 2; less >= 1 && budget; ) {
            memcpy(S->trial, input, footpath_fuzz_input_size);
            put(S->trial, object->count_at, 2, count - less - 1);
            if (less < count && STILL(S->trial)) {
                memcpy(input, S->trial, footpath_fuzz_input_size);
                count -= less;
                if (less >= count)
                    less = count / 2;
            } else
                less /= 2;
        }
    }
    for (f = 0; f < footpath_fuzz_field_count && budget; f++) {
        const struct footpath_fuzz_field *field = &footpath_fuzz_fields[f];
        static const byte zeros[64];
        if (field->kind == CHOICE)
            continue;
        for (k = 0; k < field->count && budget; k++) {
            unsigned at = field->at + k * field->size;
            if (field->size <= sizeof zeros && !memcmp(input + at, zeros, field->size))
                continue;
            memcpy(S->trial, input, footpath_fuzz_input_size);
            memset(S->trial + at, 0, field->size);
            if (STILL(S->trial))
                memcpy(input, S->trial, footpath_fuzz_input_size);
        }
    }
}

/* ---- The whole. ---- */

extern byte __data_start[], _edata[], __bss_start[], _end[];

static void set_up(word seed, word budget, int results, size_t size)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};
    struct state *state = map(sizeof *state);
    struct sigaction action;
    stack_t stack;
    unsigned i;
    byte *shared = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, results, 0);
    if (shared == MAP_FAILED)
        leave(3);
    syscall(SYS_close, results);
    state->results = (word *)shared;
    state->found = shared + PAGE;
    state->room = size - PAGE;
    state->random = seed;
    state->budget = budget;
    state->target = -1;
    state->arena = state->arena_next = map(ARENA);
    state->arena_top = state->arena + ARENA;
    state->points = map(footpath_fuzz_point_count);
    state->points_left = footpath_fuzz_point_count;
    state->noted = map((footpath_fuzz_point_count + 1) * sizeof *state->noted);
    state->new_points = map((footpath_fuzz_point_count + 1) * sizeof *state->new_points);
    state->calls = map((footpath_fuzz_stub_count + 1) * sizeof *state->calls);
    state->sizes = map((footpath_fuzz_object_count + 1) * sizeof *state->sizes);
    state->slots = map((footpath_fuzz_object_count + 1) * sizeof *state->slots);
    state->inputs_of_places = map((size_t)PLACES * footpath_fuzz_input_size);
    state->work = map(footpath_fuzz_input_size);
    state->best = map(footpath_fuzz_input_size);
    state->trial = map(footpath_fuzz_input_size);
    footpath_fuzz_places = map((footpath_fuzz_object_count + 1) * sizeof *footpath_fuzz_places);
    footpath_fuzz_pointers = map((footpath_fuzz_link_count + 1) * sizeof *footpath_fuzz_pointers);
    for (i = 0; i < footpath_fuzz_object_count; i++) {
        const struct footpath_fuzz_object *object = &footpath_fuzz_objects[i];
        if (!object->address) {
            size_t room = ((size_t)object->most * object->element + PAGE - 1) / PAGE * PAGE;
            byte *slot = map(room + PAGE);
            /* What is read or written behind the object ends the run. */
            mprotect(slot + room, PAGE, PROT_NONE);
            state->slots[i] = slot + room;
        }
    }
    memset(&stack, 0, sizeof stack);
    stack.ss_size = 16 * PAGE;
    stack.ss_sp = map(stack.ss_size);
    sigaltstack(&stack, 0);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, 0);
    S = state;
    footpath_fuzz_input = S->work;
    S->writable = __data_start;
    S->writable_size = (size_t)(_end - __data_start);
    S->saved = map(S->writable_size);
    memcpy(S->saved, S->writable, S->writable_size);
}

static void first_inputs(void)
{
    byte *input = S->best;
    unsigned i, f, k;
    memset(input, 0, footpath_fuzz_input_size);
    try_input(input);
    keep(input);
    for (i = 0; i < 64 && !is_over(); i++) {
        for (f = 0; f < footpath_fuzz_field_count; f++) {
            const struct footpath_fuzz_field *field = &footpath_fuzz_fields[f];
            for (k = 0; k < field->count; k++) {
                byte *to = input + field->at + k * field->size;
                if (field->kind == CHOICE)
                    put(to, 0, field->size, i < 4 ? field->limit - 1 : below(field->limit));
                else if (field->kind == FLOAT)
                    put_float(to, field->size, (double)below(100));
                else if (field->size == 1)
                    *to = (byte)(i % 2 ? ' ' + below(95) : draw());
                else
                    put(to, 0, field->size, i % 2 ? interesting(field->size) : below(256));
            }
        }
        try_input(input);
        if (!i)
            keep(input);
    }
}

static void fuzz(void)
{
    unsigned long long idle_from;
    first_inputs();
    while (!is_over()) {
        unsigned i, copied = 0;
        for (i = 0; i < S->pool_size && !copied; i++)
            if (!S->is_copied[i]) {
                copy_operands(i);
                copied = 1;
            }
        idle_from = S->runs;
        while (!is_over() && S->runs - idle_from < (copied ? 200 : IDLE)) {
            offspring(S->best);
            if (try_input(S->best))
                break;
        }
        if (!copied && S->runs - idle_from >= IDLE)
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

int main(int argc, char **argv)
{
    static const char name[] = "FOOTPATH_RESULT=";
    char **variable;
    int results = -1;
    long size;
    word i;
    byte *reached;
    for (variable = environ; *variable; variable++)
        if (!strncmp(*variable, name, sizeof name - 1))
            results = (int)value_of(*variable + sizeof name - 1);
    size = results < 0 ? -1 : syscall(SYS_lseek, results, 0L, SEEK_END);
    if (argc < 3 || size < PAGE || !footpath_fuzz_field_count)
        leave(2);
    set_up(value_of(argv[1]), value_of(argv[2]), results, (size_t)size);
    fuzz();
    S->results[1] = S->runs;
    reached = map(footpath_fuzz_point_count);
    for (i = 0; i < S->results[0]; i++)
        reduce(S->found + i * footpath_fuzz_input_size, reached);
    S->results[2] = 1;
    leave(0);
    return 0;
}
