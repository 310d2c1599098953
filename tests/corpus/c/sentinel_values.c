/* Numbers that stand in pointers for something that is no object: an empty slot, the end of a list, an error. */
#include <stddef.h>

struct entry { const void *key; int value; };
struct table { int size; struct entry *entries; int (*equal)(const void *, const void *); };
#define EMPTY ((void *)-1)
#define FREED ((void *)-2)

int lookup(struct table *t, const void *key, unsigned at)
{
    for (int i = 0; i < t->size; i++) {
        const void *found = t->entries[at % t->size].key;
        if (found == EMPTY)
            return -1; //@ covered
        if (found == FREED)
            at += 2; //@ covered
        else if (t->equal(found, key))
            return i; //@ covered
        at++;
    }
    return -2; //@ covered
}

struct node { struct node *next; int value; };
#define END ((struct node *)1)

int sum(const struct node *n)
{
    int s = 0;
    for (const struct node *at = n->next; at != END; at = at->next) {
        if (!at)
            return -1; //@ covered
        if (at->value > 0 && at->value < 100)
            s++; //@ covered
    }
    return s; //@ covered
}

static int is_error(const void *p)
{
    return (unsigned long)p >= (unsigned long)-4095;
}

int checked(const struct node *n)
{
    if (is_error(n->next))
        return 1; //@ covered
    return n->next ? 2 : 3; //@ covered
}

struct signals { void (*handler)(int); };

int handled(const struct signals *s)
{
    if (s->handler == (void (*)(int))-1)
        return -1; //@ covered
    if (s->handler == (void (*)(int))1)
        return 1; //@ covered
    return 0; //@ covered
}

char *map_it(size_t size);

int mapped(size_t size)
{
    char *p = map_it(size);
    if (p == (char *)-1)
        return -1; //@ covered
    if (p == NULL)
        return 1; //@ covered
    return 0; //@ covered
}

int divides_at_the_end(const struct node *n)
{
    if (n == NULL || n->next != END)
        return 0;
    return 100 / n->value; //@ fails division
}

/* Where nothing compares them with a number, pointers are null or lead to objects. */
int of_objects(const struct node *n)
{
    if (n && n->next)
        return n->next->value; //@ may run
    return 0;
}
