// Counters that are reset at a border, toggles and remainders.
int third(int n)
{
    int r = 0, k = 0;
    for (int i = 0; i < n; i++) {
        r++;
        if (r == 3)
            r = 0;
        k++;
    }
    if (r > 2)
        return 1; //@ unreachable?
    if (k == 3000 && r != 0)
        return 2; //@ unreachable?
    if (k == 100 && r == 1)
        return 3; //@ covered
    return 4; //@ covered
}

unsigned toggled(unsigned n)
{
    unsigned s = 0, i;
    for (i = 0; i < n; i++)
        s = !s;
    if (s != n % 2)
        return 1; //@ unreachable?
    return 2; //@ covered
}

unsigned flipped(unsigned n, unsigned mask)
{
    unsigned s = mask, i;
    for (i = 0; i < n; i++)
        s ^= 1;
    if (n == 1000000 && s != mask)
        return 1; //@ unreachable?
    if (n == 1001 && s == mask)
        return 2; //@ unreachable?
    return 3; //@ covered
}

unsigned hours(unsigned n)
{
    unsigned h = 0, i;
    for (i = 0; i < n; i++)
        h = (h + 1) % 24;
    if (h != n % 24)
        return 1; //@ unreachable?
    if (h == 23)
        return 2; //@ covered
    return 3; //@ covered
}

unsigned long_cycle(unsigned n)
{
    unsigned x = 5, i;
    for (i = 0; i < n; i++)
        x = (x + 7) % 1000;
    if (n == 2000 && x != 5)
        return 1; //@ unreachable?
    if (n == 1003 && x != 26)
        return 2; //@ unreachable?
    return 3; //@ covered
}

int signs(int n)
{
    int s = 1, sum = 0;
    for (int i = 0; i < n; i++) {
        sum += s;
        s = -s;
    }
    if (s != 1 && s != -1)
        return 1; //@ unreachable?
    if (s == 1 && n == 77)
        return 2; //@ unreachable?
    return 3; //@ covered
}

//@ run: reach --timeout 120 --target periodic_counters.c:12 --target periodic_counters.c:14 --target periodic_counters.c:16
//@ exit: 0
//@ says: unreachable  periodic_counters.c:12:
//@ says: unreachable  periodic_counters.c:14:
//@ says: reached      periodic_counters.c:16:

//@ run: reach --timeout 120 --target periodic_counters.c:26 --target periodic_counters.c:36 --target periodic_counters.c:38
//@ exit: 0
//@ says: unreachable  periodic_counters.c:26:
//@ says: unreachable  periodic_counters.c:36:
//@ says: unreachable  periodic_counters.c:38:

//@ run: reach --timeout 120 --target periodic_counters.c:48 --target periodic_counters.c:60 --target periodic_counters.c:62
//@ exit: 0
//@ says: unreachable  periodic_counters.c:48:
//@ says: unreachable  periodic_counters.c:60:
//@ says: unreachable  periodic_counters.c:62:

//@ run: reach --timeout 120 --target periodic_counters.c:74 --target periodic_counters.c:76
//@ exit: 0
//@ says: unreachable  periodic_counters.c:74:
//@ says: unreachable  periodic_counters.c:76:
