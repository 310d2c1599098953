/* The harness makes objects of fixed sizes. That a larger one avoids a failure makes it a precondition; a local array stays as it is. */
#include <stddef.h>
#include <string.h>

struct node { int type; struct node *parameters[1]; };

static const struct { const char *name; int value; } table[] = { { "e", 1 }, { "ln", 2 }, { "pow", 3 } };

/* A flexible array, as it was written before C99. The path says that there are three elements. */
int count(const struct node *n)
{
    int sum = 0;
    switch (n->type) { //@ fails null
    case 3:
        for (int i = 0; i < 3; i++)
            sum += n->parameters[i] != NULL; //@ fails bounds
        break;
    }
    return sum;
}

/* The path leads through the model of `strncmp`, which ends at a zero before `length`. */
int find(const char *name, int length)
{
    for (int i = 0; i < 3; i++) {
        int c = strncmp(name, table[i].name, length); //@ fails null
        if (!c && !table[i].name[length]) //@ fails bounds
            return table[i].value;
    }
    return 0;
}

/* The null pointer is chosen where it is passed, and nothing is left to be decided where it is followed. */
int zeros(const char *text, unsigned length)
{
    struct { const char *at; unsigned lines; } state;
    int n = 0;
    memset(&state, 0, sizeof state);
    const char *end = text + length;
    for (state.at = text; state.at != end; state.at++)
        n += *state.at == '0'; //@ fails null
    return n;
}

struct items { int n; struct { unsigned key, value; } items[20]; };

/* The number of items and the items are both the caller's. */
unsigned sum(const struct items *given)
{
    unsigned all = 0;
    for (int i = 0; i < given->n; i++) //@ fails null
        all += given->items[i].value; //@ fails subobject, may fail bounds
    return all;
}

/* The items are the function's own. */
int fill(int n)
{
    struct { int a[4]; int last; } own = { { 0 }, 0 };
    for (int i = 0; i < n; i++)
        own.a[i] = i; //@ fails subobject, may fail bounds
    return own.a[0] + own.last;
}

/* Whoever passes 5 fails. */
int beyond(int n)
{
    int a[4] = { 0 };
    switch (n) {
    case 5:
        for (int i = 4; i < 5; i++)
            a[i] = 1; //@ fails bounds
    }
    return a[n & 3];
}

//@ run: test --timeout 20 --deny failing --function count --function find --function zeros
//@ exit: 0
//@ says: needs an object that is large enough, or the access is out of bounds: 16
//@ says: needs an object that is large enough, or the access is out of bounds: 27
//@ says: needs `text != NULL` on some paths, or a null pointer is dereferenced: 41
//@ never says: fails[

//@ run: test --timeout 20 --deny failing --function sum
//@ exit: 0
//@ says: needs an index within the member or row, or the index is beyond a member or row of the object
//@ never says: fails[

//@ run: test --timeout 20 --deny failing --function fill
//@ exit: 1
//@ says: fails[subobject]

//@ run: test --timeout 20 --deny failing --function beyond
//@ exit: 1
//@ says: fails[bounds]
