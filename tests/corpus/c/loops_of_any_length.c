/* What holds for any number of rounds. */
int counted(int n)
{
    int i = 0;
    do {
        i++;
    } while (i < n);
    if (i < 1)
        return 1; //@ unreachable
    if (i < n)
        return 2; //@ unreachable
    return 4; //@ covered
}

int behind_for_ever(int n)
{
    if (n > 3) {
        for (;;)
            ;
    }
    if (n == 9)
        return 1; //@ unreachable
    return 0; //@ covered
}
