/* What a library makes of a comparison that says the same of all, or that contradicts itself, is its own choice: how elements come to
   lie, and how often the comparison is called. */
#include <stdlib.h>

static int greater(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return 1;
}

static int same(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return 0;
}

static int calls;

static int alternating(const void *a, const void *b)
{
    (void)a;
    (void)b;
    calls = (calls + 1) & 15;
    return calls & 1 ? 1 : -1;
}

static int in_order(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int contradicting(int x, int y, int z)
{
    int a[3] = {x, y, z};
    qsort(a, 3, sizeof a[0], greater);
    if (a[0] == z)
        return 1; //@ may run
    if (a[0] == y)
        return 2; //@ may run
    if (a[0] == x)
        return 3; //@ may run
    return 4; //@ unreachable?
}

int equal(int x, int y)
{
    int a[2] = {x, y};
    qsort(a, 2, sizeof a[0], same);
    if (a[0] != x)
        return 1; //@ may run
    return 2; //@ covered
}

int counted(int x)
{
    int a[3] = {x, 2, 1};
    calls = 0;
    qsort(a, 3, sizeof a[0], alternating);
    if (calls > 3)
        return 1; //@ may run
    if (calls == 0)
        return 2; //@ may run
    return 3; //@ may run
}

int sorted(int x, int y)
{
    int a[2] = {x, y};
    qsort(a, 2, sizeof a[0], in_order);
    if (a[0] > a[1])
        return 1; //@ unreachable?
    if (a[0] == y && x != y)
        return 2; //@ covered
    return 3; //@ covered
}
