/* A list that leads back to its first node keeps each of these going for ever; where their pointers may lead is known all the
   same. */
#include <stdlib.h>
struct node { int value; struct node *next; };

unsigned length(const struct node *p)
{
    unsigned n = 0;
    for (; p; p = p->next) //@ holds? null, holds? use_after_free
        n++;
    return n; //@ covered
}

struct node *find(struct node *p, int key)
{
    while (p && p->value != key) //@ holds null
        p = p->next; //@ holds null, covered
    return p; //@ covered
}

int last(const struct node *p)
{
    while (p->next) //@ fails null
        p = p->next; //@ covered
    return p->value; //@ covered
}

void release(struct node *p)
{
    while (p) {
        struct node *next = p->next; //@ fails use_after_free
        free(p);
        p = next; //@ covered
    }
}
