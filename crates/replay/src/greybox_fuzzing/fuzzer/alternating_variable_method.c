/* The alternating variable method: the distance of a comparison to its other result is made smaller, one number of the input at a
   time, with steps that double while they help.

   Example: `n * n - 6 * n == 7` is false by 7 for 0; a step down to -1 makes it true.

   B. Korel, "Automated software test data generation" (IEEE TSE 16, 1990). Comparisons count by the calls that are open. */

static double measure(const byte *input)
{
    double distance;
    int how = run(input), done = S->reached_target;
    distance = done ? -1 : S->distance;
    if (take(input, how))
        keep(input, how);
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
    memcpy(now, S->inputs_of_places + (size_t)target * SUBJECT->input_size, SUBJECT->input_size);
    S->target = (int)target;
    distance = measure(now);
    while (improves && distance >= 0 && distance < 1e308 && S->runs < until && !is_over()) {
        unsigned f, k;
        improves = 0;
        for (f = 0; f < SUBJECT->field_count && distance >= 0; f++) {
            const struct footpath_fuzz_field *field = &SUBJECT->fields[f];
            unsigned count = asked(now, field);
            for (k = 0; k < count && distance >= 0 && S->runs < until && !is_over(); k++) {
                int direction;
                for (direction = -1; direction <= 1; direction += 2) {
                    double size = 1;
                    while (distance >= 0 && S->runs < until) {
                        double away;
                        memcpy(next, now, SUBJECT->input_size);
                        step(next, field, k, direction * size);
                        away = measure(next);
                        if (away < distance) {
                            memcpy(now, next, SUBJECT->input_size);
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
