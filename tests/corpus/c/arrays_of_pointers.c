/* Arrays of pointers behind a parameter end, too. */
int ninth(int **a)
{
    return a[9] != 0; //@ fails bounds
}

void clear_ninth(int **a)
{
    a[9] = 0; //@ fails bounds
}

int element(int **a, unsigned long n, unsigned long i)
{
    if (i >= n)
        return 0; //@ covered
    return a[i] != 0; //@ fails bounds, covered
}
