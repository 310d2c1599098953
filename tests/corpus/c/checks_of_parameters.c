/* Loops over arrays are verified with nothing assumed, what follows a parameter under an assumption, what is wrong never. */
#include <stdlib.h>
int fixed(void)
{
    int t[10], s = 0;
    for (int i = 0; i < 10; i++)
        t[i] = i;
    for (int i = 9; i >= 0; i--)
        s ^= t[i];
    return s;
}
int heap(int n)
{
    if (n <= 0 || n > 1000)
        return 0;
    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    int r = a[n - 1];
    free(a);
    return r;
}
int matrix[4][5];
int sum(void)
{
    int s = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            s ^= matrix[i][j];
    return s;
}
int remainder_of(unsigned k)
{
    int t[7] = { 0 };
    return t[k % 7] + t[k & 3];
}
int beyond(unsigned k)
{
    int t[4] = { 1, 2, 3, 4 };
    return t[k]; //@ fails bounds
}
int off_by_one(int n)
{
    int t[8];
    for (int i = 0; i <= 8; i++)
        t[i] = n; //@ fails bounds
    return t[0];
}
int next(int *p)
{
    return *p + 1; //@ fails null, fails overflow
}

//@ run: verify --verbose --sound
//@ exit: 0
//| fixed
//|   check                        kind      verdict
//|   checks_of_parameters.c:7:14  bounds    verified
//|   checks_of_parameters.c:9:14  bounds    verified
//|   checks_of_parameters.c:8:30  overflow  verified
//|   checks_of_parameters.c:6:30  overflow  verified
//|
//| heap
//|   check                         kind            verdict
//|   checks_of_parameters.c:20:14  null            verified
//|   checks_of_parameters.c:20:14  use_after_free  verified
//|   checks_of_parameters.c:20:14  bounds          verified
//|   checks_of_parameters.c:21:17  overflow        verified
//|   checks_of_parameters.c:21:13  null            verified
//|   checks_of_parameters.c:21:13  use_after_free  verified
//|   checks_of_parameters.c:21:13  bounds          verified
//|   checks_of_parameters.c:22:5   free            verified
//|   checks_of_parameters.c:19:29  overflow        verified
//|
//| sum
//|   check                         kind            verdict
//|   checks_of_parameters.c:29:29  overflow        verified
//|   checks_of_parameters.c:31:18  subobject       verified
//|   checks_of_parameters.c:31:18  use_after_free  verified
//|   checks_of_parameters.c:31:18  bounds          verified
//|   checks_of_parameters.c:30:33  overflow        verified
//|
//| remainder_of
//|   check                         kind      verdict
//|   checks_of_parameters.c:37:12  bounds    verified
//|   checks_of_parameters.c:37:23  bounds    verified
//|   checks_of_parameters.c:37:21  overflow  verified by the solver
//|
//| beyond
//|   check                         kind            verdict
//|   checks_of_parameters.c:41:9   use_after_free  verified
//|   checks_of_parameters.c:42:12  bounds          unverified [caller-state]
//|
//| off_by_one
//|   check                         kind      verdict
//|   checks_of_parameters.c:48:14  bounds    unverified [weak-invariants]
//|   checks_of_parameters.c:47:30  overflow  verified
//|
//| next
//|   check                         kind            verdict
//|   checks_of_parameters.c:53:12  null            unverified [caller-state]
//|   checks_of_parameters.c:53:12  use_after_free  unverified [caller-state]
//|   checks_of_parameters.c:53:12  bounds          unverified [caller-state]
//|   checks_of_parameters.c:53:15  overflow        unverified [caller-state]
//|
//| 29 checks: 23 verified, 0 verified under assumptions, 6 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   5 [caller-state] State what callers guarantee with assert where the function begins (requires in
//|          Boogie); footpath test looks for an input that makes it fail.
//|   1 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.

//@ run: verify --verbose
//@ exit: 0
//| fixed
//|   check                        kind      verdict
//|   checks_of_parameters.c:7:14  bounds    verified
//|   checks_of_parameters.c:9:14  bounds    verified
//|   checks_of_parameters.c:8:30  overflow  verified
//|   checks_of_parameters.c:6:30  overflow  verified
//|
//| heap
//|   check                         kind            verdict
//|   checks_of_parameters.c:20:14  null            verified
//|   checks_of_parameters.c:20:14  use_after_free  verified
//|   checks_of_parameters.c:20:14  bounds          verified
//|   checks_of_parameters.c:21:17  overflow        verified
//|   checks_of_parameters.c:21:13  null            verified
//|   checks_of_parameters.c:21:13  use_after_free  verified
//|   checks_of_parameters.c:21:13  bounds          verified
//|   checks_of_parameters.c:22:5   free            verified
//|   checks_of_parameters.c:19:29  overflow        verified
//|
//| sum
//|   check                         kind            verdict
//|   checks_of_parameters.c:29:29  overflow        verified
//|   checks_of_parameters.c:31:18  subobject       verified
//|   checks_of_parameters.c:31:18  use_after_free  verified
//|   checks_of_parameters.c:31:18  bounds          verified
//|   checks_of_parameters.c:30:33  overflow        verified
//|
//| remainder_of
//|   check                         kind      verdict
//|   checks_of_parameters.c:37:12  bounds    verified
//|   checks_of_parameters.c:37:23  bounds    verified
//|   checks_of_parameters.c:37:21  overflow  verified by the solver
//|
//| beyond
//|   check                         kind            verdict
//|   checks_of_parameters.c:41:9   use_after_free  verified
//|   checks_of_parameters.c:42:12  bounds          unverified [caller-state]
//|
//| off_by_one
//|   check                         kind      verdict
//|   checks_of_parameters.c:48:14  bounds    unverified [weak-invariants]
//|   checks_of_parameters.c:47:30  overflow  verified
//|
//| next
//|   check                         kind            verdict
//|   checks_of_parameters.c:53:12  null            verified assuming a1
//|   checks_of_parameters.c:53:12  use_after_free  verified assuming a1
//|   checks_of_parameters.c:53:12  bounds          verified assuming a1
//|   checks_of_parameters.c:53:15  overflow        unverified [caller-state]
//|   a1: valid-parameters at checks_of_parameters.c:51:5: `p` points to the start of a live object of at least 4 bytes
//|
//| 29 checks: 23 verified, 3 verified under assumptions, 3 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   2 [caller-state] State what callers guarantee with assert where the function begins (requires in
//|          Boogie); footpath test looks for an input that makes it fail.
//|   1 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
