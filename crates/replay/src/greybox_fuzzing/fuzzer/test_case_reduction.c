/* Test case reduction: shorter arrays and more zeros that still reach what an input was kept for, so that tests can be read and
   the search starts from simple runs. */

static void reduce(byte *input)
{
    byte *reached = S->reached;
    unsigned i, f, k, want = 0, budget = 400;
    int how;
    memset(reached, 0, footpath_fuzz_point_count);
    /* All that it reaches is to stay. */
    how = run_for_points(input);
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
    for (i = 0; i < SUBJECT->object_count; i++) {
        const struct footpath_fuzz_object *object = &SUBJECT->objects[i];
        unsigned count = elements(input, i), less;
        if (!object->has_count)
            continue;
        for (less = count / 2; less >= 1 && budget; ) {
            memcpy(S->trial, input, SUBJECT->input_size);
            put(S->trial, object->count_at, 2, count - less - 1);
            if (less < count && STILL(S->trial)) {
                memcpy(input, S->trial, SUBJECT->input_size);
                count -= less;
                if (less >= count)
                    less = count / 2;
            } else
                less /= 2;
        }
    }
    for (f = 0; f < SUBJECT->field_count && budget; f++) {
        const struct footpath_fuzz_field *field = &SUBJECT->fields[f];
        static const byte zeros[64];
        if (field->kind == CHOICE)
            continue;
        /* What lies behind an array's elements says nothing. */
        k = asked(input, field);
        memset(input + field->at + k * field->size, 0, (size_t)(field->count - k) * field->size);
        for (k = 0; k < asked(input, field) && budget; k++) {
            unsigned at = field->at + k * field->size;
            if (field->size <= sizeof zeros && !memcmp(input + at, zeros, field->size))
                continue;
            memcpy(S->trial, input, SUBJECT->input_size);
            memset(S->trial + at, 0, field->size);
            if (STILL(S->trial))
                memcpy(input, S->trial, SUBJECT->input_size);
        }
    }
}

static void reduce_all(void)
{
    word i;
    for (i = 0; i < S->results[INPUTS]; i++)
        reduce(found(i));
}
