/* An external function may free what it can reach, and have this file's functions change and free what its variables lead to. */
#include <assert.h>
#include <stdlib.h>
static int *kept;

void init(void)
{
    kept = malloc(4);
    if (kept)
        *kept = 1;
}

void set(int n)
{
    if (kept)
        *kept = n;
}

void release(void)
{
    free(kept);
    kept = 0;
}

void other(void);

int changed(void)
{
    int *p = kept;
    if (!p)
        return 0; //@ covered
    *p = 1;
    other();
    if (*p == 2)
        return 5; //@ may run
    return 6; //@ covered
}

int held(void)
{
    int *p = kept;
    if (!p)
        return 0; //@ covered
    *p = 1;
    other();
    assert(*p == 1); //@ may fail assert, may fail use_after_free
    return 6; //@ covered
}

//@ run: verify --function held
//@ exit: 0
//@ says: callees-keep at
