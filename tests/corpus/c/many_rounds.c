/* What only thousands of rounds lead to, and what none does. */
int pairs(int n)
{
    int i = 0, s = 1;
    while (i < n) {
        i++;
        s += 2;
    }
    if (s == 7001)
        return 1; //@ covered
    return 0; //@ covered
}

unsigned halves(unsigned n)
{
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++)
        s += 2;
    if (s == 60001)
        return 1; //@ unreachable
    return 0; //@ covered
}

unsigned wrapped(unsigned n)
{
    unsigned s = 0;
    while (n > 0) {
        s += 7;
        n--;
        if (s >= 7000)
            s = 0;
    }
    if (s % 7 == 3)
        return 2; //@ unreachable
    return 0; //@ covered
}
