/* Two checks of one kind at one place, of which one holds. What is proved of one says nothing of the other, also where proofs have
   more blocks. */
#include <stdlib.h>
#include <string.h>

static void *(*allocate)(size_t) = malloc;
struct object { void *wrap; size_t *cells; char **names; size_t count, capacity; };

static char *copy(const char *s, size_t n)
{
    char *out = allocate(n + 1);
    if (!out)
        return NULL;
    out[n] = '\0';
    memcpy(out, s, n); //@ fails nonnull
    return out;
}

static int init(struct object *o, size_t capacity)
{
    o->cells = NULL;
    o->names = NULL;
    o->capacity = capacity;
    o->count = 0;
    o->names = allocate(capacity * sizeof *o->names);
    return o->names ? 0 : -1;
}

int grow(struct object *o)
{
    struct object n;
    if (init(&n, o->capacity * 2))
        return -1; //@ covered
    n.wrap = o->wrap;
    *o = n;
    return copy("", 0) != NULL; //@ covered
}
