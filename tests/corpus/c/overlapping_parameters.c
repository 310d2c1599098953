/* A failure that needs two parameters to point into one object is a precondition, unless a function of the program passes them so. */
#include <assert.h>

/* Fails where `in` and `out` are one object only. */
int inverse(int *in, int *out)
{
    *in = 4;
    *out = 0;
    if (*in == 0)
        return 10 / *in; //@ fails division
    return *in; //@ covered
}

int flag(const unsigned char *in, unsigned char *out)
{
    unsigned char first = *in;
    *out = 7;
    if (*in == first)
        return 0; //@ covered
    assert(*out == 8); //@ fails assert
    return 1;
}

/* Fails with parameters apart as well. */
int either(int *a, int *b)
{
    *a = 1;
    *b = 2;
    if (*a == 2)
        *b = 0; //@ covered
    else
        *b = 0; //@ covered
    return 10 / *b; //@ fails division
}

/* The function itself asks whether they are one. */
int compared(int *p, int *q)
{
    *p = 5;
    *q = 0;
    if (p == q)
        return 1 / *p; //@ fails division
    return 10 / *p; //@ covered
}

/* A function of the program passes one buffer for both. */
static int in_place(int *in, int *out)
{
    *in = 4;
    *out = 0;
    if (*in == 0)
        return 10 / *in; //@ fails division
    return *in; //@ covered
}

int passes_one(void)
{
    int buffer = 3;
    return in_place(&buffer, &buffer);
}

//@ run: test --timeout 20 --verbose
//@ exit: 0
//@ says: needs that `in` and `out` do not overlap, or the division is by zero: 10
//@ says: needs that `in` and `out` do not overlap, or the assertion fails: 20
//@ says: passes_one calls it so
//@ says: 3 checks can fail
//@ never says: `a` and `b` do not overlap
//@ never says: `p` and `q` do not overlap
