/* A copy of 20 000 bytes is 5 000 reads and writes, of which a solver would compare each with each. */
#include <string.h>

struct big {
    int tag;
    char room[20000];
    int end;
};

int copied(struct big *to, const struct big *from)
{
    memcpy(to, from, sizeof *to);
    if (to->end != from->end)
        return 1; //@ unreachable?
    if (to->end == 77)
        return 3; //@ covered
    return 2; //@ covered
}

int cleared(struct big *b, int n)
{
    memset(b, 0, sizeof *b);
    if (b->end)
        return 1; //@ unreachable?
    if (n == 7)
        return 2; //@ covered
    return b->tag; //@ covered
}

//@ ask: test --timeout 8
