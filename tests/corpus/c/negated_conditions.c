/* Negations are told as the source asks. */
int never(int c)
{
    if (!(c * 0 == 0))
        return 1; //@ unreachable
    return c > 3 && !(c > 2);
}

//@ run: test
//@ exit: 0
//@ says: never true
//@ never says: never false
