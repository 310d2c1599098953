/* OneLoop: i is a multiple of 4 whenever the loop ends, so the target is never reached. */

int one_loop(unsigned n)
{
    unsigned i = 0;

    if (n > 1000000)
        return 0;
    while (i < n)
        i += 4;
    if (i == 15)
        return 1; /* target */
    return 0;
}
