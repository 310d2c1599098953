/* A bound that only library functions meet is told as theirs: the source has no loop. */
#include <string.h>

struct large {
    char bytes[8000];
    int count;
};

int copied(const struct large *from, struct large *to)
{
    memcpy(to, from, sizeof *to);
    if (to->count != from->count)
        return 1; //@ unreachable?
    return 0; //@ covered?
}

//@ run: test --timeout 10
//@ says: library functions, such as memcpy
