/* Tests let two pointers lead to one object where nothing else covers the code behind, and where no promise excludes it. */
struct node { struct node *next; int value; };
struct pair { int *left, *right; };

int numbers(int *a, int *b)
{
    *a = 1; //@ fails null
    *b = 2; //@ fails null
    if (*a == 2)
        return 21; //@ covered
    return 0; //@ covered
}

int nodes(struct node *p, struct node *q)
{
    p->value = 5;
    q->value = 6;
    if (p->value == 6)
        return 22; //@ covered
    return 0; //@ covered
}

int copied(char *to, const char *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i]; //@ fails bounds
    if (n > 2 && from[1] != to[1])
        return 23; //@ covered
    return 0; //@ covered
}

int linked(struct pair *p)
{
    *p->left = 7;
    *p->right = 8;
    if (*p->left == 8)
        return 24; //@ covered
    return 0; //@ covered
}

/* The caller promises that there is no such object. */
int promised(int *restrict a, int *restrict b)
{
    *a = 1;
    *b = 2;
    if (*a == 2)
        return 25; //@ unreachable?
    return 0; //@ covered
}

int unrelated(int *a, const unsigned short *b)
{
    *a = 1;
    return *b == 3; //@ covered
}

int same(struct node *a, struct node *b)
{
    while (a && b) {
        if (a->value != b->value)
            return 0; //@ covered
        a = a->next; //@ covered
        b = b->next;
    }
    return a == b; //@ covered
}

//@ ask: test --timeout 20 --jobs 1

//@ run: test --no-sharing --function numbers --format json
//@ exit: 0
//@ says: "returned": "0"
//@ never says: "returned": "21"

//@ run: test --function numbers --function nodes --function linked --function unrelated
//@ exit: 0
//@ never says: fails[bounds]
