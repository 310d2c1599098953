/* A pointer in memory is taken to be valid as what it is followed as, under an assumption; how long an array is nobody says. */
#include <stddef.h>
struct inner { int a, b; struct inner *next; };
struct outer { struct inner *in; unsigned char *at; int *data; unsigned n; };

int member(struct outer *o)
{
    return o->in->b;
}

int member_or_null(struct outer *o)
{
    if (o->in == NULL)
        return 0;
    return o->in->b;
}

int sum(struct outer *o)
{
    int s = 0;
    for (; o->n; o->n--)
        s ^= *o->at++;
    return s;
}

int element(struct outer *o)
{
    return o->data[o->n]; //@ fails bounds
}

int list(struct inner *l)
{
    int s = 0;
    for (; l; l = l->next)
        s ^= l->b;
    return s;
}

//@ run: verify --verbose
//@ exit: 0
//| member
//|   check                      kind    verdict
//|   pointers_in_memory.c:8:15  null    verified assuming a2
//|   pointers_in_memory.c:8:15  bounds  verified assuming a2
//|   pointers_in_memory.c:8:19  null    verified assuming a1
//|   pointers_in_memory.c:8:19  bounds  verified assuming a1
//|   a1: valid-pointers at pointers_in_memory.c:8:19: the pointer that is read here points into a live object, with at least 16 bytes from there on
//|   a2: valid-parameters at pointers_in_memory.c:6:5: `o` points to the start of a live object of at least 32 bytes
//|
//| member_or_null
//|   check                       kind    verdict
//|   pointers_in_memory.c:13:12  null    verified assuming a4
//|   pointers_in_memory.c:13:12  bounds  verified assuming a4
//|   pointers_in_memory.c:15:19  null    verified assuming a3
//|   pointers_in_memory.c:15:19  bounds  verified assuming a3
//|   a3: valid-pointers at pointers_in_memory.c:15:19: the pointer that is read here is null or points into a live object, with at least 16 bytes from there on
//|   a4: valid-parameters at pointers_in_memory.c:11:5: `o` points to the start of a live object of at least 32 bytes
//|
//| sum
//|   check                       kind    verdict
//|   pointers_in_memory.c:21:15  null    verified assuming a6
//|   pointers_in_memory.c:21:15  bounds  verified assuming a6
//|   pointers_in_memory.c:22:20  bounds  verified assuming a6
//|   pointers_in_memory.c:22:14  null    verified assuming a5
//|   pointers_in_memory.c:22:14  bounds  verified assuming a5
//|   a5: valid-pointers at pointers_in_memory.c:22:20: the pointer that is read here points into a live object, with at least 1 byte from there on
//|   a6: valid-parameters at pointers_in_memory.c:18:5: `o` points to the start of a live object of at least 32 bytes
//|
//| element
//|   check                       kind    verdict
//|   pointers_in_memory.c:28:15  null    verified assuming a8
//|   pointers_in_memory.c:28:15  bounds  verified assuming a8
//|   pointers_in_memory.c:28:23  bounds  verified assuming a8
//|   pointers_in_memory.c:28:12  null    verified assuming a7
//|   pointers_in_memory.c:28:12  bounds  unverified [caller-state]
//|   a7: valid-pointers at pointers_in_memory.c:28:12: the pointer that is read here points into a live object, with at least 4 bytes from there on
//|   a8: valid-parameters at pointers_in_memory.c:26:5: `o` points to the start of a live object of at least 32 bytes
//|
//| list
//|   check                       kind    verdict
//|   pointers_in_memory.c:35:17  null    verified assuming a9, a10
//|   pointers_in_memory.c:35:17  bounds  verified assuming a9, a10
//|   pointers_in_memory.c:34:22  bounds  verified assuming a9, a10
//|   a9: valid-pointers at pointers_in_memory.c:34:17: the pointer that is read here is null or points into a live object, with at least 16 bytes from there on
//|   a10: valid-parameters at pointers_in_memory.c:31:5: `l` points to the start of a live object of at least 16 bytes
//|
//| 21 checks: 0 verified, 20 verified under assumptions, 1 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   1 [caller-state] State what callers guarantee with assert where the function begins (requires in
//|          Boogie); footpath test looks for an input that makes it fail.

//@ run: verify --verbose --assume valid-parameters
//@ exit: 0
//| member
//|   check                      kind    verdict
//|   pointers_in_memory.c:8:15  null    verified assuming a1
//|   pointers_in_memory.c:8:15  bounds  verified assuming a1
//|   pointers_in_memory.c:8:19  null    unverified [caller-state]
//|   pointers_in_memory.c:8:19  bounds  unverified [caller-state]
//|   a1: valid-parameters at pointers_in_memory.c:6:5: `o` points to the start of a live object of at least 32 bytes
//|
//| member_or_null
//|   check                       kind    verdict
//|   pointers_in_memory.c:13:12  null    verified assuming a2
//|   pointers_in_memory.c:13:12  bounds  verified assuming a2
//|   pointers_in_memory.c:15:19  null    unverified [caller-state]
//|   pointers_in_memory.c:15:19  bounds  unverified [caller-state]
//|   a2: valid-parameters at pointers_in_memory.c:11:5: `o` points to the start of a live object of at least 32 bytes
//|
//| sum
//|   check                       kind    verdict
//|   pointers_in_memory.c:21:15  null    verified assuming a3
//|   pointers_in_memory.c:21:15  bounds  verified assuming a3
//|   pointers_in_memory.c:22:20  bounds  verified assuming a3
//|   pointers_in_memory.c:22:14  null    unverified [weak-invariants]
//|   pointers_in_memory.c:22:14  bounds  unverified [weak-invariants]
//|   a3: valid-parameters at pointers_in_memory.c:18:5: `o` points to the start of a live object of at least 32 bytes
//|
//| element
//|   check                       kind    verdict
//|   pointers_in_memory.c:28:15  null    verified assuming a4
//|   pointers_in_memory.c:28:15  bounds  verified assuming a4
//|   pointers_in_memory.c:28:23  bounds  verified assuming a4
//|   pointers_in_memory.c:28:12  null    unverified [caller-state]
//|   pointers_in_memory.c:28:12  bounds  unverified [caller-state]
//|   a4: valid-parameters at pointers_in_memory.c:26:5: `o` points to the start of a live object of at least 32 bytes
//|
//| list
//|   check                       kind    verdict
//|   pointers_in_memory.c:35:17  null    unverified [weak-invariants]
//|   pointers_in_memory.c:35:17  bounds  unverified [weak-invariants]
//|   pointers_in_memory.c:34:22  bounds  unverified [weak-invariants]
//|
//| 21 checks: 0 verified, 10 verified under assumptions, 11 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|    6 [caller-state] State what callers guarantee with assert where the function begins (requires in
//|          Boogie); footpath test looks for an input that makes it fail.
//|    5 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
