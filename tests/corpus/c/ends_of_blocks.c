/* A local of a block is gone behind it. */
int behind_the_block(int c)
{
    int *p;
    {
        int inner = c;
        p = &inner;
    }
    return *p; //@ fails use_after_free
}

int in_the_block(int c)
{
    int around = c;
    int *p = &around;
    {
        int inner = 1;
        p = &inner;
        if (*p != 1)  //@ holds use_after_free
            return 9; //@ unreachable
    }
    p = &around;
    return *p; //@ holds use_after_free
}

int literal(int c)
{
    int *p = &c;
    if (c > 0) {
        p = (int[]){c, 2};
    }
    return *p; //@ fails use_after_free
}

int each_iteration_its_own(int n)
{
    int *p = 0, sum = 0;
    for (int i = 0; i < 2; i++) {
        int here = n & 1;
        p = &here;
        sum += *p; //@ holds? use_after_free
    }
    return sum; //@ covered
}

static void keep(int **where, int *what) { *where = what; }
int kept_by_a_callee(int c)
{
    int *p = &c;
    if (c == 5) {
        int inner = 3;
        keep(&p, &inner);
    }
    return *p; //@ fails use_after_free
}
