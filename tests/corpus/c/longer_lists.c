/* Lists of more nodes than pointers are followed from a parameter. */
struct node { int value; struct node *next; };

int length(const struct node *p)
{
    int n = 0;
    while (p) {
        n++;
        p = p->next;
    }
    if (n == 5)
        return 1; //@ covered
    if (n == 3)
        return 2; //@ covered
    return 0; //@ covered
}

int sum(const struct node *p)
{
    unsigned s = 0, n = 0;
    for (; p; p = p->next) {
        s += (unsigned)p->value;
        n++;
    }
    if (n == 6 && s == 42)
        return 1; //@ covered
    return 0; //@ covered
}

struct twice { struct twice *next, *before; };

int length_of_both(const struct twice *p)
{
    int n = 0;
    while (p) {
        n++;
        p = p->next;
    }
    if (n == 4)
        return 2; //@ covered
    return 0; //@ covered
}

struct queue { struct node *head; int n; };

int check(const struct queue *q)
{
    int n = 0;
    for (struct node *p = q->head; p; p = p->next)
        n++;
    if (n != q->n)
        return -1; //@ covered
    if (n == 7)
        return 2; //@ covered
    return 1; //@ covered
}

struct tree { struct tree *left, *right; };

int depth(const struct tree *t)
{
    if (!t)
        return 0; //@ covered
    int left = depth(t->left), right = depth(t->right);
    return 1 + (left > right ? left : right); //@ covered
}

int is_deep(const struct tree *t)
{
    if (depth(t) == 5)
        return 1; //@ covered
    return 0; //@ covered
}
