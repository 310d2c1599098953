/* The address of a local may outlive its activation; the local does not. */
static int *held;

static void keep(void)
{
    int slot = 3;
    held = &slot;
}

int kept_in_a_variable(void)
{
    keep();
    return *held; //@ fails use_after_free
}

static int *leak(int n)
{
    int own = n;
    int *volatile p = &own;
    return p;
}

int returned(int n)
{
    int *p = leak(n);
    return *p; //@ fails use_after_free
}

static void give(int **to)
{
    int own = 5;
    *to = &own;
}

int by_a_parameter(void)
{
    int *p;
    give(&p);
    if (*p != 5)  //@ fails use_after_free
        return 1; //@ may run
    return 0;
}

static void keep_another(int *slot)
{
    held = slot;
}

static void pass_on(void)
{
    int own = 4;
    keep_another(&own);
}

int passed_on(void)
{
    pass_on();
    return *held; //@ fails use_after_free
}

int while_it_lives(int n)
{
    int own = n;
    keep_another(&own);
    int found = *held; //@ holds use_after_free
    if (found == 7)
        return 1; //@ covered
    return found != n;
}
