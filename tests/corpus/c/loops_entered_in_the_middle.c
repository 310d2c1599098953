/* A loop that is entered in its middle is executed, though nothing leads to it from above. */
int rounds(int n)
{
    switch (n & 1) {
        while (1) {
    case 0:
            n /= 2; //@ covered
    case 1:
            if (n / 8 == 0)
                return n; //@ covered
            n /= 8; //@ covered
        }
    }
    return 0; //@ unreachable
}

int never(int n)
{
    switch (n & 1) {
        for (n = 7; n > 0; n /= 8) {
    case 0:
            n /= 2; //@ covered
        }
    }
    return n; //@ covered
}

//@ run: test
//@ exit: 0
//@ says: 14:5 `return`
//@ says: 20 |         for (n = 7
//@ never says: 5 |         while (1)
