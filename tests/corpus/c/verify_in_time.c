/* Functions that were not begun when the time for all was up are left out, and that is said. */
#include <assert.h>

void first(int n)
{
    assert(n != 3); //@ fails assert
}

void second(int n)
{
    if (n > 4)
        assert(n != 4);
}

//@ run: verify --total-timeout 0.000001 --verbose
//@ exit: 0
//@ says: 2 of 2 functions were not begun before --total-timeout was up

//@ run: verify --timeout 300 --total-timeout 900 --verbose
//@ exit: 0
//@ says: 1 verified
//@ never says: not begun
