/* That a write through one parameter leaves what another leads to is an assumption, unless their types differ. */
#include <assert.h>

int same_type(int *a, int *b)
{
    *a = 1;
    *b = 2;
    assert(*a == 1); //@ fails assert
    return 0;
}

int other_type(int *a, float *b)
{
    *a = 1;
    *b = 2;
    assert(*a == 1); //@ holds? assert
    return 0;
}

//@ run: verify
//@ exit: 0
//@ says: distinct-parameters at distinct_parameters.c:4:5: `a` and `b` point to different objects
//@ never says: distinct-parameters at distinct_parameters.c:12
//@ says: 0 unverified
