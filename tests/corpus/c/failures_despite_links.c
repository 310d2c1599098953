/* Beside links between objects, which callers make as they like: failures that no choice of objects avoids. */
#include <stddef.h>
#include <stdlib.h>

struct link { struct link *before, *after; int value; };

/* The branch says that there is no neighbour. */
int behind_last(struct link *at)
{
    if (at->after == NULL) //@ fails null
        return at->after->value; //@ fails null
    return 0; //@ covered
}

/* So does the end of the loop. */
int last(struct link *at)
{
    while (at != NULL && at->value != 0)
        at = at->after;
    if (at == NULL)
        return at->value; //@ fails null
    return 1; //@ covered
}

/* The new link is not the caller's. */
int insert(struct link *at)
{
    if (!at || !at->after || at->after->before != at)
        return -1; //@ covered
    struct link *made = malloc(sizeof *made);
    made->before = at; //@ fails null
    made->after = at->after;
    at->after->before = made;
    at->after = made;
    return 0; //@ covered
}

//@ run: test --timeout 20 --verbose --deny failing
//@ exit: 1
//@ says: 3 checks can fail
