/* What a fuzz target tells the fuzzer: how an input is laid out, and what the pointers of the function lead to. */

/* Numbers of the same kind in an input, one after the other. */
struct footpath_fuzz_field {
    unsigned at, size, count, kind, limit;
};

/* A place that is filled before each call: a variable, or an object that is made. Its number of elements is one more than the
   number at `count_at` of the input, modulo the most that it may have; its bytes are at `content_at`. */
struct footpath_fuzz_object {
    void *(*address)(void);
    unsigned element, most, has_count, count_at, has_content, content_at, is_text;
};

/* What a pointer may lead to: an address, or an object, with an offset in bytes, or elements of so many bytes. */
struct footpath_fuzz_goal {
    void *address;
    int object;
    unsigned offset, element;
};

/* Whether a pointer may be null, or may be a number of the bytes that are there. */
enum { MAY_BE_NULL = 1, MAY_BE_NUMBER = 2 };

/* A pointer, in an object or an argument. The number at `choice_at` of the input says where it leads, 0 for nowhere if
   that is possible, and the next number to which element. */
struct footpath_fuzz_link {
    int object;
    unsigned offset, choice_at, otherwise, first, count;
};

/* The results of an external function's first calls, or what these write, one after the other. Those of the function that gives
   the next byte of a stream are bytes; the number at `length_at`, modulo one more than the most, says how many, and behind them
   the result is -1. */
struct footpath_fuzz_result {
    unsigned at, size, calls, has_length, length_at;
};

/* A function that can be fuzzed. */
struct footpath_fuzz_target {
    const struct footpath_fuzz_field *fields;
    const struct footpath_fuzz_object *objects;
    const struct footpath_fuzz_goal *goals;
    const struct footpath_fuzz_link *links;
    const struct footpath_fuzz_result *results;
    unsigned field_count, object_count, link_count, input_size;
    /* Calls the function. */
    void (*call)(void);
};

/* All functions that can be, and how many external functions there are. */
extern const struct footpath_fuzz_target footpath_fuzz_targets[];
extern const unsigned footpath_fuzz_stub_count;

/* The input, the objects, and the arguments that are pointers, by the number of their link. */
extern unsigned char *footpath_fuzz_input;
extern void **footpath_fuzz_places, **footpath_fuzz_pointers;

/* Writes what this call of an external function returns, if the input says it. */
void footpath_fuzz_answer(unsigned function, void *result);
/* Whether an address is that of a local of the tested code. */
int footpath_fuzz_is_local(const void *at);
/* Ends the run: the program ended itself. */
void footpath_fuzz_end(void);
