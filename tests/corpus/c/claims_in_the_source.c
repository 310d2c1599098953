/* What the source says is verified is a claim: nothing rests on it, whatever `test` looks for. */
#include "footpath.h"

int at_most(int x)
{
    footpath_verified(x < 100, "true"); //@ fails assert
    return x / 2;
}

int but_one(int x)
{
    footpath_assumed(x > 10, large);
    footpath_verified(x != 12, "large"); //@ fails assert
    return x;
}

int right(int x)
{
    if (x > 50)
        return 0;
    footpath_verified(x < 100, "true"); //@ holds assert
    return 1;
}
//@ ask: failures --timeout 10
//@ ask: verify
