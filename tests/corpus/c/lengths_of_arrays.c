/* An array has at least one element. */
int of_input(int n)
{
    if (n > 100)
        return 0;
    int a[n]; //@ fails vla_length
    a[0] = 1;
    return a[0];
}

int of_positive(int n)
{
    if (n <= 0 || n > 100)
        return 0;
    int a[n]; //@ holds vla_length
    a[n - 1] = 1;
    return a[n - 1]; //@ covered
}

int of_unsigned(unsigned char n)
{
    char a[n]; //@ fails vla_length
    return sizeof a == n;
}

int rows(int n)
{
    if (n < 0 || n > 9)
        return 0;
    int a[3][n]; //@ fails? vla_length
    return sizeof a == 12;
}
