/* A call that only makes objects leaves older ones as they are; one that frees does so under an assumption. Of callees that call
   themselves only the contract is known. */
#include <stdlib.h>
struct outer { int *data; unsigned n; };

int more(struct outer *o, int n)
{
    if (n > 0)
        return more(o, n - 1);
    o->data = malloc(4);
    return 0;
}

void less(struct outer *o, int n)
{
    if (n > 0)
        less(o, n - 1);
    free(o->data);
}

int behind_more(struct outer *o, int n)
{
    int first = o->n;
    more(o, n);
    return first ^ o->n;
}

int behind_less(struct outer *o, int n)
{
    int first = o->n;
    less(o, n);
    return first ^ o->n;
}

//@ run: verify --solver-seconds 0 --verbose
//@ exit: 0
//| more
//|   check                            kind            verdict
//|   calls_and_older_objects.c:10:13  null            verified assuming a1
//|   calls_and_older_objects.c:10:13  use_after_free  verified assuming a1
//|   calls_and_older_objects.c:10:13  bounds          verified assuming a1
//|   calls_and_older_objects.c:9:26   overflow        verified
//|   a1: valid-parameters at calls_and_older_objects.c:6:5: `o` points to the start of a live object of at least 16 bytes
//|
//| less
//|   check                            kind            verdict
//|   calls_and_older_objects.c:18:13  null            verified assuming a3
//|   calls_and_older_objects.c:18:13  use_after_free  verified assuming a2, a3
//|   calls_and_older_objects.c:18:13  bounds          verified assuming a3
//|   calls_and_older_objects.c:18:5   free            unverified [no-solver]
//|   calls_and_older_objects.c:17:19  overflow        verified
//|   a2: callees-keep at calls_and_older_objects.c:17:9: `less` frees nothing that is used after the call
//|   a3: valid-parameters at calls_and_older_objects.c:14:6: `o` points to the start of a live object of at least 16 bytes
//|
//| behind_more
//|   check                            kind            verdict
//|   calls_and_older_objects.c:23:20  null            verified assuming a4
//|   calls_and_older_objects.c:23:20  use_after_free  verified assuming a4
//|   calls_and_older_objects.c:23:20  bounds          verified assuming a4
//|   calls_and_older_objects.c:25:23  use_after_free  verified assuming a4
//|   calls_and_older_objects.c:25:23  bounds          verified assuming a4
//|   a4: valid-parameters at calls_and_older_objects.c:21:5: `o` points to the start of a live object of at least 16 bytes
//|
//| behind_less
//|   check                            kind            verdict
//|   calls_and_older_objects.c:30:20  null            verified assuming a6
//|   calls_and_older_objects.c:30:20  use_after_free  verified assuming a6
//|   calls_and_older_objects.c:30:20  bounds          verified assuming a6
//|   calls_and_older_objects.c:32:23  use_after_free  verified assuming a5
//|   calls_and_older_objects.c:32:23  bounds          verified assuming a6
//|   a5: callees-keep at calls_and_older_objects.c:31:5: `less` frees nothing that is used after the call
//|   a6: valid-parameters at calls_and_older_objects.c:28:5: `o` points to the start of a live object of at least 16 bytes
//|
//| 19 checks: 2 verified, 16 verified under assumptions, 1 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   1 [no-solver] Give --solver-timeout a time above 0.

//@ run: verify --solver-seconds 0 --assume valid-parameters --verbose
//@ exit: 0
//| more
//|   check                            kind            verdict
//|   calls_and_older_objects.c:10:13  null            verified assuming a1
//|   calls_and_older_objects.c:10:13  use_after_free  verified assuming a1
//|   calls_and_older_objects.c:10:13  bounds          verified assuming a1
//|   calls_and_older_objects.c:9:26   overflow        verified
//|   a1: valid-parameters at calls_and_older_objects.c:6:5: `o` points to the start of a live object of at least 16 bytes
//|
//| less
//|   check                            kind            verdict
//|   calls_and_older_objects.c:18:13  null            verified assuming a2
//|   calls_and_older_objects.c:18:13  use_after_free  unverified [no-solver]
//|   calls_and_older_objects.c:18:13  bounds          verified assuming a2
//|   calls_and_older_objects.c:18:5   free            unverified [no-solver]
//|   calls_and_older_objects.c:17:19  overflow        verified
//|   a2: valid-parameters at calls_and_older_objects.c:14:6: `o` points to the start of a live object of at least 16 bytes
//|
//| behind_more
//|   check                            kind            verdict
//|   calls_and_older_objects.c:23:20  null            verified assuming a3
//|   calls_and_older_objects.c:23:20  use_after_free  verified assuming a3
//|   calls_and_older_objects.c:23:20  bounds          verified assuming a3
//|   calls_and_older_objects.c:25:23  use_after_free  verified assuming a3
//|   calls_and_older_objects.c:25:23  bounds          verified assuming a3
//|   a3: valid-parameters at calls_and_older_objects.c:21:5: `o` points to the start of a live object of at least 16 bytes
//|
//| behind_less
//|   check                            kind            verdict
//|   calls_and_older_objects.c:30:20  null            verified assuming a4
//|   calls_and_older_objects.c:30:20  use_after_free  verified assuming a4
//|   calls_and_older_objects.c:30:20  bounds          verified assuming a4
//|   calls_and_older_objects.c:32:23  use_after_free  unverified [no-solver]
//|   calls_and_older_objects.c:32:23  bounds          verified assuming a4
//|   a4: valid-parameters at calls_and_older_objects.c:28:5: `o` points to the start of a live object of at least 16 bytes
//|
//| 19 checks: 2 verified, 14 verified under assumptions, 3 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   3 [no-solver] Give --solver-timeout a time above 0.
