// Arrays that loops write: at a fixed cell, at an index that is read from data, and depending on an earlier element.
unsigned total(unsigned n)
{
    unsigned sums[4] = {0, 0, 0, 0};
    for (unsigned i = 0; i < n; i++)
        sums[2] += 3;
    if (sums[2] != 3 * n)
        return 1; //@ unreachable?
    if (sums[1] != 0)
        return 2; //@ unreachable?
    if (sums[2] == 6)
        return 3; //@ covered 2
    return 0;
}

int marked(const unsigned char *from, unsigned n, unsigned m)
{
    int seen[256] = {0};
    for (unsigned i = 0; i < n; i++)
        seen[from[i]] = 7;
    if (m < 256 && seen[m] != 0 && seen[m] != 7)
        return 1; //@ unreachable?
    if (m < 256 && seen[m] == 7)
        return 2; //@ covered 1
    return 0;
}

int lines(unsigned n)
{
    int a[100];
    for (int i = 0; i < 5; i++)
        a[i] = i;
    for (int i = 5; i < 100; i++)
        a[i] = a[i - 5] + 2;
    if (n < 100 && a[n] != (int)(n % 5 + 2 * (n / 5)))
        return 1; //@ unreachable?
    return 0; //@ covered?
}

//@ run: reach --target arrays_in_loops.c:8 --target arrays_in_loops.c:10 --target arrays_in_loops.c:22
//@ exit: 0
//@ says: unreachable  arrays_in_loops.c:8:
//@ says: unreachable  arrays_in_loops.c:10:
//@ says: unreachable  arrays_in_loops.c:22:
