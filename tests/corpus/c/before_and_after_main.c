/* What runs before `main` is run, and of what runs after it nothing is claimed. */
#include <stdlib.h>
static int state;
__attribute__((constructor)) static void begins(void) { state = 1; }

__attribute__((destructor)) static void ends(void)
{
    if (state == 2)
        abort(); //@ covered?
}

static void handler(void)
{
    if (state == 3)
        abort(); //@ unreachable?
}

int main(void)
{
    if (state != 1)
        return 1; //@ unreachable
    state = 2; //@ covered
    atexit(handler);
    return 0;
}

//@ ask: test --entry main --timeout 10
//@ ask: reach --function main --timeout 5

//@ run: test --entry main --timeout 10
//@ exit: 0
//@ says: it may be called asynchronously (by a thread, a signal or at exit), which is not analysed
//@ says: ^^^^^ never true
//@ never says: internal error
