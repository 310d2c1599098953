/* Pointers to an array beside them, and pointers behind `const void *`. */
#include <stdlib.h>
#include <string.h>

struct stack { void **items; size_t n, max; void *fixed[4]; };

int push(struct stack *s, void *p)
{
    if (s->n == s->max) {
        if (s->max == 0 || s->max > 8)
            return 0;
        if (s->items == s->fixed) {
            s->items = malloc(sizeof(void *) * 8); //@ covered
            if (!s->items) {
                s->items = s->fixed; //@ covered
                return 0;
            }
            memcpy(s->items, s->fixed, sizeof s->fixed);
        } else {
            void **q = realloc(s->items, sizeof(void *) * s->max * 2); //@ covered
            if (!q)
                return 0; //@ covered
            s->items = q;
        }
        s->max *= 2;
    }
    s->items[s->n++] = p;
    return 1; //@ covered
}

struct text { char *at; int length; char inside[8]; };

void reset(struct text *t)
{
    if (t->at != t->inside)
        free(t->at);
    t->at = t->inside;
    t->length = 0;
}

int is_inside(const struct text *t)
{
    if (t->at == t->inside)
        return t->at[2] == 'x' ? 2 : 1; //@ covered
    return 0; //@ covered
}

struct entry { unsigned hash; const char *name; };

int by_hash(const void *a, const void *b)
{
    const struct entry *x = *(const struct entry *const *)a;
    const struct entry *y = *(const struct entry *const *)b;
    if (x->hash < y->hash)
        return -1; //@ covered
    if (x->hash > y->hash)
        return 1; //@ covered
    return strcmp(x->name, y->name); //@ covered
}

static int of_names(const struct entry *x, const struct entry *y)
{
    return x->name[0] - y->name[0];
}

int by_name(const void *a, const void *b)
{
    struct entry *const *x = a, *const *y = b;
    if (of_names(*x, *y) == 'z' - 'a')
        return 5; //@ covered
    return 0; //@ covered
}
