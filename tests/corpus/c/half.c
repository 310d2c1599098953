/* Half of the smallest int is an int, but its negation is not. */
int half(int n)
{
    if (n > 3 && n < 2)
        return 1; //@ unreachable
    if (n == 77)
        return -n / 2; //@ covered
    return -n; //@ fails overflow
}

//@ run: test --strict --function half
//@ exit: 0
//@ says: fails[overflow]
//@ never says: internal error
