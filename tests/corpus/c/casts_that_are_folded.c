/* A compiler folds a cast that does not fit into a value that nobody knows: comparisons of it go either way, and the source
   is wrong there all the same. */
int too_large(void) { return (int)(float)2147483647; } //@ fails float_cast
unsigned char negative(void) { return (unsigned char)-300.0; } //@ fails float_cast

int compares(void)
{
    if (too_large() == 2147483647)
        return 1; //@ may run
    return 0; //@ may run
}

int compares_in_place(int n)
{
    int x = (int)1e10; //@ fails float_cast
    if (n > 5 && x == 7)
        return 1; //@ may run
    if (n > 5 && x == 0)
        return 2; //@ may run
    return 0; //@ may run
}

int compares_a_byte(void)
{
    if (negative() == 212)
        return 1; //@ may run
    return 0; //@ may run
}

/* What fits is folded as well, and known. */
int fits(void)
{
    if ((int)2147483520.0f != 2147483520) //@ holds float_cast
        return 1;
    return 0; //@ covered
}
