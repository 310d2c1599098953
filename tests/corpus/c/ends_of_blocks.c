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

/* An array of variable length is gone when its block is left, or its declaration is gone back to. */
int array_of_a_block(int n)
{
    int *p = 0;
    if (n < 1 || n > 5)
        return 0;
    {
        int inner[n];
        inner[0] = 4;
        p = inner;
    }
    return *p; //@ fails use_after_free
}

int gone_back(void)
{
    int *p = 0, round = 0;
back:
    if (round == 1)
        return *p; //@ fails use_after_free
    round++;
    int n = round + 1;
    int array[n];
    array[0] = 7;
    p = array;
    goto back;
}

int array_of_each_round(int n)
{
    int sum = 0;
    for (int i = 1; i < n && i < 4; i++) {
        int inner[i];
        int *p = inner;
        p[i - 1] = i; //@ holds use_after_free
        sum += *p;    //@ holds use_after_free
    }
    return sum;
}

int not_yet(int n)
{
    int x = 3, *p = &x;
    if (n > 2) {
        if (n > 7)
            return *p; //@ holds use_after_free
        int inner[n];
        inner[1] = n;
        p = inner;
        x = *p; //@ holds use_after_free
    }
    return x;
}
