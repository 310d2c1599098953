/* An external function that is declared not to return ends its runs. */
__attribute__((noreturn)) void die(const char *why);

int checked(int n)
{
    if (n < 0)
        die("negative"); //@ covered
    return n > 5; //@ covered
}

/* Where `die` would go on if it did. */
int behind(int n)
{
    if (checked(n) + 1 == 2)
        return 1; //@ covered
    return n < 0; //@ covered
}

int contradiction(int n)
{
    checked(n);
    if (n < 0)
        return 1; //@ unreachable
    return 0; //@ covered
}
