/* Pointers from outside may lead to one object, unless their types have no part in common, or nobody was given an address. */
#include <stddef.h>
struct node { struct node *next; int v; };
struct other { long a; };
int number;
static int hidden;
struct node *get(void);
void take(int *p);

int members(struct node *a, int *b)
{
    a->v = 1;
    *b = 2;
    if (a->v == 2)
        return 1; //@ may run
    return 0; //@ covered
}

int bytes(char *a, long *b)
{
    *b = 0;
    *a = 1;
    if (*b)
        return 1; //@ may run
    return 0; //@ covered
}

int variable(int *p)
{
    *p = 1;
    number = 2;
    if (*p == 2)
        return 1; //@ may run
    return 0; //@ covered
}

int given(struct node *a)
{
    a->v = 1;
    get()->v = 2;
    if (a->v == 2)
        return 1; //@ may run
    return 0; //@ covered
}

int linked(struct node *a, struct node *b)
{
    a->v = 1;
    b->next->v = 2;
    if (a->v == 2)
        return 1; //@ covered
    return 0; //@ covered
}

int kept(int **where)
{
    int x = 1;
    take(&x);
    **where = 2;
    if (x == 2)
        return 1; //@ covered
    return 0; //@ covered
}

int apart(struct node *a, struct other *b, int *c)
{
    a->next = NULL;
    b->a = 7;
    hidden = *c;
    if (a->next || b->a != 7)
        return 1; //@ unreachable
    *c = 5;
    if (hidden != *c && hidden == 5)
        return 2; //@ unreachable
    return 0; //@ covered
}

static int lent;
int *lend(void) { return &lent; }

int borrowed(int *p)
{
    *p = 1;
    lent = 2;
    if (*p == 2)
        return 1; //@ may run
    return 0; //@ covered
}

static int inner(int *a, int *b)
{
    *a = 1;
    *b = 2;
    if (*a == 2)
        return 1; //@ may run
    return 0; //@ covered
}

int outer(void)
{
    int x, y;
    return inner(&x, &y); //@ covered
}
