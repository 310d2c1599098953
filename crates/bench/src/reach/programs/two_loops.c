/* TwoLoops: the second loop ends only if a multiple of 4 is an even number plus 7. */

int two_loops(unsigned n)
{
    unsigned i = 0, j = 0;

    if (n > 1000000)
        return 0;
    while (i < n)
        i += 4;
    while (i != j + 7)
        j += 2;
    return 1; /* target */
}
