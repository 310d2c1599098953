/* Counting leading and trailing zeros, which zero has no number of. */
int width(unsigned n)
{
    if (__builtin_clz(n) > 30) //@ fails builtin
        return 1; //@ covered
    return 0; //@ covered
}

int trailing(unsigned n)
{
    if (n == 0 && __builtin_ctz(n) == 32) //@ fails builtin
        return 1; //@ may run
    return 0; //@ covered
}

int fortieth(unsigned long long n)
{
    if (__builtin_ctzll(n) == 40)
        return 1; //@ covered
    return 0; //@ covered
}

static unsigned highest(unsigned n)
{
    return __builtin_clz(n) ^ 31; //@ fails builtin
}

int least(unsigned size, unsigned most, unsigned limit)
{
    unsigned a = highest(size) + 1, b = highest(most) + 2, bits = a < b ? a : b;
    if (bits > limit)
        return 1; //@ covered
    if (bits < 5)
        return 2; //@ covered
    return 3; //@ covered
}
