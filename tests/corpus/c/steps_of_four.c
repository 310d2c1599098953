/* A place is refuted for any number of rounds, or reached by a compiled test. */
int one(int n)
{
    int i = 0;
    while (i < n)
        i += 4;
    if (i == 15)
        return 1; //@ unreachable
    if (i == 20)
        return 2; //@ covered
    return 0; //@ covered
}

int find(const char *s)
{
    int i;
    for (i = 0; s[i] != 0; i++)
        if (s[i] == 'H' && s[i + 1] == 'i')
            return i; //@ covered
    return -1; //@ covered
}

//@ ask: reach --timeout 30
