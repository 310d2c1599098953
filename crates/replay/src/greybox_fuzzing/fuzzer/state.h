/* What all parts of the fuzzer share: its state, random numbers, and numbers in inputs.

   All that changes between runs is in memory that is mapped for it, so that variables can be set back by copying. */

typedef unsigned char byte;
typedef unsigned long long word;

enum { NUMBER, FLOAT, CHOICE };
/* With what the process ends: as it should, without being able to begin, as runs spoilt what it needs, or at once, as each run would
   copy back far more variables than a program has that is built for this function alone. */
enum { DONE, CANNOT_START = 2, SPOILT, TOO_MANY_VARIABLES };
/* The words of the results. */
enum { INPUTS, RUNS, IS_DONE, COST };
/* How a run ends. */
enum { RETURNED = 1, CRASHED, ENDLESS, LEFT_OUT };
enum {
    FEATURES = 1 << 16,
    PLACES = 1 << 12,
    PAIRS = 512,
    TEXTS = 64,
    TEXT = 32,
    KNOWN = 256,
    /* The largest number of words that are put into a text of each new input. */
    WORDS = 32,
    POOL = 512,
    FOUND = 1024,
    PAGE = 4096,
    ARENA = 64 << 20,
    STACK = 8 << 20,
    /* So many bytes of variables are nothing beside a run. */
    FEW_VARIABLES = 64 << 10,
    /* Runs without news after which distances are looked at. */
    IDLE = 4000,
    /* The largest number of elements of an array at first. */
    SHORT = 32,
    /* Runs between two looks at the clock. */
    TICK = 64,
};

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

/* How many inputs that are left reach a point: those that return, and others. */
struct reaching {
    unsigned inputs[2];
};

/* A text among the constants of the program. */
struct constant_text {
    unsigned size;
    byte text[TEXT];
};

/* These, and for each target the numbers of those that it reaches: from the target's first up to the next one's. */
extern const struct constant_text footpath_fuzz_words[];
extern const unsigned footpath_fuzz_words_of_targets[], footpath_fuzz_first_words_of_targets[];

/* How many points the instrumentation numbered, and how many of them each target may reach. */
extern const unsigned footpath_fuzz_point_count, footpath_fuzz_points_of_targets[];

struct state {
    /* The function that is fuzzed. */
    const struct footpath_fuzz_target *subject;
    /* Where a run comes back to, and where it begins, on a stack of its own. */
    sigjmp_buf start, call;
    int running;
    word random;
    long long fuel, cost;
    unsigned long long runs, budget;
    /* Whether arrays may be as long as they can. */
    int is_long;
    /* So many blocks without news are enough. */
    long long patience;
    /* Processor time of this process with which the search ends, in nanoseconds, whether it has come, and the run after which the clock
       is looked at. */
    word until;
    unsigned long long next_look;
    int is_late;
    /* What all runs until the last news cost, and whether what is new is already written down. */
    long long news_at;
    int is_known;
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
    /* Of each point whether an input that is reduced reaches it. */
    byte *reached;
    struct reaching *reaching;
    /* The points of this run that no run reached that returned; the run in which each was noted. */
    unsigned *new_points, *noted, new_count, points_left;

    byte *pool;
    byte is_copied[POOL], is_endless[POOL];
    unsigned pool_size;
    /* The calls of each external function in this run, and the most that a run made. */
    unsigned *calls, *most_calls;

    byte *arena, *arena_next, *arena_top, *stack;
    byte *writable, *saved;
    size_t writable_size;
    byte **slots;
    unsigned *sizes;
    /* Of each field one more than the object whose elements it is, or 0. */
    unsigned *owners;
    byte *inputs_of_places, *work, *best, *trial;

    /* Shared with the process that started this one: how many inputs were found, how many runs were made, whether all is done;
       and the inputs. */
    word *results;
    byte *found;
    size_t room;
    /* The run in which the clock struck last, and how often it did. */
    unsigned long long struck_in;
    int strikes;
};

/* The tested code may write anywhere: the page with the address of the state is read-only, so that a run that does is survived. */
static struct {
    struct state *state;
    /* Where memory is mapped next. */
    byte *next;
    byte rest[PAGE - 2 * sizeof(byte *)];
} state_page __attribute__((aligned(PAGE)));
#define S (state_page.state)
#define SUBJECT (S->subject)

unsigned char *footpath_fuzz_input;
void **footpath_fuzz_places, **footpath_fuzz_pointers;

/* ---- The system, which the tested code may have its own idea of. ---- */

static void leave(int code)
{
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

/* Empty memory, with a page behind it that cannot be accessed, at the same address in each process if it is free. */
static void *map(size_t size)
{
    byte *memory;
    size = (size + 2 * PAGE - 1) / PAGE * PAGE;
    if (!state_page.next && sizeof(void *) == 8)
        state_page.next = (byte *)((size_t)1 << 30 << 14);
    memory = mmap(state_page.next, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + size - PAGE, PAGE, PROT_NONE))
        leave(CANNOT_START);
    if (state_page.next)
        state_page.next += size;
    return memory;
}

/* Processor time of this process, in nanoseconds. The C library's clock may be a model, whose times are inputs. */
static word processor_time(void)
{
    struct timespec now = {0, 0};
    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &now);
    return (word)now.tv_sec * 1000000000u + (word)now.tv_nsec;
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

/* An input that was found. */
static byte *found(word which)
{
    return S->found + which * SUBJECT->input_size;
}

/* ---- Numbers in inputs. ---- */

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

static word extended(word value, unsigned bits)
{
    return bits < 64 && value >> (bits - 1) & 1 ? value | ~0ull << bits : value;
}
