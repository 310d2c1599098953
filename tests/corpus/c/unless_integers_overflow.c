/* What no run reaches in which no signed integer overflows; a run of 2^31 iterations does. What a test reaches behind an overflow
   is reached all the same, and with unsigned counters nothing is assumed. */
//@ ask: reach --target unless_integers_overflow.c:17 --timeout 20
//@ ask: reach --target unless_integers_overflow.c:31 --timeout 20
//@ ask: reach --target unless_integers_overflow.c:39 --timeout 20
//@ ask: reach --target unless_integers_overflow.c:50 --timeout 20
int more(void);

int counted(void)
{
    int x = 0, y = 0;
    while (more()) {
        x++;
        y++;
    }
    if (x != y || x < 0)
        return 1; //@ may run
    return 0;
}

int unsigned_counted(void)
{
    unsigned x = 0, y = 0;
    while (more()) {
        x++;
        y++;
    }
    if (x > 0x80000000u)
        return 2;
    if (x != y)
        return 1; //@ unreachable
    return 0;
}

int wraps(int x)
{
    int next = x + 1;
    if (next < x)
        return 1; //@ may run
    return 0;
}

int halves(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += 2;
    /* For n beyond 2^30 the sum wraps. */
    if (n > 0 && s < n)
        return 1; //@ may run
    return 0;
}
