/* Which of two locals comes first is the machine's choice, so no order of them is dead. A test may promise one that the machine does
   not have, which it says when it runs. */
#include <stdint.h>

int order(void)
{
    int x, y;
    uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y;
    if (a < b)
        return 1;
    return 0;
}

//@ run: test
//@ exit: 0
//@ never says: infeasible[
//@ never says: internal error
