/* Corpus minimisation: what other inputs reach, too, needs no input of its own. A search has begun with each input that is left, and
   each costs it as much as thousands of runs here.

   Example: an empty text was new when it was tried first; each later text that returns reaches all of its code, so it is left out.

   Inputs are looked at in the order in which they were found, as the later ones reach more, and an input stays if a point is reached
   by no other that is left and ends in the same way: an input with which something fails shows what no other does.

   What is left is in the order of what a run costs, so that a search that has no time for all has had the most.

   As `afl-cmin` does it, but without weights. */

/* Runs an input; the points that it reaches are the new ones then. */
static int run_for_points(const byte *input)
{
    unsigned i;
    int how;
    memset(S->points, 0, footpath_fuzz_point_count);
    how = run(input);
    for (i = 0; i < S->touched_count; i++)
        S->counts[S->touched[i]] = 0;
    return how;
}

static void minimise(void)
{
    struct reaching *of = S->reaching;
    long long costs[FOUND];
    word i, j, left = 0, count = S->results[INPUTS];
    unsigned k;
    for (i = 0; i < count; i++) {
        int fails = run_for_points(found(i)) != RETURNED;
        for (k = 0; k < S->new_count; k++)
            of[S->new_points[k]].inputs[fails]++;
    }
    for (i = 0; i < count; i++) {
        int fails = run_for_points(found(i)) != RETURNED, is_needed = 0;
        for (k = 0; k < S->new_count && !is_needed; k++)
            is_needed = of[S->new_points[k]].inputs[fails] < 2;
        if (is_needed) {
            /* Behind all that cost as much at most. */
            long long cost = FUEL - S->fuel;
            memcpy(S->trial, found(i), SUBJECT->input_size);
            for (j = left++; j && costs[j - 1] > cost; j--) {
                costs[j] = costs[j - 1];
                memcpy(found(j), found(j - 1), SUBJECT->input_size);
            }
            costs[j] = cost;
            memcpy(found(j), S->trial, SUBJECT->input_size);
            continue;
        }
        for (k = 0; k < S->new_count; k++)
            of[S->new_points[k]].inputs[fails]--;
    }
    S->results[INPUTS] = left;
}
