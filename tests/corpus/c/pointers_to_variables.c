/* What is behind a pointer is known by the variable that it leads to, and changed by what may lead there, too. */
#include <errno.h>
#include <unistd.h>
int number;
struct pair { int first, second; } pair;

static int *where(void) { return &number; }

int reads(void)
{
    int *p = where();
    return *p; //@ holds null, holds bounds
}

int member(int n)
{
    struct pair *p = &pair;
    p->second = n;
    int *q = &p->second;
    return *q; //@ holds null, holds bounds
}

int either(int n)
{
    int *p = n ? &pair.first : &number;
    return *p; //@ holds null, holds bounds
}

int fails(int fd)
{
    errno = 0; //@ holds null
    return close(fd) ? errno : 0; //@ holds null
}

int beyond(int n)
{
    int *p = where();
    return p[n]; //@ holds null, fails bounds
}

int written(int n)
{
    int t[2] = { 1, 1 };
    int *p = t, *q = &t[n & 1];
    *q = 0;
    return 4 / p[0]; //@ fails division
}

//@ run: verify --verbose --sound
//@ exit: 0
//| where
//|
//| reads
//|   check                          kind    verdict
//|   pointers_to_variables.c:12:12  null    verified
//|   pointers_to_variables.c:12:12  bounds  verified
//|
//| member
//|   check                          kind    verdict
//|   pointers_to_variables.c:18:15  null    verified
//|   pointers_to_variables.c:18:15  bounds  verified
//|   pointers_to_variables.c:20:12  null    verified
//|   pointers_to_variables.c:20:12  bounds  verified
//|
//| either
//|   check                          kind    verdict
//|   pointers_to_variables.c:26:12  null    verified
//|   pointers_to_variables.c:26:12  bounds  verified
//|
//| fails
//|   check                          kind      verdict
//|   pointers_to_variables.c:31:11  null      verified
//|   pointers_to_variables.c:31:11  bounds    verified
//|   pointers_to_variables.c:32:12  null      verified
//|   pointers_to_variables.c:32:12  bounds    verified
//|   pointers_to_variables.c:32:24  null      verified
//|   pointers_to_variables.c:32:24  bounds    verified
//|   pointers_to_variables.c:32:12  overflow  verified
//|
//| beyond
//|   check                          kind    verdict
//|   pointers_to_variables.c:38:12  null    verified
//|   pointers_to_variables.c:38:12  bounds  unverified [weak-invariants]
//|
//| written
//|   check                          kind      verdict
//|   pointers_to_variables.c:45:8   null      verified
//|   pointers_to_variables.c:45:8   bounds    verified
//|   pointers_to_variables.c:46:16  null      verified
//|   pointers_to_variables.c:46:16  bounds    verified
//|   pointers_to_variables.c:46:14  division  unverified [caller-state]
//|
//| 22 checks: 20 verified, 0 verified under assumptions, 2 unverified, 0 failing
//|
//| why checks are unverified, and what can be done
//|   1 [caller-state] State what callers guarantee with assert where the function begins (requires in
//|          Boogie); footpath test looks for an input that makes it fail.
//|   1 [weak-invariants] State what holds in the loop with assert, or pass invariants with --results;
//|          footpath test looks for an input that makes it fail.
