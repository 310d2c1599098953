/* What a function that nobody has writes through a pointer is not known. */
extern int read_number(int *to);

int limited(void)
{
    int n = 0;
    if (!read_number(&n))
        return -1; //@ covered
    if (n > 3)
        n = 3;
    if (n > 5)
        return 5; //@ unreachable
    return n;
}
