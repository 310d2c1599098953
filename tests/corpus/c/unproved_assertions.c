/* An assertion that is not proved is not said to fail; a division by zero is. */
#include <assert.h>

int positive(int n)
{
    assert(n > 0); //@ fails assert
    return n;
}

int broken(int n)
{
    int zero = 0;
    return n / zero; //@ fails division
}

//@ run: verify --sound
//@ exit: 0
//| positive
//|   check                      kind    verdict
//|   unproved_assertions.c:6:5  assert  unverified [caller-state]
//|
//| broken
//|   check                        kind      verdict
//|   unproved_assertions.c:13:14  division  fails whenever it is reached
//|   unproved_assertions.c:13:14  overflow  verified
//|
//| 3 checks: 1 verified, 0 verified under assumptions, 1 unverified, 1 failing
//|
//| why checks are unverified, and what can be done
//|   1 [caller-state] State what callers guarantee with assert where the function begins (requires in
//|          Boogie); footpath test looks for an input that makes it fail.
