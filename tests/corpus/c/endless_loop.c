/* A test runs no longer than its function has time. */
int turns(int n)
{
    int turn = 0;
    if (n == 1)
        for (;;) //@ covered
            turn ^= 1; //@ covered
    return turn; //@ covered
}

//@ ask: test --timeout 2
