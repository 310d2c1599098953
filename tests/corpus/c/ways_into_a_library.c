/* From the ways into a library, a static function gets only what its callers pass. */
static int digit(int c)
{
    if (c < '0' || c > '9')
        return -1; //@ unreachable
    return c - '0'; //@ covered
}

static int quotient(int n, int by)
{
    return n / by; //@ holds division
}

int value(int c)
{
    if (c >= '0' && c <= '9')
        return digit(c); //@ covered
    return -2; //@ covered
}

int half(int n)
{
    if (n < 0)
        return quotient(n, 2); //@ covered
    return quotient(n, 4); //@ covered
}

//@ ask: test --entry value,half --timeout 10

//@ run: test --entry public --verbose --timeout 10
//@ exit: 0
//@ says: never executed
//@ never says: no tests are made
