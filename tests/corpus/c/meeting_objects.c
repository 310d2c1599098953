/* One past the end of an object may be the beginning of another one: both answers of a comparison are possible. Inside of objects
   addresses are apart. */
#include <stdlib.h>

static int left[4], right[4];

int by_index(int i)
{
    if (i < 0 || i > 4)
        return 0; //@ covered
    if (left + i == right)
        return 1; //@ may run
    return 2; //@ covered
}

int unequal(int i)
{
    if (i < 0 || i > 4)
        return 0; //@ covered
    if (&left[i] != right)
        return 2; //@ covered
    return 1; //@ may run
}

/* An address before its object may be one of another object, too. */
int before(int i)
{
    if (i < -4 || i > -1)
        return 0; //@ covered
    if (left + i == right)
        return 1; //@ may run
    return 2; //@ may run
}

int inside(int i)
{
    if (i < 0 || i > 3)
        return 0; //@ covered
    if (left + i == right)
        return 1; //@ unreachable
    return 2; //@ covered
}

int allocated(void)
{
    char *a = malloc(8), *b = malloc(8);
    int r = 2;
    if (a && b && a + 8 == b)
        r = 1; //@ may run
    free(a);
    free(b);
    return r;
}

int allocated_apart(void)
{
    char *a = malloc(8), *b = malloc(8);
    int r = 2;
    if (a && a == b)
        r = 1; //@ unreachable
    free(a);
    free(b);
    return r;
}

int given(int *p, int i)
{
    if (!p || i != 4)
        return 0; //@ covered
    if (p + i == right)
        return 1; //@ may run
    return 2; //@ covered
}

/* Two pointers to the first and to just past the last element are no other object's. */
int walk(void)
{
    int n = 0;
    for (int *p = left; p != left + 4; p++)
        n++;
    if (n != 4)
        return 1; //@ unreachable
    return 2; //@ covered
}

static int *stale(void)
{
    int x = 1;
    int *volatile p = &x;
    return p;
}

/* Two activations, one after the other, may have their locals in one place. */
int one_after_the_other(void)
{
    int *p = stale(), *q = stale();
    if (p == q)
        return 1; //@ may run
    return 2; //@ may run
}

static int inner(int n, int *outer)
{
    int x = n;
    if (n > 0)
        return inner(n - 1, &x);
    return outer == &x;
}

/* Activations that are alive at once have not. */
int one_in_the_other(void)
{
    if (inner(1, 0))
        return 1; //@ unreachable?
    return 2; //@ covered
}
