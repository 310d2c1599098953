/* What is left to be done and where a pointer is add up to what was there at first. */
#include <stddef.h>

int sum(const int *a, size_t n)
{
    int s = 0;
    for (; n > 0; n--)
        s ^= *a++;
    return s;
}

int total(const int *a, int n)
{
    int s = 0;
    while (n-- > 0)
        s ^= *a++;
    return s;
}

void copy(char *to, const char *from, size_t n)
{
    while (n--)
        *to++ = *from++;
}

void one_more(char *to, const char *from, size_t n)
{
    do
        *to++ = *from++; //@ fails bounds
    while (n--);
}

//@ run: verify --verbose
//@ exit: 0
//| sum
//|   check                        kind    verdict
//|   lengths_counted_down.c:8:14  null    verified assuming a1
//|   lengths_counted_down.c:8:14  bounds  verified assuming a2
//|   a1: valid-parameters at lengths_counted_down.c:4:5: `a` points to the start of a live object of at least 4 bytes
//|   a2: parameter-lengths at lengths_counted_down.c:4:5: `a` points to the start of an object of at least `n` elements
//|
//| total
//|   check                         kind      verdict
//|   lengths_counted_down.c:16:14  null      verified assuming a3
//|   lengths_counted_down.c:16:14  bounds    verified assuming a4
//|   lengths_counted_down.c:15:13  overflow  unverified [weak-invariants]
//|   a3: valid-parameters at lengths_counted_down.c:12:5: `a` points to the start of a live object of at least 4 bytes
//|   a4: parameter-lengths at lengths_counted_down.c:12:5: `a` points to the start of an object of at least `n` elements
//|
//| copy
//|   check                         kind    verdict
//|   lengths_counted_down.c:23:17  null    verified assuming a7
//|   lengths_counted_down.c:23:17  bounds  verified assuming a8
//|   lengths_counted_down.c:23:15  null    verified assuming a5
//|   lengths_counted_down.c:23:15  bounds  verified assuming a6
//|   a5: valid-parameters at lengths_counted_down.c:20:6: `to` points to the start of a live object of at least 1 byte
//|   a6: parameter-lengths at lengths_counted_down.c:20:6: `to` points to the start of an object of at least `n` elements
//|   a7: valid-parameters at lengths_counted_down.c:20:6: `from` points to the start of a live object of at least 1 byte
//|   a8: parameter-lengths at lengths_counted_down.c:20:6: `from` points to the start of an object of at least `n` elements
//|
//| one_more
//|   check                         kind    verdict
//|   lengths_counted_down.c:29:17  null    verified assuming a10
//|   lengths_counted_down.c:29:17  bounds  unverified [proof-time]
//|   lengths_counted_down.c:29:15  null    verified assuming a9
//|   lengths_counted_down.c:29:15  bounds  unverified [weak-invariants]
//|   a9: valid-parameters at lengths_counted_down.c:26:6: `to` points to the start of a live object of at least 1 byte
//|   a10: valid-parameters at lengths_counted_down.c:26:6: `from` points to the start of a live object of at least 1 byte
//|
//| 13 checks: 0 verified, 10 verified under assumptions, 3 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   2 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
//|   1 [proof-time] Raise --solver-timeout; footpath test looks for an input that makes it fail.
