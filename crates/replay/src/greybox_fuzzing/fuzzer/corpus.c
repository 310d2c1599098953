/* The corpus: inputs that did something new, from which others are made. The latest are chosen as often as all others
   together, as what is new is rarely explored. When the corpus is full, a random one makes room. */

/* A run costs one for each block. All runs cost so many times as much as those without news that are enough, besides what it took to
   come to the last ones. */
static const int ALL = 15;

static byte *kept(unsigned which)
{
    return S->pool + (size_t)which * SUBJECT->input_size;
}

static void keep(const byte *input, int how)
{
    unsigned at = S->pool_size < POOL ? S->pool_size++ : below(POOL);
    memcpy(kept(at), input, SUBJECT->input_size);
    S->is_copied[at] = 0;
    S->is_endless[at] = how == ENDLESS;
}

static int is_over(void)
{
    if (S->runs >= S->next_look) {
        S->next_look = S->runs + TICK;
        S->is_late = processor_time() >= S->until;
    }
    return S->is_late || S->runs >= S->budget || S->cost >= ALL * S->patience || !S->points_left || S->cost - S->news_at > S->patience + S->news_at;
}

/* Runs on an input, and keeps it if it is of use. */
static int try_input(const byte *input)
{
    int how = run(input), is_new = take(input, how);
    if (is_new)
        keep(input, how);
    return is_new;
}

/* Runs on an input, and keeps it. */
static void begin_with(const byte *input)
{
    int how = run(input);
    take(input, how);
    keep(input, how);
}

static unsigned parent(void)
{
    unsigned n = S->pool_size;
    return below(2) ? below(n) : n - 1 - below(n < 16 ? n : 16);
}

/* One that is made from one or two that were of use. Inputs of runs without an end, whose offspring cost as much as thousands of
   others, are rarely among these as long as there are others. */
static void offspring(byte *input)
{
    unsigned n = S->pool_size, which = parent(), i;
    for (i = 0; i < 4 && S->is_endless[which]; i++)
        which = parent();
    memcpy(input, kept(which), SUBJECT->input_size);
    if (!below(8)) {
        const byte *other = kept(below(n));
        const struct footpath_fuzz_field *field = &SUBJECT->fields[below(SUBJECT->field_count)];
        memcpy(input + field->at, other + field->at, (size_t)field->count * field->size);
    }
    for (i = 0; i < 1u << below(4); i++)
        mutate(input);
}
