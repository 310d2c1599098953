/* That pointers are `restrict` proves nothing: pointers that lead to one object all the same are no case that is left out. */

int assigned(int *restrict p, int *restrict q)
{
    *p = 1;
    *q = 2;
    if (*p == 2)
        return 1; //@ may run
    return 2; //@ covered
}

static int of_both(int *restrict p, int *restrict q)
{
    *p = 1;
    *q = 2;
    return *p;
}

int called_with_one(int k)
{
    int x = k;
    int got = of_both(&x, &x);
    if (got == 2)
        return 1; //@ may run
    return 2; //@ unreachable?
}

int compared(int *restrict p, int *restrict q)
{
    if (p == q)
        return 1; //@ may run
    return 2; //@ covered
}

int copied(char *restrict to, const char *restrict from)
{
    char first = from[0];
    to[0] = 1;
    if (from[0] != first)
        return 1; //@ may run
    return 2; //@ covered
}

struct pair {
    int *restrict a;
    int *restrict b;
};

int members(struct pair *s)
{
    *s->a = 1;
    *s->b = 2;
    if (*s->a == 2)
        return 1; //@ may run
    return 2; //@ covered
}

int *restrict first, *restrict second;

int variables(void)
{
    *first = 1;
    *second = 2;
    if (*first == 2)
        return 1; //@ may run
    return 2; //@ covered
}

int divided(int *restrict p, int *restrict q)
{
    *p = 1;
    *q = 0;
    return 10 / *p; //@ may fail division
}
