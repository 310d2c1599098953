// Arrays that one loop fills and another one reads.
int constant(unsigned n)
{
    int a[1000];
    if (n > 1000)
        return 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = 7;
    for (unsigned i = 0; i < n; i++)
        if (a[i] != 7)
            return 1; //@ unreachable?
    return 2; //@ covered
}

int index(unsigned n)
{
    unsigned a[1000];
    if (n > 1000)
        return 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = 2 * i;
    for (unsigned i = 0; i < n; i++)
        if (a[i] != 2 * i)
            return 1; //@ unreachable?
    for (unsigned i = 0; i < n; i++)
        if (a[i] == 80)
            return 2; //@ covered? 41
    return 3; //@ covered
}

int copied(const int *from)
{
    int a[20], b[20];
    for (unsigned i = 0; i < 20; i++)
        a[i] = from[i];
    for (unsigned i = 0; i < 20; i++)
        b[i] = a[i];
    for (unsigned i = 0; i < 20; i++)
        if (a[i] != b[i])
            return 1; //@ unreachable?
    return 2; //@ covered? 20
}

int greatest(const int *from, unsigned n)
{
    int a[300];
    if (n == 0 || n > 300)
        return 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = from[i];
    int most = a[0];
    for (unsigned i = 1; i < n; i++)
        if (a[i] > most)
            most = a[i];
    for (unsigned i = 0; i < n; i++)
        if (a[i] > most)
            return 1; //@ unreachable?
    return 2; //@ covered?
}

//@ run: reach --target arrays_filled_then_read.c:11 --target arrays_filled_then_read.c:24 --target arrays_filled_then_read.c:27
//@ exit: 0
//@ says: unreachable  arrays_filled_then_read.c:11:
//@ says: unreachable  arrays_filled_then_read.c:24:
//@ says: reached      arrays_filled_then_read.c:27:
