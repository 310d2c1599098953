/* Coverage feedback: what a run did that no earlier run did, from the calls that instrumented code makes.

   Blocks and branches are counted by the calls that are open, in buckets of counts, as AFL does: a loop that runs nine times
   is news after runs with one and two. Of each comparison with one result so far, the input that came nearest to the other is kept
   (`alternating_variable_method.c`). Collisions of the hash only hide news. */

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
            memcpy(S->inputs_of_places + (size_t)S->near[i] * SUBJECT->input_size, input, SUBJECT->input_size);
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
        S->news_at = S->cost;
        if (!S->is_known && S->results[INPUTS] < FOUND && (S->results[INPUTS] + 1) * SUBJECT->input_size <= S->room) {
            memcpy(found(S->results[INPUTS]), input, SUBJECT->input_size);
            S->results[INPUTS]++;
        }
    }
    return is_new || n;
}
