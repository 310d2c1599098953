/* The amount of a shift is the source's, however wide it is: a compiler takes its low bits before it shifts. */
int to_the_right(int x, unsigned long n)
{
    if (n < 4294967296UL)
        return 0;
    return x >> n; //@ fails shift
}

unsigned to_the_left(unsigned x, long n)
{
    if (n != -(1L << 32))
        return 0;
    return x << n; //@ fails shift
}

int assigned(int x, long n)
{
    if (n != 1L << 40)
        return 0;
    x >>= n; //@ fails shift
    return x;
}

int converted(int x, unsigned long n)
{
    if (n != 1UL << 32)
        return 0;
    return x >> (int)n; //@ holds shift
}

int in_range(int x, unsigned long n)
{
    if (n > 31)
        return 0;
    return x >> n; //@ holds shift
}

int of_constants(int x)
{
    return x & (1 >> 40); //@ fails shift
}
