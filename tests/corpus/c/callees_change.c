/* What a callee changes is not assumed to stay; what an external one may change is assumed to. */
#include <assert.h>
static int count;

static int next(void)
{
    return ++count; //@ covered
}

void log_it(int n);

void calls(void)
{
    int a = next();
    int b = next();
    assert(a == b); //@ fails assert
}

void unknown(int *p)
{
    *p = 1;
    log_it(2);
    assert(*p == 1); //@ may fail assert
}

//@ run: verify
//@ exit: 0
//@ says: callees-keep at callees_change.c:22
