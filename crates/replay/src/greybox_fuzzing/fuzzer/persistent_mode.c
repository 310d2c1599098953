/* Persistent mode: the function is called again and again in one process, with all that it can see set back between calls.

   Variables are copied back, the arena is emptied, objects are filled from the input, and a signal, an end of the program
   and a run that takes too long come back here. Example: `f(s)` reads `s[9]` of an object of 9 bytes; the object ends where a
   page ends and the next page cannot be read, so the run ends there, in a microsecond.

   The function has a stack of its own, so that what it writes behind it hits nothing.

   Objects lie at addresses that are the same in each process, so that the same seed finds the same. What a run may take
   is counted in blocks. The clock ends only runs that wait, such as for a signal that never comes. */

enum {
    /* Blocks that a run may enter. */
    FUEL = 20000,
    /* What a run costs besides its blocks, and what its end by a signal costs. */
    RUN = 40,
    SIGNAL = 800,
    /* Bytes that are copied, and pointers that are set, for the cost of a block. */
    COPIED = 64,
    SET = 2,
    /* Microseconds after which the clock strikes, and how often it does until a run ends. */
    STRIKE = 100000,
    STRIKES = 3,
};

/* The C library's, where the linker puts a model of it in its place. */
int __real_setvbuf(FILE *file, char *buffer, int mode, size_t size) __attribute__((weak));

/* ---- The ends of a run. ---- */

static void end_run(int how)
{
    if (!S || !S->running)
        leave(SPOILT);
    siglongjmp(S->start, how);
}

static void on_signal(int number)
{
    (void)number;
    end_run(CRASHED);
}

static void on_clock(int number)
{
    (void)number;
    if (!S->running)
        return;
    if (S->struck_in != S->runs) {
        S->struck_in = S->runs;
        S->strikes = 0;
    }
    if (++S->strikes == STRIKES)
        end_run(ENDLESS);
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

/* ---- Runs. ---- */

void footpath_fuzz_answer(unsigned function, void *result)
{
    const struct footpath_fuzz_result *results = &SUBJECT->results[function];
    unsigned call = S->calls[function]++;
    if (call >= S->most_calls[function])
        S->most_calls[function] = call + 1;
    if (results->has_length) {
        word length = number_at(footpath_fuzz_input, results->length_at, 2) % (results->calls + 1);
        int next = call < length ? footpath_fuzz_input[results->at + call] : -1;
        memcpy(result, &next, sizeof next);
    } else if (call < results->calls)
        memcpy(result, footpath_fuzz_input + results->at + call * results->size, results->size);
}

static unsigned elements(const byte *input, unsigned i)
{
    const struct footpath_fuzz_object *object = &SUBJECT->objects[i];
    return object->has_count ? 1 + (unsigned)number_at(input, object->count_at, 2) % object->most : 1;
}

/* How many numbers of a field a run may have looked at: of an array as many as it has elements, and of results of an external
   function those of as many calls as were made. */
static unsigned asked(const byte *input, const struct footpath_fuzz_field *field)
{
    unsigned i, owner = S->owners[field - SUBJECT->fields];
    if (owner)
        return elements(input, owner - 1);
    for (i = 0; i < footpath_fuzz_stub_count; i++) {
        const struct footpath_fuzz_result *results = &SUBJECT->results[i];
        if (results->calls && results->at == field->at) {
            word count = (word)S->most_calls[i] * results->size / field->size;
            return count < field->count ? (unsigned)count : field->count;
        }
    }
    return field->count;
}

int footpath_fuzz_is_local(const void *at)
{
    return (const byte *)at >= S->stack && (const byte *)at < S->stack + STACK;
}

/* Sets all that the function can see to what an input says. */
static void apply(const byte *input)
{
    unsigned i;
    footpath_fuzz_input = (byte *)input;
    for (i = 0; i < SUBJECT->object_count; i++) {
        const struct footpath_fuzz_object *object = &SUBJECT->objects[i];
        unsigned count = elements(input, i);
        size_t size = (size_t)count * object->element;
        byte *to = object->address ? object->address() : S->slots[i] - size;
        footpath_fuzz_places[i] = to;
        S->sizes[i] = count;
        if (object->has_content)
            memcpy(to, input + object->content_at, size);
        if (object->is_text)
            to[size - 1] = 0;
    }
    for (i = 0; i < SUBJECT->link_count; i++) {
        const struct footpath_fuzz_link *link = &SUBJECT->links[i];
        unsigned choices = link->count + (link->otherwise || !link->count);
        unsigned choice = (unsigned)number_at(input, link->choice_at, 2) % choices;
        byte *leads = 0;
        if (choices == link->count || choice) {
            const struct footpath_fuzz_goal *goal =
                &SUBJECT->goals[link->first + choice - (choices != link->count)];
            leads = goal->object < 0 ? goal->address : footpath_fuzz_places[goal->object];
            leads += goal->offset;
            if (goal->element) {
                unsigned at = (unsigned)number_at(input, link->choice_at + 2, 2);
                leads += (size_t)(at % (S->sizes[goal->object] + 1)) * goal->element;
            }
        }
        else if (link->otherwise == MAY_BE_NUMBER)
            continue;
        if (link->object < 0)
            footpath_fuzz_pointers[i] = leads;
        else if (link->offset + sizeof leads
                 <= (size_t)S->sizes[link->object] * SUBJECT->objects[link->object].element)
            memcpy((byte *)footpath_fuzz_places[link->object] + link->offset, &leads, sizeof leads);
    }
}

/* Sets back all that runs change. */
static void set_back(void)
{
    size_t before = (size_t)((byte *)&state_page - S->writable);
    memset(S->arena, 0, (size_t)(S->arena_next - S->arena));
    S->arena_next = S->arena;
    memcpy(S->writable, S->saved, before);
    memcpy(S->writable + before + PAGE, S->saved + before + PAGE, S->writable_size - before - PAGE);
    errno = 0;
    memset(S->calls, 0, footpath_fuzz_stub_count * sizeof *S->calls);
}

static int run(const byte *input)
{
    int how;
    unsigned i;
    long long before;
    size_t used = (size_t)(S->arena_next - S->arena);
    set_back();
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
        siglongjmp(S->call, 1);
    }
    S->running = 0;
    S->results[RUNS] = ++S->runs;
    S->cost += RUN + (before - S->fuel) + (how == CRASHED ? SIGNAL : 0) + (SUBJECT->object_count + SUBJECT->link_count) / SET;
    S->cost += (long long)(used + S->writable_size + SUBJECT->input_size) / COPIED;
    S->results[COST] = (word)S->cost;
    for (i = 0; i < S->near_count; i++)
        S->places[S->near[i]].is_touched = 0;
    return how;
}

/* ---- At the start. ---- */

extern byte __data_start[], _edata[], __bss_start[], _end[];

/* The memory of the state. */
static struct state *state_of(const struct footpath_fuzz_target *subject, byte *shared, size_t size)
{
    struct state *state = map(sizeof *state);
    state->subject = subject;
    state->results = (word *)shared;
    state->found = shared + PAGE;
    state->room = size - PAGE;
    state->target = -1;
    state->arena = state->arena_next = map(ARENA);
    state->arena_top = state->arena + ARENA;
    state->points = map(footpath_fuzz_point_count);
    state->reached = map(footpath_fuzz_point_count);
    state->reaching = map((footpath_fuzz_point_count + 1) * sizeof *state->reaching);
    state->points_left = footpath_fuzz_points_of_targets[subject - footpath_fuzz_targets];
    state->noted = map((footpath_fuzz_point_count + 1) * sizeof *state->noted);
    state->new_points = map((footpath_fuzz_point_count + 1) * sizeof *state->new_points);
    state->calls = map((footpath_fuzz_stub_count + 1) * sizeof *state->calls);
    state->most_calls = map((footpath_fuzz_stub_count + 1) * sizeof *state->most_calls);
    state->sizes = map((subject->object_count + 1) * sizeof *state->sizes);
    state->slots = map((subject->object_count + 1) * sizeof *state->slots);
    state->owners = map((subject->field_count + 1) * sizeof *state->owners);
    state->inputs_of_places = map((size_t)PLACES * subject->input_size);
    state->pool = map((size_t)POOL * subject->input_size);
    state->work = map(subject->input_size);
    state->best = map(subject->input_size);
    state->trial = map(subject->input_size);
    return state;
}

/* The memory of objects. What is read or written behind an object ends the run. */
static void make_objects(struct state *state)
{
    const struct footpath_fuzz_target *subject = state->subject;
    unsigned i, f;
    footpath_fuzz_places = map((subject->object_count + 1) * sizeof *footpath_fuzz_places);
    footpath_fuzz_pointers = map((subject->link_count + 1) * sizeof *footpath_fuzz_pointers);
    for (i = 0; i < subject->object_count; i++) {
        const struct footpath_fuzz_object *object = &subject->objects[i];
        size_t room = ((size_t)object->most * object->element + PAGE - 1) / PAGE * PAGE;
        if (!object->address)
            state->slots[i] = (byte *)map(room) + room;
        for (f = 0; f < subject->field_count && object->has_count && object->has_content; f++) {
            const struct footpath_fuzz_field *field = &subject->fields[f];
            if (field->at == object->content_at && field->size == object->element && field->count == object->most)
                state->owners[f] = i + 1;
        }
    }
}

/* Begins a run when it is jumped to. It needs nothing of its frame, which a run may overwrite, as nothing lies behind it. */
static void call(void)
{
    if (!sigsetjmp(S->call, 0))
        siglongjmp(S->start, 1);
    SUBJECT->call();
    end_run(RETURNED);
}

/* A stack for runs, so that what they write behind it does not hit calls of the fuzzer. */
static void make_stack(void)
{
    static ucontext_t there;
    getcontext(&there);
    there.uc_stack.ss_sp = S->stack = map(STACK);
    there.uc_stack.ss_size = STACK;
    makecontext(&there, call, 0);
    if (!sigsetjmp(S->start, 0))
        setcontext(&there);
}

/* Signals lead back to the fuzzer, on a stack of their own, as that of the run may be used up. */
static void catch_signals(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};
    static const struct itimerval clock = {{0, STRIKE}, {0, STRIKE}};
    struct sigaction action;
    stack_t stack;
    unsigned i;
    memset(&stack, 0, sizeof stack);
    stack.ss_size = 16 * PAGE;
    stack.ss_sp = map(stack.ss_size);
    sigaltstack(&stack, 0);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, 0);
    action.sa_handler = on_clock;
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &clock, 0);
}

static void set_up(const struct footpath_fuzz_target *subject, word seed, word budget, word patience, int results, size_t size)
{
    struct state *state;
    byte *shared = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, results, 0);
    if (shared == MAP_FAILED)
        leave(CANNOT_START);
    syscall(SYS_close, results);
    state = state_of(subject, shared, size);
    state->random = seed;
    state->budget = budget;
    state->patience = (long long)patience;
    state->runs = state->results[RUNS];
    state->cost = state->news_at = (long long)state->results[COST];
    make_objects(state);
    /* Its buffer would be in the arena otherwise. */
    (__real_setvbuf ? __real_setvbuf : setvbuf)(stdout, map(PAGE), _IOFBF, PAGE);
    S = state;
    make_stack();
    footpath_fuzz_input = S->work;
    S->writable = __data_start;
    S->writable_size = (size_t)(_end - __data_start);
    S->saved = map(S->writable_size);
    memcpy(S->saved, S->writable, S->writable_size);
    catch_signals();
    if (mprotect(&state_page, sizeof state_page, PROT_READ))
        leave(CANNOT_START);
}
